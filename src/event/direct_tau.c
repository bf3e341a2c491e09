/* direct_tau.c -- how long a step of `direct` is.
 *
 * Condition (6), h(x_{k+1}) = h(x_k) + eta, is an equation for tau: h composed with the
 * polynomial x_{k+1}(tau).  Its smallest positive root is
 *
 *   m = 2, h linear ....... that of (11), a_2 tau^2 + a_1 tau - eta = 0, by formula;
 *   m = 2, h quadratic .... that of (14), which is (11) with the first two coefficients
 *                           of the composed polynomial: a_1 = h_x^T f_k, a_2 = h_x^T
 *                           (f_k - f_{k-1})/(2 tau_k) + f_k^T A f_k/2 (the paper has
 * them swapped, and drops the terms of degree 3 and 4); else .................. that of
 * the composed polynomial, exact for polynomials h, a Chebyshev series for others.
 *
 * a_2 may be negative (it is in Example 2), so that there may be no root: then the step
 * is tau_err, as with a root beyond tau_err.  Where the step is to end on the event,
 * Newton's method on h(x(tau)) itself follows (remark 2.1), and then a rounding of tau
 * less where that is needed for h <= 0.
 */
#include "event/direct.h"

#include <float.h>

/* A step has this part of the tolerance as local error: a few steps add up. */
static const double AIM = 0.25;

/* tau_err is found by shrinking: at most so many times, each by no more than a tenth,
 * and a little more than the error asks for. */
enum { SHRINKS = 40 };
static const double SHRINK = 0.1, SAFETY = 0.9;

/* The slope of h along a step by a difference over this part of it: six digits, which
 * Newton's method turns into more of tau.  The Lie derivative is compared and estimated
 * with: three will do, and the difference is seen beside the rounding of large t. */
static const double SLOPE_SPAN = 0x1p-20, LIE_SPAN = 0x1p-10;

/* Newton's method doubles its digits, from three to sixteen. */
enum { NEWTON = 12, ROUNDINGS = 40 };

/* A guard that may be passed is passed by this many rounding bounds, so that the end of
 * the step shows the new sign. */
static const double CLEARLY = 8;

/* --------------------------------------------------------------- values ---- */

int brink__direct_h(const brink__direct_step *w, double t, const double *y, double *h)
{
  const brink__takeover_at *at = w->at;
  brink_err ignored;
  double g;

  if (brink__guard_value(at->guards, at->guard, t, y, &g, &ignored) < 0)
    return 0;
  *h = -at->sign * g;
  return 1;
}

/* The time in which a difference is taken: of the size of a step. */
static double time_scale(const brink__takeover_at *at)
{
  double scale = at->ahead ? at->theta * at->ahead->h : at->h;

  if (!(scale > 0) || scale > at->left)
    scale = at->left;
  return isfinite(scale) ? scale : 1;
}

int brink__direct_lie(brink__direct_step *w)
{
  const brink__takeover_at *at = w->at;
  const double *f = brink__direct_row(w, BRINK__DIRECT_F);
  double *y = brink__direct_row(w, BRINK__DIRECT_WORK), h;
  double e = LIE_SPAN * time_scale(at);

  for (size_t i = 0; i < w->n; i++)
    y[i] = at->y[i] - e * f[i];
  if (!brink__direct_h(w, at->t - e, y, &h))
    return 0;
  w->lie = (w->h_k - h) / e;
  return 1;
}

double brink__direct_norm(const brink__direct_step *w, const double *v)
{
  double sum = 0;

  for (size_t i = 0; i < w->n; i++) {
    double r = v[i] / brink__scale(w->at->tol, i, w->at->y[i], w->at->y[i]);
    sum += r * r;
  }
  return sqrt(sum / (double)w->n);
}

int brink__direct_inside(const brink__direct_step *w, double tau)
{
  const brink__gate *gate = w->at->gate;

  return !gate->flow->guarded || gate->open ||
         gate->flow->inside(gate->flow, w->at->t + tau, w->out->y);
}

/* -------------------------------------------------------------- tau_err ---- */

/* The local error of a step of length tau, by the first difference that the formula
 * leaves out: tau g_j b_j Phi_j, j = m; after a start there is one value less, and it
 * is that of order m - 1. */
static double local_error(brink__direct_step *w, int j, double tau)
{
  const double *phi = brink__direct_row(w, BRINK__DIRECT_PHI) + (size_t)j * w->n;

  brink__adams_basis_build(w->s->back, j, tau, &w->basis);
  return fabs(tau * w->basis.g[j] * w->basis.b[j]) * brink__direct_norm(w, phi);
}

double brink__direct_tau_err(brink__direct_step *w, double most)
{
  int j = w->s->m < w->s->have ? w->s->m : w->s->have - 1;
  double tau = most;

  for (int i = 0; i < SHRINKS; i++) {
    double err = local_error(w, j, tau) / AIM;
    if (err <= 1)
      break;
    tau *= brink__max(SHRINK, SAFETY * pow(err, -1.0 / (j + 1)));
  }
  return tau;
}

int brink__direct_rises(brink__direct_step *w, double tau)
{
  double *y = brink__direct_row(w, BRINK__DIRECT_WORK), h, before, e = SLOPE_SPAN * tau;
  brink_step read = {0, tau, tau, w->n, w->out->degree, w->out->coeff};

  brink_step_at(&read, 1 - SLOPE_SPAN, y);
  return brink__direct_h(w, w->at->t + tau, w->out->y, &h) &&
         brink__direct_h(w, w->at->t + tau - e, y, &before) &&
         h - before > w->at->opt->lie_min * e;
}

