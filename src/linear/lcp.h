/* linear/lcp.h -- linear complementarity problems LCP(q, M): z, w >= 0 with
 *
 *   w = M z + q,   z_i w_i = 0 for all i,
 *
 * and what M says about them.  Contacts and reflecting faces are such problems: z are
 * the reactions, w the speeds or accelerations away from the faces.
 *
 *   void *scratch = ... brink__lcp_scratch(n) bytes ...;
 *   if (brink__lcp_solve(n, m, q, z, w, scratch) == BRINK__LCP_SOLVED) ...
 *
 * Row-major, in the caller's memory; nothing allocates.
 */
#ifndef BRINK_LCP_H
#define BRINK_LCP_H

#include <stddef.h>

/* Beyond this order principal submatrices, of which there are 2^n, are not looked at.
 */
enum { BRINK__LCP_CHECKED = 12 };

typedef enum brink__lcp_end {
  BRINK__LCP_SOLVED,
  BRINK__LCP_RAY /* the path of the method goes to infinity.  There is no solution if M
                    is copositive-plus; of others, none that has a regular basis up to
                    the order BRINK__LCP_CHECKED, and nothing is known beyond it   */
} brink__lcp_end;

/* What M says of LCP(q, M) for every q. */
typedef struct brink__lcp_class {
  int checked;      /* 0: the order is beyond BRINK__LCP_CHECKED, nothing is known  */
  int p;            /* all principal minors are positive: one solution, always      */
  int completely_s; /* each principal submatrix takes a positive vector to a positive
                       one: there is a solution for every q, of each subproblem too;
                       this is what reflected paths need to exist                   */
} brink__lcp_class;

/* Bytes of scratch for problems up to this order. */
size_t brink__lcp_scratch(size_t n);

/* A solution by Lemke's method, or, of small problems, by looking at all bases. */
brink__lcp_end brink__lcp_solve(size_t n, const double *m, const double *q, double *z,
                                double *w, void *scratch);

brink__lcp_class brink__lcp_classify(size_t n, const double *m, void *scratch);

/* Solutions of a problem of order BRINK__LCP_CHECKED at most, by looking at each of the
 * 2^n choices of which z_i vanish: how many there are that differ in z by more than
 * rounding.  Stops at 2.  *singular: choices with a singular matrix, which may hide
 * whole families of solutions and are not counted. */
int brink__lcp_count(size_t n, const double *m, const double *q, int *singular,
                     void *scratch);

/* Has the problem, of order BRINK__LCP_CHECKED at most, a solution that has another
 * effect than z: another sum over j of z_j d_j, where d [n][rows] are the effects of
 * the z_j?  Choices with a singular matrix are not looked at: mixtures of solutions. */
int brink__lcp_ambiguous(size_t n, const double *m, const double *q, const double *z,
                         size_t rows, const double *d, void *scratch);

#endif /* BRINK_LCP_H */
