/* At the edges of what a run holds: its end, more zeros than a list has room for, an
 * observer that stops in the middle of a step, a second start. */
#include "hybrid.h"

#include <math.h>
#include <string.h>

static const double slope[] = {1};

static int nothing(brink_jump *j)
{
  (void)j;
  return 0;
}

static brink_model_def line(const brink_mode_def *mode)
{
  return (brink_model_def){.name = "line", .modes = mode, .n_modes = 1, .p = slope,
                           .n_p = 1};
}

/* ----------------------------------------------------------- at the end --- */

/* smooth, but no short polynomial: it is sampled and stays a Chebyshev series */
static double rises(double t, const double *y, int k, const brink_env *e)
{
  (void)y, (void)k, (void)e;
  return (t - 1.37) * (2 + sin(5 * t));
}

static double touches(double t, const double *y, int k, const brink_env *e)
{
  (void)y, (void)k, (void)e;
  return (t - 1.37) * (t - 1.37) * (2 + sin(5 * t));
}

static rig to_the_end(brink_guard_fn *fn)
{
  const brink_guard_def g = {.name = "g", .fn = fn};
  const brink_event_def e = {.name = "zero"};
  const brink_mode_def  mode = {.name = "m", .n = 1, .rhs = constant_slopes, .guards = &g,
                                .n_guards = 1, .events = &e, .n_events = 1};
  const brink_model_def def = line(&mode);
  double                y0 = 0;
  brink_sim_opts        opt = brink_sim_defaults();

  opt.h0 = 2;
  rig r = rig_new(&def, &opt, 0.37, 0, &y0);
  check_status(brink_sim_run(r.sim, 1.37), BRINK_END);
  return r;
}

static void a_sampled_guard_that_is_zero_at_the_end_is_decided_by_what_follows(void **state)
{
  (void)state;
  rig r = to_the_end(rises);
  assert_int_equal(rig_events(&r), 1);
  assert_int_equal(rig_event(&r, 0).kind, BRINK_KIND_CROSSING);
  assert_int_equal(rig_event(&r, 0).dir, BRINK_UP);
  check_near(rig_event(&r, 0).t, 1.37, 1e-15);
  rig_free(&r);

  r = to_the_end(touches);
  assert_int_equal(rig_events(&r), 1);
  assert_int_equal(rig_event(&r, 0).kind, BRINK_KIND_TOUCH);
  rig_free(&r);
}

/* ---------------------------------------------------------------- lists --- */

enum { CROWD = 100 };

static void a_hundred_guards_at_one_time_are_one_instant(void **state)
{
  brink_guard_def g[CROWD];
  brink_event_def e[CROWD];
  double          y0 = 0;

  (void)state;
  for (int k = 0; k < CROWD; k++) {
    g[k] = (brink_guard_def){.name = "g", .state = 1, .level = 0.5417};
    e[k] = (brink_event_def){.name = "e", .guard = k, .dir = BRINK_UP, .jump = nothing};
  }
  const brink_mode_def  mode = {.name = "m", .n = 1, .rhs = constant_slopes, .guards = g,
                                .n_guards = CROWD, .events = e, .n_events = CROWD};
  const brink_model_def def = line(&mode);
  rig                   r = rig_new(&def, NULL, 0.37, 0, &y0);
  check_status(brink_sim_run(r.sim, 1.37), BRINK_END);
  assert_int_equal(rig_events(&r), CROWD);
  for (size_t k = 0; k < CROWD; k++) {
    assert_int_equal(rig_event(&r, k).instant, 0);
    check_near(rig_event(&r, k).t, 0.37 + 0.5417, 1e-15);
  }
  rig_free(&r);
}

enum { WAVES = 37 };

/* T_37 of t in [0.37, 1.37], with as many zeros in one step; the small terms keep a
 * coarse grid from mistaking it for another */
