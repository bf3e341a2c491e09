/* operators.c -- applying operators: typing, folding, simplifying.
 *
 * A simplification must not change what any evaluator answers: not a bit of a
 * value (-0 and 0 are one value, below), and not the answer "not here".  So
 *   - operators on constants are folded when the result is finite (1/0 stays);
 *   - x + 0, 0 + x, x - 0, x*1, x/1, x^1, -(-x), not not x lose their ballast;
 *     x*(-1), x/(-1), 0 - x become -x; x + (-y) becomes x - y, x - (-y) x + y,
 *     -(x - y) y - x, (-x)*(-y) x*y, (-x)*y -(x*y): rounding is symmetric;
 *   - `if`, `and`, `or` with a constant first operand take what is left, and
 *     `if c then x else x` becomes x when c cannot fail (it is a symbol);
 *   - x*0, x - x, x/x, x^0, (x and false) stay: x may be "not here";
 *   - nothing is re-associated or distributed: that would change roundings.
 * -0: 1/(-0) and 1/0 are both "not here", atan2 (the one operator that would see
 * the sign of a zero) adds 0 to its arguments first, == holds.  So the sign of a
 * zero is never observed, and x + 0 -> x is exact.
 *
 * Derivatives come out of diff.c as sums and products of nodes; the rules above
 * keep them short.
 */
#include "expr/inner.h"

#include <math.h>

enum typing { LEAF, ARITH, REAL, SAME, LOGIC, RELATION, SELECT, WHOLE };

static enum typing typing_of(brink__op op)
{
  static const unsigned char rule[] = {
#define OP(name, text, arity, typing, companions) typing,
#include "expr/ops.def"
  };
  return (enum typing)rule[op];
}

/* --------------------------------------------------------------- types ---- */

static int is_number(brink__type t)
{
  return t == BRINK_TYPE_REAL || t == BRINK_TYPE_INTEGER;
}

/* The type that both can be; -1 if there is none. */
static int join(brink__type a, brink__type b)
{
  if (a == b)
    return (int)a;
  return is_number(a) && is_number(b) ? BRINK_TYPE_REAL : -1;
}

/* Type of the result, or -1. */
static int result_type(const brink__graph *g, brink__op op, brink__node a,
                       brink__node b, brink__node c)
{
  int arity = brink__op_arity(op);
  brink__type ta = brink__node_type(g, a);
  brink__type tb = arity > 1 ? brink__node_type(g, b) : ta;

  switch (typing_of(op)) {
  case LEAF: return -1;
  case ARITH:
    if ((op == BRINK_OP_MIN || op == BRINK_OP_MAX) && ta == tb)
      return (int)ta;
    return is_number(ta) && is_number(tb) ? join(ta, tb) : -1;
  case REAL: return is_number(ta) && is_number(tb) ? BRINK_TYPE_REAL : -1;
  case SAME: return is_number(ta) ? (int)ta : -1;
  case LOGIC:
    return ta == BRINK_TYPE_BOOLEAN && tb == BRINK_TYPE_BOOLEAN ? BRINK_TYPE_BOOLEAN
                                                                : -1;
  case RELATION: return join(ta, tb) >= 0 ? BRINK_TYPE_BOOLEAN : -1;
  case SELECT: return ta == BRINK_TYPE_BOOLEAN ? join(tb, brink__node_type(g, c)) : -1;
  case WHOLE:
    if (op == BRINK_OP_ORDINAL)
      return is_number(ta) ? -1 : BRINK_TYPE_INTEGER;
    return is_number(ta) ? BRINK_TYPE_INTEGER : -1;
  }
  return -1;
}

/* ------------------------------------------------------------- folding ---- */

static brink__node constant(brink__graph *g, double value, brink__type type)
{
  switch (type) {
  case BRINK_TYPE_REAL: return brink__real(g, value);
  case BRINK_TYPE_INTEGER: return brink__integer(g, (int64_t)value);
  case BRINK_TYPE_BOOLEAN: return brink__boolean(g, value != 0);
  case BRINK_TYPE_ENUMERATION: return brink__ordinal(g, (int64_t)value);
  }
  return BRINK__NONE;
}

static int all_const(const brink__graph *g, int arity, const brink__node *arg)
{
  for (int i = 0; i < arity; i++)
    if (!expr_is_const(g, arg[i]))
      return 0;
  return arity > 0;
}

