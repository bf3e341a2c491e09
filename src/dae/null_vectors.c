/* null_vectors.c -- null vectors of a block of the system Jacobian that is singular, as
 * expressions.
 *
 * Which elements a null vector has is seen at one random point: of the vectors that
 * complete pivoting gives, each has the fewest elements that are possible beside the
 * pivots, and is the only one with them.  Its elements at the other points show which
 * are numbers; those that are fractions of small integers are taken as that.  The
 * others are found by eliminating with the expressions themselves.
 */
#include "dae/convert.h"

#include <math.h>
#include <string.h>

/* Agreement of the elements at two points, which have lost digits by elimination. */
static const double AGREE = 1e-8;

enum {
  MOST_EXPRESSIONS = 8, /* elements found by elimination with expressions, which may
                           double in length with each                                 */
  MOST_DENOMINATOR = 1000
};

/* ---------------------------------------------------------------- support --- */

static brink__node element(const dae_block *b, int left, size_t i, size_t j)
{
  return left ? b->entry[j * b->n + i] : b->entry[i * b->n + j];
}

static double number(const dae_converting *c, const dae_block *b, int left, int p,
                     size_t i, size_t j)
{
  brink__node e = element(b, left, i, j);

  return e && !brink__random_points_zero(&c->points, p, e) ? c->points.value[p][e] : 0;
}

typedef struct room {
  double *a, *null, *work;
  int32_t *order;
} room;

static brink_status take_room(dae_converting *c, size_t n, room *r)
{
  BRINK_TRY(DAE_TAKE(&c->tmp, n * n, &r->a));
  BRINK_TRY(DAE_TAKE(&c->tmp, n * n, &r->null));
  BRINK_TRY(DAE_TAKE(&c->tmp, n, &r->work));
  return DAE_TAKE(&c->tmp, n, &r->order);
}

brink_status brink__dae_null_support(dae_converting *c, const dae_block *b, int left,
                                     size_t k, dae_null *out, int *found)
{
  size_t n = b->n;
  room r;

  *out = (dae_null){.n = 0};
  *found = 0;
  BRINK_TRY(take_room(c, n, &r));
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++)
      r.a[i * n + j] = number(c, b, left, b->usable[0], i, j);
  size_t rank = brink__dae_rank(n, n, r.a, r.null, r.work, r.order);
  if (k >= n - rank)
    return BRINK_OK;
  BRINK_TRY(DAE_TAKE(&c->tmp, n, &out->at));
  BRINK_TRY(DAE_TAKE(&c->tmp, n, &out->node));
  for (size_t j = 0; j < n; j++)
    if (r.null[k * n + j] != 0)
      out->at[out->n++] = (int32_t)j;
  *found = 1;
  return BRINK_OK;
}

/* ------------------------------------------------------------- elements --- */

/* Elements of the null vector at usable point q, 1 at the pivot; 0: there is not one
 * that is unique. */
static int elements_at(dae_converting *c, const dae_block *b, int left,
                       const dae_null *v, int p, const room *r, double *out)
{
  for (size_t i = 0; i < b->n; i++)
    for (size_t k = 0; k < v->n; k++)
      r->a[i * v->n + k] = number(c, b, left, p, i, (size_t)v->at[k]);
  if (brink__dae_rank(b->n, v->n, r->a, r->null, r->work, r->order) + 1 != v->n ||
      r->null[v->pivot] == 0)
    return 0;
  for (size_t k = 0; k < v->n; k++)
    out[k] = r->null[k] / r->null[v->pivot];
  return 1;
}

/* A fraction with a small denominator that x is. */
static int is_fraction(double x, double *p, double *q)
{
  for (*q = 1; *q <= MOST_DENOMINATOR; ++*q) {
    *p = rint(x * *q);
    if (fabs(x * *q - *p) <= AGREE * fabs(x))
      return *p != 0;
  }
  return 0;
}

