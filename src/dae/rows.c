/* rows.c -- equations and unknowns.
 *
 * Unknown are the derivatives of states, the other continuous variables, and, at
 * events, the discrete ones.  A when becomes equations of the event system, so that
 * it is sorted together with everything else (Modelica's synchronous principle):
 *
 *   c_k    = condition k                    of all branches
 *   fire_b = some c_k and not pre(c_k), and no earlier branch of the when fires
 *   d      = if fire_1 then ... elseif fire_2 then ... else pre(d)
 */
#include "dae/build.h"

#include <string.h>

/* --------------------------------------------------------------- counts -- */

static void count(dae_build *b)
{
  const brink__flat *f = b->flat;
  dae_model *m = b->m;

  for (size_t i = 0; i < f->n_whens; i++) {
    m->n_branches += (size_t)f->whens[i].n_branches;
    for (int k = 0; k < f->whens[i].n_branches; k++)
      m->n_conds += (size_t)f->whens[i].branches[k].n_conds;
  }
  for (size_t i = 0; i < f->n_vars; i++) {
    const brink__flat_var *v = &f->vars[i];
    if (v->inactive || v->input)
      continue;
    m->n_discretes += v->variability == BRINK__DISCRETE;
    m->n_states += v->variability == BRINK__CONTINUOUS && v->der >= 0;
  }
}

/* One symbol for pre() of every discrete variable, two for every condition (its value
 * and pre() of it), one for every branch (it fires). */
static brink_status symbols(dae_build *b)
{
  const brink__flat *f = b->flat;
  dae_model *m = b->m;

  b->n_symbols = (size_t)f->n_symbols + m->n_discretes + 2 * m->n_conds + m->n_branches;
  m->n_symbols = b->n_symbols;
  BRINK_TRY(brink__dae_take_ids(&b->tmp, b->n_symbols, &b->var_of));
  BRINK_TRY(brink__dae_take_ids(&b->tmp, b->n_symbols, &b->unknown_of));
  BRINK_TRY(brink__dae_take_ids(&b->tmp, b->n_symbols, &b->state_of));
  BRINK_TRY(brink__dae_take_ids(&b->tmp, b->n_symbols, &b->pre_of));
  BRINK_TRY(DAE_TAKE(&b->tmp, b->n_symbols, &b->constant));
  BRINK_TRY(DAE_TAKE(&b->tmp, b->n_symbols, &b->frozen));
  return BRINK_OK;
}

/* ------------------------------------------------------------- unknowns -- */

static void unknown(dae_build *b, int32_t symbol, int32_t var, dae_unknown_kind kind)
{
  b->unknown_of[symbol] = (int32_t)b->n_unknowns;
  b->unknowns[b->n_unknowns++] = (dae_unknown){symbol, var, -1, kind};
}

static void continuous(dae_build *b, int32_t i)
{
  const brink__flat_var *v = &b->flat->vars[i];
  dae_model *m = b->m;

  if (v->pre >= 0) {
    b->frozen[v->pre] = 1;
    m->lefts[m->n_lefts++] = (dae_left){v->value, v->pre, v->der >= 0};
    m->left_limits_solved |= v->der < 0;
  }
  if (v->der < 0) {
    unknown(b, v->value, i, DAE_ALGEBRAIC);
    return;
  }
  size_t s = m->n_states++;
  m->state_symbol[s] = v->value;
  m->der_symbol[s] = v->der;
  m->state_var[s] = (int)i;
  b->state_of[v->value] = (int32_t)s;
  unknown(b, v->der, i, DAE_DER);
}

static void discrete(dae_build *b, int32_t i, int32_t *next)
{
  const brink__flat_var *v = &b->flat->vars[i];
  dae_model *m = b->m;
  int32_t pre = v->pre >= 0 ? v->pre : (*next)++;

  b->discrete_of[i] = b->pre_of[pre] = (int32_t)m->n_discretes;
  m->pre_symbol[i] = pre;
  m->discretes[m->n_discretes++] = (dae_discrete){v->value, pre, (int)i, 0, 0};
  b->frozen[v->value] = b->frozen[pre] = 1;
  unknown(b, v->value, i, DAE_DISCRETE);
}

/* A variable of a state that is not active keeps its value: only entering the state
 * changes it. */
static void inactive_variable(dae_build *b, const brink__flat_var *v)
{
  b->frozen[v->value] = 1;
  if (v->pre >= 0)
    b->frozen[v->pre] = 1;
  if (v->der >= 0)
    b->frozen[v->der] = 1;
}

/* Relations, stairs, samples and flags change at events only. */
static void mark_frozen(dae_build *b)
{
  const brink__flat *f = b->flat;

  for (size_t i = 0; i < f->n_relations; i++)
    b->frozen[f->relations[i].slot] = 1;
  for (size_t i = 0; i < f->n_stairs; i++)
    b->frozen[f->stairs[i].slot] = 1;
  for (size_t i = 0; i < f->n_samples; i++)
    b->frozen[f->samples[i].slot] = 1;
  for (size_t i = 0; i < f->n_states; i++)
    b->frozen[f->states[i].active] = 1;
  if (f->initial >= 0)
    b->frozen[f->initial] = 1;
  if (f->terminal >= 0)
    b->frozen[f->terminal] = 1;
}

