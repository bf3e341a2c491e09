/* doubt.c -- is the polynomial of a step good enough where an event would cut it?
 *
 * The error control of a step looks at its end.  Inside, the polynomial is mostly wrong
 * by a fraction of the tolerance, but now and then by several (the estimate passed
 * through zero, and the step is too long), and at the limit of stability by hundreds:
 * there it swings, and crosses guards that the solution never reaches.
 *
 * The defect d = p' - f along the polynomial p tells [Enr00].  With p exact at the
 * start, and d = 0 there, its error at theta is to leading order
 *
 *   e = h (integral of d from 0 to theta) = h theta/6 (4 d(theta/2) + d(theta)),
 *
 * two evaluations of f for an event.  Nobody asks where the last terms of the
 * polynomial are small against the tolerance, as in free flight.  Where |e| is more
 * than a quarter of the tolerance (degree 4; less for better polynomials, which are to
 * stay better), or the guard crosses along p while f leads it back, the step is taken
 * again, to just behind the event: near its end a step is as good as its error
 * control.  If the event is not in the new step, it was none, or is found by the next.
 *
 * Limits: e is the first term of a series in h times the Lipschitz constant of f; where
 * that is large e is far too large as well, and it is the sign of an error, not its
 * size, that counts.  Methods of fixed steps have no tolerance to measure with.  Where
 * f must not be called beyond an event, steps end on it (approach.c).
 */
#include "hybrid/sim.h"

#include <math.h>

enum { TRIES = 8 }; /* for one event */

/* last terms of this many tolerances, in the middle of a step, need no look */
static const double PLAIN = 1;

/* a first step whose last terms are this large, against the states, needs one */
static const double LARGE = 1;

/* errors of this many tolerances, over 2^degree, are no reason to take a step again */
static const double ENOUGH = 4;

/* the last part of a step is as good as its end, unless it is off by so many tolerances
 */
static const double LAST = 0x1p-4, WILD = 32;

/* a step that is taken again ends this much behind the event */
static const double BEHIND = 1 + 0x1p-7;

/* part of the step over which the guard is followed along f */
static const double GLANCE = 0x1p-20;

void brink__doubt_init(const brink_sim *sim, mode_run *run, int mode)
{
  const brink__mode *m = &sim->model->modes[mode];
  int fixed = (brink__integrator_method(run->it)->flags & BRINK__FIXED_STEP) != 0;

  run->doubts = sim->opt.restep != BRINK_RESTEP_OFF && m->unilateral == 0 && !fixed;
  run->plain = HUGE_VAL;
  for (size_t i = 0; run->doubts && i < m->n; i++)
    run->plain =
        brink__min(run->plain, PLAIN * brink__integrator_tolerance(run->it, i, 0));
}

/* Are the terms from the third on less than so many tolerances? */
static int plain(const brink_sim *sim, const brink_step *step, double most)
{
  const brink_integrator *it = brink__run(sim)->it;
  const double *c = step->coeff;
  int degree = step->degree;

  for (size_t i = 0; i < step->n; i++, c += degree + 1) {
    double sum = 0;
    for (int k = 3; k <= degree; k++)
      sum += fabs(c[k]);
    if (sum > most * brink__integrator_tolerance(it, i, c[0]))
      return 0;
  }
  return 1;
}

/* Add weight times the defect at theta to e; y and f there are left behind.  0: f has
 * no value. */
static int defect(brink_sim *sim, const brink_step *step, double theta, double weight,
                  double *e)
{
  double *y = sim->y_before, *f = sim->y_after;
  const double *c = step->coeff;
  int degree = step->degree;
  brink__gate *gate = brink__integrator_gate(brink__run(sim)->it);

  brink_step_at(step, theta, y);
  if (brink__f(gate, step->t0 + theta * step->h, y, f) != BRINK_OK)
    return 0;
  for (size_t i = 0; i < step->n; i++, c += degree + 1) {
    double slope = degree * c[degree];
    for (int k = degree - 1; k >= 1; k--)
      slope = slope * theta + k * c[k];
    e[i] += weight * (slope - step->h * f[i]);
  }
  return 1;
}

