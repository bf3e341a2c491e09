/* The integrator starts anew only where the flow has changed: events that change
 * outputs alone are passed inside a step, and after the others the step size is the one
 * that was proposed before the event cut it. */
#include "hybrid.h"

#include <math.h>
#include <string.h>

#include "brink/load.h"

static const char *const methods[] = {"dopri5", "dop853", "adams", "bs23"};
enum { METHODS = sizeof methods / sizeof methods[0] };

typedef struct outcome {
  brink_work work;
  long events;
  double v[16];
} outcome;

static rig text_rig(const char *text, const char *method)
{
  brink_sim_opts opt = brink_sim_defaults();
  rig r;

  opt.method = method;
  opt.keep = BRINK_KEEP_STEPS;
  check_status(brink_ctx_new(NULL, &r.ctx), BRINK_OK);
  brink_status rc = brink_model_read(r.ctx, "t.mo", text, strlen(text), NULL, &r.model);
  if (rc < 0)
    print_error("%s\n", brink_ctx_error(r.ctx)->text);
  check_status(rc, BRINK_OK);
  check_status(brink_sim_new(r.ctx, r.model, &opt, &r.sim), BRINK_OK);
  check_status(brink_sim_start(r.sim, 0.37, 0, NULL), BRINK_OK);
  return r;
}

static outcome run(const char *text, const char *method, double t_end)
{
  rig r = text_rig(text, method);
  outcome out = {0};

  assert_true(brink_model_variables(r.model) <= 16);
  check_status(brink_sim_run(r.sim, t_end), BRINK_END);
  check_status(brink_sim_values(r.sim, out.v), BRINK_OK);
  out.work = brink_sim_statistics(r.sim).work;
  out.events = brink_sim_statistics(r.sim).events;
  rig_free(&r);
  return out;
}

#define OSCILLATOR                                                                     \
  "  Real x(start = 1.1, fixed = true), v(start = 0.3, fixed = true);\n"               \
  "equation\n  der(x) = v;\n  der(v) = -x;\n"

/* x at t, from 0.37 on */
static double exact(double t) { return 1.1 * cos(t - 0.37) + 0.3 * sin(t - 0.37); }

/* ------------------------------------------------------------- samples --- */

static void samples_that_nothing_feeds_back_cost_no_evaluation(void **state)
{
  static const char plain[] = "model P\n" OSCILLATOR "end P;\n";
  static const char sampled[] =
      "model S\n  Integer n(start = 0, fixed = true);\n"
      "  discrete Real held(start = 0, fixed = true);\n" OSCILLATOR
      "  when sample(0.4, 0.01) then\n    n = pre(n) + 1;\n    held = x;\n"
      "  end when;\nend S;\n";

  (void)state;
  for (int i = 0; i < METHODS; i++) {
    outcome a = run(plain, methods[i], 10.37);
    rig r = text_rig(sampled, methods[i]);
    check_status(brink_sim_run(r.sim, 10.37), BRINK_END);
    brink_work w = brink_sim_statistics(r.sim).work;
    double v[8], worst = 0;
    check_status(brink_sim_values(r.sim, v), BRINK_OK);
    assert_int_equal(rig_events(&r), 998);
    for (size_t k = 0; k < 998; k++) {
      double t = 0.4 + 0.01 * (double)k;
      check_near(rig_event(&r, k).t, t, 1e-14);
      worst = fmax(worst, fabs(rig_event(&r, k).y_before[0] - exact(t)));
    }
    print_message("%-7s %5ld f alone, %5ld with 998 samples; x there within %.1e, at "
                  "the end without them %.1e\n",
                  methods[i], a.work.f_evals, w.f_evals, worst,
                  fabs(a.v[0] - exact(10.37)));
    assert_int_equal(w.f_evals, a.work.f_evals);
    assert_int_equal(w.restarts, 1);
    check_in(worst, 0, 2e-5);
    check_near(v[0], 998, 0);
    check_near(v[1], exact(0.4 + 997 * 0.01), 2e-5);
    rig_free(&r);
  }
}

/* What a sample assigns reaches the flow: directly, through another when, through a
 * guard, as the condition of a reinit. */
