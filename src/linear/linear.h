/* linear/linear.h -- dense linear systems of the size of algebraic loops.
 *
 * Matrices are row-major, in the caller's memory; nothing allocates.  For tens of
 * unknowns; cost n^3/3.
 */
#ifndef BRINK_LINEAR_H
#define BRINK_LINEAR_H

#include <stddef.h>

/* Factor a[n][n] in place with row pivots, after scaling rows to a largest element
 * of 1.  Returns n, or the first column whose pivot is zero to rounding (the matrix
 * is singular; the factors are not to be used).  scale: [n]. */
size_t brink__lu_factor(size_t n, double *a, int *pivot, double *scale);

/* Solve with those factors; x holds the right-hand side, then the solution. */
void brink__lu_solve(size_t n, const double *a, const int *pivot, const double *scale,
                     double *x);

/* The smallest x with a x = b, a[m][n] (destroyed): Householder QR of the transpose
 * with pivoting.  Rows that depend on others to rounding are left
 * out; returns the number of independent ones and lists the rows in that order in
 * row[m].  work: [2 m + n]. */
size_t brink__least_norm(size_t m, size_t n, double *a, const double *b, double *x,
                         int *row, double *work);

#endif /* BRINK_LINEAR_H */
