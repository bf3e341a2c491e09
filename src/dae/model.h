/* dae/model.h -- a compiled text model, what one simulation of it changes, and the
 * evaluation of its equations.
 *
 * What generates events and what they do is defined in clause/, what the start must
 * satisfy in start/: here they are names.
 */
#ifndef BRINK_DAE_MODEL_H
#define BRINK_DAE_MODEL_H

#include "dae/constants.h"
#include "dae/history.h"
#include "dae/impulse.h"
#include "dae/program.h"
#include "explain/explain.h"
#include "flat/flat.h"
#include "model/model.h"

typedef struct start_system start_system; /* start/start.h */
typedef struct start_homotopy start_homotopy;

/* ------------------------------------------------------------- parts ----- */

/* A discrete variable. */
typedef struct dae_discrete {
  int32_t value, pre; /* symbols                                                  */
  int var;            /* index in the flat model                                  */
  unsigned uses;      /* DAE_IN_*, clause/clause.h                                */
  int assigned;       /* by whens; else an equation determines it                 */
} dae_discrete;

/* A condition of a branch of a when. */
typedef struct dae_cond {
  int32_t value, pre; /* symbols                                                  */
  int32_t bare;       /* the relation or sample that is the whole condition, or -1 */
  int branch;
  int before;       /* side = before: f does not exist where it holds             */
  int with_initial; /* initial() occurs in it                                     */
  int reads_moving; /* it reads values that change between events                 */
  int32_t *frozen;  /* [n_frozen] symbols that it reads and only events change    */
  int32_t *behind;  /* [n_behind] symbols of relations, stairs and samples that it
                       depends on, also through discrete equations                */
  size_t n_frozen, n_behind;
} dae_cond;

/* A branch of a when. */
typedef struct dae_branch {
  const brink__flat_branch *flat;
  int32_t fire; /* symbol: it fires                                               */
  int first_cond, n_conds;
  const char *name;
  int entry; /* 1: its when asks which states are active; 2: it asks nothing else */
} dae_branch;

typedef struct dae_assert {
  const brink__flat_action *flat;
  size_t value, parts; /* roots of asserts                       */
  int with_initial;    /* it reads initial(): checked while that is true, too     */
} dae_assert;

/* A continuous variable whose left limit is read by pre(). */
typedef struct dae_left {
  int32_t value, pre;
  int is_state;
} dae_left;

/* A subexpression of the right-hand side that depends on time alone, or a term of one;
 * see signals.c. */
typedef struct dae_signal {
  brink__tape *tape; /* its root                                                   */
  size_t sum;        /* number of the subexpression that it is a term of           */
  int32_t *known;    /* [n_known] symbols that it reads beside time                */
  size_t n_known;
} dae_signal;

/* Signals are compared with polynomials of one degree less, signal_steps.c. */
enum { DAE_SIGNAL_ORDER = 12 };

/* A stretch of time, and the longest step that signals allow there. */
typedef struct dae_piece {
  double until, longest;
} dae_piece;

/* How far signals have been looked at, signal_steps.c. */
typedef struct dae_look {
  dae_piece now, next; /* the piece in which the run stands, and the one after it; as
                          long as `now`: not known yet                              */
  double end;    /* of the run when variations were measured ...                    */
  double span;   /* ... and its length from there                                   */
  double length; /* of the last piece                                               */
  double rtol;
} dae_look;

/* Steps that begin in [from, until] and end there are short enough for guards behind
 * loops. */
typedef struct dae_reach {
  double from, until;
} dae_reach;

/* An element of the matrix of a part, or in its rows before the matrix: a root of the
 * tape of its stage, times factor. */
typedef struct dae_element {
  int32_t row, col, root; /* col: of the matrix, else the state                      */
  double factor;
} dae_element;

/* Constraints on the states that share no state with others of their stage. */
typedef struct dae_part {
  size_t n_rows, n_cols, nnz;
  int32_t *row;         /* [n_rows] roots of the tape of the stage                   */
  int32_t *state;       /* [n_cols]                                                 */
  dae_element *element; /* [nnz]                                                    */
  dae_element *outer;   /* [n_outer] of states that are corrected before            */
  size_t n_outer;
} dae_part;

