/* event_iteration.c -- event iteration: relations, discrete variables and whens that
 * agree with each other at one time.
 *
 * The event system (everything but pre() and the relations is unknown) is evaluated
 * until the relations whose guards it moves agree with it.  Only then does pre() take
 * the new values, and so on until nothing changes.
 *
 * Zero has a width.  A relation that fired here keeps the value the event gave it
 * until its guard has moved; another one changes when its guard is beyond its
 * rounding bound, or exactly 0 where the relation says what 0 means.
 */
#include "clause/clause.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
  PASSES = 100, /* of event iteration in one instant                                 */
  FLIPS = 4 /* passes in a row in which relations change, before those that depend on
               what they decide are searched together (branch_search.c)          */
};

/* -------------------------------------------------------------- frozen --- */

int brink__clause_frozen_sign(const dae_live *live, int k)
{
  const dae_model *m = live->m;
  const clause_guard *g = &m->guards[k];

  if (g->domain >= 0)
    return 1;
  if (g->relation < 0)
    return k == m->stairs[g->stair].guard ? 1 : -1;
  const clause_relation *r = &m->relations[g->relation];
  return (live->v[r->slot] != 0) == r->rising ? 1 : -1;
}

int brink__clause_guard_at(dae_live *live, int k, double t, const double *y, double *g,
                           double *bound)
{
  const clause_guard *dg = &live->m->guards[k];

  if (brink__dae_run(live, &dg->program, t, y) < 0)
    return 0;
  *g = clause_guard_value(live, dg);
  *bound = 0;
  if (*g != 0 && !brink__clause_rounding(live, dg, NULL, bound))
    *bound = 0;
  return 1;
}

/* ----------------------------------------------------------- iteration --- */

/* Has a relation that guard k reads changed in this instant? */
static int reads_changed(const dae_live *live, int k)
{
  const dae_model *m = live->m;
  const clause_guard *g = &m->guards[k];

  for (size_t i = 0; i < m->n_relations; i++)
    if (live->v[m->relations[i].slot] != live->old_relation[i] &&
        clause_has(g->known, g->n_known, m->relations[i].slot))
      return 1;
  return 0;
}

/* Was the relation decided together with what it decides about, or has it fired?  Then
 * it keeps its value on the zero as well, which either side may be on: the other value
 * may have no solution there, and a zero that the equations come to is rounding. */
static int holds_zero(const dae_live *live, const clause_relation *r, double t)
{
  return r->coupled && (live->branches.decided[r - live->m->relations] ||
                        brink__fired_at(&live->firing[r->guard], t));
}

/* Does the branch that a relation has just opened push its guard back from its zero?
 * sign(v) behind v = (F - sign(v))/d does, as long as |F| < 1: neither value agrees
 * with the equations.  A guard that is not on its zero yet, where its event was located
 * no better, says nothing: at a kink it is as far off behind it. */
static int closes_again(const dae_live *live, const clause_relation *r, double bound)
{
  const brink__firing *f = &live->firing[r->guard];

  return r->coupled && clause_truth(r, f->after) != live->v[r->slot] &&
         fabs(f->before) <= bound && fabs(f->after) > fabs(f->before) + bound;
}

/* Evaluate a relation whose guard this instant may have changed; 1 if the relation
 * changes. */
static int relation_again(dae_live *live, const clause_relation *r, double t)
{
  double g, bound;
  int k = r->guard;

  if (!brink__clause_guard_at(live, k, t, live->y, &g, &bound))
    return 0;
  if (brink__fired_unmoved(&live->firing[k], t, g) && !closes_again(live, r, bound)) {
    if (g != 0 || r->coupled || !reads_changed(live, k))
      return 0;
    live->firing[k].t = nan(""); /* 0 by other equations: it may fire again */
  }
  double now = clause_truth(r, g);
  if (now == live->v[r->slot] ||
      (fabs(g) <= bound && (g != 0 || holds_zero(live, r, t))))
    return 0;
  if (g != 0 && brink__fired_at(&live->firing[k], t) &&
      brink__clause_within_event(live, r, t)) {
    live->firing[k].after = g;
    return 0;
  }
  live->branches.closed |= brink__fired_unmoved(&live->firing[k], t, g);
  live->v[r->slot] = now;
  return 1;
}

