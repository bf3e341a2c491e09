/* dae/program.h -- programs: what a compiled model evaluates.
 *
 * Every unknown is a symbol.  A program is a list of steps over one array of values:
 * a tape (a stretch of explicit assignments) or a loop (equations solved together).
 * There is one program for the derivatives, one for all variables, one for events,
 * and one for each guard; each computes only what is asked of it.
 */
#ifndef BRINK_DAE_PROGRAM_H
#define BRINK_DAE_PROGRAM_H

#include "expr/expr.h"
#include "linear/linear.h"

/* Equations solved together for as many unknowns.  The first n of them, without the
 * unknowns behind, are solved by iteration or factors; the others are then what the
 * equations say one after the other (tearing.c), and assigned in the tape that follows
 * in a program. */
typedef struct dae_loop {
  size_t n, n_rows;
  size_t number; /* among the loops of the model                                  */
  int linear;
  int32_t *symbol;    /* [n_rows] the unknowns                                  */
  int32_t *row;       /* [n_rows] the equations                                 */
  brink__node *inner; /* [n_rows - n] what the unknowns from n on are           */
  int32_t *var;       /* [n_rows] variable whose nominal value counts as 1; -1: 1    */
  brink__node *root;  /* [n] the residuals                                      */
  brink__tape *residual; /* n roots                                                */
  int32_t *input;        /* [n_input] symbols that the residuals read, the unknowns
                            among them                                             */
  size_t n_input;
  brink__tape *jacobian; /* nnz roots: d residual[i[k]] / d symbol[j[k]]           */
  size_t nnz;
  int32_t *i, *j; /* [nnz]                                                  */
  brink__symbolic *pattern;

  /* nonlinear only, see follow.c */
  int32_t *known; /* [n_known] what else the equations read, without parameters    */
  size_t n_known;
  size_t memo; /* its first value in live->memo                                    */
} dae_loop;

typedef struct dae_step {
  brink__tape *tape; /* or                                                         */
  dae_loop *loop;
  int32_t *row;      /* tape: [n_rows] the equation behind each of its first roots */
  brink__node *root; /* tape: [n_rows] what it was solved to                       */
  int32_t *input, *target; /* tape: [n_input] symbols that it reads, [n_rows] those
                              that it assigns                                      */
  size_t n_input;
  size_t n_rows;
} dae_step;

/* The equations behind a step, *n of them. */
static inline const int32_t *brink__dae_rows_of(const dae_step *s, size_t *n)
{
  *n = s->loop ? s->loop->n : s->n_rows;
  return s->loop ? s->loop->row : s->row;
}

/* The symbol that equation k of a tape is solved for: not always the unknown that it is
 * matched with, see tearing.c. */
static inline int32_t brink__dae_target(const dae_step *s, size_t k)
{
  return (int32_t)brink__tape_slot(s->tape, k);
}

typedef struct dae_program {
  dae_step *steps;
  size_t n_steps;
  int32_t *states; /* [n_states] which of y are read                              */
  size_t n_states;
} dae_program;

/* Where an evaluation failed.  The sentence about it is written only on request: the
 * integrator tries many points. */
typedef struct dae_fault {
  const dae_step *step;
  brink__node culprit;
  int what; /* DAE_FAULT_*                                             */
  int assert;
} dae_fault;

enum {
  DAE_FAULT_NONE,
  DAE_FAULT_DOMAIN,
  DAE_FAULT_SINGULAR,
  DAE_FAULT_NEWTON,
  DAE_FAULT_FOLD, /* assert: unknown of the loop whose branch turns back            */
  DAE_FAULT_ASSERT,
  DAE_FAULT_DELAY,
  DAE_FAULT_MEMORY,
  DAE_FAULT_CONSTRAINT, /* assert: constraint that the states cannot be put back on   */
  DAE_FAULT_RESTART,    /* the same, after an event; live->misfit                     */
  DAE_FAULT_SERIES      /* it has a value, but no Taylor series */
};

#endif /* BRINK_DAE_PROGRAM_H */
