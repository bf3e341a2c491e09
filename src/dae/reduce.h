/* dae/reduce.h -- a flat model of higher index becomes one of index 1 with constraints.
 */
#ifndef BRINK_DAE_REDUCE_H
#define BRINK_DAE_REDUCE_H

#include "dae/build.h"

/* Where the equations cannot determine all derivatives and variables, rewrite them as
 * the offsets of their structural analysis say, converted where that is wrong
 * (dae/convert.h); a model that is structurally singular stays as it is. */
brink_status brink__dae_reduce(dae_build *b);

/* determined.c: *yes = 0 if there are as many equations as unknowns, but so that they
 * cannot determine them all. */
brink_status brink__dae_is_determined(const brink__flat *f, brink__pool *tmp, int *yes);

/* derivative_starts.c: where v = der(x) is written, the variable that stands for der(x)
 * takes the start value of v, unless it has one. */
brink_status brink__dae_hand_on_starts(brink__flat *f, brink__pool *tmp);

#endif /* BRINK_DAE_REDUCE_H */
