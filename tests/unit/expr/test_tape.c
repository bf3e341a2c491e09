/* Tapes at the edges: kinks, starts at zero, branches by request, depth, memory that
 * runs out, order of work. */
#include "check.h"

#include <math.h>
#include <string.h>

#include "random_expr.h"

enum { X, Y, B, N_SYMBOLS, SLOTS = 256, ORDER = 6, STRIDE = ORDER + 1 };

typedef struct fixture {
  brink_ctx *ctx;
  brink__graph *g;
  brink__node x, y, b;
} fixture;

static void setup(fixture *f)
{
  check_status(brink_ctx_new(NULL, &f->ctx), BRINK_OK);
  check_status(brink__graph_new(f->ctx, &f->g), BRINK_OK);
  f->x = brink__symbol(f->g, X, BRINK_TYPE_REAL);
  f->y = brink__symbol(f->g, Y, BRINK_TYPE_REAL);
  f->b = brink__symbol(f->g, B, BRINK_TYPE_BOOLEAN);
}

static void teardown(fixture *f)
{
  brink__graph_free(f->g);
  assert_int_equal(brink_ctx_alloc_stats(f->ctx).live_bytes, 0);
  brink_ctx_free(f->ctx);
}

static brink__tape *compile(fixture *f, brink__node root)
{
  brink__tape_spec spec = {.n_roots = 1, .roots = &root, .n_symbols = N_SYMBOLS};
  brink__tape *tape;

  check_status(brink__tape_new(f->g, &spec, &tape), BRINK_OK);
  return tape;
}

/* jet of root for x = x0 + x1 t + x2 t^2, y = y0 + y1 t; the order that fails, or -1 */
static int jet(fixture *f, brink__node root, const double *x, const double *y,
               double *out)
{
  static double c[SLOTS * STRIDE];
  brink__tape *tape = compile(f, root);
  int bad = -1;

  memset(c, 0, sizeof c);
  memcpy(c + X * STRIDE, x, 3 * sizeof *x);
  memcpy(c + Y * STRIDE, y, 2 * sizeof *y);
  for (int k = 0; k <= ORDER && bad < 0; k++) {
    brink__node culprit = 0;
    if (brink__tape_jet(tape, k, STRIDE, c, &culprit) != BRINK_OK) {
      bad = k;
      assert_int_not_equal(culprit, 0);
    }
  }
  memcpy(out, c + brink__tape_slot(tape, 0) * STRIDE, STRIDE * sizeof *out);
  brink__tape_free(tape);
  return bad;
}

static void a_kink_is_passed_forward_in_time(void **state)
{
  static const double down[] = {0, -1.25, 0.5}, flat[] = {0, 0, -0.75}, y[] = {0, 2};
  fixture f;
  double r[STRIDE];

  (void)state;
  setup(&f);
  brink__node a = brink__op1(f.g, BRINK_OP_ABS, f.x);
  assert_int_equal(jet(&f, a, down, y, r), -1);
  check_near(r[1], 1.25, 0);
  check_near(r[2], -0.5, 0);
  assert_int_equal(jet(&f, a, flat, y, r), -1);
  check_near(r[2], 0.75, 0);
  brink__node m = brink__op2(f.g, BRINK_OP_MAX, f.x, f.y);
  assert_int_equal(jet(&f, m, down, y, r), -1);
  check_near(r[1], 2, 0);
  check_near(r[2], 0, 0);
  teardown(&f);
}

static void a_root_that_starts_at_zero_has_no_series(void **state)
{
  static const double x[] = {0, 1.5, 0}, y[] = {0, 0}, one[] = {1, -0.5, 0};
  fixture f;
  double r[STRIDE];

  (void)state;
  setup(&f);
  assert_int_equal(jet(&f, brink__op1(f.g, BRINK_OP_SQRT, f.x), x, y, r), 1);
  check_near(r[0], 0, 0);
  assert_int_equal(jet(&f, brink__op1(f.g, BRINK_OP_ASIN, f.x), one, y, r), 1);
  brink__node p = brink__op2(f.g, BRINK_OP_POW, f.x, brink__real(f.g, 1.5));
  assert_int_equal(jet(&f, p, x, y, r), 1);

  /* whole powers are products and have one */
  p = brink__op2(f.g, BRINK_OP_POW, f.x, brink__integer(f.g, 3));
  assert_int_equal(jet(&f, p, x, y, r), -1);
  check_near(r[3], 3.375, 1e-15);
  p = brink__op2(f.g, BRINK_OP_POW, f.x, brink__integer(f.g, 200));
  assert_int_equal(jet(&f, p, x, y, r), -1);
  check_near(r[6], 0, 0);
  teardown(&f);
}

