/* auto-rk: which pair is at work, and what it costs beside each of the three alone.
 * Which pair made a step is seen from the degree of its polynomial. */
#include "hybrid.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ode/driver.h"
#include "problems.h"

enum { BS23 = 3, DOPRI5 = 4, DOP853 = 7 }; /* degrees */

static const char *const names[] = {"auto-rk", "dop853", "dopri5", "bs23"};
enum { RUNS = 4 };

/* evaluations of auto-rk over those of the best of the three */
static double excess(const char *what, const long *f)
{
  long best = f[1] < f[2] ? f[1] : f[2];

  best = f[3] < best ? f[3] : best;
  print_message("  %-22s auto-rk %6ld, dop853 %6ld, dopri5 %6ld, bs23 %6ld: %.2f\n",
                what, f[0], f[1], f[2], f[3], (double)f[0] / (double)best);
  return (double)f[0] / (double)best;
}

/* ------------------------------------------------------------- ball ---- */

typedef struct seen {
  int first, last; /* degrees */
} seen;

static int watch(const brink_step *step, double begin, double end, int mode, void *user)
{
  seen *s = user;

  (void)begin, (void)end, (void)mode;
  if (!s->first)
    s->first = step->degree;
  s->last = step->degree;
  return 0;
}

static int fall(double t, const double *y, double *f, const brink_env *e)
{
  (void)t;
  f[0] = y[1];
  f[1] = -9.81 - e->p[0] * y[1] * (1 + 0.31 * y[1] * y[1]);
  return 0;
}

static int bounce(brink_jump *j)
{
  j->y[1] *= -0.9;
  return 0;
}

/* 150 bounces; drag makes the flight more than a parabola. */
static long ball(const char *method, double drag, seen *s)
{
  const double y0[] = {1.13, 0};
  const brink_guard_def height = {.name = "height", .state = 0};
  const brink_event_def hit = {
      .name = "bounce", .dir = BRINK_DOWN, .jump = bounce, .limit = 150};
  const brink_mode_def fly = {.name = "fly",
                              .n = 2,
                              .rhs = fall,
                              .guards = &height,
                              .n_guards = 1,
                              .events = &hit,
                              .n_events = 1};
  const brink_model_def def = {
      .name = "ball", .modes = &fly, .n_modes = 1, .p = &drag, .n_p = 1};
  brink_sim_opts opt = brink_sim_defaults();

  opt.method = method;
  opt.rtol = 1e-9;
  rig r = rig_new(&def, &opt, 0, 0, y0);
  brink_sim_observe(r.sim, &(brink_observer){.on_step = watch, .user = s});
  check_status(brink_sim_run(r.sim, 30), BRINK_TERMINATED);
  assert_int_equal(rig_events(&r), 150);
  long f = brink_sim_statistics(r.sim).work.f_evals;
  rig_free(&r);
  return f;
}

static void near_the_zeno_point_the_cheap_pair_is_at_work(void **state)
{
  (void)state;
  for (int k = 0; k < 2; k++) {
    double drag = 0.13 * k;
    long f[RUNS];
    seen s[RUNS] = {{0}};
    for (int i = 0; i < RUNS; i++)
      f[i] = ball(names[i], drag, &s[i]);
    assert_int_equal(s[0].first, DOPRI5);
    assert_int_equal(s[0].last, BS23);
    check_in(excess(k ? "ball with drag" : "ball", f), 0.5, 1.2);
  }
}

/* ------------------------------------------------------------ smooth ---- */

typedef struct driver {
  brink_ctx *ctx;
  brink_integrator *it;
  int degree; /* of the last step */
} driver;

static driver driver_new(const char *method, double tol, size_t n, brink_ivp_fn *rhs,
                         double t, const double *y)
{
  driver d = {0};
  brink_ivp ivp = {n, rhs, NULL};
  brink_integrator_opts o = brink_integrator_defaults();

  o.method = method;
  o.rtol = o.atol = tol;
  o.search = 0; /* the methods are compared, not what is looked for beside them */
  check_status(brink_ctx_new(NULL, &d.ctx), BRINK_OK);
  check_status(brink_integrator_new(d.ctx, &ivp, &o, &d.it), BRINK_OK);
  check_status(brink_integrator_start(d.it, t, y), BRINK_OK);
  return d;
}

