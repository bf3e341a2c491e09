/* brink/model.h -- a hybrid model written as C callbacks.
 *
 * A model is a set of modes.  A mode has its own number of states, a right-hand
 * side, guards g(t, y) and events; an event is a guard (or a Boolean combination
 * of guards) that changes sign, and what to do then.  Timers are events whose
 * time is known.  A model is immutable: parameters, inputs and outputs that a
 * jump changes belong to the simulation, which starts with the model's values.
 *
 *   static int fall(double t, const double *y, double *f, const brink_env *e)
 *   {
 *     f[0] = y[1];
 *     f[1] = -e->p[0];
 *     return 0;
 *   }
 *   static int bounce(brink_jump *j) { j->y[1] = -0.9 * j->y[1]; return 0; }
 *
 *   static const brink_guard_def height = {.name = "x", .state = 0};
 *   static const brink_event_def floor = {
 *     .name = "bounce", .dir = BRINK_DOWN, .jump = bounce};
 *   static const brink_mode_def fly = {.name = "fly", .n = 2, .rhs = fall,
 *     .guards = &height, .n_guards = 1, .events = &floor, .n_events = 1};
 *
 * Threads: a built model is never written to; any number of simulations may use
 * it at once if its callbacks are reentrant.
 */
#ifndef BRINK_MODEL_H
#define BRINK_MODEL_H

#include "brink/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a callback may read besides (t, y). */
typedef struct brink_env {
  const double *p; /* parameters                        */
  const double *u; /* inputs                            */
  const double *w; /* outputs: what f and guards do not read */
  int mode;        /* index of the active mode          */
  void *user;      /* the model definition's user value */
} brink_env;

/* Right-hand side of a mode: writes f[0..n-1].  0 ok; > 0 "not here": the step is
 * retried, smaller; < 0 "stop": the run ends with BRINK_EUSER. */
typedef int brink_rhs_fn(double t, const double *y, double *f, const brink_env *env);

/* Coefficient k of f along a curve, for the method taylor: writes f[i * stride + k] for
 * every state i, where y[i * stride + j], j <= k, are the Taylor coefficients of the
 * states in theta, and the time is t + h theta.  Called with k = 0, 1, 2, ... at each
 * point; aux[r * stride + j], r < n_aux, is its own: coefficients of what it computes
 * on the way.  Returns as a right-hand side does.
 *
 * x' = x^2 - t:   f[k] = -(k == 0 ? t : k == 1 ? h : 0);
 *                 for (int j = 0; j <= k; j++) f[k] += y[j] * y[k - j];
 */
typedef int brink_jet_fn(int k, double t, double h, size_t stride, const double *y,
                         double *f, double *aux, const brink_env *env);

/* Places of df/dy that may differ from 0: df[row[k]]/dy[col[k]], k < nnz, no place
 * twice, in any order.  nnz = 0: nothing is known, all may. */
typedef struct brink_pattern {
  size_t nnz;
  const int *row, *col;
} brink_pattern;

/* df/dy for implicit methods: writes entry[k] for place k of the mode's pattern, or
 * entry[j * n + i] = df[i]/dy[j] for all i and j if it has none.  Returns as a
 * right-hand side does; "not here" makes the method take differences of f.  Each time
 * it is compared with a difference of f along a random direction; one that is wrong
 * ends the run with a sentence. */
typedef int brink_jacobian_fn(double t, const double *y, double *entry,
                              const brink_env *env);

/* Value of guard number `guard` of the mode.  Must be finite.  Where it leaps across
 * zero, at a switch or a pole, it crosses zero. */
typedef double brink_guard_fn(double t, const double *y, int guard,
                              const brink_env *env);

/* dg/dt of guard number `guard` along the flow: dg/dt + sum of dg/dy_i f[i], where f is
 * the right-hand side at (t, y). */
typedef double brink_guard_rate_fn(double t, const double *y, const double *f,
                                   int guard, const brink_env *env);

/* A guard is a callback, or simply a state minus a level. */
typedef struct brink_guard_def {
  const char *name;
  brink_guard_fn *fn; /* NULL: g = y[state] - level                            */
  int state;          /* 0, 1, ...: which state, if fn is NULL                 */
  double level;
  int degree;                /* of fn as a polynomial in (t, y), if it is one; then
                                zeros along a step are proved; else `sampled` [0: no] */
  double noise;              /* rounding bound of fn beyond that of its arguments [0] */
  brink_guard_rate_fn *rate; /* for locators that follow the guard along f (henon);
                                NULL: by differences of fn                   */
} brink_guard_def;

