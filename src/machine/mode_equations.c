/* mode_equations.c -- the part of a flat model that exists while certain states are
 * active.
 *
 * Variables keep their index and symbols; those of other states are marked inactive.
 * Equations, whens and assertions of other states are left out, and so are relations,
 * stairs and samples that nothing reads any more.  All delays stay: a state that is not
 * active now may later read what was recorded now.  Every transition that leads out of
 * an active state becomes a when without actions, behind all others.
 */
#include "machine/stages.h"
#include "machine/modes.h"

#include <stdlib.h>

typedef struct builder {
  brink_ctx *ctx;
  const brink__flat *f;
  brink__flat *v;
  unsigned char *on;   /* [1 + states] 1: exists; on[0] is what belongs to none    */
  unsigned char *read; /* [n_symbols] something that exists reads it                */
  dae_walk walk;
  dae_list todo;
} builder;

static void *take(builder *w, size_t n, size_t elem)
{
  return brink__dae_take(&w->v->pool, n, elem);
}

/* ------------------------------------------------------------ transitions --- */

static brink_status leave(builder *w, int index, brink__flat_when *out)
{
  const brink__flat_transition *t = &w->f->transitions[index];
  brink__flat_branch *b = take(w, 1, sizeof *b);
  brink__node *cond = take(w, 1, sizeof *cond);

  if (!b || !cond)
    return BRINK_ENOMEM;
  *cond = t->cond;
  *b = (brink__flat_branch){.conds = cond, .n_conds = 1, .at = t->at, .text = t->text};
  *out = (brink__flat_when){.branches = b,
                            .n_branches = 1,
                            .at = t->at,
                            .side = t->side,
                            .locate = t->locate,
                            .mode = t->from + 1,
                            .leaves = index + 1};
  return BRINK_OK;
}

/* Transitions of the active states: by machine, then priority, then as written. */
static brink_status leaves(builder *w, const int *state, mode_part *part)
{
  const brink__flat *f = w->f;

  part->leaves = take(w, f->n_transitions, sizeof *part->leaves);
  if (!part->leaves)
    return BRINK_ENOMEM;
  for (size_t k = 0; k < f->n_machines; k++) {
    int first = part->n_leaves;
    for (size_t i = 0; i < f->n_transitions; i++) {
      if (f->transitions[i].from != state[k])
        continue;
      int at = part->n_leaves++;
      for (; at > first &&
             f->transitions[part->leaves[at - 1]].priority > f->transitions[i].priority;
           at--)
        part->leaves[at] = part->leaves[at - 1];
      part->leaves[at] = (int)i;
    }
  }
  return BRINK_OK;
}

/* ---------------------------------------------------------------- reading --- */

static brink_status reads(builder *w, size_t n, const brink__node *roots)
{
  size_t first = w->todo.n, kept = first;

  BRINK_TRY(brink__dae_walk_symbols(&w->walk, n, roots, &w->todo));
  for (size_t i = first; i < w->todo.n; i++) {
    int32_t s = w->todo.v[i];
    if (!w->read[s])
      w->todo.v[kept++] = s;
    w->read[s] = 1;
  }
  w->todo.n = kept;
  return BRINK_OK;
}

static brink_status reads_action(builder *w, const brink__flat_action *a)
{
  BRINK_TRY(reads(w, 2, (brink__node[]){a->cond, a->value}));
  return reads(w, (size_t)a->n_parts, a->parts);
}

static brink_status reads_branch(builder *w, const brink__flat_branch *b)
{
  BRINK_TRY(reads(w, (size_t)b->n_conds, b->conds));
  for (int i = 0; i < b->n_actions; i++)
    BRINK_TRY(reads_action(w, &b->actions[i]));
  return BRINK_OK;
}

