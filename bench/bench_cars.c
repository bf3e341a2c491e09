/* bench_cars.c -- bumper cars: what looking ahead costs [EK07, 3.3, Table II].
 *
 *   bench_cars [--check]
 *
 * 20 cars, 100 s, the same method and tolerance, locator isolate (interpolation)
 * against extrapolate; 20 alternating runs of each in one process.  The paper
 * measured 7.2 % (0.3330 s over 0.3106 s), of which it gives 96 % to the gain gamma and
 * 4 % to additional steps, with 0.02 % of the steps at events.  Here the split is: the
 * gain (a race of gain -1 against gain 0, which needs none), steps more, steps with an
 * event. Cars that go straight make the event the only reason for a step; turning ones
 * are nearer to the paper's, whose equations are (22).
 *
 * A run of 100 s is chaotic: two locators, two trajectories, two numbers of events.  So
 * several starts make one run, and the costs are also told per step.  Times are
 * processor times, ratios those of the medians.
 * --check compares the first events with the reference and measures nothing.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "brink/brink.h"
#include "esposito.h"

enum { STARTS = 6, RUNS = 20 };

static const double TIME = 100;

typedef struct job {
  brink_ctx *ctx;
  brink_model *model[STARTS];
  brink_sim *sim[STARTS];
  double y0[STARTS][3 * ESPOSITO_CARS];
  long steps, events, g_evals, f_evals; /* of one run */
} job;

