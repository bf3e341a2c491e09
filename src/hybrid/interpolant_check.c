/* interpolant_check.c -- is the polynomial of a step good enough where an event would
 * cut it?
 *
 * The error control of a step looks at its end.  Inside, the polynomial is mostly wrong
 * by a fraction of the tolerance, but now and then by several (the estimate passed
 * through zero, and the step is too long), and at the limit of stability by hundreds:
 * there it oscillates, and crosses guards that the solution never reaches.
 *
 * The defect d = p' - f along the polynomial p tells [Enr00].  With p exact at the
 * start, and d = 0 there, its error at theta is to leading order
 *
 *   e = h (integral of d from 0 to theta) = h theta/6 (4 d(theta/2) + d(theta)),
 *
 * two evaluations of f for an event.  There is no check where the last terms of the
 * polynomial are small against the tolerance, as in free flight.  Where |e| is more
 * than a quarter of the tolerance (degree 4; less for better polynomials, which are to
 * stay better), or the guard crosses along p while f leads it back, the step is taken
 * again, to just behind the event: near its end a step is as good as its error
 * control.  If the event is not in the new step, it was none, or is found by the next.
 *
 * Limits: e is the first term of a series in h times the Lipschitz constant of f; where
 * that is large e is far too large as well, and it is the sign of an error, not its
 * size, that counts.  Methods of fixed steps have no tolerance to measure with.  Of
 * those that choose their steps themselves only the direction of the guard is looked
 * at, and with the option restep off as well: a first step of order 1 is wrong by more
 * than a small flight is high, and leads a ball into the floor whose speed still leads
 * it away.  Where f must not be called beyond an event, steps end on it (approach.c).
 */
#include "hybrid/sim.h"

#include <math.h>

/* A step is taken again so many times at most: each time it is shorter by a half or
 * ends at the event, and what is left after eight is as good as it gets. */
enum { TRIES = 8 };

/* Terms of third and higher degree below this many tolerances, in the middle of a step,
 * need no check: the polynomial is wrong by less than they are. */
static const double TRUSTED = 1;

/* A first step after a restart has no error history; it is checked where its higher
 * terms are as large as the states. */
static const double LARGE = 1;

/* Errors below so many tolerances, over 2^degree, are no reason to take a step again:
 * a quarter of the tolerance at degree 4. */
static const double ENOUGH = 4;

/* In the last sixteenth of a step the polynomial is as good as the end of the step,
 * which the error control has accepted, unless it is off by WILD tolerances. */
static const double LAST = 0x1p-4, WILD = 32;

/* A step that is taken again ends a hundredth behind the event, so that the event is
 * in it although its time changes a little. */
static const double BEHIND = 1 + 0x1p-7;

void brink__check_init(const brink_sim *sim, brink__regime *r)
{
  double *most = &r->check.trusted_below;
  unsigned flags = brink__integrator_method(r->it)->flags;
  int off = sim->opt.restep == BRINK_RESTEP_OFF,
      may_have_own_steps = (flags & (BRINK__OWN_STEP | BRINK__CHOOSES)) != 0;

  *most = HUGE_VAL;
  if ((off && !may_have_own_steps) || r->info->unilateral > 0 ||
      (flags & BRINK__FIXED_STEP))
    return;
  for (size_t i = 0; i < r->info->n; i++)
    *most = brink__min(*most, TRUSTED * brink__integrator_tolerance(r->it, i, 0));
}

