/* reduce.c -- index reduction: which equations are differentiated, and what is a state.
 *
 * With the offsets c_i, d_j of the structural analysis (structure/sigma.h) the
 * equations f_i^(c_i) = 0 determine the highest derivatives x_j^(d_j).  So all x_j^(k),
 * k < d_j, become states,
 *
 *   der(x_j^(k)) = x_j^(k+1)  for k + 1 < d_j,
 *   f_i^(c_i) = 0             for the derivatives of the others, and variables without,
 *
 * which has index 1; compilation and runs see nothing else.  There are more states
 * than degrees of freedom; none is chosen.  What the equations say about them,
 *
 *   f_i^(k) = 0, k = 0 .. c_i - 1,
 *
 * are the constraints: the start satisfies them (start/), and after each step the state
 * is put back on them (projection.c).
 *
 * Equation i is divided by c_i!: its expressions are Taylor coefficients
 * (expr/coefficients.c).  A derivative that something outside the equations reads (a
 * guard, a when) counts as if there were an equation w = x^(k).
 */
#include "dae/reduce.h"

#include "dae/convert.h"

#include <stdio.h>
#include <string.h>

typedef struct reduction {
  brink_ctx *ctx;
  brink__flat *f;
  brink__pool tmp;
  dae_natural natural;
  const int32_t *c, *d; /* offsets of rows and columns of `natural`                   */
  const size_t *jac_start;
  const int32_t *jac_col;
  const int32_t *block_of; /* [rows] block of the system Jacobian                     */
  const int32_t *row_of;   /* [columns] row in the HVT                                */
  brink__analysis wider; /* with rows for derivatives that others read                */
  int32_t *der_symbol;   /* [vars] of der(v), also where v is no state; -1: none      */
  int32_t *above;        /* [vars] variable that stands for der(v), -1: none          */
  size_t *first;     /* [columns + 1] where the symbols of a column begin in ...   */
  int32_t *symbol;   /* ... this: of orders 0 .. d                                */
  int32_t *stands;   /* the same: variable that stands for the derivative         */
  brink__node *by;   /* [symbols of the model] what stands for them              */
  int32_t n_symbols; /* with those that are new                                   */
  size_t n_vars;
  brink__place at;     /* of a fault                                                  */
  size_t *slope_start; /* [rows + 1] in flat->slopes                                  */
} reduction;

/* ------------------------------------------------------------- analysis --- */

/* The highest order of each column that something outside the equations reads. */
static brink_status note(reduction *r, dae_walk *w, dae_list *list, size_t n,
                         const brink__node *roots, int32_t *most)
{
  list->n = 0;
  BRINK_TRY(brink__dae_walk_symbols(w, n, roots, list));
  for (size_t i = 0; i < list->n; i++) {
    const brink__term *t = &r->natural.system.terms[list->v[i]];
    if ((size_t)list->v[i] < r->natural.system.n_symbols && t->var >= 0 &&
        t->order > most[t->var])
      most[t->var] = t->order;
  }
  return BRINK_OK;
}

static brink_status note_action(reduction *r, dae_walk *w, dae_list *list,
                                const brink__flat_action *a, int32_t *most)
{
  BRINK_TRY(note(r, w, list, 2, (brink__node[]){a->cond, a->value}, most));
  return note(r, w, list, (size_t)a->n_parts, a->parts, most);
}

static brink_status note_when(reduction *r, dae_walk *w, dae_list *list,
                              const brink__flat_when *when, int32_t *most)
{
  for (int k = 0; k < when->n_branches; k++) {
    const brink__flat_branch *b = &when->branches[k];
    BRINK_TRY(note(r, w, list, (size_t)b->n_conds, b->conds, most));
    for (int i = 0; i < b->n_actions; i++)
      BRINK_TRY(note_action(r, w, list, &b->actions[i], most));
  }
  return BRINK_OK;
}

