/* A thermostat as an automaton: heat until 21, cool until 19, and a timer that
 * opens the window for five minutes every hour.  Time in hours. */
#include <stdio.h>

#include "brink/brink.h"

enum { HEAT, COOL };

static int room(double t, const double *y, double *f, const brink_env *e)
{
  double loss = e->u[0] > 0 ? 3.1 : 0.83; /* window open or shut, 1/h */

  (void)t;
  f[0] = (e->mode == HEAT ? 26 : 0) - loss * (y[0] - 7.5);
  return 0;
}

static int turn(brink_jump *j)
{
  j->mode = j->mode == HEAT ? COOL : HEAT;
  j->w[0] += 1; /* count the clicks */
  return 0;
}

static int window(brink_jump *j)
{
  j->u[0] = 1 - j->u[0];
  return 0;
}

int main(void)
{
  const double y0[] = {17.2}, u[] = {0}, w[] = {0};
  const brink_guard_def warm = {.name = "T - 21", .state = 0, .level = 21};
  const brink_guard_def cold = {.name = "T - 19", .state = 0, .level = 19};
  const brink_event_def off = {.name = "off", .dir = BRINK_UP, .jump = turn};
  const brink_event_def on = {.name = "on", .dir = BRINK_DOWN, .jump = turn};
  const brink_mode_def modes[] = {{.name = "heat",
                                   .n = 1,
                                   .rhs = room,
                                   .guards = &warm,
                                   .n_guards = 1,
                                   .events = &off,
                                   .n_events = 1},
                                  {.name = "cool",
                                   .n = 1,
                                   .rhs = room,
                                   .guards = &cold,
                                   .n_guards = 1,
                                   .events = &on,
                                   .n_events = 1}};
  const brink_timer_def timers[] = {
      {.name = "open window", .at = 1, .every = 1, .jump = window},
      {.name = "shut window", .at = 1 + 1. / 12, .every = 1, .jump = window}};
  const brink_model_def def = {.name = "thermostat",
                               .modes = modes,
                               .n_modes = 2,
                               .timers = timers,
                               .n_timers = 2,
                               .u = u,
                               .n_u = 1,
                               .w = w,
                               .n_w = 1};
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
  brink_sim_start(sim, 0, HEAT, y0);
  brink_status s = brink_sim_run(sim, 3);

  const brink_trace *trace = brink_sim_trace(sim);
  for (size_t k = 0; k < brink_trace_events(trace); k++) {
    brink_event e = brink_trace_event(trace, k);
    printf("%9.6f h  %-11s  T = %9.6f  %-4s  %s\n", e.t, e.name, e.y_after[0],
           brink_class_text(e.classes), brink_model_mode_name(model, e.mode_after));
  }
  printf("%g clicks in three hours\n", brink_sim_w(sim)[0]);
  brink_sim_free(sim);
  brink_model_free(model);
  brink_ctx_free(ctx);
  return s == BRINK_END ? 0 : 1;
}
