/* test_contact.c -- bodies that come to rest on surfaces, by what their impacts say:
 * the reaction, where they lift off, several contacts at once.  References are closed
 * formulas. */
#include "hybrid.h"
#include "core/core.h"
#include "plain_methods.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double G = 9.81;

static rig of_text_with(const char *text, const brink_sim_opts *opt)
{

  return rig_text(text, opt, 0);
}

static rig of_text(const char *text, double rtol)
{
  brink_sim_opts opt = brink_sim_defaults();

  opt.rtol = rtol;
  return of_text_with(text, &opt);
}

/* ----------------------------------------------------------------- rest ---- */

#define BALL(condition, impact)                                                        \
  "model ball\n  Real x(start = 1, fixed = true), v(start = 0, fixed = true);\n"       \
  "  Integer n(start = 0, fixed = true), s(start = 0, fixed = true);\n"                \
  "equation\n  der(x) = v;\n  der(v) = -9.81;\n  when " condition " then\n"            \
  "    reinit(v, " impact ");\n    n = pre(n) + 1;\n  end when;\n"                     \
  "  when sample(2, 3) then\n    s = pre(s) + 1;\n  end when;\nend ball;\n"

static const char *const plastic[] = {BALL("x <= 0", "0"), BALL("x < 0", "-0*pre(v)"),
                                      BALL("x <= 0 and v < 0", "0"),
                                      BALL("not x > 0", "0")};

static void a_plastic_ball_rests_exactly_for_any_time(void **state)
{
  (void)state;
  for (size_t k = 0; k < BRINK__COUNT(plastic); k++) {
    rig r = of_text(plastic[k], 1e-6);
    double t = 0;
    rig_run_to(&r, 1);
    assert_int_equal(rig_count(&r, BRINK_KIND_REST, &t), 1);
    check_near(t, sqrt(2 / G), 1e-12);
    for (double end = 10; end < 2000; end *= 3) {
      rig_run_to(&r, end);
      check_near(rig_value(&r, "x"), 0, 0);
      check_near(rig_value(&r, "v"), 0, 0);
    }
    check_near(rig_value(&r, "n"), 1, 0);
    assert_int_equal(rig_count(&r, BRINK_KIND_REST, &t), 1); /* samples say nothing */
    assert_int_equal(rig_count(&r, BRINK_KIND_LIFT, &t), 0);
    assert_true(rig_value(&r, "s") > 100);
    rig_free(&r);
  }
}

static int fall(double t, const double *y, double *f, const brink_env *e)
{
  (void)t, (void)e;
  f[0] = y[1];
  f[1] = -G;
  return 0;
}

static double height(double t, const double *y, int k, const brink_env *e)
{
  (void)t, (void)k, (void)e;
  return y[0];
}

static int stop(brink_jump *j)
{
  j->y[1] = 0;
  return 0;
}

static void callbacks_rest_with_every_method(void **state)
{
  static const double y0[] = {1, 0};
  const brink_guard_def guards[] = {{.name = "height", .state = 0},
                                    {.name = "height", .fn = height}};

  (void)state;
  EACH_PLAIN_METHOD (i)
    for (int g = 0; g < 2; g++) {
      brink_event_def event = {.name = "floor", .dir = BRINK_DOWN, .jump = stop};
      brink_mode_def mode = {.name = "all",
                             .n = 2,
                             .rhs = fall,
                             .guards = &guards[g],
                             .n_guards = 1,
                             .events = &event,
                             .n_events = 1};
      brink_model_def def = {.name = "ball", .modes = &mode, .n_modes = 1};
      brink_sim_opts opt = brink_sim_defaults();
      double t = 0;
      opt.method = brink_method_name(i);
      opt.h0 = brink_method_fixed_step(i) ? 1e-2 : 0;
      rig r = rig_new(&def, &opt, 0, 0, y0);
      rig_run_to(&r, 20);
      assert_int_equal(rig_count(&r, BRINK_KIND_REST, &t), 1);
      check_near(t, sqrt(2 / G), 1e-6);
      check_near(brink_sim_state(r.sim)[0], 0, 0);
      check_near(brink_sim_state(r.sim)[1], 0, 0);
      rig_free(&r);
    }
}

