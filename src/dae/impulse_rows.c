/* impulse_rows.c -- tables for the restart after an event (impulse.c): the system
 * Jacobian as a sparse matrix, the constraints that no impulse can mend, and what the
 * record says about jumps.
 */
#include "dae/build.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct builder {
  dae_build *b;
  dae_impulses *t;
  int32_t *above; /* [vars] variable that stands for its derivative, -1: none   */
  int32_t *block_of_col; /* [n] that of its row */
  int32_t *top_of;  /* [n_symbols] column whose highest derivative it is, -1      */
  int32_t *jump_of; /* [n_symbols] column whose x_j^(d_j - 1) it is, -1           */
} builder;

/* The variable that stands for the derivative of this order of a column. */
static int32_t var_at(const builder *w, int32_t col, int order)
{
  int32_t var = w->b->flat->leading_cols[col].var;

  for (; order > 0; order--)
    var = w->above[var];
  return var;
}

static int32_t state_at(const builder *w, int32_t col, int order)
{
  return w->b->state_of[w->b->flat->vars[var_at(w, col, order)].value];
}

static brink_status begin(builder *w)
{
  dae_build *b = w->b;
  const brink__flat *f = b->flat;
  dae_impulses *t = w->t;
  brink__pool *pool = &b->m->pool;

  t->n = f->n_leading;
  t->nnz = f->n_leading_slopes;
  BRINK_TRY(brink__dae_take_ids(&b->tmp, f->n_vars, &w->above));
  for (size_t i = 0; i < f->n_vars; i++)
    if (f->vars[i].derivative_of)
      w->above[f->vars[i].derivative_of - 1] = (int32_t)i;
  BRINK_TRY(DAE_TAKE(&b->tmp, t->n, &w->block_of_col));
  for (size_t i = 0; i < t->n; i++)
    w->block_of_col[f->leading_rows[i].col] = f->leading_rows[i].block;
  BRINK_TRY(brink__dae_take_ids(&b->tmp, b->n_symbols, &w->top_of));
  BRINK_TRY(brink__dae_take_ids(&b->tmp, b->n_symbols, &w->jump_of));
  BRINK_TRY(DAE_TAKE(pool, t->n + 1, &t->start));
  BRINK_TRY(DAE_TAKE(pool, t->n, &t->row_of));
  BRINK_TRY(DAE_TAKE(pool, t->nnz, &t->row));
  BRINK_TRY(DAE_TAKE(pool, t->nnz, &t->col));
  BRINK_TRY(DAE_TAKE(pool, t->nnz, &t->factor));
  BRINK_TRY(DAE_TAKE(pool, t->n, &t->constraint));
  BRINK_TRY(DAE_TAKE(pool, t->n, &t->block));
  BRINK_TRY(DAE_TAKE(pool, t->n, &t->match));
  BRINK_TRY(DAE_TAKE(pool, t->n, &t->var));
  BRINK_TRY(DAE_TAKE(pool, t->n, &t->quiet));
  BRINK_TRY(DAE_TAKE(pool, t->n, &t->variable));
  BRINK_TRY(DAE_TAKE(pool, t->n, &t->cause));
  BRINK_TRY(DAE_TAKE(pool, t->n, &t->closest));
  BRINK_TRY(DAE_TAKE(pool, 1, &t->lower));
  BRINK_TRY(brink__dae_take_ids(pool, t->n, &t->copy));
  return brink__dae_take_ids(pool, t->n, &t->state);
}

/* ---------------------------------------------------------------- columns --- */

static int sets(const brink__flat_action *a, int32_t var)
{
  return (a->kind == BRINK__REINIT || a->kind == BRINK__PUSH) && a->var == var;
}

/* Is there a reinit of the variable? */
static int is_set(const brink__flat *f, int32_t var)
{
  for (size_t i = 0; i < f->n_whens; i++)
    for (int k = 0; k < f->whens[i].n_branches; k++)
      for (int a = 0; a < f->whens[i].branches[k].n_actions; a++)
        if (sets(&f->whens[i].branches[k].actions[a], var))
          return 1;
  return 0;
}

static brink_status columns(builder *w)
{
  dae_build *b = w->b;
  const brink__flat *f = b->flat;
  dae_impulses *t = w->t;

  for (size_t j = 0; j < t->n; j++) {
    const brink__flat_leading_col *c = &f->leading_cols[j];
    w->top_of[c->top] = (int32_t)j;
    t->var[j] = var_at(w, (int32_t)j, c->offset > 0 ? c->offset - 1 : 0);
    const brink__flat_var *v = &f->vars[t->var[j]];
    t->variable[j] = v->name;
    if (c->offset > 0) {
      t->state[j] = b->state_of[v->value];
      w->jump_of[v->value] = (int32_t)j;
      t->n_settable += (size_t)is_set(f, t->var[j]);
      continue;
    }
    size_t size = strlen(v->name) + sizeof "integral of ";
    char *text;
    BRINK_TRY(DAE_TAKE(&b->m->pool, size, &text));
    snprintf(text, size, "integral of %s", v->name);
    t->variable[j] = text;
  }
  return BRINK_OK;
}

