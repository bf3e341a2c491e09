/* impulse.c -- the states after an event, in a system of higher index.
 *
 * An event may bring constraints that the left limits do not satisfy: other relations,
 * discrete values or modes, a reinit.  With the offsets c_i, d_j of the structural
 * analysis, order by order:
 *
 *   f_i^(k), k <= c_i - 2   involves x_j^(l), l <= d_j - 2, which cannot jump: an
 *                           impulse in x_j^(d_j) changes x_j^(d_j - 1) and no more.
 *                           Where it does not hold there is no restart, unless a
 *                           reinit has set what it involves; then the rest follows by
 *                           the smallest change.
 *   f_i^(c_i - 1)           is made to hold by impulses in the highest derivatives.
 *
 * Integrated over the instant, an equation with c_i = 0 keeps its leading part: with
 * the system Jacobian J, z_j the jump of x_j^(d_j - 1), or where d_j = 0 the integral
 * of x_j,
 *
 *   sum_j J_ij z_j = 0                        for c_i = 0,
 *   f_i^(c_i - 1)(x^(d - 1) + z) = 0          for c_i > 0,
 *
 * by Newton's method with J.  For a mechanism with masses M, forces G' lambda and
 * constraints C v = q that is M z = G' Lambda, C (v + z) = q: momentum is kept, in a
 * circuit charge.  Where entries of the first rows depend on what jumps, as in
 * der(C(u)*u) = i, they are means over the straight line between both sides, so that
 * what is written as a derivative is kept.  An equation in which two quantities with
 * impulses are multiplied says nothing: then, and where J is singular, the restart is
 * the closest point in units of nominal values.
 *
 * A reinit sets z_j.  It stands for an impulse from outside in the row with c_i = 0
 * in which x_j^(d_j) is largest; or, where that does not do, in any of them: the
 * smallest that does.
 */
#include "dae/build.h"

#include <math.h>
#include <string.h>

enum {
  STEPS = 40, /* of Newton's method                                                   */
  NODES = 8   /* of the Gauss formula for means: exact for polynomials of degree 15   */
};

/* A state without a left limit moves so much more easily than others: far enough that
 * they stay, near enough that rows that differ in the others alone stay independent. */
static const double EASILY = 0x1p24;

/* What may be the error of the solution, so that it is no jump: some tolerances; errors
 * of many steps add up to more, but hardly to a thousand tolerances, nor, at strict
 * tolerances, to so small a part. */
static const double ERROR_OF_STEPS = 10, ERROR_OF_RUN = 1000, SMALL = 1e-5;

/* A part of a row that is more than the rounding of its largest. */
static const double SIGNIFICANT = 1e-9;

/* Corrections that have stopped shrinking below this part of the jump are rounding. */
static const double SETTLED = 1e-10;

static const double node[NODES] = {
    0.019855071751231884, 0.10166676129318664, 0.2372337950418355, 0.4082826787521751,
    0.5917173212478249,   0.7627662049581645,  0.8983332387068134, 0.9801449282487681};
static const double weight[NODES] = {
    0.05061426814518813, 0.11119051722668724, 0.15685332293894363, 0.1813418916891810,
    0.1813418916891810,  0.15685332293894363, 0.11119051722668724, 0.05061426814518813};

typedef struct restart {
  dae_live *live;
  const dae_impulses *m;
  dae_restarting *w;
  const dae_restart *given;
  double *y;
  size_t n_held; /* columns that reinit has set                                       */
  size_t n_open; /* rows that may take its impulses                                   */
} restart;

static int is_set(const restart *r, int32_t state)
{
  return state >= 0 && r->given->set_by[state] != NULL;
}

static int is_fresh(const restart *r, int32_t state)
{
  return r->given->fresh && r->given->fresh[state];
}

/* A change of a state beyond the error of the run. */
static int is_jump(const restart *r, int32_t state, double change)
{
  const brink__instant *inst = r->given->inst;
  double unit = r->live->constants.nominal[r->live->m->state_var[state]];
  double size = fmax(fabs(r->w->before[state]), fabs(r->y[state]));
  double noise = inst->noise ? inst->noise[state] : 0, rtol = r->given->rtol;
  double part = fmax(ERROR_OF_STEPS * rtol, fmin(SMALL, ERROR_OF_RUN * rtol));

  return fabs(change) > part * fmax(size, unit) + ERROR_OF_STEPS * noise;
}

