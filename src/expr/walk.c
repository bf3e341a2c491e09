/* walk.c -- what lies below a node: dependence, Jacobians, substitution.
 *
 * All walks are depth-first with the stack of the graph, so depth costs memory and
 * not the processor's stack.
 */
#include "expr/inner.h"

#include <stdlib.h>
#include <string.h>

enum { OPEN = -1 };

/* ------------------------------------------------------------- pattern ---- */

static int by_id(const void *x, const void *y)
{
  int32_t a = *(const int32_t *)x, b = *(const int32_t *)y;
  return (a > b) - (a < b);
}

static int kept(int32_t id, size_t n_keep, const unsigned char *keep)
{
  return !keep || ((size_t)id < n_keep && keep[id]);
}

/* Append the symbols below root. */
static brink_status row(brink__graph *g, brink__node root, size_t n_keep,
                        const unsigned char *keep, brink__pattern *p)
{
  size_t start = p->nnz;

  brink__memo_start(&g->walk);
  g->n_stack = 0;
  BRINK_TRY(brink__push(g, root));
  while (g->n_stack) {
    brink__node n = expr_pop(g);
    if (expr_memo_has(&g->walk, n))
      continue;
    BRINK_TRY(brink__memo_put(g, &g->walk, n, 0));
    if (expr_op(g, n) == BRINK_OP_SYMBOL &&
        kept(brink__node_symbol(g, n), n_keep, keep)) {
      BRINK_TRY(
          brink__grow(p->ctx, (void **)&p->col, &p->cap, p->nnz + 1, sizeof *p->col));
      p->col[p->nnz++] = brink__node_symbol(g, n);
    }
    for (int i = 0; i < expr_arity(g, n); i++)
      BRINK_TRY(brink__push(g, expr_arg(g, n, i)));
  }
  if (p->nnz > start)
    qsort(p->col + start, p->nnz - start, sizeof *p->col, by_id);
  return BRINK_OK;
}

brink_status brink__pattern_new(brink__graph *g, size_t n_roots,
                                const brink__node *roots, size_t n_keep,
                                const unsigned char *keep, brink__pattern *out)
{
  *out = (brink__pattern){.ctx = g->ctx, .n_rows = n_roots};
  out->start = brink__alloc(g->ctx, (n_roots + 1) * sizeof *out->start);
  if (!out->start)
    return brink__fail(&g->ctx->err, BRINK_ENOMEM, "out of memory: %zu rows", n_roots);
  out->start[0] = 0;
  for (size_t i = 0; i < n_roots; i++) {
    brink_status rc = roots[i] ? row(g, roots[i], n_keep, keep, out)
                               : brink__fail(&g->ctx->err, BRINK_EARG,
                                             "root %zu is no expression", i);
    if (rc < 0) {
      brink__pattern_drop(out);
      return rc;
    }
    out->start[i + 1] = out->nnz;
  }
  return BRINK_OK;
}

void brink__pattern_drop(brink__pattern *p)
{
  if (p->ctx) {
    brink__free(p->ctx, p->start, (p->n_rows + 1) * sizeof *p->start);
    brink__free(p->ctx, p->col, p->cap * sizeof *p->col);
  }
  *p = (brink__pattern){0};
}

/* ------------------------------------------------------------ Jacobian ---- */

typedef struct place {
  int32_t col;
  size_t row, k;
} place;

static int by_column(const void *x, const void *y)
{
  const place *a = x, *b = y;
  if (a->col != b->col)
    return a->col > b->col ? 1 : -1;
  return (a->k > b->k) - (a->k < b->k);
}

/* Rows with more symbols are differentiated backward, all at once (gradient.c): forward
 * they would take a walk for each. */
enum { FORWARD_MOST = 16 };

static int is_backward(const brink__pattern *p, size_t row)
{
  return p->start[row + 1] - p->start[row] > FORWARD_MOST;
}