/* It stands on the floor from the start; a kick sends it up, and it comes back. */
static void a_kick_lifts_it(void **state)
{
  static const char text[] =
      "model kicked\n  Real x(start = 0, fixed = true), v(start = 0, fixed = true);\n"
      "equation\n  der(x) = v;\n  der(v) = -9.81;\n  when x <= 0 then\n"
      "    reinit(v, 0);\n  end when;\n  when time > 1.5 then\n    reinit(v, 2);\n"
      "  end when;\nend kicked;\n";
  rig r = of_text(text, 1e-9);
  double t = 0;

  (void)state;
  rig_run_to(&r, 1);
  check_near(rig_value(&r, "x"), 0, 0);
  rig_run_to(&r, 5);
  assert_int_equal(rig_count(&r, BRINK_KIND_LIFT, &t), 1);
  check_near(t, 1.5, 1e-12);
  assert_int_equal(rig_count(&r, BRINK_KIND_REST, &t), 2);
  check_near(t, 1.5 + 4 / G, 1e-12);
  check_near(rig_value(&r, "x"), 0, 0);
  check_near(rig_value(&r, "v"), 0, 0);
  rig_free(&r);
}

/* Values that are set from outside while it rests. */
static void setting_a_speed_lifts_it(void **state)
{
  rig r = of_text(plastic[0], 1e-9);
  double t = 0;

  (void)state;
  rig_run_to(&r, 1);
  check_status(brink_sim_set(r.sim, "v", 3), BRINK_OK);
  rig_run_to(&r, 1.25);
  check_near(rig_value(&r, "x"), 3 * 0.25 - G / 2 * 0.0625, 1e-12);
  rig_run_to(&r, 5);
  assert_int_equal(rig_count(&r, BRINK_KIND_REST, &t), 2);
  check_near(t, 1 + 6 / G, 1e-12);
  check_near(rig_value(&r, "x"), 0, 0);
  rig_free(&r);
}

/* A copy and a snapshot of a body at rest go on as it does. */
static void copies_rest_too(void **state)
{
  rig r = of_text(plastic[1], 1e-9);
  brink_sim *twin = NULL;
  brink_snapshot *kept = NULL;

  (void)state;
  rig_run_to(&r, 1);
  check_status(brink_sim_clone(r.ctx, r.sim, &twin), BRINK_OK);
  check_status(brink_sim_save(r.sim, &kept), BRINK_OK);
  check_status(brink_sim_run(twin, 7), BRINK_END);
  check_near(brink_sim_state(twin)[0], 0, 0);
  check_near(brink_sim_state(twin)[1], 0, 0);
  rig_run_to(&r, 7);
  check_status(brink_sim_restore(r.sim, kept), BRINK_OK);
  check_near(brink_sim_time(r.sim), 1, 0);
  rig_run_to(&r, 9);
  check_near(rig_value(&r, "x"), 0, 0);
  brink_snapshot_free(kept);
  brink_sim_free(twin);
  rig_free(&r);
}

/* ----------------------------------------------- bounces, then rest ---- */

/* Impact, Zeno point, rest; to any end time. */
static void a_ball_comes_to_rest_after_its_bounces(void **state)
{
  static const char *const balls[] = {BALL("x <= 0", "-0.5*pre(v)"),
                                      BALL("x < 0", "-0.9*pre(v)"),
                                      BALL("x <= 0 and v < 0", "-0.9*pre(v)")};
  static const double e[] = {0.5, 0.9, 0.9};

  (void)state;
  for (size_t k = 0; k < BRINK__COUNT(balls); k++) {
    rig r = of_text(balls[k], 1e-10);
    double t = 0, stop = sqrt(2 / G) * (1 + e[k]) / (1 - e[k]);
    rig_run_to(&r, 100);
    assert_int_equal(rig_count(&r, BRINK_KIND_REST, &t), 1);
    check_rel(t, stop, 1e-10);
    rig_run_to(&r, 1000);
    check_near(rig_value(&r, "x"), 0, 0);
    check_near(rig_value(&r, "v"), 0, 0);
    rig_free(&r);
  }
}

/* On a slope, with friction: the bounces end, and it slides on. */
static void a_ball_bounces_down_a_slope_and_slides(void **state)
{
  static const char text[] =
      "model slope\n  parameter Real a = 0.5, mu = 0.2, e = 0.5;\n"
      "  Real x(start = 0, fixed = true), y(start = 0.2, fixed = true);\n"
      "  Real vx(start = 0, fixed = true), vy(start = 0, fixed = true);\n"
      "  Real vn = cos(a)*vy - sin(a)*vx, vt = cos(a)*vx + sin(a)*vy;\n"
      "  Real J = -(1 + e)*vn;\nequation\n"
      "  der(x) = vx;\n  der(y) = vy;\n  der(vx) = 0;\n  der(vy) = -9.81;\n"
      "  when cos(a)*y <= sin(a)*x then\n"
      "    reinit(vx, vx - J*(sin(a) + mu*sign(vt)*cos(a)));\n"
      "    reinit(vy, vy + J*(cos(a) - mu*sign(vt)*sin(a)));\n  end when;\nend "
      "slope;\n";
  const double a = 0.5, mu = 0.2, e = 0.5;
  double t0 = sqrt(2 * 0.2 / G), vn = G * t0 * cos(a), gn = G * cos(a), t = 0;
  rig r = of_text(text, 1e-10);

  (void)state;
  rig_run_to(&r, 3);
  /* along the slope gravity acts all the time, friction mu times all impulses and the
   * reaction after that: together the normal force of gravity since the first impact */
  double stop = t0 + 2 * e * vn / gn / (1 - e);
  double vt = -G * sin(a) * 3 + mu * (vn + gn * (3 - t0));
  assert_int_equal(rig_count(&r, BRINK_KIND_REST, &t), 1);
  check_rel(t, stop, 1e-9);
  check_near(rig_value(&r, "vt"), vt, 1e-8);
  check_near(rig_value(&r, "vn"), 0, 1e-12);
  rig_free(&r);
}

