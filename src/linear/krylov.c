/* krylov.c -- see krylov.h
 *
 * GMRES [SS86] with the incomplete factors ILU(0) [Saad03, 10.3] applied from the left:
 * what it makes small is then about the error of x and not a residual.  Unknowns are
 * divided by their weights, so that this error is measured in tolerances.
 *
 * All matrices are complex here; a real one has imaginary parts of 0, which costs twice
 * the work for one matrix of several.  A complex number is two doubles, one after the
 * other.
 *
 * Cost: an iteration passes twice over the entries of J and once over the vectors so
 * far.
 */
#include "linear/krylov.h"

#include <complex.h>
#include <math.h>
#include <string.h>

/* Iterations at most.  Three species that react and diffuse on a plane take 4 to 8. */
enum { VECTORS = 20 };

/* The part of the solution that the error may be.  Newton's iteration converges at no
 * better a rate, and keeps a Jacobian up to 1e-3. */
static const double ERROR_LEFT = 1e-4;

/* Incomplete factors that are much too small make any error look small.  So the
 * residual of the solution, each row over its diagonal element, must not exceed this
 * part of it. */
static const double RESIDUAL_LEFT = 1e-2;

struct brink__krylov {
  brink__block block;
  const brink__symbolic *symbolic;
  const double *weight; /* [n] or NULL                                             */
  int n_matrices;
  int32_t *diagonal;    /* [n] place of the diagonal in a column                    */
  int32_t *mark;        /* [n] the column, plus 1, in which a row was seen last     */
  double *J;            /* [nnz] by places                                          */
  double **lu;          /* [n_matrices][2 nnz] incomplete factors by places         */
  unsigned char *ready; /* [n_matrices]                                             */
  double *re, *im;      /* [n_matrices] their c                                     */
  double *work;         /* [2 n]                                                    */
  double *v;            /* [VECTORS + 1][2 n]                                       */
};

/* ---------------------------------------------------------------- memory --- */

static size_t measure(size_t n, size_t nnz, size_t matrices)
{
  const brink__krylov *k = NULL;
  size_t need = brink__need(0, 1, sizeof *k);

  need = brink__need(need, 2 * n, sizeof *k->diagonal);
  need = brink__need(need, nnz + 2 * nnz * matrices, sizeof(double));
  need = brink__need(need, matrices, sizeof *k->lu);
  need = brink__need(need, matrices, sizeof *k->ready);
  need = brink__need(need, 2 * matrices, sizeof(double));
  return brink__need(need, 2 * n * (VECTORS + 2), sizeof(double));
}

brink_status brink__krylov_new(brink_ctx *ctx, const brink__symbolic *symbolic,
                               int n_matrices, const double *weight,
                               brink__krylov **out)
{
  size_t n = symbolic->n, nnz = symbolic->nnz, matrices = (size_t)n_matrices;
  brink__block block;

  *out = NULL;
  BRINK_TRY(brink__block_new(ctx, measure(n, nnz, matrices), &block));
  brink__krylov *k = brink__carve(&block, 1, sizeof *k);
  k->symbolic = symbolic;
  k->weight = weight;
  k->n_matrices = n_matrices;
  k->diagonal = brink__carve(&block, 2 * n, sizeof *k->diagonal);
  k->mark = k->diagonal + n;
  k->J = brink__carve(&block, nnz + 2 * nnz * matrices, sizeof *k->J);
  k->lu = brink__carve(&block, matrices, sizeof *k->lu);
  for (size_t q = 0; q < matrices; q++)
    k->lu[q] = k->J + nnz + 2 * nnz * q;
  k->ready = brink__carve(&block, matrices, sizeof *k->ready);
  k->re = brink__carve(&block, 2 * matrices, sizeof *k->re);
  k->im = k->re + matrices;
  k->work = brink__carve(&block, 2 * n * (VECTORS + 2), sizeof *k->work);
  k->v = k->work + 2 * n;
  for (size_t j = 0; j < n; j++)
    for (int32_t p = symbolic->start[j]; p < symbolic->start[j + 1]; p++)
      if ((size_t)symbolic->at[p] == j)
        k->diagonal[j] = p;
  k->block = block;
  *out = k;
  return BRINK_OK;
}

