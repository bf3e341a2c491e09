/* A ball that loses a tenth of its speed at each bounce, until it lies still after
 * infinitely many: here, the first twenty. */
#include <stdio.h>

#include "brink/brink.h"

static int fall(double t, const double *y, double *f, const brink_env *e)
{
  (void)t;
  f[0] = y[1];
  f[1] = -e->p[0];
  return 0;
}

static int bounce(brink_jump *j)
{
  j->y[1] = -j->p[1] * j->y[1];
  return 0;
}

int main(void)
{
  const double p[] = {9.8, 0.9}; /* gravity, restitution */
  const double y0[] = {0.2, 0};  /* height, speed */
  const brink_guard_def height = {.name = "height", .state = 0};
  const brink_event_def floor = {
      .name = "bounce", .dir = BRINK_DOWN, .jump = bounce, .limit = 20};
  const brink_mode_def fly = {.name = "fly",
                              .n = 2,
                              .rhs = fall,
                              .guards = &height,
                              .n_guards = 1,
                              .events = &floor,
                              .n_events = 1};
  const brink_model_def def = {
      .name = "ball", .modes = &fly, .n_modes = 1, .p = p, .n_p = 2};
  brink_ctx *ctx = NULL;
  brink_model *model = NULL;
  brink_sim *sim = NULL;

  if (brink_ctx_new(NULL, &ctx) < 0)
    return 1;
  if (brink_model_new(ctx, &def, &model) < 0 ||
      brink_sim_new(ctx, model, NULL, &sim) < 0) {
    fprintf(stderr, "%s\n", brink_ctx_error(ctx)->text);
    return 1;
  }
  brink_sim_start(sim, 0, 0, y0);
  brink_status s = brink_sim_run(sim, 10);

  const brink_trace *trace = brink_sim_trace(sim);
  printf("  k  %-14s  speed before   speed after  class  absence of others\n", "t");
  for (size_t k = 0; k < brink_trace_events(trace); k++) {
    brink_event e = brink_trace_event(trace, k);
    printf("%3zu  %.12f  %12.9f  %12.9f  %-5s  %s\n", k + 1, e.t, e.y_before[1],
           e.y_after[1], brink_class_text(e.classes),
           brink_certificate_text(e.certificate));
  }
  brink_sim_stats st = brink_sim_statistics(sim);
  printf("%s; %ld steps, %ld evaluations of f, at rest from t = %.12f\n",
         brink_sim_error(sim)->text, st.work.steps, st.work.f_evals,
         0.20203050891044216 * (1 + p[1]) / (1 - p[1]));
  brink_sim_free(sim);
  brink_model_free(model);
  brink_ctx_free(ctx);
  return s == BRINK_TERMINATED ? 0 : 1;
}
