/* roots.c -- all roots of a polynomial on [from, 1], in order.
 *
 * Every subinterval is looked at through its Bernstein coefficients b_i and a bound E
 * of zero there: delta, plus eps A(x) for what rounding did to the b_i, eps growing
 * with each subdivision by what that one can lose.  By the signs of the b_i outside
 * [-E, E] (Descartes' rule for p - E and p + E) a subinterval is
 *
 *   + + + +   outside the band           + ? ? -   one crossing, one band
 *   ? ? + +   leaving the band, once     + + ? ?   entering it, once
 *
 * or inside (all |b_i| <= 2E, and a value in the band), or mixed: then it is split.  A
 * scan from left to right joins what is inside to one stretch per root and classifies
 * it by the signs on its two sides.
 *
 * Where A(x) changes much along a subinterval (near 0), E holds at its right end only;
 * the sign at the left end is then taken with the bound there, and coefficients in
 * doubt ask for a split.
 */
#include "core/core.h"
#include "poly/inner.h"

#include <string.h>

enum {
  STORE = 8192,       /* doubles for the coefficients of pending subintervals       */
  PENDING = 192,      /* pending subintervals                                       */
  CHEB_DEPTH = 22,    /* halvings of a Chebyshev sum; n = 100 needs 14 at its ends  */
  CHEB_LOSS = 8,      /* Bernstein form once it loses less than this many noises    */
  LOCAL = 4,          /* E this much larger than at the left end asks for a split   */
  FLOOR_SPACINGS = 64 /* narrower is not split                                    */
};

typedef enum shape { OUTSIDE, INSIDE, CROSS, LEAVE, ENTER, MIXED } shape;

typedef struct piece {
  double a, b, eps;
  int sign; /* not 0: known to be outside, no coefficients stored */
} piece;

/* what the coefficients of a piece say */
typedef struct view {
  shape shape;
  int first, last;  /* signs at the ends, 0 = in the band                    */
  int change;       /* CROSS: the sign changes after coefficient `change`    */
  int doubt;        /* some b_i has no sign                                  */
  double zero;      /* E at the right end                                    */
  brink__zone zone; /* beyond it, p is surely on the outer side of the edge  */
  double most;      /* max |b_i|                                             */
} view;

typedef struct scan {
  const brink__ready *r;
  brink__root *out;
  int cap, count, cut;
  int budget; /* pieces left                                       */
  int start;  /* sign at `from` by evaluation                      */
  int zeros;  /* leading coefficients that are exactly 0           */
  int side;   /* sign at out_at, the last point outside; 0 = none  */
  double out_at;
  int open; /* a stretch inside the band is being collected    */
  int last; /* its sign at its end so far                      */
} scan;

/* ------------------------------------------------------------ looking ---- */

/* coefficients of a monomial on [from, 1]; returns eps */
static double top(const brink__ready *r, double *b)
{
  int n = r->p.degree;
  double eps = brink__bernstein_noise(n);

  brink__bernstein_of_monomial(n, r->p.c, b);
  if (r->from > 0) {
    brink__bernstein_split(n, b, r->from, NULL);
    eps += 4 * n * BRINK__U;
  }
  return eps;
}

static double zero_at(const brink__ready *r, double x, double eps)
{
  if (r->p.form == BRINK__CHEBYSHEV)
    return r->p.delta + eps + BRINK__TINY;
  double a = x == 1   ? r->sum
             : x == 0 ? fabs(r->p.c[0])
                      : brink__amplitude(r->p.degree, r->p.c, x);
  return r->p.delta + eps * a + BRINK__TINY;
}

/* the common case, without branches on the signs: 1 if no coefficient is in doubt */
static int clear(int n, const double *b, int first, double zero, view *w)
{
  int before = first, changes = 0, change = 0, doubts = first == 0;
  double most = fabs(b[0]);

  for (int i = 1; i <= n; i++) {
    double size = fabs(b[i]);
    int s = brink__sign(b[i], zero), differs = s != before;
    doubts += s == 0;
    changes += differs;
    change = differs ? i - 1 : change;
    before = s;
    most = size > most ? size : most;
  }
  w->first = first, w->last = before, w->most = most, w->change = change;
  w->shape = changes == 0 ? OUTSIDE : changes == 1 ? CROSS : MIXED;
  return doubts == 0;
}

