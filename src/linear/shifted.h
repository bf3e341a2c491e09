/* linear/shifted.h -- the systems (c M - J) x = b of implicit methods for M u' = F(t,
 * u).
 *
 * M is diagonal with `n_mass` ones, then zeros; J is a full or a banded matrix, c a
 * real or a complex number.  One plan serves all of them; a matrix has its factors in
 * memory of the caller, which may be copied.  Nothing allocates.
 *
 *   brink__shifted plan = ...;
 *   brink__shifted_plan(&plan, n, n_mass, nnz, row, col);
 *   double *real = ... brink__shifted_size(&plan, 0) bytes ...;
 *   if (brink__shifted_factor(&plan, J, c, real) == plan.n)
 *     brink__shifted_solve(&plan, real, x);
 *
 * Rows are scaled, so that their units do not matter, and exchanged where a pivot would
 * be small.  The result is a function of the entries alone.
 */
#ifndef BRINK_SHIFTED_H
#define BRINK_SHIFTED_H

#include <stddef.h>
#include <stdint.h>

typedef struct brink__shifted {
  size_t n, n_mass;
  size_t nnz;
  const int32_t *row,
      *col;            /* [nnz] places of the entries of J; NULL: all, by columns */
  size_t lower, upper; /* entries are at row - lower <= col <= row + upper        */
  size_t stride;       /* element (i, j) is a[i * stride + j + lower]             */
} brink__shifted;

/* row and col must last as long as the plan. */
void brink__shifted_plan(brink__shifted *p, size_t n, size_t n_mass, size_t nnz,
                         const int32_t *row, const int32_t *col);

/* Bytes of the factors of a matrix with real c, and with complex c. */
size_t brink__shifted_size(const brink__shifted *p, int is_complex);

/* Factor c M - J.  J: [nnz].  Returns n, or the first column without a pivot: the
 * matrix is singular, or not finite. */
size_t brink__shifted_factor(const brink__shifted *p, const double *J, double c,
                             void *factors);
size_t brink__shifted_factor_complex(const brink__shifted *p, const double *J,
                                     double re, double im, void *factors);

/* Solve; x, and x + i y, hold the right-hand side, then the solution. */
void brink__shifted_solve(const brink__shifted *p, const void *factors, double *x);
void brink__shifted_solve_complex(const brink__shifted *p, const void *factors,
                                  double *x, double *y);

#endif /* BRINK_SHIFTED_H */
