/* natural.c -- rows and columns of the structural analysis of a flat model.
 *
 * The front door has a symbol for x, one for der(x), and for der(der(x)) that of the
 * derivative of a hidden variable which stands for der(x).  Here each symbol becomes
 * the unknown it is, (x, 0), (x, 1), (x, 2), so that nothing is rewritten to first
 * order.
 */
#include "dae/natural.h"

#include "dae/build.h"

#include <math.h>

/* ------------------------------------------------------------- unknowns --- */

static int is_unknown(const brink__flat_var *v)
{
  return v->variability == BRINK__CONTINUOUS && !v->input && !v->inactive &&
         !v->derivative_of;
}

/* The variable of which v is the derivative, and of which order. */
static brink__term root(const brink__flat *f, int32_t v, int32_t order)
{
  for (; f->vars[v].derivative_of; order++)
    v = f->vars[v].derivative_of - 1;
  return (brink__term){v, order};
}

static brink_status unknowns(const brink__flat *f, dae_natural *n)
{
  size_t n_symbols = (size_t)f->n_symbols;
  brink__term *terms;
  int32_t *column; /* [vars] or -1 */

  BRINK_TRY(DAE_TAKE(&n->pool, n_symbols, &terms));
  BRINK_TRY(DAE_TAKE(&n->pool, f->n_vars, &n->var));
  BRINK_TRY(brink__dae_take_ids(&n->pool, f->n_vars, &column));
  for (size_t i = 0; i < f->n_vars; i++)
    if (is_unknown(&f->vars[i])) {
      column[i] = (int32_t)n->system.n_cols;
      n->var[n->system.n_cols++] = (int32_t)i;
    }
  for (size_t s = 0; s < n_symbols; s++)
    terms[s] =
        f->derivative[s] >= 0 ? root(f, f->derivative[s], 1) : (brink__term){-1, 0};
  for (size_t i = 0; i < f->n_vars; i++)
    terms[f->vars[i].value] = root(f, (int32_t)i, 0);
  for (size_t s = 0; s < n_symbols; s++)
    if (terms[s].var >= 0)
      terms[s].var = column[terms[s].var];
  n->system.terms = terms;
  n->system.n_symbols = n_symbols;
  return BRINK_OK;
}

/* ----------------------------------------------------------------- rows --- */

/* Does the equation determine discrete variables only? */
static brink_status is_discrete(const dae_natural *n, const brink__node *sides,
                                const unsigned char *discrete, int *yes)
{
  brink__pattern p;
  int unknown = 0, some = 0;

  BRINK_TRY(brink__pattern_new(n->system.graph, 2, sides, 0, NULL, &p));
  for (size_t k = 0; k < p.nnz; k++)
    if ((size_t)p.col[k] < n->system.n_symbols) {
      unknown |= n->system.terms[p.col[k]].var >= 0;
      some |= discrete[p.col[k]];
    }
  brink__pattern_drop(&p);
  *yes = some && !unknown;
  return BRINK_OK;
}

static int is_real(const brink__graph *g, brink__node n)
{
  return brink__node_type(g, n) == BRINK_TYPE_REAL;
}

static brink_status rows(const brink__flat *f, dae_natural *n)
{
  brink__node *lhs, *rhs;
  unsigned char *discrete; /* [n_symbols] value of a discrete variable */

  BRINK_TRY(DAE_TAKE(&n->pool, f->n_natural, &lhs));
  BRINK_TRY(DAE_TAKE(&n->pool, f->n_natural, &rhs));
  BRINK_TRY(DAE_TAKE(&n->pool, f->n_natural, &n->eqn));
  BRINK_TRY(DAE_TAKE(&n->pool, n->system.n_symbols, &discrete));
  for (size_t i = 0; i < f->n_vars; i++)
    discrete[f->vars[i].value] = f->vars[i].variability == BRINK__DISCRETE;
  size_t rows = 0;
  for (size_t i = 0; i < f->n_natural; i++) {
    brink__node sides[2] = {f->natural[i].lhs, f->natural[i].rhs};
    int left_out = !is_real(f->graph, sides[0]) && !is_real(f->graph, sides[1]);
    if (!left_out)
      BRINK_TRY(is_discrete(n, sides, discrete, &left_out));
    if (left_out)
      continue;
    n->eqn[rows] = (int32_t)i;
    lhs[rows] = sides[0];
    rhs[rows++] = sides[1];
  }
  n->system.n_rows = rows;
  n->system.lhs = lhs;
  n->system.rhs = rhs;
  return BRINK_OK;
}

