/* approach.c -- coming to a guard without passing it.
 *
 * A guard is looked at ahead if it belongs to a unilateral event (f does not exist
 * beyond), if f has just refused an argument at which its frozen relation would have
 * flipped (watch.refused), or if the locator predicts.  Before each step these are read
 * along the predicted polynomial, which needs no evaluation of f ahead, and the step
 * is made to end where the first of them has fallen to gamma times its value:
 *
 *   P(h) = g^p(h) - gamma g_k = 0,  smallest positive root  [EK07, (13), (15)].
 *
 * gamma is at least (eps/C) |dg/dx| / |g_k| for unilateral events, so that the error
 * of the step cannot carry it past [EK07, (20)], and minus that for others, so that
 * the event is crossed and triggers [EK07, remark 2.7].  The gate does the rest: what
 * the prediction gets wrong is refused and retried.
 *
 * Arrival: within eps_g of the zero, touch included; or when no step is small enough.
 */
#include "hybrid/policies.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* gamma of a unilateral event inside the tolerance: each step halves the distance */
static const double GAIN_MOST = 0.5;

/* A guard that may be crossed is crossed by this many rounding bounds, so that the end
 * of the step shows the new sign. */
static const double CLEARLY = 8;

/* Slopes of a guard by differences over this many smallest steps, twelve bits above the
 * rounding of t. */
static const double SLOPE_SPAN = 0x1p12;

/* On the last hundredth of the way to a guard its speed decides how strict the
 * tolerance has to be; before that the average speed is as good. */
static const double LAST = 0.01;

/* A stretch along which a guard cannot be read is cut to this part, so often at most:
 * to a millionth. */
static const double SHORTEN = 0.25;
enum { SHORTER = 10 };

/* The speed at the end of a predicted step is that over this part of the step. */
static const double SPEED_SPAN = 0x1p-6;

/* No part of the tolerance below STRICTEST is asked for (the number of steps grows with
 * its fifth root), nor a tolerance below ROUNDING, which no step can meet. */
static const double STRICTEST = 1e-3, ROUNDING = 0x1p8 * DBL_EPSILON;

/* Flights of bodies are followed if they are no higher than so many tolerances, by
 * steps of this part of them: the error of the first one, of order 1, is a 16th of the
 * height. */
static const double SHOWN = 64, FLIGHT_STEP = 0x1p-3;

/* Errors of steps add up: the state is taken to be known to this many tolerances. */
static const double ADDED_UP = 100;

/* Where no step is small enough, a zero that lies this many smallest steps ahead is
 * reached: that is 1e-11 of t, below what the tolerance can resolve. */
static const double REACHED = 0x1p16;

/* To tell which guard comes first, guards are read along the prediction to LOOSE of the
 * tolerance, which is what the prediction is good for, and their zeros to ROOT_TOL of
 * the step; the zero that is aimed at is refined afterwards. */
static const double LOOSE = 0.1, ROOT_TOL = 0x1p-16;

/* With the gate held open nothing is kept from being passed. */
static int unilateral(const brink_sim *sim, int k)
{
  return sim->opt.gate && sim->model->ops->guard_side(sim->model, sim->live, sim->mode,
                                                      k) == BRINK_BEFORE;
}

int brink__must_stay(const brink_sim *sim, int k)
{
  return sim->regime->guards.watch[k].refused || unilateral(sim, k);
}

static int looks_ahead(const brink_sim *sim, int k)
{
  return sim->locator->predicts || brink__must_stay(sim, k);
}

/* Has the last step shown that a step of length h reaches no zero? */
static int all_clear(const brink_sim *sim, brink__regime *r, double h)
{
  return sim->locator->predicts && brink__guards_ahead(&r->guards, h) == 0;
}

/* ------------------------------------------------------------- predict ---- */

/* What the tolerance lets guard k be wrong by: sum |dg/dy_i| tol_i. */
static brink_status slack(brink_sim *sim, int k, double *out)
{
  brink__regime *r = sim->regime;
  size_t n = r->info->n;
  double *tol = brink__work_row(sim, 0);

  for (size_t i = 0; i < n; i++)
    tol[i] = brink__integrator_tolerance(r->it, i, sim->y[i]);
  return brink__guard_rounding(&r->guards, k, sim->t, sim->y, tol, 1, out, &sim->err);
}

