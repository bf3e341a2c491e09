/* Adams: the prediction of the papers, rejected attempts, order selection, honest
 * errors, what a restart costs.  (Orders: order/test_adams.c.) */
#include "hybrid.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/core.h"
#include "models.h"
#include "ode/adams.h"
#include "problems.h"

enum { MOST = 12 };

/* --------------------------------------------------- the method alone ---- */

typedef struct bare {
  brink_flow flow;
  brink__gate gate;
  max_align_t state[1024];
} bare;

static int kepler(const brink_flow *flow, double t, const double *y, double *f)
{
  (void)flow;
  return problem_kepler.rhs(t, y, f, NULL);
}

static void bare_start(bare *b, int order)
{
  brink_integrator_opts opt = {.order = order};

  memset(b, 0, sizeof *b);
  b->flow = (brink_flow){.n = 4, .rhs = kepler, .reason = brink__no_reason};
  b->gate.flow = &b->flow;
  assert_true(brink__adams.state_size(&b->flow, &opt) <= sizeof b->state);
  check_status(brink__adams.open(b->state, NULL, &b->flow, &opt), BRINK_OK);
  brink__adams.ended(b->state, 0.37);
  brink__adams.start(b->state, 4);
}

/* Stands on Kepler's orbit at 0.37, the past at steps of 0.05. */
static void bare_seed(bare *b, int order, double *y, double (*f)[4])
{
  double at[4];

  bare_start(b, order);
  for (int i = 0; i < MOST; i++) {
    problem_kepler.exact(0.37 - 0.05 * i, at);
    problem_kepler.rhs(0, at, f[i], NULL);
  }
  brink__adams_seed(b->state, 4, 0.05, f[0], MOST);
  problem_kepler.exact(0.37, y);
}

/* [EK07, Example 2.8], [DL15, (10)]: beta_1 = 1 + h/(2 h_k), beta_2 = -h/(2 h_k). */
static void two_values_predict_as_in_the_papers(void **state)
{
  double y[4], f[MOST][4], coeff[4 * (MOST + 1)], h = 0.0731;
  bare b;

  (void)state;
  bare_seed(&b, 3, y, f);
  assert_int_equal(brink__adams.predict(b.state, 4, 0.37, h, y, coeff), 2);
  for (int i = 0; i < 4; i++) {
    double *c = coeff + 3 * i, b1 = 1 + h / (2 * 0.05), b2 = -h / (2 * 0.05);
    check_near(c[0], y[i], 0);
    check_near(c[1], h * f[0][i], 1e-16);
    check_near(c[0] + c[1] + c[2], y[i] + h * (b1 * f[0][i] + b2 * f[1][i]), 4e-16);
  }
}

/* The prediction is one polynomial in h, whatever h it is asked for. */
static void a_longer_prediction_is_the_same_polynomial(void **state)
{
  double y[4], f[MOST][4], a[4 * (MOST + 1)], c[4 * (MOST + 1)];
  bare b;

  (void)state;
  for (int order = 1; order <= MOST; order++) {
    bare_seed(&b, order, y, f);
    int degree = brink__adams.predict(b.state, 4, 0.37, 0.031, y, a);
    assert_int_equal(brink__adams.predict(b.state, 4, 0.37, 0.079, y, c), degree);
    for (int i = 0; i < 4 * (degree + 1); i++)
      check_near(a[i] * pow(0.079 / 0.031, i % (degree + 1)), c[i],
                 1e-10 * fabs(c[i]) + 1e-15);
    assert_int_equal(brink__adams.predict(b.state, 4, 0.37, -0.031, y, a), 0);
    bare_start(&b, order);
    assert_int_equal(brink__adams.predict(b.state, 4, 0.37, 0.031, y, a), 0);
    assert_int_equal(b.gate.f_evals, 0);
  }
}

/* [HNW93, III.1]: C = gamma*_m / gamma_m at constant step. */
static void milnes_constant_is_that_of_the_tables(void **state)
{
  static const double want[] = {0,         1,         1. / 5,      1. / 9,
                                19. / 251, 27. / 475, 863. / 19087};
  double y[4], f[MOST][4];
  bare b;

  (void)state;
  for (int m = 1; m <= 6; m++) {
    bare_seed(&b, m + 1, y, f);
    check_rel(brink__adams_constant(b.state, 0.05), want[m], 1e-13);
  }
  bare_start(&b, 4);
  check_near(brink__adams_constant(b.state, 0.05), 0, 0);
}

