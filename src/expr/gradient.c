/* gradient.c -- the derivatives of one expression with respect to many symbols.
 *
 * Forward differentiation (diff.c) walks over an expression once for each symbol; a sum
 * of n states takes n^2 that way.  Backward, from the root to the leaves, one walk
 * gives all [GW08, 3.2]: the adjoint of a node is d root / d node, and that of an
 * operand is the sum over the nodes that read it of their adjoints times their partial
 * derivatives. Operands have smaller numbers than what reads them, so descending
 * numbers are an order.
 *
 * Derivatives of `if`, min and max must not be looked at where the other operand
 * counts: a product with an adjoint would do that.  These nodes are leaves here, and
 * are differentiated forward.
 */
#include "expr/inner.h"

#include <stdlib.h>

typedef struct adjoint {
  brink__node node;
  brink__node value; /* BRINK__NONE: 0 so far */
} adjoint;

typedef struct gradient {
  brink__graph *g;
  adjoint *at; /* [n] nodes below the root, descending */
  size_t n, cap;
  size_t n_symbols;
  const int32_t *symbol; /* [n_symbols] ascending */
  brink__node *out;      /* [n_symbols] */
} gradient;

/* Is it differentiated forward? */
static int is_lazy(brink__op op)
{
  return op == BRINK_OP_SELECT || op == BRINK_OP_MIN || op == BRINK_OP_MAX;
}

static int descending(const void *x, const void *y)
{
  const adjoint *a = x, *b = y;
  return (a->node < b->node) - (a->node > b->node);
}

/* The nodes that adjoints pass through; their places in the memo of the graph. */
static brink_status collect(gradient *d, brink__node root)
{
  brink__graph *g = d->g;

  brink__memo_start(&g->walk);
  g->n_stack = 0;
  BRINK_TRY(brink__push(g, root));
  while (g->n_stack) {
    brink__node n = expr_pop(g);
    if (expr_memo_has(&g->walk, n))
      continue;
    BRINK_TRY(brink__memo_put(g, &g->walk, n, 0));
    BRINK_TRY(brink__grow(g->ctx, (void **)&d->at, &d->cap, d->n + 1, sizeof *d->at));
    d->at[d->n++] = (adjoint){n, BRINK__NONE};
    for (int i = 0; !is_lazy(expr_op(g, n)) && i < expr_arity(g, n); i++)
      BRINK_TRY(brink__push(g, expr_arg(g, n, i)));
  }
  qsort(d->at, d->n, sizeof *d->at, descending);
  for (size_t k = 0; k < d->n; k++)
    BRINK_TRY(brink__memo_put(g, &g->walk, d->at[k].node, (int32_t)k));
  return BRINK_OK;
}

/* *sum += value, which may be the constant 0. */
static brink_status add(brink__graph *g, brink__node *sum, brink__node value)
{
  if (!value)
    return g->ctx->err.status < 0 ? g->ctx->err.status : BRINK_ENOMEM;
  if (!brink__node_is(g, value, 0))
    *sum = *sum ? brink__add(g, *sum, value) : value;
  return *sum || brink__node_is(g, value, 0) ? BRINK_OK : BRINK_ENOMEM;
}

/* What the adjoint of a node adds to those of its operands. */
static brink_status pass_on(gradient *d, const adjoint *a)
{
  brink__graph *g = d->g;

  for (int i = 0; i < expr_arity(g, a->node); i++) {
    brink__node operand = expr_arg(g, a->node, i);
    if (expr_is_const(g, operand))
      continue;
    brink__node partial = brink__partial(g, a->node, i);
    if (partial && !brink__node_is(g, partial, 0))
      partial = brink__mul(g, a->value, partial);
    BRINK_TRY(add(g, &d->at[expr_memo_get(&g->walk, operand)].value, partial));
  }
  return BRINK_OK;
}

static brink_status add_to_symbol(gradient *d, int32_t symbol, brink__node value)
{
  size_t lo = 0, hi = d->n_symbols;

  while (lo < hi) {
    size_t mid = lo + (hi - lo) / 2;
    if (d->symbol[mid] < symbol)
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo < d->n_symbols && d->symbol[lo] == symbol ? add(d->g, &d->out[lo], value)
                                                      : BRINK_OK;
}

/* The derivatives of a node that is differentiated forward, times its adjoint. */
static brink_status add_forward(gradient *d, const adjoint *a)
{
  brink__pattern p;
  brink_status rc = brink__pattern_new(d->g, 1, &a->node, 0, NULL, &p);

  for (size_t k = 0; rc == BRINK_OK && k < p.nnz; k++) {
    brink__node v = brink__diff(d->g, a->node, p.col[k]);
    if (v && !brink__node_is(d->g, v, 0))
      v = brink__mul(d->g, a->value, v);
    rc = add_to_symbol(d, p.col[k], v);
  }
  brink__pattern_drop(&p);
  return rc;
}

static brink_status propagate(gradient *d, brink__node root)
{
  brink__graph *g = d->g;

  BRINK_TRY(collect(d, root));
  d->at[0].value = brink__integer(g, 1);
  if (!d->at[0].value)
    return BRINK_ENOMEM;
  for (size_t k = 0; k < d->n; k++) /* all adjoints, while the memo has the places */
    if (d->at[k].value && !is_lazy(expr_op(g, d->at[k].node)))
      BRINK_TRY(pass_on(d, &d->at[k]));
  for (size_t k = 0; k < d->n; k++) {
    const adjoint *a = &d->at[k];
    if (!a->value)
      continue;
    if (expr_op(g, a->node) == BRINK_OP_SYMBOL)
      BRINK_TRY(add_to_symbol(d, brink__node_symbol(g, a->node), a->value));
    else if (is_lazy(expr_op(g, a->node)))
      BRINK_TRY(add_forward(d, a));
  }
  return BRINK_OK;
}

brink_status brink__gradient(brink__graph *g, brink__node root, size_t n,
                             const int32_t *symbol, brink__node *out)
{
  gradient d = {.g = g, .n_symbols = n, .symbol = symbol, .out = out};
  brink__node zero = brink__integer(g, 0);

  for (size_t k = 0; k < n; k++)
    out[k] = BRINK__NONE;
  brink_status rc = zero ? propagate(&d, root) : BRINK_ENOMEM;
  for (size_t k = 0; k < n; k++)
    out[k] = out[k] ? out[k] : zero;
  brink__free(g->ctx, d.at, d.cap * sizeof *d.at);
  return rc;
}
