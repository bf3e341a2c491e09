/* clause/clause.h -- what generates events and what they do: relations, stairs, bounds,
 * samples and delays; whens and their actions; one instant.
 */
#ifndef BRINK_CLAUSE_H
#define BRINK_CLAUSE_H

#include <math.h>

#include "dae/model.h"

/* ------------------------------------------------------------- parts ----- */

/* Where a frozen value or a discrete variable is used. */
enum {
  DAE_IN_FLOW = 1,      /* the derivatives depend on it                            */
  DAE_IN_EQUATION = 2,  /* an equation between Reals, a guard or an assertion does */
  DAE_IN_BARE = 4,      /* it is the condition of a when                           */
  DAE_IN_CONDITION = 8, /* it is part of the condition of a when                   */
  DAE_IN_REAL_EQUATION = 16, /* an equation between Reals depends on it */
  DAE_IN_DISCRETE = 32, /* an equation between Booleans or Integers does          */
  DAE_IN_TEXT = 64      /* the text of an assertion shows it                      */
};

typedef struct clause_relation {
  int32_t slot;
  brink__node g;    /* left - right                                           */
  int rising;       /* true where g > 0, else where g < 0                     */
  int true_at_zero; /* true where g = 0                                       */
  unsigned uses;
  int moved_by_events; /* g depends on what events change, beyond the states         */
  int idle;            /* value with which no transition is taken; -1: it has none   */
  int of;              /* 1 + state whose transitions read it; 0: none; -1: several  */
  int guard;           /* index, or -1                                               */
  int timer;           /* index, or -1: g is linear in time                          */
  int output_only;     /* see output_only.c                                          */
  int coupled;         /* it depends on what it decides, see coupled.c               */
} clause_relation;

typedef struct clause_stair {
  int32_t slot;
  brink__node arg;
  brink__stair kind;
  unsigned uses;
  int moved_by_events;
  int guard; /* of the lower bound, guard + 1 is the upper one; or -1      */
  int timer; /* index, or -1: the argument is linear in time               */
} clause_stair;

/* A stair has the value n from low to high. */
static inline double clause_stair_low(const clause_stair *s, double n)
{
  return s->kind == BRINK__STAIR_DOWN || (s->kind == BRINK__STAIR_IN && n > 0) ? n
                                                                               : n - 1;
}

static inline double clause_stair_high(const clause_stair *s, double n)
{
  return s->kind == BRINK__STAIR_UP || (s->kind == BRINK__STAIR_IN && n < 0) ? n
                                                                             : n + 1;
}

static inline double clause_stair_of(const clause_stair *s, double x)
{
  return s->kind == BRINK__STAIR_DOWN ? floor(x)
         : s->kind == BRINK__STAIR_UP ? ceil(x)
                                      : trunc(x);
}

typedef struct clause_guard {
  int relation; /* index, or -1                                            */
  int stair;    /* index, or -1                                            */
  int domain;   /* variable whose bound it is, or -1; g > 0 is inside      */
  int upper;    /* that bound is its max                                   */
  dae_program program;
  brink__tape *last; /* borrowed: its last root is the guard's expression          */
  int32_t *known;    /* [n_known] what its tapes read besides time and states      */
  size_t n_known;
} clause_guard;

/* A relation or stair that makes no events; see literals.c. */
typedef struct clause_literal {
  int relation; /* index, or -1                                                    */
  int stair;    /* index, or -1                                                    */
  int opposite; /* relation that makes events and whose opposite it is, or -1      */
  dae_program program;
  brink__tape *last; /* borrowed: its last root is left - right, or the argument   */
  brink__tape *line; /* instead, where that is linear in time                      */
} clause_literal;

/* Relations and stairs that depend on what they decide, through equations that need
 * each other; see coupled.c. */
typedef struct clause_coupled {
  int *relation, *stair; /* [n_relations], [n_stairs] indices                      */
  size_t n_relations, n_stairs;
  dae_program program; /* of events; its last roots: the guards of the relations, the
                          arguments of the stairs                                  */
  brink__tape *last;   /* borrowed: the tape of these roots                        */
  unsigned char *held; /* [steps of the program] a loop that they decide about ... */
  size_t n;            /* ... with so many unknowns together                       */
  int linear;          /* those loops are linear                                   */
} clause_coupled;

