/* Purely algebraic models: with every method, from odd start times, with and without
 * h_max.  Nothing is integrated; loops are followed along time, and relations in time
 * and in unknowns make events whose times are known in closed form. */
#include "check.h"

#include "brink/brink.h"

#include <math.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

typedef struct rig {
  brink_ctx *ctx;
  brink_model *model;
  brink_sim *sim;
} rig;

/* Run the model from t0 to t_end, as far as it goes. */
static rig run(const char *text, const char *method, double h_max, double t0,
               double t_end, brink_status ends)
{
  rig r = {NULL, NULL, NULL};
  brink_sim_opts opt = brink_sim_defaults();

  check_status(brink_ctx_new(NULL, &r.ctx), BRINK_OK);
  opt.method = method;
  opt.h_max = h_max;
  opt.h0 = 1e-3; /* rk4 keeps to it */
  check_status(brink_model_read(r.ctx, "m.mo", text, strlen(text), NULL, &r.model),
               BRINK_OK);
  check_status(brink_sim_new(r.ctx, r.model, &opt, &r.sim), BRINK_OK);
  check_status(brink_sim_start(r.sim, t0, 0, NULL), BRINK_OK);
  check_status(brink_sim_run(r.sim, t_end), ends);
  return r;
}

static void end(rig *r)
{
  brink_sim_free(r->sim);
  brink_model_free(r->model);
  brink_ctx_free(r->ctx);
}

static double value(rig *r, const char *name)
{
  double x = nan("");

  check_status(brink_sim_get(r->sim, name, &x), BRINK_OK);
  return x;
}

static double time_of(const rig *r, size_t k)
{
  const brink_trace *trace = brink_sim_trace(r->sim);

  assert_true(k < brink_trace_events(trace));
  return brink_trace_event(trace, k).t;
}

typedef void case_fn(const char *method, double h_max);

static void with_every_method(case_fn *fn)
{
  for (int k = 0; brink_method_name(k); k++) {
    fn(brink_method_name(k), 0);
    fn(brink_method_name(k), 0.173);
  }
}

/* ----------------------------------------------------------------- events --- */

static void arcs(const char *method, double h_max)
{
  static const char text[] =
      "model M\n"
      "  Real y(start = 1), w;\n"
      "  discrete Integer n(start = 0, fixed = true), k(start = 0, fixed = true);\n"
      "equation\n"
      "  cos(y) = 0.9*sin(2*time);\n"
      "  w = if y > 1.5 then 1 else -1;\n"
      "  when y > 1.2 then n = pre(n) + 1; end when;\n"
      "  when time > 1.37 then k = pre(k) + 1; end when;\n"
      "end M;\n";
  double s = asin(cos(1.2) / 0.9), u = asin(cos(1.5) / 0.9);
  rig r = run(text, method, h_max, 0.21, 4.6, BRINK_END);

  /* y(t) = acos(0.9 sin 2t): above 1.2 from (pi - s)/2 to pi + s/2 ... */
  check_near(time_of(&r, 0), (PI - s) / 2, 1e-12);
  check_near(time_of(&r, 1), 1.37, 0);
  check_near(time_of(&r, 2), (PI - u) / 2, 1e-12);
  check_near(time_of(&r, 3), (2 * PI + u) / 2, 1e-12);
  check_near(time_of(&r, 4), (3 * PI - s) / 2, 1e-12);
  assert_int_equal(brink_trace_events(brink_sim_trace(r.sim)), 5);
  check_near(value(&r, "n"), 2, 0);
  check_near(value(&r, "k"), 1, 0);
  check_near(value(&r, "w"), -1, 0);
  check_near(value(&r, "y"), acos(0.9 * sin(9.2)), 1e-14);
  end(&r);
}

static void relations_in_time_and_in_unknowns_are_located(void **state)
{
  (void)state;
  with_every_method(arcs);
}

/* A pulse of 1e-4 of the run, seen by a loop only: y = 1/2 where its right-hand side is
 * 1/2 + 0.3/8. */
static void pulse(const char *method, double h_max)
{
  static const char text[] = "model M\n"
                             "  Real y(start = 0);\n"
                             "  discrete Integer n(start = 0, fixed = true);\n"
                             "equation\n"
                             "  y + 0.3*y^3 = exp(-((time - 7.3)/1e-3)^2);\n"
                             "  when y > 0.5 then n = pre(n) + 1; end when;\n"
                             "end M;\n";
  rig r = run(text, method, h_max, 0.37, 10.1, BRINK_END);

  check_near(value(&r, "n"), 1, 0);
  check_near(time_of(&r, 0), 7.3 - 1e-3 * sqrt(-log(0.5375)), 1e-12);
  end(&r);
}

static void a_pulse_that_only_a_loop_sees_is_not_missed(void **state)
{
  (void)state;
  with_every_method(pulse);
}

/* A loop that swings to and fro within a step, and so returns to where it began. */
static void swing(const char *method, double h_max)
{
  static const char text[] = "model M\n"
                             "  Real y(start = 1);\n"
                             "  discrete Integer n(start = 0, fixed = true);\n"
                             "equation\n"
                             "  y + 0.3*sin(y) = sin(200*time);\n"
                             "  when y > 0.5 then n = pre(n) + 1; end when;\n"
                             "end M;\n";
  double first = asin(0.5 + 0.3 * sin(0.5)) / 200, period = PI / 100;
  rig r = run(text, method, h_max, 7.25, 7.75, BRINK_END);

  size_t n = brink_trace_events(brink_sim_trace(r.sim));
  check_near(value(&r, "n"), (double)n, 0);
  assert_int_equal(n, 16);
  for (size_t k = 0; k < n; k++)
    check_near(time_of(&r, k), first + (231. + (double)k) * period, 1e-12);
  end(&r);
}

static void a_loop_that_returns_within_a_step_is_followed(void **state)
{
  (void)state;
  with_every_method(swing);
}

/* ------------------------------------------------------------------- ends --- */

static void fold(const char *method, double h_max)
{
  static const char text[] = "model M\n"
                             "  Real y(start = -0.1);\n"
                             "equation\n"
                             "  y - y^3 = 0.2*time;\n"
                             "end M;\n";
  rig r = run(text, method, h_max, -0.83, 4, BRINK_FOLD);

  check_near(brink_sim_time(r.sim), 10 / (3 * sqrt(3)), 1e-6);
  end(&r);
}

static void where_the_solution_turns_back_the_run_ends(void **state)
{
  (void)state;
  with_every_method(fold);
}

static void nothing(const char *method, double h_max)
{
  rig r = run("model M end M;\n", method, h_max, -3.1, 4.7, BRINK_END);

  check_near(brink_sim_time(r.sim), 4.7, 0);
  end(&r);
  r = run("model M\n  Real y = sin(time);\nend M;\n", method, h_max, -3.1, 4.7,
          BRINK_END);
  check_near(value(&r, "y"), sin(4.7), 0);
  end(&r);
}

static void models_without_equations_pass_time(void **state)
{
  (void)state;
  with_every_method(nothing);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(relations_in_time_and_in_unknowns_are_located),
      cmocka_unit_test(a_pulse_that_only_a_loop_sees_is_not_missed),
      cmocka_unit_test(a_loop_that_returns_within_a_step_is_followed),
      cmocka_unit_test(where_the_solution_turns_back_the_run_ends),
      cmocka_unit_test(models_without_equations_pass_time),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
