/* isolate.c -- the default locator: all zeros of the guard's polynomial.
 *
 * Each guard along the step is a polynomial (guards.h); most are excluded by
 * bounds, the others isolated in Bernstein form (poly/) and every crossing refined
 * on values of the guard itself, so that g = u^3 is located where u is.  What is
 * proved is proved about the step polynomial.
 *
 * The memory of a guard's sign decides what counts: a guard inside its zero band
 * at a restart has none and takes the first sign outside; a guard that the last
 * step left inside the band keeps the sign it came with, so a zero exactly between
 * two steps is found by the second.
 */
#include "event/interval_roots.h"
#include "event/locator.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Roots of one guard in one step that are found at once; if there are more, the step is
 * searched again from the last of them. */
enum { ROOTS = 16 };

/* A guard that ends inside its band is followed so far past the end of the step: far
 * beyond any band, and the polynomial is as good there as at the end. */
static const double PAST_END = 0x1p-10;

/* A polynomial that starts on a simple zero is evaluated here first, and slopes at the
 * start are differences over this part of the step: large against the rounding of
 * theta, small against what a step's polynomial bends over. */
static const double FIRST_LOOK = 0x1p-20;

/* A step's polynomial is used up to one step before its start to place a zero that lies
 * there; beyond, an interpolant is an extrapolation. */
static const double BACK = 1;

/* A zero of the polynomial is looked at through the guard's own expression if that is
 * known so many times better there. */
static const double OWN_PART = 8;

typedef struct search {
  brink__guards *g;
  const brink_step *step;
  const brink__locate *how;
  brink__hits *hits;
  brink_err *err;
  int k;                 /* guard ...                                       */
  const brink__watch *w; /* ... and what is remembered of it */
  int sign;              /* carried along, 0: unknown                       */
  double reach;          /* beyond this, zeros of some guard may be missing */
} search;

static brink_side side_of(const search *s)
{
  return s->g->model->ops->guard_side(s->g->model, s->g->live, s->g->mode, s->k);
}

static void add(search *s, brink_kind kind, int dir, double theta, double width,
                double band_lo, double band_hi)
{
  brink__hits_add(s->hits, &(brink__hit){s->k, kind, dir, theta, width,
                                         brink__min(band_lo, theta),
                                         brink__max(band_hi, theta)});
}

/* ----------------------------------------------------------- crossings --- */

/* Old sign at lo, new sign at hi on the polynomial; make it true of the guard. */
static brink_status bracket(search *s, const brink__root *r, double *lo, double *hi)
{
  double value;

  *lo = r->lo;
  *hi = r->hi;
  BRINK_TRY(brink__guard_at(s->g, s->k, s->step, *hi, &value, s->err));
  if (value * r->sign_after <= 0) {
    *hi = r->band_hi;
    BRINK_TRY(brink__guard_at(s->g, s->k, s->step, *hi, &value, s->err));
    for (double d = 0x1p-52; value * r->sign_after <= 0 && *hi < 1; d *= 4) {
      *hi = fmin(1, *hi + d);
      BRINK_TRY(brink__guard_at(s->g, s->k, s->step, *hi, &value, s->err));
    }
  }
  BRINK_TRY(brink__guard_at(s->g, s->k, s->step, *lo, &value, s->err));
  if (value * r->sign_after > 0) {
    *lo = r->band_lo;
    BRINK_TRY(brink__guard_at(s->g, s->k, s->step, *lo, &value, s->err));
    for (double d = 0x1p-52; value * r->sign_after > 0 && *lo > s->how->from; d *= 4) {
      *lo = fmax(s->how->from, *lo - d);
      BRINK_TRY(brink__guard_at(s->g, s->k, s->step, *lo, &value, s->err));
    }
  }
  return BRINK_OK;
}

/* r: the zero as it is known best; shown: as the polynomial, which gives the nearer
 * bracket, has shown it. */
static brink_status crossing(search *s, const brink__root *r, const brink__root *shown)
{
  double lo = r->lo, hi = r->hi, theta, g_lo, g_hi;

  if (s->g->info[s->k].form != BRINK__GUARD_STATE) {
    BRINK_TRY(bracket(s, shown, &lo, &hi));
    if (hi - lo > fmax(s->how->tol, 0x1p-50 * hi))
      BRINK_TRY(brink__guard_refine(s->g, s->k, s->step, r->sign_after, s->how->tol,
                                    &lo, &hi, s->err));
  }
  brink_side side = side_of(s);
  theta = side == BRINK_BEFORE ? lo : hi;
  if (side == BRINK_NEAREST) {
    BRINK_TRY(brink__guard_at(s->g, s->k, s->step, lo, &g_lo, s->err));
    BRINK_TRY(brink__guard_at(s->g, s->k, s->step, hi, &g_hi, s->err));
    theta = fabs(g_lo) < fabs(g_hi) ? lo : hi;
  }
  add(s, BRINK_KIND_CROSSING, r->sign_after, theta, hi - lo, r->band_lo, r->band_hi);
  s->sign = r->sign_after;
  return BRINK_OK;
}

