#include "matrices.h"

#include <stdlib.h>
#include <string.h>

matrix matrix_new(size_t n_cols, size_t max_rows, size_t max_entries)
{
  matrix m = {.start = calloc(max_rows + 1, sizeof(size_t)),
              .col = calloc(max_entries + 1, sizeof(int32_t)),
              .order = calloc(max_entries + 1, sizeof(int32_t)),
              .cap = max_entries};

  assert_non_null(m.start);
  assert_non_null(m.col);
  assert_non_null(m.order);
  m.s = (brink__sigma){0, n_cols, m.start, m.col, m.order};
  return m;
}

void matrix_free(matrix *m)
{
  free(m->start);
  free(m->col);
  free(m->order);
}

void matrix_entry(matrix *m, size_t col, int order)
{
  size_t e = m->start[m->s.n_rows + 1]++;

  assert_true(e < m->cap && col < m->s.n_cols);
  m->col[e] = (int32_t)col;
  m->order[e] = order;
}

void matrix_end_row(matrix *m)
{
  size_t end = m->start[++m->s.n_rows];

  m->start[m->s.n_rows + 1] = end;
}

static size_t count(const char *text, const char *of)
{
  size_t n = 0;

  for (; *text; text++)
    n += strchr(of, *text) != NULL;
  return n;
}

matrix matrix_read(const char *text)
{
  size_t rows = count(text, ";") + 1, cols = 1;

  for (const char *p = text; *p && *p != ';'; p++)
    cols += *p == ' ';
  matrix m = matrix_new(cols, rows + 1, rows * cols);
  size_t j = 0;
  for (const char *p = text; *p; p++) {
    if (*p == ' ')
      continue;
    if (*p == ';') {
      assert_int_equal(j, cols);
      matrix_end_row(&m);
      j = 0;
      continue;
    }
    if (*p != '-')
      matrix_entry(&m, j, *p - '0');
    j++;
  }
  assert_int_equal(j, cols);
  matrix_end_row(&m);
  return m;
}

int matrix_at(const matrix *m, size_t i, size_t j)
{
  for (size_t e = m->start[i]; e < m->start[i + 1]; e++)
    if (m->col[e] == (int32_t)j)
      return m->order[e];
  return -1;
}

matrix matrix_cascade(int P)
{
  size_t n = 3 * (size_t)P;
  matrix m = matrix_new(n, n + 1, 3 * n);

  for (size_t k = 0; k < n; k += 3) {
    matrix_entry(&m, k, 2);
    matrix_entry(&m, k + 2, 0);
    matrix_end_row(&m);
    matrix_entry(&m, k + 1, 2);
    matrix_entry(&m, k + 2, 0);
    matrix_end_row(&m);
    matrix_entry(&m, k, 0);
    matrix_entry(&m, k + 1, 0);
    if (k > 0)
      matrix_entry(&m, k - 1, 0);
    matrix_end_row(&m);
  }
  return m;
}
