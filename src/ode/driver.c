/* driver.c -- the integrator: first step, attempts, acceptance, limits.
 *
 * First step ..... [HNW93, II.4 "Starting step size"], two evaluations of f.
 * Stiffness ...... fifteen suspicious steps in a row-ish, as in [HW96, IV.2]:
 *                  |h lambda| beyond the method's stability limit.
 *
 * Discontinuities are looked for by seams.c, poles by pole.c.
 *
 * "Not here" from f shortens the step; so does anything not finite.  A step below
 * h_min is an error that says which of these drove it there.
 */
#include "ode/integrator.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
  STIFF_YES = 15, /* suspicious steps that make a suspicion */
  STIFF_NO = 6,   /* calm steps that clear it               */
  TROUBLED = 8,   /* steps after a rejected attempt         */
  OWN = 64        /* bytes of what is said about f[i]       */
};

/* how much of h a refusal leaves: once it might be the end of the world */
static const double RETREAT = 0.25;

/* a step that would leave less than this part of itself before the limit is stretched,
 * so that no sliver remains; one that must not be longer, only for what is rounding */
static const double SLIVER = 0.01, ROUNDING = 0x1p-40;

/* why an attempt cannot be kept */
typedef enum verdict { BY_ERROR, BY_F, OVERFLOW } verdict;

/* a step less than this part of t is rounded to roundings of t */
static const double COARSE = 0x1p-20;

/* a step towards an infinite limit must stay a number, with room for its stages */
static const double LONGEST = 0x1p1000;

/* -------------------------------------------------------------- start ---- */

/* A method may have passed the work on to another. */
void brink__follow(brink_integrator *it, int begin)
{
  const brink_method *now =
      it->method->acting ? it->method->acting(it->state) : it->method;

  if (begin || now != it->acting)
    brink__controller_start(&it->controller, now->error_order, now->beta, now->safety);
  it->acting = now;
}

/* The last polynomial is no guide to what lies ahead. */
void brink__forget_path(brink_integrator *it)
{
  it->last_h = it->window = 0;
  it->rejections = it->looks = it->misses = 0;
  it->aim = BRINK__SEAM_NONE;
}

/* Stand at (t, y) without history. */
static brink_status stand(brink_integrator *it, double t, const double *y)
{
  size_t n = it->gate.flow->n;

  if (!isfinite(t))
    return brink__fail(&it->err, BRINK_EARG, "the start time is %g", t);
  if (!brink__all_finite(y, n)) {
    size_t bad = brink__first_bad(y, n);
    return brink__fail_at(&it->err, BRINK_ENAN, t, "state %zu is %g at t = %.9g", bad,
                          y[bad], t);
  }
  if (y != it->y)
    brink__copy(it->y, y, n);
  it->t = it->t_from = t;
  it->h = 0;
  it->cap = HUGE_VAL;
  brink__integrator_strict(it, 1);
  it->taken = 0;
  it->stiff = it->calm = it->stiff_said = 0;
  brink__forget_path(it);
  it->seam_t = t;
  it->gap[0] = it->gap[1] = 0;
  brink__past_clear(&it->past);
  it->crossed = 0;
  it->rejected_to = it->unmet = nan("");
  it->troubled = it->turns = 0;
  it->turns_due = 1;
  it->started = 1;
  it->method->start(it->state, n);
  brink__follow(it, 1);
  return BRINK_OK;
}

/* A callback must not move what has called it. */
static brink_status idle(brink_integrator *it)
{
  return it->busy
             ? brink__fail(&it->err, BRINK_EARG,
                           "a callback asked the integrator that called it to move")
             : BRINK_OK;
}

brink_status brink_integrator_start(brink_integrator *it, double t, const double *y)
{
  BRINK_TRY(idle(it));
  if (it->method->jumped && isfinite(t))
    it->method->jumped(it->state, t);
  BRINK_TRY(stand(it, t, y));
  it->work.restarts++;
  return BRINK_OK;
}

static double scaled_norm(const brink_integrator *it, const double *a, const double *b)
{
  size_t n = it->gate.flow->n;
  double sum = 0;

  for (size_t i = 0; i < n; i++) {
    double r = (a[i] - (b ? b[i] : 0)) / brink__scale(&it->tol, i, it->y[i], it->y[i]);
    sum += r * r;
  }
  return sqrt(sum / (double)n);
}

