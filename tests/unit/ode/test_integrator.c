/* The integrator with every method that is listed: tolerances, directions, limits,
 * refusals, stiffness. */
#include "check.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/core.h"
#include "ode/driver.h"
#include "problems.h"

#define BRINK_METHOD(name) &brink__##name,
static const brink_method *const all[] = {
#include "ode/methods.def"
};
#undef BRINK_METHOD

#define EACH(m)                                                                        \
  for (size_t i_ = 0; i_ < BRINK__COUNT(all); i_++)                                    \
    for (const brink_method *m = all[i_]; m; m = NULL)

static int is_fixed(const brink_method *m) { return (m->flags & BRINK__FIXED_STEP) != 0; }

typedef struct rig {
  brink_ctx        *ctx;
  brink_integrator *it;
} rig;

/* h0 is for methods with a fixed step; the others estimate theirs. */
static brink_integrator_opts options(const brink_method *m, double tol, double h0)
{
  brink_integrator_opts o = brink_integrator_defaults();

  o.method = m->name;
  o.rtol = o.atol = tol;
  o.h0 = is_fixed(m) ? h0 : 0;
  return o;
}

static void rig_new(rig *r, const brink_integrator_opts *o, size_t n, brink_ivp_fn *rhs,
                    void *user, double t, const double *y)
{
  brink_ivp ivp = {n, rhs, user};

  check_status(brink_ctx_new(NULL, &r->ctx), BRINK_OK);
  check_status(brink_integrator_new(r->ctx, &ivp, o, &r->it), BRINK_OK);
  check_status(brink_integrator_start(r->it, t, y), BRINK_OK);
}

static void rig_free(rig *r)
{
  brink_integrator_free(r->it);
  brink_ctx_free(r->ctx);
}

/* To t, and how many times the problem was called stiff. */
static int run(rig *r, double t)
{
  brink_step   step;
  brink_status rc;
  int          stiff = 0;

  while ((rc = brink_integrator_advance(r->it, t, &step)) >= 0 && rc != BRINK_END)
    stiff += rc == BRINK_STIFF;
  check_status(rc, BRINK_END);
  check_near(brink_integrator_time(r->it), t, 0);
  return stiff;
}

static double off(const rig *r, const problem *p, double t)
{
  double want[PROBLEM_N], worst = 0;

  p->exact(t, want);
  for (size_t i = 0; i < p->n; i++)
    worst = fmax(worst, fabs(brink_integrator_state(r->it)[i] - want[i]));
  return worst;
}

/* ------------------------------------------------------- tolerances ---- */

static void a_tenth_of_the_tolerance_is_less_error(void **state)
{
  double y[PROBLEM_N];
  rig    r;

  (void)state;
  problem_spiral.exact(0.37, y);
  EACH(m)
  {
    double last = 0;
    for (int k = 4; k <= 10; k += 2) {
      /* the fixed step shrinks as it would have to for order four */
      brink_integrator_opts o = options(m, pow(10, -k), pow(10, -k / 4.0));
      rig_new(&r, &o, 3, problem_spiral.rhs, NULL, 0.37, y);
      run(&r, 3.12);
      double e = off(&r, &problem_spiral, 3.12);
      check_in(e, 0, 200 * o.rtol); /* most for rkf45, which keeps the worse */
      if (last > 0)
        check_in(e, 0, last / 10);
      last = e;
      rig_free(&r);
    }
  }
}

/* Two equations that know nothing of each other, one with a loose tolerance. */
static int pair(double t, const double *y, double *f, void *user)
{
  (void)user;
  f[0] = -y[0] * cos(3.1 * t);
  f[1] = 7.3 * cos(7.3 * t) * y[1];
  return 0;
}

