/* bench_adams.c -- smooth problems: adams beside CVODE's Adams and dop853, in
 * evaluations of f at equal accuracy.
 *
 *   bench_adams [--check]
 *
 * Every contestant runs at tolerances from 1e-3 to 1e-13, eight to a decade.  What an
 * accuracy costs is the least number of evaluations among the runs whose error is no
 * larger.  Errors are at the end: Arenstorf's orbit closes, the end of the Pleiades is
 * published [MM08], that of the chain comes from dop853 at 1e-14.  No times: Debian
 * builds SUNDIALS without optimisation.  --check prints nothing but failures.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "brink/integrator.h"
#include "cvode_adams.h"
#include "problems.h"

enum { CHAIN = 20, N_MOST = 2 * CHAIN, RUNS = 81, CONTESTANTS = 3 };

typedef struct task {
  const char *name;
  size_t n;
  brink_ivp_fn *rhs;
  const double *start, *end; /* end NULL: computed */
  double t1;
  int first, last; /* accuracies shown: 10^-first ... */
} task;

/* ------------------------------------------------------------ chain ---- */

static const double DAMPING = 0.08, CUBIC = 0.7;

static double spring(double x) { return x + CUBIC * x * x * x; }

/* Masses on hardening springs between walls, the first one pushed: mildly damped. */
static int chain(double t, const double *y, double *f, void *user)
{
  const double *x = y, *v = y + CHAIN;

  (void)user;
  for (int i = 0; i < CHAIN; i++) {
    double left = i ? x[i - 1] : 0, right = i + 1 < CHAIN ? x[i + 1] : 0;
    f[i] = v[i];
    f[CHAIN + i] = spring(right - x[i]) - spring(x[i] - left) - DAMPING * v[i];
  }
  f[CHAIN] += 0.31 * sin(0.9 * t);
  return 0;
}

static const double chain_start[N_MOST] = {0.41, -0.13, 0.27};

static const task tasks[] = {
    {"arenstorf", 4, arenstorf, arenstorf_start, arenstorf_start, ARENSTORF_PERIOD, 1,
     7},
    {"pleiades", PLEIADES_N, pleiades, pleiades_start, pleiades_end, 3, 2, 8},
    {"damped chain", N_MOST, chain, chain_start, NULL, 30, 3, 11},
};

/* ------------------------------------------------------------- runs ---- */

static const char *const names[CONTESTANTS] = {"adams", "CVODE", "dop853"};

typedef struct result {
  double tol, error;
  long calls;
} result;

typedef struct counter {
  const task *task;
  long calls;
} counter;

static int counted(double t, const double *y, double *f, void *user)
{
  counter *c = user;

  c->calls++;
  return c->task->rhs(t, y, f, NULL);
}

static int ours(brink_ctx *ctx, const char *method, counter *c, double tol, double *y)
{
  brink_integrator_opts o = brink_integrator_defaults();
  brink_ivp ivp = {c->task->n, counted, c};
  brink_integrator *it;

  o.method = method;
  o.rtol = o.atol = tol;
  if (brink_integrator_new(ctx, &ivp, &o, &it) < 0)
    return 1;
  brink_status rc = brink_integrator_start(it, 0, y);
  while (rc == BRINK_OK || rc == BRINK_STIFF)
    rc = brink_integrator_advance(it, c->task->t1, NULL);
  memcpy(y, brink_integrator_state(it), c->task->n * sizeof *y);
  brink_integrator_free(it);
  return rc != BRINK_END;
}

/* A run that fails (loose tolerances make stars collide) has no accuracy. */
static void run(brink_ctx *ctx, const task *t, int who, const double *end, result *r)
{
  counter c = {t, 0};
  double y[N_MOST];

  memcpy(y, t->start, t->n * sizeof *y);
  int failed = who == 1 ? cvode_adams_run(t->n, counted, &c, r->tol, t->t1, y)
                        : ours(ctx, names[who], &c, r->tol, y);
  r->calls = c.calls;
  r->error = failed ? HUGE_VAL : 0;
  for (size_t i = 0; i < t->n; i++)
    r->error = fmax(r->error, fabs(y[i] - end[i]));
}

/* least evaluations for an error no larger; 0: not reached */
static long cost(const result *r, double error)
{
  long best = 0;

  for (int i = 0; i < RUNS; i++)
    if (r[i].error <= error && (!best || r[i].calls < best))
      best = r[i].calls;
  return best;
}

/* ------------------------------------------------------------ table ---- */

static void table(const task *t, result (*r)[RUNS])
{
  printf("\n%s\n  %8s", t->name, "error");
  for (int k = 0; k < CONTESTANTS; k++)
    printf(" %8s", names[k]);
  printf("   adams/CVODE\n");
  for (int d = t->first; d <= t->last; d++) {
    long f[CONTESTANTS];
    printf("  %8.0e", pow(10, -d));
    for (int k = 0; k < CONTESTANTS; k++)
      printf(" %8ld", f[k] = cost(r[k], pow(10, -d)));
    if (f[0] && f[1])
      printf("   %11.2f", (double)f[0] / (double)f[1]);
    printf("\n");
  }
}

/* geometric mean over the accuracies that both reach */
static double ratio(const task *t, const result *a, const result *b)
{
  double sum = 0;
  int rows = 0;

  for (int d = t->first; d <= t->last; d++) {
    long fa = cost(a, pow(10, -d)), fb = cost(b, pow(10, -d));
    if (fa && fb) {
      sum += log((double)fa / (double)fb);
      rows++;
    }
  }
  return rows ? exp(sum / rows) : 1;
}

/* What a tolerance gives: is the estimate honest? */
static void honesty(const result *r)
{
  printf("  adams, error and evaluations by tolerance:\n ");
  for (int i = 8; i < RUNS; i += 16)
    printf("  %.0e: %.1e %ld", r[i].tol, r[i].error, r[i].calls);
  printf("\n");
}

static int compare(brink_ctx *ctx, const task *t, int show)
{
  result r[CONTESTANTS][RUNS] = {{{0}}};
  double end[N_MOST];
  int good = 1;

  if (t->end) {
    memcpy(end, t->end, t->n * sizeof *end);
  } else {
    counter c = {t, 0};
    memcpy(end, t->start, t->n * sizeof *end);
    good &= !ours(ctx, "dop853", &c, 1e-14, end);
  }
  for (int k = 0; k < CONTESTANTS; k++)
    for (int i = 0; i < RUNS; i++) {
      r[k][i] = (result){.tol = pow(10, -3 - i / 8.0), .error = HUGE_VAL};
      if (k != 1 || cvode_adams_here())
        run(ctx, t, k, end, &r[k][i]);
    }
  double mean = ratio(t, r[0], r[1]);
  if (show) {
    table(t, r);
    printf("  %8s %26s   %11.2f\n", "mean", "", mean);
    honesty(r[0]);
  }
  return good && cost(r[0], pow(10, -t->last)) > 0 && mean <= 1;
}

int main(int argc, char **argv)
{
  int show = !(argc == 2 && strcmp(argv[1], "--check") == 0), good = 1;
  brink_ctx *ctx;

  if (brink_ctx_new(NULL, &ctx) < 0)
    return 1;
  for (size_t i = 0; i < sizeof tasks / sizeof *tasks; i++)
    if (!compare(ctx, &tasks[i], show)) {
      printf("%s: adams failed, or CVODE needs fewer evaluations\n", tasks[i].name);
      good = 0;
    }
  brink_ctx_free(ctx);
  return good ? 0 : 1;
}
