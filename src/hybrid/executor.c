/* executor.c -- run a hybrid model.
 *
 * One advance: next known time -> one accepted step -> zeros of the guards in it
 * (hits.c) -> the first one that acts cuts the step -> instants (instant.c) -> restart.
 */
#include "hybrid/policies.h"

#include <math.h>
#include <string.h>

/* The wall clock is read after so many steps at most, since reading it takes as long as
 * a short step ... */
enum { CLOCK_EVERY = 64 };

/* ... and after every step if that many take longer than this, in seconds. */
static const double CLOCK_NEXT = 1e-3;

/* -------------------------------------------------------------- limits --- */

int brink_sim_expired(const brink_sim *sim)
{
  if (!(sim->opt.max_seconds > 0))
    return 0;
  double now = sim->busy ? brink__clock() - sim->wall_start : 0;
  return sim->wall_spent + now >= sim->opt.max_seconds;
}

static int time_is_up(brink_sim *sim)
{
  if (sim->clock_wait-- > 0)
    return 0;
  double now = brink__clock();
  if (now - sim->clock_last > CLOCK_NEXT)
    sim->clock_gap = 1;
  else if (sim->clock_gap < CLOCK_EVERY)
    sim->clock_gap *= 2;
  sim->clock_wait = sim->clock_gap;
  sim->clock_last = now;
  return sim->wall_spent + now - sim->wall_start >= sim->opt.max_seconds;
}

static brink_status limit(brink_sim *sim)
{
  const brink_sim_opts *o = &sim->opt;
  const char *what = NULL;
  double bound = 0;

  if (o->max_steps > 0) {
    brink_work w = brink__work_now(sim);
    if (w.steps + w.rejected + w.retried - sim->work_before.steps -
            sim->work_before.rejected - sim->work_before.retried >=
        o->max_steps) {
      what = "max_steps";
      bound = (double)o->max_steps;
    }
  }
  if (o->max_events > 0 && sim->stats.instants >= o->max_events) {
    what = "max_events";
    bound = (double)o->max_events;
  }
  if (o->max_seconds > 0 && time_is_up(sim)) {
    what = "max_seconds";
    bound = o->max_seconds;
  }
  if (!what)
    return BRINK_OK;
  return brink__limit_reached(sim, sim->t, what, bound);
}

/* ------------------------------------------------------------- restart ---- */

/* A first step for the flow that begins: just beyond its predicted end, but longer
 * neither than the last step of the flow that ends (a fast transient may follow) nor
 * than the last one taken in this regime. */
static double first_step(const brink_sim *sim, const brink__regime *r)
{
  double dwell = brink__dwell_predict(&r->dwell), h = sim->h_last;

  if (!(dwell > 0))
    dwell = sim->t - sim->t_event;
  if (r->h > 0)
    h = brink__min(h, r->h);
  return dwell > 0 ? brink__min(dwell, h) : h;
}

/* The integrator has put the state on the constraints more closely than the start or
 * the instant before, by less than its tolerances.  Guards were armed before that: what
 * it does to one next to its zero is no event. */
static brink_status widen_bands(brink_sim *sim)
{
  brink__guards *g = &sim->regime->guards;
  const double *y = brink_integrator_state(sim->regime->it);
  double value;

  for (int k = 0; k < g->n; k++) {
    BRINK_TRY(brink__guard_value(g, k, sim->t, y, &value, &sim->err));
    brink__watch_moved(&g->watch[k], value);
  }
  return BRINK_OK;
}

/* The one place where the integrator starts anew at (t, y); the guards are armed. */
static brink_status restart(brink_sim *sim)
{
  brink__regime *r = sim->regime;

  sim->restart = 0;
  brink__integrator_hint(r->it, first_step(sim, r));
  if (brink_integrator_start(r->it, sim->t, sim->y) < 0) {
    sim->err = *brink_integrator_error(r->it);
    return sim->err.status;
  }
  double move = brink__integrator_start_move(r->it);
  if (move > 0 && move <= 1)
    BRINK_TRY(widen_bands(sim));
  brink__modes_met_note(sim);
  r->guards.kept_h = 0;
  r->declined = r->nearer = sim->taken_over = 0;
  r->strict = 1;
  if (r->n_small)
    brink__sizes_note(sim);
  sim->t_event = sim->t;
  return BRINK_OK;
}

