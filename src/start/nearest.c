/* nearest.c -- the start nearest to the start values.
 *
 * Fewer conditions than unknowns leave a choice.  What Gauss-Newton steps find is a
 * consistent start near the start values x0; wanted is the one with the least
 *
 *   D = sum ((x_j - x0_j) / nominal_j)^2    over the unknowns with a start value
 *
 * (over all of them where none has one; those without follow for free, and by little).
 * From a point on the conditions, F = 0, the steps go along
 *
 *   s = (x0 - x) + d,   J d = -F - J (x0 - x),   d of least size,
 *
 * the projection of x0 - x on the tangent space.  First d is of least size in the
 * unknowns with a start value alone: if the conditions are linear, one step leads to
 * the goal.  Where that takes too short steps, since unknowns without a start value
 * have come to the end of what they can do (the smallest x on a circle about another
 * point, whatever y), sizes are those in all unknowns.  The length of a step is that of
 * Barzilai and Borwein [BB88], so that the curvature of the conditions is seen, halved
 * until D becomes smaller; then the point is put back on the conditions by chord steps
 * with the same matrix.  Where s vanishes, x0 - x is a combination of the rows of J: a
 * minimum of D, as a rule the nearest point and not only a point near by.
 *
 * In the end start values that hardly differ are taken as they are.  What is found must
 * meet all conditions; else the point before is kept.
 */
#include "linear/linear.h"
#include "start/start.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
  APPROACHES = 300, /* steps towards the start values                               */
  HALVINGS = 30,    /* of one step                                                  */
  CHORDS = 8        /* corrections that put a point back on the conditions           */
};

static const double WORK = 0x1p25; /* operations on the matrix of a block, in all   */
static const double FEWEST = 4;    /* steps, whatever the work is                  */
static const double TOO_SHORT = 1e-3; /* a step, over s: all unknowns have a size     */
static const double LONGEST = 0x1p20; /* bounds on the length of a step over s ...   */
static const double SHORTEST = 0x1p-20;
static const double LONGER = 4;      /* ... and over the last where D is not convex  */
static const double SMALL = 1e-10;   /* s is 0; in nominal values                   */
static const double KEPT = 1e-9;     /* a start value is met                        */
static const double DECREASE = 1e-4; /* of D, over what the slope promises */
static const double NOISE = 1e-11;   /* relative error of D                         */
static const double ON = 1e-14;      /* a correction that is rounding               */
static const double CONTRACTION = 0.5; /* bound on a correction over the one before   */

/* ------------------------------------------------------------- unknowns --- */

static const start_unknown *unknown(const dae_live *live, const start_search *s,
                                    size_t j)
{
  return &live->m->initial->unknowns[s->searched[j]];
}

static double *value_of(dae_live *live, const start_search *s, size_t j)
{
  return brink__start_value(live, unknown(live, s, j));
}

/* How far the unknown is from its start value, in nominal values. */
static double off(dae_live *live, const start_search *s, size_t j)
{
  const start_unknown *u = unknown(live, s, j);
  return (*brink__start_value(live, u) - brink__start_guess(live, u)) /
         brink__start_nominal(live, u);
}

static int counts(const dae_live *live, const start_search *s, size_t j)
{
  return s->all_count || brink__start_is_guess(live, unknown(live, s, j));
}

/* What x0 - x is in the direction of an unknown, in nominal values. */
static double pull(dae_live *live, const start_search *s, size_t j)
{
  return counts(live, s, j) ? -off(live, s, j) : 0;
}

/* D */
static double distance(dae_live *live, const start_search *s)
{
  double sum = 0;

  for (size_t j = 0; j < s->cols; j++)
    if (counts(live, s, j)) {
      double d = off(live, s, j);
      sum += d * d;
    }
  return sum;
}

