/* test_accumulation_reached.c -- accumulations that are not extrapolated: the policy
 * `step`, gaps that contract too fast or too slowly, locators of one guess, methods
 * that do not resolve the last flights, guards that are held meanwhile.
 */
#include "hybrid.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "brink/load.h"
#include "event/locator.h"
#include "ode/method.h"
#include "plain_methods.h"

typedef struct outcome {
  brink_status rc;
  int zenos, events; /* of kind zeno, and all                                       */
  double t[4], width[4];
  double v[16];
} outcome;

static outcome run(const char *text, const brink_sim_opts *opt, double t_end)
{
  outcome o = {BRINK_OK, 0, 0, {0}, {0}, {0}};
  rig r;

  check_status(brink_ctx_new(NULL, &r.ctx), BRINK_OK);
  brink_status rc = brink_model_read(r.ctx, "t.mo", text, strlen(text), NULL, &r.model);
  if (rc < 0)
    print_error("%s\n%s\n", brink_ctx_error(r.ctx)->text, text);
  check_status(rc, BRINK_OK);
  check_status(brink_sim_new(r.ctx, r.model, opt, &r.sim), BRINK_OK);
  check_status(brink_sim_start(r.sim, 0, 0, NULL), BRINK_OK);
  o.rc = brink_sim_run(r.sim, t_end);
  if (o.rc != BRINK_END)
    print_message("%s: %s\n", brink_status_name(o.rc), brink_sim_error(r.sim)->text);
  o.events = (int)rig_events(&r);
  for (int k = 0; k < o.events; k++) {
    brink_event e = rig_event(&r, (size_t)k);
    if (e.kind != BRINK_KIND_ZENO || o.zenos == 4)
      continue;
    o.t[o.zenos] = e.t;
    o.width[o.zenos++] = e.width;
  }
  check_status(brink_sim_values(r.sim, o.v), BRINK_OK);
  rig_free(&r);
  return o;
}

static const char *ball(const char *speed)
{
  static char text[600];

  snprintf(text, sizeof text,
           "model B\n  Real h(start = 1.3, fixed = true), v(start = 0, fixed = true);\n"
           "equation\n  der(h) = v;\n  der(v) = -9.81;\n  when h <= 0 then\n"
           "    reinit(v, %s);\n  end when;\nend B;\n",
           speed);
  return text;
}

/* ------------------------------------------------------------- policy `step` --- */

/* Bounces come down to the gap, and the error is of its size. */
static void steps_down_to_a_gap_end_with_an_error_of_its_size(void **state)
{
  static const double kept[] = {0.55, 0.83}, gaps[] = {1.3e-3, 2.1e-6, 1.7e-9};

  (void)state;
  for (int i = 0; i < 6; i++) {
    double a = kept[i % 2], gap = gaps[i / 2],
           exact = sqrt(2.6 / 9.81) * (1 + a) / (1 - a);
    brink_sim_opts opt = brink_sim_defaults();
    char speed[40];
    opt.zeno = BRINK_ZENO_STEP;
    opt.zeno_gap = gap;
    snprintf(speed, sizeof speed, "-%.17g*pre(v)", a);
    outcome o = run(ball(speed), &opt, 1e4);
    check_status(o.rc, BRINK_END);
    assert_int_equal(o.zenos, 1);
    check_in(exact - o.t[0], 0.1 * gap, gap * a / (1 - a));
    check_near(o.width[0], exact - o.t[0], 0.1 * gap + 1e-12);
    check_near(o.v[0], 0, 0);
    check_near(o.v[1], 0, 0);
    /* gaps shrink from 2 a t_1 to this one, and two rows say what follows */
    check_near(o.events, log(gap / (2 * sqrt(2.6 / 9.81))) / log(a) + 4, 1.5);
  }
}

static void by_default_the_gap_is_the_tolerance(void **state)
{
  brink_sim_opts opt = brink_sim_defaults();
  double exact = sqrt(2.6 / 9.81) * 1.7 / 0.3;

  (void)state;
  opt.zeno = BRINK_ZENO_STEP;
  for (int i = 0; i < 2; i++) {
    opt.rtol = i ? 1e-9 : 1e-6;
    outcome o = run(ball("-0.7*pre(v)"), &opt, 20);
    check_status(o.rc, BRINK_END);
    check_in((exact - o.t[0]) / exact, 0.1 * opt.rtol, 3 * opt.rtol);
  }
}

