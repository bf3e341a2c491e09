/* ball_problem.h -- the bouncing ball as every contestant must solve it.
 *
 * Height x and speed v with x' = v, v' = -g.  When x falls to 0 the speed becomes
 * -e v and the height exactly 0, so a program that trusts signs at a restart loses
 * bounces here.  Between bounces the path is a parabola: every bounce time is known
 * in closed form, and a result counts only if it meets it.
 *
 * one ball .... 100 bounces from x = 1 with e = 0.9
 * ensemble .... 10000 balls of 20 bounces, heights in [0.5, 2), e in [0.5, 0.95)
 */
#ifndef BENCH_BALL_PROBLEM_H
#define BENCH_BALL_PROBLEM_H

#include <math.h>
#include <stdint.h>

#define BALL_GRAVITY     9.81
#define BALL_HEIGHT      1.0
#define BALL_RESTITUTION 0.9
#define BALL_END         20.0 /* beyond the accumulation point of every ball here */

enum { BALL_BOUNCES = 100, ENSEMBLE_BALLS = 10000, ENSEMBLE_BOUNCES = 20 };

typedef struct ball {
  double height;      /* at rest there at t = 0                */
  double restitution; /* speed after over speed before a bounce */
} ball;

/* The next number of splitmix64, in [0, 1). */
static inline double ball_random(uint64_t *seed)
{
  uint64_t z = (*seed += 0x9E3779B97F4A7C15u);

  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

/* Ball number k of the ensemble, the same for all contestants. */
static inline ball ball_member(int k)
{
  uint64_t seed = 12345u + 77777u * (uint64_t)k;
  double height = 0.5 + 1.5 * ball_random(&seed);

  return (ball){height, 0.5 + 0.45 * ball_random(&seed)};
}

/* Largest distance of times[0..n-1] from the closed form; NaN counts as infinite. */
static inline double ball_error(ball b, const double *times, int n)
{
  double speed = sqrt(2 * BALL_GRAVITY * b.height);
  double exact = speed / BALL_GRAVITY, worst = 0;

  for (int k = 0; k < n; k++) {
    double off = fabs(times[k] - exact);
    if (!(off <= worst))
      worst = isnan(off) ? HUGE_VAL : off;
    speed *= b.restitution;
    exact += 2 * speed / BALL_GRAVITY;
  }
  return worst;
}

#endif /* BENCH_BALL_PROBLEM_H */