/* A stage of the projection onto the constraints, and all of them: projection.c. */
typedef struct dae_stage {
  brink__tape *tape; /* roots: what the rows are off by; derivatives of them          */
  int32_t *origin;   /* [n_rows] constraint of the flat model                        */
  size_t n_rows;
  dae_part *parts;
  size_t n_parts;
} dae_stage;

typedef struct dae_stages {
  dae_stage *v;
  size_t n;
} dae_stages;

/* Work arrays of projections. */
typedef struct dae_projecting {
  const double *first; /* [n] NULL, or units of the states that move first in a stage */
  const double *unit;  /* [n] units of all                                           */
  double *before;      /* [n_states] where they were                                 */
  double *weighted;    /* [n] units after a step, with stateSelect                   */
  double *matrix;      /* [max_part_matrix]                                          */
  double *step;        /* [n] corrections of the stage so far                        */
  double *b, *dx;      /* [max_part]                                                 */
  double *work;        /* [3 max_part]                                               */
  double *bound;       /* [max_stage] rounding bounds                                */
  int *row;            /* [max_part]                                                 */
} dae_projecting;

/* dF/du of M u' = F(t, u), u = (y, z) (flow.h): flow_jacobian.c. */
typedef struct dae_jacobian {
  brink__places places;
  brink__tape *tape;     /* its last roots are the entries                          */
  brink__tape *residual; /* assigns the derivatives; its last roots are the residuals
                            and the assertions of the flow; NULL: n_z is 0          */
  int32_t *z;            /* [n_z] symbols                                           */
  size_t n_z;
} dae_jacobian;

/* ------------------------------------------------------------- model ----- */

