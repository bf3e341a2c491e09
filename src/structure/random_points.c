/* random_points.c -- values of all nodes of a graph at random points, and how large
 * their rounding may be.
 *
 * Rounding is followed to first order: an operation hands on the errors of its
 * operands, times its derivatives, and adds one rounding of its result.  Derivatives
 * are taken as differences, but for the arithmetic operations, which are most.
 */
#include "structure/random_points.h"

#include <float.h>
#include <math.h>

/* how far from what they are around symbols are, at each point: relative, and by
 * itself; small ones for functions that grow fast, large ones for those that hardly
 * move */
static const double SPREAD[BRINK__POINTS] = {0.1, 0.4, 0.01, 0.9, 0.2, 0.03};

/* how many times its estimated rounding a value that is zero may have: the estimate is
 * of first order, and literals of the text are rounded already */
static const double SAFETY = 64;

/* A number in (-1, 1) that depends on both. */
static double draw(uint64_t symbol, uint64_t point)
{
  uint64_t z = (symbol * BRINK__POINTS + point + 1) * UINT64_C(0x9E3779B97F4A7C15);

  z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
  z ^= z >> 31;
  return (double)(int64_t)z * 0x1p-63;
}

static double symbol_value(const brink__random_points *r, int p, brink__node n)
{
  size_t s = (size_t)brink__node_symbol(r->graph, n);
  double x = draw(s, (uint64_t)p), around = s < r->n_symbols ? r->around[s] : nan("");
  int exact = s < r->n_symbols ? r->exact[s] : BRINK__FREE;

  if (exact == BRINK__EXACT || (exact == BRINK__EXACT_AT_EVEN && p % 2 == 0))
    return around;
  switch (brink__node_type(r->graph, n)) {
  case BRINK_TYPE_BOOLEAN: return x > 0;
  case BRINK_TYPE_INTEGER:
  case BRINK_TYPE_ENUMERATION: return isnan(around) ? 1 + (x > 0) : around;
  case BRINK_TYPE_REAL: break;
  }
  /* positive ones first: more functions have a value there */
  if (isnan(around))
    return p % 2 ? 2 * x : 0.5 + fabs(x);
  return around + SPREAD[p] * x * (around == 0 ? 1 : around);
}

/* By how much the result moves if argument i does so by its error, over that. */
static double moved(brink__op op, const double *arg, int i, double error, double value)
{
  static const double STEP = 0x1p-26; /* half of the digits: the best difference */
  double there[3] = {arg[0], arg[1], arg[2]};
  double step = STEP * (error + fabs(arg[i])) + DBL_MIN;

  if (error == 0)
    return 0;
  there[i] += step;
  double move = brink__op_value(op, there[0], there[1], there[2]) - value;
  return isnan(move) ? fabs(value) * error / (fabs(arg[i]) + DBL_MIN)
                     : fabs(move) / step * error;
}

static double error_of(brink__op op, const double *arg, const double *error,
                       double value)
{
  double sum = fabs(value);

  if (op == BRINK_OP_SELECT)
    return arg[0] != 0 ? error[1] : error[2];
  if (op == BRINK_OP_NEG || op == BRINK_OP_REAL)
    return error[0];
  if (op == BRINK_OP_ADD || op == BRINK_OP_SUB)
    return sum + error[0] + error[1];
  if (op == BRINK_OP_MUL)
    return sum + fabs(arg[0]) * error[1] + fabs(arg[1]) * error[0];
  if (op == BRINK_OP_DIV)
    return sum + (error[0] + fabs(value) * error[1]) / fabs(arg[1]);
  for (int i = 0; i < brink__op_arity(op); i++)
    sum += moved(op, arg, i, error[i], value);
  return sum;
}

static void evaluate(brink__random_points *r, int p, brink__node n)
{
  brink__op op = brink__node_op(r->graph, n);
  double arg[3] = {0, 0, 0}, error[3] = {0, 0, 0}, *value = &r->value[p][n];
  int known = 1;

  r->error[p][n] = 0;
  if (op == BRINK_OP_CONST) {
    *value = brink__node_value(r->graph, n);
    r->error[p][n] = *value == rint(*value) ? 0 : fabs(*value);
    return;
  }
  if (op == BRINK_OP_SYMBOL) {
    *value = symbol_value(r, p, n);
    return;
  }
  for (int i = 0; i < brink__op_arity(op); i++) {
    brink__node a = brink__node_arg(r->graph, n, i);
    arg[i] = r->value[p][a];
    error[i] = r->error[p][a];
    known &= !isnan(arg[i]) || (op == BRINK_OP_SELECT && i > 0);
  }
  *value = known ? brink__op_value(op, arg[0], arg[1], arg[2]) : nan("");
  if (!isfinite(*value))
    *value = nan("");
  else
    r->error[p][n] = error_of(op, arg, error, *value);
}