static brink_status note_all(reduction *r, dae_walk *w, dae_list *list, int32_t *most)
{
  const brink__flat *f = r->f;

  for (size_t i = 0; i < f->n_relations; i++)
    BRINK_TRY(note(r, w, list, 2,
                   (brink__node[]){f->relations[i].left, f->relations[i].right}, most));
  for (size_t i = 0; i < f->n_stairs; i++)
    BRINK_TRY(note(r, w, list, 1, &f->stairs[i].arg, most));
  for (size_t i = 0; i < f->n_delays; i++)
    BRINK_TRY(
        note(r, w, list, 2, (brink__node[]){f->delays[i].arg, f->delays[i].by}, most));
  for (size_t i = 0; i < f->n_initial_eqns; i++)
    BRINK_TRY(note(r, w, list, 2,
                   (brink__node[]){f->initial_eqns[i].lhs, f->initial_eqns[i].rhs},
                   most));
  for (size_t i = 0; i < f->n_asserts; i++)
    BRINK_TRY(note_action(r, w, list, &f->asserts[i], most));
  for (size_t i = 0; i < f->n_whens; i++)
    BRINK_TRY(note_when(r, w, list, &f->whens[i], most));
  return BRINK_OK;
}

/* The signature matrix with one more row w = x_j^(most_j), and the column of w, for
 * each j whose most_j is above d_j. */
static brink_status widen(reduction *r, const int32_t *most, brink__sigma *out)
{
  const brink__sigma *s = &r->natural.signature.sigma;
  const int32_t *d = r->natural.analysis.d;
  size_t nnz = s->start[s->n_rows], n = s->n_rows, e = nnz;
  size_t *start;
  int32_t *col, *order;

  BRINK_TRY(DAE_TAKE(&r->tmp, s->n_rows + s->n_cols + 1, &start));
  BRINK_TRY(DAE_TAKE(&r->tmp, nnz + 2 * s->n_cols, &col));
  BRINK_TRY(DAE_TAKE(&r->tmp, nnz + 2 * s->n_cols, &order));
  memcpy(start, s->start, (s->n_rows + 1) * sizeof *start);
  memcpy(col, s->col, nnz * sizeof *col);
  memcpy(order, s->order, nnz * sizeof *order);
  for (size_t j = 0; j < s->n_cols; j++) {
    if (most[j] <= d[j])
      continue;
    col[e] = (int32_t)j;
    order[e++] = most[j];
    col[e++] = (int32_t)n;
    start[++n] = e;
  }
  *out = (brink__sigma){n, n, start, col, order};
  return BRINK_OK;
}

static brink_status offsets(reduction *r)
{
  const brink__analysis *a = &r->natural.analysis;
  dae_walk w = {.ctx = r->ctx, .graph = r->f->graph};
  dae_list list = {0};
  int32_t *most;
  brink__sigma sigma;
  int wider = 0;

  BRINK_TRY(DAE_TAKE(&r->tmp, a->n_cols, &most));
  brink_status rc = note_all(r, &w, &list, most);
  brink__dae_walk_drop(&w);
  brink__dae_list_drop(r->ctx, &list);
  BRINK_TRY(rc);
  for (size_t j = 0; j < a->n_cols; j++)
    wider |= most[j] > a->d[j];
  if (wider) {
    BRINK_TRY(widen(r, most, &sigma));
    BRINK_TRY(brink__analyse(r->ctx, &sigma, &r->wider));
    a = &r->wider;
  }
  r->c = a->c;
  r->d = a->d;
  r->jac_start = a->jac_start;
  r->jac_col = a->jac_col;
  r->block_of = a->block_of;
  r->row_of = a->row_of;
  return BRINK_OK;
}

/* -------------------------------------------------- variables and symbols --- */

/* Symbols and variables of derivatives that are there already. */
static brink_status existing(reduction *r)
{
  const brink__flat *f = r->f;

  BRINK_TRY(brink__dae_take_ids(&r->tmp, f->n_vars, &r->der_symbol));
  BRINK_TRY(brink__dae_take_ids(&r->tmp, f->n_vars, &r->above));
  for (int32_t s = 0; s < f->n_symbols; s++)
    if (f->derivative[s] >= 0)
      r->der_symbol[f->derivative[s]] = s;
  for (size_t i = 0; i < f->n_vars; i++)
    if (f->vars[i].derivative_of)
      r->above[f->vars[i].derivative_of - 1] = (int32_t)i;
  return BRINK_OK;
}

