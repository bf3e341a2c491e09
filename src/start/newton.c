/* newton.c -- the conditions of the start, solved for its unknowns.
 *
 * Gauss-Newton steps of least size with exact derivatives (dae/tangent.c), halved until
 * the residuals become smaller.  With fewer conditions than unknowns the size of
 * a step is measured in nominal values, so that the start found is near the start
 * values; else the columns are scaled by their own size.  Each row is measured in what
 * the unknowns can do to it.  Steps end where they no longer help, at rounding; only
 * then is every condition judged:
 *
 *   it holds if its two sides agree up to some thousand roundings of their terms; or if
 *   no other condition says the same and the correction that is left is negligible
 *   beside the unknowns, or at rounding beside their nominal values (m*abs(m) = 0).
 *
 * Independent blocks (start_blocks.c) are searched side by side.  Cost of a step: an
 * evaluation of the equations for each unknown of the largest block, and a dense QR of
 * each block.
 */
#include "start/start.h"
#include "linear/linear.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
  STEPS = 100,   /* of one search: double roots gain one bit in each                */
  HALVINGS = 40, /* of one step                                                     */
  BALANCING = 4  /* passes over rows and columns: more change little                */
};

/* Roundings of its terms, each of relative size DBL_EPSILON, by which a condition may
 * be missed: what loops inside of the equations leave. */
static const double ROUNDINGS = 0x1p14;

/* A correction below this part of each unknown is negligible. */
static const double NEGLIGIBLE = 1e-10;

/* ... or below so many roundings of its nominal value. */
static const double AT_NOMINAL = 8 * DBL_EPSILON;

/* ------------------------------------------------------------- unknowns --- */

double *brink__start_value(dae_live *live, const start_unknown *u)
{
  switch (u->place) {
  case START_STATE: return &live->y[u->index];
  case START_PRE: return &live->v[u->symbol];
  case START_PAST: return &live->memory->before[u->index];
  }
  return NULL;
}

double brink__start_nominal(const dae_live *live, const start_unknown *u)
{
  return u->var < 0 || u->whole ? 1 : live->constants.nominal[u->var];
}

double brink__start_guess(const dae_live *live, const start_unknown *u)
{
  const dae_model *m = live->m;

  return u->place == START_PAST ? 0
         : u->named == u->var   ? live->constants.v0[u->symbol]
                                : live->constants.v0[m->flat->vars[u->named].value];
}

int brink__start_is_guess(const dae_live *live, const start_unknown *u)
{
  const brink__flat_var *v = u->named < 0 ? NULL : &live->m->flat->vars[u->named];

  return v && !u->follows && u->level >= START_STATES &&
         (v->start != BRINK__NONE || live->settings->set[v->value]);
}

int brink__start_searched(const dae_live *live, const start_unknown *u, int level)
{
  const dae_initial_work *w = &live->initial;

  return u->level >= 0 && u->level <= level && !(w->given && u->place == START_STATE) &&
         !(w->past_known && u->place == START_PAST) && !(w->whole_known && u->whole);
}

/* Is the condition to be met?  Where the caller gives the states, those about them are
 * not. */
static int is_wanted(const dae_live *live, const start_condition *c)
{
  const dae_initial_work *w = &live->initial;

  if (w->left_out[c - live->m->initial->conditions])
    return 0;
  if (c->from == START_DELAY)
    return !w->past_known;
  return !w->given || c->level == START_CLAIMED || c->assigned == 2;
}

int brink__start_takes_part(const dae_live *live, const start_condition *c, int level)
{
  return c->level >= 0 && c->level <= level && is_wanted(live, c);
}

/* ----------------------------------------------------------- evaluation --- */

static const dae_program *program_of(const dae_live *live)
{
  return live->homotopy ? &live->homotopy->program : &live->m->initial->program;
}

