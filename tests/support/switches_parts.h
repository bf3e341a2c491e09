/* switches_parts.h -- what problems with switches are written with. */
#ifndef BRINK_SWITCHES_PARTS_H
#define BRINK_SWITCHES_PARTS_H

#include "switches.h"

/* Few problems need all they are given. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

/* SWITCH(name) { return g_k; } and FLOW(name) { f[i] = ...; } */
#define SWITCH(name) static double name##_g(double t, const double *y, int k)
#define FLOW(name)                                                                     \
  static void name##_f(double t, const double *y, const int *s, double *f)

static inline double sign(int s) { return s ? 1 : -1; }

/* x at the limits +-a: s[0] is beyond a, s[1] above -a; what is between them, and what
 * is beyond. */
static inline double at(double x, double a, int k) { return k ? x + a : x - a; }
static inline double limited(double x, double a, const int *s)
{
  return s[0] ? a : s[1] ? x : -a;
}
static inline double dead(double x, double a, const int *s)
{
  return s[0] ? x - a : s[1] ? 0 : x + a;
}

#endif
