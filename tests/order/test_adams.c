/* Observed orders of Adams, 1 to 12 at fixed order: of the steps, of the step
 * polynomial, of the prediction, at constant and at varying steps.
 *
 * The history is exact, so that no start is seen.  An order is log(error ratio) /
 * log(step ratio), on the finest two ratios whose smaller error is above 1e3 eps. */
#include "check.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/core.h"
#include "ode/adams.h"
#include "problems.h"

enum { ORDERS = 12 };

/* Kepler's circle: where the orbit is an ellipse, order twelve is still far from its
 * limit when rounding begins. */
static int circle_rhs(double t, const double *y, double *f, void *user)
{
  return problem_kepler.rhs(t, y, f, user);
}

static void circle_exact(double t, double *y)
{
  y[0] = cos(t);
  y[1] = sin(t);
  y[2] = -sin(t);
  y[3] = cos(t);
}

static const problem circle = {"circle", 4, 0.37, 6.61, circle_rhs, circle_exact};

static const problem *const problems[] = {&problem_spiral, &circle};

typedef struct rig {
  const problem *problem;
  brink_flow flow;
  brink__gate gate;
  double y[PROBLEM_N], coeff[PROBLEM_N * (ORDERS + 1)];
  double t, h;
  int degree;
  max_align_t state[1024];
} rig;

static int rhs(const brink_flow *flow, double t, const double *y, double *f)
{
  return ((const problem *)flow->self)->rhs(t, y, f, NULL);
}

/* Stands at t with the exact past at t, t - h, ... */
static void rig_start(rig *r, const problem *p, int order, double t, double h)
{
  union {
    const problem *in;
    void *out;
  } self = {p};
  brink_integrator_opts opt = {.order = order};
  double f[ORDERS][PROBLEM_N], flat[ORDERS * PROBLEM_N];

  memset(r, 0, sizeof *r);
  r->problem = p;
  r->flow =
      (brink_flow){.n = p->n, .rhs = rhs, .reason = brink__no_reason, .self = self.out};
  r->gate.flow = &r->flow;
  r->t = t;
  assert_true(brink__adams.state_size(&r->flow, &opt) <= sizeof r->state);
  check_status(brink__adams.open(r->state, NULL, &r->flow, &opt), BRINK_OK);
  brink__adams.ended(r->state, t);
  brink__adams.start(r->state, p->n);
  for (int i = 0; i < ORDERS; i++) {
    double y[PROBLEM_N];
    p->exact(t - i * h, y);
    p->rhs(t - i * h, y, f[i], NULL);
    memcpy(flat + (size_t)i * p->n, f[i], p->n * sizeof(double));
  }
  p->exact(t, r->y);
  brink__adams_seed(r->state, p->n, h, flat, ORDERS);
}

static void rig_step(rig *r, double h)
{
  brink__tol tol = {.rtol = 1e-3, .atol = 1e12};
  brink__outcome out = {0};

  check_status(brink__adams.attempt(r->state, &r->gate, &tol, r->t, h, r->y, &out),
               BRINK_OK);
  check_in(out.err, 0, 1);
  check_status(brink__adams.dense(r->state, &r->gate, r->t, h, r->y), BRINK_OK);
  r->degree = brink__adams.accept(r->state, r->problem->n, h, r->y, r->coeff);
  memcpy(r->y, brink__adams.candidate(r->state, r->problem->n),
         r->problem->n * sizeof(double));
  r->h = h;
  r->t += h;
}

static double distance(const rig *r, double t, const double *y)
{
  double want[PROBLEM_N], worst = 0;

  r->problem->exact(t, want);
  for (size_t i = 0; i < r->problem->n; i++)
    worst = fmax(worst, fabs(y[i] - want[i]));
  return worst;
}

/* Largest distance from the solution of the polynomial that begins at t. */
static double inside(const rig *r, double t, double h, int degree)
{
  static const double theta[] = {0.07, 0.21, 0.34, 0.48, 0.63, 0.77, 0.91};
  brink_step step = {t, h, t + h, r->problem->n, degree, r->coeff};
  double y[PROBLEM_N], worst = 0;

  for (size_t i = 0; i < BRINK__COUNT(theta); i++) {
    brink_step_at(&step, theta[i], y);
    worst = fmax(worst, distance(r, t + theta[i] * h, y));
  }
  return worst;
}

/* ----------------------------------------------------------- errors ---- */

typedef double measure(const problem *p, int order, double h);

static double along(const problem *p, int order, double h, int polynomials, int varying)
{
  static const double pattern[] = {1.2, 0.91, 0.83, 1.13, 0.93}; /* sum 5 */
  double worst = 0;
  rig r;

  rig_start(&r, p, order, p->t0, h);
  for (int i = 0, n = (int)lround((p->t1 - p->t0) / h); i < n; i++) {
    rig_step(&r, varying ? h * pattern[i % 5] : h);
    worst = fmax(worst, polynomials ? inside(&r, r.t - r.h, r.h, r.degree)
                                    : distance(&r, r.t, r.y));
  }
  return worst;
}

