/* guard_series.c -- what can be proved about a guard along a step.
 *
 * The states of a step are polynomials in theta, so their Taylor coefficients at all
 * points of an interval are easily enclosed, and jets of intervals through the
 * guard's tape enclose those of the guard.  Order 0 is its range; order n + 1 is what
 * bounds the error of interpolation in n + 1 points.  A guard behind a loop, or one
 * with a kink inside the interval, cannot be enclosed this way.
 */
#include "clause/clause.h"

#include <float.h>
#include <math.h>

/* Coefficient k of the polynomial c at all points of [a, b], 0 <= a <= b: term by
 * term, each being monotone there.  Whoever evaluates the polynomial at a point rounds
 * as well: the last sum of Horner's rule once, everything before it by 2 degree units
 * of the higher terms; both are enclosed. */
static brink__itv shifted(const double *c, int degree, int k, double a, double b)
{
  double lo = 0, hi = 0, size = 0, binomial = 1, pa = 1, pb = 1;

  if (k > degree)
    return (brink__itv){0, 0};
  for (int j = k + 1; j <= degree; j++) {
    binomial *= (double)j / (j - k);
    pa *= a;
    pb *= b;
    double at_a = c[j] * binomial * pa, at_b = c[j] * binomial * pb;
    lo += fmin(at_a, at_b);
    hi += fmax(at_a, at_b);
    size += fabs(at_b);
  }
  double slack = DBL_EPSILON * (2 * (degree + 2) * size + fabs(c[k]));
  return (brink__itv){c[k] + lo - slack, c[k] + hi + slack};
}

static void fill_constants(dae_live *live, const clause_guard *d, size_t stride)
{
  for (size_t i = 0; i < d->n_known; i++) {
    double x = live->v[d->known[i]];
    live->series[(size_t)d->known[i] * stride] = (brink__itv){x, x};
  }
}

static void fill_order(dae_live *live, const clause_guard *d, const brink_step *s,
                       int k, double a, double b, size_t stride)
{
  const dae_model *m = live->m;
  brink__itv *time = &live->series[(size_t)BRINK__TIME * stride + (size_t)k];

  if (k == 0) {
    double t0 = s->t0 + a * s->h, t1 = s->t0 + b * s->h;
    double slack = DBL_EPSILON * (fabs(s->t0) + fabs(s->h));
    *time = (brink__itv){fmin(t0, t1) - slack, fmax(t0, t1) + slack};
  } else {
    double c = k == 1 ? s->h : 0;
    *time = (brink__itv){c, c};
  }
  for (size_t i = 0; i < d->program.n_states; i++) {
    size_t x = (size_t)d->program.states[i];
    live->series[(size_t)m->state_symbol[x] * stride + (size_t)k] =
        shifted(s->coeff + x * ((size_t)s->degree + 1), s->degree, k, a, b);
  }
}

int brink__clause_guard_range(const brink_model *model, brink__live *l, int mode, int k,
                              const brink_step *step, double a, double b, int order,
                              double *lo, double *hi)
{
  dae_live *live = dae_live_of(l);
  const dae_model *m = dae_of(model);
  const clause_guard *d = &m->guards[k];
  size_t stride = (size_t)order + 1;

  (void)mode;
  if (order > m->max_order || m->info[k].form != BRINK__GUARD_JET)
    return 0;
  live->effort.jets++;
  fill_constants(live, d, stride);
  for (int j = 0; j <= order; j++) {
    fill_order(live, d, step, j, a, b, stride);
    if (brink__tape_ijet(d->last, j, stride, live->series, NULL) < 0)
      return 0;
  }
  size_t slot = brink__tape_slot(d->last, brink__tape_n_roots(d->last) - 1);
  brink__itv r = live->series[slot * stride + (size_t)order];
  *lo = r.lo;
  *hi = r.hi;
  return isfinite(r.lo) && isfinite(r.hi);
}

/* ------------------------------------------------------------- rounding ---- */

/* What was solved or computed before the last tape is known to so many roundings: the
 * last correction of Newton's method is no larger. */
static const double SOLVED = 8 * DBL_EPSILON;

static void solved_before(dae_live *live, const dae_step *s)
{
  const dae_loop *loop = s->loop;

  for (size_t i = 0; loop && i < loop->n; i++)
    live->delta[loop->symbol[i]] = SOLVED * fabs(live->v[loop->symbol[i]]);
  for (size_t i = 0; !loop && i < s->n_rows; i++) {
    size_t slot = brink__tape_slot(s->tape, i);
    if (slot < live->m->n_symbols)
      live->delta[slot] = SOLVED * fabs(live->v[slot]);
  }
}

int brink__clause_rounding(dae_live *live, const clause_guard *d, const double *noise,
                           double *bound)
{
  const dae_model *m = live->m;
  const dae_program *p = &d->program;

  for (size_t i = 0; i < p->n_states; i++) {
    int32_t s = m->state_symbol[p->states[i]];
    live->delta[s] = noise ? noise[p->states[i]] : 4 * DBL_EPSILON * fabs(live->v[s]);
  }
  for (size_t i = 0; i + 1 < p->n_steps; i++)
    solved_before(live, &p->steps[i]);
  if (brink__tape_noise(d->last, live->v, live->delta, live->work, live->bound, NULL) <
      0)
    return 0;
  *bound = live->bound[brink__tape_n_roots(d->last) - 1];
  return 1;
}

int brink__clause_guard_noise(const brink_model *model, brink__live *l, int mode, int k,
                              double t, const double *y, const double *noise,
                              double *value, double *delta)
{
  dae_live *live = dae_live_of(l);
  const dae_model *m = dae_of(model);
  const clause_guard *d = &m->guards[k];

  (void)mode;
  if (brink__dae_run(live, &d->program, t, y) < 0)
    return 0;
  *value = clause_guard_value(live, d);
  return brink__clause_rounding(live, d, noise, delta);
}
