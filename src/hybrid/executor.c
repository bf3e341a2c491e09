/* executor.c -- run a hybrid model: steps, hits, instants, limits.
 *
 * One advance: next known time -> one accepted step -> zeros of the guards in it
 * -> the first one that matters cuts the step -> instants (instant.c) -> restart.
 * Zeros that do nothing are remembered as signs; those that only log are written
 * down and the step goes on.
 */
#include "hybrid/sim.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

enum {
  HITS = 64,       /* zeros of one step that are held at once                  */
  CLOCK_EVERY = 64 /* steps between looks at the wall clock                    */
};

/* a known time this little past the end is the end: 3 * 0.1 and 0.3 differ by rounding */
static const double SAME = 2 * DBL_EPSILON;

/* --------------------------------------------------------- life cycle ---- */

static brink_status unknown_locator(brink_err *err, const char *name)
{
  const char *best = NULL;
  int         distance = 4;

  for (int i = 0; brink_locator_name(i); i++) {
    int d = brink__distance(name, brink_locator_name(i));
    if (d < distance) {
      distance = d;
      best = brink_locator_name(i);
    }
  }
  return brink__fail(err, BRINK_ENAME, "there is no locator '%s'%s%s%s", name,
                     best ? "; did you mean '" : "; see 'brink locators'",
                     best ? best : "", best ? "'?" : "");
}

static void carve(brink_sim *sim, brink__block *b)
{
  const brink_model *m = sim->model;
  size_t             n = m->max_n, ng = (size_t)m->max_guards, nt = (size_t)m->n_timers;

  sim->live = brink__carve(b, 1, m->ops->live_size(m));
  sim->runs = brink__carve(b, (size_t)brink__mode_room(m), sizeof *sim->runs);
  sim->y = brink__carve(b, n, 4 * sizeof(double));
  sim->y_before = sim->y + n;
  sim->y_after = sim->y_before + n;
  sim->noise = sim->y_after + n;
  sim->g = brink__carve(b, ng, 2 * sizeof(double));
  sim->g_before = sim->g + ng;
  sim->sign_a = brink__carve(b, ng, 4);
  sim->sign_b = sim->sign_a + ng;
  sim->hit = sim->sign_b + ng;
  sim->old = sim->hit + ng;
  sim->due = brink__carve(b, nt, 2);
  sim->none = sim->due + nt;
  sim->fired = brink__carve(b, (size_t)m->max_fired, sizeof *sim->fired);
  sim->names = brink__carve(b, (size_t)m->max_fired, sizeof *sim->names);
}

static size_t measure(const brink_model *m)
{
  size_t need = brink__need(0, 1, sizeof(brink_sim));

  need = brink__need(need, 1, m->ops->live_size(m));
  need = brink__need(need, (size_t)brink__mode_room(m), sizeof(mode_run *));
  need = brink__need(need, m->max_n, 4 * sizeof(double));
  need = brink__need(need, (size_t)m->max_guards, 2 * sizeof(double));
  need = brink__need(need, (size_t)m->max_guards, 4);
  need = brink__need(need, (size_t)m->n_timers, 2);
  need = brink__need(need, (size_t)m->max_fired, sizeof(int));
  return brink__need(need, (size_t)m->max_fired, sizeof(char *));
}

