/* relations.c -- relations, stairs and bounds of variables become guards.
 *
 * The form of a guard says what can be proved about it along a step: the difference of
 * a state and a number is a component of the step polynomial; a polynomial in the
 * states is represented exactly by Chebyshev samples; the Taylor coefficients of a
 * guard that a single tape computes can be enclosed, and range and slope of one behind
 * loops that are not too large; others are sampled.  A relation or
 * stair of something linear in time (time_lines.c) has known times: it becomes a timer.
 * One that is read only while a when fires, or at the start, needs neither
 * (literals.c).
 */
#include "clause/build.h"

#include <stdio.h>

enum {
  ORDER_MAX = 33,      /* of the Taylor coefficients: one more than the degree of the
                          finest interpolation whose error is bounded by them */
  SERIES_MAX = 1 << 20 /* intervals in the series of one guard */
};

/* Does the expression depend, through any block, on what only events change? */
static brink_status depends_on_events(dae_build *b, const dae_program *p,
                                      brink__node root, int *moved_by_events)
{
  BRINK_TRY(brink__dae_symbols(b, 1, &root));
  *moved_by_events = brink__dae_program_reads(b, p, b->frozen) |
                     brink__dae_program_reads(b, p, b->delayed);
  for (size_t i = 0; i < b->list.n; i++)
    *moved_by_events |= b->frozen[b->list.v[i]] | b->delayed[b->list.v[i]];
  return BRINK_OK;
}

/* The symbols that a step of a program reads. */
static const int32_t *inputs_of(const dae_step *s, size_t *n)
{
  *n = s->loop ? s->loop->n_input : s->n_input;
  return s->loop ? s->loop->input : s->input;
}

/* The slots that enclosures of a step need. */
static size_t slots_of(const dae_step *s)
{
  return s->loop ? brink__zmax(brink__tape_slots(s->loop->residual),
                               brink__tape_slots(s->loop->jacobian))
                 : brink__tape_slots(s->tape);
}

/* What all steps of a program read and only events change.  *possible: nothing prevents
 * that it is enclosed along a step. */
static brink_status known_inputs(dae_build *b, const dae_program *p, dae_list *known,
                                 int *possible)
{
  *possible = 1;
  for (size_t k = 0; k < p->n_steps; k++) {
    size_t n;
    const int32_t *in = inputs_of(&p->steps[k], &n);
    for (size_t i = 0; i < n; i++) {
      if (b->delayed[in[i]])
        *possible = 0; /* a delayed value is no polynomial along this step */
      else if (b->fixed[in[i]])
        BRINK_TRY(brink__dae_list_add(b->ctx, known, in[i]));
    }
    if (p->steps[k].loop && p->steps[k].loop->n > DAE_ENCLOSED_MAX)
      *possible = 0;
  }
  return BRINK_OK;
}

/* How well a guard can be enclosed: one that a single tape computes, and one behind
 * loops. */
static brink_status enclosure(dae_build *b, clause_guard *dg, brink__guard *info)
{
  dae_model *m = b->m;
  const dae_program *p = &dg->program;
  dae_list known = {NULL, 0, 0};
  int possible;

  brink_status rc = known_inputs(b, p, &known, &possible);
  dg->n_known = known.n;
  if (rc == BRINK_OK)
    dg->known = brink__dae_list_keep(&m->pool, &known, known.n);
  brink__dae_list_drop(b->ctx, &known);
  if (rc < 0 || !dg->known)
    return BRINK_ENOMEM;
  if (!possible)
    return BRINK_OK;
  info->form = p->n_steps == 1 ? BRINK__GUARD_JET : BRINK__GUARD_RANGE;
  size_t *slots = p->n_steps == 1 ? &m->max_series : &m->max_range;
  for (size_t k = 0; k < p->n_steps; k++) {
    *slots = brink__zmax(*slots, slots_of(&p->steps[k]));
    if (p->steps[k].loop) {
      m->max_enclosed = brink__zmax(m->max_enclosed, p->steps[k].loop->n);
      m->max_input = brink__zmax(m->max_input, p->steps[k].loop->n_input);
    }
  }
  return BRINK_OK;
}

