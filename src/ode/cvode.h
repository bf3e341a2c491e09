/* ode/cvode.h -- what the files of the method cvode share. */
#ifndef BRINK_CVODE_INNER_H
#define BRINK_CVODE_INNER_H

#include "ode/method.h"

#include <sundials/sundials_linearsolver.h>

/* Solves the linear systems of Newton's method; see cvode_linear.c. */
typedef struct brink__cvode_linear brink__cvode_linear;

/* Where callbacks of CVODE find the attempt that they belong to. */
typedef struct brink__cvode_call {
  brink__gate *gate;
  const brink__tol *tol;
  brink__cvode_linear *linear;
} brink__cvode_call;

/* f(t, y) as CVODE calls it: 0, > 0 "not here", < 0 "stop". */
int brink__cvode_rhs(double t, N_Vector y, N_Vector f, void *call);

/* Make the solver for this flow and attach it to the integrator `cvode`, whose user
 * data is a brink__cvode_call; y: any vector of its kind. */
brink_status brink__cvode_linear_new(brink_ctx *ctx, SUNContext sun, void *cvode,
                                     N_Vector y, const brink_flow *flow,
                                     brink__cvode_linear **out);
/* The next matrix is the first one. */
void brink__cvode_linear_forget(brink__cvode_linear *l);
void brink__cvode_linear_free(brink__cvode_linear *l);

#endif /* BRINK_CVODE_INNER_H */
