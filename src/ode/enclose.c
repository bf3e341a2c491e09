/* enclose.c -- where a discontinuity is, to the tolerance, once one was located.
 *
 * It is enclosed along the polynomial of a step that ends just before it, as closely as
 * the tolerance asks for: a jump by bisection, at one evaluation of f for a bit; a kink
 * by the slope that F has behind it (two or three evaluations), unless F does not come
 * from zero there.  If f changes in another direction before the place, there is
 * another discontinuity, which is enclosed instead.
 */
#include "ode/search.h"

#include <math.h>
#include <string.h>

enum { SEVERAL = 4 }; /* discontinuities close together that are taken one by one */

/* part of the height that, left as a defect before a jump, is another discontinuity */
static const double REMAINS = 0.2;

/* how far from a line F is beyond a kink, as a part of it */
static const double CURVED = 0.2;

/* a defect this many times F lies in another direction */
static const double ASIDE = 3;

/* the samples towards a kink come nearer by this factor; a sample this many times less
 * than the one before is short of the kink */
static const double CLOSER = 16, SHORT_OF = 64;

/* F this far before a kink as behind it must be less than this part of the latter */
static const double VANISHED = 0.3;

/* a line that meets zero this part of the distance behind the end of the step may still
 * belong to a kink ahead */
static const double SLACK = 0.1;

/* The first jump before hi, to what is harmless: a defect left before the one that was
 * found, in another direction, is another one. */
static int first_jump(brink__scan *q)
{
  for (int i = 0; i < SEVERAL; i++) {
    if (!brink__bisect(q, 0))
      return 0;
    if (!(q->before > fmax(BRINK__F_LEAST, REMAINS * q->height)))
      return 1;
    double far = q->lo;
    q->height = q->F_hi = brink__F_begin(q, far);
    q->hi = far;
    q->lo = q->F_lo = q->before = 0;
  }
  return 0;
}

static brink__discontinuity jump_of(const brink__scan *q)
{
  return (brink__discontinuity){
      .kind = BRINK__JUMP, .lo = q->lo, .hi = q->hi, .height = q->height};
}

static brink__discontinuity enclose_jump(brink__scan *q, double reach)
{
  const brink__continuation *c = q->along;
  int there = first_jump(q);

  /* F at the far end has only been assumed */
  if (there && q->hi == reach) {
    there = brink__F(q, reach) >= BRINK__F_KEPT * q->height;
    memcpy(c->f_behind, c->f, c->gate->flow->n * sizeof(double));
  }
  return there && !q->refused ? jump_of(q) : (brink__discontinuity){0};
}

/* Is it the kink that was seen?  Short of it F must vanish, and the slope be alike. */
static int bends(brink__scan *q, double at, double x, double F_x, double slope,
                 double seen)
{
  if (!(slope < BRINK__F_BENT * seen && seen < BRINK__F_BENT * slope))
    return 0;
  return 2 * at - x <= 0 || fabs(brink__F(q, 2 * at - x)) <= VANISHED * F_x;
}

/* At a kink, or before it, f changes in another direction: where it jumps, or else the
 * kink. */
static brink__discontinuity look_aside(brink__scan *q, double x,
                                       const brink__discontinuity *kink)
{
  q->height = q->F_hi = brink__F_begin(q, x);
  q->hi = x;
  if (q->before > BRINK__F_LEAST)
    q->lo = 0;
  q->F_lo = q->before = 0;
  return first_jump(q) ? jump_of(q) : *kink;
}

/* The samples x of F come nearer until what F bends from its line over the rest is
 * below the tolerance.  Begins beyond the kink. */
static brink__discontinuity enclose_kink(brink__scan *q, double x, double seen)
{
  const brink__continuation *c = q->along;
  brink__discontinuity none = {0};
  double F_x = brink__F(q, x), slope = seen;

  if (!(F_x > 1))
    return none;
  q->lo = q->F_lo = q->before = 0;
  for (int i = 0; i < BRINK__KINK_SAMPLES && !q->refused; i++) {
    if (i > 0)
      F_x = brink__F(q, x);
    if (i > 0 && F_x < q->F_hi / SHORT_OF) {
      q->lo = x;
      q->before = q->size;
      x += (q->hi - x) / 4;
      continue;
    }
    if (i > 0)
      slope = (q->F_hi - F_x) / (q->hi - x);
    double at = x - F_x / slope;
    if (!(slope >= 0 && (q->lo > 0 || at > -SLACK * q->reach)))
      return none;
    q->hi = x;
    q->F_hi = F_x;
    memcpy(c->f_behind, c->f, c->gate->flow->n * sizeof(double));
    int aside = q->size > fmax(BRINK__F_LEAST, ASIDE * F_x);
    if (at < q->lo && aside)
      return look_aside(q, x, &none);
    if (at < q->lo) { /* F does not come from zero */
      q->height = F_x - slope * (x - q->lo);
      q->behind = q->size;
      return first_jump(q) ? jump_of(q) : none;
    }
    if (slope > 0 &&
        (F_x * (x - at) * CURVED <= BRINK__F_HARMLESS * q->unit || F_x <= 1)) {
      brink__discontinuity kink = {.kind = BRINK__KINK,
                                   .lo = fmax(at, 0),
                                   .hi = x,
                                   .height = q->height,
                                   .slope = slope};
      if (aside)
        return look_aside(q, x, &kink);
      return bends(q, at, x, F_x, slope, seen) ? kink : none;
    }
    x = at + (x - at) / CLOSER;
  }
  return none;
}

brink__discontinuity brink__enclose(const brink__continuation *c, double reach,
                                    const brink__discontinuity *seen, double unit)
{
  brink__scan q = {.along = c,
                   .unit = unit,
                   .height = seen->height,
                   .hi = reach,
                   .F_hi = seen->height,
                   .reach = reach};

  return seen->kind == BRINK__JUMP ? enclose_jump(&q, reach)
                                   : enclose_kink(&q, reach, seen->slope);
}
