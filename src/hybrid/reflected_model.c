/* reflected_model.c -- a run that goes backward.
 *
 * The run goes forward on a clock of its own, the negative of time: its model is this
 * one, which asks the model of the user.  x'(t) = f(t, x) becomes the law
 * dx/d(clock) = -f(-clock, x), a guard g(t, x) is g(-clock, x); methods, locators and
 * the executor are the same.  What leaves the simulation speaks of time again: steps
 * and events (record.c), sentences (brink__shown), what is asked by time (sim.c).
 *
 * Jumps cannot be undone: where an event would act, going either way, or a when would
 * fire, or a relation would change the law, the run is over.  Events that change
 * outputs only pass.
 */
#include "hybrid/extended_model.h"
#include "hybrid/passed_on.h"
#include "hybrid/sim.h"

#include <math.h>
#include <string.h>

static const brink__reflected *of(const brink_model *model)
{
  return (const brink__reflected *)(const void *)model;
}

/* The model of the user, to pass a question on. */
#define INNER const brink_model *in = model->inner

/* ------------------------------------------------------------------- flow --- */

static const brink_flow *inner_flow(const brink_flow *flow)
{
  return ((const brink__reflected *)flow->self)->flow;
}

static int rhs(const brink_flow *flow, double t, const double *y, double *f)
{
  const brink_flow *in = inner_flow(flow);
  int rc = in->rhs(in, -t, y, f);

  for (size_t i = 0; i < in->n; i++)
    f[i] = -f[i];
  return rc;
}

static int residual(const brink_flow *flow, double t, const double *u, double *F)
{
  const brink_flow *in = inner_flow(flow);
  int rc = in->residual(in, -t, u, F);

  for (size_t i = 0; i < in->n; i++)
    F[i] = -F[i];
  return rc;
}

static void loop_unknowns(const brink_flow *flow, double *z)
{
  const brink_flow *in = inner_flow(flow);
  in->loop_unknowns(in, z);
}

static int jacobian(const brink_flow *flow, double t, const double *u, double *entry)
{
  const brink_flow *in = inner_flow(flow);
  const brink__places *p = in->pattern;
  size_t n = in->n + in->n_z, nnz = p ? p->nnz : n * n;
  int rc = in->jacobian(in, -t, u, entry);

  for (size_t k = 0; k < nnz; k++)
    if ((p ? (size_t)p->row[k] : k % n) < in->n) /* loops keep their residuals */
      entry[k] = -entry[k];
  return rc;
}

static size_t jet_size(const brink_flow *flow, int order)
{
  const brink_flow *in = inner_flow(flow);
  return in->jet_size(in, order);
}

static int jet(const brink_flow *flow, double t, double h, const double *y, int order,
               void *work, double *c)
{
  const brink_flow *in = inner_flow(flow);
  return in->jet(in, -t, -h, y, order, work, c);
}

static int project(const brink_flow *flow, double t, const double *unit, double *y)
{
  const brink_flow *in = inner_flow(flow);
  return in->project(in, -t, unit, y);
}

static int inside(const brink_flow *flow, double t, const double *y)
{
  const brink_flow *in = inner_flow(flow);
  return in->inside(in, -t, y);
}

static const char *reason(const brink_flow *flow)
{
  const brink_flow *in = inner_flow(flow);
  return in->reason(in);
}

static const char *about(const brink_flow *flow, size_t i)
{
  const brink_flow *in = inner_flow(flow);
  return in->about(in, i);
}

static void flow(const brink_model *model, brink__live *live, int mode, brink_flow *out)
{
  INNER;
  brink_flow *own = of(model)->flow;

  in->ops->flow(in, live, mode, own);
  *out = *own;
  out->rhs = rhs;
  out->residual = own->residual ? residual : NULL;
  out->loop_unknowns = own->loop_unknowns ? loop_unknowns : NULL;
  out->jacobian = own->jacobian ? jacobian : NULL;
  out->jet_size = jet_size;
  out->jet = own->jet ? jet : NULL;
  out->project = own->project ? project : NULL;
  out->inside = inside;
  out->reason = reason;
  out->about = own->about ? about : NULL;
  out->backward = 1;
  out->self = (void *)(uintptr_t)of(model); /* read only */
}

/* ----------------------------------------------------------------- events --- */

static int triggers(const brink_model *model, brink__live *live, int mode,
                    const signed char *before, const signed char *after)
{
  INNER;
  int ahead = in->ops->triggers(in, live, mode, before, after),
      behind = in->ops->triggers(in, live, mode, after, before);
  int most = ahead > behind ? ahead : behind;

  if (most == BRINK__OUTPUTS && in->ops->fires &&
      in->ops->fires(in, live, mode, before, after))
    return BRINK__ACTS;
  return most;
}

/* What acts, for the sentence; NULL: nothing does.  Where the run begins, what holds
 * just before that time is chosen without an event, but for whens. */
static const char *culprit(const brink_model *model, brink__live *live,
                           const brink__instant *inst)
{
  INNER;
  const brink__mode *info = in->ops->mode_info(in, live, inst->mode);
  int begins = inst->at_restart;

  for (int i = 0; i < model->n_timers; i++)
    if (inst->due[i] == BRINK__DUE && inst->t >= *of(model)->acting)
      return in->ops->event_name(in, live, inst->mode, -1 - i);
  int acts = begins ? in->ops->fires && in->ops->fires(in, live, inst->mode,
                                                       inst->sign_before, inst->sign)
                    : triggers(model, live, inst->mode, inst->sign_before,
                               inst->sign) == BRINK__ACTS;
  for (int k = 0; acts && k < info->n_guards; k++)
    if (inst->hit[k])
      return info->guards[k].name;
  return NULL;
}

