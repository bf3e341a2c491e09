/* breitenecker.h -- the problems of [BEHK12, 5] as callback models with known events,
 * for the command, the benches and the tests.
 *
 * ARGESIM C7 (the paper says C6), a pendulum whose string meets a pin; a ball on a
 * spring and damper, eq. (15) and (16), with data chosen here; a ball on a string that
 * is taut or slack, in polar and in Cartesian coordinates, with data chosen here.
 * Every guard comes with its derivative along f, as the paper writes it down for the
 * change of variable.
 *
 * Definitions count calls of f and of guards in the breitenecker_calls that their .user
 * points to; NULL: nobody counts.
 */
#ifndef BRINK_PAPERS_BREITENECKER_H
#define BRINK_PAPERS_BREITENECKER_H

#include "brink/brink.h"

typedef struct breitenecker_calls {
  long f, g; /* right-hand sides; guards and their derivatives along f      */
} breitenecker_calls;

typedef struct breitenecker_event {
  double t;
  const char *name;
} breitenecker_event;

typedef struct breitenecker_problem {
  const char *name;
  const brink_model_def *def;
  int mode; /* at the start */
  const double *y0;
  double t_end;
  const breitenecker_event *events; /* all of them up to t_end, in order */
  int n_events;
  const double *y_end; /* the state at t_end, or NULL        */
} breitenecker_problem;

/* One mode, the length a parameter. */
extern const breitenecker_problem breitenecker_pendulum;

/* Flight (3 states), contact (2). */
extern const breitenecker_problem breitenecker_ball;

/* Taut (2 states), slack (4).  r^2 - l^2 starts with a triple zero at each release. */
extern const breitenecker_problem breitenecker_polar;

/* The same with 4 states throughout. */
extern const breitenecker_problem breitenecker_cartesian;

/* The four, and how many states and parameters a problem has at most. */
enum {
  BREITENECKER_PROBLEMS = 4,
  BREITENECKER_STATES = 4,
  BREITENECKER_PARAMETERS = 1
};
extern const breitenecker_problem *const breitenecker_problems[BREITENECKER_PROBLEMS];

#endif /* BRINK_PAPERS_BREITENECKER_H */
