/* hits.c -- an accepted step: where its guards are zero, and what that means.
 *
 * The locator's hits are walked through in order.  Zeros that do nothing are remembered
 * as signs; those that only log are written down and the step goes on; the first one
 * that acts cuts the step, which may be taken again for that (doubt.c), and its
 * instants are run (instant.c).
 */
#include "hybrid/sim.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* --------------------------------------------------------------- steps --- */

void brink__state_at(const brink_sim *sim, const brink_step *step, double theta,
                     double *y)
{
  if (theta == 1)
    memcpy(y, brink_integrator_state(brink__run(sim)->it), step->n * sizeof *y);
  else
    brink_step_at(step, theta, y);
}

void brink__noise_at(brink_sim *sim, const brink_step *step, double theta, double width,
                     const double *y)
{
  int degree = step->degree;
  const double *c = step->coeff;

  sim->far = brink__min(BRINK__FAR, 1 / width); /* no farther than the step went */
  for (size_t i = 0; i < step->n; i++, c += degree + 1) {
    double sum, slope;
    if (degree == 4) { /* most steps; the same operations */
      sum = fabs(c[4]) + fabs(c[3]) + fabs(c[2]) + fabs(c[1]);
      slope = ((4 * c[4] * theta + 3 * c[3]) * theta + 2 * c[2]) * theta + c[1];
    } else {
      sum = fabs(c[degree]);
      slope = degree * c[degree];
      for (int k = degree - 1; k >= 1; k--) {
        sum += fabs(c[k]);
        slope = slope * theta + k * c[k];
      }
    }
    sim->noise[i] =
        4 * DBL_EPSILON * (fabs(y[i]) + sum + fabs(c[0])) + fabs(slope) * width;
  }
}

/* -------------------------------------------------------------- groups --- */

/* Hits i .. end - 1, which share an instant since their bands overlap. */
typedef struct group {
  int i, end;
  double theta; /* the last of theirs                                       */
  double width; /* the largest of theirs                                    */
} group;

static inline group group_from(const brink__hits *hits, int i)
{
  group g = {.i = i, .end = i};
  double top = hits->v[i].band_hi;

  for (; g.end < hits->n && hits->v[g.end].band_lo <= top; g.end++) {
    const brink__hit *v = &hits->v[g.end];
    top = brink__max(top, v->band_hi);
    g.theta = brink__max(g.theta, v->theta);
    g.width = brink__max(g.width, v->width);
  }
  return g;
}

