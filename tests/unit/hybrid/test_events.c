/* What counts as an event, when, and in which order. */
#include "hybrid.h"

#include <math.h>
#include <string.h>

/* y = slope * t + y0 with one state; guards of all shapes on it */
static const double slope[] = {1};

static double cubic(double t, const double *y, int k, const brink_env *e)
{
  (void)t, (void)k, (void)e;
  return (y[0] - 0.1731) * (y[0] - 0.4242) * (y[0] - 0.8118);
}

static double cubed(double t, const double *y, int k, const brink_env *e)
{
  (void)t, (void)k, (void)e;
  return pow(y[0] - 0.618033, 3);
}

static double square(double t, const double *y, int k, const brink_env *e)
{
  (void)t, (void)k, (void)e;
  return (y[0] - 0.4377) * (y[0] - 0.4377);
}

static double zero(double t, const double *y, int k, const brink_env *e)
{
  (void)t, (void)y, (void)k, (void)e;
  return 0;
}

static double wave(double t, const double *y, int k, const brink_env *e)
{
  (void)t, (void)k, (void)e;
  return sin(17.3 * y[0]) + 0.21;
}

static int nothing(brink_jump *j)
{
  (void)j;
  return 0;
}

static int count(brink_jump *j)
{
  j->w[0] += 1;
  return 0;
}

static brink_mode_def one_mode(const brink_guard_def *g, int ng,
                               const brink_event_def *e, int ne)
{
  return (brink_mode_def){.name = "m",
                          .n = 1,
                          .rhs = constant_slopes,
                          .guards = g,
                          .n_guards = ng,
                          .events = e,
                          .n_events = ne};
}

/* Straight lines to the last bit, which the long sums of dop853 are not. */
static brink_sim_opts by_dopri5(void)
{
  brink_sim_opts opt = brink_sim_defaults();

  opt.method = "dopri5";
  return opt;
}

static rig run(const brink_guard_def *g, int ng, const brink_event_def *e, int ne,
               const brink_sim_opts *opt, double t0, double y0, double t1)
{
  static const double w[] = {0};
  const brink_mode_def mode = one_mode(g, ng, e, ne);
  const brink_model_def def = {.name = "line",
                               .modes = &mode,
                               .n_modes = 1,
                               .p = slope,
                               .n_p = 1,
                               .w = w,
                               .n_w = 1};
  rig r = rig_new(&def, opt, t0, 0, &y0);
  check_status(brink_sim_run(r.sim, t1), BRINK_END);
  return r;
}

/* ------------------------------------------------------------ several ---- */

static void three_zeros_in_one_step_are_three_events_in_order(void **state)
{
  const double want[] = {0.1731, 0.4242, 0.8118};
  const brink_guard_def g = {.name = "cubic", .fn = cubic};

  (void)state;
  /* logged, and with a jump that restarts each time */
  for (int jump = 0; jump < 2; jump++) {
    const brink_event_def e = {.name = "zero", .jump = jump ? nothing : NULL};
    brink_sim_opts opt = by_dopri5();
    opt.h0 = 2; /* one step reaches over all of them */
    rig r = run(&g, 1, &e, 1, &opt, 0.37, 0, 1.87);
    assert_int_equal(rig_events(&r), 3);
    for (size_t k = 0; k < 3; k++) {
      check_near(rig_event(&r, k).t, 0.37 + want[k], 1e-15);
      assert_int_equal(rig_event(&r, k).dir, k % 2 ? BRINK_DOWN : BRINK_UP);
      assert_int_equal(rig_event(&r, k).kind, BRINK_KIND_CROSSING);
      assert_string_equal(rig_event(&r, k).located_by, "isolate");
      assert_int_equal(rig_event(&r, k).certificate, BRINK_SAMPLED);
    }
    if (!jump)
      assert_int_equal(brink_sim_statistics(r.sim).work.steps, 1);
    rig_free(&r);
  }
}

