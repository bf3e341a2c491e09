/* past.c -- where the next discontinuity is to be expected, from those that were met.
 *
 * f changes its law where some function of (t, y) that nobody knows has a zero.  Such
 * functions are mostly simple, and their zeros come again:
 *
 *   level ... a component had the same value at all of them;
 *   line .... two components were on one line;
 *   plane ... they lie on the plane through the last n of them.  Of all planes through
 *             fewer or coinciding points it is the one that f crosses most steeply:
 *             its normal is f without its part along the differences of the points;
 *   carrier . the plane moves with the time, a turn from one to the next: they lie on a
 *             plane in y, t and the number of turns;
 *   clock ... the times from one turn to the next are the same as before, or change in
 *             a simple way.
 *
 * A relay switches back and forth on one surface; the two ends of a saturation are two
 * surfaces, told apart by the way in which f changes there.  A dead band is entered at
 * one end in the way in which it is left at the other, in turn: every second one of
 * those is on one surface.  Each discontinuity shows how well each of these would have
 * foreseen it; the best one is heard.
 *
 * Nothing here is believed: what is foreseen is where to look, with two or three
 * evaluations of f instead of a rejected step and one for each bit of the place.
 */
#include "ode/past.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
  PARTS = 24,    /* in which a path is looked through for a zero */
  HALVINGS = 45, /* until it is found in one of them             */
  CYCLE = 4,     /* most of them in one turn of a clock          */
  WAYS = 5,      /* in which its times lead on                   */
  PAIRS = 40     /* states up to which every two are looked at   */
};

static const double ALIKE = 0.8;    /* cosine between changes of f that are the same  */
static const double LEVEL = 0x1p-8; /* of the time between two: the same value     */
static const double REGULAR = 0.2;  /* of the time between two of them: a clock      */
static const double NEW = 30;       /* tolerances between them: a new direction       */
static const double FREE = 0.03;    /* what a turn weighs                             */
static const double STEEP = 0.02;   /* of f: it crosses a plane                       */
static const double TRUST = 0.2;    /* of the time between two of them: off by more,
                                       it is not heard                                */
static const double EXACT = 0.02;   /* ... off by less, a clock is followed unseen    */

/* Those of one surface. */
typedef struct group {
  int count, member[BRINK__PAST];
} group;

void brink__past_init(brink__past *past, size_t n, double *memory)
{
  size_t all = BRINK__PAST * n;

  *past = (brink__past){.n = n,
                        .y = memory,
                        .f = memory + all,
                        .way = memory + 2 * all,
                        .w = memory + 3 * all,
                        .q = memory + 3 * all + n + 2};
}

void brink__past_clear(brink__past *past)
{
  past->kept = 0;
  for (int i = 0; i < BRINK__FORESIGHTS; i++)
    past->off[i] = 0;
}

/* The k-th of what is kept n by n. */
static const double *row(const brink__past *p, const double *a, int k)
{
  return a + (size_t)k * p->n;
}

static double dot(const double *a, const double *b, size_t n)
{
  double sum = 0;

  for (size_t i = 0; i < n; i++)
    sum += a[i] * b[i];
  return sum;
}

/* ----------------------------------------------------------- surfaces ---- */

/* Those at which f changed in this way. */
static group alike(const brink__past *p, brink__seam_kind kind, const double *way,
                   brink__foresight by)
{
  group g = {0};

  for (int j = 0; j < p->kept; j++) {
    double c = dot(row(p, p->way, j), way, p->n);
    if (p->seen[j].kind == kind && (by == BRINK__ONE_SURFACE ? fabs(c) : c) > ALIKE)
      g.member[g.count++] = j;
  }
  return g;
}

/* Of them the first, third and so on; or those between. */
static group every_second(const group *g, int from)
{
  group h = {0};

  for (int i = from; i < g->count; i += 2)
    h.member[h.count++] = g->member[i];
  return h;
}

/* The component that was most nearly the same at all of them: in *off, how nearly, as a
 * time. */
static int level(const brink__past *p, const group *g, double *off)
{
  const double *f = row(p, p->f, g->member[0]);
  size_t which = p->n;

  for (size_t i = 0; i < p->n; i++) {
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int j = 0; j < g->count; j++) {
      double y = row(p, p->y, g->member[j])[i];
      low = fmin(low, y);
      high = fmax(high, y);
    }
    if (high - low <= *off * fabs(f[i]) && f[i] != 0) {
      *off = (high - low) / fabs(f[i]);
      which = i;
    }
  }
  if (which == p->n)
    return 0;
  memset(p->w, 0, p->n * sizeof(double));
  p->w[which] = 1;
  return 1;
}

