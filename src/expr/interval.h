/* expr/interval.h -- interval arithmetic for jets: short, inlined, outward.
 *
 * Every result encloses all results of the exact operation on points of its
 * operands.  Rounding to nearest is off by at most half a unit in the last place,
 * so going one unit further out is enough [MKC09, 10.1]; no rounding mode is
 * touched.  x |-> x - (|x| 2^-52 + 2^-1074) goes down by at least one unit: |x| 2^-52
 * is at least the unit of x, and rounding is monotone.
 *
 * Poison is [NaN, NaN]; an interval that overflowed counts as poison, too.
 */
#ifndef BRINK_EXPR_INTERVAL_H
#define BRINK_EXPR_INTERVAL_H

#include <math.h>

#include "expr/expr.h"

#define ITV_ULP  0x1p-52
#define ITV_TINY 0x1p-1074

static inline double itv_down(double x) { return x - (fabs(x) * ITV_ULP + ITV_TINY); }
static inline double itv_up(double x) { return x + (fabs(x) * ITV_ULP + ITV_TINY); }

static inline brink__itv itv_point(double x) { return (brink__itv){x, x}; }
static inline brink__itv itv_poison(void)
{
  return (brink__itv){(double)NAN, (double)NAN};
}

static inline int itv_finite(brink__itv a) { return isfinite(a.lo) && isfinite(a.hi); }
static inline int itv_is_point(brink__itv a) { return a.lo == a.hi; }

/* The rounding error of a + b, exactly [Higham02, 4.3]. */
static inline double itv_sum_error(double a, double b, double s)
{
  double bb = s - a;
  return (a - (s - bb)) + (b - bb);
}

static inline brink__itv itv_add(brink__itv a, brink__itv b)
{
  double lo = a.lo + b.lo, hi = a.hi + b.hi;

  return (brink__itv){itv_sum_error(a.lo, b.lo, lo) >= 0 ? lo : itv_down(lo),
                      itv_sum_error(a.hi, b.hi, hi) <= 0 ? hi : itv_up(hi)};
}

static inline brink__itv itv_neg(brink__itv a) { return (brink__itv){-a.hi, -a.lo}; }

static inline brink__itv itv_sub(brink__itv a, brink__itv b)
{
  return itv_add(a, itv_neg(b));
}

static inline double itv_min4(const double p[4])
{
  double x = p[0] < p[1] ? p[0] : p[1], y = p[2] < p[3] ? p[2] : p[3];
  return x < y ? x : y;
}

static inline double itv_max4(const double p[4])
{
  double x = p[0] > p[1] ? p[0] : p[1], y = p[2] > p[3] ? p[2] : p[3];
  return x > y ? x : y;
}

/* One unit wider than need be on either side, except for exact zeros. */
static inline brink__itv itv_mul(brink__itv a, brink__itv b)
{
  const double p[4] = {a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi};

  if ((a.lo == 0 && a.hi == 0 && itv_finite(b)) ||
      (b.lo == 0 && b.hi == 0 && itv_finite(a)))
    return itv_point(0);
  return (brink__itv){itv_down(itv_min4(p)), itv_up(itv_max4(p))};
}

static inline brink__itv itv_div(brink__itv a, brink__itv b)
{
  if (!(b.lo > 0 || b.hi < 0))
    return itv_poison();
  const double p[4] = {a.lo / b.lo, a.lo / b.hi, a.hi / b.lo, a.hi / b.hi};
  if (a.lo == 0 && a.hi == 0)
    return itv_point(0);
  return (brink__itv){itv_down(itv_min4(p)), itv_up(itv_max4(p))};
}

/* The operator on intervals; c is used by SELECT only. */
brink__itv brink__itv_apply(brink__op op, brink__itv a, brink__itv b, brink__itv c);

/* a*a, where both factors are the same number. */
brink__itv brink__itv_square(brink__itv a);

/* Does a box (y, x) lie across the cut of atan2, where the angle jumps? */
int brink__itv_torn(brink__itv y, brink__itv x);

#endif /* BRINK_EXPR_INTERVAL_H */
