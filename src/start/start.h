/* start/start.h -- a consistent start: initial equations, homotopy(). */
#ifndef BRINK_START_H
#define BRINK_START_H

#include "dae/model.h"

/* What the start must satisfy beyond the states' own values. */
struct start_initial {
  size_t n_assigns;       /* slots set directly: states, pre() of discretes        */
  int32_t *assign_target; /* [n_assigns]                                           */
  brink__tape *assign_tape;
  size_t n;           /* residuals, the last roots of the program's last tape     */
  int32_t *eqn, *var; /* [n] where from: an initial equation, or the variable whose
                         start value is fixed; the other is -1                    */
  dae_program program;
  size_t n_free; /* states that the residuals may move                             */
  int32_t *free; /* [n_free]                                                     */
};

/* The equations of the start with lambda in them, and what is unknown along the path
 * from lambda = 0 to 1; see homotopy.c and homotopy_path.c. */
struct start_homotopy {
  int used;                 /* 0: there is none, or nothing that needs a path       */
  dae_program program;      /* the event system; behind it, the residuals of initial */
  brink__tape *assign_tape; /* as that of initial                                   */
  dae_program *relation;    /* [relations] ends in left - right; none: it has a timer */
  dae_program *stair;       /* [stairs] ends in its argument                        */
  unsigned char *open;      /* [program.n_steps] 1: a loop that the path solves      */
  int with_states;          /* free states and initial equations take part          */
  size_t n_loops;           /* unknowns of open loops ...                            */
  size_t n, n_rows;         /* ... of the whole path; its equations                  */
};

/* ----------------------------------------- initial_equations.c -------- */

/* Line of the i-th condition on the start. */
int brink__start_line(const dae_model *m, size_t i);

/* The size of free state j that counts as 1. */
static inline double brink__start_nominal(const dae_live *live, size_t j)
{
  const dae_model *m = live->m;
  return live->constants.nominal[m->state_var[m->initial->free[j]]];
}

/* --------------------------------------------- homotopy_path.c -------- */

/* Values of relations and stairs at (t, live->y) and the present lambda; 1 if one
 * changes. */
int brink__start_evaluate_relations(dae_live *live, double t);

/* start.c: has a discrete variable changed since the last call? */
int brink__start_discretes_moved(dae_live *live);

/* From a solution with lambda = 0 to one with lambda = 1.  given: the caller gives the
 * states, and they are not searched. */
brink_status brink__start_homotopy_path(dae_live *live, double t, int given,
                                        brink_err *err);

/* -------------------------------------------- unsolved_start.c -------- */

/* Sentences, in live->reason. */

/* The initial equations in which the path of homotopy() was lost. */
const char *brink__start_explain_path(dae_live *live);

/* The initial equations that were not solved; `worst` is the largest residual. */
void brink__start_explain_unsolved(dae_live *live, size_t worst, double t);

/* ----------------------------------------------------- start.c -------- */

brink_status brink__start_find(const brink_model *model, dae_live *live, double t,
                               int *mode, const double *given, double *y,
                               brink_err *err);

#endif /* BRINK_START_H */