/* A rest of the model's own gets the values of the limit, which are 0. */
static void a_rest_of_its_own_is_found_by_steps(void **state)
{
  static const char rest[] =
      "model R\n  Real h(start = 1, fixed = true), v(start = 0, fixed = true);\n"
      "  discrete Real up(start = 1, fixed = true);\nequation\n  der(h) = v;\n"
      "  der(v) = if up > 0 then -9.81 else 0;\n  when h <= 0 then\n"
      "    up = -0.7*pre(v);\n    reinit(v, -0.7*pre(v));\n  end when;\nend R;\n";
  brink_sim_opts opt = brink_sim_defaults();

  (void)state;
  opt.zeno = BRINK_ZENO_STEP;
  opt.zeno_gap = 1e-5;
  outcome o = run(rest, &opt, 50);
  check_status(o.rc, BRINK_END);
  for (int i = 0; i < 3; i++)
    check_near(o.v[i], 0, 0);
}

/* The delay of `regularize`: a ball sinks in proportion to it. */
static void the_delay_is_an_option(void **state)
{
  brink_sim_opts opt = brink_sim_defaults();
  double depth[2];

  (void)state;
  opt.zeno = BRINK_ZENO_REGULARIZE;
  for (int i = 0; i < 2; i++) {
    opt.zeno_gap = i ? 1.1e-3 : 1.1e-2;
    outcome o = run(ball("-0.5*pre(v)"), &opt, 5);
    check_status(o.rc, BRINK_END);
    depth[i] = -o.v[0];
  }
  check_near(depth[1] / depth[0], 0.1, 0.02);
}

/* --------------------------------------------------------- late accumulation --- */

/* e = 1 - 0.3 v^0.2 tends to 1: gaps shrink like k^-5, slower than any geometric
 * sequence in the end. */
static double slow_limit(void)
{
  long double v = sqrtl(2.6L * 9.81L), t = v / 9.81L;

  for (int k = 0; k < 400000; k++) {
    v *= fmaxl(0.1L, 1 - 0.3L * powl(v, 0.2L));
    t += 2 * v / 9.81L;
  }
  return (double)t;
}

static void gaps_like_a_power_of_k_end_at_rest(void **state)
{
  static const char *const methods[] = {"dopri5", "taylor", "adams", "radau"};
  double exact = slow_limit();

  (void)state;
  for (int m = 0; m < 4; m++) {
    brink_sim_opts opt = brink_sim_defaults();
    opt.method = methods[m];
    outcome o = run(ball("-pre(v)*max(0.1, 1 - 0.3*abs(pre(v))^0.2)"), &opt, 1e3);
    check_status(o.rc, BRINK_END);
    check_near(o.t[0], exact, 1e-10);
    check_near(o.v[0], 0, 0);
    check_near(o.v[1], 0, 0);
  }
}

/* Bounces that lose too little to be extrapolated come down to rounding of t, and the
 * ball rests there all the same. */
static void bounces_that_lose_little_end_at_rest(void **state)
{
  brink_sim_opts opt = brink_sim_defaults();
  double a = 0.9983, exact = sqrt(2.6 / 9.81) * (1 + a) / (1 - a);

  (void)state;
  opt.method = "dopri5";
  outcome o = run(ball("-0.9983*pre(v)"), &opt, 1e3);
  check_status(o.rc, BRINK_END);
  check_near(o.t[0], exact, 1e-9 * exact);
  check_near(o.v[0], 0, 0);
  check_near(o.v[1], 0, 0);
}

/* v becomes 0.15 v^2: seven bounces, then the next is below rounding.  Locators of one
 * guess are far off, and come to rest all the same. */
static void gaps_that_square_themselves_end_at_rest(void **state)
{
  long double v = sqrtl(2.6L * 9.81L), t = v / 9.81L;

  (void)state;
  for (int k = 0; k < 20; k++) {
    v *= 0.15L * v;
    t += 2 * v / 9.81L;
  }
  EACH_PLAIN_METHOD (m)
    for (int l = 0; brink_locator_name(l); l++) {
      brink_sim_opts opt = brink_sim_defaults();
      opt.method = brink_method_name(m);
      opt.locator = brink_locator_name(l);
      int rough = brink__locator_find(opt.locator)->rough;
      if (brink_method_fixed_step(m))
        opt.h0 = 0.013;
      if (rough)
        opt.h_max = 0.03; /* longer steps lose a bounce of that size */
      outcome o = run(ball("0.15*pre(v)^2"), &opt, 7);
      if (rough && strcmp(opt.locator, "linear") != 0 && o.rc == BRINK_ZENO)
        continue; /* too coarse even for that, and it has said so */
      if (o.rc != BRINK_END)
        print_error("%s, %s\n", opt.method, opt.locator);
      check_status(o.rc, BRINK_END);
      check_near(o.v[0], 0, 0);
      check_near(o.v[1], 0, 0);
      if (o.zenos)
        check_near(o.t[0], (double)t, rough ? 0.03 : 1e-5);
    }
}

