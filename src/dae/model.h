/* dae/model.h -- a compiled text model, what one simulation of it changes, and the
 * evaluation of its equations.
 *
 * What generates events and what they do is defined in clause/, what the start must
 * satisfy in start/: here they are names.
 */
#ifndef BRINK_DAE_MODEL_H
#define BRINK_DAE_MODEL_H

#include "dae/history.h"
#include "dae/program.h"
#include "explain/explain.h"
#include "flat/flat.h"
#include "model/model.h"

typedef struct dae_initial dae_initial; /* start/start.h */
typedef struct dae_homotopy dae_homotopy;

/* ------------------------------------------------------------- parts ----- */

typedef struct dae_discrete {
  int32_t value, pre;
  int var;
  unsigned uses;
} dae_discrete;

typedef struct dae_cond {
  int32_t value, pre;
  int32_t bare; /* the frozen slot that it is, or -1                       */
  int branch;
  int before;       /* side = before: f does not exist where it holds             */
  int with_initial; /* initial() occurs in it                                  */
  int loose;        /* it reads more than frozen and discrete values           */
  int32_t *frozen;  /* [n_frozen] slots that it reads                          */
  int32_t *behind;  /* [n_behind] slots of relations, stairs and samples that it
                       depends on, also through discrete equations             */
  size_t n_frozen, n_behind;
} dae_cond;

typedef struct dae_branch {
  const brink__flat_branch *flat;
  int32_t fire;
  int first_cond, n_conds;
  const char *name;
  int entry; /* 1: its when asks which states are active; 2: it asks nothing else */
} dae_branch;

typedef struct dae_assert {
  const brink__flat_action *flat;
  size_t value, parts; /* roots of asserts                       */
} dae_assert;

/* A continuous variable whose left limit is read by pre(). */
typedef struct dae_left {
  int32_t value, pre;
  int is_state;
} dae_left;

/* ------------------------------------------------------------- model ----- */

typedef struct dae_model {
  brink_model base;
  brink__pool pool;
  brink__flat *flat;

  size_t n_symbols, n_slots; /* n_slots: of the largest tape                      */
  double *v0;                /* [n_symbols] parameters, start values              */

  size_t n; /* states, or 1 if there is none and a resting one stands in         */
  size_t n_states;
  int32_t *state_symbol, *der_symbol; /* [n_states]                                */
  int *state_var;                     /* [n_states]                                */
  int32_t *show;                      /* [base.n_vars] symbols                     */

  brink__row *rows;
  brink__row *simple_rows; /* [n_rows] with homotopy() simplified, for people; NULL  */
  int32_t *pre_symbol;     /* [flat->n_vars] of pre() of the variable, -1: none      */
  int32_t *fire_symbol;    /* [n_branches] true while the branch fires               */
  struct dae_relation *relations;
  struct dae_stair *stairs;
  struct dae_guard *guards;
  dae_discrete *discretes;
  dae_cond *conds;
  dae_branch *branches;
  struct dae_act *acts;
  dae_assert *asserts;
  struct dae_timer *timers;
  dae_left *lefts;
  dae_delay *delays;
  size_t n_delays;
  dae_program delayed;     /* its last roots are the delayed expressions          */
  brink__tape *by_tape;    /* roots: the delays                                   */
  double node[DAE_NODES];  /* in [0, 1]                                           */
  double slope[DAE_NODES]; /* derivative at 1 of what goes through values there   */
  double bend[DAE_NODES];  /* the second one                                      */
  int moving, nested;      /* delays move; delays of delays                       */
  int echoes;              /* how often an event comes back                       */
  size_t n_rows, n_relations, n_stairs, n_guards, n_discretes, n_conds, n_branches,
      n_acts, n_asserts, n_timers, n_lefts;
  int unilateral;      /* conditions and bounds beyond which f does not exist       */
  int guards_complete; /* the equations change at guards only: none hides a switch */
  int left_algebraic;  /* a left limit beyond the states is wanted                  */
  int bare_samples;    /* samples occur as whole conditions of whens only           */

  dae_initial *initial;
  dae_homotopy *homotopy;
  size_t n_assumed;   /* free states that take their start values as they are */
  brink__guard *info; /* [n_guards] as the executor sees them                       */

  dae_program flow, all, event;
  dae_program entry; /* modes: what the whens that ask for active states need      */
  brink__tape *discrete_tape; /* targets: discretes that equations determine; NULL:
                                 they depend on more than frozen values           */
  brink__tape *cond_tape;     /* roots: the conditions                             */
  brink__tape *act_tape;      /* roots: see dae_act                                */
  brink__tape *assert_tape;
  brink__tape *time_tape; /* the roots of all timers, two for each */

  int *flow_asserts; /* [n_flow_asserts] that can fail between events: the roots
                        behind the equations of the last tape of flow            */
  size_t n_flow_asserts;
  int max_order;     /* of the series of guards that live has room for              */
  size_t max_series; /* slots of the largest tape of such a guard                  */
  size_t max_roots;  /* of a guard's last tape                                      */

  size_t n_texts;      /* roots of assert_tape, then of act_tape                */
  size_t max_loop;     /* largest loop                                          */
  size_t max_search;   /* largest loop that may be searched, see search.c       */
  brink__tape **tapes; /* [n_tapes] to be freed                                 */
  size_t n_tapes, cap_tapes;
} dae_model;

