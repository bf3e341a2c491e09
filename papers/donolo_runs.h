/* donolo_runs.h -- the experiments of [Donolo02]: bounces, their times and what they
 * cost; how long a pendulum stays up; ramp metering.
 */
#ifndef BRINK_PAPERS_DONOLO_RUNS_H
#define BRINK_PAPERS_DONOLO_RUNS_H

#include "papers/donolo.h"

/* -------------------------------------------------------------- bounces --- */

/* What a run of the ball has done up to each bounce, and how it ended. */
typedef struct donolo_bounces {
  int n;
  double t[DONOLO_BOUNCES];
  double f[DONOLO_BOUNCES], g[DONOLO_BOUNCES]; /* evaluations since the start        */
  double seconds[DONOLO_BOUNCES];              /* ... and time                       */
  long all;                                    /* bounces, also those not kept       */
  brink_status end;
  double t_end;
  brink_err why; /* the sentence of the run                                          */
} donolo_bounces;

/* From the start to t_end.  0, or -1 with a sentence in the context. */
int donolo_bounce(brink_ctx *ctx, const brink_model *ball, const brink_sim_opts *opt,
                  double t_end, donolo_bounces *out);

/* The same `runs` times (1 .. DONOLO_RUNS_MOST): seconds are medians. */
enum { DONOLO_RUNS_MOST = 101 };
int donolo_bounce_timed(brink_ctx *ctx, const brink_model *ball,
                        const brink_sim_opts *opt, int runs, donolo_bounces *out);

/* ------------------------------------------------------------- pendulum --- */

enum { DONOLO_SWING_POINTS = 401 };
#define DONOLO_SWING_END 40.0

typedef struct donolo_method {
  const char *name;
  double per_step; /* operations per equation of an accepted step, beside f: two per
                      entry of the tableau that is not zero, those of the error and of
                      the scale */
} donolo_method;

enum { DONOLO_METHODS = 5 };
extern const donolo_method donolo_methods[DONOLO_METHODS];
const donolo_method *donolo_method_find(const char *name);

/* 40 s of the pendulum. */
typedef struct donolo_swing {
  double tol;        /* tolerance, or the fixed step                                 */
  double operations; /* an addition or a multiplication of the method, or one of the
                        two of f, the sine counted as one                            */
  long f_evals;
  double fell;   /* when |phi - pi| passed 0.1 after the top; 40: it did not         */
  double error5; /* at t = 5                                                         */
  int cheap;     /* tuned: no tighter tolerance costs as much as was allowed         */
  double t[DONOLO_SWING_POINTS], phi[DONOLO_SWING_POINTS], speed[DONOLO_SWING_POINTS];
} donolo_swing;

/* 1, or 0: it failed. */
int donolo_swing_run(brink_ctx *ctx, const donolo_method *m, double tol,
                     donolo_swing *out);

/* The tightest tolerance (in eighths of a decade) that 40 s can have for so many
 * operations.  0: not even the loosest is that cheap. */
int donolo_swing_tune(brink_ctx *ctx, const donolo_method *m, double operations,
                      donolo_swing *best);

/* -------------------------------------------------------- ramp metering --- */

enum { DONOLO_RAMP_POINTS = 2000 };

typedef struct donolo_ramp_run {
  int n; /* points; two at each event */
  double t[DONOLO_RAMP_POINTS], x1[DONOLO_RAMP_POINTS], x2[DONOLO_RAMP_POINTS];
  double in[DONOLO_RAMP_POINTS], u[DONOLO_RAMP_POINTS], out[DONOLO_RAMP_POINTS];
  int n_events;
  struct {
    double t;
    char name[16];
    double x[2], u_before, u_after;
  } events[DONOLO_RAMP_EVENTS];
  double end[2];
} donolo_ramp_run;

/* 0, or -1 with a sentence in the context. */
int donolo_ramp_solve(brink_ctx *ctx, const brink_sim_opts *opt, donolo_ramp_run *out);

#endif /* BRINK_PAPERS_DONOLO_RUNS_H */
