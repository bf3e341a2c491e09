/* The Sigma-method on matrices: published offsets, and random matrices against answers
 * found by other means: the assignment by trying all of them, the offsets by repeated
 * sweeps, the blocks by reachability. */
#include "matrices.h"

#include "core/core.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static brink_ctx *ctx;

static int open_ctx(void **state)
{
  (void)state;
  return brink_ctx_new(NULL, &ctx) == BRINK_OK ? 0 : -1;
}

static int close_ctx(void **state)
{
  (void)state;
  brink_ctx_free(ctx);
  return 0;
}

static brink__analysis analyse(const matrix *m)
{
  brink__analysis a;

  check_status(brink__analyse(ctx, &m->s, &a), BRINK_OK);
  return a;
}

/* ------------------------------------------------------------- published --- */

typedef struct published {
  const char *sigma;
  int c[12], d[12], dof, index;
} published;

static void same_offsets(const brink__analysis *a, const int *c, const int *d)
{
  for (size_t i = 0; i < a->n_rows; i++)
    assert_int_equal(a->c[i], c[i]);
  for (size_t j = 0; j < a->n_cols; j++)
    assert_int_equal(a->d[j], d[j]);
}

static void agrees(const published *p)
{
  matrix m = matrix_read(p->sigma);
  brink__analysis a = analyse(&m);

  assert_false(a.singular);
  same_offsets(&a, p->c, p->d);
  assert_int_equal(a.dof, p->dof);
  assert_int_equal(a.index, p->index);
  brink__analysis_drop(&a);
  matrix_free(&m);
}

/* [NR09, example 1] */
static void the_pendulum_has_index_three(void **state)
{
  (void)state;
  agrees(&(published){"2 - 0; - 2 0; 0 0 -", {0, 0, 2}, {2, 2, 0}, 2, 3});
}

/* [NR09, figure 2]: columns x z q1 q2 qd1 qd2 y1 y2 Gamma1 Gamma2 E1 E2, equations (10)
 * to (15), by which of the two torques is at its limit.  The paper prints the first and
 * the last; the offsets of all four were computed from the same rows independently
 * (exhaustive search over offsets). */
#define ROBOT(row9, row10)                                                             \
  "0 0 0 - - - - - - - - -; 0 0 - 0 - - - - - - - -;"                                  \
  "- - - - 0 - - - - - - -; - - - - - 0 - - - - - -;"                                  \
  "2 - 0 0 - - 0 0 - - - -; - 2 0 0 - - 0 0 - - - -;"                                  \
  "0 0 2 - - - 0 - 0 - - -; 0 0 - 2 - - - 0 - 0 - -;" row9 ";" row10                   \
  "; - - 0 - 0 - - - - - 1 -; - - - 0 - 0 - - - - - 1"
#define FREE1  "- - 1 - 1 - - - 0 - 0 -"
#define FREE2  "- - - 1 - 1 - - - 0 - 0"
#define LIMIT1 "- - - - - - - - 0 - - -"
#define LIMIT2 "- - - - - - - - - 0 - -"

