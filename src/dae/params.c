/* params.c -- the definitions of constants, parameters and attributes, in an order in
 * which they can be evaluated.
 *
 * A parameter is its binding, else its start value, else 0 (false, the first
 * literal).  They may refer to each other in any order, but not in a circle and not
 * to variables.
 */
#include "dae/build.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static int is_parameter(const brink__flat_var *v)
{
  return v->variability <= BRINK__PARAMETER;
}

/* ---------------------------------------------------------- definitions --- */

/* Values of the parameters that the definition reads, for its first evaluation. */
static brink_status known(dae_build *b, brink__node def, size_t slots)
{
  BRINK_TRY(brink__grow(b->ctx, (void **)&b->numbers, &b->cap_numbers, slots,
                        sizeof(double)));
  b->read.n = 0;
  BRINK_TRY(brink__dae_walk_symbols(&b->walk, 1, &def, &b->read));
  for (size_t i = 0; i < b->read.n; i++)
    b->numbers[b->read.v[i]] = b->m->constants.v0[b->read.v[i]];
  memset(b->numbers + b->n_symbols, 0, (slots - b->n_symbols) * sizeof *b->numbers);
  return BRINK_OK;
}

static brink_status compile(dae_build *b, brink__node def, dae_definition *d)
{
  brink__tape *tape;

  if (brink__node_op(b->graph, def) == BRINK_OP_SYMBOL) {
    d->slot = (size_t)brink__node_symbol(b->graph, def);
    return known(b, def, b->n_symbols);
  }
  BRINK_TRY(brink__dae_tape(b, 1, &def, NULL, &tape));
  d->tape = tape;
  d->slot = brink__tape_slot(tape, 0);
  return known(b, def, brink__tape_slots(tape));
}

brink_status brink__dae_define(dae_build *b, dae_constant_kind kind, int index,
                               brink__node def, dae_constant_fault *fault)
{
  dae_model *m = b->m;
  dae_definition d = {.kind = kind, .index = index};

  *fault = (dae_constant_fault){kind, index, BRINK__NONE};
  if (brink__node_op(b->graph, def) == BRINK_OP_CONST)
    return brink__dae_constant_put(m, &m->constants, kind, index,
                                   brink__node_value(b->graph, def))
               ? BRINK_OK
               : BRINK_EDOMAIN;
  BRINK_TRY(compile(b, def, &d));
  BRINK_TRY(brink__dae_constant_evaluate(m, &d, b->numbers, &m->constants, fault));
  BRINK_TRY(brink__grow(b->ctx, (void **)&m->definitions, &m->cap_definitions,
                        m->n_definitions + 1, sizeof *m->definitions));
  m->definitions[m->n_definitions++] = d;
  return BRINK_OK;
}

brink_status brink__dae_must_define(dae_build *b, dae_constant_kind kind, int index,
                                    brink__node def)
{
  dae_constant_fault fault;
  char text[BRINK_ERR_TEXT];
  brink_status rc = brink__dae_define(b, kind, index, def, &fault);

  if (rc != BRINK_EDOMAIN)
    return rc;
  brink__place at = brink__dae_constant_explain(b->m, &fault, text, sizeof text);
  return brink__dae_fault(b, at, "%s", text);
}

/* ----------------------------------------------------------- parameters -- */

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

/* Parameters in order of evaluation: order[n] of indices in vars. */
static brink_status in_order(dae_build *b, size_t n, const int32_t *vars,
                             const int32_t *index, const brink__node *def,
                             int32_t **order)
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
  *order = c.order;
  return bad ? BRINK_EMODEL : BRINK_OK;
}

static brink_status parameters(dae_build *b)
{
  const brink__flat *f = b->flat;
  int32_t *vars, *index, *order;
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
  BRINK_TRY(in_order(b, n, vars, index, def, &order));
  for (size_t i = 0; i < n; i++)
    BRINK_TRY(brink__dae_must_define(b, DAE_PARAMETER, vars[order[i]], def[order[i]]));
  return BRINK_OK;
}

/* ---------------------------------------------------------- attributes --- */

static brink_status attribute(dae_build *b, dae_constant_kind kind, size_t var,
                              brink__node def)
{
  return def ? brink__dae_must_define(b, kind, (int)var, def) : BRINK_OK;
}

/* Start and nominal values of the variables. */
static brink_status attributes(dae_build *b)
{
  const brink__flat *f = b->flat;
  brink__node *nominal;

  BRINK_TRY(DAE_TAKE(&b->tmp, f->n_vars, &nominal));
  BRINK_TRY(brink__dae_nominals(b, nominal));
  for (size_t i = 0; i < f->n_vars; i++) {
    const brink__flat_var *v = &f->vars[i];
    brink__node start = v->start ? v->start : brink__first_value(b->graph, v->type);
    if (!start)
      return b->ctx->err.status;
    if (!is_parameter(v))
      BRINK_TRY(attribute(b, DAE_START, i, start));
    BRINK_TRY(attribute(b, DAE_NOMINAL, i, nominal[i]));
  }
  return BRINK_OK;
}

/* Are the values within min and max? */
static brink_status limits(dae_build *b)
{
  const brink__flat *f = b->flat;
  brink_status rc = BRINK_OK;
  char text[BRINK_ERR_TEXT];

  for (size_t i = 0; i < f->n_vars; i++) {
    BRINK_TRY(attribute(b, DAE_MIN, i, f->vars[i].min));
    BRINK_TRY(attribute(b, DAE_MAX, i, f->vars[i].max));
  }
  for (size_t i = 0; i < f->n_vars; i++) {
    int how = brink__dae_limits(b->m, &b->m->constants, i, text, sizeof text);
    if (how > 0)
      brink__dae_warn(b, f->vars[i].at, "%s", text);
    if (how < 0)
      rc = brink__dae_fault(b, f->vars[i].at, "%s", text);
  }
  return rc;
}

static brink_status take(dae_build *b)
{
  dae_model *m = b->m;

#define X(field, n) BRINK_TRY(DAE_TAKE(&m->pool, n, &m->field));
  DAE_CONSTANTS_ARRAYS(X, constants, m)
#undef X
  for (size_t i = 0; i < b->flat->n_vars; i++) {
    m->constants.nominal[i] = 1;
    m->constants.min[i] = -HUGE_VAL;
    m->constants.max[i] = HUGE_VAL;
  }
  return BRINK_OK;
}

brink_status brink__dae_parameters(dae_build *b)
{
  BRINK_TRY(take(b));
  BRINK_TRY(parameters(b));
  BRINK_TRY(attributes(b));
  return limits(b);
}
