/* test_discontinuity.c -- steps that hide a kink from the error estimate are mostly not
 * kept; what is known to be smooth is not searched; and what the search costs where f
 * is smooth.
 *
 * The kinks are of quadratures, f = c(t) + J (t - T)+: what a step should have reached
 * is known, whatever came before.  The size of the steps is given, so that the kink is
 * at any part of a step. */
#include "check.h"

#include <math.h>
#include <string.h>

#include "ode/driver.h"
#include "problems.h"

static const double H = 0.1; /* size of the steps */

enum { BEFORE = 3, STEPS = 8 }; /* steps until the kink is in one, mostly, and all */

/* --------------------------------------------------------------- flows ---- */

typedef struct law {
  brink_flow flow;
  size_t n;
  brink_ivp_fn *f;
  void *user;
  long calls;
} law;

static int rhs(const brink_flow *flow, double t, const double *y, double *f)
{
  law *l = flow->self;

  l->calls++;
  return l->f(t, y, f, l->user);
}

static int always(const brink_flow *flow, double t, const double *y)
{
  (void)flow, (void)t, (void)y;
  return 1;
}

static void law_init(law *l, size_t n, brink_ivp_fn *f, void *user, int complete)
{
  *l = (law){.f = f,
             .user = user,
             .flow = {.n = n,
                      .rhs = rhs,
                      .guards_complete = complete,
                      .inside = always,
                      .reason = brink__no_reason}};
  l->flow.self = l;
}

static brink_integrator *begin(brink_ctx *ctx, law *l, const brink_integrator_opts *o,
                               const double *y)
{
  brink_integrator *it = NULL;

  check_status(brink__integrator_new(ctx, &l->flow, o, 0, &it), BRINK_OK);
  check_status(brink_integrator_start(it, 0, y), BRINK_OK);
  return it;
}

static brink_work finish(brink_integrator *it, double t1)
{
  brink_status rc;

  do
    rc = brink_integrator_advance(it, t1, NULL);
  while (rc == BRINK_OK || rc == BRINK_STIFF);
  check_status(rc, BRINK_END);
  brink_work w = brink_integrator_work(it);
  brink_integrator_free(it);
  return w;
}

/* ------------------------------------------------------------ one kink ---- */

typedef struct kink {
  double jump, t, way; /* J, T; 1: time goes on, -1: backwards */
  size_t n;
} kink;

static double behind(const kink *k, double t) { return fmax(k->way * (t - k->t), 0); }

/* The quadrature, alone or beside a circle. */
static int bent(double t, const double *y, double *f, void *user)
{
  const kink *k = user;

  f[0] = 0.7 + 0.3 * cos(t) + k->jump * behind(k, t);
  if (k->n > 1) {
    f[1] = y[2];
    f[2] = -y[1];
  }
  return 0;
}

static double integral(const kink *k, double t)
{
  double s = behind(k, t);

  return 0.7 * t + 0.3 * sin(t) + k->way * k->jump * s * s / 2;
}

/* The most that a step is wrong by, in tolerances, in the norm of the integrator. */
static double worst(brink_ctx *ctx, kink *k, double tol, int search)
{
  static const double y0[] = {0.1, 0.3, 0.2};
  brink_integrator_opts o = brink_integrator_defaults();
  double t = 0, y = y0[0], most = 0;
  brink_status rc;
  law l;

  o.rtol = 0;
  o.atol = tol;
  o.h0 = o.h_max = H;
  law_init(&l, k->n, bent, k, !search);
  brink_integrator *it = begin(ctx, &l, &o, y0);
  while ((rc = brink_integrator_advance(it, k->way * STEPS * H, NULL)) == BRINK_OK) {
    double t1 = brink_integrator_time(it), y1 = brink_integrator_state(it)[0];
    double by = y1 - y - (integral(k, t1) - integral(k, t));
    most = fmax(most, fabs(by) / tol / sqrt((double)k->n));
    t = t1;
    y = y1;
  }
  check_status(rc, BRINK_END);
  brink_integrator_free(it);
  return most;
}

/* Kinks of all sizes at all parts of a step.  Hidden are those for which a step is
 * wrong by 3 to 40 tolerances without the search. */
static void check_kinks(size_t n, double tol, double way)
{
  brink_ctx *ctx = NULL;
  int hidden = 0, over = 0;

  check_status(brink_ctx_new(NULL, &ctx), BRINK_OK);
  for (int i = 1; i < 100; i++)
    for (double size = 30; size < 3e4; size *= 1.3) {
      kink k = {size * tol / (H * H), way * (BEFORE + i / 100.0) * H, way, n};
      double bare = worst(ctx, &k, tol, 0);
      if (bare > 3 && bare < 40) {
        hidden++;
        over += worst(ctx, &k, tol, 1) > 3;
      }
    }
  print_message("%zu states, tol %.0e%s: %d kinks hidden, %d above 3 with the search\n",
                n, tol, way < 0 ? ", backwards" : "", hidden, over);
  check_in(hidden, 600, 1e9);
  check_in(over, 0, 0.1 * hidden);
  brink_ctx_free(ctx);
}

