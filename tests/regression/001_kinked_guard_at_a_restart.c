/* A guard with a kink does not converge along a step, and its samples were trusted
 * from the first one on: after a bounce that was the rounding of the restart.  A
 * ball whose event listens to both directions bounced a second time 1e-16 later and
 * fell through the floor. */
#include "hybrid.h"

#include <math.h>

static int fall(double t, const double *y, double *f, const brink_env *e)
{
  (void)t, (void)e;
  f[0] = y[1];
  f[1] = -9.81;
  return 0;
}

static double kinked(double t, const double *y, int k, const brink_env *e)
{
  (void)t, (void)k, (void)e;
  return y[0] < 0.3 ? y[0] : 6 * y[0] - 1.5;
}

static int bounce(brink_jump *j)
{
  j->y[1] = -0.9 * j->y[1];
  return 0;
}

static void a_kinked_guard_does_not_fire_on_the_rounding_of_a_restart(void **state)
{
  (void)state;
  const brink_guard_def guard = {.name = "height", .fn = kinked};
  const brink_event_def event = {.name = "bounce", .jump = bounce};
  const brink_mode_def fly = {.name = "fly",
                              .n = 2,
                              .rhs = fall,
                              .guards = &guard,
                              .n_guards = 1,
                              .events = &event,
                              .n_events = 1};
  const brink_model_def ball = {.name = "ball", .modes = &fly, .n_modes = 1};
  const double y0[] = {1, 0};
  rig r = rig_new(&ball, NULL, 0, 0, y0);
  double t = sqrt(2 / 9.81), gap = 2 * t;

  check_status(brink_sim_run(r.sim, 3), BRINK_END);
  assert_int_equal(rig_events(&r), 4);
  for (size_t k = 0; k < 4; k++, t += gap) {
    check_near(rig_event(&r, k).t, t, 1e-14);
    gap *= 0.9;
  }
  rig_free(&r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_kinked_guard_does_not_fire_on_the_rounding_of_a_restart),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
