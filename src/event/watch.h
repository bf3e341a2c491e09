/* event/watch.h -- the memory of one guard: when may it fire?
 *
 * A guard fires where it takes another sign than the one remembered here, or changes
 * back after one.  Zero has a width: a value no larger than its rounding bound has no
 * sign, and a guard that starts inside that band, because it has just fired or a jump
 * has put it there, is judged only by what it does outside.  docs/architecture.md,
 * "When does a guard fire", has the whole story.
 *
 * Everyone reads a watch; it is written by the verbs below and nowhere else, but for
 * scale, clear and in_vain, which are notes of the files of this room.
 */
#ifndef BRINK_WATCH_H
#define BRINK_WATCH_H

#include <float.h>
#include <math.h>

#include "core/core.h"

/* Where a step has left a guard, as a locator reports it. */
typedef enum brink__band {
  BRINK__OUTSIDE_BAND,    /* it has a sign at the end of the step                    */
  BRINK__ENDS_IN_BAND,    /* it had one in the step, and has none at its end         */
  BRINK__NEVER_LEFT_BAND, /* it had none in the whole step                           */
} brink__band;

typedef struct brink__watch {
  signed char sign;     /* -1, +1; 0: undecided, the first sign seen is adopted       */
  unsigned char fresh;  /* it has not been outside its band since the restart         */
  unsigned char banded; /* the last step ended inside the band                        */
  unsigned char refused; /* f was refused where its relation would have flipped: no
                            step may pass its zero */
  unsigned char clear; /* the next step cannot reach its zero; brink__guards_ahead   */
  unsigned char in_vain; /* how often in a row intervals were of no use to find its
                            zeros (interval_roots.c) */
  unsigned char hardly;  /* so many flights in a row were no more than rounding      */
  signed char crossed;   /* direction of its last crossing; twice that if time did not
                            move on since it crossed that way before                   */
  signed char displaced; /* direction of its last event if that was placed off the
                            zero by more than rounding, until the guard has come back */
  double band;       /* half width of the band at the restart, 0: it was outside   */
  double scale;      /* largest |g| along the last step, 0: unknown                */
  double g;          /* value at the last restart ...                              */
  double g_last;     /* ... and after the last step, where someone has asked       */
  double since;      /* time from which it is on its way to its next event ...     */
  double flight;     /* ... and how long that was up to its last one               */
  double longest[2]; /* of the flights that `hardly` counts, and of those before   */
} brink__watch;

/* ------------------------------------------------------------- verbs ---- */

/* A new run begins. */
static inline void brink__watch_forget(brink__watch *w)
{
  *w = (brink__watch){.since = -HUGE_VAL};
}

/* It begins a flight at t: its mode is entered ... */
static inline void brink__watch_set_out(brink__watch *w, double t) { w->since = t; }

/* ... or its guard is held or let go, and has become another function: sizes and events
 * were those of the one before ... */
static inline void brink__watch_replace(brink__watch *w, double t)
{
  w->since = t;
  w->scale = 0;
  w->displaced = 0;
}

/* ... or its event, at t, has ended the one before. */
static inline void brink__watch_land(brink__watch *w, double t)
{
  w->flight = t - w->since;
  w->since = t;
}

/* A flight of this length ends here; hardly: it was no more than rounding.  1: the last
 * `many` in a row were that, and their longest is not shorter than that of those
 * before.
 */
static inline int brink__watch_hardly_flew(brink__watch *w, int hardly, double length,
                                           int many)
{
  double longest = brink__max(w->longest[0], length);

  w->hardly = (unsigned char)(hardly ? w->hardly + 1 : 0);
  w->longest[0] = hardly ? longest : 0;
  if (hardly && w->hardly < many)
    return 0;
  int stays = hardly && w->longest[1] > 0 && longest >= w->longest[1];
  w->longest[1] = w->longest[0];
  w->longest[0] = w->hardly = 0;
  return stays;
}

/* Its mode is entered from another one: crossings before that were other guards'. */
static inline void brink__watch_enter(brink__watch *w)
{
  w->crossed = w->displaced = 0;
}

