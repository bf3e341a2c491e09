/* Radau IIA: the coefficients, observed orders of steps and polynomials, stiff
 * accuracy.
 *
 * An order is log(error ratio) / log(step ratio), on the finest two ratios whose
 * smaller error is still above 1e3 eps. */
#include "check.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/core.h"
#include "ode/method.h"
#include "ode/radau_table.h"
#include "problems.h"

/* --------------------------------------------------------- coefficients --- */

enum { S = BRINK__RADAU_STAGES };

/* The inverse of A: T D T^-1. */
static void inverse_of_A(const brink__radau_table *r, long double inv[S][S])
{
  long double d[S][S] = {{0}};
  int s = r->s;

  d[0][0] = (long double)r->re[0];
  for (int q = 1; 2 * q < s; q++) {
    int j = 2 * q - 1;
    d[j][j] = d[j + 1][j + 1] = (long double)r->re[q];
    d[j][j + 1] = -(long double)r->im[q];
    d[j + 1][j] = (long double)r->im[q];
  }
  for (int i = 0; i < s; i++)
    for (int j = 0; j < s; j++) {
      inv[i][j] = 0;
      for (int k = 0; k < s; k++)
        for (int m = 0; m < s; m++)
          inv[i][j] += (long double)r->T[i][k] * d[k][m] * (long double)r->Ti[m][j];
    }
}

/* Collocation: A c^(k-1) = c^k / k, so that A^-1 c^k = k c^(k-1). */
static void the_coefficients_are_those_of_collocation(void **state)
{
  (void)state;
  for (int n = 0; n < BRINK__RADAU_TABLES; n++) {
    const brink__radau_table *r = &brink__radau_tables[n];
    long double inv[S][S];
    inverse_of_A(r, inv);
    for (int k = 1; k <= r->s; k++)
      for (int i = 0; i < r->s; i++) {
        long double sum = 0;
        for (int j = 0; j < r->s; j++)
          sum += inv[i][j] * powl((long double)r->c[j], k);
        check_near((double)sum, k * pow(r->c[i], k - 1), 3e-13 * k);
      }
  }
}

/* c: 1, and zeros of the derivative of order s - 1 of x^(s-1) (x - 1)^s, a polynomial
 * whose coefficients are whole numbers. */
static void the_nodes_are_those_of_radau(void **state)
{
  (void)state;
  for (int n = 0; n < BRINK__RADAU_TABLES; n++) {
    const brink__radau_table *r = &brink__radau_tables[n];
    double p[2 * S] = {0}; /* (x - 1)^s x^(s-1) */
    int s = r->s, degree = 2 * s - 1;
    for (int k = 0; k <= s; k++)
      p[s - 1 + k] = ((s - k) % 2 ? -1 : 1) *
                     round(tgamma(s + 1) / tgamma(k + 1) / tgamma(s - k + 1));
    for (int d = 1; d < s; d++, degree--)
      for (int k = 0; k < degree; k++)
        p[k] = (k + 1) * p[k + 1];
    double size = 0;
    for (int k = 0; k <= s; k++)
      size = fmax(size, fabs(p[k]));
    for (int i = 0; i < s; i++) {
      double v = 0;
      for (int k = s; k >= 0; k--)
        v = v * r->c[i] + p[k];
      check_near(v / size, 0, 1e-14);
      assert_true(i == 0 || r->c[i] > r->c[i - 1]);
    }
    check_near(r->c[s - 1], 1, 0);
  }
}

static void the_polynomial_passes_through_the_stages(void **state)
{
  (void)state;
  for (int n = 0; n < BRINK__RADAU_TABLES; n++) {
    const brink__radau_table *r = &brink__radau_tables[n];
    for (int power = 1; power <= r->s; power++)
      for (int k = 0; k < r->s; k++) {
        long double sum = 0;
        for (int i = 0; i < r->s; i++)
          sum += (long double)r->P[k][i] * powl((long double)r->c[i], power);
        check_near((double)sum, k + 1 == power, 2e-12);
      }
  }
}

/* --------------------------------------------------------------- orders --- */

typedef struct rig {
  const problem *problem;
  brink_flow flow;
  brink__gate gate;
  double y[PROBLEM_N], coeff[PROBLEM_N * (S + 2)];
  double t, h;
  int degree;
  brink_ctx *ctx;
  max_align_t state[512];
} rig;

