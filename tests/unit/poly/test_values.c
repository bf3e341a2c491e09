/* Values, derivatives, restrictions, ranges and conversions, against exact arithmetic
 * and closed forms. */
#include "check.h"
#include "exact.h"

#include <math.h>

enum { MAX = BRINK__POLY_MAX_DEGREE };

static exact e, part;

static int setup(void **state)
{
  (void)state;
  exact_init(&e);
  exact_init(&part);
  return 0;
}

static int teardown(void **state)
{
  (void)state;
  exact_clear(&e);
  exact_clear(&part);
  return 0;
}

static brink__poly random_poly(uint64_t *seed, int i, double *c)
{
  brink__poly_form form = i % 2 ? BRINK__CHEBYSHEV : BRINK__MONOMIAL;
  int n = (int)(rand_u64(seed) % (i % 10 == 0 ? 101 : 20));

  for (int k = 0; k <= n; k++)
    c[k] = rand_in(seed, -1, 1) * exp(rand_in(seed, -4, 4));
  return (brink__poly){form, n, c, 0};
}

static double random_point(uint64_t *seed)
{
  switch (rand_u64(seed) % 5) {
  case 0: return 0;
  case 1: return 1;
  case 2: return exp(rand_in(seed, -40, 0));
  default: return rand_01(seed);
  }
}

static void known_values_come_out(void **state)
{
  double c[] = {0.3, -1.7, 2.385, 0.25};
  (void)state;

  brink__poly m = {BRINK__MONOMIAL, 3, c, 0}, t = {BRINK__CHEBYSHEV, 3, c, 0};
  check_near(brink__poly_eval(&m, 0.4), 0.0176, 1e-15);
  check_near(brink__poly_slope(&m, 0.4), 0.328, 1e-15);

  /* t = 2 x 0.4 - 1 = -0.2: T = 1, -0.2, -0.92, 0.568 */
  check_near(brink__poly_eval(&t, 0.4), 0.3 + 0.34 - 2.385 * 0.92 + 0.142, 1e-15);
  check_near(brink__poly_slope(&t, 0.4), 2 * (-1.7 - 2.385 * 0.8 + 0.25 * -2.52),
             1e-14);
  check_near(brink__poly_eval(&t, 1), 0.3 - 1.7 + 2.385 + 0.25, 1e-15);
  check_near(brink__poly_slope(&t, 0), 2 * (-1.7 - 4 * 2.385 + 9 * 0.25), 1e-14);
}

static void values_are_within_their_noise_and_the_noise_is_small(void **state)
{
  uint64_t seed = 11;
  double c[MAX + 1];
  (void)state;

  for (int i = 0; i < 3000; i++) {
    brink__poly p = random_poly(&seed, i, c);
    double x = random_point(&seed), sum = 0, power = 1;
    exact_set(&e, &p);
    double noise = brink__poly_noise(&p, x), v = exact_value(&e, x);
    check_near(brink__poly_eval(&p, x), v, noise + fabs(v) * 0x1p-53);
    for (int k = 0; k <= p.degree; k++, power *= p.form == BRINK__MONOMIAL ? x : 1)
      sum += fabs(c[k]) * power;
    check_in(noise, 0, sum * 0x1p-53 * (9 * p.degree + 5));
    p.delta = 0.25;
    check_near(brink__poly_bound(&p, x), 0.25 + noise, 0);
  }
}

static void the_derivative_is_the_slope(void **state)
{
  uint64_t seed = 12;
  double c[MAX + 1], dc[MAX + 1];
  (void)state;

  for (int i = 0; i < 500; i++) {
    brink__poly p = random_poly(&seed, i, c);
    brink__poly d = {p.form, brink__poly_derivative(&p, dc), dc, 0};
    double x = random_point(&seed), sum = 0;
    assert_int_equal(d.degree, p.degree > 0 ? p.degree - 1 : 0);
    for (int k = 0; k <= p.degree; k++)
      sum += fabs(c[k]) * k * k;
    check_near(brink__poly_eval(&d, x), brink__poly_slope(&p, x),
               1e-14 * sum * (p.degree + 1));
  }

  /* and the slope is the limit of quotients: 2.385 x^3 at 0.7 */
  double cube[] = {0, 0, 0, 2.385};
  brink__poly p = {BRINK__MONOMIAL, 3, cube, 0};
  check_near(brink__poly_slope(&p, 0.7), 3 * 2.385 * 0.49, 1e-15);
}