/* Signs and directions after the group. */
static void take_signs(brink_sim *sim, const group *g)
{
  const brink__hit *v = brink__run(sim)->hits.v;
  size_t ng = (size_t)brink__run(sim)->guards.n;

  brink__copy_bytes(sim->sign_b, sim->sign_a, ng);
  brink__fill_bytes(sim->hit, 0, ng);
  for (int i = g->i; i < g->end; i++)
    if (v[i].kind == BRINK_KIND_CROSSING)
      sim->hit[v[i].guard] = sim->sign_b[v[i].guard] = (signed char)v[i].dir;
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

static const brink__hit *first_crossing(const brink__hits *hits, const group *g)
{
  for (int i = g->i; i < g->end; i++)
    if (hits->v[i].kind == BRINK_KIND_CROSSING)
      return &hits->v[i];
  return NULL;
}

/* ------------------------------------------------------------- logging --- */

/* The hits of one kind, each at its own place: touches, and crossings without effect.
 */
BRINK__APART static brink_status log_hits(brink_sim *sim, const brink_step *step,
                                          const group *g, brink_kind kind)
{
  mode_run *run = brink__run(sim);

  for (int i = g->i; i < g->end; i++) {
    const brink__hit *v = &run->hits.v[i];
    double t = brink__time_at(step, v->theta), value;
    if (v->kind != kind)
      continue;
    brink__state_at(sim, step, v->theta, sim->y_after);
    BRINK_TRY(
        brink__guard_value(&run->guards, v->guard, t, sim->y_after, &value, &sim->err));
    BRINK_TRY(brink__log(
        sim, t, sim->y_after, -1, run->guards.info[v->guard].name, kind, v->dir, value,
        spread(&run->hits, i, i + 1, v->theta, step), run->hits.certificate));
  }
  return BRINK_OK;
}

/* Touches that share the instant of an event: at its time. */
static brink_status log_touches(brink_sim *sim, double t, const group *g, double width)
{
  mode_run *run = brink__run(sim);

  for (int i = g->i; i < g->end; i++) {
    const brink__hit *v = &run->hits.v[i];
    if (v->kind == BRINK_KIND_TOUCH)
      BRINK_TRY(brink__log(sim, t, sim->y_before, -1, run->guards.info[v->guard].name,
                           BRINK_KIND_TOUCH, v->dir, sim->g[v->guard], width,
                           run->hits.certificate));
  }
  return BRINK_OK;
}

/* Events that only log: ask the model which, by running an instant that cannot
 * change anything. */
BRINK__APART static brink_status log_events(brink_sim *sim, const brink_step *step,
                                            const group *g)
{
  const brink_model *m = sim->model;
  mode_run *run = brink__run(sim);
  double t = brink__time_at(step, g->theta), value;

  brink__state_at(sim, step, g->theta, sim->y_before);
  memcpy(sim->y_after, sim->y_before, step->n * sizeof(double));
  brink__instant inst = {.t = t,
                         .mode = sim->mode,
                         .y_before = sim->y_before,
                         .sign_before = sim->sign_a,
                         .sign = sim->sign_b,
                         .hit = sim->hit,
                         .due = sim->none,
                         .y = sim->y_after,
                         .mode_after = sim->mode,
                         .t_after = t,
                         .fired = sim->fired};
  due_set due = {.before = sim->sign_a, .after = sim->sign_b, .hit = sim->hit};
  BRINK_TRY(m->ops->instant(m, sim->live, &inst, &sim->err));
  sim->stats.instants++;
  for (int j = 0; j < inst.n_fired; j++) {
    int k, dir = brink__edge(sim, sim->mode, inst.fired[j], &due, &k);
    if (k < 0) /* without a guard of its own it cannot have been hit */
      continue;
    BRINK_TRY(brink__guard_value(&run->guards, k, t, sim->y_before, &value, &sim->err));
    BRINK_TRY(brink__log(sim, t, sim->y_before, inst.fired[j],
                         m->ops->event_name(m, sim->mode, inst.fired[j]),
                         BRINK_KIND_CROSSING, dir, value,
                         spread(&run->hits, g->i, g->end, g->theta, step),
                         run->hits.certificate));
  }
  return BRINK_OK;
}

/* ------------------------------------------------------------- cutting --- */

/* Not to an event that the state must stay before: approach.c has brought it there. */
static int may_close(const brink_sim *sim, int k, double theta)
{
  const brink_model *m = sim->model;

  return sim->closing && theta > 0 && theta < 1 &&
         m->ops->guard_side(m, sim->mode, k) != BRINK_BEFORE;
}

/* Is this the start, or the moment after a jump, for a guard that was hit? */
static int at_restart(const brink_sim *sim, double theta)
{
  const brink__guards *g = &brink__run(sim)->guards;

  for (int k = 0; theta == 0 && k < g->n; k++)
    if (sim->hit[k] && g->fresh[k])
      return 1;
  return 0;
}

brink_status brink__guards_before(brink_sim *sim, double t)
{
  brink__guards *g = &brink__run(sim)->guards;

  for (int k = 0; k < g->n; k++)
    BRINK_TRY(brink__guard_value(g, k, t, sim->y_before, &sim->g[k], &sim->err));
  return BRINK_OK;
}

/* The state at theta, where a unilateral event was found; if f does not exist there (on
 * the zero itself, or by rounding) a little before. */
static void state_before(brink_sim *sim, const brink_step *step, double *theta,
                         double *y)
{
  mode_run *run = brink__run(sim);

  brink__state_at(sim, step, *theta, y);
  if (!run->gated)
    return;
  for (double d = DBL_EPSILON;
       !brink__integrator_exists(run->it, brink__time_at(step, *theta), y); d *= 4) {
    *theta = brink__max(0, *theta - d);
    brink_step_at(step, *theta, y);
    if (*theta == 0)
      return;
  }
}

/* A guard that has passed its zero at the state before, though its polynomial could not
 * tell it from zero up to the end of the step, is hit as well: at the restart it would
 * have its new sign, and nobody would have noticed. */
static brink_status hit_too(brink_sim *sim, double t)
{
  brink__guards *g = &brink__run(sim)->guards;
  double delta;

  for (int k = 0; k < g->n; k++) {
    if (!(sim->g[k] * sim->sign_b[k] < 0) || sim->hit[k])
      continue;
    BRINK_TRY(brink__guard_rounding(g, k, t, sim->y_before, sim->noise, sim->far,
                                    &delta, &sim->err));
    if (fabs(sim->g[k]) > delta)
      sim->hit[k] = sim->sign_b[k] = (signed char)-sim->sign_b[k];
  }
  return BRINK_OK;
}

/* The run ends at t, which is theta of the step, because guard k accumulates there. */
BRINK__COLD static brink_status end_at(brink_sim *sim, const brink_step *step,
                                       double begin, double theta, double t, int k)
{
  BRINK_TRY(brink__tell_step(sim, step, begin, theta, t));
  sim->t = t;
  brink__copy(sim->y, sim->y_before, step->n);
  brink__accumulate(sim, brink__run(sim)->guards.info[k].name);
  return BRINK_EVENT;
}

/* An observer has stopped the run on the way: what was not told did not happen. */
BRINK__COLD static brink_status stop_at(brink_sim *sim, const brink_step *step,
                                        double theta)
{
  brink__state_at(sim, step, theta, sim->y);
  sim->t = brink__time_at(step, theta);
  return BRINK_EVENT;
}

/* The step, which has been told up to `begin`, ends with the group: make that the
 * state, and run what is due. */
static brink_status cut(brink_sim *sim, brink_step *step, const group *g, double begin)
{
  mode_run *run = brink__run(sim);
  brink__hits *hits = &run->hits;
  double theta = g->theta, h = fabs(step->h);
  double width = spread(hits, g->i, g->end, theta, step);
  brink_kind kind = at_restart(sim, theta) ? BRINK_KIND_START : BRINK_KIND_CROSSING;

  const brink__hit *first = first_crossing(hits, g);
  if (first && begin == 0 && may_close(sim, first->guard, theta))
    BRINK_TRY(brink__closing_step(sim, first, step, &theta));
  state_before(sim, step, &theta, sim->y_before);
  double t = brink__time_at(step, theta);
  int kept = brink__stays_creep(run)
                 ? brink__kept_by_rounding(sim, step, g->i, g->end, theta)
                 : -1;
  if (kept >= 0)
    return end_at(sim, step, begin, theta, t, kept);
  if (t >= sim->t_next) /* a timer within the band of the event: one instant */
    t = sim->t_next;
  BRINK_TRY(brink__tell_step(sim, step, begin, theta, t));
  if (sim->over)
    return stop_at(sim, step, theta);
  /* one guess knows its state, if not its zero; so does who has just jumped there */
  int known =
      sim->locator->rough || (kind == BRINK_KIND_START && sim->stats.instants > 0);
  brink__noise_at(sim, step, theta, known ? 0 : g->width, sim->y_before);
  BRINK_TRY(brink__guards_before(sim, t));
  if (run->guards.n > 1)
    BRINK_TRY(hit_too(sim, t));
  if (g->end > g->i + 1)
    BRINK_TRY(log_touches(sim, t, g, width));
  sim->h_last = brink__max(h, run->wanted) * brink__integrator_stride(run->it);
  sim->t = t;
  brink__copy(sim->y, sim->y_before, step->n);
  return brink__instants(sim,
                         &(due_set){.before = sim->sign_a,
                                    .after = sim->sign_b,
                                    .hit = sim->hit,
                                    .timers = t >= sim->t_next ? sim->due : sim->none,
                                    .kind = kind,
                                    .width = width,
                                    .certificate = hits->certificate});
}

/* ------------------------------------------------------------- walking --- */

/* The group changes nothing: tell what is to be told of it, and the step up to there.
 */
static brink_status pass(brink_sim *sim, const brink_step *step, const group *g,
                         int level, double *begin)
{
  const brink__hits *hits = &brink__run(sim)->hits;

  if (level == BRINK__SILENT && !sim->opt.all_relations && first_crossing(hits, g))
    return BRINK_OK;
  BRINK_TRY(
      brink__tell_step(sim, step, *begin, g->theta, brink__time_at(step, g->theta)));
  *begin = g->theta;
  if (sim->over)
    return BRINK_OK;
  BRINK_TRY(log_hits(sim, step, g, BRINK_KIND_TOUCH));
  if (level == BRINK__LOGS)
    return log_events(sim, step, g);
  return sim->opt.all_relations ? log_hits(sim, step, g, BRINK_KIND_CROSSING)
                                : BRINK_OK;
}

/* Walk through the hits of a step.  BRINK_EVENT: the step was cut and restarted.
 * BRINK_OK: all of it stands; *begin is how far it has been told.  BRINK_END: it should
 * be taken again. */
static brink_status walk(brink_sim *sim, brink_step *step, const brink__locate *how,
                         double *begin)
{
  const brink_model *m = sim->model;
  mode_run *run = brink__run(sim);
  brink__hits *hits = &run->hits;
  size_t ng = (size_t)run->guards.n;
  group g;

  brink__copy_bytes(sim->sign_a, hits->start_sign, ng);
  for (int i = 0; i < hits->n && !sim->over; i = g.end) {
    g = group_from(hits, i);
    if (!hits->complete && g.end == hits->n && i > 0) {
      hits->n = i; /* the last group may lack some: it comes again */
      break;
    }
    take_signs(sim, &g);
    int level = m->ops->triggers(m, sim->live, sim->mode, sim->sign_a, sim->sign_b);
    if (level == BRINK__ACTS) {
      if (!brink__plain(run, step) && *begin + how->from == 0 &&
          brink__doubt(sim, step, first_crossing(hits, &g)))
        return BRINK_END;
      return cut(sim, step, &g, *begin);
    }
    BRINK_TRY(pass(sim, step, &g, level, begin));
    memcpy(sim->sign_a, sim->sign_b, ng);
  }
  return BRINK_OK;
}

/* The guards cannot be read along the step: a shorter one may end before that. */
BRINK__COLD static brink_status no_value(brink_sim *sim, const brink_step *step,
                                         const brink__locate *how, brink_status why)
{
  if (why != BRINK_ENAN || how->from > 0 || !brink__doubt_all(sim, step))
    return why;
  brink__err_clear(&sim->err);
  return BRINK_END;
}

/* Do events accumulate that are hidden by rounding, or by what the locator is wrong by?
 */
static inline int hides(brink_sim *sim, const brink_step *step)
{
  const mode_run *run = brink__run(sim);

  return ((sim->bounced || (run->hits.n == 0 && brink__stays_shrink(run))) &&
          brink__falls_through(sim, step)) ||
         (sim->any_beside && brink__swallows(sim, step));
}

/* All of the step stands, or all up to the last hit: remember the signs. */
static inline void keep_signs(brink_sim *sim)
{
  brink__guards *g = &brink__run(sim)->guards;
  const unsigned char *banded = brink__run(sim)->hits.banded;

  memcpy(g->sign, sim->sign_a, (size_t)g->n);
  for (int k = 0; k < g->n; k++) /* fresh until it has left the band */
    g->fresh[k] &= banded[k] == 2;
}

/* brink__walk; BRINK_END: see walk. */
static brink_status find_and_walk(brink_sim *sim, brink_step *step, int decide)
{
  mode_run *run = brink__run(sim);
  brink__hits *hits = &run->hits;
  double begin = 0, h = fabs(step->h);
  brink__locate how = {.tol = sim->opt.event_tol / h,
                       .decide = decide,
                       /* a step made to end on an event says little about the next */
                       .keep = sim->locator->predicts && run->wanted == 0,
                       .scan = sim->opt.scan_step > 0 ? sim->opt.scan_step / h : 0.125};

  if (!sim->locator->proves_absence)
    how.soon = brink__stay_next(run) / h;
  run->guards.kept_h = 0;
  for (;; how.from = hits->v[hits->n - 1].theta) {
    hits->n = 0;
    hits->complete = 1;
    brink__guards_step(&run->guards);
    brink_status rc = sim->locator->behind(&run->guards, step, &how, hits, &sim->err);
    if (rc < 0)
      return no_value(sim, step, &how, rc);
    if (hits->certificate > sim->stats.certificate)
      sim->stats.certificate = hits->certificate;
    if (hides(sim, step))
      return BRINK_EVENT;
    rc = walk(sim, step, &how, &begin);
    if (rc != BRINK_OK)
      return rc;
    if (sim->over)
      return stop_at(sim, step, begin);
    if (step->t0 == sim->t_event && !brink__plain(run, step) && begin + how.from == 0 &&
        brink__doubt_first(sim, step))
      return BRINK_END;
    keep_signs(sim);
    if (hits->complete)
      break;
    if (hits->n == 0)
      return brink__fail_at(&sim->err, BRINK_EBUG, step->t0,
                            "a guard cannot be isolated "
                            "between t = %.9g and %.9g",
                            step->t0, step->t1);
  }
  memcpy(run->guards.banded, hits->banded, (size_t)run->guards.n);
  if (how.keep && hits->n == 0)
    run->guards.kept_h = h;
  return brink__tell_rest(sim, step, begin);
}

brink_status brink__walk(brink_sim *sim, brink_step *step, int decide)
{
  brink_status rc;

  while ((rc = find_and_walk(sim, step, decide)) == BRINK_END)
    decide &= brink__take_again(sim, step);
  return rc;
}
