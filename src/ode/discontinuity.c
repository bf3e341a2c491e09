/* discontinuity.c -- find where f jumps or bends, from its defect along a path.
 *
 * The idea is that of [CMR03]: a step polynomial P, continued beyond its step, obeys
 * the old law for as long as that law holds, so that its defect
 *
 *   d(s) = f(t + s, P(t + s)) - P'(t + s)
 *
 * is small and smooth there, and takes a leap (or a bend) where the law changes.  All
 * that is needed are single evaluations of f: no tableau, no guard.
 *
 * F(s) is the component of d(s) in the direction that d has at the far end, in units of
 * the tolerance over the length of a step: F = 1 would change a step by one tolerance.
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
 * Found from afar, the place is enclosed anew from near by: a jump by bisection, at one
 * evaluation for a bit; a kink by the slope that F has behind it, unless F does not come
 * from zero there.  One that is expected (past.c) is looked for around its place in
 * growing strides.
 *
 * Cost: 8 to 14 evaluations of f where there is something, and then two or three for a
 * kink, log2(h F) for a jump; 1 to 10 where there is not; 2 to 4 where it is expected.
 * Limits: jumps in second and higher derivatives are left to the step size control; of
 * several seams ahead any may be found, and the step to it fails until it is the first.
 */
#include "ode/discontinuity.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
  PATIENCE = 9, /* secants until a kink must have settled */
  SAMPLES = 24, /* kept for the secants                   */
  SEVERAL = 4,  /* discontinuities close together         */
  STRAIGHT = 4, /* least degree of a path that is bent    */
  MOST = 16     /* ... and the largest that is            */
};

static const double LEAST = 10;      /* F below this is no reason to look further   */
static const double HEIGHT = 0.5;    /* of the leap that bisection must keep        */
static const double LEAP = 0.2;      /* of the last leap: the next one                */
static const double NEARLY = 0.05;   /* of the largest F: not on the old law        */
static const double REMAINS = 0.2;   /* of the top: another one, nearer             */
static const double HARMLESS = 0.03;  /* of the tolerance, between lo and hi         */
static const double QUIET = 0.02;    /* of the top: the old law still holds         */
static const double LOUD = 1000;     /* ... and not more than this                  */
static const double CURVED = 0.2;    /* how far from a line F is beyond a kink      */
static const double SHAPELY = 3;     /* how near to its shape a smooth defect is    */
static const double CONVEX = 1.6;    /* ratio of secants: more than beyond a kink   */
static const double BENT = 2.5;      /* ... and at the most, beyond a kink          */
static const double SETTLING = 0.4;  /* of the last move of a secant to a kink      */
static const double SHORT = 0.85;    /* part of the way to what may be a kink       */
static const double STRIDE = 8;      /* growth of steps away from where it should be */
static const double STRETCH = 3;     /* lengths of the last step that P is good for */

typedef struct search {
  const brink__path *path;
  double unit; /* length that the defect is weighed with */
  double top;  /* F at the far end                       */
  double lo, hi, F_lo, F_hi; /* what encloses a leap     */
  double size; /* of all of the last defect, in units of F */
  double left; /* of all of it at lo                     */
  double from; /* up to here all is well                 */
  double near; /* a kink may be here, HUGE_VAL: nowhere  */
  double reach; /* where the tolerance was taken         */
  int n;
  double s[SAMPLES], F[SAMPLES]; /* all that is known    */
  int lost;                      /* f does not exist on the path */
} search;

/* ------------------------------------------------------------ defect ---- */

/* P and its slope per x at x, for one state. */
static double value(const double *c, int degree, double x, double *slope)
{
  double y = c[degree], d = 0;

  for (int k = degree - 1; k >= 0; k--) {
    d = d * x + y;
    y = y * x + c[k];
  }
  *slope = d;
  return y;
}

