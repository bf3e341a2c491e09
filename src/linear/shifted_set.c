/* shifted_set.c -- see shifted_set.h
 *
 * Sparse matrices: pivots are chosen (pivots.c) for the real matrix, and serve the
 * complex ones, which differ from it in numbers on the diagonal only.  They also serve
 * all matrices that follow, as long as no pivot is too small beside what is below it. A
 * complex matrix for which they are too small gets pivots of its own.
 *
 * Large systems whose elimination fills much, as on grids, are iterated (krylov.h).
 * Where that does not converge, all matrices are eliminated from then on.
 */
#include "linear/shifted_set.h"

#include <math.h>

#include "linear/krylov.h"
#include "linear/shifted.h"
#include "linear/sparse_lu.h"

/* A product in a sparse elimination costs about as much as so many in a band or a full
 * matrix, whose loops are longer and need no lists of rows.  An estimate: near the
 * bound both take about the same time. */
static const double SPARSE_COST = 3;

/* Systems are iterated where elimination takes so many products for each entry of J.
 * Three species on 12 x 12 cells (about this ratio) take half the time of elimination,
 * on 100 x 100 cells a tenth. */
static const double ITERATE_FROM = 30;

/* One of the sparse matrices. */
typedef struct sparse_matrix {
  int shares;            /* its pattern is that of the real matrix                 */
  brink__lu_pattern own; /* else this                                              */
  brink__lu_numbers numbers;
  long of; /* the `version` of the shared pattern when they were given room           */
} sparse_matrix;

struct brink__shifted_set {
  brink_ctx *ctx;
  brink__shifted_kind kind;
  int n_complex;
  brink__shifted plan; /* full, band                                                */
  brink__block block;  /* of the factors of full matrices and bands, and of arrays  */
  unsigned char **lu;  /* [1 + n_complex] those factors                             */

  /* -- sparse -- */
  brink__pool pool;
  brink__symbolic *symbolic;
  int32_t *diagonal; /* [n_mass] entries of the diagonal                             */
  double *entry;     /* [nnz] the matrix to be factored                              */
  double *scale;     /* [1 + n_complex][n] of rows: powers of two                    */
  double *work;      /* of brink__lu_work doubles, zeros                             */
  brink__lu_pattern shared;
  long version; /* of the shared pattern: it grows with each choice of pivots         */
  sparse_matrix *matrix; /* [1 + n_complex]                                          */
  brink__krylov *krylov; /* NULL: nothing is iterated                                */
  int iterates;          /* 0: it was tried and did not converge                     */
};

/* ---------------------------------------------------------------- choice --- */

static double products_of_plan(const brink__shifted *p)
{
  double n = (double)p->n, lower = (double)p->lower, upper = (double)p->upper;

  return p->stride == p->n ? n * n * n / 3 : n * lower * (lower + upper + 1);
}

/* The pattern analysed, if the matrices are sparse. */
static brink_status choose(brink__shifted_set *set, const brink__shifted_spec *spec)
{
  brink__shifted_plan(&set->plan, spec->n, spec->n_mass, spec->nnz, spec->row,
                      spec->col);
  set->kind = set->plan.stride == spec->n ? BRINK__SHIFTED_FULL : BRINK__SHIFTED_BAND;
  if (!spec->row || !brink__fill_order_here())
    return BRINK_OK;
  double least = products_of_plan(&set->plan);
  if (SPARSE_COST * (double)spec->nnz >= least) /* as of a narrow band */
    return BRINK_OK;
  BRINK_TRY(brink__symbolic_new(&set->pool, spec->n, spec->nnz, spec->row, spec->col,
                                &set->symbolic));
  if (set->symbolic->sparse && SPARSE_COST * set->symbolic->products < least) {
    set->kind = BRINK__SHIFTED_SPARSE;
  } else {
    set->symbolic = NULL;
    brink__pool_drop(&set->pool);
  }
  return BRINK_OK;
}

brink__shifted_kind brink__shifted_set_kind(const brink__shifted_set *set)
{
  return set->kind;
}

int brink__shifted_set_iterates(const brink__shifted_set *set) { return set->iterates; }

/* ---------------------------------------------------------------- memory --- */