static void each_component_has_its_own_tolerance(void **state)
{
  double atol_i[2] = {1e-9, 1e3};
  rig    r;

  (void)state;
  EACH(m)
  {
    if (is_fixed(m))
      continue;
    long   steps[2];
    double y[2] = {1.37, 0.61}, error[2];
    for (int loose = 0; loose < 2; loose++) {
      brink_integrator_opts o = options(m, 1e-9, 0);
      o.rtol = 0;
      atol_i[1] = loose ? 1e3 : 1e-9;
      o.atol_i = atol_i;
      rig_new(&r, &o, 2, pair, NULL, 0.37, y);
      run(&r, 2.91);
      const double *z = brink_integrator_state(r.it);
      double        a = 1.37 * exp((sin(3.1 * 0.37) - sin(3.1 * 2.91)) / 3.1);
      double        b = 0.61 * exp(sin(7.3 * 2.91) - sin(7.3 * 0.37));
      check_near(z[0], a, 1e-7);
      error[loose] = fabs(z[1] - b);
      steps[loose] = brink_integrator_work(r.it).steps;
      rig_free(&r);
    }
    /* the fast component no longer decides */
    check_in((double)steps[1], 1, 0.8 * (double)steps[0]);
    check_in(error[0], 0, 1e-6);
    check_in(error[1], 10 * error[0], 10);
  }
}

/* The second stays zero; user: the unit of time. */
static int decay_and_nothing(double t, const double *y, double *f, void *user)
{
  (void)t;
  f[0] = -1.7 * y[0] / *(double *)user;
  f[1] = 0;
  return 0;
}

static void what_stays_zero_needs_no_absolute_tolerance(void **state)
{
  const double atol[] = {1e-9, 0};
  rig          r;

  (void)state;
  for (double unit = 1; unit < 1e9; unit *= 1e4)
    EACH(m)
    {
      brink_integrator_opts o = options(m, 1e-7, 1e-2 * unit);
      o.atol_i = atol;
      rig_new(&r, &o, 2, decay_and_nothing, &unit, 0.37 * unit, (double[]){2.385, 0});
      run(&r, 1.91 * unit);
      check_near(brink_integrator_state(r.it)[0], 2.385 * exp(-1.7 * 1.54), 1e-6);
      check_near(brink_integrator_state(r.it)[1], 0, 0);
      check_in((double)brink_integrator_work(r.it).f_evals, 10, 2000);
      rig_free(&r);
    }
}

static int ever_up(double t, const double *y, double *f, void *user)
{
  (void)t, (void)y, (void)user;
  f[0] = 1.3e307;
  return 0;
}

/* The largest number is reached at 13.83. */
static void no_state_grows_beyond_all_numbers(void **state)
{
  rig r;

  (void)state;
  EACH(m)
  {
    brink_integrator_opts o = options(m, 1e-6, 0.1);
    brink_status          rc;
    rig_new(&r, &o, 1, ever_up, NULL, 0, (double[]){1});
    while ((rc = brink_integrator_advance(r.it, 20, NULL)) == BRINK_OK)
      continue;
    check_status(rc, BRINK_ESTEP);
    check_in(brink_integrator_state(r.it)[0], 0, DBL_MAX);
    rig_free(&r);
  }
}

/* A forced spring: user holds the units of state and time, and when it begins. */
static int spring(double t, const double *y, double *f, void *user)
{
  const double *u = user;

  f[0] = y[1] / u[1];
  f[1] = (-4.1 * y[0] + 0.3 * u[0] * cos(1.7 * (t - u[2]) / u[1])) / u[1];
  return 0;
}

static void units_of_state_and_time_do_not_matter(void **state)
{
  static const double units[][2] = {{1, 1},      {1, 1e290},  {1, 1e-290}, {1e150, 1e150},
                                    {1e-150, 1}, {1e300, 1e140}, {1e-150, 1e-150}};
  rig r;

  (void)state;
  EACH(m)
  {
    double want = 0;
    for (size_t i = 0; i < BRINK__COUNT(units); i++) {
      double S = units[i][0], T = units[i][1], u[] = {S, T, 0.37 * T};
      brink_integrator_opts o = options(m, 1e-8, 1e-2 * T);
      o.atol = 1e-11 * S;
      rig_new(&r, &o, 2, spring, u, 0.37 * T, (double[]){0.7 * S, -0.2 * S});
      run(&r, 14.07 * T);
      double is = brink_integrator_state(r.it)[0] / S;
      if (i == 0)
        want = is;
      check_near(is, want, 1e-6);
      rig_free(&r);
    }
  }
}