/* What restitution leaves of the energy: e^2 at each impact, nothing at rest. */
static void the_energy_is_what_restitution_leaves(void **state)
{
  rig r = of_text(BALL("x <= 0", "-0.8*pre(v)"), 1e-11);
  double energy = G;
  int n = 0;

  (void)state;
  rig_run_to(&r, 20);
  for (size_t k = 0; k < rig_events(&r); k++) {
    brink_event ev = rig_event(&r, k);
    if (ev.kind != BRINK_KIND_CROSSING || !(ev.classes & BRINK_SE_S))
      continue;
    energy *= 0.64;
    check_rel(ev.y_after[1] * ev.y_after[1] / 2, energy, 1e-8);
    n++;
  }
  assert_true(n >= 10);
  check_near(rig_value(&r, "v"), 0, 0);
  rig_free(&r);
}

/* ------------------------------------------------------------ lift-off ---- */

static void a_table_that_drops_faster_than_g_leaves_the_ball_behind(void **state)
{
  static const char text[] =
      "model drop\n  Real x(start = 0.1, fixed = true), v(start = 0, fixed = true);\n"
      "  Real h(start = 0, fixed = true), u(start = 0, fixed = true);\nequation\n"
      "  der(x) = v;\n  der(v) = -9.81;\n  der(h) = u;\n"
      "  der(u) = if time < 1 then 0 elseif time < 1.5 then -12 else 60;\n"
      "  when x <= h then\n    reinit(v, u);\n  end when;\nend drop;\n";
  rig r = of_text(text, 1e-10);
  double t = 0;

  (void)state;
  rig_run_to(&r, 1.4);
  assert_int_equal(rig_count(&r, BRINK_KIND_LIFT, &t), 1);
  check_near(t, 1, 0);
  check_near(rig_value(&r, "x"), -G / 2 * 0.16, 1e-12);
  rig_run_to(&r, 2);
  /* the table comes back: -1.5 - 6 s + 30 s^2 = -G (0.5 + s)^2 / 2 */
  double a = 30 + G / 2, b = -6 + G / 2, c = -1.5 + G / 8,
         s = (-b + sqrt(b * b - 4 * a * c)) / (2 * a);
  assert_int_equal(rig_count(&r, BRINK_KIND_REST, &t), 2);
  check_near(t, 1.5 + s, 1e-11);
  check_near(rig_value(&r, "x"), -1.5 - 3 + 7.5, 1e-11);
  check_near(rig_value(&r, "v"), 24, 1e-10);
  rig_free(&r);
}

/* Lifts where the table's acceleration is -g, and flies until it meets the table. */
static void an_oscillating_table_throws_the_ball(void **state)
{
  static const char text[] =
      "model thrown\n  parameter Real A = 0.1, w = 12;\n"
      "  Real x(start = 0.3, fixed = true), v(start = 0, fixed = true);\n"
      "equation\n  der(x) = v;\n  der(v) = -9.81;\n"
      "  when x <= A*sin(w*time) then\n    reinit(v, A*w*cos(w*time));\n"
      "  end when;\nend thrown;\n";
  const double A = 0.1, w = 12, pi = 3.14159265358979323846;
  double lift = asin(G / (A * w * w)) / w, lo, hi, last = 0;
  rig r = of_text(text, 1e-10);
  int lifts = 0, hits = 0;

  (void)state;
  lo = lift + 0.01; /* flight: x(lift) + v s - G s^2/2 = A sin(w t) */
  hi = lift + 2 * pi / w;
  for (int i = 0; i < 100; i++) {
    double mid = (lo + hi) / 2, s = mid - lift;
    double above = A * sin(w * lift) + A * w * cos(w * lift) * s - G / 2 * s * s -
                   A * sin(w * mid);
    *(above > 0 ? &lo : &hi) = mid;
  }
  rig_run_to(&r, 3);
  for (size_t k = 0; k < rig_events(&r); k++) {
    brink_event e = rig_event(&r, k);
    double turns = floor(e.t * w / (2 * pi)) * 2 * pi / w;
    if (e.kind == BRINK_KIND_LIFT) {
      check_near(e.t - turns, lift, 1e-12);
      lifts++;
    } else if (e.kind == BRINK_KIND_CROSSING && lifts) {
      check_near(e.t - floor(last * w / (2 * pi)) * 2 * pi / w, lo, 1e-10);
      hits++;
    }
    last = e.kind == BRINK_KIND_LIFT ? e.t : last;
  }
  assert_int_equal(lifts, 5);
  assert_int_equal(hits, 5);
  rig_free(&r);
}