static void many_zeros_overflow_no_list(void **state)
{
  const brink_guard_def g = {.name = "wave", .fn = wave};
  const brink_event_def e = {.name = "zero"};
  brink_sim_opts opt = brink_sim_defaults();

  (void)state;
  opt.h0 = 4;
  rig r = run(&g, 1, &e, 1, &opt, 0.37, 0, 4.37);
  /* sin(17.3 y) = -0.21 for y in (0, 4): count the solutions */
  double a = asin(0.21), pi = acos(-1.0);
  size_t n = 0;
  for (int m = 0; m < 100; m++) {
    double y = (m * pi + (m % 2 ? a : -a)) / 17.3;
    if (y > 0 && y < 4) {
      check_near(rig_event(&r, n).t, 0.37 + y, 1e-14);
      n++;
    }
  }
  assert_int_equal(rig_events(&r), n);
  rig_free(&r);
}

static void a_cubed_guard_is_located_where_its_root_is(void **state)
{
  const brink_guard_def g = {.name = "cubed", .fn = cubed};
  const brink_event_def e = {.name = "zero", .dir = BRINK_UP, .jump = nothing};

  (void)state;
  rig r = run(&g, 1, &e, 1, NULL, 0.37, 0, 1.37);
  assert_int_equal(rig_events(&r), 1);
  check_near(rig_event(&r, 0).t, 0.37 + 0.618033, 1e-14);
  assert_true(rig_event(&r, 0).y_before[0] > 0.618033); /* side after */
  rig_free(&r);
}

static void a_touch_is_listed_and_fires_nothing(void **state)
{
  const brink_guard_def g = {.name = "square", .fn = square};
  const brink_event_def e = {.name = "zero", .jump = count};

  (void)state;
  rig r = run(&g, 1, &e, 1, NULL, 0.37, 0, 1.37);
  assert_int_equal(rig_events(&r), 1);
  assert_int_equal(rig_event(&r, 0).kind, BRINK_KIND_TOUCH);
  assert_string_equal(rig_event(&r, 0).name, "square");
  check_near(rig_event(&r, 0).t, 0.37 + 0.4377, 1e-7); /* a double zero is flat */
  check_near(brink_sim_w(r.sim)[0], 0, 0);
  assert_int_equal(brink_sim_statistics(r.sim).touches, 1);
  assert_int_equal(brink_sim_statistics(r.sim).events, 0);
  rig_free(&r);
}

static double near_a(double t, const double *y, int k, const brink_env *e)
{
  (void)t, (void)k, (void)e;
  return y[0] * y[0] - 0.49;
}

static void a_touch_at_the_time_of_an_event_is_listed_too(void **state)
{
  const brink_guard_def g[] = {{.name = "square", .fn = square},
                               {.name = "line", .state = 0, .level = 0.4377}};
  const brink_event_def e[] = {{.name = "never", .guard = 0, .jump = count},
                               {.name = "reached", .guard = 1, .jump = count}};

  (void)state;
  rig r = run(g, 2, e, 2, NULL, 0.37, 0, 1.37);
  assert_int_equal(rig_events(&r), 2);
  assert_int_equal(rig_event(&r, 0).kind, BRINK_KIND_TOUCH);
  assert_string_equal(rig_event(&r, 0).name, "square");
  assert_int_equal(rig_event(&r, 1).kind, BRINK_KIND_CROSSING);
  assert_string_equal(rig_event(&r, 1).name, "reached");
  check_near(rig_event(&r, 0).t, rig_event(&r, 1).t, 1e-7);
  check_near(brink_sim_w(r.sim)[0], 1, 0);
  assert_int_equal(brink_sim_statistics(r.sim).touches, 1);
  rig_free(&r);
}

static double tide(double t, const double *y, int k, const brink_env *e)
{
  (void)y, (void)k, (void)e;
  return sin(t) - 0.3;
}

static void a_guard_in_time_converges_however_late_it_is(void **state)
{
  const brink_guard_def g = {.name = "tide", .fn = tide};
  const brink_event_def e = {
      .name = "up", .dir = BRINK_UP, .jump = count, .beyond = BRINK_IGNORE};
  brink_sim_opts opt = brink_sim_defaults();

  (void)state;
  opt.h_max = 0.5;
  for (double t0 = 0.37; t0 < 1e10; t0 *= 10) {
    rig r = run(&g, 1, &e, 1, &opt, t0, 0, t0 + 20);
    long n = lround(floor((t0 + 20 - asin(0.3)) / (2 * acos(-1))) -
                    floor((t0 - asin(0.3)) / (2 * acos(-1))));
    assert_int_equal(rig_events(&r), n);
    assert_int_equal(brink_sim_statistics(r.sim).certificate, BRINK_SAMPLED);
    rig_free(&r);
  }
}

