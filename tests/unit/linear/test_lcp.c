/* Linear complementarity problems: Lemke's method and the classes of matrices against
 * exact rational enumeration, on matrices of small integers, which are degenerate. */
#include "check.h"

#include "linear/lcp.h"

#include <gmp.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 5, LARGE = 40 };

/* ------------------------------------------------- exact, in rationals ---- */

typedef struct exact {
  mpq_t a[2 * MOST][MOST + 1]; /* a system and its right-hand side */
  mpq_t z[MOST], first[MOST], w, t;
} exact;

static void exact_init(exact *e)
{
  for (int i = 0; i < 2 * MOST; i++)
    for (int j = 0; j <= MOST; j++)
      mpq_init(e->a[i][j]);
  for (int i = 0; i < MOST; i++) {
    mpq_init(e->z[i]);
    mpq_init(e->first[i]);
  }
  mpq_init(e->w);
  mpq_init(e->t);
}

static void exact_clear(exact *e)
{
  for (int i = 0; i < 2 * MOST; i++)
    for (int j = 0; j <= MOST; j++)
      mpq_clear(e->a[i][j]);
  for (int i = 0; i < MOST; i++) {
    mpq_clear(e->z[i]);
    mpq_clear(e->first[i]);
  }
  mpq_clear(e->w);
  mpq_clear(e->t);
}

static void axpy(exact *e, int to, int from, int k, int n)
{
  mpq_t f;

  mpq_init(f);
  mpq_div(f, e->a[to][k], e->a[from][k]);
  for (int j = k; j <= n; j++) {
    mpq_mul(e->t, f, e->a[from][j]);
    mpq_sub(e->a[to][j], e->a[to][j], e->t);
  }
  mpq_clear(f);
}

/* Gauss-Jordan of e->a [n][n + 1]; the sign of its determinant.  Not 0: the solution is
 * in column n. */
static int eliminate(exact *e, int n)
{
  int sign = 1;

  for (int k = 0; k < n; k++) {
    int p = k;
    while (p < n && mpq_sgn(e->a[p][k]) == 0)
      p++;
    if (p == n)
      return 0;
    for (int j = 0; p != k && j <= n; j++)
      mpq_swap(e->a[p][j], e->a[k][j]);
    sign = p == k ? sign : -sign;
    sign = mpq_sgn(e->a[k][k]) < 0 ? -sign : sign;
    for (int i = 0; i < n; i++)
      if (i != k)
        axpy(e, i, k, k, n);
  }
  for (int k = 0; k < n; k++)
    mpq_div(e->a[k][n], e->a[k][n], e->a[k][k]);
  return sign;
}

static int members(int n, unsigned set, int *out)
{
  int k = 0;

  for (int i = 0; i < n; i++)
    if (set >> i & 1)
      out[k++] = i;
  return k;
}

/* Sign of a principal minor; e->z solves for the basis of this set if it is not 0. */
static int basis(exact *e, int n, const double *m, const double *q, unsigned set)
{
  int in[MOST], k = members(n, set, in);

  for (int i = 0; i < k; i++) {
    for (int j = 0; j < k; j++)
      mpq_set_d(e->a[i][j], m[in[i] * n + in[j]]);
    mpq_set_d(e->a[i][k], -q[in[i]]);
  }
  int sign = eliminate(e, k);
  for (int i = 0; i < n; i++)
    mpq_set_ui(e->z[i], 0, 1);
  for (int i = 0; sign && i < k; i++)
    mpq_set(e->z[in[i]], e->a[i][k]);
  return sign;
}

/* Is e->z a solution? */
static int feasible(exact *e, int n, const double *m, const double *q)
{
  for (int i = 0; i < n; i++) {
    mpq_set_d(e->w, q[i]);
    for (int j = 0; j < n; j++) {
      mpq_set_d(e->t, m[i * n + j]);
      mpq_mul(e->t, e->t, e->z[j]);
      mpq_add(e->w, e->w, e->t);
    }
    if (mpq_sgn(e->w) < 0 || mpq_sgn(e->z[i]) < 0)
      return 0;
  }
  return 1;
}

