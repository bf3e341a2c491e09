/* guard_steps.c -- how long steps may be where a guard stands behind a large loop.
 *
 * A guard along a step is read from its values at up to 65 places.  Where its own
 * expression can be enclosed, nothing between them is lost (guard_series.c).  Behind a
 * loop of more than DAE_ENCLOSED_MAX unknowns it cannot: a peak between two places goes
 * unseen, and over a long way the loop may not be followed from one to the next.  The
 * step is chosen for the states, which may be much smoother than the guard, and is
 * longest with methods of high order.
 *
 * So steps end within the radius of convergence of the guard's Taylor series: a
 * function without a singularity in the circle of radius R around the start of a step
 * of length WITHIN R is approximated by polynomials on it so that the error falls like
 * rho^-m with the degree m, rho = 3 for WITHIN = 3/4 [Tre13, ch. 8].  The radius is
 * estimated by the growth of the last coefficients, as for the step of the method
 * taylor.  A series that has converged to rounding over the step that is wanted sets
 * no limit.
 *
 * Cost: a series of order 12 of the states and of the guards, once for about half a
 * radius.  Models without such guards pay nothing.
 * Limits: what does not show in the series (a pulse far away, below rounding) is not
 * seen; values that delay() brings have no series here.
 */
#include "clause/clause.h"

#include <float.h>
#include <math.h>

enum {
  ORDER = 12,
  LAST = 4, /* coefficients that are compared with as many before them              */
  TRIES = 8 /* units of time, each BY times the one before, until no number is huge */
};
static const double BY = 0x1p-20;

/* The part of the radius of convergence that a step may take. */
static const double WITHIN = 0.75;

/* Coefficients below this part of the largest are rounding. */
static const double NOISE = 64 * DBL_EPSILON;

/* What is left of the last limit must be longer than this part of it, or the guards are
 * expanded again. */
static const double WORTH = 0.5;

static int behind_loop(const dae_model *m, size_t k)
{
  return m->info[k].form == BRINK__GUARD_SAMPLED && m->guards[k].program.n_steps > 1;
}

void brink__clause_guard_steps(dae_model *m)
{
  size_t stride = ORDER + 1, most = 0;

  for (size_t k = 0; k < m->n_guards && m->n_delays == 0; k++)
    if (behind_loop(m, k))
      most = brink__zmax(most, brink__dae_series_size(m, &m->guards[k].program, ORDER));
  if (most == 0)
    return;
  most = brink__zmax(most, brink__dae_series_size(m, &m->flow, ORDER));
  m->n_guard_work = m->n * stride + stride + most / sizeof(double) + 1;
}

static double largest(const double *c, int n)
{
  double top = 0;

  for (int k = 0; k < n; k++)
    top = brink__max(top, fabs(c[k]));
  return top;
}

/* The radius of convergence that the coefficients show, in units of the scale. */
static double radius(const double *c)
{
  double top = largest(c, ORDER + 1), last = largest(c + ORDER - LAST + 1, LAST);
  double before = largest(c + ORDER - 2 * LAST + 1, LAST);

  if (last <= NOISE * top)
    return HUGE_VAL;
  return before > 0 ? pow(before / last, 1. / LAST) : pow(top / last, 1. / ORDER);
}

/* The longest step from (t, y) in units of `unit`; 0: numbers are too large. */
static double within_series(dae_live *live, double t, const double *y, double unit)
{
  const dae_model *m = live->m;
  size_t stride = ORDER + 1;
  double *states = live->guard_work, *c = states + m->n * stride, *work = c + stride;
  double least = HUGE_VAL;

  live->effort.jets++;
  if (brink__dae_run(live, &m->flow, t, y) < 0 ||
      brink__dae_series(live, &m->flow, unit, y, ORDER, work, states) < 0)
    return HUGE_VAL; /* nothing is known here */
  if (!brink__all_finite(states, m->n * stride))
    return 0;
  for (size_t k = 0; k < m->n_guards; k++) {
    const dae_program *p = &m->guards[k].program;
    if (!behind_loop(m, k) || brink__dae_run(live, p, t, y) < 0 ||
        brink__dae_series_along(live, p, unit, states, ORDER, work, c) < 0)
      continue;
    if (!brink__all_finite(c, stride))
      return 0;
    least = brink__min(least, radius(c));
  }
  return WITHIN * least;
}

double brink__clause_guard_step(dae_live *live, double t, const double *y, double t_end,
                                double wanted)
{
  dae_reach *last = &live->guard_reach;
  double left = last->until - t;

  if (wanted > 0 && t >= last->from &&
      (wanted <= left || left >= WORTH * (last->until - last->from)))
    return left;
  double unit = wanted > 0 ? brink__min(wanted, t_end - t) : t_end - t;
  double at = live->backward ? -t : t, part = within_series(live, at, y, unit);
  for (int i = 1; i < TRIES && part == 0; i++)
    part = within_series(live, at, y, unit *= BY);
  double h = part > 0 && part < HUGE_VAL ? part * unit : HUGE_VAL;
  *last = (dae_reach){t, t + brink__min(h, unit)};
  return h;
}
