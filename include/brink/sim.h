/* brink/sim.h -- run a hybrid model.
 *
 *   brink_sim_opts opt = brink_sim_defaults();
 *   opt.rtol = 1e-9;
 *   if (brink_sim_new(ctx, model, &opt, &sim) < 0) ...
 *   brink_sim_start(sim, 0.0, 0, y0);
 *   brink_status s = brink_sim_run(sim, 10.0);   // BRINK_END, or why not
 *   if (s < 0) puts(brink_sim_error(sim)->text);
 *
 * A simulation owns everything that changes: state, mode, parameters, the trace.
 * Between start and end a run allocates nothing unless the trace is unbounded (a
 * mode met for the first time allocates once, and so do guards that are slid along or
 * rested on, events that follow each other after ever shorter times, and `auto` where
 * it first wants a stiff method; sparse factors grow).  One simulation per thread.
 */
#ifndef BRINK_SIM_H
#define BRINK_SIM_H

#include "brink/integrator.h"
#include "brink/trace.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum brink_keep {
  BRINK_KEEP_NOTHING, /* counters only                               */
  BRINK_KEEP_EVENTS,  /* events with their states                    */
  BRINK_KEEP_STEPS    /* and every step polynomial, to sample later  */
} brink_keep;

/* Is the state at an event that of the step's polynomial, or is a closing step of the
 * method taken that ends there?  Where none does, it is the polynomial's.  Unless it is
 * off, a step whose polynomial is not good enough at the event is taken again, shorter.
 */
typedef enum brink_restep {
  BRINK_RESTEP_AUTO, /* with methods whose polynomial is more than one order below */
  BRINK_RESTEP_ON,
  BRINK_RESTEP_OFF
} brink_restep;

/* What to do where events accumulate (Zeno); docs/zeno.md. */
#define BRINK_ZENO_MAP(X)                                                              \
  X(CONTINUE, "continue") /* go to the accumulation point, and on from there        */ \
  X(STOP, "stop")         /* end the run there                                      */ \
  X(STEP, "step")         /* carry out each event down to zeno_gap, then go on      */ \
  X(REGULARIZE, "regularize") /* events no sooner than zeno_gap after each other    */ \
  X(AVERAGE, "average") /* the laws of the pattern at once, by their time in it   */
typedef enum brink_zeno_policy {
#define X(name, text) BRINK_ZENO_##name,
  BRINK_ZENO_MAP(X)
#undef X
} brink_zeno_policy;

/* One list feeds the struct, the defaults, the range check, the command's
 * options and docs/reference.md:  type, name, default, least, most, meaning.
 * A number x is accepted if least <= x <= most. */
/* clang-format off */
#define BRINK_SIM_REALS(X)                                                            \
  X(rtol,        1e-6,  0, 1,     "relative tolerance")                               \
  X(atol,        -1,   -1, 1e300, "absolute tolerance, times nominal values; -1: rtol/1000") \
  X(h0,          0,     0, 1e300, "first step to try; 0: estimate it")                \
  X(h_min,       0,     0, 1e300, "smallest step; 0: a few roundings of t")           \
  X(h_max,       0,     0, 1e300, "largest step; 0: no limit; of the command a 50th of the run") \
  X(event_tol,   0,     0, 1e300, "location tolerance in t; 0: to the last bit")      \
  X(scan_step,   0,     0, 1e300, "largest interior step of sign-only locators; 0: step/8") \
  X(eps_g,       0,     0, 1e300, "how near a unilateral event is there, in g; 0: rounding") \
  X(gain,        -1,   -1, 0.999, "gamma of predicted approaches; -1: chosen by the rule")  \
  X(max_seconds, 0,     0, 1e300, "wall time limit; 0: none")                         \
  X(near_g,      0,     0, 1e300, "how near a guard, in g, locators take over; 0: a step away") \
  X(eta,         0,     0, 1e300, "change of g in a step of direct; 0: from the local error") \
  X(lie_min,     0,     0, 1e300, "direct: the guard moves faster to zero than that, in g per t") \
  X(sliding_width, 0,   0, 1e300, "half the layer of regularize, or hysteresis to ignore; 0: from rtol") \
  X(zeno_gap,    0,     0, 1e300, "shortest time between events that accumulate; 0: from rtol")