/* Which unknowns count, in the order: free ones first. */
static void arrange(const dae_live *live, start_search *s)
{
  size_t guesses = 0;

  for (size_t j = 0; j < s->cols; j++)
    guesses += (size_t)brink__start_is_guess(live, unknown(live, s, j));
  s->all_count = guesses == 0;
  s->n_free = 0;
  for (size_t j = 0; j < s->cols; j++)
    if (!counts(live, s, j)) { /* they come first */
      int k = s->searched[j];
      s->searched[j] = s->searched[s->n_free];
      s->searched[s->n_free++] = k;
    }
}

/* Leave out the unknowns whose start values are given, or (met) are met, so that they
 * stay as they are. */
static void hold_guesses(dae_live *live, start_search *s, int met)
{
  size_t n = 0;

  for (size_t j = 0; j < s->cols; j++) {
    const start_unknown *u = unknown(live, s, j);
    int held = met ? counts(live, s, j) && fabs(off(live, s, j)) <= KEPT
                   : brink__start_is_guess(live, u);
    if (held && met)
      *brink__start_value(live, u) = brink__start_guess(live, u);
    if (!held)
      s->searched[n++] = s->searched[j];
  }
  s->open &= n > 0;
  s->cols = n;
}

/* ----------------------------------------------------------------- steps --- */

/* Factors of the matrix of a block, in nominal values, each row over its largest
 * element. */
static void factor(dae_live *live, start_search *s)
{
  brink__free_columns *f = &s->factors;

  f->m = s->rows;
  f->n = s->cols;
  f->n_free = s->n_free;
  for (size_t i = 0; i < s->rows; i++) {
    double top = 0;
    for (size_t j = 0; j < s->cols; j++) {
      double *a = &f->a[j * f->m + i];
      *a = s->matrix[i * s->cols + j] * brink__start_nominal(live, unknown(live, s, j));
      top = fmax(top, fabs(*a));
    }
    s->row_unit[i] = top > 0 ? top : 1;
    for (size_t j = 0; j < s->cols; j++)
      f->a[j * f->m + i] /= s->row_unit[i];
  }
  brink__free_columns_factor(f);
}

/* The smallest change, in nominal values, with J change = b of a block, in its dx; b in
 * live->initial.b. */
static void least_change(dae_live *live, start_search *s)
{
  double *b = live->initial.b;

  for (size_t i = 0; i < s->rows; i++)
    b[i] /= s->row_unit[i];
  brink__free_columns_solve(&s->factors, b, s->dx);
}

static double residual(const dae_live *live, const start_search *s, size_t i)
{
  return live->initial.lhs[s->active[i]] - live->initial.rhs[s->active[i]];
}

/* s in s->dx, in nominal values; its size in s->slope, that of what unknowns without a
 * start value do in s->rest. */
static void direction(dae_live *live, start_search *s)
{
  dae_initial_work *w = &live->initial;

  for (size_t i = 0; i < s->rows; i++) {
    w->b[i] = -residual(live, s, i);
    for (size_t j = s->n_free; j < s->cols; j++)
      w->b[i] -= s->matrix[i * s->cols + j] * pull(live, s, j) *
                 brink__start_nominal(live, unknown(live, s, j));
  }
  factor(live, s);
  least_change(live, s);
  s->slope = s->rest = 0;
  for (size_t j = 0; j < s->n_free; j++)
    s->rest = fmax(s->rest, fabs(s->dx[j]));
  for (size_t j = s->n_free; j < s->cols; j++) {
    s->dx[j] += pull(live, s, j);
    s->slope += s->dx[j] * s->dx[j];
  }
  s->slope = sqrt(s->slope);
}

/* The length of the next step: inverse curvature of D along the last one. */
static void choose_length(dae_live *live, start_search *s)
{
  double moved = 0, bent = 0;
  int first = s->length == 0;

  for (size_t j = s->n_free; j < s->cols && !first; j++) {
    double dx = off(live, s, j) - s->last_off[j];
    moved += dx * dx;
    bent += dx * (s->last_step[j] - s->dx[j]);
  }
  s->length = first || moved == 0 ? 1
              : bent > 0          ? fmin(fmax(moved / bent, SHORTEST), LONGEST)
                                  : fmin(LONGER * s->length, LONGEST);
  for (size_t j = s->n_free; j < s->cols; j++) {
    s->last_off[j] = off(live, s, j);
    s->last_step[j] = s->dx[j];
  }
}

