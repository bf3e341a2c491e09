/* special_points.c -- what lies between two points of a curve.
 *
 *   fold ........... p turns back: its component of the direction changes sign.  Two in
 *                    one step show as a minimum of that component, estimated from p and
 *                    its slopes at both ends;
 *   branch point ... the determinant with the direction as border changes sign: another
 *                    curve crosses this one;
 *   switch ......... a relation contradicts its guard.
 *
 * Each is a zero along the step, found by the Illinois rule with points of the curve
 * corrected to rounding.  At a branch point the matrix is singular, and points near it
 * are not corrected well: it is enclosed down to a part BRANCH of the step at most, and
 * interpolated.
 */
#include "continuation/continuation.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { ILLINOIS = 100, BISECTIONS = 60 };

/* Zeros are located to this part of the step, and branch points to that. */
static const double FINE = 4 * DBL_EPSILON, BRANCH = 0x1p-20;

/* Part of an interval that the next point is away from its ends at least: so both of
 * them come nearer to a branch point. */
static const double EDGE = 0.1;

/* A function along the curve, at w->x with the direction w->d. */
typedef double along_fn(path *w, double value);

static double slope_of_p(path *w, double value)
{
  (void)value;
  return w->d[w->sys->n];
}

static double minus_p(path *w, double value) { return w->x[w->sys->n] - value; }

static double guard(path *w, double value)
{
  return brink__switch_guard(w, (size_t)value);
}

static void copy(const path *w, double *to, const double *from)
{
  memcpy(to, from, (w->sys->n + 1) * sizeof *to);
}

/* The zero of fn between a and b, where it has values of different signs; x and d are
 * those there.  Where no point can be computed the nearest one on the far side is
 * taken. */
static double locate(path *w, along_fn *fn, double value, double a, double fa, double b,
                     double fb)
{
  double good = b;

  for (int k = 0; k < ILLINOIS && fabs(b - a) > FINE * fabs(b); k++) {
    double c = b - fb * (b - a) / (fb - fa);
    if (!(c > fmin(a, b) && c < fmax(a, b)))
      c = a + (b - a) / 2;
    if (!brink__path_point(w, c, 1))
      break;
    double fc = fn(w, value);
    good = c;
    if (fc == 0)
      return c;
    if ((fc > 0) == (fb > 0)) {
      fa /= 2; /* a stays once more */
    } else {
      a = b;
      fa = fb;
    }
    b = c;
    fb = fc;
  }
  brink__path_point(w, good, 1);
  return good;
}

/* ---------------------------------------------------------------- switch --- */

int brink__first_switch(path *w, special_points *found, double *h)
{
  size_t n = path_switches(w);
  int first = -1;

  copy(w, found->xa, w->x);
  copy(w, found->xb, w->d);
  int sign = w->sign;
  for (size_t k = 0; k < n; k++) {
    double fb = brink__switch_guard(w, k);
    if (fb >= 0)
      continue;
    copy(w, w->x, w->x0);
    double fa = brink__switch_guard(w, k);
    double at = fa > 0 ? locate(w, guard, (double)k, 0, fa, *h, fb) : 0;
    if (at == 0)
      brink__path_point(w, 0, 1);
    copy(w, found->xa, w->x);
    copy(w, found->xb, w->d);
    sign = w->sign;
    *h = at;
    first = (int)k;
  }
  copy(w, w->x, found->xa);
  copy(w, w->d, found->xb);
  w->sign = sign;
  return first;
}

/* ---------------------------------------------------- folds and branches --- */

special_point *brink__add_special_point(path *w, special_points *found,
                                        brink_curve_kind kind, double h,
                                        const double *x)
{
  int i = found->n++;
  special_point last = found->at[i]; /* its arrays are free */

  for (; i > 0 && found->at[i - 1].h > h; i--)
    found->at[i] = found->at[i - 1];
  found->at[i] = (special_point){kind, h, last.x, last.values};
  copy(w, last.x, x);
  brink__path_show(w, x, last.values);
  return &found->at[i];
}

