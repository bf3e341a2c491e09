/* driver.c -- the integrator: attempts, acceptance, limits.
 *
 * "Not here" from f shortens the step; so does anything not finite.  A step below h_min
 * is an error that says which of these drove it there (failure.c).
 */
#include "ode/integrator.h"
#include "ode/rk.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* how much of h a refusal of f leaves: where f exists is not known, and a few refused
 * attempts cost less than many steps that are too short */
static const double RETREAT = 0.25;

/* a step that would leave less than this part of itself before the limit is stretched,
 * so that no sliver remains; one that must not be longer, only for what is rounding */
static const double SLIVER = 0.01, ROUNDING = 0x1p-40;

/* a step that is rejected is followed by one of at most this part of it: where steps
 * are few roundings of t, one a little longer than the method asks for may be tried */
static const double SHORTER = 0.9;

/* a step less than this part of t is rounded to roundings of t */
static const double COARSE = 0x1p-20;

/* Where the longest step allowed is less than this part of the last one, a method with
 * a history starts anew: its back values lie so far away that its error estimate, the
 * difference of two formulas that use them, says nothing about the short step. */
static const double HISTORY_TOO_COARSE = 0x1p-3;

/* At t = 0, where t tells any two times apart, no step is shorter than a few roundings
 * of this part of the way to the limit: the changes that it makes, and their squares,
 * would be lost below the smallest numbers. */
static const double SHORTEST_PART = 0x1p-332;

/* a limit farther away says nothing about the times of a model */
static const double LONG_RUN = 0x1p100;

/* a step towards an infinite limit must stay a number, with room for its stages */
static const double LONGEST = 0x1p1000;

/* -------------------------------------------------------------- start ---- */

/* A method may have passed the work on to another. */
static void follow_acting(brink_integrator *it, int begin)
{
  const brink_method *now = it->method->acting(it->state);

  if (!now)
    now = it->method;
  if (begin || now != it->acting)
    brink__controller_start(&it->controller, now->error_order, now->beta, now->safety);
  it->acting = now;
}

/* Put y on the constraints of the solution, if there are any: it->projected; it->moved
 * if that is not y itself. */
static brink_status project(brink_integrator *it, double t, const double *y)
{
  const brink_flow *flow = it->gate.flow;

  it->moved = 0;
  if (!flow->project)
    return BRINK_OK;
  brink__copy(it->projected, y, flow->n);
  for (size_t i = 0; i < flow->n; i++)
    it->unit[i] = brink__scale(&it->tol, i, y[i], y[i]);
  int rc = flow->project(flow, t, it->unit, it->projected);
  if (rc < 0)
    return brink__refused(&it->gate, 1, t, y, it->f1);
  it->moved = rc;
  return BRINK_OK;
}

/* By how much a projection has moved the state y, in units of its tolerances. */
static double largest_move(const brink_integrator *it, const double *y)
{
  double most = 0;

  for (size_t i = 0; i < it->gate.flow->n; i++)
    if (it->projected[i] != y[i])
      most = brink__max(most, fabs(it->projected[i] - y[i]) / it->unit[i]);
  return most;
}

/* The end of an attempt, on the constraints, and f there. */
static brink_status project_end(brink_integrator *it, double h)
{
  const brink_flow *flow = it->gate.flow;

  if (!flow->project)
    return BRINK_OK;
  BRINK_TRY(project(it, it->t + h, it->method->candidate(it->state, flow->n)));
  return it->moved ? brink__f(&it->gate, it->t + h, it->projected, it->f_projected)
                   : BRINK_OK;
}

