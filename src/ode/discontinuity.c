/* discontinuity.c -- find where f jumps or bends, from afar.
 *
 * From the defect of a path (defect.c):
 *
 *   jump .... bisection on F against the middle of its values at both ends.  The leap
 *             must keep its height down to 2^-7 of the length; a smooth function of one
 *             step does not.
 *   kink .... beyond it F grows from zero like a line: the secant through two points
 *             there meets zero at it, and short of it F must vanish.  A smooth defect
 *             behaves like s^q; its secants do not settle.
 *   neither . at loose tolerances P leaves the law by itself.  Its defect then has the
 *             shape of x (x + 1) (x + 1/2)^p, which is taken out, part by part.
 *
 * Cost: 8 to 14 evaluations of f where there is something, 1 to 10 where there is not.
 * Limits: jumps in second and higher derivatives are left to the step size control; of
 * several seams ahead any may be found, and the step to it fails until it is the first.
 */
#include "ode/defect.h"

#include <math.h>
#include <string.h>

enum {
  STRAIGHT = 4, /* least degree of a path that is bent */
  MOST = 16     /* ... and the largest that is         */
};

static const double NEARLY = 0.05;   /* of the largest F: not on the old law        */
static const double QUIET = 0.02;    /* of the top: the old law still holds         */
static const double LOUD = 1000;     /* ... and not more than this                  */
static const double SHAPELY = 3;     /* how near to its shape a smooth defect is    */
static const double CONVEX = 1.6;    /* ratio of secants: more than beyond a kink   */
static const double SETTLING = 0.4;  /* of the last move of a secant to a kink      */
static const double SHORT = 0.85;    /* part of the way to what may be a kink       */
static const double AT_ONCE = 0.005; /* of the way: too near to be seen from its end */
static const double MAGNIFY = 64;    /* ... and looked at so many times nearer      */
static const double STRETCH = 3;     /* lengths of the last step that P is good for */
static const double TINY = 1; /* tolerances: and more, if its defect, grown like a
                                 power until there, is less                */

/* -------------------------------------------------------------- jumps ---- */

static int jump(brink__search *q, double width, brink__seam *found)
{
  *found = (brink__seam){.kind = BRINK__SEAM_JUMP, .top = q->top};
  int there = brink__leap(q, width);

  found->lo = q->lo;
  found->hi = q->hi;
  found->stray = q->left;
  return there;
}

/* ------------------------------------------------------------- kinks ---- */

/* Two points beyond the kink, near before next, and one that is short of it. */
typedef struct bracket {
  double left, near, F_near, next, F_next;
} bracket;

/* What bisection has left behind: F grows from near to next, and not before left. */
static int begin(brink__search *q, bracket *b)
{
  b->left = q->from;
  b->near = b->next = q->s[0];
  b->F_near = b->F_next = q->top;
  for (int i = 1; i < q->n; i++)
    if (q->F[i] > NEARLY * q->top && q->s[i] < b->near) {
      b->next = b->near;
      b->F_next = b->F_near;
      b->near = q->s[i];
      b->F_near = q->F[i];
    }
  for (int i = 1; i < q->n; i++)
    if (q->F[i] <= NEARLY * q->top && q->s[i] < b->near && q->s[i] > b->left)
      b->left = q->s[i];
  for (int i = 0; b->near == b->next && i < 4 && !q->lost; i++) {
    double m = 0.5 * (b->left + b->near), F_m = brink__F(q, m);
    if (F_m > NEARLY * q->top) {
      b->near = m;
      b->F_near = F_m;
    } else {
      b->left = m;
    }
  }
  return b->near < b->next && !q->lost;
}

/* Where the secant meets zero; < 0: nowhere ahead. */
static double secant(const bracket *b)
{
  double s = b->near - b->F_near * (b->next - b->near) / (b->F_next - b->F_near);

  return b->F_next > b->F_near && s < b->near ? s : -1;
}

/* The next sample: near the estimate s, and beyond it if all is well.  1: between there
 * and near there is a leap. */
