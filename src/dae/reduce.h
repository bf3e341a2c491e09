/* dae/reduce.h -- a flat model of higher index becomes one of index 1 with constraints.
 */
#ifndef BRINK_DAE_REDUCE_H
#define BRINK_DAE_REDUCE_H

#include "flat/flat.h"

/* Where the equations cannot determine all derivatives and variables, rewrite them as
 * the offsets of their structural analysis say; a model that is structurally singular
 * stays as it is.  A fault of the model (BRINK_EMODEL) has its sentence in the context,
 * and its place in *at. */
brink_status brink__dae_reduce(brink_ctx *ctx, brink__flat *flat, brink__place *at);

#endif /* BRINK_DAE_REDUCE_H */
