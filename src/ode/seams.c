/* seams.c -- discontinuities on the way, which no guard has announced.
 *
 * A rejected step that its error does not explain is looked into (discontinuity.c); so
 * is a step that meets the last one roughly, and one in which the next discontinuity is
 * due.  A step to shortly before the place is taken, the place enclosed anew along its
 * polynomial, and the step prolonged to just behind it.  There the method starts anew,
 * with the step size it had.
 */
#include "ode/integrator.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
  LOOKS = 3,  /* for a discontinuity, from one point       */
  PROBES = 2, /* for one that is due                       */
  VAIN = 6    /* looks in vain, each halving the suspicion */
};

/* an error that the step size control rarely produces on smooth problems; and one that
 * is worth a look if the last step has to be repeated for it */
static const double SUSPICIOUS = 2, TROUBLING = 5, ALARMING = 20;

/* how closely a jump is enclosed before a step towards it, as a part of the step, and
 * how many times that width the step keeps away from it */
static const double APPROACH = 0x1p-7;
static const double DISTANCE = 2;

/* a discontinuity is due when this part of the time between the last ones has passed,
 * and there if the defect is this part of what it was then; and the part of that time
 * that a first step may take, so that it shows the way to the next */
static const double DUE = 0.9, LIKE = 0.3, LIKE_KINK = 0.03, HALFWAY = 0.55;

/* the next step after a rejected one goes at most this part of it where no defect was
 * seen, whatever the error was */
static const double CLEAR = 0.65;

/* a change of the second derivative between steps is suspicious from so many tolerances
 * on, if it is so many times the last one, or the error */
static const double TWISTED = 40, TWISTING = 6, TWISTED_ERR = 100, ROUGH = 5;

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

  return (brink__path){.tol = &it->tol, .t = it->t, .y = it->y, .u = it->ahead_u,
                       .degree = it->ahead_degree, .coeff = it->ahead,
                       .way = it->path, .beyond = it->path + n, .at = it->path + 2 * n,
                       .f = it->path + 3 * n, .keep = it->path + 4 * n,
                       .mid = it->path + 5 * n, .weight = it->path + 6 * n};
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
static brink__seam look_ahead(brink_integrator *it, double reach, double unit,
                              double least)
{
  brink__path path = path_ahead(it);
  brink__gate before = it->gate;

  path.gate = &it->gate;
  brink__seam found = it->aim ? brink__seam_close(&path, reach, &it->seen, unit)
                              : brink__seam_find(&path, reach, unit, APPROACH, least);

  /* what f refused on the way was a question, not a step */
  it->work.look_evals += it->gate.f_evals - before.f_evals;
  before.f_evals = it->gate.f_evals;
  it->gate = before;
  return found;
}

