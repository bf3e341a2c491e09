/* numeric.c -- factors of matrices with a given pattern. */
#include "linear/linear.h"

#include <math.h>
#include <string.h>

enum { FIRST, ANEW }; /* of brink__numeric.lu */

/* ------------------------------------------------------------- memory ---- */

#define NUMERIC_ARRAYS(X)                                                              \
  X(entry, s->nnz)                                                                     \
  X(factored, s->nnz)                                                                  \
  X(scale, s->n)                                                                       \
  X(work, s->sparse ? s->n : 0)                                                        \
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

void brink__numeric_drop(brink__numeric *f)
{
  for (int i = FIRST; i <= ANEW; i++) {
    brink__block_drop(&f->lu[i].block);
    f->lu[i] = (brink__sparse_lu){.odd = 0};
  }
  f->known = 0;
}

brink_status brink__numeric_copy(const brink__symbolic *s, const brink__numeric *from,
                                 brink__numeric *to)
{
  brink__numeric_drop(to);
  for (int i = FIRST; i <= ANEW; i++)
    if (from->lu[i].block.base)
      BRINK_TRY(brink__sparse_lu_copy(to->ctx, s->n, &from->lu[i], &to->lu[i]));
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

/* Factor with pivots chosen for this very matrix. */
static brink_status choose_pivots(const brink__symbolic *s, brink__numeric *f,
                                  int which)
{
  brink__sparse_lu *lu = &f->lu[which];

  brink__block_drop(&lu->block);
  *lu = (brink__sparse_lu){.odd = 0};
  BRINK_TRY(brink__klu_pivots(s, f->ctx, f->entry, f->scale, lu, &f->singular));
  brink_status rc = brink__sparse_lu_refactor(s, f, lu);
  if (rc != BRINK_OK) /* singular, or an overflow on the way */
    brink__block_drop(&lu->block);
  return rc == BRINK_OK ? BRINK_OK : BRINK_EDOMAIN;
}

/* The verdict "singular" is one about pivots that were chosen for this matrix, too. */
static brink_status factor_sparse(const brink__symbolic *s, brink__numeric *f)
{
  f->singular = 0;
  if (!equilibrate(s, f))
    return BRINK_EDOMAIN;
  f->used = FIRST;
  if (!f->lu[FIRST].block.base)
    return choose_pivots(s, f, FIRST);
  if (brink__sparse_lu_refactor(s, f, &f->lu[FIRST]) == BRINK_OK)
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
    brink__sparse_lu_solve(s, &f->lu[f->used], f->scale, f->work, x);
  else
    brink__lu_solve(s->n, f->a, f->pivot, f->scale, x);
}

int brink__numeric_sign(const brink__symbolic *s, const brink__numeric *f)
{
  const brink__sparse_lu *lu = &f->lu[f->used];
  int odd = s->sparse && s->odd != lu->odd;

  for (size_t k = 0; k < s->n; k++)
    odd ^= s->sparse ? lu->diagonal[k] < 0
                     : (f->a[k * s->n + k] < 0) != ((size_t)f->pivot[k] != k);
  return odd ? -1 : 1;
}
