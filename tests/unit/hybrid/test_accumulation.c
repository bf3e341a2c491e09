/* test_accumulation.c -- where events accumulate the time is known long before, and the
 * run goes there; models that know what happens then go on by themselves; sequences
 * that do otherwise below some size are followed as they are.
 */
#include "hybrid.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "brink/load.h"
#include "core/core.h"
#include "event/locator.h"
#include "plain_methods.h"

typedef struct outcome {
  brink_status rc;
  double t_zeno, width, t; /* NaN: no event of kind zeno                            */
  brink_event last;        /* looked at                                             */
  int before;              /* events before it                                      */
  double v[16];            /* of the variables, at the end                          */
  char why[256];
} outcome;

static outcome observe(const rig *r, double t_end)
{
  outcome o = {.t_zeno = nan("")};

  o.rc = brink_sim_run(r->sim, t_end);
  o.t = brink_sim_time(r->sim);
  snprintf(o.why, sizeof o.why, "%.250s", brink_sim_error(r->sim)->text);
  for (size_t k = 0; k < rig_events(r); k++) {
    brink_event e = o.last = rig_event(r, k);
    if (e.kind == BRINK_KIND_ZENO) {
      o.t_zeno = e.t;
      o.width = e.width;
      break;
    }
    o.before++;
  }
  if (brink_model_variables(r->model) <= 16)
    check_status(brink_sim_values(r->sim, o.v), BRINK_OK);
  return o;
}

static outcome run(const char *text, const brink_sim_opts *opt, double t_end)
{
  rig r;

  check_status(brink_ctx_new(NULL, &r.ctx), BRINK_OK);
  brink_status rc = brink_model_read(r.ctx, "t.mo", text, strlen(text), NULL, &r.model);
  if (rc < 0)
    print_error("%s\n%s\n", brink_ctx_error(r.ctx)->text, text);
  check_status(rc, BRINK_OK);
  check_status(brink_sim_new(r.ctx, r.model, opt, &r.sim), BRINK_OK);
  check_status(brink_sim_start(r.sim, 0, 0, NULL), BRINK_OK);
  outcome o = observe(&r, t_end);
  rig_free(&r);
  return o;
}

/* ------------------------------------------------------------------- balls --- */

static const char ball[] =
    "model B\n  parameter Real e = %.17g, g = %.17g, beta = %.17g;\n"
    "  Real h(start = %.17g, fixed = true), v(start = 0, fixed = true);\nequation\n"
    "  der(h) = v;\n  der(v) = -g - beta*smooth(1, v*abs(v));\n  when h <= 0 then\n"
    "    reinit(v, -e*pre(v));\n  end when;\nend B;\n";

static double zeno_time(double e, double h0)
{
  return sqrt(2 * h0 / 9.81) * (1 + e) / (1 - e);
}

/* On to a little after the last bounce. */
static outcome bounce(double e, double beta, double h0, const brink_sim_opts *opt)
{
  char text[600];

  snprintf(text, sizeof text, ball, e, 9.81, beta, h0);
  return run(text, opt, 1.1 * zeno_time(e, h0) + 1);
}

/* Steps of a parabola are exact with every method at every tolerance, and so are the
 * times of the locators that iterate. */
static void the_time_is_known_after_40_bounces(void **state)
{
  static const double kept[] = {0.5, 0.9};

  (void)state;
  EACH_PLAIN_METHOD (m)
    for (int l = 0; brink_locator_name(l); l++)
      for (int i = 0; i < 2; i++) {
        brink_sim_opts opt = brink_sim_defaults();
        opt.method = brink_method_name(m);
        opt.locator = brink_locator_name(l);
        if (brink_method_fixed_step(m))
          opt.h0 = 0.013;
        if (brink__locator_find(opt.locator)->rough || brink_locator_takes_steps(l))
          continue;
        outcome o = bounce(kept[i], 0, 1.3, &opt);
        double t = zeno_time(kept[i], 1.3);
        if (!(fabs(o.t_zeno - t) <= 1e-10 * t) || o.before > 40)
          print_error("%s, %s, %g: %.17g after %d bounces\n", opt.method, opt.locator,
                      kept[i], o.t_zeno, o.before);
        check_near(o.t_zeno, t, 1e-10 * t);
        check_in(o.before, 5, 40);
        check_in(o.width, fabs(o.t_zeno - t) / 16, 1e-10 * t);
      }
}

