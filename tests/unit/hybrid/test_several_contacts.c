/* test_several_contacts.c -- bodies that touch several others: columns of balls, rows
 * that are pushed against a wall, boxes on two feet, impacts of one body with two
 * others at one time, Newton's cradle.  What must come of them is known without
 * computation: who ends where, and that energy and momentum do what restitution says.
 */
#include "hybrid.h"
#include "core/core.h"
#include "ode/method.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static rig of_text_with(const char *text, double rtol, double h_max)
{
  brink_sim_opts opt = brink_sim_defaults();

  opt.rtol = rtol;
  opt.h_max = h_max;
  opt.max_iterations = 1000; /* instants of rows of impacts at one time */
  return rig_text(text, &opt, 0);
}

static rig of_text(const char *text) { return of_text_with(text, 1e-9, 0); }

static double value(rig *r, const char *name, int i)
{
  char text[20];
  double v;

  snprintf(text, sizeof text, i ? "%s[%d]" : "%s", name, i);
  check_status(brink_sim_get(r->sim, text, &v), BRINK_OK);
  return v;
}

/* Impacts of neighbours a distance of `apart` from each other. */
#define PAIRS                                                                          \
  "  for i in 1:n - 1 loop\n    when x[i + 1] - x[i] <= apart then\n"                  \
  "      reinit(v[i], (m[i]*pre(v[i]) + m[i + 1]*pre(v[i + 1])\n"                      \
  "        - m[i + 1]*e*(pre(v[i]) - pre(v[i + 1])))/(m[i] + m[i + 1]));\n"            \
  "      reinit(v[i + 1], (m[i]*pre(v[i]) + m[i + 1]*pre(v[i + 1])\n"                  \
  "        + m[i]*e*(pre(v[i]) - pre(v[i + 1])))/(m[i] + m[i + 1]));\n"                \
  "    end when;\n  end for;\n"

/* Balls fall on each other and on the floor at 0.1, where rounding of the states is not
 * that of their distances: their bounces get lost in it one after the other. */
static void columns_come_to_rest(void **state)
{
  static const double restitution[] = {0.1, 0.3, 0.4, 0.5, 0.57};

  (void)state;
  for (int n = 2; n <= 3; n++)
    for (size_t k = 0; k < BRINK__COUNT(restitution); k++) {
      char text[1500];
      snprintf(text, sizeof text,
               "model column\n  parameter Integer n = %d;\n"
               "  parameter Real e = %g, apart = 0.2, m[n] = {1 - 0.3*(i - 1) for i in "
               "1:n};\n"
               "  Real x[n](start = {0.7*i - 0.27 for i in 1:n}, each fixed = true);\n"
               "  Real v[n](each start = 0, each fixed = true);\nequation\n"
               "  der(x) = v;\n  der(v) = fill(-9.81, n);\n  when x[1] <= 0.1 then\n"
               "    reinit(v[1], -e*pre(v[1]));\n  end when;\n" PAIRS "end column;\n",
               n, restitution[k]);
      rig r = of_text(text);
      rig_run_to(&r, 12);
      for (int i = 1; i <= n; i++) {
        check_near(value(&r, "x", i), 0.1 + 0.2 * (i - 1), 1e-15);
        check_near(value(&r, "v", i), 0, 1e-15);
      }
      rig_free(&r);
    }
}

/* Bodies between others fly for short times by chance, which are no bounces that
 * rounding keeps going: many flights of a column that loses little energy are low. */
