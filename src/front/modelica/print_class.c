/* print_class.c -- classes, equations and statements as Modelica text.
 *
 * The result parses to the same tree, places aside; it is one declared name per
 * line, two spaces per level.
 */
#include "front/modelica/parse.h"

static void line(mo_text *out, int indent)
{
  for (int i = 0; i < indent; i++)
    brink__mo_put(out, "  ");
}

static void word_if(mo_text *out, int condition, const char *word)
{
  if (condition)
    brink__mo_put(out, word);
}

static void element(mo_text *out, const mo_element *e, int indent);

/* ------------------------------------------------------ modifications ---- */

static void subscripts(mo_text *out, const mo_list *subs)
{
  for (int i = 0; i < subs->n; i++) {
    brink__mo_put(out, i ? ", " : "[");
    brink__mo_print_expr(out, subs->v[i]);
  }
  word_if(out, subs->n > 0, "]");
}

static void description(mo_text *out, const char *text)
{
  if (!text)
    return;
  brink__mo_put(out, " ");
  brink__mo_put_string(out, text);
}

static void modifications(mo_text *out, const mo_mods *mods)
{
  if (!mods)
    return;
  brink__mo_put(out, "(");
  for (int i = 0; i < mods->n; i++) {
    const mo_mod *m = &mods->v[i];
    word_if(out, i > 0, ", ");
    word_if(out, (m->flags & MO_EACH) != 0, "each ");
    word_if(out, (m->flags & MO_FINAL) != 0, "final ");
    if (m->element) {
      element(out, m->element, 0);
      continue;
    }
    brink__mo_print_ref(out, &m->name);
    modifications(out, m->mods);
    if (m->value) {
      brink__mo_put(out, " = ");
      brink__mo_print_expr(out, m->value);
    }
    description(out, m->text);
  }
  brink__mo_put(out, ")");
}

static void annotation(mo_text *out, const mo_mods *mods)
{
  if (!mods)
    return;
  brink__mo_put(out, " annotation");
  modifications(out, mods);
}

static void comment(mo_text *out, const mo_comment *c)
{
  description(out, c->text);
  annotation(out, c->annotation);
}

/* --------------------------------------------------------- statements ---- */

static void block(mo_text *out, const mo_block *b, int indent)
{
  for (int i = 0; i < b->n; i++)
    brink__mo_print_stmt(out, b->v[i], indent);
}

static void branches(mo_text *out, const mo_stmt *s, int indent)
{
  const char *word = s->kind == MO_IFS ? "if" : "when";

  for (int i = 0; i < s->n_branches; i++) {
    const mo_branch *b = &s->branches[i];
    if (i > 0) {
      line(out, indent);
      brink__mo_put(out, "else");
    }
    if (b->cond) {
      brink__mo_put(out, word);
      brink__mo_put(out, " ");
      brink__mo_print_expr(out, b->cond);
      brink__mo_put(out, " then");
    }
    brink__mo_put(out, "\n");
    block(out, &b->body, indent + 1);
  }
  line(out, indent);
  brink__mo_put(out, "end ");
  brink__mo_put(out, word);
}

static void loop(mo_text *out, const mo_stmt *s, int indent)
{
  const char *word = s->kind == MO_FORS ? "for" : "while";

  brink__mo_put(out, word);
  for (int i = 0; i < s->n_iters; i++) {
    brink__mo_put(out, i ? ", " : " ");
    brink__mo_put(out, s->iters[i].name->text);
    if (s->iters[i].range) {
      brink__mo_put(out, " in ");
      brink__mo_print_expr(out, s->iters[i].range);
    }
  }
  if (s->branches[0].cond) {
    brink__mo_put(out, " ");
    brink__mo_print_expr(out, s->branches[0].cond);
  }
  brink__mo_put(out, " loop\n");
  block(out, &s->branches[0].body, indent + 1);
  line(out, indent);
  brink__mo_put(out, "end ");
  brink__mo_put(out, word);
}

/* what the left side of '=' cannot be without parentheses: an if-expression */
static void left_side(mo_text *out, const mo_expr *e)
{
  word_if(out, e->kind == MO_IF, "(");
  brink__mo_print_expr(out, e);
  word_if(out, e->kind == MO_IF, ")");
}

