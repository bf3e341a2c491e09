/* numeric.c -- factors of matrices with a given pattern. */
#include "linear/sparse_lu.h"

#include <math.h>
#include <string.h>

enum { FIRST, ANEW }; /* of the patterns and numbers */

/* ------------------------------------------------------------- memory ---- */

#define NUMERIC_ARRAYS(X)                                                              \
  X(entry, s->nnz)                                                                     \
  X(factored, s->nnz)                                                                  \
  X(scale, s->n)                                                                       \
  X(work, s->sparse ? brink__lu_work(s->n, 1) : 0)                                     \
  X(a, s->sparse ? 0 : s->n * s->n)                                                    \
  X(pivot, s->sparse ? 0 : s->n)

size_t brink__numeric_size(const brink__symbolic *s)
{
  const brink__numeric *f = NULL;
  size_t need = 0;

#define X(field, count) need = brink__need(need, count, sizeof *f->field);
  NUMERIC_ARRAYS(X)
#undef X
  return need;
}

void brink__numeric_place(const brink__symbolic *s, brink__numeric *f, void *memory)
{
  unsigned char *base = memory;

#define X(field, count)                                                                \
  f->field = (void *)base;                                                             \
  base += brink__need(0, count, sizeof *f->field);
  NUMERIC_ARRAYS(X)
#undef X
}

static void drop(brink__numeric *f, int which)
{
  brink__block_drop(&f->pattern[which].block);
  brink__block_drop(&f->numbers[which].block);
  f->pattern[which] = (brink__lu_pattern){.n = 0};
  f->numbers[which] = (brink__lu_numbers){.parts = 0};
}

void brink__numeric_drop(brink__numeric *f)
{
  drop(f, FIRST);
  drop(f, ANEW);
  f->known = 0;
}

brink_status brink__numeric_copy(const brink__symbolic *s, const brink__numeric *from,
                                 brink__numeric *to)
{
  brink__numeric_drop(to);
  for (int i = FIRST; i <= ANEW; i++)
    if (from->numbers[i].block.base) {
      BRINK_TRY(brink__lu_pattern_copy(to->ctx, &from->pattern[i], &to->pattern[i]));
      BRINK_TRY(brink__lu_numbers_copy(to->ctx, &to->pattern[i], &from->numbers[i],
                                       &to->numbers[i]));
    }
#define X(field, count) memcpy(to->field, from->field, (count) * sizeof *to->field);
  NUMERIC_ARRAYS(X)
#undef X
  to->used = from->used;
  to->known = from->known;
  to->singular = from->singular;
  to->margin = from->margin;
  return BRINK_OK;
}

/* ------------------------------------------------------------ factors ---- */

static brink_status factor_dense(const brink__symbolic *s, brink__numeric *f)
{
  size_t n = s->n;

  memset(f->a, 0, n * n * sizeof *f->a);
  for (size_t k = 0; k < s->nnz; k++)
    f->a[(size_t)s->row[k] * n + (size_t)s->col[k]] = f->entry[k];
  f->singular = brink__lu_factor(n, f->a, f->pivot, f->scale, &f->margin);
  return f->singular == n ? BRINK_OK : BRINK_EDOMAIN;
}

/* Scale rows as lu.c does.  0: one has no element, or one that is not finite. */
static int equilibrate(const brink__symbolic *s, brink__numeric *f)
{
  memset(f->scale, 0, s->n * sizeof *f->scale);
  for (size_t k = 0; k < s->nnz; k++) {
    double *top = &f->scale[s->row[k]], size = fabs(f->entry[k]);
    *top = size <= *top ? *top : size; /* NaN stays */
  }
  for (size_t i = 0; i < s->n; i++) {
    if (!(f->scale[i] > 0) || !isfinite(f->scale[i]))
      return 0;
    f->scale[i] = brink__row_scale(f->scale[i]);
  }
  return 1;
}

