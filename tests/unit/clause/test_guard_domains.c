/* Unilateral guards that cannot be told before f: named by the anatomy, and never
 * passed all the same.  Loops at the edge of what they can solve. */
#include "check.h"

#include "brink/brink.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct desk {
  brink_ctx *ctx;
  brink_model *model;
  brink_sim *sim;
} desk;

static desk open_text(const char *text)
{
  desk d = {0};

  check_status(brink_ctx_new(NULL, &d.ctx), BRINK_OK);
  if (brink_model_read(d.ctx, "m.mo", text, strlen(text), NULL, &d.model) < 0)
    print_error("%s\n", brink_ctx_error(d.ctx)->text);
  assert_non_null(d.model);
  brink_sim_opts opt = brink_sim_defaults();
  opt.rtol = 1e-9;
  check_status(brink_sim_new(d.ctx, d.model, &opt, &d.sim), BRINK_OK);
  check_status(brink_sim_start(d.sim, 0, 0, NULL), BRINK_OK);
  return d;
}

static void close_desk(desk *d)
{
  brink_sim_free(d->sim);
  brink_model_free(d->model);
  brink_ctx_free(d->ctx);
}

static void says(const char *text, const char *part)
{
  desk d = open_text(text);
  brink_anatomy a = brink_model_anatomy(d.model);

  assert_int_equal(a.n_notes, part ? 1 : 0);
  if (part)
    check_text(a.notes[0], part);
  close_desk(&d);
}

#define BEFORE " annotation(__brink(side = \"before\"));\n"

static const char by_root[] =
    "model M\n  Real x(start = 1, fixed = true);\n"
    "  Real y = sqrt(x);\nequation\n  der(x) = -1 - y;\n"
    "  when y <= 0 then terminate(\"end\"); end when" BEFORE "end M;\n";

static const char by_loop[] =
    "model M\n  Real x(start = 1, fixed = true);\n"
    "  Real z(start = 0.5, min = 0) annotation(__brink(domain = true));\n"
    "equation\n  der(x) = -1;\n  z + sqrt(z) = x;\nend M;\n";

static void a_guard_that_needs_what_f_needs_is_named(void **state)
{
  (void)state;
  says(by_root, "'y <= 0 (line 6)' cannot be told before f: it needs sqrt(x) (line 3)");
  says(by_loop, "'z at its min (line 3)' cannot be told before f: it needs z, which");
  says("model M\n  Real x(start = 1, fixed = true);\nequation\n  der(x) = -1 - x;\n"
       "  when der(x) >= -1.3 then terminate(\"end\"); end when" BEFORE "end M;\n",
       "it needs a derivative (line 4)");
  says("model M\n  Real x(start = 1, fixed = true);\nequation\n  der(x) = -1;\n"
       "  when log(x) <= -2 then terminate(\"end\"); end when" BEFORE "end M;\n",
       "log(x) may have no value beyond");
}

static void a_guard_on_states_and_parameters_is_not(void **state)
{
  (void)state;
  says("model M\n  parameter Real p = 2;\n  Real x(start = 1, fixed = true);\n"
       "  Real y = x/sqrt(p);\nequation\n  der(x) = -sqrt(x);\n"
       "  when y^2 <= 1/p then terminate(\"end\"); end when" BEFORE "end M;\n",
       NULL);
  says("model M\n  Real x(start = 1, fixed = true);\nequation\n  der(x) = -sqrt(x);\n"
       "  when sqrt(x) <= 0 then terminate(\"end\"); end when;\nend M;\n",
       NULL); /* not unilateral */
}

static double ends_at(const char *text)
{
  desk d = open_text(text);

  check_status(brink_sim_run(d.sim, 5), BRINK_TERMINATED);
  double t = brink_sim_time(d.sim);
  assert_true(brink_sim_state(d.sim)[0] >= 0);
  assert_int_equal(brink_sim_statistics(d.sim).work.outside_evals, 0);
  close_desk(&d);
  return t;
}

static void no_value_is_beyond(void **state)
{
  (void)state;
  /* with u = sqrt(x): t = int 2u/(1 + u) du from 0 to 1 */
  check_near(ends_at(by_root), 2 - 2 * log(2), 1e-7);
  check_near(ends_at(by_loop), 1, 1e-12);
}

/* z + sqrt(z) = 1 - t: where Newton's corrections are small because the slope is
 * infinite there is no solution; the edge of the domain of sqrt is no fold */
static void an_infinite_slope_is_no_solution(void **state)
{
  const char text[] = "model M\n  Real x(start = 1, fixed = true), z(start = 0.5);\n"
                      "equation\n  der(x) = -1 - 0.1*z;\n  z + sqrt(z) = x;\nend M;\n";
  desk d = open_text(text);

  (void)state;
  check_status(brink_sim_run(d.sim, 5), BRINK_EDOMAIN);
  check_text(brink_sim_error(d.sim)->text, "in z + sqrt(z) = x (line 5)");
  check_in(brink_sim_state(d.sim)[0], 0, 1e-8);
  close_desk(&d);
}

