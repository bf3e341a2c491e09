/* guards.c -- what generates events: relations and stairs become guards, samples
 * become timers, whens learn what their conditions are made of.
 *
 * A relation of a state and a number is a guard that the step polynomial answers
 * itself; a polynomial one is exact on Chebyshev samples; the rest is sampled.
 * A relation that is linear in time and otherwise made of parameters and discrete
 * variables has a known time and needs no guard.
 */
#include "dae/build.h"

#include <stdio.h>
#include <string.h>

enum {
  BEHIND_MAX = 512,    /* symbols behind one condition that are followed */
  ORDER_MAX = 33,      /* one more than the finest grid that is proved */
  SERIES_MAX = 1 << 20 /* numbers in the series of one guard            */
};

/* ---------------------------------------------------------------- uses --- */

typedef struct uses {
  unsigned *of; /* [n_symbols] DAE_IN_* */
} uses;

static brink_status note(dae_build *b, uses *u, size_t n, const brink__node *roots,
                         unsigned bit)
{
  b->list.n = 0;
  BRINK_TRY(brink__walk_symbols(&b->walk, n, roots, &b->list));
  for (size_t i = 0; i < b->list.n; i++)
    u->of[b->list.v[i]] |= bit;
  return BRINK_OK;
}

/* What the derivatives depend on. */
static void note_flow(dae_build *b, uses *u)
{
  const dae_program *p = &b->m->flow;

  for (size_t k = 0; k < p->n_steps; k++) {
    const dae_step *s = &p->steps[k];
    const int32_t *rows = s->loop ? s->loop->row : s->row;
    size_t n = s->loop ? s->loop->n : s->n_rows;
    for (size_t i = 0; i < n; i++)
      for (size_t e = b->sym_start[rows[i]]; e < b->sym_start[rows[i] + 1]; e++)
        u->of[b->sym[e]] |= DAE_IN_FLOW;
  }
}

static brink_status gather(dae_build *b, uses *u)
{
  const brink__flat *f = b->flat;

  BRINK_TRY(DAE_TAKE(&b->tmp, b->n_symbols, &u->of));
  note_flow(b, u);
  for (size_t i = 0; i < b->n_rows; i++)
    if (b->rows[i].kind <= DAE_ROW_DISCRETE)
      for (size_t e = b->sym_start[i]; e < b->sym_start[i + 1]; e++)
        u->of[b->sym[e]] |= b->rows[i].kind == DAE_ROW_REAL
                                ? DAE_IN_EQUATION | DAE_IN_LAW
                                : DAE_IN_DISCRETE;
  for (size_t i = 0; i < f->n_relations; i++)
    BRINK_TRY(note(b, u, 2,
                   (brink__node[]){f->relations[i].left, f->relations[i].right},
                   DAE_IN_EQUATION));
  for (size_t i = 0; i < f->n_stairs; i++)
    BRINK_TRY(note(b, u, 1, &f->stairs[i].arg, DAE_IN_EQUATION));
  for (size_t i = 0; i < f->n_asserts; i++)
    BRINK_TRY(note(b, u, 1, &f->asserts[i].value, DAE_IN_EQUATION));
  for (size_t i = 0; i < f->n_delays; i++)
    BRINK_TRY(note(b, u, 2, (brink__node[]){f->delays[i].arg, f->delays[i].by},
                   DAE_IN_EQUATION | DAE_IN_LAW));
  for (size_t i = 0; i < b->n_rows; i++) {
    const dae_row *r = &b->rows[i];
    if (r->kind == DAE_ROW_COND)
      BRINK_TRY(note(b, u, 1, &r->rhs,
                     brink__node_op(b->graph, r->rhs) == BRINK_OP_SYMBOL
                         ? DAE_IN_BARE
                         : DAE_IN_CONDITION));
  }
  for (size_t i = 0; i < b->m->n_discretes; i++)
    b->m->discretes[i].uses = u->of[b->m->discretes[i].value];
  return BRINK_OK;
}

/* --------------------------------------------------------- conditions ---- */

/* A variable that a discrete equation determines changes with what the equation reads;
 * one that a when assigns is news of that when. */
