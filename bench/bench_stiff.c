/* bench_stiff.c -- the method cvode beside CVODE called directly: the same problems,
 * tolerances and settings; steps, evaluations of f, time in one run.  Counts of small
 * problems are sums over TOLERANCES tolerances around the one that is shown; `at most`
 * is the largest difference of steps or f at one of them, in percent.
 *
 *   bench_stiff           the table
 *   bench_stiff --check   counts at each tolerance within a twentieth; Brusselator left
 *                         out
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "brink/integrator.h"
#include "cvode_bdf.h"
#include "timing.h"

/* counts may differ by this part and FEW, time by FACTOR */
static const double PART = 0.05, FACTOR = 1.2;
enum { FEW = 5, TOLERANCES = 17 };

typedef struct contest {
  const stiff_problem *p;
  double *ours, *theirs; /* [n] ends */
  brink_work work;
  cvode_bdf_counts counts;
  long own[TOLERANCES][2], direct[TOLERANCES][2]; /* steps and f of each run */
  int run, failed;
} contest;

static void one_by_brink(contest *c)
{
  brink_ivp ivp = {c->p->n, c->p->rhs, NULL};
  brink_integrator_opts opt = brink_integrator_defaults();
  brink_ctx *ctx = NULL;
  brink_integrator *it = NULL;
  brink_status rc = BRINK_OK;

  opt.method = "cvode";
  opt.rtol = c->p->rtol;
  opt.atol = c->p->atol;
  c->p->start(c->ours);
  if (brink_ctx_new(NULL, &ctx) < 0 || brink_integrator_new(ctx, &ivp, &opt, &it) < 0 ||
      brink_integrator_start(it, 0, c->ours) < 0)
    rc = BRINK_EARG;
  while (rc == BRINK_OK)
    rc = brink_integrator_advance(it, c->p->t1, NULL);
  c->failed |= rc != BRINK_END;
  if (it) {
    memcpy(c->ours, brink_integrator_state(it), c->p->n * sizeof(double));
    brink_work w = brink_integrator_work(it);
    c->work.steps += c->own[c->run][0] = w.steps;
    c->work.f_evals += c->own[c->run][1] = w.f_evals;
  }
  brink_integrator_free(it);
  brink_ctx_free(ctx);
}

static void one_directly(contest *c)
{
  cvode_bdf_counts n = {0};

  c->failed |= cvode_bdf_run(c->p, c->theirs, &n) != 0;
  c->counts.steps += c->direct[c->run][0] = n.steps;
  c->counts.f += c->direct[c->run][1] = n.f;
  c->counts.jacobians += n.jacobians;
  c->counts.setups += n.setups;
}

static int tolerances(const stiff_problem *p) { return p->n > 1000 ? 1 : TOLERANCES; }

static void at_all(contest *c, void (*one)(contest *))
{
  const stiff_problem *given = c->p;
  int n = tolerances(given);

  for (int k = 0; k < n; k++) {
    c->run = k;
    stiff_problem p = *given;
    double factor = pow(10, (n / 2 - k) / 8.);
    p.rtol *= factor;
    p.atol *= factor;
    c->p = &p;
    one(c);
    c->p = given;
  }
}

static void by_brink(void *arg)
{
  contest *c = arg;

  c->work = (brink_work){0};
  at_all(c, one_by_brink);
}

static void directly(void *arg)
{
  contest *c = arg;

  c->counts = (cvode_bdf_counts){0};
  at_all(c, one_directly);
}

/* The largest relative difference of counts at one tolerance, FEW aside. */
static double off(const contest *c)
{
  double most = 0;

  for (int k = 0; k < tolerances(c->p); k++)
    for (int i = 0; i < 2; i++) {
      double by = fabs((double)(c->own[k][i] - c->direct[k][i])) - FEW;
      most = fmax(most, by / (double)c->direct[k][i]);
    }
  return most;
}

/* The largest difference of the two ends, in tolerances. */
static double apart(const contest *c)
{
  double most = 0;

  for (size_t i = 0; i < c->p->n; i++)
    most = fmax(most, fabs(c->ours[i] - c->theirs[i]) /
                          (c->p->atol + c->p->rtol * fabs(c->theirs[i])));
  return most;
}

static int run(const stiff_problem *p, int check)
{
  contest c = {.p = p, .ours = calloc(2 * p->n, sizeof(double))};
  timing_entry e[] = {{.name = "cvode", .run = by_brink, .arg = &c},
                      {.name = "direct", .run = directly, .arg = &c}};
  double ratio = 1;

  if (!c.ours)
    return 1;
  c.theirs = c.ours + p->n;
  if (check) {
    by_brink(&c);
    directly(&c);
  } else {
    timing_race(e, 2, p->n > 1000 ? 20 : 1);
    ratio = timing_ratio(&e[0], &e[1]);
  }
  int bad = c.failed || !(off(&c) <= PART) || !(ratio <= FACTOR);
  printf("| %s | %zu | %.0e | %ld | %ld | %ld | %ld | %.1f | %ld | %ld | %.2g | ",
         p->name, p->n, p->rtol, c.work.steps, c.counts.steps, c.work.f_evals,
         c.counts.f, 100 * off(&c), c.counts.jacobians, c.counts.setups, apart(&c));
  if (!check)
    printf("%.2f ", ratio);
  printf("|%s\n", bad ? " *" : "");
  free(c.ours);
  return bad;
}

int main(int argc, char **argv)
{
  int check = argc > 1 && strcmp(argv[1], "--check") == 0, bad = 0;

  if (!cvode_bdf_here()) {
    puts("without SUNDIALS there is nothing to compare");
    return 0;
  }
  puts("| problem | n | rtol | steps | CVODE's | f | CVODE's | at most | its Jacobians "
       "| its set-ups | apart | time |");
  puts("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
  for (int i = 0; i < STIFF_PROBLEMS; i++)
    if (!check || stiff_problems[i].n < 1000)
      bad += run(&stiff_problems[i], check);
  return check ? bad : 0;
}
