/* ijet.c -- intervals of a tape: values, Taylor coefficients, rounding bounds.
 *
 * The recurrences of jet_body.h over intervals.  A rounding bound is the interval
 * evaluation at a point (or at a point and the uncertainty of the inputs): it
 * encloses both the exact value and the computed one.
 */
#include "expr/inner.h"
#include "expr/interval.h"

typedef brink__itv num;

#define n_zero   itv_point(0)
#define n_poison itv_poison()
#define n_log10e ((brink__itv){0x1.bcb7b1526e50ep-2, 0x1.bcb7b1526e50fp-2})

static inline num n_add(num a, num b) { return itv_add(a, b); }
static inline num n_sub(num a, num b) { return itv_sub(a, b); }
static inline num n_mul(num a, num b) { return itv_mul(a, b); }
static inline num n_div(num a, num b) { return itv_div(a, b); }
static inline num n_neg(num a) { return itv_neg(a); }
static inline num n_square(num a) { return brink__itv_square(a); }
static inline num n_scale(num a, int j)
{
  return j == 1 ? a : itv_mul(a, itv_point(j));
}
static inline num n_shrink(num a, int k)
{
  return k == 1 ? a : itv_div(a, itv_point(k));
}
static inline num n_whole(int k) { return itv_point(k); }
static inline int n_finite(num a) { return itv_finite(a); }

static inline int n_sign(num a)
{
  if (a.lo > 0)
    return 1;
  if (a.hi < 0)
    return -1;
  return a.lo == 0 && a.hi == 0 ? 0 : 2;
}

static inline int n_truth(num a)
{
  return a.lo == 1 && a.hi == 1 ? 1 : a.lo == 0 && a.hi == 0 ? 0 : -1;
}

/* a value that jumps inside the box has no derivative */
static inline num n_flat(num r)
{
  return itv_is_point(r) ? itv_point(0) : itv_poison();
}

/* Does the box lie across the cut of atan2(y, x), where the angle jumps from -pi to pi
 * and has no derivative? */
static inline int n_torn(num y, num x) { return brink__itv_torn(y, x); }

static inline num n_function(brink__op op, num a)
{
  return brink__itv_apply(op, a, itv_point(0), itv_point(0));
}

static inline int n_vanishes(num a, num b, int k)
{
  if (!itv_is_point(b) || b.lo != floor(b.lo))
    return 0;
  return b.lo == 0 || (a.lo == 0 && a.hi == 0 && b.lo > k);
}

static inline num n_quotient(brink__op op, num a, num b, num r)
{
  num q = brink__itv_apply(BRINK_OP_DIV, a, b, r);

  if (!itv_finite(q))
    return q;
  num w = op == BRINK_OP_MOD ? (num){floor(q.lo), floor(q.hi)}
                             : (num){trunc(q.lo), trunc(q.hi)};
  return itv_is_point(w) ? w : itv_poison();
}

/* The coefficients of a number stand side by side: w is 1. */
static num conv(size_t w, const num *a, const num *b, int k, int from, int to)
{
  num s = n_zero;

  (void)w;
  for (int j = from; j <= to; j++)
    s = n_add(s, n_mul(a[j], b[k - j]));
  return s;
}

static num jconv(size_t w, const num *a, const num *b, int k, int to)
{
  num s = n_zero;

  (void)w;
  for (int j = 1; j <= to; j++)
    s = n_add(s, n_scale(n_mul(a[j], b[k - j]), j));
  return n_shrink(s, k);
}

static int all_at_once(const brink__tape *t, size_t i, size_t n, int k, expr_layout at,
                       const num *c)
{
  (void)t, (void)i, (void)n, (void)k, (void)at, (void)c;
  return 0;
}

#include "expr/jet_body.h"

static void constants(const brink__tape *t, size_t stride, brink__itv *c)
{
  for (size_t i = 0; i < t->n_consts; i++)
    c[(t->n_symbols + i) * stride] = itv_point(t->consts[i]);
}

static brink_status intervals(const brink__tape *t, size_t stride, brink__itv *c,
                              brink__node *culprit)
{
  const expr_layout at = {stride, 1};

  constants(t, stride, c);
  for (size_t i = 0, n; i < t->n_code; i += n) {
    if ((n = left_out(t, i, at, c)) != 0)
      continue;
    n = 1;
    const expr_instr *ip = &t->code[i];
    brink__itv a = c[ip->a * stride], b = c[ip->b * stride];
    int square = ip->op == BRINK_OP_MUL && ip->a == ip->b;
    c[(t->first + i) * stride] =
        square ? brink__itv_square(a)
               : brink__itv_apply((brink__op)ip->op, a, b, c[ip->c * stride]);
  }
  return finish(t, 0, at, c, culprit);
}

brink_status brink__tape_intervals(const brink__tape *tape, brink__itv *v,
                                   brink__node *culprit)
{
  return intervals(tape, 1, v, culprit);
}

brink_status brink__tape_ijet(const brink__tape *tape, int k, size_t stride,
                              brink__itv *c, brink__node *culprit)
{
  const expr_layout at = {stride, 1};

  if (k > 0)
    return advance(tape, k, at, c, culprit);
  BRINK_TRY(intervals(tape, stride, c, culprit));
  begin_all(tape, at, c);
  return BRINK_OK;
}

/* What slot s is known to, if it is a symbol. */
static void widen(const brink__tape *tape, uint32_t s, const double *v,
                  const double *delta, brink__itv *work)
{
  if (s >= tape->n_symbols)
    return;
  double d = delta ? delta[s] : 0;
  work[s] =
      d > 0 ? (brink__itv){itv_down(v[s] - d), itv_up(v[s] + d)} : itv_point(v[s]);
}

brink_status brink__tape_noise(const brink__tape *tape, double *v, const double *delta,
                               brink__itv *work, double *bound, brink__node *culprit)
{
  BRINK_TRY(brink__tape_values(tape, v, culprit));

  /* only what it reads: there may be many more symbols */
  for (size_t i = 0; i < tape->n_code; i++) {
    widen(tape, tape->code[i].a, v, delta, work);
    widen(tape, tape->code[i].b, v, delta, work);
    widen(tape, tape->code[i].c, v, delta, work);
  }
  for (size_t i = 0; i < tape->n_roots; i++)
    widen(tape, tape->root[i], v, delta, work);
  BRINK_TRY(brink__tape_intervals(tape, work, culprit));
  for (size_t i = 0; i < tape->n_roots; i++) {
    double x = v[tape->target[i]];
    brink__itv e = work[tape->target[i]];
    bound[i] = brink__max(x - e.lo, e.hi - x);
    if (bound[i] > 0)
      bound[i] = itv_up(bound[i]);
  }
  return BRINK_OK;
}
