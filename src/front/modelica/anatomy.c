/* anatomy.c -- functions with what they inherit: variables and bodies, base first.
 *
 * `extends` in a function, and a short one, function g = f(k = 3), take over variables
 * and bodies; a modification gives a variable another value to begin with.
 */
#include "front/modelica/anatomy.h"

#include "front/modelica/parse.h"

static int judge(mo_low *lo, const mo_class *cls)
{
  static const char judged; /* a key of the table */

  if (brink__lo_get(&lo->table, cls, &judged))
    return !cls->external;
  if (!brink__lo_set(&lo->table, cls, &judged, lo))
    brink__diag_nomem(lo->diag);
  return !brink__mo_refuse(lo->file, cls, lo->diag);
}

/* how much there is to copy */
static void measure(mo_low *lo, const mo_class *cls, int depth, size_t *n,
                    size_t *bodies)
{
  mo_found f = {.kind = MO_F_NONE};
  const mo_scope *s = brink__lo_class_scope(lo, cls);

  if (depth > MO_MAX_NESTING || !s || !brink__lo_step(lo, cls->at))
    return;
  if (cls->form == MO_SHORT) {
    f = brink__lo_base_of(lo, s, &cls->base);
    if (f.kind == MO_F_CLASS)
      measure(lo, f.cls, depth + 1, n, bodies);
    return;
  }
  *n += (size_t)cls->n_elements;
  *bodies += (size_t)cls->n_sections;
  for (int i = 0; i < cls->n_elements; i++)
    if (cls->elements[i]->kind == MO_E_EXTENDS) {
      f = brink__lo_base_of(lo, s, &cls->elements[i]->extends->type);
      if (f.kind == MO_F_CLASS)
        measure(lo, f.cls, depth + 1, n, bodies);
    }
}

static int collect(mo_low *lo, const mo_class *cls, mo_anatomy *a, int depth);

/* modifications of what was inherited since number `first`: new values */
static int modify(mo_low *lo, const mo_mods *mods, const mo_class *written,
                  mo_anatomy *a, int first)
{
  for (int i = 0; mods && i < mods->n; i++) {
    const mo_mod *m = &mods->v[i];
    mo_formal *found = NULL;
    for (int k = first; m->name.n == 1 && k < a->n; k++)
      if (a->formals[k].c->name == m->name.parts[0].name)
        found = &a->formals[k];
    if (m->element)
      continue; /* refused elsewhere */
    if (!found) {
      brink__lo_error(lo, m->at, "the function has no variable '%s' to modify",
                      brink__lo_ref_text(lo, &m->name));
      return 0;
    }
    if (m->value) { /* what is nearer to the call wins */
      found->value = m->value;
      found->written = written;
    }
  }
  return 1;
}

static int inherit(mo_low *lo, const mo_class *cls, const mo_type *type,
                   const mo_mods *mods, mo_anatomy *a, int depth)
{
  const mo_scope *s = brink__lo_class_scope(lo, cls);
  mo_found f = {.kind = MO_F_BAD};
  int first = a->n;

  if (s)
    f = brink__lo_base_of(lo, s, type);
  if (f.kind == MO_F_BAD)
    return 0;
  if (f.kind != MO_F_CLASS || f.cls->kind != MO_C_FUNCTION) {
    if (f.kind == MO_F_LIBRARY)
      brink__lo_error(lo, type->at,
                      "'%s' is a class of the library, which is not "
                      "supported; flatten the model first",
                      f.path);
    else
      brink__lo_error(lo, type->at, "'%s' is not a function",
                      brink__lo_ref_text(lo, &type->name));
    return 0;
  }
  return collect(lo, f.cls, a, depth + 1) && modify(lo, mods, cls, a, first);
}

