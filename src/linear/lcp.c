/* lcp.c -- linear complementarity problems: Lemke's method with lexicographic pivots
 * [CPS92, 4.4, 4.9], and the classes of matrices that tell whether a problem has a
 * solution, and whether only one [CPS92, 3.3, 3.9].
 *
 * The tableau holds w - M z - e z0 = q, columns w, z, z0, right-hand side.  Rows and
 * columns are scaled by powers of two, so that faces whose states have different units
 * are weighed alike: a solution z of the problem R M C, R q is the solution C z of this
 * one, and the classes of R M C are those of M.  The columns of w are the inverse of
 * the basis, so that the lexicographic rule, which excludes cycles, compares rows of
 * (right-hand side, inverse). Once z0 has left, the solution is computed anew from the
 * equations of the basis: the tableau has gathered the rounding of all pivots.
 *
 * Of matrices that are neither copositive nor completely-S the path may end on a ray
 * though there are solutions; up to order 12 all bases are looked at then.
 *
 * That a matrix is completely-S is a linear programme for each principal submatrix:
 * min sum x, M x >= e, x >= 0.  Its optimality conditions are a complementarity problem
 * with a skew matrix, for which a ray means that there is no such x.
 *
 * Cost: a pivot 2 n^2; usually about 2 n pivots.  Classes 2^n times that.
 */
#include "linear/lcp.h"

#include "linear/linear.h"

#include <math.h>
#include <string.h>

/* Elements of a tableau whose rows have largest elements of about 1 are rounding below
 * this: a few hundred pivots of double precision. */
static const double ROUNDING = 0x1p-42;

/* Effects of solutions are the same up to this part: they may come from differences. */
static const double EFFECT = 1e-6;

/* The method needs about 2 n pivots and in the worst case 2^n, which this allows up to
 * order 16.  By rounding it could go round in circles that the lexicographic rule
 * excludes. */
enum { MOST_PIVOTS = 1 << 16 };

/* Programmes for classes have twice the order of the matrix. */
static size_t largest(size_t n) { return n <= BRINK__LCP_CHECKED ? 2 * n : n; }

typedef struct lcp {
  size_t n, cols;
  double *a;     /* [n][cols] tableau                                              */
  size_t *basis; /* [n] variable of row i: w_j is j, z_j is n + j, z0 is 2 n         */
  double *lu, *scale, *x; /* [n][n], [n], [n] of the equations of a basis           */
  int *pivot;             /* [n]                                                    */
  int *chosen;            /* [n] the z that do not vanish                           */
  int *by_row, *by_col;   /* [n] powers of two by which M is scaled                 */
  int *unscaled;          /* [n] zeros, of a problem that is balanced already       */
  double *m, *q, *z, *w;  /* another problem, made from the one that was given      */
} lcp;

size_t brink__lcp_scratch(size_t n)
{
  size_t big = largest(n), checked = largest(BRINK__LCP_CHECKED);

  if (n > BRINK__LCP_CHECKED && big < checked)
    big = checked; /* smaller problems may need more */
  return big * ((2 * big + 2 + 2 * big + 5) * sizeof(double) + sizeof(size_t) +
                5 * sizeof(int));
}

static void carve(size_t n, void *scratch, lcp *s)
{
  size_t big = largest(n);

  s->n = n;
  s->cols = 2 * n + 2;
  s->a = scratch;
  s->lu = s->a + big * (2 * big + 2);
  s->m = s->lu + big * big;
  s->scale = s->m + big * big;
  s->x = s->scale + big;
  s->q = s->x + big;
  s->z = s->q + big;
  s->w = s->z + big;
  s->basis = (size_t *)(void *)(s->w + big);
  s->pivot = (int *)(void *)(s->basis + big);
  s->chosen = s->pivot + big;
  s->by_row = s->chosen + big;
  s->by_col = s->by_row + big;
  s->unscaled = s->by_col + big;
  memset(s->unscaled, 0, big * sizeof *s->unscaled);
}

/* ---------------------------------------------------------------- scales ---- */

/* Rows and columns in turn, by the root of their largest elements: what is out of scale
 * shrinks by half its digits each time, and powers of two have 11 binary digits. */
enum { BALANCED = 12 };

static double scaled(const lcp *s, const double *m, size_t n, size_t i, size_t j)
{
  return ldexp(m[i * n + j], s->by_row[i] + s->by_col[j]);
}