/* The folded constant, or BRINK__NONE if it does not fold. */
static brink__node fold(brink__graph *g, brink__op op, brink__type type,
                        const brink__node *arg)
{
  double v[3] = {0, 0, 0};

  for (int i = 0; i < brink__op_arity(op); i++)
    v[i] = brink__node_value(g, arg[i]);
  double r = brink__op_value(op, v[0], v[1], v[2]);
  if (!isfinite(r) || (type != BRINK_TYPE_REAL && fabs(r) > 0x1p53))
    return BRINK__NONE;
  return constant(g, r, type);
}

/* --------------------------------------------------------------- rules ---- */

static int is_neg(const brink__graph *g, brink__node n)
{
  return expr_op(g, n) == BRINK_OP_NEG;
}

/* -n if that costs nothing: n is -x or a negative constant; else BRINK__NONE. */
static brink__node negated(brink__graph *g, brink__node n)
{
  if (is_neg(g, n))
    return expr_arg(g, n, 0);
  if (expr_is_const(g, n) && brink__node_value(g, n) < 0)
    return constant(g, -brink__node_value(g, n), brink__node_type(g, n));
  return BRINK__NONE;
}

/* The argument instead of the whole, if the type allows it (1*i with a real 1 is
 * a Real, i an Integer). */
static brink__node keep(brink__graph *g, brink__type type, brink__node n)
{
  if (!n || brink__node_type(g, n) == type)
    return n;
  return brink__op1(g, BRINK_OP_REAL, n);
}

static brink__node rule_add(brink__graph *g, brink__type type, brink__node a,
                            brink__node b)
{
  if (brink__node_is(g, a, 0))
    return keep(g, type, b);
  if (brink__node_is(g, b, 0))
    return keep(g, type, a);
  if (negated(g, b))
    return keep(g, type, brink__sub(g, a, negated(g, b)));
  if (is_neg(g, a))
    return keep(g, type, brink__sub(g, b, expr_arg(g, a, 0)));
  return BRINK__NONE;
}

static brink__node rule_sub(brink__graph *g, brink__type type, brink__node a,
                            brink__node b)
{
  if (brink__node_is(g, b, 0))
    return keep(g, type, a);
  if (brink__node_is(g, a, 0))
    return keep(g, type, brink__op1(g, BRINK_OP_NEG, b));
  if (negated(g, b))
    return keep(g, type, brink__add(g, a, negated(g, b)));
  return BRINK__NONE;
}

static brink__node rule_mul(brink__graph *g, brink__type type, brink__node a,
                            brink__node b)
{
  if (brink__node_is(g, a, 1))
    return keep(g, type, b);
  if (brink__node_is(g, b, 1))
    return keep(g, type, a);
  if (brink__node_is(g, a, -1))
    return keep(g, type, brink__op1(g, BRINK_OP_NEG, b));
  if (brink__node_is(g, b, -1))
    return keep(g, type, brink__op1(g, BRINK_OP_NEG, a));
  if (negated(g, a) && negated(g, b))
    return keep(g, type, brink__mul(g, negated(g, a), negated(g, b)));
  if (is_neg(g, a))
    return keep(g, type,
                brink__op1(g, BRINK_OP_NEG, brink__mul(g, expr_arg(g, a, 0), b)));
  if (is_neg(g, b))
    return keep(g, type,
                brink__op1(g, BRINK_OP_NEG, brink__mul(g, a, expr_arg(g, b, 0))));
  return BRINK__NONE;
}

static brink__node rule_div(brink__graph *g, brink__node a, brink__node b)
{
  if (brink__node_is(g, b, 1))
    return keep(g, BRINK_TYPE_REAL, a);
  if (brink__node_is(g, b, -1))
    return keep(g, BRINK_TYPE_REAL, brink__op1(g, BRINK_OP_NEG, a));
  return BRINK__NONE;
}

static brink__node rule_pow(brink__graph *g, brink__node a, brink__node b)
{
  if (brink__node_is(g, b, 1))
    return keep(g, BRINK_TYPE_REAL, a);
  if (!expr_is_const(g, b))
    return BRINK__NONE;
  double e = brink__node_value(g, b);
  if (e != floor(e) || fabs(e) > BRINK__POWI_MAX || e == 0)
    return BRINK__NONE;
  return brink__graph_intern(g, BRINK_OP_POWI, BRINK_TYPE_REAL, a, b, BRINK__NONE);
}

