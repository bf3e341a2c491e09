/* triggers.c -- does a change of signs matter?
 *
 * A guard that changes its sign is an event if an equation depends on its relation, if
 * a condition becomes true by it, or if a discrete equation changes its variable by it.
 * Else the executor only keeps the sign, and the relation follows at the next event
 * (clause_instant.c).
 */
#include "clause/clause.h"

/* Give the relations the values of these signs. */
static void take_signs(dae_live *live, const signed char *sign)
{
  const dae_model *m = live->m;

  for (size_t i = 0; i < m->n_relations; i++) {
    const clause_relation *r = &m->relations[i];
    if (r->guard >= 0 && sign[r->guard])
      live->v[r->slot] = clause_truth(r, sign[r->guard]);
  }
}

/* Has a relation changed in a condition that also reads moving values?  Whether that
 * becomes true cannot be said from the signs. */
static int reads_moving_changed(const dae_live *live, const signed char *before,
                                const signed char *after)
{
  const dae_model *m = live->m;

  for (size_t i = 0; i < m->n_relations; i++) {
    const clause_relation *r = &m->relations[i];
    if (r->guard < 0 || before[r->guard] == after[r->guard])
      continue;
    for (size_t k = 0; k < m->n_conds; k++)
      if (m->conds[k].reads_moving &&
          clause_has(m->conds[k].frozen, m->conds[k].n_frozen, r->slot))
        return 1;
  }
  return 0;
}

/* Does some condition become true? */
static int rises(dae_live *live, const signed char *before, const signed char *after)
{
  const dae_model *m = live->m;
  int found = 0;

  if (reads_moving_changed(live, before, after))
    return 1;
  clause_save_relations(live);
  take_signs(live, before);
  if (brink__tape_values(m->cond_tape, live->v, NULL) < 0)
    found = 1;
  for (size_t k = 0; k < m->n_conds && !found; k++)
    live->cond[k] = live->v[brink__tape_slot(m->cond_tape, k)];
  take_signs(live, after);
  if (!found && brink__tape_values(m->cond_tape, live->v, NULL) < 0)
    found = 1;
  for (size_t k = 0; k < m->n_conds && !found; k++)
    found = live->cond[k] == 0 && live->v[brink__tape_slot(m->cond_tape, k)] != 0;
  clause_restore_relations(live);
  return found;
}

/* Does a discrete equation change its variable? */
static int moves_discrete(dae_live *live, const signed char *after)
{
  const dae_model *m = live->m;
  int moved = 0;

  if (!m->discrete_tape)
    return 1;
  clause_save_relations(live);
  for (size_t i = 0; i < m->n_discretes; i++)
    live->old[i] = live->v[m->discretes[i].value];
  take_signs(live, after);
  moved = brink__tape_values(m->discrete_tape, live->v, NULL) < 0;
  for (size_t i = 0; i < m->n_discretes; i++) {
    moved |= live->v[m->discretes[i].value] != live->old[i];
    live->v[m->discretes[i].value] = live->old[i];
  }
  clause_restore_relations(live);
  return moved;
}

/* Can the guards that change do no more than change outputs? */
static int output_only(const dae_model *m, const signed char *before,
                       const signed char *after)
{
  for (size_t k = 0; k < m->n_guards; k++) {
    const clause_guard *g = &m->guards[k];
    if (before[k] != after[k] && after[k] != 0 &&
        (g->relation < 0 || !m->relations[g->relation].output_only))
      return 0;
  }
  return 1;
}

static int has_effect(dae_live *live, const signed char *before,
                      const signed char *after)
{
  const dae_model *m = live->m;
  int composite = 0, discrete = 0;

  for (size_t k = 0; k < m->n_guards; k++) {
    if (before[k] == after[k] || after[k] == 0)
      continue;
    if (m->guards[k].relation < 0)
      return 1;
    const clause_relation *r = &m->relations[m->guards[k].relation];
    int becomes_true = (r->uses & DAE_IN_BARE) && clause_truth(r, after[k]) != 0;
    if ((r->uses & DAE_IN_EQUATION) || becomes_true)
      return 1;
    composite |= (r->uses & DAE_IN_CONDITION) != 0;
    discrete |= (r->uses & DAE_IN_DISCRETE) != 0;
  }
  return (discrete && moves_discrete(live, after)) ||
         (composite && rises(live, before, after));
}

int brink__clause_triggers(const brink_model *model, brink__live *l, int mode,
                           const signed char *before, const signed char *after)
{
  (void)mode;
  if (!has_effect(dae_live_of(l), before, after))
    return BRINK__SILENT;
  return output_only(dae_of(model), before, after) ? BRINK__OUTPUTS : BRINK__ACTS;
}
