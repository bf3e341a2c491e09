/* test_copy.c -- with every method that is listed: a copy taken in the middle of a run
 * goes on as the original, to the last bit; the solution anywhere in the last step;
 * error weights; options that carry their size. */
#include "integrate.h"

#include <stddef.h>
#include <string.h>

/* ---------------------------------------------------------------- copies ---- */

/* A relay and a kink hidden in f, and a smooth part. */
static int hidden(double t, const double *y, double *f, void *user)
{
  (void)user;
  f[0] = y[1];
  f[1] = -y[0] - (y[0] > 0.2 ? 0.7 : -0.4) + 0.3 * fmax(sin(1.7 * t), 0);
  f[2] = cos(y[0]) - 0.3 * y[2];
  return 0;
}

/* Both take the same steps from here to t. */
static void in_step(brink_integrator *a, brink_integrator *b, double t)
{
  brink_step p, q;
  brink_status rc;

  do {
    rc = brink_integrator_advance(a, t, &p);
    assert_int_equal(brink_integrator_advance(b, t, &q), rc);
    if (rc == BRINK_END)
      break;
    assert_true(rc == BRINK_OK || rc == BRINK_STIFF);
    assert_int_equal(p.degree, q.degree);
    assert_memory_equal(p.coeff, q.coeff,
                        p.n * ((size_t)p.degree + 1) * sizeof(double));
    assert_memory_equal(brink_integrator_state(a), brink_integrator_state(b),
                        p.n * sizeof(double));
  } while (brink_integrator_time(a) == brink_integrator_time(b));
  assert_int_equal(rc, BRINK_END);
}

static void a_copy_goes_on_as_the_original(void **state)
{
  static const double start[] = {1.1, 0.3, 0.4}, other[] = {0.7, 0.2, 0.1};

  (void)state;
  EACH(m)
  for (int after = 0; after < 60; after += 7) {
    brink_integrator_opts o = options(m, 1e-7, 0.013);
    brink_step step;
    rig a, b;
    rig_new(&a, &o, 3, hidden, NULL, 0, start);
    rig_new(&b, &o, 3, hidden, NULL, 5, other);
    for (int k = 0; k < after; k++)
      check_in(brink_integrator_advance(a.it, 11.3, &step), BRINK_OK, BRINK_STIFF);
    for (int k = 0; k < 3; k++) /* an odd number: its two polynomials change places */
      check_status(brink_integrator_advance(b.it, 9, &step), BRINK_OK);
    check_status(brink__integrator_copy(b.it, a.it), BRINK_OK);
    in_step(a.it, b.it, 11.3);
    brink_work v = brink_integrator_work(a.it), w = brink_integrator_work(b.it);
    assert_memory_equal(&v, &w, sizeof v);
    assert_true(is_fixed(m) || v.unguarded > 3);
    rig_free(&a);
    in_step(b.it, b.it, 11.3); /* nothing of the original is needed any more */
    brink_integrator_start(b.it, 0, start);
    run(&b, 3);
    rig_free(&b);
  }
}

static void a_copy_to_another_kind_is_refused(void **state)
{
  static const double y[] = {1.1, 0.3, 0.4};
  brink_integrator_opts o = options(&brink__dopri5, 1e-6, 0), q = o;
  rig a, b;

  (void)state;
  q.method = "bs23";
  rig_new(&a, &o, 3, hidden, NULL, 0, y);
  rig_new(&b, &q, 3, hidden, NULL, 0, y);
  check_status(brink__integrator_copy(b.it, a.it), BRINK_EARG);
  run(&b, 1);
  rig_free(&a);
  rig_free(&b);
}

/* ------------------------------------------------------------ last step ---- */

