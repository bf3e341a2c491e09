/* hybrid/sim.h -- the inside of a simulation, and what the files of this room offer
 * each other.
 *
 *   options.c .... the settings: defaults, range check
 *   sim.c ........ make, start, ask and free a simulation
 *   executor.c ... advance: one step, or what is due at its start
 *   approach.c ... before a step: shorten it so that it ends on what must not be passed
 *   hits.c ....... after a step: walk through the zeros of the guards in it
 *   doubt.c ...... is the step's polynomial good enough at an event?
 *   closing.c .... a step of the method that ends on an event
 *   instant.c .... carry out what is due at one time
 *   record.c ..... tell the trace and the observer
 *   stays.c ...... how long will a mode last?
 *   zeno.c ....... where events accumulate
 *   sliding.c .... why does a run not get on?
 */
#ifndef BRINK_SIM_INTERNAL_H
#define BRINK_SIM_INTERNAL_H

#include "brink/sim.h"
#include "event/locator.h"
#include "ode/driver.h"
#include "trace/trace.h"

/* Everything that belongs to one mode; made when the mode is first entered. */
typedef struct mode_run {
  brink__block block;
  brink_flow flow;
  brink_integrator *it;
  brink__guards guards;
  brink__hits hits;

  int gated; /* f must not be called beyond its unilateral events                   */

  /* -- stays.c -- */
  double stay[3];  /* how long the mode lasted, newest first; 0: not yet              */
  double brief;    /* a small part of the longest stay                               */
  double shortest; /* since the last one that was not brief ...                      */
  int creeps;      /* ... and so many have followed it, none shorter                 */
  double h;        /* the last step taken in it                                      */

  /* -- approach.c -- */
  double *ahead;       /* [n][max_degree + 1] the predicted step                   */
  unsigned char *wary; /* [n_guards] f was refused where this relation had flipped */
  int any_wary;
  double wanted;  /* the step that would have been tried without a cap       */
  long refusals;  /* of the gate that have been looked at                  */
  double *g_from; /* [n_guards] the guards at the last restart ...         */
  double *g_last; /* [n_guards] ... and after the last step                */
  double strict;  /* the part of the tolerance that is asked for           */

  /* -- doubt.c -- */
  int doubts;   /* take a step again if its polynomial is not good enough ...     */
  double plain; /* ... as it is if its last terms are not more than this          */
  int again;    /* how often this step has been taken again ...                   */
  double size;  /* ... and what size would be better                              */
} mode_run;

/* How the run gets on; see sliding.c. */
enum { BRINK__PACES = 128 };
typedef struct brink__watch {
  int paces; /* steps until the next look                                        */
  double t;  /* of the last look, ...                                            */
  long instants, rejected, unguarded, look_evals; /* ... and what had happened    */
  int mode;
  double best; /* the longest way between two looks                                */
  int wait;    /* looks until f is worth another one ...                           */
  int vain;    /* ... after so many                                                */
  double vain_way; /* the way before the last one                                   */
  int seen; /* a fixed step: the last look has seen it slide                    */
} brink__watch;

struct brink_sim {
  brink_ctx *ctx;
  const brink_model *model; /* borrowed; outlives the simulation                 */
  brink__block block;
  brink_sim_opts opt;
  brink_observer observer;
  const brink_method *method;
  const brink__locator *locator; /* of the active mode                             */
  const brink__locator *usual;   /* where nobody asks for another                  */
  int closing;                   /* restep: take a closing step to each event       */
  mode_run **runs;               /* [brink__mode_room] NULL until entered           */
  int n_runs;                    /* no run at or after this index                   */
  brink__live *live;

  /* -- state: what a snapshot must save (with live and the guards' memory) -- */
  double t;
  double *y; /* [max_n]                     written by advance, jump                */
  int mode;
  int started;
  int entering;      /* the mode has been set, its guards not yet looked at       */
  brink_status over; /* why the run cannot go on, BRINK_OK if it can              */

