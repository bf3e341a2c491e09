/* adams.c -- Adams predictor-corrector (PECE) of orders 1 to 12, variable step,
 * variable order, in modified divided differences.
 *
 * Names are those of [EK07, 2.1], with y for their x:  t_k the last point, h the step
 * to t_{k+1}, f_{k-j+1} (j = 1..m) the m values the predictor uses.
 *
 *   predictor (4) .... y^p_{k+1} = y_k + h sum_{j=1..m} beta^p_j(h) f_{k-j+1}
 *   corrector (5) .... y_{k+1} = y_k + h { beta^c_0(h) f(y^p_{k+1}) + sum ... }
 *   Milne's error (16) Err = C |y^p_{k+1} - y_{k+1}|
 *
 * The sums with beta are integrals of interpolation polynomials of f.  They are written
 * in Newton's form, [HNW93, III.5; SG75, ch. 5], because then neighbouring
 * orders share all but one term and nothing cancels:
 *
 *   sum_j beta^p_j f_{k-j+1} = sum_{j=0..m-1} g_j Phi*_j,   Phi*_j = b_j Phi_j,
 *   Phi_j = prod_{i=0..j-1} (t_k - t_{k-1-i})  f[t_k, ..., t_{k-j}],
 *   b_j   = prod_{i=0..j-1} (t_{k+1} - t_{k-i}) / (t_k - t_{k-1-i}),
 *   g_j   = int_0^1 N_j(s) ds,   N_j(s) = prod_{i=0..j-1} (s + r_i) / (1 + r_i),
 *   r_i   = (t_k - t_{k-i}) / h >= 0.
 *
 * The monomial coefficients of N_j are positive and sum to one.  One table of them
 * gives g_j, the predicted polynomial (a polynomial in h as much as in s = (t - t_k)/h)
 * and the step polynomial, without a subtraction.
 *
 * With Phi_m(k+1), the next difference, taken with f(y^p) for f_{k+1},
 *   y^p + h g_{m-1} Phi_m(k+1)   is (5), of order m;
 *   y^p + h g_m     Phi_m(k+1)   is [DL15, (16)], of order m + 1.
 * The second goes on ("local extrapolation"), their difference is the error estimate,
 * so C = (g_{m-1} - g_m) / g_m.  Where the method chooses its order, the estimate also
 * covers slow convergence, see rest().  `order` is that of what goes on; order 1 is (5)
 * with m = 1.
 *
 * Order and step . the one of m - 1, m, m + 1 that promises the longest step, from
 *                  E_j = h gamma*_j sigma_j |Phi_j(k+1)|, the errors at constant step,
 *                  [SG75, ch. 7]; see choose().
 * Start .......... one step of auto-rk, which knows how long the stretches between
 *                  events are; the back values are slopes of its polynomial.  So a
 *                  restart costs what the cheapest Runge-Kutta pair costs.
 * Step polynomial  the integral of the polynomial through f_{k-m+1..k} and the final
 *                  f_{k+1}, bent by d (3 s^2 - 2 s^3) to end on y_{k+1}; d is of the
 *                  size of the error.  Order m + 1, and C1.
 * Stiffness ...... |f(y) - f(y^p)| / |y - y^p| against the stability interval.
 *
 * Cost: two evaluations of f per step, one per rejected attempt.
 */
#include "ode/adams.h"

#include <math.h>
#include <string.h>

#include "ode/adams_basis.h"
#include "ode/rk.h"

/* Orders up to 10 cost up to a quarter more on smooth problems, 13 nothing less. */
enum {
  MOST = 12,         /* order                                                      */
  VALUES = MOST - 1, /* m at most                                                 */
  ROWS = VALUES + 1, /* differences kept: one more than the predictor uses; at most
                        BRINK__ADAMS_ROWS                                          */
  TRIES = 3,         /* rejections in a row after which history is worth nothing   */
  RETRIED = 2,       /* accepted steps in a row that had been rejected first ...   */
  FALL = 3           /* ... and then the order falls by this much                  */
};

