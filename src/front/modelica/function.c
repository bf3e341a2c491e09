/* function.c -- functions written in Modelica, and record constructors.
 *
 * A call is executed on the spot: the arguments are expressions, the body is run by
 * exec.c, the outputs are expressions again; nothing remains of the function, so jets
 * and Jacobians pass through it.  Relations inside make no events [Modelica36,
 * 12.4.7], unless an Integer, Boolean or enumeration follows from them and from what is
 * continuous: such a value may change at events only, so these must be found.
 * Recursion ends where its conditions are known.
 */
#include "front/modelica/anatomy.h"

#include <string.h>

#include "front/modelica/parse.h"

typedef struct frame {
  mo_low *lo;
  const mo_env *caller;
  const mo_expr *e;
  const mo_class *cls;
  const mo_anatomy *a;
  mo_scope scope;
  mo_exec x;
  unsigned flags; /* how its expressions are read */
  int n_in;       /* inputs bound so far          */
  int *wide;      /* 1: an argument has more dimensions than it may; NULL: wrong */
} frame;

/* ------------------------------------------------------------------- locals ---- */

mo_val brink__lo_empty(mo_low *lo, const mo_kind *kind, int nd, const int *dims)
{
  mo_val v = {.base = kind->base, .cls = kind->cls};

  if (kind->base == MO_V_RECORD) {
    mo_inst *p = brink__lo_prototype(lo, kind->cls);
    v.fields =
        p ? brink__lo_take(lo, ((size_t)p->n_kids + 1) * sizeof *v.fields) : NULL;
    if (!v.fields)
      return brink__lo_bad();
    v.names = p->kids;
    v.n_fields = p->n_kids;
    v.nd = nd;
    if (nd)
      memcpy(v.dims, dims, (size_t)nd * sizeof *dims);
    for (int i = 0; i < p->n_kids; i++) {
      mo_kind of = {.base = p->kids[i]->base, .cls = p->kids[i]->cls};
      int all[2 * MO_MAX_DIMS], own = p->kids[i]->nd;
      if (nd + own > MO_MAX_DIMS)
        return brink__lo_bad();
      if (nd)
        memcpy(all, dims, (size_t)nd * sizeof *all);
      if (own)
        memcpy(all + nd, p->kids[i]->dims, (size_t)own * sizeof *all);
      v.fields[i] = brink__lo_empty(lo, &of, nd + own, all);
      if (v.fields[i].base == MO_V_BAD)
        return brink__lo_bad();
    }
    return v;
  }
  if (nd == 0)
    return v;
  if (kind->base == MO_V_STRING) {
    v.nd = nd;
    memcpy(v.dims, dims, (size_t)nd * sizeof *dims);
    v.fields = brink__lo_take(lo, (brink__lo_count(&v) + 1) * sizeof *v.fields);
    for (size_t k = 0; v.fields && k < brink__lo_count(&v); k++)
      v.fields[k] = (mo_val){.base = MO_V_STRING};
    return v.fields ? v : brink__lo_bad();
  }
  v = brink__lo_array(lo, kind->base, nd, dims);
  v.cls = kind->cls;
  return v;
}

/* argument for the formal `name`, the k-th input; NULL: none */
static const mo_expr *argument(const frame *f, const mo_name *name, int k)
{
  const mo_call *c = f->e->call;

  if (k < c->n && !c->args[k].name)
    return c->args[k].value;
  for (int i = 0; i < c->n; i++)
    if (c->args[i].name == name)
      return c->args[i].value;
  return NULL;
}

static int sizes_of(frame *f, const mo_scope *scope, const mo_component *c,
                    const mo_kind *kind, int *nd, int *dims)
{
  *nd = 0;
  if (!brink__lo_sizes(f->lo, scope, &c->subs, nd, dims) ||
      !brink__lo_sizes(f->lo, scope, &c->type->subs, nd, dims))
    return 0;
  for (int i = 0; i < kind->nd && *nd < MO_MAX_DIMS; i++)
    dims[(*nd)++] = kind->dims[i];
  return 1;
}