/* Factor with the pivots that are known. */
static brink_status refactor(const brink__symbolic *s, brink__numeric *f, int which)
{
  brink__lu_verdict verdict = {.least = 1};
  brink__lu_matrix m = {.entry = f->entry, .scale = f->scale};
  brink_status rc = brink__lu_factor_sparse(s, &f->pattern[which], &m,
                                            &f->numbers[which], f->work, &verdict);

  f->margin = verdict.margin;
  if (rc == BRINK_EDOMAIN)
    f->singular = verdict.singular;
  return rc;
}

/* Pivots for the matrix, its rows scaled, and memory for its factors. */
static brink_status new_pivots(const brink__symbolic *s, brink__numeric *f, int which)
{
  brink__block block;

  BRINK_TRY(brink__block_new(f->ctx, brink__need(0, s->nnz, sizeof(double)), &block));
  double *value = brink__carve(&block, s->nnz, sizeof *value);
  for (size_t p = 0; p < s->nnz; p++)
    value[p] = f->scale[s->at[p]] * f->entry[s->from[p]];
  brink_status rc =
      brink__choose_pivots(s, f->ctx, value, 1, &f->pattern[which], &f->singular);
  brink__block_drop(&block);
  if (rc == BRINK_OK)
    rc = brink__lu_numbers_new(f->ctx, &f->pattern[which], 1, &f->numbers[which]);
  return rc;
}

/* Factor with pivots chosen for this very matrix. */
static brink_status choose_pivots(const brink__symbolic *s, brink__numeric *f,
                                  int which)
{
  drop(f, which);
  brink_status rc = new_pivots(s, f, which);
  if (rc == BRINK_OK && refactor(s, f, which) != BRINK_OK)
    rc = BRINK_EDOMAIN; /* singular, or an overflow on the way */
  if (rc != BRINK_OK)
    drop(f, which);
  return rc;
}

/* The verdict "singular" is one about pivots that were chosen for this matrix, too. */
static brink_status factor_sparse(const brink__symbolic *s, brink__numeric *f)
{
  f->singular = 0;
  if (!equilibrate(s, f))
    return BRINK_EDOMAIN;
  f->used = FIRST;
  if (!f->numbers[FIRST].block.base)
    return choose_pivots(s, f, FIRST);
  if (refactor(s, f, FIRST) == BRINK_OK)
    return BRINK_OK;
  f->used = ANEW;
  return choose_pivots(s, f, ANEW);
}

brink_status brink__numeric_factor(const brink__symbolic *s, brink__numeric *f)
{
  if (f->known && !brink__differ(f->entry, f->factored, s->nnz))
    return BRINK_OK;
  brink_status rc = s->sparse ? factor_sparse(s, f) : factor_dense(s, f);
  f->known = rc == BRINK_OK;
  if (f->known) {
    f->singular = s->n;
    memcpy(f->factored, f->entry, s->nnz * sizeof *f->factored);
  }
  return rc;
}

void brink__numeric_solve(const brink__symbolic *s, brink__numeric *f, double *x)
{
  if (s->sparse)
    brink__lu_solve_sparse(s, &f->pattern[f->used], &f->numbers[f->used], f->scale,
                           f->work, x, NULL);
  else
    brink__lu_solve(s->n, f->a, f->pivot, f->scale, x);
}

/* Pivots below 0 of a sparse matrix: odd? */
static int negative_pivots(const brink__lu_pattern *p, const brink__lu_numbers *a)
{
  int odd = 0;

  for (size_t k = 0; k < p->n_panels; k++)
    for (size_t w = (size_t)(p->first[k + 1] - p->first[k]), t = 0; t < w; t++)
      odd ^= a->l[p->l_at[k] + t * w + t] < 0;
  return odd;
}

int brink__numeric_sign(const brink__symbolic *s, const brink__numeric *f)
{
  int odd = 0;

  if (s->sparse)
    odd = s->odd ^ f->pattern[f->used].odd ^
          negative_pivots(&f->pattern[f->used], &f->numbers[f->used]);
  for (size_t k = 0; k < s->n && !s->sparse; k++)
    odd ^= (f->a[k * s->n + k] < 0) != ((size_t)f->pivot[k] != k);
  return odd ? -1 : 1;
}