/* The line through the newest in the plane of components i and j; how far the others
 * are from it, as a time. */
static double line(const brink__past *p, const group *g, size_t i, size_t j, double *a,
                   double *b)
{
  const double *f = row(p, p->f, g->member[0]), *y0 = row(p, p->y, g->member[0]);
  double far = 0, off = 0;

  /* through the one that is furthest away */
  for (int k = 1; k < g->count; k++) {
    const double *y = row(p, p->y, g->member[k]);
    double di = y[i] - y0[i], dj = y[j] - y0[j];
    double d = fabs(di) * fabs(f[j]) + fabs(dj) * fabs(f[i]);
    if (d > far) {
      far = d;
      *a = -dj;
      *b = di;
    }
  }
  double speed = fabs(*a * f[i] + *b * f[j]);
  if (!(far > 0 && speed > STEEP * far))
    return HUGE_VAL;
  for (int k = 1; k < g->count; k++) {
    const double *y = row(p, p->y, g->member[k]);
    off = fmax(off, fabs(*a * (y[i] - y0[i]) + *b * (y[j] - y0[j])) / speed);
  }
  return off;
}

/* The two components that are most nearly on a line. */
static int pair(const brink__past *p, const group *g, double *off)
{
  double a = 0, b = 0;
  int found = 0;

  if (g->count < 3 || p->n > PAIRS)
    return 0;
  for (size_t i = 0; i < p->n; i++)
    for (size_t j = 0; j < i; j++) {
      double d = line(p, g, i, j, &a, &b);
      if (d < *off) {
        *off = d;
        memset(p->w, 0, p->n * sizeof(double));
        p->w[i] = a;
        p->w[j] = b;
        found = 1;
      }
    }
  return found;
}

/* a less its part along the unit vector b. */
static void less(double *a, const double *b, size_t n)
{
  double along = dot(a, b, n);

  for (size_t i = 0; i < n; i++)
    a[i] -= along * b[i];
}

/* Of member j from the newest one, in units of scale; behind the n states, where m > n,
 * its time and the number of its turn. */
static void difference(const brink__past *p, const group *g, int j, const double *scale,
                       size_t m, double *d)
{
  int a = g->member[j], b = g->member[0];

  for (size_t i = 0; i < p->n; i++)
    d[i] = (row(p, p->y, a)[i] - row(p, p->y, b)[i]) / scale[i];
  if (m > p->n) {
    d[p->n] = (p->t[a] - p->t[b]) / scale[p->n];
    d[p->n + 1] = -j / scale[p->n + 1];
  }
}

/* The normal of the plane through them: p->w, the way in which they are passed, without
 * its part along their differences.  m coordinates, all in units of scale. */
static int across(const brink__past *p, const group *g, const double *scale, size_t m)
{
  double basis[BRINK__PAST][BRINK__PAST + 2], *w = p->w, before = dot(w, w, m);
  size_t found = 0;

  for (int j = 1; j < g->count && found + 1 < m; j++) {
    double *d = basis[found];
    difference(p, g, j, scale, m, d);
    for (size_t k = 0; k < found; k++)
      less(d, basis[k], m);
    double rest = sqrt(dot(d, d, m));
    if (!(rest > NEW))
      continue;
    for (size_t i = 0; i < m; i++)
      d[i] /= rest;
    less(w, d, m);
    found++;
  }
  double after = dot(w, w, m);
  for (size_t i = 0; i < m; i++)
    w[i] /= scale[i];
  return after > STEEP * STEEP * before;
}

/* f at the newest of them, in units of the tolerance. */
static double speed(const brink__past *p, const brink__tol *tol, const group *g,
                    double *scale)
{
  const double *y = row(p, p->y, g->member[0]), *f = row(p, p->f, g->member[0]);

  for (size_t i = 0; i < p->n; i++) {
    scale[i] = brink__scale(tol, i, y[i], y[i]);
    p->w[i] = f[i] / scale[i];
  }
  return sqrt(dot(p->w, p->w, p->n));
}