  /* -- timers -- */
  double t_next;       /* next known time                                         */
  unsigned char *due;  /* [n_timers] which fire then                              */
  unsigned char *none; /* [n_timers] zeros                                        */

  /* -- the instant; between instants its arrays are scratch -- */
  double t_instant;     /* time of the last one, NaN: none yet                    */
  int number;           /* how many there were at that time                       */
  int still;            /* crossings in a row that time could hardly tell apart   */
  double *y_before;     /* [max_n] left limit                                     */
  double *y_after;      /* [max_n] right limit                                    */
  double *noise;        /* [max_n] rounding bounds of the states there            */
  double far;           /* times noise is where guards are asked what it does     */
  double *g;            /* [max_guards] at the state                              */
  double *g_before;     /* [max_guards] at the left limit, before any jump        */
  signed char *sign_a;  /* [max_guards] signs before ...                          */
  signed char *sign_b;  /* [max_guards] ... and after the hits ...                */
  signed char *hit;     /* [max_guards] ... in these directions, 0: not hit       */
  signed char *old;     /* [max_guards] signs before a jump that keeps the mode   */
  signed char *crossed; /* [max_guards] at t_instant: direction, doubled if the guard
                           came back and crossed again, without time moving on      */
  int bounced;          /* one of them did                                          */
  signed char
      *beside;    /* [max_guards] 0, or the direction of its last event, which was put
                     beside its zero by what may hide the next, until it is back */
  int any_beside; /* one of them is not                                    */
  int *fired;     /* [max_fired]                                            */
  const char **names; /* [max_fired] for the record; NULL between instants      */

  /* -- history -- */
  double h_last;  /* size of the last step before a restart                         */
  double t_event; /* time of the last restart                                       */
  double skipped[2]; /* from when to when a jump has let time pass, NaN: none       */

  brink__watch watch;
  double *sides;  /* [4][max_n] scratch of sliding.c, zeno.c                    */
  double *atol_i; /* [max_n] absolute tolerances of the states, if they were given */

  brink_trace trace;
  brink_sim_stats stats;  /* work, g_evals and what the model counts: when asked for  */
  brink_work work_before; /* of modes left behind and earlier starts           */
  int busy;               /* inside a call: callbacks must not begin another         */
  double wall_start, wall_spent;
  double clock_last;         /* look at the clock for max_seconds ...             */
  int clock_gap, clock_wait; /* ... steps between looks, until the next */
  brink_err err;
};

/* What is due at one time. */
typedef struct due_set {
  const signed char *before, *after; /* [n_guards] signs without and with the hits */
  const signed char *hit;            /* [n_guards] directions of the hits, 0: none */
  const unsigned char *timers;       /* [n_timers]                                */
  brink_kind kind; /* of the guard events                             */
  int at_start;    /* the timers are changes at 0+ of the start       */
  double width;    /* of the location, in t                           */
  brink_certificate certificate;
} due_set;

static inline mode_run *brink__run(const brink_sim *sim)
{
  return sim->runs[sim->mode];
}

static inline double brink__time_at(const brink_step *step, double theta)
{
  return theta == 1 ? step->t1 : step->t0 + theta * step->h;
}

/* ---------------------------------------------------------- options.c ---- */

brink_status brink__sim_check(const brink_sim_opts *opt, brink_err *err);

/* -------------------------------------------------------------- sim.c ---- */

/* What all modes have worked so far. */
brink_work brink__work_now(const brink_sim *sim);

/* Make `mode` active, building its run at the first entry. */
brink_status brink__activate(brink_sim *sim, int mode);

/* --------------------------------------------------------- executor.c ---- */

/* BRINK_EARG inside of a callback. */
brink_status brink__sim_idle(brink_sim *sim);

/* --------------------------------------------------------- approach.c ---- */

