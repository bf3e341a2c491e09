/* hybrid/sim.h -- the inside of a simulation, and what the files of this room offer
 * each other.
 *
 *   options.c ............ the settings: defaults, range check
 *   sim.c ................ make, start, ask and free a simulation
 *   access.c ............. values by name
 *   clone.c .............. copies and snapshots
 *   regime.c ............. what the executor runs: a flow, its guards, when it ends
 *   executor.c ........... advance: one step, or what is due at its start; restart
 *   approach.c ........... before a step: shorten it so that it ends on what must not
 *                          be passed
 *   takeover.c ........... a step of the locator instead of one of the method
 *   hits.c ............... after a step: walk through the zeros of the guards in it ...
 *   passed_hits.c ........ ... of which these do not cut it
 *   interpolant_check.c .. is the step's polynomial good enough at an event?
 *   closing.c ............ a step of the method that ends on an event
 *   instant.c ............ carry out what is due at one time
 *   right_limit.c ........ the guards after an instant, and what is due at once
 *   stop_time.c .......... events at the stop time
 *   record.c ............. what the trace and the observer get
 *   modes_met.c .......... the list of modes that a run meets
 *   warnings.c ........... what the numbers of a run should not be trusted for
 *   lie.c (lie.h) ........ how guards move along a law
 *   reflected_model.c .... a run that goes backward; it and extended_model.c pass most
 *                          questions on to the user's model (passed_on.c)
 *
 * Regimes that are made at run time, where a solution slides along guards or rests on
 * contacts: extended_model.h and contact.h list their files.  Verdicts about a run, and
 * accumulations of events: policies.h lists theirs.
 */
#ifndef BRINK_SIM_INTERNAL_H
#define BRINK_SIM_INTERNAL_H

#include "brink/sim.h"
#include "event/locator.h"
#include "hybrid/accumulation.h"
#include "ode/driver.h"
#include "trace/trace.h"

/* ------------------------------------------------------------ regimes ---- */

/* How long a regime has lasted, each time; see dwell_time.c. */
typedef struct brink__dwell {
  double last[3];     /* newest first; 0: not yet                                  */
  double short_below; /* a small part of the longest                               */
  double shortest;    /* since the last one that was not short ...                 */
  int stagnant;       /* ... and so many have followed it, none shorter            */
  int contracted;     /* so many shorter than the one before, none much longer     */
} brink__dwell;

/* Check of a step's polynomial at an event; see interpolant_check.c. */
typedef struct brink__check {
  double trusted_below; /* terms of third and higher degree that need no check;
                           infinite: none do                                       */
  int retakes;          /* how often this step has been taken again ...            */
  double h;             /* ... and the length for the next time                    */
} brink__check;

/* What the executor runs until an event ends it: a flow, the watches of its guards, and
 * the rule that ends it.  Made when it is first entered, kept as long as the
 * simulation: a mode of the model, or one that was made at run time
 * (extended_model.h). */
typedef struct brink__regime brink__regime;
struct brink__regime {
  int mode;  /* its key                                                             */
  int shown; /* the mode of the user's model that it is, or that it is made of       */
  const brink__mode *info;
  brink__block block;
  brink_flow flow;
  brink_integrator *it;
  brink_mode_weight_fn *weight; /* of errors, or NULL                               */
  void *weight_user;
  brink__gate probe;    /* evaluations of f that are questions, counted here        */
  brink__guards guards; /* and their watches                                        */
  brink__hits hits;     /* of the last step                                         */

  /* What follows if the guards change their signs so: BRINK__SILENT,
   * BRINK__OUTPUTS, or BRINK__ACTS, and the regime is over. */
  int (*over)(const brink__regime *regime, const signed char *before,
              const signed char *after);

  int gated; /* f must not be called beyond its unilateral events                   */
  double h;  /* the last step taken in it                                           */
  double h_max; /* the longest that may be taken; 0: any                            */
  brink__dwell dwell;
  brink__check check;

  /* -- approach.c -- */
  double *ahead; /* [n][max_degree + 1] the predicted step; scratch of closing.c     */
  double wanted; /* the step that would have been tried without a cap               */
  long refusals; /* of the gate that have been looked at                            */
  double strict; /* the part of the tolerance that is asked for                     */
  double flight; /* how long the shortest flight is that the last event has begun and
                    that has to be followed step by step                            */

