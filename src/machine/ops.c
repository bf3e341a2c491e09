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

/* ---------------------------------------------------------------- live --- */

/* Rows or columns of the matrix of curves, of which a path has `path`; the curve of a
 * loop of n unknowns has n + 1. */
static size_t curve_size(const dae_model *m, size_t path)
{
  size_t n = brink__zmax(m->homotopy->used ? path : 0, m->max_search);
  return n ? n + 1 : 0;
}

#define CURVE_ROWS    curve_size(m, m->homotopy->n_rows)
#define CURVE_COLUMNS curve_size(m, m->homotopy->n)

/* Conditions and unknowns of the start together. */
#define SYSTEM_SIZE (m->initial->n + m->initial->n_searched)

/* The arrays of a live object, in lists for measuring and carving: what a start
 * resets, ... */
#define DAE_LIVE_STATE(X)                                                              \
  X(old, m->n_discretes)                                                               \
  X(old_relation, m->n_relations)                                                      \
  X(old_stair, m->n_stairs)                                                            \
  X(firing, m->n_guards)                                                               \
  X(next, m->n_timers)                                                                 \
  X(tick, m->n_timers)                                                                 \
  X(becomes, m->n_timers)                                                              \
  X(ticked, m->n_timers)                                                               \
  X(fired, m->n_branches)                                                              \
  X(reinit, m->n_states)                                                               \
  X(reinit_value, m->n_states)                                                         \
  X(set_by, m->n_states)                                                               \
  X(fresh, m->n_states)                                                                \
  X(delta, m->n_symbols)                                                               \
  X(warned_t, m->n_asserts + m->n_acts)                                                \
  X(warned_part, m->n_texts)                                                           \
  X(warned, m->n_asserts + m->n_acts)                                                  \
  X(branches.decided, m->n_relations)                                                  \
  X(memo_valid, m->n_loops)                                                            \
  X(sign, m->n_loops)                                                                  \
  X(anchor_sign, m->n_loops)                                                           \
  X(signal_scale, m->n_signal_sums)                                                    \
  X(signal_value, m->n_signals)                                                        \
  X(signal_input, m->n_signal_known)