static int rhs(const brink_flow *flow, double t, const double *y, double *f)
{
  return ((const problem *)flow->self)->rhs(t, y, f, NULL);
}

static void rig_start(rig *r, const problem *p, int order, double t)
{
  union {
    const problem *in;
    void *out;
  } self = {p}; /* the flow's self is not const */
  brink_integrator_opts opt = brink_integrator_defaults();

  memset(r, 0, sizeof *r);
  r->problem = p;
  r->flow =
      (brink_flow){.n = p->n, .rhs = rhs, .reason = brink__no_reason, .self = self.out};
  r->gate.flow = &r->flow;
  r->t = t;
  p->exact(t, r->y);
  opt.order = order;
  assert_true(brink__radau.state_size(&r->flow, &opt) <= sizeof r->state);
  check_status(brink_ctx_new(NULL, &r->ctx), BRINK_OK);
  check_status(brink__radau.open(r->state, r->ctx, &r->flow, &opt), BRINK_OK);
  brink__radau.start(r->state, p->n);
}

static void rig_end(rig *r)
{
  brink__radau.close(r->state);
  assert_int_equal(brink_ctx_alloc_stats(r->ctx).live_bytes, 0);
  brink_ctx_free(r->ctx);
}

/* One step of size h, kept whatever its error; leaves the polynomial.  The stages are
 * solved as closely as the iterations that a step may take allow.  0: they are not. */
static int rig_step(rig *r, double h)
{
  brink_status rc = BRINK_EDOMAIN;

  for (double rtol = 1e-14; rtol < 1e-6; rtol *= 10) {
    brink__tol tol = {.rtol = rtol, .atol = rtol};
    brink__outcome out = {0};
    rc = brink__radau.attempt(r->state, &r->gate, &tol, r->t, h, r->y, &out);
    if (rc == BRINK_OK && !brink__radau.acting(r->state))
      break;
    brink__radau.start(r->state, r->problem->n);
  }
  if (rc != BRINK_OK || brink__radau.acting(r->state))
    return 0;
  r->degree = brink__radau.accept(r->state, r->problem->n, h, r->y, r->coeff);
  memcpy(r->y, brink__radau.candidate(r->state, r->problem->n),
         r->problem->n * sizeof(double));
  r->h = h;
  r->t += h;
  return 1;
}

static double distance(const rig *r, double t, const double *y)
{
  double want[PROBLEM_N], worst = 0;

  r->problem->exact(t, want);
  for (size_t i = 0; i < r->problem->n; i++)
    worst = fmax(worst, fabs(y[i] - want[i]));
  return worst;
}

typedef double measure(const problem *p, int order, double h);

static double at_ends(const problem *p, int order, double h)
{
  double worst = 0;
  rig r;

  rig_start(&r, p, order, p->t0);
  for (int i = 0, n = (int)lround((p->t1 - p->t0) / h); i < n; i++) {
    worst = rig_step(&r, h) ? fmax(worst, distance(&r, r.t, r.y)) : HUGE_VAL;
    if (worst == HUGE_VAL)
      break;
  }
  rig_end(&r);
  return worst;
}

/* inside single steps that start on the solution */
static double inside(const problem *p, int order, double h)
{
  static const double theta[] = {0.07, 0.21, 0.34, 0.48, 0.63, 0.77, 0.91};
  double worst = 0, y[PROBLEM_N];
  rig r;

  for (double t = p->t0; t < p->t1; t += 0.1930) {
    rig_start(&r, p, order, t);
    int done = rig_step(&r, h);
    rig_end(&r);
    if (!done)
      return HUGE_VAL;
    assert_true(r.degree >= (order + 1) / 2);
    brink_step step = {t, h, t + h, p->n, r.degree, r.coeff};
    for (size_t i = 0; i < BRINK__COUNT(theta); i++) {
      brink_step_at(&step, theta[i], y);
      worst = fmax(worst, distance(&r, t + theta[i] * h, y));
    }
  }
  return worst;
}

