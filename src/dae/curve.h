/* dae/curve.h -- following a curve F(x, lambda) = 0; see curve.c. */
#ifndef BRINK_DAE_CURVE_H
#define BRINK_DAE_CURVE_H

#include "dae/model.h"

/* A curve to be followed; all of its arrays are those of live, see there. */
typedef struct dae_curve dae_curve;
struct dae_curve {
  dae_live *live;
  size_t n, rows; /* unknowns besides lambda; equations                           */
  double least;   /* below this lambda the curve does not exist                   */
  int most_steps;
  double h;   /* length of the next step ...                                      */
  double top; /* ... largest lambda so far ...                                    */
  long steps; /* ... and steps so far; written by curve.c                         */

  /* pr0 = F(px), pj = its slopes in px / pq.  0: not here. */
  int (*slopes)(dae_curve *c);
  void (*measure)(dae_curve *c); /* pq at px */
  /* A point was found: look at what is frozen, and correct again if that has moved;
   * 0: there is no such point.  NULL: nothing is. */
  int (*settle)(dae_curve *c, int last, int *moved);
  void (*keep)(dae_curve *c, int top); /* this point is good, and (top) the furthest */
  void (*back)(dae_curve *c);          /* return to it                               */
};

typedef enum dae_curve_end {
  DAE_CURVE_DONE,
  DAE_CURVE_LOST,
  DAE_CURVE_BACK, /* it leads below `least`             */
  DAE_CURVE_LONG, /* not in most_steps                  */
  DAE_CURVE_STUCK /* it has no direction where it begins */
} dae_curve_end;

/* From px, where F = 0, to lambda = 1; sign < 0: beginning towards smaller lambda. */
dae_curve_end brink__dae_curve(dae_curve *c, double sign);

/* Newton's method across the direction, or (last) with this lambda; again: it may lead
 * further away. */
int brink__dae_curve_correct(dae_curve *c, int last, int again);

#endif /* BRINK_DAE_CURVE_H */
