/* test_ramp.c -- ramp metering [Donolo02, 2.1, 4.4]: a queue that empties and fills,
 * against the events of papers/donolo.h.
 */
#include "hybrid.h"
#include "papers/donolo.h"
#include "plain_methods.h"

#include <math.h>

static void events_to_1e_8(brink_restep restep)
{
  EACH_PLAIN_METHOD (i) {
    brink_sim_opts opt = brink_sim_defaults();
    double worst = 0;
    opt.method = brink_method_name(i);
    opt.restep = restep;
    opt.rtol = 1e-11;
    opt.atol = 1e-14;
    opt.h0 = brink_method_fixed_step(i) ? 1e-3 : 0;
    if (brink_method_order(i) < 4)
      opt.rtol = opt.atol = 1e-10;
    rig r = rig_new(&donolo_ramp, &opt, 0, 0, donolo_ramp_start);
    check_status(brink_sim_run(r.sim, DONOLO_RAMP_END), BRINK_END);
    assert_int_equal(rig_events(&r), DONOLO_RAMP_EVENTS);
    for (size_t k = 0; k < DONOLO_RAMP_EVENTS; k++) {
      const donolo_ramp_event *want = &donolo_ramp_events[k];
      brink_event e = rig_event(&r, k);
      assert_string_equal(e.name, want->name);
      assert_int_equal(e.mode_after, want->after);
      worst = fmax(worst, fabs(e.t - want->t));
      check_near(e.t, want->t, 1e-8);
      check_near(e.y_after[0], want->x[0], 1e-8);
      check_near(e.y_after[1], want->x[1], 1e-8);
    }
    print_message("%-8s events off by %.1e at most, %ld f\n", opt.method, worst,
                  brink_sim_statistics(r.sim).work.f_evals);
    check_near(brink_sim_state(r.sim)[0], donolo_ramp_end[0], 1e-8);
    rig_free(&r);
  }
}

static void events_to_1e_8_with_every_method(void **state)
{
  (void)state;
  events_to_1e_8(BRINK_RESTEP_AUTO);
}

/* ... which end on the side that the mode they lead to wants */
static void events_to_1e_8_by_closing_steps(void **state)
{
  (void)state;
  events_to_1e_8(BRINK_RESTEP_ON);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(events_to_1e_8_with_every_method),
                                     cmocka_unit_test(events_to_1e_8_by_closing_steps)};

  return cmocka_run_group_tests(tests, NULL, NULL);
}
