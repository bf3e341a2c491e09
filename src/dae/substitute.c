/* substitute.c -- conversion by substitution of expressions [TNP17, 4].
 *
 * With J v = 0 for a block of the system Jacobian, top the largest c_i of the equations
 * that contain one of the highest derivatives with a v_j, and l one of these columns,
 * new variables
 *
 *   y_j = x_j^(d_j - top) - v_j/v_l x_l^(d_l - top),  j != l with a v_j,
 *
 * are introduced.  In the equations of the block x_j^(d_j - c_i) is replaced by the
 * (top - c_i)-th derivative of y_j + v_j/v_l x_l^(d_l - top); then x_l^(d_l - c_i)
 * cancels.  Where v does not contain the x_j^(d_j - top) or higher derivatives the
 * value of the signature matrix is smaller afterwards.
 */
#include "dae/convert.h"

#include "explain/explain.h"

typedef struct exchange {
  dae_converting *c;
  const dae_block *b;
  dae_null v;
  int32_t top;
  int32_t *limit;  /* [n_cols] orders that v must not reach                         */
  brink__node *is; /* [v.n] y_j + v_j/v_l x_l^(d_l - top); of l: BRINK__NONE         */
} exchange;

static size_t column(const exchange *x, size_t k)
{
  return (size_t)x->b->col[x->v.at[k]];
}

static int32_t d_of(const exchange *x, size_t k)
{
  return x->c->n->analysis.d[column(x, k)];
}

static int32_t c_of(const exchange *x, size_t i)
{
  return x->c->n->analysis.c[x->b->row[i]];
}

/* Has equation i of the block an element in a column with a v_j? */
static int is_touched(const exchange *x, size_t i)
{
  for (size_t k = 0; k < x->v.n; k++)
    if (x->b->entry[i * x->b->n + (size_t)x->v.at[k]])
      return 1;
  return 0;
}

/* top, and the orders that v must not reach; *possible: the derivatives exist. */
static brink_status orders(exchange *x, int *possible)
{
  const brink__analysis *a = &x->c->n->analysis;
  size_t n = x->c->n->system.n_cols;

  x->top = 0;
  for (size_t i = 0; i < x->b->n; i++)
    if (is_touched(x, i) && c_of(x, i) > x->top)
      x->top = c_of(x, i);
  BRINK_TRY(DAE_TAKE(&x->c->tmp, n, &x->limit));
  for (size_t j = 0; j < n; j++)
    x->limit[j] = INT32_MAX;
  for (size_t i = 0; i < x->b->n; i++)
    x->limit[x->b->col[i]] = a->d[x->b->col[i]] - x->top + 1;
  *possible = x->v.n > 1;
  for (size_t k = 0; k < x->v.n; k++) {
    x->limit[column(x, k)]--;
    *possible &= d_of(x, k) >= x->top;
  }
  return BRINK_OK;
}

static brink_status is_allowed(exchange *x, int *yes)
{
  *yes = 1;
  for (size_t k = 0; k < x->v.n && *yes; k++)
    BRINK_TRY(brink__dae_free_of(x->c, x->limit, &x->v.node[k], yes));
  return BRINK_OK;
}

/* The new variable of column k, and its equation. */
static brink_status introduce(exchange *x, size_t k)
{
  dae_converting *c = x->c;
  brink__graph *g = c->n->system.graph;
  brink__node l =
      brink__dae_derivative(c, column(x, x->v.pivot), d_of(x, x->v.pivot) - x->top);
  brink__node j = brink__dae_derivative(c, column(x, k), d_of(x, k) - x->top);
  brink__node part = brink__mul(g, x->v.node[k], l);
  brink__node meaning = brink__sub(g, j, part), y;
  char name[128];
  size_t col;

  if (!meaning)
    return BRINK_ENOMEM;
  brink__dae_text(c, meaning, name, sizeof name);
  BRINK_TRY(brink__dae_add_variable(c, name, x->top, &col));
  y = brink__dae_derivative(c, col, 0);
  x->is[k] = brink__add(g, y, part);
  if (!x->is[k])
    return BRINK_ENOMEM;
  return brink__dae_add_row(c, (size_t)x->b->row[0], brink__sub(g, meaning, y));
}

