/* regime.c -- what the executor runs: regimes, their memory and their table.
 *
 * The regime of a mode of the model has the mode's flow and guards, and is over when an
 * event of the mode acts.  It is made when the mode is first entered and found again by
 * its key; a simulation meets few regimes, whatever the number of modes a model could
 * have.
 */
#include "hybrid/extended_model.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum { HITS = 64 }; /* zeros of one step that are held at once, beside one per guard */

brink__regime *brink__regime_find(const brink_sim *sim, int mode)
{
  for (size_t i = 0; i < sim->n_regimes; i++)
    if (sim->regimes[i]->mode == mode)
      return sim->regimes[i];
  return NULL;
}

void brink__regime_free(brink__regime *r)
{
  if (!r)
    return;
  brink__block block = r->block;
  brink_integrator_free(r->it);
  brink__block_drop(&block);
}

void brink__regime_forget(brink__regime *r)
{
  brink__integrator_forget(r->it);
  r->guards.evals = 0;
  r->guards.any_refused = r->guards.any_displaced = r->guards.any_returned = 0;
  for (int k = 0; k < r->guards.n; k++)
    brink__watch_forget(&r->guards.watch[k]);
  r->dwell = (brink__dwell){0};
  r->h = 0;
  r->declined = r->nearer = 0;
  if (r->takeover)
    memset(r->takeover, 0, r->takeover_size);
  brink__sizes_forget(r);
}

/* -------------------------------------------------------- kind: a mode ---- */

/* of two longest steps, 0 standing for any */
static double shorter(double a, double b)
{
  return a > 0 && b > 0 ? brink__min(a, b) : a > 0 ? a : b;
}

/* Has the user said what each state may be wrong by? */
static int has_own_tolerances(const brink_sim *sim, const brink__regime *r)
{
  return sim->opt.weight ||
         (sim->opt.atol_i && r->info->n == brink__mode_info(sim, 0)->n);
}

/* Where not, absolute tolerances are in units of nominal values, which depend on
 * parameters: they are asked for whenever the regime is entered. */
static void scale_tolerances(const brink_sim *sim, brink__regime *r)
{
  const brink_model *m = sim->model;

  if (has_own_tolerances(sim, r) ||
      !m->ops->nominals(m, sim->live, r->mode, brink__integrator_nominals(r->it)))
    return;
  brink__integrator_scale(r->it);
  brink__check_init(sim, r);
}

/* The user's error weights of a mode. */
static int weight(const double *y, double *w, void *user)
{
  const brink__regime *r = user;

  return r->weight(r->shown, y, w, r->weight_user);
}

/* A method that needs series cannot take the law of a regime made at run time, which
 * has none: a Runge-Kutta method of high order takes its place there. */
static const char *method_in(const brink_sim *sim, int mode)
{
  const brink_method *m = brink__method_find(sim->opt.method);

  return m && (m->flags & BRINK__NEEDS_JET) && mode <= BRINK__HELD_MODES
             ? "dop853"
             : sim->opt.method;
}

/* The settings of the integrator of the regime of a mode. */
static brink_integrator_opts settings(const brink_sim *sim, brink__regime *r)
{
  const brink_sim_opts *o = &sim->opt;

  return (brink_integrator_opts){.method = method_in(sim, r->mode),
                                 .rtol = o->rtol,
                                 .atol = o->atol,
                                 .atol_i =
                                     has_own_tolerances(sim, r) ? o->atol_i : NULL,
                                 .h0 = o->h0,
                                 .h_min = o->h_min,
                                 .h_max = o->h_max,
                                 .order = (int)brink__min((double)o->order, INT_MAX),
                                 .search = o->search != 0,
                                 .weight = o->weight ? weight : NULL,
                                 .weight_user = r};
}

/* An event of the mode acts. */
static int mode_over(const brink__regime *r, const signed char *before,
                     const signed char *after)
{
  const brink__guards *g = &r->guards;
  return g->model->ops->triggers(g->model, g->live, r->mode, before, after);
}

/* Memory of the locator for a regime with this flow, if it takes steps itself. */
static size_t takeover_size(const brink_sim *sim, const brink_method *method,
                            const brink_flow *flow)
{
  const brink__takeover *take = sim->locator->takeover;

  return take && method ? take->state_size(flow, method, &sim->opt) : 0;
}

/* Memory for steps of up to this degree. */
static brink_status take(brink_sim *sim, int mode, const brink_method *method,
                         brink__regime **out)
{
  const brink_model *m = sim->model;
  const brink__mode *info = brink__mode_info(sim, mode);
  size_t ng = (size_t)info->n_guards, n_hits = HITS + ng;
  int degree = method ? brink__locator_degree(sim->locator, method) : 1;
  size_t n_ahead = ng ? info->n : 0, row = (size_t)degree + 1;
  brink_flow flow;
  brink__block block;

  m->ops->flow(m, sim->live, mode, &flow);
  size_t own = ng ? takeover_size(sim, method, &flow) : 0, n_taken = own ? info->n : 0;

  size_t need = brink__need(0, 1, sizeof(brink__regime));
  need = brink__need(need, 1, brink__guards_size(info, degree));
  need = brink__need(need, n_hits, sizeof(brink__hit));
  need = brink__need(need, ng, sizeof(brink__band) + 1);
  need = brink__need(need, n_ahead, row * sizeof(double));
  need = brink__need(need, n_taken, row * sizeof(double));
  need = brink__need(need, 1, own);
  need = brink__need(need, info->n, sizeof(double));
  BRINK_TRY(brink__block_new(sim->ctx, need, &block));
  brink__regime *r = brink__carve(&block, 1, sizeof *r);
  void *guards = brink__carve(&block, 1, brink__guards_size(info, degree));
  r->hits.v = brink__carve(&block, n_hits, sizeof(brink__hit));
  r->hits.cap = (int)n_hits;
  r->hits.band = brink__carve(&block, ng, sizeof(brink__band) + 1);
  r->hits.start_sign = (signed char *)(r->hits.band + ng);
  r->ahead = brink__carve(&block, n_ahead, row * sizeof(double));
  r->taken = brink__carve(&block, n_taken, row * sizeof(double));
  r->takeover = own ? brink__carve(&block, 1, own) : NULL;
  r->takeover_size = own;
  r->largest = brink__carve(&block, info->n, sizeof(double));
  r->block = block;
  r->mode = mode;
  r->shown = brink__shown_mode(sim, mode);
  r->info = info;
  r->over = mode_over;
  r->weight = sim->opt.weight;
  r->weight_user = sim->opt.weight_user;
  brink__guards_init(&r->guards, guards, m, sim->live, mode, degree);
  *out = r;
  return BRINK_OK;
}

