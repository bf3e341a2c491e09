/* sim.c -- a simulation: made, started, asked and freed.
 *
 * All memory is taken here: one block for the simulation, and in regime.c one for every
 * regime when it is first entered.
 */
#include "hybrid/extended_model.h"
#include "hybrid/policies.h"

#include <math.h>
#include <string.h>

/* --------------------------------------------------------- life cycle ---- */

static void carve(brink_sim *sim, brink__block *b)
{
  const brink_model *m = sim->user_model;
  size_t n = m->max_n, ng = (size_t)m->max_guards, nt = (size_t)m->n_timers;
  brink__due *due = &sim->due;

  sim->live = brink__carve(b, 1, m->ops->live_size(m));
  sim->y = brink__carve(b, n, (5 + BRINK__WORK_ROWS) * sizeof(double));
  due->y = sim->y + n;
  due->noise = due->y + n;
  sim->y_after = due->noise + n;
  sim->standstill.y = sim->y_after + n;
  sim->work = sim->standstill.y + n;
  sim->atol_i = brink__carve(b, n, sizeof(double));
  due->g = brink__carve(b, ng, sizeof(double) + 5);
  due->before = (signed char *)(due->g + ng);
  due->after = due->before + ng;
  due->hit = due->after + ng;
  sim->signs = due->hit + ng;
  sim->timers_due = brink__carve(b, nt, 2);
  sim->no_timers = sim->timers_due + nt;
  sim->fired = brink__carve(b, (size_t)m->max_fired, sizeof *sim->fired);
  sim->names = brink__carve(b, (size_t)m->max_fired, sizeof *sim->names);
  sim->jumps = brink__carve(b, (size_t)m->max_jumps, sizeof *sim->jumps);
  brink__modes_met_carve(sim, b);
}

void brink__sim_carve(brink_sim *sim)
{
  brink__block b = sim->block;

  b.used = 0;
  brink__carve(&b, 1, sizeof *sim);
  carve(sim, &b);
}

size_t brink__sim_bytes(const brink_sim *sim)
{
  size_t before = (size_t)((const unsigned char *)sim->y - sim->block.base);
  return sim->block.used - before;
}

static size_t measure(const brink_model *m)
{
  size_t need = brink__need(0, 1, sizeof(brink_sim));

  need = brink__need(need, 1, m->ops->live_size(m));
  need = brink__need(need, m->max_n, (5 + BRINK__WORK_ROWS) * sizeof(double));
  need = brink__need(need, m->max_n, sizeof(double));
  need = brink__need(need, (size_t)m->max_guards, sizeof(double) + 5);
  need = brink__need(need, (size_t)m->n_timers, 2);
  need = brink__need(need, (size_t)m->max_fired, sizeof(int));
  need = brink__need(need, (size_t)m->max_fired, sizeof(char *));
  need = brink__need(need, (size_t)m->max_jumps, sizeof(brink__jump));
  return brink__modes_met_need(m, need);
}

brink_status brink_sim_new(brink_ctx *ctx, const brink_model *model,
                           const brink_sim_opts *given, brink_sim **out)
{
  brink_sim_opts own = brink_sim_defaults();
  const brink_sim_opts *opt = &own;
  brink__block block;

  BRINK__NEED(NULL, ctx);
  BRINK__NEED(&ctx->err, out);
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
  sim->model = sim->user_model = model;
  sim->opt = *opt;
  sim->sliding = (brink__sliding_policy)brink__sliding_find(opt->sliding);
  sim->opt.sliding = NULL; /* strings are not kept */
  sim->locator = sim->default_locator = locator;
  carve(sim, &block);
  sim->block = block;
  brink__err_clear(&sim->err);
  model->ops->live_init(model, sim->live, ctx);
  if (opt->atol_i) {
    brink__copy(sim->atol_i, opt->atol_i, brink__mode_info(sim, 0)->n);
    sim->opt.atol_i = sim->atol_i;
  }

  /* the first regime tells whether the method's settings are good */
  brink_status rc = brink__activate(sim, 0);
  if (rc == BRINK_OK) {
    sim->method = brink__integrator_method(sim->regime->it);
    sim->opt.method = sim->method->name; /* strings are not kept */
    sim->opt.locator = locator->name;
    sim->closing = opt->restep == BRINK_RESTEP_ON ||
                   (opt->restep == BRINK_RESTEP_AUTO &&
                    !(sim->method->flags & BRINK__SURE_DENSE) &&
                    sim->method->dense_order < sim->method->order - 1);
    int degree = brink__locator_degree(opt->wishes ? NULL : locator, sim->method);
    rc = brink__trace_init(&sim->trace, ctx, opt, model->max_n, degree);
  }
  if (rc < 0) {
    brink_sim_free(sim);
    return rc;
  }
  *out = sim;
  return BRINK_OK;
}

