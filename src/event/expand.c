/* expand.c -- a guard along a step as a polynomial on [0, 1].
 *
 * States ......... a row of the step.
 * Others ......... sampled at Chebyshev points of the second kind on 8, 16, 32, 64
 *                  intervals, nested, until the coefficients have converged
 *                  [Tre13, ch. 2-4, 8]; of a polynomial guard, until they suffice for
 *                  its degree.
 * Proofs ......... guards whose Taylor coefficients a model can enclose (text): their
 *                  range excludes most steps; the error of interpolation at m + 1
 *                  points is bounded by coefficient m + 1.  Of guards behind loops only
 *                  range and slope are enclosed; what their polynomial leaves out is
 *                  left to interval_roots.c.
 */
#include "event/guards.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
  SHORT = 4,         /* degree up to which a series is rewritten in powers, where
                        that loses a few bits only                                */
  PROVED_NODES = 32, /* the finest grid whose error is bounded, by the Taylor
                        coefficient of its order: that costs its square           */
  PIECES = 16        /* into which [0, 1] is cut for that, at most                */
};

/* ----------------------------------------------------------- sampling ---- */

/* States on the grid of m <= SHARED intervals; those of m/2 may be there. */
static void states_on(brink__guards *g, const brink_step *step, int m)
{
  int apart = BRINK__SHARED / m, fine = BRINK__MAX_NODES / BRINK__SHARED;
  int known = g->node_step == step ? g->node_m : 0;

  if (known >= m)
    return;
  for (int j = known ? apart : 0; j <= BRINK__SHARED; j += known ? 2 * apart : apart)
    brink_step_at(step, g->nodes[j * fine], g->node_y + (size_t)j * step->n);
  g->node_step = step;
  g->node_m = m;
}

/* Fill every second sample from `first` on, or all of them, on m <= SHARED intervals.
 */
BRINK__INLINE brink_status sample_shared(brink__guards *g, int k,
                                         const brink_step *step, int m, int first,
                                         int stride, brink_err *err)
{
  size_t row = (size_t)(BRINK__SHARED / m) * step->n;
  int apart = BRINK__MAX_NODES / m, refused = 0;
  double *v = g->samples, t0 = step->t0, h = step->h;

  states_on(g, step, m);
  for (int j = first; j <= m; j += stride)
    refused |= g->model->ops->guard(g->model, g->live, g->mode, k,
                                    t0 + g->nodes[j * apart] * h,
                                    g->node_y + (size_t)j * row, &v[j]);
  g->evals += m / stride + (first == 0);
  if (!refused && brink__all_finite(v, (size_t)m + 1))
    return BRINK_OK;

  /* which one, and why? */
  for (int j = first; j <= m; j += stride)
    BRINK_TRY(brink__guard_value(g, k, t0 + g->nodes[j * apart] * h,
                                 g->node_y + (size_t)j * row, &v[j], err));
  return BRINK_OK;
}

/* Fill g->samples on m intervals, keeping those known from m/2. */
static brink_status sample_all(brink__guards *g, int k, const brink_step *step, int m,
                               brink_err *err)
{
  if (m == BRINK__NODES)
    return sample_shared(g, k, step, BRINK__NODES, 0, 1, err);
  for (int j = m; j >= 0; j -= 2)
    g->samples[j] = g->samples[j / 2];
  if (m == BRINK__SHARED)
    return sample_shared(g, k, step, BRINK__SHARED, 1, 2, err);
  for (int j = 1; j <= m; j += 2)
    BRINK_TRY(
        brink__guard_at(g, k, step, brink__guard_node(g, j, m), &g->samples[j], err));
  return BRINK_OK;
}

static double largest(const double *v, int n)
{
  double top = 0;

  for (int i = 0; i < n; i++)
    top = brink__max(top, fabs(v[i]));
  return top;
}

/* ---------------------------------------------------------------- fits --- */

/* A short series as powers of x: the quick answers of poly/ want that.  Fit and
 * rewriting cost a few roundings of the whole series, at x = 0 too. */
static void to_monomial(brink__poly *p, double *c)
{
  double a[SHORT + 1] = {0}, sum = 0;

  for (int k = 0; k <= p->degree; k++) {
    a[k] = c[k];
    sum += fabs(c[k]);
  }
  p->delta += 8 * DBL_EPSILON * sum;
  c[0] = a[0] - a[1] + a[2] - a[3] + a[4];
  c[1] = 2 * a[1] - 8 * a[2] + 18 * a[3] - 32 * a[4];
  c[2] = 8 * a[2] - 48 * a[3] + 160 * a[4];
  c[3] = 32 * a[3] - 256 * a[4];
  c[4] = 128 * a[4];
  p->form = BRINK__MONOMIAL;
}