static void check_order(const char *what, measure *error, const problem *p, int order,
                        double want)
{
  double ratio = want > 6 ? 1.25 : 1.6, last = 0, h_last = 0, rate[2] = {0, 0};
  double n = want > 10 ? 2.6 : 4;

  for (int k = 0; k < 60; k++, n *= ratio) {
    double h = (p->t1 - p->t0) / round(n), e = error(p, order, h);
    /* Newton's iteration leaves some roundings of its own at each of many steps */
    if (!(e > (want < 6 ? 1e-10 : 1e3 * DBL_EPSILON)))
      break;
    if (h == h_last || !isfinite(e))
      continue;
    if (last > 0) {
      rate[0] = rate[1];
      rate[1] = log(last / e) / log(h_last / h);
    }
    last = e;
    h_last = h;
  }
  print_message("  order %2d %-7s %-9s %.2f %.2f, want %g\n", order, p->name, what,
                rate[0], rate[1], want);
  double off =
      want > 10 ? 0.8 : 0.6; /* few step sizes lie between too coarse and rounding */
  check_in(rate[0], want - off, want + 1);
  check_in(rate[1], want - off, want + 1);
}

static const problem *const problems[] = {&problem_spiral, &problem_kepler};

/* With order 13 only h = 0.53, 0.42 and 0.35 lie between a coarse step of Kepler's
 * orbit and rounding: the rate is 11 there. */
static void steps_have_orders_5_9_and_13(void **state)
{
  (void)state;
  for (int order = 5; order <= 13; order += 4)
    check_order("steps", at_ends, &problem_spiral, order, order);
  for (int order = 5; order <= 9; order += 4)
    check_order("steps", at_ends, &problem_kepler, order, order);
}

/* that of the stages, s + 1, and one more by the slope at the beginning */
static void polynomials_have_the_order_of_their_degree(void **state)
{
  (void)state;
  for (size_t i = 0; i < BRINK__COUNT(problems); i++)
    for (int order = 5; order <= 13; order += 4)
      check_order("one poly", inside, problems[i], order, (order + 1) / 2 + 2);
}

static void polynomials_begin_and_end_on_the_steps(void **state)
{
  rig r;

  (void)state;
  for (size_t i = 0; i < BRINK__COUNT(problems); i++)
    for (int order = 5; order <= 13; order += 4) {
      const problem *p = problems[i];
      rig_start(&r, p, order, p->t0);
      for (int k = 0; k < 20; k++) {
        double before[PROBLEM_N], y[PROBLEM_N];
        memcpy(before, r.y, sizeof before);
        assert_true(rig_step(&r, k % 3 ? 0.0937 : 0.131));
        brink_step step = {r.t - r.h, r.h, r.t, p->n, r.degree, r.coeff};
        brink_step_at(&step, 0, y);
        for (size_t m = 0; m < p->n; m++)
          check_near(y[m], before[m], 0);
        brink_step_at(&step, 1, y);
        for (size_t m = 0; m < p->n; m++)
          check_near(y[m], r.y[m], 8 * DBL_EPSILON);
      }
      rig_end(&r);
    }
}

/* ------------------------------------------------------- stiff accuracy --- */

/* y' = lambda (y - phi(t)) + phi'(t), [PR74]: explicit methods, and implicit ones that
 * are not stiffly accurate, have errors of a low order where |h lambda| is large. */
static double lambda;

static double phi(double t) { return sin(t + 0.3) + 0.2 * t; }

static int stiff_rhs(double t, const double *y, double *f, void *user)
{
  (void)user;
  f[0] = lambda * (y[0] - phi(t)) + cos(t + 0.3) + 0.2;
  return 0;
}

static void stiff_exact(double t, double *y) { y[0] = phi(t); }

static const problem prothero_robinson = {"stiff", 1,         0.37,
                                          2.37,    stiff_rhs, stiff_exact};

/* The error at the ends of steps is that of the stages, of order s + 1, over |lambda|
 * h: it falls with stiffness, at every step size. */
static void stiffness_makes_steps_more_accurate(void **state)
{
  (void)state;
  for (int order = 5; order <= 13; order += 4)
    for (double h = 0.5; h > 0.1; h /= 2) {
      double e[3];
      for (int k = 0; k < 3; k++) {
        lambda = -pow(10, 2 + 2 * k);
        e[k] = at_ends(&prothero_robinson, order, h);
      }
      print_message(
          "  order %2d h = %.3f: errors %.1e %.1e %.1e at lambda = -1e2, -1e4, "
          "-1e6\n",
          order, h, e[0], e[1], e[2]);
      assert_true(e[1] < 0.1 * e[0] || e[1] < 1e-13);
      assert_true(e[2] < 0.1 * e[1] || e[2] < 1e-13);
    }
}