typedef struct dae_model {
  brink_model base;
  brink__pool pool;
  brink__flat *flat;

  size_t n_symbols, n_slots;   /* n_slots: of the largest tape                      */
  dae_constants constants;     /* as they are when nothing is set                   */
  dae_definition *definitions; /* [n_definitions] in order of evaluation            */
  size_t n_definitions, cap_definitions;

  size_t n; /* states, or 1 if there are none: then one with derivative 0        */
  size_t n_states;
  int32_t *state_symbol, *der_symbol; /* [n_states]                                */
  int *state_var;                     /* [n_states]                                */
  int32_t *show;                      /* [base.n_vars] symbols                     */

  brink__row *rows;
  brink__row *simple_rows; /* [n_rows] with homotopy() simplified, for people; NULL  */
  int32_t *pre_symbol;     /* [flat->n_vars] of pre() of the variable, -1: none      */
  int32_t *fire_symbol;    /* [n_branches] true while the branch fires               */
  struct clause_relation *relations;
  struct clause_stair *stairs;
  struct clause_guard *guards;
  struct clause_literal *literals;
  struct clause_coupled *coupled; /* [n_coupled] in order of evaluation: coupled.c */
  dae_discrete *discretes;
  dae_cond *conds;
  dae_branch *branches;
  struct clause_act *acts;
  size_t n_pushes; /* of the acts                                     */
  dae_assert *asserts;
  struct clause_timer *timers;
  dae_left *lefts;
  dae_delay *delays;
  size_t n_delays;
  dae_program delayed;     /* its last roots are the delayed expressions          */
  brink__tape *by_tape;    /* roots: the delays                                   */
  double node[DAE_NODES];  /* in [0, 1]                                           */
  double slope[DAE_NODES]; /* derivative at 1 of what goes through values there   */
  double bend[DAE_NODES];  /* the second one                                      */
  int moving, nested;      /* delays move; delays of delays                       */
  size_t n_rows, n_relations, n_stairs, n_guards, n_literals, n_discretes, n_conds,
      n_branches, n_acts, n_asserts, n_timers, n_lefts, n_coupled;
  size_t max_coupled;   /* relations and stairs of the largest                     */
  size_t max_piecewise; /* numbers that the path of one needs                      */
  int unilateral;       /* conditions and bounds beyond which f does not exist       */
  int guards_complete;  /* the equations change at guards only: none hides a switch */
  int left_limits_solved; /* a left limit beyond the states is wanted */
  int bare_samples; /* samples occur as whole conditions of whens only           */

  int32_t *branch_symbol; /* [base.anatomy.n_branches] what chooses branches of
                             if-expressions                                       */

  start_system *initial;
  start_homotopy *homotopy;
  size_t n_assumed;   /* free states that take their start values as they are */
  brink__guard *info; /* [n_guards] as the executor sees them                       */

  dae_program flow, all, event;
  dae_jacobian jacobian; /* of flow                                                */
  dae_program followed;  /* every nonlinear loop between events, and what it needs    */
  int follows_outputs;   /* some of them the derivatives do not need: f looks at these
                            as well, so that the run ends where they end             */
  int follows;           /* there are such loops                                     */
  size_t n_memo;         /* numbers remembered of nonlinear loops */
  dae_program entry; /* modes: what the whens that ask for active states need      */
  brink__tape *discrete_tape; /* targets: discretes that equations determine; NULL:
                                 they depend on more than frozen values           */
  brink__tape *cond_tape;     /* roots: the conditions                             */
  brink__tape *act_tape;      /* roots: see clause_act                                */
  brink__tape *assert_tape;
  brink__tape *time_tape; /* the roots of all timers, two for each */

  size_t n_guard_work; /* numbers that guard_steps.c needs; 0: no guard limits steps */
  dae_signal *signals; /* [n_signals] what f depends on time through                */
  size_t n_signals, n_signal_sums, n_signal_known;
  size_t signal_slots; /* of the largest of their tapes                              */

  int *state_order; /* [n_states] of derivative, of a variable of the user       */
  unsigned char *state_follows; /* [n_states] the constraints determine it, given the
                                   states of lower stages                           */
  double *state_mobility; /* [n_states] stateSelect: by which its unit in a projection
                             is multiplied after a step */
  int prefers_states;     /* some of them is not 1                                   */
  int32_t *state_below; /* [n_states] of which it is the derivative, -1: none         */
  dae_stages projection;  /* onto the constraints of the states                      */
  dae_impulses impulses;  /* restarts after events                                   */
  size_t max_stage;       /* roots of the tape of a stage, or of impulses            */
  size_t max_part;        /* rows and columns together                               */
  size_t max_part_matrix; /* rows times columns                                      */

  int *flow_asserts; /* [n_flow_asserts] that can fail between events: the roots
                        behind the equations of the last tape of flow            */
  size_t n_flow_asserts;
  int max_order;       /* of the series of guards that live has room for              */
  size_t max_series;   /* slots of the largest tape of such a guard                  */
  size_t max_range;    /* slots of the largest tape of a guard behind loops          */
  size_t max_input;    /* symbols that one of those loops reads                      */
  size_t max_enclosed; /* unknowns of the largest loop that is enclosed            */
  size_t max_roots;    /* of a guard's last tape                                      */

  size_t n_texts;   /* roots of assert_tape, then of act_tape                */
  dae_loop **loops; /* [n_loops]                                             */
  size_t n_loops, cap_loops;
  size_t max_loop;        /* largest loop                                          */
  size_t max_search;      /* largest loop that may be searched, see search.c       */
  size_t max_start_roots; /* roots of a tape that ends in conditions of the start */
  brink__tape **tapes;    /* [n_tapes] to be freed                                 */
  size_t n_tapes, cap_tapes;
} dae_model;

enum { DAE_REASON = BRINK_ERR_TEXT - 128 }; /* room for what others say about it */

/* Work arrays of curves; see curve.c, search.c and start/homotopy_path.c. */
typedef struct dae_path {
  double *jacobian; /* [rows + 1][unknowns + 1] and the row that bounds a step    */
  double *r, *r0;   /* [rows + 1] residuals                                       */
  double *x, *x0;   /* [unknowns + 1] the present point, lambda last; the last good
                       one                                                        */
  double *unit;     /* [unknowns + 1] in which lengths are measured               */
  double *direction, *direction0; /* [unknowns + 1] of length 1; that at x0       */
  double *correction;             /* [unknowns + 1]                               */
  double *v;                      /* [n_symbols] values at x0                     */
  double *v_top; /* [n_symbols] values where lambda was largest                   */
  double *jet;   /* [2 n_slots] values and derivatives in s, see follow.c         */
  double *work;
  int *row;
} dae_path;

/* The search of a start: what is known of it, and work arrays; see start/newton.c.  n
 * conditions, of which some are solved for some of n_searched unknowns. */
