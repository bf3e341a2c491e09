/* loop.c -- equations that must be solved together.
 *
 * Linear ......... one LU of the exact matrix, from the residual at zero, so that
 *                  the result is a function of the knowns alone.
 * Nonlinear ...... Newton's method with the exact Jacobian from the last solution,
 *                  damped by the natural monotonicity test: a step is good if the
 *                  next correction, with the same matrix, is smaller
 *                  [Deuflhard11, 3.3].  Iterated down to rounding, because the
 *                  solution is part of a right-hand side.  If that fails, once more
 *                  from the start values; at the start of a run, see search.c.
 *
 * A loop without a solution near the last one makes the evaluation fail; the integrator
 * then tries a smaller step.
 */
#include "dae/model.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
  NEWTON_MAX = 60, /* corrections in one search                            */
  HALVINGS = 24    /* of one correction, before the search is given up     */
};

/* A correction below this, relative to the unknowns, is rounding: the loop is solved.
 */
static const double CONVERGED = 8 * DBL_EPSILON;

/* Where corrections stop shrinking because the residual is rounding (a badly scaled or
 * ill-conditioned loop), one below this is accepted. */
static const double STAGNATED = 1e-10;

/* A correction below this part of the unknown itself cannot lead out of the domain of
 * the equations, and is not tried out (see is_possible). */
static const double WELL_INSIDE = 1e-3;

static int fail(dae_live *live, const dae_step *step, int what)
{
  live->fault = (dae_fault){step, BRINK__NONE, what, -1};
  return 0;
}

static int residual(dae_live *live, const dae_step *step)
{
  const dae_loop *loop = step->loop;

  if (brink__dae_run_tape(live, step, loop->residual) < 0)
    return 0;
  for (size_t i = 0; i < loop->n; i++)
    live->r[i] = live->v[brink__tape_slot(loop->residual, i)];
  return 1;
}

static int factor(dae_live *live, const dae_step *step)
{
  const dae_loop *loop = step->loop;
  brink__numeric *f = &live->factors[loop->number];

  live->effort.jac_evals++;
  if (brink__dae_run_tape(live, step, loop->jacobian) < 0)
    return 0;
  for (size_t k = 0; k < loop->nnz; k++)
    f->entry[k] = live->v[brink__tape_slot(loop->jacobian, k)];
  live->effort.lu++;
  brink_status rc = brink__numeric_factor(loop->pattern, f);
  if (rc < 0)
    return fail(live, step, rc == BRINK_ENOMEM ? DAE_FAULT_MEMORY : DAE_FAULT_SINGULAR);
  return 1;
}

/* Solve with the factors; r holds the right-hand side, then the solution. */
static void solve(dae_live *live, const dae_loop *loop)
{
  brink__numeric_solve(loop->pattern, &live->factors[loop->number], live->r);
}

static int linear(dae_live *live, const dae_step *step)
{
  const dae_loop *loop = step->loop;

  for (size_t i = 0; i < loop->n; i++)
    live->v[loop->symbol[i]] = 0;
  if (!residual(live, step) || !factor(live, step))
    return 0;
  solve(live, loop);
  for (size_t i = 0; i < loop->n; i++) {
    live->v[loop->symbol[i]] = 0 - live->r[i];
    if (!isfinite(live->r[i]))
      return fail(live, step, DAE_FAULT_SINGULAR);
  }
  return 1;
}

/* -------------------------------------------------------------- newton --- */

/* Size of a correction, in units of the unknowns. */
static double size_of(const dae_live *live, const dae_loop *loop, const double *du)
{
  double top = 0;

  for (size_t i = 0; i < loop->n; i++) {
    double unit = fmax(fabs(live->u[i]), brink__dae_nominal(live, loop, i));
    top = fmax(top, fabs(du[i]) / unit);
  }
  return isfinite(top) ? top : HUGE_VAL;
}

static void place(dae_live *live, const dae_loop *loop, double lambda)
{
  for (size_t i = 0; i < loop->n; i++)
    live->v[loop->symbol[i]] = live->u[i] - lambda * live->du[i];
}

/* Is u a solution because the correction d is small?  It is small, too, where the
 * matrix is huge: at the edge of what the equations can do (z + sqrt(z) = -1 near z =
 * 0).  So where a correction is not small beside the unknowns themselves, the equations
 * must have values behind it. */
static int is_possible(dae_live *live, const dae_step *step, const double *d)
{
  const dae_loop *loop = step->loop;
  int small = 1;

  for (size_t i = 0; i < loop->n; i++)
    small &= fabs(d[i]) <= WELL_INSIDE * fabs(live->u[i]);
  if (small)
    return 1;
  for (size_t i = 0; i < loop->n; i++)
    live->v[loop->symbol[i]] = live->u[i] - d[i];
  int possible = residual(live, step);
  for (size_t i = 0; i < loop->n; i++)
    live->v[loop->symbol[i]] = live->u[i];
  return possible;
}

/* One damped correction from u along du; the next correction (same matrix) is left
 * in r.  1: moved; 0: no step helps. */
static int search(dae_live *live, const dae_step *step, double before, double *after)
{
  const dae_loop *loop = step->loop;
  double lambda = 1;

  for (int k = 0; k < HALVINGS; k++, lambda /= 2) {
    place(live, loop, lambda);
    if (!residual(live, step))
      continue;
    solve(live, loop);
    *after = size_of(live, loop, live->r);
    if (*after <= (1 - lambda / 4) * before || *after <= CONVERGED) {
      for (size_t i = 0; i < loop->n; i++)
        live->u[i] -= lambda * live->du[i];
      return 1;
    }
  }
  return 0;
}

int brink__dae_newton(dae_live *live, const dae_step *step, int most)
{
  const dae_loop *loop = step->loop;
  double now, next = 0;

  for (int k = 0; k < most; k++) {
    if (!residual(live, step) || !factor(live, step))
      return 0;
    solve(live, loop);
    memcpy(live->du, live->r, loop->n * sizeof *live->du);
    now = size_of(live, loop, live->du);
    if (now <= CONVERGED && is_possible(live, step, live->du)) {
      place(live, loop, 1);
      return 1;
    }
    if (!search(live, step, now, &next)) {
      place(live, loop, 0);
      if (now <= STAGNATED && is_possible(live, step, live->du))
        return 1;
      return fail(live, step, DAE_FAULT_NEWTON);
    }
    if (next > CONVERGED)
      continue;
    memcpy(live->du, live->r, loop->n * sizeof *live->du);
    if (is_possible(live, step, live->du))
      return 1;
  }
  return fail(live, step, DAE_FAULT_NEWTON);
}

static int from_start_values(dae_live *live, const dae_step *step)
{
  const dae_loop *loop = step->loop;

  for (size_t i = 0; i < loop->n; i++)
    live->u[i] = live->v[loop->symbol[i]] = live->constants.v0[loop->symbol[i]];
  return brink__dae_newton(live, step, NEWTON_MAX);
}

brink_status brink__dae_loop(dae_live *live, const dae_step *step)
{
  const dae_loop *loop = step->loop;

  if (loop->linear)
    return linear(live, step) ? BRINK_OK : BRINK_EDOMAIN;
  for (size_t i = 0; i < loop->n; i++)
    live->u[i] = live->v[loop->symbol[i]];
  if (brink__dae_newton(live, step, NEWTON_MAX))
    return BRINK_OK;
  if (from_start_values(live, step) ||
      (live->searching && brink__dae_search(live, step)))
    return BRINK_OK;
  if (live->searching)
    from_start_values(live, step); /* for the message: where Newton's method ended */
  return BRINK_EDOMAIN;
}
