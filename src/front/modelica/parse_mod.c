/* parse_mod.c -- modifications, annotations, descriptions.
 *
 * [Modelica36, A.2.5 and A.2.7].  An annotation is kept as a modification tree:
 * brink reads experiment and __brink from it and leaves the rest alone.
 */
#include "front/modelica/parser.h"

#include <string.h>

mo_ref brink__mo_name_path(mo_parser *p)
{
  mo_ref ref = {0};
  size_t mark = p->n_list;

  ref.global = brink__mo_accept(p, MO_T_DOT);
  if (mo_at_token(p, MO_T_NAME) && brink__mo_peek(p) != MO_T_DOT) {
    ref.parts = &p->tok.name->plain;
    ref.n = 1;
    brink__mo_advance(p);
    return ref;
  }
  do {
    mo_part part = {brink__mo_ident(p, "a name"), {0}};
    brink__mo_push(p, &part, sizeof part);
    /* import A.B.* and A.B.{c, d}: the caller goes on at the point */
    mo_token_kind next = mo_at_token(p, MO_T_DOT) ? brink__mo_peek(p) : MO_T_NONE;
    if (next == MO_T_TIMES || next == MO_T_LBRACE)
      break;
  } while (brink__mo_accept(p, MO_T_DOT));
  ref.parts = brink__mo_take(p, mark, sizeof(mo_part), &ref.n);
  return ref;
}

/* -------------------------------------------------------- descriptions ---- */

/* "a" + "b" + ...: one text */
const char *brink__mo_description(mo_parser *p)
{
  if (!mo_at_token(p, MO_T_STRING))
    return NULL;
  const char *text = p->tok.string;
  brink__mo_advance(p);
  if (!mo_at_token(p, MO_T_PLUS))
    return text;

  size_t mark = p->n_list;
  int n;
  brink__mo_push(p, text, strlen(text));
  while (brink__mo_accept(p, MO_T_PLUS)) {
    if (!mo_at_token(p, MO_T_STRING))
      brink__mo_expected(p, "a string");
    else
      brink__mo_push(p, p->tok.string, strlen(p->tok.string));
    brink__mo_advance(p);
  }
  brink__mo_push(p, "", 1);
  return brink__mo_take(p, mark, 1, &n);
}

mo_mods *brink__mo_annotation(mo_parser *p)
{
  if (!brink__mo_accept(p, MO_T_ANNOTATION))
    return NULL;
  if (!mo_at_token(p, MO_T_LPAREN))
    brink__mo_expect(p, MO_T_LPAREN);
  return brink__mo_modifiers(p);
}

mo_comment brink__mo_comment(mo_parser *p)
{
  mo_comment c;

  c.text = brink__mo_description(p);
  c.annotation = brink__mo_annotation(p);
  return c;
}

/* -------------------------------------------------------- modifications ---- */

void brink__mo_modification(mo_parser *p, mo_mods **mods, mo_expr **value)
{
  *mods = brink__mo_modifiers(p);
  *value = NULL;
  if (mo_at_token(p, MO_T_EQ))
    brink__mo_fail(p, p->tok.at, "'=' expected near '=='");
  if (brink__mo_accept(p, MO_T_EQUAL) || brink__mo_accept(p, MO_T_ASSIGN))
    *value = brink__mo_expression(p);
}

static mo_mod argument(mo_parser *p)
{
  mo_mod m = {.at = p->tok.at};

  if (mo_at_token(p, MO_T_REDECLARE)) {
    m.element = brink__mo_redeclaration(p);
    return m;
  }
  if (brink__mo_accept(p, MO_T_EACH))
    m.flags |= MO_EACH;
  if (brink__mo_accept(p, MO_T_FINAL))
    m.flags |= MO_FINAL;
  if (mo_at_token(p, MO_T_REPLACEABLE)) {
    m.element = brink__mo_redeclaration(p);
    return m;
  }
  m.name = brink__mo_name_path(p);
  if (mo_at_token(p, MO_T_LBRACK))
    brink__mo_fail(p, p->tok.at,
                   "a modification cannot pick elements of an array; give "
                   "the whole array a value: x(start = {1, 2})");
  brink__mo_modification(p, &m.mods, &m.value);
  m.text = brink__mo_description(p);
  return m;
}

mo_mods *brink__mo_modifiers(mo_parser *p)
{
  mo_at at = p->tok.at;
  size_t mark = p->n_list;

  if (!mo_at_token(p, MO_T_LPAREN))
    return NULL;
  mo_mods *mods = brink__mo_new(p, sizeof *mods);
  if (brink__mo_enter(p)) {
    brink__mo_advance(p);
    if (!mo_at_token(p, MO_T_RPAREN))
      do {
        mo_mod m = argument(p);
        brink__mo_push(p, &m, sizeof m);
      } while (brink__mo_accept(p, MO_T_COMMA));
    brink__mo_close(p, MO_T_RPAREN, MO_T_LPAREN, at);
  }
  brink__mo_leave(p);
  mods->v = brink__mo_take(p, mark, sizeof(mo_mod), &mods->n);
  return mods;
}
