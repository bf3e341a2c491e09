/* zeno.c -- where events accumulate the run ends, with BRINK_ZENO.
 *
 * In a Zeno sequence a guard comes back to its zero after ever shorter times, until
 * rounding hides the next return.  How that shows depends on what is hidden first:
 *
 *   stagnation ... crossing follows crossing, and time does not move on
 *   rounding ..... the dwell times have shrunk a lot and do so no more: what moves a
 *                  guard from one of its own events to the next is rounding, of t or
 *                  of the guard, many times in a row
 *   penetration .. a guard that crossed again without time moving on, or after dwell
 *                  times in geometric progression, stays on the far side: it has not
 *                  stopped bouncing, its bounces are smaller than rounding; or it stays
 *                  there after dwell times that have contracted, one after the other,
 *                  to what t can just tell (where the guard moves on by itself)
 *   lost events .. the same where events are placed off their zeros by more than
 *                  rounding, which may hide the next one: by a locator of one guess, as
 *                  event_tol allows, or where the dwell times shrink
 *
 * No verdict is a proof: each says that what follows cannot be told any more.
 */
#include "event/interval_roots.h"
#include "hybrid/policies.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* So many crossings in a row at one time are stagnation: zeros closer than the rounding
 * of t come in twos and threes, not in tens ... */
enum { STAGNATION = 10 };

/* ... of which so many must be the same event: ten guards may well have their zeros at
 * one time, and three modes may take turns. */
enum { AGAIN = 3 };

/* ... and times that differ by so many roundings are one: a locator of one guess may
 * always find the next zero a rounding later. */
static const double ONE_TIME = 16 * DBL_EPSILON;

/* What lies between two events is rounding if the time, or the way of the guard, is no
 * more than this many rounding bounds: the bounds are for one operation, and hundreds
 * of operations lie between two events ... */
static const double FEW_ROUNDINGS = 0x1p10;

/* ... or this many, if the event is one guess that is uncertain by more than GUESS of
 * that time: it may come from second differences, which lose half of the digits. */
static const double GUESS_ROUNDINGS = 0x1p20, GUESS = 0x1p-8;

/* Where the slope of a polynomial is 0, the direction of a guard at an end of a step is
 * seen from its values at 1/4, 1/16, ... of the step from there, down to NEAREST, if
 * one differs by a hundredth: what is closer to the end is rounding. */
static const double ASIDE = 0.25, NEAREST = 0x1p-10, DIFFERS = 0.01;

/* Along f that is looked at over FINEST to WIDEST times the step, until the guard has
 * moved by TELLING rounding bounds, which no rounding does. */
static const double FINEST = 0x1p-20, WIDEST = 0x1p20, TELLING = 16;

/* ------------------------------------------------------------- verdicts --- */

BRINK__COLD int brink__zeno(const brink_sim *sim, const char *who, brink__verdict *out)
{
  out->kind = BRINK_KIND_ZENO;
  out->guard = -1;
  brink__fail_at(
      &out->why, BRINK_ZENO, brink__shown(sim, sim->t),
      "events accumulate at t = %.15g (Zeno): '%s' fires again and again and time "
      "cannot move on; give the model a mode for what follows",
      brink__shown(sim, sim->t), who);
  return 1;
}

/* The same of guard k. */
static int zeno_at(const brink_sim *sim, int k, brink__verdict *out)
{
  brink__zeno(sim, sim->regime->guards.info[k].name, out);
  out->guard = k;
  return 1;
}

/* Are events placed off their zeros by no more than rounding? */
static int only_rounding(const brink_sim *sim)
{
  return !sim->locator->rough && sim->opt.event_tol == 0;
}

/* The verdict that the next event of guard k is lost, since its last was placed off its
 * zero. */
BRINK__COLD static int event_lost(const brink_sim *sim, int k, brink__verdict *out)
{
  const brink__guards *g = &sim->regime->guards;
  double off = fabs(g->watch[k].g);

  if (only_rounding(sim))
    return zeno_at(sim, k, out);
  out->kind = BRINK_KIND_ZENO;
  out->guard = k;
  if (sim->locator->rough)
    brink__fail_at(
        &out->why, BRINK_ZENO, brink__shown(sim, sim->t),
        "from t = %.15g on events follow each other closer than the locator '%s' "
        "can tell (Zeno, or too coarse a locator): it has put '%.60s' %.3g beside "
        "its zero, and the next one is lost; choose one that iterates, or give "
        "the model a mode for what follows",
        brink__shown(sim, sim->t), sim->locator->name, g->info[k].name, off);
  else
    brink__fail_at(
        &out->why, BRINK_ZENO, brink__shown(sim, sim->t),
        "from t = %.15g on events follow each other closer than event_tol = %g "
        "can tell (Zeno, or too coarse a tolerance): '%.60s' was put %.3g beside "
        "its zero, and the next one is lost; choose a finer one, or give the "
        "model a mode for what follows",
        brink__shown(sim, sim->t), sim->opt.event_tol, g->info[k].name, off);
  return 1;
}

