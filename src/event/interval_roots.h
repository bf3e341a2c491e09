/* event/interval_roots.h -- zeros of a guard by intervals of its own expression, if the
 * model can enclose it (forms RANGE and JET), or by its values.  Does not allocate. */
#ifndef BRINK_INTERVAL_ROOTS_H
#define BRINK_INTERVAL_ROOTS_H

#include "event/guards.h"

/* Zeros that are so many spacings of t apart can be told apart by a guard: its states
 * are rounded by several spacings of their own, and t is rounded once more. */
static const double BRINK__TOLD_APART = 0x1p8;

/* The spacing of t at theta of a step, as a part of the step. */
double brink__theta_spacing(const brink_step *step, double theta);

typedef struct brink__enclosure {
  brink__root *roots; /* [cap] in order, as brink__poly_roots has them             */
  int cap, n;
  int complete; /* 0: the list or the search was too short: those found are the
                   first ones, and nothing is known beyond them                    */
  int resolved; /* each is one zero, or several that t cannot tell apart           */
  int sign;     /* without roots: that of the guard                                */
} brink__enclosure;

/* All roots in [from, 1] of guard k along the step. */
void brink__guard_enclose(brink__guards *g, int k, const brink_step *step, double from,
                          brink__enclosure *e);

/* The crossings inside a wide zero, appended to e: by values of a guard that cannot be
 * enclosed. */
void brink__guard_look_closer(brink__guards *g, int k, const brink_step *step,
                              const brink__root *wide, brink__enclosure *e);

/* The sign of guard k at theta, a little outside [0, 1] too; 0: rounding hides it. */
int brink__guard_sign(brink__guards *g, int k, const brink_step *step, double theta);

/* What its own expression is uncertain by there. */
double brink__guard_own_rounding(brink__guards *g, int k, const brink_step *step,
                                 double theta);

/* The sign of its slope there; 0: rounding hides it. */
int brink__guard_way(brink__guards *g, int k, const brink_step *step, double theta);

#endif /* BRINK_INTERVAL_ROOTS_H */
