/* test_root_laws.c -- switched laws with a root of their guard, sqrt|x| sgn(x), which
 * end at it in finite time: they rest there, slide, and leave where they should.
 * References are closed formulas, and for the way from the switch an integration of the
 * root itself. */
#include "hybrid.h"
#include "core/core.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const methods[] = {"dopri5", "dop853", "adams", "bs23"};
enum { METHODS = 4 };

static rig of_text(const char *text, const char *method)
{
  brink_sim_opts opt = brink_sim_defaults();

  opt.method = method;
  return rig_text(text, &opt, 0);
}

/* x = (1 - t/2)^2 until 2; a push takes it away again, against the root: x' = b -
 * sqrt(x). */
static void a_root_ends_in_finite_time_and_is_left_by_a_push(void **state)
{
  static const char *const text =
      "model R\n  Real x(start = 1, fixed = true);\nequation\n"
      "  der(x) = -sqrt(abs(x))*sign(x) + (if time > 4 then 0.5 else 0);\nend R;\n";

  (void)state;
  for (int m = 0; m < METHODS; m++) {
    rig r = of_text(text, methods[m]);
    rig_run_to(&r, 3.9);
    check_near(rig_event(&r, 0).t, 2, 1e-4);
    check_near(rig_value(&r, "x"), 0, 0);
    assert_in_range(rig_events(&r), 1, 6);
    rig_run_to(&r, 5);
    /* s = sqrt(x): 2 s' = 0.5/s - 1, so t = -2 s - ln(1 - 2 s) */
    double s = sqrt(rig_value(&r, "x"));
    check_near(-2 * s - log(1 - 2 * s), 1, 1e-4);
    rig_free(&r);
  }
}

/* At the end of a terminal surface sliding may begin and end until the run does, and
 * nobody sees anything move: as here, where only atol tells whether this is a motion.
 */
static void slides_that_nobody_sees_end_the_run(void **state)
{
  static const char *const text =
      "model F\n  Real x(start = 1.73e-8, fixed = true);\nequation\n"
      "  der(x) = 1e-6*(-1.1*sign(x) + 1.9*sin(500*time));\nend F;\n";
  brink_sim_opts opt = brink_sim_defaults();

  (void)state;
  opt.method = "dopri5";
  opt.rtol = 1e-6;
  opt.max_events = 15000;
  rig r = rig_text(text, &opt, 0);
  check_status(brink_sim_run(r.sim, 1e4), BRINK_EITERATION);
  check_text(brink_sim_error(r.sim)->text, "the solution chatters at 'sign(x)");
  assert_in_range(brink_sim_statistics(r.sim).sliding_entries, 2000, 2001);
  rig_free(&r);

  r = rig_text(text, &opt, 0); /* not many are to come */
  check_status(brink_sim_run(r.sim, 20), BRINK_END);
  rig_free(&r);

  opt.atol = 1e-13;
  r = rig_text(text, &opt, 0);
  assert_int_not_equal(brink_sim_run(r.sim, 1e4), BRINK_EITERATION);
  assert_true(brink_sim_statistics(r.sim).sliding_entries > 2500);
  assert_false(rig_warns(&r, "no state has moved by more than"));
  rig_free(&r);
}

static void a_terminal_controller_rests(void **state)
{
  static const char *const text =
      "model T\n  Real x(start = 1, fixed = true), v(start = 0, fixed = true);\n"
      "equation\n  der(x) = v;\n"
      "  der(v) = -1.2*abs(x)^(1/3)*sign(x) - 1.5*abs(v)^(1/2)*sign(v);\nend T;\n";

  (void)state;
  for (int m = 0; m < METHODS; m++) {
    rig r = of_text(text, methods[m]);
    rig_run_to(&r, 20);
    check_near(rig_value(&r, "x"), 0, 0);
    check_near(rig_value(&r, "v"), 0, 0);
    rig_free(&r);
  }
}

/* ------------------------------------------------------------ super-twisting ---- */

