/* test_contact_sliding.c -- bodies that rest on a surface while dry friction, written
 * with sign(), holds them: contacts and sliding in one regime.  References are closed
 * formulas. */
#include "hybrid.h"
#include "core/core.h"
#include "plain_methods.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double G = 9.81;

static rig of_text(const char *text, double rtol)
{
  brink_sim_opts opt = brink_sim_defaults();

  opt.rtol = rtol;
  return rig_text(text, &opt, 0);
}

/* ---------------------------------------------------------------- block ---- */

/* A block of the mass 2 falls from the height h with the speed v0 along the table, is
 * pushed by the force 3 t, and dry friction of at most 0.3 m g works against its speed.
 * The impact has the restitution e and pushes along the table as well, by k times what
 * it pushes up: so does the reaction, with k m g. */
#define BLOCK                                                                          \
  "model pushed\n  parameter Real mu = 0.3, m = 2, g = 9.81, e = %g, k = %g;\n"        \
  "  Real x(start = 0, fixed = true), v(start = %g, fixed = true);\n"                  \
  "  Real y(start = %g, fixed = true), w(start = 0, fixed = true);\n"                  \
  "  Real f = -mu*m*g*sign(v);\n  Integer s(start = 0, fixed = true);\nequation\n"     \
  "  der(x) = v;\n  m*der(v) = 3*time + f;\n  der(y) = w;\n  der(w) = -g;\n"           \
  "  when y <= 0 then\n    reinit(w, -e*pre(w));\n"                                    \
  "    reinit(v, pre(v) - k*(1 + e)*pre(w));\n  end when;\n"                           \
  "  when sample(0.3, 0.4) then\n    s = pre(s) + 1;\n  end when;\nend pushed;\n"

static rig block(double e, double k, double v, double h, double rtol)
{
  char text[1000];

  snprintf(text, sizeof text, BLOCK, e, k, v, h);
  return of_text(text, rtol);
}

/* It has come to a stop and to rest; it sticks until the push is as strong as friction,
 * and then slides under the difference. */
static void sticks_and_slides(rig *r, double k, double tolerance)
{
  double slips = 2 * G * (0.3 - k) / 3, t = 0;

  rig_run_to(r, 0.9 * slips);
  double x = rig_value(r, "x");
  check_near(rig_value(r, "y"), 0, 0);
  check_near(rig_value(r, "w"), 0, 0);
  check_near(rig_value(r, "v"), 0, 1e-15);
  check_near(rig_value(r, "f"), -3 * 0.9 * slips - 2 * k * G, 1e-12);
  assert_int_equal(rig_count(r, BRINK_KIND_SLIDE_OUT, &t), 0);
  rig_run_to(r, slips + 1);
  assert_int_equal(rig_count(r, BRINK_KIND_SLIDE_OUT, &t), 1);
  check_near(t, slips, 1e-12);
  assert_int_equal(rig_count(r, BRINK_KIND_SLIDE_IN, &t), 1);
  assert_int_equal(rig_count(r, BRINK_KIND_REST, &t), 1);
  assert_int_equal(rig_count(r, BRINK_KIND_LIFT, &t), 0);
  check_near(rig_value(r, "v"), 0.75, tolerance);
  check_near(rig_value(r, "x") - x, 0.25, tolerance);
  check_near(rig_value(r, "y"), 0, 0);
  check_near(rig_value(r, "w"), 0, 0);
  assert_true(rig_value(r, "s") >= 5);
}

static void a_block_sticks_until_the_push_is_as_strong_as_friction(void **state)
{
  static const struct {
    double e, k, v, h;
  } cases[] = {
      {0, 0, 0, 0},       /* at rest from the start                                  */
      {0, 0, 0.5, 0},     /* comes to a stop while it rests                          */
      {0, 0, 0, 0.3},     /* is held by friction, and falls                          */
      {0.5, 0, 0, 0.1},   /* ... and bounces until it rests                          */
      {0.5, 0, 0.5, 0.1}, /* stops while it bounces                                  */
      {0.5, 0, 1.5, 0.1}, /* stops after it has come to rest                         */
      {0, 0.1, 0, 0},     /* the reaction pushes as well                             */
      {0, 0.1, 0.3, 0},   {0, 0.1, 0.3, 0.01}, {0, -0.1, -0.3, 0},
  };

  (void)state;
  for (size_t i = 0; i < BRINK__COUNT(cases); i++) {
    rig r = block(cases[i].e, cases[i].k, cases[i].v, cases[i].h, 1e-10);
    sticks_and_slides(&r, cases[i].k, 1e-9);
    rig_free(&r);
  }
}

