/* radau.c -- Radau IIA: implicit Runge-Kutta methods of orders 5, 9 and 13 for stiff
 * systems, [HW96, IV.8] and [HW99].
 *
 * Step ........ collocation at the s = 3, 5, 7 zeros of a Radau polynomial, the last of
 *               which is the end of the step: L-stable, and stiff components are as
 *               accurate as the others are.  The stages are solved by a simplified
 *               Newton iteration (radau_newton.c).
 * Polynomial .. the collocation polynomial, of degree s, through both ends; its error
 *               inside is of order s + 1.
 * Error ....... the defect (lambda/h M - J)^-1 (F(t, p) - p') of the polynomial p,
 *               filtered, where it interpolates worst: 0.8 to 1 times its largest
 *               error inside the step, however large h times a negative eigenvalue is.
 *               [HW96, IV.8 (8.19)] has the defect at the beginning, which falls with
 *               1/|h J|: a state that follows others at once is right at all stages,
 *               whatever it does between them.  In steps that are not stiff it is 4 to
 *               6.5 times the largest error, is divided by that and saves the
 *               evaluation.  The ends of steps are more accurate.
 * Step size ... from the last two errors [HW96, IV.8 (8.21), (8.25)], fewer Newton
 *               iterations preferred.  A step that would grow by less than a fifth
 *               keeps its length, and with it its factors.
 * Jacobian .... evaluated anew where the iteration converges at a rate of more than
 *               1e-3, or not at all.
 * Order ....... raised where the iteration converges fast, for then the error and not
 *               the iteration limits the step; lowered where it converges slowly
 *               [HW99, last section].
 *
 * M u' = F(t, u) may have unknowns z of algebraic loops beside the states (flow.h);
 * they are solved in the same iteration.
 *
 * After a start nothing but the Jacobian is missing; the order stays.
 *
 * Where the iteration does not converge though |h J| is small, f is not smooth (the
 * last steps before a pole): dopri5 takes such steps.
 */
#include "ode/radau.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "ode/rk.h"

/* Aim below the tolerance; steps shrink and grow by no more than these. */
static const double SAFETY = 0.9, SHRINK = 0.2, GROW = 8;

/* A step that would grow by less than this keeps its length. */
static const double KEEP = 1.2;

/* A first step after a start that is rejected is followed by this part of it: the error
 * of a step across a transient does not fall with its length until it is as short as
 * the transient. */
static const double FIRST_SHRINK = 0.1;

/* The memory of an almost perfect step. */
static const double LEAST_ERR = 1e-2;

/* Rates of convergence: below, the Jacobian is kept; below, the order is raised; above,
 * it is lowered if the step keeps its length about; all as in [HW99]. */
static const double KEEP_JACOBIAN = 1e-3, RAISE = 2e-3, LOWER = 0.8;
static const double ABOUT_LEAST = 0.8, ABOUT_MOST = 1.2;

enum { SETTLED = 10 }; /* steps after which the order may be raised again */

/* Iterations that a step is allowed to take; taking fewer makes the next one longer. */
enum { USUAL = 7 };

/* Up to this |h J| an explicit method does as well. */
static const double NOT_STIFF = 4;

/* A step of so few roundings of t cannot be halved: the solution ends within it, or
 * dopri5 takes it. */
static const double SHORTEST = 16 * DBL_EPSILON;

static const char NOT_CONVERGED[] = "Newton's iteration for a step does not converge";

/* --------------------------------------------------------------- memory --- */

/* The table with this order; -1: there is none. */
static int table_of_order(int order)
{
  for (int k = 0; k < BRINK__RADAU_TABLES; k++)
    if (2 * brink__radau_tables[k].s - 1 == order)
      return k;
  return -1;
}

static size_t numbers(size_t bytes)
{
  return (bytes + sizeof(double) - 1) / sizeof(double);
}

