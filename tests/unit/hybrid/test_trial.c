/* test_trial.c -- jumps of callback models are told when they are only asked what they
 * would do: a log that a jump keeps elsewhere has as many entries as the record.
 */
#include "hybrid.h"

#include <math.h>

typedef struct calls {
  int carried_out, asked;
} calls;

static void keep(const brink_jump *j)
{
  calls *made = j->user;

  *(j->trial ? &made->asked : &made->carried_out) += 1;
}

/* Rows of the record that the jump of an event has made. */
static int crossings(const rig *r)
{
  int n = 0;

  for (size_t k = 0; k < rig_events(r); k++)
    n += rig_event(r, k).kind == BRINK_KIND_CROSSING ||
         rig_event(r, k).kind == BRINK_KIND_START;
  return n;
}

static void compare(const brink_model_def *def, const double *y0, double t_end)
{
  static const char *const methods[] = {"dopri5", "dop853", "adams", "radau", "auto"};
  calls *made = def->user;

  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
    brink_sim_opts opt = brink_sim_defaults();
    opt.method = methods[i];
    *made = (calls){0};
    rig r = rig_new(def, &opt, 0.37, 0, y0);
    check_status(brink_sim_run(r.sim, t_end), BRINK_END);
    assert_int_equal(made->carried_out, crossings(&r));
    assert_true(made->asked > 0);
    rig_free(&r);
  }
}

/* ------------------------------------------------------------ a ball ---- */

static int fall(double t, const double *y, double *f, const brink_env *e)
{
  (void)t, (void)e;
  f[0] = y[1];
  f[1] = -9.81;
  return 0;
}

static int bounce(brink_jump *j)
{
  keep(j);
  j->y[1] *= -0.71;
  return 0;
}

static void bounces_before_a_limit_are_asked_on_copies(void **state)
{
  static const brink_guard_def height = {.name = "height", .state = 0};
  static const brink_event_def event = {
      .name = "bounce", .dir = BRINK_DOWN, .jump = bounce};
  static const brink_mode_def fly = {.name = "fly",
                                     .n = 2,
                                     .rhs = fall,
                                     .guards = &height,
                                     .n_guards = 1,
                                     .events = &event,
                                     .n_events = 1};
  static const double y0[] = {1.13, 0};
  calls made;

  (void)state;
  compare(
      &(brink_model_def){.name = "ball", .modes = &fly, .n_modes = 1, .user = &made},
      y0, 9.2);
}

/* ----------------------------------------------------------- a relay ---- */

static int relay(double t, const double *y, double *f, const brink_env *e)
{
  (void)y;
  f[0] = -e->p[0] + 0.6 * sin(t);
  return 0;
}

static int over(brink_jump *j)
{
  keep(j);
  j->p[0] = j->hit[0];
  return 0;
}

static void the_laws_beside_a_switch_are_asked_on_copies(void **state)
{
  static const brink_guard_def at = {.name = "x", .state = 0};
  static const brink_event_def event = {
      .name = "switch", .dir = BRINK_BOTH, .jump = over};
  static const brink_mode_def mode = {.name = "relay",
                                      .n = 1,
                                      .rhs = relay,
                                      .guards = &at,
                                      .n_guards = 1,
                                      .events = &event,
                                      .n_events = 1};
  static const double y0[] = {0.83}, p = 1;
  calls made;

  (void)state;
  compare(&(brink_model_def){.name = "relay",
                             .modes = &mode,
                             .n_modes = 1,
                             .p = &p,
                             .n_p = 1,
                             .user = &made},
          y0, 7.1);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bounces_before_a_limit_are_asked_on_copies),
      cmocka_unit_test(the_laws_beside_a_switch_are_asked_on_copies),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