/* delta: what g, read ahead, is uncertain by. */
static brink_status gain(brink_sim *sim, int k, double g, double delta, double *gamma)
{
  double s;

  *gamma = sim->opt.gain;
  if (*gamma >= 0)
    return BRINK_OK;
  BRINK_TRY(slack(sim, k, &s));
  if (brink__must_stay(sim, k))
    *gamma = brink__min(s / fabs(g), GAIN_MOST);
  else
    *gamma = -brink__min(brink__max(s, CLEARLY * delta) / fabs(g), 1);
  return BRINK_OK;
}

/* Guard k along the predicted step; 0: it cannot be read ahead (it may not exist there
 * either), or starts beyond, and sets no limit. */
static int foresee(brink_sim *sim, int k, const brink_step *ahead, double loose,
                   brink__poly *p)
{
  brink__regime *r = sim->regime;
  brink_certificate how;
  brink_err ignored;

  int known =
      sim->locator->extra_states &&
      brink__guard_extra_state(&r->guards, k, brink__integrator_last(r->it), ahead, p);
  if (!known &&
      (brink__guard_foresee(&r->guards, k, ahead, loose, p, &how, &ignored) < 0 ||
       how == BRINK_SAMPLED))
    return 0;
  return brink__poly_eval(p, 0) * r->guards.watch[k].sign > 0;
}

/* An error of the state is an error of the event's time, the larger the slower the
 * guard moves; where it comes to rest (x' = -sqrt(x) at 0) the tolerance says nothing
 * about the time.  So what part of the tolerance is left to guard k that at time t, on
 * the last part of the way, is slower than it was on the average since the restart: the
 * part that its speed is of that, but not less than the part of the way that is left.
 */
static double strictness(const brink_sim *sim, int k, double t, double g, double speed)
{
  double way = fabs(g - sim->regime->guards.watch[k].g);

  if (!(fabs(g) < LAST * way))
    return 1;
  double part = brink__max(speed * (t - sim->t_event), fabs(g)) / way;
  return brink__min(brink__max(part, brink__max(STRICTEST, ROUNDING / sim->opt.rtol)),
                    1);
}

/* The same for the end of a step that is to end at theta of the predicted one, where
 * the guard, whose polynomial there is zero, will have come to g. */
static double strictness_at(const brink_sim *sim, int k, const brink_step *ahead,
                            const brink__poly *p, double theta, double g)
{
  double back = SPEED_SPAN * theta, speed = fabs(brink__poly_eval(p, theta - back)) /
                                            brink__max(back * ahead->h, DBL_MIN);

  return strictness(sim, k, ahead->t0 + theta * ahead->h, g, speed);
}

/* Where guard k, which has a zero at *theta of the predicted step, comes to gamma times
 * its value: before the zero, or behind it.  A guard too noisy to be read to rounding
 * is taken as it was read first, or *theta, a guess that may be 0, would be the step.
 */
static brink_status aim(brink_sim *sim, int k, const brink_step *ahead, double *theta)
{
  brink__poly p;
  double gamma;

  if (!foresee(sim, k, ahead, 0, &p) &&
      !foresee(sim, k, ahead, LOOSE * sim->opt.rtol, &p))
    return BRINK_OK;
  double g = brink__poly_eval(&p, 0);
  BRINK_TRY(gain(sim, k, g, brink__poly_bound(&p, *theta), &gamma));
  sim->regime->guards.row[0] -= gamma * g; /* the constant of either form */
  *theta = brink__min(brink__poly_first_root(&p, 0), 1);
  if (gamma >= 0)
    brink__integrator_strict(
        sim->regime->it,
        brink__min(sim->regime->strict,
                   strictness_at(sim, k, ahead, &p, *theta, gamma * g)));
  return BRINK_OK;
}

int brink__matters(const brink_sim *sim, const brink__due *due)
{
  const brink_model *m = sim->model;
  const brink__regime *r = sim->regime;

  if (r->gated && m->ops->beyond(m, sim->live, sim->mode, due->after))
    return 1;
  for (int k = 0; k < r->guards.n; k++)
    if (r->guards.watch[k].refused && due->after[k] != due->before[k])
      return 1;
  return sim->locator->predicts && r->over(r, due->before, due->after) != BRINK__SILENT;
}

