/* diff.c -- symbolic differentiation.
 *
 * Forward, one pass over the nodes below a root, operands first, each node once;
 * hash-consing keeps the result about as large as the original.  Derivatives use
 * the node itself where calculus allows (exp' = exp, sqrt' = 1/(2 sqrt)), which
 * the tape then computes once.  A derivative that is the constant 0 drops out of
 * sums and products here, which operators.c must not do: the derivative of what does
 * not depend on x is 0 wherever the original exists.
 *
 * Kinks and jumps: abs' = sign, min and max follow the smaller or larger operand,
 * sign, floor, ceil, integer, div and relations have derivative 0.
 */
#include "expr/inner.h"

enum { OPEN = -1 };

static int is_zero(const brink__graph *g, brink__node n)
{
  return brink__node_is(g, n, 0);
}

static brink__node zero(brink__graph *g) { return brink__integer(g, 0); }
static brink__node one(brink__graph *g) { return brink__integer(g, 1); }

static brink__node neg(brink__graph *g, brink__node a)
{
  return brink__op1(g, BRINK_OP_NEG, a);
}

/* product with a derivative, which may be an exact 0 */
static brink__node times(brink__graph *g, brink__node a, brink__node d)
{
  return is_zero(g, d) ? d : brink__mul(g, a, d);
}

static brink__node over(brink__graph *g, brink__node d, brink__node b)
{
  return is_zero(g, d) ? d : brink__div(g, d, b);
}

static brink__node square(brink__graph *g, brink__node a)
{
  return brink__mul(g, a, a);
}

/* --------------------------------------------------------------- rules ---- */

/* a^b: b a^(b-1) a' where b is constant, else a^b (b' log a + b a'/a) */
static brink__node d_pow(brink__graph *g, brink__node n, brink__node a, brink__node b,
                         brink__node da, brink__node db)
{
  if (is_zero(g, b)) /* a^0, also where a is 0 */
    return b;
  if (is_zero(g, db)) {
    brink__node lower = brink__op2(g, BRINK_OP_POW, a, brink__sub(g, b, one(g)));
    return times(g, brink__mul(g, b, lower), da);
  }
  brink__node from_b = times(g, brink__op1(g, BRINK_OP_LOG, a), db);
  brink__node from_a = over(g, times(g, b, da), a);
  return brink__mul(g, n, brink__add(g, from_b, from_a));
}

/* n = a/b: (a' - n b')/b */
static brink__node d_div(brink__graph *g, brink__node n, brink__node b, brink__node da,
                         brink__node db)
{
  return over(g, brink__sub(g, da, times(g, n, db)), b);
}

/* atan2(y, x): (x y' - y x')/(x^2 + y^2) */
static brink__node d_atan2(brink__graph *g, brink__node y, brink__node x,
                           brink__node dy, brink__node dx)
{
  brink__node r2 = brink__add(g, square(g, x), square(g, y));
  return over(g, brink__sub(g, times(g, x, dy), times(g, y, dx)), r2);
}

/* q b', where a = q b + rest and q is constant between jumps */
static brink__node d_rest(brink__graph *g, brink__node q, brink__node da,
                          brink__node db)
{
  return brink__sub(g, da, times(g, q, db));
}

/* sqrt(1 - a^2) */
static brink__node chord(brink__graph *g, brink__node a)
{
  return brink__op1(g, BRINK_OP_SQRT, brink__sub(g, one(g), square(g, a)));
}

