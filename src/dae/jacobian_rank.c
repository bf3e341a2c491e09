/* jacobian_rank.c -- which blocks of the system Jacobian are singular whatever the
 * values are.
 *
 * A block that is regular at one random point is regular almost everywhere, so that
 * most are factored once and that is all.  One that is singular at all of them is taken
 * to be singular identically.
 */
#include "dae/convert.h"
#include "linear/linear.h"

#include <math.h>
#include <string.h>

/* A block is regular without further questions where its pivots are larger than this
 * part of the elements above them. */
static const double REGULAR = 1e-8;

/* Pivots below this, of rows and columns with a largest element of about 1, count as
 * zero.  A block that has lost so many digits at all points is searched for null
 * vectors; if it was regular the search ends without one. */
static const double PIVOT = 1e-10;

/* Larger blocks are left alone, since rank and null vectors are found with full
 * matrices. */
enum { MOST_UNKNOWNS = 400 };

brink_status brink__dae_system_jacobian(dae_converting *c)
{
  const brink__analysis *a = &c->n->analysis;
  brink__graph *g = c->n->system.graph;

  BRINK_TRY(DAE_TAKE(&c->tmp, a->jac_start[a->n_rows], &c->entry));
  for (size_t i = 0; i < a->n_rows; i++) {
    brink__node f = brink__sub(g, c->lhs[i], c->rhs[i]);
    for (size_t e = a->jac_start[i]; e < a->jac_start[i + 1]; e++) {
      size_t j = (size_t)a->jac_col[e];
      if (a->block_of[a->row_of[j]] != a->block_of[i])
        continue;
      c->entry[e] =
          brink__diff(g, f, c->symbol[c->first[j] + (size_t)(a->d[j] - a->c[i])]);
      if (!c->entry[e])
        return BRINK_ENOMEM;
    }
  }
  return BRINK_OK;
}

/* ------------------------------------------------------------------ rank --- */

/* Make the largest element of each row 1, then of each column; scale: [n] of those. */
static void equilibrate(size_t m, size_t n, double *a, double *scale)
{
  for (size_t i = 0; i < m; i++) {
    double top = 0;
    for (size_t j = 0; j < n; j++)
      top = fmax(top, fabs(a[i * n + j]));
    for (size_t j = 0; j < n && top > 0; j++)
      a[i * n + j] /= top;
  }
  for (size_t j = 0; j < n; j++) {
    double top = 0;
    for (size_t i = 0; i < m; i++)
      top = fmax(top, fabs(a[i * n + j]));
    scale[j] = top > 0 ? 1 / top : 1;
    for (size_t i = 0; i < m; i++)
      a[i * n + j] *= scale[j];
  }
}

/* Bring the largest element of rows and columns k and later to place k; 0: there is
 * none that counts. */
static int pivot(size_t m, size_t n, double *a, int32_t *order, size_t k)
{
  double top = PIVOT;
  size_t row = m, place = 0;

  for (size_t i = k; i < m; i++)
    for (size_t q = k; q < n; q++)
      if (fabs(a[i * n + (size_t)order[q]]) > top) {
        top = fabs(a[i * n + (size_t)order[q]]);
        row = i;
        place = q;
      }
  if (row == m)
    return 0;
  for (size_t j = 0; j < n; j++) {
    double x = a[k * n + j];
    a[k * n + j] = a[row * n + j];
    a[row * n + j] = x;
  }
  int32_t col = order[place];
  order[place] = order[k];
  order[k] = col;
  return 1;
}

/* Subtract row k from all others, so that they have no element in its pivot column. */
static void clear_column(size_t m, size_t n, double *a, size_t k, size_t col)
{
  double by = a[k * n + col];

  for (size_t j = 0; j < n; j++)
    a[k * n + j] /= by;
  for (size_t i = 0; i < m; i++) {
    double factor = a[i * n + col];
    for (size_t j = 0; j < n && i != k && factor != 0; j++)
      a[i * n + j] -= factor * a[k * n + j];
  }
}

