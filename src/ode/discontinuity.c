/* discontinuity.c -- discontinuities of f on the way, which no guard has announced.
 *
 * A rejected attempt that the step size control does not explain is looked into
 * (locate.c), and so is one that passed its error test but is not as smooth as the step
 * before it (smoothness.c).  If there is a discontinuity, a step to shortly before it
 * is taken, the place enclosed along the polynomial of that step (enclose.c), and the
 * step prolonged to just behind it.  There the method starts anew, nearly with the step
 * size it had.
 */
#include "ode/search.h"

#include <math.h>
#include <string.h>

#include "poly/poly.h"

enum {
  LOOKS = 3,        /* at rejected attempts, from one point                        */
  PASSED_LOOKS = 4, /* ... and at passed ones                                      */
  FRUITLESS = 6,    /* looks that are counted, each of which halves the suspicion  */
  HALVINGS = 3,     /* of a suspect step, unless its defect is large               */
  BELIEVED = 3,     /* suspicions not confirmed until they do not halve steps ...  */
  BELIEVED_MET = 8, /* ... where discontinuities have been met                     */
  UNCONFIRMED = 10, /* that are counted                                            */
  DENSE = 2         /* steps whose polynomials are asked for after a suspicion     */
};

/* an error that the step size control rarely produces on smooth problems */
static const double SUSPICIOUS = 2;

/* times the width of what was located that the step towards it keeps away from it */
static const double DISTANCE = 2;

/* the first step behind a discontinuity, as a part of what it was before: the law is
 * another */
static const double ANEW = 0.75;

/* the next step after a rejected one goes at most this part of it where no defect was
 * seen, whatever the error was */
static const double CLEAR = 0.65;

/* a jump of f is enclosed so closely that it leaves less open than this, in tolerances;
 * a pole is not */
static const double STEEP = 100;

/* ... unless t tells no shorter times apart, and this many times farther on f is what
 * it is behind the jump, to this part of it: behind the weakest pole it has halved */
static const double FARTHER = 16, LEVEL = 0.1;

/* -------------------------------------------------------------- state ---- */

enum { VECTORS = 6 };

size_t brink__search_size(size_t n, int degree)
{
  return sizeof(brink__search) + (VECTORS + (size_t)degree + 1) * n * sizeof(double);
}

void brink__search_init(brink__search *s, size_t n, int degree, const brink__gate *gate,
                        const brink__gate *probe)
{
  memset(s, 0, brink__search_size(n, degree));
  s->n = n;
  s->f_before = gate->f_evals;
  s->looked_before = probe->f_evals;
}

void brink__search_forget(brink__search *s)
{
  s->target.kind = BRINK__SMOOTH;
  s->met = s->rejections = s->looks = s->dense_steps = 0;
}

/* The polynomial of the last step, seen from its end. */
static brink__continuation continued(brink__search *s, const brink__position *at)
{
  size_t n = s->n, w = (size_t)at->last->degree + 1;
  double *v = s->mem, *coeff = v + VECTORS * n;

  memcpy(coeff, at->last->coeff, n * w * sizeof(double));
  for (size_t i = 0; i < n; i++) {
    brink__taylor_shift(at->last->degree, coeff + i * w, 1);
    coeff[i * w] = at->y[i];
  }
  return (brink__continuation){.gate = at->probe,
                               .tol = at->tol,
                               .t = at->t,
                               .y = at->y,
                               .u = at->last->h,
                               .degree = at->last->degree,
                               .coeff = coeff,
                               .direction = v,
                               .weight = v + n,
                               .at = v + 2 * n,
                               .f = v + 3 * n,
                               .d = v + 4 * n,
                               .f_behind = v + 5 * n};
}

/* -------------------------------------------------------------- target ---- */

/* Look ahead of the last step within the attempt of size h; what is found is where the
 * next attempt stops. */
