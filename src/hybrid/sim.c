/* sim.c -- a simulation: made, started, asked and freed.
 *
 * All memory is taken here: one block for the simulation, one for every mode when it is
 * first entered.
 */
#include "hybrid/sim.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum { HITS = 64 }; /* zeros of one step that are held at once, beside one per guard */

/* --------------------------------------------------------- life cycle ---- */

static void carve(brink_sim *sim, brink__block *b)
{
  const brink_model *m = sim->model;
  size_t n = m->max_n, ng = (size_t)m->max_guards, nt = (size_t)m->n_timers;

  sim->live = brink__carve(b, 1, m->ops->live_size(m));
  sim->runs = brink__carve(b, (size_t)brink__mode_room(m), sizeof *sim->runs);
  sim->y = brink__carve(b, n, 4 * sizeof(double));
  sim->y_before = sim->y + n;
  sim->y_after = sim->y_before + n;
  sim->noise = sim->y_after + n;
  sim->sides = brink__carve(b, n, 4 * sizeof(double));
  sim->atol_i = brink__carve(b, n, sizeof(double));
  sim->g = brink__carve(b, ng, 2 * sizeof(double));
  sim->g_before = sim->g + ng;
  sim->sign_a = brink__carve(b, ng, 6);
  sim->sign_b = sim->sign_a + ng;
  sim->hit = sim->sign_b + ng;
  sim->old = sim->hit + ng;
  sim->crossed = sim->old + ng;
  sim->beside = sim->crossed + ng;
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
  need = brink__need(need, m->max_n, 4 * sizeof(double));
  need = brink__need(need, m->max_n, sizeof(double));
  need = brink__need(need, (size_t)m->max_guards, 2 * sizeof(double));
  need = brink__need(need, (size_t)m->max_guards, 6);
  need = brink__need(need, (size_t)m->n_timers, 2);
  need = brink__need(need, (size_t)m->max_fired, sizeof(int));
  return brink__need(need, (size_t)m->max_fired, sizeof(char *));
}

