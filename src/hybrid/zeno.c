/* zeno.c -- where events accumulate the run ends, with BRINK_ZENO.
 *
 * In a Zeno sequence a guard comes back to its zero after ever shorter times, until
 * rounding hides the next return.  How that shows depends on what is hidden first:
 *
 *   stands still ....... crossing follows crossing, and time does not move on
 *   kept by rounding ... the times between events have shrunk a lot and do so no more
 *                        (stays.c): what is left is rounding, of t or of the guard
 *   falls through ...... a guard that crossed again without time moving on, or after
 * times that shrink by the same part, stays on the far side: it has not stopped
 * bouncing, its bounces are smaller than rounding swallowed .......... the same where
 * events are put beside their zeros by what may hide the next one: by a locator of one
 * guess, as event_tol allows, or by rounding where the times between them dwindle
 *
 * No verdict is a proof: each says that what follows cannot be told any more.
 */
#include "hybrid/sim.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* so many crossings in a row at one time stand still: zeros closer than the rounding of
 * t come in twos and threes, not in tens ... */
enum { STILL = 10 };

/* ... and times that differ by so many roundings are one: a locator of one guess may
 * always find the next zero a rounding later */
static const double ONE_TIME = 16 * DBL_EPSILON;

/* two events are kept apart by rounding if the time between them, or the way that the
 * guard goes meanwhile, is no more than so many roundings ... */
static const double LITTLE = 0x1p10;

/* ... or so many, if the event is one guess that is uncertain by this part of that
 * time: it may come from second differences, which lose half of the digits */
static const double ROUGHLY = 0x1p20, GUESS = 0x1p-8;

/* which way a guard goes at an end of a step is seen from its values at 1/4, 1/16, ...
 * of the step from there, down to the last of these, if one differs by this part */
static const double ASIDE = 0.25, NEAREST = 0x1p-10, NOTABLY = 0.01;

/* ... or along f, over up to so many times the step, if it moves by so many roundings
 */
static const double WIDEST = 0x1p20, TELLING = 16;

/* ------------------------------------------------------------- verdicts --- */

BRINK__COLD void brink__accumulate(brink_sim *sim, const char *who)
{
  sim->over = BRINK_ZENO;
  sim->stats.zeno_points++;
  brink__fail_at(
      &sim->err, BRINK_ZENO, sim->t,
      "events accumulate at t = %.15g (Zeno): '%s' fires again and again and time "
      "cannot move on; give the model a mode for what follows",
      sim->t, who);
}

/* Are events put beside their zeros by no more than rounding? */
static int by_rounding(const brink_sim *sim)
{
  return !sim->locator->rough && sim->opt.event_tol == 0;
}

/* The same, because guard k was put beside its zero, and its next event is lost. */
BRINK__COLD static void swallow(brink_sim *sim, int k)
{
  const mode_run *run = brink__run(sim);
  double beside = fabs(run->g_from[k]);

  if (by_rounding(sim)) {
    brink__accumulate(sim, run->guards.info[k].name);
    return;
  }
  sim->over = BRINK_ZENO;
  sim->stats.zeno_points++;
  if (sim->locator->rough)
    brink__fail_at(
        &sim->err, BRINK_ZENO, sim->t,
        "from t = %.15g on events follow each other closer than the locator '%s' "
        "can tell (Zeno, or too coarse a locator): it has put '%.60s' %.3g beside "
        "its zero, and the next one is lost; choose one that iterates, or give "
        "the model a mode for what follows",
        sim->t, sim->locator->name, run->guards.info[k].name, beside);
  else
    brink__fail_at(
        &sim->err, BRINK_ZENO, sim->t,
        "from t = %.15g on events follow each other closer than event_tol = %g "
        "can tell (Zeno, or too coarse a tolerance): '%.60s' was put %.3g beside "
        "its zero, and the next one is lost; choose a finer one, or give the "
        "model a mode for what follows",
        sim->t, sim->opt.event_tol, run->guards.info[k].name, beside);
}

/* --------------------------------------------------------- stands still --- */

void brink__note_crossings(brink_sim *sim, const due_set *due)
{
  size_t ng = (size_t)sim->model->modes[sim->mode].n_guards;

  if (due->kind != BRINK_KIND_CROSSING)
    return;
  if (sim->t != sim->t_instant) {
    sim->bounced = 0;
    brink__copy_bytes(sim->crossed, due->hit, ng);
    return;
  }
  for (size_t k = 0; k < ng; k++)
    if (due->hit[k]) {
      int again = sim->crossed[k] * due->hit[k] > 0;
      sim->crossed[k] = (signed char)(again ? 2 * due->hit[k] : due->hit[k]);
      sim->bounced |= again;
    }
}

