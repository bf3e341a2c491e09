/* emit.c -- flat variables: one for each scalar of the tree, with its attributes.
 *
 * First all variables get their place and symbol, in the order of declaration; then
 * attributes and values are lowered, which may name any of them.
 */
#include "front/modelica/lower.h"

#include <string.h>

typedef enum attribute {
  A_START,
  A_FIXED,
  A_MIN,
  A_MAX,
  A_NOMINAL,
  A_UNIT,
  A_DISPLAY_UNIT,
  A_QUANTITY,
  A_STATE_SELECT,
  A_UNBOUNDED,
  A_COUNT
} attribute;

static const char *const names[A_COUNT] = {
    "start", "fixed",       "min",      "max",         "nominal",
    "unit",  "displayUnit", "quantity", "stateSelect", "unbounded",
};

typedef struct given {
  const mo_layer *layer;
  const mo_mod *mod;
} given;

/* -------------------------------------------------------------- variables ---- */

static int is_leaf(const mo_inst *inst)
{
  return inst->base != MO_V_CLASS && inst->base != MO_V_RECORD;
}

static int add_var(mo_low *lo, const brink__flat_var *v, mo_inst *inst)
{
  if (!brink__lo_push(lo, (void **)&lo->vars, &lo->cap_vars, lo->n_vars, sizeof *v) ||
      !brink__lo_push(lo, (void **)&lo->var_inst, &lo->cap_var_inst, lo->n_vars,
                      sizeof *lo->var_inst) ||
      !brink__lo_push(lo, (void **)&lo->in_when, &lo->cap_in_when, lo->n_vars,
                      sizeof *lo->in_when))
    return 0;
  lo->vars[lo->n_vars] = *v;
  lo->var_inst[lo->n_vars] = inst;
  lo->in_when[lo->n_vars] = 0;
  lo->vars[lo->n_vars].value =
      brink__lo_symbol(lo, MO_SYM_VALUE, (int32_t)lo->n_vars, v->variability);
  return lo->vars[lo->n_vars++].value >= 0;
}

static const char *keep(mo_low *lo, const char *s)
{
  const char *copy = brink__pool_str(&lo->flat->pool, s, strlen(s));

  if (!copy)
    brink__diag_nomem(lo->diag);
  return copy ? copy : "";
}

int32_t brink__lo_hidden(mo_low *lo, const char *name, brink__type type,
                         brink__variability variability, mo_at at)
{
  brink__flat_var v = {.name = keep(lo, name),
                       .type = type,
                       .variability = variability,
                       .at = {at.line, at.col},
                       .der = -1,
                       .pre = -1,
                       .fixed = -1,
                       .mode = lo->place,
                       .hidden = 1,
                       .unit = "",
                       .text = ""};

  return add_var(lo, &v, NULL) ? (int32_t)lo->n_vars - 1 : -1;
}

/* A parameter that the initial equations find.  A Real is a state that rests, anything
 * else a discrete variable that stays; one that `when initial()` assigns, too. */
static int is_found(mo_low *lo, const mo_inst *inst)
{
  for (const mo_layer *l = inst->layers; l; l = l->inner)
    if (l->value)
      return 0;
  if (inst->variability != MO_PARAMETER || inst->base == MO_V_STRING ||
      !brink__lo_is_free(lo, inst))
    return 0;
  for (int32_t k = 0; k < inst->count; k++)
    if (brink__lo_user_value(lo, inst, k))
      return 0;
  return 1;
}

static void rest(mo_low *lo, mo_inst *inst, int32_t var)
{
  mo_sink *to = &lo->eqns;
  mo_env env = {0};
  int real = inst->base == MO_V_REAL;
  brink__node self = brink__lo_value(lo, var);
  brink__node lhs = real ? brink__lo_der(lo, &env, inst->decl->at, self) : self;
  brink__node rhs =
      real ? brink__real(lo->g, 0) : brink__lo_pre(lo, &env, inst->decl->at, self);

  if (lhs && rhs && brink__lo_push(lo, (void **)&to->v, &to->cap, to->n, sizeof *to->v))
    to->v[to->n++] = (brink__flat_eqn){lhs,
                                       rhs,
                                       {inst->decl->at.line, inst->decl->at.col},
                                       brink__lo_place(lo, inst->parent)};
}

static brink__variability variability(mo_low *lo, const mo_inst *inst)
{
  if (inst->variability == MO_PARAMETER && !is_found(lo, inst))
    return BRINK__PARAMETER;
  if (inst->variability == MO_DISCRETE || inst->base != MO_V_REAL || inst->in_when)
    return BRINK__DISCRETE;
  return BRINK__CONTINUOUS;
}