/* Basic solutions, at most 2; the first in e->first. */
static int exact_count(exact *e, int n, const double *m, const double *q, int *singular)
{
  int found = 0;

  *singular = 0;
  for (unsigned set = 0; found < 2 && set >> n == 0; set++) {
    if (basis(e, n, m, q, set) == 0) {
      ++*singular;
      continue;
    }
    if (!feasible(e, n, m, q))
      continue;
    int differs = 0;
    for (int i = 0; i < n; i++) {
      differs |= found && !mpq_equal(e->z[i], e->first[i]);
      if (!found)
        mpq_set(e->first[i], e->z[i]);
    }
    found += !found || differs;
  }
  return found;
}

/* Is there y >= 0, not 0, with M'y <= 0 for this principal submatrix, so that it is not
 * S?  A vertex of that set, cut by sum y = 1, has k - 1 of its 2 k inequalities tight.
 */
static int has_witness(exact *e, int n, const double *m, unsigned set)
{
  int in[MOST], k = members(n, set, in);

  for (unsigned tight = 0; tight >> 2 * k == 0; tight++) {
    int row = 0;
    if (__builtin_popcount(tight) != k - 1)
      continue;
    for (int c = 0; c < 2 * k; c++) {
      if (!(tight >> c & 1))
        continue;
      for (int j = 0; j < k; j++)
        mpq_set_d(e->a[row][j], c < k ? c == j : m[in[j] * n + in[c - k]]);
      mpq_set_ui(e->a[row++][k], 0, 1);
    }
    for (int j = 0; j <= k; j++)
      mpq_set_ui(e->a[row][j], 1, 1);
    if (eliminate(e, k) == 0)
      continue;
    int ok = 1;
    for (int c = 0; c < k; c++) {
      mpq_set_ui(e->w, 0, 1);
      for (int j = 0; j < k; j++) {
        mpq_set_d(e->t, m[in[j] * n + in[c]]);
        mpq_mul(e->t, e->t, e->a[j][k]);
        mpq_add(e->w, e->w, e->t);
      }
      ok &= mpq_sgn(e->a[c][k]) >= 0 && mpq_sgn(e->w) <= 0;
    }
    if (ok)
      return 1;
  }
  return 0;
}

/* -------------------------------------------------------------- checks ---- */

static void *scratch_for(size_t n)
{
  void *scratch = malloc(brink__lcp_scratch(n));

  assert_non_null(scratch);
  return scratch;
}

/* z, w solve the problem, to rounding; z and w are never both positive. */
static void check_solution(size_t n, const double *m, const double *q, const double *z,
                           const double *w)
{
  for (size_t i = 0; i < n; i++) {
    double sum = q[i], terms = fabs(q[i]) + 1;
    for (size_t j = 0; j < n; j++) {
      sum += m[i * n + j] * z[j];
      terms += fabs(m[i * n + j] * z[j]);
    }
    check_near(w[i], sum, 1e-10 * terms);
    assert_true(z[i] >= 0 && w[i] >= 0 && (z[i] == 0 || w[i] == 0));
  }
}

static void small_integers(uint64_t *seed, size_t n, double size, double *out)
{
  for (size_t i = 0; i < n; i++)
    out[i] = floor(rand_in(seed, -size, size + 1));
}

static int cases(int otherwise)
{
  return (int)random_cases("BRINK_LCP_CASES", otherwise);
}