static int late_wave(double t, const double *y, double *f, void *user)
{
  (void)user;
  f[0] = cos(t - 1e6);
  f[1] = -y[1] * y[1];
  return 0;
}

/* t is good to 6e-11 there, and f no better: that is no error of a step. */
static void roundings_of_late_times_are_no_errors(void **state)
{
  rig r;

  (void)state;
  brink_integrator_opts o = options(&brink__dop853, 1e-11, 0);
  o.atol = 1e-14;
  rig_new(&r, &o, 2, late_wave, NULL, 1e6, (double[]){0, 1});
  run(&r, 1e6 + 3);
  check_in((double)brink_integrator_work(r.it).f_evals, 0, 1000);
  check_near(brink_integrator_state(r.it)[0], sin(3), 1e-9);
  rig_free(&r);
}

static void stars_meet_the_published_end(void **state)
{
  rig r;

  (void)state;
  EACH(m)
  {
    brink_integrator_opts o = options(m, 1e-10, 5e-5);
    double                worst = 0;
    rig_new(&r, &o, PLEIADES_N, pleiades, NULL, 0, pleiades_start);
    run(&r, 3);
    for (int i = 0; i < PLEIADES_N; i++)
      worst = fmax(worst, fabs(brink_integrator_state(r.it)[i] - pleiades_end[i]));
    check_in(worst, 0, 2e-6);
    rig_free(&r);
  }
}

/* -------------------------------------------------------- directions ---- */

static void back_and_forth_returns_to_the_start(void **state)
{
  double y[PROBLEM_N];
  rig    r;

  (void)state;
  problem_kepler.exact(3.91, y);
  EACH(m)
  {
    brink_integrator_opts o = options(m, 1e-9, 3e-3);
    rig_new(&r, &o, 4, problem_kepler.rhs, NULL, 3.91, y);
    run(&r, 0.37);
    check_in(off(&r, &problem_kepler, 0.37), 0, 3e-7);
    run(&r, 3.91);
    check_in(off(&r, &problem_kepler, 3.91), 0, 6e-7);
    rig_free(&r);
  }
}

static void steps_tile_the_run(void **state)
{
  double     y[PROBLEM_N], z[PROBLEM_N];
  brink_step step;
  rig        r;

  (void)state;
  problem_spiral.exact(0.37, y);
  EACH(m)
  {
    brink_integrator_opts o = options(m, 1e-7, 0.0173);
    rig_new(&r, &o, 3, problem_spiral.rhs, NULL, 0.37, y);
    double t = 0.37;
    memcpy(z, y, sizeof z);
    while (brink_integrator_advance(r.it, 3.12, &step) == BRINK_OK) {
      check_near(step.t0, t, 0);
      for (size_t i = 0; i < 3; i++)
        check_near(step.coeff[i * ((size_t)step.degree + 1)], z[i], 0);
      t = step.t1;
      brink_step_at(&step, 1, z);
      for (size_t i = 0; i < 3; i++)
        check_near(z[i], brink_integrator_state(r.it)[i], 8 * DBL_EPSILON);
      memcpy(z, brink_integrator_state(r.it), sizeof z);
    }
    check_near(t, 3.12, 0);
    rig_free(&r);
  }
}

