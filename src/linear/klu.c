/* klu.c -- orders and pivots of sparse matrices by KLU [DP10].
 *
 * KLU takes its memory from malloc, by a hook that all of a process share.  It is
 * therefore asked for orders and patterns only, which are copied into memory of the
 * context, and everything of its own is given back before a call returns.  What is done
 * in every step is in sparse_lu.c.
 */
#include "linear/sparse_lu.h"

#include <klu.h>

/* An element on the diagonal is the pivot if it is not smaller than the largest one
 * below by more than this: the equation then determines its own unknown, for which the
 * order has little fill.  Usual is 0.001; the unknowns here become parts of right-hand
 * sides, and are wanted to the last digits. */
static const double DIAGONAL_LEAST = 0.1;

static void settings(klu_common *c)
{
  klu_defaults(c);
  c->btf = 0;    /* the blocks of the equations have been found before */
  c->scale = -1; /* no: rows are scaled by powers of two               */
  c->tol = DIAGONAL_LEAST;
}

int brink__klu_here(void) { return 1; }

int brink__klu_order(const brink__symbolic *s, int32_t *rows, int32_t *cols,
                     double *products)
{
  klu_common c;

  settings(&c);
  klu_symbolic *k = klu_analyze((int)s->n, s->start, s->at, &c);
  if (!k)
    return 0;
  memcpy(rows, k->P, s->n * sizeof *rows);
  memcpy(cols, k->Q, s->n * sizeof *cols);
  *products = k->est_flops / 2;
  klu_free_symbolic(&k, &c);
  return 1;
}

/* L and U as KLU hands them out. */
typedef struct factors {
  brink__block block;
  int32_t *l_start, *l_row, *u_start, *u_row, *pivot;
  double *l, *u; /* values, which KLU does not give apart from places */
} factors;

static brink_status take(brink_ctx *ctx, size_t n, size_t l, size_t u, factors *w)
{
  size_t integers = 2 * (n + 1) + n + l + u, need = 0;

  need = brink__need(need, integers, sizeof(int32_t));
  need = brink__need(need, 2 * (l > u ? l : u), sizeof(double));
  BRINK_TRY(brink__block_new(ctx, need, &w->block));
  w->l_start = brink__carve(&w->block, integers, sizeof(int32_t));
  w->u_start = w->l_start + n + 1;
  w->pivot = w->u_start + n + 1;
  w->l_row = w->pivot + n;
  w->u_row = w->l_row + l;
  /* real parts of L and U go to the same place, and imaginary ones: nobody reads them
   */
  w->l = brink__carve(&w->block, 2 * (l > u ? l : u), sizeof(double));
  w->u = w->l + (l > u ? l : u);
  return BRINK_OK;
}

/* Places of real factors, or of complex ones.  0: no memory. */
static int get_places(klu_symbolic *ks, klu_numeric *kn, int parts, klu_common *c,
                      factors *w)
{
  return parts == 1
             ? klu_sort(ks, kn, c) &&
                   klu_extract(kn, ks, w->l_start, w->l_row, w->l, w->u_start, w->u_row,
                               w->u, NULL, NULL, NULL, w->pivot, NULL, NULL, NULL, c)
             : klu_z_sort(ks, kn, c) &&
                   klu_z_extract(kn, ks, w->l_start, w->l_row, w->l, w->u, w->u_start,
                                 w->u_row, w->l, w->u, NULL, NULL, NULL, NULL, w->pivot,
                                 NULL, NULL, NULL, c);
}

static brink_status extract(const brink__symbolic *s, brink_ctx *ctx, klu_symbolic *ks,
                            klu_numeric *kn, int parts, klu_common *c,
                            brink__lu_pattern *out)
{
  factors w = {.l = NULL};
  brink_status rc = take(ctx, s->n, (size_t)kn->lnz, (size_t)kn->unz, &w);

  if (rc == BRINK_OK && !get_places(ks, kn, parts, c, &w))
    rc = BRINK_ENOMEM;
  if (rc == BRINK_OK)
    rc = brink__lu_pattern_new(
        ctx, &(brink__lu_places){s->n, w.l_start, w.l_row, w.u_start, w.u_row, w.pivot},
        out);
  brink__block_drop(&w.block);
  return rc;
}

static brink_status no_memory(const brink__symbolic *s, brink_ctx *ctx)
{
  return brink__fail(&ctx->err, BRINK_ENOMEM,
                     "out of memory: the factors of %zu equations", s->n);
}

brink_status brink__klu_pivots(const brink__symbolic *s, brink_ctx *ctx,
                               const double *value, int parts, brink__lu_pattern *out,
                               size_t *column)
{
  klu_common c;
  brink_status rc = BRINK_OK;
  double *own = (double *)(uintptr_t)value; /* KLU does not write */

  settings(&c);
  klu_symbolic *ks =
      klu_analyze_given((int)s->n, s->start, s->at, s->row_order, s->col_order, &c);
  klu_numeric *kn = NULL;
  if (ks)
    kn = parts == 1 ? klu_factor(s->start, s->at, own, ks, &c)
                    : klu_z_factor(s->start, s->at, own, ks, &c);
  if (kn)
    rc = extract(s, ctx, ks, kn, parts, &c, out);
  else if (c.status == KLU_SINGULAR) {
    *column = (size_t)c.singular_col;
    rc = BRINK_EDOMAIN;
  } else
    rc = no_memory(s, ctx);
  if (parts == 1)
    klu_free_numeric(&kn, &c);
  else
    klu_z_free_numeric(&kn, &c);
  klu_free_symbolic(&ks, &c);
  return rc;
}
