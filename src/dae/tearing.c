/* tearing.c -- loops with fewer unknowns.
 *
 * Some unknowns of a loop are chosen as tearing variables; given these, others follow
 * from equations one after the other, and the equations left over determine the tearing
 * variables [EO94].  What follows is put into the equations left over, so that these
 * are a loop of their own, small, and the others explicit assignments behind it.
 *
 * This is elimination in a fixed order, and must be as safe as one that looks at the
 * numbers:
 *
 *   pivots ....... an equation is solved for an unknown only if the derivative with
 *                  respect to it is a number other than 0: no parameter, of which
 * nobody knows what it will be; growth ....... an unknown may be a sum of a few tearing
 * variables: rounding grows by no more than the number of terms, and little is filled.
 * A chain of equations as long as the loop could follow from one tearing variable, and
 * would magnify its rounding without bound.
 *
 * Choice.  As long as an equation has one unknown left for which it may be solved, it
 * is.  Else an unknown becomes a tearing variable: one with a start value that somebody
 * has written first, then the one that occurs most often.  Time: entries times the
 * logarithm of the unknowns.
 */
#include "dae/build.h"

#include <math.h>
#include <stdlib.h>

/* Loops below this size are solved as they are: there is nothing to be gained. */
enum { TEAR_FROM = 4 };

/* Most terms in tearing variables of what is eliminated, coefficients counted. */
static const double GROWTH_MOST = 8;

/* What a term counts whose coefficient changes with the unknowns. */
static const double CURVED = 2;

typedef struct tearing {
  dae_build *b;
  const dae_loop *loop;
  size_t n;
  const brink__pattern *p;  /* unknowns of each equation, as symbols               */
  const brink__node *entry; /* derivatives with respect to them                    */
  size_t *start;            /* [n + 1] equations of each unknown: ...              */
  int32_t *in;              /* ... in[start[u]] .. in[start[u + 1] - 1]            */
  double *growth;           /* [n] of an unknown; 0: not known yet                 */
  int32_t *left;            /* [n] unknowns of the equation that are not known     */
  int32_t *solved;          /* [n] unknown for which the equation is solved, or -1 */
  brink__node *value;       /* [n] to what                                         */
  int32_t *number;          /* [n] of a tearing variable among them, or -1         */
  int32_t *order;           /* [n] equations that are solved, in order             */
  int32_t *ready;           /* [n] a stack of equations with one unknown left      */
  size_t n_order, n_ready;
} tearing;

static size_t unknown_at(const tearing *t, size_t k)
{
  return (size_t)t->b->place[t->p->col[k]];
}

/* ------------------------------------------------------------- choice ---- */

/* u is known now: equations that have one unknown left may be solved. */
static void settle(tearing *t, size_t u, double growth)
{
  t->growth[u] = growth;
  for (size_t e = t->start[u]; e < t->start[u + 1]; e++)
    if (--t->left[t->in[e]] == 1)
      t->ready[t->n_ready++] = t->in[e];
}

/* What a term counts in the unknown with coefficient c of its equation. */
static brink_status count_term(tearing *t, brink__node d, double c, double *out)
{
  const brink__graph *g = t->b->graph;
  double size = 1;

  if (brink__node_op(g, d) == BRINK_OP_CONST)
    size = fabs(brink__node_value(g, d));
  else {
    t->b->list.n = 0;
    BRINK_TRY(brink__dae_walk_symbols(&t->b->walk, 1, &d, &t->b->list));
    for (size_t i = 0; i < t->b->list.n; i++)
      size = t->b->sought[t->b->list.v[i]] ? CURVED : size;
  }
  *out = fmax(1, size / c);
  return BRINK_OK;
}

/* Solve equation i for the unknown that is left, if that is safe. */
static brink_status try_equation(tearing *t, size_t i)
{
  const brink__graph *g = t->b->graph;
  size_t first = t->p->start[i], end = t->p->start[i + 1], own = end;
  double growth = 0;

  for (size_t k = first; k < end; k++)
    if (t->growth[unknown_at(t, k)] == 0)
      own = k;
  if (own == end || brink__node_op(g, t->entry[own]) != BRINK_OP_CONST ||
      brink__node_is(g, t->entry[own], 0))
    return BRINK_OK;
  double c = fabs(brink__node_value(g, t->entry[own]));
  for (size_t k = first; k < end; k++) {
    double term = 0;
    if (k == own || brink__node_is(g, t->entry[k], 0))
      continue;
    BRINK_TRY(count_term(t, t->entry[k], c, &term));
    growth += term * t->growth[unknown_at(t, k)];
  }
  if (growth > GROWTH_MOST)
    return BRINK_OK;
  const brink__row *r = &t->b->rows[t->loop->row[i]];
  BRINK_TRY(brink__dae_solve(&t->b->walk, r->lhs, r->rhs, t->p->col[own], t->b->by,
                             &t->value[i]));
  if (!t->value[i])
    return BRINK_OK;
  t->solved[i] = (int32_t)unknown_at(t, own);
  t->order[t->n_order++] = (int32_t)i;
  settle(t, unknown_at(t, own), fmax(1, growth));
  return BRINK_OK;
}

