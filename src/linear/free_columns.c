/* free_columns.c -- the smallest solution of an underdetermined system in some of its
 * unknowns, the others being free.
 *
 * Householder reflections with column pivoting eliminate the free unknowns from the
 * equations [GvL13, 5.4].  What is left of the equations is solved for the smallest
 * values of the others, then those with free unknowns for the smallest values of these.
 */
#include "linear/linear.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* A column is new if more of it than this many roundings of its m elements is left. */
static const double NEW_COLUMN = 8 * DBL_EPSILON;

/* Column j of a[m][n] from row k on. */
static double norm_below(size_t m, size_t n, const double *a, size_t k, size_t j)
{
  double sum = 0;

  for (size_t i = k; i < m; i++)
    sum += a[i * n + j] * a[i * n + j];
  return sqrt(sum);
}

static void swap_columns(size_t m, size_t n, double *a, int *col, double *size,
                         size_t j, size_t k)
{
  int c = col[j];
  double s = size[j];

  col[j] = col[k];
  col[k] = c;
  size[j] = size[k];
  size[k] = s;
  for (size_t i = 0; i < m; i++) {
    double t = a[i * n + j];
    a[i * n + j] = a[i * n + k];
    a[i * n + k] = t;
  }
}

/* Reflect column j of a, with `step` elements in a row, from row k on; v: the vector.
 */
static void reflect(size_t m, size_t step, double *a, size_t k, size_t j,
                    const double *v, double beta)
{
  double dot = 0;

  for (size_t i = k; i < m; i++)
    dot += v[i] * a[i * step + j];
  for (size_t i = k; i < m; i++)
    a[i * step + j] -= beta * dot * v[i];
}

/* Bring the first n_free columns of a into triangular form, b with them; their rank. */
static size_t eliminate(size_t m, size_t n, size_t n_free, double *a, double *b,
                        int *col, double *size, double *v)
{
  for (size_t j = 0; j < n_free; j++) {
    col[j] = (int)j;
    size[j] = norm_below(m, n, a, 0, j);
  }
  for (size_t k = 0; k < n_free; k++) {
    size_t best = k;
    double most = 0;
    for (size_t j = k; j < n_free && k < m; j++) {
      double left = size[j] > 0 ? norm_below(m, n, a, k, j) / size[j] : 0;
      if (left > most) {
        most = left;
        best = j;
      }
    }
    if (!(most > NEW_COLUMN * (double)m))
      return k;
    swap_columns(m, n, a, col, size, best, k);
    double length = norm_below(m, n, a, k, k), beta;
    for (size_t i = k; i < m; i++)
      v[i] = a[i * n + k];
    v[k] += v[k] > 0 ? length : -length;
    beta = 2 / (v[k] * v[k] + (length * length - a[k * n + k] * a[k * n + k]));
    for (size_t j = k; j < n; j++)
      reflect(m, n, a, k, j, v, beta);
    reflect(m, 1, b, k, 0, v, beta);
  }
  return n_free;
}

size_t brink__least_norm_free(size_t m, size_t n, size_t n_free, double *a, double *b,
                              double *x, int *row, double *work, double *copy)
{
  double *size = work, *v = size + n, *y = v + m, *more = y + n;
  int *col = row + m;
  size_t rank = eliminate(m, n, n_free, a, b, col, size, v);
  size_t others = n - n_free, rows = m - rank;

  for (size_t i = 0; i < rows; i++)
    memcpy(copy + i * others, a + (rank + i) * n + n_free, others * sizeof *copy);
  for (size_t j = 0; j < others; j++)
    x[n_free + j] = 0;
  size_t all = rank + (rows && others ? brink__least_norm(rows, others, copy, b + rank,
                                                          x + n_free, row, more)
                                      : 0);
  for (size_t i = 0; i < rank; i++) {
    memcpy(copy + i * n_free, a + i * n, n_free * sizeof *copy);
    for (size_t j = n_free; j < n; j++)
      b[i] -= a[i * n + j] * x[j];
  }
  for (size_t j = 0; j < n_free; j++)
    y[j] = 0;
  if (rank)
    brink__least_norm(rank, n_free, copy, b, y, row, more);
  for (size_t j = 0; j < n_free; j++)
    x[col[j]] = y[j];
  return all;
}
