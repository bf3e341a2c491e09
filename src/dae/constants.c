/* constants.c -- evaluating the numbers that parameters determine, when a model is
 * built and when a simulation with settings of its own starts; what is wrong with them.
 *
 * A min above its max is a fault; a parameter or a start value beyond them is used,
 * with a warning.  Nothing here allocates.
 */
#include "dae/model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---------------------------------------------------------------- values --- */

static void put_value(const dae_model *m, double *v, int var, double value)
{
  v[m->flat->vars[var].value] = value;
  if (m->pre_symbol[var] >= 0)
    v[m->pre_symbol[var]] = value;
}

int brink__dae_constant_put(const dae_model *m, dae_constants *c,
                            dae_constant_kind kind, int index, double value)
{
  switch (kind) {
  case DAE_PARAMETER:
  case DAE_START: put_value(m, c->v0, index, value); return 1;
  case DAE_NOMINAL: c->nominal[index] = value != 0 ? fabs(value) : 1; return 1;
  case DAE_MIN: c->min[index] = value; return 1;
  case DAE_MAX: c->max[index] = value; return 1;
  case DAE_LEVEL: c->level[index] = value; return 1;
  case DAE_SAMPLE_START: c->sample_start[index] = value; return 1;
  case DAE_SAMPLE_INTERVAL: c->sample_interval[index] = value; return value > 0;
  case DAE_LONGEST_DELAY: c->delay[index] = value; return value > 0 && isfinite(value);
  }
  return 0;
}

static int is_set(const dae_model *m, const dae_settings *s, const dae_definition *d)
{
  return (d->kind == DAE_PARAMETER || d->kind == DAE_START) &&
         s->set[m->flat->vars[d->index].value];
}

brink_status brink__dae_constant_evaluate(const dae_model *m, const dae_definition *d,
                                          double *v, dae_constants *c,
                                          dae_constant_fault *fault)
{
  *fault = (dae_constant_fault){d->kind, d->index, BRINK__NONE};
  if (d->tape && brink__tape_values(d->tape, v, &fault->culprit) < 0)
    return BRINK_EDOMAIN;
  if (!brink__dae_constant_put(m, c, d->kind, d->index, v[d->slot]))
    return BRINK_EDOMAIN;
  if (d->kind == DAE_PARAMETER)
    put_value(m, v, d->index, v[d->slot]);
  return BRINK_OK;
}

/* The model's numbers. */
static void copy(const dae_model *m, dae_live *live)
{
#define X(field, n) memcpy(live->field, m->field, (n) * sizeof *live->field);
  DAE_CONSTANTS_ARRAYS(X, constants, m)
#undef X
}

/* The same with the settings in place of what they replace. */
static void begin(dae_live *live)
{
  const dae_model *m = live->m;
  const dae_settings *s = live->settings;

  copy(m, live);
  for (size_t i = 0; s->n && i < m->flat->n_vars; i++) {
    int32_t symbol = m->flat->vars[i].value;
    if (s->set[symbol])
      put_value(m, live->constants.v0, (int)i, s->value[symbol]);
  }
}

/* How many different delays are there through which an event comes back? */
static int lengths(const dae_live *live)
{
  const dae_model *m = live->m;
  const double *by = live->constants.delay;
  int n = 0;

  for (size_t i = 0; i < m->n_delays; i++) {
    int constant = m->delays[i].constant;
    int new = (constant || m->delays[i].timed) && !m->flat->delays[i].unread;
    for (size_t k = 0; k < i && new &&constant; k++)
      new = !m->delays[k].constant || by[k] != by[i] || m->flat->delays[k].unread;
    n += new;
  }
  return n;
}

/* How often an event comes back through the delays.  Each integration makes the jump
 * smoother, so that DAE_ECHOES times are enough.  An expression that contains a delay
 * is not smoothed; with several delays the times are sums of all of them, and their
 * number is kept small. */
static int echoes(const dae_live *live)
{
  int n = lengths(live);

  if (live->m->nested)
    return n <= 2 ? DAE_ENDLESS : 2 * DAE_ECHOES;
  return n <= 1 ? DAE_ECHOES : n == 2 ? DAE_ECHOES / 2 : 1;
}

/* live->reason, with its place in the text of the model. */
static brink_status fail(const dae_live *live, brink__place at, brink_err *err)
{
  brink__fail(err, BRINK_EMODEL, "%s", live->reason);
  if (err) {
    err->line = at.line;
    err->col = at.col;
    snprintf(err->file, sizeof err->file, "%s", live->m->flat->file);
  }
  return BRINK_EMODEL;
}

