/* rk4.c -- the classical Runge-Kutta method of order four, with a fixed step.
 *
 * Tableau ........ [HNW93, Table II.1.2].
 * Polynomial ..... the cubic through both ends and their slopes, order 3, C1.
 * Stiffness ...... the fourth stage and f at the end point lie both at t + h:
 *                  |k5 - k4| / |y1 - y4|, as in [HW96, IV.2].
 *
 * Cost: 4 new evaluations of f per step (5 on the first after start()).
 * Limits: no error estimate, so the step is the user's; the error is whatever it is.
 */
#include "ode/rk.h"

enum { STAGES = 5, DEGREE = 3 }; /* the fifth is f at the end point */

/* work: k [STAGES][n], y1 [n], y4 [n] */
static size_t state_size(const brink_flow *flow, const brink_integrator_opts *opt)
{
  (void)opt;
  return sizeof(brink__rk) + (STAGES + 2) * flow->n * sizeof(double);
}

static const double *candidate(const void *state, size_t n)
{
  return ((const brink__rk *)state)->work + STAGES * n;
}

static void combine(size_t n, double h, const double *y, const double *restrict k,
                    double *restrict out)
{
  for (size_t m = 0; m < n; m++)
    out[m] = y[m] + h * k[m];
}

static brink_status attempt(void *state, brink__gate *gate, const brink__tol *tol,
                            double t, double h, const double *y, brink__outcome *out)
{
  brink__rk *s = state;
  size_t n = gate->flow->n;
  double *k1 = s->work, *k2 = k1 + n, *k3 = k2 + n, *k4 = k3 + n, *k5 = k4 + n;
  double *y1 = k5 + n, *y4 = y1 + n, half = h / 2;
  brink_status rc;

  (void)tol;
  if ((rc = brink__rk_first(s, gate, t, y)) != BRINK_OK)
    return rc;
  combine(n, half, y, k1, y1);
  if ((rc = brink__f(gate, t + half, y1, k2)) != BRINK_OK)
    return rc;
  combine(n, half, y, k2, y1);
  if ((rc = brink__f(gate, t + half, y1, k3)) != BRINK_OK)
    return rc;
  combine(n, h, y, k3, y4);
  if ((rc = brink__f(gate, t + h, y4, k4)) != BRINK_OK)
    return rc;
  for (size_t m = 0; m < n; m++)
    y1[m] = y[m] + h * (k1[m] / 6 + k2[m] / 3 + k3[m] / 3 + k4[m] / 6);
  if ((rc = brink__rk_last(s, gate, t + h, y1, k5)) != BRINK_OK)
    return rc;
  out->err = 0;
  out->h_lambda = brink__rk_ratio(n, h, k5, k4, y1, y4);
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

const brink_method brink__rk4 = {
    .name = "rk4",
    .about = "classical Runge-Kutta 4, fixed step h0, cubic through both ends",
    .cite = "HNW93",
    .order = 4,
    .error_order = 4,
    .dense_order = 3,
    .max_degree = DEGREE,
    .stages = STAGES,
    .stability = 2.78,
    .flags = BRINK__FIXED_STEP | BRINK__C1 | BRINK__FREE_DENSE,
    .state_size = state_size,
    BRINK__RK_SHARED,
    .attempt = attempt,
    .dense = brink__dense_nothing,
    .accept = accept,
    .candidate = candidate,
};
