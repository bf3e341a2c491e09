/* cvode_dense.c -- full matrices of the method cvode: differences and factors in the
 * order of operations of CVODE's own dense solver [HBGL05].
 *
 * The last bits of a matrix decide about iterations, these about orders and steps: a
 * run with other pivots or other increments takes up to a tenth more steps, or less.
 * With the same operations it is the run that CVODE called directly makes.
 */
#include "ode/cvode.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* The least increment changes f by so many times its rounding, as a step sees it. */
static const double LEAST_CHANGE = 1000;

/* -------------------------------------------------------- differences ---- */

/* Root mean square of weighted components. */
static double norm(size_t n, const double *v, const double *weight)
{
  double sum = 0;

  for (size_t i = 0; i < n; i++) {
    double part = v[i] * weight[i];
    sum += part * part;
  }
  return sqrt(sum / (double)n);
}

/* Increments are sqrt(eps) of a state; near 0, what a step of size h makes of so small
 * an error must be above the rounding of f. */
brink_status brink__cvode_differences(brink__gate *gate, double t, double h,
                                      const double *weight, const double *y,
                                      const double *f, double *at, double *f1,
                                      double *J)
{
  size_t n = gate->flow->n;
  double size = norm(n, f, weight);
  double least =
      size != 0 ? LEAST_CHANGE * fabs(h) * DBL_EPSILON * (double)n * size : 1;

  memcpy(at, y, n * sizeof *y);
  for (size_t j = 0; j < n; j++, J += n) {
    double increment = fmax(sqrt(DBL_EPSILON) * fabs(y[j]), least / weight[j]);
    double inverse = 1 / increment;
    at[j] = y[j] + increment;
    BRINK_TRY(brink__f(gate, t, at, f1));
    at[j] = y[j];
    for (size_t i = 0; i < n; i++)
      J[i] = inverse * (f1[i] - f[i]);
  }
  gate->jacobians++;
  return BRINK_OK;
}

/* ------------------------------------------------------------ factors ---- */

static void exchange(size_t n, double *a, size_t i, size_t k)
{
  for (size_t j = 0; j < n; j++) {
    double t = a[j * n + i];
    a[j * n + i] = a[j * n + k];
    a[j * n + k] = t;
  }
}

int brink__cvode_factor(size_t n, double *a, int *pivot)
{
  for (size_t k = 0; k < n; k++) {
    double *l = a + k * n;
    size_t best = k;
    for (size_t i = k + 1; i < n; i++)
      if (fabs(l[i]) > fabs(l[best]))
        best = i;
    pivot[k] = (int)best;
    if (!(fabs(l[best]) > 0))
      return 0;
    if (best != k)
      exchange(n, a, best, k);
    double inverse = 1 / l[k];
    for (size_t i = k + 1; i < n; i++)
      l[i] *= inverse;
    for (size_t j = k + 1; j < n; j++) {
      double *column = a + j * n, above = column[k];
      for (size_t i = k + 1; above != 0 && i < n; i++)
        column[i] -= above * l[i];
    }
  }
  return 1;
}

void brink__cvode_solve(size_t n, const double *a, const int *pivot, double *x)
{
  for (size_t k = 0; k < n; k++) {
    size_t p = (size_t)pivot[k];
    double t = x[p];
    x[p] = x[k];
    x[k] = t;
  }
  for (size_t k = 0; k < n; k++)
    for (size_t i = k + 1; i < n; i++)
      x[i] -= a[k * n + i] * x[k];
  for (size_t k = n; k-- > 0;) {
    x[k] /= a[k * n + k];
    for (size_t i = 0; i < k; i++)
      x[i] -= a[k * n + i] * x[k];
  }
}
