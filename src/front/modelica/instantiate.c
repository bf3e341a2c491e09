/* instantiate.c -- from classes to the tree of components.
 *
 * A class instance first gets all its components by name (with those of its base
 * classes, base first), then each is made ready: type, sizes, its own components.
 * Sizes and conditions may use parameters that stand anywhere in the tree, so a
 * component is made ready when first asked for; one that asks for itself on the way
 * is a fault.
 */
#include "front/modelica/lower.h"

#include <stdio.h>
#include <string.h>

#include "front/modelica/parse.h"

static int elements(mo_low *lo, mo_inst *inst, const mo_class *cls,
                    const mo_scope *outer, mo_layer *layers, int depth);

mo_inst *brink__lo_kid(mo_low *lo, mo_inst *inst, mo_name *name)
{
  return brink__lo_get(&lo->table, inst, name);
}

/* ---------------------------------------------------------- components ---- */

static mo_inst *component(mo_low *lo, const mo_element *e, const mo_scope *scope,
                          mo_layer *outer)
{
  const mo_component *c = e->component;
  mo_inst *inst = brink__lo_take(lo, sizeof *inst);

  if (!inst)
    return NULL;
  *inst =
      (mo_inst){.name = c->name, .decl = c, .element = e, .scope = scope, .var = -1};
  mo_layer *own = NULL;
  if (c->mods || c->value) {
    own =
        brink__lo_layer(lo, scope, c->mods, c->value, c->value ? c->value->at : c->at);
    if (own)
      own->flags = e->flags & MO_FINAL;
  }
  inst->layers = brink__lo_layers_append(outer, own);
  inst->variability = c->prefix.variability;
  inst->causality = c->prefix.causality;
  inst->linkage = c->prefix.linkage;
  return inst;
}

static int adopt(mo_low *lo, mo_inst *inst, mo_inst *kid)
{
  size_t cap = (size_t)inst->cap_kids;

  if (inst->n_kids == inst->cap_kids) {
    cap = cap ? cap * 2 : 8;
    mo_inst **kids = brink__lo_take(lo, cap * sizeof *kids);
    if (!kids)
      return 0;
    if (inst->n_kids)
      memcpy(kids, inst->kids, (size_t)inst->n_kids * sizeof *kids);
    inst->kids = kids;
    inst->cap_kids = (int)cap;
  }
  kid->parent = inst;
  inst->kids[inst->n_kids++] = kid;
  if (kid->name && !brink__lo_set(&lo->table, inst, kid->name, kid)) {
    brink__diag_nomem(lo->diag);
    return 0;
  }
  return 1;
}

static void declared_twice(mo_low *lo, const mo_element *e, const mo_inst *twin)
{
  brink__lo_error(lo, e->component->at, "'%s' is declared twice, first in line %d",
                  brink__lo_path(lo, twin, -1), twin->element->component->at.line);
}

/* What the names in front of the last of tank.level stand for: a component that has no
 * class and holds what is declared in it.  NULL: something else has that name,
 * reported, or no memory. */
static mo_inst *holder(mo_low *lo, mo_inst *inst, const mo_element *e,
                       const mo_scope *scope, mo_layer **layers)
{
  const mo_ref *path = &e->component->path;

  for (int i = 0; i < path->n; i++) {
    mo_name *name = path->parts[i].name;
    mo_inst *kid = brink__lo_kid(lo, inst, name);
    if (kid && kid->decl) {
      declared_twice(lo, e, kid);
      return NULL;
    }
    *layers = *layers ? brink__lo_layers_of(lo, *layers, name) : NULL;
    if (!kid) {
      kid = brink__lo_take(lo, sizeof *kid);
      if (!kid)
        return NULL;
      *kid = (mo_inst){.name = name,
                       .element = e,
                       .scope = scope,
                       .layers = *layers,
                       .base = MO_V_CLASS,
                       .state = MO_READY,
                       .var = -1};
      if (!adopt(lo, inst, kid))
        return NULL;
    }
    inst = kid;
  }
  return inst;
}