/* The others column by column, so that rows share what they have in common. */
static brink_status forward(brink__graph *g, const brink__pattern *p, place *at,
                            const brink__node *roots, brink__node *entry)
{
  size_t n = 0;

  for (size_t i = 0; i < p->n_rows; i++)
    for (size_t k = p->start[i]; !is_backward(p, i) && k < p->start[i + 1]; k++)
      at[n++] = (place){p->col[k], i, k};
  qsort(at, n, sizeof *at, by_column);
  for (size_t j = 0; j < n; j++) {
    entry[at[j].k] = brink__diff(g, roots[at[j].row], at[j].col);
    if (!entry[at[j].k])
      return BRINK_ENOMEM;
  }
  return BRINK_OK;
}

brink_status brink__jacobian(brink__graph *g, const brink__pattern *p,
                             const brink__node *roots, brink__node *entry)
{
  size_t size = p->nnz * sizeof(place);
  place *at = brink__alloc(g->ctx, size);

  if (!at)
    return brink__fail(&g->ctx->err, BRINK_ENOMEM, "out of memory: %zu entries",
                       p->nnz);
  brink_status rc = forward(g, p, at, roots, entry);
  for (size_t i = 0; i < p->n_rows && rc == BRINK_OK; i++)
    if (is_backward(p, i))
      rc = brink__gradient(g, roots[i], p->start[i + 1] - p->start[i],
                           p->col + p->start[i], entry + p->start[i]);
  brink__free(g->ctx, at, size ? size : 1);
  return rc;
}

/* -------------------------------------------------------- substitution ---- */

static brink__node rebuilt(brink__graph *g, size_t n_by, const brink__node *by,
                           brink__node n)
{
  brink__node a[3] = {0, 0, 0};
  int arity = expr_arity(g, n), changed = 0;

  if (expr_op(g, n) == BRINK_OP_SYMBOL) {
    int32_t id = brink__node_symbol(g, n);
    return (size_t)id < n_by && by[id] ? by[id] : n;
  }
  for (int i = 0; i < arity; i++) {
    a[i] = expr_memo_get(&g->walk, expr_arg(g, n, i));
    changed |= a[i] != expr_arg(g, n, i);
  }
  return changed ? brink__apply(g, expr_op(g, n), a[0], a[1], a[2]) : n;
}

static brink_status replace(brink__graph *g, size_t n_by, const brink__node *by,
                            brink__node root)
{
  g->n_stack = 0;
  BRINK_TRY(brink__push(g, root));
  while (g->n_stack) {
    brink__node n = expr_top(g);
    if (!expr_memo_has(&g->walk, n)) {
      BRINK_TRY(brink__memo_put(g, &g->walk, n, OPEN));
      for (int i = expr_arity(g, n) - 1; i >= 0; i--)
        if (!expr_memo_has(&g->walk, expr_arg(g, n, i)))
          BRINK_TRY(brink__push(g, expr_arg(g, n, i)));
      continue;
    }
    if (expr_memo_get(&g->walk, n) == OPEN) {
      brink__node r = rebuilt(g, n_by, by, n);
      if (!r)
        return g->ctx->err.status < 0 ? g->ctx->err.status : BRINK_ENOMEM;
      BRINK_TRY(brink__memo_put(g, &g->walk, n, r));
    }
    g->n_stack--;
  }
  return BRINK_OK;
}

static brink_status replace_all(brink__graph *g, size_t n_by, const brink__node *by,
                                size_t n_roots, const brink__node *roots,
                                brink__node *out)
{
  for (size_t i = 0; i < n_roots; i++) {
    if (!roots[i])
      return brink__fail(&g->ctx->err, BRINK_EARG, "root %zu is no expression", i);
    BRINK_TRY(replace(g, n_by, by, roots[i]));
    out[i] = expr_memo_get(&g->walk, roots[i]);
  }
  return BRINK_OK;
}

brink_status brink__substitute(brink__graph *g, size_t n_by, const brink__node *by,
                               size_t n_roots, const brink__node *roots,
                               brink__node *out)
{
  brink__memo_start(&g->walk);
  return replace_all(g, n_by, by, n_roots, roots, out);
}

brink_status brink__replace(brink__graph *g, size_t n, const brink__node *from,
                            const brink__node *to, size_t n_roots,
                            const brink__node *roots, brink__node *out)
{
  brink__memo_start(&g->walk);
  for (size_t i = 0; i < n; i++)
    BRINK_TRY(brink__memo_put(g, &g->walk, from[i], to[i]));
  return replace_all(g, 0, NULL, n_roots, roots, out);
}
