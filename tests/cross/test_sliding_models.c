/* test_sliding_models.c -- models of the field that slide, written in several ways:
 * each form has the solution of the others, or of a closed form. */
#include "hybrid.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "brink/brink.h"
#include "brink/load.h"

static rig load(const char *text, const char *method, double rtol, double t0)
{
  brink_sim_opts opt = brink_sim_defaults();

  opt.method = method;
  opt.rtol = rtol;
  opt.h0 = strcmp(method, "rk4") == 0 ? 1e-3 : 0;
  return rig_text(text, &opt, t0);
}

/* The i-th event of a kind; t = NaN: there are not so many. */
static brink_event nth(const rig *r, brink_kind kind, int i)
{
  const brink_trace *trace = brink_sim_trace(r->sim);

  for (size_t k = 0; k < brink_trace_events(trace); k++) {
    brink_event e = brink_trace_event(trace, k);
    if (e.kind == kind && i-- == 0)
      return e;
  }
  return (brink_event){.t = nan("")};
}

/* --------------------------------------------------------------- machines --- */

/* A mass that is pulled to and fro, with a lag beside it: the relay as a sign, and as
 * machines whose modes share their states, have their own, have them in another order,
 * and must not be evaluated beyond their transitions. */
#define FORCE "1.9*sin(0.8*time + 0.3)"
static const char *const relays[] = {
    "model A\n  Real x(start = 0.7, fixed = true), z(start = 0.2, fixed = true);\n"
    "equation\n  der(x) = -1.3*sign(x) + " FORCE ";\n  der(z) = x - z + 0.1;\nend A;\n",
    "model B\n  Real x(start = 0.7, fixed = true), z(start = 0.2, fixed = true), u;\n"
    "  model Up\n  end Up;\n  model Down\n  end Down;\n  Up up;\n  Down down;\n"
    "equation\n  initialState(up);\n  transition(up, down, x < 0);\n"
    "  transition(down, up, x > 0);\n  u = if activeState(up) then -1.3 else 1.3;\n"
    "  der(x) = u + " FORCE ";\n  der(z) = x - z + 0.1;\nend B;\n",
    "model C\n  model Up\n    Real x(start = 0.7, fixed = true);\n"
    "    Real z(start = 0.2, fixed = true);\n  equation\n    der(x) = -1.3 + " FORCE
    ";\n    der(z) = x - z + 0.1;\n  end Up;\n  model Down\n    Real x, z;\n"
    "  equation\n    der(x) = 1.3 + " FORCE ";\n    der(z) = x - z + 0.1;\n"
    "  end Down;\n  Up up;\n  Down down;\nequation\n  initialState(up);\n"
    "  transition(up, down, up.x < 0);\n  transition(down, up, down.x > 0);\n"
    "  when activeState(down) then\n    reinit(down.x, up.x);\n"
    "    reinit(down.z, up.z);\n  elsewhen activeState(up) then\n"
    "    reinit(up.x, down.x);\n    reinit(up.z, down.z);\n  end when;\nend C;\n",
    "model D\n  model Up\n    Real x(start = 0.7, fixed = true);\n"
    "    Real z(start = 0.2, fixed = true);\n  equation\n    der(x) = -1.3 + " FORCE
    ";\n    der(z) = x - z + 0.1;\n  end Up;\n  model Down\n    Real z, x;\n"
    "  equation\n    der(x) = 1.3 + " FORCE ";\n    der(z) = x - z + 0.1;\n"
    "  end Down;\n  Up up;\n  Down down;\nequation\n  initialState(up);\n"
    "  transition(up, down, up.x < 0);\n  transition(down, up, down.x > 0);\n"
    "  when activeState(down) then\n    reinit(down.x, up.x);\n"
    "    reinit(down.z, up.z);\n  elsewhen activeState(up) then\n"
    "    reinit(up.x, down.x);\n    reinit(up.z, down.z);\n  end when;\nend D;\n",
    "model F\n  Real x(start = 0.7, fixed = true), z(start = 0.2, fixed = true), u;\n"
    "  model Up\n  end Up;\n  model Down\n  end Down;\n  Up up;\n  Down down;\n"
    "equation\n  initialState(up);\n"
    "  transition(up, down, x < 0) annotation(__brink(side = \"before\"));\n"
    "  transition(down, up, x > 0) annotation(__brink(side = \"before\"));\n"
    "  u = if activeState(up) then -1.3 else 1.3;\n"
    "  der(x) = u + " FORCE ";\n  der(z) = x - z + 0.1;\nend F;\n"};

