/* guard_domains.c -- does a unilateral guard have a value where f has none?
 *
 * The gate asks the guards of unilateral events before it lets f be evaluated, so they
 * should have a value on both sides of their zero.  One that needs a derivative, a loop
 * or an operation with an edge (sqrt, log, a division ...) may have none beyond: then
 * no value counts as "beyond" (machine/ops.c), which is safe, but a trial point that is
 * refused for another reason is then taken for the event.  brink check names such
 * guards.
 */
#include "clause/build.h"

#include <stdio.h>

enum { CULPRIT = 60, SENTENCE = 320 };

/* Which argument of the operation has an edge beyond which there is no value; -1: none.
 */
static int edge_of(const brink__graph *g, brink__node n)
{
  brink__op op = brink__node_op(g, n);

  if (op == BRINK_OP_SQRT || op == BRINK_OP_LOG || op == BRINK_OP_LOG10 ||
      op == BRINK_OP_ASIN || op == BRINK_OP_ACOS || op == BRINK_OP_POW)
    return 0;
  if (op == BRINK_OP_DIV || op == BRINK_OP_QUOT || op == BRINK_OP_MOD ||
      op == BRINK_OP_REM)
    return 1;
  return -1;
}

/* The first operation below the root that may have no value; BRINK__NONE: none. */
static brink_status edge_below(dae_build *b, brink__node root, brink__node *out)
{
  dae_list found = {NULL, 0, 0};
  brink_status rc = brink__dae_walk_begin(&b->walk);
  brink__node node = root;

  if (rc == BRINK_OK)
    rc = brink__dae_walk_push(&b->walk, root);
  while (rc == BRINK_OK && node) {
    rc = brink__dae_walk_next(&b->walk, &node);
    if (rc == BRINK_OK && node && edge_of(b->graph, node) >= 0)
      rc = brink__dae_list_add(b->ctx, &found, node);
  }
  *out = BRINK__NONE;
  for (size_t i = 0; i < found.n && rc == BRINK_OK && *out == BRINK__NONE; i++) {
    int fixed, at = edge_of(b->graph, found.v[i]);
    rc = brink__dae_is_fixed(b, brink__node_arg(b->graph, found.v[i], at), 0, &fixed);
    if (rc == BRINK_OK && !fixed)
      *out = found.v[i];
  }
  brink__dae_list_drop(b->ctx, &found);
  return rc;
}

static int name_of(void *user, int32_t symbol, char *buf, size_t cap)
{
  const dae_build *b = user;
  int32_t var = b->var_of[symbol];

  return snprintf(buf, cap, "%s", var >= 0 ? b->flat->vars[var].name : "a derivative");
}

static int is_derivative(const dae_build *b, int32_t symbol)
{
  return b->unknown_of[symbol] >= 0 &&
         b->unknowns[b->unknown_of[symbol]].kind == DAE_DER;
}

/* What a step of the guard's program needs that may not be there; "": nothing. */
static brink_status need_of_step(dae_build *b, const dae_step *s, char *buf, size_t cap)
{
  char text[CULPRIT + 4];

  if (s->loop) {
    name_of(b, s->loop->symbol[0], text, sizeof text);
    snprintf(buf, cap, "it needs %s, which is solved for and may have no value beyond",
             text);
    return BRINK_OK;
  }
  for (size_t i = 0; i < s->n_rows; i++) {
    brink__node edge;
    if (is_derivative(b, brink__dae_target(s, i))) {
      snprintf(buf, cap, "it needs a derivative (line %d)", b->rows[s->row[i]].at.line);
      return BRINK_OK;
    }
    BRINK_TRY(edge_below(b, s->root[i], &edge));
    if (edge) {
      brink__print_short(b->graph, edge, name_of, b, text, sizeof text);
      snprintf(buf, cap, "it needs %s (line %d), which may have no value beyond", text,
               b->rows[s->row[i]].at.line);
      return BRINK_OK;
    }
  }
  return BRINK_OK;
}

static brink_status need_of(dae_build *b, const clause_guard *g, char *buf, size_t cap)
{
  brink__node edge = BRINK__NONE;
  char text[CULPRIT + 4];

  *buf = '\0';
  for (size_t k = 0; k < g->program.n_steps && !*buf; k++)
    BRINK_TRY(need_of_step(b, &g->program.steps[k], buf, cap));
  if (*buf || g->relation < 0)
    return BRINK_OK;
  BRINK_TRY(edge_below(b, b->m->relations[g->relation].g, &edge));
  if (edge) {
    brink__print_short(b->graph, edge, name_of, b, text, sizeof text);
    snprintf(buf, cap, "%s may have no value beyond", text);
  }
  return BRINK_OK;
}

brink_status brink__clause_guard_domains(dae_build *b, brink_anatomy *a)
{
  dae_model *m = b->m;
  const char **out;
  char need[SENTENCE / 2], text[SENTENCE];

  BRINK_TRY(DAE_TAKE(&m->pool, m->n_guards, &out));
  a->notes = out;
  for (size_t k = 0; k < m->n_guards; k++) {
    if (brink__clause_side(&m->base, NULL, 0, (int)k) != BRINK_BEFORE)
      continue;
    BRINK_TRY(need_of(b, &m->guards[k], need, sizeof need));
    if (!*need)
      continue;
    int n =
        snprintf(text, sizeof text,
                 "'%.120s' cannot be told before f: %s; better put the condition on "
                 "a state",
                 m->info[k].name, need);
    out[a->n_notes] = brink__pool_str(&m->pool, text, (size_t)n);
    if (!out[a->n_notes++])
      return BRINK_ENOMEM;
  }
  return BRINK_OK;
}
