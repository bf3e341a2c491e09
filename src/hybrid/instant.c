/* instant.c -- what happens at one point of time.
 *
 * Time is superdense: an instant takes a left limit to a right limit; if that
 * makes further events due, another instant follows at the same t, until nothing
 * is due or the bound is reached.  Events of one instant are handed over together.
 */
#include "hybrid/extended_model.h"
#include "hybrid/policies.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ------------------------------------------------------- the left limit ---- */

void brink__due_here(brink_sim *sim, brink__due *due)
{
  size_t n = sim->regime->info->n;

  brink__copy(due->y, sim->y, n);
  for (size_t i = 0; i < n; i++)
    due->noise[i] = 4 * DBL_EPSILON * fabs(sim->y[i]);
  due->far = BRINK__FAR;
}

brink_status brink__due_guards(brink_sim *sim, brink__due *due, double t)
{
  brink__guards *g = &sim->regime->guards;

  for (int k = 0; k < g->n; k++)
    BRINK_TRY(brink__guard_value(g, k, t, due->y, &due->g[k], &sim->err));
  return BRINK_OK;
}

void brink__signs(const brink_sim *sim, signed char *out)
{
  const brink__guards *g = &sim->regime->guards;

  for (int k = 0; k < g->n; k++)
    out[k] = g->watch[k].sign;
}

void brink__due_timers(brink_sim *sim, brink__due *due)
{
  brink__due_here(sim, due);
  brink__signs(sim, due->before);
  brink__signs(sim, due->after);
  memset(due->hit, 0, (size_t)sim->regime->guards.n);
  due->timers = sim->timers_due;
  due->kind = BRINK_KIND_CROSSING;
  due->at_start = 0;
  due->width = 0;
  due->certificate = sim->stats.certificate;
}

static int any_timer(const brink_sim *sim, const brink__due *due)
{
  for (int i = 0; i < sim->model->n_timers; i++)
    if (due->timers[i])
      return 1;
  return 0;
}

/* The first guard that is hit, -1: none. */
static int first_hit(const brink__due *due, int n)
{
  for (int k = 0; k < n; k++)
    if (due->hit[k])
      return k;
  return -1;
}

/* Which guards cross, and which of them cross again without time moving on? */
static void note_crossings(brink_sim *sim, const brink__due *due)
{
  brink__guards *g = &sim->regime->guards;
  int again = sim->t == sim->t_instant;

  for (int k = 0; k < g->n; k++)
    if (due->hit[k])
      brink__watch_land(&g->watch[k], sim->t);
  if (due->kind != BRINK_KIND_CROSSING)
    return;
  if (!again)
    g->any_returned = 0;
  for (int k = 0; k < g->n; k++)
    if (!again || due->hit[k])
      g->any_returned |= brink__watch_crossed(&g->watch[k], due->hit[k], again);
}

/* ------------------------------------------------------------ instants ---- */

/* Instant 0 of the start is the start itself with the timers due there; a change at
 * t0+ comes after it. */
static void after_start(brink_sim *sim)
{
  if (!isnan(sim->t_instant))
    return;
  sim->t_instant = sim->t;
  sim->number = 0;
}

static int next_number(brink_sim *sim)
{
  sim->number = sim->t == sim->t_instant ? sim->number + 1 : 0;
  sim->t_instant = sim->t;
  return sim->number;
}

brink_status brink__known_times(brink_sim *sim, int asked)
{
  const brink_model *m = sim->model;
  int i = 0;

  sim->t_next = sim->t_acting = HUGE_VAL;
  if (m->n_timers == 0)
    return BRINK_OK;
  double next = m->ops->next_time(m, sim->live, sim->mode, sim->t, sim->y, asked,
                                  sim->timers_due);
  if (!isnan(next)) {
    sim->t_next = next;
    sim->t_acting = m->ops->next_acting_time(m, sim->live, sim->mode);
    if (sim->t_acting - next <= 2 * brink__time_slack(next)) /* due together */
      sim->t_acting = next;
    return BRINK_OK;
  }
  while (i + 1 < m->n_timers && !sim->timers_due[i])
    i++;
  return brink__fail_at(&sim->err, BRINK_ENAN, sim->t,
                        "the next time of timer '%s' after t = %.9g is not a number; "
                        "for never, return INFINITY",
                        m->ops->event_name(m, sim->live, sim->mode, -1 - i), sim->t);
}

