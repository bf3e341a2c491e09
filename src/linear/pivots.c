/* pivots.c -- pivots of a sparse matrix, and where its factors have elements.
 *
 * Factors column by column, to the left [GP88]: column k of L and U solves L x = a_k,
 * where the rows of x that are not zero are those that can be reached from the rows of
 * a_k in the graph of L; a search by depth finds them in an order in which x can be
 * computed.  The pivot is the element on the diagonal, for which the order was made,
 * unless it is too small, as in KLU [DP10].  The factors themselves are thrown away:
 * what follows from their pattern, and is done in every step, is in sparse_lu.c.
 *
 * Cost: a few times the products of the factors.  All memory is the context's.
 */
#include "linear/sparse_lu.h"

#include <math.h>
#include <string.h>

/* An element on the diagonal is the pivot if it is not smaller than the largest one
 * below by more than this: the equation then determines its own unknown, for which the
 * order has little fill.  Usual is 0.001; the unknowns here become parts of right-hand
 * sides, and are wanted to the last digits. */
static const double DIAGONAL_LEAST = 0.1;

typedef struct elimination {
  const brink__symbolic *s;
  brink_ctx *ctx;
  const double *value; /* [parts nnz] the matrix                                     */
  size_t parts;        /* 1: real, 2: complex                                        */
  brink__block block;
  int32_t *l_start, *u_start; /* [n + 1]                                             */
  int32_t *pivot;       /* [n] row of pivot k                                        */
  int32_t *place;       /* [n] pivot of a row, -1: it is none yet                    */
  int32_t *diagonal;    /* [n] the row that is preferred as pivot k ...              */
  int32_t *preferred;   /* [n] ... and the pivot for which a row is                  */
  int32_t *reached;     /* [n] rows of U, the last first                             */
  int32_t *path, *next; /* [n] of the search: rows, and elements to look at next     */
  int32_t *seen;        /* [n] the last column + 1 that has reached a row            */
  double *x;            /* [parts n] zeros between columns                           */
  int32_t *l_row, *u_row; /* rows of L by their number in the matrix, of U by pivots */
  double *l;              /* values of L                                             */
  size_t l_room, value_room, u_room;
} elimination;

/* --------------------------------------------------------------- memory ---- */

static brink_status open(elimination *e)
{
  size_t n = e->s->n, integers = 2 * (n + 1) + 8 * n;
  size_t need = brink__need(0, integers, sizeof(int32_t));

  BRINK_TRY(brink__block_new(e->ctx, brink__need(need, e->parts * n, sizeof(double)),
                             &e->block));
  e->l_start = brink__carve(&e->block, integers, sizeof(int32_t));
  e->u_start = e->l_start + n + 1;
  e->pivot = e->u_start + n + 1;
  e->place = e->pivot + n;
  e->diagonal = e->place + n;
  e->preferred = e->diagonal + n;
  e->reached = e->preferred + n;
  e->path = e->reached + n;
  e->next = e->path + n;
  e->seen = e->next + n;
  e->x = brink__carve(&e->block, e->parts * n, sizeof(double));
  for (size_t k = 0; k < n; k++) {
    e->place[k] = -1;
    e->diagonal[k] = e->s->order[k];
    e->preferred[e->s->order[k]] = (int32_t)k;
  }
  return BRINK_OK;
}

static void close(elimination *e)
{
  brink__free(e->ctx, e->l_row, e->l_room * sizeof *e->l_row);
  brink__free(e->ctx, e->u_row, e->u_room * sizeof *e->u_row);
  brink__free(e->ctx, e->l, e->value_room * sizeof *e->l);
  brink__block_drop(&e->block);
}

/* Room for column k, whatever it has. */
static brink_status make_room(elimination *e, size_t k)
{
  size_t l = (size_t)e->l_start[k] + e->s->n - k, u = (size_t)e->u_start[k] + k + 1;

  if (l > INT32_MAX || u > INT32_MAX)
    return BRINK_ENOMEM;
  BRINK_TRY(brink__grow(e->ctx, (void **)&e->l_row, &e->l_room, l, sizeof *e->l_row));
  BRINK_TRY(
      brink__grow(e->ctx, (void **)&e->l, &e->value_room, e->parts * l, sizeof *e->l));
  return brink__grow(e->ctx, (void **)&e->u_row, &e->u_room, u, sizeof *e->u_row);
}

/* --------------------------------------------------------------- search ---- */

