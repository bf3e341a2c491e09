/* parameter_values.c -- parameters whose values make the system Jacobian singular.
 *
 * With Cs*der(u) = f and Cs = 0 the structure is another one than for other values. The
 * parameters in the elements of the block are replaced by their values, as if these
 * were written in the equations, and decide the structure of the model: another value
 * takes another reading of the text.
 */
#include "dae/convert.h"

#include "explain/explain.h"

#include <string.h>

/* Mark the parameters below the elements of the block. */
static brink_status find(dae_converting *c, const dae_block *b, unsigned char *mark)
{
  for (size_t k = 0; k < b->n * b->n; k++) {
    brink__pattern p;
    if (!b->entry[k])
      continue;
    BRINK_TRY(brink__pattern_new(c->n->system.graph, 1, &b->entry[k], 0, NULL, &p));
    for (size_t e = 0; e < p.nnz; e++)
      if ((size_t)p.col[e] < c->points.n_symbols &&
          c->points.exact[p.col[e]] == BRINK__EXACT_AT_EVEN)
        mark[p.col[e]] = 1;
    brink__pattern_drop(&p);
  }
  return BRINK_OK;
}

static brink_status add_decisive(dae_natural *n, int32_t var)
{
  int32_t *all;

  BRINK_TRY(DAE_TAKE(&n->pool, n->n_decisive + 1, &all));
  for (size_t i = 0; i < n->n_decisive; i++)
    all[i] = n->decisive[i];
  all[n->n_decisive++] = var;
  n->decisive = all;
  return BRINK_OK;
}

/* The values of the marked parameters, and "the value of Cs = 0 decides". */
static brink_status values(dae_converting *c, const unsigned char *mark,
                           brink__node *by)
{
  char text[400];
  brink__sentence s = {text, sizeof text, 0};
  const char *between = "the structure is that of ";

  for (size_t i = 0; i < c->f->n_vars; i++) {
    const brink__flat_var *v = &c->f->vars[i];
    if (v->variability != BRINK__PARAMETER || !mark[v->value])
      continue;
    double value = c->points.around[v->value];
    by[v->value] = brink__real(c->n->system.graph, value);
    if (!by[v->value])
      return BRINK_ENOMEM;
    brink__sentence_add(&s, "%s%s = %g", between, v->name, value);
    between = ", ";
    BRINK_TRY(add_decisive(c->n, (int32_t)i));
  }
  return brink__dae_note(c, text);
}

brink_status brink__dae_put_parameters(dae_converting *c, const dae_block *b)
{
  brink__graph *g = c->n->system.graph;
  size_t n = c->n->system.n_symbols;
  unsigned char *mark;
  brink__node *by;

  BRINK_TRY(DAE_TAKE(&c->tmp, n, &mark));
  BRINK_TRY(DAE_TAKE(&c->tmp, n, &by));
  BRINK_TRY(find(c, b, mark));
  BRINK_TRY(values(c, mark, by));
  for (size_t i = 0; i < b->n; i++) {
    brink__node f = brink__sub(g, c->lhs[b->row[i]], c->rhs[b->row[i]]);
    if (!f)
      return BRINK_ENOMEM;
    BRINK_TRY(brink__substitute(g, n, by, 1, &f, &f));
    BRINK_TRY(brink__dae_without_zeros(c, &f));
    BRINK_TRY(brink__dae_set_row(c, (size_t)b->row[i], f));
  }
  return BRINK_OK;
}
