/* jacobian.c -- see jacobian.h [CPR74].
 *
 * An increment is sqrt(eps) of the size of its unknown: there the error of a one-sided
 * difference, half of it rounding of F and half its curvature, is smallest.  What
 * counts as the size of a state near 0 is the value at which its absolute and its
 * relative tolerance are equal.
 *
 * Where F does not exist (behind a unilateral guard, outside its domain) the increment
 * has the other sign: the difference is taken inward.  Columns of a group may need
 * different signs, and are then moved one by one.
 */
#include "ode/jacobian.h"

#include <float.h>
#include <math.h>
#include <string.h>

struct brink__jacobian {
  size_t n;        /* n + n_z                                                        */
  size_t n_groups; /* of columns; 0: not known yet                                   */
};

/* The arrays behind the head. */
typedef struct arrays {
  double *u;      /* [n] the point that is moved                                     */
  double *F;      /* [n] there                                                       */
  double *delta;  /* [n] increments                                                  */
  int32_t *start; /* [n + 1] first entry of each column                              */
  int32_t *first; /* [n + 1] first column of each group, in ...                      */
  int32_t *order; /* [n] ... this order                                              */
  int32_t *mark;  /* [n] of rows: the group that was seen there last                 */
  int32_t *group; /* [n] of each column                                              */
} arrays;

/* A first try that is refused on both sides is repeated this much nearer. */
static const double NEARER = 0x1p-8;

/* Relative tolerances below count as this when a size is derived from them: they say
 * that the absolute one alone matters. */
static const double SMALLEST_RTOL = 1e-8;

/* The size of an unknown of a loop near 0, which has no tolerance. */
static const double LOOP_UNIT = 1;

static size_t head_size(void) { return brink__need(0, 1, sizeof(brink__jacobian)); }

static arrays arrays_of(brink__jacobian *j)
{
  double *d = (double *)(void *)((unsigned char *)j + head_size());
  int32_t *i = (int32_t *)(void *)(d + 3 * j->n);

  return (arrays){.u = d,
                  .F = d + j->n,
                  .delta = d + 2 * j->n,
                  .start = i,
                  .first = i + (j->n + 1),
                  .order = i + 2 * (j->n + 1),
                  .mark = i + 2 * (j->n + 1) + j->n,
                  .group = i + 2 * (j->n + 1) + 2 * j->n};
}

size_t brink__jacobian_nnz(const brink_flow *flow)
{
  size_t n = flow->n + flow->n_z;
  return flow->pattern ? flow->pattern->nnz : n * n;
}

size_t brink__jacobian_size(const brink_flow *flow)
{
  size_t n = flow->n + flow->n_z, need = head_size();

  return brink__need(need, 3 * n * sizeof(double) + (5 * n + 2) * sizeof(int32_t), 1);
}

void brink__jacobian_open(brink__jacobian *j, const brink_flow *flow)
{
  *j = (brink__jacobian){.n = flow->n + flow->n_z};
  if (!flow->pattern)
    return;
  int32_t *start = arrays_of(j).start;
  memset(start, 0, (j->n + 1) * sizeof *start);
  for (size_t k = 0; k < flow->pattern->nnz; k++)
    start[flow->pattern->col[k] + 1]++;
  for (size_t i = 0; i < j->n; i++)
    start[i + 1] += start[i];
}

/* ------------------------------------------------------------- groups ---- */

/* Do the rows of column c have no other column in the group?  Then they have this one.
 */
static int joins(const arrays *a, const brink__places *p, int32_t c, int32_t group)
{
  for (int32_t k = a->start[c]; k < a->start[c + 1]; k++)
    if (a->mark[p->row[k]] == group)
      return 0;
  for (int32_t k = a->start[c]; k < a->start[c + 1]; k++)
    a->mark[p->row[k]] = group;
  return 1;
}

