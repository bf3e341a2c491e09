/* model/model.h -- the immutable hybrid model as the executor sees it.
 *
 * Two halves.  brink_model is const and shared: modes, guards, how to act.  A
 * brink__live is one simulation's mutable copy of what jumps may change
 * (parameters, inputs, outputs, discrete variables), laid out and understood by
 * the model alone.  Every kind of model fills in the same brink__model_ops.
 */
#ifndef BRINK_MODEL_INTERNAL_H
#define BRINK_MODEL_INTERNAL_H

#include <math.h>

#include "brink/event.h"
#include "brink/step.h"
#include "core/core.h"
#include "model/flow.h"

typedef struct brink__live brink__live; /* never defined: each kind of model has a type
                                           of its own for it, and one cast */

/* How a guard can be expanded along a step. */
typedef enum brink__guard_form {
  BRINK__GUARD_STATE,   /* y[state] - level: its polynomial is a row of the step   */
  BRINK__GUARD_SAMPLED, /* values only                                             */
  BRINK__GUARD_RANGE,   /* values; range and slope along a step can be enclosed    */
  BRINK__GUARD_JET      /* the same, and more Taylor coefficients                  */
} brink__guard_form;

/* Can ranges and slopes of such a guard be enclosed? */
static inline int brink__guard_encloses(brink__guard_form form)
{
  return form == BRINK__GUARD_RANGE || form == BRINK__GUARD_JET;
}

typedef struct brink__guard {
  const char *name;
  brink__guard_form form;
  size_t state; /* STATE: which                                         */
  double level;
  int degree;   /* SAMPLED: of a polynomial guard, 0 if unknown        */
  double noise; /* extra rounding bound                                */
  int held;     /* 1: its sign is a frozen relation, which an event must
                   change; 0: at a restart the sign is taken as found   */
  int at_zero;  /* held: the sign that says what the relation is on the zero itself,
                   by its operator; 0: that of either side              */
  int coupled;  /* 1: its relation decides about the equations behind it, which may make
                   it 0 on whole steps: its size there is rounding      */
  int costly;   /* 1: a value costs much more than one of f             */
} brink__guard;

/* When a guard last fired, and its values then.  A model that freezes relations keeps
 * one for each: until the guard moves, the relation stays as the event has left it. */
typedef struct brink__firing {
  double t;      /* NaN: never                                                      */
  double before; /* as it was before ...                                            */
  double after;  /* ... and with its own relation as the event leaves it            */
  double within; /* how near its zero it counts as having fired, if another mode was
                    entered: the laws of both agree there no better               */
} brink__firing;

static inline int brink__fired_at(const brink__firing *f, double t)
{
  return f->t == t;
}

/* Has the guard fired at t, and is still g? */
static inline int brink__fired_unmoved(const brink__firing *f, double t, double g)
{
  return f->t == t && f->after == g;
}

typedef struct brink__mode {
  const char *name;
  size_t n;
  const char *const *states;      /* [n] names */
  const unsigned char *dependent; /* [n] 1: a state that follows from others, so that
                                     its tolerance is nobody's choice; or NULL      */
  const brink__places *pattern; /* as in flow.h; NULL: not known                     */
  int n_guards;
  const brink__guard *guards;
  int unilateral;     /* number of events beyond which f does not exist */
  int smooth;         /* f has no discontinuity that no guard announces     */
  const char *locate; /* locator that its events ask for; NULL: none        */
} brink__mode;

/* A jump that impulses have caused, for the record. */
typedef struct brink__jump {
  const char *variable;
  const char *cause; /* the constraint that has forced it                           */
  int moves;         /* 1: the variable jumps; 0: its integral over the instant does */
  double size;
} brink__jump;

