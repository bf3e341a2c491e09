/* seams.c -- discontinuities on the way, which no guard has announced.
 *
 * A rejected step that its error does not explain is looked into (discontinuity.c), and
 * so is one that raises an alarm (alarm.c).  A step to shortly before the place is
 * taken, the place enclosed anew along its polynomial, and the step prolonged to just
 * behind it.  There the method starts anew, nearly with the step size it had.  Where
 * those that were met tell where the next one is (past.c), the step goes there at once.
 */
#include "ode/integrator.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
  LOOKS = 3,   /* for a discontinuity, from one point */
  PURSUITS = 2 /* of one that was not met             */
};

/* an error that the step size control rarely produces on smooth problems; and one that
 * is worth a look if the last step has to be repeated for it */
static const double SUSPICIOUS = 2, TROUBLING = 5, ALARMING = 20;

/* how closely a jump is enclosed before a step towards it, as a part of the step; how
 * many times that width the step keeps away from what was found; from a jump, less if
 * the path strays little before it */
static const double APPROACH = 0x1p-7, DISTANCE = 2, NEAR = 0.5, STRAY = 300;

/* ... from one that is foreseen: this part of its distance, over the square of the
 * path's degree, for the path is continued by so much; or so many times what the last
 * one was off, unless that is more than this part of the distance over the degree */
static const double AWAY = 0.8, UNSURE = 3;

/* one is due when this part of the shortest time between any two has passed; steps
 * towards it grow by no more than this, so that they show the way */
static const double DUE = 0.9, GROW = 3;

/* it may come where a rough path is as near to it as this part of the distance before
 */
static const double NEARLY = 0.25;

/* the first step behind one: this part of what it was before, for the law is another;
 * at most this part of the time between the two before it; and this part of one that
 * has been rejected twice */
static const double ANEW = 0.75, HALFWAY = 0.45, SOON = 0.25;

/* the next step after a rejected one goes at most this part of it where no defect was
 * seen, whatever the error was */
static const double CLEAR = 0.65;

/* p(x0 + x) in place: Taylor shift */
void brink__path_shift(double *c, int degree, double x0)
{
  for (int i = 0; i < degree; i++)
    for (int k = degree - 1; k >= i; k--)
      c[k] += x0 * c[k + 1];
}

static brink__path path_ahead(const brink_integrator *it)
{
  size_t n = it->gate.flow->n;

  return (brink__path){.tol = &it->tol,
                       .t = it->t,
                       .y = it->y,
                       .u = it->ahead_u,
                       .degree = it->ahead_degree,
                       .coeff = it->ahead,
                       .way = it->path,
                       .beyond = it->path + n,
                       .at = it->path + 2 * n,
                       .f = it->path + 3 * n,
                       .keep = it->path + 4 * n,
                       .mid = it->path + 5 * n,
                       .weight = it->path + 6 * n};
}

/* The polynomial of the last step, seen from its end. */
static void look_along_step(brink_integrator *it)
{
  size_t n = it->gate.flow->n, w = (size_t)it->last_degree + 1;

  memcpy(it->ahead, it->coeff, n * w * sizeof(double));
  for (size_t i = 0; i < n; i++) {
    brink__path_shift(it->ahead + i * w, it->last_degree, 1);
    it->ahead[i * w] = it->y[i];
  }
  it->ahead_u = it->last_h;
  it->ahead_degree = it->last_degree;
}

/* Search for a discontinuity; or for the one that is aimed at. */
static brink__seam look_ahead(brink_integrator *it, double reach, double unit)
{
  brink__path path = path_ahead(it);
  brink__gate before = it->gate;

  path.gate = &it->gate;
  brink__seam found;
  if (!it->aim)
    found = brink__seam_find(&path, reach, unit, APPROACH);
  else if (it->foreseen == BRINK__UNFORESEEN)
    found = brink__seam_close(&path, reach, &it->seen, unit,
                              brink__past_hint(&it->past, &path, reach));
  else
    found = brink__seam_expect(&path, &it->seen, reach, unit);

  /* what f refused on the way was a question, not a step */
  it->work.look_evals += it->gate.f_evals - before.f_evals;
  before.f_evals = it->gate.f_evals;
  it->gate = before;
  return found;
}

/* The polynomial of the last step was not wanted, but is now. */
static int recall(brink_integrator *it)
{
  size_t n = it->gate.flow->n;
  brink__outcome out = {0};
  double h = it->last_h, t = it->t - h;
  long before = it->gate.f_evals;
  int degree = 0;

  if (it->method->recall)
    degree =
        it->method->recall(it->state, &it->gate, t, h, it->y_last, it->y, it->coeff);
  if (degree == 0) {
    /* take it once more */
    it->method->start(it->state, n);
    if (it->method->attempt(it->state, &it->gate, &it->tol, t, &h, it->y_last, &out) ==
            0 &&
        it->method->dense(it->state, &it->gate, t, h, it->y_last) == 0)
      degree = it->method->accept(it->state, n, h, it->y_last, it->coeff);
    else
      it->method->start(it->state, n);
  }
  it->work.look_evals += it->gate.f_evals - before;
  if (degree > 0) {
    it->last_degree = degree;
    it->has_path = 1;
  }
  return degree > 0;
}

