/* interval_roots.c -- all zeros of a guard by intervals of its own expression.
 *
 * The polynomial of a guard is expanded about one place for the whole step, and is
 * known there to a rounding of its largest values.  A product such as (x - 3)(x
 * - 3.00001) or a power knows its own zeros far better.  So where a zero of the
 * polynomial is much wider than the spacing of t, or where nothing bounds what the
 * polynomial leaves out, the step is bisected, and on each part [a, b] the guard is
 * enclosed as the model writes it [MKC09, 6.1, 8.1]:
 *
 *   outside ..... its range, or its mean value form g(m) + g'([a, b]) ([a, b] - m),
 * does not contain 0 monotone .... its slope does not contain 0: the signs at the ends
 * tell all inside ...... too narrow for t to tell its ends apart, or no larger than
 * rounding (split) ..... otherwise
 *
 * What is inside or monotone between two parts outside is one root.  It is resolved if
 * the slope has one sign on all of it, or if it is so narrow that t cannot tell whether
 * it is one zero or several.
 *
 * Costs two to five evaluations of intervals per part, some tens of parts per zero.
 *
 * A guard that the model cannot enclose (a callback, one that reads delayed values) is
 * looked at by values, at equal distances in the wide zero: they know better where a
 * power is zero than a polynomial, but prove nothing.
 */
#include "event/interval_roots.h"

#include <float.h>
#include <math.h>

enum {
  PARTS = 1024,     /* that are looked at in one search: a hundred zeros in a cluster */
  LEAST_PARTS = 32, /* after searches in vain                                         */
  DEPTH = 128,      /* halvings, down to LEAST                                        */
  CELLS = 32        /* into which a wide zero is cut for a look by values             */
};

/* Near theta = 0 of a step from t = 0 the spacing of t is as small as that of theta,
 * and no part is split below this. */
static const double LEAST = 0x1p-100;

/* A part is not split below so many spacings of t. */
static const double FINEST = 4;

/* A part is no larger than rounding if the guard moves in it by no more than this many
 * times what a point in it is uncertain by. */
static const double MOSTLY_ROUNDING = 2;

enum { NO_SLOPE = 2 }; /* of a stretch: nothing has been seen of it yet */

typedef struct scan {
  brink__guards *g;
  const brink_step *step;
  brink__enclosure *e;
  int k;
  int budget;
  double band;   /* zero is so wide until the guard has been seen outside           */
  int side;      /* sign at out_at, the last place outside; 0: none yet             */
  double out_at; /* or the place where the search began                             */
  int open;      /* a stretch inside is being collected ...                         */
  int by_values; /* signs are those of values: the model cannot enclose the guard   */
  int slope;     /* ... with a slope of this sign, 0: of either, NO_SLOPE: unknown  */
} scan;

/* ------------------------------------------------------------- looking ---- */

double brink__theta_spacing(const brink_step *step, double theta)
{
  double t = fabs(step->t0) + theta * fabs(step->h);

  return brink__max(DBL_EPSILON * brink__max(t / fabs(step->h), theta), LEAST);
}

static int range(const scan *s, double a, double b, int order, brink__range *r)
{
  const brink__guards *g = s->g;

  return g->model->ops->guard_range(g->model, g->live, g->mode, s->k, s->step, a, b,
                                    order, &r->lo, &r->hi);
}

static int sign_of(brink__range r, double band)
{
  return (r.lo > band) - (r.hi < -band);
}

int brink__guard_sign(brink__guards *g, int k, const brink_step *step, double theta)
{
  scan s = {.g = g, .step = step, .k = k};
  brink__range r;

  return range(&s, theta, theta, 0, &r) ? sign_of(r, g->info[k].noise) : 0;
}

double brink__guard_own_rounding(brink__guards *g, int k, const brink_step *step,
                                 double theta)
{
  scan s = {.g = g, .step = step, .k = k};
  brink__range r;

  return range(&s, theta, theta, 0, &r) ? 0.5 * (r.hi - r.lo) : HUGE_VAL;
}