static brink__node fraction(brink__graph *g, double p, double q)
{
  return q == 1 ? brink__real(g, p)
                : brink__div(g, brink__real(g, p), brink__real(g, q));
}

/* The elements that are fractions, whatever the point; the others stay BRINK__NONE.
 * *found: 0 if there is no unique vector at some point. */
static brink_status constant_elements(dae_converting *c, const dae_block *b, int left,
                                      dae_null *v, int *found)
{
  double *value, p, q;
  room r;

  BRINK_TRY(take_room(c, b->n, &r));
  BRINK_TRY(DAE_TAKE(&c->tmp, b->n_usable * v->n, &value));
  *found = 1;
  for (size_t i = 0; i < b->n_usable && *found; i++)
    *found = elements_at(c, b, left, v, b->usable[i], &r, value + i * v->n);
  for (size_t k = 0; k < v->n && *found; k++) {
    int same = is_fraction(value[k], &p, &q);
    for (size_t i = 1; i < b->n_usable; i++)
      same &= fabs(value[i * v->n + k] - value[k]) <= AGREE * fabs(value[k]);
    v->node[k] = same ? fraction(c->n->system.graph, p, q) : BRINK__NONE;
    if (same && !v->node[k])
      return BRINK_ENOMEM;
  }
  return BRINK_OK;
}

/* ---------------------------------------------------------- expressions --- */

/* A linear system of expressions, [n][n + 1] with its right-hand side. */
typedef struct linear {
  size_t n;
  brink__node *a;
} linear;

static brink__node *at(const linear *s, size_t i, size_t j)
{
  return &s->a[i * (s->n + 1) + j];
}

/* Replace an expression that vanishes by 0. */
static brink_status tidy(dae_converting *c, brink__node *n)
{
  int zero;

  if (!*n)
    return BRINK_ENOMEM;
  BRINK_TRY(brink__random_points_vanishes(&c->points, 1, n, &zero));
  if (zero)
    *n = brink__real(c->n->system.graph, 0);
  return *n ? BRINK_OK : BRINK_ENOMEM;
}

static int is_zero(const dae_converting *c, brink__node n)
{
  return brink__node_is(c->n->system.graph, n, 0);
}

/* How good a pivot it is: numbers before expressions, 0: none. */
static double pivot_size(const dae_converting *c, const dae_block *b, brink__node n)
{
  double value = fabs(c->points.value[b->usable[0]][n]);

  if (is_zero(c, n) || isnan(value))
    return 0;
  return brink__node_op(c->n->system.graph, n) == BRINK_OP_CONST ? 1 + value
                                                                 : value / (1 + value);
}

/* Exchange rows so that row k has a pivot; 0: there is none. */
static int choose_pivot(dae_converting *c, const dae_block *b, const linear *s,
                        size_t k)
{
  size_t best = k;

  for (size_t i = k + 1; i < s->n; i++)
    if (pivot_size(c, b, *at(s, i, k)) > pivot_size(c, b, *at(s, best, k)))
      best = i;
  for (size_t j = 0; j <= s->n; j++) {
    brink__node x = *at(s, k, j);
    *at(s, k, j) = *at(s, best, j);
    *at(s, best, j) = x;
  }
  return pivot_size(c, b, *at(s, k, k)) > 0;
}

/* Eliminate below and above pivot k. */
static brink_status eliminate(dae_converting *c, const linear *s, size_t k)
{
  brink__graph *g = c->n->system.graph;

  for (size_t j = k + 1; j <= s->n; j++)
    if (!is_zero(c, *at(s, k, j)))
      *at(s, k, j) = brink__div(g, *at(s, k, j), *at(s, k, k));
  for (size_t i = 0; i < s->n; i++) {
    brink__node factor = *at(s, i, k);
    if (i == k || is_zero(c, factor))
      continue;
    for (size_t j = k + 1; j <= s->n; j++) {
      if (is_zero(c, *at(s, k, j)))
        continue;
      *at(s, i, j) = brink__sub(g, *at(s, i, j), brink__mul(g, factor, *at(s, k, j)));
      BRINK_TRY(tidy(c, at(s, i, j)));
    }
  }
  return BRINK_OK;
}