#define BRINK_SIM_COUNTS(X)                                                           \
  X(max_steps,      0,   0, "limit on steps, accepted and rejected; 0: none")         \
  X(max_events,     0,   0, "limit on instants with events; 0: none")                 \
  X(max_iterations, 100, 1, "limit on instants at one time (event iteration)")        \
  X(gate,           1,   0, "0: f is called beyond unilateral events and counted")   \
  X(order,          0,   0, "order, or the highest, of adams, radau, taylor, cvode; 0: it chooses")  \
  X(locate_order,   0,   0, "order m of direct, 2 to 8; 0: from the tolerance")        \
  X(all_relations,  0,   0, "1: guards that change sign without effect are listed too")  \
  X(search,         1,   0, "0: f is not searched for discontinuities that no guard announces") \
  X(look,           1,   0, "0: signals and guards of a text set no limit to steps") \
  X(henon_steps,    0,   0, "henon: steps in the guard to its zero; 0: as its error asks for") \
  X(henon_on,       0,   0, "henon: 1: no part of the way to a zero in time, all in the guard") \
  X(keep_limit,     0,   0, "bound on events (and steps) kept, newest win; 0: none")
/* clang-format on */

/* Orders of the locators `direct`. */
enum { BRINK_LOCATE_ORDER_LEAST = 2, BRINK_LOCATE_ORDER_MOST = 8 };

/* The error of each state of `mode` that counts as one where the state is y; otherwise
 * as brink_weight_fn. */
typedef int brink_mode_weight_fn(int mode, const double *y, double *w, void *user);

typedef struct brink_sim_opts {
  size_t size;          /* written by brink_sim_defaults(): a library with more options
                           than the program was compiled for uses its defaults for
                           the others */
  const char *method;   /* a name from brink_method_name()  [auto] */
  const char *locator;  /* a name from brink_locator_name() [isolate] */
  const char *sliding;  /* where laws lead back to a guard from both sides: filippov,
                           regularize, chatter or stop, see docs/sliding.md [filippov] */
  const double *atol_i; /* per state of the first mode, and of each mode that has as
                           many; or NULL; copied */
  brink_mode_weight_fn *weight; /* in place of rtol, atol, atol_i; or NULL [NULL] */
  void *weight_user;            /* passed to weight                [NULL] */
  brink_keep keep;              /* [BRINK_KEEP_EVENTS]             */
  brink_restep restep;          /* [BRINK_RESTEP_AUTO]             */
  int dense;  /* 1: every step has its polynomial, for brink_sim_at [0] */
  int wishes; /* 1: a mode in which a when or transition of a text names a
                 locator gets that one [0]       */
#define X(name, value, least, most, text) double name;
  BRINK_SIM_REALS(X)
#undef X
#define X(name, value, least, text) long name;
  BRINK_SIM_COUNTS(X)
#undef X
  brink_zeno_policy zeno; /* where events accumulate [BRINK_ZENO_CONTINUE] */
} brink_sim_opts;

/* Method `auto` went on with another method at t: a stiff one, or one that is not. */
typedef struct brink_method_switch {
  double t;
  const char *method;
  int stiff;
} brink_method_switch;

enum { BRINK_METHOD_SWITCHES = 8, BRINK_METHODS_MOST = 16 };

