/* radau_newton.c -- the stages of a Radau IIA step by Newton's method, [HW96, IV.8].
 *
 * With z_i = u(t + c_i h) - u(t), the stages solve (A^-1 (x) M) Z = h F(u + Z).  In W =
 * T^-1 Z, where T makes A^-1 block diagonal, a Newton step with the Jacobian J of the
 * step's beginning for all stages is one real system of N unknowns and (s - 1)/2
 * complex ones: (lambda/h M - J) dW = (T^-1 F) - lambda/h M W.
 *
 * The iteration stops when the error that it leaves is a small part of the tolerance,
 * as far as its rate of convergence tells, and is given up early where the iterations
 * that are left will not do.  A new Jacobian takes two iterations at the least, the
 * first one after a start three: increments are small also where it is much too large,
 * as differences across a jump of F make it, and only the rate of what is left tells.
 * A step that fails with a Jacobian of an earlier point is tried again with that of
 * this point.  Where |h J| is huge, what the iteration leaves of the equations is
 * looked at, too.
 */
#include "ode/radau.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* What the iteration may leave, in tolerances: kappa of [HW96, IV.8 (8.10)]. */
static const double LEFT = 0.03;

/* ... but not less than so many roundings of the state. */
static const double ROUNDINGS = 10;

/* Iterations that three stages may take, and what each two more are given. */
enum { ITERATIONS = 7, MORE = 5 };

/* The rate that is expected of a first iteration is that of the last step, but not less
 * than this: increments that vanish in a last iteration, as where rows depend on each
 * other one after the other, say nothing about the first ones.  [HW96] has eps here. */
static const double LEAST_RATE = 1e-2;

/* The rate that two increments show counts as no less than this: the first one is
 * mostly what the guess was wrong by in directions in which the iteration converges at
 * once, and the rate of what it leaves is seen from the third on.  Long steps of order
 * 13 have been left with two tolerances each, increments of 3e4, 11.5, 2.5. */
static const double SECOND_RATE = 0.1;

/* Up to this |h J| increments tell what is left of the equations. */
static const double PLAIN = 1e6;

/* A guess is carried on over at most so many lengths of the last step.  A polynomial of
 * degree 7 that is carried on over a hundred is as large as the 14th power of ten, and
 * the rounding of such a guess stays in the stages however small the increments become:
 * after a step that an event or a known time has cut short there is no guess. */
static const double CARRIED = 10;

/* Slower convergence counts as none. */
static const double SLOW = 0.99;

/* The shorter step after an iteration that does not converge, or a singular matrix. */
static const double HALF = 0.5;

/* The part of a length that convergence was found to allow, and its limits. */
static const double SAFE = 0.8, LEAST_EXCESS = 1e-4, MOST_EXCESS = 20;

double brink__radau_norm(size_t n, const double *v, const double *scale)
{
  double sum = 0;

  for (size_t i = 0; i < n; i++) {
    double r = v[i] / scale[i];
    sum += r * r;
  }
  return sqrt(sum / (double)n);
}

/* ------------------------------------------------------------- matrices --- */

/* What rows of J tell: the largest sum of one, columns in units of tolerances, is what
 * |J| does at most to an error of one tolerance; sums of |J_ij U_j| are the sizes of
 * the terms of F, whose rounding it carries. */
static void measure(brink__radau_state *s, const brink_flow *flow)
{
  const double *J = brink__radau_array(s, BRINK__RADAU_J);
  const double *scale = brink__radau_array(s, BRINK__RADAU_SCALE);
  const double *U = brink__radau_array(s, BRINK__RADAU_U);
  double *sum = brink__radau_array(s, BRINK__RADAU_WORK);
  double *terms = brink__radau_array(s, BRINK__RADAU_TERMS), *diagonal = terms + s->N;
  const brink__places *p = flow->pattern;

  memset(sum, 0, s->N * sizeof *sum);
  memset(terms, 0, 2 * s->N * sizeof *terms);
  for (size_t k = 0, nnz = brink__jacobian_nnz(flow); k < nnz; k++) {
    size_t i = p ? (size_t)p->row[k] : k % s->N, j = p ? (size_t)p->col[k] : k / s->N;
    sum[i] += fabs(J[k]) * (scale[j] / scale[i]);
    terms[i] += fabs(J[k] * U[j]);
    if (i == j)
      diagonal[i] = fabs(J[k]);
  }
  s->norm = 0;
  for (size_t i = 0; i < s->n; i++)
    s->norm = brink__max(s->norm, sum[i]);
}

