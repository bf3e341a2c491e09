/* curve.c -- following the curve F(x, lambda) = 0 to lambda = 1.
 *
 * As many equations as unknowns besides lambda describe a curve.  It is followed by its
 * length and not by lambda, so that it may turn back in lambda on its way
 * [AG03, chapters 2, 3, 6]:
 *
 *   predict: along the direction of the curve, the kernel of the derivatives of F;
 *   correct: by Newton's method in the plane across the direction.  The first
 *     correction must be short beside the step, and each one shorter than the last,
 *     else another curve might be found: then the step is halved;
 *   accept: if the direction has not turned too far.
 *
 * The last step keeps lambda = 1.  Lengths count an unknown in units that its owner
 * gives.  With fewer equations the shortest corrections are taken, and the direction
 * that changes least.
 *
 * Limits: dense, n^3 per correction.  What is found is exact to SMALL only.
 */
#include "dae/curve.h"
#include "linear/linear.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { CORRECTIONS = 8 }; /* of one step */

static const double FIRST = 0.1;  /* change of lambda in the first step             */
static const double LEAST = 1e-9; /* length of a step at which the curve counts as
                                     lost                                           */
static const double NEAR = 0.3;   /* bound on the first correction over the step    */
static const double SHRINK = 0.5; /* bound on each correction over the one before   */
static const double SMALL = 1e-9; /* corrections below this end the iteration       */
static const double TURN = 0.8;   /* least cosine between successive directions     */
static const double STRAY = 0.05; /* bound on the distance from the mean of two
                                     directions over the step, or over the unit     */
static const double KINK = 1e-5;  /* Below this length of a step the turn and the
                                     first correction do not count: at a kink they
                                     do not become small with the step.             */

static const double RETURN = 100; /* lambda turns back if it is less by this many times
                                     what corrections leave                         */

static double length(const double *v, size_t n)
{
  double sum = 0;

  for (size_t j = 0; j < n; j++)
    sum += v[j] * v[j];
  return sqrt(sum);
}

/* The correction with jacobian * correction = (r, last), where the last row of the
 * matrix is the direction, or (j >= 0) the unit vector of unknown j.  1: the rows are
 * independent. */
static int solve(dae_curve *c, const double *r, double last, int j)
{
  dae_path *w = &c->live->path;
  double *row = w->jacobian + c->rows * (c->n + 1);

  for (size_t k = 0; k <= c->n; k++)
    row[k] = j >= 0 ? (int)k == j : w->direction[k] / w->unit[k];
  for (size_t i = 0; i < c->rows; i++)
    w->r[i] = r ? r[i] : 0;
  w->r[c->rows] = last;
  return brink__least_norm(c->rows + 1, c->n + 1, w->jacobian, w->r, w->correction,
                           w->row, w->work) == c->rows + 1;
}

/* The direction is that of the correction just computed, with length 1. */
static int take_direction(dae_curve *c, double sign, double *size)
{
  dae_path *w = &c->live->path;

  *size = length(w->correction, c->n + 1);
  if (!(*size > 0) || !isfinite(*size))
    return 0;
  for (size_t j = 0; j <= c->n; j++)
    w->direction[j] = sign * w->correction[j] / *size * w->unit[j];
  return 1;
}

/* The first direction: towards larger lambda, or (sign < 0) smaller.  Where lambda does
 * not change along the curve at first, the direction in which another unknown grows. */
static int begin(dae_curve *c, double sign)
{
  double size;

  c->first = c->first > 0 ? c->first : FIRST;
  c->small = c->small > 0 ? c->small : SMALL;
  c->measure(c);
  for (size_t j = c->n + 1; j-- > 0;) {
    if (!c->slopes(c))
      return 0;
    if (solve(c, NULL, 1, (int)j) || j == 0)
      break;
  }
  return take_direction(c, sign, &size);
}

/* The direction of the curve at x, in the sense of the old one; *cosine of the angle
 * between both. */
static int direct(dae_curve *c, double *cosine)
{
  dae_path *w = &c->live->path;
  double old = 0, size;

  c->measure(c);
  if (!c->slopes(c))
    return 0;
  for (size_t j = 0; j <= c->n; j++)
    old += w->direction[j] / w->unit[j] * (w->direction[j] / w->unit[j]);
  solve(c, NULL, 1, -1);
  if (!take_direction(c, 1, &size))
    return 0;
  *cosine = 1 / (size * sqrt(old));
  return 1;
}