static brink__node rule_neg(brink__graph *g, brink__type type, brink__node a)
{
  if (is_neg(g, a))
    return expr_arg(g, a, 0);
  if (expr_op(g, a) == BRINK_OP_SUB)
    return keep(g, type, brink__sub(g, expr_arg(g, a, 1), expr_arg(g, a, 0)));
  return BRINK__NONE;
}

static brink__node rule_select(brink__graph *g, brink__type type, brink__node a,
                               brink__node b, brink__node c)
{
  if (expr_is_const(g, a))
    return keep(g, type, brink__node_value(g, a) != 0 ? b : c);
  if (b == c && expr_op(g, a) == BRINK_OP_SYMBOL)
    return b;
  if (expr_op(g, a) == BRINK_OP_NOT)
    return brink__select(g, expr_arg(g, a, 0), c, b);
  return BRINK__NONE;
}

/* A node that means the same and is simpler, or BRINK__NONE. */
static brink__node simpler(brink__graph *g, brink__op op, brink__type type,
                           const brink__node *arg)
{
  brink__node a = arg[0], b = arg[1], c = arg[2];

  if (op == BRINK_OP_ADD)
    return rule_add(g, type, a, b);
  if (op == BRINK_OP_SUB)
    return rule_sub(g, type, a, b);
  if (op == BRINK_OP_MUL)
    return rule_mul(g, type, a, b);
  if (op == BRINK_OP_DIV)
    return rule_div(g, a, b);
  if (op == BRINK_OP_POW || op == BRINK_OP_POWI)
    return rule_pow(g, a, b);
  if (op == BRINK_OP_NEG)
    return rule_neg(g, type, a);
  if (op == BRINK_OP_NOT && expr_op(g, a) == BRINK_OP_NOT)
    return expr_arg(g, a, 0);
  if (op == BRINK_OP_AND && expr_is_const(g, a))
    return brink__node_value(g, a) != 0 ? b : a;
  if (op == BRINK_OP_OR && expr_is_const(g, a))
    return brink__node_value(g, a) != 0 ? a : b;
  if (op == BRINK_OP_SELECT)
    return rule_select(g, type, a, b, c);
  if (op == BRINK_OP_REAL && brink__node_type(g, a) == BRINK_TYPE_REAL)
    return a;
  return BRINK__NONE;
}

/* ---------------------------------------------------------------- face ---- */

static brink__node ill_typed(brink__graph *g, brink__op op)
{
  brink__fail(&g->ctx->err, BRINK_EARG,
              "operator '%s' does not fit the types of its operands",
              brink__op_text(op));
  return BRINK__NONE;
}

brink__node brink__apply(brink__graph *g, brink__op op, brink__node a, brink__node b,
                         brink__node c)
{
  brink__node arg[3] = {a, b, c};
  int arity = brink__op_arity(op);

  for (int i = 0; i < arity; i++)
    if (!arg[i])
      return BRINK__NONE;
  int type = arity ? result_type(g, op, a, b, c) : -1;
  if (type < 0)
    return ill_typed(g, op);

  /* an exponent that is a small whole number has an operator of its own */
  if (op == BRINK_OP_POWI || op == BRINK_OP_POW) {
    brink__node p = rule_pow(g, a, b);
    if (op == BRINK_OP_POWI && !p)
      return ill_typed(g, op);
    if (p && expr_op(g, p) == BRINK_OP_POWI)
      op = BRINK_OP_POWI;
  }

  brink__node n = BRINK__NONE;
  if (all_const(g, arity, arg))
    n = fold(g, op, (brink__type)type, arg);
  if (!n)
    n = simpler(g, op, (brink__type)type, arg);
  if (!n)
    n = brink__graph_intern(g, op, (brink__type)type, arg[0], arity > 1 ? arg[1] : 0,
                            arity > 2 ? arg[2] : 0);
  return n;
}

/* a^n for n > 0: a^(2m) = (a^m)^2, a^(2m+1) = a^(2m) a */
static brink__node positive_power(brink__graph *g, brink__node a, int n)
{
  brink__node r = BRINK__NONE;

  for (int bit = BRINK__POWI_MAX; bit; bit >>= 1) {
    if (r)
      r = brink__mul(g, r, r);
    if (n & bit)
      r = r ? brink__mul(g, r, a) : a;
  }
  return r;
}

brink__node brink__power(brink__graph *g, brink__node a, int n)
{
  if (n > 0)
    return positive_power(g, a, n);
  return brink__div(g, brink__integer(g, 1), positive_power(g, a, -n));
}