/* Where everything is; returns the number of doubles. */
static size_t layout(brink__radau_state *s, const brink_flow *flow,
                     const brink_integrator_opts *opt)
{
  size_t N = flow->n + flow->n_z, most, used = 0;

  s->n = flow->n;
  s->N = N;
  s->fixed = opt->order > 0;
  s->first = s->fixed ? table_of_order(opt->order) : 0;
  s->last = s->fixed ? s->first : BRINK__RADAU_TABLES - 1;
  most = (size_t)brink__radau_tables[s->last].s;
  size_t size[BRINK__RADAU_ARRAYS] = {
      [BRINK__RADAU_U] = N,
      [BRINK__RADAU_U1] = N,
      [BRINK__RADAU_F0] = N,
      [BRINK__RADAU_SCALE] = N,
      [BRINK__RADAU_WORK] = 2 * N,
      [BRINK__RADAU_Z] = most * N,
      [BRINK__RADAU_W] = most * N,
      [BRINK__RADAU_F] = most * N,
      [BRINK__RADAU_D] = most * N,
      [BRINK__RADAU_LAST] = most * N,
      [BRINK__RADAU_TERMS] = 2 * N,
      [BRINK__RADAU_J] = brink__jacobian_nnz(flow),
      [BRINK__RADAU_FINITE] = numbers(brink__jacobian_size(flow)),
      [BRINK__RADAU_RK] = numbers(brink__dopri5.state_size(flow, opt)),
  };
  for (int i = 0; i < BRINK__RADAU_ARRAYS; i++) {
    s->at[i] = used;
    used += size[i];
  }
  return used;
}

static size_t state_size(const brink_flow *flow, const brink_integrator_opts *opt)
{
  brink__radau_state s = {.n = 0};

  return sizeof s + layout(&s, flow, opt) * sizeof(double);
}

/* Nothing is known of a run. */
static void begin_anew(brink__radau_state *s, const brink_flow *flow)
{
  s->k = s->next_k = s->first;
  s->next_rate = 1;
  brink__jacobian_open((void *)brink__radau_array(s, BRINK__RADAU_FINITE), flow);
}

static brink_status open(void *state, brink_ctx *ctx, const brink_flow *flow,
                         const brink_integrator_opts *opt)
{
  brink__radau_state *s = state;
  const brink__places *p = flow->pattern;

  layout(s, flow, opt);
  begin_anew(s, flow);
  brink__shifted_spec spec = {.n = s->N,
                              .n_mass = s->n,
                              .nnz = brink__jacobian_nnz(flow),
                              .row = p ? p->row : NULL,
                              .col = p ? p->col : NULL,
                              .n_complex = (brink__radau_tables[s->last].s - 1) / 2,
                              .weight = brink__radau_array(s, BRINK__RADAU_SCALE)};
  BRINK_TRY(brink__shifted_set_new(ctx, &spec, &s->matrices));
  return brink__dopri5.open(brink__radau_array(s, BRINK__RADAU_RK), ctx, flow, opt);
}

static void close(void *state)
{
  brink__shifted_set_free(((brink__radau_state *)state)->matrices);
}

static void forget(void *state, const brink_flow *flow,
                   const brink_integrator_opts *opt)
{
  brink__radau_state *s = state;
  brink__shifted_set *own = s->matrices;

  memset(s, 0, state_size(flow, opt));
  layout(s, flow, opt);
  begin_anew(s, flow);
  s->matrices = own;
  brink__shifted_set_forget(own);
  brink__dopri5.open(brink__radau_array(s, BRINK__RADAU_RK), NULL, flow, opt);
}

/* Without memory for sparse factors the copy chooses pivots for itself. */
static brink_status copy(void *to, const void *from, const brink_flow *flow,
                         size_t size)
{
  brink__radau_state *s = to;
  brink__shifted_set *own = s->matrices;

  (void)flow;
  memcpy(s, from, size);
  s->matrices = own;
  if (brink__shifted_set_copy(own, ((const brink__radau_state *)from)->matrices) < 0)
    s->factored = 0;
  return BRINK_OK;
}

static void start(void *state, size_t n)
{
  brink__radau_state *s = state;

  (void)n;
  s->have_u = s->have_z = s->have_J = s->fresh = s->factored = 0;
  s->have_last = s->rejected = s->failed = s->by_rk = 0;
  s->last_err = s->h_next = s->asked = 0;
  s->next_rate = 1;
}

