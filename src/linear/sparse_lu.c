/* sparse_lu.c -- sparse LU factors with a given order of pivots.
 *
 * Panel by panel (lu_pattern.c), each one as columns are factored in [GP88]: the
 * columns of the matrix, minus their elements above times the columns of L that belong
 * to them, are columns of U and, divided by the pivot, of L.  The patterns of L and U
 * were found when the pivots were chosen (pivots.c); they hold for all matrices with
 * the same pattern, so that nothing is searched and nothing allocated here.
 *
 * While a panel is computed, the numbers of one row in its columns lie side by side
 * (of complex ones first the real parts): a product with a row of L is a product of
 * vectors.  The terms of each element are subtracted in the order of the columns, so
 * that the result is that of a factorisation column by column to the last bit.
 */
#include "linear/sparse_lu.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { W = BRINK__PANEL };

/* A pivot may be smaller than the elements below it by this factor.  They grow by as
 * much in one step of the elimination at worst, and so does rounding; new pivots cost
 * as much as several factorisations with old ones. */
static const double PIVOT_LEAST = 1e-3;

int brink__is_odd(size_t n, const int32_t *order, unsigned char *seen)
{
  int odd = 0;

  /* a cycle of even length is an odd permutation */
  for (size_t i = 0; i < n; i++)
    for (int32_t k = order[i]; !seen[k]; k = order[k]) {
      seen[k] = 1;
      odd ^= (size_t)k != i;
    }
  return odd;
}

size_t brink__lu_work(size_t n, int parts) { return n * W * (size_t)parts; }

/* A panel of the pattern with its numbers. */
typedef struct panel {
  size_t first, width;
  size_t n_rows;
  const int32_t *row; /* [n_rows] below */
  double *l;          /* [width + n_rows][width] */
} panel;

static panel panel_of(const brink__lu_pattern *p, const brink__lu_numbers *a, size_t k)
{
  return (panel){.first = (size_t)p->first[k],
                 .width = (size_t)(p->first[k + 1] - p->first[k]),
                 .n_rows = (size_t)(p->below[k + 1] - p->below[k]),
                 .row = p->row + p->below[k],
                 .l = a->l + p->l_at[k] * (size_t)a->parts};
}

/* -------------------------------------------------------------- products --- */

/* x -= L u in the rows below a panel of `width` columns, for all columns of x; u:
 * [width][W].  The width is a constant where this is compiled. */
BRINK__INLINE void subtract_real(size_t width, const panel *s, const double *u,
                                 double *x)
{
  const double *l = s->l + width * width;

  for (size_t r = 0; r < s->n_rows; r++, l += width) {
    double *y = x + (size_t)s->row[r] * W, v[W];
    for (size_t t = 0; t < W; t++)
      v[t] = y[t];
    for (size_t c = 0; c < width; c++)
      for (size_t t = 0; t < W; t++)
        v[t] -= l[c] * u[c * W + t];
    for (size_t t = 0; t < W; t++)
      y[t] = v[t];
  }
}

/* The same for one column of x. */
BRINK__INLINE void subtract_one(size_t width, const panel *s, const double *u,
                                double *x)
{
  const double *l = s->l + width * width;

  for (size_t r = 0; r < s->n_rows; r++, l += width) {
    double v = x[(size_t)s->row[r] * W];
    for (size_t c = 0; c < width; c++)
      v -= l[c] * u[c * W];
    x[(size_t)s->row[r] * W] = v;
  }
}

BRINK__INLINE void subtract_complex(size_t width, const panel *s, const double *u,
                                    double *x)
{
  const double *l = s->l + 2 * width * width;

  for (size_t r = 0; r < s->n_rows; r++, l += 2 * width) {
    double *y = x + (size_t)s->row[r] * 2 * W, v[W], w[W];
    for (size_t t = 0; t < W; t++) {
      v[t] = y[t];
      w[t] = y[W + t];
    }
    for (size_t c = 0; c < width; c++) {
      double re = l[2 * c], im = l[2 * c + 1];
      const double *a = u + c * 2 * W, *b = a + W;
      for (size_t t = 0; t < W; t++) {
        v[t] -= re * a[t] - im * b[t];
        w[t] -= re * b[t] + im * a[t];
      }
    }
    for (size_t t = 0; t < W; t++) {
      y[t] = v[t];
      y[W + t] = w[t];
    }
  }
}

