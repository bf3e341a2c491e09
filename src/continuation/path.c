/* path.c -- one step along a curve F(z, p) = 0.
 *
 *   predict: along the direction d of the curve, the kernel of dF;
 *   correct: by Newton's method in the plane across d [AG03, chapter 6].  The first
 *     correction must be short beside the step and each one shorter than the one
 *     before, else another curve might be found;
 *   direction: of length 1, by one more system with the same border.
 *
 * The matrix is dF bordered by d: regular at turning points, singular only where curves
 * cross.  Its determinant is linear in the border, so that its sign may be read where
 * the direction before is still the border.
 *
 * Newton's homotopy F(z) = (1 - lambda) F(z0) is followed by the same steps, with
 * lambda in place of p, which is held.
 */
#include "continuation/continuation.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
  CORRECTIONS = 12, /* of one step                                                   */
  NEWTON = 60,      /* of a search at fixed p                                        */
  HALVINGS = 24     /* of one of its corrections                                     */
};

/* A correction below this, in units, is rounding. */
static const double CONVERGED = 8 * DBL_EPSILON;

/* Corrections that stop shrinking below this are rounding of the residuals. */
static const double STAGNATED = 1e-8;

/* Bounds on the first correction over the step, and on each over the one before. */
static const double NEAR = 0.3, SHRINK = 0.5;

/* Bound on the distance from the mean of both directions over the step: a curve beside
 * this one may have the same direction, but lies off that. */
static const double STRAY = 0.05;

/* ------------------------------------------------------------ evaluation --- */

static void place(path *w, const double *x)
{
  const rest_system *s = w->sys;

  for (size_t i = 0; i < s->n; i++)
    w->v[s->unknown[i]] = x[i];
  w->v[s->p] = w->start ? w->p_held : x[s->n];
}

void brink__path_show(path *w, const double *z, double *values)
{
  const dae_model *m = w->sys->m;

  place(w, z);
  for (size_t i = 0; i < m->base.n_vars; i++)
    values[i] = w->v[m->flat->vars[m->show[i]].value];
}

static int run(path *w, const brink__tape *tape)
{
  w->culprit = BRINK__NONE;
  return brink__tape_values(tape, w->v, &w->culprit) == BRINK_OK;
}

int brink__path_evaluate(path *w)
{
  const rest_system *s = w->sys;

  w->f_evals++;
  place(w, w->x);
  if (!run(w, s->f))
    return 0;
  for (size_t i = 0; i < s->n; i++) {
    w->r[i] = w->v[brink__tape_slot(s->f, i)];
    if (w->start)
      w->r[i] -= (1 - w->x[s->n]) * w->start[i];
  }
  w->r[s->n] = 0;
  return 1;
}

/* Factor the matrix at x, its columns in units. */
static int factor(path *w)
{
  const rest_system *s = w->sys;
  double *entry = w->factors.entry;

  place(w, w->x);
  if (!run(w, s->jacobian))
    return 0;
  memset(entry, 0, s->nnz * sizeof *entry);
  for (size_t k = 0; k < s->n_df; k++)
    entry[k] = w->v[brink__tape_slot(s->jacobian, k)] * w->unit[s->col[k]];
  for (size_t i = 0; w->start && i < s->n; i++)
    entry[s->by_p[i]] = w->start[i] * w->unit[s->n];
  for (size_t j = 0; j <= s->n; j++)
    entry[s->border + j] = w->border[j];
  w->lu++;
  return brink__numeric_factor(s->pattern, &w->factors) == BRINK_OK;
}

/* Solve for r, in units; r[n] belongs to the border.  0: the result is no number. */
static int solve(path *w, double *r)
{
  brink__numeric_solve(w->sys->pattern, &w->factors, r);
  return brink__all_finite(r, w->sys->n + 1);
}

static double length(const path *w, const double *c)
{
  double sum = 0;

  for (size_t j = 0; j <= w->sys->n; j++)
    sum += c[j] * c[j];
  return sqrt(sum);
}

/* p is held: the border is its unit vector. */
static void hold_p(path *w)
{
  memset(w->border, 0, w->sys->n * sizeof *w->border);
  w->border[w->sys->n] = 1;
}

void brink__path_measure(path *w)
{
  const rest_system *s = w->sys;
  double share = sqrt((double)s->n);

  for (size_t i = 0; i < s->n; i++)
    w->unit[i] = share * fmax(fabs(w->x[i]), s->live->constants.nominal[s->var[i]]);
  w->unit[s->n] = w->start ? 1 : w->p_unit;
}

void brink__path_keep(path *w)
{
  size_t n = w->sys->n;
  double sum = 0;

  brink__path_measure(w);
  for (size_t j = 0; j <= n; j++)
    sum += w->d[j] / w->unit[j] * (w->d[j] / w->unit[j]);
  for (size_t j = 0; j <= n; j++) {
    w->d[j] /= sqrt(sum);
    w->d0[j] = w->d[j];
    w->x0[j] = w->x[j];
  }
  w->sign0 = w->sign;
}

/* ------------------------------------------------------------ correction --- */

