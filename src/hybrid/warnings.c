/* warnings.c -- what the numbers of a run should not be trusted for.
 *
 * A state whose values all lie near its absolute tolerance has no correct digits: the
 * error control looks at nothing but that tolerance.  It mostly is a state in small
 * units (coulombs, moles per litre) without a nominal value, so the run says so. States
 * that are zero all the time, and those that were large once, are left alone; so are
 * those whose errors the user weighs.
 *
 * A step that has passed over a pulse is wrong without a trace in its error estimate.
 * Where a row of output inside the step needs the variables of a text model, f is
 * computed there anyway, and is compared with the derivative of the step polynomial p:
 * h |p' - f| is what the state would be wrong by if the difference lasted for the step.
 * In steps that the error control has understood it is some tens of tolerances.  The
 * worst row of a run is worth a warning, and nothing else follows from it: rows do not
 * change a run.  In stiff steps of implicit methods f shows each error of the states
 * |h lambda| times as large, and so much is expected.
 *
 * A guard of a text model is enclosed along each step where its expression allows that.
 * Where it does not, a crossing and its return between two samples would be missed: the
 * run names the first such guard.  Callbacks, which can only be sampled, are left
 * alone: the certificate says it.
 *
 * Policies that hold guards remark where a solution is not the only one, or is none
 * (classification.c): the first remark of each kind.
 */
#include "hybrid/sim.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "poly/poly.h"

/* Two digits: less is no result. */
static const double RESOLVED = 100;

/* A row is worth a warning if h |p' - f| is above SURPRISED tolerances and |p' - f|
 * above DIFFERENT of the larger of both.  Over the models and methods of the tests, at
 * default tolerances, the first is up to 2e3: where a method oscillates at its limit of
 * stability, or a close encounter falls to one state of many, and then the derivatives
 * agree to four digits.  A step that passes over a pulse of 1e3 tolerances and a tenth
 * of its length has 1e4. */
static const double SURPRISED = 1e4, DIFFERENT = 0.1;

void brink__sizes_forget(brink__regime *r)
{
  r->n_small = r->weight ? 0 : r->info->n;
  for (size_t i = 0; i < r->info->n; i++)
    r->largest[i] = r->info->dependent && r->info->dependent[i] ? HUGE_VAL : 0;
}

void brink__sizes_note(brink_sim *sim)
{
  brink__regime *now = sim->regime, *r = now;
  int held = now->mode != now->shown;
  size_t small = 0;

  if (held) /* its states are those of the mode that it is made of */
    r = brink__regime_find(sim, now->shown);
  for (size_t i = 0; r && r->n_small && i < r->info->n; i++) {
    double size = fabs(sim->y[i]);
    if (size > RESOLVED * brink__integrator_tolerance(r->it, i, 0))
      r->largest[i] = HUGE_VAL;
    else if (size > r->largest[i] && !held) /* what a guard keeps small, it should */
      r->largest[i] = size;
    small += r->largest[i] < HUGE_VAL;
  }
  now->n_small = small;
  if (r)
    r->n_small = small;
}

/* A bound of |p| on the step: a state that passes zero there is as large as it moves.
 */
static double largest_on(const double *c, size_t n)
{
  double sum = 0;

  for (size_t k = 0; k < n; k++)
    sum += fabs(c[k]);
  return sum;
}

void brink__slopes_note(brink_sim *sim, const brink_step *step, double theta)
{
  const brink__regime *r = sim->regime;
  double *f = brink__work_row(sim, BRINK__SLOPES_ROW);
  double amplified = brink__max(1, brink__integrator_h_lambda(r->it));
  size_t w = (size_t)step->degree + 1;

  if (step->h == 0 || r->info->n != step->n || sim->extrapolated ||
      (sim->method->flags & BRINK__FIXED_STEP) ||
      !sim->model->ops->slopes(sim->model, sim->live, sim->mode, f))
    return;
  for (size_t i = 0; i < step->n; i++) {
    const double *c = step->coeff + i * w;
    double moved = brink__horner_derivative(step->degree, c, 1, theta),
           meant = step->h * f[i], off = fabs(moved - meant),
           excess = off / brink__integrator_tolerance(r->it, i, largest_on(c, w)) /
                    amplified;
    if (excess > SURPRISED && excess > sim->outrun.excess &&
        off > DIFFERENT * brink__max(fabs(moved), fabs(meant)))
      sim->outrun = (brink__outrun){excess,  brink__time_at(step, theta),
                                    step->h, moved / step->h,
                                    f[i],    sim->mode,
                                    i};
  }
}