/* Room for all variables and symbols that may be needed; the present ones are kept. */
static brink_status make_room(reduction *r)
{
  brink__flat *f = r->f;
  size_t n = r->natural.system.n_cols, all = 0;
  brink__flat_var *vars;

  BRINK_TRY(DAE_TAKE(&r->tmp, n + 1, &r->first));
  for (size_t j = 0; j < n; j++) {
    r->first[j] = all;
    all += (size_t)r->d[j] + 1;
  }
  r->first[n] = all;
  BRINK_TRY(DAE_TAKE(&r->tmp, all, &r->symbol));
  BRINK_TRY(DAE_TAKE(&r->tmp, all, &r->stands));
  BRINK_TRY(DAE_TAKE(&f->pool, f->n_vars + all, &vars));
  memcpy(vars, f->vars, f->n_vars * sizeof *vars);
  f->vars = vars;
  r->n_vars = f->n_vars;
  r->n_symbols = (int32_t)r->natural.system.n_symbols;
  return BRINK_OK;
}

/* A hidden variable, the derivative of another one or (of = 0) of none. */
static brink_status add_variable(reduction *r, const char *name, int32_t value, int of,
                                 brink__place at, int mode)
{
  brink__flat *f = r->f;

  if (f->borrowed) {
    r->at = at;
    return brink__fail(&r->ctx->err, BRINK_EMODEL,
                       "the equations of a mode need '%s' as a variable of that mode "
                       "alone, which is not supported yet; declare a variable for it",
                       name);
  }
  const char *own = brink__pool_str(&f->pool, name, strlen(name));
  if (!own)
    return BRINK_ENOMEM;
  f->vars[r->n_vars++] = (brink__flat_var){.name = own,
                                           .type = BRINK_TYPE_REAL,
                                           .variability = BRINK__CONTINUOUS,
                                           .at = at,
                                           .value = value,
                                           .der = -1,
                                           .pre = -1,
                                           .fixed = -1,
                                           .hidden = 1,
                                           .derivative_of = of,
                                           .mode = mode,
                                           .unit = "",
                                           .text = ""};
  return BRINK_OK;
}

/* A hidden variable that stands for the derivative of v. */
static brink_status new_variable(reduction *r, int32_t v, int32_t *out)
{
  const brink__flat_var *of = &r->f->vars[v];
  size_t n = strlen(of->name);
  char *name;

  BRINK_TRY(DAE_TAKE(&r->tmp, n + 6, &name));
  snprintf(name, n + 6, "der(%s)", of->name);
  *out = (int32_t)r->n_vars;
  return add_variable(r, name, r->n_symbols++, v + 1, of->at, of->mode);
}

/* Give column j a symbol for each order up to d: of a variable below d, of the
 * derivative of the last one at d. */
static brink_status name_orders(reduction *r, size_t j)
{
  brink__flat *f = r->f;
  int32_t *symbol = r->symbol + r->first[j], *stands = r->stands + r->first[j];
  int32_t v = r->natural.var[j], d = r->d[j];

  for (int32_t k = 0; k < d; k++) {
    int old = (size_t)v < f->n_vars; /* no new one */
    stands[k] = v;
    symbol[k] = f->vars[v].value;
    f->vars[v].der = old && r->der_symbol[v] >= 0 ? r->der_symbol[v] : r->n_symbols++;
    if (k + 1 == d)
      break;
    if (old && r->above[v] >= 0) {
      v = r->above[v];
      f->vars[v].inactive = 0;
    } else
      BRINK_TRY(new_variable(r, v, &v));
  }
  if (d == 0)
    f->vars[v].der = -1;
  stands[d] = -1;
  symbol[d] = d ? f->vars[stands[d - 1]].der : f->vars[v].value;
  return BRINK_OK;
}

