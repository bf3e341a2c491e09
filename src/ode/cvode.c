/* cvode.c -- CVODE of SUNDIALS [HBGL05]: backward differentiation formulas of orders 1
 * to 5, variable step, variable order, for stiff problems.
 *
 * An attempt is one internal step of CVODE, which tests its error, repeats what fails
 * and chooses the next step itself.  The driver bounds a step by a stop time.  Events,
 * output and modes are the driver's; after each of its starts CVODE begins anew with
 * order 1 and a first step of its own.
 *
 * Tolerances ..... those of the driver, as weights 1/(atol_i + rtol |y_i|) at the
 *                  beginning of each step, which is also CVODE's rule.
 * Not here ....... a refusal of f is a "recoverable" failure: CVODE tries a quarter of
 *                  the step.
 * Constraints .... CVODE projects inside its steps, by flow->project.
 * Step polynomial  the Nordsieck array: p(t) = sum z_j ((t - t_n)/h)^j, j <= q.  It
 *                  meets the last step, since the corrector moves the predicted
 *                  polynomial by a multiple of prod (1 + (t - t_n)/(t_n - t_{n-i})),
 *                  which is zero at t_{n-1}.
 * Memory ......... vectors of CVODE come from malloc; matrices and factors from the
 *                  context (cvode_linear.c).
 * Copies ......... what CVODE remembers cannot be copied: a copy begins anew.
 */
#include "ode/cvode.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include <cvode/cvode.h>
#include <cvode/cvode_proj.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>

#include "ode/rk.h"
#include "poly/poly.h"

enum { MOST = 5 }; /* order */

/* No step ends there: a stop time that does not bound it. */
static const double FAR = 0x1p1000;

/* A step that was cut says nothing about the next one, which may be this much longer
 * (or as long as the last one that was not). */
static const double GROW = 2;

/* CVODE takes a stop time within 100 roundings of t for reached. */
static const double REACHED = 128 * DBL_EPSILON;

/* What counts as the error of an attempt that CVODE gave up: the next one is as much
 * shorter as the controller makes it. */
static const double FAILED = 1e6;

/* A matrix that is singular for every step is not so after rounding for a few, which
 * CVODE then takes, or the step is so short that Euler's is taken.  Where so many
 * points have needed that, less than so many steps apart, the run would creep on for
 * ever. */
enum { MOST_SINGULAR = 16, RECOVERED = 16 };

/* Where f exists on the solution alone, as on the zero of a relation that is held, it
 * has no difference quotients: CVODE's steps are refused, however short, and Euler's of
 * a few roundings of t are not.  So often in a row that is tried. */
enum { MOST_REFUSED = 16 };

/* A state that was moved onto constraints by less than this part of its tolerance is
 * where CVODE has left it. */
static const double UNMOVED = 1e-3;

typedef struct cvode {
  brink__cvode_call call;
  SUNContext sun;
  void *mem;           /* CVODE's own                                             */
  N_Vector end, work;  /* of the arrays below                                     */
  int stands;          /* CVODE stands where the driver does                      */
  int taken;           /* ... or at the end of an attempt that is not accepted    */
  int moved;           /* the end of the last step was projected                  */
  int full;            /* the polynomial of this step is wanted                   */
  int line;            /* the step was Euler's                                    */
  int singular;        /* CVODE gave up here, for no matrix had factors           */
  int singular_points; /* so far, and ...                                        */
  int regular_steps;   /* ... steps in a row since the last of them              */
  int refused;         /* CVODE's steps have been, ...                           */
  int refused_points;  /* ... at so many points since it has taken one            */
  int known;           /* CVODE has said what `next` is                           */
  double direction;    /* of the steps since the last start                       */
  double next;         /* size of the next step                                   */
  double values[];     /* [n] end of the step, [n] work, [n] units                */
} cvode;

static size_t state_size(const brink_flow *flow, const brink_integrator_opts *opt)
{
  (void)opt;
  return sizeof(cvode) + 3 * flow->n * sizeof(double);
}

/* ---------------------------------------------------------- callbacks ---- */