static void two_guards_with_one_zero_share_an_instant(void **state)
{
  const brink_guard_def g[] = {{.name = "line", .state = 0, .level = 0.7},
                               {.name = "parabola", .fn = near_a}};
  const brink_event_def e[] = {{.name = "first", .guard = 0, .jump = count},
                               {.name = "second", .guard = 1, .jump = count}};

  brink_sim_opts opt = by_dopri5();

  (void)state;
  rig r = run(g, 2, e, 2, &opt, 0.37, 0, 1.37);
  assert_int_equal(rig_events(&r), 2);
  brink_event a = rig_event(&r, 0), b = rig_event(&r, 1);
  check_near(a.t, 1.07, 4e-16);
  check_near(b.t, a.t, 0);
  assert_int_equal(a.instant, 0);
  assert_int_equal(b.instant, 0);
  assert_ptr_equal(a.y_before, b.y_before); /* states are stored once */
  check_near(brink_sim_w(r.sim)[0], 2, 0);
  assert_int_equal(brink_sim_statistics(r.sim).instants, 1);
  rig_free(&r);
}

/* -------------------------------------------------------------- places ---- */

static void a_zero_at_the_start_is_judged_by_what_follows(void **state)
{
  const brink_guard_def g = {.name = "line", .state = 0};
  const brink_event_def down = {.name = "down", .dir = BRINK_DOWN, .jump = count};
  const brink_event_def ignored = {
      .name = "up", .dir = BRINK_UP, .jump = count, .beyond = BRINK_IGNORE};
  const brink_event_def fires = {
      .name = "up", .dir = BRINK_UP, .jump = count, .beyond = BRINK_FIRE};
  const brink_event_def refused = {.name = "up", .dir = BRINK_UP, .jump = count};

  (void)state;
  /* the right way, or nobody minds: no event */
  rig r = run(&g, 1, &down, 1, NULL, 0.37, 0, 1.37);
  assert_int_equal(rig_events(&r), 0);
  rig_free(&r);
  r = run(&g, 1, &ignored, 1, NULL, 0.37, 0, 1.37);
  assert_int_equal(rig_events(&r), 0);
  rig_free(&r);

  /* past at 0+: an event at the start time */
  r = run(&g, 1, &fires, 1, NULL, 0.37, 0, 1.37);
  assert_int_equal(rig_events(&r), 1);
  check_near(rig_event(&r, 0).t, 0.37, 0);
  assert_int_equal(rig_event(&r, 0).kind, BRINK_KIND_START);
  rig_free(&r);

  /* past at 0+ and not allowed to be */
  const brink_mode_def mode = one_mode(&g, 1, &refused, 1);
  const brink_model_def def = {.modes = &mode, .n_modes = 1, .p = slope, .n_p = 1};
  const double y0 = 0;
  r = rig_new(&def, NULL, 0.37, 0, &y0);
  check_status(brink_sim_run(r.sim, 1), BRINK_EMODE);
  check_text(brink_sim_error(r.sim)->text, "'up' already past");
  rig_free(&r);
}

static void a_zero_at_the_end_time_is_carried_out(void **state)
{
  const brink_guard_def g = {.name = "line", .state = 0, .level = 0.75};
  const brink_event_def e = {.name = "up", .dir = BRINK_UP, .jump = count};

  (void)state;
  rig r = run(&g, 1, &e, 1, NULL, 0.25, 0.25, 0.75);
  assert_int_equal(rig_events(&r), 1);
  check_near(rig_event(&r, 0).t, 0.75, 0);
  check_near(brink_sim_w(r.sim)[0], 1, 0);
  check_near(brink_sim_time(r.sim), 0.75, 0);
  rig_free(&r);
}

