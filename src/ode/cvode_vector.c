/* cvode_vector.c -- operations on CVODE's vectors in compiled form.
 *
 * Distributions build SUNDIALS without optimisation, and most of a Newton-Krylov run is
 * in these loops.  Each does what the operation of NVECTOR_SERIAL does, in the same
 * order and with the same rounding, so that a run is the same to the last bit; only the
 * inner products of GMRES are summed in four parts.
 */
#include "ode/cvode.h"

#include <math.h>

#include <nvector/nvector_serial.h>

enum { PARTS = 4 }; /* sums that do not wait for each other */

static void linear_sum(realtype a, N_Vector x, realtype b, N_Vector y, N_Vector z)
{
  const double *u = NV_DATA_S(x), *v = NV_DATA_S(y);
  double *w = NV_DATA_S(z);
  sunindextype n = NV_LENGTH_S(z);

  if (a == b)
    for (sunindextype i = 0; i < n; i++)
      w[i] = a * (u[i] + v[i]);
  else if (a == -b)
    for (sunindextype i = 0; i < n; i++)
      w[i] = a * (u[i] - v[i]);
  else
    for (sunindextype i = 0; i < n; i++)
      w[i] = a * u[i] + b * v[i];
}

static void scale(realtype c, N_Vector x, N_Vector z)
{
  const double *u = NV_DATA_S(x);
  double *w = NV_DATA_S(z);

  for (sunindextype i = 0, n = NV_LENGTH_S(z); i < n; i++)
    w[i] = c * u[i];
}

static void product(N_Vector x, N_Vector y, N_Vector z)
{
  const double *u = NV_DATA_S(x), *v = NV_DATA_S(y);
  double *w = NV_DATA_S(z);

  for (sunindextype i = 0, n = NV_LENGTH_S(z); i < n; i++)
    w[i] = u[i] * v[i];
}

static void quotient(N_Vector x, N_Vector y, N_Vector z)
{
  const double *u = NV_DATA_S(x), *v = NV_DATA_S(y);
  double *w = NV_DATA_S(z);

  for (sunindextype i = 0, n = NV_LENGTH_S(z); i < n; i++)
    w[i] = u[i] / v[i];
}

static realtype inner_product(N_Vector x, N_Vector y)
{
  const double *u = NV_DATA_S(x), *v = NV_DATA_S(y);
  sunindextype i = 0, n = NV_LENGTH_S(x);
  double sum[PARTS] = {0};

  for (; i + PARTS <= n; i += PARTS)
    for (int k = 0; k < PARTS; k++)
      sum[k] += u[i + k] * v[i + k];
  for (; i < n; i++)
    sum[0] += u[i] * v[i];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

static realtype weighted_norm(N_Vector x, N_Vector weight)
{
  const double *u = NV_DATA_S(x), *w = NV_DATA_S(weight);
  sunindextype n = NV_LENGTH_S(x);
  double sum = 0;

  for (sunindextype i = 0; i < n; i++) {
    double part = u[i] * w[i];
    sum += part * part;
  }
  return sqrt(sum / (double)n);
}

void brink__cvode_vector_operations(N_Vector v)
{
  v->ops->nvlinearsum = linear_sum;
  v->ops->nvscale = scale;
  v->ops->nvprod = product;
  v->ops->nvdiv = quotient;
  v->ops->nvdotprod = inner_product;
  v->ops->nvwrmsnorm = weighted_norm;
}
