/* radau as programs meet it: sparse matrices of grids, loops that are solved with the
 * step, and what it says where a Jacobian or f is of no use. */
#include "hybrid.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "brink/load.h"
#include "core/core.h"
#include "linear/linear.h"

/* --------------------------------------------------------------- a grid --- */

/* Diffusion of u without flux across the sides, and v that follows u in 1e-5: u = 0.4 +
 * 0.31 t + 0.25 exp(-lambda t) cos(pi (i - 1/2)/n). */
static const char grid[] =
    "model Grid\n"
    "  constant Integer n = %d;\n"
    "  constant Real D = 40;\n"
    "  Real u[n, n](start = {{0.4 + 0.25*cos(3.14159265358979323846*(i - 0.5)/n)\n"
    "    for j in 1:n} for i in 1:n}, each fixed = true);\n"
    "  Real v[n, n](start = {{0.4 + 0.25*cos(3.14159265358979323846*(i - 0.5)/n)\n"
    "    for j in 1:n} for i in 1:n}, each fixed = true);\n"
    "  Real top = max(u);\n"
    "  Integer k(start = 0, fixed = true);\n"
    "equation\n"
    "  for i in 1:n loop for j in 1:n loop\n"
    "    der(u[i, j]) = 0.31 + D*(u[if i > 1 then i - 1 else 1, j] +\n"
    "      u[if i < n then i + 1 else n, j] + u[i, if j > 1 then j - 1 else 1] +\n"
    "      u[i, if j < n then j + 1 else n] - 4*u[i, j]);\n"
    "    der(v[i, j]) = 1e5*(u[i, j] - v[i, j]);\n"
    "  end for; end for;\n"
    "  when top > 0.73 then k = pre(k) + 1; end when;\n"
    "end Grid;\n";

/* u of the first row less 0.73. */
static double height(int n, double t)
{
  double half = sin(acos(-1) / (2 * n));

  return 0.4 + 0.31 * t + 0.25 * exp(-160 * half * half * t) * cos(acos(-1) / (2 * n)) -
         0.73;
}

/* Its zero: it begins below, may fall and then rises. */
static double crossing(int n)
{
  double a = 0, b = 3;

  for (int i = 0; i < 200; i++) {
    double m = (a + b) / 2;
    *(height(n, m) < 0 ? &a : &b) = m;
  }
  return a;
}

static rig grid_rig(int n)
{
  brink_sim_opts opt = brink_sim_defaults();
  char text[2000];
  rig r = {0};

  int length = snprintf(text, sizeof text, grid, n);
  opt.method = "radau";
  opt.rtol = 1e-8;
  check_status(brink_ctx_new(NULL, &r.ctx), BRINK_OK);
  check_status(brink_model_read(r.ctx, "g.mo", text, (size_t)length, NULL, &r.model),
               BRINK_OK);
  check_status(brink_sim_new(r.ctx, r.model, &opt, &r.sim), BRINK_OK);
  check_status(brink_sim_start(r.sim, 0, 0, NULL), BRINK_OK);
  return r;
}

/* Bytes that the run has at its end. */
static size_t grid_run(int n)
{
  rig r = grid_rig(n);
  double want = crossing(n), t1 = want + 0.217;

  check_status(brink_sim_run(r.sim, t1), BRINK_END);
  assert_int_equal(rig_events(&r), 1);
  check_near(rig_event(&r, 0).t, want, 3e-7);
  check_near(brink_sim_state(r.sim)[0], height(n, t1) + 0.73, 1e-7);
  assert_true(brink_sim_statistics(r.sim).work.steps < 300);
  size_t bytes = brink_ctx_alloc_stats(r.ctx).live_bytes;
  rig_free(&r);
  return bytes;
}

static void a_grid_takes_memory_by_its_cells(void **state)
{
  (void)state;
  size_t small = grid_run(9), large = grid_run(18);
  if (!brink__fill_order_here())
    return;
  /* full matrices of 648 states would take 23 MB */
  check_in((double)large, 0, 16e6);
  check_in((double)large / (double)small, 0, 6);
}

/* The same run again, after a start and in a clone half way: the same bits. */
static void sparse_runs_repeat_to_the_bit(void **state)
{
  double end[2 * 9 * 9];
  rig r = grid_rig(9);
  brink_sim *clone = NULL;

  (void)state;
  check_status(brink_sim_run(r.sim, 1.93), BRINK_END);
  memcpy(end, brink_sim_state(r.sim), sizeof end);
  check_status(brink_sim_start(r.sim, 0, 0, NULL), BRINK_OK);
  for (int i = 0; i < 20; i++)
    assert_true(brink_sim_advance(r.sim, 1.93) >= 0);
  check_status(brink_sim_clone(r.ctx, r.sim, &clone), BRINK_OK);
  check_status(brink_sim_run(r.sim, 1.93), BRINK_END);
  assert_memory_equal(end, brink_sim_state(r.sim), sizeof end);
  check_status(brink_sim_run(clone, 1.93), BRINK_END);
  assert_memory_equal(end, brink_sim_state(clone), sizeof end);
  brink_sim_free(clone);
  rig_free(&r);
}

