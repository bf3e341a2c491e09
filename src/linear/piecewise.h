/* linear/piecewise.h -- continuous piecewise linear equations.
 *
 * F(z) = 0 for n unknowns, where k guards g_i(z) choose the piece: with side[i] the
 * sign of guard i,
 *
 *   F(z) = A z + b,   g(z) = C z + d,   A, b, C, d depending on side.
 *
 * F is continuous where a guard is 0.  Ideal diodes and switches in parametric form,
 * saturations and linear complementarity problems (z = max(s, 0), w = max(-s, 0)) are
 * of this kind.
 *
 *   brink__piecewise p = {.n = n, .k = k, .piece = mine};
 *   brink__piecewise_place(&p, memory);       // brink__piecewise_size(n, k) doubles
 *   p.z[..] = any point, p.unit[..] = the size of each unknown
 *   if (brink__piecewise_path(&p)) ... p.side, p.z
 */
#ifndef BRINK_PIECEWISE_H
#define BRINK_PIECEWISE_H

#include <stddef.h>

typedef struct brink__piecewise brink__piecewise;

struct brink__piecewise {
  size_t n, k;

  /* Write A, b, C, d of the piece that side chooses.  0: it has none. */
  int (*piece)(brink__piecewise *p);

  double *side; /* [k] -1 or 1: what piece() reads; at the end, the piece of z        */
  double *a;    /* [n][n] written by piece()                                          */
  double *b;    /* [n]                                                                */
  double *c;    /* [k][n]                                                             */
  double *d;    /* [k]                                                                */
  double *z;    /* [n] where the path begins, then where it is                        */
  double *unit; /* [n] the size of each unknown, > 0                                  */

  /* -- scratch of brink__piecewise_path -- */
  double *f0;     /* [n] F where the path begins                                      */
  double *matrix; /* [n][n + 1] A and f0, eliminated                                  */
  double *way;    /* [n + 1] direction of the path, lambda last                       */
  double *column; /* [n + 1] order of the columns                                     */
};

/* How many doubles the arrays take; put them there. */
size_t brink__piecewise_size(size_t n, size_t k);
void brink__piecewise_place(brink__piecewise *p, double *memory);

/* Follow F(z) = (1 - lambda) F(z0) from z0, lambda = 0, to lambda = 1.  1: z is a
 * solution, side its piece.  0: the path goes to infinity, F jumps, or there were too
 * many pieces.  Does not allocate. */
int brink__piecewise_path(brink__piecewise *p);

#endif /* BRINK_PIECEWISE_H */
