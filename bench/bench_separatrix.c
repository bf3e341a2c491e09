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
#include <stdio.h>
#include <string.h>

#include "papers/donolo_runs.h"

enum { METHODS = DONOLO_METHODS, ROWS = 5 };

typedef enum column { TOL, FELL, EVALS, ERROR } column;

static void table(const char *title, donolo_swing at[][METHODS], const double *budget,
                  column what)
{
  printf("%s\n%10s", title, "");
  for (int m = 0; m < METHODS; m++)
    printf(" %9s", donolo_methods[m].name);
  for (int b = 0; b < ROWS; b++) {
    printf("\n%10.0e", budget[b]);
    for (int m = 0; m < METHODS; m++) {
      const donolo_swing *o = &at[b][m];
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
  static donolo_swing at[ROWS][METHODS];

  if (brink_ctx_new(NULL, &ctx) < 0)
    return 1;
  for (int b = 0; b < ROWS; b++)
    for (int m = 0; m < METHODS; m++)
      donolo_swing_tune(ctx, &donolo_methods[m], budget[b], &at[b][m]);

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
