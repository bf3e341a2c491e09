/* approach.c -- coming to a guard without passing it.
 *
 * A guard is *watched* if it belongs to a unilateral event (f does not exist beyond),
 * if f has just refused an argument at which a frozen relation would have flipped
 * (wary), or if the locator predicts.  Before each step the watched guards are read
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
#include "hybrid/sim.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* gamma of a unilateral event inside the tolerance: halve the distance */
static const double GAIN_MOST = 0.5;

/* a guard is crossed by this many roundings, so that its step shows the new sign */
static const double CLEARLY = 8;

/* the slope of a guard is taken over this many smallest steps, to be seen through the
 * rounding */
static const double GLANCE = 0x1p12;

/* the last part of the way to a guard, where its speed is looked at */
static const double LAST = 0.01;

/* the speed at the end of a predicted step is taken over this part of it */
static const double BACK = 0x1p-6;

/* no part of the tolerance below this is asked for, nor one that is lost in rounding */
static const double STRICTEST = 1e-3, ROUNDING = 0x1p8 * DBL_EPSILON;

/* errors of the steps add up: the state is known to this many times the tolerance */
static const double ADDED_UP = 100;

/* where no step is small enough, what lies this many smallest steps ahead is reached */
static const double REACHED = 0x1p16;

/* to tell which guard comes first, guards are read along the prediction to this part of
 * the tolerance, and their zeros to this part of the step */
static const double LOOSE = 0.1, GUESS = 0x1p-16;

/* roots of one guard that a prediction looks at */
enum { ROOTS = 4 };

/* With the gate held open nothing is kept from being passed. */
static int unilateral(const brink_sim *sim, int k)
{
  return sim->opt.gate &&
         sim->model->ops->guard_side(sim->model, sim->mode, k) == BRINK_BEFORE;
}

static int watched(const brink_sim *sim, const mode_run *run, int k)
{
  return sim->locator->predicts || run->wary[k] || unilateral(sim, k);
}

/* Has the last step cleared all that there is to watch, for a step of length h? */
static int all_clear(const brink_sim *sim, mode_run *run, double h)
{
  return sim->locator->predicts && brink__guards_ahead(&run->guards, h) == 0;
}

/* ------------------------------------------------------------- predict ---- */

/* What the tolerance lets guard k be wrong by: sum |dg/dy_i| tol_i. */
static brink_status slack(brink_sim *sim, int k, double *out)
{
  mode_run *run = brink__run(sim);
  size_t n = sim->model->modes[sim->mode].n;
  double *tol = sim->y_after; /* free between instants */

  for (size_t i = 0; i < n; i++)
    tol[i] = brink__integrator_tolerance(run->it, i, sim->y[i]);
  return brink__guard_rounding(&run->guards, k, sim->t, sim->y, tol, 1, out, &sim->err);
}

/* delta: what g, read ahead, is uncertain by. */
static brink_status gain(brink_sim *sim, int k, double g, double delta, double *gamma)
{
  double s;

  *gamma = sim->opt.gain;
  if (*gamma >= 0)
    return BRINK_OK;
  BRINK_TRY(slack(sim, k, &s));
  if (unilateral(sim, k) || brink__run(sim)->wary[k])
    *gamma = brink__min(s / fabs(g), GAIN_MOST);
  else
    *gamma = -brink__min(brink__max(s, CLEARLY * delta) / fabs(g), 1);
  return BRINK_OK;
}

/* The first zero of p on (0, 1], touches too, within tol; 2 if there is none. */
static double first_root(const brink__poly *p, double tol)
{
  brink__root r[ROOTS];
  int complete, sign, n = brink__poly_bend(p, 0, tol, r);

  if (n < 0 && brink__poly_excluded(p, 0, &sign))
    return 2;
  if (n < 0)
    n = brink__poly_roots(p, 0, tol, r, ROOTS, &complete);
  for (int i = 0; i < n; i++)
    if (r[i].kind == BRINK__CROSSING || r[i].kind == BRINK__TOUCH)
      return r[i].lo;
  return 2;
}

/* Guard k along the predicted step; 0: it cannot be read ahead (it may not exist there
 * either), or starts beyond, and sets no limit. */
