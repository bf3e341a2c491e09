/* output_only.c -- which relations and known times can change outputs only?
 *
 * An instant of such a one needs no restart of the integrator: a step may pass it, and
 * the values there come from the step polynomial.  Found by going back from everything
 * that decides how the solution goes on: what the derivatives, guards, known times,
 * delays and assertions read, and the whens that reinit, terminate, leave a mode or
 * stand at the edge of where the model exists.  A variable among these brings along
 * what its equation reads; pre(v) brings v; a variable that a when assigns, or a when,
 * brings its conditions (not the values it assigns: they are read when it fires, no
 * sooner).  A relation, sample or stair of time that is not met on the way changes
 * outputs only; a stair with guards never does: they move with it.
 *
 * In a model with delays every event comes back later, so none is passed.
 *
 * An equation between discrete variables, or a condition, that reads the states
 * directly (inside noEvent) may change at any instant.  Where one of these decides how
 * the solution goes on, every instant may.
 */
#include "clause/build.h"

typedef struct search {
  dae_build *b;
  unsigned char *met; /* [n_symbols] */
  dae_list list;      /* symbols met, in order                                       */
  int any;            /* any instant may change how the solution goes on             */
} search;

static brink_status meet(search *s, int32_t symbol)
{
  if (symbol < 0 || s->met[symbol])
    return BRINK_OK;
  s->met[symbol] = 1;
  return brink__dae_list_add(s->b->ctx, &s->list, symbol);
}

static brink_status meet_nodes(search *s, size_t n, const brink__node *roots)
{
  dae_build *b = s->b;

  b->list.n = 0;
  BRINK_TRY(brink__dae_walk_symbols(&b->walk, n, roots, &b->list));
  for (size_t i = 0; i < b->list.n; i++)
    BRINK_TRY(meet(s, b->list.v[i]));
  return BRINK_OK;
}

/* What guards, known times, delays and assertions read. */
static brink_status meet_guards(search *s)
{
  const brink__flat *f = s->b->flat;

  for (size_t i = 0; i < f->n_relations; i++) {
    if (!s->b->m->relations[i].uses)
      continue;
    BRINK_TRY(
        meet_nodes(s, 2, (brink__node[]){f->relations[i].left, f->relations[i].right}));
    if (f->relations[i].side == BRINK_BEFORE)
      BRINK_TRY(meet(s, f->relations[i].slot));
  }
  for (size_t i = 0; i < f->n_stairs; i++)
    if (s->b->m->stairs[i].uses)
      BRINK_TRY(meet_nodes(s, 1, &f->stairs[i].arg));
  for (size_t i = 0; i < f->n_delays; i++)
    BRINK_TRY(meet_nodes(s, 2, (brink__node[]){f->delays[i].arg, f->delays[i].by}));
  for (size_t i = 0; i < f->n_asserts; i++)
    BRINK_TRY(meet_nodes(s, 1, &f->asserts[i].value));
  return BRINK_OK;
}

/* Does the branch do more than assign and assert? */
static int moves(const brink__flat_branch *f)
{
  for (int i = 0; i < f->n_actions; i++)
    if (f->actions[i].kind == BRINK__REINIT || f->actions[i].kind == BRINK__TERMINATE)
      return 1;
  return 0;
}

/* Whens that move the state, end the run, leave a mode or stand at the edge of where
 * the model exists. */
static brink_status meet_whens(search *s)
{
  const dae_model *m = s->b->m;
  const brink__flat *f = s->b->flat;
  size_t k = 0;

  for (size_t w = 0; w < f->n_whens; w++)
    for (int i = 0; i < f->whens[w].n_branches; i++, k++) {
      const brink__flat_branch *br = &f->whens[w].branches[i];
      if (!moves(br) && !f->whens[w].leaves && f->whens[w].side != BRINK_BEFORE &&
          !m->branches[k].entry)
        continue;
      BRINK_TRY(meet(s, m->branches[k].fire));
    }
  return BRINK_OK;
}

/* What decides about a symbol that was met. */
static brink_status go_back(search *s, int32_t symbol)
{
  const dae_build *b = s->b;
  int32_t u = b->unknown_of[symbol], row = u < 0 ? -1 : b->unknowns[u].row;

  if (b->pre_of[symbol] >= 0)
    BRINK_TRY(meet(s, b->m->discretes[b->pre_of[symbol]].value));
  if (row < 0)
    return BRINK_OK;
  int kind = b->rows[row].kind;
  for (size_t e = b->sym_start[row]; e < b->sym_start[row + 1]; e++) {
    int32_t read = b->sym[e], of = b->unknown_of[read];
    if (kind == BRINK__ROW_DISCRETE || kind == BRINK__ROW_COND)
      s->any |= !b->fixed[read];
    if (kind != BRINK__ROW_ASSIGN || (of >= 0 && b->unknowns[of].kind == DAE_HELPER))
      BRINK_TRY(meet(s, read));
  }
  return BRINK_OK;
}

static brink_status find(search *s, const unsigned *uses)
{
  for (size_t i = 0; i < s->b->n_symbols; i++)
    if (uses[i] & DAE_IN_FLOW)
      BRINK_TRY(meet(s, (int32_t)i));
  BRINK_TRY(meet_guards(s));
  BRINK_TRY(meet_whens(s));
  for (size_t i = 0; i < s->list.n; i++)
    BRINK_TRY(go_back(s, s->list.v[i]));
  return BRINK_OK;
}

brink_status brink__clause_output_only(dae_build *b, const unsigned *uses)
{
  dae_model *m = b->m;
  search s = {.b = b, .any = b->flat->n_delays > 0};

  BRINK_TRY(DAE_TAKE(&b->tmp, b->n_symbols, &s.met));
  brink_status rc = find(&s, uses);
  for (size_t i = 0; i < m->n_relations; i++)
    m->relations[i].output_only = !s.any && !s.met[m->relations[i].slot];
  for (size_t i = 0; i < m->n_timers; i++) {
    clause_timer *d = &m->timers[i];
    d->output_only = d->slot >= 0 && !s.any && !s.met[d->slot];
  }
  brink__free(b->ctx, s.list.v, s.list.cap * sizeof *s.list.v);
  return rc;
}