static void the_solution_anywhere_in_the_last_step(void **state)
{
  double y[PROBLEM_N], want[PROBLEM_N], f[PROBLEM_N], got[PROBLEM_N];
  brink_step step;

  (void)state;
  problem_kepler.exact(0.37, y);
  EACH(m)
  for (int way = -1; way <= 1; way += 2) {
    brink_integrator_opts o = options(m, 1e-9, 0.0053);
    rig r;
    rig_new(&r, &o, 4, problem_kepler.rhs, NULL, 0.37, y);
    check_status(brink_integrator_at(r.it, 0.37, 0, got), BRINK_EARG);
    for (int k = 0; k < 9; k++)
      check_status(brink_integrator_advance(r.it, 0.37 + way * 2.9, &step), BRINK_OK);
    for (int k = 0; k <= 5; k++) {
      double t = step.t0 + k / 5.0 * step.h;
      check_status(brink_integrator_at(r.it, t, 0, got), BRINK_OK);
      problem_kepler.exact(t, want);
      problem_kepler.rhs(t, want, f, NULL);
      for (int i = 0; i < 4; i++)
        check_near(got[i], want[i], m->order < 4 ? 1e-6 : 1e-7);
      check_status(brink_integrator_at(r.it, t, 1, got), BRINK_OK);
      for (int i = 0; i < 4; i++)
        check_near(got[i], f[i], 1e-4);
    }
    check_status(brink_integrator_at(r.it, step.t1, 0, got), BRINK_OK);
    for (int i = 0; i < 4; i++)
      check_near(got[i], brink_integrator_state(r.it)[i], 1e-14);
    check_status(brink_integrator_at(r.it, step.t0, m->max_degree + 1, got), BRINK_OK);
    check_near(got[2], 0, 0);
    check_status(brink_integrator_at(r.it, step.t1 + 1e-3 * step.h, 0, got),
                 BRINK_EARG);
    check_status(brink_integrator_at(r.it, step.t0 - 1e-3 * step.h, 0, got),
                 BRINK_EARG);
    check_status(brink_integrator_at(r.it, step.t0, -1, got), BRINK_EARG);
    rig_free(&r);
  }
}

/* The second derivative of steps on Kepler's orbit, and a polynomial that nobody
 * wanted. */
static void higher_derivatives_and_none(void **state)
{
  double y[PROBLEM_N], got[PROBLEM_N];
  brink_integrator_opts o = options(&brink__dop853, 1e-11, 0);
  brink_step step;
  rig r;

  (void)state;
  problem_kepler.exact(0.2, y);
  rig_new(&r, &o, 4, problem_kepler.rhs, NULL, 0.2, y);
  check_status(brink_integrator_advance(r.it, 9, NULL), BRINK_OK);
  check_status(brink_integrator_at(r.it, 0.2, 0, got), BRINK_EARG);
  check_text(brink_integrator_error(r.it)->text, "was not wanted");
  for (int k = 0; k < 4; k++)
    check_status(brink_integrator_advance(r.it, 9, &step), BRINK_OK);
  double t = step.t0 + 0.37 * step.h, e = 1e-4 * step.h, a[PROBLEM_N], b[PROBLEM_N];
  check_status(brink_integrator_at(r.it, t - e, 1, a), BRINK_OK);
  check_status(brink_integrator_at(r.it, t + e, 1, b), BRINK_OK);
  check_status(brink_integrator_at(r.it, t, 2, got), BRINK_OK);
  for (int i = 0; i < 4; i++)
    check_rel(got[i], (b[i] - a[i]) / (2 * e), 1e-6);
  rig_free(&r);
}

/* --------------------------------------------------------------- weights ---- */

static int as_tolerances(const double *y, double *w, void *user)
{
  ++*(long *)user;
  for (int i = 0; i < 4; i++)
    w[i] = 1e-9 + 1e-7 * fabs(y[i]);
  return 0;
}

static int too_small(const double *y, double *w, void *user)
{
  (void)y;
  for (int i = 0; i < 4; i++)
    w[i] = i == 2 ? *(double *)user : 1e-6;
  return 0;
}