/* The same with a solution whose derivatives are nowhere 0. */
static int growing_rhs(double t, const double *y, double *f, void *user)
{
  (void)user;
  f[0] = lambda * (y[0] - exp(t)) + exp(t);
  return 0;
}

static void growing_exact(double t, double *y) { y[0] = exp(t); }

static const problem growing = {"growing", 1, 0.37, 2.37, growing_rhs, growing_exact};

/* The estimate of the error of one step, over the largest error inside it. */
static double estimate_over_error(int order, double t, double h)
{
  brink__tol tol = {.rtol = 0, .atol = 1e-8};
  brink__outcome out = {0};
  double error = 0;
  rig r;

  rig_start(&r, &growing, order, t);
  check_status(brink__radau.attempt(r.state, &r.gate, &tol, t, h, r.y, &out), BRINK_OK);
  r.degree = brink__radau.accept(r.state, 1, h, r.y, r.coeff);
  brink_step step = {t, h, t + h, 1, r.degree, r.coeff};
  for (int i = 1; i < 100; i++) {
    double x = i * 0.01;
    error = fmax(error, fabs(brink_step_state(&step, 0, x) - exp(t + x * h)));
  }
  rig_end(&r);
  return out.err * tol.atol / error;
}

/* The error between the stages does not fall with stiffness, and the estimate does not,
 * either: that of [HW96] falls with 1/|h lambda|. */
static void the_estimate_is_the_error_of_the_polynomial(void **state)
{
  (void)state;
  for (int order = 5; order <= 13; order += 4)
    for (double t = 0.37; t < 3; t += 0.7310)
      for (double stiffness = 5; stiffness < 1e9; stiffness *= 3.7) {
        double h = order == 5 ? 0.07 : order == 9 ? 0.4 : 0.9;
        lambda = -stiffness / h;
        check_in(estimate_over_error(order, t, h), 0.6, 1.3);
      }
}

/* The largest error inside the steps of a run, in tolerances. */
static double error_along(int order, double tol)
{
  brink_integrator_opts opt = brink_integrator_defaults();
  brink_ivp ivp = {1, stiff_rhs, NULL};
  brink_ctx *ctx = NULL;
  brink_integrator *it = NULL;
  brink_status rc;
  brink_step step;
  double y, worst = 0;

  opt.method = "radau";
  opt.order = order;
  opt.rtol = 0;
  opt.atol = tol;
  check_status(brink_ctx_new(NULL, &ctx), BRINK_OK);
  check_status(brink_integrator_new(ctx, &ivp, &opt, &it), BRINK_OK);
  y = phi(0.37);
  check_status(brink_integrator_start(it, 0.37, &y), BRINK_OK);
  while ((rc = brink_integrator_advance(it, 30.37, &step)) == BRINK_OK)
    for (double x = 0.05; x < 1; x += 0.0490)
      worst =
          fmax(worst, fabs(brink_step_state(&step, 0, x) - phi(step.t0 + x * step.h)));
  check_status(rc, BRINK_END);
  brink_integrator_free(it);
  brink_ctx_free(ctx);
  return worst / tol;
}

/* Events are located there, and pictures drawn.  Where the slope at the beginning of
 * steps was the only thing that was looked at, these were 2e9 tolerances. */
static void stiff_states_are_right_between_the_stages(void **state)
{
  (void)state;
  for (int k = 0; k < 4; k++)
    for (lambda = -30; lambda > -1e10; lambda *= 47)
      for (double tol = 1e-4; tol > 0.5e-10; tol /= 1000)
        check_in(error_along(k == 0 ? 0 : 4 * k + 1, tol), 0, 5);
}

/* ------------------------------------------------------------- rounding --- */

static int steady_rhs(double t, const double *y, double *f, void *user)
{
  (void)t, (void)y, (void)user;
  f[0] = 0.7317;
  return 0;
}

static void steady_exact(double t, double *y) { y[0] = 0.7317 * t; }

static const problem steady = {"steady", 1, 0.0, 2.3, steady_rhs, steady_exact};

/* Coefficients that are sums of P z_i make 2000 roundings of it: enough for a contact
 * that is closed to be left and met again. */
