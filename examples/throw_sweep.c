/* A model written as text, read once and run with many parameters; then two futures of
 * one flight, from a snapshot: how far does a ball fly with headwind and with tailwind?
 */
#include <stdio.h>
#include <string.h>

#include "brink/brink.h"

static const char text[] =
    "model Throw \"a ball with drag, thrown over flat ground\"\n"
    "  parameter Real speed = 20, wind = 0, drag = 0.05;\n"
    "  Real x(start = 0, fixed = true), h(start = 1.7, fixed = true);\n"
    "  Real vx(start = 0.8*speed, fixed = true);\n"
    "  Real vh(start = 0.6*speed, fixed = true);\n"
    "equation\n"
    "  der(x) = vx;\n"
    "  der(h) = vh;\n"
    "  der(vx) = -drag*(vx - wind);\n"
    "  der(vh) = -9.81 - drag*vh;\n"
    "  when h < 0 then\n    terminate(\"down\");\n  end when;\n"
    "end Throw;\n";

static int failed(brink_ctx *ctx, brink_sim *sim)
{
  fprintf(stderr, "%s\n", (sim ? brink_sim_error(sim) : brink_ctx_error(ctx))->text);
  return 1;
}

/* Run to the ground; where did it land? */
static int land(brink_sim *sim, double *x)
{
  return brink_sim_run(sim, 100) == BRINK_TERMINATED &&
         brink_sim_get(sim, "x", x) == BRINK_OK;
}

int main(void)
{
  brink_ctx *ctx = NULL;
  brink_model *model = NULL;
  brink_sim *sim = NULL;
  brink_snapshot *top = NULL;
  double x;

  if (brink_ctx_new(NULL, &ctx) < 0)
    return 1;
  if (brink_model_read(ctx, "throw.mo", text, strlen(text), NULL, &model) < 0 ||
      brink_sim_new(ctx, model, NULL, &sim) < 0)
    return failed(ctx, NULL);

  for (double speed = 10; speed <= 30; speed += 5) {
    if (brink_sim_set(sim, "speed", speed) < 0 ||
        brink_sim_start(sim, 0, 0, NULL) < 0 || !land(sim, &x))
      return failed(ctx, sim);
    printf("thrown with %2.0f m/s it flies %6.3f m\n", speed, x);
  }

  /* one second into the last flight the wind may turn either way */
  if (brink_sim_start(sim, 0, 0, NULL) < 0 || brink_sim_run(sim, 1) != BRINK_END ||
      brink_sim_save(sim, &top) < 0)
    return failed(ctx, sim);
  for (double wind = -10; wind <= 10; wind += 20) {
    if (brink_sim_restore(sim, top) < 0 || brink_sim_set(sim, "wind", wind) < 0 ||
        !land(sim, &x))
      return failed(ctx, sim);
    printf("with a wind of %3.0f m/s from then on: %6.3f m\n", wind, x);
  }
  brink_snapshot_free(top);
  brink_sim_free(sim);
  brink_model_free(model);
  brink_ctx_free(ctx);
  return 0;
}
