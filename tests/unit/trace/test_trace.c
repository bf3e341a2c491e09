/* What a run leaves, and reading it back. */
#include "hybrid.h"

#include <math.h>

enum { FLY, REST };

static int fall(double t, const double *y, double *f, const brink_env *e)
{
  (void)t, (void)e;
  f[0] = y[1];
  f[1] = -9.81 - 0.1 * y[1];
  return 0;
}

static int lie(double t, const double *y, double *f, const brink_env *e)
{
  (void)t, (void)e;
  f[0] = -0.5 * y[0];
  return 0;
}

static int bounce(brink_jump *j)
{
  j->y[1] *= -0.8;
  if (j->t > 1.2) { /* after a few bounces: another model with one state */
    j->mode = REST;
    j->y[0] = 2.5;
  }
  return 0;
}

static rig ball(const brink_sim_opts *opt)
{
  const brink_guard_def g = {.name = "height", .state = 0};
  const brink_event_def e = {.name = "bounce", .dir = BRINK_DOWN, .jump = bounce};
  const brink_mode_def modes[] = {{.name = "fly",
                                   .n = 2,
                                   .rhs = fall,
                                   .guards = &g,
                                   .n_guards = 1,
                                   .events = &e,
                                   .n_events = 1},
                                  {.name = "rest", .n = 1, .rhs = lie}};
  const brink_model_def def = {.modes = modes, .n_modes = 2};
  const double y0[] = {1.13, 0};
  return rig_new(&def, opt, 0.37, FLY, y0);
}

static brink_sim_opts keeping(brink_keep keep, long limit)
{
  brink_sim_opts opt = brink_sim_defaults();
  opt.rtol = 1e-9;
  opt.keep = keep;
  opt.keep_limit = limit;
  return opt;
}

static void a_trace_is_read_at_any_time_and_on_both_sides_of_an_event(void **state)
{
  brink_sim_opts opt = keeping(BRINK_KEEP_STEPS, 0);
  double y[2];
  size_t n;
  int mode;

  (void)state;
  rig r = ball(&opt);
  check_status(brink_sim_run(r.sim, 3), BRINK_END);
  const brink_trace *tr = brink_sim_trace(r.sim);

  /* free fall with linear drag, until the first bounce */
  brink_event first = rig_event(&r, 0);
  for (double t = 0.37; t < first.t; t += 0.0173) {
    double s = t - 0.37, v = -98.1 * (1 - exp(-0.1 * s));
    check_status(brink_trace_at(tr, t, BRINK_LEFT, y, &n, &mode), BRINK_OK);
    check_near(y[0], 1.13 - 98.1 * s + 981 * (1 - exp(-0.1 * s)), 2e-8);
    check_near(y[1], v, 2e-8);
    assert_int_equal(n, 2);
    assert_int_equal(mode, FLY);
  }
  for (size_t k = 0; k < rig_events(&r); k++) {
    brink_event e = rig_event(&r, k);
    check_status(brink_trace_at(tr, e.t, BRINK_LEFT, y, NULL, NULL), BRINK_OK);
    check_near(y[1], e.y_before[1], 0);
    check_status(brink_trace_at(tr, e.t, BRINK_RIGHT, y, &n, &mode), BRINK_OK);
    check_near(y[0], e.y_after[0], 0);
    assert_int_equal(n, e.n_after);
    assert_int_equal(mode, e.mode_after);
  }
  check_status(brink_trace_at(tr, 3, BRINK_RIGHT, y, &n, &mode), BRINK_OK);
  check_near(y[0], brink_sim_state(r.sim)[0], 1e-15);
  assert_int_equal(n, 1);
  check_status(brink_trace_at(tr, 0.36, BRINK_LEFT, y, &n, &mode), BRINK_EARG);
  check_status(brink_trace_at(tr, 3.01, BRINK_LEFT, y, &n, &mode), BRINK_EARG);

  /* steps follow each other without gap or overlap */
  for (size_t k = 1; k < brink_trace_steps(tr); k++) {
    brink_step a = brink_trace_step(tr, k - 1), b = brink_trace_step(tr, k);
    assert_true(b.t0 <= a.t1);
    check_status(brink_trace_at(tr, b.t0 + 0.5 * b.h, BRINK_LEFT, y, &n, &mode),
                 b.t0 + 0.5 * b.h <= 3 ? BRINK_OK : BRINK_EARG);
  }
  rig_free(&r);
}

static void
the_state_after_the_last_event_is_known_without_a_step_behind_it(void **state)
{
  brink_sim_opts opt = keeping(BRINK_KEEP_STEPS, 0);
  double y[2];

  (void)state;
  rig r = ball(&opt);
  check_status(brink_sim_advance(r.sim, 3), BRINK_OK);
  while (rig_events(&r) == 0)
    brink_sim_advance(r.sim, 3);
  brink_event e = rig_event(&r, 0);
  check_status(brink_trace_at(brink_sim_trace(r.sim), e.t, BRINK_RIGHT, y, NULL, NULL),
               BRINK_OK);
  check_near(y[1], -0.8 * e.y_before[1], 1e-15);
  rig_free(&r);
}

