/* shape.c -- the sizes of an expression whose value is not known before the run.
 *
 * size(tank.level, 1) and `Real y[:] = 2*x` need sizes only, and those are made of
 * constants and parameters.  Functions of the text and cat are covered where their
 * arguments are known.  Nothing is checked: whoever lowers the expression does.
 */
#include "front/modelica/lower.h"

#include <string.h>

typedef struct sizes {
  int nd;
  int dims[MO_MAX_DIMS];
} sizes;

static int shape(mo_low *lo, const mo_env *env, const mo_expr *e, sizes *out);

static int add(sizes *s, int size)
{
  if (s->nd == MO_MAX_DIMS)
    return 0;
  s->dims[s->nd++] = size;
  return 1;
}

/* ------------------------------------------------------------- references ---- */

/* what subscript `sub` leaves of a dimension */
static int subscript(mo_low *lo, const mo_env *env, const mo_expr *sub, int size,
                     sizes *out)
{
  mo_env inner = *env;
  sizes own;

  if (sub->kind == MO_ALL)
    return add(out, size);
  inner.flags |= MO_STRUCTURAL | MO_QUIET;
  inner.end = size;
  mo_val v = brink__lo_expr(lo, &inner, sub);
  if (v.base != MO_V_BAD)
    return v.nd == 0 || (v.nd == 1 && add(out, v.dims[0]));
  return shape(lo, env, sub, &own) && own.nd == 0; /* an index that moves */
}

/* inst is what part i names */
static int instance(mo_low *lo, const mo_env *env, const mo_ref *ref, int i,
                    mo_inst *inst, sizes *out)
{
  for (;; i++) {
    const mo_list *subs = &ref->parts[i].subs;
    if (!brink__lo_ready(lo, inst) || subs->n > inst->nd)
      return 0;
    for (int d = 0; d < inst->nd; d++)
      if (!(d < subs->n ? subscript(lo, env, subs->v[d], inst->dims[d], out)
                        : add(out, inst->dims[d])))
        return 0;
    if (i + 1 == ref->n)
      return inst->base != MO_V_CLASS;
    if (inst->base != MO_V_CLASS && inst->base != MO_V_RECORD)
      return 0;
    if (inst->nd) /* the elements have to agree, or it is no array */
      inst = inst->n_kids ? inst->kids[0] : NULL;
    inst = inst ? brink__lo_kid(lo, inst, ref->parts[i + 1].name) : NULL;
    if (!inst)
      return 0;
  }
}

static int reference(mo_low *lo, const mo_env *env, const mo_expr *e, sizes *out)
{
  const mo_ref *ref = &e->ref;
  mo_found f = {.kind = MO_F_NONE};

  if (!ref->global)
    f = brink__lo_find_name(lo, env->scope, ref->parts[0].name, e->at);
  if (f.kind == MO_F_INST)
    return instance(lo, env, ref, 0, f.inst, out);
  if (f.kind == MO_F_NONE) /* unless it is not declared */
    return ref->n == 1 && strcmp(ref->parts[0].name->text, "time") == 0;
  if (f.kind != MO_F_LOCAL || ref->n > 1)
    return 0;
  const mo_val *v = f.local->value;
  const mo_list *subs = &ref->parts[0].subs;
  for (int d = 0; d < v->nd; d++)
    if (!(d < subs->n ? subscript(lo, env, subs->v[d], v->dims[d], out)
                      : add(out, v->dims[d])))
      return 0;
  return subs->n <= v->nd;
}

/* -------------------------------------------------------------- operators ---- */

/* a * b [Modelica36, 10.6.5] */
static void multiply(sizes *a, const sizes *b)
{
  if (a->nd == 0) {
    *a = *b;
  } else if (b->nd && a->nd + b->nd <= 4) {
    sizes r = {.nd = 0};
    for (int d = 0; d + 1 < a->nd; d++)
      add(&r, a->dims[d]);
    for (int d = 1; d < b->nd; d++)
      add(&r, b->dims[d]);
    *a = r;
  }
}

static int chain(mo_low *lo, const mo_env *env, const mo_chain *c, sizes *out)
{
  for (int i = 0; i < c->n; i++) {
    sizes one;
    if (!shape(lo, env, c->v[i].e, &one))
      return 0;
    if (c->v[i].op == MO_OP_MUL)
      multiply(out, &one);
    else if (out->nd == 0)
      *out = one;
  }
  return 1;
}

/* a ^ n, or one of a .^ b */
static int power(mo_low *lo, const mo_env *env, const mo_expr *e, sizes *out)
{
  sizes other;

  if (!shape(lo, env, e->args.v[0], out) || !shape(lo, env, e->args.v[1], &other))
    return 0;
  if (out->nd == 0)
    *out = other;
  return 1;
}

