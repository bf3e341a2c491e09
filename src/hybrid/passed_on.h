/* passed_on.h -- a model that asks another one.
 *
 * The model with modes made at run time (extended_model.c) and the one that goes
 * backward (reflected_model.c) answer some questions themselves and pass the others on,
 * with the mode and the time translated.
 */
#ifndef BRINK_PASSED_ON_H
#define BRINK_PASSED_ON_H

#include "model/model.h"

/* Let `model` be inner with the operations `ops`, all of which pass the question on to
 * inner, about the mode that model->mode_asked tells and, where model->backward, about
 * the negative of the time.  Both are set by the caller, as what it answers itself. */
void brink__pass_on(brink_model *model, brink__model_ops *ops,
                    const brink_model *inner);

#endif /* BRINK_PASSED_ON_H */