static void nobody_reading_changes_no_step_and_costs_no_more(void **state)
{
  double     y[PROBLEM_N];
  brink_step step;
  rig        r, q;

  (void)state;
  problem_kepler.exact(0.37, y);
  EACH(m)
  {
    brink_integrator_opts o = options(m, 1e-8, 0.0173);
    rig_new(&r, &o, 4, problem_kepler.rhs, NULL, 0.37, y);
    rig_new(&q, &o, 4, problem_kepler.rhs, NULL, 0.37, y);
    brink__integrator_reads(q.it, 0);
    while (brink_integrator_advance(r.it, 4.61, &step) == BRINK_OK) {
      /* both ways of saying so: no step, or a word before */
      int quiet = brink_integrator_work(q.it).steps % 2 != 0;
      check_status(brink_integrator_advance(q.it, 4.61, quiet ? NULL : &step), BRINK_OK);
      check_near(brink_integrator_time(q.it), brink_integrator_time(r.it), 0);
      check_near(brink_integrator_state(q.it)[2], brink_integrator_state(r.it)[2], 0);
    }
    long read = brink_integrator_work(r.it).f_evals;
    long unread = brink_integrator_work(q.it).f_evals;
    long saved = m->order == 8 ? 3 * brink_integrator_work(r.it).steps : 0;
    assert_int_equal(read - unread, saved);
    rig_free(&r);
    rig_free(&q);
  }
}

/* What the heads of the files promise: the last stage is the next step's first, and
 * pairs that do not need it for their error do not take it for a rejected step, unless
 * it is rejected for what it may hide. */
static void evaluations_are_those_announced(void **state)
{
  static const struct {
    const char *name;
    long        accepted, rejected;
  } cost[] = {{"rk4", 4, 0},    {"bs23", 3, 3},    {"rkf45", 6, 5},
              {"dopri5", 6, 6}, {"dop853", 12, 11}};
  rig r;

  (void)state;
  for (size_t i = 0; i < BRINK__COUNT(cost); i++) {
    brink_integrator_opts o = options(brink__method_find(cost[i].name), 1e-5, 0.01);
    long                  begin = o.h0 > 0 ? 1 : 3; /* two for the first step */
    rig_new(&r, &o, 4, arenstorf, NULL, 0, arenstorf_start);
    brink__integrator_reads(r.it, 0);
    run(&r, ARENSTORF_PERIOD);
    brink_work w = brink_integrator_work(r.it);
    assert_true(o.h0 > 0 || w.rejected > 5);
    long least = begin + cost[i].accepted * w.steps + cost[i].rejected * w.rejected;
    long last = cost[i].accepted - cost[i].rejected;
    check_in((double)(w.f_evals - w.look_evals), (double)least,
             (double)(least + (last > 0 && o.h0 == 0 ? last * w.rejected / 4 : 0)));
    rig_free(&r);
  }
}

/* ------------------------------------------------------------ limits ---- */

static void no_step_is_longer_than_h_max(void **state)
{
  double     y[PROBLEM_N];
  brink_step step;
  rig        r;

  (void)state;
  problem_spiral.exact(0.37, y);
  EACH(m)
  {
    brink_integrator_opts o = options(m, 1e-2, 0.5);
    o.h_max = 0.0431;
    /* ... not even if a little would remain of it */
    static const double ends[] = {3.12, 0.37 + 9.003 * 0.0431, 0.37 + 19.008 * 0.0431};
    for (size_t k = 0; k < BRINK__COUNT(ends); k++) {
      rig_new(&r, &o, 3, problem_spiral.rhs, NULL, 0.37, y);
      double longest = 0;
      while (brink_integrator_advance(r.it, ends[k], &step) == BRINK_OK)
        longest = fmax(longest, fabs(step.h));
      check_in(longest, 0.0429, 0.0431 * (1 + 1e-12));
      rig_free(&r);
    }
  }
}

/* y = sin(exp(14 t)): faster and faster. */
static int chirp(double t, const double *y, double *f, void *user)
{
  (void)y;
  (void)user;
  f[0] = 14 * exp(14 * t) * cos(exp(14 * t));
  return 0;
}

