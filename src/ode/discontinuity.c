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
 *
 * Cost: 10 to 30 evaluations of f where there is something, 2 to 8 where there is not.
 * Limits: jumps in second and higher derivatives are left to the step size control; of
 * several seams ahead any may be found, and the step to it fails until it is the first.
 */
#include "ode/discontinuity.h"

#include <float.h>
#include <math.h>

enum {
  PATIENCE = 9, /* secants until a kink must have settled */
  SAMPLES = 24  /* kept for the secants                   */
};

static const double LEAST = 10;      /* F below this is no reason to look further   */
static const double HEIGHT = 0.5;    /* of the leap that bisection must keep        */
static const double NEARLY = 0.05;   /* of the largest F: not on the old law        */
static const double HARMLESS = 0.05; /* of the tolerance, between lo and hi         */
static const double SHARP = 0x1p-7;  /* of the length: a leap this steep is a jump  */
static const double STRETCH = 3;     /* lengths of the last step that P is good for */

typedef struct search {
  const brink__path *path;
  double unit; /* length that the defect is weighed with */
  double top;  /* F at the far end                       */
  int n;
  double s[SAMPLES], F[SAMPLES]; /* all that is known    */
  int lost;                      /* f does not exist on the path */
} search;

/* ------------------------------------------------------------ defect ---- */

/* r = defect at s in units of tolerance; into path->f.  0 if f refuses. */
static int defect(search *q, double s)
{
  const brink__path *p = q->path;
  size_t n = p->gate->flow->n, w = (size_t)p->degree + 1;
  double dir = p->h > 0 ? 1 : -1, theta = 1 + s / fabs(p->h);

  for (size_t i = 0; i < n; i++) {
    const double *c = p->coeff + i * w;
    double y = c[p->degree];
    for (int k = p->degree - 1; k >= 0; k--)
      y = y * theta + c[k];
    p->at[i] = y;
  }
  if (brink__f(p->gate, p->t + dir * s, p->at, p->f) != BRINK_OK) {
    q->lost = 1;
    return 0;
  }
  for (size_t i = 0; i < n; i++) {
    const double *c = p->coeff + i * w;
    double slope = 0;
    for (int k = p->degree; k >= 1; k--)
      slope = slope * theta + k * c[k];
    p->f[i] =
        q->unit * (p->f[i] - slope / p->h) / brink__scale(p->tol, i, p->y[i], p->at[i]);
  }
  return 1;
}

/* The far end: its size, and its direction into path->way. */
static double far_end(search *q, double s)
{
  const brink__path *p = q->path;
  size_t n = p->gate->flow->n;
  double sum = 0;

  if (!defect(q, s))
    return 0;
  for (size_t i = 0; i < n; i++)
    sum += p->f[i] * p->f[i];
  double norm = sqrt(sum);
  for (size_t i = 0; i < n; i++)
    p->way[i] = norm > 0 ? p->f[i] / norm : 0;
  return isfinite(norm) ? norm / sqrt((double)n) : 0;
}

static double F(search *q, double s)
{
  const brink__path *p = q->path;
  size_t n = p->gate->flow->n;
  double sum = 0;

  if (q->lost || !defect(q, s))
    return 0;
  for (size_t i = 0; i < n; i++)
    sum += p->f[i] * p->way[i];
  sum /= sqrt((double)n);
  if (q->n < SAMPLES) {
    q->s[q->n] = s;
    q->F[q->n++] = sum;
  }
  return sum;
}

/* ------------------------------------------------------------- jumps ---- */

/* Bisect until the leap is enclosed to `width`, or is none. */
static int leap(search *q, double *lo, double *hi, double width)
{
  double F_lo = 0, F_hi = q->top;

  while (*hi - *lo > width) {
    double m = *lo + 0.5 * (*hi - *lo);
    if (!(m > *lo && m < *hi))
      break;
    double F_m = F(q, m);
    if (q->lost)
      return 0;
    if (F_m > 0.5 * (F_lo + F_hi)) {
      *hi = m;
      F_hi = F_m;
    } else {
      *lo = m;
      F_lo = F_m;
    }
    if (!(F_hi - F_lo >= HEIGHT * q->top))
      return 0;
  }
  return 1;
}

/* ------------------------------------------------------------- kinks ---- */

/* Two points beyond the kink, near before next, and one that is short of it. */
typedef struct bracket {
  double left, near, F_near, next, F_next;
} bracket;

/* What bisection has left behind: F grows from near to next, and not before left. */
static int begin(search *q, bracket *b)
{
  b->left = 0;
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
    b->left = 0;
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

/* *slope: of F beyond the kink; *noise: what F is short of it. */
static int kink(search *q, double reach, double enough, double *at, double *slope,
                double *noise)
{
  bracket b;
  double last = -1, moved = HUGE_VAL;

  if (!begin(q, &b))
    return 0;
  for (int i = 0; i < PATIENCE && !q->lost; i++) {
    double s = secant(&b);
    if (!(s > 0.005 * reach))
      return 0;
    *slope = b.F_near / (b.near - s);
    if (last >= 0 && fabs(s - last) <= fmax(enough * reach, HARMLESS / *slope)) {
      double back = fmin(0.1 * s, fmax(b.near - s, 0.02 * s));
      *at = s;
      *noise = fabs(F(q, s - back));
      return *noise <= 0.2 * *slope * back && !q->lost;
    }
    /* at a kink the secants settle at once, elsewhere they wander */
    if (last >= 0 && !(fabs(s - last) <= 0.5 * moved))
      return 0;
    moved = last >= 0 ? fabs(s - last) : HUGE_VAL;
    last = s;
    closer(q, &b, s);
  }
  return 0;
}

/* ------------------------------------------------------------ search ---- */

brink__seam brink__seam_find(const brink__path *path, double reach, double unit,
                             double coarse)
{
  search q = {.path = path, .unit = unit};
  brink__seam none = {BRINK__SEAM_NONE, 0, 0}, found = none;
  double far = fmin(reach, STRETCH * fabs(path->h));

  q.top = far_end(&q, far);
  if (q.lost || !(q.top > LEAST))
    return none;
  q.s[0] = far;
  q.F[0] = q.top;
  q.n = 1;

  double fine = HARMLESS * q.unit / q.top;
  double least = 4 * DBL_EPSILON * (fabs(path->t) + far);
  double width = fmax(fmax(fmin(fine, SHARP * far), coarse * far), least);
  found.hi = far;
  if (leap(&q, &found.lo, &found.hi, width)) {
    found.kind = BRINK__SEAM_JUMP;
    return found;
  }
  double at, slope, noise;
  if (!q.lost && kink(&q, far, coarse / 2, &at, &slope, &noise)) {
    double unsure = coarse > 0 ? fmax(coarse / 2 * far, noise / slope) : 0;
    return (brink__seam){BRINK__SEAM_KINK, at - unsure, at + unsure};
  }
  return none;
}
