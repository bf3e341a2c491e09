/* instant_report.c -- what the executor records of an instant: its classes [BEHK12, 2],
 * the whens, relations and timers that made it, and those that changed without effect.
 */
#include "clause/clause.h"

#include <stdio.h>
#include <string.h>

int brink__clause_any_hit(const dae_model *m, const brink__instant *inst)
{
  for (size_t k = 0; k < m->n_guards; k++)
    if (inst->hit[k])
      return 1;
  return 0;
}

/* Did the branch fire because of a timer, and not of a guard? */
static int by_timer(const dae_model *m, const brink__instant *inst, size_t b)
{
  const dae_branch *br = &m->branches[b];
  int timer = 0;

  for (int k = br->first_cond; k < br->first_cond + br->n_conds; k++) {
    const dae_cond *c = &m->conds[k];
    for (size_t i = 0; i < m->n_relations; i++)
      if (m->relations[i].guard >= 0 && inst->hit[m->relations[i].guard] &&
          clause_has(c->behind, c->n_behind, m->relations[i].slot))
        return 0;
    for (size_t i = 0; i < m->n_timers; i++)
      timer |= inst->due[i] && m->timers[i].slot >= 0 &&
               clause_has(c->behind, c->n_behind, m->timers[i].slot);
  }
  return timer || !brink__clause_any_hit(m, inst);
}

/* Is a change of the variable a change of an output?  A hidden Boolean that the front
 * door adds for the whens of an algorithm is none: what those whens set is. */
static int is_output(const dae_model *m, const dae_discrete *d)
{
  return d->uses & (DAE_IN_FLOW | DAE_IN_REAL_EQUATION) || d->var < 0 ||
         !m->flat->vars[d->var].hidden;
}

/* Which classes, judging by what is different. */
unsigned brink__clause_classes(const dae_live *live, const brink__instant *inst)
{
  const dae_model *m = live->m;
  unsigned classes = 0;

  for (size_t i = 0; i < m->n_discretes; i++)
    if (live->v[m->discretes[i].value] != live->old[i] &&
        is_output(m, &m->discretes[i]))
      classes |= m->discretes[i].uses & DAE_IN_FLOW ? BRINK_SE_P : BRINK_SE_O;
  for (size_t i = 0; i < m->n_relations; i++)
    if (live->v[m->relations[i].slot] != live->old_relation[i] &&
        (m->relations[i].uses & DAE_IN_REAL_EQUATION))
      classes |= m->relations[i].uses & DAE_IN_FLOW ? BRINK_SE_D : BRINK_SE_O;
  for (size_t i = 0; i < m->n_stairs; i++)
    if (m->stairs[i].uses && live->v[m->stairs[i].slot] != live->old_stair[i])
      classes |= m->stairs[i].uses & DAE_IN_FLOW ? BRINK_SE_D : BRINK_SE_O;
  for (size_t i = 0; i < m->n_timers; i++)
    if (inst->due[i] && (m->timers[i].uses & DAE_IN_REAL_EQUATION)) /* terminal() */
      classes |= m->timers[i].uses & DAE_IN_FLOW ? BRINK_SE_D : BRINK_SE_O;
  for (size_t i = 0; i < m->n_states; i++)
    if (inst->y[i] != live->y[i])
      classes |= BRINK_SE_S;
  return classes;
}

/* Marks of relations, stairs, samples and terminal(); those that make no events have
 * none. */
enum { CHANGED = 1, LISTED };

/* Is it true because it is due? */
static int is_pulse(const clause_timer *d)
{
  return d->kind == CLAUSE_SAMPLE || d->kind == CLAUSE_TERMINAL;
}

static void mark_changes(dae_live *live, const brink__instant *inst)
{
  const dae_model *m = live->m;

  memset(live->mark, 0, m->n_symbols);
  for (size_t i = 0; i < m->n_relations; i++)
    live->mark[m->relations[i].slot] =
        m->relations[i].uses && live->v[m->relations[i].slot] != live->old_relation[i];
  for (size_t i = 0; i < m->n_stairs; i++)
    live->mark[m->stairs[i].slot] =
        m->stairs[i].uses && live->v[m->stairs[i].slot] != live->old_stair[i];
  for (size_t i = 0; i < m->n_timers; i++)
    if (inst->due[i] && is_pulse(&m->timers[i]))
      live->mark[m->timers[i].slot] = CHANGED;
}

/* Is the branch listed?  Several consequences of one zero are one event: it is if
 * something that it depends on has changed and belongs to no branch before it, or if
 * nothing has changed. */
static int is_listed(dae_live *live, const dae_branch *b)
{
  const dae_model *m = live->m;
  int changed = 0, unlisted = 0;

  for (int k = b->first_cond; k < b->first_cond + b->n_conds; k++)
    for (size_t i = 0; i < m->conds[k].n_behind; i++) {
      unsigned char *mark = &live->mark[m->conds[k].behind[i]];
      changed |= *mark != 0;
      unlisted |= *mark == CHANGED;
      *mark = *mark ? LISTED : 0;
    }
  return unlisted || !changed;
}

/* The whens that fired, and the relations, stairs and samples that changed something
 * without a when. */
