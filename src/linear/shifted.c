/* shifted.c -- see shifted.h
 *
 * Rows are scaled by powers of two to largest elements of about 1.  Full matrices are
 * those of full_lu.h.  Bands: Gaussian elimination by rows; exchanges
 * widen the upper band by the lower one.  Complex matrices have real and imaginary
 * parts apart, which compilers turn into vectors.
 *
 * Cost of a band: n lower (lower + upper) products, four times as many for complex
 * matrices.
 */
#include "linear/shifted.h"

#include <math.h>
#include <string.h>

#include "core/core.h"
#include "linear/full_lu.h"
#include "linear/linear.h"

void brink__shifted_plan(brink__shifted *p, size_t n, size_t n_mass, size_t nnz,
                         const int32_t *row, const int32_t *col)
{
  *p = (brink__shifted){.n = n, .n_mass = n_mass, .nnz = nnz, .row = row, .col = col};
  for (size_t k = 0; row && k < nnz; k++) {
    if (row[k] > col[k])
      p->lower = brink__zmax(p->lower, (size_t)(row[k] - col[k]));
    else
      p->upper = brink__zmax(p->upper, (size_t)(col[k] - row[k]));
  }
  if (!row || 2 * p->lower + p->upper + 1 >= n) {
    p->lower = p->upper = n - 1;
    p->stride = n;
  } else {
    p->stride = 2 * p->lower + p->upper;
  }
}

static int is_full(const brink__shifted *p) { return p->stride == p->n; }

/* Numbers in one array of elements; those of a band begin so far before row 0. */
static size_t elements(const brink__shifted *p)
{
  return is_full(p) ? p->n * p->n : p->n * (p->stride + 1);
}

static size_t offset(const brink__shifted *p) { return is_full(p) ? 0 : p->lower; }

size_t brink__shifted_size(const brink__shifted *p, int is_complex)
{
  size_t numbers = elements(p) * (is_complex ? 2 : 1) + p->n;

  return numbers * sizeof(double) + p->n * sizeof(int32_t);
}

/* What is in the memory of factors: parts of elements, scales of rows, pivots. */
typedef struct parts {
  double *re, *im; /* im NULL: the matrix is real */
  double *scale;   /* [n] */
  int32_t *pivot;  /* [n] */
} parts;

static parts parts_of(const brink__shifted *p, const void *factors, int is_complex)
{
  double *a = (double *)(uintptr_t)factors, *b = is_complex ? a + elements(p) : NULL;
  double *scale = (is_complex ? b : a) + elements(p);

  return (parts){a, b, scale, (int32_t *)(void *)(scale + p->n)};
}

/* The last row with an element in column k below the diagonal, and the last column with
 * one in row k, exchanges included. */
static size_t last_row(const brink__shifted *p, size_t k)
{
  return p->n - 1 - k < p->lower ? p->n - 1 : k + p->lower;
}

static size_t last_col(const brink__shifted *p, size_t k)
{
  size_t reach = p->lower + p->upper;

  return p->n - 1 - k < reach ? p->n - 1 : k + reach;
}

/* -J, and c where M is one. */
static void fill(const brink__shifted *p, const double *J, double c, double *a)
{
  size_t n = p->n, shift = offset(p);

  if (!p->row) {
    for (size_t i = 0; i < n; i++)
      for (size_t j = 0; j < n; j++)
        a[i * n + j] = -J[j * n + i];
  } else {
    memset(a, 0, elements(p) * sizeof *a);
    for (size_t k = 0; k < p->nnz; k++)
      a[(size_t)p->row[k] * p->stride + (size_t)p->col[k] + shift] = -J[k];
  }
  for (size_t i = 0; i < p->n_mass; i++)
    a[i * p->stride + i + shift] += c;
}

