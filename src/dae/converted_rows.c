/* converted_rows.c -- rows, variables and derivatives of equations that are converted.
 *
 * Converted equations contain derivatives for which the model has no symbol yet.  They
 * get one behind those of the model; what it stands for is in the terms of the system,
 * and reduce.c puts the symbols of states in their places.
 */
#include "dae/convert.h"

#include <math.h>
#include <string.h>

/* --------------------------------------------------------------- symbols --- */

static brink_status grow_symbols(dae_converting *c, size_t need)
{
  brink__natural *s = &c->n->system;
  brink__term *terms;
  double *held;

  if (need <= c->cap_symbols)
    return BRINK_OK;
  size_t cap = 2 * need;
  BRINK_TRY(DAE_TAKE(&c->n->pool, cap, &terms));
  BRINK_TRY(DAE_TAKE(&c->n->pool, cap, &held));
  memcpy(terms, s->terms, s->n_symbols * sizeof *terms);
  for (size_t i = 0; i < cap; i++)
    held[i] = i < s->n_symbols && s->held ? s->held[i] : nan("");
  s->terms = c->terms = terms;
  s->held = held;
  c->cap_symbols = cap;
  return BRINK_OK;
}

/* One symbol for each derivative; by: what stands for the others.  How many those are,
 * or an error. */
static int unify(dae_converting *c, brink__node *by)
{
  const brink__natural *s = &c->n->system;
  int others = 0;

  for (size_t id = 0; id < s->n_symbols; id++) {
    const brink__term *t = &s->terms[id];
    if (t->var < 0 || t->order > c->d[t->var])
      continue;
    int32_t *known = &c->symbol[c->first[t->var] + (size_t)t->order];
    if (*known < 0) {
      *known = (int32_t)id;
      continue;
    }
    by[id] = brink__symbol(s->graph, *known, BRINK_TYPE_REAL);
    if (!by[id])
      return BRINK_ENOMEM;
    others++;
  }
  return others;
}

brink_status brink__dae_name_derivatives(dae_converting *c)
{
  const brink__natural *s = &c->n->system;
  brink__node *by;

  BRINK_TRY(DAE_TAKE(&c->tmp, s->n_cols, &c->d));
  BRINK_TRY(DAE_TAKE(&c->tmp, s->n_cols, &c->place));
  BRINK_TRY(DAE_TAKE(&c->tmp, s->n_cols + 1, &c->first));
  for (size_t j = 0; j < s->n_cols; j++) {
    c->d[j] = c->n->analysis.d[j];
    c->first[j + 1] = c->first[j] + (size_t)c->d[j] + 1;
  }
  BRINK_TRY(brink__dae_take_ids(&c->tmp, c->first[s->n_cols], &c->symbol));
  BRINK_TRY(DAE_TAKE(&c->tmp, s->n_symbols, &by));
  int others = unify(c, by);
  if (others <= 0)
    return others < 0 ? BRINK_ENOMEM : BRINK_OK;
  BRINK_TRY(brink__substitute(s->graph, s->n_symbols, by, s->n_rows, c->lhs, c->lhs));
  return brink__substitute(s->graph, s->n_symbols, by, s->n_rows, c->rhs, c->rhs);
}

brink__node brink__dae_derivative(dae_converting *c, size_t j, int32_t k)
{
  int32_t *id = &c->symbol[c->first[j] + (size_t)k];

  if (*id < 0) {
    if (grow_symbols(c, c->n->system.n_symbols + 1) < 0)
      return BRINK__NONE;
    *id = (int32_t)c->n->system.n_symbols++;
    c->terms[*id] = (brink__term){(int32_t)j, k};
  }
  return brink__symbol(c->n->system.graph, *id, BRINK_TYPE_REAL);
}

/* ----------------------------------------------------------- expressions --- */

