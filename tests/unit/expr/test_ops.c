/* Every operator of ops.def: value, derivative, jets, intervals, "not here", against
 * multiple precision.  A new operator without a line in `data` fails here. */
#include "check.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "exact.h"

enum { TRIALS = 40, N = 3, ORDER = EXACT_ORDER, STRIDE = ORDER + 1, SLOTS = 64 };

#define R BRINK_TYPE_REAL
#define I BRINK_TYPE_INTEGER
#define L BRINK_TYPE_BOOLEAN
#define E BRINK_TYPE_ENUMERATION

/* where arguments are drawn from; ulps: how far a value may be off; bad: arguments
 * where there is no value (bad[0] == NaN: there are none) */
typedef struct datum {
  int present;
  brink__type type[N];
  double lo[N], hi[N];
  double ulps;
  double bad[2];
} datum;

#define NONE                                                                           \
  {                                                                                    \
    (double)NAN, 0                                                                     \
  }
#define ONE(t, lo, hi, ulps, ...)                                                      \
  {                                                                                    \
    1, {t}, {lo}, {hi}, ulps, __VA_ARGS__                                              \
  }
#define TWO(t, lo, hi, lo2, hi2, ulps, ...)                                            \
  {                                                                                    \
    1, {t, t}, {lo, lo2}, {hi, hi2}, ulps, __VA_ARGS__                                 \
  }

/* clang-format off */
static const datum data[BRINK__N_OPS] = {
  [BRINK_OP_CONST]   = {1, {R}, {0}, {0}, 0, NONE},
  [BRINK_OP_SYMBOL]  = {1, {R}, {0}, {0}, 0, NONE},
  [BRINK_OP_ADD]     = TWO(R, -3.7, 5.1, -4.4, 2.9, 0.5, {DBL_MAX, DBL_MAX}),
  [BRINK_OP_SUB]     = TWO(R, -3.7, 5.1, -4.4, 2.9, 0.5, {DBL_MAX, -DBL_MAX}),
  [BRINK_OP_MUL]     = TWO(R, -3.7, 5.1, -4.4, 2.9, 0.5, {DBL_MAX, 2.5}),
  [BRINK_OP_DIV]     = TWO(R, -3.7, 5.1, 0.3, 2.9, 0.5, {2.5, 0}),
  [BRINK_OP_POW]     = TWO(R, 0.3, 4.2, -2.3, 3.1, 1.5, {-8.1, 1.0 / 3}),
  [BRINK_OP_POWI]    = ONE(R, 0.4, 2.6, 12, {DBL_MAX, 0}),
  [BRINK_OP_NEG]     = ONE(R, -3.7, 5.1, 0, NONE),
  [BRINK_OP_NOT]     = ONE(L, 0, 1, 0, NONE),
  [BRINK_OP_AND]     = TWO(L, 0, 1, 0, 1, 0, NONE),
  [BRINK_OP_OR]      = TWO(L, 0, 1, 0, 1, 0, NONE),
  [BRINK_OP_LT]      = TWO(R, -3.7, 5.1, -4.4, 2.9, 0, NONE),
  [BRINK_OP_LE]      = TWO(R, -3.7, 5.1, -4.4, 2.9, 0, NONE),
  [BRINK_OP_GT]      = TWO(R, -3.7, 5.1, -4.4, 2.9, 0, NONE),
  [BRINK_OP_GE]      = TWO(R, -3.7, 5.1, -4.4, 2.9, 0, NONE),
  [BRINK_OP_EQ]      = TWO(I, -2, 2, -2, 2, 0, NONE),
  [BRINK_OP_NE]      = TWO(I, -2, 2, -2, 2, 0, NONE),
  [BRINK_OP_SELECT]  = {1, {L, R, R}, {0, -3.7, -4.4}, {1, 5.1, 2.9}, 0, NONE},
  [BRINK_OP_ABS]     = ONE(R, -3.7, 5.1, 0, NONE),
  [BRINK_OP_SIGN]    = ONE(R, -3.7, 5.1, 0, NONE),
  [BRINK_OP_SQRT]    = ONE(R, 0.2, 9.7, 0.5, {-1e-300, 0}),
  [BRINK_OP_SIN]     = ONE(R, -13.7, 15.1, 1, NONE),
  [BRINK_OP_COS]     = ONE(R, -13.7, 15.1, 1, NONE),
  [BRINK_OP_TAN]     = ONE(R, -1.3, 1.4, 1.5, NONE),
  [BRINK_OP_ASIN]    = ONE(R, -0.93, 0.91, 1, {1 + DBL_EPSILON, 0}),
  [BRINK_OP_ACOS]    = ONE(R, -0.93, 0.91, 1, {-1 - DBL_EPSILON, 0}),
  [BRINK_OP_ATAN]    = ONE(R, -3.7, 5.1, 1, NONE),
  [BRINK_OP_ATAN2]   = TWO(R, 0.4, 5.1, -4.4, 2.9, 1, NONE),
  [BRINK_OP_SINH]    = ONE(R, -3.7, 5.1, 2, {711.5, 0}),
  [BRINK_OP_COSH]    = ONE(R, -3.7, 5.1, 2, {-711.5, 0}),
  [BRINK_OP_TANH]    = ONE(R, -2.7, 2.1, 2.5, NONE),
  [BRINK_OP_EXP]     = ONE(R, -3.7, 5.1, 1, {709.8, 0}),
  [BRINK_OP_LOG]     = ONE(R, 0.2, 9.7, 1, {0, 0}),
  [BRINK_OP_LOG10]   = ONE(R, 0.2, 9.7, 2, {-2.5, 0}),
  [BRINK_OP_MIN]     = TWO(R, -3.7, 5.1, -4.4, 2.9, 0, NONE),
  [BRINK_OP_MAX]     = TWO(R, -3.7, 5.1, -4.4, 2.9, 0, NONE),
  [BRINK_OP_QUOT]    = TWO(R, -23.7, 25.1, -4.4, -0.4, 0, {2.5, 0}),
  [BRINK_OP_MOD]     = TWO(R, -23.7, 25.1, 0.4, 4.4, 0.5, {2.5, 0}),
  [BRINK_OP_REM]     = TWO(R, -23.7, 25.1, 0.4, 4.4, 0, {2.5, 0}),
  [BRINK_OP_CEIL]    = ONE(R, -3.7, 5.1, 0, NONE),
  [BRINK_OP_FLOOR]   = ONE(R, -3.7, 5.1, 0, NONE),
  [BRINK_OP_INTEGER] = ONE(R, -3.7, 5.1, 0, NONE),
  [BRINK_OP_REAL]    = ONE(I, -7, 7, 0, NONE),
  [BRINK_OP_ORDINAL] = ONE(E, 1, 7, 0, NONE),
};
/* clang-format on */

