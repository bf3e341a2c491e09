/* params.c -- constants, parameters and attributes become numbers.
 *
 * A parameter is its binding, else its start value, else 0 (false, the first
 * literal).  They may refer to each other in any order, but not in a circle and not
 * to variables.  A min above its max is a fault; a parameter or a start value beyond
 * them is told of, and used.
 */
#include "dae/build.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static int is_parameter(const brink__flat_var *v)
{
  return v->variability <= BRINK__PARAMETER;
}

/* ------------------------------------------------------------- numbers --- */

brink_status brink__dae_numbers(dae_build *b, size_t n, const brink__node *roots,
                                double *values, size_t *bad)
{
  brink__tape_spec spec = {.n_roots = n, .roots = roots, .n_symbols = b->n_symbols};
  brink__tape *tape;
  brink__node culprit = BRINK__NONE;

  *bad = n;
  b->read.n = 0;
  BRINK_TRY(brink__dae_walk_symbols(&b->walk, n, roots, &b->read));
  BRINK_TRY(brink__tape_new(b->graph, &spec, &tape));
  size_t slots = brink__tape_slots(tape);
  brink_status rc =
      brink__grow(b->ctx, (void **)&b->numbers, &b->cap_numbers, slots, sizeof(double));
  double *v = b->numbers;
  if (rc == BRINK_OK) {
    /* only what is read: a model with many guards asks for each of them */
    for (size_t i = 0; i < b->read.n; i++)
      v[b->read.v[i]] = b->m->v0[b->read.v[i]];
    memset(v + b->n_symbols, 0, (slots - b->n_symbols) * sizeof *v);
    rc = brink__tape_values(tape, v, &culprit);
    for (size_t i = 0; i < n && rc == BRINK_OK; i++)
      values[i] = v[brink__tape_slot(tape, i)];
  }
  brink__tape_free(tape);
  if (rc == BRINK_EDOMAIN)
    BRINK_TRY(brink__dae_walk_find(&b->walk, n, roots, culprit, bad));
  return rc;
}

/* ----------------------------------------------------------- parameters -- */

/* Values of the parameters vars[n], defined by def[n], into v0. */
static brink_status evaluate(dae_build *b, size_t n, const int32_t *vars,
                             const brink__node *def)
{
  int32_t *targets;
  double *v;
  brink__tape *tape;
  brink__node culprit = BRINK__NONE;
  brink__tape_spec spec = {.n_roots = n, .roots = def, .n_symbols = b->n_symbols};

  BRINK_TRY(DAE_TAKE(&b->tmp, n, &targets));
  for (size_t i = 0; i < n; i++)
    targets[i] = b->flat->vars[vars[i]].value;
  spec.targets = targets;
  BRINK_TRY(brink__tape_new(b->graph, &spec, &tape));
  size_t slots = brink__tape_slots(tape);
  brink_status rc = DAE_TAKE(&b->tmp, slots, &v);
  if (rc == BRINK_OK) {
    rc = brink__tape_values(tape, v, &culprit);
    for (size_t i = 0; i < n && rc == BRINK_OK; i++)
      b->m->v0[targets[i]] = v[targets[i]];
  }
  brink__tape_free(tape);
  if (rc != BRINK_EDOMAIN)
    return rc;
  size_t bad;
  BRINK_TRY(brink__dae_walk_find(&b->walk, n, def, culprit, &bad));
  const brink__flat_var *p = &b->flat->vars[vars[bad < n ? bad : 0]];
  return brink__dae_fault(b, p->at, "'%s' has no value: its '%s' is outside its domain",
                          p->name, brink__op_text(brink__node_op(b->graph, culprit)));
}

/* A component of several parameters, or one that names itself, is a circle. */
static brink_status circle(dae_build *b, const int32_t *vars, const int32_t *which,
                           size_t n)
{
  char names[140] = "";
  size_t used = 0;

  for (size_t k = 0; k < n && used + 30 < sizeof names; k++)
    used += (size_t)snprintf(names + used, sizeof names - used, "%s'%.20s'",
                             k ? ", " : "", b->flat->vars[vars[which[n - 1 - k]]].name);
  const brink__flat_var *p = &b->flat->vars[vars[which[n - 1]]];
  return brink__dae_fault(b, p->at,
                          n > 1 ? "parameters are defined in a circle: %s"
                                : "parameter %s is defined by itself",
                          names);
}

