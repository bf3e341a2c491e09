/* time_lines.c -- what is linear in time, and otherwise made of parameters and discrete
 * variables, also through other equations: a relation or stair of it has known times.
 *
 * saw = mod(time, 24) is time - 24 n with a stair n, so saw < 12 changes at 24 n + 12.
 */
#include "clause/build.h"

/* Is everything that n reads known between events, but for time and variables that are
 * linear in it? */
static brink_status reads_time_only(dae_build *b, const brink__node *in_time,
                                    brink__node n, int *yes)
{
  *yes = 1;
  BRINK_TRY(brink__dae_symbols(b, 1, &n));
  for (size_t i = 0; i < b->list.n; i++) {
    int32_t s = b->list.v[i];
    *yes &= s == BRINK__TIME || b->fixed[s] || in_time[s];
  }
  return BRINK_OK;
}

/* What a node does while time passes. */
enum { MOVES = 1, JUMPS = 2 };

/* Has the operator derivative zero, or that of one part, where its value jumps? */
static int is_step(brink__op op)
{
  return op == BRINK_OP_SIGN || op == BRINK_OP_QUOT || op == BRINK_OP_MOD ||
         op == BRINK_OP_REM || op == BRINK_OP_CEIL || op == BRINK_OP_FLOOR ||
         op == BRINK_OP_INTEGER || (op >= BRINK_OP_LT && op <= BRINK_OP_NE);
}

static unsigned char marked(const dae_walk *w, brink__node n)
{
  brink__op op = brink__node_op(w->graph, n);
  unsigned marks = 0;

  if (op == BRINK_OP_CONST)
    return 0;
  if (op == BRINK_OP_SYMBOL)
    return brink__node_symbol(w->graph, n) == BRINK__TIME ? MOVES : 0;
  for (int i = 0; i < brink__op_arity(op); i++)
    marks |= w->mark[brink__node_arg(w->graph, n, i)];
  return (unsigned char)(is_step(op) && (marks & MOVES) ? marks | JUMPS : marks);
}

/* Does n read time, and does it jump by itself, as in noEvent(floor(time))? */
static brink_status look_at(dae_walk *w, brink__node n, int *moves, int *jumps)
{
  brink__node node;

  BRINK_TRY(brink__dae_walk_begin(w));
  BRINK_TRY(brink__dae_walk_push(w, n));
  for (;;) {
    BRINK_TRY(brink__dae_walk_up(w, &node));
    if (!node)
      break;
    w->mark[node] = marked(w, node);
  }
  *moves = (w->mark[n] & MOVES) != 0;
  *jumps = (w->mark[n] & JUMPS) != 0;
  return BRINK_OK;
}

/* Is n, which reads time only, linear in it?  *moves: it reads time at all. */
static brink_status is_linear(dae_build *b, brink__node n, int *yes, int *moves)
{
  int bent = 0;

  BRINK_TRY(look_at(&b->walk, n, moves, &bent));
  if (*moves && !bent) {
    brink__node slope = brink__diff(b->graph, n, BRINK__TIME);
    if (!slope)
      return b->ctx->err.status;
    BRINK_TRY(brink__dae_walk_mark(&b->walk, slope, BRINK__TIME, &bent));
  }
  *yes = !bent;
  return BRINK_OK;
}

/* n with the variables that are linear in time replaced by what they are. */
static brink_status written_out(dae_build *b, const brink__node *in_time, brink__node n,
                                brink__node *out)
{
  return brink__substitute(b->graph, b->n_symbols, in_time, 1, &n, out);
}

brink_status brink__clause_variables_in_time(dae_build *b, brink__node **out)
{
  const brink__components *c = &b->flow.c;
  brink__node *in_time;

  BRINK_TRY(DAE_TAKE(&b->tmp, b->n_symbols, &in_time));
  for (size_t k = 0; k < c->count; k++) {
    int32_t row = c->order[c->first[k]], u = b->rows[row].unknown;
    brink__node n = b->solved[row];
    int yes = 1, moves;
    if (c->first[k + 1] - c->first[k] > 1 || !n || b->unknowns[u].kind != DAE_ALGEBRAIC)
      continue;
    for (size_t e = b->sym_start[row]; e < b->sym_start[row + 1] && yes; e++) {
      int32_t s = b->sym[e];
      yes = s == BRINK__TIME || b->fixed[s] || in_time[s] || s == b->unknowns[u].symbol;
    }
    if (!yes)
      continue;
    BRINK_TRY(written_out(b, in_time, n, &n));
    BRINK_TRY(is_linear(b, n, &yes, &moves));
    if (yes)
      in_time[b->unknowns[u].symbol] = n;
  }
  *out = in_time;
  return BRINK_OK;
}

brink_status brink__clause_is_timed(dae_build *b, const brink__node *in_time,
                                    brink__node *n, int *timed, int *moved_by_events)
{
  brink__node all = BRINK__NONE;
  int moves = 0;

  *moved_by_events = 0;
  BRINK_TRY(reads_time_only(b, in_time, *n, timed));
  if (!*timed)
    return BRINK_OK;
  BRINK_TRY(written_out(b, in_time, *n, &all));
  BRINK_TRY(is_linear(b, all, timed, &moves));
  *timed &= moves;
  if (!*timed)
    return BRINK_OK;
  *n = all;
  BRINK_TRY(brink__dae_symbols(b, 1, n));
  for (size_t i = 0; i < b->list.n; i++)
    *moved_by_events |= b->frozen[b->list.v[i]];
  return BRINK_OK;
}

brink_status brink__clause_line_roots(dae_build *b, brink__node n,
                                      brink__node roots[CLAUSE_LINE])
{
  brink__graph *g = b->graph;
  brink__node zero = brink__real(g, 0), over = n, under = brink__real(g, 1), *by;
  int moves = 0;

  if (brink__node_op(g, n) == BRINK_OP_DIV) {
    over = brink__node_arg(g, n, 0);
    under = brink__node_arg(g, n, 1);
    BRINK_TRY(brink__dae_walk_mark(&b->walk, under, BRINK__TIME, &moves));
  }
  if (moves) { /* linear all the same, if the numerator has the same factor */
    over = n;
    under = brink__real(g, 1);
  }
  BRINK_TRY(DAE_TAKE(&b->tmp, BRINK__TIME + 1, &by));
  by[BRINK__TIME] = zero;
  roots[0] = brink__diff(g, over, BRINK__TIME);
  BRINK_TRY(brink__substitute(g, BRINK__TIME + 1, by, 1, &over, &roots[1]));
  roots[2] = under;
  return roots[0] && roots[1] && under ? BRINK_OK : b->ctx->err.status;
}