/* pre() of a continuous variable is its value. */
static void left_limits(dae_live *live, int of_states)
{
  const dae_model *m = live->m;

  for (size_t i = 0; i < m->n_states && of_states; i++)
    live->v[m->state_symbol[i]] = live->y[i];
  for (size_t i = 0; i < m->n_lefts; i++)
    if (m->lefts[i].is_state == of_states)
      live->v[m->lefts[i].pre] = live->v[m->lefts[i].value];
}

int brink__start_evaluate(dae_live *live, double t)
{
  const start_system *in = live->m->initial;
  const dae_program *p = program_of(live);
  const dae_step *last = &p->steps[p->n_steps - 1];

  left_limits(live, 1);
  if (brink__dae_run(live, p, t, live->y) < 0)
    return 0;
  left_limits(live, 0);
  for (size_t i = 0; i < in->n; i++) {
    size_t root = last->n_rows + 2 * i;
    live->initial.lhs[i] = live->v[brink__tape_slot(last->tape, root)];
    live->initial.rhs[i] = live->v[brink__tape_slot(last->tape, root + 1)];
  }
  return 1;
}

/* A direction: along this unknown. */
static void seed(double *jet, const start_unknown *u)
{
  jet[2 * (size_t)u->symbol + 1] = 1;
  if (u->left >= 0)
    jet[2 * (size_t)u->left + 1] = 1;
}

/* Slopes of the conditions along the direction in live->initial.jet. */
static int slopes(dae_live *live, int again, double *column)
{
  const dae_program *p = program_of(live);
  const dae_step *last = &p->steps[p->n_steps - 1];
  const double *jet = live->initial.jet;

  if (brink__dae_tangent(live, p, again, live->initial.jet) < 0)
    return 0;
  for (size_t i = 0; i < live->m->initial->n; i++) {
    size_t root = last->n_rows + 2 * i;
    column[i] = jet[2 * brink__tape_slot(last->tape, root) + 1] -
                jet[2 * brink__tape_slot(last->tape, root + 1) + 1];
    if (!isfinite(column[i]))
      return 0;
  }
  return 1;
}

int brink__start_column(dae_live *live, const start_unknown *u, int again,
                        double *column)
{
  brink__dae_tangent_begin(live, live->initial.jet);
  seed(live->initial.jet, u);
  return slopes(live, again, column);
}

/* ------------------------------------------------------------- matrices --- */

/* The conditions and unknowns of a level in one block. */
static start_search search_in(dae_live *live, const start_block *b, int level)
{
  const start_system *in = live->m->initial;
  dae_initial_work *w = &live->initial;
  size_t vector = b->first_condition + b->first_unknown;
  start_search s = {.block = b,
                    .active = w->active + b->first_condition,
                    .searched = w->searched + b->first_unknown,
                    .matrix = w->matrix + b->matrix,
                    .row_unit = w->row_unit + b->first_condition,
                    .unit = w->unit + b->first_unknown,
                    .dx = w->dx + vector,
                    .x = w->x + vector,
                    .best = w->best + b->first_condition,
                    .step = w->step + b->first_unknown,
                    .last_off = w->last_off + b->first_unknown,
                    .last_step = w->last_step + b->first_unknown};

  if (b->small)
    s.factors =
        (brink__free_columns){.a = w->near_a + b->factors,
                              .copy = w->near_copy + b->factors,
                              .beta = w->near_beta + b->first_unknown,
                              .factors = w->near_factors + 4 * b->first_condition,
                              .work = w->near_work + 2 * b->first_unknown,
                              .col = w->near_col + b->first_unknown,
                              .row = w->near_row + 2 * b->first_condition};
  for (size_t k = 0; k < b->n_conditions; k++) {
    int32_t i = in->block_condition[b->first_condition + k];
    if (brink__start_takes_part(live, &in->conditions[i], level))
      s.active[s.rows++] = i;
  }
  for (size_t k = 0; k < b->n_unknowns; k++) {
    int32_t j = in->block_unknown[b->first_unknown + k];
    if (brink__start_searched(live, &in->unknowns[j], level))
      s.searched[s.cols++] = j;
  }
  s.open = s.rows && s.cols && !b->staged;
  return s;
}

