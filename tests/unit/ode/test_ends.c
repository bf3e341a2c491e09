/* Solutions that end, with every method that is listed: near the true end, with a
 * sentence, in bounded work; and solutions that only look as if they ended. */
#include "integrate.h"

/* ---------------------------------------------------------- problems ---- */

/* One law x' = f(t, x), which runs backward as x' = -f(-t, x). */
typedef double law_fn(double t, double x);

static double square(double t, double x) { return (void)t, x * x; }
static double growth(double t, double x) { return (void)t, exp(x); }
static double tangent(double t, double x) { return (void)t, 1 + x * x; }
static double cube(double t, double x) { return (void)t, x * x * x; }
static double pole(double t, double x) { return (void)t, 1 / (1 - x); }
static double log_pole(double t, double x) { return (void)t, -1 / log(x); }
static double root(double t, double x) { return (void)t, 1 / sqrt(1 - x); }
static double odd_pole(double t, double x) { return (void)t, 1 / pow(1 - x, 3); }
static double weak_pole(double t, double x)
{
  return (void)t, copysign(1, 1 - x) / sqrt(fabs(1 - x));
}
static double in_time(double t, double x) { return (void)x, 1 / (t - 0.70031); }
static double cusp(double t, double x) { return (void)x, 1 / cbrt(t - 0.7); }
static double burst(double t, double x)
{
  (void)x;
  return t < 1.0653 ? 0.3 : 0.3 + 1 / sqrt(t - 1.0653 + 1e-300);
}
static double passable(double t, double x) { return (void)t, 1 / ((1 - x) * (1 - x)); }
static double blunt(double t, double x) { return (void)t, -x / (x * x + 1e-8); }
static double slide(double t, double x) { return 0.5 * cos(t) - (x > 0) + (x < 0); }

typedef struct ending {
  const char *name;
  law_fn *law;
  double x0, t_end;
  double loosest; /* tolerance at which it must be seen */
} ending;

static const ending endings[] = {
    {"x^2", square, 1.3, 1 / 1.3, 1},
    {"exp(x)", growth, 0.3, 0.74081822068171786607, 1},
    {"1 + x^2", tangent, 0.3, 1.2793395323170295, 1},
    {"x^3", cube, 1.3, 0.5 / 1.69, 1},
    {"1/(1 - x)", pole, 0.3, 0.245, 1},
    {"-1/log(x)", log_pole, 0.3, 0.33880815870220718, 1},
    {"1/sqrt(1 - x)", root, 0.3, 0.39044134571590187, 1},
    {"1/(1 - x)^3", odd_pole, 0.3, 0.2401 / 4, 1},
    {"s/sqrt|1 - x|", weak_pole, 0.3, 0.39044134571590187, 1e-4},
    {"1/(t - 0.70031)", in_time, 0.3, 0.70031, 1},
};

typedef struct setting {
  law_fn *law;
  double sign; /* of time                                              */
  size_t n;    /* 1, or 3: beside an oscillator, turned out of the axes */
} setting;

static int rhs(double t, const double *y, double *f, void *user)
{
  const setting *s = user;

  if (s->n == 1) {
    f[0] = s->sign * s->law(s->sign * t, y[0]);
    return 0;
  }
  double x = 0.8 * y[0] - 0.6 * y[2], z = 0.6 * y[0] + 0.8 * y[2];
  double dx = s->sign * s->law(s->sign * t, x), dz = 3.1 * y[1];
  f[0] = 0.8 * dx + 0.6 * dz;
  f[1] = -3.1 * z;
  f[2] = 0.8 * dz - 0.6 * dx;
  return 0;
}

/* --------------------------------------------------------------- runs ---- */

typedef struct outcome {
  brink_status status;
  double t, x;
  long f_evals;
  brink_err err;
} outcome;