/* ------------------------------------------------------------------- rows --- */

/* The constraint in words, with something behind them. */
static brink_status words(builder *w, size_t i, const char *more, const char **out)
{
  enum { TEXT = 240 };
  const brink__flat_leading_row *r = &w->b->flat->leading_rows[i];
  dae_model *m = w->b->m;
  brink__system sys = {
      .flat = w->b->flat, .pre = m->pre_symbol, .fire = m->fire_symbol};
  char buf[TEXT], *text;
  brink__sentence s = {buf, sizeof buf, 0};

  brink__sentence_derivative(&s, &sys, r->eqn, r->offset - 1);
  brink__sentence_add(&s, "%s", more);
  BRINK_TRY(DAE_TAKE(&m->pool, s.n + 1, &text));
  memcpy(text, buf, s.n + 1);
  *out = text;
  return BRINK_OK;
}

static brink_status cause(builder *w, size_t i)
{
  BRINK_TRY(words(w, i, "", &w->t->cause[i]));
  return words(w, i, "; to the closest point, impulses are not determined",
               &w->t->closest[i]);
}

/* What an entry of a row that is not differentiated depends on. */
static brink_status dependence(builder *w, size_t i, int32_t col, brink__node value,
                               dae_list *products)
{
  dae_build *b = w->b;

  BRINK_TRY(brink__dae_symbols(b, 1, &value));
  for (size_t k = 0; k < b->list.n; k++) {
    int32_t id = b->list.v[k], top = w->top_of[id];
    w->t->varies |= w->jump_of[id] >= 0;
    w->t->solves |= top >= 0 && b->state_of[id] < 0;
    if (top < 0)
      continue;
    BRINK_TRY(brink__dae_list_add(b->ctx, products, (int32_t)i));
    BRINK_TRY(brink__dae_list_add(b->ctx, products, col));
    BRINK_TRY(brink__dae_list_add(b->ctx, products, top));
  }
  return BRINK_OK;
}

static int is_one(const brink__graph *g, brink__node n)
{
  return brink__node_op(g, n) == BRINK_OP_CONST && fabs(brink__node_value(g, n)) == 1;
}

/* A constraint x' = v with a variable v that the user wrote: the jump of x', which has
 * no name, is the same. */
static void same_jump(builder *w, size_t i)
{
  const brink__flat *f = w->b->flat;
  const brink__flat_leading_row *r = &f->leading_rows[i];
  const brink__flat_leading_slope *s = &f->leading_slopes[r->first_slope];

  if (r->n_slopes != 2 || !is_one(f->graph, s[0].value) ||
      !is_one(f->graph, s[1].value))
    return;
  for (int k = 0; k < 2; k++) {
    if (!f->vars[w->t->var[s[k].col]].hidden || f->vars[w->t->var[s[1 - k].col]].hidden)
      continue;
    w->t->quiet[s[k].col] = 1;
    w->t->copy[i] = (int32_t)(r->first_slope + (size_t)k);
  }
}

static brink_status one_row(builder *w, size_t i, brink__node *roots,
                            dae_list *products)
{
  dae_build *b = w->b;
  const brink__flat *f = b->flat;
  dae_impulses *t = w->t;
  const brink__flat_leading_row *r = &f->leading_rows[i];
  int c = r->offset;
  size_t last = r->first_constraint + (size_t)(c - 1);

  t->block[i] = r->block;
  t->start[i] = r->first_slope;
  t->row_of[r->col] = (int32_t)i;
  t->constraint[i] = c ? (int32_t)last : -1;
  roots[i] =
      c ? brink__sub(b->graph, f->constraints[last].lhs, f->constraints[last].rhs)
        : brink__real(b->graph, 0);
  for (size_t e = r->first_slope; e < r->first_slope + r->n_slopes; e++) {
    const brink__flat_leading_slope *s = &f->leading_slopes[e];
    t->row[e] = (int32_t)i;
    t->col[e] = s->col;
    t->factor[e] = c ? 1 / tgamma(c) : 1;
    roots[t->n + e] = s->value;
    if (s->col == r->col)
      t->match[i] = (int32_t)e;
    if (c == 0)
      BRINK_TRY(dependence(w, i, s->col, s->value, products));
  }
  if (c == 0) {
    t->n_free++;
    return BRINK_OK;
  }
  same_jump(w, i);
  return cause(w, i);
}

static brink_status rows(builder *w, dae_list *products)
{
  dae_build *b = w->b;
  dae_impulses *t = w->t;
  brink__node *roots;
  brink__tape *tape;
  brink__symbolic *pattern;

  BRINK_TRY(DAE_TAKE(&b->tmp, t->n + t->nnz, &roots));
  for (size_t i = 0; i < t->n; i++)
    BRINK_TRY(one_row(w, i, roots, products));
  t->start[t->n] = t->nnz;
  BRINK_TRY(brink__dae_tape(b, t->n + t->nnz, roots, NULL, &tape));
  t->tape = tape;
  b->m->max_stage = brink__zmax(b->m->max_stage, t->n + t->nnz);
  t->product = brink__dae_list_keep(&b->m->pool, products, products->n);
  t->n_products = products->n / 3;
  if (!t->product)
    return BRINK_ENOMEM;
  BRINK_TRY(brink__symbolic_new(&b->m->pool, t->n, t->nnz, t->row, t->col, &pattern));
  t->pattern = pattern;
  return BRINK_OK;
}