brink_status brink_sim_new(brink_ctx *ctx, const brink_model *model,
                           const brink_sim_opts *opt, brink_sim **out)
{
  brink_sim_opts defaults = brink_sim_defaults();
  brink__block   block;

  *out = NULL;
  if (!model)
    return brink__fail(&ctx->err, BRINK_EARG, "a simulation needs a model");
  if (!opt)
    opt = &defaults;
  BRINK_TRY(brink__sim_check(opt, &ctx->err));
  const brink__locator *locator = brink__locator_find(opt->locator);
  if (!locator)
    return unknown_locator(&ctx->err, opt->locator);

  BRINK_TRY(brink__block_new(ctx, measure(model), &block));
  brink_sim *sim = brink__carve(&block, 1, sizeof *sim);
  sim->ctx = ctx;
  sim->model = model;
  sim->opt = *opt;
  sim->locator = sim->usual = locator;
  carve(sim, &block);
  sim->block = block;
  brink__err_clear(&sim->err);
  model->ops->live_init(model, sim->live);

  /* the first mode's run tells whether the method's settings are good */
  brink_status rc = brink__activate(sim, 0);
  if (rc == BRINK_OK) {
    sim->method = brink__integrator_method(brink__run(sim)->it);
    sim->closing =
      opt->restep == BRINK_RESTEP_ON ||
      (opt->restep == BRINK_RESTEP_AUTO && sim->method->dense_order < sim->method->order - 1);
    rc = brink__trace_init(&sim->trace, ctx, opt, model->max_n, sim->method->max_degree);
  }
  if (rc < 0) {
    brink_sim_free(sim);
    return rc;
  }
  *out = sim;
  return BRINK_OK;
}

static void run_free(mode_run *run)
{
  if (!run)
    return;
  brink__block block = run->block;
  brink_integrator_free(run->it);
  brink__block_drop(&block);
}

void brink_sim_free(brink_sim *sim)
{
  if (!sim)
    return;
  for (int i = 0; i < sim->n_runs; i++)
    run_free(sim->runs[i]);
  if (sim->model->ops->live_fini)
    sim->model->ops->live_fini(sim->model, sim->live);
  brink__trace_fini(&sim->trace);
  brink__block block = sim->block;
  brink__block_drop(&block);
}

void brink_sim_observe(brink_sim *sim, const brink_observer *observer)
{
  sim->observer = observer ? *observer : (brink_observer){0};
}

/* -------------------------------------------------------------- modes ---- */

/* of two longest steps, 0 standing for any */
static double shorter(double a, double b)
{
  return a > 0 && b > 0 ? brink__min(a, b) : a > 0 ? a : b;
}

static brink_status run_new(brink_sim *sim, int mode, mode_run **out)
{
  const brink_model    *m = sim->model;
  size_t                ng = (size_t)m->modes[mode].n_guards;
  brink_integrator_opts opt = {
    .method = sim->opt.method, .rtol = sim->opt.rtol, .atol = sim->opt.atol,
    .atol_i = mode == 0 ? sim->opt.atol_i : NULL, .h0 = sim->opt.h0,
    .h_min = sim->opt.h_min, .h_max = shorter(sim->opt.h_max, m->h_max),
    .order = (int)brink__min((double)sim->opt.order, INT_MAX)};
  const brink_method *method = brink__method_find(opt.method);
  int                 degree = method ? method->max_degree : 1;
  brink__block        block;

  size_t need = brink__need(0, 1, sizeof(mode_run));
  need = brink__need(need, 1, brink__guards_size(m, mode, degree));
  need = brink__need(need, HITS, sizeof(brink__hit));
  need = brink__need(need, ng, 3);
  need = brink__need(need, ng, 2 * sizeof(double));
  need = brink__need(need, ng ? m->modes[mode].n : 0,
                     ((size_t)degree + 1) * sizeof(double));
  BRINK_TRY(brink__block_new(sim->ctx, need, &block));
  mode_run *run = brink__carve(&block, 1, sizeof *run);
  void     *guards = brink__carve(&block, 1, brink__guards_size(m, mode, degree));
  run->hits.v = brink__carve(&block, HITS, sizeof(brink__hit));
  run->hits.start_sign = brink__carve(&block, ng, 3);
  run->hits.banded = (unsigned char *)run->hits.start_sign + ng;
  run->wary = run->hits.banded + ng;
  run->g_from = brink__carve(&block, ng, 2 * sizeof(double));
  run->g_last = run->g_from + ng;
  run->ahead = brink__carve(&block, ng ? m->modes[mode].n : 0,
                            ((size_t)degree + 1) * sizeof(double));
  run->hits.cap = HITS;
  run->block = block;
  m->ops->flow(m, sim->live, mode, &run->flow);
  brink_status rc = brink__integrator_new(sim->ctx, &run->flow, &opt, &run->it);
  if (rc < 0) {
    run_free(run);
    return rc;
  }
  brink__integrator_gate(run->it)->open = !sim->opt.gate;
  brink__guards_init(&run->guards, guards, m, sim->live, mode, degree);
  *out = run;
  return BRINK_OK;
}

