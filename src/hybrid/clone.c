/* clone.c -- copies of a simulation, and going back to one.
 *
 * A simulation is its own memory, the live object of the model, and its regimes with
 * their integrators; each of them copies itself into another that was made alike.  The
 * copy goes on as the original would, bit for bit.  A snapshot is such a copy that
 * nobody runs.
 */
#include "hybrid/extended_model.h"
#include "hybrid/policies.h"

#include <string.h>

/* Regimes that the other simulation has not entered are as if they had not been; those
 * that were made at run time may have other numbers there. */
static void drop_others(brink_sim *to, const brink_sim *from)
{
  size_t n = 0;

  for (size_t i = 0; i < to->n_regimes; i++)
    if (to->regimes[i]->mode > BRINK__HELD_MODES &&
        brink__regime_find(from, to->regimes[i]->mode))
      to->regimes[n++] = to->regimes[i];
    else
      brink__regime_free(to->regimes[i]);
  to->n_regimes = n;
}

/* Everything but what is its own: context, memory, observer, trace. */
static void copy_fields(brink_sim *to, const brink_sim *from)
{
  brink_sim own = *to;

  *to = *from;
  to->ctx = own.ctx;
  to->block = own.block;
  to->observer = own.observer;
  to->trace = own.trace;
  to->regimes = own.regimes;
  to->n_regimes = own.n_regimes;
  to->cap_regimes = own.cap_regimes;
  to->regime = NULL;
  to->extended = own.extended;
  to->accumulation = own.accumulation;
  brink__sim_carve(to);
  brink__copy_bytes(to->y, from->y, brink__sim_bytes(to));
  to->due.timers = to->no_timers;
  brink__set_direction(to, from->backward);
  if (from->opt.atol_i)
    to->opt.atol_i = to->atol_i;
}

/* Regimes that were made at run time are those of an extended model: where it is not
 * in use, an earlier run has made them. */
static brink_status copy_regimes(brink_sim *to, const brink_sim *from)
{
  int extended = from->extended && from->model == &from->extended->base;

  for (size_t i = 0; i < from->n_regimes; i++)
    if (extended || from->regimes[i]->mode > BRINK__HELD_MODES)
      BRINK_TRY(brink__regime_copy(to, from, from->regimes[i]));
  return BRINK_OK;
}

static brink_status copy(brink_sim *to, const brink_sim *from)
{
  const brink_model *m = from->model;

  drop_others(to, from);
  BRINK_TRY(m->ops->live_copy(m, to->live, from->live, &to->ctx->err));
  copy_fields(to, from);
  BRINK_TRY(brink__extended_copy(to, from));
  BRINK_TRY(brink__accumulation_copy(to, from));
  BRINK_TRY(copy_regimes(to, from));
  return brink__activate(to, from->mode);
}

brink_status brink_sim_clone(brink_ctx *ctx, const brink_sim *sim, brink_sim **out)
{
  brink_sim *clone;

  BRINK__NEED(NULL, ctx);
  BRINK__NEED(&ctx->err, out);
  *out = NULL;
  BRINK__NEED(&ctx->err, sim);
  if (sim->busy) /* in the middle of a step, which nobody could finish */
    return brink__fail(&ctx->err, BRINK_EARG,
                       "a callback asked for a copy of the simulation that called it");
  brink_sim_opts opt = sim->opt;
  opt.sliding = brink_sim_defaults().sliding; /* copied below */
  BRINK_TRY(brink_sim_new(ctx, sim->user_model, &opt, &clone));
  brink_status rc = copy(clone, sim);
  if (rc < 0) {
    brink_sim_free(clone);
    return rc;
  }
  *out = clone;
  return BRINK_OK;
}

/* -------------------------------------------------------------- snapshots --- */

struct brink_snapshot {
  brink_ctx *ctx;
  brink_sim *sim;
};

brink_status brink_sim_save(brink_sim *sim, brink_snapshot **out)
{
  BRINK__NEED(NULL, sim);
  BRINK__NEED(&sim->err, out);
  brink_snapshot *s = brink__alloc(sim->ctx, sizeof *s);

  *out = NULL;
  if (!s)
    return brink__fail(&sim->err, BRINK_ENOMEM,
                       "out of memory: no room for a snapshot");
  s->ctx = sim->ctx;
  brink_status rc = brink_sim_clone(sim->ctx, sim, &s->sim);
  if (rc < 0) {
    sim->err = sim->ctx->err;
    brink__free(sim->ctx, s, sizeof *s);
    return rc;
  }
  *out = s;
  return BRINK_OK;
}

brink_status brink_sim_restore(brink_sim *sim, const brink_snapshot *snapshot)
{
  BRINK_TRY(brink__sim_idle(sim));
  if (!snapshot || snapshot->sim->user_model != sim->user_model)
    return brink__fail(&sim->err, BRINK_EARG,
                       "a simulation goes back to a snapshot of its own model");
  brink__trace_clear(&sim->trace);
  brink_status rc = copy(sim, snapshot->sim);
  if (rc < 0) {
    sim->err = sim->ctx->err;
    sim->started = 0;
  }
  return rc;
}

void brink_snapshot_free(brink_snapshot *snapshot)
{
  if (!snapshot)
    return;
  brink_sim_free(snapshot->sim);
  brink__free(snapshot->ctx, snapshot, sizeof *snapshot);
}