/* Stand at (t, y) without history. */
static brink_status stand(brink_integrator *it, double t, const double *y)
{
  size_t n = it->gate.flow->n;

  if (it->opened < 0)
    return it->opened; /* err says why */
  if (!isfinite(t))
    return brink__fail(&it->err, BRINK_EARG, "the start time is %g", t);
  if (!brink__all_finite(y, n)) {
    size_t bad = brink__first_bad(y, n);
    t = brink__flow_time(it->gate.flow, t);
    return brink__fail_at(&it->err, BRINK_ENAN, t, "state %zu is %g at t = %.9g", bad,
                          y[bad], t);
  }
  if (y != it->y)
    brink__copy(it->y, y, n);
  if (project(it, t, y) < 0)
    return brink__gate_explain(&it->gate, &it->err);
  it->start_move = it->moved ? largest_move(it, y) : 0;
  if (it->moved)
    brink__copy(it->y, it->projected, n);
  it->moved = 0;
  it->t = t;
  it->h = it->last.h = 0;
  it->cap = HUGE_VAL;
  brink__integrator_strict(it, 1);
  it->taken = 0;
  it->begun = 0;
  it->continues = 0;
  it->crossed.is = BRINK__NOT_CROSSED;
  it->started = 1;
  if (it->search)
    brink__search_forget(it->search);
  it->stiffness = (brink__stiffness){0};
  brink__ending_forget(&it->ending);
  it->method->start(it->state, n);
  follow_acting(it, 1);
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
  BRINK__NEED(&it->err, y);
  BRINK_TRY(idle(it));
  if (isfinite(t) && it->opened >= 0)
    it->method->ended(it->state, t);
  BRINK_TRY(stand(it, t, y));
  it->work.restarts++;
  return BRINK_OK;
}

void brink__undo_step(brink_integrator *it)
{
  size_t n = it->gate.flow->n, w = (size_t)it->last.degree + 1;

  for (size_t i = 0; i < n; i++)
    it->y[i] = it->coeff[i * w];
  it->t = it->last.t0;
  it->last.h = 0;
  it->begun = 0;
  it->continues = 0;
  it->crossed.is = BRINK__NOT_CROSSED;
  it->method->start(it->state, n);
}

brink_status brink__begin_step(brink_integrator *it)
{
  if (it->begun)
    return BRINK_OK;
  brink_status rc =
      it->method->begin(it->state, &it->gate, &it->tol, it->t, it->y, &it->h);
  if (rc == BRINK_ENOMEM)
    it->err = it->ctx->err;
  else if (rc < 0)
    brink__gate_explain(&it->gate, &it->err);
  if (rc < 0)
    return rc;
  it->begun = 1;
  if (it->method->flags & BRINK__CHOOSES)
    follow_acting(it, 0);
  return BRINK_OK;
}

/* --------------------------------------------------------------- size ---- */

double brink__least_step(const brink_integrator *it)
{
  /* fewer roundings of t than this and t + c h no longer tells stages apart */
  double shortest = brink__max(SHORTEST_PART * it->left, DBL_MIN);

  return brink__max(it->opt.h_min, 4 * DBL_EPSILON * brink__max(fabs(it->t), shortest));
}

/* The size of the next attempt: proposed, capped, and without a sliver before the
 * limit, which is `left` away. */
static double choose_step(const brink_integrator *it, double left)
{
  double h = brink__min(brink__min(it->h, it->cap), LONGEST), most = it->opt.h_max;
  int fixed = (it->method->flags & BRINK__FIXED_STEP) != 0;

  if (most > 0)
    h = brink__min(h, most);
  if (h >= left * (1 - (fixed || (most > 0 && left > most) ? ROUNDING : SLIVER)))
    return left;
  int own = (it->acting->flags & BRINK__OWN_STEP) != 0;
  return !fixed && !own && h > left / 2 ? left / 2 : h;
}

/* Late in a run time is coarse: the step that t makes, not the one that h says, or the
 * roundings of all steps add up. */
double brink__whole_step(double t, double h)
{
  double t1 = t + h;

  return fabs(h) < COARSE * fabs(t) ? t1 - t : h;
}

/* The size of the next step after one of size h was accepted. */
static void propose(brink_integrator *it, double h, double err)
{
  double own = it->method->next_step(it->state);

  if (it->method->flags & BRINK__FIXED_STEP) {
    it->h = it->opt.h0;
    return;
  }
  if (own > 0) {
    /* a part of a step that was cut to the smallest would not be tried at all */
    it->h = brink__max(own, brink__least_step(it));
    return;
  }
  /* a step cut by the limit says little about the size that would have done */
  double next = h * brink__controller_accept(&it->controller, err);
  it->h = h < it->h ? brink__max(next, it->h) : next;
}

/* f changes by more than this many times itself in a step across a transient; in one
 * that a ball takes from bounce to bounce, by twice itself. */
static const double TRANSIENT = 8;

/* Across a transient that an event has left, steps of an implicit method as long as the
 * last ones are rejected, each with its factors, until they are as short as it is.  The
 * first one is no longer than f says. */