/* The exponent of the largest of the n elements from m on; 0: all vanish. */
static int exponent(const lcp *s, const double *m, size_t n, size_t k, int is_row)
{
  double top = 0;

  for (size_t j = 0; j < n; j++)
    top = brink__max(top, fabs(is_row ? scaled(s, m, n, k, j) : scaled(s, m, n, j, k)));
  return top > 0 && top < HUGE_VAL ? ilogb(top) : 0;
}

/* Scales with which the largest elements of the rows and columns of m are about 1. */
static void balance(lcp *s, size_t n, const double *m)
{
  for (size_t i = 0; i < n; i++)
    s->by_row[i] = s->by_col[i] = 0;
  for (int turn = 0; turn < BALANCED; turn++) {
    for (size_t i = 0; i < n; i++) {
      s->pivot[i] = exponent(s, m, n, i, 1);
      s->chosen[i] = exponent(s, m, n, i, 0);
    }
    for (size_t i = 0; i < n; i++) {
      s->by_row[i] -= s->pivot[i] / 2;
      s->by_col[i] -= s->chosen[i] / 2;
    }
  }
  for (size_t i = 0; i < n; i++)
    s->by_row[i] -= exponent(s, m, n, i, 1);
}

/* -------------------------------------------------- Lemke's method ---- */

static double *row(const lcp *s, size_t i) { return s->a + i * s->cols; }

static void set_up(lcp *s, const double *m, const double *q)
{
  size_t n = s->n;

  memset(s->a, 0, n * s->cols * sizeof *s->a);
  for (size_t i = 0; i < n; i++) {
    double *r = row(s, i);
    r[i] = 1;
    for (size_t j = 0; j < n; j++)
      r[n + j] = -scaled(s, m, n, i, j);
    r[2 * n] = -1;
    r[2 * n + 1] = ldexp(q[i], s->by_row[i]);
    s->basis[i] = i;
  }
}

/* Make the right-hand sides comparable with 1, as the rows are. */
static void scale_rhs(lcp *s)
{
  size_t last = s->cols - 1;
  double top = 0;

  for (size_t i = 0; i < s->n; i++)
    top = brink__max(top, fabs(row(s, i)[last]));
  for (size_t i = 0; top > 0 && i < s->n; i++)
    row(s, i)[last] *= brink__row_scale(top);
}

static void exchange(lcp *s, size_t at, size_t enters)
{
  double *p = row(s, at), inverse = 1 / p[enters];

  for (size_t j = 0; j < s->cols; j++)
    p[j] *= inverse;
  p[enters] = 1;
  for (size_t i = 0; i < s->n; i++) {
    double *r = row(s, i), factor = r[enters];
    if (i == at || factor == 0)
      continue;
    for (size_t j = 0; j < s->cols; j++)
      r[j] -= factor * p[j];
    r[enters] = 0;
  }
  s->basis[at] = enters;
}

/* Sign of a/p - b/r, element by element (right-hand side, inverse of the basis), the
 * first that differs by more than rounding. */
static int compare(const lcp *s, const double *a, double p, const double *b, double r)
{
  for (size_t j = 0; j <= s->n; j++) {
    size_t c = j == 0 ? s->cols - 1 : j - 1;
    double x = a[c] / p, y = b[c] / r;
    if (fabs(x - y) > ROUNDING * brink__max(1, brink__max(fabs(x), fabs(y))))
      return x < y ? -1 : 1;
  }
  return 0;
}

/* The row that blocks a variable which grows from 0; n: none.  z0 leaves where it may:
 * that ends the method. */
static size_t blocking(const lcp *s, size_t enters)
{
  size_t best = s->n, last = s->cols - 1;
  double least = HUGE_VAL;

  for (size_t i = 0; i < s->n; i++) {
    double *r = row(s, i);
    if (r[enters] <= ROUNDING)
      continue;
    if (best == s->n ||
        compare(s, r, r[enters], row(s, best), row(s, best)[enters]) < 0)
      best = i;
    least = brink__min(least, r[last] / r[enters]);
  }
  for (size_t i = 0; best < s->n && i < s->n; i++) {
    double *r = row(s, i);
    if (s->basis[i] == 2 * s->n && r[enters] > ROUNDING &&
        r[last] / r[enters] <= least + ROUNDING * brink__max(1, fabs(least)))
      return i;
  }
  return best;
}

/* The first row: with z0 = - its right-hand side all others are not negative. */
static size_t most_negative(const lcp *s)
{
  size_t best = 0;

  for (size_t i = 1; i < s->n; i++)
    if (compare(s, row(s, i), 1, row(s, best), 1) < 0)
      best = i;
  return best;
}