static void columns_that_lose_little_come_to_rest(void **state)
{
  static const struct {
    int n;
    double e, first, more;
  } column[] = {
      {4, 0.95, 1, 0}, {3, 0.99, 1, 0}, {3, 0.95, 0.9, -0.1}, {5, 0.9, 0.7, 0.2}};

  (void)state;
  for (size_t k = 0; k < BRINK__COUNT(column); k++) {
    int n = column[k].n;
    char text[1500];
    snprintf(
        text, sizeof text,
        "model column\n  parameter Integer n = %d;\n"
        "  parameter Real e = %g, apart = 0.2, m[n] = {%g + (%g)*(i - 1) for i in "
        "1:n};\n"
        "  Real x[n](start = {0.3 + 0.25*(i - 1) for i in 1:n}, each fixed = true);\n"
        "  Real v[n](each start = 0, each fixed = true);\nequation\n"
        "  der(x) = v;\n  der(v) = fill(-9.81, n);\n  when x[1] <= 0.1 then\n"
        "    reinit(v[1], -e*pre(v[1]));\n  end when;\n" PAIRS "end column;\n",
        n, column[k].e, column[k].first, column[k].more);
    rig r = of_text(text);
    rig_run_to(&r, 60);
    for (int i = 1; i <= n; i++) {
      check_near(value(&r, "x", i), 0.1 + 0.2 * (i - 1), 1e-15);
      check_near(value(&r, "v", i), 0, 1e-15);
    }
    rig_free(&r);
  }
}

/* Columns in which a body was once left a little beyond another one, from where its
 * flights did not come back out of it, and fell through; and a plastic one of three, of
 * which the impacts of the lower two were carried out until they were over before the
 * third was asked again. */
static void bodies_a_little_beyond_each_other_come_to_rest(void **state)
{
  static const struct {
    int n;
    double e, floor;
    const char *x, *m;
  } column[] = {{2, 0.6, 2.7, "2.7, 3.3533260643393006", "0.3, 0.5"},
                {3, 0.3, 0.1,
                 "0.22607427897579976, 0.5347949821009461, 1.2842609380226064",
                 "0.5, 2, 0.5"},
                {3, 0, 2.7, "2.9932422104114824, 4.160484094223911, 5.108578549037677",
                 "0.5, 1, 1"}};

  (void)state;
  for (size_t k = 0; k < BRINK__COUNT(column); k++) {
    int n = column[k].n;
    char text[1500];
    snprintf(text, sizeof text,
             "model column\n  parameter Integer n = %d;\n"
             "  parameter Real e = %g, apart = 0.2, m[n] = {%s};\n"
             "  Real x[n](start = {%s}, each fixed = true);\n"
             "  Real v[n](each start = 0, each fixed = true);\nequation\n"
             "  der(x) = v;\n  der(v) = fill(-9.81, n);\n  when x[1] <= %g then\n"
             "    reinit(v[1], -e*pre(v[1]));\n  end when;\n" PAIRS "end column;\n",
             n, column[k].e, column[k].m, column[k].x, column[k].floor);
    rig r = of_text(text);
    rig_run_to(&r, 12);
    for (int i = 1; i <= n; i++)
      check_near(value(&r, "x", i), column[k].floor + 0.2 * (i - 1), 1e-12);
    rig_free(&r);
  }
}

/* Plastic balls that fall on each other come to rest by hundreds of impacts at one
 * time, which ended the run as a loop although their speeds die out. */
static void impacts_that_die_out_are_no_loop(void **state)
{
  (void)state;
  for (int n = 3; n <= 6; n += 3) {
    char text[1500];
    brink_sim_opts opt = brink_sim_defaults();
    snprintf(text, sizeof text,
             "model column\n  parameter Integer n = %d;\n"
             "  parameter Real e = 0, apart = 0.2, m[n] = fill(1.3, n);\n"
             "  Real x[n](start = {0.21*i + 0.09 for i in 1:n}, each fixed = true);\n"
             "  Real v[n](each start = 0, each fixed = true);\nequation\n"
             "  der(x) = v;\n  der(v) = fill(-9.81, n);\n  when x[1] <= 0.1 then\n"
             "    reinit(v[1], 0);\n  end when;\n" PAIRS "end column;\n",
             n);
    rig r = rig_text(text, &opt, 0);
    rig_run_to(&r, 3);
    for (int i = 1; i <= n; i++) {
      check_near(value(&r, "x", i), 0.1 + 0.2 * (i - 1), 1e-12);
      check_near(value(&r, "v", i), 0, 1e-12);
    }
    rig_free(&r);
  }
}

