/* sliding.c -- a solution that slides along a jump of f that no guard tells.
 *
 * A relay hidden in f (noEvent(sign(x)), a C right-hand side) costs a few steps where
 * it is crossed.  Where f leads to the jump from either side there is nothing to cross:
 * the integrator goes to and fro within its tolerance, in steps a thousand times too
 * short, and may well not call it a discontinuity.  So the run is watched: every PACES
 * steps, has it got on far less than before, is there much ado about steps, or was
 * there a discontinuity?  If so f is looked at itself, which takes less than a hundred
 * evaluations:
 *
 *   along f from the present state, no farther than a few tolerances, f jumps (the jump
 *   stays as large however closely it is enclosed); and from just behind it, along f
 *   there, the old side is met again at once.
 *
 * A crossing fails the second part, a stiff law and a steep one the first.  What was
 * looked at in vain is looked at again after twice as many steps, or when matters get
 * worse. Flows with unilateral events are not looked at: f must not be evaluated ahead.
 *
 * A method with a fixed step gets on as ever, to and fro by a step and not by a
 * tolerance.  So half a step is its unit, and it is looked at if f changes a lot over
 * eight of them, which takes two evaluations every PACES steps.  Along f that is far:
 * it slides if it has not got away from there after twice as many.
 */
#include "hybrid/sim.h"

#include <float.h>
#include <math.h>

/* the run gets on well if it comes this part as far as at best */
static const double FAR_LESS = 0x1p-4;

/* ... and if the end is no more than so many steps away */
static const double ENDLESS = 1e5;

/* what is looked at in vain is looked at again after at most so many times PACES */
enum { LONGEST_WAIT = 64 };

/* the way along f is looked at from this part of a tolerance to so many of them */
static const double NEAREST = 0x1p-10, FARTHEST = 64;

/* ... where the unit of a fixed step is this part of it, and so many are looked at; f
 * changes a lot by this part */
static const double PART_OF_STEP = 0.5, FARTHEST_FIXED = 16, A_LOT = 0.25;

/* ... and it is looked at again after so many steps */
enum { AGAIN = 16 };

/* ... or, if that was in vain, so many looks are left out */
enum { LEFT_OUT = 3 };

/* f changes by so many times as much over twice the way: it may jump; and it has to by
 * this part of itself */
static const double LEAPS = 8, NOTABLE = 1e-4;

/* halvings that enclose the jump, which must keep this part of its size and, unlike a
 * pole, not grow to more than so many times that */
enum { HALVINGS = 40 };
static const double KEPT = 0.25, GROWN = 4;

/* behind the jump is this part of a tolerance farther, so that it is not on it, and
 * from there the old side is met again within these parts */
static const double BEHIND = 0x1p-22;
static const double RETURNS[] = {0x1p-12, 0x1p-10, 0x1p-8, 0x1p-5};

/* One look at f. */
typedef struct look {
  brink_sim *sim;
  brink__gate *gate;
  size_t n, i;          /* states; the component of f that jumps                 */
  double *y, *x;        /* [n] where it sets out; scratch                        */
  double t, left;       /* when; how long it has to go on                        */
  int fixed;            /* the method has a fixed step                           */
  double unit;          /* the time in which a state moves by its tolerance, or
                           part of a fixed step                                  */
  double *f, *f_out;    /* [n] the direction; scratch                            */
  double before, after; /* f_i on the two sides                              */
} look;

static int is_fixed(const brink_sim *sim)
{
  return (brink__integrator_method(brink__run(sim)->it)->flags & BRINK__FIXED_STEP) !=
         0;
}

/* f at tau along the direction, to l->f_out; 0: there is none. */
static int f_at(look *l, double tau)
{
  for (size_t m = 0; m < l->n; m++)
    l->x[m] = l->y[m] + tau * l->f[m];
  return brink__f(l->gate, l->t + tau, l->x, l->f_out) == BRINK_OK;
}

/* The time in which the first of the states moves by its tolerance, or the least step
 * if that is longer, 0: none moves; or part of a fixed step. */
