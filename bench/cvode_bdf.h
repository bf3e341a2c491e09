/* cvode_bdf.h -- CVODE's BDF called directly, for comparison; cvode_bdf_absent.c takes
 * its place where there is no SUNDIALS. */
#ifndef BENCH_CVODE_BDF_H
#define BENCH_CVODE_BDF_H

#include "stiff_problems.h"

typedef struct cvode_bdf_counts {
  long steps, f, jacobians, setups; /* f: with those of differences */
} cvode_bdf_counts;

int cvode_bdf_here(void);

/* From 0 to p->t1, y [n] at the end.  0: it went well.  Jacobians are CVODE's own
 * differences; large systems: GMRES without a preconditioner. */
int cvode_bdf_run(const stiff_problem *p, double *y, cvode_bdf_counts *counts);

#endif