/* steps of exactly 1/8 put the zero on a step boundary */
static void a_zero_between_two_steps_is_found_once(void **state)
{
  const brink_guard_def g = {.name = "line", .state = 0, .level = 0.5};
  brink_sim_opts opt = brink_sim_defaults();

  (void)state;
  opt.h0 = opt.h_max = 0.125;
  for (int jump = 0; jump < 2; jump++) {
    const brink_event_def e = {
        .name = "up", .dir = BRINK_UP, .jump = jump ? count : NULL};
    rig r = run(&g, 1, &e, 1, &opt, 0, 0, 1);
    assert_int_equal(rig_events(&r), 1);
    check_near(rig_event(&r, 0).t, 0.5, 1e-15);
    rig_free(&r);
  }
}

static void a_touch_between_two_steps_is_listed_once(void **state)
{
  const brink_guard_def g = {.name = "square", .fn = square};
  const brink_event_def e = {.name = "zero", .jump = count};
  brink_sim_opts opt = brink_sim_defaults();

  (void)state;
  opt.h0 = opt.h_max = 0.4377 / 4;
  rig r = run(&g, 1, &e, 1, &opt, 0, 0, 1);
  assert_int_equal(rig_events(&r), 1);
  assert_int_equal(rig_event(&r, 0).kind, BRINK_KIND_TOUCH);
  rig_free(&r);
}

static void a_guard_that_is_zero_everywhere_fires_nothing(void **state)
{
  const brink_guard_def g = {.name = "nil", .fn = zero};
  const brink_event_def e = {.name = "nil", .jump = count, .beyond = BRINK_FIRE};

  (void)state;
  rig r = run(&g, 1, &e, 1, NULL, 0.37, 0, 1.37);
  assert_int_equal(rig_events(&r), 0);
  rig_free(&r);
}

static void a_run_may_be_continued(void **state)
{
  const brink_guard_def g = {.name = "line", .state = 0, .level = 0.7};
  const brink_event_def e = {.name = "up", .jump = count};

  (void)state;
  rig r = run(&g, 1, &e, 1, NULL, 0.37, 0, 1.07); /* the zero is at the first end */
  check_status(brink_sim_run(r.sim, 1.2), BRINK_END);
  check_status(brink_sim_run(r.sim, 2.2), BRINK_END);
  assert_int_equal(rig_events(&r), 1);
  check_near(brink_sim_state(r.sim)[0], 2.2 - 0.37, 1e-14);
  rig_free(&r);
}

/* ----------------------------------------------------------- direction ---- */

static void direction_side_and_limits_are_obeyed(void **state)
{
  const brink_guard_def g = {.name = "wave", .fn = wave};

  (void)state;
  for (int dir = -1; dir <= 1; dir++)
    for (int side = BRINK_AFTER; side <= BRINK_NEAREST; side++) {
      const brink_event_def e = {.name = "zero",
                                 .dir = (brink_direction)dir,
                                 .side = (brink_side)side,
                                 .jump = count,
                                 .beyond = BRINK_IGNORE};
      rig r = run(&g, 1, &e, 1, NULL, 0.37, 0, 2.37);
      assert_true(rig_events(&r) >= (dir ? 5u : 10u));
      for (size_t k = 0; k < rig_events(&r); k++) {
        brink_event v = rig_event(&r, k);
        if (dir)
          assert_int_equal(v.dir, dir);
        double at = wave(0, v.y_before, 0, NULL);
        check_near(at, 0, 1e-13);
        if (side == BRINK_AFTER)
          assert_true(at * (int)v.dir > 0);
        check_near(v.g, at, 0);
      }
      rig_free(&r);
    }
}

static void a_count_limit_ends_the_run(void **state)
{
  const brink_guard_def g = {.name = "wave", .fn = wave};
  const brink_event_def e = {.name = "third", .limit = 3};
  const brink_mode_def mode = one_mode(&g, 1, &e, 1);
  const brink_model_def def = {.modes = &mode, .n_modes = 1, .p = slope, .n_p = 1};
  const double y0 = 0;

  (void)state;
  rig r = rig_new(&def, NULL, 0.37, 0, &y0);
  check_status(brink_sim_run(r.sim, 10), BRINK_TERMINATED);
  assert_int_equal(rig_events(&r), 3);
  check_text(brink_sim_error(r.sim)->text, "'third' ended the run at t =");
  check_status(brink_sim_run(r.sim, 11), BRINK_TERMINATED); /* it stays ended */
  rig_free(&r);
}

