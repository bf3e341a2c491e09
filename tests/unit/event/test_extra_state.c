/* Guards that are predicted as states of their own, z' = dg/dt: the formula, what it
 * rests on, that nothing is evaluated ahead, and the way back in time.
 */
#include "hybrid.h"

#include <math.h>
#include <string.h>

#include "hybrid/sim.h"
#include "plain_methods.h"

/* x' = v, v' = -x from x = 1 on: x = cos t, v = -sin t */
static int swing(double t, const double *y, double *f, const brink_env *e)
{
  (void)t, (void)e;
  f[0] = y[1];
  f[1] = -y[0];
  return 0;
}

static double wave(double t, const double *y, int k, const brink_env *e)
{
  (void)k, (void)e;
  return exp(0.4 * y[0]) + 0.3 * sin(2 * y[1] + t);
}

static double wave_rate(double t, const double *y, const double *f, int k,
                        const brink_env *e)
{
  (void)k, (void)e;
  return 0.4 * f[0] * exp(0.4 * y[0]) + 0.3 * (2 * f[1] + 1) * cos(2 * y[1] + t);
}

/* Has no value before 0.65, resp. never. */
static double late(double t, const double *y, int k, const brink_env *e)
{
  return t < 0.65 ? nan("") : wave(t, y, k, e);
}

static double never(double t, const double *y, int k, const brink_env *e)
{
  (void)t, (void)y, (void)k, (void)e;
  return nan("");
}

enum { BY_RATE, BY_DIFFERENCES, IS_STATE, LATE, NEVER, GUARDS };
static const brink_guard_def guards[GUARDS] = {
    {.name = "rate", .fn = wave, .rate = wave_rate},
    {.name = "differences", .fn = wave},
    {.name = "state", .state = 0, .level = 0.5},
    {.name = "late", .fn = late},
    {.name = "never", .fn = never, .rate = wave_rate}};
static const brink_mode_def mode = {
    .name = "swing", .n = 2, .rhs = swing, .guards = guards, .n_guards = GUARDS};
static const double y0[] = {1, 0};
static const brink_model_def def = {.name = "swing", .modes = &mode, .n_modes = 1};

/* ------------------------------------------------------------- formula --- */

/* The solution from t on as a step of length h: its Taylor polynomial. */
static brink_step taylor_step(double t, double h, int degree, double *c)
{
  double scale = 1, right = acos(0.0);

  for (int k = 0; k <= degree; k++, scale *= h / k) {
    c[k] = scale * cos(t + k * right);
    c[degree + 1 + k] = scale * -sin(t + k * right);
  }
  return (brink_step){t, h, t + h, 2, degree, c};
}

enum { EXACT = 15 }; /* degree of a step that is exact */

/* A polynomial of degree n has n slopes: what is predicted has an error of h^(n + 1).
 */
static void the_error_has_the_order_of_the_slopes(void **state)
{
  rig r = rig_new(&def, NULL, 0, 0, y0);
  brink__guards *g = &r.sim->regime->guards;

  (void)state;
  for (int k = BY_RATE; k <= BY_DIFFERENCES; k++)
    for (int n = 1; n <= 4; n++) {
      double error[2];
      for (int i = 0; i < 2; i++) {
        double h = i ? 0.02 : 0.04, b[64], a[64], y[2];
        brink_step last = taylor_step(0.7 - 0.8 * h, 0.8 * h, n, b),
                   ahead = taylor_step(0.7, h, EXACT, a);
        brink__poly p;
        assert_true(brink__guard_extra_state(g, k, &last, &ahead, &p));
        assert_int_equal(p.degree, n);
        brink_step_at(&ahead, 0, y);
        check_near(brink__poly_eval(&p, 0), wave(0.7, y, k, NULL), 1e-15);
        check_in(p.delta, 1e-16, 1e-14);
        brink_step_at(&ahead, 1, y);
        error[i] = fabs(brink__poly_eval(&p, 1) - wave(0.7 + h, y, k, NULL));
      }
      print_message("%s, %d slopes: error %.1e, %.1e, order %.2f\n", guards[k].name, n,
                    error[0], error[1], log2(error[0] / error[1]));
      check_near(log2(error[0] / error[1]), n + 1, 0.4);
    }
  rig_free(&r);
}

