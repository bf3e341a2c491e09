/* test_interpolant_check.c -- steps whose polynomial is wrong at an event are taken
 * again.
 *
 * A state between soft walls at +-0.87, pushed to and fro: f is continuous, and the
 * solution passes each wall at an angle.  Behind a wall the law is fast, and a first
 * step at the limit of stability swings across the wall although its error estimate is
 * small. What is reached at the end is compared with the run at 1e-13.
 */
#include "hybrid.h"

#include <math.h>
#include <string.h>

static double wall_at(double t, const double *y, int k, const brink_env *e)
{
  (void)t, (void)e;
  return k ? y[0] + 0.87 : y[0] - 0.87;
}

static int walls(double t, const double *y, double *f, const brink_env *e)
{
  double push = e->mode & 1 ? y[0] - 0.87 : e->mode & 2 ? 0 : y[0] + 0.87;

  f[0] = 1.1 * cos(0.97 * t + 0.1) + 0.3 * sin(2.3 * t) - 17 * push;
  f[1] = 1.9 * (y[0] - y[1]);
  return 0;
}

static int flip(brink_jump *j)
{
  j->mode ^= 1 << j->index;
  return 0;
}

static const brink_guard_def guards[] = {{.name = "upper", .fn = wall_at},
                                         {.name = "lower", .fn = wall_at}};
#define EVENTS(a, b)                                                                   \
  {                                                                                    \
    {.name = "upper", .guard = 0, .dir = a, .jump = flip},                             \
        {.name = "lower", .guard = 1, .dir = b, .jump = flip},                         \
  }
static const brink_event_def events[4][2] = {
    EVENTS(BRINK_UP, BRINK_UP), EVENTS(BRINK_DOWN, BRINK_UP),
    EVENTS(BRINK_UP, BRINK_DOWN), EVENTS(BRINK_DOWN, BRINK_DOWN)};

static rig between_walls(const char *method, double tol, brink_restep restep)
{
  static const char *const names[] = {"below", "both", "between", "above"};
  static const double y0[] = {0.31, 0.07};
  brink_mode_def modes[4];
  brink_sim_opts opt = brink_sim_defaults();

  for (int i = 0; i < 4; i++)
    modes[i] = (brink_mode_def){.name = names[i],
                                .n = 2,
                                .rhs = walls,
                                .guards = guards,
                                .n_guards = 2,
                                .events = events[i],
                                .n_events = 2};
  const brink_model_def def = {.modes = modes, .n_modes = 4};
  opt.method = method;
  opt.rtol = opt.atol = tol;
  opt.restep = restep;
  return rig_new(&def, &opt, 0.57, 2, y0);
}

static const char *const methods[] = {"dopri5", "dop853", "bs23",
                                      "rkf45",  "adams",  "auto-rk"};

/* ---------------------------------------------------------------- claims ---- */

static void a_step_that_swings_across_a_wall_is_no_event(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++)
    for (double tol = 1e-3; tol > 5e-7; tol *= 0.3) {
      rig r = between_walls(methods[i], tol, BRINK_RESTEP_AUTO);
      check_status(brink_sim_run(r.sim, 29.3), BRINK_END);
      assert_int_equal(rig_events(&r), 18);
      rig_free(&r);
    }
}

static void nor_does_it_cost_accuracy(void **state)
{
  (void)state;
  rig want = between_walls("dop853", 1e-13, BRINK_RESTEP_AUTO);
  check_status(brink_sim_run(want.sim, 29.3), BRINK_END);
  for (double tol = 1e-4; tol > 5e-9; tol *= 0.1) {
    rig r = between_walls("dop853", tol, BRINK_RESTEP_AUTO);
    check_status(brink_sim_run(r.sim, 29.3), BRINK_END);
    for (int k = 0; k < 2; k++)
      check_near(brink_sim_state(r.sim)[k], brink_sim_state(want.sim)[k], 5 * tol);
    rig_free(&r);
  }
  rig_free(&want);
}