/* Call with the width as a constant. */
#define BY_WIDTH(function, s, u, x)                                                    \
  do {                                                                                 \
    switch ((s)->width) {                                                              \
    case 1: function(1, s, u, x); break;                                               \
    case 2: function(2, s, u, x); break;                                               \
    case 3: function(3, s, u, x); break;                                               \
    default: function(4, s, u, x); break;                                              \
    }                                                                                  \
  } while (0)
_Static_assert(BRINK__PANEL == 4, "BY_WIDTH has all widths");

static void subtract(int parts, size_t columns, const panel *s, const double *u,
                     double *x)
{
  if (parts == 2)
    BY_WIDTH(subtract_complex, s, u, x);
  else if (columns == 1)
    BY_WIDTH(subtract_one, s, u, x);
  else
    BY_WIDTH(subtract_real, s, u, x);
}

/* ---------------------------------------------------------------- panels --- */

/* The columns of the matrix into x, with rows numbered by pivots. */
static void scatter(const brink__symbolic *s, const brink__lu_pattern *p,
                    const brink__lu_matrix *m, int parts, const panel *own, double *x)
{
  for (size_t c = 0; c < own->width; c++) {
    int32_t j = s->order[own->first + c];
    for (int32_t e = s->start[j]; e < s->start[j + 1]; e++) {
      int32_t i = s->at[e];
      double *to = x + (size_t)p->place[i] * W * (size_t)parts + c;
      to[0] = m->scale[i] * m->entry[s->from[e]];
      if (parts == 2 && i == j && (size_t)i < m->n_im)
        to[W] = m->scale[i] * m->im;
    }
  }
}

/* The rows of source s out of x, solved with its L: u, [width][parts][W]. */
static void solve_block(int parts, const panel *s, double *x, double *u)
{
  size_t stride = W * (size_t)parts;
  double *from = x + s->first * stride;

  memcpy(u, from, s->width * stride * sizeof *u);
  memset(from, 0, s->width * stride * sizeof *u);
  for (size_t c = 1; c < s->width; c++)
    for (size_t k = 0; k < c; k++) {
      const double *l = s->l + (c * s->width + k) * (size_t)parts;
      double *y = u + c * stride;
      const double *v = u + k * stride;
      for (size_t t = 0; t < W && parts == 1; t++)
        y[t] -= l[0] * v[t];
      for (size_t t = 0; t < W && parts == 2; t++) {
        y[t] -= l[0] * v[t] - l[1] * v[W + t];
        y[W + t] -= l[0] * v[W + t] + l[1] * v[t];
      }
    }
}

/* The size of a number at x, its imaginary part `apart` further: the sum of the sizes
 * of the parts, which is nearly as good as the modulus and no number where one is none.
 */
static double size_of(int parts, const double *x, size_t apart)
{
  return parts == 1 ? fabs(x[0]) : fabs(x[0]) + fabs(x[apart]);
}

/* The elements above the panel's columns; top[t]: the largest of each. */
static void elements_above(const brink__lu_pattern *p, const brink__lu_numbers *a,
                           size_t k, const panel *own, double *x, double top[W])
{
  size_t parts = (size_t)a->parts;
  double u[2 * W * W], *to = a->u + p->u_at[k] * parts;

  for (size_t t = 0; t < W; t++)
    top[t] = 0;
  for (int32_t q = p->above[k]; q < p->above[k + 1]; q++) {
    panel s = panel_of(p, a, (size_t)p->source[q]);
    solve_block(a->parts, &s, x, u);
    for (size_t c = 0; c < s.width; c++)
      for (size_t t = 0; t < own->width; t++, to += parts) {
        const double *v = u + c * W * parts + t;
        to[0] = v[0];
        if (parts == 2)
          to[1] = v[W];
        top[t] = fmax(top[t], size_of(a->parts, v, W));
      }
    subtract(a->parts, own->width, &s, u, x);
  }
}