/* The derivative of each symbol. */
static brink_status successors(dae_converting *c, int32_t **out)
{
  const brink__natural *s = &c->n->system;
  int32_t *next;

  for (size_t j = 0; j < s->n_cols; j++)
    for (int32_t k = 0; k <= c->d[j]; k++)
      if (!brink__dae_derivative(c, j, k))
        return BRINK_ENOMEM;
  BRINK_TRY(brink__dae_take_ids(&c->tmp, s->n_symbols, &next));
  next[BRINK__TIME] = BRINK__CLOCK_SYMBOL;
  for (size_t j = 0; j < s->n_cols; j++)
    for (size_t k = c->first[j]; k + 1 < c->first[j + 1]; k++)
      next[c->symbol[k]] = c->symbol[k + 1];
  *out = next;
  return BRINK_OK;
}

brink_status brink__dae_derivatives(dae_converting *c, size_t n,
                                    const brink__node *roots, const int32_t *order,
                                    brink__node *out)
{
  brink__graph *g = c->n->system.graph;
  size_t *start, all = 0;
  brink__node *series;
  int32_t *next;

  BRINK_TRY(successors(c, &next));
  BRINK_TRY(DAE_TAKE(&c->tmp, n + 1, &start));
  for (size_t i = 0; i < n; i++) {
    start[i] = all;
    all += (size_t)order[i] + 1;
  }
  start[n] = all;
  BRINK_TRY(DAE_TAKE(&c->tmp, all, &series));
  BRINK_TRY(
      brink__coefficients(g, c->n->system.n_symbols, next, n, roots, start, series));
  for (size_t i = 0; i < n; i++) { /* Taylor coefficients are divided by k! */
    brink__node factor = brink__real(g, tgamma(order[i] + 1.));
    out[i] = brink__mul(g, factor, series[start[i + 1] - 1]);
    if (!out[i])
      return BRINK_ENOMEM;
  }
  return BRINK_OK;
}

brink_status brink__dae_is_delayed(dae_converting *c, size_t i, int *yes)
{
  brink__node side[2] = {c->lhs[i], c->rhs[i]};
  brink__pattern p;

  *yes = 0;
  if (c->f->n_delays == 0)
    return BRINK_OK;
  BRINK_TRY(brink__pattern_new(c->n->system.graph, 2, side, 0, NULL, &p));
  for (size_t e = 0; e < p.nnz; e++)
    for (size_t k = 0; k < c->f->n_delays; k++)
      *yes |= c->f->delays[k].slot == p.col[e];
  brink__pattern_drop(&p);
  return BRINK_OK;
}

/* ------------------------------------------------------------------ rows --- */

brink_status brink__dae_without_zeros(dae_converting *c, brink__node *root)
{
  brink__graph *g = c->n->system.graph;
  brink__pool pool = {.ctx = c->ctx};
  brink__node *by, zero = brink__real(g, 0);
  unsigned char *below;

  brink_status rc = DAE_TAKE(&pool, (size_t)*root + 1, &by);
  if (rc == BRINK_OK)
    rc = DAE_TAKE(&pool, (size_t)*root + 1, &below);
  for (brink__node n = rc == BRINK_OK ? *root : 0; n > 0; n--) {
    below[n] |= n == *root;
    for (int i = 0; i < brink__op_arity(brink__node_op(g, n)) && below[n]; i++)
      below[brink__node_arg(g, n, i)] = 1;
  }
  for (brink__node n = 1; rc == BRINK_OK && n <= *root; n++) {
    brink__op op = brink__node_op(g, n);
    brink__node arg[3] = {0, 0, 0};
    if (!below[n])
      continue;
    for (int i = 0; i < brink__op_arity(op); i++)
      arg[i] = by[brink__node_arg(g, n, i)];
    int vanishes = op == BRINK_OP_MUL &&
                   (brink__node_is(g, arg[0], 0) || brink__node_is(g, arg[1], 0));
    by[n] = vanishes              ? zero
            : brink__op_arity(op) ? brink__apply(g, op, arg[0], arg[1], arg[2])
                                  : n;
    rc = by[n] ? BRINK_OK : BRINK_ENOMEM;
  }
  if (rc == BRINK_OK)
    *root = by[*root];
  brink__pool_drop(&pool);
  return rc;
}

