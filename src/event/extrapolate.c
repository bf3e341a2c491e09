/* extrapolate.c -- look ahead: the step is made to end on the event.
 *
 * The guards were read along the *predicted* polynomial before the step was taken
 * (hybrid/approach.c, [EK07]); behind it one value of each guard is enough.  If a
 * sign has changed the zero is located as `isolate` does, which after a good
 * prediction is a matter of the last few digits.
 *
 * What is known about other zeros is known about the prediction, whose error is that
 * of the step; the first step after a restart has none and is looked at in full.
 */
#include "event/locator.h"

static brink_status behind(brink__guards *g, const brink_step *step,
                           const brink__locate *how, brink__hits *hits, brink_err *err)
{
  const brink__locator *full = &brink__locator_isolate;

  if (!how->foreseen || how->decide || how->from > 0)
    return full->behind(g, step, how, hits, err);
  for (int k = 0; k < g->n; k++) {
    double last;
    BRINK_TRY(brink__guard_at(g, k, step, 1, &last, err));
    if (g->sign[k] == 0 || g->banded[k] || last * g->sign[k] <= 0)
      return full->behind(g, step, how, hits, err);
    hits->start_sign[k] = g->sign[k];
    hits->banded[k] = 0;
  }
  hits->certificate = BRINK_CONVERGED;
  return BRINK_OK;
}

const brink__locator brink__locator_extrapolate = {
  .name = "extrapolate",
  .about = "looks ahead along the predicted step, which then ends on the event",
  .cite = "EK07", .proves_absence = 0, .predicts = 1, .behind = behind,
};
