/* unsolved_start.c -- sentences about a start that was not found.
 *
 * A condition that is missed contradicts others if its derivatives with respect to the
 * unknowns are a combination of theirs: those are named, with the fixed start values
 * that enter the combination.  If it depends on neither, the equation of the run that
 * determines its variable is.
 */
#include "start/start.h"
#include "linear/linear.h"

#include <math.h>
#include <string.h>

enum {
  EQUATIONS_SHOWN = 2,
  BALANCE_SHOWN = 4,
  CONFLICTS_SHOWN = 4,
  LEFT_OUT_MAX = 32 /* conditions, one after the other, to see whether the others can be
                       solved */
};

/* A share of another condition below this part of the largest one is rounding. */
static const double NO_SHARE = 1e-7;

/* ------------------------------------------------------------- conditions -- */

void brink__start_add_condition(brink__sentence *s, const dae_live *live, size_t i)
{
  const dae_model *m = live->m;
  const start_condition *c = &m->initial->conditions[i];
  brink__system sys = dae_system(live);

  if (c->from == START_EQUATION)
    brink__sentence_equation(s, &sys, c->lhs, c->rhs, brink__start_line(m, i));
  else if (c->from == START_FIXED)
    brink__sentence_add(s, "the fixed start value of '%.60s' (line %d)",
                        m->flat->vars[c->index].name, brink__start_line(m, i));
  else if (c->from == START_CONSTRAINT)
    brink__sentence_derivative(s, &sys, m->flat->constraints[c->index].eqn, c->order);
  else
    brink__sentence_add(s, "the value before the start of %.60s (line %d)",
                        m->flat->delays[c->index].text, brink__start_line(m, i));
}

/* How many conditions and unknowns of a block are searched at a level. */
static void count(const dae_live *live, const start_block *b, int level, size_t *rows,
                  size_t *cols)
{
  const start_system *in = live->m->initial;

  *rows = *cols = 0;
  for (size_t k = 0; k < b->n_conditions; k++) {
    int32_t i = in->block_condition[b->first_condition + k];
    *rows += (size_t)brink__start_takes_part(live, &in->conditions[i], level);
  }
  for (size_t k = 0; k < b->n_unknowns; k++) {
    int32_t j = in->block_unknown[b->first_unknown + k];
    *cols += (size_t)brink__start_searched(live, &in->unknowns[j], level);
  }
}

/* " (lines 4, 5)" */
static void add_lines(brink__sentence *s, const dae_live *live, const start_block *b,
                      int level)
{
  const start_system *in = live->m->initial;
  size_t n = 0;

  for (size_t k = 0; k < b->n_conditions && n <= BALANCE_SHOWN; k++) {
    int32_t i = in->block_condition[b->first_condition + k];
    if (!brink__start_takes_part(live, &in->conditions[i], level))
      continue;
    if (n < BALANCE_SHOWN)
      brink__sentence_add(s, "%s%d", n ? ", " : " (lines ",
                          brink__start_line(live->m, (size_t)i));
    else
      brink__sentence_add(s, ", ...");
    n++;
  }
  brink__sentence_add(s, "%s", n ? ")" : "");
}

/* " (y = 0.5)" */
static void add_free(brink__sentence *s, dae_live *live, const start_block *b,
                     int level)
{
  const start_system *in = live->m->initial;
  size_t n = 0;

  for (size_t k = 0; k < b->n_unknowns && n <= BALANCE_SHOWN; k++) {
    const start_unknown *u = &in->unknowns[in->block_unknown[b->first_unknown + k]];
    if (!brink__start_searched(live, u, level) || u->var < 0)
      continue;
    if (n < BALANCE_SHOWN)
      brink__sentence_add(s, "%s%.40s = %.9g", n ? ", " : " (",
                          live->m->flat->vars[u->var].name,
                          *brink__start_value(live, u));
    else
      brink__sentence_add(s, ", ...");
    n++;
  }
  brink__sentence_add(s, "%s", n ? ")" : "");
}

/* "2 conditions (lines 4, 5) for 1 free value (y = 0.5)" */
static void add_balance(brink__sentence *s, dae_live *live, const start_block *b,
                        int level)
{
  size_t rows, cols;

  count(live, b, level, &rows, &cols);
  brink__sentence_add(s, "; %zu condition%s", rows, rows == 1 ? "" : "s");
  if (rows > 1)
    add_lines(s, live, b, level);
  brink__sentence_add(s, " for %zu free value%s", cols, cols == 1 ? "" : "s");
  add_free(s, live, b, level);
}

/* --------------------------------------------------------------- conflicts -- */

