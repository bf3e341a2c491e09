/* unilateral.c -- where the model ends: unilateral events of text models.
 *
 * A when with side = before says that f does not exist where its condition holds; a
 * variable with domain = true, that it does not exist beyond min and max.  Where a
 * guard is exactly 0, its relation may be true or false: the condition is evaluated
 * with intervals of Booleans, and holds if it does for both.
 */
#include "clause/clause.h"

brink_side brink__clause_side(const brink_model *model, const brink__live *live,
                              int mode, int k)
{
  const dae_model *m = dae_of(model);
  const clause_guard *g = &m->guards[k];

  (void)live, (void)mode;
  if (g->domain >= 0)
    return BRINK_BEFORE;
  return g->relation >= 0 ? m->flat->relations[g->relation].side : BRINK_AFTER;
}

/* Does a condition with side = before hold for certain? */
static int condition_holds(dae_live *live, const signed char *sign)
{
  const dae_model *m = live->m;
  brink__itv *w = live->work;

  for (size_t i = 0; i < m->n_symbols; i++)
    w[i] = (brink__itv){live->v[i], live->v[i]};
  for (size_t i = 0; i < m->n_relations; i++) {
    const clause_relation *r = &m->relations[i];
    if (r->guard < 0)
      continue;
    double truth = (sign[r->guard] > 0) == r->rising;
    w[r->slot] = sign[r->guard] ? (brink__itv){truth, truth} : (brink__itv){0, 1};
  }
  if (brink__tape_intervals(m->cond_tape, w, NULL) < 0)
    return 0;
  for (size_t k = 0; k < m->n_conds; k++)
    if (m->conds[k].before && w[brink__tape_slot(m->cond_tape, k)].lo > 0)
      return 1;
  return 0;
}

int brink__clause_beyond(const brink_model *model, brink__live *l, int mode,
                         const signed char *sign)
{
  dae_live *live = dae_live_of(l);
  const dae_model *m = dae_of(model);
  int conditions = 0;

  (void)mode;
  for (size_t k = 0; k < m->n_guards; k++)
    if (m->guards[k].domain >= 0 && sign[k] < 0)
      return 1;
  for (size_t k = 0; k < m->n_conds; k++)
    conditions |= m->conds[k].before;
  return conditions && condition_holds(live, sign);
}

int brink__clause_outside(const brink_model *model, brink__live *l, int mode, double t,
                          const double *y)
{
  dae_live *live = dae_live_of(l);
  const dae_model *m = dae_of(model);

  for (size_t k = 0; k < m->n_guards; k++) {
    double g = 0;
    if (brink__clause_side(model, l, mode, (int)k) == BRINK_BEFORE)
      model->ops->guard(model, l, mode, (int)k, t, y, &g);
    live->outside_sign[k] = (signed char)(g > 0 ? 1 : g < 0 ? -1 : 0);
  }
  return brink__clause_beyond(model, l, mode, live->outside_sign);
}
