/* linear/full_lu.h -- factors of full matrices, real and complex.
 *
 * Element (i, j) is a[i * n + j]; complex matrices have real and imaginary parts apart.
 * The pivot of a column is its diagonal element, unless one below is so much larger
 * that an exchange is worth it.  The result is a function of the entries alone,
 * whatever the processor is.  Nothing allocates.
 */
#ifndef BRINK_FULL_LU_H
#define BRINK_FULL_LU_H

#include <stddef.h>
#include <stdint.h>

/* A diagonal element this many times smaller than the largest one below it is no pivot.
 * Rows that were scaled by powers of two have largest elements between 1/2 and 1: a row
 * that has nothing but its diagonal then keeps it, and its unknown is right to the last
 * bit, whatever the others are. */
#define BRINK__DIAGONAL 2.0

/* Factor in place; pivot: [n].  Returns n, or the first column without a pivot: the
 * matrix is singular, or not finite. */
size_t brink__full_factor(size_t n, double *a, int32_t *pivot);
size_t brink__full_factor_complex(size_t n, double *re, double *im, int32_t *pivot);

/* Solve; x, and x + i y, hold the right-hand side, then the solution. */
void brink__full_solve(size_t n, const double *a, const int32_t *pivot, double *x);
void brink__full_solve_complex(size_t n, const double *re, const double *im,
                               const int32_t *pivot, double *x, double *y);

#endif /* BRINK_FULL_LU_H */