/* [HNW93, II.4]: an explicit Euler step tells the second derivative. */
BRINK__APART static brink_status first_step(brink_integrator *it, double span,
                                            double *h)
{
  size_t n = it->gate.flow->n;
  double direction = span > 0 ? 1 : -1;

  BRINK_TRY(brink__f(&it->gate, it->t, it->y, it->f0));
  double d0 = scaled_norm(it, it->y, NULL), d1 = scaled_norm(it, it->f0, NULL);
  double h0 =
      d0 > 1e-5 && d1 > 1e-5 && isfinite(d0) && isfinite(d1) ? 0.01 * d0 / d1 : 1e-6;
  h0 = brink__min(h0, fabs(span));

  /* where f does not exist one Euler step ahead, start smaller */
  brink_status rc = BRINK_EDOMAIN;
  double *y1 = it->coeff; /* free until the first step is accepted */
  for (int i = 0; i < 60 && rc == BRINK_EDOMAIN;
       i++, h0 *= rc == BRINK_OK ? 1 : RETREAT) {
    for (size_t m = 0; m < n; m++)
      y1[m] = it->y[m] + direction * h0 * it->f0[m];
    rc = brink__f(&it->gate, it->t + direction * h0, y1, it->f1);
    if (rc == BRINK_EUSER)
      return rc;
  }
  double d2 = rc == BRINK_OK ? scaled_norm(it, it->f1, it->f0) / h0 : 0;
  double top = brink__max(d1, d2);
  double h1 = top > 1e-15 && isfinite(top)
                  ? pow(0.01 / top, 1.0 / (it->acting->error_order + 1))
                  : brink__max(1e-6, h0 * 1e-3);
  *h = brink__min(100 * h0, h1);
  return BRINK_OK;
}

/* --------------------------------------------------------------- size ---- */

double brink__least_step(const brink_integrator *it)
{
  /* fewer roundings of t than this and t + c h no longer tells stages apart */
  return brink__max(it->opt.h_min, 4 * DBL_EPSILON * brink__max(fabs(it->t), DBL_MIN));
}

/* What can be said about the component that moves most, against its tolerance. */
static const char *steepest(brink_integrator *it, char own[OWN])
{
  const brink_flow *flow = it->gate.flow;
  double top = 0;
  size_t worst = flow->n;

  if (brink__f(&it->gate, it->t, it->y, it->f1) < 0)
    return "";
  for (size_t i = 0; i < flow->n; i++) {
    double slope = fabs(it->f1[i]) / brink__scale(&it->tol, i, it->y[i], it->y[i]);
    if (slope > top) {
      top = slope;
      worst = i;
    }
  }
  if (worst == flow->n)
    return "";
  if (flow->about)
    return flow->about(flow, worst);
  snprintf(own, OWN, "f[%zu] is %.3g", worst, it->f1[worst]);
  return own;
}

/* Is less asked for than the rounding of a state? */
static int too_strict(const brink_integrator *it)
{
  for (size_t i = 0; i < it->gate.flow->n; i++)
    if (brink__scale(&it->tol, i, it->y[i], it->y[i]) <
        4 * DBL_EPSILON * fabs(it->y[i]))
      return 1;
  return 0;
}

/* As near to a unilateral event as steps can come is there. */
BRINK__APART static brink_status too_small(brink_integrator *it, double h,
                                           verdict refused)
{
  if (refused == BY_F && it->gate.blocked)
    return BRINK_EVENT;
  if (refused == BY_F)
    return brink__gate_explain(&it->gate, &it->err);
  char own[OWN];
  const char *where = steepest(it, own), *colon = *where ? ": " : "";
  if (too_strict(it))
    return brink__fail_at(
        &it->err, BRINK_ESTEP, it->t,
        "no step from t = %.9g is accurate enough%s%s; the tolerance is "
        "finer than rounding",
        it->t, colon, where);
  if (refused == OVERFLOW)
    return brink__fail_at(
        &it->err, BRINK_ESTEP, it->t,
        "the error of a step from t = %.9g is not finite, however small "
        "the step%s%s; does the solution end here?",
        it->t, colon, where);
  return brink__fail_at(&it->err, BRINK_ESTEP, it->t,
                        "step size %.3g at t = %.9g is below %.3g%s%s; is the problem "
                        "stiff, or does the solution end here?",
                        h, it->t, brink__least_step(it), colon, where);
}

BRINK__APART static brink_status at_end(brink_integrator *it, brink__end end)
{
  char own[OWN];
  const char *where = steepest(it, own);

  return brink__fail_at(
      &it->err, BRINK_ESTEP, it->t, "the solution ends at t = %.9g, %s%s%s", it->t,
      end == BRINK__END_POLE ? "where its slope becomes infinite"
                             : "from where f leads back, whichever way it goes",
      *where ? ": " : "", where);
}

/* Said once after each start. */
static int looks_stiff(brink_integrator *it, double h_lambda)
{
  if (h_lambda > it->acting->stability) {
    it->calm = 0;
    it->stiff++;
  } else if (it->stiff > 0 && ++it->calm >= STIFF_NO) {
    it->stiff = 0;
  }
  if (it->stiff < STIFF_YES || it->stiff_said)
    return 0;
  it->stiff_said = 1;
  return 1;
}