static brink_status name_all(reduction *r)
{
  brink__flat *f = r->f;
  int32_t *derivative;

  BRINK_TRY(existing(r));
  BRINK_TRY(make_room(r));
  for (size_t k = 0; k < r->natural.n_added; k++)
    BRINK_TRY(add_variable(r, r->natural.added[k].name, r->natural.added[k].value, 0,
                           f->natural[r->natural.eqn[0]].at, 0));
  for (size_t j = 0; j < r->natural.system.n_cols; j++)
    BRINK_TRY(name_orders(r, j));
  BRINK_TRY(brink__dae_take_ids(&f->pool, (size_t)r->n_symbols, &derivative));
  memcpy(derivative, f->derivative, (size_t)f->n_symbols * sizeof *derivative);
  for (size_t i = 0; i < r->n_vars; i++)
    if (f->vars[i].der >= 0)
      derivative[f->vars[i].der] = (int32_t)i;
  f->derivative = derivative;
  return BRINK_OK;
}

/* ------------------------------------------------------------- equations --- */

static brink__node real_symbol(reduction *r, int32_t id)
{
  return brink__symbol(r->f->graph, id, BRINK_TYPE_REAL);
}

/* What stands for each symbol, where each derivative has one symbol. */
static brink_status unify(reduction *r)
{
  const brink__natural *s = &r->natural.system;

  BRINK_TRY(DAE_TAKE(&r->tmp, s->n_symbols, &r->by));
  for (size_t id = 0; id < s->n_symbols; id++) {
    const brink__term *t = &s->terms[id];
    if (t->var < 0 || t->order > r->d[t->var])
      continue;
    int32_t to = r->symbol[r->first[t->var] + (size_t)t->order];
    if (to == (int32_t)id)
      continue;
    r->by[id] = real_symbol(r, to);
    if (!r->by[id])
      return BRINK_ENOMEM;
  }
  return BRINK_OK;
}

static brink_status put(reduction *r, brink__node *root)
{
  return brink__substitute(r->f->graph, r->natural.system.n_symbols, r->by, 1, root,
                           root);
}

/* Both sides of all rows. */
static brink_status sides(reduction *r, brink__node *side)
{
  const brink__natural *s = &r->natural.system;

  for (size_t i = 0; i < s->n_rows; i++) {
    side[2 * i] = s->lhs[i];
    side[2 * i + 1] = s->rhs[i];
  }
  return brink__substitute(r->f->graph, s->n_symbols, r->by, 2 * s->n_rows, side, side);
}

/* What reads derivatives outside the equations; whens are shared by modes and stay. */
static brink_status elsewhere(reduction *r)
{
  brink__flat *f = r->f;

  for (size_t i = 0; i < f->n_initial_eqns; i++) {
    BRINK_TRY(put(r, &f->initial_eqns[i].lhs));
    BRINK_TRY(put(r, &f->initial_eqns[i].rhs));
  }
  for (size_t i = 0; i < f->n_relations; i++) {
    BRINK_TRY(put(r, &f->relations[i].left));
    BRINK_TRY(put(r, &f->relations[i].right));
  }
  for (size_t i = 0; i < f->n_stairs; i++)
    BRINK_TRY(put(r, &f->stairs[i].arg));
  for (size_t i = 0; i < f->n_delays; i++)
    BRINK_TRY(put(r, &f->delays[i].arg));
  return BRINK_OK;
}

/* A delay() in an equation that is differentiated: its derivative is not known. */
static brink_status refuse_delays(reduction *r, const brink__node *side)
{
  const brink__flat *f = r->f;
  unsigned char *delayed;

  if (!f->n_delays)
    return BRINK_OK;
  BRINK_TRY(DAE_TAKE(&r->tmp, (size_t)r->n_symbols, &delayed));
  for (size_t i = 0; i < f->n_delays; i++)
    delayed[f->delays[i].slot] = 1;
  for (size_t i = 0; i < r->natural.system.n_rows; i++) {
    brink__pattern p;
    if (r->c[i] == 0)
      continue;
    BRINK_TRY(brink__pattern_new(f->graph, 2, side + 2 * i, (size_t)r->n_symbols,
                                 delayed, &p));
    size_t n = p.nnz;
    brink__pattern_drop(&p);
    if (n == 0)
      continue;
    r->at = f->natural[r->natural.eqn[i]].at;
    return brink__fail(&r->ctx->err, BRINK_EMODEL,
                       "this equation must be differentiated %d time%s (the model has "
                       "index %d), and the derivative of delay() is not known",
                       (int)r->c[i], r->c[i] > 1 ? "s" : "", r->natural.analysis.index);
  }
  return BRINK_OK;
}