/* The error reported is C |y^p - y| in the norm, and near the true one of (5). */
static void the_error_is_milnes(void **state)
{
  double y[4], f[MOST][4], coeff[4 * (MOST + 1)], h = 0.0613;
  brink__tol tol = {.rtol = 0, .atol = 1};
  brink__outcome out = {0};
  bare b;

  (void)state;
  for (int order = 2; order <= MOST; order++) {
    bare_seed(&b, order, y, f);
    int degree = brink__adams.predict(b.state, 4, 0.37, h, y, coeff);
    double C = brink__adams_constant(b.state, h), sum = 0, p[4];
    check_status(brink__adams.attempt(b.state, &b.gate, &tol, 0.37, h, y, &out),
                 BRINK_OK);
    assert_int_equal(b.gate.f_evals, 2);
    brink_step ahead = {0.37, h, 0.37 + h, 4, degree, coeff};
    brink_step_at(&ahead, 1, p);
    for (int i = 0; i < 4; i++)
      sum += pow(C * (p[i] - brink__adams.candidate(b.state, 4)[i]), 2);
    check_near(out.err, sqrt(sum / 4), 1e-7 * out.err + 1e-17);
  }
}

static void a_rejected_attempt_leaves_no_trace(void **state)
{
  double y[4], f[MOST][4], h = 0.9, first[4];
  brink__tol tol = {.rtol = 1e-9, .atol = 1e-9};
  brink__outcome out = {0};
  bare b;

  (void)state;
  for (int order = 1; order <= MOST; order++)
    for (int twice = 0; twice < 2; twice++) {
      bare_seed(&b, order, y, f);
      for (int i = 0; i < 2 * twice; i++) {
        h = i ? 0.9 : 0.4;
        check_status(brink__adams.attempt(b.state, &b.gate, &tol, 0.37, h, y, &out),
                     BRINK_OK);
        check_in(out.err, 1.1, HUGE_VAL);
      }
      h = 0.0007;
      check_status(brink__adams.attempt(b.state, &b.gate, &tol, 0.37, h, y, &out),
                   BRINK_OK);
      for (int i = 0; i < 4; i++)
        if (twice)
          check_near(brink__adams.candidate(b.state, 4)[i], first[i], 0);
      memcpy(first, brink__adams.candidate(b.state, 4), sizeof first);
    }
}

/* --------------------------------------------------------- whole runs ---- */

typedef struct outcome {
  double error;
  long f_evals, steps;
  double order; /* mean over the steps */
} outcome;

static outcome run(size_t n, brink_ivp_fn *rhs, double t0, const double *y0, double t1,
                   const double *want, double tol, int order)
{
  brink_ivp ivp = {n, rhs, NULL};
  brink_integrator_opts o = brink_integrator_defaults();
  brink_integrator *it;
  brink_ctx *ctx;
  brink_status rc;
  brink_step step;
  outcome out = {0};

  o.method = "adams";
  o.rtol = o.atol = tol;
  o.order = order;
  o.max_steps = 400000;
  check_status(brink_ctx_new(NULL, &ctx), BRINK_OK);
  check_status(brink_integrator_new(ctx, &ivp, &o, &it), BRINK_OK);
  check_status(brink_integrator_start(it, t0, y0), BRINK_OK);
  while ((rc = brink_integrator_advance(it, t1, &step)) == BRINK_OK)
    out.order += step.degree;
  check_status(rc, BRINK_END);
  for (size_t i = 0; i < n; i++)
    out.error = fmax(out.error, fabs(brink_integrator_state(it)[i] - want[i]));
  out.f_evals = brink_integrator_work(it).f_evals;
  out.steps = brink_integrator_work(it).steps;
  out.order /= (double)out.steps;
  brink_integrator_free(it);
  brink_ctx_free(ctx);
  return out;
}

/* Beside every fixed order at the same tolerance (whose errors are larger: they do not
 * look at the rest of the series), and the orders rise with the accuracy. */
static void select_orders(const char *name, size_t n, brink_ivp_fn *rhs,
                          const double *y0, double t1, const double *want)
{
  double last = 0;

  for (int k = 5; k <= 11; k += 3) {
    double tol = pow(10, -k);
    outcome a = run(n, rhs, 0, y0, t1, want, tol, 0);
    long best = 0;
    int best_order = 0;
    for (int order = 4; order <= MOST; order++) {
      outcome b = run(n, rhs, 0, y0, t1, want, tol, order);
      if (!best || b.f_evals < best) {
        best = b.f_evals;
        best_order = order;
      }
    }
    print_message(
        "  %-9s 1e-%d: %ld evaluations, mean order %.1f, error %.1e; best of the "
        "fixed: order %d, %ld\n",
        name, k, a.f_evals, a.order, a.error, best_order, best);
    check_in((double)a.f_evals, 0, 1.33 * (double)best);
    check_in(a.order, last + 0.5, MOST);
    last = a.order;
  }
}

static void no_fixed_order_is_a_third_cheaper(void **state)
{
  (void)state;
  select_orders("arenstorf", 4, arenstorf, arenstorf_start, ARENSTORF_PERIOD,
                arenstorf_start);
  select_orders("pleiades", PLEIADES_N, pleiades, pleiades_start, 3, pleiades_end);
}

