/* test_contact_conditions.c -- the ball that comes to rest, written as people write it:
 * the condition of the impact is a Boolean, an edge, a change, several relations, one
 * of a vector; the speed is another name of der(h).  Whatever the words, the ball is at
 * rest where the closed form says, and bodies that touch pass impacts on.
 */
#include "hybrid.h"
#include "core/core.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static rig of_text(const char *text)
{
  brink_sim_opts opt = brink_sim_defaults();

  opt.rtol = 1e-9;
  return rig_text(text, &opt, 0);
}

static void run_to(rig *r, double t, const char *text)
{
  brink_status rc = brink_sim_run(r->sim, t);

  if (rc != BRINK_END)
    fail_msg("status %d: %s\n%s", (int)rc, brink_sim_error(r->sim)->text, text);
}

#define IMPACT "    reinit(v, -0.7*pre(v));\n"
#define FALLS  "  der(h) = v;\n  der(v) = -9.81;\n"

/* Declarations, and equations after those of the ball. */
static const char *const balls[][2] = {
    {"  Boolean impact;\n",
     FALLS "  impact = h <= 0;\n  when edge(impact) then\n" IMPACT "  end when;\n"},
    {"  Boolean impact = h <= 0;\n",
     FALLS "  when impact then\n" IMPACT "  end when;\n"},
    {"  Boolean impact = h < 0;\n",
     FALLS "  when edge(impact) then\n    reinit(v, -0.7*v);\n    reinit(h, 0);\n"
           "  end when;\n"},
    {"  Boolean impact = h <= 0;\n",
     FALLS "  when change(impact) then\n    reinit(v, if impact then -0.7*pre(v) else "
           "pre(v));\n  end when;\n"},
    {"  Boolean impact = h <= 0;\n",
     FALLS "  when change(impact) then\n    if edge(impact) then\n  " IMPACT
           "    end if;\n  end when;\n"},
    {"  Boolean inAir = h > 0;\n",
     FALLS "  when not inAir then\n" IMPACT "  end when;\n"},
    {"  Boolean impact(start = false, fixed = true);\n",
     FALLS "  impact = h <= 0;\n  when impact and not pre(impact) then\n" IMPACT
           "  end when;\n"},
    {"", FALLS "  when h <= 0 and v < 0 then\n" IMPACT "  end when;\n"},
    {"  Boolean impact = h <= 0 and v < 0;\n",
     FALLS "  when edge(impact) then\n" IMPACT "  end when;\n"},
    {"  Boolean below = h <= 0, falls = v < 0, impact = below and falls;\n",
     FALLS "  when edge(impact) then\n" IMPACT "  end when;\n"},
    {"  Boolean impact = h <= 0;\n  Integer n(start = 0, fixed = true);\n",
     FALLS "  when {impact, h <= 0 and v < 0} then\n" IMPACT
           "    n = pre(n) + 1;\n  end when;\n"},
    {"  Boolean low = h <= 0, high = h >= 2;\n",
     FALLS "  when edge(low) then\n" IMPACT "  elsewhen edge(high) then\n" IMPACT
           "  end when;\n"},
    {"  Boolean impact;\n",
     FALLS "algorithm\n  impact := h <= 0;\n  when edge(impact) then\n" IMPACT
           "  end when;\n"},
    {"  Boolean flying(start = true, fixed = true), impact;\n"
     "  Real v_new(start = 0, fixed = true);\n",
     "  impact = h <= 0;\n  der(h) = v;\n  der(v) = if flying then -9.81 else 0;\n"
     "  when {h <= 0 and v <= 0, impact} then\n"
     "    v_new = if edge(impact) then -0.7*pre(v) else 0;\n"
     "    flying = v_new > 0;\n    reinit(v, v_new);\n  end when;\n"},
    {"  Boolean impact = h <= 0;\n  Real u(start = 1, fixed = true);\n",
     FALLS "  der(u) = if impact then -u else 0;\n  when impact then\n" IMPACT
           "  end when;\n"},
    {"", "  v = der(h);\n  der(der(h)) = -9.81;\n  when h <= 0 then\n" IMPACT
         "  end when;\n"},
};

