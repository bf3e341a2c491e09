/* package.c -- packages made from others by modifying constants.
 *
 * package Moon = Earth(g = 1.62): what Moon inherits must see its own g.  Such a
 * package is written out: a copy of the class with the elements of its bases, whose
 * classes have the copy as their enclosing class.  Expressions, types and sections are
 * shared with the original.
 */
#include "front/modelica/lower.h"

#include <string.h>

static mo_class *clone(mo_low *lo, const mo_class *cls, mo_class *parent, int depth);

/* the same element for another enclosing class */
static mo_element *adopt(mo_low *lo, const mo_element *e, mo_class *parent, int depth)
{
  mo_element *copy = brink__lo_take(lo, sizeof *copy);

  if (!copy)
    return NULL;
  *copy = *e;
  if (e->kind == MO_E_CLASS) {
    copy->cls = clone(lo, e->cls, parent, depth + 1);
    if (!copy->cls)
      return NULL;
  }
  return copy;
}

static mo_class *clone(mo_low *lo, const mo_class *cls, mo_class *parent, int depth)
{
  mo_class *c = brink__lo_take(lo, sizeof *c);

  if (!c || depth > MO_MAX_NESTING)
    return NULL;
  *c = *cls;
  c->parent = parent;
  c->elements = brink__lo_take(lo, ((size_t)cls->n_elements + 1) * sizeof *c->elements);
  for (int i = 0; c->elements && i < cls->n_elements; i++) {
    c->elements[i] = adopt(lo, cls->elements[i], c, depth);
    if (!c->elements[i])
      return NULL;
  }
  return c->elements ? c : NULL;
}

static const mo_class *base_package(mo_low *lo, const mo_class *cls,
                                    const mo_type *type)
{
  const mo_scope *s = brink__lo_class_scope(lo, cls);
  mo_found f = {.kind = MO_F_NONE};

  if (s)
    f = brink__lo_base_of(lo, s, type);
  return f.kind == MO_F_CLASS && f.cls->kind == MO_C_PACKAGE ? f.cls : NULL;
}

/* give the constants of c from number `first` on their new values */
static void modify(mo_low *lo, mo_class *c, int first, const mo_mods *mods)
{
  for (int i = 0; mods && i < mods->n; i++) {
    const mo_mod *m = &mods->v[i];
    int found = 0;
    for (int k = first; k < c->n_elements && !m->element; k++) {
      mo_element *e = c->elements[k];
      if (e->kind != MO_E_COMPONENT || m->name.n != 1 ||
          e->component->name != m->name.parts[0].name || !m->value)
        continue;
      mo_component *own = brink__lo_take(lo, sizeof *own);
      if (!own)
        return;
      *own = *e->component;
      own->value = m->value;
      e->component = own;
      found = 1;
    }
    if (!found && !m->element)
      brink__lo_error(lo, m->at, "the package '%s' has no constant '%s' to modify",
                      c->name->bare, brink__lo_ref_text(lo, &m->name));
  }
}

static int append(mo_low *lo, mo_class *c, const mo_class *from, const mo_mods *mods)
{
  int n = c->n_elements + from->n_elements, first = c->n_elements;
  mo_element **all = brink__lo_take(lo, ((size_t)n + 1) * sizeof *all);

  if (!all)
    return 0;
  if (c->n_elements)
    memcpy(all, c->elements, (size_t)c->n_elements * sizeof *all);
  c->elements = all;
  for (int i = 0; i < from->n_elements; i++) {
    const mo_element *e = from->elements[i];
    if (e->kind == MO_E_EXTENDS && from != c &&
        base_package(lo, from, &e->extends->type))
      continue; /* written out by the caller */
    c->elements[c->n_elements] = adopt(lo, e, c, 0);
    if (!c->elements[c->n_elements++])
      return 0;
  }
  modify(lo, c, first, mods);
  return 1;
}

/* all of cls, its bases first */
static int write_out(mo_low *lo, mo_class *c, const mo_class *cls, int depth)
{
  int ok = depth <= MO_MAX_NESTING && brink__lo_step(lo, cls->at);

  if (ok && cls->form == MO_SHORT) {
    const mo_class *base = base_package(lo, cls, &cls->base);
    int first = c->n_elements;
    ok = base && write_out(lo, c, base, depth + 1);
    if (ok)
      modify(lo, c, first, cls->mods);
    return ok;
  }
  for (int i = 0; ok && i < cls->n_elements; i++)
    if (cls->elements[i]->kind == MO_E_EXTENDS) {
      const mo_extends *x = cls->elements[i]->extends;
      const mo_class *base = base_package(lo, cls, &x->type);
      int first = c->n_elements;
      if (!base)
        continue;
      ok = write_out(lo, c, base, depth + 1);
      if (ok)
        modify(lo, c, first, x->mods);
    }
  return ok && append(lo, c, cls, NULL);
}

/* does it, or what it extends, modify constants? */
static int modifies(mo_low *lo, const mo_class *cls, int depth)
{
  if (depth > MO_MAX_NESTING || cls->kind != MO_C_PACKAGE ||
      !brink__lo_step(lo, cls->at))
    return 0;
  if (cls->form == MO_SHORT) {
    const mo_class *base = base_package(lo, cls, &cls->base);
    return base && (cls->mods || modifies(lo, base, depth + 1));
  }
  for (int i = 0; i < cls->n_elements; i++)
    if (cls->elements[i]->kind == MO_E_EXTENDS) {
      const mo_extends *x = cls->elements[i]->extends;
      const mo_class *base = base_package(lo, cls, &x->type);
      if (base && (x->mods || modifies(lo, base, depth + 1)))
        return 1;
    }
  return 0;
}

const mo_class *brink__lo_whole(mo_low *lo, const mo_class *cls)
{
  static const char key; /* of the table */

  if (cls->kind != MO_C_PACKAGE)
    return cls;
  const mo_class *known = brink__lo_get(&lo->table, cls, &key);
  if (known)
    return known;
  if (!brink__lo_set(&lo->table, cls, &key, (void *)(uintptr_t)cls)) /* on the way */
    return cls;
  if (!modifies(lo, cls, 0))
    return cls;
  mo_class *c = brink__lo_take(lo, sizeof *c);
  if (!c)
    return cls;
  *c = *cls;
  c->form = MO_LONG;
  c->elements = NULL;
  c->n_elements = 0;
  c->mods = NULL;
  if (!write_out(lo, c, cls, 0))
    return cls;
  brink__lo_set(&lo->table, cls, &key, c);
  brink__lo_set(&lo->table, c, &key, c);
  return c;
}
