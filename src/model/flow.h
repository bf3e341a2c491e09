/* model/flow.h -- what an integrator may ask of a mode.
 *
 * A flow is the smooth law of one mode with its data filled in.  Integrators know
 * this and nothing else of the house.
 */
#ifndef BRINK_FLOW_H
#define BRINK_FLOW_H

#include "core/core.h"

typedef struct brink_flow brink_flow;

/* Places in a square matrix: column by column, in each of them by rows, no place twice.
 */
typedef struct brink__places {
  size_t n, nnz;
  const int32_t *row, *col; /* [nnz] */
} brink__places;

struct brink_flow {
  size_t n;

  /* Writes f[0..n-1].  0 ok, > 0 "not here", < 0 "stop". */
  int (*rhs)(const brink_flow *flow, double t, const double *y, double *f);

  /* The same law without the iterations inside rhs: M u' = F(t, u), where u = (y, z),
   * z are the n_z unknowns of algebraic loops, and M = diag(1, ..., 1, 0, ..., 0) has n
   * ones.  F is f with z as it is given, then the residuals of the loops.  Where n_z is
   * 0, F is f: residual and loop_unknowns are NULL.  residual writes F[0..n+n_z-1] and
   * answers as rhs does; loop_unknowns writes z as the last rhs that answered 0 has
   * found it.
   *
   * Implicit methods may solve for y and z together.  One that solves for y alone may
   * take rhs and the matrix M - c dF/du all the same: with the right-hand side (b, 0)
   * its solution is (x, .) with (I - c df/dy) x = b. */
  size_t n_z;
  int (*residual)(const brink_flow *flow, double t, const double *u, double *F);
  void (*loop_unknowns)(const brink_flow *flow, double *z);

  /* The places of dF/du that may differ from 0, or NULL: not known, all may.  All (i,
   * i) with i < n are among them, so that M - c dF/du has the same places.  The entries
   * at (t, u) in this order (of all places where pattern is NULL); jacobian NULL: take
   * differences (ode/jacobian.h does).  0 ok, > 0: there is no derivative here, < 0
   * "stop". */
  const brink__places *pattern;
  int by_user; /* 1: pattern or jacobian are a user's claim, to be checked          */
  int (*jacobian)(const brink_flow *flow, double t, const double *u, double *entry);

  /* 1: the model can tell how long steps may be, whatever the method (model.h,
   * step_limit). */
  int limits_steps;

  /* The Taylor series of the solution through (t, y), or NULL: it is not known.  Writes
   * c[i * (order + 1) + k], the coefficient of theta^k, theta = (time - t)/h, of state
   * i, for k = 0 .. order; `work` is jet_size(flow, order) bytes that it may use.
   * Looks at nothing but the point (t, y).  Returns as rhs does. */
  size_t (*jet_size)(const brink_flow *flow, int order);
  int (*jet)(const brink_flow *flow, double t, double h, const double *y, int order,
             void *work, double *c);

  const char *no_jet; /* jet == NULL: why, or NULL                                */

  /* Put y back on the constraints that solutions satisfy, by the smallest change in
   * units of `unit` [n]; or NULL: there are none, n is the number of degrees of
   * freedom. 0: it was there up to rounding and is as it was, 1: it was moved, -1: not
   * here. */
  int (*project)(const brink_flow *flow, double t, const double *unit, double *y);

  int backward; /* 1: t is the negative of time, as it is to be shown               */

  /* 1: there are unilateral events, and `inside` must be asked before rhs. */
  int guarded;

  /* 1: f is smooth between the zeros of its guards: there is no discontinuity in it
   * that no guard announces. */
  int guards_complete;

  /* 1 if no unilateral event lies behind (t, y); on its zero is inside. */
  int (*inside)(const brink_flow *flow, double t, const double *y);

  /* After rhs said "not here" or "stop": one sentence why, or "". */
  const char *(*reason)(const brink_flow *flow);

  /* A clause about component i of f at the last evaluation (its equation, the values
   * in it), or ""; NULL: nothing is known about components. */
  const char *(*about)(const brink_flow *flow, size_t i);

  const char *const *states; /* [n] their names, or NULL                             */

  void *self; /* whose law it is */
};

/* The time that is meant by t. */
static inline double brink__flow_time(const brink_flow *flow, double t)
{
  return flow->backward ? -t : t;
}

/* For flows that have nothing to say about a refusal. */
const char *brink__no_reason(const brink_flow *flow);

#endif /* BRINK_FLOW_H */