/* ends and points with few bits, so that nothing but the restriction rounds */
static void a_restriction_is_the_same_function(void **state)
{
  uint64_t seed = 13;
  double c[MAX + 1], rc[MAX + 1], bern[MAX + 1], back[MAX + 1];
  (void)state;

  for (int i = 0; i < 600; i++) {
    brink__poly p = random_poly(&seed, i, c);
    double a = (double)(rand_u64(&seed) % 61) / 64;
    double b = a + (double)(1 + rand_u64(&seed) % 3) / 64 * (i % 4 ? 1 : 0x1p-6);
    double s = (double)(rand_u64(&seed) % 1025) / 1024, x = a + (b - a) * s;
    double err = brink__poly_restrict(&p, a, b, rc);
    brink__poly r = {p.form, p.degree, rc, 0};
    exact_set(&e, &p);
    double v = exact_value(&e, x);
    exact_set(&part, &r);
    check_near(exact_value(&part, s), v, err);
    check_in(err, 0, brink__poly_noise(&p, b) * (p.form == BRINK__MONOMIAL ? 4 : 40));
    if (p.degree > 12)
      continue;

    /* Bernstein: ends are values, and back to monomials */
    double loss = brink__poly_bernstein(&p, a, b, bern);
    brink__poly m = {BRINK__MONOMIAL, p.degree, back, 0};
    check_near(bern[0], exact_value(&e, a), loss);
    check_near(bern[p.degree], exact_value(&e, b), loss);
    brink__bernstein_to_monomial(p.degree, bern, back);
    check_near(brink__poly_eval(&m, s), v, loss * 1e4);
  }
}

static void bernstein_coefficients_of_known_polynomials(void **state)
{
  double b[5], c[] = {0, 0, 0, 0, 1}, lin[] = {0.5, 0.5, 0, 0, 0};
  brink__poly t4 = {BRINK__CHEBYSHEV, 4, c, 0}, one = {BRINK__CHEBYSHEV, 4, lin, 0};
  brink__poly x4 = {BRINK__MONOMIAL, 4, c, 0};
  const double want[] = {1, -7, 70. / 6, -7, 1}; /* (-1)^i C(8,2i)/C(4,i) */
  (void)state;

  brink__poly_bernstein(&t4, 0, 1, b);
  for (int i = 0; i <= 4; i++)
    check_near(b[i], want[i], 1e-13);
  brink__poly_bernstein(&one, 0, 1, b); /* x itself */
  for (int i = 0; i <= 4; i++)
    check_near(b[i], i / 4., 1e-15);
  brink__poly_bernstein(&x4, 0.5, 1, b); /* blossom: products of a and b */
  for (int i = 0; i <= 4; i++)
    check_near(b[i], pow(0.5, 4 - i), 1e-15);
}

static void ranges_enclose_and_are_sharp_on_short_intervals(void **state)
{
  uint64_t seed = 14;
  double c[MAX + 1];
  (void)state;

  for (int i = 0; i < 600; i++) {
    brink__poly p = random_poly(&seed, i, c);
    double a = rand_01(&seed), b = a + (1 - a) * exp(rand_in(&seed, -12, 0));
    p.delta = i % 3 ? 0 : 1e-7;
    if (!(b <= 1 && b - a > 1e-9))
      continue;
    brink__range r = brink__poly_range(&p, a, b);
    exact_set(&e, &p);
    for (int k = 0; k <= 8; k++) {
      double x = fmin(a + (b - a) * k / 8, b), v = exact_value(&e, x);
      check_in(v - p.delta, r.lo, r.hi);
      check_in(v + p.delta, r.lo, r.hi);
    }
  }
  double q[] = {1.25, -2.385, 1.1};
  brink__poly p = {BRINK__MONOMIAL, 2, q, 0};
  double w = 0x1p-10, lo = brink__poly_eval(&p, 0.5 + w),
         hi = brink__poly_eval(&p, 0.5);
  brink__range r = brink__poly_range(&p, 0.5, 0.5 + w);
  check_near(r.lo, lo, 2e-6);
  check_near(r.hi, hi, 2e-6);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(known_values_come_out),
      cmocka_unit_test(values_are_within_their_noise_and_the_noise_is_small),
      cmocka_unit_test(the_derivative_is_the_slope),
      cmocka_unit_test(a_restriction_is_the_same_function),
      cmocka_unit_test(bernstein_coefficients_of_known_polynomials),
      cmocka_unit_test(ranges_enclose_and_are_sharp_on_short_intervals),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
