/* pattern.c -- the pattern of df/dy that a mode of callbacks claims. */
#include "model/callback.h"

#include <string.h>

/* Places by columns: start[j] is the first of column j, order lists the user's numbers,
 * in each column by rows.  Two passes of counting: rows, then columns. */
typedef struct sorted {
  int32_t *start; /* [n + 1] */
  int32_t *order; /* [nnz]   */
  int32_t *other; /* [nnz]   scratch */
} sorted;

/* order becomes `from`, sorted by key, stably. */
static void sort_by(const int *key, size_t n, size_t nnz, const int32_t *from,
                    int32_t *start, int32_t *order)
{
  memset(start, 0, (n + 1) * sizeof *start);
  for (size_t k = 0; k < nnz; k++)
    start[key[k] + 1]++;
  for (size_t j = 0; j < n; j++)
    start[j + 1] += start[j];
  for (size_t k = 0; k < nnz; k++)
    order[start[key[from[k]]]++] = from[k];
  for (size_t j = n; j > 0; j--)
    start[j] = start[j - 1];
  start[0] = 0;
}

static brink_status sort(brink__pool *pool, const brink_mode_def *m, sorted *s)
{
  size_t nnz = m->pattern.nnz;
  int32_t *memory = brink__pool_take(pool, (m->n + 1 + 2 * nnz) * sizeof *memory);

  if (!memory)
    return BRINK_ENOMEM;
  *s = (sorted){memory, memory + m->n + 1, memory + m->n + 1 + nnz};
  for (size_t k = 0; k < nnz; k++)
    s->order[k] = (int32_t)k;
  sort_by(m->pattern.row, m->n, nnz, s->order, s->start, s->other);
  sort_by(m->pattern.col, m->n, nnz, s->other, s->start, s->order);
  return BRINK_OK;
}

brink_status brink__cb_check_pattern(const brink_mode_def *m, brink_err *err)
{
  const brink_pattern *p = &m->pattern;
  int n = m->n > INT32_MAX ? INT32_MAX : (int)m->n;

  if (p->nnz && (!p->row || !p->col || p->nnz > INT32_MAX))
    return brink__fail(err, BRINK_EARG,
                       "the pattern of mode '%s' counts %zu places that are not there",
                       m->name, p->nnz);
  for (size_t k = 0; k < p->nnz; k++)
    if (p->row[k] < 0 || p->row[k] >= n || p->col[k] < 0 || p->col[k] >= n)
      return brink__fail(err, BRINK_EARG,
                         "place %zu of the pattern of mode '%s' is row %d, column %d; "
                         "they must be from 0 to %d",
                         k, m->name, p->row[k], p->col[k], n - 1);
  return BRINK_OK;
}

/* The sorted places of column j, and its diagonal where that is missing.  0: one of
 * them is there twice. */
static int add_column(const brink_pattern *p, const sorted *s, int32_t j,
                      brink__places *out, int32_t *row, int32_t *col, int32_t *given)
{
  int diagonal = 0;

  for (int32_t k = s->start[j]; k < s->start[j + 1]; k++) {
    int32_t i = p->row[s->order[k]];
    if (k > s->start[j] && i == p->row[s->order[k - 1]])
      return 0;
    if (!diagonal && i > j) {
      row[out->nnz] = col[out->nnz] = j;
      given[out->nnz++] = -1;
    }
    diagonal |= i >= j;
    row[out->nnz] = i;
    col[out->nnz] = j;
    given[out->nnz++] = s->order[k];
  }
  if (!diagonal) {
    row[out->nnz] = col[out->nnz] = j;
    given[out->nnz++] = -1;
  }
  return 1;
}

brink_status brink__cb_copy_pattern(brink__pool *pool, const brink_mode_def *m,
                                    cb_mode *out)
{
  size_t most = m->pattern.nnz + m->n;
  sorted s;

  if (m->pattern.nnz == 0)
    return BRINK_OK;
  brink__places *p = brink__pool_take(pool, sizeof *p);
  int32_t *row = brink__pool_take(pool, 3 * most * sizeof *row);
  if (!p || !row || sort(pool, m, &s) < 0)
    return BRINK_ENOMEM;
  *p = (brink__places){.n = m->n, .row = row, .col = row + most};
  for (size_t j = 0; j < m->n; j++)
    if (!add_column(&m->pattern, &s, (int32_t)j, p, row, row + most, row + 2 * most))
      return brink__fail(&pool->ctx->err, BRINK_EARG,
                         "the pattern of mode '%s' has a place in column %zu twice",
                         m->name, j);
  out->places = p;
  out->given = row + 2 * most;
  out->n_given = m->pattern.nnz;
  return BRINK_OK;
}