static brink_status arrows(dae_build *b, size_t n, const int32_t *vars,
                           const int32_t *index, const brink__node *def, size_t *start,
                           unsigned char *self, dae_list *to)
{
  for (size_t i = 0; i < n; i++) {
    size_t from = to->n;
    start[i] = from;
    BRINK_TRY(brink__dae_walk_symbols(&b->walk, 1, &def[i], to));
    size_t kept = from;
    for (size_t e = from; e < to->n; e++) {
      int32_t var = b->var_of[to->v[e]];
      if (var < 0 || index[var] < 0)
        return brink__dae_fault(
            b, b->flat->vars[vars[i]].at,
            "'%s' must depend on parameters only, not on %s%s%s",
            b->flat->vars[vars[i]].name, var < 0 ? "what changes" : "'",
            var < 0 ? "" : b->flat->vars[var].name, var < 0 ? "" : "'");
      if (index[var] == (int32_t)i)
        self[i] = 1;
      else
        to->v[kept++] = index[var];
    }
    to->n = kept;
  }
  start[n] = to->n;
  return BRINK_OK;
}

static brink_status no_circles(dae_build *b, size_t n, const int32_t *vars,
                               const int32_t *index, const brink__node *def)
{
  brink__components c;
  size_t *start;
  unsigned char *self;
  int bad = 0;

  BRINK_TRY(DAE_TAKE(&b->tmp, n + 1, &start));
  BRINK_TRY(DAE_TAKE(&b->tmp, n, &self));
  BRINK_TRY(DAE_TAKE(&b->tmp, n, &c.order));
  BRINK_TRY(DAE_TAKE(&b->tmp, n + 1, &c.first));
  b->list.n = 0;
  BRINK_TRY(arrows(b, n, vars, index, def, start, self, &b->list));
  BRINK_TRY(brink__blocks(b->ctx, n, start, b->list.v, &c));
  for (size_t k = 0; k < c.count; k++) {
    size_t size = c.first[k + 1] - c.first[k];
    if (size > 1 || self[c.order[c.first[k]]]) {
      circle(b, vars, c.order + c.first[k], size);
      bad = 1;
    }
  }
  return bad ? BRINK_EMODEL : BRINK_OK;
}

static brink_status parameters(dae_build *b)
{
  const brink__flat *f = b->flat;
  int32_t *vars, *index;
  brink__node *def;
  size_t n = 0;

  BRINK_TRY(DAE_TAKE(&b->tmp, f->n_vars, &vars));
  BRINK_TRY(DAE_TAKE(&b->tmp, f->n_vars, &index));
  BRINK_TRY(DAE_TAKE(&b->tmp, f->n_vars, &def));
  for (size_t i = 0; i < f->n_vars; i++) {
    const brink__flat_var *v = &f->vars[i];
    index[i] = is_parameter(v) ? (int32_t)n : -1;
    if (!is_parameter(v))
      continue;
    vars[n] = (int32_t)i;
    def[n] = v->binding ? v->binding
             : v->start ? v->start
                        : brink__first_value(b->graph, v->type);
    if (!def[n++])
      return b->ctx->err.status;
  }
  BRINK_TRY(no_circles(b, n, vars, index, def));
  return evaluate(b, n, vars, def);
}

/* ---------------------------------------------------------- attributes --- */

