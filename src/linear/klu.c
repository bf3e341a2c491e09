/* klu.c -- orders and pivots of sparse matrices by KLU [DP10].
 *
 * KLU takes its memory from malloc, by a hook that all of a process share.  It is
 * therefore asked for orders and patterns only, which are copied into memory of the
 * context, and everything of its own is given back before a call returns.  What is done
 * in every step is in sparse_lu.c.
 */
#include "linear/linear.h"

#include <klu.h>

/* An element on the diagonal is the pivot if it is not smaller than the largest one
 * below by more than this: the equation then determines its own unknown, for which the
 * order has little fill.  Usual is 0.001; the unknowns here become parts of right-hand
 * sides, and are wanted to the last digits. */
static const double DIAGONAL_LEAST = 0.1;

static void settings(klu_common *c)
{
  klu_defaults(c);
  c->btf = 0;    /* the blocks of the equations have been found before */
  c->scale = -1; /* no: rows are scaled by powers of two               */
  c->tol = DIAGONAL_LEAST;
}

int brink__klu_here(void) { return 1; }

int brink__klu_order(const brink__symbolic *s, int32_t *rows, int32_t *cols)
{
  klu_common c;

  settings(&c);
  klu_symbolic *k = klu_analyze((int)s->n, s->start, s->at, &c);
  if (!k)
    return 0;
  memcpy(rows, k->P, s->n * sizeof *rows);
  memcpy(cols, k->Q, s->n * sizeof *cols);
  klu_free_symbolic(&k, &c);
  return 1;
}

/* L and U as KLU hands them out: with diagonals, the first elements of the columns of L
 * and the last ones of U. */
typedef struct factors {
  brink__block block;
  int32_t *l_start, *l_row, *u_start, *u_row;
  double *l, *u;
  unsigned char *seen;
} factors;

static brink_status take(const brink__symbolic *s, brink_ctx *ctx, size_t l, size_t u,
                         factors *w)
{
  size_t need = brink__need(0, 2 * (s->n + 1) + l + u, sizeof(int32_t));

  need = brink__need(need, l + u, sizeof(double));
  need = brink__need(need, s->n, 1);
  BRINK_TRY(brink__block_new(ctx, need, &w->block));
  w->l_start = brink__carve(&w->block, 2 * (s->n + 1) + l + u, sizeof(int32_t));
  w->u_start = w->l_start + s->n + 1;
  w->l_row = w->u_start + s->n + 1;
  w->u_row = w->l_row + l;
  w->l = brink__carve(&w->block, l + u, sizeof(double));
  w->u = w->l + l;
  w->seen = brink__carve(&w->block, s->n, 1);
  return BRINK_OK;
}

/* The patterns without diagonals. */
static void keep(size_t n, const factors *w, brink__sparse_lu *lu)
{
  for (size_t k = 0; k < n; k++) {
    int32_t shift = (int32_t)k; /* so many diagonal elements come before */
    lu->l_start[k] = w->l_start[k] - shift;
    lu->u_start[k] = w->u_start[k] - shift;
    for (int32_t q = w->l_start[k] + 1; q < w->l_start[k + 1]; q++)
      lu->l_row[q - shift - 1] = w->l_row[q];
    for (int32_t p = w->u_start[k]; p < w->u_start[k + 1] - 1; p++)
      lu->u_row[p - shift] = w->u_row[p];
    lu->place[lu->pivot[k]] = shift;
  }
  lu->l_start[n] = w->l_start[n] - (int32_t)n;
  lu->u_start[n] = w->u_start[n] - (int32_t)n;
  lu->odd = brink__is_odd(n, lu->pivot, w->seen);
}

static brink_status extract(const brink__symbolic *s, brink_ctx *ctx, klu_symbolic *ks,
                            klu_numeric *kn, klu_common *c, brink__sparse_lu *out)
{
  size_t l = (size_t)kn->lnz, u = (size_t)kn->unz;
  factors w = {.l = NULL};
  brink_status rc = take(s, ctx, l, u, &w);

  if (rc == BRINK_OK)
    rc = brink__sparse_lu_new(ctx, s->n, l - s->n, u - s->n, out);
  if (rc == BRINK_OK && klu_sort(ks, kn, c) &&
      klu_extract(kn, ks, w.l_start, w.l_row, w.l, w.u_start, w.u_row, w.u, NULL, NULL,
                  NULL, out->pivot, NULL, NULL, NULL, c))
    keep(s->n, &w, out);
  else if (rc == BRINK_OK) {
    brink__block_drop(&out->block);
    rc = BRINK_ENOMEM;
  }
  brink__block_drop(&w.block);
  return rc;
}

static brink_status no_memory(const brink__symbolic *s, brink_ctx *ctx)
{
  return brink__fail(&ctx->err, BRINK_ENOMEM,
                     "out of memory: the factors of %zu equations", s->n);
}

/* The matrix by columns, rows scaled. */
static brink_status gather(const brink__symbolic *s, brink_ctx *ctx,
                           const double *entry, const double *scale,
                           brink__block *block, double **value)
{
  BRINK_TRY(brink__block_new(ctx, brink__need(0, s->nnz, sizeof **value), block));
  *value = brink__carve(block, s->nnz, sizeof **value);
  for (size_t p = 0; p < s->nnz; p++)
    (*value)[p] = scale[s->at[p]] * entry[s->from[p]];
  return BRINK_OK;
}

brink_status brink__klu_pivots(const brink__symbolic *s, brink_ctx *ctx,
                               const double *entry, const double *scale,
                               brink__sparse_lu *out, size_t *column)
{
  klu_common c;
  brink__block block;
  double *value;
  brink_status rc = BRINK_OK;

  BRINK_TRY(gather(s, ctx, entry, scale, &block, &value));
  settings(&c);
  klu_symbolic *ks =
      klu_analyze_given((int)s->n, s->start, s->at, s->row_order, s->col_order, &c);
  klu_numeric *kn = ks ? klu_factor(s->start, s->at, value, ks, &c) : NULL;
  if (kn)
    rc = extract(s, ctx, ks, kn, &c, out);
  else if (c.status == KLU_SINGULAR) {
    *column = (size_t)c.singular_col;
    rc = BRINK_EDOMAIN;
  } else
    rc = no_memory(s, ctx);
  klu_free_numeric(&kn, &c);
  klu_free_symbolic(&ks, &c);
  brink__block_drop(&block);
  return rc;
}
