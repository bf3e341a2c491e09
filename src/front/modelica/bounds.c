/* bounds.c -- conditions of whens and transitions that say that a variable is at the
 * end of its domain (x <= x.min): such an event is located before it, since the model
 * does not exist beyond.
 */
#include "front/modelica/lower.h"

static int same_value(mo_low *lo, brink__node a, brink__node b)
{
  double x, y;

  if (!a || !b)
    return 0;
  return a == b || (brink__lo_const(lo, a, &x) && brink__lo_const(lo, b, &y) && x == y);
}

/* does `left op right` say that a variable is at the end of its domain? */
static int at_bound(mo_low *lo, const brink__flat_relation *r, int yes)
{
  int up = (r->op == BRINK_OP_GT || r->op == BRINK_OP_GE) == yes;

  for (int side = 0; side < 2; side++, up = !up) {
    int32_t var = brink__lo_var_of(lo, side ? r->right : r->left);
    const brink__flat_var *v = var >= 0 && lo->vars[var].domain ? &lo->vars[var] : NULL;
    if (v && same_value(lo, side ? r->left : r->right, up ? v->max : v->min))
      return 1;
  }
  return 0;
}

/* the relations of a condition that say so */
static void mark_bounds(mo_low *lo, brink__node n, int yes)
{
  brink__op op = brink__node_op(lo->g, n);

  while (op == BRINK_OP_AND || op == BRINK_OP_OR || op == BRINK_OP_NOT) {
    if (op == BRINK_OP_NOT)
      yes = !yes;
    else
      mark_bounds(lo, brink__node_arg(lo->g, n, 1), yes);
    n = brink__node_arg(lo->g, n, 0);
    op = brink__node_op(lo->g, n);
  }
  if (op != BRINK_OP_SYMBOL)
    return;
  const mo_symbol *s = &lo->symbols[brink__node_symbol(lo->g, n)];
  if (s->kind == MO_SYM_RELATION && at_bound(lo, &lo->relations[s->index], yes))
    brink__lo_wish(lo, n, BRINK_BEFORE);
}

void brink__lo_bounds(mo_low *lo)
{
  for (size_t i = 0; i < lo->n_whens; i++)
    for (int k = 0; k < lo->whens[i].n_branches; k++)
      for (int c = 0; c < lo->whens[i].branches[k].n_conds; c++)
        mark_bounds(lo, lo->whens[i].branches[k].conds[c], 1);
  for (size_t i = 0; i < lo->n_transitions; i++)
    mark_bounds(lo, lo->transitions[i].cond, 1);
}
