/* The bouncing ball as IVP(f, H, K) [Donolo02, 2.2.4]: K says where the ball may be,
 * f what it does there, H what happens at the edge. */
#include <math.h>
#include <stdio.h>

#include "brink/brink.h"

static int fall(double t, const double *x, double *f, const brink_env *e)
{
  (void)t, (void)e;
  f[0] = x[1];
  f[1] = -9.8;
  return 0;
}

static int bounce(brink_boundary *b)
{
  b->x[1] = -0.9 * b->x[1];
  return 0;
}

int main(void)
{
  const double lower[] = {0, -HUGE_VAL}, x0[] = {0.2, 0};
  const char *const names[] = {"height", "speed"};
  const brink_constrained_def def = {.name = "ball",
                                     .n = 2,
                                     .states = names,
                                     .rhs = fall,
                                     .lower = lower,
                                     .boundary = bounce};
  brink_sim_opts opt = brink_sim_defaults();
  brink_ctx *ctx = NULL;
  brink_model *model = NULL;
  brink_sim *sim = NULL;
  double worst = 0;

  opt.max_events = 200;
  opt.zeno = BRINK_ZENO_STEP; /* each of them, though they accumulate */
  opt.zeno_gap = 1e-300;      /* down to rounding */
  if (brink_ctx_new(NULL, &ctx) < 0)
    return 1;
  if (brink_constrained_new(ctx, &def, &model) < 0 ||
      brink_sim_new(ctx, model, &opt, &sim) < 0) {
    fprintf(stderr, "%s\n", brink_ctx_error(ctx)->text);
    return 1;
  }
  brink_sim_start(sim, 0, 0, x0);
  brink_status s = brink_sim_run(sim, 10);

  const brink_trace *trace = brink_sim_trace(sim);
  for (size_t k = 0; k < brink_trace_events(trace); k++) {
    brink_event e = brink_trace_event(trace, k);
    double exact = sqrt(0.4 / 9.8) * (1 + 18 * (1 - pow(0.9, (double)k)));
    worst = fmax(worst, fabs(e.t - exact));
    if (k < 5)
      printf("%2zu  %.15f  %s, away at %.9f\n", k + 1, e.t, e.name, e.y_after[1]);
  }
  printf("%zu bounces, at most %.1e s from the exact times; %s\n",
         brink_trace_events(trace), worst, brink_sim_error(sim)->text);
  brink_sim_free(sim);
  brink_model_free(model);
  brink_ctx_free(ctx);
  return s == BRINK_LIMIT && worst < 1e-13 ? 0 : 1;
}
