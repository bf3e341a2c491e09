/* dae/inner.h -- what the files of this room share: the compiled model, its live
 * half, and the workshop in which it is built.  Nobody outside includes it.
 *
 * Every unknown is a symbol.  A program is a list of steps over one array of values:
 * a tape (a stretch of explicit assignments) or a loop (equations solved together).
 * There is one program for the derivatives, one for all variables, one for events,
 * and one for each guard; each computes only what is asked of it.
 */
#ifndef BRINK_DAE_INNER_H
#define BRINK_DAE_INNER_H

#include <math.h>

#include "dae/flat.h"
#include "model/model.h"

/* ------------------------------------------------------------ programs --- */

/* Equations solved together for as many unknowns. */
typedef struct dae_loop {
  size_t n;
  int linear;
  int32_t *symbol;       /* [n] the unknowns                                       */
  int32_t *row;          /* [n] the equations                                      */
  double *nominal;       /* [n] sizes that count as 1                              */
  brink__tape *residual; /* n roots                                                */
  brink__tape *jacobian; /* nnz roots: d residual[i[k]] / d symbol[j[k]]           */
  size_t nnz;
  int32_t *i, *j; /* [nnz]                                                  */
} dae_loop;

typedef struct dae_step {
  brink__tape *tape; /* or                                                         */
  dae_loop *loop;
  int32_t *row;      /* tape: [n_rows] the equation behind each of its first roots */
  brink__node *root; /* tape: [n_rows] what it was solved to                       */
  size_t n_rows;
} dae_step;

/* The equations behind a step, *n of them. */
static inline const int32_t *brink__dae_rows_of(const dae_step *s, size_t *n)
{
  *n = s->loop ? s->loop->n : s->n_rows;
  return s->loop ? s->loop->row : s->row;
}

typedef struct dae_program {
  dae_step *steps;
  size_t n_steps;
  int32_t *states; /* [n_states] which of y are read                              */
  size_t n_states;
} dae_program;

/* ------------------------------------------------------------- parts ----- */

/* Where a frozen value or a discrete variable is used. */
enum {
  DAE_IN_FLOW = 1,      /* the derivatives depend on it                            */
  DAE_IN_EQUATION = 2,  /* an equation between Reals, a guard or an assertion does */
  DAE_IN_BARE = 4,      /* it is the condition of a when                           */
  DAE_IN_CONDITION = 8, /* it is part of the condition of a when                   */
  DAE_IN_LAW = 16,      /* an equation between Reals depends on it                 */
  DAE_IN_DISCRETE = 32  /* an equation between Booleans or Integers does           */
};

enum { BRINK__DAE_PARTS = 32 }; /* numbers that one message can show */

typedef struct dae_relation {
  int32_t slot;
  brink__node g; /* left - right                                           */
  int rising;    /* true where g > 0, else where g < 0                     */
  int with_zero; /* true where g = 0                                       */
  unsigned uses;
  int jumpy; /* g depends on what events change, beyond the states         */
  int idle;  /* value with which no transition is taken; -1: it has none   */
  int of;    /* 1 + state whose transitions read it; 0: none; -1: several  */
  int guard; /* index, or -1                                               */
  int timer; /* index, or -1: g = a time + b                               */
} dae_relation;

typedef struct dae_stair {
  int32_t slot;
  brink__node arg;
  brink__stair kind;
  unsigned uses;
  int jumpy;
  int guard; /* of the lower bound; guard + 1 is the upper one             */
} dae_stair;

/* A stair has the value n from low to high. */
static inline double dae_stair_low(const dae_stair *s, double n)
{
  return s->kind == BRINK__STAIR_DOWN || (s->kind == BRINK__STAIR_IN && n > 0) ? n
                                                                               : n - 1;
}

static inline double dae_stair_high(const dae_stair *s, double n)
{
  return s->kind == BRINK__STAIR_UP || (s->kind == BRINK__STAIR_IN && n < 0) ? n
                                                                             : n + 1;
}

