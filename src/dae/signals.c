/* signals.c -- what of the right-hand side depends on time alone.
 *
 * f(t, y), and the nonlinear loops that are solved along with it, depend on t through
 * the largest subexpressions that contain time, parameters
 * and values that events freeze, but nothing that moves with the solution: sources,
 * pulses, switches by time.  An algebraic variable that depends on time alone is
 * replaced by its equation first.  A sum is taken apart, and its terms are compared
 * with the largest of them: a ripple on top of a slow term is judged by its own size.
 *
 * Polynomials of low degree are left out: no step is too long for them
 * (signal_steps.c).
 */
#include "dae/build.h"

/* What a node depends on, and whether it was listed. */
enum { TIME = 1, MOVES = 2, LISTED = 4 };

typedef struct collector {
  dae_build *b;
  dae_list roots;      /* right-hand sides, with what depends on time alone inserted  */
  unsigned char *bits; /* [nodes] TIME, MOVES, LISTED                                 */
  dae_list terms;      /* the signals ...                                             */
  dae_list sums;       /* ... and the sum that each of them is part of                */
  int32_t n_sums;
  dae_list stack;
} collector;

/* ------------------------------------------------------------ equations --- */

/* Insert what is known about algebraic variables, b->by; keep the right-hand side, or,
 * if it is that of an algebraic variable and depends on time alone, remember it. */
static brink_status take_row(collector *c, brink__node node, int32_t symbol)
{
  dae_build *b = c->b;
  int alone;

  BRINK_TRY(brink__substitute(b->graph, b->n_symbols, b->by, 1, &node, &node));
  BRINK_TRY(brink__dae_is_fixed(b, node, 1, &alone));
  if (alone && symbol >= 0 &&
      b->unknowns[b->unknown_of[symbol]].kind == DAE_ALGEBRAIC) {
    b->by[symbol] = node;
    return BRINK_OK;
  }
  return brink__dae_list_add(b->ctx, &c->roots, node);
}

static brink_status take_step(collector *c, const dae_step *step)
{
  dae_build *b = c->b;

  for (size_t k = 0; !step->loop && k < step->n_rows; k++)
    BRINK_TRY(take_row(c, step->root[k], brink__dae_target(step, k)));
  for (size_t k = 0; step->loop && k < step->loop->n_rows; k++) {
    const brink__row *row = &b->rows[step->loop->row[k]];
    BRINK_TRY(take_row(c, row->lhs, -1));
    BRINK_TRY(take_row(c, row->rhs, -1));
  }
  return BRINK_OK;
}

/* -------------------------------------------------------------- signals --- */

static unsigned own_bits(const dae_build *b, brink__node n)
{
  if (brink__node_op(b->graph, n) != BRINK_OP_SYMBOL)
    return 0;
  int32_t s = brink__node_symbol(b->graph, n);
  return s == BRINK__TIME ? TIME : b->fixed[s] ? 0 : MOVES;
}

static brink_status mark_nodes(collector *c)
{
  dae_build *b = c->b;
  brink__node n;

  BRINK_TRY(DAE_TAKE(&b->tmp, (size_t)brink__graph_size(b->graph) + 1, &c->bits));
  BRINK_TRY(brink__dae_walk_begin(&b->walk));
  for (size_t i = 0; i < c->roots.n; i++)
    BRINK_TRY(brink__dae_walk_push(&b->walk, c->roots.v[i]));
  for (;;) {
    BRINK_TRY(brink__dae_walk_up(&b->walk, &n));
    if (!n)
      return BRINK_OK;
    unsigned bits = own_bits(b, n);
    for (int i = 0; i < brink__op_arity(brink__node_op(b->graph, n)); i++)
      bits |= c->bits[brink__node_arg(b->graph, n, i)];
    c->bits[n] = (unsigned char)bits;
    b->walk.mark[n] = 0;
  }
}

static brink_status list_term(collector *c, brink__node n)
{
  dae_build *b = c->b;
  unsigned char degree;

  c->bits[n] |= LISTED;
  BRINK_TRY(brink__dae_walk_degree(&b->walk, n, b->degree, &degree));
  if (degree < DAE_SIGNAL_ORDER)
    return BRINK_OK;
  BRINK_TRY(brink__dae_list_add(b->ctx, &c->terms, n));
  return brink__dae_list_add(b->ctx, &c->sums, c->n_sums);
}

/* The terms of a sum that depend on time alone, unless they are polynomials of low
 * degree; what is no sum is its only term. */