/* Before a step to t_limit, shorten it so that it ends on what must not be passed. */
brink_status brink__approach(brink_sim *sim, double t_limit);

/* After an accepted step, is the state on a unilateral event?  If the step ended at a
 * seam of f, any relation that is zero there explains it. */
brink_status brink__arrive(brink_sim *sim, const brink_step *step, int seam);

/* After a step in which f was refused, watch the relations that had flipped there. */
void brink__beware(brink_sim *sim);

/* No step is small enough: carry out the event that stands in the way, or hand back
 * why. */
brink_status brink__stuck(brink_sim *sim, brink_status why);

/* ------------------------------------------------------------- hits.c ---- */

/* Find and walk through the zeros of an accepted step; decide: the run stops or jumps
 * at its end.  BRINK_EVENT: the step was cut and restarted.  BRINK_OK: all of it
 * stands. */
brink_status brink__walk(brink_sim *sim, brink_step *step, int decide);

/* The guards at the left limit of an instant. */
brink_status brink__guards_before(brink_sim *sim, double t);

/* State at theta; the end is the integrator's own. */
void brink__state_at(const brink_sim *sim, const brink_step *step, double theta,
                     double *y);

/* Rounding bounds of the states at theta, located within `width`. */
void brink__noise_at(brink_sim *sim, const brink_step *step, double theta, double width,
                     const double *y);

/* ------------------------------------------------------------ doubt.c ---- */

/* What the settings say about a mode. */
void brink__doubt_init(const brink_sim *sim, mode_run *run, int mode);

/* Is the polynomial of this step, of which nothing has been told yet, not good enough
 * at the hit, so that it should be taken again? */
int brink__doubt(brink_sim *sim, const brink_step *step, const brink__hit *hit);

/* The same for the first step after a restart, of which all stands. */
int brink__doubt_first(brink_sim *sim, const brink_step *step);

/* The same if a guard has no value somewhere in the step, which may lie beyond an
 * event. */
int brink__doubt_all(brink_sim *sim, const brink_step *step);

/* Need nobody ask?  So it is where laws are simple. */
static inline int brink__plain(const mode_run *run, const brink_step *step)
{
  const double *c = step->coeff + 3, *end = c + 5 * step->n;
  double sum = 0;

  if (step->degree != 4) /* as most steps have */
    return run->plain == HUGE_VAL;
  for (; c < end; c += 5)
    sum += fabs(c[0]) + fabs(c[1]);
  return sum <= run->plain;
}

/* Take the step again, as was found best.  1: that is impossible, *step is as it was,
 * and there is no more doubt. */
int brink__take_again(brink_sim *sim, brink_step *step);

/* ---------------------------------------------------------- closing.c ---- */

/* Replace the step, in which a hit lies at *theta, by one that ends just behind it;
 * *theta is then 1.  Where no step of the method ends there (stiff, or at the edge of
 * where f exists) both are left as they are. */
brink_status brink__closing_step(brink_sim *sim, const brink__hit *hit,
                                 brink_step *step, double *theta);

/* ---------------------------------------------------------- instant.c ---- */

/* Carry out what is due at sim->t, left limit sim->y_before with the guards sim->g, and
 * everything that follows at the same time; leaves the simulation restarted.
 * BRINK_EVENT, or an error. */
brink_status brink__instants(brink_sim *sim, const due_set *due);

/* Look at the guards of a mode just set; runs instants if events are due.  BRINK_OK,
 * BRINK_EVENT or an error. */
brink_status brink__enter(brink_sim *sim);

/* ----------------------------------------------------------- record.c ---- */

/* The run ends at t, because the observer said so; it is not called again. */
void brink__stop(brink_sim *sim, double t);

/* Write down and show the stretch of a step, which ends at t_end. */
brink_status brink__show_step(brink_sim *sim, const brink_step *step, double begin,
                              double end, double t_end);

