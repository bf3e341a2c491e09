/* transversal.c -- a highest-value transversal of a sparse signature matrix.
 *
 * The assignment problem "maximise the sum of sigma" by shortest augmenting paths
 * [JV87], with potentials u_i, v_j that keep every reduced cost
 *
 *   r_ij = v_j - u_i - sigma_ij >= 0,   and r_ij = 0 on what is matched.
 *
 * Start: v_j = largest entry of the column, u_i = smallest v_j - sigma_ij of the row,
 * and a maximum matching of the entries with r = 0, which for equations as people write
 * them leaves few rows over.  For each of these the shortest path to a free column is
 * found by Dijkstra's algorithm; it looks at what the path can reach, so independent
 * parts of a model cost nothing to each other.
 */
#include "structure/heap.h"
#include "structure/sigma.h"

typedef struct work {
  const brink__sigma *s;
  int32_t *col_of, *row_of;
  int64_t *u, *v;

  brink__heap heap;    /* of columns; keys are distances from the free row           */
  int32_t *from;       /* [n_cols] row before the column on its shortest path         */
  unsigned char *seen; /* [n_cols] 1: has a distance                                  */
  int32_t *touched;    /* [n_cols] columns that have a distance, to forget them       */
  size_t n_touched;
} work;

/* --------------------------------------------------------------- start --- */

static void potentials(work *w)
{
  const brink__sigma *s = w->s;

  for (size_t j = 0; j < s->n_cols; j++)
    w->v[j] = 0;
  for (size_t e = 0; e < s->start[s->n_rows]; e++)
    if (s->order[e] > w->v[s->col[e]])
      w->v[s->col[e]] = s->order[e];
  for (size_t i = 0; i < s->n_rows; i++) {
    w->u[i] = INT64_MAX;
    for (size_t e = s->start[i]; e < s->start[i + 1]; e++)
      if (w->v[s->col[e]] - s->order[e] < w->u[i])
        w->u[i] = w->v[s->col[e]] - s->order[e];
  }
}

/* Match what can be matched at no reduced cost. */
static brink_status first_matching(brink_ctx *ctx, work *w)
{
  const brink__sigma *s = w->s;
  size_t nnz = s->start[s->n_rows], n = 0, size;
  brink__block block;
  size_t need = brink__need(0, s->n_rows + 1, sizeof(size_t));

  BRINK_TRY(brink__block_new(ctx, brink__need(need, nnz, sizeof(int32_t)), &block));
  size_t *start = brink__carve(&block, s->n_rows + 1, sizeof *start);
  int32_t *col = brink__carve(&block, nnz, sizeof *col);
  for (size_t i = 0; i < s->n_rows; i++) {
    w->col_of[i] = -1;
    for (size_t e = s->start[i]; e < s->start[i + 1]; e++)
      if (w->v[s->col[e]] - w->u[i] == s->order[e])
        col[n++] = s->col[e];
    start[i + 1] = n;
  }
  for (size_t j = 0; j < s->n_cols; j++)
    w->row_of[j] = -1;
  brink__incidence tight = {s->n_rows, s->n_cols, start, col};
  brink_status rc = brink__match(ctx, &tight, w->col_of, w->row_of, &size);
  brink__block_drop(&block);
  return rc;
}

/* --------------------------------------------------------------- paths --- */

/* Look along the entries of a row that is reached at the given distance. */
static void scan(work *w, int32_t i, int64_t distance)
{
  const brink__sigma *s = w->s;

  for (size_t e = s->start[i]; e < s->start[i + 1]; e++) {
    int32_t j = s->col[e];
    int64_t d = distance + w->v[j] - w->u[i] - s->order[e];
    if (w->seen[j] && d >= w->heap.key[j])
      continue;
    if (!w->seen[j])
      w->touched[w->n_touched++] = j;
    w->seen[j] = 1;
    w->from[j] = i;
    brink__heap_lower(&w->heap, j, d);
  }
}

/* Columns nearer than the end of the path, and their rows, take up the difference, so
 * that r stays >= 0 and becomes 0 along the path. */
static void shift(work *w, int32_t root, int64_t length)
{
  w->u[root] += length;
  for (size_t k = 0; k < w->n_touched; k++) {
    int32_t j = w->touched[k];
    int64_t less = length - w->heap.key[j];
    if (w->heap.at[j] < 0 && less > 0) {
      w->v[j] += less;
      w->u[w->row_of[j]] += less;
    }
  }
}

static void flip(work *w, int32_t root, int32_t j)
{
  for (int32_t i = -1; i != root;) {
    i = w->from[j];
    int32_t before = w->col_of[i];
    w->col_of[i] = j;
    w->row_of[j] = i;
    j = before;
  }
}

static void forget(work *w)
{
  for (size_t k = 0; k < w->n_touched; k++) {
    w->seen[w->touched[k]] = 0;
    w->heap.at[w->touched[k]] = -1;
  }
  w->n_touched = w->heap.n = 0;
}

/* A shortest path from a free row; 0: no free column can be reached. */
static int augment(work *w, int32_t root)
{
  int found = 0;

  scan(w, root, 0);
  while (w->heap.n > 0 && !found) {
    int32_t j = brink__heap_take(&w->heap);
    if (w->row_of[j] >= 0) {
      scan(w, w->row_of[j], w->heap.key[j]);
      continue;
    }
    shift(w, root, w->heap.key[j]);
    flip(w, root, j);
    found = 1;
  }
  forget(w);
  return found;
}

brink_status brink__transversal(brink_ctx *ctx, const brink__sigma *sigma,
                                int32_t *col_of, int32_t *row_of, int64_t *u,
                                int64_t *v)
{
  size_t n = sigma->n_cols;
  brink__block block;
  work w = {.s = sigma, .col_of = col_of, .row_of = row_of, .u = u, .v = v};
  size_t need = brink__need(0, n, sizeof(int64_t));

  need = brink__need(need, n, 4 * sizeof(int32_t));
  BRINK_TRY(brink__block_new(ctx, brink__need(need, n, 1), &block));
  w.heap.key = brink__carve(&block, n, sizeof(int64_t));
  w.heap.item = brink__carve(&block, n, 4 * sizeof(int32_t));
  w.heap.at = w.heap.item + n;
  w.from = w.heap.at + n;
  w.touched = w.from + n;
  w.seen = brink__carve(&block, n, 1);
  for (size_t j = 0; j < n; j++)
    w.heap.at[j] = -1;
  potentials(&w);
  brink_status rc = first_matching(ctx, &w);
  for (size_t i = 0; i < sigma->n_rows && rc == BRINK_OK; i++)
    if (col_of[i] < 0 && !augment(&w, (int32_t)i))
      rc = brink__fail(&ctx->err, BRINK_EBUG,
                       "row %zu of a signature matrix is in no transversal", i);
  brink__block_drop(&block);
  return rc;
}