static int aim(brink__search *s, const brink__position *at, double h)
{
  brink__continuation c = continued(s, at);
  brink__discontinuity d = brink__locate(&c, h, h);

  s->clear = fmin(d.lo, CLEAR * h);
  if (d.kind == BRINK__SMOOTH || !(d.lo > 2 * at->least))
    return 0;
  double away = DISTANCE * (d.hi - d.lo);
  s->target = d;
  s->target_h = h;
  s->stop = fmax(d.lo - away, d.lo / 2);
  s->window = d.hi - s->stop + away;
  return 1;
}

/* A step of size h will be cut short: the size to go on with behind the place. */
static void remember_size(brink__search *s, const brink__position *at, double h)
{
  s->h_behind = at->last ? fmin(h, 2 * fabs(at->last->h)) : h;
}

int brink__search_before(brink__search *s, double most, double *h)
{
  if (s->target.kind != BRINK__SMOOTH && s->stop < most)
    *h = s->stop;
  else
    s->target.kind = BRINK__SMOOTH; /* the limit of the step comes first */
  return s->target.kind != BRINK__SMOOTH || s->met > 0 || s->dense_steps > 0;
}

/* ------------------------------------------------------------ attempts ---- */

/* Is there a discontinuity in an attempt that was rejected for its error? */
static void look_into_rejected(brink__search *s, const brink__position *at,
                               const brink__attempt *a, double *h)
{
  int missed = s->target.kind != BRINK__SMOOTH;
  double size = fabs(a->h), suspicious = SUSPICIOUS;

  s->target.kind = BRINK__SMOOTH;
  s->rejections++;
  if (s->met == 0)
    suspicious = ldexp(suspicious, s->fruitless);
  if (!at->last || s->looks >= LOOKS ||
      (!(a->err > suspicious) && s->rejections < 2 + s->fruitless))
    return;
  if (!at->dense) { /* nothing to look along: from the coming steps on there is */
    s->dense_steps = DENSE;
    return;
  }
  if (!missed)
    remember_size(s, at, size);
  s->looks++;
  if (aim(s, at, size)) {
    s->fruitless = 0;
    return;
  }
  s->fruitless += s->fruitless < FRUITLESS;
  if (s->rejections == 1)
    *h = fmax(*h, s->clear);
}

/* Is a suspicion believed, so that the step is halved even if nothing is found? */
static int believed(const brink__search *s, const brink__position *at, double size,
                    int large)
{
  return s->unconfirmed < (s->met > 0 ? BELIEVED_MET : BELIEVED) &&
         (s->rejections < HALVINGS || large) && size > 4 * at->least;
}

/* ... or in one that passed its error test?  1: it is not to be kept. */
static int look_into_passed(brink__search *s, const brink__position *at, double size,
                            int large, double *h)
{
  int aimed = s->target.kind != BRINK__SMOOTH, drop = believed(s, at, size, large);

  remember_size(s, at, size);
  s->target.kind = BRINK__SMOOTH;
  int found = !aimed && at->last && at->dense && s->rejections < PASSED_LOOKS &&
              aim(s, at, size);
  if (found)
    s->unconfirmed = 0;
  else if (s->rejections == 0)
    s->unconfirmed += s->unconfirmed < UNCONFIRMED;
  if (!found && !drop)
    return 0;
  *h = size / 2;
  s->rejections++;
  return 1;
}

brink__advice brink__search_judge(brink__search *s, const brink__position *at,
                                  const brink__attempt *a, double *h)
{
  brink__trend trend;

  if (!a->step) {
    if (isfinite(a->err))
      look_into_rejected(s, at, a, h);
    else
      s->target.kind = BRINK__SMOOTH;
    return BRINK__GO_ON;
  }
  int suspect = brink__is_suspect(s, at, a, &trend);
  if (suspect && look_into_passed(s, at, fabs(a->h), suspect > 1, h))
    return BRINK__DROP;
  s->trend = trend;
  s->rejections = s->looks = 0;
  s->dense_steps -= s->dense_steps > 0;
  return s->target.kind != BRINK__SMOOTH ? BRINK__CROSS : BRINK__GO_ON;
}

/* ------------------------------------------------------------ crossing ---- */

