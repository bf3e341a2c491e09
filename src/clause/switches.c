/* switches.c -- what generates events: relations, stairs and bounds become guards
 * (relations.c), samples and delays become timers; what the conditions of whens depend
 * on, and what whens do (actions.c).
 */
#include "clause/build.h"

#include <stdio.h>

enum { BEHIND_MAX = 512 }; /* symbols on which one condition is found to depend */

const char *brink__clause_name(dae_build *b, const char *text, int line)
{
  char buf[200];
  int n = line > 0
              ? snprintf(buf, sizeof buf, "%.160s (line %d)", text ? text : "", line)
              : snprintf(buf, sizeof buf, "%.160s", text ? text : "");
  const char *name = brink__pool_str(&b->m->pool, buf, (size_t)n);
  if (!name)
    brink__fail(&b->ctx->err, BRINK_ENOMEM, "out of memory while naming an event");
  return name;
}

brink_status brink__clause_add_timer(dae_build *b, clause_timer timer, const char *text,
                                     int line)
{
  timer.name = brink__clause_name(b, text, line);
  b->m->timers[b->m->n_timers++] = timer;
  return timer.name ? BRINK_OK : BRINK_ENOMEM;
}

/* ---------------------------------------------------------------- uses --- */

static brink_status note(dae_build *b, unsigned *uses, size_t n,
                         const brink__node *roots, unsigned bit)
{
  BRINK_TRY(brink__dae_symbols(b, n, roots));
  for (size_t i = 0; i < b->list.n; i++)
    uses[b->list.v[i]] |= bit;
  return BRINK_OK;
}

/* What the derivatives depend on. */
static void note_flow(dae_build *b, unsigned *uses)
{
  const dae_program *p = &b->m->flow;

  for (size_t k = 0; k < p->n_steps; k++) {
    size_t n;
    const int32_t *rows = brink__dae_rows_of(&p->steps[k], &n);
    for (size_t i = 0; i < n; i++)
      for (size_t e = b->sym_start[rows[i]]; e < b->sym_start[rows[i] + 1]; e++)
        uses[b->sym[e]] |= DAE_IN_FLOW;
  }
}

/* What the relations and stairs read that are used themselves, and so on.  One that is
 * not used is read in the bodies of whens, or at the start only. */
static brink_status gather_arguments(dae_build *b, unsigned *uses)
{
  const brink__flat *f = b->flat;
  unsigned char *done;
  int found = 1;

  BRINK_TRY(DAE_TAKE(&b->tmp, b->n_symbols, &done));
  while (found) {
    found = 0;
    for (size_t i = f->n_relations; i-- > 0;) {
      const brink__flat_relation *r = &f->relations[i];
      if (!uses[r->slot] || done[r->slot])
        continue;
      done[r->slot] = 1;
      found = 1;
      BRINK_TRY(note(b, uses, 2, (brink__node[]){r->left, r->right}, DAE_IN_EQUATION));
    }
    for (size_t i = f->n_stairs; i-- > 0;) {
      const brink__flat_stair *s = &f->stairs[i];
      if (!uses[s->slot] || done[s->slot])
        continue;
      done[s->slot] = 1;
      found = 1;
      BRINK_TRY(note(b, uses, 1, &s->arg, DAE_IN_EQUATION));
    }
  }
  return BRINK_OK;
}

/* Where every symbol occurs: uses [n_symbols], DAE_IN_* bits. */
static brink_status gather(dae_build *b, unsigned *uses)
{
  const brink__flat *f = b->flat;

  note_flow(b, uses);
  for (size_t i = 0; i < b->n_rows; i++)
    if (b->rows[i].kind <= BRINK__ROW_DISCRETE)
      for (size_t e = b->sym_start[i]; e < b->sym_start[i + 1]; e++)
        uses[b->sym[e]] |= b->rows[i].kind == BRINK__ROW_REAL
                               ? DAE_IN_EQUATION | DAE_IN_REAL_EQUATION
                               : DAE_IN_DISCRETE;
  for (size_t i = 0; i < f->n_constraints; i++) /* what they read may have no slope */
    BRINK_TRY(note(b, uses, 2,
                   (brink__node[]){f->constraints[i].lhs, f->constraints[i].rhs},
                   DAE_IN_FLOW | DAE_IN_EQUATION | DAE_IN_REAL_EQUATION));
  for (size_t i = 0; i < f->n_asserts; i++) {
    const brink__flat_action *a = &f->asserts[i];
    BRINK_TRY(note(b, uses, 1, &a->value, DAE_IN_EQUATION));
    BRINK_TRY(note(b, uses, (size_t)a->n_parts, a->parts, DAE_IN_TEXT));
  }
  for (size_t i = 0; i < f->n_delays; i++)
    BRINK_TRY(note(b, uses, 2, (brink__node[]){f->delays[i].arg, f->delays[i].by},
                   DAE_IN_EQUATION | DAE_IN_REAL_EQUATION));
  for (size_t i = 0; i < b->n_rows; i++) {
    const brink__row *r = &b->rows[i];
    if (r->kind == BRINK__ROW_COND)
      BRINK_TRY(note(b, uses, 1, &r->rhs,
                     brink__node_op(b->graph, r->rhs) == BRINK_OP_SYMBOL
                         ? DAE_IN_BARE
                         : DAE_IN_CONDITION));
  }
  BRINK_TRY(gather_arguments(b, uses));
  for (size_t i = 0; i < b->m->n_discretes; i++)
    b->m->discretes[i].uses = uses[b->m->discretes[i].value];
  return BRINK_OK;
}