static void a_step_below_h_min_is_an_error_that_says_so(void **state)
{
  double     y = sin(exp(14 * -0.37));
  brink_step step;
  rig        r;

  (void)state;
  EACH(m)
  {
    if (is_fixed(m))
      continue;
    brink_integrator_opts o = options(m, 1e-8, 0);
    brink_status          rc;
    o.h_min = 1e-4;
    rig_new(&r, &o, 1, chirp, NULL, -0.37, &y);
    while ((rc = brink_integrator_advance(r.it, 1, &step)) >= 0)
      ;
    check_status(rc, BRINK_ESTEP);
    check_text(brink_integrator_error(r.it)->text, "is below 0.0001");
    /* it stands at its last good point */
    double t = brink_integrator_time(r.it);
    check_in(t, 0.05, 0.9);
    check_near(*brink_integrator_state(r.it), sin(exp(14 * t)), 1e-5);
    rig_free(&r);
  }
}

static void max_steps_is_news_and_a_start_counts_anew(void **state)
{
  double     y[PROBLEM_N];
  brink_step step;
  rig        r;

  (void)state;
  problem_kepler.exact(0.37, y);
  EACH(m)
  {
    brink_integrator_opts o = options(m, 1e-12, 0.001);
    o.max_steps = 7;
    rig_new(&r, &o, 4, problem_kepler.rhs, NULL, 0.37, y);
    for (int round = 0; round < 2; round++) {
      brink_status rc;
      int          taken = 0;
      while ((rc = brink_integrator_advance(r.it, 9.1, &step)) == BRINK_OK)
        taken++;
      check_status(rc, BRINK_LIMIT);
      check_in(taken, 2, 7);
      check_status(brink_integrator_start(r.it, 0.37, y), BRINK_OK);
    }
    rig_free(&r);
  }
}

/* ---------------------------------------------------------- refusals ---- */

/* y' = -sqrt(y): exists for y >= 0 only; y = (1 - t/2)^2 from 1.  Calls beyond t_wall
 * are refused too; user: {t_wall, largest t that was answered, refusals}. */
static int fenced(double t, const double *y, double *f, void *user)
{
  double *wall = user;

  if (y[0] < 0 || t > wall[0]) {
    wall[2]++;
    return 1;
  }
  wall[1] = fmax(wall[1], t);
  f[0] = -sqrt(y[0]);
  return 0;
}

static void not_here_makes_the_step_smaller(void **state)
{
  double y = 1;
  rig    r;

  (void)state;
  EACH(m)
  {
    double                wall[3] = {1.2347, 0, 0};
    brink_integrator_opts o = options(m, 1e-6, 0.3);
    brink_step            step;
    brink_status          rc;
    rig_new(&r, &o, 1, fenced, wall, 0, &y);
    while ((rc = brink_integrator_advance(r.it, 9, &step)) == BRINK_OK)
      ;
    check_status(rc, BRINK_EDOMAIN);
    check_text(brink_integrator_error(r.it)->text, "does not exist near t = 1.2347");
    /* as near as steps can come, and what was reached is right */
    check_near(brink_integrator_time(r.it), 1.2347, 1e-12);
    check_near(*brink_integrator_state(r.it), pow(1 - 1.2347 / 2, 2), 2e-4);
    assert_true(brink_integrator_work(r.it).retried > 5 && wall[2] > 5);
    rig_free(&r);
  }
}

/* log y y' is not a number for y < 0, which an Euler step from 1 would reach */
static int sours(double t, const double *y, double *f, void *user)
{
  int *limit = user;

  f[0] = -1 / (2 * y[0]) + 0 * log(y[0]);
  if (*limit && t > 0.71)
    f[0] = nan("");
  return 0;
}

static void not_a_number_is_retried_and_at_last_reported(void **state)
{
  double y = 1; /* y = sqrt(1 - t) */
  rig    r;

  (void)state;
  EACH(m)
  {
    int                   limit = 0;
    brink_integrator_opts o = options(m, 1e-7, 0.01);
    brink_step            step;
    brink_status          rc;
    rig_new(&r, &o, 1, sours, &limit, 0, &y);
    run(&r, 0.93);
    check_near(*brink_integrator_state(r.it), sqrt(1 - 0.93), 1e-4);
    limit = 1;
    check_status(brink_integrator_start(r.it, 0, &y), BRINK_OK);
    while ((rc = brink_integrator_advance(r.it, 0.93, &step)) == BRINK_OK)
      ;
    check_status(rc, BRINK_ENAN);
    check_text(brink_integrator_error(r.it)->text, "f[0] is");
    check_near(brink_integrator_time(r.it), 0.71, 1e-12);
    rig_free(&r);
  }
}

