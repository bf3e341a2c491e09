/* bench_auto.c -- what the choice of a method costs: `auto` beside the methods that it
 * could have taken, on every model of the collection.
 *
 *   bench_auto [NAME...]            print the table, of all models or of these
 *   bench_auto --files S FILE...    ... of other models, with S seconds for each
 *
 * Runs are those of `brink run` without options: the model's own tolerance, h_max a
 * fiftieth of the time.  The reference is radau at a thousandth of the tolerance;
 * errors are the largest of the states at the end, in tolerances there.  A method that
 * is off by more than a hundred times as much as `auto` and the tolerance, or that does
 * not end as the reference does, is not counted as the best.  Times are those of the
 * processor, medians of alternating repetitions; each counts with its start.
 */
#define _POSIX_C_SOURCE 200809L

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "brink/brink.h"

enum {
  MOST_MODELS = 256,
  MOST_STATES = 4096,
  PATH = 512,
  REPETITIONS = 41,
  CONTESTANTS = 7
};

/* `auto` is the first. */
static const char *const names[CONTESTANTS] = {"auto",  "dopri5", "dop853", "adams",
                                               "radau", "cvode",  "taylor"};

/* Seconds for a model, unless they are given, and for one run of a method. */
static const double RACE = 2, LONGEST = 20;

static double race_seconds;

/* Errors, in those of `auto` or in tolerances, up to which a method counts. */
static const double COMPARABLE = 100;

typedef struct contestant {
  brink_sim *sim;
  brink_status ended;
  int n, repetitions;
  long steps, f;
  double error, y[MOST_STATES];
  double seconds[REPETITIONS], median;
} contestant;

typedef struct problem {
  brink_model *model;
  double t0, t1, rtol, atol;
} problem;

static contestant all[CONTESTANTS], exact;

static double seconds(void) { return (double)clock() / CLOCKS_PER_SEC; }

/* ------------------------------------------------------------------ runs --- */

static double once(const problem *p, contestant *c)
{
  double from = seconds();

  c->ended = brink_sim_start(c->sim, p->t0, 0, NULL);
  if (c->ended >= 0 && c->ended != BRINK_TERMINATED)
    c->ended = brink_sim_run(c->sim, p->t1);
  return seconds() - from;
}

static int open_contestant(brink_ctx *ctx, const problem *p, const char *method,
                           double rtol, contestant *c)
{
  brink_sim_opts opt = brink_sim_defaults();

  opt.method = method;
  opt.rtol = rtol;
  opt.h_max = (p->t1 - p->t0) / 50;
  opt.keep = BRINK_KEEP_NOTHING;
  opt.max_seconds = LONGEST;
  *c = (contestant){.sim = NULL};
  if (brink_sim_new(ctx, p->model, &opt, &c->sim) < 0)
    return -1; /* it has no series, or was built without this method */
  double took = once(p, c);
  brink_sim_stats s = brink_sim_statistics(c->sim);
  c->steps = s.work.steps;
  c->f = s.work.f_evals;
  c->n = (int)brink_sim_n(c->sim);
  c->n = c->n < MOST_STATES ? c->n : MOST_STATES;
  memcpy(c->y, brink_sim_state(c->sim), (size_t)c->n * sizeof *c->y);
  c->seconds[c->repetitions++] = took;
  return 0;
}

/* Tolerances of the worst state at the end. */
static double error_of(const problem *p, const contestant *c)
{
  double worst = 0;

  if (c->ended != exact.ended || c->n != exact.n)
    return HUGE_VAL;
  for (int i = 0; i < c->n; i++)
    worst = fmax(worst, fabs(c->y[i] - exact.y[i]) /
                            (p->rtol * fabs(exact.y[i]) + p->rtol / 1000));
  return worst;
}

static int by_size(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;

  return (x > y) - (x < y);
}

static int counts(const contestant *c)
{
  return c->sim && c->error <= COMPARABLE * fmax(all[0].error, 1);
}

/* Forward and backward in turn, until the time is over. */
static void race(const problem *p)
{
  double until = seconds() + race_seconds;

  for (int k = 0; k < REPETITIONS - 1 && seconds() < until; k++)
    for (int i = 0; i < CONTESTANTS; i++) {
      contestant *c = &all[k % 2 ? i : CONTESTANTS - 1 - i];
      if (counts(c) && c->seconds[0] < 20 * fmax(all[0].seconds[0], 1e-4))
        c->seconds[c->repetitions++] = once(p, c);
    }
  for (int i = 0; i < CONTESTANTS; i++) {
    contestant *c = &all[i];
    if (!c->sim)
      continue;
    qsort(c->seconds, (size_t)c->repetitions, sizeof *c->seconds, by_size);
    c->median = c->seconds[c->repetitions / 2];
  }
}

/* ----------------------------------------------------------------- table --- */

