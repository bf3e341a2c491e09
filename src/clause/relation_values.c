/* relation_values.c -- the values of relations and stairs at a point, from their guards
 * alone: at the start, and where a mode is entered.  At events they change as
 * event_iteration.c says.
 */
#include "clause/clause.h"

#include <math.h>

/* Is the guard that has just been evaluated as g within its rounding bound? */
static int is_zero(dae_live *live, const clause_guard *d, double g, const double *noise)
{
  double bound;

  return brink__clause_rounding(live, d, noise, &bound) && fabs(g) <= bound;
}

static double relation_value(dae_live *live, int k, double t, double g,
                             const double *noise)
{
  const clause_guard *d = &live->m->guards[k];
  const clause_relation *r = &live->m->relations[d->relation];

  if (r->idle >= 0 && is_zero(live, d, g, noise)) {
    /* counts as fired here: unchanged while the guard does not move */
    live->firing[k] = (brink__firing){.t = t, .before = g, .after = g};
    return r->idle;
  }
  if (live->branches.decided[d->relation] && (g == 0 || is_zero(live, d, g, noise)))
    return live->v[r->slot]; /* together with a loop that it decides about */
  return clause_truth(r, g);
}

int brink__clause_evaluate_relations(dae_live *live, double t,
                                     const unsigned char *skip, const double *noise)
{
  const dae_model *m = live->m;
  int changed = 0;

  for (size_t k = 0; k < m->n_guards; k++) {
    const clause_guard *d = &m->guards[k];
    if (d->domain >= 0 || (d->stair >= 0 && (int)k != m->stairs[d->stair].guard))
      continue;
    int32_t slot =
        d->relation >= 0 ? m->relations[d->relation].slot : m->stairs[d->stair].slot;
    if ((skip && skip[slot]) || brink__dae_run(live, &d->program, t, live->y) < 0)
      continue; /* no value here: the relation stays as it is */
    double g = clause_guard_value(live, d);
    double now;
    if (d->relation >= 0) {
      now = relation_value(live, (int)k, t, g, noise);
    } else {
      const clause_stair *s = &m->stairs[d->stair];
      now = clause_stair_of(s, g + clause_stair_low(s, live->v[s->slot]));
    }
    changed |= live->v[slot] != now;
    live->v[slot] = now;
  }
  for (size_t i = 0; i < m->n_timers; i++)
    if (m->timers[i].line && !(skip && skip[m->timers[i].slot]))
      changed |= brink__clause_timed_value(live, (int)i, t);
  return changed | brink__clause_evaluate_literals(live, t);
}

void brink__clause_note_slack(dae_live *live, double t, const double *error,
                              double *slack)
{
  const dae_model *m = live->m;

  for (size_t i = 0; i < m->n_relations; i++) {
    const clause_relation *r = &m->relations[i];
    double bound = 0;
    slack[r->slot] = 0;
    if (r->guard >= 0 && brink__fired_at(&live->firing[r->guard], t) &&
        brink__dae_run(live, &m->guards[r->guard].program, t, live->y) == BRINK_OK &&
        brink__clause_rounding(live, &m->guards[r->guard], error, &bound))
      slack[r->slot] = bound;
  }
}

void brink__clause_reconsider_relations(dae_live *live, double t, const double *noise,
                                        const double *error, const double *slack)
{
  const dae_model *m = live->m;

  for (size_t i = 0; i < m->n_relations; i++) {
    const clause_relation *r = &m->relations[i];
    if (r->guard < 0)
      continue;
    const clause_guard *d = &m->guards[r->guard];
    brink__firing *firing = &live->firing[r->guard];
    int fired = brink__fired_at(firing, t);
    double bound = 0;
    if (brink__dae_run(live, &d->program, t, live->y) < 0)
      continue;
    double g = clause_guard_value(live, d);
    if (!brink__clause_rounding(live, d, fired ? error : noise, &bound))
      bound = 0;
    if (g == 0 ? fired : fabs(g) <= bound + slack[r->slot])
      *firing = (brink__firing){.t = t,
                                .before = g,
                                .after = g,
                                .within = fired ? bound + slack[r->slot] : 0};
    else
      live->v[r->slot] = clause_truth(r, g);
  }
}

double brink__clause_fired_within(const brink_model *model, const brink__live *l,
                                  int mode, int k, double t)
{
  const dae_live *live = (const dae_live *)(const void *)l;
  const brink__firing *f = &live->firing[k];

  (void)model, (void)mode;
  return brink__fired_at(f, t) ? f->within : 0;
}
