/* record.c -- what a run leaves: stretches of steps and events, for the model's own
 * memory, the trace and the observer.
 */
#include "hybrid/sim.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --------------------------------------------------------------- steps --- */

/* Sentences about equations name their lines as "(line 7)". */
static int line_named(const char *text)
{
  static const char mark[] = "(line ";
  const char *at = strstr(text, mark);

  return at ? atoi(at + sizeof mark - 1) : 0;
}

brink_status brink__placed(brink_sim *sim, brink_status rc)
{
  brink_err *err = &sim->err;

  if (rc == BRINK_OK || rc == BRINK_EVENT || rc == BRINK_END || err->status != rc ||
      err->file[0] || !sim->model->file)
    return rc;
  if (err->line == 0)
    err->line = line_named(err->text);
  if (err->line > 0)
    brink__err_file(err, sim->model->file);
  return rc;
}

BRINK__COLD brink_status brink__limit_reached(brink_sim *sim, double t,
                                              const char *what, double bound)
{
  return brink__fail_at(&sim->err, BRINK_LIMIT, brink__shown(sim, t),
                        "the run ended at t = %.9g: %s = %g reached",
                        brink__shown(sim, t), what, bound);
}

/* The run ends at t, because the observer said so; it is not called again.  It may have
 * stopped because the time for the run is over. */
BRINK__COLD static void stop(brink_sim *sim, double t)
{
  if (brink_sim_expired(sim)) {
    sim->ended = brink__limit_reached(sim, t, "max_seconds", sim->opt.max_seconds);
    return;
  }
  sim->ended =
      brink__fail_at(&sim->err, BRINK_STOPPED, brink__shown(sim, t),
                     "an observer stopped the run at t = %.9g", brink__shown(sim, t));
}

brink_status brink__write_step(brink_sim *sim, const brink_step *step, double begin,
                               double end, double t_end)
{
  if (!(end > begin))
    return BRINK_OK;
  if (sim->model->remembers)
    sim->model->ops->record(sim->model, sim->live, sim->mode, step, begin, end, t_end,
                            NULL);
  brink_step shown = sim->backward ? brink__reflect_step(step) : *step;
  BRINK_TRY(brink__trace_add_step(&sim->trace, &shown, end, brink__shown(sim, t_end),
                                  sim->regime->shown));
  if (sim->observer.on_step &&
      sim->observer.on_step(&shown, begin, end, sim->regime->shown,
                            sim->observer.user) != 0)
    stop(sim, t_end);
  return BRINK_OK;
}

/* -------------------------------------------------------------- events --- */

static brink_status keep_event(brink_sim *sim, const brink_event *e, size_t at)
{
  brink_event shown = *e;

  shown.t = brink__shown(sim, e->t);
  shown.t_after = brink__shown(sim, e->t_after);
  BRINK_TRY(brink__trace_add_event(&sim->trace, &shown, at));
  if (sim->observer.on_event && !sim->ended &&
      sim->observer.on_event(&shown, sim->observer.user) != 0)
    stop(sim, e->t_after);
  return BRINK_OK;
}

brink_status brink__log(brink_sim *sim, double t, const double *y, const char *name,
                        brink_kind kind, int dir, double g, double width,
                        brink_certificate certificate)
{
  size_t n = sim->regime->info->n, at;
  brink_event e = {.t = t,
                   .t_after = t,
                   .instant = t == sim->t_instant ? sim->number : 0,
                   .name = name,
                   .index = -1,
                   .kind = kind,
                   .dir = (brink_direction)dir,
                   .silent = kind == BRINK_KIND_CROSSING,
                   .side = BRINK_NEAREST,
                   .mode_before = sim->regime->shown,
                   .mode_after = sim->regime->shown,
                   .located_by = kind == BRINK_KIND_UNGUARDED ? "defect"
                                 : kind == BRINK_KIND_FOLD    ? ""
                                                              : brink__located_by(sim),
                   .certificate = certificate,
                   .g = g,
                   .width = width,
                   .rate_before = sim->rates[0],
                   .rate_after = sim->rates[1],
                   .n_before = n,
                   .n_after = n,
                   .y_before = y,
                   .y_after = y};

  if (kind == BRINK_KIND_TOUCH || kind == BRINK_KIND_GRAZING)
    sim->stats.touches++;
  else if (!e.silent)
    sim->stats.events++;
  BRINK_TRY(brink__trace_add_states(&sim->trace, &e, &at));
  return keep_event(sim, &e, at);
}

