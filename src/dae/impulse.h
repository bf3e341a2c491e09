/* dae/impulse.h -- the restart of a system of higher index after an event.
 *
 * impulse_rows.c makes the tables, impulse.c uses them.
 */
#ifndef BRINK_DAE_IMPULSE_H
#define BRINK_DAE_IMPULSE_H

#include "flat/flat.h"
#include "linear/linear.h"
#include "model/model.h"

struct dae_stages;

/* The system Jacobian and what stands beside it.  Row i is an equation f_i, column j a
 * variable x_j with the offset d_j. */
typedef struct dae_impulses {
  size_t n;   /* rows and columns; 0: the model has no constraints                    */
  size_t nnz; /* entries                                                              */
  size_t *start;      /* [n + 1] where the entries of a row begin             */
  int32_t *row, *col; /* [nnz]                                               */
  int32_t *row_of;    /* [n] by column: row of the transversal                */
  double *factor;     /* [nnz] 1/(c_i - 1)!, or 1                             */
  const brink__symbolic *pattern;
  const brink__tape *tape; /* roots: [n] what f_i^(c_i - 1) is off by, 0 where c_i
                              is 0; [nnz] entries, without their factors          */
  int32_t *constraint;     /* [n] by row: f_i^(c_i - 1) in the flat model, -1: none */
  int32_t *block;          /* [n] by row: of the Jacobian, in order of solution    */
  int32_t *match;          /* [n] by row: its entry on the transversal             */
  int32_t *state;          /* [n] by column: x_j^(d_j - 1), -1: d_j is 0           */
  int32_t *var;            /* [n] by column: of the nominal value                  */
  unsigned char *quiet;    /* [n] by column: its jump needs no mention, a variable
                              that the user wrote has the same                     */
  int32_t *copy;           /* [n] by row: a constraint x' = v, the entry of x', which
                              has no name; -1: another                             */
  const char **variable;   /* [n] by column: for the record                        */
  const char **cause;      /* [n] by row: the same, NULL where c_i is 0 ...        */
  const char **closest;    /* ... and where the jump is that to the closest point  */
  int32_t *product;        /* [n_products][3] row i with c_i = 0 and two columns
                              whose highest derivatives are multiplied in it       */
  size_t n_products;
  int varies;        /* entries of rows with c_i = 0 depend on what may jump */
  int solves;        /* entries depend on variables that are no states       */
  size_t n_settable; /* columns whose state a reinit may set                 */
  size_t n_free;     /* rows with c_i = 0                                    */
  const brink__tape *guard_tape; /* roots: slopes of guards by highest derivatives */
  int32_t *guard_relation; /* [guard_slopes] relation of the flat model, ...     */
  int32_t *guard_col;      /* ... and the column                                 */
  size_t n_guard_slopes;
  struct dae_stages *lower; /* constraints f_i^(k), k <= c_i - 2                    */
} dae_impulses;

/* Work arrays of a restart. */
typedef struct dae_restarting {
  brink__numeric factors;
  double *jump;    /* [n] by column: jump of x_j^(d_j - 1), or integral of x_j       */
  double *step;    /* [n] the last correction of it                                  */
  double *off;     /* [n] by row: what the constraints are off by at the beginning   */
  double *outside; /* [n] by row: impulse that a reinit stands for                   */
  double *mean;    /* [nnz] entries, or their means over the jump                    */
  double *largest; /* [n] by column: the largest part of its jump, ...               */
  int32_t *forced; /* [n] ... and the row that forces it                             */
  unsigned char *carries; /* [n] by column: the jump is more than rounding            */
  unsigned char *reached; /* [n] by row: its block has to do with a constraint that
                             does not hold                                            */
  unsigned char *open; /* [n] by row: it may take impulses that reinits stand for   */
  double *guard;  /* [relations of the flat model] integral of the guard of a relation
                     over the last instant with impulses; 0: it has none               */
  double *before; /* [n_states]                                                     */
  double *left;   /* [n_states] as they are given                              */
  double *kept;   /* [n_states] before a projection                                  */
  double *unit;   /* [n_states] nominal value, 0: reinit has set it                 */
  double *response; /* [n_settable][n_free] of columns that reinit sets to impulses in
                       rows                                                           */
  double *held; /* [n_settable + n_free] right-hand side, and impulses               */
  double *held_work;
  int *held_row, *held_col; /* [n_settable]                                           */
} dae_restarting;

/* The arrays of dae_live.restarting, for measuring and carving. */
#define DAE_RESTARTING_ARRAYS(X, m)                                                    \
  X(restarting.jump, (m)->impulses.n)                                                  \
  X(restarting.step, (m)->impulses.n)                                                  \
  X(restarting.off, (m)->impulses.n)                                                   \
  X(restarting.outside, (m)->impulses.n)                                               \
  X(restarting.mean, (m)->impulses.nnz)                                                \
  X(restarting.largest, (m)->impulses.n)                                               \
  X(restarting.forced, (m)->impulses.n)                                                \
  X(restarting.carries, (m)->impulses.n)                                               \
  X(restarting.reached, (m)->impulses.n)                                               \
  X(restarting.open, (m)->impulses.n)                                                  \
  X(restarting.guard, (m)->impulses.n ? (m)->flat->n_relations : 0)                    \
  X(restarting.before, (m)->impulses.n ? (m)->n_states : 0)                            \
  X(restarting.left, (m)->impulses.n ? (m)->n_states : 0)                              \
  X(restarting.kept, (m)->impulses.n ? (m)->n_states : 0)                              \
  X(restarting.unit, (m)->impulses.n ? (m)->n : 0)                                     \
  X(restarting.response, (m)->impulses.n_settable *(m)->impulses.n_free)               \
  X(restarting.held, (m)->impulses.n_settable + (m)->impulses.n_free)                  \
  X(restarting.held_work, 2 * (m)->impulses.n_settable + (m)->impulses.n_free)         \
  X(restarting.held_row, (m)->impulses.n_settable)                                     \
  X(restarting.held_col, (m)->impulses.n_settable)

/* Why there is none: a state, what it would have to be, and the reinit that has set it
 * (NULL: none has). */
typedef struct dae_misfit {
  int32_t state;
  double from, to;
  const brink__flat_action *set_by;
} dae_misfit;

/* What a restart is given. */
typedef struct dae_restart {
  double t;
  const brink__flat_action *const *set_by; /* [n_states] the reinit that has set it */
  const unsigned char *fresh; /* [n_states] the state has no left limit; NULL: none */
  double rtol;          /* of the run: jumps below it are errors of the solution */
  brink__instant *inst; /* where jumps are listed                                */
} dae_restart;

#endif /* BRINK_DAE_IMPULSE_H */