/* AIM 1/2 costs as much, in rejections, and leaves twice the error. */
static const double AIM = 0.25;   /* error the next step is to have              */
static const double GROW = 2;     /* most growth of a step ...                   */
static const double SHRINK = 0.3; /* ... most shrinking                          */
static const double TAIL = 3;     /* most that slow convergence adds to an error */
static const double STEADY = 1.1; /* growth below this is not worth the while    */

/* |gamma*_j|: error constants of the corrector of order j at constant step,
 * [HNW93, III.1], by the recursion given there. */
/* clang-format off */
static const double gamma_star[MOST + 1] = {
  1, 1./2, 1./12, 1./24, 19./720, 3./160, 863./60480, 275./24192, 33953./3628800,
  8183./1036800, 3250433./479001600, 4671./788480, 13695779093./2615348736000.};
/* clang-format on */

/* |h lambda| on the negative real axis up to which order m + 1 is stable (PECE,
 * constant step), by powers of the companion matrix */
static const double interval[VALUES + 1] = {0,    2.00, 2.40, 1.93, 1.42, 1.05,
                                            0.78, 0.60, 0.45, 0.34, 0.27, 0.21};

typedef brink__adams_basis basis;

typedef struct adams {
  int order;     /* asked for, 0: automatic                                     */
  int m;         /* values in the predictor                                     */
  int m_next;    /* after the step that was tried                               */
  int have;      /* differences that are there, Phi_0 .. Phi_{have-1}           */
  int starting;  /* auto-rk is at work                                          */
  int started;   /* steps it has made since the start                           */
  int failed;    /* rejections in a row                                         */
  int retried;   /* accepted steps in a row that had been rejected first        */
  int passed;    /* the last attempt had a good error, and is not accepted yet  */
  int full;      /* the polynomial of this step is wanted, or there             */
  double tail;   /* what slow convergence makes of an error, see rest()         */
  double h_next; /* size of the next step, 0: left to the controller            */
  double h_last; /* size and direction of the last                              */
  double back[ROWS + 1]; /* t_k - t_{k-i}, with the sign of h                     */
  brink__tol tol;
  basis at;       /* of the last attempt                                        */
  size_t starter; /* doubles of auto-rk's state                                 */
  double mem[];   /* auto-rk's state, then vectors of length n                  */
} adams;

/* ------------------------------------------------------------ state ---- */

enum { VECTORS = ROWS + 4 };

static size_t starter_size(const brink_flow *flow, const brink_integrator_opts *opt)
{
  return (brink__auto_rk.state_size(flow, opt) + sizeof(double) - 1) / sizeof(double);
}

static size_t state_size(const brink_flow *flow, const brink_integrator_opts *opt)
{
  return sizeof(adams) + (starter_size(flow, opt) + VECTORS * flow->n) * sizeof(double);
}

static double *phi(adams *s, size_t n, int j)
{
  return s->mem + s->starter + (size_t)j * n;
}
static double *f_end(adams *s, size_t n) { return phi(s, n, ROWS); }
static double *y_end(adams *s, size_t n) { return phi(s, n, ROWS + 1); }
static double *y_pred(adams *s, size_t n) { return phi(s, n, ROWS + 2); }
static double *next_phi(adams *s, size_t n) { return phi(s, n, ROWS + 3); }

static const double *candidate(const void *state, size_t n)
{
  const adams *s = state;

  return s->mem + s->starter + (ROWS + 1) * n; /* as y_end */
}

static brink_status open(void *state, brink_ctx *ctx, const brink_flow *flow,
                         const brink_integrator_opts *opt)
{
  adams *s = state;

  s->order = opt->order;
  s->starter = starter_size(flow, opt);
  BRINK_TRY(brink__auto_rk.open(s->mem, ctx, flow, opt));
  brink__auto_rk_from_top(s->mem); /* its errors go through the whole run */
  return BRINK_OK;
}

static void ended(void *state, double t)
{
  brink__auto_rk.ended(((adams *)state)->mem, t);
}

