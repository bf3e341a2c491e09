/* describe.c -- what a compiled model says about itself: brink_model_anatomy. */
#include "machine/stages.h"
#include "machine/compile.h"
#include "clause/build.h"
#include "start/start.h"

static brink_status parameters(dae_build *b, brink_anatomy *a)
{
  const brink__flat *f = b->flat;
  brink_parameter *out;
  size_t n = 0;

  for (size_t i = 0; i < f->n_vars; i++)
    n += f->vars[i].variability == BRINK__PARAMETER && !f->vars[i].hidden;
  BRINK_TRY(DAE_TAKE(&b->m->pool, n, &out));
  n = 0;
  for (size_t i = 0; i < f->n_vars; i++) {
    const brink__flat_var *v = &f->vars[i];
    if (v->variability != BRINK__PARAMETER || v->hidden)
      continue;
    out[n++] = (brink_parameter){.name = v->name,
                                 .unit = v->unit ? v->unit : "",
                                 .text = v->text ? v->text : "",
                                 .value = b->m->constants.v0[v->value]};
  }
  a->parameters = out;
  a->n_parameters = n;
  return BRINK_OK;
}

static brink_status starts(dae_build *b, brink_anatomy *a)
{
  const dae_model *m = b->m;
  brink_start *out;

  BRINK_TRY(DAE_TAKE(&b->m->pool, m->n_states, &out));
  for (size_t i = 0; i < m->n_states; i++) {
    const brink__flat_var *v = &b->flat->vars[m->state_var[i]];
    out[i] = (brink_start){.name = v->name, .fixed = v->fixed == 1};
  }
  for (size_t k = 0; k < m->initial->n_assigns; k++) {
    int32_t state = b->state_of[m->initial->assigns[k].target];
    if (state >= 0)
      out[state].found = 1;
  }
  for (size_t k = 0; k < m->initial->n_searched; k++)
    if (m->initial->unknowns[k].place == START_STATE) {
      out[m->initial->unknowns[k].index].found = 1;
      a->free_starts++;
    }
  for (size_t k = 0; k < m->initial->n; k++)
    a->conditions += m->initial->conditions[k].level == START_STATES;
  a->starts = out;
  a->n_starts = m->n_states;
  return BRINK_OK;
}

static brink_status clauses(dae_build *b, brink_anatomy *a)
{
  const dae_model *m = b->m;
  const char **out;

  BRINK_TRY(DAE_TAKE(&b->m->pool, m->n_branches, &out));
  for (size_t i = 0; i < m->n_branches; i++)
    out[i] = m->branches[i].name;
  a->clauses = out;
  a->n_clauses = m->n_branches;
  return BRINK_OK;
}

brink_status brink__equations_describe(dae_build *b)
{
  dae_model *m = b->m;
  brink_anatomy *a = &m->base.anatomy;

  BRINK_TRY(parameters(b, a));
  BRINK_TRY(starts(b, a));
  BRINK_TRY(clauses(b, a));
  BRINK_TRY(brink__clause_guard_domains(b, a));
  BRINK_TRY(
      brink__machine_branches(m->base.ctx, b->flat, &m->pool, a, &m->branch_symbol));
  BRINK_TRY(DAE_TAKE(&m->pool, 1, &a->modes)); /* its only mode has number 0 */
  a->n_modes = 1;
  a->equations = b->flat->n_eqns;
  a->initial_equations = b->flat->n_initial_eqns;
  for (size_t i = 0; i < m->n_timers; i++)
    a->timed += m->timers[i].line || m->timers[i].kind == CLAUSE_SAMPLE;
  for (size_t i = 0; i < m->all.n_steps; i++)
    if (m->all.steps[i].loop) {
      a->loops++;
      a->largest_loop = brink__zmax(a->largest_loop, m->all.steps[i].loop->n_rows);
    }
  return BRINK_OK;
}
