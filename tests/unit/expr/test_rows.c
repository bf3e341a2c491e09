/* Series by rows: instructions in step, which are computed together, have the series
 * that each has alone. */
#include "check.h"

#include <math.h>
#include <string.h>

#include "expr/expr.h"

enum { MOST = 21, FIRST = 8, ORDER = 11, STRIDE = ORDER + 1, SLOTS = 6 * MOST };

typedef struct fixture {
  brink_ctx *ctx;
  brink__graph *g;
  brink__tape *tape;
  int n;                       /* instructions                                     */
  double c[SLOTS * STRIDE];    /* by slots                                         */
  double rows[SLOTS * STRIDE]; /* by rows                                          */
  unsigned char fixed[2 * MOST];
} fixture;

typedef struct kind {
  const char *name;
  brink__op op;
  int square; /* both operands are the same                                */
  int fixed_a, fixed_b;
  double number; /* second operand; 0: a symbol                               */
} kind;

static const kind kinds[] = {
    {.name = "sum", .op = BRINK_OP_ADD},
    {.name = "sum with what rests", .op = BRINK_OP_ADD, .fixed_b = 1},
    {.name = "sum with what rests before", .op = BRINK_OP_ADD, .fixed_a = 1},
    {.name = "difference", .op = BRINK_OP_SUB},
    {.name = "difference from what rests", .op = BRINK_OP_SUB, .fixed_a = 1},
    {.name = "difference with what rests", .op = BRINK_OP_SUB, .fixed_b = 1},
    {.name = "product", .op = BRINK_OP_MUL},
    {.name = "square", .op = BRINK_OP_MUL, .square = 1},
    {.name = "product with what rests", .op = BRINK_OP_MUL, .fixed_a = 1},
    {.name = "product with a number", .op = BRINK_OP_MUL, .number = 2.375},
    {.name = "quotient", .op = BRINK_OP_DIV},
    {.name = "quotient by what rests", .op = BRINK_OP_DIV, .fixed_b = 1},
    {.name = "quotient of what rests", .op = BRINK_OP_DIV, .fixed_a = 1},
    {.name = "power", .op = BRINK_OP_POW, .number = 1.375},
    {.name = "power of what rests", .op = BRINK_OP_POW, .fixed_b = 1},
    {.name = "power that moves", .op = BRINK_OP_POW},
    {.name = "root", .op = BRINK_OP_SQRT, .square = 1},
    {.name = "sine", .op = BRINK_OP_SIN, .square = 1},
};

static brink__node expression(brink__graph *g, const kind *k, int i)
{
  brink__node a = brink__symbol(g, i, BRINK_TYPE_REAL);
  brink__node b = k->square        ? a
                  : k->number != 0 ? brink__real(g, k->number)
                                   : brink__symbol(g, MOST + i, BRINK_TYPE_REAL);

  return brink__op_arity(k->op) == 1 ? brink__op1(g, k->op, a)
                                     : brink__op2(g, k->op, a, b);
}

static void setup(fixture *f, const kind *k, int n)
{
  brink__node root[MOST];
  brink__tape_spec spec = {
      .n_roots = (size_t)n, .roots = root, .n_symbols = 2 * MOST, .fixed = f->fixed};

  f->n = n;
  memset(f->fixed, k->fixed_a, MOST);
  memset(f->fixed + MOST, k->fixed_b, MOST);
  check_status(brink_ctx_new(NULL, &f->ctx), BRINK_OK);
  check_status(brink__graph_new(f->ctx, &f->g), BRINK_OK);
  for (int i = 0; i < n; i++)
    root[i] = expression(f->g, k, i);
  check_status(brink__tape_new(f->g, &spec, &f->tape), BRINK_OK);
  assert_true(brink__tape_slots(f->tape) <= SLOTS);
}

static void teardown(fixture *f)
{
  brink__tape_free(f->tape);
  brink__graph_free(f->g);
  brink_ctx_free(f->ctx);
}

static void set(fixture *f, int symbol, int k, double x)
{
  f->c[symbol * STRIDE + k] = f->rows[k * SLOTS + symbol] = x;
}

static void set_all(fixture *f, uint64_t *seed)
{
  /* what rests has no coefficients but the first: they are not read */
  memset(f->c, -1, sizeof f->c);
  memset(f->rows, -1, sizeof f->rows);
  for (int i = 0; i < 2 * MOST; i++)
    for (int k = 0; k < (f->fixed[i] ? 1 : STRIDE); k++)
      set(f, i, k, k ? rand_in(seed, -0.7, 0.7) : rand_in(seed, 0.5, 2));
}

