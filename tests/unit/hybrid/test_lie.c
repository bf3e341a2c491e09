/* Lie derivatives of guards: texts with series, callbacks with values, rates and
 * states, on both sides of what f allows.  References: derivatives of
 *
 *   f = (v, -sin x - v/10 + sin(3 t)/5),   g = x^2 + v cos t - 1/2
 *
 * at t = 0.4, x = 0.3, v = 0.7, with 40 digits. */
#include "hybrid.h"

#include "hybrid/lie.h"
#include "hybrid/sim.h"

#include <math.h>
#include <stdlib.h>

static const double T = 0.4, Y[] = {0.3, 0.7}, D[] = {0.25, -1.5};
static const double along[] = {0.23474269580201955796, -0.017566275097585958048,
                               -0.031907553630662459334, -0.95280944017143710615};
static const double across[] = {-1.2315914910043276242, -0.047694131506905774125,
                                -1.516377351224351478};

typedef struct bench {
  brink_ctx *ctx;
  brink_model *model;
  brink_sim *sim;
  void *memory;
  brink__lie lie;
} bench;

static void open_bench(bench *b, const double *y)
{
  brink_sim_opts opt = brink_sim_defaults();

  assert_int_equal(brink_sim_new(b->ctx, b->model, &opt, &b->sim), BRINK_OK);
  assert_int_equal(brink_sim_start(b->sim, T, 0, y), BRINK_OK);
  size_t size = brink__lie_size(b->sim->model, b->sim->live, 0);
  b->memory =
      aligned_alloc(BRINK__ALIGN, (size + BRINK__ALIGN) / BRINK__ALIGN * BRINK__ALIGN);
  assert_non_null(b->memory);
  memset(b->memory, 0, size);
  brink__lie_init(&b->lie, b->memory, b->sim->model, b->sim->live, 0);
}

static void close_bench(bench *b)
{
  free(b->memory);
  brink_sim_free(b->sim);
  brink_model_free(b->model);
  brink_ctx_free(b->ctx);
}

/* The bound holds, and is not larger than tol. */
static void check_estimate(brink__estimate got, double want, double tol)
{
  check_near(got.value, want, got.bound);
  check_in(got.bound, 0, tol);
}

static void check_all(brink__lie *l, int order, double tol)
{
  brink__estimate d[BRINK__LIE_ORDER + 1], a;

  assert_int_equal(brink__lie_along(l, 0, T, Y, BRINK__LIE_ORDER, d), order);
  check_near(d[0].value, along[0], 1e-15);
  for (int j = 1; j <= order; j++)
    check_estimate(d[j], along[j], tol);
  for (int j = 0; j < order; j++) {
    assert_true(brink__lie_across(l, 0, T, Y, j, D, &a));
    check_near(a.value, across[j], j == 0 || order == 3 ? 1e-9 : 1e-6);
  }
}

/* --------------------------------------------------------------- texts ---- */

static void a_text_has_three_derivatives_to_rounding(void **state)
{
  static const char text[] =
      "model m\n Real x(start = 0.3, fixed = true), v(start = 0.7, fixed = true);\n"
      " Integer n(start = 0, fixed = true);\nequation\n der(x) = v;\n"
      " der(v) = -sin(x) - v/10 + sin(3*time)/5;\n"
      " when x^2 + v*cos(time) < 0.5 then\n  reinit(v, 2*v);\n n = pre(n) + 1;\n"
      "end when;\nend m;\n";
  bench b = {0};

  (void)state;
  assert_int_equal(brink_ctx_new(NULL, &b.ctx), BRINK_OK);
  assert_int_equal(
      brink_model_read(b.ctx, "m.mo", text, sizeof text - 1, NULL, &b.model), BRINK_OK);
  open_bench(&b, Y);
  check_all(&b.lie, 3, 1e-13);
  close_bench(&b);
}

/* ------------------------------------------------------------ callbacks ---- */

static int law(double t, const double *y, double *f, const brink_env *e)
{
  (void)e;
  f[0] = y[1];
  f[1] = -sin(y[0]) - y[1] / 10 + sin(3 * t) / 5;
  return 0;
}

static double guard(double t, const double *y, int k, const brink_env *e)
{
  (void)k, (void)e;
  return y[0] * y[0] + y[1] * cos(t) - 0.5;
}

static double rate(double t, const double *y, const double *f, int k,
                   const brink_env *e)
{
  (void)k, (void)e;
  return 2 * y[0] * f[0] + f[1] * cos(t) - y[1] * sin(t);
}

static int nothing(brink_jump *j)
{
  (void)j;
  return 0;
}

static void open_callbacks(bench *b, brink_guard_def g, brink_event_def event,
                           brink_rhs_fn *rhs, const double *y)
{
  brink_mode_def mode = {.name = "all",
                         .n = 2,
                         .rhs = rhs,
                         .guards = &g,
                         .n_guards = 1,
                         .events = &event,
                         .n_events = 1};
  brink_model_def def = {.name = "law", .modes = &mode, .n_modes = 1};

  assert_int_equal(brink_ctx_new(NULL, &b->ctx), BRINK_OK);
  if (brink_model_new(b->ctx, &def, &b->model) < 0)
    fail_msg("%s", brink_ctx_error(b->ctx)->text);
  open_bench(b, y);
}

static void callbacks_have_two_by_differences(void **state)
{
  bench b = {0}, with_rate = {0};
  brink_event_def event = {.name = "e", .guard = 0, .dir = BRINK_DOWN, .jump = nothing};

  (void)state;
  open_callbacks(&b, (brink_guard_def){.name = "g", .fn = guard}, event, law, Y);
  check_all(&b.lie, 2, 2e-9);
  close_bench(&b);
  open_callbacks(&with_rate, (brink_guard_def){.name = "g", .fn = guard, .rate = rate},
                 event, law, Y);
  check_all(&with_rate.lie, 2, 1e-10);
  close_bench(&with_rate);
}

