/* clause_instant.c -- one instant of a text model: what the executor has located, and
 * what follows from it.
 *
 * Relations, stairs and samples that fire take their new values, event iteration
 * (event_iteration.c) finds what follows; samples end.  reinit comes last and all
 * together: what it makes due is another instant (brink__clause_enter).
 */
#include "clause/clause.h"

#include <math.h>
#include <string.h>

/* ------------------------------------------------------ what has fired --- */

/* The executor keeps the signs of guards whose change has no effect (triggers.c) to
 * itself: bring their relations, and pre() of the conditions, up to date. */
static brink_status take_signs(dae_live *live, const signed char *sign)
{
  const dae_model *m = live->m;
  int stale = 0;

  for (size_t i = 0; i < m->n_relations; i++) {
    const clause_relation *r = &m->relations[i];
    if (r->guard < 0 || !sign[r->guard] ||
        sign[r->guard] == brink__clause_frozen_sign(live, r->guard))
      continue;
    live->v[r->slot] = clause_truth(r, sign[r->guard]);
    stale = 1;
  }
  if (!stale)
    return BRINK_OK;
  BRINK_TRY(brink__tape_values(m->cond_tape, live->v, NULL));
  for (size_t k = 0; k < m->n_conds; k++)
    live->v[m->conds[k].pre] = live->v[m->conds[k].value] =
        live->v[brink__tape_slot(m->cond_tape, k)];
  return BRINK_OK;
}

/* pre() of continuous variables is their left limit. */
static brink_status left_limits(dae_live *live, double t)
{
  const dae_model *m = live->m;

  if (m->left_limits_solved)
    BRINK_TRY(brink__dae_run(live, &m->all, t, live->y));
  for (size_t i = 0; i < m->n_states; i++)
    live->v[m->state_symbol[i]] = live->y[i];
  for (size_t i = 0; i < m->n_lefts; i++)
    live->v[m->lefts[i].pre] = live->v[m->lefts[i].value];
  return BRINK_OK;
}

/* A stair changes by one, or to the value of an argument that has jumped. */
static void stair_fires(dae_live *live, const clause_stair *s, int k, int dir, double t)
{
  double g, bound, *n = &live->v[s->slot];

  if (!brink__clause_guard_at(live, k, t, live->y, &g, &bound))
    return;
  double x = g + (k == s->guard ? clause_stair_low(s, *n) : clause_stair_high(s, *n));
  *n = fabs(g) > 0.25 ? clause_stair_of(s, x) : *n + dir;
}

/* Note the value at which guard k fired, with its own relation or stair as the event
 * leaves it.  Others that fire with it are not applied yet: if they change the guard,
 * it has moved. */
static void note_hit(dae_live *live, int k, int dir, double t)
{
  const dae_model *m = live->m;
  const clause_guard *g = &m->guards[k];
  brink__firing *f = &live->firing[k];
  double bound, *v = NULL, before = 0;

  if (g->relation >= 0)
    v = &live->v[m->relations[g->relation].slot];
  else if (g->stair >= 0)
    v = &live->v[m->stairs[g->stair].slot];
  *f = (brink__firing){.t = t};
  if (!brink__clause_guard_at(live, k, t, live->y, &f->before, &bound))
    f->before = nan("");
  if (v) {
    before = *v;
    *v = g->relation >= 0 ? clause_truth(&m->relations[g->relation], dir) : *v + dir;
  }
  if (!brink__clause_guard_at(live, k, t, live->y, &f->after, &bound))
    f->after = nan("");
  if (v)
    *v = before;
}

static void apply_hits(dae_live *live, const brink__instant *inst)
{
  const dae_model *m = live->m;

  for (size_t k = 0; k < m->n_guards; k++)
    if (inst->hit[k])
      note_hit(live, (int)k, inst->hit[k], inst->t);
  for (size_t k = 0; k < m->n_guards; k++) {
    if (!inst->hit[k])
      continue;
    const clause_guard *g = &m->guards[k];
    if (g->relation >= 0) {
      const clause_relation *r = &m->relations[g->relation];
      live->v[r->slot] = clause_truth(r, inst->hit[k]);
    } else if (g->stair >= 0)
      stair_fires(live, &m->stairs[g->stair], (int)k, inst->hit[k], inst->t);
  }
}

/* The instant may lie beyond guards whose events are still to come.  Their relations
 * keep their values, as if they had fired here, until it moves them. */
