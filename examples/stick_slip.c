/* A block on a moving belt, held by a spring: dry friction drags it along until the
 * spring is stronger, it slips back, and sticks again.  The friction has the sign of
 * the slip; where both signs push back to zero slip the solution slides along the
 * switch, which here means that the block sticks. */
#include <stdio.h>

#include "brink/brink.h"

enum { BELT, STATIC, KINETIC, FADES }; /* parameters */

static double slip(const double *y, const brink_env *e) { return y[1] - e->p[BELT]; }

/* Friction is strongest at rest and weaker the faster the block slips; u[0] = 1: it
 * slips forward, -1: backward. */
static int block(double t, const double *y, double *f, const brink_env *e)
{
  const double *p = e->p;
  double fast = e->u[0] * slip(y, e);

  (void)t;
  f[0] = y[1];
  f[1] =
      -y[0] - e->u[0] * (p[KINETIC] + (p[STATIC] - p[KINETIC]) / (1 + p[FADES] * fast));
  return 0;
}

static double slipping(double t, const double *y, int guard, const brink_env *e)
{
  (void)t, (void)guard;
  return slip(y, e);
}

static int turn(brink_jump *j)
{
  j->u[0] = j->sign[0] < 0 ? -1 : 1;
  return 0;
}

int main(void)
{
  const double y0[] = {0.6, 0}, p[] = {0.35, 1, 0.45, 2.3}, u[] = {-1};
  const brink_guard_def slips = {.name = "slip", .fn = slipping, .degree = 1};
  const brink_event_def turns = {.name = "turns", .dir = BRINK_BOTH, .jump = turn};
  const brink_mode_def mode = {.name = "block",
                               .n = 2,
                               .rhs = block,
                               .guards = &slips,
                               .n_guards = 1,
                               .events = &turns,
                               .n_events = 1};
  const brink_model_def def = {.name = "stick-slip",
                               .modes = &mode,
                               .n_modes = 1,
                               .p = p,
                               .n_p = 4,
                               .u = u,
                               .n_u = 1};
  brink_sim_opts opt = brink_sim_defaults();
  brink_ctx *ctx = NULL;
  brink_model *model = NULL;
  brink_sim *sim = NULL;

  opt.rtol = 1e-9;
  if (brink_ctx_new(NULL, &ctx) < 0)
    return 1;
  if (brink_model_new(ctx, &def, &model) < 0 ||
      brink_sim_new(ctx, model, &opt, &sim) < 0) {
    fprintf(stderr, "%s\n", brink_ctx_error(ctx)->text);
    return 1;
  }
  brink_sim_start(sim, 0, 0, y0);
  brink_status s = brink_sim_run(sim, 20);

  const brink_trace *trace = brink_sim_trace(sim);
  for (size_t k = 0; k < brink_trace_events(trace); k++) {
    brink_event e = brink_trace_event(trace, k);
    if (e.kind == BRINK_KIND_SLIDE_IN || e.kind == BRINK_KIND_SLIDE_OUT)
      printf("%9.6f  %-6s  spring %9.6f\n", e.t,
             e.kind == BRINK_KIND_SLIDE_IN ? "sticks" : "slips", e.y_after[0]);
  }
  printf("%s\n", brink_status_text(s));
  brink_sim_free(sim);
  brink_model_free(model);
  brink_ctx_free(ctx);
  return s == BRINK_END ? 0 : 1;
}
