/* test_unguarded.c -- jumps and kinks inside f that no guard announces: found, crossed,
 * reported; and nothing is found where f is smooth.
 *
 * Each problem is a right-hand side with one or two switches, s[k] = g_k(t, y) > 0.  It
 * is run twice: with the switches as modes, guards and events, and with a right-hand
 * side that asks g for itself.  What both should reach is the run with guards at 1e-13.
 */
#include "hybrid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ode/method.h"
#include "problems.h"

enum { MOST = 6 };

typedef struct hidden {
  const char *name;
  int n, m; /* states, switches */
  double (*g)(double t, const double *y, int k);
  void (*f)(double t, const double *y, const int *s, double *f);
  double t_end, y0[MOST];
} hidden;

/* ----------------------------------------------------------- problems ---- */

static double sign(int s) { return s ? 1 : -1; }

/* x between -1 and 1; s[0]: beyond 1, s[1]: above -1 */
static double limited(double x, const int *s) { return s[0] ? 1 : s[1] ? x : -1; }

static double at_limits(double x, int k) { return k ? x + 1 : x - 1; }

static double relay_g(double t, const double *y, int k)
{
  (void)t, (void)k;
  return y[0] - 0.01 * y[1];
}
static void relay_f(double t, const double *y, const int *s, double *f)
{
  f[0] = y[1];
  f[1] = -1.7 * sign(s[0]) - 0.2 * y[1] + 0.3 * sin(1.3 * t);
}

static double first(double t, const double *y, int k)
{
  (void)t, (void)k;
  return y[0];
}
static void bend_f(double t, const double *y, const int *s, double *f)
{
  (void)t;
  f[0] = y[1];
  f[1] = -y[0] - 0.5 * sign(s[0]) * y[0];
}

static double second(double t, const double *y, int k)
{
  (void)t, (void)k;
  return y[1];
}
static void friction_f(double t, const double *y, const int *s, double *f)
{
  (void)t;
  f[0] = y[1];
  f[1] = -y[0] - 0.15 * sign(s[0]);
}

static double slip_g(double t, const double *y, int k)
{
  (void)k;
  return y[1] - 0.7 * sin(1.1 * t);
}
static void slip_f(double t, const double *y, const int *s, double *f)
{
  f[0] = y[1];
  f[1] = -5 * y[0] - 0.3 * sign(s[0]) + 2 * cos(2.1 * t);
}

static double clock_g(double t, const double *y, int k)
{
  (void)y, (void)k;
  return sin(1.9 * t + 0.4) - 0.17;
}
static void clock_f(double t, const double *y, const int *s, double *f)
{
  (void)t;
  f[0] = y[1];
  f[1] = -y[0] + (s[0] ? 1 : -0.5);
}

static double wave_g(double t, const double *y, int k)
{
  (void)y, (void)k;
  return sin(2.3 * t) + 0.2;
}
static void wave_f(double t, const double *y, const int *s, double *f)
{
  f[0] = -y[0] + 2 * sign(s[0]) + 0.3 * cos(t);
}

static double drain_g(double t, const double *y, int k)
{
  (void)t, (void)k;
  return y[0] - 0.5;
}
static void drain_f(double t, const double *y, const int *s, double *f)
{
  (void)y;
  f[0] = cos(1.3 * t) + (s[0] ? 0.3 : 0) - 0.1;
}

/* two tanks; the valve of the second opens by the level of the first */
static double tank_g(double t, const double *y, int k)
{
  (void)t, (void)k;
  return y[0] - 0.6;
}
static void tank_f(double t, const double *y, const int *s, double *f)
{
  f[0] = 0.3 + 0.2 * sin(0.7 * t) - 0.4 * sqrt(y[0]);
  f[1] = 0.4 * sqrt(y[0]) - (0.35 + 0.1 * sign(s[0])) * sqrt(y[1]);
}

