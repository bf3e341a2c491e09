/* callback.c -- models written as C callbacks: model/model.h for a brink_model_def.
 *
 * Here are the law of a mode, its values, what a simulation keeps, and the table of
 * functions; edges.c, jumps.c and timers.c do the rest.
 */
#include "model/callback.h"

#include <math.h>
#include <string.h>

/* ---------------------------------------------------------------- live --- */

static size_t live_size(const brink_model *model)
{
  const callback_model *cb = cb_of(model);
  size_t need = brink__need(0, 1, sizeof(cb_live));

  need = brink__need(need, brink__n_values(cb), 3 * sizeof(double));
  need = brink__need(need, cb->max_given, sizeof(double));
  need = brink__need(need, (size_t)cb->n_events, sizeof(long) + 1);
  need = brink__need(need, (size_t)model->n_timers, sizeof(long) + 2 * sizeof(double));
  need = brink__need(need, (size_t)model->max_guards, 3);
  return brink__need(need, cb->n_work, 1);
}

static void carve(const brink_model *model, cb_live *live)
{
  const callback_model *cb = cb_of(model);
  size_t n_values = brink__n_values(cb);
  size_t nt = (size_t)model->n_timers;
  unsigned char *base = (unsigned char *)live;

  base += brink__need(0, 1, sizeof(cb_live));
  live->p = (double *)(void *)base;
  live->u = live->p + cb->n_p;
  live->w = live->u + cb->n_u;
  live->old = live->p + n_values;
  live->first = live->old + n_values;
  base += brink__need(0, n_values, 3 * sizeof(double));
  live->entry = (double *)(void *)base;
  base += brink__need(0, cb->max_given, sizeof(double));
  live->count = (long *)(void *)base;
  live->at_once = (unsigned char *)(live->count + cb->n_events);
  base += brink__need(0, (size_t)cb->n_events, sizeof(long) + 1);
  live->timer_count = (long *)(void *)base;
  live->next = (double *)(void *)(base + nt * sizeof(long));
  live->fired_at = live->next + nt;
  base += brink__need(0, nt, sizeof(long) + 2 * sizeof(double));
  live->signs = (signed char *)base;
  live->landed = base + model->max_guards;
  live->crossed = live->signs + 2 * (size_t)model->max_guards;
  base += brink__need(0, (size_t)model->max_guards, 3);
  live->env.p = live->p;
  live->env.u = live->u;
  live->env.w = live->w;
  live->work = cb->n_work ? base : NULL;
}

static void live_init(const brink_model *model, brink__live *l, brink_ctx *ctx)
{
  const callback_model *cb = cb_of(model);
  cb_live *live = cb_live_of(l);

  (void)ctx;
  carve(model, live);
  live->model = model;
  live->env.user = cb->user;
  live->layer = cb->extra;
  memcpy(live->first, cb->p, sizeof(double) * brink__n_values(cb));
  memcpy(live->p, cb->p, sizeof(double) * brink__n_values(cb));
}

static brink_status live_copy(const brink_model *model, brink__live *to,
                              const brink__live *from, brink_err *err)
{
  (void)err;
  memcpy(to, from, live_size(model));
  carve(model, cb_live_of(to));
  return BRINK_OK;
}

/* Everything as before a run. */
static void again(const brink_model *model, cb_live *live)
{
  const callback_model *cb = cb_of(model);
  size_t n_values = brink__n_values(cb), nt = (size_t)model->n_timers;

  memcpy(live->p, live->first, sizeof(double) * n_values);
  memset(live->old, 0, sizeof(double) * n_values);
  memset(live->count, 0, (size_t)cb->n_events * (sizeof(long) + 1));
  live->any_at_once = 0;
  live->backward = 0;
  for (size_t i = 0; i < nt; i++) {
    live->timer_count[i] = 0;
    live->next[i] = HUGE_VAL;
    live->fired_at[i] = nan("");
  }
  memset(live->signs, 0, 3 * (size_t)model->max_guards);
  if (live->work)
    memset(live->work, 0, cb->n_work);
}

