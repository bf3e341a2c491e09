/* unguarded_sliding.c -- a solution that slides along a jump of f that no guard
 * announces.
 *
 * A relay hidden in f (noEvent(sign(x)), a C right-hand side) costs a few steps where
 * it is crossed.  Where f leads to the jump from either side there is nothing to cross:
 * the integrator goes to and fro within its tolerance, in steps a thousand times too
 * short, and may well not call it a discontinuity.  So the progress of the run is
 * checked every CHECK_EVERY steps: has it gained far less time than before, were many
 * steps rejected, was there a discontinuity?  If so f itself is searched, which takes
 * less than a hundred evaluations:
 *
 *   along f from the present state, no farther than a few tolerances, f jumps (the jump
 *   stays as large however closely it is enclosed); and from just behind it, along f
 *   there, the old side is met again at once.
 *
 * A crossing fails the second part, a stiff law and a steep one the first.  After a
 * fruitless search the next one waits for twice as many checks, or until the gain of
 * time falls further.  Flows with unilateral events are not searched: f must not be
 * evaluated ahead.
 *
 * A method with a fixed step gains time as ever, to and fro by a step and not by a
 * tolerance.  So half a step is its unit, and it is searched if f changes a lot over
 * eight of them, which takes two evaluations per check.  Along f that is far: it slides
 * if it has not got away from there after twice as many.
 */
#include "hybrid/policies.h"

#include <float.h>
#include <math.h>

/* Steps between two checks: few against the thousands that a sliding run would waste,
 * many against the ten or twenty that crossing a jump costs. */
enum { CHECK_EVERY = 128 };

/* Progress is poor if the time gained is this part of the best so far ... */
static const double POOR = 0x1p-4;

/* ... or if the rest would take more than this many steps. */
static const double ENDLESS = 1e5;

/* After fruitless searches at most so many checks are left out. */
enum { LONGEST_WAIT = 64 };

/* f is searched at distances from NEAREST to FARTHEST tolerances: sliding goes to and
 * fro within one or two of them. */
static const double NEAREST = 0x1p-10, FARTHEST = 64;

/* With a fixed step the unit is PART_OF_STEP of it, FARTHEST_FIXED of them are
 * searched, and f changes a lot by A_LOT of itself. */
static const double PART_OF_STEP = 0.5, FARTHEST_FIXED = 16, A_LOT = 0.25;

/* What was seen with a fixed step is confirmed after so many steps ... */
enum { CONFIRM_AFTER = 16 };

/* ... and after a search that saw nothing so many checks are left out. */
enum { LEFT_OUT = 3 };

/* f may jump where it changes by LEAPS times as much as over the half way before; a
 * smooth f changes by about twice as much.  Jumps below NOTABLE of f do no harm. */
static const double LEAPS = 8, NOTABLE = 1e-4;

/* Halvings that enclose the jump, to rounding; it must keep KEPT of its size (a steep
 * but continuous f does not) and grow to no more than GROWN times that (a pole does).
 */
enum { HALVINGS = 40 };
static const double KEPT = 0.25, GROWN = 4;

/* Behind the jump is this part of a tolerance farther, so that it is not on it; from
 * there f leads back if the old side is met at each of these parts of a tolerance. */
static const double BEHIND = 0x1p-22;
static const double RETURNS[] = {0x1p-12, 0x1p-10, 0x1p-8, 0x1p-5};

/* One search of f. */
typedef struct search {
  brink_sim *sim;
  brink__gate *probe;   /* f is evaluated here                                   */
  size_t n, i;          /* states; the component of f that jumps                 */
  double *y, *x;        /* [n] where it sets out; scratch                        */
  double t, left;       /* when; how long it has to go on                        */
  int fixed;            /* the method has a fixed step                           */
  double unit;          /* the time in which a state moves by its tolerance, or
                           part of a fixed step                                  */
  double *f, *f_out;    /* [n] the direction; scratch                            */
  double before, after; /* f_i on the two sides                              */
} search;

static int is_fixed(const brink_sim *sim)
{
  return (brink__integrator_method(sim->regime->it)->flags & BRINK__FIXED_STEP) != 0;
}

/* f at tau along the direction, to l->f_out; 0: there is none. */
static int f_at(search *l, double tau)
{
  for (size_t m = 0; m < l->n; m++)
    l->x[m] = l->y[m] + tau * l->f[m];
  return brink__f(l->probe, l->t + tau, l->x, l->f_out) == BRINK_OK;
}

/* The time in which the first of the states moves by its tolerance, or the least step
 * if that is longer, 0: none moves; or part of a fixed step. */