static void literals(mo_low *lo, const mo_inst *inst, brink__flat_var *v)
{
  static const char key; /* one list of texts for each enumeration */
  const char **list = brink__lo_get(&lo->table, inst->cls, &key);
  size_t n = (size_t)inst->cls->n_literals;

  if (!list) {
    list = brink__pool_take(&lo->flat->pool, (n + 1) * sizeof *list);
    if (!list || !brink__lo_set(&lo->table, inst->cls, &key, list)) {
      brink__diag_nomem(lo->diag);
      return;
    }
    for (size_t i = 0; i < n; i++)
      list[i] = keep(lo, inst->cls->literals[i].name->bare);
  }
  v->literals = list;
  v->n_literals = (int)n;
}

static void emit_leaf(mo_low *lo, mo_inst *inst)
{
  if (inst->base == MO_V_STRING && inst->variability < MO_PARAMETER)
    return; /* see strings.c */
  if (inst->variability == MO_CONSTANT || inst->base == MO_V_STRING) {
    brink__lo_known(lo, inst, inst->decl->at, 0);
    return;
  }
  const char *text = inst->decl->comment.text;
  brink__flat_var v = {.type = brink__lo_type_of(inst->base),
                       .variability = variability(lo, inst),
                       .at = {inst->decl->at.line, inst->decl->at.col},
                       .der = -1,
                       .pre = -1,
                       .fixed = -1,
                       .unit = ""};
  v.text = text ? keep(lo, text) : "";
  if (inst->base == MO_V_ENUM)
    literals(lo, inst, &v);
  inst->var = (int32_t)lo->n_vars;
  int resting = inst->variability == MO_PARAMETER && !inst->in_when &&
                v.variability > BRINK__PARAMETER;
  v.to_find = resting;
  for (int32_t k = 0; k < inst->count; k++) {
    v.name = keep(lo, brink__lo_path(lo, inst, k));
    if (!add_var(lo, &v, inst))
      return;
    if (resting)
      rest(lo, inst, inst->var + k);
  }
}

void brink__lo_emit(mo_low *lo, mo_inst *inst)
{
  if (inst->absent || inst->base == MO_V_BAD)
    return;
  if (is_leaf(inst))
    emit_leaf(lo, inst);
  else
    for (int i = 0; i < inst->n_kids && !brink__diag_full(lo->diag); i++)
      brink__lo_emit(lo, inst->kids[i]);
}

/* ------------------------------------------------------------- attributes ---- */

static void bad_attribute(mo_low *lo, const mo_inst *inst, const mo_mod *m, int part)
{
  const char *name = m->name.parts[part].name->bare, *best = NULL;
  int distance = MO_FAR;

  for (int i = 0; i < A_COUNT; i++) {
    int d = brink__lo_far(name, names[i]);
    if (d < distance) {
      distance = d;
      best = names[i];
    }
  }
  if (best)
    brink__lo_error(lo, m->at, "'%s' is no attribute of '%s'; did you mean '%s'?", name,
                    inst->name->bare, best);
  else
    brink__lo_error(lo, m->at, "'%s' is no attribute of '%s'", name, inst->name->bare);
}

/* part: where in the name of m, which may be dotted, the attribute stands */
static void note(mo_low *lo, const mo_inst *inst, const mo_layer *l, const mo_mod *m,
                 int part, given *all)
{
  if (m->element)
    return; /* refused elsewhere */
  for (int a = 0; m->name.n == part + 1 && a < A_COUNT; a++)
    if (strcmp(m->name.parts[part].name->text, names[a]) == 0) {
      if (!m->value)
        brink__lo_error(lo, m->at, "the attribute '%s' needs a value", names[a]);
      else if (!all[a].mod)
        all[a] = (given){l, m};
      else if (m->flags & MO_FINAL)
        brink__lo_error(lo, all[a].mod->at,
                        "'%s' of '%s' is final; it cannot be modified", names[a],
                        brink__lo_path(lo, inst, -1));
      return;
    }
  if (strncmp(m->name.parts[part].name->text, "__", 2) != 0)
    bad_attribute(lo, inst, m, part);
}

static const char *collect(mo_low *lo, const mo_inst *inst, given *all)
{
  const char *unit = NULL;

  for (const mo_layer *l = inst->layers; l; l = l->inner) {
    if (l->unit && !unit)
      unit = l->unit;
    if (l->tail)
      note(lo, inst, l, l->tail, l->skip, all);
    for (int i = 0; l->mods && i < l->mods->n; i++)
      note(lo, inst, l, &l->mods->v[i], 0, all);
  }
  return unit;
}

/* the value of a numeric attribute, of the variable's own type; may be a scalar for
 * all elements */
