/* full_lu.c -- see full_lu.h
 *
 * Gaussian elimination by blocks of columns [GvL13, 3.2.11, 3.4]: a block is eliminated
 * in its own columns first, then all of it at once in each row below, so that a row
 * passes through the cache once per block.  Each element is the same sum of the same
 * products in the same order as in elimination column by column.
 *
 * The loops are compiled for vectors of several lengths, and the longest ones that the
 * processor has are used.  An element of a vector is rounded as it would be alone, and
 * products are never fused with sums: the length changes no bit.
 *
 * Cost: n^3/3 products, four times as many for complex matrices.
 */
#include "linear/full_lu.h"

#include <math.h>

#include "linear/linear.h"

/* Columns of a block: its multipliers of one row, real or complex, and the row stay in
 * registers. */
enum { BLOCK = 8, COMPLEX_BLOCK = 4 };

/* Bodies of functions that exist for each length of vectors. */
#define BODY static inline __attribute__((always_inline))

BODY void swap(double *a, double *b, size_t n)
{
  for (size_t j = 0; j < n; j++) {
    double was = a[j];
    a[j] = b[j];
    b[j] = was;
  }
}

/* ------------------------------------------------------------------ real --- */

/* row -= m[0] head_0 + m[1] head_1 + ..., heads being rows of a whole block. */
BODY void eliminate(double *restrict row, const double *restrict head, size_t stride,
                    const double *m, size_t n)
{
  int any = 0;

  for (int q = 0; q < BLOCK; q++)
    any |= m[q] != 0;
  for (size_t j = 0; any && j < n; j++) {
    double v = row[j];
    v -= m[0] * head[j];
    v -= m[1] * head[j + stride];
    v -= m[2] * head[j + 2 * stride];
    v -= m[3] * head[j + 3 * stride];
    v -= m[4] * head[j + 4 * stride];
    v -= m[5] * head[j + 5 * stride];
    v -= m[6] * head[j + 6 * stride];
    v -= m[7] * head[j + 7 * stride];
    row[j] = v;
  }
}

/* row -= m head in the columns of a block, of which those up to the pivot are 0 in
 * `head`: always as many, which is one instruction or a few. */
BODY void eliminate_in_block(double *row, const double head[BLOCK], double m)
{
  for (int q = 0; q < BLOCK; q++)
    row[q] -= m * head[q];
}

/* row -= m head. */
BODY void eliminate_one(double *restrict row, const double *restrict head, double m,
                        size_t n)
{
  for (size_t j = 0; j < n; j++)
    row[j] -= m * head[j];
}

/* Eliminate columns begin .. end - 1 in these columns; rows are exchanged as a whole.
 * Returns end, or a column without a pivot. */
BODY size_t factor_block(size_t n, double *a, int32_t *pivot, size_t begin, size_t end)
{
  for (size_t k = begin; k < end; k++) {
    size_t best = k;
    double *head = a + k * n, top = fabs(head[k]), most = BRINK__DIAGONAL * top;
    for (size_t i = k + 1; i < n; i++) {
      double size = fabs(a[i * n + k]);
      if (size > most) {
        most = top = size;
        best = i;
      }
    }
    pivot[k] = (int32_t)best;
    if (!(top > 0) || !isfinite(top))
      return k;
    if (best != k)
      swap(head, a + best * n, n);
    double inverse = 1 / head[k], ahead[BLOCK] = {0};
    for (size_t j = k + 1; j < end; j++)
      ahead[j - begin] = head[j];
    for (size_t i = k + 1; i < n; i++) {
      double *row = a + i * n;
      row[k] *= inverse;
      if (end == begin + BLOCK)
        eliminate_in_block(row + begin, ahead, row[k]);
      else
        eliminate_one(row + k + 1, head + k + 1, row[k], end - k - 1);
    }
  }
  return end;
}

