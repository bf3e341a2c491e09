/* Square systems with a given pattern: random ones against known solutions, dense and
 * sparse alike. */
#include "check.h"

#include "linear/linear.h"

#include <math.h>
#include <string.h>

enum { MOST = 300, ROW_MOST = 6 };

typedef struct bench {
  brink_ctx *ctx;
  brink__pool pool;
  size_t n, nnz;
  int32_t row[MOST * ROW_MOST], col[MOST * ROW_MOST];
  brink__symbolic *s;
  brink__numeric f;
  void *memory;
} bench;

static void analyse(bench *b)
{
  assert_int_equal(brink_ctx_new(NULL, &b->ctx), BRINK_OK);
  b->pool = (brink__pool){.ctx = b->ctx};
  assert_int_equal(brink__symbolic_new(&b->pool, b->n, b->nnz, b->row, b->col, &b->s),
                   BRINK_OK);
  b->f = (brink__numeric){.ctx = b->ctx};
  b->memory = brink__pool_take(&b->pool, brink__numeric_size(b->s));
  brink__numeric_place(b->s, &b->f, b->memory);
}

static void end(bench *b)
{
  brink__numeric_drop(&b->f);
  brink__pool_drop(&b->pool);
  assert_int_equal(brink_ctx_alloc_stats(b->ctx).live_bytes, 0);
  brink_ctx_free(b->ctx);
}

static void put(bench *b, size_t i, size_t j)
{
  for (size_t k = 0; k < b->nnz; k++)
    if (b->row[k] == (int32_t)i && b->col[k] == (int32_t)j)
      return;
  b->row[b->nnz] = (int32_t)i;
  b->col[b->nnz++] = (int32_t)j;
}

/* A cyclic shift, so that the pivots are not on the diagonal, and a few more. */
static void random_pattern(bench *b, size_t n, uint64_t *seed)
{
  b->n = n;
  b->nnz = 0;
  for (size_t i = 0; i < n; i++) {
    put(b, i, (i + 1) % n);
    for (int k = 0; k < 3; k++)
      put(b, i, (i + rand_u64(seed) % 5) % n);
    if (rand_u64(seed) % 4 == 0)
      put(b, i, rand_u64(seed) % n);
  }
}

/* Entries of rows in different units; the shift dominates. */
static void random_entries(bench *b, uint64_t *seed)
{
  double unit[MOST];

  for (size_t i = 0; i < b->n; i++)
    unit[i] = pow(10, rand_in(seed, -8, 8));
  for (size_t k = 0; k < b->nnz; k++) {
    size_t i = (size_t)b->row[k], j = (size_t)b->col[k];
    b->f.entry[k] = unit[i] * (rand_in(seed, -1, 1) + (j == (i + 1) % b->n ? 6 : 0));
  }
}

/* b = a x for a random x. */
static void right_side(const bench *b, uint64_t *seed, double *x, double *rhs)
{
  for (size_t i = 0; i < b->n; i++) {
    x[i] = rand_in(seed, -3, 3);
    rhs[i] = 0;
  }
  for (size_t k = 0; k < b->nnz; k++)
    rhs[b->row[k]] += b->f.entry[k] * x[b->col[k]];
}

static void is_solved(bench *b, uint64_t *seed, double tolerance)
{
  double x[MOST], rhs[MOST];

  right_side(b, seed, x, rhs);
  brink__numeric_solve(b->s, &b->f, rhs);
  for (size_t i = 0; i < b->n; i++)
    check_near(rhs[i], x[i], tolerance);
}

/* Sign of the determinant by another way: elimination on a full copy with complete
 * pivoting. */
static int sign_by_elimination(const bench *b)
{
  static double a[MOST][MOST];
  int sign = 1;

  memset(a, 0, sizeof a);
  for (size_t k = 0; k < b->nnz; k++)
    a[b->row[k]][b->col[k]] = b->f.entry[k];
  for (size_t i = 0; i < b->n; i++) { /* rows in units of their largest element */
    double top = 0;
    for (size_t j = 0; j < b->n; j++)
      top = fmax(top, fabs(a[i][j]));
    for (size_t j = 0; j < b->n; j++)
      a[i][j] /= top;
  }
  for (size_t k = 0; k < b->n; k++) {
    size_t p = k, q = k;
    for (size_t i = k; i < b->n; i++)
      for (size_t j = k; j < b->n; j++)
        if (fabs(a[i][j]) > fabs(a[p][q])) {
          p = i;
          q = j;
        }
    for (size_t j = 0; j < b->n && p != k; j++) {
      double t = a[p][j];
      a[p][j] = a[k][j];
      a[k][j] = t;
    }
    for (size_t i = 0; i < b->n && q != k; i++) {
      double t = a[i][q];
      a[i][q] = a[i][k];
      a[i][k] = t;
    }
    sign *= ((p != k) != (q != k)) ? -1 : 1;
    sign *= a[k][k] < 0 ? -1 : 1;
    for (size_t i = k + 1; i < b->n; i++)
      for (size_t j = b->n; j-- > k;)
        a[i][j] -= a[i][k] / a[k][k] * a[k][j];
  }
  return sign;
}