/* Are the terms from the third on less than so many tolerances? */
static int higher_terms_below(const brink_sim *sim, const brink_step *step, double most)
{
  const brink_integrator *it = sim->regime->it;
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

/* The defect at one place of a step, with what it was computed from. */
typedef struct sample {
  double *y, *f; /* [n] state and derivative there                                  */
  double *e;     /* [n] weighted sum of defects, times h                            */
} sample;

static sample sample_rows(const brink_sim *sim, size_t n)
{
  sample s = {brink__work_row(sim, 0), brink__work_row(sim, 1),
              brink__work_row(sim, 2)};

  for (size_t i = 0; i < n; i++)
    s.e[i] = 0;
  return s;
}

/* Add weight times the defect at theta to s->e.  0: f has no value there. */
static int add_defect(brink_sim *sim, const brink_step *step, double theta,
                      double weight, sample *s)
{
  const double *c = step->coeff;
  int degree = step->degree;

  brink_step_at(step, theta, s->y);
  if (brink__f(&sim->regime->probe, step->t0 + theta * step->h, s->y, s->f) != BRINK_OK)
    return 0;
  for (size_t i = 0; i < step->n; i++, c += degree + 1)
    s->e[i] +=
        weight * (brink__horner_derivative(degree, c, 1, theta) - step->h * s->f[i]);
  return 1;
}

static double in_tolerances(const brink_sim *sim, const brink_step *step,
                            const double *e)
{
  const brink_integrator *it = sim->regime->it;
  size_t w = (size_t)step->degree + 1;
  double most = 0;

  for (size_t i = 0; i < step->n; i++)
    most = brink__max(most, fabs(e[i]) /
                                brink__integrator_tolerance(it, i, step->coeff[i * w]));
  return most;
}

/* Does f at theta, with the sample there, lead the guard of the hit back to where it
 * came from, by more on the way there than it is uncertain by?  A guard that rests
 * after a jump, or is flat, does not. */
static int leads_back(brink_sim *sim, const brink_step *step, const brink__hit *hit,
                      double theta, const sample *s)
{
  brink__guards *g = &sim->regime->guards;
  double way = theta * step->h, t = step->t0 + way, rate, delta;
  brink_err ignored;

  if (!brink__guard_rate(g, hit->guard, t, s->y, s->f, step->h, &rate) ||
      rate * hit->dir > 0)
    return 0;
  brink__guards_step(g);
  return brink__guard_noise(g, hit->guard, step, &delta, &ignored) == BRINK_OK &&
         fabs(rate * way) > delta;
}

/* The length of the step to take instead, 0: none; see brink__check_hit. */
static double better_length(brink_sim *sim, const brink_step *step,
                            const brink__hit *hit)
{
  const brink_method *m = brink__integrator_acting(sim->regime->it);
  double theta = hit->theta, h = step->h, error = 0;
  int multistep = (m->flags & BRINK__MULTISTEP) != 0;
  sample s = sample_rows(sim, step->n);

  if ((!multistep && !add_defect(sim, step, theta / 2, 4 * theta / 6, &s)) ||
      !add_defect(sim, step, theta, theta / 6, &s))
    return 0;
  if (!multistep)
    error = in_tolerances(sim, step, s.e);
  if (leads_back(sim, step, hit, theta, &s))
    return h * theta / 2;
  if (theta > 1 - LAST)
    return error > WILD ? h / 2 : 0;
  return error > ldexp(ENOUGH, -step->degree) ? h * theta * BEHIND : 0;
}

/* Does the method choose its steps itself? */
static int has_own_steps(const brink_sim *sim)
{
  return (brink__integrator_acting(sim->regime->it)->flags & BRINK__OWN_STEP) != 0;
}

/* Is the polynomial of the method at work looked at? */
static int looks_at_polynomial(const brink_sim *sim)
{
  return !has_own_steps(sim) && sim->opt.restep != BRINK_RESTEP_OFF;
}

/* better_length() for a method that chooses its steps itself, whose errors nobody else
 * measures: only where its step leads the guard across and f leads it back. */
static double resolving_length(brink_sim *sim, const brink_step *step,
                               const brink__hit *hit)
{
  sample s = sample_rows(sim, step->n);

  return add_defect(sim, step, hit->theta, 0, &s) &&
                 leads_back(sim, step, hit, hit->theta, &s)
             ? step->h * hit->theta / 2
             : 0;
}

/* The same where a guard leaves the zero of a restart, and its polynomial is back there
 * within the step: its slope at the beginning may be no more than the error of the
 * polynomial, if that of the solution is 0.  Halfway to its return f tells. */
static double departing_length(brink_sim *sim, const brink_step *step,
                               const brink__hit *hit)
{
  const brink__hits *hits = &sim->regime->hits;
  double theta = 0;
  sample s = sample_rows(sim, step->n);

  for (int i = hits->n - 1; i >= 0 && &hits->v[i] != hit; i--)
    if (hits->v[i].guard == hit->guard)
      theta = hits->v[i].theta / 2;
  return theta > 0 && add_defect(sim, step, theta, 0, &s) &&
                 leads_back(sim, step, hit, theta, &s)
             ? step->h * theta
             : 0;
}

/* May the step be taken again? */
static int may_retake(const brink_sim *sim)
{
  const brink__check *c = &sim->regime->check;

  return c->trusted_below < HUGE_VAL && c->retakes < TRIES;
}

int brink__check_hit(brink_sim *sim, const brink_step *step, const brink__hit *hit)
{
  brink__check *c = &sim->regime->check;
  double theta = hit->theta;

  c->h = 0;
  if (!may_retake(sim))
    return 0;
  if (theta == 0)
    c->h = departing_length(sim, step, hit);
  else if (has_own_steps(sim))
    c->h = resolving_length(sim, step, hit);
  else if (looks_at_polynomial(sim) &&
           !higher_terms_below(sim, step, TRUSTED / (4 * theta * (1 - theta))))
    c->h = better_length(sim, step, hit);
  if (step->t0 + c->h == step->t0) /* the event is at the next number after t0 */
    c->h = 0;
  return c->h != 0;
}

int brink__check_first(brink_sim *sim, const brink_step *step)
{
  brink__check *c = &sim->regime->check;

  if (!may_retake(sim) || !looks_at_polynomial(sim) ||
      higher_terms_below(sim, step, LARGE / sim->opt.rtol))
    return 0;
  sample s = sample_rows(sim, step->n);
  c->h = step->h / 2;
  return add_defect(sim, step, 0.5, 4. / 6, &s) && in_tolerances(sim, step, s.e) > WILD;
}

int brink__check_all(brink_sim *sim, const brink_step *step)
{
  brink__check *c = &sim->regime->check;

  c->h = step->h / 2;
  return may_retake(sim) && looks_at_polynomial(sim) &&
         !higher_terms_below(sim, step, TRUSTED);
}

int brink__retake_step(brink_sim *sim, brink_step *step)
{
  brink__regime *r = sim->regime;
  double wanted = brink__max(r->wanted, fabs(step->h)), *y0 = brink__work_row(sim, 0),
         *y1 = brink__work_row(sim, 1);
  size_t w = (size_t)step->degree + 1;

  for (size_t i = 0; i < step->n; i++)
    y0[i] = step->coeff[i * w];
  brink__copy(y1, brink_integrator_state(r->it), step->n);
  r->check.retakes++;
  if (brink__integrator_again(r->it, step->t0, y0, r->check.h, step) < 0) {
    brink__integrator_adopt(r->it, step, y1); /* it stands where that step began */
    r->check.retakes = TRIES;
    return 1;
  }
  r->wanted = wanted;
  brink__integrator_hint(r->it, r->check.h);
  return 0;
}