typedef struct dae_initial_work {
  int given;       /* the caller gives the states: they are not searched           */
  int past_known;  /* what delays read before the start is known                   */
  int whole_known; /* Integers have been found and are not searched               */
  int level;       /* to which unknowns have been searched                         */
  size_t worst;    /* condition that is missed most                                */
  size_t n_missed; /* conditions that do not hold                                  */
  unsigned char *missed; /* [n_blocks] ... in a block                                 */
  int follow;         /* curves are followed where the search fails ...              */
  double lambda;      /* ... and this is how far they have led                       */
  int proved;         /* ... because others contradict one of them                    */
  double *lhs, *rhs;  /* [n] both sides of the conditions                            */
  double *best;       /* [n] residuals of the conditions that are solved, best point */
  double *bound;      /* [n] rounding bounds of the conditions                       */
  double *at_nominal; /* [n] what rounding of the nominal values adds to them        */
  double *all_bounds; /* [max_start_roots] ... of all roots of the tape that ends in
                         them                                                       */
  double *column;     /* [n] derivatives of the conditions                           */
  struct start_search *search; /* [n_blocks] of the start                            */
  double *matrix;     /* [n_elements] derivatives                                    */
  double *scaled;     /* [max_elements] those of a block in units of rows and columns */
  double *row_unit;   /* [n]                                                         */
  double *unit;       /* [n_searched]                                                */
  double *b;          /* [n + n_searched] right-hand side                            */
  double *dx, *x;     /* [n + n_searched] correction of the unknowns; their values   */
  double *work;       /* [3 (n + n_searched)]                                        */
  double *first_unit; /* [n] units of states for a projection onto the constraints: of
                         those without a start value, ...                            */
  double *state_unit; /* [n] ... of all that are not fixed                            */
  double *near_a, *near_copy; /* [n_factored] nearest.c: factors of the blocks, ... */
  double *near_beta, *near_work; /* [n_searched], [2 n_searched]                      */
  double *near_factors;          /* [4 n]                                            */
  int *near_col, *near_row;      /* [n_searched], [2 n]                               */
  double *step, *last_off, *last_step; /* [n_searched] nearest.c                     */
  double *solved;  /* [n_searched] a solution of the conditions                   */
  int shifted;     /* the search began beside the start values                     */
  double *found;   /* [n_unknowns] values at the start, moves.c; ...            */
  int32_t *forced; /* [n_unknowns] ... condition that moved it; -1: not known    */
  unsigned char *moved; /* [n_unknowns] ... it was written, and is not the value      */
  double *guess; /* [n_searched] where the search begins                        */
  double *kept;  /* [n_searched] where it ended, while a sentence is written    */
  double *jet;   /* [2 n_slots] values and derivatives along a direction        */
  double *delta; /* [n_symbols] rounding errors of the values                   */
  int *row;      /* [n + n_searched] order of the rows                          */
  int *active;   /* [n] conditions that are solved                              */
  int *searched; /* [n_searched] unknowns                                       */
  size_t *place; /* [n] of a condition in its block, while a sentence is written */
  unsigned char *left_out;    /* [n] for a sentence: what contradicts the others      */
  unsigned char *independent; /* [n] it is no combination of others                 */
} dae_initial_work;

/* Newton's method for a loop: how it is to be used, and what it has seen. */
typedef struct dae_newton {
  int following; /* the solution must be the one next to where it begins, and ...    */
  int branch;    /* ... the determinant have this sign; 0: not known                 */
  int by_parts;  /* it begins where the knowns were a part s0 of the way from the
                    anchor, and they are at s1 now                                  */
  double s0, s1;
  double *from; /* [max_loop] the unknowns at s0                                    */
  double *move; /* [max_loop] the first correction                                  */
} dae_newton;

/* Enclosures of programs, loop_range.c. */
typedef struct dae_range {
  brink__itv *point;  /* [max_range] values in the middle of the stretch           */
  brink__itv *series; /* [max_range][2] values and slopes on it                    */
  brink__itv *shift;  /* [max_enclosed] inverse times residuals                    */
  brink__itv *row;    /* [max_enclosed] of 1 - inverse times Jacobian              */
  brink__itv *slope;  /* [max_input] of what a loop reads                          */
  double *inverse;    /* [max_enclosed][max_enclosed]                              */
  double *radius;     /* [max_enclosed] of the box of the unknowns                 */
  double *spread;     /* [max_enclosed] what the Jacobian adds to that             */
} dae_range;