/* ---------------------------------------------------------------- point --- */

/* The unknowns of loops and F at the beginning of the step. */
static brink_status stand(brink__radau_state *s, brink__gate *gate, double t,
                          const double *y)
{
  double *U = brink__radau_array(s, BRINK__RADAU_U);
  double *F0 = brink__radau_array(s, BRINK__RADAU_F0);

  if (s->have_u)
    return BRINK_OK;
  brink__copy(U, y, s->n);
  if (s->have_z) {
    brink__copy(U + s->n, brink__radau_array(s, BRINK__RADAU_U1) + s->n, s->N - s->n);
    BRINK_TRY(brink__residual(gate, t, U, F0));
  } else {
    BRINK_TRY(brink__f(gate, t, y, F0));
    if (s->N > s->n)
      gate->flow->loop_unknowns(gate->flow, U + s->n);
    memset(F0 + s->n, 0, (s->N - s->n) * sizeof *F0);
  }
  s->have_u = 1;
  return BRINK_OK;
}

/* What each unknown may be wrong by between a and b.  Those of loops have no tolerance
 * of their own. */
static void weigh(brink__radau_state *s, const brink__tol *tol, const double *a,
                  const double *b)
{
  double *scale = brink__radau_array(s, BRINK__RADAU_SCALE);
  brink__tol other = *tol;

  other.atol_i = NULL;
  for (size_t i = 0; i < s->N; i++)
    scale[i] = brink__scale(i < s->n ? tol : &other, i, a[i], b[i]);
}

/* ----------------------------------------------------------------- step --- */

/* The polynomial at x: u. */
static void evaluate(brink__radau_state *s, double x, double *u)
{
  const brink__radau_table *table = brink__radau_table_of(s);
  const double *Z = brink__radau_array(s, BRINK__RADAU_Z);

  brink__copy(u, brink__radau_array(s, BRINK__RADAU_U), s->N);
  for (int i = 0; i < table->s; i++) {
    double value = 0;
    for (int k = table->s; k-- > 0;)
      value = (value + table->P[k][i]) * x;
    for (size_t m = 0; m < s->N; m++)
      u[m] += value * Z[(size_t)i * s->N + m];
  }
}

/* v holds F at the polynomial's u(x): less its slope there, filtered. */
static brink_status filter_defect(brink__radau_state *s, double h, double x, double *v)
{
  const brink__radau_table *table = brink__radau_table_of(s);
  const double *Z = brink__radau_array(s, BRINK__RADAU_Z);

  for (int i = 0; i < table->s; i++) {
    double slope = 0;
    for (int k = table->s; k-- > 0;)
      slope = slope * x + (k + 1) * table->P[k][i];
    for (size_t m = 0; m < s->n; m++)
      v[m] -= slope / h * Z[(size_t)i * s->N + m];
  }
  return brink__shifted_set_solve(s->matrices, 0, v, NULL);
}

/* An error below what the rounding of F makes of it is none: a state that rests on the
 * difference of large terms (a spring, a gain) may have a tolerance that no length of
 * step keeps, and steps would become as short as the noise is fast. */
static void leave_out_rounding(brink__radau_state *s, double h, double *v, double *size)
{
  brink__radau_rounding(s, h, size);
  for (size_t i = 0; i < s->n; i++)
    v[i] = brink__max(0, fabs(v[i]) - size[i]);
}

/* The defect in v, filtered, is that of x: its size in tolerances. */
static double scaled(brink__radau_state *s, double h, double x, double *v, double *room)
{
  const double *scale = brink__radau_array(s, BRINK__RADAU_SCALE);

  leave_out_rounding(s, h, v, room);
  return brink__radau_norm(s->n, v, scale) /
         (x == 0 ? brink__radau_table_of(s)->excess : 1);
}

/* The error that the slope of F at the beginning shows: of what is smooth no more than
 * that between the stages, but F may change all at once before the first of them, and
 * all stages agree.  What is stiff and lies off its slow solution there, as after an
 * event, is left to be damped: the second filter of [HW96, IV.8 (8.20)]. */
