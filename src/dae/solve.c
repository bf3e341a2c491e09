/* solve.c -- one equation for one unknown, symbolically.
 *
 * If the unknown occurs once, the way to it is undone operator by operator:
 * m*der(v) + k*x = 0 becomes der(v) = -(k*x)/m.  If it occurs several times but
 * linearly, u = -r(0)/r'(u).  A coefficient that turns out to be zero is a division
 * by zero at run time, "not here", and the message names the equation.
 */
#include "dae/build.h"

/* The equation near = far on the way to "unknown = far": `near` holds the unknown, and
 * loses one operator in each step, which is undone in `far`. */
typedef struct undo {
  const dae_walk *w;
  brink__node near, far;
} undo;

static int with(const undo *u, int i)
{
  return brink__dae_walk_marked(u->w, brink__node_arg(u->w->graph, u->near, i));
}

/* Undo the outermost operator of `near`; 0 if it has no inverse here. */
static int step(undo *u)
{
  brink__graph *g = u->w->graph;
  brink__op op = brink__node_op(g, u->near);
  brink__node p = brink__node_arg(g, u->near, 0), q = brink__node_arg(g, u->near, 1);
  int two = brink__op_arity(op) == 2, left = with(u, 0);

  if (two && left && with(u, 1))
    return 0;
  if (op == BRINK_OP_ADD)
    u->far = brink__sub(g, u->far, left ? q : p);
  else if (op == BRINK_OP_SUB)
    u->far = left ? brink__add(g, u->far, q) : brink__sub(g, p, u->far);
  else if (op == BRINK_OP_MUL)
    u->far = brink__div(g, u->far, left ? q : p);
  else if (op == BRINK_OP_DIV)
    u->far = left ? brink__mul(g, u->far, q) : brink__div(g, p, u->far);
  else if (op == BRINK_OP_NEG)
    u->far = brink__op1(g, BRINK_OP_NEG, u->far);
  else if (op != BRINK_OP_REAL)
    return 0;
  u->near = left ? p : q;
  return 1;
}

/* Solve by undoing operators.  *out is BRINK__NONE if one of them has no inverse, or if
 * the unknown occurs on both sides. */
static brink_status undo_operators(dae_walk *w, brink__node lhs, brink__node rhs,
                                   int32_t symbol, brink__node *out)
{
  brink__graph *g = w->graph;
  int in_lhs, in_rhs;

  *out = BRINK__NONE;
  BRINK_TRY(brink__dae_walk_mark(w, rhs, symbol, &in_rhs));
  if (in_rhs) {
    BRINK_TRY(brink__dae_walk_mark(w, lhs, symbol, &in_lhs));
    if (in_lhs)
      return BRINK_OK;
    BRINK_TRY(brink__dae_walk_mark(w, rhs, symbol, &in_rhs));
  } else {
    BRINK_TRY(brink__dae_walk_mark(w, lhs, symbol, &in_lhs));
  }
  undo u = {w, in_rhs ? rhs : lhs, in_rhs ? lhs : rhs};
  while (brink__node_op(g, u.near) != BRINK_OP_SYMBOL)
    if (!step(&u))
      return BRINK_OK;
    else if (!u.far)
      return BRINK_ENOMEM;
  *out = u.far;
  return BRINK_OK;
}

/* Solve a residual r that is linear in the unknown u: u = -r(0)/r', if r' does not
 * contain u.  Where u has a factor, r(0) loses that whole term. */
static brink_status solve_linear(dae_walk *w, brink__node lhs, brink__node rhs,
                                 int32_t symbol, brink__node *by, brink__node *out)
{
  brink__graph *g = w->graph;
  brink__node r = brink__sub(g, lhs, rhs), slope = r ? brink__diff(g, r, symbol) : r;
  brink__node at_zero;
  int curved;

  if (!slope)
    return brink__graph_ctx(g)->err.status;
  BRINK_TRY(brink__dae_walk_mark(w, slope, symbol, &curved));
  if (curved || brink__node_is(g, slope, 0))
    return BRINK_OK;
  by[symbol] = brink__real(g, 0);
  brink_status rc = by[symbol]
                        ? brink__substitute(g, (size_t)symbol + 1, by, 1, &r, &at_zero)
                        : BRINK_ENOMEM;
  by[symbol] = BRINK__NONE;
  BRINK_TRY(rc);
  *out = brink__div(g, brink__op1(g, BRINK_OP_NEG, at_zero), slope);
  return *out ? BRINK_OK : brink__graph_ctx(g)->err.status;
}

brink_status brink__dae_solve(dae_walk *w, brink__node lhs, brink__node rhs,
                              int32_t symbol, brink__node *by, brink__node *out)
{
  BRINK_TRY(undo_operators(w, lhs, rhs, symbol, out));
  if (*out || brink__node_type(w->graph, lhs) != BRINK_TYPE_REAL)
    return BRINK_OK;
  return solve_linear(w, lhs, rhs, symbol, by, out);
}