static int declare(mo_low *lo, mo_inst *inst, const mo_element *e,
                   const mo_scope *scope, mo_layer *layers)
{
  inst = holder(lo, inst, e, scope, &layers);
  if (!inst)
    return 1;
  mo_inst *twin = brink__lo_kid(lo, inst, e->component->name);
  if (twin && twin->element == e)
    return 1; /* inherited twice from one class */
  if (twin) {
    declared_twice(lo, e, twin);
    return 1;
  }
  mo_layer *own = layers ? brink__lo_layers_of(lo, layers, e->component->name) : NULL;
  mo_inst *kid = component(lo, e, scope, own);
  return kid && adopt(lo, inst, kid);
}

/* guess(x) = value of Base Modelica: a start value that does not bind */
static void guess(mo_low *lo, mo_inst *inst, const mo_stmt *s, const mo_scope *scope)
{
  const mo_expr *left = s->left;
  const mo_arg *arg =
      left && left->kind == MO_CALL && left->call->n == 1 ? &left->call->args[0] : NULL;
  mo_inst *kid = arg && arg->value->kind == MO_REF && arg->value->ref.n == 1
                     ? brink__lo_kid(lo, inst, arg->value->ref.parts[0].name)
                     : NULL;

  if (!kid) {
    brink__lo_error(lo, s->at, "guess() needs a variable that is declared above it");
    return;
  }
  mo_mods *mods = brink__lo_take(lo, sizeof *mods);
  mo_mod *m = brink__lo_take(lo, sizeof *m);
  mo_part *part = brink__lo_take(lo, sizeof *part);
  if (!mods || !m || !part || !(part->name = brink__lo_name(lo, "start")))
    return;
  *m = (mo_mod){.at = s->at, .name = {part, 1, 0}, .value = s->right};
  *mods = (mo_mods){m, 1};
  mo_layer *l = brink__lo_layer(lo, scope, mods, NULL, s->at);
  if (l) {
    l->inner = kid->layers;
    kid->layers = l;
  }
}

static int base_class(mo_low *lo, mo_inst *inst, const mo_extends *x,
                      const mo_scope *scope, mo_layer *layers, int depth)
{
  if (inst->endless) /* or all ways through the circle would be gone */
    return 1;

  mo_found f = brink__lo_base_of(lo, scope, &x->type);
  if (f.kind != MO_F_CLASS)
    inst->hollow = 1;
  if (f.kind == MO_F_BAD)
    return 1;
  if (f.kind == MO_F_LIBRARY) {
    brink__lo_error(lo, x->type.at,
                    "'%s' is a class of the library, which is not "
                    "supported; flatten the model first",
                    f.path);
    return 1;
  }
  if (f.kind != MO_F_CLASS) {
    if (!brink__mo_refused_name(x->type.name.parts[0].name->text))
      brink__lo_say_unknown(lo, scope, &x->type.name, x->type.at, "class");
    return 1;
  }
  if (depth >= MO_MAX_NESTING) {
    brink__lo_error(lo, x->type.at, "the class '%s' extends itself", f.cls->name->bare);
    inst->endless = 1;
    return 1;
  }
  mo_layer *own =
      x->mods ? brink__lo_layer(lo, scope, x->mods, NULL, x->type.at) : NULL;
  mo_layer *all = layers;
  if (own) { /* the list of the heir must not grow: copy it in front */
    all = brink__lo_layers_append(brink__lo_layers_indexed(lo, layers, NULL, 0), own);
    own->index = NULL;
  }
  int ok = elements(lo, inst, f.cls, f.scope, all, depth + 1);
  if (ok && own) {
    mo_layer alone = *own;
    alone.inner = NULL;
    const mo_class *keep = inst->cls;
    inst->cls = f.cls;
    brink__lo_check_layers(lo, inst, &alone);
    inst->cls = keep;
  }
  return ok;
}

/* ------------------------------------------------------------- classes ---- */

static int note_heir(mo_low *lo, mo_inst *inst, const mo_class *cls, mo_heir **out)
{
  mo_heir **last = &inst->heirs;

  while (*last)
    last = &(*last)->next;
  mo_heir *h = brink__lo_take(lo, sizeof *h);
  if (!h)
    return 0;
  h->scope = (mo_scope){inst, cls, NULL};
  *last = h;
  *out = h;
  return 1;
}