static brink_status propagate(tearing *t)
{
  while (t->n_ready)
    BRINK_TRY(try_equation(t, (size_t)t->ready[--t->n_ready]));
  return BRINK_OK;
}

typedef struct candidate {
  size_t guessed, occurs, index;
} candidate;

static int better_first(const void *x, const void *y)
{
  const candidate *a = x, *b = y;

  if (a->guessed != b->guessed)
    return a->guessed ? -1 : 1;
  if (a->occurs != b->occurs)
    return a->occurs > b->occurs ? -1 : 1;
  return a->index < b->index ? -1 : a->index > b->index;
}

static brink_status choose(tearing *t)
{
  candidate *c;

  BRINK_TRY(DAE_TAKE(&t->b->tmp, t->n, &c));
  for (size_t u = 0; u < t->n; u++) {
    int32_t var = t->loop->var[u];
    c[u] = (candidate){.guessed = var >= 0 && t->b->flat->vars[var].start,
                       .occurs = t->start[u + 1] - t->start[u],
                       .index = u};
  }
  qsort(c, t->n, sizeof *c, better_first);
  for (size_t i = 0; i < t->n; i++)
    if (t->left[i] == 1)
      t->ready[t->n_ready++] = (int32_t)i;
  BRINK_TRY(propagate(t));
  for (size_t k = 0; k < t->n; k++) {
    if (t->growth[c[k].index] > 0)
      continue;
    settle(t, c[k].index, 1);
    BRINK_TRY(propagate(t));
  }
  return BRINK_OK;
}

/* Which equations hold which unknowns. */
static brink_status prepare(tearing *t)
{
  brink__pool *tmp = &t->b->tmp;
  size_t *next;

  BRINK_TRY(DAE_TAKE(tmp, t->n + 1, &t->start));
  BRINK_TRY(DAE_TAKE(tmp, t->p->nnz, &t->in));
  BRINK_TRY(DAE_TAKE(tmp, t->n, &t->growth));
  BRINK_TRY(DAE_TAKE(tmp, t->n, &t->left));
  BRINK_TRY(brink__dae_take_ids(tmp, t->n, &t->solved));
  BRINK_TRY(DAE_TAKE(tmp, t->n, &t->value));
  BRINK_TRY(DAE_TAKE(tmp, t->n, &t->order));
  BRINK_TRY(DAE_TAKE(tmp, t->n, &t->ready));
  BRINK_TRY(DAE_TAKE(tmp, t->n, &next));
  for (size_t k = 0; k < t->p->nnz; k++)
    t->start[unknown_at(t, k) + 1]++;
  for (size_t u = 0; u < t->n; u++)
    t->start[u + 1] += t->start[u];
  for (size_t i = 0; i < t->n; i++) {
    t->left[i] = (int32_t)(t->p->start[i + 1] - t->p->start[i]);
    for (size_t k = t->p->start[i]; k < t->p->start[i + 1]; k++) {
      size_t u = unknown_at(t, k);
      t->in[t->start[u] + next[u]++] = (int32_t)i;
    }
  }
  return BRINK_OK;
}

/* -------------------------------------------------------- elimination ---- */

/* The equations left over, without the unknowns that were eliminated; b->by holds what
 * these are in tearing variables. */
static brink_status eliminate(tearing *t, const brink__node *res, brink__node *out)
{
  dae_build *b = t->b;
  size_t n = 0;

  for (size_t k = 0; k < t->n_order; k++) {
    int32_t i = t->order[k];
    BRINK_TRY(brink__substitute(b->graph, b->n_symbols, b->by, 1, &t->value[i],
                                &b->by[t->loop->symbol[t->solved[i]]]));
  }
  for (size_t i = 0; i < t->n; i++)
    if (t->solved[i] < 0)
      BRINK_TRY(
          brink__substitute(b->graph, b->n_symbols, b->by, 1, &res[i], &out[n++]));
  return BRINK_OK;
}

