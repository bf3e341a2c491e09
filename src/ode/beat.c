/* beat.c -- when the next is due, from the times of those before it.
 *
 * They come in turns of k, and the times of every k-th lead to the next one.  In which
 * way, by d:
 *
 *   0 ....... as much later as the last one was;
 *   1, 2, 3 . by differences of that order;
 *   4 ....... by second differences that swing like a sine, as when a carrier is
 *             modulated: each is c times the one before it, less that before.
 */
#include "ode/past.h"

#include <math.h>

enum {
  CYCLE = 4, /* most of them in one turn    */
  WAYS = 5   /* in which their times lead on */
};

/* of the time between the last two: off by more, it is no clock */
static const double REGULAR = 0.2;

typedef struct beat {
  int k, d;
} beat;

/* How many times it takes. */
static int needs(beat b) { return b.d == 0 ? b.k + 1 : (b.d + 1) * b.k; }

/* When the one that follows t[0] is due. */
static double due(const double *t, beat b)
{
  const double *u = t + b.k - 1;
  int k = b.k;

  switch (b.d) {
  case 0: return u[0] + (t[0] - t[k]);
  case 1: return 2 * u[0] - u[k];
  case 2: return 3 * (u[0] - u[k]) + u[2 * k];
  case 3: return 4 * (u[0] + u[2 * k]) - 6 * u[k] - u[3 * k];
  default: break;
  }
  double d0 = u[0] - 2 * u[k] + u[2 * k], d1 = u[k] - 2 * u[2 * k] + u[3 * k];
  double d2 = u[2 * k] - 2 * u[3 * k] + u[4 * k], c = (d0 + d2) / d1;
  return 2 * u[0] - u[k] + (fabs(c) < 2 ? c * d0 - d1 : d0);
}

/* The one that would have foreseen the last two of n best; k = 0: none. */
static beat best_beat(const double *t, int n)
{
  beat found = {0};
  double least = n > 1 ? REGULAR * fabs(t[0] - t[1]) : 0;

  for (int k = 1; k <= CYCLE; k++)
    for (int d = 0; d < WAYS; d++) {
      beat b = {k, d};
      if (needs(b) + 1 > n)
        continue;
      double off = fabs(due(t + 1, b) - t[0]);
      if (needs(b) + 2 <= n)
        off = fmax(off, fabs(due(t + 2, b) - t[1]));
      else if (d > 0)
        off *= 2;
      if (off < least) {
        least = off;
        found = b;
      }
    }
  return found;
}

double brink__beat_next(const double *t, int n, int *as)
{
  beat b = best_beat(t, n);

  if (b.k == 0)
    return nan("");
  *as = b.k - 1;
  return due(t, b);
}