enum { DAE_REASON = BRINK_ERR_TEXT - 128 }; /* room for what others say about it */

typedef struct dae_live {
  const dae_model *m;
  double *v;          /* [n_slots]   written by everyone                       */
  brink__itv *work;   /* [n_slots]   scratch of rounding bounds                */
  double *bound;      /* [switches]  rounding bounds of switches_tape          */
  brink__itv *series; /* [max_series][max_order + 1]                               */
  double *delta;      /* [n_symbols] scratch: what the states are uncertain by */
  double *old;        /* [discretes] values at the beginning of an instant     */
  double *old_relation, *old_stair; /* the same                            */
  double *hit_before;    /* [guards]    its value before it fired                 */
  double *hit_g;         /* [guards]    value at which it fired ...               */
  double *hit_t;         /* [guards]    ... and when, NaN: never                  */
  double *saved;         /* [relations] scratch of triggers                       */
  double *cond;          /* [conds]     scratch of triggers                       */
  double *next;          /* [timers]    next time                                 */
  double *tick;          /* [timers]    number of the next tick of a sample, or
                                        the time at which a relation last changed */
  double *becomes;       /* [timers]   value of the relation after its time      */
  unsigned char *ticked; /* [timers]    it was due in this instant                */
  unsigned char *fired;  /* [branches]  in this instant                           */
  unsigned char *mark;   /* [n_symbols] scratch of what an instant lists          */
  int *reinit;           /* [states]    act that sets it in this instant, or -1   */
  double *fresh;         /* [states]    its value                                 */
  double *y;             /* [n]         scratch                                   */
  double *nudge; /* [2 n]       scratch of nudge_to_zero                           */
  signed char *looked;   /* [guards]    scratch of outside                            */
  signed char *sign;     /* [guards]    scratch of enter                          */
  unsigned char *warned; /* [asserts + acts] a warning was given ...              */
  double *warned_t;      /* [asserts + acts] ... when ...                          */
  double *warned_part;   /* [n_texts]   ... and the numbers of its text            */
  double *a, *r, *du, *u, *scale; /* scratch of loops                      */
  int *pivot;
  /* the start */
  double *ij, *ir, *ir0, *idz, *iz, *iwork;
  int *irow;
  /* curves, see curve.c, homotopy_path.c, search.c */
  const dae_homotopy
      *homotopy; /* while the start is searched along it; NULL: lambda is 1   */
  int searching; /* loops may be searched far and wide                        */
  double *pj;    /* [rows + 1][unknowns + 1] slopes, and the row that bounds a step */
  double *pr, *pr0; /* [rows + 1] residuals                                      */
  double *px, *px0; /* [unknowns + 1] where we are, lambda last; last good point  */
  double *pq;       /* [unknowns + 1] what counts as 1                           */
  double *pt, *pt0; /* [unknowns + 1] direction, of length 1; that of px0        */
  double *pd;       /* [unknowns + 1] a correction                               */
  double *pv;       /* [n_symbols]    values at the last good point              */
  double *ptop;     /* [n_symbols]    values where lambda was largest            */
  double *pwork;
  int *prow;
  int stop; /* terminate() was met                               */
  brink__effort effort;
  dae_fault fault;
  dae_memory own;     /* of a model without machines                               */
  dae_memory *memory; /* own, or that of all combinations (machine/modes.h) */
  double t;           /* of the last evaluation                                    */
  char reason[DAE_REASON];
} dae_live;

