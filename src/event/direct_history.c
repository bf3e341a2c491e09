/* direct_history.c -- the values of f that the Adams formulas of `direct` begin with.
 *
 * Where the method has taken a step to x_k, they are slopes of its polynomial: no
 * evaluation of f, and none beyond the event.  Where the flow begins at x_k, m - 1
 * Runge-Kutta steps of one length tau_1 precede the formula: for m = 2 one step of
 * Ralston (weights 1/4, 3/4, node 2/3), which gives the tables of [DL15]; the classical
 * method of order 4 up to m = 5; dop853, of order 8, above.  A start of order m - 1
 * would keep the order m.  All of it is one step of the run, with the polynomial that
 * has these slopes.
 */
#include "event/direct.h"

#include <float.h>
#include <string.h>

#include "ode/rk.h"

/* The start goes no farther than this part of the way to the zero. */
static const double START_PART = 0.5;

/* It is tried so many times with shorter steps: a quarter where f does not exist, as
 * much shorter as the error asks, and a tenth more, where that is too large. */
enum { TRIES = 16 };
static const double RETREAT = 0.25, SAFETY = 0.9;

/* Highest order that the classical Runge-Kutta method of order 4 starts. */
enum { RK4_UP_TO = 5 };

/* ---------------------------------------------------------------- orders ---- */

/* Two digits of the tolerance for one order: 2 at 1e-2, 4 at 1e-6, 7 at 1e-12. */
int brink__direct_order(const brink_sim_opts *opt)
{
  double tol = opt->rtol > 0 ? opt->rtol : opt->atol;

  if (opt->locate_order > 0)
    return (int)brink__min((double)opt->locate_order, BRINK__DIRECT_MOST);
  double m = 1 + ceil(-log10(brink__max(tol, DBL_EPSILON)) / 2);
  return (int)brink__min(brink__max(m, 2), BRINK__DIRECT_MOST);
}

/* The differences of the values in row F. */
static void difference(brink__direct_step *w)
{
  double *phi = brink__direct_row(w, BRINK__DIRECT_PHI);

  memcpy(phi, brink__direct_row(w, BRINK__DIRECT_F),
         (size_t)w->s->have * w->n * sizeof *phi);
  brink__adams_differences(w->n, w->s->have, w->s->back, phi);
}

brink_status brink__direct_note(brink__direct_step *w)
{
  brink__direct *s = w->s;
  double *f = brink__direct_row(w, BRINK__DIRECT_F);
  int keep = s->have < w->order ? s->have : w->order;

  memmove(f + w->n, f, (size_t)keep * w->n * sizeof *f);
  if (s->f_known)
    brink__copy(f, brink__direct_row(w, BRINK__DIRECT_FP), w->n);
  else
    BRINK_TRY(brink__f(w->at->gate, w->at->t, w->at->y, f));
  s->f_known = 0;
  for (int i = keep; i > 0; i--)
    s->back[i] = s->back[i - 1] + s->tau;
  s->have = keep + 1;
  s->stepped = 0;
  if (s->m < w->order && s->m < s->have - 1)
    s->m = s->have - 1;
  difference(w);
  return BRINK_OK;
}

/* --------------------------------------------------------- the last step ---- */

/* A polynomial of degree d has d different slopes, and one of them is left for the
 * error.
 */
int brink__direct_recall(brink__direct_step *w)
{
  const brink_step *last = w->at->last;
  brink__direct *s = w->s;
  double *f = brink__direct_row(w, BRINK__DIRECT_F);

  if (!last || last->degree < 3 || !(last->h > 0))
    return 0;
  int count = last->degree < w->order + 1 ? last->degree : w->order + 1;
  for (int i = 1; i < count; i++) {
    brink_step_slope(last, 1 - (double)i / count, f + (size_t)i * w->n);
    s->back[i] = i * last->h / count;
  }
  s->back[0] = 0;
  s->have = count;
  s->m = count - 1;
  s->tau = last->h / count;
  difference(w);
  return 1;
}

/* ----------------------------------------------------------------- start ---- */

static const brink_method *starter(int m)
{
  return m <= RK4_UP_TO ? &brink__rk4 : &brink__dop853;
}

size_t brink__direct_starter_size(const brink_flow *flow)
{
  brink_integrator_opts none = {0};
  size_t rk4 = brink__rk4.state_size(flow, &none),
         dop853 = brink__dop853.state_size(flow, &none);

  return rk4 > dop853 ? rk4 : dop853;
}

/* One step from (t, y), f there in f_0: the state goes to y, which f_1 belongs to. */
static brink_status ralston(brink__direct_step *w, double t, double tau, double *y,
                            const double *f_0, double *f_1)
{
  double *x = brink__direct_row(w, BRINK__DIRECT_XP);

  for (size_t i = 0; i < w->n; i++)
    x[i] = y[i] + 2 * tau / 3 * f_0[i];
  brink_status rc = brink__f(w->at->gate, t + 2 * tau / 3, x, f_1);
  if (rc != BRINK_OK)
    return rc;
  for (size_t i = 0; i < w->n; i++)
    y[i] += tau * (f_0[i] / 4 + 3 * f_1[i] / 4);
  return brink__f(w->at->gate, t + tau, y, f_1);
}

