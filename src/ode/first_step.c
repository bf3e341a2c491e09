/* first_step.c -- the size of the first step, [HNW93, II.4 "Starting step size"]: an
 * explicit Euler step tells the second derivative. */
#include "ode/integrator.h"

#include <math.h>

enum { SHORTER = 60 }; /* times that the Euler step is shortened until f exists there */

/* how much of the Euler step a refusal of f leaves: as in driver.c */
static const double RETREAT = 0.25;

/* norms below these say nothing about the size, and then these sizes are taken: all as
 * in [HNW93] */
static const double SMALL_STATE = 1e-5, SMALL_SLOPE = 1e-15, SMALL_STEP = 1e-6;

static double scaled_norm(const brink_integrator *it, const double *a, const double *b)
{
  size_t n = it->gate.flow->n;
  double sum = 0;

  for (size_t i = 0; i < n; i++) {
    double r = (a[i] - (b ? b[i] : 0)) / brink__scale(&it->tol, i, it->y[i], it->y[i]);
    sum += r * r;
  }
  return sqrt(sum / (double)n);
}

BRINK__APART brink_status brink__first_step(brink_integrator *it, double span,
                                            double *h, double *rate)
{
  size_t n = it->gate.flow->n;
  double direction = span > 0 ? 1 : -1;

  BRINK_TRY(brink__f(&it->gate, it->t, it->y, it->f0));
  double d0 = scaled_norm(it, it->y, NULL), d1 = scaled_norm(it, it->f0, NULL);
  int known = d0 > SMALL_STATE && d1 > SMALL_STATE && isfinite(d0) && isfinite(d1);
  double h0 = brink__min(known ? 0.01 * d0 / d1 : SMALL_STEP, fabs(span));

  /* where f does not exist one Euler step ahead, start smaller */
  brink_status rc = BRINK_EDOMAIN;
  double *y1 = it->f2;
  for (int i = 0; i < SHORTER && rc == BRINK_EDOMAIN;
       i++, h0 *= rc == BRINK_OK ? 1 : RETREAT) {
    for (size_t m = 0; m < n; m++)
      y1[m] = it->y[m] + direction * h0 * it->f0[m];
    rc = brink__f(&it->gate, it->t + direction * h0, y1, it->f1);
    if (rc == BRINK_EUSER)
      return rc;
  }
  double d2 = rc == BRINK_OK ? scaled_norm(it, it->f1, it->f0) / h0 : 0;
  double top = brink__max(d1, d2);
  double h1 = top > SMALL_SLOPE && isfinite(top)
                  ? pow(0.01 / top, 1.0 / (it->acting->error_order + 1))
                  : brink__max(SMALL_STEP, h0 * 1e-3);
  *h = brink__min(100 * h0, h1);
  *rate = d1 > 0 && isfinite(d2 / d1) ? d2 / d1 : 0;
  return BRINK_OK;
}