static double at_ends(const problem *p, int order, double h)
{
  return along(p, order, h, 0, 0);
}

static double at_ends_of_varying(const problem *p, int order, double h)
{
  return along(p, order, h, 0, 1);
}

static double between(const problem *p, int order, double h)
{
  return along(p, order, h, 1, 0);
}

/* what is known before f is evaluated ahead */
static double ahead(const problem *p, int order, double h)
{
  double worst = 0;
  rig r;

  for (double t = p->t0; t < p->t1; t += 0.193) {
    rig_start(&r, p, order, t, h);
    int degree = brink__adams.predict(r.state, p->n, t, h, r.y, r.coeff);
    assert_int_equal(r.gate.f_evals, 0);
    assert_int_equal(degree, order > 2 ? order - 1 : 1);
    worst = fmax(worst, inside(&r, t, h, degree));
  }
  return worst;
}

/* ----------------------------------------------------------- orders ---- */

/* The step ratio shrinks with the order: from too coarse (or unstable) to rounding it
 * is a factor of 8 in h at order six, of 3 at order twelve. */
static void check_order(const char *what, measure *error, const problem *p, int order,
                        double want)
{
  double ratio = want > 8 ? 1.15 : want > 4 ? 1.35 : 2, last = 0, h_last = 0;
  double rate[2] = {0, 0};
  int n = order > 8 ? 30 : 10;

  for (int k = 0; n < 40000; k++, n = (int)ceil(n * ratio)) {
    double h = (p->t1 - p->t0) / n, e = error(p, order, h);
    if (!(e > 1e3 * DBL_EPSILON * fmax(1, n / 200.0))) /* roundings add up */
      break;
    if (k > 0) {
      rate[0] = rate[1];
      rate[1] = log(last / e) / log(h_last / h);
    }
    last = e;
    h_last = h;
    if (want < 5 && e < 1e-9) /* far from both ends is enough for low orders */
      break;
  }
  print_message("  %-8s %-8s %2d: %5.2f %5.2f, want %g (error %.1e, %d steps)\n",
                p->name, what, order, rate[0], rate[1], want, last, n);
  check_in(rate[0], want - 0.45, want + 0.95); /* not that of a neighbour */
  check_in(rate[1], want - 0.45, want + 0.95);
}

#define EACH(p, order)                                                                 \
  for (size_t j_ = 0; j_ < BRINK__COUNT(problems); j_++)                               \
    for (const problem *p = problems[j_]; p; p = NULL)                                 \
      for (int order = 1; order <= ORDERS; order++)

static void steps_have_the_order(void **state)
{
  (void)state;
  EACH(p, order) check_order("steps", at_ends, p, order, order);
}

/* Not order twelve: until rounding begins, its longest steps are not quite stable. */
static void varying_steps_have_it_too(void **state)
{
  (void)state;
  EACH(p, order)
  if (order < ORDERS)
    check_order("varying", at_ends_of_varying, p, order, order);
}

static void step_polynomials_have_it_too(void **state)
{
  (void)state;
  EACH(p, order) check_order("polys", between, p, order, order);
}

static void predictions_have_the_order_of_their_values(void **state)
{
  (void)state;
  EACH(p, order) check_order("ahead", ahead, p, order, order > 2 ? order : 2);
}

/* ------------------------------------------------------------- ends ---- */

static void polynomials_meet_with_their_slopes(void **state)
{
  double left[PROBLEM_N], right[PROBLEM_N], y[PROBLEM_N];
  rig r;

  (void)state;
  EACH(p, order)
  {
    rig_start(&r, p, order, p->t0, 0.05);
    for (int i = 0; i < 30; i++) {
      double before[PROBLEM_N];
      memcpy(before, r.y, sizeof before);
      rig_step(&r, i % 3 ? 0.0431 : 0.061);
      brink_step step = {r.t - r.h, r.h, r.t, p->n, r.degree, r.coeff};
      brink_step_slope(&step, 0, right);
      for (size_t k = 0; i > 0 && k < p->n; k++)
        check_near(right[k], left[k], 4e-13);
      brink_step_slope(&step, 1, left);
      brink_step_at(&step, 0, y);
      for (size_t k = 0; k < p->n; k++)
        check_near(y[k], before[k], 0);
      brink_step_at(&step, 1, y);
      for (size_t k = 0; k < p->n; k++)
        check_near(y[k], r.y[k], 8 * DBL_EPSILON);
    }
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(steps_have_the_order),
      cmocka_unit_test(varying_steps_have_it_too),
      cmocka_unit_test(step_polynomials_have_it_too),
      cmocka_unit_test(predictions_have_the_order_of_their_values),
      cmocka_unit_test(polynomials_meet_with_their_slopes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