static void keep_signs(dae_live *live, const brink__instant *inst)
{
  const dae_model *m = live->m;

  for (size_t i = 0; i < m->n_relations; i++) {
    const clause_relation *r = &m->relations[i];
    double g, bound;
    if (r->guard < 0 || !r->moved_by_events || inst->hit[r->guard] ||
        !inst->sign[r->guard] ||
        !brink__clause_guard_at(live, r->guard, inst->t, live->y, &g, &bound) ||
        clause_truth(r, g) == live->v[r->slot])
      continue;
    live->firing[r->guard] = (brink__firing){.t = inst->t, .before = g, .after = g};
  }
}

static void apply_timers(dae_live *live, const brink__instant *inst, int on)
{
  const dae_model *m = live->m;

  for (size_t i = 0; i < m->n_timers; i++) {
    const clause_timer *d = &m->timers[i];
    if (!inst->due[i])
      continue;
    live->ticked[i] = 1;
    if (d->kind == CLAUSE_SAMPLE) {
      live->v[d->slot] = on;
    } else if (d->line && on) {
      live->v[d->slot] = live->becomes[i];
      live->tick[i] = live->next[i];
    } else if (d->kind == CLAUSE_TERMINAL) {
      live->v[d->slot] = 1; /* from now on: nothing follows */
    }
  }
  for (size_t i = 0; on && i < m->n_timers; i++)
    if (inst->due[i] && m->timers[i].line)
      brink__clause_due_on_line(live, (int)i, inst->t);
}

/* ------------------------------------------------------------- instant --- */

/* Is this instant due to nothing but echoes of delays? */
static int only_echoes(const dae_model *m, const brink__instant *inst)
{
  for (size_t i = 0; i < m->n_timers; i++)
    if (inst->due[i] && m->timers[i].kind != CLAUSE_ECHO)
      return 0;
  return !brink__clause_any_hit(m, inst);
}

void brink__clause_begin_instant(dae_live *live)
{
  const dae_model *m = live->m;

  for (size_t i = 0; i < m->n_discretes; i++)
    live->old[i] = live->v[m->discretes[i].value];
  for (size_t i = 0; i < m->n_relations; i++)
    live->old_relation[i] = live->v[m->relations[i].slot];
  for (size_t i = 0; i < m->n_stairs; i++)
    live->old_stair[i] = live->v[m->stairs[i].slot];
  memset(live->fired, 0, m->n_branches);
  for (size_t i = 0; i < m->n_states; i++) {
    live->reinit[i] = -1;
    live->set_by[i] = NULL;
  }
}

/* The tick is over: sample() is false again. */
static brink_status samples_off(dae_live *live, brink__instant *inst, brink_err *err)
{
  const dae_model *m = live->m;
  int due = 0;

  for (size_t i = 0; i < m->n_timers; i++)
    due |= inst->due[i] && m->timers[i].kind == CLAUSE_SAMPLE;
  if (!due)
    return BRINK_OK;
  apply_timers(live, inst, 0);
  if (!m->bare_samples)
    return brink__clause_iterate(live, inst->t, inst, err);
  for (size_t k = 0; k < m->n_conds; k++)
    if (m->conds[k].bare >= 0)
      live->v[m->conds[k].pre] = live->v[m->conds[k].bare];
  return BRINK_OK;
}

/* The located state, on the constraints of a system of higher index.  What it moves by
 * is the error of the step polynomial, and no guard may fire for it: it counts as an
 * uncertainty of the state. */
static void left_on_constraints(dae_live *live, const brink__instant *inst)
{
  const dae_model *m = live->m;

  memcpy(live->y, inst->y_before, m->n * sizeof *live->y);
  if (m->projection.n == 0)
    return;
  if (brink__dae_project_left(live, inst->t, live->y) < 0)
    memcpy(live->y, inst->y_before, m->n * sizeof *live->y);
  for (size_t i = 0; i < m->n_states && inst->noise; i++)
    inst->noise[i] += fabs(live->y[i] - inst->y_before[i]) +
                      brink__dae_projected_within(
                          live->y[i], live->constants.nominal[m->state_var[i]]);
}