/* The defect at s into path->f, f itself into path->mid.  0 if f refuses. */
static int defect(search *q, double s)
{
  const brink__path *p = q->path;
  size_t n = p->gate->flow->n, w = (size_t)p->degree + 1;
  double dir = p->u > 0 ? 1 : -1, x = s / fabs(p->u), slope;

  for (size_t i = 0; i < n; i++)
    p->at[i] = value(p->coeff + i * w, p->degree, x, &slope);
  if (brink__f(p->gate, p->t + dir * s, p->at, p->mid) != BRINK_OK) {
    q->lost = 1;
    return 0;
  }
  for (size_t i = 0; i < n; i++) {
    value(p->coeff + i * w, p->degree, x, &slope);
    p->f[i] = p->mid[i] - slope / p->u;
  }
  return 1;
}

/* The defect of one component in units of tolerance. */
static double scaled(const search *q, size_t i)
{
  const brink__path *p = q->path;

  return q->unit * p->f[i] * p->weight[i];
}

/* The far end: its size, and its direction into path->way. */
static double far_end(search *q, double s)
{
  const brink__path *p = q->path;
  size_t n = p->gate->flow->n;
  double sum = 0;

  if (!defect(q, s))
    return 0;
  for (size_t i = 0; i < n; i++) {
    if (s > q->reach) /* the same tolerance all along */
      p->weight[i] = 1 / brink__scale(p->tol, i, p->y[i], p->at[i]);
    p->way[i] = scaled(q, i);
    sum += p->way[i] * p->way[i];
  }
  q->reach = fmax(q->reach, s);
  double norm = sqrt(sum);
  for (size_t i = 0; i < n; i++)
    p->way[i] = norm > 0 ? p->way[i] / norm : 0;
  memcpy(p->beyond, p->mid, n * sizeof(double));
  return isfinite(norm) ? norm / sqrt((double)n) : 0;
}

static double F(search *q, double s)
{
  const brink__path *p = q->path;
  size_t n = p->gate->flow->n;
  double sum = 0, all = 0;

  if (q->lost || !defect(q, s))
    return 0;
  for (size_t i = 0; i < n; i++) {
    double d = scaled(q, i);
    sum += d * p->way[i];
    all += d * d;
  }
  sum /= sqrt((double)n);
  q->size = sqrt(all / (double)n);
  if (q->n < SAMPLES) {
    q->s[q->n] = s;
    q->F[q->n++] = sum;
  }
  return sum;
}

/* ------------------------------------------------------------- jumps ---- */

/* What happens within this width is below the tolerance. */
static double fine(const search *q, double far)
{
  double least = 4 * DBL_EPSILON * (fabs(q->path->t) + far);

  return fmax(HARMLESS * q->unit / q->top, least);
}

/* F_m at m: which side is it on?  0: the leap is none. */
static int narrow(search *q, double m, double F_m)
{
  if (F_m > 0.5 * (q->F_lo + q->F_hi)) {
    q->hi = m;
    q->F_hi = F_m;
    memcpy(q->path->beyond, q->path->mid, q->path->gate->flow->n * sizeof(double));
  } else {
    q->lo = m;
    q->F_lo = F_m;
    q->left = q->size;
  }
  return q->F_hi - q->F_lo >= HEIGHT * q->top;
}

/* Bisect until the leap is enclosed to `width`, or is none. */
static int leap(search *q, double width)
{
  while (q->hi - q->lo > (q->lo > 0 ? width : fmin(width, fine(q, q->hi)))) {
    double m = q->lo + 0.5 * (q->hi - q->lo);
    if (!(m > q->lo && m < q->hi))
      break;
    double F_m = F(q, m);
    if (q->lost || !narrow(q, m, F_m))
      return 0;
  }
  return 1;
}

/* The first leap before hi, to what is fine: if there is a defect left before the one
 * that was found, in another direction, there is another one before it. */