/* Everything that can be reached from a row which is a pivot goes in front of
 * reached[top], or into column k of L, which so far ends at *l_end.  Returns the new
 * top. */
static int32_t search(elimination *e, int32_t row, int32_t k, int32_t top,
                      int32_t *l_end)
{
  int32_t depth = 0;

  e->path[0] = row;
  e->next[0] = e->l_start[e->place[row]] + 1;
  while (depth >= 0) {
    int32_t j = e->place[e->path[depth]], q = e->next[depth], deeper = -1;
    for (; q < e->l_start[j + 1] && deeper < 0; q++) {
      int32_t r = e->l_row[q];
      if (e->seen[r] == k + 1)
        continue;
      e->seen[r] = k + 1;
      if (e->place[r] < 0)
        e->l_row[(*l_end)++] = r;
      else
        deeper = r;
    }
    e->next[depth] = q;
    if (deeper < 0) {
      e->reached[--top] = e->path[depth--];
    } else {
      e->path[++depth] = deeper;
      e->next[depth] = e->l_start[e->place[deeper]] + 1;
    }
  }
  return top;
}

/* The places of column k, and the column of the matrix in x. */
static int32_t find_places(elimination *e, int32_t k, int32_t *l_end)
{
  const brink__symbolic *s = e->s;
  int32_t column = s->order[k], top = (int32_t)s->n;

  *l_end = e->l_start[k];
  for (int32_t p = s->start[column]; p < s->start[column + 1]; p++) {
    int32_t row = s->at[p];
    for (size_t c = 0; c < e->parts; c++)
      e->x[e->parts * (size_t)row + c] = e->value[e->parts * (size_t)p + c];
    if (e->seen[row] == k + 1)
      continue;
    e->seen[row] = k + 1;
    if (e->place[row] < 0)
      e->l_row[(*l_end)++] = row;
    else
      top = search(e, row, k, top, l_end);
  }
  return top;
}

/* -------------------------------------------------------------- numbers ---- */

/* x -= u times column j of L. */
static void subtract(elimination *e, int32_t j, const double *u)
{
  for (int32_t q = e->l_start[j] + 1; q < e->l_start[j + 1]; q++) {
    double *x = e->x + e->parts * (size_t)e->l_row[q];
    const double *l = e->l + e->parts * (size_t)q;
    x[0] -= l[0] * u[0];
    if (e->parts == 2) {
      x[0] += l[1] * u[1];
      x[1] -= l[0] * u[1] + l[1] * u[0];
    }
  }
}

static void solve_column(elimination *e, int32_t k, int32_t top)
{
  int32_t u_end = e->u_start[k];

  for (int32_t r = top; r < (int32_t)e->s->n; r++) {
    int32_t j = e->place[e->reached[r]];
    double *x = e->x + e->parts * (size_t)e->reached[r], u[2] = {0, 0};
    for (size_t c = 0; c < e->parts; c++) {
      u[c] = x[c];
      x[c] = 0;
    }
    e->u_row[u_end++] = j;
    if (u[0] != 0 || u[1] != 0)
      subtract(e, j, u);
  }
  e->u_row[u_end++] = k;
  e->u_start[k + 1] = u_end;
}

static double size_of(const elimination *e, int32_t row)
{
  const double *x = e->x + e->parts * (size_t)row;

  return e->parts == 1 ? fabs(x[0]) : hypot(x[0], x[1]);
}

/* The element of column k of L that becomes its pivot, -1: all are zero. */
static int32_t choose(const elimination *e, int32_t k, int32_t l_end)
{
  int32_t best = -1, on_diagonal = -1;
  double most = 0;

  for (int32_t q = e->l_start[k]; q < l_end; q++) {
    double size = size_of(e, e->l_row[q]);
    if (size > most) {
      most = size;
      best = q;
    }
    if (e->l_row[q] == e->diagonal[k])
      on_diagonal = q;
  }
  if (on_diagonal >= 0 && best >= 0 &&
      size_of(e, e->diagonal[k]) >= DIAGONAL_LEAST * most)
    return on_diagonal;
  return best;
}

/* Row `row` is pivot k.  If it was preferred for another one, that has the row which
 * was preferred here. */
static void assign(elimination *e, int32_t k, int32_t row)
{
  int32_t left = e->diagonal[k], other = e->preferred[row];

  e->pivot[k] = row;
  e->place[row] = k;
  e->diagonal[other] = left;
  e->preferred[left] = other;
}

