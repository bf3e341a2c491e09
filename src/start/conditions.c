/* conditions.c -- the unknowns and conditions of the start, compiled.
 *
 * Conditions are the initial equations, the fixed start values of variables that are no
 * states (and of others, where they depend on parameters that are found), the
 * constraints on the states of a system of higher index, and for each delay that it
 * reads the value of the start.
 *
 * `x = ...` of a free state, and `d = ...` or `pre(d) = ...` of a free discrete
 * variable, in quantities that do not depend on unknowns, are assignments, so that the
 * value is exactly what is written; so are all those of Booleans, Integers and
 * literals, repeated until they agree (start.c).  A discrete Real that is set by
 * something unknown is searched together with that equation before anything else moves.
 */
#include "start/build.h"

enum {
  WORK_MAX = 1 << 24, /* numbers of the dense matrices at the start ...              */
  SMALL_MAX = 1 << 17 /* ... of one that is factored often: for the nearest start, and
                         what forced it                                             */
};

typedef struct sorter {
  dae_build *b;
  unsigned char *settled;      /* [symbols] does not depend on unknowns              */
  unsigned char *state_set;    /* [states] a condition sets it                       */
  signed char *discrete_level; /* [discretes] of pre()                               */
  unsigned char *discrete_set; /* [discretes] a condition sets or claims it          */
  unsigned char *responds; /* [discretes] pre() decides: 1 in its equation, 2 alone */
  dae_list root, lambda_root; /* of the assignments; before lambda is 1             */
} sorter;

/* ------------------------------------------------------------- subjects --- */

static int is_free(const brink__flat_var *v) { return v->fixed != 1 || v->start_found; }

/* Symbols whose values are known before the start is searched, or change only from one
 * pass of the search to the next, as relations do. */
static void mark_settled(sorter *s)
{
  const dae_build *b = s->b;
  const dae_model *m = b->m;

  for (size_t i = 0; i < b->n_symbols; i++)
    s->settled[i] = b->constant[i] || i == BRINK__TIME ||
                    (b->frozen[i] && b->unknown_of[i] < 0 && b->pre_of[i] < 0);
  for (size_t i = 0; i < m->n_lefts; i++)
    s->settled[m->lefts[i].pre] = 0;
}

static brink_status is_settled(sorter *s, brink__node n, int *yes)
{
  *yes = 1;
  BRINK_TRY(brink__dae_symbols(s->b, 1, &n));
  for (size_t i = 0; i < s->b->list.n; i++)
    *yes &= s->settled[s->b->list.v[i]];
  return BRINK_OK;
}

/* Does a when that acts at the start assign the variable? */
static int acts_at_start(const dae_model *m, int var)
{
  for (size_t k = 0; k < m->n_branches; k++) {
    const dae_branch *br = &m->branches[k];
    int assigns = 0, initial = 0;
    for (int i = 0; i < br->flat->n_actions; i++)
      assigns |=
          br->flat->actions[i].kind == BRINK__ASSIGN && br->flat->actions[i].var == var;
    for (int i = 0; i < br->n_conds; i++)
      initial |= m->conds[br->first_cond + i].with_initial;
    if (assigns && initial)
      return 1;
  }
  return 0;
}

/* How the discrete variables depend on their pre() at the start. */
static void mark_responses(sorter *s)
{
  const dae_build *b = s->b;
  const dae_model *m = b->m;

  for (size_t i = 0; i < m->n_discretes; i++) {
    const dae_discrete *d = &m->discretes[i];
    int32_t row = b->unknowns[b->unknown_of[d->value]].row;
    if (b->rows[row].kind == BRINK__ROW_ASSIGN)
      s->responds[i] = b->flat->base || !acts_at_start(m, d->var) ? 2 : 1;
    for (size_t e = b->sym_start[row]; e < b->sym_start[row + 1]; e++)
      if (b->sym[e] == d->pre && !s->responds[i])
        s->responds[i] = 1;
  }
}