/* Memory of the object with its arrays, of full matrices or of sparse ones. */
static size_t measure(const brink__shifted *plan, int n_complex, int sparse)
{
  const brink__shifted_set *set = NULL;
  size_t count = 1 + (size_t)n_complex, need = brink__need(0, 1, sizeof *set);

  if (!sparse) {
    need = brink__need(need, count, sizeof *set->lu);
    for (size_t q = 0; q < count; q++)
      need = brink__need(need, 1, brink__shifted_size(plan, q > 0));
    return need;
  }
  need = brink__need(need, count, sizeof *set->matrix);
  need = brink__need(need, plan->n_mass, sizeof *set->diagonal);
  need = brink__need(need, plan->nnz + count * plan->n, sizeof(double));
  return brink__need(need, brink__lu_work(plan->n, n_complex ? 2 : 1), sizeof(double));
}

static void place_full(brink__shifted_set *set)
{
  size_t count = 1 + (size_t)set->n_complex;

  set->lu = brink__carve(&set->block, count, sizeof *set->lu);
  for (size_t q = 0; q < count; q++)
    set->lu[q] = brink__carve(&set->block, 1, brink__shifted_size(&set->plan, q > 0));
}

static void place_sparse(brink__shifted_set *set)
{
  const brink__shifted *p = &set->plan;
  size_t count = 1 + (size_t)set->n_complex;

  set->matrix = brink__carve(&set->block, count, sizeof *set->matrix);
  set->diagonal = brink__carve(&set->block, p->n_mass, sizeof *set->diagonal);
  set->entry = brink__carve(&set->block, p->nnz + count * p->n, sizeof(double));
  set->scale = set->entry + p->nnz;
  set->work = brink__carve(&set->block, brink__lu_work(p->n, set->n_complex ? 2 : 1),
                           sizeof(double));
  for (size_t k = 0; k < p->nnz; k++)
    if (p->row[k] == p->col[k] && (size_t)p->row[k] < p->n_mass)
      set->diagonal[p->row[k]] = (int32_t)k;
}

brink_status brink__shifted_set_new(brink_ctx *ctx, const brink__shifted_spec *spec,
                                    brink__shifted_set **out)
{
  brink__shifted_set head = {
      .ctx = ctx, .n_complex = spec->n_complex, .pool = {.ctx = ctx}};

  *out = NULL;
  brink_status rc = choose(&head, spec);
  int sparse = head.kind == BRINK__SHIFTED_SPARSE;
  if (rc == BRINK_OK)
    rc =
        brink__block_new(ctx, measure(&head.plan, head.n_complex, sparse), &head.block);
  if (rc < 0) {
    brink__pool_drop(&head.pool);
    return rc;
  }
  brink__shifted_set *set = brink__carve(&head.block, 1, sizeof *set);
  *set = head;
  if (sparse)
    place_sparse(set);
  else
    place_full(set);
  if (sparse && spec->n_mass == spec->n &&
      set->symbolic->products >= ITERATE_FROM * (double)spec->nnz) {
    rc = brink__krylov_new(ctx, set->symbolic, 1 + set->n_complex, spec->weight,
                           &set->krylov);
    set->iterates = 1;
  }
  if (rc < 0)
    brink__shifted_set_free(set);
  else
    *out = set;
  return rc;
}

static void drop_numbers(sparse_matrix *m)
{
  brink__block_drop(&m->numbers.block);
  brink__block_drop(&m->own.block);
  *m = (sparse_matrix){.shares = 0};
}

void brink__shifted_set_forget(brink__shifted_set *set)
{
  for (int q = 0; set->matrix && q <= set->n_complex; q++)
    drop_numbers(&set->matrix[q]);
  brink__block_drop(&set->shared.block);
  set->shared = (brink__lu_pattern){.n = 0};
  if (set->krylov)
    brink__krylov_forget(set->krylov);
  set->iterates = set->krylov != NULL;
}

void brink__shifted_set_free(brink__shifted_set *set)
{
  if (!set)
    return;
  brink__block block = set->block;
  brink__shifted_set_forget(set);
  brink__krylov_free(set->krylov);
  brink__pool_drop(&set->pool);
  brink__block_drop(&block);
}

static const brink__lu_pattern *pattern_of(const brink__shifted_set *set, int q)
{
  return set->matrix[q].shares ? &set->shared : &set->matrix[q].own;
}

