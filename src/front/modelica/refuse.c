/* refuse.c -- what brink does not support, by name, with what to do instead, and
 * modifications that contradict each other.
 *
 * One sentence per construct, in the tables below.  Only syntax is judged here;
 * names (the Modelica Standard Library, undeclared functions) are lowering's
 * business.
 */
#include "front/modelica/parse.h"

#include <string.h>

typedef struct judge {
  const mo_file *file;
  const mo_class *cls; /* being judged */
  brink__diag *diag;
  int n; /* faults so far */
} judge;

static void refuse(judge *j, mo_at at, const char *what, const char *instead)
{
  brink__diag_error(j->diag, at.line, at.col, "%s not supported; %s", what, instead);
  j->n++;
}

/* ------------------------------------------------------------- calls ---- */

static const char flatten[] = "flatten the model first";

/* functions that belong to a refused part of the language */
/* clang-format off */
static const struct {
  const char *name, *what, *instead;
} calls[] = {
  {"cardinality",   "'cardinality' is", "give the number of connections as a parameter"},
  {"inStream",      "'inStream' (stream connectors) is", "write the mixing equation out"},
  {"actualStream",  "'actualStream' (stream connectors) is", "write the mixing equation out"},
  {"getInstanceName", "'getInstanceName' is", "write the name as a string"},
  {"spatialDistribution", "'spatialDistribution' is", "discretise the pipe, or use 'delay'"},
  {"Clock",         "'Clock' (clocked equations) is", "use when sample(start, interval) then"},
  {"previous",      "'previous' (clocked equations) is", "use 'pre' in a when sample(...)"},
  {"hold",          "'hold' (clocked equations) is", "use a discrete variable set in a when"},
  {"subSample",     "'subSample' (clocked equations) is", "use when sample(start, interval) then"},
  {"superSample",   "'superSample' (clocked equations) is", "use when sample(start, interval) then"},
  {"shiftSample",   "'shiftSample' (clocked equations) is", "use when sample(start, interval) then"},
  {"backSample",    "'backSample' (clocked equations) is", "use when sample(start, interval) then"},
  {"noClock",       "'noClock' (clocked equations) is", "use when sample(start, interval) then"},
  {"interval",      "'interval' (clocked equations) is", "use the sample interval as a parameter"},
  {"ticksInState",  "'ticksInState' (clocked machines) is", "set a discrete variable when activeState(...)"},
  {"timeInState",   "'timeInState' (clocked machines) is", "keep the time of entry: when activeState(a) then t0 = time"},
  {"firstTick",     "'firstTick' (clocked equations) is", "use 'initial()'"},
};
/* clang-format on */

int brink__mo_refused_name(const char *name)
{
  for (size_t i = 0; i < BRINK__COUNT(calls); i++)
    if (strcmp(name, calls[i].name) == 0)
      return 1;
  return strcmp(name, "ExternalObject") == 0;
}

/* a class of the text may bear the name of a built-in function */
static int declared(const judge *j, const mo_name *name)
{
  for (const mo_class *c = j->cls; c; c = c->parent)
    for (int i = 0; i < c->n_elements; i++)
      if (c->elements[i]->kind == MO_E_CLASS && c->elements[i]->cls->name == name)
        return 1;
  for (int i = 0; i < j->file->n_classes; i++)
    if (j->file->classes[i]->name == name)
      return 1;
  return 0;
}

static void expression(judge *j, const mo_expr *e);

static void expressions(judge *j, const mo_list *list)
{
  for (int i = 0; i < list->n; i++)
    expression(j, list->v[i]);
}

static void reference(judge *j, const mo_ref *ref)
{
  for (int i = 0; i < ref->n; i++)
    expressions(j, &ref->parts[i].subs);
}

static void chain(judge *j, const mo_chain *c)
{
  for (int i = 0; i < c->n; i++)
    expression(j, c->v[i].e);
}

