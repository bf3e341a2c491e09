/* The Taylor method: callbacks with series of their own, text models through functions
 * and loops, where series end, what is refused. */
#include "check.h"

#include <math.h>
#include <string.h>

#include "brink/brink.h"
#include "ode/method.h"

/* ------------------------------------------------------------ callbacks --- */

/* x' = -x^2 sin(t):   x = 1/(C - cos t) */
static int rhs(double t, const double *y, double *f, const brink_env *e)
{
  (void)e;
  f[0] = -y[0] * y[0] * sin(t);
  return 0;
}

static double exact(double t0, double x0, double t)
{
  return 1 / (1 / x0 + cos(t0) - cos(t));
}

/* aux: sin, cos, x^2 */
static int jet(int k, double t, double h, size_t stride, const double *y, double *f,
               double *aux, const brink_env *e)
{
  double *s = aux, *c = aux + stride, *q = aux + 2 * stride;

  (void)e;
  s[k] = k ? h * c[k - 1] / k : sin(t);
  c[k] = k ? -h * s[k - 1] / k : cos(t);
  q[k] = f[k] = 0;
  for (int j = 0; j <= k; j++)
    q[k] += y[j] * y[k - j];
  for (int j = 0; j <= k; j++)
    f[k] -= q[j] * s[k - j];
  return 0;
}

static const brink_mode_def with_jet = {
    .name = "m", .n = 1, .rhs = rhs, .smooth = 1, .jet = jet, .n_aux = 3};

typedef struct rig {
  brink_ctx *ctx;
  brink_model *model;
  brink_sim *sim;
} rig;

static void rig_free(rig *r)
{
  brink_sim_free(r->sim);
  brink_model_free(r->model);
  brink_ctx_free(r->ctx);
}

static brink_sim_opts options(double tol)
{
  brink_sim_opts opt = brink_sim_defaults();

  opt.method = "taylor";
  opt.rtol = tol;
  opt.atol = tol / 1000;
  return opt;
}

static rig callbacks(const brink_mode_def *mode, const brink_sim_opts *opt)
{
  rig r = {0};
  const brink_model_def def = {.name = "c", .modes = mode, .n_modes = 1};

  check_status(brink_ctx_new(NULL, &r.ctx), BRINK_OK);
  check_status(brink_model_new(r.ctx, &def, &r.model), BRINK_OK);
  brink_sim_new(r.ctx, r.model, opt, &r.sim);
  return r;
}

static void the_error_follows_the_tolerance(void **state)
{
  const double t0 = 0.37, y0 = 0.83, t1 = 7.9, want = exact(t0, y0, t1);

  (void)state;
  for (double tol = 1e-4; tol > 1e-15; tol /= 10) {
    brink_sim_opts opt = options(tol);
    rig r = callbacks(&with_jet, &opt);
    check_status(brink_sim_start(r.sim, t0, 0, &y0), BRINK_OK);
    check_status(brink_sim_run(r.sim, t1), BRINK_END);
    brink_work w = brink_sim_statistics(r.sim).work;
    check_rel(brink_sim_state(r.sim)[0], want, 20 * tol + 1e-14);
    print_message("%.0e: %ld series, %ld f\n", tol, w.jets, w.f_evals);
    assert_true(w.jets > 3 && w.jets < 80 && w.f_evals <= w.steps + 2);
    rig_free(&r);
  }
}

/* One step of size h with order p: its error falls like h^(p + 1). */
static double error_of_one_step(int p, double h)
{
  const double t0 = 0.37, y0 = 0.83;
  brink_sim_opts opt = options(0.1); /* whatever its error */
  opt.order = p;
  opt.h0 = h;
  rig r = callbacks(&with_jet, &opt);
  check_status(brink_sim_start(r.sim, t0, 0, &y0), BRINK_OK);
  check_status(brink_sim_run(r.sim, t0 + h), BRINK_END);
  double error = fabs(brink_sim_state(r.sim)[0] - exact(t0, y0, t0 + h));
  assert_int_equal(brink_sim_statistics(r.sim).work.steps, 1);
  rig_free(&r);
  return error;
}

static void a_step_has_the_order_that_is_asked_for(void **state)
{
  (void)state;
  for (int p = 3; p <= 9; p++) {
    double h = p < 6 ? 0.02 : 0.1;
    double order =
        log(error_of_one_step(p, h) / error_of_one_step(p, h / 1.5)) / log(1.5);
    check_near(order, p + 1, 0.35);
  }
}

static void a_right_hand_side_without_series_is_refused(void **state)
{
  brink_mode_def plain = with_jet;
  brink_sim_opts opt = options(1e-6);

  (void)state;
  plain.jet = NULL;
  rig r = callbacks(&plain, &opt);
  assert_null(r.sim);
  assert_non_null(strstr(brink_ctx_error(r.ctx)->text, "brink_mode_def.jet"));
  rig_free(&r);
}

