/* ival.c -- operators on intervals.
 *
 * + - * / sqrt are rounded outward to the neighbouring number, and not at all when
 * the operation is exact: the sign of the rounding error is known, from the exact
 * error of a sum and from fma [Higham02, 4.3 and 2.6].  Functions of the C library
 * are widened by LIBM_ULPS, more than any common library errs; monotone ones need
 * their ends only, the others their extrema inside, which are found with a margin
 * so that rounding cannot lose one.
 *
 * What an interval encloses: the exact result, and every result that value.c can
 * compute from points inside (rounding is monotone; libraries are within the
 * margin).
 */
#include "expr/inner.h"
#include "expr/interval.h"

#include <float.h>

enum { LIBM_ULPS = 4 }; /* glibc: at most 2 [glibc manual, Errors in Math Functions] */

static const double pi = 3.14159265358979323846; /* rounded down */

/* --------------------------------------------------------------- tools ---- */

static brink__itv widened(double lo, double hi)
{
  return (brink__itv){lo - (fabs(lo) * (LIBM_ULPS * ITV_ULP) + ITV_TINY),
                      hi + (fabs(hi) * (LIBM_ULPS * ITV_ULP) + ITV_TINY)};
}

static brink__itv clipped(brink__itv a, double lo, double hi)
{
  return (brink__itv){a.lo < lo ? lo : a.lo, a.hi > hi ? hi : a.hi};
}

static brink__itv hull(brink__itv a, brink__itv b)
{
  if (!itv_finite(a) || !itv_finite(b))
    return itv_poison();
  return (brink__itv){a.lo < b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi};
}

static brink__itv hull4(const double p[4])
{
  return (brink__itv){itv_min4(p), itv_max4(p)};
}

/* a function of the library that grows; exact at exact_at */
static brink__itv growing(double (*f)(double), brink__itv a, double exact_at,
                          double exact)
{
  brink__itv r = widened(f(a.lo), f(a.hi));

  if (a.lo == exact_at)
    r.lo = exact;
  if (a.hi == exact_at)
    r.hi = exact;
  return r;
}

/* ---------------------------------------------------- exactly rounded ---- */

/* fma needs its result to be no subnormal */
static int safe(double x) { return fabs(x) > 0x1p-960; }

static double mul_down(double a, double b)
{
  double p = a * b;

  if (a == 0 || b == 0)
    return 0;
  return safe(p) && fma(a, b, -p) >= 0 ? p : itv_down(p);
}

static double mul_up(double a, double b) { return -mul_down(-a, b); }

static brink__itv mul(brink__itv a, brink__itv b)
{
  double lo[4] = {mul_down(a.lo, b.lo), mul_down(a.lo, b.hi), mul_down(a.hi, b.lo),
                  mul_down(a.hi, b.hi)};
  double hi[4] = {mul_up(a.lo, b.lo), mul_up(a.lo, b.hi), mul_up(a.hi, b.lo),
                  mul_up(a.hi, b.hi)};
  return (brink__itv){itv_min4(lo), itv_max4(hi)};
}

/* a*a: both factors are the same number */
static brink__itv square(brink__itv a)
{
  double m = fabs(a.lo) < fabs(a.hi) ? a.hi : a.lo;
  double s = fabs(a.lo) < fabs(a.hi) ? a.lo : a.hi;

  return (brink__itv){a.lo <= 0 && a.hi >= 0 ? 0 : mul_down(s, s), mul_up(m, m)};
}

/* b != 0: the exact quotient is q + (a - q b)/b */
static double div_down(double a, double b)
{
  double q = a / b;

  if (a == 0)
    return 0;
  double rest = fma(-q, b, a);
  int below = rest == 0 ? 0 : (rest < 0) == (b < 0) ? 1 : -1; /* sign of exact - q */
  return safe(q) && safe(a) && below >= 0 ? q : itv_down(q);
}

static double div_up(double a, double b) { return -div_down(-a, b); }

