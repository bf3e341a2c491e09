/* by_hand.h -- right-hand sides as a programmer writes them, for bench_tape and
 * bench_heat.
 *
 * by_hand.c is compiled with -O2 -fno-tree-vectorize whatever the build type. */
#ifndef BENCH_BY_HAND_H
#define BENCH_BY_HAND_H

enum { STARS = 7, PLEIADES = 4 * STARS };   /* x, y, vx, vy */
enum { MASSES = 1000, CHAIN = 2 * MASSES }; /* x, v         */

/* Pleiades: seven stars in a plane, star i of mass i + 1 [HNW93, II.10]. */
void pleiades_by_hand(const double *y, double *f);

/* p: stiffness, cubic stiffness, damping; walls at both ends */
void chain_by_hand(const double *p, const double *y, double *f);

/* n x n cells, row by row; those at the border cool by themselves */
void heat_by_hand(int n, double k, const double *T, double *f);

#endif /* BENCH_BY_HAND_H */