/* Rounding bounds after a jump: another model's states are computed anew, and a
 * state that was set is known no better than its last bits. */
static void jump_noise(brink_sim *sim, const brink__instant *inst)
{
  size_t n = sim->regime->info->n;
  int other = brink__mode_info(sim, inst->mode)->n != n && !inst->noise_known;

  for (size_t i = 0; i < n; i++) {
    double least = 4 * DBL_EPSILON * fabs(sim->y[i]);
    inst->noise[i] = other ? 2 * least : brink__max(inst->noise[i], least);
  }
}

/* Time passes in a jump.  Timers that would have fired meanwhile are due when it ends;
 * retime: one of them has just fired. */
BRINK__COLD static brink_status time_passes(brink_sim *sim, double t_after, int retime)
{
  if (retime)
    BRINK_TRY(brink__known_times(sim, BRINK__ASK_AFTER));
  if (sim->t != sim->skipped[1]) /* else one goes on where another ended */
    sim->skipped[0] = sim->t;
  sim->t = sim->skipped[1] = t_after;
  return sim->t >= sim->t_next ? brink__known_times(sim, BRINK__ASK_PASSED) : BRINK_OK;
}

/* The model has no instant: where that is since the values of a relation or a variable
 * contradict each other in turn, the record names it. */
BRINK__COLD static brink_status
without_instant(brink_sim *sim, const brink__instant *inst, brink_status why)
{
  if (!inst->loop)
    return why;
  BRINK_TRY(brink__log(sim, sim->t, inst->y_before, inst->loop, BRINK_KIND_LOOP, 0, 0,
                       0, BRINK_SAMPLED));
  return why;
}

/* One instant: run it, record it, make its right limit the state. */
static brink_status one(brink_sim *sim, const brink__due *due, brink__instant *inst)
{
  const brink_model *m = sim->model;

  *inst = (brink__instant){.t = sim->t,
                           .number = next_number(sim),
                           .mode = sim->mode,
                           .y_before = due->y,
                           .sign_before = due->before,
                           .sign = due->after,
                           .hit = due->hit,
                           .due = due->timers,
                           .at_restart = due->kind == BRINK_KIND_START,
                           .verbose = sim->opt.all_relations != 0,
                           .rtol = sim->opt.rtol,
                           .y = sim->y_after,
                           .mode_after = sim->mode,
                           .t_after = sim->t,
                           .fired = sim->fired,
                           .names = sim->names,
                           .jumps = sim->jumps,
                           .max_jumps = m->max_jumps,
                           .noise = due->noise};
  brink__copy(sim->y_after, due->y, sim->regime->info->n);
  brink_status rc = m->ops->instant(m, sim->live, inst, &sim->err);
  if (rc < 0)
    return inst->conflict ? rc : without_instant(sim, inst, rc);
  sim->stats.instants++;
  sim->stats.event_iterations += inst->number > 0;
  BRINK_TRY(brink__record(sim, inst, due));
  brink__accumulation_instant(sim, inst);
  if (inst->stop || inst->zeno || inst->irreversible)
    sim->ended = inst->zeno           ? BRINK_ZENO
                 : inst->irreversible ? BRINK_IRREVERSIBLE
                                      : BRINK_TERMINATED;
  sim->stats.zeno_points += inst->zeno;
  if (inst->mode_after != sim->mode || !m->ops->steady)
    BRINK_TRY(brink__activate(sim, inst->mode_after));
  brink__copy(sim->y, sim->y_after, sim->regime->info->n);
  jump_noise(sim, inst);
  brink__modes_met_note(sim);
  return BRINK_OK;
}

/* The value of guard k beside y, in one of two directions: states are moved by 2^-10 of
 * their sizes, times numbers without a pattern.  0: there is none. */
static int beside(const brink_model *m, brink__live *l, int mode, int k, double t,
                  const double *y, int direction, double *at, double *g)
{
  size_t n = m->ops->mode_info(m, l, mode)->n;

  for (size_t i = 0; i < n; i++) {
    double part = 1 + 0.618 * (double)i;
    at[i] = y[i] + 0x1p-10 * (direction ? -1 / part : part) * (1 + fabs(y[i]));
  }
  return m->ops->guard(m, l, mode, k, t, at, g) == 0;
}

