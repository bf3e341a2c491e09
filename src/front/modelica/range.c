/* range.c -- what a loop runs through: a range as written, or one that is not.
 *
 * `for i loop` runs through the dimension that i alone is a subscript of, wherever that
 * is in the loop: 1:n, or the values of the enumeration or Boolean that the array is
 * declared with; all such dimensions must agree [Modelica36, 11.2.2.2].  Only arrays
 * that have a name are looked at, not (a + b)[i].
 *
 * Loops inside that are not entered yet have variables without values: they are
 * looked up as poison, and an element chosen by one of them stands for all elements.
 */
#include "front/modelica/lower.h"

typedef struct search {
  mo_low *lo;
  const mo_iter *it;
  const mo_env *env;
  const char *first; /* the array that tells the range; NULL: none yet */
  int dim;           /* and which of its dimensions, from 1 */
  mo_val values;
  int failed; /* reported */
} search;

static void expression(search *s, const mo_local *inner, const mo_expr *e);

/* ------------------------------------------------------------ dimensions ---- */

/* 1:size */
static mo_val numbers(mo_low *lo, int size)
{
  mo_val v = brink__lo_array(lo, MO_V_INTEGER, 1, &size);

  for (int i = 0; v.base != MO_V_BAD && i < size; i++)
    v.v[i] = brink__integer(lo->g, i + 1);
  return v;
}

/* the range as one would write it */
static const char *written(mo_low *lo, const mo_val *v)
{
  if (v->base == MO_V_INTEGER)
    return brink__lo_format(lo, "1:%d", v->dims[0]);
  return v->cls ? v->cls->name->bare : "Boolean";
}

static void found(search *s, const char *array, int dim, const mo_val *values)
{
  mo_low *lo = s->lo;

  if (values->base == MO_V_BAD) {
    s->failed = 1;
    return;
  }
  if (!s->first) {
    s->first = array;
    s->dim = dim;
    s->values = *values;
    return;
  }
  if (values->base != s->values.base || values->cls != s->values.cls ||
      values->dims[0] != s->values.dims[0])
    s->failed =
        brink__lo_error(lo, s->it->at,
                        "the range of '%s' is not clear: it is %s for dimension %d of "
                        "'%s', but %s for dimension %d of '%s'",
                        s->it->name->bare, written(lo, &s->values), s->dim, s->first,
                        written(lo, values), dim, array) != BRINK_OK;
}

static void no_dimension(search *s, const char *array, int dim)
{
  s->failed = 1;
  brink__lo_error(s->lo, s->it->at,
                  "the range of '%s' cannot be told: '%s' has no dimension %d",
                  s->it->name->bare, array, dim);
}

/* how dimension d was declared; NULL: by a type that is an array itself */
static const mo_expr *declared(const mo_inst *inst, int d)
{
  const mo_component *c = inst->decl;

  if (!c)
    return NULL;
  if (d < c->subs.n)
    return c->subs.v[d];
  d -= c->subs.n;
  return d < c->type->subs.n ? c->type->subs.v[d] : NULL;
}

static void of_instance(search *s, const mo_inst *inst, int d)
{
  const char *name = brink__lo_path(s->lo, inst, -1);
  mo_val values;

  if (d >= inst->nd) {
    no_dimension(s, name, d + 1);
    return;
  }
  const mo_expr *size = declared(inst, d);
  if (!size || size->kind != MO_REF ||
      !brink__lo_all_values(s->lo, inst->scope, &size->ref, size->at, &values))
    values = numbers(s->lo, inst->dims[d]);
  found(s, name, d + 1, &values);
}

/* ------------------------------------------------------------ references ---- */

typedef struct use { /* subscript d of part `part` is the loop's variable */
  search *s;
  const mo_ref *ref;
  mo_at at;
  const mo_scope *scope; /* with the variables of loops inside */
  int part, d;
} use;

/* number of the only element that subscripts choose; -1: several, or not known */
static long chosen(const use *u, const mo_inst *inst, const mo_list *subs)
{
  mo_env env = {u->scope, u->s->env->flags | MO_STRUCTURAL | MO_QUIET, -1};
  long offset = 0;

  if (subs->n != inst->nd)
    return -1;
  for (int i = 0; i < subs->n; i++) {
    double k;
    env.end = inst->dims[i];
    if (subs->v[i]->kind == MO_ALL || subs->v[i]->kind == MO_RANGE)
      return -1;
    size_t decided = u->s->lo->n_structural;
    mo_val v = brink__lo_expr(u->s->lo, &env, subs->v[i]);
    if (v.nd || (v.base != MO_V_INTEGER && v.base != MO_V_ENUM) ||
        !brink__lo_settled(u->s->lo, v.one, &k) || k < 1 || k > inst->dims[i]) {
      brink__lo_undecide(u->s->lo, decided);
      return -1;
    }
    offset = offset * inst->dims[i] + (long)k - 1;
  }
  return offset;
}