static brink_status resolve_transient(brink_integrator *it, double span)
{
  double h, rate;

  if (!(it->acting->flags & BRINK__IMPLICIT))
    return BRINK_OK;
  if (brink__first_step(it, span, &h, &rate) < 0)
    return brink__gate_explain(&it->gate, &it->err);
  if (it->h * rate > TRANSIENT)
    it->h = brink__min(it->h, h);
  return BRINK_OK;
}

static brink_status prepare(brink_integrator *it, double left, double sign)
{
  int fixed = (it->method->flags & BRINK__FIXED_STEP) != 0;
  double rate;

  if (it->h > 0)
    return BRINK_OK;
  if (it->hint > 0 && !fixed) {
    it->h = it->hint;
    BRINK_TRY(resolve_transient(it, sign * left));
  } else if (it->opt.h0 > 0)
    it->h = it->opt.h0;
  else if (it->acting->flags & BRINK__OWN_STEP)
    it->h = left;
  else if (brink__first_step(it, sign * left, &it->h, &rate) < 0)
    return brink__gate_explain(&it->gate, &it->err);
  it->hint = 0;
  if (!fixed)
    it->h = brink__max(it->h, 2 * brink__least_step(it));
  return BRINK_OK;
}

static void drop_coarse_history(brink_integrator *it)
{
  if ((it->acting->flags & BRINK__MULTISTEP) && it->opt.h_max > 0 &&
      it->opt.h_max < HISTORY_TOO_COARSE * fabs(it->last.h))
    it->method->start(it->state, it->gate.flow->n);
}

/* The user's error weights at the beginning of a step. */
static brink_status weigh(brink_integrator *it)
{
  if (!it->weight)
    return BRINK_OK;
  double t = brink__flow_time(it->gate.flow, it->t);
  if (it->opt.weight(it->y, it->weight, it->opt.weight_user) != 0)
    return brink__fail_at(&it->err, BRINK_EUSER, t,
                          "the error weights asked to stop at t = %.9g", t);
  for (size_t i = 0; i < it->gate.flow->n; i++)
    if (!(isfinite(it->weight[i]) && it->weight[i] > 0))
      return brink__fail_at(&it->err, BRINK_EARG, t,
                            "error weight %zu is %g at t = %.9g; it must be positive",
                            i, it->weight[i], t);
  return BRINK_OK;
}

/* ------------------------------------------------------------ attempt ---- */

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

/* Does the polynomial cost nothing? */
static int is_free_dense(const brink_integrator *it)
{
  return ((it->method->flags | it->acting->flags) & BRINK__FREE_DENSE) != 0;
}

/* The attempt of *h, which may become shorter, and what its polynomial needs if that is
 * wanted. */
static brink_status compute(brink_integrator *it, double *h, int *dense,
                            brink__outcome *out)
{
  brink_status rc =
      it->method->attempt(it->state, &it->gate, &it->tol, it->t, *h, it->y, out);

  if (out->h != 0)
    *h = out->h;
  if (it->method->acting != brink__acting_itself)
    follow_acting(it, 0);
  if (rc == BRINK_OK && out->err <= 1 && !end_finite(it))
    out->err = HUGE_VAL;
  if (rc != BRINK_OK || !(out->err <= 1))
    return rc;
  *dense |= is_free_dense(it);
  if (*dense)
    rc = it->method->dense(it->state, &it->gate, it->t, *h, it->y);
  if (rc == BRINK_OK && !end_inside(it, *h))
    return BRINK_EDOMAIN;
  return rc == BRINK_OK ? project_end(it, *h) : rc;
}

/* The search for discontinuities, where the method takes the steps it is told. */
static brink__search *searching(const brink_integrator *it)
{
  return it->acting->flags & BRINK__OWN_STEP ? NULL : it->search;
}

static brink__position position(brink_integrator *it, double left)
{
  return (brink__position){.probe = &it->probe,
                           .gate = &it->gate,
                           .tol = &it->tol,
                           .method = it->acting,
                           .t = it->t,
                           .y = it->y,
                           .last = it->continues ? &it->last : NULL,
                           .dense = it->own_dense,
                           .left = left,
                           .least = brink__least_step(it)};
}

