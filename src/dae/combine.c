/* combine.c -- conversion by linear combination [TNP17, 3].
 *
 * With u' J = 0 for a block of the system Jacobian, theta the smallest c_i of the
 * equations that have a u_i, and l one of those with c_l = theta, f_l is replaced by
 *
 *   sum_i u_i f_i^(c_i - theta),  u_l = 1,
 *
 * in which the x_j^(d_j - theta) of the block cancel.  Where u does not contain these
 * or higher derivatives the value of the signature matrix is smaller afterwards.  The
 * new equation is equivalent to f_l wherever u exists, given the others.
 */
#include "dae/convert.h"

#include "explain/explain.h"

#include <math.h>

typedef struct combination {
  dae_converting *c;
  const dae_block *b;
  dae_null u;
  int32_t theta;
  int32_t *highest; /* [n_cols] order d_j - theta of the columns of the block, of others
                       more than there is                                            */
} combination;

static int32_t offset(const combination *m, size_t k)
{
  return m->c->n->analysis.c[m->b->row[m->u.at[k]]];
}

static brink_status orders(combination *m)
{
  size_t n = m->c->n->system.n_cols;

  m->theta = offset(m, 0);
  for (size_t k = 1; k < m->u.n; k++)
    if (offset(m, k) < m->theta)
      m->theta = offset(m, k);
  BRINK_TRY(DAE_TAKE(&m->c->tmp, n, &m->highest));
  for (size_t j = 0; j < n; j++)
    m->highest[j] = INT32_MAX;
  for (size_t i = 0; i < m->b->n; i++)
    m->highest[m->b->col[i]] = m->c->n->analysis.d[m->b->col[i]] - m->theta;
  return BRINK_OK;
}

/* Is u free of the derivatives that are to cancel, and can what is to be differentiated
 * be? */
static brink_status is_allowed(combination *m, int *yes)
{
  *yes = 1;
  for (size_t k = 0; k < m->u.n && *yes; k++) {
    int delayed = 0;
    BRINK_TRY(brink__dae_free_of(m->c, m->highest, &m->u.node[k], yes));
    if (offset(m, k) > m->theta)
      BRINK_TRY(brink__dae_is_delayed(m->c, (size_t)m->b->row[m->u.at[k]], &delayed));
    *yes &= !delayed;
  }
  return BRINK_OK;
}

static brink_status sum(const combination *m, brink__node *out)
{
  dae_converting *c = m->c;
  brink__graph *g = c->n->system.graph;
  brink__node *f;
  int32_t *order;

  BRINK_TRY(DAE_TAKE(&c->tmp, m->u.n, &f));
  BRINK_TRY(DAE_TAKE(&c->tmp, m->u.n, &order));
  for (size_t k = 0; k < m->u.n; k++) {
    int32_t row = m->b->row[m->u.at[k]];
    f[k] = brink__sub(g, c->lhs[row], c->rhs[row]);
    order[k] = offset(m, k) - m->theta;
  }
  BRINK_TRY(brink__dae_derivatives(c, m->u.n, f, order, f));
  *out = brink__real(g, 0);
  for (size_t k = 0; k < m->u.n; k++)
    *out = brink__add(g, *out, brink__mul(g, m->u.node[k], f[k]));
  return *out ? BRINK_OK : BRINK_ENOMEM;
}

/* Do the highest derivatives cancel in it? */
static brink_status cancels(const combination *m, brink__node sum, int *yes)
{
  dae_converting *c = m->c;

  *yes = 1;
  for (size_t i = 0; i < m->b->n && *yes; i++) {
    size_t j = (size_t)m->b->col[i];
    if (m->highest[j] < 0)
      continue;
    brink__node x = brink__dae_derivative(c, j, m->highest[j]);
    if (!x)
      return BRINK_ENOMEM;
    BRINK_TRY(brink__dae_is_independent(
        c, sum, brink__node_symbol(c->n->system.graph, x), yes));
  }
  return BRINK_OK;
}

/* " - 0.5*der(line 9)" */
static void add_term(const combination *m, size_t k, brink__sentence *s)
{
  dae_converting *c = m->c;
  const brink__graph *g = c->n->system.graph;
  brink__node u = m->u.node[k];
  int number = brink__node_op(g, u) == BRINK_OP_CONST;
  double value = number ? brink__node_value(g, u) : 1;
  char factor[100];

  brink__sentence_add(s, value < 0 ? " - " : " + ");
  if (!number) {
    brink__dae_text(c, u, factor, sizeof factor);
    brink__sentence_add(s, "(%s)*", factor);
  } else if (fabs(value) != 1)
    brink__sentence_add(s, "%g*", fabs(value));
  int32_t order = offset(m, k) - m->theta;
  for (int32_t i = 0; i < order; i++)
    brink__sentence_add(s, "der(");
  brink__sentence_add(s, "line %d", brink__dae_line(c, (size_t)m->b->row[m->u.at[k]]));
  for (int32_t i = 0; i < order; i++)
    brink__sentence_add(s, ")");
}

/* "line 7 is replaced by line 7 + 2*der(line 9)" */
static brink_status note(const combination *m)
{
  char text[400];
  brink__sentence s = {text, sizeof text, 0};
  int line = brink__dae_line(m->c, (size_t)m->b->row[m->u.at[m->u.pivot]]);

  brink__sentence_add(&s, "line %d is replaced by line %d", line, line);
  for (size_t k = 0; k < m->u.n; k++)
    if (k != m->u.pivot)
      add_term(m, k, &s);
  return brink__dae_note(m->c, text);
}

/* Replace the equation of element `pivot`. */
static brink_status attempt(combination *m, size_t pivot, int *done)
{
  brink__node f;

  BRINK_TRY(brink__dae_null_elements(m->c, m->b, 1, pivot, &m->u, done));
  if (*done)
    BRINK_TRY(is_allowed(m, done));
  if (!*done)
    return BRINK_OK;
  BRINK_TRY(sum(m, &f));
  BRINK_TRY(cancels(m, f, done));
  if (!*done)
    return BRINK_OK;
  BRINK_TRY(brink__dae_set_row(m->c, (size_t)m->b->row[m->u.at[pivot]], f));
  return note(m);
}

brink_status brink__dae_combine(dae_converting *c, const dae_block *b, int *done)
{
  combination m = {.c = c, .b = b};
  int found = 1;

  *done = 0;
  for (size_t k = 0; !*done && found; k++) {
    BRINK_TRY(brink__dae_null_support(c, b, 1, k, &m.u, &found));
    if (!found)
      break;
    BRINK_TRY(orders(&m));
    for (size_t i = 0; i < m.u.n && !*done; i++)
      if (offset(&m, i) == m.theta)
        BRINK_TRY(attempt(&m, i, done));
  }
  return BRINK_OK;
}
