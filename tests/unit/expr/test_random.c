/* Random expressions: all that a tape says about one of them fits together, and
 * fits what multiple precision says. */
#include "check.h"

#include <math.h>
#include <string.h>

#include "exact.h"
#include "random_expr.h"

enum { N = N_RANDOM_SYMBOLS, SLOTS = 1024, TRIALS = 1500 };

typedef struct fixture {
  brink_ctx *ctx;
  brink__graph *g;
  brink__node root;
  uint64_t seed;
  double x[N];
} fixture;

static void setup(fixture *f, int trial, int size, random_kind kind)
{
  *f = (fixture){.seed = 77777u + (uint64_t)trial};
  check_status(brink_ctx_new(NULL, &f->ctx), BRINK_OK);
  check_status(brink__graph_new(f->ctx, &f->g), BRINK_OK);
  f->root = random_expr(f->g, &f->seed, size, kind);
  for (int i = 0; i < N; i++)
    f->x[i] = i < N_REAL ? rand_in(&f->seed, -1.7, 2.9) : rand_01(&f->seed) < 0.5;
}

static void teardown(fixture *f)
{
  brink__graph_free(f->g);
  brink_ctx_free(f->ctx);
}

static brink__tape *compile(fixture *f, const brink__node *roots, size_t n_roots,
                            const unsigned char *fixed)
{
  brink__tape_spec spec = {
      .n_roots = n_roots, .roots = roots, .n_symbols = N, .fixed = fixed};
  brink__tape *tape;

  check_status(brink__tape_new(f->g, &spec, &tape), BRINK_OK);
  assert_true(brink__tape_slots(tape) <= SLOTS);
  return tape;
}

static void rounding_bounds_hold_and_nothing_is_nan(void **state)
{
  int here = 0, maybe = 0;
  double looseness = 0;

  (void)state;
  for (int trial = 0; trial < TRIALS; trial++) {
    fixture f;
    setup(&f, trial, 3 + trial % 25, RANDOM_ANY);
    brink__tape *tape = compile(&f, &f.root, 1, NULL);
    double v[SLOTS], bound, err;
    brink__itv work[SLOTS];
    brink__node culprit = 0;
    memcpy(v, f.x, sizeof f.x);
    brink_status rc = brink__tape_values(tape, v, &culprit);
    double got = v[brink__tape_slot(tape, 0)];
    double want = exact_value(f.g, f.root, N, f.x, rc == BRINK_OK ? got : 0, &err);
    if (rc == BRINK_OK)
      assert_true(isfinite(got));
    else
      assert_true(culprit >= 1 && culprit <= brink__graph_size(f.g));
    rc = brink__tape_noise(tape, v, NULL, work, &bound, &culprit);
    if (rc == BRINK_OK) {
      here++;
      if (!(err <= bound))
        fail_msg("trial %d: error %.3g, bound %.3g, value %.17g, want %.17g", trial,
                 err, bound, got, want);
      if (bound > 0 && bound < 1e-3 * fabs(want))
        looseness += log10(bound / (0x1p-53 * fabs(want)));
    } else
      maybe++;
    if (isnan(want))
      check_status(rc, BRINK_EDOMAIN);
    brink__tape_free(tape);
    teardown(&f);
  }
  check_in(here, TRIALS / 3, TRIALS);
  check_in(maybe, TRIALS / 20, TRIALS);
  check_in(looseness / here, 0, 3.5); /* digits on average, conditioning included */
}

static void uncertain_inputs_widen_the_bound(void **state)
{
  (void)state;
  for (int trial = 0; trial < TRIALS / 5; trial++) {
    fixture f;
    setup(&f, trial, 3 + trial % 12, RANDOM_SMOOTH);
    brink__tape *tape = compile(&f, &f.root, 1, NULL);
    double v[SLOTS], delta[N] = {1e-8, 2e-7, 0, 3e-9, 0, 0}, bound, err, y[N];
    brink__itv work[SLOTS];
    memcpy(v, f.x, sizeof f.x);
    if (brink__tape_noise(tape, v, delta, work, &bound, NULL) == BRINK_OK)
      for (int p = 0; p < 5; p++) {
        for (int i = 0; i < N; i++)
          y[i] = f.x[i] + delta[i] * rand_in(&f.seed, -1, 1);
        exact_value(f.g, f.root, N, y, v[brink__tape_slot(tape, 0)], &err);
        check_in(err, 0, bound);
      }
    brink__tape_free(tape);
    teardown(&f);
  }
}