/* sliding needs both laws at one state */
static void either_branch_can_be_asked_for(void **state)
{
  fixture f;

  (void)state;
  setup(&f);
  brink__node law = brink__select(f.g, f.b, brink__op1(f.g, BRINK_OP_LOG, f.x),
                                  brink__mul(f.g, f.x, f.y));
  brink__tape *tape = compile(&f, law);
  double v[SLOTS] = {1.75, -0.4, 1};
  check_status(brink__tape_values(tape, v, NULL), BRINK_OK);
  check_near(v[brink__tape_slot(tape, 0)], log(1.75), 0);
  v[B] = 0;
  check_status(brink__tape_values(tape, v, NULL), BRINK_OK);
  check_near(v[brink__tape_slot(tape, 0)], 1.75 * -0.4, 0);

  /* undecided: both */
  brink__itv w[SLOTS] = {{1.75, 1.75}, {-0.4, -0.4}, {0, 1}};
  check_status(brink__tape_intervals(tape, w, NULL), BRINK_OK);
  check_near(w[brink__tape_slot(tape, 0)].lo, 1.75 * -0.4, 1e-15);
  check_near(w[brink__tape_slot(tape, 0)].hi, log(1.75), 1e-15);
  w[X] = (brink__itv){-0.1, 0.1};
  brink__node culprit = 0;
  check_status(brink__tape_intervals(tape, w, &culprit), BRINK_EDOMAIN);
  assert_int_equal(brink__node_op(f.g, culprit), BRINK_OP_LOG);
  w[B] = (brink__itv){0, 0};
  check_status(brink__tape_intervals(tape, w, NULL), BRINK_OK);
  brink__tape_free(tape);
  teardown(&f);
}

/* slots that an evaluation did not write */
static int untouched(const brink__tape *tape, int b, double *out)
{
  const double mark = 0x1.23456789abcdep-77;
  double v[SLOTS];
  int n = 0;

  for (int i = 0; i < SLOTS; i++)
    v[i] = mark;
  v[X] = 0.8;
  v[Y] = -0.3;
  v[B] = b;
  check_status(brink__tape_values(tape, v, NULL), BRINK_OK);
  for (size_t i = N_SYMBOLS; i < brink__tape_slots(tape); i++)
    n += v[i] == mark;
  *out = v[brink__tape_slot(tape, 0)];
  return n;
}

