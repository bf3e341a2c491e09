/* moves.c -- start values that were not kept, and what forced them to move.
 *
 * At the start that was found, x - x0 is (as a rule, see nearest.c) a combination of
 * the rows of J, the derivatives of the conditions, in nominal values u:
 *
 *   (x_j - x0_j)/u_j = u_j sum_i mu_i J_ij,    0 on the left without a start value.
 *
 * mu is found by least squares.  Condition i has the share u_j mu_i J_ij in the move of
 * x_j, and the one with the largest share in its direction is named.  Where v = der(x)
 * and der(x) is a state beside v, that equation only hands the force on: what acts on
 * der(x) is named.
 */
#include "linear/linear.h"
#include "start/start.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A move below this part of the value, or of the nominal value, is rounding of what was
 * written, or of the search. */
static const double NO_MOVE = 1e-9;

/* ---------------------------------------------------------------- shares --- */

static const start_unknown *unknown(const dae_live *live, const start_search *s,
                                    size_t j)
{
  return &live->m->initial->unknowns[s->searched[j]];
}

static double off(dae_live *live, const start_unknown *u)
{
  return (*brink__start_value(live, u) - brink__start_guess(live, u)) /
         brink__start_nominal(live, u);
}

static int has_moved(dae_live *live, const start_unknown *u)
{
  double x = *brink__start_value(live, u), x0 = brink__start_guess(live, u);
  double unit = brink__start_nominal(live, u);

  return fabs(x - x0) > NO_MOVE * fmax(fabs(x0), unit);
}

/* Was a start value written, or set, that other conditions may move? */
static int is_written(const dae_live *live, const start_unknown *u)
{
  const brink__flat_var *v = u->named < 0 ? NULL : &live->m->flat->vars[u->named];

  return v && !u->follows && !u->whole && v->fixed != 1 &&
         (v->start != BRINK__NONE || live->settings->set[v->value]);
}

/* u_j J_ij */
static double pull(const dae_live *live, const start_search *s, size_t i, size_t j)
{
  return s->matrix[i * s->cols + j] * brink__start_nominal(live, unknown(live, s, j));
}

/* mu of an open block whose conditions are independent, in its dx: the equations of
 * least squares. */
static void multipliers(dae_live *live, start_search *s)
{
  dae_initial_work *w = &live->initial;

  for (size_t i = 0; i < s->rows; i++) {
    w->b[i] = 0;
    for (size_t k = 0; k < s->rows; k++)
      w->scaled[i * s->rows + k] = 0;
    for (size_t j = 0; j < s->cols; j++) {
      double a = pull(live, s, i, j);
      if (brink__start_is_guess(live, unknown(live, s, j)))
        w->b[i] += a * off(live, unknown(live, s, j));
      for (size_t k = 0; k < s->rows; k++)
        w->scaled[i * s->rows + k] += a * pull(live, s, k, j);
    }
  }
  brink__least_norm(s->rows, s->rows, w->scaled, w->b, s->dx, w->row, w->work);
}

/* The column of the derivative that unknown j names and that is a state beside it, or j
 * itself. */
static size_t acted_on(const dae_live *live, const start_search *s, size_t j)
{
  for (size_t k = 0; k < s->cols; k++)
    if (unknown(live, s, k)->follows &&
        unknown(live, s, k)->named == unknown(live, s, j)->var)
      return k;
  return j;
}

/* The condition with the largest share in the move of unknown j; -1: none. */
static int32_t forced_by(dae_live *live, const start_search *s, size_t j)
{
  double sign = off(live, unknown(live, s, j)), most = 0;
  size_t on = acted_on(live, s, j);
  int32_t best = -1;

  for (size_t i = 0; i < s->rows; i++) {
    int hands_on = on != j && s->matrix[i * s->cols + j] != 0;
    double share = (sign > 0 ? 1 : -1) * s->dx[i] * pull(live, s, i, on);
    if (!hands_on && share > most) {
      most = share;
      best = s->active[i];
    }
  }
  return best;
}