/* jets, derivative tapes and multiple precision agree; so does a tape that knows
 * which symbols stay */
static void jets_agree_with_exact_series_and_derivatives(void **state)
{
  enum { ORDER = 7, STRIDE = ORDER + 1 };
  static double c[SLOTS * STRIDE], still[SLOTS * STRIDE];
  static const unsigned char fixed[N] = {0, 0, 1, 0, 1, 1};
  int here = 0;

  (void)state;
  for (int trial = 0; trial < TRIALS / 3; trial++) {
    fixture f;
    setup(&f, trial, 3 + trial % 20, trial % 2 ? RANDOM_SMOOTH : RANDOM_ANY);
    double in[N * STRIDE] = {0}, want[STRIDE];
    for (int i = 0; i < N; i++) {
      in[i * STRIDE] = f.x[i];
      for (int k = 1; k < STRIDE && !fixed[i]; k++)
        in[i * STRIDE + k] = rand_in(&f.seed, -0.4, 0.5);
    }
    brink__tape *tape = compile(&f, &f.root, 1, NULL);
    brink__tape *lazy = compile(&f, &f.root, 1, fixed);
    memcpy(c, in, sizeof in);
    memcpy(still, in, sizeof in);
    brink_status rc = BRINK_OK;
    for (int k = 0; k < STRIDE && rc == BRINK_OK; k++) {
      rc = brink__tape_jet(tape, k, STRIDE, c, NULL);
      brink_status lazy_rc = brink__tape_jet(lazy, k, STRIDE, still, NULL);
      if (rc == BRINK_OK)
        check_status(lazy_rc, BRINK_OK);
    }
    if (rc == BRINK_OK && exact_jet(f.g, f.root, N, in, ORDER, want)) {
      double size = 1e-3, *got = c + brink__tape_slot(tape, 0) * STRIDE;
      double *also = still + brink__tape_slot(lazy, 0) * STRIDE;
      here++;
      for (int k = 0; k < STRIDE; k++) {
        size = fmax(size, fabs(want[k]));
        /* conditioning of random expressions is their own */
        check_near(got[k], want[k], 1e-6 * size);
        check_near(also[k], got[k], 1e-6 * size);
      }
    }
    brink__tape_free(tape);
    brink__tape_free(lazy);
    teardown(&f);
  }
  check_in(here, TRIALS / 12, TRIALS);
}

static void jacobians_agree_with_directional_jets(void **state)
{
  enum { ROOTS = 3 };
  static double c[SLOTS * 2], v[SLOTS];
  int here = 0;

  (void)state;
  for (int trial = 0; trial < TRIALS / 5; trial++) {
    fixture f;
    setup(&f, trial, 3 + trial % 12, RANDOM_SMOOTH);
    brink__node roots[ROOTS] = {f.root, random_expr(f.g, &f.seed, 5, RANDOM_ANY),
                                random_expr(f.g, &f.seed, 2, RANDOM_SMOOTH)};
    brink__node entry[ROOTS * N];
    unsigned char keep[N] = {1, 1, 1, 1, 0, 0};
    brink__pattern p;
    check_status(brink__pattern_new(f.g, ROOTS, roots, N, keep, &p), BRINK_OK);
    check_status(brink__jacobian(f.g, &p, roots, entry), BRINK_OK);
    brink__tape *tape = compile(&f, roots, ROOTS, NULL);
    brink__tape *jacobian = compile(&f, entry, p.nnz, NULL);
    memcpy(v, f.x, sizeof f.x);
    double dot[N] = {0}, sum[ROOTS] = {0}, size[ROOTS] = {1e-3, 1e-3, 1e-3};
    for (int i = 0; i < N; i++) {
      dot[i] = keep[i] ? rand_in(&f.seed, -1, 1) : 0;
      c[2 * i] = f.x[i];
      c[2 * i + 1] = dot[i];
    }
    if (brink__tape_values(jacobian, v, NULL) == BRINK_OK &&
        brink__tape_jet(tape, 0, 2, c, NULL) == BRINK_OK &&
        brink__tape_jet(tape, 1, 2, c, NULL) == BRINK_OK) {
      here++;
      for (size_t i = 0; i < ROOTS; i++) {
        for (size_t k = p.start[i]; k < p.start[i + 1]; k++) {
          double term = v[brink__tape_slot(jacobian, k)] * dot[p.col[k]];
          sum[i] += term;
          size[i] += fabs(term);
        }
        check_near(c[2 * brink__tape_slot(tape, i) + 1], sum[i], 1e-9 * size[i]);
      }
    }
    brink__tape_free(tape);
    brink__tape_free(jacobian);
    brink__pattern_drop(&p);
    teardown(&f);
  }
  check_in(here, TRIALS / 20, TRIALS);
}

