/* ARGESIM C7: a pendulum whose string meets a pin at the angle phi_p and swings on
 * with the shorter length.  Two modes, one guard. */
#include <math.h>
#include <stdio.h>

#include "brink/brink.h"

enum { LONG, SHORT };
enum { M, L, LP, D, G }; /* mass, length, pin distance, damping, gravity */

static const double phi_p = -0.26179938779914944; /* -pi/12 */

static int swing(double t, const double *y, double *f, const brink_env *e)
{
  double length = e->mode == LONG ? e->p[L] : e->p[L] - e->p[LP];

  (void)t;
  f[0] = y[1];
  f[1] = -e->p[G] / length * sin(y[0]) - e->p[D] / e->p[M] * y[1];
  return 0;
}

/* the tip keeps its speed, so the angle's changes with the length */
static int change_length(brink_jump *j)
{
  double ratio = j->p[L] / (j->p[L] - j->p[LP]);

  j->mode = j->mode == LONG ? SHORT : LONG;
  j->y[1] *= j->mode == SHORT ? ratio : 1 / ratio;
  return 0;
}

int main(void)
{
  const double p[] = {1.02, 1, 0.7, 0.2, 9.81};
  const double y0[] = {0.52359877559829887, 0};
  const brink_guard_def angle = {.name = "phi - phi_p", .state = 0, .level = phi_p};
  const brink_event_def hit = {.name = "hit", .dir = BRINK_DOWN, .jump = change_length};
  const brink_event_def release = {
      .name = "release", .dir = BRINK_UP, .jump = change_length};
  const brink_mode_def modes[] = {{.name = "long",
                                   .n = 2,
                                   .rhs = swing,
                                   .guards = &angle,
                                   .n_guards = 1,
                                   .events = &hit,
                                   .n_events = 1},
                                  {.name = "short",
                                   .n = 2,
                                   .rhs = swing,
                                   .guards = &angle,
                                   .n_guards = 1,
                                   .events = &release,
                                   .n_events = 1}};
  const brink_model_def def = {
      .name = "C7", .modes = modes, .n_modes = 2, .p = p, .n_p = 5};
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
  brink_sim_start(sim, 0, LONG, y0);
  brink_status s = brink_sim_run(sim, 10);

  const brink_trace *trace = brink_sim_trace(sim);
  for (size_t k = 0; k < brink_trace_events(trace); k++) {
    brink_event e = brink_trace_event(trace, k);
    printf("%-7s t = %.12f  %s -> %s (%s)\n", e.name, e.t,
           brink_model_mode_name(model, e.mode_before),
           brink_model_mode_name(model, e.mode_after), brink_class_text(e.classes));
  }
  printf("phi(10) = %.12f, w(10) = %.12f\n", brink_sim_state(sim)[0],
         brink_sim_state(sim)[1]);
  brink_sim_free(sim);
  brink_model_free(model);
  brink_ctx_free(ctx);
  return s == BRINK_END ? 0 : 1;
}
