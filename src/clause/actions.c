/* actions.c -- reinit, terminate and assert, compiled to two tapes; effects.c runs
 * them.
 *
 * Everything that may fail is computed under its condition: a reinit, the numbers of a
 * text, the assertion itself.
 */
#include "clause/build.h"

/* Add the numbers of a text as roots, each computed only where the guard holds. */
static brink_status text_parts(dae_build *b, const brink__flat_action *a,
                               brink__node guard, dae_list *roots, size_t *first)
{
  *first = roots->n;
  for (int i = 0; i < a->n_parts; i++) {
    brink__node zero = brink__real(b->graph, 0);
    brink__node part =
        brink__node_type(b->graph, a->parts[i]) == BRINK_TYPE_BOOLEAN
            ? brink__select(b->graph, a->parts[i], brink__real(b->graph, 1), zero)
        : brink__node_type(b->graph, a->parts[i]) == BRINK_TYPE_ENUMERATION
            ? brink__op1(b->graph, BRINK_OP_ORDINAL, a->parts[i])
            : a->parts[i];
    brink__node n = guard ? brink__select(b->graph, guard, part, zero) : part;
    if (!n)
      return b->ctx->err.status;
    BRINK_TRY(brink__dae_list_add(b->ctx, roots, n));
  }
  return BRINK_OK;
}

/* Which of the states that the branch restarts is that of the variable? */
static size_t place_of(const dae_build *b, int branch, int var)
{
  const dae_model *m = b->m;
  int state = b->state_of[b->flat->vars[var].value];
  size_t place = 0;

  for (size_t i = 0; i < m->n_acts; i++)
    if (m->acts[i].branch == branch && m->acts[i].flat->kind == BRINK__REINIT) {
      if (m->acts[i].state == state)
        return place;
      place++;
    }
  return place;
}

static brink_status act(dae_build *b, int branch, const brink__flat_action *a,
                        dae_list *roots)
{
  brink__graph *g = b->graph;
  dae_model *m = b->m;
  brink__node fire = brink__symbol(g, m->branches[branch].fire, BRINK_TYPE_BOOLEAN);
  brink__node runs = a->cond ? brink__op2(g, BRINK_OP_AND, fire, a->cond) : fire;
  clause_act *d = &m->acts[m->n_acts++];
  brink__node value = runs;

  *d = (clause_act){.flat = a, .branch = branch, .state = -1};
  if (a->kind == BRINK__REINIT || a->kind == BRINK__PUSH) {
    const brink__flat_var *v = &b->flat->vars[a->var];
    d->state = b->state_of[v->value];
    if (d->state < 0)
      return brink__dae_fault(b, a->at, "reinit needs a state: der(%s) does not occur",
                              v->name);
    value = brink__select(g, runs, a->value, brink__real(g, 0));
    if (a->kind == BRINK__PUSH) {
      d->place = place_of(b, branch, a->of);
      m->n_pushes++;
    }
  } else if (a->kind == BRINK__ASSERT) {
    value = brink__select(g, runs, a->value, brink__boolean(g, 1));
  }
  if (!runs || !value)
    return b->ctx->err.status;
  d->cond = roots->n;
  BRINK_TRY(brink__dae_list_add(b->ctx, roots, runs));
  d->value = roots->n;
  BRINK_TRY(brink__dae_list_add(b->ctx, roots, value));
  return text_parts(b, a, runs, roots, &d->parts);
}

/* reinit of a variable of a state that is not active does nothing. */
static int is_inactive(const dae_build *b, const brink__flat_action *a)
{
  return a->kind == BRINK__REINIT && b->flat->vars[a->var].inactive;
}

brink_status brink__clause_actions(dae_build *b, dae_list *roots)
{
  dae_model *m = b->m;
  size_t n = 0;

  for (size_t k = 0; k < m->n_branches; k++)
    n += (size_t)m->branches[k].flat->n_actions;
  BRINK_TRY(DAE_TAKE(&m->pool, n, &m->acts));
  for (size_t k = 0; k < m->n_branches; k++) {
    const brink__flat_branch *f = m->branches[k].flat;
    m->branches[k].name = brink__clause_name(b, f->text, f->at.line);
    if (!m->branches[k].name)
      return BRINK_ENOMEM;
    for (int i = 0; i < f->n_actions; i++)
      if (f->actions[i].kind != BRINK__ASSIGN && !is_inactive(b, &f->actions[i]))
        BRINK_TRY(act(b, (int)k, &f->actions[i], roots));
  }
  return brink__dae_tape(b, roots->n, roots->v, NULL, &m->act_tape);
}

brink_status brink__clause_asserts(dae_build *b, dae_list *roots)
{
  const brink__flat *f = b->flat;
  dae_model *m = b->m;

  BRINK_TRY(DAE_TAKE(&m->pool, f->n_asserts, &m->asserts));
  m->n_asserts = f->n_asserts;
  for (size_t i = 0; i < f->n_asserts; i++) {
    m->asserts[i] = (dae_assert){.flat = &f->asserts[i], .value = roots->n};
    BRINK_TRY(brink__dae_list_add(b->ctx, roots, f->asserts[i].value));
    BRINK_TRY(brink__dae_symbols(b, 1, &f->asserts[i].value));
    for (size_t k = 0; k < b->list.n; k++)
      m->asserts[i].with_initial |= b->list.v[k] == f->initial;
    brink__node broken = brink__op1(b->graph, BRINK_OP_NOT, f->asserts[i].value);
    BRINK_TRY(text_parts(b, &f->asserts[i], broken, roots, &m->asserts[i].parts));
  }
  return brink__dae_tape(b, roots->n, roots->v, NULL, &m->assert_tape);
}
