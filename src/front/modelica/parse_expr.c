/* parse_expr.c -- expressions.
 *
 * One function per level of [Modelica36, A.2.7], but chains of one level are loops
 * and end up in one flat node, so that a sum of 100,000 terms costs no depth.
 * `else if` is read as `elseif`, which means the same, for the same reason.
 */
#include "front/modelica/parser.h"

static mo_expr *node(mo_parser *p, mo_expr_kind kind, mo_at at)
{
  mo_expr *e = brink__mo_new(p, sizeof *e);

  e->kind = kind;
  e->at = at;
  return e;
}

static void push(mo_parser *p, mo_expr *e) { brink__mo_push(p, &e, sizeof e); }

static mo_list taken(mo_parser *p, size_t mark)
{
  mo_list list;

  list.v = brink__mo_take(p, mark, sizeof(mo_expr *), &list.n);
  return list;
}

static mo_expr *nest(mo_parser *p, mo_expr_kind kind, mo_op op, mo_at at, mo_expr *a,
                     mo_expr *b)
{
  mo_expr *e = node(p, kind, at);
  size_t mark = p->n_list;

  e->op = op;
  push(p, a);
  if (b)
    push(p, b);
  e->args = taken(p, mark);
  return e;
}

/* -------------------------------------------------- names, subscripts ---- */

static mo_expr *subscript(mo_parser *p)
{
  mo_token_kind next = mo_at_token(p, MO_T_COLON) ? brink__mo_peek(p) : MO_T_NONE;

  if (next == MO_T_COMMA || next == MO_T_RBRACK) {
    mo_expr *e = node(p, MO_ALL, p->tok.at);
    brink__mo_advance(p);
    return e;
  }
  return brink__mo_expression(p);
}

mo_list brink__mo_subscripts(mo_parser *p)
{
  mo_at at = p->tok.at;
  size_t mark = p->n_list;

  if (!brink__mo_accept(p, MO_T_LBRACK))
    return (mo_list){0};
  p->subs++;
  do
    push(p, subscript(p));
  while (brink__mo_accept(p, MO_T_COMMA));
  p->subs--;
  brink__mo_close(p, MO_T_RBRACK, MO_T_LBRACK, at);
  return taken(p, mark);
}

/* x alone shares the part that its name carries */
static mo_ref dotted(mo_parser *p)
{
  mo_ref ref = {.global = brink__mo_accept(p, MO_T_DOT)};
  size_t mark = p->n_list;
  mo_name *name = brink__mo_ident(p, "a name");

  if (name && !mo_at_token(p, MO_T_DOT) && !mo_at_token(p, MO_T_LBRACK)) {
    ref.parts = &name->plain;
    ref.n = 1;
    return ref;
  }
  mo_part part = {name, brink__mo_subscripts(p)};
  brink__mo_push(p, &part, sizeof part);
  while (brink__mo_accept(p, MO_T_DOT)) {
    part.name = brink__mo_ident(p, "a name");
    part.subs = brink__mo_subscripts(p);
    brink__mo_push(p, &part, sizeof part);
  }
  ref.parts = brink__mo_take(p, mark, sizeof part, &ref.n);
  return ref;
}

static mo_expr *refer(mo_parser *p, mo_at at, mo_ref ref)
{
  mo_expr *e = node(p, MO_REF, at);

  e->ref = ref;
  return e;
}

mo_expr *brink__mo_reference(mo_parser *p)
{
  mo_at at = p->tok.at;

  return refer(p, at, dotted(p));
}

/* --------------------------------------------------- calls, iterators ---- */

mo_iter *brink__mo_iterators(mo_parser *p, int *n)
{
  size_t mark = p->n_list;

  do {
    mo_iter it = {.at = p->tok.at};
    it.name = brink__mo_ident(p, "a loop variable");
    if (brink__mo_accept(p, MO_T_IN))
      it.range = brink__mo_expression(p);
    else if (mo_at_token(p, MO_T_EQUAL))
      brink__mo_fail(p, p->tok.at, "'in' expected near '=': for i in 1:n");
    brink__mo_push(p, &it, sizeof it);
  } while (brink__mo_accept(p, MO_T_COMMA));
  return brink__mo_take(p, mark, sizeof(mo_iter), n);
}