size_t brink__dae_rank(size_t m, size_t n, double *a, double *null, double *work,
                       int32_t *order)
{
  size_t rank = 0;

  equilibrate(m, n, a, work);
  for (size_t j = 0; j < n; j++)
    order[j] = (int32_t)j;
  for (; rank < m && rank < n && pivot(m, n, a, order, rank); rank++)
    clear_column(m, n, a, rank, (size_t)order[rank]);
  for (size_t f = rank; f < n && null; f++) {
    double *x = null + (f - rank) * n;
    memset(x, 0, n * sizeof *x);
    x[order[f]] = work[order[f]];
    for (size_t k = 0; k < rank; k++) {
      double y = -a[k * n + (size_t)order[f]];
      x[order[k]] = fabs(y) > PIVOT ? y * work[order[k]] : 0;
    }
  }
  return rank;
}

/* --------------------------------------------------------------- regular --- */

/* The entries of a block at the first random point. */
typedef struct entries {
  size_t n;
  int32_t *row, *col;
  double *value;
} entries;

/* The value of an element at a point, 0 where it is rounding; NaN: it has none. */
static double value_at(const dae_converting *c, int p, brink__node e)
{
  return brink__random_points_zero(&c->points, p, e) ? 0 : c->points.value[p][e];
}

/* 0: one has no value. */
static int collect(const dae_converting *c, size_t k, entries *out)
{
  const brink__analysis *a = &c->n->analysis;
  size_t first = a->blocks.first[k], end = a->blocks.first[k + 1];

  for (size_t i = first; i < end; i++)
    c->place[a->col_of[a->blocks.order[i]]] = (int32_t)(i - first);
  for (size_t i = first; i < end; i++) {
    size_t r = (size_t)a->blocks.order[i];
    for (size_t e = a->jac_start[r]; e < a->jac_start[r + 1]; e++) {
      if (!c->entry[e])
        continue;
      out->value[out->n] = value_at(c, 0, c->entry[e]);
      out->row[out->n] = (int32_t)(i - first);
      out->col[out->n] = c->place[a->jac_col[e]];
      if (isnan(out->value[out->n++]))
        return 0;
    }
  }
  return 1;
}

static brink_status factor(brink__pool *pool, size_t n, const entries *in, int *regular)
{
  brink__numeric f = {.ctx = pool->ctx};
  brink__symbolic *s;

  BRINK_TRY(brink__symbolic_new(pool, n, in->n, in->row, in->col, &s));
  void *memory = brink__dae_take(pool, brink__numeric_size(s), 1);
  if (!memory)
    return BRINK_ENOMEM;
  brink__numeric_place(s, &f, memory);
  memcpy(f.entry, in->value, in->n * sizeof *in->value);
  brink_status rc = brink__numeric_factor(s, &f);
  *regular = rc == BRINK_OK && brink__numeric_margin(&f) > REGULAR;
  brink__numeric_drop(&f);
  return rc == BRINK_EDOMAIN ? BRINK_OK : rc;
}

/* Is block k regular at the first point, beyond doubt? */
static brink_status is_regular(dae_converting *c, size_t k, brink__pool *pool, int *yes)
{
  const brink__analysis *a = &c->n->analysis;
  size_t first = a->blocks.first[k], end = a->blocks.first[k + 1], most = 0;
  entries in = {.n = 0};

  *yes = 0;
  for (size_t i = first; i < end; i++)
    most += a->jac_start[a->blocks.order[i] + 1] - a->jac_start[a->blocks.order[i]];
  BRINK_TRY(DAE_TAKE(pool, most, &in.row));
  BRINK_TRY(DAE_TAKE(pool, most, &in.col));
  BRINK_TRY(DAE_TAKE(pool, most, &in.value));
  return collect(c, k, &in) ? factor(pool, end - first, &in, yes) : BRINK_OK;
}