/* with coefficients in doubt; free: doubts below this index do not ask for a split */
static shape pattern(int n, const double *b, int local, int free, view *w)
{
  int before = w->first, gap = before == 0, lead = gap, changes = 0, odd = 0;

  for (int i = 1; i <= n; i++) {
    int s = brink__sign(b[i], w->zero);
    if (s == 0) {
      gap++;
      w->doubt |= i >= free;
      continue;
    }
    if (before && s != before)
      changes++, w->change = i - 1;
    else if (before)
      odd |= gap > 0;
    before = s;
    gap = 0;
  }

  if (w->doubt && local)
    return MIXED;
  if (before && !odd && changes == 1 && !lead && !gap)
    return CROSS;
  if (before && !odd && changes == 0 && !lead)
    return ENTER;
  if (before && !odd && changes == 0 && !gap)
    return LEAVE;
  if (w->most <= 2 * w->zero && !local && w->first * w->last <= 0)
    return INSIDE;
  return MIXED;
}

static void look(const scan *s, int n, const double *b, double lo, double hi,
                 double eps, view *w)
{
  const brink__ready *r = s->r;
  double left = zero_at(r, lo, eps);
  int first = lo == r->from ? s->start : brink__sign(b[0], left);

  w->zero = zero_at(r, hi, eps);
  w->doubt = 0;
  w->zone = (brink__zone){r->noise, 0};
  int sure = clear(n, b, first, w->zero, w);
  if (sure && w->shape != MIXED)
    return;

  /* Descartes speaks about the polynomial of the b_i, which is within eps A of p, and
   * that within noise A of its computed values.  Without doubts it speaks about p. */
  int local = w->zero > LOCAL * left;
  if (!sure)
    w->shape = pattern(n, b, local, lo == 0 ? s->zeros : 1, w);
  if (w->doubt || !first)
    w->zone = (brink__zone){2 * eps + r->noise, w->doubt && !local ? hi : 0};
  if (w->shape == MIXED && hi - lo <= FLOOR_SPACINGS * brink__spacing(&r->p, hi))
    w->shape = INSIDE;
}

/* ------------------------------------------------------------ joining ---- */

/* place for one more root, or NULL */
static brink__root *next_root(scan *s)
{
  if (s->count < s->cap)
    return &s->out[s->count++];
  s->cut = 1;
  return NULL;
}

/* a stretch from out_at to x, beyond which p has the given sign (0: x = 1) */
static void close_stretch(scan *s, double x, int sign)
{
  const brink__ready *r = s->r;
  double lo = s->side ? s->out_at : r->from;
  brink__root *root = next_root(s);

  s->open = 0;
  if (!root)
    return;
  if (s->side && sign && s->side != sign) {
    brink__refine_crossing(r, lo, x, s->side, lo + 0.5 * (x - lo),
                           (brink__zone){r->noise, 0}, root);
  } else {
    root->lo = lo;
    root->hi = x;
    root->kind = s->side ? BRINK__AT_END : sign ? BRINK__AT_START : BRINK__EVERYWHERE;
    if (s->side && sign) {
      root->kind = BRINK__TOUCH;
      root->lo = root->hi = brink__refine_touch(r, lo, x, sign);
    }
  }
  root->band_lo = lo;
  root->band_hi = x;
  root->sign_before = s->side;
  root->sign_after = sign;
}

static void add_outside(scan *s, double a, double b, int sign)
{
  /* two outsides of different sign always have something between them; the test
   * keeps a crossing if rounding should ever say otherwise */
  if (s->open || (s->side && s->side != sign))
    close_stretch(s, a, sign);
  s->side = sign;
  s->out_at = b;
}

static void add_inside(scan *s, double a, int first, int last)
{
  if (!s->open && s->side == 0 && first != 0) {
    s->side = first;
    s->out_at = a;
  }
  s->open = 1;
  s->last = last;
}