static brink_status evaluate_jacobian(brink__radau_state *s, brink__gate *gate,
                                      const brink__tol *tol, double t)
{
  brink__jacobian *finite = (void *)brink__radau_array(s, BRINK__RADAU_FINITE);

  s->have_J = s->factored = 0;
  brink__jacobian_both_sides(finite, !s->have_last);
  BRINK_TRY(brink__jacobian_at(
      finite, gate, tol, t, brink__radau_array(s, BRINK__RADAU_U),
      brink__radau_array(s, BRINK__RADAU_F0), brink__radau_array(s, BRINK__RADAU_J)));
  s->have_J = s->fresh = 1;
  s->needed = s->have_last ? 2 : 3;
  measure(s, gate->flow);
  return BRINK_OK;
}

/* The factors for this h and number of stages.  BRINK_EDOMAIN: a matrix is singular. */
static brink_status factor(brink__radau_state *s, brink__gate *gate, double h)
{
  const brink__radau_table *table = brink__radau_table_of(s);
  const double *J = brink__radau_array(s, BRINK__RADAU_J);

  if (s->factored && s->factored_h == h && s->factored_k == s->k)
    return BRINK_OK;
  s->factored = 0;
  gate->factorisations++;
  for (int q = 0; 2 * q < table->s; q++)
    BRINK_TRY(brink__shifted_set_factor(s->matrices, q, J, table->re[q] / h,
                                        q > 0 ? table->im[q] / h : 0));
  s->factored = 1;
  s->factored_h = h;
  s->factored_k = s->k;
  return BRINK_OK;
}

/* ------------------------------------------------------------ iteration --- */

/* to = (matrix (x) I) from, [s][N]. */
static void transform(const brink__radau_state *s,
                      const double m[BRINK__RADAU_STAGES][BRINK__RADAU_STAGES],
                      const double *from, double *to)
{
  int stages = brink__radau_table_of(s)->s;
  size_t N = s->N;

  for (int i = 0; i < stages; i++) {
    double *row = to + (size_t)i * N;
    for (size_t k = 0; k < N; k++)
      row[k] = m[i][0] * from[k];
    for (int j = 1; j < stages; j++) {
      const double *other = from + (size_t)j * N;
      double a = m[i][j];
      for (size_t k = 0; k < N && a != 0; k++)
        row[k] += a * other[k];
    }
  }
}

/* Stages to begin with: the last step's polynomial carried on, or none. */
static void guess(brink__radau_state *s, double h, int carry_on)
{
  const brink__radau_table *table = brink__radau_table_of(s);
  const double *last = brink__radau_array(s, BRINK__RADAU_LAST);
  double *Z = brink__radau_array(s, BRINK__RADAU_Z);
  int degree = brink__radau_tables[s->last_k].s;
  size_t N = s->N;

  memset(Z, 0, (size_t)table->s * N * sizeof *Z);
  for (int i = 0; carry_on && i < table->s; i++) {
    double x = 1 + table->c[i] * h / s->last_h, power = 1;
    for (int k = 0; k < degree; k++) {
      power *= x;
      for (size_t m = 0; m < N; m++)
        Z[(size_t)i * N + m] += (power - 1) * last[(size_t)k * N + m];
    }
  }
  transform(s, table->Ti, Z, brink__radau_array(s, BRINK__RADAU_W));
}

/* F at all stages. */
static brink_status evaluate_stages(brink__radau_state *s, brink__gate *gate, double t,
                                    double h)
{
  const brink__radau_table *table = brink__radau_table_of(s);
  const double *U = brink__radau_array(s, BRINK__RADAU_U);
  const double *Z = brink__radau_array(s, BRINK__RADAU_Z);
  double *u = brink__radau_array(s, BRINK__RADAU_U1);
  double *F = brink__radau_array(s, BRINK__RADAU_F);
  size_t N = s->N;

  for (int i = 0; i < table->s; i++) {
    for (size_t k = 0; k < N; k++)
      u[k] = U[k] + Z[(size_t)i * N + k];
    BRINK_TRY(brink__residual(gate, t + table->c[i] * h, u, F + (size_t)i * N));
  }
  return BRINK_OK;
}

/* How many unknowns of a stage its increment is measured in, where F leaves this: the
 * states alone if the equations of loops hold to rounding.  The solution of a loop may
 * be known to no more, in its tolerances: derivatives that have died away are the
 * difference of large terms. */
static size_t measured(brink__radau_state *s, const double *F)
{
  const double *terms = brink__radau_array(s, BRINK__RADAU_TERMS);

  for (size_t k = s->n; k < s->N; k++)
    if (!(fabs(F[k]) <= ROUNDINGS * DBL_EPSILON * terms[k]))
      return s->N;
  return s->n;
}

