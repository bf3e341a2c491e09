/* loop.c -- equations that must be solved together.
 *
 * Linear ......... one LU of the exact matrix, from the residual at zero, so that
 *                  the result is a function of the knowns alone.
 * Nonlinear ...... Newton's method with the exact Jacobian, damped by the natural
 *                  monotonicity test: a step is good if the next correction, with the
 *                  same matrix, is smaller [Deuflhard11, 3.3].  Iterated down to
 *                  rounding, because the solution is part of a right-hand side.
 *
 * Between events the solution is the one that continues that of the last accepted point
 * (follow.c); without one the evaluation fails, and the integrator tries a smaller
 * step. At events and at the start Newton's method begins at the last solution, then at
 * the start values; at the start of a run, see search.c.
 *
 * Unknowns are counted in units of their size, or of their nominal value if that is
 * larger, and the matrix is scaled so: a loop may be written in any units.
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

/* Where residuals are rounding, corrections are rounding as well, and cannot become
 * smaller: one below this is accepted, which is what a double solution allows (z*z = w,
 * w about 0). */
static const double STAGNATED = 1e-7;

/* Residuals are rounding if they are below this many times their rounding bounds. */
static const double CANCELLED = 4;

/* A correction below this part of the unknown itself cannot lead out of the domain of
 * the equations, and is not tried out (see is_possible). */
static const double WELL_INSIDE = 1e-3;

/* A solution that is followed is where corrections shrink by this factor at least, from
 * the first on: then there is no other one within twice the first correction
 * [Deuflhard11, 2.1]. */
static const double CONTRACTION = 0.25;

/* A first correction from the anchor longer than this, relative to the unknowns, may
 * lead to another solution. */
static const double FAR = 1e-2;

/* A first correction longer than this, relative to the unknowns, is looked at on its
 * way as well, at a part BETWEEN: equations that repeat themselves (cos(z) = w) may
 * seem linear over a whole period. */
static const double LONG = 1e-3, BETWEEN = 0.38, BETWEEN_TOO = 0.79;

/* The matrix is used again while corrections shrink by this factor or more: two or
 * three of these reach rounding, and cost less than another matrix. */
static const double FAST = 1e-3;

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
    f->entry[k] = live->v[brink__tape_slot(loop->jacobian, k)] * live->unit[loop->j[k]];
  live->effort.lu++;
  brink_status rc = brink__numeric_factor(loop->pattern, f);
  if (rc < 0)
    return fail(live, step, rc == BRINK_ENOMEM ? DAE_FAULT_MEMORY : DAE_FAULT_SINGULAR);
  return 1;
}

/* The correction that belongs to the residuals in r, with the matrix last factored. */
static void solve(dae_live *live, const dae_loop *loop)
{
  brink__numeric_solve(loop->pattern, &live->factors[loop->number], live->r);
  for (size_t i = 0; i < loop->n; i++)
    live->r[i] *= live->unit[i];
}

/* The units of the unknowns for the matrix: powers of two, so that they add no
 * rounding. Linear loops have no size before they are solved. */
static void set_units(dae_live *live, const dae_loop *loop)
{
  for (size_t i = 0; i < loop->n; i++) {
    double size = brink__dae_nominal(live, loop, i);
    int exponent;
    if (!loop->linear)
      size = fmax(size, fabs(live->u[i]));
    frexp(size, &exponent);
    live->unit[i] = isfinite(size) && size > 0 ? ldexp(1, exponent) : 1;
  }
}

int brink__dae_loop_solve(dae_live *live, const dae_step *step, int factored)
{
  const dae_loop *loop = step->loop;

  for (size_t i = 0; i < loop->n; i++)
    live->u[i] = live->v[loop->symbol[i]];
  set_units(live, loop);
  if (!factored && !factor(live, step))
    return 0;
  solve(live, loop);
  return 1;
}