/* The discrete variable whose value or pre() the symbol is, or -1. */
static int32_t discrete_of(const sorter *s, int32_t symbol)
{
  const dae_build *b = s->b;
  int32_t u = b->unknown_of[symbol];

  if (b->pre_of[symbol] >= 0)
    return b->pre_of[symbol];
  if (u < 0 || b->unknowns[u].kind != DAE_DISCRETE || b->unknowns[u].var < 0)
    return -1;
  return b->discrete_of[b->unknowns[u].var];
}

/* --------------------------------------------------------------- claims --- */

/* One side of an equation, and the other one; the same before lambda is 1. */
typedef struct sides {
  brink__node one, other, lambda_one, lambda_other;
} sides;

static brink_status assign(sorter *s, const sides *e, start_assign a)
{
  dae_build *b = s->b;
  int known;

  BRINK_TRY(is_settled(s, e->lambda_other, &known));
  BRINK_TRY(
      brink__dae_list_add(b->ctx, &s->lambda_root, known ? e->lambda_other : e->other));
  BRINK_TRY(brink__dae_list_add(b->ctx, &s->root, e->other));
  a.type = brink__node_type(b->graph, e->one);
  b->m->initial->assigns[b->m->initial->n_assigns++] = a;
  return BRINK_OK;
}

static brink_status claim_state(sorter *s, const sides *e, int32_t x, int settled,
                                start_condition *c)
{
  dae_build *b = s->b;
  int32_t symbol = b->m->state_symbol[x];

  if (!settled || s->state_set[x] || !is_free(&b->flat->vars[b->m->state_var[x]]))
    return BRINK_OK;
  s->state_set[x] = 1;
  c->assigned = 1;
  c->target = symbol;
  return assign(s, e, (start_assign){symbol, symbol, 1, BRINK_TYPE_REAL});
}

static brink_status claim_discrete(sorter *s, const sides *e, int32_t i, int settled,
                                   start_condition *c)
{
  dae_build *b = s->b;
  const dae_discrete *d = &b->m->discretes[i];
  int is_pre = brink__node_symbol(b->graph, e->one) == d->pre;
  int plain = is_pre || s->responds[i] == 2;

  if (s->discrete_set[i] || !is_free(&b->flat->vars[d->var]) ||
      (!is_pre && !s->responds[i]))
    return BRINK_OK;
  s->discrete_set[i] = 1;
  if (!c->whole && !(plain && settled)) {
    s->discrete_level[i] = START_CLAIMED;
    c->level = START_CLAIMED;
    return BRINK_OK;
  }
  s->discrete_level[i] = START_GIVEN;
  c->assigned = 2;
  c->target = d->pre;
  return assign(s, e, (start_assign){d->pre, plain ? d->pre : d->value, 0, 0});
}

/* Does one side stand for an unknown that this condition determines? */
static brink_status claim(sorter *s, const sides *e, start_condition *c)
{
  dae_build *b = s->b;
  int settled, before = 1;

  if (c->assigned || c->level == START_CLAIMED ||
      brink__node_op(b->graph, e->one) != BRINK_OP_SYMBOL)
    return BRINK_OK;
  int32_t symbol = brink__node_symbol(b->graph, e->one);
  int32_t x = b->state_of[symbol], d = discrete_of(s, symbol);
  BRINK_TRY(is_settled(s, e->other, &settled));
  if (e->lambda_other != e->other)
    BRINK_TRY(is_settled(s, e->lambda_other, &before));
  settled &= before && e->lambda_one == e->one;
  if (x >= 0)
    return claim_state(s, e, x, settled, c);
  return d >= 0 ? claim_discrete(s, e, d, settled, c) : BRINK_OK;
}

/* ----------------------------------------------------------- conditions --- */

/* The equation of the run that determines what the condition is about, or -1. */
static brink_status determining_row(sorter *s, start_condition *c)
{
  dae_build *b = s->b;

  c->row = -1;
  BRINK_TRY(brink__dae_symbols(b, 2, (brink__node[]){c->lhs, c->rhs}));
  for (size_t i = 0; i < b->list.n && c->row < 0; i++) {
    int32_t u = b->unknown_of[b->list.v[i]];
    c->row = u < 0 ? -1 : b->unknowns[u].row;
  }
  return BRINK_OK;
}