/* ----------------------------------------------------- what is held --- */

void brink__dae_hold_run(const brink__flat *flat, double *held)
{
  for (int32_t s = 0; s < flat->n_symbols; s++)
    held[s] = nan("");
  if (flat->lambda > 0) /* homotopy() is its first argument, but for a start */
    held[flat->lambda] = 1;
  if (flat->initial >= 0)
    held[flat->initial] = 0;
  if (flat->terminal >= 0)
    held[flat->terminal] = 0;
}

/* Parameters may depend on each other in any order: again while one more is known. */
brink_status brink__dae_hold_parameters(brink_ctx *ctx, const brink__flat *flat,
                                        double *held)
{
  brink__natural all = {
      .graph = flat->graph, .n_symbols = (size_t)flat->n_symbols, .held = held};
  int more = 1;

  while (more) {
    brink__block block;
    double *value;
    more = 0;
    BRINK_TRY(brink__decide(ctx, &all, &block, &value));
    for (size_t i = 0; i < flat->n_vars; i++) {
      const brink__flat_var *v = &flat->vars[i];
      if (v->variability > BRINK__PARAMETER || !v->binding || !isnan(held[v->value]))
        continue;
      held[v->value] = value[v->binding];
      more |= !isnan(held[v->value]);
    }
    brink__block_drop(&block);
  }
  return BRINK_OK;
}

/* ------------------------------------------------------------------ all --- */

static brink_status linearity(brink_ctx *ctx, dae_natural *n)
{
  n->quasilinear = 0;
  BRINK_TRY(DAE_TAKE(&n->pool, n->system.n_rows, &n->linear));
  if (n->analysis.singular)
    return BRINK_OK;
  BRINK_TRY(brink__linear_rows(ctx, &n->system, n->analysis.d, n->linear));
  n->quasilinear = 1;
  for (size_t i = 0; i < n->system.n_rows; i++)
    n->quasilinear &= n->linear[i];
  return BRINK_OK;
}

brink_status brink__dae_natural_again(brink_ctx *ctx, dae_natural *n)
{
  brink__signature_drop(&n->signature);
  brink__analysis_drop(&n->analysis);
  BRINK_TRY(brink__signature_new(ctx, &n->system, &n->signature));
  BRINK_TRY(brink__analyse(ctx, &n->signature.sigma, &n->analysis));
  return linearity(ctx, n);
}

const char *brink__dae_natural_name(const dae_natural *n, const brink__flat *flat,
                                    size_t col)
{
  size_t v = (size_t)n->var[col];

  return v < flat->n_vars ? flat->vars[v].name : n->added[v - flat->n_vars].name;
}

static brink_status fill(brink_ctx *ctx, const brink__flat *flat, dae_natural *n)
{
  BRINK_TRY(unknowns(flat, n));
  BRINK_TRY(rows(flat, n));
  return brink__dae_natural_again(ctx, n);
}

brink_status brink__dae_natural_new(brink_ctx *ctx, const brink__flat *flat,
                                    const double *held, dae_natural *out)
{
  *out = (dae_natural){.pool = {.ctx = ctx},
                       .system = {.graph = flat->graph, .held = held}};
  brink_status rc = fill(ctx, flat, out);
  if (rc < 0)
    brink__dae_natural_drop(out);
  return rc;
}

void brink__dae_natural_drop(dae_natural *n)
{
  brink__signature_drop(&n->signature);
  brink__analysis_drop(&n->analysis);
  brink__pool_drop(&n->pool);
  *n = (dae_natural){.quasilinear = 0};
}