static void a_terminal_event_ends_the_run_at_its_zero(void **state)
{
  const brink_guard_def g = {.name = "line", .state = 0, .level = 0.611};
  const brink_event_def e = {.name = "there", .terminal = 1};
  const brink_mode_def mode = one_mode(&g, 1, &e, 1);
  const brink_model_def def = {.modes = &mode, .n_modes = 1, .p = slope, .n_p = 1};
  const double y0 = 0;
  brink_sim_opts opt = by_dopri5();

  (void)state;
  rig r = rig_new(&def, &opt, 0.37, 0, &y0);
  check_status(brink_sim_run(r.sim, 10), BRINK_TERMINATED);
  check_near(brink_sim_time(r.sim), 0.981, 4e-16);
  check_near(brink_sim_state(r.sim)[0], 0.611, 4e-16);
  rig_free(&r);
}

/* ------------------------------------------------------------- Boolean ---- */

static double sine(double t, const double *y, int k, const brink_env *e)
{
  (void)t, (void)e;
  return sin(y[0] * (k ? 2.7 : 4.1) + 0.3 * k) - 0.2;
}

static void combinations_fire_when_the_whole_becomes_true(void **state)
{
  const brink_guard_def g[] = {{.name = "a", .fn = sine}, {.name = "b", .fn = sine}};
  const int both[] = {0, 1, BRINK_AND, BRINK_COND_END};
  const int either[] = {0, 1, BRINK_OR, BRINK_COND_END};
  const int a_not_b[] = {0, 1, BRINK_NOT, BRINK_AND, BRINK_COND_END};
  const brink_event_def e[] = {{.name = "both", .cond = both, .dir = BRINK_UP},
                               {.name = "either", .cond = either, .dir = BRINK_DOWN},
                               {.name = "a not b", .cond = a_not_b}};
  double at[3][64];
  int n[3] = {0}, was[3];

  (void)state;
  rig r = run(g, 2, e, 3, NULL, 0, 0, 9);

  /* brute force: march with a tiny step */
  for (long i = 0; i <= 900000; i++) {
    double y = (double)i * 1e-5;
    int a = sine(0, &y, 0, NULL) > 0, b = sine(0, &y, 1, NULL) > 0;
    int is[3] = {a && b, a || b, a && !b};
    for (int k = 0; k < 3 && i > 0; k++)
      if (is[k] != was[k] && (k == 0 ? is[k] : k == 1 ? !is[k] : 1))
        at[k][n[k]++] = y;
    memcpy(was, is, sizeof was);
  }
  int seen[3] = {0};
  for (size_t k = 0; k < rig_events(&r); k++) {
    brink_event v = rig_event(&r, k);
    check_near(v.t, at[v.index][seen[v.index]++], 1.1e-5);
  }
  for (int k = 0; k < 3; k++)
    assert_int_equal(seen[k], n[k]);
  rig_free(&r);
}

/* -------------------------------------------------------------- timers ---- */

static void timers_do_not_drift_and_share_instants(void **state)
{
  const brink_timer_def timers[] = {
      {.name = "tenth", .at = 0.1, .every = 0.1, .jump = count},
      {.name = "whole", .at = 1, .every = 1, .jump = count}};
  const double w[] = {0}, y0 = 0;
  const brink_mode_def mode = one_mode(NULL, 0, NULL, 0);
  const brink_model_def def = {.modes = &mode,
                               .n_modes = 1,
                               .timers = timers,
                               .n_timers = 2,
                               .p = slope,
                               .n_p = 1,
                               .w = w,
                               .n_w = 1};

  (void)state;
  rig r = rig_new(&def, NULL, 0, 0, &y0);
  check_status(brink_sim_run(r.sim, 100), BRINK_END);
  assert_int_equal(rig_events(&r), 1100);
  size_t tenths = 0;
  for (size_t k = 0; k < rig_events(&r); k++) {
    brink_event v = rig_event(&r, k);
    if (v.index == 0)
      check_near(v.t, 0.1 + 0.1 * (double)tenths++, 3e-14);
    assert_int_equal(v.kind, BRINK_KIND_TIME);
    assert_string_equal(v.located_by, "");
  }
  /* 0.1 k and k meet up to rounding: one instant, both delivered */
  assert_int_equal(brink_sim_statistics(r.sim).time_events, 1100);
  assert_int_equal(brink_sim_statistics(r.sim).instants, 1000);
  rig_free(&r);
}

