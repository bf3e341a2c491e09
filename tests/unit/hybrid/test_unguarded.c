/* test_unguarded.c -- jumps and kinks inside f that no guard announces: found, crossed,
 * reported; and nothing is found where f is smooth.
 *
 * Each problem is run twice: with its switches as modes and guards, and with one
 * right-hand side that decides for itself.  Ends of the relay, kink, friction and clock
 * problems are closed forms; of the saturations, the run with guards at 1e-13.
 */
#include "hybrid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ode/method.h"
#include "problems.h"

enum { LOW, MID, HIGH, ASK };

typedef struct hidden {
  const char *name;
  double (*force)(double t, const double *y, int law); /* y[1]'                    */
  double (*drift)(double t, const double *y);          /* y[0]'; NULL: y[1]        */
  double (*guard)(double t, const double *y, int k);   /* NULL: the clock's timers */
  int levels;                                          /* guards: 1 or 2           */
  double y0[2], t_end;
  int start; /* law at the start */
  double end[2];
  int kinks; /* f is continuous  */
} hidden;

static double sign(double x) { return x > 0 ? 1 : -1; }

static double clip(double x) { return x > 1 ? 1 : x < -1 ? -1 : x; }

static double choose(int law, double asked) { return law == ASK ? asked : law - 1.0; }

/* clip, with the branch given */
static double limited(int law, double x)
{
  return law == ASK ? clip(x) : law == MID ? x : law - 1.0;
}

/* ----------------------------------------------------------- problems ---- */

static double relay(double t, const double *y, int law)
{
  return -1.7 * choose(law, sign(y[0] - 0.01 * y[1])) - 0.2 * y[1] + 0.3 * sin(1.3 * t);
}
static double relay_guard(double t, const double *y, int k)
{
  (void)t, (void)k;
  return y[0] - 0.01 * y[1];
}

static double parabola(double t, const double *y, int law)
{
  (void)t;
  return -choose(law, sign(y[0]));
}
static double bend(double t, const double *y, int law)
{
  (void)t;
  return -y[0] - 0.5 * choose(law, sign(y[0])) * y[0];
}
static double height(double t, const double *y, int k)
{
  (void)t, (void)k;
  return y[0];
}

static double friction(double t, const double *y, int law)
{
  (void)t;
  return -y[0] - 0.15 * choose(law, sign(y[1]));
}
static double speed(double t, const double *y, int k)
{
  (void)t, (void)k;
  return y[1];
}

static double clocked(double t, const double *y, int law)
{
  int on = law == ASK ? fmod(t, 3.3) < 1.45 : law == HIGH;
  return -y[0] + (on ? 1 : -0.5);
}

static double spring(double t, const double *y, int law)
{
  (void)t;
  return -4 * limited(law, y[0]) - 0.05 * y[1];
}
static double spring_guard(double t, const double *y, int k)
{
  (void)t;
  return k ? y[0] + 1 : y[0] - 1;
}

static double driven(double t, const double *y, int law)
{
  return -y[0] - 0.2 * y[1] + limited(law, 1.5 * sin(1.1 * t));
}
static double driven_guard(double t, const double *y, int k)
{
  (void)y;
  return 1.5 * sin(1.1 * t) + (k ? 1 : -1);
}

/* two tanks; the valve of the second opens by the level of the first */
static double inflow(double t, const double *y)
{
  return 0.3 + 0.2 * sin(0.7 * t) - 0.4 * sqrt(y[0]);
}
static double valve(double t, const double *y, int law)
{
  (void)t;
  return 0.4 * sqrt(y[0]) - (0.35 + 0.1 * choose(law, sign(y[0] - 0.6))) * sqrt(y[1]);
}
static double level(double t, const double *y, int k)
{
  (void)t, (void)k;
  return y[0] - 0.6;
}

/* a double integrator under a limited controller, disturbed */
static double feedback(double t, const double *y, int law)
{
  return -limited(law, 2.1 * y[0] + 1.4 * y[1]) + 0.8 * sin(0.9 * t);
}
static double feedback_guard(double t, const double *y, int k)
{
  (void)t;
  return 2.1 * y[0] + 1.4 * y[1] + (k ? 1 : -1);
}

#define NONE                                                                           \
  {                                                                                    \
    (double)NAN, (double)NAN                                                           \
  }