static void start(void *state, size_t n)
{
  adams *s = state;

  s->starting = 1;
  s->have = s->started = s->failed = s->passed = s->retried = 0;
  s->h_next = s->h_last = 0;
  brink__auto_rk.start(s->mem, n);
}

static const brink_method *acting(const void *state)
{
  const adams *s = state;

  return s->starting ? brink__auto_rk.acting(s->mem) : &brink__adams;
}

static double next_step(const void *state) { return ((const adams *)state)->h_next; }

/* m of the order that was asked for */
static int wanted(const adams *s) { return s->order > 2 ? s->order - 1 : 1; }

/* ------------------------------------------------------------ basis ---- */

static void build_basis(const adams *s, int m, double h, basis *at)
{
  brink__adams_basis_build(s->back, m, h, at);
}

double brink__adams_constant(const void *state, double h)
{
  const adams *s = state;
  basis at;

  if (s->starting || !(h * s->h_last > 0))
    return 0;
  build_basis(s, s->m, h, &at);
  return (at.g[s->m - 1] - at.g[s->m]) / at.g[s->m];
}

/* ------------------------------------------------------------ order ---- */

/* of h v, in units of the tolerance */
static double norm(const adams *s, size_t n, double h, const double *v, const double *y,
                   const double *y1)
{
  double sum = 0;

  for (size_t i = 0; i < n; i++) {
    double r = h * v[i] / brink__scale(&s->tol, i, y[i], y1[i]);
    sum += r * r;
  }
  return sqrt(sum / (double)n);
}

/* By how much a step may grow that had the error err of order j. */
static double growth(double err, int j)
{
  return err > 0 ? pow(AIM / err, 1.0 / (j + 1)) : HUGE_VAL;
}

/* The m of the next step, and its size over h.  E_j is the error of the corrector of
 * order j had all steps been h long, [SG75, ch. 7]. */
static double choose(adams *s, size_t n, double h, const double *y)
{
  const basis *at = &s->at;
  const double *y1 = y_end(s, n), *f1 = f_end(s, n);
  double *d = next_phi(s, n), grow[3] = {0, 0, 0};
  int m = s->m, last = s->have > m && m < VALUES ? m + 1 : m;

  memcpy(d, f1, n * sizeof *d);
  for (int j = 1; j <= last; j++) {
    const double *old = phi(s, n, j - 1);
    for (size_t i = 0; i < n; i++)
      d[i] -= at->b[j - 1] * old[i];
    if (j >= m - 1) {
      double E = s->tail * gamma_star[j] * at->sigma[j] * norm(s, n, h, d, y, y1);
      grow[j - m + 1] = growth(E, j);
    }
  }
  s->m_next = m;
  if (s->order) /* the first steps may have been below */
    s->m_next = last < wanted(s) ? last : wanted(s);
  else if (grow[0] > grow[1] && grow[0] >= grow[2])
    s->m_next = m - 1;
  else if (grow[2] > grow[1])
    s->m_next = m + 1;
  return grow[s->m_next - m + 1];
}

/* ------------------------------------------------------------- step ---- */

/* y^p, eq. (4), and the sum of Phi*_j: what f would be if the predictor were right. */
static void predictor(adams *s, size_t n, double h, const double *y, double *p,
                      double *sum)
{
  const basis *at = &s->at;

  memset(sum, 0, n * sizeof *sum);
  memset(p, 0, n * sizeof *p);
  for (int j = s->m - 1; j >= 0; j--) { /* the small ones first */
    const double *row = phi(s, n, j);
    double g = at->g[j], b = at->b[j];
    for (size_t i = 0; i < n; i++) {
      p[i] += g * b * row[i];
      sum[i] += b * row[i];
    }
  }
  for (size_t i = 0; i < n; i++)
    p[i] = y[i] + h * p[i];
}

/* The error of order m is the first of a series of which the corrector of order m + 1
 * leaves the rest; with the ratio rho of the last two terms that is rho / (1 - rho)
 * times the first.  More than 1 where f is not as smooth as the order thinks: then the
 * estimate must grow by as much.  d: Phi_m(k+1), err: its error. */