int brink__vanish_together(const brink_model *m, brink__live *live, int mode, int k,
                           int l, double t, const double *y, double *at)
{
  double a[2], b[2];

  for (int i = 0; i < 2; i++)
    if (!beside(m, live, mode, k, t, y, i, at, &a[i]) ||
        !beside(m, live, mode, l, t, y, i, at, &b[i]))
      return 1;
  return (a[0] != 0) == (b[0] != 0) &&
         fabs(a[0] * b[1] - a[1] * b[0]) <=
             0x1p-40 * (fabs(a[0] * b[1]) + fabs(a[1] * b[0]));
}

/* Leave the first of several hits on different surfaces; 0: there is only one. */
static int first_alone(brink_sim *sim, brink__due *due)
{
  int n = sim->regime->guards.n, first = 0, others = 0;

  while (first < n && !due->hit[first])
    first++;
  for (int k = first + 1; k < n; k++)
    if (due->hit[k] &&
        !brink__vanish_together(sim->model, sim->live, sim->mode, first, k, sim->t,
                                due->y, brink__work_row(sim, 0))) {
      due->hit[k] = 0;
      due->after[k] = due->before[k];
      others = 1;
    }
  return others;
}

/* The same where the events of several guards that are hit at once set a state to
 * different values, as impacts of one body with two others do: one after the other, in
 * the order of the guards.  What the first leaves of the others is due next. */
static brink_status one_by_one(brink_sim *sim, brink__due *due, brink__instant *inst)
{
  brink_err before = sim->err;
  brink_status rc = one(sim, due, inst);

  if (rc >= 0 || !inst->conflict || !first_alone(sim, due))
    return rc;
  brink__remark(sim, BRINK__REMARK_ORDER,
                "at t = %.15g events happen at once that exclude each other (%.300s): "
                "they are carried out one after the other, in the order of the model, "
                "and what follows may depend on that order",
                brink__shown(sim, sim->t), sim->err.text);
  sim->err = before;
  return one(sim, due, inst);
}

/* The record that policies read; t_last: time of the instant before. */
static void note_occurrence(brink_sim *sim, const brink__instant *inst, double t_last)
{
  brink__history *h = &sim->history;

  h->v[h->n++ % BRINK__HISTORY] = (brink__occurrence){
      .t = inst->t,
      .gap = inst->t - t_last,
      .event = inst->n_fired ? inst->fired[inst->n_fired - 1] : BRINK__NO_EVENT,
      .mode_before = inst->mode,
      .mode_after = inst->mode_after,
      .classes = inst->classes};
  brink__crowding_note(sim);
}

/* The model has ended the run: the sentence. */
BRINK__COLD static brink_status terminated(brink_sim *sim, const brink__instant *inst)
{
  const char *why = inst->message ? inst->message : "";
  const char *who = "a jump";

  if (sim->ended != BRINK_TERMINATED)
    return BRINK_EVENT;
  if (inst->n_fired)
    who = sim->model->ops->event_name(sim->model, sim->live, inst->mode,
                                      inst->fired[inst->n_fired - 1]);
  brink__fail_at(&sim->err, BRINK_TERMINATED, sim->t,
                 "%s%s'%s' ended the run at t = %.9g", why, inst->message ? ": " : "",
                 who, sim->t);
  return BRINK_EVENT;
}

/* Guards that the jump has moved across zero without effect. */
static brink_status log_moved(brink_sim *sim, const brink__instant *inst,
                              const brink__due *due)
{
  const brink__guards *g = &sim->regime->guards;

  if (!sim->opt.all_relations || inst->mode != sim->mode)
    return BRINK_OK;
  for (int k = 0; k < g->n && !sim->ended; k++)
    if (g->info[k].held ? due->hit[k] : due->before[k] * due->after[k] < 0)
      BRINK_TRY(brink__log(sim, sim->t, sim->y, g->info[k].name, BRINK_KIND_CROSSING,
                           due->after[k], due->g[k], 0, BRINK_PROVED));
  return BRINK_OK;
}

/* Event iteration: instants at one time until none is due; *retime: timers have fired;
 * *changed: the solution does not go on as it was; then guards are held or not.
 * BRINK_OK: nothing more is due; BRINK_EVENT: the run has ended; or an error. */
