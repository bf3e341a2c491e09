/* jacobian_check.c -- is what a user says about df/dy true?
 *
 * Along a random direction d, J d is compared with f(u + d) - f(u).  Where they differ,
 * f(u) - f(u - d) is asked, too: where f bends or has a kink, J d lies between the two,
 * but for rounding.  This costs one evaluation of f, or two, whatever n is, and sees a
 * wrong entry as well as one that is not in the pattern.  If a component disagrees, its
 * entries are looked at one by one.
 *
 * Every matrix is looked at, along another direction each time: entries that become
 * wrong in the course of a run may make the increments of Newton's method vanish, which
 * then takes anything for solved.
 */
#include "ode/jacobian_inner.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Directions that are tried for the first matrix of a run: of a row with two wrong
 * entries, one may hide both. */
enum { FIRST_DIRECTIONS = 2 };

/* Increments here over those of difference quotients: what is lost to curvature is seen
 * by the two sides, so that more may be gained over rounding. */
static const double LONGER = 8;

/* A row is wrong if J d misses the differences by more than this part of the sum of its
 * terms: entries with an error that slows down Newton's method. */
static const double WRONG = 1e-4;

/* Rounding of f, in units of that of the terms J_ij u_j. */
static const double ROUNDINGS = 64;

typedef struct check {
  brink__gate *gate;
  const brink__places *p; /* or NULL: all places */
  size_t n;
  double t;
  const double *u, *F, *entry;
  brink__jacobian_arrays a;
} check;

/* splitmix64: a number of either sign, from 1 to 2 in size, that repeats from run to
 * run. Sizes differ because differences of columns that were moved together add what
 * does not belong to them as if both had moved alike. */
static double random_part(uint64_t *seed)
{
  uint64_t z = (*seed += 0x9e3779b97f4a7c15u);

  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  z ^= z >> 31;
  return (1 + (double)(z >> 12) * 0x1p-52) * (z & 1 ? 1 : -1);
}

/* J d, and what rounding and a small error of its entries may change it by. */
static void multiply(const check *c)
{
  size_t nnz = c->p ? c->p->nnz : c->n * c->n;

  for (size_t i = 0; i < c->n; i++) {
    c->a.claim[i] = 0;
    c->a.bound[i] = ROUNDINGS * DBL_EPSILON * fabs(c->F[i]);
  }
  for (size_t k = 0; k < nnz; k++) {
    size_t i = c->p ? (size_t)c->p->row[k] : k % c->n;
    size_t j = c->p ? (size_t)c->p->col[k] : k / c->n;
    double v = c->entry[k];
    c->a.claim[i] += v * c->a.d[j];
    c->a.bound[i] +=
        WRONG * fabs(v * c->a.d[j]) + ROUNDINGS * DBL_EPSILON * fabs(v * c->u[j]);
  }
}

/* f(u + part d) - f(u) goes into out. */
static brink_status change(const check *c, double part, double *out)
{
  for (size_t i = 0; i < c->n; i++)
    c->a.u[i] = c->u[i] + part * c->a.d[i];
  BRINK_TRY(brink__f(c->gate, c->t, c->a.u, c->a.F));
  for (size_t i = 0; i < c->n; i++)
    out[i] = part * (c->a.F[i] - c->F[i]);
  return BRINK_OK;
}

/* By how much component i of J d misses both differences, in units of what it may: its
 * bound, and what the differences disagree by, so that noise of f is no fault of J. */
static double miss(const check *c, size_t i)
{
  double lo = fmin(c->a.change[i], c->a.lower[i]);
  double hi = fmax(c->a.change[i], c->a.lower[i]);
  double by = fmax(lo - c->a.claim[i], c->a.claim[i] - hi);

  return by > 0 ? by / fmax(c->a.bound[i] + (hi - lo), DBL_MIN) : 0;
}

/* The component that J d misses most, n: none. */
static size_t worst_row(const check *c)
{
  size_t worst = c->n;
  double top = 1;

  for (size_t i = 0; i < c->n; i++)
    if (miss(c, i) > top) {
      top = miss(c, i);
      worst = i;
    }
  return worst;
}

/* Along d.  BRINK_EDOMAIN: f does not exist on both sides, nothing can be said. */
static brink_status compare(const check *c)
{
  multiply(c);
  BRINK_TRY(change(c, 1, c->a.change));
  memcpy(c->a.lower, c->a.change, c->n * sizeof *c->a.lower);
  return worst_row(c) < c->n ? change(c, -1, c->a.lower) : BRINK_OK;
}

/* Is entry (i, j) wrong?  Then the gate says so. */
static brink_status check_entry(const check *c, size_t i, size_t j, int outside)
{
  for (size_t k = 0; k < c->n; k++)
    c->a.d[k] = k == j ? c->a.delta[k] : 0;
  brink_status rc = compare(c);
  if (rc < 0 || !(miss(c, i) > 1))
    return rc == BRINK_EUSER ? rc : BRINK_OK;
  return brink__wrong_jacobian(
      c->gate, c->t,
      (brink__claim){.row = i,
                     .col = j,
                     .outside = outside,
                     .claimed = c->a.claim[i] / c->a.d[j],
                     .found = (c->a.change[i] + c->a.lower[i]) / 2 / c->a.d[j]});
}

/* Component i is wrong along a direction: which entry is to blame?  Those of
 * differences are what the pattern makes of them. */
static brink_status find_entry(const check *c, size_t i)
{
  unsigned char *listed = (unsigned char *)c->a.mark; /* [n] columns of row i */

  memset(listed, !c->p, c->n);
  for (size_t k = 0; c->p && k < c->p->nnz; k++)
    if ((size_t)c->p->row[k] == i)
      listed[c->p->col[k]] = 1;
  for (size_t j = 0; c->gate->flow->jacobian && j < c->n; j++)
    if (listed[j])
      BRINK_TRY(check_entry(c, i, j, 0));
  for (size_t j = 0; j < c->n; j++)
    if (!listed[j])
      BRINK_TRY(check_entry(c, i, j, 1));
  return BRINK_OK;
}

brink_status brink__jacobian_check(brink__jacobian *j, brink__gate *gate,
                                   const brink__tol *tol, double t, const double *u,
                                   const double *F, const double *entry)
{
  const brink_flow *flow = gate->flow;
  check c = {gate, flow->pattern, j->n, t, u, F, entry, brink__jacobian_arrays_of(j)};
  int directions = j->checked ? 1 : FIRST_DIRECTIONS;

  j->checked = 1;
  for (int k = 0; k < directions; k++) {
    for (size_t i = 0; i < c.n; i++)
      c.a.d[i] = c.a.delta[i] = LONGER * random_part(&j->seed) *
                                brink__jacobian_increment(tol, flow, i, u[i]);
    brink_status rc = compare(&c);
    if (rc == BRINK_EUSER)
      return rc;
    size_t i = rc == BRINK_OK ? worst_row(&c) : c.n;
    if (i < c.n)
      BRINK_TRY(find_entry(&c, i));
  }
  return BRINK_OK;
}
