/* test_contact_constraints.c -- contacts in systems of higher index: a pendulum in
 * Cartesian coordinates against a wall, a slider crank with a stop, two masses on a rod
 * that fall on a floor.  Impulses go through the constraints.  References are the same
 * mechanisms in as many coordinates as they have degrees of freedom, whose impacts are
 * written out, and closed formulas where there are any. */
#include "hybrid.h"
#include "core/core.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double START = -0.37;

static rig of_text(const char *text, const char *method, double rtol)
{
  brink_sim_opts opt = brink_sim_defaults();

  opt.rtol = rtol;
  opt.method = method ? method : "dopri5";
  return rig_text(text, &opt, START);
}

/* The next event from *k on that is no row of an impulse; 0: there is none. */
static int next_event(rig *r, size_t *k, brink_event *out)
{
  for (; *k < rig_events(r); ++*k) {
    *out = rig_event(r, *k);
    if (out->kind == BRINK_KIND_IMPULSE)
      continue;
    ++*k;
    return 1;
  }
  return 0;
}

/* Both runs have the same events at the same times; the largest difference. */
static double same_events(rig *a, rig *b)
{
  size_t i = 0, j = 0;
  double apart = 0;
  brink_event one, other;

  while (next_event(a, &i, &one)) {
    if (!next_event(b, &j, &other))
      fail_msg("event %zu at t = %.15g has no counterpart", i, one.t);
    if (one.kind != other.kind || fabs(one.t - other.t) > 1e-6)
      fail_msg("event %zu: kind %d at %.15g, in minimal coordinates kind %d at %.15g",
               i, (int)one.kind, one.t, (int)other.kind, other.t);
    apart = fmax(apart, fabs(one.t - other.t));
  }
  assert_false(next_event(b, &j, &other));
  return apart;
}

/* ------------------------------------------------------------- pendulum ---- */

/* Gravity tilts to and fro: the pendulum bounces from the wall x = 0.3, comes to rest
 * against it, and swings away when gravity has turned. */
#define GRAVITY "-0.3*cos(0.7*time)"

static const char pendulum[] =
    "model pendulum\n  parameter Real L = 1.3, g = 9.81, e = 0.6;\n"
    "  Real x(start = 0.9, fixed = true), y(start = -0.9380831519646859);\n"
    "  Real vx(start = 0, fixed = true), vy, F;\nequation\n"
    "  der(x) = vx;\n  der(y) = vy;\n  der(vx) = -F*x + g*sin(" GRAVITY ");\n"
    "  der(vy) = -F*y - g*cos(" GRAVITY ");\n  x^2 + y^2 = L^2;\n"
    "  when x < 0.3 then\n    reinit(vx, -e*pre(vx));\n  end when;\nend pendulum;\n";

static const char pendulum_angle[] =
    "model pendulum\n  parameter Real L = 1.3, g = 9.81, e = 0.6;\n"
    "  Real a(start = asin(0.9/L), fixed = true), w(start = 0, fixed = true);\n"
    "  Real x = L*sin(a), y = -L*cos(a), vx = y*w;\nequation\n  der(a) = w;\n"
    "  der(w) = g*(sin(" GRAVITY ")*cos(a) - cos(" GRAVITY ")*sin(a))/L;\n"
    "  when x < 0.3 then\n    reinit(w, -e*pre(w));\n  end when;\nend pendulum;\n";

static void a_pendulum_comes_to_rest_against_a_wall_and_leaves_it(void **state)
{
  /* gravity is along the rod when -0.3 cos(0.7 t) is the angle asin(0.3/1.3) */
  const double leaves = acos(-asin(0.3 / 1.3) / 0.3) / 0.7;

  static const char *const methods[] = {"dopri5", "dop853", "adams", "radau", "taylor"};

  (void)state;
  for (size_t i = 0; i < BRINK__COUNT(methods); i++) {
    const char *method = methods[i];
    rig r = of_text(pendulum, method, 1e-11),
        angle = of_text(pendulum_angle, method, 1e-11);
    rig_run_to(&r, 3.1);
    check_near(rig_value(&r, "x"), 0.3, 1e-15);
    check_near(rig_value(&r, "vx"), 0, 1e-15);
    check_near(rig_value(&r, "y"), -sqrt(1.3 * 1.3 - 0.09), 1e-15);
    rig_run_to(&r, 12);
    rig_run_to(&angle, 12);
    double apart = same_events(&r, &angle);
    printf("%-12s %3zu events, apart by %.1e\n", method, rig_events(&angle), apart);
    assert_true(apart <= 1e-9);
    assert_int_equal(rig_count(&r, BRINK_KIND_REST, NULL), 2);
    assert_int_equal(rig_count(&r, BRINK_KIND_LIFT, NULL), 1);
    for (size_t k = 0; k < rig_events(&r); k++)
      if (rig_event(&r, k).kind == BRINK_KIND_LIFT)
        check_near(rig_event(&r, k).t, leaves, 1e-12);
    rig_free(&r);
    rig_free(&angle);
  }
}

