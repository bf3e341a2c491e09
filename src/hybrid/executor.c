/* executor.c -- run a hybrid model.
 *
 * One advance: next known time -> one accepted step -> zeros of the guards in it
 * (hits.c)
 * -> the first one that matters cuts the step -> instants (instant.c) -> restart.
 */
#include "hybrid/sim.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { CLOCK_EVERY = 64 }; /* steps between looks at the wall clock, at the most ... */

/* ... if they take less than this, in seconds */
static const double CLOCK_NEXT = 1e-3;

/* a known time this little past the end is the end: 3 * 0.1 and 0.3 differ by rounding
 */
static const double SAME = 2 * DBL_EPSILON;

/* ------------------------------------------------------------- advance --- */

/* The clock is not looked at in every step, unless they are slow. */
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
  brink__fail_at(&sim->err, BRINK_LIMIT, sim->t,
                 "the run ended at t = %.9g: %s = %g reached", sim->t, what, bound);
  return BRINK_LIMIT;
}

/* A timer, at sim->t, without a state event. */
BRINK__APART static brink_status timer_instant(brink_sim *sim)
{
  mode_run *run = brink__run(sim);
  size_t n = sim->model->modes[sim->mode].n;
  int ticks = 0;

  memcpy(sim->y_before, sim->y, n * sizeof(double));
  sim->far = BRINK__FAR;
  for (size_t i = 0; i < n; i++)
    sim->noise[i] = 4 * DBL_EPSILON * fabs(sim->y[i]);
  memset(sim->hit, 0, (size_t)run->guards.n);
  for (int i = 0; i < sim->model->n_timers; i++)
    ticks |= sim->due[i] == BRINK__DUE;
  BRINK_TRY(brink__guards_before(sim, sim->t));
  return brink__instants(
      sim, &(due_set){.before = run->guards.sign,
                      .after = run->guards.sign,
                      .hit = sim->hit,
                      .timers = sim->due,
                      .kind = ticks ? BRINK_KIND_CROSSING : BRINK_KIND_START,
                      .at_start = !ticks,
                      .certificate = sim->stats.certificate});
}

static brink_status one_step(brink_sim *sim, double t_limit)
{
  mode_run *run = brink__run(sim);
  brink_step step;

  brink__integrator_reads(run->it, run->guards.n > 0 || brink__is_read(sim));
  BRINK_TRY(brink__approach(sim, t_limit));
  brink_status rc = brink__integrator_step(run->it, t_limit, &step);

  if (rc < 0 || rc == BRINK_EVENT) {
    sim->err = *brink_integrator_error(run->it);
    rc = brink__stuck(sim, rc);
    if (rc == BRINK_ESTEP)
      BRINK_TRY(brink__slides(sim, t_limit));
    return rc;
  }
  brink__beware(sim);
  if (rc == BRINK_STIFF)
    sim->stats.stiff = 1;
  rc = run->guards.n ? brink__walk(sim, &step, step.t1 == t_limit)
                     : brink__tell_rest(sim, &step, 0);
  if (rc == BRINK_ESTEP)
    BRINK_TRY(brink__slides(sim, t_limit));
  if (rc != BRINK_OK)
    return rc;
  sim->t = step.t1;
  sim->h_last = fabs(step.h) * brink__integrator_stride(run->it);
  brink__copy(sim->y, brink_integrator_state(run->it), step.n);
  if (sim->over)
    return BRINK_OK;
  if (--sim->watch.paces <= 0)
    BRINK_TRY(brink__look_around(sim, t_limit));
  double width;
  if (brink__integrator_crossed(run->it, &width)) {
    rc = brink__arrive(sim, &step, 1);
    if (rc != BRINK_OK)
      return rc;
    BRINK_TRY(brink__log(sim, sim->t, sim->y, -1, "unguarded", BRINK_KIND_UNGUARDED, 0,
                         0, width, BRINK_SAMPLED));
    return sim->over ? BRINK_OK : BRINK_EVENT;
  }
  return brink__arrive(sim, &step, 0);
}

/* Out of memory is reported to the context; say it here as well. */
static brink_status told(brink_sim *sim, brink_status rc)
{
  if (rc < 0 && sim->err.status != rc)
    sim->err = sim->ctx->err;
  return rc;
}

static brink_status advance_once(brink_sim *sim, double t_end)
{
  if (sim->over)
    return sim->over;
  if (sim->entering) {
    brink_status rc = brink__enter(sim);
    if (rc != BRINK_OK)
      return rc;
  }
  brink_status rc = limit(sim);
  if (rc != BRINK_OK)
    return rc;
  if (sim->t < t_end && sim->t_next > t_end &&
      sim->t_next - t_end <= SAME * fabs(t_end))
    sim->t_next = t_end;
  if (sim->t >= sim->t_next && sim->t_next <= t_end)
    return timer_instant(sim);
  if (sim->t >= t_end)
    return BRINK_END;
  return one_step(sim, brink__min(t_end, sim->t_next));
}

static brink_status advance(brink_sim *sim, double t_end)
{
  sim->busy = 1;
  brink_status rc = told(sim, advance_once(sim, t_end));
  sim->busy = 0;
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

brink_status brink_sim_advance(brink_sim *sim, double t_end)
{
  BRINK_TRY(brink__sim_idle(sim));
  if (!sim->started)
    return brink__fail(&sim->err, BRINK_EARG, "start the simulation before running it");
  if (isnan(t_end))
    return brink__fail(&sim->err, BRINK_EARG, "the end of the run is not a number");
  if (t_end < sim->t && !skipped(sim, t_end))
    return brink__fail_at(
        &sim->err, BRINK_EARG, sim->t,
        "the end t = %.9g lies before the present time %.9g; to go back, "
        "use an integrator",
        t_end, sim->t);
  if (isinf(t_end) && !(sim->opt.max_steps > 0) && !(sim->opt.max_events > 0) &&
      !(sim->opt.max_seconds > 0))
    return brink__fail(
        &sim->err, BRINK_EARG,
        "an endless run needs a limit: max_steps, max_events or max_seconds");
  sim->wall_start = brink__clock();
  brink_status rc = advance(sim, t_end);
  sim->wall_spent += brink__clock() - sim->wall_start;
  return rc;
}

brink_status brink_sim_run(brink_sim *sim, double t_end)
{
  brink_status rc = brink_sim_advance(sim, t_end);

  if (rc < 0)
    return rc;
  sim->wall_start = brink__clock();
  while (rc == BRINK_OK || rc == BRINK_EVENT)
    rc = advance(sim, t_end);
  sim->wall_spent += brink__clock() - sim->wall_start;
  return rc;
}

brink_status brink_sim_finish(brink_sim *sim)
{
  BRINK_TRY(brink__sim_idle(sim));
  if (!sim->started)
    return brink__fail(&sim->err, BRINK_EARG, "there is no run to finish");
  return sim->model->ops->finish(sim->model, sim->live, sim->mode, sim->t, sim->y,
                                 &sim->err);
}
