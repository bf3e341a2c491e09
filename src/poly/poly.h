/* poly/poly.h -- polynomials on [0, 1]: values, bounds, all real roots.
 *
 * A polynomial is borrowed: form, degree (at most 100), coefficients, and delta, the
 * rounding bound its maker vouches for.  Nothing here allocates or keeps state.
 *
 * Zero has a width.  bound(x) = delta + what evaluating p at x can lose to rounding
 * (brink__poly_bound).  Where |p| > bound the sign of the computed value is the sign
 * of p; where |p| <= bound there is no sign.  A stretch of x without a sign is ONE
 * root, whatever p does inside it: a CROSSING if the signs on its two sides differ, a
 * TOUCH if they are equal, AT_START or AT_END if it reaches an end of [from, 1],
 * EVERYWHERE if it reaches both.  So a double root is a touch, a triple root a
 * crossing, and two crossings with a hump between them that does not leave the band
 * are a touch.  Isolation carries its own rounding bound, a small multiple of that
 * of evaluation; between bound and that multiple (BRINK__BAND_FUZZ) a hump or a dip
 * may be counted either way, but a true zero of p always lies in a reported band.
 *
 * For monomials the bound is local, sum |c_k| x^k and not sum |c_k|, so zeros near
 * x = 0 are told apart at their own scale: -1e-17 + 1.8 x - 4.9 x^2 crosses twice.
 * For Chebyshev sums it is one number, and x is resolved to 2^-53 absolutely.
 *
 * The method is exclusion by bounds, Bernstein coefficients and Descartes' rule of
 * signs with subdivision [MRR05, 2], [LR81],
 * then a bracketed Halley or Newton iteration; Chebyshev sums are halved until their
 * Bernstein coefficients are no larger than the sum itself.
 *
 * Work is bounded: at most 2000 + 200 n subintervals of n^2/2 averages each, and at
 * most 600 evaluations per root.  If that or the storage for pending subintervals
 * runs out (no natural input does it), *complete = 0 and the roots before that place
 * are returned.  The stack needed is at most 110 KB.
 */
#ifndef BRINK_POLY_H
#define BRINK_POLY_H

enum { BRINK__POLY_MAX_DEGREE = 100, BRINK__BAND_FUZZ = 128 };

typedef enum brink__poly_form { BRINK__MONOMIAL, BRINK__CHEBYSHEV } brink__poly_form;

/* p on [0,1]: monomial sum c_k x^k, or Chebyshev sum c_k T_k(2x-1). */
typedef struct brink__poly {
  brink__poly_form form;
  int degree;
  const double *c; /* [degree + 1]                                           */
  double delta;    /* caller's rounding bound of the values, >= 0; the room
                      adds its own evaluation bound                          */
} brink__poly;

/* ------------------------------------------------------------ values ---- */

/* sum c_k x^k, k = 0..n, at any x, by Horner's rule.  In the header, because locators
 * spend their time here; degree four, that of dopri5's steps, is written out. */
static inline double brink__horner(int n, const double *c, double x)
{
  if (n == 4)
    return (((c[4] * x + c[3]) * x + c[2]) * x + c[1]) * x + c[0];
  double v = c[n];
  for (int k = n - 1; k >= 0; k--)
    v = v * x + c[k];
  return v;
}

/* The derivative of order m >= 0 of the same sum, at any x; the slope of degree four,
 * which every event of a step asks for, is written out with the same operations. */
static inline double brink__horner_derivative(int n, const double *c, int m, double x)
{
  double v = 0;

  if (n == 4 && m == 1)
    return ((4 * c[4] * x + 3 * c[3]) * x + 2 * c[2]) * x + c[1];

  for (int k = n; k >= m; k--) {
    double factor = 1;
    for (int j = 0; j < m; j++)
      factor *= k - j;
    v = v * x + factor * c[k];
  }
  return v;
}

/* The same sum about a instead of 0: c becomes the coefficients of (x - a)^k. */
void brink__taylor_shift(int n, double *c, double a);

/* p at x; a little outside [0, 1] too */
double brink__poly_eval(const brink__poly *p, double x);

/* dp/dx at x, to rounding of the terms */
double brink__poly_slope(const brink__poly *p, double x);

/* |brink__poly_eval(p, x) - p(x)| <= noise, for x in [0, 1] */
double brink__poly_noise(const brink__poly *p, double x);

/* delta + noise: the half width of zero at x */
double brink__poly_bound(const brink__poly *p, double x);

/* Coefficients of dp/dx in the form of p: max(degree, 1) of them in dc; returns the
 * degree. */
int brink__poly_derivative(const brink__poly *p, double *dc);