static void what_reaches_the_flow_is_not_passed(void **state)
{
  static const char *const text[] = {
      "model A\n  discrete Real u(start = 0, fixed = true);\n"
      "  Real x(start = 1, fixed = true);\nequation\n  der(x) = u - x;\n"
      "  when sample(1, 1) then\n    u = pre(u) + 0.7;\n  end when;\nend A;\n",
      "model B\n  Integer n(start = 0, fixed = true);\n"
      "  discrete Real u(start = 0, fixed = true);\n"
      "  Real x(start = 1, fixed = true);\nequation\n  der(x) = u - x;\n"
      "  when sample(1, 1) then\n    n = pre(n) + 1;\n  end when;\n"
      "  when n >= 1 then\n    u = 0.7;\n  end when;\nend B;\n",
      "model C\n  discrete Real level(start = 9, fixed = true), u(start = 0, fixed = "
      "true);\n"
      "  Real x(start = 1, fixed = true);\nequation\n  der(x) = u - x;\n"
      "  when sample(1, 1) then\n    level = 0;\n  end when;\n"
      "  when x > level then\n    u = 0.7;\n  end when;\nend C;\n",
      "model D\n  Integer n(start = 0, fixed = true);\n"
      "  Real x(start = 1, fixed = true);\nequation\n  der(x) = -x;\n"
      "  when sample(1, 1) then\n    n = pre(n) + 1;\n  end when;\n"
      "  when n >= 1 then\n    reinit(x, 0.7);\n  end when;\nend D;\n",
  };

  (void)state;
  for (size_t k = 0; k < sizeof text / sizeof text[0]; k++) {
    outcome o = run(text[k], "dopri5", 1.5);
    size_t at = k == 1 || k == 2 ? 2 : 1; /* of x among the variables */
    double x = k > 2 ? 0.7 * exp(-0.5) : 0.7 + (exp(-0.63) - 0.7) * exp(-0.5);
    assert_int_equal(o.work.restarts, 2);
    check_near(o.v[at], x, 1e-6);
  }
}

/* Ticks of several samples that differ by rounding are one instant: 3 * 0.3 lies before
 * 0.9, where the state is set. */
static void a_tick_that_acts_a_rounding_later_is_not_passed(void **state)
{
  static const char text[] =
      "model T\n  Integer n(start = 0, fixed = true), k(start = 0, fixed = true);\n"
      "  Real x(start = 1, fixed = true);\nequation\n  der(x) = -x;\n"
      "  when sample(0, 0.3) then\n    n = pre(n) + 1;\n  end when;\n"
      "  when sample(0.4, 0.1) then\n    k = pre(k) + 1;\n  end when;\n"
      "  when sample(0.9, 0.4) then\n    reinit(x, 2);\n  end when;\nend T;\n";

  (void)state;
  for (int i = 0; i < METHODS; i++) {
    outcome o = run(text, methods[i], 1.25);
    check_near(o.v[0], 3, 0); /* 0.6, 0.9, 1.2 */
    check_near(o.v[1], 9, 0);
    check_near(o.v[2], 2 * exp(-0.35), 2e-5);
  }
}

/* --------------------------------------------------------------- zeros --- */

static void a_zero_that_changes_outputs_only_is_passed(void **state)
{
  static const char plain[] = "model P\n" OSCILLATOR "end P;\n";
  static const char counted[] =
      "model Z\n  Integer up(start = 0, fixed = true), down(start = 0, fixed = true);\n"
      "  Real y;\n" OSCILLATOR "  y = if x > 0.2 then 1 else 2;\n"
      "  when x > 0.2 then\n    up = pre(up) + 1;\n  end when;\n"
      "  when x < -0.4 then\n    down = pre(down) + 1;\n  end when;\nend Z;\n";
  double radius = hypot(1.1, 0.3), phase = atan2(0.3, 1.1);

  (void)state;
  for (int i = 0; i < METHODS; i++) {
    outcome a = run(plain, methods[i], 20.37);
    rig r = text_rig(counted, methods[i]);
    check_status(brink_sim_run(r.sim, 20.37), BRINK_END);
    brink_work w = brink_sim_statistics(r.sim).work;
    double v[8];
    check_status(brink_sim_values(r.sim, v), BRINK_OK);
    check_near(v[0], 3, 0);
    check_near(v[1], 3, 0);
    assert_int_equal(w.restarts, 1);
    assert_int_equal(w.f_evals, a.work.f_evals);
    assert_int_equal(rig_events(&r), 9); /* falls, down, rises; three times */
    for (size_t k = 0; k < 9; k++) {
      double turn = floor((double)k / 3) * 2 * acos(-1), want;
      want = k % 3 == 0   ? acos(0.2 / radius)
             : k % 3 == 1 ? acos(-0.4 / radius)
                          : -acos(0.2 / radius) + 2 * acos(-1);
      check_near(rig_event(&r, k).t, 0.37 + phase + turn + want, 5e-5);
      assert_int_equal(rig_event(&r, k).classes, BRINK_SE_O);
    }
    rig_free(&r);
  }
}