static int best_of(void)
{
  int best = 0;

  for (int i = 1; i < CONTESTANTS; i++)
    if (counts(&all[i]) && (best == 0 || all[i].median < all[best].median))
      best = i;
  return best;
}

/* The ratio of times, or 0 if there is none. */
static double print_row(const char *name)
{
  int best = best_of();
  double ratio = best ? all[0].median / all[best].median : 0;
  char took[128] = "";
  brink_sim_stats s = brink_sim_statistics(all[0].sim);

  for (int i = 0; i < BRINK_METHODS_MOST; i++)
    if (s.method_steps[i] > 0)
      snprintf(took + strlen(took), sizeof took - strlen(took), " %s %ld",
               brink_method_name(i), s.method_steps[i]);
  printf("%-24s %6.2f  %-7s %9.3g %9.3g %7ld %7ld %9.2g %9.2g %s\n", name, ratio,
         names[best], all[0].median, all[best].median, all[0].steps, all[best].steps,
         all[0].error, all[best].error, took);
  fflush(stdout);
  return ratio;
}

static int problem_of(brink_ctx *ctx, const char *path, problem *p)
{
  if (brink_model_load(ctx, path, NULL, &p->model) < 0) {
    fprintf(stderr, "bench_auto: %s\n", brink_ctx_error(ctx)->text);
    return -1;
  }
  brink_experiment e = brink_model_experiment(p->model);
  p->t0 = isnan(e.start) ? 0 : e.start;
  p->t1 = isnan(e.stop) ? p->t0 + 1 : e.stop;
  p->rtol = e.tolerance > 0 ? e.tolerance : brink_sim_defaults().rtol;
  return 0;
}

/* 1: it could not be run. */
static int measure(const char *path, double *ratio)
{
  brink_ctx *ctx = NULL;
  problem p = {0};
  int bad = 0;

  if (brink_ctx_new(NULL, &ctx) < 0 || problem_of(ctx, path, &p) < 0)
    return 1;
  if (open_contestant(ctx, &p, "radau", p.rtol / 1000, &exact) < 0)
    bad = 1;
  for (int i = 0; !bad && i < CONTESTANTS; i++)
    if (open_contestant(ctx, &p, names[i], p.rtol, &all[i]) == 0)
      all[i].error = error_of(&p, &all[i]);
  if (!bad) {
    race(&p);
    const char *slash = strrchr(path, '/');
    *ratio = print_row(slash ? slash + 1 : path);
  }
  for (int i = 0; i < CONTESTANTS; i++) {
    brink_sim_free(all[i].sim);
    all[i].sim = NULL;
  }
  brink_sim_free(exact.sim);
  exact.sim = NULL;
  brink_model_free(p.model);
  brink_ctx_free(ctx);
  return bad;
}

static int is_model(const struct dirent *entry)
{
  const char *dot = strrchr(entry->d_name, '.');

  return dot && strcmp(dot, ".mo") == 0;
}

static int is_asked(const char *file, char **asked, int n)
{
  for (int i = 0; i < n; i++)
    if (strncmp(file, asked[i], strlen(asked[i])) == 0)
      return 1;
  return n == 0;
}

typedef struct tally {
  int bad, n;
  double ratios[MOST_MODELS];
} tally;

static void add(tally *sum, const char *path)
{
  double ratio = 0;

  sum->bad += measure(path, &ratio);
  if (ratio > 0 && sum->n < MOST_MODELS)
    sum->ratios[sum->n++] = ratio;
}

static void add_collection(tally *sum, int argc, char **argv)
{
  struct dirent **list;
  int n = scandir(MODELS_DIR, &list, is_model, alphasort);

  for (int i = 0; i < n; i++) {
    char path[PATH];
    snprintf(path, sizeof path, "%s/%s", MODELS_DIR, list[i]->d_name);
    if (is_asked(list[i]->d_name, argv + 1, argc - 1))
      add(sum, path);
    free(list[i]);
  }
  free(list);
}

int main(int argc, char **argv)
{
  static tally sum;
  int files = argc > 2 && strcmp(argv[1], "--files") == 0;

  race_seconds = files ? atof(argv[2]) : RACE;
  printf("%-24s %6s  %-7s %9s %9s %7s %7s %9s %9s %s\n", "model", "ratio", "best",
         "auto [s]", "best [s]", "steps", "steps", "error", "error", "auto took");
  for (int i = 3; files && i < argc; i++)
    add(&sum, argv[i]);
  if (!files)
    add_collection(&sum, argc, argv);
  qsort(sum.ratios, (size_t)sum.n, sizeof *sum.ratios, by_size);
  if (sum.n > 0)
    printf("%d models, median %.2f, largest %.2f\n", sum.n, sum.ratios[sum.n / 2],
           sum.ratios[sum.n - 1]);
  return sum.bad > 0;
}
