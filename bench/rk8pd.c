/* rk8pd.c -- see rk8pd.h */
#include "rk8pd.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>
#include <stdlib.h>

struct rk8pd {
  gsl_odeiv2_system system;
  gsl_odeiv2_driver *driver;
  double h0;
};

rk8pd *rk8pd_new(size_t n, int (*rhs)(double, const double *, double *, void *),
                 void *user, double tol, double h0)
{
  rk8pd *g = malloc(sizeof *g);

  if (!g)
    return NULL;
  *g = (rk8pd){.system = {rhs, NULL, n, user}, .h0 = h0};
  g->driver =
      gsl_odeiv2_driver_alloc_y_new(&g->system, gsl_odeiv2_step_rk8pd, h0, tol, tol);
  if (!g->driver) {
    free(g);
    return NULL;
  }
  return g;
}

int rk8pd_run(rk8pd *g, double t0, double t1, double *y)
{
  gsl_odeiv2_driver_reset_hstart(g->driver, g->h0);
  return gsl_odeiv2_driver_apply(g->driver, &t0, t1, y) == GSL_SUCCESS ? 0 : 1;
}

void rk8pd_free(rk8pd *g)
{
  if (g)
    gsl_odeiv2_driver_free(g->driver);
  free(g);
}