static void a_timer_and_a_guard_at_one_time_are_one_instant(void **state)
{
  const brink_timer_def timer = {.name = "bell", .at = 0.75, .jump = count};
  const brink_guard_def g = {.name = "line", .state = 0, .level = 0.75};
  const brink_event_def e = {.name = "up", .jump = count};
  const double w[] = {0}, y0 = 0.25;
  const brink_mode_def mode = one_mode(&g, 1, &e, 1);
  const brink_model_def def = {.modes = &mode,
                               .n_modes = 1,
                               .timers = &timer,
                               .n_timers = 1,
                               .p = slope,
                               .n_p = 1,
                               .w = w,
                               .n_w = 1};

  (void)state;
  rig r = rig_new(&def, NULL, 0.25, 0, &y0);
  check_status(brink_sim_run(r.sim, 2), BRINK_END);
  assert_int_equal(rig_events(&r), 2);
  assert_int_equal(brink_sim_statistics(r.sim).instants, 1);
  check_near(rig_event(&r, 0).t, 0.75, 0);
  check_near(rig_event(&r, 1).t, 0.75, 0);
  rig_free(&r);
}

static double doubling(double t, const double *y, const brink_env *e)
{
  (void)y, (void)e;
  return t < 0.5 ? 0.5 : 2 * t;
}

static void a_timer_may_compute_its_next_time(void **state)
{
  const brink_timer_def timer = {.name = "octave", .next = doubling, .jump = count};
  const double w[] = {0}, y0 = 0;
  const brink_mode_def mode = one_mode(NULL, 0, NULL, 0);
  const brink_model_def def = {.modes = &mode,
                               .n_modes = 1,
                               .timers = &timer,
                               .n_timers = 1,
                               .p = slope,
                               .n_p = 1,
                               .w = w,
                               .n_w = 1};

  (void)state;
  rig r = rig_new(&def, NULL, 0, 0, &y0);
  check_status(brink_sim_run(r.sim, 20), BRINK_END);
  assert_int_equal(rig_events(&r), 6); /* 0.5 1 2 4 8 16 */
  for (size_t k = 0; k < 6; k++)
    check_near(rig_event(&r, k).t, ldexp(0.5, (int)k), 0);
  rig_free(&r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(three_zeros_in_one_step_are_three_events_in_order),
      cmocka_unit_test(many_zeros_overflow_no_list),
      cmocka_unit_test(a_cubed_guard_is_located_where_its_root_is),
      cmocka_unit_test(a_touch_is_listed_and_fires_nothing),
      cmocka_unit_test(a_touch_at_the_time_of_an_event_is_listed_too),
      cmocka_unit_test(a_guard_in_time_converges_however_late_it_is),
      cmocka_unit_test(two_guards_with_one_zero_share_an_instant),
      cmocka_unit_test(a_zero_at_the_start_is_judged_by_what_follows),
      cmocka_unit_test(a_zero_at_the_end_time_is_carried_out),
      cmocka_unit_test(a_zero_between_two_steps_is_found_once),
      cmocka_unit_test(a_touch_between_two_steps_is_listed_once),
      cmocka_unit_test(a_guard_that_is_zero_everywhere_fires_nothing),
      cmocka_unit_test(a_run_may_be_continued),
      cmocka_unit_test(direction_side_and_limits_are_obeyed),
      cmocka_unit_test(a_count_limit_ends_the_run),
      cmocka_unit_test(a_terminal_event_ends_the_run_at_its_zero),
      cmocka_unit_test(combinations_fire_when_the_whole_becomes_true),
      cmocka_unit_test(timers_do_not_drift_and_share_instants),
      cmocka_unit_test(a_timer_and_a_guard_at_one_time_are_one_instant),
      cmocka_unit_test(a_timer_may_compute_its_next_time),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
