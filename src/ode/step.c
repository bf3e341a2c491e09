/* step.c -- reading a step polynomial. */
#include "brink/step.h"

double brink_step_state(const brink_step *step, size_t i, double theta)
{
  const double *c = step->coeff + i * ((size_t)step->degree + 1);
  double y = c[step->degree];

  for (int k = step->degree - 1; k >= 0; k--)
    y = y * theta + c[k];
  return y;
}

void brink_step_at(const brink_step *step, double theta, double *y)
{
  const double *c = step->coeff;
  int degree = step->degree;

  /* the most common degree written out: locators live in this loop */
  if (degree == 4) {
    for (size_t i = 0; i < step->n; i++, c += 5)
      y[i] = (((c[4] * theta + c[3]) * theta + c[2]) * theta + c[1]) * theta + c[0];
    return;
  }
  for (size_t i = 0; i < step->n; i++, c += degree + 1) {
    double v = c[degree];
    for (int k = degree - 1; k >= 0; k--)
      v = v * theta + c[k];
    y[i] = v;
  }
}

void brink_step_slope(const brink_step *step, double theta, double *dydt)
{
  for (size_t i = 0; i < step->n; i++) {
    const double *c = step->coeff + i * ((size_t)step->degree + 1);
    double slope = 0;
    for (int k = step->degree; k >= 1; k--)
      slope = slope * theta + k * c[k];
    dydt[i] = slope / step->h;
  }
}
