/* guards.c -- guards along a step: values, polynomials, rounding bounds.
 *
 * Sampling ....... Chebyshev points of the second kind on 8, 16, 32, 64
 *                  intervals, nested, until the coefficients have converged
 *                  [Tre13, ch. 2-4, 8].
 * Proofs ......... guards whose Taylor coefficients a model can enclose (text): their
 *                  range excludes most steps; the error of interpolation at m + 1
 *                  points is bounded by coefficient m + 1.
 * Rounding ....... a guard's value inherits the rounding of its arguments: with
 *                  y_i uncertain by d_i, g is by sum |dg/dy_i| d_i; the partials
 *                  are difference quotients over 2^24 d_i.
 */
#include "event/guards.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* roundings of t that count, as a part of the step */
static const double LATE = 0x1p-45;

/* somewhere on the step where nothing is exact by luck, as 1 + t*t - 1 is at 0 */
static const double INSIDE = 0.6180339887498949;

/* a guard larger than this part of its own recent size is not near zero, and
 * its rounding bound need not be computed */
static const double CLEAR = 1e-6;

enum {
  SHORT = 4,         /* degree up to which a series is rewritten in powers        */
  PROVED_NODES = 32, /* the finest grid whose error is worth bounding             */
  PIECES = 16,       /* into which [0, 1] is cut for that, at most                */
  REFINE_TURNS = 200 /* evaluations that close a bracket                          */
};

/* ------------------------------------------------------------- memory ---- */

static size_t row_length(int max_degree)
{
  return (size_t)(max_degree > BRINK__MAX_NODES ? max_degree : BRINK__MAX_NODES) + 1;
}

size_t brink__guards_size(const brink_model *model, int mode, int max_degree)
{
  size_t ng = (size_t)model->modes[mode].n_guards, n = model->modes[mode].n;
  size_t need = brink__need(0, ng, 4 + 2 * sizeof(double));

  need = brink__need(need, ng, sizeof(brink__kept));
  need = brink__need(need, n, 4 * sizeof(double));
  need = brink__need(need, row_length(max_degree), sizeof(double));
  need = brink__need(need, n, (BRINK__SHARED + 1) * sizeof(double));
  return brink__need(need, 2 * (BRINK__MAX_NODES + 1), sizeof(double));
}

void brink__guards_init(brink__guards *g, void *memory, const brink_model *model,
                        brink__live *live, int mode, int max_degree)
{
  size_t         ng = (size_t)model->modes[mode].n_guards, n = model->modes[mode].n;
  unsigned char *base = memory;

  *g = (brink__guards){.model = model, .live = live, .mode = mode,
                       .n = model->modes[mode].n_guards,
                       .info = model->modes[mode].guards};
  g->scale = (double *)(void *)base;
  g->start_delta = g->scale + ng;
  g->sign = (signed char *)(g->start_delta + ng);
  g->banded = (unsigned char *)g->sign + ng;
  g->fresh = g->banded + ng;
  g->clear = g->fresh + ng;
  base += brink__need(0, ng, 4 + 2 * sizeof(double));
  g->kept = (brink__kept *)(void *)base;
  base += brink__need(0, ng, sizeof(brink__kept));
  g->y = (double *)(void *)base;
  g->noise = g->y + n;
  g->y0 = g->noise + n;
  g->y_in = g->y0 + n;
  base += brink__need(0, n, 4 * sizeof(double));
  g->row = (double *)(void *)base;
  base += brink__need(0, row_length(max_degree), sizeof(double));
  g->node_y = (double *)(void *)base;
  base += brink__need(0, n, (BRINK__SHARED + 1) * sizeof(double));
  g->samples = (double *)(void *)base;
  g->nodes = g->samples + BRINK__MAX_NODES + 1;
  brink__chebyshev_points(BRINK__MAX_NODES, g->nodes);
}

/* ------------------------------------------------------------- values ---- */