/* One grid: 1 if the polynomial in *p is good enough. */
static int fitted(brink__guards *g, int k, int m, int exact, double noise,
                  brink__poly *p, brink_certificate *certificate)
{
  double dropped;

  *p = (brink__poly){BRINK__CHEBYSHEV, m, g->row, noise + g->info[k].noise};
  if (exact > 0) {
    if (exact > m)
      return 0;
    p->degree = exact;
    *certificate = BRINK_PROVED;
    return 1;
  }
  int kept = brink__chebyshev_converged(m, g->row, noise, &dropped);
  if (kept < 0)
    return 0;
  p->degree = kept;
  p->delta += dropped;
  *certificate = BRINK_CONVERGED;
  return 1;
}

/* ------------------------------------------------------------- proofs ---- */

static int range(brink__guards *g, int k, const brink_step *step, double a, double b,
                 int order, double *lo, double *hi)
{
  return g->model->ops->guard_range(g->model, g->live, g->mode, k, step, a, b, order,
                                    lo, hi);
}

/* Error of interpolation at the m + 1 Chebyshev points: 4^-m times the largest
 * Taylor coefficient m + 1 on [0, 1] [Tre13, ch. 8]; the interval is cut in pieces
 * until the enclosure is good enough.  1: the error is below tol, and in *error. */
static int error_below(brink__guards *g, int k, const brink_step *step, int m,
                       double tol, double *error)
{
  for (int pieces = 1; pieces <= PIECES; pieces *= 4) {
    double top = 0, lo, hi;
    for (int i = 0; i < pieces; i++) {
      if (!range(g, k, step, (double)i / pieces, (double)(i + 1) / pieces, m + 1, &lo,
                 &hi))
        return 0;
      top = fmax(top, fmax(-lo, hi));
    }
    *error = ldexp(top, -2 * m);
    if (*error <= tol)
      return 1;
  }
  return 0;
}

/* Turn "converged" into "proved"; 0 if a finer grid may do it. */
static int prove(brink__guards *g, int k, const brink_step *step, int m, brink__poly *p,
                 brink_certificate *certificate)
{
  double error;

  if (m <= PROVED_NODES && error_below(g, k, step, m, 16 * p->delta, &error)) {
    p->delta += error;
    *certificate = BRINK_PROVED;
    return 1;
  }
  return m >= PROVED_NODES;
}

/* Most guards have no zero in most steps, and their range shows it: as it is, or
 * around the middle with the range of the slope. */
static int clear(brink__guards *g, int k, const brink_step *step, brink__poly *p)
{
  double lo, hi;

  if (brink__watch_band(&g->watch[k]) > 0)
    return 0; /* it starts on its zero */
  if (!range(g, k, step, 0, 1, 0, &lo, &hi))
    return 0;
  if (!(lo > 0) && !(hi < 0)) {
    double s0, s1, m0, m1;
    if (!range(g, k, step, 0, 1, 1, &s0, &s1) ||
        !range(g, k, step, 0.5, 0.5, 0, &m0, &m1))
      return 0;
    double reach = 0.5 * fmax(-s0, s1) * (1 + 4 * DBL_EPSILON) + g->info[k].noise;
    lo = fmax(lo, m0 - reach);
    hi = fmin(hi, m1 + reach);
  }
  if (!(lo > 0) && !(hi < 0))
    return 0;
  g->watch[k].scale = fmax(hi, -lo);
  g->row[0] = lo > 0 ? lo : hi;
  *p = (brink__poly){BRINK__MONOMIAL, 0, g->row, 0};
  return 1;
}

/* ----------------------------------------------------------- expansion --- */

static brink_status expand_samples(brink__guards *g, int k, const brink_step *step,
                                   brink__poly *p, brink_certificate *certificate,
                                   brink_err *err)
{
  /* a polynomial guard of a polynomial step: exact as soon as the grid is fine
   * enough for its degree */
  int exact = g->info[k].degree * step->degree;
  int jet = g->info[k].form == BRINK__GUARD_JET;
  double rounding = -1; /* not yet known */

  if (exact > BRINK__MAX_NODES)
    exact = 0;

  for (int m = BRINK__NODES; m <= BRINK__MAX_NODES; m *= 2) {
    BRINK_TRY(sample_all(g, k, step, m, err));
    brink__chebyshev_fit(m, g->samples, g->row);
    double top = largest(g->samples, m + 1), noise = 4 * DBL_EPSILON * top;
    g->watch[k].scale = top;
    int good = fitted(g, k, m, exact, noise, p, certificate);

    /* a guard that is small by cancellation is noisier than its size tells */
    if (!good && rounding < 0 && exact == 0)
      BRINK_TRY(brink__guard_noise(g, k, step, &rounding, err));
    if (!good && rounding > noise)
      good = fitted(g, k, m, exact, 4 * rounding, p, certificate);
    if (!good)
      *certificate = BRINK_SAMPLED;
    else if (*certificate == BRINK_PROVED || !jet ||
             prove(g, k, step, m, p, certificate))
      break;
  }

  if (*certificate != BRINK_SAMPLED && p->degree <= SHORT)
    to_monomial(p, g->row);
  return BRINK_OK;
}