/* ... and all. */
#define DAE_LIVE_ARRAYS(X)                                                             \
  DAE_LIVE_STATE(X)                                                                    \
  DAE_CONSTANTS_ARRAYS(X, constants, m)                                                \
  DAE_SETTINGS_ARRAYS(X, own_settings,                                                 \
                      m->flat->borrowed ? 0 : (size_t)m->flat->n_symbols)              \
  DAE_MEMORY_ARRAYS(X, own, m->flat->borrowed ? 0 : m->n_delays)                       \
  X(v, m->n_slots)                                                                     \
  X(work, m->n_slots)                                                                  \
  X(bound, brink__zmax(m->max_roots, m->max_loop))                                     \
  X(series, m->max_series *((size_t)m->max_order + 1))                                 \
  X(range.point, m->max_range)                                                         \
  X(range.series, 2 * m->max_range)                                                    \
  X(range.shift, m->max_enclosed)                                                      \
  X(range.row, m->max_enclosed)                                                        \
  X(range.slope, m->max_input)                                                         \
  X(range.inverse, m->max_enclosed * m->max_enclosed)                                  \
  X(range.radius, m->max_enclosed)                                                     \
  X(range.spread, m->max_enclosed)                                                     \
  X(signal_series, m->signal_slots *((size_t)DAE_SIGNAL_ORDER + 1))                    \
  X(guard_work, m->n_guard_work)                                                       \
  X(saved, m->n_relations)                                                             \
  X(cond, m->n_conds)                                                                  \
  X(mark, m->n_symbols)                                                                \
  X(y, m->n)                                                                           \
  X(nudge, 2 * m->n)                                                                   \
  X(outside_sign, m->n_guards)                                                         \
  X(enter_sign, m->n_guards)                                                           \
  X(branches.begin, m->n_coupled ? m->n_relations + m->n_stairs : 0)                   \
  X(branches.v, m->n_coupled ? m->n_symbols : 0)                                       \
  X(branches.present, m->max_coupled)                                                  \
  X(branches.candidate, m->max_coupled)                                                \
  X(branches.found, m->max_coupled)                                                    \
  X(branches.guard, m->max_coupled)                                                    \
  X(branches.path, m->max_piecewise)                                                   \
  X(branches.jet, m->n_coupled ? 2 * m->n_slots : 0)                                   \
  X(branches.law, m->n_coupled ? m->n_symbols : 0)                                     \
  X(branches.y, m->n_coupled ? m->n : 0)                                               \
  X(r, m->max_loop)                                                                    \
  X(du, m->max_loop)                                                                   \
  X(u, m->max_loop)                                                                    \
  X(factors, m->n_loops)                                                               \
  X(unit, m->max_loop)                                                                 \
  X(anchor, m->follows ? DAE_ANCHORS * m->n_symbols : 0)                               \
  X(anchor_t, m->follows ? DAE_ANCHORS : 0)                                            \
  X(memo, m->n_memo)                                                                   \
  X(newton.move, m->max_loop)                                                          \
  X(newton.from, m->max_loop)                                                          \
  X(projecting.before, m->projection.n ? m->n_states : 0)                              \
  X(projecting.weighted, m->prefers_states ? m->n : 0)                                 \
  X(projecting.matrix, m->max_part_matrix)                                             \
  X(projecting.b, m->max_part)                                                         \
  X(projecting.step, m->projection.n ? m->n : 0)                                       \
  X(projecting.dx, m->max_part)                                                        \
  X(projecting.work, 3 * m->max_part)                                                  \
  X(projecting.bound, m->max_stage)                                                    \
  X(projecting.row, m->max_part)                                                       \
  DAE_RESTARTING_ARRAYS(X, m)                                                          \
  X(initial.first_unit, m->projection.n ? m->n : 0)                                    \
  X(initial.state_unit, m->projection.n ? m->n : 0)                                    \
  X(initial.lhs, m->initial->n)                                                        \
  X(initial.rhs, m->initial->n)                                                        \
  X(initial.best, m->initial->n)                                                       \
  X(initial.all_bounds, m->max_start_roots)                                            \
  X(initial.bound, m->initial->n)                                                      \
  X(initial.at_nominal, m->initial->n)                                                 \
  X(initial.column, m->initial->n)                                                     \
  X(initial.missed, m->initial->n_blocks)                                              \
  X(initial.search, m->initial->n_blocks)                                              \
  X(initial.matrix, m->initial->n_elements)                                            \
  X(initial.scaled, m->initial->max_elements)                                          \
  X(initial.near_a, m->initial->n_factored)                                            \
  X(initial.near_copy, m->initial->n_factored)                                         \
  X(initial.near_beta, m->initial->n_searched)                                         \
  X(initial.near_work, 2 * m->initial->n_searched)                                     \
  X(initial.near_factors, 4 * m->initial->n)                                           \
  X(initial.near_col, m->initial->n_searched)                                          \
  X(initial.near_row, 2 * m->initial->n)                                               \
  X(initial.step, m->initial->n_searched)                                              \
  X(initial.last_off, m->initial->n_searched)                                          \
  X(initial.last_step, m->initial->n_searched)                                         \
  X(initial.solved, m->initial->n_searched)                                            \
  X(initial.found, m->initial->n_unknowns)                                             \
  X(initial.forced, m->initial->n_unknowns)                                            \
  X(initial.moved, m->initial->n_unknowns)                                             \
  X(initial.row_unit, m->initial->n)                                                   \
  X(initial.unit, m->initial->n_searched)                                              \
  X(initial.b, SYSTEM_SIZE)                                                            \
  X(initial.dx, SYSTEM_SIZE)                                                           \
  X(initial.x, SYSTEM_SIZE)                                                            \
  X(initial.work, 3 * SYSTEM_SIZE)                                                     \
  X(initial.kept, m->initial->n_searched)                                              \
  X(initial.guess, m->initial->n_searched)                                             \
  X(initial.jet, 2 * m->n_slots)                                                       \
  X(initial.delta, m->initial->n ? m->n_symbols : 0)                                   \
  X(initial.row, SYSTEM_SIZE)                                                          \
  X(initial.active, m->initial->n)                                                     \
  X(initial.searched, m->initial->n_searched)                                          \
  X(initial.place, m->initial->n)                                                      \
  X(initial.left_out, m->initial->n)                                                   \
  X(initial.independent, m->initial->n)                                                \
  X(path.jacobian, CURVE_ROWS *CURVE_COLUMNS)                                          \
  X(path.r, CURVE_ROWS)                                                                \
  X(path.r0, CURVE_ROWS)                                                               \
  X(path.x, CURVE_COLUMNS)                                                             \
  X(path.x0, CURVE_COLUMNS)                                                            \
  X(path.unit, CURVE_COLUMNS)                                                          \
  X(path.direction, CURVE_COLUMNS)                                                     \
  X(path.direction0, CURVE_COLUMNS)                                                    \
  X(path.correction, CURVE_COLUMNS)                                                    \
  X(path.v, m->homotopy->used ? m->n_symbols : 0)                                      \
  X(path.v_top, m->homotopy->used ? m->n_symbols : 0)                                  \
  X(path.jet, m->follows ? 2 * m->n_slots : 0)                                         \
  X(path.work, 2 * CURVE_ROWS + CURVE_COLUMNS)                                         \
  X(path.row, CURVE_ROWS)

