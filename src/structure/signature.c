/* signature.c -- the signature matrix of equations, and where the highest derivatives
 * occur linearly.
 *
 * Both are formal: a variable that is written but cancels counts, unless the graph has
 * simplified it away.  Of an if-expression whose condition is not decided both branches
 * count.
 */
#include "structure/sigma.h"

/* --------------------------------------------------------------- matrix --- */

typedef struct filling {
  size_t *start;
  int32_t *col, *order;
  size_t n;
  size_t *entry; /* [n_cols] 1 + entry of the column in some row; that of an earlier
                    row counts as none */
} filling;

static void add(filling *f, size_t row_start, brink__term t)
{
  size_t known = f->entry[t.var];

  if (known > row_start) {
    if (t.order > f->order[known - 1])
      f->order[known - 1] = t.order;
    return;
  }
  f->col[f->n] = t.var;
  f->order[f->n++] = t.order;
  f->entry[t.var] = f->n;
}

static brink_status fill(brink_ctx *ctx, const brink__natural *of,
                         const brink__pattern *p, brink__signature *out)
{
  size_t need = brink__need(0, of->n_rows + 1, sizeof(size_t));
  brink__block scratch;

  need = brink__need(need, p->nnz, 2 * sizeof(int32_t));
  BRINK_TRY(
      brink__block_new(ctx, brink__need(0, of->n_cols, sizeof(size_t)), &scratch));
  brink_status rc = brink__block_new(ctx, need, &out->memory);
  if (rc == BRINK_OK) {
    filling f = {.entry = brink__carve(&scratch, of->n_cols, sizeof(size_t))};
    f.start = brink__carve(&out->memory, of->n_rows + 1, sizeof(size_t));
    f.col = brink__carve(&out->memory, p->nnz, 2 * sizeof(int32_t));
    f.order = f.col + p->nnz;
    for (size_t i = 0; i < of->n_rows; i++) {
      f.start[i] = f.n;
      for (size_t e = p->start[2 * i]; e < p->start[2 * i + 2]; e++)
        add(&f, f.start[i], of->terms[p->col[e]]);
    }
    f.start[of->n_rows] = f.n;
    out->sigma = (brink__sigma){of->n_rows, of->n_cols, f.start, f.col, f.order};
  }
  brink__block_drop(&scratch);
  return rc;
}

brink_status brink__signature_new(brink_ctx *ctx, const brink__natural *of,
                                  brink__signature *out)
{
  brink__block block;
  brink__pattern p;
  size_t need = brink__need(0, 2 * of->n_rows, sizeof(brink__node));

  *out = (brink__signature){.sigma = {0}};
  BRINK_TRY(brink__block_new(ctx, brink__need(need, of->n_symbols, 1), &block));
  brink__node *roots = brink__carve(&block, 2 * of->n_rows, sizeof *roots);
  unsigned char *unknown = brink__carve(&block, of->n_symbols, 1);
  for (size_t i = 0; i < of->n_rows; i++) {
    roots[2 * i] = of->lhs[i];
    roots[2 * i + 1] = of->rhs[i];
  }
  for (size_t s = 0; s < of->n_symbols; s++)
    unknown[s] = of->terms[s].var >= 0;
  brink_status rc =
      brink__pattern_new(of->graph, 2 * of->n_rows, roots, of->n_symbols, unknown, &p);
  brink__block_drop(&block);
  if (rc < 0)
    return rc;
  rc = fill(ctx, of, &p, out);
  brink__pattern_drop(&p);
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

static unsigned char depends(const brink__natural *of, const int32_t *d, brink__node n,
                             const unsigned char *how)
{
  brink__op op = brink__node_op(of->graph, n);
  unsigned char arg[3] = {FREE, FREE, FREE};

  if (op == BRINK_OP_SYMBOL) {
    int32_t s = brink__node_symbol(of->graph, n);
    brink__term t = (size_t)s < of->n_symbols ? of->terms[s] : (brink__term){-1, 0};
    return t.var >= 0 && t.order == d[t.var] ? LINEAR : FREE;
  }
  for (int i = 0; i < brink__op_arity(op); i++)
    arg[i] = how[brink__node_arg(of->graph, n, i)];
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
  brink__block block;

  BRINK_TRY(brink__block_new(ctx, brink__need(0, n, 1), &block));
  unsigned char *how = brink__carve(&block, n, 1);
  for (size_t k = 1; k < n; k++) /* arguments have smaller numbers */
    how[k] = depends(of, d, (brink__node)k, how);
  for (size_t i = 0; i < of->n_rows; i++)
    linear[i] = larger(how[of->lhs[i]], how[of->rhs[i]]) <= LINEAR;
  brink__block_drop(&block);
  return BRINK_OK;
}
