/* strings.c -- String variables: they exist for messages.
 *
 * A String with an equation, or a value where it is declared, is what stands there,
 * wherever it is read.  A String that whens set is a hidden Integer: the number of the
 * equation that set it last, 0 for its start value; the texts must be constant.
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
      inst->variability >= MO_PARAMETER || inst->nd)
    return NULL;
  return inst;
}

void brink__lo_text_note(mo_low *lo, const mo_scope *scope, const mo_stmt *s,
                         int in_when)
{
  mo_env env = {scope, 0, -1};
  mo_inst *inst = brink__lo_text_of(lo, &env, s->left);

  if (!inst)
    return;
  mo_said *one = brink__lo_take(lo, sizeof *one);
  if (!one)
    return;
  *one = (mo_said){.scope = scope, .stmt = s, .in_when = in_when};
  mo_said **last = &inst->said;
  while (*last)
    last = &(*last)->next;
  *last = one;
}

static mo_val start_text(mo_low *lo, const mo_inst *inst)
{
  for (const mo_layer *l = inst->layers; l; l = l->inner)
    for (int i = 0; l->mods && i < l->mods->n; i++) {
      const mo_mod *m = &l->mods->v[i];
      if (m->name.n == 1 && m->value &&
          strcmp(m->name.parts[0].name->text, "start") == 0)
        return brink__lo_layer_value(lo, l, m->value, MO_STRUCTURAL, 1);
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

  for (const mo_said *s = inst->said; s; s = s->next)
    n++;
  mo_val *v = brink__lo_take(lo, n * sizeof *v);
  int32_t var = number_of(lo, inst);
  if (!v || var < 0)
    return brink__lo_bad();
  v[0] = start_text(lo, inst);
  n = 1;
  for (const mo_said *s = inst->said; s; s = s->next, n++) {
    mo_env known = {s->scope, MO_STRUCTURAL, -1};
    v[n] = brink__lo_expr(lo, &known, s->stmt->right);
    v[n] = brink__lo_coerce(lo, s->stmt->at, v[n], MO_V_STRING, NULL, "the right side");
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
  if (!has && inst->said) {
    mo_env env = {inst->said->scope, 0, -1};
    v = brink__lo_expr(lo, &env, inst->said->stmt->right);
  } else if (!has)
    brink__lo_error(lo, inst->decl->at, "the String '%s' has no equation",
                    brink__lo_path(lo, inst, -1));
  inst->value_state = MO_NEW;
  return brink__lo_coerce(lo, at, v, MO_V_STRING, NULL, brink__lo_path(lo, inst, -1));
}

int brink__lo_text_set(mo_low *lo, const mo_env *env, const mo_stmt *s,
                       brink__flat_action *out)
{
  mo_inst *inst = brink__lo_text_of(lo, env, s->left);
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
