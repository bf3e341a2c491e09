/* closing.c -- a closing step: one more step of the method, which ends on an event.
 *
 * Where the polynomial of a method is more than one order below the method itself
 * (option restep), the state at an event is not read off the polynomial.  A step is
 * taken from where the step began to just beyond the event; how long it has to be is
 * found by Newton's method, with each step's own polynomial for the slope of the guard.
 */
#include "hybrid/sim.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Steps that are tried at most: Newton takes a few; where it fails each of the others
 * halves the bracket. */
enum { TRIES = 24 };

/* The slope of the guard at the end of the step is a difference over this part of it:
 * six digits of the slope, which Newton's method turns into more of the length. */
static const double SLOPE_SPAN = 0x1p-20;

/* A step of length h from (t0, y0): the guard at its end, as the state
 * there has it, and *d, the part of the step by which its own polynomial says that the
 * zero lies before the end. */
static brink_status try_length(brink_sim *sim, int k, double t0, const double *y0,
                               double h, brink_step *step, double *g1, double *d)
{
  brink__regime *r = sim->regime;
  double g0;

  if (brink__integrator_exact(r->it, t0, y0, h, step) < 0) {
    sim->err = *brink_integrator_error(r->it);
    return sim->err.status;
  }
  brink__guards_step(&r->guards);
  BRINK_TRY(brink__guard_at(&r->guards, k, step, 1, g1, &sim->err));
  BRINK_TRY(brink__guard_at(&r->guards, k, step, 1 - SLOPE_SPAN, &g0, &sim->err));
  *d = *g1 != g0 ? *g1 * SLOPE_SPAN / (*g1 - g0) : 0;
  return brink__guard_value(&r->guards, k, step->t1, brink_integrator_state(r->it), g1,
                            &sim->err);
}

/* A closing step that ends on the event, just beyond it: Newton on the length of the
 * step, with the guard read off each step's own polynomial, between a length that is
 * too short and one that will do, where there is one.  *found: the integrator is at the
 * event and *step the closing step. */
static brink_status close_in(brink_sim *sim, const brink__hit *hit, double t0,
                             const double *y0, double h, double h_full,
                             brink_step *step, int *found)
{
  double tol = brink__max(4 * DBL_EPSILON, sim->opt.event_tol / h_full);
  double lo = 0, hi = HUGE_VAL, over = 0, g = 0, d = 0;

  for (int i = 0; i < TRIES; i++) {
    BRINK_TRY(try_length(sim, hit->guard, t0, y0, h, step, &g, &d));
    *found = g * hit->dir > 0;
    if (*found && (fabs(d) <= tol || over > 0))
      return BRINK_OK;
    if (*found)
      hi = h;
    else
      lo = h;
    /* on the zero, or just before it: across, by more and more */
    over = !*found && fabs(d) <= tol ? brink__max(2 * over, fabs(d) + DBL_EPSILON) : 0;
    h *= over > 0 ? 1 + over : 1 - d;
    if (!(h > lo && h < hi))
      h = hi < HUGE_VAL ? lo + 0.5 * (hi - lo) : brink__min(2 * lo, h_full);
    if (!(h > lo) || h > h_full)
      break;
  }
  *found = 0;
  return BRINK_OK;
}

BRINK__APART brink_status brink__closing_step(brink_sim *sim, const brink__hit *hit,
                                              brink_step *step, double *theta)
{
  brink__regime *r = sim->regime;
  brink_step taken = *step;
  double *y0 = brink__work_row(sim, 0);
  size_t w = (size_t)step->degree + 1, n = step->n;
  int found = 0;

  /* the step that was taken, out of the way of those that are tried */
  memcpy(r->ahead, step->coeff, n * w * sizeof(double));
  taken.coeff = r->ahead;
  for (size_t i = 0; i < n; i++)
    y0[i] = taken.coeff[i * w];
  brink_status rc =
      close_in(sim, hit, taken.t0, y0, *theta * taken.h, taken.h, step, &found);
  /* a method may not be able to take a step of just this length */
  if (rc < 0 && rc != BRINK_EDOMAIN && rc != BRINK_ENAN && rc != BRINK_ESTEP)
    return rc;
  if (rc == BRINK_OK && found) {
    *theta = 1;
    return BRINK_OK;
  }
  brink__err_clear(&sim->err); /* of what was tried */
  *step = taken;
  brink__guards_step(&r->guards);
  return BRINK_OK;
}
