/* bench_donolo.c -- the bouncing ball in the layout of [Donolo02, figures 8 and 9].
 *
 *   bench_donolo [--check]
 *
 * 200 bounces from x = 0.2 with a = 0.9 and g = 9.8.  Figure 9 there shows how far the
 * bounce times are from the closed form for location tolerances 1e-12, 1e-13, 1e-14;
 * here also for the last bit, and for every locator at the last bit.  Figure 8 shows
 * the time a run takes; here per bounce, all locators in one race.  The guard is a
 * callback, so every locator has to evaluate it.  --check compares with the closed form
 * and measures nothing.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "papers/donolo.h"
#include "timing.h"

enum { BOUNCES = DONOLO_BOUNCES, MOST = 64 };

static const double RESTITUTION = 0.9;

static const int columns[] = {1, 2, 5, 10, 20, 50, 100, 200};
enum { COLUMNS = sizeof columns / sizeof *columns };

typedef struct job {
  brink_sim *sim;
  int n; /* bounces found */
  double times[BOUNCES];
} job;

/* Exact time of bounce n. */
static double exact(int n) { return donolo_bounce_time(RESTITUTION, n); }

/* ----------------------------------------------------------------- run -- */

static int note(const brink_event *e, void *user)
{
  job *j = user;

  if (j->n < BOUNCES)
    j->times[j->n++] = e->t;
  return 0;
}

static void run(void *arg)
{
  static const double y0[] = {DONOLO_HEIGHT, 0};
  job *j = arg;

  j->n = 0;
  brink_sim_start(j->sim, 0, 0, y0);
  brink_sim_run(j->sim, 10);
}

static int job_new(brink_ctx *ctx, const brink_model *model, const char *locator,
                   double tol, job *j)
{
  brink_sim_opts opt = brink_sim_defaults();

  *j = (job){0};
  opt.method = "dopri5";
  opt.locator = locator;
  opt.event_tol = tol;
  opt.keep = BRINK_KEEP_NOTHING;
  opt.max_steps = 100000;
  if (brink_sim_new(ctx, model, &opt, &j->sim) < 0) {
    fprintf(stderr, "%s\n", brink_ctx_error(ctx)->text);
    return 0;
  }
  brink_sim_observe(j->sim, &(brink_observer){.on_event = note, .user = j});
  return 1;
}

static double worst(const job *j)
{
  double top = j->n < BOUNCES ? HUGE_VAL : 0;

  for (int n = 1; n <= j->n; n++)
    top = fmax(top, fabs(j->times[n - 1] - exact(n)));
  return top;
}

/* -------------------------------------------------------------- tables -- */

static void head(const char *title)
{
  printf("%-20s", title);
  for (int i = 0; i < COLUMNS; i++)
    printf(" %8d", columns[i]);
  printf("\n");
}

static void row(const char *name, const job *j)
{
  printf("%-20s", name);
  for (int i = 0; i < COLUMNS; i++)
    if (columns[i] <= j->n)
      printf(" %8.1e", fabs(j->times[columns[i] - 1] - exact(columns[i])));
    else
      printf(" %8s", "lost");
  printf("\n");
}

static int figure_9(brink_ctx *ctx, const brink_model *model)
{
  static const double tol[] = {1e-12, 1e-13, 1e-14, 0};
  int right = 1;
  job j;

  head("bounce time error");
  for (int i = 0; i < 4; i++) {
    char name[32];
    snprintf(name, sizeof name, tol[i] > 0 ? "illinois, %.0e" : "illinois, last bit",
             tol[i]);
    if (!job_new(ctx, model, "illinois", tol[i], &j))
      return 0;
    run(&j);
    row(name, &j);
    /* always a little late and a little fast: each bounce adds about its tolerance */
    right &= worst(&j) <= 2 * BOUNCES * tol[i] + 4e-13;
    brink_sim_free(j.sim);
  }
  for (int i = 0; brink_locator_name(i); i++) {
    if (!job_new(ctx, model, brink_locator_name(i), 0, &j))
      return 0;
    run(&j);
    row(brink_locator_name(i), &j);
    /* a parabola is no polynomial of the height: steps in that have an error */
    right &= !brink_locator_proves(i) ||
             worst(&j) <= (brink_locator_takes_steps(i) ? 1e-4 : 4e-13);
    brink_sim_free(j.sim);
  }
  return right;
}

static void figure_8(brink_ctx *ctx, const brink_model *model)
{
  static timing_entry entries[MOST];
  static job jobs[MOST];
  int n = 0;

  for (int i = 0; brink_locator_name(i) && n < MOST; i++) {
    if (!job_new(ctx, model, brink_locator_name(i), 0, &jobs[n]))
      continue;
    run(&jobs[n]);
    if (jobs[n].n == BOUNCES) {
      entries[n] =
          (timing_entry){.name = brink_locator_name(i), .run = run, .arg = &jobs[n]};
      n++;
    } else {
      brink_sim_free(jobs[n].sim);
    }
  }
  timing_race(entries, n, 2);
  printf("\n%-20s %8s %8s %8s %8s\n", "200 bounces", "us each", "g each", "f each",
         "relative");
  for (int i = 0; i < n; i++) {
    brink_sim_stats s = brink_sim_statistics(jobs[i].sim);
    printf("%-20s %8.3f %8.1f %8.1f %8.2f\n", entries[i].name,
           1e6 * entries[i].median / BOUNCES, (double)s.g_evals / BOUNCES,
           (double)s.work.f_evals / BOUNCES, timing_ratio(&entries[i], &entries[0]));
    brink_sim_free(jobs[i].sim);
  }
}

int main(int argc, char **argv)
{
  int check = argc == 2 && strcmp(argv[1], "--check") == 0;
  brink_ctx *ctx = NULL;

  if (brink_ctx_new(NULL, &ctx) < 0)
    return 1;
  brink_model *model = donolo_ball_new(ctx, RESTITUTION, BOUNCES);
  int right = model && figure_9(ctx, model);
  if (right && !check)
    figure_8(ctx, model);
  brink_model_free(model);
  brink_ctx_free(ctx);
  return right ? 0 : 1;
}
