/* driver.c -- the integrator: first step, attempts, acceptance, limits.
 *
 * First step ..... [HNW93, II.4 "Starting step size"], two evaluations of f.
 * Stiffness ...... fifteen suspicious steps in a row-ish, as in [HW96, IV.2]:
 *                  |h lambda| beyond the method's stability limit.
 *
 * Discontinuity .. a rejected step that its error does not explain is looked into
 *                  (discontinuity.c); so is a step that meets the last one roughly, and
 *                  one in which the next discontinuity is due.  A step to shortly before
 *                  the place is taken, the place enclosed anew along its polynomial, and
 *                  the step prolonged to just behind it.  There the method starts anew,
 *                  with the step size it had.
 *
 * "Not here" from f halves the step; so does anything not finite.  A step below
 * h_min is an error that says which of the two drove it there.
 */
#include "ode/discontinuity.h"
#include "ode/driver.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
  STIFF_YES = 15, /* suspicious steps that make a suspicion    */
  STIFF_NO = 6,   /* calm steps that clear it                  */
  LOOKS = 3,      /* for a discontinuity, from one point       */
  PROBES = 2,     /* for one that is due                       */
  VAIN = 6        /* looks in vain, each halving the suspicion */
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

/* how much of h a refusal leaves: once it might be the end of the world */
static const double RETREAT = 0.25;

/* a step that would leave less than this part of itself before the limit is
 * stretched or halved, so that no sliver remains */
static const double SLIVER = 0.01;

/* a step towards an infinite limit must stay a number, with room for its stages */
static const double LONGEST = 0x1p1000;

struct brink_integrator {
  brink_ctx            *ctx;
  brink__block          block;
  const brink_method   *method;
  const brink_method   *acting; /* the same, or the one it has chosen               */
  void                 *state;
  brink_flow            own_flow; /* of an brink_ivp                             */
  brink_ivp             ivp;
  brink__gate           gate;
  brink__tol            tol;
  brink_integrator_opts opt;
  brink__controller     controller;

  /* -- where it stands -- */
  double  t;
  double *y; /* [n]                                                              */
  int     started;

  /* -- the step -- */
  double  h;      /* proposed size of the next one, >= 0                         */
  double  hint;   /* first step of the next start, 0: estimate                   */
  double  cap;    /* largest step until the next start                           */
  double  last_h; /* of the step in coeff, 0: none since the start ...           */
  int     last_degree; /* ... and its degree                                     */
  double *coeff;  /* [n][max_degree + 1]                                         */
  int     reads;  /* is the polynomial read?                                     */
  double *f0, *f1; /* [n] scratch of the first-step estimate                     */
  long    taken;  /* attempts since the last start                               */
  int     stiff, calm, stiff_said;
  double  twist;  /* of the last step                                            */
  int     false_alarms; /* that it gave, in a row                                */

  /* -- discontinuities of f -- */
  double *path;        /* [7][n] scratch of the search                           */
  double *ahead;       /* [n][max_degree + 1] the path it looks along ...        */
  double  ahead_u;     /* ... in units of this                                   */
  int     ahead_degree;
  int     rejections;  /* in a row                                               */
  int     looks;       /* since the last accepted step ...                       */
  int     vain;        /* in a row, without finding anything                     */
  double  clear;       /* nothing was seen up to here                            */
  int     misses;      /* ... and attempts that found it nearer than it seemed   */
  int     has_dense;   /* the last attempt has a polynomial ...                  */
  int     has_path;    /* ... the last accepted step has                         */
  double *y_last;      /* [n] where the last step began                          */
  brink__seam_kind aim; /* what the next attempt tries to reach                  */
  double  window;      /* it is this near, 0: not known                          */
  brink__seam seen;    /* what it looked like from afar, over ...                */
  double  seen_h;      /* ... a step of this size                                */
  double  h_after;     /* step size to go on with behind it                      */
  double  seam_t;      /* where the last one was                                 */
  double  gap[2];      /* between the last three, newest first; 0: not yet       */
  brink__seam_kind kind; /* of the last one                                      */
  int     probed;      /* the next one has been looked for where it is due       */
  int     crossed;     /* the last step ended at one ...                         */
  double  width;       /* ... within this time                                   */

  brink_work work;
  brink_err  err;
};

/* --------------------------------------------------------- life cycle ---- */

