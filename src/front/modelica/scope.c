/* scope.c -- what a name means where it stands.
 *
 * Order, as in [Modelica36, 5.3]: iterators and locals, components of the instance,
 * then class by class outwards: declared and inherited elements, imports by name,
 * imports of whole packages; at last the classes at the top of the file and the
 * library. From an enclosing class only classes and constants can be seen.  A base
 * class is looked up without what its heirs inherit.
 *
 * Each class gets its directory on first use, so that a lookup costs a hash or two.
 */
#include "front/modelica/lower.h"

#include <string.h>

#include "front/modelica/parse.h"

static const char listed, imports, visible; /* keys of marks in the table */

typedef struct import_list {
  const mo_import *import;
  struct import_list *next;
} import_list;

/* ----------------------------------------------------------- directory ---- */

static int enlist(mo_low *lo, const mo_class *cls, const mo_element *e, mo_name *name)
{
  mo_member *m = brink__lo_take(lo, sizeof *m);

  if (!m)
    return 0;
  *m = (mo_member){e, cls};
  if (brink__lo_get(&lo->table, cls, name))
    return 1; /* declared twice: reported when instantiated */
  return brink__lo_set(&lo->table, cls, name, m);
}

static int enlist_import(mo_low *lo, const mo_class *cls, const mo_import *import)
{
  import_list *one = brink__lo_take(lo, sizeof *one);

  if (!one)
    return 0;
  *one = (import_list){import, brink__lo_get(&lo->table, cls, &imports)};
  return brink__lo_set(&lo->table, cls, &imports, one);
}

static void directory(mo_low *lo, const mo_class *cls)
{
  int ok = 1;

  if (brink__lo_get(&lo->table, cls, &listed))
    return;
  ok = brink__lo_set(&lo->table, cls, &listed, lo);
  for (int i = 0; ok && i < cls->n_elements; i++) {
    const mo_element *e = cls->elements[i];
    if (e->kind == MO_E_CLASS)
      ok = enlist(lo, cls, e, e->cls->name);
    else if (e->kind == MO_E_COMPONENT && e->component->path.n == 0)
      ok = enlist(lo, cls, e, e->component->name);
    else if (e->kind == MO_E_IMPORT)
      ok = enlist_import(lo, cls, e->import);
  }
  if (!ok)
    brink__diag_nomem(lo->diag);
}

static void top_directory(mo_low *lo)
{
  if (brink__lo_get(&lo->table, lo->file, &listed))
    return;
  int ok = brink__lo_set(&lo->table, lo->file, &listed, lo);
  for (int i = 0; ok && i < lo->file->n_classes; i++)
    ok = brink__lo_set(&lo->table, lo->file, lo->file->classes[i]->name,
                       lo->file->classes[i]);
  if (!ok)
    brink__diag_nomem(lo->diag);
}

const mo_scope *brink__lo_class_scope(mo_low *lo, const mo_class *cls)
{
  mo_scope *s = brink__lo_get(&lo->table, cls, &visible);

  if (s)
    return s;
  s = brink__lo_take(lo, sizeof *s);
  if (!s)
    return NULL;
  *s = (mo_scope){NULL, cls, NULL};
  if (!brink__lo_set(&lo->table, cls, &visible, s))
    brink__diag_nomem(lo->diag);
  return s;
}

/* ------------------------------------------------------------- members ---- */

static const mo_member *from_base(mo_low *lo, const mo_class *cls, const mo_type *type,
                                  mo_name *name)
{
  const mo_scope *scope = brink__lo_class_scope(lo, cls);

  if (!scope)
    return NULL;
  mo_found f = brink__lo_base_of(lo, scope, type);
  if (f.kind != MO_F_CLASS)
    return NULL;
  return brink__lo_member(lo, f.cls, name);
}

static const mo_member *inherited(mo_low *lo, const mo_class *cls, mo_name *name)
{
  if (cls->form == MO_SHORT)
    return cls->parent || cls->base.name.parts[0].name != cls->name
               ? from_base(lo, cls, &cls->base, name)
               : NULL;
  for (int i = 0; i < cls->n_elements; i++) {
    const mo_element *e = cls->elements[i];
    const mo_member *m =
        e->kind == MO_E_EXTENDS ? from_base(lo, cls, &e->extends->type, name) : NULL;
    if (m)
      return m;
  }
  return NULL;
}

