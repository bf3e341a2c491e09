/* The named cases of root finding: kinds, ends, scales, limits. */
#include "check.h"

#include <math.h>
#include <string.h>

#include "poly/poly.h"

enum { CAP = 128 };

typedef struct found {
  int n, complete;
  brink__root r[CAP];
} found;

static found roots(brink__poly_form form, int n, const double *c, double delta,
                   double from, double tol)
{
  brink__poly p = {form, n, c, delta};
  found f;
  f.n = brink__poly_roots(&p, from, tol, f.r, CAP, &f.complete);
  return f;
}

#define MONO(from, ...)                                                                \
  roots(BRINK__MONOMIAL,                                                               \
        (int)(sizeof((const double[]){__VA_ARGS__}) / sizeof(double)) - 1,             \
        (const double[]){__VA_ARGS__}, 0, from, 0)

static void check_root(const brink__root *r, brink__root_kind kind, double x,
                       int before, int after)
{
  assert_int_equal(r->kind, kind);
  check_near(r->lo, x, 1e-14 + (kind == BRINK__TOUCH ? 1e-7 : 0));
  assert_int_equal(r->sign_before, before);
  assert_int_equal(r->sign_after, after);
  assert_true(r->band_lo <= r->lo && r->lo <= r->hi && r->hi <= r->band_hi);
}

/* ---------------------------------------------------------------- kinds ---- */

static void three_zeros_come_in_order(void **state)
{
  /* (x - 0.2)(x - 0.55)(x - 0.8) */
  found f = MONO(0, -0.088, 0.71, -1.55, 1);
  (void)state;
  assert_int_equal(f.n, 3);
  assert_true(f.complete);
  check_root(&f.r[0], BRINK__CROSSING, 0.2, -1, 1);
  check_root(&f.r[1], BRINK__CROSSING, 0.55, 1, -1);
  check_root(&f.r[2], BRINK__CROSSING, 0.8, -1, 1);
  assert_true(f.r[0].hi - f.r[0].lo <= 0x1p-53);
}

static void a_cubed_root_is_one_crossing(void **state)
{
  /* (x - 0.375)^3 */
  found f = MONO(0, -0.052734375, 0.421875, -1.125, 1);
  (void)state;
  assert_int_equal(f.n, 1);
  assert_int_equal(f.r[0].kind, BRINK__CROSSING);
  assert_int_equal(f.r[0].sign_after, 1);
  check_in(0.375, f.r[0].band_lo, f.r[0].band_hi);
  check_in(f.r[0].band_hi - f.r[0].band_lo, 1e-6, 1e-4);
}

static void a_touch_is_listed_as_a_touch(void **state)
{
  /* -2 (x - 0.375)^2 */
  found f = MONO(0, -0.28125, 1.5, -2);
  (void)state;
  assert_int_equal(f.n, 1);
  check_root(&f.r[0], BRINK__TOUCH, 0.375, -1, -1);
}

static void a_dip_is_a_touch_exactly_when_delta_covers_it(void **state)
{
  /* (x - 0.375)^2 + 1e-6: never zero, but within 1e-6 of it */
  const double c[] = {0.140625 + 1e-6, -0.75, 1};
  found far = roots(BRINK__MONOMIAL, 2, c, 0.9e-6, 0, 0);
  found near = roots(BRINK__MONOMIAL, 2, c, 1.1e-6, 0, 0);
  (void)state;
  assert_int_equal(far.n, 0);
  assert_int_equal(near.n, 1);
  assert_int_equal(near.r[0].kind, BRINK__TOUCH);
  check_near(near.r[0].lo, 0.375, 1e-6);

  /* two crossings with a hump of 1e-6: apart, or one touch */
  const double d[] = {0.140625 - 1e-6, -0.75, 1};
  assert_int_equal(roots(BRINK__MONOMIAL, 2, d, 0.2e-6, 0, 0).n, 2);
  found one = roots(BRINK__MONOMIAL, 2, d, 1.5e-6, 0, 0);
  assert_int_equal(one.n, 1);
  assert_int_equal(one.r[0].kind, BRINK__TOUCH);
  check_in(0.374, one.r[0].band_lo, one.r[0].band_hi);
  check_in(0.376, one.r[0].band_lo, one.r[0].band_hi);

  /* and its point is where |p| is least, not where p is lowest */
  brink__poly p = {BRINK__MONOMIAL, 2, d, 0};
  check_near(brink__poly_eval(&p, one.r[0].lo), 0, 1e-15);
}