static double spring_g(double t, const double *y, int k)
{
  (void)t;
  return at_limits(y[0], k);
}
static void spring_f(double t, const double *y, const int *s, double *f)
{
  (void)t;
  f[0] = y[1];
  f[1] = -4 * limited(y[0], s) - 0.05 * y[1];
}

static double input_g(double t, const double *y, int k)
{
  (void)y;
  return at_limits(1.5 * sin(1.1 * t), k);
}
static void input_f(double t, const double *y, const int *s, double *f)
{
  f[0] = y[1];
  f[1] = -y[0] - 0.2 * y[1] + limited(1.5 * sin(1.1 * t), s);
}

/* a double integrator under a limited controller, disturbed */
static double feedback_g(double t, const double *y, int k)
{
  (void)t;
  return at_limits(2.1 * y[0] + 1.4 * y[1], k);
}
static void feedback_f(double t, const double *y, const int *s, double *f)
{
  f[0] = y[1];
  f[1] = -limited(2.1 * y[0] + 1.4 * y[1], s) + 0.8 * sin(0.9 * t);
}

/* a motor under a limited controller with integral part */
static double volts(double t, const double *y)
{
  return 3 * (2 * sin(0.8 * t) - y[0]) + 2 * y[1];
}
static double motor_g(double t, const double *y, int k)
{
  return at_limits(volts(t, y), k);
}
static void motor_f(double t, const double *y, const int *s, double *f)
{
  f[0] = -0.3 * y[0] + 1.2 * limited(volts(t, y), s) - 0.4 * sin(y[2]);
  f[1] = 2 * sin(0.8 * t) - y[0] - 0.1 * y[1];
  f[2] = y[0];
}

/* two masses that meet */
static double masses_g(double t, const double *y, int k)
{
  (void)t, (void)k;
  return y[0] - y[2] - 0.4;
}
static void masses_f(double t, const double *y, const int *s, double *f)
{
  double push = s[0] ? 30 * (y[0] - y[2] - 0.4) : 0;
  f[0] = y[1];
  f[1] = -2 * y[0] - 0.1 * y[1] - push + 0.5 * sin(1.7 * t);
  f[2] = y[3];
  f[3] = -3 * y[2] - 0.05 * y[3] + push;
}

/* a gear with play */
static double gear_g(double t, const double *y, int k)
{
  (void)t;
  return k ? y[0] - y[2] + 0.1 : y[0] - y[2] - 0.1;
}
static void gear_f(double t, const double *y, const int *s, double *f)
{
  double d = y[0] - y[2], push = s[0] ? 20 * (d - 0.1) : s[1] ? 0 : 20 * (d + 0.1);
  f[0] = y[1];
  f[1] = 1.5 * sin(1.3 * t) - 0.2 * y[1] - push;
  f[2] = y[3];
  f[3] = -0.3 * y[3] - 1.1 * y[2] + 0.5 * push;
}

/* two relays that know nothing of each other */
static double relays_g(double t, const double *y, int k)
{
  (void)t;
  return k ? y[2] - 0.05 * y[3] : y[0];
}
static void relays_f(double t, const double *y, const int *s, double *f)
{
  f[0] = y[1];
  f[1] = -y[0] - 0.4 * sign(s[0]) + 0.1 * y[2];
  f[2] = y[3];
  f[3] = -2.7 * y[2] - 0.6 * sign(s[1]) + 0.8 * sin(t);
}

/* a ball on a floor that gives; with a damper f jumps there too */
static void floor_f(double t, const double *y, const int *s, double *f)
{
  (void)t;
  f[0] = y[1];
  f[1] = -9.81 - (s[0] ? 0 : 400 * y[0]);
}
static void damped_f(double t, const double *y, const int *s, double *f)
{
  (void)t;
  f[0] = y[1];
  f[1] = -9.81 - (s[0] ? 0 : 400 * y[0] + 3 * y[1]);
}

