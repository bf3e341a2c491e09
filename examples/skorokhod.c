/* Skorokhod's problem in one dimension by a hand-written H [Donolo02, 2.2.2]: a path
 * with x' = cos t - 0.4 is kept from going below 0 with the least possible effort.  At
 * the boundary it stays until f points inward; the regulator is the effort so far. */
#include <math.h>
#include <stdio.h>

#include "brink/brink.h"

static int drift(double t, const double *x, double *f, const brink_env *e)
{
  (void)x;
  f[0] = cos(t) - 0.4;
  f[1] = brink_constrained_held(e)[0] ? -f[0] : 0;
  return 0;
}

static int reflect(brink_boundary *b)
{
  b->stay[0] = 1;
  return 0;
}

int main(void)
{
  const double lower[] = {0, -HUGE_VAL}, x0[] = {0.5, 0};
  const char *const names[] = {"x", "regulator"};
  const brink_constrained_def def = {.name = "reflected path",
                                     .n = 2,
                                     .states = names,
                                     .rhs = drift,
                                     .lower = lower,
                                     .boundary = reflect,
                                     .stays = 1};
  brink_sim_opts opt = brink_sim_defaults();
  brink_ctx *ctx = NULL;
  brink_model *model = NULL;
  brink_sim *sim = NULL;
  double worst = 0;

  opt.rtol = 1e-10;
  if (brink_ctx_new(NULL, &ctx) < 0)
    return 1;
  if (brink_constrained_new(ctx, &def, &model) < 0 ||
      brink_sim_new(ctx, model, &opt, &sim) < 0) {
    fprintf(stderr, "%s\n", brink_ctx_error(ctx)->text);
    return 1;
  }
  brink_sim_start(sim, 0, 0, x0);
  brink_status s = brink_sim_run(sim, 18);

  const brink_trace *trace = brink_sim_trace(sim);
  for (size_t k = 0; k < brink_trace_events(trace); k++) {
    brink_event e = brink_trace_event(trace, k);
    printf("%15.12f  %-20s  regulator %.12f\n", e.t, e.name, e.y_after[1]);
    if (k % 2) /* it leaves where cos t = 0.4, rising */
      worst = fmax(worst, fabs(cos(e.t) - 0.4));
  }
  printf("it leaves where cos t = 0.4, to %.1e\n", worst);
  size_t n = brink_trace_events(trace);
  brink_sim_free(sim);
  brink_model_free(model);
  brink_ctx_free(ctx);
  return s == BRINK_END && n == 6 && worst < 1e-8 ? 0 : 1;
}