static double rest(adams *s, size_t n, double h, const double *y, const double *d,
                   double err)
{
  const double *y1 = y_end(s, n), *row = phi(s, n, s->m - 1);
  double b = s->at.b[s->m - 1], sum = 0;

  if (s->m == 1)
    return 1;
  for (size_t i = 0; i < n; i++) {
    double r = h * (d[i] + b * row[i]) / brink__scale(&s->tol, i, y[i], y1[i]);
    sum += r * r;
  }
  double before = (s->at.g[s->m - 2] - s->at.g[s->m - 1]) * sqrt(sum / (double)n);
  if (!(err * (1 + TAIL) < before * TAIL))
    return TAIL;
  return brink__max(1, err / (before - err));
}

/* The size of the next attempt after one of error err > 1.  Steps that are rejected
 * one after another while the series converges slowly run into a singularity, where
 * far values mislead. */
static void reject(adams *s, double h, double err)
{
  double factor = pow(AIM / err, 1.0 / (s->m + 1));

  s->failed++;
  if (s->tail > 1 && s->retried >= RETRIED && s->order == 0 && s->m > FALL + 1)
    s->m -= FALL;
  s->h_next = fabs(h) * brink__max(SHRINK, brink__min(factor, 0.9));
}

static void propose(adams *s, double h, double factor)
{
  double cut = fabs(h) < 0.99 * s->h_next ? s->h_next : 0;

  if (s->failed)
    factor = brink__min(factor, 1);
  factor = factor < 1 ? brink__max(factor, SHRINK) : factor < STEADY ? 1 : factor;
  /* a step cut short says little about the size that would have done */
  s->h_next = brink__max(fabs(h) * brink__min(factor, GROW), cut);
}

static brink_status step(adams *s, brink__gate *gate, double t, double h,
                         const double *y, brink__outcome *out)
{
  size_t n = gate->flow->n;
  int m = s->m;
  double *p = y_pred(s, n), *y1 = y_end(s, n), *f1 = f_end(s, n);
  double *d = next_phi(s, n);
  brink_status rc;

  build_basis(s, m, h, &s->at);
  predictor(s, n, h, y, p, d);
  if ((rc = brink__f(gate, t + h, p, f1)) != BRINK_OK)
    return rc;

  /* d = Phi_m(k+1); the corrector of order m + 1, or of order 1 if that is asked for */
  double g = s->order == 1 ? s->at.g[m - 1] : s->at.g[m];
  for (size_t i = 0; i < n; i++) {
    d[i] = f1[i] - d[i];
    y1[i] = p[i] + h * g * d[i];
  }
  double err = (s->at.g[m - 1] - s->at.g[m]) * norm(s, n, h, d, y, y1);
  s->tail = s->order ? 1 : rest(s, n, h, y, d, err);
  out->err = s->tail * err;
  if (!(out->err <= 1)) {
    reject(s, h, out->err);
    return BRINK_OK;
  }
  memcpy(d, f1, n * sizeof *d);
  if ((rc = brink__f(gate, t + h, y1, f1)) != BRINK_OK)
    return rc;
  out->h_lambda = brink__rk_ratio(n, h, f1, d, y1, p) / interval[m];
  propose(s, h, choose(s, n, h, y));
  return BRINK_OK;
}

static brink_status first(adams *s, brink__gate *gate, double t, double h,
                          const double *y, brink__outcome *out)
{
  size_t n = gate->flow->n;
  brink_status rc = brink__auto_rk.attempt(s->mem, gate, &s->tol, t, h, y, out);

  s->full = 0;
  if (rc != BRINK_OK || !(out->err <= 1))
    return rc;
  memcpy(y_end(s, n), brink__auto_rk.candidate(s->mem, n), n * sizeof *y);
  s->full = 1;
  return brink__auto_rk.dense(s->mem, gate, t, h, y);
}

