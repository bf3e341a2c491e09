/* known_times.c -- events at known times: sample(), and relations that are linear in
 * time.
 *
 * Tick k of sample(start, interval) is start + k interval, computed anew each time:
 * no drift.  A relation a time + b > 0 changes at -b/a; a and b may depend on
 * discrete variables and are evaluated again after every event; while a or b of a
 * relation has no value, that relation alone does not change.
 */
#include "clause/clause.h"

#include <math.h>

/* When a relation changes, and its sense: a > 0 or a < 0.  0: never.  Its slope and
 * its value at time 0 are the roots `first` and first + 1 of the tape. */
static int change_time(const dae_live *live, const brink__tape *tape, size_t first,
                       double *at, double *a)
{
  *a = live->v[brink__tape_slot(tape, first)];
  double b = live->v[brink__tape_slot(tape, first + 1)];
  *at = -b / *a;
  return *a != 0 && isfinite(*at);
}

static double after(const clause_relation *r, double a) { return (a > 0) == r->rising; }

/* Is the last change of the relation of timer i the one at this time? */
static int has_changed_at(const dae_live *live, size_t i, double at)
{
  return fabs(live->tick[i] - at) <= brink__time_slack(at);
}

int brink__clause_timed_relation(dae_live *live, const clause_relation *r, double t)
{
  size_t i = (size_t)r->timer;
  const brink__tape *tape = live->m->timers[i].tape;
  double at, a, now;

  if (brink__tape_values(tape, live->v, NULL) < 0)
    return 0; /* no value here: the relation stays as it is */
  if (!change_time(live, tape, 0, &at, &a)) {
    double b = live->v[brink__tape_slot(tape, 1)];
    now = clause_truth(r, b);
  } else if (fabs(t - at) <= brink__time_slack(t)) {
    if (has_changed_at(live, i, at)) /* and it must not change back */
      return 0;
    now = r->true_at_zero;
  } else {
    now = (t > at) == (after(r, a) != 0);
  }
  if (now == live->v[r->slot])
    return 0;
  live->v[r->slot] = now;
  return 1;
}

/* --------------------------------------------------------------- times --- */

static double next_tick(dae_live *live, const clause_timer *d, size_t i, double t,
                        int at_start)
{
  double start = live->constants.sample_start[d->sample];
  double every = live->constants.sample_interval[d->sample];
  double slack = brink__time_slack(fabs(t) + fabs(start));

  if (at_start) {
    double k = floor((t - start) / every) - 1;
    live->tick[i] = k > 0 ? k : 0;
    while (start + live->tick[i] * every < t - slack)
      live->tick[i] += 1;
  } else if (live->ticked[i]) {
    live->tick[i] += 1;
  }
  return start + live->tick[i] * every;
}

/* When the relation of timer i changes next.  all: the tape of all timers has been run;
 * else that of this timer is. */
static double next_change(dae_live *live, const clause_timer *d, size_t i, double t,
                          int all)
{
  const clause_relation *r = &live->m->relations[d->relation];
  const brink__tape *tape = all ? live->m->time_tape : d->tape;
  double at, a;

  if (!all && brink__tape_values(tape, live->v, NULL) < 0)
    return HUGE_VAL;
  if (!change_time(live, tape, all ? 2 * i : 0, &at, &a) ||
      live->v[r->slot] == after(r, a))
    return HUGE_VAL;
  live->becomes[i] = after(r, a);
  return at > t ? at
                : t; /* at once, if an event has changed a or b so that it is late */
}

double brink__clause_next_acting_time(const brink_model *model, brink__live *l,
                                      int mode)
{
  const dae_live *live = dae_live_of(l);
  double first = HUGE_VAL;

  (void)model, (void)mode;
  for (size_t i = 0; i < live->m->n_timers; i++)
    if (!live->m->timers[i].output_only)
      first = brink__min(first, live->next[i]);
  return first;
}

double brink__clause_next_time(const brink_model *model, brink__live *l, int mode,
                               double t, const double *y, int asked, unsigned char *due)
{
  dae_live *live = dae_live_of(l);
  const dae_model *m = dae_of(model);
  double first = HUGE_VAL;
  int at_start = asked == BRINK__ASK_AT_START;
  int ticks = 0; /* at the start: samples tick at t0, relations change after them */

  (void)mode, (void)y;
  int all = brink__tape_values(m->time_tape, live->v, NULL) == BRINK_OK;
  for (size_t i = 0; i < m->n_timers; i++) {
    const clause_timer *d = &m->timers[i];
    if (d->sample >= 0)
      live->next[i] = next_tick(live, d, i, t, at_start);
    else if (d->delay)
      live->next[i] = brink__clause_next_echo(live, d->delay - 1, t);
    else
      live->next[i] = next_change(live, d, i, t, all);
    live->ticked[i] = 0;
    first = brink__min(first, live->next[i]);
    ticks |= at_start && d->sample >= 0 && live->next[i] <= t + brink__time_slack(t);
  }
  for (size_t i = 0; i < m->n_timers; i++) {
    int now = first < HUGE_VAL && live->next[i] <= first + brink__time_slack(first);
    if (m->timers[i].sample >= 0)
      due[i] = now != 0;
    else if (at_start && first <= t + brink__time_slack(t))
      due[i] = now && !ticks ? BRINK__DUE_CHANGE : BRINK__NOT_DUE;
    else
      due[i] = now != 0;
  }
  return first;
}
