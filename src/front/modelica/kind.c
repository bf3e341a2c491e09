/* kind.c -- declared types and sizes, and what is known before the run.
 *
 * A type name is followed through short classes (type T = Real(unit = "m")), whose
 * modifications and sizes come behind those of the declaration.
 */
#include "front/modelica/lower.h"

#include <string.h>

#include "front/modelica/parse.h"

/* ---------------------------------------------------------------- types ---- */

static mo_base predefined(const mo_ref *ref)
{
  static const struct {
    const char *name;
    mo_base base;
  } types[] = {{"Real", MO_V_REAL},
               {"Integer", MO_V_INTEGER},
               {"Boolean", MO_V_BOOLEAN},
               {"String", MO_V_STRING}};

  for (size_t i = 0; ref->n == 1 && i < BRINK__COUNT(types); i++)
    if (strcmp(ref->parts[0].name->text, types[i].name) == 0)
      return types[i].base;
  return MO_V_BAD;
}

static int library_type(mo_low *lo, const mo_found *f, const mo_type *type,
                        mo_kind *out)
{
  const char *unit = brink__lo_library_unit(f->path, &out->base);
  const char *near = brink__lo_library_nearest(f->path);

  if (!unit) {
    if (near)
      brink__lo_error(lo, type->at, "'%s' is not known; did you mean '%s'?", f->path,
                      near);
    else
      brink__lo_error(lo, type->at,
                      "'%s' is a class of the library, which is not "
                      "supported; flatten the model first",
                      f->path);
    return 0;
  }
  mo_layer *l = brink__lo_layer(lo, NULL, NULL, NULL, type->at);
  if (!l)
    return 0;
  l->unit = unit;
  out->layers = brink__lo_layers_append(out->layers, l);
  return 1;
}

/* class T extends Real(...): the type of the base; NULL: it has components */
static const mo_extends *only_extends(const mo_class *cls)
{
  if (cls->n_elements != 1 || cls->elements[0]->kind != MO_E_EXTENDS)
    return NULL;
  return cls->elements[0]->extends;
}

static int of_class(mo_low *lo, const mo_class *cls, const mo_type *type, mo_kind *out)
{
  if (cls->kind == MO_C_PACKAGE || cls->kind == MO_C_FUNCTION) {
    brink__lo_error(lo, type->at, "'%s' is a %s, not a type", cls->name->bare,
                    cls->kind == MO_C_PACKAGE ? "package" : "function");
    return 0;
  }
  if (cls->flags & MO_CLASS_PARTIAL) {
    brink__lo_error(lo, type->at,
                    "'%s' is partial: it can be extended, not be the type of "
                    "a component",
                    cls->name->bare);
    return 0;
  }
  out->base = cls->kind == MO_C_RECORD ? MO_V_RECORD : MO_V_CLASS;
  out->cls = cls;
  return 1;
}

static int unknown_type(mo_low *lo, const mo_scope *scope, const mo_type *type,
                        const mo_found *f)
{
  if (f->kind == MO_F_NONE && brink__mo_refused_name(type->name.parts[0].name->text))
    return 0;
  if (f->kind == MO_F_NONE)
    brink__lo_unknown(lo, scope, &type->name, type->at, "type");
  else if (f->kind != MO_F_BAD)
    brink__lo_error(lo, type->at, "'%s' is a variable, not a type",
                    brink__lo_ref_text(lo, &type->name));
  return 0;
}