/* What forced the unknowns of a block. */
static void blame(dae_live *live, start_search *s)
{
  dae_initial_work *w = &live->initial;
  size_t n = 0;

  brink__start_correction(live, s);
  for (size_t i = 0; i < s->rows; i++)
    if (w->independent[s->active[i]]) {
      memmove(s->matrix + n * s->cols, s->matrix + i * s->cols,
              s->cols * sizeof *s->matrix);
      s->active[n++] = s->active[i];
    }
  s->rows = n;
  multipliers(live, s);
  for (size_t j = 0; j < s->cols; j++)
    if (brink__start_is_guess(live, unknown(live, s, j)))
      w->forced[s->searched[j]] = forced_by(live, s, j);
}

/* The blocks in which a start value has moved are open; 0: there is none. */
static int choose_blocks(dae_live *live)
{
  dae_initial_work *w = &live->initial;
  int any = 0;

  brink__start_searches(live, w->level);
  for (size_t b = 0; b < live->m->initial->n_blocks; b++) {
    start_search *s = &w->search[b];
    int moved = 0;
    for (size_t j = 0; j < s->cols; j++)
      moved |= w->moved[s->searched[j]];
    s->open &= moved && s->block->small;
    any |= s->open;
  }
  return any;
}

void brink__start_note_moves(dae_live *live, double t)
{
  const start_system *in = live->m->initial;
  dae_initial_work *w = &live->initial;
  dae_fault before = live->fault; /* a failure here is no reason to be told */

  for (size_t j = 0; j < in->n_unknowns; j++) {
    const start_unknown *u = &in->unknowns[j];
    w->found[j] = *brink__start_value(live, u);
    w->forced[j] = u->set_by;
    w->moved[j] = is_written(live, u) && has_moved(live, u);
  }
  if (choose_blocks(live) && brink__start_evaluate(live, t) &&
      brink__start_matrices(live))
    for (size_t b = 0; b < in->n_blocks; b++)
      if (w->search[b].open)
        blame(live, &w->search[b]);
  live->fault = before;
}

/* ---------------------------------------------------------------- report --- */

/* How far an unknown has moved, in nominal values. */
static double size_of(const dae_live *live, size_t j)
{
  const start_unknown *u = &live->m->initial->unknowns[j];

  return fabs(live->initial.found[j] - brink__start_guess(live, u)) /
         brink__start_nominal(live, u);
}

static void describe(const dae_live *live, size_t j, brink_moved_start *out)
{
  const dae_model *m = live->m;
  const start_unknown *u = &m->initial->unknowns[j];
  brink__sentence s = {out->forced_by, sizeof out->forced_by, 0};
  int32_t by = live->initial.forced[j];

  *out = (brink_moved_start){.name = m->flat->vars[u->named].name,
                             .from = brink__start_guess(live, u),
                             .to = live->initial.found[j]};
  if (by >= 0) {
    out->line = brink__start_line(m, (size_t)by);
    brink__start_add_condition(&s, live, (size_t)by);
  }
}

size_t brink__start_moves(const dae_live *live, size_t most, brink_moved_start *out)
{
  const start_system *in = live->m->initial;
  size_t n = 0, last = SIZE_MAX;

  for (size_t j = 0; j < in->n_unknowns; j++)
    n += live->initial.moved[j];
  for (size_t k = 0; k < n && k < most; k++) { /* the largest that is left */
    size_t best = SIZE_MAX;
    for (size_t j = 0; j < in->n_unknowns; j++) {
      int after = last == SIZE_MAX || size_of(live, j) < size_of(live, last) ||
                  (size_of(live, j) == size_of(live, last) && j > last);
      if (live->initial.moved[j] && after &&
          (best == SIZE_MAX || size_of(live, j) > size_of(live, best)))
        best = j;
    }
    describe(live, best, &out[k]);
    last = best;
  }
  return n;
}
