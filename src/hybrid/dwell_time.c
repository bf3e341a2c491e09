/* dwell_time.c -- how long does a regime last?
 *
 * Every time a regime is left, how long it lasted is noted; when it is entered again
 * the next dwell time is extrapolated from the last three, and the first step is chosen
 * to reach just beyond it.  In a Zeno sequence dwell times shrink geometrically, and
 * one step after the other ends just past its event [Donolo02, 3.3], where the bound is
 * the last gap alone; extrapolating is his future work.  They are kept per regime,
 * because a flight says nothing about the contact that follows it.
 *
 * zeno.c reads three properties off them: a geometric sequence tells a
 * bounce that rounding hides from a guard that is passed for good; short times that
 * still shrink say that events are about to accumulate; short ones that shrink no more
 * may be kept from shrinking by rounding alone.
 */
#include "hybrid/policies.h"

#include <math.h>

/* The first step reaches this factor beyond the predicted end, so that the event lies
 * inside it although the prediction is off by a per cent. */
static const double BEYOND = 1.02;

/* Two successive ratios of dwell times that differ by less are extrapolated: the
 * prediction is then good to a few per cent. */
static const double STEADY_RATIO = 0.1;

/* Ratios that differ by less, relatively, are one ratio: a ball in free flight keeps
 * its ratio to rounding and a tolerance, a driven one does not. */
static const double GEOMETRIC_TOL = 1e-3;

/* Dwell times below this part of the longest are short: three decades, which a law that
 * merely oscillates faster does not cover. */
static const double ZENO_GAP_RATIO = 0x1p-10;

/* A dwell time is contracted if it is no longer than CONTRACTION of the one before, and
 * one that is EXPANSION times as long ends the series; between them it may be rounding.
 * So many contractions are no chance: planted gaps that come down to rounding in as few
 * steps each shrink by decades. */
static const double CONTRACTION = 0.99, EXPANSION = 2;
enum { CONTRACTIONS = 6 };

void brink__dwell_note(brink__dwell *d, double lasted)
{
  if (!(lasted > 0))
    return;
  if (lasted <= CONTRACTION * d->last[0])
    d->contracted++;
  else if (lasted > EXPANSION * d->last[0])
    d->contracted = 0;
  /* rounding makes the shortest of all longer and shorter in turn */
  d->stagnant++;
  if (lasted > d->short_below || lasted < d->shortest) {
    d->shortest = lasted;
    d->short_below = brink__max(d->short_below, ZENO_GAP_RATIO * lasted);
    d->stagnant = 0;
  }
  d->last[2] = d->last[1];
  d->last[1] = d->last[0];
  d->last[0] = lasted;
}

double brink__dwell_predict(const brink__dwell *d)
{
  const double *s = d->last;

  if (!(s[0] > 0) || !(s[1] > 0))
    return BEYOND * s[0];
  double ratio = s[0] / s[1];
  if (!(s[2] > 0))
    return BEYOND * s[0] * brink__min(ratio, 1);

  /* a steady ratio is carried on, with its own drift; without one, the longer of the
   * last two is the most that is known */
  double before = s[1] / s[2], next = ratio + (ratio - before);
  if (fabs(ratio - before) < STEADY_RATIO && next > 0)
    return BEYOND * s[0] * next;
  return BEYOND * brink__max(s[0], s[1]);
}

int brink__dwell_geometric(const brink__dwell *d)
{
  const double *s = d->last;

  if (!(s[2] > 0))
    return 0;
  double ratio = s[0] / s[1], before = s[1] / s[2];
  return fabs(ratio - before) < GEOMETRIC_TOL * before && ratio < 1 - GEOMETRIC_TOL;
}

/* One short time after a long one is no tendency: the last three must have been short,
 * or each shorter than the one before. */
int brink__dwell_shrinks(const brink__dwell *d)
{
  const double *s = d->last;

  if (!(s[2] > 0) || s[0] > d->short_below || brink__dwell_stagnates(d))
    return 0;
  return (s[1] <= d->short_below && s[2] <= d->short_below) ||
         (s[0] < s[1] && s[1] < s[2]);
}

int brink__dwell_vanishes(const brink__dwell *d, double rounding)
{
  return d->contracted >= CONTRACTIONS && d->last[0] <= rounding;
}