/* derivative of n from those of its operands, not all of which are 0 */
static brink__node rule(brink__graph *g, brink__node n, const brink__node *d)
{
  brink__node a = expr_arg(g, n, 0), b = expr_arg(g, n, 1), da = d[0], db = d[1];

  /* clang-format off */
  switch (expr_op(g, n)) {
  case BRINK_OP_ADD:   return brink__add(g, da, db);
  case BRINK_OP_SUB:   return brink__sub(g, da, db);
  case BRINK_OP_MUL:   return brink__add(g, times(g, b, da), times(g, a, db));
  case BRINK_OP_DIV:   return d_div(g, n, b, da, db);
  case BRINK_OP_POW:
  case BRINK_OP_POWI:  return d_pow(g, n, a, b, da, db);
  case BRINK_OP_NEG:   return neg(g, da);
  case BRINK_OP_SELECT:return brink__select(g, a, db, d[2]);
  case BRINK_OP_ABS:   return times(g, brink__op1(g, BRINK_OP_SIGN, a), da);
  case BRINK_OP_SQRT:  return over(g, da, brink__mul(g, brink__integer(g, 2), n));
  case BRINK_OP_SIN:   return times(g, brink__op1(g, BRINK_OP_COS, a), da);
  case BRINK_OP_COS:   return neg(g, times(g, brink__op1(g, BRINK_OP_SIN, a), da));
  case BRINK_OP_TAN:   return times(g, brink__add(g, one(g), square(g, n)), da);
  case BRINK_OP_ASIN:  return over(g, da, chord(g, a));
  case BRINK_OP_ACOS:  return neg(g, over(g, da, chord(g, a)));
  case BRINK_OP_ATAN:  return over(g, da, brink__add(g, one(g), square(g, a)));
  case BRINK_OP_ATAN2: return d_atan2(g, a, b, da, db);
  case BRINK_OP_SINH:  return times(g, brink__op1(g, BRINK_OP_COSH, a), da);
  case BRINK_OP_COSH:  return times(g, brink__op1(g, BRINK_OP_SINH, a), da);
  case BRINK_OP_TANH:  return times(g, brink__sub(g, one(g), square(g, n)), da);
  case BRINK_OP_EXP:   return times(g, n, da);
  case BRINK_OP_LOG:   return over(g, da, a);
  case BRINK_OP_LOG10: return over(g, da, brink__mul(g, brink__op1(g, BRINK_OP_LOG,
                                                     brink__integer(g, 10)), a));
  case BRINK_OP_MIN:   return brink__select(g, brink__op2(g, BRINK_OP_LT, a, b), da, db);
  case BRINK_OP_MAX:   return brink__select(g, brink__op2(g, BRINK_OP_GT, a, b), da, db);
  case BRINK_OP_MOD:   return d_rest(g, brink__op1(g, BRINK_OP_FLOOR, brink__div(g, a, b)),
                                     da, db);
  case BRINK_OP_REM:   return d_rest(g, brink__op2(g, BRINK_OP_QUOT, a, b), da, db);
  case BRINK_OP_REAL:  return da;
  case BRINK_OP_NOT: case BRINK_OP_AND: case BRINK_OP_OR:
  case BRINK_OP_LT: case BRINK_OP_LE: case BRINK_OP_GT: case BRINK_OP_GE:
  case BRINK_OP_EQ: case BRINK_OP_NE:
  case BRINK_OP_SIGN: case BRINK_OP_QUOT: case BRINK_OP_CEIL: case BRINK_OP_FLOOR:
  case BRINK_OP_INTEGER: case BRINK_OP_ORDINAL:
  case BRINK_OP_CONST: case BRINK_OP_SYMBOL:
    return zero(g);
  }
  /* clang-format on */
  return BRINK__NONE;
}

/* Is the derivative 0 whatever the operands are? */
static int is_flat(brink__op op)
{
  static const unsigned char flat[BRINK__N_OPS] = {
      [BRINK_OP_CONST] = 1,  [BRINK_OP_NOT] = 1,   [BRINK_OP_AND] = 1,
      [BRINK_OP_OR] = 1,     [BRINK_OP_LT] = 1,    [BRINK_OP_LE] = 1,
      [BRINK_OP_GT] = 1,     [BRINK_OP_GE] = 1,    [BRINK_OP_EQ] = 1,
      [BRINK_OP_NE] = 1,     [BRINK_OP_SIGN] = 1,  [BRINK_OP_QUOT] = 1,
      [BRINK_OP_CEIL] = 1,   [BRINK_OP_FLOOR] = 1, [BRINK_OP_INTEGER] = 1,
      [BRINK_OP_ORDINAL] = 1};
  return flat[op];
}

brink__node brink__partial(brink__graph *g, brink__node n, int i)
{
  brink__node d[3] = {zero(g), zero(g), zero(g)};

  if (is_flat(expr_op(g, n)))
    return d[i];
  d[i] = one(g);
  return rule(g, n, d);
}

