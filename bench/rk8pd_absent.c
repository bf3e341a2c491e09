/* rk8pd_absent.c -- takes the place of rk8pd.c where there is no GSL. */
#include "rk8pd.h"

rk8pd *rk8pd_new(size_t n, int (*rhs)(double, const double *, double *, void *),
                 void *user, double tol, double h0)
{
  (void)n, (void)rhs, (void)user, (void)tol, (void)h0;
  return NULL;
}

int rk8pd_run(rk8pd *g, double t0, double t1, double *y)
{
  (void)g, (void)t0, (void)t1, (void)y;
  return 1;
}

void rk8pd_free(rk8pd *g) { (void)g; }
