/* node_walk.c -- walking through expressions: which symbols, where.
 *
 * Depth first on an explicit stack, so that the depth of an expression is bounded by
 * memory only; a node is visited once per walk. */
#include "dae/build.h"

#include <string.h>

enum { OPEN = 254 }; /* mark of a node whose operands are being visited */

void brink__dae_walk_drop(dae_walk *w)
{
  brink__free(w->ctx, w->stamp, w->cap * sizeof *w->stamp);
  brink__free(w->ctx, w->mark, w->cap_mark);
  brink__free(w->ctx, w->stack, w->cap_stack * sizeof *w->stack);
}

int32_t *brink__dae_list_keep(brink__pool *pool, const dae_list *list, size_t n)
{
  int32_t *v = brink__dae_take(pool, n, sizeof *v);

  if (v && n)
    memcpy(v, list->v, n * sizeof *v);
  return v;
}

brink_status brink__dae_list_add(brink_ctx *ctx, dae_list *list, int32_t value)
{
  BRINK_TRY(brink__grow(ctx, (void **)&list->v, &list->cap, list->n + 1, sizeof value));
  list->v[list->n++] = value;
  return BRINK_OK;
}

void brink__dae_list_drop(brink_ctx *ctx, dae_list *list)
{
  brink__free(ctx, list->v, list->cap * sizeof *list->v);
}

brink_status brink__dae_walk_begin(dae_walk *w)
{
  size_t n = (size_t)brink__graph_size(w->graph) + 1, old = w->cap;

  BRINK_TRY(brink__grow(w->ctx, (void **)&w->stamp, &w->cap, n, sizeof *w->stamp));
  memset(w->stamp + old, 0, (w->cap - old) * sizeof *w->stamp);
  BRINK_TRY(brink__grow(w->ctx, (void **)&w->mark, &w->cap_mark, w->cap, 1));
  if (++w->epoch == 0) {
    memset(w->stamp, 0, w->cap * sizeof *w->stamp);
    w->epoch = 1;
  }
  w->n_stack = 0;
  return BRINK_OK;
}

brink_status brink__dae_walk_push(dae_walk *w, brink__node n)
{
  BRINK_TRY(brink__grow(w->ctx, (void **)&w->stack, &w->cap_stack, w->n_stack + 1,
                        sizeof *w->stack));
  w->stack[w->n_stack++] = n;
  return BRINK_OK;
}

static int arity(const dae_walk *w, brink__node n)
{
  return brink__op_arity(brink__node_op(w->graph, n));
}

brink_status brink__dae_walk_next(dae_walk *w, brink__node *out)
{
  *out = BRINK__NONE;
  while (w->n_stack && !*out) {
    brink__node n = w->stack[--w->n_stack];
    if (w->stamp[n] == w->epoch)
      continue;
    w->stamp[n] = w->epoch;
    for (int i = arity(w, n) - 1; i >= 0; i--)
      BRINK_TRY(brink__dae_walk_push(w, brink__node_arg(w->graph, n, i)));
    *out = n;
  }
  return BRINK_OK;
}

brink_status brink__dae_walk_up(dae_walk *w, brink__node *out)
{
  *out = BRINK__NONE;
  while (w->n_stack && !*out) {
    brink__node n = w->stack[w->n_stack - 1];
    if (w->stamp[n] == w->epoch) {
      w->n_stack--;
      if (w->mark[n] == OPEN)
        *out = n;
      continue;
    }
    w->stamp[n] = w->epoch;
    w->mark[n] = OPEN;
    for (int i = 0; i < arity(w, n); i++)
      BRINK_TRY(brink__dae_walk_push(w, brink__node_arg(w->graph, n, i)));
  }
  return BRINK_OK;
}

/* ------------------------------------------------------------ searches --- */

brink_status brink__dae_walk_symbols(dae_walk *w, size_t n, const brink__node *roots,
                                     dae_list *out)
{
  brink__node node;

  BRINK_TRY(brink__dae_walk_begin(w));
  for (size_t i = n; i-- > 0;)
    if (roots[i])
      BRINK_TRY(brink__dae_walk_push(w, roots[i]));
  for (;;) {
    BRINK_TRY(brink__dae_walk_next(w, &node));
    if (!node)
      return BRINK_OK;
    if (brink__node_op(w->graph, node) == BRINK_OP_SYMBOL)
      BRINK_TRY(brink__dae_list_add(w->ctx, out, brink__node_symbol(w->graph, node)));
  }
}

/* --------------------------------------------------------------- marks --- */

int brink__dae_walk_marked(const dae_walk *w, brink__node n)
{
  return w->stamp[n] == w->epoch && w->mark[n] == 1;
}

brink_status brink__dae_walk_mark(dae_walk *w, brink__node root, int32_t symbol,
                                  int *has)
{
  brink__node node;

  BRINK_TRY(brink__dae_walk_begin(w));
  BRINK_TRY(brink__dae_walk_push(w, root));
  for (;;) {
    BRINK_TRY(brink__dae_walk_up(w, &node));
    if (!node)
      break;
    int found = brink__node_op(w->graph, node) == BRINK_OP_SYMBOL &&
                brink__node_symbol(w->graph, node) == symbol;
    for (int i = 0; i < arity(w, node); i++)
      found |= brink__dae_walk_marked(w, brink__node_arg(w->graph, node, i));
    w->mark[node] = (unsigned char)found;
  }
  *has = brink__dae_walk_marked(w, root);
  return BRINK_OK;
}