brink_status brink__guard_ask(brink__guards *g, int k, double t, const double *y,
                              double *value, brink_err *err)
{
  g->evals++;
  int rc = g->model->ops->guard(g->model, g->live, g->mode, k, t, y, value);
  if (rc == 0 && isfinite(*value))
    return BRINK_OK;
  if (rc < 0)
    return brink__fail_at(err, BRINK_EUSER, t, "guard '%s' asked to stop at t = %.9g",
                          g->info[k].name, t);
  if (rc > 0)
    *value = nan("");
  return brink__fail_at(err, BRINK_ENAN, t,
                        "guard '%s' is %g at t = %.9g; a guard must have a value wherever "
                        "its mode is active",
                        g->info[k].name, *value, t);
}

brink_status brink__guard_at(brink__guards *g, int k, const brink_step *step,
                             double theta, double *value, brink_err *err)
{
  if (g->info[k].form == BRINK__GUARD_STATE) {
    *value = brink_step_state(step, g->info[k].state, theta) - g->info[k].level;
    return BRINK_OK;
  }
  brink_step_at(step, theta, g->y);
  return brink__guard_value(g, k, step->t0 + theta * step->h, g->y, value, err);
}

/* ----------------------------------------------------------- sampling ---- */

double brink__guard_node(const brink__guards *g, int j, int m)
{
  return g->nodes[j * (BRINK__MAX_NODES / m)];
}

/* States on the grid of m <= SHARED intervals; those of m/2 may be there. */
static void states_on(brink__guards *g, const brink_step *step, int m)
{
  int apart = BRINK__SHARED / m, fine = BRINK__MAX_NODES / BRINK__SHARED;
  int known = g->node_step == step ? g->node_m : 0;

  if (known >= m)
    return;
  for (int j = known ? apart : 0; j <= BRINK__SHARED; j += known ? 2 * apart : apart)
    brink_step_at(step, g->nodes[j * fine], g->node_y + (size_t)j * step->n);
  g->node_step = step;
  g->node_m = m;
}

/* Fill every second sample from `first` on, or all of them, on m <= SHARED intervals. */
BRINK__INLINE brink_status sample_shared(brink__guards *g, int k, const brink_step *step,
                                         int m, int first, int stride, brink_err *err)
{
  size_t  row = (size_t)(BRINK__SHARED / m) * step->n;
  int     apart = BRINK__MAX_NODES / m, refused = 0;
  double *v = g->samples, t0 = step->t0, h = step->h;

  states_on(g, step, m);
  for (int j = first; j <= m; j += stride)
    refused |= g->model->ops->guard(g->model, g->live, g->mode, k,
                                    t0 + g->nodes[j * apart] * h,
                                    g->node_y + (size_t)j * row, &v[j]);
  g->evals += m / stride + (first == 0);
  if (!refused && brink__all_finite(v, (size_t)m + 1))
    return BRINK_OK;

  /* which one, and why? */
  for (int j = first; j <= m; j += stride)
    BRINK_TRY(brink__guard_value(g, k, t0 + g->nodes[j * apart] * h,
                                 g->node_y + (size_t)j * row, &v[j], err));
  return BRINK_OK;
}

/* Fill g->samples on m intervals, keeping those known from m/2. */
static brink_status sample_all(brink__guards *g, int k, const brink_step *step, int m,
                               brink_err *err)
{
  if (m == BRINK__NODES)
    return sample_shared(g, k, step, BRINK__NODES, 0, 1, err);
  for (int j = m; j >= 0; j -= 2)
    g->samples[j] = g->samples[j / 2];
  if (m == BRINK__SHARED)
    return sample_shared(g, k, step, BRINK__SHARED, 1, 2, err);
  for (int j = 1; j <= m; j += 2)
    BRINK_TRY(
      brink__guard_at(g, k, step, brink__guard_node(g, j, m), &g->samples[j], err));
  return BRINK_OK;
}

static double largest(const double *v, int n)
{
  double top = 0;

  for (int i = 0; i < n; i++)
    top = brink__max(top, fabs(v[i]));
  return top;
}

/* what the polynomials of the states are uncertain by, at most, on this step */
static double row_noise(const double *c, int degree)
{
  double sum = 0;

  for (int k = 0; k <= degree; k++)
    sum += fabs(c[k]);
  return 2 * DBL_EPSILON * sum;
}