/* After an attempt that cannot be kept: the size of the next one. */
BRINK__APART static void retreat(brink_integrator *it, double left, double h,
                                 const brink__outcome *out, brink__refusal refused)
{
  double size = fabs(h), own = it->method->next_step(it->state);

  brink__ending_rejected(&it->ending);
  if (refused != BRINK__BY_ERROR) {
    it->work.retried++;
    it->h = out->retry > 0 ? brink__min(out->retry, SHORTER * size) : size * RETREAT;
    it->controller.rejected = 1;
  } else {
    it->work.rejected++;
    double less = brink__controller_reject(&it->controller, out->err);
    it->h = own > 0 ? brink__min(own, SHORTER * size) : size * less;
  }
  if (searching(it)) {
    brink__position at = position(it, left);
    double err = refused == BRINK__BY_ERROR ? out->err : HUGE_VAL;
    brink__attempt a = {.h = h, .err = err};
    brink__search_judge(it->search, &at, &a, &it->h);
  }
}

/* ------------------------------------------------------------- accept ---- */

/* Both ends are numbers, but sums of huge slopes have overflowed: the chord. */
BRINK__APART static void straighten(const double *y0, const double *y1, size_t n,
                                    int degree, double *coeff)
{
  size_t m = (size_t)degree + 1;

  for (size_t i = 0; i < n; i++, coeff += m)
    if (!brink__all_finite(coeff, m)) {
      memset(coeff, 0, m * sizeof *coeff);
      coeff[0] = y0[i];
      coeff[1] = y1[i] - y0[i];
    }
}

/* The attempt has passed: its polynomial. */
static brink_step polynomial(brink_integrator *it, double h, double t1)
{
  size_t n = it->gate.flow->n;
  int degree = it->method->accept(it->state, n, h, it->y, it->tried);

  if (!brink__all_finite(it->tried, n * ((size_t)degree + 1)))
    straighten(it->y, it->method->candidate(it->state, n), n, degree, it->tried);
  return (brink_step){it->t, h, t1, n, degree, it->tried};
}

/* What the search says about a step that passed.  If it is dropped, it is forgotten. */
static brink__advice judge(brink_integrator *it, double left, const brink_step *step,
                           const brink__outcome *out)
{
  if (!searching(it))
    return BRINK__GO_ON;
  brink__position at = position(it, left);
  brink__attempt a = {step->h, out->err, out->h_lambda, step,
                      it->method->candidate(it->state, step->n)};
  brink__advice advice = brink__search_judge(it->search, &at, &a, &it->h);
  if (advice == BRINK__DROP) {
    it->work.rejected++;
    it->method->start(it->state, it->gate.flow->n);
  }
  return advice;
}

/* The step stands. */
static void keep(brink_integrator *it, const brink_step *step, int dense, int own)
{
  double *before = it->coeff;

  it->coeff = it->tried;
  it->tried = before;
  it->last = *step;
  it->dense = dense;
  it->own_dense = own;
  it->begun = 0;
  it->continues = 1;
  brink__copy(it->y, it->method->candidate(it->state, step->n), step->n);
  if (it->moved) {
    brink__copy(it->y, it->projected, step->n);
    it->method->moved(it->state, step->n, it->f_projected);
    it->moved = 0;
  }
  it->t = step->t1;
  it->work.steps++;
}

/* Go on across a discontinuity that the step was made to stop at.  0: what looked like
 * a jump is none, and the step is undone. */
BRINK__APART static int cross(brink_integrator *it, double left)
{
  brink__position at = position(it, left - fabs(it->last.h));
  brink__crossing x = brink__search_after(it->search, &at, it->coeff, it->y);
  if (x.is == BRINK__TOO_STEEP) {
    it->h = fabs(it->last.h) / 2;
    brink__undo_step(it);
    brink__ending_rejected(&it->ending);
    it->work.steps--;
    it->work.rejected++;
    return 0;
  }
  if (x.h > 0)
    it->h = x.h;
  if (x.is == BRINK__CROSSED) {
    it->t += x.more;
    it->last.h += x.more;
    it->last.t1 = it->t;
    it->begun = 0;
    it->continues = 0;
    it->work.unguarded++;
    it->method->start(it->state, it->gate.flow->n);
    follow_acting(it, 1);
  }
  it->crossed = x;
  return 1;
}

/* ------------------------------------------------------------ advance ---- */

