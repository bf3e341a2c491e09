/* reference.c -- the value of a dotted name: a[2].b.c[1, :].
 *
 * The name is walked part by part through the tree of instances; an array of
 * components without a subscript stands for all its elements, so that a.b is an
 * array.  A single element never builds the whole array.
 */
#include "front/modelica/lower.h"

#include <string.h>

typedef struct walk {
  mo_low *lo;
  const mo_env *env;
  const mo_ref *ref;
  mo_at at;
} walk;

static mo_val rest(walk *w, mo_inst *inst, int i);

/* ---------------------------------------------------------------- values ---- */

static mo_val not_known(mo_low *lo, const mo_env *env, const mo_inst *inst, mo_at at)
{
  if (!(env->flags & MO_QUIET))
    brink__lo_error(lo, at,
                    "'%s' is not known before the run; only constants and "
                    "parameters can be used here",
                    brink__lo_path(lo, inst, -1));
  return brink__lo_bad();
}

static mo_val record_value(mo_low *lo, const mo_env *env, mo_inst *inst, mo_at at)
{
  mo_val v = {.base = MO_V_RECORD, .cls = inst->cls, .n_fields = inst->n_kids};

  v.names = inst->kids;
  v.fields = brink__lo_take(lo, ((size_t)inst->n_kids + 1) * sizeof *v.fields);
  for (int i = 0; v.fields && i < inst->n_kids; i++) {
    v.fields[i] = brink__lo_inst_value(lo, env, inst->kids[i], at);
    if (v.fields[i].base == MO_V_BAD)
      return brink__lo_bad();
  }
  return v.fields ? v : brink__lo_bad();
}

/* values of equal shape, put together under new leading dimensions */
static mo_val stack(mo_low *lo, mo_at at, const mo_val *v, size_t n, int nd,
                    const int *dims)
{
  for (size_t k = 0; k < n; k++)
    if (v[k].base == MO_V_BAD || !brink__lo_same_shape(&v[0], &v[k])) {
      if (v[k].base != MO_V_BAD)
        brink__lo_error(lo, at, "the elements of this array have different sizes");
      return brink__lo_bad();
    }
  return brink__lo_gather(lo, at, v, n, nd, dims);
}

/* an array of records, element by element */
static mo_val record_array(mo_low *lo, const mo_env *env, mo_inst *inst, mo_at at)
{
  mo_val *v = brink__lo_take(lo, ((size_t)inst->n_kids + 1) * sizeof *v);
  mo_kind kind = {.base = MO_V_RECORD, .cls = inst->cls};

  if (inst->n_kids == 0)
    return brink__lo_empty(lo, &kind, inst->nd, inst->dims);
  for (int i = 0; v && i < inst->n_kids; i++)
    v[i] = record_value(lo, env, inst->kids[i], at);
  return v ? stack(lo, at, v, (size_t)inst->n_kids, inst->nd, inst->dims)
           : brink__lo_bad();
}

mo_val brink__lo_inst_value(mo_low *lo, const mo_env *env, mo_inst *inst, mo_at at)
{
  if (!brink__lo_ready(lo, inst))
    return brink__lo_bad();
  if (inst->base == MO_V_RECORD && inst->nd == 0)
    return record_value(lo, env, inst, at);
  if (inst->base == MO_V_RECORD)
    return record_array(lo, env, inst, at);
  if (inst->base == MO_V_CLASS) {
    brink__lo_error(lo, at, "'%s' is a component, not a value",
                    brink__lo_path(lo, inst, -1));
    return brink__lo_bad();
  }
  if (inst->base == MO_V_STRING && inst->variability < MO_PARAMETER)
    return env->flags & MO_STRUCTURAL ? not_known(lo, env, inst, at)
                                      : brink__lo_text_value(lo, inst, at, 0);
  int by_value = inst->variability == MO_CONSTANT || inst->base == MO_V_STRING ||
                 (inst->variability == MO_PARAMETER && (env->flags & MO_STRUCTURAL));
  if (by_value)
    return brink__lo_known(lo, inst, at, env->flags);
  if (env->flags & MO_STRUCTURAL)
    return not_known(lo, env, inst, at);
  if (inst->var < 0)
    return brink__lo_bad();
  mo_val v = {.base = inst->base, .cls = inst->cls};
  if (inst->nd == 0) {
    v.one = brink__lo_value(lo, inst->var);
    return v.one ? v : brink__lo_bad();
  }
  v = brink__lo_array(lo, inst->base, inst->nd, inst->dims);
  v.cls = inst->cls;
  for (int32_t k = 0; v.base != MO_V_BAD && k < inst->count; k++)
    v.v[k] = brink__lo_value(lo, inst->var + k);
  return v;
}