/* ------------------------------------------------------------- advance --- */

BRINK__COLD brink_status brink__conclude(brink_sim *sim, brink__verdict *verdict)
{
  brink__limit limit;

  if (verdict->kind == BRINK_KIND_ZENO &&
      brink__accumulated(sim, verdict->guard, &limit))
    return brink__pass_limit(sim, &limit);
  BRINK_TRY(brink__diagnose(sim, verdict));
  sim->err = verdict->why;
  if (sim->err.status < 0)
    return sim->err.status;
  sim->ended = sim->err.status;
  sim->stats.zeno_points++;
  return BRINK_EVENT;
}

/* A known time, at sim->t, without a state event. */
BRINK__APART static brink_status timer_instant(brink_sim *sim)
{
  brink__due *due = &sim->due;
  int ticks = 0;

  for (int i = 0; i < sim->model->n_timers; i++)
    ticks |= sim->timers_due[i] == BRINK__DUE;
  brink__due_timers(sim, due);
  due->kind = ticks ? BRINK_KIND_CROSSING : BRINK_KIND_START;
  due->at_start = !ticks;
  if (sim->t_next < sim->t_acting && ticks) {
    BRINK_TRY(brink__output_instant(sim, due, sim->t));
    return BRINK_EVENT;
  }
  BRINK_TRY(brink__due_guards(sim, due, sim->t));
  return brink__instants(sim, due);
}

/* The run ends at a fold of implicit equations in the variable `name`; sim->err says
 * so.
 */
BRINK__COLD static brink_status ends_in_fold(brink_sim *sim, const char *name)
{
  BRINK_TRY(brink__log(sim, sim->t, sim->y, name, BRINK_KIND_FOLD, 0, 0,
                       brink__integrator_least(sim->regime->it), BRINK_CONVERGED));
  if (!sim->ended)
    sim->ended = BRINK_FOLD;
  return BRINK_EVENT;
}

/* A step failed, and no event explains it: does the model, or a policy? */
BRINK__COLD static brink_status no_step(brink_sim *sim, double t_limit,
                                        brink_status why)
{
  const brink_model *m = sim->model;
  brink__verdict verdict;

  if (why != BRINK_ESTEP && why != BRINK_EDOMAIN)
    return why;
  const char *name =
      m->ops->fold ? m->ops->fold(m, sim->live, sim->mode, sim->t, &sim->err) : NULL;
  if (name)
    return ends_in_fold(sim, name);
  return why == BRINK_ESTEP && brink__slides(sim, t_limit, &verdict)
             ? brink__conclude(sim, &verdict)
             : why;
}

/* All of a step stands and the state is at its end. */
static brink_status after_step(brink_sim *sim, const brink_step *step, double t_limit)
{
  brink__verdict verdict;
  double width;

  if (sim->standstill.n)
    brink__standstill_step(sim);
  if (--sim->progress.steps <= 0 && brink__progress_check(sim, t_limit, &verdict))
    return brink__conclude(sim, &verdict);
  if (!brink__integrator_crossed(sim->regime->it, &width))
    return brink__arrive(sim, step, 0);
  brink_status rc = brink__arrive(sim, step, 1);
  if (rc != BRINK_OK)
    return rc;
  BRINK_TRY(brink__log(sim, sim->t, sim->y, "unguarded", BRINK_KIND_UNGUARDED, 0, 0,
                       width, BRINK_SAMPLED));
  return sim->ended ? BRINK_OK : BRINK_EVENT;
}

/* Known times that change outputs only are passed inside a step, unless closing steps
 * or a limit on events want to stop at each. */
static double stop_time(const brink_sim *sim)
{
  return (sim->closing && sim->regime->guards.n > 0) || sim->opt.max_events > 0
             ? sim->t_next
             : sim->t_acting;
}

/* Which method `auto` has chosen: steps are counted, and it is remembered where a stiff
 * one takes over or gives back. */