/* x' = -1.5 sqrt|x| sgn(x) + w, w' = -1.1 sgn(x) + 0.2 (t - 1.5), and in other states.
 */
static const char *const twisting =
    "model S\n  Real x(start = 1, fixed = true), w(start = 0, fixed = true), u;\n"
    "equation\n  u = -1.1*sign(x);\n  der(x) = -1.5*sqrt(abs(x))*sign(x) + w;\n"
    "  der(w) = u + 0.2*(time - 1.5);\nend S;\n";
static void super_twisting_rests(const char *method)
{
  rig r = of_text(twisting, method);
  double t = 0;

  rig_run_to(&r, 4);
  assert_int_equal(rig_count(&r, BRINK_KIND_SLIDE_IN, &t), 1);
  check_near(t, 1.92233, 1e-3);
  check_near(rig_value(&r, "x"), 0, 1e-15);
  check_near(rig_value(&r, "w"), 0, 1e-8);
  check_near(rig_value(&r, "u"), -0.2 * (4 - 1.5), 1e-8);
  rig_free(&r);
}

static void a_super_twisting_controller_rests(void **state)
{
  (void)state;
  for (int m = 0; m < METHODS; m++)
    super_twisting_rests(methods[m]);
}

/* From 7 on the push is stronger than the relay: w = (t - 7)^2/10, and x follows it.
 * That the law ends at x = 0, onto which an event puts the state where it lies beyond,
 * makes no contact of the relay. */
static void left_where_the_push_is_as_strong(const char *method)
{
  rig r = of_text(twisting, method);
  double t = 0;

  rig_run_to(&r, 7.3);
  assert_int_equal(rig_count(&r, BRINK_KIND_REST, &t), 0);
  assert_int_equal(rig_count(&r, BRINK_KIND_SLIDE_OUT, &t), 1);
  check_near(t, 7, 1e-9);
  check_near(rig_value(&r, "w"), 0.009, 1e-7);
  /* s = sqrt(x): 2 s s' = tau^2/10 - 1.5 s, by Runge and Kutta */
  double s = 0.1 * 1e-4 / 1.5, h = 0.29 / 20000, tau = 0.01;
  for (int i = 0; i < 20000; i++, tau += h) {
    double k[4], a[4] = {0, 0.5, 0.5, 1};
    for (int j = 0; j < 4; j++) {
      double z = s + (j ? a[j] * h * k[j - 1] : 0), v = tau + a[j] * h;
      k[j] = (0.1 * v * v - 1.5 * z) / (2 * z);
    }
    s += h / 6 * (k[0] + 2 * k[1] + 2 * k[2] + k[3]);
  }
  check_near(rig_value(&r, "x"), s * s, 1e-8);
  rig_free(&r);
}

static void it_is_left_where_the_push_is_as_strong(void **state)
{
  (void)state;
  left_where_the_push_is_as_strong("dopri5");
  left_where_the_push_is_as_strong("bs23");
  left_where_the_push_is_as_strong("dop853");
}

/* A disturbance that changes at known times, to one that the relay just holds, and to a
 * stronger one: w = (t - 10)^2/10, and w = -0.3 (t - 10), from there on. */
static void check_known_times(const char *method, const char *push, double w)
{
  char text[400];

  snprintf(
      text, sizeof text,
      "model P\n  Real x(start = 1, fixed = true), w(start = 0, fixed = true), d;\n"
      "equation\n  d = %s;\n  der(x) = -1.5*sqrt(abs(x))*sign(x) + w;\n"
      "  der(w) = -1.1*sign(x) + d;\nend P;\n",
      push);
  rig r = of_text(text, method);
  rig_run_to(&r, 9.5);
  check_near(rig_value(&r, "x"), 0, 1e-15);
  rig_run_to(&r, 10.5);
  check_near(rig_value(&r, "w"), w, 1e-7);
  rig_free(&r);
}

