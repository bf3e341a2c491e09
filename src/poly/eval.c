/* eval.c -- values, slopes, noise and ranges of polynomials on [0, 1].
 *
 * Monomials by Horner's rule; its error is at most 2n u sum |c_k| x^k
 * [Higham02, 5.1].  Chebyshev sums by powers of z = exp(i theta), x =
 * cos^2((pi - theta)/2): T_k = Re z^k.  Unlike Clenshaw's recurrence this loses only
 * about 5k u on T_k everywhere, also at the ends, and the bound needs no case
 * distinction; the price is two more multiplications per term.
 */
#include "core/core.h"
#include "poly/inner.h"

#include <stddef.h>

/* ------------------------------------------------------------ values ---- */

/* Outside [0, 1] theta is imaginary: by T_k = 2t T_{k-1} - T_{k-2}, which is stable
 * there. */
static double chebyshev_beyond(int n, const double *c, double t)
{
  double now = t, before = 1, sum = c[0];

  for (int k = 1; k <= n; k++) {
    sum += c[k] * now;
    double next = 2 * t * now - before;
    before = now;
    now = next;
  }
  return sum;
}

/* z = cos theta + i sin theta with cos theta = 2x - 1 = x - y, sin^2 theta = 4xy */
double brink__chebyshev_at(int n, const double *c, double x, double y)
{
  if (x * y < 0)
    return chebyshev_beyond(n, c, x - y);
  double re = x - y, im = 2 * sqrt(x * y);
  double zr = re, zi = im, sum = c[0];

  for (int k = 1; k < n; k++) {
    sum += c[k] * zr;
    double next = zr * re - zi * im;
    zi = zr * im + zi * re;
    zr = next;
  }
  return n > 0 ? sum + c[n] * zr : sum;
}

/* a little outside of [0, 1], where there is no theta: T_k+1 = 2 t T_k - T_k-1 */
static double chebyshev_outside(int n, const double *c, double x)
{
  double t = 2 * x - 1, now = t, before = 1, sum = c[0];

  for (int k = 1; k <= n; k++) {
    sum += c[k] * now;
    double next = 2 * t * now - before;
    before = now;
    now = next;
  }
  return sum;
}

double brink__poly_eval(const brink__poly *p, double x)
{
  if (p->form == BRINK__CHEBYSHEV && (x < 0 || x > 1))
    return chebyshev_outside(p->degree, p->c, x);
  return brink__value(p, x);
}

/* T_k' = k U_{k-1}, and d(2x-1)/dx = 2 */
static double chebyshev_slope(int n, const double *c, double x)
{
  double t = 2 * x - 1, u0 = 1, before = 0, sum = 0;

  for (int k = 1; k <= n; k++) {
    sum += k * c[k] * u0;
    double next = 2 * t * u0 - before;
    before = u0;
    u0 = next;
  }
  return 2 * sum;
}

double brink__poly_slope(const brink__poly *p, double x)
{
  if (p->form == BRINK__CHEBYSHEV)
    return chebyshev_slope(p->degree, p->c, x);
  return brink__horner_derivative(p->degree, p->c, 1, x);
}

/* n + 4 roundings in the sum and the product, 8k in z^k (z itself is good to 4u) */
double brink__chebyshev_noise(int n, const double *c)
{
  double sum = 0;
  for (int k = 0; k <= n; k++)
    sum += fabs(c[k]) * (n + 4 + 8 * k);
  return sum * BRINK__U;
}

double brink__poly_noise(const brink__poly *p, double x)
{
  if (p->form == BRINK__CHEBYSHEV)
    return brink__chebyshev_noise(p->degree, p->c);
  return brink__horner_noise(p->degree) * brink__amplitude(p->degree, p->c, x) +
         2 * p->degree * 0x1p-1074;
}

double brink__poly_bound(const brink__poly *p, double x)
{
  return p->delta + brink__poly_noise(p, x);
}

/* ------------------------------------------------------- derivatives ---- */

void brink__taylor_shift(int n, double *c, double a)
{
  for (int j = 0; j < n; j++)
    for (int k = n - 1; k >= j; k--)
      c[k] += a * c[k + 1];
}

int brink__poly_derivative(const brink__poly *p, double *dc)
{
  int n = p->degree;

  dc[0] = 0;
  if (n < 1)
    return 0;
  if (p->form == BRINK__MONOMIAL) {
    for (int k = 1; k <= n; k++)
      dc[k - 1] = k * p->c[k];
    return n - 1;
  }

  /* d_{k-1} = d_{k+1} + 2k c_k, d_0 halved; doubled because t = 2x - 1 */
  for (int k = n; k >= 1; k--)
    dc[k - 1] = (k + 1 <= n - 1 ? dc[k + 1] : 0) + 4 * k * p->c[k];
  dc[0] /= 2;
  return n - 1;
}

/* --------------------------------------------------- subintervals ---- */

/* c_k w^k after the Taylor shift by a: repeated synthetic division */
static double monomial_restrict(int n, const double *from, double a, double b,
                                double *c)
{
  double w = b - a, power = 1;

  for (int k = 0; k <= n; k++)
    c[k] = from[k];
  if (a != 0)
    brink__taylor_shift(n, c, a);
  for (int k = 0; k <= n; k++, power *= w)
    c[k] *= power;

  /* 2n roundings in the shift, 2k + 2 in the scaling; a + w s is b within one more */
  return (5 * n + 4) * BRINK__U * brink__amplitude(n, from, b) + BRINK__TINY;
}

double brink__poly_restrict(const brink__poly *p, double a, double b, double *c)
{
  if (p->form == BRINK__CHEBYSHEV)
    return brink__chebyshev_restrict(p->degree, p->c, a, b, c);
  return monomial_restrict(p->degree, p->c, a, b, c);
}

double brink__poly_bernstein(const brink__poly *p, double a, double b, double *coeff)
{
  double c[BRINK__COEFFS];
  int n = p->degree;
  double err = brink__poly_restrict(p, a, b, c);

  if (p->form == BRINK__CHEBYSHEV)
    return err + brink__bernstein_of_chebyshev(n, c, coeff);
  brink__bernstein_of_monomial(n, c, coeff);
  return err + brink__bernstein_noise(n) * 2 * brink__amplitude(n, p->c, b);
}

brink__range brink__poly_range(const brink__poly *p, double a, double b)
{
  double c[BRINK__COEFFS];
  int n = p->degree;
  brink__range r;

  if (p->form == BRINK__MONOMIAL) {
    double err = p->delta + brink__poly_bernstein(p, a, b, c);
    r = (brink__range){c[0], c[0]};
    for (int i = 1; i <= n; i++) {
      r.lo = brink__min(r.lo, c[i]);
      r.hi = brink__max(r.hi, c[i]);
    }
    return (brink__range){r.lo - err, r.hi + err};
  }

  double radius = p->delta + brink__poly_restrict(p, a, b, c);
  for (int k = 1; k <= n; k++)
    radius += fabs(c[k]);
  radius += (n + 2) * BRINK__U * (radius + fabs(c[0]));
  return (brink__range){c[0] - radius, c[0] + radius};
}

int brink__poly_trim(int degree, const double *c, double tol, double *dropped)
{
  double sum = 0;

  while (degree > 0 && sum + fabs(c[degree]) <= tol)
    sum += fabs(c[degree--]);
  if (dropped)
    *dropped = sum;
  return degree;
}
