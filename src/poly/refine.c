/* refine.c -- from an isolated root to the last bit, and the edges of its band.
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
  BISECTIONS = 160 /* 10 for the exponent, 53 for the bits, twice         */
};

typedef struct bracket {
  double lo, hi; /* computed sign s or 0 at lo, -s at hi */
  int s;
} bracket;

/* ------------------------------------------------------------ bracket ---- */

static int is_before(double v, int s) { return s > 0 ? v >= 0 : v <= 0; }

/* move one end to x; 1: it was lo */
static int take(bracket *k, double x, double v)
{
  int before = is_before(v, k->s);
  if (before)
    k->lo = x;
  else
    k->hi = x;
  return before;
}

static double wanted(const brink__ready *r, double x)
{
  return brink__max(r->tol, 2 * brink__spacing(&r->p, x));
}

/* halves the larger of exponent and mantissa */
static double middle(const brink__ready *r, double lo, double hi)
{
  double low = brink__max(lo, 0x1p-1000);
  if (r->p.form == BRINK__MONOMIAL && hi > 4 * low)
    return sqrt(low) * sqrt(hi);
  return lo + 0.5 * (hi - lo);
}

static void bisect(const brink__ready *r, bracket *k)
{
  for (int i = 0; i < BISECTIONS && k->hi - k->lo > wanted(r, k->hi); i++) {
    double x = middle(r, k->lo, k->hi);
    if (!(x > k->lo && x < k->hi))
      return;
    take(k, x, brink__value(&r->p, x));
  }
}

/* close the bracket around x, which is probably within a few w of the sign change */
static void gallop(const brink__ready *r, bracket *k, double x, double w)
{
  if (x > k->lo && x < k->hi) {
    int up = take(k, x, brink__value(&r->p, x));
    for (int i = 0; i < GALLOP; i++, w *= 4) {
      double y = up ? k->lo + w : k->hi - w;
      if (!(y > k->lo && y < k->hi))
        break;
      if (take(k, y, brink__value(&r->p, y)) != up)
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
  double width = k->hi - k->lo;
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
    if (!(next > k->lo && next < k->hi) || (i >= EAGER && i & 1)) {
      next = middle(r, k->lo, k->hi);
      if (k->hi - k->lo <= wanted(r, k->hi))
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

/* Bisection on the exponent of the distance, started where the tangent leaves.  CLOSE
 * keeps a contact of order 5 within 3 bounds. */
#define CLOSE 1.25

double brink__refine_edge(const brink__ready *r, double in, double out, int s,
                          brink__zone z)
{
  double far = fabs(out - in), dir = out > in ? 1 : -1;
  double near = brink__min(brink__spacing(&r->p, in), far) * 0.5 + 0x1p-1060;
  double slope = fabs(brink__poly_slope(&r->p, in));
  double d = 1.5 * (brink__zone_at(r, z, in) + fabs(brink__value(&r->p, in))) / slope;

  for (int i = 0; i < BISECTIONS && far > CLOSE * near; i++) {
    if (!(d > near && d < far))
      d = far > 4 * near ? sqrt(near) * sqrt(far) : 0.5 * (near + far);
    double x = in + dir * d;
    if (sign_at(r, x, z) == s)
      far = d;
    else
      near = d;
    d = i == 0 ? far == d ? 0.82 * d : 2 * d : 0;
  }
  double x = in + dir * far;
  return dir > 0 ? brink__min(x, out) : brink__max(x, out);
}

/* The five points that settle an ordinary root, evaluated side by side: the iterate,
 * its neighbours at w, and two points at `reach` that should be out of the band. */
static int settle(const brink__ready *r, bracket *k, double x, double w, double reach,
                  double zero, brink__root *out)
{
  enum { POINTS = 6 };
  const brink__poly *p = &r->p;
  double at[POINTS] = {x, x - w, x + w, x - reach, x + reach, x};
  double v[POINTS], wide = brink__max(w, reach);

  if (x - wide < k->lo || x + wide > k->hi || p->form != BRINK__MONOMIAL)
    return 0;
  for (int j = 0; j < POINTS; j++)
    v[j] = p->c[p->degree];
  for (int i = p->degree - 1; i >= 0; i--)
    for (int j = 0; j < POINTS; j++)
      v[j] = v[j] * at[j] + p->c[i];

  int before = is_before(v[0], k->s);
  if (is_before(before ? v[2] : v[1], k->s) == before)
    return 0;
  if (v[3] * k->s <= zero || v[4] * k->s >= -zero)
    return 0;
  out->lo = before ? x : at[1];
  out->hi = before ? at[2] : x;
  out->band_lo = brink__min(at[3], out->lo);
  out->band_hi = brink__max(at[4], out->hi);
  return 1;
}

/* ------------------------------------------------------------ results ---- */

#define MARGIN 1.0001 /* how far to the right: changes A(x) by n parts in 10^4    */
#define REACH  1.5    /* bands from the root where |p| must have left the band   */

void brink__refine_crossing(const brink__ready *r, double lo, double hi, int s,
                            double x, brink__zone z, brink__root *out)
{
  bracket k = {lo, hi, s};
  double slope = 0;

  *out = (brink__root){.kind = BRINK__CROSSING, .sign_before = s, .sign_after = -s};
  x = iterate(r, &k, x, &slope);
  double w = brink__max(0.5 * r->tol, brink__spacing(&r->p, x));

  /* the band a little to the right bounds that at all points to be settled */
  bracket whole = {lo, hi, s};
  double zero = brink__zone_at(r, z, x * MARGIN);
  double reach = REACH * zero / fabs(slope) + brink__spacing(&r->p, x);
  if (x + reach <= x * MARGIN && settle(r, &whole, x, w, reach, zero, out))
    return;

  gallop(r, &k, x, w);
  out->lo = k.lo;
  out->hi = k.hi;
  out->band_lo = brink__min(brink__refine_edge(r, k.lo, lo, s, z), k.lo);
  out->band_hi = brink__max(brink__refine_edge(r, k.hi, hi, -s, z), k.hi);
}

double brink__refine_touch(const brink__ready *r, double lo, double hi, int s)
{
  bracket falling = {lo, hi, 1}, dip = {lo, hi, s};
  double best = lo, least = HUGE_VAL;

  /* to where s p stops falling */
  for (int i = 0; i < BISECTIONS; i++) {
    double x = middle(r, falling.lo, falling.hi);
    double v = fabs(brink__value(&r->p, x));
    if (v < least)
      least = v, best = x;
    if (!(x > falling.lo && x < falling.hi))
      break;
    take(&falling, x, -s * brink__poly_slope(&r->p, x));
  }

  /* it dipped below zero: the least |p| is where it got there */
  if (brink__value(&r->p, falling.hi) * s < 0) {
    dip.hi = falling.hi;
    bisect(r, &dip);
    return dip.lo;
  }
  return best;
}
