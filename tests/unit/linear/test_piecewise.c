/* Piecewise linear equations: linear complementarity problems against enumeration, and
 * pieces that are singular, missing or not connected. */
#include "check.h"

#include "linear/linear.h"
#include "linear/piecewise.h"

#include <math.h>
#include <string.h>

enum { N = 10 };

/* w = M z + q with w, z >= 0, w z = 0, where z = max(s, 0), w = max(-s, 0). */
typedef struct lcp {
  brink__piecewise p; /* first */
  double m[N * N], q[N];
} lcp;

static int lcp_piece(brink__piecewise *p)
{
  const lcp *l = (const lcp *)(const void *)p;
  size_t n = p->n;

  for (size_t i = 0; i < n; i++) {
    p->b[i] = l->q[i];
    p->d[i] = 0;
    for (size_t j = 0; j < n; j++) {
      p->a[i * n + j] = p->side[j] > 0 ? l->m[i * n + j] : i == j;
      p->c[i * n + j] = i == j;
    }
  }
  return 1;
}

/* From a start in general position. */
static int follow(lcp *l, size_t n, uint64_t *seed, double *memory)
{
  l->p = (brink__piecewise){.n = n, .k = n, .piece = lcp_piece};
  brink__piecewise_place(&l->p, memory);
  for (size_t i = 0; i < n; i++) {
    l->p.unit[i] = 1;
    l->p.z[i] = rand_in(seed, -1, 1);
    l->p.side[i] = 1;
  }
  return brink__piecewise_path(&l->p);
}

/* The solution with z_i > 0 where the bits of `set` are; 0: it is none. */
static int solves(const lcp *l, size_t n, unsigned set, double *s)
{
  double a[N * N], scale[N], margin;
  int pivot[N];

  for (size_t i = 0; i < n; i++) {
    s[i] = -l->q[i];
    for (size_t j = 0; j < n; j++)
      a[i * n + j] = set >> j & 1 ? l->m[i * n + j] : i == j;
  }
  if (brink__lu_factor(n, a, pivot, scale, &margin) < n)
    return 0;
  brink__lu_solve(n, a, pivot, scale, s);
  for (size_t i = 0; i < n; i++)
    if (set >> i & 1 ? s[i] < 0 : s[i] > 0)
      return 0;
  return 1;
}

static int enumerate(const lcp *l, size_t n, double *s)
{
  int found = 0;
  double try[N];

  for (unsigned set = 0; set < 1u << n; set++)
    if (solves(l, n, set, try)) {
      memcpy(s, try, sizeof try);
      found++;
    }
  return found;
}

/* B'B + D + S with S skew: all principal minors are positive. */
static void p_matrix(lcp *l, size_t n, uint64_t *seed)
{
  double b[N * N];

  for (size_t i = 0; i < n * n; i++)
    b[i] = rand_in(seed, -1, 1);
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) {
      double x = i == j ? pow(10, rand_in(seed, -3, 0)) : 0;
      for (size_t k = 0; k < n; k++)
        x += b[k * n + i] * b[k * n + j];
      l->m[i * n + j] = x;
    }
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < i; j++) {
      double x = rand_in(seed, -3, 3);
      l->m[i * n + j] += x;
      l->m[j * n + i] -= x;
    }
  for (size_t i = 0; i < n; i++)
    l->q[i] = rand_in(seed, -2, 2);
}

static void the_one_solution_of_a_p_matrix_is_found(void **state)
{
  (void)state;
  uint64_t seed = 11;
  double memory[1000], s[N];
  lcp l;

  assert_true(brink__piecewise_size(N, N) <= 1000);
  for (int trial = 0; trial < 400; trial++) {
    size_t n = 1 + rand_u64(&seed) % N;
    p_matrix(&l, n, &seed);
    assert_int_equal(enumerate(&l, n, s), 1);
    assert_true(follow(&l, n, &seed, memory));
    for (size_t i = 0; i < n; i++) {
      check_near(l.p.z[i], s[i], 1e-8 * (1 + fabs(s[i])));
      assert_true(l.p.side[i] == (s[i] > 0 ? 1 : -1));
    }
  }
}

