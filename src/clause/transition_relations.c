/* transition_relations.c -- modes: how relations take part in transitions, and what an
 * entry needs.
 *
 * A transition is a when without actions (machine/mode_equations.c).  A relation in its
 * condition is idle at one of its values: there the condition is not made true by it.
 * When a mode is entered with the guard on its zero, the relation begins idle, and the
 * event comes when the guard has left its rounding bound on the other side.
 *
 * On entry the states of the mode still have the values of its last stay, and its
 * equations may have no value there.  So the program of an entry evaluates only what
 * the whens read that ask which states are active.
 */
#include "clause/build.h"

enum { MIXED = -2 }; /* neither value of the relation keeps the transition back */

typedef struct finder {
  dae_build *b;
  int32_t *relation; /* [n_symbols] index, or -1                          */
  int state;         /* 1 + index of the state that the transition leaves */
} finder;

/* ------------------------------------------------------------ relations --- */

static void note(const finder *s, int32_t symbol, int idle)
{
  int32_t i = s->relation[symbol];

  if (i < 0)
    return;
  clause_relation *r = &s->b->m->relations[i];
  r->idle = r->of == 0 || r->idle == idle ? idle : MIXED;
  r->of = r->of == 0 || r->of == s->state ? s->state : -1;
}

/* Note the idle values of the relations below node n of a condition; idle: the value of
 * n with which the condition does not hold.  Long chains of operators lean to the left,
 * so that the recursion is only as deep as they are nested. */
static brink_status note_below(const finder *s, brink__node n, int idle)
{
  dae_build *b = s->b;
  brink__op op = brink__node_op(b->graph, n);

  while (op == BRINK_OP_NOT || op == BRINK_OP_AND || op == BRINK_OP_OR) {
    if (op == BRINK_OP_NOT)
      idle = !idle;
    else
      BRINK_TRY(note_below(s, brink__node_arg(b->graph, n, 1), idle));
    n = brink__node_arg(b->graph, n, 0);
    op = brink__node_op(b->graph, n);
  }
  if (op == BRINK_OP_SYMBOL) {
    note(s, brink__node_symbol(b->graph, n), idle);
    return BRINK_OK;
  }
  BRINK_TRY(brink__dae_symbols(b, 1, &n));
  for (size_t i = 0; i < b->list.n; i++)
    note(s, b->list.v[i], MIXED);
  return BRINK_OK;
}

/* Do only events change the guard?  Then its value decides, also on the zero, since it
 * will not leave it. */
static brink_status is_still(dae_build *b, const clause_relation *r, int *yes)
{
  const dae_program *p = r->guard < 0 ? NULL : &b->m->guards[r->guard].program;

  *yes = p && p->n_states == 0;
  BRINK_TRY(brink__dae_symbols(b, 1, &r->g));
  for (size_t i = 0; i < b->list.n; i++)
    *yes &= b->list.v[i] != BRINK__TIME;
  return BRINK_OK;
}

static brink_status relations(dae_build *b)
{
  const brink__flat *f = b->flat;
  dae_model *m = b->m;
  finder s = {.b = b};

  BRINK_TRY(brink__dae_take_ids(&b->tmp, b->n_symbols, &s.relation));
  for (size_t i = 0; i < m->n_relations; i++)
    s.relation[m->relations[i].slot] = (int32_t)i;
  for (size_t w = 0; w < f->n_whens; w++) {
    s.state = f->whens[w].mode;
    if (f->whens[w].leaves)
      BRINK_TRY(note_below(&s, f->whens[w].branches[0].conds[0], 0));
  }
  for (size_t i = 0; i < m->n_relations; i++) {
    clause_relation *r = &m->relations[i];
    int still;
    BRINK_TRY(is_still(b, r, &still));
    if (r->idle == MIXED || still)
      r->idle = -1;
  }
  return BRINK_OK;
}

/* -------------------------------------------------------------- entries --- */

static int is_active(const brink__flat *f, int32_t symbol)
{
  for (size_t i = 0; i < f->n_states; i++)
    if (f->states[i].active == symbol)
      return 1;
  return 0;
}

/* What the conditions of a branch ask: 0 nothing about active states, 1 also, 2 only
 * which states are active. */
static int asks_for_states(const dae_build *b, const dae_branch *br)
{
  int any = 0, only = 1;

  for (int k = br->first_cond; k < br->first_cond + br->n_conds; k++) {
    const dae_cond *c = &b->m->conds[k];
    for (size_t i = 0; i < c->n_frozen; i++) {
      int active = is_active(b->flat, c->frozen[i]);
      any |= active;
      only &= active;
    }
  }
  return any ? 1 + only : 0;
}

static void mark(dae_build *b)
{
  dae_branch *br = b->m->branches;

  for (size_t w = 0; w < b->flat->n_whens; br += b->flat->whens[w++].n_branches) {
    int n = b->flat->whens[w].n_branches, any = 0;
    for (int k = 0; k < n; k++) {
      br[k].entry = b->flat->whens[w].leaves ? 0 : asks_for_states(b, &br[k]);
      any |= br[k].entry;
    }
    for (int k = 0; k < n && any;
         k++) /* an earlier branch that fires keeps later ones from firing */
      br[k].entry = br[k].entry ? br[k].entry : 1;
  }
}

static brink_status wanted(dae_build *b, const brink__node *roots, dae_list *want)
{
  const dae_model *m = b->m;

  for (size_t k = 0; k < m->n_branches; k++) {
    const dae_branch *br = &m->branches[k];
    if (!br->entry)
      continue;
    BRINK_TRY(brink__dae_list_add(b->ctx, want, br->fire));
    for (int i = 0; i < br->flat->n_actions; i++)
      if (br->flat->actions[i].kind == BRINK__ASSIGN)
        BRINK_TRY(brink__dae_list_add(b->ctx, want,
                                      b->flat->vars[br->flat->actions[i].var].value));
  }
  for (size_t i = 0; i < m->n_acts; i++)
    if (m->branches[m->acts[i].branch].entry)
      BRINK_TRY(brink__dae_walk_symbols(
          &b->walk, 2, (brink__node[]){roots[m->acts[i].cond], roots[m->acts[i].value]},
          want));
  return BRINK_OK;
}

brink_status brink__clause_transitions(dae_build *b, size_t n_roots,
                                       const brink__node *roots)
{
  dae_list want = {NULL, 0, 0};

  BRINK_TRY(relations(b));
  mark(b);
  b->m->max_roots = brink__zmax(b->m->max_roots, n_roots);
  brink_status rc = wanted(b, roots, &want);
  if (rc == BRINK_OK)
    rc = brink__dae_program(b, &b->event, want.n, want.v, 0, NULL, &b->m->entry);
  brink__dae_list_drop(b->ctx, &want);
  return rc;
}