/* the value a variable begins with fits its declared sizes; ':' takes what comes */
static int check_shape(frame *f, const mo_component *c, const mo_val *v, int nd,
                       int *dims)
{
  int ok = v->nd == nd;

  for (int i = 0; ok && i < nd; i++) {
    if (dims[i] < 0)
      dims[i] = v->dims[i];
    ok = dims[i] == v->dims[i];
  }
  if (!ok && f->wide && v->nd > nd && c->prefix.causality == MO_INPUT)
    *f->wide = 1;
  else if (!ok)
    brink__lo_error(f->lo, f->e->at,
                    "'%s' of the function '%s' does not fit: it is given %s",
                    c->name->bare, f->cls->name->bare, brink__lo_type_text(f->lo, v));
  return ok;
}

static mo_val first_value(frame *f, const mo_formal *of, const mo_kind *kind)
{
  const mo_component *c = of->c;
  const mo_expr *value = of->value ? of->value : c->value;
  int input = c->prefix.causality == MO_INPUT;
  mo_scope scope = {NULL, of->value ? of->written : of->cls, f->scope.locals};
  mo_env own = {&scope, f->flags, -1};
  mo_val v = {.base = MO_V_CLASS}; /* none */

  const mo_expr *arg = input ? argument(f, c->name, f->n_in++) : NULL;
  if (arg)
    v = brink__lo_expr(f->lo, f->caller, arg);
  else if (value)
    v = brink__lo_expr(f->lo, &own, value);
  else if (input) {
    brink__lo_error(f->lo, f->e->at, "the argument '%s' of '%s' is missing",
                    c->name->bare, f->cls->name->bare);
    return brink__lo_bad();
  } else
    return v;
  mo_at at = arg ? arg->at : value->at;
  return brink__lo_coerce(f->lo, at, v, kind->base, kind->cls,
                          brink__lo_format(f->lo, "the argument '%s' of '%s'",
                                           c->name->bare, f->cls->name->bare));
}

static void copy_into(mo_val *to, const mo_val *v)
{
  if (to->base == MO_V_RECORD) {
    for (int i = 0; i < to->n_fields && i < v->n_fields; i++)
      copy_into(&to->fields[i], &v->fields[i]);
    return;
  }
  if (to->base == MO_V_STRING)
    *to = *v;
  else if (to->nd == 0)
    to->one = v->one;
  else
    memcpy(to->v, v->v, brink__lo_count(to) * sizeof *to->v);
}

static int declare(frame *f, const mo_formal *of)
{
  const mo_component *c = of->c;
  mo_scope scope = {NULL, of->cls, f->scope.locals};
  mo_kind kind;
  int nd, dims[MO_MAX_DIMS];
  mo_low *lo = f->lo;

  mo_found type = brink__lo_find_class(lo, &scope, &c->type->name, c->type->at);
  if (type.kind == MO_F_CLASS && type.cls->kind == MO_C_FUNCTION) {
    const mo_expr *given = argument(f, c->name, f->n_in);
    if (!given || given->kind != MO_PARTIAL) /* else refused by refuse.c */
      brink__lo_error(lo, f->e->at,
                      "a function as an argument is not supported; write a function "
                      "that calls it directly");
    return 0;
  }
  if (!brink__lo_kind_of(lo, &scope, c->type, &kind))
    return 0;
  if (kind.base == MO_V_CLASS) {
    brink__lo_error(lo, c->at, "a function cannot have components of models");
    return 0;
  }
  mo_val first = first_value(f, of, &kind);
  if (first.base == MO_V_BAD)
    return 0;
  mo_local self = {scope.locals, c->name, &first, 0, 0}; /* Real A[:, size(A, 1)] */
  if (first.base != MO_V_CLASS)
    scope.locals = &self;
  if (!sizes_of(f, &scope, c, &kind, &nd, dims))
    return 0;
  unsigned open = 0; /* [Modelica36, 12.4.5] */
  for (int i = 0; i < nd; i++)
    open |= dims[i] < 0 ? 1u << i : 0;
  if (first.base != MO_V_CLASS && !check_shape(f, c, &first, nd, dims))
    return 0;
  for (int i = 0; i < nd; i++)
    dims[i] = dims[i] < 0 ? 0 : dims[i];
  mo_val *v = brink__lo_take(lo, sizeof *v);
  mo_local *l = brink__lo_take(lo, sizeof *l);
  if (!v || !l)
    return 0;
  *v = brink__lo_empty(lo, &kind, nd, dims);
  if (v->base == MO_V_BAD)
    return 0;
  if (first.base != MO_V_CLASS)
    copy_into(v, &first);
  *l = (mo_local){
      f->scope.locals, c->name, v,
      c->prefix.causality != MO_INPUT && c->prefix.variability < MO_PARAMETER, open};
  f->scope.locals = l;
  return brink__lo_exec_places(&f->x, v);
}

