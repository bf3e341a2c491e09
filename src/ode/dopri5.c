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
#include "ode/method.h"

#include <math.h>

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

typedef struct dopri5 {
  int    have_k0; /* is k[0] already f(t, y)?                    */
  double work[];  /* k: [STAGES][n], then y1: [n], y6: [n]       */
} dopri5;

/* ------------------------------------------------------------ state ---- */

static double *stage(dopri5 *s, size_t n, int i) { return s->work + (size_t)i * n; }

static size_t state_size(size_t n)
{
  return sizeof(dopri5) + (STAGES + 2) * n * sizeof(double);
}

static const double *candidate(const void *state, size_t n)
{
  return ((const dopri5 *)state)->work + STAGES * n;
}

static void start(void *state, size_t n)
{
  (void)n;
  ((dopri5 *)state)->have_k0 = 0;
}

/* ------------------------------------------------------------- step ---- */

/* y1 = y + h * sum_{j < i} a_ij k_j; written out, because for small n the loop
 * over j costs more than the sum */
static void combine(const dopri5 *s, size_t n, int i, double h, const double *y,
                    double *y1)
{
  const double *k = s->work, *w = a[i];

  for (size_t m = 0; m < n; m++) {
    const double *q = k + m;
    double        sum = w[0] * q[0];
    switch (i) {
    case 6: sum += w[2] * q[2 * n] + w[3] * q[3 * n] + w[4] * q[4 * n] + w[5] * q[5 * n];
      break;
    case 5: sum += w[1] * q[n] + w[2] * q[2 * n] + w[3] * q[3 * n] + w[4] * q[4 * n];
      break;
    case 4: sum += w[1] * q[n] + w[2] * q[2 * n] + w[3] * q[3 * n]; break;
    case 3: sum += w[1] * q[n] + w[2] * q[2 * n]; break;
    case 2: sum += w[1] * q[n]; break;
    default: break;
    }
    y1[m] = y[m] + h * sum;
  }
}

static double error_norm(const dopri5 *s, size_t n, const brink__tol *tol, double h,
                         const double *y, const double *y1)
{
  const double *k = s->work;
  double        sum = 0;

  for (size_t m = 0; m < n; m++) {
    const double *q = k + m;
    double err = e[0] * q[0] + e[2] * q[2 * n] + e[3] * q[3 * n] + e[4] * q[4 * n] +
                 e[5] * q[5 * n] + e[6] * q[6 * n];
    double r = h * err / brink__scale(tol, m, y[m], y1[m]);
    sum += r * r;
  }
  return sqrt(sum / (double)n);
}

/* |h| |k7 - k6| / |y7 - y6|: both pairs lie at t + h */
static double h_lambda(const dopri5 *s, size_t n, double h)
{
  const double *k6 = s->work + 5 * n, *k7 = s->work + 6 * n, *y7 = s->work + 7 * n;
  const double *y6 = s->work + 8 * n;
  double        num = 0, den = 0;

  for (size_t m = 0; m < n; m++) {
    num += (k7[m] - k6[m]) * (k7[m] - k6[m]);
    den += (y7[m] - y6[m]) * (y7[m] - y6[m]);
  }
  return den > 0 ? fabs(h) * sqrt(num / den) : 0;
}

static brink_status attempt(void *state, brink__gate *gate, const brink__tol *tol,
                            double t, double *h, const double *y, brink__outcome *out)
{
  dopri5      *s = state;
  size_t       n = gate->flow->n;
  double      *y1 = s->work + STAGES * n, *y6 = y1 + n;
  brink_status rc;

  /* first stage: free after an accepted step (FSAL) or a rejected attempt */
  if (!s->have_k0) {
    if ((rc = brink__f(gate, t, y, stage(s, n, 0))) != BRINK_OK)
      return rc;
    s->have_k0 = 1;
  }

  /* remaining stages; the last one is f at the candidate end point */
  for (int i = 1; i < STAGES; i++) {
    double *arg = i == STAGES - 2 ? y6 : y1;
    combine(s, n, i, *h, y, arg);
    if ((rc = brink__f(gate, t + c[i] * *h, arg, stage(s, n, i))) != BRINK_OK)
      return rc;
  }

  out->err = error_norm(s, n, tol, *h, y, y1);
  out->h_lambda = h_lambda(s, n, *h);
  return BRINK_OK;
}

/* ------------------------------------------------------------ dense ---- */

/* Hairer's form is  r1 + th(r2 + (1-th)(r3 + th(r4 + (1-th) r5))).
 * Multiplied out:   r1 + (r2+r3) th + (r4+r5-r3) th^2 - (r4+2r5) th^3 + r5 th^4. */
static int accept(void *state, size_t n, double h, const double *y, double *coeff)
{
  dopri5       *s = state;
  const double *k = s->work, *y1 = s->work + STAGES * n;

  for (size_t m = 0; m < n; m++, coeff += DEGREE + 1) {
    const double *q = k + m;
    double        first = h * q[0], last = h * q[6 * n];
    double        r2 = y1[m] - y[m], r3 = first - r2, r4 = r2 - last - r3;
    double        r5 = h * (d[0] * q[0] + d[2] * q[2 * n] + d[3] * q[3 * n] +
                     d[4] * q[4 * n] + d[5] * q[5 * n] + d[6] * q[6 * n]);
    coeff[0] = y[m];
    coeff[1] = first;
    coeff[2] = r4 + r5 - r3;
    coeff[3] = -r4 - 2 * r5;
    coeff[4] = r5;
  }

  /* first same as last */
  double *k0 = stage(s, n, 0), *k6 = stage(s, n, STAGES - 1);
  for (size_t m = 0; m < n; m++)
    k0[m] = k6[m];
  return DEGREE;
}

const brink_method brink__dopri5 = {
  .name = "dopri5",
  .about = "Dormand-Prince 5(4), C1 interpolant of order 4",
  .cite = "DP80",
  .order = 5, .error_order = 4, .dense_order = 4, .max_degree = DEGREE,
  .stability = 3.25, .flags = 0,
  .state_size = state_size, .start = start, .attempt = attempt,
  .predict = brink__predict_nothing, .dense = brink__dense_nothing, .accept = accept,
  .candidate = candidate,
};