static brink__itv quotient(brink__itv a, brink__itv b)
{
  if (!(b.lo > 0 || b.hi < 0))
    return itv_poison();
  double lo[4] = {div_down(a.lo, b.lo), div_down(a.lo, b.hi), div_down(a.hi, b.lo),
                  div_down(a.hi, b.hi)};
  double hi[4] = {div_up(a.lo, b.lo), div_up(a.lo, b.hi), div_up(a.hi, b.lo),
                  div_up(a.hi, b.hi)};
  return (brink__itv){itv_min4(lo), itv_max4(hi)};
}

static brink__itv root(brink__itv a)
{
  if (!(a.lo >= 0))
    return itv_poison();
  double lo = sqrt(a.lo), hi = sqrt(a.hi);
  if (!(safe(a.lo) && fma(-lo, lo, a.lo) >= 0) && a.lo > 0)
    lo = itv_down(lo);
  if (!(safe(a.hi) && fma(-hi, hi, a.hi) <= 0) && a.hi > 0)
    hi = itv_up(hi);
  return (brink__itv){lo, hi};
}

/* ----------------------------------------------------------- functions ---- */

/* Is offset + k period in a for some whole k?  May say yes when it is close. */
static int meets(brink__itv a, double offset, double period)
{
  double lo = (a.lo - offset) / period, hi = (a.hi - offset) / period;
  double slack = 8 * DBL_EPSILON * (1 + fabs(lo) + fabs(hi));

  return ceil(lo - slack) <= floor(hi + slack);
}

/* sin and cos: ends, and the extrema at top and top + pi (mod 2 pi) */
static brink__itv wave(double (*f)(double), brink__itv a, double top)
{
  double x = f(a.lo), y = f(a.hi);
  brink__itv r = widened(x < y ? x : y, x < y ? y : x);

  if (meets(a, top, 2 * pi))
    r.hi = 1;
  if (meets(a, top + pi, 2 * pi))
    r.lo = -1;
  return clipped(r, -1, 1);
}

static brink__itv tangent(brink__itv a)
{
  return meets(a, pi / 2, pi) ? itv_poison() : growing(tan, a, 0, 0);
}

static brink__itv arc(brink__op op, brink__itv a)
{
  if (!(a.lo >= -1 && a.hi <= 1))
    return itv_poison();
  if (op == BRINK_OP_ASIN)
    return growing(asin, a, 0, 0);
  brink__itv r = widened(acos(a.hi), acos(a.lo));
  if (r.lo < 0 || a.hi == 1)
    r.lo = 0;
  return r;
}

int brink__itv_torn(brink__itv y, brink__itv x)
{
  return x.lo < 0 && y.lo < 0 && y.hi >= 0;
}

/* angle of a box: the ends of its corners, unless it lies across the cut */
static brink__itv angle(brink__itv y, brink__itv x)
{
  if (brink__itv_torn(y, x))
    return widened(-pi, pi);
  const double p[4] = {atan2(y.lo + 0.0, x.lo + 0.0), atan2(y.lo + 0.0, x.hi + 0.0),
                       atan2(y.hi + 0.0, x.lo + 0.0), atan2(y.hi + 0.0, x.hi + 0.0)};
  brink__itv r = hull4(p);
  return widened(r.lo, r.hi);
}

static brink__itv hyperbolic_cosine(brink__itv a)
{
  double x = cosh(a.lo), y = cosh(a.hi);
  brink__itv r = widened(x < y ? x : y, x < y ? y : x);

  if (a.lo <= 0 && a.hi >= 0)
    r.lo = 1;
  return clipped(r, 1, HUGE_VAL);
}

static brink__itv logarithm(double (*f)(double), brink__itv a)
{
  return a.lo > 0 ? growing(f, a, 1, 0) : itv_poison();
}

static brink__itv exponential(brink__itv a)
{
  return clipped(growing(exp, a, 0, 1), 0, HUGE_VAL);
}

