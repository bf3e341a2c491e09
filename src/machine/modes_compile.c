/* modes_compile.c -- a flat model with machines becomes a brink_model.
 *
 * k machines of m states have m^k combinations.  Up to MODES_COMPILED all are compiled
 * when the model is built.  Of more, those in which every state occurs, so that the
 * faults of every state are found (in round i, the i-th states of all machines; a state
 * counts as often as the machines in it need); a simulation compiles what else it meets
 * into its own memory, from a copy of the graph.
 *
 * Threads: a built model is never written to.
 */
#include "machine/modes.h"
#include "machine/stages.h"

#include <string.h>

/* -------------------------------------------------------------- one part --- */

static int32_t warn_of(const modes_model *m, const brink__flat_action *a)
{
  for (size_t i = m->flat->n_asserts; i < m->n_warns; i++)
    if (m->warns[i] == a)
      return (int32_t)i;
  return -1;
}

static brink_status warns(const modes_model *m, mode_part *part)
{
  dae_model *d = part->m;

  BRINK_TRY(DAE_TAKE(&d->pool, d->n_asserts + d->n_acts, &part->warns));
  for (size_t i = 0; i < d->n_asserts; i++)
    part->warns[i] = part->asserts[i];
  for (size_t i = 0; i < d->n_acts; i++)
    part->warns[d->n_asserts + i] = warn_of(m, d->acts[i].flat);
  return BRINK_OK;
}

void brink__modes_part_free(mode_part *part)
{
  if (part)
    part->m->base.ops->destroy(&part->m->base); /* it lives in the pool of m */
}

/* Which states are active, for the equations that ask. */
static void set_active(const brink__flat *f, mode_part *part)
{
  double *v0 = part->m->constants.v0;

  for (size_t i = 0; i < f->n_states; i++)
    v0[f->states[i].active] = 0;
  for (size_t k = 0; k < f->n_machines; k++)
    if (part->state[k] >= 0)
      v0[f->states[part->state[k]].active] = 1;
}

/* Compile a combination of the flat model, which is that of m or a copy, in ctx. */
static brink_status compile(const modes_model *m, brink_ctx *ctx,
                            const brink__flat *flat, const int *state,
                            brink__fault_fn *fault, void *user, mode_part **out)
{
  mode_part part, *kept;
  brink__flat *view;

  BRINK_TRY(brink__modes_equations(ctx, flat, state, &part, &view));
  BRINK_TRY(brink__equations_compile(ctx, view, fault, user, &part.m));
  set_active(flat, &part);
  part.number = brink__modes_number(m, state);
  part.mode = part.m->base.modes[0];
  part.mode.name =
      m->names ? m->names[part.number] : brink__modes_name(&part.m->pool, flat, state);
  if (!part.mode.name || warns(m, &part) < 0 || DAE_TAKE(&part.m->pool, 1, &kept) < 0) {
    part.m->base.ops->destroy(&part.m->base);
    return brink__fail(&ctx->err, BRINK_ENOMEM, "out of memory while naming a mode");
  }
  *kept = part;
  *out = kept;
  return BRINK_OK;
}

typedef struct hearer {
  brink__fault_fn *fault;
  void *user;
} hearer;

/* Compile a combination with the model, if it is not there yet. */
static brink_status add(modes_model *m, const int *state, void *hears)
{
  const hearer *h = hears;

  if (brink__modes_part(m, NULL, brink__modes_number(m, state)))
    return BRINK_OK;
  BRINK_TRY(compile(m, m->base.ctx, m->flat, state, h->fault, h->user,
                    &m->parts[m->n_parts]));
  m->n_parts++;
  return BRINK_OK;
}

const mode_part *brink__modes_part(const modes_model *m, const modes_live *live,
                                   int number)
{
  if (m->n_parts == m->base.n_modes)
    return m->parts[number];
  for (int i = 0; i < m->n_parts; i++)
    if (m->parts[i]->number == number)
      return m->parts[i];
  for (size_t i = 0; live && i < live->n_parts; i++)
    if (live->parts[i]->number == number)
      return live->parts[i];
  return NULL;
}

