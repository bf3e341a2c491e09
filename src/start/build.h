/* start/build.h -- compiling what the start must satisfy. */
#ifndef BRINK_START_BUILD_H
#define BRINK_START_BUILD_H

#include "dae/build.h"
#include "start/start.h"

/* The parts of a model with homotopy() as they were read, with lambda in them; all NULL
 * in a model without. */
typedef struct start_forms {
  brink__row *rows;                /* [n_rows]                                     */
  brink__flat_eqn *initial;        /* [n_initial_eqns]                             */
  brink__flat_relation *relations; /* [n_relations]                                */
  brink__flat_stair *stairs;       /* [n_stairs]                                   */
  brink__node *assigns;            /* [n_assigns of the start]                     */
} start_forms;

brink_status brink__start_compile(dae_build *b); /* conditions.c */

/* conditions.c: a program of the event system that ends in both sides of each condition
 * of the start, and whose tapes have derivatives with respect to all symbols. */
brink_status brink__start_program(dae_build *b, size_t n_want, const int32_t *want,
                                  const brink__node *roots, dae_program *out);

/* start_blocks.c: which conditions and unknowns belong together; roots: both sides of
 * each condition. */
brink_status brink__start_blocks(dae_build *b, const brink__node *roots);

/* homotopy.c: keep the parts with lambda, and put lambda = 1 into rows and flat model;
 * at the end of compilation, the equations of the path. */
brink_status brink__start_homotopy_forms(dae_build *b);
brink_status brink__start_homotopy(dae_build *b);

#endif /* BRINK_START_BUILD_H */