/* q has zeros, and rows that are equal: solutions lie on the zeros of guards. */
static void solutions_on_the_zero_of_guards_are_found(void **state)
{
  (void)state;
  uint64_t seed = 5;
  double memory[1000], s[N];
  lcp l;

  for (int trial = 0; trial < 200; trial++) {
    size_t n = 2 + rand_u64(&seed) % (N - 1);
    p_matrix(&l, n, &seed);
    for (size_t i = 0; i < n; i++)
      l.q[i] = trial % 2 ? 0 : (double)(rand_u64(&seed) % 3) - 1;
    assert_true(enumerate(&l, n, s) >= 1);
    assert_true(follow(&l, n, &seed, memory));
    for (size_t i = 0; i < n; i++)
      check_near(l.p.z[i], s[i], 1e-8 * (1 + fabs(s[i])));
  }
}

/* Matrices of any kind: what is found is a solution. */
static void what_is_found_is_a_solution(void **state)
{
  (void)state;
  uint64_t seed = 23;
  double memory[1000], s[N];
  lcp l;
  int n_found = 0, n_missed = 0;

  for (int trial = 0; trial < 400; trial++) {
    size_t n = 2 + rand_u64(&seed) % 6;
    for (size_t i = 0; i < n * n; i++)
      l.m[i] = rand_in(&seed, -1, 1);
    for (size_t i = 0; i < n; i++)
      l.q[i] = rand_in(&seed, -1, 1);
    int exist = enumerate(&l, n, s), found = 0;
    for (int start = 0; start < 8 && !found; start++)
      found = follow(&l, n, &seed, memory);
    n_found += found;
    n_missed += exist && !found;
    assert_true(exist || !found);
    for (size_t i = 0; found && i < n; i++) {
      double w = l.q[i];
      for (size_t j = 0; j < n; j++)
        w += l.m[i * n + j] * fmax(l.p.z[j], 0);
      check_near(w, fmax(-l.p.z[i], 0), 1e-7);
    }
  }
  assert_true(n_found > 100);
  assert_true(n_missed < n_found / 2);
}

/* A source of 2 A and an ideal diode: its current is s where it conducts; where it
 * blocks the current is 0, and nothing determines its voltage. */
static int diode_piece(brink__piecewise *p)
{
  p->a[0] = p->side[0] > 0;
  p->b[0] = -2;
  p->c[0] = 1;
  p->d[0] = 0;
  return 1;
}

static void a_singular_piece_is_passed(void **state)
{
  (void)state;
  /* two unknowns, so that the path enters the singular piece from a regular one */
  double memory[100];
  lcp l = {.m = {0, 1, 1, 0}, .q = {-1, -2}};

  /* z = (2, 1), w = 0: the pieces with one of both are singular */
  uint64_t seed = 2;
  assert_true(follow(&l, 2, &seed, memory));
  check_near(l.p.z[0], 2, 1e-12);
  check_near(l.p.z[1], 1, 1e-12);
  brink__piecewise p = {.n = 1, .k = 1, .piece = diode_piece};
  brink__piecewise_place(&p, memory);
  p.unit[0] = 1;
  p.side[0] = 1;
  p.z[0] = 0.37;
  assert_true(brink__piecewise_path(&p));
  check_near(p.z[0], 2, 1e-12);
}

/* x = 1 where x < 0, x = -1 else: no solution, and F jumps. */
static int relay_piece(brink__piecewise *p)
{
  p->a[0] = 1;
  p->b[0] = p->side[0];
  p->c[0] = 1;
  p->d[0] = 0;
  return 1;
}

static int no_piece(brink__piecewise *p)
{
  (void)p;
  return 0;
}

static void a_jump_or_a_missing_piece_is_no_solution(void **state)
{
  (void)state;
  double memory[100];
  brink__piecewise p = {.n = 1, .k = 1, .piece = relay_piece};

  brink__piecewise_place(&p, memory);
  p.unit[0] = 1;
  p.side[0] = 1;
  p.z[0] = 0.4;
  assert_false(brink__piecewise_path(&p));
  p.piece = no_piece;
  assert_false(brink__piecewise_path(&p));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_one_solution_of_a_p_matrix_is_found),
      cmocka_unit_test(solutions_on_the_zero_of_guards_are_found),
      cmocka_unit_test(what_is_found_is_a_solution),
      cmocka_unit_test(a_singular_piece_is_passed),
      cmocka_unit_test(a_jump_or_a_missing_piece_is_no_solution),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
