/* floor.h -- the floor: what a bounce costs a program that can do nothing else.
 *
 * The same method as the library's dopri5 (tableau, interpolant, tolerance), the
 * same event, located to the last bits; but two states, one guard and one jump
 * written into the code, no generality, no memory, all optimisations.  How far the
 * library is above this is the price of being a library.
 */
#ifndef BENCH_FLOOR_H
#define BENCH_FLOOR_H

#include "ball_problem.h"

typedef struct floor_work {
  long steps;   /* attempts           */
  long f_evals; /* right-hand sides   */
  long g_evals; /* values of the guard */
} floor_work;

/* Simulate until n bounces are located; writes times[0..n-1], adds to *work.
 * rtol = atol = tol.  Returns the number of bounces located before BALL_END. */
int floor_ball(ball b, double tol, int n, double *times, floor_work *work);

#endif /* BENCH_FLOOR_H */
