/* plot_axis.c -- ranges and ticks.
 *
 * Ticks are multiples of 1, 2 or 5 times a power of ten.  They are kept as integers
 * and written as decimals by shifting the point, so no label shows a rounding.  Large
 * and small numbers share a power of ten that is a multiple of 3; where the range is
 * a small part of the numbers, the common part is an offset.
 */
#include "out/plot.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double PLAIN_MAX = 1e5;  /* five digits before the point are read well */
static const double PLAIN_MIN = 1e-3; /* as are three behind it                     */
static const double OFFSET_BELOW = 1e-3; /* range over numbers                        */
static const double NOISE = 16; /* roundings: less is constant                */

static double ten(int power) { return pow(10, power); }

/* what a constant is shown in */
static void widen(double *lo, double *hi)
{
  double mid = *lo + (*hi - *lo) / 2, most = fmax(fabs(*lo), fabs(*hi));

  if (*hi - *lo > NOISE * DBL_EPSILON * most)
    return;
  double by = most > 0 ? most / 2 : 1;
  *lo = mid - by;
  *hi = mid + by;
}

/* the roundest number in the range, if all of it is near one */
static double common(double lo, double hi)
{
  double most = fmax(fabs(lo), fabs(hi));

  if (hi - lo > OFFSET_BELOW * most)
    return 0;
  for (int power = (int)floor(log10(most)); power > -300; power--) {
    double unit = ten(power), k = ceil(lo / unit);
    double round_one = power < 0 ? k / ten(-power) : k * unit;
    if (round_one >= lo && round_one <= hi)
      return round_one;
  }
  return 0;
}

static void choose_step(brink__axis *a, int ticks)
{
  double raw = (a->hi - a->lo) / ticks;

  a->power = (int)floor(log10(raw));
  double m = raw / ten(a->power);
  a->mantissa = m <= 1.4 ? 1 : m <= 2.8 ? 2 : m <= 7 ? 5 : 10; /* the nearest */
  if (a->mantissa == 10) {
    a->mantissa = 1;
    a->power++;
  }
}

void brink__axis_fit(brink__axis *a, double lo, double hi, double pad, int ticks)
{
  enum { TINY = -300 };

  widen(&lo, &hi);
  double by = pad * (hi - lo);
  *a = (brink__axis){.lo = lo - by, .hi = hi + by, .mantissa = 1};
  if (!(a->hi - a->lo > 1e-290)) { /* denormal: nothing to be seen but zero */
    a->lo = -1;
    a->hi = 1;
  }
  a->offset = common(a->lo, a->hi);
  choose_step(a, ticks > 0 ? ticks : 1);
  double step = a->mantissa * ten(a->power);
  double slack = 1e-9;
  a->first = (long)ceil((a->lo - a->offset) / step - slack);
  a->last = (long)floor((a->hi - a->offset) / step + slack);
  double most = fmax(fabs(a->lo - a->offset), fabs(a->hi - a->offset));
  if (most >= PLAIN_MAX || most < PLAIN_MIN) {
    int e = (int)floor(log10(most));
    a->exponent = (e >= 0 ? e / 3 : -((2 - e) / 3)) * 3;
    if (a->exponent < TINY)
      a->exponent = TINY;
  }
}

double brink__axis_tick(const brink__axis *a, long k)
{
  double units = (double)k * a->mantissa;

  return a->offset + (a->power < 0 && a->power > -22 ? units / ten(-a->power)
                                                     : units * ten(a->power));
}

void brink__axis_label(const brink__axis *a, long k, char out[BRINK__NUMBER])
{
  enum { DIGITS = 20 };
  long units = k * a->mantissa;
  int shift = a->power - a->exponent; /* at most 8 places: see OFFSET_BELOW */
  int places = shift >= 0 ? 0 : -shift, n = 0;
  char digits[DIGITS]; /* from the last to the first */

  for (; shift > 0 && units != 0; shift--)
    units *= 10;
  for (long u = labs(units); n < DIGITS && (u > 0 || n <= places); u /= 10)
    digits[n++] = (char)('0' + u % 10);
  if (units < 0) {
    memcpy(out, "\xe2\x88\x92", 3);
    out += 3;
  }
  while (n > 0) {
    *out++ = digits[--n];
    if (n > 0 && n == places)
      *out++ = '.';
  }
  *out = '\0';
}
