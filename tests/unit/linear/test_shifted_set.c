/* The matrices c M - J of a step: which form they have, and that real and complex ones
 * are solved to rounding, whatever pivots were chosen for those before. */
#include "check.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/core.h"
#include "linear/linear.h"
#include "linear/shifted_set.h"

enum { N_MOST = 700, NNZ_MOST = 6000, PAIRS = 2 };

typedef struct bench {
  brink_ctx *ctx;
  brink__shifted_spec spec;
  int32_t row[NNZ_MOST], col[NNZ_MOST];
  double J[NNZ_MOST];
  unsigned char is_there[N_MOST][N_MOST];
  brink__shifted_set *set;
} bench;

static void list_places(bench *b, size_t n, size_t n_mass)
{
  size_t nnz = 0;

  for (size_t j = 0; j < n; j++)
    for (size_t i = 0; i < n; i++)
      if (b->is_there[i][j] || (i == j && i < n_mass)) {
        assert_true(nnz < NNZ_MOST);
        b->row[nnz] = (int32_t)i;
        b->col[nnz++] = (int32_t)j;
      }
  b->spec = (brink__shifted_spec){.n = n,
                                  .n_mass = n_mass,
                                  .nnz = nnz,
                                  .row = b->row,
                                  .col = b->col,
                                  .n_complex = PAIRS};
}

/* A square grid with `species` unknowns in each cell and the neighbours of cells. */
static void grid(bench *b, size_t side, size_t species)
{
  memset(b, 0, sizeof *b);
  for (size_t i = 0; i < side; i++)
    for (size_t j = 0; j < side; j++)
      for (size_t s = 0; s < species; s++) {
        size_t at = (i * side + j) * species;
        for (size_t k = 0; k < species; k++)
          b->is_there[at + s][at + k] = 1;
        if (i + 1 < side)
          b->is_there[at + s][at + s + side * species] =
              b->is_there[at + s + side * species][at + s] = 1;
        if (j + 1 < side)
          b->is_there[at + s][at + s + species] =
              b->is_there[at + s + species][at + s] = 1;
      }
  list_places(b, side * side * species, side * side * species);
}

/* Random places, in the rows without mass a cyclic shift: no diagonal. */
static void random_places(bench *b, size_t n, size_t n_mass, uint64_t *seed)
{
  memset(b, 0, sizeof *b);
  for (size_t i = 0; i < n; i++) {
    for (int k = 0; k < 2; k++)
      b->is_there[i][rand_u64(seed) % n] = 1;
    if (i >= n_mass)
      b->is_there[i][i + 1 < n ? i + 1 : n_mass] = 1;
  }
  list_places(b, n, n_mass);
}

static void random_numbers(bench *b, uint64_t *seed)
{
  for (size_t k = 0; k < b->spec.nnz; k++) {
    size_t i = (size_t)b->row[k], j = (size_t)b->col[k], m = b->spec.n_mass;
    int shift = i >= m && j == (i + 1 < b->spec.n ? i + 1 : m);
    b->J[k] = rand_in(seed, -1, 1) + (i == j && i < m ? -9 : 0) + (shift ? 5 : 0);
  }
}

/* The largest residual of (c M - J) x = b over the largest x. */
static double residual(const bench *b, double complex c, const double *x,
                       const double *y, const double complex *rhs)
{
  static double complex sum[N_MOST];
  double worst = 0, top = 0;

  for (size_t i = 0; i < b->spec.n; i++)
    sum[i] = (i < b->spec.n_mass ? c * (x[i] + y[i] * (double complex)I) : 0) - rhs[i];
  for (size_t k = 0; k < b->spec.nnz; k++)
    sum[b->row[k]] -= b->J[k] * (x[b->col[k]] + y[b->col[k]] * (double complex)I);
  for (size_t i = 0; i < b->spec.n; i++) {
    worst = fmax(worst, cabs(sum[i]));
    top = fmax(top, fabs(x[i]) + fabs(y[i]));
  }
  return worst / (1 + top);
}

