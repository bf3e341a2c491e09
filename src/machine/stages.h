/* machine/stages.h -- a flat model without machines, or one mode of a model with
 * machines, becomes a brink_model. */
#ifndef BRINK_MACHINE_STAGES_H
#define BRINK_MACHINE_STAGES_H

#include "dae/build.h"

/* stages.c: compile the flat model; takes it over. */
brink_status brink__equations_compile(brink_ctx *ctx, brink__flat *flat,
                                      brink__fault_fn *fault, void *user,
                                      dae_model **out);

/* describe.c: what the model says about itself, brink_model_anatomy. */
brink_status brink__equations_describe(dae_build *b);

/* live_memory.c: the memory of one simulation, as model.h has it; `again` makes
 * everything as before the start, but for what delays read there. */
size_t brink__equations_live_size(const brink_model *model);
void brink__equations_live_init(const brink_model *model, brink__live *live,
                                brink_ctx *ctx);
void brink__equations_live_fini(const brink_model *model, brink__live *live);
brink_status brink__equations_live_copy(const brink_model *model, brink__live *live,
                                        const brink__live *other, brink_err *err);
void brink__equations_again(dae_live *live);

/* set_values.c: values by name, as model.h has them. */
brink_status brink__equations_set(const brink_model *model, brink__live *live, int mode,
                                  double t, double *y, size_t index, double value,
                                  brink_err *err);
brink_status brink__equations_set_start(const brink_model *model, brink__live *live,
                                        size_t index, double value, brink_err *err);
void brink__equations_reset(const brink_model *model, brink__live *live);
brink_status brink__equations_get(const brink_model *model, brink__live *live, int mode,
                                  double t, const double *y, size_t index,
                                  double *value, brink_err *err);

extern const brink__model_ops brink__equations_ops; /* ops.c */

/* modes_ops.c: what a simulation of a text model changes, in its present mode; NULL:
 * the model is none. */
const dae_live *brink__machine_live(const brink_model *model, const brink__live *live);

#endif /* BRINK_MACHINE_STAGES_H */
