/* nudge_to_zero.c -- a state that an event has left on the wrong side of its own zero.
 *
 * An event is located to rounding, or to what a unilateral guard allows, so the state
 * may lie a hair on one side of the zero while the relation already has the value of
 * the other: `if h1 > h2 then sqrt(h1 - h2) else -sqrt(h2 - h1)` has just changed
 * its branch, and h2 - h1 is -2e-15.  The new branch has no value there, but it has at
 * the zero, which is as good a place for the state: one Newton step along the gradient
 * of the guard, in the norm relative to the states, moves it over.  Only relations
 * whose event is at this very time are considered, and only when an evaluation has
 * failed.
 */
#include "clause/clause.h"

#include <float.h>
#include <math.h>

/* Newton steps that come nearer to the zero are places to go on from, so often at most:
 * what one leaves for rounding, the next would leave a rounding of.  A step that is too
 * short for rounding is doubled, from the last of these places: the first step itself,
 * doubled, has the guard as far beyond its zero as it was before it. */
enum { NEARER = 2, TURNS = 12 };

static double weight(double y)
{
  double size = fabs(y);
  return size > DBL_MIN / DBL_EPSILON ? size : 1;
}

/* d g / d y[i] by differences; 0 where there is none. */
static double slope(dae_live *live, int k, double t, double g, double *y, size_t i)
{
  double was = y[i], step = 1e-6 * weight(was), high, low, bound;

  y[i] = was + step;
  if (!brink__clause_guard_at(live, k, t, y, &high, &bound))
    high = nan("");
  y[i] = was - step;
  if (!brink__clause_guard_at(live, k, t, y, &low, &bound))
    low = nan("");
  y[i] = was;
  if (!isnan(high) && !isnan(low))
    return (high - low) / (2 * step);
  return !isnan(high) ? (high - g) / step : !isnan(low) ? (g - low) / step : 0;
}

/* Move live->y to where guard k has the sign that belongs to its relation, or is 0. */
static int move(dae_live *live, int k, double t, double g)
{
  const dae_program *p = &live->m->guards[k].program;
  double *y = live->y, *d = live->nudge, *y0 = live->nudge + live->m->n,
         *from = y0 + live->m->n;
  double sum = 0, now = g, bound;
  int want = brink__clause_frozen_sign(live, k);

  for (size_t i = 0; i < p->n_states; i++) {
    int32_t s = p->states[i];
    double w = weight(y[s]);
    y0[s] = from[s] = y[s];
    d[s] = slope(live, k, t, g, y, (size_t)s) * w;
    sum += d[s] * d[s];
    d[s] *= w;
  }
  if (!(sum > 0) || !isfinite(sum))
    return 0;
  for (int turn = 0, nearer = 0, times = 0; turn < TURNS && now * want < 0; turn++) {
    for (size_t i = 0; i < p->n_states; i++) {
      int32_t s = p->states[i];
      y[s] = from[s] - ldexp(g / sum, times) * d[s];
    }
    if (!brink__clause_guard_at(live, k, t, y, &now, &bound))
      now = g;
    times++;
    if (now * want < 0 && fabs(now) < fabs(g) && nearer++ < NEARER) {
      for (size_t i = 0; i < p->n_states; i++)
        from[p->states[i]] = y[p->states[i]];
      g = now;
      times = 0;
    }
  }
  if (now * want >= 0) {
    live->firing[k].after = now;
    return 1;
  }
  for (size_t i = 0; i < p->n_states; i++)
    y[p->states[i]] = y0[p->states[i]];
  return 0;
}

int brink__clause_nudge_to_zero(dae_live *live, double t)
{
  const dae_model *m = live->m;
  const dae_fault fault = live->fault;
  int moved = 0;

  for (size_t k = 0; k < m->n_guards; k++) {
    double g, bound;
    if (m->guards[k].relation < 0 || !brink__fired_at(&live->firing[k], t) ||
        !brink__clause_guard_at(live, (int)k, t, live->y, &g, &bound) ||
        g * brink__clause_frozen_sign(live, (int)k) >= 0)
      continue;
    moved |= move(live, (int)k, t, g);
  }
  live->fault = fault;
  return moved;
}