/* body for i in r, ...: the `for` is in hand */
static mo_expr *comprehension(mo_parser *p, mo_expr *body)
{
  mo_expr *e = node(p, MO_FOR, body->at);

  brink__mo_advance(p);
  e->loop = brink__mo_new(p, sizeof *e->loop);
  mo_for *loop = e->loop;
  loop->body = body;
  loop->iters = brink__mo_iterators(p, &loop->n);
  return e;
}

static mo_expr *call(mo_parser *p, mo_expr_kind kind, mo_at at, mo_ref fn);

/* function f(a = 1) as an argument */
static mo_expr *partial(mo_parser *p)
{
  mo_at at = p->tok.at;

  brink__mo_advance(p);
  mo_ref fn = dotted(p);
  if (!mo_at_token(p, MO_T_LPAREN))
    brink__mo_expect(p, MO_T_LPAREN);
  return call(p, MO_PARTIAL, at, fn);
}

/* one argument; returns whether it was a named one */
static int argument(mo_parser *p, int named, int first)
{
  mo_arg arg = {.at = p->tok.at};

  if (mo_at_token(p, MO_T_NAME) && brink__mo_peek(p) == MO_T_EQUAL) {
    arg.name = p->tok.name;
    brink__mo_advance(p);
    brink__mo_advance(p);
  } else if (named)
    brink__mo_fail(p, p->tok.at,
                   "a named argument expected: after the first 'name = value' all "
                   "arguments need a name");
  arg.value = mo_at_token(p, MO_T_FUNCTION) ? partial(p) : brink__mo_expression(p);
  if (first && !arg.name && mo_at_token(p, MO_T_FOR))
    arg.value = comprehension(p, arg.value);
  brink__mo_push(p, &arg, sizeof arg);
  return arg.name != NULL;
}

/* fn(...): the parenthesis is in hand */
static mo_expr *call(mo_parser *p, mo_expr_kind kind, mo_at from, mo_ref fn)
{
  mo_expr *e = node(p, kind, from);
  mo_call *c = brink__mo_new(p, sizeof *c);
  mo_at at = p->tok.at;
  size_t mark = p->n_list;
  int named = 0;

  e->call = c;
  c->fn = fn;
  brink__mo_accept(p, MO_T_LPAREN);
  if (!mo_at_token(p, MO_T_RPAREN)) {
    int first = 1;
    do {
      named = argument(p, named, first);
      first = 0;
    } while (brink__mo_accept(p, MO_T_COMMA));
  }
  brink__mo_close(p, MO_T_RPAREN, MO_T_LPAREN, at);
  c->args = brink__mo_take(p, mark, sizeof(mo_arg), &c->n);
  return e;
}

/* der(...), initial(...), pure(...): keywords that are called */
static mo_expr *keyword_call(mo_parser *p)
{
  mo_at at = p->tok.at;
  mo_ref fn = {&p->tok.name->plain, 1, 0};

  brink__mo_advance(p);
  if (mo_at_token(p, MO_T_LPAREN))
    return call(p, MO_CALL, at, fn);
  brink__mo_expect(p, MO_T_LPAREN);
  return refer(p, at, fn);
}

/* ------------------------------------------------------------ brackets ---- */

mo_list brink__mo_expressions(mo_parser *p)
{
  size_t mark = p->n_list;

  do
    push(p, brink__mo_expression(p));
  while (brink__mo_accept(p, MO_T_COMMA));
  return taken(p, mark);
}

/* {a, b} or {f(i) for i in r} */
static mo_expr *array(mo_parser *p)
{
  mo_expr *e = node(p, MO_ARRAY, p->tok.at);
  size_t mark = p->n_list;

  brink__mo_advance(p);
  if (mo_at_token(p, MO_T_RBRACE)) {
    brink__mo_fail(p, p->tok.at,
                   "an array {...} needs at least one element; an empty "
                   "one is written zeros(0) or fill(x, 0)");
    return e;
  }
  mo_expr *first = brink__mo_expression(p);
  if (mo_at_token(p, MO_T_FOR))
    first = comprehension(p, first);
  push(p, first);
  while (first->kind != MO_FOR && brink__mo_accept(p, MO_T_COMMA))
    push(p, brink__mo_expression(p));
  brink__mo_close(p, MO_T_RBRACE, MO_T_LBRACE, e->at);
  e->args = taken(p, mark);
  return e;
}