/* The same in a row that is hit where the run begins, where t = 0 tells any two times
 * apart, or later; with weight, and without any acceleration. */
static void impacts_that_die_out_do_so_at_any_time(void **state)
{
  brink_sim_opts opt = brink_sim_defaults();
  char text[1500];

  (void)state;
  for (int i = 0; i < 4; i++) {
    snprintf(text, sizeof text,
             "model column\n  parameter Integer n = 6;\n"
             "  parameter Real e = 0, apart = 0.2, m[n] = fill(1.3, n);\n"
             "  Real x[n](start = {0.2*i - 0.1 for i in 1:n}, each fixed = true);\n"
             "  Real v[n](each start = 0, each fixed = true);\nequation\n"
             "  der(x) = v;\n  der(v) = fill(%g, n);\n  when x[1] <= 0.1 then\n"
             "    reinit(v[1], 0);\n  end when;\n"
             "  when sample(%g, 100) then\n    reinit(v[n], -2.7);\n"
             "  end when;\n" PAIRS "end column;\n",
             i & 1 ? -9.81 : 0, i & 2 ? 0.37 : 0);
    rig r = rig_text(text, &opt, 0);
    rig_run_to(&r, 1);
    assert_in_range(rig_events(&r), 150, 5000);
    for (int k = 1; k <= 6; k++) {
      check_near(value(&r, "x", k), 0.1 + 0.2 * (k - 1), 1e-12);
      check_near(value(&r, "v", k), 0, 1e-12);
    }
    rig_free(&r);
  }
}

/* Two pairs of balls are put together and driven against each other; what an impact
 * does ends the run before the others have had theirs. */
static void a_row_that_was_left_begins_anew_with_the_next_run(void **state)
{
  static const char text[] =
      "model pairs\n  parameter Real e = 0.3;\n"
      "  Real a(start = 0, fixed = true), b(start = 1.3, fixed = true);\n"
      "  Real c(start = 2.5, fixed = true), d(start = 3.8, fixed = true);\n"
      "  Real u(start = 0, fixed = true), v(start = 0, fixed = true);\n"
      "  Real w(start = 0, fixed = true), z(start = 0, fixed = true);\nequation\n"
      "  der(a) = u;\n  der(b) = v;\n  der(c) = w;\n  der(d) = z;\n"
      "  der(u) = 0;\n  der(v) = 0;\n  der(w) = 0;\n  der(z) = 0;\n"
      "  when time >= 0.5 then\n    reinit(b, 1);\n    reinit(d, 3.5);\n"
      "    reinit(v, -1);\n    reinit(w, 1.5);\n  end when;\n"
      "  when b - a < 1 then\n    reinit(u, (u + v + e*(v - u))/2);\n"
      "    reinit(v, (u + v - e*(v - u))/2);\n  end when;\n"
      "  when d - c < 1 then\n    reinit(w, (w + z + e*(z - w))/2);\n"
      "    reinit(z, (w + z - e*(z - w))/2);\n  end when;\n"
      "  when u < -0.5 then\n    terminate(\"fast\");\n  end when;\nend pairs;\n";

  (void)state;
  rig r = rig_text(text, NULL, 0);
  for (int run = 0; run < 2; run++) {
    check_status(brink_sim_start(r.sim, 0, 0, NULL), BRINK_OK);
    check_status(brink_sim_run(r.sim, 1), BRINK_TERMINATED);
    assert_int_equal(rig_events(&r), 3);
    check_text(rig_event(&r, 1).name, "b - a < 1");
  }
  rig_free(&r);
}

/* The second ball comes down to the lowest just before the bounces of that one
 * accumulate: their limit was not uncertain enough to be refused, but beyond the second
 * ball, which then fell through without an event. */
