/* blocks.c -- sorting equations into blocks, and telling what is in excess.
 *
 * Blocks ......... strongly connected components by Tarjan's algorithm [Tarjan72] on
 *                  an explicit stack; they come out with what they depend on first,
 *                  which is the order of evaluation.  Linear.
 * Excess ......... the over- and underdetermined parts of Dulmage and Mendelsohn
 *                  [DM58; PF90], by alternating paths from what is unmatched.  Linear.
 */
#include "structure/structure.h"

#include <string.h>

/* -------------------------------------------------------------- blocks --- */

typedef struct tarjan {
  const size_t *start;
  const int32_t *to;
  brink__components *out;
  int32_t *index;         /* [n] order of discovery from 1, 0: not yet          */
  int32_t *low;           /* [n] least index on the stack that is reached       */
  int32_t *call;          /* [n] the path of the deep search                    */
  int32_t *stack;         /* [n] vertices without a component                   */
  size_t *next;           /* [n] next edge to follow                            */
  unsigned char *waiting; /* [n] on `stack`                                     */
  size_t n_call, n_stack, n_done;
  int32_t seen;
} tarjan;

static void open(tarjan *t, int32_t v)
{
  t->index[v] = t->low[v] = ++t->seen;
  t->next[v] = t->start[v];
  t->call[t->n_call++] = v;
  t->stack[t->n_stack++] = v;
  t->waiting[v] = 1;
}

/* All edges of v are followed: close it, and its component if it is the root. */
static void leave(tarjan *t, int32_t v)
{
  t->n_call--;
  if (t->n_call > 0) {
    int32_t u = t->call[t->n_call - 1];
    if (t->low[v] < t->low[u])
      t->low[u] = t->low[v];
  }
  if (t->low[v] != t->index[v])
    return;
  int32_t w;
  do {
    w = t->stack[--t->n_stack];
    t->waiting[w] = 0;
    t->out->order[t->n_done++] = w;
  } while (w != v);
  t->out->first[++t->out->count] = t->n_done;
}

static void visit(tarjan *t, int32_t root)
{
  open(t, root);
  while (t->n_call > 0) {
    int32_t v = t->call[t->n_call - 1];
    if (t->next[v] == t->start[v + 1]) {
      leave(t, v);
      continue;
    }
    int32_t w = t->to[t->next[v]++];
    if (t->index[w] == 0)
      open(t, w);
    else if (t->waiting[w] && t->index[w] < t->low[v])
      t->low[v] = t->index[w];
  }
}

brink_status brink__blocks(brink_ctx *ctx, size_t n, const size_t *start,
                           const int32_t *to, brink__components *out)
{
  brink__block block;
  tarjan t = {.start = start, .to = to, .out = out};
  size_t need = brink__need(0, n, 4 * sizeof(int32_t));

  need = brink__need(need, n, sizeof(size_t));
  need = brink__need(need, n, 1);
  BRINK_TRY(brink__block_new(ctx, need, &block));
  t.index = brink__carve(&block, n, 4 * sizeof(int32_t));
  t.low = t.index + n;
  t.call = t.low + n;
  t.stack = t.call + n;
  t.next = brink__carve(&block, n, sizeof(size_t));
  t.waiting = brink__carve(&block, n, 1);
  out->count = 0;
  out->first[0] = 0;
  for (size_t v = 0; v < n; v++)
    if (t.index[v] == 0)
      visit(&t, (int32_t)v);
  brink__block_drop(&block);
  return BRINK_OK;
}

/* -------------------------------------------------------------- excess --- */

/* Rows reached from unmatched rows: row -> any column -> its row. */
static void from_rows(const brink__incidence *inc, const int32_t *col_of,
                      const int32_t *row_of, int32_t *queue, brink__excess *out)
{
  size_t head = 0, tail = 0;

  for (size_t i = 0; i < inc->n_rows; i++)
    if (col_of[i] < 0) {
      out->over[i] = 1;
      queue[tail++] = (int32_t)i;
    }
  while (head < tail) {
    size_t i = (size_t)queue[head++];
    for (size_t e = inc->start[i]; e < inc->start[i + 1]; e++) {
      int32_t j = inc->col[e], r = row_of[j];
      out->bound[j] = 1;
      if (r >= 0 && !out->over[r]) {
        out->over[r] = 1;
        queue[tail++] = r;
      }
    }
  }
}

/* Columns reached from unmatched columns: column -> any row of it -> its column. */
static void from_cols(const brink__incidence *inc, const int32_t *col_of,
                      const int32_t *row_of, const size_t *start, const int32_t *row,
                      int32_t *queue, brink__excess *out)
{
  size_t head = 0, tail = 0;

  for (size_t j = 0; j < inc->n_cols; j++)
    if (row_of[j] < 0) {
      out->under[j] = 1;
      queue[tail++] = (int32_t)j;
    }
  while (head < tail) {
    size_t j = (size_t)queue[head++];
    for (size_t e = start[j]; e < start[j + 1]; e++) {
      int32_t i = row[e], c = col_of[i];
      out->loose[i] = 1;
      if (c >= 0 && !out->under[c]) {
        out->under[c] = 1;
        queue[tail++] = c;
      }
    }
  }
}

static void transpose(const brink__incidence *inc, size_t *start, int32_t *row)
{
  size_t nnz = inc->start[inc->n_rows];

  for (size_t e = 0; e < nnz; e++)
    start[inc->col[e] + 1]++;
  for (size_t j = 0; j < inc->n_cols; j++)
    start[j + 1] += start[j];
  for (size_t i = inc->n_rows; i-- > 0;)
    for (size_t e = inc->start[i]; e < inc->start[i + 1]; e++)
      row[--start[inc->col[e] + 1]] = (int32_t)i;

  /* filling from the back has moved each end to its beginning */
  memmove(start, start + 1, inc->n_cols * sizeof *start);
  start[inc->n_cols] = nnz;
}

brink_status brink__coarse(brink_ctx *ctx, const brink__incidence *inc,
                           const int32_t *col_of, const int32_t *row_of,
                           brink__excess *out)
{
  size_t nnz = inc->start[inc->n_rows];
  size_t most = brink__zmax(inc->n_rows, inc->n_cols);
  brink__block block;
  size_t need = brink__need(0, most, sizeof(int32_t));

  need = brink__need(need, inc->n_cols + 1, sizeof(size_t));
  need = brink__need(need, nnz, sizeof(int32_t));
  BRINK_TRY(brink__block_new(ctx, need, &block));
  int32_t *queue = brink__carve(&block, most, sizeof(int32_t));
  size_t *start = brink__carve(&block, inc->n_cols + 1, sizeof(size_t));
  int32_t *row = brink__carve(&block, nnz, sizeof(int32_t));
  memset(out->over, 0, inc->n_rows);
  memset(out->loose, 0, inc->n_rows);
  memset(out->bound, 0, inc->n_cols);
  memset(out->under, 0, inc->n_cols);
  transpose(inc, start, row);
  from_rows(inc, col_of, row_of, queue, out);
  from_cols(inc, col_of, row_of, start, row, queue, out);
  brink__block_drop(&block);
  return BRINK_OK;
}
