/* alarm.c -- steps that could be kept, but may hide a discontinuity.
 *
 * The error estimate of a pair is made for smooth f.  Where f bends within a step, at
 * theta, f(s) + J (s - theta)+, the step is wrong by c(theta) J h^2, of which the
 * estimate shows e(theta) J h^2.  By the tableaux c / e is below 2 nearly everywhere
 * with dop853; but with dopri5 its median is 20, one in nine is above 60, and anything
 * can be where e has a zero, at 0.42 and 0.83.  Where f jumps it is up to 169.  So
 * steps are looked at twice:
 *
 *   surprise .. what the step before lets expect of the estimate, of y'' where the two
 *               meet and of the last term of the polynomial, all like powers of h.  It
 *               costs nothing, and tells apart what is smooth from what may not be.
 *   glance .... the defect h (f(t + x h, P) - P') of the step's polynomial P, over the
 *               tolerance, at x = 0.15 and 0.9.  Wherever the kink is, one of them is
 *               at least as large as the error, and 1/82 of the change of the last
 *               term; where f is smooth they are mostly less than 3 times the estimate
 *               and 1/100 of that change.
 *
 * What a glance confirms is searched for (seams.c); if that is in vain the step is
 * halved.  Methods without a glance take the surprise for it.  And where there has been
 * one discontinuity, steps are kept shorter than the estimate asks for: what passes
 * unseen is smaller then.
 *
 * Limits: what begins and ends between two stages is not seen; jumps of higher
 * derivatives are left to the step size control.
 */
#include "ode/integrator.h"

#include <math.h>

enum {
  TRUST = 3,   /* false alarms until a run without discontinuities counts as smooth */
  PATIENT = 4, /* ... until alarms are doubted where there are some                 */
  AGAIN = 3,   /* times that a step is halved for an alarm, or more if it is loud   */
  MOST = 10,   /* ... that are counted                                              */
  LOOKS = 4,   /* attempts from one point that are searched                         */
  SHARE = 50,  /* before any was met, one in so many evaluations is for looks ...   */
  GIVEN = 2000 /* ... and of so many more                                           */
};

/* Surprises: so many times what was expected, once a discontinuity was met and before;
 * for methods with a glance and without. */
static const double SEEN = 2.5, UNSEEN = 4, SEEN_BLIND = 4, UNSEEN_BLIND = 20;

/* a step so many times shorter tells nothing */
static const double SHORT = 4;

/* What is not worth a surprise, in tolerances: of the estimate, of y'', of the term. */
static const double FAINT = 0.002, FAINT_TWIST = 2, FAINT_WARP = 4;

/* A change of the last term that is, whatever the estimate. */
static const double GLARING = 100;

/* Estimates that could hide an error worth a glance; in a step to shortly before a
 * place that was searched for; in the first step; if the surprise is four times as
 * large; without a glance. */
static const double HIDING = 0.05, HIDING_AIMED = 0.1, HIDING_FIRST = 0.001, GREAT = 4,
                    HIDING_BLIND = 0.5;

/* Defects in tolerances, over the estimate and over the change of the last term, that
 * confirm it; and a loud one. */
static const double DEFECT = 1.2, OVER = 3, WARPED = 0.01, LOUD = 5;

/* once there is one, steps are so many times shorter than they could be */
static const double SHORTER = 1.2;

/* of the limit of stability: what is less is not disturbed by it */
static const double STABLE = 0.8;

static double power(double x, int n)
{
  double p = 1;

  for (; n > 0; n--)
    p *= x;
  return p;
}

/* How many times more than expected, over what is taken for smooth.  Without history,
 * or with too short a one: 1 behind a discontinuity and at the very beginning. */
static double surprise(const brink_integrator *it, double h, const brink__outcome *out)
{
  const brink__course *last = &it->course;
  int known = it->past.kept > 0;

  if (it->last_h == 0)
    return it->method->glance && (known || it->work.steps == 0) ? 1 : 0;
  double r = h / last->h;
  double more = out->err / (last->err * power(r, it->acting->error_order + 1) + FAINT);
  if (!it->method->glance)
    return more / (known ? SEEN_BLIND : UNSEEN_BLIND);
  double r5 = power(r, 5);
  more = fmax(more, out->twist / (last->twist * r5 + FAINT_TWIST));
  more =
      fmax(more, out->warp / (last->warp * r5 + FAINT_WARP)) / (known ? SEEN : UNSEEN);
  return known && r > SHORT ? fmax(more, 1) : more;
}