static const hidden problems[] = {
    {.name = "relay",
     .force = relay,
     .guard = relay_guard,
     .levels = 1,
     .y0 = {1, 0.3},
     .t_end = 12,
     .start = HIGH,
     .end = NONE},
    {.name = "friction",
     .force = friction,
     .guard = speed,
     .levels = 1,
     .y0 = {3, 0},
     .t_end = 19.3,
     .start = LOW,
     .end = NONE},
    {.name = "clock",
     .force = clocked,
     .y0 = {1, 0.2},
     .t_end = 12,
     .start = HIGH,
     .end = {0.68445628964372, 1.59481817945586}},
    {.name = "tank",
     .force = valve,
     .drift = inflow,
     .guard = level,
     .levels = 1,
     .y0 = {0.31, 0.83},
     .t_end = 60,
     .start = LOW,
     .end = NONE},
    {.name = "bend",
     .force = bend,
     .guard = height,
     .levels = 1,
     .y0 = {1, 0},
     .t_end = 12,
     .start = HIGH,
     .end = {-0.858520933397, 1.063706211066},
     .kinks = 1},
    {.name = "saturated spring",
     .force = spring,
     .guard = spring_guard,
     .levels = 2,
     .y0 = {2.3, 0},
     .t_end = 15,
     .start = HIGH,
     .end = NONE,
     .kinks = 1},
    {.name = "saturated input",
     .force = driven,
     .guard = driven_guard,
     .levels = 2,
     .y0 = {0.3, 0.1},
     .t_end = 12,
     .start = MID,
     .end = NONE,
     .kinks = 1},
    {.name = "saturated feedback",
     .force = feedback,
     .guard = feedback_guard,
     .levels = 2,
     .y0 = {0.7, 0.4},
     .t_end = 25,
     .start = HIGH,
     .end = NONE,
     .kinks = 1},
};

/* -------------------------------------------------------------- models ---- */

static int rhs(double t, const double *y, double *f, const brink_env *e)
{
  const hidden *p = e->user;
  f[0] = p->drift ? p->drift(t, y) : y[1];
  f[1] = p->force(t, y, e->mode);
  return 0;
}
static int rhs_ask(double t, const double *y, double *f, const brink_env *e)
{
  const hidden *p = e->user;
  f[0] = p->drift ? p->drift(t, y) : y[1];
  f[1] = p->force(t, y, ASK);
  return 0;
}
static double guard(double t, const double *y, int k, const brink_env *e)
{
  return ((const hidden *)e->user)->guard(t, y, k);
}
static int go_low(brink_jump *j)
{
  j->mode = LOW;
  return 0;
}
static int go_mid(brink_jump *j)
{
  j->mode = MID;
  return 0;
}
static int go_high(brink_jump *j)
{
  j->mode = HIGH;
  return 0;
}
static double clock_on(double t, const double *y, const brink_env *e)
{
  (void)y, (void)e;
  return 3.3 * (floor(t / 3.3 + 1e-9) + 1);
}
static double clock_off(double t, const double *y, const brink_env *e)
{
  (void)y, (void)e;
  return 3.3 * (floor((t - 1.45) / 3.3 + 1e-9) + 1) + 1.45;
}

static const brink_guard_def guards[] = {{.name = "upper", .fn = guard},
                                         {.name = "lower", .fn = guard}};
static const brink_event_def two[] = {
    {.name = "up", .guard = 0, .dir = BRINK_UP, .jump = go_high},
    {.name = "down", .guard = 0, .dir = BRINK_DOWN, .jump = go_low}};
static const brink_event_def three[] = {
    {.name = "into the middle", .guard = 1, .dir = BRINK_UP, .jump = go_mid},
    {.name = "up", .guard = 0, .dir = BRINK_UP, .jump = go_high},
    {.name = "down", .guard = 1, .dir = BRINK_DOWN, .jump = go_low},
    {.name = "back", .guard = 0, .dir = BRINK_DOWN, .jump = go_mid}};
static const brink_timer_def timers[] = {
    {.name = "on", .next = clock_on, .jump = go_high},
    {.name = "off", .next = clock_off, .jump = go_low}};
#define MODE(title, law, g, ng, e, ne)                                                 \
  {                                                                                    \
    .name = title, .n = 2, .rhs = law, .guards = g, .n_guards = ng, .events = e,       \
    .n_events = ne                                                                     \
  }
static const brink_mode_def with_two[] = {MODE("low", rhs, guards, 1, &two[0], 1),
                                          MODE("-", rhs, NULL, 0, NULL, 0),
                                          MODE("high", rhs, guards, 1, &two[1], 1)};
static const brink_mode_def with_three[] = {MODE("low", rhs, guards, 2, &three[0], 1),
                                            MODE("mid", rhs, guards, 2, &three[1], 2),
                                            MODE("high", rhs, guards, 2, &three[3], 1)};
