/* hits.c -- an accepted step: where its guards are zero, and what that means.
 *
 * The locator's hits and the known times in the step are walked through in order.
 * Zeros that do nothing are remembered as signs; where outputs at most are changed, the
 * instant is run with the state of the step polynomial and the step goes on; the first
 * hit that acts cuts the step, which may be taken again for that (interpolant_check.c),
 * and its instants are run (instant.c).
 */
#include "hybrid/extended_model.h"
#include "hybrid/policies.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* So many gaps in a row have contracted where flights that a method does not resolve
 * are taken for the end of an accumulation: zeros of one flat guard come in twos and
 * threes as well, and there the sign of its rate is rounding. */
enum { CONTRACTIONS = 6 };

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

/* Hits i .. end - 1, which share an instant since their bands overlap.  A touch does
 * nothing, and moves nothing: it joins if its place lies in the band of the others. */
typedef struct group {
  int i, end;
  double theta; /* the last of theirs                                       */
  double width; /* the largest of theirs                                    */
} group;

static inline group group_from(const brink__hits *hits, int i)
{
  const brink__hit *v = &hits->v[i];
  int crossings = v->kind == BRINK_KIND_CROSSING;
  group g = {.i = i, .end = i + 1, .theta = v->theta, .width = v->width};
  double top = crossings ? v->band_hi : v->theta;

  for (v++; g.end < hits->n; g.end++, v++) {
    int crosses = v->kind == BRINK_KIND_CROSSING;
    if ((crosses ? v->band_lo : v->theta) > top)
      break;
    if (crosses) {
      top = brink__max(top, v->band_hi);
      g.theta = crossings ? brink__max(g.theta, v->theta) : v->theta;
      g.width = crossings ? brink__max(g.width, v->width) : v->width;
      crossings = 1;
    }
  }
  return g;
}

/* Signs and directions after the group. */
static inline void take_signs(const brink__regime *r, const group *g, brink__due *due)
{
  const brink__hit *v = r->hits.v;
  size_t ng = (size_t)r->guards.n;

  brink__copy_bytes(due->after, due->before, ng);
  brink__fill_bytes(due->hit, 0, ng);
  for (int i = g->i; i < g->end; i++)
    if (v[i].kind == BRINK_KIND_CROSSING)
      due->hit[v[i].guard] = due->after[v[i].guard] = (signed char)v[i].dir;
}

/* How far, in t, a zero of hits i .. end - 1 may lie from theta, with the rounding of
 * t. */
static inline double spread(const brink__hits *hits, int i, int end, double theta,
                            const brink_step *step)
{
  double width = theta - hits->v[i].theta + hits->v[i].width;

  while (++i < end)
    width = brink__max(width, theta - hits->v[i].theta + hits->v[i].width);
  return width * fabs(step->h) + DBL_EPSILON * fabs(brink__time_at(step, theta));
}

/* The time of an instant at theta of the step, `width` away from its zeros: that of a
 * known time which cannot be told apart from them, if there is one. */
static inline double instant_time(const brink_sim *sim, const brink_step *step,
                                  double theta, double width)
{
  double t = brink__time_at(step, theta);

  return sim->t_next <= t + width ? sim->t_next : t;
}

/* NULL: they are touches only, and nothing acts. */
static const brink__hit *first_crossing(const brink__hits *hits, const group *g)
{
  for (int i = g->i; i < g->end; i++)
    if (hits->v[i].kind == BRINK_KIND_CROSSING)
      return &hits->v[i];
  return NULL;
}

/* ------------------------------------------------------------- logging --- */

/* A touch of guard k at (t, y), where the guards have these signs; where its crossing
 * would change the law, with the rates of both. */
BRINK__APART static brink_status log_touch(brink_sim *sim, int k, double t,
                                           const double *y, const signed char *sign,
                                           int dir, double g, double width)
{
  brink_kind kind;

  BRINK_TRY(brink__touch_kind(sim, k, t, y, sign, &kind));
  brink_status rc = brink__log(sim, t, y, sim->regime->guards.info[k].name, kind, dir,
                               g, width, sim->regime->hits.certificate);
  sim->rates[0] = sim->rates[1] = nan("");
  return rc;
}

/* The hits of one kind, each at its own place: touches, and crossings without effect;
 * signs: of all guards there. */
BRINK__APART static brink_status log_hits(brink_sim *sim, const brink_step *step,
                                          const group *g, const signed char *sign,
                                          brink_kind kind)
{
  brink__regime *r = sim->regime;
  double *y = brink__work_row(sim, 0);

  for (int i = g->i; i < g->end; i++) {
    const brink__hit *v = &r->hits.v[i];
    double t = brink__time_at(step, v->theta), value;
    if (v->kind != kind)
      continue;
    brink__state_at(sim, step, v->theta, y);
    BRINK_TRY(brink__guard_value(&r->guards, v->guard, t, y, &value, &sim->err));
    double width = spread(&r->hits, i, i + 1, v->theta, step);
    if (kind == BRINK_KIND_TOUCH)
      BRINK_TRY(log_touch(sim, v->guard, t, y, sign, v->dir, value, width));
    else
      BRINK_TRY(brink__log(sim, t, y, r->guards.info[v->guard].name, kind, v->dir,
                           value, width, r->hits.certificate));
  }
  return BRINK_OK;
}