static int first_leap(search *q)
{
  for (int i = 0; i < SEVERAL; i++) {
    if (!leap(q, fine(q, q->hi)))
      return 0;
    if (!(q->left > fmax(LEAST, REMAINS * q->top)))
      return 1;
    double far = q->lo;
    q->top = q->F_hi = far_end(q, far);
    q->hi = far;
    q->lo = q->F_lo = q->left = 0;
  }
  return 0;
}

static int jump(search *q, double width, brink__seam *found)
{
  *found = (brink__seam){.kind = BRINK__SEAM_JUMP, .top = q->top};
  int there = leap(q, width);

  found->lo = q->lo;
  found->hi = q->hi;
  return there;
}

/* ------------------------------------------------------------- kinks ---- */

/* Two points beyond the kink, near before next, and one that is short of it. */
typedef struct bracket {
  double left, near, F_near, next, F_next;
} bracket;

/* What bisection has left behind: F grows from near to next, and not before left. */
static int begin(search *q, bracket *b)
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
    double m = 0.5 * (b->left + b->near), F_m = F(q, m);
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

/* The next sample: near the estimate s, and beyond it if all is well. */
static void closer(search *q, bracket *b, double s)
{
  double x = s + (b->near - s) / 16;

  /* a place that was taken for short of the kink is not, if the secant says so */
  if (s < b->left)
    b->left = q->from;
  double F_x = F(q, x);
  if (F_x < b->F_near / 64) {
    b->left = x;
    x = 0.5 * (x + b->near);
    F_x = F(q, x);
  }
  if (x < b->near && F_x < b->F_near && F_x > 0) {
    b->next = b->near;
    b->F_next = b->F_near;
    b->near = x;
    b->F_near = F_x;
  }
}