/* ------------------------------------------------------------ evaluation --- */

static brink_status evaluate(const restart *r, const double *y)
{
  dae_live *live = r->live;
  const dae_model *m = live->m;

  if (r->m->solves && brink__dae_run(live, &m->all, r->given->t, y) < 0)
    live->fault.what = DAE_FAULT_NONE; /* with the values of the last evaluation */
  live->v[BRINK__TIME] = live->t = r->given->t;
  for (size_t i = 0; i < m->n_states; i++)
    live->v[m->state_symbol[i]] = y[i];
  return brink__dae_run_tape(live, NULL, r->m->tape);
}

static double off_by(const restart *r, size_t row)
{
  return r->live->v[brink__tape_slot(r->m->tape, row)];
}

static double entry(const restart *r, size_t e)
{
  return r->live->v[brink__tape_slot(r->m->tape, r->m->n + e)] * r->m->factor[e];
}

/* The size of a change of column j that counts as 1. */
static double unit_of(const restart *r, size_t j)
{
  return r->live->constants.nominal[r->m->var[j]];
}

/* Is what constraint i is off by, the tape just evaluated, the rounding of its terms
 * and states? */
static int row_met(const restart *r, size_t i, const double *bound)
{
  double most = bound[i];

  for (size_t e = r->m->start[i]; e < r->m->start[i + 1]; e++)
    if (r->m->state[r->m->col[e]] >= 0)
      most += fabs(entry(r, e)) *
              brink__dae_projected_within(r->y[r->m->state[r->m->col[e]]],
                                          unit_of(r, (size_t)r->m->col[e]));
  return fabs(off_by(r, i)) <= most;
}

/* Note what constraints are off by beyond rounding; how many are. */
static size_t violated(const restart *r, double *off)
{
  dae_live *live = r->live;
  double *bound = live->projecting.bound;
  int known =
      brink__tape_noise(r->m->tape, live->v, NULL, live->work, bound, NULL) == BRINK_OK;
  size_t n = 0;

  for (size_t i = 0; i < r->m->n; i++) {
    off[i] = 0;
    if (r->m->constraint[i] < 0 || (known && row_met(r, i, bound)))
      continue;
    off[i] = off_by(r, i);
    n += off[i] != 0;
  }
  return n;
}

/* ---------------------------------------------------------- lower orders --- */

/* There is no restart: the constraint would need another value of the state. */
static brink_status fault(const restart *r, int32_t constraint, int32_t state,
                          double to)
{
  r->live->fault = (dae_fault){NULL, BRINK__NONE, DAE_FAULT_RESTART, constraint};
  r->live->misfit =
      (dae_misfit){state, r->w->before[state], to, r->given->set_by[state]};
  return BRINK_EDOMAIN;
}

/* The row of a stage that is missed most, the tape just evaluated: by the change of its
 * states that would mend it. */
static int32_t missed_most(const restart *r, const dae_stage *s)
{
  const dae_live *live = r->live;
  double most = -1;
  int32_t worst = 0;

  for (size_t q = 0; q < s->n_parts; q++) {
    const dae_part *p = &s->parts[q];
    for (size_t i = 0; i < p->n_rows; i++) {
      double can = 0, off = live->v[brink__tape_slot(s->tape, (size_t)p->row[i])];
      for (size_t k = 0; k < p->nnz; k++)
        if ((size_t)p->element[k].row == i)
          can +=
              fabs(live->v[brink__tape_slot(s->tape, (size_t)p->element[k].root)] *
                   p->element[k].factor) *
              live->constants.nominal[live->m->state_var[p->state[p->element[k].col]]];
      if (fabs(off) > most * can) {
        most = can > 0 ? fabs(off) / can : HUGE_VAL;
        worst = p->row[i];
      }
    }
  }
  return s->origin[worst];
}

/* The units of states: what reinit has set stays, unless it is let go. */
static const double *units(const restart *r, double easily, int let_go)
{
  const dae_model *m = r->live->m;

  for (size_t i = 0; i < m->n_states; i++)
    r->w->unit[i] = is_set(r, (int32_t)i) && !let_go
                        ? 0
                        : r->live->constants.nominal[m->state_var[i]] *
                              (is_fresh(r, (int32_t)i) ? easily : 1);
  return r->w->unit;
}

