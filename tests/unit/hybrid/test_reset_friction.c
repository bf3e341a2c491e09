/* test_reset_friction.c -- friction that is written only in the impact: what slides
 * comes to a stop, sticks as long as what pushes it is less than friction can hold, and
 * slips where it is more; with one speed along the surface, with two, rolling, on a
 * belt, on a table that shakes, on two feet, and with impacts that stop whatever comes.
 * All closed forms.
 */
#include "hybrid.h"
#include "core/core.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static rig of_text(const char *text)
{
  brink_sim_opts opt = brink_sim_defaults();

  opt.rtol = 1e-10;
  opt.method = "dop853";
  return rig_text(text, &opt, 0);
}

static const double g = 9.81, mu = 0.3;

/* A block that falls from `height` and is pushed along the floor, with mu = 0.3; what
 * its impact with restitution e makes of u. */
static rig block(double height, double u, double e, const char *push,
                 const char *impact)
{
  char text[1000];

  snprintf(text, sizeof text,
           "model slider\n  parameter Real g = 9.81, mu = 0.3, e = %g;\n"
           "  Real y(start = %g, fixed = true), v(start = 0, fixed = true);\n"
           "  Real x(start = 0, fixed = true), u(start = %g, fixed = true);\n"
           "  Real p = mu*(1 + e)*abs(v);\nequation\n  der(y) = v;\n  der(v) = -g;\n"
           "  der(x) = u;\n  der(u) = %s;\n  when y <= 0 then\n"
           "    reinit(v, -e*pre(v));\n    reinit(u, %s);\n  end when;\nend slider;\n",
           e, height, u, push, impact);
  return of_text(text);
}

/* Three ways to write Coulomb's friction; the last has no bound. */
#define BY_MIN "pre(u) - sign(pre(u))*min(pre(p), abs(pre(u)))"
static const char *const coulomb[] = {BY_MIN,
                                      "if abs(pre(u)) < pre(p) then 0 elseif pre(u) > "
                                      "0 then pre(u) - pre(p) else pre(u) + "
                                      "pre(p)",
                                      "pre(u) - sign(pre(u))*pre(p)"};

static void a_block_slides_to_a_stop(void **state)
{
  (void)state;
  for (size_t k = 0; k < BRINK__COUNT(coulomb); k++) {
    rig r = block(0, 6, 0, "0", coulomb[k]);
    rig_run_to(&r, 10);
    check_near(rig_value(&r, "x"), 36 / (2 * mu * g), 1e-9);
    check_near(rig_value(&r, "u"), 0, 0);
    rig_free(&r);
  }
  /* it bounces before: the impulses of all bounces take as much as the weight does */
  rig r = block(1, 6, 0.5, "0", BY_MIN);
  rig_run_to(&r, 10);
  check_near(rig_value(&r, "u"), 0, 0);
  rig_free(&r);
}

/* Pushed by 2 t, it slips at 2 t = mu g. */
static void it_sticks_until_the_push_is_as_strong(void **state)
{
  double t0 = mu * g / 2, T = 5;

  (void)state;
  for (size_t k = 0; k < BRINK__COUNT(coulomb); k++) {
    rig r = block(0, 0, 0, "2*time", coulomb[k]);
    rig_run_to(&r, t0 - 1e-3);
    check_near(rig_value(&r, "x"), 0, 0);
    rig_run_to(&r, T);
    check_near(rig_value(&r, "u"), T * T - t0 * t0 - mu * g * (T - t0), 1e-8);
    rig_free(&r);
  }
}

