/* sparse_lu.c -- sparse LU factors with a given order of pivots.
 *
 * Column by column [GP88]: column k of the matrix, minus its elements above the
 * diagonal times the columns of L that belong to them, is column k of U and, divided by
 * the pivot, of L.  The patterns of L and U were found when the pivots were chosen
 * (klu.c); they hold for all matrices with the same pattern, so that nothing is
 * searched and nothing allocated here.  Cost: the number of multiplications, and no
 * more.
 */
#include "linear/linear.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* A pivot may be smaller than the elements below it by this factor.  They grow by as
 * much in one step of the elimination at worst, and so does rounding; new pivots cost
 * as much as several factorisations with old ones. */
static const double PIVOT_LEAST = 1e-3;

int brink__is_odd(size_t n, const int32_t *order, unsigned char *seen)
{
  int odd = 0;

  /* a cycle of even length is an odd permutation */
  for (size_t i = 0; i < n; i++)
    for (int32_t k = order[i]; !seen[k]; k = order[k]) {
      seen[k] = 1;
      odd ^= (size_t)k != i;
    }
  return odd;
}

/* ------------------------------------------------------------- memory ---- */

static size_t measure(size_t n, size_t l, size_t u)
{
  size_t need = brink__need(0, n, 2 * sizeof(int32_t));

  need = brink__need(need, n + 1, 2 * sizeof(int32_t));
  need = brink__need(need, l + u, sizeof(int32_t));
  return brink__need(need, l + u + n, sizeof(double));
}

brink_status brink__sparse_lu_new(brink_ctx *ctx, size_t n, size_t l, size_t u,
                                  brink__sparse_lu *out)
{
  *out = (brink__sparse_lu){.odd = 0};
  BRINK_TRY(brink__block_new(ctx, measure(n, l, u), &out->block));
  out->pivot = brink__carve(&out->block, n, 2 * sizeof(int32_t));
  out->place = out->pivot + n;
  out->l_start = brink__carve(&out->block, n + 1, 2 * sizeof(int32_t));
  out->u_start = out->l_start + n + 1;
  out->l_row = brink__carve(&out->block, l + u, sizeof(int32_t));
  out->u_row = out->l_row + l;
  out->l = brink__carve(&out->block, l + u + n, sizeof(double));
  out->u = out->l + l;
  out->diagonal = out->u + u;
  return BRINK_OK;
}

brink_status brink__sparse_lu_copy(brink_ctx *ctx, size_t n,
                                   const brink__sparse_lu *from, brink__sparse_lu *to)
{
  size_t l = (size_t)from->l_start[n], u = (size_t)from->u_start[n];

  BRINK_TRY(brink__sparse_lu_new(ctx, n, l, u, to));
  memcpy(to->block.base, from->block.base, measure(n, l, u));
  to->odd = from->odd;
  return BRINK_OK;
}

/* ------------------------------------------------------------ factors ---- */

/* Column k of the matrix into x, with rows numbered by pivots. */
static void scatter(const brink__symbolic *s, const brink__numeric *f,
                    const brink__sparse_lu *lu, size_t k)
{
  int32_t j = s->col_order[k];

  for (int32_t p = s->start[j]; p < s->start[j + 1]; p++) {
    int32_t i = s->at[p];
    f->work[lu->place[i]] = f->scale[i] * f->entry[s->from[p]];
  }
}

/* The elements of column k of U; returns the largest. */
static double column_of_u(brink__sparse_lu *lu, double *x, size_t k)
{
  double top = 0;

  for (int32_t p = lu->u_start[k]; p < lu->u_start[k + 1]; p++) {
    int32_t j = lu->u_row[p];
    double u = x[j];
    x[j] = 0;
    lu->u[p] = u;
    top = fmax(top, fabs(u));
    for (int32_t q = lu->l_start[j]; q < lu->l_start[j + 1]; q++)
      x[lu->l_row[q]] -= lu->l[q] * u;
  }
  return top;
}

/* The elements of column k of L; returns the largest, before division by the pivot. */
static double column_of_l(brink__sparse_lu *lu, double *x, size_t k)
{
  double pivot = lu->diagonal[k], top = 0;

  for (int32_t q = lu->l_start[k]; q < lu->l_start[k + 1]; q++) {
    double below = x[lu->l_row[q]];
    x[lu->l_row[q]] = 0;
    top = fmax(top, fabs(below));
    lu->l[q] = below / pivot;
  }
  return top;
}

brink_status brink__sparse_lu_refactor(const brink__symbolic *s, brink__numeric *f,
                                       brink__sparse_lu *lu)
{
  double *x = f->work;

  f->margin = 1;
  for (size_t k = 0; k < s->n; k++) {
    scatter(s, f, lu, k);
    double before = column_of_u(lu, x, k);
    double size = fabs(lu->diagonal[k] = x[k]);
    x[k] = 0;
    double below = column_of_l(lu, x, k);
    if (!(size >= PIVOT_LEAST * below) || !isfinite(size))
      return BRINK_LIMIT;

    /* each element of column k of U took part in the pivot, with a rounding */
    double terms = (double)(lu->u_start[k + 1] - lu->u_start[k] + 1);
    if (!(size > terms * DBL_EPSILON * before) || size == 0) {
      f->singular = (size_t)s->col_order[k];
      return BRINK_EDOMAIN;
    }
    f->margin = fmin(f->margin, size / fmax(size, before));
  }
  return BRINK_OK;
}

void brink__sparse_lu_solve(const brink__symbolic *s, const brink__sparse_lu *lu,
                            const double *scale, double *work, double *x)
{
  for (size_t k = 0; k < s->n; k++)
    work[k] = scale[lu->pivot[k]] * x[lu->pivot[k]];
  for (size_t k = 0; k < s->n; k++)
    for (int32_t q = lu->l_start[k]; q < lu->l_start[k + 1]; q++)
      work[lu->l_row[q]] -= lu->l[q] * work[k];
  for (size_t k = s->n; k-- > 0;) {
    double y = work[k] / lu->diagonal[k];
    work[k] = 0;
    x[s->col_order[k]] = y;
    for (int32_t p = lu->u_start[k]; p < lu->u_start[k + 1]; p++)
      work[lu->u_row[p]] -= lu->u[p] * y;
  }
}
