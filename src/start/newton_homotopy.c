/* newton_homotopy.c -- conditions that Gauss-Newton steps do not solve.
 *
 * Such steps end where the residuals F of the conditions have a local minimum that is
 * not 0.  The curve
 *
 *   F(x) = (1 - lambda) F(x0)
 *
 * begins at the start values x0 with lambda = 0 and passes those places, at which it
 * turns back in lambda; where lambda is 1 it has found a solution [AG03, chapter 8]. It
 * is followed by its length (dae/curve.c), both ways, in each block whose conditions
 * are missed.  With fewer conditions than unknowns it is the one that is bent least.
 *
 * Relations keep their values along the curve: start.c looks at them afterwards.
 *
 * Cost: a matrix of the block for each of some thousand corrections at most.
 */
#include "dae/curve.h"
#include "start/start.h"

#include <math.h>
#include <string.h>

enum { STEPS = 400 }; /* along one curve, one way */

typedef struct block_curve {
  dae_curve curve; /* first */
  start_search *search;
  const double *f0; /* [rows] residuals where the curve begins */
  double t;
} block_curve;

static const block_curve *curve_of(const dae_curve *c)
{
  return (const block_curve *)(const void *)c;
}

static const start_unknown *unknown(const dae_live *live, const start_search *s,
                                    size_t j)
{
  return &live->m->initial->unknowns[s->searched[j]];
}

static double residual(const dae_live *live, const start_search *s, size_t i)
{
  return live->initial.lhs[s->active[i]] - live->initial.rhs[s->active[i]];
}

static int slopes(dae_curve *c)
{
  const block_curve *h = curve_of(c);
  const start_search *s = h->search;
  dae_live *live = c->live;
  dae_path *w = &live->path;
  size_t n = s->cols;

  for (size_t j = 0; j < n; j++)
    *brink__start_value(live, unknown(live, s, j)) = w->x[j];
  if (!brink__start_evaluate(live, h->t))
    return 0;
  for (size_t i = 0; i < s->rows; i++)
    w->r0[i] = (residual(live, s, i) - (1 - w->x[n]) * h->f0[i]) / s->row_unit[i];
  if (!brink__start_matrices(live))
    return 0;
  for (size_t i = 0; i < s->rows; i++) {
    for (size_t j = 0; j < n; j++)
      w->jacobian[i * (n + 1) + j] = s->matrix[i * n + j] * w->unit[j] / s->row_unit[i];
    w->jacobian[i * (n + 1) + n] = h->f0[i] / s->row_unit[i];
  }
  return 1;
}

/* Lambda weighs as much as all unknowns together. */
static void measure(dae_curve *c)
{
  const start_search *s = curve_of(c)->search;
  dae_path *w = &c->live->path;
  double share = sqrt((double)s->cols);

  for (size_t j = 0; j < s->cols; j++)
    w->unit[j] = share * fmax(fabs(w->x[j]),
                              brink__start_nominal(c->live, unknown(c->live, s, j)));
  w->unit[s->cols] = 1;
}

/* Follow the curve one way, from the point at which the search began. */
static int follow(dae_live *live, start_search *s, double t, double sign)
{
  dae_initial_work *w = &live->initial;
  block_curve h = {.curve = {.live = live,
                             .n = s->cols,
                             .rows = s->rows,
                             .least = -HUGE_VAL,
                             .most_steps = STEPS,
                             .slopes = slopes,
                             .measure = measure},
                   .search = s,
                   .f0 = s->best,
                   .t = t};

  for (size_t j = 0; j < s->cols; j++)
    live->path.x[j] = *brink__start_value(live, unknown(live, s, j)) =
        w->guess[s->searched[j]];
  live->path.x[s->cols] = 0;
  if (!brink__start_evaluate(live, t) || !brink__start_matrices(live))
    return 0;
  brink__start_correction(live, s); /* which measures the rows */
  for (size_t i = 0; i < s->rows; i++)
    s->best[i] = residual(live, s, i);
  dae_curve_end end = brink__dae_curve(&h.curve, sign);
  live->effort.homotopy += h.curve.steps;
  if (h.curve.steps)
    w->lambda = fmax(w->lambda, h.curve.top);
  for (size_t j = 0; j < s->cols; j++)
    *brink__start_value(live, unknown(live, s, j)) = live->path.x[j];
  return end == DAE_CURVE_DONE;
}

start_end brink__start_follow(dae_live *live, double t, int level)
{
  const start_system *in = live->m->initial;
  dae_initial_work *w = &live->initial;
  dae_fault before = live->fault;

  for (size_t b = 0; b < in->n_blocks; b++) {
    start_search *s = &w->search[b];
    if (!w->missed[b])
      continue;
    brink__start_searches(live, level);
    for (size_t k = 0; k < in->n_blocks; k++)
      w->search[k].open &= k == b && s->rows <= s->cols && s->cols <= START_FOLLOW_MAX;
    for (size_t j = 0; j < s->cols; j++)
      w->kept[s->searched[j]] = *brink__start_value(live, unknown(live, s, j));
    if (s->open && (follow(live, s, t, 1) || follow(live, s, t, -1)))
      continue;
    for (size_t j = 0; j < s->cols; j++)
      *brink__start_value(live, unknown(live, s, j)) = w->kept[s->searched[j]];
  }
  live->fault = before;
  start_end end = brink__start_newton(live, t, level);
  return end == START_SOLVED ? brink__start_check(live, t, level, 0) : end;
}
