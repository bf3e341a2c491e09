/* hybrid/policies.h -- policies: what reads the record of events and gives verdicts,
 * which the executor carries out.
 *
 *   dwell_time.c ........... how long a regime lasts, and whether that shrinks
 *   accumulation.c ......... events accumulate (Zeno): when, and with which state?
 *   accumulation_check.c ... does the model do there what the extrapolation expects?
 *   accumulation_reached.c . they have accumulated where the run stands
 *   accumulation_jump.c .... go there
 *   zeno_policies.c ........ past an accumulation point by regularization, by averaging
 *   zeno.c ................. events accumulate, and the next one cannot be told
 *   crowding.c ............. events follow each other ever closer, too many to wait for
 *   chattering.c ........... instants follow each other without end at one time
 *   unguarded_sliding.c .... a run that does not progress slides along a jump of f that
 *                            no guard announces
 *   standstill.c ........... sliding begins and ends without end while nothing moves
 *   diagnosis.c ............ a verdict, guard by guard
 *
 * Where a solution goes on by another law (sliding, rest, reflection) is not decided
 * here but in held.c (extended_model.h).
 */
#ifndef BRINK_POLICIES_H
#define BRINK_POLICIES_H

#include "hybrid/sim.h"

/* --------------------------------------------------------- crowding.c ---- */

/* One more has been written to the record of events. */
void brink__crowding_note(brink_sim *sim);

/* ------------------------------------------------------- dwell_time.c ---- */

/* The regime lasted this long; how long will it last next time?  0: nothing is known.
 */
void brink__dwell_note(brink__dwell *d, double lasted);
double brink__dwell_predict(const brink__dwell *d);

/* Have the dwell times shrunk by the same factor? */
int brink__dwell_geometric(const brink__dwell *d);

/* Have they become short, and still shrink, by whatever factors? */
int brink__dwell_shrinks(const brink__dwell *d);

/* Have they contracted, one after the other, to no more than rounding? */
int brink__dwell_vanishes(const brink__dwell *d, double rounding);

/* Have they become short, and shrink no more?  Of so many in a row none was shorter
 * than all before; in a sequence that shrinks, however slowly, one is. */
enum { BRINK__STAGNANT = 64 };
static inline int brink__dwell_stagnates(const brink__dwell *d)
{
  return d->stagnant >= BRINK__STAGNANT;
}

/* ----------------------------------------------------- accumulation.c ---- */

void brink__accumulation_begin(brink__accumulation *a); /* of a run                   */
void brink__accumulation_forget(brink__accumulation *a);
void brink__accumulation_fini(brink_sim *sim);

/* Make that of `to` equal to that of another simulation. */
brink_status brink__accumulation_copy(brink_sim *to, const brink_sim *from);

/* An instant has been run, and is not yet over; then: nothing more is due at sim->t. */
void brink__accumulation_instant(brink_sim *sim, const brink__instant *inst);
brink_status brink__accumulation_end(brink_sim *sim);

/* Do events accumulate soon, and is it known when and with which state? */
int brink__accumulates(brink_sim *sim, brink__limit *l);

unsigned brink__fired_hash(const brink__instant *inst);

/* The i-th last period of p occurrences: its length; does it consist of the same events
 * as the one before? */
double brink__period_gap(const brink__accumulation *a, long i, int p);
int brink__period_repeats(const brink__accumulation *a, long i, int p);

/* How often in a row have periods of p occurrences contracted? */
int brink__period_contractions(const brink__accumulation *a, int p);

/* Memory for states, when gaps have contracted for the first time. */
brink_status brink__accumulation_memory(brink_sim *sim);

/* Row j of occurrence o in y. */
double *brink__accumulation_row(const brink_sim *sim, long o, int j);

/* The state before the last event, and after it. */
const double *brink__accumulation_state(const brink_sim *sim, int after);

/* Row of part j of the c-th last occurrence in y_limit, y_error. */
double *brink__limit_row(const brink_sim *sim, double *rows, int c, int j);

/* Where the polynomial through (0, limit) and the nodes leads at the length d of a
 * period: state and time of part j of its c-th last occurrence; the length of the next
 * period. */
double *brink__limit_state(const brink_sim *sim, const brink__limit *l, double d, int c,
                           int j, double *out);
double brink__limit_time(const brink_sim *sim, const brink__limit *l, double d, int c,
                         int j);
