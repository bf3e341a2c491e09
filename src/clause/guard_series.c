/* guard_series.c -- what can be proved about a guard along a step.
 *
 * The states of a step are polynomials in theta, so their Taylor coefficients at all
 * points of an interval are easily enclosed, and jets of intervals through the
 * guard's tape enclose those of the guard.  Order 0 is its range; order n + 1 is what
 * bounds the error of interpolation in n + 1 points.  Behind loops, range and slope are
 * enclosed (dae/loop_range.c).  A guard with a kink inside the interval has a range,
 * but no Taylor coefficients.
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

/* The part [a, b] of a step on which a guard is enclosed; c has room for the Taylor
 * coefficients of what it reads, up to stride - 1. */
typedef struct stretch {
  const clause_guard *d;
  const brink_step *step;
  double a, b;
  size_t stride;
  brink__itv *c;
} stretch;

static void fill_constants(const dae_live *live, const stretch *x)
{
  for (size_t i = 0; i < x->d->n_known; i++) {
    double v = live->v[x->d->known[i]];
    brink__itv *c = &x->c[(size_t)x->d->known[i] * x->stride];
    c[0] = (brink__itv){v, v};
  }
}

static void fill_order(const dae_live *live, const stretch *x, int k)
{
  const dae_model *m = live->m;
  const dae_program *p = &x->d->program;
  const brink_step *s = x->step;
  double a = x->a, b = x->b;
  brink__itv *time = &x->c[(size_t)BRINK__TIME * x->stride + (size_t)k];

  if (k == 0) {
    double t0 = s->t0 + a * s->h, t1 = s->t0 + b * s->h;
    double slack = DBL_EPSILON * (fabs(s->t0) + fabs(s->h));
    *time = (brink__itv){fmin(t0, t1) - slack, fmax(t0, t1) + slack};
  } else {
    double c = k == 1 ? s->h : 0;
    *time = (brink__itv){c, c};
  }
  for (size_t i = 0; i < p->n_states; i++) {
    size_t y = (size_t)p->states[i];
    x->c[(size_t)m->state_symbol[y] * x->stride + (size_t)k] =
        shifted(s->coeff + y * ((size_t)s->degree + 1), s->degree, k, a, b);
  }
}

/* Taylor coefficients of a guard that is one tape. */
static int enclose_tape(dae_live *live, const stretch *x, int order)
{
  for (int k = 0; k <= order; k++) {
    fill_order(live, x, k);
    if (brink__tape_ijet(x->d->last, k, x->stride, x->c, NULL) < 0)
      return 0;
  }
  return 1;
}

/* Range and slope of one behind loops, about its values in the middle; where is its
 * last root? */
static int enclose_program(dae_live *live, stretch *x, int order)
{
  const dae_model *m = live->m;
  const dae_program *p = &x->d->program;
  double mid = x->a + 0.5 * (x->b - x->a), reach = fmax(mid - x->a, x->b - mid);
  stretch point = {x->d, x->step, mid, mid, 1, live->range.point};

  fill_constants(live, &point);
  fill_order(live, &point, 0);
  fill_order(live, x, 0);
  fill_order(live, x, 1);
  live->v[BRINK__TIME] = live->t = x->step->t0 + mid * x->step->h;
  for (size_t i = 0; i < p->n_states; i++)
    live->v[m->state_symbol[p->states[i]]] =
        brink_step_state(x->step, (size_t)p->states[i], mid);
  if (brink__dae_steps(live, p) < 0 || !brink__dae_enclose(live, p, order, reach))
    return 0;
  if (reach == 0 && order == 0)
    *x = point;
  return 1;
}

int brink__clause_guard_range(const brink_model *model, brink__live *l, int mode, int k,
                              const brink_step *step, double a, double b, int order,
                              double *lo, double *hi)
{
  dae_live *live = dae_live_of(l);
  const dae_model *m = dae_of(model);
  const clause_guard *d = &m->guards[k];
  int tape = m->info[k].form == BRINK__GUARD_JET;
  stretch x = {.d = d, .step = step, .a = a, .b = b, .stride = (size_t)order + 1};

  (void)mode;
  if (!brink__guard_encloses(m->info[k].form) || order > (tape ? m->max_order : 1))
    return 0;
  live->effort.jets++;
  if (!tape)
    x.stride = 2;
  x.c = tape ? live->series : live->range.series;
  fill_constants(live, &x);
  if (!(tape ? enclose_tape(live, &x, order) : enclose_program(live, &x, order)))
    return 0;
  size_t slot = brink__tape_slot(d->last, brink__tape_n_roots(d->last) - 1);
  brink__itv r = x.c[slot * x.stride + (size_t)order];
  *lo = r.lo;
  *hi = r.hi;
  return isfinite(r.lo) && isfinite(r.hi);
}

/* ------------------------------------------------------------- rounding ---- */

/* What was solved or computed before the last tape is known to so many roundings: the
 * last correction of Newton's method is no larger. */
static const double SOLVED = 8 * DBL_EPSILON;

/* coupled: the guard decides about the loop that it is behind.  The unknowns of a loop
 * are solved to roundings of their size or their nominal value: a voltage between two
 * conducting diodes is 0 up to that, and its sign must not switch them. */
static void solved_before(dae_live *live, const dae_step *s, int coupled)
{
  const dae_loop *loop = s->loop;

  for (size_t i = 0; loop && i < loop->n; i++) {
    double size = fabs(live->v[loop->symbol[i]]);
    if (coupled)
      size = fmax(size, brink__dae_nominal(live, loop, i));
    live->delta[loop->symbol[i]] = SOLVED * size;
  }
  for (size_t i = 0; !loop && i < s->n_rows; i++) {
    size_t slot = brink__tape_slot(s->tape, i);
    if (slot < live->m->n_symbols)
      live->delta[slot] = SOLVED * fabs(live->v[slot]);
  }
}

/* Behind loops: from an enclosure of all that is solved, with the states as uncertain
 * as live->delta says. */
static int enclosed_rounding(dae_live *live, const clause_guard *d, double *bound)
{
  const dae_model *m = live->m;
  const dae_program *p = &d->program;
  brink__itv *c = live->range.point;
  size_t slot = brink__tape_slot(d->last, brink__tape_n_roots(d->last) - 1);
  double value = clause_guard_value(live, d), t = live->v[BRINK__TIME];

  fill_constants(live, &(stretch){.d = d, .stride = 1, .c = c});
  c[BRINK__TIME] = (brink__itv){t, t};
  for (size_t i = 0; i < p->n_states; i++) {
    int32_t s = m->state_symbol[p->states[i]];
    double slack = live->delta[s] + DBL_EPSILON * fabs(live->v[s]);
    c[s] = (brink__itv){live->v[s] - slack, live->v[s] + slack};
  }
  if (!brink__dae_enclose(live, p, 0, 0))
    return 0;
  *bound = fmax(value - c[slot].lo, c[slot].hi - value);
  return isfinite(*bound);
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
  int coupled = d->relation >= 0 && m->relations[d->relation].coupled;
  double range = 0;
  if (m->info[d - m->guards].form == BRINK__GUARD_RANGE) {
    int known = enclosed_rounding(live, d, &range);
    *bound = range;
    if (!known || !coupled)
      return known;
  }
  for (size_t i = 0; i + 1 < p->n_steps; i++)
    solved_before(live, &p->steps[i], coupled);
  if (brink__tape_noise(d->last, live->v, live->delta, live->work, live->bound, NULL) <
      0)
    return 0;
  *bound = fmax(range, live->bound[brink__tape_n_roots(d->last) - 1]);
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