/* --------------------------------------------------- values by name ---- */

/* Where variable number `index` is among p, u, w; -1: it is a state. */
static long value_of(const brink_model *model, size_t index)
{
  const callback_model *cb = cb_of(model);

  if (index < model->max_n)
    return -1;
  return index < model->n_vars
             ? (long)(index - model->max_n) + cb->n_p + cb->n_u /* w comes last */
             : (long)(index - model->n_vars);
}

static brink_status set(const brink_model *model, brink__live *l, int mode, double t,
                        double *y, size_t index, double value, brink_err *err)
{
  cb_live *live = cb_live_of(l);
  const brink_variable *v = &model->vars[index];
  long i = value_of(model, index);

  (void)t;
  if (i < 0 && !y)
    return brink__fail(err, BRINK_EARG,
                       "'%.80s' is a state: give the start values when the run starts",
                       v->name);
  if (i < 0 && index >= model->modes[mode].n)
    return brink__fail(err, BRINK_EARG, "mode '%s' has no state number %zu",
                       model->modes[mode].name, index);
  if (i < 0)
    y[index] = value;
  if (i >= 0 && (v->role == BRINK_PARAMETER || !y))
    live->first[i] = value;
  if (i >= 0 && y)
    live->p[i] = value;
  return BRINK_OK;
}

static brink_status set_start(const brink_model *model, brink__live *live, size_t index,
                              double value, brink_err *err)
{
  return set(model, live, 0, 0, NULL, index, value, err);
}

static void reset(const brink_model *model, brink__live *live)
{
  const callback_model *cb = cb_of(model);
  memcpy(cb_live_of(live)->first, cb->p, sizeof(double) * brink__n_values(cb));
}

static brink_status get(const brink_model *model, brink__live *l, int mode, double t,
                        const double *y, size_t index, double *value, brink_err *err)
{
  const cb_live *live = cb_live_of(l);
  long i = value_of(model, index);

  (void)t;
  if (i < 0 && (!y || index >= model->modes[mode].n))
    return brink__fail(err, BRINK_EARG, "'%.80s' has no value now",
                       model->vars[index].name);
  *value = i < 0 ? y[index] : y ? live->p[i] : live->first[i];
  return BRINK_OK;
}

/* -------------------------------------------------------------- values --- */

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

static brink_status start(const brink_model *model, brink__live *live, double t,
                          int *mode, const double *given, double *y, brink_err *err)
{
  (void)t;
  again(model, cb_live_of(live));
  if (given) {
    memmove(y, given, model->modes[*mode].n * sizeof *y);
    return BRINK_OK;
  }
  return brink__fail(err, BRINK_EARG,
                     "model '%s' has no start of its own: give the start values",
                     model->name);
}

static brink_status values(const brink_model *model, brink__live *live, int mode,
                           double t, const double *y, double *out, brink_err *err)
{
  const double *w = cb_live_of(live)->w;

  (void)t, (void)err;
  for (size_t i = 0; i < model->max_n; i++)
    out[i] = i < model->modes[mode].n ? y[i] : nan("");
  memcpy(out + model->max_n, w, sizeof(double) * (size_t)cb_of(model)->n_w);
  return BRINK_OK;
}

/* ---------------------------------------------------------------- law ---- */

static int rhs(const brink_flow *flow, double t, const double *y, double *f)
{
  const cb_live *live = flow->self;
  return live->rhs(t, y, f, &live->env);
}

int brink__cb_guard(const brink_model *model, brink__live *live, int mode, int k,
                    double t, const double *y, double *g)
{
  const brink__guard *gd = &model->modes[mode].guards[k];

  if (gd->form == BRINK__GUARD_STATE)
    *g = y[gd->state] - gd->level;
  else
    *g = cb_of(model)->cb_modes[mode].guard_fns[k](t, y, k, &cb_live_of(live)->env);
  return 0;
}