static void a_branch_that_is_not_taken_is_not_computed(void **state)
{
  fixture f;
  double yes, no;

  (void)state;
  setup(&f);
  /* shared: needed by both; one, two: by one branch each; one has a branch inside */
  brink__node shared = brink__op1(f.g, BRINK_OP_TANH, brink__add(f.g, f.x, f.y));
  brink__node one = brink__op1(f.g, BRINK_OP_EXP, shared), two = shared;
  for (int i = 0; i < 10; i++) {
    one = brink__op1(f.g, BRINK_OP_COS, brink__mul(f.g, one, f.y));
    two = brink__op1(f.g, BRINK_OP_ATAN, brink__add(f.g, two, f.x));
  }
  brink__node deep = brink__op1(f.g, BRINK_OP_SINH, one);
  for (int i = 0; i < 5; i++)
    deep = brink__op1(f.g, BRINK_OP_SIN, brink__sub(f.g, deep, f.x));
  brink__node positive = brink__op2(f.g, BRINK_OP_GT, f.x, brink__integer(f.g, 0));
  one = brink__add(f.g, one, brink__select(f.g, positive, f.y, deep));
  brink__node root = brink__select(f.g, f.b, one, two);
  static const unsigned char fixed[N_SYMBOLS] = {1, 1, 1}; /* no companions of jets */
  brink__tape_spec spec = {
      .n_roots = 1, .roots = &root, .n_symbols = N_SYMBOLS, .fixed = fixed};
  brink__tape *tape;
  check_status(brink__tape_new(f.g, &spec, &tape), BRINK_OK);
  int left_yes = untouched(tape, 1, &yes), left_no = untouched(tape, 0, &no);
  check_in(left_yes, 20 + 11, 40); /* two, and deep */
  check_in(left_no, 20 + 13, 50);  /* one with all that is inside */

  double s = tanh(0.8 + -0.3), e = exp(s), a = s;
  for (int i = 0; i < 10; i++) {
    e = cos(e * -0.3);
    a = atan(a + 0.8);
  }
  check_near(yes, e + -0.3, 0);
  check_near(no, a, 0);

  /* the series takes the same way */
  brink__tape_free(tape);
  tape = compile(&f, root);
  static double c[SLOTS * STRIDE];
  for (int b = 0; b < 2; b++) {
    memset(c, 0, sizeof c);
    c[X * STRIDE] = 0.8;
    c[Y * STRIDE] = -0.3;
    c[B * STRIDE] = b;
    c[X * STRIDE + 1] = 1;
    for (int k = 0; k < 2; k++)
      check_status(brink__tape_jet(tape, k, STRIDE, c, NULL), BRINK_OK);
    brink__tape *law = compile(&f, brink__diff(f.g, b ? one : two, X));
    double v[SLOTS] = {0.8, -0.3, 0};
    check_status(brink__tape_values(law, v, NULL), BRINK_OK);
    check_rel(c[brink__tape_slot(tape, 0) * STRIDE + 1], v[brink__tape_slot(law, 0)],
              1e-13);
    brink__tape_free(law);
  }
  brink__tape_free(tape);
  teardown(&f);
}

/* `b and heavy < 0`, `b or heavy < 0`: the second operand only where it decides */
static void the_second_operand_is_computed_where_it_decides(void **state)
{
  fixture f;

  (void)state;
  setup(&f);
  brink__node heavy = f.x;
  for (int i = 0; i < 6; i++)
    heavy = brink__op1(f.g, BRINK_OP_ATAN, brink__mul(f.g, f.y, heavy));
  heavy = brink__op1(f.g, BRINK_OP_SIN, brink__mul(f.g, f.y, heavy)); /* sign of y */
  brink__node small = brink__op2(f.g, BRINK_OP_LT, heavy, brink__integer(f.g, 0));
  for (int b = 0; b < 2; b++)
    for (int is_or = 0; is_or < 2; is_or++) {
      brink__op op = is_or ? BRINK_OP_OR : BRINK_OP_AND;
      brink__tape *tape = compile(&f, brink__op2(f.g, op, f.b, small));
      for (double y = -0.75; y < 1; y += 1.5) {
        double v[SLOTS] = {0.8, y, b};
        check_status(brink__tape_values(tape, v, NULL), BRINK_OK);
        check_near(v[brink__tape_slot(tape, 0)], is_or ? b || y < 0 : b && y < 0, 0);
      }
      brink__tape_free(tape);
    }
  teardown(&f);
}

