/* Taylor coefficients in time as expressions, against jets and multiple precision: of
 * every operator of ops.def, of random expressions, to order 12. */
#include "check.h"

#include <math.h>
#include <string.h>

#include "exact.h"
#include "random_expr.h"

enum {
  ORDER = 12,
  STRIDE = ORDER + 1,
  N = N_RANDOM_SYMBOLS, /* symbols that move: N_REAL of them, the last one is time */
  CLOCK = N_REAL - 1,   /* the symbol that is time                                 */
  SYMBOLS = N * STRIDE, /* derivative k of symbol i is symbol k*N + i              */
  SLOTS = 200000,
  TRIALS = 300
};

typedef struct fixture {
  brink_ctx *ctx;
  brink__graph *g;
  uint64_t seed;
  int32_t next[SYMBOLS];
  double in[N][STRIDE]; /* Taylor coefficients of the symbols */
} fixture;

static double v[SLOTS], jets[1024 * STRIDE];
static brink__itv work[SLOTS];

/* Symbols 0 .. CLOCK - 1 move, CLOCK is time, the Booleans stay. */
static void setup(fixture *f, uint64_t seed)
{
  memset(f, 0, sizeof *f);
  f->seed = seed;
  check_status(brink_ctx_new(NULL, &f->ctx), BRINK_OK);
  check_status(brink__graph_new(f->ctx, &f->g), BRINK_OK);
  for (int i = 0; i < SYMBOLS; i++)
    f->next[i] = i % N < CLOCK && i + N < SYMBOLS ? i + N : BRINK__CONSTANT_SYMBOL;
  f->next[CLOCK] = BRINK__CLOCK_SYMBOL;
}

static void teardown(fixture *f)
{
  brink__graph_free(f->g);
  assert_int_equal(brink_ctx_alloc_stats(f->ctx).live_bytes, 0);
  brink_ctx_free(f->ctx);
}

/* Values and motion of the symbols. */
static void draw(fixture *f, const double *at)
{
  memset(f->in, 0, sizeof f->in);
  for (int i = 0; i < N; i++) {
    f->in[i][0] = at[i];
    for (int k = 1; k <= ORDER && i < CLOCK; k++)
      f->in[i][k] = rand_in(&f->seed, -0.4, 0.5);
  }
  f->in[CLOCK][1] = 1;
}

static brink__tape *compile(fixture *f, size_t n, const brink__node *roots,
                            size_t n_symbols)
{
  unsigned char fixed[SYMBOLS];
  brink__tape_spec spec = {
      .n_roots = n, .roots = roots, .n_symbols = n_symbols, .fixed = fixed};
  brink__tape *tape;

  for (int i = 0; i < SYMBOLS; i++)
    fixed[i] = f->next[i] == BRINK__CONSTANT_SYMBOL;

  check_status(brink__tape_new(f->g, &spec, &tape), BRINK_OK);
  assert_true(brink__tape_slots(tape) <= (n_symbols == N ? 1024 : SLOTS));
  return tape;
}

static void expand(fixture *f, brink__node root, int order, brink__node *out)
{
  size_t start[2] = {0, (size_t)order + 1};

  check_status(brink__coefficients(f->g, SYMBOLS, f->next, 1, &root, start, out),
               BRINK_OK);
  assert_int_equal(out[0], root);
}

/* The values of expressions in symbols and their derivatives; and rounding bounds. */
static brink_status values(fixture *f, size_t n, const brink__node *roots, double *out,
                           double *bound)
{
  brink__tape *tape = compile(f, n, roots, SYMBOLS);
  double factorial = 1;

  for (int k = 0; k <= ORDER; k++) {
    factorial *= k ? k : 1;
    for (int i = 0; i < N; i++)
      v[k * N + i] = k && i >= CLOCK ? 0 : f->in[i][k] * factorial;
  }
  brink_status rc = brink__tape_values(tape, v, NULL);
  for (size_t k = 0; k < n && rc == BRINK_OK; k++)
    out[k] = v[brink__tape_slot(tape, k)];
  if (rc == BRINK_OK && bound)
    rc = brink__tape_noise(tape, v, NULL, work, bound, NULL);
  brink__tape_free(tape);
  return rc;
}