static brink_status copy_matrix(brink__shifted_set *to, const brink__shifted_set *from,
                                int q)
{
  const sparse_matrix *old = &from->matrix[q];
  sparse_matrix *m = &to->matrix[q];

  if (!old->numbers.block.base || old->of != from->version)
    return BRINK_OK;
  if (!old->shares)
    BRINK_TRY(brink__lu_pattern_copy(to->ctx, &old->own, &m->own));
  m->shares = old->shares;
  BRINK_TRY(
      brink__lu_numbers_copy(to->ctx, pattern_of(to, q), &old->numbers, &m->numbers));
  m->of = to->version;
  return BRINK_OK;
}

/* Matrices of an older version of the shared pattern are of no use to anybody. */
static brink_status copy_sparse(brink__shifted_set *to, const brink__shifted_set *from)
{
  if (from->shared.block.base)
    BRINK_TRY(brink__lu_pattern_copy(to->ctx, &from->shared, &to->shared));
  to->version++;
  memcpy(to->scale, from->scale,
         (1 + (size_t)to->n_complex) * to->plan.n * sizeof *to->scale);
  for (int q = 0; q <= to->n_complex; q++)
    BRINK_TRY(copy_matrix(to, from, q));
  return BRINK_OK;
}

brink_status brink__shifted_set_copy(brink__shifted_set *to,
                                     const brink__shifted_set *from)
{
  if (to->kind != BRINK__SHIFTED_SPARSE) {
    size_t head = (size_t)(to->lu[0] - to->block.base);
    memcpy(to->lu[0], from->lu[0], to->block.used - head);
    return BRINK_OK;
  }
  brink__shifted_set_forget(to);
  to->iterates = from->iterates;
  if (to->iterates) {
    brink__krylov_copy(to->krylov, from->krylov);
    return BRINK_OK;
  }
  brink_status rc = copy_sparse(to, from);
  if (rc < 0)
    brink__shifted_set_forget(to);
  return rc;
}

/* ---------------------------------------------------------------- sparse --- */

/* Scale rows to largest elements of about 1.  0: one has none, or one that is not
 * finite. */
static int equilibrate(const brink__shifted_set *set, double im, double *scale)
{
  const brink__shifted *p = &set->plan;

  memset(scale, 0, p->n * sizeof *scale);
  for (size_t k = 0; k < p->nnz; k++) {
    double *top = &scale[p->row[k]], size = fabs(set->entry[k]);
    *top = size <= *top ? *top : size; /* NaN stays */
  }
  for (size_t i = 0; i < p->n_mass; i++)
    scale[i] = fabs(im) <= scale[i] ? scale[i] : fabs(im);
  for (size_t i = 0; i < p->n; i++) {
    if (!(scale[i] > 0) || !isfinite(scale[i]))
      return 0;
    scale[i] = brink__row_scale(scale[i]);
  }
  return 1;
}

/* Pivots for matrix q, by its numbers in compressed columns. */
static brink_status new_pattern(brink__shifted_set *set, int q, double im,
                                brink__lu_pattern *out)
{
  const brink__symbolic *s = set->symbolic;
  const double *scale = set->scale + (size_t)q * s->n;
  int parts = q > 0 ? 2 : 1;
  brink__block block;
  size_t column, count = s->nnz * (size_t)parts;

  BRINK_TRY(brink__block_new(set->ctx, brink__need(0, count, sizeof(double)), &block));
  double *value = brink__carve(&block, count, sizeof *value);
  for (size_t p = 0, j = 0; p < s->nnz; p++) {
    while ((size_t)s->start[j + 1] <= p)
      j++;
    size_t i = (size_t)s->at[p];
    value[p * (size_t)parts] = scale[i] * set->entry[s->from[p]];
    if (parts == 2 && i == j && i < set->plan.n_mass)
      value[2 * p + 1] = scale[i] * im;
  }
  brink_status rc = brink__choose_pivots(s, set->ctx, value, parts, out, &column);
  brink__block_drop(&block);
  return rc;
}

/* Room for the numbers of matrix q in its pattern. */
static brink_status make_room(brink__shifted_set *set, int q)
{
  sparse_matrix *m = &set->matrix[q];

  brink__block_drop(&m->numbers.block);
  m->of = set->version;
  return brink__lu_numbers_new(set->ctx, pattern_of(set, q), q > 0 ? 2 : 1,
                               &m->numbers);
}

static brink_status eliminate(brink__shifted_set *set, int q, double im)
{
  brink__lu_matrix a = {set->entry, set->scale + (size_t)q * set->plan.n, im,
                        q > 0 ? set->plan.n_mass : 0};
  brink__lu_verdict verdict = {.least = 0};

  return brink__lu_factor_sparse(set->symbolic, pattern_of(set, q), &a,
                                 &set->matrix[q].numbers, set->work, &verdict);
}