/* Late in a long run time is known to 1e-10 only, and so is the point, whatever the
 * tolerance. */
static void late_in_a_run_the_time_is_known_to_its_rounding(void **state)
{
  static const char text[] =
      "model late\n  Real h(start = 0.2, fixed = true), v(start = 0, fixed = true);\n"
      "equation\n  der(h) = v;\n  der(v) = -9.81;\n  when h <= 0 then\n"
      "    reinit(v, -0.6*pre(v));\n  end when;\nend late;\n";
  const double t0 = 1e6, t_zeno = t0 + sqrt(2 * 0.2 / 9.81) * (1 + 2 * 0.6 / (1 - 0.6));
  size_t found = 0;

  (void)state;
  brink_sim_opts opt = brink_sim_defaults();
  opt.rtol = 1e-9;
  rig r = rig_text(text, &opt, t0);
  check_status(brink_sim_run(r.sim, t0 + 3), BRINK_END);
  const brink_trace *trace = brink_sim_trace(r.sim);
  for (size_t k = 0; k < brink_trace_events(trace); k++) {
    brink_event e = brink_trace_event(trace, k);
    if (e.kind != BRINK_KIND_ZENO)
      continue;
    check_near(e.t, t_zeno, 1e-9);
    check_in(e.width, fabs(e.t - t_zeno) / 16, 2e-9);
    found++;
  }
  assert_int_equal(found, 1);
  rig_free(&r);
}

static void slow_contractions_take_longer(void **state)
{
  static const double kept[] = {0.95, 0.99};

  (void)state;
  for (int i = 0; i < 2; i++) {
    brink_sim_opts opt = brink_sim_defaults();
    outcome o = bounce(kept[i], 0, 1.3, &opt);
    double t = zeno_time(kept[i], 1.3);
    print_message("%g: error %.1e, said %.1e, after %d bounces\n", kept[i],
                  fabs(o.t_zeno - t) / t, o.width / t, o.before);
    check_near(o.t_zeno, t, 1e-10 * t);
    check_in(o.before, 40, 600);
  }
}

/* ARGESIM C21, task 2.1: e = 0.9 from 10 m, with drag 0.002 v^2.  The reference is the
 * sum of the times of 2000 flights in closed form, to 30 digits. */
static void with_drag_the_time_is_known_too(void **state)
{
  static const double exact = 25.5894575701313782;
  static const char *const methods[] = {"dopri5", "dop853", "taylor", "adams"};

  (void)state;
  for (int m = 0; m < 4; m++) {
    brink_sim_opts opt = brink_sim_defaults();
    opt.method = methods[m];
    opt.rtol = 1e-12;
    outcome o = bounce(0.9, 0.002, 10, &opt);
    print_message("%s: error %.1e, said %.1e, after %d bounces\n", methods[m],
                  fabs(o.t_zeno - exact) / exact, o.width / exact, o.before);
    check_near(o.t_zeno, exact, 1e-9 * exact);
    check_in(o.before, 5, 70);
  }
}

/* --------------------------------------------------- models with their own rest --- */

