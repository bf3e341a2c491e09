/* chebyshev.c -- Chebyshev series on [0, 1]: points, fit, convergence, restriction.
 *
 * Points of the second kind (both ends included, nested under doubling) and a plain
 * discrete cosine transform: n <= 100, so n^2 terms are cheaper than a plan.  Angles
 * come from one table of sin(pi j / 2n): sin^2 and cos^2 of half angles keep both x
 * and 1 - x to full relative accuracy [Tre13, 2-4].
 */
#include "core/core.h"
#include "poly/inner.h"

#include <stddef.h>

#define PI 3.14159265358979323846

/* s[j] = sin(pi j / 2n), j = 0..n; then cos(pi j / n) = s[n-j]^2 - s[j]^2 */
static void half_angles(int n, double *s)
{
  for (int j = 0; 2 * j <= n; j++) {
    double angle = PI * j / (2 * n);
    s[j] = sin(angle);
    s[n - j] = cos(angle);
  }
}

/* the same for n = 16, the second grid */
/* clang-format off */
static const double half_angles_16[] = {
  0, 0.098017140329560601994, 0.19509032201612826785, 0.29028467725446236764,
  0.38268343236508977173, 0.47139673682599764856, 0.55557023301960222474,
  0.63439328416364549822, 0.7071067811865475244, 0.77301045336273696081,
  0.83146961230254523708, 0.88192126434835502971, 0.92387953251128675613,
  0.95694033573220886494, 0.98078528040323044913, 0.99518472667219688624, 1};
/* clang-format on */

void brink__chebyshev_points(int n, double *x)
{
  for (int j = 0; j <= n; j++) {
    double s = sin(PI * j / (2 * n)), c = sin(PI * (n - j) / (2 * n));
    x[j] = 2 * j <= n ? s * s : 1 - c * c;
  }
}

/* c_k = (2/n) sum'' v_j (-1)^k cos(pi j k / n), halved for k = 0 and n; four partial
 * sums keep the rounding below (n/4 + 4) u */
static void transform(int n, const double *s, const double *v, double *c)
{
  double wave[2 * BRINK__COEFFS];

  for (int j = 0; j <= n; j++)
    wave[j] = s[n - j] * s[n - j] - s[j] * s[j];
  for (int j = 1; j < n; j++)
    wave[2 * n - j] = wave[j];
  for (int k = 0; k <= n; k++) {
    double part[4] = {v[0] / 2, 0, 0, 0};
    for (int j = 1, at = k; j < n; j++, at += k) {
      at = at >= 2 * n ? at - 2 * n : at;
      part[j & 3] += v[j] * wave[at];
    }
    double last = k % 2 ? -v[n] / 2 : v[n] / 2;
    double sum = (part[0] + part[1]) + (part[2] + part[3]) + last;
    double scale = (k == 0 || k == n ? 1.0 : 2.0) / n;
    c[k] = (k % 2 ? -scale : scale) * sum;
  }
}

/* The same for n = 8, the grid that every guard is first seen on: sums and
 * differences of mirrored samples, three cosines. */
static void transform_8(const double *v, double *c)
{
  static const double c1 = 0.92387953251128675613, c2 = 0.70710678118654752440,
                      c3 = 0.38268343236508977173; /* cos(pi/8), (2pi/8), (3pi/8) */
  double s0 = 0.5 * (v[0] + v[8]), s1 = v[1] + v[7], s2 = v[2] + v[6], s3 = v[3] + v[5];
  double d0 = 0.5 * (v[0] - v[8]), d1 = v[1] - v[7], d2 = v[2] - v[6], d3 = v[3] - v[5];
  double a = c2 * (s1 - s3), b = c2 * d2;

  c[0] = 0.125 * ((s0 + s2) + (s1 + s3) + v[4]);
  c[2] = 0.25 * ((s0 - v[4]) + a);
  c[4] = 0.25 * ((s0 + v[4]) - s2);
  c[6] = 0.25 * ((s0 - v[4]) - a);
  c[8] = 0.125 * ((s0 + s2) - (s1 + s3) + v[4]);
  c[1] = -0.25 * ((d0 + b) + (c1 * d1 + c3 * d3));
  c[3] = -0.25 * ((d0 - b) + (c3 * d1 - c1 * d3));
  c[5] = -0.25 * ((d0 - b) - (c3 * d1 - c1 * d3));
  c[7] = -0.25 * ((d0 + b) - (c1 * d1 + c3 * d3));
}

void brink__chebyshev_fit(int n, const double *v, double *c)
{
  double s[BRINK__COEFFS];

  if (n == 0) {
    c[0] = v[0];
    return;
  }
  if (n == 8) {
    transform_8(v, c);
    return;
  }
  if (n == 16) {
    transform(n, half_angles_16, v, c);
    return;
  }
  half_angles(n, s);
  transform(n, s, v, c);
}

int brink__chebyshev_converged(int n, const double *c, double noise, double *dropped)
{
  double sum = 0, tail = 0;
  int m = n, plateau = n / 4 > 3 ? n / 4 : 3;

  /* the transform itself leaves about u times the values in every coefficient */
  for (int k = 0; k <= n; k++)
    sum += fabs(c[k]);
  double floor = brink__max(noise, 4 * BRINK__U * sum);

  while (m > 0 && fabs(c[m]) <= floor)
    tail += fabs(c[m--]);
  if (n - m < plateau)
    return -1;
  *dropped = tail;
  return m;
}

/* The restriction has the degree of the whole, so n + 1 samples determine it.  Error
 * of the values: that of the samples times the Lebesgue constant
 * [Tre13, 15], and the transform's roundings in n + 1 coefficients. */
double brink__chebyshev_restrict(int n, const double *c, double a, double b,
                                 double *out)
{
  double s[BRINK__COEFFS], v[BRINK__COEFFS];
  double w = b - a, rest = 1 - b, sum = 0;

  if (n <= 0) { /* never below 0; so said, compilers see that v is set */
    out[0] = c[0];
    return 0;
  }
  half_angles(n, s);
  for (int j = 0; j <= n; j++) {
    double x = a + w * (s[j] * s[j]), y = rest + w * (s[n - j] * s[n - j]);
    v[j] = brink__chebyshev_at(n, c, x, y);
    sum += j % n ? fabs(v[j]) : fabs(v[j]) / 2;
  }
  transform(n, s, v, out);
  double lebesgue = 1 + 2 / PI * log(n + 1);
  return lebesgue * brink__chebyshev_noise(n, c) +
         (n + 1) * (0.25 * n + 6) * 2 / n * BRINK__U * sum;
}
