/* The quick answers of bend.c must be those of the full search. */
#include "check.h"

#include <math.h>

#include "poly/poly.h"

enum { TRIALS = 200000, MOST = 6 };

/* Coefficients that fall off like those of a short step, with a planted level. */
static int random_poly(uint64_t *seed, double *c)
{
  int n = 1 + (int)(rand_01(seed) * MOST);
  double fall = pow(10, rand_in(seed, -3, 0)), size = pow(10, rand_in(seed, -9, 9));

  for (int k = 0; k <= n; k++, size *= fall)
    c[k] = size * rand_in(seed, -1, 1);
  if (rand_01(seed) < 0.7) { /* put a zero somewhere near [0, 1] */
    double x = rand_in(seed, -0.2, 1.2), v = c[n];
    for (int k = n - 1; k >= 1; k--)
      v = v * x + c[k];
    c[0] = -v * x;
  }
  return n;
}

static void quick_and_full_search_agree(void **state)
{
  uint64_t seed = 20261115;
  long none = 0, one = 0, open = 0;

  (void)state;
  for (long i = 0; i < TRIALS; i++) {
    double c[MOST + 1];
    int n = random_poly(&seed, c), complete;
    double from = rand_01(&seed) < 0.5 ? 0 : rand_in(&seed, 0, 0.9);
    double tol = rand_01(&seed) < 0.8 ? 0 : 1e-7;
    brink__poly p = {BRINK__MONOMIAL, n, c,
                     rand_01(&seed) < 0.5 ? 0 : 1e-13 * fabs(c[n])};
    brink__root quick, full[8];
    int found = brink__poly_bend(&p, from, tol, &quick);
    int m = brink__poly_roots(&p, from, tol, full, 8, &complete);

    if (found < 0) {
      open++;
      continue;
    }
    assert_int_equal(m, found);
    if (found == 0) {
      none++;
      assert_int_equal(quick.sign_after, brink__poly_eval(&p, from) > 0 ? 1 : -1);
      continue;
    }
    one++;
    assert_int_equal(full[0].kind, BRINK__CROSSING);
    assert_int_equal(quick.kind, BRINK__CROSSING);
    assert_int_equal(quick.sign_after, full[0].sign_after);
    assert_int_equal(quick.sign_before, full[0].sign_before);
    check_near(quick.hi, full[0].hi,
               fmax(tol, 16 * (full[0].band_hi - full[0].band_lo) + 1e-15));
    assert_true(quick.hi - quick.lo <= fmax(tol, 0x1p-50 * quick.hi));
    assert_true(brink__poly_eval(&p, quick.hi) * quick.sign_after > 0);
    assert_true(brink__poly_eval(&p, quick.lo) * quick.sign_before >= 0);
    assert_true(quick.band_lo <= quick.lo && quick.hi <= quick.band_hi);
    if (quick.band_hi < 1)
      assert_true(fabs(brink__poly_eval(&p, quick.band_hi)) >
                  brink__poly_bound(&p, quick.band_hi) * 0.999);
  }
  /* it has to be worth having */
  assert_true(none > TRIALS / 10 && one > TRIALS / 10 && open < TRIALS / 2);
}

static void what_it_cannot_know_it_leaves_open(void **state)
{
  const double dip[] = {1, -4.2, 4.3}, flat[] = {0, 0, 0}, bad[] = {1, nan(""), 1};
  const double edge[] = {-1, 1}, wiggle[] = {0.1, -1, 2.1, -1.3};
  brink__root r;

  (void)state;
  assert_int_equal(
      brink__poly_bend(&(brink__poly){BRINK__MONOMIAL, 2, dip, 0}, 0, 0, &r), -1);
  assert_int_equal(
      brink__poly_bend(&(brink__poly){BRINK__MONOMIAL, 2, flat, 0}, 0, 0, &r), -1);
  assert_int_equal(
      brink__poly_bend(&(brink__poly){BRINK__MONOMIAL, 2, bad, 0}, 0, 0, &r), -1);
  assert_int_equal(
      brink__poly_bend(&(brink__poly){BRINK__MONOMIAL, 1, edge, 0}, 0, 0, &r), -1);
  assert_int_equal(
      brink__poly_bend(&(brink__poly){BRINK__MONOMIAL, 3, wiggle, 0}, 0, 0, &r), -1);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(quick_and_full_search_agree),
      cmocka_unit_test(what_it_cannot_know_it_leaves_open),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