static int follow(mo_low *lo, const mo_scope *scope, const mo_type *type, mo_kind *out,
                  int depth)
{
  out->base = predefined(&type->name);
  if (out->base != MO_V_BAD)
    return 1;
  mo_found f = brink__lo_find_class(lo, scope, &type->name, type->at);
  if (f.kind == MO_F_LIBRARY)
    return library_type(lo, &f, type, out);
  if (f.kind != MO_F_CLASS)
    return unknown_type(lo, scope, type, &f);
  if (depth >= MO_MAX_NESTING) {
    brink__lo_error(lo, type->at, "the type '%s' is defined by itself",
                    f.cls->name->bare);
    return 0;
  }
  brink__lo_judge(lo, f.cls);
  out->connector |= f.cls->kind == MO_C_CONNECTOR;
  if (f.cls->form == MO_ENUM) {
    if (f.cls->open) {
      brink__lo_error(lo, type->at, "the enumeration '%s' has no literals",
                      f.cls->name->bare);
      return 0;
    }
    out->base = MO_V_ENUM;
    out->cls = f.cls;
    return 1;
  }
  const mo_scope *in = f.scope;
  const mo_type *base = &f.cls->base;
  const mo_mods *mods = f.cls->mods;
  const mo_extends *x = only_extends(f.cls);
  if (f.cls->form == MO_LONG && x && predefined(&x->type.name) != MO_V_BAD) {
    base = &x->type;
    mods = x->mods;
  } else if (f.cls->form != MO_SHORT)
    return of_class(lo, f.cls, type, out);
  if (f.cls->causality != MO_ACAUSAL)
    out->causality = f.cls->causality;
  if (mods) {
    mo_layer *l = brink__lo_layer(lo, in, mods, NULL, base->at);
    if (!l)
      return 0;
    out->layers = brink__lo_layers_append(out->layers, l);
  }
  if (!brink__lo_sizes(lo, in, &base->subs, &out->nd, out->dims))
    return 0;
  return follow(lo, in, base, out, depth + 1);
}

int brink__lo_kind_of(mo_low *lo, const mo_scope *scope, const mo_type *type,
                      mo_kind *out)
{
  *out = (mo_kind){.base = MO_V_BAD};
  return follow(lo, scope, type, out, 0);
}

/* ---------------------------------------------------------------- sizes ---- */

int brink__lo_all_values(mo_low *lo, const mo_scope *scope, const mo_ref *ref, mo_at at,
                         mo_val *out)
{
  const mo_class *cls = NULL;
  int dims[1] = {2};

  if (predefined(ref) != MO_V_BOOLEAN) {
    mo_found f = brink__lo_find_class(lo, scope, ref, at);
    cls = brink__lo_enumeration(lo, &f);
    if (!cls)
      return 0;
    dims[0] = cls->n_literals;
  }
  *out = brink__lo_array(lo, cls ? MO_V_ENUM : MO_V_BOOLEAN, 1, dims);
  out->cls = cls;
  for (int i = 0; out->base != MO_V_BAD && i < dims[0]; i++)
    out->v[i] = cls ? brink__ordinal(lo->g, i + 1) : brink__boolean(lo->g, i);
  return 1;
}

/* Real x[Color], y[Boolean]: one element for each value */
static int size_of_type(mo_low *lo, const mo_scope *scope, const mo_expr *e,
                        int64_t *size)
{
  mo_val all;

  if (e->kind != MO_REF || !brink__lo_all_values(lo, scope, &e->ref, e->at, &all))
    return 0;
  *size = all.dims[0];
  return 1;
}

int brink__lo_sizes(mo_low *lo, const mo_scope *scope, const mo_list *subs, int *nd,
                    int *dims)
{
  mo_env env = {scope, MO_STRUCTURAL, -1};

  for (int i = 0; i < subs->n; i++) {
    const mo_expr *e = subs->v[i];
    int64_t size = -1;
    if (*nd == MO_MAX_DIMS) {
      brink__lo_error(lo, e->at, "arrays have at most %d dimensions", MO_MAX_DIMS);
      return 0;
    }
    if (e->kind != MO_ALL && !size_of_type(lo, scope, e, &size)) {
      if (!brink__lo_int(lo, &env, e, "the size of an array", &size))
        return 0;
      if (size < 0 || size > MO_MAX_ELEMENTS) {
        brink__lo_error(lo, e->at,
                        "the size of an array is %lld; it must lie between 0 "
                        "and %d",
                        (long long)size, MO_MAX_ELEMENTS);
        return 0;
      }
    }
    dims[(*nd)++] = (int)size;
  }
  return 1;
}