static void add_crossing(scan *s, int n, const double *b, double lo, double hi,
                         const view *w)
{
  double here = b[w->change], step = here - b[w->change + 1];

  add_outside(s, lo, lo, w->first);
  brink__root *root = s->cut ? NULL : next_root(s);
  if (!root)
    return;

  /* where the control polygon crosses */
  double guess = (w->change * step + here) / (n * step);
  guess = guess > 0 && guess < 1 ? guess : 0.5;
  brink__refine_crossing(s->r, lo, hi, w->first, lo + guess * (hi - lo), w->zone, root);
  s->side = w->last;
  s->out_at = hi;
}

/* all shapes but MIXED */
static void add(scan *s, int n, const double *b, double lo, double hi, const view *w)
{
  switch (w->shape) {
  case OUTSIDE: add_outside(s, lo, hi, w->last); break;
  case INSIDE: add_inside(s, lo, w->first, w->last); break;
  case CROSS: add_crossing(s, n, b, lo, hi, w); break;
  case LEAVE:
    add_inside(s, lo, 0, w->last);
    add_outside(s, brink__refine_edge(s->r, lo, hi, w->last, w->zone), hi, w->last);
    break;
  case ENTER:
    add_outside(s, lo, brink__refine_edge(s->r, hi, lo, w->first, w->zone), w->first);
    add_inside(s, hi, 0, 0);
    break;
  case MIXED: break;
  }
}

static void finish(scan *s)
{
  if (s->open && !s->cut)
    close_stretch(s, 1, s->last);
}

/* ---------------------------------------------------------- splitting ---- */

/* A split point near the middle with few bits, so that the pieces to its right halve
 * exactly. */
static double split_point(double a, double b)
{
  double grid = scalbn(1, ilogb(b - a) - 3);
  double magic = 0x1.8p52 * grid, mid = a + 0.5 * (b - a);
  double x = (mid + magic) - magic;
  return x > a && x < b ? x : mid;
}

/* cur becomes the right part, left gets the left one */
static void split(const brink__ready *r, int n, const view *w, piece *cur, double *b,
                  piece *lower, double *left)
{
  double m = split_point(cur->a, cur->b), low = m - cur->a, high = cur->b - m;
  double amp =
      r->p.form == BRINK__CHEBYSHEV ? 1 : brink__amplitude(r->p.degree, r->p.c, cur->a);
  double ratio = w->most < amp || r->p.form == BRINK__CHEBYSHEV ? w->most / amp : 1;

  *lower = *cur;
  if (low == high) {
    brink__bernstein_halve(n, b, left);
    lower->eps += n * BRINK__U * ratio;
  } else {
    brink__bernstein_split(n, b, low / (cur->b - cur->a), left);
    lower->eps += 5 * n * BRINK__U * ratio;
  }
  cur->eps = lower->eps;
  lower->b = cur->a = m;
}

/* pieces waiting to the right of the current one, the nearest on top */
typedef struct pile {
  int count, used; /* pieces; doubles of store in use */
  piece items[PENDING];
  double store[STORE];
} pile;

/* remember cur for later; 0: no room.  Neighbouring outsides are joined. */
static int defer(scan *s, pile *q, int n, const piece *cur, const double *b)
{
  view w;

  look(s, n, b, cur->a, cur->b, cur->eps, &w);

  if (w.shape == OUTSIDE) {
    piece *above = q->count ? &q->items[q->count - 1] : NULL;
    if (above && above->sign == w.last) { /* it begins where cur ends */
      above->a = cur->a;
      return 1;
    }
  } else if (q->used + n + 1 > STORE) {
    return 0;
  }
  if (q->count == PENDING)
    return 0;
  q->items[q->count] = *cur;
  q->items[q->count++].sign = w.shape == OUTSIDE ? w.last : 0;
  if (w.shape != OUTSIDE) {
    memcpy(q->store + q->used, b, (size_t)(n + 1) * sizeof *b);
    q->used += n + 1;
  }
  return 1;
}