/* A Boolean takes gravity away when a bounce does not lift off. */
static void a_ball_with_its_own_rest_gets_it(void **state)
{
  static const char text[] =
      "model R\n  Real z(start = %.17g, fixed = true), u(start = 0, fixed = true);\n"
      "  Real away(start = 0, fixed = true);\n"
      "  Boolean up(start = true, fixed = true), on;\nequation\n  on = z <= %.17g;\n"
      "  der(z) = u;\n  der(u) = if up then -%.17g else 0;\n"
      "  when {z <= %.17g and u <= 0, on} then\n"
      "    away = if edge(on) then -%.17g*pre(u) else 0;\n    up = away > 0;\n"
      "    reinit(u, away);\n  end when;\nend R;\n";
  static const double kept[] = {0.3, 0.7, 0.92}, floors[] = {0, 0.3, -7};
  static const char *const methods[] = {"dopri5", "bs23", "taylor"};

  (void)state;
  for (int i = 0; i < 9; i++) {
    double e = kept[i % 3], floor = floors[i / 3], g = 3.7 + i;
    char all[800];
    brink_sim_opts opt = brink_sim_defaults();
    opt.method = methods[i % 3];
    snprintf(all, sizeof all, text, floor + 1, floor, g, floor, e);
    outcome o = run(all, &opt, 50);
    check_status(o.rc, BRINK_END);
    check_near(o.t_zeno, sqrt(2 / g) * (1 + e) / (1 - e), 1e-9);
    check_near(o.v[0], floor, 4e-16 * fabs(floor));
    check_near(o.v[1], 0, 0);
  }
}

/* Flight and lying as states of a machine. */
static void a_machine_with_its_own_rest_gets_it(void **state)
{
  static const char text[] =
      "model M\n  parameter Real e = 0.8, g = 9.81;\n  model Air\n"
      "    parameter Real g;\n    Real h(start = 1, fixed = true);\n"
      "    Real v(start = 0, fixed = true);\n  equation\n    der(h) = v;\n"
      "    der(v) = -g;\n  end Air;\n  model Ground\n    Real s(start = 0);\n"
      "  equation\n    der(s) = 1;\n  end Ground;\n  Air air(g = g);\n"
      "  Ground ground;\n  discrete Real up(start = 1, fixed = true);\nequation\n"
      "  initialState(air);\n  when air.h <= 0 then\n    up = -e*pre(air.v);\n"
      "    reinit(air.v, -e*pre(air.v));\n  end when;\n"
      "  transition(air, ground, up <= 0);\n"
      "  annotation(__brink(modes = true));\nend M;\n";
  brink_sim_opts opt = brink_sim_defaults();
  outcome o = run(text, &opt, 8);
  double t = 9 * sqrt(2 / 9.81);

  (void)state;
  check_status(o.rc, BRINK_END);
  check_near(o.t_zeno, t, 1e-10);
  check_near(o.v[0], 0, 0);
  check_near(o.v[2], 8 - t, 1e-9);
}

/* ---------------------------------------- sequences that do otherwise later on --- */

static const char otherwise[] =
    "model O\n  Real h(start = 1, fixed = true), v(start = 0, fixed = true);\n"
    "  Boolean flies(start = true, fixed = true);\n"
    "  Integer n(start = 0, fixed = true);\nequation\n"
    "  der(h) = if flies then v else 0;\n  der(v) = if flies then -9.81 else 0;\n"
    "  when h <= 0 then\n    n = pre(n) + 1;\n    %s\n  end when;\nend O;\n";

static outcome later(const char *action, double t_end)
{
  brink_sim_opts opt = brink_sim_defaults();
  char text[1000];

  snprintf(text, sizeof text, otherwise, action);
  return run(text, &opt, t_end);
}

/* Bounces below a speed end the flight there and then, not where they would
 * accumulate. */
static void the_last_bounce_is_where_the_model_says(void **state)
{
  outcome o = later("flies = -0.8*pre(v) > 0.05;\n"
                    "    reinit(v, if -0.8*pre(v) > 0.05 then -0.8*pre(v) else 0);",
                    8);

  (void)state;
  check_status(o.rc, BRINK_END);
  assert_true(isnan(o.t_zeno));
  check_near(o.v[3], 21, 0); /* 0.8^20 sqrt(2 g) > 0.05 */
  check_near(o.v[1], 0, 0);
}

/* After 30 bounces nothing is lost any more; the floor stops taking; gravity changes.
 */
static void a_counter_ends_the_contraction(void **state)
{
  outcome o = later("flies = true;\n"
                    "    reinit(v, if pre(n) < 30 then -0.8*pre(v) else -pre(v));",
                    4.1);

  (void)state;
  check_status(o.rc, BRINK_END);
  assert_true(isnan(o.t_zeno));
  check_in(o.v[3], 60, 80);
}

