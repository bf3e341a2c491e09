/* direct.c -- one-sided Adams-Bashforth steps that end on the event [DL15].
 *
 * Where a guard comes near, steps of an m-step Adams formula replace those of the
 * method. Each is as long as it takes to bring the event function h nearer to zero by
 * eta (6), or as the local error allows if that is shorter, and the last one ends on
 * the zero: f is never evaluated beyond it, and the event is reached in a finite number
 * of steps.
 *
 *   direct ......... explicit; the last step by Newton's method (remark 2.1)
 *
 *   direct-const ... explicit; the last step with constant coefficients (remark 2.1)
 *                    where they make little difference
 *
 *   direct-pc ...... predictor (15), corrector (16) with the tau of the predictor;
 *                    the last step is the predictor
 *
 *   direct-pc2 ..... the corrector has its own tau, with the h of the predictor (19)
 *
 * The corrector has order m + 1, and Milne's rho = 1: the difference is the error of
 * the predictor (17).  Where that is too large, or a corrector lies beyond the zero,
 * eta is halved.  eta, if it is not given, is what makes all steps to the event equally
 * long in h, as many as tau_err asks for.  A step is declined where h does not rise
 * faster than lie_min, the delta of (3), or where no step can be made.
 *
 * An explicit step that does not end on the event is tried again, shorter, if h no
 * longer rises at its end, or if f there is not what the formula has expected: along a
 * parabola (x' = -sqrt(x)) the differences of f are constant up to the event and tell
 * nothing of what follows.
 *
 * Cost: one evaluation of f per step, two with a corrector.
 */
#include "event/direct.h"

#include <float.h>

/* Ratio of adjacent steps: below 1 + sqrt(2), where the two-step formula is stable
 * [HNW93, III.5]. */
static const double GROW = 2;

/* What is left is one step if it is no more than eta, by rounding and a little more. */
static const double LAST = 0x1p-10;

/* A step that would leave less than this part of itself before the limit goes there. */
static const double SLIVER = 0.01;

/* Coefficients of a constant step are used where they make a difference of no more than
 * this part of the tolerance: it is made at every event, always to the same side. */
static const double CONST_PART = 0.01;

/* eta is halved so often at most in one step. */
enum { HALVINGS = 60 };

/* ------------------------------------------------------------------- eta ---- */

static int predicts_only(const brink__direct_step *w)
{
  return w->variant == BRINK__DIRECT_NEWTON || w->variant == BRINK__DIRECT_CONST;
}

/* The longest step that may be considered. */
static double longest(const brink__direct_step *w)
{
  return brink__min(w->at->left, GROW * w->s->tau);
}

/* eta as given, or by the local error; needs differences. */
static void choose_eta(brink__direct_step *w)
{
  brink__direct *s = w->s;
  double given = w->at->opt->eta, h;

  if (s->guard != w->at->guard)
    s->eta = 0;
  s->guard = w->at->guard;
  if (given > 0) {
    s->eta = s->eta > 0 ? s->eta : given;
    return;
  }
  double tau = brink__direct_tau_err(w, longest(w));
  brink__direct_predict(w, tau);
  brink__direct_predictor(w, tau);
  s->eta = -w->h_k;
  if (brink__direct_h(w, w->at->t + tau, w->out->y, &h) && h < 0 && h > w->h_k)
    s->eta /= ceil(-w->h_k / (h - w->h_k));
}

static int is_last(const brink__direct_step *w)
{
  return -w->h_k <= w->s->eta * (1 + LAST);
}

/* ----------------------------------------------------------------- steps ---- */

/* The last step, tau long by the predictor; its length, 0: there is none. */
static double last_step(brink__direct_step *w, double tau)
{
  /* a predictor whose end f is evaluated at must not lie beyond */
  double target = w->variant == BRINK__DIRECT_PC2 ? 0 : w->over;
  double *e = brink__direct_row(w, BRINK__DIRECT_XP);

  if (w->variant == BRINK__DIRECT_CONST) {
    brink__direct_average(w);
    double own = brink__direct_land(w, brink__direct_constant, tau, target);
    brink__copy(e, w->out->y, w->n);
    brink__direct_predictor(w, own);
    for (size_t i = 0; i < w->n; i++)
      e[i] -= w->out->y[i];
    brink__direct_constant(w, own);
    if (own > 0 && brink__direct_norm(w, e) <= CONST_PART)
      return own;
  }
  return brink__direct_land(w, brink__direct_predictor, tau, target);
}