static brink_status add(sorter *s, start_condition c, const sides *e)
{
  dae_build *b = s->b;
  start_system *in = b->m->initial;
  brink__type left = brink__node_type(b->graph, c.lhs),
              right = brink__node_type(b->graph, c.rhs);
  sides back = {e->other, e->one, e->lambda_other, e->lambda_one};

  c.whole = left != BRINK_TYPE_REAL && right != BRINK_TYPE_REAL;
  c.level = !c.whole                     ? START_STATES
            : left == BRINK_TYPE_INTEGER ? START_DISCRETES
                                         : START_GIVEN;
  BRINK_TRY(determining_row(s, &c));
  if (c.from != START_CONSTRAINT) { /* those are solved stage by stage */
    BRINK_TRY(claim(s, e, &c));
    BRINK_TRY(claim(s, &back, &c));
  }
  if (c.assigned)
    c.level = START_GIVEN;
  in->conditions[in->n++] = c;
  return BRINK_OK;
}

static brink_status equations(sorter *s)
{
  const brink__flat *f = s->b->flat;

  for (size_t i = 0; i < f->n_initial_eqns; i++) {
    const brink__flat_eqn *e = &f->initial_eqns[i];
    const brink__flat_eqn *l = s->b->forms->initial ? &s->b->forms->initial[i] : e;
    sides both = {e->lhs, e->rhs, l->lhs, l->rhs};
    BRINK_TRY(add(
        s,
        (start_condition){
            .from = START_EQUATION, .index = (int32_t)i, .lhs = e->lhs, .rhs = e->rhs},
        &both));
  }
  return BRINK_OK;
}

/* Fixed start values that are not simply put in place: of variables that are no states,
 * and those that depend on parameters which are found. */
static brink_status fixed_values(sorter *s)
{
  dae_build *b = s->b;
  const brink__flat *f = b->flat;

  for (size_t i = 0; i < f->n_vars; i++) {
    const brink__flat_var *v = &f->vars[i];
    int algebraic = v->variability == BRINK__CONTINUOUS && v->der < 0;
    if (v->variability <= BRINK__PARAMETER || v->input || v->inactive ||
        v->fixed != 1 || !v->start || !(algebraic || v->start_found))
      continue;
    int32_t symbol = v->variability == BRINK__DISCRETE
                         ? b->m->discretes[b->discrete_of[i]].pre
                         : v->value;
    brink__node self = brink__symbol(b->graph, symbol, v->type);
    brink__node to = v->start_found ? v->start_found : v->start;
    if (!self)
      return b->ctx->err.status;
    BRINK_TRY(add(s,
                  (start_condition){
                      .from = START_FIXED, .index = (int32_t)i, .lhs = self, .rhs = to},
                  &(sides){self, to, self, to}));
  }
  return BRINK_OK;
}

/* What a delay reads at the start is what it delays. */
static brink_status delays(sorter *s)
{
  dae_build *b = s->b;
  start_system *in = b->m->initial;

  for (size_t i = 0; i < b->m->n_delays; i++) {
    const brink__flat_delay *d = &b->flat->delays[i];
    brink__node self =
        brink__symbol(b->graph, d->slot, brink__node_type(b->graph, d->arg));
    if (!self)
      return b->ctx->err.status;
    in->conditions[in->n++] = (start_condition){.from = START_DELAY,
                                                .index = (int32_t)i,
                                                .level = START_CLAIMED,
                                                .row = -1,
                                                .lhs = self,
                                                .rhs = d->arg};
  }
  return BRINK_OK;
}