/* deeper than blocks are nested: still right */
static void a_long_chain_of_branches_ends_where_it_should(void **state)
{
  enum { LEVELS = 300 };
  fixture f;

  (void)state;
  setup(&f);
  brink__node n = brink__op1(f.g, BRINK_OP_SQRT, f.y); /* not here for y < 0 */
  for (int i = LEVELS; i-- > 0;) {
    brink__node law = f.x;
    for (int k = 0; k < 3; k++)
      law = brink__op1(f.g, BRINK_OP_SIN, brink__add(f.g, law, brink__integer(f.g, i)));
    n = brink__select(
        f.g, brink__op2(f.g, BRINK_OP_LT, f.x, brink__integer(f.g, i + 1)), law, n);
  }
  brink__tape *tape = compile(&f, n);
  double *v = test_malloc(brink__tape_slots(tape) * sizeof *v);
  for (double x = -0.5; x < LEVELS; x += 7.25) {
    int i = x < 0 ? 0 : (int)x;
    v[X] = x;
    v[Y] = -1;
    check_status(brink__tape_values(tape, v, NULL), BRINK_OK);
    check_near(v[brink__tape_slot(tape, 0)], sin(sin(sin(x + i) + i) + i), 0);
  }
  v[X] = LEVELS + 0.5;
  brink__node culprit = 0;
  check_status(brink__tape_values(tape, v, &culprit), BRINK_EDOMAIN);
  assert_int_equal(brink__node_op(f.g, culprit), BRINK_OP_SQRT);
  test_free(v);
  brink__tape_free(tape);
  teardown(&f);
}

static void a_box_across_a_jump_or_kink_has_no_derivative(void **state)
{
  static const brink__op ops[] = {BRINK_OP_ABS, BRINK_OP_FLOOR, BRINK_OP_SIGN};
  fixture f;

  (void)state;
  setup(&f);
  for (size_t i = 0; i < BRINK__COUNT(ops); i++) {
    brink__tape *tape = compile(&f, brink__op1(f.g, ops[i], f.x));
    brink__itv c[SLOTS * 2] = {{-0.2, 0.3}, {1, 1}};
    check_status(brink__tape_ijet(tape, 0, 2, c, NULL), BRINK_OK);
    check_status(brink__tape_ijet(tape, 1, 2, c, NULL), BRINK_EDOMAIN);
    c[0] = (brink__itv){0.2, 0.3};
    check_status(brink__tape_ijet(tape, 0, 2, c, NULL), BRINK_OK);
    check_status(brink__tape_ijet(tape, 1, 2, c, NULL), BRINK_OK);
    check_near(c[2 * brink__tape_slot(tape, 0) + 1].lo, ops[i] == BRINK_OP_ABS, 0);
    brink__tape_free(tape);
  }
  teardown(&f);
}

static void an_angle_across_its_cut_is_any_angle(void **state)
{
  const double pi = 3.14159265358979323846;
  fixture f;

  (void)state;
  setup(&f);
  brink__tape *tape = compile(&f, brink__op2(f.g, BRINK_OP_ATAN2, f.x, f.y));
  brink__itv v[SLOTS] = {{-0.1, 0.1}, {-2.5, -2}};
  check_status(brink__tape_intervals(tape, v, NULL), BRINK_OK);
  brink__itv out = v[brink__tape_slot(tape, 0)];
  check_in(out.lo, -pi - 1e-14, -pi);
  check_in(out.hi, pi, pi + 1e-14);

  /* from above it ends at the cut, and -0 is 0 */
  v[X] = (brink__itv){-0.0, 0.1};
  v[Y] = (brink__itv){-2.5, -2};
  check_status(brink__tape_intervals(tape, v, NULL), BRINK_OK);
  out = v[brink__tape_slot(tape, 0)];
  check_in(out.lo, 3.09, 3.1);
  check_in(out.hi, pi, pi + 1e-14);
  double w[SLOTS] = {-0.0, -2.25};
  check_status(brink__tape_values(tape, w, NULL), BRINK_OK);
  check_near(w[brink__tape_slot(tape, 0)], pi, 0);

  /* where it jumps it has no derivative; beside the cut it is x'/y for x = 0, y' = 0 */
  brink__itv c[SLOTS * 2] = {{-0.1, 0.1}, {1, 1}, {-2.5, -2}, {0, 0}};
  check_status(brink__tape_ijet(tape, 0, 2, c, NULL), BRINK_OK);
  check_status(brink__tape_ijet(tape, 1, 2, c, NULL), BRINK_EDOMAIN);
  c[2 * X] = (brink__itv){0, 0.1};
  check_status(brink__tape_ijet(tape, 0, 2, c, NULL), BRINK_OK);
  check_status(brink__tape_ijet(tape, 1, 2, c, NULL), BRINK_OK);
  out = c[2 * brink__tape_slot(tape, 0) + 1];
  check_in(-1 / 2.25, out.lo, out.hi);
  check_in(out.hi - out.lo, 0, 0.4);
  brink__tape_free(tape);
  teardown(&f);
}