void brink_sim_free(brink_sim *sim)
{
  if (!sim)
    return;
  for (size_t i = 0; i < sim->n_regimes; i++)
    brink__regime_free(sim->regimes[i]);
  brink__accumulation_fini(sim);
  brink__free(sim->ctx, sim->regimes, sim->cap_regimes * sizeof *sim->regimes);
  brink__extended_free(sim);
  if (sim->user_model->ops->live_fini)
    sim->user_model->ops->live_fini(sim->user_model, sim->live);
  brink__trace_fini(&sim->trace);
  brink__block block = sim->block;
  brink__block_drop(&block);
}

void brink_sim_observe(brink_sim *sim, const brink_observer *observer)
{
  sim->observer = observer ? *observer : (brink_observer){0};
}

/* -------------------------------------------------------------- start ---- */

brink_work brink__work_now(const brink_sim *sim)
{
  brink_work sum = {0};

  for (size_t i = 0; i < sim->n_regimes; i++) {
    brink_work w = brink_integrator_work(sim->regimes[i]->it);
    sum.steps += w.steps;
    sum.rejected += w.rejected;
    sum.retried += w.retried;
    sum.f_evals += w.f_evals + sim->regimes[i]->probe.f_evals;
    sum.outside_evals += w.outside_evals + sim->regimes[i]->probe.outside_evals;
    sum.restarts += w.restarts;
    sum.unguarded += w.unguarded;
    sum.look_evals += w.look_evals;
    sum.jets += w.jets;
    sum.jacobians += w.jacobians;
    sum.factorisations += w.factorisations;
    sum.iterations += w.iterations;
  }
  return sum;
}

static long guard_evals(const brink_sim *sim)
{
  long sum = 0;

  for (size_t i = 0; i < sim->n_regimes; i++)
    sum += sim->regimes[i]->guards.evals;
  return sum;
}

/* Given start values, checked; or the model's own. */
static brink_status first_state(brink_sim *sim, double t, int *mode, const double *y)
{
  const brink_model *m = sim->model;
  const brink__mode *info = brink__mode_info(sim, *mode);
  size_t n = info ? info->n : 0, bad = y ? brink__first_bad(y, n) : n;

  if (bad < n)
    return brink__fail_at(&sim->err, BRINK_ENAN, t, "start value '%s' is %g",
                          info->states[bad], y[bad]);
  return m->ops->start(m, sim->live, t, mode, y, sim->y, &sim->err);
}