/* The plane through the newest n of them. */
static int plane(const brink__past *p, const brink__tol *tol, const group *g)
{
  double scale[BRINK__PAST];

  if (p->n > BRINK__PAST || (size_t)g->count < p->n)
    return 0;
  speed(p, tol, g, scale);
  return across(p, g, scale, p->n);
}

/* ... and one that moves with the time, a turn from each of them to the next: a plane
 * in y, t, which counts as much as all of y, and turns, which count next to nothing. */
static int carrier(const brink__past *p, const brink__tol *tol, const group *g)
{
  double scale[BRINK__PAST + 2];
  size_t n = p->n;

  if (n > BRINK__PAST || g->count < 3)
    return 0;
  p->w[n] = speed(p, tol, g, scale);
  p->w[n + 1] = 0;
  scale[n] = 1 / p->w[n];
  scale[n + 1] = FREE * scale[n] / fabs(p->t[g->member[0]] - p->t[g->member[1]]);
  return across(p, g, scale, n + 2);
}

/* The surface of a group: w y + w_n t = *c at the next turn, with w in p->w.  0: not
 * known. */
static int surface(const brink__past *p, const brink__tol *tol, const group *g,
                   brink__foresight by, double *c)
{
  double off = LEVEL * fabs(p->t[0] - p->t[1]), *w = p->w;

  w[p->n] = w[p->n + 1] = 0;
  if (g->count < 2 || !(by == BRINK__CARRIERS ? carrier(p, tol, g)
                                              : level(p, g, &off) || pair(p, g, &off) ||
                                                    plane(p, tol, g)))
    return 0;
  *c = dot(w, row(p, p->y, g->member[0]), p->n) + w[p->n] * p->t[g->member[0]] -
       w[p->n + 1];
  return 1;
}

/* ------------------------------------------------------------- zeros ---- */

static double horner(const double *c, int degree, double x)
{
  double y = c[degree];

  for (int k = degree - 1; k >= 0; k--)
    y = y * x + c[k];
  return y;
}

/* Where q changes its sign between lo and hi. */
static double zero(const double *q, int degree, double lo, double hi)
{
  int above = horner(q, degree, lo) > 0;

  for (int i = 0; i < HALVINGS; i++) {
    double m = 0.5 * (lo + hi);
    if ((horner(q, degree, m) > 0) == above)
      lo = m;
    else
      hi = m;
  }
  return hi;
}

/* The distance along the path to w y = c, or to where that is as near as `slack` of the
 * largest distance before; HUGE_VAL if that is not within reach. */
static double crossing(const brink__past *p, const brink__path *path, double c,
                       double reach, double slack)
{
  size_t width = (size_t)path->degree + 1;
  double *q = p->q;

  memset(q, 0, width * sizeof(double));
  for (size_t i = 0; i < p->n; i++)
    for (size_t k = 0; k < width; k++)
      q[k] += p->w[i] * path->coeff[i * width + k];
  q[0] -= c - p->w[p->n] * path->t;
  q[1] += p->w[p->n] * path->u;

  double u = fabs(path->u), end = reach / u, lo = 0, q_lo = q[0], most = fabs(q_lo);
  for (int j = 1; j <= PARTS; j++) {
    double hi = end * j / PARTS, q_hi = horner(q, path->degree, hi);
    if ((q_lo > 0) != (q_hi > 0))
      return zero(q, path->degree, lo, hi) * u;
    if (fabs(q_hi) < slack * most)
      return hi * u;
    most = fmax(most, fabs(q_hi));
    lo = hi;
    q_lo = q_hi;
  }
  return HUGE_VAL;
}

/* ---------------------------------------------------------- foreseeing ---- */

/* The next crossing of a surface; 0: none is known. */
static int by_surface(const brink__past *p, brink__foresight by,
                      const brink__path *path, double reach, double slack, double *at,
                      int *as)
{
  int known = 0;
  double c;

  *at = HUGE_VAL;
  for (int k = 0; k < p->kept; k++) {
    group g = alike(p, p->seen[k].kind, row(p, p->way, k), by);
    if (g.member[0] < k)
      continue; /* every group once */
    for (int from = 0; from < (by == BRINK__FOUR_SURFACES ? 2 : 1); from++) {
      group h = by == BRINK__FOUR_SURFACES ? every_second(&g, from) : g;
      if (!surface(p, path->tol, &h, by, &c))
        continue;
      double x = crossing(p, path, c, reach, slack);
      known = 1;
      if (x < *at) {
        *at = x;
        *as = h.member[0];
      }
    }
  }
  return known;
}