/* Has one of the two guards of a stair fired at t, and not moved since?  It is
 * evaluated with the value that the stair had before: there the guard is small and has
 * no rounding error. */
static int fired_and_unmoved(dae_live *live, const clause_stair *s, double t)
{
  double g, bound, *n = &live->v[s->slot], now = *n;
  int yes = 0;

  for (int k = s->guard; k <= s->guard + 1; k++) {
    if (!brink__fired_at(&live->firing[k], t))
      continue;
    *n = k == s->guard ? now + 1 : now - 1;
    yes |= !brink__clause_guard_at(live, k, t, live->y, &g, &bound) ||
           (g == live->firing[k].before && !(g == 0 && reads_changed(live, k)));
    *n = now;
  }
  return yes;
}

/* Evaluate a stair whose argument this instant may have changed; 1 if it changes.  The
 * guard that is violated says by how much: near its zero it has no rounding error. */
static int stair_again(dae_live *live, const clause_stair *s, double t)
{
  double g, bound, *n = &live->v[s->slot], edge = clause_stair_low(s, *n);
  int dir = -1;

  if (!brink__clause_guard_at(live, s->guard, t, live->y, &g, &bound))
    return 0;
  if (g > 0 || (g == 0 && clause_stair_of(s, edge) == *n)) {
    dir = 1;
    edge = clause_stair_high(s, *n);
    if (!brink__clause_guard_at(live, s->guard + 1, t, live->y, &g, &bound) || g < 0 ||
        (g == 0 && clause_stair_of(s, edge) == *n))
      return 0;
  }
  if ((g != 0 && fabs(g) <= bound) || fired_and_unmoved(live, s, t))
    return 0;
  *n = fabs(g) < 0.25 ? *n + dir : clause_stair_of(s, g + edge);
  return 1;
}

/* Evaluate all relations and stairs that this instant may have changed; 1 if one
 * changes.  Passes go forwards and backwards in turn: one of both is in the order in
 * which relations depend on each other, and then needs one pass for all. */
static int relations_again(dae_live *live, double t, int backwards)
{
  const dae_model *m = live->m;
  int changed = 0;

  for (size_t k = 0; k < m->n_relations; k++) {
    size_t i = backwards ? m->n_relations - 1 - k : k;
    if (m->relations[i].moved_by_events && m->relations[i].guard >= 0)
      changed |= relation_again(live, &m->relations[i], t);
  }
  for (size_t i = 0; i < m->n_relations; i++)
    if (m->relations[i].moved_by_events && m->relations[i].timer >= 0)
      changed |= brink__clause_timed_value(live, m->relations[i].timer, t);
  for (size_t i = 0; i < m->n_stairs; i++) {
    const clause_stair *s = &m->stairs[i];
    if (s->moved_by_events && s->timer >= 0)
      changed |= brink__clause_timed_value(live, s->timer, t);
    else if (s->moved_by_events && s->guard >= 0)
      changed |= stair_again(live, s, t);
  }
  return changed | brink__clause_evaluate_literals(live, t);
}

/* pre() takes the new values; 1 if one differs from the old one. */
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

