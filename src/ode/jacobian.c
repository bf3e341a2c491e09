/* jacobian.c -- see jacobian.h [CPR74].
 *
 * An increment is sqrt(eps) of the size of its unknown: there the error of a one-sided
 * difference, half of it rounding of F and half its curvature, is smallest.  What
 * counts as the size of a state near 0 is the value at which its absolute and its
 * relative tolerance are equal.
 *
 * Each state is moved the way that F moves it: just behind a place where F jumps, the
 * difference is then mostly taken on the side where the solution goes on.  Where such a
 * place may be near, both sides are asked and the smaller quotient is taken: across a
 * jump it is larger by orders.
 *
 * Where F does not exist (behind a unilateral guard, outside its domain) the increment
 * has the other sign: the difference is taken inward.  Columns of a group may need
 * different signs, and are then moved one by one.
 */
#include "ode/jacobian_inner.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* A first try that is refused on both sides is repeated this much nearer. */
static const double NEARER = 0x1p-8;

/* Between two ends of where F exists, as close as some roundings: so often a column
 * alone is tried to one side or the other, down to 2^-24 of its increment. */
enum { ATTEMPTS = 8 };

/* Relative tolerances below count as this when a size is derived from them: they say
 * that the absolute one alone matters. */
static const double SMALLEST_RTOL = 1e-8;

/* The size of an unknown of a loop near 0, which has no tolerance. */
static const double LOOP_UNIT = 1;

size_t brink__jacobian_nnz(const brink_flow *flow)
{
  size_t n = flow->n + flow->n_z;
  return flow->pattern ? flow->pattern->nnz : n * n;
}

size_t brink__jacobian_size(const brink_flow *flow)
{
  size_t n = flow->n + flow->n_z, need = brink__jacobian_head();

  return brink__need(
      need,
      BRINK__JACOBIAN_VECTORS * n * sizeof(double) + (5 * n + 2) * sizeof(int32_t), 1);
}

void brink__jacobian_open(brink__jacobian *j, const brink_flow *flow)
{
  *j = (brink__jacobian){.n = flow->n + flow->n_z};
  if (!flow->pattern)
    return;
  int32_t *start = brink__jacobian_arrays_of(j).start;
  memset(start, 0, (j->n + 1) * sizeof *start);
  for (size_t k = 0; k < flow->pattern->nnz; k++)
    start[flow->pattern->col[k] + 1]++;
  for (size_t i = 0; i < j->n; i++)
    start[i + 1] += start[i];
}

/* ------------------------------------------------------------- groups ---- */

/* Do the rows of column c have no other column in the group?  Then they have this one.
 */
static int joins(const brink__jacobian_arrays *a, const brink__places *p, int32_t c,
                 int32_t group)
{
  for (int32_t k = a->start[c]; k < a->start[c + 1]; k++)
    if (a->mark[p->row[k]] == group)
      return 0;
  for (int32_t k = a->start[c]; k < a->start[c + 1]; k++)
    a->mark[p->row[k]] = group;
  return 1;
}

/* Give each column the first group in which it shares no row; the number of groups. */
static size_t choose(const brink__jacobian_arrays *a, const brink__places *p)
{
  size_t placed = 0;
  int32_t group = 0;

  for (size_t i = 0; i < p->n; i++)
    a->mark[i] = a->group[i] = -1;
  for (; placed < p->n; group++)
    for (size_t c = 0; c < p->n; c++)
      if (a->group[c] < 0 && joins(a, p, (int32_t)c, group)) {
        a->group[c] = group;
        placed++;
      }
  return (size_t)group;
}

/* Columns in the order of their groups. */
static void sort(const brink__jacobian_arrays *a, size_t n, size_t n_groups)
{
  memset(a->first, 0, (n_groups + 1) * sizeof *a->first);
  for (size_t c = 0; c < n; c++)
    a->first[a->group[c] + 1]++;
  for (size_t g = 0; g < n_groups; g++)
    a->first[g + 1] += a->first[g];
  for (size_t c = 0; c < n; c++)
    a->order[a->first[a->group[c]]++] = (int32_t)c;
  for (size_t g = n_groups; g > 0; g--)
    a->first[g] = a->first[g - 1];
  a->first[0] = 0;
}

static void make_groups(brink__jacobian *j, const brink__places *p)
{
  brink__jacobian_arrays a = brink__jacobian_arrays_of(j);

  for (size_t c = 0; !p && c < j->n; c++)
    a.group[c] = (int32_t)c;
  j->n_groups = p ? choose(&a, p) : j->n;
  sort(&a, j->n, j->n_groups);
}

void brink__jacobian_both_sides(brink__jacobian *j, int yes) { j->both_sides = yes; }

size_t brink__jacobian_groups(brink__jacobian *j, const brink_flow *flow)
{
  if (j->n_groups == 0)
    make_groups(j, flow->pattern);
  return j->n_groups;
}

/* -------------------------------------------------------- differences ---- */

double brink__jacobian_increment(const brink__tol *tol, const brink_flow *flow,
                                 size_t i, double u)
{
  double rtol = fmax(tol->rtol, SMALLEST_RTOL);
  double unit =
      i >= flow->n ? LOOP_UNIT : (tol->atol_i ? tol->atol_i[i] : tol->atol) / rtol;
  double size = fmax(fabs(u), unit);

  return sqrt(DBL_EPSILON) * (size > DBL_MIN / DBL_EPSILON ? size : 1);
}

