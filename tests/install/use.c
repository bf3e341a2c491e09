/* use.c -- a program outside the project: it sees installed headers only, and drops
 * a ball from 1.7 m, once written as callbacks and once as text. */
#include <stdio.h>
#include <string.h>

#include "brink/brink.h"

#define LANDS                                                                          \
  0.58871480126400677 /* sqrt(2 * 1.7 / 9.81); no libm here, so that brink must name   \
                         it */

static int fall(double t, const double *y, double *f, const brink_env *env)
{
  (void)t, (void)env;
  f[0] = y[1];
  f[1] = -9.81;
  return 0;
}

static double landing(brink_ctx *ctx)
{
  const double start[] = {1.7, 0};
  brink_guard_def height = {.name = "height", .state = 0};
  brink_event_def event = {.name = "ground", .dir = BRINK_DOWN, .terminal = 1};
  brink_mode_def fly = {.name = "fly",
                        .n = 2,
                        .rhs = fall,
                        .guards = &height,
                        .n_guards = 1,
                        .events = &event,
                        .n_events = 1};
  brink_model_def def = {.name = "drop", .modes = &fly, .n_modes = 1};
  brink_model *model = NULL;
  brink_sim *sim = NULL;
  brink_sim_opts opt = brink_sim_defaults();
  double t = -1;

  if (brink_model_new(ctx, &def, &model) == BRINK_OK &&
      brink_sim_new(ctx, model, &opt, &sim) == BRINK_OK &&
      brink_sim_start(sim, 0, 0, start) == BRINK_OK &&
      brink_sim_run(sim, 10) == BRINK_TERMINATED)
    t = brink_sim_time(sim);
  brink_sim_free(sim);
  brink_model_free(model);
  return t;
}

static double landing_of_text(brink_ctx *ctx)
{
  static const char text[] = "model Drop\n"
                             "  Real h(start = 1.7, fixed = true);\n"
                             "  Real v(start = 0, fixed = true);\n"
                             "equation\n"
                             "  der(h) = v;\n"
                             "  der(v) = -9.81;\n"
                             "  when h < 0 then\n"
                             "    terminate(\"ground\");\n"
                             "  end when;\n"
                             "end Drop;\n";
  brink_load_opts opt = brink_load_defaults();
  brink_model *model = NULL;
  brink_sim *sim = NULL;
  double t = -1;

  if (brink_model_read(ctx, "drop.mo", text, sizeof text - 1, &opt, &model) ==
          BRINK_OK &&
      brink_sim_new(ctx, model, NULL, &sim) == BRINK_OK &&
      brink_sim_start(sim, 0, 0, NULL) == BRINK_OK &&
      brink_sim_run(sim, 10) == BRINK_TERMINATED)
    t = brink_sim_time(sim);
  brink_sim_free(sim);
  brink_model_free(model);
  return t;
}

static int lands(double t)
{
  if (t - LANDS <= 1e-14 && LANDS - t <= 1e-14)
    return 1;
  fprintf(stderr, "landed at %.17g\n", t);
  return 0;
}

int main(void)
{
  brink_ctx *ctx = NULL;

  if (strncmp(brink_version(), BRINK_VERSION, strlen(BRINK_VERSION)) != 0)
    return 1;
  if (brink_ctx_new(NULL, &ctx) != BRINK_OK)
    return 2;
  int right = lands(landing(ctx)) && lands(landing_of_text(ctx));
  brink_ctx_free(ctx);
  if (!right)
    return 3;
  printf("brink %s\n", brink_version());
  return 0;
}
