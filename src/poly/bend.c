/* bend.c -- the quick answer, for polynomials that bend one way or not at all.
 *
 * A short enough step makes every guard almost straight: |c_1| or |c_2| outweighs
 * all that follows, so on [0, 1] the polynomial is monotone, or its curvature keeps
 * one sign.  Then the values at the two ends decide: opposite signs enclose exactly
 * one zero, which Newton's method finds from the zero of the parabola; equal signs
 * exclude one unless the polynomial may dip between them.  Everything else is left
 * to roots.c.
 */
#include "core/core.h"
#include "poly/inner.h"

enum { NEWTON_MAX = 60, WIDEN_MAX = 8 };

/* one coefficient outweighs others if it is larger than their sum by more than their
 * rounding */
static const double OUTWEIGHS = 1.0001;

/* a Newton step this small leaves an error of its square: far below rounding */
static const double SETTLED = 0x1p-40;

typedef struct bend {
  int n;
  const double *c;
  double delta, noise; /* bound(x) = delta + noise A(x) */
} bend;

static double bound_at(const bend *b, double x)
{
  return b->delta + b->noise * brink__amplitude(b->n, b->c, x) + BRINK__TINY;
}

static double value_and_slope(const bend *b, double x, double *slope)
{
  const double *c = b->c;

  if (b->n == 4) {
    double v3 = c[4] * x + c[3], d2 = c[4] * x + v3, v2 = v3 * x + c[2];
    double d1 = d2 * x + v2, v1 = v2 * x + c[1];
    *slope = d1 * x + v1;
    return v1 * x + c[0];
  }
  double v = c[b->n], d = 0;
  for (int k = b->n - 1; k >= 0; k--) {
    d = d * x + v;
    v = v * x + c[k];
  }
  *slope = d;
  return v;
}

/* The polynomial at 1, where all powers are 1, and what that tells of its shape. */
typedef struct far_end {
  double value, slope, bound; /* bound: the largest on [0, 1]                    */
  int shape; /* 1: monotone on [0, 1]; 2: curvature of one sign; 0: not known */
} far_end;

/* at_one, written out for degree 4 */
static far_end quartic_at_one(const bend *b)
{
  const double *c = b->c;
  double a4 = fabs(c[4]), a3 = fabs(c[3]), a2 = fabs(c[2]), a1 = fabs(c[1]);
  far_end e = {.value = c[4] + c[3] + c[2] + c[1] + c[0],
               .slope = 4 * c[4] + 3 * c[3] + 2 * c[2] + c[1]};

  e.bound = b->delta + b->noise * (a4 + a3 + a2 + (a1 + fabs(c[0]))) + BRINK__TINY;
  e.shape = a1 > OUTWEIGHS * (4 * a4 + 3 * a3 + 2 * a2) ? 1
            : 2 * a2 > OUTWEIGHS * (12 * a4 + 6 * a3)   ? 2
                                                        : 0;
  return e;
}

static far_end at_one(const bend *b)
{
  far_end e = {0};
  double sum = 0, slopes = 0, curvatures = 0;

  for (int k = b->n; k >= 3; k--) { /* small terms first */
    double size = fabs(b->c[k]);
    e.value += b->c[k];
    e.slope += k * b->c[k];
    sum += size;
    slopes += k * size;
    curvatures += k * (k - 1) * size;
  }
  if (b->n >= 2) {
    e.value += b->c[2];
    e.slope += 2 * b->c[2];
    sum += fabs(b->c[2]);
    slopes += 2 * fabs(b->c[2]);
    e.shape = 2 * fabs(b->c[2]) > OUTWEIGHS * curvatures ? 2 : 0;
  }
  if (fabs(b->c[1]) > OUTWEIGHS * slopes)
    e.shape = 1;
  e.value = e.value + b->c[1] + b->c[0];
  e.slope += b->c[1];
  sum += fabs(b->c[1]) + fabs(b->c[0]);
  e.bound = b->delta + b->noise * sum + BRINK__TINY;
  return e;
}