static void every_event_can_have_a_step_of_its_own(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++)
    for (double tol = 1e-3; tol > 5e-10; tol *= 0.1) {
      rig r = between_walls(methods[i], tol, BRINK_RESTEP_ON);
      check_status(brink_sim_run(r.sim, 29.3), BRINK_END);
      assert_int_equal(rig_events(&r), 18);
      rig_free(&r);
    }
}

/* The guard has a pole that the law of the mode, carried on, would reach. */
static double log_at(double t, const double *y, int k, const brink_env *e)
{
  (void)t, (void)k, (void)e;
  return y[0] > -0.4 ? log(y[0] + 0.4) - log(0.7) : nan("");
}

static int swing(double t, const double *y, double *f, const brink_env *e)
{
  (void)t;
  f[0] = e->mode ? -0.2 * y[0] : y[1];
  f[1] = e->mode ? -y[1] : -y[0];
  return 0;
}

static int to_rest(brink_jump *j)
{
  j->mode = 1;
  return 0;
}

static void a_guard_need_not_exist_beyond_its_event(void **state)
{
  const brink_guard_def g = {.name = "log", .fn = log_at};
  const brink_event_def down = {.name = "log", .dir = BRINK_DOWN, .jump = to_rest};
  const brink_mode_def modes[] = {{.name = "swing",
                                   .n = 2,
                                   .rhs = swing,
                                   .guards = &g,
                                   .n_guards = 1,
                                   .events = &down,
                                   .n_events = 1},
                                  {.name = "rest", .n = 2, .rhs = swing}};
  const brink_model_def def = {.modes = modes, .n_modes = 2};
  const double y0[] = {1.1, 0};
  brink_sim_opts opt = brink_sim_defaults();

  (void)state;
  opt.method = "dop853";
  opt.rtol = opt.atol = 3e-3;
  opt.h0 = 2.2;
  rig r = rig_new(&def, &opt, 0.37, 0, y0);
  check_status(brink_sim_run(r.sim, 11.3), BRINK_END);
  assert_int_equal(rig_events(&r), 1);
  check_near(rig_event(&r, 0).t, 0.37 + acos(0.3 / 1.1), 1e-2);
  rig_free(&r);
}

/* What a fast actuator sets in motion leaves v = 0 with the third power of time, which
 * is less than the first slope of a long implicit step is wrong by.  The kink of abs
 * there is no event. */
static void a_state_that_leaves_its_zero_slowly_does_not_turn_back(void **state)
{
  static const char *const text =
      "model M\n  Real v(start = 0, fixed = true), a(start = 0, fixed = true);\n"
      "  Real b(start = 0, fixed = true);\nequation\n  der(v) = a - 0.7*v - "
      "0.3*v*abs(v);\n"
      "  der(a) = b;\n  der(b) = 1e8*(3 - a) - 1.5e4*b;\nend M;";
  brink_sim_opts opt = brink_sim_defaults();

  (void)state;
  opt.method = "radau";
  opt.rtol = 1e-9;
  for (opt.order = 0; opt.order <= 5; opt.order += 5) {
    rig r = rig_text(text, &opt, 0.37);
    check_status(brink_sim_run(r.sim, 1.37), BRINK_END);
    assert_int_equal(rig_events(&r), 0);
    check_near(brink_sim_state(r.sim)[0], 1.7966648081, 1e-8); /* dopri5 at 1e-10 */
    rig_free(&r);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_step_that_swings_across_a_wall_is_no_event),
      cmocka_unit_test(nor_does_it_cost_accuracy),
      cmocka_unit_test(every_event_can_have_a_step_of_its_own),
      cmocka_unit_test(a_guard_need_not_exist_beyond_its_event),
      cmocka_unit_test(a_state_that_leaves_its_zero_slowly_does_not_turn_back),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
