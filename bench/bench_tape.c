/* bench_tape.c -- the tape interpreter beside compiled code.
 *
 *   bench_tape [--check]
 *
 * Right-hand sides of Pleiades (28 states) and of a chain of 1,000 masses (2,000
 * states), built as graphs, evaluated by a tape, and written by hand (by_hand.c).
 * Both are handed a state vector and leave the derivatives in an array.  --check
 * only compares the numbers: they must agree to the bit.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "by_hand.h"
#include "expr/expr.h"
#include "timing.h"

#define RATIO_MAX 10.0 /* the tape may take this many times as long */

enum { JET_ORDER = 20 };

/* symbols: states, their derivatives, parameters */
typedef struct problem {
  const char *name;
  int n, n_params, repeat;
  const double *params;
  brink__graph *g;
  brink__node *root;
  int32_t *target;
  brink__tape *tape;
  double *y, *f, *v, *jet;
} problem;

static brink__node state(problem *p, int i)
{
  return brink__symbol(p->g, i, BRINK_TYPE_REAL);
}

static brink__node param(problem *p, int i)
{
  return brink__symbol(p->g, 2 * p->n + i, BRINK_TYPE_REAL);
}

static brink__node power(problem *p, brink__node a, int n)
{
  return brink__op2(p->g, BRINK_OP_POW, a, brink__integer(p->g, n));
}

/* ------------------------------------------------------------- Pleiades ---- */

static void pleiades_star(problem *p, int i)
{
  brink__graph *g = p->g;
  brink__node ax = brink__real(g, 0), ay = ax;

  for (int j = 0; j < STARS; j++) {
    if (j == i)
      continue;
    brink__node dx = brink__sub(g, state(p, j), state(p, i));
    brink__node dy = brink__sub(g, state(p, STARS + j), state(p, STARS + i));
    brink__node r2 = brink__add(g, power(p, dx, 2), power(p, dy, 2));
    brink__node r3 = power(p, brink__op1(g, BRINK_OP_SQRT, r2), 3);
    brink__node w = brink__div(g, brink__integer(g, j + 1), r3);
    ax = brink__add(g, ax, brink__mul(g, w, dx));
    ay = brink__add(g, ay, brink__mul(g, w, dy));
  }
  p->root[i] = state(p, 2 * STARS + i);
  p->root[STARS + i] = state(p, 3 * STARS + i);
  p->root[2 * STARS + i] = ax;
  p->root[3 * STARS + i] = ay;
}

static void pleiades(problem *p)
{
  static const double start[PLEIADES] = {3,    3, -1, -3, 2,     -2, 2, 3, -3, 2,
                                         0,    0, -4, 4,  0,     0,  0, 0, 0,  1.75,
                                         -1.5, 0, 0,  0,  -1.25, 1,  0, 0};

  memcpy(p->y, start, sizeof start);
  for (int i = 0; i < STARS; i++)
    pleiades_star(p, i);
}

/* ---------------------------------------------------------------- chain ---- */

static brink__node spring(problem *p, brink__node d)
{
  brink__graph *g = p->g;
  return brink__add(g, brink__mul(g, param(p, 0), d),
                    brink__mul(g, param(p, 1), power(p, d, 3)));
}

static void chain(problem *p)
{
  brink__graph *g = p->g;
  brink__node pull = spring(p, state(p, 0));

  for (int i = 0; i < MASSES; i++) {
    brink__node next = i + 1 < MASSES ? state(p, i + 1) : brink__real(g, 0);
    brink__node push = spring(p, brink__sub(g, next, state(p, i)));
    brink__node v = state(p, MASSES + i);
    p->root[i] = v;
    p->root[MASSES + i] =
        brink__sub(g, brink__sub(g, push, pull), brink__mul(g, param(p, 2), v));
    pull = push;
    p->y[i] = 0.1 * sin(0.37 * i);
    p->y[MASSES + i] = cos(1.3 * i);
  }
}

/* ----------------------------------------------------------------- race ---- */

static void by_hand(void *arg)
{
  problem *p = arg;

  for (int i = 0; i < p->repeat; i++)
    if (p->n == PLEIADES)
      pleiades_by_hand(p->y, p->f);
    else
      chain_by_hand(p->params, p->y, p->f);
}

static void by_tape(void *arg)
{
  problem *p = arg;

  for (int i = 0; i < p->repeat; i++) {
    memcpy(p->v, p->y, sizeof *p->y * (size_t)p->n);
    if (brink__tape_values(p->tape, p->v, NULL) != BRINK_OK)
      abort();
  }
}