static void solves(bench *b, int q, double re, double im, uint64_t *seed)
{
  static double x[N_MOST], y[N_MOST];
  static double complex rhs[N_MOST];

  assert_int_equal(brink__shifted_set_factor(b->set, q, b->J, re, im), BRINK_OK);
  for (size_t i = 0; i < b->spec.n; i++) {
    x[i] = rand_in(seed, -1, 1);
    y[i] = q ? rand_in(seed, -1, 1) : 0;
    rhs[i] = x[i] + y[i] * (double complex)I;
  }
  check_status(brink__shifted_set_solve(b->set, q, x, y), BRINK_OK);
  check_in(residual(b, re + im * (double complex)I, x, y, rhs), 0,
           brink__shifted_set_iterates(b->set) ? 1e-3 : 3e-12);
}

static void open_set(bench *b, brink__shifted_kind kind)
{
  check_status(brink_ctx_new(NULL, &b->ctx), BRINK_OK);
  check_status(brink__shifted_set_new(b->ctx, &b->spec, &b->set), BRINK_OK);
  if (brink__fill_order_here() || kind != BRINK__SHIFTED_SPARSE)
    assert_int_equal(brink__shifted_set_kind(b->set), kind);
}

static void close_set(bench *b)
{
  brink__shifted_set_free(b->set);
  assert_int_equal(brink_ctx_alloc_stats(b->ctx).live_bytes, 0);
  brink_ctx_free(b->ctx);
}

static bench bench_a;

static void grids_and_random_patterns_are_solved_to_rounding(void **state)
{
  uint64_t seed = 271828;

  (void)state;
  for (int k = 0; k < 24; k++) {
    size_t n = 60 + 23 * (size_t)k;
    if (k % 3 == 0)
      grid(&bench_a, 7 + (size_t)k / 3, 1 + (size_t)(k % 2) * 2);
    else
      random_places(&bench_a, n, k % 3 == 1 ? n : n - 7, &seed);
    open_set(&bench_a, BRINK__SHIFTED_SPARSE);
    for (int turn = 0; turn < 4; turn++) {
      double scale = pow(10, rand_in(&seed, -3, 6));
      random_numbers(&bench_a, &seed);
      for (int q = 0; q <= PAIRS; q++)
        solves(&bench_a, q, 2.385 * scale, q ? -1.71 * q * scale : 0, &seed);
    }
    close_set(&bench_a);
  }
}

/* Rows whose diagonal vanishes one after the other: old pivots are zeros or tiny, the
 * real matrix gets new ones and so do the complex ones. */
static void pivots_that_have_become_small_are_chosen_anew(void **state)
{
  uint64_t seed = 161803;

  (void)state;
  random_places(&bench_a, 211, 150, &seed);
  for (size_t i = 150; i < 211; i++)
    bench_a.is_there[i][i] = 1;
  list_places(&bench_a, 211, 150);
  open_set(&bench_a, BRINK__SHIFTED_SPARSE);
  for (int turn = 0; turn < 12; turn++) {
    random_numbers(&bench_a, &seed);
    for (size_t k = 0; k < bench_a.spec.nnz; k++) {
      size_t i = (size_t)bench_a.row[k], j = (size_t)bench_a.col[k];
      if (i >= 150 && i == j)
        bench_a.J[k] = turn % 2 ? 1e-9 : 70 + (double)i;
    }
    solves(&bench_a, 0, 3.1, 0, &seed);
    solves(&bench_a, 1, 2.2, 1.9, &seed);
    if (turn % 3 == 0)
      solves(&bench_a, 2, 1.7, -2.3, &seed);
  }
  close_set(&bench_a);
}

/* Iteration solves steps over diffusion; where J is far from that, elimination takes
 * its place, for all matrices that there are, and in copies. */
static void large_grids_are_iterated_while_that_converges(void **state)
{
  uint64_t seed = 31415;
  brink__shifted_set *copy;

  (void)state;
  if (!brink__fill_order_here())
    return;
  grid(&bench_a, 15, 3);
  open_set(&bench_a, BRINK__SHIFTED_SPARSE);
  assert_true(brink__shifted_set_iterates(bench_a.set));
  random_numbers(&bench_a, &seed);
  for (int q = 0; q <= PAIRS; q++)
    solves(&bench_a, q, 2.1, q, &seed);
  assert_true(brink__shifted_set_iterates(bench_a.set));
  for (size_t k = 0; k < bench_a.spec.nnz; k++)
    bench_a.J[k] = rand_in(&seed, -50, 50);
  for (int q = 0; q <= PAIRS; q++)
    solves(&bench_a, q, 2.1, q, &seed);
  assert_false(brink__shifted_set_iterates(bench_a.set));
  check_status(brink__shifted_set_new(bench_a.ctx, &bench_a.spec, &copy), BRINK_OK);
  check_status(brink__shifted_set_copy(copy, bench_a.set), BRINK_OK);
  assert_false(brink__shifted_set_iterates(copy));
  brink__shifted_set_forget(copy);
  assert_true(brink__shifted_set_iterates(copy));
  brink__shifted_set_free(copy);
  close_set(&bench_a);
}