/* Settled to `enough`. */
static int kink(search *q, double enough, brink__seam *found)
{
  bracket b;
  double last = -1, moved = HUGE_VAL, reach = q->s[0] - q->from;

  if (q->lost || !begin(q, &b))
    return 0;
  for (int i = 0; i < PATIENCE && !q->lost; i++) {
    double s = secant(&b), way = s - q->from;
    if (!(way > 0.005 * reach))
      return 0;
    q->near = s;
    double slope = b.F_near / (b.near - s);
    if (last >= 0 && fabs(s - last) <= fmax(enough, HARMLESS / slope)) {
      double back = fmin(0.1 * way, fmax(b.near - s, 0.02 * way));
      double noise = fabs(F(q, s - back)), unsure = fmax(enough, noise / slope);
      *found = (brink__seam){BRINK__SEAM_KINK, s - unsure, s + unsure, q->top, slope};
      double bent = q->top / (slope * (q->s[0] - s));
      double least = bent < CONVEX ? fmin(QUIET * q->top, LOUD) : 0;
      return noise <= fmax(0.2 * slope * back, least) && bent < BENT && !q->lost;
    }
    /* at a kink the secants settle at once, elsewhere they wander */
    if (last >= 0 && !(fabs(s - last) <= SETTLING * moved))
      return 0;
    moved = last >= 0 ? fabs(s - last) : HUGE_VAL;
    last = s;
    closer(q, &b, s);
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
static void bend(search *q, double x1, double x)
{
  const brink__path *p = q->path;
  double a[MOST + 2], slope;
  int degree = shape(power(p), x1 > 0, x1, a);

  value(a, degree, x, &slope);
  for (size_t i = 0; i < p->gate->flow->n; i++) {
    double *c = p->coeff + i * ((size_t)p->degree + 1), by = p->u * p->keep[i] / slope;
    for (int k = 2; k <= degree; k++)
      c[k] += by * a[k];
  }
}

/* The far end, and all that is to be enclosed before it; 0: nothing is. */
static int begin_at(search *q, double far, double least)
{
  q->top = q->F_hi = far_end(q, far);
  q->lo = q->from;
  q->hi = q->s[0] = far;
  q->F_lo = 0;
  q->F[0] = q->top;
  q->n = 1;
  return !q->lost && q->top > fmax(least, LEAST);
}

/* Does the defect grow like that of a path that leaves the law by itself?  Looks half
 * and a quarter of the way; *maybe: may it be a jump? */
static int grows(search *q, int *maybe)
{
  double top = q->top, m = q->hi / 2, F_m = F(q, m);

  if (q->lost)
    return 0;
  *maybe = narrow(q, m, F_m);
  if (q->path->degree < STRAIGHT || !(fabs(F_m) > QUIET * top && F_m < HEIGHT * top))
    return 0;
  double F_q = F(q, m / 2), at_q, at_m, a[MOST + 2], u = fabs(q->path->u);
  int degree = shape(power(q->path), 0, 0, a);
  value(a, degree, m / 2 / u, &at_q);
  value(a, degree, m / u, &at_m);
  double ratio = F_q / F_m * at_m / at_q;
  return !q->lost && ratio > 1 / SHAPELY && ratio < SHAPELY &&
         (F_m < 0 || top - F_m > CONVEX * 2 * (F_m - F_q));
}

/* At loose tolerances the path leaves the law soon.  Go along it in four parts and take
 * out the defect of each, unless there is more in it.  The last evaluation was at 1/4. */
static int march(search *q, double far, double width, brink__seam *found)
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
    int more = begin_at(q, (j + 1) * part, LEAST);
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
static double quiet(const search *q)
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

static brink__seam nothing(const search *q, double until)
{
  return (brink__seam){.lo = q->lost ? 0 : fmin(until, SHORT * q->near)};
}

brink__seam brink__seam_find(const brink__path *path, double reach, double unit,
                             double coarse, double least)
{
  search q = {.path = path, .unit = unit, .near = HUGE_VAL};
  double far = fmin(reach, STRETCH * fabs(path->u));
  int maybe = 1;
  brink__seam found;

  if (!begin_at(&q, far, least))
    return nothing(&q, far);
  int wild = grows(&q, &maybe);
  double width = coarse * far;
  if (wild ? march(&q, far, width, &found)
           : (maybe && jump(&q, width, &found)) || kink(&q, width / 2, &found))
    return found;
  return nothing(&q, wild ? far / 2 : quiet(&q));
}

/* Look at both sides of the hint. */
static int try_hint(search *q, double hint)
{
  double width = fine(q, q->hi);

  for (int side = 1; side >= -1; side -= 2) {
    double x = hint + side * width / 2;
    if (x > q->lo && x < q->hi && !narrow(q, x, F(q, x)))
      return 0;
  }
  return !q->lost;
}

static brink__seam close_jump(search *q, double reach, double hint)
{
  const brink__path *p = q->path;
  brink__seam found = {0};
  int there = try_hint(q, hint) && first_leap(q);

  if (there && q->hi == reach) { /* it was taken on trust */
    there = F(q, reach) >= HEIGHT * q->top;
    memcpy(p->beyond, p->mid, p->gate->flow->n * sizeof(double));
  }
  if (there && !q->lost)
    found = (brink__seam){BRINK__SEAM_JUMP, q->lo, q->hi, q->top, 0};
  return found;
}

/* Is it a kink?  Short of it F must vanish, and the slope be what was seen (0: nothing
 * was). */
static int bends(search *q, double at, double x, double F_x, double slope, double seen)
{
  if (seen > 0 && !(slope < BENT * seen && seen < BENT * slope))
    return 0;
  return 2 * at - x <= 0 || fabs(F(q, 2 * at - x)) <= 0.3 * F_x;
}

/* Beyond the kink F is a line.  Come so near that what it bends over the rest is below
 * the tolerance.  Begins at x, which is beyond it; either the slope is known from afar, or
 * (0) the place should be near `at`. */
static brink__seam close_kink(search *q, double x, double F_x, double seen, double at)
{
  const brink__path *p = q->path;
  brink__seam found = {0};
  double slope = seen;

  if (!(F_x > 1))
    return found;
  q->lo = q->F_lo = 0;
  for (int i = 0; i < PATIENCE && !q->lost; i++) {
    if (i > 0)
      F_x = F(q, x);
    if (i > 0 && F_x < q->F_hi / 64) { /* short of it */
      q->lo = x;
      x += (q->hi - x) / 4;
      continue;
    }
    if (i > 0)
      slope = (q->F_hi - F_x) / (q->hi - x);
    if (i > 0 || seen > 0)
      at = x - F_x / slope;
    if (!(slope >= 0 && at > -0.1 * q->reach))
      return found;
    q->hi = x;
    q->F_hi = F_x;
    memcpy(p->beyond, p->mid, p->gate->flow->n * sizeof(double));
    if (at < q->lo) { /* F does not come from zero */
      q->top = F_x;
      return first_leap(q)
               ? (brink__seam){BRINK__SEAM_JUMP, q->lo, q->hi, q->top, 0}
               : found;
    }
    if (slope > 0 && (F_x * (x - at) * CURVED <= HARMLESS * q->unit || F_x <= 1))
      return bends(q, at, x, F_x, slope, seen)
               ? (brink__seam){BRINK__SEAM_KINK, fmax(at, 0), x, q->top, slope}
               : found;
    x = at + (x - at) / 16;
  }
  return found;
}

brink__seam brink__seam_close(const brink__path *path, double reach,
                              const brink__seam *seen, double unit, double hint)
{
  search q = {.path = path, .unit = unit, .top = seen->top, .hi = reach,
              .F_hi = seen->top, .reach = reach};

  return seen->kind == BRINK__SEAM_JUMP ? close_jump(&q, reach, hint)
                                        : close_kink(&q, reach, F(&q, reach), seen->slope, 0);
}

/* --------------------------------------------------------- expectation ---- */

/* From x on in growing strides up to reach: the first place that is beyond. */
static int stride_on(search *q, double x, double stride, double least, double reach)
{
  q->lo = 0;
  for (;; x += stride, stride *= STRIDE) {
    x = fmin(x, reach);
    q->top = q->F_hi = far_end(q, x);
    q->hi = x;
    if (q->lost || q->top > fmax(least, LEAST))
      return !q->lost;
    if (x >= reach)
      return 0;
    q->lo = x;
  }
}

/* ... and back to one that is not. */
static int stride_back(search *q, double x, double stride)
{
  for (; q->lo == 0 && x > 0; x -= stride, stride *= STRIDE) {
    double F_x = F(q, x);
    if (q->lost || !narrow(q, x, F_x))
      return 0;
  }
  return 1;
}

static brink__seam expect_jump(search *q, double s, double reach)
{
  double width = fine(q, s);

  if (!stride_on(q, s + width / 2, width, LEAP * q->top, reach) ||
      !stride_back(q, q->hi - width, width) || !first_leap(q))
    return (brink__seam){0};
  return (brink__seam){BRINK__SEAM_JUMP, q->lo, q->hi, q->top, 0};
}

/* The slope need not be the same again. */
static brink__seam expect_kink(search *q, double s, double reach, double slope)
{
  /* so near that the line need not be followed further */
  double away = 0.8 * sqrt(HARMLESS * q->unit / (CURVED * slope));

  if (!stride_on(q, s + away, away, 0, reach))
    return (brink__seam){0};
  return close_kink(q, q->hi, q->top, 0, s);
}

brink__seam brink__seam_expect(const brink__path *path, const brink__seam *seen,
                               double reach, double unit)
{
  search q = {.path = path, .unit = unit, .top = seen->top};

  return seen->kind == BRINK__SEAM_JUMP
           ? expect_jump(&q, seen->lo, reach)
           : expect_kink(&q, seen->lo, reach, seen->slope);
}
