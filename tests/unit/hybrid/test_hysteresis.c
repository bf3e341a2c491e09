/* test_hysteresis.c -- switches with a hysteresis: one that is narrower than the
 * tolerances, or than the user asks for, is slid along; the events of a wider one are
 * all carried out.  References are closed formulas. */
#include "hybrid.h"
#include "core/core.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static rig of_text(const char *text, brink_sim_opts opt)
{

  return rig_text(text, &opt, 0);
}

/* The number of events of a kind, and the time of the first of them. */
static int count(rig *r, brink_kind kind, double *t)
{
  int n = 0;

  *t = nan("");
  for (size_t k = 0; k < rig_events(r); k++)
    if (rig_event(r, k).kind == kind && n++ == 0)
      *t = rig_event(r, k).t;
  return n;
}

/* ------------------------------------------------------------- one relay ---- */

/* x' = 1.3 u + 1.9 sin(0.8 t + 0.3) from 0.7, with u = -1 above w and 1 below -w, in
 * six ways to write it. */
#define FORCE "1.9*sin(0.8*time + 0.3)"
static const char *const relays[] = {
    "model A\n  Real x(start = 0.7, fixed = true);\n"
    "  discrete Real u(start = -1, fixed = true);\nequation\n"
    "  der(x) = 1.3*u + " FORCE ";\n  when x > %g then u = -1;\n"
    "  elsewhen x < -%g then u = 1;\n  end when;\nend A;\n",
    "model B\n  Real x(start = 0.7, fixed = true);\n"
    "  Boolean on(start = false, fixed = true);\n  Real u;\nequation\n"
    "  on = if pre(on) then x < %g else x < -%g;\n  u = if on then 1 else -1;\n"
    "  der(x) = 1.3*u + " FORCE ";\nend B;\n",
    "model C\n  Real x(start = 0.7, fixed = true);\n"
    "  Boolean off(start = true, fixed = true);\n  Real u;\nequation\n"
    "  off = not pre(off) and x > %g or pre(off) and x >= -%g;\n"
    "  u = if off then -1 else 1;\n  der(x) = 1.3*u + " FORCE ";\nend C;\n",
    "model D\n  Real x(start = 0.7, fixed = true), u;\n"
    "  model Up\n  end Up;\n  model Down\n  end Down;\n  Up up;\n  Down down;\n"
    "equation\n  initialState(up);\n  transition(down, up, x > %g);\n"
    "  transition(up, down, x < -%g);\n  u = if activeState(up) then -1 else 1;\n"
    "  der(x) = 1.3*u + " FORCE ";\nend D;\n",
    "model E\n  Real x(start = 0.7, fixed = true), u;\n"
    "  Integer mode(start = 1, fixed = true);\nequation\n"
    "  when {x > %g, x < -%g} then\n    mode = if x > 0 then 1 else 2;\n  end when;\n"
    "  u = if mode == 1 then -1 else 1;\n  der(x) = 1.3*u + " FORCE ";\nend E;\n",
    "model F\n  Real x(start = 0.7, fixed = true);\n"
    "  Boolean off(start = true, fixed = true);\n  Real u;\nequation\n"
    "  off = x > %g or pre(off) and x > -%g;\n"
    "  u = if off then -1 else 1;\n  der(x) = 1.3*u + " FORCE ";\nend F;\n"};
enum { RELAYS = 6 };

static rig relay(int i, double w, brink_sim_opts opt)
{
  char text[1000];

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  snprintf(text, sizeof text, relays[i], w, w);
#pragma GCC diagnostic pop
  return of_text(text, opt);
}

/* The zero of x = 0.7 - 1.3 t + 1.9/0.8 (cos 0.3 - cos(0.8 t + 0.3)) near 4. */
static double enters(void)
{
  double t = 4;

  for (int i = 0; i < 20; i++)
    t -= (0.7 - 1.3 * t + 1.9 / 0.8 * (cos(0.3) - cos(0.8 * t + 0.3))) /
         (-1.3 + 1.9 * sin(0.8 * t + 0.3));
  return t;
}