/* Project, states without a left limit first. */
static brink_status project(const restart *r, const dae_stages *stages, int let_go)
{
  double t = r->given->t;
  int moved;

  if (r->given->fresh)
    BRINK_TRY(brink__dae_project(r->live, stages, t, NULL, units(r, EASILY, let_go),
                                 r->y, &moved));
  return brink__dae_project(r->live, stages, t, NULL, units(r, 1, let_go), r->y,
                            &moved);
}

/* A state that reinit has set and that is elsewhere now, -1: none. */
static int32_t contradicted(const restart *r)
{
  for (size_t i = 0; i < r->live->m->n_states; i++)
    if (is_set(r, (int32_t)i) && is_jump(r, (int32_t)i, r->y[i] - r->w->before[i]))
      return (int32_t)i;
  return -1;
}

/* The same with the states that reinit has set fixed, up to the error of the run: a
 * mode may be entered with values of the one before it. */
static brink_status project_held(const restart *r, const dae_stages *stages,
                                 int32_t constraint)
{
  size_t size = r->live->m->n_states * sizeof *r->y;

  memcpy(r->w->kept, r->y, size);
  brink_status rc = project(r, stages, 0);
  if (rc == BRINK_OK)
    return rc;
  memcpy(r->y, r->w->kept, size);
  dae_fault why = r->live->fault;
  if (project(r, stages, 1) < 0)
    return BRINK_EDOMAIN;
  int32_t x = contradicted(r);
  r->live->fault = why;
  return x < 0 ? BRINK_OK
               : fault(r, constraint < 0 ? why.assert : constraint, x, r->y[x]);
}

/* Has reinit set a state of the stage? */
static int any_set(const restart *r, const dae_stage *s)
{
  for (size_t q = 0; q < s->n_parts; q++)
    for (size_t j = 0; j < s->parts[q].n_cols; j++)
      if (is_set(r, s->parts[q].state[j]))
        return 1;
  return 0;
}

/* A state of the stage that has moved although nothing may move it; -1: none. */
static int32_t moved_state(const restart *r, const dae_stage *s)
{
  for (size_t q = 0; q < s->n_parts; q++)
    for (size_t j = 0; j < s->parts[q].n_cols; j++) {
      int32_t x = s->parts[q].state[j];
      if (!is_fresh(r, x) && is_jump(r, x, r->y[x] - r->w->before[x]))
        return x;
    }
  return -1;
}

static brink_status lower_stage(const restart *r, const dae_stage *s, int *set)
{
  dae_stages one = {(dae_stage *)(uintptr_t)s, 1};

  BRINK_TRY(brink__dae_stage_values(r->live, s, r->given->t, r->y));
  int32_t worst = missed_most(r, s);
  *set |= any_set(r, s);
  BRINK_TRY(project_held(r, &one, worst));
  int32_t x = *set ? -1 : moved_state(r, s);
  return x < 0 ? BRINK_OK : fault(r, worst, x, r->y[x]);
}

/* ------------------------------------------------------------ the matrix --- */

/* Blocks that have to do with constraints that do not hold; with a reinit, all. */
static void reach(const restart *r)
{
  const dae_impulses *m = r->m;
  unsigned char *reached = r->w->reached;
  int more = 1;

  for (size_t i = 0; i < m->n; i++)
    reached[i] = r->n_held > 0 || r->w->off[i] != 0;
  while (more) {
    more = 0;
    for (size_t e = 0; e < m->nnz; e++) {
      size_t i = (size_t)m->row[e], k = (size_t)m->row_of[m->col[e]];
      int together = m->block[i] == m->block[k];
      if (reached[k] && !reached[i])
        reached[i] = 1, more = 1;
      if (together && reached[i] && !reached[k])
        reached[k] = 1, more = 1;
    }
  }
}

/* The matrix at the values just evaluated, in units of the columns.  What is not
 * reached gets the unit matrix: it may be singular, and does not matter. */
static int factor(const restart *r)
{
  const dae_impulses *m = r->m;
  brink__numeric *f = &r->w->factors;

  for (size_t e = 0; e < m->nnz; e++) {
    size_t i = (size_t)m->row[e];
    f->entry[e] = r->w->reached[i] ? entry(r, e) * unit_of(r, (size_t)m->col[e])
                                   : (size_t)m->match[i] == e;
  }
  r->live->effort.lu++;
  return brink__numeric_factor(m->pattern, f) == BRINK_OK;
}