/* Add a guard whose value is the expression g. */
static brink_status add_guard(dae_build *b, brink__node g, const char *name,
                              clause_guard what, int *moved_by_events)
{
  dae_model *m = b->m;
  clause_guard *dg = &m->guards[m->n_guards];
  brink__guard *info = &m->info[m->n_guards++];
  unsigned char degree;

  if (!name)
    return BRINK_ENOMEM;
  *dg = what;
  *info = (brink__guard){.name = name, .form = BRINK__GUARD_SAMPLED, .held = 1};
  BRINK_TRY(brink__dae_program(b, &b->flow, 0, NULL, 1, &g, &dg->program));
  dg->last = dg->program.steps[dg->program.n_steps - 1].tape;
  m->max_roots = brink__zmax(m->max_roots, brink__tape_n_roots(dg->last));
  BRINK_TRY(depends_on_events(b, &dg->program, g, moved_by_events));
  BRINK_TRY(brink__dae_walk_degree(&b->walk, g, b->degree, &degree));
  info->degree = degree == DAE_NOT_POLYNOMIAL ? 0 : degree ? degree : 1;
  return enclosure(b, dg, info);
}

/* A guard that is the difference of a state and a number. */
static brink_status as_state(dae_build *b, const clause_relation *r, brink__node left,
                             brink__node right)
{
  brink__guard *info = &b->m->info[r->guard];
  dae_constant_fault fault;

  if (brink__node_op(b->graph, left) != BRINK_OP_SYMBOL)
    return BRINK_OK;
  int32_t x = b->state_of[brink__node_symbol(b->graph, left)];
  if (x < 0)
    return BRINK_OK;
  BRINK_TRY(brink__dae_symbols(b, 1, &right));
  for (size_t i = 0; i < b->list.n; i++)
    if (!b->constant[b->list.v[i]])
      return BRINK_OK;
  int relation = (int)(r - b->m->relations);
  brink_status rc = brink__dae_define(b, DAE_LEVEL, relation, right, &fault);
  if (rc < 0)
    return rc == BRINK_EDOMAIN ? BRINK_OK : rc;
  info->level = b->m->constants.level[relation];
  info->form = BRINK__GUARD_STATE;
  info->state = (size_t)x;
  return BRINK_OK;
}

static brink_status relation(dae_build *b, const unsigned *uses,
                             const brink__node *in_time, size_t i)
{
  const brink__flat_relation *f = &b->flat->relations[i];
  clause_relation *r = &b->m->relations[i];
  brink__node left = f->left, right = f->right;
  int rising = f->op == BRINK_OP_GT || f->op == BRINK_OP_GE;

  /* the state is put on the left: number < x is x > number */
  if (brink__node_op(b->graph, right) == BRINK_OP_SYMBOL &&
      b->state_of[brink__node_symbol(b->graph, right)] >= 0 &&
      !(brink__node_op(b->graph, left) == BRINK_OP_SYMBOL &&
        b->state_of[brink__node_symbol(b->graph, left)] >= 0)) {
    left = f->right;
    right = f->left;
    rising = !rising;
  }
  *r = (clause_relation){.slot = f->slot,
                         .g = brink__sub(b->graph, left, right),
                         .rising = rising,
                         .true_at_zero = f->op == BRINK_OP_GE || f->op == BRINK_OP_LE,
                         .uses = uses[f->slot],
                         .idle = -1,
                         .guard = -1,
                         .timer = -1};
  if (!r->g)
    return b->ctx->err.status;
  int timed;
  BRINK_TRY(brink__clause_is_timed(b, in_time, &r->g, &timed, &r->moved_by_events));
  if (!r->uses)
    return brink__clause_literal(b, (clause_literal){.relation = (int)i, .stair = -1},
                                 r->g, timed);
  if (timed) {
    r->timer = (int)b->m->n_timers;
    return brink__clause_add_timer(
        b, (clause_timer){.kind = CLAUSE_RELATION, .index = (int)i, .slot = f->slot},
        f->text, f->at.line);
  }
  r->guard = (int)b->m->n_guards;
  BRINK_TRY(add_guard(b, r->g, brink__clause_name(b, f->text, f->at.line),
                      (clause_guard){.relation = (int)i, .stair = -1, .domain = -1},
                      &r->moved_by_events));
  b->m->info[r->guard].at_zero = r->true_at_zero == r->rising ? 1 : -1;
  return as_state(b, r, left, right);
}

/* The guards of a stair: the distances of its argument from the bounds of its present
 * value. */