static int short_class(mo_low *lo, mo_inst *inst, const mo_class *cls,
                       const mo_scope *outer, mo_layer *layers, int depth)
{
  mo_extends x = {.type = cls->base, .mods = cls->mods};
  mo_scope *scope = brink__lo_take(lo, sizeof *scope);

  if (!scope)
    return 0;
  *scope = outer ? *outer : (mo_scope){0};
  if (cls->base.subs.n > 0) {
    brink__lo_error(lo, cls->base.at, "an array of a class cannot be extended");
    return 1;
  }
  /* found from outside of the short class, so inherited names count */
  mo_found f = brink__lo_find_class(lo, scope, &x.type.name, x.type.at);
  if (f.kind != MO_F_CLASS || depth >= MO_MAX_NESTING)
    return base_class(lo, inst, &x, scope, layers, depth);
  mo_layer *own = x.mods ? brink__lo_layer(lo, scope, x.mods, NULL, x.type.at) : NULL;
  if (own)
    layers =
        brink__lo_layers_append(brink__lo_layers_indexed(lo, layers, NULL, 0), own);
  return elements(lo, inst, f.cls, f.scope, layers, depth + 1);
}

void brink__lo_judge(mo_low *lo, const mo_class *cls)
{
  static const char judged; /* a key of the table */

  if (brink__lo_get(&lo->table, cls, &judged))
    return;
  if (!brink__lo_set(&lo->table, cls, &judged, lo))
    brink__diag_nomem(lo->diag);
  brink__mo_refuse(lo->file, cls, lo->diag);
}

/* the elements of a class, and of what it extends, become components of inst */
static int elements(mo_low *lo, mo_inst *inst, const mo_class *cls,
                    const mo_scope *outer, mo_layer *layers, int depth)
{
  mo_heir *heir;

  if (!brink__lo_step(lo, cls->at))
    return 0;
  brink__lo_judge(lo, cls);
  if (cls->form == MO_SHORT)
    return short_class(lo, inst, cls, outer, layers, depth);
  if (cls->form != MO_LONG) {
    brink__lo_error(lo, cls->at, "'%s' cannot be used as a model", cls->name->bare);
    return 1;
  }
  for (int i = 0; i < cls->n_elements; i++)
    if (cls->elements[i]->kind == MO_E_EXTENDS) {
      mo_scope *scope = brink__lo_take(lo, sizeof *scope);
      if (!scope)
        return 0;
      *scope = (mo_scope){inst, cls, NULL};
      if (!base_class(lo, inst, cls->elements[i]->extends, scope, layers, depth))
        return 0;
    }
  if (!note_heir(lo, inst, cls, &heir))
    return 0;
  for (int i = 0; i < cls->n_elements; i++) {
    const mo_element *e = cls->elements[i];
    if (e->kind == MO_E_COMPONENT && !declare(lo, inst, e, &heir->scope, layers))
      return 0;
    if (e->kind == MO_E_GUESS)
      guess(lo, inst, e->equation, &heir->scope);
  }
  return 1;
}

static int recursive(mo_low *lo, const mo_inst *inst, const mo_class *cls, mo_at at)
{
  int depth = 0;

  for (const mo_inst *p = inst->parent; p; p = p->parent, depth++)
    if (p->cls == cls && p->base != MO_V_ENUM && p->nd == 0) {
      brink__lo_error(lo, at, "the class '%s' contains itself", cls->name->bare);
      return 1;
    }
  if (depth > 2 * MO_MAX_NESTING) {
    brink__lo_error(lo, at, "components are nested more than %d deep", MO_MAX_NESTING);
    return 1;
  }
  return 0;
}

static void ready_kids(mo_low *lo, mo_inst *inst)
{
  for (int i = 0; i < inst->n_kids && !brink__diag_full(lo->diag); i++) {
    mo_inst *kid = inst->kids[i];
    brink__lo_ready(lo, kid);
    if (!kid->decl && kid->name) { /* holds tank.level */
      brink__lo_check_layers(lo, kid, kid->layers);
      ready_kids(lo, kid);
    }
  }
}