static void an_exact_guard_has_no_noise_and_a_sum_has_some(void **state)
{
  fixture f;

  (void)state;
  setup(&f);
  brink__node guard = brink__sub(f.g, f.x, brink__real(f.g, 0.3));
  brink__tape *tape = compile(&f, guard);
  double v[SLOTS] = {0.3}, bound = -1;
  brink__itv work[SLOTS];
  check_status(brink__tape_noise(tape, v, NULL, work, &bound, NULL), BRINK_OK);
  check_near(bound, 0, 0);
  brink__tape_free(tape);

  /* x^2 + y^2 - 1 on the circle: pure rounding */
  brink__node circle = brink__sub(
      f.g, brink__add(f.g, brink__mul(f.g, f.x, f.x), brink__mul(f.g, f.y, f.y)),
      brink__integer(f.g, 1));
  tape = compile(&f, circle);
  v[X] = cos(0.7);
  v[Y] = sin(0.7);
  double delta[N_SYMBOLS] = {0x1p-53, 0x1p-53, 0};
  check_status(brink__tape_noise(tape, v, delta, work, &bound, NULL), BRINK_OK);
  check_in(bound, fabs(v[brink__tape_slot(tape, 0)]), 2e-15);
  check_in(bound, 1e-16, 2e-15);
  brink__tape_free(tape);
  teardown(&f);
}

static void the_pattern_is_exact(void **state)
{
  fixture f;
  brink__pattern p;

  (void)state;
  setup(&f);
  brink__node roots[] = {brink__mul(f.g, f.y, f.y), brink__select(f.g, f.b, f.x, f.y),
                         brink__real(f.g, 2.5)};
  check_status(brink__pattern_new(f.g, 3, roots, 0, NULL, &p), BRINK_OK);
  assert_int_equal(p.nnz, 4);
  assert_int_equal(p.start[1], 1);
  assert_int_equal(p.start[3], 4);
  assert_int_equal(p.col[0], Y);
  assert_int_equal(p.col[1], X);
  assert_int_equal(p.col[3], B);
  brink__pattern_drop(&p);
  teardown(&f);
}

/* 10,000 nested functions and a sum of 100,000: every pass is a loop */
static void depth_costs_no_stack(void **state)
{
  static char text[1 << 20];
  fixture f;

  (void)state;
  setup(&f);
  brink__node n = f.x, sum = f.y;
  for (int i = 0; i < 10000; i++)
    n = brink__op1(f.g, BRINK_OP_SIN, brink__add(f.g, f.y, brink__mul(f.g, f.y, n)));
  for (int i = 0; i < 100000; i++)
    sum = brink__add(f.g, brink__mul(f.g, brink__integer(f.g, 1 + i % 9), n), sum);
  brink__node d = brink__diff(f.g, sum, X), out, dot[] = {f.y, f.x}, by[] = {f.y, f.x};
  assert_int_not_equal(d, BRINK__NONE);
  check_status(brink__diff_along(f.g, 2, dot, 1, &sum, &out), BRINK_OK);
  check_status(brink__substitute(f.g, 2, by, 1, &sum, &out), BRINK_OK);
  assert_int_equal(brink__print(f.g, sum, NULL, NULL, text, sizeof text), BRINK_LIMIT);
  brink__pattern p;
  check_status(brink__pattern_new(f.g, 1, &d, 0, NULL, &p), BRINK_OK);
  assert_int_equal(p.nnz, 2);
  brink__pattern_drop(&p);
  brink__tape *tape = compile(&f, d);
  double *v = test_malloc(brink__tape_slots(tape) * sizeof *v);
  v[X] = 0.3;
  v[Y] = 0.999;
  check_status(brink__tape_values(tape, v, NULL), BRINK_OK);
  test_free(v);
  brink__tape_free(tape);
  teardown(&f);
}