static void the_modes_of_the_parallel_robot_have_the_printed_offsets(void **state)
{
  (void)state;
  static const published modes[] = {
      {ROBOT(FREE1, FREE2),
       {2, 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0},
       {2, 2, 2, 2, 1, 1, 0, 0, 0, 0, 1, 1},
       6,
       3},
      {ROBOT(LIMIT1, FREE2),
       {2, 2, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0},
       {2, 2, 2, 2, 0, 1, 0, 0, 0, 0, 1, 1},
       6,
       3},
      {ROBOT(FREE1, LIMIT2),
       {2, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0},
       {2, 2, 2, 2, 1, 0, 0, 0, 0, 0, 1, 1},
       6,
       3},
      {ROBOT(LIMIT1, LIMIT2),
       {2, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
       {2, 2, 2, 2, 0, 0, 0, 0, 0, 0, 1, 1},
       6,
       3},
  };

  for (size_t i = 0; i < BRINK__COUNT(modes); i++)
    agrees(&modes[i]);
}

/* Index 2P + 1, and with k = P - i: d = 2k + 2, 2k + 2, 2k; c = 2k, 2k, 2k + 2. */
static void cascades_of_pendula_have_index_two_p_plus_one(void **state)
{
  (void)state;
  for (int P = 1; P <= 23; P++) {
    matrix m = matrix_cascade(P);
    brink__analysis a = analyse(&m);
    assert_int_equal(a.index, 2 * P + 1);
    assert_int_equal(a.dof, 2 * P);
    assert_int_equal(a.blocks.count, P);
    for (int i = 0; i < P; i++) {
      int k = P - 1 - i;
      int d[] = {2 * k + 2, 2 * k + 2, 2 * k}, c[] = {2 * k, 2 * k, 2 * k + 2};
      for (int e = 0; e < 3; e++) {
        assert_int_equal(a.c[3 * i + e], c[e]);
        assert_int_equal(a.d[3 * i + e], d[e]);
        assert_int_equal(a.block_of[3 * i + e], i);
      }
      assert_int_equal(a.lead[i], 2 * k);
    }
    brink__analysis_drop(&a);
    matrix_free(&m);
  }
}

static void index_counts_one_more_where_a_variable_is_algebraic(void **state)
{
  (void)state;
  agrees(&(published){"1", {0}, {1}, 1, 0});              /* x' = f(x)                */
  agrees(&(published){"0", {0}, {0}, 0, 1});              /* x = f(t)                 */
  agrees(&(published){"4", {0}, {4}, 4, 0});              /* order 4 in one variable  */
  agrees(&(published){"0 -; 1 1", {1, 0}, {1, 1}, 1, 1}); /* x = f(t), y' = x'        */
  agrees(&(published){"1 0; 0 -", {0, 1}, {1, 0}, 0, 2}); /* x' = y, x = f(t)         */
}

/* ---------------------------------------------------------------- random --- */

enum { SMALL = 8, MIDDLE = 60 };

static matrix random_matrix(uint64_t *seed, size_t n, double density, int most)
{
  matrix m = matrix_new(n, n + 1, n * n);

  for (size_t i = 0; i < n; i++) {
    size_t from = rand_u64(seed) % n; /* columns do not come in order */
    for (size_t k = 0; k < n; k++)
      if (rand_01(seed) < density)
        matrix_entry(&m, (from + k) % n, (int)(rand_u64(seed) % (uint64_t)(most + 1)));
    matrix_end_row(&m);
  }
  return m;
}

/* Largest sum over all assignments, by dynamic programming over sets of columns; -1:
 * there is none. */
static int best_sum(const matrix *m)
{
  size_t n = m->s.n_rows;
  static int best[1 << SMALL];

  best[0] = 0;
  for (unsigned set = 1; set < 1u << n; set++) {
    size_t i = 0;
    for (unsigned s = set; s; s &= s - 1)
      i++;
    best[set] = -1;
    for (size_t j = 0; j < n; j++) {
      int sigma = matrix_at(m, i - 1, j);
      int before = set >> j & 1 ? best[set & ~(1u << j)] : -1;
      if (sigma >= 0 && before >= 0 && before + sigma > best[set])
        best[set] = before + sigma;
    }
  }
  return best[(1u << n) - 1];
}

/* Sweeps from c = 0 until nothing changes [Pryce01]. */
static void sweep_offsets(const matrix *m, const brink__analysis *a, int *c, int *d)
{
  size_t n = m->s.n_rows;
  int changed = 1;

  memset(c, 0, n * sizeof *c);
  while (changed) {
    changed = 0;
    memset(d, 0, n * sizeof *d);
    for (size_t i = 0; i < n; i++)
      for (size_t e = m->start[i]; e < m->start[i + 1]; e++)
        if (m->order[e] + c[i] > d[m->col[e]])
          d[m->col[e]] = m->order[e] + c[i];
    for (size_t i = 0; i < n; i++) {
      int now = d[a->col_of[i]] - matrix_at(m, i, (size_t)a->col_of[i]);
      changed |= now != c[i];
      c[i] = now;
    }
  }
}

/* The transversal is one, the offsets bound sigma and meet it there, and both sums are
 * the same: by duality no other transversal is worth more. */
static void is_optimal(const matrix *m, const brink__analysis *a)
{
  size_t n = m->s.n_rows;
  int64_t value = 0, bound = 0;

  for (size_t i = 0; i < n; i++) {
    size_t j = (size_t)a->col_of[i];
    int sigma = matrix_at(m, i, j);
    assert_true(sigma >= 0);
    assert_int_equal(a->row_of[j], i);
    assert_int_equal(a->d[j] - a->c[i], sigma);
    assert_true(a->c[i] >= 0);
    value += sigma;
    bound += a->d[j] - a->c[i];
    for (size_t e = m->start[i]; e < m->start[i + 1]; e++)
      assert_true(a->d[m->col[e]] - a->c[i] >= m->order[e]);
  }
  assert_int_equal(value, bound);
  assert_int_equal(a->dof, value);
}

static void are_smallest(const matrix *m, const brink__analysis *a)
{
  int c[MIDDLE], d[MIDDLE];

  sweep_offsets(m, a, c, d);
  same_offsets(a, c, d);
}

/* Entry (i, j) is in the pattern exactly if d_j - c_i = sigma_ij; two rows are in one
 * block exactly if each reaches the other; blocks need only earlier ones; a block alone
 * has the offsets less its lead. */
static void has_its_blocks(const matrix *m, const brink__analysis *a)
{
  static unsigned char reach[MIDDLE][MIDDLE];
  size_t n = m->s.n_rows, nnz = 0;

  memset(reach, 0, sizeof reach);
  for (size_t i = 0; i < n; i++) {
    for (size_t e = m->start[i]; e < m->start[i + 1]; e++)
      if (a->d[m->col[e]] - a->c[i] == m->order[e]) {
        assert_int_equal(a->jac_col[nnz++], m->col[e]);
        reach[i][a->row_of[m->col[e]]] = 1;
      }
    assert_int_equal(a->jac_start[i + 1], nnz);
  }
  for (size_t k = 0; k < n; k++)
    for (size_t i = 0; i < n; i++)
      for (size_t j = 0; reach[i][k] && j < n; j++)
        reach[i][j] |= reach[k][j];
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < n; k++) {
      int same = i == k || (reach[i][k] && reach[k][i]);
      assert_int_equal(a->block_of[i] == a->block_of[k], same);
      assert_true(!reach[i][k] || a->block_of[k] <= a->block_of[i]);
    }
  for (size_t b = 0; b < a->blocks.count; b++)
    for (size_t p = a->blocks.first[b]; p < a->blocks.first[b + 1]; p++) {
      assert_int_equal(a->block_of[a->blocks.order[p]], b);
      assert_true(p == a->blocks.first[b] ||
                  a->blocks.order[p] > a->blocks.order[p - 1]);
    }
}

