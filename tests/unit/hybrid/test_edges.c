/* At the edges of what a run holds: its end, more zeros than a list has room for, an
 * observer that stops in the middle of a step, a second start. */
#include "hybrid.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double slope[] = {1};

static int nothing(brink_jump *j)
{
  (void)j;
  return 0;
}

static brink_model_def line(const brink_mode_def *mode)
{
  return (brink_model_def){
      .name = "line", .modes = mode, .n_modes = 1, .p = slope, .n_p = 1};
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
  const brink_mode_def mode = {.name = "m",
                               .n = 1,
                               .rhs = constant_slopes,
                               .guards = &g,
                               .n_guards = 1,
                               .events = &e,
                               .n_events = 1};
  const brink_model_def def = line(&mode);
  double y0 = 0;
  brink_sim_opts opt = brink_sim_defaults();

  opt.h0 = 2;
  rig r = rig_new(&def, &opt, 0.37, 0, &y0);
  check_status(brink_sim_run(r.sim, 1.37), BRINK_END);
  return r;
}

static void
a_sampled_guard_that_is_zero_at_the_end_is_decided_by_what_follows(void **state)
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
  double y0 = 0;

  (void)state;
  for (int k = 0; k < CROWD; k++) {
    g[k] = (brink_guard_def){.name = "g", .state = 0, .level = 0.5417};
    e[k] = (brink_event_def){.name = "e", .guard = k, .dir = BRINK_UP, .jump = nothing};
  }
  const brink_mode_def mode = {.name = "m",
                               .n = 1,
                               .rhs = constant_slopes,
                               .guards = g,
                               .n_guards = CROWD,
                               .events = e,
                               .n_events = CROWD};
  const brink_model_def def = line(&mode);
  rig r = rig_new(&def, NULL, 0.37, 0, &y0);
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
                               {.name = "late", .state = 0, .level = 0.9713}};
  const brink_event_def e[] = {{.name = "many"}, {.name = "late", .guard = 1}};
  const brink_mode_def mode = {.name = "m",
                               .n = 1,
                               .rhs = constant_slopes,
                               .guards = g,
                               .n_guards = 2,
                               .events = e,
                               .n_events = 2};
  const brink_model_def def = line(&mode);
  brink_sim_opts opt = brink_sim_defaults();
  double y0 = 0, last = 0;

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
  const brink_guard_def g = {.name = "g", .state = 0, .level = 0.4117};
  const brink_event_def e = {.name = "zero"};
  const brink_mode_def mode = {.name = "m",
                               .n = 1,
                               .rhs = constant_slopes,
                               .guards = &g,
                               .n_guards = 1,
                               .events = &e,
                               .n_events = 1};
  const brink_model_def def = line(&mode);
  brink_sim_opts opt = brink_sim_defaults();
  double y0 = 0;

  (void)state;
  opt.h0 = 2; /* one step reaches far over it */
  rig r = rig_new(&def, &opt, 0.37, 0, &y0);
  brink_sim_observe(r.sim, &(brink_observer){.on_event = stop});
  check_status(brink_sim_run(r.sim, 1.37), BRINK_STOPPED);
  check_near(brink_sim_time(r.sim), 0.37 + 0.4117, 1e-15);
  check_near(brink_sim_state(r.sim)[0], 0.4117, 1e-15);
  rig_free(&r);
}

/* it has said "stop" in call number `last`; nothing is told after that */
typedef struct listener {
  int calls, last, jumps;
} listener;

static int hear(listener *l) { return ++l->calls == l->last; }

static int hear_step(const brink_step *s, double from, double to, int mode, void *user)
{
  (void)s, (void)from, (void)to, (void)mode;
  return hear(user);
}

static int hear_event(const brink_event *e, void *user)
{
  (void)e;
  return hear(user);
}

static int count(brink_jump *j)
{
  ((listener *)j->user)->jumps++;
  return 0;
}