static brink__refusal verdict_on(brink_status rc, double err)
{
  return rc != BRINK_OK  ? BRINK__BY_F
         : err <= 1      ? BRINK__PASSED
         : isfinite(err) ? BRINK__BY_ERROR
                         : BRINK__OVERFLOW;
}

/* A method that takes memory as it goes finds none; its sentence is in the context. */
BRINK__APART static brink_status out_of_memory(brink_integrator *it)
{
  it->err = it->ctx->err;
  return it->err.status;
}

static brink_status out_of_steps(brink_integrator *it)
{
  brink__fail_at(&it->err, BRINK_LIMIT, it->t, "max_steps = %ld were taken at t = %.9g",
                 it->opt.max_steps, it->t);
  return BRINK_LIMIT;
}

/* A method that chooses its steps itself takes the second one below the smallest: the
 * first may begin anew.  From then on they grow, unless f is in the way. */
static int is_stuck(const brink_integrator *it, double h, int refused)
{
  double least = brink__least_step(it);

  return fabs(h) < least && it->continues && fabs(it->last.h) < least &&
         (refused || fabs(h) <= fabs(it->last.h));
}

/* One turn of the loop of brink__integrator_step. */
typedef struct turn {
  double left, sign; /* until the limit of the step, and its direction               */
  int read;          /* the polynomial of the step is wanted ...                     */
  int own;           /* ... that of the method itself                                */
  int dense;         /* it was computed                                              */
  double h;          /* the step that was tried, signed                              */
  int corner;        /* it was the one out of a corner, and has been taken           */
  brink__outcome out;
} turn;

/* One attempt.  BRINK_OK: it has passed; BRINK_END: it is to be repeated, with it->h;
 * everything else is for the caller of brink__integrator_step. */
static brink_status attempt(brink_integrator *it, turn *a)
{
  double h = choose_step(it, a->left);

  a->out = (brink__outcome){0};
  a->own = a->read && it->reads != BRINK__READ_SHOWN;
  if (searching(it))
    a->own |= brink__search_before(it->search, brink__min(a->left, it->cap), &h);
  a->dense = a->read || a->own;
  if (h < brink__least_step(it) && h < a->left / 2) /* not cut by the limit */
    return brink__step_too_small(it, a->sign * h, BRINK__BY_ERROR);
  a->h = brink__whole_step(it->t, a->sign * h);
  it->taken++;

  long refusals = it->gate.refusals;
  brink_status rc = compute(it, &a->h, &a->dense, &a->out);
  if (rc == BRINK_EUSER)
    return brink__gate_explain(&it->gate, &it->err);
  if (rc == BRINK_ENOMEM)
    return out_of_memory(it);
  brink__refusal refused = verdict_on(rc, a->out.err);
  if (refused) {
    retreat(it, a->left, a->h, &a->out, refused);
    if (it->h >= brink__least_step(it))
      return BRINK_END;
    a->corner =
        refused == BRINK__BY_F && brink__leave_corner(it, a->sign, a->left, &a->out);
    return a->corner ? BRINK_OK : brink__step_too_small(it, a->sign * it->h, refused);
  }
  int by_f = it->gate.refusals > refusals;
  if (a->out.h == 0 || !is_stuck(it, a->h, by_f))
    return BRINK_OK;
  it->method->start(it->state, it->gate.flow->n);
  refused = by_f ? BRINK__BY_F : BRINK__BY_ERROR;
  return brink__step_too_small(it, a->h, refused);
}

/* The attempt has passed.  BRINK_OK: the integrator stands at its end; BRINK_END: the
 * search for discontinuities wants another one instead. */
static brink_status take_step(brink_integrator *it, const turn *a, double t_limit)
{
  double t1 = fabs(a->h) == a->left ? t_limit : it->t + a->h;
  brink_step now = polynomial(it, a->h, t1);
  brink__advice advice = judge(it, a->left, &now, &a->out);

  if (advice == BRINK__DROP)
    return BRINK_END;
  keep(it, &now, a->dense, a->own || is_free_dense(it));
  it->h_lambda = it->acting->flags & BRINK__IMPLICIT ? a->out.h_lambda : 0;
  propose(it, fabs(a->h), a->out.err);
  return advice == BRINK__CROSS && !cross(it, a->left) ? BRINK_END : BRINK_OK;
}

