/* piecewise.c -- a solution of continuous piecewise linear equations by pivoting.
 *
 * Katzenelson's method [Katzenelson65]: the curve F(z) = (1 - lambda) F(z0) is a line
 * in each piece.  It is followed from one piece to the next: where it meets the zero of
 * a guard that guard changes its side, and the direction in the next piece is the one
 * that leads into it.  Nothing is iterated, and each line is computed exactly but for
 * rounding.  lambda may go back for a while [FK72]: the direction is found from
 * A and F(z0) together, so that a piece whose A is singular is passed as well (lambda
 * stands still there).  For a P-matrix, which passive networks have, the path never
 * turns and ends at the only solution.
 *
 * Where two guards are zero at once the path has no next piece; from z0 in general
 * position that does not happen, and choosing such a z0 is up to the caller.  Cost:
 * n^3/3 for each piece.
 */
#include "linear/piecewise.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* A pivot below this, in scaled rows and columns, is rounding of an element that is 0.
 */
static const double SINGULAR = 64 * DBL_EPSILON;

/* F on both sides of a guard differs by this part of its terms at most, where it is
 * continuous: rounding, of terms whose coefficients differ by many orders. */
static const double CONTINUOUS = 1e-6;

/* Pieces of one path: a multiple of the guards, each of which may turn several times.
 */
enum { PIECES_PER_GUARD = 32, PIECES_LEAST = 64 };

size_t brink__piecewise_size(size_t n, size_t k)
{
  return 2 * k + n * n + n + k * n + 2 * n + n + n * (n + 1) + 2 * (n + 1);
}

void brink__piecewise_place(brink__piecewise *p, double *memory)
{
  size_t n = p->n, k = p->k;

  p->side = memory;
  p->d = p->side + k;
  p->a = p->d + k;
  p->b = p->a + n * n;
  p->c = p->b + n;
  p->z = p->c + k * n;
  p->unit = p->z + n;
  p->f0 = p->unit + n;
  p->matrix = p->f0 + n;
  p->way = p->matrix + n * (n + 1);
  p->column = p->way + n + 1;
}

static double guard(const brink__piecewise *p, size_t i)
{
  double g = p->d[i];

  for (size_t j = 0; j < p->n; j++)
    g += p->c[i * p->n + j] * p->z[j];
  return g;
}

static double rate(const brink__piecewise *p, size_t i)
{
  double g = 0;

  for (size_t j = 0; j < p->n; j++)
    g += p->c[i * p->n + j] * p->way[j];
  return g;
}

/* Component i of F at z; *size: of its terms. */
static double residual(const brink__piecewise *p, size_t i, double *size)
{
  double f = p->b[i];

  *size = fabs(f);
  for (size_t j = 0; j < p->n; j++) {
    double term = p->a[i * p->n + j] * p->z[j];
    f += term;
    *size += fabs(term);
  }
  return f;
}

/* ---------------------------------------------------------- direction ---- */

/* A and f0 in units of the unknowns, rows scaled to a largest element of 1. */
static void scaled_rows(brink__piecewise *p)
{
  size_t n = p->n, row = n + 1;

  for (size_t i = 0; i < n; i++) {
    double *m = p->matrix + i * row, top = 0;
    for (size_t j = 0; j < n; j++)
      m[j] = p->a[i * n + j] * p->unit[j];
    m[n] = p->f0[i];
    for (size_t j = 0; j <= n; j++)
      top = fmax(top, fabs(m[j]));
    for (size_t j = 0; j <= n && top > 0; j++)
      m[j] /= top;
  }
}

/* Bring the largest element of the rest to place (k, k); 0: the rest is zero. */
static int pivot(brink__piecewise *p, size_t k)
{
  size_t n = p->n, row = n + 1, at = k, col = k;
  double *m = p->matrix, top = 0;

  for (size_t i = k; i < n; i++)
    for (size_t j = k; j <= n; j++)
      if (fabs(m[i * row + j]) > top) {
        top = fabs(m[i * row + j]);
        at = i;
        col = j;
      }
  if (!(top > SINGULAR))
    return 0;
  for (size_t j = 0; j <= n; j++) {
    double t = m[k * row + j];
    m[k * row + j] = m[at * row + j];
    m[at * row + j] = t;
  }
  for (size_t i = 0; i < n; i++) {
    double t = m[i * row + k];
    m[i * row + k] = m[i * row + col];
    m[i * row + col] = t;
  }
  double c = p->column[k];
  p->column[k] = p->column[col];
  p->column[col] = c;
  return 1;
}

