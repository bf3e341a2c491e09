/* dopri5.c -- explicit Runge-Kutta 5(4) of Dormand and Prince, FSAL, with a free
 * fourth-order interpolant that is C1 across steps.
 *
 * Tableau ........ [DP80], as in [HNW93, Table II.5.2].
 * Interpolant .... [HNW93, II.6], expanded here from nested to monomial form,
 *                  because locators need plain coefficients; see accept().
 * Error norm ..... root mean square of e_i / (atol + rtol max(|y_i|, |y1_i|)),
 *                  [HNW93, II.4 (4.11)].
 * Stiffness ...... |k7 - k6| / |y7 - y6| estimates the dominant eigenvalue,
 *                  [HW96, IV.2].
 *
 * Cost: 6 new evaluations of f per attempt (7 on the first after start()).
 * Limits: not for stiff problems; the last stage is reused, so f must not
 * depend on anything but (t, y).
 */
#include "ode/rk.h"

enum { STAGES = 7, DEGREE = 4 };

/* clang-format off */
static const double c[STAGES] = {0, 1./5, 3./10, 4./5, 8./9, 1, 1};

static const double a[STAGES][STAGES - 1] = {
  {0},
  {1./5},
  {3./40,       9./40},
  {44./45,      -56./15,      32./9},
  {19372./6561, -25360./2187, 64448./6561, -212./729},
  {9017./3168,  -355./33,     46732./5247, 49./176,  -5103./18656},
  {35./384,     0,            500./1113,   125./192, -2187./6784, 11./84},
};

/* b - b^, the difference between the two embedded solutions */
static const double e[STAGES] = {71./57600, 0, -71./16695, 71./1920,
                                 -17253./339200, 22./525, -1./40};

/* weights of the interpolant's last term, [HNW93, II.6] */
static const double d[STAGES] = {
  -12715105075./11282082432, 0, 87487479700./32700410799,
  -10690763975./1880347072,     701980252875./199316789632,
  -1453857185./822651844,       69997945./29380423};
/* clang-format on */

/* ------------------------------------------------------------ state ---- */

/* work: k [STAGES][n], y1 [n], y6 [n] */
static size_t state_size(const brink_flow *flow, const brink_integrator_opts *opt)
{
  (void)opt;
  return sizeof(brink__rk) + (STAGES + 2) * flow->n * sizeof(double);
}

static const double *candidate(const void *state, size_t n)
{
  return ((const brink__rk *)state)->work + STAGES * n;
}

/* ------------------------------------------------------------- step ---- */

#define K(j) q[(j)*n]

/* out = y + h * sum_{j < i} a_ij k_j; written out, because for small n a loop over j
 * costs more than the sum */
BRINK__INLINE void combine(const double *restrict k, size_t n, int i, double h,
                           const double *restrict y, double *restrict out)
{
  const double *w = a[i];

  switch (i) {
  case 1: BRINK__RK_EACH(w[0] * K(0));
  case 2: BRINK__RK_EACH(w[0] * K(0) + w[1] * K(1));
  case 3: BRINK__RK_EACH(w[0] * K(0) + (w[1] * K(1) + w[2] * K(2)));
  case 4: BRINK__RK_EACH(w[0] * K(0) + (w[1] * K(1) + w[2] * K(2) + w[3] * K(3)));
  case 5:
    BRINK__RK_EACH(w[0] * K(0) +
                   (w[1] * K(1) + w[2] * K(2) + w[3] * K(3) + w[4] * K(4)));
  default:
    BRINK__RK_EACH(w[0] * K(0) +
                   (w[2] * K(2) + w[3] * K(3) + w[4] * K(4) + w[5] * K(5)));
  }
}

BRINK__INLINE double error_norm(const double *restrict k, size_t n,
                                const brink__tol *tol, double h, const double *y,
                                const double *y1)
{
  double sum = 0;

  for (size_t m = 0; m < n; m++) {
    const double *q = k + m;
    double err = e[0] * K(0) + e[2] * K(2) + e[3] * K(3) + e[4] * K(4) + e[5] * K(5) +
                 e[6] * K(6);
    double r = h * err / brink__scale(tol, m, y[m], y1[m]);
    sum += r * r;
  }
  return sqrt(sum / (double)n);
}