static double unit_of(const search *l)
{
  const brink_integrator *it = l->sim->regime->it;
  double tau = HUGE_VAL;

  if (l->fixed)
    return PART_OF_STEP * l->sim->h_last;
  for (size_t m = 0; m < l->n; m++)
    if (l->f[m] != 0)
      tau =
          brink__min(tau, brink__integrator_tolerance(it, m, l->y[m]) / fabs(l->f[m]));
  return isfinite(tau) ? brink__max(tau, brink__integrator_least(it)) : 0;
}

/* Does component m leap from a to b, where it has changed by `usual` before, so that it
 * matters until the end? */
static int leaps(const search *l, size_t m, double a, double b, double usual)
{
  const brink_integrator *it = l->sim->regime->it;
  double size = fabs(b - a);

  return size > LEAPS * usual + NOTABLE * brink__max(fabs(a), fabs(b)) &&
         size * l->left > brink__integrator_tolerance(it, m, l->y[m]);
}

static int is_before(const search *l, double f)
{
  return fabs(f - l->before) < fabs(f - l->after);
}

/* Component m of f leaps from a to b between lo and hi.  1: it is a jump, and l->x,
 * l->f_out are just behind it. */
static int jumps(search *l, size_t m, double a, double b, double lo, double hi)
{
  double size = fabs(b - a);

  l->i = m;
  l->before = a;
  l->after = b;
  for (int k = 0; k < HALVINGS; k++) {
    double mid = 0.5 * (lo + hi);
    if (!(mid > lo && mid < hi) || !f_at(l, mid))
      break;
    if (is_before(l, l->f_out[m])) {
      lo = mid;
      a = l->f_out[m];
    } else {
      hi = mid;
      b = l->f_out[m];
    }
    if (!(fabs(b - a) >= KEPT * size && fabs(b - a) <= GROWN * size))
      return 0;
  }
  hi += BEHIND * l->unit;
  if (!f_at(l, hi))
    return 0;
  l->before = a;
  l->after = l->f_out[m];
  l->t += hi;
  return 1;
}

/* Is there a jump along f?  last, usual: [n] scratch. */
static int finds_jump(search *l, double *last, double *usual)
{
  double lo = 0, end = (l->fixed ? FARTHEST_FIXED : FARTHEST) * l->unit;

  brink__copy(last, l->f, l->n);
  for (size_t m = 0; m < l->n; m++)
    usual[m] = 0;
  for (double tau = NEAREST * l->unit; tau <= end; tau *= 2) {
    if (!f_at(l, tau))
      return 0;
    for (size_t m = 0; m < l->n; m++) {
      double f = l->f_out[m];
      if (leaps(l, m, last[m], f, usual[m])) {
        if (jumps(l, m, last[m], f, lo, tau))
          return 1;
        if (!f_at(l, tau)) /* it has overwritten f_out */
          return 0;
      }
      usual[m] = fabs(f - last[m]);
      last[m] = f;
    }
    lo = tau;
  }
  return 0;
}

/* Behind the jump: does f lead back? */
static int leads_back(search *l)
{
  brink__copy(l->y, l->x, l->n);
  brink__copy(l->f, l->f_out, l->n);
  l->unit = unit_of(l);
  for (size_t k = 0; k < BRINK__COUNT(RETURNS); k++)
    if (!f_at(l, RETURNS[k] * l->unit) || !is_before(l, l->f_out[l->i]))
      return 0;
  return l->unit > 0;
}

BRINK__COLD static int sliding(const search *l, brink__verdict *out)
{
  const brink_sim *sim = l->sim;
  const brink_flow *flow = &sim->regime->flow;
  const char *name = sim->regime->info->states[l->i];
  const char *about = flow->about ? flow->about(flow, l->i) : "";

  out->kind = BRINK_KIND_SLIDE_IN;
  out->guard = -1;
  brink__fail_at(&out->why, BRINK_EITERATION, brink__shown(sim, sim->t),
                 "the solution slides or chatters %s t = %.9g%s: no guard tells "
                 "where der(%.40s) jumps between %.6g and %.6g, and from either side "
                 "it is driven back to the other%s%s; make the switch an event, with "
                 "a hysteresis or a law for what follows",
                 l->fixed ? "at" : "from", brink__shown(sim, sim->t),
                 l->fixed ? "" : " on", name ? name : "?", fmin(l->before, l->after),
                 fmax(l->before, l->after), *about ? ": " : "", about);
  return 1;
}