/* Touches that share the instant of an event: at its time. */
static brink_status log_touches(brink_sim *sim, double t, const group *g,
                                const brink__due *due)
{
  const brink__regime *r = sim->regime;

  for (int i = g->i; i < g->end; i++) {
    const brink__hit *v = &r->hits.v[i];
    if (v->kind == BRINK_KIND_TOUCH)
      BRINK_TRY(log_touch(sim, v->guard, t, due->y, due->before, v->dir,
                          due->g[v->guard], due->width));
  }
  return BRINK_OK;
}

/* ------------------------------------------------------------- outputs --- */

/* Is this the start, or the moment after a jump, for a guard that was hit? */
static int at_restart(const brink_sim *sim, const brink__due *due, double theta)
{
  const brink__guards *g = &sim->regime->guards;

  for (int k = 0; theta == 0 && k < g->n; k++)
    if (due->hit[k] && g->watch[k].fresh)
      return 1;
  return 0;
}

/* Publish the step from *begin to theta, which is the time t, and make the state there
 * the left limit of an instant, which changes outputs, or (level BRINK__SILENT) of
 * none.  BRINK_OK; the observer may have ended the run. */
static brink_status left_limit(brink_sim *sim, const brink_step *step, double theta,
                               double t, int level, double *begin, brink__due *due)
{
  brink__state_at(sim, step, theta, due->y);
  if (level == BRINK__OUTPUTS)
    BRINK_TRY(brink__accepted(sim, t, due->y));
  BRINK_TRY(brink__publish_step(sim, step, *begin, theta, t));
  *begin = theta;
  due->far = brink__noise_at(step, theta, 0, due->y, due->noise);
  due->kind = at_restart(sim, due, theta) ? BRINK_KIND_START : BRINK_KIND_CROSSING;
  due->at_start = 0;
  return BRINK_OK;
}

/* The group changes outputs only: run its instant and go on. */
BRINK__APART static brink_status pass_outputs(brink_sim *sim, const brink_step *step,
                                              const group *g, double t, brink__due *due)
{
  brink__regime *r = sim->regime;

  for (int k = 0; k < r->guards.n; k++)
    if (due->hit[k])
      BRINK_TRY(brink__guard_value(&r->guards, k, t, due->y, &due->g[k], &sim->err));
  due->timers = t >= sim->t_next ? sim->timers_due : sim->no_timers;
  due->width = spread(&r->hits, g->i, g->end, g->theta, step);
  due->certificate = r->hits.certificate;
  return brink__output_instant(sim, due, t);
}

/* Known times before t that change outputs only: their instants, in order.  One that
 * acts ends the step, or is a rounding away from the end: it comes after the step.
 * due->before are the signs there. */
