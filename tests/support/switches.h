/* switches.h -- problems with switches, to be run with guards and with switches that
 * are hidden in f.
 *
 * A problem is a right-hand side with up to four switches, s[k] = g_k(t, y) > 0.  With
 * guards the switches are modes, guards and events; hidden, the right-hand side asks g
 * for itself. */
#ifndef BRINK_TEST_SWITCHES_H
#define BRINK_TEST_SWITCHES_H

enum { SWITCHED_N = 6, SWITCHED_M = 4 }; /* the most states and switches */

typedef enum switched_class {
  JUMPS,      /* f jumps at every switch                                           */
  EXCURSIONS, /* ... and two switches may lie between two stages of one step       */
  KINKS,      /* f bends                                                           */
  SWITCHED_CLASSES
} switched_class;

typedef struct switched {
  const char *name;
  switched_class class;
  int n, m; /* states, switches */
  double (*g)(double t, const double *y, int k);
  void (*f)(double t, const double *y, const int *s, double *f);
  double t0, t1, y0[SWITCHED_N];
} switched;

extern const switched switches[]; /* up to one without a name */

typedef struct switched_run {
  double y[SWITCHED_N];
  long f, events, unguarded, looks;
} switched_run;

/* From t0 to t1; fails the test if it does not arrive. */
switched_run switches_run(const switched *p, int guarded, const char *method,
                          double tol);

/* What all should reach: with guards, by dop853 at 1e-13. */
switched_run switches_true(const switched *p);

/* The largest difference of the states at the end, over 1 + |b|: as tolerances have it.
 */
double switches_off(const switched *p, const switched_run *a, const switched_run *b);

#endif