/* x: right-hand side, then the solution. */
static void solve(const restart *r, double *x)
{
  brink__numeric_solve(r->m->pattern, &r->w->factors, x);
  for (size_t j = 0; j < r->m->n; j++)
    x[j] *= unit_of(r, j);
}

/* ---------------------------------------------------------------- reinit --- */

/* The largest entry of a row: its impulse is measured by that. */
static double row_size(const restart *r, size_t i)
{
  double most = 0;

  for (size_t e = r->m->start[i]; e < r->m->start[i + 1]; e++)
    most = fmax(most, fabs(r->w->factors.entry[e]));
  return most > 0 ? most : 1;
}

/* The row without a constraint in which column j is largest, beside the other entries
 * of that row; n: it is in none. */
static size_t own_row(const restart *r, size_t j)
{
  const dae_impulses *m = r->m;
  double most = 0;
  size_t best = m->n;

  for (size_t i = 0; i < m->n; i++)
    for (size_t e = m->start[i]; e < m->start[i + 1] && m->constraint[i] < 0; e++) {
      double size = fabs(r->w->factors.entry[e]) / row_size(r, i);
      if ((size_t)m->col[e] != j || r->w->open[i] || !(size > most))
        continue;
      most = size;
      best = i;
    }
  return best;
}

/* Rows that may take the impulses that reinits stand for: for each the one that is its
 * own, as the momentum of a body belongs to its velocity; if those do not determine the
 * impulses, all rows without a constraint. */
enum { OWN_ROWS, ALL_ROWS };

static void mark_open(restart *r, int which)
{
  const dae_impulses *m = r->m;

  r->n_open = 0;
  for (size_t i = 0; i < m->n; i++)
    r->w->open[i] = which == ALL_ROWS && m->constraint[i] < 0;
  for (size_t k = 0; k < r->n_held && which == OWN_ROWS; k++) {
    size_t i = own_row(r, (size_t)r->w->held_col[k]);
    if (i < m->n)
      r->w->open[i] = 1;
  }
  for (size_t i = 0; i < m->n; i++)
    r->n_open += r->w->open[i];
}

/* How the columns that are held respond to impulses in the rows that may take them.
 * x: [n] scratch. */
static void responses(restart *r, double *x)
{
  const dae_impulses *m = r->m;
  size_t n = 0;

  for (size_t i = 0; i < m->n; i++) {
    if (!r->w->open[i])
      continue;
    memset(x, 0, m->n * sizeof *x);
    x[i] = row_size(r, i);
    solve(r, x);
    for (size_t k = 0; k < r->n_held; k++) {
      size_t j = (size_t)r->w->held_col[k];
      r->w->response[k * r->n_open + n] = x[j] / unit_of(r, j);
    }
    n++;
  }
}

/* x: impulses from outside, by row, that take the step of the columns that are held
 * back.  1: they hold them all. */
static int hold_with(restart *r, int which, double *x)
{
  const dae_impulses *m = r->m;
  dae_restarting *w = r->w;
  double *b = w->held, *impulse = w->held + m->n_settable;
  size_t n = 0;

  mark_open(r, which);
  responses(r, x);
  memset(impulse, 0, m->n_free * sizeof *impulse);
  for (size_t k = 0; k < r->n_held; k++)
    b[k] = -w->step[w->held_col[k]] / unit_of(r, (size_t)w->held_col[k]);
  size_t rank = r->n_open == 0 ? 0
                               : brink__least_norm(r->n_held, r->n_open, w->response, b,
                                                   impulse, w->held_row, w->held_work);
  memset(x, 0, m->n * sizeof *x);
  for (size_t i = 0; i < m->n; i++)
    if (w->open[i])
      x[i] = impulse[n++] * row_size(r, i);
  return rank == r->n_held;
}

static void find_causes(const restart *r);

/* Hold what reinit has set: change w->step accordingly.  BRINK_EDOMAIN: constraints say
 * otherwise. */
