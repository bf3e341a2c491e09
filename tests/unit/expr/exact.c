/* exact.c -- see exact.h */
#include "exact.h"

#include <stdlib.h>

#define NEAREST MPFR_RNDN

/* a - q b, where q is a/b rounded as told */
static void rest(mpfr_t r, mpfr_t a, mpfr_t b, mpfr_rnd_t how, int want_q)
{
  mpfr_t q;

  mpfr_init2(q, EXACT_BITS);
  mpfr_div(q, a, b, NEAREST);
  mpfr_rint(q, q, how);
  if (want_q)
    mpfr_set(r, q, NEAREST);
  else {
    mpfr_mul(q, q, b, NEAREST);
    mpfr_sub(r, a, q, NEAREST);
  }
  mpfr_clear(q);
}

static void truth(mpfr_t r, int yes) { mpfr_set_si(r, yes, NEAREST); }

static void apply(brink__op op, mpfr_t r, mpfr_t a, mpfr_t b, mpfr_t c)
{
  switch (op) {
  case BRINK_OP_CONST:
  case BRINK_OP_SYMBOL: break;
  case BRINK_OP_ADD: mpfr_add(r, a, b, NEAREST); break;
  case BRINK_OP_SUB: mpfr_sub(r, a, b, NEAREST); break;
  case BRINK_OP_MUL: mpfr_mul(r, a, b, NEAREST); break;
  case BRINK_OP_DIV: mpfr_div(r, a, b, NEAREST); break;
  case BRINK_OP_POW:
  case BRINK_OP_POWI: mpfr_pow(r, a, b, NEAREST); break;
  case BRINK_OP_NEG: mpfr_neg(r, a, NEAREST); break;
  case BRINK_OP_NOT: truth(r, mpfr_zero_p(a)); break;
  case BRINK_OP_AND: truth(r, !mpfr_zero_p(a) && !mpfr_zero_p(b)); break;
  case BRINK_OP_OR: truth(r, !mpfr_zero_p(a) || !mpfr_zero_p(b)); break;
  case BRINK_OP_LT: truth(r, mpfr_less_p(a, b)); break;
  case BRINK_OP_LE: truth(r, mpfr_lessequal_p(a, b)); break;
  case BRINK_OP_GT: truth(r, mpfr_greater_p(a, b)); break;
  case BRINK_OP_GE: truth(r, mpfr_greaterequal_p(a, b)); break;
  case BRINK_OP_EQ: truth(r, mpfr_equal_p(a, b)); break;
  case BRINK_OP_NE: truth(r, !mpfr_equal_p(a, b)); break;
  case BRINK_OP_SELECT: mpfr_set(r, mpfr_zero_p(a) ? c : b, NEAREST); break;
  case BRINK_OP_ABS: mpfr_abs(r, a, NEAREST); break;
  case BRINK_OP_SIGN: truth(r, mpfr_sgn(a)); break;
  case BRINK_OP_SQRT: mpfr_sqrt(r, a, NEAREST); break;
  case BRINK_OP_SIN: mpfr_sin(r, a, NEAREST); break;
  case BRINK_OP_COS: mpfr_cos(r, a, NEAREST); break;
  case BRINK_OP_TAN: mpfr_tan(r, a, NEAREST); break;
  case BRINK_OP_ASIN: mpfr_asin(r, a, NEAREST); break;
  case BRINK_OP_ACOS: mpfr_acos(r, a, NEAREST); break;
  case BRINK_OP_ATAN: mpfr_atan(r, a, NEAREST); break;
  case BRINK_OP_ATAN2: mpfr_atan2(r, a, b, NEAREST); break;
  case BRINK_OP_SINH: mpfr_sinh(r, a, NEAREST); break;
  case BRINK_OP_COSH: mpfr_cosh(r, a, NEAREST); break;
  case BRINK_OP_TANH: mpfr_tanh(r, a, NEAREST); break;
  case BRINK_OP_EXP: mpfr_exp(r, a, NEAREST); break;
  case BRINK_OP_LOG: mpfr_log(r, a, NEAREST); break;
  case BRINK_OP_LOG10: mpfr_log10(r, a, NEAREST); break;
  case BRINK_OP_MIN: mpfr_min(r, a, b, NEAREST); break;
  case BRINK_OP_MAX: mpfr_max(r, a, b, NEAREST); break;
  case BRINK_OP_QUOT: rest(r, a, b, MPFR_RNDZ, 1); break;
  case BRINK_OP_MOD: rest(r, a, b, MPFR_RNDD, 0); break;
  case BRINK_OP_REM: rest(r, a, b, MPFR_RNDZ, 0); break;
  case BRINK_OP_CEIL: mpfr_ceil(r, a); break;
  case BRINK_OP_FLOOR:
  case BRINK_OP_INTEGER: mpfr_floor(r, a); break;
  case BRINK_OP_REAL:
  case BRINK_OP_ORDINAL: mpfr_set(r, a, NEAREST); break;
  }
}

/* operands that are looked at and have no value */
static int has_nan(brink__op op, mpfr_t a, mpfr_t b, mpfr_t c)
{
  int arity = brink__op_arity(op);

  if (mpfr_nan_p(a))
    return 1;
  if (op == BRINK_OP_SELECT)
    return mpfr_zero_p(a) ? mpfr_nan_p(c) : mpfr_nan_p(b);
  if ((op == BRINK_OP_AND && mpfr_zero_p(a)) || (op == BRINK_OP_OR && !mpfr_zero_p(a)))
    return 0;
  return arity > 1 && mpfr_nan_p(b);
}

