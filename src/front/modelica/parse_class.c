/* parse_class.c -- class definitions and their bodies.
 *
 * [Modelica36, A.2.2].  A body is read generously: sections in any order and
 * number, annotations of the class anywhere between them (older files have them at
 * the top), all collected in the class's comment.
 */
#include "front/modelica/parser.h"

static int class_kind(mo_token_kind token)
{
  switch ((int)token) {
  case MO_T_CLASS: return MO_C_CLASS;
  case MO_T_MODEL: return MO_C_MODEL;
  case MO_T_BLOCK: return MO_C_BLOCK;
  case MO_T_RECORD: return MO_C_RECORD;
  case MO_T_CONNECTOR: return MO_C_CONNECTOR;
  case MO_T_TYPE: return MO_C_TYPE;
  case MO_T_PACKAGE: return MO_C_PACKAGE;
  case MO_T_FUNCTION: return MO_C_FUNCTION;
  case MO_T_OPERATOR: return MO_C_OPERATOR;
  default: return -1;
  }
}

static unsigned class_flag(mo_token_kind token)
{
  switch ((int)token) {
  case MO_T_ENCAPSULATED: return MO_CLASS_ENCAPSULATED;
  case MO_T_PARTIAL: return MO_CLASS_PARTIAL;
  case MO_T_EXPANDABLE: return MO_CLASS_EXPANDABLE;
  case MO_T_PURE: return MO_CLASS_PURE;
  case MO_T_IMPURE: return MO_CLASS_IMPURE;
  default: return 0;
  }
}

int brink__mo_class_starts(mo_parser *p)
{
  return class_kind(p->tok.kind) >= 0 || class_flag(p->tok.kind) != 0;
}

const char *brink__mo_class_word(mo_class_kind kind)
{
  switch (kind) {
  case MO_C_CLASS: return "class";
  case MO_C_MODEL: return "model";
  case MO_C_BLOCK: return "block";
  case MO_C_RECORD: return "record";
  case MO_C_CONNECTOR: return "connector";
  case MO_C_TYPE: return "type";
  case MO_C_PACKAGE: return "package";
  case MO_C_FUNCTION: return "function";
  case MO_C_OPERATOR: return "operator";
  }
  return "class";
}

/* ------------------------------------------------------------ prefixes ---- */

static void prefixes(mo_parser *p, mo_class *c)
{
  unsigned flag;

  while ((flag = class_flag(p->tok.kind)) != 0) {
    c->flags |= flag;
    brink__mo_advance(p);
  }
  if (mo_at_token(p, MO_T_CONSTANT) && (c->flags & MO_CLASS_PURE))
    brink__mo_advance(p); /* Base Modelica: pure constant function */
  if (mo_at_token(p, MO_T_OPERATOR) &&
      (brink__mo_peek(p) == MO_T_RECORD || brink__mo_peek(p) == MO_T_FUNCTION)) {
    c->flags |= MO_CLASS_OPERATOR;
    brink__mo_advance(p);
  }
  int kind = class_kind(p->tok.kind);
  if (kind < 0) {
    brink__mo_expected(p, "a class word (model, block, record, function ...)");
    return;
  }
  c->kind = (mo_class_kind)kind;
  brink__mo_advance(p);
  if ((c->flags & MO_CLASS_EXPANDABLE) && c->kind != MO_C_CONNECTOR)
    brink__mo_complain(p, c->at, "only a connector can be expandable");
}

/* ----------------------------------------------------------------- body ---- */

static void annotate(mo_parser *p, mo_class *c)
{
  mo_mods *more = brink__mo_annotation(p);

  if (!c->comment.annotation || !more)
    c->comment.annotation = more ? more : c->comment.annotation;
  else {
    size_t mark = p->n_list;
    mo_mods *both = brink__mo_new(p, sizeof *both), *old = c->comment.annotation;
    for (int i = 0; i < old->n; i++)
      brink__mo_push(p, &old->v[i], sizeof *old->v);
    for (int i = 0; i < more->n; i++)
      brink__mo_push(p, &more->v[i], sizeof *more->v);
    both->v = brink__mo_take(p, mark, sizeof(mo_mod), &both->n);
    c->comment.annotation = both;
  }
  brink__mo_semicolon(p);
  brink__mo_sync(p);
}