/* --------------------------------------------------------------- values ---- */

/* The value of a modification.  That of an array of components is asked for by each of
 * them and kept, unless parameters are read by value: each such look is noted. */
static mo_val array_value(mo_low *lo, const mo_layer *layer, const mo_expr *value,
                          unsigned flags)
{
  mo_env env = {layer->scope, flags, -1};
  int keep = layer->n_index > 0 && flags == 0;
  mo_val *kept = keep ? brink__lo_get(&lo->table, value, layer->scope) : NULL;

  if (kept)
    return *kept;
  mo_val v = brink__lo_expr(lo, &env, value);
  if (!keep || v.base == MO_V_BAD || v.nd == 0)
    return v;
  kept = brink__lo_take(lo, sizeof *kept);
  if (!kept)
    return brink__lo_bad();
  *kept = v;
  if (!brink__lo_set(&lo->table, value, layer->scope, kept))
    brink__diag_nomem(lo->diag);
  return v;
}

mo_val brink__lo_layer_value(mo_low *lo, const mo_layer *layer, const mo_expr *value,
                             unsigned flags, int each)
{
  mo_val v = array_value(lo, layer, value, flags);

  if (v.base == MO_V_BAD || each || layer->n_index == 0)
    return v;
  if (v.nd < layer->n_index) {
    brink__lo_error(lo, value->at,
                    "an array with %d more dimension%s is expected here (or "
                    "'each')",
                    layer->n_index - v.nd, layer->n_index - v.nd > 1 ? "s" : "");
    return brink__lo_bad();
  }
  for (int i = 0; i < layer->n_index; i++)
    if (layer->index[i] >= v.dims[i]) {
      brink__lo_error(lo, value->at,
                      "this array has %d elements, there are more "
                      "components",
                      v.dims[i]);
      return brink__lo_bad();
    }
  return brink__lo_element(lo, &v, layer->index, layer->n_index);
}

int brink__lo_fits(mo_low *lo, mo_at at, const mo_inst *inst, const mo_val *v)
{
  mo_val own = {.base = inst->base, .cls = inst->cls, .nd = inst->nd};

  for (int i = 0; i < inst->nd; i++)
    own.dims[i] = inst->dims[i];
  if (brink__lo_same_shape(v, &own))
    return 1;
  brink__lo_error(lo, at, "'%s' is %s, its value is %s", brink__lo_path(lo, inst, -1),
                  brink__lo_type_text(lo, &own), brink__lo_type_text(lo, v));
  return 0;
}

/* the field of a record's own value that belongs to component inst; of an element of
 * an array, its part of the array's field */
static mo_val field_value(mo_low *lo, mo_inst *inst, unsigned flags, int *has,
                          mo_at *at)
{
  mo_val v = brink__lo_bad();

  *has = 0;
  if (!inst->parent || inst->parent->base != MO_V_RECORD)
    return v;
  if (!inst->name) {
    v = field_value(lo, inst->parent, flags, has, at);
    if (!*has || v.base == MO_V_BAD)
      return v;
    if (brink__lo_fits(lo, *at, inst->parent, &v))
      return brink__lo_element(lo, &v, inst->index, inst->n_index);
    return brink__lo_bad();
  }
  v = brink__lo_bound(lo, inst->parent, flags, has, at);
  if (!*has || v.base == MO_V_BAD)
    return v;
  for (int i = 0; v.base == MO_V_RECORD && i < v.n_fields; i++)
    if (v.names[i]->name == inst->name)
      return v.fields[i];
  brink__lo_error(lo, *at, "a record '%s' is expected here, not %s",
                  inst->parent->cls->name->bare, brink__lo_type_text(lo, &v));
  return brink__lo_bad();
}