/* Events of the mode may ask for a locator. */
static brink_status choose_locator(brink_sim *sim, int mode)
{
  const char *wish = sim->opt.wishes ? sim->model->modes[mode].locate : NULL;

  sim->locator = wish ? brink__locator_find(wish) : sim->usual;
  if (sim->locator)
    return BRINK_OK;
  sim->locator = sim->usual;
  return unknown_locator(&sim->ctx->err, wish);
}

brink_status brink__activate(brink_sim *sim, int mode)
{
  sim->mode = mode;
  if (mode >= sim->n_runs)
    sim->n_runs = mode + 1;
  brink_status rc = choose_locator(sim, mode);
  if (rc < 0 || !sim->runs[mode]) {
    if (rc >= 0)
      rc = run_new(sim, mode, &sim->runs[mode]);
    if (rc < 0) {
      sim->err = sim->ctx->err;
      return rc;
    }
  }
  /* the law may depend on what the jump changed */
  sim->model->ops->flow(sim->model, sim->live, mode, &sim->runs[mode]->flow);
  return BRINK_OK;
}

/* -------------------------------------------------------------- start ---- */

static brink_work work_now(const brink_sim *sim)
{
  brink_work sum = {0};

  for (int i = 0; i < sim->n_runs; i++) {
    if (!sim->runs[i])
      continue;
    brink_work w = brink_integrator_work(sim->runs[i]->it);
    sum.steps += w.steps;
    sum.rejected += w.rejected;
    sum.retried += w.retried;
    sum.f_evals += w.f_evals;
    sum.outside_evals += w.outside_evals;
    sum.restarts += w.restarts;
    sum.unguarded += w.unguarded;
    sum.look_evals += w.look_evals;
  }
  return sum;
}

static long guard_evals(const brink_sim *sim)
{
  long sum = 0;

  for (int i = 0; i < sim->n_runs; i++)
    if (sim->runs[i])
      sum += sim->runs[i]->guards.evals;
  return sum;
}

static void forget_runs(brink_sim *sim)
{
  for (int i = 0; i < sim->n_runs; i++)
    if (sim->runs[i]) {
      sim->runs[i]->guards.evals = 0;
      memset(sim->runs[i]->guards.scale, 0,
             (size_t)sim->runs[i]->guards.n * sizeof(double));
      memset(sim->runs[i]->stay, 0, sizeof sim->runs[i]->stay);
      sim->runs[i]->h = 0;
    }
}

/* Given start values, checked; or the model's own. */
static brink_status first_state(brink_sim *sim, double t, int *mode, const double *y)
{
  const brink_model *m = sim->model;

  size_t n = m->modes[*mode].n, bad = y ? brink__first_bad(y, n) : n;

  if (bad < n)
    return brink__fail_at(&sim->err, BRINK_ENAN, t, "start value '%s' is %g",
                          m->modes[*mode].states[bad], y[bad]);
  return m->ops->start(m, sim->live, t, mode, y, sim->y, &sim->err);
}