  /* -- takeover.c, for locators that take steps themselves -- */
  void *takeover;       /* memory of the locator, NULL: it takes none ...             */
  size_t takeover_size; /* ... in bytes                                               */
  double *taken; /* [n][max_degree + 1] polynomial of its step                  */
  int toward;    /* guard whose zero the predicted step shows, -1: none ...     */
  brink_step predicted; /* ... in this one, which is in `ahead`, ... */
  double theta;   /* ... here                                                    */
  double t_limit; /* of the step under way                                       */
  int declined;   /* the locator has stopped taking steps to the guard in sight  */
  int nearer;     /* how often a step was taken again, to end nearer to the guard */

  /* -- warnings.c -- */
  double *largest; /* [n] of |y| in this run; infinite: far above its tolerance      */
  size_t n_small;  /* how many are not                                              */
};

/* --------------------------------------------------- events and verdicts ---- */

/* What is due at one time, and the left limit at which it is due.  Filled by whoever
 * has found it; brink__instants leaves the right limit of the last instant in it. */
typedef struct brink__due {
  double *y;           /* [max_n] left limit                                        */
  double *noise;       /* [max_n] rounding bounds of y, with the error of location  */
  double far;          /* difference quotients of guards step so many times farther */
  double *g;           /* [max_guards] the guards there                             */
  signed char *before; /* [max_guards] signs without ...                           */
  signed char *after;  /* [max_guards] ... and with the hits, ...                   */
  signed char *hit;    /* [max_guards] ... which have these directions, 0: no hit   */
  const unsigned char *timers; /* [n_timers]                                        */
  int timed;       /* some of them, now or in an instant before at this time */
  brink_kind kind; /* of the guard events                               */
  int at_start;    /* the timers are changes at 0+ of the start          */
  double width;    /* of the location, in t                             */
  brink_certificate certificate;
} brink__due;

/* The record of events that policies read: one entry for what an event or a known time
 * has led to, with all instants at 0+ that followed from it. */
typedef struct brink__occurrence {
  double t, gap; /* when, and how long after the instant before                    */
  int event;     /* the last that fired, timers as -1 - index; BRINK__NO_EVENT       */
  int mode_before, mode_after;
  unsigned classes;
} brink__occurrence;

/* Four events that repeat themselves; see spiral.c. */
typedef struct brink__spiral {
  long events;       /* so many of the last have repeated those four before           */
  long next_look;    /* the time of four is compared after so many ...                */
  double period;     /* ... with this one, of the look before                         */
  int shorter;       /* so many looks in a row have found it shorter                  */
  double held_below; /* whether they can be held is asked again at this; 0: now       */
  int due;           /* 1: it is asked now                                            */
} brink__spiral;

/* Do events crowd?  Looked at when 2, 4, 8, ... of them have been; see crowding.c. */
typedef struct brink__crowd {
  double t, took; /* of the last look, and the time from the one before            */
  int closer;     /* so many looks in a row have found that time hardly longer      */
} brink__crowd;

enum { BRINK__HISTORY = 16, BRINK__NO_EVENT = -2147483647 };
typedef struct brink__history {
  brink__occurrence v[BRINK__HISTORY]; /* a ring                                   */
  long n;                              /* so many have been written                */
  long turns; /* so many of the last were two events in turn; of hysteresis.c       */
  brink__spiral spiral;
  brink__crowd crowd;
} brink__history;

/* The i-th last occurrence, i < BRINK__HISTORY; NULL: there were not so many. */
static inline const brink__occurrence *brink__history_last(const brink__history *h,
                                                           int i)
{
  return i < h->n ? &h->v[(h->n - 1 - i) % BRINK__HISTORY] : NULL;
}

/* Are the last n events those before them again, and have they changed no state?  n <=
 * BRINK__HISTORY/2; *period: the time that they took. */
static inline int brink__history_repeats(const brink__history *h, int n, double *period)
{
  *period = 0;
  for (int i = 0; i < n; i++) {
    const brink__occurrence *a = brink__history_last(h, i),
                            *b = brink__history_last(h, i + n);
    if (!b || a->event < 0 || a->event != b->event ||
        a->mode_before != b->mode_before || (a->classes & BRINK_SE_S))
      return 0;
    *period += a->gap;
  }
  return 1;
}