/* one Taylor series of the solution */
static void by_jet(void *arg)
{
  problem *p = arg;
  size_t row = brink__tape_slots(p->tape);

  memcpy(p->jet, p->y, sizeof *p->y * (size_t)p->n);
  memcpy(p->jet + 2 * p->n, p->params, sizeof *p->params * (size_t)p->n_params);
  for (int k = 0; k < JET_ORDER; k++) {
    double *now = p->jet + (size_t)k * row;
    if (brink__tape_jet_rows(p->tape, k, row, p->jet, NULL) != BRINK_OK)
      abort();
    for (int i = 0; i < p->n; i++)
      now[row + (size_t)i] = now[p->n + i] / (k + 1);
  }
}

static int is_right(problem *p)
{
  by_hand(p);
  by_tape(p);
  for (int i = 0; i < p->n; i++)
    if (p->f[i] != p->v[p->n + i]) {
      printf("%s: derivative %d is %.17g by tape, %.17g by hand\n", p->name, i,
             p->v[p->n + i], p->f[i]);
      return 0;
    }
  return 1;
}

static int race(problem *p)
{
  timing_entry e[2] = {{.name = "hand", .run = by_hand, .arg = p},
                       {.name = "tape", .run = by_tape, .arg = p}};
  timing_entry jet = {.name = "jet", .run = by_jet, .arg = p};

  timing_race(e, 2, 1.0);
  timing_race(&jet, 1, 0.5);
  double ratio = timing_ratio(&e[1], &e[0]);
  double tape = e[1].median / p->repeat;
  printf("%-9s hand %8.3f us  tape %8.3f us  ratio %5.2f  %5zu instructions, %.2f ns "
         "each  series to order %d: %.1f evaluations\n",
         p->name, 1e6 * e[0].median / p->repeat, 1e6 * tape, ratio,
         brink__tape_length(p->tape), 1e9 * tape / (double)brink__tape_length(p->tape),
         JET_ORDER, jet.median / tape);
  return ratio <= RATIO_MAX;
}

/* ---------------------------------------------------------------- setup ---- */

static void compile(problem *p)
{
  size_t n_symbols = 2 * (size_t)p->n + (size_t)p->n_params;
  unsigned char *fixed = calloc(n_symbols, 1);

  memset(fixed + 2 * p->n, 1, (size_t)p->n_params);
  for (int i = 0; i < p->n; i++)
    p->target[i] = p->n + i;
  brink__tape_spec spec = {.n_roots = (size_t)p->n,
                           .roots = p->root,
                           .targets = p->target,
                           .n_symbols = n_symbols,
                           .fixed = fixed};
  if (brink__tape_new(p->g, &spec, &p->tape) != BRINK_OK)
    abort();
  free(fixed);
  size_t slots = brink__tape_slots(p->tape);
  p->v = calloc(slots, sizeof *p->v);
  p->jet = calloc(slots * (JET_ORDER + 1), sizeof *p->jet);
  memcpy(p->v + 2 * p->n, p->params, sizeof *p->v * (size_t)p->n_params);
}

static int run(problem *p, void (*build)(problem *), int check)
{
  brink_ctx *ctx;

  p->root = calloc((size_t)p->n, sizeof *p->root);
  p->target = calloc((size_t)p->n, sizeof *p->target);
  p->y = calloc((size_t)p->n, sizeof *p->y);
  p->f = calloc((size_t)p->n, sizeof *p->f);
  if (brink_ctx_new(NULL, &ctx) != BRINK_OK || brink__graph_new(ctx, &p->g) != BRINK_OK)
    abort();
  build(p);
  compile(p);
  int right = is_right(p) && (check || race(p));
  brink__tape_free(p->tape);
  brink__graph_free(p->g);
  brink_ctx_free(ctx);
  free(p->root);
  free(p->target);
  free(p->y);
  free(p->f);
  free(p->v);
  free(p->jet);
  return right;
}

int main(int argc, char **argv)
{
  static const double spring_params[] = {1.7, 0.3, 0.05};
  int check = argc == 2 && strcmp(argv[1], "--check") == 0;
  problem stars = {
      .name = "Pleiades", .n = PLEIADES, .repeat = 1000, .params = spring_params};
  problem masses = {.name = "chain",
                    .n = CHAIN,
                    .n_params = 3,
                    .repeat = 50,
                    .params = spring_params};
  int right = run(&stars, pleiades, check);

  right &= run(&masses, chain, check);
  return right ? 0 : 1;
}
