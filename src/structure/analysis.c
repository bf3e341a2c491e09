/* analysis.c -- structural analysis of a DAE from its signature matrix: transversal,
 * offsets, system Jacobian, blocks, index; or what is over- and underdetermined.
 *
 * Method [Pryce01]; fine blocks and their lead times [PNT15].
 */
#include "structure/sigma.h"

#include <string.h>

/* -------------------------------------------------------------- memory --- */

static brink_status take(brink_ctx *ctx, const brink__sigma *s, brink__analysis *a)
{
  size_t rows = s->n_rows, cols = s->n_cols, nnz = s->start[rows];
  size_t need = brink__need(0, 4 * rows + 2 * cols + nnz, sizeof(int32_t));

  need = brink__need(need, rows, sizeof(int32_t)); /* order of blocks */
  need = brink__need(need, 2 * (rows + 1), sizeof(size_t));
  need = brink__need(need, 2 * (rows + cols), 1);
  *a = (brink__analysis){.n_rows = rows, .n_cols = cols};
  BRINK_TRY(brink__block_new(ctx, need, &a->memory));
  a->col_of = brink__carve(&a->memory, 4 * rows + 2 * cols + nnz, sizeof(int32_t));
  a->c = a->col_of + rows;
  a->block_of = a->c + rows;
  a->lead = a->block_of + rows;
  a->row_of = a->lead + rows;
  a->d = a->row_of + cols;
  a->jac_col = a->d + cols;
  a->blocks.order = brink__carve(&a->memory, rows, sizeof(int32_t));
  a->jac_start = brink__carve(&a->memory, 2 * (rows + 1), sizeof(size_t));
  a->blocks.first = a->jac_start + rows + 1;
  a->excess.over = brink__carve(&a->memory, 2 * (rows + cols), 1);
  a->excess.loose = a->excess.over + rows;
  a->excess.bound = a->excess.loose + rows;
  a->excess.under = a->excess.bound + cols;
  return BRINK_OK;
}

void brink__analysis_drop(brink__analysis *a)
{
  brink__block_drop(&a->memory);
  *a = (brink__analysis){.singular = 0};
}

/* ------------------------------------------------------------- singular --- */

/* Is there a transversal?  If not, which parts have too many or too few equations? */
static brink_status structural_rank(brink_ctx *ctx, const brink__sigma *s,
                                    brink__analysis *a)
{
  brink__incidence inc = {s->n_rows, s->n_cols, s->start, s->col};
  size_t size;

  memset(a->col_of, -1, s->n_rows * sizeof *a->col_of);
  memset(a->row_of, -1, s->n_cols * sizeof *a->row_of);
  BRINK_TRY(brink__match(ctx, &inc, a->col_of, a->row_of, &size));
  a->singular = size < s->n_rows || size < s->n_cols;
  return a->singular ? brink__coarse(ctx, &inc, a->col_of, a->row_of, &a->excess)
                     : BRINK_OK;
}

/* -------------------------------------------------------------- offsets --- */

static brink_status offsets(brink_ctx *ctx, const brink__sigma *s, brink__analysis *a)
{
  size_t n = s->n_rows;
  brink__block block;

  BRINK_TRY(brink__block_new(ctx, brink__need(0, 2 * n, sizeof(int64_t)), &block));
  int64_t *u = brink__carve(&block, 2 * n, sizeof *u), *v = u + n;
  brink_status rc = brink__transversal(ctx, s, a->col_of, a->row_of, u, v);
  if (rc == BRINK_OK)
    rc = brink__smallest_offsets(ctx, s, a->col_of, a->row_of, u, v, a->c, a->d);
  brink__block_drop(&block);
  return rc;
}

static void jacobian(const brink__sigma *s, brink__analysis *a)
{
  size_t n = 0;

  for (size_t i = 0; i < s->n_rows; i++) {
    a->jac_start[i] = n;
    for (size_t e = s->start[i]; e < s->start[i + 1]; e++)
      if (a->d[s->col[e]] - a->c[i] == s->order[e])
        a->jac_col[n++] = s->col[e];
  }
  a->jac_start[s->n_rows] = n;
}

static void numbers(brink__analysis *a)
{
  int32_t most = 0, algebraic = 0;

  for (size_t i = 0; i < a->n_rows; i++) {
    most = a->c[i] > most ? a->c[i] : most;
    a->dof -= a->c[i];
  }
  for (size_t j = 0; j < a->n_cols; j++) {
    algebraic |= a->d[j] == 0;
    a->dof += a->d[j];
  }
  a->index = most + algebraic;
}

/* --------------------------------------------------------------- blocks --- */

/* Rows in ascending order within each block; lead times. */
static void arrange(brink__analysis *a, size_t *next)
{
  brink__components *b = &a->blocks;

  for (size_t k = 0; k < b->count; k++) {
    next[k] = b->first[k];
    a->lead[k] = INT32_MAX;
    for (size_t p = b->first[k]; p < b->first[k + 1]; p++)
      a->block_of[b->order[p]] = (int32_t)k;
  }
  for (size_t i = 0; i < a->n_rows; i++) {
    int32_t k = a->block_of[i];
    b->order[next[k]++] = (int32_t)i;
    a->lead[k] = a->c[i] < a->lead[k] ? a->c[i] : a->lead[k];
  }
}

/* Row i needs the rows whose columns its Jacobian has. */
static brink_status fine_blocks(brink_ctx *ctx, brink__analysis *a)
{
  size_t n = a->n_rows, nnz = a->jac_start[n];
  brink__block block;
  size_t need = brink__need(0, nnz, sizeof(int32_t));

  BRINK_TRY(brink__block_new(ctx, brink__need(need, n, sizeof(size_t)), &block));
  int32_t *to = brink__carve(&block, nnz, sizeof *to);
  size_t *next = brink__carve(&block, n, sizeof *next);
  for (size_t e = 0; e < nnz; e++)
    to[e] = a->row_of[a->jac_col[e]];
  brink_status rc = brink__blocks(ctx, n, a->jac_start, to, &a->blocks);
  if (rc == BRINK_OK)
    arrange(a, next);
  brink__block_drop(&block);
  return rc;
}

/* ------------------------------------------------------------------ all --- */

static brink_status analyse(brink_ctx *ctx, const brink__sigma *s, brink__analysis *a)
{
  BRINK_TRY(structural_rank(ctx, s, a));
  if (a->singular)
    return BRINK_OK;
  BRINK_TRY(offsets(ctx, s, a));
  jacobian(s, a);
  numbers(a);
  return fine_blocks(ctx, a);
}

brink_status brink__analyse(brink_ctx *ctx, const brink__sigma *sigma,
                            brink__analysis *out)
{
  BRINK_TRY(take(ctx, sigma, out));
  brink_status rc = analyse(ctx, sigma, out);
  if (rc < 0)
    brink__analysis_drop(out);
  return rc;
}
