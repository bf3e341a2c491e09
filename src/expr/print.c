/* print.c -- expressions as Modelica text.
 *
 * The grammar of [Modelica36, appendix A.2.7] decides about parentheses: each
 * operator has a level, each operand place a least level.  Numbers are the
 * shortest decimals that read back exactly; a Real that looks like an Integer gets
 * ".0".  What is read back is the same tree, so the same value to the bit.
 *
 * A graph can be exponentially larger on paper than in memory; output stops when
 * the buffer is full.  The stack holds what is still to be written.
 */
#include "expr/inner.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* levels of the grammar, loosest first */
enum level {
  EXPRESSION, /* if             */
  DISJUNCTION,
  CONJUNCTION,
  NEGATION, /* not            */
  RELATION,
  SUM, /* + - and a sign */
  TERM,
  FACTOR,
  PRIMARY
};

/* something still to be written: a text, or a node in a place */
typedef struct item {
  const char *text; /* NULL: the node */
  brink__node node;
  int least; /* level asked for by the place; ELSE: after `then ... ` */
} item;

enum { ELSE = -1 };

typedef struct printer {
  const brink__graph *g;
  brink__name_fn *name;
  void *user;
  char *buf;
  size_t cap, len; /* len == cap: full */
  item *todo;
  size_t n_todo, todo_cap;
  int fixed; /* todo is a ring of todo_cap items: what is said last is forgotten first
              */
  int plain; /* whole Reals without ".0" */
} printer;

/* ------------------------------------------------------------- numbers ---- */

int brink__print_double(double x, char *buf, size_t cap)
{
  int n = 0;

  if (fabs(x) < 1e15 && x == floor(x))
    return snprintf(buf, cap, "%.0f", x);
  for (int digits = 1; digits <= 17; digits++) {
    n = snprintf(buf, cap, "%.*g", digits, x);
    if (strtod(buf, NULL) == x)
      break;
  }
  for (char *p = buf; *p; p++)
    if (*p == ',') /* some locale's point */
      *p = '.';
  return n;
}

static void put(printer *p, const char *text)
{
  size_t n = strlen(text), left = p->cap - p->len;

  memcpy(p->buf + p->len, text, n < left ? n : left);
  p->len += n < left ? n : left;
}

static void put_constant(printer *p, brink__node n)
{
  char text[40];
  double x = brink__node_value(p->g, n);

  switch (brink__node_type(p->g, n)) {
  case BRINK_TYPE_BOOLEAN: put(p, x != 0 ? "true" : "false"); return;
  case BRINK_TYPE_INTEGER:
  case BRINK_TYPE_ENUMERATION:
    snprintf(text, sizeof text, "%.0f", x);
    put(p, text);
    return;
  case BRINK_TYPE_REAL:
    brink__print_double(x, text, sizeof text - 3);
    if (!p->plain && !strpbrk(text, ".e"))
      strcat(text, ".0");
    put(p, text);
    return;
  }
}

static void put_symbol(printer *p, brink__node n)
{
  int32_t id = brink__node_symbol(p->g, n);
  size_t left = p->cap - p->len;
  int length = p->name ? p->name(p->user, id, p->buf + p->len, left)
                       : snprintf(p->buf + p->len, left, "s%d", (int)id);

  if (length > 0)
    p->len += (size_t)length < left ? (size_t)length : left;
}

/* ---------------------------------------------------------------- todo ---- */

static brink_status later(printer *p, const char *text, brink__node n, int least)
{
  if (p->fixed) {
    p->todo[p->n_todo++ % p->todo_cap] = (item){text, n, least};
    return BRINK_OK;
  }
  BRINK_TRY(brink__grow(p->g->ctx, (void **)&p->todo, &p->todo_cap, p->n_todo + 1,
                        sizeof *p->todo));
  p->todo[p->n_todo++] = (item){text, n, least};
  return BRINK_OK;
}

/* what is said last is put on the stack first */
static brink_status infix(printer *p, brink__node n, const char *between, int left,
                          int right)
{
  BRINK_TRY(later(p, NULL, expr_arg(p->g, n, 1), right));
  BRINK_TRY(later(p, between, BRINK__NONE, 0));
  return later(p, NULL, expr_arg(p->g, n, 0), left);
}