/* --------------------------------------------------------- conditions ---- */

/* Add what a discrete equation reads to the list, if it determines this symbol.  A
 * variable that a when assigns changes only when that when fires. */
static brink_status add_causes(dae_build *b, int32_t symbol)
{
  int32_t u = b->unknown_of[symbol], row = u < 0 ? -1 : b->unknowns[u].row;

  if (row < 0 || b->rows[row].kind != BRINK__ROW_DISCRETE)
    return BRINK_OK;
  for (size_t e = b->sym_start[row]; e < b->sym_start[row + 1]; e++) {
    int32_t s = b->sym[e];
    if (b->frozen[s] && b->reached[s] != b->reach) {
      b->reached[s] = b->reach;
      BRINK_TRY(brink__dae_list_add(b->ctx, &b->list, s));
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
    BRINK_TRY(brink__dae_list_add(b->ctx, &b->list, c->frozen[i]));
  }
  for (size_t i = 0; i < b->list.n && b->list.n <= BEHIND_MAX; i++)
    BRINK_TRY(add_causes(b, b->list.v[i]));
  if (b->list.n > BEHIND_MAX)
    b->list.n = c->n_frozen;
  for (size_t i = 0; i < b->list.n;
       i++) /* relations, stairs and samples, which no equation determines */
    if (b->unknown_of[b->list.v[i]] < 0)
      b->list.v[n++] = b->list.v[i];
  c->n_behind = n;
  c->behind = brink__dae_list_keep(&b->m->pool, &b->list, n);
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
    const brink__row *r = &b->rows[i];
    if (r->kind != BRINK__ROW_COND)
      continue;
    dae_cond *c = &m->conds[n];
    roots[n++] = r->rhs;
    if (brink__node_op(b->graph, r->rhs) == BRINK_OP_SYMBOL)
      c->bare = brink__node_symbol(b->graph, r->rhs);
    BRINK_TRY(brink__dae_symbols(b, 1, &r->rhs));
    BRINK_TRY(DAE_TAKE(&m->pool, b->list.n, &c->frozen));
    for (size_t k = 0; k < b->list.n; k++) {
      int32_t s = b->list.v[k];
      c->with_initial |= s == b->flat->initial;
      c->reads_moving |= !b->fixed[s];
      if (b->frozen[s])
        c->frozen[c->n_frozen++] = s;
    }
    BRINK_TRY(causes(b, c));
  }
  return brink__dae_tape(b, n, roots, NULL, &m->cond_tape);
}

/* If discrete equations read only values that events change, the effect of a relation
 * on them does not depend on the states: one tape evaluates them. */
static brink_status discrete_equations(dae_build *b)
{
  dae_list roots = {NULL, 0, 0}, targets = {NULL, 0, 0};
  brink_status rc = BRINK_OK;
  int known = 1;

  for (size_t i = 0; i < b->n_rows && rc == BRINK_OK; i++) {
    if (b->rows[i].kind != BRINK__ROW_DISCRETE)
      continue;
    for (size_t e = b->sym_start[i]; e < b->sym_start[i + 1]; e++)
      known &= b->fixed[b->sym[e]];
    known &= b->solved[i] != BRINK__NONE;
    rc = brink__dae_list_add(b->ctx, &roots, b->solved[i]);
    if (rc == BRINK_OK)
      rc =
          brink__dae_list_add(b->ctx, &targets, b->unknowns[b->rows[i].unknown].symbol);
  }
  if (rc == BRINK_OK && known)
    rc = brink__dae_tape(b, roots.n, roots.v, targets.v, &b->m->discrete_tape);
  brink__dae_list_drop(b->ctx, &roots);
  brink__dae_list_drop(b->ctx, &targets);
  return rc;
}

/* Whens with side = before: f does not exist where their conditions hold. */
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