/* stands for "has no such element" */
static const mo_member nobody = {NULL, NULL};

const mo_member *brink__lo_member(mo_low *lo, const mo_class *cls, mo_name *name)
{
  directory(lo, cls);
  mo_member *m = brink__lo_get(&lo->table, cls, name);
  if (m)
    return m->element ? m : NULL;
  if (lo->search >= MO_MAX_NESTING)
    return NULL;
  lo->search++;
  const mo_member *base = inherited(lo, cls, name);
  lo->search--;
  mo_member *keep = brink__lo_take(lo, sizeof *keep);
  if (!keep)
    return NULL;
  *keep = base ? *base : nobody;
  if (!brink__lo_set(&lo->table, cls, name, keep))
    brink__diag_nomem(lo->diag);
  return base;
}

int brink__lo_derives(mo_low *lo, const mo_class *cls, const mo_class *base)
{
  if (cls == base)
    return 1;
  if (!cls || !base || lo->search >= MO_MAX_NESTING)
    return 0;
  const void *known = brink__lo_get(&lo->table, cls, base); /* lo: yes, file: no */
  if (known)
    return known == lo;
  if (!brink__lo_set(&lo->table, cls, base, lo->file))
    return 0;
  int found = 0;
  lo->search++;
  const mo_scope *scope = brink__lo_class_scope(lo, cls);
  if (scope && cls->form == MO_SHORT) {
    mo_found f = brink__lo_base_of(lo, scope, &cls->base);
    found = f.kind == MO_F_CLASS && brink__lo_derives(lo, f.cls, base);
  }
  for (int i = 0; scope && !found && i < cls->n_elements; i++)
    if (cls->elements[i]->kind == MO_E_EXTENDS) {
      mo_found f = brink__lo_base_of(lo, scope, &cls->elements[i]->extends->type);
      found = f.kind == MO_F_CLASS && brink__lo_derives(lo, f.cls, base);
    }
  lo->search--;
  if (found)
    brink__lo_set(&lo->table, cls, base, lo);
  return found;
}

/* ------------------------------------------------------------- imports ---- */

static mo_found of_class(mo_low *lo, const mo_class *cls)
{
  cls = brink__lo_whole(lo, cls);
  mo_found f = {.kind = MO_F_CLASS, .cls = cls};

  f.scope = cls->parent ? brink__lo_class_scope(lo, cls->parent) : NULL;
  return f;
}

static mo_found at_top(mo_low *lo, const mo_name *name)
{
  top_directory(lo);
  const mo_class *cls = brink__lo_get(&lo->table, lo->file, name);
  if (cls)
    return of_class(lo, cls);
  mo_found f = {.kind = MO_F_NONE};
  if (strcmp(name->text, "Modelica") == 0) {
    f.kind = MO_F_LIBRARY;
    f.path = "Modelica";
  }
  return f;
}

static mo_found from_top(mo_low *lo, const mo_ref *ref, mo_at at)
{
  mo_found f = at_top(lo, ref->parts[0].name);

  for (int i = 1; i < ref->n && f.kind != MO_F_NONE && f.kind != MO_F_BAD; i++)
    f = brink__lo_descend(lo, &f, ref->parts[i].name, at);
  return f;
}

static int named_here(const mo_import *im, const mo_name *name, int *whole)
{
  *whole = 0;
  switch (im->kind) {
  case MO_IMPORT_NAME: return im->from.parts[im->from.n - 1].name == name;
  case MO_IMPORT_AS: return im->names[0] == name;
  case MO_IMPORT_LIST:
    *whole = 1;
    for (int i = 0; i < im->n; i++)
      if (im->names[i] == name)
        return 1;
    return 0;
  case MO_IMPORT_ALL: return 0;
  }
  return 0;
}

/* does a package of the library have this name? */
static int in_library(const mo_found *f)
{
  double v;
  int whole;
  mo_base base;

  return brink__lo_library_constant(f->path, &v, &whole) ||
         brink__lo_library_unit(f->path, &base) || brink__lo_library_function(f->path);
}

