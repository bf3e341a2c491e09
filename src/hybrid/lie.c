/* lie.c -- Lie derivatives of guards.
 *
 * Two polynomials.  The solution through (t, y) in powers of time: the flow's own
 * series where it has one, else y + f s + f' s^2/2, where f' is a difference of f along
 * (1, f). The guard along that polynomial has the wanted derivatives: exactly for a
 * state, by the guard's own series in interval arithmetic for a text (so that its
 * rounding is known), by differences for a callback.
 *
 * Differences D(s) over s, s/2, s/4, ... are extrapolated to s = 0 [Ridders82]; s
 * begins as a part of the time in which the states change by their own size and becomes
 * shorter while that helps.  Where one of the two sides has no value, as beyond a
 * unilateral event, they are taken on the other side alone.
 *
 * Cost: with series one series and one evaluation of the guard; without, some ten
 * evaluations of f and of the guard where both are smooth over that time, up to four
 * times as many where they are not.
 */
#include "hybrid/lie.h"

#include <float.h>
#include <string.h>

enum { ROW = BRINK__LIE_ORDER + 1 };

/* Differences over this part of the span, and over halves of it, down to 2^-19: the
 * cube root of the rounding. */
static const double PART = 0x1p-3;
enum { HALVES = 16 };

/* Columns of the table of extrapolations: the last has the order 2 COLUMNS, and what is
 * left then of a smooth function is below the rounding. */
enum { COLUMNS = 5 };

/* What the rounding of values counts for in an extrapolated difference: the weights of
 * a second one on both sides add up to 4, and extrapolation at most doubles that. */
static const double WEIGHTS = 8;

/* Good enough: there is no reason to look for a better s. */
static const double AGREE = 0x1p-34;

/* So rough that differences on one side are tried as well. */
static const double ROUGH = 0x1p-20;

/* ------------------------------------------------------------- memory ---- */

/* The solution, five of n numbers, and `slope`. */
enum { VECTORS = ROW + 5 + COLUMNS + 2 };

static const brink__mode *mode_of(const brink_model *model, brink__live *live, int mode)
{
  return model->ops->mode_info(model, live, mode);
}

size_t brink__lie_size(const brink_model *model, brink__live *live, int mode)
{
  const brink__mode *info = mode_of(model, live, mode);
  brink_flow flow;

  model->ops->flow(model, live, mode, &flow);
  size_t need = brink__need(0, 1, brink__guards_size(info, 1));
  need = brink__need(need, info->n, VECTORS * sizeof(double));
  return brink__need(need, 1, flow.jet ? flow.jet_size(&flow, BRINK__LIE_ORDER) : 0);
}

void brink__lie_init(brink__lie *l, void *memory, const brink_model *model,
                     brink__live *live, int mode)
{
  const brink__mode *info = mode_of(model, live, mode);
  unsigned char *base = memory;
  size_t n = info->n;

  *l = (brink__lie){0};
  brink__guards_init(&l->guards, base, model, live, mode, 1);
  base += brink__need(0, 1, brink__guards_size(info, 1));
  l->c = (double *)(void *)base;
  l->unit = l->c + ROW * n;
  l->error = l->unit + n;
  l->y = l->error + n;
  l->f = l->y + n;
  l->there = l->f + n;
  l->slope = l->there + n;
  base += brink__need(0, n, VECTORS * sizeof(double));
  l->jet = base;
  brink__lie_refresh(l);
}

void brink__lie_refresh(brink__lie *l)
{
  brink__guards *g = &l->guards;
  const brink_model *m = g->model;

  m->ops->flow(m, g->live, g->mode, &l->flow);
  brink__guards_levels(g);
  brink__guards_step(g);
  if (m->ops->nominals(m, g->live, g->mode, l->unit))
    return;
  for (size_t i = 0; i < l->flow.n; i++)
    l->unit[i] = 1;
}

int brink__lie_law(brink__lie *l, double t, const double *y, double *f)
{
  if (l->flow.guarded && !l->flow.inside(&l->flow, t, y))
    return 1;
  l->f_evals++;
  int rc = l->flow.rhs(&l->flow, t, y, f);
  return rc == 0 && !brink__all_finite(f, l->flow.n) ? 1 : rc;
}