void brink__krylov_free(brink__krylov *k)
{
  if (!k)
    return;
  brink__block block = k->block;
  brink__block_drop(&block);
}

void brink__krylov_forget(brink__krylov *k)
{
  memset(k->ready, 0, (size_t)k->n_matrices);
}

void brink__krylov_copy(brink__krylov *to, const brink__krylov *from)
{
  size_t nnz = to->symbolic->nnz, matrices = (size_t)to->n_matrices;

  memcpy(to->J, from->J, nnz * (1 + 2 * matrices) * sizeof *to->J);
  memcpy(to->ready, from->ready, matrices);
  memcpy(to->re, from->re, 2 * matrices * sizeof *to->re);
}

/* --------------------------------------------------------------- prepare --- */

/* a -= b c */
static inline void subtract(double *a, const double *b, const double *c)
{
  double re = a[0] - (b[0] * c[0] - b[1] * c[1]);

  a[1] -= b[0] * c[1] + b[1] * c[0];
  a[0] = re;
}

/* 1 / a; 0: there is none. */
static int invert(const double *a, double *out)
{
  double top = fabs(a[0]) + fabs(a[1]), u = a[0] / top, v = a[1] / top;
  double size = (u * u + v * v) * top;

  if (!(top > 0) || !isfinite(top))
    return 0;
  out[0] = u / size;
  out[1] = -v / size;
  return 1;
}

static inline void multiply(double *a, const double *b)
{
  double re = a[0] * b[0] - a[1] * b[1];

  a[1] = a[0] * b[1] + a[1] * b[0];
  a[0] = re;
}

/* Column j of the factors from those before, in the places of J only.  The diagonal of
 * U is stored inverted. */
static int eliminate_column(brink__krylov *k, double *lu, size_t j)
{
  const int32_t *start = k->symbolic->start, *at = k->symbolic->at;
  double *x = k->work;
  int32_t d = k->diagonal[j];

  for (int32_t p = start[j]; p < start[j + 1]; p++) {
    x[2 * at[p]] = lu[2 * p];
    x[2 * at[p] + 1] = lu[2 * p + 1];
    k->mark[at[p]] = (int32_t)j + 1;
  }
  for (int32_t p = start[j]; p < d; p++) {
    size_t col = (size_t)at[p];
    for (int32_t r = k->diagonal[col] + 1; r < start[col + 1]; r++)
      if (k->mark[at[r]] == (int32_t)j + 1)
        subtract(x + 2 * at[r], lu + 2 * r, x + 2 * col);
  }
  for (int32_t p = start[j]; p < start[j + 1]; p++)
    memcpy(lu + 2 * p, x + 2 * at[p], 2 * sizeof *lu);
  if (!invert(x + 2 * j, lu + 2 * d))
    return 0;
  for (int32_t p = d + 1; p < start[j + 1]; p++)
    multiply(lu + 2 * p, lu + 2 * d);
  return 1;
}

int brink__krylov_prepare(brink__krylov *k, int q, const double *J, double re,
                          double im)
{
  const brink__symbolic *s = k->symbolic;
  double *lu = k->lu[q];

  if (q == 0)
    brink__krylov_forget(k);
  k->ready[q] = 0;
  k->re[q] = re;
  k->im[q] = im;
  for (size_t p = 0; p < s->nnz; p++) {
    k->J[p] = J[s->from[p]];
    lu[2 * p] = -k->J[p];
    lu[2 * p + 1] = 0;
  }
  memset(k->mark, 0, s->n * sizeof *k->mark);
  for (size_t j = 0; j < s->n; j++) {
    lu[2 * k->diagonal[j]] += re;
    lu[2 * k->diagonal[j] + 1] = im;
    if (!eliminate_column(k, lu, j))
      return 0;
  }
  k->ready[q] = 1;
  return 1;
}