static long driver_free(driver *d)
{
  long f = brink_integrator_work(d->it).f_evals;

  brink_integrator_free(d->it);
  brink_ctx_free(d->ctx);
  return f;
}

static void go(driver *d, double t)
{
  brink_step step;
  brink_status rc;

  while ((rc = brink_integrator_advance(d->it, t, &step)) == BRINK_OK)
    d->degree = step.degree;
  check_status(rc, BRINK_END);
}

static int hard_spring(double t, const double *y, double *f, const brink_env *e)
{
  (void)t, (void)e;
  f[0] = y[1];
  f[1] = -y[0] * (1 + 0.2 * y[0] * y[0]) - 0.05 * y[1];
  return 0;
}

static int nudge(brink_jump *j)
{
  j->y[1] += 1e-3;
  return 0;
}

/* Only timers: nobody reads the steps, and those of dop853 cost twelve evaluations. */
static void what_nobody_reads_is_not_paid_for(void **state)
{
  static const double every[] = {0.688, 3.23, 15.2};

  (void)state;
  for (int k = 0; k < 3; k++) {
    const double y0[] = {1.1, 0.3};
    const brink_mode_def swing = {.name = "swing", .n = 2, .rhs = hard_spring};
    const brink_timer_def timer = {
        .name = "kick", .at = every[k], .every = every[k], .jump = nudge};
    const brink_model_def def = {.name = "spring",
                                 .modes = &swing,
                                 .n_modes = 1,
                                 .timers = &timer,
                                 .n_timers = 1};
    brink_sim_opts opt = brink_sim_defaults();
    long f[RUNS];
    for (int i = 0; i < RUNS; i++) {
      opt.method = names[i];
      rig r = rig_new(&def, &opt, 0, 0, y0);
      check_status(brink_sim_run(r.sim, 60), BRINK_END);
      f[i] = brink_sim_statistics(r.sim).work.f_evals;
      rig_free(&r);
    }
    check_in(excess("kicked spring", f), 0.5, 1.3);
  }
}

static void a_smooth_run_goes_on_with_dop853(void **state)
{
  (void)state;
  for (int k = 6; k <= 12; k += 2) {
    long f[RUNS];
    for (int i = 0; i < RUNS; i++) {
      driver d = driver_new(names[i], pow(10, -k), 4, arenstorf, 0, arenstorf_start);
      brink__integrator_reads(d.it, 0);
      go(&d, ARENSTORF_PERIOD);
      f[i] = driver_free(&d);
    }
    check_in(excess("arenstorf", f), 0.5, 1.1);
  }
}

/* -------------------------------------------------------------- gaps ---- */

/* Kepler's orbit with a restart after every gap, as an event would make it: the first
 * step is the one the executor would hint.  The last step of a gap is cut, as by an
 * event nobody knew of: the integrator is sent beyond it. */
static void orbit(driver *d, double t0, double t1, double gap)
{
  double y[4], h = gap;

  for (double t = t0; t < t1;) {
    brink_step step;
    double end = fmin(t + gap, t1);
    do {
      brink_status rc = brink_integrator_advance(d->it, t1 + 10, &step);
      check_status(rc, BRINK_OK);
    } while (step.t1 < end);
    d->degree = step.degree;
    h = fmin(gap, fabs(step.h));
    brink_step_at(&step, (end - step.t0) / step.h, y);
    t = end;
    brink__integrator_hint(d->it, h);
    check_status(brink_integrator_start(d->it, t, y), BRINK_OK);
  }
}