static void a_body_on_its_way_to_one_that_bounces_is_met(void **state)
{
  (void)state;
  rig r = of_text_with(
      "model column\n  parameter Integer n = 3;\n"
      "  parameter Real e = 0.9, apart = 0.2, m[n] = {1, 1, 1};\n"
      "  Real x[n](start = {0.3, 0.51, 0.72}, each fixed = true);\n"
      "  Real v[n](each start = 0, each fixed = true);\nequation\n"
      "  der(x) = v;\n  der(v) = fill(-9.81, n);\n  when x[1] <= 0.1 then\n"
      "    reinit(v[1], -e*pre(v[1]));\n  end when;\n" PAIRS "end column;\n",
      1e-6, 0);
  rig_run_to(&r, 12);
  for (int i = 1; i <= 3; i++)
    check_near(value(&r, "x", i), 0.1 + 0.2 * (i - 1), 1e-12);
  rig_free(&r);
}

/* BDF begins with order 1, and left nothing of flights lower than its tolerance: bodies
 * fell through each other and the floor without a word. */
static void low_flights_are_followed_by_methods_of_order_1(void **state)
{
  static const struct {
    double e, apart;
    int n;
  } column[] = {{0.5, 0.25, 3}, {0.5, 0.21, 4}, {0.5, 0.25, 4}, {0.8, 0.21, 2}};

  (void)state;
  if (brink__method_find("cvode")->needs)
    return; /* brink was built without it */
  for (size_t k = 0; k < BRINK__COUNT(column); k++) {
    int n = column[k].n;
    char text[1500];
    brink_sim_opts opt = brink_sim_defaults();
    opt.method = "cvode";
    opt.h_max = 0.6;
    snprintf(
        text, sizeof text,
        "model column\n  parameter Integer n = %d;\n"
        "  parameter Real e = %g, apart = 0.2, m[n] = fill(1, n);\n"
        "  Real x[n](start = {0.3 + %g*(i - 1) for i in 1:n}, each fixed = true);\n"
        "  Real v[n](each start = 0, each fixed = true);\nequation\n"
        "  der(x) = v;\n  der(v) = fill(-9.81, n);\n  when x[1] <= 0.1 then\n"
        "    reinit(v[1], -e*pre(v[1]));\n  end when;\n" PAIRS "end column;\n",
        n, column[k].e, column[k].apart);
    rig r = rig_text(text, &opt, 0);
    rig_run_to(&r, 12);
    for (int i = 1; i <= n; i++)
      check_near(value(&r, "x", i), 0.1 + 0.2 * (i - 1), 1e-8);
    rig_free(&r);
  }
}

/* Three blocks are pushed against a wall, and stay there in a row. */
static void a_row_is_pushed_against_a_wall(void **state)
{
  static const double restitution[] = {0, 0.3, 0.5};

  (void)state;
  for (size_t k = 0; k < BRINK__COUNT(restitution); k++) {
    char text[1500];
    snprintf(text, sizeof text,
             "model row\n  parameter Integer n = 3;\n"
             "  parameter Real e = %g, apart = 1, m[n] = {1, 1, 1};\n"
             "  Real x[n](start = {0, 1.3, 2.7}, each fixed = true);\n"
             "  Real v[n](each start = 0, each fixed = true);\nequation\n"
             "  der(x) = v;\n  der(v) = {3, 0, 0};\n  when x[3] > 4 then\n"
             "    reinit(v[3], -e*pre(v[3]));\n  end when;\n" PAIRS "end row;\n",
             restitution[k]);
    rig r = of_text(text);
    rig_run_to(&r, 40);
    for (int i = 1; i <= 3; i++) {
      check_near(value(&r, "x", i), 1 + i, 1e-14);
      check_near(value(&r, "v", i), 0, 1e-14);
    }
    rig_free(&r);
  }
}

/* The first of n balls in a row hits the others, which touch. */
static void cradles_pass_the_speed_to_the_last(void **state)
{
  (void)state;
  for (int n = 2; n <= 7; n++) {
    char text[1500];
    snprintf(text, sizeof text,
             "model cradle\n  parameter Integer n = %d;\n"
             "  parameter Real e = 1, apart = 0.1, m[n] = fill(1.7, n);\n"
             "  Real x[n](start = {if i == 1 then -0.5 else 0.1*(i - 1) for i in "
             "1:n}, each fixed = true);\n"
             "  Real v[n](start = {if i == 1 then 1.3 else 0 for i in 1:n}, each fixed "
             "= true);\nequation\n"
             "  der(x) = v;\n  der(v) = zeros(n);\n" PAIRS "end cradle;\n",
             n);
    rig r = of_text(text);
    rig_run_to(&r, 2);
    for (int i = 1; i <= n; i++)
      check_near(value(&r, "v", i), i == n ? 1.3 : 0, 1e-15);
    rig_free(&r);
  }
}

