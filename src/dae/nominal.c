/* nominal.c -- nominal values of variables that have none of their own.
 *
 * The nominal value of a variable is the size that counts as 1: of its absolute
 * tolerance if it is a state, of residuals and corrections where equations are solved
 * together.  Models give it for charges and concentrations, and mostly forget the
 * currents and flows.  So
 *
 *   a = b, a = -b, a + b = 0     each takes the nominal value of the other,
 *   v = der(x), v = -der(x)      v takes that of x (x does not take that of v),
 *
 * where one has the attribute and the other has not.  Equalities are carried on first,
 * however long the chain is, then derivatives; of several equations the first counts.
 */
#include "dae/build.h"

/* Two variables that an equation makes equal in size. */
typedef struct pair {
  int32_t a, b;   /* variables                                                     */
  int derivative; /* 1: a is the derivative of b                                  */
} pair;

/* The symbol of the node or of its negative, -1: it is neither. */
static int32_t symbol_of(const brink__graph *g, brink__node n)
{
  if (brink__node_op(g, n) == BRINK_OP_NEG)
    n = brink__node_arg(g, n, 0);
  return brink__node_op(g, n) == BRINK_OP_SYMBOL ? brink__node_symbol(g, n) : -1;
}

/* The two symbols of an equation that says nothing but that one is the other, up to the
 * sign. */
static int two_symbols(const brink__graph *g, brink__node l, brink__node r,
                       int32_t s[2])
{
  if (brink__node_is(g, l, 0)) {
    brink__node sum = r;
    r = l;
    l = sum;
  }
  brink__op op = brink__node_op(g, l);
  if (brink__node_is(g, r, 0) && (op == BRINK_OP_ADD || op == BRINK_OP_SUB)) {
    r = brink__node_arg(g, l, 1);
    l = brink__node_arg(g, l, 0);
  }
  s[0] = symbol_of(g, l);
  s[1] = symbol_of(g, r);
  return s[0] >= 0 && s[1] >= 0;
}

static int is_continuous(const dae_build *b, int32_t var)
{
  return var >= 0 && b->flat->vars[var].variability == BRINK__CONTINUOUS;
}

/* All such equations; der_of [n_symbols]: the variable whose derivative a symbol is. */
static size_t pairs(const dae_build *b, const int32_t *der_of, pair *out)
{
  const brink__flat *f = b->flat;
  size_t n = 0;

  for (size_t i = 0; i < f->n_eqns; i++) {
    int32_t s[2];
    if (!two_symbols(b->graph, f->eqns[i].lhs, f->eqns[i].rhs, s))
      continue;
    for (int k = 0; k < 2; k++) {
      int32_t v = b->var_of[s[k]], x = der_of[s[1 - k]];
      if (is_continuous(b, v) && x >= 0)
        out[n++] = (pair){v, x, 1};
    }
    if (is_continuous(b, b->var_of[s[0]]) && is_continuous(b, b->var_of[s[1]]))
      out[n++] = (pair){b->var_of[s[0]], b->var_of[s[1]], 0};
  }
  return n;
}

/* Carry nominal values on by equalities, or by derivatives, once through all equations;
 * how many were found. */
static size_t carry(const pair *p, size_t n, int derivatives, brink__node *nominal)
{
  size_t found = 0;

  for (size_t i = 0; i < n; i++) {
    brink__node *a = &nominal[p[i].a], *b = &nominal[p[i].b];
    if (p[i].derivative != derivatives || !*a == !*b || (derivatives && *a))
      continue;
    *(*a ? b : a) = *a ? *a : *b;
    found++;
  }
  return found;
}

brink_status brink__dae_nominals(dae_build *b, brink__node *nominal)
{
  const brink__flat *f = b->flat;
  int32_t *der_of;
  pair *p;

  BRINK_TRY(brink__dae_take_ids(&b->tmp, b->n_symbols, &der_of));
  BRINK_TRY(DAE_TAKE(&b->tmp, 2 * f->n_eqns, &p));
  for (size_t i = 0; i < f->n_vars; i++) {
    nominal[i] = f->vars[i].nominal;
    if (f->vars[i].der >= 0)
      der_of[f->vars[i].der] = (int32_t)i;
  }
  size_t n = pairs(b, der_of, p);
  do
    while (carry(p, n, 0, nominal) > 0)
      ;
  while (carry(p, n, 1, nominal) > 0);
  return BRINK_OK;
}
