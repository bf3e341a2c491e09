/* bench_sweep.c -- many runs of one model with different parameters.
 *
 *   bench_sweep [--check]
 *
 * 10000 balls with their own restitution and height, each with 20 bounces: a text model
 * that is read once and set by index, beside the same ball with callbacks.  --check
 * only compares bounce times with the closed form.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ball_problem.h"
#include "brink/brink.h"
#include "brink/load.h"
#include "timing.h"

#define ERROR_MAX 1e-12 /* seconds                               */
#define RATIO_MAX 3.0   /* a text model over one with callbacks  */

static const char text[] =
    "model Ball\n"
    "  parameter Real e = 0.9, g = 9.81;\n"
    "  Real h(start = 1, fixed = true), v(start = 0, fixed = true);\n"
    "equation\n"
    "  der(h) = v;\n"
    "  der(v) = -g;\n"
    "  when h <= 0 then\n"
    "    reinit(h, 0);\n"
    "    reinit(v, -e*pre(v));\n"
    "  end when;\n"
    "end Ball;\n";

typedef struct job {
  brink_sim *sim;
  int e, h; /* indices of names; h < 0: the start value is given */
  int lost;
  double worst;
} job;

static int fall(double t, const double *y, double *f, const brink_env *e)
{
  (void)t;
  f[0] = y[1];
  f[1] = -e->p[1];
  return 0;
}

static int bounce(brink_jump *j)
{
  j->y[0] = 0;
  j->y[1] *= -j->p[0];
  return 0;
}

static void run_one(job *j, ball b)
{
  double y0[] = {b.height, 0}, times[ENSEMBLE_BOUNCES];

  brink_sim_set_at(j->sim, j->e, b.restitution);
  if (j->h >= 0)
    brink_sim_set_start_at(j->sim, j->h, b.height);
  brink_sim_start(j->sim, 0, 0, j->h >= 0 ? NULL : y0);
  brink_sim_run(j->sim, BALL_END); /* until the limit of events */
  const brink_trace *trace = brink_sim_trace(j->sim);
  int found = (int)brink_trace_events(trace);
  for (int k = 0; k < found && k < ENSEMBLE_BOUNCES; k++)
    times[k] = brink_trace_event(trace, (size_t)k).t;
  j->lost += found != ENSEMBLE_BOUNCES;
  if (found == ENSEMBLE_BOUNCES)
    j->worst = fmax(j->worst, ball_error(b, times, found));
}

static void sweep(void *arg)
{
  job *j = arg;

  for (int k = 0; k < ENSEMBLE_BALLS; k++)
    run_one(j, ball_member(k));
}

static brink_status callbacks(brink_ctx *ctx, brink_model **out)
{
  static const double p[] = {BALL_RESTITUTION, BALL_GRAVITY};
  static const char *const states[] = {"h", "v"}, *const names[] = {"e", "g"};
  const brink_guard_def g = {.name = "height", .state = 0};
  const brink_event_def e = {.name = "bounce", .dir = BRINK_DOWN, .jump = bounce};
  const brink_mode_def mode = {.name = "fly",
                               .n = 2,
                               .states = states,
                               .rhs = fall,
                               .guards = &g,
                               .n_guards = 1,
                               .events = &e,
                               .n_events = 1};
  const brink_model_def def = {
      .modes = &mode, .n_modes = 1, .p = p, .n_p = 2, .p_names = names};

  return brink_model_new(ctx, &def, out);
}

static int right(const char *name, const job *j)
{
  if (j->lost == 0 && j->worst <= ERROR_MAX)
    return 1;
  printf("%s: %d balls with another number of bounces, error %.2e\n", name, j->lost,
         j->worst);
  return 0;
}

int main(int argc, char **argv)
{
  int check = argc == 2 && strcmp(argv[1], "--check") == 0, ok = 1;
  brink_sim_opts opt = brink_sim_defaults();
  brink_ctx *ctx = NULL;
  brink_model *model[2] = {NULL, NULL};
  job jobs[2] = {{0}};
  timing_entry e[2] = {{.name = "callbacks", .run = sweep, .arg = &jobs[0]},
                       {.name = "text", .run = sweep, .arg = &jobs[1]}};

  opt.keep_limit = opt.max_events = ENSEMBLE_BOUNCES;
  opt.zeno = BRINK_ZENO_STEP; /* each bounce */
  opt.zeno_gap = 1e-300;      /* down to rounding */
  if (brink_ctx_new(NULL, &ctx) < 0 || callbacks(ctx, &model[0]) < 0 ||
      brink_model_read(ctx, "ball.mo", text, strlen(text), NULL, &model[1]) < 0)
    return 1;
  for (int i = 0; i < 2; i++) {
    if (brink_sim_new(ctx, model[i], &opt, &jobs[i].sim) < 0)
      return 1;
    jobs[i].e = brink_model_find(model[i], "e");
    jobs[i].h = i ? brink_model_find(model[i], "h") : -1;
    if (check)
      sweep(&jobs[i]);
  }
  if (!check)
    timing_race(e, 2, 4);
  for (int i = 0; i < 2; i++) {
    ok &= right(e[i].name, &jobs[i]);
    if (!check)
      printf("%-9s  %7.3f us per run of %d bounces  %5.2f times callbacks\n", e[i].name,
             1e6 * e[i].median / ENSEMBLE_BALLS, ENSEMBLE_BOUNCES,
             timing_ratio(&e[i], &e[0]));
    brink_sim_free(jobs[i].sim);
    brink_model_free(model[i]);
  }
  if (!check)
    printf("wanted: at most %g times callbacks\n", RATIO_MAX);
  brink_ctx_free(ctx);
  return ok ? 0 : 1;
}