/* A zero that changes an output falls on a known time that changes the flow: one
 * instant, in which each sees what the other does. */
static void a_zero_at_an_acting_time_shares_its_instant(void **state)
{
  static const char text[] =
      "model T\n  Integer n(start = 0, fixed = true), k(start = 0, fixed = true);\n"
      "  discrete Real u(start = 0, fixed = true);\n"
      "  Real x(start = 0, fixed = true), y(start = 1, fixed = true);\nequation\n"
      "  der(x) = 1;\n  der(y) = u - y;\n"
      "  when x >= 0.7 then\n    n = pre(n) + 1;\n  end when;\n"
      "  when sample(1.07, 0.7) then\n    u = pre(u) + 1;\n    k = 10*n + pre(n);\n"
      "  end when;\nend T;\n";

  (void)state;
  for (int i = 0; i < METHODS; i++) {
    outcome o = run(text, methods[i], 1.5);
    check_near(o.v[0], 1, 0);
    check_near(o.v[1], 10, 0);
    check_near(o.v[2], 1, 0);
    assert_int_equal(o.events, 2);
    check_near(o.v[4], 1 + (exp(-0.7) - 1) * exp(-0.43), 2e-5);
  }
}

/* ---------------------------------------------------------- controller --- */

/* A PI controller, sampled: every interval is another problem.  It begins with the step
 * that the one before proposed, not with what the end of the interval had left. */
static void a_sampled_controller_begins_each_interval_with_a_good_step(void **state)
{
  static const char slow[] =
      "model C\n  discrete Real u(start = 0, fixed = true), s(start = 0, fixed = "
      "true);\n"
      "  Real x(start = 0.2, fixed = true);\nequation\n  der(x) = u - 1.3*x;\n"
      "  when sample(0.38, 0.01) then\n    s = pre(s) + 0.01*(1 - x);\n"
      "    u = 4*(1 - x) + 3*s;\n  end when;\nend C;\n";
  static const char fast[] =
      "model F\n  discrete Real u(start = 0, fixed = true), s(start = 0, fixed = "
      "true);\n"
      "  Real x(start = 0.2, fixed = true), a(start = 1, fixed = true),"
      " b(start = 0, fixed = true);\nequation\n  der(x) = u - 1.3*x + 0.1*a;\n"
      "  der(a) = 150*b;\n  der(b) = -150*a;\n"
      "  when sample(0.38, 0.01) then\n    s = pre(s) + 0.01*(1 - x);\n"
      "    u = 4*(1 - x) + 3*s;\n  end when;\nend F;\n";
  static const char alone[] = "model A\n  Real a(start = 1, fixed = true), b(start = "
                              "0, fixed = true);\nequation\n"
                              "  der(a) = 150*b;\n  der(b) = -150*a;\nend A;\n";

  (void)state;
  for (int i = 0; i < 3; i++) {
    outcome s = run(slow, methods[i], 5.37), f = run(fast, methods[i], 5.37);
    outcome a = run(alone, methods[i], 5.37);
    double free = (double)a.work.steps / 500; /* steps in the time of one interval */
    print_message(
        "%-7s %4.2f steps of %4.2f f in an interval of the slow plant; "
        "%4.2f steps (%4.2f without samples), %ld rejected, of the fast one\n",
        methods[i], (double)s.work.steps / 500,
        (double)s.work.f_evals / (double)s.work.steps, (double)f.work.steps / 500, free,
        f.work.rejected);
    check_in((double)s.work.steps / 500, 1, strcmp(methods[i], "adams") ? 1.05 : 2.1);
    if (strcmp(methods[i], "adams") != 0)
      check_in((double)f.work.steps / 500, 1, ceil(free) + 1);
  }
}