static const brink_mode_def with_clock[] = {MODE("low", rhs, NULL, 0, NULL, 0),
                                            MODE("-", rhs, NULL, 0, NULL, 0),
                                            MODE("high", rhs, NULL, 0, NULL, 0)};
static const brink_mode_def alone[] = {MODE("all", rhs_ask, NULL, 0, NULL, 0)};

typedef struct result {
  double y[2];
  long f, events, unguarded, looks;
} result;

static result run(const hidden *p, int guarded, const char *method, double tol)
{
  const hidden copy = *p;
  brink_model_def def = {.modes = alone, .n_modes = 1};
  brink_sim_opts opt = brink_sim_defaults();

  if (guarded) {
    def.modes = p->levels == 2 ? with_three : p->levels == 1 ? with_two : with_clock;
    def.n_modes = 3;
    def.timers = p->levels ? NULL : timers;
    def.n_timers = p->levels ? 0 : 2;
  }
  memcpy(&def.user, &(const hidden *){&copy}, sizeof def.user);
  opt.method = method;
  opt.rtol = opt.atol = tol;
  opt.max_steps = 100000;
  rig r = rig_new(&def, &opt, 0, guarded ? p->start : 0, p->y0);
  check_status(brink_sim_run(r.sim, p->t_end), BRINK_END);
  brink_sim_stats s = brink_sim_statistics(r.sim);
  const double *y = brink_sim_state(r.sim);
  result out = {{y[0], y[1]}, s.work.f_evals, s.events, s.work.unguarded,
                s.work.look_evals};
  rig_free(&r);
  return out;
}

static double off(const result *r, const double *want)
{
  return fmax(fabs(r->y[0] - want[0]), fabs(r->y[1] - want[1]));
}

/* -------------------------------------------------------------- claims ---- */

/* How much more than with guards: error (over the larger of that and the tolerance) and
 * evaluations of f; and how many places may be missed, or found twice. */
typedef struct allowance {
  double error, f;
  long missed, kinks_missed;
} allowance;

static void compare(const hidden *p, const char *method, double tol, allowance most)
{
  result ref = run(p, 1, "dop853", 1e-13);
  const double *want = isnan(p->end[0]) ? ref.y : p->end;
  result a = run(p, 1, method, tol), b = run(p, 0, method, tol);
  double more = off(&b, want) / fmax(off(&a, want), tol), f = (double)b.f / (double)a.f;
  long missed = labs(a.events - b.unguarded);

  print_message("%-7s %.0e  %-18s guards: error %.1e, %4ld f;  none: error %.1e, "
                "%4ld f (%.2f), %3ld of them to look, found %ld of %ld\n",
                method, tol, p->name, off(&a, want), a.f, off(&b, want), b.f, f, b.looks,
                b.unguarded, a.events);
  check_in(more, 0, most.error);
  check_in(f, 0, most.f);
  check_in((double)missed, 0, (double)(p->kinks ? most.kinks_missed : most.missed));
}

static void compare_all(const char *method, double tol, allowance most)
{
  for (size_t i = 0; i < sizeof problems / sizeof problems[0]; i++)
    compare(&problems[i], method, tol, most);
}

/* A jump takes one evaluation for each bit of its place, log2(h [f] / tol) of them, and
 * the step across it must be rejected once: at 1e-4 that is as much as dopri5 needs from
 * one jump of the relay to the next, and twice as much as dop853 needs. */
static void dopri5_is_as_accurate_as_with_guards(void **state)
{
  (void)state;
  compare_all("dopri5", 1e-4, (allowance){15, 2.1, 1, 5});
  compare_all("dopri5", 1e-5, (allowance){12, 2.15, 0, 2});
  compare_all("dopri5", 1e-6, (allowance){4, 2, 0, 1});
  for (int k = 7; k <= 12; k++)
    compare_all("dopri5", pow(10, -k), (allowance){4, 1.8, 0, 1});
}

static void dop853_is_as_accurate_as_with_guards(void **state)
{
  (void)state;
  compare_all("dop853", 1e-4, (allowance){8, 2.7, 1, 5});
  compare_all("dop853", 1e-5, (allowance){6, 2.5, 0, 4});
  compare_all("dop853", 1e-6, (allowance){10, 2.4, 0, 2});
  compare_all("dop853", 1e-7, (allowance){4.5, 2.15, 0, 1});
  for (int k = 8; k <= 12; k++)
    compare_all("dop853", pow(10, -k), (allowance){4.5, 2, 0, 1});
}