static outcome to_the_end(const brink_method *m, double rtol, setting s, double x0,
                          double t1)
{
  brink_ctx *ctx;
  brink_integrator *it;
  brink_integrator_opts o = brink_integrator_defaults();
  brink_ivp ivp = {s.n, rhs, &s};
  double y[3] = {x0, 0, 0};
  brink_step step;
  outcome r = {0};

  if (s.n == 3) {
    y[0] = 0.8 * x0 + 0.6 * 0.41;
    y[2] = 0.8 * 0.41 - 0.6 * x0;
  }
  o.method = m->name;
  o.rtol = rtol;
  o.h0 = is_fixed(m) ? 1e-3 : 0;
  o.max_steps = 100000;
  check_status(brink_ctx_new(NULL, &ctx), BRINK_OK);
  check_status(brink_integrator_new(ctx, &ivp, &o, &it), BRINK_OK);
  check_status(brink_integrator_start(it, 0, y), BRINK_OK);
  do
    r.status = brink_integrator_advance(it, t1, &step);
  while (r.status == BRINK_OK || r.status == BRINK_STIFF);
  r.t = brink_integrator_time(it);
  r.x = brink_integrator_state(it)[0];
  r.f_evals = brink_integrator_work(it).f_evals;
  r.err = *brink_integrator_error(it);
  brink_integrator_free(it);
  brink_ctx_free(ctx);
  return r;
}

static void ends(const brink_method *m, const ending *e, double rtol, setting s)
{
  outcome r = to_the_end(m, rtol, s, e->x0, 20 * s.sign);
  double off = fabs(s.sign * r.t - e->t_end);
  double allowed = is_fixed(m) ? 3e-3 : 30 * rtol;

  if (r.status >= 0 || off > allowed)
    print_error("%s, n = %zu, %s at %g, %s: status %d at t = %.12g\n", e->name, s.n,
                m->name, rtol, s.sign > 0 ? "forward" : "backward", (int)r.status, r.t);
  assert_true(r.status == BRINK_ESTEP || r.status == BRINK_ENAN);
  check_near(r.err.t, r.t, 2e-3 * e->t_end);
  check_text(r.err.text, "t = ");
  check_text(r.err.text, "f[");
  check_in(off, 0, allowed);
  check_in((double)r.f_evals, 10, 100000);
}

static void a_run_ends_where_the_solution_does(void **state)
{
  static const double tol[] = {1e-3, 1e-4, 1e-6, 1e-9};

  (void)state;
  for (size_t i = 0; i < BRINK__COUNT(endings); i++)
    EACH(m)
  for (size_t k = 0; k < BRINK__COUNT(tol); k++)
    for (int back = 0; back < 2; back++)
      for (size_t n = 1; n <= 3; n += 2)
        if (tol[k] <= endings[i].loosest)
          ends(m, &endings[i], tol[k], (setting){endings[i].law, back ? -1 : 1, n});
}

/* The sentence tells a pole from a step size that vanishes for other reasons. */
static void an_end_between_two_slopes_is_told_as_such(void **state)
{
  (void)state;
  EACH(m)
  {
    outcome r = to_the_end(m, 1e-6, (setting){pole, 1, 1}, 0.3, 20);
    check_text(r.err.text, "the solution ends at t = 0.24");
    check_text(r.err.text, "its slope becomes infinite: f[0] is");
    assert_true(r.x < 1.001);
  }
}

/* ------------------------------------------------------------ no ends ---- */

static void a_cusp_is_passed(void **state)
{
  double want = 0.3 + 1.5 * (pow(2.3, 2.0 / 3) - pow(0.7, 2.0 / 3));

  (void)state;
  EACH(m)
  {
    outcome r = to_the_end(m, 1e-5, (setting){cusp, 1, 1}, 0.3, 3);
    check_status(r.status, BRINK_END);
    if (!is_fixed(m))
      check_near(r.x, want, 2e-3);
  }
}

/* The slope leaps to infinity and has an integral.  Seen from before, that is a jump,
 * but none that can be enclosed as closely as its height demands. */