int brink__seam_open(const brink_integrator *it)
{
  return !it->gate.flow->guarded && !it->gate.flow->told;
}

/* How far a step should keep away from what was found. */
static double distance(const brink__seam *s)
{
  double width = s->hi - s->lo, most = DISTANCE * width;

  return s->kind == BRINK__SEAM_JUMP
             ? brink__min(most,
                          brink__max(NEAR * width, STRAY * s->stray / s->top * s->hi))
             : most;
}

int brink__seam_aim(brink_integrator *it, double h)
{
  if (!it->has_path && ((it->method->flags & BRINK__MULTISTEP) || !recall(it)))
    return 0;
  look_along_step(it);
  brink__seam s = look_ahead(it, h, h);
  it->clear = brink__min(s.lo, CLEAR * h);
  if (s.kind == BRINK__SEAM_NONE || !(s.lo > 2 * brink__least_step(it)))
    return 0;
  double away = distance(&s) * (double)(1 << (3 * it->misses));
  it->aim = s.kind;
  it->foreseen = BRINK__UNFORESEEN;
  it->seen = s;
  it->seen_h = h;
  it->h = brink__max(s.lo - away, s.lo / 2);
  it->window = s.hi - it->h + away;
  return 1;
}

void brink__seam_note(brink_integrator *it, double h)
{
  it->h_after = it->last_h == 0 ? h : brink__min(h, 2 * fabs(it->last_h));
}

/* A step of size h was rejected: is there a discontinuity in it? */
void brink__seam_suspect(brink_integrator *it, double h, double err)
{
  int missed = it->aim && it->foreseen == BRINK__UNFORESEEN;

  it->aim = BRINK__SEAM_NONE;
  it->rejections++;
  if (it->last_h == 0 && it->past.kept > 0 && it->rejections == 2) {
    /* just behind one: there is no path yet to find the next on */
    it->h = brink__min(it->h, SOON * h);
    return;
  }
  double doubt = (it->has_path         ? SUSPICIOUS
                  : it->method->recall ? TROUBLING
                                       : ALARMING) *
                 (double)(1 << (it->past.kept > 0 ? 0 : it->vain));
  if (!(err > doubt) && it->rejections < 2 + it->vain)
    return;
  if (err > ALARMING)
    it->rejected_to = it->t + copysign(h, it->last_h);
  if (it->looks >= LOOKS || it->last_h == 0 || !brink__seam_open(it) ||
      (it->method->flags & BRINK__FIXED_STEP))
    return;
  if (!missed)
    brink__seam_note(it, h);
  it->looks++;
  it->misses += missed;
  if (brink__seam_aim(it, h)) {
    it->vain = 0;
    return;
  }
  it->vain += it->vain < BRINK__VAIN;
  if (it->rejections == 1)
    it->h = brink__max(it->h, it->clear);
}

/* It lies between here and `unmet`, where a step has been rejected for it: look before
 * one as long is tried in vain again. */
void brink__seam_pursue(brink_integrator *it)
{
  double rest = it->last_h > 0 ? it->unmet - it->t : it->t - it->unmet;

  if (it->aim || it->rejections || it->last_h == 0)
    return;
  if (!(rest > 2 * brink__least_step(it)) || it->pursuits >= PURSUITS) {
    it->unmet = nan("");
    return;
  }
  it->pursuits++;
  if (!brink__seam_aim(it, rest))
    it->h = brink__min(it->h, brink__max(it->clear, rest / 4));
}

/* The shortest time between any two that followed each other. */
static double shortest(const brink__past *past)
{
  double least = HUGE_VAL;

  for (int i = 0; i + 1 < past->kept; i++)
    least = brink__min(least, fabs(past->t[i] - past->t[i + 1]));
  return least;
}

/* One is foreseen: aim at it if it is within a step of h, else go half the way. */
static void aim_at(brink_integrator *it, const brink__seam *s, brink__foresight by,
                   double h)
{
  int degree = it->ahead_degree;
  double away = brink__max(AWAY * s->lo / (degree * degree), UNSURE * (s->hi - s->lo));

  if (away > AWAY * s->lo / degree)
    return;
  if (s->lo - away > h) {
    it->h = brink__min(h, s->lo / 2);
    return;
  }
  brink__seam_note(it, h);
  it->aim = s->kind;
  it->foreseen = by;
  it->seen = *s;
  it->seen_h = h;
  it->h = s->lo - away;
  it->window = 3 * away;
}

/* The next one within 2 h as those before it have it, on the path of the last step. */
static brink__seam ahead(brink_integrator *it, double h, double slack,
                         brink__foresight *by)
{
  look_along_step(it);
  brink__path path = path_ahead(it);
  path.gate = &it->gate;
  return brink__past_next(&it->past, &path, 2 * h, slack, h, by);
}