/* [a, b; c, d] */
static mo_expr *matrix(mo_parser *p)
{
  mo_expr *e = node(p, MO_MATRIX, p->tok.at);
  size_t mark = p->n_list;

  brink__mo_advance(p);
  do {
    mo_expr *row = node(p, MO_ROW, p->tok.at);
    row->args = brink__mo_expressions(p);
    push(p, row);
  } while (brink__mo_accept(p, MO_T_SEMI));
  brink__mo_close(p, MO_T_RBRACK, MO_T_LBRACK, e->at);
  e->args = taken(p, mark);
  return e;
}

mo_expr *brink__mo_outputs(mo_parser *p)
{
  mo_expr *e = node(p, MO_TUPLE, p->tok.at);
  size_t mark = p->n_list;

  brink__mo_expect(p, MO_T_LPAREN);
  do {
    if (mo_at_token(p, MO_T_COMMA) || mo_at_token(p, MO_T_RPAREN))
      push(p, NULL);
    else
      push(p, brink__mo_expression(p));
  } while (brink__mo_accept(p, MO_T_COMMA));
  brink__mo_close(p, MO_T_RPAREN, MO_T_LPAREN, e->at);
  e->args = taken(p, mark);
  return e;
}

/* (e), (a, , b) or (e)[i] */
static mo_expr *parenthesis(mo_parser *p)
{
  mo_expr *e = brink__mo_outputs(p);

  if (e->args.n == 1 && e->args.v[0]) {
    mo_expr *inner = e->args.v[0];
    if (!mo_at_token(p, MO_T_LBRACK))
      return inner;
    size_t mark = p->n_list;
    push(p, inner);
    mo_list subs = brink__mo_subscripts(p);
    for (int i = 0; i < subs.n; i++)
      push(p, subs.v[i]);
    e->kind = MO_INDEX;
    e->args = taken(p, mark);
  } else if (e->args.n == 1)
    brink__mo_fail(p, e->at, "an expression expected between '(' and ')'");
  return e;
}

/* ---------------------------------------------------------- primaries ---- */

static mo_expr *literal(mo_parser *p)
{
  mo_expr *e = node(p, MO_INTEGER, p->tok.at);
  const mo_token t = p->tok;

  if (t.kind == MO_T_INTEGER)
    e->integer = t.integer;
  else if (t.kind == MO_T_REAL) {
    e->kind = MO_REAL;
    e->real = t.real;
  } else if (t.kind == MO_T_STRING) {
    e->kind = MO_STRING;
    e->string = t.string;
  } else {
    e->kind = MO_BOOLEAN;
    e->boolean = t.kind == MO_T_TRUE;
  }
  brink__mo_advance(p);
  return e;
}

/* nothing that could start an expression: say why where it is known */
static mo_expr *no_expression(mo_parser *p)
{
  mo_expr *e = node(p, MO_INTEGER, p->tok.at);
  char near[MO_NEAR];

  brink__mo_near(p, near);
  if (mo_at_token(p, MO_T_MINUS) || mo_at_token(p, MO_T_PLUS))
    brink__mo_fail(p, p->tok.at,
                   "a sign behind an operator needs parentheses: write (%s x)",
                   brink__mo_token_text(p->tok.kind));
  else if (mo_at_token(p, MO_T_NOT))
    brink__mo_fail(p, p->tok.at, "'not' behind an operator needs parentheses: (not x)");
  else if (mo_at_token(p, MO_T_IF))
    brink__mo_fail(p, p->tok.at,
                   "'if' inside an expression needs parentheses: "
                   "(if c then a else b)");
  else
    brink__mo_fail(p, p->tok.at, "an expression expected near %s", near);
  return e;
}