/* f(t, y) as CVODE calls it: 0, > 0 "not here", < 0 "stop". */
static int rhs(double t, N_Vector y, N_Vector f, void *user)
{
  brink__cvode_call *call = user;
  brink_status rc =
      brink__f(call->gate, t, N_VGetArrayPointer(y), N_VGetArrayPointer(f));

  return rc == BRINK_OK ? 0 : rc == BRINK_EUSER ? -1 : 1;
}

static int weigh(N_Vector y, N_Vector weight, void *user)
{
  const brink__cvode_call *call = user;
  const double *v = N_VGetArrayPointer(y);
  double *w = N_VGetArrayPointer(weight);

  for (size_t i = 0; i < (size_t)N_VGetLength(y); i++)
    w[i] = 1 / brink__scale(call->tol, i, v[i], v[i]);
  return 0;
}

/* The way from y to the constraints of the solution. */
static int project(realtype t, N_Vector y, N_Vector correction, realtype eps,
                   N_Vector error, void *user)
{
  cvode *s = user; /* begins with the call */
  const brink_flow *flow = s->call.gate->flow;
  const double *v = N_VGetArrayPointer(y);
  double *c = N_VGetArrayPointer(correction), *unit = s->values + 2 * flow->n;

  (void)eps, (void)error;
  for (size_t i = 0; i < flow->n; i++) {
    unit[i] = brink__scale(s->call.tol, i, v[i], v[i]);
    c[i] = v[i];
  }
  if (flow->project(flow, t, unit, c) < 0)
    return 1;
  for (size_t i = 0; i < flow->n; i++)
    c[i] -= v[i];
  return 0;
}

/* CVODE's messages: what they say is in its return values. */
static void quiet(int code, const char *module, const char *function, char *message,
                  void *user)
{
  (void)code, (void)module, (void)function, (void)message, (void)user;
}

/* ------------------------------------------------------- construction ---- */

static void close(void *state)
{
  cvode *s = state;

  CVodeFree(&s->mem);
  brink__cvode_linear_free(&s->call);
  if (s->end)
    N_VDestroy(s->end);
  if (s->work)
    N_VDestroy(s->work);
  SUNContext_Free(&s->sun);
  *s = (cvode){.stands = 0};
}

static int create(cvode *s, const brink_flow *flow, const brink_integrator_opts *opt)
{
  sunindextype n = (sunindextype)flow->n;

  if (SUNContext_Create(NULL, &s->sun))
    return 0;
  s->end = N_VMake_Serial(n, s->values, s->sun);
  s->work = N_VMake_Serial(n, s->values + n, s->sun);
  s->mem = CVodeCreate(CV_BDF, s->sun);
  if (!s->end || !s->work || !s->mem)
    return 0;
  brink__cvode_vector_operations(s->end);
  return !CVodeSetErrHandlerFn(s->mem, quiet, NULL) &&
         !CVodeInit(s->mem, rhs, 0, s->end) && !CVodeWFtolerances(s->mem, weigh) &&
         !CVodeSetUserData(s->mem, s) && !CVodeSetMaxHnilWarns(s->mem, -1) &&
         !(opt->order > 0 && CVodeSetMaxOrd(s->mem, opt->order)) &&
         !(flow->project &&
           (CVodeSetProjFn(s->mem, project) || CVodeSetProjErrEst(s->mem, SUNFALSE)));
}

static brink_status open(void *state, brink_ctx *ctx, const brink_flow *flow,
                         const brink_integrator_opts *opt)
{
  cvode *s = state;
  brink_status rc = create(s, flow, opt) ? BRINK_OK
                                         : brink__fail(&ctx->err, BRINK_ENOMEM,
                                                       "out of memory: method 'cvode'");

  if (rc == BRINK_OK)
    rc = brink__cvode_linear_new(ctx, s->sun, s->mem, s->end, flow, &s->call);
  if (rc < 0)
    close(s);
  return rc;
}

static brink_status copy(void *to, const void *from, const brink_flow *flow,
                         size_t size)
{
  cvode *s = to, own = *s;

  (void)flow;
  memcpy(to, from, size);
  s->call = own.call;
  s->sun = own.sun;
  s->mem = own.mem;
  s->end = own.end;
  s->work = own.work;
  s->stands = 0;
  return BRINK_OK;
}

/* --------------------------------------------------------------- step ---- */

