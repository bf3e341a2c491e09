/* The graph: equal expressions are one node, simplification changes no value and no
 * "not here", depth costs no stack. */
#include "check.h"

#include <math.h>

#include "expr/expr.h"

enum { X, Y, B, N_SYMBOLS };

typedef struct fixture {
  brink_ctx *ctx;
  brink__graph *g;
  brink__node x, y, b, zero, one, two;
} fixture;

static void setup(fixture *f)
{
  check_status(brink_ctx_new(NULL, &f->ctx), BRINK_OK);
  check_status(brink__graph_new(f->ctx, &f->g), BRINK_OK);
  f->x = brink__symbol(f->g, X, BRINK_TYPE_REAL);
  f->y = brink__symbol(f->g, Y, BRINK_TYPE_REAL);
  f->b = brink__symbol(f->g, B, BRINK_TYPE_BOOLEAN);
  f->zero = brink__real(f->g, 0);
  f->one = brink__real(f->g, 1);
  f->two = brink__integer(f->g, 2);
}

static void teardown(fixture *f)
{
  brink__graph_free(f->g);
  assert_int_equal(brink_ctx_alloc_stats(f->ctx).live_bytes, 0);
  brink_ctx_free(f->ctx);
}

/* value of n at (x, y, b); culprit says where it is not here */
static brink_status value(fixture *f, brink__node n, double x, double y, int b,
                          double *out, brink__node *culprit)
{
  brink__tape *tape;
  double v[64] = {x, y, b};
  brink__tape_spec spec = {.n_roots = 1, .roots = &n, .n_symbols = N_SYMBOLS};

  check_status(brink__tape_new(f->g, &spec, &tape), BRINK_OK);
  assert_true(brink__tape_slots(tape) <= 64);
  brink_status rc = brink__tape_values(tape, v, culprit);
  *out = v[brink__tape_slot(tape, 0)];
  brink__tape_free(tape);
  return rc;
}

static void equal_expressions_are_one_node(void **state)
{
  fixture f;

  (void)state;
  setup(&f);
  brink__node p = brink__mul(f.g, f.x, f.y), s = brink__add(f.g, f.x, f.y);
  assert_int_equal(p, brink__mul(f.g, f.y, f.x));
  assert_int_equal(s, brink__add(f.g, f.y, f.x));
  assert_int_equal(brink__node_arg(f.g, s, 0), f.x); /* as first written */
  assert_int_not_equal(brink__sub(f.g, f.x, f.y), brink__sub(f.g, f.y, f.x));
  assert_int_equal(brink__real(f.g, 0.1), brink__real(f.g, 0.1));
  assert_int_equal(brink__real(f.g, -0.0), f.zero);
  assert_int_not_equal(brink__real(f.g, 2), f.two); /* 2.0 is not 2 */
  teardown(&f);
}

static void ballast_is_dropped(void **state)
{
  fixture f;

  (void)state;
  setup(&f);
  brink__node neg = brink__op1(f.g, BRINK_OP_NEG, f.x);
  assert_int_equal(brink__add(f.g, f.x, f.zero), f.x);
  assert_int_equal(brink__sub(f.g, f.x, f.zero), f.x);
  assert_int_equal(brink__sub(f.g, f.zero, f.x), neg);
  assert_int_equal(brink__mul(f.g, f.one, f.x), f.x);
  assert_int_equal(brink__div(f.g, f.x, f.one), f.x);
  assert_int_equal(brink__op1(f.g, BRINK_OP_NEG, neg), f.x);
  assert_int_equal(brink__op2(f.g, BRINK_OP_POW, f.x, f.one), f.x);
  assert_int_equal(brink__add(f.g, f.y, neg), brink__sub(f.g, f.y, f.x));
  assert_int_equal(brink__sub(f.g, f.y, neg), brink__add(f.g, f.y, f.x));
  assert_int_equal(brink__select(f.g, f.b, f.x, f.x), f.x);
  assert_int_equal(brink__select(f.g, brink__boolean(f.g, 0), f.x, f.y), f.y);
  assert_true(brink__node_is(f.g, brink__mul(f.g, f.two, brink__real(f.g, 3.5)), 7));
  teardown(&f);
}