/* ------------------------------------------------------------- fixture ---- */

typedef struct fixture {
  brink_ctx *ctx;
  brink__graph *g;
  brink__node arg[N], root;
  brink__tape *tape;
  uint64_t seed;
} fixture;

static int is_leaf(brink__op op) { return brink__op_arity(op) == 0; }

static void compile(fixture *f, brink__node root, const unsigned char *fixed)
{
  brink__tape_spec spec = {
      .n_roots = 1, .roots = &root, .n_symbols = N, .fixed = fixed};

  f->root = root;
  check_status(brink__tape_new(f->g, &spec, &f->tape), BRINK_OK);
  assert_true(brink__tape_slots(f->tape) <= SLOTS);
}

/* op on symbols; POWI takes its exponent from the trial */
static void setup(fixture *f, brink__op op, int trial)
{
  static const int exponent[] = {2, 3, -1, 5, -3, 12, 7};

  memset(f, 0, sizeof *f);
  f->seed = 1000u * (uint64_t)op + (uint64_t)trial;
  check_status(brink_ctx_new(NULL, &f->ctx), BRINK_OK);
  check_status(brink__graph_new(f->ctx, &f->g), BRINK_OK);
  for (int i = 0; i < N; i++)
    f->arg[i] = brink__symbol(f->g, i, data[op].type[i]);
  if (op == BRINK_OP_POWI)
    f->arg[1] = brink__integer(f->g, exponent[trial % 7]);
  compile(f, brink__apply(f->g, op, f->arg[0], f->arg[1], f->arg[2]), NULL);
  assert_int_equal(brink__node_op(f->g, f->root), op);
}

static void teardown(fixture *f)
{
  brink__tape_free(f->tape);
  brink__graph_free(f->g);
  assert_int_equal(brink_ctx_alloc_stats(f->ctx).live_bytes, 0);
  brink_ctx_free(f->ctx);
}

static int is_real(brink__op op, int i) { return data[op].type[i] == R; }