/* ------------------------------------------------------------- subscripts ---- */

/* position of a single element; -1: it is a slice, or the index moves; -2: bad */
static long single(walk *w, const mo_inst *inst, const mo_list *subs)
{
  long offset = 0;

  if (subs->n != inst->nd)
    return -1;
  for (int i = 0; i < subs->n; i++) {
    const mo_expr *e = subs->v[i];
    double k;
    mo_env env = *w->env;
    if (e->kind == MO_ALL || e->kind == MO_RANGE)
      return -1;
    env.end = inst->dims[i];
    /* a[n] with a parameter n is one element: look at its value first */
    mo_env known = env;
    known.flags |= MO_STRUCTURAL | MO_QUIET;
    size_t decided = w->lo->n_structural;
    mo_val v = brink__lo_expr(w->lo, &known, e);
    if (v.base == MO_V_BAD) {
      brink__lo_undecide(w->lo, decided);
      v = brink__lo_expr(w->lo, &env, e);
    }
    if (v.base == MO_V_BAD)
      return -2;
    if (v.nd || v.base != MO_V_INTEGER || !brink__lo_settled(w->lo, v.one, &k))
      return -1;
    if ((k < 1 || k > inst->dims[i]) && w->lo->probe) {
      w->lo->probe = 2;
      return -2;
    }
    if (k < 1 || k > inst->dims[i]) {
      brink__lo_error(w->lo, e->at,
                      "subscript %.0f is out of range: the size of '%s' is "
                      "%d",
                      k, brink__lo_path(w->lo, inst, -1), inst->dims[i]);
      return -2;
    }
    offset = offset * inst->dims[i] + (long)k - 1;
  }
  return offset;
}

static mo_val leaf(walk *w, mo_inst *inst, const mo_list *subs)
{
  mo_low *lo = w->lo;

  if (subs->n && inst->nd && inst->base != MO_V_CLASS && inst->base != MO_V_RECORD) {
    long k = single(w, inst, subs);
    if (k == -2)
      return brink__lo_bad();
    int symbols = inst->variability != MO_CONSTANT && inst->var >= 0 &&
                  !(w->env->flags & MO_STRUCTURAL);
    if (k >= 0 && symbols) {
      mo_val v = {.base = inst->base, .cls = inst->cls};
      v.one = brink__lo_value(lo, inst->var + (int32_t)k);
      return v.one ? v : brink__lo_bad();
    }
  }
  if (subs->n && inst->base == MO_V_RECORD && inst->nd) {
    long k = single(w, inst, subs);
    if (k >= 0)
      return brink__lo_inst_value(lo, w->env, inst->kids[k], w->at);
    if (k == -2)
      return brink__lo_bad();
  }
  mo_val v = brink__lo_inst_value(lo, w->env, inst, w->at);
  return brink__lo_subscript(lo, w->env, w->at, &v, subs);
}