BODY size_t factor(size_t n, double *a, int32_t *pivot)
{
  for (size_t begin = 0; begin < n; begin += BLOCK) {
    size_t end = n - begin < BLOCK ? n : begin + BLOCK, rest = n - end;
    size_t done = factor_block(n, a, pivot, begin, end);
    if (done < end)
      return done;

    /* in the other columns: rows of the block, then those below */
    for (size_t k = begin + 1; rest && k < end; k++)
      for (size_t q = begin; q < k; q++)
        eliminate_one(a + k * n + end, a + q * n + end, a[k * n + q], rest);
    for (size_t i = end; i < n; i++)
      eliminate(a + i * n + end, a + begin * n + end, n, a + i * n + begin, rest);
  }
  return n;
}

/* --------------------------------------------------------------- complex --- */

/* The same with rows a + i b and multipliers x + i y. */
BODY void eliminate_complex(double *restrict a, double *restrict b,
                            const double *restrict ha, const double *restrict hb,
                            size_t stride, const double *x, const double *y, size_t n)
{
  int any = 0;

  for (int q = 0; q < COMPLEX_BLOCK; q++)
    any |= x[q] != 0 || y[q] != 0;
  for (size_t j = 0; any && j < n; j++) {
    const double *u = ha + j, *v = hb + j;
    double re = a[j], im = b[j];
    re -= x[0] * u[0] - y[0] * v[0];
    im -= x[0] * v[0] + y[0] * u[0];
    re -= x[1] * u[stride] - y[1] * v[stride];
    im -= x[1] * v[stride] + y[1] * u[stride];
    re -= x[2] * u[2 * stride] - y[2] * v[2 * stride];
    im -= x[2] * v[2 * stride] + y[2] * u[2 * stride];
    re -= x[3] * u[3 * stride] - y[3] * v[3 * stride];
    im -= x[3] * v[3 * stride] + y[3] * u[3 * stride];
    a[j] = re;
    b[j] = im;
  }
}

BODY void eliminate_in_block_complex(double *a, double *b,
                                     const double ha[COMPLEX_BLOCK],
                                     const double hb[COMPLEX_BLOCK], double x, double y)
{
  for (int q = 0; q < COMPLEX_BLOCK; q++) {
    a[q] -= x * ha[q] - y * hb[q];
    b[q] -= x * hb[q] + y * ha[q];
  }
}

BODY void eliminate_one_complex(double *restrict a, double *restrict b,
                                const double *restrict ha, const double *restrict hb,
                                double x, double y, size_t n)
{
  for (size_t j = 0; j < n; j++) {
    a[j] -= x * ha[j] - y * hb[j];
    b[j] -= x * hb[j] + y * ha[j];
  }
}

/* The row with the pivot of column k.  Sizes are sums of those of the parts, which are
 * nearly as good as the modulus and no number where a part is none. */
BODY size_t choose(size_t n, const double *re, const double *im, size_t k, double *top)
{
  size_t best = k;

  *top = fabs(re[k * n + k]) + fabs(im[k * n + k]);
  double most = BRINK__DIAGONAL * *top;
  for (size_t i = k + 1; i < n; i++) {
    double size = fabs(re[i * n + k]) + fabs(im[i * n + k]);
    if (size > most) {
      most = *top = size;
      best = i;
    }
  }
  return best;
}