/* A bead on a ball leaves it where cos = 2/3 of that at its start; R = 1.5, and the
 * start is a little beside the top. */
static void a_bead_leaves_the_sphere_at_two_thirds(void **state)
{
  static const char text[] =
      "model bead\n  parameter Real R = 1.5;\n"
      "  Real x(start = 0.15, fixed = true), y(start = sqrt(2.25 - 0.15^2), fixed = "
      "true);\n"
      "  Real vx(start = 0, fixed = true), vy(start = 0, fixed = true);\n"
      "  Real p = (x*vx + y*vy)/(x^2 + y^2);\nequation\n"
      "  der(x) = vx;\n  der(y) = vy;\n  der(vx) = 0;\n  der(vy) = -9.81;\n"
      "  when x^2 + y^2 <= R^2 then\n"
      "    reinit(vx, vx - x*p);\n    reinit(vy, vy - y*p);\n  end when;\nend bead;\n";
  rig r = of_text(text, 1e-11);
  double t = 0, y0 = sqrt(1.5 * 1.5 - 0.15 * 0.15);

  (void)state;
  rig_run_to(&r, 1);
  double energy = (rig_value(&r, "vx") * rig_value(&r, "vx") +
                   rig_value(&r, "vy") * rig_value(&r, "vy")) /
                      2 +
                  G * rig_value(&r, "y");
  check_near(energy, G * y0, 1e-8);
  rig_run_to(&r, 1.5);
  assert_int_equal(rig_count(&r, BRINK_KIND_LIFT, &t), 1);
  for (size_t k = 0; k < rig_events(&r); k++)
    if (rig_event(&r, k).kind == BRINK_KIND_LIFT) {
      check_near(rig_event(&r, k).y_after[1], 2. / 3 * y0, 1e-8);
      check_near(hypot(rig_event(&r, k).y_after[0], rig_event(&r, k).y_after[1]), 1.5,
                 1e-14);
    }
  rig_free(&r);
}

/* ------------------------------------------------------------- friction ---- */

/* The impulse has friction; so has the reaction: a = g (sin - mu cos) down the slope.
 */
static void a_ball_slides_down_a_slope_with_the_friction_of_its_impact(void **state)
{
  static const char text[] =
      "model slope\n  parameter Real a = 0.5, mu = 0.2;\n"
      "  Real x(start = 0, fixed = true), y(start = 0.2, fixed = true);\n"
      "  Real vx(start = 0, fixed = true), vy(start = 0, fixed = true);\n"
      "  Real vn = cos(a)*vy - sin(a)*vx, vt = cos(a)*vx + sin(a)*vy;\nequation\n"
      "  der(x) = vx;\n  der(y) = vy;\n  der(vx) = 0;\n  der(vy) = -9.81;\n"
      "  when cos(a)*y <= sin(a)*x then\n"
      "    reinit(vx, vx + vn*(sin(a) + mu*sign(vt)*cos(a)));\n"
      "    reinit(vy, vy - vn*(cos(a) - mu*sign(vt)*sin(a)));\n  end when;\nend "
      "slope;\n";
  const double a = 0.5, mu = 0.2;
  double t = sqrt(2 * 0.2 / G), v = G * t;
  rig r = of_text(text, 1e-10);

  (void)state;
  rig_run_to(&r, 2);
  double vt = -v * sin(a) + mu * v * cos(a), acc = -G * (sin(a) - mu * cos(a)),
         s = 2 - t;
  check_near(rig_value(&r, "vt"), vt + acc * s, 1e-10);
  check_near(rig_value(&r, "vn"), 0, 1e-13);
  check_near(rig_value(&r, "x"), (vt * s + acc * s * s / 2) * cos(a), 1e-10);
  check_near(rig_value(&r, "y"), (vt * s + acc * s * s / 2) * sin(a), 1e-10);
  rig_free(&r);
}

/* ----------------------------------------------------- several contacts ---- */

