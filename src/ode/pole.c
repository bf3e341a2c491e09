/* pole.c -- solutions that end because f changes its sign through infinity.
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
 * A pole can also be taken for a jump (seams.c); then the width of what encloses it,
 * times its height, is many tolerances, and the step across is undone.
 *
 * Cost: one evaluation of f where there is a zero; after looks in vain, only every
 * second, fourth ... 64th such step is looked into.
 * Limits: a pole on both sides of which f points the same way, x' = 1/(1 - x)^2, is
 * left to the error control: solutions that cross it exist, and are found.
 */
#include "ode/integrator.h"

#include <float.h>
#include <math.h>

enum {
  HALVINGS = 10, /* of a chord at the least; 52 where the tolerance is loose */
  FEW = 4,       /* ... of one that is hardly longer than roundings          */
  RARELY = 64    /* steps from one look in vain to the next, at the most     */
};

/* by how much more |phi| must be; and the mean q that counts as 1, of few halvings */
static const double MORE = 1.1, SIMPLE = 0.85;

/* more tolerances than a jump of f may leave open */
static const double LEAP = 100;

/* The slope of the last step's polynomial at its end, for one state. */
static double end_slope(const double *c, int degree)
{
  double sum = 0;

  for (int k = degree; k > 0; k--)
    sum += k * c[k];
  return sum;
}

/* Slopes at both ends of the last step, per step, into it->f0 and it->f1; 1 if they
 * point in opposite directions. */
static int turns_back(brink_integrator *it)
{
  size_t n = it->gate.flow->n, w = (size_t)it->last_degree + 1;
  double dot = 0;

  for (size_t i = 0; i < n; i++) {
    const double *c = it->coeff + i * w;
    double scale = brink__scale(&it->tol, i, c[0], it->y[i]);
    it->f0[i] = c[1];
    it->f1[i] = end_slope(c, it->last_degree);
    dot += (it->f0[i] / scale) * (it->f1[i] / scale);
  }
  return dot < 0;
}

/* The component of f in the direction way, at s of the chord.  0 if f refuses. */
static int phi_at(brink_integrator *it, double t, double s, const double *way,
                  double *phi)
{
  size_t n = it->gate.flow->n, w = (size_t)it->last_degree + 1;
  double *at = it->f0, *f = it->f1, sum = 0;

  for (size_t i = 0; i < n; i++)
    at[i] = (1 - s) * it->coeff[i * w] + s * it->y[i];
  if (brink__f(&it->gate, t, at, f) != BRINK_OK)
    return 0;
  for (size_t i = 0; i < n; i++)
    sum += f[i] * way[i];
  *phi = sum;
  return 1;
}

/* How far the chord can be halved until rounding moves its points. */
static double finest(const brink_integrator *it)
{
  size_t n = it->gate.flow->n, w = (size_t)it->last_degree + 1;
  double least = fabs(it->t / (it->t - it->t_from)), most = 0;

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
  brink__gate before = it->gate;

  /* a few roundings of time, to and fro by more than the tolerance */
  if (end > 1. / (1 << FEW))
    return first > (double)it->gate.flow->n ? HUGE_VAL : 0;
  for (; grows && hi - lo > end; halvings++) {
    double mid = lo + (hi - lo) / 2;
    if (!phi_at(it, mid * it->t + (1 - mid) * it->t_from, mid, way, &phi))
      break;
    double *far = phi < 0 ? &phi_lo : &phi_hi;
    grows = fabs(phi) > MORE * fabs(*far);
    *far = phi;
    *(phi < 0 ? &lo : &hi) = mid;
  }

  /* what f refused on the way was a question, not a step */
  it->work.look_evals += it->gate.f_evals - before.f_evals;
  before.f_evals = it->gate.f_evals;
  it->gate = before;
  double order = halvings ? log2(brink__min(-phi_lo, phi_hi) / first) / halvings : 0;
  return grows && halvings >= (order > SIMPLE ? FEW : HALVINGS) ? order : 0;
}

/* Is a pole of this order the end? */
static int is_end(brink_integrator *it, const double *way, double order)
{
  double phi;

  /* would f at the end of the step point back at its beginning, too? */
  return order > SIMPLE || (phi_at(it, it->t_from, 1, way, &phi) && phi > 0);
}

/* Back to where the step began; without a path to look along. */
static void go_back(brink_integrator *it)
{
  size_t n = it->gate.flow->n, w = (size_t)it->last_degree + 1;

  for (size_t i = 0; i < n; i++)
    it->y[i] = it->coeff[i * w];
  it->t = it->t_from;
  it->method->start(it->state, n);
  brink__forget_path(it);
}

void brink__pole_beware(brink_integrator *it)
{
  size_t w = (size_t)it->last_degree + 1;

  for (size_t i = 0; i < it->gate.flow->n; i++) {
    it->f0[i] = end_slope(it->coeff + i * w, it->last_degree) / it->last_h;
    it->f1[i] = it->y[i];
  }
}

/* What was taken for a jump cannot be enclosed as closely as its height demands. */
static int no_jump(const brink_integrator *it)
{
  size_t n = it->gate.flow->n, w = (size_t)it->last_degree + 1;
  double sum = 0;

  for (size_t i = 0; i < n; i++) {
    double leap = it->width * (it->path[n + i] - it->f0[i]);
    leap /= brink__scale(&it->tol, i, it->coeff[i * w], it->f1[i]);
    sum += leap * leap;
  }
  return !(sum <= LEAP * LEAP * (double)n);
}

int brink__pole_leapt(brink_integrator *it)
{
  if (!it->crossed || it->kind != BRINK__SEAM_JUMP || !no_jump(it))
    return 0;
  it->crossed = 0;
  it->work.unguarded--;
  go_back(it);
  return 1;
}

brink__end brink__pole_passed(brink_integrator *it)
{
  size_t n = it->gate.flow->n, w = (size_t)it->last_degree + 1;
  double *way = it->path, phi_lo = 0, phi_hi = 0, h = it->t - it->t_from;

  if (h == 0 || !turns_back(it) || ++it->turns < it->turns_due)
    return BRINK__END_NONE;
  for (size_t i = 0; i < n; i++) {
    double scale = brink__scale(&it->tol, i, it->coeff[i * w], it->y[i]);
    double change = (it->f1[i] - it->f0[i]) / scale / scale;
    way[i] = h * change;
    phi_lo += it->f0[i] * change;
    phi_hi += it->f1[i] * change;
  }
  it->turns = 0;
  double order = phi_lo < 0 && phi_hi > 0 ? halve(it, way, phi_lo, phi_hi) : 0;
  it->turns_due = order > 0 ? 1 : it->turns_due < RARELY ? 2 * it->turns_due : RARELY;
  if (!(order > 0 && is_end(it, way, order)))
    return BRINK__END_NONE;
  go_back(it);
  return order < HUGE_VAL ? BRINK__END_POLE : BRINK__END_TURN;
}
