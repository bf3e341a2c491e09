/* moving.c -- subscripts that are not known before the run: table[i] with a discrete i.
 *
 * They are read and written element by element under the condition i == k; an
 * assertion watches that i stays in range.
 */
#include "front/modelica/lower.h"

#include <string.h>

void brink__lo_watch(mo_low *lo, mo_at at, brink__node index, int size,
                     const char *text)
{
  brink__graph *g = lo->g;
  brink__node *parts = brink__pool_take(&lo->flat->pool, sizeof *parts);
  brink__node low = brink__op2(g, BRINK_OP_GE, index, brink__integer(g, 1));
  brink__node high = brink__op2(g, BRINK_OP_LE, index, brink__integer(g, size));
  brink__flat_action a = {.kind = BRINK__ASSERT,
                          .var = -1,
                          .at = {at.line, at.col},
                          .value = brink__op2(g, BRINK_OP_AND, low, high),
                          .parts = parts,
                          .n_parts = 1};

  a.text = brink__pool_str(&lo->flat->pool, text, strlen(text));
  if (!parts || !a.text) {
    brink__diag_nomem(lo->diag);
    return;
  }
  parts[0] = index;
  brink__lo_push_assert(lo, a);
}

brink__node brink__lo_moving_index(mo_low *lo, const mo_env *env, const mo_expr *sub,
                                   int size)
{
  mo_env inner = *env;
  double k;

  if (sub->kind == MO_ALL || sub->kind == MO_RANGE || sub->kind == MO_INTEGER ||
      sub->kind == MO_END || (env->flags & MO_STRUCTURAL))
    return BRINK__NONE;
  inner.end = size;
  mo_val i = brink__lo_expr(lo, &inner, sub);
  if (i.nd ||
      (i.base != MO_V_INTEGER && i.base != MO_V_ENUM && i.base != MO_V_BOOLEAN) ||
      brink__lo_const(lo, i.one, &k) || brink__lo_varies(lo, i.one) <= BRINK__PARAMETER)
    return BRINK__NONE;
  if (i.base == MO_V_ENUM)
    return brink__lo_apply(lo, sub->at, BRINK_OP_ORDINAL, i.one, 0, 0);
  if (i.base == MO_V_BOOLEAN)
    return brink__lo_apply(lo, sub->at, BRINK_OP_SELECT, i.one,
                           brink__integer(lo->g, 2), brink__integer(lo->g, 1));
  return i.one;
}

void brink__lo_watch_subscript(mo_low *lo, mo_at at, brink__node index, int size)
{
  brink__lo_watch(
      lo, at, index, size,
      brink__lo_format(lo, "subscript %%0{d} is out of range: the size is %d", size));
}

int brink__lo_local_size(const mo_local *local, const mo_ref *ref, int part, int d)
{
  const mo_val *v = local->value;
  int before = 0;

  for (int i = 1; i <= part; i++) {
    const mo_val *field = NULL;
    for (int k = 0; v->base == MO_V_RECORD && k < v->n_fields; k++)
      if (v->names[k]->name == ref->parts[i].name)
        field = &v->fields[k];
    if (!field)
      return -1;
    before = v->nd;
    v = field;
  }
  return before + d < v->nd ? v->dims[before + d] : -1;
}

/* size of dimension d of what the first parts of a reference name; 0: not known */
static int size_of(mo_low *lo, const mo_env *env, const mo_expr *e, int part, int d)
{
  const mo_ref *ref = &e->ref;
  mo_found f = brink__lo_find_name(lo, env->scope, ref->parts[0].name, e->at);

  if (f.kind == MO_F_LOCAL) {
    int size = brink__lo_local_size(f.local, ref, part, d);
    return size < 0 ? 0 : size;
  }
  mo_inst *inst = f.kind == MO_F_INST ? f.inst : NULL;
  for (int i = 0; inst; i++) {
    if (!brink__lo_ready(lo, inst))
      return 0;
    if (i == part)
      return d < inst->nd ? inst->dims[d] : 0;
    if (inst->nd && inst->n_kids) /* all elements have the same components */
      inst = inst->kids[0];
    inst = brink__lo_kid(lo, inst, ref->parts[i + 1].name);
  }
  return 0;
}

int brink__lo_moving(mo_low *lo, const mo_env *env, const mo_expr *ref, mo_moving *out)
{
  for (int i = 0; i < ref->ref.n; i++)
    for (int d = 0; d < ref->ref.parts[i].subs.n; d++) {
      const mo_expr *sub = ref->ref.parts[i].subs.v[d];
      if (sub->kind == MO_INTEGER || sub->kind == MO_ALL || sub->kind == MO_RANGE)
        continue;
      int size = size_of(lo, env, ref, i, d);
      brink__node n = brink__lo_moving_index(lo, env, sub, size);
      if (n && size > 0) {
        *out = (mo_moving){i, d, size, n};
        return 1;
      }
    }
  return 0;
}

mo_expr *brink__lo_with_subscript(mo_low *lo, const mo_expr *ref, const mo_moving *m,
                                  int k)
{
  mo_expr *e = brink__lo_take(lo, sizeof *e);
  mo_expr *number = brink__lo_take(lo, sizeof *number);
  mo_part *parts = brink__lo_take(lo, (size_t)ref->ref.n * sizeof *parts);
  const mo_list *subs = &ref->ref.parts[m->part].subs;
  mo_expr **v = brink__lo_take(lo, (size_t)subs->n * sizeof *v);

  if (!e || !number || !parts || !v)
    return NULL;
  *number = (mo_expr){.kind = MO_INTEGER, .at = subs->v[m->sub]->at, .integer = k};
  memcpy(v, subs->v, (size_t)subs->n * sizeof *v);
  v[m->sub] = number;
  memcpy(parts, ref->ref.parts, (size_t)ref->ref.n * sizeof *parts);
  parts[m->part].subs.v = v;
  *e = *ref;
  e->ref.parts = parts;
  return e;
}
