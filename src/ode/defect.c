/* defect.c -- how far a continued step polynomial is from obeying f, and where that
 * jumps.
 *
 * The polynomial P of a step, continued beyond the end of the step, obeys the old law
 * as long as that law holds, so that its defect
 *
 *   d(s) = f(t + s, P(t + s)) - P'(t + s)
 *
 * is small and smooth there, and jumps or bends where the law changes [CMR03].  It
 * takes single evaluations of f, and neither a tableau nor a guard.
 *
 * F(s) is the component of d(s) in the direction that d has at the far end, in units of
 * the tolerance over the length of a step: F = 1 would change a step by one tolerance.
 */
#include "ode/search.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "poly/poly.h"

/* The defect at s into along->d, f itself into along->f.  0 if f refuses. */
static int defect(brink__scan *q, double s)
{
  const brink__continuation *c = q->along;
  size_t n = c->gate->flow->n, w = (size_t)c->degree + 1;
  double sign = c->u > 0 ? 1 : -1, x = s / fabs(c->u);

  for (size_t i = 0; i < n; i++)
    c->at[i] = brink__horner(c->degree, c->coeff + i * w, x);
  if (brink__f(c->gate, c->t + sign * s, c->at, c->f) != BRINK_OK) {
    q->refused = 1;
    return 0;
  }
  for (size_t i = 0; i < n; i++)
    c->d[i] =
        c->f[i] - brink__horner_derivative(c->degree, c->coeff + i * w, 1, x) / c->u;
  return 1;
}

/* The defect of one component in units of F. */
static double scaled(const brink__scan *q, size_t i)
{
  return q->unit * q->along->d[i] * q->along->weight[i];
}

double brink__F_begin(brink__scan *q, double s)
{
  const brink__continuation *c = q->along;
  size_t n = c->gate->flow->n;
  double sum = 0;

  if (!defect(q, s))
    return 0;
  for (size_t i = 0; i < n; i++) {
    if (s > q->reach) /* the same tolerance all along */
      c->weight[i] = 1 / brink__scale(c->tol, i, c->y[i], c->at[i]);
    c->direction[i] = scaled(q, i);
    sum += c->direction[i] * c->direction[i];
  }
  q->reach = fmax(q->reach, s);
  double norm = sqrt(sum);
  for (size_t i = 0; i < n; i++)
    c->direction[i] = norm > 0 ? c->direction[i] / norm : 0;
  memcpy(c->f_behind, c->f, n * sizeof(double));
  return isfinite(norm) ? norm / sqrt((double)n) : 0;
}

double brink__F(brink__scan *q, double s)
{
  const brink__continuation *c = q->along;
  size_t n = c->gate->flow->n;
  double sum = 0, all = 0;

  if (q->refused || !defect(q, s))
    return 0;
  for (size_t i = 0; i < n; i++) {
    double d = scaled(q, i);
    sum += d * c->direction[i];
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

/* --------------------------------------------------------------- jumps ---- */

/* The width within which a jump of q->height changes the solution harmlessly. */
static double harmless(const brink__scan *q, double far)
{
  /* fewer roundings of t than this do not tell points apart */
  double least = 4 * DBL_EPSILON * (fabs(q->along->t) + far);

  return fmax(BRINK__F_HARMLESS * q->unit / fmax(q->height, q->behind), least);
}

int brink__narrow(brink__scan *q, double m, double F_m)
{
  if (F_m > 0.5 * (q->F_lo + q->F_hi)) {
    q->hi = m;
    q->F_hi = F_m;
    q->behind = q->size;
    memcpy(q->along->f_behind, q->along->f, q->along->gate->flow->n * sizeof(double));
  } else {
    q->lo = m;
    q->F_lo = F_m;
    q->before = q->size;
  }
  return q->F_hi - q->F_lo >= BRINK__F_KEPT * q->height;
}

int brink__bisect(brink__scan *q, double width)
{
  /* how high the jump is, and so what is harmless, is seen on the way; and as long as
   * lo is the end of the step nothing but a closer look shows that it is before it */
  while (q->hi - q->lo > (width > 0 ? width : HUGE_VAL) ||
         ((q->lo == 0 || width == 0) && q->hi - q->lo > harmless(q, q->hi))) {
    double m = q->lo + 0.5 * (q->hi - q->lo);
    if (!(m > q->lo && m < q->hi))
      break;
    double F_m = brink__F(q, m);
    if (q->refused || !brink__narrow(q, m, F_m))
      return 0;
  }
  return 1;
}