/* Extrapolation: ten digits from a dozen values, and a few for their rounding. */
static void few_values_are_enough(void **state)
{
  bench b = {0};
  brink_event_def event = {.name = "e", .guard = 0, .dir = BRINK_DOWN, .jump = nothing};
  brink__estimate d[BRINK__LIE_ORDER + 1];

  (void)state;
  open_callbacks(&b, (brink_guard_def){.name = "g", .fn = guard}, event, law, Y);
  long g = b.lie.guards.evals, f = b.lie.f_evals;
  assert_int_equal(brink__lie_along(&b.lie, 0, T, Y, 1, d), 1);
  check_estimate(d[1], along[1], 1e-11);
  check_in((double)(b.lie.guards.evals - g), 5, 18);
  assert_int_equal(b.lie.f_evals - f, 1);
  f = b.lie.f_evals;
  assert_int_equal(brink__lie_along(&b.lie, 0, T, Y, 2, d), 2);
  check_in((double)(b.lie.f_evals - f), 5, 15);
  close_bench(&b);
}

/* The law above before T or after it only, as beyond a time. */
static int law_before(double t, const double *y, double *f, const brink_env *e)
{
  return t > T ? 1 : law(t, y, f, e);
}
static int law_after(double t, const double *y, double *f, const brink_env *e)
{
  return t < T ? 1 : law(t, y, f, e);
}

static void the_side_that_exists_is_taken(void **state)
{
  static brink_rhs_fn *const laws[] = {law_before, law_after};
  brink_event_def event = {.name = "e", .guard = 0, .dir = BRINK_DOWN, .jump = nothing};
  brink__estimate d[BRINK__LIE_ORDER + 1];

  (void)state;
  for (int i = 0; i < 2; i++) {
    bench b = {0};
    open_callbacks(&b, (brink_guard_def){.name = "g", .fn = guard}, event, laws[i], Y);
    long f = b.lie.f_evals;
    assert_int_equal(brink__lie_along(&b.lie, 0, T, Y, 2, d), 2);
    check_estimate(d[2], along[2], 1e-8);
    check_in((double)(b.lie.f_evals - f), 20, 60);
    close_bench(&b);
  }
}

static int fall(double t, const double *y, double *f, const brink_env *e)
{
  (void)t, (void)e;
  f[0] = y[1];
  f[1] = -9.81 - 0.125 * y[1];
  return y[0] < -1e-3; /* f does not exist below the floor */
}

/* A ball on the floor: g is the height, f exists above it only, and d = (0, 1). */
static void one_side_is_enough(void **state)
{
  static const double rest[] = {0, 0}, d[] = {0, 2};
  brink_event_def event = {.name = "e",
                           .guard = 0,
                           .dir = BRINK_DOWN,
                           .jump = nothing,
                           .side = BRINK_BEFORE};
  brink__estimate e[3], a;
  bench b = {0};

  (void)state;
  open_callbacks(&b, (brink_guard_def){.name = "height", .state = 0}, event, fall,
                 (const double[]){1, 0});
  assert_int_equal(brink__lie_along(&b.lie, 0, 0, rest, 2, e), 2);
  check_estimate(e[0], 0, 0);
  check_estimate(e[1], 0, 0);
  check_estimate(e[2], -9.81, 1e-9);
  assert_true(brink__lie_across(&b.lie, 0, 0, rest, 0, d, &a));
  check_estimate(a, 0, 0);
  assert_int_equal(brink__estimate_sign(a), 0);
  assert_true(brink__lie_across(&b.lie, 0, 0, rest, 1, d, &a));
  check_estimate(a, 2, 1e-9);
  assert_int_equal(brink__estimate_sign(a), 1);
  close_bench(&b);
}

static int falls(double t, const double *y, double *f, const brink_env *e)
{
  (void)t, (void)e;
  f[0] = y[1];
  f[1] = -9.81;
  return 0;
}

/* Near its zero a guard is smaller than the rounding of what it is a difference of,
 * and the bounds must know that. */
static double above_plate(double t, const double *y, int k, const brink_env *e)
{
  (void)k, (void)e;
  return y[0] - 0.2 * sin(3 * t + 1);
}

static void bounds_hold_near_a_zero(void **state)
{
  brink_event_def event = {.name = "e", .guard = 0, .dir = BRINK_DOWN, .jump = nothing};
  brink__estimate d[BRINK__LIE_ORDER + 1];
  bench b = {0};

  (void)state;
  open_callbacks(&b, (brink_guard_def){.name = "height", .fn = above_plate}, event,
                 falls, (const double[]){1, 0});
  for (int i = 0; i < 500; i++) {
    double t = 0.00417 * i, a = 0.2 * sin(3 * t + 1), w = 0.6 * cos(3 * t + 1);
    double y[] = {a, w + 1e-7 / (1 + i % 7)};
    assert_int_equal(brink__lie_along(&b.lie, 0, t, y, 2, d), 2);
    check_estimate(d[1], y[1] - w, 1e-11);
    check_estimate(d[2], -9.81 + 9 * a, 1e-6);
  }
  close_bench(&b);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_text_has_three_derivatives_to_rounding),
      cmocka_unit_test(callbacks_have_two_by_differences),
      cmocka_unit_test(few_values_are_enough),
      cmocka_unit_test(the_side_that_exists_is_taken),
      cmocka_unit_test(one_side_is_enough),
      cmocka_unit_test(bounds_hold_near_a_zero),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