static brink_status follow(dae_build *b, int32_t symbol)
{
  int32_t u = b->unknown_of[symbol], row = u < 0 ? -1 : b->unknowns[u].row;

  if (row < 0 || b->rows[row].kind != DAE_ROW_DISCRETE)
    return BRINK_OK;
  for (size_t e = b->sym_start[row]; e < b->sym_start[row + 1]; e++) {
    int32_t s = b->sym[e];
    if (b->frozen[s] && b->reached[s] != b->reach) {
      b->reached[s] = b->reach;
      BRINK_TRY(brink__list_add(b->ctx, &b->list, s));
    }
  }
  return BRINK_OK;
}

/* What may make a condition true: relations, stairs and samples, directly or through
 * discrete equations.  A condition behind which there are too many keeps those
 * that it reads itself. */
static brink_status causes(dae_build *b, dae_cond *c)
{
  size_t n = 0;

  b->reach++;
  b->list.n = 0;
  for (size_t i = 0; i < c->n_frozen; i++) {
    b->reached[c->frozen[i]] = b->reach;
    BRINK_TRY(brink__list_add(b->ctx, &b->list, c->frozen[i]));
  }
  for (size_t i = 0; i < b->list.n && b->list.n <= BEHIND_MAX; i++)
    BRINK_TRY(follow(b, b->list.v[i]));
  if (b->list.n > BEHIND_MAX)
    b->list.n = c->n_frozen;
  for (size_t i = 0; i < b->list.n; i++) /* what is known without solving anything */
    if (b->unknown_of[b->list.v[i]] < 0)
      b->list.v[n++] = b->list.v[i];
  c->n_behind = n;
  c->behind = brink__list_keep(&b->m->pool, &b->list, n);
  return c->behind ? BRINK_OK : BRINK_ENOMEM;
}

static brink_status conditions(dae_build *b)
{
  dae_model *m = b->m;
  brink__node *roots;
  size_t n = 0;

  BRINK_TRY(DAE_TAKE(&b->tmp, m->n_conds, &roots));
  BRINK_TRY(DAE_TAKE(&b->tmp, b->n_symbols, &b->reached));
  for (size_t i = 0; i < b->n_rows; i++) {
    const dae_row *r = &b->rows[i];
    if (r->kind != DAE_ROW_COND)
      continue;
    dae_cond *c = &m->conds[n];
    roots[n++] = r->rhs;
    if (brink__node_op(b->graph, r->rhs) == BRINK_OP_SYMBOL)
      c->bare = brink__node_symbol(b->graph, r->rhs);
    b->list.n = 0;
    BRINK_TRY(brink__walk_symbols(&b->walk, 1, &r->rhs, &b->list));
    BRINK_TRY(DAE_TAKE(&m->pool, b->list.n, &c->frozen));
    for (size_t k = 0; k < b->list.n; k++) {
      int32_t s = b->list.v[k];
      c->with_initial |= s == b->flat->initial;
      c->loose |= !b->fixed[s];
      if (b->frozen[s])
        c->frozen[c->n_frozen++] = s;
    }
    BRINK_TRY(causes(b, c));
  }
  return brink__dae_tape(b, n, roots, NULL, &m->cond_tape);
}

/* If discrete equations read frozen values only, what a relation does to them can be
 * told without the states. */
static brink_status discrete_equations(dae_build *b)
{
  dae_list roots = {NULL, 0, 0}, targets = {NULL, 0, 0};
  brink_status rc = BRINK_OK;
  int known = 1;

  for (size_t i = 0; i < b->n_rows && rc == BRINK_OK; i++) {
    if (b->rows[i].kind != DAE_ROW_DISCRETE)
      continue;
    for (size_t e = b->sym_start[i]; e < b->sym_start[i + 1]; e++)
      known &= b->fixed[b->sym[e]];
    known &= b->solved[i] != BRINK__NONE;
    rc = brink__list_add(b->ctx, &roots, b->solved[i]);
    if (rc == BRINK_OK)
      rc = brink__list_add(b->ctx, &targets, b->unknowns[b->rows[i].unknown].symbol);
  }
  if (rc == BRINK_OK && known)
    rc = brink__dae_tape(b, roots.n, roots.v, targets.v, &b->m->discrete_tape);
  brink__free(b->ctx, roots.v, roots.cap * sizeof *roots.v);
  brink__free(b->ctx, targets.v, targets.cap * sizeof *targets.v);
  return rc;
}

