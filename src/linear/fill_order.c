/* fill_order.c -- an order of elimination with little fill, by AMD [ADD04].
 *
 * Rows and columns have the same order: pivots are on the diagonal where they can be
 * (pivots.c).  AMD is asked through amd_2, which works in memory of the caller:
 * everything is the context's.  (amd_order and KLU take theirs from malloc, by a hook
 * that all of a process share.)  It wants the pattern of A + A' without the diagonal,
 * and destroys it.
 */
#include "linear/linear.h"

#include <amd.h>

/* AMD needs room for n numbers beside the pattern; with a fifth of it more it hardly
 * ever has to move lists together. */
enum { SPARE = 5 };

/* ... and so many arrays of n. */
enum { ARRAYS = 9 };

int brink__fill_order_here(void) { return 1; }

/* The columns of each row, increasing. */
static void list_columns(const brink__symbolic *s, int32_t *start, int32_t *col)
{
  size_t n = s->n;

  for (size_t p = 0; p < s->nnz; p++)
    start[s->at[p] + 1]++;
  for (size_t i = 0; i < n; i++)
    start[i + 1] += start[i];
  for (size_t j = 0; j < n; j++)
    for (int32_t p = s->start[j]; p < s->start[j + 1]; p++)
      col[start[s->at[p]]++] = (int32_t)j;
  for (size_t i = n; i > 0; i--)
    start[i] = start[i - 1];
  start[0] = 0;
}

/* The places of row i of A + A' but for the diagonal: rows of column i and columns of
 * row i, both increasing.  Returns how many; out may be NULL. */
static int32_t neighbours(const brink__symbolic *s, const int32_t *start,
                          const int32_t *col, int32_t i, int32_t *out)
{
  int32_t p = s->start[i], q = start[i], n = 0;

  while (p < s->start[i + 1] || q < start[i + 1]) {
    int32_t a = p < s->start[i + 1] ? s->at[p] : INT32_MAX;
    int32_t b = q < start[i + 1] ? col[q] : INT32_MAX, next = a < b ? a : b;
    p += a == next;
    q += b == next;
    if (next == i)
      continue;
    if (out)
      out[n] = next;
    n++;
  }
  return n;
}

/* The order, where the pattern of A + A' has `total` places. */
static brink_status order_by_amd(const brink__symbolic *s, brink_ctx *ctx,
                                 const int32_t *start, const int32_t *col, size_t total,
                                 int32_t *order, double *products)
{
  size_t n = s->n, room = total + total / SPARE + n;
  double info[AMD_INFO];
  brink__block block;

  BRINK_TRY(brink__block_new(ctx, brink__need(0, room + ARRAYS * n, sizeof(int32_t)),
                             &block));
  int32_t *list = brink__carve(&block, room + ARRAYS * n, sizeof(int32_t));
  int32_t *first = list + room, *length = first + n, *work = length + n;
  int32_t used = 0;
  for (size_t i = 0; i < n; i++) {
    first[i] = used;
    length[i] = neighbours(s, start, col, (int32_t)i, list + used);
    used += length[i];
  }
  amd_2((int)n, first, list, length, (int)room, used, work, work + n, work + 2 * n,
        work + 3 * n, work + 4 * n, work + 5 * n, work + 6 * n, NULL, info);
  memcpy(order, work + 2 * n, n * sizeof *order);
  *products = info[AMD_NMULTSUBS_LU] + info[AMD_NDIV] / 2;
  brink__block_drop(&block);
  return BRINK_OK;
}

brink_status brink__fill_order(const brink__symbolic *s, brink_ctx *ctx, int32_t *order,
                               double *products)
{
  size_t integers = s->n + 1 + s->nnz, total = 0;
  brink__block block;

  BRINK_TRY(brink__block_new(ctx, brink__need(0, integers, sizeof(int32_t)), &block));
  int32_t *start = brink__carve(&block, integers, sizeof(int32_t));
  int32_t *col = start + s->n + 1;
  list_columns(s, start, col);
  for (size_t i = 0; i < s->n; i++)
    total += (size_t)neighbours(s, start, col, (int32_t)i, NULL);
  brink_status rc = order_by_amd(s, ctx, start, col, total, order, products);
  brink__block_drop(&block);
  return rc;
}