/* ---------------------------------------------------------------- loops --- */

/* A source that changes its sign, a resistor, two diodes in parallel and a capacitor
 * behind a resistor: the voltage a at the diodes is the unknown of a loop that is not
 * linear.  b follows a fast. */
static const char diodes[] =
    "model Diodes\n"
    "  Real s(start = 3.1, fixed = true) \"source\";\n"
    "  Real c(start = 0.02, fixed = true), b(start = 0, fixed = true);\n"
    "  Real a(start = 0.5);\n"
    "equation\n"
    "  (s - a)/1.7 = 1e-9*(exp(a/0.0259) - exp(-a/0.0259)) + (a - c)/0.9;\n"
    "  der(c) = (a - c)/0.9/0.37;\n"
    "  der(b) = 4e5*(a*c - b);\n"
    "  der(s) = 0.01*a;\n"
    "  when c > 0.41 then reinit(s, -2.9); elsewhen c < -0.38 then reinit(s, 3.3);\n"
    "  end when;\n"
    "end Diodes;\n";

typedef struct outcome {
  size_t events;
  double t[8], y[3];
  brink_work work;
} outcome;

static outcome run_diodes(const char *method, double rtol)
{
  brink_sim_opts opt = brink_sim_defaults();
  outcome out = {0};
  rig r = {0};

  opt.method = method;
  opt.rtol = rtol;
  check_status(brink_ctx_new(NULL, &r.ctx), BRINK_OK);
  check_status(
      brink_model_read(r.ctx, "d.mo", diodes, sizeof diodes - 1, NULL, &r.model),
      BRINK_OK);
  check_status(brink_sim_new(r.ctx, r.model, &opt, &r.sim), BRINK_OK);
  check_status(brink_sim_start(r.sim, 0.37, 0, NULL), BRINK_OK);
  check_status(brink_sim_run(r.sim, 4.21), BRINK_END);
  out.events = rig_events(&r);
  assert_in_range(out.events, 3, 8);
  for (size_t i = 0; i < out.events; i++)
    out.t[i] = rig_event(&r, i).t;
  memcpy(out.y, brink_sim_state(r.sim), sizeof out.y);
  out.work = brink_sim_statistics(r.sim).work;
  rig_free(&r);
  return out;
}

/* radau solves for a with the step; dopri5 lets the model solve for it: 4e5 needs short
 * steps, so that its solution is as exact as can be. */
static void loops_are_solved_with_the_step(void **state)
{
  outcome by_rhs = run_diodes("dopri5", 1e-10), by_step = run_diodes("radau", 1e-9);

  (void)state;
  assert_int_equal(by_step.events, by_rhs.events);
  for (size_t i = 0; i < by_rhs.events; i++)
    check_near(by_step.t[i], by_rhs.t[i], 3e-8);
  for (int i = 0; i < 3; i++)
    check_near(by_step.y[i], by_rhs.y[i], 3e-8);
  assert_true(by_step.work.steps < by_rhs.work.steps / 50);
}

/* -------------------------------------------------------------- refusals --- */

static double claimed;

static int pair(double t, const double *y, double *f, const brink_env *env)
{
  (void)env;
  f[0] = -1e3 * (y[0] - cos(t)) + 0.5 * y[1];
  f[1] = -2 * y[1] + 0.3 * y[0];
  return 0;
}

static int pair_jacobian(double t, const double *y, double *entry, const brink_env *env)
{
  (void)t, (void)y, (void)env;
  entry[0] = -1e3;
  entry[1] = claimed;
  entry[2] = 0.5;
  entry[3] = -2;
  return 0;
}

static int no_jacobian(double t, const double *y, double *entry, const brink_env *env)
{
  (void)t, (void)y, (void)entry, (void)env;
  return -1;
}

static int only_here(double t, const double *y, double *f, const brink_env *env)
{
  (void)y, (void)env;
  f[0] = -1e3;
  f[1] = 2;
  return t > 0.37;
}

static void refused(const brink_mode_def *mode, brink_status want, const char *says)
{
  const brink_model_def def = {.modes = mode, .n_modes = 1};
  const double y0[] = {0.9, 0.2};
  brink_sim_opts opt = brink_sim_defaults();

  opt.method = "radau";
  rig r = rig_new(&def, &opt, 0.37, 0, y0);
  check_status(brink_sim_run(r.sim, 2), want);
  if (want < 0)
    check_text(brink_sim_error(r.sim)->text, says);
  rig_free(&r);
}

