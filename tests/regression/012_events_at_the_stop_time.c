/* Whether a zero exactly at the stop time was an event depended on the steps, by which
 * it lay a rounding before or behind; and a run that went on must not find it again. */
#include "hybrid.h"

#include <math.h>

static int line(double t, const double *y, double *f, const brink_env *e)
{
  (void)t, (void)y, (void)e;
  f[0] = 1;
  return 0;
}

static int count(brink_jump *j)
{
  j->w[0] += 1;
  return 0;
}

/* x' = 1 from 0 at t0, event at x = level; stop at t0 + 1.2, go on to t0 + 3. */
static void check_count(double t0, double level, double h_max, double at_stop)
{
  const double y0 = 0, stop = t0 + 1.2;
  const brink_guard_def guard = {.name = "x", .state = 0, .level = level};
  const brink_event_def event = {.name = "e", .jump = count, .dir = BRINK_UP};
  const brink_mode_def mode = {.name = "m",
                               .n = 1,
                               .rhs = line,
                               .guards = &guard,
                               .n_guards = 1,
                               .events = &event,
                               .n_events = 1};
  const double w[] = {0};
  const brink_model_def def = {.modes = &mode, .n_modes = 1, .w = w, .n_w = 1};
  brink_sim_opts opt = brink_sim_defaults();

  opt.h_max = h_max;
  rig r = rig_new(&def, &opt, t0, 0, &y0);
  check_status(brink_sim_run(r.sim, stop), BRINK_END);
  check_near(brink_sim_w(r.sim)[0], at_stop, 0);
  check_near(brink_sim_time(r.sim), stop, 0);
  check_status(brink_sim_run(r.sim, stop), BRINK_END);
  check_near(brink_sim_w(r.sim)[0], at_stop, 0);
  check_status(brink_sim_run(r.sim, t0 + 3), BRINK_END);
  check_near(brink_sim_w(r.sim)[0], 1, 0);
  rig_free(&r);
}

static void steps_do_not_decide(void **state)
{
  const double t0[] = {0, 0.37, -7.3, 991.7}, part[] = {0, 1, 3, 7, 50, 777, 5000};
  const double off[] = {0, 2.2e-16, -2.2e-16, 1e-15, -1e-15, 1e-13, -1e-13};

  (void)state;
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 7; j++)
      for (int k = 0; k < 7; k++) {
        double length = t0[i] + 1.2 - t0[i];
        double h = part[j] > 0 ? length / part[j] : 0;
        check_count(t0[i], length * (1 + off[k]), h, 1);
        check_count(t0[i], length * (1 + 1e-6), h, 0);
      }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(steps_do_not_decide)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