/* -------------------------------------------------------------- guards --- */

/* Does the expression depend, through any block, on what only events change? */
static int depends_on_events(const dae_build *b, const dae_program *p, brink__node root,
                             dae_list *list, dae_walk *w, int *jumpy)
{
  list->n = 0;
  if (brink__walk_symbols(w, 1, &root, list) < 0)
    return BRINK_ENOMEM;
  *jumpy = 0;
  for (size_t i = 0; i < list->n; i++)
    *jumpy |= b->frozen[list->v[i]] | b->delayed[list->v[i]];
  for (size_t k = 0; k < p->n_steps; k++) {
    const dae_step *s = &p->steps[k];
    const int32_t *rows = s->loop ? s->loop->row : s->row;
    size_t n = s->loop ? s->loop->n : s->n_rows;
    for (size_t i = 0; i < n; i++)
      for (size_t e = b->sym_start[rows[i]]; e < b->sym_start[rows[i] + 1]; e++)
        *jumpy |= b->frozen[b->sym[e]] | b->delayed[b->sym[e]];
  }
  return BRINK_OK;
}

static const char *named(dae_build *b, const char *text, int line)
{
  char buf[200];
  int n = line > 0
              ? snprintf(buf, sizeof buf, "%.160s (line %d)", text ? text : "", line)
              : snprintf(buf, sizeof buf, "%.160s", text ? text : "");

  return brink__pool_str(&b->m->pool, buf, (size_t)n);
}

/* Nothing but one tape: its Taylor coefficients can be enclosed. */
static brink_status as_series(dae_build *b, dae_guard *dg, brink__guard *info,
                              brink__node g)
{
  dae_model *m = b->m;
  const dae_step *s = &dg->program.steps[0];
  dae_list known = {NULL, 0, 0};

  b->list.n = 0;
  BRINK_TRY(brink__walk_symbols(&b->walk, s->n_rows, s->root, &b->list));
  BRINK_TRY(brink__walk_symbols(&b->walk, 1, &g, &b->list));
  brink_status rc = BRINK_OK;
  for (size_t i = 0; i < b->list.n; i++)
    if (b->delayed[b->list.v[i]])
      return BRINK_OK; /* its past is no polynomial of this step */
  for (size_t i = 0; i < b->list.n && rc == BRINK_OK; i++)
    if (b->fixed[b->list.v[i]])
      rc = brink__list_add(b->ctx, &known, b->list.v[i]);
  dg->n_known = known.n;
  if (rc == BRINK_OK)
    dg->known = brink__list_keep(&m->pool, &known, known.n);
  brink__free(b->ctx, known.v, known.cap * sizeof *known.v);
  if (rc < 0 || !dg->known)
    return BRINK_ENOMEM;
  info->form = BRINK__GUARD_JET;
  m->max_series = brink__zmax(m->max_series, brink__tape_slots(dg->last));
  return BRINK_OK;
}

/* One guard whose value is `g`. */
static brink_status add_guard(dae_build *b, brink__node g, const char *name,
                              dae_guard what, int *jumpy)
{
  dae_model *m = b->m;
  dae_guard *dg = &m->guards[m->n_guards];
  brink__guard *info = &m->info[m->n_guards++];
  unsigned char degree;

  if (!name)
    return brink__fail(&b->ctx->err, BRINK_ENOMEM,
                       "out of memory while naming a guard");
  *dg = what;
  *info = (brink__guard){.name = name, .form = BRINK__GUARD_SAMPLED, .held = 1};
  BRINK_TRY(brink__dae_program(b, &b->flow, 0, NULL, 1, &g, &dg->program));
  dg->last = dg->program.steps[dg->program.n_steps - 1].tape;
  m->max_roots = brink__zmax(m->max_roots, brink__tape_n_roots(dg->last));
  BRINK_TRY(depends_on_events(b, &dg->program, g, &b->list, &b->walk, jumpy));
  BRINK_TRY(brink__walk_degree(&b->walk, g, b->degree, &degree));
  info->degree = degree == DAE_NOT_POLYNOMIAL ? 0 : degree ? degree : 1;
  return dg->program.n_steps == 1 ? as_series(b, dg, info, g) : BRINK_OK;
}