/* ----------------------------------------------------------------- gate --- */

static int below_one(const brink_flow *flow, double t, const double *y)
{
  (void)flow;
  return t + y[0] <= 1;
}

/* Two states; coefficient 2 of the second is infinite where the first is 0.375. */
static int counted_jet(const brink_flow *flow, double t, double h, const double *y,
                       int order, void *work, double *c)
{
  (void)t, (void)h, (void)work;
  ++*(int *)flow->self;
  for (int k = 0; k < 2 * (order + 1); k++)
    c[k] = 0.7 * k;
  if (y[0] == 0.375)
    c[order + 3] = HUGE_VAL;
  return y[0] == 0.5;
}

static void the_gate_stands_in_front_of_series(void **state)
{
  int calls = 0;
  double y[2] = {0.9, 0}, c[8], kept[2];
  brink_flow flow = {
      .n = 2, .jet = counted_jet, .guarded = 1, .inside = below_one, .self = &calls};
  brink__gate gate = {.flow = &flow, .y = kept};

  (void)state;
  check_status(brink__series(&gate, 0.1, 1, y, 3, NULL, c), BRINK_OK);
  assert_int_equal(calls, 1);
  assert_int_equal(gate.refusals, 0);
  check_status(brink__series(&gate, 0.2, 1, y, 3, NULL, c), BRINK_EDOMAIN);
  assert_int_equal(calls, 1);
  assert_true(gate.blocked && gate.refusals == 1 && gate.t == 0.2 && kept[0] == 0.9);

  /* not asked to refuse, only to count */
  gate.open = 1;
  check_status(brink__series(&gate, 0.2, 1, y, 3, NULL, c), BRINK_OK);
  assert_int_equal(calls, 2);
  assert_int_equal(gate.outside_evals, 1);
  assert_int_equal(gate.jets, 2);
  gate.open = 0;

  y[0] = 0.5; /* the flow refuses */
  check_status(brink__series(&gate, 0.2, 1, y, 3, NULL, c), BRINK_EDOMAIN);
  assert_true(!gate.blocked && gate.why == BRINK_EDOMAIN && gate.refusals == 2);
  y[0] = 0.375;
  check_status(brink__series(&gate, 0.2, 1, y, 3, NULL, c), BRINK_EDOMAIN);
  assert_true(gate.why == BRINK_ENAN && gate.bad == 1 && gate.value == HUGE_VAL);
}

/* ---------------------------------------------------------------- texts --- */

static rig text(const char *source, const brink_sim_opts *opt)
{
  rig r = {0};

  check_status(brink_ctx_new(NULL, &r.ctx), BRINK_OK);
  if (brink_model_read(r.ctx, "test.mo", source, strlen(source), NULL, &r.model) < 0)
    print_error("%s\n", brink_ctx_error(r.ctx)->text);
  assert_non_null(r.model);
  brink_sim_new(r.ctx, r.model, opt, &r.sim);
  return r;
}

static void run_to(const char *source, const char *method, double tol, double t1,
                   const char *name, double *out)
{
  brink_sim_opts opt = options(tol);
  opt.method = method;
  rig r = text(source, &opt);
  if (!r.sim)
    print_error("%s\n", brink_ctx_error(r.ctx)->text);
  assert_non_null(r.sim);
  check_status(brink_sim_start(r.sim, 0, 0, NULL), BRINK_OK);
  brink_status rc = brink_sim_run(r.sim, t1);
  if (rc != BRINK_END)
    print_error("%s: %s\n", method, brink_sim_error(r.sim)->text);
  check_status(rc, BRINK_END);
  check_status(brink_sim_get(r.sim, name, out), BRINK_OK);
  rig_free(&r);
}

static void agrees(const char *source, double t1, const char *name)
{
  double a, b;

  run_to(source, "taylor", 1e-12, t1, name, &a);
  run_to(source, "dop853", 1e-13, t1, name, &b);
  check_rel(a, b, 3e-11);
}

static void series_pass_through_loops_and_functions(void **state)
{
  (void)state;
  /* a nonlinear loop behind a linear one, and a function with a branch */
  agrees("model m\n"
         "  function f input Real u; output Real v; protected Real s; algorithm\n"
         "    s := 0; for i in 1:3 loop s := s + sin(i*u); end for;\n"
         "    v := exp(-s)*u; end f;\n"
         "  Real x(start = 0.4, fixed = true), z(start = 0.5), w(start = 1), p, q;\n"
         "  Real y(start = 0.2, fixed = true);\n"
         "equation\n"
         "  2*p + 0.1*sin(x)*q = y + time; p - 3*q = f(x);\n"
         "  z + 0.2*tanh(z + x) = cos(w) + p; w + 0.1*w^3 = 1 + 0.2*q*z;\n"
         "  der(x) = -z + 0.3*sin(time); der(y) = w*q - y*abs(x + 3);\n"
         "end m;",
         5.3, "y");
  /* a derivative that is itself the unknown of a loop */
  agrees("model m\n"
         "  Real a(start = 0.3, fixed = true), b(start = 0.7, fixed = true);\n"
         "equation\n"
         "  (2 + cos(a))*der(a) + sin(a - b)*der(b) = cos(time);\n"
         "  sin(b)*der(a) + (3 + a)*der(b) = a*b;\n"
         "end m;",
         2.9, "b");
}