#define COLUMN                                                                         \
  "model column\n  parameter Real m1 = 2, m2 = 1, e = 0;\n"                            \
  "  Real x1(start = 1, fixed = true), v1(start = 0, fixed = true);\n"                 \
  "  Real x2(start = 1.5, fixed = true), v2(start = 0, fixed = true);\n"               \
  "  Real h(start = 0, fixed = true), u(start = 0, fixed = true);\nequation\n"         \
  "  der(x1) = v1;\n  der(v1) = -9.81;\n  der(x2) = v2;\n  der(v2) = -9.81;\n"         \
  "  der(h) = u;\n  der(u) = if time < 3 then 0 elseif time < 4 then 2 else -20;\n"    \
  "  when x1 <= h then\n    reinit(v1, u);\n  end when;\n"                             \
  "  when x2 <= x1 then\n"                                                             \
  "    reinit(v1, v1 + m2/(m1 + m2)*(v2 - v1));\n"                                     \
  "    reinit(v2, v2 - m1/(m1 + m2)*(v2 - v1));\n  end when;\nend column;\n"

/* The upper ball comes down on the lower one; then the table carries both, and leaves
 * them. */
static void two_balls_in_a_column(void **state)
{
  rig r = of_text(COLUMN, 1e-10);
  double t = 0;

  (void)state;
  rig_run_to(&r, 0.5);
  check_near(rig_value(&r, "x1"), 0, 0);
  check_near(rig_value(&r, "x2"), 1.5 - G / 8, 1e-12);
  rig_run_to(&r, 2);
  check_near(rig_value(&r, "x1"), 0, 0);
  check_near(rig_value(&r, "x2"), 0, 0);
  check_near(rig_value(&r, "v1"), 0, 0);
  check_near(rig_value(&r, "v2"), 0, 0);
  assert_int_equal(rig_count(&r, BRINK_KIND_LIFT, &t), 0);
  rig_run_to(&r, 4);
  check_near(rig_value(&r, "x2"), 1, 1e-12);
  check_near(rig_value(&r, "v2"), 2, 1e-12);
  rig_run_to(&r, 4.25);
  assert_int_equal(rig_count(&r, BRINK_KIND_LIFT, &t), 2); /* of both: the same law */
  check_near(t, 4, 1e-12);
  check_near(rig_value(&r, "x1"), 1 + 2 * 0.25 - G / 32, 1e-12);
  check_near(rig_value(&r, "x2") - rig_value(&r, "x1"), 0, 1e-14);
  rig_free(&r);
}

/* A rod on supports at -1 and 1 carries a force F at s = time: the left end lifts where
 * the moment about the right one changes its sign, g + F (1 - s) = 0, and the rod turns
 * about the right support. */
static void a_rod_tips_over_its_support(void **state)
{
  static const char text[] =
      "model rod\n  parameter Real F = 5, J = 1/3;\n"
      "  Real y(start = 0, fixed = true), v(start = 0, fixed = true);\n"
      "  Real p(start = 0, fixed = true), w(start = 0, fixed = true);\nequation\n"
      "  der(y) = v;\n  der(v) = -9.81 - F;\n  der(p) = w;\n  der(w) = -F*time/J;\n"
      "  when y - p <= 0 then\n    reinit(v, v - (v - w)/(1 + 1/J));\n"
      "    reinit(w, w + (v - w)/(1 + 1/J)/J);\n  end when;\n"
      "  when y + p <= 0 then\n    reinit(v, v - (v + w)/(1 + 1/J));\n"
      "    reinit(w, w - (v + w)/(1 + 1/J)/J);\n  end when;\nend rod;\n";
  rig r = of_text(text, 1e-11);
  const double F = 5, J = 1. / 3;
  double lift = 1 + G / F, t = 0;

  (void)state;
  rig_run_to(&r, 2.5);
  check_near(rig_value(&r, "y"), 0, 0);
  check_near(rig_value(&r, "p"), 0, 0);
  rig_run_to(&r, 3.5);
  assert_int_equal(rig_count(&r, BRINK_KIND_LIFT, &t), 1);
  check_near(t, lift, 1e-10);
  /* about the right support: (J + 1) p'' = -(F (s - 1) - g) = -F (t - lift) */
  double s = 3.5 - lift, p = -F / (J + 1) * s * s * s / 6;
  check_near(rig_value(&r, "p"), p, 1e-10);
  check_near(rig_value(&r, "y"), -p, 1e-10);
  rig_free(&r);
}

/* Equal balls that touch: the last one takes it all. */
static void newtons_cradle_gives_0_0_1(void **state)
{
  static const char text[] =
      "model cradle\n  Real x[3](start = {-1, 0, 0.5}, each fixed = true);\n"
      "  Real v[3](start = {1, 0, 0}, each fixed = true);\nequation\n"
      "  der(x) = v;\n  der(v) = {0, 0, 0};\n"
      "  when x[2] - x[1] <= 0.5 then\n    reinit(v[1], v[2]);\n    reinit(v[2], "
      "v[1]);\n"
      "  end when;\n"
      "  when x[3] - x[2] <= 0.5 then\n    reinit(v[2], v[3]);\n    reinit(v[3], "
      "v[2]);\n"
      "  end when;\nend cradle;\n";
  rig r = of_text(text, 1e-9);

  (void)state;
  rig_run_to(&r, 2);
  check_near(rig_value(&r, "v[1]"), 0, 0);
  check_near(rig_value(&r, "v[2]"), 0, 0);
  check_near(rig_value(&r, "v[3]"), 1, 0);
  check_near(rig_value(&r, "x[3]"), 2, 1e-12);
  rig_free(&r);
}

