/* A ball on a string: two states while the string is taut, four while it is slack.
 * At release r^2 - l^2 has a triple zero, pure rounding noise: its zero band, not a
 * nudge, keeps the flight from ending at once. */
#include <math.h>
#include <stdio.h>

#include "brink/brink.h"

enum { TAUT, SLACK };

static const double g = 9.81, l = 1;

static int swing(double t, const double *y, double *f, const brink_env *e)
{
  (void)t, (void)e;
  f[0] = y[1];
  f[1] = -g / l * sin(y[0]);
  return 0;
}

static int flight(double t, const double *y, double *f, const brink_env *e)
{
  (void)t, (void)e;
  f[0] = y[2];
  f[1] = y[3];
  f[2] = 0;
  f[3] = -g;
  return 0;
}

static double force(double t, const double *y, int k, const brink_env *e)
{
  (void)t, (void)k, (void)e;
  return g * cos(y[0]) + l * y[1] * y[1];
}

static double reach(double t, const double *y, int k, const brink_env *e)
{
  (void)t, (void)k, (void)e;
  return y[0] * y[0] + y[1] * y[1] - l * l;
}

static int release(brink_jump *j)
{
  const double *b = j->y_before;
  double s = sin(b[0]), c = cos(b[0]), v = l * b[1],
         x[] = {l * s, -l * c, v * c, v * s};

  j->mode = SLACK;
  for (int i = 0; i < 4; i++)
    j->y[i] = x[i];
  return 0;
}

static int capture(brink_jump *j)
{
  const double *b = j->y_before;
  double phi = atan2(b[0], -b[1]);

  j->mode = TAUT;
  j->y[0] = phi;
  j->y[1] = (b[2] * cos(phi) + b[3] * sin(phi)) / l; /* the radial speed is lost */
  return 0;
}

int main(void)
{
  const double y0[] = {0, 6};
  const brink_guard_def tension = {.name = "string force", .fn = force};
  const brink_guard_def radius = {.name = "r^2 - l^2", .fn = reach, .degree = 2};
  const brink_event_def slack = {.name = "slack", .dir = BRINK_DOWN, .jump = release};
  const brink_event_def taut = {.name = "taut", .dir = BRINK_UP, .jump = capture};
  const brink_mode_def modes[] = {{.name = "taut",
                                   .n = 2,
                                   .rhs = swing,
                                   .guards = &tension,
                                   .n_guards = 1,
                                   .events = &slack,
                                   .n_events = 1},
                                  {.name = "slack",
                                   .n = 4,
                                   .rhs = flight,
                                   .guards = &radius,
                                   .n_guards = 1,
                                   .events = &taut,
                                   .n_events = 1}};
  const brink_model_def def = {
      .name = "rotating pendulum", .modes = modes, .n_modes = 2};
  brink_sim_opts opt = brink_sim_defaults();
  brink_ctx *ctx = NULL;
  brink_model *model = NULL;
  brink_sim *sim = NULL;

  opt.rtol = 1e-11;
  opt.atol = 1e-14;
  if (brink_ctx_new(NULL, &ctx) < 0)
    return 1;
  if (brink_model_new(ctx, &def, &model) < 0 ||
      brink_sim_new(ctx, model, &opt, &sim) < 0) {
    fprintf(stderr, "%s\n", brink_ctx_error(ctx)->text);
    return 1;
  }
  brink_sim_start(sim, 0, TAUT, y0);
  brink_status s = brink_sim_run(sim, 10);

  const brink_trace *trace = brink_sim_trace(sim);
  for (size_t k = 0; k < brink_trace_events(trace); k++) {
    brink_event e = brink_trace_event(trace, k);
    printf("%-6s t = %.12f  %zu -> %zu states (%s, others %s)\n", e.name, e.t,
           e.n_before, e.n_after, brink_class_text(e.classes),
           brink_certificate_text(e.certificate));
  }
  printf("phi(10) = %.12f, w(10) = %.12f\n", brink_sim_state(sim)[0],
         brink_sim_state(sim)[1]);
  brink_sim_free(sim);
  brink_model_free(model);
  brink_ctx_free(ctx);
  return s == BRINK_END ? 0 : 1;
}