static brink_status iterate(brink_sim *sim, brink__due *due, int *retime, int *changed)
{
  brink__verdict verdict;
  brink__instant inst;
  double t_last = sim->t_instant;
  unsigned classes = 0;

  due->timed = 0;
  if (due->kind == BRINK_KIND_START)
    after_start(sim);
  for (;;) {
    long most = sim->opt.max_iterations;
    int hit = brink__instants_counted(sim) + 1 >= most
                  ? first_hit(due, sim->regime->guards.n)
                  : -1;
    due->timed |= any_timer(sim, due);
    BRINK_TRY(one_by_one(sim, due, &inst));
    *retime |= inst.retime;
    *changed |= inst.flow_changed;
    classes |= inst.classes;
    if (inst.t_after > sim->t) {
      BRINK_TRY(time_passes(sim, inst.t_after, *retime));
      *retime = 0;
      *changed = 1;
    }
    if (sim->ended)
      return terminated(sim, &inst);
    if (due->kind != BRINK_KIND_START) {
      note_occurrence(sim, &inst, t_last);
      if (brink__zeno_instant(sim, &verdict) || brink__stands_still(sim, &verdict))
        return brink__conclude(sim, &verdict);
    }
    int n = brink__what_follows(sim, due, &inst);
    if (n == 0 && brink__instants_counted(sim) < most) {
      BRINK_TRY(log_moved(sim, &inst, due));
      n = brink__propose(sim, due, classes, 0, changed);
      if (n == 0)
        return BRINK_OK;
    }
    if (n < 0)
      return (brink_status)n;
    if (brink__instants_counted(sim) + (n > 0) >= most) {
      brink__chattering(sim, &inst, due, hit, &verdict);
      if (classes & BRINK_SE_S)
        brink__closing_verdict(sim, &verdict.why);
      return brink__conclude(sim, &verdict);
    }
    brink__due_at_once(sim, due);
  }
}

/* Where events accumulate: go there, and carry out what the model does there. */
BRINK__COLD static brink_status pass_limit(brink_sim *sim, const brink__limit *l,
                                           brink__due *due, int *retime, int *changed)
{
  brink__verdict verdict;

  BRINK_TRY(brink__limit_enter(sim, l, due));
  sim->accumulation.passing = 1;
  brink_status rc = sim->ended ? BRINK_EVENT : iterate(sim, due, retime, changed);
  sim->accumulation.passing = 0;
  if (rc == BRINK_OK && brink__limit_stuck(sim, l, &verdict)) {
    brink__closing_verdict(sim, &verdict.why);
    sim->err = verdict.why;
    sim->ended = verdict.why.status;
    rc = BRINK_EVENT;
  }
  brink__accumulation_forget(&sim->accumulation);
  return rc;
}

/* The instants are over: how the run goes on. */
static brink_status go_on(brink_sim *sim, int changed)
{
  sim->regime->guards.kept_h = 0;
  sim->t_event = sim->t;
  if (changed || brink_integrator_time(sim->regime->it) != sim->t)
    sim->restart = 1;
  return BRINK_EVENT;
}

brink_status brink__pass_limit(brink_sim *sim, const brink__limit *l)
{
  int retime = 0, changed = 1;
  brink_status rc = pass_limit(sim, l, &sim->due, &retime, &changed);

  if (rc != BRINK_OK)
    return rc;
  BRINK_TRY(brink__known_times(sim, BRINK__ASK_AFTER));
  return go_on(sim, changed);
}

brink_status brink__instants(brink_sim *sim, brink__due *due)
{
  int retime = 0, changed = 0;
  brink__limit limit;

  brink__dwell_note(&sim->regime->dwell, sim->t - sim->t_event);
  sim->regime->h = sim->h_last;
  BRINK_TRY(brink__dissolve(sim, due));
  note_crossings(sim, due);
  for (int i = 0; i < sim->model->n_timers; i++)
    retime |= due->timers[i];
  brink_status rc = iterate(sim, due, &retime, &changed);
  if (rc != BRINK_OK)
    return rc;
  if (retime)
    BRINK_TRY(brink__known_times(sim, BRINK__ASK_AFTER));
  BRINK_TRY(brink__accumulation_end(sim));
  if (brink__accumulates(sim, &limit)) {
    retime = 0;
    rc = pass_limit(sim, &limit, due, &retime, &changed);
    if (rc != BRINK_OK)
      return rc;
    if (retime)
      BRINK_TRY(brink__known_times(sim, BRINK__ASK_AFTER));
  }
  return go_on(sim, changed);
}