static double in_tolerances(const brink_sim *sim, const brink_step *step,
                            const double *e)
{
  const brink_integrator *it = brink__run(sim)->it;
  size_t w = (size_t)step->degree + 1;
  double most = 0;

  for (size_t i = 0; i < step->n; i++)
    most = brink__max(most, fabs(e[i]) /
                                brink__integrator_tolerance(it, i, step->coeff[i * w]));
  return most;
}

/* Does f, as defect() left it, lead the guard back to where it came from? */
static int leads_back(brink_sim *sim, const brink_step *step, const brink__hit *hit)
{
  brink__guards *g = &brink__run(sim)->guards;
  double t = step->t0 + hit->theta * step->h, s = GLANCE * step->h, here, there;
  brink_err ignored;

  if (brink__guard_value(g, hit->guard, t, sim->y_before, &here, &ignored) < 0)
    return 0;
  for (size_t i = 0; i < step->n; i++)
    sim->y_before[i] += s * sim->y_after[i];
  return brink__guard_value(g, hit->guard, t + s, sim->y_before, &there, &ignored) ==
             0 &&
         (there - here) * hit->dir <= 0;
}

/* The size of the step to take instead, 0: none; see brink__doubt. */
static double ask(brink_sim *sim, const brink_step *step, const brink__hit *hit)
{
  const brink_method *m = brink__integrator_method(brink__run(sim)->it);
  double *e = sim->noise, theta = hit->theta, h = step->h, error = 0;
  int multistep = (m->flags & BRINK__MULTISTEP) != 0;

  for (size_t i = 0; i < step->n; i++)
    e[i] = 0;
  if ((!multistep && !defect(sim, step, theta / 2, 4 * theta / 6, e)) ||
      !defect(sim, step, theta, theta / 6, e))
    return 0;
  if (!multistep)
    error = in_tolerances(sim, step, e);
  if (leads_back(sim, step, hit))
    return h * theta / 2;
  if (theta > 1 - LAST)
    return error > WILD ? h / 2 : 0;
  return error > ldexp(ENOUGH, -step->degree) ? h * theta * BEHIND : 0;
}

/* May the step be taken again? */
static int may(const mode_run *run) { return run->doubts && run->again < TRIES; }

int brink__doubt(brink_sim *sim, const brink_step *step, const brink__hit *hit)
{
  mode_run *run = brink__run(sim);

  run->size = 0;
  if (!hit)
    return 0;
  double theta = hit->theta;
  if (may(run) && !plain(sim, step, PLAIN / (4 * theta * (1 - theta))))
    run->size = ask(sim, step, hit);
  return run->size > 0;
}

int brink__doubt_first(brink_sim *sim, const brink_step *step)
{
  mode_run *run = brink__run(sim);
  double *e = sim->noise;

  if (!may(run) || plain(sim, step, LARGE / sim->opt.rtol))
    return 0;
  for (size_t i = 0; i < step->n; i++)
    e[i] = 0;
  run->size = step->h / 2;
  return defect(sim, step, 0.5, 4. / 6, e) && in_tolerances(sim, step, e) > WILD;
}

int brink__doubt_all(brink_sim *sim, const brink_step *step)
{
  mode_run *run = brink__run(sim);

  run->size = step->h / 2;
  return may(run) && !plain(sim, step, PLAIN);
}

int brink__take_again(brink_sim *sim, brink_step *step)
{
  mode_run *run = brink__run(sim);
  double wanted = brink__max(run->wanted, fabs(step->h));
  size_t w = (size_t)step->degree + 1;

  for (size_t i = 0; i < step->n; i++)
    sim->y_before[i] = step->coeff[i * w];
  run->again++;
  if (brink__integrator_exact(run->it, step->t0, sim->y_before, run->size, step) < 0) {
    run->again = TRIES;
    return 1;
  }
  run->wanted = wanted;
  brink__integrator_hint(run->it, run->size);
  return 0;
}
