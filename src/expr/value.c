/* value.c -- values of a tape: the interpreter that runs most.
 *
 * Not here: a number that is not finite is *poison*.  Every operator hands poison
 * on (those that C would let swallow it, as 1/Inf or atan(Inf) or a comparison,
 * add x*0, which is 0 for finite x and NaN otherwise), `if`, `and` and `or` only
 * from the operand they look at, and the roots are checked at the end.  So no
 * operation needs a test of its own, and an operand that is not needed cannot
 * fail (what it costs is branch.c's concern).  Who is to blame is found afterwards, by
 * walking back from a poisoned root to an operator whose operands are all finite.
 *
 * Speed: instructions of one kind stand in runs (schedule.c), so the decision what
 * to do is taken once per run and the processor can overlap what is independent.
 */
#include "expr/inner.h"

#include <math.h>

/* 0, or NaN if x is not finite */
#define POISON(x)        ((x)*0.0)
#define POISON2(x, y)    ((x)*0.0 + (y)*0.0)
#define POISON3(x, y, z) ((x)*0.0 + (y)*0.0 + (z)*0.0)

/* ------------------------------------------------------ single operators ---- */

/* the order of multiplications of brink__power */
static double powi(double a, int n)
{
  double r = 0;
  int m = n < 0 ? -n : n, begun = 0;

  for (int bit = BRINK__POWI_MAX; bit; bit >>= 1) {
    if (begun)
      r = r * r;
    if (m & bit) {
      r = begun ? r * a : a;
      begun = 1;
    }
  }
  return n < 0 ? 1 / r + POISON(r) : r;
}

static double both(double a, double b) { return a == 0 ? 0 : a == 1 ? b : (double)NAN; }
static double either(double a, double b)
{
  return a == 0 ? b : a == 1 ? 1 : (double)NAN;
}

/* fmod is exact; what is left is one addition */
static double modulo(double a, double b)
{
  double r = fmod(a, b);

  if (r != 0 && (r < 0) != (b < 0))
    r += b;
  return r + POISON(b);
}

static double quotient(double a, double b)
{
  return nearbyint((a - fmod(a, b)) / b) + POISON(b);
}

/* the same number whether the exponent is known when the tape is made, or later */
static double power(double a, double b)
{
  if (fabs(b) <= BRINK__POWI_MAX && b == floor(b) && b != 0)
    return powi(a, (int)b);
  return pow(a, b) + POISON2(a, b);
}
static double angle(double y, double x) { return atan2(y + 0.0, x + 0.0); }

/* --------------------------------------------------------------- the loop ---- */

#define A v[(size_t)ip->a * stride]
#define B v[(size_t)ip->b * stride]
#define C v[(size_t)ip->c * stride]

#define EACH(expression)                                                               \
  do {                                                                                 \
    *w = (expression);                                                                 \
    w += stride;                                                                       \
    ip++;                                                                              \
  } while (--n);                                                                       \
  break

/* The same for an operator x(a, b) whose operands may lie in step; the usual steps
 * have loops of their own, which compilers turn into vector code. */
#define EACH2(x)                                                                       \
  if (ip->in_step) {                                                                   \
    const double *a = &A, *b = &B;                                                     \
    ptrdiff_t da = (ptrdiff_t)ip[1].a - (ptrdiff_t)ip->a;                              \
    ptrdiff_t db = (ptrdiff_t)ip[1].b - (ptrdiff_t)ip->b;                              \
    ptrdiff_t m = (ptrdiff_t)n, s = (ptrdiff_t)stride;                                 \
    if (da == 1 && db == 1)                                                            \
      for (ptrdiff_t i = 0; i < m; i++)                                                \
        w[i * s] = x(a[i * s], b[i * s]);                                              \
    else if (da == 0 && db == 1)                                                       \
      for (ptrdiff_t i = 0; i < m; i++)                                                \
        w[i * s] = x(*a, b[i * s]);                                                    \
    else if (da == 1 && db == 0)                                                       \
      for (ptrdiff_t i = 0; i < m; i++)                                                \
        w[i * s] = x(a[i * s], *b);                                                    \
    else                                                                               \
      for (ptrdiff_t i = 0; i < m; i++)                                                \
        w[i * s] = x(a[i * da * s], b[i * db * s]);                                    \
    w += m * s;                                                                        \
    ip += n;                                                                           \
    break;                                                                             \
  }                                                                                    \
  EACH(x(A, B))

#define SUM(a, b)        ((a) + (b))
#define DIFFERENCE(a, b) ((a) - (b))
#define PRODUCT(a, b)    ((a) * (b))
#define QUOTIENT(a, b)   ((a) / (b) + POISON(b))