static void what_may_fail_is_not_folded_away(void **state)
{
  fixture f;
  brink__node culprit = 0;
  double r;

  (void)state;
  setup(&f);
  brink__node root = brink__op1(f.g, BRINK_OP_SQRT, f.x);
  brink__node keep[] = {
      brink__mul(f.g, root, f.zero),
      brink__sub(f.g, root, root),
      brink__div(f.g, root, root),
      brink__op2(f.g, BRINK_OP_POW, root, brink__integer(f.g, 0)),
      brink__op2(f.g, BRINK_OP_LT, root, f.y),
      brink__op2(f.g, BRINK_OP_MAX, f.y, root),
      brink__op1(f.g, BRINK_OP_SIGN, root),
      brink__op2(f.g, BRINK_OP_AND, brink__op2(f.g, BRINK_OP_LT, root, f.y),
                 brink__boolean(f.g, 0)),
      brink__op1(f.g, BRINK_OP_ATAN, root),
      brink__select(f.g, brink__op2(f.g, BRINK_OP_LT, root, f.y), f.x, f.x),
  };
  for (size_t i = 0; i < BRINK__COUNT(keep); i++) {
    check_status(value(&f, keep[i], -1.5, 0.3, 0, &r, &culprit), BRINK_EDOMAIN);
    assert_int_equal(culprit, root);
    check_status(value(&f, keep[i], 2.25, 0.3, 0, &r, &culprit), BRINK_OK);
  }

  /* 1/0 is not folded, 1/(1/0) is not 0 */
  brink__node pole = brink__div(f.g, f.one, f.zero);
  check_status(value(&f, brink__div(f.g, f.one, pole), 0, 0, 0, &r, &culprit),
               BRINK_EDOMAIN);
  assert_int_equal(culprit, pole);

  /* overflow counts too */
  brink__node big = brink__op1(f.g, BRINK_OP_EXP, f.x);
  check_status(value(&f, brink__div(f.g, f.one, big), 800, 0, 0, &r, &culprit),
               BRINK_EDOMAIN);
  assert_int_equal(culprit, big);
  teardown(&f);
}

static void the_power_zero_has_a_derivative_at_zero(void **state)
{
  fixture f;
  double d;

  (void)state;
  setup(&f);
  brink__node power = brink__op2(f.g, BRINK_OP_POW, f.x, f.zero);
  check_status(value(&f, brink__diff(f.g, power, X), 0, 0, 0, &d, NULL), BRINK_OK);
  check_near(d, 0, 0);
  teardown(&f);
}

static void what_is_not_needed_cannot_fail(void **state)
{
  fixture f;
  brink__node culprit = 0;
  double r;

  (void)state;
  setup(&f);
  brink__node root = brink__op1(f.g, BRINK_OP_SQRT, f.x);
  brink__node positive = brink__op2(f.g, BRINK_OP_GT, f.x, f.zero);
  brink__node safe = brink__select(f.g, positive, root, f.y);
  brink__node twice = brink__add(
      f.g, safe, brink__select(f.g, positive, brink__mul(f.g, root, f.x), f.zero));
  check_status(value(&f, twice, -1.5, 0.3, 0, &r, &culprit), BRINK_OK);
  check_near(r, 0.3, 0);
  check_status(value(&f, twice, 2.25, 0.3, 0, &r, &culprit), BRINK_OK);
  check_near(r, 1.5 + 1.5 * 2.25, 0);

  brink__node small = brink__op2(f.g, BRINK_OP_LT, root, f.y);
  brink__node both = brink__op2(f.g, BRINK_OP_AND, positive, small);
  check_status(value(&f, both, -1.5, 0.3, 0, &r, &culprit), BRINK_OK);
  check_near(r, 0, 0);
  brink__node either =
      brink__op2(f.g, BRINK_OP_OR, brink__op1(f.g, BRINK_OP_NOT, positive), small);
  check_status(value(&f, either, -1.5, 0.3, 0, &r, &culprit), BRINK_OK);
  check_near(r, 1, 0);

  /* a frozen relation forces the branch */
  brink__node frozen = brink__select(f.g, f.b, root, f.y);
  check_status(value(&f, frozen, -1.5, 0.3, 0, &r, &culprit), BRINK_OK);
  check_status(value(&f, frozen, -1.5, 0.3, 1, &r, &culprit), BRINK_EDOMAIN);
  assert_int_equal(culprit, root);
  teardown(&f);
}

