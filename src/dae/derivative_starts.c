/* derivative_starts.c -- start values of derivatives that have a name.
 *
 * Where v = der(x) is written and another variable stands for der(x), because
 * der(der(x)) occurs or an equation was differentiated, both are the same, and the
 * start value of v is meant for it.
 */
#include "dae/build.h"
#include "dae/reduce.h"

/* The symbol that a node is, or -1. */
static int32_t symbol_of(const brink__flat *f, brink__node n)
{
  return brink__node_op(f->graph, n) == BRINK_OP_SYMBOL
             ? brink__node_symbol(f->graph, n)
             : -1;
}

brink_status brink__dae_hand_on_starts(brink__flat *f, brink__pool *tmp)
{
  int32_t *var_of, *above;

  BRINK_TRY(brink__dae_take_ids(tmp, (size_t)f->n_symbols, &var_of));
  BRINK_TRY(brink__dae_take_ids(tmp, f->n_vars, &above));
  for (size_t i = 0; i < f->n_vars; i++) {
    var_of[f->vars[i].value] = (int32_t)i;
    if (f->vars[i].derivative_of)
      above[f->vars[i].derivative_of - 1] = (int32_t)i;
  }
  for (size_t i = 0; i < 2 * f->n_natural; i++) {
    const brink__flat_eqn *e = &f->natural[i / 2];
    int32_t value = symbol_of(f, i % 2 ? e->rhs : e->lhs);
    int32_t rate = symbol_of(f, i % 2 ? e->lhs : e->rhs);
    if (value < 0 || rate < 0 || var_of[value] < 0 || f->derivative[rate] < 0)
      continue;
    int32_t h = above[f->derivative[rate]];
    if (h < 0 || h == var_of[value] || f->vars[h].start)
      continue;
    f->vars[h].start = f->vars[var_of[value]].start;
    f->vars[h].named_by = 1 + var_of[value];
  }
  return BRINK_OK;
}
