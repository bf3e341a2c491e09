/* coefficients.c -- Taylor coefficients in time, as expressions.
 *
 * Coefficient k of a node follows from those of its operands by the recurrences of
 * automatic differentiation [GW08, 13.2].  For n = phi(a, b)
 *
 *   n_k = 1/k sum_j j (a_j (dphi/da)_{k-j} + b_j (dphi/db)_{k-j}),  j = 1 .. k,
 *
 * where the partial derivatives (diff.c) are expressions again, of which orders below k
 * are needed.  Products, quotients and powers have shorter forms.  So the result has
 * about k^2/2 nodes for each product of the original, where differentiating k times
 * would square that number; equal coefficients are one node, whoever asks.
 */
#include "expr/inner.h"

#include <string.h>

typedef struct expansion {
  brink__graph *g;
  size_t n_next;
  const int32_t *next;
  int order;          /* the highest wanted                                        */
  expr_memo row;      /* node: its row of `known`                                  */
  brink__node *known; /* [n_rows][order + 1] BRINK__NONE: not yet                  */
  size_t n_rows, cap;
} expansion;

static brink__node coefficient(expansion *x, brink__node n, int k);

/* ---------------------------------------------------------------- sums --- */

static int is_zero(const expansion *x, brink__node n)
{
  return brink__node_is(x->g, n, 0);
}

static brink__node zero(expansion *x) { return brink__integer(x->g, 0); }

/* sum + factor * a * b, where a coefficient that is 0 leaves the sum as it is. */
static brink__node add_product(expansion *x, brink__node sum, double factor,
                               brink__node a, brink__node b)
{
  if (!sum || !a || !b)
    return BRINK__NONE;
  if (is_zero(x, a) || is_zero(x, b))
    return sum;
  brink__node p = brink__mul(x->g, a, b);
  if (factor != 1)
    p = brink__mul(x->g, brink__real(x->g, factor), p);
  return is_zero(x, sum) ? p : brink__add(x->g, sum, p);
}

/* sum_{j = from .. to} of weight(j) a_j b_{k-j}; weighted: weight(j) = j / k, else 1.
 */
static brink__node convolve(expansion *x, brink__node sum, brink__node a, brink__node b,
                            int k, int from, int to, int weighted)
{
  for (int j = from; j <= to; j++)
    sum = add_product(x, sum, weighted ? (double)j / k : 1, coefficient(x, a, j),
                      coefficient(x, b, k - j));
  return sum;
}

/* --------------------------------------------------------------- rules --- */

static brink__node of_symbol(expansion *x, brink__node n, int k)
{
  int32_t id = brink__node_symbol(x->g, n);
  double factorial = 1;

  for (int j = 1; j <= k; j++) {
    if ((size_t)id >= x->n_next || x->next[id] == BRINK__CONSTANT_SYMBOL)
      return zero(x);
    if (x->next[id] == BRINK__CLOCK_SYMBOL)
      return j == k ? brink__integer(x->g, 1) : zero(x);
    id = x->next[id];
    factorial *= j;
  }
  brink__node s = brink__symbol(x->g, id, BRINK_TYPE_REAL);
  return k == 1 ? s : brink__div(x->g, s, brink__real(x->g, factorial));
}

static brink__node of_square(expansion *x, brink__node a, int k)
{
  brink__node sum = zero(x);

  for (int j = 0; 2 * j < k; j++)
    sum = add_product(x, sum, 2, coefficient(x, a, j), coefficient(x, a, k - j));
  if (k % 2 == 0)
    sum = add_product(x, sum, 1, coefficient(x, a, k / 2), coefficient(x, a, k / 2));
  return sum;
}

/* n = a/b: n b = a. */
static brink__node of_quotient(expansion *x, brink__node n, brink__node a,
                               brink__node b, int k)
{
  brink__node rest = convolve(x, zero(x), b, n, k, 1, k, 0);
  brink__node top = coefficient(x, a, k);

  if (!rest || !top)
    return BRINK__NONE;
  if (!is_zero(x, rest))
    top = is_zero(x, top) ? brink__op1(x->g, BRINK_OP_NEG, rest)
                          : brink__sub(x->g, top, rest);
  return is_zero(x, top) ? top : brink__div(x->g, top, b);
}

