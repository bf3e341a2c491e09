/* A ball that keeps half its speed comes to rest after finite time.  The run went on:
 * when the bounces had become smaller than the rounding of the height, the ball fell
 * through the floor, and the end time was reached as if nothing had been. */
#include "hybrid.h"

#include <math.h>

static int fall(double t, const double *y, double *f, const brink_env *e)
{
  (void)t, (void)e;
  f[0] = y[1];
  f[1] = -9.81;
  return 0;
}

static int bounce(brink_jump *j)
{
  j->y[1] = -0.5 * j->y[1];
  return 0;
}

static void events_that_accumulate_end_the_run_with_a_sentence(void **state)
{
  (void)state;
  const double y0[] = {1, 0};
  const brink_guard_def guard = {.name = "height", .state = 1};
  const brink_event_def event = {.name = "bounce", .dir = BRINK_DOWN, .jump = bounce};
  const brink_mode_def fly = {.name = "fly",
                              .n = 2,
                              .rhs = fall,
                              .guards = &guard,
                              .n_guards = 1,
                              .events = &event,
                              .n_events = 1};
  const brink_model_def ball = {.name = "ball", .modes = &fly, .n_modes = 1};
  rig r = rig_new(&ball, NULL, 0, 0, y0);

  check_status(brink_sim_run(r.sim, 3), BRINK_ZENO);
  check_text(brink_sim_error(r.sim)->text, "(Zeno): 'bounce' fired");
  check_near(brink_sim_time(r.sim), 3 * sqrt(2 / 9.81), 1e-14);
  check_near(brink_sim_state(r.sim)[0], 0, 1e-14);
  check_status(brink_sim_run(r.sim, 3), BRINK_ZENO);
  rig_free(&r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(events_that_accumulate_end_the_run_with_a_sentence),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
