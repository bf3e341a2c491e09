/* jet.c -- Taylor coefficients in doubles.  The recurrences are in jet_body.h.
 *
 * Order 0 is the interpreter of value.c, so it agrees with it to the bit.
 */
#include "expr/inner.h"

#include <math.h>

typedef double num;

static const double n_zero = 0;
static const double n_log10e = 0.43429448190325182765;
#define n_poison ((double)NAN)

static inline num n_add(num a, num b) { return a + b; }
static inline num n_sub(num a, num b) { return a - b; }
static inline num n_mul(num a, num b) { return a * b; }
static inline num n_div(num a, num b) { return a / b; }
static inline num n_neg(num a) { return -a; }
static inline num n_square(num a) { return a * a; }
static inline num n_scale(num a, int j) { return a * j; }
static inline num n_shrink(num a, int k) { return a / k; }
static inline num n_whole(int k) { return k; }
static inline int n_finite(num a) { return isfinite(a); }
static inline int n_sign(num a) { return isnan(a) ? 2 : (a > 0) - (a < 0); }
static inline int n_truth(num a) { return a == 1 ? 1 : a == 0 ? 0 : -1; }
static inline num n_flat(num r) { return r * 0.0; }

static inline num n_function(brink__op op, num a)
{
  return brink__op_value(op, a, 0, 0);
}

/* Is coefficient k of a^b zero because a starts at 0 and b is whole? */
static inline int n_vanishes(num a, num b, int k)
{
  return (a == 0 && b == floor(b) && b > k) || b == 0;
}

/* the whole number q with a = q b + r */
static inline num n_quotient(brink__op op, num a, num b, num r)
{
  (void)op;
  return nearbyint((a - r) / b);
}

/* Several sums at a time: one would be a chain of additions that wait for each
 * other. */
static num conv(const num *a, const num *b, int k, int from, int to)
{
  num s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  int j = from;

  b += k;
  for (; j + 3 <= to; j += 4) {
    s0 += a[j] * b[-j];
    s1 += a[j + 1] * b[-j - 1];
    s2 += a[j + 2] * b[-j - 2];
    s3 += a[j + 3] * b[-j - 3];
  }
  for (; j <= to; j++)
    s0 += a[j] * b[-j];
  return (s0 + s1) + (s2 + s3);
}

static num jconv(const num *a, const num *b, int k, int to)
{
  num s0 = 0, s1 = 0, weight = 1;
  int j = 1;

  b += k;
  for (; j + 1 <= to; j += 2, weight += 2) {
    s0 += weight * a[j] * b[-j];
    s1 += (weight + 1) * a[j + 1] * b[-j - 1];
  }
  if (j <= to)
    s0 += weight * a[j] * b[-j];
  return (s0 + s1) / k;
}

#include "expr/jet_body.h"

brink__node brink__blame(const brink__tape *tape, size_t stride, const double *v,
                         size_t root)
{
  return blame(tape, 0, stride, v, tape->root[root], tape->root_node[root]);
}

brink_status brink__tape_jet(const brink__tape *tape, int k, size_t stride, double *c,
                             brink__node *culprit)
{
  if (k > 0)
    return advance(tape, k, stride, c, culprit);
  BRINK_TRY(brink__tape_values_strided(tape, stride, c, culprit));
  begin_all(tape, stride, c);
  return BRINK_OK;
}