static double state_delta(const brink__guard *info, const double *noise)
{
  return noise[info->state] + DBL_EPSILON * fabs(info->level) + info->noise;
}

/* What a model can tell at once: of states, and of guards with Taylor coefficients. */
static int told_delta(brink__guards *g, int k, double t, const double *y,
                      const double *noise, double *delta)
{
  double value;

  if (g->info[k].form == BRINK__GUARD_STATE) {
    *delta = state_delta(&g->info[k], noise);
    return 1;
  }
  if (g->info[k].form != BRINK__GUARD_JET ||
      !g->model->ops->guard_noise(g->model, g->live, g->mode, k, t, y, noise, &value,
                                  delta))
    return 0;
  g->evals++;
  return 1;
}

/* The states at the start of a step, and what they are uncertain by: once for all guards. */
static void state_noise(brink__guards *g, const brink_step *step)
{
  size_t width = (size_t)step->degree + 1;

  if (g->noise_step == step)
    return;
  for (size_t i = 0; i < step->n; i++) {
    g->noise[i] = row_noise(step->coeff + i * width, step->degree);
    g->y0[i] = step->coeff[i * width];
  }
  g->noise_step = step;
  g->inside_step = NULL;
}

/* What rounding does to the guard: at the start of the step, and inside it where the
 * model can tell. */
static brink_status state_rounding(brink__guards *g, int k, const brink_step *step,
                                   double *delta, brink_err *err)
{
  double inside = 0;

  state_noise(g, step);
  if (g->info[k].form == BRINK__GUARD_JET) {
    if (g->inside_step != step)
      brink_step_at(step, INSIDE, g->y_in);
    g->inside_step = step;
    if (!told_delta(g, k, step->t0 + INSIDE * step->h, g->y_in, g->noise, &inside))
      inside = 0;
  }
  BRINK_TRY(
    brink__guard_rounding(g, k, step->t0, g->y0, g->noise, BRINK__FAR, delta, err));
  *delta = fmax(*delta, inside);

  /* late in a run t0 + theta h is rounded a lot: the slope may be elsewhere, too */
  double late = DBL_EPSILON * fabs(step->t0) / fabs(step->h), first, last;
  if (late < LATE || g->info[k].form == BRINK__GUARD_STATE)
    return BRINK_OK;
  BRINK_TRY(brink__guard_value(g, k, step->t0, g->y0, &first, err));
  BRINK_TRY(brink__guard_value(g, k, step->t1, g->y0, &last, err));
  *delta += late * fabs(last - first);
  return BRINK_OK;
}

/* A short series as powers of x: the quick answers of poly/ want that.  Fit and
 * rewriting cost a few roundings of the whole series, at x = 0 too. */
static void to_monomial(brink__poly *p, double *c)
{
  double a[SHORT + 1] = {0}, sum = 0;

  for (int k = 0; k <= p->degree; k++) {
    a[k] = c[k];
    sum += fabs(c[k]);
  }
  p->delta += 8 * DBL_EPSILON * sum;
  c[0] = a[0] - a[1] + a[2] - a[3] + a[4];
  c[1] = 2 * a[1] - 8 * a[2] + 18 * a[3] - 32 * a[4];
  c[2] = 8 * a[2] - 48 * a[3] + 160 * a[4];
  c[3] = 32 * a[3] - 256 * a[4];
  c[4] = 128 * a[4];
  p->form = BRINK__MONOMIAL;
}

/* One grid: 1 if the polynomial in *p is good enough. */
static int fitted(brink__guards *g, int k, int m, int exact, double noise, brink__poly *p,
                  brink_certificate *certificate)
{
  double dropped;

  *p = (brink__poly){BRINK__CHEBYSHEV, m, g->row, noise + g->info[k].noise};
  if (exact > 0) {
    if (exact > m)
      return 0;
    p->degree = exact;
    *certificate = BRINK_PROVED;
    return 1;
  }
  int kept = brink__chebyshev_converged(m, g->row, noise, &dropped);
  if (kept < 0)
    return 0;
  p->degree = kept;
  p->delta += dropped;
  *certificate = BRINK_CONVERGED;
  return 1;
}