static void a_start_beyond_is_said(void **state)
{
  const char text[] =
      "model M\n  Real x(start = 1, fixed = true);\nequation\n"
      "  der(x) = -x;\n"
      "  when x >= 0.5 then terminate(\"end\"); end when" BEFORE "end M;\n";
  desk d = open_text(text);

  (void)state;
  check_status(brink_sim_run(d.sim, 5), BRINK_EDOMAIN);
  check_text(brink_sim_error(d.sim)->text, "beyond 'x >= 0.5 (line 5)'");
  close_desk(&d);
}

/* the other branches of a when on a bound are ordinary events */
static void only_the_bound_of_a_when_is_unilateral(void **state)
{
  const char text[] =
      "model M\n  Real x(start = 1, fixed = true, min = 0)"
      " annotation(__brink(domain = true));\n"
      "  Boolean dry(start = false, fixed = true);\n"
      "  Real q = if time < 3 then 0 else 0.5;\nequation\n"
      "  der(x) = q - (if dry then 0 else 0.25 + sqrt(x));\n"
      "  when x <= 0 then dry = true; elsewhen q > 0 then dry = false; end when;\n"
      "end M;\n";
  desk d = open_text(text);

  (void)state;
  check_status(brink_sim_run(d.sim, 5), BRINK_END);
  /* with u = sqrt(x), a = 1/4: 2 (u - a log(a + u)) from 0 to 1 */
  check_near(brink_trace_event(brink_sim_trace(d.sim), 0).t, 2 - 0.5 * log(5), 1e-7);
  assert_true(brink_sim_state(d.sim)[0] > 0);
  close_desk(&d);
}

/* x rests on its bound from a start or a jump on, and is filled from 2 on */
static void a_state_that_rests_on_its_bound_has_not_come_to_it(void **state)
{
  static const char *const from[] = {"1", "0"};

  (void)state;
  for (int i = 0; i < 2; i++) {
    char text[500];
    snprintf(text, sizeof text,
             "model M\n  Real x(start = %s, fixed = true, min = 0)"
             " annotation(__brink(domain = true));\n"
             "  Boolean dry(start = %s, fixed = true);\nequation\n"
             "  der(x) = (if time > 2 then 1 else 0) - (if dry then 0 else 1);\n"
             "  when x <= 0 then dry = true; reinit(x, 0); end when;\nend M;\n",
             from[i], i ? "true" : "false");
    desk d = open_text(text);
    check_status(brink_sim_run(d.sim, 3), BRINK_END);
    check_near(brink_sim_state(d.sim)[0], 1, 1e-9);
    close_desk(&d);
  }
}

/* Laws that begin at their own zeros, where their slopes have no bound, and a start on
 * those zeros: stages of every method look to their other sides, however short the step
 * is.  At 0 t tells times apart that are as short as numbers can be, at 1.3 it does
 * not; roots of differences of pressures begin behind their rounding. */
static void laws_that_begin_at_their_zeros_are_entered_by_all_methods(void **state)
{
  static const char *const methods[] = {"bs23", "dopri5", "dop853", "radau", "auto"};
  static const char levels[] =
      "model M\n  Real a(start = 0, fixed = true), b(start = 0, fixed = true);\n"
      "  Real qa = if a > b then sqrt(a - b) else -sqrt(b - a);\n"
      "  Real qb = if b > 0 then sqrt(b) else -sqrt(-b);\nequation\n"
      "  der(a) = 1 - qa;\n  der(b) = 1000*(qa - qb);\nend M;\n";
  static const char pressures[] =
      "model M\n  Real p(start = 1e5, fixed = true), r(start = 1e5, fixed = true);\n"
      "  Real q = 1e-8*sign(p - r)*sqrt(abs(p - r));\nequation\n"
      "  der(p) = 1e10*(1e-6 - q);\n  der(r) = 1e12*(q - 1e-12*(r - 1e5));\n"
      "end M;\n";

  (void)state;
  for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
    for (int i = 0; i < 4; i++) {
      const char *text = i < 2 ? levels : pressures;
      double t0 = i % 2 ? 1.3 : 0;
      desk d = {0};
      brink_sim_opts opt = brink_sim_defaults();
      opt.method = methods[m];
      opt.max_steps = 20000;
      check_status(brink_ctx_new(NULL, &d.ctx), BRINK_OK);
      check_status(brink_model_read(d.ctx, "m.mo", text, strlen(text), NULL, &d.model),
                   BRINK_OK);
      check_status(brink_sim_new(d.ctx, d.model, &opt, &d.sim), BRINK_OK);
      check_status(brink_sim_start(d.sim, t0, 0, NULL), BRINK_OK);
      check_status(brink_sim_run(d.sim, t0 + 1), BRINK_END);
      const double *y = brink_sim_state(d.sim);
      check_near(y[0], i < 2 ? 0.607570399 : 109852.197, i < 2 ? 2e-6 : 0.3);
      check_near(y[1], i < 2 ? 0.303661534 : 109848.337, i < 2 ? 2e-6 : 0.3);
      close_desk(&d);
    }
}