static void the_ball_rests_however_its_impact_is_written(void **state)
{
  double rest = sqrt(2 / 9.81) * (1 + 0.7) / (1 - 0.7), t = 0;

  (void)state;
  for (size_t k = 0; k < BRINK__COUNT(balls); k++) {
    char text[1000];
    snprintf(
        text, sizeof text,
        "model ball\n  Real h(start = 1, fixed = true), v(start = 0, fixed = true);"
        "\n%sequation\n%send ball;\n",
        balls[k][0], balls[k][1]);
    rig r = of_text(text);
    run_to(&r, 5, text);
    if (rig_count(&r, BRINK_KIND_ZENO, &t) < 1)
      fail_msg("no row of the accumulation point\n%s", text);
    check_near(t, rest, 1e-10 * rest);
    check_near(rig_value(&r, "h"), 0, 0);
    check_near(rig_value(&r, "v"), 0, 0);
    rig_free(&r);
  }
}

/* What the ground does to u begins where the ball comes to rest: the law of rest is
 * that with the Boolean as the contact has it. */
static void a_law_that_reads_the_contact_is_that_of_rest(void **state)
{
  static const char text[] =
      "model ball\n  Real h(start = 1, fixed = true), v(start = 0, fixed = true);\n"
      "  Real u(start = 2, fixed = true);\n  Boolean contact = h <= "
      "0;\nequation\n" FALLS
      "  der(u) = if contact then -0.5*u else 0;\n  when contact then\n" IMPACT
      "  end when;\nend ball;\n";
  double rest = sqrt(2 / 9.81) * (1 + 0.7) / (1 - 0.7);
  rig r = of_text(text);

  (void)state;
  run_to(&r, 5, text);
  check_near(rig_value(&r, "u"), 2 * exp(-0.5 * (5 - rest)), 1e-8);
  rig_free(&r);
}

/* Two balls with a Boolean each: while one rests, the other goes on bouncing. */
static void each_ball_has_its_own_boolean(void **state)
{
  static const char text[] =
      "model two\n  model Ball\n    parameter Real e, r = 0.05, floor;\n"
      "    Real z(start = 1.05, fixed = true), w(start = 0, fixed = true);\n"
      "    Boolean contact;\n  equation\n    der(z) = w;\n    der(w) = -9.81;\n"
      "    contact = z - r <= floor;\n    when contact then\n"
      "      reinit(w, -e*pre(w));\n    end when;\n  end Ball;\n"
      "  Ball b(floor = 0, e = 0.7), c(floor = 0.25, e = 0.5);\nend two;\n";
  double t = 0, rest = sqrt(2 / 9.81) * (1 + 0.7) / (1 - 0.7);
  rig r = of_text(text);

  (void)state;
  run_to(&r, 5, text);
  assert_int_equal(rig_count(&r, BRINK_KIND_LIFT, &t), 0);
  assert_int_equal(rig_count(&r, BRINK_KIND_REST, &t), 2);
  check_near(t, rest, 1e-10 * rest);
  check_near(rig_value(&r, "b.z"), 0.05, 1e-16);
  check_near(rig_value(&r, "c.z"), 0.3, 1e-16);
  rig_free(&r);
}

/* The second ball touches the third when it is hit: what the model says by a Boolean is
 * true already. */
static void a_cradle_with_booleans_passes_the_impact_on(void **state)
{
  static const char text[] =
      "model cradle\n  Real x[3](start = {0, 0.5, 0.6}, each fixed = true);\n"
      "  Real v[3](start = {1, 0, 0}, each fixed = true);\n"
      "  Boolean hit[2] = {x[2] - x[1] <= 0.1, x[3] - x[2] <= 0.1};\nequation\n"
      "  der(x) = v;\n  der(v) = zeros(3);\n  for i in 1:2 loop\n"
      "    when edge(hit[i]) then\n      reinit(v[i], pre(v[i + 1]));\n"
      "      reinit(v[i + 1], pre(v[i]));\n    end when;\n  end for;\nend cradle;\n";
  rig r = of_text(text);

  (void)state;
  run_to(&r, 2, text);
  check_near(rig_value(&r, "v[1]"), 0, 0);
  check_near(rig_value(&r, "v[2]"), 0, 0);
  check_near(rig_value(&r, "v[3]"), 1, 0);
  check_near(rig_value(&r, "x[3]"), 0.6 + 1.6, 1e-9);
  rig_free(&r);
}

