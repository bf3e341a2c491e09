/* bench_ball.c -- the bouncing ball with the library, beside the floor.
 *
 *   bench_ball [--check]
 *
 * The same problem, tolerance and method in the same run; a simulation is made
 * once and started again for every ball.  Two guards: a state (the library knows
 * its polynomial) and a callback (it has to sample).  --check only compares bounce
 * times with the closed form.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "brink/brink.h"
#include "floor.h"
#include "timing.h"

#define ERROR_MAX 1e-12 /* seconds; the library locates to the last bit */
#define RATIO_MAX 3.0   /* times the floor, per bounce                  */

typedef struct job {
  brink_sim *sim; /* NULL: the floor */
  double tol, worst;
  int lost;
  long f_evals;
} job;

static int fall(double t, const double *y, double *f, const brink_env *e)
{
  (void)t, (void)e;
  f[0] = y[1];
  f[1] = -BALL_GRAVITY;
  return 0;
}

static double height(double t, const double *y, int k, const brink_env *e)
{
  (void)t, (void)k, (void)e;
  return y[0];
}

static int bounce(brink_jump *j)
{
  j->y[0] = 0;
  j->y[1] *= -j->p[0];
  return 0;
}

static void run_one(job *j, ball b, int n)
{
  double times[BALL_BOUNCES];
  int found = 0;

  if (!j->sim) {
    floor_work work = {0};
    found = floor_ball(b, j->tol, n, times, &work);
    j->f_evals += work.f_evals;
  } else {
    double y0[] = {b.height, 0};
    brink_sim_start(j->sim, 0, 0, y0);
    brink_sim_set_p(j->sim, 0, b.restitution);
    brink_sim_run(j->sim, BALL_END); /* until the limit of events */
    const brink_trace *trace = brink_sim_trace(j->sim);
    found = (int)brink_trace_events(trace);
    found = found < n ? found : n;
    for (int k = 0; k < found; k++)
      times[k] = brink_trace_event(trace, (size_t)k).t;
    j->f_evals += brink_sim_statistics(j->sim).work.f_evals;
  }
  j->lost += n - found;
  j->worst = fmax(j->worst, ball_error(b, times, found));
}

static void one_ball(void *arg)
{
  job *j = arg;

  *j = (job){.sim = j->sim, .tol = j->tol};
  run_one(j, (ball){BALL_HEIGHT, BALL_RESTITUTION}, BALL_BOUNCES);
}

static void ensemble(void *arg)
{
  job *j = arg;

  *j = (job){.sim = j->sim, .tol = j->tol};
  for (int k = 0; k < ENSEMBLE_BALLS; k++)
    run_one(j, ball_member(k), ENSEMBLE_BOUNCES);
}

static brink_sim *make(brink_ctx *ctx, double tol, int bounces, brink_guard_fn *fn,
                       brink_model **model)
{
  static const double p[] = {BALL_RESTITUTION};
  const brink_guard_def g = {.name = "height", .fn = fn, .state = 0};
  const brink_event_def e = {.name = "bounce", .dir = BRINK_DOWN, .jump = bounce};
  const brink_mode_def mode = {.name = "fly",
                               .n = 2,
                               .rhs = fall,
                               .guards = &g,
                               .n_guards = 1,
                               .events = &e,
                               .n_events = 1};
  const brink_model_def def = {.modes = &mode, .n_modes = 1, .p = p, .n_p = 1};
  brink_sim_opts opt = brink_sim_defaults();
  brink_sim *sim = NULL;

  opt.method = "dopri5"; /* as the floor */
  opt.rtol = opt.atol = tol;
  opt.h0 = 1e-2; /* as the floor begins */
  opt.keep_limit = opt.max_events = bounces;
  opt.zeno = BRINK_ZENO_STEP; /* each bounce */
  opt.zeno_gap = 1e-300;      /* down to rounding */
  if (brink_model_new(ctx, &def, model) < 0 ||
      brink_sim_new(ctx, *model, &opt, &sim) < 0)
    fprintf(stderr, "%s\n", brink_ctx_error(ctx)->text);
  return sim;
}

static int race(const char *name, void (*run)(void *), job jobs[3], int bounces,
                int check)
{
  static const char *const who[] = {"floor", "state guard", "callback guard"};
  timing_entry e[3];
  int right = 1;

  for (int i = 0; i < 3; i++) {
    e[i] = (timing_entry){.name = who[i], .run = run, .arg = &jobs[i]};
    if (check)
      run(&jobs[i]);
  }
  if (!check)
    timing_race(e, 3, 1.5);
  for (int i = 0; i < 3; i++) {
    job *j = &jobs[i];
    if (!check)
      printf("%-9s %.0e  %-14s  %7.4f us per bounce  %5.2f times the floor, %5.2f at "
             "their "
             "fastest  %5.1f f  error %.1e\n",
             name, j->tol, who[i], 1e6 * e[i].median / bounces,
             timing_ratio(&e[i], &e[0]), e[i].fastest / e[0].fastest,
             (double)j->f_evals / bounces, j->worst);
    if (i > 0 && (j->lost || !(j->worst <= ERROR_MAX))) {
      printf("%s, %s: %d bounces lost, error %.2e\n", name, who[i], j->lost, j->worst);
      right = 0;
    }
  }
  return right;
}

int main(int argc, char **argv)
{
  int check = argc == 2 && strcmp(argv[1], "--check") == 0, right = 1;
  double tol[] = {1e-6, 1e-9, 1e-12};
  brink_ctx *ctx = NULL;
  brink_model *model[2];

  if (brink_ctx_new(NULL, &ctx) < 0)
    return 1;
  for (int i = 0; i < 3; i++)
    for (int many = 0; many < 2; many++) {
      int n = many ? ENSEMBLE_BOUNCES : BALL_BOUNCES;
      brink_sim *a = make(ctx, tol[i], n, NULL, &model[0]);
      brink_sim *b = make(ctx, tol[i], n, height, &model[1]);
      job jobs[3] = {
          {.tol = tol[i]}, {.sim = a, .tol = tol[i]}, {.sim = b, .tol = tol[i]}};
      right &= many ? race("ensemble", ensemble, jobs, ENSEMBLE_BALLS * n, check)
                    : race("ball", one_ball, jobs, n, check);
      brink_sim_free(a);
      brink_sim_free(b);
      brink_model_free(model[0]);
      brink_model_free(model[1]);
    }
  if (!check)
    printf("wanted: at most %g times the floor per bounce\n", RATIO_MAX);
  brink_ctx_free(ctx);
  return right ? 0 : 1;
}
