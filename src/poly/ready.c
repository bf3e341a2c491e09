/* ready.c -- a polynomial made ready for root finding: checked, trimmed, scaled; and
 * the cheapest test of all, whether |c_0| beats all other coefficients together. */
#include "core/core.h"
#include "poly/inner.h"

#include <stddef.h>

/* rescaled copy for magnitudes whose fourth powers would leave the range */
static int rescale(brink__ready *r, double *copy)
{
  double most = 0;
  int n = r->p.degree;

  for (int k = 0; k <= n; k++) {
    if (!isfinite(r->p.c[k]))
      return 0;
    most = brink__max(most, fabs(r->p.c[k]));
  }
  if (most == 0)
    return 1;
  int e = -ilogb(most);
  for (int k = 0; k <= n; k++)
    copy[k] = scalbn(r->p.c[k], e);
  r->p.c = copy;
  r->p.delta = scalbn(r->p.delta, e);
  r->sum = 0;
  for (int k = 0; k <= n; k++)
    r->sum += fabs(copy[k]);
  return 1;
}

int brink__ready_make(brink__ready *r, const brink__poly *p, double from, double tol,
                      double *copy)
{
  int n = p->degree;

  if (n < 0 || n > BRINK__POLY_MAX_DEGREE || !(p->delta >= 0) || !isfinite(from) ||
      !isfinite(tol))
    return 0;
  while (n > 0 && p->c[n] == 0)
    n--;
  r->p = *p;
  r->p.degree = n;
  r->from = from > 0 ? from : 0;
  r->tol = tol;
  r->sum = 0;
  for (int k = 0; k <= n; k++)
    r->sum += fabs(p->c[k]);
  if (!(r->sum < 0x1p200 && r->sum > 0x1p-200) && !rescale(r, copy))
    return 0;
  r->noise = p->form == BRINK__MONOMIAL ? brink__horner_noise(n)
                                        : brink__chebyshev_noise(n, r->p.c);
  return 1;
}

int brink__ready_outside(const brink__ready *r, int *sign)
{
  double c0 = r->p.c[0], rest = r->sum - fabs(c0);
  double loss = (2 * r->p.degree + 8) * BRINK__U * r->sum; /* in rest */
  double noise = r->p.form == BRINK__MONOMIAL ? r->noise * r->sum : r->noise;

  *sign = c0 > 0 ? 1 : -1;
  return fabs(c0) - rest > r->p.delta + noise + loss + BRINK__TINY;
}
