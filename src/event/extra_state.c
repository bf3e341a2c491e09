/* extra_state.c -- a guard as one more state along a predicted step [EK07, (3)].
 *
 *   x' = f(t, x),  g(t, x) <= 0   becomes   x' = f,  z' = g_x f + g_t,  z <= 0,
 *
 * a guard that is linear in the states, whatever g is.  A method that integrates z
 * beside x knows z' along its last step, and predicts z by carrying the integral of a
 * polynomial through these slopes on over the next one: that is what one-step methods
 * predict of states, and what an Adams predictor is (4), whose slopes are those of the
 * polynomial of the last step.  Here the slopes are rates of the guard (rate.c) at
 * Chebyshev points of that step:
 *
 *   z(t_k + s) = g(t_k, x_k) + int_0^s q,   q through z' at n points of [t_{k-1}, t_k].
 *
 * z begins with g at each step and does not drift.  Nothing is evaluated ahead of the
 * step, neither f nor the guard.
 *
 * n is the degree of the step's polynomial, or less where the next step is much longer
 * than the last: carried on over rho last steps, the rounding of n slopes grows like
 * the Chebyshev polynomial of degree n - 1 at 1 + 2 rho.
 */
#include "event/guards.h"

#include <float.h>
#include <math.h>

enum { SLOPES = 16 }; /* at most */

/* Rounding may grow by this much: a prediction is good to six digits then. */
static const double GROWTH = 0x1p30;

/* z is as good as so many roundings of what it is the sum of. */
static const double ROUNDINGS = 4;

/* The number of slopes along a step that may be carried on over rho times its length.
 */
static int slopes(int degree, double rho)
{
  double x = 1 + 2 * rho, each = x + sqrt(x * x - 1),
         most = 1 + log(GROWTH) / log(each);

  return (int)brink__min(brink__min(degree, SLOPES), most);
}

/* The polynomial through (x[j], r[j]), j < n, in powers: c[0 .. n-1].  Uses up r. */
static void through(int n, const double *x, double *r, double *c)
{
  for (int k = 1; k < n; k++) /* divided differences */
    for (int j = n - 1; j >= k; j--)
      r[j] = (r[j] - r[j - 1]) / (x[j] - x[j - k]);
  for (int k = 0; k < n; k++)
    c[k] = 0;
  for (int j = n - 1; j >= 0; j--) { /* c := c (theta - x_j) + r_j */
    for (int k = n - 1; k >= 1; k--)
      c[k] = c[k - 1] - x[j] * c[k];
    c[0] = r[j] - x[j] * c[0];
  }
}

/* Rates of guard k at n points of the step, and where they are in units of h from its
 * end.  0: the guard has none. */
static int rates(brink__guards *g, int k, const brink_step *last, double h, int n,
                 double *x, double *r)
{
  double at[SLOPES] = {1}, *y = g->y, *f = g->y_in;

  brink__guards_step(g);
  if (n > 1)
    brink__chebyshev_points(n - 1, at);
  for (int j = 0; j < n; j++) {
    x[j] = (at[j] - 1) * last->h / h;
    brink_step_at(last, at[j], y);
    brink_step_slope(last, at[j], f);
    if (!brink__guard_rate(g, k, last->t0 + at[j] * last->h, y, f, h, &r[j]))
      return 0;
  }
  return 1;
}

int brink__guard_extra_state(brink__guards *g, int k, const brink_step *last,
                             const brink_step *ahead, brink__poly *p)
{
  double x[SLOPES], r[SLOPES], q[SLOPES], *c = g->row, h = ahead->h, sum = 0;
  brink_err ignored;

  if (!last || g->info[k].form == BRINK__GUARD_STATE)
    return 0; /* a guard that is a state is predicted as that */
  int n = slopes(last->degree, h / last->h);
  if (!rates(g, k, last, h, n, x, r))
    return 0;
  brink_step_at(ahead, 0, g->y);
  if (brink__guard_value(g, k, ahead->t0, g->y, &c[0], &ignored) < 0)
    return 0;
  through(n, x, r, q);
  for (int j = 0; j < n; j++) {
    c[j + 1] = h * q[j] / (j + 1);
    sum += fabs(c[j + 1]);
  }
  *p = (brink__poly){BRINK__MONOMIAL, n, c,
                     ROUNDINGS * DBL_EPSILON * (fabs(c[0]) + sum) + g->info[k].noise +
                         brink__watch_band(&g->watch[k])};
  return isfinite(sum) != 0;
}