brink_integrator_opts brink_integrator_defaults(void)
{
  return (brink_integrator_opts){.method = "dopri5", .rtol = 1e-6, .atol = -1};
}

static brink_status unknown_method(brink_err *err, const char *name)
{
  const char *best = NULL;
  int         distance = 4; /* farther away is no help */

  for (int i = 0; brink_method_name(i); i++) {
    int d = brink__distance(name, brink_method_name(i));
    if (d < distance) {
      distance = d;
      best = brink_method_name(i);
    }
  }
  return best ? brink__fail(err, BRINK_ENAME,
                            "there is no method '%s'; did you mean '%s'?", name, best)
              : brink__fail(err, BRINK_ENAME,
                            "there is no method '%s'; see 'brink methods'", name);
}

static int within(double x, double least)
{
  return isfinite(x) && x >= least;
}

static brink_status check(size_t n, const brink_integrator_opts *opt, brink_err *err)
{
  if (n == 0)
    return brink__fail(err, BRINK_EARG, "an integrator needs at least one state (n = 0)");
  if (!opt->method)
    return brink__fail(err, BRINK_EARG, "no method was named");
  if (!within(opt->rtol, 0) || opt->rtol > 1)
    return brink__fail(err, BRINK_EARG, "rtol = %g must lie in [0, 1]", opt->rtol);
  if (!isfinite(opt->atol))
    return brink__fail(err, BRINK_EARG, "atol = %g must be a number", opt->atol);
  if (opt->atol != -1 && opt->atol < 0)
    return brink__fail(err, BRINK_EARG,
                       "atol = %g must not be negative (-1 means rtol/1000)", opt->atol);
  for (size_t i = 0; opt->atol_i && i < n; i++)
    if (!within(opt->atol_i[i], 0))
      return brink__fail(err, BRINK_EARG, "atol_i[%zu] = %g must not be negative", i,
                         opt->atol_i[i]);
  if (!opt->atol_i && opt->rtol == 0 && opt->atol <= 0)
    return brink__fail(err, BRINK_EARG, "rtol and atol must not both be zero");
  if (!within(opt->h0, 0) || !within(opt->h_min, 0) || !within(opt->h_max, 0))
    return brink__fail(err, BRINK_EARG,
                       "h0 = %g, h_min = %g, h_max = %g must not be negative", opt->h0,
                       opt->h_min, opt->h_max);
  if (opt->h_max > 0 && opt->h_min > opt->h_max)
    return brink__fail(err, BRINK_EARG, "h_min = %g exceeds h_max = %g", opt->h_min,
                       opt->h_max);
  if (opt->max_steps < 0)
    return brink__fail(err, BRINK_EARG, "max_steps = %ld must not be negative",
                       opt->max_steps);
  if (opt->order < 0)
    return brink__fail(err, BRINK_EARG, "order = %d must not be negative (0: automatic)",
                       opt->order);
  return BRINK_OK;
}

brink_status brink__integrator_new(brink_ctx *ctx, const brink_flow *flow,
                                   const brink_integrator_opts *opt,
                                   brink_integrator **out)
{
  size_t n = flow->n;

  *out = NULL;
  BRINK_TRY(check(n, opt, &ctx->err));
  const brink_method *method = brink__method_find(opt->method);
  if (!method)
    return unknown_method(&ctx->err, opt->method);
  if ((method->flags & BRINK__FIXED_STEP) && !(opt->h0 > 0))
    return brink__fail(&ctx->err, BRINK_EARG,
                       "method '%s' has a fixed step: give it with h0", method->name);

  if (method->configure && opt->order > method->order)
    return brink__fail(&ctx->err, BRINK_EARG, "order = %d: method '%s' has orders up to %d",
                       opt->order, method->name, method->order);

  size_t width = (size_t)method->max_degree + 1;
  size_t need = brink__need(0, 1, sizeof(brink_integrator));
  need = brink__need(need, 1, method->state_size(n));
  need = brink__need(need, n, 13 * sizeof(double));
  need = brink__need(need, 2 * n, width * sizeof(double));
  brink__block block;
  BRINK_TRY(brink__block_new(ctx, need, &block));

  brink_integrator *it = brink__carve(&block, 1, sizeof *it);
  it->state = brink__carve(&block, 1, method->state_size(n));
  it->y = brink__carve(&block, n, 13 * sizeof(double));
  it->coeff = brink__carve(&block, 2 * n, width * sizeof(double));
  it->ahead = it->coeff + n * width;
  it->f0 = it->y + n;
  it->f1 = it->f0 + n;
  it->gate.y = it->f1 + n;
  it->path = it->y + 5 * n;
  it->y_last = it->y + 12 * n;
  it->ctx = ctx;
  it->block = block;
  it->method = it->acting = method;
  it->reads = 1;
  it->opt = *opt;
  it->gate.flow = flow;
  it->tol.rtol = opt->rtol;
  it->tol.atol = opt->atol < 0 ? opt->rtol / 1000 : opt->atol;
  if (opt->atol_i) {
    double *copy = it->f1 + 2 * n;
    memcpy(copy, opt->atol_i, n * sizeof(double));
    it->tol.atol_i = copy;
  }
  brink__err_clear(&it->err);
  if (method->configure)
    method->configure(it->state, opt);
  *out = it;
  return BRINK_OK;
}

