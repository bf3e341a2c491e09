/* Towards an infinite end the step size grew until it was infinite itself, was refused,
 * and a quarter of infinity was tried for ever.  And an endless run with a periodic
 * timer was let go without any limit. */
#include "hybrid.h"

#include <math.h>

static void an_infinite_end_needs_a_limit_and_obeys_it(void **state)
{
  (void)state;
  const double slope = 1.3, y0 = 0.1;
  const brink_timer_def timer = {.name = "T", .at = 0.5, .every = 1};
  const brink_mode_def mode = {.name = "m", .n = 1, .rhs = constant_slopes};
  brink_model_def def = {.modes = &mode, .n_modes = 1, .p = &slope, .n_p = 1};
  brink_sim_opts opt = brink_sim_defaults();

  opt.max_steps = 2000;
  rig r = rig_new(&def, &opt, 0, 0, &y0);
  check_status(brink_sim_run(r.sim, HUGE_VAL), BRINK_LIMIT);
  check_text(brink_sim_error(r.sim)->text, "max_steps = 2000");
  check_rel(brink_sim_state(r.sim)[0], 1.3 * brink_sim_time(r.sim) + 0.1, 1e-12);
  rig_free(&r);

  def.timers = &timer;
  def.n_timers = 1;
  r = rig_new(&def, NULL, 0, 0, &y0);
  check_status(brink_sim_run(r.sim, 2), BRINK_END);
  check_status(brink_sim_run(r.sim, HUGE_VAL), BRINK_EARG);
  check_text(brink_sim_error(r.sim)->text, "needs a limit");
  rig_free(&r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_infinite_end_needs_a_limit_and_obeys_it),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
