/* ode/controller.h -- the step size as a feedback loop.
 *
 * PI control [HNW93, II.4; Gustafsson91]: the next step depends on this error and on
 * the last accepted one, which calms the sequence of steps.
 */
#ifndef BRINK_CONTROLLER_H
#define BRINK_CONTROLLER_H

typedef struct brink__controller {
  int order;       /* of the error estimate                                 */
  double exponent; /* 1/(error order + 1) - 0.75 beta                       */
  double beta;     /* weight of the last error                              */
  double safety;   /* aim below the tolerance                               */
  double easy;     /* below this error the step grows as much as it may     */
  double last;     /* last accepted error, bounded from below               */
  int rejected;    /* the last attempt failed: do not grow after the next   */
} brink__controller;

/* order: of the error estimate, so that err ~ h^(order + 1); beta, safety: of the
 * method, safety 0 meaning 0.9. */
void brink__controller_start(brink__controller *c, int order, double beta,
                             double safety);

/* Factor for the next step after an error <= 1, respectively > 1. */
double brink__controller_accept(brink__controller *c, double err);
double brink__controller_reject(brink__controller *c, double err);

#endif /* BRINK_CONTROLLER_H */
