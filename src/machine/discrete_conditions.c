/* discrete_conditions.c -- conditions about Integers and enumerations as Booleans.
 *
 * `if gear == 1 then ...` chooses a branch by a comparison of discrete variables.  It
 * gets a Boolean variable of its own, b = (gear == 1), so that all conditions of
 * branches are made of Boolean symbols, which branch_modes.c can fix.
 */
#include "dae/build.h"
#include "machine/modes.h"

#include <stdio.h>
#include <string.h>

typedef struct finder {
  brink__flat *f;
  brink__pool *tmp;
  dae_walk walk, inner; /* over an equation, and below a comparison                   */
  dae_list found;       /* comparisons ...                                            */
  dae_list where;       /* ... and the equations that they were found in              */
  dae_list symbols;
  unsigned char *is; /* [n_symbols] 1: discrete; 2: moves between events              */
} finder;

static int is_comparison(const brink__graph *g, brink__node n)
{
  brink__op op = brink__node_op(g, n);
  return op >= BRINK_OP_LT && op <= BRINK_OP_NE;
}

/* Note a comparison between what events change alone. */
static brink_status note(finder *s, brink__node n, size_t eqn)
{
  int what = 0;

  s->symbols.n = 0;
  BRINK_TRY(brink__dae_walk_symbols(&s->inner, 1, &n, &s->symbols));
  for (size_t i = 0; i < s->symbols.n; i++)
    what |= s->is[s->symbols.v[i]];
  for (size_t i = 0; i < s->found.n; i++)
    if (s->found.v[i] == n)
      return BRINK_OK;
  if (what != 1)
    return BRINK_OK;
  BRINK_TRY(brink__dae_list_add(s->walk.ctx, &s->where, (int32_t)eqn));
  return brink__dae_list_add(s->walk.ctx, &s->found, n);
}

static brink_status look(finder *s, size_t eqn)
{
  const brink__graph *g = s->f->graph;
  const brink__flat_eqn *e = &s->f->natural[eqn];
  brink__node node;

  if (brink__node_type(g, e->lhs) != BRINK_TYPE_REAL)
    return BRINK_OK;
  BRINK_TRY(brink__dae_walk_begin(&s->walk));
  BRINK_TRY(brink__dae_walk_push(&s->walk, e->lhs));
  BRINK_TRY(brink__dae_walk_push(&s->walk, e->rhs));
  do {
    BRINK_TRY(brink__dae_walk_next(&s->walk, &node));
    if (node && is_comparison(g, node))
      BRINK_TRY(note(s, node, eqn));
  } while (node);
  return BRINK_OK;
}

static brink_status find(finder *s)
{
  const brink__flat *f = s->f;

  BRINK_TRY(DAE_TAKE(s->tmp, (size_t)f->n_symbols, &s->is));
  s->is[BRINK__TIME] = 2;
  for (int32_t i = 0; i < f->n_symbols; i++)
    if (f->derivative[i] >= 0)
      s->is[i] = 2;
  for (size_t i = 0; i < f->n_vars; i++)
    if (f->vars[i].variability > BRINK__PARAMETER)
      s->is[f->vars[i].value] = f->vars[i].variability == BRINK__DISCRETE ? 1 : 2;
  for (size_t i = 0; i < f->n_delays; i++)
    s->is[f->delays[i].slot] = 2;
  for (size_t i = 0; i < f->n_natural; i++)
    BRINK_TRY(look(s, i));
  return BRINK_OK;
}

/* --------------------------------------------------------------- making --- */

static int symbol_name(void *user, int32_t id, char *buf, size_t cap)
{
  const brink__flat *f = user;

  for (size_t i = 0; i < f->n_vars; i++)
    if (f->vars[i].value == id)
      return snprintf(buf, cap, "%s", f->vars[i].name);
  return snprintf(buf, cap, "?");
}

/* The comparison as text, in parentheses. */
static const char *name_of(finder *s, brink__node n)
{
  char buf[160] = "(";
  size_t used;

  brink__print(s->f->graph, n, symbol_name, s->f, buf + 1, sizeof buf - 2);
  used = strlen(buf);
  buf[used++] = ')';
  return brink__pool_str(&s->f->pool, buf, used);
}