/* The worst condition as a combination of the others of its block. */
typedef struct conflict {
  dae_live *live;
  dae_initial_work *w;
  const start_block *block;
  double *matrix;    /* [cols][conditions] derivatives by unknown                   */
  size_t rows, cols; /* other conditions of the level; unknowns                   */
  double *share;     /* [rows] of each of them                                   */
  int exists;        /* it is a combination                                      */
  int flat;          /* no unknown changes it, to first order                     */
  int named;         /* how many the sentence has named                          */
} conflict;

/* Derivative of condition number i, of the model, with respect to unknown j. */
static double slope(const conflict *k, size_t j, size_t i)
{
  return k->matrix[j * k->block->n_conditions + k->w->place[i]];
}

/* Derivatives of the conditions of the block by unknown. */
static int transposed(conflict *k, int level)
{
  const start_system *in = k->live->m->initial;
  const start_block *b = k->block;
  const int32_t *condition = in->block_condition + b->first_condition;

  if (b->staged)
    return 0;
  k->matrix = k->w->matrix + b->matrix;
  for (size_t c = 0; c < b->n_conditions; c++)
    k->w->place[condition[c]] = c;
  for (size_t c = 0; c < b->n_unknowns; c++) {
    const start_unknown *u = &in->unknowns[in->block_unknown[b->first_unknown + c]];
    if (!brink__start_searched(k->live, u, level))
      continue;
    if (!brink__start_column(k->live, u, 0, k->w->column))
      return 0;
    for (size_t i = 0; i < b->n_conditions; i++)
      k->matrix[k->cols * b->n_conditions + i] = k->w->column[condition[i]];
    k->cols++;
  }
  return 1;
}

/* Solve for the shares; the equations are those of the unknowns. */
static void solve_shares(conflict *k)
{
  dae_initial_work *w = k->w;

  for (size_t j = 0; j < k->cols; j++) {
    w->unit[j] = 1;
    for (size_t i = 0; i < k->rows; i++)
      w->scaled[j * k->rows + i] = slope(k, j, (size_t)w->active[i]);
  }
  brink__start_balance(k->rows, k->cols, w->scaled, 1, k->rows, w->row_unit, w->unit);
  for (size_t j = 0; j < k->cols; j++) {
    for (size_t i = 0; i < k->rows; i++)
      w->scaled[j * k->rows + i] *= w->unit[j] / w->row_unit[i];
    w->b[j] = slope(k, j, w->worst) * w->unit[j];
  }
  k->share = w->dx;
  memset(k->share, 0, k->rows * sizeof *k->share);
  if (k->rows && k->cols)
    brink__least_norm(k->cols, k->rows, w->scaled, w->b, k->share, w->row, w->work);
  for (size_t i = 0; i < k->rows; i++)
    k->share[i] /= w->row_unit[i];
}

/* Is the worst condition a combination of the others? */
static void combine(conflict *k, int level)
{
  const start_system *in = k->live->m->initial;
  const start_block *b = k->block;
  dae_initial_work *w = k->w;
  double far = 0, size = 0;

  for (size_t c = 0; c < b->n_conditions; c++) {
    size_t i = (size_t)in->block_condition[b->first_condition + c];
    if (i != w->worst && brink__start_takes_part(k->live, &in->conditions[i], level))
      w->active[k->rows++] = (int)i;
  }
  solve_shares(k);
  for (size_t j = 0; j < k->cols; j++) {
    double left = slope(k, j, w->worst), top = fabs(left);
    for (size_t i = 0; i < k->rows; i++) {
      double part = k->share[i] * slope(k, j, (size_t)w->active[i]);
      left -= part;
      top = fmax(top, fabs(part));
    }
    far = fmax(far, w->unit[j] * fabs(left));
    size = fmax(size, w->unit[j] * top);
  }
  k->flat = size == 0;
  int fixed =
      in->conditions[w->worst].from == START_CONSTRAINT; /* all its states are */
  k->exists = k->flat ? k->cols == 0 || fixed : far <= NO_SHARE * size;
}

static void name(conflict *k, brink__sentence *s)
{
  brink__sentence_add(s, "%s", k->named++ ? " and " : "; it contradicts ");
}

/* The conditions that have a share in the combination: those of the start, or the
 * constraints that equations make. */