/* -------------------------------------------------------------------- calls ---- */

static int is_input(const mo_formal *of) { return of->c->prefix.causality == MO_INPUT; }

/* Is the formal argument that argument k names given by one before it? */
static int given_before(const frame *f, int k)
{
  const mo_call *c = f->e->call;
  int input = 0;

  for (int i = 0; i < f->a->n; i++)
    if (is_input(&f->a->formals[i])) {
      if (f->a->formals[i].c->name == c->args[k].name && !c->args[input].name)
        return 1;
      if (++input == c->n)
        break;
    }
  for (int i = 0; i < k; i++)
    if (c->args[i].name == c->args[k].name)
      return 1;
  return 0;
}

static int check_arguments(const frame *f)
{
  const mo_call *c = f->e->call;
  int n = 0;

  for (int i = 0; i < f->a->n; i++)
    n += is_input(&f->a->formals[i]);
  if (c->n > n) {
    brink__lo_error(f->lo, f->e->at, "'%s' takes %d argument%s, not %d",
                    f->cls->name->bare, n, n == 1 ? "" : "s", c->n);
    return 0;
  }
  for (int k = 0; k < c->n; k++) {
    int known = !c->args[k].name;
    for (int i = 0; !known && i < f->a->n; i++)
      known =
          f->a->formals[i].c->name == c->args[k].name && is_input(&f->a->formals[i]);
    if (!known) {
      brink__lo_error(f->lo, c->args[k].at, "'%s' has no argument '%s'",
                      f->cls->name->bare, c->args[k].name->bare);
      return 0;
    }
    if (c->args[k].name && given_before(f, k)) {
      brink__lo_error(f->lo, c->args[k].at, "the argument '%s' of '%s' is given twice",
                      c->args[k].name->bare, f->cls->name->bare);
      return 0;
    }
  }
  return 1;
}

static const mo_class *whole_function(mo_low *lo, const mo_class *cls, mo_at at)
{
  if (cls->form == MO_DERIVATIVE && brink__mo_refuse(lo->file, cls, lo->diag))
    return NULL;
  if (cls->kind == MO_C_FUNCTION && (cls->form == MO_LONG || cls->form == MO_SHORT))
    return cls;
  brink__lo_error(lo, at,
                  cls->kind == MO_C_FUNCTION
                      ? "the function '%s' is declared in a way that is not "
                        "supported; write it out"
                      : "'%s' is not a function",
                  cls->name->bare);
  return NULL;
}

static void run_body(frame *f)
{
  for (int i = 0; i < f->a->n_bodies; i++) {
    mo_scope scope = {NULL, f->a->owners[i], f->scope.locals};
    mo_env env = {&scope, f->flags, -1};
    const mo_section *s = f->a->bodies[i];
    if (s->algorithm)
      brink__lo_exec(&f->x, &env, &s->body);
    else
      brink__lo_error(f->lo, s->at, "a function has an algorithm, not equations");
  }
}

int brink__lo_has_value(const mo_val *v)
{
  if (v->base == MO_V_STRING) {
    int ok = v->nd || v->text;
    for (size_t k = 0; ok && v->nd && k < brink__lo_count(v); k++)
      ok = v->fields[k].text != NULL;
    return ok;
  }
  if (v->base == MO_V_RECORD) {
    for (int i = 0; i < v->n_fields; i++)
      if (!brink__lo_has_value(&v->fields[i]))
        return 0;
    return 1;
  }
  for (size_t k = 0; k < brink__lo_count(v); k++)
    if (!brink__lo_at(v, k))
      return 0;
  return 1;
}

