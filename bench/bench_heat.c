/* bench_heat.c -- heat in a square of n x n cells, written with arrays and for.
 *
 *   bench_heat [--check]
 *
 * How long the text takes to read and start, with what memory, for n = 100 and 300
 * (90,000 states); and one right-hand side beside the same one by hand (by_hand.c).
 * --check only compares the numbers, for n = 20: they must agree to the bit.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "by_hand.h"
#include "brink/load.h"
#include "hybrid/sim.h"
#include "timing.h"

#define RATIO_MAX   10.0 /* the model may take this many times as long                */
#define LINEAR_MAX  1.2  /* memory per cell may grow by this factor from 100 to 300   */
#define SECONDS_MAX 10.0 /* for reading 90,000 cells */

static const char text[] = "model Heat\n"
                           "  parameter Integer n = 300;\n"
                           "  parameter Real k = 0.3;\n"
                           "  Real T[n, n](each start = 1, each fixed = true);\n"
                           "equation\n"
                           "  for i in 2:n-1 loop\n"
                           "    for j in 2:n-1 loop\n"
                           "      der(T[i, j]) = k*(T[i-1, j] + T[i+1, j] + T[i, j-1] "
                           "+ T[i, j+1] - 4*T[i, j]);\n"
                           "    end for;\n"
                           "  end for;\n"
                           "  for i in 1:n loop\n"
                           "    der(T[i, 1]) = -k*T[i, 1];\n"
                           "    der(T[i, n]) = -k*T[i, n];\n"
                           "  end for;\n"
                           "  for j in 2:n-1 loop\n"
                           "    der(T[1, j]) = -k*T[1, j];\n"
                           "    der(T[n, j]) = -k*T[n, j];\n"
                           "  end for;\n"
                           "end Heat;\n";

typedef struct plate {
  int n, repeat;
  brink_ctx *ctx;
  brink_model *model;
  brink_sim *sim;
  double *y, *f, *by_hand;
  double seconds, bytes; /* of reading and starting; of all that lives then */
} plate;

static void open_plate(plate *p)
{
  char size[16];
  brink_setting set = {"n", size};
  brink_load_opts opt = {.size = sizeof opt, .set = &set, .n_set = 1};
  size_t cells = (size_t)p->n * (size_t)p->n;
  double begin = brink__clock();

  snprintf(size, sizeof size, "%d", p->n);
  if (brink_ctx_new(NULL, &p->ctx) < 0 ||
      brink_model_read(p->ctx, "heat.mo", text, sizeof text - 1, &opt, &p->model) < 0 ||
      brink_sim_new(p->ctx, p->model, NULL, &p->sim) < 0 ||
      brink_sim_start(p->sim, 0, 0, NULL) < 0)
    abort();
  p->seconds = brink__clock() - begin;
  p->bytes = (double)brink_ctx_alloc_stats(p->ctx).live_bytes;
  p->y = calloc(cells, sizeof *p->y);
  p->f = calloc(cells, sizeof *p->f);
  p->by_hand = calloc(cells, sizeof *p->by_hand);
  for (size_t i = 0; i < cells; i++)
    p->y[i] = 1 + 0.5 * sin(0.37 * (double)i);
}

static void close_plate(plate *p)
{
  brink_sim_free(p->sim);
  brink_model_free(p->model);
  brink_ctx_free(p->ctx);
  free(p->y);
  free(p->f);
  free(p->by_hand);
}

static void hand(void *arg)
{
  plate *p = arg;

  for (int i = 0; i < p->repeat; i++)
    heat_by_hand(p->n, 0.3, p->y, p->by_hand);
}

static void model(void *arg)
{
  plate *p = arg;
  const brink_flow *flow = &p->sim->regime->flow;

  for (int i = 0; i < p->repeat; i++)
    if (flow->rhs(flow, 0, p->y, p->f) != 0)
      abort();
}

static int is_right(plate *p)
{
  hand(p);
  model(p);
  for (int i = 0; i < p->n * p->n; i++)
    if (p->f[i] != p->by_hand[i]) {
      printf("cell %d: %.17g by the model, %.17g by hand\n", i, p->f[i], p->by_hand[i]);
      return 0;
    }
  return 1;
}

static int race(plate *p, double *per_cell)
{
  timing_entry e[2] = {{.name = "hand", .run = hand, .arg = p},
                       {.name = "model", .run = model, .arg = p}};

  timing_race(e, 2, 1.0);
  double ratio = timing_ratio(&e[1], &e[0]), cells = (double)p->n * p->n;
  *per_cell = p->bytes / cells;
  printf("n = %3d  read in %5.2f s, %5.1f MB, %4.0f bytes a cell   f: hand %8.1f us  "
         "model %8.1f us  ratio %5.2f\n",
         p->n, p->seconds, 1e-6 * p->bytes, *per_cell, 1e6 * e[0].median / p->repeat,
         1e6 * e[1].median / p->repeat, ratio);
  return ratio <= RATIO_MAX && p->seconds <= SECONDS_MAX;
}

int main(int argc, char **argv)
{
  int check = argc == 2 && strcmp(argv[1], "--check") == 0, right = 1;
  double bytes[2] = {0, 0};
  plate plates[] = {{.n = check ? 20 : 100, .repeat = 20}, {.n = 300, .repeat = 2}};

  for (int i = 0; i < (check ? 1 : 2) && right; i++) {
    open_plate(&plates[i]);
    right = is_right(&plates[i]) && (check || race(&plates[i], &bytes[i]));
    close_plate(&plates[i]);
  }
  return right && (check || bytes[1] <= LINEAR_MAX * bytes[0]) ? 0 : 1;
}