void brink__start_searches(dae_live *live, int level)
{
  const start_system *in = live->m->initial;

  for (size_t k = 0; k < in->n_blocks; k++)
    live->initial.search[k] = search_in(live, &in->blocks[k], level);
}

static const start_unknown *unknown(const dae_live *live, const start_search *s,
                                    size_t j)
{
  return &live->m->initial->unknowns[s->searched[j]];
}

static double *value_of(dae_live *live, const start_search *s, size_t j)
{
  return brink__start_value(live, unknown(live, s, j));
}

static double residual(const dae_live *live, const start_search *s, size_t i)
{
  return live->initial.lhs[s->active[i]] - live->initial.rhs[s->active[i]];
}

static int any_open(const dae_live *live)
{
  for (size_t k = 0; k < live->m->initial->n_blocks; k++)
    if (live->initial.search[k].open)
      return 1;
  return 0;
}

/* Column number j of each open block that has one: no condition depends on unknowns of
 * two blocks.  1: there was one, 0: it has no value, -1: there was none. */
static int columns(dae_live *live, size_t j)
{
  const start_system *in = live->m->initial;
  dae_initial_work *w = &live->initial;
  int any = 0;

  brink__dae_tangent_begin(live, w->jet);
  for (size_t k = 0; k < in->n_blocks; k++)
    if (w->search[k].open && j < w->search[k].cols) {
      seed(w->jet, unknown(live, &w->search[k], j));
      any = 1;
    }
  if (!any)
    return -1;
  if (!slopes(live, j > 0, w->column))
    return 0;
  for (size_t k = 0; k < in->n_blocks; k++) {
    const start_search *s = &w->search[k];
    for (size_t i = 0; s->open && j < s->cols && i < s->rows; i++)
      s->matrix[i * s->cols + j] = w->column[s->active[i]];
  }
  return 1;
}

int brink__start_matrices(dae_live *live)
{
  int there = any_open(live);

  live->effort.jac_evals += there;
  for (size_t j = 0; j < live->m->initial->max_unknowns && there > 0; j++)
    there = columns(live, j);
  return there != 0 || !any_open(live);
}

void brink__start_balance(size_t rows, size_t cols, const double *a, size_t row_step,
                          size_t col_step, double *row_unit, double *unit)
{
  for (int pass = 0; pass < BALANCING; pass++) {
    for (size_t i = 0; i < rows; i++) {
      double top = 0;
      for (size_t j = 0; j < cols; j++)
        top = fmax(top, fabs(a[i * row_step + j * col_step]) * unit[j]);
      row_unit[i] = top > 0 ? top : 1;
    }
    for (size_t j = 0; j < cols; j++) {
      double top = 0;
      for (size_t i = 0; i < rows; i++)
        top = fmax(top, fabs(a[i * row_step + j * col_step]) / row_unit[i]);
      unit[j] = top > 0 ? 1 / top : unit[j];
    }
  }
}

/* Each row in what the unknowns, in their units, can do to it. */
static void measure_rows(start_search *s)
{
  for (size_t i = 0; i < s->rows; i++) {
    double top = 0;
    for (size_t j = 0; j < s->cols; j++)
      top = fmax(top, fabs(s->matrix[i * s->cols + j]) * s->unit[j]);
    s->row_unit[i] = top > 0 ? top : 1;
  }
}

/* The step of least size, in dx.  balanced: sizes are measured in units in which all
 * columns have the same size, else in nominal values. */