/* Continue the step just taken to hi, just behind d.  From a jump to there it is so
 * near that the old law will do, and f must be that of the far side.  F behind a kink
 * is a triangle over hi - lo: its area is added. */
static void prolong(const brink__continuation *c, const brink__discontinuity *d,
                    double more, double *coeff, double *y)
{
  int degree = c->degree;
  size_t n = c->gate->flow->n, w = (size_t)degree + 1;
  double ratio = 1 + more / c->u, x = more / c->u;
  double rest = d->kind == BRINK__KINK ? (d->hi - d->lo) / 2 : 0;

  for (size_t i = 0; i < n; i++) {
    double *p = coeff + i * w, power = 1, sum = 0;
    const double *a = c->coeff + i * w;
    double slope = brink__horner_derivative(degree, a, 1, x) / c->u;
    y[i] = brink__horner(degree, a, x) +
           (c->f_behind[i] - slope) * (more > 0 ? rest : -rest);
    for (size_t k = 0; k < w; k++, power *= ratio)
      sum += p[k] *= power;
    p[degree] += y[i] - sum;
  }
}

/* The jump is enclosed by times that are roundings of t apart: is f level behind it? */
static int is_level(const brink__continuation *c, const brink__discontinuity *d,
                    double least)
{
  size_t n = c->gate->flow->n, w = (size_t)c->degree + 1;
  double far = d->hi + FARTHER * (d->hi - d->lo), x = far / fabs(c->u);
  double jump = 0, change = 0;

  if (!(d->hi - d->lo <= least))
    return 0;
  for (size_t i = 0; i < n; i++)
    c->at[i] = brink__horner(c->degree, c->coeff + i * w, x);
  if (brink__f(c->gate, c->t + (c->u > 0 ? far : -far), c->at, c->f) != BRINK_OK)
    return 0;
  for (size_t i = 0; i < n; i++) {
    double weight = 1 / brink__scale(c->tol, i, c->y[i], c->y[i]);
    double high = weight * (c->f_behind[i] - c->coeff[i * w + 1] / c->u);
    jump = fmax(jump, fabs(high));
    change = fmax(change, fabs(weight * (c->f[i] - c->f_behind[i])));
  }
  return isfinite(jump) && change <= LEVEL * jump;
}

/* What was taken for a jump cannot be enclosed as closely as its height demands. */
static int too_steep(const brink__continuation *c, const brink__discontinuity *d,
                     double least)
{
  size_t n = c->gate->flow->n, w = (size_t)c->degree + 1;
  double sum = 0;

  for (size_t i = 0; i < n; i++) {
    double slope = c->coeff[i * w + 1] / c->u;
    double open = (d->hi - d->lo) * (c->f_behind[i] - slope);
    open /= brink__scale(c->tol, i, c->y[i], c->y[i]);
    sum += open * open;
  }
  return d->kind == BRINK__JUMP && !(sum <= STEEP * STEEP * (double)n) &&
         !is_level(c, d, least);
}

brink__crossing brink__search_after(brink__search *s, const brink__position *at,
                                    double *coeff, double *y)
{
  brink__discontinuity target = s->target;
  brink__crossing x = {.is = BRINK__NOT_CROSSED};
  double reach = fmin(s->window, at->left);

  s->target.kind = BRINK__SMOOTH;
  x.h = s->h_behind;
  if (!(reach > 0))
    return x;
  brink__continuation c = continued(s, at);
  brink__discontinuity d = brink__enclose(&c, reach, &target, s->target_h);
  if (d.kind == BRINK__SMOOTH)
    return x;
  if (too_steep(&c, &d, 2 * at->least)) {
    x.is = BRINK__TOO_STEEP;
    return x;
  }
  x.is = BRINK__CROSSED;
  x.more = c.u > 0 ? d.hi : -d.hi;
  x.width = d.hi - d.lo;
  x.h = ANEW * s->h_behind;
  prolong(&c, &d, x.more, coeff, y);
  s->met++;
  s->unconfirmed = 0;
  return x;
}