/* inst is what part i names */
static void descend(const use *u, mo_inst *inst, int i)
{
  mo_low *lo = u->s->lo;

  if (!brink__lo_ready(lo, inst)) {
    if (inst->absent)
      brink__lo_error(lo, u->at, "'%s' does not exist: its condition is false",
                      brink__lo_path(lo, inst, -1));
    u->s->failed = 1;
    return;
  }
  if (i == u->part) {
    of_instance(u->s, inst, u->d);
    return;
  }
  const mo_name *name = u->ref->parts[i + 1].name;
  int several = inst->nd > 0;
  long one = several ? chosen(u, inst, &u->ref->parts[i].subs) : -1;
  long n = several ? inst->n_kids : 1;
  for (long k = one < 0 ? 0 : one; k < n && !u->s->failed; k = one < 0 ? k + 1 : n) {
    mo_inst *from = several ? inst->kids[k] : inst;
    mo_inst *kid = brink__lo_kid(lo, from, u->ref->parts[i + 1].name);
    if (kid) {
      descend(u, kid, i + 1);
      continue;
    }
    u->s->failed = 1;
    brink__lo_error(lo, u->at, "'%s' has no component '%s'",
                    brink__lo_path(lo, from, -1), name->bare);
  }
}

static void of_local(const use *u, const mo_local *local)
{
  const char *name = u->ref->parts[u->part].name->bare;
  int size = brink__lo_local_size(local, u->ref, u->part, u->d);

  if (size < 0) {
    no_dimension(u->s, name, u->d + 1);
    return;
  }
  mo_val values = numbers(u->s->lo, size);
  found(u->s, name, u->d + 1, &values);
}

static void deduce(const use *u)
{
  mo_low *lo = u->s->lo;
  mo_scope top = {0};
  const mo_scope *from = u->ref->global ? &top : u->scope;
  mo_found f = brink__lo_find_name(lo, from, u->ref->parts[0].name, u->at);

  for (int i = 0; (f.kind == MO_F_CLASS || f.kind == MO_F_LIBRARY) && i < u->part;
       i++) {
    mo_found next = brink__lo_descend(lo, &f, u->ref->parts[i + 1].name, u->at);
    f = next;
    if (f.kind == MO_F_INST) {
      descend(u, f.inst, i + 1);
      return;
    }
  }
  if (f.kind == MO_F_INST)
    descend(u, f.inst, 0);
  else if (f.kind == MO_F_LOCAL)
    of_local(u, f.local);
  else {
    u->s->failed = 1;
    if (f.kind == MO_F_NONE && u->part == 0)
      brink__lo_unknown(lo, u->scope, u->ref, u->at, "variable");
    else if (f.kind != MO_F_BAD)
      brink__lo_error(lo, u->at, "'%s' is no array", brink__lo_ref_text(lo, u->ref));
  }
}

/* the loop's variable itself, and no variable of a loop inside with its name */
static int is_it(const search *s, const mo_local *inner, const mo_expr *e)
{
  if (e->kind != MO_REF || e->ref.n != 1 || e->ref.global || e->ref.parts[0].subs.n ||
      e->ref.parts[0].name != s->it->name)
    return 0;
  for (; inner != s->env->scope->locals; inner = inner->next)
    if (inner->name == s->it->name)
      return 0;
  return 1;
}

static void reference(search *s, const mo_local *inner, const mo_expr *e)
{
  mo_scope scope = *s->env->scope;

  scope.locals = inner;
  for (int i = 0; i < e->ref.n; i++)
    for (int d = 0; d < e->ref.parts[i].subs.n && !s->failed; d++) {
      const mo_expr *sub = e->ref.parts[i].subs.v[d];
      if (is_it(s, inner, sub))
        deduce(&(use){s, &e->ref, e->at, &scope, i, d});
      else
        expression(s, inner, sub);
    }
}

/* ----------------------------------------------------------- the whole body ---- */

