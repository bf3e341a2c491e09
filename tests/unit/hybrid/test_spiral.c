/* test_spiral.c -- solutions that turn round the corner of two switches, or about the
 * zero of one behind a lag, ever closer, and never come to it: below the tolerances
 * they are held; turns that keep their size or grow are not.  References are closed
 * formulas.
 */
#include "hybrid.h"
#include "core/core.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static brink_sim_opts options(double rtol)
{
  brink_sim_opts opt = brink_sim_defaults();

  opt.rtol = rtol;
  return opt;
}

static rig of_text(const char *text, brink_sim_opts opt)
{
  rig r = {0};

  assert_int_equal(brink_ctx_new(NULL, &r.ctx), BRINK_OK);
  if (brink_model_read(r.ctx, "test.mo", text, strlen(text), NULL, &r.model) < 0 ||
      brink_sim_new(r.ctx, r.model, &opt, &r.sim) < 0)
    fail_msg("%s", brink_ctx_error(r.ctx)->text);
  check_status(brink_sim_start(r.sim, 0, 0, NULL), BRINK_OK);
  return r;
}

static double value(rig *r, const char *name)
{
  double v;

  check_status(brink_sim_get(r->sim, name, &v), BRINK_OK);
  return v;
}

static void run_to(rig *r, double t)
{
  brink_status rc = brink_sim_run(r->sim, t);

  if (rc != BRINK_END)
    fail_msg("status %d: %s", (int)rc, brink_sim_error(r->sim)->text);
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

/* Is there a warning with this in it? */
static int warns(rig *r, const char *part)
{
  const char *text;

  for (int i = 0; (text = brink_sim_warning(r->sim, i)) != NULL; i++)
    if (strstr(text, part))
      return 1;
  return 0;
}

/* ------------------------------------------------------- a network of two ---- */

/* x' = a(y) - x, y' = b(x) - y, focal points on all sides of (1, 1): with the means
 * a = 1 and b = 1 there the switches are on for 7/19 and 5/7 of the time, and z' =
 * that of y - z.  From t = 12 on a is above 1 on both sides of y = 1. */
static const char *const networks[] = {
    "model A\n  Real x(start = 0.2, fixed = true), y(start = 0.3, fixed = true), a, "
    "b;\n"
    "  Real z(start = 0, fixed = true);\nequation\n"
    "  a = (if y < 1 then 2.2 else 0.3) + (if time > 12 then 2 else 0);\n"
    "  b = if x < 1 then 0.4 else 2.5;\n"
    "  der(x) = a - x;\n  der(y) = b - y;\n  der(z) = b - z;\nend A;\n",
    "model B\n  Real x(start = 0.2, fixed = true), y(start = 0.3, fixed = true), a, "
    "b;\n"
    "  Real z(start = 0, fixed = true);\nequation\n"
    "  a = 1.25 - 0.95*sign(y - 1) + (if time > 12 then 2 else 0);\n"
    "  b = 1.45 + 1.05*sign(x - 1);\n"
    "  der(x) = a - x;\n  der(y) = b - y;\n  der(z) = b - z;\nend B;\n",
    "model C\n  Real x(start = 0.2, fixed = true), y(start = 0.3, fixed = true), a, "
    "b;\n"
    "  Real z(start = 0, fixed = true);\n  Boolean on(start = true, fixed = true);\n"
    "  Boolean up(start = false, fixed = true);\nequation\n"
    "  when y < 1 then\n    on = true;\n  elsewhen y >= 1 then\n    on = false;\n"
    "  end when;\n  when x < 1 then\n    up = false;\n  elsewhen x >= 1 then\n"
    "    up = true;\n  end when;\n"
    "  a = (if on then 2.2 else 0.3) + (if time > 12 then 2 else 0);\n"
    "  b = if up then 2.5 else 0.4;\n"
    "  der(x) = a - x;\n  der(y) = b - y;\n  der(z) = b - z;\nend C;\n"};
enum { NETWORKS = 3 };

static void turns_below_the_tolerance_are_a_corner(void **state)
{
  (void)state;
  for (int i = 0; i < NETWORKS; i++)
    for (int m = 0; m < 3; m++) {
      brink_sim_opts opt = options(1e-3);
      double t;
      opt.method = (const char *[]){"auto", "dopri5", "radau"}[m];
      rig r = of_text(networks[i], opt);
      run_to(&r, 11);
      assert_int_equal(count(&r, BRINK_KIND_SLIDE_IN, &t), 2);
      check_near(value(&r, "x"), 1, 1e-14);
      check_near(value(&r, "y"), 1, 1e-14);
      check_near(value(&r, "a"), 1, 1e-12);
      check_near(value(&r, "b"), 1, 1e-12);
      double z = value(&r, "z");
      assert_true(warns(&r, "below the tolerances"));
      size_t events = rig_events(&r);
      assert_in_range(events, 100, 5000);
      run_to(&r, 11.9);
      assert_int_equal(rig_events(&r), events);
      check_near(value(&r, "z"), 1 + (z - 1) * exp(-0.9), 1e-5);
      run_to(&r, 12.5); /* x' = 2.3 - x: up, and y with it */
      check_near(value(&r, "x"), 2.3 - 1.3 * exp(-0.5), 2e-3);
      check_near(value(&r, "y"), 2.5 - 1.5 * exp(-0.5), 2e-3);
      rig_free(&r);
    }
}

/* The same in four modes of callbacks, y < 1 and x < 1 as bits. */
static int focal(double t, const double *y, double *f, const brink_env *e)
{
  (void)t;
  f[0] = (e->mode & 1 ? 2.2 : 0.3) - y[0];
  f[1] = (e->mode & 2 ? 0.4 : 2.5) - y[1];
  return 0;
}

static double threshold(double t, const double *y, int k, const brink_env *e)
{
  (void)t, (void)e;
  return y[1 - k] - 1;
}

static int cross(brink_jump *j)
{
  j->mode = j->mode_before ^ (1 << j->index);
  return 0;
}

static void modes_of_callbacks_turn_alike(void **state)
{
  const brink_guard_def guards[] = {{.name = "y", .fn = threshold},
                                    {.name = "x", .fn = threshold}};
  brink_event_def events[4][2];
  brink_mode_def modes[4];
  brink_sim_opts opt = options(1e-3);
  const double start[] = {0.2, 0.3};
  double t;

  (void)state;
  for (int i = 0; i < 4; i++) {
    for (int k = 0; k < 2; k++)
      events[i][k] = (brink_event_def){.name = k ? "x" : "y",
                                       .guard = k,
                                       .dir = i >> k & 1 ? BRINK_UP : BRINK_DOWN,
                                       .jump = cross};
    modes[i] = (brink_mode_def){.name = "m",
                                .n = 2,
                                .rhs = focal,
                                .guards = guards,
                                .n_guards = 2,
                                .events = events[i],
                                .n_events = 2};
  }
  const brink_model_def def = {.name = "network", .modes = modes, .n_modes = 4};
  rig r = rig_new(&def, &opt, 0, 3, start);
  run_to(&r, 50);
  assert_int_equal(count(&r, BRINK_KIND_SLIDE_IN, &t), 2);
  check_near(brink_sim_state(r.sim)[0], 1, 1e-14);
  check_near(brink_sim_state(r.sim)[1], 1, 1e-14);
  rig_free(&r);
}

static void a_width_says_how_close_is_enough(void **state)
{
  brink_sim_opts opt = options(1e-9);
  double t;

  (void)state;
  opt.sliding_width = 0.01;
  rig r = of_text(networks[0], opt);
  run_to(&r, 11);
  assert_int_equal(count(&r, BRINK_KIND_SLIDE_IN, &t), 2);
  assert_true(warns(&r, "below sliding_width"));
  assert_in_range(rig_events(&r), 30, 400);
  rig_free(&r);
}

/* Of order 3: |x| falls like the root of 1/t. */
static void terms_of_any_order_may_make_turns_closer(void **state)
{
  brink_sim_opts opt = options(1e-6);
  double t;

  (void)state;
  opt.sliding_width = 0.05;
  rig r = of_text("model O\n  Real x(start = 0.4, fixed = true);\n"
                  "  Real y(start = 0.1, fixed = true);\nequation\n"
                  "  der(x) = -sign(y) - 4*x^3;\n  der(y) = sign(x) - 4*y^3;\nend O;\n",
                  opt);
  run_to(&r, 400);
  assert_int_equal(count(&r, BRINK_KIND_SLIDE_IN, &t), 2);
  check_near(value(&r, "x"), 0, 1e-14);
  rig_free(&r);
}

/* -------------------------------------------------- one switch behind a lag ---- */

/* A relay s moves x through a lag of 0.2, against a force d = 0.05 t.  Where x stays at
 * 0, u = -d and s = -2 (0.2 u' + u) = 0.1 (t + 0.2), until that is 1: at t = 9.8. */
static const char *const lags[] = {
    "  s = sign(x);\n", "  s = if x > 0 then 1 else -1;\n",
    "  when x > 0 then\n    up = true;\n  elsewhen x <= 0 then\n    up = false;\n"
    "  end when;\n  s = if up then 1 else -1;\n"};
enum { LAGS = 3 };

static rig of_lag(const char *relay, brink_sim_opts opt)
{
  char text[500];

  snprintf(
      text, sizeof text,
      "model L\n  Real x(start = 0.31, fixed = true), u(start = 0, fixed = true);\n"
      "  Real s;\n  Boolean up(start = true, fixed = true)%s;\nequation\n"
      "%s  der(x) = -0.3*x + u + 0.05*time;\n  0.2*der(u) = -u - 0.5*s;\nend L;\n",
      relay == lags[2] ? "" : " = x > 7", relay);
  return of_text(text, opt);
}

static void turns_about_a_switch_behind_a_lag_are_held(void **state)
{
  (void)state;
  for (int i = 0; i < LAGS; i++)
    for (int m = 0; m < 3; m++) {
      brink_sim_opts opt = options(1e-2);
      double t;
      opt.method = (const char *[]){"auto", "dopri5", "radau"}[m];
      rig r = of_lag(lags[i], opt);
      run_to(&r, 9);
      assert_int_equal(count(&r, BRINK_KIND_SLIDE_IN, &t), 1);
      assert_true(warns(&r, "about the zero of"));
      assert_true(warns(&r, "below the tolerances"));
      check_near(value(&r, "x"), 0, 1e-14);
      check_near(value(&r, "u"), -0.45, 1e-12);
      check_near(value(&r, "s"), 0.92, 1e-10);
      size_t events = rig_events(&r);
      assert_in_range(events, 100, 5000);
      run_to(&r, 9.7);
      assert_int_equal(rig_events(&r), events);
      run_to(&r, 10);
      assert_int_equal(count(&r, BRINK_KIND_SLIDE_OUT, &t), 1);
      check_near(t, 9.8, 1e-9);
      rig_free(&r);
    }
}

/* The number of turns grows like the inverse of their time, whose square is how wide
 * the guard goes: a hundredth of it costs ten times as many events. */
static void a_width_says_how_close_to_a_switch_is_enough(void **state)
{
  size_t events[2];
  double t;

  (void)state;
  for (int i = 0; i < 2; i++) {
    brink_sim_opts opt = options(1e-9);
    opt.sliding_width = i ? 1e-6 : 1e-4;
    rig r = of_lag(lags[1], opt);
    run_to(&r, 9);
    assert_int_equal(count(&r, BRINK_KIND_SLIDE_IN, &t), 1);
    assert_true(warns(&r, "below sliding_width"));
    check_near(value(&r, "u"), -0.45, 1e-9);
    events[i] = rig_events(&r);
    rig_free(&r);
  }
  assert_in_range(events[1], 7 * events[0], 14 * events[0]);
}

/* At this tolerance there would be millions: after a hundred thousand the turns are
 * passed over, and a warning says how wide they are. */
static void a_hundred_thousand_turns_are_enough(void **state)
{
  brink_sim_opts opt = options(1e-7);
  double t;

  (void)state;
  opt.method = "dopri5";
  rig r = of_lag(lags[1], opt);
  run_to(&r, 9);
  assert_int_equal(count(&r, BRINK_KIND_SLIDE_IN, &t), 1);
  assert_true(warns(&r, "tolerances wide"));
  assert_in_range(rig_events(&r), 100000, 100100);
  check_near(value(&r, "u"), -0.45, 1e-7);
  rig_free(&r);
}

/* --------------------------------------------------------- what is not held ---- */

/* Turns that keep their size, that grow, that are carried out as asked, and those whose
 * mean need not be that of the corner; and, held, the same turns without all that. */
static void check_turns(const char *law, const char *sliding, int held)
{
  char text[500];
  brink_sim_opts opt = options(1e-3);
  double t;

  snprintf(text, sizeof text,
           "model N\n  Real x(start = 1 + 1e-4, fixed = true);\n"
           "  Real y(start = 1, fixed = true), z(start = 1, fixed = true);\nequation\n"
           "%s\nend N;\n",
           law);
  opt.sliding = sliding;
  opt.method = "dopri5";
  rig r = of_text(text, opt);
  run_to(&r, 1);
  if (count(&r, BRINK_KIND_SLIDE_IN, &t) != 2 * held)
    fail_msg("%s slides at %g", law, t);
  assert_int_equal(rig_events(&r) > 1000, !held);
  rig_free(&r);
}

static void other_turns_are_carried_out(void **state)
{
  (void)state;
  check_turns("  der(x) = -sign(y - 1);\n  der(y) = sign(x - 1);\n  der(z) = x - 1;",
              "filippov", 0);
  check_turns("  der(x) = -sign(y - 1) + 0.3*(x - 1);\n"
              "  der(y) = sign(x - 1) + 0.3*(y - 1);\n  der(z) = x - 1;",
              "filippov", 0);
  check_turns("  der(x) = -sign(y - 1) - 0.3*(x - 1);\n"
              "  der(y) = sign(x - 1) - 0.3*(y - 1);\n  der(z) = x - 1;",
              "filippov", 1);
  check_turns("  der(x) = -sign(y - 1) - 0.3*(x - 1);\n"
              "  der(y) = sign(x - 1) - 0.3*(y - 1);\n  der(z) = x - 1;",
              "chatter", 0);
  check_turns("  der(x) = -sign(y - 1) - 0.3*(x - 1);\n"
              "  der(y) = sign(x - 1) - 0.3*(y - 1);\n"
              "  der(z) = sign(x - 1)*sign(y - 1);",
              "filippov", 0);
  /* about one switch: turns that keep their size, that grow, a limit cycle; held */
  check_turns("  der(x) = y - 1;\n  der(y) = -1e4*sign(x - 1);\n  der(z) = 0;",
              "filippov", 0);
  check_turns(
      "  der(x) = y - 1;\n  der(y) = 0.1*(y - 1) - 1e4*sign(x - 1);\n  der(z) = 0;",
      "filippov", 0);
  check_turns("  der(x) = y - 1;\n  1e-4*der(y) = z - y;\n"
              "  1e-5*der(z) = 1 - z - sign(x - 1);",
              "filippov", 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(turns_below_the_tolerance_are_a_corner),
      cmocka_unit_test(modes_of_callbacks_turn_alike),
      cmocka_unit_test(a_width_says_how_close_is_enough),
      cmocka_unit_test(terms_of_any_order_may_make_turns_closer),
      cmocka_unit_test(turns_about_a_switch_behind_a_lag_are_held),
      cmocka_unit_test(a_width_says_how_close_to_a_switch_is_enough),
      cmocka_unit_test(a_hundred_thousand_turns_are_enough),
      cmocka_unit_test(other_turns_are_carried_out),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