static int stops(double t, const double *y, double *f, void *user)
{
  int *calls = user;

  (void)t;
  f[0] = -y[0];
  return --*calls < 0 ? -1 : 0;
}

static void stop_is_obeyed_at_whatever_call(void **state)
{
  double y = 1.7;
  rig    r;

  (void)state;
  EACH(m)
  for (int k = 0; k < 40; k++) {
    int                   calls = k;
    brink_integrator_opts o = options(m, 1e-9, 0.01);
    brink_step            step;
    brink_status          rc;
    rig_new(&r, &o, 1, stops, &calls, 0.37, &y);
    while ((rc = brink_integrator_advance(r.it, 5, &step)) == BRINK_OK)
      ;
    check_status(rc, BRINK_EUSER);
    assert_int_equal(calls, -1); /* and no call after it */
    rig_free(&r);
  }
}

/* --------------------------------------------------------- stiffness ---- */

static void van_der_pol_is_stiff(void **state)
{
  double mu = 1000, y[2] = {2, 0};
  rig    r;

  (void)state;
  EACH(m)
  {
    if (!(m->stability > 0))
      continue;
    /* a fixed step just beyond the limit at x = 2, where lambda is -3 mu */
    brink_integrator_opts o = options(m, 1e-4, 1.01 * m->stability / 3000);
    rig_new(&r, &o, 2, van_der_pol, &mu, 0, y);
    assert_int_equal(run(&r, is_fixed(m) ? 0.1 : 1), 1); /* said, and said once */
    rig_free(&r);
  }
}

static void arenstorf_is_not_stiff(void **state)
{
  rig r;

  (void)state;
  EACH(m)
  for (int k = 4; k <= 8; k += 2) {
    brink_integrator_opts o = options(m, pow(10, -k), 1e-3);
    rig_new(&r, &o, 4, arenstorf, NULL, 0, arenstorf_start);
    assert_int_equal(run(&r, ARENSTORF_PERIOD), 0);
    rig_free(&r);
  }
}

/* ------------------------------------------------------------- exact ---- */

/* The closing step is of the length asked for, has the method's accuracy and a whole
 * polynomial even where error control would have refused it. */
static void an_exact_step_is_taken_whatever_its_error(void **state)
{
  double     y[PROBLEM_N], z[PROBLEM_N], want[PROBLEM_N];
  brink_step step;
  rig        r;

  (void)state;
  problem_spiral.exact(0.37, y);
  EACH(m)
  {
    brink_integrator_opts o = options(m, 1e-15, 0.1);
    rig_new(&r, &o, 3, problem_spiral.rhs, NULL, 0.37, y);
    check_status(brink__integrator_exact(r.it, 0.37, y, 0.173, &step), BRINK_OK);
    check_near(step.h, 0.173, 0);
    for (double theta = 0.19; theta < 1; theta += 0.27) {
      brink_step_at(&step, theta, z);
      problem_spiral.exact(0.37 + theta * 0.173, want);
      for (size_t i = 0; i < 3; i++)
        check_near(z[i], want[i], 1e-2 * pow(0.5, m->dense_order));
    }
    assert_int_equal(brink_integrator_work(r.it).restarts, 1);
    /* and the run goes on from there */
    o.rtol = o.atol = 1e-6;
    check_status(brink_integrator_advance(r.it, 0.37 + 0.173 + 0.01, &step), BRINK_OK);
    rig_free(&r);
  }
}

/* ------------------------------------------------------------ scalar ---- */

/* a, w, phase */
static int swell(double t, const double *y, double *f, void *user)
{
  const double *c = user;

  f[0] = c[0] * y[0] * cos(c[1] * t + c[2]);
  return 0;
}