/* -------------------------------------------------------- differences ---- */

/* Values of n functions at the distance s.  0: one has none there. */
typedef int sample_fn(void *of, double s, double *values);

/* First or second derivatives of n functions at 0. */
typedef struct quotient {
  sample_fn *fn;
  void *of;
  size_t n;
  int order;           /* 1 or 2                                                     */
  const double *unit;  /* [n] in which errors are compared; NULL: 1                   */
  double noise;        /* what a value is rounded by, beyond its last digits         */
  double *at, *d;      /* [n] values, and D(s)                                       */
  double *row;         /* [COLUMNS][n] of the table: D(s), and what it becomes by
                          extrapolation with the rows of 2 s, 4 s, ...               */
  double *out, *error; /* [n] the best so far                                        */
  double best;         /* ... and its error, in units                                */
} quotient;

/* Where differences are taken: on both sides, or on one. */
enum { BOTH = 0 };

static double one(size_t i, const double *unit) { return unit ? unit[i] : 1; }

/* D(s) into q->d, by values at -s, 0, s or (side) at 0, s, 2 s, 3 s on that side; *top:
 * the largest value, in units.  0: it has none. */
static int difference(const quotient *q, double s, int side, double *top)
{
  static const double inward[3][4] = {{0}, {-1.5, 2, -0.5, 0}, {2, -5, 4, -1}};
  static const double both[3][3] = {{0}, {-0.5, 0, 0.5}, {1, -2, 1}};
  int first = side == BOTH ? -1 : 0, last = side == BOTH ? 1 : 1 + q->order;

  s = side < 0 ? -s : s;
  memset(q->d, 0, q->n * sizeof *q->d);
  *top = 0;
  for (int j = first; j <= last; j++) {
    double weight = side == BOTH ? both[q->order][j + 1] : inward[q->order][j];
    if (weight == 0)
      continue;
    if (!q->fn(q->of, j * s, q->at))
      return 0;
    for (size_t i = 0; i < q->n; i++) {
      q->d[i] += weight * q->at[i];
      *top = brink__max(*top, fabs(q->at[i]) / one(i, q->unit));
    }
  }
  for (size_t i = 0; i < q->n; i++)
    q->d[i] /= q->order == 1 ? s : s * s;
  return 1;
}

/* Row `number` of the table from D(s) and the row before.  e[k]: by how much column k
 * differs from the columns it was made of, in units. */
static void next_row(const quotient *q, int number, int side, double *e)
{
  for (int k = 0; k < COLUMNS; k++)
    e[k] = 0;
  for (size_t i = 0; i < q->n; i++) {
    double before = q->row[i], power = 2, *row = q->row + i;
    *row = q->d[i];
    for (int k = 1; k < COLUMNS && k <= number; k++) {
      double old = row[q->n], left = *row;
      power *= side == BOTH && k > 1 ? 4 : 2; /* of 2 by which an error s^j shrinks */
      row += q->n;
      *row = left + (left - before) / (power - 1);
      e[k] = brink__max(e[k], brink__max(fabs(*row - left), fabs(*row - before)) /
                                  one(i, q->unit));
      before = old;
    }
  }
}

/* Column k of the row is the best so far. */
static void keep(quotient *q, int k, double rounding)
{
  const double *column = q->row + (size_t)k * q->n, *left = column - q->n;

  for (size_t i = 0; i < q->n; i++) {
    q->out[i] = column[i];
    q->error[i] = fabs(column[i] - left[i]) + rounding * one(i, q->unit);
  }
}

/* Differences on one side, or on both, over s and its halves; *size: of the best, in
 * units. */