/* Counters of a run, since brink_sim_start. */
typedef struct brink_sim_stats {
  brink_work work;
  long g_evals;     /* guard evaluations                            */
  long events;      /* events that did something (log-only included) */
  long time_events; /* of them, timers                              */
  long touches;
  long instants;         /* event instants carried out                   */
  long event_iterations; /* instants beyond the first at one time   */
  long jets;             /* Taylor expansions: of guards, and those of
                            work.jets                                    */
  long jac_evals;        /* Jacobians: of equations solved together, and
                            work.jacobians                               */
  long lu;               /* factorisations of both                       */
  long homotopy_steps;   /* along the path from the simplified start   */
  long modes_analysed;   /* modes that the run has met for the first time and
                            compiled; one met again costs nothing        */
  long modes_met;        /* different ones, see brink_sim_mode_met       */
  long projections;      /* of states onto constraints they satisfy      */
  long impulses;         /* instants in which impulses made states jump  */
  long zeno_points;      /* times at which events accumulated            */
  long sliding_entries;  /* times at which sliding along a guard began   */
  long misplaced;        /* events that a locator of one guess has put beyond
                            their zero, and the jump did not move        */
  int stiff;             /* the method suspected stiffness               */
  long method_switches;  /* what `auto` chose at the start, and changes to and
                            from a stiff method                          */
  brink_method_switch switches[BRINK_METHOD_SWITCHES]; /* the first of them     */
  long method_steps[BRINK_METHODS_MOST]; /* steps that `auto` has taken with
                            brink_method_name(i)                         */
  brink_certificate certificate; /* the weakest over all steps                   */
  double wall_seconds;
} brink_sim_stats;

typedef struct brink_sim brink_sim; /* opaque */

/* Told about every piece of a run as it happens, in order: the stretch of a step
 * from theta_begin to theta_end, then the events there, and so on.  What they are given
 * is valid during the call.  Return nonzero to stop the run (BRINK_STOPPED): it ends
 * with what was told last, and neither is called again.  Either may be NULL. */
typedef struct brink_observer {
  int (*on_step)(const brink_step *step, double theta_begin, double theta_end, int mode,
                 void *user);
  int (*on_event)(const brink_event *event, void *user);
  void *user;
} brink_observer;

/* Defaults for a brink_sim_opts of `size` bytes; brink_sim_defaults() passes the size
 * that the calling program knows. */
BRINK_API void brink_sim_opts_init(brink_sim_opts *opt, size_t size);

static inline brink_sim_opts brink_sim_defaults(void)
{
  brink_sim_opts opt;

  brink_sim_opts_init(&opt, sizeof opt);
  return opt;
}

/* Create.  The model is borrowed and must outlive the simulation. */
BRINK_API brink_status brink_sim_new(brink_ctx *ctx, const brink_model *model,
                                     const brink_sim_opts *opt, brink_sim **out);
BRINK_API void brink_sim_free(brink_sim *sim);

/* Another simulation that goes on where this one stands, bit for bit: state, discrete
 * variables, known times, what delays remember, guards, the history of the method,
 * settings and counters.  (What CVODE remembers cannot be copied: the method cvode
 * begins anew.)  It has no observer, and its trace is empty.  In another context it may
 * run in another thread.  Neither clone nor save can be called from a callback of the
 * simulation itself (BRINK_EARG). */
BRINK_API brink_status brink_sim_clone(brink_ctx *ctx, const brink_sim *sim,
                                       brink_sim **out);

/* Keep where a simulation stands, and go back there, as often as one likes: all that a
 * clone has.  Going back empties the trace. */
typedef struct brink_snapshot brink_snapshot; /* opaque */
BRINK_API brink_status brink_sim_save(brink_sim *sim, brink_snapshot **out);
BRINK_API brink_status brink_sim_restore(brink_sim *sim,
                                         const brink_snapshot *snapshot);
BRINK_API void brink_snapshot_free(brink_snapshot *snapshot);

/* The observer is copied; NULL: nobody watches. */
BRINK_API void brink_sim_observe(brink_sim *sim, const brink_observer *observer);

/* Begin at (t, y) in `mode` with the parameters that brink_sim_set has left, else the
 * model's own, forgetting earlier runs.  y == NULL: a text model finds its own start; a
 * model of callbacks has none, and refuses. */
BRINK_API brink_status brink_sim_start(brink_sim *sim, double t, int mode,
                                       const double *y);

/* Parameter or input i of a model of callbacks, after a start and for this run only: in
 * the middle of it an instant of its own, as brink_sim_set below. */
