/* Ramp metering: a traffic light at a freeway ramp lets in u cars so that density x1
 * (from its best value) and queue x2 go to zero [Donolo02, (2.7), (4.10)].  Modes: the
 * side of the best density, and whether the queue is empty, where u cannot exceed
 * what arrives. */
#include <math.h>
#include <stdio.h>

#include "brink/brink.h"

enum { EMPTY = 1, DENSE = 2 }; /* bits of the mode */

static const double length = 4, w1 = 2, w2 = 1, arrive = 0.1;

/* what the controller asks for */
static double wanted(double t, const double *x, int k, const brink_env *e)
{
  double rho = x[0] + 1, out = rho * (1 - rho / 2), in = e->u[0];

  (void)t, (void)k;
  if (e->mode & DENSE)
    return (-(w1 * x[0] + w2 * x[1]) - w1 / length * (in - out) - w2 * arrive) /
           (w1 / length - w2);
  return ((-w1 * x[0] + w2 * x[1]) - w1 / length * (in - out) + w2 * arrive) /
         (w1 / length + w2);
}

static double too_much(double t, const double *x, int k, const brink_env *e)
{
  return wanted(t, x, k, e) - arrive;
}

static int traffic(double t, const double *x, double *f, const brink_env *e)
{
  double rho = x[0] + 1, u = e->mode & EMPTY ? arrive : fmax(0, wanted(t, x, 0, e));

  f[0] = (e->u[0] - rho * (1 - rho / 2) + u) / length;
  f[1] = arrive - u;
  return 0;
}

static int empty(brink_jump *j)
{
  j->mode |= EMPTY;
  j->y[1] = 0;
  return 0;
}

static int fill(brink_jump *j)
{
  j->mode &= ~EMPTY;
  return 0;
}

static int side(brink_jump *j)
{
  j->mode ^= DENSE;
  j->y[0] = 0;
  return 0;
}

static int input(brink_jump *j)
{
  j->u[0] = j->t < 7 ? 0.3 : 0.6;
  return 0;
}

int main(void)
{
  const double x0[] = {-0.5, 1}, in[] = {0.6};
  const brink_guard_def g[] = {{.name = "x1", .state = 0},
                               {.name = "x2", .state = 1},
                               {.name = "u - q", .fn = too_much}};
  const brink_timer_def timers[] = {
      {.name = "input jump", .at = 5, .every = 5, .jump = input}};
  brink_event_def events[4][2];
  brink_mode_def modes[4];
  const char *const names[] = {"queue", "empty", "dense, queue", "dense, empty"};

  for (int m = 0; m < 4; m++) {
    events[m][0] = (brink_event_def){.name = "x1 = 0",
                                     .guard = 0,
                                     .jump = side,
                                     .dir = m & DENSE ? BRINK_DOWN : BRINK_UP};
    events[m][1] =
        m & EMPTY
            ? (brink_event_def){.name = "queue leaves 0",
                                .guard = 2,
                                .dir = BRINK_DOWN,
                                .jump = fill,
                                .beyond = BRINK_FIRE}
            : (brink_event_def){
                  .name = "queue empty", .guard = 1, .dir = BRINK_DOWN, .jump = empty};
    modes[m] = (brink_mode_def){.name = names[m],
                                .n = 2,
                                .rhs = traffic,
                                .guards = g,
                                .n_guards = 3,
                                .events = events[m],
                                .n_events = 2};
  }
  const brink_model_def def = {.name = "ramp",
                               .modes = modes,
                               .n_modes = 4,
                               .timers = timers,
                               .n_timers = 1,
                               .u = in,
                               .n_u = 1};
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
  brink_sim_start(sim, 0, 0, x0);
  brink_status s = brink_sim_run(sim, 14);

  const brink_trace *trace = brink_sim_trace(sim);
  for (size_t k = 0; k < brink_trace_events(trace); k++) {
    brink_event e = brink_trace_event(trace, k);
    printf("%13.10f  %-14s  x1 = %12.9f  x2 = %11.9f  %s\n", e.t, e.name, e.y_after[0],
           e.y_after[1], names[e.mode_after]);
  }
  if (s != BRINK_END)
    fprintf(stderr, "%s\n", brink_sim_error(sim)->text);
  brink_sim_free(sim);
  brink_model_free(model);
  brink_ctx_free(ctx);
  return s == BRINK_END ? 0 : 1;
}