/* ------------------------------------------------------------- proofs ---- */

static int range(brink__guards *g, int k, const brink_step *step, double a, double b,
                 int order, double *lo, double *hi)
{
  return g->model->ops->guard_range(g->model, g->live, g->mode, k, step, a, b, order, lo,
                                    hi);
}

/* Error of interpolation at the m + 1 Chebyshev points: 4^-m times the largest
 * Taylor coefficient m + 1 on [0, 1] [Tre13, ch. 8]; the interval is cut in pieces
 * until the enclosure is good enough.  1: the error is below tol, and in *error. */
static int error_below(brink__guards *g, int k, const brink_step *step, int m, double tol,
                       double *error)
{
  for (int pieces = 1; pieces <= PIECES; pieces *= 4) {
    double top = 0, lo, hi;
    for (int i = 0; i < pieces; i++) {
      if (!range(g, k, step, (double)i / pieces, (double)(i + 1) / pieces, m + 1, &lo,
                 &hi))
        return 0;
      top = fmax(top, fmax(-lo, hi));
    }
    *error = ldexp(top, -2 * m);
    if (*error <= tol)
      return 1;
  }
  return 0;
}

/* Turn "converged" into "proved"; 0 if a finer grid may do it. */
static int prove(brink__guards *g, int k, const brink_step *step, int m, brink__poly *p,
                 brink_certificate *certificate)
{
  double error;

  if (m <= PROVED_NODES && error_below(g, k, step, m, 16 * p->delta, &error)) {
    p->delta += error;
    *certificate = BRINK_PROVED;
    return 1;
  }
  return m >= PROVED_NODES;
}

/* Most guards have no zero in most steps, and their range shows it: as it is, or
 * around the middle with the range of the slope. */
static int clear(brink__guards *g, int k, const brink_step *step, brink__poly *p,
                 brink_err *err)
{
  double lo, hi, mid;

  if (g->fresh[k] && g->start_delta[k] > 0)
    return 0; /* it starts on its zero */
  if (!range(g, k, step, 0, 1, 0, &lo, &hi))
    return 0;
  if (!(lo > 0) && !(hi < 0)) {
    double s0, s1;
    if (!range(g, k, step, 0, 1, 1, &s0, &s1) ||
        brink__guard_at(g, k, step, 0.5, &mid, err) < 0)
      return 0;
    double reach = 0.5 * fmax(-s0, s1) * (1 + 4 * DBL_EPSILON);
    double slack = g->info[k].noise + 64 * DBL_EPSILON * fmax(hi, -lo);
    lo = fmax(lo, mid - reach - slack);
    hi = fmin(hi, mid + reach + slack);
  }
  if (!(lo > 0) && !(hi < 0))
    return 0;
  g->scale[k] = fmax(hi, -lo);
  g->row[0] = lo > 0 ? lo : hi;
  *p = (brink__poly){BRINK__MONOMIAL, 0, g->row, 0};
  return 1;
}

static brink_status expand_samples(brink__guards *g, int k, const brink_step *step,
                                   brink__poly *p, brink_certificate *certificate,
                                   brink_err *err)
{
  /* a polynomial guard of a polynomial step: exact as soon as the grid is fine
   * enough for its degree */
  int    exact = g->info[k].degree * step->degree;
  int    jet = g->info[k].form == BRINK__GUARD_JET;
  double rounding = -1; /* not yet known */

  if (exact > BRINK__MAX_NODES)
    exact = 0;

  for (int m = BRINK__NODES; m <= BRINK__MAX_NODES; m *= 2) {
    BRINK_TRY(sample_all(g, k, step, m, err));
    brink__chebyshev_fit(m, g->samples, g->row);
    double top = largest(g->samples, m + 1), noise = 4 * DBL_EPSILON * top;
    g->scale[k] = top;
    int good = fitted(g, k, m, exact, noise, p, certificate);

    /* a guard that is small by cancellation is noisier than its size tells */
    if (!good && rounding < 0 && exact == 0)
      BRINK_TRY(state_rounding(g, k, step, &rounding, err));
    if (!good && rounding > noise)
      good = fitted(g, k, m, exact, 4 * rounding, p, certificate);
    if (!good)
      *certificate = BRINK_SAMPLED;
    else if (*certificate == BRINK_PROVED || !jet || prove(g, k, step, m, p, certificate))
      break;
  }

  if (*certificate != BRINK_SAMPLED && p->degree <= SHORT)
    to_monomial(p, g->row);
  return BRINK_OK;
}

