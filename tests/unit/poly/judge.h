/* judge.h -- does a list of roots tell the truth about a polynomial?  Every claim of
 * brink__root is checked against exact arithmetic. */
#ifndef BRINK_TEST_JUDGE_H
#define BRINK_TEST_JUDGE_H

#include "exact.h"

typedef struct tally {
  long polys, roots, crossings, touches, starts, ends, everywhere, true_roots, merged;
} tally;

/* Finds the roots of p in [from, 1] and checks them: fails the test with a printout
 * of the polynomial if anything is wrong.  sturm: also prove that no root of p lies
 * outside the bands.  Adds to *t. */
void judge(exact *e, const brink__poly *p, double from, double tol, int sturm,
           tally *t);

#endif /* BRINK_TEST_JUDGE_H */