/* The last step ended inside its band, and the sign is `after` in this one.  If the
 * guard itself has it at lo already, its zero lies before: *more is how far, looked for
 * back along the polynomial, or else twice as far as the line through hi says. */
static brink_status before_start(search *s, double lo, double hi, int after,
                                 double *more)
{
  double a, b, rounding = DBL_EPSILON * brink__max(1, fabs(s->step->t0 / s->step->h));
  brink_err ignored;

  *more = 0;
  BRINK_TRY(brink__guard_at(s->g, s->k, s->step, lo, &a, s->err));
  for (double d = rounding; a * after > 0 && d <= BACK; d *= 2) {
    if (brink__guard_at(s->g, s->k, s->step, lo - d, &b, &ignored) < 0)
      break;
    if (b * after <= 0) {
      *more = d;
      return BRINK_OK;
    }
  }
  BRINK_TRY(brink__guard_at(s->g, s->k, s->step, hi, &b, s->err));
  if (a * after > 0 && (b - a) * after > 0)
    *more = 2 * (hi - lo) * a / (b - a);
  return BRINK_OK;
}

/* The step starts inside the band. */
static brink_status at_start(search *s, const brink__root *r)
{
  int was = s->sign, after = r->sign_after;

  if (after == 0)
    return BRINK_OK;
  s->sign = after;
  if (was == 0) {
    s->hits->start_sign[s->k] = (signed char)after;
    return BRINK_OK;
  }
  if (was == after) {
    if (s->w->banded && !s->w->fresh) /* it came in with the same sign */
      add(s, BRINK_KIND_TOUCH, after, r->lo, r->hi - r->lo, r->lo, r->lo);
    return BRINK_OK;
  }
  if (s->w->fresh) { /* it changes at 0+: the event is at the restart itself */
    add(s, BRINK_KIND_CROSSING, after, r->lo, r->hi - r->lo, r->lo, r->lo);
    return BRINK_OK;
  }
  double lo = r->lo, hi = r->hi, more;
  BRINK_TRY(before_start(s, lo, hi, after, &more));
  BRINK_TRY(
      brink__guard_refine(s->g, s->k, s->step, after, s->how->tol, &lo, &hi, s->err));
  add(s, BRINK_KIND_CROSSING, after, hi, hi - lo + more, r->lo, hi);
  return BRINK_OK;
}

/* The sign d past the end, by the polynomial, or where there is none by the guard's own
 * expression; 0: rounding hides it. */
static int sign_past_end(const search *s, const brink__poly *p, double d)
{
  if (!p)
    return brink__guard_sign(s->g, s->k, s->step, 1 + d);
  double value = brink__poly_eval(p, 1 + d), bound = brink__poly_bound(p, 1);
  return (value > bound) - (value < -bound);
}

/* The step ends inside the band.  If nothing follows that could decide, look past
 * the end. */
static void at_end(search *s, const brink__root *r, const brink__poly *p)
{
  s->hits->band[s->k] = BRINK__ENDS_IN_BAND;
  if (!s->how->decide)
    return;
  for (double d = 0x1p-50; d <= PAST_END; d *= 2) {
    int after = sign_past_end(s, p, d);
    if (!after)
      continue;
    if (s->sign && after != s->sign)
      add(s, BRINK_KIND_CROSSING, after, 1, 1 - r->lo, r->lo, 1);
    else if (s->sign)
      add(s, BRINK_KIND_TOUCH, after, 1, 1 - r->lo, r->lo, 1);
    s->hits->band[s->k] = BRINK__OUTSIDE_BAND;
    return;
  }
}

/* A sign that holds from the start on. */
static brink_status constant(search *s, int sign)
{
  double from = s->how->from, more = 0;

  if (s->sign == 0)
    s->hits->start_sign[s->k] = (signed char)sign;
  else if (sign != s->sign) {
    if (!s->w->fresh)
      BRINK_TRY(before_start(s, from, from + (1 - from) * FIRST_LOOK, sign, &more));
    add(s, BRINK_KIND_CROSSING, sign, from, more, from, from);
  }
  s->sign = sign;
  return BRINK_OK;
}