typedef struct quotients {
  const brink_flow *flow;
  brink__gate *gate;
  const double *u, *F0;
  double t;
  brink__jacobian_arrays a;
  double *entry;
  int both_sides;
} quotients;

/* Move columns [from, to) of the order by `part` of their increments, evaluate F. */
static brink_status move(const quotients *q, int32_t from, int32_t to, double part)
{
  for (int32_t k = from; k < to; k++) {
    int32_t c = q->a.order[k];
    q->a.u[c] = q->u[c] + part * q->a.delta[c];
  }
  return brink__residual(q->gate, q->t, q->a.u, q->a.F);
}

/* The columns as they were. */
static void put_back(const quotients *q, int32_t from, int32_t to)
{
  for (int32_t k = from; k < to; k++)
    q->a.u[q->a.order[k]] = q->u[q->a.order[k]];
}

/* A quotient, or the smaller one of it and of what was there. */
static void put(double *entry, double quotient, int smaller)
{
  if (!smaller || fabs(quotient) < fabs(*entry))
    *entry = quotient;
}

/* The quotients of these columns; smaller: where they are smaller. */
static void take(const quotients *q, int32_t from, int32_t to, int smaller)
{
  const brink__places *p = q->flow->pattern;
  size_t n = q->flow->n + q->flow->n_z;

  for (int32_t k = from; k < to; k++) {
    int32_t c = q->a.order[k];
    double d = q->a.u[c] - q->u[c]; /* as it was rounded */
    if (!p)
      for (size_t i = 0; i < n; i++)
        put(&q->entry[(size_t)c * n + i], (q->a.F[i] - q->F0[i]) / d, smaller);
    for (int32_t e = p ? q->a.start[c] : 0; p && e < q->a.start[c + 1]; e++)
      put(&q->entry[e], (q->a.F[p->row[e]] - q->F0[p->row[e]]) / d, smaller);
  }
}

/* Quotients to the other side, too, where F exists there. */
static brink_status other_side(const quotients *q, int32_t from, int32_t to)
{
  brink_status rc = move(q, from, to, -1);

  if (rc == BRINK_OK)
    take(q, from, to, 1);
  return rc == BRINK_EDOMAIN ? BRINK_OK : rc;
}

/* Quotients of these columns to one side or the other, together or else one by one. */
static brink_status differ(const quotients *q, int32_t from, int32_t to)
{
  brink_status rc = BRINK_EDOMAIN;
  double part = 1;
  int tries = 0;

  for (; tries < (to - from == 1 ? ATTEMPTS : 2) && rc == BRINK_EDOMAIN; tries++) {
    rc = move(q, from, to, part);
    part *= tries % 2 ? -NEARER : -1;
  }
  if (rc == BRINK_OK)
    take(q, from, to, 0);
  if (rc == BRINK_OK && tries == 1 && q->both_sides)
    rc = other_side(q, from, to);
  put_back(q, from, to);
  if (rc != BRINK_EDOMAIN || to - from == 1)
    return rc;
  rc = BRINK_OK;
  for (int32_t k = from; k < to && rc == BRINK_OK; k++)
    rc = differ(q, k, k + 1);
  return rc;
}

static brink_status by_differences(brink__jacobian *j, brink__gate *gate,
                                   const brink__tol *tol, double t, const double *u,
                                   const double *F, double *entry)
{
  const brink_flow *flow = gate->flow;
  quotients q = {flow,  gate,         u, F, t, brink__jacobian_arrays_of(j),
                 entry, j->both_sides};
  size_t n_groups = brink__jacobian_groups(j, flow);
  brink_status rc = BRINK_OK;

  memcpy(q.a.u, u, j->n * sizeof *u);
  for (size_t i = 0; i < j->n; i++)
    q.a.delta[i] = copysign(brink__jacobian_increment(tol, flow, i, u[i]), F[i]);
  for (size_t g = 0; g < n_groups && rc == BRINK_OK; g++)
    rc = differ(&q, q.a.first[g], q.a.first[g + 1]);
  return rc;
}

/* The entries that the flow has; BRINK_LIMIT: none here. */
static brink_status from_flow(brink__gate *gate, double t, const double *u,
                              const double *F, double *entry)
{
  const brink_flow *flow = gate->flow;
  int rc = flow->jacobian ? flow->jacobian(flow, t, u, entry) : 1;

  if (rc < 0) {
    brink_status status = brink__refused(gate, rc, t, u, F);
    gate->in_jacobian = 1;
    return status;
  }
  if (rc > 0)
    return BRINK_LIMIT;
  size_t nnz = brink__jacobian_nnz(flow), bad = brink__first_bad(entry, nnz),
         N = flow->n;
  if (bad == nnz)
    return BRINK_OK;
  const brink__places *p = flow->pattern;
  return brink__wrong_jacobian(gate, t,
                               (brink__claim){.row = p ? (size_t)p->row[bad] : bad % N,
                                              .col = p ? (size_t)p->col[bad] : bad / N,
                                              .claimed = entry[bad],
                                              .found = nan("")});
}

brink_status brink__jacobian_at(brink__jacobian *j, brink__gate *gate,
                                const brink__tol *tol, double t, const double *u,
                                const double *F, double *entry)
{
  gate->jacobians++;
  brink_status rc = from_flow(gate, t, u, F, entry);
  if (rc == BRINK_LIMIT)
    rc = by_differences(j, gate, tol, t, u, F, entry);
  return rc == BRINK_OK && gate->flow->by_user
             ? brink__jacobian_check(j, gate, tol, t, u, F, entry)
             : rc;
}