/* With the pivots that there are.  BRINK_LIMIT: there are none, or they do not serve.
 */
static brink_status with_old_pivots(brink__shifted_set *set, int q, double im)
{
  sparse_matrix *m = &set->matrix[q];

  if (!set->shared.block.base)
    return BRINK_LIMIT;
  if (m->of != set->version || !m->numbers.block.base) {
    brink__block_drop(&m->own.block);
    m->shares = 1;
    BRINK_TRY(make_room(set, q));
  }
  brink_status rc = eliminate(set, q, im);
  return rc == BRINK_OK ? rc : BRINK_LIMIT;
}

static brink_status with_new_pivots(brink__shifted_set *set, int q, double im)
{
  sparse_matrix *m = &set->matrix[q];
  brink__lu_pattern fresh;

  BRINK_TRY(new_pattern(set, q, im, &fresh));
  if (q == 0) {
    brink__block_drop(&set->shared.block);
    set->shared = fresh;
    set->version++;
  } else {
    brink__block_drop(&m->own.block);
    m->own = fresh;
  }
  m->shares = q == 0;
  BRINK_TRY(make_room(set, q));
  return eliminate(set, q, im) == BRINK_OK ? BRINK_OK : BRINK_EDOMAIN;
}

static brink_status factor_sparse(brink__shifted_set *set, int q, const double *J,
                                  double re, double im)
{
  for (size_t k = 0; k < set->plan.nnz; k++)
    set->entry[k] = -J[k];
  for (size_t i = 0; i < set->plan.n_mass; i++)
    set->entry[set->diagonal[i]] += re;
  if (!equilibrate(set, im, set->scale + (size_t)q * set->plan.n))
    return BRINK_EDOMAIN;
  brink_status rc = with_old_pivots(set, q, im);
  return rc == BRINK_LIMIT ? with_new_pivots(set, q, im) : rc;
}

/* ------------------------------------------------------------------- use --- */

/* Iteration does not do: eliminate all matrices that there are. */
static brink_status fall_back(brink__shifted_set *set)
{
  brink__block block;
  size_t nnz = set->plan.nnz;
  brink_status rc = BRINK_OK;

  set->iterates = 0;
  BRINK_TRY(brink__block_new(set->ctx, brink__need(0, nnz, sizeof(double)), &block));
  double *J = brink__carve(&block, nnz, sizeof *J), re, im;
  brink__krylov_jacobian(set->krylov, J);
  for (int q = 0; rc == BRINK_OK && q <= set->n_complex; q++)
    if (brink__krylov_shift(set->krylov, q, &re, &im))
      rc = factor_sparse(set, q, J, re, im);
  brink__block_drop(&block);
  return rc;
}

brink_status brink__shifted_set_factor(brink__shifted_set *set, int q, const double *J,
                                       double re, double im)
{
  const brink__shifted *p = &set->plan;

  if (set->iterates) {
    if (brink__krylov_prepare(set->krylov, q, J, re, im))
      return BRINK_OK;
    BRINK_TRY(fall_back(set));
  }
  if (set->kind == BRINK__SHIFTED_SPARSE)
    return factor_sparse(set, q, J, re, im);
  size_t done = q > 0 ? brink__shifted_factor_complex(p, J, re, im, set->lu[q])
                      : brink__shifted_factor(p, J, re, set->lu[q]);
  return done == p->n ? BRINK_OK : BRINK_EDOMAIN;
}

brink_status brink__shifted_set_solve(brink__shifted_set *set, int q, double *x,
                                      double *y)
{
  if (set->iterates) {
    if (brink__krylov_solve(set->krylov, q, x, q > 0 ? y : NULL))
      return BRINK_OK;
    BRINK_TRY(fall_back(set));
  }
  if (set->kind == BRINK__SHIFTED_SPARSE)
    brink__lu_solve_sparse(set->symbolic, pattern_of(set, q), &set->matrix[q].numbers,
                           set->scale + (size_t)q * set->plan.n, set->work, x, y);
  else if (q > 0)
    brink__shifted_solve_complex(&set->plan, set->lu[q], x, y);
  else
    brink__shifted_solve(&set->plan, set->lu[q], x);
  return BRINK_OK;
}
