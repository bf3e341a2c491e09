/* initial_equations.c -- what the start must satisfy.
 *
 * Initial equations come in three kinds: `pre(d) = ...` or `d = ...` of a discrete
 * variable sets its value before the start; `x = ...` of a free state, in known
 * quantities, sets it; everything else (der(x) = 0, say), and the fixed start value
 * of a variable that is no state, is a residual in the free states, solved at the
 * start (start.c).
 */
#include "start/build.h"

enum { WORK_MAX = 1 << 24 }; /* numbers of the dense matrix at the start */

typedef struct sorter {
  dae_build *b;
  unsigned char *set; /* [states] by an equation of the second kind */
  dae_list root, eqn, var;
  dae_list assign_root, assign_target;
  dae_list assign_with_lambda; /* assign_root before lambda is 1, of a model with
                                  homotopy() */
} sorter;

static int is_free(const dae_build *b, int32_t state)
{
  return b->flat->vars[b->m->state_var[state]].fixed != 1;
}

/* The symbol that the equation side = other sets directly, or -1.  with_lambda: both
 * sides before lambda is 1. */
static brink_status sets(sorter *s, brink__node side, brink__node other,
                         const brink__node with_lambda[2], int32_t *slot)
{
  dae_build *b = s->b;
  int known;

  *slot = -1;
  if (brink__node_op(b->graph, side) != BRINK_OP_SYMBOL)
    return BRINK_OK;
  int32_t symbol = brink__node_symbol(b->graph, side), x = b->state_of[symbol];
  BRINK_TRY(brink__dae_is_fixed(b, other, 1, &known));
  if (known && with_lambda[1] != other)
    BRINK_TRY(brink__dae_is_fixed(b, with_lambda[1], 1, &known));
  known &= with_lambda[0] == side;
  if (x >= 0 && known && is_free(b, x) && !s->set[x]) {
    s->set[x] = 1;
    *slot = symbol;
  }
  int32_t u = b->unknown_of[symbol];
  if (b->pre_of[symbol] >= 0)
    *slot = symbol;
  else if (u >= 0 && b->rows[b->unknowns[u].row].kind == BRINK__ROW_ASSIGN)
    *slot = b->m->discretes[b->discrete_of[b->unknowns[u].var]].pre;
  else if (u >= 0 && b->unknowns[u].kind == DAE_DISCRETE && b->unknowns[u].var >= 0 &&
           b->flat->vars[b->unknowns[u].var].pre >= 0)
    *slot = b->flat->vars[b->unknowns[u].var]
                .pre; /* the equation sets the value before the start */
  return BRINK_OK;
}

static brink_status residual(sorter *s, brink__node lhs, brink__node rhs, int eqn,
                             int var)
{
  brink__node r = brink__sub(s->b->graph, lhs, rhs);

  if (!r)
    return s->b->ctx->err.status;
  BRINK_TRY(brink__dae_list_add(s->b->ctx, &s->root, r));
  BRINK_TRY(brink__dae_list_add(s->b->ctx, &s->eqn, eqn));
  return brink__dae_list_add(s->b->ctx, &s->var, var);
}

static brink_status equation(sorter *s, const brink__flat_eqn *e)
{
  int32_t slot;
  const brink__flat_eqn *l =
      s->b->forms->initial ? s->b->forms->initial + (e - s->b->flat->initial_eqns) : e;
  brink__node value = e->rhs, with_lambda = l->rhs;

  BRINK_TRY(sets(s, e->lhs, e->rhs, (brink__node[]){l->lhs, l->rhs}, &slot));
  if (slot < 0) {
    value = e->lhs;
    with_lambda = l->lhs;
    BRINK_TRY(sets(s, e->rhs, e->lhs, (brink__node[]){l->rhs, l->lhs}, &slot));
  }
  if (slot >= 0) {
    int known;
    BRINK_TRY(brink__dae_is_fixed(s->b, with_lambda, 1, &known));
    BRINK_TRY(brink__dae_list_add(s->b->ctx, &s->assign_with_lambda,
                                  known ? with_lambda : value));
    BRINK_TRY(brink__dae_list_add(s->b->ctx, &s->assign_root, value));
    return brink__dae_list_add(s->b->ctx, &s->assign_target, slot);
  }
  brink__type type = brink__node_type(s->b->graph, e->lhs);
  if (type == BRINK_TYPE_BOOLEAN || type == BRINK_TYPE_ENUMERATION)
    return brink__dae_fault(s->b, e->at,
                            "an initial equation between Booleans must set a discrete "
                            "variable or its pre()");
  return residual(s, e->lhs, e->rhs, (int)(e - s->b->flat->initial_eqns), -1);
}

