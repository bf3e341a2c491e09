/* enclose.c -- how near a discontinuity is, once it is known that there is one.
 *
 * Found from afar, or expected from those before it (past.c), it is enclosed along the
 * polynomial of a step that ends just before it, as closely as the tolerance asks for:
 * a jump by bisection, at one evaluation for a bit; a kink by the slope that F has
 * behind it, unless F does not come from zero there.  One that is expected is looked
 * for around its place in growing strides, from as far as it may be off.  If f has left
 * the path before the place that was found, there is another one on the way, which is
 * found and enclosed instead.
 *
 * Cost: two or three evaluations of f for a kink, log2(h F) for a jump; 2 to 4 for both
 * where they are expected.
 */
#include "ode/defect.h"

#include <math.h>
#include <string.h>

enum {
  SEVERAL = 4, /* discontinuities close together       */
  TRIES = 2    /* strides from where one is said to be */
};

static const double REMAINS = 0.2;   /* of the top: another one, nearer              */
static const double PASSED = 1;      /* tolerances: of one that was passed over      */
static const double COARSE = 0x1p-7; /* of the way: how closely it is found at first */
static const double CURVED = 0.2;    /* how far from a line F is beyond a kink       */
static const double ASIDE = 3;       /* times F: a leap in another direction         */
static const double WEAKER = 1e-3;   /* times the slope: not the one expected        */
static const double STRIDE = 8;      /* growth of steps away from where it should be */
static const double LEAP = 64;       /* ... where nobody knows how near that is     */

/* ------------------------------------------------------------- closing ---- */

/* The first leap before hi, to what is fine: if there is a defect left before the one
 * that was found, in another direction, there is another one before it. */
static int first_leap(brink__search *q)
{
  for (int i = 0; i < SEVERAL; i++) {
    if (!brink__leap(q, 0))
      return 0;
    if (!(q->left > fmax(BRINK__F_LEAST, REMAINS * q->top)))
      return 1;
    double far = q->lo;
    q->top = q->F_hi = brink__far_end(q, far);
    q->hi = far;
    q->lo = q->F_lo = q->left = 0;
  }
  return 0;
}

/* Look just beyond the hint, and from there in growing strides to the other side. */
static int try_hint(brink__search *q, double hint)
{
  double stride = brink__fine(q, q->hi), x = hint + stride / 2;

  if (!(x > q->lo && x < q->hi))
    return 1;
  if (!brink__narrow(q, x, brink__F(q, x)))
    return 0;
  int beyond = q->hi == x;
  for (int i = 0; i < TRIES && !q->lost && (q->hi == x) == beyond;
       i++, stride *= STRIDE) {
    x += beyond ? -stride : stride;
    if (!(x > q->lo && x < q->hi))
      return 1;
    if (!brink__narrow(q, x, brink__F(q, x)))
      return 0;
  }
  return !q->lost;
}

static brink__seam enclosed(const brink__search *q)
{
  return (brink__seam){
      .kind = BRINK__SEAM_JUMP, .lo = q->lo, .hi = q->hi, .top = q->top};
}

static brink__seam close_jump(brink__search *q, double reach, double hint)
{
  const brink__path *p = q->path;
  brink__seam found = {0};
  int there = try_hint(q, hint) && first_leap(q);

  if (there && q->hi == reach) { /* it was taken on trust */
    there = brink__F(q, reach) >= BRINK__F_HEIGHT * q->top;
    memcpy(p->beyond, p->mid, p->gate->flow->n * sizeof(double));
  }
  if (there && !q->lost)
    found = enclosed(q);
  return found;
}

/* Is it a kink?  Short of it F must vanish, and the slope be what was seen (0: nothing
 * was). */
static int bends(brink__search *q, double at, double x, double F_x, double slope,
                 double seen)
{
  if (seen > 0 && !(slope < BRINK__F_BENT * seen && seen < BRINK__F_BENT * slope))
    return 0;
  q->left = 0;
  if (2 * at - x <= 0)
    return 1;
  double F_left = fabs(brink__F(q, 2 * at - x));
  q->left = q->size;
  return F_left <= 0.3 * F_x;
}

/* At a kink, or before it, f changes in another direction: where it jumps, or the kink
 * and how much is left before it. */
static brink__seam turn_aside(brink__search *q, double x, const brink__seam *kink)
{
  double size = q->size;

  q->top = q->F_hi = brink__far_end(q, x);
  q->hi = x;
  if (q->left > BRINK__F_LEAST)
    q->lo = 0;
  q->F_lo = q->left = 0;
  if (first_leap(q))
    return enclosed(q);
  q->left = size;
  return *kink;
}

/* Beyond the kink F is a line.  Come so near that what it bends over the rest is below
 * the tolerance.  Begins at x, which is beyond it; either the slope is known from afar,
 * or (0) the place should be near `at`. */
