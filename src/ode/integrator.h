/* ode/integrator.h -- the integrator from inside: what its files share.
 *
 * integrator.c makes it and answers questions, driver.c advances it, first_step.c and
 * failure.c begin and end it.  Three observers watch it, each with its own state:
 * discontinuity.c, ending.c, stiffness.c.  Everyone else includes driver.h. */
#ifndef BRINK_INTEGRATOR_INNER_H
#define BRINK_INTEGRATOR_INNER_H

#include "ode/discontinuity.h"
#include "ode/driver.h"
#include "ode/observers.h"

struct brink_integrator {
  brink_ctx *ctx;
  brink__block block;
  const brink_method *method;
  const brink_method *acting; /* the same, or the one it has chosen               */
  void *state;
  size_t state_size;   /* bytes                                                  */
  brink_status opened; /* what the method answered when it was opened            */
  brink_flow own_flow; /* of a brink_ivp                                          */
  brink_ivp ivp;
  brink__gate gate;  /* f, where steps call it                                    */
  brink__gate probe; /* f as a question, by observers: refusals leave no trace    */
  brink__tol tol;
  double *atol_i; /* [n] room for tol.atol_i                                        */
  double *weight; /* [n] the same, if the user writes it; else NULL                 */
  brink_integrator_opts opt;
  brink__controller controller;

  /* -- where it stands -- */
  double t;
  double *y; /* [n]                                                               */
  int started;
  double start_move; /* by how much the last start has moved the state to put it on the
                        constraints, in units of its tolerances; 0: not at all       */
  int begun; /* the method knows what can be known at this point                  */
  int busy;  /* inside a call: callbacks must not begin another                    */

  /* -- the last step -- */
  brink_step last; /* its coefficients are in coeff; h = 0: none since the start   */
  int max_degree;  /* of step polynomials, its method's and others'               */
  double *coeff;   /* [n][max_degree + 1]                                         */
  int dense;       /* they are the method's polynomial, not a stopgap             */
  int own_dense;   /* and would be if the step were not shown                     */
  double h_lambda; /* |h lambda| in it, 0: not known, or of an explicit method     */
  int continues;   /* f has not changed since, as far as is known                 */
  brink__crossing crossed; /* at its end                                          */
  double corner; /* time of the last corner of f that it has left, and how often   */
  int corners;   /* it has done so there                                          */

  /* -- the next one -- */
  double h;      /* proposed size, >= 0                                           */
  double hint;   /* first step of the next start, 0: estimate                     */
  double cap;    /* largest step until the next start                             */
  double left;   /* until the limit of the last one                               */
  int reads;     /* BRINK__READ, ...: is the polynomial read?                     */
  long taken;    /* attempts since the last start                                 */
  double *tried; /* [n][max_degree + 1] polynomial of an attempt                  */
  double *f0, *f1, *f2; /* [n] scratch                                            */

  /* -- constraints of the solution (flow->project) -- */
  int moved;           /* the end of the attempt does not lie on them              */
  double *projected;   /* [n] it does here ...                                     */
  double *f_projected; /* [n] ... and f is this                                    */
  double *unit;        /* [n] in which its move is measured: tolerances            */

  /* -- observers -- */
  brink__search *search; /* NULL: f is known to be smooth, or must not be probed   */
  brink__stiffness stiffness;
  brink__ending ending;

  brink_work work;
  brink_err err;
};

/* Smallest step at t. */
double brink__least_step(const brink_integrator *it);

/* Let the method look at the point it stands at, once.  BRINK_EDOMAIN: see the gate. */
brink_status brink__begin_step(brink_integrator *it);

/* Back to where the last step began, without history. */
void brink__undo_step(brink_integrator *it);

/* A size for the first step, [HNW93, II.4 "Starting step size"]: two evaluations of f.
 * span: the time to go, signed. */
brink_status brink__first_step(brink_integrator *it, double span, double *h,
                               double *rate);

/* Why an attempt cannot be kept. */
typedef enum brink__refusal {
  BRINK__PASSED,
  BRINK__BY_ERROR, /* its error is too large                       */
  BRINK__BY_F,     /* f does not exist on the way                  */
  BRINK__OVERFLOW  /* its error is not a number                    */
} brink__refusal;

/* A sentence about a run that ends because no step of size h is accepted, and one about
 * a solution that ends; the status that goes with it. */
brink_status brink__step_too_small(brink_integrator *it, double h,
                                   brink__refusal refused);
brink_status brink__solution_ended(brink_integrator *it, brink__end end);

/* Did the solution end in the last step?  If so, it stands where the step began. */
brink__end brink__ending_after(brink_integrator *it);

/* The difference of two times that t can tell, for a step of size h. */
double brink__whole_step(double t, double h);

/* f refuses every step from here, however short: 1: a step out of the corner that f has
 * here was taken, it->last, and *out is its outcome; 0: f does not exist there either,
 * or half the change of f says that its error is too large.  leave_corner.c */
int brink__leave_corner(brink_integrator *it, double sign, double left,
                        brink__outcome *out);

#endif /* BRINK_INTEGRATOR_INNER_H */
