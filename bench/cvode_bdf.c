/* cvode_bdf.c -- see cvode_bdf.h
 *
 * The Jacobian is taken by differences with the increments of src/ode/jacobian.c: other
 * ones lead CVODE to other steps, up to a tenth more or less.
 */
#include "cvode_bdf.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include <cvode/cvode.h>
#include <cvode/cvode_bandpre.h>
#include <cvode/cvode_ls.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_spgmr.h>
#include <sunmatrix/sunmatrix_dense.h>

enum { FULL_MOST = 400, HALF_BAND = 3 }; /* as src/ode/cvode_linear.c has them */

static int evaluate(realtype t, N_Vector y, N_Vector f, void *user)
{
  const stiff_problem *p = *(const stiff_problem **)user;

  return p->rhs(t, N_VGetArrayPointer(y), N_VGetArrayPointer(f), NULL);
}

static int differences(realtype t, N_Vector y, N_Vector f, SUNMatrix a, void *user,
                       N_Vector moved, N_Vector f_moved, N_Vector unused)
{
  const stiff_problem *p = *(const stiff_problem **)user;
  const double *v = N_VGetArrayPointer(y), *f0 = N_VGetArrayPointer(f);
  double *at = N_VGetArrayPointer(moved), *f1 = N_VGetArrayPointer(f_moved);

  (void)unused;
  memcpy(at, v, p->n * sizeof *at);
  for (size_t j = 0; j < p->n; j++) {
    double size = fmax(fabs(v[j]), p->atol / p->rtol);
    double *column = SUNDenseMatrix_Column(a, (sunindextype)j);
    at[j] = v[j] + sqrt(DBL_EPSILON) * size;
    p->rhs(t, at, f1, NULL);
    for (size_t i = 0; i < p->n; i++)
      column[i] = (f1[i] - f0[i]) / (at[j] - v[j]);
    at[j] = v[j];
  }
  return 0;
}

static int attach(void *cvode, const stiff_problem *p, SUNMatrix a, SUNLinearSolver s)
{
  if (CVodeSetLinearSolver(cvode, s, a))
    return 1;
  return a ? CVodeSetJacFn(cvode, differences)
           : CVBandPrecInit(cvode, (sunindextype)p->n, HALF_BAND, HALF_BAND);
}

static int integrate(void *cvode, const stiff_problem **p, N_Vector v, SUNMatrix a,
                     SUNLinearSolver s)
{
  double t;

  if (CVodeInit(cvode, evaluate, 0, v) ||
      CVodeSStolerances(cvode, (*p)->rtol, (*p)->atol) || CVodeSetUserData(cvode, p) ||
      attach(cvode, *p, a, s) || CVodeSetMaxNumSteps(cvode, 10000000) ||
      CVodeSetStopTime(cvode, (*p)->t1))
    return 1;
  return CVode(cvode, (*p)->t1, v, &t, CV_NORMAL) < 0;
}

static void count(void *cvode, int large, long n, cvode_bdf_counts *c)
{
  long more = 0, band = 0;

  CVodeGetNumSteps(cvode, &c->steps);
  CVodeGetNumRhsEvals(cvode, &c->f);
  CVodeGetNumLinRhsEvals(cvode, &more);
  CVodeGetNumJacEvals(cvode, &c->jacobians);
  CVodeGetNumLinSolvSetups(cvode, &c->setups);
  if (large)
    CVBandPrecGetNumRhsEvals(cvode, &band);
  c->f += more + band + (large ? 0 : c->jacobians * n);
}

int cvode_bdf_here(void) { return 1; }

int cvode_bdf_run(const stiff_problem *p, double *y, cvode_bdf_counts *counts)
{
  SUNContext sun = NULL;
  sunindextype n = (sunindextype)p->n;
  int large = n > FULL_MOST, failed = 1;

  if (SUNContext_Create(NULL, &sun))
    return 1;
  N_Vector v = N_VNew_Serial(n, sun);
  SUNMatrix a = large ? NULL : SUNDenseMatrix(n, n, sun);
  SUNLinearSolver s =
      large ? SUNLinSol_SPGMR(v, SUN_PREC_LEFT, 0, sun) : SUNLinSol_Dense(v, a, sun);
  void *cvode = CVodeCreate(CV_BDF, sun);
  if (v && s && cvode) {
    p->start(N_VGetArrayPointer(v));
    failed = integrate(cvode, &p, v, a, s);
    count(cvode, large, (long)n, counts);
    memcpy(y, N_VGetArrayPointer(v), p->n * sizeof *y);
  }
  CVodeFree(&cvode);
  if (s)
    SUNLinSolFree(s);
  if (a)
    SUNMatDestroy(a);
  if (v)
    N_VDestroy(v);
  SUNContext_Free(&sun);
  return failed;
}
