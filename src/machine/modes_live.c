/* modes_live.c -- the mutable half of a model with machines.
 *
 * One combination is active at a time, so one live object does; it is carved anew
 * when another combination begins.  What lasts is packed by symbol of the flat model
 * and unpacked again.
 */
#include "machine/modes.h"

#include <math.h>
#include <string.h>

/* ----------------------------------------------------------------- memory --- */

#define MODES_LIVE_ARRAYS(X)                                                           \
  X(v, (size_t)f->n_symbols)                                                           \
  X(noise, (size_t)f->n_symbols)                                                       \
  X(slack, (size_t)f->n_symbols)                                                       \
  X(left, (size_t)f->n_symbols)                                                        \
  X(error, m->base.max_n)                                                              \
  X(firing, (size_t)f->n_symbols)                                                      \
  X(tick, (size_t)f->n_symbols)                                                        \
  X(kept, (size_t)f->n_symbols)                                                        \
  X(warned_t, m->n_warns)                                                              \
  X(warned, m->n_warns)                                                                \
  X(warned_part, m->n_warns *BRINK__TEXT_PARTS)                                        \
  DAE_MEMORY_ARRAYS(X, memory, f->n_delays)                                            \
  DAE_SETTINGS_ARRAYS(X, settings, (size_t)f->n_symbols)                               \
  X(hard, (size_t)f->n_symbols)                                                        \
  X(unknown, (size_t)f->n_symbols)                                                     \
  X(last, f->n_machines)                                                               \
  X(to, f->n_machines)                                                                 \
  X(branch, f->n_machines)                                                             \
  X(by, f->n_machines)

size_t brink__modes_live_size(const brink_model *model)
{
  const modes_model *m = modes_of(model);
  const brink__flat *f = m->flat;
  const modes_live *live = NULL;
  size_t need = brink__need(0, 1, sizeof(modes_live));

#define X(field, n) need = brink__need(need, n, sizeof *live->field);
  MODES_LIVE_ARRAYS(X)
#undef X
  return brink__need(need, 1, m->room);
}

static void carve(const modes_model *m, modes_live *live)
{
  const brink__flat *f = m->flat;
  unsigned char *base = (unsigned char *)live;

  base += brink__need(0, 1, sizeof(modes_live));
#define X(field, n)                                                                    \
  live->field = (void *)base;                                                          \
  base += brink__need(0, n, sizeof *live->field);
  MODES_LIVE_ARRAYS(X)
#undef X
  live->room = base;
}

/* Give back what the object of the present combination has taken. */
static void leave(modes_live *live)
{
  if (live->part)
    live->part->m->base.ops->live_fini(&live->part->m->base, dae_live_face(live->now));
}

static void begin(modes_live *live, const mode_part *part, void *room)
{
  const brink_model *model = &part->m->base;

  live->now = room;
  live->part = part;
  model->ops->live_init(model, dae_live_face(live->now), live->ctx);
  live->now->memory = &live->memory;
  live->now->settings = &live->settings;
}

void brink__modes_live_init(const brink_model *model, brink__live *l, brink_ctx *ctx)
{
  const modes_model *m = modes_of(model);
  modes_live *live = modes_live_of(l);

  live->model = m;
  live->ctx = ctx;
  carve(m, live);
  begin(live, m->parts[0], live->room);
}

/* Everything as before the start. */
static void again(modes_live *live)
{
  const modes_model *m = live->model;

  memset(live->warned, 0, m->n_warns);
  brink__dae_history_forget(&live->memory, m->flat->n_delays);
  for (size_t i = 0; i < m->flat->n_samples; i++)
    live->tick[m->flat->samples[i].slot] = 0;
  for (size_t k = 0; k < m->flat->n_machines; k++)
    live->last[k] = m->flat->machines[k].initial;
}

/* Settings may make the numbers of a combination impossible that the run comes to much
 * later: that is told when it starts. */
static brink_status check_settings(modes_live *live, brink_err *err)
{
  const modes_model *m = live->model;

  for (int i = 0; i < m->n_parts && live->settings.n && live->settings.changed; i++)
    BRINK_TRY(brink__modes_switch_to(live, m->parts[i], err));
  return BRINK_OK;
}

brink_status brink__modes_begin(modes_live *live, int number, brink_err *err)
{
  const mode_part *part;

  again(live);
  BRINK_TRY(check_settings(live, err));
  BRINK_TRY(brink__modes_find(live, number, &part, err));
  BRINK_TRY(brink__modes_switch_to(live, part, err));
  live->effort = (brink__effort){0};
  return BRINK_OK;
}

void brink__modes_live_fini(const brink_model *model, brink__live *l)
{
  modes_live *live = modes_live_of(l);

  (void)model;
  leave(live);
  for (size_t i = 0; i < live->n_parts; i++)
    brink__modes_part_free(live->parts[i]);
  brink__free(live->ctx, live->parts, live->cap_parts * sizeof *live->parts);
  brink__free(live->ctx, live->refused, live->cap_refused * sizeof *live->refused);
  brink__graph_free(live->flat.graph);
  brink__block_drop(&live->grown);
}

/* Room for a live object that the first combinations did not need. */
static brink_status grow(modes_live *live, size_t need, brink_err *err)
{
  brink__block block;
  brink_status rc = brink__block_new(live->ctx, need, &block);

  if (rc < 0) {
    if (err)
      *err = live->ctx->err;
    return rc;
  }
  brink__block_drop(&live->grown);
  live->grown = block;
  return BRINK_OK;
}

brink__effort brink__modes_effort(const modes_live *live)
{
  brink__effort a = live->effort, b = live->now->effort;

  return (brink__effort){.jets = a.jets + b.jets,
                         .jac_evals = a.jac_evals + b.jac_evals,
                         .lu = a.lu + b.lu,
                         .homotopy = a.homotopy + b.homotopy,
                         .projections = a.projections + b.projections};
}