/* Levels that stop moving closer; and those that do not. */
static void a_level_may_stop_contracting(void **state)
{
  static const char text[] =
      "model L\n  Real x(start = 0, fixed = true), z(start = 1, fixed = true);\n"
      "  Integer n(start = 0, fixed = true);\n"
      "  discrete Real level(start = 1, fixed = true);\nequation\n  der(x) = 1;\n"
      "  der(z) = -z;\n  when x > pre(level) then\n    n = pre(n) + 1;\n"
      "    level = pre(level) + max(0.7^pre(n), %.17g);\n    reinit(z, 1);\n"
      "  end when;\nend L;\n";
  char all[600];
  brink_sim_opts opt = brink_sim_defaults();

  (void)state;
  for (int i = 1; i < 6; i++) {
    double least = pow(10, -i);
    snprintf(all, sizeof all, text, least);
    outcome o = run(all, &opt, 4.5);
    assert_true(isnan(o.t_zeno));
    check_status(o.rc, BRINK_END);
  }
  snprintf(all, sizeof all, text, 0.0);
  outcome o = run(all, &opt, 10);
  check_near(o.t_zeno, 1 + 1 / 0.3, 1e-10);
  check_status(o.rc, BRINK_ZENO);
}

/* ------------------------------------------------------------------- tanks --- */

static const char hose[] =
    "model H\n  Real x1(start = 1.13, fixed = true), x2(start = 1.41, fixed = true);\n"
    "  Boolean first(start = true, fixed = true);\nequation\n"
    "  der(x1) = (if first then 1.1 else 0) - 0.7;\n"
    "  der(x2) = (if first then 0 else 1.1) - 0.9;\n  when x2 <= 0.2 then\n"
    "    first = false;\n  elsewhen x1 <= 0.3 then\n    first = true;\n  end when;\n"
    "end H;\n";

/* No law keeps both levels. */
static void one_hose_for_two_tanks_ends_with_both_named(void **state)
{
  EACH_PLAIN_METHOD (m) {
    brink_sim_opts opt = brink_sim_defaults();
    opt.method = brink_method_name(m);
    if (brink_method_fixed_step(m))
      opt.h0 = 0.013;
    outcome o = run(hose, &opt, 8);
    double t = (0.83 + 1.21) / (0.7 + 0.9 - 1.1);
    check_status(o.rc, BRINK_ZENO);
    check_near(o.t_zeno, t, 1e-10 * t);
    check_near(o.t, o.t_zeno, 0);
    check_text(o.why, "'x2 <= 0.2 (line 7)'");
    check_text(o.why, "'x1 <= 0.3 (line 9)'");
  }
  (void)state;
}

/* -------------------------------------------------------------- the policies --- */

static void the_policies_differ(void **state)
{
  brink_sim_opts opt = brink_sim_defaults();
  double t = zeno_time(0.5, 1);

  (void)state;
  opt.zeno = BRINK_ZENO_STOP;
  outcome o = bounce(0.5, 0, 1, &opt);
  check_status(o.rc, BRINK_ZENO);
  check_near(o.t_zeno, t, 1e-10);
  check_near(o.t, o.t_zeno, 0);
  check_text(o.why, "to stop");
  opt.zeno = BRINK_ZENO_STEP;
  opt.zeno_gap = 1e-300; /* down to rounding */
  o = bounce(0.5, 0, 1, &opt);
  check_status(o.rc, BRINK_ZENO);
  check_near(o.t_zeno, t, 1e-10); /* the verdict, where rounding hides the next one */
  check_in(o.before, 41, 1000);
}

/* Two tanks past their accumulation point: with a delay each law has half of the time;
 * on average both levels fall at one rate. */
