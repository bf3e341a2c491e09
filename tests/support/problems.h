/* problems.h -- initial-value problems with known solutions, for the tests of
 * methods.  All start at an odd time, where nothing is even or zero by accident. */
#ifndef BRINK_PROBLEMS_H
#define BRINK_PROBLEMS_H

#include <stddef.h>

enum { PROBLEM_N = 4 }; /* the most equations */

typedef struct problem {
  const char *name;
  size_t n;
  double t0, t1;
  int (*rhs)(double t, const double *y, double *f, void *user);
  void (*exact)(double t, double *y);
} problem;

/* A limit cycle with a time-dependent rate, and a Riccati equation beside it: not
 * autonomous, n = 3. */
extern const problem problem_spiral;

/* Kepler's orbit with eccentricity 0.3, n = 4. */
extern const problem problem_kepler;

/* The restricted three-body orbit of Arenstorf, [HNW93, II.0 (0.1)]; closes after
 * ARENSTORF_PERIOD. */
#define ARENSTORF_PERIOD 17.0652165601579625588917206249
extern const double arenstorf_start[4];
int arenstorf(double t, const double *y, double *f, void *user);

/* Seven stars in the plane, [HNW93, II.10 (10.3)]: x[7], y[7] and their slopes; its end
 * at t = 3 as published with the test set for initial value problems, [MM08]. */
enum { PLEIADES_N = 28 };
extern const double pleiades_start[PLEIADES_N], pleiades_end[PLEIADES_N];
int pleiades(double t, const double *y, double *f, void *user);

/* x'' = mu (1 - x^2) x' - x with mu = *(double *)user */
int van_der_pol(double t, const double *y, double *f, void *user);

#endif /* BRINK_PROBLEMS_H */