/* ------------------------------------------------------------- no rest ---- */

/* Events that are no impulses hold nothing: a kick of constant size, a mere switch. */
static void what_is_no_impact_is_left_alone(void **state)
{
  static const char text[] =
      "model kicks\n  Real x(start = 0.5, fixed = true), v(start = 0, fixed = true);\n"
      "  Integer n(start = 0, fixed = true);\nequation\n  der(x) = v;\n"
      "  der(v) = -9.81;\n  when x < 0 then\n    reinit(v, 1);\n    n = pre(n) + 1;\n"
      "  end when;\nend kicks;\n";
  rig r = of_text(text, 1e-9);
  double t = 0;

  (void)state;
  rig_run_to(&r, 5);
  assert_int_equal(rig_count(&r, BRINK_KIND_REST, &t), 0);
  check_near(rig_value(&r, "n"), 1 + floor((5 - sqrt(1 / G)) / (2 / G)), 0);
  rig_free(&r);
}

/* A body on the floor with a speed into it: `h < 0` becomes true at once, and the body
 * bounces; `h <= 0` holds from the start, so that nothing happens, and a warning says
 * so. */
static void a_condition_that_holds_at_the_start_does_not_fire(void **state)
{
  static const struct {
    const char *condition;
    int fires;
  } cases[] = {{"h < 0", 1}, {"h <= 0", 0}, {"not h > 0", 0}};
  char text[512];
  double t = 0, v = -2.3, end = 0.4;

  (void)state;
  for (int i = 0; i < 3; i++) {
    snprintf(text, sizeof text,
             "model ball\n  Real h(start = 0, fixed = true);\n"
             "  Real v(start = -2.3, fixed = true);\nequation\n"
             "  der(h) = v;\n  der(v) = -9.81;\n  when %s then\n"
             "    reinit(v, -0.7*pre(v));\n  end when;\nend ball;\n",
             cases[i].condition);
    rig r = of_text(text, 1e-8);
    rig_run_to(&r, cases[i].fires ? 5 : end);
    assert_int_equal(rig_warns(&r, "holds already, so its event does not happen"),
                     !cases[i].fires);
    assert_int_equal(rig_count(&r, BRINK_KIND_REST, &t), cases[i].fires);
    if (cases[i].fires)
      check_near(t, 2 * 0.7 * -v / (G * 0.3), 1e-10);
    double h = cases[i].fires ? 0 : v * end - G / 2 * end * end;
    check_near(rig_value(&r, "h"), h, 1e-10);
    rig_free(&r);
  }
}

/* Flights that rounding of the guard hides: the body rests, or the run says that its
 * next impact cannot be told, but it does not pass the floor. */
static void no_body_passes_a_floor_by_a_flight_that_is_rounding(void **state)
{
  static const char text[] =
      "model floor\n  parameter Real s = %.17g;\n"
      "  Real h(start = 0.2*sin(1), fixed = true);\n"
      "  Real v(start = 0.6*cos(1) + s, fixed = true);\n"
      "  Real a = 0.2*sin(3*time + 1), w = 0.6*cos(3*time + 1);\nequation\n"
      "  der(h) = v;\n  der(v) = -3;\n  when h <= 0.2*sin(3*time + 1) then\n"
      "    reinit(v, w - 0.5*(pre(v) - w));\n  end when;\nend floor;\n";
  char with[sizeof text + 32];

  (void)state;
  for (int i = 0; i < 40; i++) {
    brink_sim_opts opt = brink_sim_defaults();
    if (i % 2) { /* each flight, and no rest after them */
      opt.zeno = BRINK_ZENO_STEP;
      opt.zeno_gap = 1e-300;
    }
    snprintf(with, sizeof with, text, (i % 2 ? 1e-7 : 3e-8) * pow(1.09, i / 2));
    rig r = of_text_with(with, &opt);
    check_status(brink_sim_run(r.sim, 0.1), i % 2 ? BRINK_ZENO : BRINK_END);
    check_near(rig_value(&r, "h"), rig_value(&r, "a"), 1e-12);
    rig_free(&r);
  }
}

/* The same at a start, by every policy: whoever wants to see each bounce, or to stop
 * where they accumulate, has not seen one yet. */
