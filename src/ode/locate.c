/* locate.c -- where f jumps or bends ahead of the last step, seen from its end.
 *
 * By the defect of the continued step polynomial (defect.c):
 *
 *   jump .... bisection on F against the middle of its values at both ends.  The jump
 *             must keep its height while the interval is narrowed; a smooth function
 *             does not.
 *   kink .... beyond it F grows from zero like a line: the secant through two points
 *             there meets zero at it, and short of it F must vanish.  A smooth defect
 *             behaves like a power of s; its secants do not settle.
 *
 * Cost: 8 to 14 evaluations of f where there is something, 1 to 10 where there is not.
 * Limits: jumps in second and higher derivatives are left to the step size control; of
 * several discontinuities ahead any may be found, and the step to it is rejected until
 * it is the first.
 */
#include "ode/search.h"

#include <math.h>
#include <string.h>

/* how closely a jump is enclosed before a step is taken towards it, as a part of the
 * distance looked at: the step must end before it, and will show it better */
static const double APPROACH = 0x1p-7;

/* lengths of the last step by which its polynomial may be continued; further, if its
 * defect there, grown with the power of its degree, stays below so many tolerances */
static const double STRETCH = 3, TINY = 1;

/* parts of F at the far end: what is more than NEARLY is not the old law's; before a
 * kink, what is less than QUIET is, if it is below so many tolerances at once */
static const double NEARLY = 0.05, QUIET = 0.02, LOUD = 1000;

/* F at the far end over the line that the slope at the kink predicts: up to this it is
 * that of a kink and not of a smooth power */
static const double CONVEX = 1.6;

/* at a kink each secant moves by at most this part of the move before it */
static const double SETTLING = 0.4;

/* a kink nearer than this part of the distance is too near to be told from the end of
 * the step */
static const double TOO_NEAR = 0.005;

/* samples from which the next secant is taken come nearer by this factor; a sample this
 * many times less than the one before is short of the kink */
static const double CLOSER = 16, SHORT_OF = 64;

/* -------------------------------------------------------------- jumps ---- */

static int is_jump(brink__scan *q, double width, brink__discontinuity *found)
{
  int there = brink__bisect(q, width);

  *found = (brink__discontinuity){
      .kind = BRINK__JUMP, .lo = q->lo, .hi = q->hi, .height = q->height};
  return there;
}

/* ------------------------------------------------------------- kinks ---- */

/* Two points beyond the kink, near before next, and one that is short of it. */
typedef struct bracket {
  double before, near, F_near, next, F_next;
} bracket;

/* From what bisection has left: F grows from near to next, and not up to before. */
static int begin(brink__scan *q, bracket *b)
{
  *b = (bracket){0, q->s[0], q->height, q->s[0], q->height};
  for (int i = 1; i < q->n; i++)
    if (q->F[i] > NEARLY * q->height && q->s[i] < b->near) {
      b->next = b->near;
      b->F_next = b->F_near;
      b->near = q->s[i];
      b->F_near = q->F[i];
    }
  for (int i = 1; i < q->n; i++)
    if (q->F[i] <= NEARLY * q->height && q->s[i] < b->near && q->s[i] > b->before)
      b->before = q->s[i];
  for (int i = 0; b->near == b->next && i < 4 && !q->refused; i++) {
    double m = 0.5 * (b->before + b->near), F_m = brink__F(q, m);
    if (F_m > NEARLY * q->height) {
      b->near = m;
      b->F_near = F_m;
    } else {
      b->before = m;
    }
  }
  return b->near < b->next && !q->refused;
}

/* Where the secant meets zero; < 0: nowhere ahead. */
static double secant(const bracket *b)
{
  double s = b->near - b->F_near * (b->next - b->near) / (b->F_next - b->F_near);

  return b->F_next > b->F_near && s < b->near ? s : -1;
}

/* The next sample: near the estimate s, and beyond it if all is well.  1: F jumps
 * between `before` and near. */
static int closer(brink__scan *q, bracket *b, double s)
{
  double x = s + (b->near - s) / CLOSER;

  /* a place that was taken for short of the kink is not, if the secant says so */
  if (s < b->before)
    b->before = 0;
  double F_x = brink__F(q, x);
  if (F_x < b->F_near / SHORT_OF) {
    b->before = x;
    x = 0.5 * (x + b->near);
    F_x = brink__F(q, x);
    if (fabs(F_x) < b->F_near / SHORT_OF) {
      b->before = x;
      return !q->refused;
    }
  }
  if (x < b->near && F_x < b->F_near && F_x > 0) {
    b->next = b->near;
    b->F_next = b->F_near;
    b->near = x;
    b->F_near = F_x;
  }
  return 0;
}

