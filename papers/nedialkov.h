/* nedialkov.h -- the parallel robot of [NR09]: a run of models/parallel_robot.mo from
 * the guesses of the paper, with rows along its steps and its events. */
#ifndef BRINK_PAPERS_NEDIALKOV_H
#define BRINK_PAPERS_NEDIALKOV_H

#include "brink/brink.h"

enum { NEDIALKOV_ROWS = 8000, NEDIALKOV_EVENTS = 64, NEDIALKOV_MODES = 16 };

/* Columns of the rows, variables of the model by these names. */
#define NEDIALKOV_COLUMNS(X)                                                           \
  X(x)                                                                                 \
  X(z)                                                                                 \
  X(xd)                                                                                \
  X(zd)                                                                                \
  X(q1)                                                                                \
  X(q2) X(qd1) X(qd2) X(vx) X(vz) X(w1) X(w2) X(wd1) X(wd2) X(G1) X(G2) X(G01) X(G02)

typedef enum nedialkov_column {
#define X(name) NEDIALKOV_##name,
  NEDIALKOV_COLUMNS(X)
#undef X
      NEDIALKOV_N
} nedialkov_column;

/* What an event function is. */
typedef enum nedialkov_guard {
  NEDIALKOV_Q1,    /* q1'                 */
  NEDIALKOV_Q2,    /* q2'                 */
  NEDIALKOV_UP1,   /* Gamma_0,1 - alpha   */
  NEDIALKOV_DOWN1, /* Gamma_0,1 + alpha   */
  NEDIALKOV_UP2,
  NEDIALKOV_DOWN2
} nedialkov_guard;

typedef struct nedialkov_run {
  size_t n; /* rows */
  double t[NEDIALKOV_ROWS];
  double row[NEDIALKOV_N][NEDIALKOV_ROWS];
  int n_events; /* after the start */
  double event_t[NEDIALKOV_EVENTS];
  nedialkov_guard event_guard[NEDIALKOV_EVENTS];
  int flips;   /* relations that change at 0+ */
  int n_modes; /* met: what chooses branches, and when */
  double mode_t[NEDIALKOV_MODES], mode_branches[NEDIALKOV_MODES][6];
  long mode_entries[NEDIALKOV_MODES];
  double most; /* largest torque in all rows */
  brink_sim_stats stats;
  brink_err err; /* why it did not come to its end */
} nedialkov_run;

/* The model from its file: with variables to be drawn, or (equations) the twelve
 * equations of the paper alone.  NULL: the context says why. */
brink_model *nedialkov_model(brink_ctx *ctx, const char *path, int equations);

/* The run of the first one to t = 5.  0, or -1 with a sentence in out->err. */
int nedialkov_solve(brink_ctx *ctx, const brink_model *model, const char *method,
                    double tol, nedialkov_run *out);

#endif /* BRINK_PAPERS_NEDIALKOV_H */