static brink_status hold(restart *r)
{
  const dae_impulses *m = r->m;
  dae_restarting *w = r->w;
  double *x = w->largest;

  int held = hold_with(r, OWN_ROWS, x) || hold_with(r, ALL_ROWS, x);
  for (size_t i = 0; i < m->n; i++)
    w->outside[i] += x[i];
  solve(r, x);
  for (size_t j = 0; j < m->n; j++)
    w->step[j] += x[j];
  for (size_t k = 0; k < r->n_held; k++) {
    size_t j = (size_t)w->held_col[k];
    double to = w->before[m->state[j]] + w->jump[j] + w->step[j];
    if (held || !is_jump(r, m->state[j], to - w->before[m->state[j]])) {
      w->step[j] = held ? 0 : w->step[j];
      continue;
    }
    find_causes(r);
    return fault(r, w->forced[j] < 0 ? -1 : m->constraint[w->forced[j]], m->state[j],
                 to);
  }
  return BRINK_OK;
}

static void list_held(restart *r)
{
  r->n_held = 0;
  for (size_t j = 0; j < r->m->n; j++)
    if (is_set(r, r->m->state[j]))
      r->w->held_col[r->n_held++] = (int)j;
}

/* --------------------------------------------------------------- impulses --- */

/* Entries of rows with c = 0 as they act over the jump so far.  y is the state behind
 * it, where the tape was just evaluated, and is afterwards. */
static brink_status means(const restart *r)
{
  const dae_impulses *m = r->m;
  dae_restarting *w = r->w;
  double *y = w->unit; /* scratch */

  for (size_t e = 0; e < m->nnz; e++)
    w->mean[e] = entry(r, e);
  if (!m->varies && !m->solves)
    return BRINK_OK;
  memset(w->mean, 0, m->nnz * sizeof *w->mean);
  for (int k = 0; k < NODES; k++) {
    for (size_t i = 0; i < r->live->m->n_states; i++)
      y[i] = w->before[i] + node[k] * (r->y[i] - w->before[i]);
    BRINK_TRY(evaluate(r, y));
    for (size_t e = 0; e < m->nnz; e++)
      w->mean[e] += weight[k] * entry(r, e);
  }
  return evaluate(r, r->y);
}

/* w->step: the correction of Newton's method at r->y. */
static brink_status newton_step(restart *r)
{
  const dae_impulses *m = r->m;
  dae_restarting *w = r->w;

  BRINK_TRY(evaluate(r, r->y));
  BRINK_TRY(means(r));
  for (size_t i = 0; i < m->n; i++)
    w->step[i] = m->constraint[i] < 0 ? w->outside[i] : -off_by(r, i);
  for (size_t e = 0; e < m->nnz; e++)
    if (m->constraint[m->row[e]] < 0)
      w->step[m->row[e]] -= w->mean[e] * w->jump[m->col[e]];
  for (size_t i = 0; i < m->n; i++)
    w->step[i] = w->reached[i] ? w->step[i] : 0;
  if (!factor(r))
    return BRINK_LIMIT;
  solve(r, w->step);
  return r->n_held ? hold(r) : BRINK_OK;
}

/* Take the step; the largest part of it in units of rounding, and of the jump. */
static double take_step(restart *r, double *relative)
{
  const dae_impulses *m = r->m;
  dae_restarting *w = r->w;
  double most = 0;

  *relative = 0;
  for (size_t j = 0; j < m->n; j++) {
    int32_t x = m->state[j];
    w->jump[j] += w->step[j];
    if (x < 0)
      continue;
    r->y[x] += w->step[j];
    most = fmax(most,
                fabs(w->step[j]) / brink__dae_projected_within(r->y[x], unit_of(r, j)));
    *relative = fmax(*relative, fabs(w->step[j]) / (fabs(w->jump[j]) + unit_of(r, j)));
  }
  return most;
}

/* Columns whose jump is more than the rounding of the rows with c = 0 in which they
 * are. */
static void mark_carriers(const restart *r)
{
  const dae_impulses *m = r->m;
  dae_restarting *w = r->w;

  memset(w->carries, 0, m->n);
  for (size_t i = 0; i < m->n; i++) {
    double most = 0;
    for (size_t e = m->start[i]; e < m->start[i + 1] && m->constraint[i] < 0; e++)
      most = fmax(most, fabs(w->mean[e] * w->jump[m->col[e]]));
    for (size_t e = m->start[i]; e < m->start[i + 1] && most > 0; e++)
      w->carries[m->col[e]] |=
          fabs(w->mean[e] * w->jump[m->col[e]]) > SIGNIFICANT * most;
  }
}

