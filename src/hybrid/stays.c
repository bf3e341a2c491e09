/* stays.c -- how long will this mode last?
 *
 * Every time a mode is left, how long it lasted is noted; when it is entered again
 * the next stay is extrapolated from the last three, and the first step is chosen to
 * reach just beyond it.  In a Zeno sequence the stays shrink geometrically, and one
 * step after the other ends just past its event [Donolo02, 3.3], where the bound is
 * the last gap alone; extrapolating is his future work.  Stays are kept per mode,
 * because a flight says nothing about the contact that follows it.  Stays that shrink
 * by the same part tell a bounce that rounding hides from a guard that is passed; those
 * that have shrunk a lot and do so no more may be kept alive by rounding (zeno.c
 * looks).
 */
#include "hybrid/sim.h"

#include <math.h>

/* the first step reaches this far beyond the expected end */
static const double BEYOND = 1.02;

/* two ratios of stays that differ by less are a geometric sequence */
static const double STEADY = 0.1;

/* ... and by less than this part, one whose events accumulate */
static const double THE_SAME = 1e-3;

/* stays below this part of the longest are brief, and dwindle until they creep:
 * rounding makes the last of them longer and shorter in turn */
static const double BRIEF = 0x1p-10;

void brink__stay_note(mode_run *run, double stay)
{
  if (!(stay > 0))
    return;
  run->creeps++;
  if (stay > run->brief || stay < run->shortest) {
    run->shortest = stay;
    run->brief = brink__max(run->brief, BRIEF * stay);
    run->creeps = 0;
  }
  run->stay[2] = run->stay[1];
  run->stay[1] = run->stay[0];
  run->stay[0] = stay;
}

/* The next stay, 0 if nothing is known. */
double brink__stay_next(const mode_run *run)
{
  const double *s = run->stay;

  if (!(s[0] > 0) || !(s[1] > 0))
    return BEYOND * s[0];
  double ratio = s[0] / s[1];
  if (!(s[2] > 0))
    return BEYOND * s[0] * brink__min(ratio, 1);

  /* a steady ratio is carried on, with its own drift; anything else is not believed
   * beyond the longer of the last two */
  double before = s[1] / s[2], next = ratio + (ratio - before);
  if (fabs(ratio - before) < STEADY && next > 0)
    return BEYOND * s[0] * next;
  return BEYOND * brink__max(s[0], s[1]);
}

int brink__stays_shrink(const mode_run *run)
{
  const double *s = run->stay;

  if (!(s[2] > 0))
    return 0;
  double ratio = s[0] / s[1], before = s[1] / s[2];
  return fabs(ratio - before) < THE_SAME * before && ratio < 1 - THE_SAME;
}

int brink__stays_dwindle(const mode_run *run)
{
  return run->stay[0] > 0 && run->stay[0] <= run->brief && !brink__stays_creep(run);
}