static void blocks_alone(const matrix *m, const brink__analysis *a)
{
  for (size_t b = 0; b < a->blocks.count; b++) {
    const int32_t *row = a->blocks.order + a->blocks.first[b];
    size_t n = a->blocks.first[b + 1] - a->blocks.first[b];
    matrix part = matrix_new(n, n + 1, n * n);
    for (size_t i = 0; i < n; i++) {
      for (size_t j = 0; j < n; j++) {
        int sigma = matrix_at(m, (size_t)row[i], (size_t)a->col_of[row[j]]);
        if (sigma >= 0)
          matrix_entry(&part, j, sigma);
      }
      matrix_end_row(&part);
    }
    brink__analysis alone = analyse(&part);
    assert_int_equal(alone.blocks.count, 1);
    for (size_t i = 0; i < n; i++) {
      assert_int_equal(alone.c[i], a->c[row[i]] - a->lead[b]);
      assert_int_equal(alone.d[i], a->d[a->col_of[row[i]]] - a->lead[b]);
    }
    brink__analysis_drop(&alone);
    matrix_free(&part);
  }
}

static void random_small_matrices_agree_with_trying_every_assignment(void **state)
{
  (void)state;
  uint64_t seed = 20261117;
  int regular = 0, singular = 0;

  for (int trial = 0; trial < 6000; trial++) {
    size_t n = 1 + rand_u64(&seed) % SMALL;
    matrix m = random_matrix(&seed, n, rand_in(&seed, 0.15, 0.9), trial % 5);
    brink__analysis a = analyse(&m);
    int best = best_sum(&m);
    assert_int_equal(a.singular, best < 0);
    if (!a.singular) {
      assert_int_equal(a.dof, best);
      is_optimal(&m, &a);
      are_smallest(&m, &a);
      has_its_blocks(&m, &a);
      blocks_alone(&m, &a);
    }
    regular += !a.singular;
    singular += a.singular;
    brink__analysis_drop(&a);
    matrix_free(&m);
  }
  assert_true(regular > 1000 && singular > 1000);
}

