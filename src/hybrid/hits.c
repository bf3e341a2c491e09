/* hits.c -- an accepted step: where its guards are zero, and what that means.
 *
 * The locator's hits and the known times in the step are walked through in order.
 * Zeros that do nothing are remembered as signs; where outputs at most are changed, the
 * instant is run with the state of the step polynomial and the step goes on; the first
 * hit that acts cuts the step, which may be taken again for that (interpolant_check.c),
 * and its instants are run (instant.c).
 */
#include "hybrid/hits.h"
#include "hybrid/policies.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* --------------------------------------------------------------- steps --- */

void brink__state_at(const brink_sim *sim, const brink_step *step, double theta,
                     double *y)
{
  if (theta == 1 && step->t1 == brink_integrator_time(sim->regime->it))
    memcpy(y, brink_integrator_state(sim->regime->it), step->n * sizeof *y);
  else
    brink_step_at(step, theta, y);
}

double brink__noise_at(const brink_step *step, double theta, double width,
                       const double *y, double *noise)
{
  int degree = step->degree;
  const double *c = step->coeff;

  for (size_t i = 0; i < step->n; i++, c += degree + 1) {
    double sum = fabs(c[degree]);
    for (int k = degree - 1; k >= 1; k--)
      sum += fabs(c[k]);
    noise[i] = 4 * DBL_EPSILON * (fabs(y[i]) + sum + fabs(c[0]));
    if (width > 0)
      noise[i] += fabs(brink__horner_derivative(degree, c, 1, theta)) * width;
  }
  return brink__min(BRINK__FAR, 1 / width); /* no farther than the step went */
}

/* -------------------------------------------------------------- groups --- */

/* Signs and directions after the group. */
static inline void take_signs(const brink__regime *r, const brink__group *g,
                              brink__due *due)
{
  const brink__hit *v = r->hits.v;
  size_t ng = (size_t)r->guards.n;

  brink__copy_bytes(due->after, due->before, ng);
  brink__fill_bytes(due->hit, 0, ng);
  for (int i = g->i; i < g->end; i++)
    if (v[i].kind == BRINK_KIND_CROSSING)
      due->hit[v[i].guard] = due->after[v[i].guard] = (signed char)v[i].dir;
}

/* ------------------------------------------------------------- cutting --- */

/* Not to an event that the state must stay before: approach.c has brought it there. */
static int may_close(const brink_sim *sim, int k, double theta)
{
  const brink_model *m = sim->model;

  return sim->closing && theta > 0 && theta < 1 && !sim->taken_over &&
         m->ops->guard_side(m, sim->live, sim->mode, k) != BRINK_BEFORE;
}

/* The state at theta, where a unilateral event was found; if f does not exist there (on
 * the zero itself, or by rounding) a little before. */
static void state_before(brink_sim *sim, const brink_step *step, double *theta,
                         double *y)
{
  brink__regime *r = sim->regime;

  brink__state_at(sim, step, *theta, y);
  if (!r->gated)
    return;
  for (double d = DBL_EPSILON;
       !brink__integrator_exists(r->it, brink__time_at(step, *theta), y); d *= 4) {
    *theta = brink__max(0, *theta - d);
    brink_step_at(step, *theta, y);
    if (*theta == 0)
      return;
  }
}

/* A guard that has passed its zero at the left limit, though its polynomial could not
 * tell it from zero up to the end of the step, is hit as well: at the restart it would
 * have its new sign, and its event would be lost.  At a restart, where guards begin,
 * none has passed its zero: one that begins beyond it has its sign from where it goes.
 */
static brink_status hit_too(brink_sim *sim, double t, brink__due *due)
{
  brink__guards *g = &sim->regime->guards;
  double delta;

  for (int k = 0; k < g->n; k++) {
    if (!(due->g[k] * due->after[k] < 0) || due->hit[k] ||
        (due->kind == BRINK_KIND_START && g->watch[k].fresh))
      continue;
    BRINK_TRY(brink__guard_rounding(g, k, t, due->y, due->noise, due->far, &delta,
                                    &sim->err));
    if (fabs(due->g[k]) > delta)
      due->hit[k] = due->after[k] = (signed char)-due->after[k];
  }
  return BRINK_OK;
}

/* The run ends with the state due->y at t, which is theta of the step. */
BRINK__COLD static brink_status end_at(brink_sim *sim, const brink_step *step,
                                       double begin, double theta, double t,
                                       const brink__due *due, brink__verdict *verdict)
{
  BRINK_TRY(brink__publish_step(sim, step, begin, theta, t));
  sim->t = t;
  brink__copy(sim->y, due->y, step->n);
  return brink__conclude(sim, verdict);
}

/* The observer has stopped the run inside this step: the state is that of the last
 * point it was shown. */
BRINK__COLD static brink_status stop_at(brink_sim *sim, const brink_step *step,
                                        double theta)
{
  brink__state_at(sim, step, theta, sim->y);
  sim->t = brink__time_at(step, theta);
  return BRINK_EVENT;
}

/* The step, which has been published up to `begin`, ends with the group: make that the
 * state, and run what is due. */
