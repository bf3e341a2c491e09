/* rk8pd.h -- the Prince-Dormand pair 8(7) of the GNU Scientific Library, as a
 * contestant.  Without that library rk8pd_absent.c takes its place. */
#ifndef BENCH_RK8PD_H
#define BENCH_RK8PD_H

#include <stddef.h>

typedef struct rk8pd rk8pd;

/* rtol = atol = tol; NULL if the library is absent or memory is. */
rk8pd *rk8pd_new(size_t n, int (*rhs)(double, const double *, double *, void *),
                 void *user, double tol, double h0);

/* From (t0, y) to t1, y in place; 0 if it went well. */
int rk8pd_run(rk8pd *g, double t0, double t1, double *y);

void rk8pd_free(rk8pd *g);

#endif /* BENCH_RK8PD_H */
