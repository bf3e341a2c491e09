/* takeover.c -- a step of the locator instead of one of the method.
 *
 * Locators with a takeover (event/takeover.h) integrate the last stretch before a guard
 * themselves.  They are asked for a step
 *
 *   ahead ... where brink__approach has seen a zero that matters in the predicted step,
 *             or a guard that matters is within the option near_g of its zero;
 *   behind .. where a step that the method has taken shows a hit that acts: from the
 *             beginning of that step, which is dropped if the locator takes one, and
 *             taken again up to a nearer point if it does not.
 *
 * The step is published, walked through and ended as one of the method.  A locator that
 * declines after steps of its own is not asked again until the guard is out of sight or
 * the flow starts anew, so that the method brings the run to the event.
 */
#include "hybrid/sim.h"

#include <float.h>
#include <math.h>

/* A way of this many rounding bounds is a way. */
static const double ROUNDINGS = 0x1p14;

/* A step that shows an event to which the locator cannot go from the step's beginning,
 * as from one bounce to the next, is taken again up to this part of the way: no more
 * than NEARER times before one event. */
static const double PART = 0.75;
enum { NEARER = 2 };

/* The guard that is nearest to its zero, no farther than near_g, of those that matter;
 * -1: none. */
static brink_status nearest(brink_sim *sim, int *found)
{
  brink__regime *r = sim->regime;
  brink__due *due = &sim->due;
  double least = sim->opt.near_g;

  *found = -1;
  for (int k = 0; k < r->guards.n; k++) {
    double g;
    if (r->guards.watch[k].sign == 0)
      continue;
    BRINK_TRY(brink__guard_value(&r->guards, k, sim->t, sim->y, &g, &sim->err));
    brink__no_change(sim, due);
    brink__flip(due, k);
    if (!(fabs(g) <= least) || g * r->guards.watch[k].sign <= 0 ||
        !brink__matters(sim, due))
      continue;
    least = fabs(g);
    *found = k;
  }
  return BRINK_OK;
}

/* The longest step that is allowed in the regime at present. */
static double longest(const brink__regime *r)
{
  double h_max = brink__integrator_h_max(r->it);

  return h_max > 0 ? h_max : HUGE_VAL;
}

/* Where the locator is asked for a step: at (t, y), where guard k lies ahead. */
static brink__takeover_at point(brink_sim *sim, int k, double t, const double *y,
                                double t_limit)
{
  brink__regime *r = sim->regime;

  return (brink__takeover_at){.opt = &sim->opt,
                              .method = brink__integrator_method(r->it),
                              .gate = brink__integrator_gate(r->it),
                              .tol = brink__integrator_tol(r->it),
                              .t = t,
                              .y = y,
                              .guards = &r->guards,
                              .guard = k,
                              .sign = r->guards.watch[k].sign,
                              .stay = brink__must_stay(sim, k),
                              .h = brink__integrator_proposed(r->it),
                              .left = brink__min(t_limit - t, longest(r)),
                              .least = brink__integrator_least(r->it)};
}

/* Is the guard's way to its zero no more than rounding?  What bounces there is a matter
 * of zeno.c, which looks at steps from one event to the next. */
static int is_rounding(brink_sim *sim, const brink__takeover_at *at)
{
  double *noise = brink__work_row(sim, 2), *y = brink__work_row(sim, 3), g, delta;
  double most = 0;
  brink_err ignored;

  for (size_t i = 0; i < sim->regime->info->n; i++)
    noise[i] = DBL_EPSILON * fabs(at->y[i]);
  if (brink__guard_value(at->guards, at->guard, at->t, at->y, &g, &ignored) == BRINK_OK)
    most = fabs(g);
  if (at->ahead) {
    brink_step_at(at->ahead, at->theta / 2, y);
    double t = at->t + at->theta / 2 * at->ahead->h;
    if (brink__guard_value(at->guards, at->guard, t, y, &g, &ignored) == BRINK_OK)
      most = brink__max(most, fabs(g));
  }
  return brink__guard_rounding(at->guards, at->guard, at->t, at->y, noise, BRINK__FAR,
                               &delta, &ignored) < 0 ||
         most <= ROUNDINGS * delta;
}

/* Ask for a step.  BRINK_OK: the integrator stands at its end. */
static brink_status ask(brink_sim *sim, const brink__takeover_at *at, double t_limit,
                        int again, brink_step *step)
{
  brink__regime *r = sim->regime;
  brink__taken out = {.coeff = r->taken, .y = brink__work_row(sim, 1)};
  double wanted = brink__max(r->wanted, at->h);

  if (sim->locator->takeover->approaches && is_rounding(sim, at))
    return BRINK_END;
  brink_status rc = sim->locator->takeover->step(r->takeover, at, &out, &sim->err);

  r->declined = again && rc == BRINK_END;
  if (rc != BRINK_OK)
    return rc;
  double left = t_limit - at->t;
  double t1 = out.h >= left * (1 - DBL_EPSILON) ? t_limit : at->t + out.h;
  *step = (brink_step){at->t, out.h, t1, r->info->n, out.degree, r->taken};
  brink__integrator_adopt(r->it, step, out.y);
  *step = *brink__integrator_last(r->it);
  sim->taken_over = 1;
  sim->taken_by = out.by ? out.by : sim->locator->name;
  r->wanted = wanted;
  return BRINK_OK;
}

brink_status brink__take_over(brink_sim *sim, double t_limit, brink_step *step)
{
  brink__regime *r = sim->regime;
  int came_so = sim->taken_over, k = r->toward;

  sim->taken_over = 0;
  r->t_limit = t_limit;
  if (!r->takeover || t_limit < sim->t) /* their formulas go forward in time */
    return BRINK_END;
  if (!came_so)
    sim->locator->takeover->forget(r->takeover);
  if (k >= 0 && r->theta * r->predicted.h > longest(r))
    k = -1; /* the method will not reach it in one step */
  if (k < 0 && sim->opt.near_g > 0)
    BRINK_TRY(nearest(sim, &k));
  if (k < 0)
    r->declined = r->nearer = 0;
  if (k < 0 || r->declined)
    return BRINK_END;
  brink__takeover_at at = point(sim, k, sim->t, sim->y, t_limit);
  at.last = brink__integrator_last(r->it);
  if (r->toward == k) {
    at.ahead = &r->predicted;
    at.theta = r->theta;
  }
  return ask(sim, &at, t_limit, came_so, step);
}

int brink__take_back(brink_sim *sim, const brink__hit *hit, brink_step *step)
{
  brink__regime *r = sim->regime;
  brink_step shown = *step;
  double *y0 = brink__work_row(sim, 0);
  size_t w = (size_t)step->degree + 1;

  if (!r->takeover || r->declined || !(hit->theta > 0) || step->h < 0)
    return 0;
  for (size_t i = 0; i < step->n; i++)
    y0[i] = step->coeff[i * w];
  brink__takeover_at at = point(sim, hit->guard, step->t0, y0, r->t_limit);
  at.sign = -hit->dir;
  at.ahead = &shown;
  at.theta = hit->theta;
  sim->locator->takeover->forget(r->takeover);
  brink_status rc = ask(sim, &at, r->t_limit, 0, step);
  if (rc != BRINK_END)
    return rc < 0 ? (int)rc : 1;
  double nearer = PART * hit->theta * step->h;
  if (!sim->locator->takeover->approaches || r->nearer >= NEARER ||
      !(nearer >= at.least) || is_rounding(sim, &at))
    return 0;
  r->nearer++;
  r->check.h = nearer;
  return 1;
}