/* What was followed to a kink does not come from zero there. */
static int jumps_after_all(brink__scan *q, const bracket *b, double width,
                           brink__discontinuity *found)
{
  q->lo = b->before;
  q->F_lo = q->before = 0;
  q->hi = b->near;
  q->F_hi = b->F_near;
  q->height = b->F_near / 2;
  return is_jump(q, width, found);
}

/* The secants have settled at s: F must vanish shortly before it, and grow like a line
 * behind it. */
static int settled(brink__scan *q, const bracket *b, double s, double enough,
                   brink__discontinuity *found)
{
  double slope = b->F_near / (b->near - s);
  double back = fmin(0.1 * s, fmax(b->near - s, 0.02 * s));
  double noise = fabs(brink__F(q, s - back)), unsure = fmax(enough, noise / slope);
  double bent = q->height / (slope * (q->s[0] - s));
  double least = bent < CONVEX ? fmin(QUIET * q->height, LOUD) : 0;

  *found = (brink__discontinuity){.kind = BRINK__KINK,
                                  .lo = s - unsure,
                                  .hi = s + unsure,
                                  .height = q->height,
                                  .slope = slope};
  return noise <= fmax(0.2 * slope * back, least) && bent < BRINK__F_BENT &&
         !q->refused;
}

static int is_kink(brink__scan *q, double enough, brink__discontinuity *found)
{
  bracket b;
  double last = -1, moved = HUGE_VAL;

  if (q->refused || !begin(q, &b))
    return 0;
  for (int i = 0; i < BRINK__KINK_SAMPLES && !q->refused; i++) {
    double s = secant(&b);
    if (!(s > TOO_NEAR * q->s[0]))
      return 0;
    double slope = b.F_near / (b.near - s), move = fabs(s - last);
    if (last >= 0 && move <= fmax(enough, BRINK__F_HARMLESS / slope))
      return settled(q, &b, s, enough, found);
    if (last >= 0 && !(move <= SETTLING * moved))
      return 0;
    moved = last >= 0 ? move : HUGE_VAL;
    last = s;
    if (closer(q, &b, s))
      return jumps_after_all(q, &b, 2 * enough, found);
  }
  return 0;
}

/* ------------------------------------------------------------ search ---- */

/* F at the far end, and the interval before it; 0: F is too small to look at. */
static int begin_at(brink__scan *q, double far)
{
  q->height = q->F_hi = brink__F_begin(q, far);
  q->lo = 0;
  q->hi = q->s[0] = far;
  q->F_lo = 0;
  q->F[0] = q->height;
  q->n = 1;
  return !q->refused && q->height > BRINK__F_LEAST;
}

/* Is the polynomial as good up to reach, by how little there is of its defect at far?
 */
static int extends(const brink__scan *q, double far, double reach)
{
  double growth = 1;

  for (int k = 0; k <= q->along->degree; k++)
    growth *= reach / far;
  return !q->refused && q->height * growth <= TINY;
}

/* Up to where F stays small, as far as is known. */
static double small_until(const brink__scan *q)
{
  double end = q->s[0], s = 0;

  for (int i = 1; i < q->n; i++)
    if (q->F[i] > NEARLY * q->height)
      end = fmin(end, q->s[i]);
  for (int i = 1; i < q->n; i++)
    if (q->s[i] < end)
      s = fmax(s, q->s[i]);
  return s;
}

brink__discontinuity brink__locate(const brink__continuation *c, double reach,
                                   double unit)
{
  brink__scan q = {.along = c, .unit = unit};
  brink__discontinuity found, none = {0};
  double far = fmin(reach, STRETCH * fabs(c->u));

  int more = begin_at(&q, far);
  if (!more && far < reach && extends(&q, far, reach))
    more = begin_at(&q, far = reach);
  if (!more) {
    none.lo = q.refused ? 0 : far;
    return none;
  }
  double F_m = brink__F(&q, far / 2), width = APPROACH * far;
  int may_jump = !q.refused && brink__narrow(&q, far / 2, F_m);
  if ((may_jump && is_jump(&q, width, &found)) || is_kink(&q, width / 2, &found))
    return found;
  none.lo = q.refused ? 0 : small_until(&q);
  return none;
}