static brink_status instant(const brink_model *model, brink__live *live,
                            brink__instant *inst, brink_err *err)
{
  INNER;
  const char *name = culprit(model, live, inst);
  brink__instant own = *inst;

  if (name) {
    inst->irreversible = 1;
    brink__fail_at(err, BRINK_IRREVERSIBLE, -inst->t,
                   "going back in time the run ends at t = %.9g: what '%.120s' does "
                   "there cannot be undone",
                   -inst->t, name);
    return BRINK_OK;
  }
  own.t = own.t_after = -inst->t;
  brink_status rc = in->ops->instant(in, live, &own, err);
  double t = inst->t, after = own.t_after == own.t ? t : -own.t_after;
  *inst = own;
  inst->t = t;
  inst->t_after = after;
  return rc;
}

static double next_acting_time(const brink_model *model, brink__live *live, int mode)
{
  INNER;
  return *of(model)->acting = in->ops->next_acting_time(in, live, mode);
}

/* ----------------------------------------------------------------- guards --- */

static int guard_range(const brink_model *model, brink__live *live, int mode, int k,
                       const brink_step *step, double a, double b, int order,
                       double *lo, double *hi)
{
  INNER;
  brink_step shown = brink__reflect_step(step);
  return in->ops->guard_range(in, live, mode, k, &shown, a, b, order, lo, hi);
}

/* Of the clock's law F = -f: dg/d(clock) = -dg/dt along f. */
static int guard_rate(const brink_model *model, brink__live *live, int mode, int k,
                      double t, const double *y, const double *f, double *rate)
{
  INNER;
  double *own = of(model)->f;

  for (size_t i = 0; i < in->ops->mode_info(in, live, mode)->n; i++)
    own[i] = -f[i];
  int known = in->ops->guard_rate(in, live, mode, k, -t, y, own, rate);
  *rate = -*rate;
  return known;
}

/* ----------------------------------------------------------------- values --- */

static int slopes(const brink_model *model, const brink__live *live, int mode,
                  double *f)
{
  INNER;
  int known = in->ops->slopes(in, live, mode, f);

  for (size_t i = 0; known && i < in->ops->mode_info(in, live, mode)->n; i++)
    f[i] = -f[i];
  return known;
}

/* -------------------------------------------------------------- direction --- */

void brink__set_direction(brink_sim *sim, int backward)
{
  brink__reflected *r = &sim->reflected;
  const brink_model *m = sim->user_model;

  r->flow = &sim->inner_flow;
  r->acting = &sim->inner_acting;
  r->f = brink__work_row(sim, BRINK__REFLECTED_ROW);
  brink__pass_on(&r->base, &r->ops, m);
  r->ops.flow = flow;
  r->ops.triggers = triggers;
  r->ops.instant = instant;
  r->ops.next_acting_time = next_acting_time;
  r->ops.guard_range = guard_range;
  r->ops.guard_rate = m->ops->guard_rate ? guard_rate : NULL;
  r->ops.slopes = slopes;
  r->base.backward = 1;
  sim->model = backward ? &r->base : sim->user_model;
  sim->backward = backward;
  for (size_t i = 0; i < sim->n_regimes; i++)
    if (sim->regimes[i]->mode == sim->regimes[i]->shown) /* of a mode of the user */
      sim->regimes[i]->guards.model = sim->model;
}

/* Would the solution rest on a face or slide along a guard, forward from here?  Then
 * its past is not the only one: some came there earlier, some later.  Which guard;
 * NULL: none.  It is tried on a copy, up to its first step. */
static brink_status held_at_start(brink_sim *sim, double t_end, const char **guard)
{
  const brink_model *m = sim->user_model;
  brink_status rc = BRINK_OK;
  brink_sim *copy = NULL;

  *guard = NULL;
  BRINK_TRY(brink_sim_clone(sim->ctx, sim, &copy));
  while ((rc == BRINK_OK || rc == BRINK_EVENT) && copy->t == sim->t && !*guard) {
    rc = brink_sim_advance(copy, sim->t + (sim->t - t_end));
    const brink__held *h = copy->extended ? copy->extended->active : NULL;
    if (h && copy->t_event == sim->t)
      *guard = m->ops->mode_info(m, sim->live, h->base)->guards[h->hold[0].guard].name;
  }
  brink_sim_free(copy);
  return BRINK_OK;
}

brink_status brink__go_back(brink_sim *sim, double t_end)
{
  const brink_model *m = sim->user_model;
  const char *held;

  BRINK_TRY(m->ops->backward(m, sim->live, sim->mode, &sim->err));
  BRINK_TRY(held_at_start(sim, t_end, &held));
  if (held)
    sim->ended = brink__fail_at(
        &sim->err, BRINK_IRREVERSIBLE, sim->t,
        "going back in time the run ends where it begins, at t = %.9g: the solution "
        "rests on '%.120s' or slides along it, and when it came there cannot be told; "
        "start beside it",
        sim->t, held);
  brink__set_direction(sim, 1);
  sim->t = -sim->t;
  sim->t_start = sim->t_event = sim->t;
  return brink__activate(sim, sim->mode);
}