BRINK__APART static void note_method(brink_sim *sim, double t)
{
  const brink_method *m = brink__integrator_chosen(sim->regime->it);
  int stiff = (m->flags & BRINK__IMPLICIT) != 0;
  long n = sim->stats.method_switches;

  if (m != sim->acting) {
    sim->acting = m;
    sim->acting_index = brink__method_index(m);
  }
  sim->stats.method_steps[sim->acting_index]++;
  if (n > 0 && sim->acting_stiff == stiff)
    return;
  sim->acting_stiff = stiff;
  if (n < BRINK_METHOD_SWITCHES)
    sim->stats.switches[n] =
        (brink_method_switch){brink__flow_time(&sim->regime->flow, t), m->name, stiff};
  sim->stats.method_switches++;
}

static brink_status one_step(brink_sim *sim, double t_end)
{
  brink__regime *r = sim->regime;
  double t_limit = brink__min(t_end, stop_time(sim));
  brink_step step;

  sim->last_read = r->guards.n > 0 || sim->t_next < t_limit ? BRINK__READ
                   : brink__steps_are_read(sim)             ? BRINK__READ_SHOWN
                                                            : BRINK__NOT_READ;
  brink__integrator_reads(r->it, sim->last_read);
  sim->last.h = 0;
  BRINK_TRY(brink__approach(sim, t_limit));
  brink_status rc = brink__take_over(sim, t_limit, &step);
  BRINK_TRY(rc);
  if (rc == BRINK_END)
    rc = brink__integrator_step(r->it, t_limit, &step);
  if (rc < 0 || rc == BRINK_EVENT) {
    sim->err = *brink_integrator_error(r->it);
    rc = brink__step_failed(sim, rc);
    return rc < 0 ? no_step(sim, t_limit, rc) : rc;
  }
  brink__note_refusals(sim);
  if (rc == BRINK_STIFF)
    sim->stats.stiff = 1;
  if (sim->method->flags & BRINK__CHOOSES)
    note_method(sim, step.t0);
  rc = r->guards.n || sim->t_next < step.t1
           ? brink__walk(sim, &step, step.t1 == t_limit)
           : brink__publish_rest(sim, &step, 0);
  if (rc != BRINK_OK)
    return rc < 0 ? no_step(sim, t_limit, rc) : rc;
  sim->t = step.t1;
  sim->h_last = fabs(step.h);
  if (step.t1 == t_limit ||
      sim->taken_over) /* cut short: the step that was proposed tells more */
    sim->h_last = brink__max(sim->h_last, brink__integrator_proposed(r->it));
  sim->h_last *= brink__integrator_stride(r->it);
  brink__copy(sim->y, brink_integrator_state(r->it), step.n);
  if (r->n_small)
    brink__sizes_note(sim);
  brink__keep_step(sim, &step, step.t1);
  return sim->ended ? BRINK_OK : after_step(sim, &step, t_limit);
}

/* A known time that differs from the end by rounding (3 * 0.1 and 0.3) is the end. */
static void round_to_end(brink_sim *sim, double t_end)
{
  if (!(sim->t_next > t_end && sim->t_next - t_end <= brink__time_slack(t_end)))
    return;
  if (sim->t_acting == sim->t_next)
    sim->t_acting = t_end;
  sim->t_next = t_end;
}

/* What is due where the run stands, or else one step. */
static brink_status next(brink_sim *sim, double t_end)
{
  brink_status rc = limit(sim);

  if (rc != BRINK_OK)
    return rc;
  if (sim->t < t_end)
    round_to_end(sim, t_end);
  if (sim->t >= t_end && sim->backward)
    return BRINK_END; /* what happens at that time lies behind the run */
  if (sim->t == t_end && sim->t_stop != t_end)
    rc = brink__at_stop_time(sim);
  if (rc != BRINK_OK)
    return rc;
  if (sim->t >= sim->t_next && sim->t_next <= t_end)
    return timer_instant(sim);
  if (sim->t >= t_end)
    return BRINK_END;
  if (sim->regime->flow.limits_steps)
    brink__limit_step(sim, t_end);
  rc = one_step(sim, t_end);
  round_to_end(sim, t_end); /* the step may have passed the one before */
  return rc;
}

