/* cvode_adams.h -- the Adams methods of SUNDIALS' CVODE (functional iteration), as a
 * contestant.  Without that library cvode_adams_absent.c takes its place. */
#ifndef BENCH_CVODE_ADAMS_H
#define BENCH_CVODE_ADAMS_H

#include <stddef.h>

/* Is the library there? */
int cvode_adams_here(void);

/* From (0, y) to t1 with rtol = atol = tol, y in place; 0 if it went well. */
int cvode_adams_run(size_t n, int (*rhs)(double, const double *, double *, void *),
                    void *user, double tol, double t1, double *y);

#endif /* BENCH_CVODE_ADAMS_H */