static void a_wide_band_around_a_crossing_is_one_root(void **state)
{
  /* 2 (x - 0.4) with delta 0.02: the band is 0.39..0.41, the zero still sharp */
  found f = roots(BRINK__MONOMIAL, 1, (const double[]){-0.8, 2}, 0.02, 0, 0);
  (void)state;
  assert_int_equal(f.n, 1);
  check_root(&f.r[0], BRINK__CROSSING, 0.4, -1, 1);
  check_near(f.r[0].band_lo, 0.39, 0.006);
  check_near(f.r[0].band_hi, 0.41, 0.006);
}

/* ----------------------------------------------------------------- ends ---- */

static void a_root_exactly_at_from_is_a_start(void **state)
{
  /* 1.8 x - 4.9 x^2 from 0: the restart of a ball */
  found f = MONO(0, 0, 1.8, -4.9);
  (void)state;
  assert_int_equal(f.n, 2);
  check_root(&f.r[0], BRINK__AT_START, 0, 0, 1);
  assert_true(f.r[0].lo == 0 && f.r[0].hi < 1e-200);
  check_root(&f.r[1], BRINK__CROSSING, 1.8 / 4.9, 1, -1);

  /* (x - 0.25)(x - 0.75) from 0.25 */
  found g = MONO(0.25, 0.1875, -1, 1);
  assert_int_equal(g.n, 2);
  check_root(&g.r[0], BRINK__AT_START, 0.25, 0, -1);
  check_in(g.r[0].hi, 0.25, 0.25 + 1e-14);
  check_root(&g.r[1], BRINK__CROSSING, 0.75, -1, 1);
}

static void noise_at_a_start_does_not_cross(void **state)
{
  /* g = -3e-17, g' = 4e-15, then it falls: inside delta = 1e-15 */
  const double c[] = {-3e-17, 4e-15, -2.385};
  found f = roots(BRINK__MONOMIAL, 2, c, 1e-15, 0, 0);
  (void)state;
  assert_int_equal(f.n, 1);
  check_root(&f.r[0], BRINK__AT_START, 0, 0, -1);
  check_in(f.r[0].hi, 1e-8, 1e-7);
}

static void a_root_near_the_start_is_decided_at_its_own_scale(void **state)
{
  found f = MONO(0, -1e-17, 1.8, -4.9);
  (void)state;
  assert_int_equal(f.n, 2);
  assert_int_equal(f.r[0].kind, BRINK__CROSSING);
  check_rel(f.r[0].lo, 1e-17 / 1.8, 1e-14);
  check_root(&f.r[1], BRINK__CROSSING, 1.8 / 4.9, 1, -1);

  /* x^2 - 3e-100 x + 2e-200 */
  found g = MONO(0, 2e-200, -3e-100, 1);
  assert_int_equal(g.n, 2);
  check_rel(g.r[0].lo, 1e-100, 1e-14);
  check_rel(g.r[1].lo, 2e-100, 1e-14);
}

static void going_on_from_a_hit_does_not_find_it_again(void **state)
{
  const double c[] = {-0.088, 0.71, -1.55, 1};
  found f = MONO(0, -0.088, 0.71, -1.55, 1);
  (void)state;
  for (int i = 0; i < 2; i++) {
    found g = roots(BRINK__MONOMIAL, 3, c, 0, f.r[i].hi, 0);
    int start = g.r[0].kind == BRINK__AT_START;
    assert_int_equal(g.n, 2 - i + start);
    if (start)
      assert_int_equal(g.r[0].sign_after, f.r[i].sign_after);
    check_near(g.r[start].lo, f.r[i + 1].lo, 1e-15);
  }
}

