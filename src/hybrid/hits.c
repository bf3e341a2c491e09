/* hits.c -- an accepted step: where its guards are zero, and what that means.
 *
 * The locator's hits are walked through in order.  Zeros that do nothing are remembered
 * as signs; those that only log are written down and the step goes on; the first one
 * that acts cuts the step, which may be taken again for that (doubt.c), and its instants
 * are run (instant.c).
 */
#include "hybrid/sim.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* events that time, or the way of a guard between them, tells apart by no more than this
 * many roundings are hardly told apart; one guess that is known no better than to the
 * second number, in gaps, and may be made with second differences, tells less */
static const double LITTLE = 0x1p10, GUESS = 0x1p-8, ROUGHLY = 0x1p20;

/* which way a guard goes at the ends of a step is seen at these parts of it, if it moves by
 * this part of itself */
static const double ASIDE = 0.25, NOTABLY = 0.01;

/* --------------------------------------------------------------- steps --- */

brink_status brink__show_step(brink_sim *sim, const brink_step *step, double begin,
                              double end, double t_end)
{
  if (!(end > begin))
    return BRINK_OK;
  if (sim->model->remembers)
    sim->model->ops->record(sim->model, sim->live, sim->mode, step, begin, end, t_end);
  BRINK_TRY(brink__trace_add_step(&sim->trace, step, end, t_end, sim->mode));
  if (sim->observer.on_step &&
      sim->observer.on_step(step, begin, end, sim->mode, sim->observer.user) != 0)
    brink__stop(sim, t_end);
  return BRINK_OK;
}

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
  int           degree = step->degree;
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

/* ------------------------------------------------------------- restep ---- */

/* A step of length h from t0 and sim->y_before: the guard at its end, as the state there
 * has it, and *d, the part of the step by which its own polynomial says that the zero lies
 * before the end. */
static brink_status try_length(brink_sim *sim, int k, double t0, double h,
                               brink_step *step, double *g1, double *d)
{
  mode_run    *run = brink__run(sim);
  const double gap = 0x1p-20;
  double       g0;

  if (brink__integrator_exact(run->it, t0, sim->y_before, h, step) < 0) {
    sim->err = *brink_integrator_error(run->it);
    return sim->err.status;
  }
  brink__guards_step(&run->guards);
  BRINK_TRY(brink__guard_at(&run->guards, k, step, 1, g1, &sim->err));
  BRINK_TRY(brink__guard_at(&run->guards, k, step, 1 - gap, &g0, &sim->err));
  *d = *g1 != g0 ? *g1 * gap / (*g1 - g0) : 0;
  return brink__guard_value(&run->guards, k, step->t1, brink_integrator_state(run->it), g1,
                            &sim->err);
}

/* A closing step that ends on the event, just beyond it: Newton on the length of the step,
 * with the guard read off each step's own polynomial, between a length that is too short
 * and one that will do, where there is one.  *found: the integrator is at the event and
 * *step the closing step. */
static brink_status close_in(brink_sim *sim, const brink__hit *hit, double t0, double h,
                             double h_full, brink_step *step, int *found)
{
  enum { TRIES = 24 };
  double tol = brink__max(4 * DBL_EPSILON, sim->opt.event_tol / h_full);
  double lo = 0, hi = HUGE_VAL, over = 0, g = 0, d = 0;

  for (int i = 0; i < TRIES; i++) {
    BRINK_TRY(try_length(sim, hit->guard, t0, h, step, &g, &d));
    *found = g * hit->dir > 0;
    if (*found && (fabs(d) <= tol || over > 0))
      return BRINK_OK;
    if (*found)
      hi = h;
    else
      lo = h;
    /* on the zero, or just before it: across, by more and more */
    over = !*found && fabs(d) <= tol ? brink__max(2 * over, fabs(d) + DBL_EPSILON) : 0;
    h *= over > 0 ? 1 + over : 1 - d;
    if (!(h > lo && h < hi))
      h = hi < HUGE_VAL ? lo + 0.5 * (hi - lo) : brink__min(2 * lo, h_full);
    if (!(h > lo) || h > h_full)
      break;
  }
  *found = 0;
  return BRINK_OK;
}