/* The terms of a sum, each followed by its sign. */
static brink_status terms_of(dae_converting *c, brink__node root, dae_list *out)
{
  const brink__graph *g = c->n->system.graph;

  BRINK_TRY(brink__dae_list_add(c->ctx, out, root));
  BRINK_TRY(brink__dae_list_add(c->ctx, out, 1));
  for (size_t i = 0; i < out->n;) {
    brink__node n = out->v[i];
    brink__op op = brink__node_op(g, n);
    int32_t sign = out->v[i + 1];
    if (op != BRINK_OP_ADD && op != BRINK_OP_SUB && op != BRINK_OP_NEG) {
      i += 2;
      continue;
    }
    out->v[i] = brink__node_arg(g, n, 0);
    out->v[i + 1] = op == BRINK_OP_NEG ? -sign : sign;
    if (op == BRINK_OP_NEG)
      continue;
    BRINK_TRY(brink__dae_list_add(c->ctx, out, brink__node_arg(g, n, 1)));
    BRINK_TRY(brink__dae_list_add(c->ctx, out, op == BRINK_OP_SUB ? -sign : sign));
  }
  return BRINK_OK;
}

brink_status brink__dae_is_independent(dae_converting *c, brink__node root,
                                       int32_t symbol, int *yes)
{
  brink__graph *g = c->n->system.graph;
  dae_list list = {0};

  brink_status rc = terms_of(c, root, &list);
  for (size_t i = 0; 2 * i < list.n && rc == BRINK_OK; i++) {
    brink__node slope = brink__diff(g, list.v[2 * i], symbol);
    list.v[i] = list.v[2 * i + 1] < 0 ? brink__op1(g, BRINK_OP_NEG, slope) : slope;
    rc = list.v[i] ? BRINK_OK : BRINK_ENOMEM;
  }
  if (rc == BRINK_OK)
    rc = brink__random_points_vanishes(&c->points, list.n / 2, list.v, yes);
  brink__dae_list_drop(c->ctx, &list);
  return rc;
}

/* Leave a symbol out of an expression that does not depend on it.  *done: 0 if it does,
 * or if the expression has no value without it. */
static brink_status leave_out(dae_converting *c, brink__node *root, int32_t symbol,
                              brink__node *by, int *done)
{
  brink__graph *g = c->n->system.graph;
  brink__node without;

  BRINK_TRY(brink__dae_is_independent(c, *root, symbol, done));
  if (!*done)
    return BRINK_OK;
  by[symbol] = brink__real(g, 0);
  if (!by[symbol])
    return BRINK_ENOMEM;
  brink_status rc = brink__substitute(g, (size_t)symbol + 1, by, 1, root, &without);
  by[symbol] = BRINK__NONE;
  BRINK_TRY(rc);
  BRINK_TRY(brink__dae_without_zeros(c, &without));
  *done = 0;
  for (int p = 0; p < BRINK__POINTS && !*done; p++) {
    BRINK_TRY(brink__random_points_update(&c->points, p));
    *done = !isnan(c->points.value[p][without]);
  }
  if (*done)
    *root = without;
  return BRINK_OK;
}

brink_status brink__dae_free_of(dae_converting *c, const int32_t *order,
                                brink__node *root, int *yes)
{
  brink_status rc = BRINK_OK;
  brink__pattern p;
  brink__node *by;

  *yes = 1;
  BRINK_TRY(DAE_TAKE(&c->tmp, c->n->system.n_symbols, &by));
  BRINK_TRY(brink__pattern_new(c->n->system.graph, 1, root, 0, NULL, &p));
  for (size_t e = 0; e < p.nnz && *yes && rc == BRINK_OK; e++) {
    const brink__term *t = &c->n->system.terms[p.col[e]];
    if (t->var >= 0 && t->order >= order[t->var])
      rc = leave_out(c, root, p.col[e], by, yes);
  }
  brink__pattern_drop(&p);
  return rc;
}

/* The symbol of the highest derivative of x_j below an order, -1: none. */
static int32_t highest(const dae_converting *c, const brink__pattern *p, int32_t j,
                       int32_t below)
{
  const brink__term *t = c->n->system.terms;
  int32_t best = -1;

  for (size_t e = 0; e < p->nnz; e++) {
    int32_t s = p->col[e];
    if (t[s].var == j && t[s].order < below && (best < 0 || t[s].order > t[best].order))
      best = s;
  }
  return best;
}