static brink_status beginning(brink__radau_state *s, brink__gate *gate, double t,
                              double h, int damped, double *err)
{
  double *v = brink__radau_array(s, BRINK__RADAU_WORK), *u = v + s->N;

  brink__copy(v, brink__radau_array(s, BRINK__RADAU_F0), s->N);
  BRINK_TRY(filter_defect(s, h, 0, v));
  if (damped) {
    brink__copy(u, brink__radau_array(s, BRINK__RADAU_U), s->N);
    for (size_t i = 0; i < s->N; i++)
      u[i] += v[i];
    brink_status rc = brink__residual(gate, t, u, v);
    if (rc == BRINK_EDOMAIN)
      return BRINK_OK;
    BRINK_TRY(rc);
    BRINK_TRY(filter_defect(s, h, 0, v));
  }
  *err = brink__max(*err, scaled(s, h, 0, v, u));
  return BRINK_OK;
}

/* The scaled error of the polynomial's states.  Up to some |h J| the slope of F at the
 * beginning shows it, and costs nothing; so it does where there is no F between the
 * stages. */
static brink_status estimate(brink__radau_state *s, brink__gate *gate, double t,
                             double h, double *err)
{
  const brink__radau_table *table = brink__radau_table_of(s);
  double *v = brink__radau_array(s, BRINK__RADAU_WORK), *u = v + s->N;
  double x = fabs(h) * s->norm < NOT_STIFF ? 0 : table->between, first = 0;
  brink_status rc = BRINK_EDOMAIN;

  *err = 0;
  if (x > 0) {
    evaluate(s, x, u);
    rc = brink__residual(gate, t + x * h, u, v);
  }
  if (rc == BRINK_EDOMAIN)
    return beginning(s, gate, t, h, 0, err);
  BRINK_TRY(rc);
  BRINK_TRY(filter_defect(s, h, x, v));
  *err = scaled(s, h, x, v, u);
  if (*err > 1)
    return BRINK_OK;
  BRINK_TRY(beginning(s, gate, t, h, 0, &first));
  if (first > 1) {
    first = 0;
    BRINK_TRY(beginning(s, gate, t, h, 1, &first));
    *err = brink__max(*err, first);
  }
  return BRINK_OK;
}

/* The length after an attempt of length h with this error, the shorter one of
 * [HW96, IV.8 (8.21)] and (8.25). */
static double new_length(const brink__radau_state *s, double h)
{
  double power = 1. / (brink__radau_table_of(s)->s + 1);
  double safety = SAFETY * (2 * USUAL + 1) / (2 * USUAL + s->iterations);
  double shorter = pow(brink__max(s->err, 1e-10), power) / safety;

  if (s->last_err > 0 && s->err <= 1)
    shorter =
        brink__max(shorter, fabs(s->last_h / h) *
                                pow(s->err * s->err / s->last_err, power) / SAFETY);
  return fabs(h) / brink__max(1 / GROW, brink__min(1 / SHRINK, shorter));
}

/* The stages cannot be solved.  Where the step is so short that this is no matter of
 * stiffness, dopri5 takes it. */
static brink_status failed(brink__radau_state *s, brink__gate *gate,
                           const brink__tol *tol, double t, const double *y,
                           brink__outcome *out)
{
  double *rk = brink__radau_array(s, BRINK__RADAU_RK);

  s->rejected = s->failed = 1;
  s->h_next = 0;
  if (!(out->retry > 0))
    return BRINK_EDOMAIN;
  s->next_k = s->k > s->first ? s->k - 1 : s->k;
  if (s->factored &&
      (fabs(s->h) * s->norm < NOT_STIFF || fabs(s->h) < SHORTEST * fabs(t))) {
    s->by_rk = 1;
    out->retry = 0;
    brink__dopri5.start(rk, s->n);
    return brink__dopri5.attempt(rk, gate, tol, t, s->h, y, out);
  }
  return brink__attempt_failed(gate, t, y,
                               s->factored ? NOT_CONVERGED : brink__singular_matrix);
}