static brink_status pass_known_times(brink_sim *sim, const brink_step *step, double t,
                                     double *begin, brink__due *due)
{
  size_t ng = (size_t)sim->regime->guards.n;

  while (sim->t_next < t && sim->t_next < sim->t_acting && !sim->ended) {
    double theta = (sim->t_next - step->t0) / step->h;
    theta = brink__min(brink__max(theta, *begin), 1);
    brink__copy_bytes(due->after, due->before, ng);
    brink__fill_bytes(due->hit, 0, ng);
    BRINK_TRY(left_limit(sim, step, theta, sim->t_next, BRINK__OUTPUTS, begin, due));
    if (sim->ended)
      break;
    due->timers = sim->timers_due;
    due->width = 0;
    due->certificate = sim->stats.certificate;
    BRINK_TRY(brink__output_instant(sim, due, sim->t_next));
  }
  return BRINK_OK;
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
 * have its new sign, and its event would be lost. */
static brink_status hit_too(brink_sim *sim, double t, brink__due *due)
{
  brink__guards *g = &sim->regime->guards;
  double delta;

  for (int k = 0; k < g->n; k++) {
    if (!(due->g[k] * due->after[k] < 0) || due->hit[k])
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

/* Events have accumulated at t, which is theta of the step, as far as the method
 * resolves them: the run goes on from there.  BRINK_OK: no pattern has. */
BRINK__COLD static brink_status accumulated_at(brink_sim *sim, const brink_step *step,
                                               double begin, double theta, double t,
                                               int guard, const brink__due *due)
{
  double *y = brink__work_row(sim, 1), t_before = sim->t;
  brink__limit limit;

  brink__copy(y, sim->y, step->n);
  sim->t = t;
  brink__copy(sim->y, due->y, step->n);
  if (brink__accumulated(sim, guard, &limit)) {
    BRINK_TRY(brink__publish_step(sim, step, begin, theta, t));
    return sim->ended ? BRINK_EVENT : brink__pass_limit(sim, &limit);
  }
  sim->t = t_before;
  brink__copy(sim->y, y, step->n);
  return BRINK_OK;
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
static brink_status cut(brink_sim *sim, brink_step *step, const group *g, double begin,
                        brink__due *due)
{
  brink__regime *r = sim->regime;
  brink__hits *hits = &r->hits;
  brink__verdict verdict;
  double theta = g->theta, h = fabs(step->h);

  due->width = spread(hits, g->i, g->end, theta, step);
  due->kind = at_restart(sim, due, theta) ? BRINK_KIND_START : BRINK_KIND_CROSSING;
  const brink__hit *first = first_crossing(hits, g);
  if (begin == 0 && may_close(sim, first->guard, theta))
    BRINK_TRY(brink__closing_step(sim, first, step, &theta));
  state_before(sim, step, &theta, due->y);
  double t = instant_time(sim, step, theta, due->width);
  if (brink__dwell_stagnates(&r->dwell) &&
      brink__zeno_rounding(sim, step, g->i, g->end, theta, due, &verdict))
    return end_at(sim, step, begin, theta, t, due, &verdict);
  if (brink__dwell_shrinks(&r->dwell) &&
      brink__period_contractions(&sim->accumulation, 1) >= CONTRACTIONS &&
      brink__zeno_unresolved(sim, step, g->i, g->end, t, due)) {
    brink_status rc = accumulated_at(sim, step, begin, theta, t, first->guard, due);
    if (rc != BRINK_OK)
      return rc;
  }
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
    BRINK_TRY(log_touches(sim, t, g, due));
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

/* The group does not act: record what is to be recorded of it, and the step up to
 * there.
 */
static brink_status pass(brink_sim *sim, const brink_step *step, const group *g,
                         int level, brink__due *due, double *begin)
{
  const brink__hits *hits = &sim->regime->hits;
  double t =
      instant_time(sim, step, g->theta, spread(hits, g->i, g->end, g->theta, step));

  if (level == BRINK__SILENT && !sim->opt.all_relations && first_crossing(hits, g))
    return BRINK_OK;
  BRINK_TRY(left_limit(sim, step, g->theta, t, level, begin, due));
  if (sim->ended)
    return BRINK_OK;
  BRINK_TRY(log_hits(sim, step, g, due->before, BRINK_KIND_TOUCH));
  if (level == BRINK__OUTPUTS)
    return pass_outputs(sim, step, g, t, due);
  return sim->opt.all_relations
             ? log_hits(sim, step, g, due->before, BRINK_KIND_CROSSING)
             : BRINK_OK;
}

/* Is there a better step to the group, which acts, while nothing of this one has been
 * published?  1: one of the locator, which *step is then; or another of the method, if
 * the polynomial is not good enough at the hit; or an error. */
static inline int better_step(brink_sim *sim, brink_step *step,
                              const brink__locate *how, double begin, const group *g)
{
  const brink__hit *hit = first_crossing(&sim->regime->hits, g);

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
  group g;

  for (int i = 0; i < r->hits.n; i = g.end) {
    g = group_from(&r->hits, i);
    take_signs(r, &g, due);
    if (r->over(r, due->before, due->after) == BRINK__ACTS)
      return better_step(sim, step, how, 0, &g);
    memcpy(due->before, due->after, ng);
  }
  return 0;
}

/* Does the group share its instant with a known time that may change more than outputs?
 */
static int acts_with(const brink_sim *sim, const brink_step *step, const group *g)
{
  double near = spread(&sim->regime->hits, g->i, g->end, g->theta, step);

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
  group g;

  brink__copy_bytes(due->before, hits->start_sign, ng);
  if (hits->n > 1 || (hits->n > 0 && sim->t_next < step->t1)) {
    int better = check_before(sim, step, how, due);
    if (better)
      return better < 0 ? (brink_status)better : BRINK_END;
    brink__copy_bytes(due->before, hits->start_sign, ng);
  }
  for (int i = 0; i < hits->n && !sim->ended; i = g.end) {
    g = group_from(hits, i);
    if (!hits->complete && g.end == hits->n && i > 0) {
      hits->n = i; /* the last group may lack some: it comes again */
      break;
    }
    if (sim->t_next < step->t1) {
      double near = spread(hits, g.i, g.end, g.theta, step);
      BRINK_TRY(pass_known_times(sim, step, brink__time_at(step, g.theta) - near, begin,
                                 due));
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
    BRINK_TRY(pass(sim, step, &g, level, due, begin));
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
    BRINK_TRY(pass_known_times(sim, step, step->t1, &begin, &sim->due));
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