/* Flights lower than the absolute tolerance: what the method says of them is no more
 * than its first steps.  The ball has fallen through the floor. */
static void methods_that_do_not_resolve_the_last_flights_come_to_rest(void **state)
{
  static const double kept[] = {0.5, 0.7, 0.9, 0.97};
  static const char *const methods[] = {"cvode", "radau", "adams", "auto"};

  (void)state;
  for (int i = 0; i < 16; i++) {
    double a = kept[i % 4], exact = sqrt(2.6 / 9.81) * (1 + a) / (1 - a);
    brink_sim_opts opt = brink_sim_defaults();
    char speed[40];
    opt.method = methods[i / 4];
    if (brink__method_find(opt.method)->needs)
      continue; /* brink was built without it */
    opt.atol = 1e-9;
    snprintf(speed, sizeof speed, "-%.17g*pre(v)", a);
    outcome o = run(ball(speed), &opt, 1e3);
    check_status(o.rc, BRINK_END);
    check_near(o.t[0], exact, 1e-3 * exact);
    check_near(o.v[0], 0, 0);
    check_near(o.v[1], 0, 0);
  }
}

/* ------------------------------------------------------------- held guards --- */

/* A ball bounces while a relay slides, and balls while others rest: their times are
 * extrapolated all the same. */
static void a_ball_accumulates_while_something_slides(void **state)
{
  static const char text[] =
      "model S\n  Real h(start = 1.3, fixed = true), v(start = 0, fixed = true);\n"
      "  Real x(start = 0.2, fixed = true);\nequation\n  der(h) = v;\n"
      "  der(v) = -9.81;\n  der(x) = -sign(x) + 0.4*sin(3*time);\n"
      "  when h <= 0 then\n    reinit(v, -0.7*pre(v));\n  end when;\nend S;\n";
  double exact = sqrt(2.6 / 9.81) * 1.7 / 0.3;

  (void)state;
  EACH_PLAIN_METHOD (m) {
    brink_sim_opts opt = brink_sim_defaults();
    opt.method = brink_method_name(m);
    if (brink_method_fixed_step(m))
      opt.h0 = 0.013;
    outcome o = run(text, &opt, 30);
    check_status(o.rc, BRINK_END);
    assert_int_equal(o.zenos, 1);
    check_near(o.t[0], exact, strcmp(opt.method, "cvode") ? 1e-9 * exact : 1e-3);
    check_near(o.v[0], 0, 0);
    check_near(o.v[1], 0, 0);
    check_near(o.v[2], 0, 1e-12);
    check_in(o.events, 10, 60);
  }
}

static void balls_accumulate_while_others_rest(void **state)
{
  static const char text[] =
      "model T\n  parameter Real a[3] = {0.7, 0.6, 0.8};\n"
      "  Real h[3](start = {1.3, 0.7, 2.1}, each fixed = true);\n"
      "  Real v[3](each start = 0, each fixed = true);\nequation\n  der(h) = v;\n"
      "  for i in 1:3 loop\n    der(v[i]) = -9.81;\n    when h[i] <= 0 then\n"
      "      reinit(v[i], -a[i]*pre(v[i]));\n    end when;\n  end for;\nend T;\n";
  static const double a[] = {0.6, 0.7, 0.8}, h[] = {0.7, 1.3, 2.1};
  brink_sim_opts opt = brink_sim_defaults();
  outcome o = run(text, &opt, 30);

  (void)state;
  check_status(o.rc, BRINK_END);
  assert_int_equal(o.zenos, 3);
  for (int i = 0; i < 3; i++)
    check_near(o.t[i], sqrt(2 * h[i] / 9.81) * (1 + a[i]) / (1 - a[i]), 1e-10);
  check_in(o.events, 30, 90);
}

/* By `step` no states are kept before the gaps are near zeno_gap, and flights that the
 * method does not resolve may end before. */
static void steps_end_where_the_method_does_not_resolve_the_flights(void **state)
{
  static const char ball[] =
      "model ball\n  Real h(start = 1.13, fixed = true), v(start = 0, fixed = true);\n"
      "equation\n  der(h) = v;\n  der(v) = -9.81;\n  when h <= 0 then\n"
      "    reinit(v, -0.7*pre(v));\n  end when;\nend ball;\n";
  brink_sim_opts opt = brink_sim_defaults();

  (void)state;
  if (brink__method_find("cvode")->needs)
    return; /* brink was built without it */
  opt.method = "cvode";
  opt.h_max = 0.1;
  opt.zeno = BRINK_ZENO_STEP;
  outcome o = run(ball, &opt, 5);
  check_status(o.rc, BRINK_END);
  assert_int_equal(o.zenos, 1);
  check_near(o.t[0], sqrt(2 * 1.13 / 9.81) * 1.7 / 0.3, 1e-3);
  check_near(o.v[0], 0, 0);
}