static brink_status attempt(void *state, brink__gate *gate, const brink__tol *tol,
                            double t, double h, const double *y, brink__outcome *out)
{
  brink__radau_state *s = state;
  double *U = brink__radau_array(s, BRINK__RADAU_U);
  double *U1 = brink__radau_array(s, BRINK__RADAU_U1);
  const double *Z = brink__radau_array(s, BRINK__RADAU_Z);

  BRINK_TRY(stand(s, gate, t, y));
  weigh(s, tol, U, U);
  s->k = s->next_k;
  s->h = h;
  s->by_rk = 0;
  s->asked = s->h_next;
  brink_status rc = brink__radau_stages(s, gate, tol, t, h, &out->retry);
  if (rc == BRINK_EDOMAIN)
    return failed(s, gate, tol, t, y, out);
  BRINK_TRY(rc);
  size_t end = (size_t)(brink__radau_table_of(s)->s - 1) * s->N;
  for (size_t i = 0; i < s->N; i++)
    U1[i] = U[i] + Z[end + i];
  weigh(s, tol, U, U1);
  BRINK_TRY(estimate(s, gate, t, h, &s->err));
  out->err = s->err;
  out->h_lambda = fabs(h) * s->norm;
  s->h_next = new_length(s, h);
  if (!(s->err <= 1)) {
    if (!s->have_last)
      s->h_next = brink__min(s->h_next, FIRST_SHRINK * fabs(h));
    s->rejected = 1;
  }
  return BRINK_OK;
}

/* --------------------------------------------------------------- accept --- */

/* Coefficients of x^1 .. x^s, [s][N]: LAST, by divided differences of z_i / c_i. Values
 * of the polynomial then have the rounding of the stages; sums of P z_i, whose terms
 * are a thousand times larger, had three digits less. */
static void collocation(brink__radau_state *s)
{
  const brink__radau_table *table = brink__radau_table_of(s);
  const double *Z = brink__radau_array(s, BRINK__RADAU_Z), *c = table->c;
  double *last = brink__radau_array(s, BRINK__RADAU_LAST), d[BRINK__RADAU_STAGES];
  size_t N = s->N;
  int stages = table->s;

  for (size_t m = 0; m < N; m++) {
    for (int i = 0; i < stages; i++)
      d[i] = Z[(size_t)i * N + m] / c[i];
    for (int j = 1; j < stages; j++)
      for (int i = stages - 1; i >= j; i--)
        d[i] = (d[i] - d[i - 1]) / (c[i] - c[i - j]);
    for (int i = stages - 2; i >= 0; i--)
      for (int k = i; k < stages - 1; k++)
        d[k] -= c[i] * d[k + 1];
    for (int k = 0; k < stages; k++)
      last[(size_t)k * N + m] = d[k];
  }
}

/* The integral of r(x) = prod(1 - x/c_i): its slope is 1 at 0 and 0 at all stages, and
 * as r is orthogonal to constants, it is 0 at both ends; of degree s + 1.  The error of
 * the collocation polynomial is to leading order a multiple of it. */
static void correction(const brink__radau_table *table,
                       double q[BRINK__RADAU_STAGES + 2])
{
  double r[BRINK__RADAU_STAGES + 1] = {1};

  for (int i = 0; i < table->s; i++)
    for (int k = i + 1; k > 0; k--)
      r[k] -= r[k - 1] / table->c[i];
  q[0] = 0;
  for (int k = 0; k <= table->s; k++)
    q[k + 1] = r[k] / (k + 1);
}

/* The same by states, after y.  Where the step is not stiff, one term more makes its
 * slope f at the beginning, as it is at the stages and at the end: a mode may begin on
 * the zero of a guard that has no slope there.  Where it is stiff, f shows each error
 * of y many times as large.  The rounding of the end goes into the quadratic term. */
