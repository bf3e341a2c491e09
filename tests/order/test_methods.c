/* Observed orders of every one-step method that is listed: of the steps, of the step
 * polynomial, and that the polynomials meet.
 *
 * An order is log(error ratio) / log(step ratio).  It is measured on the finest two
 * ratios whose smaller error is still above 1e3 eps, at step ratio 2 (1.5 above order
 * six, where few doublings lie between too coarse and rounding). */
#include "check.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/core.h"
#include "ode/method.h"
#include "problems.h"

#define BRINK_METHOD(name) &brink__##name,
static const brink_method *const all[] = {
#include "ode/methods.def"
};
#undef BRINK_METHOD

static const problem *const problems[] = {&problem_spiral, &problem_kepler};

/* methods that take the step they are told and no other, and have one order; those that
 * choose among them (auto-rk, auto) have none of their own */
static int obeys(const brink_method *m)
{
  return !m->needs && m->stages > 0 &&
         !(m->flags &
           (BRINK__MULTISTEP | BRINK__NEEDS_JET | BRINK__ORDERS | BRINK__CHOOSES));
}

typedef struct rig {
  const brink_method *method;
  const problem *problem;
  brink_flow flow;
  brink__gate gate;
  double y[PROBLEM_N], coeff[PROBLEM_N * 16];
  double t, h;
  int degree;
  max_align_t state[512];
} rig;

static int rhs(const brink_flow *flow, double t, const double *y, double *f)
{
  return ((const problem *)flow->self)->rhs(t, y, f, NULL);
}

static void rig_start(rig *r, const brink_method *m, const problem *p, double t)
{
  union {
    const problem *in;
    void *out;
  } self = {p}; /* the flow's self is not const */

  memset(r, 0, sizeof *r);
  r->method = m;
  r->problem = p;
  r->flow =
      (brink_flow){.n = p->n, .rhs = rhs, .reason = brink__no_reason, .self = self.out};
  r->gate.flow = &r->flow;
  r->t = t;
  p->exact(t, r->y);
  brink_integrator_opts opt = brink_integrator_defaults();
  assert_true(m->state_size(&r->flow, &opt) <= sizeof r->state);
  check_status(m->open(r->state, NULL, &r->flow, &opt), BRINK_OK);
  m->start(r->state, p->n);
}