static double unit_of(const look *l)
{
  const brink_integrator *it = brink__run(l->sim)->it;
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
static int leaps(const look *l, size_t m, double a, double b, double usual)
{
  const brink_integrator *it = brink__run(l->sim)->it;
  double size = fabs(b - a);

  return size > LEAPS * usual + NOTABLE * brink__max(fabs(a), fabs(b)) &&
         size * l->left > brink__integrator_tolerance(it, m, l->y[m]);
}

static int is_before(const look *l, double f)
{
  return fabs(f - l->before) < fabs(f - l->after);
}

/* Component m of f leaps from a to b between lo and hi.  1: it is a jump, and l->x,
 * l->f_out are just behind it. */
static int jumps(look *l, size_t m, double a, double b, double lo, double hi)
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
static int finds_jump(look *l, double *last, double *usual)
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
static int leads_back(look *l)
{
  brink__copy(l->y, l->x, l->n);
  brink__copy(l->f, l->f_out, l->n);
  l->unit = unit_of(l);
  for (size_t k = 0; k < BRINK__COUNT(RETURNS); k++)
    if (!f_at(l, RETURNS[k] * l->unit) || !is_before(l, l->f_out[l->i]))
      return 0;
  return l->unit > 0;
}

BRINK__COLD static brink_status say_so(look *l)
{
  const brink_sim *sim = l->sim;
  const brink_flow *flow = &brink__run(sim)->flow;
  const char *name = sim->model->modes[sim->mode].states[l->i];
  const char *about = flow->about ? flow->about(flow, l->i) : "";

  return brink__fail_at(
      &l->sim->err, BRINK_EITERATION, sim->t,
      "the solution slides or chatters %s t = %.9g%s: no guard tells "
      "where der(%.40s) jumps between %.6g and %.6g, and from either side "
      "it is driven back to the other%s%s; make the switch an event, with "
      "a hysteresis or a law for what follows",
      l->fixed ? "at" : "from", sim->t, l->fixed ? "" : " on", name ? name : "?",
      fmin(l->before, l->after), fmax(l->before, l->after), *about ? ": " : "", about);
}

/* Set out from where the run is; 0: there is nothing to look at. */
static int set_out(look *l, brink_sim *sim, double t_limit)
{
  mode_run *run = brink__run(sim);
  size_t n = sim->model->modes[sim->mode].n;
  double *room = sim->sides;

  *l = (look){.sim = sim,
              .gate = brink__integrator_gate(run->it),
              .n = n,
              .t = sim->t,
              .left = t_limit - sim->t,
              .fixed = is_fixed(sim),
              .y = room,
              .x = room + n,
              .f = room + 2 * n,
              .f_out = room + 3 * n};
  if (run->flow.told || run->flow.guarded || n == 0)
    return 0;
  brink__copy(l->y, sim->y, n);
  if (brink__f(l->gate, l->t, l->y, l->f) != BRINK_OK)
    return 0;
  l->unit = unit_of(l);
  return l->unit > 0;
}

static int is_sliding(look *l, brink_sim *sim, double t_limit)
{
  return set_out(l, sim, t_limit) && finds_jump(l, sim->y_before, sim->y_after) &&
         leads_back(l);
}

brink_status brink__slides(brink_sim *sim, double t_limit)
{
  look l;

  return is_sliding(&l, sim, t_limit) ? say_so(&l) : BRINK_OK;
}

/* Does f change a lot over the way that a look goes? */
static int wavers(brink_sim *sim, double t_limit)
{
  look l;

  if (!set_out(&l, sim, t_limit) || !f_at(&l, FARTHEST_FIXED * l.unit))
    return 0;
  for (size_t m = 0; m < l.n; m++)
    if (fabs(l.f_out[m] - l.f[m]) > A_LOT * brink__max(fabs(l.f_out[m]), fabs(l.f[m])))
      return 1;
  return 0;
}

/* ---------------------------------------------------------------- watch ---- */

/* From here on. */
static void go_on(brink_sim *sim, const brink_work *work)
{
  brink__watch *w = &sim->watch;

  w->paces = BRINK__PACES;
  w->t = sim->t;
  w->mode = sim->mode;
  w->instants = sim->stats.instants;
  w->rejected = work->rejected;
  w->unguarded = work->unguarded;
  w->look_evals = work->look_evals;
}

void brink__watch_anew(brink_sim *sim)
{
  brink_work work = brink_integrator_work(brink__run(sim)->it);

  sim->watch = (brink__watch){0};
  go_on(sim, &work);
}

/* Is there reason to look, after `way` in time with this work? */
static int suspicious(brink_sim *sim, double way, const brink_work *work,
                      double t_limit)
{
  const brink__watch *w = &sim->watch;
  long ado = (work->rejected - w->rejected) * 4 + (work->unguarded - w->unguarded) * 8 +
             (work->look_evals - w->look_evals);

  return ado >= BRINK__PACES || work->unguarded > 0 || way < FAR_LESS * w->best ||
         t_limit - sim->t > ENDLESS / BRINK__PACES * way;
}

/* For a fixed step: what is seen twice, it is. */
static brink_status look_at_fixed(brink_sim *sim, double t_limit)
{
  brink__watch *w = &sim->watch;
  int seen = w->seen;
  look l;

  w->seen = 0;
  if (--w->wait >= 0 || !wavers(sim, t_limit))
    return BRINK_OK;
  w->seen = is_sliding(&l, sim, t_limit);
  w->wait = w->seen ? 0 : LEFT_OUT;
  return seen && w->seen ? say_so(&l) : BRINK_OK;
}

brink_status brink__look_around(brink_sim *sim, double t_limit)
{
  brink__watch *w = &sim->watch;
  brink_work work = brink_integrator_work(brink__run(sim)->it);
  double way = sim->t - w->t;
  int alone = w->instants == sim->stats.instants && w->mode == sim->mode;
  brink_status rc = BRINK_OK;

  if (alone && is_fixed(sim))
    rc = look_at_fixed(sim, t_limit);
  else if (alone && suspicious(sim, way, &work, t_limit) &&
           (--w->wait < 0 || way < FAR_LESS * w->vain_way)) {
    rc = brink__slides(sim, t_limit);
    w->wait = w->vain = w->vain < LONGEST_WAIT ? 2 * w->vain + 1 : LONGEST_WAIT;
    w->vain_way = way;
  }
  if (alone)
    w->best = brink__max(w->best, way);
  go_on(sim, &work);
  if (alone && w->seen)
    w->paces = AGAIN;
  return rc;
}
