/* c M - J, full and banded, real and complex: residuals of solutions. */
#include "check.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/core.h"
#include "linear/shifted.h"

enum { MOST = 23 };

static unsigned long long seed = 88172645463325252ull;

static double noise(void)
{
  seed ^= seed << 13;
  seed ^= seed >> 7;
  seed ^= seed << 17;
  return (double)(seed >> 11) * 0x1p-52 - 1;
}

typedef struct matrix {
  brink__shifted plan;
  int32_t row[MOST * MOST], col[MOST * MOST];
  double J[MOST * MOST];
  double full[MOST][MOST];
} matrix;

/* Random entries where -upper <= row - col <= lower; all where `all`. */
static void draw(matrix *m, size_t n, size_t n_mass, size_t lower, size_t upper,
                 int all)
{
  size_t nnz = 0;

  memset(m, 0, sizeof *m);
  for (size_t j = 0; j < n; j++)
    for (size_t i = 0; i < n; i++)
      if (all || (i <= j + lower && j <= i + upper)) {
        m->row[nnz] = (int32_t)i;
        m->col[nnz] = (int32_t)j;
        m->J[nnz] = m->full[i][j] = noise();
        nnz++;
      }
  brink__shifted_plan(&m->plan, n, n_mass, nnz, all ? NULL : m->row,
                      all ? NULL : m->col);
}

/* The largest residual of c M - J. */
static double residual(const matrix *m, double complex c, const double complex *x,
                       const double complex *b)
{
  double worst = 0;

  for (size_t i = 0; i < m->plan.n; i++) {
    double complex sum = i < m->plan.n_mass ? c * x[i] : 0;
    for (size_t j = 0; j < m->plan.n; j++)
      sum -= m->full[i][j] * x[j];
    worst = fmax(worst, cabs(sum - b[i]));
  }
  return worst;
}

static void solves(const matrix *m)
{
  double re[MOST], im[MOST], x[MOST], top = 0;
  double complex b[MOST], z[MOST];
  double factors[2 * 3 * MOST * MOST + 2 * MOST];
  const brink__shifted *p = &m->plan;

  assert_true(brink__shifted_size(p, 1) <= sizeof factors);
  for (size_t i = 0; i < p->n; i++) {
    re[i] = x[i] = noise();
    im[i] = noise();
    b[i] = re[i];
  }
  assert_int_equal(brink__shifted_factor(p, m->J, 2.37, factors), p->n);
  brink__shifted_solve(p, factors, x);
  for (size_t i = 0; i < p->n; i++) {
    z[i] = x[i];
    top = fmax(top, fabs(x[i]));
  }
  check_in(residual(m, 2.37, z, b), 0, 1e-13 * (1 + top));
  for (size_t i = 0; i < p->n; i++)
    b[i] = re[i] + im[i] * (double complex)I;
  assert_int_equal(brink__shifted_factor_complex(p, m->J, 2.37, -1.9, factors), p->n);
  brink__shifted_solve_complex(p, factors, re, im);
  for (size_t i = 0; i < p->n; i++) {
    z[i] = re[i] + im[i] * (double complex)I;
    top = fmax(top, cabs(z[i]));
  }
  check_in(residual(m, 2.37 - 1.9 * (double complex)I, z, b), 0, 1e-13 * (1 + top));
}

static void random_systems_are_solved_to_rounding(void **state)
{
  static matrix m;

  (void)state;
  for (size_t n = 1; n <= MOST; n++)
    for (size_t lower = 0; lower < 4; lower++)
      for (size_t upper = 0; upper < 4; upper++) {
        draw(&m, n, n, lower, upper, 0);
        solves(&m);
        assert_true(n < 12 || m.plan.stride < n); /* it is a band */
        draw(&m, n, n > 3 ? n - 3 : n, lower, upper, 1);
        assert_int_equal(m.plan.stride, n);
        solves(&m);
      }
}

/* A pivot of zero on the diagonal, so that rows must be exchanged. */
static void rows_without_mass_are_exchanged(void **state)
{
  static matrix m;

  (void)state;
  for (size_t n = 4; n <= MOST; n++) {
    draw(&m, n, n - 2, 2, 1, 0);
    for (size_t k = 0; k < m.plan.nnz; k++)
      if (m.row[k] == m.col[k] && (size_t)m.row[k] >= n - 2)
        m.J[k] = m.full[m.row[k]][m.col[k]] = 0;
    solves(&m);
  }
}

static void a_matrix_without_a_pivot_is_told(void **state)
{
  static matrix m;
  double factors[6 * MOST * MOST];

  (void)state;
  draw(&m, 5, 3, 0, 0, 1);
  for (size_t i = 0; i < 5; i++) /* column 4 without an element */
    m.J[4 * 5 + i] = 0;
  assert_int_equal(brink__shifted_factor(&m.plan, m.J, 2.37, factors), 4);
  assert_int_equal(brink__shifted_factor_complex(&m.plan, m.J, 2.37, 1, factors), 4);
  m.J[7] = nan("");
  assert_true(brink__shifted_factor(&m.plan, m.J, 2.37, factors) < 5);
  assert_true(brink__shifted_factor_complex(&m.plan, m.J, 2.37, 1, factors) < 5);
}