static brink_status take(search *s, const brink__root *r, const brink__root *shown,
                         const brink__poly *p, int first)
{
  /* beyond its guard already at the start, without a zero that explains it */
  if (first && r->kind != BRINK__AT_START && r->kind != BRINK__EVERYWHERE)
    BRINK_TRY(constant(s, r->sign_before));
  switch (r->kind) {
  case BRINK__CROSSING: return crossing(s, r, shown);
  case BRINK__TOUCH:
    add(s, BRINK_KIND_TOUCH, r->sign_after, r->hi,
        fmax(r->hi - r->band_lo, r->band_hi - r->hi), r->band_lo, r->band_hi);
    return BRINK_OK;
  case BRINK__AT_START: return at_start(s, r);
  case BRINK__AT_END: at_end(s, r, p); return BRINK_OK;
  case BRINK__EVERYWHERE: s->hits->band[s->k] = BRINK__NEVER_LEFT_BAND; return BRINK_OK;
  }
  return BRINK_OK;
}

/* ------------------------------------------------------------- samples --- */

/* The guard has not converged on the finest grid: only the signs of its samples are
 * known, from where they have left the band of a restart. */
static brink_status scan(search *s)
{
  const brink__guards *g = s->g;
  double last = s->how->from;
  double band = last == 0 ? brink__watch_band(s->w) : 0;

  for (int j = 0; j <= BRINK__MAX_NODES; j++) {
    double x = brink__guard_node(g, j, BRINK__MAX_NODES), value = g->samples[j];
    int sign = (value > 0) - (value < 0);
    if (x < s->how->from || fabs(value) <= band + g->info[s->k].noise)
      continue;
    if (s->sign == 0 || (band > 0 && sign != s->sign)) {
      /* out of the band on the other side: at the restart itself */
      BRINK_TRY(constant(s, sign));
    } else if (sign != s->sign) {
      double lo = last, hi = x;
      BRINK_TRY(brink__guard_refine(s->g, s->k, s->step, sign, s->how->tol, &lo, &hi,
                                    s->err));
      add(s, BRINK_KIND_CROSSING, sign, hi, hi - lo, lo, hi);
      s->sign = sign;
    }
    last = x;
    band = 0;
  }
  return BRINK_OK;
}

/* --------------------------------------------------------------- guard --- */

/* A restart usually stands on a simple zero: c0 + c1 x + ... with c0 in the band and
 * c1 well outside.  Then the polynomial is monotone on some [0, x], leaves the band
 * inside with the sign of c1, and has no other zero there; 1 and x if so. */
static int leaves_simply(const brink__poly *p, double *x, int *sign)
{
  const double *c = p->c;
  double slope = 0;

  if (p->form != BRINK__MONOMIAL || p->degree < 1 || fabs(c[0]) > p->delta)
    return 0;
  *x = brink__max(8 * p->delta / fabs(c[1]), FIRST_LOOK);
  if (!(*x <= 64 * FIRST_LOOK))
    return 0;
  for (int k = p->degree; k >= 2; k--)
    slope = (slope + k * fabs(c[k])) * *x;
  *sign = c[1] > 0 ? 1 : -1;
  return slope < 0.5 * fabs(c[1]);
}

/* For the look ahead of the next step; see ahead.c. */
static void keep(const search *s, const brink__poly *p, brink_certificate certificate)
{
  brink__kept *kept = &s->g->kept[s->k];
  int is_short = certificate != BRINK_SAMPLED && p->degree <= BRINK__NODES;

  kept->form = p->form;
  kept->degree = is_short ? p->degree : -1;
  kept->delta = p->delta;
  memcpy(kept->c, p->c, sizeof kept->c); /* a row is longer than that */
}

/* Cheap answers first.  Without roots, *sign is that of the polynomial. */
static int find(const brink__poly *p, double from, double tol, brink__root *roots,
                int *sign, int *complete)
{
  int n = brink__poly_bend(p, from, tol, roots);

  *complete = 1;
  if (n >= 0) {
    *sign = roots->sign_after;
    return n;
  }
  if (brink__poly_excluded(p, from, sign))
    return 0;
  n = brink__poly_roots(p, from, tol, roots, ROOTS, complete);
  if (n == 0)
    *sign = brink__poly_eval(p, from) > 0 ? 1 : -1;
  return n;
}

/* The guard has more zeros than were looked at: nothing is known beyond the last of
 * them, or, if the list is full without any, beyond the list. */