static void least_step(dae_live *live, start_search *s, int balanced)
{
  dae_initial_work *w = &live->initial;

  for (size_t j = 0; j < s->cols; j++) {
    double x = fabs(*value_of(live, s, j));
    s->unit[j] =
        balanced && x > 0 ? x : brink__start_nominal(live, unknown(live, s, j));
  }
  if (balanced)
    brink__start_balance(s->rows, s->cols, s->matrix, s->cols, 1, s->row_unit, s->unit);
  measure_rows(s);
  for (size_t i = 0; i < s->rows; i++) {
    for (size_t j = 0; j < s->cols; j++)
      w->scaled[i * s->cols + j] =
          s->matrix[i * s->cols + j] * s->unit[j] / s->row_unit[i];
    w->b[i] = residual(live, s, i) / s->row_unit[i];
  }
  s->rank =
      brink__least_norm(s->rows, s->cols, w->scaled, w->b, s->dx, w->row, w->work);
  for (size_t j = 0; j < s->cols; j++)
    s->dx[j] *= s->unit[j];
}

void brink__start_correction(dae_live *live, start_search *s)
{
  dae_initial_work *w = &live->initial;
  int balanced = s->rows >= s->cols;

  least_step(live, s, balanced);
  size_t rank = s->rank;
  if (!balanced && rank < s->rows) { /* nominal values may hide that rows differ */
    least_step(live, s, 1);
    if (s->rank == rank)
      least_step(live, s, 0);
  }
  for (size_t i = 0; i < s->rows; i++)
    w->independent[s->active[i]] = 0;
  for (size_t k = 0; k < s->rank; k++)
    w->independent[s->active[w->row[k]]] = 1;
}

/* ---------------------------------------------------------------- steps --- */

/* Sum of squares of the residuals that the step is to remove, in the units of the rows;
 * r: [rows] or NULL, the present ones. */
static double size_of(const dae_live *live, const start_search *s, const double *r)
{
  double sum = 0;

  for (size_t i = 0; i < s->rows; i++) {
    double part = (r ? r[i] : residual(live, s, i)) / s->row_unit[i];
    sum += live->initial.independent[s->active[i]] ? part * part : 0;
  }
  return sum;
}

/* With more conditions than unknowns, those that depend on the others are left to the
 * check: what follows from them or contradicts them must not keep them from being met.
 * 1: there were such. */
static int leave_dependent(const dae_live *live, start_search *s)
{
  size_t n = 0;

  if (s->rank < s->cols || s->rank == s->rows)
    return 0;
  for (size_t i = 0; i < s->rows; i++)
    if (live->initial.independent[s->active[i]])
      s->active[n++] = s->active[i];
  s->rows = n;
  return 1;
}

/* A block that is to be moved by its correction. */
static void begin_move(dae_live *live, start_search *s)
{
  s->undecided = 1;
  for (size_t i = 0; i < s->rows; i++)
    s->best[i] = residual(live, s, i);
  for (size_t j = 0; j < s->cols; j++)
    s->x[j] = *value_of(live, s, j);
}

/* Put the unknowns of an undecided block at a part of its correction. */
static void place(dae_live *live, const start_search *s, double part)
{
  for (size_t j = 0; j < s->cols && s->undecided; j++)
    *value_of(live, s, j) = s->x[j] - part * s->dx[j];
}

/* Move the unknowns by the corrections, halved until the residuals become smaller, in
 * each block for itself.  Blocks in which they do not are closed.  0: no value at the
 * point that is left. */
static int move(dae_live *live, double t)
{
  start_search *all = live->initial.search;
  size_t n = live->m->initial->n_blocks, left = 0;
  double part = 1;

  for (size_t b = 0; b < n; b++)
    left += (size_t)all[b].undecided;
  for (int k = 0; k < HALVINGS && left; k++, part /= 2) {
    for (size_t b = 0; b < n; b++)
      place(live, &all[b], part);
    int here = brink__start_evaluate(live, t);
    for (size_t b = 0; b < n && here; b++)
      if (all[b].undecided &&
          size_of(live, &all[b], NULL) < size_of(live, &all[b], all[b].best)) {
        all[b].undecided = 0;
        left--;
      }
  }
  for (size_t b = 0; b < n && left; b++)
    if (all[b].undecided) {
      place(live, &all[b], 0);
      all[b].open = all[b].undecided = 0;
    }
  return !left || brink__start_evaluate(live, t);
}

