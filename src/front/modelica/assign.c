/* assign.c -- the left side of ':='.
 *
 * A name stands for places: elements of the value of a function's own variable, or
 * variables of the model.  A subscript that is not known before the run, a[i] := e,
 * assigns to every element: the chosen one gets e, the others keep what they have.
 */
#include "front/modelica/lower.h"

#include <string.h>

enum { FIRST = 2 }; /* places before those of variables: return, break */

static void assign_to(mo_exec *x, const mo_env *env, const mo_expr *left, mo_val v);

/* algorithm: the variable becomes a place */
static brink__node *place_of(mo_exec *x, mo_at at, brink__node n)
{
  mo_low *lo = x->lo;
  int32_t var = brink__lo_var_of(lo, n);

  if (var < 0 || (size_t)var >= lo->n_now) {
    brink__lo_error(lo, at,
                    "the left side of ':=' must be a variable whose subscripts are "
                    "known before the run");
    return NULL;
  }
  if (lo->vars[var].variability == BRINK__PARAMETER) {
    if (!(lo->vars[var].fixed == 0)) {
      brink__lo_error(lo, at, "the parameter '%s' cannot be assigned to",
                      lo->vars[var].name);
      return NULL;
    }
  }
  if (!x->seen[var]) {
    x->seen[var] = 1;
    if (!brink__lo_exec_place(x, &lo->now[var]) ||
        !brink__lo_push(lo, (void **)&x->vars, &x->cap_vars, x->n - FIRST - 1,
                        sizeof *x->vars))
      return NULL;
    x->vars[x->n - FIRST - 1] = var;
  }
  return &lo->now[var];
}

static int fits(mo_low *lo, mo_at at, const mo_val *to, mo_val *v, const char *what)
{
  if (to->base == MO_V_BAD || v->base == MO_V_BAD)
    return 0;
  *v = brink__lo_coerce(lo, at, *v, to->base, to->cls, what);
  if (v->base == MO_V_BAD)
    return 0;
  if (!brink__lo_same_shape(to, v)) {
    brink__lo_error(lo, at, "%s is %s, but %s is expected", what,
                    brink__lo_type_text(lo, v), brink__lo_type_text(lo, to));
    return 0;
  }
  return 1;
}

static void assign_variable(mo_exec *x, mo_at at, const mo_val *to, mo_val v)
{
  mo_low *lo = x->lo;

  if (!fits(lo, at, to, &v, "the right side"))
    return;
  if (to->base == MO_V_RECORD) {
    for (int i = 0; i < to->n_fields && i < v.n_fields; i++)
      assign_variable(x, at, &to->fields[i], v.fields[i]);
    return;
  }
  if (to->base == MO_V_STRING) {
    brink__lo_no_text(lo, at);
    return;
  }
  for (size_t k = 0; k < brink__lo_count(to); k++) {
    brink__node *place = place_of(x, at, brink__lo_at(to, k));
    if (!place)
      return;
    *place = brink__lo_at(&v, k);
  }
}

/* the same shape, filled with the numbers of its elements */
static mo_val numbered(mo_low *lo, const mo_val *v)
{
  mo_val r = *v;

  if (v->nd == 0) {
    r.one = brink__integer(lo->g, 0);
    return r;
  }
  r = brink__lo_array(lo, v->base, v->nd, v->dims);
  for (size_t k = 0; r.base != MO_V_BAD && k < brink__lo_count(&r); k++)
    r.v[k] = brink__integer(lo->g, (int64_t)k);
  return r;
}

static void store(mo_low *lo, mo_at at, mo_val *to, mo_val v)
{
  if (!fits(lo, at, to, &v, "the right side"))
    return;
  if (to->base == MO_V_STRING) {
    *to = v;
    return;
  }
  if (to->base == MO_V_RECORD) {
    for (int i = 0; i < to->n_fields && i < v.n_fields; i++)
      store(lo, at, &to->fields[i], v.fields[i]);
    return;
  }
  if (to->nd == 0)
    to->one = v.one;
  else
    memcpy(to->v, v.v, brink__lo_count(to) * sizeof *to->v);
}