/* Equations with the Booleans in place of the comparisons, and room for theirs. */
static brink_status rewrite(finder *s, const brink__node *to, size_t *n,
                            brink__flat_eqn **eqns)
{
  brink__graph *g = s->f->graph;
  brink__flat_eqn *v;
  size_t k = s->found.n;

  BRINK_TRY(DAE_TAKE(&s->f->pool, *n + k, &v));
  for (size_t i = 0; i < *n; i++) {
    brink__node side[2] = {(*eqns)[i].lhs, (*eqns)[i].rhs};
    v[i] = (*eqns)[i];
    if (brink__node_type(g, side[0]) != BRINK_TYPE_REAL)
      continue;
    BRINK_TRY(brink__replace(g, k, s->found.v, to, 2, side, side));
    v[i].lhs = side[0];
    v[i].rhs = side[1];
  }
  for (size_t i = 0; i < k; i++)
    v[(*n)++] = (brink__flat_eqn){
        .lhs = to[i], .rhs = s->found.v[i], .at = s->f->natural[s->where.v[i]].at};
  *eqns = v;
  return BRINK_OK;
}

static brink_status make(finder *s)
{
  brink__flat *f = s->f;
  size_t k = s->found.n, n = f->n_vars, symbols = (size_t)f->n_symbols;
  brink__flat_var *vars;
  brink__node *to;
  int32_t *derivative;

  BRINK_TRY(DAE_TAKE(&f->pool, n + k, &vars));
  BRINK_TRY(DAE_TAKE(s->tmp, k, &to));
  memcpy(vars, f->vars, n * sizeof *vars);
  for (size_t i = 0; i < k; i++) {
    const char *name = name_of(s, s->found.v[i]);
    if (!name)
      return BRINK_ENOMEM;
    vars[n + i] = (brink__flat_var){.name = name,
                                    .type = BRINK_TYPE_BOOLEAN,
                                    .variability = BRINK__DISCRETE,
                                    .at = f->natural[s->where.v[i]].at,
                                    .value = f->n_symbols,
                                    .der = -1,
                                    .pre = -1,
                                    .fixed = -1,
                                    .hidden = 1,
                                    .unit = "",
                                    .text = ""};
    to[i] = brink__symbol(f->graph, f->n_symbols++, BRINK_TYPE_BOOLEAN);
    if (!to[i])
      return BRINK_ENOMEM;
  }
  BRINK_TRY(rewrite(s, to, &f->n_natural, &f->natural));
  BRINK_TRY(rewrite(s, to, &f->n_eqns, &f->eqns));
  BRINK_TRY(brink__dae_take_ids(&f->pool, (size_t)f->n_symbols, &derivative));
  memcpy(derivative, f->derivative, symbols * sizeof *derivative);
  f->derivative = derivative;
  f->vars = vars;
  f->n_vars = n + k;
  return BRINK_OK;
}

/* Leave out those that are to stay as they are. */
static void leave_out(finder *s, const unsigned char *stays)
{
  size_t kept = 0;

  for (size_t i = 0; stays && i < s->found.n; i++)
    if (!stays[i]) {
      s->found.v[kept] = s->found.v[i];
      s->where.v[kept++] = s->where.v[i];
    }
  s->found.n = stays ? kept : s->found.n;
}

brink_status brink__machine_discrete_conditions(brink_ctx *ctx, brink__flat *flat,
                                                brink__pool *tmp,
                                                const unsigned char *stays)
{
  finder s = {.f = flat,
              .tmp = tmp,
              .walk = {.ctx = ctx, .graph = flat->graph},
              .inner = {.ctx = ctx, .graph = flat->graph}};
  brink_status rc = find(&s);

  leave_out(&s, stays);
  if (rc == BRINK_OK && s.found.n)
    rc = make(&s);
  brink__dae_walk_drop(&s.walk);
  brink__dae_walk_drop(&s.inner);
  brink__dae_list_drop(ctx, &s.found);
  brink__dae_list_drop(ctx, &s.where);
  brink__dae_list_drop(ctx, &s.symbols);
  return rc;
}