static void the_derivative_along_a_flow_is_the_first_coefficient(void **state)
{
  static double c[SLOTS * 2], v[SLOTS];
  int here = 0;

  (void)state;
  for (int trial = 0; trial < TRIALS / 5; trial++) {
    fixture f;
    setup(&f, trial, 3 + trial % 12, RANDOM_SMOOTH);
    brink__node dot[N] = {0}, lie;
    for (int i = 0; i < N_REAL - 1; i++)
      dot[i] = random_expr(f.g, &f.seed, 2, RANDOM_SMOOTH);
    check_status(brink__diff_along(f.g, N, dot, 1, &f.root, &lie), BRINK_OK);
    brink__tape *tape = compile(&f, &f.root, 1, NULL);
    brink__tape *flow = compile(&f, dot, N_REAL - 1, NULL);
    brink__tape *along = compile(&f, &lie, 1, NULL);
    memcpy(v, f.x, sizeof f.x);
    if (brink__tape_values(flow, v, NULL) == BRINK_OK) {
      for (size_t i = 0; i < N; i++) {
        c[2 * i] = f.x[i];
        c[2 * i + 1] = i < N_REAL - 1 ? v[brink__tape_slot(flow, i)] : 0;
      }
      memcpy(v, f.x, sizeof f.x);
      if (brink__tape_values(along, v, NULL) == BRINK_OK &&
          brink__tape_jet(tape, 0, 2, c, NULL) == BRINK_OK &&
          brink__tape_jet(tape, 1, 2, c, NULL) == BRINK_OK) {
        double want = v[brink__tape_slot(along, 0)];
        here++;
        check_near(c[2 * brink__tape_slot(tape, 0) + 1], want,
                   1e-9 * fmax(1, fabs(want)));
      }
    }
    brink__tape_free(tape);
    brink__tape_free(flow);
    brink__tape_free(along);
    teardown(&f);
  }
  check_in(here, TRIALS / 20, TRIALS);
}

/* replacing symbols by numbers gives the value that the tape computes */
static void substituting_constants_folds_to_the_value(void **state)
{
  int here = 0;

  (void)state;
  for (int trial = 0; trial < 2 * TRIALS; trial++) {
    fixture f;
    setup(&f, trial, 3 + trial % 70, RANDOM_ANY);
    brink__node by[N], out;
    for (int i = 0; i < N; i++)
      by[i] = i < N_REAL ? brink__real(f.g, f.x[i]) : brink__boolean(f.g, (int)f.x[i]);
    check_status(brink__substitute(f.g, N, by, 1, &f.root, &out), BRINK_OK);
    brink__tape *tape = compile(&f, &f.root, 1, NULL);
    double v[SLOTS];
    memcpy(v, f.x, sizeof f.x);
    if (brink__tape_values(tape, v, NULL) == BRINK_OK) {
      here++;
      double got = v[brink__tape_slot(tape, 0)];
      if (!brink__node_is(f.g, out, got)) {
        char text[400];
        brink__print(f.g, out, NULL, NULL, text, sizeof text);
        fail_msg("trial %d: value %.17g, folded to %s", trial, got, text);
      }
    } else
      assert_int_not_equal(brink__node_op(f.g, out), BRINK_OP_CONST);
    brink__tape_free(tape);
    teardown(&f);
  }
  check_in(here, TRIALS / 2, 2 * TRIALS);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rounding_bounds_hold_and_nothing_is_nan),
      cmocka_unit_test(uncertain_inputs_widen_the_bound),
      cmocka_unit_test(jets_agree_with_exact_series_and_derivatives),
      cmocka_unit_test(jacobians_agree_with_directional_jets),
      cmocka_unit_test(the_derivative_along_a_flow_is_the_first_coefficient),
      cmocka_unit_test(substituting_constants_folds_to_the_value),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
