/* dae/curve.h -- following a curve F(x, lambda) = 0; see curve.c. */
#ifndef BRINK_DAE_CURVE_H
#define BRINK_DAE_CURVE_H

#include "dae/model.h"

/* A curve to be followed; its arrays are those of live->path. */
typedef struct dae_curve dae_curve;
struct dae_curve {
  dae_live *live;
  size_t n, rows; /* unknowns besides lambda; equations                           */
  double least;   /* below this lambda the curve does not exist                   */
  int most_steps;
  double first; /* change of lambda in the first step, 0: a tenth                 */
  double small; /* corrections below this end the iteration, 0: 1e-9              */
  int one_way;  /* it ends where lambda turns back, and no other curve will do    */
  double h;     /* length of the next step ...                                      */
  double top;   /* ... largest lambda so far ...                                    */
  long steps;   /* ... and steps so far; written by curve.c                         */

  /* r0 = F(x), jacobian = its derivatives in x / unit.  0: F has no value here. */
  int (*slopes)(dae_curve *c);
  void (*measure)(dae_curve *c); /* unit at x */
  /* A point was found: evaluate the relations there, and correct again if one has
   * changed; 0: there is no point at which both agree.  NULL: there are none. */
  int (*settle)(dae_curve *c, int last, int *moved);
  int (*same_side)(dae_curve *c); /* is x still on the curve?  NULL: yes           */
  void (*keep)(dae_curve *c, int top); /* this point is good, and (top) the furthest */
  void (*back)(dae_curve *c);          /* return to it                               */
};

typedef enum dae_curve_end {
  DAE_CURVE_DONE,
  DAE_CURVE_LOST,
  DAE_CURVE_BACK,   /* it leads below `least`             */
  DAE_CURVE_TURNED, /* lambda turns back                 */
  DAE_CURVE_LONG,   /* not in most_steps                  */
  DAE_CURVE_STUCK   /* it has no direction where it begins */
} dae_curve_end;

/* From x, where F = 0, to lambda = 1; sign < 0: beginning towards smaller lambda. */
dae_curve_end brink__dae_curve(dae_curve *c, double sign);

/* Newton's method in the plane across the direction, or (last) with lambda held; again:
 * relations have changed, so that the first correction may be long. */
int brink__dae_curve_correct(dae_curve *c, int last, int again);

#endif /* BRINK_DAE_CURVE_H */
