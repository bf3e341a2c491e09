/* stages.c -- from a flat model to a brink_model, stage by stage.
 *
 *   dae/reduce.c               index above 1: equations are differentiated
 *   dae/rows.c                 equations and unknowns; whens become equations
 *   start/homotopy.c           lambda = 1; the equations with lambda are kept
 *   dae/params.c               parameters and start values become numbers
 *   dae/matching.c             which equation determines which unknown
 *   dae/sort.c                 blocks in order of evaluation
 *   dae/program.c              tapes and loops
 *   dae/flow_jacobian.c        the Jacobian of the derivatives
 *   dae/projection.c           constraints on the states
 *   dae/signals.c              what the derivatives depend on time through
 *   dae/delay.c                the expressions that are delayed
 *   clause/switches.c          relations and stairs become guards, samples timers;
 *                              what whens wait for and do
 *   start/initial_equations.c  what the start must satisfy
 *   describe.c                 the description of the model
 *   start/homotopy.c           the equations of the path from lambda = 0 to 1
 */
#include "machine/stages.h"
#include "clause/build.h"
#include "dae/reduce.h"
#include "machine/compile.h"
#include "machine/modes.h"
#include "start/build.h"

#include <stdio.h>
#include <string.h>

/* ------------------------------------------------------------- outside --- */

static brink_role role(const brink__flat_var *v)
{
  if (v->variability == BRINK__PARAMETER)
    return BRINK_PARAMETER;
  if (v->input)
    return BRINK_INPUT;
  return v->variability == BRINK__DISCRETE ? BRINK_DISCRETE
         : v->der >= 0                     ? BRINK_STATE
                                           : BRINK_ALGEBRAIC;
}

/* Append the variables, or the parameters, to the list of names. */
static void add_names(dae_build *b, int parameters, brink_variable *vars)
{
  static const brink_type types[] = {[BRINK_TYPE_REAL] = BRINK_REAL,
                                     [BRINK_TYPE_INTEGER] = BRINK_INTEGER,
                                     [BRINK_TYPE_BOOLEAN] = BRINK_BOOLEAN,
                                     [BRINK_TYPE_ENUMERATION] = BRINK_ENUMERATION};
  const brink__flat *f = b->flat;
  dae_model *m = b->m;

  for (size_t i = 0; i < f->n_vars; i++) {
    const brink__flat_var *v = &f->vars[i];
    if (v->variability == BRINK__CONSTANT || v->hidden ||
        (v->variability == BRINK__PARAMETER) != parameters)
      continue;
    m->show[m->base.n_names] = (int32_t)i;
    vars[m->base.n_names++] =
        (brink_variable){.name = v->name,
                         .unit = v->unit ? v->unit : "",
                         .text = v->text ? v->text : "",
                         .discrete = v->variability == BRINK__DISCRETE,
                         .literals = v->literals,
                         .n_literals = v->n_literals,
                         .role = role(v),
                         .type = types[v->type],
                         .settable = !v->final && !v->found && !v->decides.line,
                         .structural = v->decides.line};
  }
}

static brink_status variables(dae_build *b)
{
  dae_model *m = b->m;
  brink_variable *vars;

  BRINK_TRY(DAE_TAKE(&m->pool, b->flat->n_vars, &vars));
  BRINK_TRY(DAE_TAKE(&m->pool, b->flat->n_vars, &m->show));
  add_names(b, 0, vars);
  m->base.n_vars = m->base.n_names;
  add_names(b, 1, vars);
  m->base.vars = vars;
  return BRINK_OK;
}

/* The first locator that a when asks for. */
static const char *wanted_locator(const brink__flat *f)
{
  for (size_t i = 0; i < f->n_whens; i++) {
    const char *name = f->whens[i].locate;
    if (name && *name && strcmp(name, "auto") != 0)
      return name;
  }
  return NULL;
}

/* Is the operation not smooth?  (In the order of expr/ops.def.) */
static int is_rough(brink__op op)
{
  return (op >= BRINK_OP_LT && op <= BRINK_OP_NE) || op == BRINK_OP_ABS ||
         op == BRINK_OP_SIGN || (op >= BRINK_OP_MIN && op <= BRINK_OP_INTEGER);
}

/* Can the equations change without a guard?  Relations that make events are symbols
 * here; those in noEvent() and smooth() are operations, like abs and floor. */
static brink_status has_hidden_switch(dae_build *b, int *yes)
{
  dae_walk *w = &b->walk;
  brink__node node;

  *yes = 0;
  BRINK_TRY(brink__dae_walk_begin(w));
  for (size_t i = 0; i < b->m->n_rows; i++)
    if (b->m->rows[i].kind == BRINK__ROW_REAL) {
      BRINK_TRY(brink__dae_walk_push(w, b->m->rows[i].lhs));
      BRINK_TRY(brink__dae_walk_push(w, b->m->rows[i].rhs));
    }
  do {
    BRINK_TRY(brink__dae_walk_next(w, &node));
    *yes |= node && is_rough(brink__node_op(w->graph, node));
  } while (node);
  return BRINK_OK;
}

/* A word of the settings; NULL: not given. */
static const char *given(const char *word)
{
  return word && *word && strcmp(word, "auto") != 0 ? word : NULL;
}