static brink_status list_terms(collector *c, brink__node root)
{
  dae_build *b = c->b;

  c->stack.n = 0;
  BRINK_TRY(brink__dae_list_add(b->ctx, &c->stack, root));
  while (c->stack.n) {
    brink__node n = c->stack.v[--c->stack.n];
    brink__op op = brink__node_op(b->graph, n);
    int is_sum = op == BRINK_OP_ADD || op == BRINK_OP_SUB || op == BRINK_OP_NEG;
    if (!(c->bits[n] & TIME) || (c->bits[n] & LISTED))
      continue;
    if (!is_sum && !(c->bits[n] & MOVES))
      BRINK_TRY(list_term(c, n));
    for (int i = 0; is_sum && i < brink__op_arity(op); i++)
      BRINK_TRY(
          brink__dae_list_add(b->ctx, &c->stack, brink__node_arg(b->graph, n, i)));
    if (is_sum)
      c->bits[n] |= LISTED;
  }
  c->n_sums++;
  return BRINK_OK;
}

/* The largest subexpressions that depend on time alone: those below something that
 * moves, and right-hand sides themselves.  A sum comes before its terms, so that they
 * are listed as such. */
static brink_status find_signals(collector *c)
{
  dae_build *b = c->b;
  dae_list found = {NULL, 0, 0};
  brink__node n = BRINK__NONE;
  brink_status rc = brink__dae_walk_begin(&b->walk);

  for (size_t i = 0; rc == BRINK_OK && i < c->roots.n; i++) {
    rc = brink__dae_walk_push(&b->walk, c->roots.v[i]);
    if (rc == BRINK_OK)
      rc = brink__dae_list_add(b->ctx, &found, c->roots.v[i]);
  }
  while (rc == BRINK_OK && (rc = brink__dae_walk_next(&b->walk, &n)) == BRINK_OK && n) {
    int moves = c->bits[n] & MOVES,
        arity = brink__op_arity(brink__node_op(b->graph, n));
    for (int i = 0; rc == BRINK_OK && moves && i < arity; i++)
      rc = brink__dae_list_add(b->ctx, &found, brink__node_arg(b->graph, n, i));
  }
  for (size_t i = 0; rc == BRINK_OK && i < found.n; i++)
    rc = list_terms(c, found.v[i]);
  brink__dae_list_drop(b->ctx, &found);
  return rc;
}

/* -------------------------------------------------------------- compile --- */

static brink_status compile(collector *c)
{
  dae_build *b = c->b;
  dae_model *m = b->m;

  BRINK_TRY(DAE_TAKE(&m->pool, c->terms.n, &m->signals));
  for (size_t i = 0; i < c->terms.n; i++) {
    dae_signal *s = &m->signals[i];
    BRINK_TRY(brink__dae_tape(b, 1, &c->terms.v[i], NULL, &s->tape));
    BRINK_TRY(brink__dae_symbols(b, 1, &c->terms.v[i]));
    s->sum = (size_t)c->sums.v[i];
    s->known = brink__dae_list_keep(&m->pool, &b->list, b->list.n);
    if (!s->known)
      return BRINK_ENOMEM;
    for (size_t k = 0; k < b->list.n; k++)
      if (s->known[k] != BRINK__TIME)
        s->known[s->n_known++] = s->known[k];
    m->n_signal_known += s->n_known;
    m->signal_slots = brink__zmax(m->signal_slots, brink__tape_slots(s->tape));
  }
  m->n_signals = c->terms.n;
  m->n_signal_sums = (size_t)c->n_sums;
  return BRINK_OK;
}

static brink_status collect(collector *c)
{
  const dae_model *m = c->b->m;

  for (size_t k = 0; k < m->flow.n_steps; k++)
    BRINK_TRY(take_step(c, &m->flow.steps[k]));
  for (size_t k = 0; k < m->followed.n_steps; k++)
    BRINK_TRY(take_step(c, &m->followed.steps[k]));
  BRINK_TRY(mark_nodes(c));
  BRINK_TRY(find_signals(c));
  return compile(c);
}

brink_status brink__dae_signals(dae_build *b)
{
  collector c = {.b = b};
  unsigned char *is_time;

  BRINK_TRY(DAE_TAKE(&b->tmp, b->n_symbols, &is_time));
  is_time[BRINK__TIME] = 1;
  if (!brink__dae_program_reads(b, &b->m->flow, is_time) &&
      !brink__dae_program_reads(b, &b->m->followed, is_time))
    return BRINK_OK;
  brink_status rc = collect(&c);
  for (size_t s = 0; s < b->n_symbols; s++)
    b->by[s] = BRINK__NONE;
  brink__dae_list_drop(b->ctx, &c.roots);
  brink__dae_list_drop(b->ctx, &c.terms);
  brink__dae_list_drop(b->ctx, &c.sums);
  brink__dae_list_drop(b->ctx, &c.stack);
  return rc;
}