/* Two slopes at a distance of h_k: eq. (15) with the coefficients of example 2.8, 1 +
 * h/(2 h_k) and -h/(2 h_k). */
static void two_slopes_are_the_formula_of_the_paper(void **state)
{
  rig r = rig_new(&def, NULL, 0, 0, y0);
  double b[64], a[64], before = 0.13, h = 0.1, y[2], f[2], rate[2];
  brink_step last = taylor_step(0.7 - before, before, 2, b),
             ahead = taylor_step(0.7, h, EXACT, a);
  brink__poly p;

  (void)state;
  assert_true(
      brink__guard_extra_state(&r.sim->regime->guards, BY_RATE, &last, &ahead, &p));
  for (int i = 0; i < 2; i++) {
    brink_step_at(&last, i, y);
    brink_step_slope(&last, i, f);
    rate[i] = wave_rate(last.t0 + i * before, y, f, 0, NULL);
  }
  brink_step_at(&ahead, 0, y);
  for (double s = 0; s <= 1; s += 0.25) {
    double d = s * h, part = d / (2 * before);
    check_near(brink__poly_eval(&p, s),
               wave(0.7, y, 0, NULL) + d * ((1 + part) * rate[1] - part * rate[0]),
               1e-14);
  }
  rig_free(&r);
}

/* Slopes of a short step tell little about a long one. */
static void a_long_step_behind_a_short_one_has_few_slopes(void **state)
{
  rig r = rig_new(&def, NULL, 0, 0, y0);

  (void)state;
  for (double rho = 1; rho < 1e9; rho *= 10) {
    double b[64], a[64], h = 0.1, y[2];
    brink_step last = taylor_step(0.7 - h / rho, h / rho, EXACT, b),
               ahead = taylor_step(0.7, h, EXACT, a);
    brink__poly p;
    assert_true(
        brink__guard_extra_state(&r.sim->regime->guards, BY_RATE, &last, &ahead, &p));
    brink_step_at(&ahead, 1, y);
    double error = brink__poly_eval(&p, 1) - wave(0.7 + h, y, 0, NULL);
    print_message("%.0e times the last step: %d slopes, error %.1e\n", rho, p.degree,
                  error);
    check_near(error, 0, rho > 1e3 ? 3e-3 : 1e-6);
  }
  rig_free(&r);
}

/* A state has its own prediction; without a step, rates or a value there is none. */
static void where_nothing_is_known_behind_nothing_is_predicted(void **state)
{
  rig r = rig_new(&def, NULL, 0.7, 0, y0);
  double b[64], a[64];
  brink_step last = taylor_step(0.6, 0.1, 5, b), ahead = taylor_step(0.7, 0.1, 5, a);
  brink__guards *g = &r.sim->regime->guards;
  brink__poly p;

  (void)state;
  assert_true(brink__guard_extra_state(g, BY_RATE, &last, &ahead, &p));
  assert_false(brink__guard_extra_state(g, BY_RATE, NULL, &ahead, &p));
  assert_false(brink__guard_extra_state(g, IS_STATE, &last, &ahead, &p));
  assert_false(brink__guard_extra_state(g, LATE, &last, &ahead, &p));
  assert_false(brink__guard_extra_state(g, NEVER, &last, &ahead, &p));
  rig_free(&r);
}

/* ------------------------------------------------------------ one side --- */

typedef struct counts {
  long f_beyond, rates, rates_beyond;
} counts;

/* x' = -sqrt(x) - 0.1 t until x has fallen to 1/4; f does not exist beyond. */
static int sink(double t, const double *y, double *f, const brink_env *e)
{
  ((counts *)e->user)->f_beyond += y[0] < 0.25;
  f[0] = -sqrt(y[0]) - 0.1 * t;
  return 0;
}