/* What differentiated equations say about the states. */
static brink_status constraints(sorter *s)
{
  const brink__flat *f = s->b->flat;

  for (size_t i = 0; i < f->n_constraints; i++) {
    const brink__flat_constraint *c = &f->constraints[i];
    sides both = {c->lhs, c->rhs, c->lhs, c->rhs};
    BRINK_TRY(add(s,
                  (start_condition){.from = START_CONSTRAINT,
                                    .index = (int32_t)i,
                                    .order = c->order,
                                    .lhs = c->lhs,
                                    .rhs = c->rhs},
                  &both));
  }
  return BRINK_OK;
}

int brink__start_line(const dae_model *m, size_t i)
{
  const start_condition *c = &m->initial->conditions[i];

  switch (c->from) {
  case START_EQUATION: return m->flat->initial_eqns[c->index].at.line;
  case START_FIXED: return m->flat->vars[c->index].at.line;
  case START_DELAY: return m->flat->delays[c->index].at.line;
  case START_CONSTRAINT: return m->flat->constraints[c->index].at.line;
  }
  return 0;
}

/* ------------------------------------------------------------- unknowns --- */

/* read: [symbols] conditions depend on it. */
static brink_status mark_read(sorter *s, const brink__node *roots, unsigned char *read)
{
  dae_build *b = s->b;
  const dae_program *p = &b->m->initial->program;

  for (size_t k = 0; k < p->n_steps; k++) {
    size_t n;
    const int32_t *rows = brink__dae_rows_of(&p->steps[k], &n);
    for (size_t i = 0; i < n; i++)
      for (size_t e = b->sym_start[rows[i]]; e < b->sym_start[rows[i] + 1]; e++)
        read[b->sym[e]] = 1;
  }
  BRINK_TRY(brink__dae_symbols(b, 2 * b->m->initial->n, roots));
  for (size_t i = 0; i < b->list.n; i++)
    read[b->list.v[i]] = 1;
  return BRINK_OK;
}

static start_unknown state_unknown(const sorter *s, size_t i)
{
  const dae_model *m = s->b->m;
  const brink__flat_var *v = &s->b->flat->vars[m->state_var[i]];
  int32_t named = v->named_by ? v->named_by - 1 : m->state_var[i];

  return (start_unknown){.place = START_STATE,
                         .index = (int32_t)i,
                         .symbol = m->state_symbol[i],
                         .var = m->state_var[i],
                         .named = named,
                         .follows = v->named_by && s->b->flat->vars[named].der >= 0,
                         .left = v->pre,
                         .level = s->state_set[i] || !is_free(v) ? START_GIVEN
                                                                 : START_STATES};
}

static start_unknown pre_unknown(const sorter *s, size_t i)
{
  const dae_discrete *d = &s->b->m->discretes[i];
  const brink__flat_var *v = &s->b->flat->vars[d->var];
  int level = s->discrete_set[i]              ? s->discrete_level[i]
              : !is_free(v)                   ? START_GIVEN
              : v->type == BRINK_TYPE_REAL    ? START_DISCRETES
              : v->type == BRINK_TYPE_INTEGER ? START_DISCRETES
                                              : START_CHOICES;

  return (start_unknown){.place = START_PRE,
                         .index = (int32_t)i,
                         .symbol = d->pre,
                         .var = d->var,
                         .named = d->var,
                         .left = -1,
                         .level = level,
                         .whole = v->type != BRINK_TYPE_REAL};
}

static start_unknown past_unknown(const sorter *s, size_t i)
{
  return (start_unknown){.place = START_PAST,
                         .index = (int32_t)i,
                         .symbol = s->b->m->delays[i].slot,
                         .var = -1,
                         .named = -1,
                         .left = -1,
                         .level = START_CLAIMED};
}

/* A parameter that is to be found needs a condition to find it from. */
static void check_found(sorter *s, const start_unknown *u)
{
  const brink__flat_var *v = u->var < 0 ? NULL : &s->b->flat->vars[u->var];

  if (v && v->to_find && u->level >= 0)
    brink__dae_warn(s->b, v->at,
                    "no initial equation finds the parameter '%s', which is not fixed; "
                    "its start value is taken",
                    v->name);
}

