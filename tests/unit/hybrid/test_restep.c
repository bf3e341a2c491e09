/* Closing steps: a step of the method that ends on the event (restep). */
#include "hybrid.h"
#include "plain_methods.h"

#include <math.h>

#include "models.h"
#include "ode/method.h"

static brink_sim_opts closing(const brink_method *m, const char *locator)
{
  brink_sim_opts opt = brink_sim_defaults();

  opt.method = m->name;
  opt.locator = locator;
  opt.restep = BRINK_RESTEP_ON;
  opt.rtol = 1e-10;
  opt.atol = 1e-12;
  opt.h_max = m->flags & BRINK__FIXED_STEP ? 2e-4 : 0.01;
  opt.h0 = opt.h_max;
  return opt;
}

static void closing_steps_end_on_the_known_events(void **state)
{
  static const char *const locators[] = {"isolate", "extrapolate", "illinois"};

  (void)state;
  EACH_PLAIN_METHOD (i)
    for (int j = 0; j < 3; j++)
      for (int k = 0; known_models[k]; k++) {
        const known_model *m = known_models[k];
        brink_sim_opts opt =
            closing(brink__method_find(brink_method_name(i)), locators[j]);
        rig r = rig_new(m->def, &opt, 0, m->mode, m->y0);
        check_status(brink_sim_run(r.sim, m->t_end), BRINK_END);
        assert_int_equal(rig_events(&r), m->n_events);
        for (int e = 0; e < m->n_events; e++) {
          assert_string_equal(rig_event(&r, (size_t)e).name, m->events[e].name);
          check_near(rig_event(&r, (size_t)e).t, m->events[e].t, 1e-8);
        }
        rig_free(&r);
      }
}

/* --------------------------------------------- steps that do not close --- */

/* ARGESIM C5, a hundredth as stiff: c1 = 2.7e4.  The fast state switches the slow one.
 */
static int two_state(double t, const double *y, double *f, const brink_env *e)
{
  (void)t;
  f[0] = 2.7e4 * (y[1] + e->p[0] - y[0]);
  f[1] = 3.5651205 * (e->p[1] - y[1]);
  return 0;
}

static int switch_over(brink_jump *j)
{
  int up = j->index == 0;

  j->p[0] = up ? -0.3 : 0.4;
  j->p[1] = up ? 2.73 : 5.5;
  return 0;
}

/* No step of a method on the edge of its stability need end on the event. */
static void where_no_step_closes_the_polynomial_is_taken(void **state)
{
  static const double y0[] = {4.2, 0.3}, p[] = {0.4, 5.5};
  const brink_guard_def guards[] = {{.name = "high", .state = 0, .level = 5.8},
                                    {.name = "low", .state = 0, .level = 2.5}};
  const brink_event_def events[] = {
      {.name = "high", .guard = 0, .dir = BRINK_UP, .jump = switch_over},
      {.name = "low", .guard = 1, .dir = BRINK_DOWN, .jump = switch_over}};
  const brink_mode_def mode = {.name = "two",
                               .n = 2,
                               .rhs = two_state,
                               .guards = guards,
                               .n_guards = 2,
                               .events = events,
                               .n_events = 2};
  const brink_model_def def = {.modes = &mode, .n_modes = 1, .p = p, .n_p = 2};

  (void)state;
  EACH_PLAIN_METHOD (i) {
    double t[5] = {0};
    if (brink_method_fixed_step(i))
      continue;
    for (int closes = 0; closes < 2; closes++) {
      brink_sim_opts opt = brink_sim_defaults();
      opt.method = brink_method_name(i);
      opt.restep = closes ? BRINK_RESTEP_ON : BRINK_RESTEP_OFF;
      rig r = rig_new(&def, &opt, 0, 0, y0);
      check_status(brink_sim_run(r.sim, 4.5), BRINK_END);
      assert_int_equal(rig_events(&r), 5);
      for (size_t k = 0; k < 5; k++) {
        if (closes)
          check_near(rig_event(&r, k).t, t[k], 2e-3);
        t[k] = rig_event(&r, k).t;
      }
      rig_free(&r);
    }
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(closing_steps_end_on_the_known_events),
      cmocka_unit_test(where_no_step_closes_the_polynomial_is_taken),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