/* Does a record get a value from further out than layer l of its field comes from? */
static int outranked(const mo_inst *inst, const mo_layer *l)
{
  int order = l->order;

  for (const mo_inst *p = inst->parent; p && p->base == MO_V_RECORD; p = p->parent) {
    const mo_layer *k = p->layers;
    int i = 0;
    for (; k && i < order; k = k->inner, i++)
      if (k->value)
        return 1;
    if (!k)
      return 0;
    if (p->name) /* else: an element, with the layers of its array */
      order = k->order;
  }
  return 0;
}

mo_val brink__lo_bound(mo_low *lo, mo_inst *inst, unsigned flags, int *has, mo_at *at)
{
  const mo_layer *l = brink__lo_binding(lo, inst);

  if (!l || (inst->decl && l->value == inst->decl->value) || outranked(inst, l)) {
    mo_val v = field_value(lo, inst, flags, has, at);
    if (*has)
      return v;
  }
  *has = l != NULL;
  if (!l)
    return brink__lo_bad();
  *at = l->at;
  return brink__lo_layer_value(lo, l, l->value, flags, 0);
}

/* a parameter that nobody gave a value has its start value, or 0 */
static mo_val unbound(mo_low *lo, mo_inst *inst)
{
  for (const mo_layer *l = inst->layers; l; l = l->inner)
    for (int i = 0; l->mods && i < l->mods->n; i++) {
      const mo_mod *m = &l->mods->v[i];
      if (m->name.n == 1 && m->value &&
          strcmp(m->name.parts[0].name->text, "start") == 0)
        return brink__lo_layer_value(lo, l, m->value, MO_STRUCTURAL,
                                     m->flags & MO_EACH);
    }
  if (inst->base == MO_V_STRING)
    return brink__lo_string("");
  return brink__lo_scalar(lo, inst->base,
                          brink__first_value(lo->g, brink__lo_type_of(inst->base)));
}

/* one number for each element */
static mo_val spread(mo_low *lo, const mo_inst *inst, mo_val v)
{
  if (v.base == MO_V_BAD || v.nd > 0 || inst->nd == 0)
    return v;
  if (v.base == MO_V_STRING) {
    size_t n = (size_t)inst->count;
    mo_val *each = brink__lo_take(lo, (n + 1) * sizeof *each);
    for (size_t k = 0; each && k <= n; k++)
      each[k] = v;
    return each ? brink__lo_gather(lo, inst->decl->at, each, n, inst->nd, inst->dims)
                : brink__lo_bad();
  }
  mo_val all = brink__lo_array(lo, v.base, inst->nd, inst->dims);
  all.cls = v.cls;
  for (size_t k = 0; all.base != MO_V_BAD && k < brink__lo_count(&all); k++)
    all.v[k] = v.one;
  return all;
}

int brink__lo_is_free(mo_low *lo, const mo_inst *inst)
{
  for (const mo_layer *l = inst->layers; l; l = l->inner)
    for (int i = 0; l->mods && i < l->mods->n; i++) {
      const mo_mod *m = &l->mods->v[i];
      double v = 1;
      if (m->name.n != 1 || !m->value ||
          strcmp(m->name.parts[0].name->text, "fixed") != 0)
        continue;
      mo_val f =
          brink__lo_layer_value(lo, l, m->value, MO_STRUCTURAL, m->flags & MO_EACH);
      if (f.base == MO_V_BOOLEAN)
        brink__lo_const(lo, brink__lo_at(&f, 0), &v);
      return v == 0;
    }
  return 0;
}