/* Begin where the run is; 0: there is nothing to search. */
static int begin(search *l, brink_sim *sim, double t_limit)
{
  brink__regime *r = sim->regime;
  size_t n = r->info->n;

  *l = (search){.sim = sim,
                .probe = &r->probe,
                .n = n,
                .t = sim->t,
                .left = t_limit - sim->t,
                .fixed = is_fixed(sim),
                .y = brink__work_row(sim, 0),
                .x = brink__work_row(sim, 1),
                .f = brink__work_row(sim, 2),
                .f_out = brink__work_row(sim, 3)};
  if (r->flow.guards_complete || r->flow.guarded || n == 0)
    return 0;
  brink__copy(l->y, sim->y, n);
  if (brink__f(l->probe, l->t, l->y, l->f) != BRINK_OK)
    return 0;
  l->unit = unit_of(l);
  return l->unit > 0;
}

static int is_sliding(search *l, brink_sim *sim, double t_limit)
{
  return begin(l, sim, t_limit) &&
         finds_jump(l, brink__work_row(sim, 4), brink__work_row(sim, 5)) &&
         leads_back(l);
}

BRINK__APART int brink__slides(brink_sim *sim, double t_limit, brink__verdict *out)
{
  search l;

  return is_sliding(&l, sim, t_limit) && sliding(&l, out);
}

/* Does f change a lot over the distance of a search? */
static int f_varies(brink_sim *sim, double t_limit)
{
  search l;

  if (!begin(&l, sim, t_limit) || !f_at(&l, FARTHEST_FIXED * l.unit))
    return 0;
  for (size_t m = 0; m < l.n; m++)
    if (fabs(l.f_out[m] - l.f[m]) > A_LOT * brink__max(fabs(l.f_out[m]), fabs(l.f[m])))
      return 1;
  return 0;
}

/* ------------------------------------------------------------- progress ---- */

/* The next check counts from here. */
static void count_from_here(brink_sim *sim, const brink_work *work)
{
  brink__progress *p = &sim->progress;

  p->steps = CHECK_EVERY;
  p->t = sim->t;
  p->instants = sim->stats.instants;
  p->rejected = work->rejected;
  p->unguarded = work->unguarded;
  p->look_evals = work->look_evals;
}

void brink__progress_begin(brink_sim *sim)
{
  brink_work work = brink_integrator_work(sim->regime->it);

  sim->progress = (brink__progress){0};
  sim->standstill = (brink__standstill){.y = sim->standstill.y};
  count_from_here(sim, &work);
}

/* Is progress poor, after this gain of time with this work?  Weights: a rejected step
 * costs several evaluations, a discontinuity that was found some twenty. */
static int is_poor(const brink_sim *sim, double gain, const brink_work *work,
                   double t_limit)
{
  const brink__progress *p = &sim->progress;
  long effort = (work->rejected - p->rejected) * 4 +
                (work->unguarded - p->unguarded) * 8 +
                (work->look_evals - p->look_evals);

  return effort >= CHECK_EVERY || work->unguarded > 0 || gain < POOR * p->best ||
         t_limit - sim->t > ENDLESS / CHECK_EVERY * gain;
}

/* For a fixed step: what is seen twice, it is. */
static int slides_fixed(brink_sim *sim, double t_limit, brink__verdict *out)
{
  brink__progress *p = &sim->progress;
  int seen = p->seen;
  search l;

  p->seen = 0;
  if (--p->wait >= 0 || !f_varies(sim, t_limit))
    return 0;
  p->seen = is_sliding(&l, sim, t_limit);
  p->wait = p->seen ? 0 : LEFT_OUT;
  return seen && p->seen && sliding(&l, out);
}

BRINK__APART int brink__progress_check(brink_sim *sim, double t_limit,
                                       brink__verdict *out)
{
  brink__progress *p = &sim->progress;
  brink_work work = brink_integrator_work(sim->regime->it);
  double gain = sim->t - p->t;
  int undisturbed = p->instants == sim->stats.instants;
  int slides = 0;

  if (undisturbed && is_fixed(sim))
    slides = slides_fixed(sim, t_limit, out);
  else if (undisturbed && is_poor(sim, gain, &work, t_limit) &&
           (--p->wait < 0 || gain < POOR * p->fruitless_gain)) {
    slides = brink__slides(sim, t_limit, out);
    p->wait = p->fruitless =
        p->fruitless < LONGEST_WAIT ? 2 * p->fruitless + 1 : LONGEST_WAIT;
    p->fruitless_gain = gain;
  }
  if (undisturbed)
    p->best = brink__max(p->best, gain);
  count_from_here(sim, &work);
  if (undisturbed && p->seen)
    p->steps = CONFIRM_AFTER;
  return slides;
}
