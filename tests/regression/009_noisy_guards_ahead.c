/* A guard of time alone that cannot be read to rounding along the predicted step was
 * left at a first guess, which is good to 2^-16 of the step and may be 0: `extrapolate`
 * crept to its zero by smallest steps, a million of them.  And the step was made to end
 * beyond the zero of such a guard by a rounding only, where its sign cannot be told:
 * that of (t - a)^3 was put 6e-6 beside its place, and said to be known to 5e-7. */
#include "hybrid.h"

#include <math.h>

typedef struct shape {
  double factor, zero[4];
  int n;
} shape;

static double product(double t, const double *y, int k, const brink_env *e)
{
  const shape *s = (const shape *)e->user + k;
  double g = s->factor;

  (void)y;
  for (int i = 0; i < s->n; i++)
    g *= t - s->zero[i];
  return g;
}

static int relax(double t, const double *y, double *f, const brink_env *e)
{
  (void)e;
  f[0] = -y[0] + sin(3 * t);
  return 0;
}

static rig shapes_new(shape *shapes, int n, const brink_sim_opts *opt, double t0)
{
  const double y0[] = {0.3};
  const brink_guard_def guards[] = {{.name = "a", .fn = product},
                                    {.name = "b", .fn = product}};
  const brink_event_def events[] = {{.name = "a", .guard = 0},
                                    {.name = "b", .guard = 1}};
  const brink_mode_def mode = {.name = "m",
                               .n = 1,
                               .rhs = relax,
                               .guards = guards,
                               .n_guards = n,
                               .events = events,
                               .n_events = n};
  const brink_model_def def = {.modes = &mode, .n_modes = 1, .user = shapes};

  return rig_new(&def, opt, t0, 0, y0);
}

static void looking_ahead_does_not_creep(void **state)
{
  static shape shapes[] = {
      {-0.15995312638884362,
       {71.281114543689284, 70.873181003312453, 70.962412664023958},
       3},
      {-2.7471445724513948,
       {70.311566157425503, 70.277292055372655, 69.620529524105805, 69.590420766852702},
       4}};
  brink_sim_opts opt = brink_sim_defaults();

  (void)state;
  opt.method = "rk4";
  opt.locator = "extrapolate";
  opt.rtol = 1e-8;
  opt.h0 = opt.h_max = 0.54952146534864277;
  opt.max_steps = 1000;
  rig r = shapes_new(shapes, 2, &opt, 68.819063327865805);
  check_status(brink_sim_run(r.sim, 71.365551537772451), BRINK_END);
  assert_int_equal(rig_events(&r), 7);
  check_near(rig_event(&r, 3).t, 70.311566157425503, 3e-14);
  check_near(rig_event(&r, 6).t, 71.281114543689284, 3e-14);
  rig_free(&r);
}

static void a_triple_zero_in_time_is_found_in_its_place(void **state)
{
  static shape cube[] = {{1, {4.4321, 4.4321, 4.4321}, 3}};

  (void)state;
  for (int j = 0; brink_locator_name(j); j++) {
    brink_sim_opts opt = brink_sim_defaults();
    if (!brink_locator_proves(j))
      continue;
    opt.locator = brink_locator_name(j);
    rig r = shapes_new(cube, 1, &opt, 3.7123);
    check_status(brink_sim_run(r.sim, 5.9371), BRINK_END);
    assert_int_equal(rig_events(&r), 1);
    check_near(rig_event(&r, 0).t, 4.4321, 4e-15);
    rig_free(&r);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(looking_ahead_does_not_creep),
      cmocka_unit_test(a_triple_zero_in_time_is_found_in_its_place),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