void exact_apply(brink__op op, mpfr_t r, mpfr_t a, mpfr_t b, mpfr_t c)
{
  mpfr_t x;

  mpfr_init2(x, EXACT_BITS);
  if (!has_nan(op, a, b, c))
    apply(op, x, a, b, c);
  if (!mpfr_number_p(x))
    mpfr_set_nan(x);
  mpfr_set(r, x, NEAREST);
  mpfr_clear(x);
}

/* All nodes up to root, in order: operands have smaller numbers.  v[0] is no node;
 * the caller clears. */
static mpfr_t *evaluate(const brink__graph *g, brink__node root, const mpfr_t *x)
{
  mpfr_t *v = malloc(((size_t)root + 1) * sizeof *v);

  mpfr_init2(v[0], EXACT_BITS);
  mpfr_set_zero(v[0], 1);
  for (brink__node n = 1; n <= root; n++) {
    brink__op op = brink__node_op(g, n);
    mpfr_init2(v[n], EXACT_BITS);
    if (op == BRINK_OP_CONST)
      mpfr_set_d(v[n], brink__node_value(g, n), NEAREST);
    else if (op == BRINK_OP_SYMBOL)
      mpfr_set(v[n], x[brink__node_symbol(g, n)], NEAREST);
    else
      exact_apply(op, v[n], v[brink__node_arg(g, n, 0)], v[brink__node_arg(g, n, 1)],
                  v[brink__node_arg(g, n, 2)]);
  }
  return v;
}

static void clear(mpfr_t *v, int n)
{
  for (int i = 0; i < n; i++)
    mpfr_clear(v[i]);
}

/* r = root, where symbols are polynomials at t */
static void evaluate_at(const brink__graph *g, brink__node root, int n_symbols,
                        const double *coeff, int order, mpfr_t t, mpfr_t r)
{
  mpfr_t *x = malloc((size_t)n_symbols * sizeof *x);

  for (int i = 0; i < n_symbols; i++) {
    mpfr_init2(x[i], EXACT_BITS);
    mpfr_set_zero(x[i], 1);
    for (int k = order; k >= 0; k--) {
      mpfr_mul(x[i], x[i], t, NEAREST);
      mpfr_add_d(x[i], x[i], coeff[i * (order + 1) + k], NEAREST);
    }
  }
  mpfr_t *v = evaluate(g, root, (const mpfr_t *)x);
  mpfr_set(r, v[root], NEAREST);
  clear(v, root + 1);
  clear(x, n_symbols);
  free(v);
  free(x);
}

int exact_jet(const brink__graph *g, brink__node root, int n_symbols,
              const double *coeff, int order, double *out)
{
  mpfr_t d[EXACT_ORDER + 1], t;
  int ok = 1;

  mpfr_init2(t, EXACT_BITS);
  for (int j = 0; j <= order; j++) {
    mpfr_init2(d[j], EXACT_BITS);
    mpfr_set_si_2exp(t, j, -EXACT_STEP, NEAREST);
    evaluate_at(g, root, n_symbols, coeff, order, t, d[j]);
    ok &= !mpfr_nan_p(d[j]);
  }

  /* divided differences: d[j] = f[t_0 .. t_j] */
  for (int k = 1; k <= order; k++)
    for (int j = order; j >= k; j--) {
      mpfr_sub(d[j], d[j], d[j - 1], NEAREST);
      mpfr_div_si(d[j], d[j], k, NEAREST);
      mpfr_mul_2si(d[j], d[j], EXACT_STEP, NEAREST);
    }
  for (int j = 0; j <= order; j++)
    out[j] = mpfr_get_d(d[j], NEAREST);
  mpfr_clear(t);
  clear(d, order + 1);
  return ok;
}

double exact_value(const brink__graph *g, brink__node root, int n_symbols,
                   const double *x, double near, double *err)
{
  mpfr_t t, r;

  mpfr_init2(t, EXACT_BITS);
  mpfr_init2(r, EXACT_BITS);
  mpfr_set_zero(t, 1);
  evaluate_at(g, root, n_symbols, x, 0, t, r);
  double value = mpfr_get_d(r, NEAREST);
  if (err) {
    mpfr_sub_d(r, r, near, NEAREST);
    mpfr_abs(r, r, NEAREST);
    *err = mpfr_get_d(r, MPFR_RNDU);
  }
  mpfr_clear(t);
  mpfr_clear(r);
  return value;
}

int exact_between(const brink__graph *g, brink__node root, int n_symbols,
                  const double *x, double lo, double hi)
{
  mpfr_t t, r;

  mpfr_init2(t, EXACT_BITS);
  mpfr_init2(r, EXACT_BITS);
  mpfr_set_zero(t, 1);
  evaluate_at(g, root, n_symbols, x, 0, t, r);
  int inside = mpfr_cmp_d(r, lo) >= 0 && mpfr_cmp_d(r, hi) <= 0;
  mpfr_clear(t);
  mpfr_clear(r);
  return inside;
}