/* Which tearing variable each equation left over determines; *whole: all of them do,
 * and there are no more entries than in the loop as it was. */
static brink_status pair(tearing *t, const brink__node *rest, size_t n,
                         int32_t *tear_of, int *whole)
{
  dae_build *b = t->b;
  brink__pattern p = {.ctx = NULL};
  int32_t *row_of;
  size_t size = 0;

  BRINK_TRY(brink__dae_take_ids(&b->tmp, n, &row_of));
  brink_status rc = brink__pattern_new(b->graph, n, rest, b->n_symbols, b->sought, &p);
  for (size_t k = 0; k < p.nnz && rc == BRINK_OK; k++)
    p.col[k] = t->number[b->place[p.col[k]]];
  if (rc == BRINK_OK)
    rc = brink__match(b->ctx, &(brink__incidence){n, n, p.start, p.col}, tear_of,
                      row_of, &size);
  *whole = size == n && p.nnz <= t->p->nnz;
  brink__pattern_drop(&p);
  return rc;
}

/* Put the tearing variables of the loop first, with the equations that determine them,
 * and the eliminated unknowns behind, in order. */
static brink_status rearrange(tearing *t, dae_loop *loop, size_t n,
                              const int32_t *tear_of)
{
  dae_loop was = *loop;
  brink__pool *pool = &t->b->m->pool;
  size_t k = 0;

  BRINK_TRY(DAE_TAKE(pool, t->n, &loop->row));
  BRINK_TRY(DAE_TAKE(pool, t->n, &loop->symbol));
  BRINK_TRY(DAE_TAKE(pool, t->n, &loop->var));
  BRINK_TRY(DAE_TAKE(pool, t->n_order, &loop->inner));
  loop->n = n;
  for (size_t i = 0; i < t->n; i++)
    if (t->solved[i] < 0)
      loop->row[tear_of[k++]] = was.row[i];
  for (size_t u = 0; u < t->n; u++)
    if (t->number[u] >= 0) {
      loop->symbol[t->number[u]] = was.symbol[u];
      loop->var[t->number[u]] = was.var[u];
    }
  for (k = 0; k < t->n_order; k++) {
    int32_t i = t->order[k];
    loop->row[n + k] = was.row[i];
    loop->symbol[n + k] = was.symbol[t->solved[i]];
    loop->var[n + k] = was.var[t->solved[i]];
    loop->inner[k] = t->value[i];
  }
  return BRINK_OK;
}

/* Number the tearing variables. */
static brink_status number(tearing *t)
{
  int32_t n = 0;

  BRINK_TRY(DAE_TAKE(&t->b->tmp, t->n, &t->number));
  for (size_t k = 0; k < t->n_order; k++)
    t->number[t->solved[t->order[k]]] = -1;
  for (size_t u = 0; u < t->n; u++)
    if (t->number[u] == 0)
      t->number[u] = n++;
  return BRINK_OK;
}

static brink_status reduce(tearing *t, dae_loop *loop, brink__node *res)
{
  size_t n = t->n - t->n_order;
  brink__node *rest;
  int32_t *tear_of;
  int whole = 0;

  BRINK_TRY(DAE_TAKE(&t->b->tmp, n, &rest));
  BRINK_TRY(brink__dae_take_ids(&t->b->tmp, n, &tear_of));
  BRINK_TRY(number(t));
  BRINK_TRY(eliminate(t, res, rest));
  BRINK_TRY(pair(t, rest, n, tear_of, &whole));
  if (!whole)
    return BRINK_OK;
  BRINK_TRY(rearrange(t, loop, n, tear_of));
  for (size_t k = 0; k < n; k++)
    res[tear_of[k]] = rest[k];
  return BRINK_OK;
}

brink_status brink__dae_tear(dae_build *b, dae_loop *loop, const brink__pattern *p,
                             const brink__node *entry, brink__node *res)
{
  tearing t = {.b = b, .loop = loop, .n = loop->n, .p = p, .entry = entry};

  if (loop->n < TEAR_FROM)
    return BRINK_OK;
  BRINK_TRY(prepare(&t));
  BRINK_TRY(choose(&t));
  if (2 * t.n_order < t.n) /* more work for the equations than is saved elsewhere */
    return BRINK_OK;
  dae_loop was = *loop;
  brink_status rc = reduce(&t, loop, res);
  for (size_t u = 0; u < t.n; u++)
    b->by[was.symbol[u]] = BRINK__NONE;
  return rc;
}