/* The size of the next attempt: proposed, capped, and without a sliver before
 * the limit. */
double brink__choose_step(const brink_integrator *it, double left)
{
  double h = brink__min(brink__min(it->h, it->cap), LONGEST), most = it->opt.h_max;
  int fixed = (it->method->flags & BRINK__FIXED_STEP) != 0;

  if (most > 0)
    h = brink__min(h, most);
  if (h >= left * (1 - (fixed || (most > 0 && left > most) ? ROUNDING : SLIVER)))
    return left;
  return !fixed && h > left / 2 ? left / 2 : h;
}

/* Late in a run time is coarse: the step that t makes, not the one that h says, or the
 * roundings of all steps add up. */
static double whole(double t, double h)
{
  double t1 = t + h;

  return fabs(h) < COARSE * fabs(t) ? t1 - t : h;
}

static void finish(brink_integrator *it, double h, double t1, brink_step *step)
{
  size_t n = it->gate.flow->n;
  int degree = it->method->accept(it->state, n, h, it->y, it->coeff);

  it->last_h = h;
  it->last_degree = degree;
  if (step)
    *step = (brink_step){it->t, h, t1, n, degree, it->coeff};
  it->has_path = it->has_dense;
  if (!it->has_path)
    memcpy(it->y_last, it->y, n * sizeof(double));
  brink__copy(it->y, it->method->candidate(it->state, n), n);
  it->t_from = it->t;
  it->t = t1;
  it->work.steps++;
  it->rejections = it->looks = it->misses = 0;
}

static double wish(const brink_integrator *it)
{
  return it->method->next_step ? it->method->next_step(it->state) : 0;
}

/* The size of the next step after one of size h was accepted. */
static void propose(brink_integrator *it, double h, double err)
{
  if (it->method->flags & BRINK__FIXED_STEP) {
    it->h = it->opt.h0;
    return;
  }
  if (wish(it) > 0) {
    it->h = wish(it);
    return;
  }
  /* a step cut by the limit says little about the size that would have done */
  double next = h * brink__controller_accept(&it->controller, err);
  it->h = h < it->h ? brink__max(next, it->h) : next;
}

static brink_status prepare(brink_integrator *it, double left, double sign)
{
  if (it->h > 0)
    return BRINK_OK;
  if (it->hint > 0 && !(it->method->flags & BRINK__FIXED_STEP))
    it->h = it->hint;
  else if (it->opt.h0 > 0)
    it->h = it->opt.h0;
  else {
    brink_status rc = first_step(it, sign * left, &it->h);
    if (rc < 0)
      return brink__gate_explain(&it->gate, &it->err);
  }
  it->hint = 0;
  if (!(it->method->flags & BRINK__FIXED_STEP))
    it->h = brink__max(it->h, 2 * brink__least_step(it));
  return BRINK_OK;
}

/* Methods that do not evaluate f at the end of a step have it checked here: is the end
 * inside, and if the step was made to end near the edge, does f exist there? */
static int end_inside(brink_integrator *it, double h)
{
  if (!it->gate.flow->guarded)
    return 1;
  const double *y = it->method->candidate(it->state, it->gate.flow->n);
  return it->cap < HUGE_VAL ? brink__f(&it->gate, it->t + h, y, it->f1) == BRINK_OK
                            : brink__inside(&it->gate, it->t + h, y);
}

/* Where f does not depend on y a state may grow beyond all numbers unnoticed, and any
 * error is small against it. */
static int end_finite(const brink_integrator *it)
{
  size_t n = it->gate.flow->n;
  const double *y = it->method->candidate(it->state, n);
  double zero = 0;

  for (size_t i = 0; i < n; i++)
    zero += y[i] * 0;
  return zero == 0;
}

static brink_status try_step(brink_integrator *it, double *h, int dense,
                             brink__outcome *out)
{
  brink_status rc =
      it->method->attempt(it->state, &it->gate, &it->tol, it->t, h, it->y, out);

  if (it->method->acting)
    brink__follow(it, 0);
  out->err *= brink__seam_caution(it);
  if (rc == BRINK_OK && out->err <= 1 && !end_finite(it))
    out->err = HUGE_VAL;
  it->has_dense = it->acting->dense == brink__dense_nothing;
  if (dense && !it->has_dense && rc == BRINK_OK && out->err <= 1) {
    rc = it->method->dense(it->state, &it->gate, it->t, *h, it->y);
    it->has_dense = 1;
  }
  return rc;
}

/* Has there been trouble, or would nobody notice? */
static int wary(brink_integrator *it)
{
  return it->method->flags & BRINK__FIXED_STEP ? 1 : it->troubled > 0 && it->troubled--;
}

/* ------------------------------------------------------------ advance ---- */

