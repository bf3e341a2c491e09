/* ode/discontinuity.h -- where f itself jumps or bends, without a guard. */
#ifndef BRINK_DISCONTINUITY_H
#define BRINK_DISCONTINUITY_H

#include "ode/method.h"

typedef enum brink__seam_kind {
  BRINK__SEAM_NONE,
  BRINK__SEAM_JUMP, /* f jumps                                                    */
  BRINK__SEAM_KINK  /* f is continuous, its derivative jumps                      */
} brink__seam_kind;

/* The path ahead of (t, y): the polynomial of the last step, which ended there,
 * continued. */
typedef struct brink__path {
  brink__gate *gate;
  const brink__tol *tol;
  double t;        /* where the last step ended                          */
  const double *y; /* [n]                                                */
  double h;        /* its length, signed                                 */
  int degree;
  const double *coeff;  /* [n][degree + 1]                                    */
  double *at, *f, *way; /* [n] scratch: state, f, direction of the defect */
} brink__path;

/* Distances from t along the path: up to lo f follows the old law, from hi on the
 * new one.  A kink lies between lo and hi as well as is known. */
typedef struct brink__seam {
  brink__seam_kind kind;
  double lo, hi;
} brink__seam;

/* Look for a seam not further away than reach; unit: the length of a step, for which
 * the defect is weighed.  It is enclosed to `coarse` times reach, or (coarse = 0) until
 * what happens between lo and hi is far below the tolerance. */
brink__seam brink__seam_find(const brink__path *path, double reach, double unit,
                             double coarse);

#endif /* BRINK_DISCONTINUITY_H */
