/* chain.h -- the cascade of pendula of models/pendulum_cascade.mo in minimal
 * coordinates.
 *
 * Angles instead of Cartesian coordinates and constraints, Taylor series written for
 * this chain by hand, in long double: an independent solution for any P.
 */
#ifndef BENCH_CHAIN_H
#define BENCH_CHAIN_H

enum { CHAIN_MAX = 32 }; /* pendula */

typedef struct chain_end {
  double x[CHAIN_MAX], y[CHAIN_MAX], lambda[CHAIN_MAX];
} chain_end;

/* The chain of P <= CHAIN_MAX pendula at time t, from the start of the model. */
chain_end chain_solve(int P, double t);

#endif