static double edge(double t, const double *y, int k, const brink_env *e)
{
  (void)t, (void)k, (void)e;
  return log(4 * y[0]);
}

static double edge_rate(double t, const double *y, const double *f, int k,
                        const brink_env *e)
{
  (void)t, (void)k;
  ((counts *)e->user)->rates++;
  ((counts *)e->user)->rates_beyond += y[0] < 0.25;
  return f[0] / y[0];
}

static counts sink_to_the_edge(const char *method, const char *locator, double *t)
{
  static const brink_guard_def g = {.name = "edge", .fn = edge, .rate = edge_rate};
  static const brink_event_def e = {
      .name = "end", .dir = BRINK_DOWN, .side = BRINK_BEFORE};
  static const brink_mode_def m = {.name = "sink",
                                   .n = 1,
                                   .rhs = sink,
                                   .guards = &g,
                                   .n_guards = 1,
                                   .events = &e,
                                   .n_events = 1};
  static const double x0[] = {4};
  counts c = {0};
  const brink_model_def model = {.name = "sink", .modes = &m, .n_modes = 1, .user = &c};
  brink_sim_opts opt = brink_sim_defaults();

  opt.method = method;
  opt.locator = locator;
  opt.rtol = 1e-8;
  opt.h0 = strcmp(method, "rk4") == 0 ? 0.01 : 0;
  rig r = rig_new(&model, &opt, 0, 0, x0);
  brink_status rc = brink_sim_run(r.sim, 10);
  if (rc != BRINK_TERMINATED)
    print_error("%s, %s: %s\n", method, locator, brink_sim_error(r.sim)->text);
  check_status(rc, BRINK_TERMINATED);
  assert_int_equal(brink_sim_statistics(r.sim).work.outside_evals, 0);
  *t = brink_sim_time(r.sim);
  rig_free(&r);
  return c;
}

/* The prediction rests on what lies behind: no rate is asked for at states beyond. */
static void nothing_is_asked_beyond(void **state)
{
  double exact, t;

  (void)state;
  sink_to_the_edge("dop853", "isolate", &exact);
  EACH_PLAIN_METHOD (m) {
    counts c = sink_to_the_edge(brink_method_name(m), "extra-state", &t);
    print_message("%s: off by %.1e, %ld rates\n", brink_method_name(m), fabs(t - exact),
                  c.rates);
    check_near(t, exact, brink_method_order(m) < 5 ? 1e-5 : 1e-7);
    assert_int_equal(c.f_beyond, 0);
    assert_int_equal(c.rates_beyond, 0);
    assert_true(c.rates > 0);
  }
}

/* The same as text, which differentiates its guard itself, with every method. */
static void a_text_stops_at_the_edge(void **state)
{
  static const char text[] = "model Sink\n"
                             "  Real x(start = 4, fixed = true);\n"
                             "equation\n"
                             "  der(x) = -sqrt(x) - 0.1*time;\n"
                             "  when log(4*x) < 0 then\n"
                             "    terminate(\"the edge\");\n"
                             "  end when annotation(__brink(side = \"before\"));\n"
                             "end Sink;\n";
  double exact;

  (void)state;
  sink_to_the_edge("dop853", "isolate", &exact);
  for (int m = 0; brink_method_name(m); m++) {
    if (owns_its_steps(m))
      continue;
    brink_sim_opts opt = brink_sim_defaults();
    rig r = {0};
    opt.method = brink_method_name(m);
    opt.locator = "extra-state";
    opt.rtol = 1e-8;
    opt.h0 = brink_method_fixed_step(m) ? 0.01 : 0;
    check_status(brink_ctx_new(NULL, &r.ctx), BRINK_OK);
    check_status(
        brink_model_read(r.ctx, "sink.mo", text, sizeof text - 1, NULL, &r.model),
        BRINK_OK);
    check_status(brink_sim_new(r.ctx, r.model, &opt, &r.sim), BRINK_OK);
    check_status(brink_sim_start(r.sim, 0, 0, NULL), BRINK_OK);
    check_status(brink_sim_run(r.sim, 10), BRINK_TERMINATED);
    assert_int_equal(brink_sim_statistics(r.sim).work.outside_evals, 0);
    check_near(brink_sim_time(r.sim), exact, brink_method_order(m) < 5 ? 1e-5 : 1e-7);
    assert_string_equal(rig_event(&r, 0).located_by, opt.locator);
    rig_free(&r);
  }
}