/* Where a branch of solutions of a loop turns back. */
typedef struct dae_fold {
  const dae_step *step; /* NULL: there was none                                      */
  int unknown;          /* of the loop                                               */
  double t;             /* it lies before this time                                  */
} dae_fold;

/* Relations that are solved together with loops, clause/branch_search.c. */
typedef struct dae_branches {
  unsigned char *decided; /* [relations] a search has decided it in this instant: its
                             value stays while its guard is within rounding          */
  double *begin;     /* [relations + stairs] values that a search begins with        */
  double *v;         /* [n_symbols] the values of all symbols there                  */
  double *present;   /* [max_coupled] values of the component's relations and stairs */
  double *candidate; /* [max_coupled] those that are tried                           */
  double *found;     /* [max_coupled] the nearest so far that agree                  */
  double *guard;     /* [max_coupled] guards and arguments that follow from them     */
  double *path;      /* [max_piecewise]                                              */
  double *jet;       /* [2 n_slots]                                                  */
  double *law;       /* [n_symbols] the values of all symbols, while others are in v */
  double *y;         /* [n]                                                          */
  int closed; /* 1: a relation was put back whose own branch contradicts it        */
  double put_back_t; /* when a relation that fired was last put back; NaN: never     */
  int failed;        /* 1 + component for which the last search has found nothing    */
  int tried, unsolved; /* combinations there, and those without a solution           */
} dae_branches;

