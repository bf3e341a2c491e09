/* bench_dae.c -- differential-algebraic systems: digits and work.
 *
 *   bench_dae [--check | problems | cascade | pendula | robot]
 *
 * 1. The problems of the IVP test set [MM08] and the pendulum: correct digits at the
 * end as there (mescd: -log10 of the largest error over 1 + |reference|), steps, and
 *    evaluations of f (taylor: series) by method and tolerance.  References are those
 * of tests/models.  This is the table of docs/equations.md.
 *
 * 2. The cascade of P pendula, index 2P + 1, to t = 10: processor time per step, and
 * the largest error of all variables against the same chain in angles (chain.c).
 *
 * 3. N pendula side by side: time to read and analyse them and per step, for one.
 *
 * 4. The parallel robot of [NR09], index 3 with branches, to t = 5: events and time,
 * beside what DAETS took there in 2009 (on another machine, at a tolerance that the
 * paper does not name).
 *
 * --check measures no time: few methods, short chains; errors must be small.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "chain.h"
#include "brink/brink.h"

#define MAX_STEPS       200000 /* of a run: more than any of the problems takes */
#define MAX_CHAIN_STEPS 2000   /* of a chain, which takes some 300 */
#define LONG_SECONDS    60.0 /* after a chain that took as long no longer one is run */

/* Processor time in seconds: other programs on the machine do not count. */
static double cpu_now(void) { return (double)clock() / CLOCKS_PER_SEC; }

/* One run of a model to its end. */
typedef struct outcome {
  double reading, running; /* seconds */
  brink_sim_stats stats;
  brink_sim *sim;
  brink_model *model;
} outcome;

static int run(brink_ctx *ctx, const char *name, const brink_setting *set,
               const char *method, double tol, double stop, outcome *o)
{
  char path[500];
  brink_load_opts load = brink_load_defaults();
  brink_sim_opts opt = brink_sim_defaults();

  *o = (outcome){.sim = NULL};
  load.set = set;
  load.n_set = set ? 1 : 0;
  opt.method = method;
  opt.rtol = opt.atol = tol;
  opt.keep = BRINK_KEEP_NOTHING;
  opt.max_steps = set ? MAX_CHAIN_STEPS : MAX_STEPS;
  snprintf(path, sizeof path, "%s/%s", MODELS_DIR, name);
  double begin = cpu_now();
  if (brink_model_load(ctx, path, &load, &o->model) < 0 ||
      brink_sim_new(ctx, o->model, &opt, &o->sim) < 0) {
    printf("%s\n", brink_ctx_error(ctx)->text);
    return 0;
  }
  o->reading = cpu_now() - begin;
  if (isnan(stop))
    stop = brink_model_experiment(o->model).stop;
  begin = cpu_now();
  int good = brink_sim_start(o->sim, 0, 0, NULL) >= 0 &&
             brink_sim_run(o->sim, stop) == BRINK_END;
  o->running = cpu_now() - begin;
  o->stats = brink_sim_statistics(o->sim);
  if (!good)
    printf("%s, %s: %s\n", name, method, brink_sim_error(o->sim)->text);
  return good;
}

static void end(outcome *o)
{
  brink_sim_free(o->sim);
  brink_model_free(o->model);
}

/* ------------------------------------------------------------ problems ---- */

static const char *const problems[] = {"pendulum_index3", "car_axis",
                                       "andrews_squeezer", "slider_crank",
                                       "transistor_amplifier"};

/* Digits of the values that the first run of tests/models/NAME.ref has. */
static double digits(brink_sim *sim, const char *name)
{
  char path[500], line[200], variable[80];
  double want, got = 0, worst = 0;
  int runs = 0;

  snprintf(path, sizeof path, "%s/%s.ref", REFERENCES_DIR, name);
  FILE *file = fopen(path, "r");
  while (file && runs < 2 && fgets(line, sizeof line, file)) {
    runs += strncmp(line, "run", 3) == 0;
    if (runs != 1 || sscanf(line, "value %79s %lf", variable, &want) != 2)
      continue;
    if (brink_sim_get(sim, variable, &got) < 0)
      worst = HUGE_VAL;
    worst = fmax(worst, fabs(got - want) / (1 + fabs(want)));
  }
  if (!file || runs == 0)
    return 0;
  fclose(file);
  return -log10(worst);
}

