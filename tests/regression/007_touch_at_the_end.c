/* (t - 1)^2 up to t = 1 ended at -1e-16; looking past the end took that rounding for a
 * sign, and the touch was carried out as a crossing.  And a touch in the middle of a
 * step claimed to be known to 1e-16 where its place is known to 1e-8. */
#include "hybrid.h"

#include <math.h>

static int parabola(double t, const double *y, double *f, const brink_env *e)
{
  (void)y, (void)e;
  f[0] = 2 * (t - 1);
  return 0;
}

static int nothing(brink_jump *j)
{
  (void)j;
  return 0;
}

static void check_touch(double first_end)
{
  const double y0 = 1;
  const brink_guard_def guard = {.name = "x", .state = 0};
  const brink_event_def event = {.name = "e", .jump = nothing};
  const brink_mode_def mode = {.name = "m",
                               .n = 1,
                               .rhs = parabola,
                               .guards = &guard,
                               .n_guards = 1,
                               .events = &event,
                               .n_events = 1};
  const brink_model_def def = {.modes = &mode, .n_modes = 1};
  rig r = rig_new(&def, NULL, 0, 0, &y0);

  check_status(brink_sim_run(r.sim, first_end), BRINK_END);
  check_status(brink_sim_run(r.sim, 2), BRINK_END);
  assert_int_equal(rig_events(&r), 1);
  brink_event e = rig_event(&r, 0);
  assert_int_equal(e.kind, BRINK_KIND_TOUCH);
  check_near(e.t, 1, e.width);
  check_in(e.width, 1e-16, 1e-6);
  rig_free(&r);
}

static void a_touch_at_the_end_of_a_run_fires_nothing(void **state)
{
  (void)state;
  check_touch(1);
}

static void the_width_of_a_touch_is_true(void **state)
{
  (void)state;
  check_touch(2);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_touch_at_the_end_of_a_run_fires_nothing),
      cmocka_unit_test(the_width_of_a_touch_is_true),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
