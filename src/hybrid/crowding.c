/* crowding.c -- events that follow each other ever closer, and too many to wait for.
 *
 * Where the gaps between events shrink by a factor from each to the next, they
 * accumulate, and the run passes that point (accumulation.c); where switches take turns
 * without a change of state, their mean may be followed (hysteresis.c, spiral.c).  Gaps
 * may also shrink like a power 1/k^p of the number k of events.  A reset that moves its
 * own guard back by a part of the speed,
 *
 *   when x + c v < 0 then reinit(v, e pre(v)),
 *
 * leaves the next one to come after a time in proportion to v, while v itself follows
 * v' = -v/c along the guard: gaps fall like 1/k, and there are e^(t/c) events by the
 * time t.  A restitution 1 - a v^q has p = 1 + 1/q: its bounces do accumulate, but what
 * is left of the way after k of them falls like k^(-1/q) only, and no extrapolation by
 * factors sees it.  All of these events are real and are carried out; a run that has
 * had many, with many to come, says so, once.
 *
 * That they crowd is read from the times at which 2, 4, 8, ... events have been: equal
 * gaps double the time from one to the next, gaps like 1/k leave it as it is.
 */
#include "hybrid/policies.h"

#include <math.h>

/* The time that twice as many events take, over that of the ones before: in the middle
 * between gaps like 1/k (1), and like those of a frequency that grows in proportion to
 * time (the root of 2). */
static const double CLOSER = 1.2;

/* So many times in a row: one time may be a burst. */
enum { LOOKS = 3 };

/* So many events are worth a word, if as many are to come. */
static const long MANY_EVENTS = 100000;

/* The last occurrence was the n-th: are they worth a word?  gap: their mean distance in
 * the last half. */
static int is_crowded(brink_sim *sim, double *gap)
{
  brink__history *h = &sim->history;
  brink__crowd *c = &h->crowd;
  double t = brink__history_last(h, 0)->t, took = t - c->t;

  c->closer = took <= CLOSER * c->took ? c->closer + 1 : 0;
  c->took = took;
  c->t = t;
  *gap = 2 * took / (double)h->n;
  return c->closer >= LOOKS && h->n >= MANY_EVENTS &&
         sim->t_end - t >= (double)MANY_EVENTS * *gap;
}

BRINK__COLD static void look(brink_sim *sim)
{
  const brink__occurrence *last = brink__history_last(&sim->history, 0);
  const brink_model *m = sim->model;
  double gap;

  if (!is_crowded(sim, &gap) || last->event < 0 ||
      sim->remark[BRINK__REMARK_HYSTERESIS][0] || sim->remark[BRINK__REMARK_SPIRAL][0])
    return;
  brink__remark(
      sim, BRINK__REMARK_CROWDED,
      "events follow each other ever closer: %ld by t = %.6g, the last of them "
      "'%.80s', "
      "and now %.2g of them in a unit of time, so that %.2g or more are to come; if "
      "they need not all be carried out, zeno = step ends those that are less than "
      "zeno_gap apart, and max_events ends the run",
      sim->history.n, brink__shown(sim, last->t),
      m->ops->event_name(m, sim->live, last->mode_before, last->event), 1 / gap,
      (sim->t_end - last->t) / gap);
}

void brink__crowding_note(brink_sim *sim)
{
  long n = sim->history.n;

  if ((n & (n - 1)) == 0)
    look(sim);
}