/* One cell: digits, steps, evaluations. */
static int one_problem(brink_ctx *ctx, const char *name, const char *method, double tol)
{
  char file[100];
  outcome o;

  snprintf(file, sizeof file, "%s.mo", name);
  int good = run(ctx, file, NULL, method, tol, (double)NAN, &o);
  if (good) {
    brink_work work = o.stats.work;
    double d = digits(o.sim, name);
    printf(" %.1f: %ld, %ld |", d, work.steps, work.jets ? work.jets : work.f_evals);
    good = d > -log10(tol) / 2 - 1; /* pendula forget half of the digits in t = 100 */
  }
  end(&o);
  return good;
}

static int all_problems(brink_ctx *ctx, int brief)
{
  static const char *const methods[] = {"taylor", "dop853", "dopri5", "adams"};
  int good = 1;

  printf("| problem | method | 1e-5 | 1e-9 | 1e-13 |\n|---|---|---|---|---|\n");
  for (size_t i = 0; i < sizeof problems / sizeof *problems; i++)
    for (int m = 0; m < (brief ? 2 : 4); m++) {
      printf("| `%s` | %s |", problems[i], methods[m]);
      for (double tol = 1e-5; tol > (brief ? 1e-6 : 1e-14); tol /= 1e4)
        good &= one_problem(ctx, problems[i], methods[m], tol);
      printf("\n");
    }
  return good;
}

/* ------------------------------------------------------------- cascade ---- */

static double miss(brink_sim *sim, const char *name, int i, double want)
{
  char variable[80];
  double got = 0;

  snprintf(variable, sizeof variable, "%s[%d]", name, i + 1);
  return brink_sim_get(sim, variable, &got) < 0 ? HUGE_VAL : fabs(got - want);
}

static int cascade(brink_ctx *ctx, int P, int timed, double *seconds)
{
  char size[16];
  brink_setting set = {"P", size};
  outcome o;
  double error = 0;

  snprintf(size, sizeof size, "%d", P);
  int good = run(ctx, "pendulum_cascade.mo", &set, "taylor", 1e-13, 10, &o);
  if (good) {
    chain_end want = chain_solve(P, 10);
    for (int i = 0; i < P; i++)
      error = fmax(error, fmax(miss(o.sim, "lambda", i, want.lambda[i]),
                               fmax(miss(o.sim, "x", i, want.x[i]),
                                    miss(o.sim, "y", i, want.y[i]))));
    printf("%4d %6d %7zu %6ld %9.1e", P, 2 * P + 1, brink_sim_n(o.sim),
           o.stats.work.steps, error);
    if (timed)
      printf(" %9.3f %9.3f", 1e3 * o.reading,
             1e3 * o.running / (double)o.stats.work.steps);
    printf("\n");
  }
  *seconds = o.running;
  end(&o);
  return good && error <= 1e-9;
}

static int all_cascades(brink_ctx *ctx, int timed)
{
  int good = 1, longest = timed ? 23 : 3;
  double seconds = 0;

  printf("\ncascade of P pendula to t = 10, taylor, tolerance 1e-13\n"
         "   P  index  states  steps     error   reading      step (ms)\n");
  for (int P = 1; P <= longest && good && seconds < LONG_SECONDS; P++)
    good &= cascade(ctx, P, timed, &seconds);
  return good;
}

/* -------------------------------------------------------- side by side ---- */

static const char many[] = "model Many\n"
                           "  parameter Integer N = 334;\n"
                           "  Real x[N], y[N](each start = 5), lambda[N];\n"
                           "initial equation\n"
                           "  for i in 1:N loop\n"
                           "    x[i] = 10*sin(i/N);\n"
                           "    der(x[i]) = 0;\n"
                           "  end for;\n"
                           "equation\n"
                           "  for i in 1:N loop\n"
                           "    der(der(x[i])) = -lambda[i]*x[i];\n"
                           "    der(der(y[i])) = -lambda[i]*y[i] + 9.8;\n"
                           "    x[i]^2 + y[i]^2 = 100;\n"
                           "  end for;\n"
                           "end Many;\n";