/* next waiting piece that is not outside; 0: none left */
static int resume(scan *s, pile *q, int n, piece *cur, double *b)
{
  while (q->count && !s->cut) {
    *cur = q->items[--q->count];
    if (cur->sign == 0) {
      q->used -= n + 1;
      memcpy(b, q->store + q->used, (size_t)(n + 1) * sizeof *b);
      return 1;
    }
    add_outside(s, cur->a, cur->b, cur->sign);
  }
  return 0;
}

/* everything in the piece cur with coefficients b (destroyed), left to right */
BRINK__APART static void subdivide(scan *s, int n, piece cur, double *b)
{
  pile q;
  double left[BRINK__COEFFS];
  piece lower;

  q.count = q.used = 0;
  do {
    view w;
    look(s, n, b, cur.a, cur.b, cur.eps, &w);
    while (w.shape == MIXED) {
      if (--s->budget < 0) {
        s->cut = 1;
        return;
      }
      split(s->r, n, &w, &cur, b, &lower, left);
      if (!defer(s, &q, n, &cur, b)) {
        s->cut = 1;
        return;
      }
      memcpy(b, left, (size_t)(n + 1) * sizeof *b);
      cur = lower;
      look(s, n, b, cur.a, cur.b, cur.eps, &w);
    }
    add(s, n, b, cur.a, cur.b, &w);
  } while (!s->cut && resume(s, &q, n, &cur, b));
}

/* ---------------------------------------------------------- chebyshev ---- */

typedef struct level {
  int n;
  double a, b, err; /* err: bound of the error of the values */
  double c[BRINK__COEFFS];
} level;

/* the part of l on [a, b]; from the given polynomial itself while nothing has been
 * trimmed, so that errors do not add up */
static void halve_level(const brink__ready *r, const level *l, double a, double b,
                        level *out)
{
  double sub = l->b - l->a, dropped;

  out->a = a;
  out->b = b;
  if (l->n == r->p.degree)
    out->err = r->noise + brink__chebyshev_restrict(l->n, r->p.c, a, b, out->c);
  else
    out->err = l->err + brink__chebyshev_restrict(l->n, l->c, (a - l->a) / sub,
                                                  (b - l->a) / sub, out->c);
  out->n = brink__poly_trim(l->n, out->c, out->err / 8, &dropped);
  out->err += dropped;
}

/* 1: settled, without or with Bernstein coefficients; 0: halve it */
static int settle_level(scan *s, const level *l, int last)
{
  const brink__ready *r = s->r;
  double rest = 0, a = brink__max(l->a, r->from), b[BRINK__COEFFS];

  for (int k = 1; k <= l->n; k++)
    rest += fabs(l->c[k]);
  double sum = rest + fabs(l->c[0]);
  double zero = r->p.delta + l->err + (l->n + 4) * BRINK__U * sum + BRINK__TINY;
  if (fabs(l->c[0]) - rest > zero) {
    add_outside(s, a, l->b, l->c[0] > 0 ? 1 : -1);
    return 1;
  }
  double loss = brink__bernstein_loss(l->n, l->c);
  if (loss > CHEB_LOSS * r->noise && !last)
    return 0;

  piece whole = {.a = a, .b = l->b, .eps = l->err + loss};
  brink__bernstein_of_chebyshev(l->n, l->c, b);
  if (a > l->a) {
    brink__bernstein_split(l->n, b, (a - l->a) / (l->b - l->a), NULL);
    whole.eps += 5 * l->n * BRINK__U * sum;
  }
  subdivide(s, l->n, whole, b);
  return 1;
}

static void scan_chebyshev(scan *s)
{
  const brink__ready *r = s->r;
  level pending[CHEB_DEPTH + 1];
  level cur = {.n = r->p.degree, .b = 1, .err = r->noise};
  int count = 0;

  memcpy(cur.c, r->p.c, (size_t)(cur.n + 1) * sizeof *cur.c);
  for (;;) {
    while (cur.b > r->from && !settle_level(s, &cur, count == CHEB_DEPTH)) {
      if (--s->budget < 0) {
        s->cut = 1;
        return;
      }
      level left;
      double m = cur.a + 0.5 * (cur.b - cur.a);
      halve_level(r, &cur, m, cur.b, &pending[count++]);
      halve_level(r, &cur, cur.a, m, &left);
      cur = left;
    }
    if (s->cut || count == 0)
      return;
    cur = pending[--count];
  }
}

