/* past.c -- where the next discontinuity is to be expected, from those that were met.
 *
 * f changes its law where some function of (t, y) that nobody knows has a zero.  Such
 * functions are mostly simple, and their zeros come again: on a surface of the state
 * space, which may move (surface.c), or at times that go on in a simple way (beat.c).
 *
 * A relay switches back and forth on one surface; the two ends of a saturation are two
 * surfaces, told apart by the way in which f changes there.  A dead band is entered at
 * one end in the way in which it is left at the other, in turn: every second one of
 * those is on one surface.  Each discontinuity shows how well each of these would have
 * foreseen it; the best one is heard.
 *
 * Nothing here is believed: what is foreseen is where to look, and how closely, by how
 * far it was off before; with two or three evaluations of f, if it is exact, instead of
 * a rejected step and one for each bit of the place.
 */
#include "ode/past.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
  PARTS = 24,   /* in which a path is looked through for a zero */
  HALVINGS = 45 /* until it is found in one of them             */
};

static const double ALIKE = 0.8;  /* cosine between changes of f that are the same  */
static const double TRUST = 0.2;  /* of the time between two of them: off by more,
                                     it is not heard                                */
static const double EXACT = 0.02; /* ... off by less, a clock is followed unseen    */

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

const double *brink__past_row(const brink__past *p, const double *a, int k)
{
  return a + (size_t)k * p->n;
}

double brink__past_dot(const double *a, const double *b, size_t n)
{
  double sum = 0;

  for (size_t i = 0; i < n; i++)
    sum += a[i] * b[i];
  return sum;
}

/* ------------------------------------------------------------- groups ---- */

/* Those at which f changed in this way. */
static brink__group alike(const brink__past *p, brink__seam_kind kind,
                          const double *way, brink__foresight by)
{
  brink__group g = {0};

  for (int j = 0; j < p->kept; j++) {
    double c = brink__past_dot(brink__past_row(p, p->way, j), way, p->n);
    if (p->seen[j].kind == kind && (by == BRINK__ONE_SURFACE ? fabs(c) : c) > ALIKE)
      g.member[g.count++] = j;
  }
  return g;
}

/* Of them the first, third and so on; or those between. */
static brink__group every_second(const brink__group *g, int from)
{
  brink__group h = {0};

  for (int i = from; i < g->count; i += 2)
    h.member[h.count++] = g->member[i];
  return h;
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
    brink__group g = alike(p, p->seen[k].kind, brink__past_row(p, p->way, k), by);
    if (g.member[0] < k)
      continue; /* every group once */
    for (int from = 0; from < (by == BRINK__FOUR_SURFACES ? 2 : 1); from++) {
      brink__group h = by == BRINK__FOUR_SURFACES ? every_second(&g, from) : g;
      if (!brink__surface(p, path->tol, &h, by, &c))
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

static int by_clock(const brink__past *p, const brink__path *path, double *at, int *as)
{
  *at = (brink__beat_next(p->t, p->kept, as) - path->t) * (path->u > 0 ? 1 : -1);
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
  double at = (brink__beat_next(past->t, past->kept, &as) - t) *
              (past->t[0] > past->t[1] ? 1 : -1);

  if (!(at > 0 && at < HUGE_VAL && past->off[BRINK__CLOCK] > 0 &&
        past->off[BRINK__CLOCK] < EXACT))
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
      at = meets(past, path, i, brink__past_row(past, past->y, k)[i], end);
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
  brink__group g = alike(p, kind, path->way, by);
  double c;

  if (by == BRINK__FOUR_SURFACES)
    g = every_second(&g, 1);
  if (!brink__surface(p, path->tol, &g, by, &c))
    return nan("");
  return fabs((brink__past_dot(p->w, y, p->n) + p->w[p->n] * t - c) /
              (brink__past_dot(p->w, f, p->n) + p->w[p->n]));
}

static void learn(brink__past *p, const brink__path *path, brink__seam_kind kind,
                  double t, const double *y, const double *f)
{
  double passed = fabs(t - p->t[0]);
  int as;

  for (int i = 0; i < BRINK__FORESIGHTS; i++) {
    double off = i == BRINK__CLOCK
                     ? fabs(brink__beat_next(p->t, p->kept, &as) - t)
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
