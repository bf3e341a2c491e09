/* models.h -- hybrid models with known events, for tests and benchmarks.
 *
 * Each is a definition, a start and the events it must show, with the source of the
 * numbers in models.c.  A guard is a callback where the field would write one, so
 * that evaluations are counted; the ball has one of each kind.
 */
#ifndef BRINK_TEST_MODELS_H
#define BRINK_TEST_MODELS_H

#include "brink/brink.h"
#include "papers/breitenecker.h"

typedef breitenecker_event known_event;
typedef breitenecker_problem known_model;

/* x' = v, v' = -g from x = 0.2; v becomes -a v at the floor: 12 bounces, a = 0.9 */
extern const known_model known_ball;

/* Its 200 bounces, the guard a state (def of known_ball: a callback); ends itself. */
extern const brink_model_def ball_200_state, ball_200_callback;

/* Time of bounce k = 1, 2, ...; closed form, good to a few roundings. */
double ball_time(int k, double restitution);

/* Two modes of one law each, exponentials. */
extern const known_model known_thermostat;

/* All of the above and those of papers/breitenecker.h, NULL after the last. */
extern const known_model *const known_models[];

#endif /* BRINK_TEST_MODELS_H */