/* The last coefficients of the series vanish by accident. */
static void vanishing_coefficients_are_not_believed(void **state)
{
  double x;

  (void)state;
  run_to("model m Real x(start = 0, fixed = true);\n"
         "equation der(x) = 50*time^49; end m;",
         "taylor", 1e-9, 1.3, "x", &x);
  check_rel(x, pow(1.3, 50), 1e-7);
  run_to("model m Real x(start = 0.9, fixed = true);\n"
         "equation der(x) = if x > 0 then -2*sqrt(x) else 0; end m;",
         "taylor", 1e-6, 3, "x", &x);
  assert_true(fabs(x) < 1e-6);
}

/* Torricelli's level is a parabola that touches zero, and its series goes on beyond. */
static void a_law_that_ends_where_the_series_touches_zero_has_its_event(void **state)
{
  (void)state;
  for (double tol = 1e-3; tol > 1e-12; tol /= 10) {
    brink_sim_opts opt = options(tol);
    rig r = text("model m Real h(start = 0.81, fixed = true, min = 0)\n"
                 "  annotation(__brink(domain = true));\n"
                 "  Boolean empty(start = false, fixed = true);\n"
                 "equation der(h) = if empty then 0 else -0.6*sqrt(h);\n"
                 "  when h <= 0 then empty = true; end when; end m;",
                 &opt);
    check_status(brink_sim_start(r.sim, 0, 0, NULL), BRINK_OK);
    check_status(brink_sim_run(r.sim, 7.3), BRINK_END);
    assert_int_equal(brink_sim_statistics(r.sim).events, 1);
    assert_true(fabs(brink_sim_state(r.sim)[0]) < tol);
    rig_free(&r);
  }
}

/* A component that has decayed below the tolerance still bounds the step. */
static void components_too_small_to_matter_cost_no_rejected_steps(void **state)
{
  brink_sim_opts opt = options(1e-6);

  (void)state;
  rig r = text("model m Real x(start = 10, fixed = true), v(start = 0, fixed = true);\n"
               "  Real w(start = 1e-3, fixed = true);\n"
               "equation der(x) = v; der(v) = -9.81 - 0.002*v*abs(v);\n"
               "  der(w) = -2000*w; end m;",
               &opt);
  check_status(brink_sim_start(r.sim, 0, 0, NULL), BRINK_OK);
  check_status(brink_sim_run(r.sim, 1.2), BRINK_END);
  brink_work w = brink_sim_statistics(r.sim).work;
  print_message("%ld steps, %ld rejected\n", w.steps, w.rejected);
  assert_true(4 * w.rejected < w.steps);
  rig_free(&r);
}

static void a_series_that_ends_at_once_is_left_to_another_method(void **state)
{
  double x;

  (void)state;
  /* x = t + t^1.5: no series at the start */
  run_to("model m Real x(start = 0, fixed = true);\n"
         "equation der(x) = 1 + 1.5*sqrt(time); end m;",
         "taylor", 1e-9, 2, "x", &x);
  check_rel(x, 2 + pow(2, 1.5), 1e-7);
}

static void delays_are_refused_with_a_sentence(void **state)
{
  brink_sim_opts opt = options(1e-6);

  (void)state;
  rig r = text("model m Real x(start = 1, fixed = true);\n"
               "equation der(x) = -delay(x, 0.3); end m;",
               &opt);
  assert_null(r.sim);
  assert_non_null(strstr(brink_ctx_error(r.ctx)->text, "delay()"));
  rig_free(&r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_error_follows_the_tolerance),
      cmocka_unit_test(a_step_has_the_order_that_is_asked_for),
      cmocka_unit_test(a_right_hand_side_without_series_is_refused),
      cmocka_unit_test(the_gate_stands_in_front_of_series),
      cmocka_unit_test(series_pass_through_loops_and_functions),
      cmocka_unit_test(vanishing_coefficients_are_not_believed),
      cmocka_unit_test(a_law_that_ends_where_the_series_touches_zero_has_its_event),
      cmocka_unit_test(components_too_small_to_matter_cost_no_rejected_steps),
      cmocka_unit_test(a_series_that_ends_at_once_is_left_to_another_method),
      cmocka_unit_test(delays_are_refused_with_a_sentence),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