/* The predictor's step to h_k + eta, or to the zero if that is the last; *landed.  Its
 * length, in *out; 0: there is none.  most: no longer. */
static double predictor_step(brink__direct_step *w, double most, int *landed)
{
  int last = is_last(w);

  *landed = 0;
  brink__direct_predict(w, most);
  double tau = brink__direct_root(w, last ? -w->h_k : w->s->eta);
  if (last && tau < HUGE_VAL) {
    *landed = 1;
    return last_step(w, tau);
  }
  tau = brink__min(tau, most);
  if (tau >= w->at->left * (1 - SLIVER))
    tau = w->at->left;
  brink__direct_predictor(w, tau);
  return tau;
}

/* direct, direct-const */
static brink_status explicit_step(brink__direct_step *w)
{
  double tau_err = brink__direct_tau_err(w, longest(w));
  int landed;

  for (int i = 0; i < HALVINGS; i++) {
    brink_status rc = BRINK_OK;
    double tau = predictor_step(w, tau_err, &landed);
    if (landed)
      return tau > 0 ? BRINK_OK : BRINK_END;
    if (!(tau >= w->at->least))
      break;
    if (brink__direct_inside(w, tau) && brink__direct_rises(w, tau) &&
        brink__direct_defect(w, tau, &rc) <= 1) {
      w->s->f_known = 1;
      return BRINK_OK;
    }
    if (rc == BRINK_EUSER)
      return rc;
    tau_err = tau / 2;
  }
  return BRINK_END;
}

/* The corrected step after a predictor of length tau; its length, 0: there is none. */
static double correct(brink__direct_step *w, double tau, int landed)
{
  double h_P;

  if (w->variant == BRINK__DIRECT_PC) {
    brink__direct_corrector(w, tau);
    return tau;
  }
  if (!brink__direct_h(w, w->at->t + tau, brink__direct_row(w, BRINK__DIRECT_XP), &h_P))
    return 0;
  return brink__direct_land(w, brink__direct_corrector, tau, landed ? w->over : h_P);
}

/* Is the corrected step good: (17), and not beyond the zero? */
static int passes(brink__direct_step *w, double tau, int landed)
{
  double *e = brink__direct_row(w, BRINK__DIRECT_WORK), h;
  const double *x_P = brink__direct_row(w, BRINK__DIRECT_XP);

  for (size_t i = 0; i < w->n; i++)
    e[i] = x_P[i] - w->out->y[i];
  if (!(tau > 0) || !(brink__direct_norm(w, e) <= 1))
    return 0;
  return landed || (brink__direct_h(w, w->at->t + tau, w->out->y, &h) && h <= 0 &&
                    brink__direct_inside(w, tau));
}

/* direct-pc, direct-pc2 */
static brink_status corrected_step(brink__direct_step *w)
{
  double most = longest(w), *x_P = brink__direct_row(w, BRINK__DIRECT_XP);
  int landed;

  for (int i = 0; i < HALVINGS; i++) {
    double tau = predictor_step(w, most, &landed);
    if (!(tau >= w->at->least))
      return BRINK_END;
    if (landed && w->variant == BRINK__DIRECT_PC)
      return BRINK_OK;
    brink__copy(x_P, w->out->y, w->n);
    brink_status rc = brink__f(w->at->gate, w->at->t + tau, x_P,
                               brink__direct_row(w, BRINK__DIRECT_FP));
    if (rc == BRINK_EUSER)
      return rc;
    if (rc == BRINK_OK && passes(w, correct(w, tau, landed), landed))
      return BRINK_OK;
    if (tau == most)
      most /= 2; /* no root: eta does not matter */
    w->s->eta /= 2;
  }
  return BRINK_END;
}

/* ------------------------------------------------------------------ locators ---- */