static mo_val numeric(mo_low *lo, const mo_inst *inst, const given *g, mo_base base,
                      attribute a)
{
  mo_val v =
      brink__lo_layer_value(lo, g->layer, g->mod->value, 0, g->mod->flags & MO_EACH);

  v = brink__lo_coerce(lo, g->mod->value->at, v, base, inst->cls, names[a]);
  mo_val want = {.nd = inst->nd};
  for (int i = 0; i < inst->nd; i++)
    want.dims[i] = inst->dims[i];
  if (v.base != MO_V_BAD && v.nd && !brink__lo_same_shape(&v, &want)) {
    brink__lo_error(lo, g->mod->value->at,
                    "'%s' of '%s' is %s, which does not fit its size", names[a],
                    inst->name->bare, brink__lo_type_text(lo, &v));
    return brink__lo_bad();
  }
  for (size_t k = 0; v.base != MO_V_BAD && k < brink__lo_count(&v); k++)
    if (a == A_START ? brink__lo_moves(lo, brink__lo_at(&v, k))
                     : brink__lo_varies(lo, brink__lo_at(&v, k)) > BRINK__PARAMETER) {
      brink__lo_error(lo, g->mod->value->at,
                      "'%s' of '%s' must be made of parameters and "
                      "constants",
                      names[a], inst->name->bare);
      return brink__lo_bad();
    }
  return v;
}

static void set_numeric(mo_low *lo, mo_inst *inst, const given *g, attribute a)
{
  if (!g->mod)
    return;
  if (a != A_START && inst->base == MO_V_BOOLEAN) {
    bad_attribute(lo, inst, g->mod, g->mod->name.n - 1);
    return;
  }
  mo_val v = numeric(lo, inst, g, a == A_NOMINAL ? MO_V_REAL : inst->base, a);
  for (int32_t k = 0; v.base != MO_V_BAD && k < inst->count; k++) {
    brink__flat_var *x = &lo->vars[inst->var + k];
    brink__node n = v.nd ? v.v[k] : v.one;
    *(a == A_START ? &x->start
      : a == A_MIN ? &x->min
      : a == A_MAX ? &x->max
                   : &x->nominal) = n;
  }
}

static void set_fixed(mo_low *lo, mo_inst *inst, const given *g)
{
  if (!g->mod)
    return;
  mo_val v = brink__lo_layer_value(lo, g->layer, g->mod->value, MO_STRUCTURAL,
                                   g->mod->flags & MO_EACH);
  v = brink__lo_coerce(lo, g->mod->value->at, v, MO_V_BOOLEAN, NULL, "fixed");
  for (int32_t k = 0; v.base != MO_V_BAD && k < inst->count; k++) {
    double yes = 0;
    if ((size_t)k < brink__lo_count(&v) || v.nd == 0)
      brink__lo_const(lo, v.nd ? v.v[k] : v.one, &yes);
    lo->vars[inst->var + k].fixed = yes != 0;
  }
}

static const char *text_attribute(mo_low *lo, const given *g, attribute a)
{
  if (!g->mod)
    return NULL;
  mo_val v = brink__lo_layer_value(lo, g->layer, g->mod->value, MO_STRUCTURAL,
                                   g->mod->flags & MO_EACH);
  v = brink__lo_coerce(lo, g->mod->value->at, v, MO_V_STRING, NULL, names[a]);
  return v.base == MO_V_STRING && v.text ? brink__lo_plain(lo, v.text) : NULL;
}

static void set_preference(mo_low *lo, mo_inst *inst, const given *g)
{
  static const char *const words[] = {"never", "avoid", "default", "prefer", "always"};

  if (!g->mod)
    return;
  const mo_expr *e = g->mod->value;
  const char *last =
      e->kind == MO_REF && e->ref.n == 2 ? e->ref.parts[1].name->text : "";
  for (int i = 0; i < (int)BRINK__COUNT(words); i++)
    if (strcmp(last, words[i]) == 0) {
      for (int32_t k = 0; k < inst->count; k++)
        lo->vars[inst->var + k].prefer = i - 2;
      return;
    }
  brink__lo_error(lo, e->at,
                  "stateSelect takes StateSelect.never, avoid, default, prefer or "
                  "always");
}

/* ----------------------------------------------------------------- values ---- */

static void bind_parameter(mo_low *lo, mo_inst *inst, const mo_val *v, mo_at at)
{
  for (int32_t k = 0; k < inst->count; k++) {
    brink__flat_var *x = &lo->vars[inst->var + k];
    brink__node n = brink__lo_at(v, (size_t)k);
    if (brink__lo_moves(lo, n)) {
      brink__lo_error(lo, at, "the parameter '%s' cannot depend on a variable",
                      x->name);
      return;
    }
    x->binding = n; /* it may depend on what initial equations find: found.c */
  }
}

