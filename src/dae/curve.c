/* curve.c -- following the curve F(x, lambda) = 0 to lambda = 1.
 *
 * As many equations as unknowns besides lambda describe a curve.  It is followed by its
 * length and not by lambda, so that it may turn back in lambda on its way
 * [AG03, chapters 2, 3, 6]:
 *
 *   predict ... along the direction of the curve, the kernel of the slopes of F;
 *   correct ... by Newton's method in the plane across it.  The first correction must
 * be short beside the step and each one shorter than the last, else it could be another
 * curve that is found: the step is halved; accept .... if the direction has not turned
 * too far.
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

static const double FIRST = 0.1;  /* of lambda, in the first step                   */
static const double LEAST = 1e-9; /* step at which the curve is lost                */
static const double NEAR = 0.3;   /* first correction over the step                 */
static const double SHRINK = 0.5; /* each correction over the one before            */
static const double SMALL = 1e-9; /* corrections that are enough                    */
static const double TURN = 0.8;   /* cosine between directions                      */
static const double KINK = 1e-5;  /* steps this short pass a kink as it comes       */

static double length(const double *v, size_t n)
{
  double sum = 0;

  for (size_t j = 0; j < n; j++)
    sum += v[j] * v[j];
  return sqrt(sum);
}

/* pj pd = (r, last), where the last row of pj is the direction, or (j >= 0) that of
 * unknown j.  1: the rows are independent. */
static int solve(dae_curve *c, const double *r, double last, int j)
{
  dae_live *live = c->live;
  double *row = live->pj + c->rows * (c->n + 1);

  for (size_t k = 0; k <= c->n; k++)
    row[k] = j >= 0 ? (int)k == j : live->pt[k] / live->pq[k];
  for (size_t i = 0; i < c->rows; i++)
    live->pr[i] = r ? r[i] : 0;
  live->pr[c->rows] = last;
  return brink__least_norm(c->rows + 1, c->n + 1, live->pj, live->pr, live->pd,
                           live->prow, live->pwork) == c->rows + 1;
}

/* pt = pd, of length 1. */
static int take_direction(dae_curve *c, double sign, double *size)
{
  dae_live *live = c->live;

  *size = length(live->pd, c->n + 1);
  if (!(*size > 0) || !isfinite(*size))
    return 0;
  for (size_t j = 0; j <= c->n; j++)
    live->pt[j] = sign * live->pd[j] / *size * live->pq[j];
  return 1;
}

/* The first direction: towards larger lambda, or (sign < 0) smaller.  Where the curve
 * begins by turning back, either way of another unknown. */
static int begin(dae_curve *c, double sign)
{
  double size;

  c->measure(c);
  for (size_t j = c->n + 1; j-- > 0;) {
    if (!c->slopes(c))
      return 0;
    if (solve(c, NULL, 1, (int)j) || j == 0)
      break;
  }
  return take_direction(c, sign, &size);
}

/* The direction at px, going on as before; *cosine of the angle to the old one. */
static int direct(dae_curve *c, double *cosine)
{
  dae_live *live = c->live;
  double old = 0, size;

  c->measure(c);
  if (!c->slopes(c))
    return 0;
  for (size_t j = 0; j <= c->n; j++)
    old += live->pt[j] / live->pq[j] * (live->pt[j] / live->pq[j]);
  solve(c, NULL, 1, -1);
  if (!take_direction(c, 1, &size))
    return 0;
  *cosine = 1 / (size * sqrt(old));
  return 1;
}

int brink__dae_curve_correct(dae_curve *c, int last, int again)
{
  dae_live *live = c->live;
  double before = HUGE_VAL;

  for (int k = 0; k < CORRECTIONS; k++) {
    if (!c->slopes(c))
      return 0;
    solve(c, live->pr0, 0, last ? (int)c->n : -1);
    double size = length(live->pd, c->n + 1);
    int far = k == 0 && !again && c->h > KINK && size > NEAR * c->h;
    live->fault.what = DAE_FAULT_NONE;
    if (!isfinite(size) || far || (size > SHRINK * before && size > SMALL))
      return 0;
    for (size_t j = 0; j < c->n + !last; j++)
      live->px[j] -= live->pd[j] * live->pq[j];
    if (!(live->px[c->n] >= c->least && live->px[c->n] <= 1))
      return 0;
    if (size <= SMALL)
      return 1;
    before = size;
  }
  return 0;
}

static void keep(dae_curve *c)
{
  dae_live *live = c->live;

  memcpy(live->px0, live->px, (c->n + 1) * sizeof *live->px);
  memcpy(live->pt0, live->pt, (c->n + 1) * sizeof *live->pt);
  if (c->keep)
    c->keep(c, live->px[c->n] >= c->top);
  c->top = fmax(c->top, live->px[c->n]);
}

static void go_back(dae_curve *c)
{
  dae_live *live = c->live;

  memcpy(live->px, live->px0, (c->n + 1) * sizeof *live->px);
  memcpy(live->pt, live->pt0, (c->n + 1) * sizeof *live->pt);
  if (c->back)
    c->back(c);
  c->measure(c);
}

/* One step of length h, or shorter to lambda = 1.  1: it is there; 2: and that is the
 * end; 0: it must be shorter. */
static int attempt(dae_curve *c)
{
  dae_live *live = c->live;
  double slope = live->pt[c->n], cosine;
  int last = live->px[c->n] + c->h * slope >= 1, moved = 0;

  if (last)
    c->h = (1 - live->px[c->n]) / slope;
  for (size_t j = 0; j <= c->n; j++)
    live->px[j] += c->h * live->pt[j];
  if (last)
    live->px[c->n] = 1;
  live->fault.what = DAE_FAULT_NONE;
  if (live->px[c->n] < c->least || !brink__dae_curve_correct(c, last, 0) ||
      (c->settle && !c->settle(c, last, &moved)))
    return 0;
  if (last)
    return 2;
  if (!direct(c, &cosine))
    return 0;
  live->fault.what = DAE_FAULT_NONE;
  return c->h <= KINK || moved || cosine >= TURN;
}

dae_curve_end brink__dae_curve(dae_curve *c, double sign)
{
  dae_live *live = c->live;

  c->top = c->least;
  keep(c);
  if (!begin(c, sign))
    return DAE_CURVE_STUCK;
  keep(c);
  c->h = fmin(1, FIRST / fabs(live->pt[c->n]));
  for (int k = 0; k < c->most_steps; k++) {
    int there = attempt(c);
    c->steps += there > 0;
    if (there == 2)
      return DAE_CURVE_DONE;
    if (there) {
      keep(c);
      c->h *= 2;
      continue;
    }
    int back = live->px[c->n] < c->least;
    go_back(c);
    c->h /= 2;
    if (!(c->h >= LEAST))
      return back ? DAE_CURVE_BACK : DAE_CURVE_LOST;
  }
  return DAE_CURVE_LONG;
}