static brink_status jet(fixture *f, brink__node root, double *out)
{
  brink__tape *tape = compile(f, 1, &root, N);
  brink_status rc = BRINK_OK;

  memcpy(jets, f->in, sizeof f->in);
  for (int k = 0; k <= ORDER && rc == BRINK_OK; k++)
    rc = brink__tape_jet(tape, k, STRIDE, jets, NULL);
  memcpy(out, jets + brink__tape_slot(tape, 0) * STRIDE, STRIDE * sizeof *out);
  brink__tape_free(tape);
  return rc;
}

/* ------------------------------------------------------------- operators --- */

/* Where an operator has a value and is smooth: a in [0.2, 0.9], b in [1.1, 2.3]. */
static brink__node apply(fixture *f, brink__op op, int trial)
{
  static const int exponent[] = {2, 3, -1, 5, -3, 12, 7};
  brink__graph *g = f->g;
  brink__node a = brink__symbol(g, trial % 3, BRINK_TYPE_REAL);
  brink__node b = brink__symbol(g, trial % 4 == 0 ? trial % 3 : CLOCK, BRINK_TYPE_REAL);
  brink__node yes = brink__symbol(g, N_REAL, BRINK_TYPE_BOOLEAN);

  switch ((int)op) {
  case BRINK_OP_CONST: return brink__real(g, 2.385);
  case BRINK_OP_SYMBOL: return trial % 2 ? a : brink__symbol(g, CLOCK, BRINK_TYPE_REAL);
  case BRINK_OP_POWI: b = brink__integer(g, exponent[trial % 7]); break;
  case BRINK_OP_SELECT: return brink__select(g, yes, a, b);
  case BRINK_OP_NOT:
  case BRINK_OP_AND:
  case BRINK_OP_OR:
    return brink__select(g,
                         brink__op_arity(op) == 1 ? brink__op1(g, op, yes)
                                                  : brink__op2(g, op, yes, yes),
                         a, brink__mul(g, a, b));
  case BRINK_OP_LT:
  case BRINK_OP_LE:
  case BRINK_OP_GT:
  case BRINK_OP_GE:
    return brink__select(g, brink__op2(g, op, a, b), brink__mul(g, a, b), b);
  case BRINK_OP_EQ:
  case BRINK_OP_NE: {
    brink__node one = brink__op1(g, BRINK_OP_INTEGER, a);
    return brink__select(g, brink__op2(g, op, one, brink__op1(g, BRINK_OP_INTEGER, b)),
                         brink__mul(g, a, b), b);
  }
  case BRINK_OP_REAL: return brink__op1(g, op, brink__op1(g, BRINK_OP_INTEGER, b));
  case BRINK_OP_ORDINAL:
    return brink__mul(
        g, a, brink__op1(g, op, brink__symbol(g, N_REAL + 1, BRINK_TYPE_ENUMERATION)));
  default: break;
  }
  return brink__apply(g, op, a, brink__op_arity(op) == 2 ? b : BRINK__NONE,
                      BRINK__NONE);
}

static void every_operator_has_the_coefficients_of_its_jet(void **state)
{
  (void)state;
  for (int op = 0; op < BRINK__N_OPS; op++)
    for (int trial = 0; trial < 28; trial++) {
      fixture f;
      brink__node out[STRIDE];
      double want[STRIDE], got[STRIDE], size = 1, at[N];
      setup(&f, 100u * (uint64_t)op + (uint64_t)trial);
      for (int i = 0; i < N; i++)
        at[i] = i < CLOCK ? rand_in(&f.seed, 0.2, 0.9) : rand_in(&f.seed, 1.1, 2.3);
      at[N_REAL] = trial % 2;
      at[N_REAL + 1] = 2;
      draw(&f, at);
      brink__node root = apply(&f, (brink__op)op, trial);
      assert_true(root);
      expand(&f, root, ORDER, out);
      check_status(jet(&f, root, want), BRINK_OK);
      check_status(values(&f, STRIDE, out, got, NULL), BRINK_OK);
      for (int k = 0; k <= ORDER; k++) {
        size = fmax(size, fabs(want[k]));
        if (!(fabs(got[k] - want[k]) <= 1e-12 * size))
          fail_msg("%s, trial %d, order %d: %.17g, want %.17g",
                   brink__op_text((brink__op)op), trial, k, got[k], want[k]);
      }
      teardown(&f);
    }
}

/* ----------------------------------------------------- random expressions --- */