/* Does anyone read the polynomials of steps, beside the guards? */
static inline int brink__is_read(const brink_sim *sim)
{
  return sim->trace.keep == BRINK_KEEP_STEPS || sim->observer.on_step ||
         sim->model->remembers;
}

/* brink__show_step, if there is someone to show it to. */
static inline brink_status brink__tell_step(brink_sim *sim, const brink_step *step,
                                            double begin, double end, double t_end)
{
  return brink__is_read(sim) ? brink__show_step(sim, step, begin, end, t_end)
                             : BRINK_OK;
}

/* The rest of a step, which nothing cuts: told, unless the solution ended in it. */
static inline brink_status brink__tell_rest(brink_sim *sim, const brink_step *step,
                                            double from)
{
  brink_integrator *it = brink__run(sim)->it;
  brink_status rc = brink__integrator_ended(it);

  if (rc < 0)
    sim->err = *brink_integrator_error(it);
  return rc < 0 ? rc : brink__tell_step(sim, step, from, 1, step->t1);
}

/* The events of an instant that has been run. */
brink_status brink__record(brink_sim *sim, const brink__instant *inst,
                           const due_set *due);

/* An event that changes nothing (touch, log-only). */
brink_status brink__log(brink_sim *sim, double t, const double *y, int event,
                        const char *name, brink_kind kind, int dir, double g,
                        double width, brink_certificate certificate);

/* Which way event `id` of `mode` went, and the guard that made it go, -1: none. */
int brink__edge(const brink_sim *sim, int mode, int id, const due_set *due, int *guard);

/* ------------------------------------------------------------ stays.c ---- */

/* The mode lasted this long; how long will it last next time?  0: nothing is known. */
void brink__stay_note(mode_run *run, double stay);
double brink__stay_next(const mode_run *run);

/* Have the stays in this mode shrunk by the same part? */
int brink__stays_shrink(const mode_run *run);

/* Have they shrunk a lot, and still do, by whatever parts? */
int brink__stays_dwindle(const mode_run *run);

/* Have they shrunk a lot, and do so no more? */
enum { BRINK__CREEPS = 64 };
static inline int brink__stays_creep(const mode_run *run)
{
  return run->creeps >= BRINK__CREEPS;
}

/* ------------------------------------------------------------- zeno.c ---- */

/* The run ends here, because events accumulate; who: the one that does. */
void brink__accumulate(brink_sim *sim, const char *who);

/* Before an instant: which guards cross, and which of them cross again without time
 * moving on? */
void brink__note_crossings(brink_sim *sim, const due_set *due);

/* After it: has time not moved on since t_last, once too often?  1: the run has ended.
 */
int brink__stands_still(brink_sim *sim, const due_set *due, const brink__instant *inst,
                        double t_last);

/* Where stays creep and hits i .. end - 1 are due at theta, the state there in
 * sim->y_before: the guard that is kept moving by nothing but rounding, -1: none. */
int brink__kept_by_rounding(brink_sim *sim, const brink_step *step, int i, int end,
                            double theta);

/* In a step whose hits are known: has a guard that bounced before come to stay on the
 * far side?  1: the run has ended. */
int brink__falls_through(brink_sim *sim, const brink_step *step);

/* The same for guards whose events were put beside their zeros (sim->beside). */
int brink__swallows(brink_sim *sim, const brink_step *step);

/* No event was put beside its zero. */
void brink__none_beside(brink_sim *sim);

/* ---------------------------------------------------------- sliding.c ---- */

/* The run begins; BRINK__PACES steps have been taken: does it get on?; does the
 * solution slide from here on along a jump of f that no guard tells?  BRINK_OK, or the
 * sentence that it slides. */
void brink__watch_anew(brink_sim *sim);
brink_status brink__look_around(brink_sim *sim, double t_limit);
brink_status brink__slides(brink_sim *sim, double t_limit);

#endif /* BRINK_SIM_INTERNAL_H */
