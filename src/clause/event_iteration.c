/* event_iteration.c -- what happens in one instant.
 *
 * The located relations take their new values; then the event system (everything but
 * pre() and the relations is unknown) is evaluated until the relations whose guards are
 * moved by it agree with it.  Only then is pre() updated, and so on until nothing
 * changes.  reinit comes last and all together; what it makes due is another instant
 * (brink__clause_enter).
 *
 * Zero has a width.  A relation that fired here keeps the value the event gave it
 * until its guard has moved; another one changes when its guard is beyond its
 * rounding bound, or exactly 0 where the relation says what 0 means.
 */
#include "clause/clause.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { PASSES = 100 }; /* of event iteration in one instant */

/* -------------------------------------------------------------- frozen --- */

int brink__clause_frozen_sign(const dae_live *live, int k)
{
  const dae_model *m = live->m;
  const dae_guard *g = &m->guards[k];

  if (g->domain >= 0)
    return 1;
  if (g->relation < 0)
    return k == m->stairs[g->stair].guard ? 1 : -1;
  const dae_relation *r = &m->relations[g->relation];
  return (live->v[r->slot] != 0) == r->rising ? 1 : -1;
}

int brink__clause_guard_at(dae_live *live, int k, double t, const double *y, double *g,
                           double *bound)
{
  const dae_model *m = live->m;
  const dae_guard *dg = &m->guards[k];
  brink__node culprit;
  size_t root = brink__tape_n_roots(dg->last) - 1;

  if (brink__dae_run(live, &dg->program, t, y) < 0)
    return 0;
  *g = live->v[brink__tape_slot(dg->last, root)];
  *bound = 0;
  if (*g == 0)
    return 1;
  for (size_t i = 0; i < dg->program.n_states; i++) {
    int32_t s = m->state_symbol[dg->program.states[i]];
    live->delta[s] = 4 * DBL_EPSILON * fabs(live->v[s]);
  }
  if (brink__tape_noise(dg->last, live->v, live->delta, live->work, live->bound,
                        &culprit) == BRINK_OK)
    *bound = live->bound[root];
  return 1;
}

/* --------------------------------------------------------- before it ----- */

/* Relations that changed without effect since the last event are remembered as
 * signs only: bring their slots, and pre() of the conditions, up to date. */