static void machines_slide_as_signs_do(void **state)
{
  double leaves = (asin(1.3 / 1.9) + acos(-1.)) / 0.8; /* 1.9 sin = -1.3 */

  (void)state;
  for (int m = 0; brink_method_name(m); m++) {
    double z[2] = {0, 0};
    for (int k = 0; k < 5; k++) {
      int apart = k == 2 || k == 3; /* modes with states of their own */
      const char *mode = apart ? "down." : "", *then = apart ? "up." : "";
      char x_name[16], z_name[16];
      rig r = load(relays[k], brink_method_name(m), 1e-9, 0);
      check_status(brink_sim_run(r.sim, 4.3), BRINK_END); /* it slides */
      snprintf(x_name, sizeof x_name, "%sx", mode);
      snprintf(z_name, sizeof z_name, "%sz", mode);
      check_near(rig_value(&r, x_name), 0, 1e-14);
      z[0] = k ? z[0] : rig_value(&r, "z");
      check_near(rig_value(&r, z_name), z[0], 1e-6);
      if (k && !apart)
        check_near(rig_value(&r, "u"), -1.9 * sin(0.8 * 4.3 + 0.3), 1e-12);
      if (apart) /* both modes are shown as they are */
        check_near(rig_value(&r, "up.z"), rig_value(&r, "down.z"), 1e-15);
      check_near(nth(&r, BRINK_KIND_SLIDE_IN, 0).t, 3.9964402403789, 1e-6);
      check_status(brink_sim_run(r.sim, 9.7), BRINK_END);
      check_near(nth(&r, BRINK_KIND_SLIDE_OUT, 0).t, leaves - 0.3 / 0.8, 1e-12);
      snprintf(z_name, sizeof z_name, "%sz", then);
      z[1] = k ? z[1] : rig_value(&r, "z");
      check_near(rig_value(&r, z_name), z[1], 1e-6);
      assert_int_equal(brink_sim_statistics(r.sim).sliding_entries, 2);
      rig_free(&r);
    }
  }
}

/* A bounce into a mode that has as many states resets them: nothing slides. */
static void machines_that_move_the_state_do_not_slide(void **state)
{
  static const char text[] =
      "model E\n  model Up\n    Real x(start = 0.7, fixed = true);\n"
      "  equation\n    der(x) = -1;\n  end Up;\n  model Down\n    Real x;\n"
      "  equation\n    der(x) = 1;\n  end Down;\n  Up up;\n  Down down;\nequation\n"
      "  initialState(up);\n  transition(up, down, up.x < 0);\n"
      "  transition(down, up, down.x > 0);\n  when activeState(down) then\n"
      "    reinit(down.x, up.x - 0.25);\n  elsewhen activeState(up) then\n"
      "    reinit(up.x, down.x + 0.15);\n  end when;\nend E;\n";

  (void)state;
  rig r = load(text, "dopri5", 1e-9, 0.2);
  check_status(brink_sim_run(r.sim, 3.2), BRINK_END); /* 0.7, then 0.25 and 0.15 */
  assert_int_equal(brink_sim_statistics(r.sim).sliding_entries, 0);
  check_near(rig_value(&r, "up.x"), 0.1, 1e-9);
  rig_free(&r);
}

/* ---------------------------------------------------------- round a corner --- */

/* In each quadrant the law leads to one axis and away from the other: the solution
 * turns round the origin in ever shorter times; |x| + |y| falls by 0.6 in each unit of
 * time. From there on both guards are held: z' = 0.5. */