static mo_expr *name_or_call(mo_parser *p)
{
  mo_at at = p->tok.at;
  mo_ref ref = dotted(p);

  return mo_at_token(p, MO_T_LPAREN) ? call(p, MO_CALL, at, ref) : refer(p, at, ref);
}

mo_expr *brink__mo_primary(mo_parser *p)
{
  mo_expr *e;

  switch ((int)p->tok.kind) {
  case MO_T_INTEGER:
  case MO_T_REAL:
  case MO_T_STRING:
  case MO_T_TRUE:
  case MO_T_FALSE: return literal(p);
  case MO_T_NAME:
  case MO_T_DOT: return name_or_call(p);
  case MO_T_DER:
  case MO_T_INITIAL:
  case MO_T_PURE: return keyword_call(p);
  case MO_T_LPAREN: return parenthesis(p);
  case MO_T_LBRACK: return matrix(p);
  case MO_T_LBRACE: return array(p);
  case MO_T_END:
    if (p->subs == 0)
      return no_expression(p);
    e = node(p, MO_END, p->tok.at);
    brink__mo_advance(p);
    return e;
  default: return no_expression(p);
  }
}

/* ------------------------------------------------------------- levels ---- */

static mo_op operator_of(mo_token_kind kind)
{
  switch ((int)kind) {
  case MO_T_PLUS: return MO_OP_ADD;
  case MO_T_MINUS: return MO_OP_SUB;
  case MO_T_DOT_PLUS: return MO_OP_DOT_ADD;
  case MO_T_DOT_MINUS: return MO_OP_DOT_SUB;
  case MO_T_TIMES: return MO_OP_MUL;
  case MO_T_DIVIDE: return MO_OP_DIV;
  case MO_T_DOT_TIMES: return MO_OP_DOT_MUL;
  case MO_T_DOT_DIVIDE: return MO_OP_DOT_DIV;
  case MO_T_POWER: return MO_OP_POW;
  case MO_T_DOT_POWER: return MO_OP_DOT_POW;
  case MO_T_LT: return MO_OP_LT;
  case MO_T_LE: return MO_OP_LE;
  case MO_T_GT: return MO_OP_GT;
  case MO_T_GE: return MO_OP_GE;
  case MO_T_EQ: return MO_OP_EQ;
  case MO_T_NE: return MO_OP_NE;
  case MO_T_AND: return MO_OP_AND;
  case MO_T_OR: return MO_OP_OR;
  default: return MO_OP_NONE;
  }
}

/* the kind of chain or pair that an operator makes; MO_ALL: none.  ORDER ops */
static mo_expr_kind level_of(mo_op op)
{
  return op == MO_OP_NONE      ? MO_ALL
         : op <= MO_OP_DOT_SUB ? MO_SUM
         : op <= MO_OP_DOT_DIV ? MO_PRODUCT
         : op <= MO_OP_DOT_POW ? MO_POWER
         : op <= MO_OP_NE      ? MO_RELATION
         : op == MO_OP_AND     ? MO_AND
         : op == MO_OP_OR      ? MO_OR
                               : MO_ALL;
}

static mo_expr *power(mo_parser *p)
{
  mo_expr *base = brink__mo_primary(p);
  mo_op op = operator_of(p->tok.kind);

  if (level_of(op) != MO_POWER)
    return base;
  brink__mo_advance(p);
  mo_expr *exponent = brink__mo_primary(p);
  if (level_of(operator_of(p->tok.kind)) == MO_POWER)
    brink__mo_fail(p, p->tok.at, "'^' does not chain; write (a^b)^c or a^(b^c)");
  return nest(p, MO_POWER, op, base->at, base, exponent);
}

/* operand { op operand } at one level, as one flat node */
static mo_expr *chain(mo_parser *p, mo_expr_kind kind, mo_expr *first,
                      mo_expr *(*operand)(mo_parser *))
{
  mo_op op = operator_of(p->tok.kind);

  if (level_of(op) != kind)
    return first;
  size_t mark = p->n_list;
  mo_term term = {MO_OP_NONE, first};
  mo_expr *e = node(p, kind, first->at);
  brink__mo_push(p, &term, sizeof term);
  for (; level_of(op) == kind; op = operator_of(p->tok.kind)) {
    brink__mo_advance(p);
    term = (mo_term){op, operand(p)};
    brink__mo_push(p, &term, sizeof term);
  }
  e->chain.v = brink__mo_take(p, mark, sizeof term, &e->chain.n);
  return e;
}