/* What a policy has found, in why.status: BRINK_ZENO, the run is over; or an error.
 * A policy returns 0 and leaves this alone if it has found nothing.  How a run goes on
 * is said by those that propose a regime (extended_model.h). */
typedef struct brink__verdict {
  brink_err why;
  brink_kind kind; /* what it says of the guards that have to do with it            */
  int guard;       /* the one that it was found at, -1: see the watches              */
} brink__verdict;

/* How the run progresses; see unguarded_sliding.c. */
typedef struct brink__progress {
  int steps; /* until the next check                                            */
  double t;  /* of the last check, ...                                          */
  long instants, rejected, unguarded, look_evals; /* ... and what had happened   */
  double best;   /* the longest time between two checks                            */
  int wait;      /* checks until f is worth another search ...                     */
  int fruitless; /* ... after so many                                         */
  double fruitless_gain; /* the time gained before the last of them                */
  int seen; /* a fixed step: the last search has seen it slide                  */
} brink__progress;

/* The states since they have last left their tolerances; see standstill.c. */
typedef struct brink__standstill {
  double t;           /* since when ...                                               */
  double *y;          /* [max_n] and where                                            */
  size_t n;           /* so many states, 0: there is nothing yet                      */
  long slides, steps; /* that there have been                                         */
  int mode, guard;    /* of the last slide                                            */
} brink__standstill;

/* What is done where laws lead back to a guard from both sides: names, and numbers. */
#define BRINK__SLIDING_MAP(X)                                                          \
  X(FILIPPOV, "filippov")                                                              \
  X(REGULARIZE, "regularize")                                                          \
  X(CHATTER, "chatter")                                                                \
  X(STOP, "stop")
typedef enum brink__sliding_policy {
#define X(name, text) BRINK__SLIDING_##name,
  BRINK__SLIDING_MAP(X)
#undef X
} brink__sliding_policy;

/* Where the polynomials of the steps were farthest from the law, as rows of output have
 * shown; see warnings.c. */
typedef struct brink__outrun {
  double excess; /* h |p' - f| in tolerances; 0: nowhere worth a word                */
  double t, h, slope, f;
  int mode;
  size_t state;
} brink__outrun;

/* The first step in which nothing bounded a guard of a text model between its samples;
 * see warnings.c. */
typedef struct brink__unbounded {
  const char *locator; /* NULL: there was none                                      */
  double t0, t1;
  int mode;
  int guard; /* -1: all, since the locator only samples                            */
} brink__unbounded;

/* What may be worth a word about a solution, once in a run; see warnings.c. */
typedef enum brink__remark_kind {
  BRINK__REMARK_UNIQUE,     /* several solutions go on from here, of contacts ...     */
  BRINK__REMARK_EXISTS,     /* ... none does, or would for another law                */
  BRINK__REMARK_UNCHECKED,  /* too many contacts to tell                              */
  BRINK__REMARK_ORDER,      /* events at once that exclude each other                 */
  BRINK__REMARK_READING,    /* an event that no contact can be read from              */
  BRINK__REMARK_START,      /* a body begins on its surface and moves beyond it       */
  BRINK__REMARK_REPELLED,   /* laws lead away from a guard on both of its sides       */
  BRINK__REMARK_TANGENT,    /* the law leads along a guard that switches it           */
  BRINK__REMARK_HYSTERESIS, /* a switch goes back and forth across a narrow band      */
  BRINK__REMARK_SPIRAL,     /* turns round a corner become ever closer ...           */
  BRINK__REMARK_CORNER,  /* ... and cannot be seen any more                         */
  BRINK__REMARK_CROWDED, /* events follow each other ever closer, too many to wait for
                          */
  BRINK__REMARK_EXITS,   /* a corner of switches that is left in several ways      */
  BRINK__REMARK_PRODUCT, /* two switches that are slid along do not add up         */
  BRINK__REMARK_NOT_AFFINE, /* a sign that is slid along enters more than in proportion
                             */
  BRINK__REMARK_STANDSTILL, /* what slides stands still, in short steps               */
  BRINK__REMARKS
} brink__remark_kind;