typedef enum brink_direction {
  BRINK_BOTH = 0,
  BRINK_UP = 1,   /* g rises through 0; a condition becomes true  */
  BRINK_DOWN = -1 /* g falls through 0; a condition becomes false */
} brink_direction;

/* Where the state handed to the jump lies. */
typedef enum brink_side {
  BRINK_AFTER = 0, /* just beyond the zero: the guard has its new sign */
  BRINK_NEAREST,   /* the best approximation of the zero               */
  BRINK_BEFORE     /* never beyond: the model does not exist there     */
} brink_side;

/* What if a mode is entered (or the run started, or a jump lands) with the event
 * already past, or on its zero and going past at once?  Matters for events with a
 * jump or an end, and a direction.  An event that has just fired is not past (but see
 * BRINK_AGAIN): its guard may stay on the far side, and the event waits there. */
typedef enum brink_beyond {
  BRINK_REFUSE = 0, /* an error that names the event           */
  BRINK_FIRE,       /* it fires at once, in the next instant   */
  BRINK_IGNORE,     /* it waits until g has come back          */
  BRINK_AGAIN       /* BRINK_FIRE, and an event that has just fired is no exception:
                       its jump must bring g back              */
} brink_beyond;

/* Boolean combinations in postfix: guard indices (true while g > 0) and these. */
enum { BRINK_AND = -1, BRINK_OR = -2, BRINK_NOT = -3, BRINK_COND_END = -4 };

/* What a jump sees and may change. */
typedef struct brink_jump {
  double t;
  double t_after;    /* starts as t; a later time lets time pass in the jump:
                        the run goes on there.  Timers whose time is skipped
                        fire at t_after, each once                        */
  const char *event; /* its name.  Another one may be put here for the record
                        (it must live as long as the model); NULL: nothing
                        happened, no record                               */
  int index;         /* of the event in its mode, or of the timer         */
  int is_timer;
  int at_restart; /* 1: due at once after a start or a jump, not on the
                     way; 2: after its own jump (BRINK_AGAIN)          */
  int trial;      /* 1: the run asks what the jump would do, and y, p, u, w are
                     copies that are thrown away: leave alone what is yours
                     (a log, a counter, a device)                         */
  int mode_before;
  const double *y_before;  /* left limit [n of mode_before]                     */
  const signed char *hit;  /* [guards of mode_before] those that are zero here:
                              +1 rising, -1 falling, 0 not                      */
  const signed char *sign; /* ... signs of all, after the hits; 0: undecided    */
  int mode;                /* change it to switch                               */
  double *y;               /* starts as y_before (as far as it fits); on return
                              the state of `mode` [largest n of the model]      */
  double *noise;           /* [like y] what y is uncertain by, as far as is known: a
                              jump that sets a state exactly may write 0; or NULL */
  double *p, *u, *w;       /* parameters, inputs, outputs of this simulation    */
  unsigned classes;        /* BRINK_SE_* bits: changes that cannot be seen in y, p,
                              u, w and mode, for the record (brink/event.h)     */
  int stop;                /* set to 1 to end the run after this instant        */
  const char *why;         /* with a negative return: the sentence of the error */
  brink_err *err;          /* before a negative return: status and text in place
                              of `why`; BRINK_ZENO ends the run with that news  */
  const brink_env *env;    /* what other callbacks are given                    */
  void *user;
} brink_jump;

/* 0 ok; < 0: the run ends with BRINK_EUSER, or with err->status if that was set.
 * A jump at a known time that has changed outputs (w) and nothing else does not restart
 * the integrator; one that also changes what f reads through `user` says so with
 * BRINK_SE_D in `classes`. */
typedef int brink_jump_fn(brink_jump *jump);

typedef struct brink_event_def {
  const char *name;
  int guard;       /* index into the mode's guards ...                    */
  const int *cond; /* ... or a combination, closed by BRINK_COND_END      */
  brink_direction dir;
  brink_side side;
  brink_jump_fn *jump; /* NULL: the event is only logged                      */
  int terminal;        /* 1: ends the run (after the jump)                    */
  long limit;          /* ends the run at this many occurrences; 0: never     */
  brink_beyond beyond;
} brink_event_def;

/* The next time of a timer after t; INFINITY for never.  A time that is not after t
 * means never too; only at the start of a run is t itself a time. */
typedef double brink_next_fn(double t, const double *y, const brink_env *env);

/* An event at known times: at, at + every, at + 2 every, ... (every = 0: once),
 * computed without drift (those that t cannot tell apart are one); or whatever `next`
 * says, asked at the start and after each instant in which the timer fired. */