/* --------------------------------------------------------------- singular --- */

/* Block k as a full matrix. */
static brink_status full_block(dae_converting *c, size_t k, dae_block *b)
{
  const brink__analysis *a = &c->n->analysis;
  size_t first = a->blocks.first[k], n = a->blocks.first[k + 1] - first;

  *b = (dae_block){.row = a->blocks.order + first};
  if (n > MOST_UNKNOWNS)
    return BRINK_OK;
  b->n = n;
  BRINK_TRY(DAE_TAKE(&c->tmp, n, &b->col));
  BRINK_TRY(DAE_TAKE(&c->tmp, n * n, &b->entry));
  for (size_t i = 0; i < n; i++) {
    b->col[i] = a->col_of[b->row[i]];
    c->place[b->col[i]] = (int32_t)i;
  }
  for (size_t i = 0; i < n; i++)
    for (size_t e = a->jac_start[b->row[i]]; e < a->jac_start[b->row[i] + 1]; e++)
      if (c->entry[e])
        b->entry[i * n + (size_t)c->place[a->jac_col[e]]] = c->entry[e];
  return BRINK_OK;
}

/* The matrix at point p; 0: some element has no value. */
static int fill(const dae_converting *c, const dae_block *b, int p, double *a)
{
  for (size_t k = 0; k < b->n * b->n; k++) {
    a[k] = b->entry[k] ? value_at(c, p, b->entry[k]) : 0;
    if (isnan(a[k]))
      return 0;
  }
  return 1;
}

static brink_status has_branches(dae_converting *c, const dae_block *b, int *yes)
{
  *yes = 0;
  for (size_t k = 0; k < b->n * b->n && !*yes; k++)
    if (b->entry[k])
      BRINK_TRY(brink__random_points_branches(&c->points, b->entry[k], yes));
  return BRINK_OK;
}

/* Is the block singular at all points at which it has values?  Those with the
 * parameters as they are may be alone in that (b->by_parameters). */
static brink_status is_singular(dae_converting *c, dae_block *b, int *yes)
{
  double *a, *work;
  int32_t *order;

  BRINK_TRY(has_branches(c, b, yes));
  if (*yes) {
    *yes = 0;
    return BRINK_OK;
  }
  BRINK_TRY(DAE_TAKE(&c->tmp, b->n * b->n, &a));
  BRINK_TRY(DAE_TAKE(&c->tmp, b->n, &work));
  BRINK_TRY(DAE_TAKE(&c->tmp, b->n, &order));
  for (int p = 0; p < BRINK__POINTS; p++) {
    BRINK_TRY(brink__random_points_update(&c->points, p));
    if (!fill(c, b, p, a))
      continue;
    int regular = brink__dae_rank(b->n, b->n, a, NULL, work, order) == b->n;
    if (regular && (p % 2 == 0 || c->f->borrowed))
      return BRINK_OK; /* a mode cannot have structural parameters of its own */
    b->by_parameters |= regular;
    if (!regular)
      b->usable[b->n_usable++] = p;
  }
  *yes = b->n_usable > 1; /* a single point may be an accident */
  return BRINK_OK;
}

brink_status brink__dae_singular_block(dae_converting *c, size_t k, dae_block *out)
{
  brink__pool pool = {.ctx = c->ctx};
  int yes;

  *out = (dae_block){.n = 0};
  BRINK_TRY(brink__random_points_update(&c->points, 0));
  brink_status rc = is_regular(c, k, &pool, &yes);
  brink__pool_drop(&pool);
  BRINK_TRY(rc);
  if (yes)
    return BRINK_OK;
  BRINK_TRY(full_block(c, k, out));
  BRINK_TRY(is_singular(c, out, &yes));
  if (!yes)
    out->n = 0;
  return BRINK_OK;
}
