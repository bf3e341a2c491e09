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

/* at a point atan2 is what it is on its side of the cut */
static inline int n_torn(num y, num x)
{
  (void)y, (void)x;
  return 0;
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
static num conv(size_t w, const num *a, const num *b, int k, int from, int to)
{
  num s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  ptrdiff_t d = (ptrdiff_t)w;
  int j = from;

  a += from * d;
  b += (k - from) * d;
  for (; j + 3 <= to; j += 4, a += 4 * d, b -= 4 * d) {
    s0 += a[0] * b[0];
    s1 += a[d] * b[-d];
    s2 += a[2 * d] * b[-2 * d];
    s3 += a[3 * d] * b[-3 * d];
  }
  for (; j <= to; j++, a += d, b -= d)
    s0 += a[0] * b[0];
  return (s0 + s1) + (s2 + s3);
}

static num jconv(size_t w, const num *a, const num *b, int k, int to)
{
  num s0 = 0, s1 = 0, weight = 1;
  ptrdiff_t d = (ptrdiff_t)w;
  int j = 1;

  a += d;
  b += (k - 1) * d;
  for (; j + 1 <= to; j += 2, weight += 2, a += 2 * d, b -= 2 * d) {
    s0 += weight * a[0] * b[0];
    s1 += (weight + 1) * a[d] * b[-d];
  }
  if (j <= to)
    s0 += weight * a[0] * b[0];
  return (s0 + s1) / k;
}

/* --------------------------------------------------- instructions in step ---- */

/* Instructions of one kind whose operands and results stand side by side, coefficient
 * by coefficient: BLOCK of them at a time, in sums that do not wait for each other and
 * that compilers turn into vector code.  The sums are the same for every block. */
enum { BLOCK = 8 };

/* 0, or NaN if x is not finite, as in value.c */
#define POISON(x) ((x)*0.0)

/* Sums over j = from .. to of a_j b_{k-j}, for m numbers; they advance by da and db. */
BRINK__INLINE void sums(const num *a, ptrdiff_t da, const num *b, ptrdiff_t db,
                        ptrdiff_t w, int k, int from, int to, ptrdiff_t m, num *s)
{
  for (ptrdiff_t l = 0; l < m; l++)
    s[l] = 0;
  a += from * w;
  b += (k - from) * w;
  for (int j = from; j <= to; j++, a += w, b -= w)
    for (ptrdiff_t l = 0; l < m; l++)
      s[l] += a[l * da] * b[l * db];
}

typedef struct run {
  brink__op op;
  int k;
  unsigned on;
  ptrdiff_t w;      /* from one coefficient to the next                            */
  const num *a, *b; /* operands of the first instruction                           */
  num *r;           /* and its result                                              */
  ptrdiff_t da, db; /* from one instruction to the next; that of results is 1      */
} run;

BRINK__INLINE void product_block(const run *x, ptrdiff_t da, ptrdiff_t db, ptrdiff_t m,
                                 num *s)
{
  int k = x->k, half = (k + 1) / 2 - 1;

  if (x->a != x->b || da != db) {
    sums(x->a, da, x->b, db, x->w, k, 0, k, m, s);
    return;
  }
  /* a square: each mixed product once */
  sums(x->a, da, x->a, da, x->w, k, 0, half, m, s);
  const num *middle = x->a + k / 2 * x->w;
  for (ptrdiff_t l = 0; l < m; l++)
    s[l] = 2 * s[l] + (k % 2 ? 0 : middle[l * da] * middle[l * da]);
}

BRINK__INLINE void quotient_block(const run *x, ptrdiff_t da, ptrdiff_t db, ptrdiff_t m,
                                  num *s)
{
  const num *top = x->a + x->k * x->w;
  int moves = (x->on & EXPR_ON_A) != 0;

  if (x->on & EXPR_ON_B)
    sums(x->b, db, x->r, 1, x->w, x->k, 1, x->k, m, s);
  else
    for (ptrdiff_t l = 0; l < m; l++)
      s[l] = 0;
  for (ptrdiff_t l = 0; l < m; l++)
    s[l] = ((moves ? top[l * da] : 0) - s[l]) / x->b[l * db];
}

/* As t_sqrt. */
BRINK__INLINE void root_block(const run *x, ptrdiff_t da, ptrdiff_t m, num *s)
{
  const num *top = x->a + x->k * x->w, *middle = x->r + x->k / 2 * x->w;

  sums(x->r, 1, x->r, 1, x->w, x->k, 1, (x->k - 1) / 2, m, s);
  for (ptrdiff_t l = 0; l < m; l++) {
    num square = 2 * s[l] + (x->k % 2 ? 0 : middle[l] * middle[l]);
    s[l] = (top[l * da] - square) / (2 * x->r[l]);
  }
}

/* As t_pow_fixed. */
BRINK__INLINE void power_block(const run *x, ptrdiff_t da, ptrdiff_t db, ptrdiff_t m,
                               num *s)
{
  const num *a = x->a + x->w, *r = x->r + (x->k - 1) * x->w;

  for (ptrdiff_t l = 0; l < m; l++)
    s[l] = 0;
  for (int i = 1; i <= x->k; i++, a += x->w, r -= x->w)
    for (ptrdiff_t l = 0; l < m; l++)
      s[l] += (x->b[l * db] * i - (x->k - i)) * (a[l * da] * r[l]);
  for (ptrdiff_t l = 0; l < m; l++)
    s[l] =
        n_vanishes(x->a[l * da], x->b[l * db], x->k) ? 0 : s[l] / x->k / x->a[l * da];
}

/* One coefficient of m instructions; products whose operands both move. */
BRINK__INLINE void block(const run *x, ptrdiff_t da, ptrdiff_t db, ptrdiff_t m)
{
  num s[BLOCK], *r = x->r + x->k * x->w;

  if (x->op == BRINK_OP_MUL)
    product_block(x, da, db, m, s);
  else if (x->op == BRINK_OP_DIV)
    quotient_block(x, da, db, m, s);
  else if (x->op == BRINK_OP_SQRT)
    root_block(x, da, m, s);
  else
    power_block(x, da, db, m, s);
  for (ptrdiff_t l = 0; l < m; l++)
    r[l] = s[l] + POISON(s[l]);
}

BRINK__INLINE void blocks_in_step(run *x, ptrdiff_t da, ptrdiff_t db, ptrdiff_t n)
{
  for (ptrdiff_t m = BLOCK; n > 0; n -= m, x->a += m * da, x->b += m * db, x->r += m) {
    while (m > n)
      m /= 2;
    switch (m) {
    case 8: block(x, da, db, 8); break;
    case 4: block(x, da, db, 4); break;
    case 2: block(x, da, db, 2); break;
    default: block(x, da, db, 1);
    }
  }
}

static void blocks(run *x, ptrdiff_t n)
{
  if (x->da == 1 && x->db == 1)
    blocks_in_step(x, 1, 1, n);
  else if (x->da == 1 && x->db == 0)
    blocks_in_step(x, 1, 0, n);
  else
    blocks_in_step(x, x->da, x->db, n);
}

/* Sums and differences, and products of which one operand does not move. */
BRINK__INLINE void linear(const run *x, ptrdiff_t da, ptrdiff_t db, ptrdiff_t n)
{
  ptrdiff_t at = x->k * x->w;
  int on_a = (x->on & EXPR_ON_A) != 0, on_b = (x->on & EXPR_ON_B) != 0;
  const num *a = x->a + (on_a ? at : 0), *b = x->b + (on_b ? at : 0);
  num sign = x->op == BRINK_OP_SUB ? -1 : 1, *r = x->r + at;

  for (ptrdiff_t l = 0; l < n; l++) {
    num s = x->op == BRINK_OP_MUL ? a[l * da] * b[l * db]
            : !on_b               ? a[l * da]
            : !on_a               ? sign * b[l * db]
                                  : a[l * da] + sign * b[l * db];
    r[l] = s + POISON(s);
  }
}

/* A run in step; 0: it is none, or numbers do not stand side by side. */
static int all_at_once(const brink__tape *t, size_t i, size_t n, int k, expr_layout at,
                       num *c)
{
  const expr_instr *ip = &t->code[i];
  unsigned on = t->on[i];

  if (at.slot != 1 || ip->in_step != EXPR_ALIKE ||
      (ip->op == BRINK_OP_POW && (on & EXPR_ON_B)))
    return 0;
  if (!on)
    return 1;
  run x = {.op = (brink__op)ip->op,
           .k = k,
           .on = on,
           .w = (ptrdiff_t)at.w,
           .a = c + ip->a,
           .b = c + ip->b,
           .r = c + t->first + i,
           .da = (ptrdiff_t)ip[1].a - (ptrdiff_t)ip->a,
           .db = (ptrdiff_t)ip[1].b - (ptrdiff_t)ip->b};
  int is_sum = x.op == BRINK_OP_ADD || x.op == BRINK_OP_SUB;
  if (!is_sum && (x.op != BRINK_OP_MUL || on == (EXPR_ON_A | EXPR_ON_B)))
    blocks(&x, (ptrdiff_t)n);
  else if (x.da == 1 && x.db == 1)
    linear(&x, 1, 1, (ptrdiff_t)n);
  else
    linear(&x, x.da, x.db, (ptrdiff_t)n);
  return 1;
}

#include "expr/jet_body.h"

brink__node brink__blame(const brink__tape *tape, size_t stride, const double *v,
                         size_t root)
{
  return blame(tape, 0, (expr_layout){stride, 1}, v, tape->root[root],
               tape->root_node[root]);
}

brink_status brink__tape_jet(const brink__tape *tape, int k, size_t stride, double *c,
                             brink__node *culprit)
{
  const expr_layout at = {stride, 1};

  if (k > 0)
    return advance(tape, k, at, c, culprit);
  BRINK_TRY(brink__tape_values_strided(tape, stride, c, culprit));
  begin_all(tape, at, c);
  return BRINK_OK;
}

brink_status brink__tape_jet_rows(const brink__tape *tape, int k, size_t row, double *c,
                                  brink__node *culprit)
{
  const expr_layout at = {1, row};

  if (k > 0)
    return advance(tape, k, at, c, culprit);
  BRINK_TRY(brink__tape_values(tape, c, culprit));
  begin_all(tape, at, c);
  return BRINK_OK;
}