/* Solve; the solution is the last column.  *found: 0 if a pivot is missing. */
static brink_status solve(dae_converting *c, const dae_block *b, const linear *s,
                          int *found)
{
  *found = 1;
  for (size_t k = 0; k < s->n && *found; k++) {
    BRINK_TRY(brink__random_points_update(&c->points, b->usable[0]));
    *found = choose_pivot(c, b, s, k);
    if (*found)
      BRINK_TRY(eliminate(c, s, k));
  }
  return BRINK_OK;
}

/* Equations of the block that are independent in the unknown elements: eqn[n]. */
static brink_status choose_equations(dae_converting *c, const dae_block *b, int left,
                                     const dae_null *v, const size_t *unknown, size_t n,
                                     int32_t *eqn, int *found)
{
  room r;

  BRINK_TRY(take_room(c, b->n, &r));
  for (size_t k = 0; k < n; k++)
    for (size_t i = 0; i < b->n; i++)
      r.a[k * b->n + i] =
          number(c, b, left, b->usable[0], i, (size_t)v->at[unknown[k]]);
  *found = brink__dae_rank(n, b->n, r.a, NULL, r.work, r.order) == n;
  memcpy(eqn, r.order, n * sizeof *eqn);
  return BRINK_OK;
}

/* Row i of the system for the unknown elements, from equation e of the block. */
static brink_status fill_equation(dae_converting *c, const dae_block *b, int left,
                                  const dae_null *v, const size_t *unknown, size_t e,
                                  brink__node *row, size_t n)
{
  brink__graph *g = c->n->system.graph;
  brink__node zero = brink__real(g, 0), right = zero;

  for (size_t k = 0; k < n; k++) {
    brink__node x = element(b, left, e, (size_t)v->at[unknown[k]]);
    row[k] = x ? x : zero;
  }
  for (size_t k = 0; k < v->n; k++) {
    brink__node x = element(b, left, e, (size_t)v->at[k]);
    if (x && v->node[k])
      right = brink__sub(g, right, brink__mul(g, v->node[k], x));
  }
  row[n] = right;
  return tidy(c, &row[n]);
}

static brink_status other_elements(dae_converting *c, const dae_block *b, int left,
                                   dae_null *v, const size_t *unknown, size_t n,
                                   int *found)
{
  int32_t *eqn;
  linear s = {.n = n};

  BRINK_TRY(DAE_TAKE(&c->tmp, n, &eqn));
  BRINK_TRY(DAE_TAKE(&c->tmp, n * (n + 1), &s.a));
  BRINK_TRY(choose_equations(c, b, left, v, unknown, n, eqn, found));
  for (size_t i = 0; i < n && *found; i++)
    BRINK_TRY(fill_equation(c, b, left, v, unknown, (size_t)eqn[i], at(&s, i, 0), n));
  if (*found)
    BRINK_TRY(solve(c, b, &s, found));
  for (size_t k = 0; k < n && *found; k++)
    v->node[unknown[k]] = *at(&s, k, n);
  return BRINK_OK;
}

brink_status brink__dae_null_elements(dae_converting *c, const dae_block *b, int left,
                                      size_t pivot, dae_null *v, int *found)
{
  size_t *unknown, n = 0;

  v->pivot = pivot;
  BRINK_TRY(constant_elements(c, b, left, v, found));
  if (!*found)
    return BRINK_OK;
  BRINK_TRY(DAE_TAKE(&c->tmp, v->n, &unknown));
  for (size_t k = 0; k < v->n; k++)
    if (!v->node[k])
      unknown[n++] = k;
  *found = n <= MOST_EXPRESSIONS;
  return n && *found ? other_elements(c, b, left, v, unknown, n, found) : BRINK_OK;
}