static brink_status unsettled(dae_live *live, double t, brink__instant *inst,
                              brink_err *err)
{
  const dae_model *m = live->m;
  int discrete = -1, relation = -1;

  /* one more pass shows what keeps changing */
  clause_save_relations(live);
  if (brink__dae_run(live, &m->event, t, live->y) == BRINK_OK)
    for (size_t i = 0; i < m->n_discretes && discrete < 0; i++)
      if (live->v[m->discretes[i].pre] != live->v[m->discretes[i].value])
        discrete = (int)i;
  if (discrete < 0 && relations_again(live, t, 0))
    relation = clause_changed_relation(live);
  brink__dae_explain_unsettled(live, "event iteration", PASSES, discrete, relation, t);
  if (inst && discrete >= 0)
    inst->loop = m->flat->vars[m->discretes[discrete].var].name;
  else if (inst && relation >= 0 && m->relations[relation].guard >= 0)
    inst->loop = m->info[m->relations[relation].guard].name;
  return brink__fail_at(err, BRINK_EITERATION, t, "%s", live->reason);
}

/* A relation that has fired at t has been put back, because the equations have no
 * solution with its new value, or one that contradicts it: its guard may turn back.  If
 * it fires at t again it does not.  The relation, or -1. */
static int put_back_again(dae_live *live, double t)
{
  const dae_model *m = live->m;
  int first = -1;

  for (size_t i = 0; i < m->n_relations && first < 0; i++) {
    int k = m->relations[i].guard;
    if (k >= 0 && brink__fired_at(&live->firing[k], t) &&
        live->v[m->relations[i].slot] == live->old_relation[i])
      first = (int)i;
  }
  if (first < 0 || live->branches.put_back_t == t)
    return first;
  live->branches.put_back_t = t;
  return -1;
}

/* Evaluate the event system with the present relations.  Where it has no solution,
 * other values of those that depend on what they decide are searched. */
static brink_status evaluate(dae_live *live, double t, const char *where,
                             brink_err *err)
{
  const dae_program *event = &live->m->event;
  int stuck = -1;

  if (brink__dae_run(live, event, t, live->y) == BRINK_OK ||
      (brink__clause_nudge_to_zero(live, t) &&
       brink__dae_run(live, event, t, live->y) == BRINK_OK))
    return BRINK_OK;
  dae_fault fault = live->fault;
  if (brink__clause_search(live, t) &&
      brink__dae_run(live, event, t, live->y) == BRINK_OK &&
      (stuck = put_back_again(live, t)) < 0)
    return BRINK_OK;
  if (live->branches.failed)
    return brink__fail_at(err, BRINK_EDOMAIN, t, "at %s, %s", where,
                          brink__clause_no_branch(live, t));
  live->fault = fault;
  if (stuck >= 0) {
    const clause_relation *r = &live->m->relations[stuck];
    live->v[r->slot] = live->v[r->slot] == 0;
    brink__dae_run(live, event, t, live->y); /* values for the sentence */
    return brink__fail_at(err, BRINK_EDOMAIN, t, "%s has no branch to go on in: %s",
                          live->m->info[r->guard].name, brink__dae_reason(live));
  }
  return brink__fail_at(err, BRINK_EDOMAIN, t, "at %s, %s", where,
                        brink__dae_reason(live));
}

static const char *place(const brink__instant *inst)
{
  return inst ? "an event" : "the start";
}

/* The relation has fired, and neither of its values agrees with the equations. */
static brink_status neither(const dae_live *live, int relation, double t,
                            brink__instant *inst, brink_err *err)
{
  int k = live->m->relations[relation].guard;
  const char *where = place(inst);

  if (inst)
    inst->loop = live->m->info[k].name;
  return brink__fail_at(
      err, BRINK_EDOMAIN, t,
      "at %s, neither value of %s agrees with the equations at t = "
      "%.9g: with each of them its two sides differ as they should with "
      "the other; add a branch in which they are equal",
      where, live->m->info[k].name, t);
}