static int bump(double t, const double *y, double *f, void *user)
{
  const double *c = user;

  (void)y;
  f[0] = 1 / (1 + c[1] * (t - c[2]) * (t - c[2]));
  return 0;
}

/* Of one equation the estimate of dop853 vanishes now and then by accident; errors of
 * hundreds of tolerances passed. */
static void dop853_is_no_less_accurate_for_one_equation(void **state)
{
  uint64_t seed = 7331;
  rig      r;

  (void)state;
  for (int i = 0; i < 600; i++) {
    double c[3] = {rand_in(&seed, 0.3, 3.3), rand_in(&seed, 0.3, 5.3),
                   rand_in(&seed, 0, 6.28)};
    double t0 = rand_01(&seed), t1 = t0 + rand_in(&seed, 1, 10), y = 0.1 + rand_01(&seed);
    brink_integrator_opts o = options(&brink__dop853, i & 2 ? 1e-4 : 1e-6, 0);
    double                w = sqrt(10 * c[1]), want;
    if (i & 1) {
      c[0] = fmin(c[0], c[1]);
      want = y * exp(c[0] / c[1] * (sin(c[1] * t1 + c[2]) - sin(c[1] * t0 + c[2])));
    } else {
      c[1] = w * w;
      want = y + (atan(w * (t1 - c[2])) - atan(w * (t0 - c[2]))) / w;
    }
    rig_new(&r, &o, 1, i & 1 ? swell : bump, c, t0, &y);
    run(&r, t1);
    check_near(brink_integrator_state(r.it)[0], want, 30 * o.rtol * (1 + fabs(want)));
    rig_free(&r);
  }
}

/* ------------------------------------------------------------- late ---- */

static int steady(double t, const double *y, double *f, void *user)
{
  (void)t, (void)y, (void)user;
  f[0] = 1.37;
  return 0;
}

/* Where t is rounded to 1e-7, so were the lengths of the steps, each in its own way. */
static void roundings_of_time_do_not_add_up(void **state)
{
  rig r;

  (void)state;
  EACH(m)
  {
    brink_integrator_opts o = options(m, 1e-6, 1.3e-4);
    o.h_max = 1.3e-4;
    rig_new(&r, &o, 1, steady, NULL, 1e9, (double[]){0.21});
    run(&r, 1e9 + 0.25);
    check_near(brink_integrator_state(r.it)[0], 0.21 + 1.37 * 0.25, 1e-11);
    rig_free(&r);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_tenth_of_the_tolerance_is_less_error),
    cmocka_unit_test(each_component_has_its_own_tolerance),
    cmocka_unit_test(what_stays_zero_needs_no_absolute_tolerance),
    cmocka_unit_test(no_state_grows_beyond_all_numbers),
    cmocka_unit_test(units_of_state_and_time_do_not_matter),
    cmocka_unit_test(roundings_of_late_times_are_no_errors),
    cmocka_unit_test(stars_meet_the_published_end),
    cmocka_unit_test(back_and_forth_returns_to_the_start),
    cmocka_unit_test(steps_tile_the_run),
    cmocka_unit_test(nobody_reading_changes_no_step_and_costs_no_more),
    cmocka_unit_test(evaluations_are_those_announced),
    cmocka_unit_test(no_step_is_longer_than_h_max),
    cmocka_unit_test(a_step_below_h_min_is_an_error_that_says_so),
    cmocka_unit_test(max_steps_is_news_and_a_start_counts_anew),
    cmocka_unit_test(not_here_makes_the_step_smaller),
    cmocka_unit_test(not_a_number_is_retried_and_at_last_reported),
    cmocka_unit_test(stop_is_obeyed_at_whatever_call),
    cmocka_unit_test(van_der_pol_is_stiff),
    cmocka_unit_test(arenstorf_is_not_stiff),
    cmocka_unit_test(an_exact_step_is_taken_whatever_its_error),
    cmocka_unit_test(dop853_is_no_less_accurate_for_one_equation),
    cmocka_unit_test(roundings_of_time_do_not_add_up),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