static brink_status unknowns(dae_build *b, int32_t *next)
{
  const brink__flat *f = b->flat;
  dae_model *m = b->m;
  size_t n = m->n_states;

  BRINK_TRY(DAE_TAKE(&b->tmp, f->n_vars + m->n_conds + m->n_branches, &b->unknowns));
  BRINK_TRY(DAE_TAKE(&m->pool, n, &m->state_symbol));
  BRINK_TRY(DAE_TAKE(&m->pool, n, &m->der_symbol));
  BRINK_TRY(DAE_TAKE(&m->pool, n, &m->state_var));
  BRINK_TRY(DAE_TAKE(&m->pool, m->n_discretes, &m->discretes));
  BRINK_TRY(DAE_TAKE(&m->pool, f->n_vars, &m->lefts));
  BRINK_TRY(DAE_TAKE(&m->pool, f->n_vars, &m->pre_symbol));
  BRINK_TRY(DAE_TAKE(&b->tmp, f->n_vars, &b->discrete_of));
  BRINK_TRY(DAE_TAKE(&b->tmp, f->n_vars, &b->assigned));
  m->n_states = m->n_discretes = 0;
  for (size_t i = 0; i < f->n_vars; i++) {
    const brink__flat_var *v = &f->vars[i];
    b->var_of[v->value] = (int32_t)i;
    m->pre_symbol[i] = v->pre;
    if (v->variability <= BRINK__PARAMETER || v->input)
      b->constant[v->value] = 1;
    else if (v->inactive)
      inactive_variable(b, v);
    else if (v->variability == BRINK__DISCRETE)
      discrete(b, (int32_t)i, next);
    else
      continuous(b, (int32_t)i);
    if (v->pre >= 0 && b->constant[v->value])
      b->constant[v->pre] = 1;
  }
  return BRINK_OK;
}

/* ---------------------------------------------------------------- whens -- */

static void add(dae_build *b, int kind, brink__node lhs, brink__node rhs,
                brink__place at, int32_t u)
{
  if (u >= 0)
    b->unknowns[u].row = (int32_t)b->n_rows;
  b->rows[b->n_rows++] =
      (brink__row){.lhs = lhs, .rhs = rhs, .at = at, .unknown = u, .kind = kind};
}

/* d = if fire_1 then ... else pre(d), built from the last branch outward. */
static brink_status assign_if_fires(dae_build *b, const brink__flat_when *w, int branch,
                                    const brink__flat_action *a, dae_list *vars)
{
  brink__graph *g = b->graph;
  const brink__flat_var *v = &b->flat->vars[a->var];
  int32_t u = b->unknown_of[v->value];

  if (u < 0 || b->unknowns[u].kind != DAE_DISCRETE)
    return brink__dae_fault(b, a->at.line ? a->at : w->at,
                            "'%s' is assigned in a when but is no discrete variable",
                            v->name);
  if (b->unknowns[u].row >= 0)
    return brink__dae_fault(b, w->at,
                            "'%s' is assigned here and in the when at line %d; write "
                            "one when with elsewhen",
                            v->name, b->rows[b->unknowns[u].row].at.line);
  if (!b->assigned[a->var]) {
    BRINK_TRY(brink__dae_list_add(b->ctx, vars, a->var));
    b->assigned[a->var] =
        brink__symbol(g, b->m->discretes[b->discrete_of[a->var]].pre, v->type);
  }
  b->assigned[a->var] = brink__select(
      g, brink__symbol(g, b->m->branches[branch].fire, BRINK_TYPE_BOOLEAN), a->value,
      b->assigned[a->var]);
  return b->assigned[a->var] ? BRINK_OK : b->ctx->err.status;
}

/* The variables that a when assigns. */
static brink_status assignments(dae_build *b, const brink__flat_when *w, int first)
{
  b->list.n = 0;
  for (int k = w->n_branches - 1; k >= 0; k--)
    for (int i = 0; i < w->branches[k].n_actions; i++)
      if (w->branches[k].actions[i].kind == BRINK__ASSIGN)
        BRINK_TRY(
            assign_if_fires(b, w, first + k, &w->branches[k].actions[i], &b->list));
  for (size_t i = 0; i < b->list.n; i++) {
    const brink__flat_var *v = &b->flat->vars[b->list.v[i]];
    brink__node self = brink__symbol(b->graph, v->value, v->type);
    if (!self)
      return b->ctx->err.status;
    add(b, BRINK__ROW_ASSIGN, self, b->assigned[b->list.v[i]], w->at,
        b->unknown_of[v->value]);
  }
  return BRINK_OK;
}

/* The equations of one branch: the values of its conditions, and whether it fires.
 * *earlier is the expression "a branch before it fires". */