static int write_polynomial(brink__radau_state *s, const double *y, double *coeff)
{
  size_t N = s->N, stages = (size_t)brink__radau_table_of(s)->s;
  const double *Z = brink__radau_array(s, BRINK__RADAU_Z);
  const double *F0 = brink__radau_array(s, BRINK__RADAU_F0);
  const double *last = brink__radau_array(s, BRINK__RADAU_LAST);
  size_t degree = stages + (fabs(s->h) * s->norm < NOT_STIFF);
  double q[BRINK__RADAU_STAGES + 2];

  correction(brink__radau_table_of(s), q);
  for (size_t m = 0; m < s->n; m++, coeff += degree + 1) {
    double rise = 0, off = s->h * F0[m] - last[m];
    coeff[0] = y[m];
    for (size_t k = degree; k > 0; k--) {
      coeff[k] = k <= stages ? last[(k - 1) * N + m] : 0;
      if (degree > stages)
        coeff[k] = k == 1 ? s->h * F0[m] : coeff[k] + off * q[k];
      rise += coeff[k];
    }
    coeff[2] += Z[(stages - 1) * N + m] - rise;
  }
  return (int)degree;
}

/* The table of the next step. */
static void choose_order(brink__radau_state *s, double ratio)
{
  int k = s->k;

  s->since++;
  if (s->failed || (s->rate >= LOWER && ratio >= ABOUT_LEAST && ratio <= ABOUT_MOST))
    k--;
  else if (s->rate <= RAISE && s->since >= SETTLED)
    k++;
  k = k < s->first ? s->first : k > s->last ? s->last : k;
  s->next_k = k;
  if (k != s->k)
    s->since = 0;
}

/* The length of the next step. */
static void propose(brink__radau_state *s)
{
  double h = fabs(s->h);

  if (s->rejected)
    s->h_next = brink__min(s->h_next, h);
  choose_order(s, s->h_next / h);
  /* a step cut short says little about the length that would have done */
  if (h < 0.99 * s->asked)
    s->h_next = brink__max(s->h_next, s->asked);
  else if (s->have_J && s->next_k == s->k && s->h_next >= h && s->h_next <= KEEP * h)
    s->h_next = h;
}

static int accept(void *state, size_t n, double h, const double *y, double *coeff)
{
  brink__radau_state *s = state;

  if (s->by_rk) {
    double *rk = brink__radau_array(s, BRINK__RADAU_RK);
    int by_rk = brink__dopri5.accept(rk, n, h, y, coeff);
    start(s, n);
    s->by_rk = 1;
    return by_rk;
  }
  collocation(s);
  int degree = write_polynomial(s, y, coeff);
  s->have_J = s->rate <= KEEP_JACOBIAN;
  propose(s);
  s->have_last = 1;
  s->last_k = s->k;
  s->last_h = h;
  s->last_err = s->next_k == s->k ? brink__max(s->err, LEAST_ERR) : 0;
  s->have_u = s->fresh = s->rejected = s->failed = 0;
  s->have_z = s->N > s->n;
  return degree;
}

/* Loops have other unknowns where the end was moved to. */
static void moved(void *state, size_t n, const double *f)
{
  brink__radau_state *s = state;

  (void)n, (void)f;
  s->have_z = 0;
}

static const double *candidate(const void *state, size_t n)
{
  const brink__radau_state *s = state;

  return s->by_rk ? brink__dopri5.candidate(s->data + s->at[BRINK__RADAU_RK], n)
                  : s->data + s->at[BRINK__RADAU_U1];
}

static const brink_method *acting(const void *state)
{
  return ((const brink__radau_state *)state)->by_rk ? &brink__dopri5 : NULL;
}

static double next_step(const void *state)
{
  return ((const brink__radau_state *)state)->h_next;
}

static const int orders[] = {5, 9, 13, 0};

const brink_method brink__radau = {
    .name = "radau",
    .about = "Radau IIA orders 5, 9 and 13, implicit, for stiff systems",
    .cite = "HW99",
    .order = 13,
    .orders = orders,
    .error_order = 3,
    .dense_order = 3,
    .max_degree = BRINK__RADAU_STAGES + 1,
    .stability = HUGE_VAL,
    .flags = BRINK__ORDERS | BRINK__FREE_DENSE | BRINK__IMPLICIT | BRINK__SURE_DENSE,
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
    .dense = brink__dense_nothing,
    .accept = accept,
    .moved = moved,
    .candidate = candidate,
    .acting = acting,
    .next_step = next_step,
};