/* After an attempt that cannot be kept: the size of the next one. */
BRINK__APART static void retreat(brink_integrator *it, double h, double err,
                                 verdict refused)
{
  it->troubled = TROUBLED;
  if (refused != BY_ERROR) {
    it->work.retried++;
    it->h = h * RETREAT;
    it->controller.rejected = 1;
    it->aim = BRINK__SEAM_NONE;
  } else {
    it->work.rejected++;
    double less = brink__controller_reject(&it->controller, err);
    it->h = wish(it) > 0 ? wish(it) : h * less;
    brink__seam_suspect(it, h, err);
  }
}

/* A step to shortly before a discontinuity was taken: go on to behind it.  0: there is
 * none, and the step is undone. */
BRINK__APART static int cross(brink_integrator *it, double left, brink_step *step)
{
  double h = fabs(it->last_h);

  brink__pole_beware(it);
  brink__seam_reached(it, left, step);
  if (!brink__pole_leapt(it))
    return 1;
  it->work.steps--;
  it->work.rejected++;
  it->troubled = TROUBLED;
  it->h = h / 2;
  return 0;
}

brink_status brink__integrator_step(brink_integrator *it, double t_limit,
                                    brink_step *step)
{
  if (!it->started || isnan(t_limit))
    return brink__fail(&it->err, BRINK_EARG,
                       it->started ? "the limit of the step is not a number"
                                   : "advance before start");
  double left = fabs(t_limit - it->t), sign = t_limit > it->t ? 1 : -1;
  if (left == 0)
    return BRINK_END;
  BRINK_TRY(prepare(it, left, sign));
  it->crossed = 0;

  for (;;) {
    if (it->opt.max_steps > 0 && it->taken >= it->opt.max_steps) {
      brink__fail_at(&it->err, BRINK_LIMIT, it->t,
                     "max_steps = %ld were taken at t = %.9g", it->opt.max_steps,
                     it->t);
      return BRINK_LIMIT;
    }
    if (!isnan(it->unmet))
      brink__seam_pursue(it);
    if (it->gap[1] > 0)
      brink__seam_probe(it, left);
    if (it->aim && it->h >= brink__min(left, it->cap))
      brink__forget_path(it);
    double h = it->aim ? it->h : brink__choose_step(it, left), used = sign * h;
    if (h < brink__least_step(it) && h < left / 2) /* not cut by the limit */
      return too_small(it, h, BY_ERROR);
    used = whole(it->t, used);
    it->taken++;

    brink__outcome out = {0};
    int dense =
        (step && it->reads) || it->aim || (it->method->flags & BRINK__MULTISTEP);
    brink_status rc = try_step(it, &used, dense, &out);
    if (rc == BRINK_OK && out.err <= 1 && !end_inside(it, used))
      rc = BRINK_EDOMAIN;
    if (rc == BRINK_EUSER)
      return brink__gate_explain(&it->gate, &it->err);

    if (rc == BRINK_OK && out.err <= 1 && brink__seam_hidden(it, used, &out))
      continue;
    if (rc == BRINK_OK && out.err <= 1) {
      finish(it, used, fabs(used) == left ? t_limit : it->t + used, step);
      propose(it, fabs(used), out.err);
      if (it->aim && !cross(it, left, step))
        continue;
      return looks_stiff(it, out.h_lambda) ? BRINK_STIFF : BRINK_OK;
    }
    verdict refused = rc != BRINK_OK ? BY_F : isfinite(out.err) ? BY_ERROR : OVERFLOW;
    retreat(it, fabs(used), out.err, refused);
    if (it->h < brink__least_step(it))
      return too_small(it, it->h, refused);
  }
}

brink_status brink__integrator_ended(brink_integrator *it)
{
  brink__end end = wary(it) ? brink__pole_passed(it) : BRINK__END_NONE;

  return end ? at_end(it, end) : BRINK_OK;
}

brink_status brink_integrator_advance(brink_integrator *it, double t_limit,
                                      brink_step *step)
{
  BRINK_TRY(idle(it));
  it->busy = 1;
  brink_status rc = brink__integrator_step(it, t_limit, step);
  brink_status end =
      rc == BRINK_OK || rc == BRINK_STIFF ? brink__integrator_ended(it) : BRINK_OK;
  it->busy = 0;
  return end < 0 ? end : rc;
}

brink_status brink__integrator_exact(brink_integrator *it, double t, const double *y,
                                     double h, brink_step *step)
{
  brink__outcome out = {0};

  BRINK_TRY(stand(it, t, y));
  brink_status rc =
      it->method->attempt(it->state, &it->gate, &it->tol, t, &h, it->y, &out);
  if (rc == BRINK_OK)
    rc = it->method->dense(it->state, &it->gate, t, h, it->y);
  if (rc < 0)
    return brink__gate_explain(&it->gate, &it->err);
  it->has_dense = 1;
  finish(it, h, t + h, step);
  return BRINK_OK;
}