/* Balls that fall on each other, the heavy one below: h2 - h1 and h1 vanish at one
 * time, and the second event leads through the floor unless it is told again. */
static void a_column_rests_with_and_without_booleans(void **state)
{
  static const char *const with[][3] = {
      {"", "h1 <= 0", "h2 - h1 <= 0.2"},
      {"  Boolean floor = h1 <= 0, touch = h2 - h1 <= 0.2;\n", "edge(floor)",
       "edge(touch)"}};

  (void)state;
  for (size_t k = 0; k < BRINK__COUNT(with); k++) {
    char text[1500];
    snprintf(text, sizeof text,
             "model column\n  parameter Real e = 0.5, m1 = 2, m2 = 1;\n"
             "  Real h1(start = 0.5, fixed = true), v1(start = 0, fixed = true);\n"
             "  Real h2(start = 1.5, fixed = true), v2(start = 0, fixed = true);\n"
             "%sequation\n  der(h1) = v1;\n  der(v1) = -9.81;\n  der(h2) = v2;\n"
             "  der(v2) = -9.81;\n  when %s then\n    reinit(v1, -e*pre(v1));\n"
             "  end when;\n  when %s then\n    reinit(v1, (m1*pre(v1) + m2*pre(v2)\n"
             "      + m2*e*(pre(v2) - pre(v1)))/(m1 + m2));\n"
             "    reinit(v2, (m1*pre(v1) + m2*pre(v2)\n"
             "      + m1*e*(pre(v1) - pre(v2)))/(m1 + m2));\n"
             "  end when;\nend column;\n",
             with[k][0], with[k][1], with[k][2]);
    rig r = of_text(text);
    run_to(&r, 6, text);
    check_near(rig_value(&r, "h1"), 0, 1e-15);
    check_near(rig_value(&r, "h2"), 0.2, 1e-15);
    rig_free(&r);
  }
}

/* A plastic ball on a table that shakes is thrown where A w^2 sin(w t + c) = g, and
 * comes to rest where it meets the table again.  As it lifts off the Boolean becomes
 * false, at a time at which it has neither speed nor acceleration: that is no new
 * contact. */
static void a_ball_that_is_thrown_is_not_put_down_again(void **state)
{
  static const char text[] =
      "model T\n  parameter Real c = 1.427, A = 0.479, w = 5.998;\n"
      "  Real x(start = 1.488, fixed = true), v(start = 1.506, fixed = true);\n"
      "  Boolean hit = x <= A*sin(w*time + c);\nequation\n  der(x) = v;\n"
      "  der(v) = -3.277;\n  when hit then\n"
      "    reinit(v, A*w*cos(w*time + c));\n  end when;\nend T;\n";
  const double c[] = {1.427, 0.2, 3.3, 5.1}, A = 0.479, w = 5.998, pi = acos(-1.);

  (void)state;
  for (int i = 0; i < 4; i++)
    for (int m = 0; m < 2; m++) {
      brink_sim_opts opt = brink_sim_defaults();
      opt.method = m ? "dop853" : "dopri5";
      opt.rtol = 1e-9;
      rig r = rig_text(text, &opt, 0);
      check_status(brink_sim_set(r.sim, "c", c[i]), BRINK_OK);
      check_status(brink_sim_start(r.sim, 0.37, 0, NULL), BRINK_OK);
      run_to(&r, 12, text);
      const brink_trace *trace = brink_sim_trace(r.sim);
      int rests = 0, lifts = 0;
      for (size_t k = 0; k < brink_trace_events(trace); k++) {
        brink_event e = brink_trace_event(trace, k);
        rests += e.kind == BRINK_KIND_REST;
        if (e.kind != BRINK_KIND_LIFT)
          continue;
        double phase = remainder(w * e.t + c[i], 2 * pi);
        check_near(phase, asin(3.277 / (A * w * w)), 1e-9);
        assert_int_equal(rests, ++lifts); /* not before it has come to rest again */
      }
      assert_true(lifts >= 4);
      rig_free(&r);
    }
}

