/* kinks.c -- abs, min and max of the unknowns of a loop.
 *
 * The reader writes abs(z) as `if z >= 0 then z else -z`, with a relation that only
 * events change.  In an equation that is solved for z the frozen branch may end where
 * the relation changes (z*abs(z) = w at w = 0: z*z = w has no solution beyond), before
 * any event can be located.  The two branches agree at the zero, so in the residuals of
 * a nonlinear loop the relation is taken as what it says at the iterate: Newton's
 * method becomes a semismooth one [QS93].  Everywhere else the relation stays frozen,
 * and its zero is an event as before.
 */
#include "dae/build.h"

/* Is the node NEG of the other, or the other way round? */
static int opposite(const brink__graph *g, brink__node a, brink__node b)
{
  return (brink__node_op(g, a) == BRINK_OP_NEG && brink__node_arg(g, a, 0) == b) ||
         (brink__node_op(g, b) == BRINK_OP_NEG && brink__node_arg(g, b, 0) == a);
}

/* Do the branches of `if r then a else b` agree where the relation changes? */
static int meets(const brink__graph *g, const brink__flat_relation *r, brink__node a,
                 brink__node b)
{
  if ((a == r->left && b == r->right) || (a == r->right && b == r->left))
    return 1;
  return brink__node_is(g, r->right, 0) && (a == r->left || b == r->left) &&
         opposite(g, a, b);
}

/* The relations that are read below the residuals, in `read`.  b->kink_use of each: 1,
 * by branches that meet and by nothing else; -1: otherwise. */
static brink_status classify(dae_build *b, size_t n, const brink__node *res,
                             dae_list *read)
{
  brink__graph *g = b->graph;
  brink__node at;

  BRINK_TRY(brink__dae_walk_begin(&b->walk));
  for (size_t i = 0; i < n; i++)
    BRINK_TRY(brink__dae_walk_push(&b->walk, res[i]));
  for (;;) {
    BRINK_TRY(brink__dae_walk_next(&b->walk, &at));
    if (at == BRINK__NONE)
      return BRINK_OK;
    brink__op op = brink__node_op(g, at);
    for (int i = 0; i < brink__op_arity(op); i++) {
      brink__node arg = brink__node_arg(g, at, i);
      int32_t r = brink__node_op(g, arg) == BRINK_OP_SYMBOL
                      ? b->relation_of[brink__node_symbol(g, arg)]
                      : -1;
      if (r < 0)
        continue;
      int good = op == BRINK_OP_SELECT && i == 0 &&
                 meets(g, &b->flat->relations[r], brink__node_arg(g, at, 1),
                       brink__node_arg(g, at, 2));
      if (b->kink_use[r] == 0)
        BRINK_TRY(brink__dae_list_add(b->ctx, read, r));
      b->kink_use[r] = (signed char)(good && b->kink_use[r] >= 0 ? 1 : -1);
    }
  }
}

/* Does one of the two sides contain an unknown of the loop? */
static brink_status moves(dae_build *b, const brink__flat_relation *r, int *yes)
{
  brink__node sides[2] = {r->left, r->right};

  BRINK_TRY(brink__dae_symbols(b, 2, sides));
  *yes = 0;
  for (size_t i = 0; i < b->list.n; i++)
    *yes |= b->sought[b->list.v[i]];
  return BRINK_OK;
}

static brink_status replace(dae_build *b, size_t n, brink__node *res,
                            const dae_list *read, int *changed)
{
  const brink__flat *f = b->flat;
  brink_status rc = BRINK_OK;
  int yes;

  for (size_t i = 0; i < read->n && rc == BRINK_OK; i++) {
    const brink__flat_relation *r = &f->relations[read->v[i]];
    if (b->kink_use[read->v[i]] != 1)
      continue;
    rc = moves(b, r, &yes);
    if (rc == BRINK_OK && yes) {
      b->by[r->slot] = brink__op2(b->graph, r->op, r->left, r->right);
      rc = b->by[r->slot] ? BRINK_OK : b->ctx->err.status;
      *changed = 1;
    }
  }
  if (rc == BRINK_OK && *changed)
    rc = brink__substitute(b->graph, b->n_symbols, b->by, n, res, res);
  return rc;
}

/* Which symbol is the value of which relation: once for all loops. */
static brink_status prepare(dae_build *b)
{
  const brink__flat *f = b->flat;

  if (b->relation_of)
    return BRINK_OK;
  BRINK_TRY(DAE_TAKE(&b->tmp, f->n_relations, &b->kink_use));
  BRINK_TRY(brink__dae_take_ids(&b->tmp, b->n_symbols, &b->relation_of));
  for (size_t i = 0; i < f->n_relations; i++)
    b->relation_of[f->relations[i].slot] = (int32_t)i;
  return BRINK_OK;
}

brink_status brink__dae_free_kinks(dae_build *b, size_t n, brink__node *res,
                                   int *changed)
{
  dae_list read = {NULL, 0, 0};

  *changed = 0;
  if (b->flat->n_relations == 0)
    return BRINK_OK;
  BRINK_TRY(prepare(b));
  brink_status rc = classify(b, n, res, &read);
  if (rc == BRINK_OK)
    rc = replace(b, n, res, &read, changed);
  for (size_t i = 0; i < read.n; i++) {
    b->kink_use[read.v[i]] = 0;
    b->by[b->flat->relations[read.v[i]].slot] = BRINK__NONE;
  }
  brink__dae_list_drop(b->ctx, &read);
  return rc;
}