brink_status brink__guard_recheck(brink__guards *g, int k, const brink_step *step,
                                  brink__poly *p, int *raised, brink_err *err)
{
  double rounding;

  *raised = 0;
  if (g->info[k].form == BRINK__GUARD_STATE)
    return BRINK_OK; /* its polynomial is the state's own */
  BRINK_TRY(brink__guard_noise(g, k, step, &rounding, err));
  *raised = rounding > 2 * p->delta;

  /* its range has told the sign, but not its course, and comes too near to zero */
  if (p->degree == 0 && fabs(p->c[0]) <= rounding) {
    brink_certificate certificate = BRINK_PROVED;
    BRINK_TRY(expand_samples(g, k, step, p, &certificate, err));
    *raised = 1;
  }
  p->delta = fmax(p->delta, rounding);
  return BRINK_OK;
}

brink_status brink__guard_expand(brink__guards *g, int k, const brink_step *step,
                                 brink__poly *p, brink_certificate *certificate,
                                 brink_err *err)
{
  const brink__guard *info = &g->info[k];

  if (info->form == BRINK__GUARD_STATE) {
    size_t width = (size_t)step->degree + 1;
    const double *c = step->coeff + info->state * width;
    memcpy(g->row, c, width * sizeof *c);
    g->row[0] = c[0] - info->level;
    double rounding = DBL_EPSILON * (fabs(c[0]) + fabs(info->level)) + info->noise;
    *p = (brink__poly){BRINK__MONOMIAL, step->degree, g->row,
                       info->level == 0 ? info->noise : rounding};
    p->delta += brink__watch_band(&g->watch[k]);
    *certificate = BRINK_PROVED;
    return BRINK_OK;
  }
  if (brink__guard_encloses(info->form) && clear(g, k, step, p)) {
    *certificate = BRINK_PROVED;
    return BRINK_OK;
  }
  BRINK_TRY(expand_samples(g, k, step, p, certificate, err));
  p->delta += brink__watch_band(&g->watch[k]);
  return BRINK_OK;
}

/* The first grid alone: 1 if what it leaves out is below `loose` of the guard's size.
 */
static int fits_loosely(brink__guards *g, int k, const brink_step *step, double loose,
                        brink__poly *p)
{
  int exact = g->info[k].degree * step->degree;
  double top = largest(g->samples, BRINK__NODES + 1), noise = 4 * DBL_EPSILON * top,
         left;

  brink__chebyshev_fit(BRINK__NODES, g->samples, g->row);
  *p = (brink__poly){BRINK__CHEBYSHEV, exact, g->row, noise + g->info[k].noise};
  if (exact == 0 || exact > BRINK__NODES)
    p->degree = brink__chebyshev_converged(BRINK__NODES, g->row,
                                           brink__max(noise, loose * top), &left);
  if (p->degree < 0)
    return 0;
  p->degree = brink__poly_trim(p->degree, g->row, loose * top, &left);
  if (p->degree <= SHORT)
    to_monomial(p, g->row);
  return 1;
}

brink_status brink__guard_foresee(brink__guards *g, int k, const brink_step *step,
                                  double loose, brink__poly *p,
                                  brink_certificate *certificate, brink_err *err)
{
  if (g->info[k].form == BRINK__GUARD_SAMPLED ||
      g->info[k].form == BRINK__GUARD_RANGE) {
    BRINK_TRY(sample_all(g, k, step, BRINK__NODES, err));
    if (fits_loosely(g, k, step, loose, p)) {
      *certificate = BRINK_CONVERGED;
      return BRINK_OK;
    }
  }
  return brink__guard_expand(g, k, step, p, certificate, err);
}

int brink__guard_compose(brink__guards *g, int k, const brink_step *step, double loose,
                         brink__poly *p)
{
  brink_certificate certificate = BRINK_PROVED;
  brink_err ignored;

  brink__guards_step(g);
  if (g->info[k].form == BRINK__GUARD_STATE)
    return brink__guard_expand(g, k, step, p, &certificate, &ignored) == BRINK_OK;
  if (sample_all(g, k, step, BRINK__NODES, &ignored) < 0)
    return 0;
  if (fits_loosely(g, k, step, loose, p))
    return 1;
  return expand_samples(g, k, step, p, &certificate, &ignored) == BRINK_OK &&
         certificate != BRINK_SAMPLED;
}