static inline double dae_stair_of(const dae_stair *s, double x)
{
  return s->kind == BRINK__STAIR_DOWN ? floor(x)
         : s->kind == BRINK__STAIR_UP ? ceil(x)
                                      : trunc(x);
}

typedef struct dae_guard {
  int relation; /* index, or -1                                            */
  int stair;    /* index, or -1                                            */
  int domain;   /* variable whose bound it is, or -1; g > 0 is inside      */
  int upper;    /* that bound is its max                                   */
  dae_program program;
  brink__tape *last; /* borrowed: its last root is the guard's expression          */
  int32_t *known;    /* [n_known] what its tape reads besides time and states      */
  size_t n_known;
} dae_guard;

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

/* What a branch does besides assigning.  The tape `acts` has three kinds of roots,
 * each guarded by the branch: condition, value, and the parts of the text. */
typedef struct dae_act {
  const brink__flat_action *flat;
  int branch;
  int state;                 /* REINIT: which                           */
  size_t cond, value, parts; /* roots of acts                    */
} dae_act;

typedef struct dae_assert {
  const brink__flat_action *flat;
  size_t value, parts; /* roots of asserts                       */
} dae_assert;

typedef struct dae_timer {
  int sample;   /* index, or -1                                                 */
  int relation; /* index, or -1                                                 */
  double start, every;
  const char *name;
  int delay; /* 1 + index: what happened so long ago comes back; 0: none        */
  brink__tape *tape; /* of a relation; roots: slope and value at time 0 of its g */
} dae_timer;

enum {
  DAE_NODES = 10,    /* samples of a delayed expression in each step             */
  DAE_PIECES = 4096, /* steps that are remembered                                */
  DAE_BREAKS = 4096, /* events that are remembered: one at each step             */
  DAE_ECHOES = 6,    /* times that an event comes back: each echo is smoother    */
  DAE_ENDLESS = 250  /* ... where it is not                                      */
};

typedef struct dae_delay {
  int32_t slot;
  double by;   /* < 0: it moves, a root of by_tape    */
  double most; /* longest                             */
  int timed;   /* it moves, but not with the states   */
} dae_delay;

/* A continuous variable whose left limit is read by pre(). */
typedef struct dae_left {
  int32_t value, pre;
  int is_state;
} dae_left;

/* What the start must satisfy beyond the states' own values. */
typedef struct dae_initial {
  size_t n_assigns;       /* slots set directly: states, pre() of discretes        */
  int32_t *assign_target; /* [n_assigns]                                           */
  brink__tape *assign_tape;
  size_t n;           /* residuals, the last roots of the program's last tape     */
  int32_t *eqn, *var; /* [n] where from: an initial equation, or the variable whose
                         start value is fixed; the other is -1                    */
  dae_program program;
  size_t n_free;   /* states that the residuals may move                             */
  int32_t *free;   /* [n_free]                                                     */
  double *nominal; /* [n_free]                                                     */
} dae_initial;

/* A model with homotopy() while the start is searched; see homotopy.c and follow.c. */
typedef struct dae_law {
  int used;                 /* 0: there is none, or nothing that needs a path       */
  dae_program program;      /* the event system; behind it, the residuals of initial */
  brink__tape *assign_tape; /* as that of initial                                   */
  dae_program *relation;    /* [relations] ends in left - right; none: it has a timer */
  dae_program *stair;       /* [stairs] ends in its argument                        */
  struct dae_row *simple;   /* [n_rows] with lambda = 0, for people                  */
  unsigned char *open;      /* [program.n_steps] 1: a loop that the path solves      */
  int with_states;          /* free states and initial equations take part          */
  size_t n_loops;           /* unknowns of open loops ...                            */
  size_t n, n_rows;         /* ... of the whole path; its equations                  */
} dae_law;

typedef struct dae_row {
  brink__node lhs, rhs;
  brink__place at;
  int32_t unknown;
  int kind; /* DAE_ROW_*                                                   */
  int mode; /* of a written equation: 1 + state it belongs to, or 0        */
} dae_row;