static mo_found imported(mo_low *lo, const mo_class *cls, mo_name *name, mo_at at)
{
  mo_found f = {.kind = MO_F_NONE};

  if (lo->search >= MO_MAX_NESTING)
    return f;
  lo->search++;
  directory(lo, cls);
  import_list *list = brink__lo_get(&lo->table, cls, &imports);
  for (import_list *l = list; l && f.kind == MO_F_NONE; l = l->next) {
    int whole;
    if (!named_here(l->import, name, &whole))
      continue;
    f = from_top(lo, &l->import->from, at);
    if (whole && f.kind != MO_F_NONE && f.kind != MO_F_BAD)
      f = brink__lo_descend(lo, &f, name, at);
    if (f.kind == MO_F_NONE) {
      brink__lo_error(lo, at,
                      "the import of '%s' from '%s' finds nothing: imports begin at "
                      "the top of the file; flatten the model first if it comes from "
                      "a library",
                      name->bare, brink__lo_ref_text(lo, &l->import->from));
      f.kind = MO_F_BAD;
    }
  }
  for (import_list *l = list; l && f.kind == MO_F_NONE; l = l->next)
    if (l->import->kind == MO_IMPORT_ALL) {
      f = from_top(lo, &l->import->from, at);
      if (f.kind != MO_F_NONE && f.kind != MO_F_BAD)
        f = brink__lo_descend(lo, &f, name, at);
      if (f.kind == MO_F_LIBRARY && !in_library(&f))
        f.kind = MO_F_NONE;
    }
  lo->search--;
  return f;
}

/* -------------------------------------------------------------- lookup ---- */

static mo_found literal(const mo_class *cls, const mo_name *name)
{
  mo_found f = {.kind = MO_F_NONE};

  for (int i = 0; i < cls->n_literals; i++)
    if (cls->literals[i].name == name) {
      f = (mo_found){.kind = MO_F_LITERAL, .cls = cls};
      f.ordinal = i + 1;
    }
  return f;
}

static const mo_class *real_class(mo_low *lo, const mo_class *cls)
{
  for (int i = 0; i < MO_MAX_NESTING && cls->form == MO_SHORT; i++) {
    const mo_scope *s = brink__lo_class_scope(lo, cls);
    mo_found f = {.kind = MO_F_NONE};
    if (s)
      f = brink__lo_base_of(lo, s, &cls->base);
    if (f.kind != MO_F_CLASS)
      break;
    cls = f.cls;
  }
  return cls;
}

const mo_class *brink__lo_enumeration(mo_low *lo, const mo_found *f)
{
  const mo_class *cls = f->kind == MO_F_CLASS ? real_class(lo, f->cls) : NULL;

  return cls && cls->form == MO_ENUM && !cls->open ? cls : NULL;
}

static mo_found of_member(mo_low *lo, const mo_member *m)
{
  if (m->element->kind == MO_E_CLASS)
    return of_class(lo, m->element->cls);
  mo_found f = {.kind = MO_F_INST, .inst = brink__lo_constant(lo, m)};
  if (!f.inst)
    f.kind = MO_F_BAD;
  return f;
}

mo_found brink__lo_descend(mo_low *lo, const mo_found *from, mo_name *name, mo_at at)
{
  mo_found f = {.kind = MO_F_NONE};

  if (from->kind == MO_F_LIBRARY) {
    f = *from;
    f.path = brink__lo_format(lo, "%s.%s", from->path, name->text);
    return f;
  }
  if (from->kind != MO_F_CLASS)
    return f;
  const mo_class *cls = real_class(lo, from->cls);
  if (cls->form == MO_ENUM)
    return literal(cls, name);
  const mo_member *m = brink__lo_member(lo, from->cls, name);
  if (!m)
    return f;
  if (m->element->kind == MO_E_COMPONENT &&
      m->element->component->prefix.variability != MO_CONSTANT) {
    brink__lo_error(lo, at,
                    "'%s' of the class '%s' is no constant: only constants can be "
                    "used without a component",
                    name->bare, from->cls->name->bare);
    f.kind = MO_F_BAD;
    return f;
  }
  return of_member(lo, m);
}

/* a name in one class on the way outwards */
static mo_found in_class(mo_low *lo, const mo_class *cls, int own, mo_name *name,
                         mo_at at, int inner)
{
  mo_found f = {.kind = MO_F_NONE};
  const mo_member *m = NULL;

  if (own) {
    directory(lo, cls);
    m = brink__lo_get(&lo->table, cls, name);
    if (m && (!m->element || m->cls != cls))
      m = NULL;
  } else
    m = brink__lo_member(lo, cls, name);
  if (!m)
    return imported(lo, cls, name, at);
  if (m->element->kind == MO_E_CLASS ||
      m->element->component->prefix.variability == MO_CONSTANT)
    return of_member(lo, m);
  if (inner)
    return f; /* a component that this instance does not have */
  brink__lo_error(lo, at,
                  "'%s' belongs to the enclosing class '%s', of which only "
                  "constants are seen here; pass it by a modification",
                  name->bare, cls->name->bare);
  f.kind = MO_F_BAD;
  return f;
}