/* On a surface that rises the ball is off by the rounding of its states, which is more
 * than that of the guard: that is no reason for `hit` to become false at a sample. */
static void a_ball_at_rest_touches_whatever_else_happens(void **state)
{
  static const char text[] =
      "model Q\n  Real x(start = 0.2, fixed = true), v(start = 0, fixed = true);\n"
      "  Boolean hit = x <= 0.071*time;\n"
      "  discrete Real s(start = 0, fixed = true);\nequation\n  der(x) = v;\n"
      "  der(v) = -9.7 + 0.2*s;\n  when sample(0.13, 0.37) then\n    s = time;\n"
      "  end when;\n  when hit then\n    reinit(v, 0.071);\n  end when;\nend Q;\n";
  static const char *const methods[] = {"radau", "dopri5", "auto"};

  (void)state;
  for (int m = 0; m < 3; m++) {
    brink_sim_opts opt = brink_sim_defaults();
    opt.method = methods[m];
    opt.rtol = 1e-9;
    rig r = rig_text(text, &opt, 0);
    for (int i = 1; i < 120; i++) {
      run_to(&r, 0.25 * i + 0.1, text);
      assert_int_equal(rig_value(&r, "hit"), 1);
    }
    rig_free(&r);
  }
}

/* A ball on a shaking table: its speed crosses another guard twice a period. */
static void other_guards_of_what_rests_are_crossed_once(void **state)
{
  static const char text[] =
      "model F\n  parameter Real A = 0.058, w = 4.835;\n"
      "  Real x(start = 0.5, fixed = true), v(start = 0, fixed = true);\n"
      "  Real q(start = 0, fixed = true), k = floor(2.736*v);\n"
      "  Integer n(start = 0, fixed = true);\nequation\n"
      "  der(x) = v;\n  der(v) = -8.996 - 0.009*v;\n  der(q) = k - q;\n"
      "  when x <= A*sin(w*time) then\n"
      "    reinit(v, A*w*cos(w*time));\n"
      "  end when;\n  when v*(1 + q*q) > 0.07*(1 + q*q) then\n    n = pre(n) + 1;\n"
      "  end when;\nend F;\n";
  static const char *const methods[] = {"radau", "dopri5", "bs23"};
  const double A = 0.058, w = 4.835, pi = acos(-1.), angle = acos(0.07 / (A * w));

  (void)state;
  for (int m = 0; m < 3; m++) {
    brink_sim_opts opt = brink_sim_defaults();
    size_t k = 0, crossed = 0;
    opt.method = methods[m];
    opt.rtol = 1e-8;
    rig r = rig_text(text, &opt, 0);
    run_to(&r, 40, text);
    const brink_trace *trace = brink_sim_trace(r.sim);
    while (brink_trace_event(trace, k).kind != BRINK_KIND_REST)
      k++;
    double rests = brink_trace_event(trace, k).t, n = A * w * cos(w * rests) > 0.07;
    for (double t = -angle / w; t < 40; t += 2 * pi / w)
      n += t > rests;
    assert_int_equal(rig_value(&r, "n"), n);
    for (; k < brink_trace_events(trace); k++) {
      brink_event e = brink_trace_event(trace, k);
      if (strncmp(e.name, "floor", 5) != 0)
        continue;
      check_near(remainder(w * e.t - pi / 2, pi), 0, 1e-7);
      crossed++;
    }
    assert_int_equal(crossed, floor(40 * w / pi + 0.5) - floor(rests * w / pi + 0.5));
    rig_free(&r);
  }
}