/* The derivative of each symbol. */
static brink_status successors(reduction *r, int32_t **out)
{
  int32_t *next;

  BRINK_TRY(brink__dae_take_ids(&r->tmp, (size_t)r->n_symbols, &next));
  next[BRINK__TIME] = BRINK__CLOCK_SYMBOL;
  for (size_t j = 0; j < r->natural.system.n_cols; j++)
    for (size_t k = r->first[j]; k + 1 < r->first[j + 1]; k++)
      next[r->symbol[k]] = r->symbol[k + 1];
  *out = next;
  return BRINK_OK;
}

static brink__node as_real(reduction *r, brink__node n)
{
  brink__graph *g = r->f->graph;
  return n && brink__node_type(g, n) != BRINK_TYPE_REAL
             ? brink__op1(g, BRINK_OP_REAL, n)
             : n;
}

/* The rows, differentiated c_i times, and what they say before. */
static brink_status differentiate(reduction *r, const brink__node *side)
{
  brink__flat *f = r->f;
  size_t n = r->natural.system.n_rows, all = 0, hidden = 0, *start;
  int32_t *next;
  brink__node *series;

  BRINK_TRY(DAE_TAKE(&r->tmp, 2 * n + 1, &start));
  for (size_t i = 0; i < 2 * n; i++) {
    start[i] = all;
    all += (size_t)r->c[i / 2] + 1;
  }
  start[2 * n] = all;
  BRINK_TRY(DAE_TAKE(&r->tmp, all, &series));
  BRINK_TRY(successors(r, &next));
  BRINK_TRY(brink__coefficients(f->graph, (size_t)r->n_symbols, next, 2 * n, side,
                                start, series));
  for (size_t i = 0; i < n; i++)
    hidden += (size_t)r->c[i];
  BRINK_TRY(DAE_TAKE(&f->pool, hidden, &f->constraints));
  for (size_t i = 0; i < n; i++) {
    const brink__flat_eqn *as_written = &f->natural[r->natural.eqn[i]];
    for (int k = 0; k <= r->c[i]; k++) {
      brink__node lhs = as_real(r, series[start[2 * i] + (size_t)k]);
      brink__node rhs = as_real(r, series[start[2 * i + 1] + (size_t)k]);
      if (!lhs || !rhs)
        return BRINK_ENOMEM;
      if (k < r->c[i])
        f->constraints[f->n_constraints++] =
            (brink__flat_constraint){lhs,
                                     rhs,
                                     as_written->at,
                                     r->natural.eqn[i],
                                     k,
                                     k - r->c[i],
                                     r->block_of[i],
                                     r->slope_start[i],
                                     r->slope_start[i + 1] - r->slope_start[i]};
      else {
        f->origins[f->n_eqns] = (brink__flat_origin){r->natural.eqn[i] + 1, k};
        f->eqns[f->n_eqns++] =
            (brink__flat_eqn){lhs, rhs, as_written->at, as_written->mode};
      }
    }
  }
  return BRINK_OK;
}

/* Derivatives of the rows that have constraints. */
static brink_status slopes(reduction *r, const brink__node *side)
{
  brink__flat *f = r->f;
  size_t n = r->natural.system.n_rows;

  BRINK_TRY(DAE_TAKE(&f->pool, r->jac_start[n], &f->slopes));
  BRINK_TRY(DAE_TAKE(&r->tmp, n + 1, &r->slope_start));
  for (size_t i = 0; i < n; i++) {
    r->slope_start[i] = f->n_slopes;
    for (size_t e = r->jac_start[i]; e < r->jac_start[i + 1] && r->c[i]; e++) {
      size_t j = (size_t)r->jac_col[e];
      int32_t order = r->d[j] - r->c[i];
      brink__node value =
          brink__diff(f->graph, brink__sub(f->graph, side[2 * i], side[2 * i + 1]),
                      r->symbol[r->first[j] + (size_t)order]);
      if (!value)
        return BRINK_ENOMEM;
      f->slopes[f->n_slopes++] = (brink__flat_slope){r->natural.var[j], order,
                                                     r->block_of[r->row_of[j]], value};
    }
  }
  r->slope_start[n] = f->n_slopes;
  return BRINK_OK;
}