static int foresee(brink_sim *sim, int k, const brink_step *ahead, double loose,
                   brink__poly *p)
{
  mode_run *run = brink__run(sim);
  brink_certificate how;
  brink_err ignored;

  if (brink__guard_foresee(&run->guards, k, ahead, loose, p, &how, &ignored) < 0 ||
      how == BRINK_SAMPLED)
    return 0;
  return brink__poly_eval(p, 0) * run->guards.sign[k] > 0;
}

/* An error of the state is an error of the event's time, the larger the slower the
 * guard moves; where it comes to rest (x' = -sqrt(x) at 0) the tolerance says nothing
 * about the time.  So what part of the tolerance is left to guard k that at time t, on
 * the last part of the way, is slower than it was on the average since the restart: the
 * part that its speed is of that, but not less than the part of the way that is left.
 */
static double strictness(const brink_sim *sim, int k, double t, double g, double speed)
{
  double way = fabs(g - brink__run(sim)->g_from[k]);

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
  double back = BACK * theta, speed = fabs(brink__poly_eval(p, theta - back)) /
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
  brink__run(sim)->guards.row[0] -= gamma * g; /* the constant of either form */
  *theta = brink__min(first_root(&p, 0), 1);
  if (gamma >= 0)
    brink__integrator_strict(
        brink__run(sim)->it,
        brink__min(brink__run(sim)->strict,
                   strictness_at(sim, k, ahead, &p, *theta, gamma * g)));
  return BRINK_OK;
}

/* Would the run have to stop or act if the guards had these signs? */
static int matters(const brink_sim *sim, const mode_run *run, const signed char *sign)
{
  const brink_model *m = sim->model;

  if (run->gated && m->ops->beyond(m, sim->live, sim->mode, sign))
    return 1;
  for (int k = 0; k < run->guards.n; k++)
    if (run->wary[k] && sign[k] != run->guards.sign[k])
      return 1;
  return sim->locator->predicts &&
         m->ops->triggers(m, sim->live, sim->mode, run->guards.sign, sign) !=
             BRINK__SILENT;
}

/* Look ahead, and shorten the step so that it ends on what is seen. */
BRINK__APART static brink_status look(brink_sim *sim, mode_run *run, double t_limit)
{
  double h = brink__min(brink__integrator_proposed(run->it), t_limit - sim->t);
  if (!(h > 0) || all_clear(sim, run, h))
    return BRINK_OK;
  int degree = brink__integrator_predict(run->it, h, run->ahead);
  if (degree == 0)
    return BRINK_OK;

  brink_step ahead = {sim->t, h,         sim->t + h, sim->model->modes[sim->mode].n,
                      degree, run->ahead};
  brink__hits *hits = &run->hits;
  hits->n = 0;
  brink__guards_step(&run->guards);
  for (int k = 0; k < run->guards.n; k++) {
    brink__poly p;
    if (!watched(sim, run, k) || run->guards.sign[k] == 0 || run->guards.clear[k] ||
        !foresee(sim, k, &ahead, LOOSE * sim->opt.rtol, &p))
      continue;
    double theta = first_root(&p, GUESS);
    if (theta <= 1)
      brink__hits_add(hits, &(brink__hit){.guard = k, .theta = theta});
  }

  /* the first of them that matters; a combination may need several */
  memcpy(sim->sign_a, run->guards.sign, (size_t)run->guards.n);
  for (int i = 0; i < hits->n; i++) {
    int k = hits->v[i].guard;
    sim->sign_a[k] = (signed char)-sim->sign_a[k];
    if (matters(sim, run, sim->sign_a)) {
      double theta = hits->v[i].theta;
      BRINK_TRY(aim(sim, k, &ahead, &theta));
      brink__integrator_cap(run->it,
                            brink__max(theta * h, brink__integrator_least(run->it)));
      run->wanted = h;
      break;
    }
  }
  return BRINK_OK;
}

brink_status brink__approach(brink_sim *sim, double t_limit)
{
  mode_run *run = brink__run(sim);

  run->wanted = 0;
  run->again = 0;
  brink__integrator_cap(run->it, HUGE_VAL);
  brink__integrator_strict(run->it, run->strict);
  if (run->guards.n == 0 || !(sim->locator->predicts || run->any_wary || run->gated))
    return BRINK_OK;
  return look(sim, run, t_limit);
}