static inline const dae_model *dae_of(const brink_model *model)
{
  return (const dae_model *)model;
}

/* The two faces of what one simulation changes: as its own model knows it, and as the
 * functions of brink__model_ops pass it around. */
static inline dae_live *dae_live_of(brink__live *live)
{
  return (dae_live *)(void *)live;
}

static inline brink__live *dae_live_face(dae_live *live)
{
  return (brink__live *)(void *)live;
}

/* The equations as they are being solved, for people. */
static inline brink__system dae_system(const dae_live *live)
{
  const dae_model *m = live->m;
  int simple = live->homotopy && live->v[m->flat->lambda] == 0;

  return (brink__system){.flat = m->flat,
                         .rows = simple ? m->simple_rows : m->rows,
                         .n_rows = m->n_rows,
                         .pre = m->pre_symbol,
                         .fire = m->fire_symbol,
                         .v = live->v};
}

/* --------------------------------------------------------- run.c --------- */

/* Run a program at (t, y).  BRINK_OK, or BRINK_EDOMAIN with live->fault set. */
brink_status brink__dae_run(dae_live *live, const dae_program *p, double t,
                            const double *y);

/* Run one tape, of a step of a program or (NULL) of none.  BRINK_EDOMAIN: live->fault
 * names the operation that has no value. */
brink_status brink__dae_run_tape(dae_live *live, const dae_step *step,
                                 const brink__tape *tape);

/* Solve one loop from the values in live->v. */
brink_status brink__dae_loop(dae_live *live, const dae_step *step);

/* Newton's method for a loop, from live->u and the same values in live->v. */
int brink__dae_newton(dae_live *live, const dae_step *step, int most);

/* ------------------------------------------------------- search.c -------- */

enum { DAE_SEARCH_MAX = 500 }; /* unknowns of a loop that is searched far and wide */

/* Solve a loop from wherever that is possible. */
int brink__dae_search(dae_live *live, const dae_step *step);

/* The steps of a program, with the slots of time, states and delays as they are. */
brink_status brink__dae_steps(dae_live *live, const dae_program *p);

/* --------------------------------------------------- history.c -------- */

/* Values of the slots of delays at (t, y); v[BRINK__TIME] is t. */
brink_status brink__dae_read_delays(dae_live *live, double t, const double *y);

void brink__dae_history_record(const brink_model *model, brink__live *live, int mode,
                               const brink_step *step, double begin, double end,
                               double t_end);

/* Begin remembering at t: 1 if what was taken for the values before the start is what
 * they are at (t, y). */
int brink__dae_history_begin(dae_live *live, double t, const double *y);

/* ------------------------------------------------------- reason.c -------- */
/* Sentences, in live->reason. */

/* What is behind live->fault. */
const char *brink__dae_reason(dae_live *live);

/* Derivative number `state` at the last evaluation: its equation and values. */
const char *brink__dae_about(dae_live *live, size_t state);

/* Iteration does not end; what changes is a discrete variable or a relation, or (-1)
 * not known. */
void brink__dae_explain_unsettled(dae_live *live, const char *what, int passes,
                                  int discrete, int relation, double t);

/* An assertion fails; the numbers of its text are the roots of tape from `first`. */
void brink__dae_explain_assertion(dae_live *live, const brink__flat_action *a,
                                  const brink__tape *tape, size_t first, double t);

#endif /* BRINK_DAE_MODEL_H */