static void begin(dae_live *live, start_search *s)
{
  s->undecided = 1;
  s->distance = distance(live, s);
  for (size_t j = 0; j < s->cols; j++) {
    s->x[j] = *value_of(live, s, j);
    s->step[j] = s->dx[j];
  }
}

static void place(dae_live *live, start_search *s)
{
  s->on = 0;
  s->correction = HUGE_VAL;
  for (size_t j = 0; j < s->cols; j++)
    *value_of(live, s, j) =
        s->x[j] +
        s->length * s->step[j] * brink__start_nominal(live, unknown(live, s, j));
}

/* One chord step back to the conditions, evaluated; s->on: it was the last one, -1:
 * they do not become shorter. */
static void chord(dae_live *live, start_search *s)
{
  double size = 0;

  for (size_t i = 0; i < s->rows; i++)
    live->initial.b[i] = -residual(live, s, i);
  least_change(live, s);
  for (size_t j = 0; j < s->cols; j++) {
    const start_unknown *u = unknown(live, s, j);
    double *x = brink__start_value(live, u), unit = brink__start_nominal(live, u);
    size = fmax(size, fabs(s->dx[j]) * unit / fmax(unit, fabs(*x)));
    *x += s->dx[j] * unit;
  }
  s->on = size <= ON ? 1 : size <= CONTRACTION * s->correction ? 0 : -1;
  s->correction = size;
}

/* Put the undecided blocks back on the conditions; 0: they have no values there. */
static int put_back(dae_live *live, double t)
{
  dae_initial_work *w = &live->initial;

  for (int k = 0; k < CHORDS; k++) {
    int left = 0;
    if (!brink__start_evaluate(live, t))
      return 0;
    for (size_t b = 0; b < live->m->initial->n_blocks; b++)
      if (w->search[b].undecided && w->search[b].on == 0) {
        chord(live, &w->search[b]);
        left |= w->search[b].on == 0;
      }
    if (!left)
      break;
  }
  return 1;
}

/* Is the point on the conditions, and nearer than the one before? */
static int is_nearer(dae_live *live, const start_search *s)
{
  double promised = 2 * s->length * s->slope * s->slope;

  return s->on >= 0 && s->correction <= sqrt(ON) &&
         distance(live, s) <= s->distance * (1 + NOISE) - DECREASE * promised;
}

/* After a step, of length 0 where D did not become smaller. */
static void end(dae_live *live, start_search *s)
{
  for (size_t j = 0; j < s->cols && s->undecided; j++)
    *value_of(live, s, j) = s->x[j];
  s->open = !s->undecided || s->n_free;
  if (s->undecided || (s->n_free && s->length < TOO_SHORT)) {
    s->n_free = 0;
    s->length = 0;
  }
  s->undecided = 0;
}

/* Move the undecided blocks along their steps, shorter ones where D does not become
 * smaller.  Blocks in which it does not are closed. */
static int move(dae_live *live, double t)
{
  start_search *all = live->initial.search;
  size_t n = live->m->initial->n_blocks, left = 1;

  for (int k = 0; k <= HALVINGS && left; k++) {
    for (size_t b = 0; b < n; b++)
      if (all[b].undecided)
        place(live, &all[b]);
    int here = put_back(live, t);
    left = 0;
    for (size_t b = 0; b < n; b++) {
      all[b].undecided &= !(here && is_nearer(live, &all[b]));
      all[b].length /= all[b].undecided ? 2 : 1;
      left += (size_t)all[b].undecided;
    }
  }
  for (size_t b = 0; b < n; b++)
    if (all[b].open)
      end(live, &all[b]);
  return brink__start_evaluate(live, t);
}

/* -------------------------------------------------------------- approach --- */

/* Keep the conditions that are no combinations of others; the block is closed if they
 * leave no choice. */