int brink__stands_still(brink_sim *sim, const due_set *due, const brink__instant *inst,
                        double t_last)
{
  if (due->kind == BRINK_KIND_START) /* what follows from an event at the same time */
    return 0;
  int again = inst->t - t_last <= ONE_TIME * fabs(inst->t) && inst->n_fired > 0 &&
              inst->fired[inst->n_fired - 1] >= 0;

  sim->still = again ? sim->still + 1 : 0;
  if (sim->still < STILL)
    return 0;
  brink__accumulate(sim, sim->model->ops->event_name(sim->model, inst->mode,
                                                     inst->fired[inst->n_fired - 1]));
  return 1;
}

/* ----------------------------------------------------- kept by rounding --- */

/* Is the way of the guard between two events, `gap` apart, no more than rounding? */
static int is_rounding(brink_sim *sim, const brink_step *step, const brink__hit *hit,
                       double theta, double gap)
{
  brink__guards *g = &brink__run(sim)->guards;
  double t = brink__time_at(step, theta), delta;
  int guess = sim->locator->rough && hit->width * fabs(step->h) > GUESS * gap;
  brink_certificate how;
  brink__poly p;
  brink_err ignored;

  if (gap <= LITTLE * DBL_EPSILON * fabs(t))
    return 1;
  if (brink__guard_expand(g, hit->guard, step, &p, &how, &ignored) < 0 ||
      how == BRINK_SAMPLED)
    return 0;
  double way = fabs(brink__poly_slope(&p, theta) / step->h) * gap;
  return brink__guard_rounding(g, hit->guard, t, sim->y_before, sim->noise, sim->far,
                               &delta, &ignored) == BRINK_OK &&
         way <= (guess ? ROUGHLY : LITTLE) * delta;
}

BRINK__APART int brink__kept_by_rounding(brink_sim *sim, const brink_step *step, int i,
                                         int end, double theta)
{
  const brink__hit *v = brink__run(sim)->hits.v;
  double gap = brink__time_at(step, theta) - sim->t_event;

  brink__noise_at(sim, step, theta, 0, sim->y_before);
  for (; i < end; i++)
    if (v[i].kind == BRINK_KIND_CROSSING && is_rounding(sim, step, &v[i], theta, gap))
      return v[i].guard;
  return -1;
}

/* -------------------------------------------------------- falls through --- */

/* Does guard k set out against dir, as far as can be seen? */
static int sets_out(brink_sim *sim, const brink_step *step, int k, int dir)
{
  brink__guards *g = &brink__run(sim)->guards;
  brink__poly p;
  brink_certificate how;
  brink_err ignored;

  return brink__guard_expand(g, k, step, &p, &how, &ignored) == BRINK_OK &&
         p.form == BRINK__MONOMIAL && p.degree > 0 && p.c[1] * dir < 0;
}

BRINK__APART int brink__falls_through(brink_sim *sim, const brink_step *step)
{
  const mode_run *run = brink__run(sim);
  const brink__hits *hits = &run->hits;
  int shrink = brink__stays_shrink(run);

  for (int k = 0; k < run->guards.n; k++) {
    int once = (sim->crossed[k] > 0) - (sim->crossed[k] < 0), returns = 0;
    int dir = shrink ? once : sim->crossed[k] / 2;
    if (!dir || !run->guards.fresh[k] || hits->start_sign[k] != dir)
      continue;
    for (int i = 0; i < hits->n; i++)
      returns |= hits->v[i].guard == k;
    if (returns || (!(sim->crossed[k] / 2) && !sets_out(sim, step, k, dir)))
      continue;
    brink__accumulate(sim, run->guards.info[k].name);
    return 1;
  }
  return 0;
}

/* ------------------------------------------------------------ swallowed --- */

void brink__none_beside(brink_sim *sim)
{
  memset(sim->beside, 0, (size_t)sim->model->max_guards);
  sim->any_beside = 0;
}

