/* least_norm.c -- the smallest solution of an underdetermined system.
 *
 * Householder QR with column pivoting of the transpose [GvL13, 5.4, 5.6]:
 * a^T P = Q R, then R^T z = P^T b and x = Q z.  A row of a whose remainder after
 * orthogonalisation is below its rounding is a combination of earlier ones.
 * The transpose of a is worked on in place: column i of a^T is row i of a.
 */
#include "linear/linear.h"

#include <float.h>
#include <math.h>

static double norm2(const double *v, size_t from, size_t n)
{
  double sum = 0;

  for (size_t j = from; j < n; j++)
    sum += v[j] * v[j];
  return sqrt(sum);
}

static void swap(size_t n, double *a, int *row, double *size, size_t i, size_t k)
{
  int r = row[i];
  double s = size[i];

  row[i] = row[k];
  row[k] = r;
  size[i] = size[k];
  size[k] = s;
  for (size_t j = 0; j < n; j++) {
    double t = a[i * n + j];
    a[i * n + j] = a[k * n + j];
    a[k * n + j] = t;
  }
}

/* Reflect entries from k on of row i by the vector kept in row k (v_k in head). */
static void reflect(size_t n, const double *v, double head, double beta, size_t k,
                    double *x)
{
  double dot = head * x[k];

  for (size_t j = k + 1; j < n; j++)
    dot += v[j] * x[j];
  dot *= beta;
  x[k] -= dot * head;
  for (size_t j = k + 1; j < n; j++)
    x[j] -= dot * v[j];
}

/* a row is new if more of it than this many roundings of its n elements is left */
static const double NEW_ROW = 8 * DBL_EPSILON;

/* size: norms of the rows; head: v_k of the reflections.  Returns the rank. */
static size_t factor(size_t m, size_t n, double *a, int *row, double *size,
                     double *head)
{
  size_t rank = 0;

  for (size_t i = 0; i < m; i++) {
    row[i] = (int)i;
    size[i] = norm2(a + i * n, 0, n);
  }
  for (size_t k = 0; k < m && k < n; k++) {
    size_t best = k;
    double most = -1;
    for (size_t i = k; i < m; i++) {
      double left = size[i] > 0 ? norm2(a + i * n, k, n) / size[i] : 0;
      if (left > most) {
        most = left;
        best = i;
      }
    }
    if (!(most > NEW_ROW * (double)n))
      break;
    if (best != k)
      swap(n, a, row, size, best, k);
    double *v = a + k * n, length = norm2(v, k, n);
    head[k] = v[k] + (v[k] > 0 ? length : -length);
    double beta = 2 / (head[k] * head[k] + norm2(v, k + 1, n) * norm2(v, k + 1, n));
    for (size_t i = k + 1; i < m; i++)
      reflect(n, v, head[k], beta, k, a + i * n);
    v[k] = v[k] > 0 ? -length : length;
    rank++;
  }
  return rank;
}

size_t brink__least_norm_factor(size_t m, size_t n, double *a, int *row, double *work)
{
  return factor(m, n, a, row, work, work + m);
}

void brink__least_norm_solve(size_t n, size_t rank, const double *a, const int *row,
                             const double *head, const double *b, double *x, double *z)
{
  /* R^T z = P^T b: row i of a holds column i of R up to the diagonal */
  for (size_t j = 0; j < n; j++)
    z[j] = 0;
  for (size_t i = 0; i < rank; i++) {
    double sum = b[row[i]];
    for (size_t j = 0; j < i; j++)
      sum -= a[i * n + j] * z[j];
    z[i] = sum / a[i * n + i];
  }
  for (size_t k = rank; k-- > 0;) {
    const double *v = a + k * n;
    double tail = norm2(v, k + 1, n);
    reflect(n, v, head[k], 2 / (head[k] * head[k] + tail * tail), k, z);
  }
  for (size_t j = 0; j < n; j++)
    x[j] = z[j];
}

size_t brink__least_norm(size_t m, size_t n, double *a, const double *b, double *x,
                         int *row, double *work)
{
  size_t rank = brink__least_norm_factor(m, n, a, row, work);

  brink__least_norm_solve(n, rank, a, row, work + m, b, x, work + 2 * m);
  return rank;
}
