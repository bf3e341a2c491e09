/* degree.c -- is an expression a polynomial, and of which degree?
 *
 * A guard that is a polynomial in time and the states is one along a step too, and
 * its zeros can be proved.  Frozen values have degree 0, so a choice between two
 * polynomials by a frozen relation is a polynomial. */
#include "dae/build.h"

enum { NONE = DAE_NOT_POLYNOMIAL };

static unsigned char capped(int d)
{
  return (unsigned char)(d > DAE_MAX_DEGREE ? NONE : d);
}

/* Degree of an operator applied to polynomials of degrees a, b, c. */
static unsigned char combine(const brink__graph *g, brink__node n, unsigned a,
                             unsigned b, unsigned c)
{
  brink__op op = brink__node_op(g, n);
  int arity = brink__op_arity(op);

  if (a == NONE || (arity > 1 && b == NONE) || (arity > 2 && c == NONE))
    return NONE;
  if (op == BRINK_OP_ADD || op == BRINK_OP_SUB)
    return capped((int)(a > b ? a : b));
  if (op == BRINK_OP_MUL)
    return capped((int)(a + b));
  if (op == BRINK_OP_NEG || op == BRINK_OP_REAL)
    return capped((int)a);
  if (op == BRINK_OP_DIV && b == 0)
    return capped((int)a);
  if (op == BRINK_OP_SELECT && a == 0)
    return capped((int)(b > c ? b : c));
  if (op == BRINK_OP_POWI) {
    double e = brink__node_value(g, brink__node_arg(g, n, 1));
    if (e > 0)
      return e * a > DAE_MAX_DEGREE ? NONE : capped((int)e * (int)a);
  }
  return a == 0 && (arity < 2 || b == 0) && (arity < 3 || c == 0) ? 0 : NONE;
}

/* Degree of a node whose operands have theirs. */
static unsigned char degree_of(const dae_walk *w, brink__node n,
                               const unsigned char *symbol)
{
  const brink__graph *g = w->graph;
  brink__op op = brink__node_op(g, n);
  unsigned d[3] = {0, 0, 0};

  if (op == BRINK_OP_CONST)
    return 0;
  if (op == BRINK_OP_SYMBOL)
    return symbol[brink__node_symbol(g, n)];
  for (int i = 0; i < brink__op_arity(op); i++)
    d[i] = w->mark[brink__node_arg(g, n, i)];
  return combine(g, n, d[0], d[1], d[2]);
}

brink_status brink__dae_walk_degree(dae_walk *w, brink__node root,
                                    const unsigned char *symbol, unsigned char *out)
{
  brink__node node;

  BRINK_TRY(brink__dae_walk_begin(w));
  BRINK_TRY(brink__dae_walk_push(w, root));
  for (;;) {
    BRINK_TRY(brink__dae_walk_up(w, &node));
    if (!node)
      break;
    w->mark[node] = degree_of(w, node, symbol);
  }
  *out = w->mark[root];
  return BRINK_OK;
}