/* Is the number one of those that could not be compiled? */
static int is_refused(const modes_live *live, int number)
{
  for (size_t i = 0; i < live->n_refused; i++)
    if (live->refused[i] == number)
      return 1;
  return 0;
}

/* A combination that has more states than there is room for, or that cannot be compiled
 * at all, is remembered. */
static brink_status refuse(modes_live *live, int number, brink_status rc)
{
  if (rc != BRINK_EMODEL)
    return rc;
  BRINK_TRY(brink__grow(live->ctx, (void **)&live->refused, &live->cap_refused,
                        live->n_refused + 1, sizeof *live->refused));
  live->refused[live->n_refused++] = number;
  return rc;
}

/* Compile a combination that the model has not into the memory of the simulation. */
static brink_status extend(modes_live *live, int number)
{
  const modes_model *m = live->model;
  mode_part **part;

  if (is_refused(live, number))
    return brink__fail(&live->ctx->err, BRINK_EMODEL,
                       "the equations of this mode cannot be solved");

  BRINK_TRY(brink__grow(live->ctx, (void **)&live->parts, &live->cap_parts,
                        live->n_parts + 1, sizeof *live->parts));
  if (!live->flat.graph) {
    brink__graph *graph = NULL;
    BRINK_TRY(brink__graph_copy(live->ctx, m->flat->graph, &graph));
    live->flat = *m->flat;
    live->flat.graph = graph;
  }
  live->analysed++;
  brink__modes_states(m, number, live->to);
  part = &live->parts[live->n_parts];
  BRINK_TRY(refuse(live, number,
                   compile(m, live->ctx, &live->flat, live->to, NULL, NULL, part)));
  if ((*part)->m->n <= m->base.max_n) {
    live->n_parts++;
    return BRINK_OK;
  }
  size_t n = (*part)->m->n;
  brink__modes_part_free(*part);
  return refuse(live, number,
                brink__fail(&live->ctx->err, BRINK_EMODEL,
                            "this mode has %zu states, and there is room for %zu", n,
                            m->base.max_n));
}

brink_status brink__modes_find(modes_live *live, int number, const mode_part **out,
                               brink_err *err)
{
  brink_status rc = BRINK_OK;

  *out = brink__modes_part(live->model, live, number);
  if (!*out)
    rc = extend(live, number);
  if (rc < 0 && err)
    *err = live->ctx->err;
  if (rc >= 0 && !*out)
    *out = live->parts[live->n_parts - 1];
  return rc;
}

/* -------------------------------------------------------------- counting --- */

/* Something of each machine, counted over its states and the machines in them. */
typedef struct tally {
  double (*of_state)(const brink__flat *f, int state); /* of the state alone */
  double (*with)(double all, double inner); /* ... and of the machines in it         */
  double (*over)(double all, double state); /* the states of a machine               */
} tally;

static double tally_state(const brink__flat *f, const tally *c, int state);

static double tally_machine(const brink__flat *f, const tally *c, int machine)
{
  double all = 0;

  for (size_t i = 0; i < f->n_states; i++)
    if (f->states[i].machine == machine)
      all = c->over(all, tally_state(f, c, (int)i));
  return all;
}

static double tally_state(const brink__flat *f, const tally *c, int state)
{
  double all = c->of_state(f, state);

  for (size_t k = 0; k < f->n_machines; k++)
    if (f->machines[k].within == state + 1)
      all = c->with(all, tally_machine(f, c, (int)k));
  return all;
}

static size_t states_of(const brink__flat *f, int mode)
{
  size_t n = 0;

  for (size_t i = 0; i < f->n_vars; i++)
    n += f->vars[i].variability == BRINK__CONTINUOUS && !f->vars[i].input &&
         f->vars[i].der >= 0 && f->vars[i].mode == mode;
  return n;
}

static double one(const brink__flat *f, int state) { return (void)f, (void)state, 1; }
static double own(const brink__flat *f, int s) { return (double)states_of(f, s + 1); }
static double sum(double a, double b) { return a + b; }
static double larger(double a, double b) { return a > b ? a : b; }

static const tally rounds = {one, larger, sum}; /* until every state was shown     */
static const tally sizes = {own, sum, larger};  /* most continuous states at once  */

/* ------------------------------------------------------------- the whole --- */

