/* ode/past.h -- the discontinuities met so far, and where the next one is to be
 * expected.
 */
#ifndef BRINK_PAST_H
#define BRINK_PAST_H

#include "ode/discontinuity.h"

enum { BRINK__PAST = 12 }; /* how many are kept */

/* Ways to foresee; see past.c. */
typedef enum brink__foresight {
  BRINK__ONE_SURFACE,   /* all lie on one                             */
  BRINK__TWO_SURFACES,  /* those where f changes the other way have their own */
  BRINK__FOUR_SURFACES, /* ... and every second of these, as with a dead band */
  BRINK__CARRIERS,      /* two surfaces that move with the time in turns      */
  BRINK__CLOCK,         /* they come at regular times                 */
  BRINK__FORESIGHTS,
  BRINK__UNFORESEEN = BRINK__FORESIGHTS
} brink__foresight;

/* Newest first. */
typedef struct brink__past {
  size_t n;
  int kept;
  double t[BRINK__PAST];
  brink__seam seen[BRINK__PAST]; /* with top and slope for a step of length 1      */
  double *y;   /* [BRINK__PAST][n] where they were                                 */
  double *f;   /* [BRINK__PAST][n] f on this side                                  */
  double *way; /* [BRINK__PAST][n] direction of the change of f, scaled            */
  double *w;   /* [n + 2] scratch: normal of a surface, in y, t and turns          */
  double *q;   /* [width] scratch: a polynomial                                    */
  double off[BRINK__FORESIGHTS]; /* how far each was off, in parts of the time that
                                    had passed; 0: has not been seen                */
} brink__past;

/* Those of one surface, newest first. */
typedef struct brink__group {
  int count, member[BRINK__PAST];
} brink__group;

/* Doubles that it needs, for paths of `width` coefficients. */
static inline size_t brink__past_size(size_t n, size_t width)
{
  return (3 * (size_t)BRINK__PAST + 1) * n + 2 + width;
}

void brink__past_init(brink__past *past, size_t n, double *memory);

void brink__past_clear(brink__past *past);

/* One was met at t in the state y, where y' was f; path->way and weight are those of
 * its search, unit the length of the step. */
void brink__past_add(brink__past *past, const brink__path *path,
                     const brink__seam *seam, double unit, double t, const double *y,
                     const double *f);

/* Is anyone to be heard about the next one? */
int brink__past_speaks(const brink__past *past);

/* The next one ahead on the path, within reach: lo its distance, hi as much more as the
 * last one was off, top and slope what they were, for a step of length unit.  A surface
 * is reached where the path is as near to it as `slack` of the largest distance before.
 * *by: who says so.  Evaluates no f. */
brink__seam brink__past_next(const brink__past *past, const brink__path *path,
                             double reach, double slack, double unit,
                             brink__foresight *by);

/* The next one by the clock, if that was right so far: its distance from t. */
brink__seam brink__past_strike(const brink__past *past, double t, double unit);

/* A place on the path within reach where some component has the value that it had at
 * one of them, or changes its sign; HUGE_VAL if there is none. */
double brink__past_hint(const brink__past *past, const brink__path *path, double reach);

/* The surface of a group: w y + w_n t = *c at the next turn, with w in past->w.  0: not
 * known. */
int brink__surface(const brink__past *past, const brink__tol *tol,
                   const brink__group *g, brink__foresight by, double *c);

/* When the next is due by a clock, from n times, newest first, and like which of them
 * it will be; NAN: there is no clock. */
double brink__beat_next(const double *t, int n, int *as);

/* The k-th of what is kept n by n. */
const double *brink__past_row(const brink__past *past, const double *a, int k);

double brink__past_dot(const double *a, const double *b, size_t n);

#endif /* BRINK_PAST_H */
