/* The method auto: it notices stiffness and its end, keeps the state, and says so. */
#include "hybrid.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "brink/load.h"
#include "ode/method.h"

static rig open_text(const char *text, double rtol, const char *method)
{
  brink_sim_opts opt = brink_sim_defaults();
  rig r = {0};

  opt.method = method;
  opt.rtol = rtol;
  check_status(brink_ctx_new(NULL, &r.ctx), BRINK_OK);
  if (brink_model_read(r.ctx, "m.mo", text, strlen(text), NULL, &r.model) < 0)
    fail_msg("%s", brink_ctx_error(r.ctx)->text);
  check_status(brink_sim_new(r.ctx, r.model, &opt, &r.sim), BRINK_OK);
  check_status(brink_sim_start(r.sim, 0, 0, NULL), BRINK_OK);
  return r;
}

/* Is there a stiff method at all? */
static int has_stiff(void)
{
  const brink_method *radau = brink__method_find("radau");

  return (radau && !radau->needs) || !brink__cvode.needs;
}

static void check_switches(const rig *r, int n, const int *stiff, const double *t,
                           double within)
{
  brink_sim_stats s = brink_sim_statistics(r->sim);

  for (long i = 0; i < s.method_switches && i < BRINK_METHOD_SWITCHES; i++)
    print_message("  %s from t = %g\n", s.switches[i].method, s.switches[i].t);
  assert_int_equal(s.method_switches, n);
  for (int i = 0; i < n; i++) {
    assert_int_equal(s.switches[i].stiff, stiff[i]);
    check_in(s.switches[i].t, t[i], t[i] + within);
  }
  assert_int_equal(s.stiff, 0); /* nobody need be warned */
}

/* x follows cos(t) at the rate k, which an event raises to 1e5. */
static const char becomes_stiff[] =
    "model M Real x(start = 0.9, fixed = true); discrete Real k(start = 1, fixed = "
    "true);"
    "equation der(x) = k*(cos(time) - x); when time > 2 then k = 1e5; end when; end M;";

/* The same at 1e5, and an event lowers it. */
static const char ceases_to_be[] =
    "model M Real x(start = 0.9, fixed = true); discrete Real k(start = 1e5, fixed = "
    "true); equation der(x) = k*(cos(time) - x); when time > 2 then k = 0.1; end when; "
    "end "
    "M;";

static void stiff_from_an_event_on(void **state)
{
  const int stiff[] = {0, 1};
  const double t[] = {0, 2};

  (void)state;
  if (!has_stiff())
    skip();
  rig r = open_text(becomes_stiff, 1e-6, "auto");
  check_status(brink_sim_run(r.sim, 20), BRINK_END);
  check_switches(&r, 2, stiff, t, 0.01);
  check_near(brink_sim_state(r.sim)[0], cos(20) + sin(20) * 1e-5, 1e-5);
  assert_true(brink_sim_statistics(r.sim).work.steps < 2000);
  rig_free(&r);
}

/* p(t) = (k^2 cos t + k sin t)/(1 + k^2) and c exp(-k t) behind t = 2, k = 0.1.  (With
 * k = 1 the stiff method goes on: its steps are longer than an explicit one's.) */
static double slow_response(double t) { return (0.01 * cos(t) + 0.1 * sin(t)) / 1.01; }

/* Steps that the stiff method has taken. */
static long stiff_steps(const rig *r)
{
  brink_sim_stats s = brink_sim_statistics(r->sim);
  long steps = 0;

  for (int i = 0; brink_method_name(i); i++)
    if (brink__method_find(brink_method_name(i))->flags & BRINK__IMPLICIT)
      steps += s.method_steps[i];
  return steps;
}

/* Four turns of the power iteration say so, each after four steps. */
static void no_longer_stiff_behind_an_event(void **state)
{
  const int stiff[] = {0, 1, 0};
  const double t[] = {0, 0, 2};

  (void)state;
  if (!has_stiff())
    skip();
  rig r = open_text(ceases_to_be, 1e-6, "auto");
  check_status(brink_sim_run(r.sim, 2), BRINK_END);
  long before = stiff_steps(&r);
  check_status(brink_sim_run(r.sim, 40), BRINK_END);
  assert_true(stiff_steps(&r) - before <= 20);
  check_switches(&r, 3, stiff, t, 38);
  check_near(brink_sim_state(r.sim)[0],
             slow_response(40) + (cos(2) - slow_response(2)) * exp(-3.8), 1e-5);
  rig_free(&r);
}

/* Stiffness that comes back with every event is noticed although no stretch has fifteen
 * steps. */
static void events_do_not_hide_stiffness(void **state)
{
  static const char text[] =
      "model M Real x(start = 1, fixed = true); discrete Real u(start = 0, fixed = "
      "true);"
      "equation der(x) = 1e4*(cos(time) + u - x); when sample(0.005, 0.005) then u = "
      "1e-5 - pre(u); end when; end M;";

  (void)state;
  if (!has_stiff())
    skip();
  rig r = open_text(text, 1e-4, "auto");
  if (brink_sim_run(r.sim, 1.995) != BRINK_END)
    fail_msg("%s", brink_sim_error(r.sim)->text);
  assert_true(brink_sim_statistics(r.sim).method_switches > 1);
  check_near(brink_sim_state(r.sim)[0], cos(1.995), 1e-3);
  rig_free(&r);
}