/* ---------------------------------------------------------- simulation ---- */

/* Rows of scratch.  Those with a name belong to one file each, which is called in the
 * middle of others (warnings.c, reflected_model.c, sliding_law.c), or calls them
 * (held.c). */
enum {
  BRINK__WORK_ROWS = 10,
  BRINK__SLOPES_ROW = 6,
  BRINK__REFLECTED_ROW = 7,
  BRINK__PROPOSE_ROW = 8,
  BRINK__PROJECT_ROW = 9
};

/* What an advance finds: guards that are armed, or bits. */
enum {
  BRINK__RUNS = 0,
  BRINK__BEGINS = 1, /* the run has been started, its guards are not armed yet      */
  BRINK__RESUMES = 2 /* values were set since the last advance                      */
};

/* The model of a run that goes backward; see reflected_model.c. */
typedef struct brink__reflected {
  brink_model base; /* that of the user, but for ops                              */
  brink__model_ops ops;
  brink_flow *flow; /* of the inner model, in its mode                            */
  double *acting;   /* the last answer of next_acting_time                        */
  double *f;        /* [max_n] scratch: the law of the user                       */
} brink__reflected;

/* Modes that the run has met, modes_met.c. */
typedef struct brink__modes_met {
  size_t n, cap;
  size_t now;       /* the present one; cap: not listed; more: none yet              */
  double t_now;     /* when it was entered                                           */
  long unlisted;    /* entries of those                                              */
  double *branches; /* [cap + 1][n_branches] the last row is scratch                 */
  double *t;        /* [cap]                                                         */
  long *entries;    /* [cap]                                                         */
  int *mode;        /* [cap]                                                         */
} brink__modes_met;

struct brink_sim {
  brink_ctx *ctx;
  const brink_model *user_model; /* borrowed; outlives the simulation             */
  const brink_model *model;      /* that, &reflected.base or &extended->base      */
  int backward;                  /* t and all times are negative times            */
  brink__reflected reflected;
  brink_flow inner_flow;
  double inner_acting;
  struct brink__extended *extended; /* with modes made at run time, extended_model.h;
                                       NULL: none was proposed so far */
  brink__block block;
  brink_sim_opts opt;
  brink_observer observer;
  const brink_method *method;
  const brink__locator *locator;         /* of the active regime                   */
  const brink__locator *default_locator; /* where no event asks for another        */
  int closing;                           /* take a closing step to each event      */
  brink__sliding_policy sliding;
  int taken_over;       /* the last step was the locator's ...    */
  const char *taken_by; /* ... which is to be called this         */
  brink__live *live;

  /* -- regimes made so far, looked up by their key -- */
  brink__regime **regimes; /* [n_regimes]                                          */
  size_t n_regimes, cap_regimes;
  brink__regime *regime; /* the active one                                         */

  /* -- state: what a snapshot must save (with live and the watches) -- */
  double t;
  double *y; /* [max_n]                     written by advance, jump                */
  int mode;
  int started;
  int begins;         /* what the next advance finds: BRINK__BEGINS ...            */
  brink_status ended; /* why the run cannot go on, BRINK_OK if it can              */
  int finished;       /* brink_sim_finish was called                               */
  double t_start;     /* where the run began                                       */
  double t_stop;      /* stop time whose events have been looked for, NaN: none    */
  int restart;        /* the integrator has to start anew: the run begins, or the
                         state, the mode or what the law reads has changed         */

  /* -- known times -- */
  double t_next;             /* the next one                                       */
  double t_acting;           /* the next one that may change more than outputs     */
  unsigned char *timers_due; /* [n_timers] which fire then                         */
  unsigned char *no_timers;  /* [n_timers] zeros                                   */

  /* -- the instant -- */
  double t_instant;   /* time of the last one, NaN: none yet                       */
  int number;         /* how many there were at that time                          */
  brink__due due;     /* what is due, on its way to brink__instants                */
  double *y_after;    /* [max_n] right limit                                       */
  int *fired;         /* [max_fired]                                               */
  const char **names; /* [max_fired] for the record; NULL between instants         */
  brink__jump *jumps; /* [max_jumps] the same                                      */