enum {
  DAE_ROW_REAL,     /* an equation between Reals                                   */
  DAE_ROW_DISCRETE, /* an equation between Booleans, Integers, enumerations        */
  DAE_ROW_ASSIGN,   /* a variable assigned in a when                               */
  DAE_ROW_COND,     /* the value of a condition                                    */
  DAE_ROW_FIRE      /* whether a branch fires                                      */
};

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

  dae_row *rows;
  dae_relation *relations;
  dae_stair *stairs;
  dae_guard *guards;
  dae_discrete *discretes;
  dae_cond *conds;
  dae_branch *branches;
  dae_act *acts;
  dae_assert *asserts;
  dae_timer *timers;
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
  int unilateral;     /* conditions and bounds beyond which f does not exist       */
  int told;           /* the law changes at guards only                            */
  int left_algebraic; /* a left limit beyond the states is wanted                  */
  int bare_samples;   /* samples occur as whole conditions of whens only           */

  dae_initial initial;
  dae_law law;
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

/* Where an evaluation failed, to be told only when somebody asks. */
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
  DAE_FAULT_ASSERT,
  DAE_FAULT_DELAY
};

enum { DAE_REASON = BRINK_ERR_TEXT - 128 }; /* room for what others say about it */

/* What delays remember of the run; see delay.c. */
typedef struct dae_memory {
  double *before;          /* [delays] value before the start                     */
  double *piece_t;         /* [pieces][2] begin and end                           */
  double *piece_v;         /* [pieces][delays][DAE_NODES]                         */
  size_t n_pieces;         /* so far; the last DAE_PIECES are there               */
  double *broke_t;         /* [DAE_BREAKS] events, oldest first                   */
  unsigned char *broke_by; /* [DAE_BREAKS] echo of an echo of ...                 */
  size_t n_broken;
  double segment; /* when the flow last started                                    */
  double *after;  /* [delays] values there, if after_t is that time                */
  double after_t;
  double *far; /* [2][delays] scratch */
  int recording;
  double begin; /* of the run                                                    */
} dae_memory;

/* Its arrays, for the lists that measure and carve. */
#define DAE_MEMORY_ARRAYS(X, memory, n_delays)                                         \
  X(memory.before, n_delays)                                                           \
  X(memory.after, n_delays)                                                            \
  X(memory.far, 2 * (n_delays))                                                        \
  X(memory.piece_t, (n_delays) ? 2 * DAE_PIECES : 0)                                   \
  X(memory.piece_v, (n_delays) * (size_t)(DAE_PIECES * DAE_NODES))                     \
  X(memory.broke_t, (n_delays) ? DAE_BREAKS : 0)                                       \
  X(memory.broke_by, (n_delays) ? DAE_BREAKS : 0)

struct brink__live {
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
  double *onto;          /* [2 n]       scratch of onto                           */
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
  /* curves, see curve.c, follow.c, search.c */
  const dae_law *law; /* while the start is searched along it; NULL: lambda is 1   */
  int searching;      /* loops may be searched far and wide                        */
  double *pj; /* [rows + 1][unknowns + 1] slopes, and the row that bounds a step */
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
  dae_memory *memory; /* own, or that of all combinations (modes.h)                */
  double t;           /* of the last evaluation                                    */
  char reason[DAE_REASON];
};

/* The value of the relation where its guard has this sign. */
static inline double dae_truth(const dae_relation *r, int sign)
{
  return (sign > 0) == r->rising;
}

/* The equations as they are being solved, for people. */
static inline const dae_row *dae_rows_of(const brink__live *live)
{
  return live->law && live->v[live->m->flat->lambda] == 0 ? live->law->simple
                                                          : live->m->rows;
}

static inline const dae_model *dae_of(const brink_model *model)
{
  return (const dae_model *)model;
}

/* --------------------------------------------------------- run.c --------- */