void brink__no_change(const brink_sim *sim, brink__due *due)
{
  brink__signs(sim, due->before);
  memcpy(due->after, due->before, (size_t)sim->regime->guards.n);
}

/* Zeros of the guards along the predicted step, in order.  0: some guard cannot be read
 * so far ahead. */
static int foresee_all(brink_sim *sim, const brink_step *ahead)
{
  brink__regime *r = sim->regime;
  int all = 1;

  r->hits.n = 0;
  brink__guards_step(&r->guards);
  for (int k = 0; k < r->guards.n; k++) {
    const brink__watch *w = &r->guards.watch[k];
    brink__poly p;
    if (!looks_ahead(sim, k) || w->sign == 0 || w->clear)
      continue;
    if (!foresee(sim, k, ahead, LOOSE * sim->opt.rtol, &p)) {
      all = 0;
      continue;
    }
    double theta = brink__poly_first_root(&p, ROOT_TOL);
    if (theta <= 1)
      brink__hits_add(&r->hits, &(brink__hit){.guard = k, .theta = theta});
  }
  return all;
}

/* The zeros ahead along a step of length h, or less; *ahead.  0: nothing is predicted.
 * While the locator takes steps towards a guard that swings, the method would step over
 * many of its zeros, and cannot read it so far ahead: then a shorter stretch is looked
 * at, or the locator would lose sight of the zero it goes to and begin anew. */
static int predict(brink_sim *sim, double h, brink_step *ahead)
{
  brink__regime *r = sim->regime;

  for (int i = 0;; i++) {
    int degree = brink__integrator_predict(r->it, h, r->ahead);
    if (degree == 0)
      return 0;
    *ahead = (brink_step){sim->t, h, sim->t + h, r->info->n, degree, r->ahead};
    if (foresee_all(sim, ahead) || !sim->taken_over || r->hits.n > 0 || i == SHORTER)
      return 1;
    h *= SHORTEN;
  }
}

/* Look ahead, and shorten the step so that it ends on what is seen. */
BRINK__APART static brink_status look_ahead(brink_sim *sim, double t_limit)
{
  brink__regime *r = sim->regime;
  brink__due *due = &sim->due;
  double h = brink__min(brink__integrator_proposed(r->it), t_limit - sim->t);
  brink_step ahead;

  if (!(h > 0) || all_clear(sim, r, h) || !predict(sim, h, &ahead))
    return BRINK_OK;
  h = ahead.h;

  /* the first of them that matters; a combination may need several */
  brink__no_change(sim, due);
  for (int i = 0; i < r->hits.n; i++) {
    double theta = r->hits.v[i].theta;
    int k = r->hits.v[i].guard;
    brink__flip(due, k);
    if (!brink__matters(sim, due))
      continue;
    r->toward = k;
    r->theta = theta;
    r->predicted = ahead;
    if (brink__takes_steps(sim) && !brink__must_stay(sim, k))
      break; /* if the locator declines, the event is located behind the step */
    BRINK_TRY(aim(sim, k, &ahead, &theta));
    brink__integrator_cap(r->it, brink__max(theta * h, brink__integrator_least(r->it)));
    r->wanted = h;
    break;
  }
  return BRINK_OK;
}

/* The laws here, f, and after tau on a straight line, at y: later.  0: there is none.
 */
static int laws_ahead(brink_sim *sim, double tau, double *f, double *y, double *later)
{
  brink__regime *r = sim->regime;

  if (brink__f(&r->probe, sim->t, sim->y, f) != BRINK_OK)
    return 0;
  for (size_t i = 0; i < r->info->n; i++)
    y[i] = sim->y[i] + tau * f[i];
  return brink__f(&r->probe, sim->t + tau, y, later) == BRINK_OK;
}

/* A flight that the last event has begun: guard k sets out from here, no farther from
 * its zero than the flight is high, and these laws lead it back; its length.  0: none,
 * or higher than that. */