static mo_val *outputs(frame *f, int *n_out)
{
  mo_low *lo = f->lo;
  mo_val *v = brink__lo_take(lo, ((size_t)f->a->n + 1) * sizeof *v);

  for (int i = 0; v && i < f->a->n; i++) {
    const mo_component *c = f->a->formals[i].c;
    if (c->prefix.causality != MO_OUTPUT)
      continue;
    for (const mo_local *l = f->scope.locals; l; l = l->next)
      if (l->name == c->name)
        v[*n_out] = *l->value;
    if (!brink__lo_has_value(&v[*n_out])) {
      brink__lo_error(lo, c->at, "the output '%s' of '%s' gets no value", c->name->bare,
                      f->cls->name->bare);
      *n_out = 0;
      return NULL;
    }
    ++*n_out;
  }
  if (*n_out == 0 && v)
    brink__lo_error(lo, f->e->at, "the function '%s' has no output",
                    f->cls->name->bare);
  return v;
}

static mo_val *enter(frame *f, int *n_out)
{
  mo_low *lo = f->lo;
  int ok = check_arguments(f), errors;

  /* inputs first: sizes of the others may use them */
  for (int pass = 0; ok && pass < 2; pass++)
    for (int i = 0; ok && i < f->a->n; i++)
      if (is_input(&f->a->formals[i]) == (pass == 0))
        ok = declare(f, &f->a->formals[i]);
  errors = lo->diag->n_errors;
  if (!ok)
    return NULL;
  run_body(f);
  if (lo->diag->n_errors > errors || brink__diag_full(lo->diag))
    return NULL;
  return outputs(f, n_out);
}

/* A function that calls itself ends by what is known: parameters are then read by
 * value, if the arguments consist of nothing else. */
static int read_by_value(mo_low *lo, const mo_env *env, const mo_anatomy *a,
                         const mo_class *cls, const mo_expr *e, mo_env *known)
{
  int recursive = 0;

  if (lo->calls || (env->flags & MO_STRUCTURAL))
    return 0;
  recursive = brink__lo_recursive(a, cls);
  *known = *env;
  known->flags |= MO_STRUCTURAL | MO_QUIET;
  size_t decided = lo->n_structural;
  for (int i = 0; recursive && i < e->call->n; i++)
    recursive = brink__lo_expr(lo, known, e->call->args[i].value).base != MO_V_BAD;
  if (!recursive)
    brink__lo_undecide(lo, decided);
  return recursive;
}

static mo_val *execute(mo_low *lo, const mo_env *env, const mo_class *cls,
                       const mo_expr *e, int events, int *wide, int *n_out)
{
  mo_val *v = NULL;
  brink__node *now = lo->now;
  mo_env known;

  *n_out = 0;
  cls = whole_function(lo, cls, e->at);
  const mo_anatomy *a = cls ? brink__lo_anatomy(lo, cls) : NULL;
  if (!a || !brink__lo_step(lo, e->at))
    return NULL;
  if (lo->calls >= MO_MAX_NESTING && !lo->lost)
    brink__lo_error(lo, e->at, "calls of '%s' are nested more than %d deep",
                    cls->name->bare, MO_MAX_NESTING);
  lo->lost |= lo->calls >= MO_MAX_NESTING;
  if (lo->lost)
    return NULL;
  if (read_by_value(lo, env, a, cls, e, &known))
    env = &known;
  frame f = {
      .lo = lo, .caller = env, .e = e, .cls = cls, .a = a, .scope = {NULL, cls, NULL}};
  f.flags = MO_FUNCTION | (env->flags & (MO_STRUCTURAL | MO_QUIET));
  f.flags |= events ? 0 : MO_PLAIN;
  f.wide = wide;
  lo->calls++;
  if (brink__lo_exec_open(&f.x, lo, 1))
    v = enter(&f, n_out);
  brink__lo_exec_close(&f.x);
  if (--lo->calls == 0)
    lo->lost = 0;
  lo->now = now;
  return v;
}

/* Something that only events may change, made of what moves between them? */
static int jumps(mo_low *lo, const mo_val *v)
{
  int yes = 0;

  if (v->base == MO_V_RECORD)
    for (int i = 0; i < v->n_fields; i++)
      yes |= jumps(lo, &v->fields[i]);
  if (v->base == MO_V_INTEGER || v->base == MO_V_BOOLEAN || v->base == MO_V_ENUM)
    for (size_t k = 0; !yes && k < brink__lo_count(v); k++)
      yes = brink__lo_varies(lo, brink__lo_at(v, k)) == BRINK__CONTINUOUS;
  return yes;
}

