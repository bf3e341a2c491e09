/* event/scan.h -- locators that only see values of a guard: what they share.
 *
 * scan.c samples the guards along the step and brackets every change of sign;
 * refine.c places the zero in the bracket, one formula per locator.
 */
#ifndef BRINK_SCAN_H
#define BRINK_SCAN_H

#include "event/locator.h"

/* One guard along one step. */
typedef struct brink__line {
  brink__guards *g;
  const brink_step *step;
  int k; /* guard */
  brink_err *err;
} brink__line;

/* Between two thetas a guard takes a new sign. */
typedef struct brink__bracket {
  double lo, g_lo; /* old sign, or zero */
  double hi, g_hi; /* new sign          */
  int after;       /* the new sign      */
} brink__bracket;

/* Place the zero: shrink the bracket and leave in *best that end of it which is the
 * formula's answer.  `tol` is the width wanted, 0: the last bit. */
typedef brink_status brink__place_fn(const brink__line *line, double tol,
                                     brink__bracket *b, double *best);

/* brink__locator.behind for all of them. */
brink_status brink__scan(brink__guards *g, const brink_step *step,
                         const brink__locate *how, brink__hits *hits,
                         brink__place_fn *place, brink_err *err);

static inline brink_status brink__line_at(const brink__line *line, double theta,
                                          double *value)
{
  return brink__guard_at(line->g, line->k, line->step, theta, value, line->err);
}

#endif /* BRINK_SCAN_H */