static void a_band_below_the_tolerance_is_slid_along(void **state)
{
  double leaves = (asin(1.3 / 1.9) + acos(-1.) - 0.3) / 0.8; /* 1.9 sin = -1.3 */

  (void)state;
  for (int i = 0; i < RELAYS; i++)
    for (int m = 0; m < 3; m++) {
      brink_sim_opts opt = brink_sim_defaults();
      double t;
      opt.method = (const char *[]){"dopri5", "dop853", "adams"}[m];
      opt.rtol = 1e-9; /* atol 1e-12 */
      rig r = relay(i, 5e-13, opt);
      brink_status rc = brink_sim_run(r.sim, 4.3);
      if (rc != BRINK_END)
        fail_msg("relay %d, %s: %s", i, opt.method, brink_sim_error(r.sim)->text);
      check_near(rig_value(&r, "x"), 0, 1e-12);
      check_near(rig_value(&r, "u"), -1.9 / 1.3 * sin(0.8 * 4.3 + 0.3), 1e-9);
      check_status(brink_sim_run(r.sim, 5), BRINK_END);
      assert_int_equal(count(&r, BRINK_KIND_SLIDE_IN, &t), 1);
      check_near(t, enters(), 1e-8);
      assert_int_equal(count(&r, BRINK_KIND_SLIDE_OUT, &t), 1);
      check_near(t, leaves, 1e-9);
      double from = 0.8 * leaves + 0.3;
      check_near(rig_value(&r, "x"),
                 1.3 * (5 - leaves) + 1.9 / 0.8 * (cos(from) - cos(0.8 * 5 + 0.3)),
                 1e-8);
      assert_in_range(rig_events(&r), 5, 12);
      assert_true(rig_warns(&r, "1e-12 wide, is below the tolerances"));
      rig_free(&r);
    }
}

/* Where both relations vanish at once, one of them alone may change nothing. */
static void a_band_of_zero_is_no_hysteresis(void **state)
{
  double t;

  (void)state;
  for (int i = 0; i < RELAYS; i++) {
    rig r = relay(i, 0, brink_sim_defaults());
    brink_status rc = brink_sim_run(r.sim, 4.3);
    if (rc != BRINK_END)
      fail_msg("relay %d: %s", i, brink_sim_error(r.sim)->text);
    check_near(rig_value(&r, "x"), 0, 1e-12);
    check_near(rig_value(&r, "u"), -1.9 / 1.3 * sin(0.8 * 4.3 + 0.3), 1e-9);
    assert_true(count(&r, BRINK_KIND_SLIDE_IN, &t) > 0);
    check_near(t, enters(), 1e-8);
    assert_false(rig_warns(&r, "hysteresis"));
    rig_free(&r);
  }
}

/* ---------------------------------------------------------------- wider bands ---- */

/* x' = 0.3 -+ 1.3: a period takes 2 w/1.6 + 2 w/1.0. */
#define STEADY                                                                         \
  "model S\n  Real x(start = 0.1, fixed = true), z(start = 0, fixed = true);\n"        \
  "  discrete Real u(start = -1, fixed = true);\nequation\n"                           \
  "  der(x) = 1.3*u + 0.3;\n  der(z) = %g*(u + 1);\n  when x > %g then u = -1;\n"      \
  "  elsewhen x < -%g then u = 1;\n  end when;\nend S;\n"

static rig steady(double gain, double w, brink_sim_opts opt)
{
  char text[1000];

  snprintf(text, sizeof text, STEADY, gain, w, w);
  return of_text(text, opt);
}

static void the_events_of_a_wider_band_are_all_there(void **state)
{
  brink_sim_opts opt = brink_sim_defaults();
  double w = 2.5e-3, period = 2 * w / 1.6 + 2 * w, first = 0.1 + w, t;

  (void)state;
  opt.rtol = 1e-5;
  rig r = steady(0, w, opt);
  check_status(brink_sim_run(r.sim, 1), BRINK_END);
  assert_int_equal(count(&r, BRINK_KIND_SLIDE_IN, &t), 0);
  int pairs = (int)floor((1 - first) / period);
  int last = 1 - first - pairs * period > 2 * w / 1.6;
  assert_int_equal(rig_events(&r), 1 + 2 * pairs + last);
  assert_false(rig_warns(&r, "hysteresis")); /* there are few */
  rig_free(&r);
}

static void many_events_are_remarked_with_what_to_set(void **state)
{
  brink_sim_opts opt = brink_sim_defaults();
  double t;

  (void)state;
  opt.max_events = 1200;
  rig r = steady(0, 1e-6, opt);
  check_status(brink_sim_run(r.sim, 1), BRINK_LIMIT);
  assert_int_equal(count(&r, BRINK_KIND_SLIDE_IN, &t), 0);
  assert_true(rig_warns(&r, "with a hysteresis of 2e-06 in the guard"));
  assert_true(rig_warns(&r, "set sliding_width to 1.01e-06 or more"));
  rig_free(&r);

  opt.sliding_width = 1e-6;
  r = steady(0, 1e-6, opt);
  check_status(brink_sim_run(r.sim, 1), BRINK_END);
  assert_int_equal(count(&r, BRINK_KIND_SLIDE_IN, &t), 1);
  check_near(t, 0.1, 1e-5);
  check_near(rig_value(&r, "u"), -0.3 / 1.3, 1e-9);
  rig_free(&r);
}

