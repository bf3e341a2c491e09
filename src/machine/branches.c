/* branches.c -- what chooses branches of if-expressions in the Real equations of a text
 * model: the relations and discrete variables that their conditions read.  Their values
 * are a mode in the sense of [NR09, 3.2]. */
#include "dae/build.h"
#include "machine/compile.h"

typedef struct finder {
  const brink__flat *f;
  dae_walk walk, inner; /* over equations; over one condition                         */
  dae_list read;        /* symbols of that                                           */
  dae_list found;
  int32_t *variable; /* [n_symbols] discrete variable whose value or pre() it is, -1  */
  int32_t *relation; /* [n_symbols] -1: none                                          */
  unsigned char *seen; /* [n_symbols]                                                 */
} finder;

static brink_status mark(finder *s, brink__pool *tmp)
{
  const brink__flat *f = s->f;
  size_t n = (size_t)f->n_symbols;

  BRINK_TRY(brink__dae_take_ids(tmp, n, &s->variable));
  BRINK_TRY(brink__dae_take_ids(tmp, n, &s->relation));
  BRINK_TRY(DAE_TAKE(tmp, n, &s->seen));
  for (size_t i = 0; i < f->n_relations; i++)
    s->relation[f->relations[i].slot] = (int32_t)i;
  for (size_t i = 0; i < f->n_vars; i++) {
    const brink__flat_var *v = &f->vars[i];
    if (v->variability != BRINK__DISCRETE)
      continue;
    s->variable[v->value] = (int32_t)i;
    if (v->pre >= 0)
      s->variable[v->pre] = (int32_t)i;
  }
  return BRINK_OK;
}

/* What a condition reads: pre(d) is d between events. */
static brink_status condition(finder *s, brink__node node)
{
  s->read.n = 0;
  BRINK_TRY(brink__dae_walk_symbols(&s->inner, 1, &node, &s->read));
  for (size_t i = 0; i < s->read.n; i++) {
    int32_t x = s->read.v[i];
    if (s->variable[x] >= 0)
      x = s->f->vars[s->variable[x]].value;
    else if (s->relation[x] < 0)
      continue;
    if (s->seen[x])
      continue;
    s->seen[x] = 1;
    BRINK_TRY(brink__dae_list_add(s->walk.ctx, &s->found, x));
  }
  return BRINK_OK;
}

static brink_status equation(finder *s, const brink__flat_eqn *e)
{
  const brink__graph *g = s->f->graph;
  brink__node node;

  if (brink__node_type(g, e->lhs) != BRINK_TYPE_REAL &&
      brink__node_type(g, e->rhs) != BRINK_TYPE_REAL)
    return BRINK_OK;
  BRINK_TRY(brink__dae_walk_begin(&s->walk));
  BRINK_TRY(brink__dae_walk_push(&s->walk, e->rhs));
  BRINK_TRY(brink__dae_walk_push(&s->walk, e->lhs));
  for (;;) {
    BRINK_TRY(brink__dae_walk_next(&s->walk, &node));
    if (!node)
      return BRINK_OK;
    if (brink__node_op(g, node) == BRINK_OP_SELECT)
      BRINK_TRY(condition(s, brink__node_arg(g, node, 0)));
  }
}

static brink_status find(finder *s, brink__pool *tmp)
{
  BRINK_TRY(mark(s, tmp));
  for (size_t i = 0; i < s->f->n_natural; i++)
    BRINK_TRY(equation(s, &s->f->natural[i]));
  return BRINK_OK;
}

/* Names and lines, in memory of the model. */
static brink_status name(const finder *s, brink__pool *pool, brink_anatomy *a,
                         int32_t **symbols)
{
  brink_branch *out;

  BRINK_TRY(DAE_TAKE(pool, s->found.n, &out));
  BRINK_TRY(DAE_TAKE(pool, s->found.n, symbols));
  for (size_t i = 0; i < s->found.n; i++) {
    int32_t x = s->found.v[i];
    const brink__flat_var *v = s->variable[x] >= 0 ? &s->f->vars[s->variable[x]] : NULL;
    const brink__flat_relation *r = v ? NULL : &s->f->relations[s->relation[x]];
    (*symbols)[i] = x;
    out[i] = (brink_branch){.name = v ? v->name : r->text,
                            .line = v ? v->at.line : r->at.line};
  }
  a->branches = out;
  a->n_branches = s->found.n;
  return BRINK_OK;
}

brink_status brink__machine_branches(brink_ctx *ctx, const brink__flat *flat,
                                     brink__pool *pool, brink_anatomy *a,
                                     int32_t **symbols)
{
  brink__pool tmp = {.ctx = ctx};
  finder s = {.f = flat,
              .walk = {.ctx = ctx, .graph = flat->graph},
              .inner = {.ctx = ctx, .graph = flat->graph}};
  brink_status rc = find(&s, &tmp);

  if (rc == BRINK_OK)
    rc = name(&s, pool, a, symbols);
  brink__dae_walk_drop(&s.walk);
  brink__dae_walk_drop(&s.inner);
  brink__dae_list_drop(ctx, &s.read);
  brink__dae_list_drop(ctx, &s.found);
  brink__pool_drop(&tmp);
  return rc;
}