/* external ["C"] [[y =] f(...)] [annotation(...)]; */
static void external(mo_parser *p, mo_class *c)
{
  mo_external *x = c->external = brink__mo_new(p, sizeof *x);

  x->at = p->tok.at;
  brink__mo_advance(p);
  if (mo_at_token(p, MO_T_STRING)) {
    x->language = p->tok.string;
    brink__mo_advance(p);
  }
  if (mo_at_token(p, MO_T_NAME) && brink__mo_peek(p) != MO_T_LPAREN) {
    x->result = brink__mo_reference(p);
    brink__mo_expect(p, MO_T_EQUAL);
  }
  if (mo_at_token(p, MO_T_NAME)) {
    x->fn = brink__mo_ident(p, "a function name");
    mo_at at = p->tok.at;
    brink__mo_expect(p, MO_T_LPAREN);
    if (!mo_at_token(p, MO_T_RPAREN))
      x->args = brink__mo_expressions(p);
    brink__mo_close(p, MO_T_RPAREN, MO_T_LPAREN, at);
  }
  x->annotation = brink__mo_annotation(p);
  brink__mo_semicolon(p);
  brink__mo_sync(p);
}

/* Base Modelica's clocked partitions: known, and skipped up to the class's end */
static int partition(mo_parser *p, mo_class *c)
{
  if (!p->lx.base || !mo_at_token(p, MO_T_NAME) || p->tok.name->text[0] != 'p' ||
      brink__distance(p->tok.name->text, "partition") != 0)
    return 0;
  c->flags |= MO_CLASS_CLOCKED;
  while (!mo_at_token(p, MO_T_EOF) &&
         !(mo_at_token(p, MO_T_END) && brink__mo_peek(p) == MO_T_NAME))
    brink__mo_advance(p);
  return 1;
}

/* a word that starts a section; 0: none.  `elements` takes what stands before it */
static int is_section(mo_parser *p)
{
  return mo_at_token(p, MO_T_EQUATION) || mo_at_token(p, MO_T_ALGORITHM) ||
         (mo_at_token(p, MO_T_INITIAL) &&
          (brink__mo_peek(p) == MO_T_EQUATION || brink__mo_peek(p) == MO_T_ALGORITHM));
}

static void element(mo_parser *p, unsigned flags)
{
  const char *from = p->tok.from;
  const mo_token lead = p->lead = p->tok;

  brink__mo_element(p, flags);
  p->lead = lead;
  brink__mo_semicolon(p);
  brink__mo_sync(p);
  if (p->tok.from == from)
    brink__mo_advance(p); /* nothing was used: never stand still */
}

/* is this `end` the class's own, or somebody else's who may take it? */
static int class_ends(mo_parser *p, const mo_class *c)
{
  if (!mo_at_token(p, MO_T_END))
    return mo_at_token(p, MO_T_EOF) || p->panic;
  mo_token_kind next = brink__mo_peek(p);
  return !c->name || (next != MO_T_IF && next != MO_T_FOR && next != MO_T_WHEN &&
                      next != MO_T_WHILE);
}

/* Elements and sections are read in one pass, but kept in two lists: sections are
 * collected in a small chain first, because the stack holds the elements. */
typedef struct link {
  mo_section section;
  struct link *next;
} link;

static void sections(mo_parser *p, mo_class *c, const link *first)
{
  size_t mark = p->n_list;

  for (; first; first = first->next)
    brink__mo_push(p, &first->section, sizeof first->section);
  c->sections = brink__mo_take(p, mark, sizeof(mo_section), &c->n_sections);
}

static void body(mo_parser *p, mo_class *c)
{
  size_t mark = p->n_list;
  unsigned flags = 0;
  link *first = NULL, **last = &first;

  while (!class_ends(p, c)) {
    if (brink__mo_accept(p, MO_T_PUBLIC))
      flags = 0;
    else if (brink__mo_accept(p, MO_T_PROTECTED))
      flags = MO_PROTECTED;
    else if (is_section(p) || brink__mo_section_missing(p)) {
      link *l = brink__mo_new(p, sizeof *l);
      l->section =
          is_section(p) ? brink__mo_section(p) : brink__mo_section_unannounced(p);
      *last = l;
      last = &l->next;
    } else if (mo_at_token(p, MO_T_ANNOTATION))
      annotate(p, c);
    else if (mo_at_token(p, MO_T_EXTERNAL))
      external(p, c);
    else if (!brink__mo_stray_word(p) && !partition(p, c))
      element(p, flags);
  }
  c->elements = brink__mo_take(p, mark, sizeof(mo_element *), &c->n_elements);
  sections(p, c, p->stop ? NULL : first);
}

/* ------------------------------------------------------------------ end ---- */

static int enclosing(const mo_class *c, const mo_name *name)
{
  for (c = c->parent; c; c = c->parent)
    if (c->name == name)
      return 1;
  return 0;
}

