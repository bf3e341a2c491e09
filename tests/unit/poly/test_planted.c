/* Random polynomials with planted roots, judged by exact arithmetic: no root lost, none
 * invented, every claim about signs, brackets and bands true. */
#include "check.h"
#include "judge.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAX = BRINK__POLY_MAX_DEGREE };

static exact *oracle(void)
{
  static exact e;
  static int ready;
  if (!ready)
    exact_init(&e);
  ready = 1;
  return &e;
}

static void report(const char *name, const tally *t)
{
  print_message(
      "%s: %ld polynomials, %ld true roots, %ld reported: %ld crossings, %ld "
      "touches, %ld starts, %ld ends, %ld everywhere; %ld with merged roots\n",
      name, t->polys, t->true_roots, t->roots, t->crossings, t->touches, t->starts,
      t->ends, t->everywhere, t->merged);
}

/* ------------------------------------------------------------ planting ---- */

static void times_root(long double *c, int *n, long double root)
{
  c[*n + 1] = 0;
  for (int k = ++*n; k > 0; k--)
    c[k] = c[k - 1] - root * c[k];
  c[0] *= -root;
}

/* times (x - re)^2 + im^2 */
static void times_pair(long double *c, int *n, long double re, long double im)
{
  c[*n + 1] = c[*n + 2] = 0;
  *n += 2;
  for (int k = *n; k >= 0; k--)
    c[k] = (re * re + im * im) * c[k] - (k > 0 ? 2 * re * c[k - 1] : 0) +
           (k > 1 ? c[k - 2] : 0);
}

/* a root somewhere in [0, 1], sometimes at an end, sometimes with neighbours */
static void plant(uint64_t *seed, long double *c, int *n, int degree)
{
  int kind = (int)(rand_u64(seed) % 9);
  int left = degree - *n;
  long double x = (long double)rand_01(seed);

  if (kind == 0)
    x = 0;
  if (kind == 1)
    x = 1;
  if (kind == 2)
    x = powl(10, (long double)rand_in(seed, -18, 0));
  times_root(c, n, x);
  if (kind >= 3 && kind <= 5 && left >= 2) {
    long double off = powl(10, (long double)rand_in(seed, -9, -1));
    times_root(c, n, x + off);
    if (kind == 5 && left >= 3)
      times_root(c, n, x - off * (long double)rand_01(seed));
  }
  if (kind == 6 && left >= 2)
    times_root(c, n, x);
  if (kind == 7 && left >= 3) {
    times_root(c, n, x);
    times_root(c, n, x);
  }
}

/* degree at most n; returns the degree */
static int grow(uint64_t *seed, int degree, double *out)
{
  long double c[MAX + 4] = {(long double)rand_in(seed, -2, 2)};
  int n = 0, planted = 1 + (int)(rand_u64(seed) % 4);

  for (int i = 0; i < planted && n < degree; i++)
    plant(seed, c, &n, degree);
  while (n < degree) {
    if (n + 2 <= degree && rand_u64(seed) % 3)
      times_pair(c, &n, (long double)rand_in(seed, -0.5, 1.5),
                 (long double)rand_in(seed, 0.02, 1.5));
    else
      times_root(c, &n,
                 (long double)(rand_u64(seed) % 2 ? rand_in(seed, -3, -0.01)
                                                  : rand_in(seed, 1.01, 4)));
  }
  for (int k = 0; k <= n; k++)
    out[k] = (double)c[k];
  return n;
}

/* ---------------------------------------------------------------- tests ---- */

static void planted_roots_of_monomials_are_neither_lost_nor_invented(void **state)
{
  uint64_t seed = 2385;
  tally t = {0};

  (void)state;
  for (int i = 0; i < 4000; i++) {
    double c[MAX + 1];
    int degree = 1 + i % (i % 16 == 0 ? 30 : 12);
    brink__poly p = {BRINK__MONOMIAL, grow(&seed, degree, c), c, 0};
    if (i % 5 == 3)
      p.delta = pow(10, rand_in(&seed, -20, -8));
    double from = i % 4 == 1 ? rand_01(&seed) : 0;
    judge(oracle(), &p, from, i % 7 == 2 ? pow(10, rand_in(&seed, -15, -5)) : 0, 1, &t);
  }
  report("monomials", &t);
  assert_true(t.crossings > 4000 && t.touches > 300 && t.starts > 200 && t.ends > 200);
}

