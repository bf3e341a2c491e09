/* chattering.c -- instants follow each other at one time, and the bound is reached.
 *
 * Three things look alike: two modes that took turns in ever shorter times have come to
 * the accumulation point of their events (Zeno); a law drives the state back to a guard
 * from either side of it, so that its event repeats itself (sliding, chattering); or
 * events make each other due in a circle.  The dwell times tell the first, the values
 * of the guards the second.
 */
#include "hybrid/policies.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A guard below this part of its recent size is taken to be on its zero: far above the
 * error of location, far below what a jump away from the zero leaves. */
static const double ON_ZERO = 1e-3;

/* One more name in a list; the same again is left out. */
static void add_name(char *names, size_t size, const char *name)
{
  size_t used = strlen(names);

  if (!strstr(names, name))
    snprintf(names + used, size - used, "%s'%s'", used ? ", " : "", name);
}

/* What fires at the end of the chain; or, if nothing does, which guards change, or
 * which known times are due again. */
static void name_all(const brink_sim *sim, const brink__instant *inst,
                     const brink__due *due, char *names, size_t size)
{
  const brink_model *m = sim->model;
  const brink__guards *g = &sim->regime->guards;

  names[0] = 0;
  for (int i = 0; i < inst->n_fired; i++)
    add_name(names, size, m->ops->event_name(m, sim->live, inst->mode, inst->fired[i]));
  for (int k = 0; k < g->n && !inst->n_fired; k++)
    if (due->hit[k])
      add_name(names, size, g->info[k].name);
  for (int i = 0; i < m->n_timers && !names[0]; i++)
    if (due->timers[i])
      add_name(names, size, m->ops->event_name(m, sim->live, inst->mode, -1 - i));
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
    brink__fail_at(&out->why, BRINK_EITERATION, brink__shown(sim, sim->t),
                   "the solution slides or chatters from t = %.15g on: from either "
                   "side of %s it is driven back to the other; give the switch a "
                   "hysteresis, or a law for what follows",
                   brink__shown(sim, sim->t), names);
    return;
  }
  brink__fail_at(
      &out->why, BRINK_EITERATION, brink__shown(sim, sim->t),
      "%d instants at t = %.15g and still events are due (%s%s): they "
      "repeat each other, or accumulate (Zeno); where a condition depends on "
      "what its own event sets, use pre() of that or leave a margin; for a "
      "long row of impacts raise max_iterations",
      sim->number + 1, brink__shown(sim, sim->t), names, where);
}