BRINK_API brink_status brink_sim_set_p(brink_sim *sim, int i, double value);
BRINK_API brink_status brink_sim_set_u(brink_sim *sim, int i, double value);

/* Values by name, of every kind of model.
 *
 *   brink_sim_set(sim, "e", 0.7);        // from now on, and in all runs to come
 *   brink_sim_set_start(sim, "h", 2.5);  // in the runs that are started from now on
 *   brink_sim_start(sim, 0, 0, NULL);
 *   brink_sim_run(sim, 1);
 *   brink_sim_set(sim, "v", 0);          // in the middle of a run
 *   brink_sim_get(sim, "h", &h);
 *
 * set: a parameter has this value from now on, in this run and in those started later;
 * parameters whose binding reads it follow, unless they were set themselves.  A state,
 * a discrete variable or an input has it now, in the run that is under way.  That is an
 * instant of its own: guards are armed anew as after a jump, and events that become due
 * happen in the next advance.  What an equation determines cannot be set, nor a
 * parameter that has decided what the model is made of (BRINK_EARG).  BRINK_ENAME:
 * nobody has the name; the sentence offers the nearest.
 *
 * A start reports what settings make impossible with the sentences of the reader
 * (BRINK_EMODEL with file and line). */
BRINK_API brink_status brink_sim_set(brink_sim *sim, const char *name, double value);
BRINK_API brink_status brink_sim_get(brink_sim *sim, const char *name, double *value);

/* The start value of a variable in the runs started later. */
BRINK_API brink_status brink_sim_set_start(brink_sim *sim, const char *name,
                                           double value);

/* Forget all settings; parameters of a run under way stay until it ends. */
BRINK_API void brink_sim_reset(brink_sim *sim);

/* The same by the index that brink_model_find has told. */
BRINK_API brink_status brink_sim_set_at(brink_sim *sim, int index, double value);
BRINK_API brink_status brink_sim_set_start_at(brink_sim *sim, int index, double value);
BRINK_API brink_status brink_sim_get_at(brink_sim *sim, int index, double *value);

/* Run to t_end.  BRINK_END: reached, events exactly there included (or passed, by a
 * jump that lets time pass). BRINK_TERMINATED, BRINK_LIMIT, BRINK_ZENO, BRINK_STOPPED:
 * ended before, the reason is in brink_sim_error.  Negative: an error; everything up to
 * it is kept. May be called again with a later end.
 *
 * Just after a start t_end may lie before it: then the run goes backward, as far as the
 * solution is smooth.  Steps have a negative h, events that change outputs only pass,
 * and at the first one that would act it ends with BRINK_IRREVERSIBLE.  May be called
 * again with an earlier end. */
BRINK_API brink_status brink_sim_run(brink_sim *sim, double t_end);

/* The same, one piece at a time: BRINK_OK after a step, BRINK_EVENT after an
 * instant with events.  Events that change outputs only may lie inside a step: the
 * trace and an observer know of them. */
BRINK_API brink_status brink_sim_advance(brink_sim *sim, double t_end);

/* The run is over where it stands: in one more instant terminal() of a text model is
 * true, everywhere, and stays so.  What that changes is an event of kind `time`; no
 * other instant follows from it.  After an error or a stop by an observer there is no
 * reason to call it.  The run does not go on: start it again.  BRINK_OK or an error. */
BRINK_API brink_status brink_sim_finish(brink_sim *sim);

/* Has the run taken the wall time that `max_seconds` allows?  For an observer that
 * works long at one step, as one that writes many rows: the run that it stops then ends
 * with BRINK_LIMIT. */
BRINK_API int brink_sim_expired(const brink_sim *sim);

/* Warnings since the start: assertions of level warning that failed, each once, with
 * line and time; states near their absolute tolerance; the first guard of a text model
 * that nothing bounds between samples; a step that may have passed over something;
 * contacts and switches from which several solutions go on, or none, the first of each;
 * very many events that follow each other ever closer.
 * Number 0, 1, ...; NULL past the last.  Valid until the next call on the simulation.
 */
