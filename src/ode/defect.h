/* ode/defect.h -- the defect of a path, and the search for where it leaps.
 *
 * Shared by discontinuity.c, which finds a discontinuity from afar, and enclose.c,
 * which comes near it. */
#ifndef BRINK_DEFECT_H
#define BRINK_DEFECT_H

#include "ode/discontinuity.h"

enum {
  BRINK__SAMPLES = 24, /* of F that are kept                      */
  BRINK__PATIENCE = 9  /* samples until a kink must have settled  */
};

/* In units of F, see defect.c; or parts of it. */
#define BRINK__F_LEAST  10. /* below this there is no reason to look further */
#define BRINK__F_HEIGHT 0.5 /* part of a leap that must be kept when it is narrowed */
#define BRINK__F_HARMLESS                                                              \
  0.03                    /* of a tolerance, between lo and hi                     */
#define BRINK__F_BENT 2.5 /* ratio of slopes behind a kink, at the most             */

typedef struct brink__search {
  const brink__path *path;
  double unit; /* length that the defect is weighed with                              */
  double top;  /* F at the far end                                                    */
  double lo, hi, F_lo, F_hi; /* what encloses a leap                                  */
  double size; /* of all of the last defect, in units of F                            */
  double left, right; /* of all of it at lo and at hi                                 */
  double from; /* up to here all is well                                              */
  double near; /* a kink may be here, HUGE_VAL: nowhere                               */
  double reach; /* where the tolerance was taken                                      */
  int n;
  double s[BRINK__SAMPLES], F[BRINK__SAMPLES]; /* all that is known                   */
  int lost; /* f does not exist on the path                                           */
} brink__search;

/* A polynomial and its slope per x. */
double brink__path_value(const double *c, int degree, double x, double *slope);

/* The defect at the far end s: its size in units of F, its direction into path->way.
 * path->beyond is f there. */
double brink__far_end(brink__search *q, double s);

/* F at s, in the direction of path->way; path->mid is f there.  0 if q->lost. */
double brink__F(brink__search *q, double s);

/* What happens within this width is below the tolerance. */
double brink__fine(const brink__search *q, double far);

/* F_m at m: which side is it on?  0: the leap is none. */
int brink__narrow(brink__search *q, double m, double F_m);

/* Bisect until the leap is enclosed to `width` (0: to what is fine), or is none. */
int brink__leap(brink__search *q, double width);

#endif /* BRINK_DEFECT_H */