/* The states after the event: those that reinit has set, and those that follow. */
static brink_status restart(dae_live *live, brink__instant *inst, brink_err *err)
{
  dae_restart given = {inst->t, live->set_by, NULL, inst->rtol, inst};

  if (brink__dae_restart(live, &given, inst->y) < 0)
    return brink__fail_at(err, BRINK_EDOMAIN, inst->t, "after an event, %s",
                          brink__dae_reason(live));
  if (inst->n_jumps > 0)
    inst->classes |= BRINK_SE_S;
  return BRINK_OK;
}

/* Does the mode of a switch end here?  What its equations say with the values that the
 * event has given to discrete variables means nothing then: the next mode says where
 * the states are. */
static int leaves(const dae_live *live)
{
  const dae_model *m = live->m;
  const brink__flat *f = m->flat;
  size_t k = 0;

  for (size_t w = 0; w < f->n_whens && f->n_switches; w++)
    for (int b = 0; b < f->whens[w].n_branches; b++)
      for (int c = 0; c < f->whens[w].branches[b].n_conds; c++, k++)
        if (f->whens[w].leaves && live->v[m->conds[k].value] != 0)
          return 1;
  return 0;
}

void brink__clause_note_set(dae_live *live)
{
  const dae_model *m = live->m;

  for (size_t i = 0; i < m->n_states; i++)
    if (live->reinit[i] >= 0)
      live->set_by[i] = m->acts[live->reinit[i]].flat;
}

/* Events of several hits exclude each other: as if the instant had not begun, so that
 * they can be carried out one after the other.  What is due at a known time cannot. */
static void undo(dae_live *live, brink__instant *inst)
{
  const dae_model *m = live->m;

  for (size_t i = 0; i < m->n_timers; i++)
    if (inst->due[i])
      inst->conflict = 0;
  for (size_t i = 0; i < m->n_discretes; i++)
    live->v[m->discretes[i].value] = live->old[i];
  for (size_t i = 0; i < m->n_relations; i++)
    live->v[m->relations[i].slot] = live->old_relation[i];
  for (size_t i = 0; i < m->n_stairs; i++)
    live->v[m->stairs[i].slot] = live->old_stair[i];
  for (size_t k = 0; k < m->n_guards; k++)
    if (inst->hit[k])
      live->firing[k].t = nan("");
}

brink_status brink__clause_instant(const brink_model *model, brink__live *l,
                                   brink__instant *inst, brink_err *err)
{
  dae_live *live = dae_live_of(l);
  const dae_model *m = dae_of(model);

  brink__dae_release(live);
  left_on_constraints(live, inst);
  if (take_signs(live, inst->sign_before) < 0 || left_limits(live, inst->t) < 0)
    return brink__fail_at(err, BRINK_EDOMAIN, inst->t, "before an event, %s",
                          brink__dae_reason(live));
  brink__clause_begin_instant(live);
  if (m->n_delays)
    brink__clause_note_break(live, inst->t, !only_echoes(m, inst));
  if (inst->beyond)
    keep_signs(live, inst);
  apply_hits(live, inst);
  apply_timers(live, inst, 1);
  brink_status rc = brink__clause_iterate(live, inst->t, inst, err);
  if (rc < 0 && inst->conflict)
    undo(live, inst);
  BRINK_TRY(rc);
  BRINK_TRY(samples_off(live, inst, err));
  for (size_t i = 0; i < m->n_states; i++)
    inst->y[i] = live->reinit[i] >= 0 ? live->reinit_value[i] : live->y[i];
  inst->classes = brink__clause_classes(live, inst);
  inst->flow_changed = (inst->classes & ~(unsigned)BRINK_SE_O) || m->n_delays > 0 ||
                       (m->flat->terminal >= 0 && live->v[m->flat->terminal] != 0);
  brink__clause_note_set(live);
  int leaving = leaves(live);
  if (inst->flow_changed && !leaving)
    BRINK_TRY(restart(live, inst, err));
  for (size_t i = 0; i < m->n_states; i++)
    live->v[m->state_symbol[i]] = inst->y[i];
  if (m->projection.n && !inst->flow_changed) /* the step goes on */
    memcpy(inst->y, inst->y_before, m->n * sizeof *inst->y);
  inst->retime = 1;
  brink__clause_list_fired(live, inst);
  if (m->unilateral)
    BRINK_TRY(brink__clause_at_bounds(live, inst, err));
  brink__clause_list_silent(live, inst);
  brink__dae_anchor(live, inst->t, inst->y, inst->flow_changed);
  return leaving ? BRINK_OK : brink__clause_check_after(live, inst, err);
}