int brink__guard_way(brink__guards *g, int k, const brink_step *step, double theta)
{
  scan s = {.g = g, .step = step, .k = k};
  brink__range r;

  return range(&s, theta, theta, 1, &r) ? sign_of(r, 0) : 0;
}

/* The sign of a value, where that is more than what the value is uncertain by. */
static int sign_of_value(const scan *s, double x)
{
  double value, delta, t = s->step->t0 + x * s->step->h;
  brink_err ignored;

  brink_step_at(s->step, x, s->g->y_in);
  s->g->inside_step = NULL;
  if (brink__guard_value(s->g, s->k, t, s->g->y_in, &value, &ignored) < 0 ||
      brink__guard_rounding(s->g, s->k, t, s->g->y_in, s->g->noise, BRINK__FAR, &delta,
                            &ignored) < 0)
    return 0;
  return (value > delta) - (value < -delta);
}

/* Where the guard has no value, which may be so at single places behind a loop, the
 * search ends. */
static int sign_at(const scan *s, double x)
{
  brink__range r;

  if (s->by_values)
    return sign_of_value(s, x);
  if (range(s, x, x, 0, &r))
    return sign_of(r, s->band + s->g->info[s->k].noise);
  s->e->complete = 0;
  return 0;
}

/* Between `in` and `out` the guard leaves zero once, and is outside with this sign at
 * `out`: how near to `in` is that known?  Up to a quarter of the way. */
static double edge(const scan *s, double in, double out, int sign)
{
  double first = in;

  while (fabs(out - in) >
         brink__max(0.25 * fabs(in - first), brink__theta_spacing(s->step, fabs(in)))) {
    double mid = 0.5 * (in + out);
    if (mid == in || mid == out)
      break;
    if (sign_at(s, mid) == sign)
      out = mid;
    else
      in = mid;
  }
  return out;
}

/* ---------------------------------------------------------- collecting ---- */

static void close_stretch(scan *s, double x, int after)
{
  brink__enclosure *e = s->e;
  double width = x - s->out_at;

  s->open = 0;
  if (e->n == e->cap) {
    e->complete = 0;
    return;
  }
  brink__root *r = &e->roots[e->n++];
  *r = (brink__root){.lo = s->out_at,
                     .hi = x,
                     .band_lo = s->out_at,
                     .band_hi = x,
                     .sign_before = s->side,
                     .sign_after = after};
  if (s->side == 0)
    r->kind = after ? BRINK__AT_START : BRINK__EVERYWHERE;
  else if (after == 0)
    r->kind = BRINK__AT_END;
  else if (after == s->side) {
    r->kind = BRINK__TOUCH;
    r->lo = r->hi = s->out_at + 0.5 * width;
  } else
    r->kind = BRINK__CROSSING;
  if ((s->slope == 0 || s->slope == NO_SLOPE) &&
      width > BRINK__TOLD_APART * brink__theta_spacing(s->step, x))
    e->resolved = 0;
}

static void outside(scan *s, double a, double b, int sign)
{
  if (s->open || (s->side && s->side != sign))
    close_stretch(s, a, sign);
  s->side = sign;
  s->out_at = b;
  s->band = 0;
}

static void inside(scan *s, int slope)
{
  s->slope = !s->open || s->slope == slope ? slope : 0;
  s->open = 1;
}

/* The slope has one sign on [a, b]. */
static void monotone(scan *s, double a, double b, int slope)
{
  int first = sign_at(s, a);
  if (first && s->band > 0) {
    s->band = 0;
    first = sign_at(s, a);
  }
  int last = sign_at(s, b);
  double lo = a, hi = b;

  if (first && first == last) {
    outside(s, a, b, first);
    return;
  }
  if (first && last) {
    double least = brink__theta_spacing(s->step, b);
    while (hi - lo > least) {
      double mid = 0.5 * (lo + hi);
      int sign = mid > lo && mid < hi ? sign_at(s, mid) : 0;
      if (sign == 0) {
        lo = edge(s, mid, lo, first);
        hi = edge(s, mid, hi, last);
        break;
      }
      if (sign == first)
        lo = mid;
      else
        hi = mid;
    }
  } else if (first)
    lo = edge(s, b, a, first);
  else if (last)
    hi = edge(s, a, b, last);
  if (!s->e->complete)
    return;
  if (first)
    outside(s, a, lo, first);
  inside(s, slope);
  if (last)
    outside(s, hi, b, last);
}