static void call(judge *j, const mo_expr *e)
{
  const mo_ref *fn = &e->call->fn;
  const char *name = fn->n > 0 ? fn->parts[0].name->text : "";

  for (size_t i = 0; fn->n == 1 && i < BRINK__COUNT(calls); i++)
    if (strcmp(name, calls[i].name) == 0 && !declared(j, fn->parts[0].name))
      refuse(j, e->at, calls[i].what, calls[i].instead);
  if (fn->n == 1 && strcmp(name, "sample") == 0 && e->call->n == 1)
    refuse(j, e->at, "'sample' of a value (clocked equations) is",
           "use when sample(start, interval) then");
  if (fn->n == 2 && strcmp(name, "Connections") == 0)
    refuse(j, e->at, "an overdetermined connection (Connections.*) is", flatten);
  if (e->kind == MO_PARTIAL)
    refuse(j, e->at, "a function as an argument is",
           "write a function that calls it directly");
  for (int i = 0; i < e->call->n; i++)
    expression(j, e->call->args[i].value);
}

static void loop(judge *j, const mo_for *f)
{
  expression(j, f->body);
  for (int i = 0; i < f->n; i++)
    expression(j, f->iters[i].range);
}

static void expression(judge *j, const mo_expr *e)
{
  if (!e)
    return;
  switch (e->kind) {
  case MO_REAL:
  case MO_INTEGER:
  case MO_BOOLEAN:
  case MO_STRING:
  case MO_ALL:
  case MO_END: return;
  case MO_REF: reference(j, &e->ref); return;
  case MO_CALL:
  case MO_PARTIAL: call(j, e); return;
  case MO_SUM:
  case MO_PRODUCT:
  case MO_AND:
  case MO_OR: chain(j, &e->chain); return;
  case MO_FOR: loop(j, e->loop); return;
  case MO_UNARY:
  case MO_POWER:
  case MO_RELATION:
  case MO_IF:
  case MO_RANGE:
  case MO_ARRAY:
  case MO_MATRIX:
  case MO_ROW:
  case MO_TUPLE:
  case MO_INDEX: expressions(j, &e->args); return;
  }
}

/* ------------------------------------------------------ modifications ---- */

/* Reports what both a and b give a value, where the first `i` and `k` parts of their
 * names are used up: a.b = 1 and a(b = 2) speak about the same thing. */
static void clash(judge *j, const mo_mod *a, int i, const mo_mod *b, int k)
{
  if (a->element || b->element)
    return;
  while (i < a->name.n && k < b->name.n)
    if (a->name.parts[i++].name != b->name.parts[k++].name)
      return;
  if (i < a->name.n) {
    for (int m = 0; b->mods && m < b->mods->n; m++)
      clash(j, a, i, &b->mods->v[m], 0);
    return;
  }
  for (int m = 0; a->mods && m < a->mods->n; m++) {
    if (k < b->name.n)
      clash(j, &a->mods->v[m], 0, b, k);
    for (int n = 0; k == b->name.n && b->mods && n < b->mods->n; n++)
      clash(j, &a->mods->v[m], 0, &b->mods->v[n], 0);
  }
  if (k < b->name.n || !a->value || !b->value)
    return;
  brink__diag_error(j->diag, b->at.line, b->at.col,
                    "'%s' is given twice, first in line %d, column %d; one of the two "
                    "must go",
                    b->name.parts[b->name.n - 1].name->bare, a->at.line, a->at.col);
  j->n++;
}

static void modifications(judge *j, const mo_mods *mods)
{
  for (int i = 0; mods && i < mods->n; i++)
    for (int k = 0; k < i; k++)
      clash(j, &mods->v[k], 0, &mods->v[i], 0);
  for (int i = 0; mods && i < mods->n; i++) {
    const mo_mod *m = &mods->v[i];
    if (m->element)
      refuse(j, m->at,
             m->element->flags & MO_REDECLARE ? "'redeclare' is" : "'replaceable' is",
             "use the class you mean directly, or flatten the model first");
    expression(j, m->value);
    modifications(j, m->mods);
  }
}

/* Settings of annotations that brink reads; those of other tools are theirs. */
static void settings(judge *j, const mo_mods *annotation)
{
  static const char *const read[] = {"experiment", "__brink"};

  for (size_t r = 0; r < BRINK__COUNT(read); r++)
    for (int i = 0, last = -1; annotation && i < annotation->n; i++) {
      const mo_mod *m = &annotation->v[i];
      if (m->name.n != 1 || strcmp(m->name.parts[0].name->text, read[r]) != 0)
        continue;
      modifications(j, m->mods);
      if (last >= 0)
        clash(j, &annotation->v[last], 0, m, 0);
      last = i;
    }
}