/* Run a program at (t, y).  BRINK_OK, or BRINK_EDOMAIN with live->fault set. */
brink_status brink__dae_run(brink__live *live, const dae_program *p, double t,
                            const double *y);

/* Solve one loop from the values in live->v. */
brink_status brink__dae_loop(brink__live *live, const dae_step *step);

/* Newton's method for a loop, from live->u and the same values in live->v. */
int brink__dae_newton(brink__live *live, const dae_step *step, int most);

/* ------------------------------------------------------- search.c -------- */

enum { DAE_SEARCH_MAX = 500 }; /* unknowns of a loop that is searched far and wide */

/* Solve a loop from wherever that is possible. */
int brink__dae_search(brink__live *live, const dae_step *step);

/* ---------------------------------------------------------- say.c -------- */

/* A sentence that grows in a buffer of fixed size.  None of these allocates. */
typedef struct dae_say {
  char *buf;
  size_t cap, n;
} dae_say;

void brink__say(dae_say *s, const char *fmt, ...) BRINK__PRINTF(2, 3);
void brink__say_symbol(dae_say *s, const brink__live *live, int32_t id);
void brink__say_node(dae_say *s, const brink__live *live, brink__node n, size_t most);
void brink__say_equation(dae_say *s, const brink__live *live, brink__node lhs,
                         brink__node rhs, int line);
void brink__say_row(dae_say *s, const brink__live *live, int32_t row);

/* "x = 1, y = 2" of the variables below the roots, but for those to skip; nothing if
 * there are none, else with `before` in front.  How many. */
int brink__say_values(dae_say *s, const brink__live *live, const char *before,
                      const brink__node *roots, size_t n_roots, const int32_t *skip,
                      size_t n_skip);

/* Is the node below the root?  Bounded work: 0 may mean that it was not found. */
int brink__dae_holds(const dae_model *m, brink__node root, brink__node node);

/* Value of an expression, from those in live->v; NaN: none, or not found out. */
double brink__dae_value_of(const brink__live *live, brink__node n);

/* ------------------------------------------------------- report.c -------- */
/* Sentences, in live->reason. */

/* What is behind live->fault. */
const char *brink__dae_reason(brink__live *live);

/* Derivative number `state` at the last evaluation: its equation and values. */
const char *brink__dae_about(brink__live *live, size_t state);

/* An assertion fails; the numbers of its text are the roots of tape from `first`. */
void brink__dae_broken(brink__live *live, const brink__flat_action *a,
                       const brink__tape *tape, size_t first, double t);

/* Two reinits give different values. */
void brink__dae_conflict(brink__live *live, const brink__flat_action *a,
                         const brink__flat_action *b, double va, double vb, double t);

/* Iteration does not end; what changes is a discrete variable or a relation, or (-1)
 * not known. */
void brink__dae_unsettled(brink__live *live, const char *what, int passes, int discrete,
                          int relation, double t);

/* The initial equations, where the path of homotopy() was lost. */
const char *brink__dae_unmet(brink__live *live);

/* The initial problem; `worst` is the residual that is missed by most. */
void brink__dae_unsolved(brink__live *live, size_t worst, double t);

/* "reinit(v, -e*v) (line 7)" */
void brink__say_action(dae_say *s, const brink__live *live,
                       const brink__flat_action *a);

/* Fill the places of a text with numbers. */
void brink__dae_text(const brink__flat_action *a, const double *parts, char *buf,
                     size_t cap);

/* --------------------------------------------------------- acts.c -------- */

/* What the branches that fire in this pass do besides assigning. */
brink_status brink__dae_acts(brink__live *live, double t, brink__instant *inst,
                             brink_err *err);

/* The sentence of warning number i, of the assertions and then of the acts, which has
 * been given (live->warned). */
const char *brink__dae_warning(brink__live *live, size_t i);

/* Where in live->warned_part the numbers of warning i begin. */
size_t brink__dae_warned_part(const dae_model *m, size_t i);