/* n = a^b with an exponent that is known later and stays: n' = b a^(b-1) a'.  It may be
 * whole, and a zero: nothing is divided by a, and the derivative of a^0 is 0. */
static brink__node of_later_power(expansion *x, brink__node a, brink__node b, int k)
{
  brink__graph *g = x->g;
  brink__node lower =
      brink__op2(g, BRINK_OP_POW, a, brink__sub(g, b, brink__integer(g, 1)));
  brink__node by_a =
      brink__select(g, brink__op2(g, BRINK_OP_EQ, b, brink__integer(g, 0)), zero(x),
                    brink__mul(g, b, lower));

  return convolve(x, zero(x), a, by_a, k, 1, k, 1);
}

/* n = a^b = exp(b log a): n' = n (b a'/a + b' log a). */
static brink__node of_power(expansion *x, brink__node n, brink__node a, brink__node b,
                            int k)
{
  brink__graph *g = x->g;
  brink__node slope = coefficient(x, b, 1);

  if (!slope || (is_zero(x, slope) && !expr_is_const(g, b)))
    return slope ? of_later_power(x, a, b, k) : slope;
  brink__node by_a = brink__mul(g, b, brink__div(g, n, a));
  brink__node by_b = brink__mul(g, brink__op1(g, BRINK_OP_LOG, a), n);
  brink__node sum = convolve(x, zero(x), a, by_a, k, 1, k, 1);

  for (int j = 1; sum && j <= k; j++) {
    brink__node bj = coefficient(x, b, j);
    if (!bj || !is_zero(x, bj)) /* a may be below 0 where b is constant */
      sum = add_product(x, sum, (double)j / k, bj, coefficient(x, by_b, k - j));
  }
  return sum;
}

static brink__node of_select(expansion *x, brink__node n, int k)
{
  brink__node yes = coefficient(x, expr_arg(x->g, n, 1), k);
  brink__node no = coefficient(x, expr_arg(x->g, n, 2), k);

  if (yes == no)
    return yes;
  return brink__select(x->g, expr_arg(x->g, n, 0), yes, no);
}

/* Sum or difference. */
static brink__node of_sum(expansion *x, brink__node n, int k)
{
  brink__node a = coefficient(x, expr_arg(x->g, n, 0), k);
  brink__node b = coefficient(x, expr_arg(x->g, n, 1), k);

  if (!a || !b || is_zero(x, b))
    return b ? a : b;
  if (!is_zero(x, a))
    return brink__op2(x->g, expr_op(x->g, n), a, b);
  return expr_op(x->g, n) == BRINK_OP_ADD ? b : brink__op1(x->g, BRINK_OP_NEG, b);
}

static brink__node of_function(expansion *x, brink__node n, int k)
{
  brink__node sum = zero(x);

  for (int i = 0; sum && i < expr_arity(x->g, n); i++) {
    brink__node partial = brink__partial(x->g, n, i);
    sum = partial && is_zero(x, partial)
              ? sum
              : convolve(x, sum, expr_arg(x->g, n, i), partial, k, 1, k, 1);
  }
  return sum;
}