static void the_derivative_is_as_large_as_the_original(void **state)
{
  fixture f;

  (void)state;
  setup(&f);
  brink__node n = f.x;
  for (int i = 0; i < 1000; i++) /* 2^1000 as a tree */
    n = brink__op1(f.g, BRINK_OP_SIN, brink__mul(f.g, brink__add(f.g, n, f.y), n));
  brink__node before = brink__graph_size(f.g);
  assert_int_not_equal(brink__diff(f.g, n, X), BRINK__NONE);
  check_in(brink__graph_size(f.g) - before, 1000, 6 * before);
  teardown(&f);
}

/* runs in step, out of step, across windows: the same as one operation at a time */
static void scheduling_changes_no_bit(void **state)
{
  enum { M = 900, K = 2 * M, P = 40 };
  fixture f;
  brink__node roots[M + P];
  double want[M + P], *x = test_malloc(K * sizeof *x);
  uint64_t seed = 31;

  (void)state;
  setup(&f);
  for (int i = 0; i < K; i++)
    x[i] = rand_in(&seed, 0.5, 1.5);
  double before = 1;
  brink__node last = brink__integer(f.g, 1);
  for (int i = 0; i < M; i++) {
    brink__node a = brink__symbol(f.g, i, BRINK_TYPE_REAL);
    brink__node b = brink__symbol(f.g, M + (7 * i) % M, BRINK_TYPE_REAL);
    brink__node e = brink__div(f.g, brink__mul(f.g, a, b), brink__add(f.g, a, last));
    double va = x[i], vb = x[M + (7 * i) % M], ve = va * vb / (va + before);
    roots[i] = brink__sub(f.g, e, brink__mul(f.g, a, a));
    want[i] = ve - va * va;
    if (i % 5 == 0) {
      last = e;
      before = ve;
    }
  }
  for (int i = 0; i < P; i++) { /* one operand in step, the other not */
    int j = i * (i + 1) / 2;
    roots[M + i] = brink__sub(f.g, brink__symbol(f.g, i, BRINK_TYPE_REAL),
                              brink__symbol(f.g, j + 3, BRINK_TYPE_REAL));
    want[M + i] = x[i] - x[j + 3];
  }
  brink__tape_spec spec = {.n_roots = M + P, .roots = roots, .n_symbols = K};
  brink__tape *tape;
  check_status(brink__tape_new(f.g, &spec, &tape), BRINK_OK);
  double *v = test_malloc(brink__tape_slots(tape) * sizeof *v);
  memcpy(v, x, K * sizeof *x);
  check_status(brink__tape_values(tape, v, NULL), BRINK_OK);
  for (size_t i = 0; i < M + P; i++)
    check_near(v[brink__tape_slot(tape, i)], want[i], 0);
  test_free(v);
  test_free(x);
  brink__tape_free(tape);
  teardown(&f);
}

/* everything once, with an allocator that may fail */
static brink_status everything(brink_ctx *ctx)
{
  brink__graph *g;
  brink__tape *tape = NULL;
  brink__pattern p = {0};
  brink__node entry[N_RANDOM_SYMBOLS], lie, dot[] = {2, 1}, by[] = {2, 1};
  uint64_t seed = 5;
  char text[50];

  BRINK_TRY(brink__graph_new(ctx, &g));
  brink_status rc = BRINK_ENOMEM;
  brink__node n = brink__symbol(g, 0, BRINK_TYPE_REAL);
  brink__node y = brink__symbol(g, 1, BRINK_TYPE_REAL);
  for (int i = 0; i < 40; i++) {
    n = brink__op1(
        g, rand_u64(&seed) % 2 ? BRINK_OP_COS : BRINK_OP_EXP,
        brink__op2(g, BRINK_OP_POW, brink__add(g, n, y), brink__integer(g, 3)));
    n = brink__mul(g, n, brink__op1(g, BRINK_OP_NEG, y));
  }
  n = brink__select(g, brink__op2(g, BRINK_OP_LT, n, y), n,
                    brink__op1(g, BRINK_OP_SIN, n));
  brink__tape_spec spec = {.n_roots = 1, .roots = &n, .n_symbols = 2};
  if (n && brink__print(g, n, NULL, NULL, text, sizeof text) == BRINK_LIMIT &&
      brink__pattern_new(g, 1, &n, 0, NULL, &p) == BRINK_OK &&
      brink__jacobian(g, &p, &n, entry) == BRINK_OK &&
      brink__diff_along(g, 2, dot, 1, &n, &lie) == BRINK_OK &&
      brink__substitute(g, 2, by, 1, &n, &lie) == BRINK_OK)
    rc = brink__tape_new(g, &spec, &tape);
  if (rc < 0)
    assert_null(tape);
  brink__tape_free(tape);
  brink__pattern_drop(&p);
  brink__graph_free(g);
  return rc;
}