static int fill(mo_low *lo, mo_inst *inst, const mo_class *cls, mo_layer *layers)
{
  const mo_scope *outer = cls->parent ? brink__lo_class_scope(lo, cls->parent) : NULL;

  if (!elements(lo, inst, cls, outer, layers, 0))
    return 0;
  brink__lo_check_layers(lo, inst, layers);
  inst->state = MO_READY;
  ready_kids(lo, inst);
  return 1;
}

mo_inst *brink__lo_instantiate(mo_low *lo, const mo_class *cls)
{
  mo_inst *root = brink__lo_take(lo, sizeof *root);

  if (!root)
    return NULL;
  *root = (mo_inst){.base = MO_V_CLASS, .cls = cls, .var = -1, .state = MO_BUSY};
  lo->root = root;
  fill(lo, root, cls, NULL);
  return root;
}

mo_inst *brink__lo_constant(mo_low *lo, const mo_member *m)
{
  mo_inst *inst = brink__lo_get(&lo->table, m->element, m->cls);

  if (inst)
    return inst;
  inst = component(lo, m->element, brink__lo_class_scope(lo, m->cls), NULL);
  if (inst && !brink__lo_set(&lo->table, m->element, m->cls, inst))
    brink__diag_nomem(lo->diag);
  return inst;
}

mo_inst *brink__lo_prototype(mo_low *lo, const mo_class *cls)
{
  static const char key; /* of the table */
  mo_inst *p = brink__lo_get(&lo->table, cls, &key);

  if (p)
    return p->base == MO_V_BAD || p->state != MO_READY ? NULL : p;
  p = brink__lo_take(lo, sizeof *p);
  if (!p)
    return NULL;
  *p = (mo_inst){.base = MO_V_RECORD, .cls = cls, .var = -1, .state = MO_BUSY};
  if (!brink__lo_set(&lo->table, cls, &key, p)) {
    brink__diag_nomem(lo->diag);
    return NULL;
  }
  int errors = lo->diag->n_errors;
  if (!fill(lo, p, cls, NULL) || lo->diag->n_errors > errors)
    p->base = MO_V_BAD;
  return p->base == MO_V_BAD ? NULL : p;
}

/* --------------------------------------------------------------- ready ---- */

static int absent(mo_low *lo, mo_inst *inst)
{
  const mo_expr *c = inst->decl->condition;
  mo_env env = {inst->scope, MO_STRUCTURAL, -1};
  double v;

  if (!c)
    return 0;
  brink__node n =
      brink__lo_expr_as(lo, &env, c, MO_V_BOOLEAN, "the condition of a declaration");
  return n && brink__lo_const(lo, n, &v) && v == 0;
}

/* Is there room for `more` scalars beside those that there are? */
static int few_scalars(mo_low *lo, const mo_inst *inst, long long more)
{
  if (lo->n_scalars + more <= MO_MAX_SCALARS)
    return 1;
  brink__lo_hopeless(lo, inst->decl->at, "the model has more than %d scalar variables",
                     MO_MAX_SCALARS);
  return 0;
}

static int shape(mo_low *lo, mo_inst *inst, const int *dims, int nd)
{
  long long count = 1;

  for (int i = 0; i < nd; i++) {
    if (dims[i] > 0 && count > MO_MAX_ELEMENTS / dims[i]) {
      brink__lo_error(lo, inst->decl->at, "the array '%s' has more than %d elements",
                      inst->name->bare, MO_MAX_ELEMENTS);
      return 0;
    }
    count *= dims[i];
  }
  if (inst->base != MO_V_RECORD && inst->base != MO_V_CLASS)
    lo->n_scalars += (long)count;
  if (!few_scalars(lo, inst, 0))
    return 0;
  inst->nd = nd;
  inst->count = (int32_t)count;
  inst->dims = brink__lo_take(lo, (size_t)(nd + 1) * sizeof *inst->dims);
  if (!inst->dims)
    return 0;
  memcpy(inst->dims, dims, (size_t)nd * sizeof *dims);
  return 1;
}

