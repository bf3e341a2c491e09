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
#include <stdio.h>
#include <string.h>

#include "brink/brink.h"
#include "papers/esposito_runs.h"

enum { FIELDS = 16, RUNS = 20 };

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

  opt.method = "dopri5";
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

static double more(double a, double b) { return 100 * (a / b - 1); }

static double per_step(const esposito_racer *r) { return r->median / (double)r->steps; }

static int compare_locators(brink_ctx *ctx, const char *method, int turning)
{
  enum { IN, EX, BARE, N };
  static esposito_racer e[N];

  e[IN] = (esposito_racer){.name = "interpolation", .locator = "isolate", .gain = -1};
  e[EX] =
      (esposito_racer){.name = "extrapolation", .locator = "extrapolate", .gain = -1};
  e[BARE] = (esposito_racer){.name = "gain 0", .locator = "extrapolate", .gain = 0};
  if (esposito_race(ctx, method, turning, FIELDS, RUNS, e, N) != 0) {
    fprintf(stderr, "%s\n", brink_ctx_error(ctx)->text);
    return 0;
  }
  printf("\n%s cars, %s, rtol 1e-4, %d starts, %d runs each\n",
         turning ? "turning" : "straight", method, FIELDS, RUNS);
  printf("%-14s %9s %8s %8s %10s %10s %9s\n", "", "seconds", "steps", "events", "f",
         "g", "us/step");
  for (int i = 0; i < N; i++)
    printf("%-14s %9.4f %8ld %8ld %10ld %10ld %9.2f\n", e[i].name, e[i].median,
           e[i].steps, e[i].events, e[i].f_evals, e[i].g_evals, 1e6 * per_step(&e[i]));
  printf(
      "extrapolation costs %+.1f %% (the paper: +7.2 %%); per step %+.1f %%; steps "
      "%+.1f %%, events %+.1f %%;\nwithout gain it costs %+.1f %%; steps with an event "
      "%.2g %%\n",
      more(e[EX].median, e[IN].median), more(per_step(&e[EX]), per_step(&e[IN])),
      more((double)e[EX].steps, (double)e[IN].steps),
      more((double)e[EX].events, (double)e[IN].events),
      more(e[BARE].median, e[IN].median),
      100 * (double)e[EX].events / (double)e[EX].steps);
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