static int closer(brink__search *q, bracket *b, double s)
{
  double x = s + (b->near - s) / 16;

  /* a place that was taken for short of the kink is not, if the secant says so */
  if (s < b->left)
    b->left = q->from;
  double F_x = brink__F(q, x);
  if (F_x < b->F_near / 64) {
    b->left = x;
    x = 0.5 * (x + b->near);
    F_x = brink__F(q, x);
    if (fabs(F_x) < b->F_near / 64) {
      b->left = x;
      return !q->lost;
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

/* What has been followed to a kink does not come from zero there. */
static int leap(brink__search *q, const bracket *b, double width, brink__seam *found)
{
  q->lo = b->left;
  q->F_lo = q->left = 0;
  q->hi = b->near;
  q->F_hi = b->F_near;
  q->top = b->F_near / 2;
  return jump(q, width, found);
}

/* Settled to `enough`. */
static int kink(brink__search *q, double enough, brink__seam *found)
{
  bracket b;
  double last = -1, moved = HUGE_VAL, reach = q->s[0] - q->from;

  if (q->lost || !begin(q, &b))
    return 0;
  for (int i = 0; i < BRINK__PATIENCE && !q->lost; i++) {
    double s = secant(&b), way = s - q->from;
    if (!(way > AT_ONCE * reach)) {
      q->near = way > -AT_ONCE * reach ? 0 : q->near;
      return 0;
    }
    q->near = s;
    double slope = b.F_near / (b.near - s);
    if (last >= 0 && fabs(s - last) <= fmax(enough, BRINK__F_HARMLESS / slope)) {
      double back = fmin(0.1 * way, fmax(b.near - s, 0.02 * way));
      double noise = fabs(brink__F(q, s - back)), unsure = fmax(enough, noise / slope);
      *found = (brink__seam){.kind = BRINK__SEAM_KINK,
                             .lo = s - unsure,
                             .hi = s + unsure,
                             .top = q->top,
                             .slope = slope};
      double bent = q->top / (slope * (q->s[0] - s));
      double least = bent < CONVEX ? fmin(QUIET * q->top, LOUD) : 0;
      return noise <= fmax(0.2 * slope * back, least) && bent < BRINK__F_BENT &&
             !q->lost;
    }
    /* at a kink the secants settle at once, elsewhere they wander */
    if (last >= 0 && !(fabs(s - last) <= SETTLING * moved))
      return 0;
    moved = last >= 0 ? fabs(s - last) : HUGE_VAL;
    last = s;
    if (closer(q, &b, s))
      return leap(q, &b, 2 * enough, found);
  }
  return 0;
}

/* ---------------------------------------------------------- straighten ---- */

/* out = integral of x (x + 1) (x + 1/2)^p (x - x1)^s, degree p + s + 3: the shape of a
 * defect that vanishes where the polynomial is good. */
static int shape(int p, int s, double x1, double *out)
{
  double c[MOST + 2] = {0, 1, 1};
  int degree = 2;

  for (int i = 0; i < p + s; i++) {
    double a = i < p ? 0.5 : -x1;
    for (int k = ++degree; k >= 1; k--)
      c[k] = c[k - 1] + a * c[k];
    c[0] *= a;
  }
  out[0] = 0;
  for (int k = 0; k <= degree; k++)
    out[k + 1] = c[k] / (k + 1);
  return degree + 1;
}

static int power(const brink__path *p)
{
  return p->degree - 4 < MOST - 4 ? p->degree - 4 : MOST - 4;
}

/* Bend the path so that its defect at x, path->keep, vanishes, and not where it was
 * good or at x1 < x (0: nowhere else). */
static void bend(brink__search *q, double x1, double x)
{
  const brink__path *p = q->path;
  double a[MOST + 2], slope;
  int degree = shape(power(p), x1 > 0, x1, a);

  brink__path_value(a, degree, x, &slope);
  for (size_t i = 0; i < p->gate->flow->n; i++) {
    double *c = p->coeff + i * ((size_t)p->degree + 1), by = p->u * p->keep[i] / slope;
    for (int k = 2; k <= degree; k++)
      c[k] += by * a[k];
  }
}

/* The far end, and all that is to be enclosed before it; 0: nothing is. */
static int begin_at(brink__search *q, double far)
{
  q->top = q->F_hi = brink__far_end(q, far);
  q->lo = q->from;
  q->hi = q->s[0] = far;
  q->F_lo = 0;
  q->F[0] = q->top;
  q->n = 1;
  return !q->lost && q->top > BRINK__F_LEAST;
}

/* Does the defect grow like that of a path that leaves the law by itself?  Looks half
 * and a quarter of the way; *maybe: may it be a jump? */
static int grows(brink__search *q, int *maybe)
{
  double top = q->top, m = q->hi / 2, F_m = brink__F(q, m);

  if (q->lost)
    return 0;
  *maybe = brink__narrow(q, m, F_m);
  if (q->path->degree < STRAIGHT ||
      !(fabs(F_m) > QUIET * top && F_m < BRINK__F_HEIGHT * top))
    return 0;
  double F_q = brink__F(q, m / 2), at_q, at_m, a[MOST + 2], u = fabs(q->path->u);
  int degree = shape(power(q->path), 0, 0, a);
  brink__path_value(a, degree, m / 2 / u, &at_q);
  brink__path_value(a, degree, m / u, &at_m);
  double ratio = F_q / F_m * at_m / at_q;
  return !q->lost && ratio > 1 / SHAPELY && ratio < SHAPELY &&
         (F_m < 0 || top - F_m > CONVEX * 2 * (F_m - F_q));
}

/* At loose tolerances the path leaves the law soon.  Go along it in four parts and take
 * out the defect of each, unless there is more in it.  The last evaluation was at 1/4.
 */
static int march(brink__search *q, double far, double width, brink__seam *found)
{
  const brink__path *p = q->path;
  size_t n = p->gate->flow->n;
  double part = far / 4, u = fabs(p->u), last = 0;

  memcpy(p->keep, p->f, n * sizeof(double));
  for (int j = 1;; j++) {
    bend(q, (j - 1) * part / u, j * part / u);
    if (j == 4)
      return 0;
    q->from = j * part;
    int more = begin_at(q, (j + 1) * part);
    memcpy(p->keep, p->f, n * sizeof(double));
    if (more && q->top > 2 * last && jump(q, width, found))
      return 1;
    if (more && last > 0 && q->top > 4 * last && kink(q, width / 2, found))
      return 1;
    if (q->lost)
      return 0;
    last = q->top;
  }
}

/* ------------------------------------------------------------ search ---- */

/* Up to where F stays small, as far as is known. */
static double quiet(const brink__search *q)
{
  double end = q->s[0], s = 0;

  for (int i = 1; i < q->n; i++)
    if (q->F[i] > NEARLY * q->top)
      end = fmin(end, q->s[i]);
  for (int i = 1; i < q->n; i++)
    if (q->s[i] < end)
      s = fmax(s, q->s[i]);
  return s;
}

/* Is the path as good up to reach, by how little has been seen of its defect at far? */
static int goes_on(const brink__search *q, double far, double reach)
{
  double growth = 1;

  for (int k = 0; k <= q->path->degree; k++)
    growth *= reach / far;
  return !q->lost && q->top * growth <= TINY;
}

static brink__seam nothing(const brink__search *q, double until)
{
  return (brink__seam){.lo = q->lost ? 0 : fmin(until, SHORT * q->near)};
}

static brink__seam find(brink__search *q, double reach, double coarse)
{
  const brink__path *path = q->path;
  double far = fmin(reach, STRETCH * fabs(path->u));
  int maybe = 1;
  brink__seam found;

  int more = begin_at(q, far);
  if (!more && far < reach && goes_on(q, far, reach))
    more = begin_at(q, far = reach);
  if (!more)
    return nothing(q, far);
  int wild = grows(q, &maybe);
  double width = coarse * far;
  if (wild ? march(q, far, width, &found)
           : (maybe && jump(q, width, &found)) || kink(q, width / 2, &found))
    return found;
  return nothing(q, wild ? far / 2 : quiet(q));
}

brink__seam brink__seam_find(const brink__path *path, double reach, double unit,
                             double coarse)
{
  brink__search q = {.path = path, .unit = unit, .near = HUGE_VAL};
  brink__seam found = find(&q, reach, coarse);

  if (found.kind == BRINK__SEAM_NONE && q.near == 0 && !q.lost) {
    /* just ahead */
    q = (brink__search){.path = path, .unit = unit, .near = HUGE_VAL};
    found = find(&q, reach / MAGNIFY, coarse);
  }
  return found;
}