/* ------------------------------------------------------------ callbacks --- */

static int swing(double t, const double *y, double *f, const brink_env *e)
{
  (void)t;
  f[0] = y[1];
  f[1] = -y[0] * e->p[0];
  return 0;
}

static int note_output(brink_jump *j)
{
  j->w[0] = j->y[0];
  return 0;
}

static int same_again(brink_jump *j)
{
  (void)j;
  return 0;
}

static brink_work ticking(brink_jump_fn *jump, double *y)
{
  const double one = 1, y0[] = {1.1, 0.3};
  const brink_mode_def mode = {.name = "swing", .n = 2, .rhs = swing};
  const brink_timer_def tick = {.name = "tick", .at = 1.4, .every = 1.7, .jump = jump};
  const brink_model_def def = {.name = "ticking",
                               .modes = &mode,
                               .n_modes = 1,
                               .timers = &tick,
                               .n_timers = 1,
                               .p = &one,
                               .n_p = 1,
                               .w = &one,
                               .n_w = 1};
  brink_sim_opts opt = brink_sim_defaults();
  opt.method = "dopri5"; /* whose steps are shorter than the ticks */
  rig r = rig_new(&def, &opt, 0.37, 0, y0);

  check_status(brink_sim_run(r.sim, 12.37), BRINK_END);
  assert_int_equal(rig_events(&r), 7);
  for (size_t k = 0; k < 7; k++)
    check_near(rig_event(&r, k).y_before[0], exact(1.4 + 1.7 * (double)k), 2e-5);
  brink_work w = brink_sim_statistics(r.sim).work;
  memcpy(y, brink_sim_state(r.sim), 2 * sizeof *y);
  rig_free(&r);
  return w;
}

static void callbacks_restart_for_all_but_outputs(void **state)
{
  double y[2];

  (void)state;
  /* a timer that only logs does not even end a step */
  brink_work logged = ticking(NULL, y);
  assert_int_equal(logged.restarts, 1);
  check_near(y[0], exact(12.37), 2e-5);
  brink_work noted = ticking(note_output, y);
  assert_int_equal(noted.restarts, 1);
  assert_true(noted.steps > logged.steps);
  check_near(y[0], exact(12.37), 2e-5);

  /* f may read what `user` points to: nobody can see that it has not changed */
  assert_int_equal(ticking(same_again, y).restarts, 8);
}

/* -------------------------------------------------------------- errors --- */

/* An error at an event leaves the integrator at the end of the step that the event has
 * cut.  Another run begins at the event all the same, and meets the error again. */
static void after_an_error_the_run_stands_at_the_event(void **state)
{
  static const char text[] =
      "model E\n  Real x(start = 1, fixed = true), v(start = 1, fixed = true);\n"
      "equation\n  der(x) = -1;\n  der(v) = -v;\n"
      "  when x < 0.5 then\n    assert(v < 0, \"no\");\n  end when;\nend E;\n";

  (void)state;
  for (int i = 0; i < METHODS; i++) {
    rig r = text_rig(text, methods[i]);
    for (int again = 0; again < 3; again++) {
      assert_true(brink_sim_run(r.sim, 3 + again) < 0);
      check_near(brink_sim_time(r.sim), 0.87, 1e-9);
    }
    rig_free(&r);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(samples_that_nothing_feeds_back_cost_no_evaluation),
      cmocka_unit_test(what_reaches_the_flow_is_not_passed),
      cmocka_unit_test(a_tick_that_acts_a_rounding_later_is_not_passed),
      cmocka_unit_test(a_zero_that_changes_outputs_only_is_passed),
      cmocka_unit_test(a_zero_at_an_acting_time_shares_its_instant),
      cmocka_unit_test(a_sampled_controller_begins_each_interval_with_a_good_step),
      cmocka_unit_test(callbacks_restart_for_all_but_outputs),
      cmocka_unit_test(after_an_error_the_run_stands_at_the_event),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
