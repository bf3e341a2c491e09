/* poly/inner.h -- what the files of this room share and nobody else sees.
 *
 * u is the unit roundoff 2^-53.  A(x) is the amplitude that rounding scales with:
 * sum |c_k| x^k for monomials, 1 for Chebyshev sums (whose bounds are absolute).
 */
#ifndef BRINK_POLY_INNER_H
#define BRINK_POLY_INNER_H

#include <math.h>

#include "poly/poly.h"

#define BRINK__U 0x1p-53

/* what underflow may add to a value; far below any scaled coefficient */
#define BRINK__TINY 0x1p-1000

enum { BRINK__COEFFS = BRINK__POLY_MAX_DEGREE + 1 };

/* A polynomial made ready for root finding: degree trimmed of exact zeros, scaled by
 * a power of two so that products of two values neither overflow nor vanish. */
typedef struct brink__ready {
  brink__poly p;
  double from, tol;
  double noise; /* monomial: factor of A(x); Chebyshev: the whole noise */
  double sum;   /* sum |c_k| */
} brink__ready;

/* 0: not finite, or a degree out of range.  copy[BRINK__COEFFS] holds scaled
 * coefficients if need be and must outlive r. */
int brink__ready_make(brink__ready *r, const brink__poly *p, double from, double tol,
                      double *copy);

/* 1: outside the band on all of [0, 1], by |c_0| > sum of the others; *sign anyway */
int brink__ready_outside(const brink__ready *r, int *sign);

/* value of one Chebyshev sum at x, with y = 1 - x known to full relative accuracy */
double brink__chebyshev_at(int n, const double *c, double x, double y);

/* coefficients on the subinterval [a, b] by sampling; returns the error of values */
double brink__chebyshev_restrict(int n, const double *c, double a, double b,
                                 double *out);

double brink__chebyshev_noise(int n, const double *c);

/* The most common degree is written out here, in poly.h and in bend.c: guards of states
 * along the steps of dopri5.  The operations are those of the loop. */

/* sum |c_k| x^k */
static inline double brink__amplitude(int n, const double *c, double x)
{
  if (n == 4)
    return (((fabs(c[4]) * x + fabs(c[3])) * x + fabs(c[2])) * x + fabs(c[1])) * x +
           fabs(c[0]);
  double sum = fabs(c[n]);
  for (int k = n - 1; k >= 0; k--)
    sum = sum * x + fabs(c[k]);
  return sum;
}

static inline double brink__horner_noise(int n) { return (2 * n + 2) * BRINK__U; }

/* A band of zero: delta + eps A(max(x, at)).  Values from brink__value have eps =
 * r->noise and at = 0. */
typedef struct brink__zone {
  double eps, at;
} brink__zone;

static inline double brink__zone_at(const brink__ready *r, brink__zone z, double x)
{
  if (r->p.form == BRINK__MONOMIAL)
    z.eps *= brink__amplitude(r->p.degree, r->p.c, x > z.at ? x : z.at);
  return r->p.delta + z.eps + BRINK__TINY;
}

static inline double brink__value(const brink__poly *p, double x)
{
  return p->form == BRINK__MONOMIAL ? brink__horner(p->degree, p->c, x)
                                    : brink__chebyshev_at(p->degree, p->c, x, 1 - x);
}

static inline int brink__sign(double v, double bound)
{
  return (v > bound) - (v < -bound);
}

/* spacing of the doubles at x >= 0, or up to twice that; Chebyshev sums see 2x - 1 */
static inline double brink__spacing(const brink__poly *p, double x)
{
  return p->form == BRINK__MONOMIAL ? x * 0x1p-52 + 0x1p-1074 : 0x1p-52;
}

/* ------------------------------------------------------- bernstein.c ---- */

/* conversions on [0, 1]; the second returns the error bound of the values */
void brink__bernstein_of_monomial(int n, const double *c, double *b);
double brink__bernstein_of_chebyshev(int n, const double *c, double *b);

/* error bound of brink__bernstein_of_chebyshev alone: tells whether it pays */
double brink__bernstein_loss(int n, const double *c);

/* factor of A(x) that brink__bernstein_of_monomial loses */
static inline double brink__bernstein_noise(int n) { return (3 * n + 4) * BRINK__U; }

/* Halves of a Bernstein sum: b becomes the right one. */
void brink__bernstein_halve(int n, double *b, double *left);

/* The same at s = t; left may be NULL. */
void brink__bernstein_split(int n, double *b, double t, double *left);

/* -------------------------------------------------------- refine_root.c ---- */

/* Crossing inside [lo, hi], whose ends are known to be outside the band: sign `s` at
 * lo, -s at hi; x is a first guess.  Between lo and hi, p must leave the zone only
 * once on each side.  Fills *out. */
void brink__refine_crossing(const brink__ready *r, double lo, double hi, int s,
                            double x, brink__zone z, brink__root *out);

/* The nearest point to `in` found between in and out where p leaves the zone with
 * sign s, at most a quarter farther than the first; `out` itself is known to lie
 * beyond a single edge of the band, and is the answer if no other point qualifies. */
double brink__refine_edge(const brink__ready *r, double in, double out, int s,
                          brink__zone z);

/* The point of least |p| in [lo, hi], s = sign of p at both ends. */
double brink__refine_touch(const brink__ready *r, double lo, double hi, int s);

#endif /* BRINK_POLY_INNER_H */