/* A clock: they come in turns of k, and the times of every k-th lead to the next one.
 * In which way, by d:
 *   0 ....... as much later as the last one was;
 *   1, 2, 3 . by differences of that order;
 *   4 ....... by second differences that swing like a sine, as when a carrier is
 *             modulated: each is c times the one before it, less that before. */
typedef struct beat {
  int k, d;
} beat;

/* How many times it takes. */
static int needs(beat b) { return b.d == 0 ? b.k + 1 : (b.d + 1) * b.k; }

/* When the one that follows t[from] is due. */
static double due(const brink__past *p, beat b, int from)
{
  const double *t = p->t + from, *u = t + b.k - 1;
  int k = b.k;

  switch (b.d) {
  case 0: return u[0] + (t[0] - t[k]);
  case 1: return 2 * u[0] - u[k];
  case 2: return 3 * (u[0] - u[k]) + u[2 * k];
  case 3: return 4 * (u[0] + u[2 * k]) - 6 * u[k] - u[3 * k];
  default: break;
  }
  double d0 = u[0] - 2 * u[k] + u[2 * k], d1 = u[k] - 2 * u[2 * k] + u[3 * k];
  double d2 = u[2 * k] - 2 * u[3 * k] + u[4 * k], c = (d0 + d2) / d1;
  return 2 * u[0] - u[k] + (fabs(c) < 2 ? c * d0 - d1 : d0);
}

/* The one that would have foreseen the last two best; k = 0: none. */
static beat best_beat(const brink__past *p)
{
  beat found = {0};
  double least = REGULAR * fabs(p->t[0] - p->t[1]);

  for (int k = 1; k <= CYCLE; k++)
    for (int d = 0; d < WAYS; d++) {
      beat b = {k, d};
      if (needs(b) + 1 > p->kept)
        continue;
      double off = fabs(due(p, b, 1) - p->t[0]);
      if (needs(b) + 2 <= p->kept)
        off = fmax(off, fabs(due(p, b, 2) - p->t[1]));
      else if (d > 0)
        off *= 2;
      if (off < least) {
        least = off;
        found = b;
      }
    }
  return found;
}

/* When the next is due by the clock, and like which it will be; NAN: no clock. */
static double strike(const brink__past *p, int *as)
{
  beat b = best_beat(p);

  if (b.k == 0)
    return nan("");
  *as = b.k - 1;
  return due(p, b, 0);
}

static int by_clock(const brink__past *p, const brink__path *path, double *at, int *as)
{
  *at = (strike(p, as) - path->t) * (path->u > 0 ? 1 : -1);
  return *at > 0;
}

/* How far one is expected to be off.  As long as they have not been seen, two equal
 * turns of a clock say more than points that a plane goes through anyway; and of
 * surfaces, kinks lie rather on two and jumps on one. */
static double doubt(const brink__past *p, brink__foresight by)
{
  brink__foresight likely =
      p->seen[0].kind == BRINK__SEAM_KINK ? BRINK__TWO_SURFACES : BRINK__ONE_SURFACE;

  if (p->off[by] > 0)
    return p->off[by];
  return TRUST * (by == BRINK__CLOCK           ? 0.2
                  : by == likely               ? 0.4
                  : by == BRINK__CARRIERS      ? 1.1
                  : by == BRINK__FOUR_SURFACES ? 0.8
                                               : 0.6);
}

/* The best that has not been tried yet and is to be trusted. */
static brink__foresight best(const brink__past *p, const int *tried)
{
  brink__foresight found = BRINK__UNFORESEEN;
  double least = TRUST;

  for (int i = 0; i < BRINK__FORESIGHTS; i++)
    if (!tried[i] && doubt(p, (brink__foresight)i) < least) {
      found = (brink__foresight)i;
      least = doubt(p, found);
    }
  return found;
}

int brink__past_speaks(const brink__past *past)
{
  int tried[BRINK__FORESIGHTS] = {0};

  return past->kept > 1 && best(past, tried) != BRINK__UNFORESEEN;
}

/* The one that is kept as k, expected at a distance. */
static brink__seam again(const brink__past *p, brink__foresight by, int k, double at,
                         double unit)
{
  brink__seam seam = p->seen[k];

  seam.lo = at;
  seam.hi = at + p->off[by] * fabs(p->t[0] - p->t[1]);
  seam.top *= unit;
  seam.slope *= unit;
  return seam;
}