/* Which way event `id` of `mode` went, and the guard that made it go, -1: none. */
static int edge(const brink_sim *sim, int mode, int id, const brink__due *due,
                int *guard)
{
  const brink_model *m = sim->model;
  int dir = 0;

  *guard = -1;
  if (m->ops->event_edge)
    return m->ops->event_edge(m, mode, id, due->before, due->after, due->hit, guard);
  for (int k = 0; k < brink__mode_info(sim, mode)->n_guards; k++)
    if (due->hit[k]) {
      if (dir && dir != due->hit[k])
        return 0; /* they do not agree */
      if (!dir)
        *guard = k;
      dir = due->hit[k];
    }
  return dir;
}

/* The jumps of an instant that constraints have forced. */
static brink_status record_jumps(brink_sim *sim, const brink__instant *inst,
                                 const brink_event *of, size_t at)
{
  sim->stats.impulses += inst->n_jumps > 0;
  for (int i = 0; i < inst->n_jumps; i++) {
    const brink__jump *j = &inst->jumps[i];
    brink_event e = *of;

    e.name = j->cause;
    e.index = -1;
    e.kind = BRINK_KIND_IMPULSE;
    e.side = BRINK_AFTER;
    e.located_by = "";
    e.classes = j->moves ? BRINK_SE_S : 0;
    e.variable = j->variable;
    e.g = j->size;
    sim->stats.events++;
    BRINK_TRY(keep_event(sim, &e, at));
  }
  return BRINK_OK;
}

brink_status brink__record(brink_sim *sim, const brink__instant *inst,
                           const brink__due *due)
{
  const brink_model *m = sim->model;
  size_t at;
  brink_event e = {.t = inst->t,
                   .t_after = inst->t_after,
                   .instant = inst->number,
                   .classes = inst->classes,
                   .mode_before = inst->mode,
                   .mode_after = inst->mode_after,
                   .certificate = due->certificate,
                   .width = due->width,
                   .rate_before = nan(""),
                   .rate_after = nan(""),
                   .n_before = brink__mode_info(sim, inst->mode)->n,
                   .n_after = brink__mode_info(sim, inst->mode_after)->n,
                   .y_before = inst->y_before,
                   .y_after = inst->y};

  if (inst->n_fired + inst->n_silent + inst->n_jumps == 0)
    return BRINK_OK;
  BRINK_TRY(brink__trace_add_states(&sim->trace, &e, &at));
  for (int i = 0; i < inst->n_fired + inst->n_silent; i++) {
    int id = inst->fired[i], timer = id < 0, k = -1;
    e.name = sim->names[i] ? sim->names[i]
                           : m->ops->event_name(m, sim->live, inst->mode, id);
    sim->names[i] = NULL;
    e.index = timer ? -1 - id : id;
    e.kind = timer && !due->at_start ? BRINK_KIND_TIME : due->kind;
    e.side = m->ops->event_side(m, sim->live, inst->mode, id);
    e.located_by = timer ? "" : brink__located_by(sim);
    e.dir = timer ? BRINK_BOTH : (brink_direction)edge(sim, inst->mode, id, due, &k);
    e.g = k >= 0 ? due->g[k] : 0;
    e.silent = i >= inst->n_fired;
    e.classes = e.silent ? 0 : inst->classes;
    sim->stats.events += !e.silent;
    sim->stats.time_events += timer && !e.silent;
    BRINK_TRY(keep_event(sim, &e, at));
  }
  return record_jumps(sim, inst, &e, at);
}