/* ----------------------------------------------------------- stagnation --- */

/* How often is the last event among the last n? */
static int repeats(const brink__history *h, int n)
{
  const brink__occurrence *last = brink__history_last(h, 0);
  int count = 0;

  for (int i = 0; i < n; i++) {
    const brink__occurrence *o = brink__history_last(h, i);
    count += o->event == last->event && o->mode_before == last->mode_before;
  }
  return count;
}

int brink__zeno_instant(const brink_sim *sim, brink__verdict *out)
{
  const brink__history *h = &sim->history;
  const brink__occurrence *last = brink__history_last(h, 0), *o = last;

  if (sim->accumulation.passing) /* the limit of these events decides what follows */
    return 0;
  for (int i = 0; i < STAGNATION; i++, o = brink__history_last(h, i))
    if (!o || !(o->gap <= ONE_TIME * fabs(o->t)) || o->event < 0)
      return 0;
  if (repeats(h, STAGNATION) < AGAIN)
    return 0;
  return brink__zeno(sim,
                     sim->model->ops->event_name(sim->model, sim->live,
                                                 last->mode_before, last->event),
                     out);
}

/* ------------------------------------------------------------- rounding --- */

/* Has guard k been farther than `far` from its zero, before theta in this step?  Where
 * its zero is flat, the slope there does not tell. */
static int has_been_away(brink_sim *sim, const brink_step *step, int k, double theta,
                         double far)
{
  brink_err ignored;
  double value;

  for (int i = 1; i < 4; i++)
    if (brink__guard_at(&sim->regime->guards, k, step, 0.25 * i * theta, &value,
                        &ignored) < 0 ||
        fabs(value) > far)
      return 1;
  return 0;
}

/* Is the way of the guard since its own last event no more than rounding?  Other guards
 * may have had theirs in between: a body that bounces below another is hit by that one
 * anywhere on its flight. */
static int is_rounding(brink_sim *sim, const brink_step *step, const brink__hit *hit,
                       double theta, double gap, const brink__due *due)
{
  brink__guards *g = &sim->regime->guards;
  double t = brink__time_at(step, theta), delta;
  int guess = sim->locator->rough && hit->width * fabs(step->h) > GUESS * gap;
  brink_certificate how;
  brink__poly p;
  brink_err ignored;

  if (gap <= FEW_ROUNDINGS * DBL_EPSILON * fabs(t))
    return 1;
  if (brink__guard_expand(g, hit->guard, step, &p, &how, &ignored) < 0 ||
      how == BRINK_SAMPLED)
    return 0;
  double way = fabs(brink__poly_slope(&p, theta) / step->h) * gap;
  if (brink__guard_rounding(g, hit->guard, t, due->y, due->noise, due->far, &delta,
                            &ignored) < 0)
    return 0;
  double few = (guess ? GUESS_ROUNDINGS : FEW_ROUNDINGS) * delta;
  return way <= few && !has_been_away(sim, step, hit->guard, theta, few);
}

/* What rounding keeps going becomes no shorter; the flights of a body between others,
 * which may be short by chance, do, on the whole. */
BRINK__APART int brink__zeno_rounding(brink_sim *sim, const brink_step *step, int i,
                                      int end, double theta, brink__due *due,
                                      brink__verdict *out)
{
  const brink__hit *v = sim->regime->hits.v;

  due->far = brink__noise_at(step, theta, 0, due->y, due->noise);
  for (; i < end; i++) {
    brink__watch *w = &sim->regime->guards.watch[v[i].guard];
    double flight = brink__time_at(step, theta) - w->since;
    if (v[i].kind == BRINK_KIND_CROSSING &&
        brink__watch_hardly_flew(w, is_rounding(sim, step, &v[i], theta, flight, due),
                                 flight, BRINK__STAGNANT))
      return zeno_at(sim, v[i].guard, out);
  }
  return 0;
}

/* Guards whose events follow each other although none has left the band of its restart:
 * f leads a guard across, steps that stay on its side move no state by a rounding, and
 * what the event changes leads it back. */
BRINK__APART int brink__zeno_in_band(brink_sim *sim, const brink__due *due,
                                     brink__verdict *out)
{
  brink__guards *g = &sim->regime->guards;

  for (int k = 0; k < g->n; k++) {
    brink__watch *w = &g->watch[k];
    int stayed = brink__watch_band(w) > 0 && fabs(due->g[k]) <= brink__watch_band(w);
    if (due->hit[k] &&
        brink__watch_hardly_flew(w, stayed, sim->t - w->since, BRINK__STAGNANT))
      return zeno_at(sim, k, out);
  }
  return 0;
}

