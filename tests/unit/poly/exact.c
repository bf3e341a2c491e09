/* exact.c -- see exact.h.  The chain is Sturm's with subresultant divisors, so that
 * the integers grow linearly [Brown71]. */
#include "exact.h"

#include <math.h>
#include <stdlib.h>

void exact_init(exact *e)
{
  e->length = 0;
  for (int i = 0; i <= EXACT_MAX; i++)
    for (int k = 0; k < EXACT_MAX; k++)
      mpz_init(e->chain[i][k]);
}

void exact_clear(exact *e)
{
  for (int i = 0; i <= EXACT_MAX; i++)
    for (int k = 0; k < EXACT_MAX; k++)
      mpz_clear(e->chain[i][k]);
}

/* ------------------------------------------------------------ building ---- */

/* c = mantissa 2^exponent */
static long decompose(double c, mpz_t mantissa)
{
  int e;
  double m = frexp(c, &e);
  mpz_set_d(mantissa, ldexp(m, 53));
  return e - 53;
}

/* sum c_k T_k(2x - 1) with integer c in w -> monomial coefficients in out */
static void from_chebyshev(int n, mpz_t *w, mpz_t *out)
{
  mpz_t t[3][EXACT_MAX];

  for (int i = 0; i < 3; i++)
    for (int k = 0; k < EXACT_MAX; k++)
      mpz_init(t[i][k]);
  for (int k = 0; k <= n; k++)
    mpz_set_ui(out[k], 0);
  for (int j = 0; j <= n; j++) {
    mpz_t *now = t[j % 3], *one = t[(j + 2) % 3], *two = t[(j + 1) % 3];
    for (int k = 0; k <= j; k++) {
      mpz_set_ui(now[k], 0);
      if (j == 0) {
        mpz_set_ui(now[0], 1);
      } else if (j == 1) {
        mpz_set_si(now[k], k ? 2 : -1);
      } else {
        if (k > 0)
          mpz_addmul_ui(now[k], one[k - 1], 4);
        if (k < j)
          mpz_submul_ui(now[k], one[k], 2);
        if (k < j - 1)
          mpz_sub(now[k], now[k], two[k]);
      }
      mpz_addmul(out[k], w[j], now[k]);
    }
  }
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < EXACT_MAX; k++)
      mpz_clear(t[i][k]);
}

void exact_set(exact *e, const brink__poly *p)
{
  int n = p->degree;
  long low = 0, at[EXACT_MAX];
  mpz_t w[EXACT_MAX];

  for (int k = 0; k < EXACT_MAX; k++)
    mpz_init(w[k]);
  for (int k = 0, any = 0; k <= n; k++) {
    at[k] = decompose(p->c[k], w[k]);
    if (p->c[k] != 0 && (!any || at[k] < low))
      low = at[k], any = 1;
  }
  for (int k = 0; k <= n; k++)
    if (mpz_sgn(w[k]))
      mpz_mul_2exp(w[k], w[k], (mp_bitcnt_t)(at[k] - low));
  if (p->form == BRINK__CHEBYSHEV)
    from_chebyshev(n, w, e->chain[0]);
  else
    for (int k = 0; k <= n; k++)
      mpz_set(e->chain[0][k], w[k]);
  while (n > 0 && mpz_sgn(e->chain[0][n]) == 0)
    n--;
  e->degree[0] = n;
  e->length = 1;
  e->shift = low;
  for (int k = 0; k < EXACT_MAX; k++)
    mpz_clear(w[k]);
}

/* --------------------------------------------------------------- chain ---- */

/* out = lc(b)^(da-db+1) a mod b; returns its degree, -1 for 0 */
static int pseudo_remainder(int da, mpz_t *a, int db, mpz_t *b, mpz_t *out)
{
  for (int k = 0; k <= da; k++)
    mpz_set(out[k], a[k]);
  for (int d = da; d >= db; d--) {
    mpz_t top;
    mpz_init_set(top, out[d]);
    for (int k = 0; k < d; k++)
      mpz_mul(out[k], out[k], b[db]);
    for (int k = 0; k < db; k++)
      mpz_submul(out[d - db + k], top, b[k]);
    mpz_set_ui(out[d], 0);
    mpz_clear(top);
  }
  int d = db - 1;
  while (d >= 0 && mpz_sgn(out[d]) == 0)
    d--;
  return d;
}

