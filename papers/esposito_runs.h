/* esposito_runs.h -- the experiments of [EK07, 3]: Table I, example 2, Table II.
 *
 * What goes wrong leaves `failed` at nonzero and a sentence in the context.
 */
#ifndef BRINK_PAPERS_ESPOSITO_RUNS_H
#define BRINK_PAPERS_ESPOSITO_RUNS_H

#include "papers/esposito.h"

/* Uniform on [0, 1); user points to the uint64_t that is the state (splitmix64). */
double esposito_uniform(void *user);

/* ------------------------------------------------------------- table I --- */

typedef struct esposito_detected {
  int n;        /* collisions found while the vehicle is in the wall */
  double worst; /* error of their times                              */
  int failed;
} esposito_detected;

esposito_detected esposito_detect(brink_ctx *ctx, const brink_sim_opts *opt,
                                  const esposito_start *starts, int n_starts);

/* ----------------------------------------------------------- example 2 --- */

typedef struct esposito_fate {
  int completed, died;
  long calls;   /* of f                                  */
  long outside; /* those beyond the workspace            */
  double worst; /* error of the time of those completed  */
  int failed;
} esposito_fate;

/* One line, added to *fate; calls and observer may be NULL. */
void esposito_follow(brink_ctx *ctx, esposito_law law, const esposito_line *line,
                     const brink_sim_opts *opt, const brink_observer *observer,
                     esposito_calls *calls, esposito_fate *fate);

/* ------------------------------------------------------------ table II --- */

enum { ESPOSITO_RUNS_MOST = 201, ESPOSITO_FIELDS_MOST = 16 };

/* Who races, and how it went: all fields of cars once is one run. */
typedef struct esposito_racer {
  const char *name, *locator;
  double gain;
  long steps, events, g_evals, f_evals; /* of one run, rejected steps included */
  double seconds[ESPOSITO_RUNS_MOST];   /* processor time, ascending           */
  double median;
} esposito_racer;

/* The same method and tolerance, 100 s, n_fields starts (the first chosen, the others
 * random): every contestant once in each of `runs` repetitions, forward and backward in
 * turn.  0, or -1 with a sentence in the context. */
int esposito_race(brink_ctx *ctx, const char *method, int turning, int n_fields,
                  int runs, esposito_racer *racers, int n_racers);

#endif /* BRINK_PAPERS_ESPOSITO_RUNS_H */