static size_t complement(const lcp *s, size_t variable)
{
  return variable < s->n ? variable + s->n : variable - s->n;
}

/* From z0, which covers all negative q, to a basis without it. */
static brink__lcp_end walk(lcp *s)
{
  size_t n = s->n, at = most_negative(s), leaves = s->basis[at];

  exchange(s, at, 2 * n);
  for (int k = 0; k < MOST_PIVOTS; k++) {
    size_t enters = complement(s, leaves);
    at = blocking(s, enters);
    if (at == n)
      return BRINK__LCP_RAY;
    leaves = s->basis[at];
    exchange(s, at, enters);
    if (leaves == 2 * n)
      return BRINK__LCP_SOLVED;
  }
  return BRINK__LCP_RAY;
}

/* --------------------------------------------- equations of one basis ---- */

/* z and w of the basis in which the `count` z in chosen do not vanish.  0: its matrix
 * is singular. */
static int solve_basis(lcp *s, const double *m, const double *q, size_t count,
                       double *z, double *w)
{
  size_t n = s->n;
  double margin;

  for (size_t i = 0; i < count; i++) {
    size_t k = (size_t)s->chosen[i];
    s->x[i] = -ldexp(q[k], s->by_row[k]);
    for (size_t j = 0; j < count; j++)
      s->lu[i * count + j] = scaled(s, m, n, k, (size_t)s->chosen[j]);
  }
  if (count && brink__lu_factor(count, s->lu, s->pivot, s->scale, &margin) < count)
    return 0;
  brink__lu_solve(count, s->lu, s->pivot, s->scale, s->x);
  for (size_t i = 0; i < n; i++)
    z[i] = 0;
  for (size_t i = 0; i < count; i++)
    z[s->chosen[i]] = ldexp(s->x[i], s->by_col[s->chosen[i]]);
  for (size_t i = 0; i < n; i++) {
    w[i] = q[i];
    for (size_t j = 0; j < count; j++)
      w[i] += m[i * n + (size_t)s->chosen[j]] * z[s->chosen[j]];
  }
  for (size_t i = 0; i < count; i++)
    w[s->chosen[i]] = 0;
  return 1;
}

/* Rounding below zero becomes zero; 0: it is more than rounding. */
static int clean(const lcp *s, const double *m, const double *q, double *z, double *w)
{
  size_t n = s->n;
  double largest_z = 0;

  for (size_t i = 0; i < n; i++)
    largest_z = brink__max(largest_z, fabs(ldexp(z[i], -s->by_col[i])));
  for (size_t i = 0; i < n; i++) {
    double terms = fabs(q[i]);
    for (size_t j = 0; j < n; j++)
      terms += fabs(m[i * n + j] * z[j]);
    if (ldexp(z[i], -s->by_col[i]) < -ROUNDING * largest_z || w[i] < -ROUNDING * terms)
      return 0;
    z[i] = brink__max(z[i], 0);
    w[i] = brink__max(w[i], 0);
  }
  return 1;
}

static size_t choose(lcp *s, size_t n, unsigned subset)
{
  size_t count = 0;

  for (size_t i = 0; i < n; i++)
    if (subset >> i & 1)
      s->chosen[count++] = (int)i;
  return count;
}

/* By looking at all bases. */
static brink__lcp_end search(lcp *s, const double *m, const double *q, double *z,
                             double *w)
{
  for (unsigned subset = 0; s->n <= BRINK__LCP_CHECKED && subset >> s->n == 0; subset++)
    if (solve_basis(s, m, q, choose(s, s->n, subset), z, w) && clean(s, m, q, z, w))
      return BRINK__LCP_SOLVED;
  return BRINK__LCP_RAY;
}

brink__lcp_end brink__lcp_solve(size_t n, const double *m, const double *q, double *z,
                                double *w, void *scratch)
{
  lcp s;
  size_t count = 0;
  int negative = 0;

  carve(n, scratch, &s);
  for (size_t i = 0; i < n; i++) {
    z[i] = 0;
    w[i] = q[i];
    negative |= q[i] < 0;
  }
  if (!negative)
    return BRINK__LCP_SOLVED;
  balance(&s, n, m);
  set_up(&s, m, q);
  scale_rhs(&s);
  if (walk(&s) == BRINK__LCP_RAY)
    return search(&s, m, q, z, w);
  for (size_t j = 0; j < n; j++) /* increasing, as the sums of w have them */
    for (size_t i = 0; i < n; i++)
      if (s.basis[i] == n + j)
        s.chosen[count++] = (int)j;
  if (solve_basis(&s, m, q, count, z, w) && clean(&s, m, q, z, w))
    return BRINK__LCP_SOLVED;
  return search(&s, m, q, z, w);
}