static int collect(mo_low *lo, const mo_class *cls, mo_anatomy *a, int depth)
{
  if (depth > MO_MAX_NESTING) {
    brink__lo_error(lo, cls->at, "the class '%s' extends itself", cls->name->bare);
    return 0;
  }
  if (!judge(lo, cls))
    return 0;
  if (cls->form == MO_SHORT)
    return inherit(lo, cls, &cls->base, cls->mods, a, depth);
  for (int i = 0; i < cls->n_elements; i++) {
    const mo_element *e = cls->elements[i];
    if (e->kind == MO_E_EXTENDS &&
        !inherit(lo, cls, &e->extends->type, e->extends->mods, a, depth))
      return 0;
    if (e->kind == MO_E_COMPONENT)
      a->formals[a->n++] = (mo_formal){e->component, cls, NULL, NULL};
  }
  for (int i = 0; i < cls->n_sections; i++) {
    a->owners[a->n_bodies] = cls;
    a->bodies[a->n_bodies++] = &cls->sections[i];
  }
  return 1;
}

const mo_anatomy *brink__lo_anatomy(mo_low *lo, const mo_class *cls)
{
  static const char key; /* of the table */
  mo_anatomy *a = brink__lo_get(&lo->table, cls, &key);
  size_t n = 1, bodies = 1;

  if (a)
    return a->n < 0 ? NULL : a;
  a = brink__lo_take(lo, sizeof *a);
  measure(lo, cls, 0, &n, &bodies);
  if (!a || n + bodies > MO_MAX_WORK)
    return NULL;
  a->formals = brink__lo_take(lo, n * sizeof *a->formals);
  a->bodies = brink__lo_take(lo, bodies * sizeof *a->bodies);
  a->owners = brink__lo_take(lo, bodies * sizeof *a->owners);
  if (!a->formals || !a->bodies || !a->owners)
    return NULL;
  if (!collect(lo, cls, a, 0))
    a->n = -1;
  if (!brink__lo_set(&lo->table, cls, &key, a))
    brink__diag_nomem(lo->diag);
  return a->n < 0 ? NULL : a;
}

/* ---------------------------------------------------------------- recursion ---- */

/* does a block call a function of this name? */
static int calls_itself(const mo_expr *e, const mo_name *name);

static int list_calls(const mo_list *list, const mo_name *name)
{
  for (int i = 0; i < list->n; i++)
    if (list->v[i] && calls_itself(list->v[i], name))
      return 1;
  return 0;
}

static int calls_itself(const mo_expr *e, const mo_name *name)
{
  switch (e->kind) {
  case MO_REAL:
  case MO_INTEGER:
  case MO_BOOLEAN:
  case MO_STRING:
  case MO_ALL:
  case MO_END:
  case MO_REF: return 0;
  case MO_CALL:
  case MO_PARTIAL:
    for (int i = 0; i < e->call->n; i++)
      if (calls_itself(e->call->args[i].value, name))
        return 1;
    return e->call->fn.parts[e->call->fn.n - 1].name == name;
  case MO_SUM:
  case MO_PRODUCT:
  case MO_AND:
  case MO_OR:
    for (int i = 0; i < e->chain.n; i++)
      if (calls_itself(e->chain.v[i].e, name))
        return 1;
    return 0;
  case MO_FOR: return calls_itself(e->loop->body, name);
  case MO_UNARY:
  case MO_POWER:
  case MO_RELATION:
  case MO_IF:
  case MO_RANGE:
  case MO_ARRAY:
  case MO_MATRIX:
  case MO_ROW:
  case MO_TUPLE:
  case MO_INDEX: return list_calls(&e->args, name);
  }
  return 0;
}

static int block_calls(const mo_block *block, const mo_name *name)
{
  for (int i = 0; i < block->n; i++) {
    const mo_stmt *s = block->v[i];
    if ((s->right && calls_itself(s->right, name)) ||
        (s->kind == MO_DO && calls_itself(s->left, name)))
      return 1;
    for (int k = 0; k < s->n_branches; k++)
      if (block_calls(&s->branches[k].body, name))
        return 1;
  }
  return 0;
}

int brink__lo_recursive(const mo_anatomy *a, const mo_class *cls)
{
  for (int i = 0; i < a->n_bodies; i++)
    if (block_calls(&a->bodies[i]->body, cls->name))
      return 1;
  return 0;
}