static brink__seam close_kink(brink__search *q, double x, double F_x, double seen,
                              double at)
{
  const brink__path *p = q->path;
  brink__seam found = {0};
  double slope = seen;

  if (!(F_x > 1))
    return found;
  q->lo = q->F_lo = q->left = 0;
  for (int i = 0; i < BRINK__PATIENCE && !q->lost; i++) {
    if (i > 0)
      F_x = brink__F(q, x);
    if (i > 0 && F_x < q->F_hi / 64) { /* short of it */
      q->lo = x;
      q->left = q->size;
      x += (q->hi - x) / 4;
      continue;
    }
    if (i > 0)
      slope = (q->F_hi - F_x) / (q->hi - x);
    if (i > 0 || seen > 0)
      at = x - F_x / slope;
    if (!(slope >= 0 && (q->lo > 0 || at > -0.1 * q->reach)))
      return found;
    q->hi = x;
    q->F_hi = F_x;
    memcpy(p->beyond, p->mid, p->gate->flow->n * sizeof(double));
    int aside = q->size > fmax(BRINK__F_LEAST, ASIDE * F_x);
    if (at < q->lo && !aside) { /* F does not come from zero */
      q->top = F_x - slope * (x - q->lo);
      q->right = q->size;
      return first_leap(q) ? enclosed(q) : found;
    }
    if (at < q->lo)
      return turn_aside(q, x, &found);
    if (slope > 0 &&
        (F_x * (x - at) * CURVED <= BRINK__F_HARMLESS * q->unit || F_x <= 1)) {
      brink__seam kink = {.kind = BRINK__SEAM_KINK,
                          .lo = fmax(at, 0),
                          .hi = x,
                          .top = q->top,
                          .slope = slope};
      if (aside)
        return turn_aside(q, x, &kink);
      return bends(q, at, x, F_x, slope, seen) ? kink : found;
    }
    x = at + (x - at) / 16;
  }
  return found;
}

/* Is the law another one already short of s, by more than is harmless? */
static int passed_one(const brink__search *q, const brink__seam *s)
{
  return s->kind != BRINK__SEAM_NONE && !q->lost && q->left > BRINK__F_LEAST &&
         q->left * s->lo > PASSED * q->unit;
}

static brink__seam close_in(brink__search *q, double reach, const brink__seam *seen,
                            double hint)
{
  return seen->kind == BRINK__SEAM_JUMP
             ? close_jump(q, reach, hint)
             : close_kink(q, reach, brink__F(q, reach), seen->slope, 0);
}

/* What was aimed at may lie behind another one: then that one. */
static brink__seam nearest(brink__search *q, brink__seam found)
{
  for (int i = 0; i < SEVERAL && passed_one(q, &found); i++) {
    const brink__path *path = q->path;
    double unit = q->unit;
    brink__seam nearer = brink__seam_find(path, found.lo, unit, COARSE);
    if (nearer.kind == BRINK__SEAM_NONE)
      return nearer;
    double reach = fmin(found.lo, nearer.hi + 2 * (nearer.hi - nearer.lo));
    *q = (brink__search){.path = path, .unit = unit, .hi = reach};
    q->top = q->F_hi = brink__far_end(q, reach);
    found = close_in(q, reach, &nearer, HUGE_VAL);
  }
  return found;
}

brink__seam brink__seam_close(const brink__path *path, double reach,
                              const brink__seam *seen, double unit, double hint)
{
  brink__search q = {.path = path,
                     .unit = unit,
                     .top = seen->top,
                     .hi = reach,
                     .F_hi = seen->top,
                     .reach = reach};

  return nearest(&q, close_in(&q, reach, seen, hint));
}

/* --------------------------------------------------------- expectation ---- */

/* From x on in growing strides up to reach: the first place that is beyond. */
static int stride_on(brink__search *q, double x, double stride, double growth,
                     double reach)
{
  q->lo = 0;
  for (;; x += stride, stride *= growth) {
    x = fmin(x, reach);
    q->top = q->F_hi = brink__far_end(q, x);
    q->hi = x;
    if (q->lost || q->top > BRINK__F_LEAST)
      return !q->lost;
    if (x >= reach)
      return 0;
    q->lo = x;
  }
}

/* ... and back to one that is not. */
static int stride_back(brink__search *q, double x, double stride, double growth)
{
  for (; q->lo == 0 && x > 0; x -= stride, stride *= growth) {
    double F_x = brink__F(q, x);
    if (q->lost || !brink__narrow(q, x, F_x))
      return 0;
  }
  return 1;
}

/* Strides begin with what it may be off. */
static brink__seam expect_jump(brink__search *q, double s, double unsure, double reach)
{
  double width = fmax(brink__fine(q, s), unsure), growth = unsure > 0 ? STRIDE : LEAP;

  if (!stride_on(q, s + width / 2, width, growth, reach) ||
      !stride_back(q, q->hi - width, width, growth) || !first_leap(q))
    return (brink__seam){0};
  return enclosed(q);
}

/* The slope need not be the same again, but what is next to nothing is another thing: a
 * path that leaves the law by itself. */
static brink__seam expect_kink(brink__search *q, double s, double reach, double slope)
{
  /* so near that the line need not be followed further */
  double away = 0.8 * sqrt(BRINK__F_HARMLESS * q->unit / (CURVED * slope));

  if (!stride_on(q, s + away, away, STRIDE, reach))
    return (brink__seam){0};
  brink__seam found = close_kink(q, q->hi, q->top, 0, s);
  return found.slope < WEAKER * slope && found.kind == BRINK__SEAM_KINK
             ? (brink__seam){0}
             : found;
}

brink__seam brink__seam_expect(const brink__path *path, const brink__seam *seen,
                               double reach, double unit)
{
  brink__search q = {.path = path, .unit = unit, .top = seen->top};

  return nearest(&q, seen->kind == BRINK__SEAM_JUMP
                         ? expect_jump(&q, seen->lo, seen->hi - seen->lo, reach)
                         : expect_kink(&q, seen->lo, reach, seen->slope));
}