/* ----------------------------------------------------------------- guards --- */

/* The slopes of a relation's guard with respect to what may have an impulse. */
static brink_status guard_slopes(builder *w, size_t i, dae_list *roots, dae_list *cols)
{
  dae_build *b = w->b;
  const brink__flat_relation *r = &b->flat->relations[i];

  BRINK_TRY(brink__dae_symbols(b, 2, (brink__node[]){r->left, r->right}));
  for (size_t k = 0; k < b->list.n; k++) {
    int32_t id = b->list.v[k], col = w->top_of[id];
    if (col < 0)
      continue;
    brink__node slope =
        brink__diff(b->graph, brink__sub(b->graph, r->left, r->right), id);
    if (!slope)
      return BRINK_ENOMEM;
    BRINK_TRY(brink__dae_list_add(b->ctx, roots, slope));
    BRINK_TRY(brink__dae_list_add(b->ctx, cols, (int32_t)i));
    BRINK_TRY(brink__dae_list_add(b->ctx, cols, col));
  }
  return BRINK_OK;
}

static brink_status guards(builder *w, dae_list *roots, dae_list *cols)
{
  dae_build *b = w->b;
  dae_impulses *t = w->t;
  brink__tape *tape;

  for (size_t i = 0; i < b->flat->n_relations; i++)
    BRINK_TRY(guard_slopes(w, i, roots, cols));
  t->n_guard_slopes = roots->n;
  BRINK_TRY(brink__dae_tape(b, roots->n, roots->v, NULL, &tape));
  t->guard_tape = tape;
  BRINK_TRY(DAE_TAKE(&b->m->pool, roots->n, &t->guard_relation));
  BRINK_TRY(DAE_TAKE(&b->m->pool, roots->n, &t->guard_col));
  for (size_t k = 0; k < roots->n; k++) {
    t->guard_relation[k] = cols->v[2 * k];
    t->guard_col[k] = cols->v[2 * k + 1];
  }
  return BRINK_OK;
}

/* ----------------------------------------------------------- lower orders --- */

static brink_status slopes_at(builder *w, const brink__flat_leading_row *r, int order,
                              const dae_stage_slope **out)
{
  const brink__flat *f = w->b->flat;
  dae_stage_slope *slope;

  BRINK_TRY(DAE_TAKE(&w->b->tmp, r->n_slopes, &slope));
  for (size_t e = 0; e < r->n_slopes; e++) {
    const brink__flat_leading_slope *s = &f->leading_slopes[r->first_slope + e];
    int sigma = f->leading_cols[s->col].offset - r->offset;
    slope[e] = (dae_stage_slope){state_at(w, s->col, order + sigma),
                                 w->block_of_col[s->col] != r->block, s->value};
  }
  *out = slope;
  return BRINK_OK;
}

static brink_status lower_orders(builder *w)
{
  dae_build *b = w->b;
  const brink__flat *f = b->flat;
  dae_stage_row *row;
  size_t n = 0;

  BRINK_TRY(DAE_TAKE(&b->tmp, f->n_constraints, &row));
  for (size_t i = 0; i < f->n_leading; i++) {
    const brink__flat_leading_row *r = &f->leading_rows[i];
    for (int k = 0; k + 1 < r->offset; k++) {
      size_t at = r->first_constraint + (size_t)k;
      const dae_stage_slope *slope;
      BRINK_TRY(slopes_at(w, r, k, &slope));
      row[n++] = (dae_stage_row){.lhs = f->constraints[at].lhs,
                                 .rhs = f->constraints[at].rhs,
                                 .stage = k + 1 - r->offset,
                                 .origin = (int32_t)at,
                                 .block = r->block,
                                 .factor = 1 / tgamma(k + 1.),
                                 .slope = slope,
                                 .n_slopes = r->n_slopes};
    }
  }
  return brink__dae_stages(b, n, row, w->t->lower);
}

brink_status brink__dae_impulse_rows(dae_build *b)
{
  builder w = {.b = b, .t = &b->m->impulses};
  dae_list products = {0}, roots = {0}, cols = {0};

  if (b->flat->n_constraints == 0)
    return BRINK_OK;
  BRINK_TRY(begin(&w));
  BRINK_TRY(columns(&w));
  brink_status rc = rows(&w, &products);
  if (rc == BRINK_OK)
    rc = guards(&w, &roots, &cols);
  brink__dae_list_drop(b->ctx, &products);
  brink__dae_list_drop(b->ctx, &roots);
  brink__dae_list_drop(b->ctx, &cols);
  BRINK_TRY(rc);
  return lower_orders(&w);
}
