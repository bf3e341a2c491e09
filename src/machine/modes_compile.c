/* modes_compile.c -- a flat model with machines becomes a brink_model.
 *
 * k machines of m states have m^k combinations; only those that a run meets are
 * compiled.  To find the faults of every state at once, combination number i of all
 * machines' i-th states is compiled when the model is built (a state counts as often as
 * the machines in it need); number 0 is the one in which the run begins.  A model
 * without machines side by side is then complete and never grows.
 *
 * Threads: combinations are added under a lock, in the context of the model, and
 * never move; a simulation knows a combination only after it was finished.  Limits:
 * MODES_MOST combinations.  A sentence about an equation that failed reads the graph
 * while another simulation may be adding to it.
 */
#include "machine/modes.h"
#include "machine/stages.h"

#include <string.h>

/* -------------------------------------------------------------- one part --- */

/* Names of the machine's active state or, if there are machines in it, of theirs,
 * joined by +, from text + at on (NULL: only measured).  Where they end. */
static size_t put_names(const brink__flat *f, const int *state, int machine, char *text,
                        size_t at)
{
  const char *name = f->states[state[machine]].name;
  size_t n = strlen(name);
  int inner = 0;

  for (int k = machine + 1; k < (int)f->n_machines; k++)
    if (f->machines[k].within == state[machine] + 1) {
      at = put_names(f, state, k, text, at);
      inner = 1;
    }
  if (inner)
    return at;
  if (text && at)
    text[at] = '+';
  at += at > 0;
  if (text)
    memcpy(text + at, name, n + 1);
  return at + n;
}

static const char *name_of(brink__pool *pool, const brink__flat *f, const int *state)
{
  size_t n = 0;
  char *text = NULL;

  for (int pass = 0; pass < 2; pass++) {
    n = 0;
    for (int k = 0; k < (int)f->n_machines; k++)
      if (f->machines[k].within == 0)
        n = put_names(f, state, k, text, n);
    if (pass == 0 && (text = brink__pool_take(pool, n + 1)) == NULL)
      return NULL;
  }
  return text;
}

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

/* Compile combination number store->n. */
static brink_status add(modes_model *m, const int *state, brink__fault_fn *fault,
                        void *user)
{
  mode_store *s = m->store;
  mode_part part;
  brink__flat *view;
  brink_ctx *ctx = m->base.ctx;

  BRINK_TRY(brink__modes_equations(ctx, m->flat, state, &part, &view));
  BRINK_TRY(brink__equations_compile(ctx, view, fault, user, &part.m));
  for (size_t i = 0; i < m->flat->n_states; i++)
    part.m->constants.v0[m->flat->states[i].active] = 0;
  for (size_t k = 0; k < m->flat->n_machines; k++)
    if (state[k] >= 0)
      part.m->constants.v0[m->flat->states[state[k]].active] = 1;
  brink__mode mode = part.m->base.modes[0];
  mode.name = name_of(&part.m->pool, m->flat, state);
  if (!mode.name || warns(m, &part) < 0) {
    part.m->base.ops->destroy(&part.m->base);
    return brink__fail(&ctx->err, BRINK_ENOMEM, "out of memory while naming a mode");
  }
  s->modes[s->n] = mode;
  s->parts[s->n++] = part;
  return BRINK_OK;
}

static int known(const modes_model *m, const int *state)
{
  size_t bytes = m->flat->n_machines * sizeof *state;

  for (int i = 0; i < m->store->n; i++)
    if (memcmp(m->store->parts[i].state, state, bytes) == 0)
      return i;
  return -1;
}

/* A part that does not fit is an error of the run, not of the model. */
static brink_status extend(modes_model *m, const int *state, int *out, brink_err *err)
{
  if (m->store->n == m->store->most)
    return brink__fail(
        err, BRINK_EMODEL,
        "the run has met more than %d combinations of modes; brink keeps "
        "no more",
        m->store->most);
  brink_status rc = add(m, state, NULL, NULL);
  if (rc < 0 && err)
    *err = m->base.ctx->err;
  *out = m->store->n - 1;
  return rc;
}

