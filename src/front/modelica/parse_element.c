/* parse_element.c -- imports, extends, components, redeclarations.
 *
 * [Modelica36, A.2.2 to A.2.5].  A component clause with several names becomes
 * several elements that share their type.
 */
#include "front/modelica/parser.h"

#include <string.h>

static mo_element *node(mo_parser *p, mo_element_kind kind, mo_at at, unsigned flags)
{
  mo_element *e = brink__mo_new(p, sizeof *e);

  e->kind = kind;
  e->at = at;
  e->flags = flags;
  return e;
}

static void push(mo_parser *p, mo_element *e) { brink__mo_push(p, &e, sizeof e); }

mo_type brink__mo_type_name(mo_parser *p)
{
  mo_type type = {.at = p->tok.at};

  type.name = brink__mo_name_path(p);
  type.subs = brink__mo_subscripts(p);
  return type;
}

/* ----------------------------------------------------- import, extends ---- */

static void import_list(mo_parser *p, mo_import *im)
{
  size_t mark = p->n_list;
  mo_at at = p->tok.at;

  im->kind = MO_IMPORT_LIST;
  brink__mo_advance(p);
  do {
    mo_name *name = brink__mo_ident(p, "a name");
    brink__mo_push(p, &name, sizeof name);
  } while (brink__mo_accept(p, MO_T_COMMA));
  brink__mo_close(p, MO_T_RBRACE, MO_T_LBRACE, at);
  im->names = brink__mo_take(p, mark, sizeof(mo_name *), &im->n);
}

static mo_import *import(mo_parser *p)
{
  mo_import *im = brink__mo_new(p, sizeof *im);

  brink__mo_advance(p);
  if (mo_at_token(p, MO_T_NAME) && brink__mo_peek(p) == MO_T_EQUAL) {
    size_t mark = p->n_list;
    im->kind = MO_IMPORT_AS;
    brink__mo_push(p, &p->tok.name, sizeof(mo_name *));
    im->names = brink__mo_take(p, mark, sizeof(mo_name *), &im->n);
    brink__mo_advance(p);
    brink__mo_advance(p);
  }
  im->from = brink__mo_name_path(p);
  if (im->kind == MO_IMPORT_NAME && mo_at_token(p, MO_T_DOT_TIMES)) {
    im->kind = MO_IMPORT_ALL; /* A.B.*: the lexer sees '.*' */
    brink__mo_advance(p);
  } else if (im->kind == MO_IMPORT_NAME && brink__mo_accept(p, MO_T_DOT)) {
    if (brink__mo_accept(p, MO_T_TIMES))
      im->kind = MO_IMPORT_ALL;
    else
      import_list(p, im);
  }
  im->comment = brink__mo_comment(p);
  return im;
}

static mo_extends *extends(mo_parser *p)
{
  mo_extends *x = brink__mo_new(p, sizeof *x);

  brink__mo_advance(p);
  x->type = brink__mo_type_name(p);
  x->mods = brink__mo_modifiers(p);
  x->comment = brink__mo_comment(p);
  return x;
}

/* ----------------------------------------------------------- components ---- */

/* may `word` still join? each group once */
static void once(mo_parser *p, int taken)
{
  if (taken)
    brink__mo_fail(p, p->tok.at,
                   "'%s' contradicts an earlier prefix of this declaration",
                   brink__mo_token_text(p->tok.kind));
}

static mo_prefix prefix(mo_parser *p)
{
  mo_prefix x = {MO_POTENTIAL, MO_CONTINUOUS, MO_ACAUSAL};

  for (;; brink__mo_advance(p)) {
    switch ((int)p->tok.kind) {
    case MO_T_FLOW:
    case MO_T_STREAM:
      once(p, x.linkage != MO_POTENTIAL);
      x.linkage = mo_at_token(p, MO_T_FLOW) ? MO_FLOW : MO_STREAM;
      break;
    case MO_T_DISCRETE:
    case MO_T_PARAMETER:
    case MO_T_CONSTANT:
      once(p, x.variability != MO_CONTINUOUS);
      x.variability = mo_at_token(p, MO_T_DISCRETE)    ? MO_DISCRETE
                      : mo_at_token(p, MO_T_PARAMETER) ? MO_PARAMETER
                                                       : MO_CONSTANT;
      break;
    case MO_T_INPUT:
    case MO_T_OUTPUT:
      once(p, x.causality != MO_ACAUSAL);
      x.causality = mo_at_token(p, MO_T_INPUT) ? MO_INPUT : MO_OUTPUT;
      break;
    case MO_T_FINAL:
      brink__mo_fail(p, p->tok.at, "'final' must stand before '%s'",
                     p->lead.name ? p->lead.name->text : "the other prefixes");
      return x;
    default: return x;
    }
  }
}

/* tank.level: the names in front of the last */
static void flat_name(mo_parser *p, mo_component *c)
{
  size_t mark = p->n_list;

  while (brink__mo_accept(p, MO_T_DOT)) {
    mo_part part = {c->name, {0}};
    brink__mo_push(p, &part, sizeof part);
    c->name = brink__mo_ident(p, "a name");
  }
  c->path.parts = brink__mo_take(p, mark, sizeof(mo_part), &c->path.n);
}