static void extrapolate(quotient *q, double s, int side, double *size)
{
  double top, e[COLUMNS];
  int number = 0;

  for (int turn = 0; turn < HALVES; turn++, s /= 2) {
    if (!difference(q, s, side, &top)) { /* mostly this side has no values at all */
      number = 0;
      turn += 3;
      s /= 8;
      continue;
    }
    double rounding =
        WEIGHTS * (DBL_EPSILON * top + q->noise) / (q->order == 1 ? s : s * s);
    next_row(q, number++, side, e);
    for (int k = 1; k < COLUMNS && k < number; k++) {
      if (!(e[k] + rounding < q->best))
        continue;
      q->best = e[k] + rounding;
      keep(q, k, rounding);
      *size = 0;
      for (size_t i = 0; i < q->n; i++)
        *size = brink__max(*size, fabs(q->out[i]) / one(i, q->unit));
    }
    if (q->best <= AGREE * *size || (number > 1 && rounding > q->best / 2))
      return;
  }
}

/* The derivatives in q->out, and what they are uncertain by in q->error.  One side
 * serves where the other has no values, or only so near that rounding spoils them. */
static int differentiate(quotient *q, double s)
{
  static const int sides[] = {BOTH, 1, -1};
  double size = 0;

  q->best = HUGE_VAL;
  for (size_t k = 0; k < BRINK__COUNT(sides) && !(q->best <= ROUGH * size); k++)
    extrapolate(q, s, sides[k], &size);
  return q->best < HUGE_VAL;
}

/* ------------------------------------------------- the solution's series ---- */

typedef struct point {
  brink__lie *l;
  int k;
  double t;
  const double *y;
  const double *d; /* along this direction, ... */
  int order;       /* ... the derivative of this order */
} point;

/* f on the line (t + s, y + s f). */
static int law_on_line(void *of, double s, double *values)
{
  point *p = of;
  brink__lie *l = p->l;

  for (size_t i = 0; i < l->flow.n; i++)
    l->y[i] = p->y[i] + s * p->d[i];
  return brink__lie_law(l, p->t + s, l->y, values) == 0;
}

/* The time in which a change by d per time moves a state by its size. */
static double span_of(const brink__lie *l, const double *y, const double *d)
{
  double span = HUGE_VAL;

  for (size_t i = 0; i < l->flow.n; i++)
    if (d[i] != 0)
      span = brink__min(span, brink__max(fabs(y[i]), l->unit[i]) / fabs(d[i]));
  return span < HUGE_VAL && span > 0 ? span : 1;
}

/* Where the states hardly move, laws and guards may still change with t. */
static double time_span(const brink__lie *l, const double *y)
{
  double span = span_of(l, y, l->f);

  return l->span > 0 ? brink__min(l->span, span) : span;
}

/* y + f s + f' s^2/2: into l->c; f is l->f. */
static int by_differences(brink__lie *l, double t, const double *y, int order)
{
  size_t n = l->flow.n;
  point p = {.l = l, .t = t, .y = y, .d = l->f};
  quotient q = {.fn = law_on_line,
                .of = &p,
                .n = n,
                .order = 1,
                .unit = l->unit,
                .at = l->slope,
                .d = l->slope + n,
                .row = l->slope + 2 * n,
                .out = l->c, /* moved to its place below */
                .error = l->error};

  if (brink__lie_law(l, t, y, l->f) != 0)
    return -1;
  l->degree = order >= 2 && differentiate(&q, PART * time_span(l, y)) ? 2 : 1;
  for (size_t i = n; i-- > 0;) {
    double curve = l->degree == 2 ? l->c[i] / 2 : 0, *c = l->c + i * ROW;
    c[2] = curve;
    c[3] = 0;
    l->error[i] = l->degree == 2 ? l->error[i] / 2 : 0;
  }
  for (size_t i = 0; i < n; i++) {
    l->c[i * ROW] = y[i];
    l->c[i * ROW + 1] = l->f[i];
  }
  return l->degree;
}

/* The solution in powers of time since t, into l->c; its degree, -1: not here. */
static int solution(brink__lie *l, double t, const double *y, int order)
{
  const brink_flow *flow = &l->flow;

  memset(l->error, 0, flow->n * sizeof *l->error);
  if (order < 2 || !flow->jet)
    return by_differences(l, t, y, order);
  if (flow->guarded && !flow->inside(flow, t, y))
    return -1;
  l->f_evals++;
  if (flow->jet(flow, t, 1, y, BRINK__LIE_ORDER, l->jet, l->c) != 0 ||
      !brink__all_finite(l->c, flow->n * ROW))
    return by_differences(l, t, y, order);
  for (size_t i = 0; i < flow->n; i++)
    l->f[i] = l->c[i * ROW + 1];
  return l->degree = BRINK__LIE_ORDER;
}

