/* A relay that starts within rounding of its switch, on the way to it, ended with a
 * hundred instants: the guard's polynomial put the event at the start itself, where the
 * next mode, looking more closely, was sent back to the first. */
#include "hybrid.h"

#include <math.h>

static int relay(double t, const double *y, double *f, const brink_env *e)
{
  f[0] = y[1];
  f[1] = (e->mode ? -2.7 : 2.7) - 0.19 * y[1] + 1.1 * sin(1.7 * t);
  return 0;
}

static double place(double t, const double *y, int k, const brink_env *e)
{
  (void)t, (void)k, (void)e;
  return y[0];
}

static int flip(brink_jump *j)
{
  j->mode = !j->mode;
  return 0;
}

static void check_crossed(const char *method, double tol, double place0, double speed)
{
  const brink_guard_def guard = {.name = "place", .fn = place};
  const brink_event_def up = {
      .name = "up", .dir = BRINK_UP, .jump = flip, .beyond = BRINK_FIRE};
  const brink_event_def down = {
      .name = "down", .dir = BRINK_DOWN, .jump = flip, .beyond = BRINK_FIRE};
  const brink_mode_def below = {.name = "below",
                                .n = 2,
                                .rhs = relay,
                                .guards = &guard,
                                .n_guards = 1,
                                .events = &up,
                                .n_events = 1};
  brink_mode_def modes[] = {below, below};
  const brink_model_def def = {.modes = modes, .n_modes = 2};
  const double y0[] = {place0, speed};
  brink_sim_opts opt = brink_sim_defaults();

  modes[1].name = "above";
  modes[1].events = &down;
  opt.method = method;
  opt.rtol = opt.atol = tol;
  rig r = rig_new(&def, &opt, 2.957311123182979, place0 > 0, y0);
  check_status(brink_sim_run(r.sim, 3.1), BRINK_END);
  assert_int_equal(brink_sim_mode(r.sim), speed > 0);
  check_in((double)rig_events(&r), 0, 3);
  rig_free(&r);
}

static void a_switch_within_rounding_of_the_start_is_crossed(void **state)
{
  static const char *const methods[] = {"dopri5", "dop853", "bs23", "rkf45", "adams"};
  static const double places[] = {2.85e-17, 1e-16, 1e-15, 1e-14, 1e-300, 0};

  (void)state;
  for (int m = 0; m < 5; m++)
    for (int k = 0; k < 6; k++)
      for (double tol = 1e-6; tol > 1e-14; tol /= 10) {
        check_crossed(methods[m], tol, -places[k], 1.1676678632222526);
        check_crossed(methods[m], tol, places[k], -1.1676678632222526);
      }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_switch_within_rounding_of_the_start_is_crossed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