brink_status brink_sim_start(brink_sim *sim, double t, int mode, const double *y)
{
  const brink_model *m = sim->model;

  sim->started = 0;
  if (!isfinite(t))
    return brink__fail(&sim->err, BRINK_EARG, "the start time is %g", t);
  if (mode < 0 || mode >= m->n_modes)
    return brink__fail(&sim->err, BRINK_EARG, "there is no mode %d; the model has %d", mode,
                       m->n_modes);
  brink__err_clear(&sim->err);
  brink__trace_clear(&sim->trace);
  m->ops->live_init(m, sim->live);
  BRINK_TRY(first_state(sim, t, &mode, y));
  BRINK_TRY(brink__activate(sim, mode));
  sim->t = t;
  sim->started = sim->entering = 1;
  sim->over = BRINK_OK;
  sim->t_next = HUGE_VAL;
  sim->t_instant = nan("");
  sim->still = 0;
  memset(sim->names, 0, (size_t)m->max_fired * sizeof *sim->names);
  sim->t_event = t;
  sim->h_last = 0;
  sim->stats = (brink_sim_stats){.certificate = BRINK_PROVED};
  sim->work_before = work_now(sim);
  forget_runs(sim);
  sim->wall_spent = 0;
  return BRINK_OK;
}

static brink_status set(brink_sim *sim, double *v, int n, int i, double value,
                        const char *what)
{
  if (!sim->started)
    return brink__fail(&sim->err, BRINK_EARG, "set a %s after the start", what);
  if (i < 0 || i >= n || !isfinite(value))
    return brink__fail(&sim->err, BRINK_EARG, "%s %d of %d cannot be set to %g", what, i, n,
                       value);
  v[i] = value;
  return BRINK_OK;
}

brink_status brink_sim_set_p(brink_sim *sim, int i, double value)
{
  brink__values v = brink__live_values(sim->model, sim->live);
  return set(sim, v.p, v.n_p, i, value, "parameter");
}

brink_status brink_sim_set_u(brink_sim *sim, int i, double value)
{
  brink__values v = brink__live_values(sim->model, sim->live);
  return set(sim, v.u, v.n_u, i, value, "input");
}

/* --------------------------------------------------------------- steps --- */

static brink_status tell_step(brink_sim *sim, const brink_step *step, double begin,
                              double end, double t_end)
{
  if (!(end > begin))
    return BRINK_OK;
  if (sim->model->ops->record)
    sim->model->ops->record(sim->model, sim->live, sim->mode, step, begin, end, t_end);
  if (begin == 0 || sim->trace.keep == BRINK_KEEP_STEPS)
    BRINK_TRY(brink__trace_add_step(&sim->trace, step, begin, end, t_end, sim->mode));
  if (sim->observer.on_step &&
      sim->observer.on_step(step, begin, end, sim->mode, sim->observer.user) != 0)
    sim->over = BRINK_STOPPED;
  return BRINK_OK;
}

static double time_at(const brink_step *step, double theta)
{
  return theta == 1 ? step->t1 : step->t0 + theta * step->h;
}

/* State at theta; the ends are the integrator's own. */
static void state_at(const brink_sim *sim, const brink_step *step, double theta, double *y)
{
  if (theta == 1)
    memcpy(y, brink_integrator_state(brink__run(sim)->it), step->n * sizeof *y);
  else
    brink_step_at(step, theta, y);
}