static brink_status samples(dae_build *b, const unsigned *uses)
{
  const brink__flat *f = b->flat;
  dae_model *m = b->m;

  m->bare_samples = 1;
  for (size_t i = 0; i < f->n_samples; i++) {
    const brink__flat_sample *s = &f->samples[i];
    BRINK_TRY(brink__dae_must_define(b, DAE_SAMPLE_START, (int)i, s->start));
    BRINK_TRY(brink__dae_must_define(b, DAE_SAMPLE_INTERVAL, (int)i, s->interval));
    clause_timer timer = {.kind = CLAUSE_SAMPLE, .index = (int)i, .slot = s->slot};
    BRINK_TRY(brink__clause_add_timer(b, timer, s->text, s->at.line));
    if (uses[s->slot] & ~(unsigned)DAE_IN_BARE)
      m->bare_samples = 0;
  }
  return BRINK_OK;
}

/* A timer for each delay that does not depend on states: through it events come back.
 */
static brink_status echoes(dae_build *b)
{
  dae_model *m = b->m;

  for (size_t i = 0; i < m->n_delays; i++) {
    const brink__flat_delay *f = &b->flat->delays[i];
    if ((!m->delays[i].constant && !m->delays[i].timed) || f->unread)
      continue;
    clause_timer timer = {.kind = CLAUSE_ECHO, .index = (int)i, .slot = -1};
    BRINK_TRY(brink__clause_add_timer(b, timer, f->text, f->at.line));
  }
  return BRINK_OK;
}

/* The end of the run, where terminal() is read. */
static brink_status terminal(dae_build *b, const unsigned *uses)
{
  clause_timer timer = {.kind = CLAUSE_TERMINAL, .slot = b->flat->terminal};

  if (timer.slot < 0)
    return BRINK_OK;
  timer.uses = uses[timer.slot];
  return brink__clause_add_timer(b, timer, "terminal()", 0);
}

/* The lines of the relations and stairs that have known times. */
static brink_status times(dae_build *b)
{
  dae_model *m = b->m;
  brink__node *roots, zero = brink__real(b->graph, 0);
  size_t n = CLAUSE_LINE * m->n_timers;

  if (!zero)
    return b->ctx->err.status;
  BRINK_TRY(DAE_TAKE(&b->tmp, n, &roots));
  for (size_t i = 0; i < n; i++)
    roots[i] = zero;
  for (size_t i = 0; i < m->n_timers; i++) {
    clause_timer *d = &m->timers[i];
    brink__node *line = roots + CLAUSE_LINE * i;
    if (d->kind != CLAUSE_RELATION && d->kind != CLAUSE_STAIR)
      continue;
    BRINK_TRY(brink__clause_line_roots(
        b, d->kind == CLAUSE_STAIR ? m->stairs[d->index].arg : m->relations[d->index].g,
        line));
    BRINK_TRY(brink__dae_tape(b, CLAUSE_LINE, line, NULL, &d->line));
  }
  return brink__dae_tape(b, n, roots, NULL, &m->time_tape);
}

/* ---------------------------------------------------------------- all ---- */

/* Actions and asserts, and the part of relations in transitions. */
static brink_status act(dae_build *b)
{
  dae_model *m = b->m;
  dae_list roots = {NULL, 0, 0};
  brink_status rc = brink__clause_actions(b, &roots);

  if (rc == BRINK_OK && b->flat->n_states)
    rc = brink__clause_transitions(b, roots.n, roots.v);
  roots.n = 0;
  if (rc == BRINK_OK)
    rc = brink__clause_asserts(b, &roots);
  if (rc == BRINK_OK)
    m->n_texts = brink__tape_n_roots(m->assert_tape) + brink__tape_n_roots(m->act_tape);
  brink__dae_list_drop(b->ctx, &roots);
  return rc;
}

brink_status brink__clause_compile(dae_build *b)
{
  const brink__flat *f = b->flat;
  dae_model *m = b->m;
  unsigned *uses;

  BRINK_TRY(DAE_TAKE(&b->tmp, b->n_symbols, &uses));
  BRINK_TRY(gather(b, uses));
  BRINK_TRY(DAE_TAKE(&m->pool,
                     f->n_samples + f->n_relations + f->n_stairs + m->n_delays + 1,
                     &m->timers));
  BRINK_TRY(brink__clause_guards(b, uses));
  brink__clause_guard_steps(m);
  sides(b);
  BRINK_TRY(samples(b, uses));
  BRINK_TRY(echoes(b));
  BRINK_TRY(terminal(b, uses));
  BRINK_TRY(conditions(b));
  BRINK_TRY(discrete_equations(b));
  BRINK_TRY(times(b));
  BRINK_TRY(act(b));
  BRINK_TRY(brink__clause_couple(b));
  return brink__clause_output_only(b, uses);
}
