/* The last step of a simulation can be read without keeping any: state and derivatives
 * at all of its times, also before an event that cut it.  And error weights of the
 * user. */
#include "hybrid.h"
#include "plain_methods.h"

#include <math.h>
#include <string.h>

static int swing(double t, const double *y, double *f, const brink_env *e)
{
  (void)t, (void)e;
  f[0] = y[1];
  f[1] = -y[0];
  return 0;
}

static int turn(brink_jump *j)
{
  j->y[0] = 0.91;
  j->y[1] = 0.17;
  return 0;
}

static const brink_guard_def low = {.name = "low", .level = 0.2};
static const brink_event_def event = {.name = "low", .dir = BRINK_DOWN, .jump = turn};
static const brink_mode_def guarded = {.name = "m",
                                       .n = 2,
                                       .rhs = swing,
                                       .guards = &low,
                                       .n_guards = 1,
                                       .events = &event,
                                       .n_events = 1};
static const brink_mode_def plain = {.name = "m", .n = 2, .rhs = swing};
static const double y0[] = {0.91, 0.17};

static double exact(double t, int k)
{
  return 0.91 * cos(t + k * acos(0)) + 0.17 * sin(t + k * acos(0));
}

static void the_last_step_is_read_up_to_the_event(void **state)
{
  const brink_model_def def = {.name = "swing", .modes = &guarded, .n_modes = 1};
  brink_sim_opts opt = brink_sim_defaults();
  double out[2], from = 0.37;

  (void)state;
  opt.keep = BRINK_KEEP_NOTHING;
  EACH_PLAIN_METHOD (m) {
    opt.method = brink_method_name(m);
    opt.rtol = opt.atol = 1e-9;
    opt.h0 = brink_method_fixed_step(m) ? 0.01 : 0;
    rig r = rig_new(&def, &opt, 0.37, 0, y0);
    check_status(brink_sim_at(r.sim, 0.37, 0, out), BRINK_EARG);
    check_text(brink_sim_error(r.sim)->text, "no step yet");
    brink_status rc;
    do {
      from = brink_sim_time(r.sim);
      rc = brink_sim_advance(r.sim, 5);
      double to = brink_sim_time(r.sim);
      for (int i = 0; i <= 8; i++) {
        double t = from + (to - from) * i / 8;
        for (int k = 0; k < 3; k++) {
          check_status(brink_sim_at(r.sim, t, k, out), BRINK_OK);
          check_near(out[0], exact(t - 0.37, k), k < 2 ? 2e-5 : 2e-2);
        }
      }
    } while (rc == BRINK_OK);
    check_status(rc, BRINK_EVENT);
    double t = brink_sim_time(r.sim);
    check_status(brink_sim_at(r.sim, t, 0, out), BRINK_OK);
    check_near(out[0], 0.2, 1e-9);
    check_near(brink_sim_state(r.sim)[0], 0.91, 0);
    check_status(brink_sim_at(r.sim, t + 1e-6, 0, out), BRINK_EARG);
    check_text(brink_sim_error(r.sim)->text, "is not in the last step");
    rig_free(&r);
  }
}

static void a_polynomial_that_costs_is_computed_if_asked_for(void **state)
{
  const brink_model_def def = {.name = "swing", .modes = &plain, .n_modes = 1};
  brink_sim_opts opt = brink_sim_defaults();
  double out[2];

  (void)state;
  opt.method = "dop853";
  for (int dense = 0; dense < 2; dense++) {
    opt.dense = dense;
    rig r = rig_new(&def, &opt, 0.37, 0, y0);
    check_status(brink_sim_advance(r.sim, 5), BRINK_OK);
    double t = 0.37 + 0.631 * (brink_sim_time(r.sim) - 0.37);
    check_status(brink_sim_at(r.sim, t, 0, out), dense ? BRINK_OK : BRINK_EARG);
    if (dense)
      check_near(out[0], exact(t - 0.37, 0), 1e-6);
    else
      check_text(brink_sim_error(r.sim)->text, "set the option dense");
    rig_free(&r);
  }
}

/* ------------------------------------------------------------- weights --- */

typedef struct counted {
  double size;
  long asked;
  int mode;
} counted;

static int weigh(int mode, const double *y, double *w, void *user)
{
  counted *c = user;

  c->asked++;
  c->mode = mode;
  for (int i = 0; i < 2; i++)
    w[i] = c->size * (1e-3 + fabs(y[i]));
  return c->size > 0 ? 0 : -1;
}

static void weights_take_the_place_of_tolerances(void **state)
{
  const brink_mode_def modes[] = {plain, plain};
  const brink_model_def def = {.name = "swing", .modes = modes, .n_modes = 2};
  double last = 0;

  (void)state;
  for (double size = 1e-4; size > 1e-10; size /= 100) {
    counted c = {.size = size};
    brink_sim_opts opt = brink_sim_defaults();
    opt.weight = weigh;
    opt.weight_user = &c;
    rig r = rig_new(&def, &opt, 0.37, 1, y0);
    check_status(brink_sim_run(r.sim, 6.37), BRINK_END);
    double error = fabs(brink_sim_state(r.sim)[0] - exact(6, 0));
    assert_int_equal(c.mode, 1);
    assert_true(c.asked >= brink_sim_statistics(r.sim).work.steps);
    check_in(error, 0, 50 * size);
    if (last > 0)
      check_in(last / error, 10, 1000);
    last = error;
    rig_free(&r);
  }
  counted stop = {.size = 0};
  brink_sim_opts opt = brink_sim_defaults();
  opt.weight = weigh;
  opt.weight_user = &stop;
  rig r = rig_new(&def, &opt, 0.37, 0, y0);
  check_status(brink_sim_run(r.sim, 6.37), BRINK_EUSER);
  rig_free(&r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_last_step_is_read_up_to_the_event),
      cmocka_unit_test(a_polynomial_that_costs_is_computed_if_asked_for),
      cmocka_unit_test(weights_take_the_place_of_tolerances),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