static double draw(fixture *f, brink__op op, int i)
{
  double x = rand_in(&f->seed, data[op].lo[i], data[op].hi[i]);
  return is_real(op, i) ? x : nearbyint(x);
}

static double value(fixture *f, const double *x)
{
  double v[SLOTS];

  memcpy(v, x, N * sizeof *x);
  check_status(brink__tape_values(f->tape, v, NULL), BRINK_OK);
  return v[brink__tape_slot(f->tape, 0)];
}

/* for every operator but the leaves, on fresh arguments */
#define FOR_EACH_TRIAL(op, f)                                                          \
  for (brink__op op = 0; op < (brink__op)BRINK__N_OPS; op++)                           \
    for (int trial = 0; trial < TRIALS && !is_leaf(op); trial++, teardown(&f))         \
      if (setup(&f, op, trial), 1)

static void every_operator_has_data(void **state)
{
  (void)state;
  for (brink__op op = 0; op < (brink__op)BRINK__N_OPS; op++)
    if (!data[op].present)
      fail_msg("no test data for operator %s", brink__op_name(op));
}

/* --------------------------------------------------------------- tests ---- */

static void values_are_right_to_rounding(void **state)
{
  fixture f;

  (void)state;
  FOR_EACH_TRIAL(op, f)
  {
    double x[N] = {draw(&f, op, 0), draw(&f, op, 1), draw(&f, op, 2)};
    double got = value(&f, x);
    double err, want = exact_value(f.g, f.root, N, x, got, &err);
    double ulp = nextafter(fabs(want), HUGE_VAL) - fabs(want);
    if (!(err <= data[op].ulps * ulp * 1.0001))
      fail_msg("%s(%.17g, %.17g) = %.17g, want %.17g", brink__op_name(op), x[0], x[1],
               got, want);
    /* the operator alone says the same */
    double b = op == BRINK_OP_POWI ? brink__node_value(f.g, f.arg[1]) : x[1];
    check_near(brink__op_value(op, x[0], b, x[2]), got, 0);
  }
}

static void outside_the_domain_is_not_here(void **state)
{
  fixture f;

  (void)state;
  for (brink__op op = 0; op < (brink__op)BRINK__N_OPS; op++) {
    if (is_leaf(op) || isnan(data[op].bad[0]))
      continue;
    setup(&f, op, 0);
    brink__node culprit = 0;
    double v[SLOTS] = {data[op].bad[0], data[op].bad[1]};
    check_status(brink__tape_values(f.tape, v, &culprit), BRINK_EDOMAIN);
    if (op != BRINK_OP_POWI) /* multiplied out: one of the products */
      assert_int_equal(culprit, f.root);
    brink__itv w[SLOTS] = {{data[op].bad[0], data[op].bad[0]},
                           {data[op].bad[1], data[op].bad[1]}};
    check_status(brink__tape_intervals(f.tape, w, &culprit), BRINK_EDOMAIN);
    teardown(&f);
  }
}

/* a derivative or coefficient, against its size and that of what it is made of */
static void check_close(brink__op op, const char *what, int k, double got, double want,
                        double scale)
{
  if (!(fabs(got - want) <= 1e-13 * fmax(fabs(want), scale)))
    fail_msg("%s: %s %d = %.17g, want %.17g", brink__op_name(op), what, k, got, want);
}

static void derivatives_match_divided_differences(void **state)
{
  fixture f;

  (void)state;
  FOR_EACH_TRIAL(op, f)
  {
    double x[N] = {draw(&f, op, 0), draw(&f, op, 1), draw(&f, op, 2)}, jet[2];
    brink__node root = f.root;
    for (int i = 0; i < brink__op_arity(op); i++) {
      if (!is_real(op, i) || (op == BRINK_OP_POWI && i == 1))
        continue;
      double c[2 * N] = {x[0], i == 0, x[1], i == 1, x[2], i == 2};
      assert_true(exact_jet(f.g, root, N, c, 1, jet));
      brink__tape_free(f.tape);
      brink__node d = brink__diff(f.g, root, i);
      compile(&f, d, NULL);
      check_close(op, "derivative", i, value(&f, x), jet[1], 0.1);
    }
  }
}

