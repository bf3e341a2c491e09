/* Events in systems of higher index: the located state is put on the constraints
 * without firing again, reinit is kept to the bit while the other states follow, modes
 * of different index, whens that read derivatives. */
#include "check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "brink/brink.h"
#include "brink/load.h"

typedef struct rig {
  brink_ctx *ctx;
  brink_model *model;
  brink_sim *sim;
} rig;

static rig open_rig(const char *text, const char *method, const char *locator)
{
  rig r = {NULL, NULL, NULL};
  brink_sim_opts opt = brink_sim_defaults();

  check_status(brink_ctx_new(NULL, &r.ctx), BRINK_OK);
  opt.method = method;
  opt.locator = locator;
  opt.rtol = 1e-8;
  opt.h_max = 0.2; /* sampling locators */
  if (strcmp(method, "rk4") == 0)
    opt.h0 = 2e-3; /* it keeps to it */
  if (brink_model_read(r.ctx, "m.mo", text, strlen(text), NULL, &r.model) < 0)
    fail_msg("%s", brink_ctx_error(r.ctx)->text);
  check_status(brink_sim_new(r.ctx, r.model, &opt, &r.sim), BRINK_OK);
  return r;
}

static void run(rig *r, double t0, double t_end)
{
  if (brink_sim_start(r->sim, t0, 0, NULL) < 0)
    fail_msg("%s", brink_sim_error(r->sim)->text);
  if (brink_sim_run(r->sim, t_end) != BRINK_END)
    fail_msg("%s", brink_sim_error(r->sim)->text);
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

/* ------------------------------------------------------------ fired once --- */

/* A pendulum whose damping changes each time x falls below 0.2. */
static const char damped[] =
    "model Damped\n"
    "  Real x(start = 0.6, fixed = true), y(start = -0.5), F;\n"
    "  Real vx(start = 0, fixed = true), vy;\n"
    "  discrete Real k(start = 0.1, fixed = true);\n"
    "  discrete Integer n(start = 0, fixed = true);\n"
    "equation\n"
    "  der(x) = vx; der(y) = vy;\n"
    "  der(vx) = -F*x - k*vx;\n"
    "  der(vy) = -F*y - 9.81 - k*vy;\n"
    "  x^2 + y^2 = 1;\n"
    "  when x < 0.2 then\n"
    "    k = 0.9*pre(k); n = pre(n) + 1;\n"
    "  end when;\n"
    "end Damped;\n";

/* The same in the angle from below, x = sin(a). */
static const char angle[] =
    "model Angle\n"
    "  Real a(start = asin(0.6), fixed = true), w(start = 0, fixed = true);\n"
    "  discrete Real k(start = 0.1, fixed = true);\n"
    "  discrete Integer n(start = 0, fixed = true);\n"
    "equation\n"
    "  der(a) = w; der(w) = -9.81*sin(a) - k*w;\n"
    "  when sin(a) < 0.2 then\n"
    "    k = 0.9*pre(k); n = pre(n) + 1;\n"
    "  end when;\n"
    "end Angle;\n";

static void a_guard_that_has_fired_does_not_fire_again_on_the_constraints(void **state)
{
  rig exact = open_rig(angle, "dop853", "isolate");

  (void)state;
  run(&exact, 0.37, 10.3);
  for (int i = 0; brink_method_name(i); i++)
    for (int j = 0; brink_locator_name(j); j++) {
      rig r = open_rig(damped, brink_method_name(i), brink_locator_name(j));
      run(&r, 0.37, 10.3);
      if (value(&r, "n") != value(&exact, "n"))
        fail_msg("%s, %s: %g events, want %g", brink_method_name(i),
                 brink_locator_name(j), value(&r, "n"), value(&exact, "n"));
      if (brink_locator_proves(j)) {
        check_near(value(&r, "x"), sin(value(&exact, "a")), 2e-5);
        check_near(value(&r, "vx"), value(&exact, "w") * cos(value(&exact, "a")), 2e-4);
      }
      /* a state within four roundings of the constraint is not moved */
      check_near(value(&r, "x") * value(&r, "x") + value(&r, "y") * value(&r, "y"), 1,
                 3e-15);
      end(&r);
    }
  assert_true(value(&exact, "n") == 5);
  end(&exact);
}

/* ---------------------------------------------------------------- reinit --- */

#define PENDULUM                                                                       \
  "  Real x(start = 0.6, fixed = true), y(start = -0.5), F;\n"                         \
  "  Real vx(start = 0, fixed = true), vy;\n"                                          \
  "equation\n"                                                                         \
  "  der(x) = vx; der(y) = vy;\n"                                                      \
  "  der(vx) = -F*x; der(vy) = -F*y - 9.81;\n"                                         \
  "  x^2 + y^2 = 1;\n"

static void check_pendulum(rig *r)
{
  double x = value(r, "x"), y = value(r, "y");

  check_near(x * x + y * y, 1, 1e-15);
  check_near(x * value(r, "vx") + y * value(r, "vy"), 0, 1e-14);
}

/* To the end of the instant at t = 0.3. */
static rig after_reinit(const char *text, const char *method)
{
  rig r = open_rig(text, method, "isolate");

  check_status(brink_sim_start(r.sim, 0, 0, NULL), BRINK_OK);
  while (brink_sim_advance(r.sim, 1) == BRINK_OK)
    continue;
  check_near(brink_sim_time(r.sim), 0.3, 1e-15);
  check_pendulum(&r);
  return r;
}

static void a_velocity_that_reinit_sets_is_kept_and_the_others_follow(void **state)
{
  static const char text[] = "model M\n" PENDULUM "  when time > 0.3 then\n"
                             "    reinit(vx, 0.75);\n"
                             "  end when;\n"
                             "end M;\n";

  (void)state;
  for (int i = 0; brink_method_name(i); i++) {
    rig r = after_reinit(text, brink_method_name(i));
    check_near(value(&r, "vx"), 0.75, 0);
    check_near(value(&r, "vy"), -0.75 * value(&r, "x") / value(&r, "y"), 1e-15);
    double before = value(&r, "x");
    check_status(brink_sim_run(r.sim, 0.3001), BRINK_END);
    check_near(value(&r, "x"), before + 0.75e-4, 1e-6);
    check_pendulum(&r);
    end(&r);
  }
}

static void a_position_that_reinit_sets_is_kept_and_the_others_follow(void **state)
{
  static const char text[] = "model M\n" PENDULUM "  when time > 0.3 then\n"
                             "    reinit(x, -0.28);\n"
                             "  end when;\n"
                             "end M;\n";

  (void)state;
  for (int i = 0; brink_method_name(i); i++) {
    rig r = after_reinit(text, brink_method_name(i));
    check_near(value(&r, "x"), -0.28, 0);
    check_near(value(&r, "y"), -0.96, 1e-15);
    check_status(brink_sim_run(r.sim, 0.5), BRINK_END);
    check_pendulum(&r);
    end(&r);
  }
}

/* Two that do not fit together: the sentence names the constraint. */
static void reinits_that_contradict_a_constraint_are_an_error(void **state)
{
  static const char text[] = "model M\n" PENDULUM "  when time > 0.3 then\n"
                             "    reinit(x, 0.3); reinit(y, -0.4);\n"
                             "  end when;\n"
                             "end M;\n";

  (void)state;
  rig r = open_rig(text, "dopri5", "isolate");
  check_status(brink_sim_start(r.sim, 0, 0, NULL), BRINK_OK);
  check_status(brink_sim_run(r.sim, 1), BRINK_EDOMAIN);
  check_text(brink_sim_error(r.sim)->text, "line 7");
  check_text(brink_sim_error(r.sim)->text, "x^2 + y^2 = 1");
  check_near(brink_sim_time(r.sim), 0.3, 1e-15);
  end(&r);
}

/* ------------------------------------------------- constraints that change --- */

/* The radius grows from t = 0.5 on: it is continuous, its derivative jumps to 0.4. */
static void check_radius(const char *length, const char *when)
{
  char text[1000];

  snprintf(text, sizeof text,
           "model M\n"
           "  Real x(start = 0.6, fixed = true), y(start = -0.5), F;\n"
           "  Real vx(start = 0, fixed = true), vy;\n"
           "  discrete Real rate(start = 0, fixed = true);\n"
           "equation\n"
           "  der(x) = vx; der(y) = vy;\n"
           "  der(vx) = -F*x; der(vy) = -F*y - 9.81;\n"
           "  x^2 + y^2 = (1 + %s)^2;\n"
           "  when %s then rate = 0.4; end when;\n"
           "end M;\n",
           length, when);
  for (int i = 0; brink_method_name(i); i++) {
    rig r = open_rig(text, brink_method_name(i), "isolate");
    double along = nan("");
    check_status(brink_sim_start(r.sim, 0, 0, NULL), BRINK_OK);
    while (brink_sim_advance(r.sim, 1) == BRINK_OK) {
      check_near(hypot(value(&r, "x"), value(&r, "y")), 1, 1e-15);
      along = value(&r, "x") * value(&r, "vy") - value(&r, "y") * value(&r, "vx");
    }
    check_near(brink_sim_time(r.sim), 0.5, 1e-15);
    check_near(hypot(value(&r, "x"), value(&r, "y")), 1, 1e-14);
    check_near(value(&r, "x") * value(&r, "vx") + value(&r, "y") * value(&r, "vy"), 0.4,
               1e-14);
    check_near(value(&r, "x") * value(&r, "vy") - value(&r, "y") * value(&r, "vx"),
               along, 1e-13);
    check_status(brink_sim_run(r.sim, 1), BRINK_END);
    check_near(hypot(value(&r, "x"), value(&r, "y")), 1.2, 1e-14);
    end(&r);
  }
}

static void what_only_constraints_read_makes_events(void **state)
{
  (void)state;
  check_radius("(if time < 0.5 then 0 else 0.4*(time - 0.5))", "time > 2");
  check_radius("rate*(time - 0.5)", "time > 0.5");
}

/* ------------------------------------------------------------ derivatives --- */

/* What whens read of derivatives that are no variables: x = sin(a), a the angle. */
static void whens_read_derivatives_of_any_order(void **state)
{
  static const char text[] =
      "model M\n"
      "  Real x(start = 0.6, fixed = true), y(start = -0.5), F;\n"
      "  discrete Real v(start = 0, fixed = true), a(start = 0, fixed = true);\n"
      "  discrete Real j(start = 0, fixed = true);\n"
      "initial equation\n"
      "  der(x) = 0;\n"
      "equation\n"
      "  der(der(x)) = -F*x;\n"
      "  der(der(y)) = -F*y - 9.81;\n"
      "  x^2 + y^2 = 1;\n"
      "  when x < 0 then\n"
      "    v = der(x); a = der(der(x)); j = der(der(der(x)));\n"
      "  end when;\n"
      "end M;\n";
  double w2 = 2 * 9.81 * (1 - 0.8), w = -sqrt(w2); /* speed at the bottom */

  (void)state;
  for (int i = 0; brink_method_name(i); i++) {
    rig r = open_rig(text, brink_method_name(i), "isolate");
    run(&r, 1.3, 2);
    check_near(value(&r, "v"), w, 1e-5);
    check_near(value(&r, "a"), 0, 1e-4);
    check_near(value(&r, "j"), -w * (9.81 + w2), 1e-3); /* a'' = -g sin a */
    end(&r);
  }
}

static void guards_in_highest_derivatives_are_located(void **state)
{
  static const char text[] = "model M\n"
                             "  Real x, u, w;\n"
                             "  discrete Integer n(start = 0, fixed = true);\n"
                             "equation\n"
                             "  x = sin(time); der(x) = u; der(u) = w;\n"
                             "  when der(w) < -0.5 then n = pre(n) + 1; end when;\n"
                             "end M;\n";

  (void)state;
  for (int j = 0; brink_locator_name(j); j++) {
    rig r = open_rig(text, "dopri5", brink_locator_name(j));
    run(&r, 0.7, 8.5); /* -cos(t) < -0.5 from 5 pi/3 on; also at 0.7 */
    check_near(value(&r, "n"), 1, 0);
    if (brink_locator_proves(j))
      check_near(brink_trace_event(brink_sim_trace(r.sim), 0).t, 5.2359877559829888,
                 1e-7);
    end(&r);
  }
}

/* ----------------------------------------------------------------- modes --- */

/* A string pendulum that is let go: index 3 while taut, free flight while slack. */
static const char string_pendulum[] =
    "model M\n"
    "  parameter Real g = 9.81;\n"
    "  model Taut\n"
    "    parameter Real g;\n"
    "    Real x(start = 0, fixed = true), y(start = -1), F;\n"
    "    Real u = der(x), w = der(y);\n"
    "  initial equation\n"
    "    der(x) = 5.5;\n"
    "  equation\n"
    "    der(der(x)) = -F*x; der(der(y)) = -F*y - g;\n"
    "    x^2 + y^2 = 1;\n"
    "  end Taut;\n"
    "  model Slack\n"
    "    parameter Real g;\n"
    "    Real x, y, vx, vy;\n"
    "  equation\n"
    "    der(x) = vx; der(y) = vy; der(vx) = 0; der(vy) = -g;\n"
    "  end Slack;\n"
    "  Taut taut(g = g);\n"
    "  Slack slack(g = g);\n"
    "equation\n"
    "  initialState(taut);\n"
    "  transition(taut, slack, taut.F < 0);\n"
    "  when activeState(slack) then\n"
    "    reinit(slack.x, taut.x); reinit(slack.y, taut.y);\n"
    "    reinit(slack.vx, taut.u); reinit(slack.vy, taut.w);\n"
    "  end when;\n"
    "end M;\n";

/* It becomes slack where v^2 = 5.5^2 - 2 g (1 + y) and F = v^2 - g y = 0; from there on
 * the path is a parabola. */
static void a_mode_of_index_three_is_left_with_its_derivatives(void **state)
{
  double y = (5.5 * 5.5 - 2 * 9.81) / (3 * 9.81), x = sqrt(1 - y * y);
  double speed = sqrt(9.81 * y), vx = -y * speed, vy = x * speed;

  (void)state;
  for (int i = 0; brink_method_name(i); i++) {
    rig r = open_rig(string_pendulum, brink_method_name(i), "isolate");
    run(&r, 0.21, 1.1);
    const brink_trace *trace = brink_sim_trace(r.sim);
    assert_int_equal(brink_trace_events(trace), 1);
    double t = 1.1 - brink_trace_event(trace, 0).t;
    check_near(value(&r, "slack.vx"), vx, 1e-5);
    check_near(value(&r, "slack.x"), x + vx * t, 1e-5);
    check_near(value(&r, "slack.y"), y + (vy - 9.81 * t / 2) * t, 1e-5);
    end(&r);
  }
}

/* ---------------------------------------------------------- stateSelect --- */

/* u and v after one long step, whose error in u - v the projection removes. */
static void after_one_step(const char *of_u, const char *of_v, double *u, double *v)
{
  char text[400];
  brink_sim_opts opt = brink_sim_defaults();
  rig r = {NULL, NULL, NULL};

  snprintf(text, sizeof text,
           "model M Real u(start = 1, stateSelect = StateSelect.%s);\n"
           "Real v(stateSelect = StateSelect.%s), l;\n"
           "equation der(u) = cos(5*time) + l; der(v) = sin(3*time) - l;\n"
           "u - v = sin(4*time); end M;\n",
           of_u, of_v);
  check_status(brink_ctx_new(NULL, &r.ctx), BRINK_OK);
  opt.method = "rk4";
  opt.h0 = 0.5;
  opt.rtol = 1e-12; /* units that hardly depend on the values */
  opt.atol = 1e-3;
  check_status(brink_model_read(r.ctx, "m.mo", text, strlen(text), NULL, &r.model),
               BRINK_OK);
  check_status(brink_sim_new(r.ctx, r.model, &opt, &r.sim), BRINK_OK);
  assert_true(brink_sim_start(r.sim, 0, 0, NULL) >= 0);
  assert_true(brink_sim_run(r.sim, 0.5) == BRINK_END);
  *u = value(&r, "u");
  *v = value(&r, "v");
  check_near(*u - *v, sin(2.), 1e-14);
  end(&r);
}

static void preferred_states_move_less(void **state)
{
  double u[3], v[3], off;

  (void)state;
  after_one_step("default", "default", &u[0], &v[0]);
  after_one_step("always", "never", &u[1], &v[1]);
  after_one_step("avoid", "prefer", &u[2], &v[2]);
  off = u[2] - u[1]; /* nearly all of the error, which moves u or v */
  assert_true(fabs(off) > 1e-5);
  check_near((u[0] - u[1]) / off, 0.5, 1e-3);
  after_one_step("prefer", "default", &u[2], &v[2]);
  check_near((u[2] - u[1]) / off, 0.01 / 1.01, 1e-4);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_guard_that_has_fired_does_not_fire_again_on_the_constraints),
      cmocka_unit_test(a_velocity_that_reinit_sets_is_kept_and_the_others_follow),
      cmocka_unit_test(a_position_that_reinit_sets_is_kept_and_the_others_follow),
      cmocka_unit_test(reinits_that_contradict_a_constraint_are_an_error),
      cmocka_unit_test(what_only_constraints_read_makes_events),
      cmocka_unit_test(whens_read_derivatives_of_any_order),
      cmocka_unit_test(guards_in_highest_derivatives_are_located),
      cmocka_unit_test(a_mode_of_index_three_is_left_with_its_derivatives),
      cmocka_unit_test(preferred_states_move_less),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
