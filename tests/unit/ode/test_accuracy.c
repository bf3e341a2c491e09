/* How accurate the integrator is, with every method that is listed: tolerances, units,
 * single equations, late times. */
#include "integrate.h"

#include <float.h>

/* ------------------------------------------------------- tolerances ---- */

static void a_tenth_of_the_tolerance_is_less_error(void **state)
{
  double y[PROBLEM_N];
  rig r;

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
      if (last > 0) /* the ends of steps of radau are far below the tolerance */
        check_in(e, 0, fmax(last / 10, 0.05 * o.rtol));
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
  rig r;

  (void)state;
  EACH(m)
  {
    if (is_fixed(m))
      continue;
    long steps[2];
    double y[2] = {1.37, 0.61}, error[2];
    for (int loose = 0; loose < 2; loose++) {
      brink_integrator_opts o = options(m, 1e-9, 0);
      o.rtol = 0;
      atol_i[1] = loose ? 1e3 : 1e-9;
      o.atol_i = atol_i;
      rig_new(&r, &o, 2, pair, NULL, 0.37, y);
      run(&r, 2.91);
      const double *z = brink_integrator_state(r.it);
      double a = 1.37 * exp((sin(3.1 * 0.37) - sin(3.1 * 2.91)) / 3.1);
      double b = 0.61 * exp(sin(7.3 * 2.91) - sin(7.3 * 0.37));
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
  rig r;

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
    brink_status rc;
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

/* A stiff state beside one whose slope changes all at once at *user. */
static int switched(double t, const double *y, double *f, void *user)
{
  f[0] = -1e5 * (y[0] - cos(t)) - sin(t);
  f[1] = t > *(const double *)user ? -3 : 2;
  return 0;
}

/* Where in a step it lies does not matter, not even before the first stage of an
 * implicit method; found, or left to the control of errors. */
static void a_switch_before_the_first_stage_is_seen(void **state)
{
  static const int orders[] = {5, 9, 13, 0};

  (void)state;
  for (size_t k = 0; k < 2 * BRINK__COUNT(orders); k++)
    for (int i = 0; i < 200; i++) {
      double at = 0.317 + 0.00262 * i, tol = k % 2 ? 1e-6 : 1e-9;
      for (int search = 0; search < 2; search++) {
        brink_integrator_opts o = options(&brink__radau, tol, 0);
        rig r;
        o.order = orders[k / 2];
        o.search = search;
        rig_new(&r, &o, 2, switched, &at, 0, (double[]){1, 0.21});
        run(&r, 1.09);
        check_near(brink_integrator_state(r.it)[1], 0.21 + 2 * at - 3 * (1.09 - at),
                   (search ? 1 : 100) * tol);
        rig_free(&r);
      }
    }
}

static void units_of_state_and_time_do_not_matter(void **state)
{
  static const double units[][2] = {{1, 1},          {1, 1e290},  {1, 1e-290},
                                    {1e150, 1e150},  {1e-150, 1}, {1e300, 1e140},
                                    {1e-150, 1e-150}};
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
    double worst = 0;
    rig_new(&r, &o, PLEIADES_N, pleiades, NULL, 0, pleiades_start);
    run(&r, 3);
    for (int i = 0; i < PLEIADES_N; i++)
      worst = fmax(worst, fabs(brink_integrator_state(r.it)[i] - pleiades_end[i]));
    check_in(worst, 0, 2e-6);
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
  rig r;

  (void)state;
  for (int i = 0; i < 600; i++) {
    double c[3] = {rand_in(&seed, 0.3, 3.3), rand_in(&seed, 0.3, 5.3),
                   rand_in(&seed, 0, 6.28)};
    double t0 = rand_01(&seed), t1 = t0 + rand_in(&seed, 1, 10),
           y = 0.1 + rand_01(&seed);
    brink_integrator_opts o = options(&brink__dop853, i & 2 ? 1e-4 : 1e-6, 0);
    double w = sqrt(10 * c[1]), want;
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
      cmocka_unit_test(a_switch_before_the_first_stage_is_seen),
      cmocka_unit_test(units_of_state_and_time_do_not_matter),
      cmocka_unit_test(roundings_of_late_times_are_no_errors),
      cmocka_unit_test(stars_meet_the_published_end),
      cmocka_unit_test(dop853_is_no_less_accurate_for_one_equation),
      cmocka_unit_test(roundings_of_time_do_not_add_up),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
