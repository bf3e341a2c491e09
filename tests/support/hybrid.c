/* hybrid.c -- see hybrid.h */
#include "hybrid.h"

rig rig_new(const brink_model_def *def, const brink_sim_opts *opt, double t0, int mode,
            const double *y0)
{
  rig r = {0};

  check_status(brink_ctx_new(NULL, &r.ctx), BRINK_OK);
  if (brink_model_new(r.ctx, def, &r.model) < 0 ||
      brink_sim_new(r.ctx, r.model, opt, &r.sim) < 0)
    print_error("%s\n", brink_ctx_error(r.ctx)->text);
  assert_non_null(r.sim);
  check_status(brink_sim_start(r.sim, t0, mode, y0), BRINK_OK);
  return r;
}

void rig_free(rig *r)
{
  brink_sim_free(r->sim);
  brink_model_free(r->model);
  assert_int_equal(brink_ctx_alloc_stats(r->ctx).live_bytes, 0);
  brink_ctx_free(r->ctx);
}

size_t rig_events(const rig *r) { return brink_trace_events(brink_sim_trace(r->sim)); }

brink_event rig_event(const rig *r, size_t k)
{
  assert_true(k < rig_events(r));
  return brink_trace_event(brink_sim_trace(r->sim), k);
}

int constant_slopes(double t, const double *y, double *f, const brink_env *e)
{
  (void)t, (void)y;
  f[0] = e->p[0];
  return 0;
}
