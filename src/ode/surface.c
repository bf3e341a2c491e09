/* surface.c -- the surface on which discontinuities lie, from those that were met.
 *
 *   level ... a component had the same value at all of them;
 *   line .... two components were on one line;
 *   plane ... they lie on the plane through the last n of them.  Of all planes through
 *             fewer or coinciding points it is the one that f crosses most steeply:
 *             its normal is f without its part along the differences of the points;
 *   carrier . the plane moves with the time, a turn from one to the next: they lie on a
 *             plane in y, t and the number of turns.
 */
#include "ode/past.h"

#include <math.h>
#include <string.h>

enum { PAIRS = 40 }; /* states up to which every two are looked at */

static const double LEVEL = 0x1p-8; /* of the time between two: the same value        */
static const double NEW = 30;       /* tolerances between them: a new direction       */
static const double FREE = 0.03;    /* what a turn weighs                             */
static const double STEEP = 0.02;   /* of f: it crosses a plane                       */

/* The component that was most nearly the same at all of them: in *off, how nearly, as a
 * time. */
static int level(const brink__past *p, const brink__group *g, double *off)
{
  const double *f = brink__past_row(p, p->f, g->member[0]);
  size_t which = p->n;

  for (size_t i = 0; i < p->n; i++) {
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int j = 0; j < g->count; j++) {
      double y = brink__past_row(p, p->y, g->member[j])[i];
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
static double line(const brink__past *p, const brink__group *g, size_t i, size_t j,
                   double *a, double *b)
{
  const double *f = brink__past_row(p, p->f, g->member[0]),
               *y0 = brink__past_row(p, p->y, g->member[0]);
  double far = 0, off = 0;

  /* through the one that is furthest away */
  for (int k = 1; k < g->count; k++) {
    const double *y = brink__past_row(p, p->y, g->member[k]);
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
    const double *y = brink__past_row(p, p->y, g->member[k]);
    off = fmax(off, fabs(*a * (y[i] - y0[i]) + *b * (y[j] - y0[j])) / speed);
  }
  return off;
}

/* The two components that are most nearly on a line. */
static int pair(const brink__past *p, const brink__group *g, double *off)
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
  double along = brink__past_dot(a, b, n);

  for (size_t i = 0; i < n; i++)
    a[i] -= along * b[i];
}

/* Of member j from the newest one, in units of scale; behind the n states, where m > n,
 * its time and the number of its turn. */
static void difference(const brink__past *p, const brink__group *g, int j,
                       const double *scale, size_t m, double *d)
{
  int a = g->member[j], b = g->member[0];

  for (size_t i = 0; i < p->n; i++)
    d[i] = (brink__past_row(p, p->y, a)[i] - brink__past_row(p, p->y, b)[i]) / scale[i];
  if (m > p->n) {
    d[p->n] = (p->t[a] - p->t[b]) / scale[p->n];
    d[p->n + 1] = -j / scale[p->n + 1];
  }
}

/* The normal of the plane through them: p->w, the way in which they are passed, without
 * its part along their differences.  m coordinates, all in units of scale. */
static int across(const brink__past *p, const brink__group *g, const double *scale,
                  size_t m)
{
  double basis[BRINK__PAST][BRINK__PAST + 2], *w = p->w,
                                              before = brink__past_dot(w, w, m);
  size_t found = 0;

  for (int j = 1; j < g->count && found + 1 < m; j++) {
    double *d = basis[found];
    difference(p, g, j, scale, m, d);
    for (size_t k = 0; k < found; k++)
      less(d, basis[k], m);
    double rest = sqrt(brink__past_dot(d, d, m));
    if (!(rest > NEW))
      continue;
    for (size_t i = 0; i < m; i++)
      d[i] /= rest;
    less(w, d, m);
    found++;
  }
  double after = brink__past_dot(w, w, m);
  for (size_t i = 0; i < m; i++)
    w[i] /= scale[i];
  return after > STEEP * STEEP * before;
}

/* f at the newest of them, in units of the tolerance. */
static double speed(const brink__past *p, const brink__tol *tol, const brink__group *g,
                    double *scale)
{
  const double *y = brink__past_row(p, p->y, g->member[0]),
               *f = brink__past_row(p, p->f, g->member[0]);

  for (size_t i = 0; i < p->n; i++) {
    scale[i] = brink__scale(tol, i, y[i], y[i]);
    p->w[i] = f[i] / scale[i];
  }
  return sqrt(brink__past_dot(p->w, p->w, p->n));
}

/* The plane through the newest n of them. */
static int plane(const brink__past *p, const brink__tol *tol, const brink__group *g)
{
  double scale[BRINK__PAST];

  if (p->n > BRINK__PAST || (size_t)g->count < p->n)
    return 0;
  speed(p, tol, g, scale);
  return across(p, g, scale, p->n);
}

/* ... and one that moves with the time, a turn from each of them to the next: a plane
 * in y, t, which counts as much as all of y, and turns, which count next to nothing. */
static int carrier(const brink__past *p, const brink__tol *tol, const brink__group *g)
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

int brink__surface(const brink__past *p, const brink__tol *tol, const brink__group *g,
                   brink__foresight by, double *c)
{
  double off = LEVEL * fabs(p->t[0] - p->t[1]), *w = p->w;

  w[p->n] = w[p->n + 1] = 0;
  if (g->count < 2 || !(by == BRINK__CARRIERS ? carrier(p, tol, g)
                                              : level(p, g, &off) || pair(p, g, &off) ||
                                                    plane(p, tol, g)))
    return 0;
  *c = brink__past_dot(w, brink__past_row(p, p->y, g->member[0]), p->n) +
       w[p->n] * p->t[g->member[0]] - w[p->n + 1];
  return 1;
}
