/* hybrid/hits.h -- hits of a step that share an instant, and those that do not cut the
 * step.
 */
#ifndef BRINK_HITS_H
#define BRINK_HITS_H

#include "hybrid/sim.h"

#include <float.h>

/* Hits i .. end - 1, which share an instant since their bands overlap.  A touch does
 * nothing, and moves nothing: it joins if its place lies in the band of the others. */
typedef struct brink__group {
  int i, end;
  double theta; /* the last of theirs                                       */
  double width; /* the largest of theirs                                    */
} brink__group;

static inline brink__group brink__group_from(const brink__hits *hits, int i)
{
  const brink__hit *v = &hits->v[i];
  int crossings = v->kind == BRINK_KIND_CROSSING;
  brink__group g = {.i = i, .end = i + 1, .theta = v->theta, .width = v->width};
  double top = crossings ? v->band_hi : v->theta;

  for (v++; g.end < hits->n; g.end++, v++) {
    int crosses = v->kind == BRINK_KIND_CROSSING;
    if ((crosses ? v->band_lo : v->theta) > top)
      break;
    if (crosses) {
      top = brink__max(top, v->band_hi);
      g.theta = crossings ? brink__max(g.theta, v->theta) : v->theta;
      g.width = crossings ? brink__max(g.width, v->width) : v->width;
      crossings = 1;
    }
  }
  return g;
}

/* How far, in t, a zero of hits i .. end - 1 may lie from theta, with the rounding of
 * t. */
static inline double brink__spread(const brink__hits *hits, int i, int end,
                                   double theta, const brink_step *step)
{
  double width = theta - hits->v[i].theta + hits->v[i].width;

  while (++i < end)
    width = brink__max(width, theta - hits->v[i].theta + hits->v[i].width);
  return width * fabs(step->h) + DBL_EPSILON * fabs(brink__time_at(step, theta));
}

/* The time of an instant at theta of the step, `width` away from its zeros: that of a
 * known time which cannot be told apart from them, if there is one. */
static inline double brink__instant_time(const brink_sim *sim, const brink_step *step,
                                         double theta, double width)
{
  double t = brink__time_at(step, theta);

  return sim->t_next <= t + width ? sim->t_next : t;
}

/* NULL: they are touches only, and nothing acts. */
static inline const brink__hit *brink__first_crossing(const brink__hits *hits,
                                                      const brink__group *g)
{
  for (int i = g->i; i < g->end; i++)
    if (hits->v[i].kind == BRINK_KIND_CROSSING)
      return &hits->v[i];
  return NULL;
}

/* ------------------------------------------------------- passed_hits.c ---- */

/* Touches that share the instant of an event at t, due: rows for them. */
brink_status brink__log_touches(brink_sim *sim, double t, const brink__group *g,
                                const brink__due *due);

/* Is theta the start, or the moment after a jump, for a guard that was hit? */
int brink__hit_at_restart(const brink_sim *sim, const brink__due *due, double theta);

/* Known times before t that change outputs only: their instants, in order.  The step is
 * published from *begin to the last of them. */
brink_status brink__pass_known_times(brink_sim *sim, const brink_step *step, double t,
                                     double *begin, brink__due *due);

/* The group does not act (level: BRINK__SILENT or BRINK__OUTPUTS): record what is to be
 * recorded of it, and the step from *begin up to there. */
brink_status brink__pass_hits(brink_sim *sim, const brink_step *step,
                              const brink__group *g, int level, brink__due *due,
                              double *begin);

#endif /* BRINK_HITS_H */