static void what_is_wrong_is_said(void **state)
{
  static const int row[] = {0, 0, 1}, col[] = {0, 1, 1};
  brink_mode_def mode = {.name = "m", .n = 2, .rhs = pair, .jacobian = pair_jacobian};

  (void)state;
  claimed = 0.3;
  refused(&mode, BRINK_END, "");
  claimed = 0.31;
  refused(&mode, BRINK_EUSER, "df[1]/dy[0]");
  claimed = nan("");
  refused(&mode, BRINK_ENAN, "df[1]/dy[0] (y2 by y1) = nan at t = 0.37");
  claimed = -0.0;
  refused(&mode, BRINK_EUSER, "(y2 by y1) = 0 at t = 0.37");
  mode.jacobian = no_jacobian;
  refused(&mode, BRINK_EUSER, "the Jacobian asked to stop at t = 0.37");
  mode.jacobian = NULL;
  mode.pattern = (brink_pattern){3, row, col};
  refused(&mode, BRINK_EUSER, "no place for df[1]/dy[0]");
  refused(&(brink_mode_def){.name = "m", .n = 2, .rhs = only_here}, BRINK_EDOMAIN,
          "t = 0.37");
}

/* ------------------------------------------------------------ short steps --- */

/* y moves slowly, x follows it and the time at 3e5: x = cos t, y = 0.2 + 0.7 sin(1.3
 * t).
 */
static const char followers[] =
    "model F Real x(start = 1, fixed = true), y(start = 0.2, fixed = true);\n"
    "equation\n"
    "  der(x) = 3e5*(cos(time) - x) - sin(time) + 1.8e5*(y - 0.2 - "
    "0.7*sin(1.3*time));\n"
    "  der(y) = 0.91*cos(1.3*time) - 0.4*(y - 0.2 - 0.7*sin(1.3*time));\n"
    "end F;\n";

/* The polynomial of a step that a stop has cut short says nothing about the next one,
 * which is a thousand or a million times as long. */
static void a_step_behind_a_short_one_is_as_accurate(void **state)
{
  const double cuts[] = {1.3e-3, 1.1e-5, 6e-7, 1e-8};
  brink_sim_opts opt = brink_sim_defaults();

  (void)state;
  opt.method = "radau";
  opt.rtol = opt.atol = 1e-7;
  for (size_t i = 0; i < BRINK__COUNT(cuts); i++) {
    rig r = rig_text(followers, &opt, 0);
    for (int k = 1; k < 40; k++)
      for (int cut = 0; cut < 2; cut++) {
        double t = 0.37 * k + cut * cuts[i];
        rig_run_to(&r, t);
        check_near(rig_value(&r, "x"), cos(t), 1e-7);
        check_near(rig_value(&r, "y"), 0.2 + 0.7 * sin(1.3 * t), 1e-7);
      }
    assert_true(brink_sim_statistics(r.sim).work.steps < 150);
    rig_free(&r);
  }
}

/* ------------------------------------------------- a guard on a follower --- */

/* y' = -rate (y - s) + s', so that y is s from the beginning on. */
static double rate;

static double signal_at(double t) { return sin(3.1 * t + 0.3) + 0.2 * cos(11 * t); }

static int follow(double t, const double *y, double *f, const brink_env *env)
{
  (void)env;
  f[0] = -rate * (y[0] - signal_at(t)) + 3.1 * cos(3.1 * t + 0.3) - 2.2 * sin(11 * t);
  return 0;
}

/* It crosses 0.3 fourteen times.  Nothing but its polynomial tells: steps that were
 * right at the stages went over ten of these. */
static void a_follower_crosses_where_its_signal_does(void **state)
{
  const brink_guard_def guard = {.name = "y", .level = 0.3};
  const brink_event_def event = {.name = "crossing"};
  const brink_mode_def mode = {.name = "m",
                               .n = 1,
                               .rhs = follow,
                               .guards = &guard,
                               .n_guards = 1,
                               .events = &event,
                               .n_events = 1};
  const brink_model_def def = {.modes = &mode, .n_modes = 1};
  brink_sim_opts opt = brink_sim_defaults();
  double y0 = signal_at(0.37);

  (void)state;
  opt.method = "radau";
  for (rate = 1e2; rate < 1e10; rate *= 37)
    for (opt.rtol = 1e-4; opt.rtol > 1e-11; opt.rtol *= 0.02) {
      opt.atol = opt.rtol;
      rig r = rig_new(&def, &opt, 0.37, 0, &y0);
      rig_run_to(&r, 14.2);
      assert_int_equal(rig_events(&r), 14);
      for (size_t k = 0; k < 14; k++)
        check_near(signal_at(rig_event(&r, k).t), 0.3, 5 * opt.rtol);
      rig_free(&r);
    }
}

