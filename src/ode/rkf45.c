/* rkf45.c -- explicit Runge-Kutta 4(5) of Fehlberg, which goes on with the solution
 * of order four.
 *
 * Tableau ........ formula 2 of [Fehlberg70], as in [HNW93, Table II.5.1].
 * Interpolant .... quartic, order 4, C1, free once f at the end point is known, which
 *                  is the first stage of the next step.  The conditions of order four
 *                  at every theta leave the cubic through both ends plus
 *                  r th^2 (1-th)^2 with one free weight in r: along b5 - b4.  It is
 *                  chosen so that the largest term of order five over the step is
 *                  smallest (0.0019 in the norm of the elementary differentials, at
 *                  the weight -40; 0.0051 at 0).
 * Error norm ..... root mean square, as in dopri5.c.
 * Stiffness ...... stage 5 and f at the end point lie both at t + h, [HW96, IV.2].
 *
 * Cost: 6 evaluations of f per accepted step, 5 per rejected one.
 * Limits: here to be compared with dopri5, [Donolo02, 3.1.2].
 */
#include "ode/rk.h"

enum { STAGES = 7, DEGREE = 4 }; /* the seventh is f at the end point */

/* clang-format off */
static const double c[STAGES] = {0, 1./4, 3./8, 12./13, 1, 1./2, 1};

static const double a[STAGES][STAGES - 1] = {
  {0},
  {1./4},
  {3./32,      9./32},
  {1932./2197, -7200./2197, 7296./2197},
  {439./216,   -8,          3680./513,   -845./4104},
  {-8./27,     2,           -3544./2565, 1859./4104, -11./40},
  {25./216,    0,           1408./2565,  2197./4104, -1./5,   0},
};

/* b5 - b4 */
static const double e[STAGES] = {1./360, 0, -128./4275, -2197./75240, 1./50, 2./55, 0};

/* weights of r, the coefficient of th^4 */
static const double d[STAGES] = {-5./6, 0, 896./285, -2197./418, 19./10, -16./11, 5./2};
/* clang-format on */

/* work: k [STAGES][n], y1 [n], y5 [n] */
static size_t state_size(const brink_flow *flow, const brink_integrator_opts *opt)
{
  (void)opt;
  return sizeof(brink__rk) + (STAGES + 2) * flow->n * sizeof(double);
}

static const double *candidate(const void *state, size_t n)
{
  return ((const brink__rk *)state)->work + STAGES * n;
}

#define K(j) q[(j)*n]

/* out = y + h sum_{j < i} a_ij k_j */
static void combine(const double *restrict k, size_t n, int i, double h,
                    const double *restrict y, double *restrict out)
{
  const double *w = a[i];

  switch (i) {
  case 1: BRINK__RK_EACH(w[0] * K(0));
  case 2: BRINK__RK_EACH(w[0] * K(0) + w[1] * K(1));
  case 3: BRINK__RK_EACH(w[0] * K(0) + w[1] * K(1) + w[2] * K(2));
  case 4: BRINK__RK_EACH(w[0] * K(0) + w[1] * K(1) + w[2] * K(2) + w[3] * K(3));
  case 5:
    BRINK__RK_EACH(w[0] * K(0) + w[1] * K(1) + w[2] * K(2) + w[3] * K(3) + w[4] * K(4));
  default: BRINK__RK_EACH(w[0] * K(0) + w[2] * K(2) + w[3] * K(3) + w[4] * K(4));
  }
}

static double error_norm(const double *restrict k, size_t n, const brink__tol *tol,
                         double h, const double *y, const double *y1)
{
  double sum = 0;

  for (size_t m = 0; m < n; m++) {
    const double *q = k + m;
    double err = e[0] * K(0) + e[2] * K(2) + e[3] * K(3) + e[4] * K(4) + e[5] * K(5);
    double r = h * err / brink__scale(tol, m, y[m], y1[m]);
    sum += r * r;
  }
  return sqrt(sum / (double)n);
}

static brink_status attempt(void *state, brink__gate *gate, const brink__tol *tol,
                            double t, double h, const double *y, brink__outcome *out)
{
  brink__rk *s = state;
  size_t n = gate->flow->n;
  double *k = s->work, *y1 = k + STAGES * n, *y5 = y1 + n;
  brink_status rc;

  if ((rc = brink__rk_first(s, gate, t, y)) != BRINK_OK)
    return rc;
  for (int i = 1; i < STAGES - 1; i++) {
    double *arg = i == 4 ? y5 : y1;
    combine(k, n, i, h, y, arg);
    if ((rc = brink__f(gate, t + c[i] * h, arg, k + (size_t)i * n)) != BRINK_OK)
      return rc;
  }
  combine(k, n, STAGES - 1, h, y, y1);
  out->err = error_norm(k, n, tol, h, y, y1);
  if (!(out->err <= 1))
    return BRINK_OK;

  /* only a step that may be kept needs its end point */
  double *last = k + (STAGES - 1) * n;
  if ((rc = brink__rk_last(s, gate, t + h, y1, last)) != BRINK_OK)
    return rc;
  out->h_lambda = brink__rk_ratio(n, h, last, k + 4 * n, y1, y5);
  return BRINK_OK;
}

/* A step that is kept whatever its error still lacks the end point. */
static brink_status dense(void *state, brink__gate *gate, double t, double h,
                          const double *y)
{
  brink__rk *s = state;
  size_t n = gate->flow->n;
  double *last = s->work + (STAGES - 1) * n;

  (void)y;
  return brink__rk_last(s, gate, t + h, last + n, last);
}

static int accept(void *state, size_t n, double h, const double *y, double *coeff)
{
  brink__rk *s = state;
  const double *k = s->work, *y1 = k + STAGES * n;

  for (size_t m = 0; m < n; m++, coeff += DEGREE + 1) {
    const double *q = k + m;
    double r = h * (d[0] * K(0) + d[2] * K(2) + d[3] * K(3) + d[4] * K(4) +
                    d[5] * K(5) + d[6] * K(6));
    brink__rk_quartic(y[m], y1[m], h * K(0), h * K(6), r, coeff);
  }
  brink__rk_rotate(s, n, k + (STAGES - 1) * n);
  return DEGREE;
}

const brink_method brink__rkf45 = {
    .name = "rkf45",
    .about = "Fehlberg 4(5), order 4 goes on, C1 quartic of order 4",
    .cite = "Fehlberg70",
    .order = 4,
    .error_order = 4,
    .dense_order = 4,
    .max_degree = DEGREE,
    .stages = STAGES,
    .beta = 0.04,
    .safety = 0.9,
    .stability = 2.95,
    .flags = BRINK__C1 | BRINK__FREE_DENSE,
    .state_size = state_size,
    BRINK__RK_SHARED,
    .attempt = attempt,
    .dense = dense,
    .accept = accept,
    .candidate = candidate,
};
