/* bs23.c -- explicit Runge-Kutta 3(2) of Bogacki and Shampine, FSAL, with the free
 * cubic through both ends and their slopes, order 3 and C1.
 *
 * Tableau ........ [BS89].
 * Error norm ..... root mean square, as in dopri5.c.
 * Stiffness ...... only one stage lies at t + h, so instead of the difference of two
 *                  the third divided difference over c = 0, 1/2, 3/4, 1 is taken of
 *                  the slopes and of their arguments: smooth parts cancel, and what
 *                  is left in a stiff direction grows by lambda from one to the other.
 *
 * Cost: 3 new evaluations of f per attempt (4 on the first after start()).
 * Limits: for short stretches and loose tolerances.
 */
#include "ode/rk.h"

enum { STAGES = 4, DEGREE = 3 };

/* clang-format off */
/* b - b^ */
static const double e[STAGES] = {-5./72, 1./12, 1./9, -1./8};

/* third divided difference over the nodes, up to a factor */
static const double w[STAGES] = {-1, 6, -8, 3};
/* clang-format on */

/* work: k [STAGES][n], y1 [n], y2 [n], y3 [n] */
static size_t state_size(const brink_flow *flow, const brink_integrator_opts *opt)
{
  (void)opt;
  return sizeof(brink__rk) + (STAGES + 3) * flow->n * sizeof(double);
}

static const double *candidate(const void *state, size_t n)
{
  return ((const brink__rk *)state)->work + STAGES * n;
}

static double error_norm(size_t n, const brink__tol *tol, double h, const double *k,
                         const double *y, const double *y1)
{
  double sum = 0;

  for (size_t m = 0; m < n; m++) {
    const double *q = k + m;
    double err = e[0] * q[0] + e[1] * q[n] + e[2] * q[2 * n] + e[3] * q[3 * n];
    double r = h * err / brink__scale(tol, m, y[m], y1[m]);
    sum += r * r;
  }
  return sqrt(sum / (double)n);
}

static double h_lambda(size_t n, double h, const double *k, const double *y,
                       const double *y1)
{
  const double *y2 = y1 + n, *y3 = y2 + n;
  double num = 0, den = 0;

  for (size_t m = 0; m < n; m++) {
    const double *q = k + m;
    double dk = w[0] * q[0] + w[1] * q[n] + w[2] * q[2 * n] + w[3] * q[3 * n];
    double dy = w[1] * (y2[m] - y[m]) + w[2] * (y3[m] - y[m]) + w[3] * (y1[m] - y[m]);
    num += dk * dk;
    den += dy * dy;
  }
  return den > 0 ? fabs(h) * sqrt(num / den) : 0;
}

static brink_status attempt(void *state, brink__gate *gate, const brink__tol *tol,
                            double t, double h, const double *y, brink__outcome *out)
{
  brink__rk *s = state;
  size_t n = gate->flow->n;
  double *k1 = s->work, *k2 = k1 + n, *k3 = k2 + n, *k4 = k3 + n;
  double *y1 = k4 + n, *y2 = y1 + n, *y3 = y2 + n;
  brink_status rc;

  if ((rc = brink__rk_first(s, gate, t, y)) != BRINK_OK)
    return rc;
  for (size_t m = 0; m < n; m++)
    y2[m] = y[m] + h * (0.5 * k1[m]);
  if ((rc = brink__f(gate, t + 0.5 * h, y2, k2)) != BRINK_OK)
    return rc;
  for (size_t m = 0; m < n; m++)
    y3[m] = y[m] + h * (0.75 * k2[m]);
  if ((rc = brink__f(gate, t + 0.75 * h, y3, k3)) != BRINK_OK)
    return rc;
  for (size_t m = 0; m < n; m++)
    y1[m] = y[m] + h * (2. / 9 * k1[m] + 1. / 3 * k2[m] + 4. / 9 * k3[m]);
  if ((rc = brink__rk_last(s, gate, t + h, y1, k4)) != BRINK_OK)
    return rc;
  out->err = error_norm(n, tol, h, k1, y, y1);
  out->h_lambda = h_lambda(n, h, k1, y, y1);
  return BRINK_OK;
}

static int accept(void *state, size_t n, double h, const double *y, double *coeff)
{
  brink__rk *s = state;
  const double *last = s->work + (STAGES - 1) * n, *y1 = last + n;

  brink__rk_cubic(n, h, y, y1, s->work, last, coeff);
  brink__rk_rotate(s, n, last);
  return DEGREE;
}

const brink_method brink__bs23 = {
    .name = "bs23",
    .about = "Bogacki-Shampine 3(2), C1 cubic of order 3",
    .cite = "BS89",
    .order = 3,
    .error_order = 2,
    .dense_order = 3,
    .max_degree = DEGREE,
    .stages = STAGES,
    .beta = 0.04,
    .safety = 0.9,
    .stability = 2.45,
    .flags = BRINK__C1 | BRINK__FREE_DENSE,
    .state_size = state_size,
    BRINK__RK_SHARED,
    .attempt = attempt,
    .dense = brink__dense_nothing,
    .accept = accept,
    .candidate = candidate,
};