/* Three volumes at one pressure, two of them a thousandth of the other: their levels
 * differ by roundings of 1e5 for the first 1e-14, while what the first law does is
 * noticed after 1e-20.  No method goes to and fro there without an end: it comes
 * through, or names the relation that time cannot move on from. */
static void equal_pressures_of_tiny_volumes_end_in_bounded_time(void **state)
{
  static const char *const methods[] = {"cvode", "auto", "radau"};
  static const char text[] =
      "model M\n  Real p1(start = 1e5, fixed = true, nominal = 1e6);\n"
      "  Real p2(start = 1e5, fixed = true, nominal = 1e6);\n"
      "  Real p3(start = 1e5, fixed = true, nominal = 1e6), q1, q2, q3;\nequation\n"
      "  q1 = 2e-10*sign(2e7 - p1)*sqrt(abs(2e7 - p1));\n"
      "  q2 = 3e-8*sign(p1 - p2)*sqrt(abs(p1 - p2));\n"
      "  q3 = 1e-8*sign(p2 - p3)*sqrt(abs(p2 - p3));\n"
      "  1e-7/1.4e9*der(p1) = q1 - q2;\n  1e-4/1.4e9*der(p2) = q2 - q3;\n"
      "  1e-7/1.4e9*der(p3) = q3 - 2e-8*sign(p3 - 1e5)*sqrt(abs(p3 - 1e5));\nend M;\n";

  (void)state;
  for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
    desk d = {0};
    brink_sim_opts opt = brink_sim_defaults();
    opt.method = methods[m];
    opt.max_steps = 10000;
    check_status(brink_ctx_new(NULL, &d.ctx), BRINK_OK);
    check_status(brink_model_read(d.ctx, "m.mo", text, strlen(text), NULL, &d.model),
                 BRINK_OK);
    check_status(brink_sim_new(d.ctx, d.model, &opt, &d.sim), BRINK_OK);
    check_status(brink_sim_start(d.sim, 0, 0, NULL), BRINK_OK);
    brink_status rc = brink_sim_run(d.sim, 0.25);
    if (rc == BRINK_ZENO)
      assert_non_null(strstr(brink_sim_error(d.sim)->text, "sign(p"));
    else {
      check_status(rc, BRINK_END);
      check_near(brink_sim_state(d.sim)[1], 109944.586, 0.1);
    }
    assert_true(m > 1 || rc == BRINK_END);
    close_desk(&d);
  }
}

/* Three tanks fill from empty.  CVODE's first steps from t = 0 are shorter than any
 * that the driver would take, and grow. */
static void steps_that_grow_from_nothing_are_no_end(void **state)
{
  static const char text[] =
      "model M\n  Real h[3](each start = 0, each fixed = true), q12, q23;\n"
      "  Boolean p(start = true, fixed = true);\nequation\n"
      "  when sample(0, 3.1) then p = not pre(p); end when;\n"
      "  q12 = 0.4*sign(h[1] - h[2])*sqrt(abs(h[1] - h[2]));\n"
      "  q23 = 0.4*sign(h[2] - h[3])*sqrt(abs(h[2] - h[3]));\n"
      "  der(h[1]) = (if p then 0.3 else 0) - q12;\n  1e-2*der(h[2]) = q12 - q23;\n"
      "  der(h[3]) = q23 - 0.2*sqrt(max(h[3], 0));\nend M;\n";
  double y[2][3];

  (void)state;
  for (int i = 0; i < 2; i++) {
    desk d = {0};
    brink_sim_opts opt = brink_sim_defaults();
    opt.method = i ? "cvode" : "auto";
    opt.rtol = 1e-6;
    opt.max_steps = 20000;
    check_status(brink_ctx_new(NULL, &d.ctx), BRINK_OK);
    check_status(brink_model_read(d.ctx, "m.mo", text, strlen(text), NULL, &d.model),
                 BRINK_OK);
    check_status(brink_sim_new(d.ctx, d.model, &opt, &d.sim), BRINK_OK);
    check_status(brink_sim_start(d.sim, 0, 0, NULL), BRINK_OK);
    check_status(brink_sim_run(d.sim, 20), BRINK_END);
    memcpy(y[i], brink_sim_state(d.sim), sizeof y[i]);
    close_desk(&d);
  }
  for (int k = 0; k < 3; k++)
    check_near(y[1][k], y[0][k], 1e-4);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_guard_that_needs_what_f_needs_is_named),
      cmocka_unit_test(a_guard_on_states_and_parameters_is_not),
      cmocka_unit_test(no_value_is_beyond),
      cmocka_unit_test(an_infinite_slope_is_no_solution),
      cmocka_unit_test(a_start_beyond_is_said),
      cmocka_unit_test(only_the_bound_of_a_when_is_unilateral),
      cmocka_unit_test(a_state_that_rests_on_its_bound_has_not_come_to_it),
      cmocka_unit_test(laws_that_begin_at_their_zeros_are_entered_by_all_methods),
      cmocka_unit_test(equal_pressures_of_tiny_volumes_end_in_bounded_time),
      cmocka_unit_test(steps_that_grow_from_nothing_are_no_end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
