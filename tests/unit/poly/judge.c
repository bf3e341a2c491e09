/* judge.c -- see judge.h */
#include "check.h"
#include "judge.h"

#include <math.h>
#include <stdio.h>

typedef struct court {
  exact *e;
  const brink__poly *p;
  double from, tol;
  const brink__root *r;
  int n;
} court;

static void guilty(const court *c, int i, const char *why)
{
  print_error("root %d of %d: %s\nform %d delta %.17g from %.17g tol %g coefficients",
              i, c->n, why, (int)c->p->form, c->p->delta, c->from, c->tol);
  for (int k = 0; k <= c->p->degree; k++)
    print_error(" %a,", c->p->c[k]);
  print_error("\n");
  for (int k = 0; k < c->n; k++)
    print_error("  kind %d [%.17g, %.17g] band [%.17g, %.17g] signs %d %d\n",
                (int)c->r[k].kind, c->r[k].lo, c->r[k].hi, c->r[k].band_lo,
                c->r[k].band_hi, c->r[k].sign_before, c->r[k].sign_after);
  fail();
}

static int sign_of(double v) { return (v > 0) - (v < 0); }

/* -------------------------------------------------------- one root ---- */

static void judge_crossing(const court *c, int i)
{
  const brink__root *r = &c->r[i];
  double ulp = c->p->form == BRINK__CHEBYSHEV ? 0x1p-52 : r->hi * 0x1p-52 + 0x1p-1074;
  double before = brink__poly_eval(c->p, r->lo);

  if (sign_of(before) != r->sign_before && before != 0)
    guilty(c, i, "wrong sign at lo");
  if (sign_of(brink__poly_eval(c->p, r->hi)) != r->sign_after)
    guilty(c, i, "wrong sign at hi");
  if (!(r->lo < r->hi) || r->hi - r->lo > fmax(c->tol, 4 * ulp))
    guilty(c, i, "bracket too wide");
  if (r->sign_before * r->sign_after != -1)
    guilty(c, i, "a crossing changes the sign");
}

static void judge_kind(const court *c, int i)
{
  const brink__root *r = &c->r[i];
  double bound = BRINK__BAND_FUZZ * brink__poly_bound(c->p, r->lo) + 1e-290;

  switch (r->kind) {
  case BRINK__CROSSING: judge_crossing(c, i); break;
  case BRINK__TOUCH:
    if (r->sign_before == 0 || r->sign_before != r->sign_after)
      guilty(c, i, "a touch keeps the sign");
    if (fabs(exact_value(c->e, r->lo)) > bound)
      guilty(c, i, "an invented touch");
    break;
  case BRINK__AT_START:
    if (i != 0 || r->lo != c->from || r->sign_before != 0 || r->sign_after == 0)
      guilty(c, i, "not a start");
    if (fabs(exact_value(c->e, r->lo)) > bound)
      guilty(c, i, "an invented start");
    break;
  case BRINK__AT_END:
    if (i != c->n - 1 || r->hi != 1 || r->sign_before == 0 || r->sign_after != 0)
      guilty(c, i, "not an end");
    if (fabs(exact_value(c->e, 1)) > BRINK__BAND_FUZZ * brink__poly_bound(c->p, 1))
      guilty(c, i, "an invented end");
    break;
  case BRINK__EVERYWHERE:
    if (c->n != 1 || r->lo != c->from || r->hi != 1)
      guilty(c, i, "not everywhere");
    break;
  }
}

/* exact signs at the edges, values inside */
static void judge_band(const court *c, int i)
{
  const brink__root *r = &c->r[i];
  enum { SAMPLES = 24 };

  if (!(r->band_lo <= r->lo && r->lo <= r->hi && r->hi <= r->band_hi))
    guilty(c, i, "root outside its band");
  if (r->sign_before && exact_sign(c->e, r->band_lo) != r->sign_before)
    guilty(c, i, "wrong sign before the band");
  if (r->sign_after && exact_sign(c->e, r->band_hi) != r->sign_after)
    guilty(c, i, "wrong sign after the band");
  double ulps = 8 * (c->p->form == BRINK__CHEBYSHEV ? 0x1p-52 : r->hi * 0x1p-52);
  if (r->band_hi - r->band_lo <= ulps)
    return; /* as narrow as x can tell */
  for (int k = 0; k <= SAMPLES; k++) {
    double x = r->band_lo + (r->band_hi - r->band_lo) * k / SAMPLES;
    double tol = c->tol > 0 ? r->hi - r->lo : -1;
    if (x >= r->lo - tol && x <= r->hi + tol)
      continue; /* the tolerance, not the band */
    double bound = brink__poly_bound(c->p, fmin(x + ulps, 1));
    double slack = fabs(brink__poly_slope(c->p, x)) * ulps;
    if (fabs(brink__poly_eval(c->p, x)) > BRINK__BAND_FUZZ * bound + slack + 1e-290)
      guilty(c, i, "the band holds what is not near zero");
  }
}

/* ----------------------------------------------------- between roots ---- */

static void judge_gaps(const court *c, int sturm)
{
  double at = c->from;
  int sign = 0;

  for (int i = 0; i <= c->n; i++) {
    double to = i < c->n ? c->r[i].band_lo : 1;
    int next = i < c->n ? c->r[i].sign_before : exact_sign(c->e, 1);
    if (to < at)
      guilty(c, i, "out of order");
    int whole = i > 0 && c->r[i - 1].sign_after == 0;
    if (i > 0 && i < c->n && sign != next)
      guilty(c, i, "signs do not chain");
    if (sturm && !whole && next != 0 && exact_sign(c->e, at) && exact_sign(c->e, to) &&
        exact_count(c->e, at, to) != 0)
      guilty(c, i, "a root was lost before this one");
    if (!whole && next != 0 && exact_sign(c->e, at) != next)
      guilty(c, i, "wrong sign in the gap before this root");
    if (i < c->n)
      at = c->r[i].band_hi, sign = c->r[i].sign_after;
  }
}

static void count(const court *c, int sturm, tally *t)
{
  t->polys++;
  t->roots += c->n;
  int inside = 0;
  if (sturm && exact_sign(c->e, c->from) && exact_sign(c->e, 1))
    t->true_roots += inside = exact_count(c->e, c->from, 1);
  t->merged += inside > c->n;
  for (int i = 0; i < c->n; i++) {
    t->crossings += c->r[i].kind == BRINK__CROSSING;
    t->touches += c->r[i].kind == BRINK__TOUCH;
    t->starts += c->r[i].kind == BRINK__AT_START;
    t->ends += c->r[i].kind == BRINK__AT_END;
    t->everywhere += c->r[i].kind == BRINK__EVERYWHERE;
  }
}

void judge(exact *e, const brink__poly *p, double from, double tol, int sturm, tally *t)
{
  brink__root roots[2 * EXACT_MAX];
  int complete, sign;
  court c = {e, p, from, tol, roots, 0};

  exact_set(e, p);
  if (sturm)
    exact_sturm(e);
  c.n = brink__poly_roots(p, from, tol, roots, 2 * EXACT_MAX, &complete);
  if (!complete)
    guilty(&c, -1, "not complete");
  for (int i = 0; i < c.n; i++) {
    judge_kind(&c, i);
    judge_band(&c, i);
  }
  judge_gaps(&c, sturm);
  if (brink__poly_excluded(p, from, &sign)) {
    if (c.n != 0 || sign != exact_sign(e, 1))
      guilty(&c, -1, "excluded, but it has roots or another sign");
  }
  count(&c, sturm, t);
}