static int ivp_rhs(const brink_flow *flow, double t, const double *y, double *f)
{
  const brink_ivp *ivp = flow->self;
  return ivp->rhs(t, y, f, ivp->user);
}

brink_status brink_integrator_new(brink_ctx *ctx, const brink_ivp *ivp,
                                  const brink_integrator_opts *opt,
                                  brink_integrator **out)
{
  *out = NULL;
  if (!ivp || !ivp->rhs)
    return brink__fail(&ctx->err, BRINK_EARG, "an integrator needs a right-hand side");
  brink_integrator_opts defaults = brink_integrator_defaults();
  brink_flow            flow = {.n = ivp->n, .rhs = ivp_rhs, .reason = brink__no_reason};
  BRINK_TRY(brink__integrator_new(ctx, &flow, opt ? opt : &defaults, out));
  brink_integrator *it = *out;
  it->ivp = *ivp;
  it->own_flow = flow;
  it->own_flow.self = &it->ivp;
  it->gate.flow = &it->own_flow;
  return BRINK_OK;
}

void brink_integrator_free(brink_integrator *it)
{
  if (it) {
    brink__block block = it->block;
    brink__block_drop(&block);
  }
}

/* -------------------------------------------------------------- start ---- */

/* A method may have passed the work on to another. */
static void follow(brink_integrator *it, int begin)
{
  const brink_method *now =
    it->method->acting ? it->method->acting(it->state) : it->method;

  if (begin || now != it->acting)
    brink__controller_start(&it->controller, now->error_order, now->beta, now->safety);
  it->acting = now;
}

/* The last polynomial is no guide to what lies ahead. */
static void forget_path(brink_integrator *it)
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
  it->t = t;
  it->h = 0;
  it->cap = HUGE_VAL;
  brink__integrator_strict(it, 1);
  it->taken = 0;
  it->stiff = it->calm = it->stiff_said = 0;
  forget_path(it);
  it->seam_t = t;
  it->gap[0] = it->gap[1] = 0;
  it->probed = 0;
  it->crossed = 0;
  it->started = 1;
  it->method->start(it->state, n);
  follow(it, 1);
  return BRINK_OK;
}