static void the_tanks_go_on_by_name(void **state)
{
  brink_sim_opts opt = brink_sim_defaults();
  double t = 4.08, left = 8 - t;

  (void)state;
  opt.zeno = BRINK_ZENO_REGULARIZE;
  outcome o = run(hose, &opt, 8);
  check_status(o.rc, BRINK_END);
  check_near(o.t_zeno, t, 1e-9);
  check_near(o.v[0], 0.3 + (1.1 / 2 - 0.7) * left, 0.01);
  check_near(o.v[1], 0.2 + (1.1 / 2 - 0.9) * left, 0.01);
  opt.zeno = BRINK_ZENO_AVERAGE;
  o = run(hose, &opt, 8);
  check_status(o.rc, BRINK_END);
  check_near(o.v[0], 0.3 + (1.1 - 0.7 - 0.9) / 2 * left, 1e-8);
  check_near(o.v[1], 0.2 + (1.1 - 0.7 - 0.9) / 2 * left, 1e-8);
}

/* A ball with a delay sinks as slowly as the delay is short. */
static void a_ball_sinks_by_its_delay(void **state)
{
  brink_sim_opts opt = brink_sim_defaults();
  char text[600];
  double depth[2];

  (void)state;
  snprintf(text, sizeof text, ball, 0.5, 9.81, 0.0, 1.0);
  opt.zeno = BRINK_ZENO_REGULARIZE;
  for (int i = 0; i < 2; i++) {
    opt.rtol = i ? 1e-8 : 1e-6;
    outcome o = run(text, &opt, 5);
    check_status(o.rc, BRINK_END);
    depth[i] = -o.v[0];
  }
  check_in(depth[0], 1e-5, 0.05);
  check_near(depth[1] / depth[0], 0.1, 0.03);
}

/* ------------------------------------------------------------- diagnosis --- */

/* The verdict is in the record, with the rates of the guard on both sides. */
static void verdicts_are_events(void **state)
{
  static const char to_and_fro[] =
      "model T\n  Real x(start = 0, fixed = true);\n"
      "  Boolean b(start = false, fixed = true);\nequation\n  der(x) = 1;\n"
      "  b = x + (if pre(b) then -1 else 1)*0.1 > 0.3;\nend T;\n";
  brink_sim_opts opt = brink_sim_defaults();
  outcome o = bounce(0.8, 0, 1, &opt);

  (void)state;
  check_near(o.last.rate_after / o.last.rate_before, -0.8, 1e-6);
  opt.zeno = BRINK_ZENO_STEP;
  opt.zeno_gap = 1e-300; /* down to rounding */
  char text[600];
  rig r;
  snprintf(text, sizeof text, ball, 0.8, 9.81, 0.0, 1.0);
  const char *const texts[] = {text, to_and_fro};
  for (int i = 0; i < 2; i++) {
    check_status(brink_ctx_new(NULL, &r.ctx), BRINK_OK);
    check_status(
        brink_model_read(r.ctx, "t.mo", texts[i], strlen(texts[i]), NULL, &r.model),
        BRINK_OK);
    check_status(brink_sim_new(r.ctx, r.model, &opt, &r.sim), BRINK_OK);
    check_status(brink_sim_start(r.sim, 0, 0, NULL), BRINK_OK);
    check_status(brink_sim_run(r.sim, 10), i ? BRINK_EITERATION : BRINK_ZENO);
    brink_event e = rig_event(&r, rig_events(&r) - 1);
    check_text(brink_kind_text(e.kind), i ? "loop" : "zeno");
    assert_true(i ? e.rate_before > 0 && e.rate_after > 0
                  : e.rate_before < 0 && e.rate_after > 0);
    check_text(brink_sim_error(r.sim)->text, "dg/dt = ");
    rig_free(&r);
  }
}

/* What moves beside a ball that comes to rest, along no straight line: where the run
 * goes to the limit, an oscillator stays within its tolerance, and a body that is about
 * to land does so at its own time. */
