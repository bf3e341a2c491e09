/* planted_dae.h -- random differential-algebraic systems whose solution is known.
 *
 * Each variable x_j is a smooth function of time that is chosen first.  Equation i is a
 * sum of terms in derivatives of the variables, and its right-hand side is the same sum
 * of the chosen functions, so these are a solution.  Offsets c_i, d_j >= c_j are
 * chosen, too: equation i has order d_j - c_j in x_i's own place (j = i), where its
 * slope is at least 1, and orders up to d_j - c_i elsewhere, where those of that order
 * have small slopes.  So the system Jacobian is dominated by its diagonal, the index is
 * at most max c + 1, and the values of x_j^(k), k < d_j - c_j, determine all others.
 */
#ifndef BRINK_TEST_PLANTED_DAE_H
#define BRINK_TEST_PLANTED_DAE_H

#include <stddef.h>
#include <stdint.h>

enum {
  PLANTED_VARS = 8,
  PLANTED_ORDERS = 8, /* of derivatives, 0 .. 7 */
  PLANTED_TERMS = 12
};

typedef enum planted_start {
  PLANTED_FIXED, /* what is free is fixed, by an attribute or an initial equation   */
  PLANTED_GUESS, /* what is free has its value as a start value, others have none   */
  PLANTED_ALL,   /* all derivatives have names and consistent start values          */
  PLANTED_WRONG, /* what is free is fixed, the others have start values that are wrong
                  */
  PLANTED_STARTS
} planted_start;

typedef enum planted_shape {
  PLANTED_LINEAR,
  PLANTED_SINE,
  PLANTED_CUBIC,
  PLANTED_PRODUCT,
  PLANTED_ROOT,
  PLANTED_SHAPES
} planted_shape;

typedef struct planted_term {
  int j, k;  /* x_j^(k) */
  int other; /* of a product: with x_other */
  planted_shape shape;
  double factor, swing, rate; /* factor*(1 + swing*sin(rate*t)) */
} planted_term;

typedef struct planted_eqn {
  planted_term term[PLANTED_TERMS];
  int n;
} planted_eqn;

typedef struct planted_var {
  double a, w, p, b, r; /* a sin(w t + p) + b exp(-r t)                              */
  int c, d, free;       /* offsets; derivatives below `free` determine the solution  */
  int named;            /* derivatives below this are variables of their own         */
} planted_var;

typedef struct planted_dae {
  uint64_t seed;
  int n, index, linear;
  planted_start start;
  double t0;
  planted_var var[PLANTED_VARS];
  planted_eqn eqn[PLANTED_VARS];
  double mix[PLANTED_VARS][PLANTED_VARS]; /* equation i as written is the sum of
                                             mix[i][q] times equation q */
  char text[131072];
  size_t used;
} planted_dae;

/* System number `seed`, with its text. */
void planted_make(planted_dae *p, uint64_t seed);

/* The same with equations mixed by a constant regular matrix, of integers or of any
 * numbers, so that derivatives of high order occur in all of them. */
void planted_make_mixed(planted_dae *p, uint64_t seed);

/* x_j^(k) at time t. */
double planted_value(const planted_var *v, int k, double t);

/* The name of x_j^(k); k < named. */
void planted_name(int j, int k, char *name, size_t cap);

/* Equation i with x[j][k] in place of x_j^(k): what it is off by, and the sum of the
 * sizes of its terms. */
double planted_residual(const planted_dae *p, int i, double t,
                        double x[][PLANTED_ORDERS], double *size);

#endif /* BRINK_TEST_PLANTED_DAE_H */