/* What a branch does besides assigning.  The tape `acts` has three kinds of roots,
 * each guarded by the branch: condition, value, and the parts of the text. */
typedef struct clause_act {
  const brink__flat_action *flat;
  int branch;
  int state;                 /* REINIT, PUSH: which                     */
  size_t place;              /* PUSH: of its variable among the REINIT of the branch */
  size_t cond, value, parts; /* roots of acts                    */
} clause_act;

typedef enum clause_timer_kind {
  CLAUSE_SAMPLE,   /* the tick of a sample()                                       */
  CLAUSE_RELATION, /* a relation of something linear in time changes               */
  CLAUSE_STAIR,    /* a stair of something linear in time does                     */
  CLAUSE_ECHO,     /* what happened a delay() ago comes back                       */
  CLAUSE_TERMINAL  /* the run ends: terminal() becomes true                        */
} clause_timer_kind;

typedef struct clause_timer {
  clause_timer_kind kind;
  int index;       /* of the sample, relation, stair or delay                      */
  int32_t slot;    /* what it changes; -1: nothing by itself                       */
  unsigned uses;   /* of terminal()                                                */
  int output_only; /* see output_only.c                                            */
  const char *name;
  brink__tape *line; /* of a relation or stair: its roots, see known_times.c       */
} clause_timer;

enum { CLAUSE_LINE = 3 }; /* roots that describe something linear in time */

/* The value of the relation where its guard is g, or has the sign g. */
static inline double clause_truth(const clause_relation *r, double g)
{
  return g == 0 ? r->true_at_zero : (g > 0) == r->rising;
}

/* The value of the guard, when its program has been run. */
static inline double clause_guard_value(const dae_live *live, const clause_guard *d)
{
  return live->v[brink__tape_slot(d->last, brink__tape_n_roots(d->last) - 1)];
}

/* Relations are changed for a look only: their values are put aside, and back. */
static inline void clause_save_relations(dae_live *live)
{
  for (size_t i = 0; i < live->m->n_relations; i++)
    live->saved[i] = live->v[live->m->relations[i].slot];
}

static inline void clause_restore_relations(dae_live *live)
{
  for (size_t i = 0; i < live->m->n_relations; i++)
    live->v[live->m->relations[i].slot] = live->saved[i];
}

/* Is the symbol among the n? */
static inline int clause_has(const int32_t *list, size_t n, int32_t symbol)
{
  for (size_t i = 0; i < n; i++)
    if (list[i] == symbol)
      return 1;
  return 0;
}

/* The first relation that is not as it was saved, or -1. */
static inline int clause_changed_relation(const dae_live *live)
{
  for (size_t i = 0; i < live->m->n_relations; i++)
    if (live->v[live->m->relations[i].slot] != live->saved[i])
      return (int)i;
  return -1;
}

/* ------------------------------------------- event_iteration.c -------- */

brink_status brink__clause_instant(const brink_model *model, brink__live *live,
                                   brink__instant *inst, brink_err *err);
int brink__clause_triggers(const brink_model *model, brink__live *live, int mode,
                           const signed char *before, const signed char *after);
int brink__clause_enter(const brink_model *model, brink__live *live, int mode, double t,
                        const double *g, const signed char *old_sign, signed char *sign,
                        signed char *hit, brink_err *err);

/* Value of guard k at (t, y) and its rounding bound.  0: it has none here. */
int brink__clause_guard_at(dae_live *live, int k, double t, const double *y, double *g,
                           double *bound);

/* The sign of guard k according to the present value of its relation or stair. */
int brink__clause_frozen_sign(const dae_live *live, int k);

/* Before an instant: what it may change; no branch has fired, nothing is reset. */
void brink__clause_begin_instant(dae_live *live);

/* Evaluate the event system at (t, live->y) until nothing changes. */
brink_status brink__clause_iterate(dae_live *live, double t, brink__instant *inst,
                                   brink_err *err);

