/* event/change_variable.h -- a step with another independent variable than time.
 *
 * Along a solution of y' = f(t, y) any s that grows or falls steadily may take the
 * place of t [Henon82; BEHK12, 4]:
 *
 *   dt/ds = K,  dy/ds = K f(t, y),     K = 1/(ds/dt),
 *
 * n + 1 equations that every one-step method can solve.  With the guard g for s, one
 * step of length -g leads onto its zero, wherever that lies in time.  A wrong K makes
 * nobody leave the solution, it only changes how far a step goes; so rates of guards
 * that are known by differences are good enough for it.
 *
 *   variable      s                  K               exact by construction
 *   BY_TIME       t                  1               t
 *   BY_GUARD      g                  1/g'            y_k, if g = y_k - a
 *   BY_RATE       g'                 1/g''
 *   BY_ROOT       g = g* + c s^2/2   c s/g'          y_k, if g = y_k - a
 *
 * g' = 0 makes BY_GUARD singular.  Where g' goes through zero, at a turning point with
 * the value g*, the guard is no variable, but its rate is one; and from the turning
 * point on the root of its distance from g*, with c the sign of g'' and K = 1/sqrt|g''|
 * at s = 0, is another: regular, and it ends on the zero of g at s^2 = 2 |g*|.
 */
#ifndef BRINK_CHANGE_VARIABLE_H
#define BRINK_CHANGE_VARIABLE_H

#include "event/guards.h"
#include "ode/method.h"

typedef enum brink__variable {
  BRINK__BY_TIME,
  BRINK__BY_GUARD,
  BRINK__BY_RATE,
  BRINK__BY_ROOT
} brink__variable;

typedef struct brink__change {
  brink__gate *gate; /* f passes here and nowhere else                          */
  brink__guards *guards;
  int k; /* which guard                                             */
  brink__variable by;
  double span;       /* a time in which it changes much, for differences        */
  double least_rate; /* BY_GUARD: g' must have this sign, and be no slower      */
  double curvature;  /* BY_ROOT: g'' at the turning point                       */
  double *work;      /* [2][n] for differences                                  */
} brink__change;

/* dg/dt, and its derivative along the flow, at (t, y), where the right-hand side is f.
 * 0: one of them has no value there. */
int brink__change_rate(const brink__change *c, double t, const double *y,
                       const double *f, double *rate);
int brink__change_curvature(const brink__change *c, double t, const double *y,
                            const double *f, double *curvature);

/* From s0 to s1 in so many equal steps of a one-step method, whose state is `state`
 * (for a flow of n + 1 equations).  z [n + 1] is t and the states, at s0 and then at
 * s1; tol is for z.  *err: the largest scaled error of a step.  BRINK_EDOMAIN: s is no
 * variable all the way, or f does not exist there, and z is lost. */
brink_status brink__change_advance(const brink__change *c, const brink_method *method,
                                   void *state, const brink__tol *tol, int steps,
                                   double s0, double s1, double *z, double *err);

#endif /* BRINK_CHANGE_VARIABLE_H */