static double flight_of(brink_sim *sim, int k, double tau, double high, const double *f,
                        const double *y, const double *f_later)
{
  brink__guards *g = &sim->regime->guards;
  double first, later, t = sim->t;

  if (!brink__guard_rate(g, k, t, sim->y, f, tau, &first) ||
      !brink__guard_rate(g, k, t + tau, y, f_later, tau, &later))
    return 0;
  double bend = (later - first) / tau;
  if (!(first * bend < 0))
    return 0;
  double height = 0.5 * fabs(first * first / bend);
  return height >= fabs(g->watch[k].g) && height <= high ? 2 * fabs(first / bend) : 0;
}

/* A method that chooses its steps itself and begins with order 1 (BDF) leaves nothing
 * of a flight that is lower than its tolerance, not even the sign of the guard, and the
 * body falls through: until it is back, steps are no longer than a part of it. */
static void find_flights(brink_sim *sim)
{
  brink__regime *r = sim->regime;
  double *tolerance = brink__work_row(sim, 2), *f = brink__work_row(sim, 0),
         *y = brink__work_row(sim, 1), *later = brink__work_row(sim, 3), delta,
         tau = sim->h_last;
  int known = 0;
  brink_err ignored;

  r->flight = HUGE_VAL;
  if (!(brink__integrator_acting(r->it)->flags & BRINK__OWN_STEP) || !(tau > 0))
    return;
  for (size_t i = 0; i < r->info->n; i++)
    tolerance[i] = brink__integrator_tolerance(r->it, i, sim->y[i]);
  for (int k = 0; k < r->guards.n; k++) {
    const brink__watch *w = &r->guards.watch[k];
    if (!w->fresh ||
        brink__guard_rounding(&r->guards, k, sim->t, sim->y, tolerance, 1, &delta,
                              &ignored) < 0 ||
        fabs(w->g) > SHOWN * delta)
      continue;
    if (!known && !laws_ahead(sim, tau, f, y, later))
      return;
    known = 1;
    double length = flight_of(sim, k, tau, SHOWN * delta, f, y, later);
    if (length > 0)
      r->flight = brink__min(r->flight, length);
  }
}

brink_status brink__approach(brink_sim *sim, double t_limit)
{
  brink__regime *r = sim->regime;

  if (sim->t == sim->t_event)
    find_flights(sim);
  r->wanted = 0;
  r->toward = -1;
  r->check.retakes = 0;
  int flies = sim->t < sim->t_event + 2 * r->flight;
  brink__integrator_cap(r->it, flies ? brink__max(FLIGHT_STEP * r->flight,
                                                  2 * brink__integrator_least(r->it))
                                     : HUGE_VAL);
  brink__integrator_strict(r->it, r->strict);
  if (r->guards.n == 0 ||
      !(sim->locator->predicts || r->guards.any_refused || r->gated))
    return BRINK_OK;
  return look_ahead(sim, t_limit);
}

/* ------------------------------------------------------------- arrival ---- */

/* The left limit is set, and is on the zeros of the guards whose signs differ in
 * due->after, within `width`: carry it out. */
static brink_status carry_out(brink_sim *sim, double width, brink__due *due)
{
  brink__guards *g = &sim->regime->guards;
  brink__verdict verdict;

  for (int k = 0; k < g->n; k++) {
    due->hit[k] = (signed char)(due->after[k] != due->before[k] ? due->after[k] : 0);
    brink__watch_refuse(&g->watch[k], 0);
  }
  g->any_refused = 0;
  BRINK_TRY(brink__due_guards(sim, due, sim->t));
  if (brink__zeno_in_band(sim, due, &verdict))
    return brink__conclude(sim, &verdict);
  due->timers = sim->t >= sim->t_next ? sim->timers_due : sim->no_timers;
  due->kind = BRINK_KIND_CROSSING;
  due->at_start = 0;
  due->width = width;
  due->certificate = sim->regime->hits.certificate;
  return brink__instants(sim, due);
}

/* How near to its zero has guard k arrived there? */
static brink_status nearness(brink_sim *sim, const brink__due *due, int k, double *eps)
{
  *eps = sim->opt.eps_g;
  if (*eps > 0)
    return BRINK_OK;
  return brink__guard_rounding(&sim->regime->guards, k, sim->t, due->y, due->noise,
                               due->far, eps, &sim->err);
}

