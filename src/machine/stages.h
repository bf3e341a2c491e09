/* machine/stages.h -- one flat model, as it stands, becomes a brink_model. */
#ifndef BRINK_MACHINE_STAGES_H
#define BRINK_MACHINE_STAGES_H

#include "dae/build.h"

/* stages.c: compile one flat model as it stands; takes it over. */
brink_status brink__equations_compile(brink_ctx *ctx, brink__flat *flat,
                                      brink__fault_fn *fault, void *user,
                                      dae_model **out);

/* describe.c: what the model says about itself, brink_model_anatomy. */
brink_status brink__equations_describe(dae_build *b);

extern const brink__model_ops brink__equations_ops; /* ops.c */

#endif /* BRINK_MACHINE_STAGES_H */
