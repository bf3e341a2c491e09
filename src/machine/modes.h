/* machine/modes.h -- models with machines: one compiled system for each combination of
 * active states.  Nobody outside the room includes it.
 *
 * The number of a mode is that of its combination (combinations.c), the same in every
 * run.  If there are few combinations, all are compiled when the model is built; else
 * those that show every state once, and a simulation compiles the others that it meets
 * into its own memory.  All come from the part of the flat model that exists in them,
 * and share its symbols, so that the values of variables, relations and flags pass from
 * one to the next by their slots.
 */
#ifndef BRINK_MACHINE_MODES_H
#define BRINK_MACHINE_MODES_H

#include "clause/clause.h"
#include "start/start.h"

enum {
  MODES_COMPILED = 64, /* combinations up to which all are compiled with the model */
  MODES_NAMED = 4096   /* ... up to which the model knows all their names          */
};

/* One combination. */
typedef struct mode_part {
  int number;
  brink__mode mode; /* as the executor sees it                                     */
  dae_model *m;
  int *state;       /* [machines] index of the active one; -1: the machine is part of
                       a state that is not active                                */
  int n_leaves;     /* transitions that lead out: the last whens of m ...        */
  int *leaves;      /* [n_leaves] ... and their indices; by machine, priority    */
  int32_t *asserts; /* [m->n_asserts] index in the whole flat model              */
  int32_t *warns;   /* [m->n_asserts + m->n_acts] index in the model's warns, or -1 */
} mode_part;

typedef struct modes_model {
  brink_model base;
  brink__pool pool;
  brink__flat *flat;
  int64_t *machine_choices; /* [machines] in how many ways it can be active         */
  int64_t *state_choices;   /* [states]                                             */
  mode_part **parts;        /* [n_parts] compiled with the model; all: by number    */
  int n_parts;
  const char **names; /* [base.n_modes] NULL: there are too many                   */
  const brink__flat_action **warns; /* [n_warns] assertions: of the flat model, then of
                                       its whens                                 */
  size_t n_warns;
  int32_t *branch_symbol; /* [base.anatomy.n_branches] in the equations of all modes */
  int32_t *branch_of;     /* [n_symbols] index in it, -1: none                      */
  size_t room; /* bytes of the largest live object of the first combinations     */
} modes_model;

typedef struct modes_live {
  const modes_model *model;
  brink_ctx *ctx;        /* of the simulation                                       */
  const mode_part *part; /* the present combination                                 */
  dae_live *now;         /* its live object, in room or in grown                    */
  void *room;            /* [model->room]                                           */
  brink__block grown;    /* memory for a larger one                                 */

  /* -- combinations that the model has not compiled -- */
  brink__flat flat;  /* that of the model, with a graph of its own                  */
  mode_part **parts; /* [n_parts]                                                   */
  size_t n_parts, cap_parts;
  int *refused; /* [n_refused] numbers of those that cannot be compiled               */
  size_t n_refused, cap_refused;

  /* -- what passes from one to the next, by symbol of the flat model -- */
  double *v;             /* values                                                */
  double *noise;         /* of the states                                         */
  double *left;          /* limits of variables that are no states                */
  double *slack;         /* of guards of relations that have fired                */
  brink__firing *firing; /* of relations                                         */
  double *tick;          /* of samples (the next one) and timed relations         */
  unsigned char *kept;   /* 1: a relation or stair of both                        */
  double *warned_t;      /* [n_warns]                                             */
  unsigned char *warned; /* [n_warns]                                            */
  double *warned_part;   /* [n_warns][BRINK__TEXT_PARTS] numbers of its text      */
  brink__effort effort;  /* of combinations left behind                          */
  long analysed;         /* combinations compiled since the start                */
  dae_memory memory;     /* of delays: one for all, on the clock of the run       */
  dae_settings settings; /* of parameters and start values                        */

  int *last; /* [machines] state that was active last                */
  const brink__flat_action **hard; /* [n_symbols] reinit that has set the state in this
                                      instant                                       */
  unsigned char *unknown; /* [n_symbols] derivatives without a left limit            */

  double *error; /* [max_n] that the states of a combination may have             */

  /* -- the move under way -- */
  int *to;     /* [machines] state after it, or -1                               */
  int *branch; /* [machines] branch of its own that is taken, -1: none           */
  int *by;     /* [machines] transition that moves it, also one of a machine around
                  it; -1: none                                                   */
} modes_live;

static inline const modes_model *modes_of(const brink_model *model)
{
  return (const modes_model *)model;
}

static inline modes_live *modes_live_of(brink__live *live)
{
  return (modes_live *)(void *)live;
}