brink_status brink_sim_new(brink_ctx *ctx, const brink_model *model,
                           const brink_sim_opts *given, brink_sim **out)
{
  brink_sim_opts own = brink_sim_defaults();
  const brink_sim_opts *opt = &own;
  brink__block block;

  *out = NULL;
  if (!model)
    return brink__fail(&ctx->err, BRINK_EARG, "a simulation needs a model");
  if (given)
    BRINK_TRY(
        brink__options_read(given, "brink_sim_opts", &own, sizeof own, &ctx->err));
  BRINK_TRY(brink__sim_check(opt, &ctx->err));
  const brink__locator *locator = brink__locator_find(opt->locator);
  if (!locator)
    return brink__unknown(&ctx->err, "locator", opt->locator, brink_locator_name);

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
  if (opt->atol_i) {
    brink__copy(sim->atol_i, opt->atol_i, model->modes[0].n);
    sim->opt.atol_i = sim->atol_i;
  }

  /* the first mode's run tells whether the method's settings are good */
  brink_status rc = brink__activate(sim, 0);
  if (rc == BRINK_OK) {
    sim->method = brink__integrator_method(brink__run(sim)->it);
    sim->opt.method = sim->method->name; /* strings are not kept */
    sim->opt.locator = locator->name;
    sim->closing = opt->restep == BRINK_RESTEP_ON ||
                   (opt->restep == BRINK_RESTEP_AUTO &&
                    sim->method->dense_order < sim->method->order - 1);
    rc =
        brink__trace_init(&sim->trace, ctx, opt, model->max_n, sim->method->max_degree);
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

/* The settings of the mode's integrator. */
static brink_integrator_opts settings(const brink_sim *sim, int mode)
{
  const brink_sim_opts *o = &sim->opt;
  const brink_model *m = sim->model;

  return (brink_integrator_opts){.method = o->method,
                                 .rtol = o->rtol,
                                 .atol = o->atol,
                                 .atol_i = m->modes[mode].n == m->modes[0].n ? o->atol_i
                                                                             : NULL,
                                 .h0 = o->h0,
                                 .h_min = o->h_min,
                                 .h_max = shorter(o->h_max, m->h_max),
                                 .order = (int)brink__min((double)o->order, INT_MAX)};
}

/* Memory of a mode's run, for steps of up to this degree. */
static brink_status run_take(brink_sim *sim, int mode, int degree, mode_run **out)
{
  const brink_model *m = sim->model;
  size_t ng = (size_t)m->modes[mode].n_guards, n_hits = HITS + ng;
  size_t n_ahead = ng ? m->modes[mode].n : 0, row = (size_t)degree + 1;
  brink__block block;

  size_t need = brink__need(0, 1, sizeof(mode_run));
  need = brink__need(need, 1, brink__guards_size(m, mode, degree));
  need = brink__need(need, n_hits, sizeof(brink__hit));
  need = brink__need(need, ng, 3);
  need = brink__need(need, ng, 2 * sizeof(double));
  need = brink__need(need, n_ahead, row * sizeof(double));
  BRINK_TRY(brink__block_new(sim->ctx, need, &block));
  mode_run *run = brink__carve(&block, 1, sizeof *run);
  void *guards = brink__carve(&block, 1, brink__guards_size(m, mode, degree));
  run->hits.v = brink__carve(&block, n_hits, sizeof(brink__hit));
  run->hits.cap = (int)n_hits;
  run->hits.start_sign = brink__carve(&block, ng, 3);
  run->hits.banded = (unsigned char *)run->hits.start_sign + ng;
  run->wary = run->hits.banded + ng;
  run->g_from = brink__carve(&block, ng, 2 * sizeof(double));
  run->g_last = run->g_from + ng;
  run->ahead = brink__carve(&block, n_ahead, row * sizeof(double));
  run->block = block;
  brink__guards_init(&run->guards, guards, m, sim->live, mode, degree);
  *out = run;
  return BRINK_OK;
}

static brink_status run_new(brink_sim *sim, int mode, mode_run **out)
{
  const brink_model *m = sim->model;
  brink_integrator_opts opt = settings(sim, mode);
  const brink_method *method = brink__method_find(opt.method);
  mode_run *run;

  BRINK_TRY(run_take(sim, mode, method ? method->max_degree : 1, &run));
  m->ops->flow(m, sim->live, mode, &run->flow);
  brink_status rc = brink__integrator_new(sim->ctx, &run->flow, &opt, &run->it);
  if (rc < 0) {
    run_free(run);
    return rc;
  }
  brink__integrator_gate(run->it)->open = !sim->opt.gate;
  run->gated = sim->opt.gate && m->modes[mode].unilateral > 0;
  brink__doubt_init(sim, run, mode);
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
  return brink__unknown(&sim->ctx->err, "locator", wish, brink_locator_name);
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

brink_work brink__work_now(const brink_sim *sim)
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
  for (int i = 0; i < sim->n_runs; i++) {
    mode_run *run = sim->runs[i];
    if (!run)
      continue;
    size_t ng = (size_t)run->guards.n;
    brink__integrator_forget(run->it);
    run->guards.evals = 0;
    memset(run->guards.scale, 0, ng * sizeof(double));
    memset(run->stay, 0, sizeof run->stay);
    run->brief = run->shortest = 0;
    run->creeps = 0;
    run->h = 0;
    memset(run->wary, 0, ng);
    run->any_wary = 0;
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

  BRINK_TRY(brink__sim_idle(sim));
  sim->started = 0;
  if (!isfinite(t))
    return brink__fail(&sim->err, BRINK_EARG, "the start time is %g", t);
  if (mode < 0 || mode >= m->n_modes)
    return brink__fail(&sim->err, BRINK_EARG, "there is no mode %d; the model has %d",
                       mode, m->n_modes);
  brink__err_clear(&sim->err);
  brink__trace_clear(&sim->trace);
  m->ops->live_init(m, sim->live);
  brink_status rc = first_state(sim, t, &mode, y);
  BRINK_TRY(rc);
  BRINK_TRY(brink__activate(sim, mode));
  sim->t = t;
  sim->started = sim->entering = 1;
  sim->over = rc; /* a model may end its run where it begins */
  sim->t_next = HUGE_VAL;
  sim->t_instant = nan("");
  sim->still = sim->bounced = 0;
  brink__none_beside(sim);
  memset(sim->names, 0, (size_t)m->max_fired * sizeof *sim->names);
  sim->t_event = t;
  sim->skipped[0] = sim->skipped[1] = nan("");
  sim->h_last = 0;
  sim->stats = (brink_sim_stats){.certificate = BRINK_PROVED};
  sim->work_before = brink__work_now(sim);
  forget_runs(sim);
  brink__watch_anew(sim);
  sim->wall_spent = sim->clock_last = 0;
  sim->clock_gap = sim->clock_wait = 0;
  return BRINK_OK;
}

static brink_status set(brink_sim *sim, double *v, int n, int i, double value,
                        const char *what)
{
  if (!sim->started)
    return brink__fail(&sim->err, BRINK_EARG, "set a %s after the start", what);
  if (i < 0 || i >= n || !isfinite(value))
    return brink__fail(&sim->err, BRINK_EARG, "%s %d of %d cannot be set to %g", what,
                       i, n, value);
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

/* ------------------------------------------------------------- getters --- */

const char *brink_sim_warning(brink_sim *sim, int number)
{
  return sim->model->ops->warning(sim->model, sim->live, number);
}

brink_status brink_sim_values(brink_sim *sim, double *values)
{
  return sim->model->ops->values(sim->model, sim->live, sim->mode, sim->t, sim->y,
                                 values, &sim->err);
}

brink_status brink_sim_values_at(brink_sim *sim, const brink_step *step, double theta,
                                 double *values)
{
  double *y = brink__run(sim)->guards.y;

  brink__state_at(sim, step, theta, y);
  return sim->model->ops->values(sim->model, sim->live, sim->mode,
                                 brink__time_at(step, theta), y, values, &sim->err);
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
  brink_work w = brink__work_now(sim), b = sim->work_before;

  s.work = (brink_work){w.steps - b.steps,
                        w.rejected - b.rejected,
                        w.retried - b.retried,
                        w.f_evals - b.f_evals,
                        w.outside_evals - b.outside_evals,
                        w.restarts - b.restarts,
                        w.unguarded - b.unguarded,
                        w.look_evals - b.look_evals};
  s.g_evals = guard_evals(sim);
  brink__effort e = sim->model->ops->effort(sim->model, sim->live);
  s.jets = e.jets;
  s.jac_evals = e.jac_evals;
  s.lu = e.lu;
  s.homotopy_steps = e.homotopy;
  s.wall_seconds = sim->wall_spent;
  return s;
}

const brink_trace *brink_sim_trace(const brink_sim *sim) { return &sim->trace; }

const brink_err *brink_sim_error(const brink_sim *sim) { return &sim->err; }
