/* test_second_order.c -- switches that act on the second derivative of their guard: a
 * relay that pushes a mass by the sign of its place comes to the switch after
 * infinitely many crossings, stays there, and leaves where the relays are no longer
 * strong enough. References are closed formulas. */
#include "hybrid.h"
#include "core/core.h"
#include "plain_methods.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static rig of_text(const char *text, double rtol, const char *method)
{
  brink_sim_opts opt = brink_sim_defaults();

  opt.rtol = rtol;
  opt.method = method;
  return rig_text(text, &opt, 0);
}

/* ------------------------------------------------------------- twisting ---- */

/* x'' = -a sgn(x) - b sgn(x') from (x0, 0), against a push k (t - T) from T on; in the
 * words of relays, of relations, and of relations of other states. */
#define RELAYS "der(x) = v; der(v) = -a*sign(x) - b*sign(v) + d;\n"
#define RELATIONS                                                                      \
  "der(x) = v; der(v) = (if x > 0 then -a else a) + (if v < 0 then b else -b) + d;\n"
#define TURNED                                                                         \
  "x = 2*p + 3*q; v = p - q; 2*der(p) + 3*der(q) = p - q;\n"                           \
  "der(p) - der(q) = (if 2*p + 3*q > 0 then -a else a) + (if p > q then -b else b) + " \
  "d;\n"
#define TWISTING                                                                       \
  "model twisting\n  parameter Real a = 2.3, b = 1.1, k = %g, T = 4.37;\n"             \
  "  Real x%s, v%s%s;\n  Real d = %s;\nequation\n"                                     \
  "  %send twisting;\n"

static const double A = 2.3, B = 1.1, T = 4.37, X0 = 0.83;

static rig twisting(double k, const char *law, double rtol, const char *method)
{
  int turned = strcmp(law, TURNED) == 0;
  char text[1000];

  /* p = (x + 3 v)/5, q = (x - 2 v)/5 */
  snprintf(text, sizeof text, TWISTING, k, turned ? "" : "(start = 0.83, fixed = true)",
           turned ? "" : "(start = 0, fixed = true)",
           turned ? ", p(start = 0.166, fixed = true), q(start = 0.166, fixed = true)"
                  : "",
           k == 0 ? "0" : "if time > T then k*(time - T) else 0", law);
  return of_text(text, rtol, method);
}

/* After the first fall with a - b each swing is q times as fast as the one before. */
static double twisting_limit(void)
{
  double q = sqrt((A - B) / (A + B)), v = sqrt(2 * X0 * (A - B));

  return sqrt(2 * X0 / (A - B)) + v * (1 / (A + B) + 1 / sqrt(A * A - B * B)) / (1 - q);
}

static void relays_of_place_and_speed_come_to_rest(void **state)
{
  const char *law[] = {RELAYS, RELATIONS, TURNED};
  (void)state;

  for (size_t i = 0; i < BRINK__COUNT(law); i++) {
    rig r = twisting(0, law[i], 1e-10, "dopri5");
    double t = 0;
    rig_run_to(&r, 1e3);
    assert_true(rig_count(&r, BRINK_KIND_ZENO, &t) > 0);
    check_near(t, twisting_limit(), 1e-9);
    assert_true(rig_count(&r, BRINK_KIND_SLIDE_IN, &t) > 0);
    check_near(t, twisting_limit(), 1e-9);
    assert_int_equal(rig_count(&r, BRINK_KIND_SLIDE_OUT, &t), 0);
    check_near(rig_value(&r, "x"), 0, 1e-15);
    check_near(rig_value(&r, "v"), 0, 1e-15);
    assert_true(brink_sim_statistics(r.sim).work.steps < 1000);
    rig_free(&r);
  }
}

/* Filippov's solution stays as long as |d| <= a + b, then x'' = d -+ (a + b). */
static void it_leaves_where_both_relays_together_are_too_weak(void **state)
{
  const char *law[] = {RELAYS, RELATIONS, TURNED};
  const double push[] = {0.83, -0.83};
  (void)state;

  for (size_t i = 0; i < BRINK__COUNT(law); i++)
    for (size_t j = 0; j < BRINK__COUNT(push); j++) {
      rig r = twisting(push[j], law[i], 1e-10, "dopri5");
      double t = 0, leaves = T + (A + B) / fabs(push[j]);
      rig_run_to(&r, leaves + 1.5);
      assert_true(rig_count(&r, BRINK_KIND_SLIDE_OUT, &t) > 0);
      check_near(t, leaves, 1e-9);
      check_near(rig_value(&r, "v"), push[j] * 1.5 * 1.5 / 2, 1e-8);
      check_near(rig_value(&r, "x"), push[j] * 1.5 * 1.5 * 1.5 / 6, 1e-8);
      for (size_t k = 0; k < rig_events(&r); k++) /* it rests in between, undisturbed */
        assert_false(rig_event(&r, k).t > T + 1e-6 &&
                     rig_event(&r, k).t < leaves - 1e-6);
      rig_free(&r);
    }
}