static void start(void *state, size_t n)
{
  cvode *s = state;

  (void)n;
  s->stands = s->taken = s->moved = s->known = 0;
  s->singular = s->singular_points = s->regular_steps = 0;
  s->refused = s->refused_points = 0;
  s->next = 0;
}

static void forget(void *state, const brink_flow *flow,
                   const brink_integrator_opts *opt)
{
  cvode *s = state;

  (void)opt;
  start(s, flow->n);
  brink__cvode_linear_forget(s->call.linear, flow);
}

/* Is y where CVODE has ended its last step? */
static int unmoved(const cvode *s, size_t n, const double *y)
{
  for (size_t i = 0; s->moved && i < n; i++)
    if (!(fabs(y[i] - s->values[i]) <=
          UNMOVED * brink__scale(s->call.tol, i, y[i], y[i])))
      return 0;
  return 1;
}

/* Put CVODE where the driver stands, if it is elsewhere, and bound its next step by h.
 */
static int prepare(cvode *s, size_t n, double t, double h, const double *y)
{
  if (!s->stands || s->taken || h * s->direction < 0 || !unmoved(s, n, y)) {
    memcpy(s->values, y, n * sizeof *y);
    if (CVodeReInit(s->mem, t, s->end))
      return 0;
    s->stands = 1;
    s->taken = s->known = 0;
    s->direction = h;
  }
  s->moved = s->full = 0;
  double rounding = 2 * DBL_EPSILON * fabs(t + h); /* of the driver's time */
  int own = s->known && fabs(h) + rounding >= s->next;
  double stop = own ? copysign(FAR, h) : t + h;
  return CVodeSetStopTime(s->mem, stop) == 0;
}

/* What CVODE could not do, seen from the driver. */
static brink_status failed(cvode *s, brink__gate *gate, long refusals, double t,
                           const double *y, brink__outcome *out)
{
  s->stands = 0;
  s->next = 0;
  s->refused = gate->refusals > refusals;
  if (s->refused)
    return gate->why == BRINK_EUSER ? BRINK_EUSER : BRINK_EDOMAIN;
  s->singular = brink__cvode_linear_is_singular(s->call.linear);
  if (s->singular)
    return brink__attempt_failed(gate, t, y, brink__singular_matrix);
  out->err = FAILED;
  return BRINK_OK;
}

/* A step of a few roundings of t, which CVODE does not see: Euler's, with half the
 * change of f as its error. */
static brink_status cross(cvode *s, brink__gate *gate, double t, double h,
                          const double *y, brink__outcome *out)
{
  size_t n = gate->flow->n;
  double *y1 = s->values, *f0 = y1 + n, *f1 = f0 + n, sum = 0;

  s->stands = s->full = s->known = 0;
  BRINK_TRY(brink__f(gate, t, y, f0));
  for (size_t i = 0; i < n; i++)
    y1[i] = y[i] + h * f0[i];
  BRINK_TRY(brink__f(gate, t + h, y1, f1));
  for (size_t i = 0; i < n; i++) {
    double e = h / 2 * (f1[i] - f0[i]) / brink__scale(s->call.tol, i, y[i], y1[i]);
    sum += e * e;
  }
  out->err = n > 0 ? sqrt(sum / (double)n) : 0;
  s->next = fmax(s->next, GROW * fabs(h));
  s->line = 1;
  return BRINK_OK;
}

static brink_status attempt(void *state, brink__gate *gate, const brink__tol *tol,
                            double t, double h, const double *y, brink__outcome *out)
{
  cvode *s = state;
  long refusals = gate->refusals;
  double t1 = t;

  s->call.gate = gate;
  s->call.tol = tol;
  s->call.t = t;
  if (s->singular_points > MOST_SINGULAR)
    return brink__attempt_failed(gate, t, y, brink__singular_matrix);
  if (fabs(h) < REACHED * (fabs(t) + fabs(h))) {
    if (s->refused_points > MOST_REFUSED)
      return BRINK_EDOMAIN;
    brink_status short_step = cross(s, gate, t, h, y, out);
    if (short_step != BRINK_OK || out->err <= 1)
      return short_step; /* otherwise CVODE begins anew: then it does see it */
  }
  s->line = 0;
  int rc = prepare(s, gate->flow->n, t, h, y)
               ? CVode(s->mem, t + h, s->end, &t1, CV_ONE_STEP)
               : CV_ILL_INPUT;
  if (rc < 0 || t1 == t)
    return failed(s, gate, refusals, t, y, out);
  s->taken = 1;
  s->known = rc != CV_TSTOP_RETURN;
  if (s->known && CVodeGetCurrentStep(s->mem, &s->next) == 0)
    s->next = fabs(s->next);
  else
    s->next = fmax(s->next, GROW * fabs(h));
  out->err = 0;
  out->h_lambda = fabs(t1 - t) * brink__cvode_linear_norm(s->call.linear);
  if (s->known && fabs(t1 - t) < fabs(h))
    out->h = t1 - t;
  return BRINK_OK;
}