  /* -- the last step, for brink_sim_at -- */
  brink_step last;  /* h = 0: none; its coefficients belong to the integrator       */
  double last_end;  /* as far as it was taken                                       */
  int last_read;    /* its polynomial was computed                                  */
  int extrapolated; /* what is being shown is no step of the method: the way to where
                       events accumulate                                           */

  /* -- history -- */
  double h_last;     /* size of the last step before a restart                     */
  double t_event;    /* time of the last restart                                   */
  double skipped[2]; /* from when to when a jump has let time pass, NaN: none      */
  double t_end; /* of the advance under way                                        */
  brink__history history;
  brink__accumulation accumulation;
  brink__past_zeno past_zeno;
  double rates[2]; /* of the guard whose event is being written down, NaN: unknown    */
  brink__progress progress;
  brink__standstill standstill;

  /* -- scratch: nothing in it outlives the call that has written it -- */
  double *work;       /* [WORK_ROWS][max_n]                                        */
  signed char *signs; /* [2][max_guards]                                           */

  brink__modes_met met;

  double *atol_i; /* [max_n] absolute tolerances of the states, if they were given */
  brink_trace trace;
  int acting_stiff; /* `auto` has a stiff method at work ...                     */
  const brink_method *acting; /* ... and this one took the last step ...           */
  int acting_index;           /* ... which is brink_method_name(acting_index)      */
  brink_sim_stats stats;  /* work, g_evals and what the model counts: when asked for  */
  brink_work work_before; /* of modes left behind and earlier starts           */
  int busy;               /* inside a call: callbacks must not begin another         */
  double wall_start, wall_spent;
  double clock_last;         /* the clock was read for max_seconds ...            */
  int clock_gap, clock_wait; /* ... steps between readings, until the next        */
  brink__outrun outrun;
  brink__unbounded unbounded;
  brink_err err;
  size_t n_moved; /* start values that were not kept                                 */
  brink_moved_start moved[BRINK_MOVED_STARTS]; /* those that moved farthest          */
  char remark[BRINK__REMARKS][BRINK_ERR_TEXT]; /* "": none                            */
  char warning[BRINK_ERR_TEXT]; /* the last one that was asked for                   */
};

/* A time of the run as it is shown, and back. */
static inline double brink__shown(const brink_sim *sim, double t)
{
  return sim->backward ? -t : t;
}

static inline brink_step brink__reflect_step(const brink_step *step)
{
  brink_step s = *step;

  s.t0 = -step->t0;
  s.h = -step->h;
  s.t1 = -step->t1;
  return s;
}

/* reflected_model.c: which way the run goes; then: it goes back from its start. */
void brink__set_direction(brink_sim *sim, int backward);
brink_status brink__go_back(brink_sim *sim, double t_end);

static inline const brink__mode *brink__mode_info(const brink_sim *sim, int mode)
{
  return sim->model->ops->mode_info(sim->model, sim->live, mode);
}

static inline double *brink__work_row(const brink_sim *sim, int i)
{
  return sim->work + (size_t)i * sim->model->max_n;
}

/* The step was taken up to t_end. */
static inline void brink__keep_step(brink_sim *sim, const brink_step *step,
                                    double t_end)
{
  sim->last = *step;
  sim->last_end = t_end;
}

static inline double brink__time_at(const brink_step *step, double theta)
{
  return theta == 1 ? step->t1 : step->t0 + theta * step->h;
}

/* ---------------------------------------------------------- options.c ---- */

brink_status brink__sim_check(const brink_sim_opts *opt, brink_err *err);

/* The policy of this name; -1: there is none. */
int brink__sliding_find(const char *name);

/* -------------------------------------------------------------- sim.c ---- */

/* What all regimes have worked so far. */
brink_work brink__work_now(const brink_sim *sim);

/* Point to its own arrays, which lie in sim->block behind the live object, from y on:
 * so many bytes. */
void brink__sim_carve(brink_sim *sim);
size_t brink__sim_bytes(const brink_sim *sim);

/* ------------------------------------------------------- modes_met.c ---- */

size_t brink__modes_met_need(const brink_model *model, size_t need);
void brink__modes_met_carve(brink_sim *sim, brink__block *b);

/* A new run; then: it goes on in the mode that there is now. */
void brink__modes_met_forget(brink_sim *sim);
void brink__modes_met_note(brink_sim *sim);