/* ---------------------------------------------------------------- walk ---- */

/* direction: one symbol (dot == NULL), or a derivative for each symbol */
typedef struct direction {
  int32_t symbol;
  size_t n_dot;
  const brink__node *dot;
} direction;

static brink__node leaf(brink__graph *g, const direction *to, brink__node n)
{
  int32_t id = brink__node_symbol(g, n);

  if (!to->dot)
    return id == to->symbol ? one(g) : zero(g);
  if ((size_t)id < to->n_dot && to->dot[id])
    return to->dot[id];
  return zero(g);
}

/* The condition of an `if` is not differentiated. */
static int first_operand(const brink__graph *g, brink__node n)
{
  return expr_op(g, n) == BRINK_OP_SELECT;
}

/* The derivative of n, whose operands' derivatives are known. */
static brink__node derivative(brink__graph *g, const direction *to, brink__node n)
{
  if (expr_op(g, n) == BRINK_OP_SYMBOL)
    return leaf(g, to, n);
  if (is_flat(expr_op(g, n)))
    return zero(g);
  brink__node d[3] = {0, 0, 0};
  int any = 0;
  for (int i = first_operand(g, n); i < expr_arity(g, n); i++) {
    d[i] = expr_memo_get(&g->diff, expr_arg(g, n, i));
    any |= !is_zero(g, d[i]);
  }
  return any ? rule(g, n, d) : zero(g);
}

static brink_status open_node(brink__graph *g, brink__node n)
{
  BRINK_TRY(brink__memo_put(g, &g->diff, n, OPEN));
  if (is_flat(expr_op(g, n)))
    return BRINK_OK;
  for (int i = expr_arity(g, n) - 1; i >= first_operand(g, n); i--)
    if (!expr_memo_has(&g->diff, expr_arg(g, n, i)))
      BRINK_TRY(brink__push(g, expr_arg(g, n, i)));
  return BRINK_OK;
}

static brink_status walk(brink__graph *g, const direction *to, brink__node root)
{
  g->n_stack = 0;
  BRINK_TRY(brink__push(g, root));
  while (g->n_stack) {
    brink__node n = expr_top(g);
    if (!expr_memo_has(&g->diff, n)) {
      BRINK_TRY(open_node(g, n));
      continue;
    }
    if (expr_memo_get(&g->diff, n) == OPEN) {
      brink__node d = derivative(g, to, n);
      if (!d)
        return BRINK_ENOMEM;
      BRINK_TRY(brink__memo_put(g, &g->diff, n, d));
    }
    g->n_stack--;
  }
  return BRINK_OK;
}

static brink__node derive(brink__graph *g, const direction *to, brink__node root)
{
  if (!root)
    return BRINK__NONE;
  if (walk(g, to, root) < 0) {
    g->diff_symbol = -1; /* half-done: forget it */
    return BRINK__NONE;
  }
  return expr_memo_get(&g->diff, root);
}

/* ---------------------------------------------------------------- face ---- */

brink__node brink__diff(brink__graph *g, brink__node n, int32_t symbol)
{
  direction to = {.symbol = symbol};

  if (symbol < 0)
    return zero(g);
  if (g->diff_symbol != symbol) {
    brink__memo_start(&g->diff);
    g->diff_symbol = symbol;
  }
  return derive(g, &to, n);
}

brink_status brink__diff_along(brink__graph *g, size_t n_dot, const brink__node *dot,
                               size_t n_roots, const brink__node *roots,
                               brink__node *out)
{
  static const brink__node nothing = BRINK__NONE;
  direction to = {.symbol = -1, .n_dot = n_dot, .dot = dot ? dot : &nothing};

  brink__memo_start(&g->diff);
  g->diff_symbol = -1;
  for (size_t i = 0; i < n_roots; i++) {
    if (!roots[i])
      return brink__fail(&g->ctx->err, BRINK_EARG, "root %zu is no expression", i);
    out[i] = derive(g, &to, roots[i]);
    if (!out[i])
      return BRINK_ENOMEM;
  }
  return BRINK_OK;
}