/* x - number: the step polynomial of x answers. */
static brink_status as_state(dae_build *b, const dae_relation *r, brink__node left,
                             brink__node right)
{
  brink__guard *info = &b->m->info[r->guard];
  size_t bad;

  if (brink__node_op(b->graph, left) != BRINK_OP_SYMBOL)
    return BRINK_OK;
  int32_t x = b->state_of[brink__node_symbol(b->graph, left)];
  if (x < 0)
    return BRINK_OK;
  b->list.n = 0;
  BRINK_TRY(brink__walk_symbols(&b->walk, 1, &right, &b->list));
  for (size_t i = 0; i < b->list.n; i++)
    if (!b->constant[b->list.v[i]])
      return BRINK_OK;
  if (brink__dae_numbers(b, 1, &right, &info->level, &bad) < 0)
    return b->ctx->err.status == BRINK_ENOMEM ? BRINK_ENOMEM : BRINK_OK;
  info->form = BRINK__GUARD_STATE;
  info->state = (size_t)x;
  return BRINK_OK;
}

/* Is g = a time + b with a and b known between events? */
static brink_status is_timed(dae_build *b, brink__node g, int *timed, int *jumpy)
{
  int has_time = 0;

  *timed = *jumpy = 0;
  b->list.n = 0;
  BRINK_TRY(brink__walk_symbols(&b->walk, 1, &g, &b->list));
  for (size_t i = 0; i < b->list.n; i++) {
    int32_t s = b->list.v[i];
    has_time |= s == BRINK__TIME;
    *jumpy |= b->frozen[s];
    if (s != BRINK__TIME && !b->fixed[s])
      return BRINK_OK;
  }
  if (!has_time)
    return BRINK_OK;
  brink__node slope = brink__diff(b->graph, g, BRINK__TIME);
  if (!slope)
    return b->ctx->err.status;
  int moves;
  BRINK_TRY(brink__walk_mark(&b->walk, slope, BRINK__TIME, &moves));
  *timed = !moves;
  return BRINK_OK;
}

static brink_status relation(dae_build *b, const uses *u, size_t i)
{
  const brink__flat_relation *f = &b->flat->relations[i];
  dae_relation *r = &b->m->relations[i];
  brink__node left = f->left, right = f->right;
  int rising = f->op == BRINK_OP_GT || f->op == BRINK_OP_GE;

  /* number < x is x > number */
  if (brink__node_op(b->graph, right) == BRINK_OP_SYMBOL &&
      b->state_of[brink__node_symbol(b->graph, right)] >= 0 &&
      !(brink__node_op(b->graph, left) == BRINK_OP_SYMBOL &&
        b->state_of[brink__node_symbol(b->graph, left)] >= 0)) {
    left = f->right;
    right = f->left;
    rising = !rising;
  }
  *r = (dae_relation){.slot = f->slot,
                      .g = brink__sub(b->graph, left, right),
                      .rising = rising,
                      .with_zero = f->op == BRINK_OP_GE || f->op == BRINK_OP_LE,
                      .uses = u->of[f->slot],
                      .idle = -1,
                      .guard = (int)b->m->n_guards,
                      .timer = -1};
  if (!r->g)
    return b->ctx->err.status;
  int timed;
  BRINK_TRY(is_timed(b, r->g, &timed, &r->jumpy));
  if (timed) {
    r->guard = -1;
    r->timer = (int)b->m->n_timers;
    b->m->timers[b->m->n_timers++] = (dae_timer){
        .sample = -1, .relation = (int)i, .name = named(b, f->text, f->at.line)};
    return b->m->timers[r->timer].name ? BRINK_OK : BRINK_ENOMEM;
  }
  BRINK_TRY(add_guard(b, r->g, named(b, f->text, f->at.line),
                      (dae_guard){.relation = (int)i, .stair = -1, .domain = -1},
                      &r->jumpy));
  return as_state(b, r, left, right);
}