/* Where the parabola c0 + c1 x + c2 x^2 crosses between lo and hi; else the middle. */
static double guess(const bend *b, double lo, double hi)
{
  double c0 = b->c[0], c1 = b->c[1], c2 = b->n >= 2 ? b->c[2] : 0;
  double root = c1 * c1 - 4 * c2 * c0;

  if (root >= 0) {
    double q = -0.5 * (c1 + (c1 < 0 ? -sqrt(root) : sqrt(root)));
    double x = q != 0 ? c0 / q : lo, y = c2 != 0 ? q / c2 : lo;
    if (x > lo && x < hi)
      return x;
    if (y > lo && y < hi)
      return y;
  }
  return 0.5 * (lo + hi);
}

/* A bracket of a few roundings around x, with the signs as evaluated. */
static int bracket(const bend *b, double x, double w, int s0, brink__root *r)
{
  double lo = x - w, hi = x + w;

  for (int i = 0; i < WIDEN_MAX; i++) {
    double at_lo = brink__horner(b->n, b->c, lo), at_hi = brink__horner(b->n, b->c, hi);
    int lo_ok = at_lo * s0 >= 0, hi_ok = at_hi * s0 < 0;
    if (lo_ok && hi_ok) {
      r->lo = lo;
      r->hi = hi;
      return 1;
    }
    w *= 2;
    if (!lo_ok)
      lo = x - w;
    if (!hi_ok)
      hi = x + w;
  }
  return 0;
}

/* The stretch where |p| is within the bound: about bound / slope to both sides. */
static int band(const bend *b, double slope, double bound, double from, brink__root *r)
{
  double w = 2 * bound / fabs(slope);

  r->band_lo = brink__max(from, r->lo - w);
  r->band_hi = brink__min(1, r->hi + w);
  return (r->band_lo == from || fabs(brink__horner(b->n, b->c, r->band_lo)) > bound) &&
         (r->band_hi == 1 || fabs(brink__horner(b->n, b->c, r->band_hi)) > bound);
}

static int newton(const bend *b, double from, double tol, int s0, double bound,
                  brink__root *r)
{
  double lo = from, hi = 1, x = guess(b, lo, hi), slope = 0;

  for (int i = 0; i < NEWTON_MAX; i++) {
    double v = value_and_slope(b, x, &slope);
    double next = x - v / slope, moved = fabs(next - x);
    if (moved <= brink__max(SETTLED * next, 0.25 * tol)) { /* often at once */
      x = next;
      break;
    }
    if (v * s0 > 0)
      lo = x;
    else
      hi = x;
    x = next > lo && next < hi ? next : 0.5 * (lo + hi);
  }
  double w = brink__max(0x1p-53 * x, 0.25 * tol);
  if (!(x - 4 * w > from && x + 4 * w < 1) || !bracket(b, x, w, s0, r) ||
      !(r->lo > from) || !(r->hi < 1) || r->hi - r->lo > brink__max(tol, 0x1p-50 * x))
    return -1;
  r->kind = BRINK__CROSSING;
  r->sign_before = s0;
  r->sign_after = -s0;
  return band(b, slope, bound, from, r) ? 1 : -1;
}

int brink__poly_bend(const brink__poly *p, double from, double tol, brink__root *r)
{
  bend b = {p->degree, p->c, p->delta, brink__horner_noise(p->degree)};
  double d0;

  if (p->form != BRINK__MONOMIAL || b.n < 1 || !(from >= 0 && from < 1))
    return -1;
  far_end end = b.n == 4 ? quartic_at_one(&b) : at_one(&b);
  if (end.shape == 0)
    return -1;
  int s0 = brink__sign(value_and_slope(&b, from, &d0), bound_at(&b, from));
  int s1 = brink__sign(end.value, end.bound);
  if (s0 == 0 || s1 == 0)
    return -1;
  if (s0 != s1)
    return newton(&b, from, tol, s0, end.bound, r);

  /* equal signs: none, unless it bends towards zero and turns in between */
  if (end.shape == 2 && p->c[2] * s0 > 0 && d0 * s0 < 0 && end.slope * s0 > 0)
    return -1;
  r->sign_before = r->sign_after = s0;
  return 0;
}
