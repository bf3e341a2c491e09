/* random_expr.c -- see random_expr.h */
#include "random_expr.h"

enum { POOL = 256 };

typedef struct pool {
  brink__node real[POOL], bool_[POOL];
  int n_real, n_bool;
} pool;

static const brink__op smooth1[] = {
    BRINK_OP_NEG,  BRINK_OP_SQRT,  BRINK_OP_SIN,  BRINK_OP_COS,  BRINK_OP_TAN,
    BRINK_OP_ASIN, BRINK_OP_ACOS,  BRINK_OP_ATAN, BRINK_OP_SINH, BRINK_OP_COSH,
    BRINK_OP_TANH, BRINK_OP_LOG10, BRINK_OP_EXP,  BRINK_OP_LOG};
static const brink__op smooth2[] = {BRINK_OP_ADD, BRINK_OP_SUB, BRINK_OP_MUL,
                                    BRINK_OP_DIV, BRINK_OP_POW, BRINK_OP_ATAN2,
                                    BRINK_OP_ADD, BRINK_OP_SUB, BRINK_OP_MUL};
static const brink__op rough1[] = {BRINK_OP_ABS, BRINK_OP_SIGN, BRINK_OP_CEIL,
                                   BRINK_OP_FLOOR, BRINK_OP_INTEGER};
static const brink__op rough2[] = {BRINK_OP_MIN, BRINK_OP_MAX, BRINK_OP_QUOT,
                                   BRINK_OP_MOD, BRINK_OP_REM};
static const brink__op relation[] = {BRINK_OP_LT, BRINK_OP_LE, BRINK_OP_GT,
                                     BRINK_OP_GE, BRINK_OP_EQ, BRINK_OP_NE};

static int pick(uint64_t *seed, int n) { return (int)(rand_u64(seed) % (uint64_t)n); }

#define ANY_OF(seed, a) (a)[pick(seed, (int)BRINK__COUNT(a))]

/* the youngest half more often, so that expressions grow deep */
static brink__node some(uint64_t *seed, const brink__node *from, int n)
{
  int half = n / 2;
  return from[pick(seed, 3) && n > 3 ? half + pick(seed, n - half) : pick(seed, n)];
}

static brink__node constant(brink__graph *g, uint64_t *seed)
{
  return pick(seed, 2) ? brink__real(g, rand_in(seed, -2.5, 3.5))
                       : brink__integer(g, 1 + pick(seed, 4));
}

static void grow_bool(brink__graph *g, uint64_t *seed, pool *p)
{
  brink__node x = some(seed, p->bool_, p->n_bool), y = some(seed, p->bool_, p->n_bool);
  brink__node a = some(seed, p->real, p->n_real), b = some(seed, p->real, p->n_real);
  brink__node n = BRINK__NONE;

  switch (pick(seed, 5)) {
  case 0: n = brink__op1(g, BRINK_OP_NOT, x); break;
  case 1: n = brink__op2(g, BRINK_OP_AND, x, y); break;
  case 2: n = brink__op2(g, BRINK_OP_OR, x, y); break;
  default: n = brink__op2(g, ANY_OF(seed, relation), a, b); break;
  }
  p->bool_[p->n_bool++] = n;
}

static void grow_real(brink__graph *g, uint64_t *seed, pool *p, random_kind kind)
{
  brink__node a = some(seed, p->real, p->n_real), b = some(seed, p->real, p->n_real);
  int rough = kind == RANDOM_ANY && pick(seed, 4) == 0, what = pick(seed, 5);
  brink__node n;

  if (rough && what == 0)
    n = brink__select(g, some(seed, p->bool_, p->n_bool), a, b);
  else if (what < 2)
    n = rough ? brink__op1(g, ANY_OF(seed, rough1), a)
              : brink__op1(g, ANY_OF(seed, smooth1), a);
  else if (what == 2)
    n = brink__op2(g, BRINK_OP_POW, a, brink__integer(g, pick(seed, 7) - 2));
  else
    n = rough ? brink__op2(g, ANY_OF(seed, rough2), a, b)
              : brink__op2(g, ANY_OF(seed, smooth2), a, b);
  p->real[p->n_real++] = n;
}

brink__node random_expr(brink__graph *g, uint64_t *seed, int size, random_kind kind)
{
  pool p = {.n_real = 0};

  for (int i = 0; i < N_REAL; i++)
    p.real[p.n_real++] = brink__symbol(g, i, BRINK_TYPE_REAL);
  for (int i = 0; i < N_BOOL; i++)
    p.bool_[p.n_bool++] = brink__symbol(g, N_REAL + i, BRINK_TYPE_BOOLEAN);
  p.real[p.n_real++] = constant(g, seed);
  p.real[p.n_real++] = constant(g, seed);
  for (int i = 0; i < size && p.n_real < POOL && p.n_bool < POOL; i++) {
    if (kind == RANDOM_ANY && pick(seed, 5) == 0)
      grow_bool(g, seed, &p);
    grow_real(g, seed, &p, kind);
    assert_true(p.real[p.n_real - 1] && p.bool_[p.n_bool - 1]);
  }
  return p.real[p.n_real - 1];
}