/* tank[i].level with a moving i: each element in turn */
static mo_val each_in_turn(walk *w, const mo_moving *m)
{
  mo_expr whole = {.kind = MO_REF, .at = w->at, .ref = *w->ref};
  mo_val r = brink__lo_bad();
  mo_low *lo = w->lo;

  brink__lo_watch_subscript(lo, w->at, m->index, m->size);
  for (int k = m->size; k >= 1; k--) {
    mo_expr *one = brink__lo_with_subscript(lo, &whole, m, k);
    mo_val v = one ? brink__lo_ref(lo, w->env, &one->ref, w->at) : brink__lo_bad();
    if (v.base == MO_V_BAD)
      return v;
    brink__node here = brink__lo_apply(lo, w->at, BRINK_OP_EQ, m->index,
                                       brink__integer(lo->g, k), BRINK__NONE);
    r = k == m->size ? v : brink__lo_select(lo, w->at, here, &v, &r);
  }
  return r;
}

/* c.x of an array c without elements: what x would be, from the class */
static mo_val nothing(walk *w, const mo_inst *inst, int i, int nd, const int *dims)
{
  mo_inst *p = brink__lo_prototype(w->lo, inst->cls);
  int all[MO_MAX_DIMS];

  memcpy(all, dims, (size_t)nd * sizeof *all);
  for (i++; p && i < w->ref->n; i++) {
    mo_name *name = w->ref->parts[i].name;
    p = brink__lo_kid(w->lo, p, name);
    if (!p)
      brink__lo_error(w->lo, w->at, "'%s' has no component '%s'",
                      brink__lo_path(w->lo, inst, -1), name->bare);
    if (!p || !brink__lo_ready(w->lo, p))
      return brink__lo_bad();
    for (int d = w->ref->parts[i].subs.n; d < p->nd && nd < MO_MAX_DIMS; d++)
      all[nd++] = p->dims[d];
  }
  if (!p || p->base == MO_V_CLASS)
    return brink__lo_bad();
  mo_kind kind = {.base = p->base, .cls = p->cls};
  return brink__lo_empty(w->lo, &kind, nd, all);
}

/* all chosen elements of an array of components, and what follows in each */
static mo_val spread(walk *w, mo_inst *inst, int i)
{
  const mo_list *subs = &w->ref->parts[i].subs;
  mo_pick pick[MO_MAX_DIMS];
  mo_low *lo = w->lo;
  int dims[MO_MAX_DIMS], nd = 0, turn[MO_MAX_DIMS] = {0};
  size_t n = 1;
  static const mo_expr all = {.kind = MO_ALL};

  if (subs->n > inst->nd) {
    brink__lo_error(lo, w->at, "'%s' has %d subscripts too many", inst->name->bare,
                    subs->n - inst->nd);
    return brink__lo_bad();
  }
  for (int d = 0; d < inst->nd; d++) {
    const mo_expr *sub = d < subs->n ? subs->v[d] : &all;
    brink__node index = brink__lo_moving_index(lo, w->env, sub, inst->dims[d]);
    if (index && inst->dims[d] > 0)
      return each_in_turn(w, &(mo_moving){i, d, inst->dims[d], index});
    if (!brink__lo_pick(lo, w->env, w->at, sub, inst->dims[d], &pick[d]))
      return brink__lo_bad();
    if (pick[d].nd)
      dims[nd++] = pick[d].n;
    n *= (size_t)pick[d].n;
  }
  mo_val *v = brink__lo_take(lo, (n + 1) * sizeof *v);
  for (size_t k = 0; v && k < n; k++) {
    size_t offset = 0;
    for (int d = 0; d < inst->nd; d++)
      offset = offset * (size_t)inst->dims[d] +
               (size_t)(pick[d].nd ? pick[d].at[turn[d]] : pick[d].one);
    v[k] = rest(w, inst->kids[offset], i);
    if (v[k].base == MO_V_BAD)
      return v[k];
    for (int d = inst->nd - 1; d >= 0 && ++turn[d] == pick[d].n; d--)
      turn[d] = 0;
  }
  if (!v)
    return brink__lo_bad();
  if (n == 0)
    return nothing(w, inst, i, nd, dims);
  return nd ? stack(lo, w->at, v, n, nd, dims) : v[0];
}