static void a_root_at_the_end_is_undecided(void **state)
{
  found f = MONO(0.3, -2.385, 2.385);
  (void)state;
  assert_int_equal(f.n, 1);
  assert_int_equal(f.r[0].kind, BRINK__AT_END);
  assert_int_equal(f.r[0].sign_before, -1);
  assert_int_equal(f.r[0].sign_after, 0);
  assert_true(f.r[0].hi == 1);
  check_in(f.r[0].lo, 1 - 1e-14, 1 - 1e-16);
}

static void zero_is_everywhere(void **state)
{
  found f = MONO(0.25, 0, 0, 0), g = MONO(0, 0);
  (void)state;
  assert_int_equal(f.n, 1);
  assert_int_equal(f.r[0].kind, BRINK__EVERYWHERE);
  assert_true(f.r[0].lo == 0.25 && f.r[0].hi == 1);
  assert_int_equal(g.n, 1);
  assert_int_equal(g.r[0].kind, BRINK__EVERYWHERE);

  /* so is what stays within delta */
  const double c[] = {1e-9, -3e-9, 1e-9};
  assert_int_equal(roots(BRINK__MONOMIAL, 2, c, 2e-9, 0, 0).r[0].kind,
                   BRINK__EVERYWHERE);
  assert_int_equal(roots(BRINK__CHEBYSHEV, 2, c, 6e-9, 0.1, 0).r[0].kind,
                   BRINK__EVERYWHERE);
  assert_int_equal(roots(BRINK__MONOMIAL, 2, c, HUGE_VAL, 0, 0).r[0].kind,
                   BRINK__EVERYWHERE);
}

static void from_1_looks_at_one_point(void **state)
{
  found f = MONO(1, -1, 1), g = MONO(1, -1, 1.5), h = MONO(1.5, -1, 1);
  (void)state;
  assert_int_equal(f.n, 1);
  assert_int_equal(f.r[0].kind, BRINK__EVERYWHERE);
  assert_int_equal(g.n, 0);
  assert_int_equal(h.n, 0);
  assert_true(f.complete && g.complete && h.complete);
}

/* --------------------------------------------------------------- scales ---- */

static void powers_of_two_change_nothing(void **state)
{
  const double c[] = {-0.088, 0.71, -1.55, 1};
  found f = roots(BRINK__MONOMIAL, 3, c, 1e-18, 0, 0);
  (void)state;
  for (int e = -900; e <= 900; e += 90) {
    double d[4];
    for (int k = 0; k < 4; k++)
      d[k] = ldexp(c[k], e);
    found g = roots(BRINK__MONOMIAL, 3, d, ldexp(1e-18, e), 0, 0);
    assert_int_equal(g.n, f.n);
    for (int i = 0; i < f.n; i++) {
      assert_true(g.r[i].lo == f.r[i].lo && g.r[i].hi == f.r[i].hi);
      assert_int_equal(g.r[i].sign_after, f.r[i].sign_after);
    }
  }
}

static void huge_and_tiny_coefficients_are_fine(void **state)
{
  (void)state;
  for (int s = -250; s <= 250; s += 500) {
    double u = pow(10, s);
    found f = MONO(0, -0.088 * u, 0.71 * u, -1.55 * u, u);
    assert_int_equal(f.n, 3);
    check_near(f.r[1].lo, 0.55, 1e-14);
  }
  found f = MONO(0, -1.7e308, 1.7e308, 1.7e308), g = MONO(0, -4e-320, 8e-320);
  assert_int_equal(f.n, 1);
  check_near(f.r[0].lo, 0.5 * (sqrt(5) - 1), 1e-15);
  assert_int_equal(g.n, 1);
  check_near(g.r[0].lo, 0.5, 1e-3);
}

