/* hybrid.h -- a model, its simulation and its trace in one hand, for tests. */
#ifndef BRINK_TEST_HYBRID_H
#define BRINK_TEST_HYBRID_H

#include "check.h"

#include "brink/brink.h"

typedef struct rig {
  brink_ctx   *ctx;
  brink_model *model;
  brink_sim   *sim;
} rig;

/* Build and start; opt may be NULL.  Fails the test if anything is refused. */
rig  rig_new(const brink_model_def *def, const brink_sim_opts *opt, double t0, int mode,
             const double *y0);
void rig_free(rig *r);

size_t      rig_events(const rig *r);
brink_event rig_event(const rig *r, size_t k);

/* For one state that only has to move: f[0] = env->p[0]. */
brink_rhs_fn constant_slopes;

#endif