/* ----------------------------------------------------------- regime.c ---- */

/* The regime of this mode; NULL: it has not been entered yet. */
brink__regime *brink__regime_find(const brink_sim *sim, int mode);

/* Make the regime of `mode` active, at the first entry by its constructor. */
brink_status brink__activate(brink_sim *sim, int mode);

/* Before a step of a flow that limits steps, in a run to t_end: make it no longer than
 * it allows. */
void brink__limit_step(brink_sim *sim, double t_end);

/* A new run: what was learned in earlier ones does not count. */
void brink__regime_forget(brink__regime *r);
void brink__regime_free(brink__regime *r);

/* Make the regime of the same mode equal to one of another simulation. */
brink_status brink__regime_copy(brink_sim *sim, const brink_sim *other,
                                const brink__regime *from);

/* --------------------------------------------------------- executor.c ---- */

/* BRINK_EARG inside of a callback. */
brink_status brink__sim_idle(brink_sim *sim);

/* Carry out a verdict: the run ends with news (BRINK_EVENT), or the error is returned.
 */
brink_status brink__conclude(brink_sim *sim, brink__verdict *verdict);

/* --------------------------------------------------------- approach.c ---- */

/* Before a step to t_limit, shorten it so that it ends on what must not be passed. */
brink_status brink__approach(brink_sim *sim, double t_limit);

/* Must no state lie beyond the zero of guard k? */
int brink__must_stay(const brink_sim *sim, int k);

/* No guard has changed its sign, so far; guard k takes its other one; would the run
 * have to stop or act if the guards took the signs due->after? */
void brink__no_change(const brink_sim *sim, brink__due *due);
static inline void brink__flip(brink__due *due, int k)
{
  due->after[k] = (signed char)-due->after[k];
}
int brink__matters(const brink_sim *sim, const brink__due *due);

/* After an accepted step, is the state on a unilateral event?  If the step ended at a
 * discontinuity of f, any relation that is zero there explains it. */
brink_status brink__arrive(brink_sim *sim, const brink_step *step, int discontinuity);

/* After a step in which f was refused: no step may pass the relations that would have
 * flipped there. */
void brink__note_refusals(brink_sim *sim);

/* No step is small enough: carry out the event that stands in the way, or hand back
 * why. */
brink_status brink__step_failed(brink_sim *sim, brink_status why);

/* --------------------------------------------------------- takeover.c ---- */

/* Where the locator takes steps itself and brink__approach has seen a guard ahead: a
 * step of the locator.  BRINK_OK: *step is one, and the integrator stands at its end.
 * BRINK_END: the method has to take the step. */
brink_status brink__take_over(brink_sim *sim, double t_limit, brink_step *step);

/* The method's step shows a hit that acts: may the locator take a step from its
 * beginning instead?  1: *step is that one, and the integrator stands at its end, or
 * (sim->taken_over is 0) the method has to take it again, with the length check.h; 0:
 * it stays; or an error. */
int brink__take_back(brink_sim *sim, const brink__hit *hit, brink_step *step);

/* Is there a locator that takes steps itself? */
static inline int brink__takes_steps(const brink_sim *sim)
{
  return sim->locator->takeover != NULL;
}

/* The name of the locator that has found what the last step shows. */
static inline const char *brink__located_by(const brink_sim *sim)
{
  return !brink__takes_steps(sim) ? sim->locator->name
         : sim->taken_over        ? sim->taken_by
                                  : sim->locator->otherwise;
}

/* ------------------------------------------------------------- hits.c ---- */

/* Find and walk through the zeros of an accepted step; decide: the run stops or jumps
 * at its end.  BRINK_EVENT: the step was cut and its instants run.  BRINK_OK: all of it
 * stands. */
brink_status brink__walk(brink_sim *sim, brink_step *step, int decide);

/* State at theta; the end is the integrator's own. */
void brink__state_at(const brink_sim *sim, const brink_step *step, double theta,
                     double *y);

/* Rounding bounds of the states y at theta, located within `width`; the factor `far`
 * for difference quotients with them. */
double brink__noise_at(const brink_step *step, double theta, double width,
                       const double *y, double *noise);

/* ----------------------------------------------- interpolant_check.c ---- */

