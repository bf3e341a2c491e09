/* floor.c -- a bouncing ball by hand: Dormand-Prince 5(4), interpolant, Illinois.
 *
 * Tableau and interpolant ... [DP80], [HNW93, Table II.5.2 and II.6].
 * Step size ................. elementary controller h err^(-1/5), [HNW93, II.4].
 * Location .................. Illinois on the interpolated height, [DJ71].
 *
 * After a bounce the height is exactly 0: the search then starts where the
 * interpolant has left the ground.
 */
#include "floor.h"

#include <math.h>

enum { N = 2 }; /* height, speed */

#define SAFETY       0.9
#define SHRINK_MAX   0.2
#define GROW_MAX     10.0
#define ERR_TINY     1e-8 /* below it the growth limit decides, not the power */
#define FIRST_STEP   1e-2
#define LEAVE        1e-3  /* fraction of the step where a ball has left the ground */
#define WIDTH        4e-15 /* of the bracket, relative to t */
#define ILLINOIS_MAX 100

typedef struct step {
  double y[N], y1[N]; /* both ends                                  */
  double k1[N], k3[N], k4[N], k5[N], k6[N], k7[N];
} step;

/* One component along the step, r0 + th(r1 + (1-th)(r2 + th(r3 + (1-th) r4))). */
typedef struct path {
  double r[5];
} path;

static inline void rhs(const double *y, double *f)
{
  f[0] = y[1];
  f[1] = -BALL_GRAVITY;
}

/* --------------------------------------------------------------- step ---- */

/* Fill y1 and the stages from y and k1. */
static inline void advance(step *s, double h)
{
  double k2[N], z[N];

  for (int i = 0; i < N; i++)
    z[i] = s->y[i] + h * (1. / 5) * s->k1[i];
  rhs(z, k2);
  for (int i = 0; i < N; i++)
    z[i] = s->y[i] + h * (3. / 40 * s->k1[i] + 9. / 40 * k2[i]);
  rhs(z, s->k3);
  for (int i = 0; i < N; i++)
    z[i] = s->y[i] + h * (44. / 45 * s->k1[i] - 56. / 15 * k2[i] + 32. / 9 * s->k3[i]);
  rhs(z, s->k4);
  for (int i = 0; i < N; i++)
    z[i] = s->y[i] + h * (19372. / 6561 * s->k1[i] - 25360. / 2187 * k2[i] +
                          64448. / 6561 * s->k3[i] - 212. / 729 * s->k4[i]);
  rhs(z, s->k5);
  for (int i = 0; i < N; i++)
    z[i] = s->y[i] +
           h * (9017. / 3168 * s->k1[i] - 355. / 33 * k2[i] + 46732. / 5247 * s->k3[i] +
                49. / 176 * s->k4[i] - 5103. / 18656 * s->k5[i]);
  rhs(z, s->k6);
  for (int i = 0; i < N; i++)
    s->y1[i] = s->y[i] + h * (35. / 384 * s->k1[i] + 500. / 1113 * s->k3[i] +
                              125. / 192 * s->k4[i] - 2187. / 6784 * s->k5[i] +
                              11. / 84 * s->k6[i]);
  rhs(s->y1, s->k7);
}

static inline double error_norm(const step *s, double h, double tol)
{
  double sum = 0;

  for (int i = 0; i < N; i++) {
    double a = fabs(s->y[i]), b = fabs(s->y1[i]);
    double e = 71. / 57600 * s->k1[i] - 71. / 16695 * s->k3[i] + 71. / 1920 * s->k4[i] -
               17253. / 339200 * s->k5[i] + 22. / 525 * s->k6[i] - 1. / 40 * s->k7[i];
    double q = h * e / (tol + tol * (a > b ? a : b));
    sum += q * q;
  }
  return sqrt(sum / N);
}

static inline double next_factor(double err)
{
  if (err < ERR_TINY)
    return GROW_MAX;
  double factor = SAFETY * pow(err, -0.2);
  return factor > GROW_MAX ? GROW_MAX : factor < SHRINK_MAX ? SHRINK_MAX : factor;
}

/* -------------------------------------------------------------- event ---- */

static inline path interpolant(const step *s, double h, int i)
{
  double dy = s->y1[i] - s->y[i];
  double bend = h * s->k1[i] - dy;
  double last =
      h *
      (-12715105075. / 11282082432. * s->k1[i] +
       87487479700. / 32700410799. * s->k3[i] - 10690763975. / 1880347072. * s->k4[i] +
       701980252875. / 199316789632. * s->k5[i] - 1453857185. / 822651844. * s->k6[i] +
       69997945. / 29380423. * s->k7[i]);

  return (path){{s->y[i], dy, bend, dy - h * s->k7[i] - bend, last}};
}

static inline double at(const path *p, double th)
{
  double back = 1 - th;

  return p->r[0] + th * (p->r[1] + back * (p->r[2] + th * (p->r[3] + back * p->r[4])));
}

/* The fraction of the step where the height, positive at a, has fallen to 0. */
static inline double fall(const path *p, double a, double ga, double g1, double width,
                          long *g_evals)
{
  double b = 1, gb = g1;
  int kept = 0; /* the end that stayed last time: -1 a, +1 b */

  for (int k = 0; b - a > width && k < ILLINOIS_MAX; k++) {
    double th = (ga * b - gb * a) / (ga - gb);
    if (!(th > a + 0.5 * width))
      th = k & 1 ? a + 0.5 * (b - a) : a + 0.5 * width;
    if (!(th < b - 0.5 * width))
      th = b - 0.5 * width;

    double g = at(p, th);
    (*g_evals)++;
    if (g > 0) {
      a = th, ga = g;
      if (kept == +1)
        gb *= 0.5;
      kept = +1;
    } else {
      b = th, gb = g;
      if (kept == -1)
        ga *= 0.5;
      kept = -1;
    }
  }
  return b;
}

/* Cut the step at the bounce and reflect; returns the fraction of h. */
static inline double bounce(step *s, ball b, double t, double h, long *g_evals)
{
  path height = interpolant(s, h, 0), speed = interpolant(s, h, 1);
  double from = 0, g = s->y[0];

  if (g == 0)
    for (from = LEAVE; (g = at(&height, from)) <= 0;)
      from *= 0.1;
  double th = fall(&height, from, g, s->y1[0], WIDTH * (t + h) / h, g_evals);

  s->y[0] = 0;
  s->y[1] = -b.restitution * at(&speed, th);
  rhs(s->y, s->k1);
  return th;
}

/* ---------------------------------------------------------------- run ---- */

int floor_ball(ball b, double tol, int n, double *times, floor_work *work)
{
  step s = {.y = {b.height, 0}};
  double t = 0, h = FIRST_STEP;
  long steps = 0, f_evals = 1, g_evals = 0;
  int found = 0;

  rhs(s.y, s.k1);
  while (found < n && t < BALL_END) {
    if (h > BALL_END - t)
      h = BALL_END - t;
    advance(&s, h);
    double err = error_norm(&s, h, tol);
    steps++, f_evals += 6;
    if (err > 1) {
      h *= next_factor(err);
      continue;
    }

    g_evals++;
    if (s.y1[0] <= 0 && s.y1[1] < 0) {
      h *= bounce(&s, b, t, h, &g_evals);
      t += h;
      times[found++] = t;
      f_evals++;
      continue;
    }
    t += h;
    h *= next_factor(err);
    for (int i = 0; i < N; i++)
      s.y[i] = s.y1[i], s.k1[i] = s.k7[i];
  }
  work->steps += steps;
  work->f_evals += f_evals;
  work->g_evals += g_evals;
  return found;
}