BRINK__COLD static void cut_short(search *s)
{
  const brink__hits *hits = s->hits;
  double last = hits->n == hits->cap ? 1 : s->how->from;

  for (int i = 0; i < hits->n; i++)
    if (hits->v[i].guard == s->k)
      last = hits->v[i].theta;
  s->reach = brink__min(s->reach, last);
  s->hits->complete = 0;
}

/* Is a zero of the polynomial much wider than the spacing of t? */
static int is_wide(const search *s, const brink__root *r)
{
  return r->band_hi - r->band_lo >
         BRINK__TOLD_APART * brink__theta_spacing(s->step, r->band_hi);
}

/* Is the polynomial about as well known there as the guard itself?  Then a look through
 * its own expression shows no more. */
static int is_own_rounding(const search *s, const brink__poly *p, const brink__root *r)
{
  double mid = 0.5 * (r->band_lo + r->band_hi);

  return OWN_PART * brink__guard_own_rounding(s->g, s->k, s->step, mid) >
         brink__poly_bound(p, mid);
}

/* How many of the roots are wide, and of these: how many not by their own rounding? */
static int count_wide(const search *s, const brink__poly *p, const brink__root *roots,
                      int n, int *worth)
{
  int encloses = brink__guard_encloses(s->g->info[s->k].form), wide = 0;

  *worth = 0;
  for (int i = 0; i < n; i++)
    if (is_wide(s, &roots[i])) {
      wide++;
      *worth += encloses && !is_own_rounding(s, p, &roots[i]);
    }
  return wide;
}

/* Is each of the wide zeros one zero, since the polynomial is monotone there?  If it is
 * known to delta, its slope is to 2 n^2 delta, by Markov's inequality. */
static int all_single(const search *s, const brink__poly *p, const brink__root *roots,
                      int n)
{
  double dc[BRINK__POLY_MAX_DEGREE + 1];
  brink__poly slope = {.form = p->form, .c = dc};

  slope.degree = brink__poly_derivative(p, dc);
  slope.delta = 2.0 * p->degree * p->degree * p->delta;
  for (int i = 0; i < n; i++) {
    if (!is_wide(s, &roots[i]))
      continue;
    brink__range r = brink__poly_range(&slope, roots[i].band_lo, roots[i].band_hi);
    if (!(r.lo > 0) && !(r.hi < 0))
      return 0;
  }
  return 1;
}

/* A list of roots; shown: the same, or as the polynomial has shown them. */
static brink_status take_all(search *s, const brink__root *roots,
                             const brink__root *shown, int n, int sign, int complete,
                             const brink__poly *p)
{
  if (n == 0 && complete)
    BRINK_TRY(constant(s, sign));
  for (int i = 0; i < n; i++)
    BRINK_TRY(take(s, &roots[i], &shown[i], p, i == 0));
  if (!complete)
    cut_short(s);
  return BRINK_OK;
}

static int same_kinds(const brink__root *a, const brink__root *b, int n)
{
  for (int i = 0; i < n; i++)
    if (a[i].kind != b[i].kind)
      return 0;
  return 1;
}

/* Is there a root that is a hit, so that the search can be taken up again behind it? */
static int has_hit(const brink__root *roots, int n)
{
  for (int i = 0; i < n; i++)
    if (roots[i].kind == BRINK__CROSSING || roots[i].kind == BRINK__TOUCH)
      return 1;
  return 0;
}

/* Look at the guard through its own expression; the polynomial has shown n roots.  1:
 * that was enough, *status says how it went. */
static int take_enclosed(search *s, double from, const brink__root *shown, int n,
                         brink_certificate *certificate, brink_status *status)
{
  brink__root roots[ROOTS];
  brink__enclosure e = {.roots = roots, .cap = ROOTS};

  brink__guard_enclose(s->g, s->k, s->step, from, &e);
  if (!e.complete && !has_hit(roots, e.n))
    return 0;
  *certificate = e.resolved ? BRINK_PROVED : BRINK_CONVERGED;
  if (n != e.n || !same_kinds(roots, shown, n))
    shown = roots;
  *status = take_all(s, roots, shown, e.n, e.sign, e.complete, NULL);
  return 1;
}

