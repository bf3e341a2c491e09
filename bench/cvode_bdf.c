/* cvode_bdf.c -- see cvode_bdf.h */
#include "cvode_bdf.h"

#include <string.h>

#include <cvode/cvode.h>
#include <cvode/cvode_ls.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_spgmr.h>
#include <sunmatrix/sunmatrix_dense.h>

enum {
  FULL_MOST = 400,
  VECTORS = 30
}; /* as src/ode/cvode_linear.c and
      src/ode/cvode_krylov.c have them */

static int evaluate(realtype t, N_Vector y, N_Vector f, void *user)
{
  const stiff_problem *p = *(const stiff_problem **)user;

  return p->rhs(t, N_VGetArrayPointer(y), N_VGetArrayPointer(f), NULL);
}

static int integrate(void *cvode, const stiff_problem **p, N_Vector v, SUNMatrix a,
                     SUNLinearSolver s)
{
  double t;

  if (CVodeInit(cvode, evaluate, 0, v) ||
      CVodeSStolerances(cvode, (*p)->rtol, (*p)->atol) || CVodeSetUserData(cvode, p) ||
      CVodeSetLinearSolver(cvode, s, a) || CVodeSetMaxNumSteps(cvode, 10000000) ||
      CVodeSetStopTime(cvode, (*p)->t1))
    return 1;
  return CVode(cvode, (*p)->t1, v, &t, CV_NORMAL) < 0;
}

static void count(void *cvode, cvode_bdf_counts *c)
{
  long more = 0;

  CVodeGetNumSteps(cvode, &c->steps);
  CVodeGetNumRhsEvals(cvode, &c->f);
  CVodeGetNumLinRhsEvals(cvode, &more);
  CVodeGetNumJacEvals(cvode, &c->jacobians);
  CVodeGetNumLinSolvSetups(cvode, &c->setups);
  c->f += more;
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
  SUNLinearSolver s = large ? SUNLinSol_SPGMR(v, SUN_PREC_NONE, VECTORS, sun)
                            : SUNLinSol_Dense(v, a, sun);
  void *cvode = CVodeCreate(CV_BDF, sun);
  if (v && s && cvode) {
    p->start(N_VGetArrayPointer(v));
    failed = integrate(cvode, &p, v, a, s);
    count(cvode, counts);
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