static brink_status prefix(printer *p, brink__node n, const char *sign, int least)
{
  put(p, sign);
  return later(p, NULL, expr_arg(p->g, n, 0), least);
}

static brink_status call(printer *p, brink__node n)
{
  put(p, brink__op_text(expr_op(p->g, n)));
  put(p, "(");
  BRINK_TRY(later(p, ")", BRINK__NONE, 0));
  for (int i = expr_arity(p->g, n) - 1; i >= 0; i--) {
    BRINK_TRY(later(p, NULL, expr_arg(p->g, n, i), EXPRESSION));
    if (i)
      BRINK_TRY(later(p, ", ", BRINK__NONE, 0));
  }
  return BRINK_OK;
}

static brink_status branches(printer *p, brink__node n, int after_else)
{
  put(p, after_else ? "elseif " : "if ");
  BRINK_TRY(later(p, NULL, expr_arg(p->g, n, 2), ELSE));
  BRINK_TRY(later(p, NULL, expr_arg(p->g, n, 1), EXPRESSION));
  BRINK_TRY(later(p, " then ", BRINK__NONE, 0));
  return later(p, NULL, expr_arg(p->g, n, 0), EXPRESSION);
}

/* ----------------------------------------------------------- operators ---- */

static brink__node unwrap(const brink__graph *g, brink__node n)
{
  while (expr_op(g, n) == BRINK_OP_REAL)
    n = expr_arg(g, n, 0);
  return n;
}

static int level(const brink__graph *g, brink__node n)
{
  static const unsigned char of[BRINK__N_OPS] = {
      [BRINK_OP_SELECT] = EXPRESSION, [BRINK_OP_OR] = DISJUNCTION,
      [BRINK_OP_AND] = CONJUNCTION,   [BRINK_OP_NOT] = NEGATION,
      [BRINK_OP_LT] = RELATION,       [BRINK_OP_LE] = RELATION,
      [BRINK_OP_GT] = RELATION,       [BRINK_OP_GE] = RELATION,
      [BRINK_OP_EQ] = RELATION,       [BRINK_OP_NE] = RELATION,
      [BRINK_OP_ADD] = SUM,           [BRINK_OP_SUB] = SUM,
      [BRINK_OP_NEG] = SUM,           [BRINK_OP_MUL] = TERM,
      [BRINK_OP_DIV] = TERM,          [BRINK_OP_POW] = FACTOR,
      [BRINK_OP_POWI] = FACTOR};
  brink__op op = expr_op(g, n);

  if (op == BRINK_OP_CONST)
    return brink__node_value(g, n) < 0 ? SUM : PRIMARY;
  return op == BRINK_OP_SELECT || of[op] ? of[op] : PRIMARY;
}

static brink_status write_node(printer *p, brink__node n, int after_else)
{
  switch (expr_op(p->g, n)) {
  case BRINK_OP_CONST: put_constant(p, n); return BRINK_OK;
  case BRINK_OP_SYMBOL: put_symbol(p, n); return BRINK_OK;
  case BRINK_OP_ADD: return infix(p, n, " + ", SUM, TERM);
  case BRINK_OP_SUB: return infix(p, n, " - ", SUM, TERM);
  case BRINK_OP_MUL: return infix(p, n, "*", TERM, FACTOR);
  case BRINK_OP_DIV: return infix(p, n, "/", TERM, FACTOR);
  case BRINK_OP_POW:
  case BRINK_OP_POWI: return infix(p, n, "^", PRIMARY, PRIMARY);
  case BRINK_OP_NEG: return prefix(p, n, "-", TERM);
  case BRINK_OP_NOT: return prefix(p, n, "not ", RELATION);
  case BRINK_OP_AND: return infix(p, n, " and ", CONJUNCTION, NEGATION);
  case BRINK_OP_OR: return infix(p, n, " or ", DISJUNCTION, CONJUNCTION);
  case BRINK_OP_LT: return infix(p, n, " < ", SUM, SUM);
  case BRINK_OP_LE: return infix(p, n, " <= ", SUM, SUM);
  case BRINK_OP_GT: return infix(p, n, " > ", SUM, SUM);
  case BRINK_OP_GE: return infix(p, n, " >= ", SUM, SUM);
  case BRINK_OP_EQ: return infix(p, n, " == ", SUM, SUM);
  case BRINK_OP_NE: return infix(p, n, " <> ", SUM, SUM);
  case BRINK_OP_SELECT: return branches(p, n, after_else);
  case BRINK_OP_REAL: return later(p, NULL, expr_arg(p->g, n, 0), EXPRESSION);
  case BRINK_OP_ABS:
  case BRINK_OP_SIGN:
  case BRINK_OP_SQRT:
  case BRINK_OP_SIN:
  case BRINK_OP_COS:
  case BRINK_OP_TAN:
  case BRINK_OP_ASIN:
  case BRINK_OP_ACOS:
  case BRINK_OP_ATAN:
  case BRINK_OP_ATAN2:
  case BRINK_OP_SINH:
  case BRINK_OP_COSH:
  case BRINK_OP_TANH:
  case BRINK_OP_EXP:
  case BRINK_OP_LOG:
  case BRINK_OP_LOG10:
  case BRINK_OP_MIN:
  case BRINK_OP_MAX:
  case BRINK_OP_QUOT:
  case BRINK_OP_MOD:
  case BRINK_OP_REM:
  case BRINK_OP_CEIL:
  case BRINK_OP_FLOOR:
  case BRINK_OP_INTEGER:
  case BRINK_OP_ORDINAL: return call(p, n);
  }
  return BRINK_OK;
}