static void errors_are_proportional_to_the_tolerance(void **state)
{
  static const problem *const two[] = {&problem_spiral, &problem_kepler};

  (void)state;
  for (int i = 0; i < 2; i++) {
    const problem *p = two[i];
    double y0[PROBLEM_N], y1[PROBLEM_N];
    p->exact(p->t0, y0);
    p->exact(p->t1, y1);
    for (int back = 0; back < 2; back++)
      for (int k = 3; k <= 12; k++) {
        double tol = pow(10, -k);
        outcome a = back ? run(p->n, p->rhs, p->t1, y1, p->t0, y0, tol, 0)
                         : run(p->n, p->rhs, p->t0, y0, p->t1, y1, tol, 0);
        print_message("  %-7s%s 1e-%02d: error/tol %.3f, %ld evaluations\n", p->name,
                      back ? " back" : "", k, a.error / tol, a.f_evals);
        check_in(a.error / tol, 0.05, 100);
      }
  }
}

static void a_fixed_order_is_kept(void **state)
{
  double y0[PROBLEM_N], y1[PROBLEM_N];

  (void)state;
  problem_spiral.exact(0.37, y0);
  problem_spiral.exact(3.12, y1);
  for (int order = 1; order <= MOST; order++) {
    outcome a = run(3, problem_spiral.rhs, 0.37, y0, 3.12, y1, 1e-6, order);
    int degree = order > 3 ? order : 3;
    check_in(a.order, degree - 3.0, degree + 0.5);       /* the start counts */
    check_in(a.error, 0, 1e-6 * (double)(a.steps + 20)); /* each adds its own */
  }
}

static void an_order_that_is_not_there_is_refused(void **state)
{
  brink_ivp ivp = {4, arenstorf, NULL};
  brink_integrator_opts o = brink_integrator_defaults();
  brink_integrator *it;
  brink_ctx *ctx;

  (void)state;
  check_status(brink_ctx_new(NULL, &ctx), BRINK_OK);
  o.method = "adams";
  o.order = MOST + 1;
  check_status(brink_integrator_new(ctx, &ivp, &o, &it), BRINK_EARG);
  check_text(brink_ctx_error(ctx)->text, "'adams' has orders up to 12");
  o.order = -1;
  check_status(brink_integrator_new(ctx, &ivp, &o, &it), BRINK_EARG);
  o.method = "dopri5"; /* which has one, and does not listen */
  o.order = 13;
  check_status(brink_integrator_new(ctx, &ivp, &o, &it), BRINK_OK);
  brink_integrator_free(it);
  brink_ctx_free(ctx);
}

/* ------------------------------------------------------------ restarts ---- */

/* Evaluations beyond two for each step, per restart. */
static double restart_cost(const char *name, const brink_model_def *def,
                           const double *y0, double t_end, double rtol, double *steps)
{
  brink_sim_opts opt = brink_sim_defaults();

  opt.method = "adams";
  opt.rtol = rtol;
  rig r = rig_new(def, &opt, 0, 0, y0);
  assert_true(brink_sim_run(r.sim, t_end) > 0);
  brink_work w = brink_sim_statistics(r.sim).work;
  double n = (double)w.restarts;
  double more = (double)(w.f_evals - 2 * w.steps - w.rejected) / n;
  *steps = (double)w.steps / n;
  print_message(
      "  %-9s %.0e: per restart %.1f steps, %.1f evaluations, of them %.1f for "
      "the restart\n",
      name, rtol, *steps, (double)w.f_evals / n, more);
  rig_free(&r);
  return more;
}

/* Order one and doubling steps would take a dozen steps, at every bounce. */
static void a_restart_costs_a_runge_kutta_step(void **state)
{
  double steps;

  (void)state;
  for (int k = 4; k <= 10; k += 3) {
    double rtol = pow(10, -k);
    check_in(restart_cost("ball", &ball_200_state, known_ball.y0, 10, rtol, &steps), 0,
             6);
    check_in(steps, 1, 1.2);
    check_in(restart_cost("pendulum", breitenecker_pendulum.def,
                          breitenecker_pendulum.y0, breitenecker_pendulum.t_end, rtol,
                          &steps),
             0, 25); /* dop853 takes 15, and 11 where it is rejected */
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(two_values_predict_as_in_the_papers),
      cmocka_unit_test(a_longer_prediction_is_the_same_polynomial),
      cmocka_unit_test(milnes_constant_is_that_of_the_tables),
      cmocka_unit_test(the_error_is_milnes),
      cmocka_unit_test(a_rejected_attempt_leaves_no_trace),
      cmocka_unit_test(no_fixed_order_is_a_third_cheaper),
      cmocka_unit_test(errors_are_proportional_to_the_tolerance),
      cmocka_unit_test(a_fixed_order_is_kept),
      cmocka_unit_test(an_order_that_is_not_there_is_refused),
      cmocka_unit_test(a_restart_costs_a_runge_kutta_step),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