/* Look at [a, b]; 0: it has to be split. */
static int settle(scan *s, double a, double b)
{
  double band = s->band + s->g->info[s->k].noise, mid = a + 0.5 * (b - a);
  brink__range r, slope, at;
  int told = range(s, a, b, 0, &r), sign = told ? sign_of(r, band) : 0;

  if (sign) {
    outside(s, a, b, sign);
    return 1;
  }
  int smooth = told && range(s, a, b, 1, &slope) && range(s, mid, mid, 0, &at);
  if (smooth) {
    double way =
        0.5 * (b - a) * brink__max(-slope.lo, slope.hi) * (1 + 4 * DBL_EPSILON);
    sign = sign_of((brink__range){at.lo - way, at.hi + way}, band);
    if (sign) {
      outside(s, a, b, sign);
      return 1;
    }
    if (slope.lo > 0 || slope.hi < 0) {
      monotone(s, a, b, slope.lo > 0 ? 1 : -1);
      return 1;
    }
    if (sign_of(at, band) == 0 && way <= MOSTLY_ROUNDING * (at.hi - at.lo + s->band)) {
      inside(s, 0);
      return 1;
    }
  }
  if (b - a > FINEST * brink__theta_spacing(s->step, b) && mid > a && mid < b)
    return 0;
  if (!told)
    s->e->complete = s->e->resolved = 0;
  inside(s, 0);
  return 1;
}

/* Where intervals were of no use, as with sin(x)^2 + cos(x)^2 - 1, less is spent on the
 * next search. */
static void note(brink__watch *w, const brink__enclosure *e)
{
  if (e->complete || e->n > 0)
    w->in_vain = 0;
  else if (PARTS >> w->in_vain > LEAST_PARTS)
    w->in_vain++;
}

void brink__guard_enclose(brink__guards *g, int k, const brink_step *step, double from,
                          brink__enclosure *e)
{
  double right[DEPTH]; /* right ends of the parts that wait, the nearest last */
  int depth = 0;
  scan s = {.g = g,
            .step = step,
            .e = e,
            .k = k,
            .budget = PARTS >> g->watch[k].in_vain,
            .band = from == 0 ? brink__watch_band(&g->watch[k]) : 0,
            .out_at = from,
            .slope = NO_SLOPE};

  e->n = 0;
  e->complete = e->resolved = 1;
  right[depth++] = 1;
  for (double a = from; depth > 0 && e->complete;) {
    double b = right[depth - 1];
    g->evals += 2;
    if (settle(&s, a, b)) {
      a = b;
      depth--;
    } else if (--s.budget < 0 || depth == DEPTH)
      e->complete = 0;
    else
      right[depth++] = a + 0.5 * (b - a);
  }
  if (s.open && e->complete)
    close_stretch(&s, 1, 0);
  e->sign = s.side;
  note(&g->watch[k], e);
}

void brink__guard_look_closer(brink__guards *g, int k, const brink_step *step,
                              const brink__root *wide, brink__enclosure *e)
{
  double a = wide->band_lo, width = wide->band_hi - a;
  scan s = {.g = g,
            .step = step,
            .e = e,
            .k = k,
            .by_values = 1,
            .side = wide->sign_before,
            .out_at = a,
            .slope = NO_SLOPE};

  e->complete = 1;
  e->resolved = 0;
  for (int i = 1; i <= CELLS && e->complete; i++) {
    double b = i == CELLS ? wide->band_hi : wide->band_lo + width * i / CELLS;
    monotone(&s, a, b, 0);
    a = b;
  }
  if (s.open && e->complete)
    close_stretch(&s, a, wide->sign_after);
  e->sign = wide->sign_after;
}