/* Which conditions set unknowns. */
static brink_status find_setters(dae_build *b)
{
  start_system *in = b->m->initial;
  int32_t *by; /* [symbols] */

  BRINK_TRY(brink__dae_take_ids(&b->tmp, b->n_symbols, &by));
  for (size_t i = 0; i < in->n; i++)
    if (in->conditions[i].assigned)
      by[in->conditions[i].target] = (int32_t)i;
  for (size_t j = 0; j < in->n_unknowns; j++)
    in->unknowns[j].set_by = by[in->unknowns[j].symbol];
  return BRINK_OK;
}

/* Those that conditions depend on, by level. */
static brink_status unknowns(sorter *s, const brink__node *roots)
{
  dae_build *b = s->b;
  dae_model *m = b->m;
  start_system *in = m->initial;
  size_t most = m->n_states + m->n_discretes + m->n_delays, n = 0;
  unsigned char *read;
  start_unknown *all;

  BRINK_TRY(DAE_TAKE(&b->tmp, b->n_symbols, &read));
  BRINK_TRY(DAE_TAKE(&b->tmp, most, &all));
  BRINK_TRY(DAE_TAKE(&m->pool, most, &in->unknowns));
  BRINK_TRY(mark_read(s, roots, read));
  for (size_t i = 0; i < m->n_states; i++)
    all[n++] = state_unknown(s, i);
  for (size_t i = 0; i < m->n_discretes; i++)
    all[n++] = pre_unknown(s, i);
  for (size_t i = 0; i < m->n_delays; i++)
    all[n++] = past_unknown(s, i);
  for (int level = START_CLAIMED; level <= START_LEVELS + 1; level++) {
    int wanted = level <= START_LEVELS ? level : START_GIVEN;
    for (size_t i = 0; i < n; i++)
      if (all[i].level == wanted && read[all[i].symbol])
        in->unknowns[in->n_unknowns++] = all[i];
    if (level == START_DISCRETES)
      in->n_searched = in->n_unknowns;
    if (level == START_CHOICES)
      in->n_choices = in->n_unknowns - in->n_searched;
  }
  for (size_t i = 0; i < m->n_states; i++)
    m->n_assumed += all[i].level == START_STATES && !read[all[i].symbol];
  for (size_t i = 0; i < n; i++)
    if (!read[all[i].symbol])
      check_found(s, &all[i]);
  return find_setters(b);
}

/* -------------------------------------------------------------- program --- */

brink_status brink__start_program(dae_build *b, size_t n_want, const int32_t *want,
                                  const brink__node *roots, dae_program *out)
{
  unsigned char *fixed = b->fixed;
  dae_loop **loops = b->loops;

  /* derivatives with respect to pre() are wanted: nothing is constant in jets, and
   * loops are not shared with programs in which frozen values are */
  BRINK_TRY(DAE_TAKE(&b->tmp, b->n_symbols, &b->fixed));
  BRINK_TRY(DAE_TAKE(&b->tmp, b->n_rows, &b->loops));
  brink_status rc =
      brink__dae_program(b, &b->event, n_want, want, 2 * b->m->initial->n, roots, out);
  b->fixed = fixed;
  b->loops = loops;
  if (rc == BRINK_OK && out->n_steps && out->steps[out->n_steps - 1].tape)
    b->m->max_start_roots = brink__zmax(
        b->m->max_start_roots, brink__tape_n_roots(out->steps[out->n_steps - 1].tape));
  return rc;
}

/* ---------------------------------------------------------------- stages --- */

/* The stage of a state in a system of higher index: -1 for the highest derivative that
 * is one. */
static brink_status state_stages(dae_build *b, int *stage)
{
  const dae_model *m = b->m;
  int32_t *below; /* [vars] state whose derivative it is */

  BRINK_TRY(brink__dae_take_ids(&b->tmp, b->flat->n_vars, &below));
  for (size_t i = 0; i < m->n_states; i++) {
    int of = b->flat->vars[m->state_var[i]].derivative_of;
    below[m->state_var[i]] = of ? b->state_of[b->flat->vars[of - 1].value] : -1;
  }
  for (size_t i = 0; i < m->n_states; i++) {
    int32_t x = (int32_t)i;
    for (int k = -1; x >= 0; k--) {
      stage[x] = k < stage[x] ? k : stage[x];
      x = below[m->state_var[x]];
    }
  }
  return BRINK_OK;
}