/* the sizes of a value that is not known before the run: 1, and v has them only */
static int shape_of_value(mo_low *lo, const mo_inst *inst, mo_val *v)
{
  const mo_layer *l = brink__lo_binding(lo, inst);
  int nd, dims[MO_MAX_DIMS];

  if (!l)
    return 0;
  mo_env env = {l->scope, MO_STRUCTURAL, -1};
  if (!brink__lo_shape(lo, &env, l->value, &nd, dims) || nd < l->n_index)
    return 0;
  *v = (mo_val){.base = MO_V_INTEGER, .nd = nd - l->n_index};
  memcpy(v->dims, dims + l->n_index, (size_t)v->nd * sizeof *dims);
  return 1;
}

/* sizes written as ':' are those of the value */
static int open_sizes(mo_low *lo, mo_inst *inst, int nd, int *dims)
{
  int is_open = 0, has = 0;

  for (int i = 0; i < nd; i++)
    is_open |= dims[i] < 0;
  if (!is_open)
    return 1;
  mo_at at = inst->decl->at;
  int errors = lo->diag->n_errors;
  size_t decided = lo->n_structural;
  mo_val v = brink__lo_bound(lo, inst, MO_STRUCTURAL | MO_QUIET, &has, &at);
  if (!has)
    brink__lo_error(lo, at, "'%s' has neither a size nor a value", inst->name->bare);
  else if (v.base == MO_V_BAD && lo->diag->n_errors == errors &&
           !shape_of_value(lo, inst, &v) && lo->diag->n_errors == errors)
    brink__lo_error(
        lo, at,
        "the size of '%s' cannot be told from its value, which is not known "
        "before the run; write it",
        inst->name->bare);
  /* only the sizes are read; what decides them is asked for again by the binding */
  brink__lo_undecide(lo, decided);
  if (v.base == MO_V_BAD)
    return 0;
  if (v.nd != nd) {
    brink__lo_error(lo, at, "'%s' has %d dimensions, its value has %d",
                    inst->name->bare, nd, v.nd);
    return 0;
  }
  for (int i = 0; i < nd; i++)
    if (dims[i] < 0)
      dims[i] = v.dims[i];
  return 1;
}

static int array_of_class(mo_low *lo, mo_inst *inst)
{
  inst->kids = brink__lo_take(lo, ((size_t)inst->count + 1) * sizeof *inst->kids);
  if (!inst->kids)
    return 0;
  for (int32_t k = 0; k < inst->count && !brink__diag_full(lo->diag); k++) {
    mo_inst *e = brink__lo_take(lo, sizeof *e);
    int *index = brink__lo_take(lo, (size_t)inst->nd * sizeof *index);
    if (!e || !index)
      return 0;
    int32_t rest = k;
    for (int d = inst->nd - 1; d >= 0; d--) {
      index[d] = rest % inst->dims[d];
      rest /= inst->dims[d];
    }
    *e = *inst;
    e->name = NULL;
    e->parent = inst;
    e->nd = 0;
    e->count = 1;
    e->index = index;
    e->n_index = inst->nd;
    e->kids = NULL;
    e->n_kids = e->cap_kids = 0;
    e->layers = brink__lo_layers_indexed(lo, inst->layers, index, inst->nd);
    inst->kids[inst->n_kids++] = e;
    long before = lo->n_scalars;
    if (!fill(lo, e, inst->cls, e->layers))
      return 0;
    if (k == 0 &&
        !few_scalars(lo, inst, (long long)(lo->n_scalars - before) * (inst->count - 1)))
      return 0;
  }
  return 1;
}

static void inherit_prefixes(mo_inst *inst)
{
  const mo_inst *p = inst->parent;

  while (p && p->base == MO_V_CLASS && !p->name && p->parent)
    p = p->parent;
  if (!p || !p->decl)
    return;
  if (p->base == MO_V_RECORD || p->base == MO_V_CLASS) {
    if (p->variability > inst->variability)
      inst->variability = p->variability;
    if (p->base == MO_V_RECORD && inst->causality == MO_ACAUSAL)
      inst->causality = p->causality;
  }
}