double brink__limit_next(const brink_sim *sim, const brink__limit *l, double d);

/* ----------------------------------------------- accumulation_check.c ---- */

/* Does the model do what the extrapolation expects, in each of the periods that are
 * left?  Leaves its live object after the last of them in sim->accumulation.copy. */
int brink__limit_holds(brink_sim *sim, const brink__limit *l);

/* Can the next event be carried out at the limit itself, which is sim->t, y?  It is
 * tried on the copy, which is then of no use any more. */
int brink__limit_event(brink_sim *sim, const brink__limit *l);

/* The first part of the next occurrence that is not at a restart. */
const brink__part *brink__limit_part(const brink_sim *sim, const brink__limit *l,
                                     int *j);

/* --------------------------------------------- accumulation_reached.c ---- */

/* The shortest time between events that accumulate: the option zeno_gap. */
double brink__zeno_gap(const brink_sim *sim);

/* The pattern of p occurrences accumulates where the run stands.  0: f has no value. */
int brink__limit_here(brink_sim *sim, int p, brink__limit *l);

/* zeno.c says that the next event cannot be told: is that the limit of a pattern, from
 * which the run may go on?  guard: as in a verdict. */
int brink__accumulated(brink_sim *sim, int guard, brink__limit *l);

/* ------------------------------------------------ accumulation_jump.c ---- */

/* Go to the limit: the state is sim->y there, its events are due. */
brink_status brink__limit_enter(brink_sim *sim, const brink__limit *l, brink__due *due);

/* The events at the limit have been carried out and nothing holds the guards: does the
 * law lead beyond them, so that they would go on without end? */
int brink__limit_stuck(brink_sim *sim, const brink__limit *l, brink__verdict *out);

/* ------------------------------------------------------- diagnosis.c ---- */

/* Write down the verdict for each guard that has to do with it. */
brink_status brink__diagnose(brink_sim *sim, brink__verdict *verdict);

/* ----------------------------------------------------- zeno_policies.c ---- */

/* From the limit on, as the policies `regularize` and `average` say. */
void brink__past_zeno_begin(brink_sim *sim, const brink__limit *l);

/* ------------------------------------------------------------- zeno.c ---- */

/* The verdict that events accumulate here; who: the one that does. */
int brink__zeno(const brink_sim *sim, const char *who, brink__verdict *out);

/* After an instant: has time not moved on for too many events? */
int brink__zeno_instant(const brink_sim *sim, brink__verdict *out);

/* Where dwell times stagnate and hits i .. end - 1 are due at theta, due->y the state
 * there: is one of these guards kept moving by nothing but rounding? */
int brink__zeno_rounding(brink_sim *sim, const brink_step *step, int i, int end,
                         double theta, brink__due *due, brink__verdict *out);

/* The same of guards that are carried out at the end of a step: which of them have not
 * left the bands of their restarts, many times in a row? */
int brink__zeno_in_band(brink_sim *sim, const brink__due *due, brink__verdict *out);

/* In a step whose hits are known: is a guard on the far side for good, only because its
 * next return is hidden by rounding, or by where its last event was placed? */
int brink__zeno_step(brink_sim *sim, const brink_step *step, brink__verdict *out);

/* ------------------------------------------------------- chattering.c ---- */

/* max_iterations instants at one time, and still events are due: why?  hit: the guard
 * that led to this instant, -1: none.  Always a verdict. */
void brink__chattering(const brink_sim *sim, const brink__instant *inst,
                       const brink__due *due, int hit, brink__verdict *out);

/* ------------------------------------------------------- standstill.c ---- */

/* Sliding along this guard begins; a step has been taken in a run that has slid. */
void brink__standstill_slide(brink_sim *sim, int mode, int guard);
void brink__standstill_step(brink_sim *sim);

/* After an instant: does sliding begin and end too often while nothing moves? */
int brink__stands_still(brink_sim *sim, brink__verdict *out);

/* ------------------------------------------------ unguarded_sliding.c ---- */

/* The run begins. */
void brink__progress_begin(brink_sim *sim);

/* After a step that stood: does the run progress? */
int brink__progress_check(brink_sim *sim, double t_limit, brink__verdict *out);

/* After a step that failed: does the solution slide from here on along a jump of f that
 * no guard announces? */
int brink__slides(brink_sim *sim, double t_limit, brink__verdict *out);

#endif /* BRINK_POLICIES_H */