static int sinks(double t, const double *y, double *f, const brink_env *env)
{
  (void)t, (void)env;
  f[0] = y[1];
  f[1] = -9.81;
  return 0;
}

static double above(double t, const double *y, int k, const brink_env *env)
{
  (void)t, (void)k, (void)env;
  return y[0] - 0.1;
}

static int bounces(brink_jump *j)
{
  j->y[1] *= -0.5;
  return 0;
}

static const brink_guard_def above_floor = {.name = "above", .fn = above};
static const brink_event_def floor_events[] = {
    {.name = "bounce", .dir = BRINK_DOWN, .jump = bounces, .beyond = BRINK_IGNORE},
    {.name = "up", .dir = BRINK_UP}};
static const brink_mode_def low_mode = {.name = "fly",
                                        .n = 2,
                                        .rhs = sinks,
                                        .guards = &above_floor,
                                        .n_guards = 1,
                                        .events = floor_events,
                                        .n_events = 2};

static void a_start_with_a_flight_that_is_rounding_is_rest_by_every_policy(void **state)
{
  static const char text[] =
      "model low\n  Real h(start = 0.1, fixed = true), v(start = %.17g, fixed = "
      "true);\n"
      "equation\n  der(h) = v;\n  der(v) = -9.81;\n  when h <= 0.1 then\n"
      "    reinit(v, -0.5*pre(v));\n  end when;\nend low;\n";
  static const brink_zeno_policy policies[] = {BRINK_ZENO_CONTINUE, BRINK_ZENO_STEP,
                                               BRINK_ZENO_STOP};
  static const double speeds[] = {1.3e-14, 1.7e-11, 2.3e-9, 1.1e-8};
  const brink_model_def def = {.name = "low", .modes = &low_mode, .n_modes = 1};
  char with[sizeof text + 32];

  (void)state;
  for (int i = 0; i < 24; i++) {
    brink_sim_opts opt = brink_sim_defaults();
    double speed = speeds[i % 4], y0[2] = {0.1, speed};
    opt.zeno = policies[i / 4 % 3];
    snprintf(with, sizeof with, text, speed);
    rig r = i < 12 ? of_text_with(with, &opt) : rig_new(&def, &opt, 0.3, 0, y0);
    check_status(brink_sim_run(r.sim, 1.4), BRINK_END);
    check_near(brink_sim_state(r.sim)[0], 0.1, 0);
    check_near(brink_sim_state(r.sim)[1], 0, 0);
    rig_free(&r);
  }
}

/* A body at rest that is given such a speed has not bounced either. */
static void a_push_that_is_rounding_leaves_a_body_at_rest_by_every_policy(void **state)
{
  static const char text[] =
      "model pushed\n  Real h(start = 0.35, fixed = true), v(start = 0, fixed = "
      "true);\n"
      "equation\n  der(h) = v;\n  der(v) = -9.81;\n  when h <= 0.1 then\n"
      "    reinit(v, 0);\n  end when;\n  when time >= 0.7 then\n"
      "    reinit(v, 1.3e-9);\n  end when;\nend pushed;\n";
  static const brink_zeno_policy policies[] = {BRINK_ZENO_CONTINUE, BRINK_ZENO_STEP,
                                               BRINK_ZENO_STOP};

  (void)state;
  for (int i = 0; i < 3; i++) {
    brink_sim_opts opt = brink_sim_defaults();
    opt.zeno = policies[i];
    rig r = of_text_with(text, &opt);
    rig_run_to(&r, 1.4);
    check_near(rig_value(&r, "h"), 0.1, 0);
    check_near(rig_value(&r, "v"), 0, 0);
    rig_free(&r);
  }
}

/* On a plate that shakes the value of the guard is a difference, of which the rounding
 * of height and time leaves little: rest must be seen in spite of it. */
static double above_plate(double t, const double *y, int k, const brink_env *env)
{
  (void)k, (void)env;
  return y[0] - 0.2 * sin(3 * t + 1);
}

static int bounces_off_plate(brink_jump *j)
{
  double w = 0.6 * cos(3 * j->t + 1);

  j->y[1] = w - 0.5 * (j->y[1] - w);
  return 0;
}