static brink_status catch_up(dae_live *live, const signed char *sign)
{
  const dae_model *m = live->m;
  int stale = 0;

  for (size_t i = 0; i < m->n_relations; i++) {
    const dae_relation *r = &m->relations[i];
    if (r->guard < 0 || !sign[r->guard] ||
        sign[r->guard] == brink__clause_frozen_sign(live, r->guard))
      continue;
    live->v[r->slot] = dae_truth(r, sign[r->guard]);
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

/* A stair goes one step, or to wherever its argument has jumped. */
static void climb(dae_live *live, const dae_stair *s, int k, int dir, double t)
{
  double g, bound, *n = &live->v[s->slot];

  if (!brink__clause_guard_at(live, k, t, live->y, &g, &bound))
    return;
  double x = g + (k == s->guard ? dae_stair_low(s, *n) : dae_stair_high(s, *n));
  *n = fabs(g) > 0.25 ? dae_stair_of(s, x) : *n + dir;
}

/* The value of a guard at which it fired: its relation or stair as the event leaves it,
 * but no other, since what those that fire with it do to the guard moves it. */
static void note_hit(dae_live *live, int k, int dir, double t)
{
  const dae_model *m = live->m;
  const dae_guard *g = &m->guards[k];
  double bound, *v = NULL, before = 0;

  if (g->relation >= 0)
    v = &live->v[m->relations[g->relation].slot];
  else if (g->stair >= 0)
    v = &live->v[m->stairs[g->stair].slot];
  if (!brink__clause_guard_at(live, k, t, live->y, &live->hit_before[k], &bound))
    live->hit_before[k] = nan("");
  if (v) {
    before = *v;
    *v = g->relation >= 0 ? dae_truth(&m->relations[g->relation], dir) : *v + dir;
  }
  live->hit_t[k] = t;
  if (!brink__clause_guard_at(live, k, t, live->y, &live->hit_g[k], &bound))
    live->hit_g[k] = nan("");
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
    const dae_guard *g = &m->guards[k];
    if (g->relation >= 0) {
      const dae_relation *r = &m->relations[g->relation];
      live->v[r->slot] = dae_truth(r, inst->hit[k]);
    } else if (g->stair >= 0)
      climb(live, &m->stairs[g->stair], (int)k, inst->hit[k], inst->t);
  }
}

static void apply_timers(dae_live *live, const brink__instant *inst, int on)
{
  const dae_model *m = live->m;

  for (size_t i = 0; i < m->n_timers; i++) {
    if (!inst->due[i])
      continue;
    live->ticked[i] = 1;
    if (m->timers[i].sample >= 0) {
      live->v[m->flat->samples[m->timers[i].sample].slot] = on;
    } else if (on && !m->timers[i].delay) {
      live->v[m->relations[m->timers[i].relation].slot] = live->becomes[i];
      live->tick[i] = live->next[i];
    }
  }
}

/* ----------------------------------------------------------- iteration --- */

/* Has a relation that guard k reads changed in this instant? */
static int turned(const dae_live *live, int k)
{
  const dae_model *m = live->m;
  const dae_guard *g = &m->guards[k];

  for (size_t i = 0; i < m->n_relations; i++) {
    int32_t slot = m->relations[i].slot;
    if (live->v[slot] == live->old_relation[i])
      continue;
    for (size_t j = 0; j < g->n_known; j++)
      if (g->known[j] == slot)
        return 1;
  }
  return 0;
}

/* A relation whose guard discrete changes may have moved; 1 if it changes. */
static int look_again(dae_live *live, const dae_relation *r, double t)
{
  double g, bound;
  int k = r->guard;

  if (!brink__clause_guard_at(live, k, t, live->y, &g, &bound))
    return 0;
  if (live->hit_t[k] == t && g == live->hit_g[k]) {
    if (g != 0 || !turned(live, k))
      return 0;
    live->hit_t[k] = nan(""); /* exactly 0, and perhaps from another law: once more */
  }
  double now = dae_truth(r, g);
  if (now == live->v[r->slot] || (g != 0 && fabs(g) <= bound))
    return 0;
  live->v[r->slot] = now;
  return 1;
}

/* Has one of the two guards of a stair fired here, and not moved since?  Seen from the
 * step that it has left, where the guard is small and exact. */
static int stands(dae_live *live, const dae_stair *s, double t)
{
  double g, bound, *n = &live->v[s->slot], now = *n;
  int yes = 0;

  for (int k = s->guard; k <= s->guard + 1; k++) {
    if (live->hit_t[k] != t)
      continue;
    *n = k == s->guard ? now + 1 : now - 1;
    yes |= !brink__clause_guard_at(live, k, t, live->y, &g, &bound) ||
           (g == live->hit_before[k] && !(g == 0 && turned(live, k)));
    *n = now;
  }
  return yes;
}

/* A stair whose argument discrete changes may have moved; 1 if it changes.  The guard
 * that is violated tells by how much: near its zero it is exact. */
static int stair_again(dae_live *live, const dae_stair *s, double t)
{
  double g, bound, *n = &live->v[s->slot], edge = dae_stair_low(s, *n);
  int dir = -1;

  if (!brink__clause_guard_at(live, s->guard, t, live->y, &g, &bound))
    return 0;
  if (g > 0 || (g == 0 && dae_stair_of(s, edge) == *n)) {
    dir = 1;
    edge = dae_stair_high(s, *n);
    if (!brink__clause_guard_at(live, s->guard + 1, t, live->y, &g, &bound) || g < 0 ||
        (g == 0 && dae_stair_of(s, edge) == *n))
      return 0;
  }
  if ((g != 0 && fabs(g) <= bound) || stands(live, s, t))
    return 0;
  *n = fabs(g) < 0.25 ? *n + dir : dae_stair_of(s, g + edge);
  return 1;
}

/* Forwards, then backwards: one of the two is with the order in which relations
 * depend on each other. */
static int switches(dae_live *live, double t, int backwards)
{
  const dae_model *m = live->m;
  int changed = 0;

  for (size_t k = 0; k < m->n_relations; k++) {
    size_t i = backwards ? m->n_relations - 1 - k : k;
    if (m->relations[i].moved_by_events && m->relations[i].guard >= 0)
      changed |= look_again(live, &m->relations[i], t);
  }
  for (size_t i = 0; i < m->n_relations; i++)
    if (m->relations[i].moved_by_events && m->relations[i].timer >= 0)
      changed |= brink__clause_timed_relation(live, &m->relations[i], t);
  for (size_t i = 0; i < m->n_stairs; i++)
    if (m->stairs[i].moved_by_events)
      changed |= stair_again(live, &m->stairs[i], t);
  return changed;
}

/* pre() takes the new values; 1 if that is news. */
static int update_pre(dae_live *live)
{
  const dae_model *m = live->m;
  int changed = 0;

  for (size_t i = 0; i < m->n_discretes; i++) {
    const dae_discrete *d = &m->discretes[i];
    changed |= live->v[d->pre] != live->v[d->value];
    live->v[d->pre] = live->v[d->value];
  }
  for (size_t k = 0; k < m->n_conds; k++)
    live->v[m->conds[k].pre] = live->v[m->conds[k].value];
  return changed;
}

static brink_status unsettled(dae_live *live, double t, brink_err *err)
{
  const dae_model *m = live->m;
  int discrete = -1, relation = -1;

  /* one more pass shows what keeps changing */
  dae_save_relations(live);
  if (brink__dae_run(live, &m->event, t, live->y) == BRINK_OK)
    for (size_t i = 0; i < m->n_discretes && discrete < 0; i++)
      if (live->v[m->discretes[i].pre] != live->v[m->discretes[i].value])
        discrete = (int)i;
  if (discrete < 0 && switches(live, t, 0))
    relation = dae_changed_relation(live);
  brink__dae_explain_unsettled(live, "event iteration", PASSES, discrete, relation, t);
  return brink__fail_at(err, BRINK_EITERATION, t, "%s", live->reason);
}

brink_status brink__clause_iterate(dae_live *live, double t, brink__instant *inst,
                                   brink_err *err)
{
  const dae_model *m = live->m;

  for (int pass = 0; pass < PASSES; pass++) {
    if (brink__dae_run(live, &m->event, t, live->y) < 0 &&
        (!brink__clause_nudge_to_zero(live, t) ||
         brink__dae_run(live, &m->event, t, live->y) < 0))
      return brink__fail_at(err, BRINK_EDOMAIN, t, "at an event, %s",
                            brink__dae_reason(live));
    if (switches(live, t, pass % 2))
      continue; /* relations belong to what is solved together */
    BRINK_TRY(brink__clause_act(live, t, inst, err));
    if (!update_pre(live))
      return BRINK_OK;
  }
  return unsettled(live, t, err);
}

brink_status brink__clause_initial_actions(dae_live *live, double t, brink_err *err)
{
  BRINK_TRY(brink__clause_act(live, t, NULL, err));
  update_pre(live);
  return BRINK_OK;
}

/* ------------------------------------------------------------- instant --- */

/* Is this instant due to nothing but echoes of delays? */
static int only_echoes(const dae_model *m, const brink__instant *inst)
{
  for (size_t i = 0; i < m->n_timers; i++)
    if (inst->due[i] && !m->timers[i].delay)
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
  for (size_t i = 0; i < m->n_states; i++)
    live->reinit[i] = -1;
}

/* The tick is over: sample() is false again. */
static brink_status samples_off(dae_live *live, brink__instant *inst, brink_err *err)
{
  const dae_model *m = live->m;
  int due = 0;

  for (size_t i = 0; i < m->n_timers; i++)
    due |= inst->due[i] && m->timers[i].sample >= 0;
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

brink_status brink__clause_instant(const brink_model *model, brink__live *l,
                                   brink__instant *inst, brink_err *err)
{
  dae_live *live = dae_live_of(l);
  const dae_model *m = dae_of(model);

  memcpy(live->y, inst->y_before, m->n * sizeof *live->y);
  if (catch_up(live, inst->sign_before) < 0 || left_limits(live, inst->t) < 0)
    return brink__fail_at(err, BRINK_EDOMAIN, inst->t, "before an event, %s",
                          brink__dae_reason(live));
  brink__clause_begin_instant(live);
  if (m->n_delays)
    brink__clause_note_break(live, inst->t, !only_echoes(m, inst));
  apply_hits(live, inst);
  apply_timers(live, inst, 1);
  BRINK_TRY(brink__clause_iterate(live, inst->t, inst, err));
  BRINK_TRY(samples_off(live, inst, err));
  for (size_t i = 0; i < m->n_states; i++)
    inst->y[i] = live->reinit[i] >= 0 ? live->reinit_value[i] : live->y[i];
  for (size_t i = 0; i < m->n_states; i++)
    live->v[m->state_symbol[i]] = inst->y[i];
  inst->classes = brink__clause_classes(live, inst);
  inst->retime = 1;
  brink__clause_list_fired(live, inst);
  if (m->unilateral)
    BRINK_TRY(brink__clause_at_bounds(live, inst, err));
  brink__clause_list_silent(live, inst);
  return brink__clause_check_after(live, inst, err);
}

brink_status brink__clause_terminal(const brink_model *model, brink__live *l, int mode,
                                    double t, const double *y, brink_err *err)
{
  dae_live *live = dae_live_of(l);
  const dae_model *m = dae_of(model);

  (void)mode;
  if (m->flat->terminal < 0)
    return BRINK_OK;
  memcpy(live->y, y, m->n * sizeof *y);
  if (left_limits(live, t) < 0)
    return brink__fail_at(err, BRINK_EDOMAIN, t, "at the end, %s",
                          brink__dae_reason(live));
  brink__clause_begin_instant(live);
  live->v[m->flat->terminal] = 1;
  brink_status rc = brink__clause_iterate(live, t, NULL, err);
  live->v[m->flat->terminal] = 0;
  return rc < 0 ? rc : brink__clause_check(live, t, y, err);
}

/* --------------------------------------------------------------- enter --- */

/* A bound of a stair, reached exactly: does it belong to the next step? */
static int stair_leaves(dae_live *live, int k, double t)
{
  const dae_model *m = live->m;

  if (m->guards[k].stair < 0)
    return 0;
  const dae_stair *s = &m->stairs[m->guards[k].stair];
  double n = live->v[s->slot];
  double x = k == s->guard ? dae_stair_low(s, n) : dae_stair_high(s, n);
  return dae_stair_of(s, x) != n && !stands(live, s, t);
}

/* An event is at the nearest number, which may be before the zero: has a stair that
 * has fired arrived in its step a rounding later? */
static int stair_arrives(dae_live *live, int k, double t, int sign)
{
  const dae_model *m = live->m;
  double g, bound, later = t + 2 * DBL_EPSILON * fabs(t);

  return m->guards[k].stair >= 0 && later > t &&
         stands(live, &m->stairs[m->guards[k].stair], t) &&
         brink__clause_guard_at(live, k, later, live->y, &g, &bound) && g * sign >= 0;
}

int brink__clause_enter(const brink_model *model, brink__live *l, int mode, double t,
                        const double *g, const signed char *old_sign, signed char *sign,
                        signed char *hit, brink_err *err)
{
  dae_live *live = dae_live_of(l);
  const dae_model *m = dae_of(model);
  int n = 0;

  (void)old_sign, (void)err;
  for (size_t k = 0; k < m->n_guards; k++) {
    int frozen = brink__clause_frozen_sign(live, (int)k), stays = live->hit_t[k] == t;
    const dae_relation *r =
        m->guards[k].relation < 0 ? NULL : &m->relations[m->guards[k].relation];
    live->enter_sign[k] = (signed char)frozen;
    hit[k] = 0;
    if (g[k] == 0 && (r ? !stays && r->true_at_zero != (int)live->v[r->slot]
                        : stair_leaves(live, (int)k, t)))
      sign[k] = (signed char)-frozen; /* exactly 0: the relation says what that is */
    else if (sign[k] == 0 || (stays && g[k] == live->hit_g[k]) ||
             (sign[k] != frozen && stair_arrives(live, (int)k, t, frozen)))
      sign[k] = (signed char)frozen;
  }
  for (size_t k = 0; k < m->n_guards; k++)
    if (sign[k] != live->enter_sign[k]) {
      hit[k] = sign[k];
      n++;
    }
  return brink__clause_triggers(model, l, mode, live->enter_sign, sign) == BRINK__ACTS
             ? n
             : 0;
}