static void an_observer_that_has_stopped_a_run_is_not_called_again(void **state)
{
  const brink_guard_def g[] = {{.name = "g", .state = 0, .level = 0.4117},
                               {.name = "same", .state = 0, .level = 0.4117}};
  const brink_event_def e[] = {{.name = "zero", .guard = 0, .jump = count},
                               {.name = "too", .guard = 1, .jump = count}};
  const brink_mode_def mode = {.name = "m",
                               .n = 1,
                               .rhs = constant_slopes,
                               .guards = g,
                               .n_guards = 2,
                               .events = e,
                               .n_events = 2};
  brink_model_def def = line(&mode);
  brink_sim_opts opt = brink_sim_defaults();
  double y0 = 0;
  char text[80];

  (void)state;
  opt.h0 = 2;
  /* a stretch, two events at its end, the next step */
  for (int last = 1; last <= 4; last++) {
    listener l = {.last = last};
    def.user = &l;
    rig r = rig_new(&def, &opt, 0.37, 0, &y0);
    brink_sim_observe(r.sim, &(brink_observer){hear_step, hear_event, &l});
    check_status(brink_sim_run(r.sim, 1.37), BRINK_STOPPED);
    check_status(brink_sim_error(r.sim)->status, BRINK_STOPPED);
    snprintf(text, sizeof text, "an observer stopped the run at t = %.9g",
             brink_sim_time(r.sim));
    assert_string_equal(brink_sim_error(r.sim)->text, text);
    assert_int_equal(l.calls, last);
    assert_int_equal(l.jumps, last == 1 ? 0 : 2);
    assert_int_equal(rig_events(&r),
                     last == 1 ? 0 : 2); /* of one instant: both or none */
    if (last < 4)
      check_near(brink_sim_time(r.sim), 0.37 + 0.4117, 1e-15);
    check_status(brink_sim_run(r.sim, 1.37), BRINK_STOPPED);
    rig_free(&r);
  }
}

/* --------------------------------------------------------- second start --- */

/* a falls at 1 to its zero; b, thrown upward from below, turns before it reaches zero
 */
static int two_ways(double t, const double *y, double *f, const brink_env *e)
{
  (void)t, (void)e;
  f[0] = y[1];
  f[1] = 0;
  f[2] = y[3];
  f[3] = -9.81;
  return 0;
}

static int turn(brink_jump *j)
{
  j->y[2 * j->index + 1] *= -1;
  return 0;
}

/* with a locator of one guess an event may lie beside its zero, and the guard is
 * watched until it is back: in that run, not in the next */
static void what_was_beside_its_zero_in_one_run_is_not_in_the_next(void **state)
{
  const brink_guard_def g[] = {{.name = "a", .state = 0}, {.name = "b", .state = 2}};
  const brink_event_def e[] = {
      {.name = "a falls", .guard = 0, .dir = BRINK_DOWN, .jump = turn},
      {.name = "b falls",
       .guard = 1,
       .dir = BRINK_DOWN,
       .jump = turn,
       .beyond = BRINK_IGNORE}};
  const brink_mode_def mode = {.name = "m",
                               .n = 4,
                               .rhs = two_ways,
                               .guards = g,
                               .n_guards = 2,
                               .events = e,
                               .n_events = 2};
  const brink_model_def def = {.modes = &mode, .n_modes = 1};
  brink_sim_opts opt = brink_sim_defaults();
  const double first[] = {9.1, 0, 0.53, -2.1}, up = 2 + 9.81;
  const double second[] = {1, -1, -1 - (up - 9.81 / 2), up};

  (void)state;
  opt.locator = "linear";
  rig r = rig_new(&def, &opt, 0, 0, first);
  while (rig_events(&r) == 0)
    assert_true(brink_sim_advance(r.sim, 2) >= 0);
  assert_string_equal(rig_event(&r, 0).name, "b falls");
  check_status(brink_sim_start(r.sim, 0, 0, second), BRINK_OK);
  check_status(brink_sim_run(r.sim, 3.3), BRINK_END);
  assert_int_equal(rig_events(&r), 1);
  assert_string_equal(rig_event(&r, 0).name, "a falls");
  rig_free(&r);
}

