/* brink/step.h -- a step is a polynomial.
 *
 * Whatever an integrator is inside, it hands over this one object.  Event
 * location, output grids and plots read it and nothing else.
 */
#ifndef BRINK_STEP_H
#define BRINK_STEP_H

#include "brink/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One accepted step and the polynomial that fills it:
 *
 *   y_i(t0 + theta*h) = sum_k coeff[i*(degree+1) + k] * theta^k,
 *                       0 <= theta <= 1.
 *
 * theta = 1 reproduces the accepted end point to rounding.  Borrowed: valid
 * until the next call on the integrator or simulation that produced it. */
typedef struct brink_step {
  double t0, h;
  double t1; /* where the step ends; t0 + h up to rounding      */
  size_t n;  /* number of states                                */
  int degree;
  const double *coeff; /* [n][degree + 1]                              */
} brink_step;

/* All states at theta.  Does not allocate. */
BRINK_API void brink_step_at(const brink_step *step, double theta, double *y);

/* State i at theta.  Does not allocate. */
BRINK_API double brink_step_state(const brink_step *step, size_t i, double theta);

/* dy/dt of all states at theta (the polynomial's own derivative). */
BRINK_API void brink_step_slope(const brink_step *step, double theta, double *dydt);

#ifdef __cplusplus
}
#endif
#endif /* BRINK_STEP_H */