static mo_found find(mo_low *lo, const mo_scope *scope, mo_name *name, mo_at at,
                     int own)
{
  mo_found f = {.kind = MO_F_NONE};

  for (const mo_local *l = scope ? scope->locals : NULL; l; l = l->next)
    if (l->name == name)
      return (mo_found){.kind = MO_F_LOCAL, .local = l};
  if (scope && scope->inst) {
    mo_inst *kid = brink__lo_kid(lo, scope->inst, name);
    if (kid && brink__lo_derives(lo, scope->cls, kid->scope->cls))
      return (mo_found){.kind = MO_F_INST, .inst = kid};
  }
  for (const mo_class *c = scope ? scope->cls : NULL; c; c = c->parent) {
    int inner = c == scope->cls && scope->inst;
    const mo_class *whole = brink__lo_whole(lo, c);
    f = in_class(lo, whole, own && c == scope->cls && whole == c, name, at, inner);
    if (f.kind == MO_F_CLASS && inner && brink__lo_member(lo, whole, name))
      f.scope = scope; /* a local type, not an imported one, may use the components */
    if (f.kind != MO_F_NONE)
      return f;
    if (c->flags & MO_CLASS_ENCAPSULATED && c->parent)
      return f;
  }
  return at_top(lo, name);
}

mo_found brink__lo_find_name(mo_low *lo, const mo_scope *scope, mo_name *name, mo_at at)
{
  return find(lo, scope, name, at, 0);
}

static mo_found find_path(mo_low *lo, const mo_scope *scope, const mo_ref *ref,
                          mo_at at, int own)
{
  mo_found f = ref->global ? at_top(lo, ref->parts[0].name)
                           : find(lo, scope, ref->parts[0].name, at, own);

  for (int i = 1; i < ref->n && f.kind != MO_F_NONE && f.kind != MO_F_BAD; i++)
    f = brink__lo_descend(lo, &f, ref->parts[i].name, at);
  return f;
}

mo_found brink__lo_find_class(mo_low *lo, const mo_scope *scope, const mo_ref *ref,
                              mo_at at)
{
  return find_path(lo, scope, ref, at, 0);
}

/* The class that a short class stands for; it is looked up from outside of itself.  One
 * that is asked for again while it is being looked up is defined by itself. */
static mo_found meant_by(mo_low *lo, const mo_class *cls)
{
  static const char busy; /* a key of the table: lo while cls is being looked up */
  const mo_scope *out = cls->parent ? brink__lo_class_scope(lo, cls->parent) : NULL;
  const mo_type *type = &cls->base;

  if (brink__lo_get(&lo->table, cls, &busy) == lo) {
    brink__lo_error(lo, type->at, "the class '%s' is defined by itself",
                    cls->name->bare);
    return (mo_found){.kind = MO_F_BAD};
  }
  mo_found f = {.kind = MO_F_BAD};
  int ok = brink__lo_set(&lo->table, cls, &busy, lo);
  if (ok)
    f = find_path(lo, out, &type->name, type->at, 0);
  if (!ok || !brink__lo_set(&lo->table, cls, &busy, lo->file))
    brink__diag_nomem(lo->diag);
  return f;
}

mo_found brink__lo_base_of(mo_low *lo, const mo_scope *scope, const mo_type *type)
{
  if (scope->cls && scope->cls->form == MO_SHORT && type == &scope->cls->base)
    return meant_by(lo, scope->cls);
  return find_path(lo, scope, &type->name, type->at, 1);
}

/* --------------------------------------------------------- suggestions ---- */

typedef struct nearest {
  const char *wanted, *name;
  int distance;
} nearest;

static void offer(nearest *n, const char *name)
{
  int d = brink__lo_far(n->wanted, name);

  if (d < n->distance) {
    n->distance = d;
    n->name = name;
  }
}