/* Two balls hit a third one from both sides at one time: its whens want to set its
 * speed to different values, and happen one after the other.  The order is told. */
static void impacts_at_one_time_happen_one_after_the_other(void **state)
{
  static const char text[] =
      "model three\n  parameter Integer n = 3;\n  parameter Real e = %s, apart = 0.1;\n"
      "  parameter Real m[3] = {1, 1, 1};\n"
      "  Real x[3](start = {-1, 0, 1}, each fixed = true);\n"
      "  Real v[3](start = {1, 0, -1}, each fixed = true);\n"
      "  Integer hits(start = 0, fixed = true);\nequation\n"
      "  der(x) = v;\n  der(v) = zeros(3);\n" PAIRS
      "  when x[2] - x[1] <= apart then\n    hits = pre(hits) + 1;\n  end when;\n"
      "end three;\n";
  char both[2000];

  (void)state;
  snprintf(both, sizeof both, text, "1");
  rig r = of_text(both);
  rig_run_to(&r, 2);
  check_near(value(&r, "v", 1), -1, 1e-15);
  check_near(value(&r, "v", 2), 0, 1e-15);
  check_near(value(&r, "v", 3), 1, 1e-15);
  check_near(value(&r, "hits", 0), 2, 0);
  assert_true(rig_warns(&r, "exclude each other"));
  rig_free(&r);

  /* momentum is kept, none is inside another, and energy has become less */
  snprintf(both, sizeof both, text, "0.5");
  r = of_text(both);
  rig_run_to(&r, 2);
  double v1 = value(&r, "v", 1), v2 = value(&r, "v", 2), v3 = value(&r, "v", 3);
  check_near(v1 + v2 + v3, 0, 1e-15);
  assert_true(v1 <= v2 && v2 <= v3);
  assert_true(v1 * v1 + v2 * v2 + v3 * v3 < 2);
  rig_free(&r);
}

/* Small angles: the feet are at h - q/2 and h + q/2. */
static void a_box_rocks_and_comes_to_rest(void **state)
{
  static const char text[] =
      "model box\n  parameter Real e = 0.3, a = 0.5, m = 2, J = 0.4, k = 1/m + a^2/J;\n"
      "  Real h(start = 0.3, fixed = true), v(start = 0, fixed = true);\n"
      "  Real q(start = 0.2, fixed = true), w(start = 0, fixed = true);\n"
      "  Real left = v - a*w, right = v + a*w;\nequation\n"
      "  der(h) = v;\n  der(v) = -9.81;\n  der(q) = w;\n  der(w) = 0;\n"
      "  when h - a*q < 0 then\n    reinit(v, pre(v) - (1 + e)*pre(left)/k/m);\n"
      "    reinit(w, pre(w) + (1 + e)*pre(left)/k*a/J);\n  end when;\n"
      "  when h + a*q < 0 then\n    reinit(v, pre(v) - (1 + e)*pre(right)/k/m);\n"
      "    reinit(w, pre(w) - (1 + e)*pre(right)/k*a/J);\n  end when;\nend box;\n";
  rig r = of_text(text);

  (void)state;
  rig_run_to(&r, 5);
  check_near(value(&r, "h", 0), 0, 1e-15);
  check_near(value(&r, "v", 0), 0, 1e-15);
  check_near(value(&r, "q", 0), 0, 1e-15);
  check_near(value(&r, "w", 0), 0, 1e-15);
  rig_free(&r);
}

/* Another event does not end the rest on a floor that moves: what rounding leaves of
 * place and speed there may be more than t can tell, near t = 0 above all. */