/* By rows and by slots, order by order; the order that fails, or -1. */
static int expand(fixture *f, brink__node *culprit)
{
  for (int k = 0; k < STRIDE; k++) {
    brink__node also = BRINK__NONE;
    brink_status rc = brink__tape_jet(f->tape, k, STRIDE, f->c, culprit);
    check_status(brink__tape_jet_rows(f->tape, k, SLOTS, f->rows, &also), rc);
    if (rc < 0) {
      assert_true(also == *culprit);
      return k;
    }
  }
  return -1;
}

static void compare(const fixture *f, const char *name)
{
  for (int i = 0; i < f->n; i++) {
    size_t slot = brink__tape_slot(f->tape, (size_t)i);
    double size = 0;
    for (int k = 0; k < STRIDE; k++) {
      double want = f->c[slot * STRIDE + (size_t)k];
      double got = f->rows[(size_t)k * SLOTS + slot];
      size = fmax(size, fabs(want));
      if (!(fabs(got - want) <= 1e-13 * size))
        print_error("%s, number %d of %d, order %d\n", name, i, f->n, k);
      check_near(got, want, 1e-13 * size);
    }
  }
}

static void a_run_in_step_has_the_series_of_its_instructions(void **state)
{
  uint64_t seed = 0x5e51e5;

  (void)state;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    for (int n = FIRST - 1; n <= MOST; n++) {
      static fixture f;
      brink__node culprit;
      setup(&f, &kinds[i], n);
      set_all(&f, &seed);
      assert_int_equal(expand(&f, &culprit), -1);
      compare(&f, kinds[i].name);
      teardown(&f);
    }
}

/* One of many instructions has no value, at order 0 or later. */
static void the_one_that_fails_in_a_run_is_named(void **state)
{
  static const struct {
    kind kind;
    double a, b;
    int order;
  } cases[] = {
      {{.op = BRINK_OP_DIV}, 1.2, 0, 0},
      {{.op = BRINK_OP_SQRT, .square = 1}, 0, 0, 1},
      {{.op = BRINK_OP_POW, .fixed_b = 1}, 0, 0.5, 1},
      {{.op = BRINK_OP_POW, .fixed_b = 1}, 0, 100, -1}, /* nothing is left of it */
      {{.op = BRINK_OP_POW, .fixed_b = 1}, 0, 3, 3},
      {{.op = BRINK_OP_POW, .fixed_b = 1}, 0.7, 0, -1},
  };
  uint64_t seed = 0xfa11;

  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    static fixture f;
    brink__node culprit = BRINK__NONE;
    setup(&f, &cases[i].kind, MOST);
    set_all(&f, &seed);
    set(&f, 13, 0, cases[i].a);
    set(&f, MOST + 13, 0, cases[i].b);
    assert_int_equal(expand(&f, &culprit), cases[i].order);
    if (cases[i].order >= 0)
      assert_true(culprit == expression(f.g, &cases[i].kind, 13));
    else
      compare(&f, "power");
    teardown(&f);
  }
}

/* A coefficient beyond all numbers is "not here", in whatever instruction. */
static void what_overflows_in_a_run_is_refused(void **state)
{
  static const brink__op ops[] = {BRINK_OP_ADD, BRINK_OP_SUB, BRINK_OP_MUL,
                                  BRINK_OP_DIV};
  uint64_t seed = 0x0f10;

  (void)state;
  for (size_t i = 0; i < 4; i++) {
    static fixture f;
    brink__node culprit = BRINK__NONE;
    setup(&f, &(kind){.op = ops[i]}, MOST);
    set_all(&f, &seed);
    set(&f, 5, 4, 1.7e308);
    set(&f, MOST + 5, 4, ops[i] == BRINK_OP_SUB ? -1.7e308 : 1.7e308);
    set(&f, 5, 0, 1.9);
    set(&f, MOST + 5, 0, ops[i] == BRINK_OP_DIV ? 0.5 : 1.9);
    assert_int_equal(expand(&f, &culprit), 4);
    teardown(&f);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_run_in_step_has_the_series_of_its_instructions),
      cmocka_unit_test(the_one_that_fails_in_a_run_is_named),
      cmocka_unit_test(what_overflows_in_a_run_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
