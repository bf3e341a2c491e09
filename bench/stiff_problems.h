/* stiff_problems.h -- problems of the IVP test set as C callbacks. */
#ifndef BENCH_STIFF_PROBLEMS_H
#define BENCH_STIFF_PROBLEMS_H

#include <stddef.h>

typedef struct stiff_problem {
  const char *name;
  size_t n;
  double t1, rtol, atol;
  int (*rhs)(double t, const double *y, double *f, void *user);
  void (*start)(double *y);
} stiff_problem;

enum { STIFF_PROBLEMS = 6 };
extern const stiff_problem stiff_problems[STIFF_PROBLEMS];

#endif