static void statements(judge *j, const mo_block *block)
{
  for (int i = 0; i < block->n; i++) {
    const mo_stmt *s = block->v[i];
    settings(j, s->comment.annotation);
    expression(j, s->left);
    expression(j, s->right);
    for (int k = 0; k < s->n_iters; k++)
      expression(j, s->iters[k].range);
    for (int k = 0; k < s->n_branches; k++) {
      expression(j, s->branches[k].cond);
      statements(j, &s->branches[k].body);
    }
  }
}

/* ----------------------------------------------------------- elements ---- */

static void component(judge *j, const mo_element *e)
{
  const mo_component *c = e->component;

  if (c->path.n && j->cls->kind != MO_C_MODEL && j->cls->kind != MO_C_BLOCK &&
      j->cls->kind != MO_C_CLASS)
    refuse(j, c->at, "a dotted name outside of a model is", "write it without dots");
  if (c->prefix.linkage == MO_STREAM)
    refuse(j, e->at, "a 'stream' variable is", "write the mixing equation out");
  const mo_name *type = c->type->name.parts[0].name;
  if (c->type->name.n == 1 && strcmp(type->text, "Clock") == 0 && !declared(j, type)) {
    refuse(j, e->at, "'Clock' (clocked equations) is",
           "use when sample(start, interval) then");
    return;
  }
  expressions(j, &c->type->subs);
  expressions(j, &c->subs);
  modifications(j, c->mods);
  settings(j, c->comment.annotation);
  expression(j, c->value);
  expression(j, c->condition);
}

static void element(judge *j, const mo_element *e)
{
  if (e->flags & MO_INNER)
    refuse(j, e->at, "'inner' is", "pass the value as a parameter or connect it");
  else if (e->flags & MO_OUTER)
    refuse(j, e->at, "'outer' is", "pass the value as a parameter or connect it");
  if (e->kind == MO_E_CLASS && e->cls->form == MO_CLASS_EXTENDS)
    refuse(j, e->cls->at, "a class extension ('extends' behind the class word) is",
           "write the class out under a new name");
  else if (e->flags & MO_REDECLARE)
    refuse(j, e->at, "'redeclare' is",
           "use the class you mean directly, or flatten the model first");
  else if (e->flags & MO_REPLACEABLE)
    refuse(j, e->at, "'replaceable' is",
           "use the class you mean directly, or flatten the model first");
  switch (e->kind) {
  case MO_E_COMPONENT: component(j, e); break;
  case MO_E_EXTENDS:
    if (strcmp(e->extends->type.name.parts[0].name->text, "ExternalObject") == 0)
      refuse(j, e->at, "an external object is", "write it as a function in Modelica");
    modifications(j, e->extends->mods);
    break;
  case MO_E_GUESS: expression(j, e->equation->right); break;
  case MO_E_IMPORT:
  case MO_E_CLASS: break;
  }
}

/* -------------------------------------------------------------- class ---- */

static void class_itself(judge *j, const mo_class *c)
{
  if (c->flags & MO_CLASS_EXPANDABLE)
    refuse(j, c->at, "an expandable connector is", "declare its variables one by one");
  if (c->kind == MO_C_OPERATOR || (c->flags & MO_CLASS_OPERATOR))
    refuse(j, c->at, "operator overloading ('operator') is",
           "use a record and ordinary functions");
  if (c->flags & MO_CLASS_IMPURE)
    refuse(j, c->at, "an impure function is", "use when sample(...) or a parameter");
  if (c->flags & MO_CLASS_CLOCKED)
    refuse(j, c->at, "a clocked partition is", "use when sample(start, interval) then");
  if (c->form == MO_DERIVATIVE)
    refuse(j, c->at, "a partial derivative of a function is",
           "write the derivative as a function");
  if (c->external)
    refuse(j, c->external->at, "an 'external' function is",
           "write it as an algorithm in Modelica");
}

int brink__mo_refuse(const mo_file *file, const mo_class *c, brink__diag *diag)
{
  judge j = {.file = file, .cls = c, .diag = diag};

  class_itself(&j, c);
  expressions(&j, &c->base.subs);
  modifications(&j, c->mods);
  settings(&j, c->comment.annotation);
  for (int i = 0; i < c->n_elements; i++)
    element(&j, c->elements[i]);
  for (int i = 0; i < c->n_sections; i++)
    statements(&j, &c->sections[i].body);
  return j.n;
}