static brink_status stair(dae_build *b, const uses *u, size_t i)
{
  const brink__flat_stair *f = &b->flat->stairs[i];
  dae_stair *s = &b->m->stairs[i];
  brink__graph *g = b->graph;
  const char *name = named(b, f->text, f->at.line);
  brink__node self = brink__symbol(g, f->slot, BRINK_TYPE_INTEGER);
  brink__node one = brink__integer(g, 1);
  int jumpy;

  *s = (dae_stair){.slot = f->slot,
                   .arg = f->arg,
                   .kind = f->kind,
                   .uses = u->of[f->slot],
                   .guard = (int)b->m->n_guards};
  brink__node low = brink__sub(g, self, one), high = brink__add(g, self, one);
  brink__node zero = brink__integer(g, 0);
  if (f->kind == BRINK__STAIR_DOWN)
    low = self;
  else if (f->kind == BRINK__STAIR_UP)
    high = self;
  else {
    low = brink__select(g, brink__op2(g, BRINK_OP_GT, self, zero), self, low);
    high = brink__select(g, brink__op2(g, BRINK_OP_LT, self, zero), self, high);
  }
  low = brink__sub(g, f->arg, low);
  high = brink__sub(g, f->arg, high);
  if (!low || !high)
    return b->ctx->err.status;
  dae_guard what = {.relation = -1, .stair = (int)i, .domain = -1};
  BRINK_TRY(add_guard(b, low, name, what, &jumpy));
  BRINK_TRY(add_guard(b, high, name, what, &jumpy));

  /* its own frozen value does not count */
  BRINK_TRY(depends_on_events(b, &b->m->guards[s->guard].program, f->arg, &b->list,
                              &b->walk, &s->jumpy));
  return BRINK_OK;
}

/* A bound beyond which f does not exist: inside is g > 0. */
static brink_status bound(dae_build *b, int var, brink__node limit, int upper)
{
  const brink__flat_var *v = &b->flat->vars[var];
  brink__node self = brink__symbol(b->graph, v->value, v->type);
  brink__node g =
      upper ? brink__sub(b->graph, limit, self) : brink__sub(b->graph, self, limit);
  char text[160];
  int jumpy;

  if (!g)
    return b->ctx->err.status;
  snprintf(text, sizeof text, "%.100s at its %s", v->name, upper ? "max" : "min");
  b->m->unilateral++;
  dae_guard what = {.relation = -1, .stair = -1, .domain = var, .upper = upper};
  return add_guard(b, g, named(b, text, v->at.line), what, &jumpy);
}

static brink_status bounds(dae_build *b)
{
  for (size_t i = 0; i < b->flat->n_vars; i++) {
    const brink__flat_var *v = &b->flat->vars[i];
    if (!v->domain || v->variability != BRINK__CONTINUOUS || v->asleep)
      continue;
    if (v->min)
      BRINK_TRY(bound(b, (int)i, v->min, 0));
    if (v->max)
      BRINK_TRY(bound(b, (int)i, v->max, 1));
  }
  return BRINK_OK;
}

/* Whens that want to stop before their condition holds. */
static void sides(dae_build *b)
{
  dae_model *m = b->m;
  size_t c = 0;

  for (size_t w = 0; w < b->flat->n_whens; w++)
    for (int k = 0; k < b->flat->whens[w].n_branches; k++)
      for (int i = 0; i < b->flat->whens[w].branches[k].n_conds; i++, c++) {
        m->conds[c].before = b->flat->whens[w].side == BRINK_BEFORE;
        m->unilateral += m->conds[c].before;
      }
}

/* -------------------------------------------------------------- timers --- */

static brink_status samples(dae_build *b, const uses *u)
{
  const brink__flat *f = b->flat;
  dae_model *m = b->m;

  m->bare_samples = 1;
  for (size_t i = 0; i < f->n_samples; i++) {
    const brink__flat_sample *s = &f->samples[i];
    double value[2];
    size_t bad;
    brink_status rc =
        brink__dae_numbers(b, 2, (brink__node[]){s->start, s->interval}, value, &bad);
    if (rc == BRINK_ENOMEM)
      return rc;
    if (rc < 0 || !(value[1] > 0))
      return brink__dae_fault(b, s->at, "the interval of sample() must be positive%s",
                              rc < 0 ? " and have a value" : "");
    m->timers[m->n_timers++] =
        (dae_timer){.sample = (int)i,
                    .relation = -1,
                    .start = value[0],
                    .every = value[1],
                    .name = named(b, s->text, s->at.line)};
    if (!m->timers[m->n_timers - 1].name)
      return BRINK_ENOMEM;
    if (u->of[s->slot] & ~(unsigned)DAE_IN_BARE)
      m->bare_samples = 0;
  }
  return BRINK_OK;
}