static void what_moves_beside_is_known_to_its_tolerance(void **state)
{
  brink_sim_opts opt = brink_sim_defaults();
  static const double speeds[] = {0.5, 1, 2, 7};

  (void)state;
  opt.rtol = 1e-9;
  opt.method = "dop853";
  for (size_t i = 0; i < BRINK__COUNT(speeds); i++) {
    char text[600];
    snprintf(text, sizeof text,
             "model t\n  Real h(start = 1, fixed = true), v(start = 0, fixed = true);\n"
             "  Real x(start = 1, fixed = true), y(start = 0, fixed = true);\n"
             "equation\n  der(h) = v;\n  der(v) = -9.81;\n"
             "  der(x) = %g*y;\n  der(y) = -%g*x;\n"
             "  when h <= 0 then\n    reinit(v, -0.8*pre(v));\n  end when;\nend t;\n",
             speeds[i], speeds[i]);
    outcome o = run(text, &opt, 6);
    check_status(o.rc, BRINK_END);
    check_near(o.t_zeno, 9 * sqrt(2 / 9.81), 1e-9);
    check_near(o.v[2], cos(6 * speeds[i]), 5e-9);
    check_near(o.v[3], -sin(6 * speeds[i]), 5e-9);
  }

  outcome o =
      run("model t\n  Real h(start = 1, fixed = true), v(start = 0, fixed = true);\n"
          "  Real z(start = 81.5, fixed = true), w(start = 0, fixed = true);\n"
          "equation\n  der(h) = v;\n  der(v) = -9.81;\n  der(z) = w;\n"
          "  der(w) = -9.81;\n  when h <= 0 then\n    reinit(v, -0.8*pre(v));\n"
          "  end when;\n  when z <= 0 then\n    terminate(\"down\");\n  end when;\n"
          "end t;\n",
          &opt, 6);
  check_status(o.rc, BRINK_TERMINATED);
  check_near(o.t, sqrt(2 * 81.5 / 9.81), 1e-9);
}

/* A clone made on the way goes on as the original. */
static void a_clone_knows_what_was_seen(void **state)
{
  char text[600];
  rig r;
  brink_sim *twin;

  (void)state;
  snprintf(text, sizeof text, ball, 0.8, 9.81, 0.01, 1.0);
  check_status(brink_ctx_new(NULL, &r.ctx), BRINK_OK);
  check_status(brink_model_read(r.ctx, "t.mo", text, strlen(text), NULL, &r.model),
               BRINK_OK);
  check_status(brink_sim_new(r.ctx, r.model, NULL, &r.sim), BRINK_OK);
  check_status(brink_sim_start(r.sim, 0, 0, NULL), BRINK_OK);
  for (int i = 0; i < 14; i++)
    while (brink_sim_advance(r.sim, 100) == BRINK_OK)
      ;
  check_status(brink_sim_clone(r.ctx, r.sim, &twin), BRINK_OK);
  brink_status rc = brink_sim_run(r.sim, 100);
  check_status(brink_sim_run(twin, 100), rc);
  check_near(brink_sim_time(twin), brink_sim_time(r.sim), 0);
  assert_int_equal(brink_sim_statistics(twin).events,
                   brink_sim_statistics(r.sim).events);
  brink_sim_free(twin);
  rig_free(&r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_time_is_known_after_40_bounces),
      cmocka_unit_test(late_in_a_run_the_time_is_known_to_its_rounding),
      cmocka_unit_test(slow_contractions_take_longer),
      cmocka_unit_test(with_drag_the_time_is_known_too),
      cmocka_unit_test(a_ball_with_its_own_rest_gets_it),
      cmocka_unit_test(a_machine_with_its_own_rest_gets_it),
      cmocka_unit_test(the_last_bounce_is_where_the_model_says),
      cmocka_unit_test(a_counter_ends_the_contraction),
      cmocka_unit_test(a_level_may_stop_contracting),
      cmocka_unit_test(one_hose_for_two_tanks_ends_with_both_named),
      cmocka_unit_test(the_policies_differ),
      cmocka_unit_test(the_tanks_go_on_by_name),
      cmocka_unit_test(a_ball_sinks_by_its_delay),
      cmocka_unit_test(verdicts_are_events),
      cmocka_unit_test(what_moves_beside_is_known_to_its_tolerance),
      cmocka_unit_test(a_clone_knows_what_was_seen),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
