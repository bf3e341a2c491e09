/* timing.c -- see timing.h */
#define _POSIX_C_SOURCE 200809L
#include "timing.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

double timing_now(void)
{
  struct timespec now;

  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int compare(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;

  return (x > y) - (x < y);
}

/* Sorts v. */
static double median(double *v, int n)
{
  qsort(v, (size_t)n, sizeof *v, compare);
  return n % 2 ? v[n / 2] : 0.5 * (v[n / 2 - 1] + v[n / 2]);
}

static void lap(timing_entry *e)
{
  double start = timing_now();

  e->run(e->arg);
  e->seconds[e->n++] = timing_now() - start;
}

void timing_race(timing_entry *entries, int n, double seconds)
{
  for (int i = 0; i < n; i++) {
    entries[i].n = 0;
    entries[i].run(entries[i].arg);
  }
  double start = timing_now();
  int rounds = 0;
  while (rounds + 2 < TIMING_MAX &&
         (rounds < TIMING_MIN || timing_now() - start < seconds)) {
    for (int i = 0; i < n; i++)
      lap(&entries[i]);
    for (int i = n - 1; i >= 0; i--)
      lap(&entries[i]);
    rounds += 2;
  }
  for (int i = 0; i < n; i++) {
    double sorted[TIMING_MAX];
    memcpy(sorted, entries[i].seconds, sizeof *sorted * (size_t)entries[i].n);
    entries[i].median = median(sorted, entries[i].n);
    entries[i].fastest = sorted[0];
  }
}

double timing_ratio(const timing_entry *a, const timing_entry *b)
{
  double ratio[TIMING_MAX];
  int n = a->n < b->n ? a->n : b->n;

  for (int k = 0; k < n; k++)
    ratio[k] = a->seconds[k] / b->seconds[k];
  return median(ratio, n);
}
