/* set_values.c -- values of text models by name: parameters, start values, and what may
 * be set in the middle of a run.
 */
#include "clause/clause.h"
#include "machine/stages.h"

#include <math.h>
#include <string.h>

/* ----------------------------------------------------------------- checks --- */

static const char *type_text(brink__type type)
{
  switch (type) {
  case BRINK_TYPE_REAL: return "a Real";
  case BRINK_TYPE_INTEGER: return "an Integer";
  case BRINK_TYPE_BOOLEAN: return "a Boolean, 0 or 1";
  case BRINK_TYPE_ENUMERATION: return "the number of a literal";
  }
  return "";
}

static brink_status fits(const brink__flat_var *v, double value, brink_err *err)
{
  int whole = value == floor(value) && fabs(value) < 0x1p53, ok = isfinite(value);

  if (v->type == BRINK_TYPE_INTEGER)
    ok = whole;
  if (v->type == BRINK_TYPE_BOOLEAN)
    ok = value == 0 || value == 1;
  if (v->type == BRINK_TYPE_ENUMERATION)
    ok = whole && value >= 1 && value <= v->n_literals;
  return ok ? BRINK_OK
            : brink__fail(err, BRINK_EARG,
                          "'%.80s' cannot be set to %g: %s is expected", v->name, value,
                          type_text(v->type));
}

static brink_status may_set(const brink__flat_var *v, brink_err *err)
{
  if (v->final)
    return brink__fail(err, BRINK_EARG, "'%.80s' is final and cannot be set", v->name);
  if (v->decides.line)
    return brink__fail(err, BRINK_EARG,
                       "'%.80s' decides the structure of the model (line %d): it can "
                       "be set only when the model is read",
                       v->name, v->decides.line);
  return BRINK_OK;
}

static brink_status no_run(const brink__flat_var *v, brink_err *err)
{
  return brink__fail(err, BRINK_EARG,
                     "'%.80s' has no value before a run starts; brink_sim_set_start "
                     "sets its start value",
                     v->name);
}

/* ------------------------------------------------------------- parameters --- */

static void put_setting(dae_settings *s, int32_t symbol, int set, double value)
{
  s->n += (size_t)set;
  s->n -= (size_t)s->set[symbol];
  s->set[symbol] = (unsigned char)set;
  s->value[symbol] = value;
  s->changed = 1;
}

/* The first tick of a sample at or (after) behind t. */
static double first_tick(double start, double every, double t, int after)
{
  double slack = brink__time_slack(fabs(t) + fabs(start));
  double k = floor((t - start) / every) - 1;

  k = k > 0 ? k : 0;
  while (start + k * every < t + (after ? slack : -slack))
    k += 1;
  return k;
}

/* Relations and stairs of time alone are what they literally are with the new
 * parameters; a sample goes on with its next tick, which is another one if its times
 * have changed. */
static void known_times(dae_live *live, double t)
{
  const dae_model *m = live->m;
  const dae_constants *c = &live->constants;

  for (size_t i = 0; i < m->n_timers; i++) {
    int k = m->timers[i].index;
    if (m->timers[i].line)
      brink__clause_timed_value(live, (int)i, t);
    if (m->timers[i].kind != CLAUSE_SAMPLE)
      continue;
    double next = live->tick[i] + live->ticked[i];
    double after = first_tick(c->sample_start[k], c->sample_interval[k], t, 1);
    if (next == after ||
        next == first_tick(c->sample_start[k], c->sample_interval[k], t, 0))
      continue;
    live->tick[i] = after;
    live->ticked[i] = 0;
  }
}

static brink_status set_parameter(dae_live *live, const brink__flat_var *v,
                                  double value, int running, double t, brink_err *err)
{
  dae_settings *s = live->settings;
  int was_set = s->set[v->value];
  double was = s->value[v->value];

  BRINK_TRY(may_set(v, err));
  put_setting(s, v->value, 1, value);
  if (!running)
    return BRINK_OK;
  brink_status rc = brink__dae_constants(live, err);
  if (rc < 0) { /* as it was */
    put_setting(s, v->value, was_set, was);
    brink__dae_constants(live, NULL);
    return rc;
  }
  live->v[BRINK__TIME] = t;
  known_times(live, t);
  return BRINK_OK;
}

