/* print_expr.c -- expressions as Modelica text, with as few parentheses as the
 * grammar allows.
 *
 * Each kind has a level, from 0 (if-expressions: allowed where any expression is)
 * to 8 (primaries).  An operand gets parentheses when its level is below what its
 * place in the grammar asks for; ORDER levels follows [Modelica36, A.2.7].
 */
#include "front/modelica/lexer.h"
#include "front/modelica/parse.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* --------------------------------------------------------------- text ---- */

void brink__mo_putn(mo_text *out, const char *s, size_t n)
{
  if (out->status < 0)
    return;
  if (brink__grow(out->ctx, (void **)&out->s, &out->cap, out->n + n + 1, 1) < 0) {
    out->status = BRINK_ENOMEM;
    return;
  }
  memcpy(out->s + out->n, s, n);
  out->n += n;
  out->s[out->n] = 0;
}

void brink__mo_put(mo_text *out, const char *s) { brink__mo_putn(out, s, strlen(s)); }

void brink__mo_text_drop(mo_text *out)
{
  brink__free(out->ctx, out->s, out->cap);
  *out = (mo_text){.ctx = out->ctx};
}

/* ------------------------------------------------------------- levels ---- */

enum {
  L_ANY,   /* if                 */
  L_RANGE, /* a:b                */
  L_OR,
  L_AND,
  L_NOT,
  L_RELATION,
  L_SUM, /* also a leading sign */
  L_PRODUCT,
  L_POWER,
  L_PRIMARY
};

static int level(const mo_expr *e)
{
  switch (e->kind) {
  case MO_IF: return L_ANY;
  case MO_RANGE: return L_RANGE;
  case MO_OR: return L_OR;
  case MO_AND: return L_AND;
  case MO_UNARY: return e->op == MO_OP_NOT ? L_NOT : L_SUM;
  case MO_RELATION: return L_RELATION;
  case MO_SUM: return L_SUM;
  case MO_PRODUCT: return L_PRODUCT;
  case MO_POWER: return L_POWER;
  case MO_REAL:
  case MO_INTEGER:
  case MO_BOOLEAN:
  case MO_STRING:
  case MO_REF:
  case MO_CALL:
  case MO_PARTIAL:
  case MO_ARRAY:
  case MO_MATRIX:
  case MO_ROW:
  case MO_TUPLE:
  case MO_FOR:
  case MO_INDEX:
  case MO_ALL:
  case MO_END: break;
  }
  return L_PRIMARY;
}

const char *brink__mo_op_text(mo_op op)
{
  switch (op) {
  case MO_OP_NONE: return "";
  case MO_OP_ADD: return "+";
  case MO_OP_SUB: return "-";
  case MO_OP_DOT_ADD: return ".+";
  case MO_OP_DOT_SUB: return ".-";
  case MO_OP_MUL: return "*";
  case MO_OP_DIV: return "/";
  case MO_OP_DOT_MUL: return ".*";
  case MO_OP_DOT_DIV: return "./";
  case MO_OP_POW: return "^";
  case MO_OP_DOT_POW: return ".^";
  case MO_OP_LT: return "<";
  case MO_OP_LE: return "<=";
  case MO_OP_GT: return ">";
  case MO_OP_GE: return ">=";
  case MO_OP_EQ: return "==";
  case MO_OP_NE: return "<>";
  case MO_OP_NOT: return "not";
  case MO_OP_AND: return "and";
  case MO_OP_OR: return "or";
  }
  return "?";
}

static void operand(mo_text *out, const mo_expr *e, int least)
{
  int wrap = level(e) < least;

  if (wrap)
    brink__mo_put(out, "(");
  brink__mo_print_expr(out, e);
  if (wrap)
    brink__mo_put(out, ")");
}

static void spaced(mo_text *out, const char *s)
{
  brink__mo_put(out, " ");
  brink__mo_put(out, s);
  brink__mo_put(out, " ");
}

static void list(mo_text *out, const mo_list *v, int from)
{
  for (int i = from; i < v->n; i++) {
    if (i > from)
      brink__mo_put(out, ", ");
    if (v->v[i])
      brink__mo_print_expr(out, v->v[i]);
  }
}

/* ---------------------------------------------------------- operators ---- */

/* 2.*x would read as 2. * x, so an element-wise operator keeps its distance; the
 * first term may be signed, no other may be a chain of the same level */
static void chain(mo_text *out, const mo_expr *e)
{
  int own = level(e);

  for (int i = 0; i < e->chain.n; i++) {
    const mo_term *t = &e->chain.v[i];
    int tight = t->op == MO_OP_MUL || t->op == MO_OP_DIV;
    if (i > 0 && tight)
      brink__mo_put(out, brink__mo_op_text(t->op));
    else if (i > 0)
      spaced(out, brink__mo_op_text(t->op));
    int first_sign = i == 0 && own == L_SUM && t->e->kind == MO_UNARY;
    operand(out, t->e, first_sign ? L_SUM : own + 1);
  }
}

static void unary(mo_text *out, const mo_expr *e)
{
  brink__mo_put(out, brink__mo_op_text(e->op));
  if (e->op == MO_OP_NOT)
    brink__mo_put(out, " ");
  operand(out, e->args.v[0], e->op == MO_OP_NOT ? L_RELATION : L_PRODUCT);
}

static void pair(mo_text *out, const mo_expr *e, int least)
{
  operand(out, e->args.v[0], least);
  if (e->op == MO_OP_POW)
    brink__mo_put(out, "^");
  else
    spaced(out, brink__mo_op_text(e->op));
  operand(out, e->args.v[1], least);
}