BODY size_t factor_block_complex(size_t n, double *re, double *im, int32_t *pivot,
                                 size_t begin, size_t end)
{
  for (size_t k = begin; k < end; k++) {
    double top, *ha = re + k * n, *hb = im + k * n;
    size_t best = choose(n, re, im, k, &top);
    pivot[k] = (int32_t)best;
    if (!(top > 0) || !isfinite(top))
      return k;
    if (best != k) {
      swap(ha, re + best * n, n);
      swap(hb, im + best * n, n);
    }
    double u = ha[k] / top, v = hb[k] / top, size = (u * u + v * v) * top;
    double ahead[2][COMPLEX_BLOCK] = {{0}};
    for (size_t j = k + 1; j < end; j++) {
      ahead[0][j - begin] = ha[j];
      ahead[1][j - begin] = hb[j];
    }
    for (size_t i = k + 1; i < n; i++) {
      double *ra = re + i * n, *rb = im + i * n;
      double x = (ra[k] * u + rb[k] * v) / size, y = (rb[k] * u - ra[k] * v) / size;
      ra[k] = x;
      rb[k] = y;
      if (end == begin + COMPLEX_BLOCK)
        eliminate_in_block_complex(ra + begin, rb + begin, ahead[0], ahead[1], x, y);
      else
        eliminate_one_complex(ra + k + 1, rb + k + 1, ha + k + 1, hb + k + 1, x, y,
                              end - k - 1);
    }
  }
  return end;
}

BODY size_t factor_complex(size_t n, double *re, double *im, int32_t *pivot)
{
  for (size_t begin = 0; begin < n; begin += COMPLEX_BLOCK) {
    size_t end = n - begin < COMPLEX_BLOCK ? n : begin + COMPLEX_BLOCK, rest = n - end;
    size_t done = factor_block_complex(n, re, im, pivot, begin, end);
    if (done < end)
      return done;
    for (size_t k = begin + 1; rest && k < end; k++)
      for (size_t q = begin, row = k * n + end; q < k; q++)
        eliminate_one_complex(re + row, im + row, re + q * n + end, im + q * n + end,
                              re[k * n + q], im[k * n + q], rest);
    for (size_t i = end, head = begin * n + end; i < n; i++)
      eliminate_complex(re + i * n + end, im + i * n + end, re + head, im + head, n,
                        re + i * n + begin, im + i * n + begin, rest);
  }
  return n;
}

/* ------------------------------------------------------------- processor --- */

#if defined(__x86_64__) && defined(__GNUC__)
#define FOR(name, extension)                                                           \
  __attribute__((target(extension))) static size_t real_##name(size_t n, double *a,    \
                                                               int32_t *pivot)         \
  {                                                                                    \
    return factor(n, a, pivot);                                                        \
  }                                                                                    \
  __attribute__((target(extension))) static size_t complex_##name(                     \
      size_t n, double *re, double *im, int32_t *pivot)                                \
  {                                                                                    \
    return factor_complex(n, re, im, pivot);                                           \
  }

FOR(of_4, "avx2")
FOR(of_8, "avx512f")

#define USE_LONGEST(what, ...)                                                         \
  do {                                                                                 \
    if (__builtin_cpu_supports("avx512f"))                                             \
      return what##_of_8(__VA_ARGS__);                                                 \
    if (__builtin_cpu_supports("avx2"))                                                \
      return what##_of_4(__VA_ARGS__);                                                 \
  } while (0)
#else
#define USE_LONGEST(what, ...) (void)0
#endif

size_t brink__full_factor(size_t n, double *a, int32_t *pivot)
{
  USE_LONGEST(real, n, a, pivot);
  return factor(n, a, pivot);
}

size_t brink__full_factor_complex(size_t n, double *re, double *im, int32_t *pivot)
{
  USE_LONGEST(complex, n, re, im, pivot);
  return factor_complex(n, re, im, pivot);
}

/* ----------------------------------------------------------------- solve --- */

static void exchange(size_t n, const int32_t *pivot, double *x)
{
  for (size_t k = 0; k < n; k++)
    swap(x + k, x + pivot[k], 1);
}

/* x[i .. i + 3] less their rows times x[from .. to - 1]: four sums, none of which waits
 * for another. */
static void reduce_four(size_t n, const double *row, double *x, size_t i, size_t from,
                        size_t to)
{
  double s0 = x[i], s1 = x[i + 1], s2 = x[i + 2], s3 = x[i + 3];

  for (size_t j = from; j < to; j++) {
    double v = x[j];
    s0 -= row[j] * v;
    s1 -= row[j + n] * v;
    s2 -= row[j + 2 * n] * v;
    s3 -= row[j + 3 * n] * v;
  }
  x[i] = s0;
  x[i + 1] = s1;
  x[i + 2] = s2;
  x[i + 3] = s3;
}