static void class_end(mo_parser *p, mo_class *c)
{
  char near[MO_NEAR];
  const char *word = brink__mo_class_word(c->kind),
             *name = c->name ? c->name->text : "";

  if (p->panic || p->stop)
    return;
  brink__mo_near(p, near);
  if (!mo_at_token(p, MO_T_END)) {
    brink__mo_fail(p, p->tok.at,
                   "'end %s' expected (to close '%s %s' at line %d) near %s", name,
                   word, name, c->at.line, near);
    return;
  }
  mo_token_kind next = brink__mo_peek(p);
  if (!c->name || (next == MO_T_NAME && p->ahead.name == c->name)) {
    brink__mo_advance(p);
    brink__mo_advance(p);
    return;
  }
  brink__mo_complain(p, p->tok.at, "'end %s' expected (to close '%s %s' at line %d)",
                     name, word, name, c->at.line);
  if (next == MO_T_NAME && enclosing(c, p->ahead.name)) {
    brink__mo_hide(p); /* the outer class will take it: no ';' is missing here */
    return;
  }
  brink__mo_advance(p);
  brink__mo_accept(p, MO_T_NAME);
}

/* --------------------------------------------------------- short forms ---- */

static void enumeration(mo_parser *p, mo_class *c)
{
  size_t mark = p->n_list;
  mo_at at;

  c->form = MO_ENUM;
  brink__mo_advance(p);
  at = p->tok.at;
  brink__mo_expect(p, MO_T_LPAREN);
  if (brink__mo_accept(p, MO_T_COLON))
    c->open = 1;
  else if (!mo_at_token(p, MO_T_RPAREN))
    do {
      mo_literal l = {.at = p->tok.at};
      l.name = brink__mo_ident(p, "a literal's name");
      l.comment = brink__mo_comment(p);
      brink__mo_push(p, &l, sizeof l);
    } while (brink__mo_accept(p, MO_T_COMMA));
  brink__mo_close(p, MO_T_RPAREN, MO_T_LPAREN, at);
  c->literals = brink__mo_take(p, mark, sizeof(mo_literal), &c->n_literals);
}

/* = der(f, x, y) */
static void derivative(mo_parser *p, mo_class *c)
{
  size_t mark = p->n_list;

  c->form = MO_DERIVATIVE;
  brink__mo_advance(p);
  mo_at at = p->tok.at;
  brink__mo_expect(p, MO_T_LPAREN);
  c->base = brink__mo_type_name(p);
  brink__mo_expect(p, MO_T_COMMA);
  do {
    mo_name *name = brink__mo_ident(p, "an input's name");
    brink__mo_push(p, &name, sizeof name);
  } while (brink__mo_accept(p, MO_T_COMMA));
  brink__mo_close(p, MO_T_RPAREN, MO_T_LPAREN, at);
  c->names = brink__mo_take(p, mark, sizeof(mo_name *), &c->n_names);
}

/* behind `name =` */
static void short_form(mo_parser *p, mo_class *c)
{
  c->form = MO_SHORT;
  if (mo_at_token(p, MO_T_ENUMERATION))
    enumeration(p, c);
  else if (mo_at_token(p, MO_T_DER))
    derivative(p, c);
  else {
    if (brink__mo_accept(p, MO_T_INPUT))
      c->causality = MO_INPUT;
    else if (brink__mo_accept(p, MO_T_OUTPUT))
      c->causality = MO_OUTPUT;
    c->base = brink__mo_type_name(p);
    c->mods = brink__mo_modifiers(p);
  }
  c->comment = brink__mo_comment(p);
}

/* ----------------------------------------------------------------- class ---- */

static void specifier(mo_parser *p, mo_class *c)
{
  if (brink__mo_accept(p, MO_T_EXTENDS))
    c->form = MO_CLASS_EXTENDS;
  c->name_at = p->tok.at;
  c->name = brink__mo_ident(p, "the name of the class");
  if (c->form == MO_CLASS_EXTENDS)
    c->mods = brink__mo_modifiers(p);
  else if (brink__mo_accept(p, MO_T_EQUAL)) {
    short_form(p, c);
    return;
  }
  c->comment.text = brink__mo_description(p);
  brink__mo_sync_line(p);
  body(p, c);
  class_end(p, c);
}

static mo_class *begin(mo_parser *p)
{
  mo_class *c = brink__mo_new(p, sizeof *c);

  c->at = p->tok.at;
  c->parent = p->cls;
  prefixes(p, c);
  return c;
}

mo_class *brink__mo_class(mo_parser *p)
{
  mo_class *outer = p->cls;
  int loops = p->loops;
  mo_class *c = begin(p);

  p->cls = c;
  p->loops = 0;
  if (brink__mo_enter(p))
    specifier(p, c);
  brink__mo_leave(p);
  p->loops = loops;
  p->cls = outer;
  return c;
}

mo_class *brink__mo_short_class(mo_parser *p)
{
  mo_class *c = begin(p);

  c->parent = NULL;
  c->name_at = p->tok.at;
  c->name = brink__mo_ident(p, "the name of the class");
  brink__mo_expect(p, MO_T_EQUAL);
  short_form(p, c);
  return c;
}