static brink_status runge_kutta(brink__direct_step *w, double t, double tau, double *y,
                                double *f_1)
{
  const brink_method *rk = starter(w->order);
  brink__rk *state = (brink__rk *)(void *)brink__direct_row(w, BRINK__DIRECT_VECTORS);
  brink__outcome out = {0};

  state->have_first = 0;
  brink_status rc = rk->attempt(state, w->at->gate, w->at->tol, t, tau, y, &out);
  if (rc != BRINK_OK)
    return rc;
  if (!(out.err <= 1))
    return BRINK_EDOMAIN;
  memcpy(y, rk->candidate(state, w->n), w->n * sizeof *y);
  return brink__f(w->at->gate, t + tau, y, f_1);
}

/* m - 1 steps of length tau: the values of f, newest first, and the end in out->y. */
static brink_status steps(brink__direct_step *w, double tau)
{
  int m = w->order;
  double *f = brink__direct_row(w, BRINK__DIRECT_F), *y = w->out->y;

  /* f_0 is in front; it becomes the last */
  memmove(f + (size_t)(m - 1) * w->n, f, w->n * sizeof *f);
  memcpy(y, w->at->y, w->n * sizeof *y);
  for (int i = m - 1; i > 0; i--) {
    double *f_0 = f + (size_t)i * w->n, *f_1 = f_0 - w->n;
    double t = w->at->t + (m - 1 - i) * tau;
    brink_status rc =
        m == 2 ? ralston(w, t, tau, y, f_0, f_1) : runge_kutta(w, t, tau, y, f_1);
    if (rc != BRINK_OK) {
      memmove(f, f + (size_t)(m - 1) * w->n, w->n * sizeof *f);
      return rc;
    }
  }
  return BRINK_OK;
}

/* The polynomial of the whole start: the integral of that through the values of f, bent
 * by d (3 s^2 - 2 s^3) to end on the state. */
static void polynomial(brink__direct_step *w, double tau)
{
  int m = w->order, degree = m > 3 ? m : 3;
  double *phi = brink__direct_row(w, BRINK__DIRECT_PHI), *c = w->out->coeff;
  const double *f = brink__direct_row(w, BRINK__DIRECT_F);
  double back[BRINK__ADAMS_ROWS + 2] = {0};

  /* seen from the beginning the other values lie ahead */
  for (int i = 0; i < m; i++)
    memcpy(phi + (size_t)i * w->n, f + (size_t)(m - 1 - i) * w->n, w->n * sizeof *f);
  brink__adams_difference(w->n, m, -tau, phi, back);
  w->out->h = (m - 1) * tau;
  w->out->degree = degree;
  brink__adams_basis_build(back, m - 1, w->out->h, &w->basis);
  brink__adams_integral(w->n, m, &w->basis, w->out->h, phi, degree, w->at->y, c);
  for (size_t i = 0; i < w->n; i++, c += degree + 1) {
    double off = w->out->y[i] - brink__horner(degree, c, 1);
    c[2] += 3 * off;
    c[3] -= 2 * off;
  }
}

/* tau_1: given with h0 where nothing is known ahead; else eta over the speed of h, no
 * longer than the method's steps. */
static double first_tau(const brink__direct_step *w)
{
  const brink__takeover_at *at = w->at;
  double to_zero = at->ahead ? at->theta * at->ahead->h : -w->h_k / w->lie;
  double most = START_PART * brink__min(to_zero, at->left) / (w->order - 1);
  double tau = at->h > 0 ? at->h / (w->order - 1) : most;

  if (at->opt->eta > 0)
    tau = at->opt->eta / w->lie;
  if (!at->ahead && at->opt->h0 > 0)
    tau = at->opt->h0;
  return brink__min(tau, most);
}

/* The values of f of a start with tau tell its error, as that of the formula of order
 * m - 1: by what is tau to be multiplied?  1: it will do. */
static double judge(brink__direct_step *w, double tau)
{
  int m = w->order;
  brink__direct *s = w->s;
  double h;

  for (int i = 0; i < m; i++)
    s->back[i] = i * tau;
  s->have = m;
  s->m = m;
  s->tau = tau;
  difference(w);
  if (!brink__direct_h(w, w->at->t + (m - 1) * tau, w->out->y, &h) || !(h < 0) ||
      !brink__direct_inside(w, (m - 1) * tau))
    return RETREAT;
  return brink__direct_tau_err(w, tau) / tau;
}

brink_status brink__direct_start(brink__direct_step *w)
{
  brink__direct *s = w->s;
  double tau = first_tau(w);

  for (int i = 0; i < TRIES && tau >= w->at->least; i++) {
    brink_status rc = steps(w, tau);
    if (rc != BRINK_OK && rc != BRINK_EDOMAIN)
      return rc;
    double part = rc == BRINK_OK ? judge(w, tau) : RETREAT;
    if (part == 1) {
      polynomial(w, tau);
      difference(w); /* as the formula sees them from here on */
      return BRINK_OK;
    }
    if (rc == BRINK_OK) { /* f_0 is to be in front again */
      double *f = brink__direct_row(w, BRINK__DIRECT_F);
      memmove(f, f + (size_t)(w->order - 1) * w->n, w->n * sizeof *f);
    }
    tau *= brink__min(part, SAFETY);
  }
  s->have = 0;
  return BRINK_END;
}
