/* Robertson's reaction, whose rates differ by nine powers of ten, up to t = 1e8; the
 * method is told its Jacobian and where that has entries, and an event says when half
 * of the first species is gone. */
#include <stdio.h>

#include "brink/brink.h"

static int reaction(double t, const double *y, double *f, const brink_env *e)
{
  (void)t, (void)e;
  double slow = 0.04 * y[0], back = 1e4 * y[1] * y[2], fast = 3e7 * y[1] * y[1];

  f[0] = back - slow;
  f[1] = slow - back - fast;
  f[2] = fast;
  return 0;
}

/* df/dy without df[2]/dy[0] and df[2]/dy[2], which are 0. */
static const int row[] = {0, 1, 0, 1, 2, 0, 1}, col[] = {0, 0, 1, 1, 1, 2, 2};

static int jacobian(double t, const double *y, double *entry, const brink_env *e)
{
  (void)t, (void)e;
  double by2 = 1e4 * y[2], by3 = 1e4 * y[1], fast = 6e7 * y[1];

  entry[0] = -0.04;
  entry[1] = 0.04;
  entry[2] = by2;
  entry[3] = -by2 - fast;
  entry[4] = fast;
  entry[5] = by3;
  entry[6] = -by3;
  return 0;
}

int main(void)
{
  const double y0[] = {1, 0, 0};
  const brink_guard_def half = {.name = "y1 - 1/2", .state = 0, .level = 0.5};
  const brink_event_def gone = {.name = "half of it is gone", .dir = BRINK_DOWN};
  const brink_mode_def mode = {.name = "reaction",
                               .n = 3,
                               .rhs = reaction,
                               .guards = &half,
                               .n_guards = 1,
                               .events = &gone,
                               .n_events = 1,
                               .jacobian = jacobian,
                               .pattern = {.nnz = 7, .row = row, .col = col}};
  const brink_model_def def = {.name = "Robertson", .modes = &mode, .n_modes = 1};
  brink_sim_opts opt = brink_sim_defaults();
  brink_ctx *ctx = NULL;
  brink_model *model = NULL;
  brink_sim *sim = NULL;

  opt.rtol = 1e-8;
  opt.atol = 1e-14;
  opt.method = "radau";
  if (brink_ctx_new(NULL, &ctx) < 0)
    return 1;
  if (brink_model_new(ctx, &def, &model) < 0 ||
      brink_sim_new(ctx, model, &opt, &sim) < 0) {
    fprintf(stderr, "%s\n", brink_ctx_error(ctx)->text);
    return 1;
  }
  brink_sim_start(sim, 0, 0, y0);
  brink_status s = brink_sim_run(sim, 1e8);

  const brink_trace *trace = brink_sim_trace(sim);
  for (size_t k = 0; k < brink_trace_events(trace); k++) {
    brink_event e = brink_trace_event(trace, k);
    printf("%s at t = %.9g\n", e.name, e.t);
  }
  const double *y = brink_sim_state(sim);
  brink_sim_stats stats = brink_sim_statistics(sim);
  printf("t = %g: y = %.9g, %.9g, %.9g\n", brink_sim_time(sim), y[0], y[1], y[2]);
  printf("%ld steps, %ld Jacobians, %ld factorisations\n", stats.work.steps,
         stats.jac_evals, stats.lu);
  brink_sim_free(sim);
  brink_model_free(model);
  brink_ctx_free(ctx);
  return s == BRINK_END ? 0 : 1;
}
