/* test_bounds.c -- IVP(f, H, K): bounds of K that move, cross each other or are asked
 * for.
 */
#include "hybrid.h"

#include <math.h>

static int fall(double t, const double *y, double *f, const brink_env *e)
{
  (void)t, (void)e;
  f[0] = y[1];
  f[1] = -9.8;
  return 0;
}

static void lift(double t, const double *x, size_t i, double *lower, double *upper,
                 const brink_env *e)
{
  (void)x, (void)e;
  if (i == 0) {
    *lower = 0.1 * sin(3 * t);
    *upper = 2;
  }
}

/* mirror the speed relative to the plate */
static int from_plate(brink_boundary *b)
{
  double plate = 0.3 * cos(3 * b->t);

  if (b->at[0] < 0)
    b->x[1] = plate - 0.8 * (b->x[1] - plate);
  return 0;
}

static void a_bound_may_move(void **state)
{
  const brink_constrained_def def = {
      .n = 2, .rhs = fall, .bounds = lift, .boundary = from_plate};
  static const double high[] = {1, 0};
  brink_sim_opts opt = brink_sim_defaults();

  (void)state;
  opt.rtol = 1e-11;
  opt.atol = 1e-14;
  rig r = rig_constrained(&def, &opt, 0, high);
  check_status(brink_sim_run(r.sim, 2.3), BRINK_END);
  assert_true(rig_events(&r) >= 3);

  /* by hand: parabolas, and a bisection for their meeting with the plate */
  double t0 = 0, x = 1, v = 0;
  for (size_t k = 0; k < 3; k++) {
    double lo = 1e-3, hi = 1e-3;
    while (x + v * hi - 4.9 * hi * hi > 0.1 * sin(3 * (t0 + hi)))
      hi += 1e-3;
    for (int i = 0; i < 80; i++) {
      double m = 0.5 * (lo + hi);
      if (x + v * m - 4.9 * m * m > 0.1 * sin(3 * (t0 + m)))
        lo = m;
      else
        hi = m;
    }
    brink_event e = rig_event(&r, k);
    check_near(e.t, t0 + hi, 1e-10);
    t0 += hi;
    x = 0.1 * sin(3 * t0);
    double plate = 0.3 * cos(3 * t0);
    v = plate - 0.8 * (v - 9.8 * hi - plate);
    check_near(e.y_after[1], v, 1e-9);
  }
  rig_free(&r);
}

static void closing(double t, const double *x, size_t i, double *lower, double *upper,
                    const brink_env *e)
{
  (void)x, (void)e, (void)i;
  *lower = -1 + 0.3 * t;
  *upper = 1 - 0.5 * t;
}

static int still(double t, const double *y, double *f, const brink_env *e)
{
  (void)t, (void)y, (void)e;
  f[0] = -0.1;
  return 0;
}

static int unused(brink_boundary *b)
{
  (void)b;
  fail_msg("H was called");
  return 0;
}

static void bounds_that_cross_end_the_run_and_are_named(void **state)
{
  const brink_constrained_def def = {
      .n = 1, .rhs = still, .bounds = closing, .boundary = unused};
  const char *name[] = {"q"};
  brink_constrained_def named = def;

  (void)state;
  named.states = name;
  /* they meet at t = 2.5 at -0.25, where x arrives at the same time */
  rig r = rig_constrained(&named, NULL, 0, &(double){0});
  check_status(brink_sim_run(r.sim, 10), BRINK_EDOMAIN);
  check_text(brink_sim_error(r.sim)->text, "q has no room from t = 2.5");
  check_text(brink_sim_error(r.sim)->text, "lower bound -0.25 passes");
  check_text(brink_sim_error(r.sim)->text, "upper bound -0.25");
  rig_free(&r);

  /* empty at the start */
  r = rig_constrained(&named, NULL, 3, &(double){-0.3});
  check_status(brink_sim_run(r.sim, 10), BRINK_EDOMAIN);
  check_text(brink_sim_error(r.sim)->text, "q has no room at t = 3");
  check_text(brink_sim_error(r.sim)->text, "lower bound -0.1 exceeds");
  check_text(brink_sim_error(r.sim)->text, "upper bound -0.5");
  rig_free(&r);
}