static double uniform(void *seed)
{
  uint64_t *s = seed, z = (*s += 0x9e3779b97f4a7c15u);

  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static int job_new(brink_ctx *ctx, const char *method, const char *locator, double gain,
                   int turning, job *j)
{
  uint64_t seed = 0xca25;

  *j = (job){.ctx = ctx};
  for (int i = 0; i < STARTS; i++) {
    esposito_car cars[ESPOSITO_CARS];
    memcpy(cars, turning ? esposito_turning : esposito_straight, sizeof cars);
    if (i > 0)
      esposito_cars_random(cars, turning ? 0.3 : 0, uniform, &seed);
    brink_sim_opts opt = brink_sim_defaults();
    opt.method = method;
    opt.locator = locator;
    opt.gain = gain;
    opt.rtol = 1e-4;
    opt.keep = BRINK_KEEP_NOTHING;
    esposito_cars_start(cars, j->y0[i]);
    j->model[i] = esposito_cars_new(ctx, cars);
    if (!j->model[i] || brink_sim_new(ctx, j->model[i], &opt, &j->sim[i]) < 0) {
      fprintf(stderr, "%s\n", brink_ctx_error(ctx)->text);
      return 0;
    }
  }
  return 1;
}

static void job_free(job *j)
{
  for (int i = 0; i < STARTS; i++) {
    brink_sim_free(j->sim[i]);
    brink_model_free(j->model[i]);
  }
}

static void run(void *arg)
{
  job *j = arg;

  j->steps = j->events = j->g_evals = j->f_evals = 0;
  for (int i = 0; i < STARTS; i++) {
    brink_sim_start(j->sim[i], 0, 0, j->y0[i]);
    if (brink_sim_run(j->sim[i], TIME) != BRINK_END)
      fprintf(stderr, "%s\n", brink_sim_error(j->sim[i])->text);
    brink_sim_stats s = brink_sim_statistics(j->sim[i]);
    j->steps += s.work.steps + s.work.rejected;
    j->events += s.events;
    j->g_evals += s.g_evals;
    j->f_evals += s.work.f_evals;
  }
}

/* --------------------------------------------------------------- check -- */

static int right(brink_ctx *ctx, const char *locator, int turning)
{
  const esposito_car *cars = turning ? esposito_turning : esposito_straight;
  const esposito_bump *want =
      turning ? esposito_turning_bumps : esposito_straight_bumps;
  int n = turning ? ESPOSITO_TURNING_BUMPS : ESPOSITO_STRAIGHT_BUMPS, good = 1;
  double y0[3 * ESPOSITO_CARS];
  brink_sim_opts opt = brink_sim_defaults();
  brink_sim *sim = NULL;
  brink_model *model = esposito_cars_new(ctx, cars);

  opt.locator = locator;
  opt.rtol = 1e-12;
  esposito_cars_start(cars, y0);
  if (!model || brink_sim_new(ctx, model, &opt, &sim) < 0 ||
      brink_sim_start(sim, 0, 0, y0) < 0 ||
      brink_sim_run(sim, want[n - 1].t + 1e-6) < 0)
    good = 0;
  const brink_trace *trace = good ? brink_sim_trace(sim) : NULL;
  good = good && brink_trace_events(trace) == (size_t)n;
  for (int k = 0; good && k < n; k++) {
    brink_event e = brink_trace_event(trace, (size_t)k);
    esposito_bump b = esposito_bump_of(e.t, e.index);
    good = b.i == want[k].i && b.j == want[k].j && fabs(b.t - want[k].t) < 1e-8;
  }
  brink_sim_free(sim);
  brink_model_free(model);
  return good;
}

static int check(brink_ctx *ctx)
{
  int good = 1;

  for (int turning = 0; turning < 2; turning++) {
    good &= right(ctx, "isolate", turning);
    good &= right(ctx, "extrapolate", turning);
  }
  puts(good ? "the first bumps are those of the reference"
            : "the first bumps differ from the reference");
  return good;
}

/* --------------------------------------------------------------- table -- */

static int ascending(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

typedef struct entry {
  const char *name, *locator;
  double gain;
  job job;
  double seconds[RUNS], median;
} entry;

static void lap(entry *e, int k)
{
  clock_t start = clock();

  run(&e->job);
  e->seconds[k] = (double)(clock() - start) / CLOCKS_PER_SEC;
}

/* All contestants once, forward and backward in turn. */
static void race(entry *e, int n)
{
  for (int i = 0; i < n; i++)
    run(&e[i].job);
  for (int k = 0; k < RUNS; k++)
    for (int i = 0; i < n; i++)
      lap(&e[k % 2 ? n - 1 - i : i], k);
  for (int i = 0; i < n; i++) {
    qsort(e[i].seconds, RUNS, sizeof(double), ascending);
    e[i].median = 0.5 * (e[i].seconds[RUNS / 2 - 1] + e[i].seconds[RUNS / 2]);
  }
}

static double more(double a, double b) { return 100 * (a / b - 1); }

static double per_step(const entry *e) { return e->median / (double)e->job.steps; }

static int compare_locators(brink_ctx *ctx, const char *method, int turning)
{
  enum { IN, EX, BARE, N };
  static entry e[N];

  e[IN] = (entry){.name = "interpolation", .locator = "isolate", .gain = -1};
  e[EX] = (entry){.name = "extrapolation", .locator = "extrapolate", .gain = -1};
  e[BARE] = (entry){.name = "gain 0", .locator = "extrapolate", .gain = 0};
  for (int i = 0; i < N; i++)
    if (!job_new(ctx, method, e[i].locator, e[i].gain, turning, &e[i].job))
      return 0;
  race(e, N);
  printf("\n%s cars, %s, rtol 1e-4, %d starts, %d runs each\n",
         turning ? "turning" : "straight", method, STARTS, RUNS);
  printf("%-14s %9s %8s %8s %10s %10s %9s\n", "", "seconds", "steps", "events", "f",
         "g", "us/step");
  for (int i = 0; i < N; i++)
    printf("%-14s %9.4f %8ld %8ld %10ld %10ld %9.2f\n", e[i].name, e[i].median,
           e[i].job.steps, e[i].job.events, e[i].job.f_evals, e[i].job.g_evals,
           1e6 * per_step(&e[i]));
  printf(
      "extrapolation costs %+.1f %% (the paper: +7.2 %%); per step %+.1f %%; steps "
      "%+.1f %%, events %+.1f %%;\nwithout gain it costs %+.1f %%; steps with an event "
      "%.2g %%\n",
      more(e[EX].median, e[IN].median), more(per_step(&e[EX]), per_step(&e[IN])),
      more((double)e[EX].job.steps, (double)e[IN].job.steps),
      more((double)e[EX].job.events, (double)e[IN].job.events),
      more(e[BARE].median, e[IN].median),
      100 * (double)e[EX].job.events / (double)e[EX].job.steps);
  for (int i = 0; i < N; i++)
    job_free(&e[i].job);
  return 1;
}

int main(int argc, char **argv)
{
  brink_ctx *ctx;
  int good = 1;

  if (brink_ctx_new(NULL, &ctx) < 0)
    return 1;
  if (argc > 1 && strcmp(argv[1], "--check") == 0) {
    good = check(ctx);
  } else {
    static const char *const methods[] = {"dopri5", "adams"};
    for (int m = 0; m < 2; m++)
      for (int turning = 0; turning < 2; turning++)
        good &= compare_locators(ctx, methods[m], turning);
  }
  brink_ctx_free(ctx);
  return !good;
}