/* The wide ones among n roots are looked at by values of the guard. */
static brink_status take_by_values(search *s, const brink__root *roots, int n, int sign,
                                   int complete, const brink__poly *p)
{
  brink__root closer[ROOTS];
  brink__enclosure e = {.roots = closer, .cap = ROOTS, .complete = 1};

  for (int i = 0; i < n && e.complete; i++) {
    int inner = roots[i].kind == BRINK__CROSSING || roots[i].kind == BRINK__TOUCH;
    int before = e.n;
    if (inner && is_wide(s, &roots[i]))
      brink__guard_look_closer(s->g, s->k, s->step, &roots[i], &e);
    if (e.n > before)
      continue; /* a touch may lie between the values: it stays */
    if (e.n < ROOTS)
      closer[e.n++] = roots[i];
    else
      e.complete = 0;
  }
  /* more than the list holds come again behind these */
  return take_all(s, closer, closer, e.n, sign, complete && e.complete, p);
}

/* The zeros of the polynomial p, with this certificate, from `from` on. */
static brink_status take_roots(search *s, brink__poly *p, double from,
                               brink_certificate *certificate)
{
  brink__root roots[ROOTS];
  brink_status rc;
  int sign, complete, raised;

  brink__guard_form form = s->g->info[s->k].form;
  int n = find(p, from, s->how->tol, roots, &sign, &complete);
  int doubt = n > 0 || (s->sign && sign != s->sign);

  /* terms that cancel may hide a zero from the polynomial; a range is sure of itself */
  doubt |= form == BRINK__GUARD_JET && p->degree > 0;
  if (doubt && form != BRINK__GUARD_STATE) {
    BRINK_TRY(brink__guard_recheck(s->g, s->k, s->step, p, &raised, s->err));
    if (raised)
      n = find(p, from, s->how->tol, roots, &sign, &complete);
  }
  int worth, wide = count_wide(s, p, roots, n, &worth);
  if (brink__guard_encloses(form) && (worth || *certificate != BRINK_PROVED) &&
      take_enclosed(s, from, roots, n, certificate, &rc))
    return rc;
  if (*certificate != BRINK_PROVED)
    *certificate = BRINK_SAMPLED; /* nothing bounds what the polynomial leaves out */
  int several = wide && !all_single(s, p, roots, n);
  if (several && *certificate == BRINK_PROVED)
    *certificate = BRINK_CONVERGED;
  if (several && (form == BRINK__GUARD_SAMPLED || form == BRINK__GUARD_RANGE))
    return take_by_values(s, roots, n, sign, complete, p);
  return take_all(s, roots, roots, n, sign, complete, p);
}

static brink_status one(search *s)
{
  brink__poly p;
  brink_certificate certificate;
  int sign;
  double from = s->how->from, clear;
  brink_status rc = BRINK_OK;

  s->sign = s->w->sign;
  s->hits->start_sign[s->k] = (signed char)s->sign;
  s->hits->band[s->k] = BRINK__OUTSIDE_BAND;
  BRINK_TRY(brink__guard_expand(s->g, s->k, s->step, &p, &certificate, s->err));
  if (s->how->keep && s->hits->n == 0)
    keep(s, &p, certificate);
  if (certificate == BRINK_SAMPLED) {
    if (!brink__guard_encloses(s->g->info[s->k].form) ||
        !take_enclosed(s, from, NULL, 0, &certificate, &rc))
      rc = scan(s);
  } else {
    if (from == 0 && leaves_simply(&p, &clear, &sign)) {
      from = clear;
      BRINK_TRY(at_start(s, &(brink__root){.kind = BRINK__AT_START,
                                           .hi = from,
                                           .band_hi = from,
                                           .sign_after = sign}));
    }
    rc = take_roots(s, &p, from, &certificate);
  }
  if (certificate > s->hits->certificate) {
    s->hits->certificate = certificate;
    s->hits->weakest = s->k;
  }
  return rc;
}

static brink_status behind(brink__guards *g, const brink_step *step,
                           const brink__locate *how, brink__hits *hits, brink_err *err)
{
  search s = {.g = g, .step = step, .how = how, .hits = hits, .err = err, .reach = 1};

  hits->certificate = BRINK_PROVED;
  hits->weakest = -1;
  for (s.k = 0; s.k < g->n; s.k++) {
    s.w = &g->watch[s.k];
    BRINK_TRY(one(&s));
  }

  /* hits of other guards wait for those that are still to be found before them */
  while (s.reach < 1 && hits->n > 0 && hits->v[hits->n - 1].theta > s.reach)
    hits->n--;
  return BRINK_OK;
}

const brink__locator brink__locator_isolate = {
    .name = "isolate",
    .about = "all zeros of the guard's polynomial: exclude, isolate, refine",
    .cite = "MRR05",
    .proves_absence = 1,
    .behind = behind,
};
