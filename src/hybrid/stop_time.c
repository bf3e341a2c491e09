/* stop_time.c -- which state events happen at the stop time?
 *
 * A zero that lies exactly at the stop time is found a rounding before or behind it,
 * depending on the steps.  So the rule does not ask where the last step ended: an event
 * is carried out at the stop time if its guard, followed a little past it, has another
 * sign than the one it came with.  The guard is read there by its own expression, at
 * the state continued by its slope.  How far past is at least what rounding can move
 * the zero by; a value below the rounding bound of the guard is no sign.
 */
#include "hybrid/sim.h"

#include <float.h>
#include <math.h>

/* How far past the stop time, as a part of its size and of the length of the run.
 * Rounding errors of n steps move a zero by up to n DBL_EPSILON / 2 of that: this is
 * enough for 130,000 steps.  An event that is later than this by no more than rounding
 * would depend on the steps again, but is hardly met by accident. */
static const double PAST_STOP = 0x1p-36;

/* The rounding errors of as many steps in the guard itself, as a multiple of its bound
 * for one (4 DBL_EPSILON of the states): a slow guard is followed until it has moved by
 * that, ... */
static const double ROUNDINGS = 0x1p14;

/* ... but no farther than this, in units of PAST_STOP. */
static const double FARTHEST = 0x1p10;

typedef struct stop {
  brink_sim *sim;
  brink__due *due; /* signs before, and what is hit                                */
  double *slope;   /* [n] of the states                                            */
  double *y;       /* [n] past the stop time                                       */
  double past;     /* PAST_STOP in units of time                                   */
} stop;

/* The slope of the states at the stop time, and their rounding bounds: from the step
 * that has ended there, or where a jump has come between from f.  0: there is none. */
static int find_slope(stop *s)
{
  brink_sim *sim = s->sim;
  const brink_step *last = &sim->last;

  if (last->h != 0 && last->t1 == sim->t && sim->last_end == sim->t &&
      sim->last_read != BRINK__NOT_READ && sim->t_instant != sim->t) {
    brink_step_slope(last, 1, s->slope);
    s->due->far = brink__noise_at(last, 1, 0, sim->y, s->due->noise);
    return 1;
  }
  return brink__f(&sim->regime->probe, sim->t, sim->y, s->slope) == BRINK_OK;
}

/* Guard k `past` behind the stop time, and its rounding bound.  0: it has no value. */
static int guard_past(stop *s, int k, double past, double *g, double *delta)
{
  brink__guards *guards = &s->sim->regime->guards;
  double t = s->sim->t + past;
  brink_err err = {0};

  for (size_t i = 0; i < s->sim->regime->info->n; i++)
    s->y[i] = s->sim->y[i] + past * s->slope[i];
  return brink__guard_value(guards, k, t, s->y, g, &err) >= 0 &&
         brink__guard_rounding(guards, k, t, s->y, s->due->noise, s->due->far, delta,
                               &err) >= 0;
}

/* Does guard k come with this sign and go on with the other?  A guard that has not left
 * the band of its restart since has no sign in there. */
static int crosses(stop *s, int k, int before)
{
  double band = brink__watch_band(&s->sim->regime->guards.watch[k]);
  double here, g, delta, past = s->past;

  if (!guard_past(s, k, 0, &here, &delta) || !guard_past(s, k, past, &g, &delta))
    return 0;
  double change = fabs(g - here), most = FARTHEST * past;
  if (change < ROUNDINGS * delta && here * before > 0) {
    past = change > 0 ? brink__min(past * ROUNDINGS * delta / change, most) : most;
    if (!guard_past(s, k, past, &g, &delta))
      return 0;
  }
  if (!(fabs(g) > brink__max(band, delta)) || (g > 0) == (before > 0))
    return 0;
  double width = g != here ? past * fabs(here / (g - here)) : past;
  s->due->width = brink__max(s->due->width, brink__min(width, past));
  return 1;
}

/* The guards that are hit at the stop time: due->hit and due->after.  Returns their
 * number. */
static int find_hits(brink_sim *sim, brink__due *due)
{
  stop s = {.sim = sim,
            .due = due,
            .slope = brink__work_row(sim, 0),
            .y = brink__work_row(sim, 1),
            .past = PAST_STOP * (fabs(sim->t) + (sim->t - sim->t_start))};
  int n = 0;

  if (!find_slope(&s))
    return 0;
  due->width = DBL_EPSILON * fabs(sim->t);
  for (int k = 0; k < sim->regime->guards.n; k++) {
    int before = due->before[k];
    if (!before || !crosses(&s, k, before))
      continue;
    due->hit[k] = due->after[k] = (signed char)-before;
    n++;
  }
  return n;
}

brink_status brink__at_stop_time(brink_sim *sim)
{
  brink__due *due = &sim->due;
  brink__regime *r = sim->regime;

  sim->t_stop = sim->t;
  if (sim->t_next > sim->t) /* one that differs by rounding is due here */
    BRINK_TRY(brink__known_times(sim, BRINK__ASK_AFTER));
  if (r->guards.n == 0 || !(sim->t > sim->t_start))
    return BRINK_OK;
  brink__due_timers(sim, due);
  if (find_hits(sim, due) == 0)
    return BRINK_OK;
  if (r->over(r, due->before, due->after) == BRINK__SILENT) {
    for (int k = 0; k < r->guards.n; k++)
      brink__watch_hold(&r->guards.watch[k], due->after[k]);
    return BRINK_OK;
  }
  if (sim->t < sim->t_next)
    due->timers = sim->no_timers;
  due->certificate = r->hits.certificate;
  BRINK_TRY(brink__due_guards(sim, due, sim->t));
  return brink__instants(sim, due);
}
