/* bench_esposito.c -- the experiments of [EK07, 3], as tables.
 *
 *   bench_esposito [--check]
 *
 * Table I: how many collisions of the vehicle are detected, by locator, and how far the
 * time is off.  Example 2: what becomes of 100 lines that lead out of the arm's
 * workspace, by locator and gate.  Table II is bench_cars; `brink papers esposito`
 * shows all of it with the figures.
 * --check prints nothing but what differs from the expected, and measures the same.
 *
 * The paper's endpoint method found 32 %; which steps happen to land inside depends on
 * the step sizes, so the largest step is varied here.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "brink/brink.h"
#include "papers/esposito_runs.h"

/* ------------------------------------------------------------- table I -- */

static esposito_detected detect(brink_ctx *ctx, const char *method, const char *locator,
                                double h_max)
{
  brink_sim_opts opt = brink_sim_defaults();

  opt.method = method;
  opt.locator = locator;
  opt.rtol = 1e-4;
  opt.h_max = h_max;
  return esposito_detect(ctx, &opt, esposito_starts, ESPOSITO_STARTS);
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
        esposito_detected d = detect(ctx, methods[m], locators[l], h_max[h]);
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
        esposito_fate f = {0};
        brink_sim_opts opt = brink_sim_defaults();
        opt.method = methods[m];
        opt.locator = ways[w].locator;
        opt.gate = ways[w].gate;
        opt.rtol = 1e-4;
        for (int i = 0; i < 100; i++) {
          esposito_line line = esposito_line_random(i % 2, esposito_uniform, &seed);
          esposito_follow(ctx, (esposito_law)law, &line, &opt, NULL, NULL, &f);
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

int main(int argc, char **argv)
{
  int quiet = argc > 1 && strcmp(argv[1], "--check") == 0;
  brink_ctx *ctx;

  if (brink_ctx_new(NULL, &ctx) < 0)
    return 1;
  int good = table_1(ctx, quiet);
  good &= example_2(ctx, quiet);
  if (!good)
    fprintf(stderr, "not every collision was found, or an arm went beyond its edge\n");
  brink_ctx_free(ctx);
  return !good;
}