static void offer_class(nearest *n, const mo_class *cls, int inner)
{
  for (int i = 0; i < cls->n_elements; i++) {
    const mo_element *e = cls->elements[i];
    if (e->kind == MO_E_CLASS)
      offer(n, e->cls->name->bare);
    else if (e->kind == MO_E_COMPONENT &&
             (inner || e->component->prefix.variability == MO_CONSTANT))
      offer(n, e->component->name->bare);
  }
}

/* a library from which everything is imported where this scope is; NULL: none */
static const char *whole_library(mo_low *lo, const mo_scope *scope)
{
  for (const mo_class *c = scope ? scope->cls : NULL; c; c = c->parent) {
    directory(lo, c);
    for (import_list *l = brink__lo_get(&lo->table, c, &imports); l; l = l->next)
      if (l->import->kind == MO_IMPORT_ALL &&
          at_top(lo, l->import->from.parts[0].name).kind == MO_F_LIBRARY)
        return brink__lo_ref_text(lo, &l->import->from);
  }
  return NULL;
}

void brink__lo_unknown(mo_low *lo, const mo_scope *scope, const mo_ref *ref, mo_at at,
                       const char *what)
{
  if (!scope || !scope->inst || !scope->inst->hollow)
    brink__lo_say_unknown(lo, scope, ref, at, what);
}

/* A dotted name whose beginning is a class: reports the part that the class lacks. */
static int say_missing(mo_low *lo, const mo_scope *scope, const mo_ref *ref, mo_at at)
{
  mo_found f = ref->global ? at_top(lo, ref->parts[0].name)
                           : find(lo, scope, ref->parts[0].name, at, 0);

  for (int i = 1; i < ref->n && f.kind == MO_F_CLASS; i++) {
    mo_found next = brink__lo_descend(lo, &f, ref->parts[i].name, at);
    if (next.kind == MO_F_NONE) {
      brink__lo_error(lo, at, "the class '%s' has no element '%s'", f.cls->name->bare,
                      ref->parts[i].name->bare);
      return 1;
    }
    f = next;
  }
  return f.kind == MO_F_BAD;
}

void brink__lo_say_unknown(mo_low *lo, const mo_scope *scope, const mo_ref *ref,
                           mo_at at, const char *what)
{
  const char *library = whole_library(lo, scope);

  if (say_missing(lo, scope, ref, at))
    return;
  const char *wanted = ref->parts[0].name->bare;
  nearest n = {wanted, NULL, MO_FAR};

  for (const mo_local *l = scope ? scope->locals : NULL; l; l = l->next)
    offer(&n, l->name->bare);
  for (int i = 0; scope && scope->inst && i < scope->inst->n_kids; i++)
    if (scope->inst->kids[i]->name)
      offer(&n, scope->inst->kids[i]->name->bare);
  for (const mo_class *c = scope ? scope->cls : NULL; c; c = c->parent)
    offer_class(&n, c, c == scope->cls);
  for (int i = 0; i < lo->file->n_classes; i++)
    offer(&n, lo->file->classes[i]->name->bare);
  static const char *const types[] = {"Real", "Integer", "Boolean", "String"};
  for (size_t i = 0; strcmp(what, "type") == 0 && i < BRINK__COUNT(types); i++)
    offer(&n, types[i]);
  if (library && strcmp(what, "variable") != 0)
    brink__lo_error(lo, at,
                    "%s '%s' is not declared; if it is one of '%s', which is not "
                    "supported, flatten the model first",
                    what, wanted, library);
  else if (n.name)
    brink__lo_error(lo, at, "%s '%s' is not declared; did you mean '%s'?", what, wanted,
                    n.name);
  else
    brink__lo_error(lo, at, "%s '%s' is not declared", what, wanted);
}

mo_name *brink__lo_name(mo_low *lo, const char *text)
{
  mo_name *m = brink__mo_intern(&lo->file->names, text, strlen(text));

  if (!m)
    brink__diag_nomem(lo->diag);
  return m;
}

const char *brink__lo_ref_text(mo_low *lo, const mo_ref *ref)
{
  mo_text out = {.ctx = lo->ctx};
  const char *s = NULL;

  brink__mo_print_ref(&out, ref);
  if (out.status == BRINK_OK && out.s)
    s = brink__pool_str(&lo->pool, out.s, out.n);
  brink__mo_text_drop(&out);
  if (s)
    return s;
  brink__diag_nomem(lo->diag);
  return "";
}