/* One iteration: W and Z move on.  *moved is the size of the increment of Z, in
 * tolerances. */
static brink_status improve(brink__radau_state *s, double h, double *moved)
{
  const brink__radau_table *table = brink__radau_table_of(s);
  const double *scale = brink__radau_array(s, BRINK__RADAU_SCALE);
  double *W = brink__radau_array(s, BRINK__RADAU_W);
  double *Z = brink__radau_array(s, BRINK__RADAU_Z);
  double *F = brink__radau_array(s, BRINK__RADAU_F);
  double *D = brink__radau_array(s, BRINK__RADAU_D), sum = 0;
  size_t N = s->N, stages = (size_t)table->s, of[BRINK__RADAU_STAGES];

  for (size_t i = 0; i < stages; i++)
    of[i] = measured(s, F + i * N);
  transform(s, table->Ti, F, D);
  for (size_t k = 0; k < s->n; k++)
    D[k] -= table->re[0] / h * W[k];
  BRINK_TRY(brink__shifted_set_solve(s->matrices, 0, D, NULL));
  for (size_t q = 1; 2 * q < stages; q++) {
    double *x = D + (2 * q - 1) * N, *y = x + N, *a = W + (2 * q - 1) * N, *b = a + N;
    double re = table->re[q] / h, im = table->im[q] / h;
    for (size_t k = 0; k < s->n; k++) {
      x[k] -= re * a[k] - im * b[k];
      y[k] -= re * b[k] + im * a[k];
    }
    BRINK_TRY(brink__shifted_set_solve(s->matrices, (int)q, x, y));
  }
  transform(s, table->T, D, F);
  for (size_t i = 0; i < stages; i++) {
    double size = brink__radau_norm(of[i], F + i * N, scale);
    sum += size * size;
  }
  for (size_t k = 0; k < stages * N; k++) {
    W[k] += D[k];
    Z[k] += F[k];
  }
  *moved = sqrt(sum / (double)stages);
  return BRINK_OK;
}

void brink__radau_rounding(brink__radau_state *s, double h, double *size)
{
  const double *terms = brink__radau_array(s, BRINK__RADAU_TERMS);
  double shift = brink__radau_table_of(s)->re[0] / fabs(h);

  for (size_t i = 0; i < s->N; i++) {
    double by = terms[s->N + i] + (i < s->n ? shift : 0);
    size[i] = ROUNDINGS * DBL_EPSILON * (by > 0 ? terms[i] / by : 0);
  }
}

/* What rounding leaves of the stages, in tolerances.  The part of F is limited, for a
 * Jacobian that is much too large makes it large, too. */
static double rounding(brink__radau_state *s, double h)
{
  double *size = brink__radau_array(s, BRINK__RADAU_WORK);
  const double *U = brink__radau_array(s, BRINK__RADAU_U);
  const double *scale = brink__radau_array(s, BRINK__RADAU_SCALE);

  brink__radau_rounding(s, h, size);
  double of_F = brink__min(brink__radau_norm(s->N, size, scale), LEFT);
  for (size_t i = 0; i < s->N; i++)
    size[i] = ROUNDINGS * DBL_EPSILON * U[i];
  return brink__max(brink__radau_norm(s->N, size, scale), of_F);
}

/* The rate of convergence, after increments of these sizes: of the last two, or the
 * mean of the last three but for the first. */
static void note_rate(brink__radau_state *s, int i, double size, double *last,
                      double *last_rate)
{
  double rate = size / *last;

  if (i > 1)
    s->rate = i <= 3 ? rate : sqrt(rate * *last_rate);
  *last_rate = rate;
  *last = brink__max(size, DBL_EPSILON);
}

/* The part of h with which the iterations left would do, if they are `excess` times too
 * few now [HW96, IV.8]. */
static double shorter(double excess, int left)
{
  excess = brink__max(LEAST_EXCESS, brink__min(MOST_EXCESS, excess));
  return SAFE * pow(excess, -1. / (4 + left));
}

/* Newton's iteration from the guess.  BRINK_EDOMAIN with *h_retry > 0: it does not
 * converge, with 0: F was refused. */