static mo_val evaluate(mo_low *lo, mo_inst *inst, mo_at at, unsigned flags)
{
  int has;
  mo_at where = at;
  if (inst->variability == MO_PARAMETER && brink__lo_is_free(lo, inst)) {
    if (!(flags & MO_QUIET))
      brink__lo_error(lo, at, "'%s' is not known before the run: it is not fixed",
                      brink__lo_path(lo, inst, -1));
    return brink__lo_bad();
  }
  mo_val v =
      brink__lo_bound(lo, inst, MO_STRUCTURAL | (flags & MO_QUIET), &has, &where);

  if (!has && inst->variability == MO_CONSTANT) {
    brink__lo_error(lo, inst->decl->at, "the constant '%s' has no value",
                    brink__lo_path(lo, inst, -1));
    return brink__lo_bad();
  }
  if (!has)
    v = spread(lo, inst, unbound(lo, inst));
  v = brink__lo_coerce(lo, where, v, inst->base, inst->cls,
                       brink__lo_path(lo, inst, -1));
  if (v.base == MO_V_BAD || v.base == MO_V_STRING || v.base == MO_V_RECORD)
    return v;
  if (!brink__lo_fits(lo, where, inst, &v))
    return brink__lo_bad();
  v = brink__lo_copy(lo, &v);
  for (size_t k = 0; lo->opt && lo->opt->n_set && k < brink__lo_count(&v); k++) {
    brink__node n = brink__lo_user_value(lo, inst, (int32_t)k);
    if (n && v.nd)
      v.v[k] = n;
    else if (n)
      v.one = n;
  }
  return v;
}

static mo_val record_of(mo_low *lo, mo_inst *inst, mo_at at, unsigned flags)
{
  mo_val v = {.base = MO_V_RECORD, .cls = inst->cls, .n_fields = inst->n_kids};

  v.names = inst->kids;
  v.fields = brink__lo_take(lo, ((size_t)inst->n_kids + 1) * sizeof *v.fields);
  for (int i = 0; v.fields && i < inst->n_kids; i++)
    v.fields[i] = brink__lo_known(lo, inst->kids[i], at, flags);
  return v.fields ? v : brink__lo_bad();
}

mo_val brink__lo_known(mo_low *lo, mo_inst *inst, mo_at at, unsigned flags)
{
  if (!brink__lo_ready(lo, inst))
    return brink__lo_bad();
  if (inst->base == MO_V_RECORD && inst->nd == 0)
    return record_of(lo, inst, at, flags);
  if (inst->base == MO_V_RECORD && inst->count > 0) {
    mo_val *v = brink__lo_take(lo, (size_t)inst->count * sizeof *v);
    for (int32_t k = 0; v && k < inst->count; k++) {
      v[k] = record_of(lo, inst->kids[k], at, flags);
      if (v[k].base == MO_V_BAD)
        return v[k];
    }
    return v ? brink__lo_gather(lo, at, v, (size_t)inst->count, inst->nd, inst->dims)
             : brink__lo_bad();
  }
  if (inst->base == MO_V_CLASS || inst->base == MO_V_RECORD) {
    brink__lo_error(lo, at, "'%s' has no value here", brink__lo_path(lo, inst, -1));
    return brink__lo_bad();
  }
  brink__lo_decides(lo, inst, at);
  if (inst->value_state == MO_READY)
    return *inst->value;
  if (inst->value_state == MO_BUSY) {
    brink__lo_error(lo, inst->decl->at, "the value of '%s' depends on itself",
                    brink__lo_path(lo, inst, -1));
    return brink__lo_bad();
  }
  if (lo->depth >= MO_MAX_NESTING * 10) {
    brink__lo_error(lo, inst->decl->at,
                    "the value of '%s' needs a chain of more than %d "
                    "others",
                    brink__lo_path(lo, inst, -1), MO_MAX_NESTING * 10);
    return brink__lo_bad();
  }
  inst->value_state = MO_BUSY;
  lo->depth++;
  mo_val v = evaluate(lo, inst, at, flags);
  lo->depth--;
  inst->value_state = MO_NEW;
  if (v.base == MO_V_BAD && (flags & MO_QUIET))
    return v;
  inst->value = brink__lo_take(lo, sizeof *inst->value);
  if (!inst->value)
    return brink__lo_bad();
  *inst->value = v;
  inst->value_state = MO_READY;
  return v;
}