/* The last term of the interpolant. */
BRINK__INLINE double last_term(const double *q, size_t n, double h)
{
  return h * (d[0] * K(0) + d[2] * K(2) + d[3] * K(3) + d[4] * K(4) + d[5] * K(5) +
              d[6] * K(6));
}

/* Stage i: f at y + h sum, which is left in arg. */
BRINK__INLINE brink_status stage(double *k, size_t n, int i, brink__gate *gate,
                                 double t, double h, const double *y, double *arg)
{
  combine(k, n, i, h, y, arg);
  return brink__f_of(gate, n, t + c[i] * h, arg, k + (size_t)i * n);
}

/* The last stage is f at the candidate end point. */
BRINK__INLINE brink_status attempt_n(brink__rk *s, size_t n, brink__gate *gate,
                                     const brink__tol *tol, double t, double h,
                                     const double *y, brink__outcome *out)
{
  double *k = s->work, *y1 = k + STAGES * n, *y6 = y1 + n;
  brink_status rc;

  if ((rc = brink__rk_first(s, gate, t, y)) != BRINK_OK ||
      (rc = stage(k, n, 1, gate, t, h, y, y1)) != BRINK_OK ||
      (rc = stage(k, n, 2, gate, t, h, y, y1)) != BRINK_OK ||
      (rc = stage(k, n, 3, gate, t, h, y, y1)) != BRINK_OK ||
      (rc = stage(k, n, 4, gate, t, h, y, y1)) != BRINK_OK ||
      (rc = stage(k, n, 5, gate, t, h, y, y6)) != BRINK_OK ||
      (rc = stage(k, n, 6, gate, t, h, y, y1)) != BRINK_OK)
    return rc;
  s->have_last = 1;
  out->err = error_norm(k, n, tol, h, y, y1);
  out->h_lambda = brink__rk_ratio(n, h, k + 6 * n, k + 5 * n, y1, y6);
  return BRINK_OK;
}

/* For two states the loops would cost more than the sums: with n a constant the
 * compiler leaves them out. */
static brink_status attempt(void *state, brink__gate *gate, const brink__tol *tol,
                            double t, double h, const double *y, brink__outcome *out)
{
  size_t n = gate->flow->n;

  return n == 2 ? attempt_n(state, 2, gate, tol, t, h, y, out)
                : attempt_n(state, n, gate, tol, t, h, y, out);
}

/* ------------------------------------------------------------ dense ---- */

/* Hairer's form is  r1 + th(r2 + (1-th)(r3 + th(r4 + (1-th) r5))): the cubic through
 * both ends and their slopes, plus r5 th^2 (1-th)^2. */
BRINK__INLINE int accept_n(brink__rk *s, size_t n, double h, const double *y,
                           double *coeff)
{
  double *k = s->work, *y1 = k + STAGES * n;

  for (size_t m = 0; m < n; m++, coeff += DEGREE + 1) {
    const double *q = k + m;
    brink__rk_quartic(y[m], y1[m], h * K(0), h * K(6), last_term(q, n, h), coeff);
  }
  brink__rk_rotate(s, n, k + (STAGES - 1) * n);
  return DEGREE;
}

static int accept(void *state, size_t n, double h, const double *y, double *coeff)
{
  return n == 2 ? accept_n(state, 2, h, y, coeff) : accept_n(state, n, h, y, coeff);
}

const brink_method brink__dopri5 = {
    .name = "dopri5",
    .about = "Dormand-Prince 5(4), C1 interpolant of order 4",
    .cite = "DP80",
    .order = 5,
    .error_order = 4,
    .dense_order = 4,
    .max_degree = DEGREE,
    .stages = STAGES,
    .beta = 0.04,
    .safety = 0.9,
    .stability = 3.25,
    .flags = BRINK__C1 | BRINK__FREE_DENSE,
    .state_size = state_size,
    BRINK__RK_SHARED,
    .attempt = attempt,
    .dense = brink__dense_nothing,
    .accept = accept,
    .candidate = candidate,
};