static void a_straight_line_is_straight_between_the_stages(void **state)
{
  (void)state;
  for (int order = 5; order <= 13; order += 4)
    for (double h = 0.1; h < 0.3; h += 0.0137) {
      rig r;
      rig_start(&r, &steady, order, 0);
      assert_true(rig_step(&r, h));
      brink_step step = {0, h, h, 1, r.degree, r.coeff};
      double rounding = 0.7317 * h * DBL_EPSILON;
      for (double x = 0.01; x < 1; x += 0.01)
        check_in(brink_step_state(&step, 0, x), 0.7317 * h * x - 300 * rounding,
                 0.7317 * h * x + 300 * rounding);
      rig_end(&r);
    }
}

/* ------------------------------------------------------- Newton's rate --- */

/* A mass on a circle by the force of a rod: f is nonlinear, and the Jacobian at the
 * beginning of a step turns by a radian until its end. */
static const double SPEED = 2.1, PHASE = 0.40121;

static int on_circle(double t, const double *y, double *f, void *user)
{
  double rod =
      (y[2] * y[2] + y[3] * y[3]) / (y[0] * y[0] + y[1] * y[1]); /* over the length */

  (void)t, (void)user;
  f[0] = y[2];
  f[1] = y[3];
  f[2] = -rod * y[0];
  f[3] = -rod * y[1];
  return 0;
}

static void place_on_circle(double t, double *y)
{
  double c = 1.3 * cos(SPEED * t + PHASE), s = 1.3 * sin(SPEED * t + PHASE);

  y[0] = c;
  y[1] = s;
  y[2] = -SPEED * s;
  y[3] = SPEED * c;
}

/* The error at the end of a run, in tolerances. */
static double error_on_circle(int order, double tol)
{
  const double t0 = 0.37, t1 = 3.91;
  brink_integrator_opts opt = brink_integrator_defaults();
  brink_ivp ivp = {4, on_circle, NULL};
  brink_ctx *ctx = NULL;
  brink_integrator *it = NULL;
  brink_status rc = BRINK_OK;
  double y[4], want[4], worst = 0;

  opt.method = "radau";
  opt.order = order;
  opt.rtol = opt.atol = tol;
  check_status(brink_ctx_new(NULL, &ctx), BRINK_OK);
  check_status(brink_integrator_new(ctx, &ivp, &opt, &it), BRINK_OK);
  place_on_circle(t0, y);
  place_on_circle(t1, want);
  check_status(brink_integrator_start(it, t0, y), BRINK_OK);
  while (rc == BRINK_OK)
    rc = brink_integrator_advance(it, t1, NULL);
  check_status(rc, BRINK_END);
  for (int i = 0; i < 4; i++)
    worst = fmax(worst, fabs(brink_integrator_state(it)[i] - want[i]));
  brink_integrator_free(it);
  brink_ctx_free(ctx);
  return worst / tol;
}

/* The ends of steps are more accurate than the tolerance, unless the iteration for them
 * is left too early: then it was 550 tolerances.  Without a constraint the radius of
 * the circle drifts, and with it the angle: errors of steps grow a hundredfold. */
static void long_steps_are_solved_to_the_tolerance(void **state)
{
  (void)state;
  for (int order = 5; order <= 13; order += 4)
    for (double tol = 1e-5; tol > 0.5e-11; tol /= 10) {
      double error = error_on_circle(order, tol);
      print_message("  order %2d at %.0e: error %.3f tolerances\n", order, tol, error);
      check_in(error, 0, 50);
    }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_nodes_are_those_of_radau),
      cmocka_unit_test(the_coefficients_are_those_of_collocation),
      cmocka_unit_test(the_polynomial_passes_through_the_stages),
      cmocka_unit_test(steps_have_orders_5_9_and_13),
      cmocka_unit_test(polynomials_have_the_order_of_their_degree),
      cmocka_unit_test(polynomials_begin_and_end_on_the_steps),
      cmocka_unit_test(stiffness_makes_steps_more_accurate),
      cmocka_unit_test(the_estimate_is_the_error_of_the_polynomial),
      cmocka_unit_test(stiff_states_are_right_between_the_stages),
      cmocka_unit_test(a_straight_line_is_straight_between_the_stages),
      cmocka_unit_test(long_steps_are_solved_to_the_tolerance),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