void brink__certificate_note(brink_sim *sim, const brink_step *step)
{
  const brink__hits *hits = &sim->regime->hits;
  int guard = hits->weakest;

  sim->stats.certificate = hits->certificate;
  if (hits->certificate == BRINK_SAMPLED &&
      sim->regime->guards.info[guard < 0 ? 0 : guard].held)
    sim->unbounded =
        (brink__unbounded){sim->locator->name, step->t0, step->t1, sim->mode, guard};
}

/* About the first guard that nothing bounds, or the locator that does not try. */
static const char *unbounded(brink_sim *sim)
{
  const brink__unbounded *u = &sim->unbounded;
  const brink__regime *r = brink__regime_find(sim, u->mode);

  if (u->guard < 0)
    snprintf(sim->warning, sizeof sim->warning,
             "between events guards were only sampled by the locator '%s': zeros may "
             "have been missed; 'isolate' encloses guards",
             u->locator);
  else
    snprintf(
        sim->warning, sizeof sim->warning,
        "the guard of '%.100s' was only sampled, first in the step from t = %.6g to "
        "%.6g, since it cannot be enclosed there: if it crosses zero twice between "
        "two samples, both events are lost; try a smaller h_max",
        r->guards.info[u->guard].name, u->t0, u->t1);
  return sim->warning;
}

/* About the row where steps were farthest from the law. */
static const char *outrun(brink_sim *sim)
{
  const brink__outrun *o = &sim->outrun;
  const brink__regime *r = brink__regime_find(sim, o->mode);

  snprintf(sim->warning, sizeof sim->warning,
           "at t = %.6g the derivative of '%.60s' is %.4g, but %.4g along the step of "
           "%.3g that was taken there: %.1g tolerances of a step; something short may "
           "have been passed over, try a smaller h_max",
           brink__shown(sim, o->t), r->info->states[o->state], brink__shown(sim, o->f),
           brink__shown(sim, o->slope), o->h, o->excess);
  return sim->warning;
}

/* About state i of a regime, in sim->warning. */
static const char *small_state(brink_sim *sim, const brink__regime *r, size_t i)
{
  snprintf(sim->warning, sizeof sim->warning,
           "state '%.80s' is never larger than %.3g, and its absolute tolerance is "
           "%.3g: it has hardly a correct digit; give it a nominal value, or set a "
           "smaller atol",
           r->info->states[i], r->largest[i], brink__integrator_tolerance(r->it, i, 0));
  return sim->warning;
}

void brink__remarks_forget(brink_sim *sim)
{
  for (int i = 0; i < BRINK__REMARKS; i++)
    sim->remark[i][0] = 0;
}

BRINK__COLD void brink__remark(brink_sim *sim, brink__remark_kind kind, const char *fmt,
                               ...)
{
  va_list args;

  if (sim->remark[kind][0])
    return;
  va_start(args, fmt);
  vsnprintf(sim->remark[kind], sizeof sim->remark[kind], fmt, args);
  va_end(args);
}

const char *brink_sim_warning(brink_sim *sim, int number)
{
  const brink_model *m = sim->model;
  const char *text = m->ops->warning(m, sim->live, number);
  int before = 0;

  if (text || !sim->started)
    return text;
  while (m->ops->warning(m, sim->live, before))
    before++;
  number -= before;
  for (size_t k = 0; k < sim->n_regimes; k++) {
    const brink__regime *r = sim->regimes[k];
    int own = r->mode == r->shown; /* sizes while a guard is held count there */
    for (size_t i = 0; own && r->n_small && i < r->info->n; i++)
      if (r->largest[i] > 0 && r->largest[i] < HUGE_VAL && number-- == 0)
        return small_state(sim, r, i);
  }
  if (sim->unbounded.locator && number-- == 0)
    return unbounded(sim);
  for (int i = 0; i < BRINK__REMARKS; i++)
    if (sim->remark[i][0] && number-- == 0)
      return sim->remark[i];
  return sim->outrun.excess > 0 && number == 0 ? outrun(sim) : NULL;
}