static brink_status attempt(void *state, brink__gate *gate, const brink__tol *tol,
                            double t, double h, const double *y, brink__outcome *out)
{
  adams *s = state;

  s->tol = *tol;
  /* the way back is a new beginning; so is a history that does not help */
  if (!s->starting && (h * s->h_last < 0 || s->failed >= TRIES))
    start(s, gate->flow->n);
  if (s->starting)
    return first(s, gate, t, h, y, out);
  if (s->passed)
    s->h_next =
        0; /* its error was good but f does not exist at its end: a shorter one */
  s->full = 0;
  brink_status rc = step(s, gate, t, h, y, out);
  s->passed = rc != BRINK_OK || out->err <= 1;
  return rc;
}

static brink_status dense(void *state, brink__gate *gate, double t, double h,
                          const double *y)
{
  adams *s = state;
  brink_status rc = BRINK_OK;

  if (s->starting && !s->full) {
    rc = brink__auto_rk.dense(s->mem, gate, t, h, y);
    memcpy(y_end(s, gate->flow->n), brink__auto_rk.candidate(s->mem, gate->flow->n),
           gate->flow->n * sizeof *y);
  }
  s->full = 1;
  return rc;
}

/* ------------------------------------------------------------ start ---- */

/* Rows 0 .. count - 1 hold f at t_k, t_k - h, ...: make them differences. */
static void difference(adams *s, size_t n, int count, double h)
{
  brink__adams_difference(n, count, h, phi(s, n, 0), s->back);
  s->have = count;
  s->h_last = h;
  s->starting = s->failed = 0;
}

void brink__adams_seed(void *state, size_t n, double h, const double *f, int count)
{
  adams *s = state;

  count = count < ROWS ? count : ROWS;
  memcpy(phi(s, n, 0), f, (size_t)count * n * sizeof *f);
  difference(s, n, count, h);
  s->m = s->order == 0 || wanted(s) > count ? count : wanted(s);
  s->h_next = fabs(h);
}

/* |y^(k)(t_1)| h^k of a step polynomial, in units of the tolerance. */
static double derivative(adams *s, size_t n, int degree, int k, const double *coeff)
{
  double *d = next_phi(s, n);

  for (size_t i = 0; i < n; i++, coeff += degree + 1) {
    d[i] = 0;
    for (int q = k; q <= degree; q++) {
      double c = coeff[q];
      for (int l = 0; l < k; l++)
        c *= q - l;
      d[i] += c;
    }
  }
  return norm(s, n, 1, d, y_end(s, n), y_end(s, n));
}

/* The order and the step with which Adams goes on behind a Runge-Kutta step of size h:
 * the longest step that has the error aimed at. */
static double best_start(adams *s, size_t n, double h, int degree, const double *coeff)
{
  double best = 0;
  int most = degree - 1;

  if (s->order)
    most = wanted(s) < most ? wanted(s) : most;
  for (int j = s->order ? most : 1; j <= most; j++) {
    double part = growth(gamma_star[j] * derivative(s, n, degree, j + 1, coeff), j);
    part = brink__min(part, 1.0 / j); /* all j + 1 points lie in the step */
    if (part >= best) {
      best = part;
      s->m = j;
    }
  }
  return best * h;
}

/* The Runge-Kutta step stands; its slopes become history. */
static void hand_over(adams *s, size_t n, double h, int degree, const double *coeff)
{
  double part = best_start(s, n, h, degree, coeff) / h;
  int count = 0;

  for (; count < degree && count * part <= 1 + 1e-9; count++) {
    double *row = phi(s, n, count), theta = 1 - count * part;
    brink_step whole = {0, h, h, n, degree, coeff};
    brink_step_slope(&whole, theta, row);
  }
  difference(s, n, count, part * h);
  s->h_next = fabs(part * h);
}

/* ------------------------------------------------------ polynomials ---- */

static void integral(adams *s, size_t n, const basis *at, double h, int degree,
                     const double *y, double *coeff)
{
  brink__adams_integral(n, s->m, at, h, phi(s, n, 0), degree, y, coeff);
}

