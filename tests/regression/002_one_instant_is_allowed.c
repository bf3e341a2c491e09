/* max_iterations = 1 allows one instant at a time; the run ended at the first event,
 * with a sentence that said "still events are due" when none was. */
#include "hybrid.h"

static int nothing(brink_jump *j)
{
  (void)j;
  return 0;
}

static int onto_the_next(brink_jump *j)
{
  j->y[0] = 2.5;
  return 0;
}

static brink_status run(brink_beyond second, brink_jump_fn *jump, long most,
                        size_t *events, char *text)
{
  const double slope = 1, y0 = 0.1;
  const brink_guard_def guards[] = {{.name = "a", .state = 0, .level = 0.7},
                                    {.name = "b", .state = 0, .level = 2.3}};
  const brink_event_def list[] = {
      {.name = "a", .guard = 0, .dir = BRINK_UP, .jump = jump},
      {.name = "b", .guard = 1, .dir = BRINK_UP, .jump = nothing, .beyond = second}};
  const brink_mode_def mode = {.name = "m",
                               .n = 1,
                               .rhs = constant_slopes,
                               .guards = guards,
                               .n_guards = 2,
                               .events = list,
                               .n_events = 2};
  const brink_model_def def = {.modes = &mode, .n_modes = 1, .p = &slope, .n_p = 1};
  brink_sim_opts opt = brink_sim_defaults();

  opt.max_iterations = most;
  rig r = rig_new(&def, &opt, 0, 0, &y0);
  brink_status status = brink_sim_run(r.sim, 1);
  *events = rig_events(&r);
  for (size_t i = 0; i < BRINK_ERR_TEXT; i++)
    text[i] = brink_sim_error(r.sim)->text[i];
  rig_free(&r);
  return status;
}

static void as_many_instants_as_allowed_are_no_error(void **state)
{
  (void)state;
  size_t n;
  char text[BRINK_ERR_TEXT];

  check_status(run(BRINK_FIRE, nothing, 1, &n, text), BRINK_END);
  assert_int_equal(n, 1);
  check_status(run(BRINK_FIRE, onto_the_next, 2, &n, text), BRINK_END);
  assert_int_equal(n, 2);
  check_status(run(BRINK_FIRE, onto_the_next, 1, &n, text), BRINK_EITERATION);
  assert_int_equal(n, 2); /* with the verdict about the guard */
  check_text(text, "1 instants at t = 0.6");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(as_many_instants_as_allowed_are_no_error),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
