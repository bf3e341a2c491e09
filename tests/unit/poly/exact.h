/* exact.h -- a polynomial with double coefficients as exact integer data: signs and
 * the number of real roots in an interval by a Sturm chain, all in GMP integers.
 * Independent of the library: shares no code and no method with it. */
#ifndef BRINK_TEST_EXACT_H
#define BRINK_TEST_EXACT_H

#include <gmp.h>

#include "poly/poly.h"

enum { EXACT_MAX = BRINK__POLY_MAX_DEGREE + 1 };

typedef struct exact {
  int length;                            /* polynomials in the chain          */
  int degree[EXACT_MAX + 1];             /* chain[0] is a positive multiple   */
  mpz_t chain[EXACT_MAX + 1][EXACT_MAX]; /* of p                          */
  long shift;                            /* p = 2^shift chain[0]              */
} exact;

void exact_init(exact *e);
void exact_clear(exact *e);

/* p itself (its delta is ignored) */
void exact_set(exact *e, const brink__poly *p);

/* Sturm's chain of it, needed by exact_count */
void exact_sturm(exact *e);

/* sign and rounded value of p at x >= 0 */
int exact_sign(exact *e, double x);
double exact_value(exact *e, double x);

/* distinct real roots in (a, b]; neither end may be a root */
int exact_count(exact *e, double a, double b);

#endif /* BRINK_TEST_EXACT_H */
