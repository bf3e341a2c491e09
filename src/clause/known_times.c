/* known_times.c -- events at known times: sample(), relations and stairs of something
 * that is linear in time, and the end of the run.
 *
 * Tick k of sample(start, interval) is start + k interval, computed anew each time:
 * no drift.  Something linear in time is (a time + b)/c, with a, b and c made of
 * parameters and discrete variables; they are evaluated again after every event, and
 * while one of them has no value, that relation or stair alone does not change.  It has
 * the value e at time (e c - b)/a: c is kept apart so that mod(time, 24) jumps exactly
 * at the multiples of 24, of which 1/24 knows nothing.
 *
 * Times here are those of the clock of the run, the negative of time in one that goes
 * backward: there a changes its sign.
 *
 * Times that differ by rounding are one time (brink__time_slack, of b/a too): there the
 * argument counts as exactly e, until the relation or stair has changed at this time.
 */
#include "clause/clause.h"

#include <math.h>

/* (a time + b)/c */
typedef struct line {
  double a, b, c;
  int rises;    /* 1, -1; 0: it does not move                                      */
  double still; /* its value then; NaN or infinite: it has none                    */
} line;

/* The clock of the run at a time. */
static double run_clock(const dae_live *live, double t)
{
  return live->backward ? -t : t;
}

/* The three roots of the tape from `first`, when it has been run. */
static line read_line(const dae_live *live, const brink__tape *tape, size_t first)
{
  double way = live->backward ? -1 : 1;
  line l = {.a = way * live->v[brink__tape_slot(tape, first)],
            .b = live->v[brink__tape_slot(tape, first + 1)],
            .c = live->v[brink__tape_slot(tape, first + 2)]};

  int moves = l.a != 0 && l.c != 0 && isfinite(l.b / l.a);
  l.rises = !moves ? 0 : (l.a > 0) == (l.c > 0) ? 1 : -1;
  l.still = l.b / l.c;
  return l;
}

static double time_of(const line *l, double value)
{
  return (value * l->c - l->b) / l->a;
}

/* How far its times may be off by rounding: b/a may be much larger than t. */
static double slack_of(const line *l, double t)
{
  return brink__time_slack(fabs(t) + fabs(l->b / l->a));
}

/* Are both the same time? */
static int same_time(const line *l, double t, double at)
{
  return fabs(t - at) <= slack_of(l, t);
}

/* -------------------------------------------------------------- values --- */

static double relation_after(const clause_relation *r, const line *l)
{
  return (l->rises > 0) == r->rising;
}

/* changed: when it last changed. */
static double relation_at(const clause_relation *r, const line *l, double t, double now,
                          double changed)
{
  if (!l->rises)
    return isnan(l->still) ? now : clause_truth(r, l->still);
  double at = time_of(l, 0);
  if (same_time(l, t, at))
    return same_time(l, at, changed) ? now : r->true_at_zero;
  return (t > at) == (relation_after(r, l) != 0);
}

static double stair_after(const clause_stair *s, const line *l, double edge)
{
  return clause_stair_of(s, edge + 0.5 * l->rises);
}

/* The edge nearest to t decides by its time: near it the value of the argument is
 * rounded. */
static double stair_at(const clause_stair *s, const line *l, double t, double now,
                       double changed)
{
  if (!l->rises)
    return isfinite(l->still) ? clause_stair_of(s, l->still) : now;
  double edge = nearbyint((l->a * t + l->b) / l->c), at = time_of(l, edge);
  if (same_time(l, t, at))
    return same_time(l, at, changed) ? now : clause_stair_of(s, edge);
  return t > at ? stair_after(s, l, edge) : clause_stair_of(s, edge - 0.5 * l->rises);
}

double brink__clause_line_value(const dae_live *live, const brink__tape *tape,
                                const clause_relation *r, const clause_stair *s,
                                double t, double now, double changed)
{
  line l = read_line(live, tape, 0);
  t = run_clock(live, t);
  return r ? relation_at(r, &l, t, now, changed) : stair_at(s, &l, t, now, changed);
}

int brink__clause_timed_value(dae_live *live, int i, double t)
{
  const dae_model *m = live->m;
  const clause_timer *d = &m->timers[i];
  double *v = &live->v[d->slot], was = *v;

  if (brink__tape_values(d->line, live->v, NULL) < 0)
    return 0; /* no value here: it stays as it is */
  *v = brink__clause_line_value(
      live, d->line, d->kind == CLAUSE_RELATION ? &m->relations[d->index] : NULL,
      d->kind == CLAUSE_STAIR ? &m->stairs[d->index] : NULL, t, was, live->tick[i]);
  return *v != was;
}

void brink__clause_due_on_line(dae_live *live, int i, double t)
{
  const dae_model *m = live->m;
  const clause_timer *d = &m->timers[i];

  if (brink__tape_values(d->line, live->v, NULL) < 0)
    return;
  line l = read_line(live, d->line, 0);
  t = run_clock(live, t);
  double edge = d->kind == CLAUSE_STAIR ? nearbyint((l.a * t + l.b) / l.c) : 0;
  if (!l.rises || !same_time(&l, t, time_of(&l, edge)))
    return;
  live->v[d->slot] = d->kind == CLAUSE_STAIR
                         ? stair_after(&m->stairs[d->index], &l, edge)
                         : relation_after(&m->relations[d->index], &l);
}

/* --------------------------------------------------------------- times --- */

