/* Never beyond the guard: f is not called where it does not exist. */
#include "hybrid.h"
#include "plain_methods.h"

#include <math.h>
#include <string.h>

typedef struct counts {
  long calls, outside;
} counts;

/* x' = -sqrt(x), which ends at t = 2 sqrt(x0) */
static int drain(double t, const double *y, double *f, const brink_env *e)
{
  counts *c = e->user;

  (void)t;
  c->calls++;
  c->outside += y[0] < 0;
  f[0] = -sqrt(y[0]);
  return 0;
}

/* x' = log(x) - 1.5: falls to 0 in finite time */
static int with_log(double t, const double *y, double *f, const brink_env *e)
{
  counts *c = e->user;

  (void)t;
  c->calls++;
  c->outside += y[0] < 0;
  f[0] = y[0] > 0 ? log(y[0]) - 1.5 : -1e6;
  return 0;
}

/* x' = 1/(1 - x): reaches 1 at t = 1/2 with infinite speed */
static int with_pole(double t, const double *y, double *f, const brink_env *e)
{
  counts *c = e->user;

  (void)t;
  c->calls++;
  c->outside += y[0] > 1;
  f[0] = 1 / (1 - y[0]);
  return y[0] == 1;
}

/* x' = 1.1 + acos(x): leaves [-1, 1] on the right */
static int with_acos(double t, const double *y, double *f, const brink_env *e)
{
  counts *c = e->user;

  (void)t;
  c->calls++;
  c->outside += y[0] > 1;
  f[0] = 1.1 + acos(y[0]);
  return 0;
}

typedef struct problem {
  const char *name;
  brink_rhs_fn *rhs;
  double x0, level, t_end;
  brink_direction dir;
  double tol; /* on the time, at rtol 1e-8 */
} problem;

static const problem problems[] = {
    {"sqrt", drain, 1, 0, 2, BRINK_DOWN, 1e-6},
    {"log", with_log, 1.3, 0, 0.76012843417, BRINK_DOWN, 1e-6},
    {"pole", with_pole, 0, 1, 0.5, BRINK_UP, 1e-6},
    {"acos", with_acos, -0.2, 1, 0.65535, BRINK_UP, 1e-6},
};

/* t_end of the ones without closed form: dt = dx / f(x), by a fine midpoint rule in a
 * variable that removes the end's singularity */
static double end_time(const problem *p)
{
  enum { N = 2000000 };
  double sum = 0, a = p->x0, b = p->level;
  counts c;
  brink_env e = {.user = &c};

  for (int i = 0; i < N; i++) {
    double s = (i + 0.5) / N, x = b + (a - b) * s * s, f;
    p->rhs(0, &x, &f, &e);
    sum += (b - a) * 2 * s / f / N;
  }
  return sum;
}

static void run(const problem *p, const char *method, const char *locator, double want,
                int gate)
{
  counts c = {0};
  const brink_guard_def g = {.name = "edge", .state = 0, .level = p->level};
  const brink_event_def e = {.name = "end", .dir = p->dir, .side = BRINK_BEFORE};
  const brink_mode_def mode = {.name = "m",
                               .n = 1,
                               .rhs = p->rhs,
                               .guards = &g,
                               .n_guards = 1,
                               .events = &e,
                               .n_events = 1};
  const brink_model_def def = {.modes = &mode, .n_modes = 1, .user = &c};
  brink_sim_opts opt = brink_sim_defaults();

  opt.method = method;
  opt.locator = locator;
  opt.rtol = 1e-8;
  opt.gate = gate;
  if (strcmp(method, "rk4") == 0)
    opt.h0 = 1e-3;
  rig r = rig_new(&def, &opt, 0, 0, &p->x0);
  brink_status s = brink_sim_run(r.sim, 10);
  brink_sim_stats st = brink_sim_statistics(r.sim);
  if (!gate) {
    /* without the gate f is called outside, and the counter counts */
    assert_true(c.outside > 0);
    assert_int_equal(st.work.outside_evals, c.outside);
    rig_free(&r);
    return;
  }
  if (s != BRINK_TERMINATED)
    print_error("%s, %s, %s: %s\n", p->name, method, locator,
                brink_sim_error(r.sim)->text);
  check_status(s, BRINK_TERMINATED);
  assert_int_equal(c.outside, 0);
  assert_int_equal(st.work.outside_evals, 0);
  /* a fixed step has no error control: all one may ask is that it stops near */
  double tol = strcmp(method, "rk4") == 0    ? 1e-3
               : strcmp(method, "bs23") == 0 ? 4 * sqrt(1e-11) /* x is known to atol */
                                             : p->tol;
  if (!(fabs(brink_sim_time(r.sim) - want) <= tol))
    print_error("%s, %s, %s\n", p->name, method, locator);
  check_near(brink_sim_time(r.sim), want, tol);
  assert_int_equal(rig_events(&r), 1);
  assert_int_equal(rig_event(&r, 0).side, BRINK_BEFORE);
  double x = rig_event(&r, 0).y_before[0];
  assert_true(p->dir == BRINK_UP ? x <= p->level : x >= p->level);
  rig_free(&r);
}