/* Would the run stop or act if guard k came back and crossed once more? */
static int would_fire(brink_sim *sim, int k, int dir)
{
  const brink_model *m = sim->model;
  size_t ng = (size_t)brink__run(sim)->guards.n;

  memcpy(sim->sign_a, brink__run(sim)->hits.start_sign, ng);
  memcpy(sim->sign_b, sim->sign_a, ng);
  sim->sign_a[k] = (signed char)-dir;
  sim->sign_b[k] = (signed char)dir;
  return m->ops->triggers(m, sim->live, sim->mode, sim->sign_a, sim->sign_b) ==
         BRINK__ACTS;
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

/* Which way does guard k go at theta, 0 or 1?  By the slope of its polynomial; where
 * that is 0, since the polynomial leaves out what is below its rounding, by values. */
static int way_of(brink_sim *sim, const brink_step *step, int k, const brink__poly *p,
                  double theta)
{
  brink__guards *g = &brink__run(sim)->guards;
  double slope = brink__poly_slope(p, theta), here, there;
  brink_err ignored;

  if (brink__guard_at(g, k, step, theta, &here, &ignored) < 0)
    return 0;
  for (double d = ASIDE; slope == 0 && d >= NEAREST; d *= ASIDE) {
    if (brink__guard_at(g, k, step, theta > 0 ? 1 - d : d, &there, &ignored) < 0)
      return 0;
    if (fabs(there - here) > NOTABLY * fabs(here))
      slope = theta > 0 ? here - there : there - here;
  }
  return (slope > 0) - (slope < 0);
}

/* Which way does guard k set out at the start of the step?  Looked at along f, at t and
 * 2 t, as far as it takes to tell from rounding: the step itself may be too short for
 * that. */
static int way_along_f(brink_sim *sim, const brink_step *step, int k)
{
  brink__guards *g = &brink__run(sim)->guards;
  size_t n = step->n;
  double *y = sim->sides, *f = y + n, *x = f + n, *noise = x + n, value[3], delta;
  brink_err ignored;

  brink_step_at(step, 0, y);
  for (size_t i = 0; i < n; i++)
    noise[i] = 4 * DBL_EPSILON * fabs(y[i]);
  if (brink__f(brink__integrator_gate(brink__run(sim)->it), step->t0, y, f) !=
          BRINK_OK ||
      brink__guard_rounding(g, k, step->t0, y, noise, BRINK__FAR, &delta, &ignored) < 0)
    return 0;
  for (double tau = step->h; fabs(tau) <= WIDEST * fabs(step->h); tau *= 4) {
    for (int j = 0; j < 3; j++) {
      for (size_t i = 0; i < n; i++)
        x[i] = y[i] + j * tau * f[i];
      if (brink__guard_value(g, k, step->t0 + j * tau, x, &value[j], &ignored) < 0)
        return 0;
    }
    double moved = 2 * (value[1] - value[0]) - 0.5 * (value[2] - value[0]);
    if (fabs(moved) > TELLING * delta)
      return (moved > 0) - (moved < 0);
  }
  return 0;
}

/* An event of guard k, in direction dir, was put beside its zero.  1: the guard set out
 * to come back, but is seen on the far side only and going away, so that what the
 * locator was wrong by has swallowed the next event; 0: not yet; -1: it is back, or
 * does not want to come. */
static int is_swallowed(brink_sim *sim, const brink_step *step, int k, int dir)
{
  mode_run *run = brink__run(sim);
  brink_certificate how;
  brink__poly p;
  brink_err ignored;
  double last;

  int met = met_again(&run->hits, k);
  if (met)
    return met < 0 && would_fire(sim, k, dir) ? 1 : -1;
  if (run->hits.start_sign[k] == -dir ||
      brink__guard_expand(&run->guards, k, step, &p, &how, &ignored) < 0 ||
      how == BRINK_SAMPLED)
    return -1;
  if (brink__guard_at(&run->guards, k, step, 1, &last, &ignored) < 0)
    return -1;
  if (run->guards.fresh[k] && step->t0 == sim->t_event) {
    int small = by_rounding(sim) || brink__stays_dwindle(run);
    int way = small ? way_along_f(sim, step, k) : way_of(sim, step, k, &p, 0);
    if (way * dir >= 0)
      return -1;
  }
  if (!(way_of(sim, step, k, &p, 1) * dir > 0 && last * dir > 0))
    return 0;
  return would_fire(sim, k, dir) ? 1 : -1;
}

BRINK__APART int brink__swallows(brink_sim *sim, const brink_step *step)
{
  sim->any_beside = 0;
  for (int k = 0; k < brink__run(sim)->guards.n; k++) {
    int is = sim->beside[k] ? is_swallowed(sim, step, k, sim->beside[k]) : -1;
    if (is > 0) {
      swallow(sim, k);
      return 1;
    }
    if (is < 0)
      sim->beside[k] = 0;
    else
      sim->any_beside = 1;
  }
  return 0;
}