/* What a delay remembers is no part of an extrapolation; the accumulation is reached
 * event by event, by `step` down to the gap.  Steps of order 1 let bounces at rounding
 * go on for ever. */
static void models_that_remember_come_to_rest(void **state)
{
  static const char text[] =
      "model D\n  Real h(start = 0.4, fixed = true), v(start = 0, fixed = true), d;\n"
      "equation\n  der(h) = v;\n  der(v) = 0.1*d - 3;\n  d = delay(h, 0.25);\n"
      "  when h <= 0 then\n    reinit(v, -0.4*pre(v));\n  end when;\nend D;\n";
  static const char *const methods[] = {"dopri5", "radau", "cvode"};
  double at[6];

  (void)state;
  for (int i = 0; i < 6; i++) {
    brink_sim_opts opt = brink_sim_defaults();
    opt.method = methods[i / 2];
    if (brink__method_find(opt.method)->needs)
      continue; /* brink was built without it */
    opt.rtol = 1e-8;
    opt.zeno = i % 2 ? BRINK_ZENO_STEP : BRINK_ZENO_CONTINUE;
    outcome o = run(text, &opt, 2.4);
    check_status(o.rc, BRINK_END);
    check_near(o.v[0], 0, 0);
    check_near(o.v[1], 0, 0);
    if (i % 2) {
      assert_int_equal(o.zenos, 1);
      at[i] = o.t[0];
      check_near(at[i], at[1], 1e-5);
    }
  }
}

/* A first step of order 1 may be wrong by more than a flight is high: it is taken again
 * where it leads the ball into the floor and its speed leads it away.  Otherwise the
 * gaps follow no pattern, and the last bounce is lost.  That closing steps are off is
 * no reason to believe it. */
static void first_steps_resolve_the_flights(void **state)
{
  static const struct {
    const char *a; /* acceleration */
    double h, kept, tol;
  } balls[] = {
      {"-0.806865*(1 - 0.5*sin(3*time))", 0.9671710459, 0.1, 1e-6},
      {"-2.80137 - 0.04547*v", 0.01105718205, 0.7, 1e-4},
      {"-47.9841*(1 - 0.5*sin(3*time)) - 0.1234*v - 1.118*h", 0.03008868, 0.5, 1e-4},
      {"-16.7417*(1 - 0.5*sin(3*time)) - 10.3165*v", 2.5924384466, 0.1, 1e-8},
      {"-255.29*(1 - 0.5*sin(3*time))", 1.78581914, 0.3, 1e-6},
  };

  (void)state;
  if (brink__method_find("cvode")->needs)
    return; /* brink was built without it */
  for (size_t k = 0; k < 2 * sizeof balls / sizeof *balls; k++) {
    size_t i = k / 2;
    brink_sim_opts opt = brink_sim_defaults();
    char text[400];
    opt.method = "cvode";
    opt.restep = k % 2 ? BRINK_RESTEP_OFF : BRINK_RESTEP_AUTO;
    opt.h_max = 0.2;
    opt.rtol = opt.atol = balls[i].tol;
    snprintf(text, sizeof text,
             "model B\n  Real h(start = %.10g, fixed = true), v(start = 0, fixed = "
             "true);\nequation\n  der(h) = v;\n  der(v) = %s;\n  when h < 0 then\n"
             "    reinit(v, -%g*pre(v));\n  end when;\nend B;\n",
             balls[i].h, balls[i].a, balls[i].kept);
    outcome o = run(text, &opt, 10);
    check_status(o.rc, BRINK_END);
    check_near(o.v[0], 0, 1e-12);
    check_near(o.v[1], 0, 1e-12);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(steps_down_to_a_gap_end_with_an_error_of_its_size),
      cmocka_unit_test(by_default_the_gap_is_the_tolerance),
      cmocka_unit_test(a_rest_of_its_own_is_found_by_steps),
      cmocka_unit_test(the_delay_is_an_option),
      cmocka_unit_test(gaps_like_a_power_of_k_end_at_rest),
      cmocka_unit_test(bounces_that_lose_little_end_at_rest),
      cmocka_unit_test(gaps_that_square_themselves_end_at_rest),
      cmocka_unit_test(methods_that_do_not_resolve_the_last_flights_come_to_rest),
      cmocka_unit_test(steps_end_where_the_method_does_not_resolve_the_flights),
      cmocka_unit_test(models_that_remember_come_to_rest),
      cmocka_unit_test(first_steps_resolve_the_flights),
      cmocka_unit_test(a_ball_accumulates_while_something_slides),
      cmocka_unit_test(balls_accumulate_while_others_rest),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