/* f_k and those before it.  BRINK_END: they are missing; f_k is there. */
static brink_status remember(brink__direct_step *w)
{
  brink__direct *s = w->s;

  if (s->have && !s->stepped)
    return BRINK_OK; /* after a start */
  if (s->have)
    return brink__direct_note(w);
  brink_status rc =
      brink__f(w->at->gate, w->at->t, w->at->y, brink__direct_row(w, BRINK__DIRECT_F));
  if (rc != BRINK_OK)
    return rc;
  return brink__direct_recall(w) ? BRINK_OK : BRINK_END;
}

/* One step; BRINK_EDOMAIN: f does not exist where it would have to be evaluated. */
static brink_status make(brink__direct_step *w)
{
  if (!brink__direct_h(w, w->at->t, w->at->y, &w->h_k) || !(w->h_k < 0))
    return BRINK_END;
  brink_status rc = remember(w);
  if (rc != BRINK_OK && rc != BRINK_END)
    return rc;
  if (!brink__direct_lie(w) || !(w->lie > w->at->opt->lie_min))
    return BRINK_END;
  if (rc == BRINK_END)
    return brink__direct_start(w);
  choose_eta(w);
  rc = predicts_only(w) ? explicit_step(w) : corrected_step(w);
  w->s->stepped = rc == BRINK_OK;
  w->s->tau = w->out->h;
  return rc;
}

/* Is the step one that t can tell, and all of it numbers? */
static int is_sound(const brink__direct_step *w)
{
  const brink__taken *out = w->out;

  return out->h >= w->at->least && brink__all_finite(out->y, w->n) &&
         brink__all_finite(out->coeff, w->n * ((size_t)out->degree + 1));
}

static void forget(void *state)
{
  brink__direct *s = state;

  s->have = s->stepped = s->f_known = 0;
  s->eta = 0;
}

static brink_status step(void *state, const brink__takeover_at *at, brink__taken *out,
                         brink_err *err, brink__direct_variant variant)
{
  brink__direct_step w = {.s = state,
                          .at = at,
                          .out = out,
                          .err = err,
                          .variant = variant,
                          .n = at->gate->flow->n,
                          .order = brink__direct_order(at->opt)};
  brink_status rc = make(&w);

  if (rc == BRINK_EUSER)
    return brink__gate_explain(at->gate, err);
  if (rc == BRINK_OK && is_sound(&w))
    return BRINK_OK;
  forget(state);
  return BRINK_END;
}

static int max_degree(const brink_method *method)
{
  (void)method;
  return BRINK__DIRECT_DEGREE;
}

static size_t state_size(const brink_flow *flow, const brink_method *method,
                         const brink_sim_opts *opt)
{
  (void)method, (void)opt;
  return sizeof(brink__direct) + BRINK__DIRECT_VECTORS * flow->n * sizeof(double) +
         brink__direct_starter_size(flow);
}

static brink_status behind(brink__guards *g, const brink_step *read,
                           const brink__locate *how, brink__hits *hits, brink_err *err)
{
  return brink__locator_isolate.behind(g, read, how, hits, err);
}

#define DIRECT(ident, spelled, kind, text)                                             \
  static brink_status ident##_step(void *state, const brink__takeover_at *at,          \
                                   brink__taken *out, brink_err *err)                  \
  {                                                                                    \
    return step(state, at, out, err, kind);                                            \
  }                                                                                    \
  static const brink__takeover ident##_takeover = {.approaches = 1,                    \
                                                   .max_degree = max_degree,           \
                                                   .state_size = state_size,           \
                                                   .forget = forget,                   \
                                                   .step = ident##_step};              \
  const brink__locator brink__locator_##ident = {.name = spelled,                      \
                                                 .about = text,                        \
                                                 .cite = "DL15",                       \
                                                 .proves_absence = 1,                  \
                                                 .predicts = 1,                        \
                                                 .takeover = &ident##_takeover,        \
                                                 .otherwise = "isolate",               \
                                                 .behind = behind};

DIRECT(direct, "direct", BRINK__DIRECT_NEWTON,
       "one-sided Adams steps that end on the event, the last one by Newton")
DIRECT(direct_const, "direct-const", BRINK__DIRECT_CONST,
       "the same, the last one with coefficients of a constant step")
DIRECT(direct_pc, "direct-pc", BRINK__DIRECT_PC,
       "the same with a corrector, for which steps in g are halved")
DIRECT(direct_pc2, "direct-pc2", BRINK__DIRECT_PC2,
       "the same with a corrector that has its own step")