/* Small unknowns with small weights that take some iterations, beside large ones that
 * take one. */
static void small_unknowns_are_as_exact_as_their_weights_say(void **state)
{
  static double weight[N_MOST], x[N_MOST], exact[N_MOST];
  uint64_t seed = 2718;

  (void)state;
  if (!brink__fill_order_here())
    return;
  grid(&bench_a, 15, 3);
  bench_a.spec.weight = weight;
  open_set(&bench_a, BRINK__SHIFTED_SPARSE);
  for (size_t i = 0; i < bench_a.spec.n; i++) {
    weight[i] = i % 3 == 1 ? 1e-6 : 1;
    exact[i] = weight[i] * rand_in(&seed, -1, 1);
    x[i] = 2.1 * exact[i];
  }
  for (size_t k = 0; k < bench_a.spec.nnz; k++) {
    size_t i = (size_t)bench_a.row[k], j = (size_t)bench_a.col[k];
    bench_a.J[k] = i % 3 != j % 3 ? 0 : i == j ? -80 : i % 3 == 1 ? 20 : 0;
    x[i] -= bench_a.J[k] * exact[j];
  }
  check_status(brink__shifted_set_factor(bench_a.set, 0, bench_a.J, 2.1, 0), BRINK_OK);
  check_status(brink__shifted_set_solve(bench_a.set, 0, x, NULL), BRINK_OK);
  for (size_t i = 0; i < bench_a.spec.n; i++)
    check_in((x[i] - exact[i]) / weight[i], -3e-3, 3e-3);
  assert_true(brink__shifted_set_iterates(bench_a.set));
  close_set(&bench_a);
}

/* A copy goes on as the original does, to the last bit. */
static void a_copy_goes_on_alike(void **state)
{
  static double x[2][N_MOST], y[2][N_MOST];
  uint64_t seed = 55555;
  brink__shifted_set *copy;

  (void)state;
  for (int kind = 0; kind < 2; kind++) {
    grid(&bench_a, kind ? 15 : 3, 3);
    open_set(&bench_a, kind ? BRINK__SHIFTED_SPARSE : BRINK__SHIFTED_FULL);
    check_status(brink__shifted_set_new(bench_a.ctx, &bench_a.spec, &copy), BRINK_OK);
    for (int turn = 0; turn < 3; turn++) {
      random_numbers(&bench_a, &seed);
      solves(&bench_a, 0, 3.1, 0, &seed);
      solves(&bench_a, 1, 2.2, 1.9, &seed);
    }
    check_status(brink__shifted_set_copy(copy, bench_a.set), BRINK_OK);
    for (int turn = 0; turn < 2; turn++) {
      for (int q = 0; q < 2; q++) {
        for (size_t i = 0; i < bench_a.spec.n; i++) {
          x[0][i] = x[1][i] = rand_in(&seed, -1, 1);
          y[0][i] = y[1][i] = rand_in(&seed, -1, 1);
        }
        brink__shifted_set_solve(bench_a.set, q, x[0], y[0]);
        brink__shifted_set_solve(copy, q, x[1], y[1]);
        assert_memory_equal(x[0], x[1], bench_a.spec.n * sizeof(double));
        assert_memory_equal(y[0], y[1], bench_a.spec.n * sizeof(double));
      }
      random_numbers(&bench_a, &seed); /* and with the next matrices, the old pivots */
      for (int q = 0; q < 2; q++) {
        check_status(brink__shifted_set_factor(bench_a.set, q, bench_a.J, 7.7, q),
                     BRINK_OK);
        check_status(brink__shifted_set_factor(copy, q, bench_a.J, 7.7, q), BRINK_OK);
      }
    }
    brink__shifted_set_free(copy);
    close_set(&bench_a);
  }
}