/* a^n for a whole n, a of any sign */
static brink__itv whole_power(brink__itv a, double n)
{
  int even = fmod(n, 2) == 0, through = a.lo <= 0 && a.hi >= 0;
  double x = pow(a.lo, n), y = pow(a.hi, n);
  brink__itv r = widened(x < y ? x : y, x < y ? y : x);

  if (n < 0 && through)
    return itv_poison();
  if (n == 0)
    return itv_point(1);
  if (even && r.lo < 0)
    r.lo = 0;
  if (even && through)
    r.lo = 0;
  return r;
}

/* Small whole exponents are multiplied out: every factor may err. */
static brink__itv multiplied(brink__itv r, double n)
{
  double slack = 2 * brink__min(fabs(n), BRINK__POWI_MAX) * ITV_ULP;

  return (brink__itv){r.lo - fabs(r.lo) * slack, r.hi + fabs(r.hi) * slack};
}

static brink__itv product_power(brink__itv a, double n)
{
  return multiplied(whole_power(a, n), n);
}

static brink__itv power(brink__itv a, brink__itv b)
{
  if (itv_is_point(b) && b.lo == floor(b.lo))
    return product_power(a, b.lo);
  if (a.lo < 0 || (a.lo == 0 && b.lo < 0))
    return itv_poison();

  /* monotone in each argument: the corners decide */
  const double p[4] = {pow(a.lo, b.lo), pow(a.lo, b.hi), pow(a.hi, b.lo),
                       pow(a.hi, b.hi)};
  brink__itv r = hull4(p);
  r = clipped(widened(r.lo, r.hi), 0, HUGE_VAL);
  int whole = ceil(b.lo) <= floor(b.hi);
  return whole ? multiplied(r, brink__max(fabs(b.lo), fabs(b.hi))) : r;
}

/* --------------------------------------------------------- whole parts ---- */

static brink__itv mapped(double (*f)(double), brink__itv a)
{
  return (brink__itv){f(a.lo), f(a.hi)};
}

/* a - q b where q = f(a/b); if q is not known, the rest is bounded by b */
static brink__itv modulo(brink__itv a, brink__itv b)
{
  brink__itv q = mapped(floor, quotient(a, b));
  brink__itv all = {b.lo < 0 ? b.lo : 0, b.hi > 0 ? b.hi : 0};

  if (!itv_finite(q))
    return itv_poison();
  if (!itv_is_point(q))
    return all;
  return clipped(itv_sub(a, mul(q, b)), all.lo, all.hi);
}

static brink__itv remainder_of(brink__itv a, brink__itv b)
{
  brink__itv q = mapped(trunc, quotient(a, b));
  double m = brink__max(fabs(b.lo), fabs(b.hi));
  brink__itv all = {a.lo < 0 ? -brink__min(m, -a.lo) : 0,
                    a.hi > 0 ? brink__min(m, a.hi) : 0};

  if (!itv_finite(q))
    return itv_poison();
  if (!itv_is_point(q))
    return all;
  return clipped(itv_sub(a, mul(q, b)), all.lo, all.hi);
}

static brink__itv absolute(brink__itv a)
{
  if (a.lo >= 0)
    return a;
  if (a.hi <= 0)
    return itv_neg(a);
  return (brink__itv){0, brink__max(-a.lo, a.hi)};
}

static double sign(double x) { return (x > 0) - (x < 0); }

/* --------------------------------------------------------------- logic ---- */

static brink__itv truth(int yes, int no)
{
  return (brink__itv){yes ? 1 : 0, no ? 0 : 1};
}

static brink__itv less(brink__itv a, brink__itv b)
{
  return truth(a.hi < b.lo, a.lo >= b.hi);
}

static brink__itv equal(brink__itv a, brink__itv b)
{
  return truth(itv_is_point(a) && itv_is_point(b) && a.lo == b.lo,
               a.hi < b.lo || a.lo > b.hi);
}

static brink__itv not(brink__itv a) { return (brink__itv){1 - a.hi, 1 - a.lo}; }

/* the operands that are not looked at may be poison */
static brink__itv choose(brink__itv condition, brink__itv yes, brink__itv no)
{
  if (!itv_finite(condition))
    return itv_poison();
  if (condition.lo == 1)
    return yes;
  if (condition.hi == 0)
    return no;
  return hull(yes, no);
}