/* The defect at x, as a question: what f refuses there was no step. */
static double glance(brink_integrator *it, double h, double x)
{
  brink__gate before = it->gate;
  double g = it->method->glance(it->state, &it->gate, &it->tol, it->t, h, it->y, x);

  it->work.look_evals += it->gate.f_evals - before.f_evals;
  before.f_evals = it->gate.f_evals;
  it->gate = before;
  return g;
}

/* Methods that choose their steps themselves stay as they are. */
double brink__seam_caution(const brink_integrator *it)
{
  return it->past.kept == 0 || it->method->next_step
             ? 1
             : power(SHORTER, it->acting->error_order + 1);
}

/* What has been raised in vain weighs less; later, once a discontinuity was met. */
static double doubtful(const brink_integrator *it)
{
  int often = it->false_alarms - (it->past.kept > 0 ? PATIENT : 0);

  return ldexp(1, often > 0 ? often : 0);
}

/* Does the attempt of size h hide something?  2: loudly. */
static int alarmed(brink_integrator *it, double h, const brink__outcome *out, int aimed)
{
  static const double places[] = {0.15, 0.9};

  if (!it->method->glance && !(out->err > HIDING_BLIND))
    return 0;
  double doubt = doubtful(it);
  double odd = surprise(it, fabs(h), out) / (it->last_h == 0 ? 1 : doubt);
  if (!(odd >= 1) || !it->method->glance)
    return odd >= 1;
  double hiding = it->work.steps == 0 ? HIDING_FIRST : aimed ? HIDING_AIMED : HIDING;
  if (!(out->err > hiding || odd > GREAT))
    return 0;
  for (int i = 0; i < 2; i++) {
    double g = glance(it, h, places[i]);
    if (g > doubt * fmax(DEFECT, OVER * out->err) && g > WARPED * out->warp)
      return g > LOUD ? 2 : 1;
  }
  return 0;
}

/* May there be anything, and has it not been looked for too often?  At the limit of
 * stability estimates leap by themselves. */
static int worthwhile(const brink_integrator *it, const brink__outcome *out)
{
  return brink__seam_open(it) && !(it->method->flags & BRINK__MULTISTEP) &&
         out->h_lambda < STABLE * it->acting->stability &&
         (it->past.kept > 0 || SHARE * it->work.look_evals < it->gate.f_evals + GIVEN);
}

/* Is the alarm believed, so that the step is dropped whatever a search finds? */
static int believed(const brink_integrator *it, double size, int loud)
{
  return it->false_alarms < (it->past.kept > 0 ? 2 * PATIENT : TRUST) &&
         (it->rejections < AGAIN || loud > 1) && size > 4 * brink__least_step(it);
}

int brink__seam_hidden(brink_integrator *it, double h, const brink__outcome *out)
{
  int aimed = it->aim && it->foreseen == BRINK__UNFORESEEN, loud = 0;

  if ((out->err > FAINT || out->warp > GLARING) && worthwhile(it, out) &&
      (loud = alarmed(it, h, out, aimed))) {
    double size = fabs(h);
    int drop = believed(it, size, loud);
    /* without a path, the last step may have to be taken again in place of this one */
    int may = !aimed && it->last_h != 0 && it->rejections < LOOKS &&
              (drop || it->has_path || it->method->recall);
    brink__seam_note(it, size);
    it->aim = BRINK__SEAM_NONE;
    int found = may && (brink__seam_aim(it, size) ||
                        (loud > 1 && brink__seam_aim(it, size / 4)));
    if (found)
      it->false_alarms = 0;
    else if (it->rejections == 0)
      it->false_alarms += it->false_alarms < MOST;
    if (found || drop) {
      it->h = found ? it->h : size / 2;
      it->rejections++;
      it->work.rejected++;
      return 1;
    }
  }
  it->course = (brink__course){fabs(h), out->err, out->twist, out->warp};
  return 0;
}