/* The system Jacobian by the offsets without derivatives that others read; see
 * impulse.c. */
static brink_status leading(reduction *r, const brink__node *side)
{
  brink__flat *f = r->f;
  const brink__analysis *a = &r->natural.analysis;
  size_t n = a->n_rows, constraint = 0;

  BRINK_TRY(DAE_TAKE(&f->pool, n, &f->leading_rows));
  BRINK_TRY(DAE_TAKE(&f->pool, n, &f->leading_cols));
  BRINK_TRY(DAE_TAKE(&f->pool, a->jac_start[n], &f->leading_slopes));
  for (size_t i = 0; i < n; i++) {
    f->leading_rows[i] =
        (brink__flat_leading_row){r->natural.eqn[i],
                                  a->c[i],
                                  a->block_of[i],
                                  a->col_of[i],
                                  constraint,
                                  a->jac_start[i],
                                  a->jac_start[i + 1] - a->jac_start[i]};
    f->leading_cols[i] = (brink__flat_leading_col){
        r->natural.var[i], a->d[i], r->symbol[r->first[i] + (size_t)a->d[i]]};
    constraint += (size_t)r->c[i];
    for (size_t e = a->jac_start[i]; e < a->jac_start[i + 1]; e++) {
      size_t j = (size_t)a->jac_col[e];
      brink__node value =
          brink__diff(f->graph, brink__sub(f->graph, side[2 * i], side[2 * i + 1]),
                      r->symbol[r->first[j] + (size_t)(a->d[j] - a->c[i])]);
      if (!value)
        return BRINK_ENOMEM;
      f->leading_slopes[f->n_leading_slopes++] =
          (brink__flat_leading_slope){(int32_t)j, value};
    }
  }
  f->n_leading = n;
  return BRINK_OK;
}

/* der(x^(k)) = x^(k+1). */
static brink_status chain_rows(reduction *r)
{
  brink__flat *f = r->f;

  for (size_t j = 0; j < r->natural.system.n_cols; j++)
    for (size_t k = r->first[j]; k + 2 < r->first[j + 1]; k++) {
      const brink__flat_var *v = &f->vars[r->stands[k]];
      brink__node lhs = real_symbol(r, v->der), rhs = real_symbol(r, r->symbol[k + 1]);
      if (!lhs || !rhs)
        return BRINK_ENOMEM;
      f->eqns[f->n_eqns++] = (brink__flat_eqn){lhs, rhs, v->at, v->mode};
    }
  return BRINK_OK;
}

/* A variable for a derivative of order d: it equals that.  One of higher order, which
 * other modes have, does not exist in this one. */
static brink_status tops(reduction *r)
{
  brink__flat *f = r->f;
  const brink__natural *s = &r->natural.system;

  for (size_t i = 0; i < f->n_vars; i++) {
    brink__flat_var *v = &f->vars[i];
    if (!v->derivative_of || v->inactive)
      continue;
    const brink__term *t = &s->terms[v->value];
    if (t->var < 0 || t->order < r->d[t->var])
      continue;
    v->inactive = t->order > r->d[t->var];
    if (v->inactive)
      continue;
    brink__node lhs = real_symbol(r, v->value);
    brink__node rhs = real_symbol(r, r->symbol[r->first[t->var] + (size_t)t->order]);
    if (!lhs || !rhs)
      return BRINK_ENOMEM;
    v->der = -1;
    f->eqns[f->n_eqns++] = (brink__flat_eqn){lhs, rhs, v->at, v->mode};
  }
  return BRINK_OK;
}

/* Equations between discrete variables stay as they are. */
static void others(reduction *r)
{
  brink__flat *f = r->f;
  size_t row = 0;

  for (size_t i = 0; i < f->n_natural; i++)
    if (row < r->natural.system.n_rows && (size_t)r->natural.eqn[row] == i)
      row++;
    else
      f->eqns[f->n_eqns++] = f->natural[i];
}