static void a_spiral_into_a_corner_slides_along_both(void **state)
{
  (void)state;
  for (int m = 0; brink_method_name(m); m++) {
    rig r = load("model S\n  Real x(start = 1, fixed = true);\n"
                 "  Real y(start = 0.4, fixed = true), z(start = 0, fixed = true);\n"
                 "equation\n  der(x) = -0.3*sign(x) - sign(y);\n"
                 "  der(y) = sign(x) - 0.3*sign(y);\n  der(z) = sign(x) + 0.5;\n"
                 "end S;\n",
                 brink_method_name(m), 1e-9, 0);
    check_status(brink_sim_run(r.sim, 3), BRINK_END);
    double z = rig_value(&r, "z");
    check_status(brink_sim_run(r.sim, 8), BRINK_END);
    check_near(nth(&r, BRINK_KIND_SLIDE_IN, 0).t, 1.4 / 0.6, 1e-9);
    check_near(rig_value(&r, "x"), 0, 1e-12);
    check_near(rig_value(&r, "y"), 0, 1e-12);
    check_near(rig_value(&r, "z") - z, 2.5, 1e-9);
    rig_free(&r);
  }
}

/* Along x = 0 the laws beside it hold for 3/4 and 1/4 of the time, so that y' = 1 below
 * y = 0 and (c - 3)/4 above it: from the corner the solution slides on, or stays.  y at
 * 1.37, from (x, y) at 0.37. */
static void check_mixture(double x, double y, double c, double want)
{
  char text[300];

  snprintf(text, sizeof text,
           "model C\n  Real x(start = %g, fixed = true), y(start = %g, fixed = true);\n"
           "equation\n  der(x) = if x > 0 then -1 else 3;\n"
           "  der(y) = if y > 0 then (if x > 0 then -1 else %g) else 1;\nend C;\n",
           x, y, c);
  rig r = load(text, "dopri5", 1e-6, 0.37);
  check_status(brink_sim_run(r.sim, 1.37), BRINK_END);
  check_near(rig_value(&r, "x"), 0, 1e-12);
  check_near(rig_value(&r, "y"), want, 1e-12);
  rig_free(&r);
}

static void a_mixture_of_laws_leaves_a_corner(void **state)
{
  (void)state;
  check_mixture(0, 0, 4, 0.25);
  check_mixture(0, 0, 2, 0);
  check_mixture(0.2, -0.5, 4, 0.125);
  check_mixture(0.2, -0.5, 2, 0);
}

/* ------------------------------------------------------- laws with an edge --- */

/* The law of x > 0 does not exist for x < 0: it is asked on its own side only. */
static void a_law_that_ends_at_the_surface_is_slid_along(void **state)
{
  (void)state;
  for (int m = 0; brink_method_name(m); m++) {
    rig r = load("model B\n  Real x(start = 0.7, fixed = true), u;\n"
                 "  Real z(start = 0.3, fixed = true);\nequation\n"
                 "  u = if x > 0 then -1 - 0.3*sqrt(x) else 1.5;\n"
                 "  der(x) = u + 0.9*sin(time);\n  der(z) = u;\nend B;\n",
                 brink_method_name(m), 1e-9, 0.2);
    check_status(brink_sim_run(r.sim, 2), BRINK_END);
    double z = rig_value(&r, "z");
    check_status(brink_sim_run(r.sim, 5), BRINK_END);
    assert_int_equal(brink_sim_statistics(r.sim).sliding_entries, 1);
    check_near(rig_value(&r, "x"), 0, 1e-13);
    check_near(rig_value(&r, "u"), -0.9 * sin(5), 1e-9);
    check_near(rig_value(&r, "z") - z, 0.9 * (cos(5) - cos(2)), 1e-6);
    rig_free(&r);
  }
}

/* ---------------------------------------------------------- proportion ---- */

/* Filippov's mixture of sgn(x)^2 is 1, and an unknown u in place of sgn(x) would give
 * u^2 = 0.09: a warning says which was taken.  Coming from either side. */