/* The columns of row i before any exchange. */
static void reach(const brink__shifted *p, size_t i, size_t *from, size_t *to)
{
  *from = is_full(p) || i < p->lower ? 0 : i - p->lower;
  *to = is_full(p) || p->n - i <= p->upper ? p->n : i + p->upper + 1;
}

/* Scale rows by powers of two.  Those of zeros, or with elements that are not finite,
 * stay: the elimination tells. */
static void equilibrate(const brink__shifted *p, const parts *f)
{
  size_t shift = offset(p), from, to;

  for (size_t i = 0; i < p->n; i++) {
    double *row = f->re + i * p->stride + shift,
           *im = f->im ? f->im + (row - f->re) : NULL;
    double top = im ? fabs(im[i]) : 0;
    reach(p, i, &from, &to);
    for (size_t j = from; j < to; j++)
      top = fabs(row[j]) <= top ? top : fabs(row[j]); /* NaN stays */
    f->scale[i] = top > 0 && isfinite(top) ? brink__row_scale(top) : 1;
    for (size_t j = from; j < to; j++)
      row[j] *= f->scale[i];
    if (im)
      im[i] *= f->scale[i];
  }
}

static void swap(double *a, double *b, size_t n)
{
  for (size_t j = 0; j < n; j++) {
    double was = a[j];
    a[j] = b[j];
    b[j] = was;
  }
}

/* ------------------------------------------------------------------ real --- */

size_t brink__shifted_factor(const brink__shifted *p, const double *J, double c,
                             void *factors)
{
  parts f = parts_of(p, factors, 0);
  double *at = f.re + offset(p);
  int32_t *pivot = f.pivot;

  fill(p, J, c, f.re);
  equilibrate(p, &f);
  if (is_full(p))
    return brink__full_factor(p->n, f.re, pivot);
  for (size_t k = 0; k < p->n; k++) {
    size_t best = k, bottom = last_row(p, k), width = last_col(p, k) - k + 1;
    double *head = at + k * p->stride + k, top = fabs(*head);
    double most = BRINK__DIAGONAL * top;
    for (size_t i = k + 1; i <= bottom; i++) {
      double size = fabs(at[i * p->stride + k]);
      if (size > most) {
        most = top = size;
        best = i;
      }
    }
    pivot[k] = (int32_t)best;
    if (!(top > 0) || !isfinite(top))
      return k;
    if (best != k)
      swap(head, at + best * p->stride + k, width);
    double inverse = 1 / *head;
    for (size_t i = k + 1; i <= bottom; i++) {
      double *row = at + i * p->stride + k, m = row[0] * inverse;
      row[0] = m;
      if (m != 0)
        for (size_t j = 1; j < width; j++)
          row[j] -= m * head[j];
    }
  }
  return p->n;
}

void brink__shifted_solve(const brink__shifted *p, const void *factors, double *x)
{
  parts f = parts_of(p, factors, 0);
  const double *at = f.re + offset(p);
  const int32_t *pivot = f.pivot;

  for (size_t i = 0; i < p->n; i++)
    x[i] *= f.scale[i];
  if (is_full(p)) {
    brink__full_solve(p->n, f.re, pivot, x);
    return;
  }
  for (size_t k = 0; k < p->n; k++) {
    size_t q = (size_t)pivot[k], bottom = last_row(p, k);
    double v = x[q];
    x[q] = x[k];
    x[k] = v;
    for (size_t i = k + 1; i <= bottom; i++)
      x[i] -= at[i * p->stride + k] * v;
  }
  for (size_t k = p->n; k-- > 0;) {
    const double *row = at + k * p->stride;
    double v = x[k];
    for (size_t j = k + 1, end = last_col(p, k); j <= end; j++)
      v -= row[j] * x[j];
    x[k] = v / row[k];
  }
}

/* --------------------------------------------------------------- complex --- */

/* The row with the pivot of column k.  Sizes are sums of those of the parts, which are
 * nearly as good as the modulus and no number where a part is none. */