/* ------------------------------------------------------------- public ---- */

static int start_sign(const brink__ready *r)
{
  double x = r->from;

  if (x == 0 && r->p.form == BRINK__MONOMIAL)
    return brink__sign(r->p.c[0], zero_at(r, 0, r->noise));
  return brink__sign(brink__value(&r->p, x), zero_at(r, x, r->noise));
}

static void scan_monomial(scan *s)
{
  double b[BRINK__COEFFS];
  int n = s->r->p.degree;
  double eps = top(s->r, b);
  view w;

  look(s, n, b, s->r->from, 1, eps, &w);

  if (w.shape == MIXED)
    subdivide(s, n, (piece){.a = s->r->from, .b = 1, .eps = eps}, b);
  else
    add(s, n, b, s->r->from, 1, &w);
}

int brink__poly_roots(const brink__poly *p, double from, double tol, brink__root *out,
                      int cap, int *complete)
{
  double copy[BRINK__COEFFS];
  brink__ready r;
  int sign;

  *complete = 0;
  if (!brink__ready_make(&r, p, from, tol, copy))
    return 0;
  *complete = 1;
  if (r.from > 1 || brink__ready_outside(&r, &sign))
    return 0;

  int n = r.p.degree;
  scan s = {.r = &r, .out = out, .cap = cap, .budget = 2000 + 200 * n};
  s.start = start_sign(&r);
  if (r.from == 1) {
    if (s.start == 0)
      add_inside(&s, 1, 0, 0);
  } else if (p->form == BRINK__CHEBYSHEV) {
    scan_chebyshev(&s);
  } else {
    while (s.zeros < n && r.p.c[s.zeros] == 0)
      s.zeros++;
    s.zeros = s.zeros ? s.zeros : 1;
    scan_monomial(&s);
  }
  finish(&s);
  *complete = !s.cut;
  return s.count;
}

int brink__poly_excluded(const brink__poly *p, double from, int *sign)
{
  double copy[BRINK__COEFFS], b[BRINK__COEFFS];
  brink__ready r;

  *sign = 0;
  if (!brink__ready_make(&r, p, from, 0, copy) || r.from > 1)
    return 0;
  int by, n = r.p.degree;
  if (brink__ready_outside(&r, &by)) {
    *sign = by;
    return 1;
  }

  double zero;
  if (p->form == BRINK__CHEBYSHEV) {
    double loss = brink__bernstein_loss(n, r.p.c);
    if (loss > CHEB_LOSS * r.noise)
      return 0;
    brink__bernstein_of_chebyshev(n, r.p.c, b);
    if (r.from > 0)
      brink__bernstein_split(n, b, r.from, NULL);
    zero = zero_at(&r, 1, r.noise + loss + 5 * n * BRINK__U * r.sum);
  } else {
    double eps = top(&r, b);
    zero = zero_at(&r, 1, eps);
  }
  int s = brink__sign(b[0], zero);
  for (int i = 1; i <= n; i++)
    if (brink__sign(b[i], zero) != s)
      return 0;
  *sign = s;
  return s != 0;
}

double brink__poly_first_root(const brink__poly *p, double tol)
{
  enum { LOOKED_AT = 4 }; /* the first that is a zero comes early */
  brink__root r[LOOKED_AT];
  int complete, sign, n = brink__poly_bend(p, 0, tol, r);

  if (n < 0 && brink__poly_excluded(p, 0, &sign))
    return 2;
  if (n < 0)
    n = brink__poly_roots(p, 0, tol, r, LOOKED_AT, &complete);
  for (int i = 0; i < n; i++)
    if (r[i].kind == BRINK__CROSSING || r[i].kind == BRINK__TOUCH)
      return r[i].lo;
  return 2;
}
