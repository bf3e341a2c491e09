/* defect.c -- how far a path is from obeying f, and where that leaps.
 *
 * A step polynomial P, continued beyond its step, obeys the old law for as long as that
 * law holds, so that its defect
 *
 *   d(s) = f(t + s, P(t + s)) - P'(t + s)
 *
 * is small and smooth there, and takes a leap (or a bend) where the law changes
 * [CMR03]. All that is needed are single evaluations of f: no tableau, no guard.
 *
 * F(s) is the component of d(s) in the direction that d has at the far end, in units of
 * the tolerance over the length of a step: F = 1 would change a step by one tolerance.
 */
#include "ode/defect.h"

#include <float.h>
#include <math.h>
#include <string.h>

double brink__path_value(const double *c, int degree, double x, double *slope)
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
static int defect(brink__search *q, double s)
{
  const brink__path *p = q->path;
  size_t n = p->gate->flow->n, w = (size_t)p->degree + 1;
  double dir = p->u > 0 ? 1 : -1, x = s / fabs(p->u), slope;

  for (size_t i = 0; i < n; i++)
    p->at[i] = brink__path_value(p->coeff + i * w, p->degree, x, &slope);
  if (brink__f(p->gate, p->t + dir * s, p->at, p->mid) != BRINK_OK) {
    q->lost = 1;
    return 0;
  }
  for (size_t i = 0; i < n; i++) {
    brink__path_value(p->coeff + i * w, p->degree, x, &slope);
    p->f[i] = p->mid[i] - slope / p->u;
  }
  return 1;
}

/* The defect of one component in units of tolerance. */
static double scaled(const brink__search *q, size_t i)
{
  const brink__path *p = q->path;

  return q->unit * p->f[i] * p->weight[i];
}

double brink__far_end(brink__search *q, double s)
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

double brink__F(brink__search *q, double s)
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
  if (q->n < BRINK__SAMPLES) {
    q->s[q->n] = s;
    q->F[q->n++] = sum;
  }
  return sum;
}

/* --------------------------------------------------------------- leap ---- */

double brink__fine(const brink__search *q, double far)
{
  double least = 4 * DBL_EPSILON * (fabs(q->path->t) + far);

  return fmax(BRINK__F_HARMLESS * q->unit / fmax(q->top, q->right), least);
}

int brink__narrow(brink__search *q, double m, double F_m)
{
  if (F_m > 0.5 * (q->F_lo + q->F_hi)) {
    q->hi = m;
    q->F_hi = F_m;
    q->right = q->size;
    memcpy(q->path->beyond, q->path->mid, q->path->gate->flow->n * sizeof(double));
  } else {
    q->lo = m;
    q->F_lo = F_m;
    q->left = q->size;
  }
  return q->F_hi - q->F_lo >= BRINK__F_HEIGHT * q->top;
}

int brink__leap(brink__search *q, double width)
{
  /* how high it is is seen on the way */
  while (q->hi - q->lo > (width > 0 ? width : HUGE_VAL) ||
         ((q->lo == 0 || width == 0) && q->hi - q->lo > brink__fine(q, q->hi))) {
    double m = q->lo + 0.5 * (q->hi - q->lo);
    if (!(m > q->lo && m < q->hi))
      break;
    double F_m = brink__F(q, m);
    if (q->lost || !brink__narrow(q, m, F_m))
      return 0;
  }
  return 1;
}