/* Not to an event that the state must stay before: approach.c has brought it there. */
static int may_close(const brink_sim *sim, int k, double theta)
{
  const brink_model *m = sim->model;

  return sim->closing && theta > 0 && theta < 1 &&
         m->ops->guard_side(m, sim->mode, k) != BRINK_BEFORE;
}

/* Where no step of the method ends on the event (stiff, or at the edge of where f exists)
 * the step that was taken stands, and the event stays at theta of its polynomial. */
BRINK__APART static brink_status closing_step(brink_sim *sim, const brink__hit *hit,
                                              brink_step *step, double *theta)
{
  mode_run  *run = brink__run(sim);
  brink_step taken = *step;
  size_t     w = (size_t)step->degree + 1, n = step->n;
  int        found = 0;

  memcpy(run->ahead, step->coeff, n * w * sizeof(double)); /* what was ahead is behind */
  taken.coeff = run->ahead;
  for (size_t i = 0; i < n; i++)
    sim->y_before[i] = taken.coeff[i * w];
  brink_status rc =
    close_in(sim, hit, taken.t0, *theta * taken.h, taken.h, step, &found);
  if (rc < 0 && rc != BRINK_EDOMAIN && rc != BRINK_ENAN)
    return rc;
  if (rc == BRINK_OK && found) {
    *theta = 1;
    return BRINK_OK;
  }
  *step = taken;
  brink__guards_step(&run->guards);
  return BRINK_OK;
}

/* ---------------------------------------------------------------- hits --- */

/* Hits i .. end - 1 share an instant: their bands overlap. */
static int group(const brink__hits *hits, int i, double *theta, double *width)
{
  double top = hits->v[i].band_hi;
  int    j = i;

  *theta = *width = 0;
  for (; j < hits->n && hits->v[j].band_lo <= top; j++) {
    top = brink__max(top, hits->v[j].band_hi);
    *theta = brink__max(*theta, hits->v[j].theta);
    *width = brink__max(*width, hits->v[j].width);
  }
  return j;
}

/* Signs and directions after the group. */
static void take_signs(brink_sim *sim, int i, int end)
{
  const brink__hits *hits = &brink__run(sim)->hits;
  size_t             ng = (size_t)brink__run(sim)->guards.n;

  brink__copy_bytes(sim->sign_b, sim->sign_a, ng);
  brink__fill_bytes(sim->hit, 0, ng);
  for (; i < end; i++)
    if (hits->v[i].kind == BRINK_KIND_CROSSING)
      sim->hit[hits->v[i].guard] = sim->sign_b[hits->v[i].guard] =
        (signed char)hits->v[i].dir;
}