static void ill_typed_operands_are_refused(void **state)
{
  fixture f;

  (void)state;
  setup(&f);
  assert_int_equal(brink__op1(f.g, BRINK_OP_NOT, f.x), BRINK__NONE);
  check_text(brink_ctx_error(f.ctx)->text, "'not'");
  assert_int_equal(brink__add(f.g, f.b, f.x), BRINK__NONE);
  assert_int_equal(brink__select(f.g, f.x, f.x, f.y), BRINK__NONE);
  assert_int_equal(brink__real(f.g, HUGE_VAL), BRINK__NONE);
  assert_int_equal(brink__add(f.g, f.x, BRINK__NONE), BRINK__NONE);
  teardown(&f);
}

static void targets_define_in_any_order(void **state)
{
  fixture f;

  (void)state;
  setup(&f);
  enum { Z = N_SYMBOLS, W, N };
  brink__node z = brink__symbol(f.g, Z, BRINK_TYPE_REAL);
  brink__node roots[] = {brink__mul(f.g, z, f.y), brink__add(f.g, f.x, f.y), z};
  int32_t targets[] = {W, Z, -1};
  double v[64] = {1.25, -3.5, 0};

  brink__tape_spec spec = {
      .n_roots = 3, .roots = roots, .targets = targets, .n_symbols = N};
  brink__tape *tape;
  check_status(brink__tape_new(f.g, &spec, &tape), BRINK_OK);
  check_status(brink__tape_values(tape, v, NULL), BRINK_OK);
  check_near(v[Z], -2.25, 0);
  check_near(v[W], 7.875, 0);
  check_near(v[brink__tape_slot(tape, 2)], -2.25, 0);
  brink__tape_free(tape);

  /* z := w + y, w := z*y has no order */
  roots[1] = brink__add(f.g, brink__symbol(f.g, W, BRINK_TYPE_REAL), f.y);
  check_status(brink__tape_new(f.g, &spec, &tape), BRINK_EARG);
  assert_null(tape);
  check_text(brink_ctx_error(f.ctx)->text, "in terms of itself");
  teardown(&f);
}

static void a_million_nodes_and_a_deep_chain_cost_no_stack(void **state)
{
  fixture f;

  (void)state;
  setup(&f);
  brink__node n = f.x;
  double want = 1.0009765625;
  for (int i = 1; i <= 500000; i++) {
    n = brink__add(f.g, brink__mul(f.g, n, f.y), brink__real(f.g, 1 + i % 7));
    want = want * 0.5 + (1 + i % 7);
  }
  assert_true(brink__graph_size(f.g) > 1000000);
  size_t bytes = brink_ctx_alloc_stats(f.ctx).live_bytes;
  check_in((double)bytes / brink__graph_size(f.g), 24, 100);

  brink__tape *tape;
  brink__tape_spec spec = {.n_roots = 1, .roots = &n, .n_symbols = N_SYMBOLS};
  check_status(brink__tape_new(f.g, &spec, &tape), BRINK_OK);
  double *v = test_malloc(brink__tape_slots(tape) * sizeof *v);
  v[X] = 1.0009765625;
  v[Y] = 0.5;
  check_status(brink__tape_values(tape, v, NULL), BRINK_OK);
  check_near(v[brink__tape_slot(tape, 0)], want, 0);
  test_free(v);
  brink__tape_free(tape);
  teardown(&f);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(equal_expressions_are_one_node),
      cmocka_unit_test(ballast_is_dropped),
      cmocka_unit_test(what_may_fail_is_not_folded_away),
      cmocka_unit_test(what_is_not_needed_cannot_fail),
      cmocka_unit_test(the_power_zero_has_a_derivative_at_zero),
      cmocka_unit_test(ill_typed_operands_are_refused),
      cmocka_unit_test(targets_define_in_any_order),
      cmocka_unit_test(a_million_nodes_and_a_deep_chain_cost_no_stack),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