static void what_is_not_stiff_stays_with_the_first_method(void **state)
{
  static const char text[] =
      "model M Real x(start = 1, fixed = true), v(start = 0.7, fixed = true); equation "
      "der(x) = v; der(v) = -x; end M;";

  (void)state;
  rig r = open_text(text, 1e-6, "auto");
  check_status(brink_sim_run(r.sim, 100), BRINK_END);
  brink_sim_stats s = brink_sim_statistics(r.sim);
  assert_int_equal(s.method_switches, 1);
  assert_string_equal(s.switches[0].method, "dopri5");
  check_near(brink_sim_state(r.sim)[0], cos(100) + 0.7 * sin(100), 1e-4);
  rig_free(&r);

  r = open_text(text, 1e-13, "auto");
  check_status(brink_sim_run(r.sim, 100), BRINK_END);
  s = brink_sim_statistics(r.sim);
  assert_string_equal(s.switches[0].method, "taylor");
  check_near(brink_sim_state(r.sim)[0], cos(100) + 0.7 * sin(100), 1e-11);
  rig_free(&r);
}

/* R1/L = 4e7 beside a source of 1.5e5 Hz: errors and not stability bound the steps of
 * the pair. */
static const char excited[] =
    "model M Real i(start = 0, fixed = true, nominal = 1e-3), x(start = 0, fixed = "
    "true);"
    "equation 25.3e-6*der(i) = -sin(0.3e6*3.14159265358979*time) - 1e3*i - x; "
    "1e-7*der(x) = i; end M;";

/* Its solution, by eigenvalues and the response to the source. */
static double driven_voltage(double t)
{
  const double R = 1e3, L = 25.3e-6, C = 1e-7, w = 0.3e6 * 3.14159265358979;
  double d = R / (2 * L), r = sqrt(d * d - 1 / (L * C));
  double fast = -d - r, slow = 1 / (L * C) / fast;
  /* x = Im(-A exp(i w t)), A = 1/(1 - w^2 L C + i w R C) */
  double re = 1 - w * w * L * C, im = w * R * C, q = re * re + im * im;
  double x0 = im / q, v0 = -w * re / q; /* of the response at 0 */
  double b = (-v0 + x0 * slow) / (fast - slow), a = -x0 - b;
  return -(re * sin(w * t) - im * cos(w * t)) / q + a * exp(slow * t) +
         b * exp(fast * t);
}

/* x follows cos(40 t) at the rate k, which the program changes; it is left for so long
 * that an iteration for lambda which were not kept in size would overflow. */
static void stiffness_by_a_parameter_comes_and_goes(void **state)
{
  static const char text[] =
      "model M parameter Real k = 1; Real x(start = 0.9, fixed = true); equation "
      "der(x) = k*(cos(40*time) - x); end M;";
  const double rate[] = {1, 1e5, 1, 1e5, 1};
  const int stiff[] = {0, 1, 0, 1, 0};
  const double t[] = {0, 10, 20, 30, 40};

  (void)state;
  if (!has_stiff())
    skip();
  rig r = open_text(text, 1e-6, "auto");
  for (int i = 0; i < 5; i++) {
    check_status(brink_sim_set(r.sim, "k", rate[i]), BRINK_OK);
    check_status(brink_sim_run(r.sim, 10 * (i + 1)), BRINK_END);
  }
  check_switches(&r, 5, stiff, t, 5);
  rig reference = open_text(text, 1e-9, "radau");
  for (int i = 0; i < 5; i++) {
    check_status(brink_sim_set(reference.sim, "k", rate[i]), BRINK_OK);
    check_status(brink_sim_run(reference.sim, 10 * (i + 1)), BRINK_END);
  }
  check_near(brink_sim_state(r.sim)[0], brink_sim_state(reference.sim)[0], 1e-6);
  rig_free(&reference);
  rig_free(&r);
}

static void a_fast_part_that_is_always_excited_is_stiff(void **state)
{
  const int stiff[] = {0, 1};
  const double t[] = {0, 0};

  (void)state;
  if (!has_stiff())
    skip();
  rig r = open_text(excited, 1e-6, "auto");
  check_status(brink_sim_run(r.sim, 3.7e-4), BRINK_END);
  check_switches(&r, 2, stiff, t, 5e-5);
  check_near(brink_sim_state(r.sim)[1], driven_voltage(3.7e-4), 1e-8);
  assert_true(brink_sim_statistics(r.sim).work.steps < 1000);
  rig_free(&r);
}

