/* smoothness.c -- does a step that passed its error test hide a discontinuity?
 *
 * The error estimate of a Runge-Kutta pair is made for smooth f.  Where f bends within
 * a step, at theta, f(s) + J (s - theta)+, the step is wrong by c(theta) J h^2, of
 * which the estimate shows e(theta) J h^2.  By the tableaux c / e is below 2 nearly
 * everywhere with dop853; with dopri5 its median is 20, and it has no bound where e has
 * a zero, at 0.42 and 0.83; where f jumps it is up to 169.  So a step is compared with
 * the one before it, which costs nothing:
 *
 *   the estimate, and the change of y'' from the end of the last polynomial to the
 *   beginning of this one, should go on like powers of h.
 *
 * Where they do not, the defect h (f(t + x h, P) - P') of the step's polynomial P is
 * looked at in two places, x = 0.15 and 0.9, at one evaluation of f each.  Wherever the
 * kink is, with dopri5 one of them is at least as large as the error; where f is smooth
 * they are mostly less than 3 times the estimate.
 *
 * Limits: what begins and ends between two stages is not seen, up to half of a step of
 * dopri5 and a quarter of one of dop853.  Jumps of higher derivatives are left to the
 * step size control.  Methods whose polynomial costs evaluations of f are not looked at
 * (the estimate of dop853 shows most kinks), nor is bs23 (so does that of a low order),
 * nor Adams, for which an undone step is a costly new start.
 */
#include "ode/search.h"

#include <math.h>

#include "poly/poly.h"

enum {
  LEAST_ORDER = 4, /* of a polynomial: the estimates of pairs below show kinks     */
  TRUSTED = 4, /* suspicions not confirmed until they are doubted, once a discontinuity
                  was met; before that they are at once                             */
  SHARE = 50,  /* before one was met, one in so many evaluations is for looking ... */
  GIVEN = 2000 /* ... and of so many more                                           */
};

/* estimate and change of y'' that are not worth a comparison, in tolerances */
static const double FAINT = 0.002, FAINT_BEND = 2;

/* so many times what was expected is suspect: once a discontinuity was met, and before
 */
static const double MORE_MET = 2.5, MORE = 4;

/* an estimate below this part of the tolerance hides no error worth a look, unless the
 * comparison is off by this much more */
static const double HIDING = 0.05, FAR_MORE = 4;

/* defects that confirm it: tolerances, times the estimate; and a large one */
static const double DEFECT = 1.2, OVER = 3, LARGE = 5;

/* up to this part of the limit of stability an estimate says something about f; beyond
 * it is that of the method's own oscillation */
static const double STABLE = 0.8;

static double power(double x, int n)
{
  double p = 1;

  for (; n > 0; n--)
    p *= x;
  return p;
}

/* The change of h^2 y'' from one polynomial to the next, in tolerances. */
static double bend(const brink__position *at, const brink__attempt *a)
{
  int p = at->last->degree, q = a->step->degree;
  const double *c = at->last->coeff, *d = a->step->coeff;
  double r = a->step->h / at->last->h, r2 = r * r, sum = 0;

  for (size_t i = 0; i < a->step->n; i++, c += p + 1, d += q + 1) {
    double change = 2 * d[2] - r2 * brink__horner_derivative(p, c, 2, 1);
    change /= brink__scale(at->tol, i, d[0], a->y1[i]);
    sum += change * change;
  }
  return sqrt(sum / (double)a->step->n);
}

/* How many times more than expected, over what is taken for smooth.  Without a step
 * before it: 1 behind a discontinuity and at the very beginning, else 0. */
static double surprise(const brink__search *s, const brink__position *at,
                       const brink__trend *now)
{
  const brink__trend *last = &s->trend;

  if (!at->last)
    return s->met > 0 || last->h == 0 ? 1 : 0;
  double r = now->h / last->h;
  double by_err =
      now->err / (last->err * power(r, at->method->error_order + 1) + FAINT);
  double by_bend =
      now->bend / (last->bend * power(r, at->method->dense_order + 1) + FAINT_BEND);
  return fmax(by_err, by_bend) / (s->met > 0 ? MORE_MET : MORE);
}

/* The defect of the attempt at x of its step, in tolerances; < 0: f refuses. */
static double defect(brink__search *s, const brink__position *at,
                     const brink__attempt *a, double x)
{
  const brink_step *p = a->step;
  double *y = s->mem + 2 * s->n, *f = y + s->n, sum = 0; /* see search.h */

  brink_step_at(p, x, y);
  if (brink__f(at->probe, p->t0 + x * p->h, y, f) != BRINK_OK)
    return -1;
  for (size_t i = 0; i < p->n; i++) {
    const double *c = p->coeff + i * ((size_t)p->degree + 1);
    double d = p->h * f[i] - brink__horner_derivative(p->degree, c, 1, x);
    d /= brink__scale(at->tol, i, c[0], a->y1[i]);
    sum += d * d;
  }
  return sqrt(sum / (double)p->n);
}

/* May there be anything, and has it not been looked for too often? */
static int worthwhile(const brink__search *s, const brink__position *at,
                      const brink__attempt *a)
{
  long looked = at->probe->f_evals - s->looked_before,
       others = at->gate->f_evals - s->f_before;

  return a->err > FAINT && a->h_lambda < STABLE * at->method->stability &&
         (s->met > 0 || SHARE * looked < others + GIVEN);
}

int brink__is_suspect(brink__search *s, const brink__position *at,
                      const brink__attempt *a, brink__trend *trend)
{
  static const double places[] = {0.15, 0.9};

  *trend = (brink__trend){fabs(a->h), a->err, 0};
  if (!(at->method->flags & BRINK__FREE_DENSE) ||
      at->method->dense_order < LEAST_ORDER || at->method->flags & BRINK__MULTISTEP)
    return 0;
  if (at->last && at->dense)
    trend->bend = bend(at, a);
  if (!worthwhile(s, at, a))
    return 0;
  int vain = s->unconfirmed - (s->met > 0 ? TRUSTED : 0);
  double doubt = vain > 0 ? ldexp(1, vain) : 1;
  double more = surprise(s, at, trend) / (at->last ? doubt : 1);
  if (!(more >= 1) || !(a->err > HIDING || more > FAR_MORE))
    return 0;
  for (int i = 0; i < 2; i++) {
    double d = defect(s, at, a, places[i]);
    if (d > doubt * fmax(DEFECT, OVER * a->err))
      return d > LARGE ? 2 : 1;
  }
  return 0;
}
