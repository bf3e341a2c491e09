/* lu.c -- LU factors with partial pivoting and row scaling [GvL13, 3.4]. */
#include "linear/linear.h"

#include <float.h>
#include <math.h>

double brink__row_scale(double top)
{
  int exponent;

  frexp(top, &exponent);
  return ldexp(1, exponent > DBL_MIN_EXP ? -exponent : -DBL_MIN_EXP);
}

/* Rows scaled to 1, so that equations in different units compete fairly. */
static int equilibrate(size_t n, double *a, double *scale)
{
  for (size_t i = 0; i < n; i++) {
    double top = 0;
    for (size_t j = 0; j < n; j++)
      top = fmax(top, fabs(a[i * n + j]));
    if (!(top > 0) || !isfinite(top))
      return 0;
    scale[i] = brink__row_scale(top);
    for (size_t j = 0; j < n; j++)
      a[i * n + j] *= scale[i];
  }
  return 1;
}

static void swap_rows(size_t n, double *a, size_t i, size_t k)
{
  for (size_t j = 0; j < n; j++) {
    double t = a[i * n + j];
    a[i * n + j] = a[k * n + j];
    a[k * n + j] = t;
  }
}

size_t brink__lu_factor(size_t n, double *a, int *pivot, double *scale, double *margin)
{
  *margin = 1;
  if (!equilibrate(n, a, scale))
    return 0;
  for (size_t k = 0; k < n; k++) {
    size_t best = k;
    double before = 0;
    for (size_t i = k + 1; i < n; i++)
      if (fabs(a[i * n + k]) > fabs(a[best * n + k]))
        best = i;

    /* what elimination left in this column, against what it was made from */
    for (size_t i = 0; i < k; i++)
      before = fmax(before, fabs(a[i * n + k]));
    double size = fabs(a[best * n + k]);
    if (!(size > (double)n * DBL_EPSILON * before) || size == 0)
      return k;
    *margin = fmin(*margin, size / fmax(size, before));
    pivot[k] = (int)best;
    if (best != k)
      swap_rows(n, a, best, k);
    for (size_t i = k + 1; i < n; i++) {
      double m = a[i * n + k] / a[k * n + k];
      a[i * n + k] = m;
      if (m == 0)
        continue;
      for (size_t j = k + 1; j < n; j++)
        a[i * n + j] -= m * a[k * n + j];
    }
  }
  return n;
}

void brink__lu_solve(size_t n, const double *a, const int *pivot, const double *scale,
                     double *x)
{
  for (size_t i = 0; i < n; i++)
    x[i] *= scale[i];
  for (size_t k = 0; k < n; k++) {
    size_t p = (size_t)pivot[k];
    double t = x[p];
    x[p] = x[k];
    x[k] = t;
  }
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < i; j++)
      x[i] -= a[i * n + j] * x[j];
  for (size_t i = n; i-- > 0;) {
    for (size_t j = i + 1; j < n; j++)
      x[i] -= a[i * n + j] * x[j];
    x[i] /= a[i * n + i];
  }
}