static void a_singular_matrix_is_told(void **state)
{
  uint64_t seed = 99;

  (void)state;
  random_places(&bench_a, 90, 80, &seed);
  random_numbers(&bench_a, &seed);
  for (size_t k = 0; k < bench_a.spec.nnz; k++)
    if (bench_a.row[k] == 85) /* a row of zeros, without mass */
      bench_a.J[k] = 0;
  open_set(&bench_a, BRINK__SHIFTED_SPARSE);
  for (int q = 0; q <= PAIRS; q++)
    assert_int_equal(brink__shifted_set_factor(bench_a.set, q, bench_a.J, 2.3, q),
                     BRINK_EDOMAIN);
  random_numbers(&bench_a, &seed);
  bench_a.J[17] = nan("");
  for (int q = 0; q <= PAIRS; q++)
    assert_int_equal(brink__shifted_set_factor(bench_a.set, q, bench_a.J, 2.3, q),
                     BRINK_EDOMAIN);
  random_numbers(&bench_a, &seed);
  solves(&bench_a, 0, 2.3, 0, &seed);
  close_set(&bench_a);
}

/* Bands stay bands, small and full patterns stay full. */
static void the_pattern_decides_the_form(void **state)
{
  (void)state;
  grid(&bench_a, 3, 3);
  open_set(&bench_a, BRINK__SHIFTED_FULL);
  close_set(&bench_a);
  memset(&bench_a, 0, sizeof bench_a);
  for (size_t i = 0; i < N_MOST; i++)
    for (size_t j = i > 2 ? i - 2 : 0; j < N_MOST && j <= i + 1; j++)
      bench_a.is_there[i][j] = 1;
  list_places(&bench_a, N_MOST, N_MOST);
  open_set(&bench_a, BRINK__SHIFTED_BAND);
  close_set(&bench_a);
  grid(&bench_a, 15, 3);
  open_set(&bench_a, BRINK__SHIFTED_SPARSE);
  close_set(&bench_a);
  bench_a.spec.row = bench_a.spec.col = NULL;
  bench_a.spec.n = 60;
  bench_a.spec.n_mass = 55;
  bench_a.spec.nnz = 3600;
  open_set(&bench_a, BRINK__SHIFTED_FULL);
  close_set(&bench_a);
}

/* Each allocation fails once: the sentence is there, nothing is left. */
static void without_memory_nothing_leaks(void **state)
{
  uint64_t seed = 4711;
  brink_status rc = BRINK_ENOMEM;

  (void)state;
  grid(&bench_a, 9, 3);
  random_numbers(&bench_a, &seed);
  for (long fail_at = 1; rc != BRINK_OK; fail_at++) {
    flaky f = {.fail_at = fail_at};
    brink_alloc alloc = flaky_alloc(&f);
    brink_ctx *ctx = NULL;
    brink__shifted_set *set = NULL, *copy = NULL;
    rc = brink_ctx_new(&alloc, &ctx);
    if (rc == BRINK_OK)
      rc = brink__shifted_set_new(ctx, &bench_a.spec, &set);
    for (int q = 0; rc == BRINK_OK && q <= PAIRS; q++)
      rc = brink__shifted_set_factor(set, q, bench_a.J, 2.3, q);
    if (rc == BRINK_OK)
      rc = brink__shifted_set_new(ctx, &bench_a.spec, &copy);
    if (rc == BRINK_OK)
      rc = brink__shifted_set_copy(copy, set);
    assert_true(rc == BRINK_OK || rc == BRINK_ENOMEM);
    assert_true(rc == BRINK_OK || !ctx || *brink_ctx_error(ctx)->text);
    brink__shifted_set_free(set);
    brink__shifted_set_free(copy);
    brink_ctx_free(ctx);
    assert_int_equal(f.live, 0);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(grids_and_random_patterns_are_solved_to_rounding),
      cmocka_unit_test(pivots_that_have_become_small_are_chosen_anew),
      cmocka_unit_test(large_grids_are_iterated_while_that_converges),
      cmocka_unit_test(small_unknowns_are_as_exact_as_their_weights_say),
      cmocka_unit_test(a_copy_goes_on_alike),
      cmocka_unit_test(a_singular_matrix_is_told),
      cmocka_unit_test(the_pattern_decides_the_form),
      cmocka_unit_test(without_memory_nothing_leaks),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