/* Up a slope; there it stays if mu > tan, or turns and slides down. */
static void on_a_slope_it_stays_or_turns_back(void **state)
{
  static const double angle[] = {0.25, 0.5};

  (void)state;
  for (int k = 0; k < 2; k++) {
    double down = sin(angle[k]), across = mu * cos(angle[k]), T = 2;
    char push[40];
    snprintf(push, sizeof push, "g*sin(%g)/cos(%g)", angle[k], angle[k]);
    rig r = block(0, -3, 0, push, BY_MIN); /* in units in which g cos = 9.81 */
    double gd = g * down / cos(angle[k]), gf = g * across / cos(angle[k]);
    double t1 = 3 / (gd + gf), x1 = -4.5 / (gd + gf), a = fmax(gd - gf, 0);
    rig_run_to(&r, T);
    check_near(rig_value(&r, "x"), x1 + a * (T - t1) * (T - t1) / 2, 1e-9);
    check_near(rig_value(&r, "u"), a * (T - t1), a > 0 ? 1e-9 : 0);
    rig_free(&r);
  }
}

/* Spring and belt: it is taken along at the belt's speed until the spring pulls as much
 * as friction holds, and swings then. */
static void a_belt_takes_it_along(void **state)
{
  double w = 2, f = mu * g, vb = 0.5, T = 4;
  rig r = block(0, 0, 0, "-4*x",
                "pre(u) - sign(pre(u) - 0.5)*min(pre(p), abs(pre(u) - 0.5))");
  double t1 = asin(vb * w / f) / w, x1 = f / (w * w) * (1 - cos(w * t1)),
         x2 = f / (w * w), t2 = t1 + (x2 - x1) / vb;

  (void)state;
  rig_run_to(&r, 0.5 * (t1 + t2));
  check_near(rig_value(&r, "u"), vb, 1e-15);
  rig_run_to(&r, T);
  check_near(rig_value(&r, "x"), x2 + vb / w * sin(w * (T - t2)), 1e-8);
  rig_free(&r);
}

/* reinit(u, 0), and a part of u at each bounce. */
static void impacts_that_stop_whatever_comes_hold_whatever_pushes(void **state)
{
  double fall = sqrt(2 / g), kept = 0.9, e = 0.5;
  rig r = block(1, 4, 0, "7", "0");

  (void)state;
  rig_run_to(&r, 10);
  check_near(rig_value(&r, "u"), 0, 0);
  check_near(rig_value(&r, "x"), 4 * fall + 3.5 * fall * fall, 1e-9);
  rig_free(&r);
  r = block(1, 6, e, "0", "0.9*pre(u)");
  rig_run_to(&r, 10);
  check_near(rig_value(&r, "u"), 0, 0);
  check_near(rig_value(&r, "x"), 6 * fall * (1 + 2 * kept * e / (1 - kept * e)), 1e-9);
  rig_free(&r);
}

static void speeds_along_two_axes_stop_together(void **state)
{
  rig r = of_text(
      "model disc\n  parameter Real mu = 0.3;\n"
      "  Real y(start = 0, fixed = true), v(start = 0, fixed = true);\n"
      "  Real x(start = 0, fixed = true), u(start = 3, fixed = true);\n"
      "  Real z(start = 0, fixed = true), w(start = 4, fixed = true);\n"
      "  Real s = sqrt(u^2 + w^2 + 1e-300);\nequation\n  der(y) = v;\n"
      "  der(v) = -9.81;\n  der(x) = u;\n  der(u) = 0;\n  der(z) = w;\n  der(w) = 0;\n"
      "  when y <= 0 then\n    reinit(v, -0.5*pre(v));\n"
      "    reinit(u, pre(u)*(1 - min(mu*1.5*abs(pre(v))/pre(s), 1)));\n"
      "    reinit(w, pre(w)*(1 - min(mu*1.5*abs(pre(v))/pre(s), 1)));\n"
      "  end when;\nend disc;\n");

  (void)state;
  rig_run_to(&r, 5);
  check_near(rig_value(&r, "x"), 0.6 * 25 / (2 * mu * g), 1e-9);
  check_near(rig_value(&r, "z"), 0.8 * 25 / (2 * mu * g), 1e-9);
  check_near(rig_value(&r, "u"), 0, 0);
  check_near(rig_value(&r, "w"), 0, 0);
  rig_free(&r);
}