/* Does f here lead guard k, which has a sign, across its zero? */
static int leads_across(brink_sim *sim, const brink_step *step, int k)
{
  brink__regime *r = sim->regime;
  double *f = brink__work_row(sim, 0), rate;

  return brink__f(&r->probe, sim->t, sim->y, f) == BRINK_OK &&
         brink__guard_rate(&r->guards, k, sim->t, sim->y, f, fabs(step->h), &rate) &&
         rate * r->guards.watch[k].sign < 0;
}

/* Guard k is at g after the step, which is no more than eps from its zero: 1.  One that
 * has not left the band of its restart has not come there, but stayed; unless f leads
 * it across, and was refused there: steps that keep on this side may be so short that
 * they do not move the state by a rounding. */
static brink_status arrived(brink_sim *sim, const brink_step *step,
                            const brink__due *due, int k, double *strict, int *is_near)
{
  brink__guards *guards = &sim->regime->guards;
  brink__watch *w = &guards->watch[k];
  double g, eps;

  BRINK_TRY(brink__guard_value(guards, k, sim->t, sim->y, &g, &sim->err));
  BRINK_TRY(nearness(sim, due, k, &eps));
  double speed = fabs(g - w->g_last) / fabs(step->h);
  *strict = brink__min(*strict, strictness(sim, k, sim->t, g, speed));
  brink__watch_step(w, g);
  double band = brink__watch_band(w);
  int stayed = band > 0 && fabs(g) <= band;
  *is_near =
      !(g * w->sign > eps) && (!stayed || (w->refused && leads_across(sim, step, k)));
  return BRINK_OK;
}

brink_status brink__arrive(brink_sim *sim, const brink_step *step, int discontinuity)
{
  brink__regime *r = sim->regime;
  brink__due *due = &sim->due;
  int any = 0, is_near;
  double strict = 1;

  if (r->guards.n == 0 || (!r->guards.any_refused && !r->gated && !discontinuity))
    return BRINK_OK;
  brink__no_change(sim, due);
  brink__copy(due->y, sim->y, step->n);
  due->far = brink__noise_at(step, 1, 0, due->y, due->noise);
  for (int k = 0; k < r->guards.n; k++) {
    brink__watch *w = &r->guards.watch[k];
    int explains = discontinuity && r->guards.info[k].held;
    if (w->sign == 0 || !(w->refused || explains || unilateral(sim, k)))
      continue;
    BRINK_TRY(arrived(sim, step, due, k, &strict, &is_near));
    if (!is_near)
      continue;
    brink__flip(due, k);
    if (explains)
      brink__watch_refuse(w, 1);
    any = 1;
  }
  r->strict = strict;
  return any && brink__matters(sim, due)
             ? carry_out(sim, brink__integrator_least(r->it), due)
             : BRINK_OK;
}

/* ------------------------------------------------------------ refusals ---- */

/* due->after: signs of the guards at the argument that was refused; 1 if one differs.
 */
static int flipped_there(brink_sim *sim, int held_only, brink__due *due)
{
  brink__guards *guards = &sim->regime->guards;
  const brink__gate *gate = brink__integrator_gate(sim->regime->it);
  int flips = 0;
  brink_err ignored;

  brink__no_change(sim, due);
  for (int k = 0; k < guards->n; k++) {
    double g;
    if ((held_only && !guards->info[k].held) || due->before[k] == 0)
      continue;
    if (brink__guard_value(guards, k, gate->t, gate->y, &g, &ignored) == BRINK_OK &&
        g * due->before[k] >= 0)
      continue;
    brink__flip(due, k);
    flips++;
  }
  return flips > 0;
}

void brink__note_refusals(brink_sim *sim)
{
  brink__regime *r = sim->regime;
  brink__due *due = &sim->due;
  const brink__gate *gate = brink__integrator_gate(r->it);

  if (gate->refusals == r->refusals)
    return;
  r->refusals = gate->refusals;
  /* an attempt that failed for other reasons says nothing about where f exists */
  if (gate->blocked || gate->why == BRINK_ESTEP || !flipped_there(sim, 1, due))
    return;
  for (int k = 0; k < r->guards.n; k++)
    if (due->after[k] != due->before[k])
      brink__watch_refuse(&r->guards.watch[k], 1);
  r->guards.any_refused = 1;
}