void brink__mo_print_stmt(mo_text *out, const mo_stmt *s, int indent)
{
  line(out, indent);
  switch (s->kind) {
  case MO_EQUALS:
  case MO_ASSIGN:
    left_side(out, s->left);
    brink__mo_put(out, s->kind == MO_EQUALS ? " = " : " := ");
    brink__mo_print_expr(out, s->right);
    break;
  case MO_CONNECT:
    brink__mo_put(out, "connect(");
    brink__mo_print_expr(out, s->left);
    brink__mo_put(out, ", ");
    brink__mo_print_expr(out, s->right);
    brink__mo_put(out, ")");
    break;
  case MO_DO: brink__mo_print_expr(out, s->left); break;
  case MO_IFS:
  case MO_WHEN: branches(out, s, indent); break;
  case MO_FORS:
  case MO_WHILE: loop(out, s, indent); break;
  case MO_BREAK: brink__mo_put(out, "break"); break;
  case MO_RETURN: brink__mo_put(out, "return"); break;
  }
  comment(out, &s->comment);
  brink__mo_put(out, ";\n");
}

/* ----------------------------------------------------------- elements ---- */

static void type_name(mo_text *out, const mo_type *t)
{
  brink__mo_print_ref(out, &t->name);
  subscripts(out, &t->subs);
}

static void import(mo_text *out, const mo_import *im)
{
  brink__mo_put(out, "import ");
  if (im->kind == MO_IMPORT_AS) {
    brink__mo_put(out, im->names[0]->text);
    brink__mo_put(out, " = ");
  }
  brink__mo_print_ref(out, &im->from);
  word_if(out, im->kind == MO_IMPORT_ALL, ".*");
  for (int i = 0; im->kind == MO_IMPORT_LIST && i < im->n; i++) {
    brink__mo_put(out, i ? ", " : ".{");
    brink__mo_put(out, im->names[i]->text);
  }
  word_if(out, im->kind == MO_IMPORT_LIST, "}");
  comment(out, &im->comment);
}

static void extends(mo_text *out, const char *word, const mo_extends *x)
{
  brink__mo_put(out, word);
  type_name(out, &x->type);
  modifications(out, x->mods);
  comment(out, &x->comment);
}

static void component(mo_text *out, const mo_component *c)
{
  static const char *const variability[] = {"", "discrete ", "parameter ", "constant "};
  static const char *const causality[] = {"", "input ", "output "};
  static const char *const linkage[] = {"", "flow ", "stream "};

  brink__mo_put(out, linkage[c->prefix.linkage]);
  brink__mo_put(out, variability[c->prefix.variability]);
  brink__mo_put(out, causality[c->prefix.causality]);
  type_name(out, c->type);
  brink__mo_put(out, " ");
  for (int i = 0; i < c->path.n; i++) {
    brink__mo_put(out, c->path.parts[i].name->text);
    brink__mo_put(out, ".");
  }
  brink__mo_put(out, c->name->text);
  subscripts(out, &c->subs);
  modifications(out, c->mods);
  if (c->value) {
    brink__mo_put(out, " = ");
    brink__mo_print_expr(out, c->value);
  }
  if (c->condition) {
    brink__mo_put(out, " if ");
    brink__mo_print_expr(out, c->condition);
  }
  comment(out, &c->comment);
}

static void class_text(mo_text *out, const mo_class *c, int indent);

/* without indentation and ';' */
static void element(mo_text *out, const mo_element *e, int indent)
{
  word_if(out, (e->flags & MO_REDECLARE) != 0, "redeclare ");
  word_if(out, (e->flags & MO_EACH) != 0, "each ");
  word_if(out, (e->flags & MO_FINAL) != 0, "final ");
  word_if(out, (e->flags & MO_INNER) != 0, "inner ");
  word_if(out, (e->flags & MO_OUTER) != 0, "outer ");
  word_if(out, (e->flags & MO_REPLACEABLE) != 0, "replaceable ");
  switch (e->kind) {
  case MO_E_IMPORT: import(out, e->import); break;
  case MO_E_EXTENDS: extends(out, "extends ", e->extends); break;
  case MO_E_CLASS: class_text(out, e->cls, indent); break;
  case MO_E_COMPONENT: component(out, e->component); break;
  case MO_E_GUESS:
    brink__mo_put(out, "parameter equation ");
    brink__mo_print_expr(out, e->equation->left);
    brink__mo_put(out, " = ");
    brink__mo_print_expr(out, e->equation->right);
    comment(out, &e->equation->comment);
    break;
  }
  if (e->constrainedby)
    extends(out, " constrainedby ", e->constrainedby);
}

/* -------------------------------------------------------------- class ---- */

static void elements(mo_text *out, const mo_class *c, int indent)
{
  unsigned hidden = 0;

  for (int i = 0; i < c->n_elements; i++) {
    const mo_element *e = c->elements[i];
    if ((e->flags & MO_PROTECTED) != hidden) {
      hidden = e->flags & MO_PROTECTED;
      line(out, indent);
      brink__mo_put(out, hidden ? "protected\n" : "public\n");
    }
    line(out, indent + 1);
    element(out, e, indent + 1);
    brink__mo_put(out, ";\n");
  }
}