/* --------------------------------------------------------------- back --- */

static int back_swing(double t, const double *y, double *f, const brink_env *e)
{
  swing(-t, y, f, e);
  f[0] = -f[0];
  f[1] = -f[1];
  return 0;
}

static double back_wave(double t, const double *y, int k, const brink_env *e)
{
  return wave(-t, y, k, e) - 0.75;
}

static double shifted_wave(double t, const double *y, int k, const brink_env *e)
{
  return wave(t, y, k, e) - 0.75;
}

static double back_wave_rate(double t, const double *y, const double *f, int k,
                             const brink_env *e)
{
  double own[] = {-f[0], -f[1]};

  if (e->user)
    ((counts *)e->user)->rates++;
  return -wave_rate(-t, y, own, k, e);
}

static double counted_wave_rate(double t, const double *y, const double *f, int k,
                                const brink_env *e)
{
  if (e->user)
    ((counts *)e->user)->rates++;
  return wave_rate(t, y, f, k, e);
}

static brink_sim_stats to_the_event(int mirrored, const char *method, counts *c,
                                    double *t)
{
  const brink_guard_def g = {.name = "wave",
                             .fn = mirrored ? back_wave : shifted_wave,
                             .rate = mirrored ? back_wave_rate : counted_wave_rate};
  const brink_event_def e = {.name = "hit", .terminal = 1};
  const brink_mode_def m = {.name = "swing",
                            .n = 2,
                            .rhs = mirrored ? back_swing : swing,
                            .guards = &g,
                            .n_guards = 1,
                            .events = &e,
                            .n_events = 1};
  const brink_model_def model = {.name = "swing", .modes = &m, .n_modes = 1, .user = c};
  brink_sim_opts opt = brink_sim_defaults();

  opt.method = method;
  opt.locator = "extra-state";
  opt.h0 = strcmp(method, "rk4") == 0 ? 0.05 : 0;
  rig r = rig_new(&model, &opt, 0, 0, y0);
  check_status(brink_sim_run(r.sim, mirrored ? 20 : -20),
               mirrored ? BRINK_TERMINATED : BRINK_IRREVERSIBLE);
  *t = brink_sim_time(r.sim);
  brink_sim_stats s = brink_sim_statistics(r.sim);
  rig_free(&r);
  return s;
}

/* A run that goes back is a run of the mirrored model, step by step: the user's dg/dt
 * changes its sign. */
static void the_way_back_is_that_of_the_mirrored_model(void **state)
{
  (void)state;
  EACH_PLAIN_METHOD (m) {
    counts back = {0}, ahead = {0};
    double t_back, t_ahead;
    brink_sim_stats a = to_the_event(0, brink_method_name(m), &back, &t_back),
                    b = to_the_event(1, brink_method_name(m), &ahead, &t_ahead);
    assert_true(back.rates > 0);
    assert_int_equal(back.rates, ahead.rates);
    assert_int_equal(a.work.f_evals, b.work.f_evals);
    assert_int_equal(a.work.steps, b.work.steps);
    check_near(t_back, -t_ahead, 0);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_error_has_the_order_of_the_slopes),
      cmocka_unit_test(two_slopes_are_the_formula_of_the_paper),
      cmocka_unit_test(where_nothing_is_known_behind_nothing_is_predicted),
      cmocka_unit_test(a_long_step_behind_a_short_one_has_few_slopes),
      cmocka_unit_test(nothing_is_asked_beyond),
      cmocka_unit_test(a_text_stops_at_the_edge),
      cmocka_unit_test(the_way_back_is_that_of_the_mirrored_model),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