static size_t live_size(const brink_model *model)
{
  const dae_model *m = dae_of(model);
  const dae_live *live = NULL;
  size_t need = brink__need(0, 1, sizeof(dae_live));

#define X(field, n) need = brink__need(need, n, sizeof *live->field);
  DAE_LIVE_ARRAYS(X)
#undef X
  for (size_t i = 0; i < m->n_loops; i++)
    need = brink__need(need, 1, brink__numeric_size(m->loops[i]->pattern));
  if (m->impulses.n)
    need = brink__need(need, 1, brink__numeric_size(m->impulses.pattern));
  return need;
}

/* Loops choose their pivots anew. */
static void forget_factors(dae_live *live)
{
  for (size_t i = 0; i < live->m->n_loops; i++)
    brink__numeric_drop(&live->factors[i]);
  brink__numeric_drop(&live->restarting.factors);
}

/* Everything as before the start, but for what delays read there. */
static void again(dae_live *live)
{
  const dae_model *m = live->m;

#define X(field, n) memset(live->field, 0, (n) * sizeof *live->field);
  DAE_LIVE_STATE(X)
#undef X
  memcpy(live->v, live->constants.v0, m->n_symbols * sizeof *live->v);
  for (size_t k = 0; k < m->n_guards; k++)
    live->firing[k].t = nan("");
  for (size_t i = 0; i < m->n_timers; i++)
    live->tick[i] = nan("");
  live->stop = 0;
  live->backward = 0;
  live->branches.put_back_t = nan("");
  forget_factors(live);
  live->anchors = 0;
  live->released = 1;
  live->fold = (dae_fold){0};
  live->look = (dae_look){.end = -HUGE_VAL};
  live->guard_reach = (dae_reach){.until = -HUGE_VAL};
}

/* Point to its own arrays. */
static void carve(const dae_model *m, brink_ctx *ctx, dae_live *live)
{
  unsigned char *base = (unsigned char *)live;

  live->m = m;
  live->ctx = ctx;
  base += brink__need(0, 1, sizeof(dae_live));
#define X(field, n)                                                                    \
  live->field = (void *)base;                                                          \
  base += brink__need(0, n, sizeof *live->field);
  DAE_LIVE_ARRAYS(X)
#undef X
  for (size_t i = 0; i < m->n_loops; i++) {
    live->factors[i] = (brink__numeric){.ctx = ctx};
    brink__numeric_place(m->loops[i]->pattern, &live->factors[i], base);
    base += brink__need(0, 1, brink__numeric_size(m->loops[i]->pattern));
  }
  live->restarting.factors = (brink__numeric){.ctx = ctx};
  if (m->impulses.n)
    brink__numeric_place(m->impulses.pattern, &live->restarting.factors, base);
}

static void live_init(const brink_model *model, brink__live *l, brink_ctx *ctx)
{
  dae_live *live = dae_live_of(l);
  const dae_model *m = dae_of(model);

  memset(live, 0, live_size(model));
  carve(m, ctx, live);
  live->memory = &live->own;
  live->settings = &live->own_settings;
  brink__dae_constants(live, NULL); /* without settings: those of the model */
  again(live);
}

static void live_fini(const brink_model *model, brink__live *live)
{
  (void)model;
  if (dae_live_of(live)->m) /* it was made */
    forget_factors(dae_live_of(live));
}

/* Factors of sparse loops have memory of their own. */
static brink_status copy_factors(dae_live *to, const dae_live *from, brink_err *err)
{
  const dae_model *m = to->m;

  for (size_t i = 0; i < m->n_loops; i++) {
    brink_status rc =
        brink__numeric_copy(m->loops[i]->pattern, &from->factors[i], &to->factors[i]);
    if (rc < 0) {
      *err = to->ctx->err;
      return rc;
    }
  }
  return BRINK_OK;
}

/* Memory and settings of all modes are not its own: they stay where `to` has them. */
static brink_status live_copy(const brink_model *model, brink__live *l,
                              const brink__live *other, brink_err *err)
{
  dae_live *to = dae_live_of(l);
  const dae_live *from = (const dae_live *)(const void *)other;
  dae_live had = *to;

  forget_factors(to);
  memcpy(to, from, live_size(model));
  carve(had.m, had.ctx, to);
  to->memory = had.memory;
  to->settings = had.settings;
  if (to->m != from->m) { /* compiled by the other simulation: they point into that */
    to->fault = (dae_fault){0};
    to->misfit = (dae_misfit){0};
    to->fold = (dae_fold){0};
  }
  return copy_factors(to, from, err);
}

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
  again(live);
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
    again(live);
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
    .live_size = live_size,
    .live_init = live_init,
    .live_fini = live_fini,
    .live_copy = live_copy,
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
    .record = brink__dae_history_record,
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