/* ------------------------------------------------------------- arrival ---- */

/* The state stands on the guards whose signs differ in sim->sign_b, within `width`:
 * carry it out. */
static brink_status carry_out(brink_sim *sim, double width)
{
  mode_run *run = brink__run(sim);
  int ng = run->guards.n;

  memcpy(sim->sign_a, run->guards.sign, (size_t)ng);
  memcpy(sim->y_before, sim->y, sim->model->modes[sim->mode].n * sizeof(double));
  for (int k = 0; k < ng; k++) {
    sim->hit[k] = (signed char)(sim->sign_b[k] != sim->sign_a[k] ? sim->sign_b[k] : 0);
    BRINK_TRY(
        brink__guard_value(&run->guards, k, sim->t, sim->y, &sim->g[k], &sim->err));
  }
  memset(run->wary, 0, (size_t)ng);
  run->any_wary = 0;
  return brink__instants(
      sim, &(due_set){.before = sim->sign_a,
                      .after = sim->sign_b,
                      .hit = sim->hit,
                      .timers = sim->t >= sim->t_next ? sim->due : sim->none,
                      .kind = BRINK_KIND_CROSSING,
                      .width = width,
                      .certificate = run->hits.certificate});
}

/* How near to zero is there? */
static brink_status nearness(brink_sim *sim, const brink_step *step, int k, double *eps)
{
  mode_run *run = brink__run(sim);

  *eps = sim->opt.eps_g;
  if (*eps > 0)
    return BRINK_OK;
  brink__noise_at(sim, step, 1, 0, sim->y);
  return brink__guard_rounding(&run->guards, k, sim->t, sim->y, sim->noise, sim->far,
                               eps, &sim->err);
}

brink_status brink__arrive(brink_sim *sim, const brink_step *step, int seam)
{
  mode_run *run = brink__run(sim);
  int near = 0;
  double strict = 1;

  if (run->guards.n == 0 || (!run->any_wary && !run->gated && !seam))
    return BRINK_OK;
  memcpy(sim->sign_b, run->guards.sign, (size_t)run->guards.n);
  for (int k = 0; k < run->guards.n; k++) {
    double g, eps;
    int explains = seam && run->guards.info[k].held;
    if (run->guards.sign[k] == 0 || !(run->wary[k] || explains || unilateral(sim, k)))
      continue;
    BRINK_TRY(brink__guard_value(&run->guards, k, sim->t, sim->y, &g, &sim->err));
    BRINK_TRY(nearness(sim, step, k, &eps));
    double speed = fabs(g - run->g_last[k]) / fabs(step->h);
    strict = brink__min(strict, strictness(sim, k, sim->t, g, speed));
    run->g_last[k] = g;
    if (g * run->guards.sign[k] > eps)
      continue;
    sim->sign_b[k] = (signed char)-run->guards.sign[k];
    if (explains)
      run->wary[k] = 1;
    near = 1;
  }
  run->strict = strict;
  return near && matters(sim, run, sim->sign_b)
             ? carry_out(sim, brink__integrator_least(run->it))
             : BRINK_OK;
}

/* ------------------------------------------------------------ refusals ---- */

/* Signs of the guards at the argument that was refused; 1 if one has flipped. */
static int flipped_there(brink_sim *sim, int held_only)
{
  mode_run *run = brink__run(sim);
  const brink__gate *gate = brink__integrator_gate(run->it);
  int flips = 0;
  brink_err ignored;

  memcpy(sim->sign_b, run->guards.sign, (size_t)run->guards.n);
  for (int k = 0; k < run->guards.n; k++) {
    double g;
    if ((held_only && !run->guards.info[k].held) || run->guards.sign[k] == 0)
      continue;
    if (brink__guard_value(&run->guards, k, gate->t, gate->y, &g, &ignored) ==
            BRINK_OK &&
        g * run->guards.sign[k] >= 0)
      continue;
    sim->sign_b[k] = (signed char)-run->guards.sign[k];
    flips++;
  }
  return flips > 0;
}

void brink__beware(brink_sim *sim)
{
  mode_run *run = brink__run(sim);
  const brink__gate *gate = brink__integrator_gate(run->it);

  if (gate->refusals == run->refusals)
    return;
  run->refusals = gate->refusals;
  if (gate->blocked || !flipped_there(sim, 1))
    return;
  for (int k = 0; k < run->guards.n; k++)
    run->wary[k] |= sim->sign_b[k] != run->guards.sign[k];
  run->any_wary = 1;
}