static void keep_independent(dae_live *live, start_search *s)
{
  size_t n = 0;

  brink__start_correction(live, s);
  for (size_t i = 0; i < s->rows; i++)
    if (live->initial.independent[s->active[i]])
      s->active[n++] = s->active[i];
  s->rows = n;
  s->open = n > 0 && n < s->cols;
}

/* The blocks in which start values have moved and a choice is left are open; 0: there
 * is none. */
static int choose_blocks(dae_live *live, int level, int rest)
{
  dae_initial_work *w = &live->initial;
  int any = 0;

  brink__start_searches(live, level);
  for (size_t b = 0; b < live->m->initial->n_blocks; b++) {
    start_search *s = &w->search[b];
    if (rest)
      hold_guesses(live, s, 0);
    arrange(live, s);
    s->open &= s->rows < s->cols && s->factors.a && distance(live, s) > 0;
    any |= s->open;
  }
  return any;
}

/* Where the approach begins. */
static void save(dae_live *live)
{
  const start_system *in = live->m->initial;

  for (size_t j = 0; j < in->n_searched; j++)
    live->initial.solved[j] = *brink__start_value(live, &in->unknowns[j]);
}

static void restore(dae_live *live)
{
  const start_system *in = live->m->initial;

  for (size_t j = 0; j < in->n_searched; j++)
    *brink__start_value(live, &in->unknowns[j]) = live->initial.solved[j];
}

/* Steps that are taken in a block at most. */
static int most(const start_search *s)
{
  double one = (double)s->rows * (double)s->rows * (double)s->cols;

  return (int)fmin(APPROACHES, fmax(FEWEST, WORK / one));
}

/* Steps of all open blocks, until no one is; 0: no values there. */
static int approach(dae_live *live, double t)
{
  start_search *all = live->initial.search;
  size_t n = live->m->initial->n_blocks;

  if (!brink__start_evaluate(live, t) || !brink__start_matrices(live))
    return 0;
  for (size_t b = 0; b < n; b++)
    if (all[b].open)
      keep_independent(live, &all[b]);
  for (int k = 0; k < APPROACHES; k++) {
    int any = 0;
    if (!brink__start_matrices(live))
      return 0;
    for (size_t b = 0; b < n; b++) {
      if (!all[b].open)
        continue;
      direction(live, &all[b]);
      choose_length(live, &all[b]);
      all[b].open = (all[b].slope > SMALL || all[b].rest > SMALL) && k < most(&all[b]);
      if (all[b].open)
        begin(live, &all[b]);
      any |= all[b].open;
    }
    if (!any)
      break;
    if (!move(live, t))
      return 0;
  }
  return 1;
}

/* Solve the conditions once more, beside the start values that are met. */
static int keep_met(dae_live *live, double t, int level)
{
  start_search *all = live->initial.search;

  brink__start_searches(live, level);
  for (size_t b = 0; b < live->m->initial->n_blocks; b++) {
    arrange(live, &all[b]);
    hold_guesses(live, &all[b], 1);
  }
  return brink__start_evaluate(live, t) &&
         brink__start_steps(live, t) == START_SOLVED &&
         brink__start_check(live, t, level, 0) == START_SOLVED;
}

static void go(dae_live *live, double t, int level, int rest)
{
  dae_fault before = live->fault; /* a failure here is no reason to be told */

  if (!choose_blocks(live, level, rest))
    return;
  save(live);
  int there = approach(live, t) &&
              brink__start_newton(live, t, level) == START_SOLVED &&
              brink__start_check(live, t, level, 0) == START_SOLVED;
  if (!there)
    restore(live);
  save(live);
  if (there && !keep_met(live, t, level))
    restore(live);
  live->fault = before;
  brink__start_evaluate(live, t);
}

void brink__start_nearest(dae_live *live, double t, int level)
{
  live->initial.whole_known = 1;
  go(live, t, level, 0);
  if (live->initial.shifted)
    go(live, t, level, 1);
  live->initial.whole_known = 0;
}
