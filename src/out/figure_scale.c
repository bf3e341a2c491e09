/* figure_scale.c -- axes of figures: decimal ones as in runs, and logarithmic ones.
 *
 * A logarithmic axis of at least two decades has labels at powers of ten (every, every
 * second, third ... so that they have room) and marks at 2 .. 9 while those have; a
 * shorter one has labels at 1, 2 and 5 if they have room.
 */
#include "out/figure.h"

#include <math.h>
#include <stdio.h>

static const double PAD = 0.05; /* of the range, at either end of free axes */
static const double SHORT = 2;  /* decades: 2 and 5 have labels             */
static const double MANY = 6;   /* decades: no marks between                */

void brink__scale_fit(brink__scale *s, double lo, double hi, int given, double pixels,
                      double per_tick)
{
  int ticks = (int)fmin(fmax(pixels / per_tick, 2), 10);

  if (!(lo <= hi))
    lo = hi = s->log ? 1 : 0;
  if (s->log) {
    lo = log10(lo);
    hi = log10(hi);
    if (!(hi - lo > 1e-3)) {
      lo -= 0.5;
      hi += 0.5;
    }
  }
  brink__axis_fit(&s->axis, lo, hi, given ? 0 : PAD, ticks);
  if (s->log) { /* whole decades, `mantissa` of them from label to label */
    s->axis.mantissa = (int)fmax(1, ceil((s->axis.hi - s->axis.lo) / ticks));
    s->axis.first = (long)floor(s->axis.lo);
    s->axis.last = (long)ceil(s->axis.hi);
    double span = s->axis.hi - s->axis.lo;
    s->fine = span < SHORT && log10(2) * pixels / span >= 0.8 * per_tick;
  }
}

double brink__scale_place(const brink__scale *s, double value)
{
  double v = s->log ? (value > 0 ? log10(value) : nan("")) : value;

  return (v - s->axis.lo) / (s->axis.hi - s->axis.lo);
}

/* digit 1 .. 9 of decade k / 9 from the first on */
static int log_tick(const brink__scale *s, int k, brink__scale_tick *out)
{
  const brink__axis *a = &s->axis;
  long decade = a->first + k / 9;
  int digit = 1 + k % 9;
  double span = a->hi - a->lo;
  int labelled =
      digit == 1 ? decade % a->mantissa == 0 : s->fine && (digit == 2 || digit == 5);

  if (decade > a->last)
    return 0;
  out->place = ((double)decade + log10(digit) - a->lo) / span;
  out->label[0] = 0;
  out->power = (int)decade;
  if (labelled)
    snprintf(out->label, sizeof out->label,
             digit == 1 ? "10"
                        : "%d\xc3\x97"
                          "10",
             digit);
  else if (span > MANY && digit > 1)
    out->place = -1; /* not shown */
  return 1;
}

int brink__scale_ticks(const brink__scale *s, int k, brink__scale_tick *out)
{
  if (s->log)
    return log_tick(s, k, out);
  long i = s->axis.first + k;
  if (i > s->axis.last)
    return 0;
  out->place = brink__scale_place(s, brink__axis_tick(&s->axis, i));
  out->power = 0;
  brink__axis_label(&s->axis, i, out->label);
  return 1;
}