/* ------------------------------------------------------------- classes ---- */

/* Is the principal minor of what is chosen positive, by more than rounding? */
static int positive_minor(lcp *s, size_t n, const double *m, size_t count)
{
  double margin;
  int sign = 1;

  for (size_t i = 0; i < count; i++)
    for (size_t j = 0; j < count; j++)
      s->lu[i * count + j] =
          scaled(s, m, n, (size_t)s->chosen[i], (size_t)s->chosen[j]);
  if (brink__lu_factor(count, s->lu, s->pivot, s->scale, &margin) < count)
    return 0;
  for (size_t i = 0; i < count; i++) {
    sign = s->lu[i * count + i] < 0 ? -sign : sign;
    sign = s->pivot[i] != (int)i ? -sign : sign;
  }
  return sign > 0;
}

/* Does the submatrix of what is chosen take a positive vector to a positive one? */
static int is_s(lcp *s, size_t n, const double *m, size_t count)
{
  size_t big = 2 * count;
  lcp programme = *s;

  memset(s->m, 0, big * big * sizeof *s->m);
  for (size_t i = 0; i < count; i++) {
    s->q[i] = 1;
    s->q[count + i] = -1;
    for (size_t j = 0; j < count; j++) {
      double a = scaled(s, m, n, (size_t)s->chosen[i], (size_t)s->chosen[j]);
      s->m[(count + i) * big + j] = a;
      s->m[j * big + count + i] = -a;
    }
  }
  programme.n = big;
  programme.cols = 2 * big + 2;
  programme.by_row = programme.by_col = s->unscaled;
  set_up(&programme, s->m, s->q);
  return walk(&programme) == BRINK__LCP_SOLVED;
}

brink__lcp_class brink__lcp_classify(size_t n, const double *m, void *scratch)
{
  brink__lcp_class c = {.checked = n <= BRINK__LCP_CHECKED};
  lcp s;

  if (!c.checked)
    return c;
  carve(n, scratch, &s);
  balance(&s, n, m);
  c.p = c.completely_s = 1;
  for (unsigned subset = 1; c.p && subset >> n == 0; subset++)
    c.p = positive_minor(&s, n, m, choose(&s, n, subset));
  for (unsigned subset = 1; !c.p && c.completely_s && subset >> n == 0; subset++)
    c.completely_s = is_s(&s, n, m, choose(&s, n, subset));
  return c;
}

int brink__lcp_count(size_t n, const double *m, const double *q, int *singular,
                     void *scratch)
{
  int found = 0;
  lcp s;

  carve(n, scratch, &s);
  balance(&s, n, m);
  *singular = 0;
  for (unsigned subset = 0; found < 2 && subset >> n == 0; subset++) {
    double *z = found ? s.z : s.q, differs = 0, top = 0;
    if (!solve_basis(&s, m, q, choose(&s, n, subset), z, s.w)) {
      ++*singular;
      continue;
    }
    if (!clean(&s, m, q, z, s.w))
      continue;
    for (size_t i = 0; found && i < n; i++) {
      differs = brink__max(differs, ldexp(fabs(s.z[i] - s.q[i]), -s.by_col[i]));
      top = brink__max(top, ldexp(brink__max(s.z[i], s.q[i]), -s.by_col[i]));
    }
    found += !found || differs > ROUNDING * top;
  }
  return found;
}

/* Do z and s->z differ in their effects by more than rounding? */
static int differs(const lcp *s, const double *z, size_t rows, const double *d)
{
  for (size_t i = 0; i < rows; i++) {
    double sum = 0, terms = 0;
    for (size_t j = 0; j < s->n; j++) {
      sum += (z[j] - s->z[j]) * d[j * rows + i];
      terms += (fabs(z[j]) + fabs(s->z[j])) * fabs(d[j * rows + i]);
    }
    if (fabs(sum) > EFFECT * terms)
      return 1;
  }
  return 0;
}

int brink__lcp_ambiguous(size_t n, const double *m, const double *q, const double *z,
                         size_t rows, const double *d, void *scratch)
{
  lcp s;

  carve(n, scratch, &s);
  balance(&s, n, m);
  for (unsigned subset = 0; subset >> n == 0; subset++)
    if (solve_basis(&s, m, q, choose(&s, n, subset), s.z, s.w) &&
        clean(&s, m, q, s.z, s.w) && differs(&s, z, rows, d))
      return 1;
  return 0;
}
