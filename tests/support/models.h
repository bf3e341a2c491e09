/* models.h -- hybrid models with known events, for tests and benchmarks.
 *
 * Each is a definition, a start and the events it must show, with the source of the
 * numbers in models.c.  A guard is a callback where the field would write one, so
 * that evaluations are counted; the ball has one of each kind.
 */
#ifndef BRINK_TEST_MODELS_H
#define BRINK_TEST_MODELS_H

#include "brink/brink.h"

typedef struct known_event {
  double t;
  const char *name;
} known_event;

typedef struct known_model {
  const char *name;
  const brink_model_def *def;
  int mode; /* at the start */
  const double *y0;
  double t_end;
  const known_event *events; /* all of them up to t_end, in order */
  int n_events;
  const double *y_end; /* the state at t_end, or NULL        */
} known_model;

/* x' = v, v' = -g from x = 0.2; v becomes -a v at the floor: 12 bounces, a = 0.9 */
extern const known_model known_ball;

/* Its 200 bounces, the guard a state (def of known_ball: a callback); ends itself. */
extern const brink_model_def ball_200_state, ball_200_callback;

/* Time of bounce k = 1, 2, ...; closed form, good to a few roundings. */
double ball_time(int k, double restitution);

/* ARGESIM C7: a pendulum whose string meets a pin.  One mode, the length a parameter.
 */
extern const known_model known_pendulum;

/* A ball on a spring and damper: flight (3 states), contact (2). */
extern const known_model known_compliant;

/* A ball on a string: taut (2 states), slack (4).  r^2 - l^2 starts with a triple
 * zero at each release. */
extern const known_model known_rotating;

/* Two modes of one law each, exponentials. */
extern const known_model known_thermostat;

/* All of the above, NULL after the last. */
extern const known_model *const known_models[];

#endif /* BRINK_TEST_MODELS_H */