/* Events come back through delays that states do not move. */
static brink_status echoes(dae_build *b)
{
  dae_model *m = b->m;

  for (size_t i = 0; i < m->n_delays; i++) {
    const brink__flat_delay *f = &b->flat->delays[i];
    if ((m->delays[i].by < 0 && !m->delays[i].timed) || f->unread)
      continue;
    m->timers[m->n_timers++] = (dae_timer){.sample = -1,
                                           .relation = -1,
                                           .delay = 1 + (int)i,
                                           .name = named(b, f->text, f->at.line)};
    if (!m->timers[m->n_timers - 1].name)
      return BRINK_ENOMEM;
  }
  return BRINK_OK;
}

/* Slope and value at time 0 of the relations that have a known time. */
static brink_status times(dae_build *b)
{
  dae_model *m = b->m;
  brink__node *roots, *by, zero = brink__real(b->graph, 0);

  BRINK_TRY(DAE_TAKE(&b->tmp, 2 * m->n_timers, &roots));
  BRINK_TRY(DAE_TAKE(&b->tmp, BRINK__TIME + 1, &by));
  by[BRINK__TIME] = zero;
  for (size_t i = 0; i < m->n_timers; i++) {
    roots[2 * i] = roots[2 * i + 1] = zero;
    if (m->timers[i].relation < 0)
      continue;
    brink__node g = m->relations[m->timers[i].relation].g;
    roots[2 * i] = brink__diff(b->graph, g, BRINK__TIME);
    BRINK_TRY(
        brink__substitute(b->graph, BRINK__TIME + 1, by, 1, &g, &roots[2 * i + 1]));
  }
  for (size_t i = 0; i < 2 * m->n_timers; i++)
    if (!roots[i])
      return b->ctx->err.status;
  for (size_t i = 0; i < m->n_timers; i++)
    if (m->timers[i].relation >= 0)
      BRINK_TRY(brink__dae_tape(b, 2, roots + 2 * i, NULL, &m->timers[i].tape));
  return brink__dae_tape(b, 2 * m->n_timers, roots, NULL, &m->time_tape);
}

/* ------------------------------------------------------------- actions --- */

/* Roots of a text's numbers, guarded. */
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
    BRINK_TRY(brink__list_add(b->ctx, roots, n));
  }
  return BRINK_OK;
}

static brink_status act(dae_build *b, int branch, const brink__flat_action *a,
                        dae_list *roots)
{
  brink__graph *g = b->graph;
  dae_model *m = b->m;
  brink__node fire = brink__symbol(g, m->branches[branch].fire, BRINK_TYPE_BOOLEAN);
  brink__node runs = a->cond ? brink__op2(g, BRINK_OP_AND, fire, a->cond) : fire;
  dae_act *d = &m->acts[m->n_acts++];
  brink__node value = runs;

  *d = (dae_act){.flat = a, .branch = branch, .state = -1};
  if (a->kind == BRINK__REINIT) {
    const brink__flat_var *v = &b->flat->vars[a->var];
    d->state = b->state_of[v->value];
    if (d->state < 0)
      return brink__dae_fault(b, a->at, "reinit needs a state: der(%s) does not occur",
                              v->name);
    value = brink__select(g, runs, a->value, brink__real(g, 0));
  } else if (a->kind == BRINK__ASSERT) {
    value = brink__select(g, runs, a->value, brink__boolean(g, 1));
  }
  if (!runs || !value)
    return b->ctx->err.status;
  d->cond = roots->n;
  BRINK_TRY(brink__list_add(b->ctx, roots, runs));
  d->value = roots->n;
  BRINK_TRY(brink__list_add(b->ctx, roots, value));
  return text_parts(b, a, runs, roots, &d->parts);
}

/* reinit of a variable of a state that is not active does nothing. */
static int sleeps(const dae_build *b, const brink__flat_action *a)
{
  return a->kind == BRINK__REINIT && b->flat->vars[a->var].asleep;
}

