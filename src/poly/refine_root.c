/* refine_root.c -- from an isolated root to the last bit, and the edges of its band.
 *
 * Halley's iteration (monomials) or Newton's (Chebyshev sums) inside a bracket that
 * only ever shrinks; what leaves the bracket or dawdles is replaced by a bisection.
 * The end is settled by computed signs alone: the last bracket has the old sign (or
 * 0) at lo and the new one at hi, whatever rounding did in between.
 */
#include "core/core.h"
#include "poly/inner.h"

#include <stddef.h>

enum {
  ITERATIONS = 60, /* then bisection alone takes over                     */
  EAGER = 6,       /* from here on every second iteration is a bisection  */
  GALLOP = 40,     /* steps of factor 4: 2^80 covers all spacings         */
  OUTWARD = 8,     /* doublings of a spacing: 255 of them at most         */
  BISECTIONS = 160 /* 10 for the exponent, 53 for the bits, twice         */
};

/* ends[0] = lo has the computed sign s or 0, ends[1] = hi the sign -s */
typedef struct bracket {
  double ends[2];
  double s;
} bracket;

/* ------------------------------------------------------------ bracket ---- */

/* s = +-1; the sides of a root are a coin toss, so nothing here branches */
static int is_before(double v, double s) { return v * s >= 0; }

/* move one end to x; 1: it was lo */
static int take(bracket *k, double x, double v)
{
  int before = is_before(v, k->s);
  k->ends[!before] = x;
  return before;
}

static int holds(const bracket *k, double x)
{
  return x > k->ends[0] && x < k->ends[1];
}

static int narrow(const brink__ready *r, const bracket *k)
{
  double hi = k->ends[1];
  return hi - k->ends[0] <= brink__max(r->tol, 2 * brink__spacing(&r->p, hi));
}

/* halves the larger of exponent and mantissa */
static double middle(const brink__ready *r, const bracket *k)
{
  double lo = k->ends[0], hi = k->ends[1], low = brink__max(lo, 0x1p-1000);
  if (r->p.form == BRINK__MONOMIAL && hi > 4 * low)
    return sqrt(low) * sqrt(hi);
  return lo + 0.5 * (hi - lo);
}

static void bisect(const brink__ready *r, bracket *k)
{
  for (int i = 0; i < BISECTIONS && !narrow(r, k); i++) {
    double x = middle(r, k);
    if (!holds(k, x))
      return;
    take(k, x, brink__value(&r->p, x));
  }
}

/* close the bracket around x, which is probably within a few w of the sign change */
static void gallop(const brink__ready *r, bracket *k, double x, double w)
{
  if (holds(k, x)) {
    int up = take(k, x, brink__value(&r->p, x));
    for (int i = 0; i < GALLOP; i++, w *= 4) {
      double y = up ? k->ends[0] + w : k->ends[1] - w;
      if (!holds(k, y) || take(k, y, brink__value(&r->p, y)) != up)
        break;
    }
  }
  bisect(r, k);
}

/* ---------------------------------------------------------- iteration ---- */

/* value, slope and half the second derivative (left 0 for Chebyshev sums) */
static inline void jet(const brink__poly *p, double x, double *v, double *d, double *h)
{
  int n = p->degree;

  if (p->form == BRINK__CHEBYSHEV) {
    *v = brink__value(p, x);
    *d = brink__poly_slope(p, x);
    *h = 0;
    return;
  }
  double v0 = p->c[n], d0 = 0, h0 = 0;
  for (int k = n - 1; k >= 0; k--) {
    h0 = h0 * x + d0;
    d0 = d0 * x + v0;
    v0 = v0 * x + p->c[k];
  }
  *v = v0, *d = d0, *h = h0;
}

/* Iterate until the next step cannot matter, by the error terms of Halley,
 * (h/d)^2 e^3 and e^3/width^2, or of Newton, e^2/width: a guess that the caller
 * checks by signs.  Returns the last iterate, its predecessor's slope in *slope. */
static double iterate(const brink__ready *r, bracket *k, double x, double *slope)
{
  double width = k->ends[1] - k->ends[0];
  int cubic = r->p.form == BRINK__MONOMIAL;

  for (int i = 0; i < ITERATIONS; i++) {
    double v, d, h;
    jet(&r->p, x, &v, &d, &h);
    take(k, x, v);
    *slope = d;

    double dd = d * d, vh = v * h;
    double step = v * d / (dd - vh), e = fabs(step);
    double next = x - step, enough = brink__max(r->tol, x * 0x1p-52) * 0.25;
    if (e <= enough)
      return x;
    if (!holds(k, next) || (i >= EAGER && i & 1)) {
      next = middle(r, k);
      if (narrow(r, k))
        return next;
    } else if (cubic ? e * e * e <= enough * width * width &&
                           vh * vh * e <= enough * dd * dd
                     : e * e <= enough * width) {
      return next;
    }
    x = next;
  }
  return x;
}

/* -------------------------------------------------------------- edges ---- */

static int sign_at(const brink__ready *r, double x, brink__zone z)
{
  return brink__sign(brink__value(&r->p, x), brink__zone_at(r, z, x));
}

/* Where the tangent leaves, and a little before; if that does not pin the edge down,
 * bisection on the exponent of the distance.  CLOSE keeps a contact of order 5 within
 * 3 bounds. */
#define CLOSE 1.25

