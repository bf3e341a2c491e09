/* bench_floor.c -- the floor alone: time, work and error of the hand-written ball.
 *
 *   bench_floor [--check]
 *
 * --check measures nothing and only compares the bounce times with the closed form;
 * the exit status is 1 if they are off.  The ball's path is a polynomial of degree
 * two, so no tolerance shows in the error: it is rounding and the width of the bracket,
 * which every restart hands on.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "floor.h"
#include "timing.h"

#define ERROR_MAX 5e-11 /* seconds; measured 1.8e-11 after 100 restarts */

typedef struct job {
  double tol;
  double worst; /* distance from the closed form */
  int lost;     /* bounces not located           */
  floor_work work;
} job;

static void run_one(job *j, ball b, int n)
{
  double times[BALL_BOUNCES];
  int found = floor_ball(b, j->tol, n, times, &j->work);

  j->lost += n - found;
  j->worst = fmax(j->worst, ball_error(b, times, found));
}

static void one_ball(void *arg)
{
  job *j = arg;

  *j = (job){.tol = j->tol};
  run_one(j, (ball){BALL_HEIGHT, BALL_RESTITUTION}, BALL_BOUNCES);
}

static void ensemble(void *arg)
{
  job *j = arg;

  *j = (job){.tol = j->tol};
  for (int k = 0; k < ENSEMBLE_BALLS; k++)
    run_one(j, ball_member(k), ENSEMBLE_BOUNCES);
}

static int is_right(const char *name, const job *j)
{
  if (j->lost == 0 && j->worst <= ERROR_MAX && j->work.f_evals > 0)
    return 1;
  printf("%s, tolerance %.0e: %d bounces lost, error %.2e, at most %.0e is right\n",
         name, j->tol, j->lost, j->worst, ERROR_MAX);
  return 0;
}

static void report(const char *name, void (*run)(void *), job *j, int count,
                   const char *unit)
{
  timing_entry e = {.name = name, .run = run, .arg = j};

  timing_race(&e, 1, 0.5);
  printf("%-9s %.0e  %9.4f us per %s  %5.1f f  %5.1f g  error %.1e\n", name, j->tol,
         1e6 * e.median / count, unit, (double)j->work.f_evals / count,
         (double)j->work.g_evals / count, j->worst);
}

int main(int argc, char **argv)
{
  static const double tol[] = {1e-6, 1e-9, 1e-12};
  int check = argc == 2 && strcmp(argv[1], "--check") == 0;
  int right = 1;

  for (int i = 0; i < 3; i++) {
    job one = {.tol = tol[i]}, many = {.tol = tol[i]};
    if (check) {
      one_ball(&one);
      ensemble(&many);
    } else {
      report("ball", one_ball, &one, BALL_BOUNCES, "bounce");
      report("ensemble", ensemble, &many, ENSEMBLE_BALLS, "ball  ");
    }
    right &= is_right("ball", &one) & is_right("ensemble", &many);
  }
  return right ? 0 : 1;
}