/* A ramp takes the run out of a wide band that was asked for: samples on the way change
 * nothing, and the last event is at the end of the band, with the rates of both laws at
 * the slide-in. */
static void a_band_is_held_through_samples_and_left_at_its_end(void **state)
{
  static const char *const text =
      "model R\n  parameter Real w = 1e-3;\n  Real x(start = 0.1, fixed = true);\n"
      "  Boolean on(start = false, fixed = true);\n"
      "  discrete Real n(start = 0, fixed = true);\nequation\n"
      "  on = if pre(on) then x < w else x < -w;\n"
      "  der(x) = (if on then 1.3 else -1.3) - 0.5*time;\n"
      "  when sample(0.1, 0.1) then n = pre(n) + 1; end when;\nend R;\n";
  brink_sim_opts opt = brink_sim_defaults();
  double t;

  (void)state;
  opt.sliding_width = 2e-3;
  rig r = of_text(text, opt);
  check_status(brink_sim_run(r.sim, 2), BRINK_END);
  check_near(rig_value(&r, "n"), 20, 0);
  check_near(rig_value(&r, "x"), 0, 1e-12); /* the middle */
  check_status(brink_sim_run(r.sim, 3), BRINK_END);
  assert_int_equal(count(&r, BRINK_KIND_SLIDE_IN, &t), 1);
  for (size_t k = 0; k < rig_events(&r); k++) {
    brink_event e = rig_event(&r, k);
    if (e.kind != BRINK_KIND_SLIDE_IN)
      continue;
    check_near(e.rate_before + 0.5 * e.t, 1.3, 1e-9);
    check_near(e.rate_after + 0.5 * e.t, -1.3, 1e-9);
  }
  assert_int_equal(count(&r, BRINK_KIND_SLIDE_OUT, &t), 1);
  check_near(t, 2.6, 1e-9);
  brink_event last = {0};
  for (size_t k = 0; k < rig_events(&r); k++)
    if (rig_event(&r, k).kind == BRINK_KIND_CROSSING && rig_event(&r, k).classes)
      last = rig_event(&r, k);
  check_near(last.y_before[0], -1e-3, 1e-12);
  check_near(rig_value(&r, "x"), -0.25 * 0.4 * 0.4, 1.1e-3);
  rig_free(&r);
}

/* Layers are as wide as asked for, and a hysteresis in them is none. */
static void a_band_inside_of_the_layer_is_blended(void **state)
{
  brink_sim_opts opt = brink_sim_defaults();
  double t;

  (void)state;
  opt.sliding = "regularize";
  opt.sliding_width = 1e-4;
  rig r = steady(0, 1e-6, opt);
  check_status(brink_sim_run(r.sim, 1), BRINK_END);
  assert_int_equal(count(&r, BRINK_KIND_SLIDE_IN, &t), 1);
  check_near(rig_value(&r, "u"), -0.3 / 1.3, 1e-5);
  assert_in_range(rig_events(&r), 3, 20);
  rig_free(&r);
}

/* The band is invisible in x, but what the relay does to z is not. */
static void a_ripple_above_the_tolerance_of_another_state_is_no_sliding(void **state)
{
  brink_sim_opts opt = brink_sim_defaults();
  double t;

  (void)state;
  opt.max_events = 100;
  rig r = steady(1e4, 1e-9, opt);
  check_status(brink_sim_run(r.sim, 1), BRINK_LIMIT);
  assert_int_equal(count(&r, BRINK_KIND_SLIDE_IN, &t), 0);
  rig_free(&r);
  r = steady(0.5, 1e-9, opt);
  check_status(brink_sim_run(r.sim, 1), BRINK_END);
  check_near(rig_value(&r, "z"), 0.5 * 0.9 * (1 - 0.3 / 1.3), 1e-8);
  rig_free(&r);
}

static void each_switch_is_carried_out_where_asked_for(void **state)
{
  brink_sim_opts opt = brink_sim_defaults();
  double t;

  (void)state;
  opt.max_events = 100;
  opt.sliding = "chatter";
  rig r = steady(0, 1e-9, opt);
  check_status(brink_sim_run(r.sim, 1), BRINK_LIMIT);
  assert_int_equal(count(&r, BRINK_KIND_SLIDE_IN, &t), 0);
  assert_int_equal(rig_events(&r), 100);
  rig_free(&r);
}

/* ------------------------------------------------------------------ two relays ---- */

/* Two with a hysteresis, and one with and one without: both are slid along, with x'
 * = y' = 0; z grows by the mean of the first, which makes up for the second. */
