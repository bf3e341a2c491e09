/* ending.c -- solutions that end because f changes its sign through infinity.
 *
 * x' = 1/(1 - x) leads to x = 1 from both sides, and no solution goes on from there.  A
 * step of which the error estimate thinks well by accident jumps across, the next ones
 * jump to and fro, and the run lasts for ever.
 *
 * So a step at whose ends f points in opposite directions is looked into, if one was
 * rejected shortly before (a pole is not reached without).  With phi the component of f
 * in the direction of its change, the chord of the step is halved, and the half is kept
 * at whose ends phi has different signs.  The end that the middle replaces was at least
 * twice as far from the place where the sign changes, so that the middle tells what is
 * there:
 *
 *   |phi| less than at that end ..... a zero of f, as in every smooth problem;
 *   the same ........................ a jump;
 *   more, at each of many halvings .. a pole, of order q if it is 2^q times as much.
 *
 * From q = 1 on the slope has no integral: the solution ends.  With a smaller q it goes
 * on beyond a cusp if it is time that passes the pole, x' = 1/cbrt(t - 1); if it is the
 * state, f leads back to the pole from both sides, and the solution ends as well.
 *
 * A step of a few roundings of time cannot be halved: if f turns back in it by more
 * than the tolerance the solution ends there too, whatever it is that turns it (a pole,
 * or a jump along which it slides).
 *
 * A pole can also be taken for a jump by the search for discontinuities, which undoes
 * the step itself (too_steep in discontinuity.c).
 *
 * Cost: one evaluation of f where there is a zero; where nothing was found, only every
 * second, fourth ... 64th such step is looked into.
 * Limits: a pole on both sides of which f points the same way, x' = 1/(1 - x)^2, is
 * left to the error control: solutions that cross it exist, and are found.
 */
#include "ode/integrator.h"

#include <float.h>
#include <math.h>

#include "poly/poly.h"

enum {
  WATCHED = 8,   /* steps that are looked at after a rejected attempt        */
  HALVINGS = 10, /* of a chord at the least; 52 where the tolerance is loose */
  FEW = 4,       /* ... of one that is hardly longer than roundings          */
  RARELY = 64    /* steps from one fruitless look to the next, at the most    */
};

/* by how much more |phi| must be at each halving: less is rounding, or a jump; and the
 * mean q that counts as 1, of few halvings */
static const double MORE = 1.1, SIMPLE = 0.85;

void brink__ending_forget(brink__ending *e) { *e = (brink__ending){.due = 1}; }

void brink__ending_rejected(brink__ending *e) { e->watch = WATCHED; }

/* f at an end of the last step, per step: the slope of the polynomial, but for implicit
 * methods, whose polynomials have other slopes there: that of BDF still comes to the
 * pole when its step has gone across.  0 if f refuses. */
static int slope_at(brink_integrator *it, int end, double *slope)
{
  brink__gate probe = {.flow = it->gate.flow}; /* a refusal is an answer here */
  size_t n = it->gate.flow->n, w = (size_t)it->last.degree + 1;
  const double *y = it->y;

  if (!(it->acting->flags & BRINK__IMPLICIT)) {
    for (size_t i = 0; i < n; i++)
      slope[i] = brink__horner_derivative(it->last.degree, it->coeff + i * w, 1, end);
    return 1;
  }
  if (!end) {
    for (size_t i = 0; i < n; i++)
      it->f2[i] = it->coeff[i * w];
    y = it->f2;
  }
  brink_status rc = brink__f(&probe, end ? it->t : it->last.t0, y, slope);
  it->gate.f_evals += probe.f_evals;
  for (size_t i = 0; i < n; i++)
    slope[i] *= it->last.h;
  return rc == BRINK_OK;
}

/* Slopes at both ends of the last step, per step, into it->f0 and it->f1; 1 if they
 * point in opposite directions. */
static int turns_back(brink_integrator *it)
{
  size_t n = it->gate.flow->n, w = (size_t)it->last.degree + 1;
  double dot = 0;

  if (!slope_at(it, 0, it->f0) || !slope_at(it, 1, it->f1))
    return 0;
  for (size_t i = 0; i < n; i++) {
    double scale = brink__scale(&it->tol, i, it->coeff[i * w], it->y[i]);
    dot += (it->f0[i] / scale) * (it->f1[i] / scale);
  }
  return dot < 0;
}

