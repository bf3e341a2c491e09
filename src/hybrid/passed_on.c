/* passed_on.c -- a model that asks another one.
 *
 * Each operation here does nothing but translate the mode and the time.  Times that a
 * model knows beforehand, and limits of steps, are on the clock of the run already
 * (model.h, backward).
 */
#include "hybrid/passed_on.h"

/* The model that is asked, and its mode that the question is about. */
#define INNER const brink_model *in = model->inner
#define INNER_MODE                                                                     \
  INNER;                                                                               \
  mode = model->mode_asked ? model->mode_asked(model, mode) : mode

static double time_of(const brink_model *model, double t)
{
  return model->backward ? -t : t;
}

/* ------------------------------------------------------------------ modes --- */

static brink_status live_copy(const brink_model *model, brink__live *to,
                              const brink__live *from, brink_err *err)
{
  INNER;
  return in->ops->live_copy(in, to, from, err);
}

static const brink__mode *mode_info(const brink_model *model, const brink__live *live,
                                    int mode)
{
  INNER_MODE;
  return in->ops->mode_info(in, live, mode);
}

static const char *mode_name(const brink_model *model, int mode)
{
  INNER_MODE;
  return in->ops->mode_name(in, mode);
}

static int nominals(const brink_model *model, const brink__live *live, int mode,
                    double *nominal)
{
  INNER_MODE;
  return in->ops->nominals(in, live, mode, nominal);
}

static double longest_step(const brink_model *model, const brink__live *live)
{
  INNER;
  return in->ops->longest_step(in, live);
}

static double step_limit(const brink_model *model, brink__live *live, int mode,
                         double t, const double *y, double t_end, double wanted,
                         double rtol)
{
  INNER_MODE;
  return in->ops->step_limit(in, live, mode, t, y, t_end, wanted, rtol);
}

static brink__effort effort(const brink_model *model, const brink__live *live)
{
  INNER;
  return in->ops->effort(in, live);
}

/* ----------------------------------------------------------------- guards --- */

static int guard(const brink_model *model, brink__live *live, int mode, int k, double t,
                 const double *y, double *g)
{
  INNER_MODE;
  return in->ops->guard(in, live, mode, k, time_of(model, t), y, g);
}

static int outside(const brink_model *model, brink__live *live, int mode, double t,
                   const double *y)
{
  INNER_MODE;
  return in->ops->outside(in, live, mode, time_of(model, t), y);
}

static int beyond(const brink_model *model, brink__live *live, int mode,
                  const signed char *sign)
{
  INNER_MODE;
  return in->ops->beyond(in, live, mode, sign);
}

static int guard_noise(const brink_model *model, brink__live *live, int mode, int k,
                       double t, const double *y, const double *noise, double *value,
                       double *delta)
{
  INNER_MODE;
  return in->ops->guard_noise(in, live, mode, k, time_of(model, t), y, noise, value,
                              delta);
}

static double fired_within(const brink_model *model, const brink__live *live, int mode,
                           int k, double t)
{
  INNER_MODE;
  return in->ops->fired_within(in, live, mode, k, time_of(model, t));
}

static brink_side guard_side(const brink_model *model, const brink__live *live,
                             int mode, int k)
{
  INNER_MODE;
  return in->ops->guard_side(in, live, mode, k);
}

static void levels(const brink_model *model, brink__live *live, int mode,
                   brink__guard *guards)
{
  INNER_MODE;
  in->ops->levels(in, live, mode, guards);
}

/* ----------------------------------------------------------------- events --- */

static brink_status instant(const brink_model *model, brink__live *live,
                            brink__instant *inst, brink_err *err)
{
  INNER;
  return in->ops->instant(in, live, inst, err);
}

static int restarted(const brink_model *model, brink__live *live, int mode, double t,
                     const double *g, const signed char *old_sign, signed char *sign,
                     signed char *hit, brink_err *err)
{
  INNER_MODE;
  return in->ops->restarted(in, live, mode, time_of(model, t), g, old_sign, sign, hit,
                            err);
}

static double next_time(const brink_model *model, brink__live *live, int mode, double t,
                        const double *y, int asked, unsigned char *due)
{
  INNER_MODE;
  return in->ops->next_time(in, live, mode, t, y, asked, due);
}

static const char *event_name(const brink_model *model, const brink__live *live,
                              int mode, int event)
{
  INNER_MODE;
  return in->ops->event_name(in, live, mode, event);
}