static void random_matrices_of_middle_size_are_optimal_by_duality(void **state)
{
  (void)state;
  uint64_t seed = 4711;
  int regular = 0;

  for (int trial = 0; trial < 400; trial++) {
    size_t n = MIDDLE / 2 + rand_u64(&seed) % (MIDDLE / 2);
    matrix m = random_matrix(&seed, n, rand_in(&seed, 0.03, 0.2), 1 + trial % 9);
    brink__analysis a = analyse(&m);
    if (!a.singular) {
      regular++;
      is_optimal(&m, &a);
      are_smallest(&m, &a);
      has_its_blocks(&m, &a);
      blocks_alone(&m, &a);
    }
    brink__analysis_drop(&a);
    matrix_free(&m);
  }
  assert_true(regular > 150);
}

/* -------------------------------------------------------------- singular --- */

static void too_many_and_too_few_equations_are_told_apart(void **state)
{
  (void)state;
  /* rows 0, 1, 2 have columns 0, 1 only; columns 2, 4 stand in row 3 only, with column
   * 3, which row 4 determines */
  matrix m = matrix_read("1 0 - - -; 0 0 - - -; - 1 - - -; - - 2 0 1; 0 - - 0 -");
  brink__analysis a = analyse(&m);
  static const unsigned char over[] = {1, 1, 1, 0, 0}, bound[] = {1, 1, 0, 0, 0},
                             loose[] = {0, 0, 0, 1, 0}, under[] = {0, 0, 1, 0, 1};

  assert_true(a.singular);
  assert_memory_equal(a.excess.over, over, 5);
  assert_memory_equal(a.excess.bound, bound, 5);
  assert_memory_equal(a.excess.loose, loose, 5);
  assert_memory_equal(a.excess.under, under, 5);
  brink__analysis_drop(&a);
  matrix_free(&m);
}

static void matrices_that_are_not_square_are_singular(void **state)
{
  (void)state;
  static const char *const texts[] = {"1 0", "1; 0", "1 0 -; - 2 0"};

  for (size_t i = 0; i < BRINK__COUNT(texts); i++) {
    matrix m = matrix_read(texts[i]);
    brink__analysis a = analyse(&m);
    assert_true(a.singular);
    brink__analysis_drop(&a);
    matrix_free(&m);
  }
}

static void no_equations_at_all_are_allowed(void **state)
{
  (void)state;
  matrix m = matrix_new(0, 1, 0);
  brink__analysis a = analyse(&m);

  assert_false(a.singular);
  assert_int_equal(a.blocks.count, 0);
  assert_int_equal(a.index, 0);
  brink__analysis_drop(&a);
  matrix_free(&m);
}

/* ------------------------------------------------------------------ size --- */