static brink_status readers(builder *w)
{
  const brink__flat *v = w->v;

  for (size_t i = 0; i < v->n_eqns; i++)
    BRINK_TRY(reads(w, 2, (brink__node[]){v->eqns[i].lhs, v->eqns[i].rhs}));
  for (size_t i = 0; i < v->n_initial_eqns; i++)
    BRINK_TRY(
        reads(w, 2, (brink__node[]){v->initial_eqns[i].lhs, v->initial_eqns[i].rhs}));
  for (size_t i = 0; i < v->n_asserts; i++)
    BRINK_TRY(reads_action(w, &v->asserts[i]));
  for (size_t i = 0; i < v->n_whens; i++)
    for (int k = 0; k < v->whens[i].n_branches; k++)
      BRINK_TRY(reads_branch(w, &v->whens[i].branches[k]));
  for (size_t i = 0; i < w->f->n_delays; i++)
    BRINK_TRY(reads(w, 2, (brink__node[]){w->f->delays[i].arg, w->f->delays[i].by}));
  return BRINK_OK;
}

/* What relations and stairs read that are themselves read, and so on. */
static brink_status behind(builder *w)
{
  const brink__flat *f = w->f;
  brink__node *at; /* [2 n_symbols] the expressions in a relation or stair */

  at = take(w, 2 * (size_t)f->n_symbols, sizeof *at);
  if (!at)
    return BRINK_ENOMEM;
  for (size_t i = 0; i < f->n_relations; i++) {
    at[2 * f->relations[i].slot] = f->relations[i].left;
    at[2 * f->relations[i].slot + 1] = f->relations[i].right;
  }
  for (size_t i = 0; i < f->n_stairs; i++)
    at[2 * f->stairs[i].slot] = f->stairs[i].arg;
  for (size_t k = 0; k < w->todo.n; k++)
    BRINK_TRY(reads(w, 2, at + 2 * w->todo.v[k]));
  return BRINK_OK;
}

/* -------------------------------------------------------------------- all --- */