static void the_tolerance_is_honoured_and_saves_nothing_else(void **state)
{
  const double c[] = {-0.088, 0.71, -1.55, 1}, x[] = {0.2, 0.55, 0.8};
  (void)state;
  for (double tol = 1e-3; tol > 1e-16; tol *= 0.13) {
    found f = roots(BRINK__MONOMIAL, 3, c, 0, 0, tol);
    assert_int_equal(f.n, 3);
    for (int i = 0; i < 3; i++) {
      check_in(f.r[i].hi - f.r[i].lo, 1e-17, fmax(tol, 5e-16));
      check_in(x[i], f.r[i].lo - 1e-15, f.r[i].hi + 1e-15);
    }
  }
}

static void the_cap_keeps_the_first_ones(void **state)
{
  const double c[] = {-0.088, 0.71, -1.55, 1};
  brink__poly p = {BRINK__MONOMIAL, 3, c, 0};
  brink__root r[5];
  (void)state;
  for (int cap = 0; cap <= 4; cap++) {
    int complete = -1;
    memset(r, 0x7f, sizeof r);
    assert_int_equal(brink__poly_roots(&p, 0, 0, r, cap, &complete), cap < 3 ? cap : 3);
    assert_int_equal(complete, cap >= 3);
    if (cap > 1)
      check_root(&r[1], BRINK__CROSSING, 0.55, 1, -1);
    assert_true(memcmp(&r[cap], "\x7f\x7f\x7f\x7f", 4) == 0 || cap > 4);
  }
}

/* ---------------------------------------------------------------- limits ---- */

static void what_is_not_finite_is_refused(void **state)
{
  const double bad[] = {(double)NAN, HUGE_VAL, -HUGE_VAL};
  (void)state;
  for (int i = 0; i < 9; i++) {
    double c[3] = {-1, 2, 0.5};
    c[i % 3] = bad[i / 3];
    for (int form = 0; form < 2; form++) {
      found f = roots((brink__poly_form)form, 2, c, 0, 0, 0);
      int sign = 7;
      assert_true(f.n == 0 && !f.complete);
      brink__poly p = {(brink__poly_form)form, 2, c, 0};
      assert_int_equal(brink__poly_excluded(&p, 0, &sign), 0);
      assert_int_equal(sign, 0);
    }
  }
  const double c[] = {-1, 2, 0.5};
  assert_int_equal(roots(BRINK__MONOMIAL, 2, c, (double)NAN, 0, 0).complete, 0);
  assert_int_equal(roots(BRINK__MONOMIAL, 2, c, 0, (double)NAN, 0).complete, 0);
  assert_int_equal(roots(BRINK__MONOMIAL, 2, c, 0, 0, (double)NAN).complete, 0);
  assert_int_equal(roots(BRINK__MONOMIAL, 101, c, 0, 0, 0).complete, 0);
  assert_int_equal(roots(BRINK__MONOMIAL, -1, c, 0, 0, 0).complete, 0);
}

/* Wilkinson's, all roots in (0, 1): hopeless in monomials beyond the first few, but it
 * ends, in order, and says what is true */
static void nasty_input_ends(void **state)
{
  long double w[22] = {1};
  double c[101];
  (void)state;
  for (int n = 0; n < 20; n++) {
    for (int k = n + 1; k > 0; k--)
      w[k] = w[k - 1] - (n + 1) / 21.0L * w[k];
    w[0] *= -(n + 1) / 21.0L;
  }
  for (int k = 0; k <= 20; k++)
    c[k] = (double)w[k];
  found f = roots(BRINK__MONOMIAL, 20, c, 0, 0, 0);
  assert_true(f.complete && f.n >= 5);
  for (int i = 0; i < 5; i++)
    check_in((i + 1) / 21.0, f.r[i].band_lo - 1e-12, f.r[i].band_hi + 1e-12);

  for (int k = 0; k <= 100; k++)
    c[k] = 1;
  assert_int_equal(roots(BRINK__MONOMIAL, 100, c, 0, 0, 0).n, 0);
  found g = roots(BRINK__CHEBYSHEV, 100, c, 0, 0, 0); /* a Dirichlet kernel */
  assert_true(g.complete && g.n == 100);
  for (int k = 0; k <= 100; k++)
    c[k] = k % 2 ? -1 : 1;
  found h = roots(BRINK__MONOMIAL, 100, c, 0, 0, 0); /* (1 + x^101)/(1 + x) */
  assert_true(h.complete && h.n == 0);
  for (int k = 0; k <= 100; k++)
    c[k] = 0;
  c[100] = 1; /* x^100: flat, but only 0 at 0 */
  found z = roots(BRINK__MONOMIAL, 100, c, 0, 0, 0);
  assert_int_equal(z.n, 1);
  check_root(&z.r[0], BRINK__AT_START, 0, 0, 1);
}