mo_val *brink__lo_function(mo_low *lo, const mo_env *env, const mo_class *cls,
                           const mo_expr *e, const mo_list *left, int *n_out)
{
  const unsigned quiet = MO_PLAIN | MO_STRUCTURAL | MO_IN_WHEN | MO_INITIAL;
  int inside = (env->flags & (MO_FUNCTION | MO_PLAIN)) == MO_FUNCTION, again = 0;
  int wide = 0;
  size_t n_asserts = lo->n_asserts;

  mo_val *v = execute(lo, env, cls, e, inside, left ? NULL : &wide, n_out);
  if (wide) {
    lo->n_asserts = n_asserts;
    v = brink__lo_take(lo, sizeof *v);
    if (v)
      *v = brink__lo_elementwise(lo, env, cls, e);
    *n_out = v && v->base != MO_V_BAD;
    return v;
  }
  for (int i = 0; i < *n_out && !inside && !(env->flags & quiet); i++)
    if (left ? i < left->n && left->v[i] : i == 0)
      again |= jumps(lo, &v[i]);
  if (!again)
    return v;
  lo->n_asserts = n_asserts;
  return execute(lo, env, cls, e, 1, NULL, n_out);
}

/* -------------------------------------------------------------- constructors ---- */

/* Is every field that is given by name one of the record's, and given once? */
static int check_fields(const frame *f, const mo_inst *p)
{
  const mo_call *c = f->e->call;

  for (int i = 0; i < c->n; i++) {
    const mo_name *name = c->args[i].name;
    int k = 0, twice = 0;
    while (name && k < p->n_kids && p->kids[k]->name != name)
      k++;
    if (name && k == p->n_kids) {
      brink__lo_error(f->lo, c->args[i].at, "the record '%s' has no field '%s'",
                      f->cls->name->bare, name->bare);
      return 0;
    }
    for (int b = 0; name && b < i; b++)
      twice |= c->args[b].name ? c->args[b].name == name : b == k;
    if (twice) {
      brink__lo_error(f->lo, c->args[i].at, "the field '%s' of '%s' is given twice",
                      name->bare, f->cls->name->bare);
      return 0;
    }
  }
  return 1;
}

mo_val brink__lo_constructor(mo_low *lo, const mo_env *env, const mo_class *cls,
                             const mo_expr *e)
{
  mo_inst *p = brink__lo_prototype(lo, cls);
  frame f = {.lo = lo, .caller = env, .e = e, .cls = cls};
  mo_val v = {.base = MO_V_RECORD};

  if (!p)
    return brink__lo_bad();
  v.cls = p->cls;
  v.names = p->kids;
  v.n_fields = p->n_kids;
  v.fields = brink__lo_take(lo, ((size_t)p->n_kids + 1) * sizeof *v.fields);
  if (e->call->n > p->n_kids) {
    brink__lo_error(lo, e->at, "the record '%s' has %d fields, not %d", cls->name->bare,
                    p->n_kids, e->call->n);
    return brink__lo_bad();
  }
  if (!check_fields(&f, p))
    return brink__lo_bad();
  for (int i = 0; v.fields && i < p->n_kids; i++) {
    mo_inst *k = p->kids[i];
    const mo_expr *arg = argument(&f, k->name, i);
    mo_kind kind = {.base = k->base, .cls = k->cls};
    mo_val want = brink__lo_empty(lo, &kind, k->nd, k->dims), got;
    if (!arg && !brink__lo_binding(lo, k)) {
      brink__lo_error(lo, e->at, "the field '%s' of '%s' is missing", k->name->bare,
                      cls->name->bare);
      return brink__lo_bad();
    }
    got = arg ? brink__lo_expr(lo, env, arg) : brink__lo_known(lo, k, e->at, 0);
    got = brink__lo_coerce(lo, arg ? arg->at : e->at, got, k->base, k->cls,
                           brink__lo_format(lo, "the field '%s'", k->name->bare));
    if (got.base != MO_V_BAD && !brink__lo_same_shape(&got, &want)) {
      brink__lo_error(lo, e->at, "the field '%s' is %s, not %s", k->name->bare,
                      brink__lo_type_text(lo, &want), brink__lo_type_text(lo, &got));
      got = brink__lo_bad();
    }
    if (got.base == MO_V_BAD)
      return got;
    v.fields[i] = got;
  }
  return v.fields ? v : brink__lo_bad();
}