static int linear(dae_live *live, const dae_step *step)
{
  const dae_loop *loop = step->loop;

  for (size_t i = 0; i < loop->n; i++)
    live->v[loop->symbol[i]] = 0;
  set_units(live, loop);
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

/* Do the terms of each residual at u cancel to rounding?  What the equations read is
 * known to rounding, too. */
static int cancels(dae_live *live, const dae_step *step)
{
  const dae_loop *loop = step->loop;
  int yes = 1;

  place(live, loop, 0);
  for (size_t i = 0; i < loop->n_known; i++)
    live->delta[loop->known[i]] = DBL_EPSILON * fabs(live->v[loop->known[i]]);
  for (size_t i = 0; i < loop->n; i++)
    live->delta[loop->symbol[i]] = DBL_EPSILON * fabs(live->u[i]);
  yes = brink__tape_noise(loop->residual, live->v, live->delta, live->work, live->bound,
                          NULL) == BRINK_OK;
  for (size_t i = 0; i < loop->n_known; i++)
    live->delta[loop->known[i]] = 0;
  for (size_t i = 0; i < loop->n; i++) {
    live->delta[loop->symbol[i]] = 0;
    yes = yes && fabs(live->v[brink__tape_slot(loop->residual, i)]) <=
                     CANCELLED * live->bound[i];
  }
  return yes;
}

/* The next correction (same matrix) a part lambda along du from u is left in r.  0:
 * there is none. */
static int look(dae_live *live, const dae_step *step, double lambda)
{
  place(live, step->loop, lambda);
  if (!residual(live, step))
    return 0;
  solve(live, step->loop);
  return 1;
}

/* Are the equations linear enough along the first correction, of this size?  Then a
 * part of the way leaves the rest. */
static int is_linear(dae_live *live, const dae_step *step, double size)
{
  const dae_loop *loop = step->loop;

  if (size <= LONG)
    return 1;
  if (!look(live, step, BETWEEN))
    return 0;
  for (size_t i = 0; i < loop->n; i++)
    live->r[i] -= (1 - BETWEEN) * live->du[i];
  return size_of(live, loop, live->r) <= CONTRACTION * fmin(size, FAR);
}

/* From the anchor: are the equations linear in their knowns as well?  Else another
 * solution may have come to where the anchor is.  After a part of the way the
 * correction would be that part of itself. */
static int moves_linearly(dae_live *live, const dae_step *step, double now, double part)
{
  const dae_loop *loop = step->loop;
  const dae_newton *newton = &live->newton;

  place(live, loop, 0);
  brink__dae_between_anchor(live, loop, newton->s0 + part * (newton->s1 - newton->s0));
  int here = residual(live, step);
  brink__dae_between_anchor(live, loop, newton->s1);
  if (!here)
    return 0;
  solve(live, loop);
  for (size_t i = 0; i < loop->n; i++)
    live->r[i] -= part * live->du[i];
  return size_of(live, loop, live->r) <=
         fmax(CONTRACTION * fmin(part * now, FAR), LONG);
}

/* Is there one solution only along the first correction, of size `now`? */
static int is_straight(dae_live *live, const dae_step *step, double now)
{
  const dae_newton *newton = &live->newton;

  return is_linear(live, step, now) &&
         (!newton->by_parts || (moves_linearly(live, step, now, BETWEEN) &&
                                moves_linearly(live, step, now, BETWEEN_TOO)));
}

/* One damped correction from u along du; the next correction (same matrix) is left
 * in r.  1: moved; 0: no step helps. */
static int search(dae_live *live, const dae_step *step, double before, double *after)
{
  const dae_loop *loop = step->loop;
  double lambda = 1;

  for (int k = 0; k < HALVINGS; k++, lambda /= 2) {
    if (!look(live, step, lambda))
      continue;
    *after = size_of(live, loop, live->r);
    if (*after <= (1 - lambda / 4) * before || *after <= CONVERGED) {
      for (size_t i = 0; i < loop->n; i++)
        live->u[i] -= lambda * live->du[i];
      return 1;
    }
  }
  return 0;
}

/* The first correction, of size `now`, from where a solution is followed: does it lead
 * to one nearby, on the same branch?  The next correction is left in r. */
static int begins_well(dae_live *live, const dae_step *step, double now, double *next)
{
  const dae_newton *newton = &live->newton;
  int sign = live->sign[step->loop->number];

  if ((newton->branch && sign != newton->branch) || !is_straight(live, step, now) ||
      !look(live, step, 1))
    return 0;
  *next = size_of(live, step->loop, live->r);
  return *next <= fmax(CONTRACTION * fmin(now, FAR), CONVERGED);
}

/* Correct u, by du or less: 1, moved; 0: that does not help.  The next correction and
 * its size are left in r and *next. */
static int correct(dae_live *live, const dae_step *step, int first, double now,
                   double *next)
{
  const dae_loop *loop = step->loop;

  if (!first || !live->newton.following)
    return search(live, step, now, next);
  if (!begins_well(live, step, now, next))
    return 0;
  for (size_t i = 0; i < loop->n; i++)
    live->u[i] -= live->du[i];
  return 1;
}

/* Is the solution that was found on the branch that is followed? */
static int on_branch(dae_live *live, const dae_step *step)
{
  const dae_newton *newton = &live->newton;

  return !newton->following || !newton->branch ||
         live->sign[step->loop->number] == newton->branch ||
         fail(live, step, DAE_FAULT_NEWTON);
}

/* The correction at u, with a new matrix, goes into du; its size into *now. */
static int next_correction(dae_live *live, const dae_step *step, double *now)
{
  const dae_loop *loop = step->loop;

  set_units(live, loop);
  if (!residual(live, step) || !factor(live, step))
    return 0;
  live->sign[loop->number] =
      (signed char)brink__numeric_sign(loop->pattern, &live->factors[loop->number]);
  solve(live, loop);
  memcpy(live->du, live->r, loop->n * sizeof *live->du);
  *now = size_of(live, loop, live->du);
  return 1;
}

int brink__dae_sign(dae_live *live, const dae_step *step)
{
  const dae_loop *loop = step->loop;

  for (size_t i = 0; i < loop->n; i++)
    live->u[i] = live->v[loop->symbol[i]];
  set_units(live, loop);
  if (!factor(live, step))
    return 0;
  return live->sign[loop->number] = (signed char)brink__numeric_sign(
             loop->pattern, &live->factors[loop->number]);
}

/* Corrections do not become smaller: is u a solution all the same? */
static int stagnates(dae_live *live, const dae_step *step, double now)
{
  int solved = now <= STAGNATED && cancels(live, step);

  place(live, step->loop, 0);
  return solved ? on_branch(live, step) : fail(live, step, DAE_FAULT_NEWTON);
}

int brink__dae_newton(dae_live *live, const dae_step *step, int most)
{
  const dae_loop *loop = step->loop;
  double now = 0, next = HUGE_VAL;

  for (int k = 0; k < most; k++) {
    if (next <= FAST * now) { /* in r */
      memcpy(live->du, live->r, loop->n * sizeof *live->du);
      now = next;
    } else if (!next_correction(live, step, &now)) {
      return 0;
    }
    if (k == 0)
      memcpy(live->newton.move, live->du, loop->n * sizeof *live->du);
    if (now <= CONVERGED && is_possible(live, step, live->du)) {
      place(live, loop, 1);
      return on_branch(live, step);
    }
    if ((k == 0 && live->released && now <= STAGNATED && cancels(live, step)) ||
        !correct(live, step, k == 0, now, &next))
      return stagnates(live, step, now);
    if (next > CONVERGED)
      continue;
    memcpy(live->du, live->r, loop->n * sizeof *live->du);
    if (is_possible(live, step, live->du)) {
      /* it is small beside a nominal value, but an unknown may be smaller than that */
      place(live, loop, 1);
      return on_branch(live, step);
    }
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

/* At events and at the start: any solution, if possible the one near the last. */
static int solve_anywhere(dae_live *live, const dae_step *step)
{
  const dae_loop *loop = step->loop;

  for (size_t i = 0; i < loop->n; i++)
    live->u[i] = live->v[loop->symbol[i]];
  if (brink__dae_newton(live, step, NEWTON_MAX) || from_start_values(live, step) ||
      (live->searching && brink__dae_search(live, step)))
    return 1;
  if (live->searching)
    from_start_values(live, step); /* for the message: where Newton's method ended */
  return 0;
}

brink_status brink__dae_loop(dae_live *live, const dae_step *step)
{
  const dae_loop *loop = step->loop;
  int solved = loop->linear ? linear(live, step)
               : live->released
                   ? brink__dae_unmoved(live, loop) || solve_anywhere(live, step)
                   : brink__dae_follow(live, step);

  return solved ? BRINK_OK : BRINK_EDOMAIN;
}