/* Note the warnings whose condition is false in live->v. */
void brink__dae_warnings(brink__live *live, double t);

/* Check the assertions at (t, y). */
brink_status brink__dae_check(brink__live *live, double t, const double *y,
                              brink_err *err);

/* -------------------------------------------------------- event.c -------- */

brink_status brink__dae_instant(const brink_model *model, brink__live *live,
                                brink__instant *inst, brink_err *err);
int brink__dae_triggers(const brink_model *model, brink__live *live, int mode,
                        const signed char *before, const signed char *after);
int brink__dae_enter(const brink_model *model, brink__live *live, int mode, double t,
                     const double *g, const signed char *old_sign, signed char *sign,
                     signed char *hit, brink_err *err);

/* Value of guard k at (t, y) and its rounding bound.  0: it has none here. */
int brink__dae_guard_at(brink__live *live, int k, double t, const double *y, double *g,
                        double *bound);

/* The sign that the frozen value of guard k stands for. */
int brink__dae_frozen(const brink__live *live, int k);

/* Before an instant: what it may change; no branch has fired, nothing is reset. */
void brink__dae_remember(brink__live *live);

/* Evaluate the event system at (t, live->y) until nothing changes. */
brink_status brink__dae_settle(brink__live *live, double t, brink__instant *inst,
                               brink_err *err);

/* The actions of the branches that fire at the start, and pre() after them. */
brink_status brink__dae_settle_first(brink__live *live, double t, brink_err *err);

/* Carry out `when terminal()`. */
brink_status brink__dae_finish(const brink_model *model, brink__live *live, int mode,
                               double t, const double *y, brink_err *err);

/* brink__dae_check after an instant: what reinit has moved counts with the relations
 * that hold there, whose events are still to come.  Last of all: overwrites what is
 * remembered. */
brink_status brink__dae_check_after(brink__live *live, const brink__instant *inst,
                                    brink_err *err);

int brink__dae_beyond(const brink_model *model, brink__live *live, int mode,
                      const signed char *sign);
int brink__dae_outside(const brink_model *model, brink__live *live, int mode, double t,
                       const double *y);
brink_side brink__dae_side(const brink_model *model, int mode, int k);

/* ------------------------------------------------------ outcome.c -------- */

int brink__dae_any_hit(const dae_model *m, const brink__instant *inst);

/* Which classes, judging by what is different. */
unsigned brink__dae_changes(const brink__live *live, const brink__instant *inst);

/* Fill in what fired; what changed without effect; and a bound that was reached: unless
 * a when has acted there, the run ends.  BRINK_EDOMAIN: a start or a jump lies beyond
 * it. */
void brink__dae_tell(brink__live *live, brink__instant *inst);
void brink__dae_tell_silent(brink__live *live, brink__instant *inst);
brink_status brink__dae_at_bounds(brink__live *live, brink__instant *inst,
                                  brink_err *err);

/* --------------------------------------------------------- onto.c -------- */

/* An evaluation at (t, live->y) has failed: if relations whose event is here have left
 * the state on the other side of their zeros, move it onto them.  1 if it has moved. */
int brink__dae_onto(brink__live *live, double t);

/* ------------------------------------------------------- timers.c -------- */

/* The relation of a timer at t, when what it depends on may have changed; 1 if it
 * changes. */
int brink__dae_time_again(brink__live *live, const dae_relation *r, double t);

double brink__dae_next_time(const brink_model *model, brink__live *live, int mode,
                            double t, const double *y, int asked, unsigned char *due);

/* The steps of a program, with the slots of time, states and delays as they are. */
brink_status brink__dae_steps(brink__live *live, const dae_program *p);

/* -------------------------------------------------------- delay.c -------- */

/* Values of the slots of delays at (t, y); v[BRINK__TIME] is t. */
brink_status brink__dae_delay(brink__live *live, double t, const double *y);