/* ---------------------------------------------------------------- face ---- */

static brink__itv apply(brink__op op, brink__itv a, brink__itv b, brink__itv c)
{
  /* clang-format off */
  switch (op) {
  case BRINK_OP_ADD:    return itv_add(a, b);
  case BRINK_OP_SUB:    return itv_sub(a, b);
  case BRINK_OP_MUL:    return mul(a, b);
  case BRINK_OP_DIV:    return quotient(a, b);
  case BRINK_OP_POW:    return power(a, b);
  case BRINK_OP_POWI:   return product_power(a, b.lo);
  case BRINK_OP_NEG:    return itv_neg(a);
  case BRINK_OP_NOT:    return not(a);
  case BRINK_OP_AND:    return choose(a, b, itv_point(0));
  case BRINK_OP_OR:     return choose(a, itv_point(1), b);
  case BRINK_OP_LT:     return less(a, b);
  case BRINK_OP_LE:     return not(less(b, a));
  case BRINK_OP_GT:     return less(b, a);
  case BRINK_OP_GE:     return not(less(a, b));
  case BRINK_OP_EQ:     return equal(a, b);
  case BRINK_OP_NE:     return not(equal(a, b));
  case BRINK_OP_SELECT: return choose(a, b, c);
  case BRINK_OP_ABS:    return absolute(a);
  case BRINK_OP_SIGN:   return mapped(sign, a);
  case BRINK_OP_SQRT:   return root(a);
  case BRINK_OP_SIN:    return wave(sin, a, pi / 2);
  case BRINK_OP_COS:    return wave(cos, a, 0);
  case BRINK_OP_TAN:    return tangent(a);
  case BRINK_OP_ASIN:
  case BRINK_OP_ACOS:   return arc(op, a);
  case BRINK_OP_ATAN:   return growing(atan, a, 0, 0);
  case BRINK_OP_ATAN2:  return angle(a, b);
  case BRINK_OP_SINH:   return growing(sinh, a, 0, 0);
  case BRINK_OP_COSH:   return hyperbolic_cosine(a);
  case BRINK_OP_TANH:   return clipped(growing(tanh, a, 0, 0), -1, 1);
  case BRINK_OP_EXP:    return exponential(a);
  case BRINK_OP_LOG:    return logarithm(log, a);
  case BRINK_OP_LOG10:  return logarithm(log10, a);
  case BRINK_OP_MIN:    return (brink__itv){brink__min(a.lo, b.lo), brink__min(a.hi, b.hi)};
  case BRINK_OP_MAX:    return (brink__itv){brink__max(a.lo, b.lo), brink__max(a.hi, b.hi)};
  case BRINK_OP_QUOT:   return mapped(trunc, quotient(a, b));
  case BRINK_OP_MOD:    return modulo(a, b);
  case BRINK_OP_REM:    return remainder_of(a, b);
  case BRINK_OP_CEIL:   return mapped(ceil, a);
  case BRINK_OP_FLOOR:
  case BRINK_OP_INTEGER:return mapped(floor, a);
  case BRINK_OP_REAL:
  case BRINK_OP_ORDINAL:return a;
  case BRINK_OP_CONST:
  case BRINK_OP_SYMBOL: break; /* leaves are no instructions */
  }
  /* clang-format on */
  return itv_poison();
}

/* Poison comes in, poison goes out, and overflow is poison. */
brink__itv brink__itv_apply(brink__op op, brink__itv a, brink__itv b, brink__itv c)
{
  int lazy = op == BRINK_OP_SELECT || op == BRINK_OP_AND || op == BRINK_OP_OR;

  if (!lazy && (!itv_finite(a) || (brink__op_arity(op) > 1 && !itv_finite(b))))
    return itv_poison();
  brink__itv r = apply(op, a, b, c);
  return itv_finite(r) ? r : itv_poison();
}

brink__itv brink__itv_square(brink__itv a)
{
  brink__itv r = itv_finite(a) ? square(a) : itv_poison();
  return itv_finite(r) ? r : itv_poison();
}