/* Leave out the highest derivatives of the variable of a symbol, while nothing depends
 * on them. */
static brink_status leave_out_highest(dae_converting *c, const brink__pattern *p,
                                      int32_t symbol, brink__node *by,
                                      brink__node *root)
{
  const brink__term *t = c->n->system.terms;
  int32_t j = t[symbol].var;
  int done = j >= 0 && highest(c, p, j, INT32_MAX) == symbol;

  for (int32_t s = symbol; s >= 0 && done; s = highest(c, p, j, t[s].order))
    BRINK_TRY(leave_out(c, root, s, by, &done));
  return BRINK_OK;
}

brink_status brink__dae_set_row(dae_converting *c, size_t i, brink__node root)
{
  brink__graph *g = c->n->system.graph;
  brink_status rc = BRINK_OK;
  brink__pattern p;
  brink__node *by;

  BRINK_TRY(DAE_TAKE(&c->tmp, c->n->system.n_symbols, &by));
  BRINK_TRY(brink__pattern_new(g, 1, &root, 0, NULL, &p));
  for (size_t e = 0; e < p.nnz && rc == BRINK_OK; e++)
    rc = leave_out_highest(c, &p, p.col[e], by, &root);
  brink__pattern_drop(&p);
  BRINK_TRY(rc);
  c->lhs[i] = root;
  c->rhs[i] = brink__real(g, 0);
  return c->rhs[i] ? BRINK_OK : BRINK_ENOMEM;
}

/* A copy of an array with room for one more; `array` is a pointer to any pointer. */
#define LENGTHEN(pool, n, array) lengthen(pool, n, sizeof **(array), (void **)(array))

static brink_status lengthen(brink__pool *pool, size_t n, size_t elem, void **array)
{
  unsigned char *longer = brink__dae_take(pool, n + 1, elem);
  const unsigned char *old = *array;

  if (!longer)
    return BRINK_ENOMEM;
  for (size_t i = 0; i < n * elem; i++)
    longer[i] = old[i];
  *array = longer;
  return BRINK_OK;
}

brink_status brink__dae_add_row(dae_converting *c, size_t like, brink__node root)
{
  dae_natural *n = c->n;
  size_t i = n->system.n_rows;

  BRINK_TRY(LENGTHEN(&n->pool, i, &c->lhs));
  BRINK_TRY(LENGTHEN(&n->pool, i, &c->rhs));
  BRINK_TRY(LENGTHEN(&n->pool, i, &n->eqn));
  n->system.lhs = c->lhs;
  n->system.rhs = c->rhs;
  n->eqn[i] = n->eqn[like];
  n->system.n_rows++;
  return brink__dae_set_row(c, i, root);
}

brink_status brink__dae_add_variable(dae_converting *c, const char *name, int32_t d,
                                     size_t *out)
{
  dae_natural *n = c->n;
  size_t j = n->system.n_cols;

  BRINK_TRY(LENGTHEN(&n->pool, j, &n->var));
  BRINK_TRY(LENGTHEN(&n->pool, n->n_added, &n->added));
  BRINK_TRY(LENGTHEN(&c->tmp, j, &c->d));
  BRINK_TRY(LENGTHEN(&c->tmp, j + 1, &c->first));
  n->added[n->n_added].name = brink__pool_str(&n->pool, name, strlen(name));
  if (!n->added[n->n_added].name)
    return BRINK_ENOMEM;
  n->var[j] = (int32_t)(c->f->n_vars + n->n_added++);
  n->system.n_cols++;
  c->d[j] = d;
  c->first[j + 1] = c->first[j];
  for (int32_t k = 0; k <= d; k++) {
    BRINK_TRY(LENGTHEN(&c->tmp, c->first[j + 1], &c->symbol));
    c->symbol[c->first[j + 1]++] = -1;
  }
  *out = j;
  if (!brink__dae_derivative(c, j, 0))
    return BRINK_ENOMEM;
  n->added[n->n_added - 1].value = c->symbol[c->first[j]];
  return BRINK_OK;
}