brink_status brink__clause_iterate(dae_live *live, double t, brink__instant *inst,
                                   brink_err *err)
{
  const char *where = place(inst);
  int flips = 0, acted = 0, stuck;

  brink__clause_evaluate_literals(live, t);
  brink__clause_begin_search(live);
  live->branches.closed = 0;
  for (int pass = 0; pass < PASSES; pass++) {
    BRINK_TRY(evaluate(live, t, where, err));
    if (relations_again(live, t, pass % 2)) {
      /* relations and equations are solved together, before whens act */
      if (++flips % FLIPS == 0)
        brink__clause_search(live, t);
      continue;
    }
    flips = 0;
    if (live->branches.closed && (stuck = put_back_again(live, t)) >= 0)
      return neither(live, stuck, t, inst, err);
    brink_status rc = brink__clause_act(live, t, inst, err);
    if (rc < 0 && acted && inst)
      inst->conflict = 0; /* pre values are other ones by now */
    BRINK_TRY(rc);
    if (!update_pre(live))
      return BRINK_OK;
    acted = 1;
    brink__clause_begin_search(live);
  }
  if (live->branches.failed)
    return brink__fail_at(err, BRINK_EITERATION, t, "at %s, %s", where,
                          brink__clause_no_branch(live, t));
  return unsettled(live, t, inst, err);
}

brink_status brink__clause_initial_actions(dae_live *live, double t, brink_err *err)
{
  BRINK_TRY(brink__clause_act(live, t, NULL, err));
  update_pre(live);
  return BRINK_OK;
}

/* --------------------------------------------------------------- enter --- */

/* The argument of a stair is exactly at its bound k: is the value there another one? */
static int stair_leaves(dae_live *live, int k, double t)
{
  const dae_model *m = live->m;

  if (m->guards[k].stair < 0)
    return 0;
  const clause_stair *s = &m->stairs[m->guards[k].stair];
  double n = live->v[s->slot];
  double x = k == s->guard ? clause_stair_low(s, n) : clause_stair_high(s, n);
  return clause_stair_of(s, x) != n && !fired_and_unmoved(live, s, t);
}

/* Is guard k of a stair that has fired at t, and has not moved since?  The event may
 * lie before the zero: then the other guard of the stair finds it beyond its bound. */
static int stair_unmoved(dae_live *live, int k, double t)
{
  const dae_model *m = live->m;

  return m->guards[k].stair >= 0 &&
         fired_and_unmoved(live, &m->stairs[m->guards[k].stair], t);
}

/* Has the guard fired at t, up to rounding?  Another event may follow so soon that the
 * guard, which its own event has turned back, is on its zero still. */
static int has_just_fired(const brink__firing *f, double t)
{
  return fabs(t - f->t) <= brink__time_slack(t);
}

/* The guard is exactly 0: does the relation have the other value there?  One that has
 * fired at t stays as it is, unless its own event has put the guard back onto zero: x <
 * 0 is false behind reinit(x, 0). */
static int leaves_zero(const dae_live *live, const clause_relation *r, double t)
{
  const brink__firing *f = &live->firing[r->guard];
  int is_true = (int)live->v[r->slot];

  if (is_true ? brink__fired_at(f, t) && f->after == 0 : has_just_fired(f, t))
    return 0;
  return r->true_at_zero != is_true && !holds_zero(live, r, t);
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
    const brink__firing *f = &live->firing[k];
    int frozen = brink__clause_frozen_sign(live, (int)k);
    const clause_relation *r =
        m->guards[k].relation < 0 ? NULL : &m->relations[m->guards[k].relation];
    live->enter_sign[k] = (signed char)frozen;
    hit[k] = 0;
    if (g[k] == 0 && (r ? leaves_zero(live, r, t) : stair_leaves(live, (int)k, t)))
      sign[k] = (signed char)-frozen; /* exactly 0: the relation says whether it holds
                                         there */
    else if (sign[k] == 0 || brink__fired_unmoved(f, t, g[k]) ||
             (sign[k] != frozen && stair_unmoved(live, (int)k, t)))
      sign[k] = (signed char)frozen;
  }
  for (size_t k = 0; k < m->n_guards; k++)
    if (sign[k] != live->enter_sign[k]) {
      hit[k] = sign[k];
      n++;
    }
  return brink__clause_triggers(model, l, mode, live->enter_sign, sign) == BRINK__SILENT
             ? 0
             : n;
}