static void random_degenerate_problems_agree_with_exact_enumeration(void **state)
{
  uint64_t seed = 20261117;
  int rays = 0, several = 0, p = 0, completely_s = 0, n_cases = cases(3000);
  int enough = n_cases / 30; /* of each kind, for the comparison to mean something */
  exact e;

  (void)state;
  exact_init(&e);
  void *scratch = scratch_for(MOST);
  for (int k = 0; k < n_cases; k++) {
    size_t n = 1 + rand_u64(&seed) % MOST;
    double m[MOST * MOST], q[MOST], z[MOST], w[MOST], size = 1 + k % 3;
    int singular, exact_singular;
    small_integers(&seed, n * n, size, m);
    small_integers(&seed, n, size, q);
    for (size_t i = 0; k % 2 && i < n; i++)
      m[i * n + i] = 1 + fabs(m[i * n + i]);
    int want = exact_count(&e, (int)n, m, q, &exact_singular);
    assert_int_equal(brink__lcp_count(n, m, q, &singular, scratch), want);
    assert_int_equal(singular, exact_singular);

    brink__lcp_class c = brink__lcp_classify(n, m, scratch);
    int is_p = 1, is_s = 1;
    for (unsigned set = 1; set >> n == 0; set++) {
      is_p &= basis(&e, (int)n, m, q, set) > 0;
      is_s &= n > 4 || !has_witness(&e, (int)n, m, set);
    }
    assert_true(c.checked);
    assert_int_equal(c.p, is_p);
    if (n <= 4)
      assert_int_equal(c.completely_s, is_s);

    if (brink__lcp_solve(n, m, q, z, w, scratch) == BRINK__LCP_SOLVED) {
      check_solution(n, m, q, z, w);
      assert_true(want > 0 || exact_singular > 0);
    } else {
      assert_false(c.completely_s);
      assert_int_equal(want, 0); /* all bases have been looked at */
      rays++;
    }
    if (is_p) {
      assert_int_equal(want, 1);
      exact_count(&e, (int)n, m, q, &exact_singular);
      for (size_t i = 0; i < n; i++)
        check_near(z[i], mpq_get_d(e.first[i]), 1e-12 * (1 + z[i]));
    }
    several += want == 2;
    p += c.p;
    completely_s += c.completely_s && !c.p;
  }
  printf("%d rays, %d with several solutions, %d P, %d completely-S but not P\n", rays,
         several, p, completely_s);
  assert_true(rays > enough && several > enough && p > enough && completely_s > enough);
  free(scratch);
  exact_clear(&e);
}

/* A degenerate problem on which Lemke's method without a rule for ties goes round in a
 * circle [CPS92, 4.9]: whatever the ties, it must end. */
static void ties_do_not_make_a_circle(void **state)
{
  const double m[] = {1, 2, 0, 0, 1, 2, 2, 0, 1}, q[] = {-1, -1, -1};
  double z[3], w[3];
  void *scratch = scratch_for(3);

  (void)state;
  assert_int_equal(brink__lcp_solve(3, m, q, z, w, scratch), BRINK__LCP_SOLVED);
  check_solution(3, m, q, z, w);
  for (int i = 0; i < 3; i++)
    check_near(z[i], 1. / 3, 1e-15);
  free(scratch);
}

/* Faces of states in units that differ by powers of two up to 2^60: the same solutions,
 * and the same classes. */
static void units_do_not_matter(void **state)
{
  uint64_t seed = 20261119;
  void *scratch = scratch_for(MOST);

  (void)state;
  for (int k = 0; k < cases(3000); k++) {
    size_t n = 1 + rand_u64(&seed) % MOST;
    double m[MOST * MOST], q[MOST], z[MOST], w[MOST], far[MOST * MOST], far_q[MOST],
        far_z[MOST];
    int row[MOST], col[MOST], singular;
    small_integers(&seed, n * n, 1 + k % 3, m);
    small_integers(&seed, n, 3, q);
    for (size_t i = 0; i < n; i++) {
      row[i] = (int)(rand_u64(&seed) % 61) - 30;
      col[i] = (int)(rand_u64(&seed) % 61) - 30;
      m[i * n + i] = k % 2 ? 1 + fabs(m[i * n + i]) : m[i * n + i];
    }
    for (size_t i = 0; i < n; i++) {
      far_q[i] = ldexp(q[i], row[i]);
      for (size_t j = 0; j < n; j++)
        far[i * n + j] = ldexp(m[i * n + j], row[i] + col[j]);
    }
    brink__lcp_class near = brink__lcp_classify(n, m, scratch),
                     c = brink__lcp_classify(n, far, scratch);
    assert_int_equal(c.p, near.p);
    assert_int_equal(c.completely_s, near.completely_s);
    assert_int_equal(brink__lcp_count(n, far, far_q, &singular, scratch),
                     brink__lcp_count(n, m, q, &singular, scratch));
    brink__lcp_end end = brink__lcp_solve(n, far, far_q, far_z, w, scratch);
    assert_int_equal(end, brink__lcp_solve(n, m, q, z, w, scratch));
    for (size_t i = 0; near.p && i < n; i++)
      check_near(ldexp(far_z[i], col[i]), z[i], 1e-12 * (1 + z[i]));
  }
  free(scratch);
}