/* -------------------------------------------------------- slider crank ---- */

#define CRANK                                                                          \
  "model crank\n  parameter Real l1 = 0.5, l2 = 1.1, J1 = 0.3, J2 = 0.2, m = 1.7;\n"   \
  "  parameter Real e = 0.55, k = 0.4;\n  Real T = -3.3*cos(0.31*time);\n"

/* A crank that a motor turns to and fro, a rod and a block in a line, with a stop. */
static const char crank[] =
    CRANK "  Real p(start = 1.2, fixed = true), q(start = -0.4), x(start = 1.2);\n"
          "  Real w(start = -0.3, fixed = true), wq, v, a, b;\nequation\n"
          "  der(p) = w;\n  der(q) = wq;\n  der(x) = v;\n"
          "  J1*der(w) = T + a*l1*cos(p) + b*l1*sin(p);\n"
          "  J2*der(wq) = a*l2*cos(q) + b*l2*sin(q);\n  m*der(v) = b - k*(x - 1);\n"
          "  l1*sin(p) + l2*sin(q) = 0;\n  x = l1*cos(p) + l2*cos(q);\n"
          "  when x > 1.45 then\n    reinit(v, -e*pre(v));\n  end when;\nend crank;\n";

/* With the inertia S^2 that the crank feels, u = S w is twice the root of the energy:
 * u' = (T + force) / S. */
static const char crank_angle[] = CRANK
    "  parameter Real q0 = -asin(l1*sin(1.2)/l2), k0 = -l1*cos(1.2)/(l2*cos(q0));\n"
    "  parameter Real r0 = -l1*sin(1.2) - l2*sin(q0)*k0;\n"
    "  Real p(start = 1.2, fixed = true);\n"
    "  Real u(start = -0.3*sqrt(J1 + J2*k0^2 + m*r0^2), fixed = true);\n"
    "  Real q = -asin(l1*sin(p)/l2), x = l1*cos(p) + l2*cos(q);\n"
    "  Real i = -l1*cos(p)/(l2*cos(q)), r = -l1*sin(p) - l2*sin(q)*i;\n"
    "  Real S = sqrt(J1 + J2*i^2 + m*r^2), v = r*u/S;\nequation\n"
    "  der(p) = u/S;\n  der(u) = (T - k*(x - 1)*r)/S;\n"
    "  when x > 1.45 then\n    reinit(u, -e*pre(u));\n  end when;\nend crank;\n";

static void a_slider_crank_rests_on_its_stop(void **state)
{
  rig r = of_text(crank, NULL, 1e-11), angle = of_text(crank_angle, NULL, 1e-11);

  (void)state;
  rig_run_to(&r, 3.1);
  check_near(rig_value(&r, "x"), 1.45, 4e-16);
  check_near(rig_value(&r, "v"), 0, 1e-15);
  rig_run_to(&r, 25);
  rig_run_to(&angle, 25);
  assert_true(same_events(&r, &angle) <= 1e-9);
  assert_int_equal(rig_count(&r, BRINK_KIND_REST, NULL), 3);
  assert_int_equal(rig_count(&r, BRINK_KIND_LIFT, NULL), 2);
  rig_free(&r);
  rig_free(&angle);
}

/* ------------------------------------------------------------- dumbbell ---- */

#define MASSES                                                                         \
  "model dumbbell\n  parameter Real L = 0.8, g = 9.81, e = %g, m1 = 1.3, m2 = 0.7;\n"

static const char dumbbell[] = MASSES
    "  Real x1(start = 0, fixed = true), y1(start = 0.5, fixed = true);\n"
    "  Real x2(start = L*cos(0.7)), y2(start = 0.5 + L*sin(0.7), fixed = true);\n"
    "  Real vx1(start = 0.2, fixed = true), vy1(start = 0, fixed = true), vx2;\n"
    "  Real vy2(start = 0.3, fixed = true), F;\nequation\n"
    "  der(x1) = vx1;\n  der(y1) = vy1;\n  der(x2) = vx2;\n  der(y2) = vy2;\n"
    "  m1*der(vx1) = -F*(x1 - x2);\n  m1*der(vy1) = -F*(y1 - y2) - m1*g;\n"
    "  m2*der(vx2) = -F*(x2 - x1);\n  m2*der(vy2) = -F*(y2 - y1) - m2*g;\n"
    "  (x1 - x2)^2 + (y1 - y2)^2 = L^2;\n"
    "  when y1 < 0 then\n    reinit(vy1, -e*pre(vy1));\n  end when;\n"
    "  when y2 < 0 then\n    reinit(vy2, -e*pre(vy2));\n  end when;\nend dumbbell;\n";