/* Does an impulse act, beyond the error of the run?  Else what jumps are variables that
 * follow others. */
static int any_impulse(const restart *r)
{
  const dae_impulses *m = r->m;

  for (size_t j = 0; j < m->n; j++) {
    int32_t x = m->state[j];
    if (x >= 0 && r->w->carries[j] && !is_fresh(r, x) &&
        is_jump(r, x, r->y[x] - r->w->before[x]))
      return 1;
  }
  return 0;
}

/* Are impulses multiplied with each other? */
static int is_nonlinear(const restart *r)
{
  const dae_impulses *m = r->m;

  for (size_t k = 0; k < m->n_products; k++)
    if (r->w->carries[m->product[3 * k + 1]] && r->w->carries[m->product[3 * k + 2]])
      return 1;
  return 0;
}

/* BRINK_OK; BRINK_LIMIT: the equations do not say what the jump is; BRINK_EDOMAIN:
 * there is none. */
static brink_status find_jump(restart *r)
{
  dae_restarting *w = r->w;
  double last = HUGE_VAL, relative;

  brink__numeric_drop(&w->factors); /* pivots depend on no other event */
  memset(w->jump, 0, r->m->n * sizeof *w->jump);
  memset(w->outside, 0, r->m->n * sizeof *w->outside);
  for (int k = 0; k < STEPS; k++) {
    brink_status rc = newton_step(r);
    if (rc < 0)
      return r->live->fault.what == DAE_FAULT_RESTART ? rc : BRINK_LIMIT;
    if (rc == BRINK_LIMIT)
      return rc;
    double most = take_step(r, &relative);
    if (most <= 1 || (relative < SETTLED && relative >= last / 2)) {
      mark_carriers(r);
      return is_nonlinear(r) ? BRINK_LIMIT : BRINK_OK;
    }
    last = relative;
  }
  return BRINK_LIMIT;
}

/* ----------------------------------------------------------------- report --- */

/* By which constraint each column is forced: the one whose part of the jump is largest.
 * w->step is overwritten. */
static void find_causes(const restart *r)
{
  const dae_impulses *m = r->m;
  dae_restarting *w = r->w;

  for (size_t j = 0; j < m->n; j++)
    w->largest[j] = 0, w->forced[j] = -1;
  for (size_t i = 0; i < m->n; i++) {
    if (w->off[i] == 0)
      continue;
    memset(w->step, 0, m->n * sizeof *w->step);
    w->step[i] = w->off[i];
    solve(r, w->step);
    for (size_t j = 0; j < m->n; j++)
      if (fabs(w->step[j]) > w->largest[j]) {
        w->largest[j] = fabs(w->step[j]);
        w->forced[j] = (int32_t)i;
      }
  }
}

static void add_jump(const restart *r, size_t j, const char *const *cause, double size)
{
  brink__instant *inst = r->given->inst;
  int32_t row = r->w->forced[j];

  if (inst->n_jumps < inst->max_jumps)
    inst->jumps[inst->n_jumps++] = (brink__jump){
        r->m->variable[j], row >= 0 ? cause[row] : "", r->m->state[j] >= 0, size};
}

/* The closest point: the constraint that is off by most stands for all. */
static void blame_largest(const restart *r)
{
  size_t most = 0;

  for (size_t i = 0; i < r->m->n; i++)
    if (fabs(r->w->off[i]) > fabs(r->w->off[most]))
      most = i;
  for (size_t j = 0; j < r->m->n; j++)
    r->w->forced[j] = (int32_t)most;
}

/* List the jumps; closest: they are those of the closest point. */
static void report(const restart *r, int closest)
{
  const dae_impulses *m = r->m;
  dae_restarting *w = r->w;
  const char *const *cause = closest ? m->closest : m->cause;
  int any = 0;

  if (closest)
    blame_largest(r);
  else if (!any_impulse(r))
    return;
  for (size_t j = 0; j < m->n; j++) {
    int32_t x = m->state[j];
    if (x < 0 || is_set(r, x) || is_fresh(r, x) || m->quiet[j] ||
        !is_jump(r, x, r->y[x] - w->before[x]))
      continue;
    any = 1;
    add_jump(r, j, cause, r->y[x] - w->before[x]);
  }
  for (size_t j = 0; j < m->n && any && !closest; j++)
    if (m->state[j] < 0 && w->carries[j])
      add_jump(r, j, cause, w->jump[j]);
}