static mo_expr *product(mo_parser *p) { return chain(p, MO_PRODUCT, power(p), power); }

static mo_expr *sum(mo_parser *p)
{
  mo_at at = p->tok.at;
  mo_op sign = operator_of(p->tok.kind);

  if (level_of(sign) != MO_SUM)
    return chain(p, MO_SUM, product(p), product);
  brink__mo_advance(p);
  return chain(p, MO_SUM, nest(p, MO_UNARY, sign, at, product(p), NULL), product);
}

static mo_expr *relation(mo_parser *p)
{
  mo_expr *left = sum(p);
  mo_op op = operator_of(p->tok.kind);

  if (level_of(op) != MO_RELATION)
    return left;
  brink__mo_advance(p);
  mo_expr *right = sum(p);
  if (level_of(operator_of(p->tok.kind)) == MO_RELATION)
    brink__mo_fail(p, p->tok.at, "relations do not chain; write a < b and b < c");
  return nest(p, MO_RELATION, op, left->at, left, right);
}

static mo_expr *negation(mo_parser *p)
{
  mo_at at = p->tok.at;

  if (!brink__mo_accept(p, MO_T_NOT))
    return relation(p);
  return nest(p, MO_UNARY, MO_OP_NOT, at, relation(p), NULL);
}

static mo_expr *conjunction(mo_parser *p)
{
  return chain(p, MO_AND, negation(p), negation);
}

static mo_expr *logical(mo_parser *p)
{
  return chain(p, MO_OR, conjunction(p), conjunction);
}

static mo_expr *range(mo_parser *p)
{
  mo_expr *first = logical(p);

  if (!mo_at_token(p, MO_T_COLON))
    return first;
  mo_expr *e = node(p, MO_RANGE, first->at);
  size_t mark = p->n_list;
  push(p, first);
  for (int i = 0; i < 2 && brink__mo_accept(p, MO_T_COLON); i++)
    push(p, logical(p));
  e->args = taken(p, mark);
  return e;
}

mo_expr *brink__mo_simple(mo_parser *p)
{
  mo_expr *e = brink__mo_enter(p) ? range(p) : node(p, MO_INTEGER, p->tok.at);

  brink__mo_leave(p);
  return e;
}

/* a single '=' where a condition stands is the slip everybody makes */
static void then(mo_parser *p)
{
  if (mo_at_token(p, MO_T_EQUAL))
    brink__mo_fail(p, p->tok.at, "'then' expected near '='; equality is written '=='");
  else
    brink__mo_expect(p, MO_T_THEN);
}

/* if c then a {elseif c then a} else b */
static mo_expr *conditional(mo_parser *p)
{
  mo_expr *e = node(p, MO_IF, p->tok.at);
  size_t mark = p->n_list;
  int more = 1;

  brink__mo_advance(p);
  while (more) {
    push(p, brink__mo_expression(p));
    then(p);
    push(p, brink__mo_expression(p));
    more = brink__mo_accept(p, MO_T_ELSEIF);
    if (!more && mo_at_token(p, MO_T_ELSE) && brink__mo_peek(p) == MO_T_IF) {
      brink__mo_advance(p);
      brink__mo_advance(p);
      more = 1;
    }
  }
  if (!mo_at_token(p, MO_T_ELSE))
    brink__mo_fail(p, p->tok.at,
                   "'else' expected: an if-expression needs a value for "
                   "every case");
  brink__mo_accept(p, MO_T_ELSE);
  push(p, brink__mo_expression(p));
  e->args = taken(p, mark);
  return e;
}

mo_expr *brink__mo_expression(mo_parser *p)
{
  mo_expr *e;

  if (!brink__mo_enter(p))
    e = node(p, MO_INTEGER, p->tok.at);
  else
    e = mo_at_token(p, MO_T_IF) ? conditional(p) : range(p);
  brink__mo_leave(p);
  return e;
}