brink_status brink_integrator_start(brink_integrator *it, double t, const double *y)
{
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
  double h0 = d0 > 1e-5 && d1 > 1e-5 && isfinite(d0) && isfinite(d1) ? 0.01 * d0 / d1
                                                                     : 1e-6;
  h0 = brink__min(h0, fabs(span));

  /* where f does not exist one Euler step ahead, start smaller */
  brink_status rc = BRINK_EDOMAIN;
  double      *y1 = it->coeff; /* free until the first step is accepted */
  for (int i = 0; i < 60 && rc == BRINK_EDOMAIN; i++, h0 *= rc == BRINK_OK ? 1 : RETREAT) {
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

static double least_step(const brink_integrator *it)
{
  /* fewer roundings of t than this and t + c h no longer tells stages apart */
  return brink__max(it->opt.h_min, 4 * DBL_EPSILON * brink__max(fabs(it->t), DBL_MIN));
}

/* What the flow can say about the component that moves most, against its tolerance. */
static const char *steepest(brink_integrator *it)
{
  const brink_flow *flow = it->gate.flow;
  double            top = 0;
  size_t            worst = flow->n;

  if (!flow->about || brink__f(&it->gate, it->t, it->y, it->f1) < 0)
    return "";
  for (size_t i = 0; i < flow->n; i++) {
    double slope = fabs(it->f1[i]) / brink__scale(&it->tol, i, it->y[i], it->y[i]);
    if (slope > top) {
      top = slope;
      worst = i;
    }
  }
  return worst < flow->n ? flow->about(flow, worst) : "";
}

/* As near to a unilateral event as steps can come is there. */
BRINK__APART static brink_status too_small(brink_integrator *it, double h, int refused)
{
  if (refused && it->gate.blocked)
    return BRINK_EVENT;
  if (refused)
    return brink__gate_explain(&it->gate, &it->err);
  const char *where = steepest(it);
  return brink__fail_at(&it->err, BRINK_ESTEP, it->t,
                        "step size %.3g at t = %.9g is below %.3g%s%s; is the problem "
                        "stiff, or does the solution end here?",
                        h, it->t, least_step(it), *where ? ": " : "", where);
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
static double choose(const brink_integrator *it, double left)
{
  double h = brink__min(brink__min(it->h, it->cap), LONGEST);

  if (it->opt.h_max > 0)
    h = brink__min(h, it->opt.h_max);
  if (h >= left * (1 - SLIVER) || (it->method->flags & BRINK__FIXED_STEP && h >= left))
    return left;
  if (!(it->method->flags & BRINK__FIXED_STEP) && h > left / 2)
    return left / 2;
  return h;
}

static void finish(brink_integrator *it, double h, double t1, brink_step *step)
{
  size_t n = it->gate.flow->n;
  int    degree = it->method->accept(it->state, n, h, it->y, it->coeff);

  it->last_h = h;
  it->last_degree = degree;
  if (step)
    *step = (brink_step){it->t, h, t1, n, degree, it->coeff};
  it->has_path = it->has_dense;
  if (!it->has_path)
    memcpy(it->y_last, it->y, n * sizeof(double));
  brink__copy(it->y, it->method->candidate(it->state, n), n);
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

/* ------------------------------------------------------ discontinuity ---- */

/* p(x0 + x) in place: Taylor shift */
static void shift(double *c, int degree, double x0)
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
    shift(it->ahead + i * w, it->last_degree, 1);
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
  if (s.kind == BRINK__SEAM_NONE || !(s.lo > 2 * least_step(it)))
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
BRINK__APART static void suspect(brink_integrator *it, double h, double err)
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
static void probe(brink_integrator *it, double left)
{
  int    kink = it->kind == BRINK__SEAM_KINK;
  double h = choose(it, left), gap = it->gap[1];

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
static int blind(brink_integrator *it, double h, const brink__outcome *out)
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
  follow(it, 1);
  it->h = it->h_after;
  if (it->gap[1] > 0)
    it->h = brink__min(it->h, HALFWAY * it->gap[1]);
  forget_path(it);
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
BRINK__APART static void reached(brink_integrator *it, double left, brink_step *step)
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

static brink_status try_step(brink_integrator *it, double *h, int dense,
                             brink__outcome *out)
{
  brink_status rc =
    it->method->attempt(it->state, &it->gate, &it->tol, it->t, h, it->y, out);

  if (it->method->acting)
    follow(it, 0);
  it->has_dense = it->method->dense == brink__dense_nothing;
  if (dense && !it->has_dense && rc == BRINK_OK && out->err <= 1) {
    rc = it->method->dense(it->state, &it->gate, it->t, *h, it->y);
    it->has_dense = 1;
  }
  return rc;
}

/* ------------------------------------------------------------ advance ---- */

/* After an attempt that cannot be kept: the size of the next one. */
BRINK__APART static void retreat(brink_integrator *it, double h, double err, int refused)
{
  if (refused) {
    it->work.retried++;
    it->h = h * RETREAT;
    it->controller.rejected = 1;
    it->aim = BRINK__SEAM_NONE;
  } else {
    it->work.rejected++;
    double less = brink__controller_reject(&it->controller, err);
    it->h = wish(it) > 0 ? wish(it) : h * less;
    suspect(it, h, err);
  }
}

brink_status brink_integrator_advance(brink_integrator *it, double t_limit,
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
      brink__fail_at(&it->err, BRINK_LIMIT, it->t, "max_steps = %ld were taken at t = %.9g",
                     it->opt.max_steps, it->t);
      return BRINK_LIMIT;
    }
    if (it->gap[1] > 0)
      probe(it, left);
    if (it->aim && it->h >= brink__min(left, it->cap))
      forget_path(it);
    double h = it->aim ? it->h : choose(it, left), used = sign * h;
    it->taken++;

    brink__outcome out = {0};
    int            dense = (step && it->reads) || it->aim ||
                (it->method->flags & BRINK__MULTISTEP);
    brink_status   rc = try_step(it, &used, dense, &out);
    if (rc == BRINK_OK && out.err <= 1 && !end_inside(it, used))
      rc = BRINK_EDOMAIN;
    if (rc == BRINK_EUSER)
      return brink__gate_explain(&it->gate, &it->err);

    int refused = rc != BRINK_OK || !isfinite(out.err);
    if (!refused && out.err <= 1 && blind(it, h, &out))
      continue;
    if (!refused && out.err <= 1) {
      finish(it, used, fabs(used) == left ? t_limit : it->t + used, step);
      propose(it, fabs(used), out.err);
      if (it->aim)
        reached(it, left, step);
      return looks_stiff(it, out.h_lambda) ? BRINK_STIFF : BRINK_OK;
    }
    retreat(it, fabs(used), out.err, refused);
    if (it->h < least_step(it))
      return too_small(it, it->h, refused);
  }
}

brink_status brink__integrator_exact(brink_integrator *it, double t, const double *y,
                                     double h, brink_step *step)
{
  brink__outcome out = {0};

  BRINK_TRY(stand(it, t, y));
  brink_status rc = it->method->attempt(it->state, &it->gate, &it->tol, t, &h, it->y, &out);
  if (rc == BRINK_OK)
    rc = it->method->dense(it->state, &it->gate, t, h, it->y);
  if (rc < 0)
    return brink__gate_explain(&it->gate, &it->err);
  it->has_dense = 1;
  finish(it, h, t + h, step);
  return BRINK_OK;
}

/* ------------------------------------------------------------ getters ---- */

void brink__integrator_reads(brink_integrator *it, int reads) { it->reads = reads; }

void brink__integrator_hint(brink_integrator *it, double h) { it->hint = h; }

void brink__integrator_cap(brink_integrator *it, double h) { it->cap = h; }

void brink__integrator_strict(brink_integrator *it, double part) { it->tol.part = part; }

double brink__integrator_proposed(const brink_integrator *it) { return it->h; }

double brink__integrator_least(const brink_integrator *it) { return least_step(it); }

int brink__integrator_exists(brink_integrator *it, double t, const double *y)
{
  return brink__f(&it->gate, t, y, it->f1) == BRINK_OK;
}

brink__gate *brink__integrator_gate(brink_integrator *it) { return &it->gate; }

int brink__integrator_predict(brink_integrator *it, double h, double *coeff)
{
  size_t n = it->gate.flow->n, w = (size_t)it->last_degree + 1;
  int    degree = it->method->predict(it->state, n, it->t, h, it->y, coeff);

  if (degree > 0 || it->last_h == 0)
    return degree;
  for (size_t i = 0; i < n; i++) {
    double *c = coeff + i * w, scale = 1;
    memcpy(c, it->coeff + i * w, w * sizeof *c);
    shift(c, it->last_degree, 1);
    for (size_t k = 0; k < w; k++, scale *= h / it->last_h)
      c[k] *= scale;
    c[0] = it->y[i];
  }
  return it->last_degree;
}

double brink__integrator_stride(const brink_integrator *it)
{
  return it->acting->stride > 0 ? it->acting->stride : 1;
}

int brink__integrator_crossed(const brink_integrator *it, double *width)
{
  *width = it->width;
  return it->crossed;
}

const brink_method *brink__integrator_method(const brink_integrator *it)
{
  return it->method;
}

double brink_integrator_time(const brink_integrator *it) { return it->t; }

const double *brink_integrator_state(const brink_integrator *it) { return it->y; }

brink_work brink_integrator_work(const brink_integrator *it)
{
  brink_work w = it->work;

  w.f_evals = it->gate.f_evals;
  w.outside_evals = it->gate.outside_evals;
  return w;
}

const brink_err *brink_integrator_error(const brink_integrator *it) { return &it->err; }
