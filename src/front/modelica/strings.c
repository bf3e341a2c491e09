/* strings.c -- String variables: they exist for messages.
 *
 * A String with an equation, or a value where it is declared, is what stands there,
 * wherever it is read; so is an array of Strings as a whole.  A String that whens or
 * algorithms set is a hidden Integer: the number of the equation that set it last, 0
 * for its start value; the texts must be constant.
 */
#include "front/modelica/lower.h"

#include <string.h>

/* the String variable that an expression names; NULL: it is none */
mo_inst *brink__lo_text_of(mo_low *lo, const mo_env *env, const mo_expr *e)
{
  if (!e || e->kind != MO_REF || !env->scope || !env->scope->inst)
    return NULL;
  mo_inst *inst = brink__lo_kid(lo, env->scope->inst, e->ref.parts[0].name);
  for (int i = 1; inst && i < e->ref.n; i++) {
    if (!brink__lo_ready(lo, inst) || inst->nd)
      return NULL;
    inst = brink__lo_kid(lo, inst, e->ref.parts[i].name);
  }
  if (!inst || !brink__lo_ready(lo, inst) || inst->base != MO_V_STRING ||
      inst->variability >= MO_PARAMETER || e->ref.parts[e->ref.n - 1].subs.n)
    return NULL;
  return inst;
}

static void note(mo_low *lo, const mo_scope *scope, const mo_stmt *s,
                 const mo_expr *left, int part, int in_when)
{
  mo_env env = {scope, 0, -1};
  mo_inst *inst = brink__lo_text_of(lo, &env, left);

  if (!inst)
    return;
  mo_said *one = brink__lo_take(lo, sizeof *one);
  if (!one)
    return;
  *one = (mo_said){.scope = scope, .stmt = s, .part = part, .in_when = in_when};
  mo_said **last = &inst->said;
  while (*last)
    last = &(*last)->next;
  *last = one;
}

void brink__lo_text_note(mo_low *lo, const mo_scope *scope, const mo_stmt *s,
                         int in_when)
{
  if (s->left->kind != MO_TUPLE)
    note(lo, scope, s, s->left, -1, in_when);
  else
    for (int i = 0; i < s->left->args.n; i++)
      note(lo, scope, s, s->left->args.v[i], i, in_when);
}

/* the text that an equation gives */
static mo_val said(mo_low *lo, const mo_said *s, unsigned flags)
{
  mo_env env = {s->scope, flags, -1};
  mo_val v = brink__lo_bad();
  int n;

  if (s->part < 0 || s->stmt->left->args.n == 1)
    v = brink__lo_expr(lo, &env, s->stmt->right);
  else {
    mo_val *all = brink__lo_outputs(lo, &env, NULL, s->stmt->right, &n);
    if (s->part < n)
      v = all[s->part];
  }
  return brink__lo_coerce(lo, s->stmt->at, v, MO_V_STRING, NULL, "the right side");
}

static mo_val fitting(mo_low *lo, mo_inst *inst, mo_at at, mo_val v)
{
  int fits = v.nd == inst->nd;

  for (int d = 0; fits && d < v.nd; d++)
    fits = v.dims[d] == inst->dims[d];
  if (v.base == MO_V_BAD || fits)
    return v;
  brink__lo_error(lo, at, "'%s' does not fit: its value is %s",
                  brink__lo_path(lo, inst, -1), brink__lo_type_text(lo, &v));
  return brink__lo_bad();
}

static mo_val start_text(mo_low *lo, const mo_inst *inst)
{
  for (const mo_layer *l = inst->layers; l; l = l->inner)
    for (int i = 0; l->mods && i < l->mods->n; i++) {
      const mo_mod *m = &l->mods->v[i];
      if (m->name.n == 1 && m->value &&
          strcmp(m->name.parts[0].name->text, "start") == 0)
        return brink__lo_coerce(
            lo, m->value->at, brink__lo_layer_value(lo, l, m->value, MO_STRUCTURAL, 1),
            MO_V_STRING, NULL, "the start value");
    }
  return brink__lo_string("");
}

/* the hidden Integer of a String that whens set */
static int32_t number_of(mo_low *lo, mo_inst *inst)
{
  if (inst->var < 0) {
    inst->var = brink__lo_hidden(lo, brink__lo_path(lo, inst, -1), BRINK_TYPE_INTEGER,
                                 BRINK__DISCRETE, inst->decl->at);
    if (inst->var >= 0) {
      lo->vars[inst->var].start = brink__integer(lo->g, 0);
      lo->vars[inst->var].fixed = 1;
    }
  }
  return inst->var;
}

