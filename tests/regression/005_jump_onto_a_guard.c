/* A jump that lands exactly on the zero of another event, which the flow then passes at
 * once, lost that event: only starts and changes of mode asked what .beyond says. */
#include "hybrid.h"

static int onto_b(brink_jump *j)
{
  j->y[0] = 2.25;
  return 0;
}

static int nothing(brink_jump *j)
{
  (void)j;
  return 0;
}

static brink_status run(double slope_after, brink_direction dir, brink_beyond beyond,
                        rig *r)
{
  const double p = slope_after, y0 = 0.3;
  const brink_guard_def guards[] = {{.name = "a", .state = 0, .level = 1.1},
                                    {.name = "b", .state = 0, .level = 2.25}};
  const brink_event_def list[] = {
      {.name = "a", .guard = 0, .dir = BRINK_UP, .jump = onto_b},
      {.name = "b", .guard = 1, .dir = dir, .jump = nothing, .beyond = beyond}};
  const brink_mode_def mode = {.name = "m",
                               .n = 1,
                               .rhs = constant_slopes,
                               .guards = guards,
                               .n_guards = 2,
                               .events = list,
                               .n_events = 2};
  const brink_model_def def = {.modes = &mode, .n_modes = 1, .p = &p, .n_p = 1};

  *r = rig_new(&def, NULL, 0, 0, &y0);
  return brink_sim_run(r->sim, 1);
}

static void an_event_that_a_jump_lands_on_is_asked_what_beyond_says(void **state)
{
  (void)state;
  rig r;

  check_status(run(1, BRINK_UP, BRINK_FIRE, &r), BRINK_END);
  assert_int_equal(rig_events(&r), 2);
  assert_string_equal(rig_event(&r, 1).name, "b");
  assert_int_equal(rig_event(&r, 1).instant, 1);
  assert_int_equal(rig_event(&r, 1).kind, BRINK_KIND_START);
  rig_free(&r);

  check_status(run(1, BRINK_UP, BRINK_REFUSE, &r), BRINK_EMODE);
  check_text(brink_sim_error(r.sim)->text, "event 'b' already past");
  rig_free(&r);

  check_status(run(1, BRINK_UP, BRINK_IGNORE, &r), BRINK_END);
  assert_int_equal(rig_events(&r), 1);
  rig_free(&r);

  check_status(run(1, BRINK_DOWN, BRINK_IGNORE, &r), BRINK_END);
  assert_int_equal(rig_events(&r), 1);
  rig_free(&r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_event_that_a_jump_lands_on_is_asked_what_beyond_says),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