static void a_jump_to_an_infinite_slope_is_passed(void **state)
{
  double want = 0.1 + 0.9 + 2 * sqrt(3 - 1.0653);

  (void)state;
  for (double rtol = 1e-3; rtol > 1e-8; rtol /= 10)
    EACH(m)
    {
      outcome r = to_the_end(m, rtol, (setting){burst, 1, 1}, 0.1, 3);
      if (is_fixed(m))
        continue;
      check_status(r.status, BRINK_END);
      check_near(r.x, want, 30 * sqrt(rtol));
    }
}

/* At a strict tolerance a high jump of f cannot be enclosed as closely as its height
 * demands, since t tells no shorter times apart: it is passed all the same. */
static double leap(double t, double x)
{
  return -1e5 * (x - (t < 3.18798356 ? 1.5 : -2));
}

static void a_high_jump_is_passed_at_strict_tolerances(void **state)
{
  static const double tol[] = {1e-10, 1e-11, 1e-12, 1e-13};

  (void)state;
  for (size_t i = 0; i < BRINK__COUNT(tol); i++) {
    outcome r =
        to_the_end(brink__method_find("radau"), tol[i], (setting){leap, 1, 1}, 0.3, 4);
    check_status(r.status, BRINK_END);
    check_near(r.x, -2, 1e-8);
  }
}

/* x = 1 - cbrt(0.343 - 3 t) has an infinite slope once and goes on. */
static void a_slope_that_is_infinite_once_is_passed_rightly_or_told(void **state)
{
  (void)state;
  for (double rtol = 1e-3; rtol > 1e-10; rtol /= 10)
    EACH(m)
    {
      outcome r = to_the_end(m, rtol, (setting){passable, 1, 1}, 0.3, 20);
      if (r.status == BRINK_END && !is_fixed(m))
        check_near(r.x, 1 - cbrt(0.343 - 60), 15 * rtol);
      else if (!is_fixed(m))
        check_near(r.t, 0.343 / 3, 5 * rtol);
    }
}

static void what_is_steep_but_finite_goes_on(void **state)
{
  static const struct {
    law_fn *law;
    double x0, t1, want;
  } v[] = {{blunt, 0.0331, 0.001, 0}, {slide, 0.0331, 0.0664, 0}};

  (void)state;
  for (size_t i = 0; i < BRINK__COUNT(v); i++)
    EACH(m)
    {
      if (is_fixed(m))
        continue;
      outcome r = to_the_end(m, 1e-4, (setting){v[i].law, 1, 1}, v[i].x0, v[i].t1);
      check_status(r.status, BRINK_END);
      check_near(r.x, v[i].want, 1e-3);
    }
}

static void a_stiff_problem_is_slow_but_no_end(void **state)
{
  (void)state;
  EACH(m)
  {
    if (m->flags & BRINK__CHOOSES)
      continue; /* it helps itself */
    double mu = 100;
    brink_ctx *ctx;
    brink_integrator *it;
    brink_integrator_opts o = brink_integrator_defaults();
    brink_ivp ivp = {2, van_der_pol, &mu};
    int stiff = 0;
    brink_status rc;
    if (is_fixed(m))
      continue;
    o.method = m->name;
    check_status(brink_ctx_new(NULL, &ctx), BRINK_OK);
    check_status(brink_integrator_new(ctx, &ivp, &o, &it), BRINK_OK);
    brink_integrator_start(it, 0, (double[]){2, 0});
    while ((rc = brink_integrator_advance(it, 31, NULL)) >= 0 && rc != BRINK_END)
      stiff |= rc == BRINK_STIFF;
    check_status(rc, BRINK_END);
    /* a method need not say so */
    assert_int_equal(stiff, m->stability > 0 && isfinite(m->stability));
    brink_work w = brink_integrator_work(it);
    check_in((double)w.look_evals, 0, 0.03 * (double)w.f_evals);
    brink_integrator_free(it);
    brink_ctx_free(ctx);
  }
}