static double chebyshev(double t, const double *y, int k, const brink_env *e)
{
  double angle = acos(fmax(-1, fmin(1, 2 * (t - 0.37) - 1)));

  (void)y, (void)k, (void)e;
  return cos(WAVES * angle) + 0.05 * cos(22 * angle) + 0.05 * cos(19 * angle);
}

static void zeros_beyond_the_room_of_a_list_wait_for_no_other_guard(void **state)
{
  const brink_guard_def g[] = {{.name = "many", .fn = chebyshev},
                               {.name = "late", .state = 1, .level = 0.9713}};
  const brink_event_def e[] = {{.name = "many"}, {.name = "late", .guard = 1}};
  const brink_mode_def  mode = {.name = "m", .n = 1, .rhs = constant_slopes, .guards = g,
                                .n_guards = 2, .events = e, .n_events = 2};
  const brink_model_def def = line(&mode);
  brink_sim_opts        opt = brink_sim_defaults();
  double                y0 = 0, last = 0;

  (void)state;
  opt.h0 = 2;
  rig r = rig_new(&def, &opt, 0.37, 0, &y0);
  check_status(brink_sim_run(r.sim, 1.37), BRINK_END);
  assert_int_equal(brink_sim_statistics(r.sim).work.steps, 1);
  assert_int_equal(rig_events(&r), WAVES + 1);
  for (size_t k = 0; k < WAVES + 1; k++) {
    assert_true(rig_event(&r, k).t > last);
    last = rig_event(&r, k).t;
  }
  rig_free(&r);
}

/* ------------------------------------------------------------- stopping --- */

static int stop(const brink_event *e, void *user)
{
  (void)e, (void)user;
  return 1;
}

static void an_observer_that_stops_leaves_the_state_at_the_event(void **state)
{
  const brink_guard_def g = {.name = "g", .state = 1, .level = 0.4117};
  const brink_event_def e = {.name = "zero"};
  const brink_mode_def  mode = {.name = "m", .n = 1, .rhs = constant_slopes, .guards = &g,
                                .n_guards = 1, .events = &e, .n_events = 1};
  const brink_model_def def = line(&mode);
  brink_sim_opts        opt = brink_sim_defaults();
  double                y0 = 0;

  (void)state;
  opt.h0 = 2; /* one step reaches far over it */
  rig r = rig_new(&def, &opt, 0.37, 0, &y0);
  brink_sim_observe(r.sim, &(brink_observer){.on_event = stop});
  check_status(brink_sim_run(r.sim, 1.37), BRINK_STOPPED);
  check_near(brink_sim_time(r.sim), 0.37 + 0.4117, 1e-15);
  check_near(brink_sim_state(r.sim)[0], 0.4117, 1e-15);
  rig_free(&r);
}

/* --------------------------------------------------------- second start --- */

static void names_in_the_options_are_copied(void **state)
{
  static const brink_guard_def g = {.name = "g", .state = 1, .level = 0.4117};
  const brink_event_def e = {.name = "zero", .dir = BRINK_UP, .jump = nothing};
  const brink_mode_def  modes[] = {
    {.name = "a", .n = 1, .rhs = constant_slopes},
    {.name = "b", .n = 1, .rhs = constant_slopes, .guards = &g, .n_guards = 1, .events = &e,
     .n_events = 1}};
  const brink_model_def def = {.modes = modes, .n_modes = 2, .p = slope, .n_p = 1};
  brink_sim_opts        opt = brink_sim_defaults();
  char                  method[] = "bs23", locator[] = "itp";
  double                y0 = 0;

  (void)state;
  opt.method = method;
  opt.locator = locator;
  rig r = rig_new(&def, &opt, 0.37, 0, &y0);
  memset(method, 'x', sizeof method - 1);
  memset(locator, 'x', sizeof locator - 1);
  check_status(brink_sim_start(r.sim, 0.37, 1, &y0), BRINK_OK); /* its run is made here */
  check_status(brink_sim_run(r.sim, 1.37), BRINK_END);
  assert_string_equal(rig_event(&r, 0).located_by, "itp");
  rig_free(&r);
}