/* ... where the polynomial was not wanted, at first on the one that is at hand. */
static void foresee(brink_integrator *it, double h)
{
  brink__foresight by;

  if (fabs(it->t - it->seam_t) + 2 * h < DUE * shortest(&it->past) ||
      !brink__past_speaks(&it->past) ||
      (!it->has_path && (it->method->flags & BRINK__MULTISTEP)))
    return;
  h = it->h = brink__min(h, GROW * fabs(it->last_h));
  if (!it->has_path &&
      (ahead(it, h, NEARLY, &by).kind == BRINK__SEAM_NONE || !recall(it)))
    return;
  brink__seam s = ahead(it, h, 0, &by);
  if (s.kind != BRINK__SEAM_NONE)
    aim_at(it, &s, by, h);
}

/* ... and by the clock, just behind the last one, where there is no path yet. */
static void foresee_blindly(brink_integrator *it, double h)
{
  brink__seam s = brink__past_strike(&it->past, it->t, h);

  if (s.kind != BRINK__SEAM_NONE)
    aim_at(it, &s, BRINK__CLOCK, h);
  else
    it->h = brink__min(h, HALFWAY * it->gap[1]);
}

/* Where it can be foreseen, the next one is aimed at before a step across it is tried
 * in vain. */
void brink__seam_probe(brink_integrator *it, double left)
{
  if (it->aim || it->rejections || !brink__seam_open(it))
    return;
  double h = brink__choose_step(it, left);
  if (it->last_h != 0)
    foresee(it, h);
  else
    foresee_blindly(it, h);
}

/* Begin anew at (t, y) where it stands.  f there is what
 * the search found, at the same place or within the tolerance of it. */
static void begin_behind(brink_integrator *it, const brink__seam *s)
{
  it->crossed = 1;
  it->rejected_to = it->unmet = nan("");
  it->false_alarms = 0;
  it->kind = s->kind;
  it->width = s->hi - s->lo;
  it->gap[1] = it->gap[0];
  it->gap[0] = fabs(it->t - it->seam_t);
  it->seam_t = it->t;
  it->work.unguarded++;
  it->method->start(it->state, it->gate.flow->n);
  if (it->method->given)
    it->method->given(it->state, it->gate.flow->n, it->path + it->gate.flow->n);
  brink__follow(it, 1);
  it->h = ANEW * it->h_after;
  brink__forget_path(it);
}

/* Continue the step just taken to the far side of s: along the path up to the middle
 * between lo and hi, with the new law from there. */
static void prolong(brink_integrator *it, const brink__seam *s, brink_step *step)
{
  size_t w = (size_t)it->last_degree + 1;
  brink__path p = path_ahead(it);
  double more = it->last_h > 0 ? s->hi : -s->hi, ratio = 1 + more / it->last_h;
  double x = more / p.u, rest = (s->hi - s->lo) / 2;

  for (size_t i = 0; i < it->gate.flow->n; i++) {
    double *c = it->coeff + i * w, power = 1, sum = 0, slope = 0;
    const double *a = it->ahead + i * ((size_t)p.degree + 1);
    double y = a[p.degree];
    for (int k = p.degree - 1; k >= 0; k--) {
      slope = slope * x + y;
      y = y * x + a[k];
    }
    it->f0[i] = slope / p.u;
    y += (p.beyond[i] - it->f0[i]) * (more > 0 ? rest : -rest);
    for (size_t k = 0; k < w; k++, power *= ratio)
      sum += c[k] *= power;
    c[w - 1] += y - sum;
    it->y[i] = y;
  }
  it->t += more;
  if (step) {
    step->h = it->last_h + more;
    step->t1 = it->t;
  }
}

/* From near by, the place of one that was foreseen is known better. */
static int look_closer(brink_integrator *it, double reach)
{
  brink__path path = path_ahead(it);
  brink__foresight by;

  if (it->foreseen == BRINK__UNFORESEEN)
    return 1;
  path.gate = &it->gate;
  it->seen = brink__past_next(&it->past, &path, reach, 0, it->seen_h, &by);
  return it->seen.kind != BRINK__SEAM_NONE;
}

/* The attempt that aimed at a discontinuity was accepted and stands: the place lies
 * within it->window, unless the step has shown the way to be another. */
void brink__seam_reached(brink_integrator *it, double left, brink_step *step)
{
  double reach = brink__min(it->window, left - fabs(it->last_h));
  brink__seam s = {0};

  look_along_step(it);
  if (reach > 0 && look_closer(it, reach))
    s = look_ahead(it, reach, it->seen_h);
  if (s.kind == BRINK__SEAM_NONE && it->foreseen != BRINK__UNFORESEEN)
    it->past.off[it->foreseen] = 1;
  it->aim = BRINK__SEAM_NONE;
  it->h = it->h_after;
  it->misses = 0;
  if (s.kind == BRINK__SEAM_NONE) {
    it->unmet = it->foreseen == BRINK__UNFORESEEN ? it->rejected_to : nan("");
    it->pursuits = 0;
    return;
  }
  prolong(it, &s, step);
  brink__path path = path_ahead(it);
  brink__past_add(&it->past, &path, &s, it->seen_h, it->t, it->y, it->f0);
  begin_behind(it, &s);
}