static brink_status actions(dae_build *b, dae_list *roots)
{
  dae_model *m = b->m;
  size_t n = 0;

  for (size_t k = 0; k < m->n_branches; k++)
    n += (size_t)m->branches[k].flat->n_actions;
  BRINK_TRY(DAE_TAKE(&m->pool, n, &m->acts));
  for (size_t k = 0; k < m->n_branches; k++) {
    const brink__flat_branch *f = m->branches[k].flat;
    m->branches[k].name = named(b, f->text, f->at.line);
    if (!m->branches[k].name)
      return brink__fail(&b->ctx->err, BRINK_ENOMEM,
                         "out of memory while naming a when");
    for (int i = 0; i < f->n_actions; i++)
      if (f->actions[i].kind != BRINK__ASSIGN && !sleeps(b, &f->actions[i]))
        BRINK_TRY(act(b, (int)k, &f->actions[i], roots));
  }
  return brink__dae_tape(b, roots->n, roots->v, NULL, &m->act_tape);
}

static brink_status asserts(dae_build *b, dae_list *roots)
{
  const brink__flat *f = b->flat;
  dae_model *m = b->m;

  BRINK_TRY(DAE_TAKE(&m->pool, f->n_asserts, &m->asserts));
  m->n_asserts = f->n_asserts;
  for (size_t i = 0; i < f->n_asserts; i++) {
    m->asserts[i] = (dae_assert){.flat = &f->asserts[i], .value = roots->n};
    BRINK_TRY(brink__list_add(b->ctx, roots, f->asserts[i].value));
    brink__node broken = brink__op1(b->graph, BRINK_OP_NOT, f->asserts[i].value);
    BRINK_TRY(text_parts(b, &f->asserts[i], broken, roots, &m->asserts[i].parts));
  }
  return brink__dae_tape(b, roots->n, roots->v, NULL, &m->assert_tape);
}

/* ---------------------------------------------------------------- all ---- */

brink_status brink__dae_switches(dae_build *b)
{
  const brink__flat *f = b->flat;
  dae_model *m = b->m;
  dae_list roots = {NULL, 0, 0};
  uses u;

  BRINK_TRY(gather(b, &u));
  BRINK_TRY(DAE_TAKE(&m->pool, f->n_relations, &m->relations));
  BRINK_TRY(DAE_TAKE(&m->pool, f->n_stairs, &m->stairs));
  size_t most = f->n_relations + 2 * f->n_stairs;
  for (size_t i = 0; i < f->n_vars; i++)
    most += f->vars[i].domain ? 2 : 0;
  BRINK_TRY(DAE_TAKE(&m->pool, most, &m->guards));
  BRINK_TRY(DAE_TAKE(&m->pool, most, &m->info));
  BRINK_TRY(
      DAE_TAKE(&m->pool, f->n_samples + f->n_relations + m->n_delays, &m->timers));
  m->n_relations = f->n_relations;
  m->n_stairs = f->n_stairs;
  for (size_t i = 0; i < f->n_relations; i++)
    BRINK_TRY(relation(b, &u, i));
  for (size_t i = 0; i < f->n_stairs; i++)
    BRINK_TRY(stair(b, &u, i));
  BRINK_TRY(bounds(b));
  sides(b);
  /* the series of a huge guard are kept short */
  m->max_order = m->max_series > SERIES_MAX / (ORDER_MAX + 1) ? 1 : ORDER_MAX;
  BRINK_TRY(samples(b, &u));
  BRINK_TRY(echoes(b));
  BRINK_TRY(conditions(b));
  BRINK_TRY(discrete_equations(b));
  BRINK_TRY(times(b));
  brink_status rc = actions(b, &roots);
  if (rc == BRINK_OK && f->n_states)
    rc = brink__dae_departures(b, roots.n, roots.v);
  roots.n = 0;
  if (rc == BRINK_OK)
    rc = asserts(b, &roots);
  if (rc == BRINK_OK)
    m->n_texts = brink__tape_n_roots(m->assert_tape) + brink__tape_n_roots(m->act_tape);
  brink__free(b->ctx, roots.v, roots.cap * sizeof *roots.v);
  return rc;
}
