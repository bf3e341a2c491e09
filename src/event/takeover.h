/* event/takeover.h -- locators that take the last steps before a guard themselves.
 *
 * Away from guards the method of the run integrates.  Where a guard that matters has a
 * zero in the step ahead, hybrid/takeover.c asks the locator's takeover for a step from
 * the same point instead: a step polynomial and the state at its end, with whatever
 * formula it likes.  It may end before the zero, and is asked again there, or on it.
 * If it declines, the method goes on and the event is located behind its step, as
 * brink__locator.otherwise says.
 *
 * Memory is a block of state_size bytes in the regime, zeroed once; like that of a
 * method it holds no pointer, so that a copy of its bytes is a copy of it.  f is called
 * through the gate only.
 */
#ifndef BRINK_TAKEOVER_H
#define BRINK_TAKEOVER_H

#include "brink/sim.h"
#include "event/guards.h"
#include "ode/method.h"

/* The point where a takeover is asked for a step, and the guard ahead of it. */
typedef struct brink__takeover_at {
  const brink_sim_opts *opt;
  const brink_method *method; /* that integrates away from the guard               */
  brink__gate *gate;          /* f, as steps call it: it counts, and it refuses    */
  const brink__tol *tol;
  double t;
  const double *y;        /* [n]                                                    */
  const brink_step *last; /* the step that ended here; NULL: the flow begins here   */

  brink__guards *guards;
  int guard; /* the guard ahead, ...                                              */
  int sign;  /* ... its sign up to its zero, ...                                  */
  int stay;  /* ... and 1: no state may lie beyond the zero; 0: the step that
                reaches it has to end beyond, by little more than rounding         */

  /* What shows the zero, at theta: a prediction, or the step that the method has taken
   * from here.  NULL: the guard is within `near_g`, and nothing is known ahead. */
  const brink_step *ahead;
  double theta;

  double h;     /* the step that the method would take next, 0: not known         */
  double left;  /* no step may be longer ...                                      */
  double least; /* ... nor shorter                                                 */
} brink__takeover_at;

/* The step that it has computed. */
typedef struct brink__taken {
  double h;
  int degree;
  double *coeff;  /* [n][degree + 1] room for max_degree                            */
  double *y;      /* [n] state at its end                                           */
  const char *by; /* for the record, static; NULL: the locator's name              */
} brink__taken;

typedef struct brink__takeover {
  int approaches; /* it takes several steps, and only towards a zero: the method brings
                     the run nearer where it declines, and it is not asked where the way
                     to the zero is rounding                                        */

  /* Highest degree of its step polynomials. */
  int (*max_degree)(const brink_method *method);

  size_t (*state_size)(const brink_flow *flow, const brink_method *method,
                       const brink_sim_opts *opt);

  /* The run did not come here by the takeover's own steps. */
  void (*forget)(void *state);

  /* BRINK_OK: *out is a step from (at->t, at->y).  BRINK_END: it declines.  Else an
   * error, with a sentence in *err. */
  brink_status (*step)(void *state, const brink__takeover_at *at, brink__taken *out,
                       brink_err *err);
} brink__takeover;

#endif /* BRINK_TAKEOVER_H */