static void jets_match_divided_differences(void **state)
{
  fixture f;

  (void)state;
  FOR_EACH_TRIAL(op, f)
  {
    double in[N * STRIDE] = {0}, c[SLOTS * STRIDE] = {0}, want[STRIDE];
    unsigned char fixed[N] = {trial % 4 == 1, trial % 4 == 2, trial % 8 == 1};
    brink__tape_free(f.tape);
    compile(&f, f.root, fixed);
    for (int i = 0; i < N; i++) {
      in[i * STRIDE] = draw(&f, op, i);
      for (int k = 1; k <= ORDER && is_real(op, i) && !fixed[i]; k++)
        in[i * STRIDE + k] = rand_in(&f.seed, -0.6, 0.7) * (trial % 5 ? 1 : k < 3);
    }
    assert_true(exact_jet(f.g, f.root, N, in, ORDER, want));
    double size = 1;
    for (int k = 0; k <= ORDER; k++) {
      for (int i = 0; i < N; i++) /* inputs only up to order k; fixed ones: rubbish */
        c[i * STRIDE + k] = k && fixed[i] ? 1e300 : in[i * STRIDE + k];
      check_status(brink__tape_jet(f.tape, k, STRIDE, c, NULL), BRINK_OK);
      double got = c[brink__tape_slot(f.tape, 0) * STRIDE + (size_t)k];
      size = fmax(size, fabs(want[k]));
      check_close(op, "coefficient", k, got, want[k], size);
    }
  }
}

/* every point of a box has its value in the interval, which is not much wider than the
 * values are apart */
static void intervals_contain_and_are_tight(void **state)
{
  static const double radius[] = {0, 1e-13, 1e-9, 1e-5, 1e-3};
  enum { POINTS = 12 };
  fixture f;

  (void)state;
  FOR_EACH_TRIAL(op, f)
  {
    brink__itv box[SLOTS];
    double lo = HUGE_VAL, hi = -HUGE_VAL, x[N];
    for (int i = 0; i < N; i++) {
      double m = draw(&f, op, i), r = is_real(op, i) ? radius[trial % 5] : 0;
      box[i] = (brink__itv){m - r, m + r};
    }
    brink__itv in[N] = {box[0], box[1], box[2]};
    check_status(brink__tape_intervals(f.tape, box, NULL), BRINK_OK);
    brink__itv out = box[brink__tape_slot(f.tape, 0)];
    for (int p = 0; p < POINTS; p++) {
      for (int i = 0; i < N; i++)
        x[i] = p < 8 ? (p >> i & 1 ? in[i].hi : in[i].lo)
                     : rand_in(&f.seed, in[i].lo, in[i].hi);
      double computed = value(&f, x);
      lo = fmin(lo, computed);
      hi = fmax(hi, computed);
      if (!exact_between(f.g, f.root, N, x, out.lo, out.hi) || computed < out.lo ||
          computed > out.hi)
        fail_msg("%s(%.17g, %.17g) = %.17g is not in [%.17g, %.17g]",
                 brink__op_name(op), x[0], x[1], computed, out.lo, out.hi);
    }
    double ulps = op == BRINK_OP_POWI ? 40 : 20;
    double allowed = 2 * (hi - lo) + ulps * DBL_EPSILON * fmax(fabs(lo), fabs(hi));
    if (op == BRINK_OP_MOD || op == BRINK_OP_REM) /* a - q b: b counts q times */
      allowed = 70 * (hi - lo) + 1e-13;
    check_in(out.hi - out.lo, 0, allowed);
  }
}

/* boxes as wide as the domain: extrema and jumps inside must not be lost */
static void wide_intervals_contain_and_are_tight(void **state)
{
  enum { EXACT_POINTS = 10, POINTS = 300 };
  fixture f;

  (void)state;
  FOR_EACH_TRIAL(op, f)
  {
    brink__itv box[SLOTS];
    double x[N], lo = HUGE_VAL, hi = -HUGE_VAL;
    for (int i = 0; i < N; i++) {
      double a = draw(&f, op, i), b = draw(&f, op, i);
      box[i] = (brink__itv){fmin(a, b), fmax(a, b)};
    }
    brink__itv in[N] = {box[0], box[1], box[2]};
    check_status(brink__tape_intervals(f.tape, box, NULL), BRINK_OK);
    brink__itv out = box[brink__tape_slot(f.tape, 0)];
    for (int p = 0; p < POINTS; p++) {
      for (int i = 0; i < N; i++) {
        x[i] = p < 8 ? (p >> i & 1 ? in[i].hi : in[i].lo)
                     : rand_in(&f.seed, in[i].lo, in[i].hi);
        x[i] = is_real(op, i) ? x[i] : nearbyint(x[i]);
      }
      double computed = value(&f, x);
      check_in(computed, out.lo, out.hi);
      if (p < EXACT_POINTS)
        assert_true(exact_between(f.g, f.root, N, x, out.lo, out.hi));
      lo = fmin(lo, computed);
      hi = fmax(hi, computed);
    }
    if (op != BRINK_OP_MOD && op != BRINK_OP_REM && op != BRINK_OP_POWI)
      check_in(out.hi - out.lo, 0, 1.2 * (hi - lo) + 1e-12 * fmax(fabs(lo), fabs(hi)));
  }
}