/* seconds for one analysis, the least of three */
static double seconds(const matrix *m)
{
  double least = 1e9;

  for (int i = 0; i < 3; i++) {
    double t = brink__clock();
    brink__analysis a = analyse(m);
    t = brink__clock() - t;
    least = t < least ? t : least;
    assert_false(a.singular);
    brink__analysis_drop(&a);
  }
  return least;
}

static matrix pendula(size_t P)
{
  matrix m = matrix_new(3 * P, 3 * P + 1, 6 * P);

  for (size_t k = 0; k < 3 * P; k += 3)
    for (size_t e = 0; e < 3; e++) {
      matrix_entry(&m, e == 1 ? k + 1 : k, e == 2 ? 0 : 2);
      matrix_entry(&m, e == 2 ? k + 1 : k + 2, 0);
      matrix_end_row(&m);
    }
  return m;
}

/* Generous limits: the point is that nothing grows with the square. */
static void many_independent_pendula_take_linear_time(void **state)
{
  (void)state;
  matrix some = pendula(334), more = pendula(33400);
  double t = seconds(&some), t100 = seconds(&more);

  print_message("334 pendula: %.2g s, 33400: %.2g s\n", t, t100);
  check_in(t, 0, 0.2);
  check_in(t100, 0, 5);
  matrix_free(&some);
  matrix_free(&more);
}

static void a_chain_of_index_one_equations_takes_linear_time(void **state)
{
  (void)state;
  enum { N = 50000 };
  matrix m = matrix_new(2 * N, 2 * N + 1, 6 * N);

  for (size_t k = 0; k < N; k++) { /* x_k' = y_k - y_{k-1}, y_k = f(x_k, x_{k+1}) */
    matrix_entry(&m, 2 * k, 1);
    matrix_entry(&m, 2 * k + 1, 0);
    if (k > 0)
      matrix_entry(&m, 2 * k - 1, 0);
    matrix_end_row(&m);
    matrix_entry(&m, 2 * k + 1, 0);
    matrix_entry(&m, 2 * k, 0);
    if (k + 1 < N)
      matrix_entry(&m, 2 * k + 2, 0);
    matrix_end_row(&m);
  }
  double t = seconds(&m);
  print_message("chain of %d: %.2g s\n", 2 * N, t);
  check_in(t, 0, 5);
  matrix_free(&m);
}

/* x_1 = f(t), x_k = x_{k-1}': sweeps would need as many as there are equations. */
static void a_chain_of_high_index_takes_linear_time(void **state)
{
  (void)state;
  enum { N = 30000 };
  matrix m = matrix_new(N, N + 1, 2 * N);

  for (size_t k = 0; k < N; k++) {
    if (k > 0)
      matrix_entry(&m, k - 1, 1);
    matrix_entry(&m, k, 0);
    matrix_end_row(&m);
  }
  double t = seconds(&m);
  print_message("index %d: %.2g s\n", N, t);
  check_in(t, 0, 5);
  brink__analysis a = analyse(&m);
  assert_int_equal(a.index, N);
  assert_int_equal(a.dof, 0);
  brink__analysis_drop(&a);
  matrix_free(&m);
}

/* ----------------------------------------------------------- expressions --- */

/* 0 = if b and c then x' x''^2 else y + x, with x' and x'' two symbols of one variable
 */