BRINK_API const char *brink_sim_warning(brink_sim *sim, int number);

/* Start values that were written, or set, and could not be kept at the start, largest
 * moves first, in units of nominal values: entry 0, 1, ...; NULL past the last, or past
 * BRINK_MOVED_STARTS of them.  Fixed start values do not move, and variables without a
 * start value are not listed.  Valid until the next start. */
BRINK_API const brink_moved_start *brink_sim_moved_start(const brink_sim *sim,
                                                         size_t number);

/* How many there are. */
BRINK_API size_t brink_sim_moved_starts(const brink_sim *sim);

/* Values of all brink_model_variables: now; and, from inside on_step, at theta of
 * that step (discrete ones as they are during the step). */
BRINK_API brink_status brink_sim_values(brink_sim *sim, double *values);
BRINK_API brink_status brink_sim_values_at(brink_sim *sim, const brink_step *step,
                                           double theta, double *values);

/* The state (k = 0) or its k-th derivative at t, a time of the last step up to the
 * event that cut it (there: before the event), from the step polynomial: writes out,
 * with room for the states of the mode of that step.  BRINK_EARG: t lies outside, or
 * the method saved what the polynomial costs (dop853, if nobody reads its steps); the
 * option `dense` makes it compute that always.  Does not allocate. */
BRINK_API brink_status brink_sim_at(brink_sim *sim, double t, int k, double *out);

/* The modes that the run has met, in order: a mode of the model together with the
 * values of what chooses branches of its equations (brink_anatomy.branches), as they
 * are after the start and after each instant, unless another instant follows at the
 * same time.  A few hundred are told apart (fewer where there are many branches):
 * stats.modes_met; entries of the others are counted.  The numbers are valid until the
 * next start. */
typedef struct brink_mode_met {
  int mode;               /* as brink_sim_mode has it                             */
  const double *branches; /* [n_branches] NaN: of equations that are not active   */
  double t;               /* when it was entered first                            */
  long entries;           /* how often                                            */
} brink_mode_met;

BRINK_API brink_mode_met brink_sim_mode_met(const brink_sim *sim, size_t number);

/* How often a mode was entered that is not among them. */
BRINK_API long brink_sim_modes_unlisted(const brink_sim *sim);

/* Where it stands, and what it has done.  Pointers are valid until the next call; the
 * error is that of the last status that was neither BRINK_OK, BRINK_EVENT nor
 * BRINK_END. */
BRINK_API const brink_model *brink_sim_model(const brink_sim *sim);
BRINK_API double brink_sim_time(const brink_sim *sim);
BRINK_API int brink_sim_mode(const brink_sim *sim);

/* Name of a mode that the model knows or the simulation has met; NULL: it has not. */
BRINK_API const char *brink_sim_mode_name(const brink_sim *sim, int mode);
BRINK_API size_t brink_sim_n(const brink_sim *sim);
BRINK_API const double *brink_sim_state(const brink_sim *sim);
BRINK_API const double *brink_sim_p(const brink_sim *sim);
BRINK_API const double *brink_sim_u(const brink_sim *sim);
BRINK_API const double *brink_sim_w(const brink_sim *sim);
BRINK_API brink_sim_stats brink_sim_statistics(const brink_sim *sim);
BRINK_API const brink_trace *brink_sim_trace(const brink_sim *sim);
BRINK_API const brink_err *brink_sim_error(const brink_sim *sim);

/* The locators: name, one line about each, whether "no hit" means "no root".
 * NULL past the last. */
BRINK_API const char *brink_locator_name(int index);
BRINK_API const char *brink_locator_about(int index);
BRINK_API int brink_locator_proves(int index);

/* 1: it takes the last step to an event itself, so that the time of an event is wrong
 * by what the tolerance allows a step, where others are as exact as the step
 * polynomial. */
BRINK_API int brink_locator_takes_steps(int index);

#ifdef __cplusplus
}
#endif
#endif /* BRINK_SIM_H */