/* the last of them starts at the angle 1, as the first of the cascade does */
static int side_by_side(brink_ctx *ctx, int N, int timed)
{
  char size[16], last[32];
  brink_setting set = {"N", size};
  brink_load_opts load = brink_load_defaults();
  brink_sim_opts opt = brink_sim_defaults();
  brink_model *model = NULL;
  brink_sim *sim = NULL;
  double x = 0;

  snprintf(size, sizeof size, "%d", N);
  snprintf(last, sizeof last, "x[%d]", N);
  load.set = &set;
  load.n_set = 1;
  opt.method = "taylor";
  opt.rtol = opt.atol = 1e-10;
  opt.keep = BRINK_KEEP_NOTHING;
  double t0 = cpu_now();
  int good = brink_model_read(ctx, "many.mo", many, strlen(many), &load, &model) >= 0;
  double t1 = cpu_now();
  good = good && brink_sim_new(ctx, model, &opt, &sim) >= 0;
  double made = cpu_now();
  good = good && brink_sim_start(sim, 0, 0, NULL) >= 0;
  double t2 = cpu_now();
  good = good && brink_sim_run(sim, 10) == BRINK_END;
  double t3 = cpu_now();
  if (good && brink_sim_get(sim, last, &x) >= 0) {
    double error = fabs(x - chain_solve(1, 10).x[0]);
    long steps = brink_sim_statistics(sim).work.steps;
    printf("%5d %6ld %9.1e", N, steps, error);
    if (timed)
      printf(" %9.2f %9.2f %9.2f %9.2f", 1e6 * (t1 - t0) / N, 1e6 * (made - t1) / N,
             1e6 * (t2 - made) / N, 1e6 * (t3 - t2) / (double)steps / N);
    printf("\n");
    good = error <= 1e-7;
  }
  brink_sim_free(sim);
  brink_model_free(model);
  return good;
}

static int all_side_by_side(brink_ctx *ctx, int timed)
{
  static const int sizes[] = {10, 33, 100, 334, 1000};
  int good = 1;

  printf("\nN pendula side by side to t = 10, taylor, tolerance 1e-10; microseconds "
         "for one\n"
         "    N  steps     error   reading      room     start      step\n");
  for (int i = 0; i < (timed ? 5 : 1); i++)
    good &= side_by_side(ctx, sizes[i], timed);
  return good;
}

/* --------------------------------------------------------------- robot ---- */

enum { ROBOT_EVENTS = 23 }; /* 22, and the friction that changes its sign at 0+ */
#define DAETS_SECONDS 0.65  /* [NR09, 5] */

static int robot(brink_ctx *ctx, const char *method, double tol, int timed)
{
  outcome o;
  int good = run(ctx, "parallel_robot.mo", NULL, method, tol, (double)NAN, &o);

  if (good) {
    printf("%8s %9.0e %6ld %7ld %7ld", method, tol, o.stats.events, o.stats.work.steps,
           o.stats.work.jets ? o.stats.work.jets : o.stats.work.f_evals);
    if (timed)
      printf(" %9.4f %9.4f %9.2f", o.reading, o.running, DAETS_SECONDS);
    printf("\n");
    good = o.stats.events == ROBOT_EVENTS;
  }
  end(&o);
  return good;
}

static int all_robots(brink_ctx *ctx, int timed)
{
  static const char *const methods[] = {"taylor", "dop853", "dopri5", "adams"};
  int good = 1;

  printf("\nparallel robot to t = 5; seconds\n"
         "  method tolerance events   steps   evals   reading   running  DAETS 2009\n");
  for (int m = 0; m < 4; m++)
    for (double tol = timed ? 1e-9 : 1e-13; tol > 1e-14; tol /= 1e4)
      good &= robot(ctx, methods[m], tol, timed);
  return good;
}

int main(int argc, char **argv)
{
  const char *what = argc == 2 ? argv[1] : "all";
  int brief = strcmp(what, "--check") == 0, all = brief || strcmp(what, "all") == 0;
  int good = 1;
  brink_ctx *ctx;

  if (brink_ctx_new(NULL, &ctx) < 0)
    return 1;
  if (all || strcmp(what, "problems") == 0)
    good &= all_problems(ctx, brief);
  if (all || strcmp(what, "cascade") == 0)
    good &= all_cascades(ctx, !brief);
  if (all || strcmp(what, "pendula") == 0)
    good &= all_side_by_side(ctx, !brief);
  if (all || strcmp(what, "robot") == 0)
    good &= all_robots(ctx, !brief);
  brink_ctx_free(ctx);
  return good ? 0 : 1;
}