static brink_status branch(dae_build *b, const brink__flat_branch *fb,
                           brink__node *earlier, int32_t *next)
{
  dae_model *m = b->m;
  brink__graph *g = b->graph;
  int number = (int)m->n_branches;
  brink__node fires = brink__boolean(g, 0);
  dae_branch *db = &m->branches[m->n_branches++];

  *db = (dae_branch){fb, (*next)++, (int)m->n_conds, fb->n_conds, NULL, 0};
  m->fire_symbol[number] = db->fire;
  for (int k = 0; k < fb->n_conds; k++) {
    dae_cond *c = &m->conds[m->n_conds++];
    *c = (dae_cond){.value = (*next)++, .pre = 0, .bare = -1, .branch = number};
    c->pre = (*next)++;
    b->frozen[c->value] = b->frozen[c->pre] = 1;
    brink__node now = brink__symbol(g, c->value, BRINK_TYPE_BOOLEAN);
    brink__node before = brink__symbol(g, c->pre, BRINK_TYPE_BOOLEAN);
    brink__node edge =
        brink__op2(g, BRINK_OP_AND, now, brink__op1(g, BRINK_OP_NOT, before));
    fires = brink__op2(g, BRINK_OP_OR, fires, edge);
    unknown(b, c->value, -1, DAE_HELPER);
    add(b, BRINK__ROW_COND, now, fb->conds[k], fb->at, (int32_t)b->n_unknowns - 1);
  }
  b->frozen[db->fire] = 1;
  brink__node self = brink__symbol(g, db->fire, BRINK_TYPE_BOOLEAN);
  if (*earlier)
    fires = brink__op2(g, BRINK_OP_AND, fires, brink__op1(g, BRINK_OP_NOT, *earlier));
  *earlier = *earlier ? brink__op2(g, BRINK_OP_OR, *earlier, self) : self;
  if (!fires || !self || !*earlier)
    return b->ctx->err.status;
  unknown(b, db->fire, -1, DAE_HELPER);
  add(b, BRINK__ROW_FIRE, self, fires, fb->at, (int32_t)b->n_unknowns - 1);
  return BRINK_OK;
}

/* ----------------------------------------------------------------- rows -- */

static brink_status equations(dae_build *b)
{
  const brink__flat *f = b->flat;

  for (size_t i = 0; i < f->n_eqns; i++) {
    const brink__flat_eqn *e = &f->eqns[i];
    int real = brink__node_type(b->graph, e->lhs) == BRINK_TYPE_REAL ||
               brink__node_type(b->graph, e->rhs) == BRINK_TYPE_REAL;
    add(b, real ? BRINK__ROW_REAL : BRINK__ROW_DISCRETE, e->lhs, e->rhs, e->at, -1);
    b->rows[b->n_rows - 1].mode = e->mode;
    if (f->origins) {
      b->rows[b->n_rows - 1].of = f->origins[i].of;
      b->rows[b->n_rows - 1].order = f->origins[i].order;
    }
  }
  return BRINK_OK;
}

brink_status brink__dae_incidence(dae_build *b)
{
  b->list.n = 0;
  BRINK_TRY(DAE_TAKE(&b->tmp, b->n_rows + 1, &b->sym_start));
  for (size_t i = 0; i < b->n_rows; i++) {
    b->sym_start[i] = b->list.n;
    BRINK_TRY(brink__dae_walk_symbols(
        &b->walk, 2, (brink__node[]){b->rows[i].lhs, b->rows[i].rhs}, &b->list));
  }
  b->sym_start[b->n_rows] = b->list.n;
  b->sym = brink__dae_list_keep(&b->tmp, &b->list, b->list.n);
  return b->sym ? BRINK_OK : BRINK_ENOMEM;
}

brink_status brink__dae_rows(dae_build *b)
{
  const brink__flat *f = b->flat;
  dae_model *m = b->m;
  int32_t next = f->n_symbols;

  count(b);
  BRINK_TRY(symbols(b));
  BRINK_TRY(unknowns(b, &next));
  mark_frozen(b);
  BRINK_TRY(DAE_TAKE(&m->pool, m->n_branches, &m->branches));
  BRINK_TRY(DAE_TAKE(&m->pool, m->n_branches, &m->fire_symbol));
  BRINK_TRY(DAE_TAKE(&m->pool, m->n_conds, &m->conds));
  BRINK_TRY(DAE_TAKE(&m->pool, f->n_eqns + m->n_discretes + m->n_conds + m->n_branches,
                     &b->rows));
  m->n_branches = m->n_conds = 0;
  BRINK_TRY(equations(b));
  for (size_t i = 0; i < f->n_whens; i++) {
    int first = (int)m->n_branches;
    brink__node earlier = BRINK__NONE;
    for (int k = 0; k < f->whens[i].n_branches; k++)
      BRINK_TRY(branch(b, &f->whens[i].branches[k], &earlier, &next));
    BRINK_TRY(assignments(b, &f->whens[i], first));
  }
  for (size_t i = 0; i < m->n_discretes; i++)
    m->discretes[i].assigned =
        b->unknowns[b->unknown_of[m->discretes[i].value]].row >= 0;
  b->n_matched = f->n_eqns;
  m->rows = b->rows;
  m->n_rows = b->n_rows;
  return BRINK_OK;
}