/* Lower triangular, ones on the diagonal and twos below, q = -(2^n + ...): the method
 * takes 2^n pivots. */
static void the_worst_case_of_order_12_is_solved(void **state)
{
  enum { N = BRINK__LCP_CHECKED };
  double m[N * N] = {0}, q[N], z[N], w[N], sum = 0;
  void *scratch = scratch_for(N);

  (void)state;
  for (int i = 0; i < N; i++) {
    for (int j = 0; j <= i; j++)
      m[i * N + j] = i == j ? 1 : 2;
    sum += ldexp(1, N - i);
    q[i] = -sum;
  }
  assert_int_equal(brink__lcp_solve(N, m, q, z, w, scratch), BRINK__LCP_SOLVED);
  check_solution(N, m, q, z, w);
  check_near(z[0], ldexp(1, N), 0);
  for (int i = 1; i < N; i++)
    check_near(z[i], 0, 0);
  brink__lcp_class c = brink__lcp_classify(N, m, scratch);
  assert_true(c.checked && c.p && c.completely_s);
  free(scratch);
}

/* M = B B' + skew + D: a P-matrix with a known solution, rows and columns in units that
 * differ by twelve orders of magnitude. */
static void large_problems_with_a_planted_solution(void **state)
{
  static double m[LARGE * LARGE], b[LARGE * LARGE];
  double q[LARGE], z[LARGE], w[LARGE], want[LARGE];
  uint64_t seed = 4711;
  void *scratch = scratch_for(LARGE);

  (void)state;
  for (int k = 0; k < 200; k++) {
    size_t n = 13 + rand_u64(&seed) % (LARGE - 12);
    double unit[LARGE];
    for (size_t i = 0; i < n; i++)
      unit[i] = k % 2 ? 1 : pow(10, floor(rand_in(&seed, -3, 4)));
    for (size_t i = 0; i < n * n; i++)
      b[i] = rand_in(&seed, -1, 1);
    for (size_t i = 0; i < n; i++)
      for (size_t j = 0; j < n; j++) {
        double sum = i == j ? 1 : (i < j ? b[i * n + j] : -b[j * n + i]);
        for (size_t l = 0; l < n; l++)
          sum += b[i * n + l] * b[j * n + l];
        m[i * n + j] = sum * unit[i] * unit[j];
      }
    for (size_t i = 0; i < n; i++) {
      double s = rand_in(&seed, -1, 1);
      want[i] = s > 0 ? s / unit[i] : 0;
      q[i] = s > 0 ? 0 : -s * unit[i];
    }
    for (size_t i = 0; i < n; i++)
      for (size_t j = 0; j < n; j++)
        q[i] -= m[i * n + j] * want[j];
    assert_int_equal(brink__lcp_solve(n, m, q, z, w, scratch), BRINK__LCP_SOLVED);
    for (size_t i = 0; i < n; i++)
      check_near(z[i] * unit[i], want[i] * unit[i], 1e-10);
    assert_false(brink__lcp_classify(n, m, scratch).checked);
  }
  free(scratch);
}

/* A matrix of order 1 that is zero: no solution, or a whole half line. */
static void a_zero_matrix_is_singular_and_not_completely_s(void **state)
{
  double m = 0, q = -1, z, w;
  int singular;
  void *scratch = scratch_for(1);

  (void)state;
  assert_int_equal(brink__lcp_solve(1, &m, &q, &z, &w, scratch), BRINK__LCP_RAY);
  assert_int_equal(brink__lcp_count(1, &m, &q, &singular, scratch), 0);
  q = 0;
  assert_int_equal(brink__lcp_solve(1, &m, &q, &z, &w, scratch), BRINK__LCP_SOLVED);
  assert_int_equal(brink__lcp_count(1, &m, &q, &singular, scratch), 1);
  assert_int_equal(singular, 1);
  assert_false(brink__lcp_classify(1, &m, scratch).completely_s);
  free(scratch);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_degenerate_problems_agree_with_exact_enumeration),
      cmocka_unit_test(ties_do_not_make_a_circle),
      cmocka_unit_test(units_do_not_matter),
      cmocka_unit_test(the_worst_case_of_order_12_is_solved),
      cmocka_unit_test(large_problems_with_a_planted_solution),
      cmocka_unit_test(a_zero_matrix_is_singular_and_not_completely_s),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