brink_status brink__modes_switch_to(modes_live *live, const mode_part *part,
                                    brink_err *err)
{
  const modes_model *m = live->model;
  const brink_model *model = &part->m->base;
  size_t need = model->ops->live_size(model);

  live->effort = brink__modes_effort(live);
  leave(live);
  if (need > m->room && need > live->grown.size)
    BRINK_TRY(grow(live, need, err));
  begin(live, part, need > m->room ? (void *)live->grown.base : live->room);
  return brink__dae_constants(live->now, err);
}

/* What lasts over all combinations. */
static void copy_fields(modes_live *to, const modes_live *from)
{
  const modes_model *m = from->model;
  const brink__flat *f = m->flat;

#define X(field, n) brink__copy_bytes(to->field, from->field, (n) * sizeof *to->field);
  MODES_LIVE_ARRAYS(X)
#undef X
  brink__dae_history_copy(&to->memory, &from->memory);
  to->settings.n = from->settings.n;
  to->settings.changed = from->settings.changed;
}

brink_status brink__modes_live_copy(const brink_model *model, brink__live *l,
                                    const brink__live *other, brink_err *err)
{
  modes_live *to = modes_live_of(l);
  const modes_live *from = (const modes_live *)(const void *)other;
  const mode_part *part;

  (void)model;
  for (size_t i = 0; i < from->n_parts; i++) /* its regimes may be of any of them */
    BRINK_TRY(brink__modes_find(to, from->parts[i]->number, &part, err));
  BRINK_TRY(brink__modes_find(to, from->part->number, &part, err));
  copy_fields(to, from);
  BRINK_TRY(brink__modes_switch_to(to, part, err));
  to->effort = from->effort;
  to->analysed = from->analysed;
  return part->m->base.ops->live_copy(&part->m->base, dae_live_face(to->now),
                                      dae_live_face(from->now), err);
}

/* ---------------------------------------------------------------- passing --- */

static void pack_warnings(modes_live *live)
{
  const mode_part *p = live->part;

  for (size_t i = 0; i < p->m->n_asserts + p->m->n_acts; i++) {
    if (!live->now->warned[i] || live->warned[p->warns[i]])
      continue;
    size_t to = (size_t)p->warns[i], n = (size_t)live->model->warns[to]->n_parts;
    live->warned[to] = 1;
    live->warned_t[to] = live->now->warned_t[i];
    for (size_t k = 0; k < n && k < BRINK__TEXT_PARTS; k++)
      live->warned_part[to * BRINK__TEXT_PARTS + k] =
          live->now->warned_part[brink__clause_warning_numbers(p->m, i) + k];
  }
}

void brink__modes_pack(modes_live *live)
{
  const brink__flat *f = live->model->flat;
  const dae_model *m = live->part->m;
  const dae_live *now = live->now;

  memcpy(live->v, now->v, (size_t)f->n_symbols * sizeof *live->v);
  memset(live->kept, 0, (size_t)f->n_symbols);
  for (size_t i = 0; i < m->n_relations; i++) {
    const clause_relation *r = &m->relations[i];
    live->kept[r->slot] = r->uses != 0;
    live->firing[r->slot] =
        r->guard >= 0 ? now->firing[r->guard] : (brink__firing){.t = nan("")};
    live->tick[r->slot] = r->timer >= 0 ? now->tick[r->timer] : nan("");
  }
  for (size_t i = 0; i < m->n_stairs; i++) {
    const clause_stair *s = &m->stairs[i];
    live->kept[s->slot] = s->uses != 0;
    live->tick[s->slot] = s->timer >= 0 ? now->tick[s->timer] : nan("");
  }
  for (size_t i = 0; i < m->n_timers; i++)
    if (m->timers[i].kind == CLAUSE_SAMPLE)
      live->tick[m->timers[i].slot] = now->tick[i] + now->ticked[i];
  pack_warnings(live);
}

/* Number of the first tick at or after t. */
static double first_tick(const dae_live *now, const clause_timer *d, double t)
{
  double start = now->constants.sample_start[d->index];
  double every = now->constants.sample_interval[d->index];
  double slack = brink__time_slack(fabs(t) + fabs(start));
  double k = ceil((t - start) / every) - 1;

  k = k > 0 ? k : 0;
  while (start + k * every < t - slack)
    k += 1;
  return k;
}

void brink__modes_unpack(modes_live *live, double t)
{
  const brink__flat *f = live->model->flat;
  const mode_part *p = live->part;
  const dae_model *m = p->m;
  dae_live *now = live->now;

  memcpy(now->v, live->v, (size_t)f->n_symbols * sizeof *live->v);
  for (size_t i = 0; i < m->n_relations; i++) {
    const clause_relation *r = &m->relations[i];
    if (live->kept[r->slot] && r->guard >= 0)
      now->firing[r->guard] = live->firing[r->slot];
  }
  for (size_t i = 0; i < m->n_timers; i++) {
    const clause_timer *d = &m->timers[i];
    if (d->kind == CLAUSE_SAMPLE) /* each tick once */
      now->tick[i] = fmax(live->tick[d->slot], first_tick(now, d, t));
    else if (d->line && live->kept[d->slot])
      now->tick[i] = live->tick[d->slot];
  }
  for (size_t i = 0; i < m->n_discretes; i++)
    now->v[m->discretes[i].pre] = now->v[m->discretes[i].value];
  for (size_t i = 0; i < m->n_asserts + m->n_acts; i++)
    now->warned[i] = p->warns[i] >= 0 && live->warned[p->warns[i]];
}