static void f_is_never_called_where_it_does_not_exist(void **state)
{
  (void)state;
  for (size_t i = 0; i < 4; i++) {
    double want = i == 0 || i == 2 ? problems[i].t_end : end_time(&problems[i]);
    EACH_PLAIN_METHOD (m) {
      run(&problems[i], brink_method_name(m), "isolate", want, 1);
      run(&problems[i], brink_method_name(m), "extrapolate", want, 1);
      run(&problems[i], brink_method_name(m), "extra-state", want, 1);
    }
  }
}

static void the_counter_can_count(void **state)
{
  (void)state;
  run(&problems[3], "dopri5", "isolate", 0, 0);
}

/* a quarter plane: f does not exist where x > 0.7 and y > 0.4 */
static int spiral(double t, const double *y, double *f, const brink_env *e)
{
  counts *c = e->user;

  (void)t;
  c->calls++;
  c->outside += y[0] > 0.7 && y[1] > 0.4;
  f[0] = -2 * y[1] + 0.1 * y[0];
  f[1] = 2 * y[0] + 0.1 * y[1];
  return 0;
}

static void a_combination_is_one_unilateral_event(void **state)
{
  counts c = {0};
  const int both[] = {0, 1, BRINK_AND, BRINK_COND_END};
  const brink_guard_def g[] = {{.name = "x", .state = 0, .level = 0.7},
                               {.name = "y", .state = 1, .level = 0.4}};
  const brink_event_def e = {
      .name = "corner", .cond = both, .dir = BRINK_UP, .side = BRINK_BEFORE};
  const brink_mode_def mode = {.name = "m",
                               .n = 2,
                               .rhs = spiral,
                               .guards = g,
                               .n_guards = 2,
                               .events = &e,
                               .n_events = 1};
  const brink_model_def def = {.modes = &mode, .n_modes = 1, .user = &c};
  const double y0[] = {0.6, 0};
  brink_sim_opts opt = brink_sim_defaults();

  (void)state;
  opt.rtol = 1e-10;
  EACH_PLAIN_METHOD (m) {
    if (strcmp(brink_method_name(m), "rk4") == 0)
      continue;
    opt.method = brink_method_name(m);
    c = (counts){0};
    rig r = rig_new(&def, &opt, 0, 0, y0);
    check_status(brink_sim_run(r.sim, 20), BRINK_TERMINATED);
    assert_int_equal(c.outside, 0);

    /* r = 0.6 exp(0.1 t), angle 2 t: the first time both hold */
    double t = 0;
    for (long i = 0; i < 20000000; i++) {
      t = 1e-6 * (double)i;
      double q = 0.6 * exp(0.1 * t);
      if (q * cos(2 * t) > 0.7 && q * sin(2 * t) > 0.4)
        break;
    }
    check_near(brink_sim_time(r.sim), t, 1.1e-6);
    rig_free(&r);
  }
}

static int refill(brink_jump *j)
{
  j->y[0] = 0.81;
  return 0;
}

static void a_jump_at_a_unilateral_event_goes_on(void **state)
{
  counts c = {0};
  const brink_guard_def g = {.name = "edge", .state = 0};
  const brink_event_def e = {
      .name = "empty", .dir = BRINK_DOWN, .side = BRINK_BEFORE, .jump = refill};
  const brink_mode_def mode = {.name = "m",
                               .n = 1,
                               .rhs = drain,
                               .guards = &g,
                               .n_guards = 1,
                               .events = &e,
                               .n_events = 1};
  const brink_model_def def = {.modes = &mode, .n_modes = 1, .user = &c};
  const double y0 = 0.81;
  brink_sim_opts opt = brink_sim_defaults();

  (void)state;
  opt.rtol = 1e-9;
  rig r = rig_new(&def, &opt, 0.37, 0, &y0);
  check_status(brink_sim_run(r.sim, 10), BRINK_END);
  assert_int_equal(rig_events(&r), 5); /* every 1.8 */
  for (size_t k = 0; k < 5; k++)
    check_near(rig_event(&r, k).t, 0.37 + 1.8 * (double)(k + 1), 1e-6);
  assert_int_equal(c.outside, 0);
  rig_free(&r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(f_is_never_called_where_it_does_not_exist),
      cmocka_unit_test(the_counter_can_count),
      cmocka_unit_test(a_combination_is_one_unilateral_event),
      cmocka_unit_test(a_jump_at_a_unilateral_event_goes_on),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