static brink_status start(brink_sim *sim, double t, int mode, const double *y)
{
  const brink_model *m = sim->user_model;

  BRINK_TRY(brink__sim_idle(sim));
  brink__set_direction(sim, 0);
  brink__extended_forget(sim);
  sim->started = 0;
  if (!isfinite(t))
    return brink__fail(&sim->err, BRINK_EARG, "the start time is %g", t);
  if (mode < 0 || mode >= m->n_modes)
    return brink__fail(&sim->err, BRINK_EARG, "there is no mode %d; the model has %d",
                       mode, m->n_modes);
  brink__err_clear(&sim->err);
  brink__trace_clear(&sim->trace);
  sim->n_moved = 0;
  brink_status rc = first_state(sim, t, &mode, y);
  BRINK_TRY(rc);
  if (!y)
    sim->n_moved = sim->model->ops->moved_starts(sim->model, sim->live,
                                                 BRINK_MOVED_STARTS, sim->moved);
  BRINK_TRY(brink__activate(sim, mode));
  sim->t = t;
  sim->started = 1;
  sim->begins = BRINK__BEGINS;
  sim->restart = 0;
  sim->finished = 0;
  sim->t_start = t;
  sim->t_stop = nan("");
  sim->ended = rc; /* a model may end its run where it begins */
  sim->t_next = HUGE_VAL;
  sim->t_instant = nan("");
  sim->history.n = 0;
  sim->history.crowd = (brink__crowd){.t = t};
  brink__accumulation_begin(&sim->accumulation);
  sim->past_zeno = (brink__past_zeno){0};
  sim->rates[0] = sim->rates[1] = nan("");
  memset(sim->names, 0, (size_t)m->max_fired * sizeof *sim->names);
  sim->t_event = t;
  sim->skipped[0] = sim->skipped[1] = nan("");
  sim->h_last = sim->last.h = 0;
  sim->stats = (brink_sim_stats){.certificate = BRINK_PROVED};
  sim->outrun = (brink__outrun){0};
  sim->unbounded = (brink__unbounded){0};
  brink__remarks_forget(sim);
  brink__modes_met_forget(sim);
  sim->work_before = brink__work_now(sim);
  for (size_t i = 0; i < sim->n_regimes; i++)
    brink__regime_forget(sim->regimes[i]);
  brink__progress_begin(sim);
  sim->wall_spent = sim->clock_last = 0;
  sim->clock_gap = sim->clock_wait = 0;
  return BRINK_OK;
}

brink_status brink_sim_start(brink_sim *sim, double t, int mode, const double *y)
{
  return brink__placed(sim, start(sim, t, mode, y));
}

/* In the middle of a run that takes effect like a jump, as what access.c sets does;
 * laws that mix those of several sides are asked for values before the run goes on. */
static brink_status set(brink_sim *sim, int is_input, int i, double value)
{
  const char *what = is_input ? "input" : "parameter";
  const brink__extended *x = sim->extended;
  brink__values v = brink__live_values(sim->user_model, sim->live);
  int n = is_input ? v.n_u : v.n_p;

  BRINK_TRY(brink__sim_idle(sim));
  if (!sim->started)
    return brink__fail(&sim->err, BRINK_EARG, "start the run before setting its %ss",
                       what);
  if (i < 0 || i >= n || !isfinite(value))
    return brink__fail(&sim->err, BRINK_EARG, "%s %d of %d cannot be set to %g", what,
                       i, n, value);
  if (!(sim->begins & BRINK__BEGINS))
    BRINK_TRY(brink__interrupt(sim));
  (is_input ? v.u : v.p)[i] = value;
  for (int side = 1; x && side < x->n_sides; side++) {
    v = brink__live_values(sim->user_model, x->side[side].live);
    (is_input ? v.u : v.p)[i] = value;
  }
  return BRINK_OK;
}

brink_status brink_sim_set_p(brink_sim *sim, int i, double value)
{
  return set(sim, 0, i, value);
}

brink_status brink_sim_set_u(brink_sim *sim, int i, double value)
{
  return set(sim, 1, i, value);
}

/* ------------------------------------------------------------- getters --- */

/* The values of all variables, which are numbers or an error. */
static brink_status values_of(brink_sim *sim, double t, const double *y, double *values)
{
  const brink_model *m = sim->model;
  brink_status rc = m->ops->values(m, sim->live, sim->mode, t, y, values, &sim->err);

  if (rc < 0)
    return brink__placed(sim, rc);
  size_t bad = brink__first_bad(values, m->n_vars);
  if (bad == m->n_vars)
    return BRINK_OK;
  return brink__fail_at(&sim->err, BRINK_ENAN, brink__shown(sim, t),
                        "'%.80s' is %g at t = %.9g: it has left the range of numbers",
                        m->vars[bad].name, values[bad], brink__shown(sim, t));
}