/* Friction in two directions: each gives way alone. */
static void a_block_sticks_in_two_directions(void **state)
{
  static const char text[] =
      "model two\n  Real v[2](each start = 0, each fixed = true);\n"
      "  Real y(start = 0.1, fixed = true), w(start = 0, fixed = true);\nequation\n"
      "  der(v[1]) = time - 1.2*sign(v[1]);\n  der(v[2]) = 2*time - 4*sign(v[2]);\n"
      "  der(y) = w;\n  der(w) = -9.81;\n  when y <= 0 then\n"
      "    reinit(w, -0.4*pre(w));\n  end when;\nend two;\n";
  rig r = of_text(text, 1e-10);
  double t = 0;

  (void)state;
  rig_run_to(&r, 1.9);
  assert_int_equal(rig_count(&r, BRINK_KIND_SLIDE_OUT, &t), 1);
  check_near(t, 1.2, 1e-12);
  check_near(rig_value(&r, "v[1]"), 0.245, 1e-9);
  check_near(rig_value(&r, "v[2]"), 0, 1e-15);
  rig_run_to(&r, 3);
  assert_int_equal(rig_count(&r, BRINK_KIND_SLIDE_OUT, &t), 2);
  check_near(t, 2, 1e-12);
  check_near(rig_value(&r, "v[2]"), 1, 1e-9);
  check_near(rig_value(&r, "y"), 0, 0);
  assert_int_equal(rig_count(&r, BRINK_KIND_REST, &t), 1);
  rig_free(&r);
}

/* The table falls by g t^3/6, faster than the block from t = 1 on; a rail beside it
 * holds the block in the other direction as before. */
static void a_table_that_drops_leaves_the_block_to_the_rail(void **state)
{
  static const char text[] =
      "model drop\n  Real v(start = 0.1, fixed = true), x(start = 0, fixed = true);\n"
      "  Real y(start = 0.02, fixed = true), w(start = 0, fixed = true);\nequation\n"
      "  der(x) = v;\n  der(v) = 0.5*sin(3*time) - 0.8*sign(v);\n"
      "  der(y) = w;\n  der(w) = -9.81;\n  when y <= -9.81*time^3/6 then\n"
      "    reinit(w, -9.81*time^2/2);\n  end when;\nend drop;\n";
  rig r = of_text(text, 1e-11);
  double t = 0;

  (void)state;
  rig_run_to(&r, 0.9);
  double x = rig_value(&r, "x");
  check_near(rig_value(&r, "y"), -G * 0.9 * 0.9 * 0.9 / 6, 1e-14);
  rig_run_to(&r, 2);
  assert_int_equal(rig_count(&r, BRINK_KIND_LIFT, &t), 1);
  check_near(t, 1, 1e-10);
  check_near(rig_value(&r, "y"), -G * (1. / 6 + 0.5 + 0.5), 1e-9);
  check_near(rig_value(&r, "v"), 0, 1e-15);
  check_near(rig_value(&r, "x"), x, 1e-14);
  assert_int_equal(rig_count(&r, BRINK_KIND_SLIDE_IN, &t), 1);
  assert_int_equal(rig_count(&r, BRINK_KIND_SLIDE_OUT, &t), 0);
  rig_free(&r);
}

/* A reflecting bound pushes the relay's state too: z' = 0.8 t + 0.6 - 2 sign(z) once q
 * is on its bound. */
static void a_relay_slides_while_a_bound_reflects(void **state)
{
  static const char text[] =
      "model both\n  Real q(start = 0.5, fixed = true, min = 0)\n"
      "    annotation(__brink(reflect = {1, 0.6}));\n"
      "  Real z(start = 0.3, fixed = true);\nequation\n  der(q) = -1;\n"
      "  der(z) = 0.8*time - 2*sign(z);\nend both;\n";
  rig r = of_text(text, 1e-11);
  double t = 0;

  (void)state;
  rig_run_to(&r, 1.7);
  check_near(rig_value(&r, "z"), 0, 1e-15);
  check_near(rig_value(&r, "q"), 0, 0);
  rig_run_to(&r, 2.75);
  assert_int_equal(rig_count(&r, BRINK_KIND_SLIDE_OUT, &t), 1);
  check_near(t, 1.75, 1e-12);
  check_near(rig_value(&r, "z"), 0.4, 1e-9);
  check_near(rig_value(&r, "q"), 0, 0);
  check_near(rig_value(&r, "q.L_min"), 2.25, 1e-10);
  rig_free(&r);
}