/* What one simulation of the model changes. */
typedef struct dae_live {
  const dae_model *m;
  size_t bytes; /* of the whole object                                             */
  brink_ctx *ctx;

  /* -- numbers that parameters determine -- */
  dae_constants constants; /* written at the start, and when a parameter is set    */
  dae_settings own_settings;
  dae_settings *settings; /* own, or those of all modes (machine/modes.h)    */
  int echoes; /* how often an event comes back through delays                      */

  /* -- evaluation -- */
  double *v;          /* [n_slots]   values of symbols, then temporaries of tapes  */
  double *y;          /* [n]         states of the instant or start under way      */
  double t;           /* of the last evaluation                                    */
  int backward;       /* the clock of the run is the negative of time              */
  brink__itv *work;   /* [n_slots]   scratch of rounding bounds                    */
  double *bound;      /* [max_roots or max_loop] rounding bounds of the roots of a tape
                       */
  double *delta;      /* [n_symbols] zeros; scratch: uncertainty of the states     */
  brink__itv *series; /* [max_series][max_order + 1] of guards, guard_series.c     */
  dae_range range;    /* guards behind loops                                       */
  double *r, *du, *u; /* [max_loop]  Newton's method                               */
  brink__numeric *factors; /* [n_loops] of their matrices                          */
  double *unit; /* [max_loop]  of the unknowns, in the matrix                */
  dae_path path;
  dae_projecting projecting;
  dae_restarting restarting;
  dae_misfit misfit; /* of DAE_FAULT_RESTART                                         */

  /* -- solutions of nonlinear loops, see follow.c -- */
  double *anchor;   /* [DAE_ANCHORS][n_symbols] values at accepted points, and ... */
  double *anchor_t; /* [DAE_ANCHORS] ... their times; rows by anchor_row           */
  int anchors, anchor_first; /* how many, and the row of the newest                */
  int released; /* a start or a jump is under way: loops may take any solution */
  double *memo; /* [n_memo] by loop: knowns and unknowns of its last solution   */
  unsigned char *memo_valid; /* [n_loops]                                            */
  signed char *sign;         /* [n_loops] of the determinant at the last solution    */
  signed char *anchor_sign;  /* [n_loops] at the newest anchor; 0: not known         */
  dae_newton newton;
  dae_fold fold; /* the last one met, since the start                               */
  int searching; /* loops that Newton's method does not solve are searched: search.c */
  dae_fault fault;
  brink__effort effort;
  dae_memory own;     /* what delays read, of a model without machines             */
  dae_memory *memory; /* own, or that of all modes (machine/modes.h)               */
  char reason[DAE_REASON];

  /* -- signals -- */
  dae_look look;
  double *signal_scale; /* [n_signal_sums] by how much the largest term varies      */
  double *signal_value; /* [n_signals]   as they were when that was measured       */
  double *signal_input; /* [n_signal_known] what they read, as it was then         */
  brink__itv *signal_series; /* [signal_slots][DAE_SIGNAL_ORDER + 1]                */

  /* -- guards behind large loops, see clause/guard_steps.c -- */
  dae_reach guard_reach;
  double *guard_work; /* [n_guard_work] scratch                                     */

  /* -- start -- */
  const start_homotopy *homotopy; /* while its path is followed; NULL: lambda is 1  */
  dae_initial_work initial;

  /* -- events -- */
  brink__firing *firing; /* [guards]    when it fired, and its values then         */
  double *next;          /* [timers]    next time                                  */
  double *tick;          /* [timers]    number of the next tick of a sample, or
                                        the time at which a relation last changed  */
  double *becomes;       /* [timers]    value of the relation after its time       */
  unsigned char *ticked; /* [timers]    it was due in this instant                 */

  /* -- the instant under way -- */
  double *old;          /* [discretes] values at its beginning                    */
  double *old_relation; /* [relations] the same                                   */
  double *old_stair;    /* [stairs]    the same                                   */
  unsigned char *fired; /* [branches]  the branch has fired                       */
  int *reinit;          /* [states]    act that sets it, or -1                    */
  double *reinit_value; /* [states]    to what                                    */
  const brink__flat_action *
      *set_by;          /* [states] reinit that has set it, for a restart */
  unsigned char *fresh; /* [states]    it has no left limit                       */
  int stop;             /* terminate() was met                                    */
  double *saved;        /* [relations] scratch: clause_save_relations                */
  double *cond;         /* [conds]     scratch of triggers.c                      */
  unsigned char *mark;  /* [n_symbols] scratch of instant_report.c                */
  double *push;         /*             scratch of reflection.c                    */
  size_t *pushed;       /* [n_pushes]  scratch of reflection.c                    */
  double *nudge;        /* [2 n]       scratch of nudge_to_zero.c, literals.c     */
  signed char *outside_sign; /* [guards] scratch of unilateral.c                   */
  signed char *enter_sign;   /* [guards] scratch of brink__clause_enter            */
  dae_branches branches;

  /* -- warnings: assertions, then acts -- */
  unsigned char *warned; /* [asserts + acts] a warning was given ...               */
  double *warned_t;      /* [asserts + acts] ... when ...                          */
  double *warned_part;   /* [n_texts]   ... and the numbers of its text            */
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

/* ------------------------------------------------------ constants.c ------ */

/* Put a number where it belongs; 0: it cannot be used. */
int brink__dae_constant_put(const dae_model *m, dae_constants *c,
                            dae_constant_kind kind, int index, double value);

/* Evaluate one definition, v [n_slots] holding the parameters; BRINK_EDOMAIN with
 * *fault.  A parameter goes into v as well. */
brink_status brink__dae_constant_evaluate(const dae_model *m, const dae_definition *d,
                                          double *v, dae_constants *c,
                                          dae_constant_fault *fault);

/* A sentence about the fault; the place in the text of the model. */
brink__place brink__dae_constant_explain(const dae_model *m,
                                         const dae_constant_fault *fault, char *buf,
                                         size_t cap);

/* Is the value of a variable, or its start value, within its min and max?  1: no, and
 * buf says so; -1: min is above max. */
int brink__dae_limits(const dae_model *m, const dae_constants *c, size_t var, char *buf,
                      size_t cap);

/* Evaluate live->constants from the settings, and the parameters in live->v. */
brink_status brink__dae_constants(dae_live *live, brink_err *err);

/* Warning number *number about values that settings have put beyond their limits, in
 * live->reason; NULL: there are fewer, and *number is less by so many. */
const char *brink__dae_limit_warning(dae_live *live, int *number);

/* The longest step that makes sense: the shortest constant delay; 0: any. */
double brink__dae_longest_step(const dae_live *live);

/* -------------------------------------------------- signal_steps.c ------- */

/* The longest step from t that the signals of the flow allow, in a run to t_end at this
 * tolerance; infinite: any.  wanted: the step that would be tried, 0: the flow begins
 * anew at t. */
double brink__dae_signal_step(dae_live *live, double t, double t_end, double wanted,
                              double rtol);

/* --------------------------------------------------------- run.c --------- */

/* Run a program at (t, y).  BRINK_OK, or BRINK_EDOMAIN with live->fault set. */
brink_status brink__dae_run(dae_live *live, const dae_program *p, double t,
                            const double *y);

/* Run one tape, of a step of a program or (NULL) of none.  BRINK_EDOMAIN: live->fault
 * names the operation that has no value. */
brink_status brink__dae_run_tape(dae_live *live, const dae_step *step,
                                 const brink__tape *tape);

/* flow_jacobian.c: entries of dF/du at (t, u); F there.  They answer as brink__dae_run.
 */
brink_status brink__dae_jacobian_at(dae_live *live, double t, const double *u,
                                    double *entry);
brink_status brink__dae_residual_at(dae_live *live, double t, const double *u,
                                    double *F);

/* projection.c: put the states on the constraints, at time t, by the smallest change in
 * units of `unit` [n]; 0: that state stays.  first: NULL, or units in which each stage
 * is corrected once before, as far as that goes.  BRINK_EDOMAIN: that cannot be,
 * live->fault says why. */
brink_status brink__dae_project(dae_live *live, const dae_stages *stages, double t,
                                const double *first, const double *unit, double *y,
                                int *moved);

/* projection.c: a change of a state that is rounding: of its value, or (of a state that
 * is zero) of the unit in which changes of it are measured, a tolerance or a nominal
 * value; more of those, since the solution of a part mixes the roundings of all its
 * rows.  So far a projection leaves the states off the constraints. */
double brink__dae_projected_within(double y, double unit);

/* projection.c: of what size the state is, a derivative of a variable with this nominal
 * value, if its Taylor series goes on to grow as the two orders below it do. */
double brink__dae_expected(const dae_model *m, double nominal, const double *y,
                           int32_t x);

/* projection.c: the same in units of nominal values, those of the left limit of an
 * event; states that the user has not written follow the others first. */
brink_status brink__dae_project_left(dae_live *live, double t, double *y);

/* projection.c: evaluate the tape of a stage. */
brink_status brink__dae_stage_values(dae_live *live, const dae_stage *s, double t,
                                     const double *y);

/* impulse.c: the states y after an event, from the left limits and what reinit has set.
 * BRINK_EDOMAIN: there are none, live->fault says why. */
brink_status brink__dae_restart(dae_live *live, const dae_restart *given, double *y);

/* impulse.c: did the guard of the relation (its symbol) have an impulse in the last
 * restart that had some?  1: then *value is what the relation was while it acted. */
int brink__dae_impulse_decides(const dae_live *live, int32_t slot, int *value);

/* The size of unknown i of a loop that counts as 1. */
static inline double brink__dae_nominal(const dae_live *live, const dae_loop *loop,
                                        size_t i)
{
  return loop->var[i] < 0 ? 1 : live->constants.nominal[loop->var[i]];
}

/* Solve one loop from the values in live->v. */
brink_status brink__dae_loop(dae_live *live, const dae_step *step);

/* Solve J x = live->r with the matrix J of a loop at the values in live->v; factored:
 * it is the same as in the last call. */
int brink__dae_loop_solve(dae_live *live, const dae_step *step, int factored);

/* Newton's method for a loop, from live->u and the same values in live->v. */
int brink__dae_newton(dae_live *live, const dae_step *step, int most);

/* The sign of the determinant at the values in live->v; 0: it is singular, or has none.
 */
int brink__dae_sign(dae_live *live, const dae_step *step);

/* ------------------------------------------------------- follow.c -------- */

enum { DAE_ANCHORS = 6 }; /* accepted points that a prediction is made from         */

/* A start or a jump begins: until the next anchor loops are solved from the values in
 * live->v, which are those of the last anchor at first, and may take any solution. */
void brink__dae_release(dae_live *live);

/* It is over at (t, y): from here the loops are followed.  Without a solution there the
 * loops remain released.  moved: what the loops depend on goes on differently. */
void brink__dae_anchor(dae_live *live, double t, const double *y, int moved);

/* The solution was accepted up to (t, y): brink__model_ops.accepted. */
brink_status brink__dae_accepted(const brink_model *model, brink__live *live, int mode,
                                 double t, const double *y, brink_err *err);

/* brink__model_ops.fold */
const char *brink__dae_fold_at(const brink_model *model, brink__live *live, int mode,
                               double t, brink_err *err);

/* Put the unknowns of the loop where they are at the newest anchor, if its knowns are
 * the same as there. */
int brink__dae_unmoved(dae_live *live, const dae_loop *loop);

/* Put the knowns of a loop that is being followed a part s of the way from the anchor
 * to where they are. */
void brink__dae_between_anchor(dae_live *live, const dae_loop *loop, double s);

/* The solution of a loop that continues the one at the last anchor; see follow.c. */
int brink__dae_follow(dae_live *live, const dae_step *step);

/* ------------------------------------------------------ tangent.c -------- */

/* The derivatives of what a program computes along a direction, where it has just been
 * run.  jet: [2 n_slots] the value and the derivative of every symbol; begin sets the
 * values, and the derivatives to 0.  again: another direction at the same point. */
void brink__dae_tangent_begin(const dae_live *live, double *jet);
brink_status brink__dae_tangent(dae_live *live, const dae_program *p, int again,
                                double *jet);

/* The same where the unknowns of some loops (held: [steps] 1) are given, value and
 * derivative in jet: r and slope are the residuals of these loops, one after the other,
 * and their derivatives. */
brink_status brink__dae_held_tangent(dae_live *live, const dae_program *p,
                                     const unsigned char *held, double *jet, double *r,
                                     double *slope);

/* The same for one loop whose unknowns are given: its residuals and their derivatives.
 */
brink_status brink__dae_residual_tangent(dae_live *live, const dae_step *step,
                                         double *jet, double *r, double *slope);

/* ------------------------------------------------------- search.c -------- */

enum { DAE_SEARCH_MAX = 500 }; /* unknowns of a loop that is searched far and wide */

/* Solve a loop from wherever that is possible. */
int brink__dae_search(dae_live *live, const dae_step *step);

/* The steps of a program, with the slots of time, states and delays as they are. */
brink_status brink__dae_steps(dae_live *live, const dae_program *p);

/* -------------------------------------------------- loop_range.c --------- */

enum { DAE_ENCLOSED_MAX = 64 }; /* unknowns of a loop that is enclosed              */

/* Enclose what a program computes on a stretch of length 2 reach of a step, and its
 * slopes (order 1): what it reads is in live->range.series[2 * symbol + k] (value k =
 * 0, slope 1), and its values in the middle of the stretch, where the program has just
 * been run, in live->range.point[symbol]; the roots go there as well.  With reach 0 and
 * order 0 only the latter count.  0: that is not possible on so long a stretch. */
int brink__dae_enclose(dae_live *live, const dae_program *p, int order, double reach);

/* ------------------------------------------------------ series.c --------- */

/* Bytes that brink__dae_series needs as `work`. */
size_t brink__dae_series_size(const dae_model *m, const dae_program *p, int order);

/* The Taylor series of the states in theta = (time - t)/h, out[i * (order + 1) + k].
 * The program computes their derivatives, and has just been run at the point (t, y).
 * BRINK_OK, or BRINK_EDOMAIN with live->fault set. */
brink_status brink__dae_series(dae_live *live, const dae_program *p, double h,
                               const double *y, int order, void *work, double *out);

/* The same for the last root of a program that ends in a tape and has just been run,
 * along series of the states: out[k].  `work` is as large as for this program. */
brink_status brink__dae_series_along(dae_live *live, const dae_program *p, double h,
                                     const double *states, int order, void *work,
                                     double *out);

/* --------------------------------------------------- history.c -------- */

/* Values of the slots of delays at (t, y); v[BRINK__TIME] is t. */
brink_status brink__dae_read_delays(dae_live *live, double t, const double *y);

/* The operations of these names, see model.h. */
int brink__dae_delayed(const brink_model *model, brink__live *live, int mode, double t,
                       const double *y, double *v);
void brink__dae_history_record(const brink_model *model, brink__live *live, int mode,
                               const brink_step *step, double begin, double end,
                               double t_end, const brink__delayed *law);
void brink__dae_history_same(const brink_model *model, brink__live *live,
                             const brink__live *from);

/* Begin remembering at t: 1 if what was taken for the values before the start is what
 * they are at (t, y), up to tol times themselves. */
int brink__dae_history_begin(dae_live *live, double t, const double *y, double tol);

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
