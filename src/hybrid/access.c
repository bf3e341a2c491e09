/* access.c -- values of a simulation by name, between the calls that run it.
 *
 * What is set in the middle of a run takes effect like a jump: the guards are compared
 * with what they were before the first value was set (brink__interrupt, instant.c).
 */
#include "hybrid/sim.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* ------------------------------------------------------------------ names --- */

/* Nobody has this name: the nearest are offered. */
static brink_status unknown(brink_sim *sim, const char *name)
{
  const brink_model *m = sim->model;
  const char *best = "", *second = "";
  int nearest = INT_MAX, next = INT_MAX;

  for (size_t i = 0; i < m->n_names; i++) {
    int d = brink__distance(name, m->vars[i].name);
    if (d < nearest) {
      second = best;
      next = nearest;
      best = m->vars[i].name;
      nearest = d;
    } else if (d < next) {
      second = m->vars[i].name;
      next = d;
    }
  }
  return brink__fail(&sim->err, BRINK_ENAME,
                     "the model has no parameter or variable '%.80s'%s%.40s%s%.40s%s",
                     name, *best ? "; did you mean '" : "", best,
                     *second ? "' or '" : "", second, *best ? "'?" : "");
}

/* The index of a name, states by the names that they have in the active mode. */
static brink_status find(brink_sim *sim, const char *name, int *index)
{
  const brink__mode *mode = sim->regime->info;

  if (!name)
    return brink__fail(&sim->err, BRINK_EARG, "a value needs a name");
  *index = brink_model_find(sim->model, name);
  for (size_t i = 0; *index < 0 && sim->model->ops->steady && i < mode->n; i++)
    if (strcmp(mode->states[i], name) == 0)
      *index = (int)i;
  return *index < 0 ? unknown(sim, name) : BRINK_OK;
}

static brink_status check(brink_sim *sim, int index, double value)
{
  BRINK_TRY(brink__sim_idle(sim));
  if (index < 0 || (size_t)index >= sim->model->n_names)
    return brink__fail(&sim->err, BRINK_EARG, "there is no name number %d", index);
  if (!isfinite(value))
    return brink__fail(&sim->err, BRINK_EARG, "'%.80s' cannot be set to %g",
                       sim->model->vars[index].name, value);
  return BRINK_OK;
}

/* -------------------------------------------------------------------- set --- */

brink_status brink_sim_set_at(brink_sim *sim, int index, double value)
{
  const brink_model *m = sim->model;

  BRINK_TRY(check(sim, index, value));
  if (sim->started)
    BRINK_TRY(brink__interrupt(sim));
  return m->ops->set(m, sim->live, sim->mode, sim->t, sim->started ? sim->y : NULL,
                     (size_t)index, value, &sim->err);
}

brink_status brink_sim_set_start_at(brink_sim *sim, int index, double value)
{
  BRINK_TRY(check(sim, index, value));
  return sim->model->ops->set_start(sim->model, sim->live, (size_t)index, value,
                                    &sim->err);
}

brink_status brink_sim_set(brink_sim *sim, const char *name, double value)
{
  int index;

  BRINK_TRY(find(sim, name, &index));
  return brink_sim_set_at(sim, index, value);
}

brink_status brink_sim_set_start(brink_sim *sim, const char *name, double value)
{
  int index;

  BRINK_TRY(find(sim, name, &index));
  return brink_sim_set_start_at(sim, index, value);
}

void brink_sim_reset(brink_sim *sim) { sim->model->ops->reset(sim->model, sim->live); }

/* -------------------------------------------------------------------- get --- */

brink_status brink_sim_get_at(brink_sim *sim, int index, double *value)
{
  const brink_model *m = sim->model;

  BRINK__NEED(&sim->err, value);
  BRINK_TRY(check(sim, index, 0));
  return m->ops->get(m, sim->live, sim->mode, sim->t, sim->started ? sim->y : NULL,
                     (size_t)index, value, &sim->err);
}

brink_status brink_sim_get(brink_sim *sim, const char *name, double *value)
{
  int index;

  BRINK__NEED(&sim->err, value);
  BRINK_TRY(find(sim, name, &index));
  return brink_sim_get_at(sim, index, value);
}

/* ---------------------------------------------------------------- start --- */

size_t brink_sim_moved_starts(const brink_sim *sim) { return sim->n_moved; }

const brink_moved_start *brink_sim_moved_start(const brink_sim *sim, size_t number)
{
  return number < sim->n_moved && number < BRINK_MOVED_STARTS ? &sim->moved[number]
                                                              : NULL;
}