/* Rows by powers of two to largest elements from 1/2 to 1. */
static void scale_rows(size_t n, double a[2][MOST][MOST])
{
  for (size_t i = 0; i < n; i++) {
    double top = fabs(a[1][i][i]);
    int exponent;
    for (size_t j = 0; j < n; j++)
      top = fmax(top, fabs(a[0][i][j]));
    frexp(top, &exponent);
    for (size_t j = 0; j < n; j++)
      for (int c = 0; c < 2; c++)
        a[c][i][j] = ldexp(a[c][i][j], -exponent);
  }
}

/* Elimination column by column, as in a book; parts: 1 real, 2 complex.  The diagonal
 * is the pivot unless an element below is more than twice as large. */
static void eliminate(size_t n, double a[2][MOST][MOST], int parts)
{
  for (size_t k = 0; k < n; k++) {
    size_t best = k;
    double top = fabs(a[0][k][k]) + fabs(a[1][k][k]), most = 2 * top;
    for (size_t i = k + 1; i < n; i++) {
      double size = fabs(a[0][i][k]) + fabs(a[1][i][k]);
      if (size > most) {
        most = top = size;
        best = i;
      }
    }
    for (size_t j = 0; j < n; j++)
      for (int c = 0; c < 2; c++) {
        double was = a[c][k][j];
        a[c][k][j] = a[c][best][j];
        a[c][best][j] = was;
      }
    double u = a[0][k][k] / top, v = a[1][k][k] / top, size = (u * u + v * v) * top;
    double inverse = 1 / a[0][k][k];
    for (size_t i = k + 1; i < n; i++) {
      double p = a[0][i][k], q = a[1][i][k];
      double x = parts == 1 ? p * inverse : (p * u + q * v) / size;
      double y = parts == 1 ? 0 : (q * u - p * v) / size;
      a[0][i][k] = x;
      a[1][i][k] = y;
      for (size_t j = k + 1; j < n; j++) {
        a[0][i][j] -= x * a[0][k][j] - y * a[1][k][j];
        a[1][i][j] -= x * a[1][k][j] + y * a[0][k][j];
      }
    }
  }
}

static void blocks_and_long_vectors_change_no_bit(void **state)
{
  static matrix m;
  static double a[2][MOST][MOST];
  double factors[3 * MOST * MOST];

  (void)state;
  for (size_t n = 1; n <= MOST; n++)
    for (int parts = 1; parts <= 2; parts++) {
      draw(&m, n, n, 0, 0, 1);
      for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
          a[0][i][j] = (i == j ? 2.37 : 0) - m.full[i][j];
          a[1][i][j] = i == j && parts == 2 ? -1.9 : 0;
        }
      scale_rows(n, a);
      eliminate(n, a, parts);
      if (parts == 1)
        brink__shifted_factor(&m.plan, m.J, 2.37, factors);
      else
        brink__shifted_factor_complex(&m.plan, m.J, 2.37, -1.9, factors);
      for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
          for (int c = 0; c < parts; c++)
            check_in(factors[((size_t)c * n + i) * n + j], a[c][i][j], a[c][i][j]);
    }
}

/* A state at rest, h' = 0, beside others that may be fast: its increments are 0, and
 * not what rounding makes of those of the others.  A tank that is empty stays empty. */
static void an_unknown_alone_in_its_row_is_right_to_the_last_bit(void **state)
{
  static matrix m;
  double factors[2 * 3 * MOST * MOST + 2 * MOST], x[MOST], y[MOST];

  (void)state;
  for (size_t n = 2; n <= MOST; n++)
    for (int all = 0; all < 2; all++) {
      draw(&m, n, n, 2, 3, all);
      for (size_t k = 0; k < m.plan.nnz; k++) {
        size_t i = all ? k % n : (size_t)m.row[k], j = all ? k / n : (size_t)m.col[k];
        double unit = pow(10, (double)(i * 7 % 17) - 8);
        m.J[k] = i % 3 == 0 ? 0 : i == j ? -(double)n * unit : m.J[k] * unit;
      }
      for (size_t i = 0; i < n; i++)
        x[i] = y[i] = i % 3 == 0 ? 0 : noise();
      assert_int_equal(brink__shifted_factor(&m.plan, m.J, 2.37, factors), n);
      brink__shifted_solve(&m.plan, factors, x);
      for (size_t i = 0; i < n; i += 3)
        assert_true(x[i] == 0);
      assert_int_equal(brink__shifted_factor_complex(&m.plan, m.J, 2.37, 3.1, factors),
                       n);
      brink__shifted_solve_complex(&m.plan, factors, x, y);
      for (size_t i = 0; i < n; i += 3)
        assert_true(x[i] == 0 && y[i] == 0);
    }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_systems_are_solved_to_rounding),
      cmocka_unit_test(rows_without_mass_are_exchanged),
      cmocka_unit_test(a_matrix_without_a_pivot_is_told),
      cmocka_unit_test(an_unknown_alone_in_its_row_is_right_to_the_last_bit),
      cmocka_unit_test(blocks_and_long_vectors_change_no_bit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