static brink_status cut(brink_sim *sim, brink_step *step, const brink__group *g,
                        double begin, brink__due *due)
{
  brink__regime *r = sim->regime;
  brink__hits *hits = &r->hits;
  brink__verdict verdict;
  double theta = g->theta, h = fabs(step->h);

  due->width = brink__spread(hits, g->i, g->end, theta, step);
  due->kind =
      brink__hit_at_restart(sim, due, theta) ? BRINK_KIND_START : BRINK_KIND_CROSSING;
  const brink__hit *first = brink__first_crossing(hits, g);
  if (begin == 0 && may_close(sim, first->guard, theta))
    BRINK_TRY(brink__closing_step(sim, first, step, &theta));
  state_before(sim, step, &theta, due->y);
  double t = brink__instant_time(sim, step, theta, due->width);
  if (brink__dwell_stagnates(&r->dwell) &&
      brink__zeno_rounding(sim, step, g->i, g->end, theta, due, &verdict))
    return end_at(sim, step, begin, theta, t, due, &verdict);
  BRINK_TRY(brink__accepted(sim, t, due->y));
  BRINK_TRY(brink__publish_step(sim, step, begin, theta, t));
  if (sim->ended)
    return stop_at(sim, step, theta);
  /* a locator of one guess knows its state, if not its zero; so does a jump that has
   * just put it there */
  int known =
      sim->locator->rough || (due->kind == BRINK_KIND_START && sim->stats.instants > 0);
  due->far = brink__noise_at(step, theta, known ? 0 : g->width, due->y, due->noise);
  BRINK_TRY(brink__due_guards(sim, due, t));
  if (r->guards.n > 1)
    BRINK_TRY(hit_too(sim, t, due));
  if (g->end > g->i + 1)
    BRINK_TRY(brink__log_touches(sim, t, g, due));
  sim->h_last = brink__max(h, r->wanted) * brink__integrator_stride(r->it);
  sim->t = t;
  brink__copy(sim->y, due->y, step->n);
  brink__keep_step(sim, step, t);
  due->timers = t >= sim->t_next ? sim->timers_due : sim->no_timers;
  due->at_start = 0;
  due->certificate = hits->certificate;
  return brink__instants(sim, due);
}

/* ------------------------------------------------------------- walking --- */

/* Is there a better step to the group, which acts, while nothing of this one has been
 * published?  1: one of the locator, which *step is then; or another of the method, if
 * the polynomial is not good enough at the hit; or an error. */
static inline int better_step(brink_sim *sim, brink_step *step,
                              const brink__locate *how, double begin,
                              const brink__group *g)
{
  const brink__hit *hit = brink__first_crossing(&sim->regime->hits, g);

  if (begin + how->from > 0 || sim->taken_over)
    return 0;
  int taken = brink__takes_steps(sim) ? brink__take_back(sim, hit, step) : 0;
  if (taken)
    return taken;
  return !brink__check_trusts(sim->regime, step) && brink__check_hit(sim, step, hit);
}

/* Known times and other hits may come first, and publishing them would keep the step:
 * should it be taken again for the first hit that acts? */
BRINK__APART static int check_before(brink_sim *sim, brink_step *step,
                                     const brink__locate *how, brink__due *due)
{
  brink__regime *r = sim->regime;
  size_t ng = (size_t)r->guards.n;
  brink__group g;

  for (int i = 0; i < r->hits.n; i = g.end) {
    g = brink__group_from(&r->hits, i);
    take_signs(r, &g, due);
    if (r->over(r, due->before, due->after) == BRINK__ACTS)
      return better_step(sim, step, how, 0, &g);
    memcpy(due->before, due->after, ng);
  }
  return 0;
}

/* Does the group share its instant with a known time that may change more than outputs?
 */
static int acts_with(const brink_sim *sim, const brink_step *step,
                     const brink__group *g)
{
  double near = brink__spread(&sim->regime->hits, g->i, g->end, g->theta, step);

  return sim->t_acting <= brink__time_at(step, g->theta) + near;
}

/* Walk through the hits of a step.  BRINK_EVENT: the step was cut and its instants run.
 * BRINK_OK: all of it stands; *begin is how far it has been published, due->before the
 * signs at its end.  BRINK_END: it should be taken again. */