static int inside(const brink_flow *flow, double t, const double *y)
{
  const cb_live *live = flow->self;
  return !brink__cb_outside(live->model, flow->self, live->env.mode, t, y);
}

static const cb_mode *mode_of(const brink_flow *flow)
{
  const cb_live *live = flow->self;
  return &cb_of(live->model)->cb_modes[live->env.mode];
}

/* Series of f, then those that the callback keeps. */
static size_t jet_size(const brink_flow *flow, int order)
{
  return (flow->n + mode_of(flow)->n_aux) * ((size_t)order + 1) * sizeof(double);
}

static int jet(const brink_flow *flow, double t, double h, const double *y, int order,
               void *work, double *c)
{
  const cb_live *live = flow->self;
  const cb_mode *m = mode_of(flow);
  size_t stride = (size_t)order + 1;
  double *f = work, *aux = f + flow->n * stride;

  for (size_t i = 0; i < flow->n; i++)
    c[i * stride] = y[i];
  for (int k = 0; k < order; k++) {
    int rc = m->jet(k, t, h, stride, c, f, aux, &live->env);
    if (rc != 0)
      return rc;
    for (size_t i = 0; i < flow->n; i++)
      c[i * stride + (size_t)k + 1] = h * f[i * stride + (size_t)k] / (k + 1);
  }
  return 0;
}

static int jacobian(const brink_flow *flow, double t, const double *y, double *entry)
{
  const cb_live *live = flow->self;
  const cb_mode *m = mode_of(flow);

  if (!m->places)
    return m->jacobian(t, y, entry, &live->env);
  for (size_t k = 0; k < m->n_given; k++)
    live->entry[k] = 0;
  int rc = m->jacobian(t, y, live->entry, &live->env);
  for (size_t k = 0; k < m->places->nnz; k++)
    entry[k] = m->given[k] < 0 ? 0 : live->entry[m->given[k]];
  return rc;
}

static void flow(const brink_model *model, brink__live *live, int mode, brink_flow *out)
{
  const cb_mode *m = &cb_of(model)->cb_modes[mode];

  cb_live_of(live)->env.mode = mode;
  cb_live_of(live)->rhs = m->rhs;
  *out = (brink_flow){.n = model->modes[mode].n,
                      .rhs = rhs,
                      .jet_size = jet_size,
                      .jet = m->jet ? jet : NULL,
                      .no_jet = "its mode has no brink_mode_def.jet",
                      .pattern = m->places,
                      .jacobian = m->jacobian ? jacobian : NULL,
                      .by_user = m->jacobian || m->places,
                      .states = model->modes[mode].states,
                      .reason = brink__no_reason,
                      .self = live,
                      .guarded = model->modes[mode].unilateral > 0,
                      .guards_complete = model->modes[mode].smooth,
                      .inside = inside};
}

/* The levels of the model are those of every simulation. */
static void levels(const brink_model *model, brink__live *live, int mode,
                   brink__guard *guards)
{
  (void)model, (void)live, (void)mode, (void)guards;
}

static int slopes(const brink_model *model, const brink__live *live, int mode,
                  double *f)
{
  (void)model, (void)live, (void)mode, (void)f;
  return 0;
}

static int nominals(const brink_model *model, const brink__live *live, int mode,
                    double *nominal)
{
  (void)model, (void)live, (void)mode, (void)nominal;
  return 0;
}

static double longest_step(const brink_model *model, const brink__live *live)
{
  (void)model, (void)live;
  return 0;
}

/* Callbacks have values and nothing more. */
static int no_range(const brink_model *model, brink__live *live, int mode, int k,
                    const brink_step *step, double a, double b, int order, double *lo,
                    double *hi)
{
  (void)model, (void)live, (void)mode, (void)k, (void)step, (void)a, (void)b;
  (void)order, (void)lo, (void)hi;
  return 0;
}