static brink_status collect(sorter *s)
{
  dae_build *b = s->b;
  const brink__flat *f = b->flat;

  for (size_t i = 0; i < f->n_initial_eqns; i++)
    BRINK_TRY(equation(s, &f->initial_eqns[i]));
  for (size_t i = 0; i < f->n_vars; i++) {
    const brink__flat_var *v = &f->vars[i];
    if (v->variability != BRINK__CONTINUOUS || v->input || v->inactive || v->der >= 0 ||
        v->fixed != 1 || !v->start)
      continue;
    brink__node self = brink__symbol(b->graph, v->value, v->type);
    if (!self)
      return b->ctx->err.status;
    BRINK_TRY(residual(s, self, v->start, -1, (int)i));
  }
  return BRINK_OK;
}

int brink__start_line(const dae_model *m, size_t i)
{
  const start_initial *in = m->initial;

  return in->var[i] >= 0 ? m->flat->vars[in->var[i]].at.line
                         : m->flat->initial_eqns[in->eqn[i]].at.line;
}

static brink_status keep(sorter *s)
{
  dae_build *b = s->b;
  dae_model *m = b->m;
  start_initial *in = m->initial;

  in->n_assigns = s->assign_root.n;
  in->assign_target = brink__dae_list_keep(&m->pool, &s->assign_target, in->n_assigns);
  in->n = s->root.n;
  in->eqn = brink__dae_list_keep(&m->pool, &s->eqn, in->n);
  in->var = brink__dae_list_keep(&m->pool, &s->var, in->n);
  if (!in->assign_target || !in->eqn || !in->var)
    return BRINK_ENOMEM;
  b->forms->assigns =
      brink__dae_list_keep(&b->tmp, &s->assign_with_lambda, in->n_assigns);
  if (!b->forms->assigns)
    return BRINK_ENOMEM;
  BRINK_TRY(
      brink__dae_tape(b, in->n_assigns, s->assign_root.v, NULL, &in->assign_tape));
  BRINK_TRY(brink__dae_program(b, &b->flow, 0, NULL, in->n, s->root.v, &in->program));
  BRINK_TRY(DAE_TAKE(&m->pool, m->n_states, &in->free));
  for (size_t i = 0; i < m->n_states; i++)
    m->n_assumed += is_free(b, (int32_t)i) && !s->set[i];
  for (size_t i = 0; i < in->program.n_states; i++) {
    int32_t x = in->program.states[i];
    if (!is_free(b, x) || s->set[x])
      continue;
    in->free[in->n_free++] = x;
  }
  m->n_assumed -= in->n_free;
  if (in->n && in->n_free > WORK_MAX / in->n)
    return brink__dae_fault(b, (brink__place){brink__start_line(m, 0), 1},
                            "%zu initial equations in %zu free states are too many to "
                            "be solved together",
                            in->n, in->n_free);
  return BRINK_OK;
}

brink_status brink__start_compile(dae_build *b)
{
  sorter s = {.b = b};
  dae_list *lists[] = {&s.root,        &s.eqn,           &s.var,
                       &s.assign_root, &s.assign_target, &s.assign_with_lambda};

  BRINK_TRY(DAE_TAKE(&b->tmp, b->m->n_states, &s.set));
  brink_status rc = collect(&s);
  if (rc == BRINK_OK)
    rc = keep(&s);
  for (size_t i = 0; i < BRINK__COUNT(lists); i++)
    brink__free(b->ctx, lists[i]->v, lists[i]->cap * sizeof *lists[i]->v);
  return rc;
}