static void exact_operations_stay_points(void **state)
{
  static const struct {
    brink__op op;
    double a, b, want;
  } t[] = {{BRINK_OP_ADD, 0.25, 7, 7.25}, {BRINK_OP_SUB, 3, 5, -2},
           {BRINK_OP_MUL, 1.5, 6, 9},     {BRINK_OP_DIV, 7.5, 2.5, 3},
           {BRINK_OP_SQRT, 2.25, 0, 1.5}, {BRINK_OP_QUOT, 6, 2, 3},
           {BRINK_OP_MOD, -7, 3, 2},      {BRINK_OP_FLOOR, 3, 0, 3},
           {BRINK_OP_MUL, 0, 0.1, 0},     {BRINK_OP_EXP, 0, 0, 1}};
  fixture f;

  (void)state;
  for (size_t i = 0; i < BRINK__COUNT(t); i++) {
    setup(&f, t[i].op, 0);
    brink__itv v[SLOTS] = {{t[i].a, t[i].a}, {t[i].b, t[i].b}};
    check_status(brink__tape_intervals(f.tape, v, NULL), BRINK_OK);
    check_near(v[brink__tape_slot(f.tape, 0)].lo, t[i].want, 0);
    check_near(v[brink__tape_slot(f.tape, 0)].hi, t[i].want, 0);
    teardown(&f);
  }
}

static void interval_jets_contain_the_jets_of_points(void **state)
{
  enum { LOW = 6, POINTS = 6 };
  fixture f;

  (void)state;
  FOR_EACH_TRIAL(op, f)
  {
    double in[N * (LOW + 1)], want[LOW + 1], r = trial % 3 ? 1e-4 : 0;
    brink__itv c[SLOTS * (LOW + 1)] = {{0, 0}};
    for (int i = 0; i < N; i++)
      for (int k = 0; k <= LOW; k++)
        in[i * (LOW + 1) + k] = k == 0           ? draw(&f, op, i)
                                : is_real(op, i) ? rand_in(&f.seed, -0.6, 0.7)
                                                 : 0;
    for (int i = 0; i < N * (LOW + 1); i++) {
      double d = is_real(op, i / (LOW + 1)) ? r : 0;
      c[i] = (brink__itv){in[i] - d, in[i] + d};
    }
    brink__itv box[N * (LOW + 1)];
    memcpy(box, c, sizeof box);
    for (int k = 0; k <= LOW; k++)
      check_status(brink__tape_ijet(f.tape, k, LOW + 1, c, NULL), BRINK_OK);
    const brink__itv *out = c + brink__tape_slot(f.tape, 0) * (LOW + 1);
    for (int p = 0; p < POINTS; p++) {
      for (int i = 0; i < N * (LOW + 1); i++)
        in[i] = rand_in(&f.seed, box[i].lo, box[i].hi);
      assert_true(exact_jet(f.g, f.root, N, in, LOW, want));
      for (int k = 0; k <= LOW; k++)
        check_in(want[k], out[k].lo - 1e-29, out[k].hi + 1e-29);
    }
    for (int k = 0; k <= LOW; k++)
      check_in(out[k].hi - out[k].lo, 0, r > 0 ? 1e4 : 1e-9);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_operator_has_data),
      cmocka_unit_test(values_are_right_to_rounding),
      cmocka_unit_test(outside_the_domain_is_not_here),
      cmocka_unit_test(derivatives_match_divided_differences),
      cmocka_unit_test(jets_match_divided_differences),
      cmocka_unit_test(intervals_contain_and_are_tight),
      cmocka_unit_test(wide_intervals_contain_and_are_tight),
      cmocka_unit_test(exact_operations_stay_points),
      cmocka_unit_test(interval_jets_contain_the_jets_of_points),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