static int no_noise(const brink_model *model, brink__live *live, int mode, int k,
                    double t, const double *y, const double *noise, double *value,
                    double *delta)
{
  (void)model, (void)live, (void)mode, (void)k, (void)t, (void)y, (void)noise;
  (void)value, (void)delta;
  return 0;
}

static int guard_rate(const brink_model *model, brink__live *live, int mode, int k,
                      double t, const double *y, const double *f, double *rate)
{
  brink_guard_rate_fn *fn = cb_of(model)->cb_modes[mode].guard_rates[k];

  if (!fn)
    return 0;
  *rate = fn(t, y, f, k, &cb_live_of(live)->env);
  return isfinite(*rate) != 0;
}

static const char *warning(const brink_model *model, brink__live *live, int number)
{
  (void)model, (void)live, (void)number;
  return NULL;
}

static size_t moved_starts(const brink_model *model, const brink__live *live,
                           size_t most, brink_moved_start *out)
{
  (void)model, (void)live, (void)most, (void)out;
  return 0;
}

/* --------------------------------------------------------------- names --- */

static const char *event_name(const brink_model *model, const brink__live *live,
                              int mode, int event)
{
  const callback_model *cb = cb_of(model);
  (void)live;
  return event < 0 ? cb->timers[-1 - event].name
                   : cb->cb_modes[mode].events[event].def.name;
}

static brink_side event_side(const brink_model *model, const brink__live *live,
                             int mode, int event)
{
  (void)live;
  return event < 0 ? BRINK_AFTER : cb_of(model)->cb_modes[mode].events[event].def.side;
}

static brink_side guard_side(const brink_model *model, const brink__live *live,
                             int mode, int k)
{
  (void)live;
  return cb_of(model)->cb_modes[mode].guard_sides[k];
}

brink__values brink__live_values(const brink_model *model, brink__live *live)
{
  const callback_model *cb = cb_of(model);

  if (model->ops != &brink__callback_ops)
    return (brink__values){0};
  const cb_live *v = cb_live_of(live);
  return (brink__values){v->p, v->u, v->w, cb->n_p, cb->n_u, cb->n_w};
}

static void destroy(brink_model *model)
{
  callback_model *cb = (callback_model *)model;
  brink__pool pool = cb->pool; /* the model itself lives in it */

  brink__pool_drop(&cb->layer);
  brink__pool_drop(&pool);
}

static brink__effort effort(const brink_model *model, const brink__live *live)
{
  (void)model, (void)live;
  return (brink__effort){0};
}

const brink__model_ops brink__callback_ops = {
    .live_size = live_size,
    .live_init = live_init,
    .live_copy = live_copy,
    .mode_info = mode_info,
    .mode_name = mode_name,
    .start = start,
    .set = set,
    .set_start = set_start,
    .reset = reset,
    .get = get,
    .levels = levels,
    .nominals = nominals,
    .longest_step = longest_step,
    .values = values,
    .slopes = slopes,
    .flow = flow,
    .steady = 1,
    .guard = brink__cb_guard,
    .triggers = brink__cb_triggers,
    .outside = brink__cb_outside,
    .beyond = brink__cb_beyond,
    .instant = brink__cb_instant,
    .warning = warning,
    .moved_starts = moved_starts,
    .restarted = brink__cb_restarted,
    .next_time = brink__cb_next_time,
    .backward = brink__cb_backward,
    .next_acting_time = brink__cb_next_acting_time,
    .event_name = event_name,
    .event_edge = brink__cb_event_edge,
    .event_side = event_side,
    .guard_side = guard_side,
    .effort = effort,
    .guard_range = no_range,
    .guard_noise = no_noise,
    .guard_rate = guard_rate,
    .destroy = destroy,
};
