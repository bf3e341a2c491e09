/* ops.c -- a compiled model as the executor sees it. */
#include "clause/clause.h"
#include "machine/stages.h"
#include "start/start.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---------------------------------------------------------------- flow --- */

/* Give the relations the values of their guards at (t, y); 1 if one differs from the
 * value it has since the last event.  Equations that do not exist beyond the zero of a
 * relation do so with its new value: a step across the zero then has values, and the
 * event can be located on it. */
static int flip_beyond(dae_live *live, double t, const double *y)
{
  const dae_model *m = live->m;
  int flipped = 0;

  clause_save_relations(live);
  for (size_t i = 0; i < m->n_relations; i++) {
    const clause_relation *r = &m->relations[i];
    if (r->guard < 0 || !(r->uses & DAE_IN_REAL_EQUATION))
      continue;
    const clause_guard *d = &m->guards[r->guard];
    if (brink__dae_run(live, &d->program, t, y) < 0)
      continue;
    double g = clause_guard_value(live, d);
    double now = clause_truth(r, g);
    flipped |= now != live->v[r->slot];
    live->v[r->slot] = now;
  }
  return flipped;
}

static brink_status evaluate(dae_live *live, const dae_program *p, double t,
                             const double *y)
{
  if (brink__dae_run(live, p, t, y) == BRINK_OK)
    return BRINK_OK;
  dae_fault fault = live->fault;
  brink_status rc = BRINK_EDOMAIN;
  if (flip_beyond(live, t, y))
    rc = brink__dae_run(live, p, t, y);
  clause_restore_relations(live);
  if (rc < 0 && brink__dae_run(live, p, t, y) == BRINK_OK) /* values for the message */
    live->fault = fault;
  return rc;
}

/* Error-level assertions that can fail between events. */
static int asserted(dae_live *live)
{
  const dae_model *m = live->m;
  const dae_step *last = &m->flow.steps[m->flow.n_steps - 1];

  for (size_t i = 0; i < m->n_flow_asserts; i++)
    if (live->v[brink__tape_slot(last->tape, last->n_rows + i)] == 0) {
      live->fault =
          (dae_fault){NULL, BRINK__NONE, DAE_FAULT_ASSERT, m->flow_asserts[i]};
      return 0;
    }
  return 1;
}

/* The same, after the flow was evaluated at (t, y); live->fault names one that fails.
 */
static int all_asserted(dae_live *live, double t, const double *y)
{
  if (asserted(live))
    return 1;
  dae_fault fault = live->fault;
  brink__dae_run(live, &live->m->all, t, y); /* values that its text shows */
  live->fault = fault;
  return 0;
}

static int run_flow(dae_live *live, double t, const double *y)
{
  const dae_model *m = live->m;

  return brink__dae_run(live, &m->flow, t, y) == BRINK_OK && all_asserted(live, t, y) &&
         (!m->follows_outputs || brink__dae_run(live, &m->followed, t, y) == BRINK_OK);
}

static int rhs(const brink_flow *flow, double t, const double *y, double *f)
{
  dae_live *live = flow->self;
  const dae_model *m = live->m;

  if (!run_flow(live, t, y))
    return 1;
  for (size_t i = 0; i < m->n_states; i++)
    f[i] = live->v[m->der_symbol[i]];
  if (m->n_states == 0)
    f[0] = 0;
  return 0;
}

static int residual(const brink_flow *flow, double t, const double *u, double *F)
{
  return brink__dae_residual_at(flow->self, t, u, F) < 0;
}

static void loop_unknowns(const brink_flow *flow, double *z)
{
  const dae_live *live = flow->self;
  const dae_jacobian *j = &live->m->jacobian;

  for (size_t k = 0; k < j->n_z; k++)
    z[k] = live->v[j->z[k]];
}

static int jacobian(const brink_flow *flow, double t, const double *u, double *entry)
{
  return brink__dae_jacobian_at(flow->self, t, u, entry) < 0;
}

static size_t jet_size(const brink_flow *flow, int order)
{
  const dae_live *live = flow->self;
  return brink__dae_series_size(live->m, &live->m->flow, order);
}

static int jet(const brink_flow *flow, double t, double h, const double *y, int order,
               void *work, double *c)
{
  dae_live *live = flow->self;

  return !run_flow(live, t, y) ||
         brink__dae_series(live, &live->m->flow, h, y, order, work, c) < 0;
}