int brink__krylov_shift(const brink__krylov *k, int q, double *re, double *im)
{
  *re = k->re[q];
  *im = k->im[q];
  return k->ready[q];
}

void brink__krylov_jacobian(const brink__krylov *k, double *J)
{
  for (size_t p = 0; p < k->symbolic->nnz; p++)
    J[k->symbolic->from[p]] = k->J[p];
}

/* ------------------------------------------------------------- iteration --- */

/* x becomes (L U)^-1 x. */
static void apply_factors(const brink__krylov *k, const double *lu, double *x)
{
  const int32_t *start = k->symbolic->start, *at = k->symbolic->at;

  for (size_t j = 0; j < k->symbolic->n; j++)
    for (int32_t p = k->diagonal[j] + 1; p < start[j + 1]; p++)
      subtract(x + 2 * at[p], lu + 2 * p, x + 2 * j);
  for (size_t j = k->symbolic->n; j-- > 0;) {
    multiply(x + 2 * j, lu + 2 * k->diagonal[j]);
    for (int32_t p = start[j]; p < k->diagonal[j]; p++)
      subtract(x + 2 * at[p], lu + 2 * p, x + 2 * j);
  }
}

/* y = (c I - J) x */
static void apply_matrix(const brink__krylov *k, int q, const double *x, double *y)
{
  const int32_t *start = k->symbolic->start, *at = k->symbolic->at;
  double re = k->re[q], im = k->im[q];
  size_t n = k->symbolic->n;

  for (size_t i = 0; i < n; i++) {
    y[2 * i] = re * x[2 * i] - im * x[2 * i + 1];
    y[2 * i + 1] = re * x[2 * i + 1] + im * x[2 * i];
  }
  for (size_t j = 0; j < n; j++)
    for (int32_t p = start[j]; p < start[j + 1]; p++) {
      y[2 * at[p]] -= k->J[p] * x[2 * j];
      y[2 * at[p] + 1] -= k->J[p] * x[2 * j + 1];
    }
}

static double weight(const brink__krylov *k, size_t i)
{
  return k->weight ? k->weight[i] : 1;
}

/* The sum of conj(a_i) b_i. */
static double complex product(size_t n, const double *a, const double *b)
{
  double re = 0, im = 0;

  for (size_t i = 0; i < n; i++) {
    re += a[2 * i] * b[2 * i] + a[2 * i + 1] * b[2 * i + 1];
    im += a[2 * i] * b[2 * i + 1] - a[2 * i + 1] * b[2 * i];
  }
  return re + im * (double complex)I;
}

/* b += c a */
static void add(size_t n, double complex c, const double *a, double *b)
{
  double re = creal(c), im = cimag(c);

  for (size_t i = 0; i < n; i++) {
    b[2 * i] += re * a[2 * i] - im * a[2 * i + 1];
    b[2 * i + 1] += re * a[2 * i + 1] + im * a[2 * i];
  }
}

/* Make v of length 1; its length. */
static double normalise(size_t n, double *v)
{
  double size = sqrt(creal(product(n, v, v)));

  for (size_t i = 0; size > 0 && i < 2 * n; i++)
    v[i] /= size;
  return size;
}

/* The least-squares problem of GMRES: the matrix of the projected operator, made upper
 * triangular by rotations, and its right-hand side. */
typedef struct projected {
  double complex h[VECTORS][VECTORS + 1]; /* columns */
  double complex s[VECTORS], g[VECTORS + 1];
  double c[VECTORS];
} projected;

