/* bench_esposito.c -- the experiments of [EK07, 3], as tables.
 *
 *   bench_esposito [--check]
 *
 * Table I: how many collisions of the vehicle are detected, by locator, and how far the
 * time is off.  Example 2: what becomes of 100 lines that lead out of the arm's
 * workspace, by locator and gate.  Figure 7: the vehicle's path with gain 0.5, step by
 * step; figure 8: the last steps of one line.  Table II is bench_cars.
 * --check prints nothing but what differs from the expected, and measures the same.
 *
 * The paper's endpoint method found 32 %; which steps happen to land inside depends on
 * the step sizes, so the largest step is varied here.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "brink/brink.h"
#include "esposito.h"

static double uniform(void *seed)
{
  uint64_t *s = seed, z = (*s += 0x9e3779b97f4a7c15u);

  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static brink_sim *simulate(brink_ctx *ctx, const brink_model *model,
                           const brink_sim_opts *opt)
{
  brink_sim *sim = NULL;

  if (!model || brink_sim_new(ctx, model, opt, &sim) < 0)
    fprintf(stderr, "%s\n", brink_ctx_error(ctx)->text);
  return sim;
}

/* ------------------------------------------------------------- table I -- */

typedef struct detected {
  int n;
  double worst; /* error of the time, among those detected */
} detected;

static detected detect(brink_ctx *ctx, const char *method, const char *locator,
                       double h_max)
{
  brink_sim_opts opt = brink_sim_defaults();
  brink_model *model = esposito_vehicle_new(ctx);
  detected out = {0};

  opt.method = method;
  opt.locator = locator;
  opt.rtol = 1e-4;
  opt.h_max = h_max;
  brink_sim *sim = simulate(ctx, model, &opt);
  for (int i = 0; sim && i < ESPOSITO_STARTS; i++) {
    const esposito_start *s = &esposito_starts[i];
    brink_sim_start(sim, 0, 0, (const double[]){s->x0, s->y0, -0.2});
    if (brink_sim_run(sim, 3.2) != BRINK_TERMINATED)
      continue;
    out.n++;
    out.worst = fmax(out.worst, fabs(brink_sim_time(sim) - s->t));
  }
  brink_sim_free(sim);
  brink_model_free(model);
  return out;
}

static int table_1(brink_ctx *ctx, int quiet)
{
  static const char *const locators[] = {"endpoint", "isolate", "extrapolate"};
  static const char *const methods[] = {"bs23", "dopri5", "adams"};
  static const double h_max[] = {0, 2, 1, 0.5};
  int good = 1;

  if (!quiet)
    printf("Table I: collisions detected, %% of %d starts (worst error of the time), "
           "rtol 1e-4\n%-8s %5s %22s %22s %22s\n",
           ESPOSITO_STARTS, "method", "h_max", locators[0], locators[1], locators[2]);
  for (int m = 0; m < 3; m++)
    for (int h = 0; h < 4; h++) {
      if (!quiet)
        printf("%-8s %5g", methods[m], h_max[h]);
      for (int l = 0; l < 3; l++) {
        detected d = detect(ctx, methods[m], locators[l], h_max[h]);
        good &= l == 0 || (d.n == ESPOSITO_STARTS && d.worst <= 1e-3);
        if (!quiet)
          printf("     %5.1f (%9.1e)", 100.0 * d.n / ESPOSITO_STARTS, d.worst);
      }
      if (!quiet)
        printf("\n");
    }
  return good;
}

/* ----------------------------------------------------------- example 2 -- */

typedef struct fate {
  int completed, died;
  long outside; /* calls of f beyond the workspace */
  double worst; /* error of the time of those completed */
} fate;

static void follow_line(brink_ctx *ctx, esposito_law law, const esposito_line *line,
                        const brink_sim_opts *opt, const brink_observer *observer,
                        fate *out)
{
  esposito_calls calls = {0};
  brink_model *model = esposito_arm_new(ctx, law, &calls);
  brink_sim *sim = simulate(ctx, model, opt);
  double y0[4] = {line->p0[0], line->p0[1]};

  esposito_ik(line->p0, y0 + 2);
  if (law == ESPOSITO_TRACK) {
    y0[2] += 0.2;
    y0[3] -= 0.3;
  }
  if (sim) {
    brink_sim_observe(sim, observer);
    brink_sim_start(sim, 0, 0, y0);
    brink_sim_set_p(sim, 0, line->v[0]);
    brink_sim_set_p(sim, 1, line->v[1]);
    if (brink_sim_run(sim, 10) == BRINK_TERMINATED) {
      out->completed++;
      out->worst = fmax(out->worst, fabs(brink_sim_time(sim) - line->t_star));
    } else {
      out->died++;
    }
    out->outside += calls.outside;
  }
  brink_sim_free(sim);
  brink_model_free(model);
}