static void callbacks_rest_on_a_shaking_plate(void **state)
{
  static const brink_guard_def guard = {.name = "height", .fn = above_plate};
  static const brink_event_def event = {
      .name = "bounce", .dir = BRINK_DOWN, .jump = bounces_off_plate};
  static const brink_mode_def mode = {.name = "fly",
                                      .n = 2,
                                      .rhs = sinks,
                                      .guards = &guard,
                                      .n_guards = 1,
                                      .events = &event,
                                      .n_events = 1};
  static const brink_model_def def = {.name = "ball", .modes = &mode, .n_modes = 1};
  static const struct {
    double height, rtol;
    const char *method;
  } cases[] = {{0.25, 1e-6, "auto"}, {0.25, 1e-9, "auto"}, {0.4, 1e-4, "dopri5"}};

  (void)state;
  for (size_t i = 0; i < BRINK__COUNT(cases); i++) {
    brink_sim_opts opt = brink_sim_defaults();
    rig r;
    opt.method = cases[i].method;
    opt.rtol = cases[i].rtol;
    check_status(brink_ctx_new(NULL, &r.ctx), BRINK_OK);
    check_status(brink_model_new(r.ctx, &def, &r.model), BRINK_OK);
    check_status(brink_sim_new(r.ctx, r.model, &opt, &r.sim), BRINK_OK);
    check_status(brink_sim_start(r.sim, 0, 0, (const double[]){cases[i].height, 0}),
                 BRINK_OK);
    check_status(brink_sim_run(r.sim, 4), BRINK_END);
    check_near(brink_sim_state(r.sim)[0], 0.2 * sin(13), 1e-12);
    check_near(brink_sim_state(r.sim)[1], 0.6 * cos(13), 1e-12);
    rig_free(&r);
  }
}

/* The same plate in other units, with tolerances that say so. */
static int sinks_in_units(double t, const double *y, double *f, const brink_env *e)
{
  (void)t;
  f[0] = y[1];
  f[1] = -G * e->p[0];
  return 0;
}

static double above_in_units(double t, const double *y, int k, const brink_env *e)
{
  (void)k;
  return y[0] - e->p[0] * (0.3 + 0.1 * sin(3 * t));
}

static int bounces_in_units(brink_jump *j)
{
  double w = 0.3 * j->p[0] * cos(3 * j->t);

  j->y[1] = w - 0.5 * (j->y[1] - w);
  return 0;
}

static void callbacks_rest_in_any_units(void **state)
{
  static const double units[] = {1e-6, 1, 1e6};
  static const brink_guard_def guard = {.name = "height", .fn = above_in_units};
  static const brink_event_def event = {
      .name = "bounce", .dir = BRINK_DOWN, .jump = bounces_in_units};
  static const brink_mode_def mode = {.name = "fly",
                                      .n = 2,
                                      .rhs = sinks_in_units,
                                      .guards = &guard,
                                      .n_guards = 1,
                                      .events = &event,
                                      .n_events = 1};

  (void)state;
  for (size_t i = 0; i < BRINK__COUNT(units); i++) {
    double unit = units[i], y0[] = {unit, 0};
    brink_model_def def = {
        .name = "ball", .modes = &mode, .n_modes = 1, .p = &unit, .n_p = 1};
    brink_sim_opts opt = brink_sim_defaults();
    opt.atol = 1e-9 * unit;
    rig r = rig_new(&def, &opt, 0.37, 0, y0);
    rig_run_to(&r, 8.37);
    check_near(brink_sim_state(r.sim)[0], unit * (0.3 + 0.1 * sin(25.11)),
               1e-11 * unit);
    check_near(brink_sim_state(r.sim)[1], unit * 0.3 * cos(25.11), 1e-11 * unit);
    rig_free(&r);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(callbacks_rest_in_any_units),
      cmocka_unit_test(a_plastic_ball_rests_exactly_for_any_time),
      cmocka_unit_test(callbacks_rest_with_every_method),
      cmocka_unit_test(a_kick_lifts_it),
      cmocka_unit_test(setting_a_speed_lifts_it),
      cmocka_unit_test(copies_rest_too),
      cmocka_unit_test(a_ball_comes_to_rest_after_its_bounces),
      cmocka_unit_test(a_ball_bounces_down_a_slope_and_slides),
      cmocka_unit_test(the_energy_is_what_restitution_leaves),
      cmocka_unit_test(a_table_that_drops_faster_than_g_leaves_the_ball_behind),
      cmocka_unit_test(an_oscillating_table_throws_the_ball),
      cmocka_unit_test(a_bead_leaves_the_sphere_at_two_thirds),
      cmocka_unit_test(a_ball_slides_down_a_slope_with_the_friction_of_its_impact),
      cmocka_unit_test(two_balls_in_a_column),
      cmocka_unit_test(a_rod_tips_over_its_support),
      cmocka_unit_test(newtons_cradle_gives_0_0_1),
      cmocka_unit_test(what_is_no_impact_is_left_alone),
      cmocka_unit_test(a_condition_that_holds_at_the_start_does_not_fire),
      cmocka_unit_test(no_body_passes_a_floor_by_a_flight_that_is_rounding),
      cmocka_unit_test(a_start_with_a_flight_that_is_rounding_is_rest_by_every_policy),
      cmocka_unit_test(a_push_that_is_rounding_leaves_a_body_at_rest_by_every_policy),
      cmocka_unit_test(callbacks_rest_on_a_shaking_plate),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