/* floor(c*x) and x < 0 change at one zero; the ball, which turns back there, changes
 * the stair back at the same time.  It bounces as a ball without a stair does. */
static void a_stair_that_changes_with_the_impact_does_not_repeat_it(void **state)
{
  static const char form[] =
      "model V\n  Real x(start = %g, fixed = true), v(start = -0.367, fixed = true);\n"
      "  Real q(start = 0, fixed = true);\nequation\n  der(v) = -3.581 - 0.261*v;\n"
      "  der(x) = v;\n  der(q) = -q + %s;\n  when x < 0 then\n"
      "    reinit(v, -0.5*pre(v));\n  end when;\nend V;\n";
  const double x[] = {1.198, 1.21, 1.05, 0.95, 0.87, 0.8, 1.3, 1.35};
  char text[512];

  (void)state;
  for (int i = 0; i < 16; i++) {
    double end[2];
    for (int stair = 0; stair < 2; stair++) {
      brink_sim_opts opt = brink_sim_defaults();
      opt.method = i % 2 ? "radau" : "dopri5";
      opt.rtol = 1e-9;
      opt.h_max = 0.0426;
      snprintf(text, sizeof text, form, x[i / 2],
               stair ? "0.455*floor(2.141*x) + 0.763*abs(v)" : "x");
      rig r = rig_text(text, &opt, 0.37);
      run_to(&r, 2.5, text);
      end[stair] = rig_value(&r, "x");
      rig_free(&r);
    }
    check_near(end[1], end[0], 1e-7);
  }
}

/* The bound of another guard depends on a discrete variable that its own event sets:
 * steps and locators ask how the ball is carried on both sides of it and on its zero.
 */
static void a_stair_of_a_counter_does_not_take_the_floor_away(void **state)
{
  static const char text[] =
      "model stairs\n  parameter Real e = 0.6, L = 0.37, H = 0.21;\n"
      "  Real x(start = 0.11, fixed = true), y(start = 0.9, fixed = true);\n"
      "  Real v(start = 0, fixed = true);\n  Integer k(start = 0, fixed = true);\n"
      "equation\n  der(x) = 0.13;\n  der(y) = v;\n  der(v) = -9.81;\n"
      "  when x >= (pre(k) + 1)*L then\n    k = pre(k) + 1;\n  end when;\n"
      "  when y <= -H*k then\n    reinit(v, -e*pre(v));\n  end when;\nend stairs;\n";
  static const char *const locators[] = {"isolate", "henon", "direct"};
  static const double rtol[] = {1e-5, 1e-6, 1e-9};

  (void)state;
  for (size_t l = 0; l < BRINK__COUNT(locators); l++)
    for (size_t i = 0; i < BRINK__COUNT(rtol); i++) {
      brink_sim_opts opt = brink_sim_defaults();
      opt.locator = locators[l];
      opt.rtol = rtol[i];
      opt.h_max = 0.4;
      rig r = rig_text(text, &opt, 0);
      run_to(&r, 20, text);
      check_near(rig_value(&r, "k"), 7, 0);
      check_near(rig_value(&r, "y"), -7 * 0.21, 1e-14);
      check_near(rig_value(&r, "v"), 0, 0);
      rig_free(&r);
    }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_ball_rests_however_its_impact_is_written),
      cmocka_unit_test(a_law_that_reads_the_contact_is_that_of_rest),
      cmocka_unit_test(each_ball_has_its_own_boolean),
      cmocka_unit_test(a_cradle_with_booleans_passes_the_impact_on),
      cmocka_unit_test(a_column_rests_with_and_without_booleans),
      cmocka_unit_test(a_ball_that_is_thrown_is_not_put_down_again),
      cmocka_unit_test(a_ball_at_rest_touches_whatever_else_happens),
      cmocka_unit_test(other_guards_of_what_rests_are_crossed_once),
      cmocka_unit_test(a_stair_that_changes_with_the_impact_does_not_repeat_it),
      cmocka_unit_test(a_stair_of_a_counter_does_not_take_the_floor_away),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
