/* The integrator with every method that is listed: directions, limits, refusals,
 * stiffness. */
#include "integrate.h"

#include <string.h>

/* -------------------------------------------------------- directions ---- */

static void back_and_forth_returns_to_the_start(void **state)
{
  double y[PROBLEM_N];
  rig r;

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
  double y[PROBLEM_N], z[PROBLEM_N];
  brink_step step;
  rig r;

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
  double y[PROBLEM_N];
  brink_step step;
  rig r, q;

  (void)state;
  problem_kepler.exact(0.37, y);
  EACH(m)
  {
    brink_integrator_opts o = options(m, 1e-8, 0.0173);
    rig_new(&r, &o, 4, problem_kepler.rhs, NULL, 0.37, y);
    rig_new(&q, &o, 4, problem_kepler.rhs, NULL, 0.37, y);
    brink__integrator_reads(q.it, 0);
    long saved = 0; /* three stages for each step of dop853 */
    while (brink_integrator_advance(r.it, 4.61, &step) == BRINK_OK) {
      if (m->order == 8 && brink__integrator_acting(r.it) == &brink__dop853)
        saved += 3;
      /* both ways of saying so: no step, or a word before */
      int quiet = brink_integrator_work(q.it).steps % 2 != 0;
      check_status(brink_integrator_advance(q.it, 4.61, quiet ? NULL : &step),
                   BRINK_OK);
      check_near(brink_integrator_time(q.it), brink_integrator_time(r.it), 0);
      check_near(brink_integrator_state(q.it)[2], brink_integrator_state(r.it)[2], 0);
    }
    long read = brink_integrator_work(r.it).f_evals;
    long unread = brink_integrator_work(q.it).f_evals;
    assert_int_equal(read - unread, saved);
    rig_free(&r);
    rig_free(&q);
  }
}

/* What the heads of the files promise: the last stage is the next step's first, and
 * pairs that do not need it for their error do not take it for a rejected step. */
static void evaluations_are_those_announced(void **state)
{
  static const struct {
    const char *name;
    long accepted, rejected;
  } cost[] = {{"rk4", 4, 0},
              {"bs23", 3, 3},
              {"rkf45", 6, 5},
              {"dopri5", 6, 6},
              {"dop853", 12, 11}};
  rig r;

  (void)state;
  for (size_t i = 0; i < BRINK__COUNT(cost); i++) {
    brink_integrator_opts o = options(brink__method_find(cost[i].name), 1e-5, 0.01);
    long begin = o.h0 > 0 ? 1 : 3; /* two for the first step */
    o.search = 0;
    rig_new(&r, &o, 4, arenstorf, NULL, 0, arenstorf_start);
    brink__integrator_reads(r.it, 0);
    run(&r, ARENSTORF_PERIOD);
    brink_work w = brink_integrator_work(r.it);
    assert_true(o.h0 > 0 || w.rejected > 5);
    long steps = cost[i].accepted * w.steps + cost[i].rejected * w.rejected;
    /* a few more, where f turns back: is that a pole? */
    check_in((double)w.f_evals, (double)(begin + steps), (double)(begin + steps + 8));
    assert_int_equal(w.look_evals, 0);
    rig_free(&r);
  }
}

/* ------------------------------------------------------------ limits ---- */

static void no_step_is_longer_than_h_max(void **state)
{
  double y[PROBLEM_N];
  brink_step step;
  rig r;

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
  double y = sin(exp(14 * -0.37));
  brink_step step;
  rig r;

  (void)state;
  EACH(m)
  {
    if (is_fixed(m))
      continue;
    brink_integrator_opts o = options(m, 1e-8, 0);
    brink_status rc;
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
  double y[PROBLEM_N];
  brink_step step;
  rig r;

  (void)state;
  problem_kepler.exact(0.37, y);
  EACH(m)
  {
    brink_integrator_opts o = options(m, 1e-12, 0.001);
    o.max_steps = 7;
    rig_new(&r, &o, 4, problem_kepler.rhs, NULL, 0.37, y);
    for (int round = 0; round < 2; round++) {
      brink_status rc;
      int taken = 0;
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
  rig r;

  (void)state;
  EACH(m)
  {
    double wall[3] = {1.2347, 0, 0};
    brink_integrator_opts o = options(m, 1e-6, 0.3);
    brink_step step;
    brink_status rc;
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
  rig r;

  (void)state;
  EACH(m)
  {
    int limit = 0;
    brink_integrator_opts o = options(m, 1e-7, 0.01);
    brink_step step;
    brink_status rc;
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
  rig r;

  (void)state;
  EACH(m)
  for (int k = 0; k < 40; k++) {
    int calls = k;
    brink_integrator_opts o = options(m, 1e-9, 0.01);
    brink_step step;
    brink_status rc;
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
  rig r;

  (void)state;
  EACH(m)
  {
    if (m->flags & BRINK__CHOOSES)
      continue; /* it helps itself */
    if (!(m->stability > 0 && isfinite(m->stability)))
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
  double y[PROBLEM_N], z[PROBLEM_N], want[PROBLEM_N];
  brink_step step;
  rig r;

  (void)state;
  problem_spiral.exact(0.37, y);
  EACH(m)
  {
    /* (where an iteration does not converge to the tolerance, there is no step) */
    brink_integrator_opts o =
        options(m, m->flags & BRINK__IMPLICIT ? 1e-6 : 1e-15, 0.1);
    rig_new(&r, &o, 3, problem_spiral.rhs, NULL, 0.37, y);
    check_status(brink__integrator_exact(r.it, 0.37, y, 0.173, &step), BRINK_OK);
    check_near(step.h, 0.173, 0);
    for (double theta = 0.19; theta < 1; theta += 0.27) {
      brink_step_at(&step, theta, z);
      problem_spiral.exact(0.37 + theta * 0.173, want);
      for (size_t i = 0; i < 3; i++)
        check_near(z[i], want[i],
                   1e-2 * pow(0.5, brink__integrator_acting(r.it)->dense_order));
    }
    assert_int_equal(brink_integrator_work(r.it).restarts, 1);
    /* and the run goes on from there */
    o.rtol = o.atol = 1e-6;
    check_status(brink_integrator_advance(r.it, 0.37 + 0.173 + 0.01, &step), BRINK_OK);
    rig_free(&r);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
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
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
