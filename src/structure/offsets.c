/* offsets.c -- the smallest offsets of a signature matrix with a given transversal.
 *
 * With k the row matched to column j, d_j - c_i >= sigma_ij and d_j - c_k = sigma_kj
 * say
 *
 *   c_k >= c_i + sigma_ij - sigma_kj   for every entry (i, j),   and c_k >= 0.
 *
 * The smallest solution is a longest path from any row.  Repeating the assignment until
 * nothing changes [Pryce01] finds it in as many sweeps as the path is long.  Potentials
 * u, v that satisfy the same inequalities are known from the transversal: with
 * c_k = u_k - e_k the lengths become v_j - u_i - sigma_ij >= 0, and e is found by
 * Dijkstra's algorithm from all rows at once, each at distance u_i.
 */
#include "structure/heap.h"
#include "structure/sigma.h"

static void shortest(const brink__sigma *s, const int32_t *row_of, const int64_t *u,
                     const int64_t *v, brink__heap *heap)
{
  for (size_t i = 0; i < s->n_rows; i++)
    brink__heap_lower(heap, (int32_t)i, u[i]);
  while (heap->n > 0) {
    int32_t i = brink__heap_take(heap);
    for (size_t e = s->start[i]; e < s->start[i + 1]; e++) {
      int32_t j = s->col[e], k = row_of[j];
      int64_t key = heap->key[i] + v[j] - u[i] - s->order[e];
      if (key < heap->key[k])
        brink__heap_lower(heap, k, key);
    }
  }
}

brink_status brink__smallest_offsets(brink_ctx *ctx, const brink__sigma *sigma,
                                     const int32_t *col_of, const int32_t *row_of,
                                     const int64_t *u, const int64_t *v, int32_t *c,
                                     int32_t *d)
{
  size_t n = sigma->n_rows;
  brink__block block;
  brink__heap heap = {.n = 0};
  size_t need = brink__need(0, n, sizeof(int64_t));

  BRINK_TRY(brink__block_new(ctx, brink__need(need, n, 2 * sizeof(int32_t)), &block));
  heap.key = brink__carve(&block, n, sizeof(int64_t));
  heap.item = brink__carve(&block, n, 2 * sizeof(int32_t));
  heap.at = heap.item + n;
  for (size_t i = 0; i < n; i++)
    heap.at[i] = -1;
  shortest(sigma, row_of, u, v, &heap);
  for (size_t i = 0; i < n; i++) {
    c[i] = (int32_t)(u[i] - heap.key[i]);
    d[col_of[i]] = (int32_t)(v[col_of[i]] - heap.key[i]);
  }
  brink__block_drop(&block);
  return BRINK_OK;
}