start_end brink__start_steps(dae_live *live, double t)
{
  start_search *all = live->initial.search;

  for (int k = 0; k < STEPS && any_open(live); k++) {
    if (!brink__start_matrices(live))
      return START_NO_VALUE;
    for (size_t b = 0; b < live->m->initial->n_blocks; b++) {
      if (!all[b].open)
        continue;
      brink__start_correction(live, &all[b]);
      if (leave_dependent(live, &all[b]))
        continue;
      if (size_of(live, &all[b], NULL) == 0)
        all[b].open = 0;
      else
        begin_move(live, &all[b]);
    }
    if (!move(live, t))
      return START_NO_VALUE;
  }
  return START_SOLVED;
}

/* Rounding bounds of both sides of all conditions, where they have been evaluated, for
 * the uncertainties of the values in live->initial.delta. */
static void bounds_for(dae_live *live, double *bound)
{
  const dae_program *p = program_of(live);
  const dae_step *last = &p->steps[p->n_steps - 1];
  dae_initial_work *w = &live->initial;

  int known = brink__tape_noise(last->tape, live->v, w->delta, live->work,
                                w->all_bounds, NULL) == BRINK_OK;
  for (size_t i = 0; i < live->m->initial->n; i++)
    bound[i] = known ? w->all_bounds[last->n_rows + 2 * i] +
                           w->all_bounds[last->n_rows + 2 * i + 1]
                     : DBL_EPSILON * (fabs(w->lhs[i]) + fabs(w->rhs[i]));
}

/* ... where all values are rounded, in live->initial.bound. */
static void bounds(dae_live *live)
{
  const dae_model *m = live->m;
  dae_initial_work *w = &live->initial;

  for (size_t s = 0; s < m->n_symbols; s++)
    w->delta[s] = m->initial->is_real[s] ? DBL_EPSILON * fabs(live->v[s]) : 0;
  bounds_for(live, w->bound);
}

/* ... where the states are known up to rounding of their nominal values, too. */
static void bounds_at_nominal(dae_live *live, double *bound)
{
  const dae_model *m = live->m;

  for (size_t i = 0; i < m->n_states; i++)
    live->initial.delta[m->state_symbol[i]] +=
        AT_NOMINAL * live->constants.nominal[m->state_var[i]];
  bounds_for(live, bound);
}

/* In a system of higher index: do the conditions of a block that count at this level
 * hold up to rounding, where all have just been evaluated?  Then nothing is to be
 * searched there, which would take its matrix. */
static int holds(const dae_live *live, const start_block *b, int level, int all)
{
  const start_system *in = live->m->initial;
  const dae_initial_work *w = &live->initial;

  for (size_t k = 0; k < b->n_conditions; k++) {
    size_t i = (size_t)in->block_condition[b->first_condition + k];
    const start_condition *c = &in->conditions[i];
    int counts = all ? is_wanted(live, c) : brink__start_takes_part(live, c, level);
    double most = c->whole ? 0 : ROUNDINGS * w->bound[i] + w->at_nominal[i];
    if (counts && !(fabs(w->lhs[i] - w->rhs[i]) <= most))
      return 0;
  }
  return 1;
}

/* Close the blocks that hold. */
static void close_blocks(dae_live *live, int level, int all)
{
  const start_system *in = live->m->initial;
  dae_initial_work *w = &live->initial;

  bounds(live);
  if (in->stages.n == 0)
    return;
  bounds_at_nominal(live, w->at_nominal);
  for (size_t k = 0; k < in->n_blocks; k++) {
    start_search *s = &w->search[k];
    s->held = s->block->constrained && holds(live, s->block, level, all);
    s->open &= !s->held;
  }
}