static void random_expressions_agree_with_jets_and_multiple_precision(void **state)
{
  int here = 0, exact = 0;

  (void)state;
  for (int trial = 0; trial < TRIALS; trial++) {
    fixture f;
    brink__node out[STRIDE];
    double want[STRIDE], got[STRIDE], bound[STRIDE], size = 1e-3, at[N];
    int order = 1 + trial % ORDER;
    setup(&f, 4321u + (uint64_t)trial);
    brink__node root = random_expr(f.g, &f.seed, 3 + trial % 9,
                                   trial % 2 ? RANDOM_SMOOTH : RANDOM_ANY);
    for (int i = 0; i < N; i++)
      at[i] = i < N_REAL ? rand_in(&f.seed, -1.7, 2.9) : rand_01(&f.seed) < 0.5;
    draw(&f, at);
    expand(&f, root, order, out);
    brink_status rc = jet(&f, root, want);
    if (rc == BRINK_OK && values(&f, (size_t)order + 1, out, got, bound) == BRINK_OK) {
      double in[N * (EXACT_ORDER + 1)], series[EXACT_ORDER + 1];
      int top = order < EXACT_ORDER ? order : EXACT_ORDER;
      for (int i = 0; i < N; i++)
        memcpy(in + i * (top + 1), f.in[i], (size_t)(top + 1) * sizeof *in);
      int known = trial % 2 && exact_jet(f.g, root, N, in, top, series);
      here++;
      exact += known;
      for (int k = 0; k <= order; k++) {
        size = fmax(size, fabs(want[k]));
        if (!(fabs(got[k] - want[k]) <= 1e-6 * size))
          fail_msg("trial %d, order %d: %.17g, jet %.17g", trial, k, got[k], want[k]);
        if (known && k <= top && !(fabs(got[k] - series[k]) <= bound[k] + 1e-15 * size))
          fail_msg("trial %d, order %d: %.17g, exact %.17g, bound %.3g", trial, k,
                   got[k], series[k], bound[k]);
      }
    }
    teardown(&f);
  }
  check_in(here, TRIALS / 4, TRIALS);
  check_in(exact, TRIALS / 8, TRIALS);
}

/* ----------------------------------------------------------------- edges --- */

/* A power whose exponent is a symbol that stays (a parameter), and is whole: it has the
 * coefficients of a product also where its base is below zero, or zero. */
static void powers_of_whole_parameters_are_products(void **state)
{
  static const double base[] = {0, -0.7, 0, 0, -1.3, 0},
                      exponent[] = {3, 2, 2, 1, 5, 4};

  (void)state;
  for (int c = 0; c < 6; c++) {
    fixture f;
    brink__node out[STRIDE];
    double want[STRIDE], got[STRIDE], at[N] = {0};
    setup(&f, 99u + (uint64_t)c);
    f.next[1] = BRINK__CONSTANT_SYMBOL;
    at[0] = base[c];
    at[1] = exponent[c];
    draw(&f, at);
    for (int k = 1; k <= ORDER; k++)
      f.in[1][k] = 0;
    brink__node a = brink__symbol(f.g, 0, BRINK_TYPE_REAL);
    brink__node b = brink__symbol(f.g, 1, BRINK_TYPE_REAL);
    expand(&f, brink__op2(f.g, BRINK_OP_POW, a, b), ORDER, out);
    brink__node whole = brink__integer(f.g, (int)exponent[c]);
    check_status(jet(&f, brink__op2(f.g, BRINK_OP_POW, a, whole), want), BRINK_OK);
    check_status(values(&f, STRIDE, out, got, NULL), BRINK_OK);
    for (int k = 0; k <= ORDER; k++)
      check_near(got[k], want[k], 1e-13 * fmax(1, fabs(want[k])));
    teardown(&f);
  }
}

/* Symbols without a successor, and those beyond n_next, are constant: nothing is left
 * of their expressions. */
static void constants_have_no_coefficients(void **state)
{
  fixture f;
  brink__node out[STRIDE];

  (void)state;
  setup(&f, 5);
  brink__node still = brink__symbol(f.g, SYMBOLS + 3, BRINK_TYPE_REAL);
  brink__node root = brink__op1(f.g, BRINK_OP_SIN, brink__mul(f.g, still, still));
  expand(&f, root, ORDER, out);
  for (int k = 1; k <= ORDER; k++)
    assert_true(brink__node_is(f.g, out[k], 0));
  teardown(&f);
}