/* Copy the elements i of a list for which `exists` holds; room for `more` of them. */
#define KEEP(field, more, exists)                                                      \
  v->field = take(w, f->n_##field + (more), sizeof *v->field);                         \
  if (!v->field)                                                                       \
    return BRINK_ENOMEM;                                                               \
  for (size_t i = 0; i < f->n_##field; i++)                                            \
    if (exists)                                                                        \
  v->field[v->n_##field++] = f->field[i]

/* Put the values of the switches into the Real equations. */
static brink_status fix_branches(builder *w, const int *state, size_t n,
                                 brink__flat_eqn *eqns)
{
  const brink__flat *f = w->f;
  brink__node *by = take(w, (size_t)f->n_symbols, sizeof *by);

  if (!by)
    return BRINK_ENOMEM;
  for (size_t k = 0; k < f->n_switches; k++) {
    brink__node value =
        brink__boolean(f->graph, state[k] == brink__flat_switch_state((int)k, 1));
    if (!value)
      return BRINK_ENOMEM;
    by[f->switches[k].value] = value;
    if (f->switches[k].same >= 0)
      by[f->switches[k].same] = value;
  }
  for (size_t i = 0; i < n; i++) {
    brink__node side[2] = {eqns[i].lhs, eqns[i].rhs};
    if (brink__node_type(f->graph, side[0]) == BRINK_TYPE_BOOLEAN)
      continue;
    BRINK_TRY(brink__substitute(f->graph, (size_t)f->n_symbols, by, 2, side, side));
    eqns[i].lhs = side[0];
    eqns[i].rhs = side[1];
  }
  return BRINK_OK;
}

/* What belongs to active states, or to none. */
static brink_status keep_active(builder *w, mode_part *part)
{
  const brink__flat *f = w->f;
  brink__flat *v = w->v;

  KEEP(vars, 0, 1);
  for (size_t i = 0; i < f->n_vars; i++)
    v->vars[i].inactive =
        f->vars[i].reserved ||
        (!w->on[f->vars[i].mode] && f->vars[i].variability > BRINK__PARAMETER);
  KEEP(eqns, 0, w->on[f->eqns[i].mode]);
  KEEP(initial_eqns, 0, w->on[f->initial_eqns[i].mode]);
  KEEP(natural, 0, w->on[f->natural[i].mode]);
  if (f->n_switches) {
    BRINK_TRY(fix_branches(w, part->state, v->n_eqns, v->eqns));
    BRINK_TRY(fix_branches(w, part->state, v->n_initial_eqns, v->initial_eqns));
    BRINK_TRY(fix_branches(w, part->state, v->n_natural, v->natural));
  }
  KEEP(asserts, 0, w->on[f->asserts[i].mode]);
  part->asserts = take(w, f->n_asserts, sizeof *part->asserts);
  if (!part->asserts)
    return BRINK_ENOMEM;
  for (size_t i = 0, n = 0; i < f->n_asserts; i++)
    if (w->on[f->asserts[i].mode])
      part->asserts[n++] = (int32_t)i;
  KEEP(whens, (size_t)part->n_leaves, w->on[f->whens[i].mode]);
  for (int i = 0; i < part->n_leaves; i++)
    BRINK_TRY(leave(w, part->leaves[i], &v->whens[v->n_whens++]));
  return BRINK_OK;
}

/* What is read by what exists; delays all stay. */
static brink_status keep_read(builder *w)
{
  const brink__flat *f = w->f;
  brink__flat *v = w->v;

  KEEP(relations, 0, w->read[f->relations[i].slot]);
  KEEP(stairs, 0, w->read[f->stairs[i].slot]);
  KEEP(samples, 0, w->read[f->samples[i].slot]);
  KEEP(delays, 0, 1);
  for (size_t i = 0; i < f->n_delays; i++)
    v->delays[i].unread = !w->read[f->delays[i].slot];
  return BRINK_OK;
}
#undef KEEP

static brink_status fill(builder *w, const int *state, mode_part *part)
{
  const brink__flat *f = w->f;

  w->on = take(w, f->n_states + 1, 1);
  w->read = take(w, (size_t)f->n_symbols, 1);
  part->state = take(w, f->n_machines, sizeof *part->state);
  if (!w->on || !w->read || !part->state)
    return BRINK_ENOMEM;
  w->on[0] = 1;
  for (size_t k = 0; k < f->n_machines; k++) {
    part->state[k] = state[k];
    if (state[k] >= 0)
      w->on[state[k] + 1] = 1;
  }
  BRINK_TRY(leaves(w, state, part));
  BRINK_TRY(keep_active(w, part));
  BRINK_TRY(readers(w));
  BRINK_TRY(behind(w));
  return keep_read(w);
}

brink_status brink__modes_equations(brink_ctx *ctx, const brink__flat *flat,
                                    const int *state, mode_part *part,
                                    brink__flat **out)
{
  brink__pool pool = {.ctx = ctx};
  brink__flat *v = brink__dae_take(&pool, 1, sizeof *v);

  *out = NULL;
  *part = (mode_part){0};
  if (!v)
    return BRINK_ENOMEM;
  *v = (brink__flat){.pool = pool,
                     .graph = flat->graph,
                     .name = flat->name,
                     .file = flat->file,
                     .n_symbols = flat->n_symbols,
                     .derivative = flat->derivative,
                     .initial = flat->initial,
                     .terminal = flat->terminal,
                     .lambda = flat->lambda,
                     .homotopy = flat->homotopy,
                     .base = flat->base,
                     .borrowed = 1,
                     .states = flat->states,
                     .machines = flat->machines,
                     .n_states = flat->n_states,
                     .n_machines = flat->n_machines,
                     .switches = flat->switches,
                     .n_switches = flat->n_switches,
                     .settings = flat->settings};
  builder w = {
      .ctx = ctx, .f = flat, .v = v, .walk = {.ctx = ctx, .graph = flat->graph}};
  brink_status rc = fill(&w, state, part);
  brink__dae_walk_drop(&w.walk);
  brink__dae_list_drop(ctx, &w.todo);
  if (rc < 0) {
    brink__flat_free(v);
    return rc;
  }
  *out = v;
  return BRINK_OK;
}
