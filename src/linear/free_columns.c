/* free_columns.c -- the smallest solution of an underdetermined system in some of its
 * unknowns, the others being free.
 *
 * Householder reflections with column pivoting eliminate the free unknowns from the
 * equations [GvL13, 5.4].  What is left of the equations is solved for the smallest
 * values of the others, then those with free unknowns for the smallest values of these.
 * Cost: of the factors some m^2 n operations, of a solution some m n.
 */
#include "linear/linear.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* A column is new if more of it than this many roundings of its m elements is left. */
static const double NEW_COLUMN = 8 * DBL_EPSILON;

static double *column(const brink__free_columns *f, size_t j)
{
  return f->a + j * f->m;
}

/* Of a column, from row k on. */
static double norm_below(const brink__free_columns *f, size_t j, size_t k)
{
  const double *c = column(f, j);
  double sum = 0;

  for (size_t i = k; i < f->m; i++)
    sum += c[i] * c[i];
  return sqrt(sum);
}

/* size: norms of the columns before. */
static void swap_columns(brink__free_columns *f, double *size, size_t j, size_t k)
{
  double *a = column(f, j), *b = column(f, k), s = size[j];
  int c = f->col[j];

  f->col[j] = f->col[k];
  f->col[k] = c;
  size[j] = size[k];
  size[k] = s;
  for (size_t i = 0; i < f->m && j != k; i++) {
    double t = a[i];
    a[i] = b[i];
    b[i] = t;
  }
}

/* Reflect x, from element k on, by the vector that is kept in column k. */
static void reflect(const brink__free_columns *f, size_t k, double *x)
{
  const double *v = column(f, k);
  double dot = 0;

  for (size_t i = k; i < f->m; i++)
    dot += v[i] * x[i];
  dot *= f->beta[k];
  for (size_t i = k; i < f->m; i++)
    x[i] -= dot * v[i];
}

/* The free column of which most is left below row k; n_free: of none is. */
static size_t pivot(const brink__free_columns *f, const double *size, size_t k)
{
  size_t best = f->n_free;
  double most = NEW_COLUMN * (double)f->m;

  for (size_t j = k; j < f->n_free && k < f->m; j++) {
    double left = size[j] > 0 ? norm_below(f, j, k) / size[j] : 0;
    if (left > most) {
      most = left;
      best = j;
    }
  }
  return best;
}

/* Bring the free columns into triangular form; diag: its diagonal, and their vectors
 * are kept below it. */
static void eliminate(brink__free_columns *f, double *size, double *diag)
{
  for (size_t j = 0; j < f->n_free; j++) {
    f->col[j] = (int)j;
    size[j] = norm_below(f, j, 0);
  }
  for (f->rank = 0; f->rank < f->n_free; f->rank++) {
    size_t k = f->rank, best = pivot(f, size, k);
    if (best == f->n_free)
      return;
    swap_columns(f, size, best, k);
    double *v = column(f, k), length = norm_below(f, k, k);
    double rest = norm_below(f, k, k + 1);
    diag[k] = v[k] > 0 ? -length : length;
    v[k] -= diag[k];
    f->beta[k] = 2 / (v[k] * v[k] + rest * rest);
    for (size_t j = k + 1; j < f->n; j++)
      reflect(f, k, column(f, j));
  }
}

size_t brink__free_columns_factor(brink__free_columns *f)
{
  size_t others = f->n - f->n_free;
  double *size = f->work, *diag = f->work + f->n_free;

  eliminate(f, size, diag);
  size_t rows = f->m - f->rank;
  double *top = f->copy + rows * others;
  for (size_t i = 0; i < rows; i++)
    for (size_t j = 0; j < others; j++)
      f->copy[i * others + j] = column(f, f->n_free + j)[f->rank + i];
  for (size_t i = 0; i < f->rank; i++)
    for (size_t j = 0; j < f->n_free; j++)
      top[i * f->n_free + j] = j < i ? 0 : j == i ? diag[i] : column(f, j)[i];
  f->rest = rows && others
                ? brink__least_norm_factor(rows, others, f->copy, f->row, f->factors)
                : 0;
  brink__least_norm_factor(f->rank, f->n_free, top, f->row + f->m,
                           f->factors + 2 * f->m);
  return f->rank + f->rest;
}

void brink__free_columns_solve(const brink__free_columns *f, double *b, double *x)
{
  size_t others = f->n - f->n_free, rows = f->m - f->rank;
  const double *top = f->copy + rows * others;
  double *y = f->work, *z = f->work + f->n;

  for (size_t k = 0; k < f->rank; k++)
    reflect(f, k, b);
  memset(x, 0, f->n * sizeof *x);
  brink__least_norm_solve(others, f->rest, f->copy, f->row, f->factors + rows,
                          b + f->rank, x + f->n_free, z);
  for (size_t j = f->n_free; j < f->n; j++)
    for (size_t i = 0; i < f->rank; i++)
      b[i] -= column(f, j)[i] * x[j];
  brink__least_norm_solve(f->n_free, f->rank, top, f->row + f->m,
                          f->factors + 2 * f->m + f->rank, b, y, z);
  for (size_t j = 0; j < f->n_free; j++)
    x[f->col[j]] = y[j];
}