/* Column m has come; rotate it, and g.  Returns the size of what remains. */
static double rotate(projected *p, int m)
{
  double complex *h = p->h[m];

  for (int i = 0; i < m; i++) {
    double complex upper = p->c[i] * h[i] + p->s[i] * h[i + 1];
    h[i + 1] = p->c[i] * h[i + 1] - conj(p->s[i]) * h[i];
    h[i] = upper;
  }
  double size = cabs(h[m]), below = creal(h[m + 1]), r = hypot(size, below);
  double complex phase = size > 0 ? h[m] / size : 1;
  p->c[m] = size / r;
  p->s[m] = phase * (below / r);
  h[m] = phase * r;
  p->g[m + 1] = -conj(p->s[m]) * p->g[m];
  p->g[m] *= p->c[m];
  return cabs(p->g[m + 1]);
}

/* The next vector: the preconditioned matrix times vector m, less what lies in those
 * before. */
static void extend(brink__krylov *k, int q, projected *p, int m)
{
  size_t n = k->symbolic->n;
  double *from = k->v + 2 * n * (size_t)m, *to = from + 2 * n, *w = k->work;

  for (size_t i = 0; i < 2 * n; i++)
    w[i] = weight(k, i / 2) * from[i];
  apply_matrix(k, q, w, to);
  apply_factors(k, k->lu[q], to);
  for (size_t i = 0; i < 2 * n; i++)
    to[i] /= weight(k, i / 2);
  for (int i = 0; i <= m; i++) {
    const double *v = k->v + 2 * n * (size_t)i;
    p->h[m][i] = product(n, v, to);
    add(n, -p->h[m][i], v, to);
  }
  p->h[m][m + 1] = normalise(n, to);
}

/* The solution from the first m vectors, in units of weights: work. */
static void combine(brink__krylov *k, projected *p, int m)
{
  size_t n = k->symbolic->n;

  for (int i = m; i-- > 0;) {
    for (int j = i + 1; j < m; j++)
      p->g[i] -= p->h[j][i] * p->g[j];
    p->g[i] /= p->h[i][i];
  }
  memset(k->work, 0, 2 * n * sizeof *k->work);
  for (int i = 0; i < m; i++)
    add(n, p->g[i], k->v + 2 * n * (size_t)i, k->work);
}

/* Does the solution in work, which is left in weights of 1, solve the system with this
 * right-hand side, but for a small part? */
static int is_solution(brink__krylov *k, int q, const double *x, const double *y)
{
  size_t n = k->symbolic->n;
  double *z = k->work, *r = k->v, size = 0, off = 0;

  for (size_t i = 0; i < 2 * n; i++) {
    size += z[i] * z[i];
    z[i] *= weight(k, i / 2);
  }
  apply_matrix(k, q, z, r);
  for (size_t i = 0; i < n; i++) {
    double re = r[2 * i] - x[i], im = r[2 * i + 1] - (y ? y[i] : 0);
    double d = hypot(k->re[q] - k->J[k->diagonal[i]], k->im[q]) * weight(k, i);
    off += (re * re + im * im) / (d * d);
  }
  return off <= RESIDUAL_LEFT * RESIDUAL_LEFT * size;
}

int brink__krylov_solve(brink__krylov *k, int q, double *x, double *y)
{
  size_t n = k->symbolic->n;
  projected p;

  for (size_t i = 0; i < n; i++) {
    k->v[2 * i] = x[i];
    k->v[2 * i + 1] = y ? y[i] : 0;
  }
  apply_factors(k, k->lu[q], k->v);
  for (size_t i = 0; i < 2 * n; i++)
    k->v[i] /= weight(k, i / 2);
  double size = normalise(n, k->v), left = size;
  if (!isfinite(size)) /* nor is the right-hand side, which stays */
    return 1;
  p.g[0] = size;
  int m = 0;
  while (left > ERROR_LEFT * size && m < VECTORS) {
    extend(k, q, &p, m);
    left = rotate(&p, m++);
  }
  if (!(left <= ERROR_LEFT * size))
    return 0;
  combine(k, &p, m);
  if (!is_solution(k, q, x, y))
    return 0;
  for (size_t i = 0; i < n; i++) {
    x[i] = k->work[2 * i];
    if (y)
      y[i] = k->work[2 * i + 1];
  }
  return 1;
}