/* -------------------------------------------------------- an empty tank --- */

/* Its level is 0 from t = 2 sqrt(0.8)/0.4 on, at the end of its domain, and a sensor of
 * a time constant of 1e-6 follows it. */
static const char tank[] =
    "model Tank\n"
    "  Real h(start = 0.8, fixed = true, min = 0) annotation(__brink(domain = true));\n"
    "  Real s(start = 0.8, fixed = true);\n"
    "  Boolean empty(start = false, fixed = true);\n"
    "equation\n"
    "  der(h) = if empty then 0 else -0.4*sqrt(h);\n"
    "  der(s) = -1e6*(s - h);\n"
    "  when h <= 0 then empty = true; end when;\n"
    "end Tank;\n";

/* Where the sensor's rounding got into the level, h <= 0 came again, or the run ended
 * with the level below 0. */
static void an_empty_tank_stays_empty(void **state)
{
  brink_sim_opts opt = brink_sim_defaults();

  (void)state;
  opt.method = "radau";
  for (opt.rtol = 1e-4; opt.rtol > 1e-11; opt.rtol *= 0.3) {
    rig r = rig_text(tank, &opt, 0);
    rig_run_to(&r, 6.1);
    const brink_trace *trace = brink_sim_trace(r.sim);
    assert_int_equal(brink_trace_events(trace), 1);
    check_near(brink_trace_event(trace, 0).t, 5 * sqrt(0.8), 3e-6);
    check_in(rig_value(&r, "h"), 0, 1e-13);
    assert_int_equal(brink_sim_statistics(r.sim).work.outside_evals, 0);
    rig_free(&r);
  }
}

/* b rests where 1e8 (3 - a) and 1.5e4 b cancel, whose rounding is 1e-12 of b: thousands
 * of tolerances. */
static void steps_do_not_resolve_rounding(void **state)
{
  static const char *const text =
      "model M\n  Real a(start = 0, fixed = true), b(start = 0, fixed = true);\n"
      "equation\n  der(a) = b;\n  der(b) = 1e8*(3 - a) - 1.5e4*b;\nend M;";
  brink_sim_opts opt = brink_sim_defaults();

  (void)state;
  opt.method = "radau";
  for (opt.rtol = 1e-10; opt.rtol > 1e-14; opt.rtol *= 0.1) {
    rig r = rig_text(text, &opt, 0.37);
    rig_run_to(&r, 1.37);
    check_near(rig_value(&r, "a"), 3, 1e-14);
    check_near(rig_value(&r, "b"), 0, 1e-10);
    assert_in_range(brink_sim_statistics(r.sim).work.steps, 1, 400);
    rig_free(&r);
  }
}

/* A capacitor between two nodes: the loop of their slopes, which are 1e12 V/s and die
 * away, is known to 1e-3 V/s then.  Four switches move its charge, 1 MHz. */
static void slopes_that_have_died_away_need_no_tolerance(void **state)
{
  static const char *const text =
      "model M\n  parameter Real C = 1e-9, Cp = 1e-12;\n"
      "  Real v(start = 0, fixed = true), a(start = 0, fixed = true);\n"
      "  Real b(start = 0, fixed = true), phase = mod(time, 1e-6)/1e-6;\n"
      "  Real g = if phase > 0.02 and phase < 0.48 then 1 else 1e-9;\n"
      "  Real h = if phase > 0.52 and phase < 0.98 then 1 else 1e-9;\nequation\n"
      "  Cp*der(b) = -g*b + h*(3.3 - b) + C*(der(a) - der(b));\n"
      "  Cp*der(a) = g*(3.3 - a) + h*(v - a) - C*(der(a) - der(b));\n"
      "  1e-8*der(v) = h*(a - v) - v/1e5;\nend M;";
  brink_sim_opts opt = brink_sim_defaults();

  (void)state;
  opt.method = "radau";
  opt.rtol = 1e-8;
  rig r = rig_text(text, &opt, 0);
  rig_run_to(&r, 2e-6);
  check_near(rig_value(&r, "v"), 1.1448511875, 1e-9); /* dopri5 at 1e-9 */
  assert_in_range(brink_sim_statistics(r.sim).work.steps, 1, 400);
  rig_free(&r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_grid_takes_memory_by_its_cells),
      cmocka_unit_test(sparse_runs_repeat_to_the_bit),
      cmocka_unit_test(loops_are_solved_with_the_step),
      cmocka_unit_test(what_is_wrong_is_said),
      cmocka_unit_test(a_step_behind_a_short_one_is_as_accurate),
      cmocka_unit_test(a_follower_crosses_where_its_signal_does),
      cmocka_unit_test(an_empty_tank_stays_empty),
      cmocka_unit_test(steps_do_not_resolve_rounding),
      cmocka_unit_test(slopes_that_have_died_away_need_no_tolerance),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