brink_status brink__modes_find(const modes_model *m, const int *state, int *out,
                               brink_err *err)
{
  brink_status rc = BRINK_OK;

  modes_lock(m);
  *out = known(m, state);
  if (*out < 0)
    rc = extend((modes_model *)(uintptr_t)m, state, out, err);
  modes_unlock(m);
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
static double product(double a, double b) { return a * b; }
static double larger(double a, double b) { return a > b ? a : b; }

static const tally rounds = {one, larger, sum};   /* until every state was shown     */
static const tally choices = {one, product, sum}; /* combinations there can be       */
static const tally sizes = {own, sum, larger};    /* most continuous states at once  */

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

/* How many combinations there can be, or MODES_MOST. */
static int combinations(const brink__flat *f)
{
  double all = 1;

  for (int k = 0; k < (int)f->n_machines; k++)
    if (modes_around(f, k) < 0)
      all *= tally_machine(f, &choices, k);
  return all < MODES_MOST ? (int)all : MODES_MOST;
}

static brink_status first_parts(modes_model *m, brink__fault_fn *fault, void *user)
{
  const brink__flat *f = m->flat;
  double *round, n = 0;
  int *state;
  brink_status rc = BRINK_OK;

  BRINK_TRY(DAE_TAKE(&m->pool, f->n_machines, &state));
  BRINK_TRY(DAE_TAKE(&m->pool, f->n_machines, &round));
  for (int k = 0; k < (int)f->n_machines; k++)
    if (modes_around(f, k) < 0)
      n = larger(n, tally_machine(f, &rounds, k));
  for (int i = 0; i < n && i < m->store->most && rc == BRINK_OK; i++) {
    show(f, i, round, state);
    if (known(m, state) < 0)
      rc = add(m, state, fault, user);
  }
  return rc;
}

/* -------------------------------------------------------------- measures --- */

/* Relations that may have a known time in some combination. */
static brink_status timed(const modes_model *m, size_t *out)
{
  const brink__flat *f = m->flat;
  dae_walk w = {.ctx = m->base.ctx, .graph = f->graph};
  brink_status rc = BRINK_OK;

  *out = 0;
  for (size_t i = 0; i < f->n_relations && rc == BRINK_OK; i++) {
    int left = 0, right = 0;
    rc = brink__dae_walk_mark(&w, f->relations[i].left, BRINK__TIME, &left);
    if (rc == BRINK_OK)
      rc = brink__dae_walk_mark(&w, f->relations[i].right, BRINK__TIME, &right);
    *out += left || right;
  }
  brink__dae_walk_drop(&w);
  return rc;
}

/* The most that any combination can have. */
static brink_status measures(modes_model *m)
{
  const brink__flat *f = m->flat;
  size_t n = states_of(f, 0), bounds = 0, branches = f->n_transitions, timers;

  for (int k = 0; k < (int)f->n_machines; k++)
    if (modes_around(f, k) < 0)
      n += (size_t)tally_machine(f, &sizes, k);
  for (size_t i = 0; i < f->n_vars; i++)
    bounds += f->vars[i].domain ? 2 : 0;
  for (size_t i = 0; i < f->n_whens; i++)
    branches += (size_t)f->whens[i].n_branches;
  size_t guards = f->n_relations + 2 * f->n_stairs + bounds;
  BRINK_TRY(timed(m, &timers));
  timers += f->n_samples + f->n_delays;
  m->base.remembers = f->n_delays > 0;
  m->base.max_n = n ? n : 1;
  m->base.max_guards = (int)guards;
  m->base.n_timers = (int)timers;
  m->base.max_fired = (int)(2 * branches + f->n_relations + f->n_stairs + timers +
                            guards + f->n_machines);
  for (int i = 0; i < m->store->n; i++) {
    const brink_model *part = &m->store->parts[i].m->base;
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

static brink_status build(modes_model *m, brink__fault_fn *fault, void *user)
{
  int most = combinations(m->flat);

  BRINK_TRY(DAE_TAKE(&m->pool, 1, &m->store));
  m->store->most = most;
  atomic_flag_clear(&m->store->busy);
  BRINK_TRY(DAE_TAKE(&m->pool, (size_t)most, &m->store->parts));
  BRINK_TRY(DAE_TAKE(&m->pool, (size_t)most, &m->store->modes));
  BRINK_TRY(list_warns(m));
  BRINK_TRY(first_parts(m, fault, user));
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