/* Where the events accumulate, x and v are exactly 0, and so is one of the signs:
 * whichever it is, and whatever pushes meanwhile, it is not a law of its own. */
static void pushes_on_the_way_do_not_keep_it_from_resting(void **state)
{
  const char *push[] = {"0.6*sin(time)", "0.6*sin(4.3)", "0.05*time",
                        "0.6*sin(0.3*time)"};
  char text[400];
  (void)state;

  for (size_t i = 0; i < BRINK__COUNT(push); i++) {
    brink_sim_opts opt = brink_sim_defaults();
    double want[] = {0.6 * sin(9.), 0.6 * sin(4.3), 0.45, 0.6 * sin(2.7)};
    snprintf(text, sizeof text,
             "model m\n  Real x(start = 1.1, fixed = true);\n"
             "  Real v(start = -0.3, fixed = true), u;\nequation\n  der(x) = v;\n"
             "  der(v) = u + %s;\n  u = -2.5*sign(x) - 1.2*sign(v);\nend m;\n",
             push[i]);
    rig r = rig_text(text, &opt, 0.7);
    rig_run_to(&r, 9);
    check_near(rig_value(&r, "x"), 0, 1e-15);
    check_near(rig_value(&r, "v"), 0, 1e-15);
    check_near(rig_value(&r, "u"), -want[i], 1e-9);
    assert_int_equal(rig_count(&r, BRINK_KIND_ZENO, NULL), 4); /* of two signs each */
    assert_int_equal(rig_count(&r, BRINK_KIND_SLIDE_IN, NULL), 2);
    rig_free(&r);
  }
}

static void every_method_stays(void **state)
{
  const char *method[] = {"bs23", "rkf45", "dop853", "adams", "radau"};
  (void)state;

  for (size_t i = 0; i < BRINK__COUNT(method); i++) {
    rig r = twisting(0, RELAYS, 1e-8, method[i]);
    rig_run_to(&r, 50);
    check_near(rig_value(&r, "x"), 0, 1e-15);
    check_near(rig_value(&r, "v"), 0, 1e-15);
    rig_free(&r);
  }
}

static void a_run_may_begin_there(void **state)
{
  rig r =
      of_text("model m\n  Real x(start = 0, fixed = true), v(start = 0, fixed = "
              "true);\nequation\n  der(x) = v;\n  der(v) = (if x > 0 then -1.7 else "
              "1.2) + 0.3*time;\nend m;\n",
              1e-10, "dopri5");
  double t = 0;
  (void)state;

  rig_run_to(&r, 5.1);
  check_near(rig_value(&r, "x"), 0, 1e-15);
  rig_run_to(&r, 1.7 / 0.3 + 1);
  assert_int_equal(rig_count(&r, BRINK_KIND_SLIDE_OUT, &t), 1);
  check_near(t, 1.7 / 0.3, 1e-12);
  check_near(rig_value(&r, "x"), 0.3 / 6, 1e-9);
  rig_free(&r);
}

/* -------------------------------------------------------- rocking block ---- */

/* Each time the block passes the upright position its speed is r times what it was;
 * upright it stays until the ground shakes harder than c. */
