/* linear/sparse_lu.h -- factors of sparse matrices with a given order of pivots.
 *
 * Real and complex matrices with the same pivots share a pattern; each has its own
 * numbers.  A complex number is two doubles, one after the other.
 *
 *   brink__lu_pattern p;                     // from the places that pivots.c found
 *   brink__lu_pattern_new(ctx, &places, &p);
 *   brink__lu_numbers a;
 *   brink__lu_numbers_new(ctx, &p, 1, &a);   // 2: complex
 *   brink__lu_matrix m = {...};
 *   brink__lu_factor_sparse(s, &p, &m, &a, work, &verdict);
 *   brink__lu_solve_sparse(s, &p, &a, scale, work, x, NULL);
 */
#ifndef BRINK_SPARSE_LU_H
#define BRINK_SPARSE_LU_H

#include "linear/linear.h"

/* Columns of a panel, and so many numbers of each row are kept side by side while a
 * panel is computed: two or four registers of vectors. */
enum { BRINK__PANEL = 4 };

/* L and U as a factorisation by columns finds them, rows and columns numbered by
 * pivots: the rows of a column increase, its diagonal is the first element of L and the
 * last one of U. */
typedef struct brink__lu_places {
  size_t n;
  const int32_t *l_start, *l_row, *u_start, *u_row; /* [n + 1], [l_start[n]], ...     */
  const int32_t *pivot;                             /* [n] row of pivot k             */
} brink__lu_places;

/* The matrix to be factored: entry k of the symbolic object times the scale of its row,
 * and `im` in the imaginary parts of the first n_im diagonal elements. */
typedef struct brink__lu_matrix {
  const double *entry; /* [nnz]                                                       */
  const double *scale; /* [n]                                                         */
  double im;
  size_t n_im;
} brink__lu_matrix;

typedef struct brink__lu_verdict {
  double least;    /* given: a pivot of so many roundings counts as zero              */
  size_t singular; /* column without a pivot, where the answer is BRINK_EDOMAIN       */
  double margin;   /* smallest ratio of a pivot and what is above it, at most 1       */
} brink__lu_verdict;

brink_status brink__lu_pattern_new(brink_ctx *ctx, const brink__lu_places *from,
                                   brink__lu_pattern *out);
brink_status brink__lu_pattern_copy(brink_ctx *ctx, const brink__lu_pattern *from,
                                    brink__lu_pattern *to);

/* parts: 1 for real numbers, 2 for complex ones. */
brink_status brink__lu_numbers_new(brink_ctx *ctx, const brink__lu_pattern *p,
                                   int parts, brink__lu_numbers *out);
brink_status brink__lu_numbers_copy(brink_ctx *ctx, const brink__lu_pattern *p,
                                    const brink__lu_numbers *from,
                                    brink__lu_numbers *to);

/* Doubles that the two functions below work with, zeros before and after. */
size_t brink__lu_work(size_t n, int parts);

/* BRINK_OK; BRINK_EDOMAIN: singular; BRINK_LIMIT: a pivot is too small beside the
 * elements below it.  Does not allocate. */
brink_status brink__lu_factor_sparse(const brink__symbolic *s,
                                     const brink__lu_pattern *p,
                                     const brink__lu_matrix *m,
                                     const brink__lu_numbers *a, double *work,
                                     brink__lu_verdict *verdict);

/* x, or x + i y where the numbers are complex: right-hand side, then solution. */
void brink__lu_solve_sparse(const brink__symbolic *s, const brink__lu_pattern *p,
                            const brink__lu_numbers *a, const double *scale,
                            double *work, double *x, double *y);

#endif /* BRINK_SPARSE_LU_H */