/* The polynomial of the last step was not wanted, but is now. */
static int recall(brink_integrator *it)
{
  size_t         n = it->gate.flow->n;
  brink__outcome out = {0};
  double         h = it->last_h, t = it->t - h;
  long           before = it->gate.f_evals;
  int            degree = 0;

  if (it->method->recall)
    degree = it->method->recall(it->state, &it->gate, t, h, it->y_last, it->y, it->coeff);
  if (degree == 0) {
    /* take it once more */
    it->method->start(it->state, n);
    if (it->method->attempt(it->state, &it->gate, &it->tol, t, &h, it->y_last, &out) == 0 &&
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

/* May f be looked at ahead, and is there anything to see?  Not beyond unilateral events;
 * nor where the guards tell all. */
static int open_ahead(const brink_integrator *it)
{
  return it->last_h != 0 && !it->gate.flow->guarded && !it->gate.flow->told;
}

/* Look for a discontinuity within h.  If there is one the next attempt goes to just
 * before it. */
static int take_aim(brink_integrator *it, double h, double least)
{
  if (!it->has_path && ((it->method->flags & BRINK__MULTISTEP) || !recall(it)))
    return 0;
  look_along_step(it);
  brink__seam s = look_ahead(it, h, h, least);
  it->clear = brink__min(s.lo, CLEAR * h);
  if (s.kind == BRINK__SEAM_NONE || !(s.lo > 2 * brink__least_step(it)))
    return 0;
  double away = DISTANCE * (double)(1 << (3 * it->misses)) * (s.hi - s.lo);
  it->aim = s.kind;
  it->seen = s;
  it->seen_h = h;
  it->h = brink__max(s.lo - away, s.lo / 2);
  it->window = s.hi - it->h + away;
  return 1;
}

/* The step size to go on with behind a discontinuity, after one of h ahead of it. */
static void note_step(brink_integrator *it, double h)
{
  it->h_after = brink__min(h, 2 * fabs(it->last_h));
}

/* A step of size h was rejected: is there a discontinuity in it? */
void brink__seam_suspect(brink_integrator *it, double h, double err)
{
  int missed = it->aim != BRINK__SEAM_NONE;

  it->aim = BRINK__SEAM_NONE;
  it->rejections++;
  double doubt = (it->has_path ? SUSPICIOUS : it->method->recall ? TROUBLING : ALARMING) *
                 (double)(1 << it->vain);
  if (!(err > doubt) && it->rejections < 2 + it->vain)
    return;
  if (it->looks >= LOOKS || !open_ahead(it) || (it->method->flags & BRINK__FIXED_STEP))
    return;
  if (!missed)
    note_step(it, h);
  it->looks++;
  it->misses += missed;
  if (take_aim(it, h, 0)) {
    it->vain = 0;
    return;
  }
  it->vain += it->vain < VAIN;
  if (it->rejections == 1)
    it->h = brink__max(it->h, it->clear);
}

/* Where they come in a rhythm, the next one is looked for before a step across it is
 * tried in vain. */
void brink__seam_probe(brink_integrator *it, double left)
{
  int    kink = it->kind == BRINK__SEAM_KINK;
  double h = brink__choose_step(it, left), gap = it->gap[1];

  /* kinks often come in pairs, of unequal distances */
  if (!kink)
    gap = DUE * brink__min(gap, it->gap[0]);
  if (it->probed >= (kink ? 1 : PROBES) || !open_ahead(it) || it->aim ||
      it->rejections || fabs(it->t - it->seam_t) + h < gap)
    return;
  it->probed++;
  note_step(it, h);
  take_aim(it, h, (kink ? LIKE_KINK * it->seen.slope * h : LIKE * it->seen.top) * h /
                    it->seen_h);
}

/* How far the step is from meeting the last one smoothly, 1: as far as can be explained.
 * The scaled change of y'' is O(h^4) as it was at the step before; without one, the
 * error, which is O(h^5), tells the size. */
static double roughness(const brink_integrator *it, double h, const brink__outcome *out)
{
  double r = brink__min(h / fabs(it->last_h), 2);
  double tol = brink__max(it->tol.rtol, it->tol.atol);

  if (!(out->twist > TWISTED * (double)(1 << it->false_alarms)))
    return 0;
  return out->twist / (it->twist > 0 ? TWISTING * it->twist * (r * r) * (r * r)
                                     : TWISTED_ERR * pow(out->err, 0.8) * pow(tol, -0.2));
}

/* An error estimate has blind spots: kinks that it does not see.  Looks into an attempt
 * that could be kept; 1: it had better not be. */
int brink__seam_blind(brink_integrator *it, double h, const brink__outcome *out)
{
  double rough = it->aim || !open_ahead(it) ? 0 : roughness(it, h, out);

  if (rough > 1) {
    note_step(it, h);
    int found = take_aim(it, h, 0) || (rough > ROUGH && take_aim(it, h / 4, 0));
    if (found)
      it->false_alarms = 0;
    else
      it->false_alarms += it->false_alarms < VAIN;
    if (found || (rough > ROUGH && it->rejections == 0)) {
      it->h = found ? it->h : h / 2;
      it->rejections++;
      it->work.rejected++;
      return 1;
    }
  }
  it->twist = rough > 1 ? out->twist / rough : out->twist;
  return 0;
}

/* Begin anew at (t, y) where it stands, with the step size it had.  f there is what
 * the search found, at the same place or within the tolerance of it. */
static void begin_behind(brink_integrator *it, const brink__seam *s)
{
  it->crossed = 1;
  it->kind = s->kind;
  it->width = s->hi - s->lo;
  it->gap[1] = it->gap[0];
  it->gap[0] = fabs(it->t - it->seam_t);
  it->seam_t = it->t;
  it->probed = 0;
  it->work.unguarded++;
  it->method->start(it->state, it->gate.flow->n);
  if (it->method->given)
    it->method->given(it->state, it->gate.flow->n, it->path + it->gate.flow->n);
  brink__follow(it, 1);
  it->h = it->h_after;
  if (it->gap[1] > 0)
    it->h = brink__min(it->h, HALFWAY * it->gap[1]);
  brink__forget_path(it);
}

/* Continue the step just taken to the far side of s: along the path up to the middle
 * between lo and hi, with the new law from there. */
static void prolong(brink_integrator *it, const brink__seam *s, brink_step *step)
{
  size_t       w = (size_t)it->last_degree + 1;
  brink__path  p = path_ahead(it);
  double       more = it->last_h > 0 ? s->hi : -s->hi, ratio = 1 + more / it->last_h;
  double       x = more / p.u, rest = (s->hi - s->lo) / 2;

  for (size_t i = 0; i < it->gate.flow->n; i++) {
    double *c = it->coeff + i * w, power = 1, sum = 0, slope = 0;
    const double *a = it->ahead + i * ((size_t)p.degree + 1);
    double y = a[p.degree];
    for (int k = p.degree - 1; k >= 0; k--) {
      slope = slope * x + y;
      y = y * x + a[k];
    }
    y += (p.beyond[i] - slope / p.u) * (more > 0 ? rest : -rest);
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

/* The attempt that aimed at a discontinuity was accepted and stands: the place lies
 * within it->window, unless the step has shown the way to be another. */
void brink__seam_reached(brink_integrator *it, double left, brink_step *step)
{
  double reach = brink__min(it->window, left - fabs(it->last_h));
  brink__seam s = {0};

  look_along_step(it);
  if (reach > 0)
    s = look_ahead(it, reach, it->seen_h, 0);
  it->aim = BRINK__SEAM_NONE;
  it->h = it->h_after;
  it->misses = 0;
  if (s.kind == BRINK__SEAM_NONE)
    return;
  prolong(it, &s, step);
  begin_behind(it, &s);
}