/* Runs code on v, where number i stands at v[i * stride]; results from w on. */
BRINK__INLINE void run(const expr_instr *ip, const expr_instr *end, double *v,
                       double *w, size_t stride)
{
  while (ip < end) {
    unsigned n = ip->run;
    if (ip->op == EXPR_SKIP) {
      n += A == (double)ip->c ? ip->b : 0;
      ip += n;
      w += n * stride;
      continue;
    }
    /* clang-format off */
    switch ((brink__op)ip->op) {
    case BRINK_OP_ADD:    EACH2(SUM);
    case BRINK_OP_SUB:    EACH2(DIFFERENCE);
    case BRINK_OP_MUL:    EACH2(PRODUCT);
    case BRINK_OP_DIV:    EACH2(QUOTIENT);
    case BRINK_OP_POW:    EACH(power(A, B));
    case BRINK_OP_POWI:   EACH(powi(A, (int)B));
    case BRINK_OP_NEG:    EACH(-A);
    case BRINK_OP_NOT:    EACH(1 - A);
    case BRINK_OP_AND:    EACH(both(A, B));
    case BRINK_OP_OR:     EACH(either(A, B));
    case BRINK_OP_LT:     EACH((A < B) + POISON2(A, B));
    case BRINK_OP_LE:     EACH((A <= B) + POISON2(A, B));
    case BRINK_OP_GT:     EACH((A > B) + POISON2(A, B));
    case BRINK_OP_GE:     EACH((A >= B) + POISON2(A, B));
    case BRINK_OP_EQ:     EACH((A == B) + POISON2(A, B));
    case BRINK_OP_NE:     EACH((A != B) + POISON2(A, B));
    case BRINK_OP_SELECT: EACH(A == 0 ? C : A == 1 ? B : (double)NAN);
    case BRINK_OP_ABS:    EACH(fabs(A));
    case BRINK_OP_SIGN:   EACH((A > 0) - (A < 0) + POISON(A));
    case BRINK_OP_SQRT:   EACH(sqrt(A));
    case BRINK_OP_SIN:    EACH(sin(A));
    case BRINK_OP_COS:    EACH(cos(A));
    case BRINK_OP_TAN:    EACH(tan(A));
    case BRINK_OP_ASIN:   EACH(asin(A));
    case BRINK_OP_ACOS:   EACH(acos(A));
    case BRINK_OP_ATAN:   EACH(atan(A) + POISON(A));
    case BRINK_OP_ATAN2:  EACH(angle(A, B) + POISON2(A, B));
    case BRINK_OP_SINH:   EACH(sinh(A));
    case BRINK_OP_COSH:   EACH(cosh(A));
    case BRINK_OP_TANH:   EACH(tanh(A) + POISON(A));
    case BRINK_OP_EXP:    EACH(exp(A) + POISON(A));
    case BRINK_OP_LOG:    EACH(log(A));
    case BRINK_OP_LOG10:  EACH(log10(A));
    case BRINK_OP_MIN:    EACH((A < B ? A : B) + POISON2(A, B));
    case BRINK_OP_MAX:    EACH((A > B ? A : B) + POISON2(A, B));
    case BRINK_OP_QUOT:   EACH(quotient(A, B));
    case BRINK_OP_MOD:    EACH(modulo(A, B));
    case BRINK_OP_REM:    EACH(fmod(A, B) + POISON(B));
    case BRINK_OP_CEIL:   EACH(ceil(A));
    case BRINK_OP_FLOOR:  EACH(floor(A));
    case BRINK_OP_INTEGER:EACH(floor(A));
    case BRINK_OP_REAL:   EACH(A);
    case BRINK_OP_ORDINAL:EACH(A);
    case BRINK_OP_CONST:
    case BRINK_OP_SYMBOL: return; /* leaves are no instructions */
    }
    /* clang-format on */
  }
}

double brink__op_value(brink__op op, double a, double b, double c)
{
  double v[4] = {a, b, c, (double)NAN};
  expr_instr one = {.op = (uint8_t)op, .run = 1, .a = 0, .b = 1, .c = 2};

  run(&one, &one + 1, v, v + 3, 1);
  return isfinite(v[3]) ? v[3] : (double)NAN;
}

/* ---------------------------------------------------------------- face ---- */

/* Copies the roots to their targets; 0, or NaN if one is poison.  Four sums, because
 * one would be a chain that the processor has to wait for. */
BRINK__INLINE double deliver(const brink__tape *t, double *v, size_t stride)
{
  double poison[4] = {0, 0, 0, 0};

  for (size_t k = 0; k < t->n_spans; k++) {
    const expr_span span = t->span[k];
    const double *x = v + span.root * stride;
    double *y = v + span.target * stride;
    size_t i = 0;
    for (; i + 4 <= span.n; i += 4)
      for (size_t j = 0; j < 4; j++) {
        y[(i + j) * stride] = x[(i + j) * stride];
        poison[j] += POISON(x[(i + j) * stride]);
      }
    for (; i < span.n; i++) {
      y[i * stride] = x[i * stride];
      poison[k % 4] += POISON(x[i * stride]);
    }
  }
  return poison[0] + poison[1] + poison[2] + poison[3];
}

static brink_status not_here(const brink__tape *t, const double *v, size_t stride,
                             brink__node *culprit)
{
  for (size_t i = 0; i < t->n_roots && culprit; i++)
    if (!isfinite(v[t->root[i] * stride])) {
      *culprit = brink__blame(t, stride, v, i);
      break;
    }
  return BRINK_EDOMAIN;
}

BRINK__INLINE brink_status values(const brink__tape *t, double *v, size_t stride,
                                  brink__node *culprit)
{
  for (size_t i = 0; i < t->n_consts; i++)
    v[(t->n_symbols + i) * stride] = t->consts[i];
  run(t->code, t->code + t->n_code, v, v + t->first * stride, stride);
  double poison = deliver(t, v, stride);
  return poison == 0 ? BRINK_OK : not_here(t, v, stride, culprit);
}

brink_status brink__tape_values(const brink__tape *tape, double *v,
                                brink__node *culprit)
{
  return values(tape, v, 1, culprit);
}

brink_status brink__tape_values_strided(const brink__tape *tape, size_t stride,
                                        double *v, brink__node *culprit)
{
  return values(tape, v, stride, culprit);
}