/* The machine around a machine; -1: none. */
static inline int modes_around(const brink__flat *f, int machine)
{
  int within = f->machines[machine].within;

  return within ? f->states[within - 1].machine : -1;
}

/* combinations.c: count the combinations; BRINK_EMODEL: there are too many to be
 * numbered.  The number of one, and the states of a number. */
brink_status brink__modes_count(modes_model *m, brink__fault_fn *fault, void *user);
int brink__modes_number(const modes_model *m, const int *state);
void brink__modes_states(const modes_model *m, int number, int *state);

/* Names of the active states, joined by +, kept in the pool; NULL: no memory. */
const char *brink__modes_name(brink__pool *pool, const brink__flat *f,
                              const int *state);

/* modes_compile.c: visit the combinations that are built with the model, of which there
 * are at most brink__modes_first; one may come twice. */
typedef brink_status modes_visit_fn(modes_model *m, const int *state, void *user);
int brink__modes_first(const modes_model *m);
brink_status brink__modes_each_first(modes_model *m, modes_visit_fn *visit, void *user);

brink_status brink__modes_compile(brink_ctx *ctx, brink__flat *flat,
                                  brink__fault_fn *fault, void *user,
                                  brink_model **out);

/* The combination with this number if it has been compiled, with the model or (live not
 * NULL) by the simulation; NULL: it has not. */
const mode_part *brink__modes_part(const modes_model *m, const modes_live *live,
                                   int number);

/* The same, compiled into the memory of the simulation if it is new. */
brink_status brink__modes_find(modes_live *live, int number, const mode_part **out,
                               brink_err *err);
void brink__modes_part_free(mode_part *part);

/* modes_describe.c: name, variables and anatomy, from the first combinations. */
brink_status brink__modes_describe(modes_model *m);

/* mode_equations.c: the part of the flat model that exists while these states are
 * active, as a flat model of its own that borrows the graph. */
brink_status brink__modes_equations(brink_ctx *ctx, const brink__flat *flat,
                                    const int *state, mode_part *part,
                                    brink__flat **out);

/* modes_live.c: carve a live object for the first combination; move the present one
 * to another; release what was grown. */
size_t brink__modes_live_size(const brink_model *model);
void brink__modes_live_init(const brink_model *model, brink__live *live,
                            brink_ctx *ctx);
brink_status brink__modes_live_copy(const brink_model *model, brink__live *to,
                                    const brink__live *from, brink_err *err);
void brink__modes_live_fini(const brink_model *model, brink__live *live);
brink__effort brink__modes_effort(const modes_live *live);
brink_status brink__modes_begin(modes_live *live, int number, brink_err *err);
brink_status brink__modes_switch_to(modes_live *live, const mode_part *part,
                                    brink_err *err);

/* modes_live.c: the values that pass from one combination to the next, out of the
 * present live object and into it. */
void brink__modes_pack(modes_live *live);
void brink__modes_unpack(modes_live *live, double t);

/* discrete_conditions.c: comparisons of discrete variables in Real equations become
 * Boolean variables with equations of their own, the last ones of the model, in the
 * order in which they are found; all, or those with stays[i] = 0. */
brink_status brink__machine_discrete_conditions(brink_ctx *ctx, brink__flat *flat,
                                                brink__pool *tmp,
                                                const unsigned char *stays);

/* left_derivatives.c: the left limits at (t, y) of what is no state of the present
 * combination and may be one of the next: derivatives, and, for switches, whose event
 * changes what the equations of the present one say, all variables.  Noted before the
 * event, or where it ends; taken where the combination is left. */
void brink__modes_note_left(modes_live *live, double t, const double *y);
void brink__modes_take_left(modes_live *live);

/* mode_search.c: find a mode of the switches that agrees with itself: `attempt` puts
 * the simulation into a mode and returns BRINK_OK, or why that cannot be; *number: the
 * first one that is tried, and the one that was found. */
typedef brink_status modes_attempt_fn(modes_live *live, int number, void *user,
                                      brink_err *err);
brink_status brink__modes_settle(modes_live *live, int *number, double t,
                                 modes_attempt_fn *attempt, void *user, brink_err *err);

/* mode_entry.c: one instant, with the transitions that it takes. */
brink_status brink__modes_instant(const brink_model *model, brink__live *live,
                                  brink__instant *inst, brink_err *err);

/* 1: a transition of the present combination is due. */
int brink__modes_transition_due(const modes_live *live);

extern const brink__model_ops brink__modes_ops;

#endif /* BRINK_MACHINE_MODES_H */