static double rims_g(double t, const double *y, int k)
{
  (void)t;
  return k ? y[1] - 0.5 : y[0] - 1;
}
static void rims_f(double t, const double *y, const int *s, double *f)
{
  double over = s[0] ? 4 * (y[0] - 1) : 0, out = s[1] ? 0.9 * (y[1] - 0.5) : 0;
  f[0] = 0.5 + 0.9 * sin(0.6 * t) - 0.3 * y[0] - over;
  f[1] = over + 0.1 * cos(t) - out - 0.2 * y[1];
}

/* Chua's circuit */
static void chua_f(double t, const double *y, const int *s, double *f)
{
  (void)t;
  f[0] = 9 * (y[1] - y[0] + 0.714 * y[0] + 0.429 * limited(y[0], s));
  f[1] = y[0] - y[1] + y[2];
  f[2] = -14.286 * y[1];
}

/* a diode that loads a capacitor */
static double diode_g(double t, const double *y, int k)
{
  (void)k;
  return sin(3.1 * t) - y[0];
}
static void diode_f(double t, const double *y, const int *s, double *f)
{
  f[0] = (s[0] ? (sin(3.1 * t) - y[0]) / 0.12 : 0) - 0.8 * y[0] - 0.5 * (y[0] - y[1]);
  f[1] = 0.5 * (y[0] - y[1]) - 0.3 * y[1];
}

/* a chain with a hard stop and a filter */
static double stop_g(double t, const double *y, int k)
{
  (void)t, (void)k;
  return y[2] - 0.35;
}
static void stop_f(double t, const double *y, const int *s, double *f)
{
  f[0] = y[1];
  f[1] = -4 * y[0] + 2 * y[2] - 0.1 * y[1] + 1.1 * sin(1.4 * t);
  f[2] = y[3];
  f[3] = 2 * y[0] - 5 * y[2] - 0.2 * y[3] - (s[0] ? 60 * (y[2] - 0.35) + 2 * y[3] : 0);
  f[4] = y[2] - 0.5 * y[4];
}

static const hidden problems[] = {
    {"relay", 2, 1, relay_g, relay_f, 12, {1, 0.3}},
    {"friction", 2, 1, second, friction_f, 19.3, {3, -1e-3}},
    {"slip", 2, 1, slip_g, slip_f, 12, {1, 0}},
    {"clock", 2, 1, clock_g, clock_f, 12, {1, 0.2}},
    {"square wave", 1, 1, wave_g, wave_f, 14, {0.3}},
    {"drain", 1, 1, drain_g, drain_f, 20, {0.1}},
    {"tank", 2, 1, tank_g, tank_f, 60, {0.31, 0.83}},
    {"two relays", 4, 2, relays_g, relays_f, 12, {1, 0, 0.7, 0.3}},
    {"damped floor", 2, 1, first, damped_f, 3, {0.7, 0}},
    {"hard stop", 5, 1, stop_g, stop_f, 16, {0.2, 0, 0, 0.4, 0.1}},
    {"bend", 2, 1, first, bend_f, 12, {1, 0}},
    {"springy floor", 2, 1, first, floor_f, 3, {0.7, 0}},
    {"limited spring", 2, 2, spring_g, spring_f, 15, {2.3, 0}},
    {"limited input", 2, 2, input_g, input_f, 12, {0.3, 0.1}},
    {"limited feedback", 2, 2, feedback_g, feedback_f, 25, {0.7, 0.4}},
    {"limited motor", 3, 2, motor_g, motor_f, 25, {0, 0.2, 0.1}},
    {"two masses", 4, 1, masses_g, masses_f, 15, {0.6, 0.2, -0.1, 0.3}},
    {"play", 4, 2, gear_g, gear_f, 20, {0.2, 0, 0, 0.1}},
    {"rims", 2, 2, rims_g, rims_f, 30, {0.6, 0.4}},
    {"Chua", 3, 2, spring_g, chua_f, 6, {0.7, 0, 0}},
    {"diode", 2, 1, diode_g, diode_f, 9, {0.1, 0.05}},
};
enum { PROBLEMS = sizeof problems / sizeof problems[0] };