static brink_status rewrite(reduction *r)
{
  brink__flat *f = r->f;
  brink__node *side;

  BRINK_TRY(offsets(r));
  BRINK_TRY(name_all(r));
  BRINK_TRY(DAE_TAKE(&r->tmp, 2 * r->natural.system.n_rows, &side));
  BRINK_TRY(unify(r));
  BRINK_TRY(sides(r, side));
  BRINK_TRY(elsewhere(r));
  BRINK_TRY(refuse_delays(r, side));
  size_t most = f->n_natural + r->first[r->natural.system.n_cols] + f->n_vars;
  BRINK_TRY(DAE_TAKE(&f->pool, most, &f->eqns));
  BRINK_TRY(DAE_TAKE(&f->pool, most, &f->origins));
  f->n_eqns = 0;
  BRINK_TRY(slopes(r, side));
  BRINK_TRY(differentiate(r, side));
  BRINK_TRY(leading(r, side));
  BRINK_TRY(chain_rows(r));
  BRINK_TRY(tops(r));
  others(r);
  f->n_vars = r->n_vars;
  f->n_symbols = r->n_symbols;
  return brink__dae_hand_on_starts(r->f, &r->tmp);
}

/* ------------------------------------------------------------------- face --- */

/* Parameters whose values conversions rely on cannot be set any more, nor those that
 * they are defined by. */
static brink_status keep_decisive(reduction *r)
{
  brink__flat *f = r->f;
  unsigned char *decides; /* [symbols] */
  int more = r->natural.n_decisive > 0;

  BRINK_TRY(DAE_TAKE(&r->tmp, (size_t)f->n_symbols, &decides));
  for (size_t k = 0; k < r->natural.n_decisive; k++)
    decides[f->vars[r->natural.decisive[k]].value] = 1;
  while (more) {
    more = 0;
    for (size_t i = 0; i < f->n_vars; i++) {
      brink__flat_var *v = &f->vars[i];
      brink__pattern p;
      if (!decides[v->value] || v->decides.line)
        continue;
      v->decides = v->at;
      more = 1;
      if (!v->binding)
        continue;
      BRINK_TRY(brink__pattern_new(f->graph, 1, &v->binding, 0, NULL, &p));
      for (size_t e = 0; e < p.nnz; e++)
        decides[p.col[e]] = 1;
      brink__pattern_drop(&p);
    }
  }
  return BRINK_OK;
}

static brink_status reduce(reduction *r)
{
  double *held;
  int determined;

  if (!r->f->natural) /* who made the model has not kept its equations */
    return BRINK_OK;
  BRINK_TRY(brink__dae_is_determined(r->f, &r->tmp, &determined));
  BRINK_TRY(DAE_TAKE(&r->tmp, (size_t)r->f->n_symbols, &held));
  brink__dae_hold_run(r->f, held);
  BRINK_TRY(brink__dae_natural_new(r->ctx, r->f, held, &r->natural));
  BRINK_TRY(brink__dae_convert(r->ctx, r->f, &r->natural));
  BRINK_TRY(keep_decisive(r));
  if (r->natural.contradictory) {
    r->at = r->natural.unconverted_at;
    return brink__fail(&r->ctx->err, BRINK_EMODEL, "%s", r->natural.unconverted);
  }
  if (r->natural.analysis.singular && !determined)
    return BRINK_OK;
  if (determined && (r->natural.analysis.singular || r->natural.n_conversions == 0))
    return brink__dae_hand_on_starts(r->f, &r->tmp);
  return rewrite(r);
}

brink_status brink__dae_reduce(dae_build *b)
{
  reduction r = {.ctx = b->ctx, .f = b->flat, .tmp = {.ctx = b->ctx}};
  brink_status rc = reduce(&r);

  if (rc == BRINK_EMODEL) {
    char text[BRINK_ERR_TEXT];
    snprintf(text, sizeof text, "%s", b->ctx->err.text);
    rc = brink__dae_fault(b, r.at, "%s", text);
  } else if (rc == BRINK_OK && r.natural.unconverted)
    brink__dae_warn(b, r.natural.unconverted_at, "%s", r.natural.unconverted);
  brink__dae_natural_drop(&r.natural);
  brink__analysis_drop(&r.wider);
  brink__pool_drop(&r.tmp);
  return rc;
}