static void above_the_line(double t, const double *x, size_t i, double *lower,
                           double *upper, const brink_env *e)
{
  (void)t, (void)x, (void)e;
  *lower = i == 0 ? 3 : -HUGE_VAL; /* not asked for */
  *upper = i == 0 ? 0.7 : HUGE_VAL;
}

static int drifts(double t, const double *y, double *f, const brink_env *e)
{
  (void)t, (void)y, (void)e;
  f[0] = 0.31;
  f[1] = -1.7;
  return 0;
}

static int note_where(brink_boundary *b)
{
  b->w[0] = b->upper[0];
  b->stop = 1;
  return 0;
}

static void bounds_that_are_not_listed_are_asked_for(void **state)
{
  static const double lower[] = {-1, -HUGE_VAL}, w[] = {0};
  const brink_constrained_def def = {.n = 2,
                                     .rhs = drifts,
                                     .lower = lower,
                                     .bounds = above_the_line,
                                     .boundary = note_where,
                                     .w = w,
                                     .n_w = 1};

  (void)state;
  rig r = rig_constrained(&def, NULL, 0, (double[]){0.08, 0});
  check_status(brink_sim_run(r.sim, 10), BRINK_TERMINATED);
  check_near(brink_sim_time(r.sim), 2, 1e-12);
  check_near(brink_sim_w(r.sim)[0], 0.7, 0);
  rig_free(&r);
}

static void narrowing(double t, const double *x, size_t i, double *lower, double *upper,
                      const brink_env *e)
{
  (void)x, (void)e, (void)i;
  *lower = 0.3 * t - 1;
  *upper = 1 - 0.2 * t;
}

static int resting(double t, const double *y, double *f, const brink_env *e)
{
  (void)t, (void)y, (void)e;
  f[0] = 0;
  return 0;
}

static int to_the_middle(brink_boundary *b)
{
  b->x[0] = b->lower[0] / 2 + b->upper[0] / 2;
  return 0;
}

/* The last jump lands where less than the rounding of the bounds is left. */
static void a_bound_exceeds_another_only_where_it_does(void **state)
{
  const brink_constrained_def def = {
      .n = 1, .rhs = resting, .bounds = narrowing, .boundary = to_the_middle};
  brink_sim_opts opt = brink_sim_defaults();
  double lower, upper;

  (void)state;
  opt.zeno = BRINK_ZENO_STEP;
  opt.zeno_gap = 1e-300; /* down to rounding */
  rig r = rig_constrained(&def, &opt, 0.37, &(double){0.1234});
  check_status(brink_sim_run(r.sim, 50), BRINK_EDOMAIN);
  const brink_err *err = brink_sim_error(r.sim);
  check_near(err->t, 4, 1e-13);
  narrowing(err->t, NULL, 0, &lower, &upper, NULL);
  check_text(err->text, lower > upper ? "exceeds" : "passes");
  rig_free(&r);
}

static void constant_bounds_that_cross_are_refused(void **state)
{
  static const double lower[] = {0.5}, upper[] = {-0.25};
  const brink_constrained_def def = {
      .n = 1, .rhs = still, .lower = lower, .upper = upper, .boundary = unused};
  brink_ctx *ctx = NULL;
  brink_model *model = NULL;

  (void)state;
  check_status(brink_ctx_new(NULL, &ctx), BRINK_OK);
  check_status(brink_constrained_new(ctx, &def, &model), BRINK_EARG);
  assert_null(model);
  check_text(brink_ctx_error(ctx)->text,
             "lower bound 0.5 exceeds its upper bound -0.25");
  brink_ctx_free(ctx);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_bound_may_move),
      cmocka_unit_test(bounds_that_cross_end_the_run_and_are_named),
      cmocka_unit_test(a_bound_exceeds_another_only_where_it_does),
      cmocka_unit_test(constant_bounds_that_cross_are_refused),
      cmocka_unit_test(bounds_that_are_not_listed_are_asked_for),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
