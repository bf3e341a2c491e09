/* bernstein.c -- Bernstein coefficients: from monomials, from Chebyshev sums, halves.
 *
 * b_i = sum_k C(i,k)/C(n,k) c_k: scale by 1/C(n,k), then n running sums, which is
 * Pascal's triangle [MRR05, 2].  All weights are in [0, 1], so the error of
 * b_i is at most (3n + 4) u times b_i of sum |c_k| x^k: local, and good at any degree.
 *
 * Chebyshev sums by Clenshaw's recurrence [Clenshaw55] on polynomials in Bernstein
 * form.  The coefficients of T_k are as large as 2^k, so this is only for sums whose
 * c_k fall off faster than (1 + sqrt 2)^-k; brink__bernstein_loss says so beforehand.
 */
#include "core/core.h"
#include "poly/inner.h"

#include <string.h>

enum { SMALL = 8 }; /* degrees with a table of 1/C(n,k) */

/* clang-format off */
static const double inverse[SMALL + 1][SMALL + 1] = {
  {1},
  {1, 1},
  {1, 1./2, 1},
  {1, 1./3, 1./3,  1},
  {1, 1./4, 1./6,  1./4,  1},
  {1, 1./5, 1./10, 1./10, 1./5,  1},
  {1, 1./6, 1./15, 1./20, 1./15, 1./6,  1},
  {1, 1./7, 1./21, 1./35, 1./35, 1./21, 1./7,  1},
  {1, 1./8, 1./28, 1./56, 1./70, 1./56, 1./28, 1./8, 1},
};
/* clang-format on */

/* -------------------------------------------------------- conversion ---- */

/* the everyday degrees, without a chain of dependent sums */
static int of_small(int n, const double *c, double *b)
{
  switch (n) {
  case 0: b[0] = c[0]; return 1;
  case 1:
    b[0] = c[0];
    b[1] = c[0] + c[1];
    return 1;
  case 2:
    b[0] = c[0];
    b[1] = c[0] + c[1] * 0.5;
    b[2] = c[0] + c[1] + c[2];
    return 1;
  case 3:
    b[0] = c[0];
    b[1] = c[0] + c[1] * (1. / 3);
    b[2] = c[0] + (c[1] * 2 + c[2]) * (1. / 3);
    b[3] = c[0] + c[1] + (c[2] + c[3]);
    return 1;
  case 4:
    b[0] = c[0];
    b[1] = c[0] + c[1] * 0.25;
    b[2] = c[0] + c[1] * 0.5 + c[2] * (1. / 6);
    b[3] = c[0] + c[1] * 0.75 + (c[2] * 0.5 + c[3] * 0.25);
    b[4] = c[0] + c[1] + (c[2] + c[3]) + c[4];
    return 1;
  default: return 0;
  }
}

void brink__bernstein_of_monomial(int n, const double *c, double *b)
{
  if (of_small(n, c, b))
    return;
  if (n <= SMALL) {
    for (int k = 0; k <= n; k++)
      b[k] = c[k] * inverse[n][k];
  } else {
    double weight = 1;
    for (int k = 0; k <= n; k++) {
      b[k] = c[k] * weight;
      weight *= (double)(k + 1) / (n - k);
    }
    b[n] = c[n]; /* the last weight is 1, not nearly 1 */
  }
  for (int j = 1; j <= n; j++)
    for (int i = n; i >= j; i--)
      b[i] += b[i - 1];
}

void brink__bernstein_to_monomial(int n, const double *coeff, double *c)
{
  double binomial = 1;

  memmove(c, coeff, (size_t)(n + 1) * sizeof *c);
  for (int j = 1; j <= n; j++)
    for (int i = n; i >= j; i--)
      c[i] -= c[i - 1];
  for (int k = 0; k <= n; k++) {
    c[k] *= binomial;
    binomial = binomial * (n - k) / (k + 1);
  }
}

/* One step of Clenshaw, at degree d: out = c + f (2x - 1) q - r, q of degree d - 1 and
 * r of degree d - 2 raised to d. */
static void clenshaw(int d, double c, double f, const double *q, const double *r,
                     double *out)
{
  double once = f / d, twice = d > 1 ? 1.0 / (d * (d - 1)) : 0;

  for (int i = 0; i <= d; i++) {
    double sum = 0, low = 0;
    if (i > 0)
      sum += i * q[i - 1];
    if (i < d)
      sum -= (d - i) * q[i];
    if (i < d - 1)
      low += (d - i) * (d - i - 1) * r[i];
    if (i > 0 && i < d)
      low += 2 * i * (d - i) * r[i - 1];
    if (i > 1)
      low += i * (i - 1) * r[i - 2];
    out[i] = c + sum * once - low * twice;
  }
}

double brink__bernstein_of_chebyshev(int n, const double *c, double *b)
{
  double work[3][BRINK__COEFFS] = {{0}};
  double *q = work[0], *r = work[1], *next = work[2];

  q[0] = c[n];
  for (int k = n - 1; k >= 0; k--) {
    clenshaw(n - k, c[k], k ? 2 : 1, q, r, next);
    double *spare = r;
    r = q;
    q = next;
    next = spare;
  }
  memcpy(b, q, (size_t)(n + 1) * sizeof *b);
  return brink__bernstein_loss(n, c);
}

/* g_k bounds the coefficients of step k, e_k their error: the operators of clenshaw
 * have norms f and 1, and each step makes at most 8 roundings */
double brink__bernstein_loss(int n, const double *c)
{
  double g1 = fabs(c[n]), g2 = 0, e1 = 0, e2 = 0;

  for (int k = n - 1; k >= 0; k--) {
    int f = k ? 2 : 1;
    double g = fabs(c[k]) + f * g1 + g2;
    double e = f * e1 + e2 + 8 * BRINK__U * g;
    g2 = g1;
    g1 = g;
    e2 = e1;
    e1 = e;
  }
  return e1;
}

/* ------------------------------------------------------- subdivision ---- */

/* de Casteljau's triangle: the left column is the left half, the diagonal the right */
void brink__bernstein_halve(int n, double *b, double *left)
{
  left[0] = b[0];
  for (int j = 1; j <= n; j++) {
    for (int i = 0; i <= n - j; i++)
      b[i] = 0.5 * (b[i] + b[i + 1]);
    left[j] = b[0];
  }
}

void brink__bernstein_split(int n, double *b, double t, double *left)
{
  double s = 1 - t;

  if (left)
    left[0] = b[0];
  for (int j = 1; j <= n; j++) {
    for (int i = 0; i <= n - j; i++)
      b[i] = s * b[i] + t * b[i + 1];
    if (left)
      left[j] = b[0];
  }
}