/* The actions of the branches that fire at the start, and pre() after them. */
brink_status brink__clause_initial_actions(dae_live *live, double t, brink_err *err);

/* brink__clause_check after an instant: what reinit has moved counts with the relations
 * that hold there, whose events are still to come.  Last of all: overwrites what is
 * remembered. */
brink_status brink__clause_check_after(dae_live *live, const brink__instant *inst,
                                       brink_err *err);

/* -------------------------------------------- branch_search.c -------- */

/* Numbers that the path of a component needs; 0: it is too large for one. */
size_t brink__clause_path_size(const clause_coupled *c);

/* A search begins with the present values of relations and stairs, and nothing is
 * decided. */
void brink__clause_begin_search(dae_live *live);

/* Give relations and stairs that depend on what they decide values that agree with it,
 * at (t, live->y).  1: they do; 0: see brink__clause_no_branch. */
int brink__clause_search(dae_live *live, double t);

/* The sentence about the component for which the last search has found nothing, in
 * live->reason. */
const char *brink__clause_no_branch(dae_live *live, double t);

/* --------------------------------------------- event_width.c --------- */

/* The rate of guard k, which has just been evaluated, while the states move at the
 * rates in live->branches.y; 0: it is still, up to
 * rounding; NaN: it has none. */
double brink__clause_guard_rate(dae_live *live, int k);

/* A relation has fired at t, and its guard contradicts it with what holds now: is that
 * within the width of its event? */
int brink__clause_within_event(dae_live *live, const clause_relation *r, double t);

/* --------------------------------------------------- effects.c -------- */

/* clause_instant.c: note by whom states have been set in this instant. */
void brink__clause_note_set(dae_live *live);

/* What the branches that fire in this pass do besides assigning. */
brink_status brink__clause_act(dae_live *live, double t, brink__instant *inst,
                               brink_err *err);

/* --------------------------------------------------- reflection.c ---- */

/* The pushes that fire in this pass, found together; behind the reinit of their clause.
 */
brink_status brink__clause_push(dae_live *live, double t, const brink__instant *inst,
                                brink_err *err);

/* Doubles of scratch for so many pushes. */
size_t brink__clause_push_memory(size_t n);

/* The sentence of warning number i, of the assertions and then of the acts, which has
 * been given (live->warned). */
const char *brink__clause_warning_text(dae_live *live, size_t i);

/* Where in live->warned_part the numbers of warning i begin. */
size_t brink__clause_warning_numbers(const dae_model *m, size_t i);

/* Note the warnings whose condition is false in live->v. */
void brink__clause_note_warnings(dae_live *live, double t);

/* Check the assertions at (t, y). */
brink_status brink__clause_check(dae_live *live, double t, const double *y,
                                 brink_err *err);

/* Check those that read initial(), while it is true: the assertions of initial
 * sections hold nowhere else. */
brink_status brink__clause_check_initial(dae_live *live, double t, const double *y,
                                         brink_err *err);

/* -------------------------------------------- instant_report.c -------- */

int brink__clause_any_hit(const dae_model *m, const brink__instant *inst);

/* Which classes, judging by what is different. */
unsigned brink__clause_classes(const dae_live *live, const brink__instant *inst);

/* Fill in what fired; what changed without effect; and a bound that was reached: unless
 * a when has acted there, the run ends.  BRINK_EDOMAIN: a start or a jump lies beyond
 * it. */
void brink__clause_list_fired(dae_live *live, brink__instant *inst);
void brink__clause_list_silent(dae_live *live, brink__instant *inst);
brink_status brink__clause_at_bounds(dae_live *live, brink__instant *inst,
                                     brink_err *err);

/* --------------------------------------------- nudge_to_zero.c -------- */

/* An evaluation at (t, live->y) has failed: if relations whose event is here have left
 * the state on the other side of their zeros, move it onto them.  1 if it has moved. */
int brink__clause_nudge_to_zero(dae_live *live, double t);

/* ----------------------------------------------- known_times.c -------- */

/* The relation or stair of timer i at t, when what it depends on may have changed; 1 if
 * it changes. */