static void a_sign_that_enters_as_a_square_is_told(void **state)
{
  static const struct {
    const char *z;
    int told;
  } law[] = {{"u^2", 1}, {"2*u*cos(time) - u + x", 0}};
  (void)state;

  for (int from = -1; from <= 1; from += 2)
    for (size_t i = 0; i < sizeof law / sizeof *law; i++) {
      char text[400];
      snprintf(text, sizeof text,
               "model m\n  Real x(start = %g, fixed = true), z(start = 0, fixed = "
               "true), u = sign(x);\nequation\n  der(x) = -u + 0.3;\n  der(z) = "
               "%s;\nend m;\n",
               0.31 * from, law[i].z);
      rig r = load(text, "dopri5", 1e-8, 0);
      check_status(brink_sim_run(r.sim, 2.3), BRINK_END);
      check_near(rig_value(&r, "x"), 0, 1e-15);
      const char *said = brink_sim_warning(r.sim, 0);
      assert_int_equal(said && strstr(said, "not enter the law in proportion"),
                       law[i].told);
      if (law[i].told)
        check_near(rig_value(&r, "z"), 2.3, 1e-7);
      rig_free(&r);
    }
}

/* Two relays: what they do to z adds up, is a product (the bilinear selection: that of
 * their means), or has the square of the one that is met last. */
static void two_signs_that_do_not_add_up_are_told(void **state)
{
  static const struct {
    const char *z;
    double rate; /* of z, with u = 0.3 and v = 0.2 */
    const char *told;
  } law[] = {{"u - 2*v", -0.1, NULL},
             {"u*v", 0.06, "do not add up, as in a product of both"},
             {"u - v^2", -0.7, "slides along 'sign(y) (line 2)', which does not"}};
  (void)state;

  for (size_t i = 0; i < sizeof law / sizeof *law; i++) {
    char text[400];
    snprintf(text, sizeof text,
             "model m\n  Real x(start = 0.31, fixed = true), y(start = 0.9, fixed = "
             "true), z(start = 0, fixed = true), u = sign(x), v = sign(y);\nequation\n"
             "  der(x) = -u + 0.3;\n  der(y) = -v + 0.2;\n  der(z) = %s;\nend m;\n",
             law[i].z);
    rig r = load(text, "dopri5", 1e-8, 0);
    check_status(brink_sim_run(r.sim, 1.5), BRINK_END);
    double z = rig_value(&r, "z");
    check_status(brink_sim_run(r.sim, 2.5), BRINK_END);
    check_near(rig_value(&r, "z") - z, law[i].rate, 1e-9);
    const char *said = brink_sim_warning(r.sim, 0);
    assert_int_equal(said != NULL, law[i].told != NULL);
    if (law[i].told)
      assert_non_null(strstr(said, law[i].told));
    rig_free(&r);
  }
}

/* -------------------------------------------- a guard that its own relation moves ---
 */

/* s = x + 0.3 u, as where der(x) is part of a sliding surface: at x = 0.3 the event
 * makes s jump from 0 to 0.6, so that no state is on its zero, and the run ends there.
 */
static void a_guard_that_jumps_with_its_own_event_is_not_held(void **state)
{
  static const char *const law[] = {"-sign(s)", "if s > 0 then -1 else 1"};

  (void)state;
  for (int i = 0; i < 2; i++) {
    char text[300];
    snprintf(text, sizeof text,
             "model J\n  Real x(start = 1, fixed = true), s, u;\nequation\n"
             "  s = x + 0.3*u;\n  u = %s;\n  der(x) = u + 0.2;\nend J;\n",
             law[i]);
    rig r = load(text, "dopri5", 1e-8, 0);
    assert_true(brink_sim_run(r.sim, 3) < 0);
    assert_non_null(strstr(brink_sim_error(r.sim)->text, "neither value of "));
    check_near(brink_sim_time(r.sim), 0.7 / 0.8, 1e-12);
    check_near(brink_sim_state(r.sim)[0], 0.3, 1e-12);
    rig_free(&r);
  }
}

/* What a relay has done on average comes back after a delay, as often as one likes: it
 * slides from t = 0.156 on, with u = -sin(t). */
static void what_slides_is_delayed_as_it_is(void **state)
{
  static const char text[] =
      "model L\n  Real x(start = 0.3, fixed = true), z(start = 0, fixed = true), u, "
      "w;\n"
      "equation\n  u = -2*sign(x);\n  w = delay(u, 0.5);\n  der(x) = u + sin(time);\n"
      "  der(z) = w;\nend L;\n";
  double slides = 0.156077709966209; /* 2 t = 1.3 - cos(t) */

  (void)state;
  for (int m = 0; brink_method_name(m); m++) {
    if (strcmp(brink_method_name(m), "taylor") == 0)
      continue; /* delay() has no series */
    rig r = load(text, brink_method_name(m), 1e-8, 0);
    check_near(2 * slides, 1.3 - cos(slides), 1e-14);
    check_status(brink_sim_run(r.sim, 6.3), BRINK_END); /* 12 delays later */
    check_near(rig_value(&r, "w"), -sin(5.8), 1e-7);
    check_near(rig_value(&r, "z"), -2 * (slides + 0.5) + cos(5.8) - cos(slides), 1e-5);
    rig_free(&r);
  }
}

