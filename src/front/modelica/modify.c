/* modify.c -- modifications: who says what about a component.
 *
 * A component carries the list of its modifications from the outermost to its own
 * declaration and further to its type; for each attribute and for the value the
 * first that speaks wins [Modelica36, 7.2].  Values are read where they are written:
 * every layer carries its scope.
 */
#include "front/modelica/lower.h"

#include <string.h>

mo_layer *brink__lo_layer(mo_low *lo, const mo_scope *scope, const mo_mods *mods,
                          const mo_expr *value, mo_at at)
{
  mo_layer *l = brink__lo_take(lo, sizeof *l);

  if (l) {
    l->scope = scope;
    l->mods = mods;
    l->value = value;
    l->at = at;
    l->order = MO_OWN;
  }
  return l;
}

mo_layer *brink__lo_layers_append(mo_layer *first, mo_layer *second)
{
  mo_layer *l = first;

  if (!first)
    return second;
  while (l->inner)
    l = l->inner;
  l->inner = second;
  return first;
}

/* what entry m, of which `done` name parts are used up, says to the next component */
static mo_layer *entry(mo_low *lo, const mo_layer *from, int order, const mo_mod *m,
                       int done)
{
  mo_layer *l = brink__lo_layer(lo, from->scope, NULL, NULL, m->at);

  if (!l)
    return NULL;
  l->order = order;
  l->flags = m->flags | (from->flags & MO_FINAL);
  if (!(m->flags & MO_EACH)) {
    l->index = from->index;
    l->n_index = from->n_index;
  }
  if (done < m->name.n) {
    l->tail = m;
    l->skip = done;
  } else {
    l->mods = m->mods;
    l->value = m->value;
    if (m->value)
      l->at = m->value->at;
  }
  return l;
}

mo_layer *brink__lo_layers_of(mo_low *lo, mo_layer *outer, mo_name *name)
{
  mo_layer *first = NULL, **next = &first;
  int order = 0;

  for (const mo_layer *l = outer; l; l = l->inner, order++) {
    mo_layer *found = NULL;
    if (l->tail) {
      if (l->tail->name.parts[l->skip].name == name)
        found = entry(lo, l, order, l->tail, l->skip + 1);
      if (found) {
        *next = found;
        next = &found->inner;
      }
      continue;
    }
    for (int i = 0; l->mods && i < l->mods->n; i++) {
      const mo_mod *m = &l->mods->v[i];
      if (m->element || m->name.n == 0 || m->name.parts[0].name != name)
        continue;
      found = entry(lo, l, order, m, 1);
      if (found) {
        *next = found;
        next = &found->inner;
      }
    }
  }
  return first;
}

mo_layer *brink__lo_layers_indexed(mo_low *lo, mo_layer *list, const int *index, int n)
{
  mo_layer *first = NULL, **next = &first;

  for (const mo_layer *l = list; l; l = l->inner) {
    mo_layer *copy = brink__lo_take(lo, sizeof *copy);
    int *all = brink__lo_take(lo, (size_t)(l->n_index + n) * sizeof *all);
    if (!copy || !all)
      return first;
    *copy = *l;
    copy->inner = NULL;
    if (l->n_index)
      memcpy(all, l->index, (size_t)l->n_index * sizeof *all);
    if (n)
      memcpy(all + l->n_index, index, (size_t)n * sizeof *all);
    copy->index = all;
    copy->n_index = l->n_index + n;
    *next = copy;
    next = &copy->inner;
  }
  return first;
}

const mo_layer *brink__lo_binding(mo_low *lo, const mo_inst *inst)
{
  const mo_layer *first = NULL;

  for (const mo_layer *l = inst->layers; l; l = l->inner) {
    if (!l->value)
      continue;
    if (first && (l->flags & MO_FINAL)) {
      brink__lo_error(lo, first->at, "'%s' is final; it cannot be modified",
                      brink__lo_path(lo, inst, -1));
      return l;
    }
    if (!first)
      first = l;
  }
  return first;
}

/* --------------------------------------------------------------- check ---- */

static void unknown(mo_low *lo, const mo_inst *inst, const mo_mod *m,
                    const mo_name *name)
{
  const char *best = NULL;
  int distance = MO_FAR;

  for (int i = 0; i < inst->n_kids; i++) {
    int d = inst->kids[i]->name ? brink__lo_far(name->bare, inst->kids[i]->name->bare)
                                : distance;
    if (d < distance) {
      distance = d;
      best = inst->kids[i]->name->bare;
    }
  }
  const char *cls = inst->cls ? inst->cls->name->bare : brink__lo_path(lo, inst, -1);
  if (best)
    brink__lo_error(lo, m->at,
                    "'%s' has no component '%s' to modify; did you mean '%s'?", cls,
                    name->bare, best);
  else
    brink__lo_error(lo, m->at, "'%s' has no component '%s' to modify", cls, name->bare);
}

static int is_class(mo_low *lo, const mo_inst *inst, mo_name *name)
{
  const mo_member *m = inst->cls ? brink__lo_member(lo, inst->cls, name) : NULL;

  return m && m->element->kind == MO_E_CLASS;
}

void brink__lo_check_layers(mo_low *lo, mo_inst *inst, const mo_layer *layers)
{
  for (const mo_layer *l = inst->hollow ? NULL : layers; l; l = l->inner) {
    if (l->tail && !brink__lo_kid(lo, inst, l->tail->name.parts[l->skip].name))
      unknown(lo, inst, l->tail, l->tail->name.parts[l->skip].name);
    for (int i = 0; l->mods && i < l->mods->n; i++) {
      const mo_mod *m = &l->mods->v[i];
      if (m->element || m->name.n == 0)
        continue; /* refused elsewhere */
      if (brink__lo_kid(lo, inst, m->name.parts[0].name))
        continue;
      if (is_class(lo, inst, m->name.parts[0].name))
        brink__lo_error(lo, m->at,
                        "modifying the class '%s' is not supported; declare "
                        "the class you mean",
                        m->name.parts[0].name->bare);
      else
        unknown(lo, inst, m, m->name.parts[0].name);
    }
  }
}
