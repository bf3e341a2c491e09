/* The record gave the direction of the first guard hit for every event of an instant:
 * a condition that became true because a guard fell was listed as falling, and of two
 * guards that crossed each other both events had no direction and one value. */
#include "hybrid.h"

static int glide(double t, const double *y, double *f, const brink_env *e)
{
  (void)t, (void)y, (void)e;
  f[0] = 1;
  f[1] = -2;
  return 0;
}

static int nothing(brink_jump *j)
{
  (void)j;
  return 0;
}

static void check_events(brink_jump_fn *jump)
{
  static const int not_fast[] = {1, BRINK_NOT, BRINK_COND_END};
  const double y0[] = {0.2, 1.6};
  const brink_guard_def guards[] = {{.name = "x", .state = 0, .level = 0.7},
                                    {.name = "v", .state = 1, .level = 0.6}};
  const brink_event_def list[] = {
      {.name = "x up", .guard = 0, .jump = jump},
      {.name = "v down", .guard = 1, .jump = jump},
      {.name = "slow", .cond = not_fast, .dir = BRINK_UP, .jump = jump}};
  const int dirs[] = {1, -1, 1};
  const brink_mode_def mode = {.name = "m",
                               .n = 2,
                               .rhs = glide,
                               .guards = guards,
                               .n_guards = 2,
                               .events = list,
                               .n_events = 3};
  const brink_model_def def = {.modes = &mode, .n_modes = 1};
  rig r = rig_new(&def, NULL, 0, 0, y0);

  check_status(brink_sim_run(r.sim, 1), BRINK_END);
  assert_int_equal(rig_events(&r), 3);
  for (int k = 0; k < 3; k++) {
    brink_event e = rig_event(&r, (size_t)k);
    assert_int_equal(e.index, k);
    assert_int_equal(e.dir, dirs[k]);
    check_near(e.t, 0.5, 1e-15);
    check_near(e.g, k ? e.y_before[1] - 0.6 : e.y_before[0] - 0.7, 0);
    check_in(e.width, 1e-16, 1e-14); /* t itself is rounded */
  }
  rig_free(&r);
}

static void each_event_has_the_direction_and_guard_of_its_own(void **state)
{
  (void)state;
  check_events(nothing);
  check_events(NULL);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_event_has_the_direction_and_guard_of_its_own),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