static int example_2(brink_ctx *ctx, int quiet)
{
  static const struct {
    const char *locator;
    long gate;
  } ways[] = {{"isolate", 0}, {"isolate", 1}, {"extrapolate", 1}};
  static const char *const methods[] = {"dopri5", "dop853", "adams"};
  int good = 1;

  if (!quiet)
    printf(
        "\nExample 2: 100 lines out of the workspace, rtol 1e-4\n%-14s %-8s %-12s %-5s "
        "%9s %5s %9s %9s\n",
        "law", "method", "locator", "gate", "completed", "died", "outside", "t off");
  for (int law = ESPOSITO_RATE; law <= ESPOSITO_TRACK; law++)
    for (int m = 0; m < 3; m++)
      for (int w = 0; w < 3; w++) {
        uint64_t seed = 0xe592;
        fate f = {0};
        brink_sim_opts opt = brink_sim_defaults();
        opt.method = methods[m];
        opt.locator = ways[w].locator;
        opt.gate = ways[w].gate;
        opt.rtol = 1e-4;
        for (int i = 0; i < 100; i++) {
          esposito_line line = esposito_line_random(i % 2, uniform, &seed);
          follow_line(ctx, (esposito_law)law, &line, &opt, NULL, &f);
        }
        if (ways[w].gate)
          good &= f.completed == 100 && f.outside == 0;
        if (!quiet)
          printf("%-14s %-8s %-12s %-5s %9d %5d %9ld %9.1e\n",
                 law == ESPOSITO_RATE ? "resolved rate" : "tracking", methods[m],
                 ways[w].locator, ways[w].gate ? "shut" : "open", f.completed, f.died,
                 f.outside, f.worst);
      }
  return good;
}

/* -------------------------------------------------------- figures 7, 8 -- */

static int tell_point(const brink_step *step, double from, double to, int mode,
                      void *user)
{
  double y[4];

  (void)from, (void)mode, (void)user;
  brink_step_at(step, to, y);
  printf("%.9f", step->t0 + to * step->h);
  for (size_t i = 0; i < step->n; i++)
    printf(" %.9f", y[i]);
  printf("\n");
  return 0;
}

static void figure_7(brink_ctx *ctx, const char *locator, double gain)
{
  brink_sim_opts opt = brink_sim_defaults();
  brink_model *model = esposito_vehicle_new(ctx);

  opt.locator = locator;
  opt.rtol = 1e-4;
  opt.gain = gain;
  opt.event_tol = 1e-6;
  brink_sim *sim = simulate(ctx, model, &opt);
  printf("\nFigure 7, %s: t x y theta at the ends of the steps\n", locator);
  if (sim) {
    brink_sim_observe(sim, &(brink_observer){.on_step = tell_point});
    brink_sim_start(sim, 0, 0, (const double[]){0, 0, -0.2});
    brink_sim_run(sim, 3.2);
  }
  brink_sim_free(sim);
  brink_model_free(model);
}

static void figure_8(brink_ctx *ctx, const char *locator, long gate)
{
  const esposito_line line = {
      .p0 = {0.6, 0.5}, .v = {0.4, 0.2}, .t_star = 1.63016516107};
  brink_sim_opts opt = brink_sim_defaults();
  fate f = {0};

  opt.locator = locator;
  opt.gate = gate;
  opt.rtol = 1e-4;
  opt.eps_g = 1e-6;
  opt.gain = 0.5;
  printf("\nFigure 8, %s, gate %s: t x y theta1 theta2 at the ends of the steps\n",
         locator, gate ? "shut" : "open");
  follow_line(ctx, ESPOSITO_TRACK, &line, &opt,
              &(brink_observer){.on_step = tell_point}, &f);
  printf("%s\n", f.completed ? "completed" : "died");
}

int main(int argc, char **argv)
{
  int quiet = argc > 1 && strcmp(argv[1], "--check") == 0;
  brink_ctx *ctx;

  if (brink_ctx_new(NULL, &ctx) < 0)
    return 1;
  int good = table_1(ctx, quiet);
  good &= example_2(ctx, quiet);
  if (!quiet) {
    figure_7(ctx, "endpoint", -1);
    figure_7(ctx, "extrapolate", 0.5);
    figure_8(ctx, "isolate", 0);
    figure_8(ctx, "extrapolate", 1);
  }
  if (!good)
    fprintf(stderr, "not every collision was found, or an arm went beyond its edge\n");
  brink_ctx_free(ctx);
  return !good;
}