static void a_rocking_block_comes_to_rest_and_is_tipped(void **state)
{
  const double c = 1.9, q = 0.77, x0 = 0.21, k = 0.31;
  char text[600];
  (void)state;

  snprintf(text, sizeof text,
           "model rocking\n  parameter Real c = %g, r = %g, k = %g;\n  Real th(start = "
           "%g, fixed = true), w(start = 0, fixed = true);\n  Real shake = if time > "
           "4.1 then k*(time - 4.1) else 0;\nequation\n  der(th) = w;\n  der(w) = "
           "-c*sign(th) - shake;\n  when {th > 0, th < 0} then\n    reinit(w, "
           "r*pre(w));\n  end when;\nend rocking;\n",
           c, q, k, x0);
  rig r = of_text(text, 1e-10, "dopri5");
  double v = sqrt(2 * x0 * c), t = 0,
         limit = sqrt(2 * x0 / c) + 2 * v * q / (c * (1 - q)), leaves = 4.1 + c / k;
  rig_run_to(&r, 9.9);
  assert_true(rig_count(&r, BRINK_KIND_ZENO, &t) > 0);
  check_near(t, limit, 1e-10);
  assert_true(rig_value(&r, "th") == 0 && rig_value(&r, "w") == 0);
  rig_run_to(&r, leaves + 1.2);
  assert_true(rig_count(&r, BRINK_KIND_SLIDE_OUT, &t) > 0);
  check_near(t, leaves, 1e-9);
  check_near(rig_value(&r, "th"), -k * 1.2 * 1.2 * 1.2 / 6, 1e-9);
  rig_free(&r);
}

/* ------------------------------------------------------ switching curves ---- */

/* x'' = -2 sgn(x + v|v|/2) brakes harder than the curve asks for: the solution slides
 * along it with x'' = 1, to x = v = 0, where both laws touch the curve, and stays there
 * against a force that the relay holds. */
static void sliding_along_a_switching_curve_ends_at_rest(void **state)
{
  const char *method[] = {"bs23", "dopri5", "dop853", "adams", "radau", "taylor"};
  const double x0 = 1.7, slides = sqrt(2 * x0 / 6), rest = 3 * slides;
  char text[400];
  (void)state;

  for (size_t i = 0; i < 2 * BRINK__COUNT(method); i++) {
    double force = i % 2 ? 0.3 : 0;
    snprintf(text, sizeof text,
             "model curve\n  Real x(start = %g, fixed = true), v(start = 0, fixed = "
             "true);\nequation\n  der(x) = v;\n  der(v) = %g*sin(1.7*time) - "
             "2*sign(x + v*abs(v)/2);\nend curve;\n",
             x0, force);
    rig r = of_text(text, 1e-8, method[i / 2]);
    rig_run_to(&r, rest - 0.01); /* forces along the curve change nothing */
    if (force == 0) {
      check_near(rig_value(&r, "x"), 0.01 * 0.01 / 2, 1e-8);
      check_near(rig_value(&r, "v"), -0.01, 1e-6);
    }
    rig_run_to(&r, 40);
    assert_true(rig_value(&r, "x") == 0 && rig_value(&r, "v") == 0);
    assert_int_equal(rig_count(&r, BRINK_KIND_SLIDE_IN, NULL), 1);
    assert_int_equal(rig_count(&r, BRINK_KIND_SLIDE_OUT, NULL), 0);
    assert_null(brink_sim_warning(r.sim, 0)); /* the solution is the only one */
    rig_free(&r);
  }
}

/* -------------------------------------------------------------- two folds ---- */

/* Both laws touch the surface at the origin and lead back to it, but what keeps the
 * second derivative zero lets the first ones differ: no law stays there. */
static void two_folds_that_move_apart_are_not_held(void **state)
{
  rig r = of_text(
      "model folds\n  Real x(start = 0, fixed = true), y(start = 0, fixed = true), "
      "z(start = 0, fixed = true);\n  Boolean up = z > 0;\nequation\n"
      "  der(x) = if up then -1 else 0.3;\n  der(y) = if up then 0.4 else -1;\n"
      "  der(z) = if up then x else -y;\nend folds;\n",
      1e-8, "dopri5");
  (void)state;

  brink_sim_run(r.sim, 1e-3);
  for (size_t k = 0; k < rig_events(&r); k++)
    if (rig_event(&r, k).kind == BRINK_KIND_SLIDE_IN && rig_event(&r, k).t == 0)
      fail_msg("slides from the start on");
  rig_free(&r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(relays_of_place_and_speed_come_to_rest),
      cmocka_unit_test(it_leaves_where_both_relays_together_are_too_weak),
      cmocka_unit_test(pushes_on_the_way_do_not_keep_it_from_resting),
      cmocka_unit_test(every_method_stays),
      cmocka_unit_test(a_run_may_begin_there),
      cmocka_unit_test(a_rocking_block_comes_to_rest_and_is_tipped),
      cmocka_unit_test(sliding_along_a_switching_curve_ends_at_rest),
      cmocka_unit_test(two_folds_that_move_apart_are_not_held),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