/* What the settings say about a regime. */
void brink__check_init(const brink_sim *sim, brink__regime *r);

/* Is the polynomial of this step, of which nothing has been published yet, not good
 * enough at the hit, so that it should be taken again? */
int brink__check_hit(brink_sim *sim, const brink_step *step, const brink__hit *hit);

/* The same for the first step after a restart, of which all stands. */
int brink__check_first(brink_sim *sim, const brink_step *step);

/* The same if a guard has no value somewhere in the step, which may lie beyond an
 * event. */
int brink__check_all(brink_sim *sim, const brink_step *step);

/* Are the higher terms of the step so small that no check is needed?  So it is where
 * laws are simple. */
static inline int brink__check_trusts(const brink__regime *r, const brink_step *step)
{
  const double *c = step->coeff + 3, *end = c + 5 * step->n;
  double sum = 0;

  if (step->degree != 4) /* as most steps have */
    return r->check.trusted_below == HUGE_VAL;
  for (; c < end; c += 5)
    sum += fabs(c[0]) + fabs(c[1]);
  return sum <= r->check.trusted_below;
}

/* Take the step again with the length that a check has found.  1: that is impossible,
 * *step is as it was, and is not checked any more. */
int brink__retake_step(brink_sim *sim, brink_step *step);

/* ---------------------------------------------------------- closing.c ---- */

/* Replace the step, in which a hit lies at *theta, by one that ends just behind it;
 * *theta is then 1.  Where no step of the method ends there (stiff, or at the edge of
 * where f exists) both are left as they are. */
brink_status brink__closing_step(brink_sim *sim, const brink__hit *hit,
                                 brink_step *step, double *theta);

/* ---------------------------------------------------------- instant.c ---- */

/* Carry out what is due at sim->t and everything that follows at the same time; says in
 * sim->restart whether the integrator has to start anew.  BRINK_EVENT, or an error. */
brink_status brink__instants(brink_sim *sim, brink__due *due);

/* Go to where events accumulate and carry out what the model does there; returns as
 * brink__instants. */
brink_status brink__pass_limit(brink_sim *sim, const brink__limit *l);

/* Carry out what is due at t and can change outputs only: the solution goes on as it
 * was. */
brink_status brink__output_instant(brink_sim *sim, brink__due *due, double t);

/* Do guards k and l vanish on one surface, as x < 1 and x > 1?  Beside y, where both
 * are 0, their ratio is constant; 1, too, where they have no values there.  at: [n]
 * scratch. */
int brink__vanish_together(const brink_model *m, brink__live *live, int mode, int k,
                           int l, double t, const double *y, double *at);

/* Before a value is set in the middle of a run: how the guards stand.  The next advance
 * compares them. */
brink_status brink__interrupt(brink_sim *sim);

/* Begin the run: arm the guards at the start; runs instants if events are due.
 * BRINK_OK, BRINK_EVENT or an error. */
brink_status brink__begin(brink_sim *sim);

/* The run is over: the instant in which terminal() is true, if the model reads it. None
 * follows from it. */
brink_status brink__last_instant(brink_sim *sim);

/* Ask the model for its next known time, BRINK__ASK_*: sim->t_next, sim->t_acting,
 * sim->timers_due. */
brink_status brink__known_times(brink_sim *sim, int asked);

/* The left limit is sim->y, known to rounding. */
void brink__due_here(brink_sim *sim, brink__due *due);

/* The same, and sim->timers_due are due there; no guard is hit. */
void brink__due_timers(brink_sim *sim, brink__due *due);

/* The guards at the left limit of an instant at t. */
brink_status brink__due_guards(brink_sim *sim, brink__due *due, double t);

/* The signs that the watches of the active regime remember. */
void brink__signs(const brink_sim *sim, signed char *out);

/* ----------------------------------------------------- right_limit.c ---- */

/* Arm the guards at sim->t, sim->y and ask the model what is due at once: the number of
 * hits, in due->hit, or an error.  kept: the mode is that of the left limit, with the
 * guards due->g and the signs due->before, of which due->hit have fired. */
int brink__settle(brink_sim *sim, int kept, brink__due *due);

/* What does the state after this instant make due?  The number of hits, or an error. */
int brink__what_follows(brink_sim *sim, brink__due *due, const brink__instant *inst);

