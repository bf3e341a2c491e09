/* step.c -- reading a step polynomial. */
#include "ode/driver.h"

#include <float.h>

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

  /* the most common degree as a constant: locators live in this loop */
  if (degree == 4)
    for (size_t i = 0; i < step->n; i++, c += 5)
      y[i] = brink__horner(4, c, theta);
  else
    for (size_t i = 0; i < step->n; i++, c += degree + 1)
      y[i] = brink__horner(degree, c, theta);
}

void brink_step_slope(const brink_step *step, double theta, double *dydt)
{
  const double *c = step->coeff;

  for (size_t i = 0; i < step->n; i++, c += step->degree + 1)
    dydt[i] = brink__horner_derivative(step->degree, c, 1, theta) / step->h;
}

brink_status brink__step_read(const brink_step *step, double t_end, double t, int k,
                              double *out, brink_err *err)
{
  const double *c = step->coeff;
  double slack = 4 * DBL_EPSILON * brink__max(fabs(step->t0), fabs(t_end));
  double lo = brink__min(step->t0, t_end) - slack;
  double hi = brink__max(step->t0, t_end) + slack, unit = 1;

  if (k < 0)
    return brink__fail(err, BRINK_EARG, "there is no derivative of order %d", k);
  if (step->h == 0)
    return brink__fail(err, BRINK_EARG, "there is no step yet");
  if (!(t >= lo && t <= hi))
    return brink__fail(err, BRINK_EARG,
                       "t = %.17g is not in the last step, from %.17g to %.17g", t,
                       step->t0, t_end);
  double theta = t == step->t1 ? 1 : (t - step->t0) / step->h;
  for (int i = 0; i < k; i++)
    unit /= step->h;
  for (size_t i = 0; i < step->n; i++, c += step->degree + 1)
    out[i] = k ? brink__horner_derivative(step->degree, c, k, theta) * unit
               : brink__horner(step->degree, c, theta);
  return BRINK_OK;
}