/* The centre of mass, and the angle; an impulse p at one end changes both speeds. */
static const char dumbbell_angle[] = MASSES
    "  parameter Real M = m1 + m2, a = m2/M*L, b = m1/M*L, J = m1*a^2 + m2*b^2;\n"
    "  parameter Real w0 = 0.3/(L*cos(0.7));\n"
    "  Real x(start = a*cos(0.7), fixed = true), h(start = 0.5 + a*sin(0.7), fixed = "
    "true);\n"
    "  Real q(start = 0.7, fixed = true), w(start = w0, fixed = true);\n"
    "  Real vx(start = 0.2 - a*sin(0.7)*w0, fixed = true);\n"
    "  Real vh(start = a*cos(0.7)*w0, fixed = true);\n"
    "  Real y1 = h - a*sin(q), y2 = h + b*sin(q), x1 = x - a*cos(q);\n"
    "  Real vy1 = vh - a*cos(q)*w, vy2 = vh + b*cos(q)*w;\n"
    "  Real p1 = -(1 + e)*vy1/(1/M + (a*cos(q))^2/J);\n"
    "  Real p2 = -(1 + e)*vy2/(1/M + (b*cos(q))^2/J);\nequation\n"
    "  der(x) = vx;\n  der(h) = vh;\n  der(q) = w;\n  der(vx) = 0;\n"
    "  der(vh) = -g;\n  der(w) = 0;\n  when y1 < 0 then\n"
    "    reinit(vh, pre(vh) + pre(p1)/M);\n"
    "    reinit(w, pre(w) - a*cos(q)*pre(p1)/J);\n  end when;\n  when y2 < 0 then\n"
    "    reinit(vh, pre(vh) + pre(p2)/M);\n"
    "    reinit(w, pre(w) + b*cos(q)*pre(p2)/J);\n  end when;\nend dumbbell;\n";

static rig falling(const char *form, double e)
{
  char text[2500];

  snprintf(text, sizeof text, form, e);
  return of_text(text, NULL, 1e-11);
}

/* One end comes to rest and the other falls over it; then both are at rest, and slide
 * along the floor with the speed that impulses have left them. */
static void two_masses_on_a_rod_come_to_rest_on_the_floor(void **state)
{
  static const double restitution[] = {0, 0.25, 0.4};

  (void)state;
  for (size_t i = 0; i < BRINK__COUNT(restitution); i++) {
    rig r = falling(dumbbell, restitution[i]),
        angle = falling(dumbbell_angle, restitution[i]);
    for (double t = 0.6; t < 4; t += 0.31) {
      rig_run_to(&r, t);
      rig_run_to(&angle, t);
      check_near(rig_value(&r, "x1"), rig_value(&angle, "x1"), 1e-9);
      check_near(rig_value(&r, "y1"), rig_value(&angle, "y1"), 1e-9);
      check_near(rig_value(&r, "y2"), rig_value(&angle, "y2"), 1e-9);
    }
    check_near(rig_value(&r, "y1"), 0, 1e-15);
    check_near(rig_value(&r, "y2"), 0, 1e-15);
    check_near(rig_value(&r, "vy1"), 0, 1e-15);
    check_near(rig_value(&r, "vy2"), 0, 1e-15);
    assert_int_equal(rig_count(&r, BRINK_KIND_LIFT, NULL),
                     rig_count(&angle, BRINK_KIND_LIFT, NULL));
    rig_free(&r);
    rig_free(&angle);
  }
}

/* ---------------------------------------------------------------- copies ---- */

static void copies_rest_on_their_constraints_too(void **state)
{
  rig r = of_text(pendulum, NULL, 1e-9);
  brink_sim *clone = NULL;

  (void)state;
  rig_run_to(&r, 3.1);
  check_status(brink_sim_clone(r.ctx, r.sim, &clone), BRINK_OK);
  check_status(brink_sim_run(clone, 5), BRINK_END);
  rig_run_to(&r, 5);
  for (int i = 0; i < 4; i++)
    check_near(brink_sim_state(clone)[i], brink_sim_state(r.sim)[i], 0);
  brink_sim_free(clone);
  rig_free(&r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_pendulum_comes_to_rest_against_a_wall_and_leaves_it),
      cmocka_unit_test(a_slider_crank_rests_on_its_stop),
      cmocka_unit_test(two_masses_on_a_rod_come_to_rest_on_the_floor),
      cmocka_unit_test(copies_rest_on_their_constraints_too),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