/* {body for i in r, j in s}: the last iterator is the outermost dimension */
static int comprehension(mo_low *lo, const mo_env *env, const mo_for *f, int last,
                         sizes *out)
{
  mo_val values;
  sizes own;

  if (last < 0) {
    int ok = shape(lo, env, f->body, &own);
    for (int d = 0; ok && d < own.nd; d++)
      ok = add(out, own.dims[d]);
    return ok;
  }
  mo_loop l = {f->iters, f->n, NULL, f->body};
  if (!brink__lo_iterate(lo, env, &l, last, &values) || values.dims[0] == 0)
    return 0;
  mo_val one = brink__lo_element(lo, &values, &(int){0}, 1);
  mo_scope scope = *env->scope;
  mo_local local = {scope.locals, f->iters[last].name, &one, 0, 0};
  mo_env inner = *env;
  scope.locals = &local;
  inner.scope = &scope;
  return add(out, values.dims[0]) && comprehension(lo, &inner, f, last - 1, out);
}

static int array(mo_low *lo, const mo_env *env, const mo_expr *e, sizes *out)
{
  sizes own;

  if (e->args.n == 0)
    return 0;
  if (e->args.v[0]->kind == MO_FOR)
    return comprehension(lo, env, e->args.v[0]->loop, e->args.v[0]->loop->n - 1, out);
  if (!shape(lo, env, e->args.v[0], &own) || !add(out, e->args.n))
    return 0;
  for (int d = 0; d < own.nd; d++)
    if (!add(out, own.dims[d]))
      return 0;
  return 1;
}

/* ------------------------------------------------------------------ calls ---- */

/* the sizes of what can be evaluated */
static int known(mo_low *lo, const mo_env *env, const mo_expr *e, sizes *out)
{
  mo_env inner = *env;

  inner.flags |= MO_STRUCTURAL | MO_QUIET;
  mo_val v = brink__lo_expr(lo, &inner, e);
  if (v.base == MO_V_BAD)
    return 0;
  out->nd = v.nd;
  memcpy(out->dims, v.dims, sizeof v.dims);
  return 1;
}

/* the built-in functions whose result has the sizes of argument `like`; -1: a scalar */
static const struct {
  const char *name;
  int like;
} calls[] = {
    {"abs", 0},     {"sign", 0},     {"sqrt", 0},     {"sin", 0},   {"cos", 0},
    {"tan", 0},     {"asin", 0},     {"acos", 0},     {"atan", 0},  {"sinh", 0},
    {"cosh", 0},    {"tanh", 0},     {"exp", 0},      {"log", 0},   {"log10", 0},
    {"floor", 0},   {"ceil", 0},     {"integer", 0},  {"der", 0},   {"pre", 0},
    {"noEvent", 0}, {"smooth", 1},   {"homotopy", 0}, {"delay", 0}, {"cross", 0},
    {"sum", -1},    {"product", -1}, {"min", -1},     {"max", -1},  {"scalar", -1},
};

static int call(mo_low *lo, const mo_env *env, const mo_expr *e, sizes *out)
{
  const mo_call *c = e->call;
  mo_found f = brink__lo_find_class(lo, env->scope, &c->fn, e->at);
  const char *name = f.kind == MO_F_LIBRARY ? brink__lo_library_function(f.path)
                     : f.kind == MO_F_NONE && c->fn.n == 1 ? c->fn.parts[0].name->text
                                                           : NULL;

  for (size_t i = 0; name && i < BRINK__COUNT(calls); i++)
    if (strcmp(calls[i].name, name) == 0)
      return calls[i].like < 0 ||
             (calls[i].like < c->n && !c->args[calls[i].like].name &&
              shape(lo, env, c->args[calls[i].like].value, out));
  if (name && strcmp(name, "transpose") == 0 && c->n == 1 &&
      shape(lo, env, c->args[0].value, out) && out->nd == 2) {
    *out = (sizes){2, {out->dims[1], out->dims[0]}};
    return 1;
  }
  return known(lo, env, e, out);
}

static int shape(mo_low *lo, const mo_env *env, const mo_expr *e, sizes *out)
{
  *out = (sizes){.nd = 0};
  switch (e->kind) {
  case MO_REAL:
  case MO_INTEGER:
  case MO_BOOLEAN:
  case MO_STRING:
  case MO_RELATION: return 1;
  case MO_REF: return reference(lo, env, e, out);
  case MO_UNARY: return shape(lo, env, e->args.v[0], out);
  case MO_POWER: return power(lo, env, e, out);
  case MO_SUM:
  case MO_PRODUCT:
  case MO_AND:
  case MO_OR: return chain(lo, env, &e->chain, out);
  case MO_IF: return shape(lo, env, e->args.v[1], out);
  case MO_ARRAY: return array(lo, env, e, out);
  case MO_CALL: return call(lo, env, e, out);
  case MO_RANGE:
  case MO_MATRIX:
  case MO_INDEX: return known(lo, env, e, out);
  case MO_PARTIAL:
  case MO_ROW:
  case MO_TUPLE:
  case MO_FOR:
  case MO_ALL:
  case MO_END: return 0;
  }
  return 0;
}

int brink__lo_shape(mo_low *lo, const mo_env *env, const mo_expr *e, int *nd, int *dims)
{
  sizes s;

  if (!shape(lo, env, e, &s))
    return 0;
  *nd = s.nd;
  memcpy(dims, s.dims, sizeof s.dims);
  return 1;
}