static int nap(brink_jump *j)
{
  j->t_after = j->t + 0.53;
  j->y[0] = -3.1;
  return 0;
}

static void
a_jump_in_which_time_passes_has_its_state_after_at_the_later_time(void **state)
{
  const brink_guard_def g = {.name = "x", .state = 0, .level = 1.2};
  const brink_event_def e = {
      .name = "nap", .dir = BRINK_DOWN, .jump = nap, .terminal = 1};
  const brink_mode_def mode = {.name = "m",
                               .n = 1,
                               .rhs = lie,
                               .guards = &g,
                               .n_guards = 1,
                               .events = &e,
                               .n_events = 1};
  const brink_model_def def = {.modes = &mode, .n_modes = 1};
  brink_sim_opts opt = keeping(BRINK_KEEP_STEPS, 0);
  double y0 = 1.7, y, t;

  (void)state;
  rig r = rig_new(&def, &opt, 0.37, 0, &y0);
  check_status(brink_sim_run(r.sim, 9), BRINK_TERMINATED);
  const brink_trace *tr = brink_sim_trace(r.sim);
  t = rig_event(&r, 0).t;
  check_status(brink_trace_at(tr, t + 0.53, BRINK_RIGHT, &y, NULL, NULL), BRINK_OK);
  check_near(y, -3.1, 0);
  check_status(brink_trace_at(tr, t, BRINK_RIGHT, &y, NULL, NULL), BRINK_OK);
  check_near(y, 1.2, 1e-14); /* nothing else is known of that time */
  check_status(brink_trace_at(tr, t + 0.2, BRINK_RIGHT, &y, NULL, NULL), BRINK_EARG);
  rig_free(&r);
}

static void a_bounded_trace_keeps_the_newest(void **state)
{
  brink_sim_opts all = keeping(BRINK_KEEP_STEPS, 0), few = keeping(BRINK_KEEP_STEPS, 2);

  (void)state;
  rig a = ball(&all), b = ball(&few);
  check_status(brink_sim_run(a.sim, 3), BRINK_END);
  size_t before = brink_ctx_alloc_stats(b.ctx).calls;
  check_status(brink_sim_run(b.sim, 3), BRINK_END);
  /* the mode met for the first time allocates its run and its integrator */
  assert_int_equal(brink_ctx_alloc_stats(b.ctx).calls - before, 2);

  const brink_trace *ta = brink_sim_trace(a.sim), *tb = brink_sim_trace(b.sim);
  size_t n = brink_trace_events(ta), m = brink_trace_steps(ta);
  assert_int_equal(brink_trace_events(tb), 2);
  assert_int_equal(brink_trace_events_lost(tb), n - 2);
  assert_int_equal(brink_trace_steps(tb), 2);
  assert_int_equal(brink_trace_steps_lost(tb), m - 2);
  for (size_t k = 0; k < 2; k++) {
    brink_event x = brink_trace_event(ta, n - 2 + k), y = brink_trace_event(tb, k);
    check_near(y.t, x.t, 0);
    check_near(y.y_before[1], x.y_before[1], 0);
    check_near(y.y_after[0], x.y_after[0], 0);
    check_near(brink_trace_step(tb, k).t0, brink_trace_step(ta, m - 2 + k).t0, 0);
  }
  rig_free(&a);
  rig_free(&b);
}

/* the observer sees every stretch once, in order, and the events between them */
typedef struct witness {
  double t;
  int pieces, events, stop_after;
} witness;

static int see_step(const brink_step *s, double begin, double end, int mode, void *user)
{
  witness *w = user;

  (void)mode;
  check_near(s->t0 + begin * s->h, w->t, 1e-14);
  w->t = s->t0 + end * s->h;
  w->pieces++;
  return 0;
}

static int see_event(const brink_event *e, void *user)
{
  witness *w = user;

  check_near(e->t, w->t, 1e-14);
  return ++w->events == w->stop_after;
}

static void an_observer_is_told_everything_in_order_and_may_stop(void **state)
{
  brink_sim_opts opt = keeping(BRINK_KEEP_NOTHING, 0);

  (void)state;
  for (int stop = 0; stop < 3; stop++) {
    witness w = {.t = 0.37, .stop_after = stop};
    brink_observer o = {see_step, see_event, &w};
    rig r = ball(&opt);
    brink_sim_observe(r.sim, &o);
    check_status(brink_sim_run(r.sim, 3), stop ? BRINK_STOPPED : BRINK_END);
    if (stop)
      assert_int_equal(w.events, stop);
    else
      check_near(w.t, 3, 1e-15);
    assert_int_equal(rig_events(&r), 0); /* nothing was to be kept */
    rig_free(&r);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_trace_is_read_at_any_time_and_on_both_sides_of_an_event),
      cmocka_unit_test(
          the_state_after_the_last_event_is_known_without_a_step_behind_it),
      cmocka_unit_test(
          a_jump_in_which_time_passes_has_its_state_after_at_the_later_time),
      cmocka_unit_test(a_bounded_trace_keeps_the_newest),
      cmocka_unit_test(an_observer_is_told_everything_in_order_and_may_stop),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