/* Rounding bounds of the states at a place located within `width` of theta. */
void brink__noise_at(brink_sim *sim, const brink_step *step, double theta, double width,
                     const double *y)
{
  int           degree = step->degree;
  const double *c = step->coeff;

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

/* A closing step that ends on the event: Newton on the length of the step, with
 * the guard read off each step's own polynomial.  Leaves the integrator at the
 * event and *step the closing step. */
static brink_status closing_step(brink_sim *sim, const brink__hit *hit, brink_step *step)
{
  enum { TRIES = 12 };
  mode_run *run = brink__run(sim);
  double    t0 = step->t0, h = hit->theta * step->h, h_full = step->h, gap = 0x1p-20;
  size_t    w = (size_t)step->degree + 1, n = step->n;

  for (size_t i = 0; i < n; i++)
    sim->y_before[i] = step->coeff[i * w];
  for (int i = 0; i < TRIES; i++) {
    double g1, g0, theta = 1;
    if (brink__integrator_exact(run->it, t0, sim->y_before, h, step) < 0) {
      sim->err = *brink_integrator_error(run->it);
      return sim->err.status;
    }
    brink__guards_step(&run->guards);
    BRINK_TRY(brink__guard_at(&run->guards, hit->guard, step, 1, &g1, &sim->err));
    BRINK_TRY(brink__guard_at(&run->guards, hit->guard, step, 1 - gap, &g0, &sim->err));
    double d = g1 != g0 ? g1 * gap / (g1 - g0) : 0;
    int    good_side = g1 * hit->dir > 0;
    if (fabs(d) <= 4 * DBL_EPSILON || fabs(d * h) <= sim->opt.event_tol) {
      if (good_side || i + 1 == TRIES)
        break;
      theta += 2 * (fabs(d) + DBL_EPSILON); /* a little further, to the new side */
    } else {
      theta -= d;
    }
    h = theta * h;
    if (!(h * h_full > 0) || fabs(h) > 2 * fabs(h_full))
      return brink__fail_at(&sim->err, BRINK_ESTEP, t0,
                            "the closing step to guard '%s' from t = %.9g does not "
                            "converge; try restep off",
                            run->guards.info[hit->guard].name, t0);
  }
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
static double spread(const brink__hits *hits, int i, int end, double theta,
                     const brink_step *step)
{
  double width = 0;

  for (; i < end; i++)
    width = brink__max(width, theta - hits->v[i].theta + hits->v[i].width);
  return width * fabs(step->h) + DBL_EPSILON * fabs(time_at(step, theta));
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

/* The guards at the left limit of an instant. */
static brink_status guards_before(brink_sim *sim, double t)
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

  state_at(sim, step, *theta, y);
  if (!sim->opt.gate || !sim->model->modes[sim->mode].unilateral)
    return;
  for (double d = DBL_EPSILON; !brink__integrator_exists(run->it, time_at(step, *theta), y);
       d *= 4) {
    *theta = brink__max(0, *theta - d);
    brink_step_at(step, *theta, y);
    if (*theta == 0)
      return;
  }
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
  if (sim->closing && theta > 0 && main && begin == 0) {
    BRINK_TRY(closing_step(sim, main, step));
    theta = 1;
  }
  state_before(sim, step, &theta, sim->y_before);
  double t = time_at(step, theta);
  if (t >= sim->t_next) { /* a timer within the band of the event: one instant */
    t = sim->t_next;
  }
  BRINK_TRY(tell_step(sim, step, begin, theta, t));
  brink__noise_at(sim, step, theta, width, sim->y_before);
  BRINK_TRY(guards_before(sim, t));
  sim->h_last = brink__max(h, run->wanted) * brink__integrator_stride(run->it);
  sim->t = t;
  brink__copy(sim->y, sim->y_before, step->n);
  return brink__instants(
    sim, &(due_set){.before = sim->sign_a, .after = sim->sign_b, .hit = sim->hit,
                    .timers = t >= sim->t_next ? sim->due : sim->none,
                    .kind = kind, .width = wide, .certificate = hits->certificate});
}

static brink_status log_touches(brink_sim *sim, const brink_step *step, int i, int end)
{
  mode_run *run = brink__run(sim);

  for (; i < end; i++) {
    const brink__hit *v = &run->hits.v[i];
    double            g;
    if (v->kind != BRINK_KIND_TOUCH)
      continue;
    state_at(sim, step, v->theta, sim->y_after);
    double t = time_at(step, v->theta);
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
static brink_status log_events(brink_sim *sim, const brink_step *step, double theta,
                               int i, int end)
{
  const brink_model *m = sim->model;
  mode_run          *run = brink__run(sim);
  double             t = time_at(step, theta), g;

  state_at(sim, step, theta, sim->y_before);
  memcpy(sim->y_after, sim->y_before, step->n * sizeof(double));
  brink__instant inst = {.t = t, .mode = sim->mode, .y_before = sim->y_before,
                         .sign_before = sim->sign_a, .sign = sim->sign_b, .hit = sim->hit,
                         .due = sim->none, .y = sim->y_after, .mode_after = sim->mode,
                         .fired = sim->fired};
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
static brink_status log_silent(brink_sim *sim, const brink_step *step, int i, int end)
{
  mode_run *run = brink__run(sim);

  for (; i < end && sim->opt.all_relations; i++) {
    const brink__hit *v = &run->hits.v[i];
    double            t = time_at(step, v->theta), g;
    if (v->kind != BRINK_KIND_CROSSING)
      continue;
    state_at(sim, step, v->theta, sim->y_after);
    BRINK_TRY(brink__guard_value(&run->guards, v->guard, t, sim->y_after, &g, &sim->err));
    BRINK_TRY(brink__log(sim, t, sim->y_after, -1, run->guards.info[v->guard].name,
                         BRINK_KIND_CROSSING, v->dir, g,
                         spread(&run->hits, i, i + 1, v->theta, step),
                         run->hits.certificate));
  }
  return BRINK_OK;
}

/* Walk through the hits of a step.  BRINK_EVENT: the step was cut and restarted.
 * BRINK_OK: all of it stands; *begin is how far it has been told. */
static brink_status walk(brink_sim *sim, brink_step *step, double *begin)
{
  const brink_model *m = sim->model;
  mode_run          *run = brink__run(sim);
  brink__hits       *hits = &run->hits;
  size_t             ng = (size_t)run->guards.n;
  double             theta, width;

  brink__copy_bytes(sim->sign_a, hits->start_sign, ng);
  for (int i = 0, end; i < hits->n && !sim->over; i = end) {
    end = group(hits, i, &theta, &width);
    take_signs(sim, i, end);
    int level = m->ops->triggers(m, sim->live, sim->mode, sim->sign_a, sim->sign_b);
    if (level == 2)
      return cut(sim, step, i, end, *begin, theta, width);
    if (level == 1 || sim->opt.all_relations || first_crossing(hits, i, end) == NULL) {
      BRINK_TRY(tell_step(sim, step, *begin, theta, time_at(step, theta)));
      *begin = theta;
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

/* Find and walk through the zeros of an accepted step. */
static brink_status locate(brink_sim *sim, brink_step *step, int decide)
{
  mode_run     *run = brink__run(sim);
  brink__hits  *hits = &run->hits;
  double        begin = 0, h = fabs(step->h);
  brink__locate how = {.tol = sim->opt.event_tol / h, .decide = decide,
                       /* a step made to end on an event says little about the next */
                       .keep = sim->locator->predicts && run->wanted == 0,
                       .scan = sim->opt.scan_step > 0 ? sim->opt.scan_step / h : 0.125};

  run->guards.kept_h = 0;
  for (;;) {
    hits->n = 0;
    hits->complete = 1;
    brink__guards_step(&run->guards);
    BRINK_TRY(sim->locator->behind(&run->guards, step, &how, hits, &sim->err));
    if (hits->certificate > sim->stats.certificate)
      sim->stats.certificate = hits->certificate;
    brink_status rc = walk(sim, step, &begin);
    if (rc != BRINK_OK || sim->over)
      return rc;

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
  return tell_step(sim, step, begin, 1, step->t1);
}

/* ------------------------------------------------------------- advance --- */

static brink_status limit(brink_sim *sim)
{
  const brink_sim_opts *o = &sim->opt;
  const char           *what = NULL;
  double                bound = 0;

  if (o->max_steps > 0) {
    brink_work w = work_now(sim);
    if (w.steps + w.rejected + w.retried - sim->work_before.steps -
          sim->work_before.rejected - sim->work_before.retried >= o->max_steps) {
      what = "max_steps";
      bound = (double)o->max_steps;
    }
  }
  if (o->max_events > 0 && sim->stats.instants >= o->max_events) {
    what = "max_events";
    bound = (double)o->max_events;
  }
  if (o->max_seconds > 0 && sim->stats.work.steps % CLOCK_EVERY == 0 &&
      sim->wall_spent + brink__clock() - sim->wall_start >= o->max_seconds) {
    what = "max_seconds";
    bound = o->max_seconds;
  }
  if (!what)
    return BRINK_OK;
  brink__fail_at(&sim->err, BRINK_LIMIT, sim->t, "the run ended at t = %.9g: %s = %g reached",
                 sim->t, what, bound);
  return BRINK_LIMIT;
}

/* A timer, at sim->t, without a state event. */
static brink_status timer_instant(brink_sim *sim)
{
  mode_run *run = brink__run(sim);
  size_t    n = sim->model->modes[sim->mode].n;
  int       ticks = 0;

  memcpy(sim->y_before, sim->y, n * sizeof(double));
  for (size_t i = 0; i < n; i++)
    sim->noise[i] = 4 * DBL_EPSILON * fabs(sim->y[i]);
  memset(sim->hit, 0, (size_t)run->guards.n);
  for (int i = 0; i < sim->model->n_timers; i++)
    ticks |= sim->due[i] == 1;
  BRINK_TRY(guards_before(sim, sim->t));
  return brink__instants(sim, &(due_set){.before = run->guards.sign,
                                         .after = run->guards.sign, .hit = sim->hit,
                                         .timers = sim->due,
                                         .kind = ticks ? BRINK_KIND_CROSSING
                                                       : BRINK_KIND_START,
                                         .at_start = !ticks,
                                         .certificate = sim->stats.certificate});
}

static brink_status one_step(brink_sim *sim, double t_limit)
{
  mode_run    *run = brink__run(sim);
  brink_step   step;

  brink__integrator_reads(run->it, run->guards.n > 0 || sim->observer.on_step ||
                                     sim->trace.keep == BRINK_KEEP_STEPS);
  BRINK_TRY(brink__approach(sim, t_limit));
  brink_status rc = brink_integrator_advance(run->it, t_limit, &step);

  if (rc < 0 || rc == BRINK_EVENT) {
    sim->err = *brink_integrator_error(run->it);
    return brink__stuck(sim, rc);
  }
  brink__beware(sim);
  if (rc == BRINK_STIFF)
    sim->stats.stiff = 1;
  sim->stats.work.steps++;
  rc = run->guards.n ? locate(sim, &step, step.t1 == t_limit)
                     : tell_step(sim, &step, 0, 1, step.t1);
  if (rc != BRINK_OK)
    return rc;
  sim->t = step.t1;
  sim->h_last = fabs(step.h) * brink__integrator_stride(run->it);
  brink__copy(sim->y, brink_integrator_state(run->it), step.n);
  double width;
  if (brink__integrator_crossed(run->it, &width)) {
    rc = brink__arrive(sim, &step, 1);
    if (rc != BRINK_OK)
      return rc;
    BRINK_TRY(brink__log(sim, sim->t, sim->y, -1, "unguarded", BRINK_KIND_UNGUARDED, 0, 0,
                         width, sim->stats.certificate));
    return sim->over ? BRINK_OK : BRINK_EVENT;
  }
  return brink__arrive(sim, &step, 0);
}

/* Out of memory is reported to the context; say it here as well. */
static brink_status told(brink_sim *sim, brink_status rc)
{
  if (rc < 0 && sim->err.status != rc)
    sim->err = sim->ctx->err;
  return rc;
}

static brink_status advance_once(brink_sim *sim, double t_end)
{
  if (sim->over)
    return sim->over;
  if (sim->entering) {
    brink_status rc = brink__enter(sim);
    if (rc != BRINK_OK)
      return rc;
  }
  brink_status rc = limit(sim);
  if (rc != BRINK_OK)
    return rc;
  if (sim->t < t_end && sim->t_next > t_end &&
      sim->t_next - t_end <= SAME * fabs(t_end))
    sim->t_next = t_end;
  if (sim->t >= sim->t_next && sim->t_next <= t_end)
    return timer_instant(sim);
  if (sim->t >= t_end)
    return BRINK_END;
  return one_step(sim, brink__min(t_end, sim->t_next));
}

static brink_status advance(brink_sim *sim, double t_end)
{
  return told(sim, advance_once(sim, t_end));
}

brink_status brink_sim_advance(brink_sim *sim, double t_end)
{
  if (!sim->started)
    return brink__fail(&sim->err, BRINK_EARG, "start the simulation before running it");
  if (!(t_end >= sim->t))
    return brink__fail_at(&sim->err, BRINK_EARG, sim->t,
                          "the end t = %.9g lies before the present time %.9g; to go back, "
                          "use an integrator",
                          t_end, sim->t);
  if (isinf(t_end) && !(sim->opt.max_steps > 0) && !(sim->opt.max_events > 0) &&
      !(sim->opt.max_seconds > 0))
    return brink__fail(&sim->err, BRINK_EARG,
                       "an endless run needs a limit: max_steps, max_events or max_seconds");
  sim->wall_start = brink__clock();
  brink_status rc = advance(sim, t_end);
  sim->wall_spent += brink__clock() - sim->wall_start;
  return rc;
}

brink_status brink_sim_run(brink_sim *sim, double t_end)
{
  brink_status rc = brink_sim_advance(sim, t_end);

  if (rc < 0)
    return rc;
  sim->wall_start = brink__clock();
  while (rc == BRINK_OK || rc == BRINK_EVENT)
    rc = advance(sim, t_end);
  sim->wall_spent += brink__clock() - sim->wall_start;
  return rc;
}

brink_status brink_sim_finish(brink_sim *sim)
{
  if (!sim->started)
    return brink__fail(&sim->err, BRINK_EARG, "there is no run to finish");
  return sim->model->ops->finish(sim->model, sim->live, sim->mode, sim->t, sim->y,
                                 &sim->err);
}

/* ------------------------------------------------------------- getters --- */

const char *brink_sim_warning(brink_sim *sim, int number)
{
  return sim->model->ops->warning(sim->model, sim->live, number);
}

brink_status brink_sim_values(brink_sim *sim, double *values)
{
  return sim->model->ops->values(sim->model, sim->live, sim->mode, sim->t, sim->y, values,
                                 &sim->err);
}

brink_status brink_sim_values_at(brink_sim *sim, const brink_step *step, double theta,
                                 double *values)
{
  double *y = brink__run(sim)->guards.y;

  state_at(sim, step, theta, y);
  return sim->model->ops->values(sim->model, sim->live, sim->mode, time_at(step, theta), y,
                                 values, &sim->err);
}

double brink_sim_time(const brink_sim *sim) { return sim->t; }

int brink_sim_mode(const brink_sim *sim) { return sim->mode; }

size_t brink_sim_n(const brink_sim *sim) { return sim->model->modes[sim->mode].n; }

const double *brink_sim_state(const brink_sim *sim) { return sim->y; }

const double *brink_sim_p(const brink_sim *sim)
{
  return brink__live_values(sim->model, sim->live).p;
}

const double *brink_sim_u(const brink_sim *sim)
{
  return brink__live_values(sim->model, sim->live).u;
}

const double *brink_sim_w(const brink_sim *sim)
{
  return brink__live_values(sim->model, sim->live).w;
}

brink_sim_stats brink_sim_statistics(const brink_sim *sim)
{
  brink_sim_stats s = sim->stats;
  brink_work      w = work_now(sim), b = sim->work_before;

  s.work = (brink_work){w.steps - b.steps,     w.rejected - b.rejected,
                        w.retried - b.retried, w.f_evals - b.f_evals,
                        w.outside_evals - b.outside_evals,
                        w.restarts - b.restarts, w.unguarded - b.unguarded,
                        w.look_evals - b.look_evals};
  s.g_evals = guard_evals(sim);
  s.wall_seconds = sim->wall_spent;
  return s;
}

const brink_trace *brink_sim_trace(const brink_sim *sim) { return &sim->trace; }

const brink_err *brink_sim_error(const brink_sim *sim) { return &sim->err; }