/* f is refused ahead of the run's end, and what that taught is not for the next run */
static const char decay[] = "model decay\n"
                            "  Real x(start = 1);\n"
                            "equation\n"
                            "  der(x) = if x > 0 then -sqrt(x) else 0;\n"
                            "end decay;\n";

static const char relay[] = "model relay\n"
                            "  Real x(start = 1);\n"
                            "equation\n"
                            "  when sin(7 * time) > 0.3 then reinit(x, 0.9 * x); end when;\n"
                            "  der(x) = -0.37 * x;\n"
                            "end relay;\n";

static void the_same_run_again_takes_the_same_steps(void **state)
{
  static const struct {
    const char *text, *method;
    double      end;
  } cases[] = {{decay, "dopri5", 1.9999}, {relay, "adams", 9.1}};

  (void)state;
  for (size_t c = 0; c < 2; c++) {
    rig             r = {0};
    brink_sim_opts  opt = brink_sim_defaults();
    brink_sim_stats first = {.g_evals = 0};

    opt.method = cases[c].method;
    check_status(brink_ctx_new(NULL, &r.ctx), BRINK_OK);
    check_status(brink_model_read(r.ctx, "m.mo", cases[c].text, strlen(cases[c].text),
                                  NULL, &r.model),
                 BRINK_OK);
    check_status(brink_sim_new(r.ctx, r.model, &opt, &r.sim), BRINK_OK);
    for (int run = 0; run < 2; run++) {
      check_status(brink_sim_start(r.sim, 0, 0, NULL), BRINK_OK);
      check_status(brink_sim_run(r.sim, cases[c].end), BRINK_END);
      brink_sim_stats now = brink_sim_statistics(r.sim);
      if (run == 0)
        first = now;
      assert_int_equal(now.work.steps, first.work.steps);
      assert_int_equal(now.work.f_evals, first.work.f_evals);
      assert_int_equal(now.g_evals, first.g_evals);
    }
    rig_free(&r);
  }
}

/* --------------------------------------------------------------- noise --- */

static double dip(double t, const double *y, int k, const brink_env *e)
{
  (void)t, (void)k, (void)e;
  return (y[0] - 0.4113) * (y[0] - 0.4113) + 1e-5;
}

static void what_a_guard_says_of_its_noise_counts_for_polynomials_too(void **state)
{
  const brink_event_def e = {.name = "zero"};
  double                y0 = 0;

  (void)state;
  for (int degree = 0; degree <= 2; degree += 2) {
    const brink_guard_def g = {.name = "dip", .fn = dip, .degree = degree, .noise = 1e-4};
    const brink_mode_def  mode = {.name = "m", .n = 1, .rhs = constant_slopes,
                                  .guards = &g, .n_guards = 1, .events = &e,
                                  .n_events = 1};
    const brink_model_def def = line(&mode);
    rig                   r = rig_new(&def, NULL, 0.37, 0, &y0);
    check_status(brink_sim_run(r.sim, 1.37), BRINK_END);
    assert_int_equal(rig_events(&r), 1); /* as good as zero */
    assert_int_equal(rig_event(&r, 0).kind, BRINK_KIND_TOUCH);
    rig_free(&r);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_sampled_guard_that_is_zero_at_the_end_is_decided_by_what_follows),
    cmocka_unit_test(a_hundred_guards_at_one_time_are_one_instant),
    cmocka_unit_test(zeros_beyond_the_room_of_a_list_wait_for_no_other_guard),
    cmocka_unit_test(an_observer_that_stops_leaves_the_state_at_the_event),
    cmocka_unit_test(names_in_the_options_are_copied),
    cmocka_unit_test(the_same_run_again_takes_the_same_steps),
    cmocka_unit_test(what_a_guard_says_of_its_noise_counts_for_polynomials_too),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
