/* linear/shifted_set.h -- the matrices c M - J of one step of an implicit method: one
 * with a real c and some with complex ones, all with the same J.
 *
 * M and J are as in shifted.h.  The pattern of J decides, once, how they are factored:
 * as full matrices or as a band (shifted.c), or as sparse ones with an order by AMD
 * (sparse_lu.h), whatever takes the least work.  Without AMD nothing is sparse.
 * Systems whose elimination would fill much are iterated (krylov.h).
 *
 *   brink__shifted_set *set;
 *   brink__shifted_set_new(ctx, &(brink__shifted_spec){...}, &set);
 *   if (brink__shifted_set_factor(set, 0, J, c, 0) == BRINK_OK)
 *     brink__shifted_set_solve(set, 0, x, NULL);
 *   brink__shifted_set_free(set);
 *
 * Full matrices and bands have all their memory from the beginning.  Factors of sparse
 * ones are as large as elimination makes them: their memory is taken when a matrix is
 * factored first, and when pivots have become too small and are chosen anew.
 */
#ifndef BRINK_SHIFTED_SET_H
#define BRINK_SHIFTED_SET_H

#include "core/core.h"

typedef struct brink__shifted_set brink__shifted_set;

typedef enum brink__shifted_kind {
  BRINK__SHIFTED_FULL,
  BRINK__SHIFTED_BAND,
  BRINK__SHIFTED_SPARSE
} brink__shifted_kind;

typedef struct brink__shifted_spec {
  size_t n, n_mass;
  size_t nnz;
  const int32_t *row, *col; /* [nnz] places of J, by columns; they must last as long as
                               the set.  NULL: all places                            */
  int n_complex;            /* matrices with a complex c                             */
  const double *weight;     /* [n] what an unknown may be wrong by, as long as the set;
                               NULL: all alike                                       */
} brink__shifted_spec;

/* On failure *out is NULL, and the context has the sentence. */
brink_status brink__shifted_set_new(brink_ctx *ctx, const brink__shifted_spec *spec,
                                    brink__shifted_set **out);
void brink__shifted_set_free(brink__shifted_set *set);

/* Forget all factors and pivots; and take over those of another set with the same
 * pattern: what follows is then the same to the last bit.  A copy that finds no memory
 * has no factors, and says so. */
void brink__shifted_set_forget(brink__shifted_set *set);
brink_status brink__shifted_set_copy(brink__shifted_set *to,
                                     const brink__shifted_set *from);

brink__shifted_kind brink__shifted_set_kind(const brink__shifted_set *set);

/* Are systems iterated?  Not any more where that has not converged. */
int brink__shifted_set_iterates(const brink__shifted_set *set);

/* Factor (re + i im) M - J as matrix number q; 0 is the real one, and comes first.  J:
 * [nnz].
 * BRINK_EDOMAIN: it is singular, or not finite; BRINK_ENOMEM. */
brink_status brink__shifted_set_factor(brink__shifted_set *set, int q, const double *J,
                                       double re, double im);

/* Solve with matrix q: x, and x + i y for q > 0, hold the right-hand side, then the
 * solution; where systems are iterated, it is exact to a small part of itself.  Does
 * not allocate, unless an iteration does not converge: then the matrices are
 * eliminated, which may fail like brink__shifted_set_factor. */
brink_status brink__shifted_set_solve(brink__shifted_set *set, int q, double *x,
                                      double *y);

#endif /* BRINK_SHIFTED_SET_H */
