/* symbolic.c -- the pattern of a square matrix before its values are known. */
#include "linear/linear.h"

/* From this size on matrices with a few entries in a row are factored as sparse ones.
 * Measured with three or four entries in a row, factoring and solving: 0.6 us dense and
 * 0.4 us sparse for 8 unknowns, 4 and 1.3 for 24, 20 and 2.1 for 40.  Below, the dense
 * form is preferred: it needs no memory of its own and no pivots that are remembered.
 */
enum { SPARSE_FROM = 24 };

/* ... unless more than one entry in so many is filled: elimination then fills most of
 * the rest. */
enum { FILLED_MOST = 5 };

/* The order is found with 32-bit numbers, in up to three times the entries. */
enum { MOST_ENTRIES = INT32_MAX / 4 };

/* The entries sorted by columns, those of a column by rows: two passes of counting. */
static brink_status compress(brink__pool *tmp, brink__symbolic *s)
{
  size_t n = s->n, nnz = s->nnz;
  int32_t *count = brink__pool_take(tmp, (n + 1) * sizeof *count);
  int32_t *by_row = brink__pool_take(tmp, nnz * sizeof *by_row);

  if (!count || !by_row)
    return BRINK_ENOMEM;
  for (size_t k = 0; k < nnz; k++)
    count[s->row[k] + 1]++;
  for (size_t i = 0; i < n; i++)
    count[i + 1] += count[i];
  for (size_t k = 0; k < nnz; k++)
    by_row[count[s->row[k]]++] = (int32_t)k;
  for (size_t k = 0; k < nnz; k++)
    s->start[s->col[k] + 1]++;
  for (size_t j = 0; j < n; j++)
    s->start[j + 1] += s->start[j];
  for (size_t j = 0; j < n; j++)
    count[j] = s->start[j];
  for (size_t i = 0; i < nnz; i++) {
    int32_t k = by_row[i], to = count[s->col[k]]++;
    s->from[to] = k;
    s->at[to] = s->row[k];
  }
  return BRINK_OK;
}

static brink_status analyse(brink__pool *pool, brink__symbolic *s)
{
  size_t n = s->n, nnz = s->nnz;
  brink__pool tmp = {.ctx = pool->ctx};

  s->start = brink__pool_take(pool, (n + 1) * sizeof *s->start);
  s->at = brink__pool_take(pool, nnz * sizeof *s->at);
  s->from = brink__pool_take(pool, nnz * sizeof *s->from);
  s->order = brink__pool_take(pool, n * sizeof *s->order);
  if (!s->start || !s->at || !s->from || !s->order)
    return BRINK_ENOMEM;
  brink_status rc = compress(&tmp, s);
  if (rc == BRINK_OK)
    rc = brink__fill_order(s, pool->ctx, s->order, &s->products);
  unsigned char *seen = brink__pool_take(&tmp, n);
  if (rc == BRINK_OK && !seen)
    rc = BRINK_ENOMEM;
  if (rc == BRINK_OK)
    s->odd = brink__is_odd(n, s->order, seen);
  brink__pool_drop(&tmp);
  return rc;
}

brink_status brink__symbolic_new(brink__pool *pool, size_t n, size_t nnz,
                                 const int32_t *row, const int32_t *col,
                                 brink__symbolic **out)
{
  brink__symbolic *s = brink__pool_take(pool, sizeof *s);
  brink_status rc = s ? BRINK_OK : BRINK_ENOMEM;

  *out = NULL;
  if (s) {
    *s = (brink__symbolic){.n = n, .nnz = nnz, .row = row, .col = col};
    s->sparse = brink__fill_order_here() && n >= SPARSE_FROM && nnz <= MOST_ENTRIES &&
                nnz <= n * n / FILLED_MOST;
    if (s->sparse)
      rc = analyse(pool, s);
  }
  if (rc < 0)
    return brink__fail(&pool->ctx->err, BRINK_ENOMEM,
                       "out of memory: the pattern of %zu equations", n);
  *out = s;
  return BRINK_OK;
}