/* One instant: what is due goes in, what happened comes out. */
typedef struct brink__instant {
  /* -- given -- */
  double t;
  int number; /* 0, 1, ... at this t                              */
  int mode;
  const double *y_before;
  const signed char *sign_before; /* [n_guards of mode] -1, 0 (undecided), +1    */
  const signed char *sign;        /* the same with the hits of this instant      */
  const signed char *hit;         /* direction of the hit, 0: none               */
  const unsigned char *due;       /* [n_timers] fire now                         */
  int at_restart;                 /* the hits are at 0+ of a start or a jump     */
  int trial;                      /* asked on a copy: would it do so?            */
  int beyond;                     /* a trial beyond guards whose events are to come */
  int verbose;                    /* tell what changed without effect too        */
  double rtol;                    /* of the run                                  */

  /* -- result -- */
  double *y;        /* state after; on entry y_before                           */
  int mode_after;   /* on entry mode                                            */
  unsigned classes; /* BRINK_SE_* bits                                          */
  int flow_changed; /* the solution goes on by another law, or from another state: the
                       integrator must start anew                             */
  int retime;       /* next_time must be asked again                            */
  int stop;         /* the run ends after this instant                          */
  int zeno;         /* it ends here: events accumulate, *err says how           */
  int irreversible; /* it ends here: the run goes backward, *err says what cannot be
                       undone                                                   */
  int conflict;     /* with an error: events of several hits set a state to different
                       values; the live object is as it was before              */
  const char *loop; /* with an error: relation or variable no value of which agrees
                       with what follows from it                               */
  const char *message; /* why, if the model says so                                */
  double t_after;      /* on entry t; later: time passes in the jump               */
  int *fired;          /* [max_fired] events that happened; timers as -1 - index   */
  const char **names;  /* [max_fired] for the record, NULL: event_name; or NULL    */
  int n_fired;
  int n_silent;    /* verbose: behind them, relations that changed without effect */
  double *noise;   /* [max_n] what the states are uncertain by, of y_before; or NULL  */
  int noise_known; /* 1: noise is now that of y                               */
  brink__jump *jumps; /* [max_jumps] of the states that constraints have forced      */
  int n_jumps, max_jumps;
} brink__instant;

/* What guards that change their signs lead to. */
enum {
  BRINK__SILENT,  /* nothing: the signs are remembered                               */
  BRINK__OUTPUTS, /* an instant that changes outputs at most: the step goes on      */
  BRINK__ACTS     /* an instant that may change how the solution goes on            */
};

/* When next_time is asked, and how a timer is due. */
enum {
  BRINK__ASK_AFTER,    /* for times after t                                        */
  BRINK__ASK_AT_START, /* for t itself too                                         */
  BRINK__ASK_AT_END,   /* the run ends at t: what is due there because of that?    */
  BRINK__ASK_PASSED    /* a jump has let time pass to t: whose times were skipped?
                          Asked only of models whose jumps do that                 */
};
enum {
  BRINK__NOT_DUE,
  BRINK__DUE,
  BRINK__DUE_CHANGE /* not at a time of its own, but a change at 0+ of the start    */
};

/* Times this close are one time: 0.1 + 29 * 0.1 and 3 differ by rounding only. */
static inline double brink__time_slack(double t) { return 8 * 0x1p-52 * fabs(t); }

/* Work inside a model that evaluations of f and of guards do not tell. */
typedef struct brink__effort {
  long jets;      /* enclosures of Taylor coefficients of a guard along a step    */
  long jac_evals; /* Jacobians, of loops and at the start                         */
  long lu;        /* factorisations                                               */
  long homotopy;  /* steps along the path of homotopy() at the start              */
  long modes_analysed; /* modes that were met for the first time, and compiled      */
  long projections;    /* of states onto constraints                                 */
} brink__effort;

/* Who says what the delayed expressions are along a step, if it is not the model. */
typedef struct brink__delayed {
  int (*values)(void *self, double t, const double *y, double *v);
  void *self;
} brink__delayed;

