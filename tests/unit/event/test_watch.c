/* test_watch.c -- the memory of one guard: what its verbs mean, as "When does a guard
 * fire" in docs/architecture.md has it. */
#include "check.h"
#include "event/watch.h"

static const double DELTA = 2.5e-3;

static void outside_its_band_a_guard_starts_with_the_sign_it_has(void **state)
{
  brink__watch w = {0};

  (void)state;
  brink__watch_arm(&w, -0.37, DELTA);
  assert_int_equal(w.sign, -1);
  assert_true(w.fresh && brink__watch_band(&w) == 0);
}

static void inside_its_band_it_has_none(void **state)
{
  brink__watch w = {.sign = 1, .banded = 1};

  (void)state;
  brink__watch_arm(&w, 1.7e-3, DELTA);
  assert_int_equal(w.sign, 0);
  check_near(brink__watch_band(&w), DELTA, 0);
  assert_false(w.banded);

  /* zero is inside a band of width 0, which is a band all the same */
  brink__watch_arm(&w, 0, 0);
  assert_int_equal(w.sign, 0);
  assert_true(brink__watch_band(&w) > 0);
}

static void the_same_zero_does_not_fire_twice(void **state)
{
  brink__watch w = {0};

  (void)state;
  brink__watch_arm(&w, -0.11, DELTA); /* handed over before the zero, rising */
  brink__watch_fired(&w, 1);
  assert_int_equal(w.sign, 0);
  assert_true(brink__watch_band(&w) > 0.11 && brink__watch_band(&w) < 0.11 + 1e-12);

  brink__watch_arm(&w, 0.11, DELTA); /* beyond it: the new sign counts */
  brink__watch_fired(&w, 1);
  assert_int_equal(w.sign, 1);
  assert_true(brink__watch_band(&w) == 0);
}

static void a_zero_just_ahead_of_a_jump_is_still_found(void **state)
{
  brink__watch w = {0};

  (void)state;
  brink__watch_arm(&w, 1e-3, DELTA);
  brink__watch_unmoved(&w, -1);
  assert_int_equal(w.sign, -1);
  brink__watch_arm(&w, 0.2, DELTA); /* outside, what is found counts */
  brink__watch_unmoved(&w, -1);
  assert_int_equal(w.sign, 1);
}

static void a_guard_is_fresh_until_a_step_has_seen_it_outside(void **state)
{
  brink__watch w = {0};

  (void)state;
  brink__watch_arm(&w, 1e-3, DELTA);
  brink__watch_passed(&w, 0, BRINK__NEVER_LEFT_BAND);
  brink__watch_rest(&w, BRINK__NEVER_LEFT_BAND);
  assert_true(w.fresh && w.banded);
  brink__watch_passed(&w, 1, BRINK__ENDS_IN_BAND);
  brink__watch_rest(&w, BRINK__ENDS_IN_BAND);
  assert_true(!w.fresh && w.banded && w.sign == 1);
  brink__watch_passed(&w, 1, BRINK__OUTSIDE_BAND);
  brink__watch_rest(&w, BRINK__OUTSIDE_BAND);
  assert_true(!w.fresh && !w.banded && brink__watch_band(&w) == 0);
}

static void crossing_one_way_twice_at_one_time_is_a_return(void **state)
{
  brink__watch w = {0};

  (void)state;
  assert_int_equal(brink__watch_crossed(&w, -1, 0), 0);
  assert_int_equal(brink__watch_returned(&w), 0);
  assert_int_equal(brink__watch_crossed(&w, -1, 1), 1);
  assert_int_equal(brink__watch_returned(&w), -1);
  assert_int_equal(brink__watch_crossed(&w, -1, 0), 0); /* time has moved on */
  assert_int_equal(brink__watch_returned(&w), 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(outside_its_band_a_guard_starts_with_the_sign_it_has),
      cmocka_unit_test(inside_its_band_it_has_none),
      cmocka_unit_test(the_same_zero_does_not_fire_twice),
      cmocka_unit_test(a_zero_just_ahead_of_a_jump_is_still_found),
      cmocka_unit_test(a_guard_is_fresh_until_a_step_has_seen_it_outside),
      cmocka_unit_test(crossing_one_way_twice_at_one_time_is_a_return),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
