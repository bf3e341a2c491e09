/* leave_corner.c -- the first step from a point at which f has a corner, as sqrt(x) has
 * at 0.
 *
 * Stages of a method look to the sides of the solution by parts of its way, where f
 * need not exist, however short the step.  A shortest step of Euler,
 *
 *   y1 = y + h f(t, y),   h |f(t + h, y1) - f(t, y)|/2 below the tolerance,
 *
 * goes along f, and has the state where the next one finds f.
 */
#include "ode/integrator.h"

#include <float.h>
#include <math.h>

/* after the first step out of a corner of f, times it */
static const double GROW_FROM_CORNER = 8;

/* Corners no farther apart than so many such steps are one, and left so often at most:
 * events that follow each other there begin anew each time. */
static const double SAME_CORNER = 0x1p10;
enum { MOST_CORNERS = 8 };

/* The shortest time in which f moves a state by a few roundings, or the smallest step:
 * near t = 0 that may be less. */
static double noticed(const brink_integrator *it, const double *f)
{
  double h = HUGE_VAL;

  for (size_t i = 0; i < it->gate.flow->n; i++)
    if (f[i] != 0)
      h = brink__min(h, 4 * DBL_EPSILON * fabs(it->y[i] / f[i]));
  return brink__max(brink__least_step(it), h < HUGE_VAL ? h : 0);
}

BRINK__APART int brink__leave_corner(brink_integrator *it, double sign, double left,
                                     brink__outcome *out)
{
  size_t n = it->gate.flow->n;
  double *y1 = it->f2;

  if (it->continues || it->gate.flow->project ||
      brink__f(&it->gate, it->t, it->y, it->f0) != BRINK_OK)
    return 0;
  double h = brink__whole_step(it->t, sign * noticed(it, it->f0));
  int same = fabs(it->t - it->corner) <= SAME_CORNER * fabs(h);
  it->corners = same ? it->corners + 1 : 1;
  it->corner = it->t;
  if (it->corners > MOST_CORNERS || !(fabs(h) < left))
    return 0;
  for (size_t i = 0; i < n; i++) {
    it->tried[2 * i] = it->y[i];
    it->tried[2 * i + 1] = h * it->f0[i];
    y1[i] = it->y[i] + h * it->f0[i];
  }
  if (brink__f(&it->gate, it->t + h, y1, it->f1) != BRINK_OK)
    return 0;
  for (size_t i = 0; i < n; i++)
    if (!(fabs(h / 2 * (it->f1[i] - it->f0[i])) <=
          brink__scale(&it->tol, i, it->y[i], y1[i])))
      return 0;
  brink_step step = {it->t, h, it->t + h, n, 1, it->tried};
  brink__integrator_adopt(it, &step, y1);
  it->h = GROW_FROM_CORNER * fabs(h);
  *out = (brink__outcome){0};
  return 1;
}