/* ----------------------------------------------------------------- guards --- */

/* Integrals of guards over the instant: where there is one, its sign says on which side
 * the guard was while the impulse acted. */
static void integrate_guards(const restart *r)
{
  const dae_impulses *m = r->m;
  dae_restarting *w = r->w;

  if (m->n_guard_slopes == 0 ||
      brink__dae_run_tape(r->live, NULL, m->guard_tape) != BRINK_OK)
    return;
  for (size_t k = 0; k < m->n_guard_slopes; k++)
    w->guard[m->guard_relation[k]] = 0;
  for (size_t k = 0; k < m->n_guard_slopes; k++)
    if (w->carries[m->guard_col[k]])
      w->guard[m->guard_relation[k]] +=
          r->live->v[brink__tape_slot(m->guard_tape, k)] * w->jump[m->guard_col[k]];
}

int brink__dae_impulse_decides(const dae_live *live, int32_t slot, int *value)
{
  const dae_model *m = live->m;

  for (size_t i = 0; i < m->flat->n_relations && m->impulses.n; i++) {
    const brink__flat_relation *r = &m->flat->relations[i];
    double g = live->restarting.guard[i];
    if (r->slot != slot || g == 0)
      continue;
    *value = (g > 0) == (r->op == BRINK_OP_GT || r->op == BRINK_OP_GE);
    return 1;
  }
  return 0;
}

/* ---------------------------------------------------------------- restart --- */

/* Derivatives without a name take the values of variables that equal them, which reinit
 * may have set; or give them theirs, where the others have no left limit. */
static void copy_named(const restart *r)
{
  const dae_impulses *m = r->m;

  for (size_t i = 0; i < m->n; i++) {
    if (m->copy[i] < 0 || r->w->off[i] == 0)
      continue;
    size_t e = (size_t)m->copy[i], other = 2 * m->start[i] + 1 - e;
    if (is_fresh(r, m->state[m->col[other]]) && !is_fresh(r, m->state[m->col[e]]))
      e = other;
    r->y[m->state[m->col[e]]] -= off_by(r, i) / entry(r, e);
  }
}

static brink_status highest_order(restart *r)
{
  dae_restarting *w = r->w;
  size_t size = r->live->m->n_states * sizeof *r->y;

  BRINK_TRY(evaluate(r, r->y));
  if (violated(r, w->off) == 0)
    return BRINK_OK;
  copy_named(r);
  memcpy(w->before, r->y, size);
  BRINK_TRY(evaluate(r, r->y));
  if (violated(r, w->off) == 0)
    return BRINK_OK;
  list_held(r);
  reach(r);
  brink_status rc = find_jump(r);
  if (rc < 0)
    return rc;
  if (rc == BRINK_OK) {
    find_causes(r);
    report(r, 0);
    if (any_impulse(r))
      integrate_guards(r);
    return BRINK_OK;
  }
  memcpy(r->y, w->before, size);
  return BRINK_LIMIT;
}

static brink_status all_orders(restart *r)
{
  const dae_model *m = r->live->m;
  int set = 0;

  for (size_t i = 0; i < m->impulses.lower->n; i++)
    BRINK_TRY(lower_stage(r, &m->impulses.lower->v[i], &set));
  brink_status rc = highest_order(r);
  if (rc < 0)
    return rc;
  BRINK_TRY(project_held(r, &m->projection, -1));
  if (rc == BRINK_LIMIT)
    report(r, 1);
  return BRINK_OK;
}

brink_status brink__dae_restart(dae_live *live, const dae_restart *given, double *y)
{
  const dae_model *m = live->m;
  restart r = {live, &m->impulses, &live->restarting, given, y, 0, 0};

  if (m->projection.n == 0)
    return BRINK_OK;
  live->effort.projections++;
  memcpy(r.w->left, y, m->n_states * sizeof *y);
  memcpy(r.w->before, y, m->n_states * sizeof *y);
  brink_status rc = all_orders(&r);
  if (rc == BRINK_OK)
    return rc;
  for (size_t i = 0; i < m->n_states; i++) /* as they were */
    live->v[m->state_symbol[i]] = y[i] = r.w->left[i];
  return rc;
}