static void the_roots_of_a_chebyshev_polynomial_of_degree_100(void **state)
{
  double c[101] = {0}, pi = acos(-1);
  (void)state;
  c[100] = -2.385;
  found f = roots(BRINK__CHEBYSHEV, 100, c, 0, 0, 0);
  assert_int_equal(f.n, 100);
  for (int i = 0; i < 100; i++) {
    double x = pow(sin(pi * (i + 0.5) / 200), 2);
    check_near(f.r[i].lo, x, 6e-16);
    assert_int_equal(f.r[i].sign_after, i % 2 ? -1 : 1);
  }
}

static void excluded_says_so_with_the_sign(void **state)
{
  const double c[] = {2.385, -1.2, -0.8, 0.3}, d[] = {0.6, -1.5, 1, 0.05};
  brink__poly p = {BRINK__MONOMIAL, 3, c, 0}, q = {BRINK__CHEBYSHEV, 3, c, 0};
  brink__poly t = {BRINK__MONOMIAL, 3, d, 0};
  int sign;
  (void)state;
  assert_int_equal(brink__poly_excluded(&p, 0, &sign), 1);
  assert_int_equal(sign, 1);
  assert_int_equal(brink__poly_excluded(&q, 0, &sign), 1);
  p.delta = 0.7; /* p(1) = 0.685 */
  assert_int_equal(brink__poly_excluded(&p, 0, &sign), 0);

  /* from beyond the roots */
  const double e[] = {-0.03, 0.4, -1};
  brink__poly u = {BRINK__MONOMIAL, 2, e, 0};
  assert_int_equal(brink__poly_excluded(&u, 0, &sign), 0);
  assert_int_equal(brink__poly_excluded(&u, 0.35, &sign), 1);
  assert_int_equal(sign, -1);
  assert_int_equal(brink__poly_excluded(&t, 0.9, &sign), 1);
  assert_int_equal(sign, 1);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(three_zeros_come_in_order),
      cmocka_unit_test(a_cubed_root_is_one_crossing),
      cmocka_unit_test(a_touch_is_listed_as_a_touch),
      cmocka_unit_test(a_dip_is_a_touch_exactly_when_delta_covers_it),
      cmocka_unit_test(a_wide_band_around_a_crossing_is_one_root),
      cmocka_unit_test(a_root_exactly_at_from_is_a_start),
      cmocka_unit_test(noise_at_a_start_does_not_cross),
      cmocka_unit_test(a_root_near_the_start_is_decided_at_its_own_scale),
      cmocka_unit_test(going_on_from_a_hit_does_not_find_it_again),
      cmocka_unit_test(a_root_at_the_end_is_undecided),
      cmocka_unit_test(zero_is_everywhere),
      cmocka_unit_test(from_1_looks_at_one_point),
      cmocka_unit_test(powers_of_two_change_nothing),
      cmocka_unit_test(huge_and_tiny_coefficients_are_fine),
      cmocka_unit_test(the_tolerance_is_honoured_and_saves_nothing_else),
      cmocka_unit_test(the_cap_keeps_the_first_ones),
      cmocka_unit_test(what_is_not_finite_is_refused),
      cmocka_unit_test(nasty_input_ends),
      cmocka_unit_test(the_roots_of_a_chebyshev_polynomial_of_degree_100),
      cmocka_unit_test(excluded_says_so_with_the_sign),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