/* ------------------------------------------------------- smallest step ---- */

/* Steps so small that time stands still were taken for ever. */
static void a_fixed_step_that_time_does_not_notice_is_refused(void **state)
{
  brink_ctx *ctx;
  brink_integrator *it;
  brink_integrator_opts o = brink_integrator_defaults();
  setting s = {square, 1, 1};
  brink_ivp ivp = {1, rhs, &s};

  (void)state;
  o.method = "rk4";
  o.h0 = 1e-17;
  check_status(brink_ctx_new(NULL, &ctx), BRINK_OK);
  check_status(brink_integrator_new(ctx, &ivp, &o, &it), BRINK_OK);
  brink_integrator_start(it, 2.37, (double[]){0.3});
  check_status(brink_integrator_advance(it, 3, NULL), BRINK_ESTEP);
  check_text(brink_integrator_error(it)->text, "step size 1e-17 at t = 2.37 is below");
  brink_integrator_free(it);
  brink_ctx_free(ctx);
}

/* A first step below that is made longer. */
static void a_first_step_is_never_below_the_smallest(void **state)
{
  (void)state;
  EACH(m)
  {
    brink_ctx *ctx;
    brink_integrator *it;
    brink_integrator_opts o = brink_integrator_defaults();
    setting s = {tangent, 1, 1};
    brink_ivp ivp = {1, rhs, &s};
    brink_status rc;
    if (is_fixed(m))
      continue;
    o.method = m->name;
    o.h0 = 1e-17;
    check_status(brink_ctx_new(NULL, &ctx), BRINK_OK);
    check_status(brink_integrator_new(ctx, &ivp, &o, &it), BRINK_OK);
    brink_integrator_start(it, 2.37, (double[]){0.3});
    while ((rc = brink_integrator_advance(it, 3, NULL)) == BRINK_OK)
      continue;
    check_status(rc, BRINK_END);
    check_near(brink_integrator_state(it)[0], tan(atan(0.3) + 0.63), 1e-4);
    brink_integrator_free(it);
    brink_ctx_free(ctx);
  }
}

static void a_tolerance_finer_than_rounding_is_named(void **state)
{
  brink_ctx *ctx;
  brink_integrator *it;
  brink_integrator_opts o = brink_integrator_defaults();
  setting s = {tangent, 1, 1};
  brink_ivp ivp = {1, rhs, &s};
  brink_status rc;

  (void)state;
  o.rtol = 0;
  o.atol = 1e-300;
  check_status(brink_ctx_new(NULL, &ctx), BRINK_OK);
  check_status(brink_integrator_new(ctx, &ivp, &o, &it), BRINK_OK);
  brink_integrator_start(it, 2.37, (double[]){0.3});
  while ((rc = brink_integrator_advance(it, 3, NULL)) == BRINK_OK)
    continue;
  check_status(rc, BRINK_ESTEP);
  check_text(brink_integrator_error(it)->text, "no step from t = 2.37");
  check_text(brink_integrator_error(it)->text, "the tolerance is finer than rounding");
  brink_integrator_free(it);
  brink_ctx_free(ctx);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_run_ends_where_the_solution_does),
      cmocka_unit_test(an_end_between_two_slopes_is_told_as_such),
      cmocka_unit_test(a_cusp_is_passed),
      cmocka_unit_test(a_jump_to_an_infinite_slope_is_passed),
      cmocka_unit_test(a_high_jump_is_passed_at_strict_tolerances),
      cmocka_unit_test(a_slope_that_is_infinite_once_is_passed_rightly_or_told),
      cmocka_unit_test(what_is_steep_but_finite_goes_on),
      cmocka_unit_test(a_stiff_problem_is_slow_but_no_end),
      cmocka_unit_test(a_fixed_step_that_time_does_not_notice_is_refused),
      cmocka_unit_test(a_first_step_is_never_below_the_smallest),
      cmocka_unit_test(a_tolerance_finer_than_rounding_is_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