static void events_at_known_times_may_end_it(void **state)
{
  static const char *const named[] = {"auto", "bs23", "radau"};

  (void)state;
  for (int m = 0; m < 3; m++) {
    check_known_times(named[m], "if time < 10 then 0.3 else 1.1 + 0.2*(time - 10)",
                      0.025);
    check_known_times(named[m],
                      "if time < 6 then 0.3 elseif time < 8 then -0.9 elseif time < 10 "
                      "then 0.8 else -1.4",
                      -0.15);
  }
}

/* x' = w - 1.5 sqrt|x| sgn(x), w' = 0.2 t from x = x0 and w = w0, to 1. */
static void check_root(const char *method, double x0, double w0, double want)
{
  char text[300];

  snprintf(text, sizeof text,
           "model H\n  Real x(start = %g, fixed = true), w(start = %g, fixed = true);\n"
           "equation\n  der(x) = -1.5*sqrt(abs(x))*sign(x) + w;\n"
           "  der(w) = 0.2*time;\nend H;\n",
           x0, w0);
  rig r = of_text(text, method);
  rig_run_to(&r, 1);
  check_near(rig_value(&r, "x"), want, 1e-8);
  rig_free(&r);
}

/* ------------------------------------------------------- a surface with a root ---- */

/* v' = u + 0.3, u = -2 sgn(v + 1.1 sqrt|x| sgn(x)): v = -1.7 t and x = 0.5 - 0.85 t^2
 * until the surface, then sqrt(x)' = -0.55 to the origin, at which the surface ends a
 * step that goes past it. */
static void a_terminal_sliding_mode_rests_at_its_end(void **state)
{
  static const char *const text =
      "model N\n  Real x(start = 0.5, fixed = true), v(start = 0, fixed = true), s, "
      "u;\n"
      "equation\n  s = v + 1.1*sqrt(abs(x))*sign(x);\n  u = -2*sign(s);\n"
      "  der(x) = v;\n  der(v) = u + 0.3;\nend N;\n";
  double meets = sqrt(0.605 / (1.7 * 1.7 + 1.21 * 0.85)),
         left = sqrt(0.5 - 0.85 * meets * meets);

  (void)state;
  for (int m = 0; m < 2; m++) {
    rig r = of_text(text, methods[m]);
    rig_run_to(&r, meets + 0.5);
    check_near(rig_value(&r, "x"), pow(left - 0.55 * 0.5, 2), 1e-5);
    check_near(rig_value(&r, "v"), -1.1 * (left - 0.55 * 0.5), 1e-5);
    rig_run_to(&r, 3);
    check_near(rig_value(&r, "x"), 0, 1e-12);
    check_near(rig_value(&r, "v"), 0, 1e-6);
    rig_free(&r);
  }
}

/* The root has no finite slope at 0: with the Jacobian of x = 1e-43 increments of
 * Newton's iteration vanish whatever they leave.  References: dopri5 at 1e-10. */
static void huge_slopes_of_a_root_do_not_pass_for_convergence(void **state)
{
  (void)state;
  check_root("radau", 1e-43, 1e-4, 0.0033874764);
  check_root("radau", 1e-60, 1e-2, 0.00409619341);
  check_root("auto", 8.9e-19, 1.4e-9, 0.00338066577);
  rig r = of_text(twisting, "auto");
  rig_run_to(&r, 8);
  check_near(rig_value(&r, "x"), 0.00338066577, 1e-8);
  rig_free(&r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(slides_that_nobody_sees_end_the_run),
      cmocka_unit_test(a_root_ends_in_finite_time_and_is_left_by_a_push),
      cmocka_unit_test(a_terminal_controller_rests),
      cmocka_unit_test(a_super_twisting_controller_rests),
      cmocka_unit_test(events_at_known_times_may_end_it),
      cmocka_unit_test(it_is_left_where_the_push_is_as_strong),
      cmocka_unit_test(a_terminal_sliding_mode_rests_at_its_end),
      cmocka_unit_test(huge_slopes_of_a_root_do_not_pass_for_convergence),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
