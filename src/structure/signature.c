/* signature.c -- the signature matrix of equations, and where the highest derivatives
 * occur linearly.
 *
 * Both are formal: a variable that is written but cancels counts, unless the graph has
 * simplified it away.  Of an if-expression the branch counts that its condition
 * chooses, and both if the condition is not decided by what is held; the condition
 * itself does not, since a value does not depend on it smoothly.
 */
#include "structure/sigma.h"

#include <math.h>

/* ------------------------------------------------------------- branches --- */

/* The value of a node that is decided by what is held; NaN: it is not. */
static double decided(const brink__natural *of, brink__node n, const double *value)
{
  brink__op op = brink__node_op(of->graph, n);
  double arg[3] = {0, 0, 0};
  int arity = brink__op_arity(op), known = 1;

  if (op == BRINK_OP_CONST)
    return brink__node_value(of->graph, n);
  if (op == BRINK_OP_SYMBOL) {
    size_t s = (size_t)brink__node_symbol(of->graph, n);
    return of->held && s < of->n_symbols ? of->held[s] : nan("");
  }
  for (int i = 0; i < arity; i++) {
    arg[i] = value[brink__node_arg(of->graph, n, i)];
    known &= !isnan(arg[i]);
  }
  if (op == BRINK_OP_AND && (arg[0] == 0 || arg[1] == 0))
    return 0;
  if (op == BRINK_OP_OR && (arg[0] == 1 || arg[1] == 1))
    return 1;
  if (op == BRINK_OP_SELECT)
    return isnan(arg[0]) ? arg[0] : arg[0] != 0 ? arg[1] : arg[2];
  return known ? brink__op_value(op, arg[0], arg[1], arg[2]) : nan("");
}

brink_status brink__decide(brink_ctx *ctx, const brink__natural *of,
                           brink__block *block, double **value)
{
  size_t n = (size_t)brink__graph_size(of->graph) + 1;

  BRINK_TRY(brink__block_new(ctx, brink__need(0, n, sizeof **value), block));
  *value = brink__carve(block, n, sizeof **value);
  (*value)[0] = nan("");
  for (size_t k = 1; k < n; k++) /* arguments have smaller numbers */
    (*value)[k] = decided(of, (brink__node)k, *value);
  return BRINK_OK;
}

/* Which argument of an if-expression counts alone; -1: both branches do. */
static int chosen(const brink__natural *of, brink__node n, const double *value)
{
  double condition = value[brink__node_arg(of->graph, n, 0)];

  return isnan(condition) ? -1 : condition != 0 ? 1 : 2;
}

/* --------------------------------------------------------------- matrix --- */

typedef struct filling {
  const brink__natural *of;
  const double *value; /* [nodes] of what is held                              */
  size_t *seen;        /* [nodes] 1 + the last row that has visited it         */
  size_t *entry;       /* [n_cols] 1 + its last entry; one of an earlier row
                          counts as none                                       */
  brink__node *stack;
  size_t n_stack, cap_stack;
  size_t row_start;
  int32_t *col, *order;
  size_t n, cap_col, cap_order;
} filling;

static brink_status add(brink_ctx *ctx, filling *f, brink__term t)
{
  size_t known = f->entry[t.var];

  if (known > f->row_start) {
    if (t.order > f->order[known - 1])
      f->order[known - 1] = t.order;
    return BRINK_OK;
  }
  BRINK_TRY(brink__grow(ctx, (void **)&f->col, &f->cap_col, f->n + 1, sizeof *f->col));
  BRINK_TRY(
      brink__grow(ctx, (void **)&f->order, &f->cap_order, f->n + 1, sizeof *f->order));
  f->col[f->n] = t.var;
  f->order[f->n++] = t.order;
  f->entry[t.var] = f->n;
  return BRINK_OK;
}

static brink_status push(brink_ctx *ctx, filling *f, brink__node n)
{
  BRINK_TRY(brink__grow(ctx, (void **)&f->stack, &f->cap_stack, f->n_stack + 1,
                        sizeof *f->stack));
  f->stack[f->n_stack++] = n;
  return BRINK_OK;
}

/* The arguments of a node that its value depends on. */
static brink_status push_arguments(brink_ctx *ctx, filling *f, brink__node n)
{
  brink__graph *g = f->of->graph;
  brink__op op = brink__node_op(g, n);
  int choice = op == BRINK_OP_SELECT ? chosen(f->of, n, f->value) : -1;

  if (brink__node_type(g, n) == BRINK_TYPE_BOOLEAN)
    return BRINK_OK;
  for (int i = op == BRINK_OP_SELECT; i < brink__op_arity(op); i++)
    if (choice < 0 || choice == i)
      BRINK_TRY(push(ctx, f, brink__node_arg(g, n, i)));
  return BRINK_OK;
}

static brink_status fill_row(brink_ctx *ctx, filling *f, size_t i)
{
  const brink__natural *of = f->of;

  f->row_start = f->n;
  BRINK_TRY(push(ctx, f, of->lhs[i]));
  BRINK_TRY(push(ctx, f, of->rhs[i]));
  while (f->n_stack > 0) {
    brink__node n = f->stack[--f->n_stack];
    if (f->seen[n] == i + 1)
      continue;
    f->seen[n] = i + 1;
    if (brink__node_op(of->graph, n) != BRINK_OP_SYMBOL) {
      BRINK_TRY(push_arguments(ctx, f, n));
      continue;
    }
    size_t s = (size_t)brink__node_symbol(of->graph, n);
    if (s < of->n_symbols && of->terms[s].var >= 0)
      BRINK_TRY(add(ctx, f, of->terms[s]));
  }
  return BRINK_OK;
}

