/* rate.c -- how fast a guard moves along the flow: its Lie derivative
 *
 *   dg/dt = g_t(t, y) + sum_i g_{y_i}(t, y) f_i(t, y).
 *
 * A state tells at once: f_k.  A callback guard may come with a function for it.  The
 * guard of a text model is differentiated by its own tape, as the coefficient of theta
 * along the line (t + theta s, y + theta s f).  What is left, values without
 * derivatives, takes central differences D(s) along that line.  A guard of degree 2 or
 * less is a parabola there, of which D over any distance is exact.  Of others D(s) and
 * D(s/2) give (4 D(s/2) - D(s))/3, whose error is about the square of what the two
 * differ by; s begins as a part of the span that rounding does not feel, and becomes
 * shorter until they agree.  A rate near 0 is less than what rounding makes of the
 * differences, so that they never agree to a part of it: then those that differ least
 * tell it.
 */
#include "event/guards.h"

#include <math.h>

/* Differences over this part of the span, and over 2^-4 of it where that is too much,
 * TRIES times: to some 2^-19, the cube root of the rounding. */
static const double PART = 0x1p-3, SHORTER = 0x1p-4;
enum { TRIES = 5 };

/* They agree if they differ by this part of them: 1e-12 is left after extrapolation. */
static const double AGREE = 0x1p-20;

/* As the coefficient of theta along the line; the rows of node_y serve for it. */
static int by_series(brink__guards *g, int k, double t, const double *y,
                     const double *f, double span, double *rate)
{
  double *c = g->node_y, lo, hi;
  brink_step line = {t, span, t + span, g->n_states, 1, c};

  if (g->info[k].form != BRINK__GUARD_JET)
    return 0;
  brink__guards_step(g);
  for (size_t i = 0; i < g->n_states; i++) {
    c[2 * i] = y[i];
    c[2 * i + 1] = span * f[i];
  }
  g->evals++;
  if (!g->model->ops->guard_range(g->model, g->live, g->mode, k, &line, 0, 0, 1, &lo,
                                  &hi))
    return 0;
  *rate = 0.5 * (lo + hi) / span;
  return 1;
}

/* The guard at t + s on the line. */
static int along(brink__guards *g, int k, double t, const double *y, const double *f,
                 double s, double *value)
{
  double *there = g->node_y;
  brink_err ignored;

  for (size_t i = 0; i < g->n_states; i++)
    there[i] = y[i] + s * f[i];
  return brink__guard_value(g, k, t + s, there, value, &ignored) == BRINK_OK;
}

/* D(s). */
static int difference(brink__guards *g, int k, double t, const double *y,
                      const double *f, double s, double *slope)
{
  double before, after;

  s = (t + s) - t; /* what t can tell */
  if (!(s != 0 && along(g, k, t, y, f, -s, &before) && along(g, k, t, y, f, s, &after)))
    return 0;
  *slope = (after - before) / (2 * s);
  return 1;
}

static int by_difference(brink__guards *g, int k, double t, const double *y,
                         const double *f, double span, double *rate)
{
  int parabola = g->info[k].degree == 1 || g->info[k].degree == 2;
  double s = PART * span, wide, narrow, least = HUGE_VAL;

  brink__guards_step(g);
  if (parabola)
    return difference(g, k, t, y, f, span, rate);
  for (int i = 0; i < TRIES; i++, s *= SHORTER) {
    if (!difference(g, k, t, y, f, s, &wide) ||
        !difference(g, k, t, y, f, s / 2, &narrow))
      continue;
    double differ = fabs(narrow - wide);
    if (differ < least) {
      *rate = (4 * narrow - wide) / 3;
      least = differ;
    }
    if (least <= AGREE * fabs(*rate))
      break;
  }
  return least < HUGE_VAL;
}

int brink__guard_rate(brink__guards *g, int k, double t, const double *y,
                      const double *f, double span, double *rate)
{
  const brink__model_ops *ops = g->model->ops;

  if (g->info[k].form == BRINK__GUARD_STATE) {
    *rate = f[g->info[k].state];
    return isfinite(*rate) != 0;
  }
  if (ops->guard_rate &&
      ops->guard_rate(g->model, g->live, g->mode, k, t, y, f, rate)) {
    g->evals++;
    return 1;
  }
  return by_series(g, k, t, y, f, span, rate) ||
         by_difference(g, k, t, y, f, span, rate);
}