static void series_notice_stiffness(void **state)
{
  static const char text[] = "model M Real x(start = 0.9, fixed = true); equation "
                             "der(x) = 1e4*(cos(time) - x); end M;";
  const int stiff[] = {0, 1};
  const double t[] = {0, 0};

  (void)state;
  if (!has_stiff())
    skip();
  rig r = open_text(text, 1e-12, "auto");
  check_status(brink_sim_run(r.sim, 19.3), BRINK_END);
  assert_string_equal(brink_sim_statistics(r.sim).switches[0].method, "taylor");
  check_switches(&r, 2, stiff, t, 0.2);
  check_near(brink_sim_state(r.sim)[0], (1e8 * cos(19.3) + 1e4 * sin(19.3)) / (1e8 + 1),
             1e-11);
  assert_true(brink_sim_statistics(r.sim).work.steps < 500);
  rig_free(&r);
}

static void a_clone_keeps_the_choice(void **state)
{
  brink_sim *clone;

  (void)state;
  rig r = open_text(becomes_stiff, 1e-6, "auto");
  check_status(brink_sim_run(r.sim, 5), BRINK_END);
  check_status(brink_sim_clone(r.ctx, r.sim, &clone), BRINK_OK);
  check_status(brink_sim_run(clone, 9), BRINK_END);
  check_status(brink_sim_run(r.sim, 9), BRINK_END);
  const brink_method *radau = brink__method_find("radau"); /* cvode begins anew */
  check_near(brink_sim_state(clone)[0], brink_sim_state(r.sim)[0],
             radau && !radau->needs ? 0 : 1e-5);
  assert_int_equal(brink_sim_statistics(clone).method_switches,
                   brink_sim_statistics(r.sim).method_switches);
  brink_sim_free(clone);
  rig_free(&r);
}

/* A common emitter stage (Ebers and Moll).  At so fine a tolerance rounding of the
 * exponentials keeps Newton from converging, and radau hands short steps to an explicit
 * method: that its own are for stability says nothing about radau. */
static const char emitter[] =
    "model M\n"
    "  parameter Real bf = 99, Is = 1e-14, Vt = 0.0259, Cbc = 1e-12, Cbe = 1e-11;\n"
    "  Real vg = 0.3*sin(2*Modelica.Constants.pi*1000*time);\n"
    "  Real vb(start = 1.5, fixed = true), vi(start = -1.5, fixed = true), ib, ic;\n"
    "  Real ve(start = 0.9, fixed = true), vc(start = 5, fixed = true);\n"
    "  Real clip(start = 0, fixed = true);\n"
    "  Integer n(start = 0, fixed = true);\n"
    "equation\n"
    "  ib = Is/bf*(exp((vb - ve)/Vt) - 1);\n"
    "  ic = Is*(exp((vb - ve)/Vt) - exp((vb - vc)/Vt));\n"
    "  1e-6*der(vi) = (vg - vi - vb)/600*1;\n"
    "  Cbe*(der(vb) - der(ve)) + Cbc*(der(vb) - der(vc)) = (vg - vi - vb)/600 +\n"
    "    (9 - vb)/47e3 - vb/10e3 - ib + Is*(exp((vb - vc)/Vt) - 1)/2*(-1);\n"
    "  1e-5*der(ve) = ib + ic - ve/470 + Cbe*(der(vb) - der(ve));\n"
    "  Cbc*(der(vc) - der(vb)) = (9 - vc)/2.2e3 - ic;\n"
    "  der(clip) = if vc - ve < 0.3 then 1 else 0;\n"
    "  when vc < 3 then n = pre(n) + 1; end when;\n"
    "end M;\n";

static void radau_is_not_limited_by_the_stability_of_a_helper(void **state)
{
  (void)state;
  if (brink__method_find("radau")->needs)
    skip();
  rig r = open_text(emitter, 5e-12, "radau");
  check_status(brink_sim_run(r.sim, 0.0014), BRINK_END);
  assert_int_equal(brink_sim_statistics(r.sim).stiff, 0);
  rig_free(&r);
}

/* x^2 has no solution beyond 1/x0, and a stiff method is not asked whether the problem
 * is stiff. */
static void stiff_methods_do_not_ask_for_stiffness(void **state)
{
  static const char *const named[] = {"radau", "cvode"};
  static const char text[] = "model M\n  Real x(start = 1, fixed = true);\nequation\n"
                             "  der(x) = x^2;\nend M;\n";

  (void)state;
  for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
    if (brink__method_find(named[i])->needs)
      continue;
    rig r = open_text(text, 1e-6, named[i]);
    check_status(brink_sim_run(r.sim, 3), BRINK_ESTEP);
    check_text(brink_sim_error(r.sim)->text, "der(x) = x^2");
    assert_null(strstr(brink_sim_error(r.sim)->text, "is the problem stiff"));
    rig_free(&r);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stiff_from_an_event_on),
      cmocka_unit_test(no_longer_stiff_behind_an_event),
      cmocka_unit_test(events_do_not_hide_stiffness),
      cmocka_unit_test(what_is_not_stiff_stays_with_the_first_method),
      cmocka_unit_test(stiffness_by_a_parameter_comes_and_goes),
      cmocka_unit_test(a_fast_part_that_is_always_excited_is_stiff),
      cmocka_unit_test(series_notice_stiffness),
      cmocka_unit_test(a_clone_keeps_the_choice),
      cmocka_unit_test(radau_is_not_limited_by_the_stability_of_a_helper),
      cmocka_unit_test(stiff_methods_do_not_ask_for_stiffness),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