int brink__clause_timed_value(dae_live *live, int i, double t);

/* The relation or stair of timer i is due at t, and so are others, which may have
 * turned its line round: give it its right limit. */
void brink__clause_due_on_line(dae_live *live, int i, double t);

/* The value at t of a relation (or NULL) or stair of something linear in time, whose
 * tape has been run; it is `now` since the time `changed`, NaN: it has not changed. */
double brink__clause_line_value(const dae_live *live, const brink__tape *tape,
                                const clause_relation *r, const clause_stair *s,
                                double t, double now, double changed);

int brink__clause_fires(const brink_model *model, brink__live *live, int mode,
                        const signed char *before, const signed char *after);
double brink__clause_next_acting_time(const brink_model *model, brink__live *l,
                                      int mode);
double brink__clause_next_time(const brink_model *model, brink__live *live, int mode,
                               double t, const double *y, int asked,
                               unsigned char *due);

/* ----------------------------------------------- literals.c -------- */

/* Values at (t, live->y) of the relations and stairs that make no events; 1 if one
 * changes. */
int brink__clause_evaluate_literals(dae_live *live, double t);

/* ------------------------------------------- relation_values.c -------- */

/* Literal values of relations and stairs at (t, live->y); 1 if one changes.  skip:
 * [n_symbols] slots that stay as they are, or NULL.  A relation that decides about a
 * transition is idle while its guard is within its rounding bound, the states being
 * uncertain by noise (NULL: by some roundings): the transition is decided when the
 * guard has left its bound. */
int brink__clause_evaluate_relations(dae_live *live, double t,
                                     const unsigned char *skip, const double *noise);

/* brink__model_ops.fired_within */
double brink__clause_fired_within(const brink_model *model, const brink__live *live,
                                  int mode, int k, double t);

/* A mode of other equations is entered.  Before: what the guards of relations that have
 * fired at t are uncertain by, given the errors of the states [n]; by symbol of the
 * relation.  There: every relation whose guard is beyond its rounding bound takes the
 * value of the guard; one that has fired only beyond the errors of both modes, since
 * their laws agree on its surface no better. */
void brink__clause_note_slack(dae_live *live, double t, const double *error,
                              double *slack);
void brink__clause_reconsider_relations(dae_live *live, double t, const double *noise,
                                        const double *error, const double *slack);

/* ------------------------------------------------ unilateral.c -------- */

int brink__clause_beyond(const brink_model *model, brink__live *live, int mode,
                         const signed char *sign);
int brink__clause_outside(const brink_model *model, brink__live *live, int mode,
                          double t, const double *y);
brink_side brink__clause_side(const brink_model *model, const brink__live *live,
                              int mode, int k);

/* ---------------------------------------------------- echoes.c -------- */

/* There is an instant at t; `own`: not only an echo. */
void brink__clause_note_break(dae_live *live, double t, int own);

/* Next time after t at which an event comes back through delay i. */
double brink__clause_next_echo(dae_live *live, int i, double t);

/* ----------------------------------------------- guard_steps.c -------- */

/* Once the guards are known: how much memory the limits of steps take. */
void brink__clause_guard_steps(dae_model *m);

/* The longest step from (t, y) within which guards behind large loops have Taylor
 * series, in a run to t_end; as brink__ops.step_limit. */
double brink__clause_guard_step(dae_live *live, double t, const double *y, double t_end,
                                double wanted);

/* ---------------------------------------------- guard_series.c -------- */

int brink__clause_guard_range(const brink_model *model, brink__live *live, int mode,
                              int k, const brink_step *step, double a, double b,
                              int order, double *lo, double *hi);
/* What the value of a guard whose program has just been run is uncertain by, if state i
 * is by noise[i] (NULL: by some roundings), and so is what was solved before its last
 * tape.  0: that cannot be said. */
int brink__clause_rounding(dae_live *live, const clause_guard *d, const double *noise,
                           double *bound);
int brink__clause_guard_noise(const brink_model *model, brink__live *live, int mode,
                              int k, double t, const double *y, const double *noise,
                              double *value, double *delta);

#endif /* BRINK_CLAUSE_H */
