/* adams_basis.c -- see adams_basis.h */
#include "ode/adams_basis.h"

#include <string.h>

void brink__adams_basis_build(const double *back, int m, double h,
                              brink__adams_basis *at)
{
  at->N[0][0] = at->g[0] = at->b[0] = at->sigma[0] = 1;
  for (int j = 0; j < m; j++) {
    const double *N = at->N[j];
    double *up = at->N[j + 1], r = back[j] / h, w = 1 / (1 + r), sum = 0;
    up[0] = r * w * N[0];
    for (int q = 1; q <= j; q++)
      up[q] = w * (N[q - 1] + r * N[q]);
    up[j + 1] = w * N[j];
    for (int q = j + 1; q >= 0; q--)
      sum += up[q] / (q + 1);
    at->g[j + 1] = sum;
    at->sigma[j + 1] = at->sigma[j] * (j + 1) * w;
    at->b[j + 1] = at->b[j] * (h + back[j]) / back[j + 1];
  }
  at->sigma[m + 1] = at->sigma[m] * (m + 1) / (1 + back[m] / h);
}

void brink__adams_difference(size_t n, int count, double h, double *phi, double *back)
{
  for (int j = 1; j < count; j++)
    for (int i = count - 1; i >= j; i--) {
      double *a = phi + (size_t)i * n, *b = a - n;
      for (size_t l = 0; l < n; l++)
        a[l] = b[l] - a[l];
    }
  for (int i = 0; i < count; i++)
    back[i] = i * h;
}

void brink__adams_differences(size_t n, int count, const double *back, double *phi)
{
  /* divided differences f[t_k, ..., t_{k-i}] */
  for (int j = 1; j < count; j++)
    for (int i = count - 1; i >= j; i--) {
      double *a = phi + (size_t)i * n, *b = a - n, span = back[i] - back[i - j];
      for (size_t l = 0; l < n; l++)
        a[l] = (b[l] - a[l]) / span;
    }

  double scale = 1;
  for (int i = 1; i < count; i++) {
    double *a = phi + (size_t)i * n;
    scale *= back[i];
    for (size_t l = 0; l < n; l++)
      a[l] *= scale;
  }
}

void brink__adams_integral(size_t n, int m, const brink__adams_basis *at, double h,
                           const double *phi, int degree, const double *y,
                           double *coeff)
{
  size_t w = (size_t)degree + 1;

  memset(coeff, 0, n * w * sizeof *coeff);
  for (int j = m - 1; j >= 0; j--) {
    const double *row = phi + (size_t)j * n;
    for (int q = j ? 1 : 0; q <= j; q++) {
      double u = h * at->b[j] * at->N[j][q] / (q + 1);
      double *c = coeff + q + 1;
      for (size_t i = 0; i < n; i++)
        c[i * w] += u * row[i];
    }
  }
  for (size_t i = 0; i < n; i++)
    coeff[i * w] = y[i];
}

void brink__adams_rotate(size_t n, int known, int rows, const brink__adams_basis *at,
                         double h, double *phi, double *back, double *f)
{
  for (int j = 0; j < rows; j++) {
    double *row = phi + (size_t)j * n, b = j < known ? at->b[j] : 0;
    for (size_t i = 0; i < n; i++) {
      double old = row[i];
      row[i] = f[i];
      f[i] -= b * old;
    }
  }
  for (int i = rows; i-- > 1;)
    back[i] = back[i - 1] + h;
}