/* How long until guard k, which is g, is zero, by its slope along the last direction.
 */
static double time_left(brink_sim *sim, int k, double g)
{
  brink__regime *r = sim->regime;
  double *y = brink__work_row(sim, 0);
  double h = sim->h_last, tau = SLOPE_SPAN * brink__integrator_least(r->it), moved;
  int degree = h > 0 ? brink__integrator_predict(r->it, h, r->ahead) : 0;
  brink_err ignored;

  if (degree == 0)
    return HUGE_VAL;
  for (size_t i = 0; i < r->info->n; i++)
    y[i] = sim->y[i] - tau / h * r->ahead[i * ((size_t)degree + 1) + 1];
  if (brink__guard_value(&r->guards, k, sim->t - tau, y, &moved, &ignored) < 0)
    return HUGE_VAL;
  double closer = (moved - g) * r->guards.watch[k].sign;
  return closer > 0 ? fabs(g) * tau / closer : HUGE_VAL;
}

/* No step meets the tolerance: f is infinite or all rounding here.  If a unilateral
 * event lies ahead and the tolerance cannot tell the state from it, it is there; so is
 * any relation that is a few of the smallest steps away (f = 1/(1 - x) has no finite
 * slope at x = 1: the time is known when x is not). */
static brink_status as_near_as_can_be(brink_sim *sim, brink_status why)
{
  brink__regime *r = sim->regime;
  brink__due *due = &sim->due;
  double width = 0, least = brink__integrator_least(r->it);

  brink__no_change(sim, due);
  for (int k = 0; k < r->guards.n; k++) {
    brink__watch *w = &r->guards.watch[k];
    double g, within;
    int edge = w->refused || unilateral(sim, k);
    if (w->sign == 0 || !(edge || r->guards.info[k].held))
      continue;
    BRINK_TRY(brink__guard_value(&r->guards, k, sim->t, sim->y, &g, &sim->err));
    BRINK_TRY(slack(sim, k, &within));
    double left = time_left(sim, k, g);
    if (left > REACHED * least &&
        (left == HUGE_VAL || !edge || fabs(g) > ADDED_UP * within))
      continue;
    brink__watch_refuse(w, 1);
    brink__flip(due, k);
    width = brink__max(width, brink__max(left, least));
  }
  if (width == 0)
    return why;
  brink__due_here(sim, due);
  return carry_out(sim, 2 * width, due);
}

/* The state itself is beyond: name the guard that would have to be otherwise. */
static brink_status stands_beyond(brink_sim *sim)
{
  const brink_model *m = sim->model;
  const brink__guards *g = &sim->regime->guards;
  brink__due *due = &sim->due;
  const char *name = "a unilateral event";

  brink__no_change(sim, due);
  for (int k = 0; k < g->n; k++) {
    if (!unilateral(sim, k))
      continue;
    brink__flip(due, k);
    if (!m->ops->beyond(m, sim->live, sim->mode, due->after)) {
      name = g->info[k].name;
      break;
    }
    brink__flip(due, k);
  }
  return brink__fail_at(
      &sim->err, BRINK_EDOMAIN, brink__shown(sim, sim->t),
      "at t = %.9g the model is where it does not exist: beyond '%s', "
      "whose side is before",
      brink__shown(sim, sim->t), name);
}

brink_status brink__step_failed(brink_sim *sim, brink_status why)
{
  brink__regime *r = sim->regime;
  brink__due *due = &sim->due;

  if (r->guards.n == 0 || (why != BRINK_EVENT && why != BRINK_EDOMAIN &&
                           why != BRINK_ENAN && why != BRINK_ESTEP))
    return why;
  if (why == BRINK_ESTEP || why == BRINK_ENAN)
    return as_near_as_can_be(sim, why);
  int blocked = brink__integrator_gate(r->it)->blocked;
  if (!flipped_there(sim, !blocked, due))
    return blocked ? stands_beyond(sim) : as_near_as_can_be(sim, why);
  brink__due_here(sim, due);
  return carry_out(sim, brink__integrator_least(r->it), due);
}