/* How far from the time of the group a zero of it may lie, with the rounding of t. */
static inline double spread(const brink__hits *hits, int i, int end, double theta,
                            const brink_step *step)
{
  double width = theta - hits->v[i].theta + hits->v[i].width;

  while (++i < end)
    width = brink__max(width, theta - hits->v[i].theta + hits->v[i].width);
  return width * fabs(step->h) + DBL_EPSILON * fabs(brink__time_at(step, theta));
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

static const brink__hit *first_crossing(const brink__hits *hits, int i, int end)
{
  for (; i < end; i++)
    if (hits->v[i].kind == BRINK_KIND_CROSSING)
      return &hits->v[i];
  return NULL;
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
static void state_before(brink_sim *sim, const brink_step *step, double *theta, double *y)
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

/* Touches that share the instant of an event. */
static brink_status log_grouped(brink_sim *sim, double t, int i, int end, double width)
{
  mode_run *run = brink__run(sim);

  for (; i < end; i++) {
    const brink__hit *v = &run->hits.v[i];
    if (v->kind == BRINK_KIND_TOUCH)
      BRINK_TRY(brink__log(sim, t, sim->y_before, -1, run->guards.info[v->guard].name,
                           BRINK_KIND_TOUCH, v->dir, sim->g[v->guard], width,
                           run->hits.certificate));
  }
  return BRINK_OK;
}

/* A guard that has passed its zero at the state before, though its polynomial could not
 * tell it from zero up to the end of the step, is hit as well: at the restart it would
 * have its new sign, and nobody would have noticed. */
static brink_status hit_too(brink_sim *sim, double t)
{
  brink__guards *g = &brink__run(sim)->guards;
  double         delta;

  for (int k = 0; k < g->n; k++) {
    if (!(sim->g[k] * sim->sign_b[k] < 0) || sim->hit[k])
      continue;
    BRINK_TRY(brink__guard_rounding(g, k, t, sim->y_before, sim->noise, sim->far, &delta,
                                    &sim->err));
    if (fabs(sim->g[k]) > delta)
      sim->hit[k] = sim->sign_b[k] = (signed char)-sim->sign_b[k];
  }
  return BRINK_OK;
}

/* Is the way of guard k between two events, `gap` apart, no more than rounding? */
static int is_rounding(brink_sim *sim, const brink_step *step, const brink__hit *hit,
                       double theta, double gap)
{
  brink__guards    *g = &brink__run(sim)->guards;
  double            t = brink__time_at(step, theta), delta;
  int               guess = sim->locator->rough && hit->width * fabs(step->h) > GUESS * gap;
  brink_certificate how;
  brink__poly       p;

  if (gap <= LITTLE * DBL_EPSILON * fabs(t))
    return 1;
  if (brink__guard_expand(g, hit->guard, step, &p, &how, &sim->err) < 0 ||
      how == BRINK_SAMPLED)
    return 0;
  double way = fabs(brink__poly_slope(&p, theta) / step->h) * gap;
  return brink__guard_rounding(g, hit->guard, t, sim->y_before, sim->noise, sim->far, &delta,
                               &sim->err) == BRINK_OK &&
         way <= (guess ? ROUGHLY : LITTLE) * delta;
}

/* Events follow each other at short times that shrink no more.  The guard that is kept
 * moving by nothing but rounding, of t or of its own, -1: none. */
BRINK__APART static int kept_by_rounding(brink_sim *sim, const brink_step *step, int i,
                                         int end, double theta)
{
  const brink__hit *v = brink__run(sim)->hits.v;
  double            gap = brink__time_at(step, theta) - sim->t_event;

  brink__noise_at(sim, step, theta, 0, sim->y_before);
  for (; i < end; i++)
    if (v[i].kind == BRINK_KIND_CROSSING && is_rounding(sim, step, &v[i], theta, gap))
      return v[i].guard;
  return -1;
}

/* The run ends at t, which is theta of the step, because guard k accumulates there. */
BRINK__COLD static brink_status end_at(brink_sim *sim, const brink_step *step, double begin,
                                       double theta, double t, int k)
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

/* The step ends at theta: make that the state, and run what is due. */
static brink_status cut(brink_sim *sim, brink_step *step, int i, int end, double begin,
                        double theta, double width)
{
  mode_run    *run = brink__run(sim);
  brink__hits *hits = &run->hits;
  double       h = fabs(step->h), wide = spread(hits, i, end, theta, step);
  brink_kind   kind = at_restart(sim, theta) ? BRINK_KIND_START : BRINK_KIND_CROSSING;

  const brink__hit *main = first_crossing(hits, i, end);
  if (main && begin == 0 && may_close(sim, main->guard, theta))
    BRINK_TRY(closing_step(sim, main, step, &theta));
  state_before(sim, step, &theta, sim->y_before);
  double t = brink__time_at(step, theta);
  int    kept = brink__stays_creep(run) ? kept_by_rounding(sim, step, i, end, theta) : -1;
  if (kept >= 0)
    return end_at(sim, step, begin, theta, t, kept);
  if (t >= sim->t_next) { /* a timer within the band of the event: one instant */
    t = sim->t_next;
  }
  BRINK_TRY(brink__tell_step(sim, step, begin, theta, t));
  if (sim->over)
    return stop_at(sim, step, theta);
  /* one guess knows its state, if not its zero */
  brink__noise_at(sim, step, theta, sim->locator->rough ? 0 : width, sim->y_before);
  BRINK_TRY(brink__guards_before(sim, t));
  if (run->guards.n > 1)
    BRINK_TRY(hit_too(sim, t));
  if (end > i + 1)
    BRINK_TRY(log_grouped(sim, t, i, end, wide));
  sim->h_last = brink__max(h, run->wanted) * brink__integrator_stride(run->it);
  sim->t = t;
  brink__copy(sim->y, sim->y_before, step->n);
  return brink__instants(
    sim, &(due_set){.before = sim->sign_a, .after = sim->sign_b, .hit = sim->hit,
                    .timers = t >= sim->t_next ? sim->due : sim->none,
                    .kind = kind, .width = wide, .certificate = hits->certificate});
}

BRINK__APART static brink_status log_touches(brink_sim *sim, const brink_step *step, int i,
                                             int end)
{
  mode_run *run = brink__run(sim);

  for (; i < end; i++) {
    const brink__hit *v = &run->hits.v[i];
    double            g;
    if (v->kind != BRINK_KIND_TOUCH)
      continue;
    brink__state_at(sim, step, v->theta, sim->y_after);
    double t = brink__time_at(step, v->theta);
    BRINK_TRY(brink__guard_value(&run->guards, v->guard, t, sim->y_after, &g, &sim->err));
    BRINK_TRY(brink__log(sim, t, sim->y_after, -1, run->guards.info[v->guard].name,
                         BRINK_KIND_TOUCH, v->dir, g,
                         spread(&run->hits, i, i + 1, v->theta, step),
                         run->hits.certificate));
  }
  return BRINK_OK;
}

/* Events that only log: ask the model which, by running an instant that cannot
 * change anything. */
BRINK__APART static brink_status log_events(brink_sim *sim, const brink_step *step,
                                            double theta, int i, int end)
{
  const brink_model *m = sim->model;
  mode_run          *run = brink__run(sim);
  double             t = brink__time_at(step, theta), g;

  brink__state_at(sim, step, theta, sim->y_before);
  memcpy(sim->y_after, sim->y_before, step->n * sizeof(double));
  brink__instant inst = {.t = t, .mode = sim->mode, .y_before = sim->y_before,
                         .sign_before = sim->sign_a, .sign = sim->sign_b, .hit = sim->hit,
                         .due = sim->none, .y = sim->y_after, .mode_after = sim->mode,
                         .t_after = t, .fired = sim->fired};
  due_set        due = {.before = sim->sign_a, .after = sim->sign_b, .hit = sim->hit};
  BRINK_TRY(m->ops->instant(m, sim->live, &inst, &sim->err));
  sim->stats.instants++;
  for (int j = 0; j < inst.n_fired; j++) {
    int k, dir = brink__edge(sim, sim->mode, inst.fired[j], &due, &k);
    if (k < 0) /* without a guard of its own it cannot have been hit */
      continue;
    BRINK_TRY(brink__guard_value(&run->guards, k, t, sim->y_before, &g, &sim->err));
    BRINK_TRY(brink__log(sim, t, sim->y_before, inst.fired[j],
                         m->ops->event_name(m, sim->mode, inst.fired[j]),
                         BRINK_KIND_CROSSING, dir, g,
                         spread(&run->hits, i, end, theta, step), run->hits.certificate));
  }
  return BRINK_OK;
}

/* Crossings without effect, for those who want to see them. */
BRINK__APART static brink_status log_silent(brink_sim *sim, const brink_step *step, int i,
                                            int end)
{
  mode_run *run = brink__run(sim);

  for (; i < end && sim->opt.all_relations; i++) {
    const brink__hit *v = &run->hits.v[i];
    double            t = brink__time_at(step, v->theta), g;
    if (v->kind != BRINK_KIND_CROSSING)
      continue;
    brink__state_at(sim, step, v->theta, sim->y_after);
    BRINK_TRY(brink__guard_value(&run->guards, v->guard, t, sim->y_after, &g, &sim->err));
    BRINK_TRY(brink__log(sim, t, sim->y_after, -1, run->guards.info[v->guard].name,
                         BRINK_KIND_CROSSING, v->dir, g,
                         spread(&run->hits, i, i + 1, v->theta, step),
                         run->hits.certificate));
  }
  return BRINK_OK;
}

/* Walk through the hits of a step.  BRINK_EVENT: the step was cut and restarted.
 * BRINK_OK: all of it stands; *begin is how far it has been told.  BRINK_END: it should
 * be taken again. */
static brink_status walk(brink_sim *sim, brink_step *step, const brink__locate *how,
                         double *begin)
{
  const brink_model *m = sim->model;
  mode_run          *run = brink__run(sim);
  brink__hits       *hits = &run->hits;
  size_t             ng = (size_t)run->guards.n;
  double             theta, width;

  brink__copy_bytes(sim->sign_a, hits->start_sign, ng);
  for (int i = 0, end; i < hits->n && !sim->over; i = end) {
    end = group(hits, i, &theta, &width);
    if (!hits->complete && end == hits->n && i > 0) {
      hits->n = i; /* the last group may lack some: it comes again */
      break;
    }
    take_signs(sim, i, end);
    int level = m->ops->triggers(m, sim->live, sim->mode, sim->sign_a, sim->sign_b);
    if (level == 2) {
      if (!brink__plain(run, step) && *begin + how->from == 0 &&
          brink__doubt(sim, step, first_crossing(hits, i, end)))
        return BRINK_END;
      return cut(sim, step, i, end, *begin, theta, width);
    }
    if (level == 1 || sim->opt.all_relations || first_crossing(hits, i, end) == NULL) {
      BRINK_TRY(brink__tell_step(sim, step, *begin, theta, brink__time_at(step, theta)));
      *begin = theta;
      if (sim->over)
        break;
      BRINK_TRY(log_touches(sim, step, i, end));
      if (level == 1)
        BRINK_TRY(log_events(sim, step, theta, i, end));
      else
        BRINK_TRY(log_silent(sim, step, i, end));
    }
    memcpy(sim->sign_a, sim->sign_b, ng);
  }
  return BRINK_OK;
}

/* Does guard k set out against dir, as far as can be seen? */
static int sets_out(brink_sim *sim, const brink_step *step, int k, int dir)
{
  brink__guards    *g = &brink__run(sim)->guards;
  brink__poly       p;
  brink_certificate certificate;

  return brink__guard_expand(g, k, step, &p, &certificate, &sim->err) == BRINK_OK &&
         p.form == BRINK__MONOMIAL && p.degree > 0 && p.c[1] * dir < 0;
}

/* A guard that came back and crossed again without time moving on, or after ever shorter
 * times, and now stays on the far side, has not stopped bouncing: its bounces have become
 * smaller than rounding. */
BRINK__APART static int falls_through(brink_sim *sim, const brink_step *step)
{
  const mode_run    *run = brink__run(sim);
  const brink__hits *hits = &run->hits;
  int                shrink = brink__stays_shrink(run);

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

/* Would the run stop or act if guard k came back and crossed once more? */
static int would_fire(brink_sim *sim, int k, int dir)
{
  const brink_model *m = sim->model;
  size_t             ng = (size_t)brink__run(sim)->guards.n;

  memcpy(sim->sign_a, brink__run(sim)->hits.start_sign, ng);
  memcpy(sim->sign_b, sim->sign_a, ng);
  sim->sign_a[k] = (signed char)-dir;
  sim->sign_b[k] = (signed char)dir;
  return m->ops->triggers(m, sim->live, sim->mode, sim->sign_a, sim->sign_b) == 2;
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

/* Which way does guard k go at theta, 0 or 1?  By its polynomial; where that has let it go,
 * below the band, by values that differ notably. */
static int way_of(brink_sim *sim, const brink_step *step, int k, const brink__poly *p,
                  double theta)
{
  brink__guards *g = &brink__run(sim)->guards;
  double         slope = brink__poly_slope(p, theta), here, there;

  if (brink__guard_at(g, k, step, theta, &here, &sim->err) < 0)
    return 0;
  for (double d = ASIDE; slope == 0 && d > 0x1p-12; d *= ASIDE) {
    if (brink__guard_at(g, k, step, theta > 0 ? 1 - d : d, &there, &sim->err) < 0)
      return 0;
    if (fabs(there - here) > NOTABLY * fabs(here))
      slope = theta > 0 ? here - there : there - here;
  }
  return (slope > 0) - (slope < 0);
}

/* An event of guard k, in direction dir, was put beside its zero.  1: the guard set out to
 * come back, but is seen on the far side only and going away, so that what the locator was
 * wrong by has swallowed the next event; 0: not yet; -1: it is back, or does not want to
 * come. */
static int is_swallowed(brink_sim *sim, const brink_step *step, int k, int dir)
{
  mode_run         *run = brink__run(sim);
  brink_certificate how;
  brink__poly       p;
  double            last;

  int met = met_again(&run->hits, k);
  if (met)
    return met < 0 && would_fire(sim, k, dir) ? 1 : -1;
  if (run->hits.start_sign[k] == -dir ||
      brink__guard_expand(&run->guards, k, step, &p, &how, &sim->err) < 0 ||
      how == BRINK_SAMPLED)
    return -1;
  if (brink__guard_at(&run->guards, k, step, 1, &last, &sim->err) < 0 ||
      (run->guards.fresh[k] && step->t0 == sim->t_event &&
       way_of(sim, step, k, &p, 0) * dir >= 0))
    return -1;
  if (!(way_of(sim, step, k, &p, 1) * dir > 0 && last * dir > 0))
    return 0;
  return would_fire(sim, k, dir) ? 1 : -1;
}

/* One of the guards that were put beside their zeros will not come back. */
BRINK__APART static int swallows(brink_sim *sim, const brink_step *step)
{
  sim->any_beside = 0;
  for (int k = 0; k < brink__run(sim)->guards.n; k++) {
    int is = sim->beside[k] ? is_swallowed(sim, step, k, sim->beside[k]) : -1;
    if (is > 0) {
      brink__swallow(sim, k);
      return 1;
    }
    if (is < 0)
      sim->beside[k] = 0;
    else
      sim->any_beside = 1;
  }
  return 0;
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

/* brink__walk; BRINK_END: see walk. */
static brink_status find_and_walk(brink_sim *sim, brink_step *step, int decide)
{
  mode_run     *run = brink__run(sim);
  brink__hits  *hits = &run->hits;
  double        begin = 0, h = fabs(step->h);
  brink__locate how = {.tol = sim->opt.event_tol / h, .decide = decide,
                       /* a step made to end on an event says little about the next */
                       .keep = sim->locator->predicts && run->wanted == 0,
                       .scan = sim->opt.scan_step > 0 ? sim->opt.scan_step / h : 0.125};

  if (!sim->locator->proves_absence)
    how.soon = brink__stay_next(run) / h;
  run->guards.kept_h = 0;
  for (;;) {
    hits->n = 0;
    hits->complete = 1;
    brink__guards_step(&run->guards);
    brink_status rc = sim->locator->behind(&run->guards, step, &how, hits, &sim->err);
    if (rc < 0)
      return no_value(sim, step, &how, rc);
    if (hits->certificate > sim->stats.certificate)
      sim->stats.certificate = hits->certificate;
    if ((sim->bounced || (hits->n == 0 && brink__stays_shrink(run))) &&
        falls_through(sim, step))
      return BRINK_EVENT;
    if (sim->any_beside && swallows(sim, step))
      return BRINK_EVENT;
    rc = walk(sim, step, &how, &begin);
    if (rc != BRINK_OK)
      return rc;
    if (step->t0 == sim->t_event && !brink__plain(run, step) && begin + how.from == 0 &&
        brink__doubt_first(sim, step))
      return BRINK_END;
    if (sim->over)
      return stop_at(sim, step, begin);

    /* all of it stands: remember the signs */
    memcpy(run->guards.sign, sim->sign_a, (size_t)run->guards.n);
    for (int k = 0; k < run->guards.n; k++) /* fresh until it has left the band */
      run->guards.fresh[k] &= hits->banded[k] == 2;
    if (hits->complete)
      break;
    if (hits->n == 0)
      return brink__fail_at(&sim->err, BRINK_EBUG, step->t0, "a guard cannot be isolated "
                            "between t = %.9g and %.9g", step->t0, step->t1);
    how.from = hits->v[hits->n - 1].theta;
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