static void reduce(const double *row, double *x, size_t i, size_t from, size_t to)
{
  double s = x[i];

  for (size_t j = from; j < to; j++)
    s -= row[j] * x[j];
  x[i] = s;
}

void brink__full_solve(size_t n, const double *a, const int32_t *pivot, double *x)
{
  size_t fours = n / 4 * 4;

  exchange(n, pivot, x);
  for (size_t i = 0; i < fours; i += 4) {
    reduce_four(n, a + i * n, x, i, 0, i);
    for (size_t k = i + 1; k < i + 4; k++)
      reduce(a + k * n, x, k, i, k);
  }
  for (size_t i = fours; i < n; i++)
    reduce(a + i * n, x, i, 0, i);
  for (size_t i = n; i-- > fours;) {
    reduce(a + i * n, x, i, i + 1, n);
    x[i] /= a[i * n + i];
  }
  for (size_t i = fours; i > 0; i -= 4) {
    reduce_four(n, a + (i - 4) * n, x, i - 4, i, n);
    for (size_t k = i; k-- > i - 4;) {
      reduce(a + k * n, x, k, k + 1, i);
      x[k] /= a[k * n + k];
    }
  }
}

/* x + i y of row i less the row times x + i y of from .. to - 1. */
static void reduce_complex(const double *a, const double *b, double *x, double *y,
                           size_t i, size_t from, size_t to)
{
  double u = x[i], v = y[i];

  for (size_t j = from; j < to; j++) {
    u -= a[j] * x[j] - b[j] * y[j];
    v -= a[j] * y[j] + b[j] * x[j];
  }
  x[i] = u;
  y[i] = v;
}

/* The same of two rows. */
static void reduce_two_complex(size_t n, const double *a, const double *b, double *x,
                               double *y, size_t i, size_t from, size_t to)
{
  double u0 = x[i], v0 = y[i], u1 = x[i + 1], v1 = y[i + 1];

  for (size_t j = from; j < to; j++) {
    double p = x[j], q = y[j];
    u0 -= a[j] * p - b[j] * q;
    v0 -= a[j] * q + b[j] * p;
    u1 -= a[j + n] * p - b[j + n] * q;
    v1 -= a[j + n] * q + b[j + n] * p;
  }
  x[i] = u0;
  y[i] = v0;
  x[i + 1] = u1;
  y[i + 1] = v1;
}

void brink__full_solve_complex(size_t n, const double *re, const double *im,
                               const int32_t *pivot, double *x, double *y)
{
  size_t twos = n / 2 * 2;

  exchange(n, pivot, x);
  exchange(n, pivot, y);
  for (size_t i = 0; i < twos; i += 2) {
    reduce_two_complex(n, re + i * n, im + i * n, x, y, i, 0, i);
    reduce_complex(re + (i + 1) * n, im + (i + 1) * n, x, y, i + 1, i, i + 1);
  }
  if (twos < n)
    reduce_complex(re + twos * n, im + twos * n, x, y, twos, 0, twos);
  if (twos < n)
    brink__divide_complex(re[n * n - 1], im[n * n - 1], &x[n - 1], &y[n - 1]);
  for (size_t i = twos; i > 0; i -= 2) {
    size_t k = i - 1, m = i - 2;
    reduce_two_complex(n, re + m * n, im + m * n, x, y, m, i, n);
    brink__divide_complex(re[k * n + k], im[k * n + k], &x[k], &y[k]);
    reduce_complex(re + m * n, im + m * n, x, y, m, k, i);
    brink__divide_complex(re[m * n + m], im[m * n + m], &x[m], &y[m]);
  }
}
