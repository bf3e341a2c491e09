/* bench_read.c -- how reading a model grows with its size.
 *
 *   bench_read [--check]
 *
 * A chain of n scalar equations as text: read, sorted, compiled, started.  Time per
 * equation and memory should hardly grow with n.  --check reads a small chain, runs
 * it and compares with the closed form of its slowest mode.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "brink/load.h"
#include "timing.h"

/* x_i' = (x_{i-1} - 2 x_i + x_{i+1}), ends held at 0, x(0) a sine: it decays as one */
static char *chain(int n, size_t *length)
{
  size_t cap = (size_t)n * 160 + 200, used = 0;
  char *text = malloc(cap);

  if (!text)
    return NULL;
  used += (size_t)snprintf(text, cap, "model Chain\n");
  for (int i = 1; i <= n; i++)
    used += (size_t)snprintf(text + used, cap - used,
                             "  Real x%d(start = %.17g, fixed = true);\n", i,
                             sin(acos(-1.0) * i / (n + 1)));
  used += (size_t)snprintf(text + used, cap - used, "equation\n");
  for (int i = 1; i <= n; i++) {
    char left[16] = "0", right[16] = "0";
    if (i > 1)
      snprintf(left, sizeof left, "x%d", i - 1);
    if (i < n)
      snprintf(right, sizeof right, "x%d", i + 1);
    used += (size_t)snprintf(text + used, cap - used, "  der(x%d) = %s - 2*x%d + %s;\n",
                             i, left, i, right);
  }
  used += (size_t)snprintf(text + used, cap - used, "end Chain;\n");
  *length = used;
  return text;
}

/* Seconds to read and start; -1: failed.  With `stop` > 0 the run's error. */
static double one(int n, double stop, double *megabytes, double *error)
{
  size_t length = 0;
  char *text = chain(n, &length);
  brink_ctx *ctx = NULL;
  brink_model *model = NULL;
  brink_sim *sim = NULL;
  double t0 = timing_now(), seconds = -1;

  if (text && brink_ctx_new(NULL, &ctx) == BRINK_OK &&
      brink_model_read(ctx, "chain.mo", text, length, NULL, &model) == BRINK_OK &&
      brink_sim_new(ctx, model, NULL, &sim) == BRINK_OK &&
      brink_sim_start(sim, 0, 0, NULL) == BRINK_OK) {
    seconds = timing_now() - t0;
    *megabytes = (double)brink_ctx_alloc_stats(ctx).live_bytes / 1e6;
    *error = 0;
    if (stop > 0 && brink_sim_run(sim, stop) == BRINK_END) {
      double s = sin(acos(-1.0) / 2 / (n + 1)), want = exp(-4 * s * s * stop);
      for (int i = 1; i <= n; i++)
        *error = fmax(*error, fabs(brink_sim_state(sim)[i - 1] -
                                   want * sin(acos(-1.0) * i / (n + 1))));
    }
  }
  brink_sim_free(sim);
  brink_model_free(model);
  brink_ctx_free(ctx);
  free(text);
  return seconds;
}

int main(int argc, char **argv)
{
  static const int sizes[] = {1000, 10000, 100000};
  double megabytes, error;

  if (argc == 2 && strcmp(argv[1], "--check") == 0) {
    int ok = one(57, 1.3, &megabytes, &error) >= 0 && error < 1e-4 && error > 0;
    printf("error %.2e\n", error);
    return ok ? 0 : 1;
  }
  for (int i = 0; i < 3; i++) {
    double seconds = one(sizes[i], 0, &megabytes, &error);
    if (seconds < 0)
      return 1;
    printf("n = %6d  read, sorted, started in %7.3f s  %6.2f us an equation  %7.1f MB "
           "kept\n",
           sizes[i], seconds, 1e6 * seconds / sizes[i], megabytes);
  }
  printf("aim: 2 s and 200 MB for n = 10000\n");
  return 0;
}
