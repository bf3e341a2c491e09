/* rounding.c -- what a guard's value is uncertain by: the width of its zero.
 *
 * A guard inherits the rounding of its arguments: with y_i uncertain by d_i, g is by
 * sum |dg/dy_i| d_i.  A state tells that at once, and so does a model that can enclose
 * its guards (text); of a callback the partials are difference quotients over far times
 * d_i, and one in t; where a text model cannot enclose a guard, the rounding of what it
 * has solved counts as well.
 */
#include "event/guards.h"

#include <float.h>
#include <math.h>

/* The rounding of t counts where it is more than this part of the step: above
 * what theta itself is rounded by. */
static const double LATE = 0x1p-45;

/* A place on the step where no term is exact by chance, as 1 + t*t - 1 is at 0. */
static const double INSIDE = 0.6180339887498949;

/* A guard larger than this part of its own recent size is not near zero, and its
 * rounding bound need not be computed: it is some 1e-15 of that size. */
static const double CLEAR = 1e-6;

/* ---------------------------------------------------------- at a point --- */

static double state_delta(const brink__guard *info, const double *noise)
{
  return noise[info->state] + DBL_EPSILON * fabs(info->level) + info->noise;
}

/* What the expression of a guard is uncertain by, if the model can tell. */
static int expression_delta(brink__guards *g, int k, double t, const double *y,
                            const double *noise, double *delta)
{
  double value;

  g->evals++;
  return g->model->ops->guard_noise(g->model, g->live, g->mode, k, t, y, noise, &value,
                                    delta);
}

/* The bound as the model has it: of states, and of guards that it can enclose. */
static int model_delta(brink__guards *g, int k, double t, const double *y,
                       const double *noise, double *delta)
{
  if (g->info[k].form == BRINK__GUARD_STATE) {
    *delta = state_delta(&g->info[k], noise);
    return 1;
  }
  return brink__guard_encloses(g->info[k].form) &&
         expression_delta(g, k, t, y, noise, delta);
}

/* By how much does the guard at (t, g->y) differ from `value`?  0 where it has none. */
BRINK__INLINE double moved(brink__guards *g, int k, double t, double value)
{
  double there;
  int rc = g->model->ops->guard(g->model, g->live, g->mode, k, t, g->y, &there);

  g->evals++;
  return rc == 0 && isfinite(there) ? fabs(there - value) : 0;
}

/* What the noise of all states at once, with signs in turn, does to the value given.
 * One by one they add up to some sqrt(n) times as much, if their signs are random;
 * the factor 2 is for those that cancel by more than that. */
static double together(brink__guards *g, int k, double t, const double *y,
                       const double *noise, double far, double value)
{
  size_t n = g->n_states;

  for (size_t i = 0; i < n; i++)
    g->y[i] = y[i] + (i % 2 ? -far : far) * noise[i];
  return 2 * sqrt((double)n) * moved(g, k, t, value) / far;
}

/* By differences: what the states' noise does to the value given. */
static void difference_delta(brink__guards *g, int k, double t, const double *y,
                             const double *noise, double far, double value,
                             double *delta)
{
  size_t n = g->n_states;

  *delta = g->info[k].noise + 4 * DBL_EPSILON * fabs(value);
  brink__copy(g->y, y, n);
  double late = t + BRINK__FAR * DBL_EPSILON * fabs(t); /* t0 + theta h is rounded */
  if (late != t)
    *delta += moved(g, k, late, value) / BRINK__FAR;
  if (g->info[k].costly)
    *delta += together(g, k, t, y, noise, far, value);
  for (size_t i = 0; !g->info[k].costly && i < n; i++) {
    if (noise[i] == 0)
      continue;
    g->y[i] = y[i] + far * noise[i];
    *delta += moved(g, k, t, value) / far;
    g->y[i] = y[i];
  }

  /* behind a loop the expression has its own part, the rounding of what was solved */
  double own;
  if (expression_delta(g, k, t, y, noise, &own))
    *delta += own;
}

brink_status brink__guard_rounding(brink__guards *g, int k, double t, const double *y,
                                   const double *noise, double far, double *delta,
                                   brink_err *err)
{
  double value;

  if (model_delta(g, k, t, y, noise, delta))
    return BRINK_OK;
  BRINK_TRY(brink__guard_value(g, k, t, y, &value, err));
  difference_delta(g, k, t, y, noise, far, value, delta);
  return BRINK_OK;
}

/* ----------------------------------------------------------- on a step --- */

/* What the polynomial of a state is uncertain by, at most. */
static double row_noise(const double *c, int degree)
{
  double sum = 0;

  for (int k = 0; k <= degree; k++)
    sum += fabs(c[k]);
  return 2 * DBL_EPSILON * sum;
}

/* The states at the start of a step, and what they are uncertain by: once for all
 * guards. */
static void state_noise(brink__guards *g, const brink_step *step)
{
  size_t width = (size_t)step->degree + 1;

  if (g->noise_step == step)
    return;
  for (size_t i = 0; i < step->n; i++) {
    g->noise[i] = row_noise(step->coeff + i * width, step->degree);
    g->y0[i] = step->coeff[i * width];
  }
  g->noise_step = step;
  g->inside_step = NULL;
}

brink_status brink__guard_noise(brink__guards *g, int k, const brink_step *step,
                                double *delta, brink_err *err)
{
  double inside = 0;

  state_noise(g, step);
  if (brink__guard_encloses(g->info[k].form)) {
    if (g->inside_step != step)
      brink_step_at(step, INSIDE, g->y_in);
    g->inside_step = step;
    if (!model_delta(g, k, step->t0 + INSIDE * step->h, g->y_in, g->noise, &inside))
      inside = 0;
  }
  BRINK_TRY(
      brink__guard_rounding(g, k, step->t0, g->y0, g->noise, BRINK__FAR, delta, err));
  *delta = fmax(*delta, inside);

  /* late in a run t0 + theta h is rounded a lot: the slope may be elsewhere, too */
  double late = DBL_EPSILON * fabs(step->t0) / fabs(step->h), first, last;
  if (late < LATE || g->info[k].form == BRINK__GUARD_STATE)
    return BRINK_OK;
  BRINK_TRY(brink__guard_value(g, k, step->t0, g->y0, &first, err));
  BRINK_TRY(brink__guard_value(g, k, step->t1, g->y0, &last, err));
  *delta += late * fabs(last - first);
  return BRINK_OK;
}

/* -------------------------------------------------------- at a restart --- */

brink_status brink__guard_arm(brink__guards *g, int k, double t, const double *y,
                              const double *noise, double far, brink_err *err)
{
  brink__watch *w = &g->watch[k];
  double value, delta = 0;

  BRINK_TRY(brink__guard_value(g, k, t, y, &value, err));
  int clear = w->scale > 0 && fabs(value) > CLEAR * w->scale && !g->info[k].coupled;
  if (!clear && !model_delta(g, k, t, y, noise, &delta))
    difference_delta(g, k, t, y, noise, far, value, &delta);
  brink__watch_arm(w, value, delta);
  return BRINK_OK;
}
