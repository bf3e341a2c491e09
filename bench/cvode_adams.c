/* cvode_adams.c -- see cvode_adams.h */
#include "cvode_adams.h"

#include <string.h>

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

typedef struct call {
  int (*rhs)(double, const double *, double *, void *);
  void *user;
} call;

static int evaluate(realtype t, N_Vector y, N_Vector f, void *user)
{
  call *c = user;

  return c->rhs(t, N_VGetArrayPointer(y), N_VGetArrayPointer(f), c->user);
}

static int integrate(void *cvode, SUNNonlinearSolver solver, call *c, N_Vector v,
                     double tol, double t1)
{
  double t;

  if (CVodeInit(cvode, evaluate, 0, v) || CVodeSStolerances(cvode, tol, tol) ||
      CVodeSetUserData(cvode, c) || CVodeSetNonlinearSolver(cvode, solver) ||
      CVodeSetMaxNumSteps(cvode, 10000000) || CVodeSetStopTime(cvode, t1))
    return 1;
  return CVode(cvode, t1, v, &t, CV_NORMAL) < 0;
}

int cvode_adams_here(void) { return 1; }

int cvode_adams_run(size_t n, int (*rhs)(double, const double *, double *, void *),
                    void *user, double tol, double t1, double *y)
{
  call c = {rhs, user};
  SUNContext ctx = NULL;
  int failed = 1;

  if (SUNContext_Create(NULL, &ctx))
    return 1;
  N_Vector v = N_VNew_Serial((sunindextype)n, ctx);
  SUNNonlinearSolver solver = v ? SUNNonlinSol_FixedPoint(v, 0, ctx) : NULL;
  void *cvode = solver ? CVodeCreate(CV_ADAMS, ctx) : NULL;
  if (cvode) {
    memcpy(N_VGetArrayPointer(v), y, n * sizeof *y);
    failed = integrate(cvode, solver, &c, v, tol, t1);
    memcpy(y, N_VGetArrayPointer(v), n * sizeof *y);
    CVodeFree(&cvode);
  }
  if (solver)
    SUNNonlinSolFree(solver);
  if (v)
    N_VDestroy(v);
  SUNContext_Free(&ctx);
  return failed;
}