void brink__dae_record(const brink_model *model, brink__live *live, int mode,
                       const brink_step *step, double begin, double end, double t_end);

/* Begin remembering at t: 1 if what was taken for the values before the start is what
 * they are at (t, y). */
int brink__dae_remember_start(brink__live *live, double t, const double *y);

/* There is an instant at t; `own`: not only an echo. */
void brink__dae_break(brink__live *live, double t, int own);

/* Next time after t at which an event comes back through delay i. */
double brink__dae_echo(brink__live *live, int i, double t);

/* ------------------------------------------------------- series.c -------- */

int brink__dae_guard_range(const brink_model *model, brink__live *live, int mode, int k,
                           const brink_step *step, double a, double b, int order,
                           double *lo, double *hi);
int brink__dae_guard_noise(const brink_model *model, brink__live *live, int mode, int k,
                           double t, const double *y, const double *noise,
                           double *value, double *delta);

/* ------------------------------------------------------ initial.c -------- */

/* Line of the i-th condition on the start. */
int brink__dae_initial_line(const dae_model *m, size_t i);

/* -------------------------------------------------------- curve.c -------- */

/* A curve to be followed; all of its arrays are those of live, see there. */
typedef struct dae_curve dae_curve;
struct dae_curve {
  brink__live *live;
  size_t n, rows; /* unknowns besides lambda; equations                           */
  double least;   /* below this lambda the curve does not exist                   */
  int most_steps;
  double h;   /* length of the next step ...                                      */
  double top; /* ... largest lambda so far ...                                    */
  long steps; /* ... and steps so far; written by curve.c                         */

  /* pr0 = F(px), pj = its slopes in px / pq.  0: not here. */
  int (*slopes)(dae_curve *c);
  void (*measure)(dae_curve *c); /* pq at px */
  /* A point was found: look at what is frozen, and correct again if that has moved;
   * 0: there is no such point.  NULL: nothing is. */
  int (*settle)(dae_curve *c, int last, int *moved);
  void (*keep)(dae_curve *c, int top); /* this point is good, and (top) the furthest */
  void (*back)(dae_curve *c);          /* return to it                               */
};

typedef enum dae_curve_end {
  DAE_CURVE_DONE,
  DAE_CURVE_LOST,
  DAE_CURVE_BACK, /* it leads below `least`             */
  DAE_CURVE_LONG, /* not in most_steps                  */
  DAE_CURVE_STUCK /* it has no direction where it begins */
} dae_curve_end;

/* From px, where F = 0, to lambda = 1; sign < 0: beginning towards smaller lambda. */
dae_curve_end brink__dae_curve(dae_curve *c, double sign);

/* Newton's method across the direction, or (last) with this lambda; again: it may lead
 * further away. */
int brink__dae_curve_correct(dae_curve *c, int last, int again);

/* ------------------------------------------------------- follow.c -------- */

/* Values of relations and stairs at (t, live->y) and the present lambda; 1 if one
 * changes. */
int brink__dae_law_literal(brink__live *live, double t);

/* start.c: have discrete variables moved since the last time? */
int brink__dae_discretes_moved(brink__live *live);

/* From a solution with lambda = 0 to one with lambda = 1.  given: the states are. */
brink_status brink__dae_follow(brink__live *live, double t, int given, brink_err *err);

/* -------------------------------------------------------- start.c -------- */

/* Literal values of relations and stairs at (t, live->y); 1 if one changes.  skip:
 * [n_symbols] slots that stay as they are, or NULL.  A relation that decides about a
 * transition is idle while its guard is within its rounding bound, the states being
 * uncertain by noise (NULL: by some roundings): where the guard goes will tell. */
int brink__dae_literal(brink__live *live, double t, const unsigned char *skip,
                       const double *noise);

brink_status brink__dae_start(const brink_model *model, brink__live *live, double t,
                              int *mode, const double *given, double *y,
                              brink_err *err);

extern const brink__model_ops brink__dae_ops;

#endif /* BRINK_DAE_INNER_H */