brink_status brink__guard_doubt(brink__guards *g, int k, const brink_step *step,
                                brink__poly *p, int *raised, brink_err *err)
{
  double rounding;

  *raised = 0;
  if (g->info[k].form == BRINK__GUARD_STATE)
    return BRINK_OK; /* its polynomial is the state's own */
  BRINK_TRY(state_rounding(g, k, step, &rounding, err));
  *raised = rounding > 2 * p->delta;

  /* its range has told the sign, but not its course, and comes too near to zero */
  if (p->degree == 0 && fabs(p->c[0]) <= rounding) {
    brink_certificate certificate = BRINK_PROVED;
    BRINK_TRY(expand_samples(g, k, step, p, &certificate, err));
    *raised = 1;
  }
  p->delta = fmax(p->delta, rounding);
  return BRINK_OK;
}

brink_status brink__guard_expand(brink__guards *g, int k, const brink_step *step,
                                 brink__poly *p, brink_certificate *certificate,
                                 brink_err *err)
{
  const brink__guard *info = &g->info[k];

  if (info->form == BRINK__GUARD_STATE) {
    size_t        width = (size_t)step->degree + 1;
    const double *c = step->coeff + info->state * width;
    memcpy(g->row, c, width * sizeof *c);
    g->row[0] = c[0] - info->level;
    double rounding = DBL_EPSILON * (fabs(c[0]) + fabs(info->level)) + info->noise;
    *p = (brink__poly){BRINK__MONOMIAL, step->degree, g->row,
                       info->level == 0 ? info->noise : rounding};
    if (g->fresh[k])
      p->delta += g->start_delta[k];
    *certificate = BRINK_PROVED;
    return BRINK_OK;
  }
  if (info->form == BRINK__GUARD_JET && clear(g, k, step, p, err)) {
    *certificate = BRINK_PROVED;
    return BRINK_OK;
  }
  BRINK_TRY(expand_samples(g, k, step, p, certificate, err));
  if (g->fresh[k])
    p->delta += g->start_delta[k];
  return BRINK_OK;
}

/* The first grid alone: 1 if what it leaves out is below `loose` of the guard's size. */
static int fits_loosely(brink__guards *g, int k, const brink_step *step, double loose,
                        brink__poly *p)
{
  int    exact = g->info[k].degree * step->degree;
  double top = largest(g->samples, BRINK__NODES + 1), noise = 4 * DBL_EPSILON * top, left;

  brink__chebyshev_fit(BRINK__NODES, g->samples, g->row);
  *p = (brink__poly){BRINK__CHEBYSHEV, exact, g->row, noise + g->info[k].noise};
  if (exact == 0 || exact > BRINK__NODES)
    p->degree = brink__chebyshev_converged(BRINK__NODES, g->row,
                                           brink__max(noise, loose * top), &left);
  if (p->degree < 0)
    return 0;
  p->degree = brink__poly_trim(p->degree, g->row, loose * top, &left);
  if (p->degree <= SHORT)
    to_monomial(p, g->row);
  return 1;
}

brink_status brink__guard_foresee(brink__guards *g, int k, const brink_step *step,
                                  double loose, brink__poly *p,
                                  brink_certificate *certificate, brink_err *err)
{
  if (g->info[k].form == BRINK__GUARD_SAMPLED) {
    BRINK_TRY(sample_all(g, k, step, BRINK__NODES, err));
    if (fits_loosely(g, k, step, loose, p)) {
      *certificate = BRINK_CONVERGED;
      return BRINK_OK;
    }
  }
  return brink__guard_expand(g, k, step, p, certificate, err);
}