/* -------------------------------------------------------------- models ---- */

static int rhs(double t, const double *y, double *f, const brink_env *e)
{
  const hidden *p = e->user;
  p->f(t, y, (int[]){e->mode & 1, e->mode & 2}, f);
  return 0;
}
static int rhs_ask(double t, const double *y, double *f, const brink_env *e)
{
  const hidden *p = e->user;
  p->f(t, y, (int[]){p->g(t, y, 0) > 0, p->g(t, y, 1) > 0}, f);
  return 0;
}
static double guard(double t, const double *y, int k, const brink_env *e)
{
  return ((const hidden *)e->user)->g(t, y, k);
}
static int flip_first(brink_jump *j)
{
  j->mode ^= 1;
  return 0;
}
static int flip_second(brink_jump *j)
{
  j->mode ^= 2;
  return 0;
}

static const brink_guard_def guards[] = {{.name = "first", .fn = guard},
                                         {.name = "second", .fn = guard}};
#define EVENTS(a, b)                                                                   \
  {                                                                                    \
    {.name = "first", .guard = 0, .dir = a, .jump = flip_first},                       \
        {.name = "second", .guard = 1, .dir = b, .jump = flip_second},                 \
  }
static const brink_event_def events[4][2] = {
    EVENTS(BRINK_UP, BRINK_UP), EVENTS(BRINK_DOWN, BRINK_UP),
    EVENTS(BRINK_UP, BRINK_DOWN), EVENTS(BRINK_DOWN, BRINK_DOWN)};
static const char *const names[] = {"00", "10", "01", "11"};

typedef struct result {
  double y[MOST];
  long f, events, unguarded, looks;
} result;

static result run(const hidden *p, int guarded, const char *method, double tol)
{
  const hidden copy = *p;
  brink_mode_def modes[4] = {{.name = "all", .n = (size_t)p->n, .rhs = rhs_ask}};
  brink_model_def def = {.modes = modes, .n_modes = 1};
  brink_sim_opts opt = brink_sim_defaults();
  int mode = 0;

  for (int k = 0; guarded && k < p->m; k++)
    mode |= (p->g(0, p->y0, k) > 0) << k;
  if (guarded)
    def.n_modes = 1 << p->m;
  for (int i = 0; guarded && i < def.n_modes; i++)
    modes[i] = (brink_mode_def){.name = names[i],
                                .n = (size_t)p->n,
                                .rhs = rhs,
                                .guards = guards,
                                .n_guards = p->m,
                                .events = events[i],
                                .n_events = p->m};
  memcpy(&def.user, &(const hidden *){&copy}, sizeof def.user);
  opt.method = method;
  opt.rtol = opt.atol = tol;
  opt.max_steps = 100000;
  rig r = rig_new(&def, &opt, 0, mode, p->y0);
  check_status(brink_sim_run(r.sim, p->t_end), BRINK_END);
  brink_sim_stats s = brink_sim_statistics(r.sim);
  result out = {.f = s.work.f_evals,
                .events = s.events,
                .unguarded = s.work.unguarded,
                .looks = s.work.look_evals};
  memcpy(out.y, brink_sim_state(r.sim), (size_t)p->n * sizeof(double));
  rig_free(&r);
  return out;
}

static double off(const hidden *p, const result *r, const result *want)
{
  double most = 0;

  for (int i = 0; i < p->n; i++)
    most = fmax(most, fabs(r->y[i] - want->y[i]));
  return most;
}

/* -------------------------------------------------------------- claims ---- */

/* How much more than with guards: error (over the larger of that and the tolerance) and
 * evaluations of f, each for all but so many problems; and how many places may be
 * missed or found twice. */
typedef struct allowance {
  double error;
  int worse;
  double f;
  int dearer;
  long missed;
} allowance;