/* -------------------------------------------- the guard along the series ---- */

/* The guard on the polynomial. */
static int guard_on_series(void *of, double s, double *value)
{
  point *p = of;
  brink__lie *l = p->l;
  brink_err ignored;

  for (size_t i = 0; i < l->flow.n; i++) {
    const double *c = l->c + i * ROW;
    l->y[i] = c[0] + s * (c[1] + s * (c[2] + s * c[3]));
  }
  return brink__guard_value(&l->guards, p->k, p->t + s, l->y, value, &ignored) ==
         BRINK_OK;
}

/* Its rate there, where the model has a function for it. */
static int rate_on_series(void *of, double s, double *value)
{
  point *p = of;
  brink__lie *l = p->l;
  brink__guards *g = &l->guards;

  for (size_t i = 0; i < l->flow.n; i++) {
    const double *c = l->c + i * ROW;
    l->y[i] = c[0] + s * (c[1] + s * (c[2] + s * c[3]));
    l->slope[i] = c[1] + s * (2 * c[2] + s * 3 * c[3]);
  }
  g->evals++;
  return g->model->ops->guard_rate(g->model, g->live, g->mode, p->k, p->t + s, l->y,
                                   l->slope, value);
}

static int scalar(sample_fn *fn, point *p, int order, double s, double noise,
                  brink__estimate *out)
{
  double at, d, row[COLUMNS];
  quotient q = {.fn = fn,
                .of = p,
                .n = 1,
                .order = order,
                .noise = noise,
                .at = &at,
                .d = &d,
                .row = row,
                .out = &out->value,
                .error = &out->bound};

  return differentiate(&q, s);
}

/* What the error of the solution's square term does to the second derivative of the
 * guard: sum |dg/dy_i| 2 error_i, by differences over 2^-26 of each state. */
static double curve_error(brink__lie *l, const point *p, double g)
{
  double sum = 0, there;
  brink_err ignored;

  brink__copy(l->y, p->y, l->flow.n);
  for (size_t i = 0; i < l->flow.n; i++) {
    double s = 0x1p-26 * brink__max(fabs(p->y[i]), l->unit[i]);
    if (l->error[i] == 0)
      continue;
    l->y[i] = p->y[i] + s;
    if (brink__guard_value(&l->guards, p->k, p->t, l->y, &there, &ignored) == BRINK_OK)
      sum += fabs(there - g) / s * 2 * l->error[i];
    l->y[i] = p->y[i];
  }
  return sum;
}

/* What a value of the guard is rounded by: near its zero that is the rounding of its
 * arguments, which its own size does not tell. */
static double value_noise(brink__lie *l, const point *p)
{
  double delta;
  brink_err ignored;

  for (size_t i = 0; i < l->flow.n; i++)
    l->slope[i] = DBL_EPSILON * fabs(p->y[i]);
  return brink__guard_rounding(&l->guards, p->k, p->t, p->y, l->slope, BRINK__FAR,
                               &delta, &ignored) == BRINK_OK
             ? delta
             : 0;
}

/* From values, or from rates where there are any: the first derivative, or the second
 * as well. */
static int from_values(brink__lie *l, point *p, int order, brink__estimate *d)
{
  const brink__model_ops *ops = l->guards.model->ops;
  double s = PART * time_span(l, p->y);
  int rated = ops->guard_rate && rate_on_series(p, 0, &d[1].value);
  double noise = rated ? 0 : value_noise(l, p);

  if (rated)
    d[1].bound = 8 * DBL_EPSILON * fabs(d[1].value);
  else if (!scalar(guard_on_series, p, 1, s, noise, &d[1]))
    return 0;
  if (order < 2)
    return order;
  int found = rated ? scalar(rate_on_series, p, 1, s, 0, &d[2])
                    : scalar(guard_on_series, p, 2, s, noise, &d[2]);
  if (found)
    d[2].bound += curve_error(l, p, d[0].value);
  return 1 + found;
}