static void unbound_parameter(mo_low *lo, mo_inst *inst)
{
  for (int32_t k = 0; k < inst->count; k++) {
    brink__flat_var *x = &lo->vars[inst->var + k];
    if (x->fixed == 0)
      continue; /* found by the initial equations */
    if (x->start)
      x->binding = x->start;
    else {
      x->binding = brink__first_value(lo->g, x->type);
      if (k == 0 && !(lo->opt && lo->opt->n_set && brink__lo_user_value(lo, inst, k)))
        brink__lo_warn(lo, inst->decl->at,
                       "the parameter '%s' has no value; 0 is taken", x->name);
    }
  }
}

static void bind(mo_low *lo, mo_inst *inst)
{
  int has;
  mo_at at = inst->decl->at;
  mo_val v = brink__lo_bound(lo, inst, 0, &has, &at);

  int parameter = inst->variability == MO_PARAMETER;
  if (!has) {
    if (parameter)
      unbound_parameter(lo, inst);
    return;
  }
  v = brink__lo_coerce(lo, at, v, inst->base, inst->cls, brink__lo_path(lo, inst, -1));
  if (v.base == MO_V_BAD || !brink__lo_fits(lo, at, inst, &v))
    return;
  if (parameter) {
    bind_parameter(lo, inst, &v, at);
    return;
  }
  mo_env env = {inst->scope, 0, -1};
  mo_val left = brink__lo_inst_value(lo, &env, inst, at);
  brink__lo_equate(lo, at, &env, &left, &v, &lo->eqns);
}

/* An input of the model that nobody gives a value: of the model itself, alone or in
 * records. */
static int is_free_input(mo_low *lo, const mo_inst *inst)
{
  if (inst->causality != MO_INPUT || inst->variability == MO_PARAMETER)
    return 0;
  while (!brink__lo_binding(lo, inst) && inst->parent->base == MO_V_RECORD)
    inst = inst->parent;
  return inst->parent == lo->root && !brink__lo_binding(lo, inst);
}

static void from_user(mo_low *lo, mo_inst *inst)
{
  for (int32_t k = 0; lo->opt && lo->opt->n_set && k < inst->count; k++) {
    brink__node n = brink__lo_user_value(lo, inst, k);
    if (!n)
      continue;
    if (inst->variability == MO_PARAMETER)
      lo->vars[inst->var + k].binding = n;
    else
      lo->vars[inst->var + k].start = n;
  }
}

static void leaf_attributes(mo_low *lo, mo_inst *inst)
{
  given all[A_COUNT] = {{NULL, NULL}};

  if (inst->var < 0 || inst->count == 0 || inst->base == MO_V_STRING)
    return;
  lo->place = brink__lo_place(lo, inst->parent);
  const char *unit = inst->layers ? collect(lo, inst, all) : NULL;
  for (int a = A_START; a <= A_NOMINAL; a++)
    if (a != A_FIXED)
      set_numeric(lo, inst, &all[a], (attribute)a);
  set_fixed(lo, inst, &all[A_FIXED]);
  set_preference(lo, inst, &all[A_STATE_SELECT]);
  const char *given_unit = text_attribute(lo, &all[A_UNIT], A_UNIT);
  text_attribute(lo, &all[A_DISPLAY_UNIT], A_DISPLAY_UNIT);
  text_attribute(lo, &all[A_QUANTITY], A_QUANTITY);
  unit = given_unit ? given_unit : unit;
  unit = unit ? keep(lo, unit) : "";
  int domain = brink__lo_domain(lo, &inst->decl->comment);
  if (domain && !all[A_MIN].mod && !all[A_MAX].mod)
    brink__lo_error(lo, inst->decl->at, "'domain' of '%s' needs a min or a max",
                    brink__lo_path(lo, inst, -1));
  int free_input = is_free_input(lo, inst);
  for (int32_t k = 0; k < inst->count; k++) {
    lo->vars[inst->var + k].unit = unit;
    lo->vars[inst->var + k].domain = domain;
    lo->vars[inst->var + k].input = free_input;
  }
  bind(lo, inst);
  from_user(lo, inst);
  lo->place = 0;
}

void brink__lo_attributes(mo_low *lo, mo_inst *inst)
{
  if (inst->absent || inst->base == MO_V_BAD)
    return;
  if (is_leaf(inst))
    leaf_attributes(lo, inst);
  else
    for (int i = 0; i < inst->n_kids && !brink__diag_full(lo->diag); i++)
      brink__lo_attributes(lo, inst->kids[i]);
}
