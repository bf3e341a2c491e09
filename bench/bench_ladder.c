/* bench_ladder.c -- large algebraic loops: how time and memory grow with their size.
 *
 *   bench_ladder [--check]
 *
 * A ladder of n resistors (tests/support/ladder.h) as components with connect, as
 * equations, and with diodes: read, compiled, started, and run over a third of a
 * period. A second column gives each time over that of 200 cells, per cell: 1 is linear
 * growth. Errors are those of the voltages of all nodes against the closed form, with
 * diodes the sums of currents.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "brink/load.h"
#include "ladder.h"
#include "timing.h"

static const double STOP = 0.3;

typedef struct result {
  double read, start, run; /* seconds */
  long evals;
  double megabytes, error;
} result;

/* The voltages of all nodes; 0: one has no name. */
static int nodes(ladder_kind kind, int n, const brink_model *model,
                 const double *values, double *v)
{
  for (int k = 1; k <= n; k++) {
    char name[32];
    ladder_name(kind, k, name, sizeof name);
    int i = brink_model_find(model, name);
    if (i < 0)
      return 0;
    v[k - 1] = values[i];
  }
  return 1;
}

/* How wrong the values are; NaN: there are none. */
static double error_of(ladder_kind kind, int n, const brink_model *model,
                       brink_sim *sim)
{
  double *values = malloc(brink_model_variables(model) * sizeof *values);
  double *v = malloc((size_t)n * sizeof *v), *want = malloc((size_t)n * sizeof *want);
  double error = nan("");

  if (values && v && want && brink_sim_values(sim, values) == BRINK_OK &&
      nodes(kind, n, model, values, v)) {
    error = 0;
    ladder_nodes(n, STOP, want);
    for (int k = 1; k <= n; k++)
      if (kind != LADDER_DIODES)
        error = fmax(error, fabs(v[k - 1] - want[k - 1]));
      else if (k < n)
        error = fmax(error, fabs(ladder_current(kind, STOP, v, k)));
  }
  free(values);
  free(v);
  free(want);
  return error;
}

static int one(ladder_kind kind, int n, result *out)
{
  size_t length = 0;
  char *text = ladder_text(kind, n, &length);
  brink_ctx *ctx = NULL;
  brink_model *model = NULL;
  brink_sim *sim = NULL;
  double t[4] = {timing_now()};
  int done = 0;

  if (text && brink_ctx_new(NULL, &ctx) == BRINK_OK &&
      brink_model_read(ctx, "ladder.mo", text, length, NULL, &model) == BRINK_OK &&
      (t[1] = timing_now(), brink_sim_new(ctx, model, NULL, &sim)) == BRINK_OK &&
      brink_sim_start(sim, 0, 0, NULL) == BRINK_OK &&
      (t[2] = timing_now(), brink_sim_run(sim, STOP)) == BRINK_END) {
    t[3] = timing_now();
    *out = (result){.read = t[1] - t[0],
                    .start = t[2] - t[1],
                    .run = t[3] - t[2],
                    .evals = (long)brink_sim_statistics(sim).work.f_evals,
                    .megabytes = (double)brink_ctx_alloc_stats(ctx).live_bytes / 1e6,
                    .error = error_of(kind, n, model, sim)};
    done = 1;
  }
  brink_sim_free(sim);
  brink_model_free(model);
  brink_ctx_free(ctx);
  free(text);
  return done;
}

int main(int argc, char **argv)
{
  static const char *const names[] = {"components", "equations", "diodes"};
  static const int sizes[] = {200, 1000, 5000};
  int check = argc == 2 && strcmp(argv[1], "--check") == 0;

  for (int kind = 0; kind < LADDER_KINDS; kind++) {
    double first = 0;
    for (int i = 0; i < (check ? 1 : 3); i++) {
      int n = check ? 60 : sizes[i];
      result r;
      if (!one((ladder_kind)kind, n, &r) || !(r.error < 1e-4))
        return 1;
      double total = r.read + r.start + r.run;
      first = i ? first : total / n;
      printf("%-10s %5d  read %6.3f s  start %6.3f s  run %6.3f s  %6.1f us an "
             "evaluation  in all %6.3f s (%4.2f)  %6.1f MB  error %.1e\n",
             names[kind], n, r.read, r.start, r.run, 1e6 * r.run / (double)r.evals,
             total, total / n / first, r.megabytes, r.error);
    }
  }
  return 0;
}