void brink__clause_list_fired(dae_live *live, brink__instant *inst)
{
  const dae_model *m = live->m;
  int nb = (int)m->n_branches, changed = inst->classes != 0;

  mark_changes(live, inst);
  for (size_t b = 0; b < m->n_branches; b++)
    if (live->fired[b] && is_listed(live, &m->branches[b]))
      inst->fired[inst->n_fired++] =
          by_timer(m, inst, b) ? -1 - ((int)m->n_timers + (int)b) : (int)b;
  for (size_t i = 0; i < m->n_relations; i++) {
    const clause_relation *r = &m->relations[i];
    if (live->mark[r->slot] != CHANGED ||
        !((r->uses & DAE_IN_REAL_EQUATION) ||
          ((r->uses & (DAE_IN_EQUATION | DAE_IN_DISCRETE)) && changed)))
      continue;
    inst->fired[inst->n_fired++] = r->timer >= 0 ? -1 - r->timer : nb + (int)i;
    live->mark[r->slot] = LISTED;
  }
  for (size_t i = 0; i < m->n_stairs; i++)
    if (live->mark[m->stairs[i].slot] == CHANGED)
      inst->fired[inst->n_fired++] = m->stairs[i].timer >= 0
                                         ? -1 - m->stairs[i].timer
                                         : nb + (int)m->n_relations + (int)i;
  for (size_t i = 0; i < m->n_timers; i++)
    if (is_pulse(&m->timers[i]) && changed && live->mark[m->timers[i].slot] == CHANGED)
      inst->fired[inst->n_fired++] = -1 - (int)i;
}

/* Relations that changed without effect. */
void brink__clause_list_silent(dae_live *live, brink__instant *inst)
{
  const dae_model *m = live->m;

  for (size_t i = 0; i < m->n_relations && inst->verbose; i++) {
    const clause_relation *r = &m->relations[i];
    if (live->mark[r->slot] == CHANGED)
      inst->fired[inst->n_fired + inst->n_silent++] =
          r->timer >= 0 ? -1 - r->timer : (int)(m->n_branches + i);
  }
}

/* A start, or a jump, beyond a bound. */
static brink_status beyond(dae_live *live, const brink__instant *inst, size_t k,
                           brink_err *err)
{
  const clause_guard *d = &live->m->guards[k];
  const brink__flat_var *v = &live->m->flat->vars[d->domain];
  double g, bound;

  if (!inst->at_restart ||
      !brink__clause_guard_at(live, (int)k, inst->t, inst->y, &g, &bound) ||
      g >= -bound)
    return BRINK_OK;
  double value = live->v[v->value];
  return brink__fail_at(
      err, BRINK_EDOMAIN, inst->t,
      "'%s' (line %d) is %.9g at t = %.9g, %s %.9g: the model does not exist there",
      v->name, v->at.line, value, inst->t, d->upper ? "above its max" : "below its min",
      d->upper ? value + g : value - g);
}

brink_status brink__clause_at_bounds(dae_live *live, brink__instant *inst,
                                     brink_err *err)
{
  const dae_model *m = live->m;
  int acted = 0;

  for (size_t b = 0; b < m->n_branches; b++)
    acted |= live->fired[b];
  for (size_t k = 0; k < m->n_guards; k++) {
    int var = m->guards[k].domain;
    if (var < 0 || !inst->hit[k] || acted)
      continue;
    BRINK_TRY(beyond(live, inst, k, err));
    inst->fired[inst->n_fired++] =
        (int)(m->n_branches + m->n_relations + m->n_stairs + k);
    inst->stop = 1;
    if (!inst->message) {
      snprintf(live->reason, sizeof live->reason,
               "'%s' (line %d) has come to the end of its domain at %.9g",
               m->flat->vars[var].name, m->flat->vars[var].at.line,
               live->v[m->flat->vars[var].value]);
      inst->message = live->reason;
    }
  }
  return BRINK_OK;
}

/* Relations and stairs back to what they were. */
static void restore(dae_live *live)
{
  const dae_model *m = live->m;

  for (size_t i = 0; i < m->n_relations; i++)
    live->v[m->relations[i].slot] = live->old_relation[i];
  for (size_t i = 0; i < m->n_stairs; i++)
    live->v[m->stairs[i].slot] = live->old_stair[i];
}

brink_status brink__clause_check_after(dae_live *live, const brink__instant *inst,
                                       brink_err *err)
{
  const dae_model *m = live->m;
  int moved = 0;

  for (size_t i = 0; i < m->n_states; i++)
    moved |= live->reinit[i] >= 0;
  if (!moved || m->n_asserts == 0)
    return brink__clause_check(live, inst->t, inst->y, err);
  for (size_t i = 0; i < m->n_relations; i++)
    live->old_relation[i] = live->v[m->relations[i].slot];
  for (size_t i = 0; i < m->n_stairs; i++)
    live->old_stair[i] = live->v[m->stairs[i].slot];
  memcpy(live->y, inst->y, m->n * sizeof *live->y);
  brink__clause_evaluate_relations(live, inst->t, NULL, NULL);
  brink_status rc = brink__clause_check(live, inst->t, inst->y, err);
  restore(live);
  return rc;
}
