/* extrapolate.c -- look ahead: the step is made to end on the event.
 *
 * The guards are read along the *predicted* polynomial before the step is taken
 * (hybrid/approach.c, [EK07]), and the step is cut to where the first of them that
 * matters has its zero.  What the prediction shows is only as good as the prediction,
 * so behind the step the guards are isolated as `isolate` does it; the same
 * polynomials, carried on, tell which guards need not be looked at ahead of the next
 * step.
 *
 * `extrapolate` composes the guard with the predicted polynomials of the states,
 * `extra-state` predicts the guard as one more state, z' = dg/dt [EK07, (3)]
 * (extra_state.c).
 */
#include "event/locator.h"

static brink_status behind(brink__guards *g, const brink_step *step,
                           const brink__locate *how, brink__hits *hits, brink_err *err)
{
  return brink__locator_isolate.behind(g, step, how, hits, err);
}

const brink__locator brink__locator_extrapolate = {
    .name = "extrapolate",
    .about = "looks ahead along the predicted step, which then ends on the event",
    .cite = "EK07",
    .proves_absence = 1,
    .predicts = 1,
    .behind = behind,
};

const brink__locator brink__locator_extra_state = {
    .name = "extra-state",
    .about = "the same, each guard predicted as a state of its own, from dg/dt",
    .cite = "EK07",
    .proves_absence = 1,
    .predicts = 1,
    .extra_states = 1,
    .behind = behind,
};