static brink_status stair_guards(dae_build *b, clause_stair *s, const char *name)
{
  brink__graph *g = b->graph;
  brink__node self = brink__symbol(g, s->slot, BRINK_TYPE_INTEGER);
  brink__node one = brink__integer(g, 1), zero = brink__integer(g, 0);
  brink__node low = brink__sub(g, self, one), high = brink__add(g, self, one);
  int moved_by_events;

  if (s->kind == BRINK__STAIR_DOWN)
    low = self;
  else if (s->kind == BRINK__STAIR_UP)
    high = self;
  else {
    low = brink__select(g, brink__op2(g, BRINK_OP_GT, self, zero), self, low);
    high = brink__select(g, brink__op2(g, BRINK_OP_LT, self, zero), self, high);
  }
  low = brink__sub(g, s->arg, low);
  high = brink__sub(g, s->arg, high);
  if (!low || !high)
    return b->ctx->err.status;
  s->guard = (int)b->m->n_guards;
  clause_guard what = {.relation = -1, .stair = (int)(s - b->m->stairs), .domain = -1};
  BRINK_TRY(add_guard(b, low, name, what, &moved_by_events));
  BRINK_TRY(add_guard(b, high, name, what, &moved_by_events));

  /* the guards read the present value of the stair, which is no such dependence */
  return depends_on_events(b, &b->m->guards[s->guard].program, s->arg,
                           &s->moved_by_events);
}

static brink_status stair(dae_build *b, const unsigned *uses,
                          const brink__node *in_time, size_t i)
{
  const brink__flat_stair *f = &b->flat->stairs[i];
  clause_stair *s = &b->m->stairs[i];
  int timed;

  *s = (clause_stair){.slot = f->slot,
                      .arg = f->arg,
                      .kind = f->kind,
                      .uses = uses[f->slot],
                      .guard = -1,
                      .timer = -1};
  BRINK_TRY(brink__clause_is_timed(b, in_time, &s->arg, &timed, &s->moved_by_events));
  if (!s->uses)
    return brink__clause_literal(b, (clause_literal){.relation = -1, .stair = (int)i},
                                 s->arg, timed);
  if (!timed)
    return stair_guards(b, s, brink__clause_name(b, f->text, f->at.line));
  s->timer = (int)b->m->n_timers;
  return brink__clause_add_timer(
      b, (clause_timer){.kind = CLAUSE_STAIR, .index = (int)i, .slot = f->slot},
      f->text, f->at.line);
}

/* The guard of a min or max beyond which f does not exist: positive inside. */
static brink_status bound(dae_build *b, int var, brink__node limit, int upper)
{
  const brink__flat_var *v = &b->flat->vars[var];
  brink__node self = brink__symbol(b->graph, v->value, v->type);
  brink__node g =
      upper ? brink__sub(b->graph, limit, self) : brink__sub(b->graph, self, limit);
  char text[160];
  int moved_by_events;

  if (!g)
    return b->ctx->err.status;
  snprintf(text, sizeof text, "%.100s at its %s", v->name, upper ? "max" : "min");
  b->m->unilateral++;
  clause_guard what = {.relation = -1, .stair = -1, .domain = var, .upper = upper};
  return add_guard(b, g, brink__clause_name(b, text, v->at.line), what,
                   &moved_by_events);
}

static brink_status bounds(dae_build *b)
{
  for (size_t i = 0; i < b->flat->n_vars; i++) {
    const brink__flat_var *v = &b->flat->vars[i];
    if (!v->domain || v->variability != BRINK__CONTINUOUS || v->inactive)
      continue;
    if (v->min)
      BRINK_TRY(bound(b, (int)i, v->min, 0));
    if (v->max)
      BRINK_TRY(bound(b, (int)i, v->max, 1));
  }
  return BRINK_OK;
}

brink_status brink__clause_guards(dae_build *b, const unsigned *uses)
{
  const brink__flat *f = b->flat;
  dae_model *m = b->m;
  size_t most = f->n_relations + 2 * f->n_stairs;
  brink__node *in_time;

  for (size_t i = 0; i < f->n_vars; i++)
    most += f->vars[i].domain ? 2 : 0;
  BRINK_TRY(DAE_TAKE(&m->pool, f->n_relations, &m->relations));
  BRINK_TRY(DAE_TAKE(&m->pool, f->n_stairs, &m->stairs));
  BRINK_TRY(DAE_TAKE(&m->pool, most, &m->guards));
  BRINK_TRY(DAE_TAKE(&m->pool, most, &m->info));
  m->n_relations = f->n_relations;
  m->n_stairs = f->n_stairs;
  BRINK_TRY(DAE_TAKE(&m->pool, f->n_relations + f->n_stairs, &m->literals));
  BRINK_TRY(brink__clause_variables_in_time(b, &in_time));
  for (size_t i = 0; i < f->n_relations; i++)
    BRINK_TRY(relation(b, uses, in_time, i));
  for (size_t i = 0; i < f->n_stairs; i++)
    BRINK_TRY(stair(b, uses, in_time, i));
  brink__clause_opposites(b);
  BRINK_TRY(bounds(b));
  /* the series of a guard with very many operations are kept short */
  m->max_order = m->max_series > SERIES_MAX / (ORDER_MAX + 1) ? 1 : ORDER_MAX;
  return BRINK_OK;
}