static int project(const brink_flow *flow, double t, const double *unit, double *y)
{
  dae_live *live = flow->self;
  const dae_model *m = live->m;
  int moved;

  live->effort.projections++;
  for (size_t i = 0; m->prefers_states && i < m->n_states; i++)
    live->projecting.weighted[i] = unit[i] * m->state_mobility[i];
  if (m->prefers_states)
    unit = live->projecting.weighted;
  return brink__dae_project(live, &live->m->projection, t, NULL, unit, y, &moved) < 0
             ? -1
             : moved;
}

static int inside(const brink_flow *flow, double t, const double *y)
{
  dae_live *live = flow->self;
  return !brink__clause_outside(&live->m->base, dae_live_face(live), 0, t, y);
}

static const char *reason(const brink_flow *flow)
{
  return brink__dae_reason(flow->self);
}

static const char *about(const brink_flow *flow, size_t i)
{
  return brink__dae_about(flow->self, i);
}

static void flow(const brink_model *model, brink__live *l, int mode, brink_flow *out)
{
  dae_live *live = dae_live_of(l);
  const dae_jacobian *j = &dae_of(model)->jacobian;
  (void)mode;
  *out = (brink_flow){.n = dae_of(model)->n,
                      .rhs = rhs,
                      .n_z = j->n_z,
                      .residual = j->n_z ? residual : NULL,
                      .loop_unknowns = j->n_z ? loop_unknowns : NULL,
                      .pattern = &j->places,
                      .jacobian = jacobian,
                      .jet_size = jet_size,
                      .jet = dae_of(model)->n_delays ? NULL : jet,
                      .no_jet = "delay() has none",
                      .project = dae_of(model)->projection.n ? project : NULL,
                      .states = model->modes[0].states,
                      .reason = reason,
                      .about = about,
                      .self = live,
                      .limits_steps = dae_of(model)->n_signals > 0 ||
                                      dae_of(model)->n_guard_work > 0,
                      .guarded = dae_of(model)->unilateral > 0,
                      .guards_complete = dae_of(model)->guards_complete,
                      .inside = inside};
}

static int guard(const brink_model *model, brink__live *l, int mode, int k, double t,
                 const double *y, double *g)
{
  dae_live *live = dae_live_of(l);
  const dae_model *m = dae_of(model);
  const brink__guard *info = &m->info[k];
  const clause_guard *d = &m->guards[k];

  (void)mode;
  if (info->form == BRINK__GUARD_STATE)
    *g = y[info->state] - live->constants.level[d->relation];
  else if (brink__dae_run(live, &d->program, t, y) == BRINK_OK)
    *g = clause_guard_value(live, d);
  else
    *g = brink__clause_side(model, l, mode, k) == BRINK_BEFORE
             ? -brink__clause_frozen_sign(live, k) /* no value: this is beyond */
             : brink__clause_frozen_sign(live, k); /* no value: its relation stays */
  return 0;
}

static brink_status values(const brink_model *model, brink__live *l, int mode, double t,
                           const double *y, double *out, brink_err *err)
{
  dae_live *live = dae_live_of(l);
  const dae_model *m = dae_of(model);

  (void)mode;
  if (evaluate(live, &m->all, t, y) < 0)
    return brink__fail_at(err, BRINK_EDOMAIN, t, "%s", brink__dae_reason(live));
  for (size_t i = 0; i < m->n_states; i++)
    live->v[m->state_symbol[i]] = y[i];
  if (m->n_asserts && brink__tape_values(m->assert_tape, live->v, NULL) == BRINK_OK)
    brink__clause_note_warnings(live, t);
  for (size_t i = 0; i < m->base.n_vars; i++)
    out[i] = live->v[m->flat->vars[m->show[i]].value];
  return BRINK_OK;
}

static int slopes(const brink_model *model, const brink__live *l, int mode, double *f)
{
  const dae_live *live = (const dae_live *)(const void *)l;
  const dae_model *m = dae_of(model);

  (void)mode;
  for (size_t i = 0; i < m->n_states; i++)
    f[i] = live->v[m->der_symbol[i]];
  return m->n_states > 0;
}

static const char *warning(const brink_model *model, brink__live *l, int number)
{
  dae_live *live = dae_live_of(l);
  const dae_model *m = dae_of(model);

  const char *text = brink__dae_limit_warning(live, &number);

  for (size_t i = 0; !text && i < m->n_asserts + m->n_acts; i++)
    if (live->warned[i] && number-- == 0)
      text = brink__clause_warning_text(live, i);
  return text;
}

