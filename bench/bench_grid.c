/* bench_grid.c -- reaction and diffusion of three species on grids of n x n cells, with
 * a guard on the largest concentration: how time and memory of a text model grow with
 * its cells.  The distance of cells stays, so that a larger grid is no stiffer.
 *
 *   bench_grid           30 x 30, 60 x 60, 100 x 100, with radau and cvode
 *   bench_grid --check   6 x 6 and 12 x 12: both methods find the same event, and
 *                        memory grows at most half as fast again as the cells
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "brink/load.h"
#include "brink/sim.h"

/* The Oregonator with diffusion. */
static const char text[] =
    "model Waves\n"
    "  constant Integer n = %d;\n"
    "  Real u[n, n](start = {{0.3 + 0.2*sin(0.13*i)*cos(0.17*j) for j in 1:n}\n"
    "    for i in 1:n}, each fixed = true);\n"
    "  Real v[n, n](start = {{0.4 + 0.1*cos(0.11*i + 0.07*j) for j in 1:n}\n"
    "    for i in 1:n}, each fixed = true);\n"
    "  Real w[n, n](start = {{0.2 + 0.05*sin(0.23*j) for j in 1:n} for i in 1:n},\n"
    "    each fixed = true);\n"
    "  Real top = max(u);\n"
    "  Integer rises(start = 0, fixed = true);\n"
    "equation\n"
    "  for i in 1:n loop for j in 1:n loop\n"
    "    der(u[i, j]) = 77.27*(v[i, j] + u[i, j]*(1 - 8.375e-4*u[i, j] - v[i, j])) +\n"
    "      (u[if i > 1 then i - 1 else 2, j] + u[if i < n then i + 1 else n - 1, j] +\n"
    "      u[i, if j > 1 then j - 1 else 2] + u[i, if j < n then j + 1 else n - 1] -\n"
    "      4*u[i, j]);\n"
    "    der(v[i, j]) = (w[i, j] - (1 + u[i, j])*v[i, j])/77.27 +\n"
    "      (v[if i > 1 then i - 1 else 2, j] + v[if i < n then i + 1 else n - 1, j] +\n"
    "      v[i, if j > 1 then j - 1 else 2] + v[i, if j < n then j + 1 else n - 1] -\n"
    "      4*v[i, j]);\n"
    "    der(w[i, j]) = 0.161*(u[i, j] - w[i, j]) + 0.6*(\n"
    "      w[if i > 1 then i - 1 else 2, j] + w[if i < n then i + 1 else n - 1, j] +\n"
    "      w[i, if j > 1 then j - 1 else 2] + w[i, if j < n then j + 1 else n - 1] -\n"
    "      4*w[i, j]);\n"
    "  end for; end for;\n"
    "  when top > 2 then rises = pre(rises) + 1; end when;\n"
    "end Waves;\n";

static const double END = 20;

typedef struct outcome {
  double read, run; /* seconds of the processor */
  double bytes;     /* at the end */
  double event;     /* time */
  brink_sim_stats stats;
} outcome;

static double seconds(void) { return (double)clock() / CLOCKS_PER_SEC; }

/* 0: it did not run to its end with one event. */
static int run(int n, const char *method, outcome *out)
{
  static char model_text[sizeof text + 16];
  brink_ctx *ctx = NULL;
  brink_model *model = NULL;
  brink_sim *sim = NULL;
  brink_sim_opts opt = brink_sim_defaults();
  double before = seconds();
  int length = snprintf(model_text, sizeof model_text, text, n), good = 0;

  opt.method = method;
  if (brink_ctx_new(NULL, &ctx) == BRINK_OK &&
      brink_model_read(ctx, "waves.mo", model_text, (size_t)length, NULL, &model) ==
          BRINK_OK &&
      brink_sim_new(ctx, model, &opt, &sim) == BRINK_OK &&
      brink_sim_start(sim, 0, 0, NULL) == BRINK_OK) {
    out->read = seconds() - before;
    good = brink_sim_run(sim, END) == BRINK_END;
    out->run = seconds() - before - out->read;
    out->bytes = (double)brink_ctx_alloc_stats(ctx).live_bytes;
    out->stats = brink_sim_statistics(sim);
    good = good && out->stats.events == 1;
    out->event = good ? brink_trace_event(brink_sim_trace(sim), 0).t : 0;
  }
  brink_sim_free(sim);
  brink_model_free(model);
  brink_ctx_free(ctx);
  return good;
}

static int check(void)
{
  outcome o[2][2] = {{{0}}};
  int bad = 0;

  int here = strstr(brink_version(), "CVODE") != NULL;

  for (int k = 0; k < 2; k++) {
    bad |= !run(k ? 12 : 6, "radau", &o[k][0]);
    if (here)
      bad |= !run(k ? 12 : 6, "cvode", &o[k][1]) ||
             !(fabs(o[k][0].event - o[k][1].event) < 1e-4);
  }
  for (int m = 0; m < 1 + here; m++)
    bad |= !(o[1][m].bytes < 6 * o[0][m].bytes);
  printf("events at %.9g %.9g, %.9g %.9g\n", o[0][0].event, o[0][1].event,
         o[1][0].event, o[1][1].event);
  return bad;
}

int main(int argc, char **argv)
{
  static const char *const methods[] = {"radau", "cvode"};
  static const int sides[] = {30, 60, 100};

  if (argc > 1 && strcmp(argv[1], "--check") == 0)
    return check();
  puts("| method | cells | reading, us/cell | run, ms/cell | KB/cell | steps | f | "
       "Jacobians | factorisations |");
  puts("|---|---:|---:|---:|---:|---:|---:|---:|---:|");
  for (int m = 0; m < 2; m++)
    for (int k = 0; k < 3; k++) {
      outcome o = {0};
      double cells = sides[k] * sides[k];
      if (!run(sides[k], methods[m], &o))
        continue; /* built without it */
      printf("| `%s` | %.0f | %.0f | %.2f | %.1f | %ld | %ld | %ld | %ld |\n",
             methods[m], cells, 1e6 * o.read / cells, 1e3 * o.run / cells,
             o.bytes / cells / 1024, o.stats.work.steps, o.stats.work.f_evals,
             o.stats.work.jacobians, o.stats.work.factorisations);
      fflush(stdout);
    }
  return 0;
}
