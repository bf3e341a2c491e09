/* diagnosis.c -- why a run cannot go on, guard by guard, for the record of events.
 *
 * A policy that ends a run says why in a sentence.  For programs the same is written
 * down as one event for each guard that has to do with it: its kind is the verdict
 * (zeno, grazing, loop, slide-in), and it has the rates of the guard, dg/dt along the
 * law before and after: their signs tell a crossing (both alike) from sliding (both
 * towards zero), a bounce (away after it) and a touch (0 on both sides).
 */
#include "hybrid/extended_model.h"
#include "hybrid/policies.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SAID = 60 }; /* room for two rates in a sentence */

/* A guard stands still that would move by less than this part of one, all through the
 * run: rates by differences of its values have no more digits. */
static const double STILL = 1e-12;

/* dg/dt of guard k at the end of the last step, along its polynomial; NaN: unknown. */
static double rate_before(brink_sim *sim, int k)
{
  const brink_step *s = &sim->last;
  double *y = brink__work_row(sim, 0), *f = brink__work_row(sim, 1), rate;

  if (s->h == 0 || s->n != sim->regime->info->n || !sim->last_read)
    return nan("");
  double theta = (sim->last_end - s->t0) / s->h;
  size_t w = (size_t)s->degree + 1;
  for (size_t i = 0; i < s->n; i++)
    f[i] = brink__horner_derivative(s->degree, s->coeff + i * w, 1, theta) / s->h;
  brink_step_at(s, theta, y);
  return brink__guard_rate(&sim->regime->guards, k, sim->last_end, y, f, fabs(s->h),
                           &rate)
             ? rate
             : nan("");
}

/* The same along the law that holds now. */
static double rate_after(brink_sim *sim, int k)
{
  double *f = brink__work_row(sim, 1), rate;

  if (brink__f(&sim->regime->probe, sim->t, sim->y, f) != BRINK_OK ||
      !brink__guard_rate(&sim->regime->guards, k, sim->t, sim->y, f,
                         brink__rate_span(sim), &rate))
    return nan("");
  return rate;
}

/* Has guard k to do with the verdict: has it crossed, and is it where it did? */
static int involved(const brink__watch *w)
{
  return (w->crossed || w->displaced) && w->fresh;
}

/* Events that repeat themselves although the gaps between them have not contracted, on
 * a guard that stands still on both sides. */
static int grazes(const brink_sim *sim, double before, double after)
{
  double run = sim->t_event > sim->t_start ? sim->t_event - sim->t_start : 1;

  return !brink__dwell_geometric(&sim->regime->dwell) &&
         !brink__dwell_shrinks(&sim->regime->dwell) &&
         fabs(before) <= STILL * (1 / run) && fabs(after) <= STILL * (1 / run);
}

/* The sentence, with the rates of the first guard. */
static void say_rates(brink_err *why, double before, double after)
{
  size_t used = strlen(why->text);

  if (!isnan(before) && !isnan(after) && used + SAID < sizeof why->text)
    snprintf(why->text + used, sizeof why->text - used,
             " (dg/dt = %.3g before, %.3g after)", before, after);
}

BRINK__COLD brink_status brink__diagnose(brink_sim *sim, brink__verdict *verdict)
{
  brink__guards *g = &sim->regime->guards;
  brink_status ended = sim->ended;
  int said = 0;

  sim->ended = BRINK_OK; /* an observer is told of the verdict */
  for (int k = 0; k < g->n && !sim->ended; k++) {
    if (k != verdict->guard && !involved(&g->watch[k]))
      continue;
    double before = rate_before(sim, k), after = rate_after(sim, k);
    brink_kind kind = verdict->kind;
    if (kind == BRINK_KIND_ZENO && grazes(sim, before, after))
      kind = BRINK_KIND_GRAZING;
    if (!said++)
      say_rates(&verdict->why, before, after);
    /* of switches: where g < 0, and where g > 0 (tangency.c) */
    int falls = kind == BRINK_KIND_SLIDE_IN && g->watch[k].crossed < 0;
    sim->rates[falls] = before;
    sim->rates[!falls] = after;
    brink_status rc = brink__log(sim, sim->t, sim->y, g->info[k].name, kind, 0,
                                 g->watch[k].g, 0, BRINK_SAMPLED);
    sim->rates[0] = sim->rates[1] = nan("");
    if (rc < 0)
      return rc;
  }
  if (!sim->ended)
    sim->ended = ended;
  if (verdict->kind == BRINK_KIND_ZENO)
    brink__zeno_remark(sim);
  return BRINK_OK;
}
