/* taylor.c -- the Taylor method: the series of the solution is the step.
 *
 * Coefficients .... from the flow (flow->jet): recurrences through the expressions of a
 *                   text model, or the user's.
 * Order ........... p = -ln(eps)/2 + 1, where eps is a part of the tolerance: the
 *                   optimum if the cost of a series grows with p^2 [JZ05, 3.1].
 * Step ............ with g = max (|c_k| / |y|)^(1/k) over the last coefficients, as an
 *                   estimate of one over the radius of convergence, the remainder is
 *                   about x^(p+1)/(1 - x), x = g h, and h makes it eps.  That is
 *                   [JZ05, 3.2] with four coefficients in place of two: of an odd or
 *                   even solution, or one in t^3, some of them are zero.
 *
 * The series is computed once at a point and serves every attempt from there, and the
 * prediction of events.  Of what lies ahead only f at the end of the step is evaluated,
 * behind the gate as everywhere: it must be the slope of the polynomial there, for f
 * may have left the law that the series belongs to (a discontinuity that no guard
 * announces; sqrt(x) where x comes back from 0).
 *
 * dopri5 takes a step where there is no series; where it reaches hardly anywhere
 * (sqrt(x) just behind x = 0), until there is one that reaches further than its steps;
 * and where the last coefficients vanish and say nothing about the radius: the solution
 * may be a polynomial, but also t^50 at t = 0, or (1 - t)^2 of x' = -2 sqrt(x), which
 * the solution leaves at t = 1.
 *
 * Cost: one series of order p per step, (p + 1)^2/2 products for each product in f.
 * Limits: not for stiff problems; f must have Taylor series.
 */
#include "ode/rk.h"

#include <float.h>
#include <math.h>

enum {
  LEAST = 3, /* order                                                              */
  MOST = 30, /* order, for tolerances far below rounding                           */
  LAST = 4   /* coefficients that tell the radius of convergence                   */
};

/* The error aimed at, as a part of the tolerance.  What a series leaves out is known
 * closely, where Runge-Kutta pairs estimate the error of a lower order and keep much
 * less; errors below the tolerance cost little here. */
static const double AIM = 1. / 32;

/* Part of the step that the estimate allows: the coefficients that are not known may be
 * a little larger than the last ones say. */
static const double SAFETY = 0.95;

/* No step goes further than this part of the radius of convergence. */
static const double WITHIN = 0.9;

/* Slopes that differ by more than this part have little in common; the error that makes
 * the next attempt as short as the controller can. */
static const double UNLIKE = 0.5, LEFT_SERIES = 1e6;

/* ... unless both are less than this part of the tolerance and the state is projected:
 * it may be zero but for rounding. */
static const double NOTHING = 0x1p-40;

/* A series that allows less than this part of the last step is left to dopri5: its
 * steps grow by a tenth or so at each, those of dopri5 by up to ten. */
static const double TOO_SHORT = 0x1p-10;

/* Where the last coefficients decay faster than the first ones by this factor (those of
 * exp and sin by 8, at order 20), they may vanish by accident. */
static const double VANISHING = 1. / 32;

typedef struct taylor {
  int order;
  int have;      /* the series at the present point is there                       */
  int vanishing; /* the last coefficients are zero, or nearly so                   */
  int by_rk;     /* dopri5 takes this step                                         */
  double scale;  /* coefficients are those of ((time - t) / scale)^k               */
  double h_most; /* longest step that meets the tolerance; infinite: any ...       */
  double part;   /* ... of which so much was asked for                             */
  double h_next; /* size of the next attempt, 0: left to the controller            */
  size_t rk;     /* numbers of the state of dopri5                                 */
  double data[]; /* it; c: [n][order + 1]; y1: [n]; f1: [n]; work of flow->jet     */
} taylor;

static double *series(taylor *s) { return s->data + s->rk; }

static double *end(taylor *s, size_t n)
{
  return series(s) + n * ((size_t)s->order + 1);
}

static double *slope(taylor *s, size_t n) { return end(s, n) + n; }
static void *work(taylor *s, size_t n) { return slope(s, n) + n; }

static int order_for(const brink_integrator_opts *opt)
{
  double tol = opt->rtol > 0 ? opt->rtol : brink__max(opt->atol, DBL_EPSILON);
  int p = (int)ceil(1 - log(AIM * tol) / 2);

  if (opt->order > 0)
    return opt->order;
  return p < LEAST ? LEAST : p > MOST ? MOST : p;
}

static size_t rk_size(const brink_flow *flow, const brink_integrator_opts *opt)
{
  return (brink__dopri5.state_size(flow, opt) + sizeof(double) - 1) / sizeof(double);
}

static size_t state_size(const brink_flow *flow, const brink_integrator_opts *opt)
{
  int p = order_for(opt);

  if (!flow->jet)
    return sizeof(taylor);
  return sizeof(taylor) +
         (rk_size(flow, opt) + flow->n * ((size_t)p + 3)) * sizeof(double) +
         flow->jet_size(flow, p);
}