static int stops(const double *y, double *w, void *user)
{
  (void)y, (void)w, (void)user;
  return 1;
}

/* The weights are those of the beginning of a step: nearly the same steps. */
static void weights_are_the_error_that_counts_as_one(void **state)
{
  double y[PROBLEM_N], zero = 0;
  long calls;

  (void)state;
  problem_kepler.exact(0.37, y);
  EACH(m)
  {
    brink_integrator_opts o = options(m, 1e-7, 0.0173), q = o;
    rig r, w;
    o.atol = 1e-9;
    q.rtol = 0.5; /* not used */
    q.weight = as_tolerances;
    q.weight_user = &calls;
    calls = 0;
    rig_new(&r, &o, 4, problem_kepler.rhs, NULL, 0.37, y);
    rig_new(&w, &q, 4, problem_kepler.rhs, NULL, 0.37, y);
    run(&r, 4.61);
    run(&w, 4.61);
    brink_work a = brink_integrator_work(r.it), b = brink_integrator_work(w.it);
    assert_int_equal(calls, b.steps);
    check_in((double)b.steps, 0.75 * (double)a.steps, 1.3 * (double)a.steps);
    check_in(off(&w, &problem_kepler, 4.61), 0, 1e-3);
    rig_free(&r);
    rig_free(&w);
  }
  brink_integrator_opts o = options(&brink__dopri5, 1e-7, 0);
  brink_step step;
  rig r;
  o.weight = too_small;
  o.weight_user = &zero;
  rig_new(&r, &o, 4, problem_kepler.rhs, NULL, 0.37, y);
  check_status(brink_integrator_advance(r.it, 1, &step), BRINK_EARG);
  check_text(brink_integrator_error(r.it)->text, "error weight 2 is 0 at t = 0.37");
  rig_free(&r);
  o.weight = stops;
  rig_new(&r, &o, 4, problem_kepler.rhs, NULL, 0.37, y);
  check_status(brink_integrator_advance(r.it, 1, &step), BRINK_EUSER);
  rig_free(&r);
}

/* ------------------------------------------------------------------ size ---- */

/* What a program that was compiled before the option search has not said is the
 * default. */
static void options_carry_their_size(void **state)
{
  brink_integrator_opts o = brink_integrator_defaults();
  brink_ivp ivp = {4, problem_kepler.rhs, NULL};
  brink_integrator *it;
  brink_ctx *ctx;

  (void)state;
  assert_int_equal(o.size, sizeof o);
  check_status(brink_ctx_new(NULL, &ctx), BRINK_OK);
  o.max_steps = -1;
  o.size = offsetof(brink_integrator_opts, max_steps);
  check_status(brink_integrator_new(ctx, &ivp, &o, &it), BRINK_OK);
  brink_integrator_free(it);
  o.size = sizeof o;
  check_status(brink_integrator_new(ctx, &ivp, &o, &it), BRINK_EARG);
  check_text(brink_ctx_error(ctx)->text, "max_steps");
  o.size = 0;
  check_status(brink_integrator_new(ctx, &ivp, &o, &it), BRINK_EARG);
  check_text(brink_ctx_error(ctx)->text, "brink_integrator_opts has no size");
  o.size = sizeof o + 8;
  check_status(brink_integrator_new(ctx, &ivp, &o, &it), BRINK_EARG);
  check_text(brink_ctx_error(ctx)->text, "compiled for a newer one");
  assert_null(it);
  brink_ctx_free(ctx);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_copy_goes_on_as_the_original),
      cmocka_unit_test(a_copy_to_another_kind_is_refused),
      cmocka_unit_test(the_solution_anywhere_in_the_last_step),
      cmocka_unit_test(higher_derivatives_and_none),
      cmocka_unit_test(weights_are_the_error_that_counts_as_one),
      cmocka_unit_test(options_carry_their_size),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