/* Eq. (4) as a polynomial. */
static int predict(void *state, size_t n, double t, double h, const double *y,
                   double *coeff)
{
  adams *s = state;
  basis at;

  (void)t;
  if (s->starting || !(h * s->h_last > 0))
    return 0;
  build_basis(s, s->m, h, &at);
  integral(s, n, &at, h, s->m, y, coeff);
  return s->m;
}

static int polynomial(adams *s, size_t n, double h, const double *y, double *coeff)
{
  int m = s->m, degree = m + 1 > 3 ? m + 1 : 3;
  size_t w = (size_t)degree + 1;
  const double *y1 = y_end(s, n), *f1 = f_end(s, n);

  integral(s, n, &s->at, h, degree, y, coeff);
  for (size_t i = 0; i < n; i++, coeff += w) {
    double d = f1[i]; /* Phi_m(k+1) */
    for (int j = 0; j < m; j++)
      d -= s->at.b[j] * phi(s, n, j)[i];
    for (int q = 1; q <= m; q++)
      coeff[q + 1] += h * d * s->at.N[m][q] / (q + 1);
    double off = -y1[i];
    for (int q = degree; q >= 0; q--)
      off += coeff[q];
    coeff[2] -= 3 * off;
    coeff[3] += 2 * off;
  }
  return degree;
}

/* Phi_j(k) becomes Phi_j(k+1); uses up f_end. */
static void rotate(adams *s, size_t n, double h)
{
  int m = s->m, known = s->have < m + 1 ? s->have : m + 1;
  int rows = known < ROWS ? known + 1 : ROWS;

  brink__adams_rotate(n, known, rows, &s->at, h, phi(s, n, 0), s->back, f_end(s, n));
  s->have = rows;
}

static int accept(void *state, size_t n, double h, const double *y, double *coeff)
{
  adams *s = state;
  int degree;

  if (s->starting) {
    degree = brink__auto_rk.accept(s->mem, n, h, y, coeff);
    s->h_next = 0;
    /* a cubic tells little: once more, if it was not enough for the stretch */
    if (s->full && (degree > 3 || ++s->started > 1))
      hand_over(s, n, h, degree, coeff);
    return degree;
  }
  if (s->full)
    degree = polynomial(s, n, h, y, coeff);
  else
    degree = brink__rk_cubic(n, h, y, y_end(s, n), phi(s, n, 0), f_end(s, n), coeff);
  rotate(s, n, h);
  s->m = s->m_next;
  s->retried = s->failed ? s->retried + 1 : 0;
  s->failed = s->passed = 0;
  s->h_last = h;
  return degree;
}

/* Another f at the end of the step changes every difference that ends there by the
 * same. */
static void moved(void *state, size_t n, const double *f)
{
  adams *s = state;

  if (s->starting) {
    brink__auto_rk.moved(s->mem, n, f);
    return;
  }
  for (size_t i = 0; i < n; i++) {
    double by = f[i] - phi(s, n, 0)[i];
    for (int j = 0; j < s->have; j++)
      phi(s, n, j)[i] += by;
  }
}

const brink_method brink__adams = {
    .name = "adams",
    .about = "Adams-Bashforth-Moulton 1 to 12, started by auto-rk, C1",
    .cite = "SG75",
    .order = MOST,
    .error_order = MOST - 1,
    .dense_order = MOST,
    .max_degree = MOST,
    .stages = 0,
    .beta = 0,
    .stability = 1,
    .flags = BRINK__MULTISTEP | BRINK__C1 | BRINK__ORDERS | BRINK__FREE_DENSE,
    .stride = 3,
    .state_size = state_size,
    .open = open,
    .close = brink__close_nothing,
    .copy = brink__copy_state,
    .start = start,
    .begin = brink__begin_nothing,
    .ended = ended,
    .attempt = attempt,
    .predict = predict,
    .dense = dense,
    .accept = accept,
    .moved = moved,
    .candidate = candidate,
    .acting = acting,
    .next_step = next_step,
};