static double next_step(const void *state) { return ((const cvode *)state)->next; }

static const double *candidate(const void *state, size_t n)
{
  (void)n;
  return ((const cvode *)state)->values;
}

static void moved(void *state, size_t n, const double *f)
{
  (void)n, (void)f;
  ((cvode *)state)->moved = 1;
}

/* --------------------------------------------------------- polynomial ---- */

static brink_status dense(void *state, brink__gate *gate, double t, double h,
                          const double *y)
{
  (void)gate, (void)t, (void)h, (void)y;
  ((cvode *)state)->full = 1;
  return BRINK_OK;
}

static int line(const cvode *s, size_t n, const double *y, double *coeff)
{
  for (size_t i = 0; i < n; i++) {
    coeff[2 * i] = y[i];
    coeff[2 * i + 1] = s->values[i] - y[i];
  }
  return 1;
}

/* z_j for all j, at the end of the step.  0: CVODE does not say. */
static int nordsieck(cvode *s, size_t n, double *coeff)
{
  double t, h, unit = 1, *z = s->values + n;
  int q = 0;

  if (CVodeGetCurrentTime(s->mem, &t) || CVodeGetLastStep(s->mem, &h) ||
      CVodeGetLastOrder(s->mem, &q))
    return 0;
  for (int j = 0; j <= q; j++, unit *= h / j) {
    if (CVodeGetDky(s->mem, t, j, s->work))
      return 0;
    for (size_t i = 0; i < n; i++)
      coeff[i * ((size_t)q + 1) + (size_t)j] = z[i] * unit;
  }
  return q;
}

/* Was there a step from here that CVODE has not taken, for lack of a regular matrix or
 * of f beside the solution? */
static void count_failures(cvode *s)
{
  s->refused_points = s->line ? s->refused_points + s->refused : 0;
  s->refused = 0;
  s->regular_steps = s->singular ? 0 : s->regular_steps + 1;
  s->singular_points += s->singular;
  if (s->regular_steps >= RECOVERED)
    s->singular_points = 0;
  s->singular = 0;
}

/* The array belongs to the end of the step; both ends are made right to rounding. */
static int accept(void *state, size_t n, double h, const double *y, double *coeff)
{
  cvode *s = state;
  int q = s->full && !s->line ? nordsieck(s, n, coeff) : 0;

  (void)h;
  s->taken = 0;
  count_failures(s);
  if (q == 0)
    return line(s, n, y, coeff);
  for (size_t i = 0; i < n; i++, coeff += q + 1) {
    brink__taylor_shift(q, coeff, -1);
    coeff[0] = y[i];
    coeff[1] += s->values[i] - brink__horner(q, coeff, 1);
  }
  return q;
}

const brink_method brink__cvode = {
    .name = "cvode",
    .about = "BDF 1 to 5 by CVODE of SUNDIALS, for stiff problems",
    .cite = "HBGL05",
    .order = MOST,
    .error_order = MOST,
    .dense_order = MOST,
    .max_degree = MOST,
    .stages = 0,
    .beta = 0,
    .stability = HUGE_VAL,
    .flags = BRINK__MULTISTEP | BRINK__ORDERS | BRINK__OWN_STEP | BRINK__IMPLICIT,
    .state_size = state_size,
    .open = open,
    .close = close,
    .forget = forget,
    .copy = copy,
    .start = start,
    .ended = brink__ended_nothing,
    .begin = brink__begin_nothing,
    .attempt = attempt,
    .predict = brink__predict_nothing,
    .dense = dense,
    .accept = accept,
    .moved = moved,
    .candidate = candidate,
    .acting = brink__acting_itself,
    .next_step = next_step,
};