brink_status brink__dae_constants(dae_live *live, brink_err *err)
{
  const dae_model *m = live->m;
  dae_constants *c = &live->constants;
  dae_constant_fault fault;

  begin(live);
  live->echoes = echoes(live);
  if (live->settings->n == 0)
    return BRINK_OK;
  for (size_t i = 0; i < m->flat->n_vars; i++)
    if (m->flat->vars[i].variability <= BRINK__PARAMETER)
      put_value(m, live->v, (int)i, c->v0[m->flat->vars[i].value]);
  for (size_t i = 0; i < m->n_definitions; i++)
    if (!is_set(m, live->settings, &m->definitions[i]) &&
        brink__dae_constant_evaluate(m, &m->definitions[i], live->v, c, &fault) < 0) {
      brink__place at =
          brink__dae_constant_explain(m, &fault, live->reason, sizeof live->reason);
      return fail(live, at, err);
    }
  live->echoes = echoes(live);
  for (size_t i = 0; i < m->flat->n_vars; i++)
    if (brink__dae_limits(m, c, i, live->reason, sizeof live->reason) < 0)
      return fail(live, m->flat->vars[i].at, err);
  return BRINK_OK;
}

double brink__dae_longest_step(const dae_live *live)
{
  const dae_model *m = live->m;
  double h = 0;

  for (size_t i = 0; i < m->n_delays; i++)
    if (m->delays[i].constant && (h == 0 || live->constants.delay[i] < h))
      h = live->constants.delay[i];
  return h;
}

/* ---------------------------------------------------------------- limits --- */

enum { TEXT = 60 };

/* A value as it would be written. */
static const char *written(const brink__flat_var *v, double value, char *buf)
{
  if (v->n_literals > 0 && value >= 1 && value <= v->n_literals)
    snprintf(buf, TEXT, "%.50s", v->literals[(int)value - 1]);
  else
    snprintf(buf, TEXT, "%.9g", value);
  return buf;
}

int brink__dae_limits(const dae_model *m, const dae_constants *c, size_t var, char *buf,
                      size_t cap)
{
  const brink__flat_var *v = &m->flat->vars[var];
  int parameter = v->variability <= BRINK__PARAMETER;
  double value = c->v0[v->value], min = c->min[var], max = c->max[var];
  char low[TEXT], is[TEXT];

  if (min > max) {
    snprintf(buf, cap, "'%s' cannot have a value: its min %s is above its max %s",
             v->name, written(v, min, low), written(v, max, is));
    return -1;
  }
  if ((!parameter && !v->start && v->fixed != 1) || (value >= min && value <= max))
    return 0;
  snprintf(buf, cap, "%s '%s' is %s, %s %s",
           parameter ? "the parameter" : "the start value of", v->name,
           written(v, value, is), value < min ? "below its min" : "above its max",
           written(v, value < min ? min : max, low));
  return 1;
}

const char *brink__dae_limit_warning(dae_live *live, int *number)
{
  const dae_model *m = live->m;
  const dae_constants *c = &live->constants, *usual = &m->constants;
  char text[DAE_REASON - 64];

  for (size_t i = 0; live->settings->n && i < m->flat->n_vars; i++) {
    int32_t symbol = m->flat->vars[i].value;
    int as_read =
        c->v0[symbol] == usual->v0[symbol] && c->min[i] == usual->min[i] &&
        c->max[i] == usual->max[i]; /* the reader of the model has warned of it */
    if (as_read || brink__dae_limits(m, c, i, text, sizeof text) <= 0 || (*number)--)
      continue;
    snprintf(live->reason, sizeof live->reason, "line %d: %s", m->flat->vars[i].at.line,
             text);
    return live->reason;
  }
  return NULL;
}

/* ------------------------------------------------------------- sentences --- */

brink__place brink__dae_constant_explain(const dae_model *m,
                                         const dae_constant_fault *fault, char *buf,
                                         size_t cap)
{
  const brink__flat *f = m->flat;
  const char *op =
      fault->culprit ? brink__op_text(brink__node_op(f->graph, fault->culprit)) : "";
  const brink__flat_var *v = &f->vars[fault->kind <= DAE_MAX ? fault->index : 0];

  switch (fault->kind) {
  case DAE_PARAMETER:
    snprintf(buf, cap, "'%s' has no value: its '%s' is outside its domain", v->name,
             op);
    return v->at;
  case DAE_START:
  case DAE_NOMINAL:
    snprintf(buf, cap, "the %s value of '%s' does not exist",
             fault->kind == DAE_START ? "start" : "nominal", v->name);
    return v->at;
  case DAE_MIN:
  case DAE_MAX:
    snprintf(buf, cap, "the %s of '%s' does not exist",
             fault->kind == DAE_MIN ? "min" : "max", v->name);
    return v->at;
  case DAE_LEVEL: {
    const brink__flat_relation *r = &f->relations[fault->index];
    snprintf(buf, cap, "%.80s has no value: its '%s' is outside its domain", r->text,
             op);
    return r->at;
  }
  case DAE_SAMPLE_START:
  case DAE_SAMPLE_INTERVAL:
    snprintf(buf, cap, "the interval of sample() must be positive%s",
             fault->culprit ? " and have a value" : "");
    return f->samples[fault->index].at;
  case DAE_LONGEST_DELAY:
    snprintf(buf, cap, "the delay in %.80s must be positive",
             f->delays[fault->index].text);
    return f->delays[fault->index].at;
  }
  return (brink__place){0, 0};
}
