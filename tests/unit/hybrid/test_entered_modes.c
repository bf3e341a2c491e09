/* test_entered_modes.c -- modes that a jump enters on the zero of its own guard, with
 * events without a direction: the guard is on the side that it has crossed to, so that
 * a law that leads back slides along it.
 *
 * x' = -+1.1 + 1.9 sin(0.8 t + 0.3), - where x > 0: from 1.4 it comes to 0 and passes
 * it, comes back, and is held there until the force exceeds 1.1.
 */
#include "hybrid.h"

#include <math.h>
#include <string.h>

static double force(double t) { return 1.9 * sin(0.8 * t + 0.3); }

static int below(double t, const double *y, double *f, const brink_env *e)
{
  (void)y, (void)e;
  f[0] = 1.1 + force(t);
  return 0;
}

static int above(double t, const double *y, double *f, const brink_env *e)
{
  (void)y, (void)e;
  f[0] = -1.1 + force(t);
  return 0;
}

static double x_of(double t, const double *y, int k, const brink_env *e)
{
  (void)t, (void)k, (void)e;
  return y[0];
}

static int by_sign(brink_jump *j)
{
  j->mode = j->sign[0] > 0 ? 1 : 0;
  return 0;
}

static int by_turns(brink_jump *j)
{
  j->mode = 1 - j->mode;
  return 0;
}

/* e: the events of the two modes. */
static rig run(const brink_guard_def *g, const brink_event_def *e, const char *method,
               double event_tol)
{
  const brink_mode_def modes[] = {{.name = "below",
                                   .n = 1,
                                   .rhs = below,
                                   .guards = g,
                                   .n_guards = 1,
                                   .events = e,
                                   .n_events = 1},
                                  {.name = "above",
                                   .n = 1,
                                   .rhs = above,
                                   .guards = g,
                                   .n_guards = 1,
                                   .events = e + 1,
                                   .n_events = 1}};
  const brink_model_def def = {.name = "relay", .modes = modes, .n_modes = 2};
  brink_sim_opts opt = brink_sim_defaults();
  double x0 = 1.4;

  opt.method = method;
  opt.rtol = 1e-9;
  opt.event_tol = event_tol;
  rig r = rig_new(&def, &opt, 0, 1, &x0);
  check_status(brink_sim_run(r.sim, 10), BRINK_END);
  return r;
}

/* Where the force is 1.1 it leaves; then the integral of the law above. */
static double left_at(void) { return (2 * acos(-1) + asin(1.1 / 1.9) - 0.3) / 0.8; }

static double end_of_run(void)
{
  double t = left_at();
  return -1.1 * (10 - t) - 1.9 / 0.8 * (cos(0.8 * 10 + 0.3) - cos(0.8 * t + 0.3));
}

static void check_run(const brink_guard_def *g, const brink_event_def *e,
                      const char *method, double event_tol)
{
  rig r = run(g, e, method, event_tol);
  double t;

  check_near(brink_sim_state(r.sim)[0], end_of_run(), 1e-7 + 2 * event_tol);
  assert_int_equal(rig_count(&r, BRINK_KIND_SLIDE_IN, NULL), 1);
  assert_int_equal(rig_count(&r, BRINK_KIND_SLIDE_OUT, &t), 1);
  assert_int_equal(rig_count(&r, BRINK_KIND_CROSSING, NULL), 2);
  check_near(t, left_at(), 1e-9 + event_tol);
  rig_free(&r);
}

static const char *const methods[] = {"dopri5", "dop853", "radau", "adams", "cvode"};

static int exists(const char *method)
{
  for (int i = 0; brink_method_name(i); i++)
    if (strcmp(brink_method_name(i), method) == 0)
      return 1;
  return 0;
}

static void a_law_that_leads_back_is_slid_along(void **state)
{
  static brink_jump_fn *const jumps[] = {by_sign, by_turns};
  static const brink_guard_def guards[] = {{.name = "x"}, {.name = "x", .fn = x_of}};

  (void)state;
  for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
    for (int i = 0; i < 8 && exists(methods[m]); i++) {
      brink_event_def e = {.name = "turn",
                           .jump = jumps[i & 1],
                           .side = i & 2 ? BRINK_NEAREST : BRINK_AFTER};
      const brink_event_def both[] = {e, e};
      check_run(&guards[i >> 2], both, methods[m], 0);
      check_run(&guards[i >> 2], both, methods[m], 1e-7);
    }
}

static void so_it_is_with_conditions(void **state)
{
  static const int is_positive[] = {0, BRINK_COND_END};
  static const brink_guard_def g = {.name = "x"};

  (void)state;
  for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
    for (int directed = 0; directed < 2 && exists(methods[m]); directed++) {
      brink_event_def e[2] = {{.name = "turn", .jump = by_turns, .cond = is_positive}};
      e[1] = e[0];
      e[0].dir = directed ? BRINK_UP : BRINK_BOTH;
      e[1].dir = directed ? BRINK_DOWN : BRINK_BOTH;
      check_run(&g, e, methods[m], 0);
    }
}

/* --------------------------------------------------------- resets ---- */

static int fall(double t, const double *y, double *f, const brink_env *e)
{
  (void)t, (void)e;
  f[0] = y[1];
  f[1] = -9.81;
  return 0;
}

static int bounce(brink_jump *j)
{
  j->mode = 1 - j->mode;
  j->y[1] *= -0.87;
  return 0;
}

/* A jump that has turned the solution back has been the event of the way back. */
static void a_jump_that_moves_states_leaves_it_to_them(void **state)
{
  static const brink_guard_def g = {.name = "x"};
  static const brink_event_def e = {.name = "bounce", .jump = bounce};
  brink_mode_def modes[2] = {{.name = "a",
                              .n = 2,
                              .rhs = fall,
                              .guards = &g,
                              .n_guards = 1,
                              .events = &e,
                              .n_events = 1}};
  const brink_model_def def = {.name = "ball", .modes = modes, .n_modes = 2};
  brink_sim_opts opt = brink_sim_defaults();
  const double y0[] = {1.7, 0}, fall_time = sqrt(2 * 1.7 / 9.81);

  (void)state;
  modes[1] = modes[0];
  modes[1].name = "b";
  rig r = rig_new(&def, &opt, 0.31, 0, y0);
  check_status(brink_sim_run(r.sim, 0.31 + fall_time * (1 + 2 * (0.87 + 0.7569) + 0.3)),
               BRINK_END);
  assert_int_equal(rig_events(&r), 3);
  check_near(rig_event(&r, 2).t, 0.31 + fall_time * (1 + 2 * (0.87 + 0.7569)), 1e-5);
  rig_free(&r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_law_that_leads_back_is_slid_along),
      cmocka_unit_test(so_it_is_with_conditions),
      cmocka_unit_test(a_jump_that_moves_states_leaves_it_to_them),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
