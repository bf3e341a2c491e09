/* loop_range.c -- what a program computes on a stretch of a step, enclosed.
 *
 * Tapes are evaluated with intervals.  The unknowns z of a loop F(z, w) = 0 whose
 * knowns w lie in a box W are enclosed around their values z0 at one point of W by
 * Krawczyk's operator [MKC09, 8.2]: with Y about the inverse of the Jacobian J at z0,
 *
 *   K = z0 - Y F(z0, W) + (1 - Y J(Z, W)) (Z - z0).
 *
 * If K lies inside Z, then for each w in W there is one solution in Z, which is a
 * continuous function of w and lies in K: the one that continues z0.  Z is the box z0
 * +- radius, and grows until that is so.  For a linear loop this is the same thing with
 * a J that does not depend on Z.
 *
 * The slope z' solves J z' = -F_w w'; so z' = -Y F_w w' + (1 - Y J) z', and since
 * |1 - Y J| radius is below q radius, q < 1, z' is bounded by its first term.  With it
 * the mean value form z(m) + z' (theta - m) about the middle m of the stretch is
 * mostly much narrower than K: so the program is enclosed at m, a point, as well.
 *
 * Costs n^2 times the elements of a row of J per attempt.  A box for which there is no
 * K inside is left to the caller, who may ask for a part of it.
 */
#include "dae/model.h"

#include <float.h>
#include <math.h>

#include "expr/interval.h"

enum { ATTEMPTS = 6 }; /* to find a box; each is larger by what the last one lacked   */

/* By so much a box is larger than what the last attempt has shown that it must hold: a
 * larger box has a larger K, and most need one attempt. */
static const double INFLATE = 1.25;

/* Newton's method stops within so many roundings of a solution: an unknown as it is
 * computed lies so far from where it is. */
static const double SOLVED = 8 * DBL_EPSILON;

static double size_of(brink__itv a)
{
  return itv_finite(a) ? fmax(-a.lo, a.hi) : HUGE_VAL;
}

static brink__itv around(double x, double radius)
{
  return (brink__itv){itv_down(x - radius), itv_up(x + radius)};
}

static brink__itv widened(brink__itv a, double by)
{
  return (brink__itv){itv_down(a.lo - by), itv_up(a.hi + by)};
}

/* ------------------------------------------------------------- matrices --- */

/* About the inverse of the matrix of a loop at the values in live->v. */
static int invert(dae_live *live, const dae_step *s)
{
  size_t n = s->loop->n;
  double *y = live->range.inverse;

  for (size_t k = 0; k < n; k++) {
    for (size_t i = 0; i < n; i++)
      live->r[i] = i == k;
    if (!brink__dae_loop_solve(live, s, k > 0))
      return 0;
    for (size_t i = 0; i < n; i++)
      y[i * n + k] = live->r[i];
  }
  return 1;
}

/* Y times coefficient `order` of the residuals in c. */
static void precondition(const dae_live *live, const dae_loop *loop, size_t stride,
                         size_t order, const brink__itv *c, brink__itv *out)
{
  for (size_t i = 0; i < loop->n; i++) {
    out[i] = itv_point(0);
    for (size_t k = 0; k < loop->n; k++) {
      size_t slot = brink__tape_slot(loop->residual, k);
      out[i] = itv_add(out[i], itv_mul(itv_point(live->range.inverse[i * loop->n + k]),
                                       c[slot * stride + order]));
    }
  }
}

/* The unknowns are in the box: spread = |1 - Y J| radius. */
static int spread(dae_live *live, const dae_loop *loop, size_t stride, brink__itv *c)
{
  dae_range *w = &live->range;
  size_t n = loop->n;

  if (brink__tape_ijet(loop->jacobian, 0, stride, c, NULL) < 0)
    return 0;
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < n; j++)
      w->row[j] = itv_point(i == j);
    for (size_t k = 0; k < loop->nnz; k++) {
      brink__itv j = c[brink__tape_slot(loop->jacobian, k) * stride];
      brink__itv *at = &w->row[loop->j[k]];
      double y = w->inverse[i * n + (size_t)loop->i[k]];
      *at = itv_sub(*at, itv_mul(itv_point(y), j));
    }
    w->spread[i] = 0;
    for (size_t j = 0; j < n; j++)
      w->spread[i] = itv_up(w->spread[i] + itv_up(size_of(w->row[j]) * w->radius[j]));
  }
  return 1;
}

/* ---------------------------------------------------------------- loops --- */

/* Is what the box must hold inside?  If not, a larger box. */
static int fits(dae_live *live, const dae_loop *loop)
{
  dae_range *w = &live->range;
  int inside = 1;

  for (size_t i = 0; i < loop->n; i++)
    inside &= itv_up(size_of(w->shift[i]) + w->spread[i]) < w->radius[i];
  for (size_t i = 0; !inside && i < loop->n; i++)
    w->radius[i] = INFLATE * (size_of(w->shift[i]) + w->spread[i]) + DBL_MIN;
  return inside;
}