static void fold(path *w, special_points *found, double a, double fa, double b,
                 double fb)
{
  double at = locate(w, slope_of_p, 0, a, fa, b, fb);

  brink__add_special_point(w, found, BRINK_CURVE_FOLD, at, w->x);
}

/* Where, as a part of the step, the slope of p is smallest beside its sign, if the
 * polynomial through p and its slopes at both ends changes sign there; 0: it does not.
 */
static double turning(double slope0, double slope1, double mean)
{
  double c = 3 * (slope0 + slope1) - 6 * mean, b = slope1 - slope0 - c,
         u = c != 0 ? -b / (2 * c) : 0;

  return u > 0 && u < 1 && (slope0 + u * (b + u * c) > 0) != (slope0 > 0) ? u : 0;
}

static void folds(path *w, special_points *found, double h)
{
  size_t n = w->sys->n;
  double f0 = w->d0[n], f1 = w->d[n], mean = (w->x[n] - w->x0[n]) / h;

  if (f0 * f1 < 0) {
    fold(w, found, 0, f0, h, f1);
    return;
  }
  double middle = turning(f0, f1, mean) * h;
  if (!(middle > 0) || !brink__path_point(w, middle, 1) || w->d[n] * f0 >= 0)
    return;
  double f = w->d[n];
  fold(w, found, 0, f0, middle, f);
  fold(w, found, middle, f, h, f1);
}

/* A smooth function with the zeros of the determinant: the inverse of the solution for
 * some right-hand side, which becomes infinite there.  The factors are those of x. */
static double branch_test(path *w)
{
  size_t n = w->sys->n;
  double sum = 0;

  for (size_t i = 0; i <= n; i++)
    w->r[i] = 1;
  brink__numeric_solve(w->sys->pattern, &w->factors, w->r);
  for (size_t i = 0; i <= n; i++)
    sum += w->r[i] * w->r[i];
  return w->sign / sqrt(sum);
}

/* The determinant changes sign between x0 and x: both sides of that come nearer while
 * points can be corrected, and the rest of the way is interpolated. */
static void branch(path *w, special_points *found, double h)
{
  double a = 0, b = h, fb = branch_test(w);

  copy(w, found->xb, w->x);
  if (!brink__path_point(w, 0, 1))
    return;
  double fa = branch_test(w);
  copy(w, found->xa, w->x);
  for (int k = 0; k < BISECTIONS && b - a > BRANCH * h; k++) {
    double part = fa / (fa - fb), c = a + fmin(fmax(part, EDGE), 1 - EDGE) * (b - a);
    if (!brink__path_point(w, c, 1))
      break;
    double fc = branch_test(w);
    if (w->sign == w->sign0) {
      a = c;
      fa = fc;
      copy(w, found->xa, w->x);
    } else {
      b = c;
      fb = fc;
      copy(w, found->xb, w->x);
    }
  }
  double part = fa / (fa - fb);
  for (size_t j = 0; j <= w->sys->n; j++)
    found->xa[j] += part * (found->xb[j] - found->xa[j]);
  brink__add_special_point(w, found, BRINK_CURVE_BRANCH, a + part * (b - a), found->xa);
}

void brink__find_special_points(path *w, special_points *found, double h)
{
  found->n = 0;
  if (w->sign != w->sign0) {
    branch(w, found, h);
    if (!brink__path_point(w, h, 1))
      return;
  }
  folds(w, found, h);
}

/* ------------------------------------------------------------------- end --- */

int brink__find_p(path *w, special_points *found, double a, double b, double p)
{
  size_t n = w->sys->n;

  if (!brink__path_point(w, b, 1))
    return 0;
  double fb = minus_p(w, p), fa = w->x0[n] - p;
  if (a > 0) {
    if (!brink__path_point(w, a, 1))
      return 0;
    fa = minus_p(w, p);
  }
  double at = locate(w, minus_p, p, a, fa, b, fb);
  copy(w, found->xa, w->x);
  w->x[n] = p;
  if (!brink__path_correct(w, HUGE_VAL, 1))
    copy(w, w->x, found->xa); /* p turns back just there */
  w->x[n] = p;
  brink__add_special_point(w, found, BRINK_CURVE_POINT, at, w->x);
  return 1;
}
