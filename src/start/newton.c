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
 * Cost of a step: an evaluation of the equations for each unknown, and a dense QR.
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

int brink__start_column(dae_live *live, const start_unknown *u, int again,
                        double *column)
{
  const start_system *in = live->m->initial;
  const dae_program *p = program_of(live);
  const dae_step *last = &p->steps[p->n_steps - 1];
  double *jet = live->initial.jet;

  brink__dae_tangent_begin(live, jet);
  jet[2 * (size_t)u->symbol + 1] = 1;
  if (u->left >= 0)
    jet[2 * (size_t)u->left + 1] = 1;
  if (brink__dae_tangent(live, p, again, jet) < 0)
    return 0;
  for (size_t i = 0; i < in->n; i++) {
    size_t root = last->n_rows + 2 * i;
    column[i] = jet[2 * brink__tape_slot(last->tape, root) + 1] -
                jet[2 * brink__tape_slot(last->tape, root + 1) + 1];
    if (!isfinite(column[i]))
      return 0;
  }
  return 1;
}

/* ------------------------------------------------------------- matrices --- */

/* The conditions and unknowns of one level. */
typedef struct search {
  dae_live *live;
  dae_initial_work *w;
  double t;
  size_t rows, cols;
  size_t rank; /* of the matrix, where a correction was last computed */
} search;

static search search_at(dae_live *live, double t, int level)
{
  const start_system *in = live->m->initial;
  search s = {.live = live, .w = &live->initial, .t = t};

  for (size_t i = 0; i < in->n; i++)
    if (brink__start_takes_part(live, &in->conditions[i], level))
      s.w->active[s.rows++] = (int)i;
  for (size_t j = 0; j < in->n_searched; j++)
    if (brink__start_searched(live, &in->unknowns[j], level))
      s.w->searched[s.cols++] = (int)j;
  return s;
}

static const start_unknown *unknown(const search *s, size_t j)
{
  return &s->live->m->initial->unknowns[s->w->searched[j]];
}

static double residual(const search *s, size_t i)
{
  return s->w->lhs[s->w->active[i]] - s->w->rhs[s->w->active[i]];
}