/* the ranges of a loop inside, and its body: one of block and e */
static void loop(search *s, const mo_local *inner, const mo_iter *iters, int n,
                 const mo_block *block, const mo_expr *e);

static void list(search *s, const mo_local *inner, const mo_list *l)
{
  for (int i = 0; i < l->n; i++)
    expression(s, inner, l->v[i]);
}

static void expression(search *s, const mo_local *inner, const mo_expr *e)
{
  if (!e || s->failed)
    return;
  switch (e->kind) {
  case MO_REAL:
  case MO_INTEGER:
  case MO_BOOLEAN:
  case MO_STRING:
  case MO_ALL:
  case MO_END: return;
  case MO_REF: reference(s, inner, e); return;
  case MO_CALL:
  case MO_PARTIAL:
    for (int i = 0; i < e->call->n; i++)
      expression(s, inner, e->call->args[i].value);
    return;
  case MO_SUM:
  case MO_PRODUCT:
  case MO_AND:
  case MO_OR:
    for (int i = 0; i < e->chain.n; i++)
      expression(s, inner, e->chain.v[i].e);
    return;
  case MO_FOR: loop(s, inner, e->loop->iters, e->loop->n, NULL, e->loop->body); return;
  case MO_UNARY:
  case MO_POWER:
  case MO_RELATION:
  case MO_IF:
  case MO_RANGE:
  case MO_ARRAY:
  case MO_MATRIX:
  case MO_ROW:
  case MO_TUPLE:
  case MO_INDEX: list(s, inner, &e->args); return;
  }
}

static void body(search *s, const mo_local *inner, const mo_block *block)
{
  for (int i = 0; i < block->n && !s->failed; i++) {
    const mo_stmt *st = block->v[i];
    expression(s, inner, st->left);
    expression(s, inner, st->right);
    if (st->kind == MO_FORS) {
      loop(s, inner, st->iters, st->n_iters, &st->branches[0].body, NULL);
      continue;
    }
    for (int k = 0; k < st->n_branches; k++) {
      expression(s, inner, st->branches[k].cond);
      body(s, inner, &st->branches[k].body);
    }
  }
}

static void loop(search *s, const mo_local *inner, const mo_iter *iters, int n,
                 const mo_block *block, const mo_expr *e)
{
  mo_val poison = brink__lo_bad();

  if (n > 0) {
    mo_local one = {inner, iters->name, &poison, 0, 0};
    expression(s, inner, iters->range);
    loop(s, &one, iters + 1, n - 1, block, e);
    return;
  }
  if (block)
    body(s, inner, block);
  else
    expression(s, inner, e);
}

/* the variables of the same `for`, up to the one that is looked for, have values or
 * poison; those that come later in the work are poison */
static int implied(mo_low *lo, const mo_env *env, const mo_loop *l, int i,
                   mo_val *values)
{
  search s = {.lo = lo, .it = &l->iters[i], .env = env};
  const char *name = s.it->name->bare;

  if (l->block) /* the first is the outermost */
    loop(&s, env->scope->locals, l->iters + i + 1, l->n - i - 1, l->block, NULL);
  else
    loop(&s, env->scope->locals, l->iters, i, NULL, l->body);
  if (s.failed)
    return 0;
  if (!s.first)
    brink__lo_error(lo, s.it->at,
                    "the range of '%s' cannot be told: no array has '%s' alone as a "
                    "subscript; write 'for %s in 1:n'",
                    name, name, name);
  *values = s.values;
  return s.first != NULL;
}

int brink__lo_iterate(mo_low *lo, const mo_env *env, const mo_loop *l, int i,
                      mo_val *values)
{
  const mo_iter *it = &l->iters[i];
  mo_env inner = *env;

  if (!it->range)
    return implied(lo, env, l, i, values);
  inner.flags |= MO_STRUCTURAL;
  if (it->range->kind == MO_REF && /* for b in Boolean, for c in Color */
      brink__lo_all_values(lo, env->scope, &it->range->ref, it->at, values))
    return values->base != MO_V_BAD;
  *values = brink__lo_expr(lo, &inner, it->range);
  if (values->base == MO_V_BAD)
    return 0;
  if (values->nd != 1) {
    brink__lo_error(lo, it->at, "'%s' needs a range or a vector to run through, not %s",
                    it->name->bare, brink__lo_type_text(lo, values));
    return 0;
  }
  return 1;
}