/* ------------------------------------------------------------------ walk ---- */

static mo_val no_kid(walk *w, const mo_inst *inst, const mo_name *name)
{
  const char *best = NULL;
  int distance = MO_FAR;

  for (int i = 0; i < inst->n_kids; i++)
    if (inst->kids[i]->name) {
      int d = brink__lo_far(name->bare, inst->kids[i]->name->bare);
      if (d < distance) {
        distance = d;
        best = inst->kids[i]->name->bare;
      }
    }
  const char *path = brink__lo_path(w->lo, inst, -1);
  if (best)
    brink__lo_error(w->lo, w->at, "'%s' has no component '%s'; did you mean '%s'?",
                    path, name->bare, best);
  else
    brink__lo_error(w->lo, w->at, "'%s' has no component '%s'", path, name->bare);
  return brink__lo_bad();
}

/* inst is what part i names, its subscripts done; go on with part i + 1 */
static mo_val rest(walk *w, mo_inst *inst, int i)
{
  const mo_ref *ref = w->ref;

  for (;;) {
    if (i + 1 == ref->n)
      return brink__lo_inst_value(w->lo, w->env, inst, w->at);
    mo_inst *kid = brink__lo_kid(w->lo, inst, ref->parts[i + 1].name);
    if (!kid)
      return no_kid(w, inst, ref->parts[i + 1].name);
    i++;
    if (!brink__lo_ready(w->lo, kid)) {
      if (kid->absent)
        brink__lo_error(w->lo, w->at, "'%s' does not exist: its condition is false",
                        brink__lo_path(w->lo, kid, -1));
      return brink__lo_bad();
    }
    if (i + 1 == ref->n)
      return leaf(w, kid, &ref->parts[i].subs);
    if (kid->base != MO_V_CLASS && kid->base != MO_V_RECORD) {
      brink__lo_error(w->lo, w->at, "'%s' has no components",
                      brink__lo_path(w->lo, kid, -1));
      return brink__lo_bad();
    }
    if (kid->nd)
      return spread(w, kid, i);
    inst = kid;
  }
}

static mo_val from_inst(walk *w, mo_inst *inst, int i)
{
  const mo_part *part = &w->ref->parts[i];

  if (!brink__lo_ready(w->lo, inst)) {
    if (inst->absent)
      brink__lo_error(w->lo, w->at, "'%s' does not exist: its condition is false",
                      inst->name->bare);
    return brink__lo_bad();
  }
  if (i + 1 == w->ref->n)
    return leaf(w, inst, &part->subs);
  if (inst->base != MO_V_CLASS && inst->base != MO_V_RECORD) {
    brink__lo_error(w->lo, w->at, "'%s' has no components",
                    brink__lo_path(w->lo, inst, -1));
    return brink__lo_bad();
  }
  if (inst->nd)
    return spread(w, inst, i);
  if (part->subs.n) {
    brink__lo_error(w->lo, w->at, "'%s' is no array", brink__lo_path(w->lo, inst, -1));
    return brink__lo_bad();
  }
  return rest(w, inst, i);
}

/* a field of a record that is a value, not a component */
static mo_val from_value(walk *w, mo_val v, int i)
{
  v = brink__lo_subscript(w->lo, w->env, w->at, &v, &w->ref->parts[i].subs);
  for (i++; v.base != MO_V_BAD && i < w->ref->n; i++) {
    const mo_part *part = &w->ref->parts[i];
    const mo_val *found = NULL;
    for (int f = 0; v.base == MO_V_RECORD && f < v.n_fields; f++)
      if (v.names[f]->name == part->name)
        found = &v.fields[f];
    if (!found) {
      brink__lo_error(w->lo, w->at, "%s has no field '%s'",
                      brink__lo_type_text(w->lo, &v), part->name->bare);
      return brink__lo_bad();
    }
    v = brink__lo_subscript(w->lo, w->env, w->at, found, &part->subs);
  }
  return v;
}

