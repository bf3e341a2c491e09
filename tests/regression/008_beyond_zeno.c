/* A ball that keeps half its speed comes to rest after finite time.  The run went on:
 * when the bounces had become smaller than the rounding of the height, the ball fell
 * through the floor, and the end time was reached as if nothing had been. */
#include "hybrid.h"

#include <math.h>

#include "event/locator.h"

static int fall(double t, const double *y, double *f, const brink_env *e)
{
  (void)t, (void)e;
  f[0] = y[1];
  f[1] = -9.81;
  return 0;
}

static int bounce(brink_jump *j)
{
  j->y[1] = -j->p[0] * j->y[1];
  return 0;
}

static const double start[] = {1, 0};
static const brink_guard_def guard = {.name = "height", .state = 0};
static const brink_event_def event = {
    .name = "bounce", .dir = BRINK_DOWN, .jump = bounce};
static const brink_mode_def fly = {.name = "fly",
                                   .n = 2,
                                   .rhs = fall,
                                   .guards = &guard,
                                   .n_guards = 1,
                                   .events = &event,
                                   .n_events = 1};
static const double half[] = {0.5};
static const brink_model_def ball = {
    .name = "ball", .modes = &fly, .n_modes = 1, .p = half, .n_p = 1};

/* Each bounce, and no rest after them. */
static brink_sim_opts stepwise(void)
{
  brink_sim_opts opt = brink_sim_defaults();

  opt.zeno = BRINK_ZENO_STEP;
  opt.zeno_gap = 1e-300; /* down to rounding */
  return opt;
}

static void events_that_accumulate_end_the_run_with_a_sentence(void **state)
{
  brink_sim_opts opt = stepwise();

  (void)state;
  rig r = rig_new(&ball, &opt, 0, 0, start);

  check_status(brink_sim_run(r.sim, 3), BRINK_ZENO);
  check_text(brink_sim_error(r.sim)->text, "(Zeno): 'bounce' fires again and again");
  check_near(brink_sim_time(r.sim), 3 * sqrt(2 / 9.81), 1e-14);
  check_near(brink_sim_state(r.sim)[0], 0, 1e-14);
  check_status(brink_sim_run(r.sim, 3), BRINK_ZENO);
  rig_free(&r);
}

/* Locators that take steps themselves are as good as the tolerance; the others are
 * exact on parabolas. */
static double allowed(int locator, double exact)
{
  return brink_locator_takes_steps(locator) ? 1e-4 : exact;
}

/* Those that place an event with one guess put the ball below the floor, where it would
 * stay; they say so, and end where it does. */
static void no_locator_falls_through_the_floor_without_news(void **state)
{
  (void)state;
  for (int i = 0; brink_locator_name(i); i++) {
    brink_sim_opts opt = stepwise();
    opt.locator = brink_locator_name(i);
    rig r = rig_new(&ball, &opt, 0, 0, start);
    brink_status rc = brink_sim_run(r.sim, 3);
    brink_sim_stats s = brink_sim_statistics(r.sim);
    print_message("%-12s %-6s height %9.1e, %ld events, %ld of them beyond the zero\n",
                  opt.locator, rc == BRINK_ZENO ? "zeno" : "end",
                  brink_sim_state(r.sim)[0], s.events, s.misplaced);
    check_status(rc, BRINK_ZENO);
    if (brink__locator_find(opt.locator)->rough) {
      check_in((double)s.misplaced, 1, HUGE_VAL);
      assert_int_equal(s.certificate, BRINK_SAMPLED);
    } else {
      check_near(brink_sim_time(r.sim), 3 * sqrt(2 / 9.81), allowed(i, 1e-13));
      assert_int_equal(s.misplaced, 0);
    }
    rig_free(&r);
  }
}

/* A few bounces are enough, if the ball loses so much that they soon vanish between the
 * roundings of the height, before time has stood still for long. */
static void however_much_is_lost_it_is_news(void **state)
{
  static const double kept[] = {0.9, 0.3, 0.11, 0.1, 0.03, 0.01, 1e-3};

  (void)state;
  for (int i = 0; brink_locator_name(i); i++)
    for (int k = 0; k < 7; k++) {
      brink_sim_opts opt = stepwise();
      opt.locator = brink_locator_name(i);
      if (brink__locator_find(opt.locator)->rough)
        continue;
      rig r = rig_new(&ball, &opt, 0, 0, start);
      check_status(brink_sim_set_p(r.sim, 0, kept[k]), BRINK_OK);
      check_status(brink_sim_run(r.sim, 30), BRINK_ZENO);
      check_near(brink_sim_time(r.sim), (1 + kept[k]) / (1 - kept[k]) * sqrt(2 / 9.81),
                 allowed(i, 1e-12));
      assert_int_equal(brink_sim_statistics(r.sim).zeno_points, 1);
      rig_free(&r);
    }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(events_that_accumulate_end_the_run_with_a_sentence),
      cmocka_unit_test(no_locator_falls_through_the_floor_without_news),
      cmocka_unit_test(however_much_is_lost_it_is_news),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