brink_status brink_sim_values(brink_sim *sim, double *values)
{
  BRINK__NEED(&sim->err, values);
  if (!sim->started)
    return brink__fail(&sim->err, BRINK_EARG,
                       "variables have no values before a run starts");
  return values_of(sim, sim->t, sim->y, values);
}

brink_status brink_sim_values_at(brink_sim *sim, const brink_step *step, double theta,
                                 double *values)
{
  BRINK__NEED(&sim->err, step);
  BRINK__NEED(&sim->err, values);
  if (step->n != sim->regime->info->n || !isfinite(theta))
    return brink__fail(&sim->err, BRINK_EARG,
                       "values at theta = %g of a step of %zu states; the mode has %zu",
                       theta, step->n, sim->regime->info->n);
  double *y = sim->regime->guards.y;
  brink_step own = sim->backward ? brink__reflect_step(step) : *step;

  brink__state_at(sim, &own, theta, y);
  BRINK_TRY(values_of(sim, brink__time_at(&own, theta), y, values));
  brink__slopes_note(sim, &own, theta);
  return BRINK_OK;
}

brink_status brink_sim_at(brink_sim *sim, double t, int k, double *out)
{
  BRINK__NEED(&sim->err, out);
  BRINK_TRY(brink__sim_idle(sim));
  if (sim->last.h != 0 && !sim->last_read && !(sim->method->flags & BRINK__FREE_DENSE))
    return brink__fail(
        &sim->err, BRINK_EARG,
        "the polynomial of the last step was not computed; set the option "
        "dense");
  brink_step shown = sim->backward ? brink__reflect_step(&sim->last) : sim->last;
  return brink__step_read(&shown, brink__shown(sim, sim->last_end), t, k, out,
                          &sim->err);
}

const brink_model *brink_sim_model(const brink_sim *sim) { return sim->user_model; }

double brink_sim_time(const brink_sim *sim) { return brink__shown(sim, sim->t); }

int brink_sim_mode(const brink_sim *sim) { return sim->regime->shown; }

const char *brink_sim_mode_name(const brink_sim *sim, int mode)
{
  const brink__regime *r = brink__regime_find(sim, mode);
  return r ? r->info->name : brink_model_mode_name(sim->model, mode);
}

size_t brink_sim_n(const brink_sim *sim) { return sim->regime->info->n; }

const double *brink_sim_state(const brink_sim *sim) { return sim->y; }

const double *brink_sim_p(const brink_sim *sim)
{
  return brink__live_values(sim->user_model, sim->live).p;
}

const double *brink_sim_u(const brink_sim *sim)
{
  return brink__live_values(sim->user_model, sim->live).u;
}

const double *brink_sim_w(const brink_sim *sim)
{
  return brink__live_values(sim->user_model, sim->live).w;
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
                        w.look_evals - b.look_evals,
                        w.jets - b.jets,
                        w.jacobians - b.jacobians,
                        w.factorisations - b.factorisations,
                        w.iterations - b.iterations};
  s.g_evals = guard_evals(sim);
  brink__effort e = sim->model->ops->effort(sim->model, sim->live);
  s.jets = e.jets + s.work.jets;
  s.jac_evals = e.jac_evals + s.work.jacobians;
  s.lu = e.lu + s.work.factorisations;
  s.homotopy_steps = e.homotopy;
  s.modes_analysed = e.modes_analysed;
  s.modes_met = (long)sim->met.n;
  s.projections = e.projections;
  s.wall_seconds = sim->wall_spent;
  return s;
}

const brink_trace *brink_sim_trace(const brink_sim *sim) { return &sim->trace; }

const brink_err *brink_sim_error(const brink_sim *sim) { return &sim->err; }