/* What a start or a jump has made due, as brink__settle says, is the left limit of the
 * next instant: due->hit have just taken the signs due->after. */
void brink__due_at_once(brink_sim *sim, brink__due *due);

/* ------------------------------------------------------- stop_time.c ---- */

/* The run has come to its stop time, with the state sim->y: carry out the state events
 * that belong there, together with known times that are due.  BRINK_OK: there are none;
 * else as brink__instants. */
brink_status brink__at_stop_time(brink_sim *sim);

/* ----------------------------------------------------------- record.c ---- */

/* A status on its way to the caller: the error gets the file of the model, and the line
 * of the first equation that it names. */
brink_status brink__placed(brink_sim *sim, brink_status rc);

/* The sentence that a limit has ended the run at t; BRINK_LIMIT. */
BRINK__COLD brink_status brink__limit_reached(brink_sim *sim, double t,
                                              const char *what, double bound);

/* Write down and show the stretch of a step, which ends at t_end. */
brink_status brink__write_step(brink_sim *sim, const brink_step *step, double begin,
                               double end, double t_end);

/* Does anyone read the polynomials of steps, beside the guards? */
static inline int brink__steps_are_read(const brink_sim *sim)
{
  return sim->trace.keep == BRINK_KEEP_STEPS || sim->observer.on_step ||
         sim->opt.dense || sim->model->remembers;
}

/* brink__write_step, if someone reads it. */
static inline brink_status brink__publish_step(brink_sim *sim, const brink_step *step,
                                               double begin, double end, double t_end)
{
  return brink__steps_are_read(sim) ? brink__write_step(sim, step, begin, end, t_end)
                                    : BRINK_OK;
}

/* Tell the model that the solution is accepted up to (t, y). */
static inline brink_status brink__accepted(brink_sim *sim, double t, const double *y)
{
  const brink_model *m = sim->model;

  return m->ops->accepted ? m->ops->accepted(m, sim->live, sim->mode, t, y, &sim->err)
                          : BRINK_OK;
}

/* The rest of a step, which nothing cuts: published, unless the solution ended in it.
 */
static inline brink_status brink__publish_rest(brink_sim *sim, const brink_step *step,
                                               double from)
{
  brink_integrator *it = sim->regime->it;
  brink_status rc = brink__integrator_ended(it);

  if (rc < 0)
    sim->err = *brink_integrator_error(it);
  else
    rc = brink__accepted(sim, step->t1, brink_integrator_state(it));
  return rc < 0 ? rc : brink__publish_step(sim, step, from, 1, step->t1);
}

/* The events of an instant that has been run. */
brink_status brink__record(brink_sim *sim, const brink__instant *inst,
                           const brink__due *due);

/* A row that belongs to no event of the model: of a guard that is touched or crossed
 * without effect, of a regime that begins or ends, of a verdict. */
brink_status brink__log(brink_sim *sim, double t, const double *y, const char *name,
                        brink_kind kind, int dir, double g, double width,
                        brink_certificate certificate);

/* --------------------------------------------------------- warnings.c ---- */

/* A new run: no state has been seen yet.  Then: the state is sim->y now. */
void brink__sizes_forget(brink__regime *r);
void brink__sizes_note(brink_sim *sim);

/* The locator has found a weaker certificate for this step than for all before it. */
void brink__certificate_note(brink_sim *sim, const brink_step *step);

/* A sentence that brink_sim_warning shows, unless there is one of this kind already. */
void brink__remark(brink_sim *sim, brink__remark_kind kind, const char *fmt, ...)
    BRINK__PRINTF(3, 4);
void brink__remarks_forget(brink_sim *sim);

/* Events accumulate at sim->t: remark those that reset states without a reading
 * (classification.c). */
void brink__zeno_remark(brink_sim *sim);

/* The run ends at sim->t, as *why says: if contacts close on each other, so that
 * nothing can move on, say that instead. */
void brink__closing_verdict(brink_sim *sim, brink_err *why);

/* The variables at theta of a step have just been computed: has the law there the
 * derivative of the polynomial? */
void brink__slopes_note(brink_sim *sim, const brink_step *step, double theta);

#endif /* BRINK_SIM_INTERNAL_H */