/* What every kind of model implements. */
typedef struct brink__model_ops {
  /* Bytes of a live object, and making one of zeroed memory; what it needs beside that
   * it takes from the context of the simulation. */
  size_t (*live_size)(const brink_model *model);
  void (*live_init)(const brink_model *model, brink__live *live, brink_ctx *ctx);

  /* Release what a live object has taken since; NULL: nothing. */
  void (*live_fini)(const brink_model *model, brink__live *live);

  /* Make one equal to another of the same model, in its own memory. */
  brink_status (*live_copy)(const brink_model *model, brink__live *to,
                            const brink__live *from, brink_err *err);

  /* What a mode is; NULL: nobody has met it yet (live NULL: it was not built with the
   * model).  Its name; NULL: the model does not know it. */
  const brink__mode *(*mode_info)(const brink_model *model, const brink__live *live,
                                  int mode);
  const char *(*mode_name)(const brink_model *model, int mode);

  /* Begin at t, forgetting everything but what was set: from the state `given` in
   * *mode, or (NULL) from the model's own start, which models without one refuse.
   * Writes *mode and y.  BRINK_TERMINATED, with a sentence in *err: the run is over at
   * once. */
  brink_status (*start)(const brink_model *model, brink__live *live, double t,
                        int *mode, const double *given, double *y, brink_err *err);

  /* Values of model->vars at (t, y). */
  brink_status (*values)(const brink_model *model, brink__live *live, int mode,
                         double t, const double *y, double *values, brink_err *err);

  /* Does variable `index` of model->vars exist in this mode?  NULL: all do. */
  int (*is_active)(const brink_model *model, const brink__live *live, int mode,
                   size_t index);

  /* The derivatives of the states where `values` was last asked in this mode; 1: f [n
   * of the mode] is written; 0: it has not computed them. */
  int (*slopes)(const brink_model *model, const brink__live *live, int mode, double *f);

  /* Set number `index` of model->vars; y: the states of the run under way in `mode` at
   * t, NULL: there is none.  Then: the start value in the runs to come; forget all that
   * was set; its value (y NULL: only what has one without a run). */
  brink_status (*set)(const brink_model *model, brink__live *live, int mode, double t,
                      double *y, size_t index, double value, brink_err *err);
  brink_status (*set_start)(const brink_model *model, brink__live *live, size_t index,
                            double value, brink_err *err);
  void (*reset)(const brink_model *model, brink__live *live);
  brink_status (*get)(const brink_model *model, brink__live *live, int mode, double t,
                      const double *y, size_t index, double *value, brink_err *err);

  /* The law of a mode; the flow borrows live.  steady: it depends on the mode alone,
   * not on what jumps change in live. */
  int steady;
  void (*flow)(const brink_model *model, brink__live *live, int mode, brink_flow *out);

  /* Put the levels that this simulation has into guards [n_guards of mode] of form
   * STATE. */
  void (*levels)(const brink_model *model, brink__live *live, int mode,
                 brink__guard *guards);

  /* The size of each state of the mode that counts as 1; 1: nominal [n of the mode] is
   * written; 0: it is 1 for all. */
  int (*nominals)(const brink_model *model, const brink__live *live, int mode,
                  double *nominal);

  /* The longest step that makes sense; 0: any. */
  double (*longest_step)(const brink_model *model, const brink__live *live);

  /* Flows that limit steps (flow.h) only: the longest step from (t, y) in which nothing
   * that depends on time alone is hidden from a method, and no zero of a guard from its
   * samples, in a run to t_end at this relative tolerance; infinite: any.  wanted: the
   * step that would be tried; 0: the flow begins anew at t. */
  double (*step_limit)(const brink_model *model, brink__live *live, int mode, double t,
                       const double *y, double t_end, double wanted, double rtol);

  /* Value of one guard.  0 ok, > 0 "not here", < 0 "stop". */
  int (*guard)(const brink_model *model, brink__live *live, int mode, int k, double t,
               const double *y, double *g);

  /* What would follow if the signs flipped so: BRINK__SILENT, BRINK__OUTPUTS,
   * BRINK__ACTS. */
  int (*triggers)(const brink_model *model, brink__live *live, int mode,
                  const signed char *sign_before, const signed char *sign);

  /* Modes with unilateral events only.  1 if one of them lies behind (t, y); and: if
   * the guards had these signs. */
  int (*outside)(const brink_model *model, brink__live *live, int mode, double t,
                 const double *y);
  int (*beyond)(const brink_model *model, brink__live *live, int mode,
                const signed char *sign);

  /* Carry out one instant. */
  brink_status (*instant)(const brink_model *model, brink__live *live,
                          brink__instant *inst, brink_err *err);

  /* Models that remember only (see brink_model).  The values v [remembers] of what is
   * delayed, at (t, y) of an accepted step.  Returns as guards do. */
  int (*delayed)(const brink_model *model, brink__live *live, int mode, double t,
                 const double *y, double *v);

  /* A stretch [begin, end] of theta of an accepted step, before the instant at its end
   * t_end.  law: asked for what is delayed instead of the model; or NULL.  And: the
   * same stretch, as `from` has recorded it. */
  void (*record)(const brink_model *model, brink__live *live, int mode,
                 const brink_step *step, double begin, double end, double t_end,
                 const brink__delayed *law);
  void (*record_same)(const brink_model *model, brink__live *live,
                      const brink__live *from);

  /* The solution was accepted up to (t, y), the end of a step or the left limit of an
   * instant; before anyone is shown what lies before.  NULL: nothing depends on it. */
  brink_status (*accepted)(const brink_model *model, brink__live *live, int mode,
                           double t, const double *y, brink_err *err);

  /* No step leads on from t: if that is because solutions of implicit equations turn
   * back there (a fold), the sentence in *err and the name of the variable; else NULL.
   * NULL itself: the model has no such equations. */
  const char *(*fold)(const brink_model *model, brink__live *live, int mode, double t,
                      brink_err *err);

  /* Warnings the model has given since the start, number 0, 1, ...; NULL past the last.
   * Valid until the next call. */
  const char *(*warning)(const brink_model *model, brink__live *live, int number);

  /* Start values that the last start, the model's own, did not keep: how many, and the
   * `most` that moved farthest in out. */
  size_t (*moved_starts)(const brink_model *model, const brink__live *live, size_t most,
                         brink_moved_start *out);

  /* After a start or a jump the guards have the values g and the signs `sign` (0:
   * in the band) in `mode`; old_sign are those before the jump if the mode was
   * kept, else NULL.  May replace the signs of held guards by their frozen values.
   * `hit` (in: guards that just fired; out: guards whose event is due at once).
   * Returns the number of hits, or an error; with 0, `hit` marks held guards that
   * changed without effect. */
  int (*restarted)(const brink_model *model, brink__live *live, int mode, double t,
                   const double *g, const signed char *old_sign, signed char *sign,
                   signed char *hit, brink_err *err);

  /* Next known time, as asked (BRINK__ASK_*): fills due[] (BRINK__DUE ...) for that
   * time. NaN: the timers in due[] have no such time. */
  double (*next_time)(const brink_model *model, brink__live *live, int mode, double t,
                      const double *y, int asked, unsigned char *due);

  /* The run goes backward from its start on.  From now on, until the next start,
   * next_time, next_acting_time and step_limit speak of the clock of the run, which is
   * the negative of time.  An error: the model cannot. */
  brink_status (*backward)(const brink_model *model, brink__live *live, int mode,
                           brink_err *err);

  /* Would an action follow if guards changed their signs so, or the other way round,
   * that triggers does not count?  NULL: triggers counts them all. */
  int (*fires)(const brink_model *model, brink__live *live, int mode,
               const signed char *before, const signed char *after);

  /* Of the times that next_time has found, the first whose instant may change more than
   * outputs. */
  double (*next_acting_time)(const brink_model *model, brink__live *live, int mode);

  /* Name and side of an event for the record. */
  const char *(*event_name)(const brink_model *model, const brink__live *live, int mode,
                            int event);
  brink_side (*event_side)(const brink_model *model, const brink__live *live, int mode,
                           int event);

  /* Which way an event that happened went (-1, +1; 0: that cannot be said), and the
   * guard whose hit made it go.  NULL: the directions of the hits say all there is. */
  int (*event_edge)(const brink_model *model, int mode, int event,
                    const signed char *before, const signed char *after,
                    const signed char *hit, int *guard);

  /* How near its zero guard k counts as having fired at this restart; 0: only as its
   * sign says.  NULL: it never does otherwise. */
  double (*fired_within)(const brink_model *model, const brink__live *live, int mode,
                         int k, double t);

  /* Guards of form JET.  Encloses Taylor coefficient number `order`, in theta, of guard
   * k along the step at all points of [a, b] in [0, 1]; order 0 is its range.  0: that
   * cannot be said. */
  int (*guard_range)(const brink_model *model, brink__live *live, int mode, int k,
                     const brink_step *step, double a, double b, int order, double *lo,
                     double *hi);

  /* The same: value of guard k at (t, y), and what it is uncertain by if state i is by
   * noise[i], rounding included.  0: that cannot be said. */
  int (*guard_noise)(const brink_model *model, brink__live *live, int mode, int k,
                     double t, const double *y, const double *noise, double *value,
                     double *delta);

  /* Guards that are no states: dg/dt of guard k along f, the right-hand side at (t, y).
   * 0: that cannot be said; NULL: of none, but guard_range tells as much. */
  int (*guard_rate)(const brink_model *model, brink__live *live, int mode, int k,
                    double t, const double *y, const double *f, double *rate);

  /* The values of what chooses branches, brink_anatomy, after a start or an instant;
   * NaN: its equations are not active.  NULL: the model has none. */
  void (*branches)(const brink_model *model, const brink__live *live, double *values);

  /* Work since live_init. */
  brink__effort (*effort)(const brink_model *model, const brink__live *live);

  /* Side wanted for a hit of guard k (the strictest of its events). */
  brink_side (*guard_side)(const brink_model *model, const brink__live *live, int mode,
                           int k);

  void (*destroy)(brink_model *model);
} brink__model_ops;