static void compare_all(const char *method, double tol, allowance most)
{
  int worse = 0, dearer = 0;

  for (size_t i = 0; i < PROBLEMS; i++) {
    const hidden *p = &problems[i];
    result want = run(p, 1, "dop853", 1e-13);
    result a = run(p, 1, method, tol), b = run(p, 0, method, tol);
    double with = off(p, &a, &want), without = off(p, &b, &want);
    double more = without / fmax(with, tol), f = (double)b.f / (double)a.f;

    print_message(
        "%-7s %.0e  %-16s guards: error %.1e, %5ld f;  none: error %.1e (%.1f),"
        " %5ld f (%.2f), %3ld of them to look, found %ld of %ld\n",
        method, tol, p->name, with, a.f, without, more, b.f, f, b.looks, b.unguarded,
        a.events);
    worse += more > most.error;
    dearer += f > most.f;
    check_in((double)labs(a.events - b.unguarded), 0, (double)most.missed);
  }
  check_in(worse, 0, most.worse);
  check_in(dearer, 0, most.dearer);
}

/* Found for the first time, a jump takes one evaluation for each bit of its place and a
 * rejected step: at 1e-4 that is as much as dopri5 needs from one jump of the relay to
 * the next, and twice as much as dop853 needs.  What is accurate to 1e-4 or 1e-5 hides
 * kinks. */
static void dopri5_is_as_accurate_as_with_guards(void **state)
{
  (void)state;
  compare_all("dopri5", 1e-4, (allowance){6, 0, 2, 3, 7});
  compare_all("dopri5", 1e-5, (allowance){3, 1, 2, 1, 3});
  compare_all("dopri5", 1e-6, (allowance){2, 0, 2, 0, 2});
  compare_all("dopri5", 1e-7, (allowance){2, 0, 2, 0, 2});
  for (int k = 8; k <= 12; k++)
    compare_all("dopri5", pow(10, -k), (allowance){3, 0, 2, 0, 1});
}

static void dop853_is_as_accurate_as_with_guards(void **state)
{
  (void)state;
  compare_all("dop853", 1e-4, (allowance){2, 0, 2.3, 2, 9});
  compare_all("dop853", 1e-5, (allowance){2, 0, 2, 2, 2});
  compare_all("dop853", 1e-6, (allowance){3, 1, 2, 0, 2});
  compare_all("dop853", 1e-7, (allowance){3, 1, 2, 0, 2});
  for (int k = 8; k <= 12; k++)
    compare_all("dop853", pow(10, -k), (allowance){3, 0, 2, 0, 1});
}

static void every_adaptive_method_finds_them(void **state)
{
  (void)state;
  for (int i = 0; brink_method_name(i); i++) {
    const brink_method *m = brink__method_find(brink_method_name(i));
    if (!(m->flags & BRINK__FIXED_STEP))
      compare_all(m->name, m->order < 4 ? 1e-7 : 1e-9, (allowance){4, 0, 2.2, 0, 2});
  }
}

static double parabola_g(double t, const double *y, int k)
{
  (void)t, (void)k;
  return y[0];
}
static void parabola_f(double t, const double *y, const int *s, double *f)
{
  (void)t;
  f[0] = y[1];
  f[1] = -sign(s[0]);
}

static void events_are_where_f_jumps(void **state)
{
  /* x'' = -sign x from (1, 0.3): zeros by hand */
  static const hidden p = {"parabola", 2, 1, parabola_g, parabola_f, 12, {1, 0.3}};
  const hidden copy = p;
  const brink_mode_def alone = {.name = "all", .n = 2, .rhs = rhs_ask};
  brink_model_def def = {.modes = &alone, .n_modes = 1};
  brink_sim_opts opt = brink_sim_defaults();
  double v = sqrt(0.3 * 0.3 + 2), t = 0.3 + v;

  (void)state;
  memcpy(&def.user, &(const hidden *){&copy}, sizeof def.user);
  opt.rtol = opt.atol = 1e-11;
  rig r = rig_new(&def, &opt, 0, 0, p.y0);
  check_status(brink_sim_run(r.sim, p.t_end), BRINK_END);
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