static brink_status open(void *state, brink_ctx *ctx, const brink_flow *flow,
                         const brink_integrator_opts *opt)
{
  taylor *s = state;

  s->order = order_for(opt);
  s->scale = 1;
  s->rk = rk_size(flow, opt);
  return brink__dopri5.open(s->data, ctx, flow, opt);
}

static void start(void *state, size_t n)
{
  taylor *s = state;

  s->have = 0;
  brink__dopri5.start(s->data, n);
}

/* -------------------------------------------------------------- series --- */

/* |c_k| in units of the tolerance; where a state is close to zero it is measured by
 * what it becomes within one unit of the scale. */
static double size_of(taylor *s, const brink__tol *tol, size_t n, int k)
{
  size_t w = (size_t)s->order + 1;
  double top = 0;

  for (size_t i = 0; i < n; i++) {
    const double *c = series(s) + i * w;
    top = brink__max(top, fabs(c[k]) / brink__scale(tol, i, c[0], c[0] + c[1]));
  }
  return top;
}

/* The x with x^(p+1) / (1 - x) = tol, to the accuracy of an estimate. */
static double allowed(double tol, int p)
{
  double x = pow(tol, 1. / (p + 1));
  return pow(tol * (1 - x), 1. / (p + 1));
}

/* One over the radius of convergence that component i shows: how much the last LAST
 * coefficients are larger than those before, for each order.  A component too small to
 * matter here may grow beyond the tolerance outside (t^50 near t = 0). */
static double growth(taylor *s, size_t i)
{
  const double *c = series(s) + i * ((size_t)s->order + 1);
  int p = s->order, block = p / 2 < LAST ? p / 2 : LAST;
  double last = 0, before = 0;

  for (int k = p - block + 1; k <= p; k++) {
    last = brink__max(last, fabs(c[k]));
    before = brink__max(before, fabs(c[k - block]));
  }
  return before > 0 ? pow(last / before, 1. / block) : 0;
}

/* How long may the step be? */
static void measure(taylor *s, const brink__tol *tol, size_t n)
{
  double unit = tol->rtol > 0 ? tol->rtol : 1, last = 0, first = 0;
  int p = s->order;

  if (tol->part > 0)
    unit *= tol->part;
  for (int k = 1; k <= p; k++) {
    double rate = pow(unit * size_of(s, tol, n, k), 1. / k);
    double *of = k > p - LAST ? &last : &first;
    *of = brink__max(*of, rate);
  }
  double x = allowed(AIM * (unit < 1 ? unit : DBL_EPSILON), p);
  s->part = tol->part;
  double fastest = last > 0 ? last / x : 0;
  for (size_t i = 0; i < n; i++)
    fastest = brink__max(fastest, growth(s, i) / WITHIN);
  s->h_most = fastest > 0 ? s->scale / fastest : HUGE_VAL;
  s->vanishing = last <= VANISHING * first;
}

/* A unit of time in which the coefficients are neither huge nor tiny: the state over
 * its slope, as a power of two. */
static brink_status choose_scale(taylor *s, brink__gate *gate, const brink__tol *tol,
                                 double t, const double *y)
{
  size_t n = gate->flow->n;
  double *f = slope(s, n), rate = 0;
  int e;

  BRINK_TRY(brink__f(gate, t, y, f));
  for (size_t i = 0; i < n; i++)
    rate = brink__max(rate, fabs(f[i]) * (tol->rtol > 0 ? tol->rtol : 1) /
                                brink__scale(tol, i, y[i], y[i]));
  frexp(rate, &e);
  s->scale = rate > 0 ? ldexp(1, e > 900 ? -900 : e < -900 ? 900 : -e) : 1;
  return BRINK_OK;
}

static brink_status expand(taylor *s, brink__gate *gate, const brink__tol *tol,
                           double t, const double *y)
{
  size_t n = gate->flow->n;

  if (s->have && s->part == tol->part)
    return BRINK_OK;
  if (s->have) {
    measure(s, tol, n);
    return BRINK_OK;
  }
  if (s->h_most == 0)
    BRINK_TRY(choose_scale(s, gate, tol, t, y));
  BRINK_TRY(brink__series(gate, t, s->scale, y, s->order, work(s, n), series(s)));
  measure(s, tol, n);
  s->have = 1;
  return BRINK_OK;
}

static brink_status begin(void *state, brink__gate *gate, const brink__tol *tol,
                          double t, const double *y, double *h)
{
  taylor *s = state;
  brink_status rc = expand(s, gate, tol, t, y);

  if (rc != BRINK_OK && (rc != BRINK_EDOMAIN || gate->blocked))
    return rc;
  s->by_rk = rc != BRINK_OK || s->vanishing ||
             s->h_most < (s->by_rk ? 1 : TOO_SHORT) * s->scale;
  s->h_next = 0;
  if (!s->by_rk)
    *h = s->h_next = brink__min(SAFETY * s->h_most, DBL_MAX);
  return BRINK_OK;
}

/* ---------------------------------------------------------------- step --- */