/* --------------------------------------------------------------- quantizers --- */

/* A rounded state is fed back.  x sticks where its value changes, while what pushes it,
 * 0.3 + 0.1 t, is between both values, and creeps from there to the next: closed form.
 */
static void a_rounded_state_sticks_between_its_values(void **state)
{
  static const char *const rounded[] = {"floor(x/0.25 + 0.5)", "ceil(x/0.25 - 0.5)",
                                        "integer(x/0.25 + 0.5)", "div(x + 0.125, 0.25)",
                                        "x/0.25 + 0.5 - mod(x/0.25 + 0.5, 1)"};
  const double creeps = sqrt(5.), out[] = {2, 4.5, 7},
               in[] = {2 - sqrt(2.5), 2 + creeps, 4.5 + creeps};

  (void)state;
  for (int m = 0; brink_method_name(m); m++)
    for (size_t k = 0; k < sizeof rounded / sizeof *rounded; k++) {
      char text[256];
      snprintf(text, sizeof text,
               "model Q\n  Real x(start = 0.45, fixed = true), q;\nequation\n"
               "  q = 0.25*(%s);\n  der(x) = 0.3 + 0.1*time - q;\nend Q;\n",
               rounded[k]);
      rig r = load(text, brink_method_name(m), 1e-9, 0);
      check_status(brink_sim_run(r.sim, 6.8), BRINK_END);
      check_near(rig_value(&r, "q"), 0.98, 1e-9);
      check_status(brink_sim_run(r.sim, 8), BRINK_END);
      check_near(rig_value(&r, "x"), 0.925, 1e-7);
      assert_int_equal(brink_sim_statistics(r.sim).sliding_entries, 3);
      for (int i = 0; i < 3; i++) {
        check_near(nth(&r, BRINK_KIND_SLIDE_IN, i).t, in[i], 1e-6);
        check_near(nth(&r, BRINK_KIND_SLIDE_OUT, i).t, out[i], 1e-9);
      }
      rig_free(&r);
    }
}

/* The law of the other side ends: the sentence is about that. */
/* What was known of the exit guard, which has no units, was taken for the size of the
 * state when the relay was let go: at its next zero that was beyond its rounding, and
 * two more events followed. */
static void a_relay_slides_alike_in_all_units(void **state)
{
  static const double units[] = {1, 1e-12, 1e12};
  double times[40];
  size_t n = 0;

  (void)state;
  for (int i = 0; i < 3; i++) {
    char text[400];
    snprintf(text, sizeof text,
             "model R\n  parameter Real L = %g;\n"
             "  Real x(start = 0.37*L, fixed = true, nominal = L);\n"
             "  Real z(start = 0.2*L, fixed = true, nominal = L);\nequation\n"
             "  der(x) = L*(1.7*cos(time) - 1.2*sign(x));\n  der(z) = x - z;\nend R;\n",
             units[i]);
    rig r = load(text, "auto", 1e-9, 0);
    rig_run_to(&r, 19.3);
    assert_int_equal(rig_count(&r, BRINK_KIND_SLIDE_IN, NULL), 6);
    n = i ? n : rig_events(&r);
    assert_in_range(n, 18, 40);
    assert_int_equal(rig_events(&r), n);
    for (size_t k = 0; k < n; k++) {
      times[k] = i ? times[k] : rig_event(&r, k).t;
      check_near(rig_event(&r, k).t, times[k], 1e-7);
    }
    rig_free(&r);
  }
}