/* a variable of a function must have got a value before it is read */
static mo_val assigned(walk *w, mo_val v)
{
  if (v.base == MO_V_BAD || v.base == MO_V_RECORD || brink__lo_has_value(&v))
    return v;
  brink__lo_error(w->lo, w->at, "'%s' has no value here",
                  brink__lo_ref_text(w->lo, w->ref));
  return brink__lo_bad();
}

static mo_val library(walk *w, const mo_found *f)
{
  double value;
  int whole;

  if (!brink__lo_library_constant(f->path, &value, &whole)) {
    const char *near = brink__lo_library_nearest(f->path);
    if (near)
      brink__lo_error(w->lo, w->at, "'%s' is not known; did you mean '%s'?", f->path,
                      near);
    else
      brink__lo_error(w->lo, w->at,
                      "'%s' is part of a library, which is not supported; "
                      "flatten the model first",
                      f->path);
    return brink__lo_bad();
  }
  if (whole)
    return brink__lo_scalar(w->lo, MO_V_INTEGER,
                            brink__integer(w->lo->g, (int64_t)value));
  return brink__lo_scalar(w->lo, MO_V_REAL, brink__real(w->lo->g, value));
}

static mo_val time_value(walk *w)
{
  if (w->env->flags & (MO_STRUCTURAL | MO_FUNCTION)) {
    if (!(w->env->flags & MO_QUIET))
      brink__lo_error(w->lo, w->at,
                      w->env->flags & MO_FUNCTION
                          ? "'time' cannot be used in a function; pass it"
                          : "'time' is not known before the run");
    return brink__lo_bad();
  }
  return brink__lo_scalar(w->lo, MO_V_REAL,
                          brink__symbol(w->lo->g, BRINK__TIME, BRINK_TYPE_REAL));
}

static mo_val unknown(walk *w, const mo_found *before, int i)
{
  const mo_ref *ref = w->ref;

  if (i == 0)
    brink__lo_unknown(w->lo, w->env->scope, ref, w->at, "variable");
  else
    brink__lo_error(w->lo, w->at, "'%s' has no element '%s'", before->cls->name->bare,
                    ref->parts[i].name->bare);
  return brink__lo_bad();
}

mo_val brink__lo_ref(mo_low *lo, const mo_env *env, const mo_ref *ref, mo_at at)
{
  walk w = {lo, env, ref, at};
  mo_found f, before = {.kind = MO_F_NONE};

  if (ref->global) {
    mo_scope top = {0};
    f = brink__lo_find_name(lo, &top, ref->parts[0].name, at);
  } else
    f = brink__lo_find_name(lo, env->scope, ref->parts[0].name, at);
  for (int i = 0;; i++) {
    switch (f.kind) {
    case MO_F_BAD: return brink__lo_bad();
    case MO_F_NONE:
      if (ref->n == 1 && strcmp(ref->parts[0].name->text, "time") == 0)
        return time_value(&w);
      return unknown(&w, &before, i);
    case MO_F_INST: return from_inst(&w, f.inst, i);
    case MO_F_LOCAL: return assigned(&w, from_value(&w, *f.local->value, i));
    case MO_F_LITERAL:
      return (mo_val){
          .base = MO_V_ENUM, .cls = f.cls, .one = brink__ordinal(lo->g, f.ordinal)};
    case MO_F_CLASS:
    case MO_F_LIBRARY: break;
    }
    if (i + 1 == ref->n)
      break;
    before = f;
    f = brink__lo_descend(lo, &before, ref->parts[i + 1].name, at);
  }
  if (f.kind == MO_F_LIBRARY)
    return library(&w, &f);
  brink__lo_error(lo, at, "'%s' is a class, not a value", f.cls->name->bare);
  return brink__lo_bad();
}
