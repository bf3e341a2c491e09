/* bench_smooth.c -- smooth problems: dop853 beside GSL's rk8pd, rkf45 beside dopri5.
 *
 *   bench_smooth [--check]
 *
 * Two methods are compared at equal accuracy: the rival runs at a tolerance, the other
 * at the loosest one that gives no larger an error, it and all of the next half decade:
 * errors jump about, and a search would else pick the lucky tolerances.  Errors are at
 * the end: Arenstorf's orbit closes, the end of the Pleiades is published [MM08].
 * --check measures no time.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "brink/integrator.h"
#include "problems.h"
#include "rk8pd.h"
#include "timing.h"

typedef struct task {
  const char *name;
  size_t n;
  brink_ivp_fn *rhs;
  const double *start, *end;
  double t1;
  double good; /* error at tolerance 1e-12 that shows a right answer */
} task;

static const task tasks[] = {
    {"arenstorf", 4, arenstorf, arenstorf_start, arenstorf_start, ARENSTORF_PERIOD,
     1e-7},
    {"pleiades", PLEIADES_N, pleiades, pleiades_start, pleiades_end, 3, 1e-9},
};

/* One contestant at one tolerance. */
typedef struct job {
  const task *task;
  brink_integrator *it; /* or */
  rk8pd *gsl;           /*    */
  long calls;
  double tol, error;
  int failed;
} job;

/* both contestants are counted alike */
static int counted(double t, const double *y, double *f, void *user)
{
  job *j = user;

  j->calls++;
  return j->task->rhs(t, y, f, NULL);
}

static void run(void *arg)
{
  job *j = arg;
  double y[PLEIADES_N];

  j->calls = 0;
  memcpy(y, j->task->start, j->task->n * sizeof *y);
  if (j->gsl) {
    j->failed |= rk8pd_run(j->gsl, 0, j->task->t1, y);
  } else {
    brink_status rc = brink_integrator_start(j->it, 0, y);
    while (rc == BRINK_OK || rc == BRINK_STIFF)
      rc = brink_integrator_advance(j->it, j->task->t1, NULL);
    j->failed |= rc != BRINK_END;
    memcpy(y, brink_integrator_state(j->it), j->task->n * sizeof *y);
  }
  j->error = 0;
  for (size_t i = 0; i < j->task->n; i++)
    j->error = fmax(j->error, fabs(y[i] - j->task->end[i]));
}

/* method NULL: GSL.  Runs once. */
static int job_new(job *j, brink_ctx *ctx, const task *t, const char *method,
                   double tol)
{
  *j = (job){.task = t, .tol = tol};
  if (method) {
    brink_integrator_opts o = brink_integrator_defaults();
    o.method = method;
    o.rtol = o.atol = tol;
    brink_ivp ivp = {t->n, counted, j};
    if (brink_integrator_new(ctx, &ivp, &o, &j->it) < 0)
      return 0;
  } else if (!(j->gsl = rk8pd_new(t->n, counted, j, tol, 1e-3))) {
    return 0;
  }
  run(j);
  return !j->failed;
}

static void job_free(job *j)
{
  brink_integrator_free(j->it);
  rk8pd_free(j->gsl);
}

/* The loosest tolerance of `method` whose error does not exceed that of `rival`, nor
 * does any of the next IN_A_ROW - 1 finer ones. */
static int match(job *j, brink_ctx *ctx, const job *rival, const char *method)
{
  enum { IN_A_ROW = 5 };
  static const double finer = 0.74989420933245583; /* 10^(-1/8) */
  double loosest = 0;
  int good = 0;

  for (double tol = 1e-2; tol > 1e-15 && good < IN_A_ROW; tol *= finer) {
    if (!job_new(j, ctx, rival->task, method, tol))
      return 0;
    good = j->error <= rival->error ? good + 1 : 0;
    if (good == 1)
      loosest = tol;
    job_free(j);
  }
  return good == IN_A_ROW && job_new(j, ctx, rival->task, method, loosest);
}

static const char *name_of(const char *method) { return method ? method : "rk8pd"; }

/* Rows of rival against method, their geometric means below; 0 if the method lost on
 * evaluations, or failed. */
static int compare(brink_ctx *ctx, const task *t, const char *rival, const char *method,
                   double first, double last, int timed)
{
  int good = 1, rows = 0;
  double evals = 0, time = 0;

  printf("\n%s: %s against %s, error no larger\n", t->name, method, name_of(rival));
  printf("  %8s %9s %8s   %8s %9s %8s   %7s %7s\n", name_of(rival), "error", "f",
         method, "error", "f", "f ratio", timed ? "time" : "");
  for (double tol = first; tol > last * 0.99; tol /= 10) {
    job a, b;
    if (!job_new(&a, ctx, t, rival, tol)) {
      printf("  %s is not here\n", name_of(rival));
      return rival == NULL;
    }
    if (!match(&b, ctx, &a, method)) {
      printf("  %8.0e %9.1e: not reached\n", tol, a.error);
      good = 0;
    } else {
      double ratio = (double)b.calls / (double)a.calls;
      printf("  %8.0e %9.1e %8ld   %8.1e %9.1e %8ld   %7.2f", tol, a.error, a.calls,
             b.tol, b.error, b.calls, ratio);
      if (timed) {
        timing_entry e[] = {{.name = method, .run = run, .arg = &b},
                            {.name = name_of(rival), .run = run, .arg = &a}};
        timing_race(e, 2, 0.3);
        printf(" %7.2f", timing_ratio(&e[0], &e[1]));
        time += log(timing_ratio(&e[0], &e[1]));
      }
      printf("\n");
      evals += log(ratio);
      rows++;
      good &= !a.failed && !b.failed;
      job_free(&b);
    }
    job_free(&a);
  }
  printf("  %57s %7.2f", "mean", exp(evals / rows));
  printf(timed ? " %7.2f\n" : "\n", exp(time / rows));
  return good && evals < 0;
}

static int is_right(brink_ctx *ctx, const task *t, const char *method)
{
  job j;
  int good = job_new(&j, ctx, t, method, 1e-12) && j.error <= t->good;

  if (!good)
    printf("%s, %s: error %.1e, at most %.0e is right\n", t->name, method, j.error,
           t->good);
  job_free(&j);
  return good;
}

int main(int argc, char **argv)
{
  int timed = !(argc == 2 && strcmp(argv[1], "--check") == 0), good = 1;
  brink_ctx *ctx;

  if (brink_ctx_new(NULL, &ctx) < 0)
    return 1;
  for (int i = 0; i < 2; i++) {
    const task *t = &tasks[i];
    good &= is_right(ctx, t, "dop853") & is_right(ctx, t, "dopri5");
    good &= compare(ctx, t, NULL, "dop853", 1e-6, 1e-12, timed);
    good &= compare(ctx, t, "rkf45", "dopri5", 1e-4, 1e-10, timed);
  }
  brink_ctx_free(ctx);
  return good ? 0 : 1;
}