static void the_side_whose_law_ends_is_named(void **state)
{
  static const char text[] =
      "model E\n  Real x(start = 0.3, fixed = true);\nequation\n"
      "  der(x) = if x > 0 then -1 - sqrt(2 - time) else 1 + time^2;\nend E;\n";

  (void)state;
  rig r = load(text, "dopri5", 1e-6, 0);
  check_status(brink_sim_run(r.sim, 4), BRINK_EDOMAIN);
  check_text(brink_sim_error(r.sim)->text, "sqrt(2 - time) has no value");
  rig_free(&r);
}

/* A loop whose solution goes round: the straight way back to where the sliding has
 * begun leads across a fold, the way of the run does not.  The laws of all sides are
 * followed along it. */
static void loops_are_followed_on_all_sides(void **state)
{
  static const char *const methods[] = {"dopri5", "dop853", "adams", "radau", "taylor"};
  static const char text[] =
      "model L\n  Real x(start = 0.3, fixed = true), y(start = -0.2, fixed = true);\n"
      "  Real p(start = 1, fixed = true), q(start = 0, fixed = true), z(start = 0.7);\n"
      "equation\n  der(p) = -q;\n  der(q) = p;\n"
      "  z*z + 0.1*z = p^2 + q^2 - 0.6 + 0.2*p;\n"
      "  der(x) = z - 2*sign(x);\n  der(y) = 0.3 - z - 1.5*sign(y);\nend L;\n";
  double want = sqrt(0.0025 + 0.4 + 0.2 * cos(12)) - 0.05;

  (void)state;
  for (int i = 0; i < 5; i++) {
    rig r = load(text, methods[i], 1e-8, 0);
    rig_run_to(&r, 12);
    check_near(rig_value(&r, "z"), want, 1e-6);
    check_near(rig_value(&r, "x"), 0, 1e-15);
    check_near(rig_value(&r, "y"), 0, 1e-15);
    rig_free(&r);
  }
}

/* A model written in other units, with nominal values, has the same layer. */
static void the_layer_is_in_nominal_units(void **state)
{
  static const double units[] = {1, 1e-9, 3e7};
  double want = 0;
  char text[600];
  brink_sim_opts opt = brink_sim_defaults();

  (void)state;
  opt.method = "radau";
  opt.rtol = 1e-8;
  opt.sliding = "regularize";
  for (int i = 0; i < 3; i++) {
    double u = units[i];
    snprintf(
        text, sizeof text,
        "model U\n  Real x(start = %.17g, fixed = true, nominal = %.17g), y(start = "
        "0, fixed = true, nominal = %.17g);\nequation\n  der(x) = "
        "%.17g*sin(2.3*time) - %.17g*(if x > 0.2*y then 1 else -0.7);\n  der(y) = x "
        "- y + %.17g*cos(time);\nend U;\n",
        0.3 * u, u, u, 0.9 * u, 1.2 * u, u);
    rig r = rig_text(text, &opt, 0);
    rig_run_to(&r, 4);
    assert_int_equal(rig_count(&r, BRINK_KIND_SLIDE_IN, NULL), 1);
    double off = rig_value(&r, "x") / u - 0.2 * rig_value(&r, "y") / u;
    assert_true(fabs(off) > 1e-6 && fabs(off) <= 1e-4); /* in the layer, not on 0 */
    want = i ? want : off;
    check_near(off, want, 1e-8);
    rig_free(&r);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(machines_slide_as_signs_do),
      cmocka_unit_test(machines_that_move_the_state_do_not_slide),
      cmocka_unit_test(a_spiral_into_a_corner_slides_along_both),
      cmocka_unit_test(a_mixture_of_laws_leaves_a_corner),
      cmocka_unit_test(a_law_that_ends_at_the_surface_is_slid_along),
      cmocka_unit_test(a_sign_that_enters_as_a_square_is_told),
      cmocka_unit_test(two_signs_that_do_not_add_up_are_told),
      cmocka_unit_test(a_guard_that_jumps_with_its_own_event_is_not_held),
      cmocka_unit_test(what_slides_is_delayed_as_it_is),
      cmocka_unit_test(a_rounded_state_sticks_between_its_values),
      cmocka_unit_test(a_relay_slides_alike_in_all_units),
      cmocka_unit_test(the_side_whose_law_ends_is_named),
      cmocka_unit_test(loops_are_followed_on_all_sides),
      cmocka_unit_test(the_layer_is_in_nominal_units),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
