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
  brink__node *assigns;            /* [initial.n_assigns]                          */
} start_forms;

brink_status brink__start_compile(dae_build *b); /* initial_equations.c */

/* homotopy.c: keep the parts with lambda, and put lambda = 1 into rows and flat model;
 * at the end of compilation, the equations of the path. */
brink_status brink__start_homotopy_forms(dae_build *b);
brink_status brink__start_homotopy(dae_build *b);

#endif /* BRINK_START_BUILD_H */