static brink__node rule(expansion *x, brink__node n, int k)
{
  brink__node a = expr_arg(x->g, n, 0), b = expr_arg(x->g, n, 1);
  brink__op op = expr_op(x->g, n);

  if (op == BRINK_OP_SYMBOL)
    return of_symbol(x, n, k);
  if (op == BRINK_OP_ADD || op == BRINK_OP_SUB)
    return of_sum(x, n, k);
  if (op == BRINK_OP_MUL && a != b)
    return convolve(x, zero(x), a, b, k, 0, k, 0);
  if (op == BRINK_OP_MUL)
    return of_square(x, a, k);
  if (op == BRINK_OP_POWI)
    return coefficient(x, brink__power(x->g, a, (int)brink__node_value(x->g, b)), k);
  if (op == BRINK_OP_DIV)
    return of_quotient(x, n, a, b, k);
  if (op == BRINK_OP_POW)
    return of_power(x, n, a, b, k);
  if (op == BRINK_OP_SELECT)
    return of_select(x, n, k);
  if (op == BRINK_OP_NEG || op == BRINK_OP_REAL) {
    brink__node c = coefficient(x, a, k);
    return op == BRINK_OP_REAL || (c && is_zero(x, c)) ? c : brink__op1(x->g, op, c);
  }
  return of_function(x, n, k);
}

/* -------------------------------------------------------------- memory --- */

static brink_status row_of(expansion *x, brink__node n, size_t *row)
{
  size_t w = (size_t)x->order + 1;

  if (!expr_memo_has(&x->row, n)) {
    BRINK_TRY(brink__grow(x->g->ctx, (void **)&x->known, &x->cap, (x->n_rows + 1) * w,
                          sizeof *x->known));
    memset(x->known + x->n_rows * w, 0, w * sizeof *x->known);
    BRINK_TRY(brink__memo_put(x->g, &x->row, n, (int32_t)x->n_rows++));
  }
  *row = (size_t)expr_memo_get(&x->row, n);
  return BRINK_OK;
}

static brink__node coefficient(expansion *x, brink__node n, int k)
{
  size_t row, w = (size_t)x->order + 1;

  if (!n || k == 0)
    return n;
  if (expr_is_const(x->g, n))
    return zero(x);
  if (row_of(x, n, &row) < 0)
    return BRINK__NONE;
  if (!x->known[row * w + (size_t)k]) {
    brink__node c = rule(x, n, k);
    x->known[row * w + (size_t)k] = c;
  }
  return x->known[row * w + (size_t)k];
}

/* ---------------------------------------------------------------- face --- */

/* The operands before what is made of them, so that recursion stays shallow. */
static brink_status upwards(expansion *x, brink__node root, int order)
{
  brink__graph *g = x->g;
  expr_memo *seen = &g->walk;

  brink__memo_start(seen);
  g->n_stack = 0;
  BRINK_TRY(brink__push(g, root));
  while (g->n_stack) {
    brink__node n = expr_top(g);
    if (!expr_memo_has(seen, n)) {
      BRINK_TRY(brink__memo_put(g, seen, n, 0));
      for (int i = 0; i < expr_arity(g, n); i++)
        if (!expr_memo_has(seen, expr_arg(g, n, i)))
          BRINK_TRY(brink__push(g, expr_arg(g, n, i)));
      continue;
    }
    g->n_stack--;
    for (int k = 1; k <= order; k++)
      if (!coefficient(x, n, k))
        return g->ctx->err.status < 0 ? g->ctx->err.status : BRINK_ENOMEM;
  }
  return BRINK_OK;
}

brink_status brink__coefficients(brink__graph *g, size_t n_next, const int32_t *next,
                                 size_t n_roots, const brink__node *roots,
                                 const size_t *start, brink__node *out)
{
  expansion x = {.g = g, .n_next = n_next, .next = next};
  brink_status rc = BRINK_OK;

  for (size_t i = 0; i < n_roots; i++) {
    int order = (int)(start[i + 1] - start[i]) - 1;
    x.order = order > x.order ? order : x.order;
  }
  brink__memo_start(&x.row);
  for (size_t i = 0; rc == BRINK_OK && i < n_roots; i++) {
    int order = (int)(start[i + 1] - start[i]) - 1;
    rc = upwards(&x, roots[i], order);
    for (int k = 0; rc == BRINK_OK && k <= order; k++)
      out[start[i] + (size_t)k] = coefficient(&x, roots[i], k);
  }
  brink__free(g->ctx, x.row.entry, x.row.cap * sizeof *x.row.entry);
  brink__free(g->ctx, x.known, x.cap * sizeof *x.known);
  return rc;
}