/* ------------------------------------------------------------ callbacks ---- */

/* The block with friction as two modes, of v > 0 and of v < 0. */
static int forward(double t, const double *y, double *f, const brink_env *e)
{
  (void)e;
  f[0] = y[1];
  f[1] = -G;
  f[2] = 1.5 * t - 0.3 * G;
  return 0;
}

static int backward(double t, const double *y, double *f, const brink_env *e)
{
  (void)e;
  f[0] = y[1];
  f[1] = -G;
  f[2] = 1.5 * t + 0.3 * G;
  return 0;
}

static int land(brink_jump *j)
{
  j->y[1] = 0;
  return 0;
}

static int turn(brink_jump *j)
{
  j->mode = 1 - j->mode;
  return 0;
}

static void modes_of_callbacks_do_the_same_with_every_method(void **state)
{
  static const double y0[] = {0.1, 0, 0.2};
  const brink_guard_def guards[] = {{.name = "height", .state = 0},
                                    {.name = "speed", .state = 2}};
  const brink_event_def events[][2] = {
      {{.name = "floor", .guard = 0, .dir = BRINK_DOWN, .jump = land},
       {.name = "stop", .guard = 1, .dir = BRINK_DOWN, .jump = turn}},
      {{.name = "floor", .guard = 0, .dir = BRINK_DOWN, .jump = land},
       {.name = "stop", .guard = 1, .dir = BRINK_UP, .jump = turn}}};
  brink_mode_def modes[2];

  (void)state;
  for (int i = 0; i < 2; i++)
    modes[i] = (brink_mode_def){.name = i ? "backward" : "forward",
                                .n = 3,
                                .rhs = i ? backward : forward,
                                .guards = guards,
                                .n_guards = 2,
                                .events = events[i],
                                .n_events = 2};
  const brink_model_def def = {.name = "block", .modes = modes, .n_modes = 2};
  EACH_PLAIN_METHOD (i) {
    brink_sim_opts opt = brink_sim_defaults();
    double t = 0, slips = 0.2 * G;
    opt.method = brink_method_name(i);
    opt.h0 = brink_method_fixed_step(i) ? 1e-2 : 0;
    rig r = rig_new(&def, &opt, 0, 0, y0);
    rig_run_to(&r, slips + 1);
    check_near(brink_sim_state(r.sim)[0], 0, 0);
    check_near(brink_sim_state(r.sim)[1], 0, 0);
    check_near(brink_sim_state(r.sim)[2], 0.75, 1e-5);
    assert_int_equal(rig_count(&r, BRINK_KIND_REST, &t), 1);
    assert_int_equal(rig_count(&r, BRINK_KIND_SLIDE_OUT, &t), 1);
    check_near(t, slips, 1e-9);
    rig_free(&r);
  }
}

/* --------------------------------------------------------------- copies ---- */

static void copies_stick_and_rest_too(void **state)
{
  rig r = block(0.5, 0, 0.5, 0.1, 1e-9);
  brink_sim *clone = NULL;

  (void)state;
  rig_run_to(&r, 1.5);
  check_status(brink_sim_clone(r.ctx, r.sim, &clone), BRINK_OK);
  check_status(brink_sim_run(clone, 3), BRINK_END);
  rig_run_to(&r, 3);
  for (int i = 0; i < 4; i++)
    check_near(brink_sim_state(clone)[i], brink_sim_state(r.sim)[i], 0);
  brink_sim_free(clone);
  rig_free(&r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_block_sticks_until_the_push_is_as_strong_as_friction),
      cmocka_unit_test(a_block_sticks_in_two_directions),
      cmocka_unit_test(a_table_that_drops_leaves_the_block_to_the_rail),
      cmocka_unit_test(a_relay_slides_while_a_bound_reflects),
      cmocka_unit_test(modes_of_callbacks_do_the_same_with_every_method),
      cmocka_unit_test(copies_stick_and_rest_too),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