/* The direction of the path in this piece, up to its sign: the kernel of (A, f0).  0:
 * there are several. */
static int direction(brink__piecewise *p)
{
  size_t n = p->n, row = n + 1;
  double *m = p->matrix;

  scaled_rows(p);
  for (size_t j = 0; j <= n; j++)
    p->column[j] = (double)j;
  for (size_t k = 0; k < n; k++) {
    if (!pivot(p, k))
      return 0;
    for (size_t i = k + 1; i < n; i++) {
      double factor = m[i * row + k] / m[k * row + k];
      for (size_t j = k; j <= n && factor != 0; j++)
        m[i * row + j] -= factor * m[k * row + j];
    }
  }

  /* the column that is left counts 1 */
  for (size_t k = n + 1; k-- > 0;) {
    double x = 1;
    if (k < n) {
      x = 0;
      for (size_t j = k + 1; j <= n; j++)
        x -= m[k * row + j] * p->way[(size_t)p->column[j]];
      x /= m[k * row + k];
    }
    p->way[(size_t)p->column[k]] = x;
  }
  for (size_t j = 0; j < n; j++)
    p->way[j] *= p->unit[j];
  return 1;
}

static void turn_round(brink__piecewise *p)
{
  for (size_t j = 0; j <= p->n; j++)
    p->way[j] = -p->way[j];
}

/* ---------------------------------------------------------------- path --- */

/* How far along the direction is the next zero of a guard?  *which: its number, k:
 * there is none.  entered: the guard that has just changed its side. */
static double next_zero(const brink__piecewise *p, size_t entered, size_t *which)
{
  double nearest = HUGE_VAL;

  *which = p->k;
  for (size_t i = 0; i < p->k; i++) {
    double speed = rate(p, i) * p->side[i];
    if (i == entered || !(speed < 0))
      continue;
    double far = fmax(guard(p, i) * p->side[i], 0) / -speed;
    if (far < nearest) {
      nearest = far;
      *which = i;
    }
  }
  return nearest;
}

/* Is F in this piece what it is on the path? */
static int continues(const brink__piecewise *p, double lambda)
{
  double size;

  for (size_t i = 0; i < p->n; i++) {
    double off = residual(p, i, &size) - (1 - lambda) * p->f0[i];
    if (!(fabs(off) <= CONTINUOUS * (size + fabs(p->f0[i]))))
      return 0;
  }
  return 1;
}

/* The piece in which the path begins, which may itself decide what the guards are. */
static int begin(brink__piecewise *p)
{
  double size;

  for (size_t times = 0; times <= p->k; times++) {
    int same = 1;
    if (!p->piece(p))
      return 0;
    for (size_t i = 0; i < p->k; i++) {
      double side = guard(p, i) < 0 ? -1 : 1;
      same &= side == p->side[i];
      p->side[i] = side;
    }
    if (!same)
      continue;
    for (size_t i = 0; i < p->n; i++)
      p->f0[i] = residual(p, i, &size);
    return 1;
  }
  return 0;
}

/* Take the direction that leads forward: at first to a larger lambda, later into the
 * piece behind the guard.  0: neither does. */
static int forward(brink__piecewise *p, size_t entered)
{
  if (!direction(p))
    return 0;
  double ahead = entered < p->k ? rate(p, entered) * p->side[entered] : p->way[p->n];
  if (ahead < 0)
    turn_round(p);
  return ahead != 0;
}

int brink__piecewise_path(brink__piecewise *p)
{
  int most = PIECES_LEAST + PIECES_PER_GUARD * (int)p->k;
  size_t entered = p->k, next;
  double lambda = 0;

  if (!begin(p))
    return 0;
  for (int count = 0; count < most; count++) {
    if (!forward(p, entered))
      return 0;
    double far = next_zero(p, entered, &next);
    double end = p->way[p->n] > 0 ? (1 - lambda) / p->way[p->n] : HUGE_VAL;
    double length = fmin(far, end);
    if (!isfinite(length))
      return 0;
    for (size_t j = 0; j < p->n; j++)
      p->z[j] += length * p->way[j];
    lambda += length * p->way[p->n];
    if (end <= far)
      return 1;
    p->side[next] = -p->side[next];
    entered = next;
    if (!p->piece(p) || !continues(p, lambda))
      return 0;
  }
  return 0;
}