/* elements of a local variable; a record hands the subscripts to its fields */
static void store_elements(mo_low *lo, const mo_env *env, mo_at at, mo_val *to,
                           const mo_list *subs, mo_val v)
{
  if (to->base == MO_V_RECORD && v.base == MO_V_RECORD) {
    for (int i = 0; i < to->n_fields && i < v.n_fields; i++)
      store_elements(lo, env, at, &to->fields[i], subs, v.fields[i]);
    return;
  }
  mo_val shape = *to, which;
  shape.base = MO_V_INTEGER;
  shape.cls = NULL;
  which = numbered(lo, &shape);
  which = brink__lo_subscript(lo, env, at, &which, subs);
  if (which.base == MO_V_BAD)
    return;
  which.base = to->base;
  which.cls = to->cls;
  if (!fits(lo, at, &which, &v, "the right side"))
    return;
  for (size_t k = 0; k < brink__lo_count(&which); k++) {
    double i = 0;
    brink__lo_const(lo, which.nd ? which.v[k] : which.one, &i);
    if (to->base == MO_V_STRING)
      to->fields[(size_t)i] = v.nd ? v.fields[k] : v;
    else
      to->v[(size_t)i] = brink__lo_at(&v, k);
  }
}

/* r[i].a[k]: the subscripts of all parts, those of arrays left whole as ':' */
static int all_subscripts(mo_low *lo, const mo_ref *ref, const int *nd, mo_list *out)
{
  static mo_expr all = {.kind = MO_ALL};
  size_t n = 0, used = 0;

  for (int i = 0; i < ref->n; i++) {
    used += (size_t)ref->parts[i].subs.n;
    n += (size_t)(ref->parts[i].subs.n > nd[i] ? ref->parts[i].subs.n : nd[i]);
  }
  *out = (mo_list){NULL, 0};
  if (!used)
    return 1;
  out->v = brink__lo_take(lo, (n + 1) * sizeof *out->v);
  for (int i = 0; out->v && i < ref->n; i++)
    for (int k = 0; k < ref->parts[i].subs.n || k < nd[i]; k++)
      out->v[out->n++] = k < ref->parts[i].subs.n ? ref->parts[i].subs.v[k] : &all;
  return out->v != NULL;
}

/* Real y[:]; y := {1, 2}: the variable takes the sizes of what it is given.  0: they do
 * not go together, reported */
static int resize(mo_exec *x, mo_at at, const mo_local *local, mo_val v)
{
  mo_val *to = local->value;
  mo_kind kind = {.base = to->base, .cls = to->cls};
  int fits = v.nd == to->nd, same = 1;

  for (int d = 0; fits && d < v.nd; d++) {
    fits = v.dims[d] == to->dims[d] || local->open & 1u << d;
    same = same && v.dims[d] == to->dims[d];
  }
  if (!fits || same)
    return 1; /* store() tells */
  if (x->path && brink__lo_count(to) > 0) {
    brink__lo_error(x->lo, at,
                    "the size of '%s' would depend on a condition that is not known "
                    "before the run",
                    local->name->bare);
    return 0;
  }
  *to = brink__lo_empty(x->lo, &kind, v.nd, v.dims);
  return to->base != MO_V_BAD && brink__lo_exec_places(x, to);
}

static void assign_local(mo_exec *x, const mo_env *env, const mo_expr *left,
                         const mo_local *local, mo_val v)
{
  mo_val *to = local->value;
  const mo_ref *ref = &left->ref;
  int *nd = brink__lo_take(x->lo, (size_t)ref->n * sizeof *nd);
  mo_list subs;

  if (!nd)
    return;
  if (!local->writable) {
    brink__lo_error(x->lo, left->at, "'%s' cannot be assigned to", local->name->bare);
    return;
  }
  nd[0] = to->nd;
  for (int i = 1; i < ref->n; i++) {
    mo_val *field = NULL;
    for (int f = 0; to->base == MO_V_RECORD && f < to->n_fields; f++)
      if (to->names[f]->name == ref->parts[i].name)
        field = &to->fields[f];
    if (!field) {
      brink__lo_error(x->lo, left->at, "'%s' has no field '%s'", local->name->bare,
                      ref->parts[i].name->bare);
      return;
    }
    nd[i] = field->nd - to->nd;
    to = field;
  }
  if (!all_subscripts(x->lo, ref, nd, &subs))
    return;
  if (subs.n)
    store_elements(x->lo, env, left->at, to, &subs, v);
  else if (!local->open || to != local->value || resize(x, left->at, local, v))
    store(x->lo, left->at, to, v);
}