static brink_side event_side(const brink_model *model, const brink__live *live,
                             int mode, int event)
{
  INNER_MODE;
  return in->ops->event_side(in, live, mode, event);
}

static int event_edge(const brink_model *model, int mode, int event,
                      const signed char *before, const signed char *after,
                      const signed char *hit, int *which)
{
  INNER_MODE;
  return in->ops->event_edge(in, mode, event, before, after, hit, which);
}

/* ----------------------------------------------------------------- values --- */

static brink_status values(const brink_model *model, brink__live *live, int mode,
                           double t, const double *y, double *out, brink_err *err)
{
  INNER_MODE;
  return in->ops->values(in, live, mode, time_of(model, t), y, out, err);
}

static brink_status set(const brink_model *model, brink__live *live, int mode, double t,
                        double *y, size_t index, double value, brink_err *err)
{
  INNER_MODE;
  return in->ops->set(in, live, mode, time_of(model, t), y, index, value, err);
}

static brink_status set_start(const brink_model *model, brink__live *live, size_t index,
                              double value, brink_err *err)
{
  INNER;
  return in->ops->set_start(in, live, index, value, err);
}

static void reset(const brink_model *model, brink__live *live)
{
  INNER;
  in->ops->reset(in, live);
}

static brink_status get(const brink_model *model, brink__live *live, int mode, double t,
                        const double *y, size_t index, double *value, brink_err *err)
{
  INNER_MODE;
  return in->ops->get(in, live, mode, time_of(model, t), y, index, value, err);
}

/* ----------------------------------------------------- the course of a run --- */

static brink_status accepted(const brink_model *model, brink__live *live, int mode,
                             double t, const double *y, brink_err *err)
{
  INNER_MODE;
  return in->ops->accepted(in, live, mode, time_of(model, t), y, err);
}

static int delayed(const brink_model *model, brink__live *live, int mode, double t,
                   const double *y, double *v)
{
  INNER_MODE;
  return in->ops->delayed(in, live, mode, time_of(model, t), y, v);
}

static void record(const brink_model *model, brink__live *live, int mode,
                   const brink_step *step, double begin, double end, double t_end,
                   const brink__delayed *law)
{
  INNER_MODE;
  in->ops->record(in, live, mode, step, begin, end, t_end, law);
}

static void record_same(const brink_model *model, brink__live *live,
                        const brink__live *from)
{
  INNER;
  in->ops->record_same(in, live, from);
}

static const char *fold(const brink_model *model, brink__live *live, int mode, double t,
                        brink_err *err)
{
  INNER_MODE;
  return in->ops->fold(in, live, mode, time_of(model, t), err);
}

static size_t moved_starts(const brink_model *model, const brink__live *live,
                           size_t most, brink_moved_start *out)
{
  INNER;
  return in->ops->moved_starts(in, live, most, out);
}

static const char *warning(const brink_model *model, brink__live *live, int number)
{
  INNER;
  return in->ops->warning(in, live, number);
}

/* -------------------------------------------------------------------- wrap --- */

void brink__pass_on(brink_model *model, brink__model_ops *ops, const brink_model *inner)
{
  const brink__model_ops *own = inner->ops;

  *ops = (brink__model_ops){
      .live_copy = live_copy,
      .mode_info = mode_info,
      .mode_name = mode_name,
      .nominals = nominals,
      .longest_step = longest_step,
      .step_limit = own->step_limit ? step_limit : NULL,
      .effort = effort,
      .steady = own->steady,
      .guard = guard,
      .outside = outside,
      .beyond = beyond,
      .guard_noise = guard_noise,
      .fired_within = own->fired_within ? fired_within : NULL,
      .guard_side = guard_side,
      .levels = levels,
      .instant = instant,
      .restarted = restarted,
      .next_time = next_time,
      .event_name = event_name,
      .event_side = event_side,
      .event_edge = own->event_edge ? event_edge : NULL,
      .values = values,
      .set = set,
      .set_start = set_start,
      .reset = reset,
      .get = get,
      .accepted = own->accepted ? accepted : NULL,
      .delayed = own->delayed ? delayed : NULL,
      .record = own->record ? record : NULL,
      .record_same = own->record_same ? record_same : NULL,
      .fold = own->fold ? fold : NULL,
      .moved_starts = moved_starts,
      .warning = warning,
  };
  *model = *inner;
  model->ops = ops;
  model->inner = inner;
}