/* The regime of a mode, entered in the table. */
static brink_status mode_regime(brink_sim *sim, int mode, brink__regime **out)
{
  const brink_model *m = sim->model;
  const brink_method *method = brink__method_find(method_in(sim, mode));
  brink__regime *r;

  BRINK_TRY(brink__grow(sim->ctx, (void **)&sim->regimes, &sim->cap_regimes,
                        sim->n_regimes + 1, sizeof *sim->regimes));
  BRINK_TRY(take(sim, mode, method, &r));
  m->ops->flow(m, sim->live, mode, &r->flow);
  brink_integrator_opts opt = settings(sim, r);
  int degree = method ? brink__locator_degree(sim->locator, method) : 0;
  brink_status rc = brink__integrator_new(sim->ctx, &r->flow, &opt, degree, &r->it);
  if (rc < 0) {
    brink__regime_free(r);
    return rc;
  }
  r->probe = (brink__gate){.flow = &r->flow, .open = !sim->opt.gate};
  brink__integrator_gate(r->it)->open = !sim->opt.gate;
  r->gated = sim->opt.gate && r->info->unilateral > 0;
  brink__check_init(sim, r);
  brink__sizes_forget(r);
  sim->regimes[sim->n_regimes++] = *out = r;
  return BRINK_OK;
}

brink_status brink__regime_copy(brink_sim *sim, const brink_sim *other,
                                const brink__regime *from)
{
  brink__regime *r = brink__regime_find(sim, from->mode);

  if (!r)
    BRINK_TRY(mode_regime(sim, from->mode, &r));
  brink_status rc = brink__integrator_copy(r->it, from->it);
  if (rc < 0) {
    sim->ctx->err = *brink_integrator_error(r->it);
    return rc;
  }
  brink__guards_copy(&r->guards, &from->guards);
  r->probe.f_evals = from->probe.f_evals;
  r->probe.outside_evals = from->probe.outside_evals;
  r->probe.refusals = from->probe.refusals;
  r->h = from->h;
  r->dwell = from->dwell;
  r->check = from->check;
  r->wanted = from->wanted;
  r->refusals = from->refusals;
  r->strict = from->strict;
  r->flight = from->flight;
  r->n_small = from->n_small;
  r->declined = from->declined;
  r->nearer = from->nearer;
  if (r->takeover)
    memcpy(r->takeover, from->takeover, r->takeover_size);
  brink__copy(r->largest, from->largest, r->info->n);
  const double *c = brink__integrator_same_place(r->it, from->it, other->last.coeff);
  if (c)
    sim->last.coeff = c;
  return BRINK_OK;
}

/* Events of the mode may ask for a locator. */
static brink_status choose_locator(brink_sim *sim, int mode)
{
  const char *wish = sim->opt.wishes ? brink__mode_info(sim, mode)->locate : NULL;

  sim->locator = wish ? brink__locator_find(wish) : sim->default_locator;
  if (sim->locator)
    return BRINK_OK;
  sim->locator = sim->default_locator;
  return brink__unknown(&sim->ctx->err, "locator", wish, brink_locator_name);
}

brink_status brink__activate(brink_sim *sim, int mode)
{
  brink__regime *r = brink__regime_find(sim, mode);

  sim->mode = mode;
  brink_status rc = choose_locator(sim, mode);
  if (rc >= 0 && !r)
    rc = mode_regime(sim, mode, &r);
  if (rc < 0) {
    sim->err = sim->ctx->err;
    return rc;
  }
  sim->regime = r;
  /* the law may depend on what the jump changed */
  sim->model->ops->flow(sim->model, sim->live, mode, &r->flow);
  brink__guards_levels(&r->guards);
  scale_tolerances(sim, r);
  r->h_max =
      shorter(sim->opt.h_max, sim->model->ops->longest_step(sim->model, sim->live));
  brink__integrator_longest(r->it, r->h_max);
  return BRINK_OK;
}

void brink__limit_step(brink_sim *sim, double t_end)
{
  const brink_model *m = sim->model;
  brink__regime *r = sim->regime;

  if (!sim->opt.look || (sim->method->flags & BRINK__FIXED_STEP))
    return;
  double wanted = brink__integrator_proposed(r->it),
         h = m->ops->step_limit(m, sim->live, sim->mode, sim->t, sim->y, t_end, wanted,
                                sim->opt.rtol);
  h = brink__max(h, brink__integrator_least(r->it));
  brink__integrator_longest(r->it, shorter(r->h_max, h < HUGE_VAL ? h : 0));
}