static brink_status write_item(printer *p, item it)
{
  if (it.text) {
    put(p, it.text);
    return BRINK_OK;
  }
  brink__node n = unwrap(p->g, it.node);
  if (it.least == ELSE) {
    int chain = expr_op(p->g, n) == BRINK_OP_SELECT;
    put(p, chain ? " " : " else ");
    return write_node(p, n, chain);
  }
  if (level(p->g, n) >= it.least)
    return write_node(p, n, 0);
  put(p, "(");
  BRINK_TRY(later(p, ")", BRINK__NONE, 0));
  return write_node(p, n, 0);
}

/* ---------------------------------------------------------------- face ---- */

static brink_status finish(printer *p)
{
  static const char cut[] = "...";

  if (p->len < p->cap) {
    p->buf[p->len] = 0;
    return BRINK_OK;
  }
  p->buf[p->cap - 1] = 0;
  size_t n = p->cap > sizeof cut ? sizeof cut : p->cap;
  memcpy(p->buf + p->cap - n, cut + sizeof cut - n, n);
  return BRINK_LIMIT;
}

/* Every item writes at least one character, so a ring as long as the buffer forgets
 * only what would not fit. */
brink_status brink__print_short(const brink__graph *g, brink__node n,
                                brink__name_fn *name, void *user, char *buf, size_t cap)
{
  enum { RING = 128 };
  item ring[RING];
  printer p = {.g = g,
               .name = name,
               .user = user,
               .buf = buf,
               .cap = cap < RING ? cap : RING,
               .todo = ring,
               .todo_cap = RING,
               .fixed = 1,
               .plain = 1};
  size_t low = 0; /* items below have been overwritten */

  if (!n || !cap)
    return BRINK_EARG;
  brink_status rc = later(&p, NULL, n, EXPRESSION);
  while (rc == BRINK_OK && p.n_todo > low && p.len < p.cap) {
    item it = ring[--p.n_todo % RING];
    rc = write_item(&p, it);
    if (p.n_todo > low + RING)
      low = p.n_todo - RING;
  }
  if (low && p.len < p.cap)
    put(&p, "...");
  return finish(&p);
}

brink_status brink__print(brink__graph *g, brink__node n, brink__name_fn *name,
                          void *user, char *buf, size_t cap)
{
  printer p = {.g = g, .name = name, .user = user, .buf = buf, .cap = cap};

  if (!n || !cap)
    return brink__fail(&g->ctx->err, BRINK_EARG, "nothing to print, or nowhere");
  brink_status rc = later(&p, NULL, n, EXPRESSION);
  while (rc == BRINK_OK && p.n_todo && p.len < cap)
    rc = write_item(&p, p.todo[--p.n_todo]);
  brink__free(g->ctx, p.todo, p.todo_cap * sizeof *p.todo);
  brink_status cut = finish(&p);
  return rc < 0 ? rc : cut;
}