static double next_tick(dae_live *live, const clause_timer *d, size_t i, double t,
                        int at_start)
{
  double start = live->constants.sample_start[d->index];
  double every = live->constants.sample_interval[d->index];
  double slack = brink__time_slack(fabs(t) + fabs(start));

  if (live->backward) { /* the last one before that time */
    double k = ceil((-t - slack - start) / every) - 1;
    return k >= 0 ? -(start + k * every) : HUGE_VAL;
  }
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

/* Is the relation, stair or sample behind the condition of a when? */
static int is_behind_when(const dae_model *m, int32_t slot)
{
  for (size_t k = 0; k < m->n_conds; k++)
    if (clause_has(m->conds[k].behind, m->conds[k].n_behind, slot))
      return 1;
  return 0;
}

int brink__clause_fires(const brink_model *model, brink__live *l, int mode,
                        const signed char *before, const signed char *after)
{
  const dae_model *m = dae_of(model);

  (void)l, (void)mode;
  for (size_t k = 0; k < m->n_guards; k++) {
    const clause_guard *g = &m->guards[k];
    int32_t slot = g->relation >= 0 ? m->relations[g->relation].slot
                   : g->stair >= 0  ? m->stairs[g->stair].slot
                                    : -1;
    if (before[k] != after[k] && slot >= 0 && is_behind_when(m, slot))
      return 1;
  }
  return 0;
}

/* When the relation changes next: at its zero, unless it is past that. */
static double next_change(const clause_relation *r, const line *l, double now,
                          double *becomes)
{
  *becomes = relation_after(r, l);
  return now == *becomes ? HUGE_VAL : time_of(l, 0);
}

/* When the stair takes its next step.  One that is late, since its steps are finer than
 * the rounding of time, goes to where it should be. */
static double next_step(const clause_stair *s, const line *l, double t, double now,
                        double *becomes)
{
  double edge = l->rises > 0 ? clause_stair_high(s, now) : clause_stair_low(s, now);
  double at = time_of(l, edge), here = stair_at(s, l, t, now, nan(""));

  *becomes = now + l->rises;
  if (at <= t && (here - *becomes) * l->rises > 0)
    *becomes = here;
  return at;
}

/* When the relation or stair of timer i changes next.  all: the tape of all timers has
 * been run; else that of this timer is. */
static double next_on_line(dae_live *live, const clause_timer *d, size_t i, double t,
                           int all)
{
  const dae_model *m = live->m;
  double now = live->v[d->slot], at;

  if (!all && brink__tape_values(d->line, live->v, NULL) < 0)
    return HUGE_VAL;
  line l = read_line(live, all ? m->time_tape : d->line, all ? CLAUSE_LINE * i : 0);
  if (!l.rises)
    return HUGE_VAL;
  if (d->kind == CLAUSE_RELATION)
    at = next_change(&m->relations[d->index], &l, now, &live->becomes[i]);
  else
    at = next_step(&m->stairs[d->index], &l, t, now, &live->becomes[i]);
  /* at once, if it is late because an event has changed the line, or not yet past t by
   * rounding only */
  return at > t + slack_of(&l, t) ? at : t;
}

static double next_of(dae_live *live, size_t i, double t, int at_start, int all)
{
  const clause_timer *d = &live->m->timers[i];

  switch (d->kind) {
  case CLAUSE_SAMPLE: return next_tick(live, d, i, t, at_start);
  case CLAUSE_RELATION:
  case CLAUSE_STAIR: return next_on_line(live, d, i, t, all);
  case CLAUSE_ECHO: return brink__clause_next_echo(live, d->index, t);
  case CLAUSE_TERMINAL: return HUGE_VAL; /* the executor knows */
  }
  return HUGE_VAL;
}

double brink__clause_next_acting_time(const brink_model *model, brink__live *l,
                                      int mode)
{
  const dae_live *live = dae_live_of(l);
  double first = HUGE_VAL;

  (void)model, (void)mode;
  for (size_t i = 0; i < live->m->n_timers; i++)
    if (!live->m->timers[i].output_only ||
        (live->backward && is_behind_when(live->m, live->m->timers[i].slot)))
      first = brink__min(first, live->next[i]);
  return first;
}

/* The run ends at t: is terminal() read? */
static double at_end(const dae_model *m, double t, unsigned char *due)
{
  double first = HUGE_VAL;

  for (size_t i = 0; i < m->n_timers; i++) {
    due[i] = m->timers[i].kind == CLAUSE_TERMINAL ? BRINK__DUE : BRINK__NOT_DUE;
    if (due[i])
      first = t;
  }
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
  if (asked == BRINK__ASK_AT_END)
    return at_end(m, t, due);
  int all = brink__tape_values(m->time_tape, live->v, NULL) == BRINK_OK;
  for (size_t i = 0; i < m->n_timers; i++) {
    live->next[i] = next_of(live, i, t, at_start, all);
    live->ticked[i] = 0;
    first = brink__min(first, live->next[i]);
    ticks |= at_start && m->timers[i].kind == CLAUSE_SAMPLE &&
             live->next[i] <= t + brink__time_slack(t);
  }
  for (size_t i = 0; i < m->n_timers; i++) {
    int now = first < HUGE_VAL && live->next[i] <= first + brink__time_slack(first);
    if (m->timers[i].kind == CLAUSE_SAMPLE)
      due[i] = now != 0;
    else if (at_start && first <= t + brink__time_slack(t))
      due[i] = now && !ticks ? BRINK__DUE_CHANGE : BRINK__NOT_DUE;
    else
      due[i] = now != 0;
  }
  return first;
}
