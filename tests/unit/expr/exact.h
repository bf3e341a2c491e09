/* exact.h -- expressions in multiple precision: what the tape is compared with.
 *
 * Values come from MPFR with EXACT_BITS bits.  Taylor coefficients come from divided
 * differences of such values at t = 0, h, 2h, ... with h = 2^-EXACT_STEP: no
 * recurrence of the library is used, and the error is O(h).  All t are >= 0, as the
 * jets at a kink are for t > 0. */
#ifndef BRINK_TEST_EXACT_H
#define BRINK_TEST_EXACT_H

#include <mpfr.h>

#include "expr/expr.h"

enum { EXACT_BITS = 2000, EXACT_STEP = 100, EXACT_ORDER = 12 };

/* r = op(a, b, c); NaN where it has no value.  r may be an operand. */
void exact_apply(brink__op op, mpfr_t r, mpfr_t a, mpfr_t b, mpfr_t c);

/* coefficients 0 .. order of the root, where symbol i is
 * sum_k coeff[i*(order+1) + k] t^k; returns 0 if it has no value */
int exact_jet(const brink__graph *g, brink__node root, int n_symbols,
              const double *coeff, int order, double *out);

/* the root at the values x; err (may be NULL): how far `near` is from it, rounded up.
 * NaN if it has no value. */
double exact_value(const brink__graph *g, brink__node root, int n_symbols,
                   const double *x, double near, double *err);

/* Is the root, not rounded, in [lo, hi]? */
int exact_between(const brink__graph *g, brink__node root, int n_symbols,
                  const double *x, double lo, double hi);

#endif /* BRINK_TEST_EXACT_H */