/* Coefficients c[degree + 1] of q(s) = p(a + (b - a) s), 0 <= a < b <= 1, in the form
 * of p.  Returns a bound of |q - p| over the values on [a, b]. */
double brink__poly_restrict(const brink__poly *p, double a, double b, double *c);

typedef struct brink__range {
  double lo, hi;
} brink__range;

/* Guaranteed enclosure of the values of p on [a, b] in [0, 1], rounding and delta
 * included. */
brink__range brink__poly_range(const brink__poly *p, double a, double b);

/* Least degree m such that sum_{k > m} |c_k| <= tol; that sum goes to *dropped (may
 * be NULL).  On [0, 1] it bounds the change of the values, in either form. */
int brink__poly_trim(int degree, const double *c, double tol, double *dropped);

/* --------------------------------------------------------- chebyshev ---- */

/* The n + 1 points (1 - cos(pi j / n)) / 2, increasing from 0 to 1; those of n are
 * every second one of 2n.  n >= 1. */
void brink__chebyshev_points(int n, double *x);

/* Coefficients of the interpolant through v[j] at those points; n <= 100. */
void brink__chebyshev_fit(int n, const double *v, double *c);

/* Has the series come down to its noise plateau?  noise: rounding bound of the
 * samples.  Yes: the degree to keep (the dropped sum in *dropped, add it to delta);
 * no: -1.  Wants at least max(3, n / 4) last coefficients on the plateau. */
int brink__chebyshev_converged(int n, const double *c, double noise, double *dropped);

/* --------------------------------------------------------- bernstein ---- */

/* b_i, i = 0..n, such that p(a + (b-a) s) = sum_i b_i C(n,i) s^i (1-s)^(n-i).  Returns
 * a bound of the error of the values that sum takes. */
double brink__poly_bernstein(const brink__poly *p, double a, double b, double *coeff);

/* Monomial coefficients in s of a Bernstein sum; for small degrees. */
void brink__bernstein_to_monomial(int n, const double *coeff, double *c);

/* ------------------------------------------------------------- roots ---- */

typedef enum brink__root_kind {
  BRINK__CROSSING,  /* signs differ outside the band                       */
  BRINK__TOUCH,     /* signs equal outside the band                        */
  BRINK__AT_START,  /* in the band at `from`: sign_before = 0              */
  BRINK__AT_END,    /* still in the band at 1: sign_after = 0, undecided   */
  BRINK__EVERYWHERE /* in the band on all of [from, 1]                     */
} brink__root_kind;

/* lo, hi of a
 *   crossing    brink__poly_eval at lo has sign_before or is 0, at hi has sign_after;
 *               hi - lo <= max(tol, 4 ulp) (Chebyshev: ulp of 1)
 *   touch       lo = hi, the point of least |p| found in the band
 *   at start    lo = from, hi = the first point outward with |p| > bound, or at most
 *               a quarter farther from `from`
 *   at end      lo = the last point with |p| > bound, with the same slack, hi = 1
 *   everywhere  from, 1                                                            */
typedef struct brink__root {
  brink__root_kind kind;
  double lo, hi;
  double band_lo, band_hi;     /* encloses the stretch with |p| <= bound      */
  int sign_before, sign_after; /* -1, 0, +1                            */
} brink__root;

/* All roots in [from, 1], in order.  tol: absolute bracket width wanted in x, 0 = the
 * last bit.  Returns the number found (at most cap); *complete = 0 if there are more
 * (those returned are the first ones).  Coefficients, from or tol that are not finite,
 * a delta that is NaN or negative, or a degree outside 0..100: none found and *complete
 * = 0.  An infinite delta is a band that holds everything.  from < 0 counts as 0; from
 * > 1 leaves nothing to search. */
int brink__poly_roots(const brink__poly *p, double from, double tol, brink__root *out,
                      int cap, int *complete);

/* The quick answer for a monomial sum that is monotone or bends one way on [0, 1]:
 * 1 = exactly one crossing in [from, 1], in *out as brink__poly_roots would have it;
 * 0 = certainly no zero, nowhere inside the band, the sign in out->sign_after;
 * -1 = not decided at this price. */
int brink__poly_bend(const brink__poly *p, double from, double tol, brink__root *out);

/* Quick test: 1 = certainly no zero (and nowhere inside the band) in [from, 1], with
 * the sign in *sign.  0 = not decided at this price. */
int brink__poly_excluded(const brink__poly *p, double from, int *sign);

/* The first zero on (0, 1], touches too, within tol; 2 if there is none. */
double brink__poly_first_root(const brink__poly *p, double tol);

#endif /* BRINK_POLY_H */
