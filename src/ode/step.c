/* step.c -- reading a step polynomial. */
#include "brink/step.h"

#include "poly/poly.h"

double brink_step_state(const brink_step *step, size_t i, double theta)
{
  return brink__horner(step->degree, step->coeff + i * ((size_t)step->degree + 1),
                       theta);
}

void brink_step_at(const brink_step *step, double theta, double *y)
{
  const double *c = step->coeff;
  int degree = step->degree;

  for (size_t i = 0; i < step->n; i++, c += degree + 1)
    y[i] = brink__horner(degree, c, theta);
}

void brink_step_slope(const brink_step *step, double theta, double *dydt)
{
  const double *c = step->coeff;

  for (size_t i = 0; i < step->n; i++, c += step->degree + 1)
    dydt[i] = brink__horner_derivative(step->degree, c, 1, theta) / step->h;
}