start_end brink__start_newton(dae_live *live, double t, int level)
{
  brink__start_searches(live, level);
  live->searching = 1;
  int here = brink__start_evaluate(live, t);
  live->searching = 0;
  if (!here)
    return START_NO_VALUE;
  close_blocks(live, level, 0);
  if (!any_open(live))
    return START_SOLVED;
  start_end end = brink__start_steps(live, t);
  return end != START_SOLVED || brink__start_evaluate(live, t) ? end : START_NO_VALUE;
}

/* ---------------------------------------------------------------- check --- */

/* Is what is left to correct negligible?  The unknowns then solve every condition that
 * is no combination of others. */
static int is_converged(dae_live *live, const start_search *s)
{
  for (size_t j = 0; j < s->cols; j++) {
    const start_unknown *u = unknown(live, s, j);
    double x = fabs(*brink__start_value(live, u));
    if (!(fabs(s->dx[j]) <=
          NEGLIGIBLE * x + AT_NOMINAL * brink__start_nominal(live, u)))
      return 0;
  }
  return 1;
}

/* What the rounding of the unknowns can do to condition number i of the search. */
static double reach(dae_live *live, const start_search *s, size_t i)
{
  double sum = 0;

  for (size_t j = 0; j < s->cols; j++) {
    const start_unknown *u = unknown(live, s, j);
    double x = fabs(*brink__start_value(live, u));
    sum += fabs(s->matrix[i * s->cols + j]) * AT_NOMINAL *
           fmax(x, brink__start_nominal(live, u));
  }
  return sum;
}

/* How often the permitted residual a condition is missed by: above 1 it does not hold.
 */
static double excess(const dae_live *live, size_t i, int converged)
{
  const dae_initial_work *w = &live->initial;
  double r = fabs(w->lhs[i] - w->rhs[i]);

  if (r == 0 || (converged && w->independent[i]))
    return 0;
  if (live->m->initial->conditions[i].whole)
    return HUGE_VAL;
  return r / (ROUNDINGS * w->bound[i] + w->at_nominal[i]);
}

/* Count the conditions of a block that are missed; *most: by how much the one in
 * live->initial.worst is. */
static void check_block(dae_live *live, start_search *s, int all, double *most)
{
  const start_system *in = live->m->initial;
  dae_initial_work *w = &live->initial;
  const start_block *b = s->block;
  int converged = 1;

  for (size_t k = 0; k < b->n_conditions; k++) {
    size_t i = (size_t)in->block_condition[b->first_condition + k];
    w->independent[i] = 0;
    w->at_nominal[i] = b->staged ? w->at_nominal[i] : 0;
  }
  if (s->open) {
    brink__start_correction(live, s);
    for (size_t i = 0; i < s->rows; i++)
      w->at_nominal[s->active[i]] = reach(live, s, i);
    converged = is_converged(live, s);
  }
  for (size_t k = 0; k < b->n_conditions; k++) {
    size_t i = (size_t)in->block_condition[b->first_condition + k];
    const start_condition *c = &in->conditions[i];
    double by =
        is_wanted(live, c) && (all || c->level >= 0) ? excess(live, i, converged) : 0;
    w->n_missed += !(by <= 1);
    if (!(by <= *most)) {
      *most = by;
      w->worst = i;
    }
  }
}

start_end brink__start_check(dae_live *live, double t, int level, int all)
{
  const start_system *in = live->m->initial;
  dae_initial_work *w = &live->initial;
  double most = 1;

  brink__start_searches(live, level);
  if (!brink__start_evaluate(live, t))
    return START_NO_VALUE;
  close_blocks(live, level, all);
  if (!brink__start_matrices(live))
    return START_NO_VALUE;
  w->worst = in->n;
  w->n_missed = 0;
  for (size_t k = 0; k < in->n_blocks; k++) {
    size_t before = w->n_missed;
    if (!w->search[k].held)
      check_block(live, &w->search[k], all, &most);
    w->missed[k] = w->n_missed > before;
  }
  return w->worst == in->n ? START_SOLVED : START_UNSOLVED;
}
