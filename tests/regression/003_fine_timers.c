/* Times of timers were compared with a slack of 8 roundings, more than a short period
 * late in a run: three of four ticks were lost.  A period that time cannot resolve ran
 * forever inside one call, because k + 1 == k.  A tick at the end time was left out if
 * its product with the period came out one rounding later.  NaN from `next` meant
 * never, silently, and a model that counted timers it did not have was read through
 * NULL. */
#include "hybrid.h"

#include <math.h>

static int tick(brink_jump *j)
{
  j->w[0] += 1;
  return 0;
}

static double no_number(double t, const double *y, const brink_env *e)
{
  (void)t, (void)y, (void)e;
  return nan("");
}

static double now(double t, const double *y, const brink_env *e)
{
  (void)y, (void)e;
  return t;
}

static const double one = 1, zero = 0;
static const brink_mode_def mode = {.name = "m", .n = 1, .rhs = constant_slopes};

static brink_model_def with(const brink_timer_def *timer)
{
  return (brink_model_def){.modes = &mode,
                           .n_modes = 1,
                           .timers = timer,
                           .n_timers = 1,
                           .p = &one,
                           .n_p = 1,
                           .w = &zero,
                           .n_w = 1};
}

static double ticks(double at, double every, double t0, double t1)
{
  const brink_timer_def timer = {.name = "T", .at = at, .every = every, .jump = tick};
  brink_model_def def = with(&timer);
  rig r = rig_new(&def, NULL, t0, 0, &zero);

  check_status(brink_sim_run(r.sim, t1), BRINK_END);
  double n = brink_sim_w(r.sim)[0];
  rig_free(&r);
  return n;
}

static void no_tick_of_a_short_period_is_lost(void **state)
{
  (void)state;
  check_near(ticks(1e6, 1e-9, 1e6, 1e6 + 1e-6), 1001, 0);
  check_near(ticks(0, 1e-9, 0, 1e-6), 1001, 0);
  check_near(ticks(0.1, 0.1, 0, 100), 1000, 0);
  check_near(ticks(0, 0.1, 0, 0.3), 4, 0); /* 3 * 0.1 > 0.3 */
}

static void a_period_below_the_rounding_of_time_ticks_where_it_can(void **state)
{
  (void)state;
  /* 1e6 and the 17 numbers that follow, up to 1e6 + 2e-9 */
  check_in(ticks(0, 1e-12, 1e6, 1e6 + 2e-9), 16, 18);
}

static void what_next_says_wrong_is_said(void **state)
{
  (void)state;
  const brink_timer_def timer = {.name = "T", .next = no_number};
  brink_model_def def = with(&timer);
  rig r = rig_new(&def, NULL, 0, 0, &zero);

  check_status(brink_sim_run(r.sim, 1), BRINK_ENAN);
  check_text(brink_sim_error(r.sim)->text, "next time of timer 'T'");
  rig_free(&r);
}

static void the_present_is_a_time_only_at_the_start(void **state)
{
  (void)state;
  const brink_timer_def timer = {.name = "T", .next = now, .jump = tick};
  brink_model_def def = with(&timer);

  for (int i = 0; i < 2; i++) {
    rig r = rig_new(&def, NULL, i * 2.7, 0, &zero);
    check_status(brink_sim_run(r.sim, 5), BRINK_END);
    assert_int_equal(rig_events(&r), 1);
    rig_free(&r);
  }
}

static void timers_that_are_not_there_are_refused(void **state)
{
  (void)state;
  brink_ctx *ctx = NULL;
  brink_model *model = NULL;
  brink_model_def def = with(NULL);

  check_status(brink_ctx_new(NULL, &ctx), BRINK_OK);
  for (int i = 0; i < 2; i++) {
    def.n_timers = i ? -1 : 1;
    check_status(brink_model_new(ctx, &def, &model), BRINK_EARG);
    assert_null(model);
    check_text(brink_ctx_error(ctx)->text, "timers that are not there");
  }
  brink_ctx_free(ctx);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(no_tick_of_a_short_period_is_lost),
      cmocka_unit_test(a_period_below_the_rounding_of_time_ticks_where_it_can),
      cmocka_unit_test(what_next_says_wrong_is_said),
      cmocka_unit_test(the_present_is_a_time_only_at_the_start),
      cmocka_unit_test(timers_that_are_not_there_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