/* Several roots with orders of their own are what each is alone. */
static void roots_of_different_order_share_their_coefficients(void **state)
{
  static const size_t start[] = {0, 3, 4, 4 + STRIDE, 4 + STRIDE + 5};
  fixture f;
  brink__node roots[4], out[4 + STRIDE + 5], alone[STRIDE];

  (void)state;
  setup(&f, 17);
  for (int i = 0; i < 4; i++)
    roots[i] = random_expr(f.g, &f.seed, 4 + i, RANDOM_SMOOTH);
  check_status(brink__coefficients(f.g, SYMBOLS, f.next, 4, roots, start, out),
               BRINK_OK);
  for (int i = 0; i < 4; i++) {
    int order = (int)(start[i + 1] - start[i]) - 1;
    expand(&f, roots[i], order, alone);
    for (int k = 0; k <= order; k++)
      assert_int_equal(out[start[i] + (size_t)k], alone[k]);
  }
  teardown(&f);
}

/* ------------------------------------------------------------------ cost --- */

/* New nodes of the expansion of one operator to an order. */
static double grown(brink__op op, int trial, int order)
{
  fixture f;
  brink__node out[STRIDE];

  setup(&f, 1);
  brink__node root = apply(&f, op, trial);
  brink__node before = brink__graph_size(f.g);
  expand(&f, root, order, out);
  double n = (double)(brink__graph_size(f.g) - before);
  teardown(&f);
  return n;
}

static void the_number_of_nodes_is_quadratic_in_the_order(void **state)
{
  (void)state;
  for (int op = 0; op < BRINK__N_OPS; op++)
    for (int trial = 1; trial < 8; trial++) {
      double n6 = grown((brink__op)op, trial, ORDER / 2);
      double n12 = grown((brink__op)op, trial, ORDER);
      if (n12 > 4.2 * n6 + 10 || n12 > 14 * ORDER * ORDER)
        fail_msg("%s: %g nodes to order %d, %g to order %d",
                 brink__op_text((brink__op)op), n6, ORDER / 2, n12, ORDER);
    }
}

/* --------------------------------------------------------------- memory --- */

static brink_status attempt(flaky *memory)
{
  brink_alloc alloc = flaky_alloc(memory);
  fixture f = {.seed = 3};
  brink__node roots[2], out[2 * STRIDE];
  static const size_t start[] = {0, STRIDE, 2 * STRIDE};
  long fail_at = memory->fail_at;

  memory->fail_at = 0;
  check_status(brink_ctx_new(&alloc, &f.ctx), BRINK_OK);
  check_status(brink__graph_new(f.ctx, &f.g), BRINK_OK);
  for (int i = 0; i < SYMBOLS; i++)
    f.next[i] = i % N < CLOCK && i + N < SYMBOLS ? i + N : BRINK__CONSTANT_SYMBOL;
  roots[0] = random_expr(f.g, &f.seed, 9, RANDOM_ANY);
  roots[1] = random_expr(f.g, &f.seed, 9, RANDOM_SMOOTH);
  memory->calls = 0;
  memory->fail_at = fail_at;
  brink_status rc = brink__coefficients(f.g, SYMBOLS, f.next, 2, roots, start, out);
  memory->fail_at = 0;
  brink__graph_free(f.g);
  brink_ctx_free(f.ctx);
  return rc;
}

static void every_allocation_may_fail(void **state)
{
  (void)state;
  for (long fail_at = 1;; fail_at++) {
    flaky memory = {.fail_at = fail_at};
    brink_status rc = attempt(&memory);
    assert_int_equal(memory.live, 0);
    if (rc == BRINK_OK) {
      check_in((double)fail_at, 5, 1000);
      return;
    }
    check_status(rc, BRINK_ENOMEM);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_operator_has_the_coefficients_of_its_jet),
      cmocka_unit_test(random_expressions_agree_with_jets_and_multiple_precision),
      cmocka_unit_test(powers_of_whole_parameters_are_products),
      cmocka_unit_test(constants_have_no_coefficients),
      cmocka_unit_test(roots_of_different_order_share_their_coefficients),
      cmocka_unit_test(the_number_of_nodes_is_quadratic_in_the_order),
      cmocka_unit_test(every_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