int brink__dae_curve_correct(dae_curve *c, int last, int again)
{
  dae_live *live = c->live;
  dae_path *w = &live->path;
  double before = HUGE_VAL;

  for (int k = 0; k < CORRECTIONS; k++) {
    if (!c->slopes(c))
      return 0;
    solve(c, w->r0, 0, last ? (int)c->n : -1);
    double size = length(w->correction, c->n + 1);
    int far = k == 0 && !again && c->h > KINK && size > NEAR * c->h;
    live->fault.what = DAE_FAULT_NONE;
    if (!isfinite(size) || far || (size > SHRINK * before && size > c->small))
      return 0;
    for (size_t j = 0; j < c->n + !last; j++)
      w->x[j] -= w->correction[j] * w->unit[j];
    if (!(w->x[c->n] >= c->least && w->x[c->n] <= 1))
      return 0;
    if (size <= c->small)
      return 1;
    before = size;
  }
  return 0;
}

static void keep(dae_curve *c)
{
  dae_path *w = &c->live->path;

  memcpy(w->x0, w->x, (c->n + 1) * sizeof *w->x);
  memcpy(w->direction0, w->direction, (c->n + 1) * sizeof *w->direction);
  if (c->keep)
    c->keep(c, w->x[c->n] >= c->top);
  c->top = fmax(c->top, w->x[c->n]);
}

static void go_back(dae_curve *c)
{
  dae_path *w = &c->live->path;

  memcpy(w->x, w->x0, (c->n + 1) * sizeof *w->x);
  memcpy(w->direction, w->direction0, (c->n + 1) * sizeof *w->direction);
  if (c->back)
    c->back(c);
  c->measure(c);
}

/* Is the point that was found on the same curve as the last one?  A curve beside it may
 * have the same direction, but lies off the mean of both directions. */
static int is_near_mean(const dae_curve *c, int last)
{
  const dae_path *w = &c->live->path;
  double off = 0, h = c->h, slope = w->direction0[c->n] + w->direction[c->n];

  if (last && slope > 0) /* lambda was held: the step has another length */
    h = 2 * (1 - w->x0[c->n]) / slope;
  for (size_t j = 0; j <= c->n; j++) {
    double mean = (w->direction0[j] + w->direction[j]) / 2;
    off = fmax(off, fabs(w->x[j] - w->x0[j] - h * mean) / w->unit[j]);
  }
  return off <= STRAY * fmin(h, 1);
}

/* One step of length h, or shorter to lambda = 1.  1: it is there; 2: and that is the
 * end; 0: it must be shorter. */
static int attempt(dae_curve *c)
{
  dae_live *live = c->live;
  dae_path *w = &live->path;
  double slope = w->direction[c->n], cosine;
  int last = w->x[c->n] + c->h * slope >= 1, moved = 0;

  if (last)
    c->h = (1 - w->x[c->n]) / slope;
  for (size_t j = 0; j <= c->n; j++)
    w->x[j] += c->h * w->direction[j];
  if (last)
    w->x[c->n] = 1;
  live->fault.what = DAE_FAULT_NONE;
  if (w->x[c->n] < c->least || !brink__dae_curve_correct(c, last, 0) ||
      (c->settle && !c->settle(c, last, &moved)))
    return 0;
  if (last && !c->one_way)
    return 2;
  if (!direct(c, &cosine))
    return 0;
  live->fault.what = DAE_FAULT_NONE;
  if (c->h > KINK && !moved &&
      (cosine < TURN || (c->one_way && !is_near_mean(c, last))))
    return 0;
  return c->same_side && !c->same_side(c) ? 0 : 1 + last;
}

dae_curve_end brink__dae_curve(dae_curve *c, double sign)
{
  dae_path *w = &c->live->path;

  c->top = c->least;
  keep(c);
  if (!begin(c, sign))
    return DAE_CURVE_STUCK;
  keep(c);
  c->h = fmin(1, c->first / fabs(w->direction[c->n]));
  for (int k = 0; k < c->most_steps; k++) {
    int there = attempt(c);
    c->steps += there > 0;
    if (there == 2)
      return DAE_CURVE_DONE;
    if (there && c->one_way && w->x[c->n] < c->top - RETURN * c->small)
      return DAE_CURVE_TURNED;
    if (there) {
      keep(c);
      c->h *= 2;
      continue;
    }
    int back = w->x[c->n] < c->least;
    go_back(c);
    c->h /= 2;
    if (!(c->h >= LEAST))
      return back ? DAE_CURVE_BACK : DAE_CURVE_LOST;
  }
  return DAE_CURVE_LONG;
}