static void external(mo_text *out, const mo_external *x, int indent)
{
  line(out, indent);
  brink__mo_put(out, "external");
  description(out, x->language);
  if (x->result) {
    brink__mo_put(out, " ");
    brink__mo_print_expr(out, x->result);
    brink__mo_put(out, " =");
  }
  if (x->fn) {
    brink__mo_put(out, " ");
    brink__mo_put(out, x->fn->text);
    brink__mo_put(out, "(");
    for (int i = 0; i < x->args.n; i++) {
      word_if(out, i > 0, ", ");
      brink__mo_print_expr(out, x->args.v[i]);
    }
    brink__mo_put(out, ")");
  }
  annotation(out, x->annotation);
  brink__mo_put(out, ";\n");
}

static void body(mo_text *out, const mo_class *c, int indent)
{
  brink__mo_put(out, "\n");
  elements(out, c, indent);
  for (int i = 0; i < c->n_sections; i++) {
    const mo_section *s = &c->sections[i];
    line(out, indent);
    word_if(out, s->initial, "initial ");
    brink__mo_put(out, s->algorithm ? "algorithm\n" : "equation\n");
    block(out, &s->body, indent + 1);
  }
  if (c->external)
    external(out, c->external, indent);
  if (c->comment.annotation) {
    line(out, indent + 1);
    brink__mo_put(out, "annotation");
    modifications(out, c->comment.annotation);
    brink__mo_put(out, ";\n");
  }
  line(out, indent);
  brink__mo_put(out, "end ");
  brink__mo_put(out, c->name->text);
}

static void enumeration(mo_text *out, const mo_class *c)
{
  brink__mo_put(out, c->open ? "enumeration(:" : "enumeration(");
  for (int i = 0; i < c->n_literals; i++) {
    word_if(out, i > 0, ", ");
    brink__mo_put(out, c->literals[i].name->text);
    comment(out, &c->literals[i].comment);
  }
  brink__mo_put(out, ")");
}

static void short_form(mo_text *out, const mo_class *c)
{
  brink__mo_put(out, " = ");
  if (c->form == MO_ENUM)
    enumeration(out, c);
  else if (c->form == MO_DERIVATIVE) {
    brink__mo_put(out, "der(");
    type_name(out, &c->base);
    for (int i = 0; i < c->n_names; i++) {
      brink__mo_put(out, ", ");
      brink__mo_put(out, c->names[i]->text);
    }
    brink__mo_put(out, ")");
  } else {
    word_if(out, c->causality == MO_INPUT, "input ");
    word_if(out, c->causality == MO_OUTPUT, "output ");
    type_name(out, &c->base);
    modifications(out, c->mods);
  }
  comment(out, &c->comment);
}

static void class_text(mo_text *out, const mo_class *c, int indent)
{
  word_if(out, (c->flags & MO_CLASS_FINAL) != 0, "final ");
  word_if(out, (c->flags & MO_CLASS_ENCAPSULATED) != 0, "encapsulated ");
  word_if(out, (c->flags & MO_CLASS_PARTIAL) != 0, "partial ");
  word_if(out, (c->flags & MO_CLASS_PURE) != 0, "pure ");
  word_if(out, (c->flags & MO_CLASS_IMPURE) != 0, "impure ");
  word_if(out, (c->flags & MO_CLASS_EXPANDABLE) != 0, "expandable ");
  word_if(out, (c->flags & MO_CLASS_OPERATOR) != 0, "operator ");
  brink__mo_put(out, brink__mo_class_word(c->kind));
  brink__mo_put(out, c->form == MO_CLASS_EXTENDS ? " extends " : " ");
  brink__mo_put(out, c->name->text);
  if (c->form != MO_LONG && c->form != MO_CLASS_EXTENDS) {
    short_form(out, c);
    return;
  }
  if (c->form == MO_CLASS_EXTENDS)
    modifications(out, c->mods);
  description(out, c->comment.text);
  body(out, c, indent);
}

void brink__mo_print_class(mo_text *out, const mo_class *c, int indent)
{
  line(out, indent);
  class_text(out, c, indent);
  brink__mo_put(out, ";\n");
}

void brink__mo_print_file(mo_text *out, const mo_file *f)
{
  if (f->base) {
    brink__mo_put(out, "//! base ");
    brink__mo_put(out, f->base);
    brink__mo_put(out, "\n");
  }
  if (f->within) {
    brink__mo_put(out, f->within->n ? "within " : "within");
    brink__mo_print_ref(out, f->within);
    brink__mo_put(out, ";\n");
  }
  for (int i = 0; i < f->n_classes; i++)
    brink__mo_print_class(out, f->classes[i], 0);
}