static size_t moved_starts(const brink_model *model, const brink__live *l, size_t most,
                           brink_moved_start *out)
{
  (void)model;
  return brink__start_moves((const dae_live *)(const void *)l, most, out);
}

static brink__effort effort(const brink_model *model, const brink__live *live)
{
  (void)model;
  return ((const dae_live *)(const void *)live)->effort;
}

static void branches(const brink_model *model, const brink__live *live, double *out)
{
  const double *v = ((const dae_live *)(const void *)live)->v;

  for (size_t i = 0; i < model->anatomy.n_branches; i++)
    out[i] = v[dae_of(model)->branch_symbol[i]];
}

/* --------------------------------------------------------------- names --- */

static const char *event_name(const brink_model *model, const brink__live *live,
                              int mode, int event)
{
  const dae_model *m = dae_of(model);
  int nb = (int)m->n_branches, nr = (int)m->n_relations;

  (void)live, (void)mode;
  if (event < 0) {
    int i = -1 - event;
    return i < (int)m->n_timers ? m->timers[i].name
                                : m->branches[i - (int)m->n_timers].name;
  }
  if (event < nb)
    return m->branches[event].name;
  if (event < nb + nr) {
    const clause_relation *r = &m->relations[event - nb];
    return r->guard >= 0 ? m->info[r->guard].name : m->timers[r->timer].name;
  }
  if (event < nb + nr + (int)m->n_stairs)
    return m->info[m->stairs[event - nb - nr].guard].name;
  return m->info[event - nb - nr - (int)m->n_stairs].name; /* a bound */
}

static brink_side event_side(const brink_model *model, const brink__live *live,
                             int mode, int event)
{
  const dae_model *m = dae_of(model);
  int nb = (int)m->n_branches;

  (void)live, (void)mode;
  if (event >= 0 && event < nb)
    return m->conds[m->branches[event].first_cond].before ? BRINK_BEFORE : BRINK_AFTER;
  if (event >= nb && event < nb + (int)m->n_relations)
    return m->flat->relations[event - nb].side;
  return event >= nb + (int)(m->n_relations + m->n_stairs) ? BRINK_BEFORE : BRINK_AFTER;
}

/* --------------------------------------------------------------- modes --- */

static const brink__mode *mode_info(const brink_model *model, const brink__live *live,
                                    int mode)
{
  (void)live;
  return &model->modes[mode];
}

static const char *mode_name(const brink_model *model, int mode)
{
  return model->modes[mode].name;
}

static void levels(const brink_model *model, brink__live *l, int mode,
                   brink__guard *guards)
{
  const dae_live *live = dae_live_of(l);
  const dae_model *m = dae_of(model);

  (void)mode;
  for (size_t k = 0; k < m->n_guards; k++)
    if (guards[k].form == BRINK__GUARD_STATE)
      guards[k].level = live->constants.level[m->guards[k].relation];
}

static int nominals(const brink_model *model, const brink__live *l, int mode,
                    double *nominal)
{
  const dae_live *live = (const dae_live *)(const void *)l;
  const dae_model *m = dae_of(model);

  (void)mode;
  nominal[0] = 1; /* of a model without states */
  for (size_t i = 0; i < m->n_states; i++) {
    nominal[i] = live->constants.nominal[m->state_var[i]];
    if (!m->flat->vars[m->state_var[i]].hidden)
      continue;
    nominal[i] = brink__dae_expected(m, nominal[i], live->y, (int32_t)i);
    /* The error of a derivative that each projection computes anew does not stay; the
     * remainder of a series grows about so fast with the order of derivative. */
    if (m->state_follows[i])
      nominal[i] = ldexp(nominal[i], m->state_order[i]);
  }
  return 1;
}

static double step_limit(const brink_model *model, brink__live *l, int mode, double t,
                         const double *y, double t_end, double wanted, double rtol)
{
  const dae_model *m = dae_of(model);
  dae_live *live = dae_live_of(l);
  double h = HUGE_VAL;

  (void)mode;
  if (m->n_signals)
    h = brink__dae_signal_step(live, t, t_end, wanted, rtol);
  if (m->n_guard_work)
    h = brink__min(h, brink__clause_guard_step(live, t, y, t_end, wanted));
  return h;
}

static double longest_step(const brink_model *model, const brink__live *l)
{
  (void)model;
  return brink__dae_longest_step((const dae_live *)(const void *)l);
}

