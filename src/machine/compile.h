/* machine/compile.h -- the one call of those who have read a model from text. */
#ifndef BRINK_MACHINE_COMPILE_H
#define BRINK_MACHINE_COMPILE_H

#include "brink/structure.h"
#include "flat/flat.h"

/* branch_modes.c: branches that change the structure of the equations become machines,
 * unless the model has machines of its own; derivatives that are states in some modes
 * get variables. */
brink_status brink__machine_branch_modes(brink_ctx *ctx, brink__flat *flat);

/* Sort, match, compile.  Takes the flat model over, also on failure.  Faults are
 * reported one by one through `fault` (place and sentence), the first also in
 * ctx->err; BRINK_EMODEL then, and *out is NULL.  Warnings go the same way. */
brink_status brink__machine_compile(brink_ctx *ctx, brink__flat *flat,
                                    brink__fault_fn *fault, void *user,
                                    brink_model **out);

/* branches.c: what chooses branches of if-expressions in the Real equations as they are
 * written: names and lines for the anatomy, and [n_branches] symbols. */
brink_status brink__machine_branches(brink_ctx *ctx, const brink__flat *flat,
                                     brink__pool *pool, brink_anatomy *a,
                                     int32_t **symbols);

/* The structural analysis of the equations, for each mode that would be built.  Leaves
 * the flat model as it is. */
brink_status brink__machine_structures(brink_ctx *ctx, brink__flat *flat,
                                       brink_structures **out);

#endif /* BRINK_MACHINE_COMPILE_H */
