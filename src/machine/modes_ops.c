/* modes_ops.c -- a model with machines as the executor sees it: every question goes to
 * the combination that is active. */
#include "machine/modes.h"
#include "machine/stages.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The combination with this number, which a run has met: mostly the present one. */
static const brink_model *part_of(const brink_model *model, const brink__live *l,
                                  int mode)
{
  const modes_live *live = (const modes_live *)(const void *)l;
  const mode_part *now = live->part;

  return &(now->number == mode ? now : brink__modes_part(modes_of(model), live, mode))
              ->m->base;
}

/* The live object of the present combination. */
static brink__live *now_of(brink__live *l)
{
  return dae_live_face(modes_live_of(l)->now);
}

static const brink__live *now_of_const(const brink__live *l)
{
  return dae_live_face(((const modes_live *)(const void *)l)->now);
}

/* Where a start begins, and what it is told. */
typedef struct beginning {
  double t, *y;
  const double *given;
} beginning;

static brink_status start_in(modes_live *live, int mode, void *user, brink_err *err)
{
  const beginning *b = user;
  int own = 0;

  BRINK_TRY(brink__modes_begin(live, mode, err));
  const brink_model *part = &live->part->m->base;
  return part->ops->start(part, dae_live_face(live->now), b->t, &own, b->given, b->y,
                          err);
}

static brink_status start(const brink_model *model, brink__live *l, double t, int *mode,
                          const double *given, double *y, brink_err *err)
{
  modes_live *live = modes_live_of(l);
  beginning b = {t, y, given};

  live->analysed = 0;
  if (modes_of(model)->flat->n_switches)
    return brink__modes_settle(live, mode, t, start_in, &b, err);
  return start_in(live, *mode, &b, err);
}

static const brink__mode *mode_info(const brink_model *model, const brink__live *l,
                                    int mode)
{
  const mode_part *p =
      brink__modes_part(modes_of(model), (const modes_live *)(const void *)l, mode);

  return p ? &p->mode : NULL;
}

static const char *mode_name(const brink_model *model, int mode)
{
  const modes_model *m = modes_of(model);
  const mode_part *p = brink__modes_part(m, NULL, mode);

  return m->names ? m->names[mode] : p ? p->mode.name : NULL;
}

static int delayed(const brink_model *model, brink__live *l, int mode, double t,
                   const double *y, double *v)
{
  const brink_model *part = part_of(model, l, mode);
  return part->ops->delayed(part, now_of(l), 0, t, y, v);
}

static void record(const brink_model *model, brink__live *l, int mode,
                   const brink_step *step, double begin, double end, double t_end,
                   const brink__delayed *law)
{
  const brink_model *part = part_of(model, l, mode);
  part->ops->record(part, now_of(l), 0, step, begin, end, t_end, law);
}

/* All modes have the same delayed expressions, and one memory. */
static void record_same(const brink_model *model, brink__live *l,
                        const brink__live *from)
{
  const modes_live *other = (const modes_live *)(const void *)from;
  const brink_model *part = &modes_live_of(l)->part->m->base;

  (void)model;
  part->ops->record_same(part, now_of(l), dae_live_face(other->now));
}

static brink_status accepted(const brink_model *model, brink__live *l, int mode,
                             double t, const double *y, brink_err *err)
{
  const brink_model *part = part_of(model, l, mode);
  return part->ops->accepted(part, now_of(l), 0, t, y, err);
}

static const char *fold(const brink_model *model, brink__live *l, int mode, double t,
                        brink_err *err)
{
  const brink_model *part = part_of(model, l, mode);
  return part->ops->fold(part, now_of(l), 0, t, err);
}

static brink_status values(const brink_model *model, brink__live *l, int mode, double t,
                           const double *y, double *out, brink_err *err)
{
  modes_live *live = modes_live_of(l);
  const brink_model *part = &live->part->m->base;

  if (mode == live->part->number)
    return part->ops->values(part, now_of(l), 0, t, y, out, err);
  for (size_t i = 0; i < part->n_vars; i++) /* an instant has just left the mode */
    out[i] = live->now->v[modes_of(model)->flat->vars[dae_of(part)->show[i]].value];
  return BRINK_OK;
}

/* A variable belongs to no state of a machine, or to one that is active in the mode. */
static int is_active(const brink_model *model, const brink__live *l, int mode,
                     size_t index)
{
  const brink__flat *f = modes_of(model)->flat;
  const mode_part *p =
      brink__modes_part(modes_of(model), (const modes_live *)(const void *)l, mode);
  int state = f->vars[p->m->show[index]].mode - 1;

  return state < 0 || p->state[f->states[state].machine] == state;
}

static int slopes(const brink_model *model, const brink__live *l, int mode, double *f)
{
  const brink_model *part = part_of(model, l, mode);

  return ((const modes_live *)(const void *)l)->part->number == mode &&
         part->ops->slopes(part, now_of_const(l), 0, f);
}