static mo_val by_number(mo_low *lo, mo_inst *inst, mo_at at, int before)
{
  size_t n = 1;
  mo_env env = {NULL, MO_IN_WHEN, -1};

  if (inst->nd) {
    brink__lo_error(
        lo, at,
        "the array of Strings '%s' cannot be set in a when or an algorithm; "
        "use one String for each element",
        brink__lo_path(lo, inst, -1));
    return brink__lo_bad();
  }
  for (const mo_said *s = inst->said; s; s = s->next)
    n++;
  mo_val *v = brink__lo_take(lo, n * sizeof *v);
  int32_t var = number_of(lo, inst);
  if (!v || var < 0)
    return brink__lo_bad();
  v[0] = fitting(lo, inst, inst->decl->at, start_text(lo, inst));
  if (v[0].base == MO_V_BAD)
    return v[0];
  n = 1;
  for (const mo_said *s = inst->said; s; s = s->next, n++) {
    v[n] = fitting(lo, inst, s->stmt->at, said(lo, s, MO_STRUCTURAL));
    if (v[n].base == MO_V_BAD)
      return v[n];
  }
  brink__node which = brink__lo_value(lo, var);
  if (before)
    which = brink__lo_pre(lo, &env, at, which);
  return which ? brink__lo_one_text(lo, which, 0, v, n) : brink__lo_bad();
}

mo_val brink__lo_text_value(mo_low *lo, mo_inst *inst, mo_at at, int before)
{
  int has = 0;
  mo_val v = brink__lo_bad();

  if (inst->value_state == MO_BUSY) {
    brink__lo_error(lo, inst->decl->at, "the value of '%s' depends on itself",
                    brink__lo_path(lo, inst, -1));
    return v;
  }
  if (inst->said && inst->said->in_when)
    return by_number(lo, inst, at, before);
  inst->value_state = MO_BUSY;
  v = brink__lo_bound(lo, inst, 0, &has, &at);
  if (!has && inst->said)
    v = said(lo, inst->said, 0);
  else if (!has)
    brink__lo_error(lo, inst->decl->at,
                    inst->nd ? "the array of Strings '%s' has no equation; give all of "
                               "it a value where it is declared"
                             : "the String '%s' has no equation",
                    brink__lo_path(lo, inst, -1));
  inst->value_state = MO_NEW;
  v = brink__lo_coerce(lo, at, v, MO_V_STRING, NULL, brink__lo_path(lo, inst, -1));
  return fitting(lo, inst, at, v);
}

void brink__lo_text_ready(mo_low *lo, const mo_env *env, const mo_block *block)
{
  for (int i = 0; i < block->n; i++) {
    const mo_stmt *s = block->v[i];
    for (int k = 0; k < s->n_branches; k++)
      brink__lo_text_ready(lo, env, &s->branches[k].body);
    int n = s->kind != MO_ASSIGN ? 0 : s->left->kind == MO_TUPLE ? s->left->args.n : 1;
    for (int k = 0; k < n; k++) {
      mo_inst *inst = brink__lo_text_of(
          lo, env, s->left->kind == MO_TUPLE ? s->left->args.v[k] : s->left);
      if (inst)
        number_of(lo, inst);
    }
  }
}

void brink__lo_no_text(mo_low *lo, mo_at at)
{
  brink__lo_error(lo, at,
                  "a String that a when or an algorithm sets must be a variable of its "
                  "own, not a parameter, an element or a field");
}

int brink__lo_text_set(mo_low *lo, const mo_env *env, const mo_stmt *s,
                       brink__flat_action *out)
{
  return brink__lo_text_assign(lo, env, s, s->left, out);
}

int brink__lo_text_assign(mo_low *lo, const mo_env *env, const mo_stmt *s,
                          const mo_expr *left, brink__flat_action *out)
{
  mo_inst *inst = brink__lo_text_of(lo, env, left);
  int64_t number = 1;

  if (!inst)
    return 0;
  for (const mo_said *k = inst->said; k && k->stmt != s; k = k->next)
    number++;
  *out = (brink__flat_action){.kind = BRINK__ASSIGN,
                              .var = number_of(lo, inst),
                              .value = brink__integer(lo->g, number),
                              .at = {s->at.line, s->at.col},
                              .text = ""};
  if (by_number(lo, inst, s->at, 0).base == MO_V_BAD)
    out->var = -1;
  return 1;
}