static void rest_on_a_moving_floor_lasts_across_events(void **state)
{
  static const char text[] =
      "model F\n  parameter Real at = 1.3;\n  Real x(start = 0.5, fixed = true), "
      "v(start = 0, fixed = true);\n"
      "  Real y(start = 0, fixed = true), z(start = 0, fixed = true);\nequation\n"
      "  der(x) = v;\n  der(v) = 0.3*z - 3;\n  der(y) = 1;\n  der(z) = 0.5 - z;\n"
      "  when x <= 0.1*sin(2.9*time + 5.1) then\n"
      "    reinit(v, 0.29*cos(2.9*time + 5.1) - 0.2*(pre(v) - 0.29*cos(2.9*time + "
      "5.1)));\n  end when;\n"
      "  when y > at then\n    reinit(z, -0.3);\n  end when;\nend F;\n";
  rig r = of_text_with(text, 1e-6, 2.9 / 50);

  (void)state;
  for (int i = 0; i < 40; i++) {
    check_status(brink_sim_set(r.sim, "at", 1.3 + i / 100.0), BRINK_OK);
    check_status(brink_sim_start(r.sim, -1.3, 0, NULL), BRINK_OK);
    rig_run_to(&r, 1.6);
    check_near(value(&r, "x", 0), 0.1 * sin(2.9 * 1.6 + 5.1), 1e-14);
  }
  rig_free(&r);
}

/* A plastic ball lies on a shaking floor and is hit from above. */
static void balls_on_a_shaking_floor_stay_above_it(void **state)
{
  static const char text[] =
      "model P\n  parameter Real a = 4.9;\n"
      "  Real x(start = 1.4, fixed = true), v(start = 0, fixed = true);\n"
      "  Real y(start = 0.3, fixed = true), w(start = 0, fixed = true);\nequation\n"
      "  der(x) = v;\n  der(v) = -3;\n  der(y) = w;\n  der(w) = -4;\n"
      "  when x <= y then\n    reinit(v, pre(v) + 0.8*(pre(w) - pre(v)));\n"
      "    reinit(w, pre(w) - 0.25*(pre(w) - pre(v)));\n  end when;\n"
      "  when y <= 0.28*sin(2*time + a) then\n"
      "    reinit(w, 0.56*cos(2*time + a));\n  end when;\nend P;\n";
  rig r = of_text_with(text, 1e-5, 0);

  (void)state;
  for (int i = 0; i < 15; i++) {
    double a = 4 + 0.2 * (i % 5), y = 0.3 + 0.1 * (i / 5);
    check_status(brink_sim_set(r.sim, "a", a), BRINK_OK);
    check_status(brink_sim_set_start(r.sim, "y", y), BRINK_OK);
    check_status(brink_sim_start(r.sim, 0, 0, NULL), BRINK_OK);
    rig_run_to(&r, 1.6);
    check_near(value(&r, "x", 0), 0.28 * sin(3.2 + a), 1e-14);
    check_near(value(&r, "y", 0), 0.28 * sin(3.2 + a), 1e-14);
  }
  rig_free(&r);
}

/* ------------------------------------------------------------ callbacks ---- */

static int two_fall(double t, const double *y, double *f, const brink_env *e)
{
  (void)t, (void)e;
  f[0] = y[1];
  f[1] = f[3] = -9.81;
  f[2] = y[3];
  return 0;
}

static double gap(double t, const double *y, int k, const brink_env *e)
{
  (void)t, (void)e;
  return k == 0 ? y[0] - y[2] : y[2];
}

static int meet(brink_jump *j)
{
  double change = 0.7 * (j->y[3] - j->y[1]);

  j->y[1] += change;
  j->y[3] -= change;
  return 0;
}

static int land(brink_jump *j)
{
  j->y[3] = -0.2 * j->y[3];
  return 0;
}

