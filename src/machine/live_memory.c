/* live_memory.c -- the memory of one simulation of a compiled model: its arrays lie
 * behind the object in one block, so that a copy is one memcpy and pointers set anew.
 * Only the factors of sparse loops have memory of their own. */
#include "clause/clause.h"
#include "machine/stages.h"
#include "start/start.h"

#include <math.h>
#include <string.h>

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
  X(push, brink__clause_push_memory(m->n_pushes))                                      \
  X(pushed, m->n_pushes)                                                               \
  X(nudge, 3 * m->n)                                                                   \
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

size_t brink__equations_live_size(const brink_model *model)
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

void brink__equations_again(dae_live *live)
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

void brink__equations_live_init(const brink_model *model, brink__live *l,
                                brink_ctx *ctx)
{
  dae_live *live = dae_live_of(l);
  const dae_model *m = dae_of(model);

  size_t bytes = brink__equations_live_size(model);

  memset(live, 0, bytes);
  live->bytes = bytes;
  carve(m, ctx, live);
  live->memory = &live->own;
  live->settings = &live->own_settings;
  brink__dae_constants(live, NULL); /* without settings: those of the model */
  brink__equations_again(live);
}

void brink__equations_live_fini(const brink_model *model, brink__live *live)
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
brink_status brink__equations_live_copy(const brink_model *model, brink__live *l,
                                        const brink__live *other, brink_err *err)
{
  dae_live *to = dae_live_of(l);
  const dae_live *from = (const dae_live *)(const void *)other;
  dae_live had = *to;

  (void)model;
  forget_factors(to);
  memcpy(to, from, from->bytes);
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
