/* families.h -- what tells the families of locators and of methods apart, measured on
 * problems with known answers, for the pages of the documents.
 */
#ifndef BRINK_PAPERS_FAMILIES_H
#define BRINK_PAPERS_FAMILIES_H

#include "brink/brink.h"

/* Each returns 0, or -1 with a sentence in *err. */

/* Mean error of an event's time with steps of h, over starts that put the event into
 * all parts of a step.  The error of the method is far below it. */
int families_guess(brink_ctx *ctx, const char *locator, double h, double *error,
                   brink_err *err);

/* The guard (x - a)(x - a - gap): which part of the pairs of zeros is found, over
 * several a, and how often the guard was evaluated in a run. */
typedef struct families_pair {
  double found; /* 0 .. 1                                                         */
  double g;     /* evaluations per run                                            */
} families_pair;
int families_pairs(brink_ctx *ctx, const char *locator, double scan_step, double gap,
                   families_pair *out, brink_err *err);

/* Largest error of the time of an event of y'' = -5.29 y, over several levels, and how
 * many steps were taken. */
typedef struct families_event {
  double error, steps;
} families_event;
int families_approach(brink_ctx *ctx, const char *method, const char *locator,
                      double rtol, families_event *out, brink_err *err);

/* Kepler's ellipse with eccentricity 0.6, so many times round: the error of the state
 * at the end, which is that of the start.  In the middle of each turn is an event that
 * changes the flow, if `events` is not 0.  The observer may be NULL. */
typedef struct families_orbit {
  double error;
  brink_work work;
} families_orbit;
int families_kepler(brink_ctx *ctx, const brink_sim_opts *opt, int turns, int events,
                    const brink_observer *observer, families_orbit *out,
                    brink_err *err);

#endif /* BRINK_PAPERS_FAMILIES_H */