void exact_sturm(exact *e)
{
  mpz_t g, h, divisor;
  int n = e->degree[0];

  if (n == 0)
    return;
  mpz_init_set_ui(g, 1);
  mpz_init_set_ui(h, 1);
  mpz_init(divisor);
  for (int k = 1; k <= n; k++)
    mpz_mul_ui(e->chain[1][k - 1], e->chain[0][k], (unsigned long)k);
  e->degree[1] = n - 1;
  e->length = 2;
  for (int i = 1; e->degree[i] > 0; i++) {
    int da = e->degree[i - 1], db = e->degree[i], gap = da - db;
    mpz_t *r = e->chain[i + 1];
    int d = pseudo_remainder(da, e->chain[i - 1], db, e->chain[i], r);
    if (d < 0)
      break;

    /* next = -rem times something positive */
    int flip = mpz_sgn(e->chain[i][db]) < 0 && (gap + 1) % 2 ? 1 : -1;
    mpz_pow_ui(divisor, h, (unsigned long)gap);
    mpz_mul(divisor, divisor, g);
    for (int k = 0; k <= d; k++) {
      mpz_divexact(r[k], r[k], divisor);
      if (flip < 0)
        mpz_neg(r[k], r[k]);
    }
    e->degree[i + 1] = d;
    e->length = i + 2;

    /* g = |lc(b)|, h = g^gap h^(1-gap) */
    mpz_abs(g, e->chain[i][db]);
    if (gap > 0) {
      mpz_pow_ui(divisor, g, (unsigned long)gap);
      mpz_pow_ui(h, h, (unsigned long)(gap - 1));
      mpz_divexact(h, divisor, h);
    }
  }
  mpz_clear(g);
  mpz_clear(h);
  mpz_clear(divisor);
}

/* -------------------------------------------------------------- values ---- */

/* v = 2^(bits n) q(m 2^-bits), an integer with the sign of q; bits may be 0 */
static void at_point(int n, mpz_t *q, const mpz_t m, unsigned long bits, mpz_t v)
{
  mpz_t term;

  mpz_init(term);
  mpz_set(v, q[n]);
  for (int k = n - 1; k >= 0; k--) {
    mpz_mul(v, v, m);
    mpz_mul_2exp(term, q[k], bits * (unsigned long)(n - k));
    mpz_add(v, v, term);
  }
  mpz_clear(term);
}

static unsigned long point(double x, mpz_t m)
{
  long e = decompose(x, m);
  if (mpz_sgn(m) == 0)
    return 0;
  unsigned long zeros = mpz_scan1(m, 0);
  mpz_fdiv_q_2exp(m, m, zeros);
  e += (long)zeros;
  if (e > 0) {
    mpz_mul_2exp(m, m, (mp_bitcnt_t)e);
    e = 0;
  }
  return (unsigned long)-e;
}

static int variations(exact *e, double x)
{
  mpz_t m, v;
  int before = 0, count = 0;

  mpz_init(m);
  mpz_init(v);
  unsigned long bits = point(x, m);
  for (int i = 0; i < e->length; i++) {
    at_point(e->degree[i], e->chain[i], m, bits, v);
    int s = mpz_sgn(v);
    count += s && before && s != before;
    before = s ? s : before;
  }
  mpz_clear(m);
  mpz_clear(v);
  return count;
}

int exact_count(exact *e, double a, double b)
{
  return a < b ? variations(e, a) - variations(e, b) : 0;
}

double exact_value(exact *e, double x)
{
  mpz_t m, v;
  long scale;

  mpz_init(m);
  mpz_init(v);
  unsigned long bits = point(x, m);
  at_point(e->degree[0], e->chain[0], m, bits, v);
  double d = mpz_get_d_2exp(&scale, v);
  scale += e->shift - (long)bits * e->degree[0];
  mpz_clear(m);
  mpz_clear(v);
  return ldexp(d, scale < -3000 ? -3000 : scale > 3000 ? 3000 : (int)scale);
}

int exact_sign(exact *e, double x)
{
  mpz_t m, v;

  mpz_init(m);
  mpz_init(v);
  unsigned long bits = point(x, m);
  at_point(e->degree[0], e->chain[0], m, bits, v);
  int s = mpz_sgn(v);
  mpz_clear(m);
  mpz_clear(v);
  return s;
}