/* From the row of a state. */
static int from_row(const brink__lie *l, size_t state, int order, brink__estimate *d)
{
  const double *c = l->c + state * ROW;
  double factorial = 1;

  for (int j = 1; j <= order; j++) {
    factorial *= j;
    d[j].value = factorial * c[j];
    d[j].bound =
        8 * DBL_EPSILON * fabs(d[j].value) + (j == 2 ? 2 * l->error[state] : 0);
  }
  return order;
}

/* From the guard's own series, which is enclosed. */
static int from_enclosure(brink__lie *l, const point *p, double h, int order,
                          brink__estimate *d)
{
  brink__guards *g = &l->guards;
  brink_step step = {p->t, h, p->t + h, l->flow.n, BRINK__LIE_ORDER, l->c};
  double lo, hi, factorial = 1;

  for (int j = 1; j <= order; j++) {
    factorial *= j;
    g->evals++;
    if (!g->model->ops->guard_range(g->model, g->live, g->mode, p->k, &step, 0, 0, j,
                                    &lo, &hi))
      return j - 1;
    d[j].value = factorial * 0.5 * (lo + hi);
    d[j].bound = factorial * 0.5 * (hi - lo) + DBL_EPSILON * fabs(d[j].value);
  }
  return order;
}

int brink__lie_along(brink__lie *l, int k, double t, const double *y, int order,
                     brink__estimate *d)
{
  brink__guards *g = &l->guards;
  const brink__guard *info = &g->info[k];
  point p = {.l = l, .k = k, .t = t, .y = y};
  brink_err ignored;
  int known = 0;

  if (brink__guard_value(g, k, t, y, &d[0].value, &ignored) != BRINK_OK)
    return -1;
  d[0].bound = DBL_EPSILON * fabs(d[0].value) + info->noise;
  if (order == 0)
    return 0;
  int degree = solution(l, t, y, order);
  if (degree < 0)
    return -1;
  order = order < degree ? order : degree;
  if (info->form == BRINK__GUARD_STATE)
    return from_row(l, info->state, order, d);
  if (brink__guard_encloses(info->form))
    known = from_enclosure(l, &p, 1, order, d);
  return known < order && known < 2 ? from_values(l, &p, order < 2 ? order : 2, d)
                                    : known;
}

/* --------------------------------------------------- along a direction ---- */

/* L_f^order g at y + s d. */
static int derivative_on_line(void *of, double s, double *value)
{
  point *p = of;
  brink__lie *l = p->l;
  brink__estimate d[ROW];

  for (size_t i = 0; i < l->flow.n; i++)
    l->there[i] = p->y[i] + s * p->d[i];
  if (brink__lie_along(l, p->k, p->t, l->there, p->order, d) < p->order)
    return 0;
  *value = d[p->order].value;
  return 1;
}

int brink__lie_across(brink__lie *l, int k, double t, const double *y, int order,
                      const double *d, brink__estimate *out)
{
  const brink__guard *info = &l->guards.info[k];
  point p = {.l = l, .k = k, .t = t, .y = y, .d = d, .order = order};
  brink__estimate both[2];

  if (order == 0 && info->form == BRINK__GUARD_STATE) {
    *out = (brink__estimate){d[info->state], DBL_EPSILON * fabs(d[info->state])};
    return 1;
  }
  if (order == 0 && brink__guard_encloses(info->form)) {
    memset(l->c, 0, l->flow.n * ROW * sizeof *l->c);
    for (size_t i = 0; i < l->flow.n; i++) {
      l->c[i * ROW] = y[i];
      l->c[i * ROW + 1] = d[i];
    }
    if (from_enclosure(l, &p, 0, 1, both) == 1) {
      *out = both[1];
      return 1;
    }
  }
  return scalar(derivative_on_line, &p, 1, PART * span_of(l, y, d), 0, out);
}