/* Which state of the machine is shown in a round, the initial one first; which round
 * of the machines in it that is.  Behind the last one, as in the last one. */
static int pick(const brink__flat *f, int machine, double round, double *inner)
{
  int state = f->machines[machine].initial;
  double n = tally_state(f, &rounds, state);

  for (int i = 0; i < (int)f->n_states && round >= n; i++)
    if (f->states[i].machine == machine && i != f->machines[machine].initial) {
      round -= n;
      n = tally_state(f, &rounds, i);
      state = i;
    }
  *inner = round;
  return state;
}

/* The states of round i. */
static void show(const brink__flat *f, int i, double *round, int *state)
{
  for (int k = 0; k < (int)f->n_machines; k++) {
    int outer = modes_around(f, k);
    if (outer >= 0 && state[outer] != f->machines[k].within - 1)
      state[k] = -1;
    else
      state[k] = pick(f, k, outer < 0 ? i : round[outer], &round[k]);
  }
}

/* How many rounds it takes until every state was shown. */
static int count_rounds(const brink__flat *f)
{
  double n = 0;

  for (int k = 0; k < (int)f->n_machines; k++)
    if (modes_around(f, k) < 0)
      n = larger(n, tally_machine(f, &rounds, k));
  return (int)n;
}

/* A mode of switches may be one that cannot be (a short circuit): those are compiled
 * when a run meets them. */
static int show_all(const modes_model *m)
{
  return m->base.n_modes <= MODES_COMPILED && m->flat->n_switches == 0;
}

int brink__modes_first(const modes_model *m)
{
  return m->flat->n_switches ? 1
         : show_all(m)       ? m->base.n_modes
                             : count_rounds(m->flat);
}

brink_status brink__modes_each_first(modes_model *m, modes_visit_fn *visit, void *user)
{
  const brink__flat *f = m->flat;
  int n = brink__modes_first(m);
  double *round;
  int *state;

  BRINK_TRY(DAE_TAKE(&m->pool, f->n_machines, &state));
  BRINK_TRY(DAE_TAKE(&m->pool, f->n_machines, &round));
  for (int i = 0; i < n; i++) {
    if (show_all(m))
      brink__modes_states(m, i, state);
    else
      show(f, i, round, state);
    BRINK_TRY(visit(m, state, user));
  }
  return BRINK_OK;
}

static brink_status name_all(modes_model *m)
{
  int *state;

  if (m->base.n_modes > MODES_NAMED)
    return BRINK_OK;
  BRINK_TRY(DAE_TAKE(&m->pool, m->flat->n_machines, &state));
  BRINK_TRY(DAE_TAKE(&m->pool, (size_t)m->base.n_modes, &m->names));
  for (int i = 0; i < m->base.n_modes; i++) {
    brink__modes_states(m, i, state);
    m->names[i] = brink__modes_name(&m->pool, m->flat, state);
    if (!m->names[i])
      return brink__fail(&m->base.ctx->err, BRINK_ENOMEM,
                         "out of memory while naming a mode");
  }
  return BRINK_OK;
}

/* -------------------------------------------------------------- measures --- */

/* The most that any combination can have. */
static brink_status measures(modes_model *m)
{
  const brink__flat *f = m->flat;
  size_t n = states_of(f, 0), bounds = 0, branches = f->n_transitions;

  for (int k = 0; k < (int)f->n_machines; k++)
    if (modes_around(f, k) < 0)
      n += (size_t)tally_machine(f, &sizes, k);
  for (size_t i = 0; i < f->n_vars; i++)
    bounds += f->vars[i].domain ? 2 : 0;
  for (size_t i = 0; i < f->n_whens; i++)
    branches += (size_t)f->whens[i].n_branches;
  size_t guards = f->n_relations + 2 * f->n_stairs + bounds;
  size_t timers = f->n_relations + f->n_stairs + f->n_samples + f->n_delays + 1;
  n = brink__zmax(brink__zmax(n, f->most_states), 1);
  for (int i = 0; i < m->n_parts; i++)
    n = brink__zmax(n, m->parts[i]->m->n);
  m->base.remembers = (int)f->n_delays;
  m->base.max_n = n;
  m->base.max_guards = (int)guards;
  m->base.n_timers = (int)timers;
  m->base.max_fired = (int)(2 * branches + f->n_relations + f->n_stairs + timers +
                            guards + f->n_machines);
  m->base.max_jumps = (int)(2 * f->n_vars); /* of the mode left and the one entered */
  for (int i = 0; i < m->n_parts; i++) {
    const brink_model *part = &m->parts[i]->m->base;
    m->room = brink__zmax(m->room, part->ops->live_size(part));
  }
  return BRINK_OK;
}