int brink__path_correct(path *w, double h, int hold)
{
  const rest_system *s = w->sys;
  double before = HUGE_VAL;

  if (hold)
    hold_p(w);
  else
    for (size_t j = 0; j <= s->n; j++)
      w->border[j] = w->d0[j] / w->unit[j];
  for (int k = 0; k < CORRECTIONS; k++) {
    if (!brink__path_evaluate(w) || !factor(w) || !solve(w, w->r))
      return 0;
    double size = length(w, w->r);
    if ((k == 0 && size > NEAR * h) || (size > SHRINK * before && before > STAGNATED))
      return 0;
    if (size > SHRINK * before)
      return 1;
    for (size_t j = 0; j < s->n + !hold; j++)
      w->x[j] -= w->r[j] * w->unit[j];
    if (size <= CONVERGED)
      return 1;
    before = size;
  }
  return 0;
}

/* One correction at fixed p, in r, is halved until the next one is shorter. */
static int damped(path *w, double before, double *after)
{
  size_t n = w->sys->n;
  double lambda = 1;

  memcpy(w->d, w->r, (n + 1) * sizeof *w->d);
  memcpy(w->x0, w->x, (n + 1) * sizeof *w->x);
  for (int k = 0; k < HALVINGS; k++, lambda /= 2) {
    for (size_t j = 0; j < n; j++)
      w->x[j] = w->x0[j] - lambda * w->d[j] * w->unit[j];
    if (!brink__path_evaluate(w) || !solve(w, w->r))
      continue;
    *after = length(w, w->r);
    if (*after <= (1 - lambda / 4) * before || *after <= CONVERGED)
      return 1;
  }
  memcpy(w->x, w->x0, (n + 1) * sizeof *w->x);
  return 0;
}

int brink__path_solve(path *w)
{
  double after;

  hold_p(w);
  for (int k = 0; k < NEWTON; k++) {
    brink__path_measure(w);
    if (!brink__path_evaluate(w) || !factor(w) || !solve(w, w->r))
      return 0;
    double size = length(w, w->r);
    if (size <= CONVERGED)
      return 1;
    if (!damped(w, size, &after))
      return size <= STAGNATED;
  }
  return 0;
}

/* ------------------------------------------------------------- direction --- */

/* The kernel of dF, with border as its direction; then of length 1 in d. */
static int kernel(path *w)
{
  size_t n = w->sys->n;

  if (!factor(w))
    return 0;
  memset(w->r, 0, n * sizeof *w->r);
  w->r[n] = 1;
  if (!solve(w, w->r))
    return 0;
  double size = length(w, w->r);
  if (!(size > 0))
    return 0;
  for (size_t j = 0; j <= n; j++)
    w->d[j] = w->r[j] / size * w->unit[j];
  w->sign = brink__numeric_sign(w->sys->pattern, &w->factors);
  return 1;
}

int brink__path_direction(path *w, const double *like)
{
  size_t n = w->sys->n;

  for (size_t j = 0; like && j <= n; j++)
    w->border[j] = like[j] / w->unit[j];
  if (like && kernel(w))
    return 1;
  for (size_t i = n + 1; i-- > 0;) { /* p first */
    memset(w->border, 0, (n + 1) * sizeof *w->border);
    w->border[i] = 1;
    if (kernel(w))
      return 1;
  }
  return 0;
}

/* ------------------------------------------------------------------ step --- */

void brink__path_span(path *w, double h)
{
  size_t n = w->sys->n;
  double cosine = 0;

  for (size_t j = 0; j <= n; j++)
    cosine += w->d0[j] / w->unit[j] * (w->d[j] / w->unit[j]);
  for (size_t j = 0; j <= n; j++) {
    w->x1[j] = w->x[j];
    w->d1[j] = w->d[j] / cosine; /* by the way along d0 */
  }
  w->h1 = h;
}

/* Where a step of length h leads, to first order; or (between) on the cubic that has
 * the points and directions of a step that was good at both ends. */
static void predict(path *w, double h, int between)
{
  double u = h / w->h1, a = u * u * (3 - 2 * u), b = h * (1 - u) * (1 - u),
         c = -h * u * (1 - u);

  for (size_t j = 0; j <= w->sys->n; j++)
    w->x[j] = between
                  ? w->x0[j] + a * (w->x1[j] - w->x0[j]) + b * w->d0[j] + c * w->d1[j]
                  : w->x0[j] + h * w->d0[j];
}

int brink__path_point(path *w, double h, int again)
{
  size_t n = w->sys->n;

  predict(w, h, again && !w->natural);
  if (!brink__path_correct(w, again ? HUGE_VAL : h, w->natural))
    return 0;
  for (size_t j = 0; j <= n; j++)
    w->border[j] = w->d0[j] / w->unit[j];
  return kernel(w);
}

int brink__path_is_near(const path *w, double h, double *angle)
{
  double off = 0, product = 0, a = 0, b = 0;

  for (size_t j = 0; j <= w->sys->n; j++) {
    double u = w->d0[j] / w->unit[j], v = w->d[j] / w->unit[j],
           z = (w->x[j] - w->x0[j]) / w->unit[j] - h * (u + v) / 2;
    off += z * z;
    product += u * v;
    a += u * u;
    b += v * v;
  }
  *angle = acos(fmin(fmax(product / sqrt(a * b), -1), 1));
  return sqrt(off) <= STRAY * h;
}