brink__seam brink__past_next(const brink__past *past, const brink__path *path,
                             double reach, double slack, double unit,
                             brink__foresight *by)
{
  int tried[BRINK__FORESIGHTS] = {0}, as = 0, known = 0;
  double at = HUGE_VAL;

  while (past->kept > 1 && !known && (*by = best(past, tried)) != BRINK__UNFORESEEN) {
    tried[*by] = 1;
    known = *by == BRINK__CLOCK ? by_clock(past, path, &at, &as)
                                : by_surface(past, *by, path, reach, slack, &at, &as);
  }
  if (!known || at > reach)
    return (brink__seam){0};
  return again(past, *by, as, at, unit);
}

brink__seam brink__past_strike(const brink__past *past, double t, double unit)
{
  int as;
  double at = (strike(past, &as) - t) * (past->t[0] > past->t[1] ? 1 : -1);

  if (!(at > 0 && past->off[BRINK__CLOCK] > 0 && past->off[BRINK__CLOCK] < EXACT))
    return (brink__seam){0};
  return again(past, BRINK__CLOCK, as, at, unit);
}

/* How far it is to where component i has this value, up to `end` units of the path;
 * HUGE_VAL: it has it nowhere. */
static double meets(const brink__past *past, const brink__path *path, size_t i,
                    double level, double end)
{
  size_t width = (size_t)path->degree + 1;
  const double *c = path->coeff + i * width;

  if ((c[0] > level) == (horner(c, path->degree, end) > level))
    return HUGE_VAL;
  memcpy(past->q, c, width * sizeof(double));
  past->q[0] -= level;
  return zero(past->q, path->degree, 0, end) * fabs(path->u);
}

double brink__past_hint(const brink__past *past, const brink__path *path, double reach)
{
  double at = HUGE_VAL, end = reach / fabs(path->u);

  for (int k = 0; k < past->kept && at == HUGE_VAL; k++)
    for (size_t i = 0; i < past->n && at == HUGE_VAL; i++)
      at = meets(past, path, i, row(past, past->y, k)[i], end);
  for (size_t i = 0; i < past->n && at == HUGE_VAL; i++)
    at = meets(past, path, i, 0, end);
  return at;
}

/* ------------------------------------------------------------ learning ---- */

/* How far y is from the surface it should be on, in time; NAN: there is none. */
static double missed(const brink__past *p, const brink__path *path,
                     brink__seam_kind kind, brink__foresight by, double t,
                     const double *y, const double *f)
{
  group g = alike(p, kind, path->way, by);
  double c;

  if (by == BRINK__FOUR_SURFACES)
    g = every_second(&g, 1);
  if (!surface(p, path->tol, &g, by, &c))
    return nan("");
  return fabs((dot(p->w, y, p->n) + p->w[p->n] * t - c) /
              (dot(p->w, f, p->n) + p->w[p->n]));
}

static void learn(brink__past *p, const brink__path *path, brink__seam_kind kind,
                  double t, const double *y, const double *f)
{
  double passed = fabs(t - p->t[0]);
  int as;

  for (int i = 0; i < BRINK__FORESIGHTS; i++) {
    double off = i == BRINK__CLOCK
                     ? fabs(strike(p, &as) - t)
                     : missed(p, path, kind, (brink__foresight)i, t, y, f);
    if (!isnan(off))
      p->off[i] = off / passed + DBL_MIN; /* it has been seen */
  }
}

void brink__past_add(brink__past *past, const brink__path *path,
                     const brink__seam *seam, double unit, double t, const double *y,
                     const double *f)
{
  size_t n = past->n, all = (BRINK__PAST - 1) * n * sizeof(double);

  learn(past, path, seam->kind, t, y, f);
  memmove(past->y + n, past->y, all);
  memmove(past->f + n, past->f, all);
  memmove(past->way + n, past->way, all);
  memcpy(past->y, y, n * sizeof(double));
  memcpy(past->f, f, n * sizeof(double));
  memcpy(past->way, path->way, n * sizeof(double));
  memmove(past->t + 1, past->t, (BRINK__PAST - 1) * sizeof(double));
  memmove(past->seen + 1, past->seen, (BRINK__PAST - 1) * sizeof(brink__seam));
  past->t[0] = t;
  past->seen[0] = *seam;
  past->seen[0].top /= unit;
  past->seen[0].slope /= unit;
  past->kept += past->kept < BRINK__PAST;
}
