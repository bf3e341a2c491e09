/* chattering.c -- instants follow each other at one time, and the bound is reached.
 *
 * Three things look alike: two modes that took turns in ever shorter times have come to
 * the accumulation point of their events (Zeno); a law drives the state back to a guard
 * from either side of it, so that its event repeats itself (sliding, chattering); or
 * events make each other due in a circle.  The dwell times tell the first, the values
 * of the guards the second.
 */
#include "hybrid/sim.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A guard below this part of its recent size is taken to be on its zero: far above the
 * error of location, far below what a jump away from the zero leaves. */
static const double ON_ZERO = 1e-3;

/* What fires at the end of the chain; or, if nothing does, which guards change. */
static void name_all(const brink_sim *sim, const brink__instant *inst,
                     const brink__due *due, char *names, size_t size)
{
  const brink__guards *g = &sim->regime->guards;
  const char *last = "";
  int n = inst->n_fired ? inst->n_fired : g->n;

  names[0] = 0;
  for (int i = 0; i < n; i++) {
    if (!inst->n_fired && !due->hit[i])
      continue;
    const char *name = inst->n_fired
                           ? sim->model->ops->event_name(sim->model, sim->live,
                                                         inst->mode, inst->fired[i])
                           : g->info[i].name;
    size_t used = strlen(names);
    if (strcmp(name, last) != 0)
      snprintf(names + used, size - used, "%s'%s'", used ? ", " : "", name);
    last = name;
  }
}

/* Is a guard that is due on its zero, as far as is known?  If not, nothing slides along
 * it. */
static int on_a_zero(const brink_sim *sim, const brink__due *due)
{
  const brink__guards *g = &sim->regime->guards;
  int any = 0;

  for (int k = 0; k < g->n; k++) {
    double scale = g->watch[k].scale;
    any |= due->hit[k];
    if (due->hit[k] && (!(scale > 0) || fabs(due->g[k]) < ON_ZERO * scale))
      return 1;
  }
  return !any;
}

/* Two modes that took turns in ever shorter times, and now without time moving on. */
static int alternate(const brink_sim *sim, const brink__instant *inst)
{
  return inst->mode_after != inst->mode && inst->n_fired > 0 &&
         brink__dwell_shrinks(&brink__regime_find(sim, inst->mode)->dwell) &&
         brink__dwell_shrinks(&sim->regime->dwell);
}

BRINK__COLD void brink__chattering(const brink_sim *sim, const brink__instant *inst,
                                   const brink__due *due, int hit, brink__verdict *out)
{
  const brink__mode *before = brink__mode_info(sim, inst->mode);
  char names[100], where[120] = "";

  out->kind = BRINK_KIND_LOOP;
  out->guard = -1;
  if (alternate(sim, inst)) {
    brink__zeno(sim,
                sim->model->ops->event_name(sim->model, sim->live, inst->mode,
                                            inst->fired[inst->n_fired - 1]),
                out);
    return;
  }
  name_all(sim, inst, due, names, sizeof names);
  if (!names[0] && hit >= 0)
    snprintf(names, sizeof names, "'%s'", before->guards[hit].name);
  if (inst->mode_after != inst->mode)
    snprintf(where, sizeof where, ", %.50s -> %.50s", before->name,
             sim->regime->info->name);
  else if (inst->n_fired && !(inst->classes & BRINK_SE_S) && on_a_zero(sim, due)) {
    out->kind = BRINK_KIND_SLIDE_IN;
    brink__fail_at(&out->why, BRINK_EITERATION,
                   brink__shown(sim, brink__shown(sim, sim->t)),
                   "the solution slides or chatters from t = %.15g on: from either "
                   "side of %s it is driven back to the other; give the switch a "
                   "hysteresis, or a law for what follows",
                   brink__shown(sim, brink__shown(sim, sim->t)), names);
    return;
  }
  brink__fail_at(
      &out->why, BRINK_EITERATION, brink__shown(sim, brink__shown(sim, sim->t)),
      "%d instants at t = %.15g and still events are due (%s%s): they "
      "repeat each other, or accumulate (Zeno); see max_iterations",
      sim->number + 1, brink__shown(sim, brink__shown(sim, sim->t)), names, where);
}