static const size_t sizes[] = {1, 2, 3, 7, 20, 23, 24, 25, 41, 77, 150, MOST};

static void random_systems_are_solved_to_rounding(void **state)
{
  (void)state;
  static bench b;
  uint64_t seed = 11;
  for (size_t c = 0; c < BRINK__COUNT(sizes); c++) {
    random_pattern(&b, sizes[c], &seed);
    analyse(&b);
    for (int trial = 0; trial < 5; trial++) {
      random_entries(&b, &seed);
      assert_int_equal(brink__numeric_factor(b.s, &b.f), BRINK_OK);
      is_solved(&b, &seed, 1e-11);
    }
    end(&b);
  }
}

static void large_sparse_patterns_are_sparse_where_amd_is(void **state)
{
  (void)state;
  static bench b;
  uint64_t seed = 5;
  random_pattern(&b, MOST, &seed);
  analyse(&b);
  assert_int_equal(b.s->sparse, brink__fill_order_here());
  if (b.s->sparse) /* memory grows with the entries, not with n^2 */
    assert_true(brink__numeric_size(b.s) < MOST * ROW_MOST * 4 * sizeof(double));
  end(&b);
}

static void the_sign_of_the_determinant_is_right(void **state)
{
  (void)state;
  static bench b;
  uint64_t seed = 23;
  int seen[2] = {0, 0};
  for (size_t n = 1; n <= 60; n++) {
    random_pattern(&b, n, &seed);
    analyse(&b);
    random_entries(&b, &seed);
    b.f.entry[0] *= rand_u64(&seed) % 2 ? 1 : -1;
    if (brink__numeric_factor(b.s, &b.f) == BRINK_OK) {
      int sign = brink__numeric_sign(b.s, &b.f);
      assert_int_equal(sign, sign_by_elimination(&b));
      seen[sign > 0]++;
    }
    end(&b);
  }
  assert_true(seen[0] > 10 && seen[1] > 10);
}

/* Two equal rows, up to a factor. */
static void singular_matrices_are_recognised(void **state)
{
  (void)state;
  static bench b;
  uint64_t seed = 7;
  for (size_t c = 1; c < BRINK__COUNT(sizes); c++) {
    size_t n = b.n = sizes[c];
    b.nnz = 0;
    for (size_t i = 0; i < n; i++) {
      size_t r = i == n / 2 ? n / 2 - 1 : i; /* the row that it repeats */
      put(&b, i, r);
      put(&b, i, (r + 1) % n);
      put(&b, i, (r + n / 2) % n);
    }
    analyse(&b);
    for (size_t k = 0; k < b.nnz; k++)
      b.f.entry[k] = rand_in(&seed, 1, 2);
    assert_int_equal(brink__numeric_factor(b.s, &b.f), BRINK_OK);
    double margin = brink__numeric_margin(&b.f);
    assert_true(margin > 1e-9 && margin <= 1);
    for (size_t k = 0; k < b.nnz; k++)
      for (size_t m = 0; m < b.nnz; m++)
        if (b.row[m] == (int32_t)(n / 2) && b.row[k] == (int32_t)(n / 2 - 1) &&
            b.col[m] == b.col[k])
          b.f.entry[m] = b.f.entry[k] / 3;
    assert_int_equal(brink__numeric_factor(b.s, &b.f), BRINK_EDOMAIN);
    assert_true(b.f.singular < n);
    for (size_t k = 0; k < b.nnz; k++) /* and it goes on with others */
      b.f.entry[k] = rand_in(&seed, 1, 2);
    assert_int_equal(brink__numeric_factor(b.s, &b.f), BRINK_OK);
    is_solved(&b, &seed, 1e-7);
    end(&b);
  }
}

static void a_row_of_zeros_and_nan_are_singular(void **state)
{
  (void)state;
  static bench b;
  uint64_t seed = 9;
  for (size_t n = 3; n <= 90; n += 87) {
    random_pattern(&b, n, &seed);
    analyse(&b);
    random_entries(&b, &seed);
    b.f.entry[4] = nan("");
    assert_int_equal(brink__numeric_factor(b.s, &b.f), BRINK_EDOMAIN);
    random_entries(&b, &seed);
    for (size_t k = 0; k < b.nnz; k++)
      if (b.row[k] == 2)
        b.f.entry[k] = 0;
    assert_int_equal(brink__numeric_factor(b.s, &b.f), BRINK_EDOMAIN);
    random_entries(&b, &seed);
    assert_int_equal(brink__numeric_factor(b.s, &b.f), BRINK_OK);
    is_solved(&b, &seed, 1e-11);
    end(&b);
  }
}