brink_status brink__random_points_update(brink__random_points *r, int p)
{
  size_t n = (size_t)brink__graph_size(r->graph) + 1;

  if (r->done[p] == n)
    return BRINK_OK;
  BRINK_TRY(brink__grow(r->ctx, (void **)&r->value[p], &r->cap_value[p], n,
                        sizeof *r->value[p]));
  BRINK_TRY(brink__grow(r->ctx, (void **)&r->error[p], &r->cap_error[p], n,
                        sizeof *r->error[p]));
  if (r->done[p] == 0) {
    r->value[p][0] = nan("");
    r->error[p][0] = 0;
    r->done[p] = 1;
  }
  for (; r->done[p] < n; r->done[p]++) /* arguments have smaller numbers */
    evaluate(r, p, (brink__node)r->done[p]);
  return BRINK_OK;
}

int brink__random_points_zero(const brink__random_points *r, int p, brink__node n)
{
  return fabs(r->value[p][n]) <= SAFETY * DBL_EPSILON * r->error[p][n];
}

/* -------------------------------------------------------------- branches --- */

enum {
  MOVES = 1,
  BRANCHES = 2
}; /* it depends on symbols that are not exact; so does a
      branch in it */

/* Is the operation not smooth?  (In the order of expr/ops.def.) */
static int is_rough(brink__op op)
{
  return (op >= BRINK_OP_LT && op <= BRINK_OP_NE) || op == BRINK_OP_ABS ||
         op == BRINK_OP_SIGN || (op >= BRINK_OP_MIN && op <= BRINK_OP_INTEGER);
}

static int kind_of(const brink__random_points *r, brink__node n)
{
  brink__op op = brink__node_op(r->graph, n);
  brink__node arg[3] = {0, 0, 0};
  int all = 0;

  if (op == BRINK_OP_SYMBOL) {
    size_t s = (size_t)brink__node_symbol(r->graph, n);
    return s < r->n_symbols && r->exact[s] == BRINK__EXACT ? 0 : MOVES;
  }
  for (int i = 0; i < brink__op_arity(op); i++) {
    arg[i] = brink__node_arg(r->graph, n, i);
    all |= r->kind[arg[i]];
  }
  if (op == BRINK_OP_SELECT && !(r->kind[arg[0]] & MOVES))
    return r->kind[r->value[0][arg[0]] != 0 ? arg[1] : arg[2]];
  return (op == BRINK_OP_SELECT || is_rough(op)) && (all & MOVES) ? all | BRANCHES
                                                                  : all;
}

brink_status brink__random_points_branches(brink__random_points *r, brink__node n,
                                           int *yes)
{
  size_t all = (size_t)brink__graph_size(r->graph) + 1;

  BRINK_TRY(brink__random_points_update(r, 0));
  BRINK_TRY(brink__grow(r->ctx, (void **)&r->kind, &r->cap_kind, all, 1));
  for (; r->n_kind < all; r->n_kind++)
    r->kind[r->n_kind] =
        (unsigned char)(r->n_kind ? kind_of(r, (brink__node)r->n_kind) : 0);
  *yes = (r->kind[n] & BRANCHES) != 0;
  return BRINK_OK;
}

/* Is the sum zero at a point?  -1: it has no value there. */
static int cancels(const brink__random_points *r, int p, size_t n,
                   const brink__node *term)
{
  double sum = 0, error = 0;

  for (size_t i = 0; i < n; i++) {
    sum += r->value[p][term[i]];
    error += r->error[p][term[i]] + (n > 1 ? fabs(r->value[p][term[i]]) : 0);
  }
  return isnan(sum) ? -1 : fabs(sum) <= SAFETY * DBL_EPSILON * error;
}

brink_status brink__random_points_vanishes(brink__random_points *r, size_t n,
                                           const brink__node *term, int *yes)
{
  int some = 0, branches;

  *yes = 0;
  for (size_t i = 0; i < n; i++) {
    BRINK_TRY(brink__random_points_branches(r, term[i], &branches));
    if (branches)
      return BRINK_OK;
  }
  for (int p = 0; p < BRINK__POINTS; p++) {
    BRINK_TRY(brink__random_points_update(r, p));
    int zero = cancels(r, p, n, term);
    if (zero == 0)
      return BRINK_OK;
    some |= zero > 0;
  }
  *yes = some;
  return BRINK_OK;
}

void brink__random_points_drop(brink__random_points *r)
{
  brink__free(r->ctx, r->kind, r->cap_kind);
  for (int p = 0; p < BRINK__POINTS; p++) {
    brink__free(r->ctx, r->value[p], r->cap_value[p] * sizeof *r->value[p]);
    brink__free(r->ctx, r->error[p], r->cap_error[p] * sizeof *r->error[p]);
  }
  *r = (brink__random_points){.graph = NULL};
}