/* A sphere rolls with 5/7 of its speed. */
static void a_sphere_begins_to_roll(void **state)
{
  rig r = of_text(
      "model sphere\n  parameter Real mu = 0.3, R = 0.1, e = 0.5;\n"
      "  Real y(start = 0.3, fixed = true), v(start = 0, fixed = true);\n"
      "  Real x(start = 0, fixed = true), u(start = 7, fixed = true);\n"
      "  Real w(start = 0, fixed = true), s = u - R*w;\n"
      "equation\n"
      "  der(y) = v;\n  der(v) = -9.81;\n  der(x) = u;\n  der(u) = 0;\n  der(w) = 0;\n"
      "  when y <= R then\n    reinit(v, -e*pre(v));\n"
      "    reinit(u, pre(u) - sign(pre(s))*min(mu*(1 + e)*abs(pre(v)), "
      "abs(pre(s))*2/7));\n"
      "    reinit(w, pre(w) + 2.5/R*sign(pre(s))*min(mu*(1 + e)*abs(pre(v)), "
      "abs(pre(s))*2/7));\n"
      "  end when;\nend sphere;\n");

  (void)state;
  rig_run_to(&r, 4);
  check_near(rig_value(&r, "u"), 5, 1e-9);
  check_near(rig_value(&r, "s"), 0, 1e-14);
  rig_free(&r);
}

/* A table that shakes along itself, A sin(w t) being its speed, as time or as a state
 * says: a block is thrown behind where A w |cos(w t)| > mu g, is caught again, and
 * sticks.  At the end it has been caught twice. */
static void a_table_that_shakes_takes_it_along(void **state)
{
  static const char form[] =
      "model shaken\n  parameter Real mu = 0.3, A = 0.4, w = 8;\n"
      "  Real y(start = 0, fixed = true), v(start = 0, fixed = true);\n"
      "  Real x(start = 0, fixed = true), u(start = 0, fixed = true);\n"
      "  Real z(start = 0, fixed = true), a(start = A*w, fixed = true), s = u - %s;\n"
      "equation\n  der(y) = v;\n  der(v) = -9.81;\n  der(x) = u;\n  der(u) = 0;\n"
      "  der(z) = a;\n  der(a) = -w^2*z;\n  when y < 0 then\n    reinit(v, 0);\n"
      "    reinit(u, u - sign(s)*min(mu*abs(v), abs(s)));\n  end when;\nend shaken;\n";
  static const char *const tables[] = {"A*sin(w*time)", "z"};
  static const char *const methods[] = {"dopri5", "dop853", "radau"};
  const double A = 0.4, w = 8, pi = acos(-1.), T = 0.72;
  double caught = 0.1, slips = (pi - acos(mu * g / (A * w))) / w, again = slips + 0.2;

  (void)state;
  for (int i = 0; i < 50; i++) { /* Newton */
    caught -=
        (mu * g * caught - A * sin(w * caught)) / (mu * g - A * w * cos(w * caught));
    again -= (A * sin(w * slips) - mu * g * (again - slips) - A * sin(w * again)) /
             (-mu * g - A * w * cos(w * again));
  }
  double flies = again - slips;
  double x = mu * g * caught * caught / 2 + A / w * (cos(w * caught) - cos(w * slips)) +
             A * sin(w * slips) * flies - mu * g * flies * flies / 2 +
             A / w * (cos(w * again) - cos(w * T));
  for (size_t k = 0; k < BRINK__COUNT(tables); k++)
    for (size_t m = 0; m < BRINK__COUNT(methods); m++) {
      char text[1000];
      brink_sim_opts opt = brink_sim_defaults();
      snprintf(text, sizeof text, form, tables[k]);
      opt.rtol = 1e-10;
      opt.max_seconds = 60;
      opt.method = methods[m];
      rig r = rig_text(text, &opt, 0);
      rig_run_to(&r, T);
      check_near(rig_value(&r, "u"), A * sin(w * T), 1e-8);
      check_near(rig_value(&r, "x"), x, 1e-8);
      rig_free(&r);
    }
}

/* A box on two feet, with more weight on one of them: they share the push, and slip
 * together. */