/* The component of f in the direction way, at s of the chord.  0 if f refuses. */
static int phi_at(brink_integrator *it, double t, double s, const double *way,
                  double *phi)
{
  brink__gate probe = {.flow = it->gate.flow}; /* a refusal is an answer here */
  size_t n = it->gate.flow->n, w = (size_t)it->last.degree + 1;
  double *at = it->f0, *f = it->f1, sum = 0;

  for (size_t i = 0; i < n; i++)
    at[i] = (1 - s) * it->coeff[i * w] + s * it->y[i];
  brink_status rc = brink__f(&probe, t, at, f);
  it->gate.f_evals += probe.f_evals;
  if (rc != BRINK_OK)
    return 0;
  for (size_t i = 0; i < n; i++)
    sum += f[i] * way[i];
  *phi = sum;
  return 1;
}

/* How far the chord can be halved until rounding moves its points. */
static double finest(const brink_integrator *it)
{
  size_t n = it->gate.flow->n, w = (size_t)it->last.degree + 1;
  double least = fabs(it->t / (it->t - it->last.t0)), most = 0;

  for (size_t i = 0; i < n; i++) {
    double span = fabs(it->y[i] - it->coeff[i * w]);
    most = brink__max(most, span / brink__max(fabs(it->y[i]), DBL_MIN));
  }
  if (most > 0)
    least = brink__max(least, 1 / most);
  return brink__max(16 * DBL_EPSILON * least, 0x1p-52);
}

/* The order of the pole between the ends of the chord, 0 if there is none, and infinite
 * if the chord is too short to tell. */
static double halve(brink_integrator *it, const double *way, double phi_lo,
                    double phi_hi)
{
  double first = brink__min(-phi_lo, phi_hi), lo = 0, hi = 1, phi, end = finest(it);
  int halvings = 0, grows = 1;

  /* a few roundings of time, to and fro by more than the tolerance */
  if (end > 1. / (1 << FEW))
    return first > (double)it->gate.flow->n ? HUGE_VAL : 0;
  for (; grows && hi - lo > end; halvings++) {
    double mid = lo + (hi - lo) / 2;
    if (!phi_at(it, mid * it->t + (1 - mid) * it->last.t0, mid, way, &phi))
      break;
    double *far = phi < 0 ? &phi_lo : &phi_hi;
    grows = fabs(phi) > MORE * fabs(*far);
    *far = phi;
    *(phi < 0 ? &lo : &hi) = mid;
  }
  double order = halvings ? log2(brink__min(-phi_lo, phi_hi) / first) / halvings : 0;
  return grows && halvings >= (order > SIMPLE ? FEW : HALVINGS) ? order : 0;
}

/* Is a pole of this order the end? */
static int is_end(brink_integrator *it, const double *way, double order)
{
  double phi;

  /* would f at the end of the step point back at its beginning, too? */
  return order > SIMPLE || (phi_at(it, it->last.t0, 1, way, &phi) && phi > 0);
}

/* Is this step to be looked at?  With a fixed step, or one that a series tells, there
 * are no rejected attempts. */
static int watched(brink_integrator *it)
{
  if (it->acting->flags & (BRINK__FIXED_STEP | BRINK__NEEDS_JET))
    return 1;
  return it->ending.watch > 0 && it->ending.watch--;
}

brink__end brink__ending_after(brink_integrator *it)
{
  brink__ending *e = &it->ending;
  size_t n = it->gate.flow->n, w = (size_t)it->last.degree + 1;
  double *way = it->f2, phi_lo = 0, phi_hi = 0, h = it->last.h;

  if (!watched(it) || h == 0 || !turns_back(it) || ++e->turns < e->due)
    return BRINK__END_NONE;
  for (size_t i = 0; i < n; i++) {
    double scale = brink__scale(&it->tol, i, it->coeff[i * w], it->y[i]);
    double change = (it->f1[i] - it->f0[i]) / scale / scale;
    way[i] = h * change;
    phi_lo += it->f0[i] * change;
    phi_hi += it->f1[i] * change;
  }
  e->turns = 0;
  double order = phi_lo < 0 && phi_hi > 0 ? halve(it, way, phi_lo, phi_hi) : 0;
  e->due = order > 0 ? 1 : e->due < RARELY ? 2 * e->due : RARELY;
  if (!(order > 0 && is_end(it, way, order)))
    return BRINK__END_NONE;
  brink__undo_step(it);
  return order < HUGE_VAL ? BRINK__END_POLE : BRINK__END_TURN;
}