/* An initial equation between states as a row of the stage of its latest one; *fits: 0
 * if it is none. */
static brink_status staged_row(sorter *s, const start_condition *c, const int *stage,
                               dae_stage_row *out, int *fits)
{
  dae_build *b = s->b;
  dae_stage_slope *slope;
  size_t n = 0;

  *fits = c->from == START_EQUATION && c->level == START_STATES &&
          b->m->initial->blocks[c->block].constrained;
  *out = (dae_stage_row){
      .lhs = c->lhs, .rhs = c->rhs, .stage = -0x7fff, .origin = -1, .factor = 1};
  if (!*fits)
    return BRINK_OK;
  BRINK_TRY(brink__dae_symbols(b, 2, (brink__node[]){c->lhs, c->rhs}));
  for (size_t i = 0; i < b->list.n; i++) {
    int32_t x = b->state_of[b->list.v[i]];
    *fits &= x >= 0 || s->settled[b->list.v[i]];
    if (x >= 0 && stage[x] > out->stage)
      out->stage = stage[x];
  }
  BRINK_TRY(DAE_TAKE(&b->tmp, b->list.n, &slope));
  for (size_t i = 0; i < b->list.n && *fits; i++) {
    int32_t x = b->state_of[b->list.v[i]];
    if (x < 0 || stage[x] != out->stage)
      continue;
    brink__node off = brink__sub(b->graph, c->lhs, c->rhs);
    slope[n++] = (dae_stage_slope){x, 0, brink__diff(b->graph, off, b->list.v[i])};
    if (!slope[n - 1].value)
      return b->ctx->err.status;
  }
  *fits &= n > 0;
  out->slope = slope;
  out->n_slopes = n;
  return BRINK_OK;
}

/* Systems of higher index: their constraints, and initial equations between their
 * states, stage by stage. */
static brink_status stages(sorter *s)
{
  dae_build *b = s->b;
  start_system *in = b->m->initial;
  size_t n = b->flat->n_constraints;
  dae_stage_row *rows;
  int *stage;

  if (n == 0)
    return BRINK_OK;
  for (size_t i = 0; i < in->n; i++)
    if (in->conditions[i].from == START_CONSTRAINT)
      in->blocks[in->conditions[i].block].constrained = 1;
  BRINK_TRY(DAE_TAKE(&b->tmp, n + in->n, &rows));
  BRINK_TRY(DAE_TAKE(&b->tmp, b->m->n_states, &stage));
  BRINK_TRY(brink__dae_constraint_rows(b, 0, rows));
  BRINK_TRY(state_stages(b, stage));
  for (size_t i = 0; i < in->n; i++) {
    int fits;
    BRINK_TRY(staged_row(s, &in->conditions[i], stage, &rows[n], &fits));
    n += (size_t)fits;
  }
  return brink__dae_stages(b, n, rows, &in->stages);
}

/* Room for the matrices of the blocks.  Constraints can be met without one. */
static brink_status matrices(sorter *s)
{
  start_system *in = s->b->m->initial;

  for (size_t k = 0; k < in->n_blocks; k++) {
    start_block *block = &in->blocks[k];
    size_t rows = block->n_conditions, cols = block->n_unknowns;
    block->matrix = in->n_elements;
    block->staged = rows && cols > (WORK_MAX - in->n_elements) / rows;
    if (block->staged && !block->constrained)
      return brink__dae_fault(
          s->b,
          (brink__place){
              brink__start_line(s->b->m,
                                (size_t)in->block_condition[block->first_condition]),
              1},
          "%zu conditions on %zu free values of the start are too many to be solved "
          "together",
          rows, cols);
    if (block->staged)
      continue;
    block->factors = in->n_factored;
    block->small = rows * cols <= SMALL_MAX;
    in->n_factored += block->small ? rows * cols : 0;
    in->n_elements += rows * cols;
    in->max_elements = brink__zmax(in->max_elements, rows * cols);
    in->max_unknowns = brink__zmax(in->max_unknowns, cols);
    if (rows && cols <= START_FOLLOW_MAX)
      s->b->m->max_search = brink__zmax(s->b->m->max_search, cols);
  }
  return BRINK_OK;
}