static mo_component *declaration(mo_parser *p, mo_prefix pre, const mo_type *type)
{
  mo_component *c = brink__mo_new(p, sizeof *c);
  mo_list subs;

  c->at = p->tok.at;
  c->prefix = pre;
  c->type = type;
  c->name = brink__mo_ident(p, "the name of the component");
  if (mo_at_token(p, MO_T_DOT))
    flat_name(p, c);
  subs = brink__mo_subscripts(p);
  if (mo_at_token(p, MO_T_DOT))
    brink__mo_fail(
        p, p->tok.at,
        "a declared name has subscripts at its end only; write the flat name "
        "in quotes, as in 'tank[1].level'");
  c->subs = subs;
  brink__mo_modification(p, &c->mods, &c->value);
  return c;
}

/* prefix type name[...](...) = ... if ... "..." annotation(...), name ... */
static void components(mo_parser *p, mo_at at, unsigned flags)
{
  mo_prefix pre = prefix(p);
  mo_type *type = brink__mo_new(p, sizeof *type);

  *type = brink__mo_type_name(p);
  do {
    mo_element *e = node(p, MO_E_COMPONENT, at, flags);
    mo_component *c = declaration(p, pre, type);
    e->component = c;
    if (brink__mo_accept(p, MO_T_IF))
      c->condition = brink__mo_expression(p);
    c->comment = brink__mo_comment(p);
    push(p, e);
  } while (brink__mo_accept(p, MO_T_COMMA));
}

/* -------------------------------------------------------------- elements ---- */

static mo_extends *constrainedby(mo_parser *p)
{
  return mo_at_token(p, MO_T_CONSTRAINEDBY) ? extends(p) : NULL;
}

static unsigned element_flags(mo_parser *p)
{
  static const struct {
    mo_token_kind word;
    unsigned flag;
  } order[] = {{MO_T_REDECLARE, MO_REDECLARE},
               {MO_T_FINAL, MO_FINAL},
               {MO_T_INNER, MO_INNER},
               {MO_T_OUTER, MO_OUTER},
               {MO_T_REPLACEABLE, MO_REPLACEABLE}};
  unsigned flags = 0;

  for (size_t i = 0; i < BRINK__COUNT(order); i++)
    if (brink__mo_accept(p, order[i].word))
      flags |= order[i].flag;
  return flags;
}

static void class_element(mo_parser *p, mo_at at, unsigned flags)
{
  mo_element *e = node(p, MO_E_CLASS, at, flags);

  e->cls = brink__mo_class(p);
  push(p, e);
}

void brink__mo_element(mo_parser *p, unsigned flags)
{
  mo_at at = p->tok.at;
  mo_element *e;

  if (mo_at_token(p, MO_T_IMPORT)) {
    e = node(p, MO_E_IMPORT, at, flags);
    e->import = import(p);
    push(p, e);
    return;
  }
  if (mo_at_token(p, MO_T_EXTENDS)) {
    e = node(p, MO_E_EXTENDS, at, flags);
    e->extends = extends(p);
    push(p, e);
    return;
  }
  if (mo_at_token(p, MO_T_PARAMETER) && brink__mo_peek(p) == MO_T_EQUATION) {
    e = node(p, MO_E_GUESS, at, flags);
    e->equation = brink__mo_guess_equation(p);
    push(p, e);
    return;
  }
  flags |= element_flags(p);
  size_t mark = p->n_list;
  if (brink__mo_class_starts(p))
    class_element(p, at, flags);
  else
    components(p, at, flags);
  if (mo_at_token(p, MO_T_CONSTRAINEDBY) && p->n_list > mark) {
    mo_extends *limit = constrainedby(p);
    mo_element *last;
    memcpy(&last, p->list + p->n_list - sizeof last, sizeof last);
    last->constrainedby = limit;
  }
}

/* -------------------------------------------------------- redeclarations ---- */

mo_element *brink__mo_redeclaration(mo_parser *p)
{
  mo_at at = p->tok.at;
  unsigned flags = brink__mo_accept(p, MO_T_REDECLARE) ? MO_REDECLARE : 0u;

  flags |= brink__mo_accept(p, MO_T_EACH) ? MO_EACH : 0u;
  flags |= brink__mo_accept(p, MO_T_FINAL) ? MO_FINAL : 0u;
  flags |= brink__mo_accept(p, MO_T_REPLACEABLE) ? MO_REPLACEABLE : 0u;
  mo_element *e = node(p, MO_E_COMPONENT, at, flags);
  if (brink__mo_class_starts(p)) {
    e->kind = MO_E_CLASS;
    e->cls = brink__mo_short_class(p);
  } else {
    mo_prefix pre = prefix(p);
    mo_type *type = brink__mo_new(p, sizeof *type);
    *type = brink__mo_type_name(p);
    mo_component *c = declaration(p, pre, type);
    c->comment = brink__mo_comment(p);
    e->component = c;
  }
  e->constrainedby = constrainedby(p);
  return e;
}
