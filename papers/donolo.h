/* donolo.h -- the problems of [Donolo02]: a ball that bounces, a pendulum on its
 * separatrix, and ramp metering, for the command, the benches and the tests.
 *
 * Models are made by donolo_*_new, NULL on failure, and freed by brink_model_free.
 */
#ifndef BRINK_PAPERS_DONOLO_H
#define BRINK_PAPERS_DONOLO_H

#include "brink/brink.h"

/* ---------------------------------------------------------------- ball --- */
/* (2.26), (2.27) and (4.3): x' = v, v' = -g with g = 9.8 from x = 0.2 at rest; at x = 0
 * the speed is turned round and multiplied by a. */

enum { DONOLO_BOUNCES = 200 };

#define DONOLO_G      9.8
#define DONOLO_HEIGHT 0.2

/* The time of bounce n = 1, 2, ... and that at which they accumulate. */
double donolo_bounce_time(double a, int n);
double donolo_zeno_time(double a);

/* Height and speed at t. */
void donolo_ball_at(double a, double t, double y[2]);

/* One mode whose guard is a callback, so that every locator has to evaluate it; the
 * bounce leaves x as it finds it.  Parameter 0 is a.  It ends after `limit` bounces (0:
 * it does not). */
brink_model *donolo_ball_new(brink_ctx *ctx, double a, int limit);

/* The same as IVP(f, H, K), K: x >= 0. */
brink_model *donolo_ball_constrained_new(brink_ctx *ctx, double a);

/* ------------------------------------------------------------ pendulum --- */
/* (4.1), (4.2): phi'' = -sin(phi) from phi = 0, phi' = 2 swings up once and stays:
 * phi = 4 atan(e^t) - pi. */

int donolo_pendulum(double t, const double *y, double *f, void *user);
void donolo_pendulum_at(double t, double y[2]);

/* -------------------------------------------------------- ramp metering --- */
/* (2.7), (2.8), (2.9) and (4.10) with v_f = k = 1, rho_max = 2, x(0) = (-0.5, 1), and,
 * chosen here, L = 4, w1 = 2, w2 = 1, a flow of 0.1 to the ramp and from upstream 0.6,
 * 0.3 from t = 5, 0.6 from t = 10.  Modes: the side of x1 = 0, and whether the queue x2
 * is empty, where u cannot exceed what arrives. */

enum { DONOLO_EMPTY = 1, DONOLO_DENSE = 2, DONOLO_MODES = 4 }; /* bits of the mode */

#define DONOLO_RAMP_END 20.0
#define DONOLO_ARRIVE   0.1

extern const brink_model_def donolo_ramp;
extern const double donolo_ramp_start[2];

typedef struct donolo_ramp_event {
  double t;
  const char *name;
  int after; /* mode */
  double x[2];
} donolo_ramp_event;

/* All of them up to the end: from DOP853 and Radau at 1e-13 and from closed-form
 * Riccati pieces, which agree to 1e-13. */
enum { DONOLO_RAMP_EVENTS = 12 };
extern const donolo_ramp_event donolo_ramp_events[DONOLO_RAMP_EVENTS];
extern const double donolo_ramp_end[2]; /* x at the end */

/* The flow from upstream just behind t; the flow from the ramp in this mode, which
 * sees q_in; the flow downstream. */
double donolo_ramp_in(double t);
double donolo_ramp_control(int mode, double q_in, const double *x);
double donolo_ramp_out(const double *x);

#endif /* BRINK_PAPERS_DONOLO_H */