/* How long until guard k is zero, by its slope along the last direction. */
static double time_left(brink_sim *sim, int k, double g)
{
  mode_run *run = brink__run(sim);
  size_t n = sim->model->modes[sim->mode].n;
  double h = sim->h_last, tau = GLANCE * brink__integrator_least(run->it), moved;
  int degree = h > 0 ? brink__integrator_predict(run->it, h, run->ahead) : 0;
  brink_err ignored;

  if (degree == 0)
    return HUGE_VAL;
  for (size_t i = 0; i < n; i++)
    sim->y_after[i] = sim->y[i] - tau / h * run->ahead[i * ((size_t)degree + 1) + 1];
  if (brink__guard_value(&run->guards, k, sim->t - tau, sim->y_after, &moved,
                         &ignored) < 0)
    return HUGE_VAL;
  double closer = (moved - g) * run->guards.sign[k];
  return closer > 0 ? fabs(g) * tau / closer : HUGE_VAL;
}

/* No step meets the tolerance: f is infinite or all rounding here.  If a unilateral
 * event lies ahead and the tolerance cannot tell the state from it, it is there; so is
 * any relation that is a few of the smallest steps away (f = 1/(1 - x) has no finite
 * slope at x = 1: the time is known when x is not). */
static brink_status as_near_as_can_be(brink_sim *sim, brink_status why)
{
  mode_run *run = brink__run(sim);
  double width = 0;

  memcpy(sim->sign_b, run->guards.sign, (size_t)run->guards.n);
  for (int k = 0; k < run->guards.n; k++) {
    double g, within;
    int edge = run->wary[k] || unilateral(sim, k);
    if (run->guards.sign[k] == 0 || !(edge || run->guards.info[k].held))
      continue;
    BRINK_TRY(brink__guard_value(&run->guards, k, sim->t, sim->y, &g, &sim->err));
    BRINK_TRY(slack(sim, k, &within));
    double left = time_left(sim, k, g);
    if (left > REACHED * brink__integrator_least(run->it) &&
        (left == HUGE_VAL || !edge || fabs(g) > ADDED_UP * within))
      continue;
    run->wary[k] = 1;
    sim->sign_b[k] = (signed char)-run->guards.sign[k];
    width = brink__max(width, brink__max(left, brink__integrator_least(run->it)));
  }
  return width > 0 && matters(sim, run, sim->sign_b) ? carry_out(sim, 2 * width) : why;
}

/* The state itself is beyond: name the guard that would have to be otherwise. */
static brink_status stands_beyond(brink_sim *sim)
{
  const brink_model *m = sim->model;
  mode_run *run = brink__run(sim);
  const char *name = "a unilateral event";

  memcpy(sim->sign_b, run->guards.sign, (size_t)run->guards.n);
  for (int k = 0; k < run->guards.n; k++) {
    if (!unilateral(sim, k))
      continue;
    sim->sign_b[k] = (signed char)-sim->sign_b[k];
    if (!m->ops->beyond(m, sim->live, sim->mode, sim->sign_b)) {
      name = run->guards.info[k].name;
      break;
    }
    sim->sign_b[k] = (signed char)-sim->sign_b[k];
  }
  return brink__fail_at(
      &sim->err, BRINK_EDOMAIN, sim->t,
      "at t = %.9g the model is where it does not exist: beyond '%s', "
      "whose side is before",
      sim->t, name);
}

brink_status brink__stuck(brink_sim *sim, brink_status why)
{
  mode_run *run = brink__run(sim);

  if (run->guards.n == 0 || (why != BRINK_EVENT && why != BRINK_EDOMAIN &&
                             why != BRINK_ENAN && why != BRINK_ESTEP))
    return why;
  if (why == BRINK_ESTEP || why == BRINK_ENAN)
    return as_near_as_can_be(sim, why);
  int blocked = brink__integrator_gate(run->it)->blocked;
  if (!flipped_there(sim, !blocked))
    return blocked ? stands_beyond(sim) : as_near_as_can_be(sim, why);
  return carry_out(sim, brink__integrator_least(run->it));
}