static brink_status walk(brink_sim *sim, brink_step *step, const brink__locate *how,
                         double *begin, brink__due *due)
{
  brink__regime *r = sim->regime;
  brink__hits *hits = &r->hits;
  size_t ng = (size_t)r->guards.n;
  brink__group g;

  brink__copy_bytes(due->before, hits->start_sign, ng);
  if (hits->n > 1 || (hits->n > 0 && sim->t_next < step->t1)) {
    int better = check_before(sim, step, how, due);
    if (better)
      return better < 0 ? (brink_status)better : BRINK_END;
    brink__copy_bytes(due->before, hits->start_sign, ng);
  }
  for (int i = 0; i < hits->n && !sim->ended; i = g.end) {
    g = brink__group_from(hits, i);
    if (!hits->complete && g.end == hits->n && i > 0) {
      hits->n = i; /* the last group may lack some: it comes again */
      break;
    }
    if (sim->t_next < step->t1) {
      double near = brink__spread(hits, g.i, g.end, g.theta, step);
      BRINK_TRY(brink__pass_known_times(sim, step, brink__time_at(step, g.theta) - near,
                                        begin, due));
      if (sim->ended)
        break;
    }
    take_signs(r, &g, due);
    int level = r->over(r, due->before, due->after);
    if (level == BRINK__OUTPUTS && acts_with(sim, step, &g))
      level = BRINK__ACTS;
    if (level == BRINK__ACTS) {
      int better = better_step(sim, step, how, *begin, &g);
      return better < 0 ? (brink_status)better
             : better   ? BRINK_END
                        : cut(sim, step, &g, *begin, due);
    }
    BRINK_TRY(brink__pass_hits(sim, step, &g, level, due, begin));
    memcpy(due->before, due->after, ng);
  }
  return BRINK_OK;
}

/* The guards cannot be read along the step: a shorter one may end before that. */
BRINK__COLD static brink_status no_value(brink_sim *sim, const brink_step *step,
                                         const brink__locate *how, brink_status why)
{
  if (why != BRINK_ENAN || how->from > 0 || sim->taken_over ||
      !brink__check_all(sim, step))
    return why;
  brink__err_clear(&sim->err);
  return BRINK_END;
}

/* All of the step stands, or all up to the last hit: remember the signs. */
static inline void keep_signs(const brink__regime *r, const brink__due *due)
{
  for (int k = 0; k < r->guards.n; k++)
    brink__watch_passed(&r->guards.watch[k], due->before[k], r->hits.band[k]);
}

/* How the locator is to look at a step of length h. */
static brink__locate looking(const brink_sim *sim, double h, int decide)
{
  const brink__regime *r = sim->regime;

  return (brink__locate){
      .tol = sim->opt.event_tol / h,
      .decide = decide,
      .soon = sim->locator->proves_absence ? 0 : brink__dwell_predict(&r->dwell) / h,
      /* a step made to end on an event says little about the next */
      .keep = sim->locator->predicts && r->wanted == 0,
      .scan = sim->opt.scan_step > 0 ? sim->opt.scan_step / h : 0.125};
}

/* Find and walk through the hits once; returns as walk(). */
static brink_status find_and_walk(brink_sim *sim, brink_step *step,
                                  const brink__locate *how, double *begin)
{
  brink__regime *r = sim->regime;
  brink__verdict verdict;

  r->hits.n = 0;
  r->hits.complete = 1;
  if (r->guards.n == 0)
    return BRINK_OK;
  brink__guards_step(&r->guards);
  brink_status rc = sim->locator->behind(&r->guards, step, how, &r->hits, &sim->err);
  if (rc < 0)
    return no_value(sim, step, how, rc);
  if (r->hits.certificate > sim->stats.certificate)
    brink__certificate_note(sim, step);
  if (brink__zeno_step(sim, step, &verdict))
    return brink__conclude(sim, &verdict);
  rc = walk(sim, step, how, begin, &sim->due);
  if (rc != BRINK_OK)
    return rc;
  if (sim->ended)
    return stop_at(sim, step, *begin);
  if (step->t0 == sim->t_event && !sim->taken_over && !brink__check_trusts(r, step) &&
      *begin + how->from == 0 && brink__check_first(sim, step))
    return BRINK_END;
  keep_signs(r, &sim->due);
  return BRINK_OK;
}

/* One attempt at a step; as often as its hits do not fit into the list.  BRINK_END: it
 * should be taken again. */
static brink_status try_step(brink_sim *sim, brink_step *step, int decide)
{
  brink__regime *r = sim->regime;
  double begin = 0, h = fabs(step->h);
  brink__locate how = looking(sim, h, decide);

  r->guards.kept_h = 0;
  for (;; how.from = r->hits.v[r->hits.n - 1].theta) {
    brink_status rc = find_and_walk(sim, step, &how, &begin);
    if (rc != BRINK_OK)
      return rc;
    if (r->hits.complete)
      break;
    if (r->hits.n == 0)
      return brink__fail_at(&sim->err, BRINK_EBUG, step->t0,
                            "a guard cannot be isolated "
                            "between t = %.9g and %.9g",
                            step->t0, step->t1);
  }
  for (int k = 0; k < r->guards.n; k++)
    brink__watch_rest(&r->guards.watch[k], r->hits.band[k]);
  if (how.keep && r->hits.n == 0)
    r->guards.kept_h = h;
  if (sim->t_next < step->t1) {
    BRINK_TRY(brink__pass_known_times(sim, step, step->t1, &begin, &sim->due));
    if (sim->ended)
      return stop_at(sim, step, begin);
  }
  return brink__publish_rest(sim, step, begin);
}

brink_status brink__walk(brink_sim *sim, brink_step *step, int decide)
{
  brink_status rc;

  while ((rc = try_step(sim, step, decide)) == BRINK_END)
    decide &= sim->taken_over ? 0 : brink__retake_step(sim, step);
  return rc;
}