static void whatever_the_gap_it_costs_little_more_than_the_best(void **state)
{
  static const double gaps[] = {0.0031, 0.0173, 0.0611, 0.173, 0.371, 0.91, 2.3, 7.1};
  double y[4], want[4];

  (void)state;
  problem_kepler.exact(0.37, y);
  for (int k = 5; k <= 9; k += 2)
    for (size_t g = 0; g < BRINK__COUNT(gaps); g++) {
      long f[RUNS];
      char text[64];
      for (int i = 0; i < RUNS; i++) {
        driver d = driver_new(names[i], pow(10, -k), 4, problem_kepler.rhs, 0.37, y);
        double t1 = 0.37 + 40 * gaps[g];
        orbit(&d, 0.37, t1, gaps[g]);
        problem_kepler.exact(t1, want);
        if (t1 < 20) /* later the drift of the loosest run is all there is */
          check_near(brink_integrator_state(d.it)[0], want[0], 1e4 * pow(10, -k));
        f[i] = driver_free(&d);
      }
      snprintf(text, sizeof text, "gaps %g at 1e-%d", gaps[g], k);
      check_in(excess(text, f), 0.5, 1.21);
    }
}

/* ------------------------------------------------------------- kicks ---- */

static int whirl(double t, const double *y, double *f, const brink_env *e)
{
  double r = sqrt(0.01 + y[0] * y[0] + y[1] * y[1]);

  (void)t, (void)e;
  f[0] = -y[1] / r;
  f[1] = y[0] / r + 0.1 * y[2];
  f[2] = -y[2] * (y[0] + y[2] * y[2]);
  return 0;
}

static int kick(brink_jump *j)
{
  j->y[2] = 0.5 + 0.5 * j->y[2];
  return 0;
}

/* Events at known times, and nobody reads the steps between them. */
static void kicked(const char *method, double tol, double gap, double *end)
{
  const double y0[] = {1.1, 0.3, 0.7};
  const brink_timer_def timer = {.name = "kick", .at = gap, .every = gap, .jump = kick};
  const brink_mode_def mode = {.name = "whirl", .n = 3, .rhs = whirl};
  const brink_model_def def = {
      .name = "kicked", .modes = &mode, .n_modes = 1, .timers = &timer, .n_timers = 1};
  brink_sim_opts opt = brink_sim_defaults();

  opt.method = method;
  opt.rtol = opt.atol = tol;
  opt.keep = BRINK_KEEP_NOTHING;
  rig r = rig_new(&def, &opt, 0, 0, y0);
  check_status(brink_sim_run(r.sim, 19.1), BRINK_END);
  memcpy(end, brink_sim_state(r.sim), sizeof y0);
  rig_free(&r);
}

static void steps_that_nobody_reads_are_as_good_as_the_pairs(void **state)
{
  (void)state;
  for (double gap = 0.31; gap < 1.3; gap += 0.101) {
    double want[3], y[3];
    kicked("dop853", 1e-13, gap, want);
    for (int k = 4; k <= 8; k++) {
      double worst[RUNS] = {0};
      for (int i = 0; i < RUNS; i++) {
        kicked(names[i], pow(10, -k), gap, y);
        for (int m = 0; m < 3; m++)
          worst[i] = fmax(worst[i], fabs(y[m] - want[m]));
      }
      /* all keep each step to the tolerance; the pair that just crosses a gap in one
       * step uses up all of it, where a longer or shorter step would not */
      check_in(worst[0], 0, 10 * fmax(worst[1], fmax(worst[2], worst[3])));
    }
  }
}

static void when_the_events_stop_it_comes_back(void **state)
{
  double y[4];
  long f[RUNS];

  (void)state;
  problem_kepler.exact(0.37, y);
  for (int i = 0; i < RUNS; i++) {
    driver d = driver_new(names[i], 1e-9, 4, problem_kepler.rhs, 0.37, y);
    orbit(&d, 0.37, 0.45, 0.0011);
    if (i == 0)
      assert_int_equal(d.degree, BS23);
    go(&d, 29.3);
    if (i == 0)
      assert_int_equal(d.degree, DOP853);
    f[i] = driver_free(&d);
  }
  check_in(excess("events, then none", f), 0.5, 1.2);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(near_the_zeno_point_the_cheap_pair_is_at_work),
      cmocka_unit_test(what_nobody_reads_is_not_paid_for),
      cmocka_unit_test(a_smooth_run_goes_on_with_dop853),
      cmocka_unit_test(whatever_the_gap_it_costs_little_more_than_the_best),
      cmocka_unit_test(steps_that_nobody_reads_are_as_good_as_the_pairs),
      cmocka_unit_test(when_the_events_stop_it_comes_back),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