static void held_relations_choose_branches(void **state)
{
  (void)state;
  enum { B, C, X, X1, X2, Y, SYMBOLS };
  static const brink__term terms[SYMBOLS] = {
      [B] = {-1, 0}, [C] = {-1, 0}, [X] = {0, 0},
      [X1] = {0, 1}, [X2] = {0, 2}, [Y] = {1, 0}};
  static const struct {
    double b, c;
    int x, y;   /* orders, -1: absent */
    int linear; /* in x'' and y */
  } cases[] = {{0, 1, 0, 0, 1},
               {1, 1, 2, -1, 0},
               {1, -1, 2, 0, 0},
               {-1, 0, 0, 0, 1},
               {-1, -1, 2, 0, 0}};
  brink__graph *g;
  check_status(brink__graph_new(ctx, &g), BRINK_OK);
  brink__node n[SYMBOLS];
  for (int i = 0; i < SYMBOLS; i++)
    n[i] = brink__symbol(g, i, i <= C ? BRINK_TYPE_BOOLEAN : BRINK_TYPE_REAL);
  brink__node lhs = brink__real(g, 0);
  brink__node rhs = brink__select(g, brink__op2(g, BRINK_OP_AND, n[B], n[C]),
                                  brink__mul(g, n[X1], brink__mul(g, n[X2], n[X2])),
                                  brink__add(g, n[Y], n[X]));

  for (size_t i = 0; i < BRINK__COUNT(cases); i++) {
    double held[SYMBOLS] = {nan(""), nan(""), nan(""), nan(""), nan(""), nan("")};
    if (cases[i].b >= 0)
      held[B] = cases[i].b;
    if (cases[i].c >= 0)
      held[C] = cases[i].c;
    brink__natural of = {g, 1, 2, SYMBOLS, &lhs, &rhs, terms, held};
    brink__signature s;
    check_status(brink__signature_new(ctx, &of, &s), BRINK_OK);
    int x = -1, y = -1;
    for (size_t e = 0; e < s.sigma.start[1]; e++)
      *(s.sigma.col[e] == 0 ? &x : &y) = s.sigma.order[e];
    assert_int_equal(x, cases[i].x);
    assert_int_equal(y, cases[i].y);
    brink__signature_drop(&s);
    unsigned char linear;
    check_status(brink__linear_rows(ctx, &of, (int32_t[]){2, 0}, &linear), BRINK_OK);
    assert_int_equal(linear, cases[i].linear);
  }
  brink__graph_free(g);
}

/* ---------------------------------------------------------------- memory --- */

static void each_failed_allocation_is_reported_and_leaks_nothing(void **state)
{
  (void)state;
  matrix good = matrix_cascade(3), bad = matrix_read("1 0; - -");

  for (int k = 0; k < 2; k++) {
    brink_status rc = BRINK_ENOMEM;
    for (long at = 2; rc != BRINK_OK; at++) { /* the first is the context */
      flaky f = {0, at, 0};
      brink_alloc hook = flaky_alloc(&f);
      brink_ctx *poor;
      brink__analysis a;
      check_status(brink_ctx_new(&hook, &poor), BRINK_OK);
      rc = brink__analyse(poor, k ? &bad.s : &good.s, &a);
      if (rc == BRINK_OK)
        brink__analysis_drop(&a);
      else
        check_status(rc, BRINK_ENOMEM);
      brink_ctx_free(poor);
      assert_int_equal(f.live, 0);
    }
  }
  matrix_free(&good);
  matrix_free(&bad);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_pendulum_has_index_three),
      cmocka_unit_test(the_modes_of_the_parallel_robot_have_the_printed_offsets),
      cmocka_unit_test(cascades_of_pendula_have_index_two_p_plus_one),
      cmocka_unit_test(index_counts_one_more_where_a_variable_is_algebraic),
      cmocka_unit_test(random_small_matrices_agree_with_trying_every_assignment),
      cmocka_unit_test(random_matrices_of_middle_size_are_optimal_by_duality),
      cmocka_unit_test(too_many_and_too_few_equations_are_told_apart),
      cmocka_unit_test(matrices_that_are_not_square_are_singular),
      cmocka_unit_test(no_equations_at_all_are_allowed),
      cmocka_unit_test(many_independent_pendula_take_linear_time),
      cmocka_unit_test(a_chain_of_index_one_equations_takes_linear_time),
      cmocka_unit_test(a_chain_of_high_index_takes_linear_time),
      cmocka_unit_test(held_relations_choose_branches),
      cmocka_unit_test(each_failed_allocation_is_reported_and_leaks_nothing),
  };
  return cmocka_run_group_tests(tests, open_ctx, close_ctx);
}