static void flow(const brink_model *model, brink__live *l, int mode, brink_flow *out)
{
  const brink_model *part = part_of(model, l, mode);
  part->ops->flow(part, now_of(l), 0, out);
}

static brink_status set(const brink_model *model, brink__live *l, int mode, double t,
                        double *y, size_t index, double value, brink_err *err)
{
  (void)model, (void)mode;
  return brink__equations_set(&modes_live_of(l)->part->m->base, now_of(l), 0, t, y,
                              index, value, err);
}

static brink_status set_start(const brink_model *model, brink__live *l, size_t index,
                              double value, brink_err *err)
{
  (void)model;
  return brink__equations_set_start(&modes_live_of(l)->part->m->base, now_of(l), index,
                                    value, err);
}

static void reset(const brink_model *model, brink__live *l)
{
  (void)model;
  brink__equations_reset(&modes_live_of(l)->part->m->base, now_of(l));
}

static brink_status get(const brink_model *model, brink__live *l, int mode, double t,
                        const double *y, size_t index, double *value, brink_err *err)
{
  (void)model, (void)mode;
  return brink__equations_get(&modes_live_of(l)->part->m->base, now_of(l), 0, t, y,
                              index, value, err);
}

static void levels(const brink_model *model, brink__live *l, int mode,
                   brink__guard *guards)
{
  const brink_model *part = part_of(model, l, mode);
  part->ops->levels(part, now_of(l), 0, guards);
}

static int nominals(const brink_model *model, const brink__live *l, int mode,
                    double *nominal)
{
  const brink_model *part = part_of(model, l, mode);
  return part->ops->nominals(part, now_of_const(l), 0, nominal);
}

static double longest_step(const brink_model *model, const brink__live *l)
{
  (void)model;
  return brink__dae_longest_step(((const modes_live *)(const void *)l)->now);
}

static double step_limit(const brink_model *model, brink__live *l, int mode, double t,
                         const double *y, double t_end, double wanted, double rtol)
{
  const brink_model *part = part_of(model, l, mode);
  return part->ops->step_limit(part, now_of(l), 0, t, y, t_end, wanted, rtol);
}

static brink_status backward(const brink_model *model, brink__live *l, int mode,
                             brink_err *err)
{
  const brink_model *part = part_of(model, l, mode);
  return part->ops->backward(part, now_of(l), 0, err);
}

static int fires(const brink_model *model, brink__live *l, int mode,
                 const signed char *before, const signed char *after)
{
  const brink_model *part = part_of(model, l, mode);
  return part->ops->fires(part, now_of(l), 0, before, after);
}

static int guard(const brink_model *model, brink__live *l, int mode, int k, double t,
                 const double *y, double *g)
{
  const brink_model *part = part_of(model, l, mode);
  return part->ops->guard(part, now_of(l), 0, k, t, y, g);
}

static int triggers(const brink_model *model, brink__live *l, int mode,
                    const signed char *before, const signed char *after)
{
  const brink_model *part = part_of(model, l, mode);
  return part->ops->triggers(part, now_of(l), 0, before, after);
}

static int outside(const brink_model *model, brink__live *l, int mode, double t,
                   const double *y)
{
  const brink_model *part = part_of(model, l, mode);
  return part->ops->outside(part, now_of(l), 0, t, y);
}

static int beyond(const brink_model *model, brink__live *l, int mode,
                  const signed char *sign)
{
  const brink_model *part = part_of(model, l, mode);
  return part->ops->beyond(part, now_of(l), 0, sign);
}

static size_t moved_starts(const brink_model *model, const brink__live *l, size_t most,
                           brink_moved_start *out)
{
  const modes_live *live = (const modes_live *)(const void *)l;

  (void)model;
  return brink__start_moves(live->now, most, out);
}

static const char *warning(const brink_model *model, brink__live *l, int number)
{
  modes_live *live = modes_live_of(l);
  const modes_model *m = modes_of(model);
  dae_live *now = live->now;

  brink__modes_pack(live);
  for (size_t i = 0; i < m->n_warns; i++)
    if (live->warned[i] && number-- == 0) {
      char text[sizeof now->reason - 64];
      brink__explain_message(m->warns[i], live->warned_part + i * BRINK__TEXT_PARTS,
                             text, sizeof text);
      snprintf(now->reason, sizeof now->reason, "line %d, t = %.9g: %s",
               m->warns[i]->at.line, live->warned_t[i], text);
      return now->reason;
    }
  return NULL;
}

static brink__effort effort(const brink_model *model, const brink__live *live)
{
  const modes_live *own = (const modes_live *)(const void *)live;
  brink__effort e = brink__modes_effort(own);

  (void)model;
  e.modes_analysed = own->analysed;
  return e;
}

