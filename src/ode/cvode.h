/* ode/cvode.h -- what the files of the method cvode share. */
#ifndef BRINK_CVODE_INNER_H
#define BRINK_CVODE_INNER_H

#include "ode/method.h"

#include <sundials/sundials_linearsolver.h>

/* Solves the linear systems of Newton's method; see cvode_linear.c. */
typedef struct brink__cvode_linear brink__cvode_linear;

/* ... where these are large and have no pattern; see cvode_krylov.c. */
typedef struct brink__cvode_krylov brink__cvode_krylov;

/* Where callbacks of CVODE find the attempt that they belong to. */
typedef struct brink__cvode_call {
  brink__gate *gate;
  const brink__tol *tol;
  double t; /* where the step begins */
  brink__cvode_linear *linear;
  brink__cvode_krylov *krylov;
} brink__cvode_call;

/* Make the solver for this flow, in *call, and attach it to the integrator `cvode`,
 * whose user data begins with the call; y: any vector of its kind. */
brink_status brink__cvode_linear_new(brink_ctx *ctx, SUNContext sun, void *cvode,
                                     N_Vector y, const brink_flow *flow,
                                     brink__cvode_call *call);
/* |J| where it was last evaluated; 0: not known. */
double brink__cvode_linear_norm(const brink__cvode_linear *l);
/* Had the last matrix no factors? */
int brink__cvode_linear_is_singular(const brink__cvode_linear *l);
/* The next matrix is the first one. */
void brink__cvode_linear_forget(brink__cvode_linear *l, const brink_flow *flow);
void brink__cvode_linear_free(brink__cvode_call *call);

/* The same for large systems without a pattern. */
brink_status brink__cvode_krylov_new(brink_ctx *ctx, SUNContext sun, N_Vector y,
                                     const brink_flow *flow, brink__cvode_krylov **out,
                                     SUNLinearSolver *solver);
int brink__cvode_krylov_attach(void *cvode);
void brink__cvode_krylov_free(brink__cvode_krylov *k);

/* cvode_vector.c: this vector and its clones use loops of ours. */
void brink__cvode_vector_operations(N_Vector v);

/* cvode_dense.c: full matrices by columns as CVODE's own solver has them, so that runs
 * are CVODE's to the last bit.
 *
 * J by differences in a step of size h with these weights of errors, where f is known;
 * at, f1 [n] are work.  Answers as brink__f does at the points that it takes. */
brink_status brink__cvode_differences(brink__gate *gate, double t, double h,
                                      const double *weight, const double *y,
                                      const double *f, double *at, double *f1,
                                      double *J);
/* a = L U with row exchanges; 0: singular.  Then a x = b: x holds b, then x. */
int brink__cvode_factor(size_t n, double *a, int *pivot);
void brink__cvode_solve(size_t n, const double *a, const int *pivot, double *x);

#endif /* BRINK_CVODE_INNER_H */