static void names_in_the_options_are_copied(void **state)
{
  static const brink_guard_def g = {.name = "g", .state = 0, .level = 0.4117};
  const brink_event_def e = {.name = "zero", .dir = BRINK_UP, .jump = nothing};
  const brink_mode_def modes[] = {{.name = "a", .n = 1, .rhs = constant_slopes},
                                  {.name = "b",
                                   .n = 1,
                                   .rhs = constant_slopes,
                                   .guards = &g,
                                   .n_guards = 1,
                                   .events = &e,
                                   .n_events = 1}};
  const brink_model_def def = {.modes = modes, .n_modes = 2, .p = slope, .n_p = 1};
  brink_sim_opts opt = brink_sim_defaults();
  char method[] = "bs23", locator[] = "itp";
  double y0 = 0;

  (void)state;
  opt.method = method;
  opt.locator = locator;
  rig r = rig_new(&def, &opt, 0.37, 0, &y0);
  memset(method, 'x', sizeof method - 1);
  memset(locator, 'x', sizeof locator - 1);
  check_status(brink_sim_start(r.sim, 0.37, 1, &y0),
               BRINK_OK); /* its run is made here */
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

static const char relay[] =
    "model relay\n"
    "  Real x(start = 1);\n"
    "equation\n"
    "  when sin(7 * time) > 0.3 then reinit(x, 0.9 * x); end when;\n"
    "  der(x) = -0.37 * x;\n"
    "end relay;\n";

static void the_same_run_again_takes_the_same_steps(void **state)
{
  static const struct {
    const char *text, *method;
    double end;
  } cases[] = {{decay, "dopri5", 1.9999}, {relay, "adams", 9.1}};

  (void)state;
  for (size_t c = 0; c < 2; c++) {
    rig r = {0};
    brink_sim_opts opt = brink_sim_defaults();
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

/* ---------------------------------------------------------------- memory --- */

static const char lag[] = "model lag\n"
                          "  Real x(start = 1, fixed = true);\n"
                          "equation\n"
                          "  der(x) = -1.3 * delay(x, 0.7);\n"
                          "end lag;\n";

/* dop853 saves what the inside of a step costs if nobody reads it: a delay does */
static void a_delay_reads_its_steps_if_nobody_else_does(void **state)
{
  double end[2];

  (void)state;
  for (int alone = 0; alone < 2; alone++) {
    rig r = {0};
    brink_sim_opts opt = brink_sim_defaults();

    opt.method = "dop853";
    opt.keep = alone ? BRINK_KEEP_NOTHING : BRINK_KEEP_STEPS;
    check_status(brink_ctx_new(NULL, &r.ctx), BRINK_OK);
    check_status(brink_model_read(r.ctx, "lag.mo", lag, strlen(lag), NULL, &r.model),
                 BRINK_OK);
    check_status(brink_sim_new(r.ctx, r.model, &opt, &r.sim), BRINK_OK);
    check_status(brink_sim_start(r.sim, 0, 0, NULL), BRINK_OK);
    check_status(brink_sim_run(r.sim, 9.3), BRINK_END);
    end[alone] = brink_sim_state(r.sim)[0];
    rig_free(&r);
  }
  check_near(end[1], end[0], 0);
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
  double y0 = 0;

  (void)state;
  for (int degree = 0; degree <= 2; degree += 2) {
    const brink_guard_def g = {
        .name = "dip", .fn = dip, .degree = degree, .noise = 1e-4};
    const brink_mode_def mode = {.name = "m",
                                 .n = 1,
                                 .rhs = constant_slopes,
                                 .guards = &g,
                                 .n_guards = 1,
                                 .events = &e,
                                 .n_events = 1};
    const brink_model_def def = line(&mode);
    rig r = rig_new(&def, NULL, 0.37, 0, &y0);
    check_status(brink_sim_run(r.sim, 1.37), BRINK_END);
    assert_int_equal(rig_events(&r), 1); /* as good as zero */
    assert_int_equal(rig_event(&r, 0).kind, BRINK_KIND_TOUCH);
    rig_free(&r);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(
          a_sampled_guard_that_is_zero_at_the_end_is_decided_by_what_follows),
      cmocka_unit_test(a_hundred_guards_at_one_time_are_one_instant),
      cmocka_unit_test(zeros_beyond_the_room_of_a_list_wait_for_no_other_guard),
      cmocka_unit_test(an_observer_that_stops_leaves_the_state_at_the_event),
      cmocka_unit_test(an_observer_that_has_stopped_a_run_is_not_called_again),
      cmocka_unit_test(what_was_beside_its_zero_in_one_run_is_not_in_the_next),
      cmocka_unit_test(names_in_the_options_are_copied),
      cmocka_unit_test(the_same_run_again_takes_the_same_steps),
      cmocka_unit_test(a_delay_reads_its_steps_if_nobody_else_does),
      cmocka_unit_test(what_a_guard_says_of_its_noise_counts_for_polynomials_too),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