/* One step of size h, kept whatever its error; leaves the polynomial. */
static void rig_step(rig *r, double h)
{
  brink__tol tol = {.rtol = 1e-3, .atol = 1e3};
  brink__outcome out = {0};

  check_status(r->method->attempt(r->state, &r->gate, &tol, r->t, h, r->y, &out),
               BRINK_OK);
  check_status(r->method->dense(r->state, &r->gate, r->t, h, r->y), BRINK_OK);
  r->degree = r->method->accept(r->state, r->problem->n, h, r->y, r->coeff);
  memcpy(r->y, r->method->candidate(r->state, r->problem->n),
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

/* Largest distance of the last step's polynomial from the solution, inside. */
static double inside(const rig *r)
{
  static const double theta[] = {0.07, 0.21, 0.34, 0.48, 0.63, 0.77, 0.91};
  brink_step step = {r->t - r->h, r->h, r->t, r->problem->n, r->degree, r->coeff};
  double y[PROBLEM_N], worst = 0;

  for (size_t i = 0; i < BRINK__COUNT(theta); i++) {
    brink_step_at(&step, theta[i], y);
    worst = fmax(worst, distance(r, step.t0 + theta[i] * r->h, y));
  }
  return worst;
}

/* ----------------------------------------------------------- errors ---- */

typedef double measure(const brink_method *m, const problem *p, double h);

/* at the ends of steps, over the whole stretch */
static double at_ends(const brink_method *m, const problem *p, double h)
{
  double worst = 0;
  rig r;

  rig_start(&r, m, p, p->t0);
  for (int i = 0, n = (int)lround((p->t1 - p->t0) / h); i < n; i++) {
    rig_step(&r, h);
    worst = fmax(worst, distance(&r, r.t, r.y));
  }
  return worst;
}

/* inside the steps, over the whole stretch */
static double between(const brink_method *m, const problem *p, double h)
{
  double worst = 0;
  rig r;

  rig_start(&r, m, p, p->t0);
  for (int i = 0, n = (int)lround((p->t1 - p->t0) / h); i < n; i++) {
    rig_step(&r, h);
    worst = fmax(worst, inside(&r));
  }
  return worst;
}

/* inside single steps that start on the solution */
static double locally(const brink_method *m, const problem *p, double h)
{
  double worst = 0;
  rig r;

  for (double t = p->t0; t < p->t1; t += 0.1930) {
    rig_start(&r, m, p, t);
    rig_step(&r, h);
    worst = fmax(worst, inside(&r));
  }
  return worst;
}

/* ----------------------------------------------------------- orders ---- */

static void check_order(const char *what, measure *error, const brink_method *m,
                        const problem *p, double want)
{
  double ratio = want > 6 ? 1.5 : 2, last = 0, h_last = 0, rate[2] = {0, 0};
  int n = 4;

  for (int k = 0; k < 40; k++, n = (int)lround(n * ratio)) {
    double h = (p->t1 - p->t0) / n, e = error(m, p, h);
    if (!(e > 1e3 * DBL_EPSILON) || n > 200000)
      break;
    if (k > 0) {
      rate[0] = rate[1];
      rate[1] = log(last / e) / log(h_last / h); /* n is rounded, so is the ratio */
    }
    last = e;
    h_last = h;
    if (want < 6 && e < 1e-11) /* far from both ends is enough for low orders */
      break;
  }
  print_message("  %-8s %-7s %-8s order %.2f %.2f, want %g\n", m->name, p->name, what,
                rate[0], rate[1], want);
  check_in(rate[0], want - 0.25, want + 0.5);
  check_in(rate[1], want - 0.25, want + 0.5);
}

#define EACH(m, p)                                                                     \
  for (size_t i_ = 0; i_ < BRINK__COUNT(all); i_++)                                    \
    for (size_t j_ = 0; j_ < BRINK__COUNT(problems) && obeys(all[i_]); j_++)           \
      for (const brink_method *m = all[i_]; m; m = NULL)                               \
        for (const problem *p = problems[j_]; p; p = NULL)

static void steps_have_the_order(void **state)
{
  (void)state;
  EACH(m, p) check_order("steps", at_ends, m, p, m->order);
}

static void a_single_polynomial_has_the_dense_order(void **state)
{
  (void)state;
  EACH(m, p) check_order("one poly", locally, m, p, m->dense_order + 1);
}

static void polynomials_along_a_run_are_as_good_as_both(void **state)
{
  (void)state;
  EACH(m, p)
  check_order("polys", between, m, p,
              m->dense_order + 1 < m->order ? m->dense_order + 1 : m->order);
}

/* ------------------------------------------------------------- ends ---- */

static void polynomials_begin_and_end_on_the_steps(void **state)
{
  rig r;

  (void)state;
  EACH(m, p)
  {
    rig_start(&r, m, p, p->t0);
    for (int i = 0; i < 20; i++) {
      double before[PROBLEM_N], y[PROBLEM_N];
      memcpy(before, r.y, sizeof before);
      rig_step(&r, i % 3 ? 0.0937 : 0.131);
      brink_step step = {r.t - r.h, r.h, r.t, p->n, r.degree, r.coeff};
      brink_step_at(&step, 0, y);
      for (size_t k = 0; k < p->n; k++)
        check_near(y[k], before[k], 0);
      brink_step_at(&step, 1, y);
      for (size_t k = 0; k < p->n; k++)
        check_near(y[k], r.y[k], 8 * DBL_EPSILON);
    }
  }
}

static void slopes_of_adjacent_polynomials_meet(void **state)
{
  rig r;

  (void)state;
  EACH(m, p)
  {
    if (!(m->flags & BRINK__C1))
      continue;
    double left[PROBLEM_N], right[PROBLEM_N];
    rig_start(&r, m, p, p->t0);
    for (int i = 0; i < 20; i++) {
      rig_step(&r, i % 3 ? 0.0937 : 0.131);
      brink_step step = {r.t - r.h, r.h, r.t, p->n, r.degree, r.coeff};
      brink_step_slope(&step, 0, right);
      for (size_t k = 0; i > 0 && k < p->n; k++)
        check_near(right[k], left[k], 2e-13);
      brink_step_slope(&step, 1, left);
    }
  }
}

/* Nobody reads: the ends are right all the same. */
static void a_polynomial_that_nobody_reads_has_its_ends(void **state)
{
  rig r;
  brink__tol tol = {.rtol = 1e-3, .atol = 1e3};
  brink__outcome out;

  (void)state;
  EACH(m, p)
  {
    double h = 0.0937, y[PROBLEM_N];
    rig_start(&r, m, p, p->t0);
    check_status(m->attempt(r.state, &r.gate, &tol, r.t, h, r.y, &out), BRINK_OK);
    int degree = m->accept(r.state, p->n, h, r.y, r.coeff);
    brink_step step = {r.t, h, r.t + h, p->n, degree, r.coeff};
    brink_step_at(&step, 1, y);
    for (size_t k = 0; k < p->n; k++) {
      check_near(r.coeff[k * ((size_t)degree + 1)], r.y[k], 0);
      check_near(y[k], m->candidate(r.state, p->n)[k], 8 * DBL_EPSILON);
    }
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(steps_have_the_order),
      cmocka_unit_test(a_single_polynomial_has_the_dense_order),
      cmocka_unit_test(polynomials_along_a_run_are_as_good_as_both),
      cmocka_unit_test(polynomials_begin_and_end_on_the_steps),
      cmocka_unit_test(slopes_of_adjacent_polynomials_meet),
      cmocka_unit_test(a_polynomial_that_nobody_reads_has_its_ends),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