/* ---------------------------------------------------------- penetration --- */

/* Does guard k set out against dir, as far as can be seen? */
static int sets_out(brink_sim *sim, const brink_step *step, int k, int dir)
{
  brink__guards *g = &sim->regime->guards;
  brink__poly p;
  brink_certificate how;
  brink_err ignored;

  if (g->info[k].form == BRINK__GUARD_JET)
    return brink__guard_way(g, k, step, 0) * dir < 0;
  return brink__guard_expand(g, k, step, &p, &how, &ignored) == BRINK_OK &&
         p.form == BRINK__MONOMIAL && p.degree > 0 &&
         p.c[1] * dir < -2.0 * p.degree * p.degree * p.delta; /* Markov's inequality */
}

/* What t can just tell. */
static double shortest_time(const brink_step *step)
{
  return FEW_ROUNDINGS * DBL_EPSILON * fabs(step->t0);
}

/* Have the dwell times contracted to that? */
static int vanishes(const brink_sim *sim, const brink_step *step)
{
  return step->t0 == sim->t_event &&
         brink__dwell_vanishes(&sim->regime->dwell, shortest_time(step));
}

/* Has a guard that has bounced come to stay on the far side? */
BRINK__APART static int penetrates(brink_sim *sim, const brink_step *step,
                                   brink__verdict *out)
{
  const brink__regime *r = sim->regime;
  const brink__hits *hits = &r->hits;
  int geometric = brink__dwell_geometric(&r->dwell), vanish = vanishes(sim, step);

  for (int k = 0; k < r->guards.n; k++) {
    const brink__watch *w = &r->guards.watch[k];
    int ends = vanish && w->flight <= shortest_time(step); /* not that of another one */
    int once = (w->crossed > 0) - (w->crossed < 0), twice = brink__watch_returned(w);
    int dir = geometric || ends ? once : twice, returns = 0;
    if (!dir || !w->fresh || hits->start_sign[k] != dir)
      continue;
    if (w->band == 0 && only_rounding(sim))
      continue; /* the jump has put it there */
    for (int i = 0; i < hits->n; i++)
      returns |= hits->v[i].guard == k;
    if (!returns && (twice || ends || sets_out(sim, step, k, dir)))
      return zeno_at(sim, k, out);
  }
  return 0;
}

/* ---------------------------------------------------------- lost events --- */

/* Would the run stop or act if guard k came back and crossed once more? */
static int would_act(const brink_sim *sim, int k, int dir)
{
  const brink__regime *r = sim->regime;
  size_t ng = (size_t)r->guards.n;
  signed char *before = sim->signs, *after = before + ng;

  memcpy(before, r->hits.start_sign, ng);
  memcpy(after, r->hits.start_sign, ng);
  before[k] = (signed char)-dir;
  after[k] = (signed char)dir;
  return r->over(r, before, after) == BRINK__ACTS;
}

/* Is guard k met in this step?  -1: it comes and goes in what counts as one instant. */
static int met_again(const brink__hits *hits, int k)
{
  const brink__hit *first = NULL;

  for (int i = 0; i < hits->n; i++) {
    const brink__hit *v = &hits->v[i];
    if (v->guard != k || v->kind != BRINK_KIND_CROSSING)
      continue;
    if (first)
      return v->dir != first->dir && v->band_lo <= first->band_hi ? -1 : 1;
    first = v;
  }
  return first != NULL;
}

/* Which way does guard k go at theta, 0 or 1?  By its own expression; else by the slope
 * of its polynomial, and where that is 0, since the polynomial leaves out what is below
 * its rounding, by values. */
static int way_of(brink_sim *sim, const brink_step *step, int k, const brink__poly *p,
                  double theta)
{
  brink__guards *g = &sim->regime->guards;
  double slope = brink__poly_slope(p, theta), here, there;
  brink_err ignored;

  if (g->info[k].form == BRINK__GUARD_JET)
    return brink__guard_way(g, k, step, theta);
  if (brink__guard_at(g, k, step, theta, &here, &ignored) < 0)
    return 0;
  for (double d = ASIDE; slope == 0 && d >= NEAREST; d *= ASIDE) {
    if (brink__guard_at(g, k, step, theta > 0 ? 1 - d : d, &there, &ignored) < 0)
      return 0;
    if (fabs(there - here) > DIFFERS * fabs(here))
      slope = theta > 0 ? here - there : there - here;
  }
  return (slope > 0) - (slope < 0);
}