struct brink_model {
  brink_ctx *ctx;
  const brink__model_ops *ops;
  const char *name;
  const char *file; /* from which it was read; NULL: none            */
  const char *text; /* description; NULL: none                       */
  int n_modes;
  const brink__mode *modes; /* [n_modes] of callbacks; others ask ops->mode_info */
  int n_timers;
  const brink_variable *vars; /* [n_names] the first n_vars are what a result shows */
  size_t n_vars, n_names;
  brink_experiment experiment;
  brink_anatomy anatomy;
  int max_fired;  /* most events one instant can carry      */
  int max_jumps;  /* most jumps by impulses that it can list */
  int max_guards; /* over all modes                         */
  size_t max_n;   /* over all modes                         */
  int backward;   /* 1: its t is the negative of time, as that is to be shown */
  int remembers;  /* so many expressions of it are delayed: it reads
                     its own past, and is told every step by
                     ops->record                            */

  /* Of a model that asks another one (hybrid/passed_on.c): which, and about which of
   * its modes where it is asked about `mode`; NULL: the same. */
  const brink_model *inner;
  int (*mode_asked)(const brink_model *model, int mode);
};

/* A callback model's parameters, inputs, outputs (writable). */
typedef struct brink__values {
  double *p, *u, *w;
  int n_p, n_u, n_w;
} brink__values;
brink__values brink__live_values(const brink_model *model, brink__live *live);

#endif /* BRINK_MODEL_INTERNAL_H */