/* The rows in memory of their own. */
static brink_status keep(brink_ctx *ctx, const filling *f, const size_t *start,
                         brink__signature *out)
{
  size_t rows = f->of->n_rows;
  size_t need = brink__need(0, rows + 1, sizeof(size_t));

  need = brink__need(need, f->n, 2 * sizeof(int32_t));
  BRINK_TRY(brink__block_new(ctx, need, &out->memory));
  size_t *own_start = brink__carve(&out->memory, rows + 1, sizeof(size_t));
  int32_t *col = brink__carve(&out->memory, f->n, 2 * sizeof(int32_t));
  int32_t *order = col + f->n;
  memcpy(own_start, start, (rows + 1) * sizeof *start);
  if (f->n > 0) {
    memcpy(col, f->col, f->n * sizeof *col);
    memcpy(order, f->order, f->n * sizeof *order);
  }
  out->sigma = (brink__sigma){rows, f->of->n_cols, own_start, col, order};
  return BRINK_OK;
}

static brink_status fill(brink_ctx *ctx, filling *f, brink__signature *out)
{
  size_t nodes = (size_t)brink__graph_size(f->of->graph) + 1, rows = f->of->n_rows;
  size_t n = nodes + f->of->n_cols + rows + 1;
  brink__block block;

  BRINK_TRY(brink__block_new(ctx, brink__need(0, n, sizeof(size_t)), &block));
  f->seen = brink__carve(&block, n, sizeof(size_t));
  f->entry = f->seen + nodes;
  size_t *start = f->entry + f->of->n_cols;
  brink_status rc = BRINK_OK;
  for (size_t i = 0; i < rows && rc == BRINK_OK; i++) {
    rc = fill_row(ctx, f, i);
    start[i + 1] = f->n;
  }
  if (rc == BRINK_OK)
    rc = keep(ctx, f, start, out);
  brink__block_drop(&block);
  return rc;
}

brink_status brink__signature_new(brink_ctx *ctx, const brink__natural *of,
                                  brink__signature *out)
{
  filling f = {.of = of};
  brink__block block;
  double *value;

  *out = (brink__signature){.sigma = {0}};
  BRINK_TRY(brink__decide(ctx, of, &block, &value));
  f.value = value;
  brink_status rc = fill(ctx, &f, out);
  brink__free(ctx, f.stack, f.cap_stack * sizeof *f.stack);
  brink__free(ctx, f.col, f.cap_col * sizeof *f.col);
  brink__free(ctx, f.order, f.cap_order * sizeof *f.order);
  brink__block_drop(&block);
  return rc;
}

void brink__signature_drop(brink__signature *s)
{
  brink__block_drop(&s->memory);
  *s = (brink__signature){.sigma = {0}};
}

/* ------------------------------------------------------------ linearity --- */

/* How a node depends on the highest derivatives. */
enum { FREE, LINEAR, NONLINEAR };

static unsigned char larger(unsigned char a, unsigned char b) { return a > b ? a : b; }

static unsigned char of_symbol(const brink__natural *of, const int32_t *d, size_t s)
{
  brink__term t = s < of->n_symbols ? of->terms[s] : (brink__term){-1, 0};

  return t.var >= 0 && t.order == d[t.var] ? LINEAR : FREE;
}

static unsigned char depends(const brink__natural *of, const int32_t *d, brink__node n,
                             const double *value, const unsigned char *how)
{
  brink__op op = brink__node_op(of->graph, n);
  unsigned char arg[3] = {FREE, FREE, FREE};

  if (op == BRINK_OP_SYMBOL)
    return of_symbol(of, d, (size_t)brink__node_symbol(of->graph, n));
  for (int i = 0; i < brink__op_arity(op); i++)
    arg[i] = how[brink__node_arg(of->graph, n, i)];
  if (op == BRINK_OP_SELECT && chosen(of, n, value) > 0)
    return arg[chosen(of, n, value)];
  unsigned char most = larger(arg[0], larger(arg[1], arg[2]));
  if (most == FREE || op == BRINK_OP_ADD || op == BRINK_OP_SUB || op == BRINK_OP_NEG ||
      op == BRINK_OP_REAL)
    return most;
  if ((op == BRINK_OP_MUL && (arg[0] == FREE || arg[1] == FREE)) ||
      (op == BRINK_OP_DIV && arg[1] == FREE) ||
      (op == BRINK_OP_SELECT && arg[0] == FREE))
    return most;
  return NONLINEAR;
}

brink_status brink__linear_rows(brink_ctx *ctx, const brink__natural *of,
                                const int32_t *d, unsigned char *linear)
{
  size_t n = (size_t)brink__graph_size(of->graph) + 1;
  brink__block block, values;
  double *value;

  BRINK_TRY(brink__decide(ctx, of, &values, &value));
  brink_status rc = brink__block_new(ctx, brink__need(0, n, 1), &block);
  if (rc == BRINK_OK) {
    unsigned char *how = brink__carve(&block, n, 1);
    for (size_t k = 1; k < n; k++)
      how[k] = depends(of, d, (brink__node)k, value, how);
    for (size_t i = 0; i < of->n_rows; i++)
      linear[i] = larger(how[of->lhs[i]], how[of->rhs[i]]) <= LINEAR;
    brink__block_drop(&block);
  }
  brink__block_drop(&values);
  return rc;
}