/* The panel's own rows out of x. */
static void gather(int parts, const panel *own, double *x)
{
  size_t stride = W * (size_t)parts;
  double *l = own->l;

  for (size_t r = 0; r < own->width + own->n_rows; r++) {
    size_t i = r < own->width ? own->first + r : (size_t)own->row[r - own->width];
    for (size_t t = 0; t < own->width; t++, l += parts) {
      l[0] = x[i * stride + t];
      if (parts == 2)
        l[1] = x[i * stride + W + t];
    }
    memset(x + i * stride, 0, stride * sizeof *x);
  }
}

/* Column t of the panel: less the panel's columns before it.  Returns the size of the
 * largest element below its diagonal. */
static double eliminate(int parts, const panel *own, size_t t)
{
  size_t w = own->width, rows = w + own->n_rows, step = (size_t)parts;
  double below = 0;

  for (size_t k = 0; k < t; k++) {
    const double *u = own->l + (k * w + t) * step;
    for (size_t r = k + 1; r < rows; r++) {
      const double *l = own->l + (r * w + k) * step;
      double *y = own->l + (r * w + t) * step;
      if (parts == 1) {
        y[0] -= l[0] * u[0];
      } else {
        y[0] -= l[0] * u[0] - l[1] * u[1];
        y[1] -= l[0] * u[1] + l[1] * u[0];
      }
    }
  }
  for (size_t r = t + 1; r < rows; r++)
    below = fmax(below, size_of(parts, own->l + (r * w + t) * step, 1));
  return below;
}

static void divide_column(int parts, const panel *own, size_t t)
{
  size_t w = own->width, step = (size_t)parts;
  const double *pivot = own->l + (t * w + t) * step;
  double a = pivot[0], b = parts == 2 ? pivot[1] : 0;

  for (size_t r = t + 1; r < w + own->n_rows; r++) {
    double *l = own->l + (r * w + t) * step;
    if (parts == 1)
      l[0] /= a;
    else
      brink__divide_complex(a, b, &l[0], &l[1]);
  }
}

/* The columns of L and the pivots. */
static brink_status own_columns(const brink__symbolic *s, const brink__lu_pattern *p,
                                int parts, const panel *own, double top[W],
                                brink__lu_verdict *verdict)
{
  size_t w = own->width, step = (size_t)parts;

  for (size_t t = 0; t < w; t++) {
    double below = eliminate(parts, own, t), before = top[t];
    for (size_t k = 0; k < t; k++)
      before = fmax(before, size_of(parts, own->l + (k * w + t) * step, 1));
    double size = size_of(parts, own->l + (t * w + t) * step, 1);
    if (!(size >= PIVOT_LEAST * below) || !isfinite(size))
      return BRINK_LIMIT;

    /* each element of the column of U took part in the pivot, with a rounding */
    double terms = verdict->least * p->terms[own->first + t];
    if (!(size > terms * DBL_EPSILON * before) || size == 0) {
      verdict->singular = (size_t)s->order[own->first + t];
      return BRINK_EDOMAIN;
    }
    verdict->margin = fmin(verdict->margin, size / fmax(size, before));
    divide_column(parts, own, t);
  }
  return BRINK_OK;
}

brink_status brink__lu_factor_sparse(const brink__symbolic *s,
                                     const brink__lu_pattern *p,
                                     const brink__lu_matrix *m,
                                     const brink__lu_numbers *a, double *work,
                                     brink__lu_verdict *verdict)
{
  verdict->margin = 1;
  for (size_t k = 0; k < p->n_panels; k++) {
    panel own = panel_of(p, a, k);
    double top[W];
    scatter(s, p, m, a->parts, &own, work);
    elements_above(p, a, k, &own, work, top);
    gather(a->parts, &own, work);
    brink_status rc = own_columns(s, p, a->parts, &own, top, verdict);
    if (rc != BRINK_OK)
      return rc;
  }
  return BRINK_OK;
}

/* -------------------------------------------------------------- solution --- */

static void forward(const panel *own, double *x)
{
  size_t w = own->width;
  const double *l = own->l;
  double *y = x + own->first;

  for (size_t r = 0; r < w; r++, l += w)
    for (size_t c = 0; c < r; c++)
      y[r] -= l[c] * y[c];
  for (size_t r = 0; r < own->n_rows; r++, l += w) {
    double v = x[own->row[r]];
    for (size_t c = 0; c < w; c++)
      v -= l[c] * y[c];
    x[own->row[r]] = v;
  }
}