static void two_feet_share_the_push(void **state)
{
  double t0 = mu * g / 2, T = 5;
  rig r = of_text(
      "model box\n  parameter Real mu = 0.3;\n"
      "  Real h(start = 0, fixed = true), v(start = 0, fixed = true);\n"
      "  Real a(start = 0, fixed = true), w(start = 0, fixed = true);\n"
      "  Real x(start = 0, fixed = true), u(start = 0, fixed = true);\nequation\n"
      "  der(h) = v;\n  der(v) = -9.81;\n  der(a) = w;\n  der(w) = -2;\n  der(x) = u;\n"
      "  der(u) = 2*time;\n  when h + a <= 0 then\n"
      "    reinit(v, pre(v) - (pre(v) + pre(w))/2);\n"
      "    reinit(w, pre(w) - (pre(v) + pre(w))/2);\n"
      "    reinit(u, pre(u) - sign(pre(u))*min(mu*abs(pre(v) + pre(w))/2, "
      "abs(pre(u))));\n"
      "  end when;\n  when h - a <= 0 then\n"
      "    reinit(v, pre(v) - (pre(v) - pre(w))/2);\n"
      "    reinit(w, pre(w) + (pre(v) - pre(w))/2);\n"
      "    reinit(u, pre(u) - sign(pre(u))*min(mu*abs(pre(v) - pre(w))/2, "
      "abs(pre(u))));\n"
      "  end when;\nend box;\n");

  (void)state;
  rig_run_to(&r, t0 - 1e-3);
  check_near(rig_value(&r, "x"), 0, 0);
  rig_run_to(&r, T);
  check_near(rig_value(&r, "u"), T * T - t0 * t0 - mu * g * (T - t0), 1e-8);
  rig_free(&r);
}

/* A block that slides to its stop, and is pushed away from 1.37 on, in units of length
 * s. */
static void units_do_not_matter(void **state)
{
  static const double unit[] = {1e6, 1e-6};
  double stop = 2 / (mu * g), T = 2 - 1.37;

  (void)state;
  for (size_t k = 0; k < BRINK__COUNT(unit); k++) {
    char text[900];
    double s = unit[k];
    snprintf(text, sizeof text,
             "model units\n  parameter Real s = %g, g = 9.81*s;\n"
             "  Real h(start = 0, fixed = true, nominal = s);\n"
             "  Real v(start = 0, fixed = true, nominal = s);\n"
             "  Real x(start = 0, fixed = true, nominal = s);\n"
             "  Real u(start = 2*s, fixed = true, nominal = s);\nequation\n"
             "  der(h) = v;\n  der(v) = -g;\n  der(x) = u;\n"
             "  der(u) = if time > 1.37 then 0.5*g else 0;\n  when h <= 0 then\n"
             "    reinit(v, -0.5*pre(v));\n    reinit(u, pre(u) - sign(pre(u))*"
             "min(abs(pre(u)), 0.3*1.5*abs(pre(v))));\n  end when;\nend units;\n",
             s);
    rig r = of_text(text);
    rig_run_to(&r, 1.3);
    check_near(rig_value(&r, "x") / s, stop, 1e-9);
    check_near(rig_value(&r, "u"), 0, 0);
    rig_run_to(&r, 2);
    check_near(rig_value(&r, "u") / s, (0.5 - mu) * g * T, 1e-9);
    rig_free(&r);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_block_slides_to_a_stop),
      cmocka_unit_test(it_sticks_until_the_push_is_as_strong),
      cmocka_unit_test(on_a_slope_it_stays_or_turns_back),
      cmocka_unit_test(a_belt_takes_it_along),
      cmocka_unit_test(impacts_that_stop_whatever_comes_hold_whatever_pushes),
      cmocka_unit_test(speeds_along_two_axes_stop_together),
      cmocka_unit_test(a_sphere_begins_to_roll),
      cmocka_unit_test(a_table_that_shakes_takes_it_along),
      cmocka_unit_test(two_feet_share_the_push),
      cmocka_unit_test(units_do_not_matter),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