static const char *const pairs[] = {
    "model P\n  Real x(start = 0.7, fixed = true), y(start = 0.9, fixed = true);\n"
    "  Real z(start = 0, fixed = true), u, v;\n"
    "  Boolean a(start = false, fixed = true), b(start = false, fixed = true);\n"
    "equation\n  a = if pre(a) then x < 1e-9 else x < -1e-9;\n"
    "  b = if pre(b) then y < 1e-9 else y < -1e-9;\n  u = if a then 1 else -1;\n"
    "  v = if b then 1 else -1;\n  der(x) = 1.3*u + 0.2*v + 0.4;\n"
    "  der(y) = v + 0.3;\n  der(z) = u;\nend P;\n",
    "model Q\n  Real x(start = 0.7, fixed = true), y(start = 0.9, fixed = true);\n"
    "  Real z(start = 0, fixed = true), u, v;\n"
    "  Boolean a(start = false, fixed = true);\n"
    "equation\n  a = if pre(a) then x < 1e-9 else x < -1e-9;\n"
    "  u = if a then 1 else -1;\n  v = -sign(y);\n  der(x) = 1.3*u + 0.2*v + 0.4;\n"
    "  der(y) = v + 0.3;\n  der(z) = u;\nend Q;\n"};

static void two_relays_are_held_together(void **state)
{
  /* v = -0.3 and 1.3 u = -0.4 + 0.2 0.3 where both are held; before that v = -1 */
  double t_x = 0.7 / (1.3 + 0.2 - 0.4), t_y = 0.9 / 0.7, u_x = (0.2 - 0.4) / 1.3,
         u_both = (0.06 - 0.4) / 1.3;

  (void)state;
  for (int i = 0; i < 2; i++) {
    rig r = of_text(pairs[i], brink_sim_defaults());
    double t;
    check_status(brink_sim_run(r.sim, 3), BRINK_END);
    assert_int_equal(count(&r, BRINK_KIND_SLIDE_IN, &t), 2);
    assert_int_equal(count(&r, BRINK_KIND_SLIDE_OUT, &t), 0);
    check_near(rig_value(&r, "x"), 0, 2e-9);
    check_near(rig_value(&r, "y"), 0, 2e-9);
    check_near(rig_value(&r, "v"), -0.3, 1e-9);
    check_near(rig_value(&r, "u"), u_both, 1e-9);
    check_near(rig_value(&r, "z"), -t_x + u_x * (t_y - t_x) + u_both * (3 - t_y), 2e-8);
    rig_free(&r);
  }
}

/* A band of zero whose relations are written with the half width: the body of the when
 * reads x > 0, which vanishes where both of them do.  Relays push to x = 0, and hold
 * there while the sine is the weaker. */
static void a_body_reads_what_its_condition_says(void **state)
{
  static const char *const bodies[] = {"x > 0", "2*x > h", "not 0 >= x"};
  double out = (2 * acos(-1) + asin(1.3 / 1.9) - 0.3) / 0.8; /* of the second hold */
  double x = 1.9 / 0.8 * (cos(0.8 * out + 0.3) - cos(8.3)) - 1.3 * (10 - out);

  (void)state;
  for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
    char text[500];
    snprintf(text, sizeof text,
             "model R\n  parameter Real h = 0;\n  Real x(start = 0.7, fixed = true);\n"
             "  Boolean y(start = true, fixed = true);\nequation\n"
             "  der(x) = (if y then -1.3 else 1.3) + 1.9*sin(0.8*time + 0.3);\n"
             "  when {x > h, x < -h} then y = %s; end when;\nend R;\n",
             bodies[i]);
    brink_sim_opts opt = brink_sim_defaults();
    opt.rtol = 1e-10;
    rig r = of_text(text, opt);
    check_status(brink_sim_run(r.sim, 10), BRINK_END);
    check_near(rig_value(&r, "x"), x, 1e-8);
    rig_free(&r);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_band_below_the_tolerance_is_slid_along),
      cmocka_unit_test(a_band_of_zero_is_no_hysteresis),
      cmocka_unit_test(the_events_of_a_wider_band_are_all_there),
      cmocka_unit_test(many_events_are_remarked_with_what_to_set),
      cmocka_unit_test(a_band_is_held_through_samples_and_left_at_its_end),
      cmocka_unit_test(a_band_inside_of_the_layer_is_blended),
      cmocka_unit_test(a_ripple_above_the_tolerance_of_another_state_is_no_sliding),
      cmocka_unit_test(each_switch_is_carried_out_where_asked_for),
      cmocka_unit_test(two_relays_are_held_together),
      cmocka_unit_test(a_body_reads_what_its_condition_says),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