brink_status brink__integrator_step(brink_integrator *it, double t_limit,
                                    brink_step *step)
{
  turn a = {.left = fabs(t_limit - it->t),
            .sign = t_limit > it->t ? 1 : -1,
            .read = step && it->reads};
  brink_status rc;

  if (!it->started || isnan(t_limit))
    return brink__fail(&it->err, BRINK_EARG,
                       it->started ? "the limit of the step is not a number"
                                   : "advance before start");
  if (a.left == 0)
    return BRINK_END;
  it->left = brink__min(a.left, LONG_RUN);
  BRINK_TRY(weigh(it));
  if (brink__begin_step(it) < 0)
    return it->err.status;
  BRINK_TRY(prepare(it, a.left, a.sign));
  drop_coarse_history(it);
  it->crossed.is = BRINK__NOT_CROSSED;
  do {
    if (it->opt.max_steps > 0 && it->taken >= it->opt.max_steps)
      return out_of_steps(it);
    rc = attempt(it, &a);
    if (rc == BRINK_OK && !a.corner)
      rc = take_step(it, &a, t_limit);
  } while (rc == BRINK_END);
  if (rc != BRINK_OK)
    return rc;
  if (step)
    *step = it->last;
  /* a stiff method that hands a few short steps to another is not limited by those */
  double limit = it->method->stability < HUGE_VAL ? it->acting->stability : HUGE_VAL;
  return brink__stiffness_after(&it->stiffness, a.out.h_lambda, limit) ? BRINK_STIFF
                                                                       : BRINK_OK;
}

brink_status brink__integrator_ended(brink_integrator *it)
{
  brink__end end = brink__ending_after(it);

  return end ? brink__solution_ended(it, end) : BRINK_OK;
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

void brink__integrator_adopt(brink_integrator *it, const brink_step *step,
                             const double *y1)
{
  if (it->t != step->t0) { /* it replaces the last one of the method */
    it->work.steps--;
    it->work.rejected++;
  }
  brink__copy(it->coeff, step->coeff, step->n * ((size_t)step->degree + 1));
  it->last = *step;
  it->last.coeff = it->coeff;
  it->dense = it->own_dense = 1;
  it->begun = 0;
  it->continues = 1;
  it->crossed.is = BRINK__NOT_CROSSED;
  brink__copy(it->y, y1, step->n);
  it->t = step->t1;
  it->work.steps++;
  if (it->search)
    brink__search_forget(it->search);
  brink__ending_forget(&it->ending);
  it->method->start(it->state, step->n);
  follow_acting(it, 1);
}

/* One step of h from (t, y), or less if `shorter` allows it, without error control. */
static brink_status take(brink_integrator *it, double t, const double *y, double h,
                         int shorter, brink_step *step)
{
  brink__outcome out = {0};

  BRINK_TRY(stand(it, t, y));
  BRINK_TRY(weigh(it));
  brink_status rc =
      it->method->attempt(it->state, &it->gate, &it->tol, t, h, it->y, &out);
  if (rc == BRINK_OK)
    rc = it->method->dense(it->state, &it->gate, t, h, it->y);
  if (rc < 0)
    return brink__gate_explain(&it->gate, &it->err);
  if (out.h != 0 && out.h != h && !shorter)
    return brink__fail_at(&it->err, BRINK_EDOMAIN, t,
                          "method '%s' chooses its steps itself", it->method->name);
  if (out.h != 0)
    h = out.h;
  /* an implicit method may have had another one take it: that one has passed no test */
  const brink_method *by = it->method->acting(it->state);
  if (by && by != it->acting && it->acting->flags & BRINK__IMPLICIT && out.err > 1)
    return brink__fail_at(&it->err, BRINK_EDOMAIN, t,
                          "a step of %.6g has an error of %.3g tolerances", h, out.err);
  brink_step now = polynomial(it, h, t + h);
  keep(it, &now, 1, 1);
  if (step)
    *step = it->last;
  return BRINK_OK;
}

brink_status brink__integrator_exact(brink_integrator *it, double t, const double *y,
                                     double h, brink_step *step)
{
  return take(it, t, y, h, 0, step);
}

brink_status brink__integrator_again(brink_integrator *it, double t, const double *y,
                                     double h, brink_step *step)
{
  return take(it, t, y, h, 1, step);
}