static void conditional(mo_text *out, const mo_expr *e)
{
  int i;

  for (i = 0; i + 1 < e->args.n; i += 2) {
    brink__mo_put(out, i ? " elseif " : "if ");
    brink__mo_print_expr(out, e->args.v[i]);
    brink__mo_put(out, " then ");
    brink__mo_print_expr(out, e->args.v[i + 1]);
  }
  brink__mo_put(out, " else ");
  /* `else if` would be read as elseif: the same, but not the same tree */
  operand(out, e->args.v[i], L_RANGE);
}

static void range(mo_text *out, const mo_expr *e)
{
  for (int i = 0; i < e->args.n; i++) {
    brink__mo_put(out, i ? ":" : "");
    operand(out, e->args.v[i], L_OR);
  }
}

/* ------------------------------------------------------------- others ---- */

void brink__mo_print_ref(mo_text *out, const mo_ref *ref)
{
  for (int i = 0; i < ref->n; i++) {
    const mo_part *part = &ref->parts[i];
    if (i > 0 || ref->global)
      brink__mo_put(out, ".");
    brink__mo_put(out, part->name->text);
    if (part->subs.n) {
      brink__mo_put(out, "[");
      list(out, &part->subs, 0);
      brink__mo_put(out, "]");
    }
  }
}

static void call(mo_text *out, const mo_expr *e)
{
  const mo_call *c = e->call;

  brink__mo_put(out, e->kind == MO_PARTIAL ? "function " : "");
  brink__mo_print_ref(out, &c->fn);
  brink__mo_put(out, "(");
  for (int i = 0; i < c->n; i++) {
    brink__mo_put(out, i ? ", " : "");
    if (c->args[i].name) {
      brink__mo_put(out, c->args[i].name->text);
      brink__mo_put(out, " = ");
    }
    brink__mo_print_expr(out, c->args[i].value);
  }
  brink__mo_put(out, ")");
}

static void loop(mo_text *out, const mo_for *f)
{
  brink__mo_print_expr(out, f->body);
  for (int i = 0; i < f->n; i++) {
    brink__mo_put(out, i ? ", " : " for ");
    brink__mo_put(out, f->iters[i].name->text);
    if (f->iters[i].range) {
      brink__mo_put(out, " in ");
      brink__mo_print_expr(out, f->iters[i].range);
    }
  }
}

static void rows(mo_text *out, const mo_list *v)
{
  brink__mo_put(out, "[");
  for (int i = 0; i < v->n; i++) {
    brink__mo_put(out, i ? "; " : "");
    list(out, &v->v[i]->args, 0);
  }
  brink__mo_put(out, "]");
}

static void bracketed(mo_text *out, const char *open, const mo_list *v, int from,
                      const char *shut)
{
  brink__mo_put(out, open);
  list(out, v, from);
  brink__mo_put(out, shut);
}

void brink__mo_put_string(mo_text *out, const char *s)
{
  brink__mo_put(out, "\"");
  for (; *s; s++) {
    char letter = (char)brink__mo_escape_letter((unsigned char)*s);
    int plain = !letter || strchr("'?\n\t", *s) != NULL; /* may stand as they are */
    brink__mo_put(out, plain ? "" : "\\");
    brink__mo_putn(out, plain ? s : &letter, 1);
  }
  brink__mo_put(out, "\"");
}

static void number(mo_text *out, const mo_expr *e)
{
  char buf[MO_NUMBER_TEXT];

  if (e->kind == MO_REAL)
    brink__mo_number_text(e->real, buf);
  else
    snprintf(buf, sizeof buf, "%" PRId64, e->integer);
  brink__mo_put(out, buf);
}

/* (e)[i]: the parentheses belong to the form */
static void indexed(mo_text *out, const mo_expr *e)
{
  brink__mo_put(out, "(");
  brink__mo_print_expr(out, e->args.v[0]);
  bracketed(out, ")[", &e->args, 1, "]");
}

void brink__mo_print_expr(mo_text *out, const mo_expr *e)
{
  switch (e->kind) {
  case MO_REAL:
  case MO_INTEGER: number(out, e); return;
  case MO_BOOLEAN: brink__mo_put(out, e->boolean ? "true" : "false"); return;
  case MO_STRING: brink__mo_put_string(out, e->string); return;
  case MO_REF: brink__mo_print_ref(out, &e->ref); return;
  case MO_CALL:
  case MO_PARTIAL: call(out, e); return;
  case MO_UNARY: unary(out, e); return;
  case MO_SUM:
  case MO_PRODUCT:
  case MO_AND:
  case MO_OR: chain(out, e); return;
  case MO_POWER: pair(out, e, L_PRIMARY); return;
  case MO_RELATION: pair(out, e, L_SUM); return;
  case MO_IF: conditional(out, e); return;
  case MO_RANGE: range(out, e); return;
  case MO_ARRAY: bracketed(out, "{", &e->args, 0, "}"); return;
  case MO_MATRIX: rows(out, &e->args); return;
  case MO_ROW: list(out, &e->args, 0); return;
  case MO_TUPLE: bracketed(out, "(", &e->args, 0, ")"); return;
  case MO_FOR: loop(out, e->loop); return;
  case MO_INDEX: indexed(out, e); return;
  case MO_ALL: brink__mo_put(out, ":"); return;
  case MO_END: brink__mo_put(out, "end"); return;
  }
}

const char *brink__mo_expr_text(brink__pool *pool, const mo_expr *e)
{
  mo_text out = {.ctx = pool->ctx};

  brink__mo_print_expr(&out, e);
  const char *s = out.status < 0 ? NULL : brink__pool_str(pool, out.s, out.n);
  brink__mo_text_drop(&out);
  return s;
}