/* Start and nominal values of the variables. */
static brink_status attributes(dae_build *b)
{
  const brink__flat *f = b->flat;
  brink__node *roots;
  double *values;
  size_t bad;

  BRINK_TRY(DAE_TAKE(&b->tmp, 2 * f->n_vars, &roots));
  BRINK_TRY(DAE_TAKE(&b->tmp, 2 * f->n_vars, &values));
  BRINK_TRY(DAE_TAKE(&b->tmp, f->n_vars, &b->nominal));
  for (size_t i = 0; i < f->n_vars; i++) {
    const brink__flat_var *v = &f->vars[i];
    roots[2 * i] = v->start ? v->start : brink__first_value(b->graph, v->type);
    roots[2 * i + 1] = v->nominal ? v->nominal : brink__real(b->graph, 1);
    if (!roots[2 * i] || !roots[2 * i + 1])
      return b->ctx->err.status;
  }
  brink_status rc = brink__dae_numbers(b, 2 * f->n_vars, roots, values, &bad);
  if (rc == BRINK_EDOMAIN)
    return brink__dae_fault(b, f->vars[bad / 2].at,
                            "the %s value of '%s' does not exist",
                            bad % 2 ? "nominal" : "start", f->vars[bad / 2].name);
  BRINK_TRY(rc);
  for (size_t i = 0; i < f->n_vars; i++) {
    const brink__flat_var *v = &f->vars[i];
    double nominal = fabs(values[2 * i + 1]);
    b->nominal[i] = nominal > 0 ? nominal : 1;
    if (is_parameter(v))
      continue;
    b->m->v0[v->value] = values[2 * i];
    if (v->pre >= 0)
      b->m->v0[v->pre] = values[2 * i];
  }
  for (size_t i = 0; i < b->m->n_discretes; i++)
    b->m->v0[b->m->discretes[i].pre] = b->m->v0[b->m->discretes[i].value];
  return BRINK_OK;
}

/* -------------------------------------------------------------- limits --- */

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

static brink_status limits_of(dae_build *b, const brink__flat_var *v, double min,
                              double max)
{
  double value = b->m->v0[v->value];
  char low[TEXT], is[TEXT];

  if (min > max)
    return brink__dae_fault(b, v->at,
                            "'%s' cannot have a value: its min %s is above "
                            "its max %s",
                            v->name, written(v, min, low), written(v, max, is));
  if ((!is_parameter(v) && !v->start && v->fixed != 1) ||
      (value >= min && value <= max))
    return BRINK_OK;
  brink__dae_warn(b, v->at, "%s '%s' is %s, %s %s",
                  is_parameter(v) ? "the parameter" : "the start value of", v->name,
                  written(v, value, is),
                  value < min ? "below its min" : "above its max",
                  written(v, value < min ? min : max, low));
  return BRINK_OK;
}

/* Are the values within min and max? */
static brink_status limits(dae_build *b)
{
  const brink__flat *f = b->flat;
  brink__node *roots;
  double *values;
  int32_t *vars;
  size_t n = 0, bad;
  brink_status rc = BRINK_OK;

  BRINK_TRY(DAE_TAKE(&b->tmp, f->n_vars, &vars));
  for (size_t i = 0; i < f->n_vars; i++)
    if (f->vars[i].min || f->vars[i].max)
      vars[n++] = (int32_t)i;
  if (n == 0)
    return BRINK_OK;
  BRINK_TRY(DAE_TAKE(&b->tmp, 2 * n, &roots));
  BRINK_TRY(DAE_TAKE(&b->tmp, 2 * n, &values));
  for (size_t k = 0; k < n; k++) {
    const brink__flat_var *v = &f->vars[vars[k]];
    roots[2 * k] = v->min ? v->min : v->max;
    roots[2 * k + 1] = v->max ? v->max : v->min;
  }
  rc = brink__dae_numbers(b, 2 * n, roots, values, &bad);
  if (rc == BRINK_EDOMAIN) {
    const brink__flat_var *v = &f->vars[vars[bad / 2]];
    return brink__dae_fault(
        b, v->at, "the %s of '%s' does not exist",
        (bad % 2 ? v->max != BRINK__NONE : v->min == BRINK__NONE) ? "max" : "min",
        v->name);
  }
  BRINK_TRY(rc);
  for (size_t k = 0; k < n; k++) {
    const brink__flat_var *v = &f->vars[vars[k]];
    if (limits_of(b, v, v->min ? values[2 * k] : -HUGE_VAL,
                  v->max ? values[2 * k + 1] : HUGE_VAL) < 0)
      rc = BRINK_EMODEL;
  }
  return rc;
}

brink_status brink__dae_parameters(dae_build *b)
{
  BRINK_TRY(DAE_TAKE(&b->m->pool, b->n_symbols, &b->m->v0));
  BRINK_TRY(parameters(b));
  BRINK_TRY(attributes(b));
  return limits(b);
}