/* The corrector would add tau g_m (f_{k+1} - P(tau)), P the predictor's slope. */
double brink__direct_defect(brink__direct_step *w, double tau, brink_status *rc)
{
  double *f = brink__direct_row(w, BRINK__DIRECT_FP);
  double *e = brink__direct_row(w, BRINK__DIRECT_WORK);
  int m = w->s->m;
  const double *c = w->out->coeff;

  *rc = brink__f(w->at->gate, w->at->t + tau, w->out->y, f);
  if (*rc != BRINK_OK)
    return HUGE_VAL;
  brink__adams_basis_build(w->s->back, m, tau, &w->basis);
  for (size_t i = 0; i < w->n; i++, c += m + 1)
    e[i] = w->basis.g[m] * (tau * f[i] - brink__horner_derivative(m, c, 1, 1));
  return brink__direct_norm(w, e);
}

/* ----------------------------------------------------------------- roots ---- */

void brink__direct_predict(brink__direct_step *w, double span)
{
  w->span = span;
  brink__adams_basis_build(w->s->back, w->s->m - 1, span, &w->basis);
  brink__adams_integral(w->n, w->s->m, &w->basis, span,
                        brink__direct_row(w, BRINK__DIRECT_PHI), w->s->m, w->at->y,
                        brink__direct_row(w, BRINK__DIRECT_BASE));
}

/* (11): the smallest positive root of a_2 tau^2 + a_1 tau = eta; a_1, eta > 0. */
static double quadratic_root(double a_1, double a_2, double eta)
{
  double discriminant = a_1 * a_1 + 4 * a_2 * eta;

  return a_1 > 0 && discriminant >= 0 ? 2 * eta / (a_1 + sqrt(discriminant)) : HUGE_VAL;
}

/* Has the equation for tau a formula? */
static int has_formula(const brink__direct_step *w, const brink__poly *p)
{
  const brink__guard *g = &w->at->guards->info[w->at->guard];
  int degree = g->form == BRINK__GUARD_STATE ? 1 : g->degree;

  return w->s->m == 2 && (degree == 1 || degree == 2) && p->form == BRINK__MONOMIAL;
}

/* What the guard is uncertain by where the states are known to rounding. */
static double rounding(brink__direct_step *w)
{
  const brink__takeover_at *at = w->at;
  double *noise = brink__direct_row(w, BRINK__DIRECT_WORK), delta;
  const double *f = brink__direct_row(w, BRINK__DIRECT_F);
  brink_err ignored;

  for (size_t i = 0; i < w->n; i++)
    noise[i] = 4 * DBL_EPSILON * (fabs(at->y[i]) + fabs(w->span * f[i]));
  return brink__guard_rounding(at->guards, at->guard, at->t, at->y, noise, BRINK__FAR,
                               &delta, &ignored) < 0
             ? 0
             : delta;
}

double brink__direct_root(brink__direct_step *w, double eta)
{
  const brink__takeover_at *at = w->at;
  double *c = at->guards->row, theta;
  brink_step ahead = {at->t, w->span, at->t + w->span,
                      w->n,  w->s->m, brink__direct_row(w, BRINK__DIRECT_BASE)};
  brink__poly p;

  if (!brink__guard_compose(at->guards, at->guard, &ahead, 0, &p))
    return HUGE_VAL;
  if (has_formula(w, &p)) {
    double a_2 = p.degree > 1 ? -at->sign * c[2] : 0;
    theta = quadratic_root(p.degree > 0 ? -at->sign * c[1] : 0, a_2, eta);
  } else {
    c[0] += at->sign * (w->h_k + eta); /* g = g_k - sign eta, g_k = -sign h_k */
    theta = brink__poly_first_root(&p, 0);
  }
  if (!(theta <= 1))
    return HUGE_VAL;
  double bound = brink__poly_bound(&p, theta);
  w->over = at->stay ? 0 : CLEARLY * brink__max(bound, rounding(w));
  return theta * w->span;
}

/* --------------------------------------------------------------- landing ---- */

/* h at the end of the step of length tau along the path. */
static int h_at(brink__direct_step *w, brink__direct_path *path, double tau, double *h)
{
  path(w, tau);
  return brink__direct_h(w, w->at->t + tau, w->out->y, h);
}

static double newton(brink__direct_step *w, brink__direct_path *path, double tau,
                     double target)
{
  for (int i = 0; i < NEWTON; i++) {
    double h, before;
    if (!h_at(w, path, tau * (1 - SLOPE_SPAN), &before) || !h_at(w, path, tau, &h))
      return 0;
    double slope = (h - before) / (SLOPE_SPAN * tau), less = (h - target) / slope;
    if (!(slope > 0) || !(less < tau))
      return 0;
    tau -= less;
    if (fabs(less) <= DBL_EPSILON * tau)
      break;
  }
  return tau;
}

/* May a step end here?  Where no state may lie beyond the zero, f may not exist on it
 * either. */
static int stands(brink__direct_step *w, double tau)
{
  return brink__direct_inside(w, tau) &&
         (!w->at->stay || brink__f(w->at->gate, w->at->t + tau, w->out->y,
                                   brink__direct_row(w, BRINK__DIRECT_FP)) == BRINK_OK);
}

double brink__direct_land(brink__direct_step *w, brink__direct_path *path, double tau,
                          double target)
{
  double h;

  tau = newton(w, path, tau, target);
  if (!(tau >= w->at->least && tau <= w->at->left))
    return 0;
  for (int i = 0; i < ROUNDINGS; i++) {
    if (!h_at(w, path, tau, &h))
      return 0;
    /* on the zero itself the guard would be neither before it nor beyond, and what
     * reads its sign would differ from what reads its value */
    if (h <= target && h != 0 && stands(w, tau))
      return tau;
    tau -= ldexp(DBL_EPSILON, i) * tau;
  }
  return 0;
}