/* The series at theta, smallest terms first; and (slope) its derivative. */
static double sum(const double *c, int p, double theta)
{
  double v = c[p];

  for (int k = p; k-- > 0;)
    v = v * theta + c[k];
  return v;
}

static double sum_slope(const double *c, int p, double theta)
{
  double v = p * c[p];

  for (int k = p; k-- > 1;)
    v = v * theta + k * c[k];
  return v;
}

/* How far f at the end of the step is from the slope of the polynomial: the error of
 * the state is about a (p + 1)-th part of it.  Where they have little in common, beyond
 * rounding, the solution has left the series on the way, however small both are. */
static brink_status check_end(taylor *s, brink__gate *gate, const brink__tol *tol,
                              double t, double h, double *err)
{
  size_t n = gate->flow->n, w = (size_t)s->order + 1;
  double *f = slope(s, n), theta = h / s->scale;

  BRINK_TRY(brink__f(gate, t + h, end(s, n), f));
  for (size_t i = 0; i < n; i++) {
    const double *c = series(s) + i * w;
    double rise = theta * sum_slope(c, s->order, theta);
    double defect = h * f[i] - rise, most = brink__max(fabs(h * f[i]), fabs(rise));
    double scale = brink__scale(tol, i, c[0], end(s, n)[i]);
    if (fabs(defect) > UNLIKE * most && most > 4 * DBL_EPSILON * fabs(c[0]) &&
        (!gate->flow->project || most > NOTHING * scale))
      *err = brink__max(*err, LEFT_SERIES);
    double e = fabs(defect) / scale / (double)w;
    *err = brink__max(*err, e);
  }
  return BRINK_OK;
}

static brink_status attempt(void *state, brink__gate *gate, const brink__tol *tol,
                            double t, double h, const double *y, brink__outcome *out)
{
  taylor *s = state;
  size_t n = gate->flow->n, w = (size_t)s->order + 1;
  double theta = h / s->scale;

  if (s->by_rk)
    return brink__dopri5.attempt(s->data, gate, tol, t, h, y, out);
  BRINK_TRY(expand(s, gate, tol, t, y));
  for (size_t i = 0; i < n; i++)
    end(s, n)[i] = sum(series(s) + i * w, s->order, theta);
  out->err = pow(fabs(h) / s->h_most, (double)w);
  s->h_next = out->err > 1 ? SAFETY * s->h_most : 0;
  return check_end(s, gate, tol, t, h, &out->err);
}

static int predict(void *state, size_t n, double t, double h, const double *y,
                   double *coeff)
{
  taylor *s = state;
  size_t w = (size_t)s->order + 1;

  (void)t, (void)y;
  if (s->by_rk)
    return 0;
  for (size_t i = 0; i < n; i++) {
    double power = 1;
    for (size_t k = 0; k < w; k++, power *= h / s->scale)
      coeff[i * w + k] = series(s)[i * w + k] * power;
  }
  return s->order;
}

static int accept(void *state, size_t n, double h, const double *y, double *coeff)
{
  taylor *s = state;
  int e, degree = s->by_rk ? brink__dopri5.accept(s->data, n, h, y, coeff)
                           : predict(state, n, 0, h, y, coeff);

  /* the next series in units of about this step */
  frexp(fabs(h), &e);
  s->scale = ldexp(1, e);
  s->have = 0;
  if (s->by_rk)
    return degree;
  brink__dopri5.start(s->data, n);
  s->h_next = brink__min(SAFETY * s->h_most, DBL_MAX);
  return degree;
}

/* The series is computed anew at each point; dopri5 goes on. */
static void moved(void *state, size_t n, const double *f)
{
  taylor *s = state;

  if (s->by_rk)
    brink__dopri5.moved(s->data, n, f);
}

static const double *candidate(const void *state, size_t n)
{
  const taylor *s = state;

  if (s->by_rk)
    return brink__dopri5.candidate(s->data, n);
  return s->data + s->rk + n * ((size_t)s->order + 1);
}

static const brink_method *acting(const void *state)
{
  return ((const taylor *)state)->by_rk ? &brink__dopri5 : NULL;
}

static double next_step(const void *state) { return ((const taylor *)state)->h_next; }

const brink_method brink__taylor = {
    .name = "taylor",
    .about = "Taylor series of the solution, order from the tolerance, one-sided",
    .cite = "JZ05",
    .order = MOST,
    .error_order = MOST - 1,
    .dense_order = MOST,
    .max_degree = MOST,
    .flags = BRINK__ORDERS | BRINK__FREE_DENSE | BRINK__NEEDS_JET,
    .state_size = state_size,
    .open = open,
    .close = brink__close_nothing,
    .copy = brink__copy_state,
    .start = start,
    .ended = brink__ended_nothing,
    .begin = begin,
    .attempt = attempt,
    .predict = predict,
    .dense = brink__dense_nothing,
    .accept = accept,
    .moved = moved,
    .candidate = candidate,
    .acting = acting,
    .next_step = next_step,
};
