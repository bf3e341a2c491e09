/* timing.h -- contestants in one run, medians of alternating repetitions.
 *
 * Machines are noisy and change speed while they work, so a time alone says little.
 * Here every repetition runs all contestants once, forward and then backward in
 * order (a b c, c b a, ...), and the ratio of two contestants is the median of the
 * ratios within one repetition.
 *
 *   timing_entry e[] = {{.name = "floor", .run = by_hand},
 *                       {.name = "brink", .run = by_us}};
 *   timing_race(e, 2, 0.5);
 *   printf("%.3g times the floor\n", timing_ratio(&e[1], &e[0]));
 */
#ifndef BENCH_TIMING_H
#define BENCH_TIMING_H

enum { TIMING_MIN = 5, TIMING_MAX = 1001 }; /* repetitions */

typedef struct timing_entry {
  const char *name;
  void (*run)(void *arg); /* one repetition; takes well above a microsecond */
  void *arg;
  /* written by timing_race */
  int n;                      /* repetitions             */
  double seconds[TIMING_MAX]; /* in the order of the race */
  double median, fastest;
} timing_entry;

/* Seconds from an arbitrary origin. */
double timing_now(void);

/* Warm up, then race for about `seconds` in all: at least TIMING_MIN repetitions
 * and at most TIMING_MAX - 1. */
void timing_race(timing_entry *entries, int n, double seconds);

/* Median over the repetitions of a's time over b's. */
double timing_ratio(const timing_entry *a, const timing_entry *b);

#endif /* BENCH_TIMING_H */
