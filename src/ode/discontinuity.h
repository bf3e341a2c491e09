/* ode/discontinuity.h -- where f itself jumps or bends, without a guard. */
#ifndef BRINK_DISCONTINUITY_H
#define BRINK_DISCONTINUITY_H

#include "ode/method.h"

typedef enum brink__seam_kind {
  BRINK__SEAM_NONE,
  BRINK__SEAM_JUMP, /* f jumps                                                    */
  BRINK__SEAM_KINK  /* f is continuous, its derivative jumps                      */
} brink__seam_kind;

/* The path ahead of (t, y): a polynomial that has followed the law so far, continued.
 */
typedef struct brink__path {
  brink__gate *gate;
  const brink__tol *tol;
  double t;        /* where the last step ended                                     */
  const double *y; /* [n]                                                           */
  double u;        /* the length it is known on, signed: that of the last step      */
  int degree;
  double *coeff;  /* [n][degree + 1] in x = (time - t) / u; the search may bend it   */
  double *way;    /* [n] direction of the defect                                     */
  double *weight; /* [n] 1 over the tolerance                                       */
  double *beyond; /* [n] f at the far end of what was found                         */
  double *at, *f, *keep, *mid; /* [n] scratch                                       */
} brink__path;

/* Distances from t along the path: up to lo f follows the old law, from hi on the
 * new one.  A kink lies between lo and hi as well as is known. */
typedef struct brink__seam {
  brink__seam_kind kind;
  double lo, hi;
  double top;   /* jump: F there, see defect.c        */
  double slope; /* kink: of F behind it               */
  double stray; /* jump found from afar: the defect before it   */
} brink__seam;

/* Look for a seam not further away than reach; unit: the length of a step, for which
 * the defect is weighed.  It is enclosed to `coarse` times reach.  If there is none, lo
 * tells up to where none can be. */
brink__seam brink__seam_find(const brink__path *path, double reach, double unit,
                             double coarse);

/* Enclose what was found before, between here and `reach`: path->way and weight must
 * still be those of the place where it was found, and unit the same.  path->beyond is f
 * at hi; what is added to the path behind lo is, on average, half of the defect there.
 * hint: where it may be, HUGE_VAL if nobody knows. */
brink__seam brink__seam_close(const brink__path *path, double reach,
                              const brink__seam *seen, double unit, double hint);

/* Enclose one that is expected at seen->lo, off by about as much as seen->hi is from it
 * (0: nobody knows), and with the top or slope that seen has, not further away than
 * reach. */
brink__seam brink__seam_expect(const brink__path *path, const brink__seam *seen,
                               double reach, double unit);

#endif /* BRINK_DISCONTINUITY_H */