/* Values of guard k at t0 + j tau, j = 0, 1, 2, along the line from y in the direction
 * f; 0: it has none. */
static int along(brink_sim *sim, const brink_step *step, int k, double tau, double *v)
{
  const double *y = brink__work_row(sim, 0), *f = brink__work_row(sim, 1);
  double *x = brink__work_row(sim, 2);
  brink_err ignored;

  for (int j = 0; j < 3; j++) {
    for (size_t i = 0; i < step->n; i++)
      x[i] = y[i] + j * tau * f[i];
    if (brink__guard_value(&sim->regime->guards, k, step->t0 + j * tau, x, &v[j],
                           &ignored) < 0)
      return 0;
  }
  return 1;
}

/* Which way does guard k set out at the start of the step?  A callback is looked at
 * along f, at tau and 2 tau, as far as it takes to tell from rounding: the step itself
 * may be too short for that.  The difference and the slope of the parabola must agree:
 * at a zero of third order they do not, and nothing is told. */
static int way_along_f(brink_sim *sim, const brink_step *step, int k)
{
  brink__guards *g = &sim->regime->guards;
  double *y = brink__work_row(sim, 0), *noise = brink__work_row(sim, 3);
  double v[3], delta;
  brink_err ignored;

  if (g->info[k].form == BRINK__GUARD_JET)
    return brink__guard_way(g, k, step, 0);
  brink_step_at(step, 0, y);
  for (size_t i = 0; i < step->n; i++)
    noise[i] = 4 * DBL_EPSILON * fabs(y[i]);
  if (brink__f(&sim->regime->probe, step->t0, y, brink__work_row(sim, 1)) != BRINK_OK ||
      brink__guard_rounding(g, k, step->t0, y, noise, BRINK__FAR, &delta, &ignored) < 0)
    return 0;
  for (double tau = FINEST * step->h; fabs(tau) <= WIDEST * fabs(step->h); tau *= 4) {
    if (!along(sim, step, k, tau, v))
      return 0;
    double moved = v[1] - v[0], slope = 2 * moved - 0.5 * (v[2] - v[0]);
    if (fabs(slope) > TELLING * delta)
      return moved * slope > 0 || fabs(moved) <= TELLING * delta
                 ? (slope > 0) - (slope < 0)
                 : 0;
  }
  return 0;
}

/* The last event of guard k, in direction dir, was placed off its zero.  1: the guard
 * set out to come back, but is seen on the far side only and going away, so that its
 * next event is lost; 0: not yet; -1: it is back, or does not come. */
static int is_lost(brink_sim *sim, const brink_step *step, int k, int dir)
{
  brink__regime *r = sim->regime;
  brink_certificate how;
  brink__poly p;
  brink_err ignored;
  double last;

  int met = met_again(&r->hits, k);
  if (met)
    return met < 0 && would_act(sim, k, dir) ? 1 : -1;
  if (r->hits.start_sign[k] == -dir ||
      brink__guard_expand(&r->guards, k, step, &p, &how, &ignored) < 0 ||
      how == BRINK_SAMPLED)
    return -1;
  if (brink__guard_at(&r->guards, k, step, 1, &last, &ignored) < 0)
    return -1;
  if (r->guards.watch[k].fresh && step->t0 == sim->t_event) {
    int small = only_rounding(sim) || brink__dwell_shrinks(&r->dwell);
    int way = small ? way_along_f(sim, step, k) : way_of(sim, step, k, &p, 0);
    if (way * dir >= 0)
      return -1;
  }
  if (!(way_of(sim, step, k, &p, 1) * dir > 0 && last * dir > 0))
    return 0;
  return would_act(sim, k, dir) ? 1 : -1;
}

BRINK__APART static int loses_event(brink_sim *sim, const brink_step *step,
                                    brink__verdict *out)
{
  brink__guards *g = &sim->regime->guards;

  g->any_displaced = 0;
  for (int k = 0; k < g->n; k++) {
    int dir = g->watch[k].displaced, lost = dir ? is_lost(sim, step, k, dir) : -1;
    if (lost > 0)
      return event_lost(sim, k, out);
    if (lost < 0)
      brink__watch_displace(&g->watch[k], 0);
    else
      g->any_displaced = 1;
  }
  return 0;
}

int brink__zeno_step(brink_sim *sim, const brink_step *step, brink__verdict *out)
{
  const brink__regime *r = sim->regime;

  return ((r->guards.any_returned ||
           (r->hits.n == 0 &&
            (brink__dwell_geometric(&r->dwell) || vanishes(sim, step)))) &&
          penetrates(sim, step, out)) ||
         (r->guards.any_displaced && loses_event(sim, step, out));
}
