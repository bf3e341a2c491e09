/* bench_separatrix.c -- the pendulum on its separatrix, [Donolo02, 4.2].
 *
 *   bench_separatrix [--check]
 *
 * phi'' = -sin phi from phi = 0, phi' = 2 swings up once and stays: phi = 4 atan(e^t) -
 * pi.  Every error grows like e^t up there, so that the pendulum falls, to either side,
 * about ln(1/error) later; a double falls before t = 40 whatever the method does.
 *
 * Table 2 of the paper tunes the tolerance until 40 s cost a given number of operations
 * (its Matlab counts flops) and shows in figures 5 to 7 how long each stays up.  Here
 * an operation is an addition or a multiplication of the method or of f, the sine
 * counted as one of f's two; what is compared is the same: equal work, who falls last.
 * A dash: not even the loosest tolerance is that cheap.  A star: the tightest that
 * doubles can keep, and it costs less.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "brink/integrator.h"

static const double PI = 3.14159265358979323846;

/* Operations per equation of one accepted step, beside its evaluations of f: two per
 * entry of the tableau that is not zero, those of the error and of the scale. */
typedef struct method {
  const char *name;
  double per_step;
} method;

static const method methods[] = {
    {"rk4", 2 * 8},
    {"bs23", 2 * (1 + 1 + 3 + 4) + 8},
    {"rkf45", 2 * (1 + 2 + 3 + 4 + 5 + 4 + 5) + 8},
    {"dopri5", 2 * (1 + 2 + 3 + 4 + 5 + 5 + 6) + 8},
    {"dop853", 2 * (1 + 2 + 2 + 3 + 3 + 4 + 5 + 6 + 7 + 8 + 9 + 8 + 8 + 8) + 12},
};
enum { METHODS = 5, ROWS = 5 };

static int pendulum(double t, const double *y, double *f, void *user)
{
  (void)t, (void)user;
  f[0] = y[1];
  f[1] = -sin(y[0]);
  return 0;
}

typedef struct outcome {
  double tol;        /* tolerance, or the fixed step                             */
  double operations; /* of 40 s                                                  */
  long f_evals;
  double fell;   /* when |phi - pi| passed 0.1 after the top, 40: it did not */
  double error5; /* at t = 5, beside the solution                            */
  int cheap;     /* no tighter tolerance costs as much as was allowed        */
} outcome;

static int simulate(brink_ctx *ctx, const method *m, double tol, outcome *out)
{
  brink_ivp ivp = {2, pendulum, NULL};
  brink_integrator_opts o = brink_integrator_defaults();
  brink_integrator *it;
  double y[] = {0, 2};
  brink_step step;
  brink_status rc;

  o.method = m->name;
  o.rtol = o.atol = fmin(tol, 1);
  o.h0 = strcmp(m->name, "rk4") == 0 ? tol : 0;
  o.h_max = 1; /* up there nothing moves; without it a step could sleep through */
  if (brink_integrator_new(ctx, &ivp, &o, &it) < 0)
    return 0;
  *out = (outcome){.tol = tol, .fell = 40};
  brink_integrator_start(it, 0, y);
  while ((rc = brink_integrator_advance(it, 40, &step)) == BRINK_OK) {
    if (step.t0 <= 5 && 5 < step.t1)
      out->error5 = fabs(brink_step_state(&step, 0, (5 - step.t0) / step.h) -
                         (4 * atan(exp(5)) - PI));
    if (out->fell == 40 && step.t1 > 5 &&
        fabs(brink_step_state(&step, 0, 1) - PI) > 0.1)
      out->fell = step.t1;
  }
  brink_work w = brink_integrator_work(it);
  out->f_evals = w.f_evals;
  out->operations =
      2 * (m->per_step * (double)(w.steps + w.rejected) + (double)w.f_evals);
  brink_integrator_free(it);
  return rc == BRINK_END;
}

/* The tightest tolerance (in eighths of a decade) that 40 s can have for so many
 * operations. */
static int tune(brink_ctx *ctx, const method *m, double operations, outcome *best)
{
  static const double finer = 0.74989420933245583; /* 10^(-1/8) */
  int fixed = strcmp(m->name, "rk4") == 0, found = 0;

  for (double tol = fixed ? 1 : 0.1; tol > (fixed ? 1e-4 : 2e-15); tol *= finer) {
    outcome out;
    if (!simulate(ctx, m, tol, &out))
      return 0;
    if (out.operations > operations && found)
      return found;
    if (out.operations <= operations) {
      *best = out;
      found = 1;
    }
  }
  best->cheap = 1;
  return found;
}

typedef enum column { TOL, FELL, EVALS, ERROR } column;

static void table(const char *title, outcome at[][METHODS], const double *budget,
                  column what)
{
  printf("%s\n%10s", title, "");
  for (int m = 0; m < METHODS; m++)
    printf(" %9s", methods[m].name);
  for (int b = 0; b < ROWS; b++) {
    printf("\n%10.0e", budget[b]);
    for (int m = 0; m < METHODS; m++) {
      const outcome *o = &at[b][m];
      if (!o->f_evals)
        printf(" %9s", "-");
      else if (what == EVALS)
        printf(" %9ld", o->f_evals);
      else if (what == FELL)
        printf(" %9.2f", o->fell);
      else if (what == TOL)
        printf(" %8.1e%c", o->tol, o->cheap ? '*' : ' ');
      else
        printf(" %9.1e", o->error5);
    }
  }
  printf("\n\n");
}

int main(int argc, char **argv)
{
  static const double budget[ROWS] = {5e3, 1e4, 5e4, 8e4, 5e5};
  int check = argc == 2 && strcmp(argv[1], "--check") == 0, good = 1;
  brink_ctx *ctx;
  outcome at[ROWS][METHODS] = {{{0}}};

  if (brink_ctx_new(NULL, &ctx) < 0)
    return 1;
  for (int b = 0; b < ROWS; b++)
    for (int m = 0; m < METHODS; m++)
      if (!tune(ctx, &methods[m], budget[b], &at[b][m]))
        at[b][m].f_evals = 0;

  table("tolerance (rk4: step) at which 40 s cost so many operations", at, budget, TOL);
  table("how long the pendulum then stays up, s", at, budget, FELL);
  table("evaluations of f", at, budget, EVALS);
  table("error at t = 5", at, budget, ERROR);

  /* order tells: with the largest budget each order stays up longer than the lower,
     and none for ever */
  for (int m = 0; m < METHODS; m++)
    good &= at[4][m].fell > 5 && at[4][m].fell < 40;
  good &= at[4][4].fell > at[4][1].fell && at[4][3].fell > at[4][1].fell;
  brink_ctx_free(ctx);
  if (check && !good)
    printf("wrong: see above\n");
  return good ? 0 : 1;
}