static void backward(const brink__lu_pattern *p, const brink__lu_numbers *a, size_t k,
                     const panel *own, double *x)
{
  size_t w = own->width;
  double *y = x + own->first;
  const double *u = a->u + p->u_at[k];

  for (size_t t = w; t-- > 0;) {
    y[t] /= own->l[t * w + t];
    for (size_t r = 0; r < t; r++)
      y[r] -= own->l[r * w + t] * y[t];
  }
  for (int32_t q = p->above[k]; q < p->above[k + 1]; q++) {
    int32_t end = p->first[p->source[q] + 1];
    for (int32_t i = p->first[p->source[q]]; i < end; i++, u += w)
      for (size_t t = w; t-- > 0;)
        x[i] -= u[t] * y[t];
  }
}

static void forward_complex(const panel *own, double *x)
{
  size_t w = own->width;
  const double *l = own->l;
  const double *y = x + 2 * own->first;

  for (size_t r = 0; r < w + own->n_rows; r++, l += 2 * w) {
    size_t i = r < w ? own->first + r : (size_t)own->row[r - w], end = r < w ? r : w;
    double re = x[2 * i], im = x[2 * i + 1];
    for (size_t c = 0; c < end; c++) {
      re -= l[2 * c] * y[2 * c] - l[2 * c + 1] * y[2 * c + 1];
      im -= l[2 * c] * y[2 * c + 1] + l[2 * c + 1] * y[2 * c];
    }
    x[2 * i] = re;
    x[2 * i + 1] = im;
  }
}

static void backward_complex(const brink__lu_pattern *p, const brink__lu_numbers *a,
                             size_t k, const panel *own, double *x)
{
  size_t w = own->width;
  double *y = x + 2 * own->first;
  const double *u = a->u + 2 * p->u_at[k];

  for (size_t t = w; t-- > 0;) {
    const double *d = own->l + 2 * (t * w + t);
    brink__divide_complex(d[0], d[1], &y[2 * t], &y[2 * t + 1]);
    for (size_t r = 0; r < t; r++) {
      const double *l = own->l + 2 * (r * w + t);
      y[2 * r] -= l[0] * y[2 * t] - l[1] * y[2 * t + 1];
      y[2 * r + 1] -= l[0] * y[2 * t + 1] + l[1] * y[2 * t];
    }
  }
  for (int32_t q = p->above[k]; q < p->above[k + 1]; q++) {
    int32_t end = p->first[p->source[q] + 1];
    for (int32_t i = p->first[p->source[q]]; i < end; i++, u += 2 * w) {
      double re = x[2 * i], im = x[2 * i + 1];
      for (size_t t = w; t-- > 0;) {
        re -= u[2 * t] * y[2 * t] - u[2 * t + 1] * y[2 * t + 1];
        im -= u[2 * t] * y[2 * t + 1] + u[2 * t + 1] * y[2 * t];
      }
      x[2 * i] = re;
      x[2 * i + 1] = im;
    }
  }
}

void brink__lu_solve_sparse(const brink__symbolic *s, const brink__lu_pattern *p,
                            const brink__lu_numbers *a, const double *scale,
                            double *work, double *x, double *y)
{
  size_t step = (size_t)a->parts;

  for (size_t k = 0; k < p->n; k++) {
    size_t i = (size_t)p->pivot[k];
    work[step * k] = scale[i] * x[i];
    if (step == 2)
      work[step * k + 1] = scale[i] * y[i];
  }
  for (size_t k = 0; k < p->n_panels; k++) {
    panel own = panel_of(p, a, k);
    if (step == 1)
      forward(&own, work);
    else
      forward_complex(&own, work);
  }
  for (size_t k = p->n_panels; k-- > 0;) {
    panel own = panel_of(p, a, k);
    if (step == 1)
      backward(p, a, k, &own, work);
    else
      backward_complex(p, a, k, &own, work);
  }
  for (size_t k = 0; k < p->n; k++) {
    x[s->order[k]] = work[step * k];
    if (step == 2)
      y[s->order[k]] = work[step * k + 1];
  }
  memset(work, 0, step * p->n * sizeof *work);
}