/* Equation i of the block, in the new variables. */
static brink_status rewrite(exchange *x, size_t i)
{
  dae_converting *c = x->c;
  brink__graph *g = c->n->system.graph;
  int32_t times = x->top - c_of(x, i), *order;
  brink__node *value, *by, f;

  BRINK_TRY(DAE_TAKE(&c->tmp, x->v.n, &value));
  BRINK_TRY(DAE_TAKE(&c->tmp, x->v.n, &order));
  for (size_t k = 0; k < x->v.n; k++) {
    value[k] = x->is[k] ? x->is[k] : brink__real(g, 0);
    order[k] = times;
  }
  BRINK_TRY(brink__dae_derivatives(c, x->v.n, value, order, value));
  BRINK_TRY(DAE_TAKE(&c->tmp, c->n->system.n_symbols, &by));
  for (size_t k = 0; k < x->v.n; k++)
    if (k != x->v.pivot && x->b->entry[i * x->b->n + (size_t)x->v.at[k]])
      by[c->symbol[c->first[column(x, k)] + (size_t)(d_of(x, k) - c_of(x, i))]] =
          value[k];
  f = brink__sub(g, c->lhs[x->b->row[i]], c->rhs[x->b->row[i]]);
  if (!f)
    return BRINK_ENOMEM;
  BRINK_TRY(brink__substitute(g, c->n->system.n_symbols, by, 1, &f, &f));
  return brink__dae_set_row(c, (size_t)x->b->row[i], f);
}

/* "lines 4, 5 are written in 'der(x) + der(y)'" */
static brink_status note(const exchange *x, size_t first_new)
{
  const dae_natural *n = x->c->n;
  char text[400];
  brink__sentence s = {text, sizeof text, 0};
  const char *between = "";

  brink__sentence_add(&s, "in lines ");
  for (size_t i = 0; i < x->b->n; i++)
    if (is_touched(x, i)) {
      brink__sentence_add(&s, "%s%d", between,
                          brink__dae_line(x->c, (size_t)x->b->row[i]));
      between = ", ";
    }
  brink__sentence_add(&s, " a new variable stands for ");
  for (size_t k = first_new; k < n->n_added; k++)
    brink__sentence_add(&s, "%s%s", k == first_new ? "" : ", and one for ",
                        n->added[k].name);
  return brink__dae_note(x->c, text);
}

static brink_status carry_out(exchange *x)
{
  size_t first_new = x->c->n->n_added;

  BRINK_TRY(DAE_TAKE(&x->c->tmp, x->v.n, &x->is));
  for (size_t k = 0; k < x->v.n; k++)
    if (k != x->v.pivot)
      BRINK_TRY(introduce(x, k));
  for (size_t i = 0; i < x->b->n; i++)
    if (is_touched(x, i))
      BRINK_TRY(rewrite(x, i));
  return note(x, first_new);
}

brink_status brink__dae_substitute(dae_converting *c, const dae_block *b, int *done)
{
  exchange x = {.c = c, .b = b};
  int found = 1;

  *done = 0;
  for (size_t k = 0; !*done && found; k++) {
    BRINK_TRY(brink__dae_null_support(c, b, 0, k, &x.v, &found));
    if (!found)
      break;
    BRINK_TRY(orders(&x, done));
    int possible = *done;
    *done = 0;
    for (size_t l = 0; l < x.v.n && possible && !*done; l++) {
      BRINK_TRY(brink__dae_null_elements(c, b, 0, l, &x.v, done));
      if (*done)
        BRINK_TRY(is_allowed(&x, done));
    }
  }
  return *done ? carry_out(&x) : BRINK_OK;
}
