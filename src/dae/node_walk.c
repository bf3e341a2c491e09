/* node_walk.c -- walking through expressions: which symbols, where.
 *
 * Depth first on an explicit stack, so that the depth of an expression is bounded by
 * memory only; a node is visited once per walk. */
#include "dae/build.h"

#include <string.h>

enum { OPEN = 2 }; /* mark of a node whose operands are being visited */

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

static int visited(const dae_walk *w, brink__node n) { return w->stamp[n] == w->epoch; }

static int arity(const dae_walk *w, brink__node n)
{
  return brink__op_arity(brink__node_op(w->graph, n));
}

/* ------------------------------------------------------------- symbols --- */

brink_status brink__dae_walk_symbols(dae_walk *w, size_t n, const brink__node *roots,
                                     dae_list *out)
{
  BRINK_TRY(brink__dae_walk_begin(w));
  for (size_t i = n; i-- > 0;)
    if (roots[i])
      BRINK_TRY(brink__dae_walk_push(w, roots[i]));
  while (w->n_stack) {
    brink__node node = w->stack[--w->n_stack];
    if (visited(w, node))
      continue;
    w->stamp[node] = w->epoch;
    if (brink__node_op(w->graph, node) == BRINK_OP_SYMBOL)
      BRINK_TRY(brink__dae_list_add(w->ctx, out, brink__node_symbol(w->graph, node)));
    for (int i = arity(w, node) - 1; i >= 0; i--)
      BRINK_TRY(brink__dae_walk_push(w, brink__node_arg(w->graph, node, i)));
  }
  return BRINK_OK;
}

brink_status brink__dae_walk_find(dae_walk *w, size_t n, const brink__node *roots,
                                  brink__node node, size_t *at)
{
  BRINK_TRY(brink__dae_walk_begin(w));
  for (*at = 0; *at < n; ++*at) {
    BRINK_TRY(brink__dae_walk_push(w, roots[*at]));
    while (w->n_stack) {
      brink__node top = w->stack[--w->n_stack];
      if (top == node)
        return BRINK_OK;
      if (visited(w, top))
        continue;
      w->stamp[top] = w->epoch;
      for (int i = arity(w, top) - 1; i >= 0; i--)
        BRINK_TRY(brink__dae_walk_push(w, brink__node_arg(w->graph, top, i)));
    }
  }
  return BRINK_OK;
}

brink_status brink__dae_walk_pick(dae_walk *w, brink__node root, dae_pick_fn *pick,
                                  dae_list *out)
{
  BRINK_TRY(brink__dae_walk_begin(w));
  BRINK_TRY(brink__dae_walk_push(w, root));
  while (w->n_stack) {
    brink__node node = w->stack[--w->n_stack];
    if (visited(w, node))
      continue;
    w->stamp[node] = w->epoch;
    if (pick(w->graph, node) >= 0)
      BRINK_TRY(brink__dae_list_add(w->ctx, out, node));
    for (int i = arity(w, node) - 1; i >= 0; i--)
      BRINK_TRY(brink__dae_walk_push(w, brink__node_arg(w->graph, node, i)));
  }
  return BRINK_OK;
}

/* --------------------------------------------------------------- marks --- */

int brink__dae_walk_marked(const dae_walk *w, brink__node n)
{
  return visited(w, n) && w->mark[n] == 1;
}

static void close(dae_walk *w, brink__node node, int32_t symbol)
{
  int has = brink__node_op(w->graph, node) == BRINK_OP_SYMBOL &&
            brink__node_symbol(w->graph, node) == symbol;

  for (int i = 0; i < arity(w, node); i++)
    has |= brink__dae_walk_marked(w, brink__node_arg(w->graph, node, i));
  w->mark[node] = (unsigned char)has;
}

brink_status brink__dae_walk_mark(dae_walk *w, brink__node root, int32_t symbol,
                                  int *has)
{
  BRINK_TRY(brink__dae_walk_begin(w));
  BRINK_TRY(brink__dae_walk_push(w, root));
  while (w->n_stack) {
    brink__node node = w->stack[w->n_stack - 1];
    if (visited(w, node)) {
      if (w->mark[node] == OPEN)
        close(w, node, symbol);
      w->n_stack--;
      continue;
    }
    w->stamp[node] = w->epoch;
    w->mark[node] = OPEN;
    for (int i = 0; i < arity(w, node); i++)
      if (!visited(w, brink__node_arg(w->graph, node, i)))
        BRINK_TRY(brink__dae_walk_push(w, brink__node_arg(w->graph, node, i)));
  }
  *has = brink__dae_walk_marked(w, root);
  return BRINK_OK;
}