/* The diagonal of one matrix is large, in the next one the shift is: the old pivots are
 * of no use, and the result is as good as ever. */
static void pivots_that_become_small_are_chosen_anew(void **state)
{
  (void)state;
  static bench b;
  uint64_t seed = 31;
  b.n = 120;
  b.nnz = 0;
  for (size_t i = 0; i < b.n; i++)
    for (size_t k = 0; k < 3; k++)
      put(&b, i, (i + k) % b.n);
  analyse(&b);
  for (int trial = 0; trial < 6; trial++) {
    for (size_t k = 0; k < b.nnz; k++) {
      size_t d = ((size_t)b.col[k] + b.n - (size_t)b.row[k]) % b.n;
      b.f.entry[k] = d == (size_t)trial % 3 ? 1 : 1e-7 * rand_in(&seed, 1, 2);
    }
    assert_int_equal(brink__numeric_factor(b.s, &b.f), BRINK_OK);
    is_solved(&b, &seed, 1e-12);
  }
  end(&b);
}

/* The factors of a matrix do not depend on what was factored before, but for the first
 * one; after that, a matrix whose pivots are good needs no memory. */
static void results_are_functions_of_the_matrix(void **state)
{
  (void)state;
  static bench b;
  static double first[MOST * ROW_MOST], second[MOST * ROW_MOST];
  double x[MOST], y[MOST];
  uint64_t seed = 41;
  random_pattern(&b, 200, &seed);
  analyse(&b);
  random_entries(&b, &seed);
  memcpy(first, b.f.entry, b.nnz * sizeof *first);
  random_entries(&b, &seed);
  memcpy(second, b.f.entry, b.nnz * sizeof *second);
  for (int round = 0; round < 2; round++) {
    brink__numeric_drop(&b.f);
    memcpy(b.f.entry, first, b.nnz * sizeof *first);
    assert_int_equal(brink__numeric_factor(b.s, &b.f), BRINK_OK);
    size_t calls = brink_ctx_alloc_stats(b.ctx).calls;
    for (int k = 0; k < 5 * round; k++) {
      for (size_t e = 0; e < b.nnz; e++)
        b.f.entry[e] = first[e] * rand_in(&seed, 0.9, 1.1);
      assert_int_equal(brink__numeric_factor(b.s, &b.f), BRINK_OK);
    }
    assert_int_equal(brink_ctx_alloc_stats(b.ctx).calls, calls);
    memcpy(b.f.entry, second, b.nnz * sizeof *second);
    assert_int_equal(brink__numeric_factor(b.s, &b.f), BRINK_OK);
    for (size_t i = 0; i < b.n; i++)
      (round ? y : x)[i] = (double)i - 7;
    brink__numeric_solve(b.s, &b.f, round ? y : x);
  }
  assert_memory_equal(x, y, b.n * sizeof *x);
  end(&b);
}

static void a_copy_goes_on_like_the_original(void **state)
{
  (void)state;
  static bench b;
  uint64_t seed = 43;
  for (size_t n = 5; n <= 205; n += 100) {
    double x[MOST], y[MOST];
    random_pattern(&b, n, &seed);
    analyse(&b);
    random_entries(&b, &seed);
    assert_int_equal(brink__numeric_factor(b.s, &b.f), BRINK_OK);
    brink__numeric copy = {.ctx = b.ctx};
    brink__numeric_place(b.s, &copy,
                         brink__pool_take(&b.pool, brink__numeric_size(b.s)));
    assert_int_equal(brink__numeric_copy(b.s, &b.f, &copy), BRINK_OK);
    random_entries(&b, &seed);
    memcpy(copy.entry, b.f.entry, b.nnz * sizeof *copy.entry);
    assert_int_equal(brink__numeric_factor(b.s, &b.f), BRINK_OK);
    assert_int_equal(brink__numeric_factor(b.s, &copy), BRINK_OK);
    for (size_t i = 0; i < n; i++)
      x[i] = y[i] = 1 / (1.0 + (double)i);
    brink__numeric_solve(b.s, &b.f, x);
    brink__numeric_solve(b.s, &copy, y);
    assert_memory_equal(x, y, n * sizeof *x);
    brink__numeric_drop(&copy);
    end(&b);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_systems_are_solved_to_rounding),
      cmocka_unit_test(large_sparse_patterns_are_sparse_where_amd_is),
      cmocka_unit_test(the_sign_of_the_determinant_is_right),
      cmocka_unit_test(singular_matrices_are_recognised),
      cmocka_unit_test(a_row_of_zeros_and_nan_are_singular),
      cmocka_unit_test(pivots_that_become_small_are_chosen_anew),
      cmocka_unit_test(results_are_functions_of_the_matrix),
      cmocka_unit_test(a_copy_goes_on_like_the_original),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