static brink_status compile(sorter *s)
{
  dae_build *b = s->b;
  dae_model *m = b->m;
  start_system *in = m->initial;
  brink__node *roots;

  b->forms->assigns = brink__dae_list_keep(&b->tmp, &s->lambda_root, in->n_assigns);
  if (!b->forms->assigns)
    return BRINK_ENOMEM;
  BRINK_TRY(brink__dae_tape(b, in->n_assigns, s->root.v, NULL, &in->assign_tape));
  BRINK_TRY(DAE_TAKE(&b->tmp, 2 * in->n, &roots));
  for (size_t i = 0; i < in->n; i++) {
    roots[2 * i] = in->conditions[i].lhs;
    roots[2 * i + 1] = in->conditions[i].rhs;
  }
  BRINK_TRY(brink__start_program(b, 0, NULL, roots, &in->program));
  BRINK_TRY(unknowns(s, roots));
  BRINK_TRY(brink__start_blocks(b, roots));
  BRINK_TRY(stages(s));
  return matrices(s);
}

/* Which symbols are rounded numbers. */
static brink_status mark_reals(sorter *s)
{
  dae_build *b = s->b;
  const dae_model *m = b->m;
  unsigned char *real;

  BRINK_TRY(DAE_TAKE(&b->m->pool, b->n_symbols, &real));
  b->m->initial->is_real = real;
  real[BRINK__TIME] = 1;
  for (size_t i = 0; i < b->flat->n_vars; i++) {
    const brink__flat_var *v = &b->flat->vars[i];
    real[v->value] = v->type == BRINK_TYPE_REAL;
    if (v->der >= 0)
      real[v->der] = 1;
    if (m->pre_symbol[i] >= 0)
      real[m->pre_symbol[i]] = real[v->value];
  }
  for (size_t i = 0; i < m->n_delays; i++)
    real[m->delays[i].slot] = 1;
  return BRINK_OK;
}

static brink_status collect(sorter *s)
{
  dae_build *b = s->b;
  const brink__flat *f = b->flat;
  dae_model *m = b->m;
  start_system *in = m->initial;
  size_t most = f->n_initial_eqns + f->n_vars + f->n_delays + f->n_constraints;

  BRINK_TRY(DAE_TAKE(&m->pool, most, &in->conditions));
  BRINK_TRY(DAE_TAKE(&m->pool, most, &in->assigns));
  BRINK_TRY(DAE_TAKE(&b->tmp, b->n_symbols, &s->settled));
  BRINK_TRY(DAE_TAKE(&b->tmp, m->n_states, &s->state_set));
  BRINK_TRY(DAE_TAKE(&b->tmp, m->n_discretes, &s->discrete_level));
  BRINK_TRY(DAE_TAKE(&b->tmp, m->n_discretes, &s->discrete_set));
  BRINK_TRY(DAE_TAKE(&b->tmp, m->n_discretes, &s->responds));
  BRINK_TRY(mark_reals(s));
  mark_settled(s);
  mark_responses(s);
  BRINK_TRY(equations(s));
  BRINK_TRY(fixed_values(s));
  BRINK_TRY(constraints(s));
  return delays(s);
}

brink_status brink__start_compile(dae_build *b)
{
  sorter s = {.b = b};

  brink_status rc = collect(&s);
  if (rc == BRINK_OK)
    rc = compile(&s);
  brink__dae_list_drop(b->ctx, &s.root);
  brink__dae_list_drop(b->ctx, &s.lambda_root);
  return rc;
}
