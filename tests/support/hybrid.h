/* hybrid.h -- a model, its simulation and its trace in one hand, for tests. */
#ifndef BRINK_TEST_HYBRID_H
#define BRINK_TEST_HYBRID_H

#include "check.h"

#include "brink/brink.h"

typedef struct rig {
  brink_ctx *ctx;
  brink_model *model;
  brink_sim *sim;
} rig;

/* Build and start; opt may be NULL.  Fails the test if anything is refused. */
rig rig_new(const brink_model_def *def, const brink_sim_opts *opt, double t0, int mode,
            const double *y0);
/* The same of IVP(f, H, K). */
rig rig_constrained(const brink_constrained_def *def, const brink_sim_opts *opt,
                    double t0, const double *x0);
/* The same of a text; a sentence that refuses it is shown with it. */
rig rig_text(const char *text, const brink_sim_opts *opt, double t0);
void rig_free(rig *r);

/* Run to the end; a run that stops before fails the test with its sentence. */
void rig_run_to(rig *r, double t);
double rig_value(const rig *r, const char *name);

size_t rig_events(const rig *r);
brink_event rig_event(const rig *r, size_t k);
/* The number of events of a kind, and the time of the last of them; t may be NULL. */
int rig_count(const rig *r, brink_kind kind, double *t);
/* Is there a warning with this part? */
int rig_warns(const rig *r, const char *part);

/* What must come out of a run from t = 0 in mode 0: status, times of the events (n < 0:
 * not looked at), state, mode, and a part of the sentence. */
typedef struct rig_want {
  const char *name;
  double y0[2], t_end;
  brink_status rc;
  int n;
  double t[20];
  int n_y;
  double y[2];
  int mode;         /* -1: not looked at */
  const char *text; /* NULL: none        */
} rig_want;

/* Run it with several methods and locators, to 1e-8; frees model and context. */
void rig_compare(const rig_want *want, brink_ctx *ctx, brink_model *model);

/* For one state that only has to move: f[0] = env->p[0]. */
brink_rhs_fn constant_slopes;

#endif