/* What only other modes read has no value now.  Switches decide the mode itself. */
static void branches(const brink_model *model, const brink__live *l, double *out)
{
  const modes_model *m = modes_of(model);
  const modes_live *live = (const modes_live *)(const void *)l;
  const dae_model *part = live->part->m;

  for (size_t i = 0; i < model->anatomy.n_branches; i++)
    out[i] = m->flat->n_switches ? live->now->v[m->branch_symbol[i]] : nan("");
  for (size_t i = 0; i < part->base.anatomy.n_branches; i++) {
    int32_t x = part->branch_symbol[i];
    if (m->branch_of[x] >= 0)
      out[m->branch_of[x]] = live->now->v[x];
  }
}

static int enter(const brink_model *model, brink__live *l, int mode, double t,
                 const double *g, const signed char *old_sign, signed char *sign,
                 signed char *hit, brink_err *err)
{
  const brink_model *part = part_of(model, l, mode);
  modes_live *live = modes_live_of(l);
  int hits = part->ops->restarted(part, now_of(l), 0, t, g, old_sign, sign, hit, err);

  return hits ? hits : brink__modes_transition_due(live);
}

static double next_time(const brink_model *model, brink__live *l, int mode, double t,
                        const double *y, int asked, unsigned char *due)
{
  const brink_model *part = part_of(model, l, mode);

  memset(due, 0, (size_t)model->n_timers);
  return part->ops->next_time(part, now_of(l), 0, t, y, asked, due);
}

static double next_acting_time(const brink_model *model, brink__live *l, int mode)
{
  const brink_model *part = part_of(model, l, mode);

  return part->ops->next_acting_time(part, now_of(l), 0);
}

static const char *event_name(const brink_model *model, const brink__live *l, int mode,
                              int event)
{
  const brink_model *part = part_of(model, l, mode);
  return part->ops->event_name(part, now_of_const(l), 0, event);
}

static brink_side event_side(const brink_model *model, const brink__live *l, int mode,
                             int event)
{
  const brink_model *part = part_of(model, l, mode);
  return part->ops->event_side(part, now_of_const(l), 0, event);
}

static int guard_range(const brink_model *model, brink__live *l, int mode, int k,
                       const brink_step *step, double a, double b, int order,
                       double *lo, double *hi)
{
  const brink_model *part = part_of(model, l, mode);
  return part->ops->guard_range(part, now_of(l), 0, k, step, a, b, order, lo, hi);
}

static double fired_within(const brink_model *model, const brink__live *l, int mode,
                           int k, double t)
{
  const brink_model *part = part_of(model, l, mode);
  return part->ops->fired_within(part, now_of_const(l), 0, k, t);
}

static int guard_noise(const brink_model *model, brink__live *l, int mode, int k,
                       double t, const double *y, const double *noise, double *value,
                       double *delta)
{
  const brink_model *part = part_of(model, l, mode);
  return part->ops->guard_noise(part, now_of(l), 0, k, t, y, noise, value, delta);
}

static brink_side guard_side(const brink_model *model, const brink__live *l, int mode,
                             int k)
{
  const brink_model *part = part_of(model, l, mode);
  return part->ops->guard_side(part, now_of_const(l), 0, k);
}

static void destroy(brink_model *model)
{
  modes_model *m = (modes_model *)model;
  brink__pool pool = m->pool; /* the model itself lives in it */

  for (int i = 0; i < m->n_parts; i++)
    brink__modes_part_free(m->parts[i]);
  brink__flat_free(m->flat);
  brink__pool_drop(&pool);
}

const brink__model_ops brink__modes_ops = {
    .live_size = brink__modes_live_size,
    .live_init = brink__modes_live_init,
    .live_copy = brink__modes_live_copy,
    .live_fini = brink__modes_live_fini,
    .start = start,
    .mode_info = mode_info,
    .mode_name = mode_name,
    .set = set,
    .set_start = set_start,
    .reset = reset,
    .get = get,
    .levels = levels,
    .nominals = nominals,
    .longest_step = longest_step,
    .step_limit = step_limit,
    .backward = backward,
    .fires = fires,
    .delayed = delayed,
    .record = record,
    .record_same = record_same,
    .accepted = accepted,
    .fold = fold,
    .values = values,
    .is_active = is_active,
    .slopes = slopes,
    .flow = flow,
    .guard = guard,
    .triggers = triggers,
    .instant = brink__modes_instant,
    .warning = warning,
    .moved_starts = moved_starts,
    .effort = effort,
    .branches = branches,
    .restarted = enter,
    .next_time = next_time,
    .next_acting_time = next_acting_time,
    .event_name = event_name,
    .event_side = event_side,
    .guard_side = guard_side,
    .outside = outside,
    .beyond = beyond,
    .guard_range = guard_range,
    .fired_within = fired_within,
    .guard_noise = guard_noise,
    .destroy = destroy,
};

const dae_live *brink__machine_live(const brink_model *model, const brink__live *live)
{
  const void *own = live;

  return model->ops == &brink__equations_ops ? own
         : model->ops == &brink__modes_ops   ? ((const modes_live *)own)->now
                                             : NULL;
}