static brink_status iterate(brink__radau_state *s, brink__gate *gate, double t,
                            double h, double *h_retry)
{
  int most = ITERATIONS + MORE * s->k;
  double floor = rounding(s, h), goal = brink__max(LEFT, floor), last = 1,
         last_rate = 0;
  double ahead = pow(brink__max(s->next_rate, LEAST_RATE), 0.8);

  s->rate = 0;
  for (int i = 1; i <= most; i++) {
    *h_retry = 0;
    BRINK_TRY(evaluate_stages(s, gate, t, h));
    gate->iterations++;
    double size;
    *h_retry = HALF * fabs(h);
    BRINK_TRY(improve(s, h, &size));
    s->iterations = i;
    note_rate(s, i, size, &last, &last_rate);
    if (!isfinite(size) || (s->rate >= SLOW && size > floor))
      return BRINK_EDOMAIN;
    if (i > 1) {
      double rate = i == 2 ? brink__max(s->rate, SECOND_RATE) : s->rate;
      ahead = rate < SLOW ? rate / (1 - rate) : 1;
    }
    if (ahead * size <= goal && (i >= s->needed || size == 0)) {
      s->next_rate = ahead;
      s->needed = 1;
      *h_retry = 0;
      return BRINK_OK;
    }
    double excess = ahead * size * pow(s->rate, most - 1 - i) / goal;
    if (i > 1 && excess >= 1) {
      *h_retry = shorter(excess, most - 1 - i) * fabs(h);
      return BRINK_EDOMAIN;
    }
  }
  return BRINK_EDOMAIN;
}

/* -------------------------------------------------------------- residual --- */

/* Does the end of the step solve its equations?  Where J is huge, as that of a root
 * near 0, increments are small whatever they leave of F - p', p' the slope of the
 * polynomial. What is left must be within what a move of all states by a tolerance,
 * away from zero, makes of it; where F is refused there, nothing can be said.
 * BRINK_EDOMAIN as from iterate. */
static brink_status look_at_residual(brink__radau_state *s, brink__gate *gate, double t,
                                     double h, double *h_retry)
{
  const brink__radau_table *table = brink__radau_table_of(s);
  const double *U = brink__radau_array(s, BRINK__RADAU_U);
  const double *Z = brink__radau_array(s, BRINK__RADAU_Z);
  const double *scale = brink__radau_array(s, BRINK__RADAU_SCALE);
  double *u = brink__radau_array(s, BRINK__RADAU_U1);
  double *F = brink__radau_array(s, BRINK__RADAU_F);
  double *moved = brink__radau_array(s, BRINK__RADAU_WORK), *F_moved = moved + s->N;
  size_t N = s->N, stages = (size_t)table->s;

  for (size_t k = 0; k < N; k++) {
    u[k] = U[k] + Z[(stages - 1) * N + k];
    moved[k] = u[k] + (k < s->n ? copysign(scale[k], u[k]) : 0);
  }
  BRINK_TRY(brink__residual(gate, t + h, u, F));
  brink_status rc = brink__residual(gate, t + h, moved, F_moved);
  if (rc != BRINK_OK)
    return rc == BRINK_EDOMAIN ? BRINK_OK : rc;
  for (size_t k = 0; k < s->n; k++) {
    double slope = 0;
    for (size_t j = 0; j < stages; j++)
      for (size_t i = 0; i < stages; i++)
        slope += (double)(j + 1) * table->P[j][i] * Z[i * N + k];
    double within = fabs(F_moved[k] - F[k]) + table->re[0] / fabs(h) * scale[k];
    if (!(fabs(F[k] - slope / h) <= within)) {
      *h_retry = HALF * fabs(h);
      return BRINK_EDOMAIN;
    }
  }
  return BRINK_OK;
}

brink_status brink__radau_stages(brink__radau_state *s, brink__gate *gate,
                                 const brink__tol *tol, double t, double h,
                                 double *h_retry)
{
  *h_retry = 0;
  for (int carry_on = s->have_last && fabs(h) <= CARRIED * fabs(s->last_h);;) {
    if (!s->have_J)
      BRINK_TRY(evaluate_jacobian(s, gate, tol, t));
    brink_status rc = factor(s, gate, h);
    if (rc == BRINK_EDOMAIN)
      *h_retry = HALF * fabs(h);
    BRINK_TRY(rc);
    guess(s, h, carry_on);
    rc = iterate(s, gate, t, h, h_retry);
    if (rc == BRINK_OK && fabs(h) * s->norm > PLAIN)
      rc = look_at_residual(s, gate, t, h, h_retry);
    if (rc != BRINK_EDOMAIN)
      return rc;
    s->next_rate = 1;
    if (!s->fresh)
      s->have_J = 0; /* the same again with the Jacobian of this point */
    else if (carry_on)
      carry_on = 0; /* and with stages that are not carried on */
    else
      return BRINK_EDOMAIN;
  }
}