/* -------------------------------------------------------------- variables --- */

static int state_of(const dae_model *m, int32_t symbol)
{
  for (size_t i = 0; i < m->n_states; i++)
    if (m->state_symbol[i] == symbol)
      return (int)i;
  return -1;
}

static int is_assigned(const dae_model *m, int32_t symbol)
{
  for (size_t i = 0; i < m->n_discretes; i++)
    if (m->discretes[i].value == symbol)
      return m->discretes[i].assigned;
  return 0;
}

static brink_status set_variable(dae_live *live, int var, double value, double *y,
                                 brink_err *err)
{
  const dae_model *m = live->m;
  const brink__flat_var *v = &m->flat->vars[var];
  int state = state_of(m, v->value);

  if (state < 0 && !v->input && !v->inactive && !is_assigned(m, v->value))
    return brink__fail(err, BRINK_EARG,
                       "'%.80s' cannot be set: an equation determines it", v->name);
  live->v[v->value] = value;
  if (state >= 0)
    y[state] = value;
  else if (m->pre_symbol[var] >= 0)
    live->v[m->pre_symbol[var]] = value;
  return BRINK_OK;
}

/* ------------------------------------------------------------------- face --- */

brink_status brink__equations_set(const brink_model *model, brink__live *l, int mode,
                                  double t, double *y, size_t index, double value,
                                  brink_err *err)
{
  const dae_model *m = dae_of(model);
  int var = m->show[index];
  const brink__flat_var *v = &m->flat->vars[var];

  (void)mode;
  BRINK_TRY(fits(v, value, err));
  if (y) { /* what loops depend on may jump */
    brink__dae_release(dae_live_of(l));
    dae_live_of(l)->anchors = 0;
  }
  if (v->variability == BRINK__PARAMETER)
    return set_parameter(dae_live_of(l), v, value, y != NULL, t, err);
  return y ? set_variable(dae_live_of(l), var, value, y, err) : no_run(v, err);
}

brink_status brink__equations_set_start(const brink_model *model, brink__live *l,
                                        size_t index, double value, brink_err *err)
{
  const dae_model *m = dae_of(model);
  const brink__flat_var *v = &m->flat->vars[m->show[index]];

  BRINK_TRY(fits(v, value, err));
  BRINK_TRY(may_set(v, err));
  put_setting(dae_live_of(l)->settings, v->value, 1, value);
  return BRINK_OK;
}

void brink__equations_reset(const brink_model *model, brink__live *l)
{
  dae_settings *s = dae_live_of(l)->settings;

  memset(s->set, 0, (size_t)dae_of(model)->flat->n_symbols);
  s->n = 0;
  s->changed = 1;
}

brink_status brink__equations_get(const brink_model *model, brink__live *l, int mode,
                                  double t, const double *y, size_t index,
                                  double *value, brink_err *err)
{
  dae_live *live = dae_live_of(l);
  const dae_model *m = dae_of(model);
  const brink__flat_var *v = &m->flat->vars[m->show[index]];
  int moves = v->variability == BRINK__CONTINUOUS && !v->input && !v->inactive;

  (void)mode;
  if (!y && v->variability != BRINK__PARAMETER)
    return no_run(v, err);
  if (!y && live->settings->changed)
    BRINK_TRY(brink__dae_constants(live, err));
  int state = moves ? state_of(m, v->value) : -1;
  if (moves && state < 0 && brink__dae_run(live, &m->all, t, y) < 0)
    return brink__fail_at(err, BRINK_EDOMAIN, t, "%s", brink__dae_reason(live));
  *value = state >= 0 ? y[state] : y ? live->v[v->value] : live->constants.v0[v->value];
  return BRINK_OK;
}