/* --------------------------------------------------------------- compile --- */

static brink_status list_warns(modes_model *m)
{
  const brink__flat *f = m->flat;
  size_t most = f->n_asserts;

  for (size_t w = 0; w < f->n_whens; w++)
    for (int b = 0; b < f->whens[w].n_branches; b++)
      most += (size_t)f->whens[w].branches[b].n_actions;
  BRINK_TRY(DAE_TAKE(&m->pool, most, &m->warns));
  for (size_t i = 0; i < f->n_asserts; i++)
    m->warns[m->n_warns++] = &f->asserts[i];
  for (size_t w = 0; w < f->n_whens; w++)
    for (int b = 0; b < f->whens[w].n_branches; b++)
      for (int i = 0; i < f->whens[w].branches[b].n_actions; i++)
        if (f->whens[w].branches[b].actions[i].kind == BRINK__ASSERT)
          m->warns[m->n_warns++] = &f->whens[w].branches[b].actions[i];
  return BRINK_OK;
}

enum { FIRST_MOST = 4096 }; /* modes of switches that are tried for a first one */

/* The first mode of the switches that can be compiled becomes the one in which a start
 * begins to search, number 0. */
static brink_status add_first(modes_model *m, brink__fault_fn *fault, void *user)
{
  brink_ctx *ctx = m->base.ctx;
  int n = m->base.n_modes < FIRST_MOST ? m->base.n_modes : FIRST_MOST, *state;
  brink_status rc = BRINK_EMODEL;

  BRINK_TRY(DAE_TAKE(&m->pool, m->flat->n_machines, &state));
  for (int i = 0; i < n && rc == BRINK_EMODEL; i++) {
    brink__modes_states(m, i, state);
    rc = compile(m, ctx, m->flat, state, NULL, NULL, &m->parts[0]);
  }
  if (rc == BRINK_EMODEL) { /* none: say of the first what is wrong */
    brink__modes_states(m, 0, state);
    return compile(m, ctx, m->flat, state, fault, user, &m->parts[0]);
  }
  BRINK_TRY(rc);
  for (size_t k = 0; k < m->flat->n_machines; k++)
    m->flat->machines[k].initial = state[k];
  m->parts[m->n_parts++]->number = 0;
  return BRINK_OK;
}

static brink_status build(modes_model *m, brink__fault_fn *fault, void *user)
{
  BRINK_TRY(brink__modes_count(m, fault, user));
  BRINK_TRY(list_warns(m));
  BRINK_TRY(DAE_TAKE(&m->pool, (size_t)brink__modes_first(m), &m->parts));
  if (m->flat->n_switches)
    BRINK_TRY(add_first(m, fault, user));
  BRINK_TRY(name_all(m));
  if (!m->flat->n_switches)
    BRINK_TRY(brink__modes_each_first(m, add, &(hearer){fault, user}));
  BRINK_TRY(measures(m));
  return brink__modes_describe(m);
}

brink_status brink__modes_compile(brink_ctx *ctx, brink__flat *flat,
                                  brink__fault_fn *fault, void *user, brink_model **out)
{
  brink__pool pool = {.ctx = ctx};
  modes_model *m;

  *out = NULL;
  brink_status rc = DAE_TAKE(&pool, 1, &m);
  if (rc < 0) {
    brink__flat_free(flat);
    return rc;
  }
  m->base.ctx = ctx;
  m->base.ops = &brink__modes_ops;
  m->pool = pool;
  m->flat = flat;
  rc = build(m, fault, user);
  if (rc < 0) {
    m->base.ops->destroy(&m->base);
    return rc;
  }
  *out = &m->base;
  return BRINK_OK;
}