typedef struct brink_timer_def {
  const char *name;
  double at, every;
  brink_next_fn *next; /* NULL: at, every */
  brink_jump_fn *jump; /* NULL: logged    */
  int terminal;
  long limit;
} brink_timer_def;

typedef struct brink_mode_def {
  const char *name;
  size_t n;                  /* number of states, > 0          */
  const char *const *states; /* their names; NULL: y1, y2, ... */
  brink_rhs_fn *rhs;
  const brink_guard_def *guards;
  int n_guards;
  const brink_event_def *events;
  int n_events;
  int smooth; /* 1: f is smooth between the zeros of the guards, and is not searched
                 for discontinuities that none of them announces */
  brink_jet_fn *jet;           /* NULL: the method taylor cannot be used */
  size_t n_aux;                /* series that jet keeps for itself */
  brink_jacobian_fn *jacobian; /* NULL: implicit methods take differences of f ... */
  brink_pattern pattern;       /* ... of several columns at once, where this is given */
} brink_mode_def;

typedef struct brink_model_def {
  const char *name;
  const brink_mode_def *modes;
  int n_modes;
  const brink_timer_def *timers;
  int n_timers;
  const double *p, *u, *w; /* values at the start */
  int n_p, n_u, n_w;
  void *user;
  const char *const *p_names, *const *u_names; /* NULL: p[0], ..., u[0], ...         */
  const char *const *w_names;                  /* NULL: w1, w2, ...                  */
} brink_model_def;

typedef struct brink_model brink_model; /* opaque */

/* Build; everything but `user` is copied.  On failure *out is NULL and the
 * reason is in brink_ctx_error(ctx). */
BRINK_API brink_status brink_model_new(brink_ctx *ctx, const brink_model_def *def,
                                       brink_model **out);
BRINK_API void brink_model_free(brink_model *model);

BRINK_API const char *brink_model_name(const brink_model *model);
BRINK_API const char *brink_model_text(const brink_model *model); /* "": none */
/* How many modes there are; they are numbered 0, 1, ..., in every run alike.  A text
 * model with machines has one for each combination of their states; number 0 is the one
 * in which a run begins.  Of very many (more than 4096) the model knows only some by
 * name (NULL: not this one), and of more than 64 only some by their states and guards
 * (0: not known, see brink_anatomy); a simulation builds the others as it meets them.
 */
BRINK_API int brink_model_modes(const brink_model *model);
BRINK_API const char *brink_model_mode_name(const brink_model *model, int mode);
BRINK_API size_t brink_model_states(const brink_model *model, int mode);

/* What a name stands for. */
typedef enum brink_role {
  BRINK_ALGEBRAIC, /* determined by equations at every time                        */
  BRINK_STATE,
  BRINK_DISCRETE, /* changes at events only                                       */
  BRINK_INPUT,
  BRINK_OUTPUT, /* of a model of callbacks: w                                   */
  BRINK_PARAMETER
} brink_role;

/* What its values are.  A Boolean is 0 or 1, an enumeration 1, 2, ... */
typedef enum brink_type {
  BRINK_REAL,
  BRINK_INTEGER,
  BRINK_BOOLEAN,
  BRINK_ENUMERATION
} brink_type;

typedef struct brink_variable {
  const char *name;
  const char *unit, *text;     /* "" if none                                    */
  int discrete;                /* changes at events only                        */
  const char *const *literals; /* of an enumeration: names of 1, 2, ...; or NULL */
  int n_literals;
  brink_role role;
  brink_type type;
  int settable;   /* a parameter that brink_sim_set takes, a variable that
                     brink_sim_set_start takes                                      */
  int structural; /* a parameter that has decided what the model is made of (sizes,
                     branches): the line at which it did; it can be set only when the
                     model is read.  0: it has not                                */
} brink_variable;

/* What a result shows: the first brink_model_variables.  A callback model shows its
 * states and outputs; a text model every variable that is not a parameter. */
BRINK_API size_t brink_model_variables(const brink_model *model);
BRINK_API brink_variable brink_model_variable(const brink_model *model, size_t i);

/* All that has a name: the variables, then the parameters and (of callbacks) inputs.
 * The index of a name, which brink_sim_set_at and brink_sim_get_at take; -1: nobody
 * has it.  States of callbacks have the names of the mode with most of them. */
BRINK_API size_t brink_model_names(const brink_model *model);
BRINK_API int brink_model_find(const brink_model *model, const char *name);

