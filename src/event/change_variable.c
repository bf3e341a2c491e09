/* change_variable.c -- see change_variable.h */
#include "event/change_variable.h"

#include <math.h>

/* g'' is a central difference of g' over this part of the span: the cube root of the
 * rounding. */
static const double PART = 0x1p-17;

/* ------------------------------------------------------------- rates ---- */

int brink__change_rate(const brink__change *c, double t, const double *y,
                       const double *f, double *rate)
{
  return brink__guard_rate(c->guards, c->k, t, y, f, c->span, rate);
}

/* The rate at t + s on the line through (t, y) with slope f. */
static int rate_along(const brink__change *c, double t, const double *y,
                      const double *f, double s, double *rate)
{
  size_t n = c->guards->n_states;
  double *there = c->work, *f_there = c->work + n;

  for (size_t i = 0; i < n; i++)
    there[i] = y[i] + s * f[i];
  return brink__f(c->gate, t + s, there, f_there) == BRINK_OK &&
         brink__change_rate(c, t + s, there, f_there, rate);
}

int brink__change_curvature(const brink__change *c, double t, const double *y,
                            const double *f, double *curvature)
{
  double s = (t + PART * c->span) - t, before, after;

  if (!(s > 0 && rate_along(c, t, y, f, -s, &before) &&
        rate_along(c, t, y, f, s, &after)))
    return 0;
  *curvature = (after - before) / (2 * s);
  return isfinite(*curvature) != 0;
}

/* ----------------------------------------------------- the derived flow ---- */

/* K at s, where the right-hand side is f; 0: s is no variable there. */
static double factor(const brink__change *c, double s, double t, const double *y,
                     const double *f)
{
  double rate;

  switch (c->by) {
  case BRINK__BY_TIME: return 1;
  case BRINK__BY_GUARD:
    if (!brink__change_rate(c, t, y, f, &rate) || rate * c->least_rate <= 0 ||
        fabs(rate) < fabs(c->least_rate))
      return 0;
    return 1 / rate;
  case BRINK__BY_RATE:
    return brink__change_curvature(c, t, y, f, &rate) && rate != 0 ? 1 / rate : 0;
  case BRINK__BY_ROOT:
    if (s == 0)
      return 1 / sqrt(fabs(c->curvature));
    if (!brink__change_rate(c, t, y, f, &rate) || rate * s * c->curvature <= 0)
      return 0;
    return copysign(s, c->curvature * s) / rate;
  }
  return 0;
}

/* dg/ds, which a guard that is a state has whatever f rounds to. */
static double guard_slope(const brink__change *c, double s)
{
  return c->by == BRINK__BY_GUARD ? 1 : copysign(s, c->curvature * s);
}

static int derived(const brink_flow *flow, double s, const double *z, double *dz)
{
  const brink__change *c = flow->self;
  const brink__guard *g = &c->guards->info[c->k];
  size_t n = c->guards->n_states;
  double t = z[0], *f = dz + 1;
  const double *y = z + 1;

  brink_status rc = brink__f(c->gate, t, y, f);
  if (rc != BRINK_OK)
    return rc == BRINK_EUSER ? -1 : 1;
  double factor_now = factor(c, s, t, y, f);
  if (factor_now == 0 || !isfinite(factor_now))
    return 1;
  dz[0] = factor_now;
  for (size_t i = 0; i < n; i++)
    f[i] *= factor_now;
  if (g->form == BRINK__GUARD_STATE &&
      (c->by == BRINK__BY_GUARD || c->by == BRINK__BY_ROOT))
    f[g->state] = guard_slope(c, s);
  return 0;
}

/* ------------------------------------------------------------- steps ---- */

brink_status brink__change_advance(const brink__change *c, const brink_method *method,
                                   void *state, const brink__tol *tol, int steps,
                                   double s0, double s1, double *z, double *err)
{
  brink__change own = *c;
  size_t n = c->guards->n_states + 1;
  brink_flow flow = {.n = n, .rhs = derived, .reason = brink__no_reason, .self = &own};
  brink__gate gate = {.flow = &flow};

  *err = 0;
  for (int i = 0; i < steps; i++) {
    double from = s0 + (s1 - s0) * i / steps, to = s0 + (s1 - s0) * (i + 1) / steps;
    brink__outcome out = {0};
    method->start(state, n);
    brink_status rc = method->attempt(state, &gate, tol, from,
                                      (i + 1 < steps ? to : s1) - from, z, &out);
    if (rc != BRINK_OK)
      return rc;
    const double *end = method->candidate(state, n);
    if (!brink__all_finite(end, n))
      return BRINK_EDOMAIN;
    brink__copy(z, end, n);
    *err = isfinite(out.err) ? brink__max(*err, out.err) : HUGE_VAL;
  }
  return BRINK_OK;
}
