/* match.c -- maximum matching of equations and unknowns.
 *
 * After Hopcroft and Karp [HK73]: phases of augmenting paths, each phase one
 * breadth-first layering and one depth-first search per free row, without recursion.
 * The paths go along the layers and need not be the shortest, so their bound of
 * O(E sqrt(V)) is not proved here.  Cost: O(E V) at worst, near linear on the patterns
 * of models, all the more when the caller starts from the matching that the form of the
 * equations suggests.
 */
#include "structure/structure.h"

#include <string.h>

enum { FAR = -1 }; /* not reached */

typedef struct search {
  const brink__incidence *inc;
  int32_t *col_of, *row_of;
  int32_t *layer; /* [n_rows] distance from a free row            */
  int32_t *queue; /* [n_rows] also the stack of the deep search   */
  size_t *next;   /* [n_rows] next edge to try                    */
} search;

/* Give every free row its first free column. */
static size_t greedy(search *s)
{
  const brink__incidence *inc = s->inc;
  size_t size = 0;

  for (size_t i = 0; i < inc->n_rows; i++) {
    for (size_t e = inc->start[i]; e < inc->start[i + 1] && s->col_of[i] < 0; e++)
      if (s->row_of[inc->col[e]] < 0) {
        s->col_of[i] = inc->col[e];
        s->row_of[inc->col[e]] = (int32_t)i;
      }
    size += s->col_of[i] >= 0;
  }
  return size;
}

/* Layers of rows by alternating paths from free rows; 1 if a free column is seen. */
static int layers(search *s)
{
  const brink__incidence *inc = s->inc;
  size_t head = 0, tail = 0;
  int found = 0;

  for (size_t i = 0; i < inc->n_rows; i++) {
    s->layer[i] = s->col_of[i] < 0 ? 0 : FAR;
    if (s->col_of[i] < 0)
      s->queue[tail++] = (int32_t)i;
  }
  while (head < tail) {
    size_t i = (size_t)s->queue[head++];
    for (size_t e = inc->start[i]; e < inc->start[i + 1]; e++) {
      int32_t r = s->row_of[inc->col[e]];
      if (r < 0) {
        found = 1;
      } else if (s->layer[r] == FAR) {
        s->layer[r] = s->layer[i] + 1;
        s->queue[tail++] = r;
      }
    }
  }
  return found;
}

/* Flip the path whose rows are on the stack; the last one takes column j. */
static void flip(search *s, size_t depth, int32_t j)
{
  for (size_t d = depth; d-- > 0;) {
    int32_t row = s->queue[d], before = s->col_of[row];
    s->col_of[row] = j;
    s->row_of[j] = row;
    j = before;
  }
}

/* One augmenting path along the layers from a free row. */
static int augment(search *s, int32_t root)
{
  const brink__incidence *inc = s->inc;
  size_t depth = 0;

  s->queue[depth++] = root;
  while (depth > 0) {
    int32_t i = s->queue[depth - 1];
    if (s->next[i] == inc->start[i + 1]) {
      s->layer[i] = FAR;
      depth--;
      continue;
    }
    int32_t j = inc->col[s->next[i]++], r = s->row_of[j];
    if (r < 0) {
      flip(s, depth, j);
      return 1;
    }
    if (s->layer[r] == s->layer[i] + 1)
      s->queue[depth++] = r;
  }
  return 0;
}

brink_status brink__match(brink_ctx *ctx, const brink__incidence *inc, int32_t *col_of,
                          int32_t *row_of, size_t *size)
{
  size_t n = inc->n_rows, need = brink__need(0, n, 2 * sizeof(int32_t));
  brink__block block;
  search s = {.inc = inc, .col_of = col_of, .row_of = row_of};

  need = brink__need(need, n, sizeof(size_t));
  BRINK_TRY(brink__block_new(ctx, need, &block));
  s.layer = brink__carve(&block, n, 2 * sizeof(int32_t));
  s.queue = s.layer + n;
  s.next = brink__carve(&block, n, sizeof(size_t));
  *size = greedy(&s);
  while (*size < n && layers(&s)) {
    memcpy(s.next, inc->start, n * sizeof(size_t));
    for (size_t i = 0; i < n; i++)
      if (col_of[i] < 0)
        *size += (size_t)augment(&s, (int32_t)i);
  }
  brink__block_drop(&block);
  return BRINK_OK;
}
