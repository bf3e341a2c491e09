/* affine_reference.c -- brute force: a small fixed step through time.
 *
 * A plane between regions is replaced by a layer of a small width across which the laws
 * are blended, bilinearly where two layers meet; that is the limit which Filippov's
 * solution and the bilinear one have in common.  A bounce reverses the velocity
 * whenever the floor is passed, however slow it is (Moreau's stepping); a bound puts
 * its state back in each step.  Conditions of resets are looked at after each step, and
 * after each reset. */
#include "affine.h"

#include <math.h>
#include <string.h>

/* Steps across a layer at speed 1, and so many times as many if asked for.  The speeds
 * on the two sides differ by up to ten, by more where bodies are held: with too few
 * steps Heun's method is unstable in the layer, and jumping to and fro gives the laws
 * other weights where two layers meet. */
static const double STEPS_ACROSS = 12, FINER = 5;

/* Resets that follow from each other at one time; sweeps over a column of bodies. */
enum { RESETS = 100, SWEEPS = 20 };

static void blended(const affine *s, double width, double t, const double *x, double *f)
{
  double part[PLANES] = {0}, law[STATES];

  for (int k = 0; k < s->n_planes; k++) {
    double to = 0.5 + above_plane(&s->plane[k], s->n, t, x) / width;
    part[k] = fmin(fmax(to, 0), 1);
  }
  memset(f, 0, STATES * sizeof *f);
  for (int r = 0; r < 1 << s->n_planes; r++) {
    double weight = 1;
    for (int k = 0; k < s->n_planes; k++)
      weight *= r >> k & 1 ? part[k] : 1 - part[k];
    if (weight == 0)
      continue;
    affine_law(s, r, t, x, law);
    for (int i = 0; i < s->n; i++)
      f[i] += weight * law[i];
  }
}

/* Heun's method: its error is far below that of the layer. */
static void step(const affine *s, double width, double t, double h, double *x)
{
  double f[STATES], g[STATES], y[STATES];

  blended(s, width, t, x, f);
  for (int i = 0; i < s->n; i++)
    y[i] = x[i] + h * f[i];
  blended(s, width, t + h, y, g);
  for (int i = 0; i < s->n; i++)
    x[i] += h * (f[i] + g[i]) / 2;
}

/* Is body k on or in what is below it and comes nearer?  It is put onto it. */
static int meets(const affine *s, int k, double t, double *x)
{
  const body *b = &s->body[k];
  int last = k + 1 == s->n_bodies;
  double floor = last ? wave_at(&b->floor, t) : x[b[1].at],
         rises = last ? wave_rate(&b->floor, t) : x[b[1].at + 1];

  if (x[b->at] > floor)
    return 0;
  x[b->at] = floor;
  return x[b->at + 1] < rises;
}

static void contacts(const affine *s, double t, double *x)
{
  int any = 1;

  for (int sweep = 0; any && sweep < SWEEPS; sweep++) {
    any = 0;
    for (int k = s->n_bodies - 1; k >= 0; k--) {
      const body *b = &s->body[k];
      if (meets(s, k, t, x)) {
        affine_impact(s, k, 0, t, x);
        any = s->n_bodies > 1;
      }
      if (b->ceiling != 0 && x[b->at] >= b->ceiling) {
        x[b->at] = b->ceiling;
        if (x[b->at + 1] > 0)
          affine_impact(s, k, 1, t, x);
      }
    }
  }
  if (s->stop.at >= 0 && s->stop.dir * (x[s->stop.at] - s->stop.bound) < 0)
    affine_push(s, x);
}

/* Resets whose conditions have become true, the first to do so in the step first.
 * `from` are values of the conditions before, true if > 0. */
static void resets(const affine *s, double t, double *from, double *x)
{
  for (int round = 0; round < RESETS; round++) {
    int first = -1;
    double soonest = HUGE_VAL;
    for (int k = 0; k < s->n_gates; k++) {
      double to = s->gate[k].dir * above_plane(&s->gate[k].plane, s->n, t, x);
      double part = -from[k] / (to - from[k]);
      if (from[k] <= 0 && to > 0 && part < soonest) {
        soonest = part;
        first = k;
      }
      if (to <= 0)
        from[k] = to;
    }
    if (first < 0)
      return;
    affine_cross(s, &s->gate[first], t, x);
    from[first] = 1;
  }
}

void affine_reference(const affine *s, double width, int finer, double *x)
{
  double across = STEPS_ACROSS * (finer ? FINER : 1);
  long steps = (long)ceil(AFFINE_SPAN * across / width);
  double h = AFFINE_SPAN / (double)steps, before[GATES] = {0};

  memcpy(x, s->x0, sizeof s->x0);
  for (long k = 0; k < steps; k++) {
    double t = s->t0 + h * (double)k;
    for (int j = 0; j < s->n_gates; j++)
      before[j] = s->gate[j].dir * above_plane(&s->gate[j].plane, s->n, t, x);
    step(s, width, t, h, x);
    contacts(s, t + h, x);
    resets(s, t + h, before, x);
  }
}