/* Delays read a past that a run which goes backward does not have. */
static brink_status backward(const brink_model *model, brink__live *l, int mode,
                             brink_err *err)
{
  const dae_model *m = dae_of(model);

  (void)mode;
  if (m->n_delays) {
    brink__fail(err, BRINK_EARG,
                "a model with delay() (line %d) cannot be run backward: its past is "
                "not known there",
                m->flat->delays[0].at.line);
    return BRINK_EARG;
  }
  dae_live_of(l)->backward = 1;
  return BRINK_OK;
}

/* terminate() may be met at the start. */
static brink_status ended(const dae_live *live, double t, brink_err *err)
{
  return live->stop ? brink__fail_at(err, BRINK_TERMINATED, t,
                                     "%s: the run ended at its start, t = %.9g",
                                     live->reason, t)
                    : BRINK_OK;
}

/* Up to which part of it the past must agree with the start: Newton's method leaves
 * what the rounding of the equations allows, repetition goes on until nothing changes.
 */
static const double FOUND_PAST = 1e-9, SETTLED_PAST = 4 * DBL_EPSILON;

/* What delays read before the start is found with it.  Where whens that act at the
 * start change that afterwards, the start is repeated with the new values until both
 * agree.
 */
static brink_status start(const brink_model *model, brink__live *l, double t, int *mode,
                          const double *given, double *y, brink_err *err)
{
  dae_live *live = dae_live_of(l);
  enum { TRIES = 200 };
  const dae_model *m = dae_of(model);

  if (live->settings->changed)
    BRINK_TRY(brink__dae_constants(live, err));
  live->settings->changed = 0;
  brink__equations_again(live);
  live->effort = (brink__effort){0};
  brink__dae_history_forget(live->memory, m->n_delays);
  for (int i = 0; i < TRIES; i++) {
    live->memory->begin = live->memory->segment = t;
    live->initial.past_known = i > 0;
    BRINK_TRY(brink__start_find(model, live, t, mode, given, y, err));
    if (m->n_delays == 0 ||
        brink__dae_history_begin(live, t, y, i == 0 ? FOUND_PAST : SETTLED_PAST)) {
      if (m->n_delays)
        brink__clause_note_break(live, t, 1);
      brink__dae_anchor(live, t, y, 1);
      return ended(live, t, err);
    }
    brink__equations_again(live);
  }
  return brink__fail_at(err, BRINK_EITERATION, t,
                        "the values of delay() before the start do not settle");
}

static void destroy(brink_model *model)
{
  dae_model *m = (dae_model *)model;
  brink__pool pool = m->pool; /* the model itself lives in it */

  for (size_t i = 0; i < m->n_tapes; i++)
    brink__tape_free(m->tapes[i]);
  brink__free(m->base.ctx, m->definitions, m->cap_definitions * sizeof *m->definitions);
  brink__free(m->base.ctx, m->tapes, m->cap_tapes * sizeof *m->tapes);
  brink__free(m->base.ctx, m->loops, m->cap_loops * sizeof *m->loops);
  brink__flat_free(m->flat);
  brink__pool_drop(&pool);
}

const brink__model_ops brink__equations_ops = {
    .live_size = brink__equations_live_size,
    .live_init = brink__equations_live_init,
    .live_fini = brink__equations_live_fini,
    .live_copy = brink__equations_live_copy,
    .mode_info = mode_info,
    .mode_name = mode_name,
    .start = start,
    .set = brink__equations_set,
    .set_start = brink__equations_set_start,
    .reset = brink__equations_reset,
    .get = brink__equations_get,
    .levels = levels,
    .nominals = nominals,
    .longest_step = longest_step,
    .step_limit = step_limit,
    .backward = backward,
    .fires = brink__clause_fires,
    .delayed = brink__dae_delayed,
    .record = brink__dae_history_record,
    .record_same = brink__dae_history_same,
    .accepted = brink__dae_accepted,
    .fold = brink__dae_fold_at,
    .values = values,
    .slopes = slopes,
    .flow = flow,
    .guard = guard,
    .triggers = brink__clause_triggers,
    .instant = brink__clause_instant,
    .warning = warning,
    .moved_starts = moved_starts,
    .effort = effort,
    .branches = branches,
    .restarted = brink__clause_enter,
    .next_time = brink__clause_next_time,
    .next_acting_time = brink__clause_next_acting_time,
    .event_name = event_name,
    .event_side = event_side,
    .guard_side = brink__clause_side,
    .outside = brink__clause_outside,
    .beyond = brink__clause_beyond,
    .guard_range = brink__clause_guard_range,
    .fired_within = brink__clause_fired_within,
    .guard_noise = brink__clause_guard_noise,
    .destroy = destroy,
};