/* Give each column the first group in which it shares no row; the number of groups. */
static size_t choose(const arrays *a, const brink__places *p)
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
static void sort(const arrays *a, size_t n, size_t n_groups)
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
  arrays a = arrays_of(j);

  for (size_t c = 0; !p && c < j->n; c++)
    a.group[c] = (int32_t)c;
  j->n_groups = p ? choose(&a, p) : j->n;
  sort(&a, j->n, j->n_groups);
}

size_t brink__jacobian_groups(brink__jacobian *j, const brink_flow *flow)
{
  if (j->n_groups == 0)
    make_groups(j, flow->pattern);
  return j->n_groups;
}

/* -------------------------------------------------------- differences ---- */

static double increment(const brink__tol *tol, size_t n, size_t i, double u)
{
  double rtol = fmax(tol->rtol, SMALLEST_RTOL);
  double unit = i >= n ? LOOP_UNIT : (tol->atol_i ? tol->atol_i[i] : tol->atol) / rtol;
  double size = fmax(fabs(u), unit);

  return sqrt(DBL_EPSILON) * (size > DBL_MIN / DBL_EPSILON ? size : 1);
}

typedef struct quotients {
  const brink_flow *flow;
  brink__gate *gate;
  const double *u, *F0;
  double t;
  arrays a;
  double *entry;
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

/* The columns as they were, and their quotients. */
static void take(const quotients *q, int32_t from, int32_t to)
{
  const brink__places *p = q->flow->pattern;
  size_t n = q->flow->n + q->flow->n_z;

  for (int32_t k = from; k < to; k++) {
    int32_t c = q->a.order[k];
    double d = q->a.u[c] - q->u[c]; /* as it was rounded */
    if (!p)
      for (size_t i = 0; i < n; i++)
        q->entry[(size_t)c * n + i] = (q->a.F[i] - q->F0[i]) / d;
    for (int32_t e = p ? q->a.start[c] : 0; p && e < q->a.start[c + 1]; e++)
      q->entry[e] = (q->a.F[p->row[e]] - q->F0[p->row[e]]) / d;
    q->a.u[c] = q->u[c];
  }
}

/* Quotients of these columns to one side or the other, together or else one by one. */
static brink_status differ(const quotients *q, int32_t from, int32_t to)
{
  brink_status rc = BRINK_EDOMAIN;
  double part = 1;

  for (int k = 0; k < (to - from == 1 ? 4 : 2) && rc == BRINK_EDOMAIN; k++) {
    rc = move(q, from, to, part);
    part = k == 1 ? NEARER : -part;
  }
  if (rc == BRINK_OK || to - from == 1 || rc != BRINK_EDOMAIN) {
    take(q, from, to);
    return rc;
  }
  for (int32_t k = from; k < to; k++)
    q->a.u[q->a.order[k]] = q->u[q->a.order[k]];
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
  quotients q = {flow, gate, u, F, t, arrays_of(j), entry};
  size_t n_groups = brink__jacobian_groups(j, flow);
  brink_status rc = BRINK_OK;

  memcpy(q.a.u, u, j->n * sizeof *u);
  for (size_t i = 0; i < j->n; i++)
    q.a.delta[i] = increment(tol, flow->n, i, u[i]);
  for (size_t g = 0; g < n_groups && rc == BRINK_OK; g++)
    rc = differ(&q, q.a.first[g], q.a.first[g + 1]);
  return rc;
}

brink_status brink__jacobian_at(brink__jacobian *j, brink__gate *gate,
                                const brink__tol *tol, double t, const double *u,
                                const double *F, double *entry)
{
  const brink_flow *flow = gate->flow;

  gate->jacobians++;
  if (flow->jacobian) {
    int rc = flow->jacobian(flow, t, u, entry);
    if (rc < 0)
      return brink__refused(gate, rc, t, u, F);
    if (rc == 0 && brink__all_finite(entry, brink__jacobian_nnz(flow)))
      return BRINK_OK;
  }
  return by_differences(j, gate, tol, t, u, F, entry);
}