static brink_status outside(dae_build *b)
{
  const brink__flat *f = b->flat;
  dae_model *m = b->m;
  brink__mode *mode;
  const char **names;
  unsigned char *dependent;

  BRINK_TRY(variables(b));
  m->n = m->n_states ? m->n_states : 1;
  BRINK_TRY(has_hidden_switch(b, &m->guards_complete));
  m->guards_complete = !m->guards_complete;
  BRINK_TRY(DAE_TAKE(&m->pool, 1, &mode));
  BRINK_TRY(DAE_TAKE(&m->pool, m->n, &names));
  BRINK_TRY(DAE_TAKE(&m->pool, m->n, &dependent));
  names[0] = ""; /* y has a component that belongs to no variable */
  for (size_t i = 0; i < m->n_states; i++) {
    names[i] = f->vars[m->state_var[i]].name;
    dependent[i] = f->vars[m->state_var[i]].hidden || m->state_follows[i];
  }
  *mode = (brink__mode){.name = f->name ? f->name : "model",
                        .n = m->n,
                        .states = names,
                        .dependent = dependent,
                        .pattern = &m->jacobian.places,
                        .n_guards = (int)m->n_guards,
                        .guards = m->info,
                        .unilateral = m->unilateral,
                        .locate = wanted_locator(f)};
  m->base.name = mode->name;
  m->base.file = f->file;
  m->base.text = f->text;
  m->base.modes = mode;
  m->base.n_modes = 1;
  m->base.n_timers = (int)m->n_timers;
  m->base.max_n = m->n;
  m->base.max_guards = (int)m->n_guards;
  m->base.max_fired =
      (int)(m->n_branches + m->n_relations + m->n_stairs + m->n_timers + m->n_guards);
  m->base.max_jumps = (int)m->impulses.n;
  m->base.experiment = (brink_experiment){
      f->settings.start,
      f->settings.stop,
      f->settings.tolerance,
      f->settings.interval,
      f->settings.method && *f->settings.method ? f->settings.method : NULL,
      given(f->settings.locate),
      given(f->settings.zeno),
      given(f->settings.sliding),
      given(f->settings.time_unit),
      f->settings.near_g,
      f->settings.eta,
      f->settings.lie_min,
      f->settings.locate_order,
      f->settings.width,
      f->settings.zeno_gap};
  return BRINK_OK;
}

static brink_status stages(dae_build *b)
{
  start_forms forms = {0};

  b->forms = &forms;
  BRINK_TRY(brink__dae_reduce(b));
  BRINK_TRY(DAE_TAKE(&b->m->pool, 1, &b->m->initial));
  BRINK_TRY(DAE_TAKE(&b->m->pool, 1, &b->m->homotopy));
  BRINK_TRY(brink__dae_rows(b));
  BRINK_TRY(brink__start_homotopy_forms(b));
  BRINK_TRY(brink__dae_incidence(b));
  BRINK_TRY(brink__dae_parameters(b));
  BRINK_TRY(brink__dae_match(b));
  BRINK_TRY(brink__dae_sort(b));
  BRINK_TRY(brink__dae_programs(b));
  BRINK_TRY(brink__dae_flow_jacobian(b));
  BRINK_TRY(brink__dae_projection(b));
  BRINK_TRY(brink__dae_impulse_rows(b));
  BRINK_TRY(brink__dae_signals(b));
  BRINK_TRY(brink__dae_delays(b));
  BRINK_TRY(brink__clause_compile(b));
  BRINK_TRY(brink__start_compile(b));
  BRINK_TRY(outside(b));
  BRINK_TRY(brink__equations_describe(b));
  return brink__start_homotopy(b);
}

brink_status brink__equations_compile(brink_ctx *ctx, brink__flat *flat,
                                      brink__fault_fn *fault, void *user,
                                      dae_model **out)
{
  brink__pool pool = {.ctx = ctx};
  dae_build b = {.ctx = ctx,
                 .graph = flat->graph,
                 .flat = flat,
                 .fault = fault,
                 .user = user,
                 .tmp = {.ctx = ctx},
                 .walk = {.ctx = ctx, .graph = flat->graph}};

  *out = NULL;
  brink_status rc = DAE_TAKE(&pool, 1, &b.m);
  if (rc < 0) {
    brink__flat_free(flat);
    return rc;
  }
  dae_model *m = b.m;
  m->base.ctx = ctx;
  m->base.ops = &brink__equations_ops;
  m->pool = pool;
  m->flat = flat;
  rc = stages(&b);
  brink__dae_walk_drop(&b.walk);
  brink__dae_list_drop(ctx, &b.list);
  brink__dae_list_drop(ctx, &b.read);
  brink__free(ctx, b.numbers, b.cap_numbers * sizeof *b.numbers);
  brink__pool_drop(&b.tmp);
  if (rc < 0) {
    m->base.ops->destroy(&m->base);
    return rc;
  }
  *out = m;
  return BRINK_OK;
}

brink_status brink__machine_compile(brink_ctx *ctx, brink__flat *flat,
                                    brink__fault_fn *fault, void *user,
                                    brink_model **out)
{
  dae_model *m;

  *out = NULL;
  if (flat->n_machines)
    return brink__modes_compile(ctx, flat, fault, user, out);
  BRINK_TRY(brink__equations_compile(ctx, flat, fault, user, &m));
  *out = &m->base;
  return BRINK_OK;
}