/* roots on a coarse grid: the coefficients are exact, so double and triple roots are */
static void exact_multiple_roots_have_the_kind_of_their_parity(void **state)
{
  uint64_t seed = 77;
  tally t = {0};

  (void)state;
  for (int i = 0; i < 2000; i++) {
    long double c[8] = {rand_u64(&seed) % 2 ? 1 : -1};
    double d[8], x = (double)(1 + rand_u64(&seed) % 254) / 256;
    int n = 0, m = 1 + i % 4;
    for (int k = 0; k < m; k++)
      times_root(c, &n, (long double)x);
    times_root(c, &n, (long double)(rand_u64(&seed) % 64) / 16 + 1.25L);
    for (int k = 0; k <= n; k++)
      d[k] = (double)c[k];
    brink__poly p = {BRINK__MONOMIAL, n, d, 0};
    brink__root r[8];
    int complete;
    judge(oracle(), &p, 0, 0, 1, &t);
    assert_int_equal(brink__poly_roots(&p, 0, 0, r, 8, &complete), 1);
    assert_int_equal(r[0].kind, m % 2 ? BRINK__CROSSING : BRINK__TOUCH);
    check_in(x, r[0].band_lo, r[0].band_hi);
  }
  report("multiple", &t);
}

static void planted_roots_of_chebyshev_sums_are_neither_lost_nor_invented(void **state)
{
  uint64_t seed = 91;
  tally t = {0};

  (void)state;
  for (int i = 0; i < 1500; i++) {
    double c[MAX + 1];
    int n = 1 + (int)(rand_u64(&seed) % 24);
    double fall = rand_in(&seed, 0.3, 1.1);
    for (int k = 0; k <= n; k++)
      c[k] = rand_in(&seed, -1, 1) * pow(fall, k);
    brink__poly p = {BRINK__CHEBYSHEV, n, c, 0};

    /* plant a zero, a touch, or one at an end */
    double x = i % 3 == 0 ? rand_01(&seed) : i % 2;
    c[0] -= brink__poly_eval(&p, x);
    if (i % 5 == 3)
      p.delta = pow(10, rand_in(&seed, -17, -8));
    double from = i % 4 == 1 ? rand_01(&seed) : 0;
    judge(oracle(), &p, from, i % 7 == 2 ? 1e-9 : 0, 1, &t);
  }
  report("chebyshev", &t);
  assert_true(t.crossings > 1500 && t.starts > 100 && t.ends > 100);
}

static void touching_chebyshev_sums_are_touches(void **state)
{
  uint64_t seed = 5;
  tally t = {0};

  (void)state;
  for (int i = 0; i < 300; i++) {
    double c[MAX + 1] = {0};
    int n = 2 + (int)(rand_u64(&seed) % 39);
    double size = exp(rand_in(&seed, -3, 3));
    c[n] = size;
    c[0] = rand_u64(&seed) % 2 ? size : -size; /* T_n has extrema +-1 */
    brink__poly p = {BRINK__CHEBYSHEV, n, c, 0};
    judge(oracle(), &p, 0, 0, n <= 16, &t);
  }
  report("touching", &t);
  assert_true(t.touches > 2000 && t.starts > 50 && t.ends > 50);
}

static void high_degrees_keep_all_their_roots(void **state)
{
  uint64_t seed = 31;
  tally t = {0};

  (void)state;
  for (int i = 0; i < 24; i++) {
    double c[MAX + 1];
    int n = 40 + 15 * (i % 5);
    double fall = i % 3 == 0 ? 1 : rand_in(&seed, 0.8, 1);
    for (int k = 0; k <= n; k++)
      c[k] = rand_in(&seed, -1, 1) * pow(fall, k);
    brink__poly p = {BRINK__CHEBYSHEV, n, c, 0};
    judge(oracle(), &p, i % 4 == 3 ? 0.37 : 0, 0, i < 12, &t);
  }
  for (int n = 90; n <= 100; n++) {
    double c[MAX + 1] = {0};
    c[n] = -0.7;
    c[n - 7] = 0.1;
    brink__poly p = {BRINK__CHEBYSHEV, n, c, 0};
    tally one = {0};
    judge(oracle(), &p, 0, 0, 0, &one);
    assert_int_equal(one.crossings, n);
  }
  report("high", &t);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(planted_roots_of_monomials_are_neither_lost_nor_invented),
      cmocka_unit_test(exact_multiple_roots_have_the_kind_of_their_parity),
      cmocka_unit_test(planted_roots_of_chebyshev_sums_are_neither_lost_nor_invented),
      cmocka_unit_test(touching_chebyshev_sums_are_touches),
      cmocka_unit_test(high_degrees_keep_all_their_roots),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  exact_clear(oracle());
  return failed;
}
