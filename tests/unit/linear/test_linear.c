/* Dense systems against residuals and known solutions. */
#include "check.h"

#include "linear/linear.h"

#include <math.h>
#include <string.h>

enum { N = 24 };

static void random_systems_are_solved_to_rounding(void **state)
{
  (void)state;
  uint64_t seed = 3;
  for (int trial = 0; trial < 200; trial++) {
    size_t n = 1 + rand_u64(&seed) % N;
    double a[N * N], f[N * N], x[N], b[N], scale[N], margin;
    int pivot[N];
    for (size_t i = 0; i < n; i++) {
      double unit = pow(10, rand_in(&seed, -8, 8)); /* equations in odd units */
      x[i] = rand_in(&seed, -3, 3);
      for (size_t j = 0; j < n; j++)
        a[i * n + j] = unit * rand_in(&seed, -1, 1);
      a[i * n + (i + 1) % n] += 4 * unit; /* pivots off the diagonal */
    }
    for (size_t i = 0; i < n; i++) {
      b[i] = 0;
      for (size_t j = 0; j < n; j++)
        b[i] += a[i * n + j] * x[j];
    }
    memcpy(f, a, sizeof f);
    assert_int_equal(brink__lu_factor(n, f, pivot, scale, &margin), n);
    brink__lu_solve(n, f, pivot, scale, b);
    for (size_t i = 0; i < n; i++)
      check_near(b[i], x[i], 1e-10);
  }
}

static void a_singular_matrix_is_recognised(void **state)
{
  (void)state;
  double a[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9}, scale[3], margin;
  double zero[4] = {1, 2, 0, 0};
  int pivot[3];
  assert_int_equal(brink__lu_factor(3, a, pivot, scale, &margin), 2);
  assert_true(brink__lu_factor(2, zero, pivot, scale, &margin) < 2);
  double near[4] = {1, 1, 1, 1 + 1e-9}; /* ill-conditioned is not singular */
  assert_int_equal(brink__lu_factor(2, near, pivot, scale, &margin), 2);
}

static void rows_too_small_for_an_inverse_are_solved_all_the_same(void **state)
{
  (void)state;
  double a[4] = {0x3p-1074, 0x1p-1074, 1, -2}, b[2] = {0x11p-1074, -3}, scale[2],
         margin;
  int pivot[2];
  assert_int_equal(brink__lu_factor(2, a, pivot, scale, &margin), 2);
  brink__lu_solve(2, a, pivot, scale, b);
  check_near(b[0], 31 / 7.0, 1e-15);
  check_near(b[1], 26 / 7.0, 1e-15);
}

/* x = a^T (a a^T)^-1 b is orthogonal to the null space */
static void the_smallest_solution_is_found(void **state)
{
  (void)state;
  double a[6] = {1, 2, 2, 0, 1, -1}, b[2] = {9, 0.5}, x[3], work[7];
  int row[2];
  double c[6], d[2];
  memcpy(c, a, sizeof c);
  memcpy(d, b, sizeof d);
  assert_int_equal(brink__least_norm(2, 3, c, d, x, row, work), 2);
  check_near(a[0] * x[0] + a[1] * x[1] + a[2] * x[2], 9, 1e-14);
  check_near(a[3] * x[0] + a[4] * x[1] + a[5] * x[2], 0.5, 1e-14);
  /* the null space is spanned by (-4, 1, 1) */
  check_near(-4 * x[0] + x[1] + x[2], 0, 1e-14);
}

static void dependent_rows_are_left_out(void **state)
{
  (void)state;
  double a[9] = {1, 2, 3, 2, 4, 6, 0, 1, 1}, b[3] = {14, 28, 5}, x[3], work[9];
  int row[3];
  assert_int_equal(brink__least_norm(3, 3, a, b, x, row, work), 2);
  check_near(x[0] + 2 * x[1] + 3 * x[2], 14, 1e-13);
  check_near(x[1] + x[2], 5, 1e-13);
}

static void more_rows_than_columns_use_as_many_as_fit(void **state)
{
  (void)state;
  double a[3] = {2, 1, -3}, b[3] = {5, 2.5, -7.5}, x[1], work[7];
  int row[3];
  assert_int_equal(brink__least_norm(3, 1, a, b, x, row, work), 1);
  check_near(x[0], 2.5, 1e-15);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_systems_are_solved_to_rounding),
      cmocka_unit_test(a_singular_matrix_is_recognised),
      cmocka_unit_test(rows_too_small_for_an_inverse_are_solved_all_the_same),
      cmocka_unit_test(the_smallest_solution_is_found),
      cmocka_unit_test(dependent_rows_are_left_out),
      cmocka_unit_test(more_rows_than_columns_use_as_many_as_fit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