/* How it is put together, for people.  Models of callbacks know their states, guards
 * and timers; a text model the rest as well. */
typedef struct brink_parameter {
  const char *name, *unit, *text; /* "" if none */
  double value;
} brink_parameter;

typedef struct brink_start {
  const char *name; /* a state                                                   */
  int fixed;        /* 1: the model fixes its start; 0: a guess ...              */
  int found;        /* 1: ... from which the initial equations find it           */
} brink_start;

enum { BRINK_MOVED_STARTS = 16, BRINK_MOVED_TEXT = 200 };

/* A start value that a start did not keep, see brink_sim_moved_starts. */
typedef struct brink_moved_start {
  const char *name; /* of the variable; valid as long as the model is            */
  double from, to;  /* the start value, and what was found                        */
  int line;         /* of the condition that forced it; 0: not known              */
  char forced_by[BRINK_MOVED_TEXT]; /* ... as it is written, "" if not known: an
                                       initial equation, or an equation that
                                       constrains states, "x^2 + y^2 = 1 (line 4),
                                       differentiated once"                       */
} brink_moved_start;

typedef struct brink_machine { /* modes of which one is active: a text model's */
  const char *const *states, *const *transitions; /* "a -> b: x > 1 (line 7)"        */
  size_t n_states, n_transitions;
  int initial;        /* which of the states                                */
  const char *within; /* the mode that it is part of, "": none              */
} brink_machine;

/* What chooses branches of if-expressions in the Real equations of a text model: a
 * relation, or a discrete variable. */
typedef struct brink_branch {
  const char *name; /* of the variable, or the relation as it is written             */
  int line;
} brink_branch;

typedef struct brink_anatomy {
  const char *const *clauses; /* [n_clauses] the events: conditions of whens     */
  const brink_parameter *parameters;
  const brink_start *starts;     /* [n_starts] one per state, at the start           */
  const char *const *notes;      /* [n_notes] what its author should know            */
  const brink_machine *machines; /* [n_machines]                                  */
  const brink_branch *branches;  /* [n_branches]                                  */
  size_t n_clauses, n_parameters, n_starts, n_notes, n_machines, n_branches;
  size_t equations, initial_equations;
  size_t conditions, free_starts; /* of the start that are solved
                                     together, and for how many states */
  size_t loops, largest_loop;     /* equations solved together          */
  size_t timed;                   /* samples, and relations of time alone       */
  const int *modes;               /* [n_modes] those that were built with the model:
                                     every state of a machine occurs            */
  size_t n_modes;
} brink_anatomy;

BRINK_API brink_anatomy brink_model_anatomy(const brink_model *model); /* borrowed */
/* Name of a state; "": there is none, or it stands in for those of a text model that
 * has no states at all (it rests). */
BRINK_API const char *brink_model_state_name(const brink_model *model, int mode,
                                             size_t i);
/* The matrix that implicit methods factor in a mode: derivatives of the right-hand side
 * by the states, and where there are algebraic loops, their unknowns behind the states
 * and their residuals as rows. */
typedef struct brink_jacobian {
  size_t n; /* rows; 0: its pattern is not known, all entries may differ from 0 */
  size_t unknowns; /* of loops, among them                                           */
  size_t nnz;      /* entries that may differ from 0, with the diagonal of the states */
  size_t lower, upper; /* bandwidths: the largest i - j, and j - i, of an entry */
} brink_jacobian;

BRINK_API brink_jacobian brink_model_jacobian(const brink_model *model, int mode);
BRINK_API int brink_model_guards(const brink_model *model, int mode);
BRINK_API const char *brink_model_guard_name(const brink_model *model, int mode, int k);
BRINK_API int brink_model_timers(const brink_model *model);

/* What the model itself says about its experiment: NaN or NULL where nothing. */
typedef struct brink_experiment {
  double start, stop, tolerance, interval;
  const char *method, *locator;
  const char *zeno;    /* as brink_zeno_policy: where events accumulate               */
  const char *sliding; /* "filippov", "regularize", "chatter", "stop"               */
  const char *time_unit; /* of time, as results name it                             */
  double near_g, eta, lie_min, locate_order; /* of locators that take steps: the options
                                                of these names (brink/sim.h) */
  double width;    /* of sliding = "regularize": the option sliding_width */
  double zeno_gap; /* of zeno = "step", "regularize": the option of this name         */
} brink_experiment;

BRINK_API brink_experiment brink_model_experiment(const brink_model *model);

#ifdef __cplusplus
}
#endif
#endif /* BRINK_MODEL_H */
