/* passed_hits.c -- zeros of guards that do not cut the step: touches, crossings without
 * effect, and those that change outputs only.
 *
 * The instant of the latter is run with the state of the step polynomial, and so are
 * those of known times before the next hit; the step goes on.
 */
#include "hybrid/extended_model.h"
#include "hybrid/hits.h"

#include <math.h>

/* ------------------------------------------------------------- logging --- */

/* A touch of guard k at (t, y), where the guards have these signs; where its crossing
 * would change the law, with the rates of both. */
BRINK__APART static brink_status log_touch(brink_sim *sim, int k, double t,
                                           const double *y, const signed char *sign,
                                           int dir, double g, double width)
{
  brink_kind kind;

  BRINK_TRY(brink__touch_kind(sim, k, t, y, sign, &kind));
  brink_status rc = brink__log(sim, t, y, sim->regime->guards.info[k].name, kind, dir,
                               g, width, sim->regime->hits.certificate);
  sim->rates[0] = sim->rates[1] = nan("");
  return rc;
}

/* The hits of one kind, each at its own place: touches, and crossings without effect;
 * signs: of all guards there. */
BRINK__APART static brink_status log_hits(brink_sim *sim, const brink_step *step,
                                          const brink__group *g,
                                          const signed char *sign, brink_kind kind)
{
  brink__regime *r = sim->regime;
  double *y = brink__work_row(sim, 0);

  for (int i = g->i; i < g->end; i++) {
    const brink__hit *v = &r->hits.v[i];
    double t = brink__time_at(step, v->theta), value;
    if (v->kind != kind)
      continue;
    brink__state_at(sim, step, v->theta, y);
    BRINK_TRY(brink__guard_value(&r->guards, v->guard, t, y, &value, &sim->err));
    double width = brink__spread(&r->hits, i, i + 1, v->theta, step);
    if (kind == BRINK_KIND_TOUCH)
      BRINK_TRY(log_touch(sim, v->guard, t, y, sign, v->dir, value, width));
    else
      BRINK_TRY(brink__log(sim, t, y, r->guards.info[v->guard].name, kind, v->dir,
                           value, width, r->hits.certificate));
  }
  return BRINK_OK;
}

/* Touches that share the instant of an event: at its time. */
brink_status brink__log_touches(brink_sim *sim, double t, const brink__group *g,
                                const brink__due *due)
{
  const brink__regime *r = sim->regime;

  for (int i = g->i; i < g->end; i++) {
    const brink__hit *v = &r->hits.v[i];
    if (v->kind == BRINK_KIND_TOUCH)
      BRINK_TRY(log_touch(sim, v->guard, t, due->y, due->before, v->dir,
                          due->g[v->guard], due->width));
  }
  return BRINK_OK;
}

/* ------------------------------------------------------------- outputs --- */

/* Is this the start, or the moment after a jump, for a guard that was hit? */
int brink__hit_at_restart(const brink_sim *sim, const brink__due *due, double theta)
{
  const brink__guards *g = &sim->regime->guards;

  for (int k = 0; theta == 0 && k < g->n; k++)
    if (due->hit[k] && g->watch[k].fresh)
      return 1;
  return 0;
}

/* Publish the step from *begin to theta, which is the time t, and make the state there
 * the left limit of an instant, which changes outputs, or (level BRINK__SILENT) of
 * none.  BRINK_OK; the observer may have ended the run. */
static brink_status left_limit(brink_sim *sim, const brink_step *step, double theta,
                               double t, int level, double *begin, brink__due *due)
{
  brink__state_at(sim, step, theta, due->y);
  if (level == BRINK__OUTPUTS)
    BRINK_TRY(brink__accepted(sim, t, due->y));
  BRINK_TRY(brink__publish_step(sim, step, *begin, theta, t));
  *begin = theta;
  due->far = brink__noise_at(step, theta, 0, due->y, due->noise);
  due->kind =
      brink__hit_at_restart(sim, due, theta) ? BRINK_KIND_START : BRINK_KIND_CROSSING;
  due->at_start = 0;
  return BRINK_OK;
}

/* The group changes outputs only: run its instant and go on. */
BRINK__APART static brink_status pass_outputs(brink_sim *sim, const brink_step *step,
                                              const brink__group *g, double t,
                                              brink__due *due)
{
  brink__regime *r = sim->regime;

  for (int k = 0; k < r->guards.n; k++)
    if (due->hit[k])
      BRINK_TRY(brink__guard_value(&r->guards, k, t, due->y, &due->g[k], &sim->err));
  due->timers = t >= sim->t_next ? sim->timers_due : sim->no_timers;
  due->width = brink__spread(&r->hits, g->i, g->end, g->theta, step);
  due->certificate = r->hits.certificate;
  return brink__output_instant(sim, due, t);
}

/* Known times before t that change outputs only: their instants, in order.  One that
 * acts ends the step, or is a rounding away from the end: it comes after the step.
 * due->before are the signs there. */
brink_status brink__pass_known_times(brink_sim *sim, const brink_step *step, double t,
                                     double *begin, brink__due *due)
{
  size_t ng = (size_t)sim->regime->guards.n;

  while (sim->t_next < t && sim->t_next < sim->t_acting && !sim->ended) {
    double theta = (sim->t_next - step->t0) / step->h;
    theta = brink__min(brink__max(theta, *begin), 1);
    brink__copy_bytes(due->after, due->before, ng);
    brink__fill_bytes(due->hit, 0, ng);
    BRINK_TRY(left_limit(sim, step, theta, sim->t_next, BRINK__OUTPUTS, begin, due));
    if (sim->ended)
      break;
    due->timers = sim->timers_due;
    due->width = 0;
    due->certificate = sim->stats.certificate;
    BRINK_TRY(brink__output_instant(sim, due, sim->t_next));
  }
  return BRINK_OK;
}

/* The group does not act: record what is to be recorded of it, and the step up to
 * there.
 */
brink_status brink__pass_hits(brink_sim *sim, const brink_step *step,
                              const brink__group *g, int level, brink__due *due,
                              double *begin)
{
  const brink__hits *hits = &sim->regime->hits;
  double t = brink__instant_time(sim, step, g->theta,
                                 brink__spread(hits, g->i, g->end, g->theta, step));

  if (level == BRINK__SILENT && !sim->opt.all_relations &&
      brink__first_crossing(hits, g))
    return BRINK_OK;
  BRINK_TRY(left_limit(sim, step, g->theta, t, level, begin, due));
  if (sim->ended)
    return BRINK_OK;
  BRINK_TRY(log_hits(sim, step, g, due->before, BRINK_KIND_TOUCH));
  if (level == BRINK__OUTPUTS)
    return pass_outputs(sim, step, g, t, due);
  return sim->opt.all_relations
             ? log_hits(sim, step, g, due->before, BRINK_KIND_CROSSING)
             : BRINK_OK;
}