static void a_column_of_callbacks_comes_to_rest(void **state)
{
  static const brink_guard_def guards[] = {{.name = "gap", .fn = gap, .degree = 1},
                                           {.name = "floor", .fn = gap, .degree = 1}};
  static const brink_event_def events[] = {
      {.name = "meet", .guard = 0, .dir = BRINK_DOWN, .jump = meet},
      {.name = "land", .guard = 1, .dir = BRINK_DOWN, .jump = land}};
  static const brink_mode_def mode = {.name = "fall",
                                      .n = 4,
                                      .rhs = two_fall,
                                      .guards = guards,
                                      .n_guards = 2,
                                      .events = events,
                                      .n_events = 2};
  static const brink_model_def def = {.name = "column", .modes = &mode, .n_modes = 1};
  const double y0[] = {1.3, 0, 0.4, 0};
  rig r = rig_new(&def, NULL, 0, 0, y0);

  (void)state;
  rig_run_to(&r, 6);
  for (int i = 0; i < 4; i++)
    check_near(brink_sim_state(r.sim)[i], 0, 1e-14);
  rig_free(&r);
}

/* The sentence with which the run ends. */
static const char *ends(rig *r, double t)
{
  assert_true(brink_sim_run(r->sim, t) != BRINK_END);
  return brink_sim_error(r->sim)->text;
}

/* A ceiling comes down on a ball on the floor; two walls close on a ball that flies
 * between them: both guards are named, and that nothing can move. */
static void contacts_that_close_on_each_other_are_told(void **state)
{
  static const char *const closing[] = {
      "model ceiling\n  Real h(start = 0.5, fixed = true), v(start = 0, fixed = true),"
      " z(start = 2, fixed = true);\nequation\n  der(h) = v;\n  der(v) = -9.81;\n"
      "  der(z) = -0.5;\n  when h <= 0 then\n    reinit(v, -0.5*pre(v));\n  end when;\n"
      "  when z - h <= 0.2 then\n    reinit(v, -0.5 - 0.5*(pre(v) + 0.5));\n"
      "  end when;\nend ceiling;\n",
      "model walls\n  Real h(start = 0, fixed = true), v(start = 0.3, fixed = true),"
      " z(start = 2, fixed = true);\nequation\n  der(h) = v;\n  der(v) = 0;\n"
      "  der(z) = -0.5;\n  when h <= 0 then\n    reinit(v, -0.8*pre(v));\n  end when;\n"
      "  when z - h <= 0.2 then\n    reinit(v, -0.5 - 0.8*(pre(v) + 0.5));\n"
      "  end when;\nend walls;\n"};

  (void)state;
  for (size_t k = 0; k < BRINK__COUNT(closing); k++) {
    rig r = of_text(closing[k]);
    const char *text = ends(&r, 5);
    if (!strstr(text, "no motion is possible") || !strstr(text, "'h <= 0 (line 7)'") ||
        !strstr(text, "'z - h <= 0.2 (line 10)'"))
      fail_msg("%s", text);
    check_near(brink_sim_time(r.sim), 3.6, 1e-8);
    rig_free(&r);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(columns_come_to_rest),
      cmocka_unit_test(columns_that_lose_little_come_to_rest),
      cmocka_unit_test(bodies_a_little_beyond_each_other_come_to_rest),
      cmocka_unit_test(a_body_on_its_way_to_one_that_bounces_is_met),
      cmocka_unit_test(impacts_that_die_out_are_no_loop),
      cmocka_unit_test(impacts_that_die_out_do_so_at_any_time),
      cmocka_unit_test(a_row_that_was_left_begins_anew_with_the_next_run),
      cmocka_unit_test(low_flights_are_followed_by_methods_of_order_1),
      cmocka_unit_test(a_row_is_pushed_against_a_wall),
      cmocka_unit_test(cradles_pass_the_speed_to_the_last),
      cmocka_unit_test(impacts_at_one_time_happen_one_after_the_other),
      cmocka_unit_test(a_box_rocks_and_comes_to_rest),
      cmocka_unit_test(rest_on_a_moving_floor_lasts_across_events),
      cmocka_unit_test(balls_on_a_shaking_floor_stay_above_it),
      cmocka_unit_test(a_column_of_callbacks_comes_to_rest),
      cmocka_unit_test(contacts_that_close_on_each_other_are_told),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
