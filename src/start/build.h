/* start/build.h -- compiling what the start must satisfy. */
#ifndef BRINK_START_BUILD_H
#define BRINK_START_BUILD_H

#include "dae/build.h"
#include "start/start.h"

/* A model with homotopy() before lambda becomes 1; NULL: it has none. */
typedef struct dae_forms {
  brink__row *rows;                /* [n_rows]                                     */
  brink__flat_eqn *initial;        /* [n_initial_eqns]                             */
  brink__flat_relation *relations; /* [n_relations]                                */
  brink__flat_stair *stairs;       /* [n_stairs]                                   */
  brink__node *assigns;            /* [initial.n_assigns]                          */
} dae_forms;

brink_status brink__start_compile(dae_build *b); /* initial_equations.c */

/* homotopy.c: put lambda = 1 into rows and flat model; what the start follows. */
brink_status brink__start_homotopy_forms(dae_build *b);
brink_status brink__start_homotopy(dae_build *b);

#endif /* BRINK_START_BUILD_H */
