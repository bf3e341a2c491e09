/* structure/structure.h -- who can determine whom: matching, sorting, diagnosis.
 *
 * Rows are equations, columns are unknowns; the incidence says which unknowns an
 * equation could be solved for.  Everything here is about the pattern alone.
 *
 *   brink__match(ctx, &inc, col_of, row_of, &size)   maximum matching
 *   brink__blocks(ctx, n, start, to, &b)             strongly connected components
 *   brink__coarse(ctx, &inc, col_of, row_of, &e)     what is over- or undetermined
 *
 * Each takes scratch memory from the context and returns it.
 */
#ifndef BRINK_STRUCTURE_H
#define BRINK_STRUCTURE_H

#include "core/core.h"

/* Row i holds the columns col[start[i]] .. col[start[i + 1] - 1]. */
typedef struct brink__incidence {
  size_t n_rows, n_cols;
  const size_t *start; /* [n_rows + 1] */
  const int32_t *col;
} brink__incidence;

/* Enlarge the matching in col_of (the column of each row, -1: none) and row_of (the
 * row of each column) to a maximum one; a good start saves most of the work.  *size
 * becomes its size. */
brink_status brink__match(brink_ctx *ctx, const brink__incidence *inc, int32_t *col_of,
                          int32_t *row_of, size_t *size);

/* Strongly connected components of the graph i -> to[start[i]] ...: component c is
 * order[first[c]] .. order[first[c + 1] - 1], and every edge leads to the same
 * component or to an earlier one. */
typedef struct brink__components {
  int32_t *order; /* [n]     */
  size_t *first;  /* [n + 1] */
  size_t count;
} brink__components;

/* Fills the arrays that the caller provides in *out. */
brink_status brink__blocks(brink_ctx *ctx, size_t n, const size_t *start,
                           const int32_t *to, brink__components *out);

/* Coarse decomposition [DM58]: over[i] = 1 for the rows, bound[j] = 1 for the columns
 * that are reached from unmatched rows by alternating paths (too many equations for
 * these unknowns); under[j] = 1 for the columns, loose[i] = 1 for the rows reached
 * from unmatched columns (too few equations). */
typedef struct brink__excess {
  unsigned char *over, *loose;  /* [n_rows] */
  unsigned char *bound, *under; /* [n_cols] */
} brink__excess;

brink_status brink__coarse(brink_ctx *ctx, const brink__incidence *inc,
                           const int32_t *col_of, const int32_t *row_of,
                           brink__excess *out);

#endif /* BRINK_STRUCTURE_H */