/* A start or a jump has put the guard at g, known to within delta. */
static inline void brink__watch_arm(brink__watch *w, double g, double delta)
{
  w->g = w->g_last = g;
  w->sign = (signed char)(fabs(g) <= delta ? 0 : g > 0 ? 1 : -1);
  w->band = w->sign ? 0 : brink__max(delta, DBL_MIN);
  w->banded = 0;
  w->fresh = 1;
}

/* After arm: no step has moved the guard since it was armed before, with this band.  It
 * is known no better now. */
static inline void brink__watch_no_better(brink__watch *w, double band)
{
  if (fabs(w->g) > band)
    return;
  w->sign = 0;
  w->band = brink__max(w->band, band);
}

/* After arm: the jump has not moved the guard, which has fired in direction dir.  Where
 * the state was handed over before the zero, the stretch up to the zero counts as band,
 * a rounding wider, so that the same zero does not fire again. */
static inline void brink__watch_fired(brink__watch *w, int dir)
{
  if (w->sign != -dir)
    return;
  w->band = (1 + 0x1p-40) * fabs(w->g);
  w->sign = 0;
}

/* After arm: the jump has not moved the guard, which has not fired and had the sign
 * `before`.  It keeps that inside the band, so that a zero just ahead is still found.
 */
static inline void brink__watch_unmoved(brink__watch *w, int before)
{
  if (w->sign == 0)
    w->sign = (signed char)before;
}

/* After arm: the model says what sign it takes the guard to have: that of a relation
 * which only an event can change, or that of an event which has not happened yet. Where
 * the guard has the other sign, the stretch up to the zero counts as band. */
static inline void brink__watch_hold(brink__watch *w, int sign)
{
  if (sign && w->sign == -sign)
    w->band = brink__max(w->band, (1 + 0x1p-40) * fabs(w->g));
  w->sign = (signed char)sign;
}

/* After hold: its event counts as having happened while it is this near its zero. */
static inline void brink__watch_widen(brink__watch *w, double within)
{
  if (fabs(w->g) <= within)
    w->band = brink__max(w->band, within);
}

/* The restart has moved the state by less than its tolerances, and the guard to g: no
 * event may be found in the difference. */
static inline void brink__watch_moved(brink__watch *w, double g)
{
  double moved = fabs(g - w->g);

  if (fabs(g) <= brink__max(w->band, moved))
    w->band = brink__max(w->band, (1 + 0x1p-40) * (moved + fabs(w->g)));
}

/* It has crossed in direction dir; again: at the time of the crossing before.  1: it
 * has crossed that way at this time before. */
static inline int brink__watch_crossed(brink__watch *w, int dir, int again)
{
  int twice = again && w->crossed * dir > 0;

  w->crossed = (signed char)(twice ? 2 * dir : dir);
  return twice;
}

/* Its event in direction dir was placed off the zero; 0: forget that. */
static inline void brink__watch_displace(brink__watch *w, int dir)
{
  w->displaced = (signed char)dir;
}

/* f was refused where its relation would have flipped; 0: that has been dealt with. */
static inline void brink__watch_refuse(brink__watch *w, int refused)
{
  w->refused = (unsigned char)refused;
}

/* A step stands up to some point, where the guard has this sign. */
static inline void brink__watch_passed(brink__watch *w, int sign, brink__band band)
{
  w->sign = (signed char)sign;
  w->fresh &= band == BRINK__NEVER_LEFT_BAND;
}

/* Its value after a step, from someone who needs its speed. */
static inline void brink__watch_step(brink__watch *w, double g) { w->g_last = g; }

/* All of a step stands; it has left the guard so. */
static inline void brink__watch_rest(brink__watch *w, brink__band band)
{
  w->banded = band != BRINK__OUTSIDE_BAND;
}

/* --------------------------------------------------------- questions ---- */

/* Half width of the band that it has not yet been seen outside of; 0: none. */
static inline double brink__watch_band(const brink__watch *w)
{
  return w->fresh ? w->band : 0;
}

/* Direction in which it has crossed twice without time moving on, 0: it has not. */
static inline int brink__watch_returned(const brink__watch *w)
{
  return w->crossed / 2;
}

#endif /* BRINK_WATCH_H */