double brink__refine_edge(const brink__ready *r, double in, double out, int s,
                          brink__zone z)
{
  double far = fabs(out - in), dir = out > in ? 1 : -1;
  double near = brink__min(brink__spacing(&r->p, in), far) * 0.5 + 0x1p-1060;
  double slope = dir * s * brink__poly_slope(&r->p, in);
  double tangent = (brink__zone_at(r, z, in) - s * brink__value(&r->p, in)) / slope;
  const double tries[] = {brink__max(1.1 * tangent, 1.2 * near), 0.9 * tangent};

  for (int i = 0; i < BISECTIONS && far > CLOSE * near; i++) {
    double d = i < 2 ? tries[i] : 0;
    if (!(d > near && d < far))
      d = far > 4 * near ? sqrt(near) * sqrt(far) : 0.5 * (near + far);
    if (sign_at(r, in + dir * d, z) == s)
      far = d;
    else
      near = d;
  }
  double x = in + dir * far;
  return dir > 0 ? brink__min(x, out) : brink__max(x, out);
}

/* four values side by side, in registers */
static inline void four(int n, const double *c, const double *x, double *v)
{
  double v0 = c[n], v1 = v0, v2 = v0, v3 = v0;

  for (int k = n - 1; k >= 0; k--) {
    v0 = v0 * x[0] + c[k];
    v1 = v1 * x[1] + c[k];
    v2 = v2 * x[2] + c[k];
    v3 = v3 * x[3] + c[k];
  }
  v[0] = v0, v[1] = v1, v[2] = v2, v[3] = v3;
}

/* The points that settle an ordinary root, evaluated side by side: the iterate, its
 * neighbours at w and 3w, and two points at `reach` that should be out of the band.
 * Returns a sum of BRACKET and BAND for what could be told. */
enum { BRACKET = 1, BAND = 2 };

static int settle(const brink__ready *r, double s, double x, double w, double reach,
                  double zero, brink__root *out)
{
  enum { POINTS = 8, NEAR = 5 };
  const double at[POINTS] = {x - 3 * w, x - w,     x,         x + w,
                             x + 3 * w, x - reach, x + reach, x};
  const double *c = r->p.c;
  double v[POINTS];
  int told = 0;

  four(r->p.degree, c, at, v);
  four(r->p.degree, c, at + 4, v + 4);

  /* bit j: point j is before the root; the last change from 1 to 0 */
  unsigned before = 0;
  for (int j = 0; j < NEAR; j++)
    before |= (unsigned)is_before(v[j], s) << j;
  unsigned ends = before & ~(before >> 1) & ((1u << (NEAR - 1)) - 1);
  if (ends) {
    int j = ends & 12 ? 2 + (ends >= 8) : ends >= 2;
    out->lo = at[j];
    out->hi = at[j + 1];
    told |= BRACKET;
  }
  if (v[NEAR] * s > zero && -v[NEAR + 1] * s > zero) {
    out->band_lo = at[NEAR];
    out->band_hi = at[NEAR + 1];
    told |= BAND;
  }
  return told;
}

/* ------------------------------------------------------------ results ---- */

#define MARGIN 1.0001 /* how far to the right: changes A(x) by n parts in 10^4    */
#define REACH  1.5    /* bands from the root where |p| must have left the band   */

/* The given ends of a bracket have their signs by bounds.  Should rounding make the
 * computed sign of one differ, it moves out by some steps. */
static double outward(const brink__ready *r, double x, double step, int s)
{
  for (int i = 0; i < OUTWARD && !(brink__value(&r->p, x) * s > 0); i++, step *= 2)
    x = brink__min(brink__max(x + step, r->from), 1);
  return x;
}

void brink__refine_crossing(const brink__ready *r, double lo, double hi, int s,
                            double x, brink__zone z, brink__root *out)
{
  bracket k = {{lo, hi}, s};
  double slope = 0;

  *out = (brink__root){.kind = BRINK__CROSSING, .sign_before = s, .sign_after = -s};
  x = iterate(r, &k, x, &slope);
  double ulp = brink__spacing(&r->p, x);
  double w = brink__max(0.499 * (r->tol - 2 * ulp), ulp); /* 2w rounds below tol */

  /* the band a little to the right bounds that at all points to be settled */
  double per_slope = REACH / fabs(slope), zero = brink__zone_at(r, z, x * MARGIN);
  double reach = zero * per_slope + ulp;
  double wide = brink__max(reach, 3 * w);
  int told = 0;
  if (r->p.form == BRINK__MONOMIAL && x + reach <= x * MARGIN && x - wide > lo &&
      x + wide < hi)
    told = settle(r, s, x, w, reach, zero, out);

  if (!(told & BRACKET)) {
    gallop(r, &k, x, w);
    out->lo = k.ends[0] == lo ? outward(r, lo, -ulp, s) : k.ends[0];
    out->hi = k.ends[1] == hi ? outward(r, hi, ulp, -s) : k.ends[1];
  }
  if (!(told & BAND)) {
    out->band_lo = brink__refine_edge(r, out->lo, lo, s, z);
    out->band_hi = brink__refine_edge(r, out->hi, hi, -s, z);
  }
  out->band_lo = brink__min(out->band_lo, out->lo);
  out->band_hi = brink__max(out->band_hi, out->hi);
}

double brink__refine_touch(const brink__ready *r, double lo, double hi, int s)
{
  bracket falling = {{lo, hi}, 1}, dip = {{lo, hi}, s};
  double best = lo, least = HUGE_VAL;

  /* to where s p stops falling */
  for (int i = 0; i < BISECTIONS; i++) {
    double x = middle(r, &falling);
    double v = fabs(brink__value(&r->p, x));
    if (v < least)
      least = v, best = x;
    if (!holds(&falling, x))
      break;
    take(&falling, x, -s * brink__poly_slope(&r->p, x));
  }

  /* it dipped below zero: the least |p| is where it got there */
  if (brink__value(&r->p, falling.ends[1]) * s < 0) {
    dip.ends[1] = falling.ends[1];
    bisect(r, &dip);
    return dip.ends[0];
  }
  return best;
}
