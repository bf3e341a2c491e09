/* linear/krylov.h -- large sparse systems (c I - J) x = b by iteration.
 *
 * Several matrices with the same J and their own complex c.  A matrix is prepared by an
 * incomplete factorisation in its own pattern; a system is solved until its error is a
 * small part of the solution, measured in weights.  That takes few iterations where
 * what J couples far away is not much larger than c, as in an implicit step over
 * diffusion on a grid, and work and memory are then proportional to the entries of J.
 *
 *   brink__krylov *k;
 *   brink__krylov_new(ctx, symbolic, 1 + n_complex, weight, &k);
 *   if (brink__krylov_prepare(k, q, J, re, im) && brink__krylov_solve(k, q, x, y))
 *     ...
 *   brink__krylov_free(k);
 */
#ifndef BRINK_KRYLOV_H
#define BRINK_KRYLOV_H

#include "linear/linear.h"

typedef struct brink__krylov brink__krylov;

/* symbolic: of J with a whole diagonal.  weight: [n] what an unknown may be wrong by,
 * read by solve; NULL: all alike.  Both must last as long as the object. */
brink_status brink__krylov_new(brink_ctx *ctx, const brink__symbolic *symbolic,
                               int n_matrices, const double *weight,
                               brink__krylov **out);
void brink__krylov_free(brink__krylov *k);

/* Take over the matrices of an object with the same symbolic one and as many. */
void brink__krylov_copy(brink__krylov *to, const brink__krylov *from);
void brink__krylov_forget(brink__krylov *k);

/* Prepare matrix q, (re + i im) I - J; J: [nnz].  With matrix 0 a new J begins, which
 * is the same for all others; it must come first.  0: a pivot is missing.  Does not
 * allocate. */
int brink__krylov_prepare(brink__krylov *k, int q, const double *J, double re,
                          double im);

/* Was it prepared?  With what, and the J of all. */
int brink__krylov_shift(const brink__krylov *k, int q, double *re, double *im);
void brink__krylov_jacobian(const brink__krylov *k, double *J);

/* Solve: x + i y, y NULL where everything is real.  0: not in as many iterations as are
 * made, and x and y are as they were.  Does not allocate. */
int brink__krylov_solve(brink__krylov *k, int q, double *x, double *y);

#endif /* BRINK_KRYLOV_H */