static void every_allocation_may_fail(void **state)
{
  int failed = 0;

  (void)state;
  for (long at = 2;; at++) { /* 1 is the context */
    flaky f = {.fail_at = at};
    brink_alloc hook = flaky_alloc(&f);
    brink_ctx *ctx;
    check_status(brink_ctx_new(&hook, &ctx), BRINK_OK);
    brink_status rc = everything(ctx);
    int reached = f.calls >= at;
    assert_int_equal(brink_ctx_alloc_stats(ctx).live_bytes, 0);
    if (rc < 0) {
      failed++;
      check_status(rc, BRINK_ENOMEM);
      check_text(brink_ctx_error(ctx)->text, "out of memory");
    }
    brink_ctx_free(ctx);
    assert_int_equal(f.live, 0);
    if (!reached)
      break;
  }
  check_in(failed, 15, 200);
}

static void evaluation_does_not_allocate(void **state)
{
  static double v[SLOTS], c[SLOTS * STRIDE], bound;
  static brink__itv w[SLOTS], wc[SLOTS * STRIDE];
  fixture f;

  (void)state;
  setup(&f);
  brink__node n =
      brink__op2(f.g, BRINK_OP_POW, f.x, brink__op1(f.g, BRINK_OP_SIN, f.y));
  brink__tape *tape = compile(&f, brink__select(f.g, f.b, n, f.y));
  size_t calls = brink_ctx_alloc_stats(f.ctx).calls;
  v[X] = c[X * STRIDE] = 1.3;
  v[Y] = c[Y * STRIDE] = 0.7;
  v[B] = c[B * STRIDE] = 1;
  for (int i = 0; i < N_SYMBOLS; i++)
    w[i] = wc[i * STRIDE] = (brink__itv){v[i], v[i]};
  check_status(brink__tape_values(tape, v, NULL), BRINK_OK);
  check_status(brink__tape_noise(tape, v, NULL, w, &bound, NULL), BRINK_OK);
  for (int k = 0; k < STRIDE; k++) {
    check_status(brink__tape_jet(tape, k, STRIDE, c, NULL), BRINK_OK);
    check_status(brink__tape_ijet(tape, k, STRIDE, wc, NULL), BRINK_OK);
  }
  assert_int_equal(brink_ctx_alloc_stats(f.ctx).calls, calls);
  brink__tape_free(tape);
  teardown(&f);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_kink_is_passed_forward_in_time),
      cmocka_unit_test(a_root_that_starts_at_zero_has_no_series),
      cmocka_unit_test(either_branch_can_be_asked_for),
      cmocka_unit_test(a_branch_that_is_not_taken_is_not_computed),
      cmocka_unit_test(the_second_operand_is_computed_where_it_decides),
      cmocka_unit_test(a_long_chain_of_branches_ends_where_it_should),
      cmocka_unit_test(a_box_across_a_jump_or_kink_has_no_derivative),
      cmocka_unit_test(an_angle_across_its_cut_is_any_angle),
      cmocka_unit_test(an_exact_guard_has_no_noise_and_a_sum_has_some),
      cmocka_unit_test(the_pattern_is_exact),
      cmocka_unit_test(depth_costs_no_stack),
      cmocka_unit_test(the_derivative_is_as_large_as_the_original),
      cmocka_unit_test(scheduling_changes_no_bit),
      cmocka_unit_test(every_allocation_may_fail),
      cmocka_unit_test(evaluation_does_not_allocate),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