/* ----------------------------------------------------------- restarts ---- */

/* By differences: what the states' noise does to the value given. */
static void difference_delta(brink__guards *g, int k, double t, const double *y,
                             const double *noise, double far, double value,
                             double *delta)
{
  size_t n = g->model->modes[g->mode].n;
  double moved;

  *delta = g->info[k].noise + 4 * DBL_EPSILON * fabs(value);
  brink__copy(g->y, y, n);
  double late = t + BRINK__FAR * DBL_EPSILON * fabs(t); /* t0 + theta h is rounded */
  if (late != t) {
    int rc = g->model->ops->guard(g->model, g->live, g->mode, k, late, g->y, &moved);
    g->evals++;
    if (rc == 0 && isfinite(moved))
      *delta += fabs(moved - value) / BRINK__FAR;
  }
  for (size_t i = 0; i < n; i++) {
    if (noise[i] == 0)
      continue;
    g->y[i] = y[i] + far * noise[i];
    int rc = g->model->ops->guard(g->model, g->live, g->mode, k, t, g->y, &moved);
    g->evals++;
    g->y[i] = y[i];
    if (rc == 0 && isfinite(moved))
      *delta += fabs(moved - value) / far;
  }
}

brink_status brink__guard_rounding(brink__guards *g, int k, double t, const double *y,
                                   const double *noise, double far, double *delta,
                                   brink_err *err)
{
  double value;

  if (told_delta(g, k, t, y, noise, delta))
    return BRINK_OK;
  BRINK_TRY(brink__guard_value(g, k, t, y, &value, err));
  difference_delta(g, k, t, y, noise, far, value, delta);
  return BRINK_OK;
}

brink_status brink__guard_sign(brink__guards *g, int k, double t, const double *y,
                               const double *noise, double far, double *value,
                               signed char *sign, brink_err *err)
{
  double delta = 0;

  BRINK_TRY(brink__guard_value(g, k, t, y, value, err));
  if (!(g->scale[k] > 0 && fabs(*value) > CLEAR * g->scale[k]) &&
      !told_delta(g, k, t, y, noise, &delta))
    difference_delta(g, k, t, y, noise, far, *value, &delta);
  *sign = (signed char)(fabs(*value) <= delta ? 0 : *value > 0 ? 1 : -1);
  g->start_delta[k] = *sign ? 0 : fmax(delta, DBL_MIN);
  return BRINK_OK;
}

/* ------------------------------------------------------------- refine ---- */

static double midpoint(double lo, double hi, double g_lo, double g_hi, int turn)
{
  double mid = 0.5 * (lo + hi);

  /* the secant, but every third step halves: REFINE_TURNS reach the last bit */
  if (turn % 3 == 2 || g_lo == g_hi)
    return mid;
  double x = lo - g_lo * ((hi - lo) / (g_hi - g_lo));
  double least = lo + 0x1p-53 * fmax(fabs(lo), hi - lo);
  return x > least && x < hi ? x : mid;
}

brink_status brink__guard_refine(brink__guards *g, int k, const brink_step *step,
                                 int after, double tol, double *lo, double *hi,
                                 brink_err *err)
{
  double g_lo, g_hi;

  BRINK_TRY(brink__guard_at(g, k, step, *lo, &g_lo, err));
  BRINK_TRY(brink__guard_at(g, k, step, *hi, &g_hi, err));
  if (g_lo * after > 0) { /* the new sign is already there */
    *hi = *lo;
    return BRINK_OK;
  }
  for (int turn = 0; turn < REFINE_TURNS; turn++) {
    double width = *hi - *lo;
    if (width <= tol || width <= 0x1p-53)
      return BRINK_OK;
    double x = midpoint(*lo, *hi, g_lo, g_hi, turn), value;
    if (!(x > *lo && x < *hi))
      return BRINK_OK;
    BRINK_TRY(brink__guard_at(g, k, step, x, &value, err));
    if (value * after > 0) {
      *hi = x;
      g_hi = value;
    } else {
      *lo = x;
      g_lo = value;
    }
  }
  return BRINK_OK;
}
