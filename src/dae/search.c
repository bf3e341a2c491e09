/* search.c -- equations that Newton's method does not solve from the start values.
 *
 * At the start, and only there, a loop is searched further:
 *
 *   1. the same method with more corrections (exp(z) = 5 from z = 100 needs them);
 *   2. where the equations have no value at the start values, or no solution is found
 *      from there, other points: all unknowns moved by some nominal values, up or down;
 *   3. along the curve F(z) = (1 - lambda) F(z0), with lambda from 0 to 1, followed
 *      both ways by its length (curve.c): it passes the places where the matrix is
 *      singular, at which Newton's method ends [AG03, chapter 8].
 *
 * Any solution will do: the nearest one to the start values would have been found
 * before.
 */
#include "dae/curve.h"

#include <math.h>
#include <string.h>

enum {
  CORRECTIONS_FIRST = 2000, /* from the start values */
  CORRECTIONS = 200,        /* from other points     */
  STEPS = 400               /* along one curve                   */
};

/* Points to begin at, in nominal values from the start values, or from zero. */
/* clang-format off */
static const struct {
  double shift;
  int from_zero;
} points[] = {
  {0, 0}, {1, 0}, {-1, 0}, {0.1, 0}, {-0.1, 0}, {10, 0}, {-10, 0}, {0.01, 0},
  {-0.01, 0}, {100, 0}, {-100, 0}, {0, 1}, {0.5, 1}, {-0.5, 1}, {2, 1}, {-2, 1},
};
/* clang-format on */

typedef struct loop_curve {
  dae_curve curve; /* first */
  const dae_step *step;
  const double *f0; /* [n] residuals where the curve begins */
} loop_curve;

/* Have the equations values and slopes here? */
static int exists(dae_live *live, const dae_loop *loop)
{
  return brink__tape_values(loop->residual, live->v, NULL) == BRINK_OK &&
         brink__tape_values(loop->jacobian, live->v, NULL) == BRINK_OK;
}

static int slopes(dae_curve *c)
{
  const loop_curve *h = (const loop_curve *)(const void *)c;
  const dae_loop *loop = h->step->loop;
  dae_live *live = c->live;
  dae_path *w = &live->path;
  size_t n = loop->n;

  for (size_t i = 0; i < n; i++)
    live->v[loop->symbol[i]] = w->x[i];
  if (brink__tape_values(loop->residual, live->v, NULL) < 0)
    return 0;
  for (size_t i = 0; i < n; i++)
    w->r0[i] = live->v[brink__tape_slot(loop->residual, i)] - (1 - w->x[n]) * h->f0[i];
  live->effort.jac_evals++;
  if (brink__tape_values(loop->jacobian, live->v, NULL) < 0)
    return 0;
  memset(w->jacobian, 0, n * (n + 1) * sizeof *w->jacobian);
  for (size_t k = 0; k < loop->nnz; k++)
    w->jacobian[(size_t)loop->i[k] * (n + 1) + (size_t)loop->j[k]] =
        live->v[brink__tape_slot(loop->jacobian, k)] * w->unit[loop->j[k]];
  for (size_t i = 0; i < n; i++)
    w->jacobian[i * (n + 1) + n] = h->f0[i];
  return 1;
}

static void measure(dae_curve *c)
{
  const dae_loop *loop = ((const loop_curve *)(const void *)c)->step->loop;
  dae_live *live = c->live;
  double share = sqrt((double)loop->n);

  for (size_t i = 0; i < loop->n; i++)
    live->path.unit[i] =
        share * fmax(fabs(live->path.x[i]), brink__dae_nominal(live, loop, i));
  live->path.unit[loop->n] = 1;
}

static void place(dae_live *live, const dae_loop *loop, const double *x)
{
  for (size_t i = 0; i < loop->n; i++)
    live->u[i] = live->v[loop->symbol[i]] = x[i];
}

/* Put the unknowns at one of the points. */
static void place_at(dae_live *live, const dae_loop *loop, size_t point)
{
  for (size_t i = 0; i < loop->n; i++)
    live->path.x[i] =
        points[point].shift * brink__dae_nominal(live, loop, i) +
        (points[point].from_zero ? 0 : live->constants.v0[loop->symbol[i]]);
  place(live, loop, live->path.x);
}

/* Follow the curve that begins at this point, one way. */
static int follow(dae_live *live, const dae_step *step, size_t point, double sign)
{
  const dae_loop *loop = step->loop;
  loop_curve h = {.curve = {.live = live,
                            .n = loop->n,
                            .rows = loop->n,
                            .least = -HUGE_VAL,
                            .most_steps = STEPS,
                            .slopes = slopes,
                            .measure = measure},
                  .step = step,
                  .f0 = live->du};

  place_at(live, loop, point);
  if (brink__tape_values(loop->residual, live->v, NULL) < 0)
    return 0;
  for (size_t i = 0; i < loop->n; i++)
    live->du[i] = live->v[brink__tape_slot(loop->residual, i)];
  live->path.x[loop->n] = 0;
  if (brink__dae_curve(&h.curve, sign) != DAE_CURVE_DONE)
    return 0;
  place(live, loop, live->path.x);
  return brink__dae_newton(live, step, CORRECTIONS);
}

int brink__dae_search(dae_live *live, const dae_step *step)
{
  const dae_loop *loop = step->loop;
  int followed = 0;

  if (loop->n > DAE_SEARCH_MAX)
    return 0;
  for (size_t k = 0; k < BRINK__COUNT(points); k++) {
    place_at(live, loop, k);
    if (!exists(live, loop))
      continue;
    if (brink__dae_newton(live, step, k ? CORRECTIONS : CORRECTIONS_FIRST))
      return 1;
    if (!followed && (follow(live, step, k, 1) || follow(live, step, k, -1)))
      return 1;
    followed = 1;
  }
  return 0;
}