static void name_conditions(conflict *k, brink__sentence *s, int constraints)
{
  const start_system *in = k->live->m->initial;
  double top = 0;

  for (int pass = 0; pass < 2; pass++)
    for (size_t i = 0; i < k->rows; i++) {
      double part = 0;
      for (size_t j = 0; j < k->cols; j++)
        part = fmax(part, fabs(k->share[i] * k->w->unit[j] *
                               slope(k, j, (size_t)k->w->active[i])));
      top = fmax(top, part);
      int is = in->conditions[k->w->active[i]].from == START_CONSTRAINT;
      if (pass == 0 || part <= NO_SHARE * top || k->named >= CONFLICTS_SHOWN ||
          is != constraints)
        continue;
      name(k, s);
      brink__start_add_condition(s, k->live, (size_t)k->w->active[i]);
    }
}

/* Fixed start values, and those that other conditions set. */
static void name_given(conflict *k, brink__sentence *s)
{
  const dae_model *m = k->live->m;
  const start_system *in = m->initial;

  for (size_t j = in->n_searched; j < in->n_unknowns; j++) {
    const start_unknown *u = &in->unknowns[j];
    double d, top;
    if (k->named >= CONFLICTS_SHOWN ||
        !brink__start_column(k->live, u, 0, k->w->column))
      continue;
    d = k->w->column[k->w->worst];
    top = fabs(d);
    for (size_t i = 0; i < k->rows; i++) {
      double part = k->share[i] * k->w->column[k->w->active[i]];
      d -= part;
      top = fmax(top, fabs(part));
    }
    if (!(fabs(d) > NO_SHARE * top))
      continue;
    name(k, s);
    if (u->set_by >= 0 && (size_t)u->set_by != k->w->worst)
      brink__start_add_condition(s, k->live, (size_t)u->set_by);
    else
      brink__sentence_add(s, "the %sstart value of '%.60s' (line %d)",
                          m->flat->vars[u->var].fixed == 1 ? "fixed " : "",
                          m->flat->vars[u->var].name, m->flat->vars[u->var].at.line);
  }
}

/* The equation of the run; of a when, the assignment of the branch that fires. */
static void add_row(const conflict *k, brink__sentence *s, int32_t number)
{
  const dae_model *m = k->live->m;
  brink__system sys = dae_system(k->live);
  const brink__row *row = &m->rows[number];

  for (size_t b = 0; b < m->n_branches && row->kind == BRINK__ROW_ASSIGN; b++)
    for (int i = 0; i < m->branches[b].flat->n_actions; i++) {
      const brink__flat_action *a = &m->branches[b].flat->actions[i];
      if (k->live->v[m->branches[b].fire] == 0 || a->kind != BRINK__ASSIGN ||
          brink__node_op(m->flat->graph, row->lhs) != BRINK_OP_SYMBOL ||
          m->flat->vars[a->var].value != brink__node_symbol(m->flat->graph, row->lhs))
        continue;
      brink__sentence_equation(s, &sys, row->lhs, a->value,
                               a->at.line ? a->at.line : row->at.line);
      return;
    }
  brink__sentence_row(s, &sys, number);
}

/* What the condition is about is determined by an equation of the run, whatever the
 * unknowns are, or (to first order) where they are. */
static void name_row(conflict *k, brink__sentence *s)
{
  int32_t row = k->live->m->initial->conditions[k->w->worst].row;

  if (row < 0 || k->named)
    return;
  if (k->exists)
    name(k, s);
  else
    brink__sentence_add(s, "; ");
  add_row(k, s, row);
  if (!k->exists)
    brink__sentence_add(s, " determines it");
}

/* ---------------------------------------------------------------- sentences -- */

static void add_missed(brink__sentence *s, const dae_live *live)
{
  const dae_initial_work *w = &live->initial;
  const start_condition *c = &live->m->initial->conditions[w->worst];
  brink__system sys = dae_system(live);

  brink__start_add_condition(s, live, w->worst);
  brink__sentence_add(s, " is missed");
  if (!c->whole)
    brink__sentence_add(s, " by %.3g", fabs(w->lhs[w->worst] - w->rhs[w->worst]));
  brink__sentence_values(s, &sys, ", with ", (brink__node[]){c->lhs, c->rhs}, 2, NULL,
                         0);
}

/* Solve the conditions that are not left out, from the guesses. */
static int others_hold(dae_live *live, double t)
{
  const start_system *in = live->m->initial;

  for (size_t j = 0; j < in->n_searched; j++)
    *brink__start_value(live, &in->unknowns[j]) = live->initial.guess[j];
  return brink__start_solve(live, t) == START_SOLVED;
}

/* Conditions that cannot hold together keep each other from being met.  Find one
 * without which the others can be solved, in live->initial.worst: the one that is
 * missed most, else the last that is written.  0: there is none. */
