/* sort.c -- blocks in order of evaluation.
 *
 * Twice: for the flow, where discrete variables are known and only equations between
 * Reals take part; and for events, where everything is unknown but pre() and the
 * frozen relations.  A block of several equations is a loop; one that holds a
 * Boolean or Integer cannot be solved by iteration and is refused.
 */
#include "dae/build.h"

#include <stdio.h>
#include <string.h>

static int takes_part(const dae_build *b, size_t i, int event)
{
  return event || (b->rows[i].kind == BRINK__ROW_REAL &&
                   b->unknowns[b->rows[i].unknown].kind != DAE_DISCRETE);
}

/* The graph that is sorted: row i needs the rows that determine the unknowns in it. */
static brink_status arrows(dae_build *b, const int32_t *vertex, size_t *start,
                           dae_list *to)
{
  size_t n = 0;

  for (size_t i = 0; i < b->n_rows; i++) {
    if (vertex[i] < 0)
      continue;
    start[n++] = to->n;
    for (size_t e = b->sym_start[i]; e < b->sym_start[i + 1]; e++) {
      int32_t u = b->unknown_of[b->sym[e]];
      int32_t r = u < 0 ? -1 : b->unknowns[u].row;
      if (r >= 0 && (size_t)r != i && vertex[r] >= 0)
        BRINK_TRY(brink__dae_list_add(b->ctx, to, vertex[r]));
    }
  }
  start[n] = to->n;
  return BRINK_OK;
}

static brink_status sort(dae_build *b, int event, dae_order *out)
{
  int32_t *vertex, *row;
  size_t *start, n = 0;
  dae_list to = {NULL, 0, 0};

  BRINK_TRY(DAE_TAKE(&b->tmp, b->n_rows, &vertex));
  BRINK_TRY(DAE_TAKE(&b->tmp, b->n_rows, &row));
  BRINK_TRY(DAE_TAKE(&b->tmp, b->n_rows + 1, &start));
  BRINK_TRY(DAE_TAKE(&b->tmp, b->n_rows, &out->of));
  BRINK_TRY(DAE_TAKE(&b->tmp, b->n_rows, &out->c.order));
  BRINK_TRY(DAE_TAKE(&b->tmp, b->n_rows + 1, &out->c.first));
  for (size_t i = 0; i < b->n_rows; i++) {
    vertex[i] = takes_part(b, i, event) ? (int32_t)n : -1;
    if (vertex[i] >= 0)
      row[n++] = (int32_t)i;
  }
  brink_status rc = arrows(b, vertex, start, &to);
  if (rc == BRINK_OK)
    rc = brink__blocks(b->ctx, n, start, to.v, &out->c);
  brink__dae_list_drop(b->ctx, &to);
  BRINK_TRY(rc);
  memset(out->of, -1, b->n_rows * sizeof *out->of);
  for (size_t c = 0; c < out->c.count; c++)
    for (size_t k = out->c.first[c]; k < out->c.first[c + 1]; k++) {
      out->c.order[k] = row[out->c.order[k]];
      out->of[out->c.order[k]] = (int32_t)c;
    }
  return BRINK_OK;
}

/* ---------------------------------------------------------- discrete ----- */

static int is_whole(const dae_build *b, int32_t row)
{
  const dae_unknown *u = &b->unknowns[b->rows[row].unknown];
  return u->kind == DAE_HELPER ||
         (u->var >= 0 && b->flat->vars[u->var].type != BRINK_TYPE_REAL);
}

static brink_status refuse(dae_build *b, const int32_t *rows, size_t n)
{
  char names[140] = "";
  size_t used = 0;
  int32_t first = rows[0];
  int last = 0; /* line of the last condition that was named: one of each is enough */

  for (size_t k = 0; k < n; k++) {
    int var = b->unknowns[b->rows[rows[k]].unknown].var;
    int line = b->rows[rows[k]].at.line;
    if (rows[k] < first)
      first = rows[k];
    if (used + 40 > sizeof names || (var < 0 && line == last))
      continue;
    if (var < 0)
      last = line;
    used += (size_t)snprintf(names + used, sizeof names - used,
                             var < 0 ? "%s%s (line %d)" : "%s'%.20s' (line %d)",
                             used ? ", " : "",
                             var < 0 ? "a condition" : b->flat->vars[var].name, line);
  }
  return brink__dae_fault(
      b, b->rows[first].at,
      "a loop of Booleans or Integers: %s need each other at the same "
      "instant; break it with pre()",
      names);
}

/* Does the row read its own unknown, other than as the bare left side? */
static int reads_itself(dae_build *b, int32_t row)
{
  const brink__row *r = &b->rows[row];
  int32_t symbol = b->unknowns[r->unknown].symbol;
  int in_lhs = 0, in_rhs = 0;

  if (brink__dae_walk_mark(&b->walk, r->lhs, symbol, &in_lhs) < 0 ||
      brink__dae_walk_mark(&b->walk, r->rhs, symbol, &in_rhs) < 0)
    return 0;
  return in_lhs && in_rhs;
}

brink_status brink__dae_sort(dae_build *b)
{
  BRINK_TRY(sort(b, 0, &b->flow));
  BRINK_TRY(sort(b, 1, &b->event));
  int bad = 0;
  for (size_t c = 0; c < b->event.c.count; c++) {
    const int32_t *rows = b->event.c.order + b->event.c.first[c];
    size_t n = b->event.c.first[c + 1] - b->event.c.first[c];
    int whole = 0;
    for (size_t k = 0; k < n; k++)
      whole |= is_whole(b, rows[k]);
    if (whole && (n > 1 || reads_itself(b, rows[0]))) {
      refuse(b, rows, n);
      bad = 1;
    }
  }
  return bad ? BRINK_EMODEL : BRINK_OK;
}