brink_status brink__last_instant(brink_sim *sim)
{
  const brink_model *m = sim->model;
  brink__due *due = &sim->due;
  brink__instant inst;
  brink_status why = sim->ended;
  brink_err err = sim->err;

  if (!(m->ops->next_time(m, sim->live, sim->mode, sim->t, sim->y, BRINK__ASK_AT_END,
                          sim->timers_due) <= sim->t))
    return BRINK_OK;
  brink__due_timers(sim, due);
  BRINK_TRY(brink__due_guards(sim, due, sim->t));
  BRINK_TRY(brink__dissolve(sim, due));
  sim->ended = BRINK_OK; /* an observer is told of this instant too */
  brink_status rc = one(sim, due, &inst);
  sim->ended = why;
  if (rc >= 0)
    sim->err = err;
  return rc;
}

brink_status brink__output_instant(brink_sim *sim, brink__due *due, double t)
{
  brink__instant inst;
  int retime = 0;

  sim->t = t;
  brink__copy(sim->y, due->y, sim->regime->info->n);
  if (due->kind == BRINK_KIND_START)
    after_start(sim);
  for (int i = 0; i < sim->model->n_timers; i++)
    retime |= due->timers[i];
  BRINK_TRY(one(sim, due, &inst));
  if (inst.flow_changed)
    return brink__fail_at(&sim->err, BRINK_EBUG, t,
                          "an event at t = %.9g was taken for one that changes outputs "
                          "only",
                          t);
  return retime || inst.retime ? brink__known_times(sim, BRINK__ASK_AFTER) : BRINK_OK;
}

brink_status brink__interrupt(brink_sim *sim)
{
  brink__due *due = &sim->due;

  if (sim->begins == BRINK__RUNS) {
    brink__due_here(sim, due);
    BRINK_TRY(brink__due_guards(sim, due, sim->t));
  }
  sim->begins |= BRINK__RESUMES;
  return BRINK_OK;
}

/* Values were set from outside since brink__interrupt, which has left the guards in
 * due->g: an instant without events, and what follows from it. */
static brink_status resume(brink_sim *sim)
{
  brink__due *due = &sim->due;
  long events = sim->stats.events;
  int retime = 0, changed = 0;

  brink__due_here(sim, due);
  memset(due->hit, 0, (size_t)sim->regime->guards.n);
  BRINK_TRY(brink__dissolve(sim, due));
  brink__due_here(sim, due); /* not where what was held would have put it by now */
  BRINK_TRY(brink__activate(sim, sim->mode));
  brink__signs(sim, due->after);
  brink__due_at_once(sim, due);
  brink_status rc = iterate(sim, due, &retime, &changed);
  if (rc != BRINK_OK)
    return rc;
  BRINK_TRY(brink__known_times(sim, BRINK__ASK_AFTER));
  sim->regime->guards.kept_h = 0;
  sim->t_event = sim->t;
  sim->restart = 1;
  return sim->stats.events > events ? BRINK_EVENT : BRINK_OK;
}

/* The run begins: what is due at once? */
static brink_status begin(brink_sim *sim)
{
  brink__due *due = &sim->due;

  brink__due_here(sim, due);
  memset(due->hit, 0, (size_t)sim->regime->guards.n);
  BRINK_TRY(brink__known_times(sim, BRINK__ASK_AT_START));
  int hits = brink__settle(sim, 0, due);
  if (hits < 0)
    return (brink_status)hits;
  sim->restart = 1;
  int changed = 0;
  if (hits == 0)
    hits = brink__propose(sim, due, 0, 1, &changed);
  if (hits <= 0)
    return (brink_status)hits;
  brink__due_at_once(sim, due);
  return brink__instants(sim, due);
}

brink_status brink__begin(brink_sim *sim)
{
  int how = sim->begins;

  sim->begins = BRINK__RUNS;
  if (how == BRINK__RESUMES)
    return resume(sim);
  if (how == BRINK__BEGINS)
    return begin(sim);
  BRINK_TRY(brink__activate(sim, sim->mode)); /* values were set after the start */
  brink_status rc = begin(sim);
  if (rc == BRINK_OK)
    rc = brink__interrupt(sim);
  return rc;
}