static int isolate(dae_live *live, double t)
{
  const start_system *in = live->m->initial;
  dae_initial_work *w = &live->initial;
  size_t first = w->worst, tried = 0;

  const start_block *b = &in->blocks[in->conditions[first].block];

  if (in->conditions[first].level < 0)
    return 1; /* it took no part in the search */
  if (b->n_conditions > LEFT_OUT_MAX)
    return 0; /* that would take too long */
  for (size_t k = 0; k <= b->n_conditions && tried < LEFT_OUT_MAX; k++) {
    size_t last = b->first_condition + b->n_conditions;
    size_t i = k == 0 ? first : (size_t)in->block_condition[last - k];
    if (in->conditions[i].level < 0 || (k > 0 && i == first))
      continue;
    w->left_out[i] = 1;
    tried++;
    if (others_hold(live, t)) {
      w->worst = i;
      return 1;
    }
    w->left_out[i] = 0;
  }
  return 0;
}

/* What the condition in live->initial.worst depends on, at the present values. */
static conflict analyse(dae_live *live, double t, int level)
{
  const start_system *in = live->m->initial;
  conflict k = {.live = live,
                .w = &live->initial,
                .block = &in->blocks[in->conditions[live->initial.worst].block]};

  k.w->whole_known = 1;
  if (brink__start_evaluate(live, t) && transposed(&k, level))
    combine(&k, level);
  k.w->whole_known = 0;
  return k;
}

/* A condition that contradicts others, or else the one that is missed most where the
 * search ended. */
static conflict find_conflict(dae_live *live, double t, int level)
{
  const start_system *in = live->m->initial;
  dae_initial_work *w = &live->initial;
  size_t first = w->worst;
  conflict k = {.live = live, .w = w};

  for (size_t j = 0; j < in->n_searched; j++)
    w->kept[j] = *brink__start_value(live, &in->unknowns[j]);
  if (isolate(live, t))
    k = analyse(live, t, level);
  memset(w->left_out, 0, in->n);
  w->proved = k.exists;
  if (k.exists)
    return k;
  for (size_t j = 0; j < in->n_searched; j++)
    *brink__start_value(live, &in->unknowns[j]) = w->kept[j];
  w->worst = first;
  k = analyse(live, t, level);
  k.exists = 0;
  return k;
}

void brink__start_explain_unsolved(dae_live *live, double t)
{
  const start_system *in = live->m->initial;
  brink__sentence s = {live->reason, sizeof live->reason, 0};
  int level = live->initial.given ? START_CLAIMED : START_DISCRETES;
  conflict k = find_conflict(live, t, level);
  const start_block *b = &in->blocks[in->conditions[live->initial.worst].block];
  size_t rows, cols;

  count(live, b, level, &rows, &cols);
  brink__sentence_add(&s, "%s: ",
                      !k.exists                  ? "no start was found"
                      : rows > cols || rows == 0 ? "the start is over-determined"
                                                 : "the start is contradictory");
  add_missed(&s, live);
  if (k.exists) {
    name_conditions(&k, &s, 0);
    name_given(&k, &s);
    name_conditions(&k, &s, 1);
  }
  if (k.exists || k.flat)
    name_row(&k, &s);
  if (rows)
    add_balance(&s, live, b, level);
  brink__sentence_add(&s, " at t = %.9g", t);
}

const char *brink__start_explain_path(dae_live *live)
{
  const start_system *in = live->m->initial;
  brink__sentence s = {live->reason, sizeof live->reason, 0};
  brink__system sys = dae_system(live);
  brink__node roots[2 * EQUATIONS_SHOWN] = {BRINK__NONE};
  size_t n = 0, all = 0;

  brink__sentence_add(&s, "no solution of ");
  for (size_t i = 0; i < in->n; i++)
    all += (size_t)brink__start_takes_part(live, &in->conditions[i], START_STATES);
  for (size_t i = 0; i < in->n && n < EQUATIONS_SHOWN; i++) {
    if (!brink__start_takes_part(live, &in->conditions[i], START_STATES))
      continue;
    brink__sentence_add(&s, "%s", n == 0 ? "" : all == 2 ? " and " : ", ");
    brink__start_add_condition(&s, live, i);
    if (in->conditions[i].from == START_EQUATION) {
      roots[2 * n] = in->conditions[i].lhs;
      roots[2 * n + 1] = in->conditions[i].rhs;
    }
    n++;
  }
  if (all > EQUATIONS_SHOWN)
    brink__sentence_add(&s, " and %zu more", all - EQUATIONS_SHOWN);
  brink__sentence_values(&s, &sys, ", with ", roots, 2 * EQUATIONS_SHOWN, NULL, 0);
  brink__sentence_add(&s, " at t = %.9g", live->t);
  return live->reason;
}
