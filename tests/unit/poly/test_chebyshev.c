/* Chebyshev points, fit, convergence test and trimming. */
#include "check.h"

#include <math.h>

#include "poly/poly.h"

enum { MAX = BRINK__POLY_MAX_DEGREE };

static double smooth(double x) { return exp(-1.3 * x) * sin(3.1 * x + 0.4); }
static double kinked(double x) { return fabs(x - 0.3819); }

static int fit(double (*f)(double), int n, double *c)
{
  double x[MAX + 1], v[MAX + 1];

  brink__chebyshev_points(n, x);
  for (int j = 0; j <= n; j++)
    v[j] = f(x[j]);
  brink__chebyshev_fit(n, v, c);
  return n;
}

static void points_increase_from_0_to_1_and_nest(void **state)
{
  double x[MAX + 1], y[MAX + 1];
  (void)state;

  for (int n = 1; n <= 50; n++) {
    brink__chebyshev_points(n, x);
    brink__chebyshev_points(2 * n, y);
    assert_true(x[0] == 0 && x[n] == 1);
    for (int j = 0; j <= n; j++) {
      check_near(x[j], 0.5 - 0.5 * cos(acos(-1) * j / n), 1e-15);
      assert_true(x[j] == y[2 * j]);
      assert_true(j == 0 || x[j] > x[j - 1]);
    }
  }
}

static void a_fit_returns_the_coefficients_it_was_sampled_from(void **state)
{
  uint64_t seed = 4;
  double c[MAX + 1], x[MAX + 1], v[MAX + 1], got[MAX + 1];
  (void)state;

  for (int n = 0; n <= MAX; n += n < 10 ? 1 : 9) {
    for (int k = 0; k <= n; k++)
      c[k] = rand_in(&seed, -1, 1);
    brink__poly p = {BRINK__CHEBYSHEV, n, c, 0};
    brink__chebyshev_points(n > 0 ? n : 1, x);
    for (int j = 0; j <= n; j++)
      v[j] = brink__poly_eval(&p, x[j]);
    brink__chebyshev_fit(n, v, got);
    for (int k = 0; k <= n; k++)
      check_near(got[k], c[k], 1e-14 * (1 + n));
  }
}

static void a_smooth_function_converges_and_its_tail_is_dropped(void **state)
{
  double c[MAX + 1], dropped = -1;
  int m = -1, n = 4;
  (void)state;

  for (; n <= 64 && m < 0; n *= 2)
    m = brink__chebyshev_converged(fit(smooth, n, c), c, 1e-15, &dropped);
  assert_true(m >= 9 && m <= 20);
  check_in(dropped, 0, 1e-13);
  brink__poly p = {BRINK__CHEBYSHEV, m, c, 0};
  for (int i = 0; i <= 100; i++)
    check_near(brink__poly_eval(&p, i / 100.), smooth(i / 100.), 2e-14);

  /* a coarser noise is reached earlier */
  double coarse;
  fit(smooth, 16, c);
  int early = brink__chebyshev_converged(16, c, 1e-7, &coarse);
  assert_true(early > 2 && early < m);
  check_in(coarse, 1e-12, 1e-6);
}

static void a_kink_does_not_converge(void **state)
{
  double c[MAX + 1], dropped;
  (void)state;

  for (int n = 8; n <= 100; n += 23)
    assert_int_equal(brink__chebyshev_converged(fit(kinked, n, c), c, 1e-15, &dropped),
                     -1);
}

static void constants_and_zero_converge_to_degree_0(void **state)
{
  double c[9] = {0}, dropped = -1;
  (void)state;

  assert_int_equal(brink__chebyshev_converged(8, c, 0, &dropped), 0);
  check_near(dropped, 0, 0);
  c[0] = 2.385;
  c[7] = 1e-17;
  assert_int_equal(brink__chebyshev_converged(8, c, 0, &dropped), 0);
  check_near(dropped, 1e-17, 0);
}

static void trimming_keeps_the_sum_of_what_it_drops_below_the_tolerance(void **state)
{
  const double c[] = {1, -0.5, 0.25, 3e-3, -2e-3, 1e-3};
  double dropped;
  (void)state;

  assert_int_equal(brink__poly_trim(5, c, 0, &dropped), 5);
  assert_int_equal(brink__poly_trim(5, c, 2.5e-3, &dropped), 4);
  check_near(dropped, 1e-3, 1e-18);
  assert_int_equal(brink__poly_trim(5, c, 7e-3, &dropped), 2);
  check_near(dropped, 6e-3, 1e-18);
  assert_int_equal(brink__poly_trim(5, c, 100, NULL), 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(points_increase_from_0_to_1_and_nest),
      cmocka_unit_test(a_fit_returns_the_coefficients_it_was_sampled_from),
      cmocka_unit_test(a_smooth_function_converges_and_its_tail_is_dropped),
      cmocka_unit_test(a_kink_does_not_converge),
      cmocka_unit_test(constants_and_zero_converge_to_degree_0),
      cmocka_unit_test(trimming_keeps_the_sum_of_what_it_drops_below_the_tolerance),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
