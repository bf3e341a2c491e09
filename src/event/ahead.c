/* ahead.c -- which guards need not be looked at ahead of a step.
 *
 * The polynomial that a guard had along the last step, carried on over the next one,
 * says for most guards of a large model that they will not come near zero: then nobody
 * has to expand them along the predicted step [EK07, 2.4 looks at each].  The
 * polynomials are kept as the locator finds them and looked at only if the step stands,
 * because after an event they are worth nothing.
 *
 * On [1, 1 + reach] the quadratic part is compared with a bound of all the rest: powers
 * and Chebyshev polynomials grow monotonically there.  What is below the rounding of
 * the polynomial counts for nothing, for this is a look ahead and proves nothing.
 */
#include "event/guards.h"

#include <math.h>

/* The least of sign (a + b u + c u^2) on [lo, hi]. */
static double least(double a, double b, double c, double lo, double hi, int sign)
{
  double first = sign * (a + (b + c * lo) * lo), last = sign * (a + (b + c * hi) * hi);
  double low = brink__min(first, last), top = b + 2 * c * lo;

  /* the vertex lies inside if the slope changes its sign */
  if (top * (b + 2 * c * hi) < 0)
    low = brink__min(low, sign * (a - 0.25 * b * b / c));
  return low;
}

static double weight(double c, double delta) { return brink__max(fabs(c) - delta, 0); }

/* x: 1 + reach; grown: T_j(2x - 1). */
static int is_clear(const brink__kept *p, double x, const double *grown, int sign)
{
  const double *c = p->c;
  double rest = 0, c1 = p->degree > 0 ? c[1] : 0, c2 = p->degree > 1 ? c[2] : 0;

  if (p->degree < 0)
    return 0;
  if (p->form == BRINK__MONOMIAL) {
    for (int j = p->degree; j >= 3; j--)
      rest = rest * x + weight(c[j], p->delta);
    return least(c[0], c1, c2, 1, x, sign) > rest * x * x * x + p->delta;
  }
  for (int j = 3; j <= p->degree; j++)
    rest += weight(c[j], p->delta) * grown[j];
  return least(c[0] - c2, c1, 2 * c2, 1, grown[1], sign) > rest + p->delta;
}

int brink__guards_ahead(brink__guards *g, double h)
{
  double grown[BRINK__NODES + 1];
  int open = 0;

  if (g->kept_h == 0) {
    for (int k = 0; k < g->n; k++)
      g->watch[k].clear = 0;
    return g->n;
  }
  double reach = h / g->kept_h, x = 1 + 2 * reach;
  grown[0] = 1;
  grown[1] = x;
  for (int j = 2; j <= BRINK__NODES; j++)
    grown[j] = 2 * x * grown[j - 1] - grown[j - 2];
  for (int k = 0; k < g->n; k++) {
    brink__watch *w = &g->watch[k];
    w->clear = w->sign == 0 || is_clear(&g->kept[k], 1 + reach, grown, w->sign);
    open += !w->clear;
  }
  return open;
}