static void few_steps_over_a_hidden_kink_are_wrong_by_three_tolerances(void **state)
{
  (void)state;
  check_kinks(1, 1e-4, 1);
  check_kinks(1, 1e-6, 1);
  check_kinks(3, 1e-6, 1);
  check_kinks(3, 1e-4, -1);
}

/* ----------------------------------------------------- nothing to look for ---- */

static void a_flow_with_complete_or_unilateral_guards_is_not_searched(void **state)
{
  static const double y0[] = {0.1};
  kink k = {2e-3, 0.353, 1, 1};
  brink_integrator_opts o = brink_integrator_defaults();
  brink_ctx *ctx = NULL;

  (void)state;
  o.rtol = 0;
  o.atol = 1e-7;
  o.h0 = o.h_max = H;
  check_status(brink_ctx_new(NULL, &ctx), BRINK_OK);
  for (int i = 0; i < 3; i++) {
    law l;
    law_init(&l, 1, bent, &k, i == 1);
    l.flow.guarded = i == 2;
    brink_work w = finish(begin(ctx, &l, &o, y0), 2);
    assert_int_equal(w.f_evals, l.calls);
    if (i == 0) {
      check_in((double)w.look_evals, 3, 100);
      continue;
    }
    assert_int_equal(w.look_evals, 0);
    /* the stages of each step, and f where it began */
    assert_int_equal(w.f_evals, 6 * (w.steps + w.rejected) + 1);
  }
  brink_ctx_free(ctx);
}

/* ------------------------------------------------------ smooth problems ---- */

static int brusselator(double t, const double *y, double *f, void *user)
{
  (void)t, (void)user;
  f[0] = 1 + y[0] * y[0] * y[1] - 4 * y[0];
  f[1] = 3 * y[0] - y[0] * y[0] * y[1];
  return 0;
}

static int lorenz(double t, const double *y, double *f, void *user)
{
  (void)t, (void)user;
  f[0] = 10 * (y[1] - y[0]);
  f[1] = y[0] * (28 - y[2]) - y[1];
  f[2] = y[0] * y[1] - 8.0 / 3 * y[2];
  return 0;
}

static int pulse(double t, const double *y, double *f, void *user)
{
  double s = (t - 7.3) / 0.21;

  (void)user;
  f[0] = -0.6 * y[0] + 2.3 * exp(-s * s) + 0.4 * sin(1.1 * t);
  return 0;
}

/* The mean over tolerances from 1e-4 to 1e-10; most for a sharp pulse, a fifth. */
static void smooth_problems_pay_little(void **state)
{
  static const struct {
    const char *name;
    size_t n;
    brink_ivp_fn *f;
    double t1, y0[3];
  } all[] = {{"van der Pol", 2, van_der_pol, 60, {2, 0}},
             {"brusselator", 2, brusselator, 20, {1.5, 3}},
             {"Lorenz", 3, lorenz, 15, {1, 1, 20}},
             {"pulse", 1, pulse, 20, {0.3}}};
  static const char *const methods[] = {"dopri5", "dop853", "rkf45", "adams"};
  brink_integrator_opts o = brink_integrator_defaults();
  brink_ctx *ctx = NULL;
  double mu = 10;

  (void)state;
  check_status(brink_ctx_new(NULL, &ctx), BRINK_OK);
  for (int m = 0; m < 4; m++)
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
      double sum = 0;
      for (int k = 4; k <= 10; k++) {
        brink_work w[2];
        o.method = methods[m];
        o.rtol = o.atol = pow(10, -k);
        for (int c = 0; c < 2; c++) {
          law l;
          law_init(&l, all[i].n, all[i].f, &mu, c);
          w[c] = finish(begin(ctx, &l, &o, all[i].y0), all[i].t1);
        }
        assert_int_equal(w[0].unguarded, 0);
        assert_int_equal(w[1].look_evals, 0);
        sum += (double)w[0].f_evals / (double)w[1].f_evals;
      }
      print_message("%-7s %-12s %.3f times the evaluations\n", methods[m], all[i].name,
                    sum / 7);
      check_in(sum / 7, 1, 1.25);
    }
  brink_ctx_free(ctx);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(few_steps_over_a_hidden_kink_are_wrong_by_three_tolerances),
      cmocka_unit_test(a_flow_with_complete_or_unilateral_guards_is_not_searched),
      cmocka_unit_test(smooth_problems_pay_little),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