static int whole_type(mo_low *lo, mo_inst *inst, mo_kind *kind)
{
  int nd = 0, dims[MO_MAX_DIMS];

  if (!brink__lo_kind_of(lo, inst->scope, inst->decl->type, kind))
    return 0;
  inst->base = kind->base;
  inst->cls = kind->cls;
  inst->connector = kind->connector != 0;
  inst->layers = brink__lo_layers_append(inst->layers, kind->layers);
  if (inst->causality == MO_ACAUSAL)
    inst->causality = kind->causality;
  inherit_prefixes(inst);
  if (!brink__lo_sizes(lo, inst->scope, &inst->decl->subs, &nd, dims) ||
      !brink__lo_sizes(lo, inst->scope, &inst->decl->type->subs, &nd, dims))
    return 0;
  for (int i = 0; i < kind->nd && nd < MO_MAX_DIMS; i++)
    dims[nd++] = kind->dims[i];
  return open_sizes(lo, inst, nd, dims) && shape(lo, inst, dims, nd);
}

static int make_ready(mo_low *lo, mo_inst *inst)
{
  mo_kind kind;

  if (absent(lo, inst)) {
    inst->absent = 1;
    inst->base = MO_V_BAD;
    return 1;
  }
  if (!whole_type(lo, inst, &kind))
    return 0;
  if (inst->base != MO_V_RECORD && inst->base != MO_V_CLASS)
    return 1;
  if (recursive(lo, inst, inst->cls, inst->decl->type->at))
    return 0;
  return inst->nd ? array_of_class(lo, inst) : fill(lo, inst, inst->cls, inst->layers);
}

int brink__lo_ready(mo_low *lo, mo_inst *inst)
{
  if (inst->state == MO_READY)
    return inst->base != MO_V_BAD;
  if (inst->state == MO_BUSY) {
    if ((inst->base == MO_V_CLASS || inst->base == MO_V_RECORD) && inst->nd == 0)
      return 1; /* its components are being made ready */
    brink__lo_error(lo, inst->decl->at, "the size of '%s' depends on itself",
                    inst->name ? inst->name->bare : "");
    return 0;
  }
  inst->state = MO_BUSY;
  if (!make_ready(lo, inst))
    inst->base = MO_V_BAD;
  inst->state = MO_READY;
  return inst->base != MO_V_BAD;
}

/* --------------------------------------------------------------- names ---- */

static size_t put(char *buf, size_t cap, size_t n, const char *s)
{
  for (; *s && n + 1 < cap; s++)
    buf[n++] = *s;
  buf[n] = 0;
  return n;
}

static size_t put_index(char *buf, size_t cap, size_t n, const int *index, int count)
{
  char number[16];

  for (int i = 0; i < count; i++) {
    snprintf(number, sizeof number, "%c%d", i ? ',' : '[', index[i] + 1);
    n = put(buf, cap, n, number);
  }
  return count ? put(buf, cap, n, "]") : n;
}

static size_t put_path(char *buf, size_t cap, const mo_inst *inst)
{
  size_t n = 0;

  buf[0] = 0;
  if (inst->parent)
    n = put_path(buf, cap, inst->parent);
  if (inst->name) {
    if (n)
      n = put(buf, cap, n, ".");
    return put(buf, cap, n, inst->name->bare);
  }
  return put_index(buf, cap, n, inst->index, inst->n_index);
}

const char *brink__lo_path(mo_low *lo, const mo_inst *inst, int32_t k)
{
  enum { LONGEST = 1000 };
  char buf[LONGEST];
  size_t n = put_path(buf, sizeof buf, inst);

  if (k >= 0 && inst->nd > 0) {
    int index[MO_MAX_DIMS];
    for (int d = inst->nd - 1; d >= 0; d--) {
      index[d] = k % inst->dims[d];
      k /= inst->dims[d];
    }
    n = put_index(buf, sizeof buf, n, index, inst->nd);
  }
  const char *s = brink__pool_str(&lo->pool, buf, n);
  if (!s)
    brink__diag_nomem(lo->diag);
  return s ? s : "";
}