static int enclose_values(dae_live *live, const dae_loop *loop, size_t stride,
                          brink__itv *c)
{
  dae_range *w = &live->range;
  int inside = 0;

  for (size_t i = 0; i < loop->n; i++)
    c[(size_t)loop->symbol[i] * stride] = itv_point(live->v[loop->symbol[i]]);
  if (brink__tape_ijet(loop->residual, 0, stride, c, NULL) < 0)
    return 0;
  precondition(live, loop, stride, 0, c, w->shift);
  for (size_t i = 0; i < loop->n; i++)
    w->radius[i] = INFLATE * size_of(w->shift[i]) +
                   SOLVED * fabs(live->v[loop->symbol[i]]) + DBL_MIN;
  for (int k = 0; k < ATTEMPTS && !inside; k++) {
    for (size_t i = 0; i < loop->n; i++)
      c[(size_t)loop->symbol[i] * stride] =
          around(live->v[loop->symbol[i]], w->radius[i]);
    if (!spread(live, loop, stride, c))
      return 0;
    inside = fits(live, loop);
  }
  for (size_t i = 0; i < loop->n; i++) {
    double z = live->v[loop->symbol[i]];
    brink__itv k = widened(itv_sub(itv_point(z), w->shift[i]), w->spread[i]);
    c[(size_t)loop->symbol[i] * stride] = widened(k, SOLVED * size_of(k));
  }
  return inside;
}

/* Y F_w w', in shift, one input of the loop after the other: Y F_w is a number where w
 * occurs with constant factors, and much smaller than Y where equations share terms
 * that cancel (the currents of a bridge of blocking diodes). */
static int precondition_slopes(dae_live *live, const dae_loop *loop, size_t stride,
                               brink__itv *c)
{
  dae_range *w = &live->range;

  for (size_t i = 0; i < loop->n; i++)
    w->shift[i] = itv_point(0);
  for (size_t k = 0; k < loop->n_input; k++) {
    brink__itv *slope = &c[(size_t)loop->input[k] * stride + 1];
    w->slope[k] = *slope;
    *slope = itv_point(0);
  }
  for (size_t k = 0; k < loop->n_input; k++) {
    brink__itv *slope = &c[(size_t)loop->input[k] * stride + 1];
    if (w->slope[k].lo == 0 && w->slope[k].hi == 0)
      continue;
    *slope = itv_point(1);
    if (brink__tape_ijet(loop->residual, 1, stride, c, NULL) < 0)
      return 0;
    precondition(live, loop, stride, 1, c, w->row);
    for (size_t i = 0; i < loop->n; i++)
      w->shift[i] = itv_add(w->shift[i], itv_mul(w->row[i], w->slope[k]));
    *slope = itv_point(0);
  }
  for (size_t k = 0; k < loop->n_input; k++)
    c[(size_t)loop->input[k] * stride + 1] = w->slope[k];
  return 1;
}

/* After enclose_values: the slopes of the unknowns. */
static int enclose_slopes(dae_live *live, const dae_loop *loop, size_t stride,
                          brink__itv *c)
{
  dae_range *w = &live->range;
  double size = 0, q = 0;

  for (size_t i = 0; i < loop->n; i++)
    c[(size_t)loop->symbol[i] * stride + 1] = itv_point(0);
  if (brink__tape_ijet(loop->residual, 0, stride, c, NULL) < 0 ||
      !precondition_slopes(live, loop, stride, c))
    return 0;
  for (size_t i = 0; i < loop->n; i++) {
    q = fmax(q, itv_up(w->spread[i] / w->radius[i]));
    size = fmax(size, itv_up(size_of(w->shift[i]) / w->radius[i]));
  }
  if (!(q < 1))
    return 0;
  size = itv_up(size / itv_down(1 - q));
  for (size_t i = 0; i < loop->n; i++)
    c[(size_t)loop->symbol[i] * stride + 1] =
        widened(itv_neg(w->shift[i]), itv_up(w->spread[i] * size));
  return 1;
}

/* -------------------------------------------------------------- program --- */

/* The mean value form of a result, from its value at the middle and its slope. */
static void narrow(const dae_range *w, double reach, size_t symbol)
{
  brink__itv *c = &w->series[2 * symbol];
  brink__itv m = widened(w->point[symbol], itv_up(reach * size_of(c[1])));

  c->lo = fmax(c->lo, m.lo);
  c->hi = fmin(c->hi, m.hi);
}

/* One step of a program on the stretch; *slopes: of what it reads, then of its results,
 * are known. */
static int enclose_step(dae_live *live, const dae_step *s, double reach, int *slopes)
{
  const dae_range *w = &live->range;
  const dae_loop *loop = s->loop;
  size_t n = loop ? loop->n : s->n_rows;
  const int32_t *result = loop ? loop->symbol : s->target;

  if (loop ? !enclose_values(live, loop, 2, w->series)
           : brink__tape_ijet(s->tape, 0, 2, w->series, NULL) < 0)
    return 0;
  *slopes = *slopes && (loop ? enclose_slopes(live, loop, 2, w->series)
                             : brink__tape_ijet(s->tape, 1, 2, w->series, NULL) == 0);
  for (size_t i = 0; *slopes && i < n; i++)
    narrow(w, reach, (size_t)result[i]);
  return 1;
}

int brink__dae_enclose(dae_live *live, const dae_program *p, int order, double reach)
{
  const dae_range *w = &live->range;
  int slopes = 1;

  for (size_t i = 0; i < p->n_steps; i++) {
    const dae_step *s = &p->steps[i];
    if (s->loop ? !invert(live, s) || !enclose_values(live, s->loop, 1, w->point)
                : brink__tape_ijet(s->tape, 0, 1, w->point, NULL) < 0)
      return 0;
    if ((reach > 0 || order > 0) && !enclose_step(live, s, reach, &slopes))
      return 0;
  }
  return order == 0 || slopes;
}