/* Column k of L over its pivot, which becomes its first element. */
static void divide(elimination *e, int32_t k, int32_t l_end, int32_t pivot)
{
  int32_t first = e->l_start[k], row = e->l_row[pivot];
  const double *d = e->x + e->parts * (size_t)row;
  double re = d[0], im = e->parts == 2 ? d[1] : 0, norm = re * re + im * im;

  e->l_row[pivot] = e->l_row[first];
  e->l_row[first] = row;
  for (int32_t q = first; q < l_end; q++) {
    double *x = e->x + e->parts * (size_t)e->l_row[q];
    double *l = e->l + e->parts * (size_t)q;
    if (e->parts == 1) {
      l[0] = x[0] / re;
    } else {
      l[0] = (x[0] * re + x[1] * im) / norm;
      l[1] = (x[1] * re - x[0] * im) / norm;
    }
  }
  for (int32_t q = first; q < l_end; q++)
    memset(e->x + e->parts * (size_t)e->l_row[q], 0, e->parts * sizeof *e->x);
  e->l_start[k + 1] = l_end;
}

static brink_status eliminate(elimination *e, size_t *column)
{
  for (int32_t k = 0; k < (int32_t)e->s->n; k++) {
    int32_t l_end;
    BRINK_TRY(make_room(e, (size_t)k));
    int32_t top = find_places(e, k, &l_end);
    solve_column(e, k, top);
    int32_t pivot = choose(e, k, l_end);
    if (pivot < 0) {
      *column = (size_t)e->s->order[k];
      return BRINK_EDOMAIN;
    }
    int32_t row = e->l_row[pivot];
    divide(e, k, l_end, pivot);
    assign(e, k, row);
  }
  return BRINK_OK;
}

/* -------------------------------------------------------------- pattern ---- */

/* Make the rows of each column increase: columns are listed by rows, rows are then gone
 * through in turn.  list: [n + 1] zeros, then [start[n]]. */
static void sort_rows(size_t n, const int32_t *start, int32_t *row, int32_t *list,
                      int32_t *end)
{
  int32_t *column = list + n + 1;

  for (int32_t q = 0; q < start[n]; q++)
    list[row[q] + 1]++;
  for (size_t i = 0; i < n; i++)
    list[i + 1] += list[i];
  for (size_t k = 0; k < n; k++) {
    end[k] = start[k];
    for (int32_t q = start[k]; q < start[k + 1]; q++)
      column[list[row[q]]++] = (int32_t)k;
  }
  for (int32_t i = 0, q = 0; i < (int32_t)n; i++)
    for (; q < list[i]; q++)
      row[end[column[q]]++] = i;
}

static brink_status sort(elimination *e, const int32_t *start, int32_t *row)
{
  size_t n = e->s->n, integers = n + 1 + (size_t)start[n];
  brink__block block;

  BRINK_TRY(
      brink__block_new(e->ctx, brink__need(0, integers, sizeof(int32_t)), &block));
  sort_rows(n, start, row, brink__carve(&block, integers, sizeof(int32_t)), e->path);
  brink__block_drop(&block);
  return BRINK_OK;
}

static brink_status gather(elimination *e, brink__lu_pattern *out)
{
  size_t n = e->s->n;

  for (int32_t q = 0; q < e->l_start[n]; q++)
    e->l_row[q] = e->place[e->l_row[q]];
  BRINK_TRY(sort(e, e->l_start, e->l_row));
  BRINK_TRY(sort(e, e->u_start, e->u_row));
  return brink__lu_pattern_new(
      e->ctx,
      &(brink__lu_places){n, e->l_start, e->l_row, e->u_start, e->u_row, e->pivot},
      out);
}

brink_status brink__choose_pivots(const brink__symbolic *s, brink_ctx *ctx,
                                  const double *value, int parts,
                                  brink__lu_pattern *out, size_t *column)
{
  elimination e = {.s = s, .ctx = ctx, .value = value, .parts = (size_t)parts};
  brink_status rc = open(&e);

  if (rc == BRINK_OK)
    rc = eliminate(&e, column);
  if (rc == BRINK_OK)
    rc = gather(&e, out);
  close(&e);
  return rc == BRINK_ENOMEM
             ? brink__fail(&ctx->err, rc, "out of memory: the factors of %zu equations",
                           s->n)
             : rc;
}