/* ------------------------------------------------------ moving subscripts ---- */

/* the value that a left side has now; one that has none is MO_V_BAD without a word */
static mo_val present(mo_exec *x, const mo_env *env, const mo_expr *left)
{
  mo_low *lo = x->lo;
  mo_found f = brink__lo_find_name(lo, env->scope, left->ref.parts[0].name, left->at);

  if (f.kind == MO_F_LOCAL && !brink__lo_has_value(f.local->value))
    return brink__lo_bad();
  return brink__lo_expr(lo, env, left);
}

/* a[i] := v, where i is one of 1 .. size: each element in turn */
static void scatter(mo_exec *x, const mo_env *env, const mo_expr *left,
                    const mo_moving *m, const mo_val *v)
{
  mo_low *lo = x->lo;

  brink__lo_watch_subscript(lo, left->at, m->index, m->size);
  for (int k = 1; k <= m->size; k++) {
    mo_expr *one = brink__lo_with_subscript(lo, left, m, k);
    brink__node here = brink__lo_apply(lo, left->at, BRINK_OP_EQ, m->index,
                                       brink__integer(lo->g, k), BRINK__NONE);
    if (!one || !here)
      return;
    mo_val old = present(x, env, one);
    assign_to(x, env, one,
              old.base == MO_V_BAD ? *v
                                   : brink__lo_select(lo, left->at, here, v, &old));
  }
}

static void assign_to(mo_exec *x, const mo_env *env, const mo_expr *left, mo_val v)
{
  mo_low *lo = x->lo;

  if (v.base == MO_V_BAD)
    return;
  if (left->kind != MO_REF) {
    brink__lo_error(lo, left->at, "the left side of ':=' must be a variable");
    return;
  }
  mo_moving m;
  if (brink__lo_moving(lo, env, left, &m)) {
    scatter(x, env, left, &m, &v);
    return;
  }
  mo_found f = brink__lo_find_name(lo, env->scope, left->ref.parts[0].name, left->at);
  if (f.kind == MO_F_LOCAL) {
    assign_local(x, env, left, f.local, v);
    return;
  }
  brink__node *now = lo->now;
  lo->now = NULL; /* the variables themselves */
  mo_val to = brink__lo_ref(lo, env, &left->ref, left->at);
  lo->now = now;
  if (x->function && to.base != MO_V_BAD)
    brink__lo_error(lo, left->at, "a function can assign only to its own variables");
  else
    assign_variable(x, left->at, &to, v);
}

/* a String of the model: its number is assigned; 0: it is something else */
static int assign_text(mo_exec *x, const mo_env *env, const mo_stmt *s,
                       const mo_expr *left)
{
  brink__flat_action a;

  if (x->function || !brink__lo_text_assign(x->lo, env, s, left, &a))
    return 0;
  if (a.var < 0)
    return 1;
  brink__node *place =
      place_of(x, left->at,
               brink__symbol(x->lo->g, x->lo->vars[a.var].value, BRINK_TYPE_INTEGER));
  if (place)
    *place = a.value;
  return 1;
}

void brink__lo_assign(mo_exec *x, const mo_env *env, const mo_stmt *s)
{
  if (s->left->kind == MO_TUPLE && s->left->args.n != 1) {
    int n;
    mo_val *v = brink__lo_outputs(x->lo, env, &s->left->args, s->right, &n);
    for (int i = 0; i < s->left->args.n && i < n; i++)
      if (s->left->args.v[i] && !assign_text(x, env, s, s->left->args.v[i]))
        assign_to(x, env, s->left->args.v[i], v[i]);
    if (n && s->left->args.n > n)
      brink__lo_error(x->lo, s->at, "the function has only %d output%s", n,
                      n == 1 ? "" : "s");
    return;
  }
  const mo_expr *left = s->left->kind == MO_TUPLE ? s->left->args.v[0] : s->left;
  if (!assign_text(x, env, s, left))
    assign_to(x, env, left, brink__lo_expr(x->lo, env, s->right));
}