static brink_status advance_once(brink_sim *sim, double t_end)
{
  brink_status rc = sim->ended;

  sim->t_end = t_end;
  if (rc == BRINK_OK && sim->restart) /* an error has ended the last advance */
    BRINK_TRY(restart(sim));
  for (int begins = 1; begins && rc == BRINK_OK;) {
    begins = sim->begins != BRINK__RUNS;
    rc = begins ? brink__begin(sim) : next(sim, t_end);
    if (rc >= 0 && sim->restart)
      BRINK_TRY(restart(sim));
  }
  return rc;
}

static brink_status advance(brink_sim *sim, double t_end)
{
  sim->busy = 1;
  brink_status rc = advance_once(sim, t_end);
  sim->busy = 0;
  if (rc < 0) /* the integrator may have gone farther, or be that of another mode */
    sim->restart = 1;
  if (rc < 0 && sim->err.status != rc) /* out of memory: the context knows more */
    sim->err = sim->ctx->err;
  return rc;
}

/* A callback must not run what has called it. */
brink_status brink__sim_idle(brink_sim *sim)
{
  return sim->busy
             ? brink__fail(&sim->err, BRINK_EARG,
                           "a callback asked the simulation that called it to run")
             : BRINK_OK;
}

/* Does it stand behind t_end because a jump has let time pass? */
static int skipped(const brink_sim *sim, double t_end)
{
  return sim->t == sim->skipped[1] && t_end >= sim->skipped[0];
}

/* What is asked of an advance. */
static brink_status may_advance(brink_sim *sim, double t_end)
{
  BRINK_TRY(brink__sim_idle(sim));
  if (!sim->started)
    return brink__fail(&sim->err, BRINK_EARG, "start the simulation before running it");
  if (sim->finished)
    return brink__fail_at(&sim->err, BRINK_EARG, brink__shown(sim, sim->t),
                          "the run was finished at t = %.9g; start it again",
                          brink__shown(sim, sim->t));
  if (isnan(t_end))
    return brink__fail(&sim->err, BRINK_EARG, "the end of the run is not a number");
  if (t_end < sim->t && !sim->backward && sim->begins == BRINK__BEGINS)
    BRINK_TRY(brink__go_back(sim, t_end));
  t_end = brink__shown(sim, t_end);
  if (t_end < sim->t && !skipped(sim, t_end))
    return brink__fail_at(
        &sim->err, BRINK_EARG, brink__shown(sim, sim->t),
        "the end t = %.9g lies %s the present time %.9g, and a run does not turn "
        "round: start it again to go the other way",
        brink__shown(sim, t_end), sim->backward ? "after" : "before",
        brink__shown(sim, sim->t));
  if (isinf(t_end) && !(sim->opt.max_steps > 0) && !(sim->opt.max_events > 0) &&
      !(sim->opt.max_seconds > 0))
    return brink__fail(
        &sim->err, BRINK_EARG,
        "an endless run needs a limit: max_steps, max_events or max_seconds");
  return BRINK_OK;
}

brink_status brink_sim_advance(brink_sim *sim, double t_end)
{
  BRINK_TRY(may_advance(sim, t_end));
  sim->wall_start = brink__clock();
  brink_status rc = advance(sim, brink__shown(sim, t_end));
  sim->wall_spent += brink__clock() - sim->wall_start;
  return brink__placed(sim, rc);
}

brink_status brink_sim_run(brink_sim *sim, double t_end)
{
  brink_status rc = BRINK_OK;

  BRINK_TRY(may_advance(sim, t_end));
  sim->wall_start = brink__clock();
  while (rc == BRINK_OK || rc == BRINK_EVENT)
    rc = advance(sim, brink__shown(sim, t_end));
  sim->wall_spent += brink__clock() - sim->wall_start;
  return brink__placed(sim, rc);
}

brink_status brink_sim_finish(brink_sim *sim)
{
  BRINK_TRY(brink__sim_idle(sim));
  if (!sim->started)
    return brink__fail(&sim->err, BRINK_EARG, "there is no run to finish");
  if (sim->finished)
    return BRINK_OK;
  sim->finished = 1;
  if (sim->backward) /* it has come to where something begins, not to its end */
    return BRINK_OK;
  sim->busy = 1;
  brink_status rc = brink__last_instant(sim);
  sim->busy = 0;
  return brink__placed(sim, rc < 0 ? rc : BRINK_OK);
}