static void every_adaptive_method_finds_them(void **state)
{
  (void)state;
  for (int i = 0; brink_method_name(i); i++) {
    const brink_method *m = brink__method_find(brink_method_name(i));
    if (!(m->flags & BRINK__FIXED_STEP))
      compare_all(m->name, m->order < 4 ? 1e-7 : 1e-9, (allowance){20, 3, 0, 1});
  }
}

static void events_are_where_f_jumps(void **state)
{
  /* x'' = -sign x from (1, 0.3): zeros by hand */
  static const hidden p = {.name = "parabola", .force = parabola, .y0 = {1, 0.3}};
  const hidden copy = p;
  brink_model_def def = {.modes = alone, .n_modes = 1};
  brink_sim_opts opt = brink_sim_defaults();
  double v = sqrt(0.3 * 0.3 + 2), t = 0.3 + v;

  (void)state;
  memcpy(&def.user, &(const hidden *){&copy}, sizeof def.user);
  opt.rtol = opt.atol = 1e-11;
  rig r = rig_new(&def, &opt, 0, 0, p.y0);
  check_status(brink_sim_run(r.sim, 12), BRINK_END);
  assert_int_equal(rig_events(&r), 4);
  for (size_t k = 0; k < 4; k++, t += 2 * v) {
    brink_event e = rig_event(&r, k);
    assert_int_equal(e.kind, BRINK_KIND_UNGUARDED);
    assert_string_equal(e.name, "unguarded");
    assert_string_equal(e.located_by, "defect");
    check_near(e.t, t, 1e-10);
    check_in(e.width, 0, 1e-11);
    check_near(e.y_before[0], 0, 1e-10);
    check_near(fabs(e.y_before[1]), v, 1e-10);
    assert_int_equal(e.index, -1);
  }
  rig_free(&r);
}

/* ------------------------------------------------------ smooth problems ---- */

static int brusselator(double t, const double *y, double *f, void *user)
{
  (void)t, (void)user;
  f[0] = 1 + y[0] * y[0] * y[1] - 4 * y[0];
  f[1] = 3 * y[0] - y[0] * y[0] * y[1];
  return 0;
}

static long found(size_t n, brink_ivp_fn *f, void *user, const double *y0, double t1,
                  const char *method, double tol)
{
  brink_ctx *ctx = NULL;
  brink_integrator *it = NULL;
  brink_integrator_opts o = brink_integrator_defaults();
  brink_ivp ivp = {n, f, user};
  brink_status rc;
  brink_step step;

  o.method = method;
  o.rtol = o.atol = tol;
  check_status(brink_ctx_new(NULL, &ctx), BRINK_OK);
  check_status(brink_integrator_new(ctx, &ivp, &o, &it), BRINK_OK);
  check_status(brink_integrator_start(it, 0, y0), BRINK_OK);
  do
    rc = brink_integrator_advance(it, t1, &step);
  while (rc == BRINK_OK || rc == BRINK_STIFF);
  check_status(rc, BRINK_END);
  brink_work w = brink_integrator_work(it);
  assert_true(w.steps > 20);
  brink_integrator_free(it);
  brink_ctx_free(ctx);
  return w.unguarded;
}

static void smooth_problems_have_none(void **state)
{
  static const double tols[] = {1e-3, 1e-5, 1e-7, 1e-9, 1e-11};
  static const double two_zero[] = {2, 0}, one_three[] = {1.5, 3};
  double mu = 10;

  (void)state;
  for (int i = 0; brink_method_name(i); i++) {
    const char *m = brink_method_name(i);
    if (brink__method_find(m)->flags & BRINK__FIXED_STEP)
      continue;
    for (size_t k = 0; k < sizeof tols / sizeof tols[0]; k++) {
      double tol = brink__method_find(m)->order < 4 ? fmax(tols[k], 1e-7) : tols[k];
      assert_int_equal(found(2, van_der_pol, &mu, two_zero, 60, m, tol), 0);
      assert_int_equal(
          found(4, arenstorf, NULL, arenstorf_start, ARENSTORF_PERIOD, m, tol), 0);
      assert_int_equal(found(28, pleiades, NULL, pleiades_start, 3, m, tol), 0);
      assert_int_equal(found(2, brusselator, NULL, one_three, 20, m, tol), 0);
    }
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(dopri5_is_as_accurate_as_with_guards),
      cmocka_unit_test(dop853_is_as_accurate_as_with_guards),
      cmocka_unit_test(every_adaptive_method_finds_them),
      cmocka_unit_test(events_are_where_f_jumps),
      cmocka_unit_test(smooth_problems_have_none),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