static size_t choose(const brink__shifted *p, const double *re, const double *im,
                     size_t k, double *top)
{
  size_t best = k, bottom = last_row(p, k);

  *top = fabs(re[k * p->stride + k]) + fabs(im[k * p->stride + k]);
  double most = BRINK__DIAGONAL * *top;
  for (size_t i = k + 1; i <= bottom; i++) {
    double size = fabs(re[i * p->stride + k]) + fabs(im[i * p->stride + k]);
    if (size > most) {
      most = *top = size;
      best = i;
    }
  }
  return best;
}

size_t brink__shifted_factor_complex(const brink__shifted *p, const double *J,
                                     double re, double im, void *factors)
{
  parts f = parts_of(p, factors, 1);
  double *at = f.re + offset(p), *bt = f.im + offset(p);
  int32_t *pivot = f.pivot;

  fill(p, J, re, f.re);
  memset(f.im, 0, elements(p) * sizeof *f.im);
  for (size_t i = 0; i < p->n_mass; i++)
    bt[i * p->stride + i] = im;
  equilibrate(p, &f);
  if (is_full(p))
    return brink__full_factor_complex(p->n, f.re, f.im, pivot);
  for (size_t k = 0; k < p->n; k++) {
    double top, *ha = at + k * p->stride + k, *hb = bt + k * p->stride + k;
    size_t best = choose(p, at, bt, k, &top), bottom = last_row(p, k);
    size_t width = last_col(p, k) - k + 1;
    pivot[k] = (int32_t)best;
    if (!(top > 0) || !isfinite(top))
      return k;
    if (best != k) {
      swap(ha, at + best * p->stride + k, width);
      swap(hb, bt + best * p->stride + k, width);
    }
    double u = *ha / top, v = *hb / top, size = (u * u + v * v) * top;
    for (size_t i = k + 1; i <= bottom; i++) {
      double *ra = at + i * p->stride + k, *rb = bt + i * p->stride + k;
      double x = (ra[0] * u + rb[0] * v) / size, y = (rb[0] * u - ra[0] * v) / size;
      ra[0] = x;
      rb[0] = y;
      if (x != 0 || y != 0)
        for (size_t j = 1; j < width; j++) {
          ra[j] -= x * ha[j] - y * hb[j];
          rb[j] -= x * hb[j] + y * ha[j];
        }
    }
  }
  return p->n;
}

void brink__shifted_solve_complex(const brink__shifted *p, const void *factors,
                                  double *x, double *y)
{
  parts f = parts_of(p, factors, 1);
  const double *at = f.re + offset(p), *bt = f.im + offset(p);
  const int32_t *pivot = f.pivot;

  for (size_t i = 0; i < p->n; i++) {
    x[i] *= f.scale[i];
    y[i] *= f.scale[i];
  }
  if (is_full(p)) {
    brink__full_solve_complex(p->n, f.re, f.im, pivot, x, y);
    return;
  }
  for (size_t k = 0; k < p->n; k++) {
    size_t q = (size_t)pivot[k], bottom = last_row(p, k);
    swap(x + k, x + q, 1);
    swap(y + k, y + q, 1);
    for (size_t i = k + 1; i <= bottom; i++) {
      double u = at[i * p->stride + k], v = bt[i * p->stride + k];
      x[i] -= u * x[k] - v * y[k];
      y[i] -= u * y[k] + v * x[k];
    }
  }
  for (size_t k = p->n; k-- > 0;) {
    const double *ra = at + k * p->stride, *rb = bt + k * p->stride;
    double u = x[k], v = y[k];
    for (size_t j = k + 1, end = last_col(p, k); j <= end; j++) {
      u -= ra[j] * x[j] - rb[j] * y[j];
      v -= ra[j] * y[j] + rb[j] * x[j];
    }
    x[k] = u;
    y[k] = v;
    brink__divide_complex(ra[k], rb[k], &x[k], &y[k]);
  }
}