static int derivatives(search *s)
{
  dae_initial_work *w = s->w;

  s->live->effort.jac_evals++;
  for (size_t j = 0; j < s->cols; j++) {
    if (!brink__start_column(s->live, unknown(s, j), j > 0, w->column))
      return 0;
    for (size_t i = 0; i < s->rows; i++)
      w->matrix[i * s->cols + j] = w->column[w->active[i]];
  }
  return 1;
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
static void measure_rows(search *s)
{
  dae_initial_work *w = s->w;

  for (size_t i = 0; i < s->rows; i++) {
    double top = 0;
    for (size_t j = 0; j < s->cols; j++)
      top = fmax(top, fabs(w->matrix[i * s->cols + j]) * w->unit[j]);
    w->row_unit[i] = top > 0 ? top : 1;
  }
}

/* The step of least size, in w->dx.  balanced: sizes are measured in units in which all
 * columns have the same size, else in nominal values. */
static void least_step(search *s, int balanced)
{
  dae_initial_work *w = s->w;

  for (size_t j = 0; j < s->cols; j++) {
    double x = fabs(*brink__start_value(s->live, unknown(s, j)));
    w->unit[j] = balanced && x > 0 ? x : brink__start_nominal(s->live, unknown(s, j));
  }
  if (balanced)
    brink__start_balance(s->rows, s->cols, w->matrix, s->cols, 1, w->row_unit, w->unit);
  measure_rows(s);
  for (size_t i = 0; i < s->rows; i++) {
    for (size_t j = 0; j < s->cols; j++)
      w->scaled[i * s->cols + j] =
          w->matrix[i * s->cols + j] * w->unit[j] / w->row_unit[i];
    w->b[i] = residual(s, i) / w->row_unit[i];
  }
  s->rank =
      brink__least_norm(s->rows, s->cols, w->scaled, w->b, w->dx, w->row, w->work);
  for (size_t j = 0; j < s->cols; j++)
    w->dx[j] *= w->unit[j];
}

static void correction(search *s)
{
  dae_initial_work *w = s->w;
  int balanced = s->rows >= s->cols;

  least_step(s, balanced);
  size_t rank = s->rank;
  if (!balanced && rank < s->rows) { /* nominal values may hide that rows differ */
    least_step(s, 1);
    if (s->rank == rank)
      least_step(s, 0);
  }
  memset(w->independent, 0, s->live->m->initial->n);
  for (size_t k = 0; k < s->rank; k++)
    w->independent[w->active[w->row[k]]] = 1;
}

/* ---------------------------------------------------------------- steps --- */

/* Sum of squares of the residuals that the step is to remove, in the units of the rows;
 * r: [rows] or NULL, the present ones. */
static double size_of(const search *s, const double *r)
{
  double sum = 0;

  for (size_t i = 0; i < s->rows; i++) {
    double part = (r ? r[i] : residual(s, i)) / s->w->row_unit[i];
    sum += s->w->independent[s->w->active[i]] ? part * part : 0;
  }
  return sum;
}

/* With more conditions than unknowns, those that depend on the others are left to the
 * check: what follows from them or contradicts them must not keep them from being met.
 * 1: there were such. */
static int leave_dependent(search *s)
{
  dae_initial_work *w = s->w;
  size_t n = 0;

  if (s->rank < s->cols || s->rank == s->rows)
    return 0;
  for (size_t i = 0; i < s->rows; i++)
    if (w->independent[w->active[i]])
      w->active[n++] = w->active[i];
  s->rows = n;
  return 1;
}

/* Move the unknowns by the correction, halved until the residuals become smaller. */
static int move(search *s)
{
  dae_initial_work *w = s->w;
  double lambda = 1;

  for (size_t i = 0; i < s->rows; i++)
    w->best[i] = residual(s, i);
  for (size_t j = 0; j < s->cols; j++)
    w->x[j] = *brink__start_value(s->live, unknown(s, j));
  for (int k = 0; k < HALVINGS; k++, lambda /= 2) {
    for (size_t j = 0; j < s->cols; j++)
      *brink__start_value(s->live, unknown(s, j)) = w->x[j] - lambda * w->dx[j];
    if (brink__start_evaluate(s->live, s->t) && size_of(s, NULL) < size_of(s, w->best))
      return 1;
  }
  for (size_t j = 0; j < s->cols; j++)
    *brink__start_value(s->live, unknown(s, j)) = w->x[j];
  return 0;
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

/* In a system of higher index: do all conditions of the level, or all, hold up to
 * rounding, where they have just been evaluated?  Then nothing is to be searched, which
 * would take a matrix of all of them. */
static int all_hold(dae_live *live, int level, int all)
{
  const start_system *in = live->m->initial;
  const dae_initial_work *w = &live->initial;

  if (in->stages.n == 0)
    return 0;
  bounds(live);
  bounds_at_nominal(live, w->best);
  for (size_t i = 0; i < in->n; i++) {
    const start_condition *c = &in->conditions[i];
    int counts = all ? is_wanted(live, c) : brink__start_takes_part(live, c, level);
    double most = c->whole ? 0 : ROUNDINGS * w->bound[i] + w->best[i];
    if (counts && !(fabs(w->lhs[i] - w->rhs[i]) <= most))
      return 0;
  }
  return 1;
}

start_end brink__start_newton(dae_live *live, double t, int level)
{
  search s = search_at(live, t, level);

  live->searching = 1;
  int here = brink__start_evaluate(live, t);
  live->searching = 0;
  if (!here)
    return START_NO_VALUE;
  if (all_hold(live, level, 0))
    return START_SOLVED;
  for (int k = 0; k < STEPS && s.cols && s.rows; k++) {
    if (!derivatives(&s))
      return START_NO_VALUE;
    correction(&s);
    if (leave_dependent(&s))
      continue;
    if (size_of(&s, NULL) == 0 || !move(&s))
      break;
  }
  return brink__start_evaluate(live, t) ? START_SOLVED : START_NO_VALUE;
}

/* ---------------------------------------------------------------- check --- */

/* Is what is left to correct negligible?  The unknowns then solve every condition that
 * is no combination of others. */
static int is_converged(const search *s)
{
  for (size_t j = 0; j < s->cols; j++) {
    const start_unknown *u = unknown(s, j);
    double x = fabs(*brink__start_value(s->live, u));
    if (!(fabs(s->w->dx[j]) <=
          NEGLIGIBLE * x + AT_NOMINAL * brink__start_nominal(s->live, u)))
      return 0;
  }
  return 1;
}

/* What the rounding of the unknowns can do to condition number i of the search. */
static double reach(const search *s, size_t i)
{
  double sum = 0;

  for (size_t j = 0; j < s->cols; j++) {
    const start_unknown *u = unknown(s, j);
    double x = fabs(*brink__start_value(s->live, u));
    sum += fabs(s->w->matrix[i * s->cols + j]) * AT_NOMINAL *
           fmax(x, brink__start_nominal(s->live, u));
  }
  return sum;
}

/* How often the permitted residual a condition is missed by: above 1 it does not hold.
 */
static double excess(const search *s, size_t i, int converged)
{
  const dae_initial_work *w = s->w;
  double r = fabs(w->lhs[i] - w->rhs[i]);

  if (r == 0 || (converged && w->independent[i]))
    return 0;
  if (s->live->m->initial->conditions[i].whole)
    return HUGE_VAL;
  return r / (ROUNDINGS * w->bound[i] + w->best[i]);
}

start_end brink__start_check(dae_live *live, double t, int level, int all)
{
  const start_system *in = live->m->initial;
  dae_initial_work *w = &live->initial;
  search s = search_at(live, t, level);
  double most = 1;

  if (!brink__start_evaluate(live, t))
    return START_NO_VALUE;
  if (all_hold(live, level, all))
    return START_SOLVED;
  if (!derivatives(&s))
    return START_NO_VALUE;
  correction(&s);
  bounds(live);
  memset(w->best, 0, in->n * sizeof *w->best);
  for (size_t i = 0; i < s.rows; i++)
    w->best[w->active[i]] = reach(&s, i);
  int converged = is_converged(&s);
  w->worst = in->n;
  w->n_missed = 0;
  for (size_t i = 0; i < in->n; i++) {
    const start_condition *c = &in->conditions[i];
    double by =
        is_wanted(live, c) && (all || c->level >= 0) ? excess(&s, i, converged) : 0;
    w->n_missed += !(by <= 1);
    if (!(by <= most)) {
      most = by;
      w->worst = i;
    }
  }
  return w->worst == in->n ? START_SOLVED : START_UNSOLVED;
}
