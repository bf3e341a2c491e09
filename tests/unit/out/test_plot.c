/* test_plot.c -- what --plot may say, axes and their labels, curves of modes. */
#include "check.h"

#include <math.h>
#include <string.h>

#include "out/plot.h"

/* ----------------------------------------------------------------- axes ---- */

static void check_axis(double lo, double hi, double pad, int ticks, const char *first,
                       const char *last, long n, double offset, int exponent)
{
  brink__axis a;
  char label[BRINK__NUMBER];

  brink__axis_fit(&a, lo, hi, pad, ticks);
  brink__axis_label(&a, a.first, label);
  assert_string_equal(label, first);
  brink__axis_label(&a, a.last, label);
  assert_string_equal(label, last);
  assert_int_equal(a.last - a.first + 1, n);
  assert_true(a.offset == offset);
  assert_int_equal(a.exponent, exponent);
  for (long k = a.first; k <= a.last; k++)
    check_in(brink__axis_tick(&a, k), a.lo - 1e-9 * (a.hi - a.lo),
             a.hi + 1e-9 * (a.hi - a.lo));
}

#define MINUS "\xe2\x88\x92"

static void ticks_are_ones_twos_and_fives_without_roundings(void **state)
{
  (void)state;
  check_axis(0, 0.7, 0, 7, "0.0", "0.7", 8, 0, 0);
  check_axis(-0.3, 0.31, 0, 6, MINUS "0.3", "0.3", 7, 0, 0);
  check_axis(0, 3.5, 0, 7, "0.0", "3.5", 8, 0, 0);
  check_axis(13, 87, 0, 4, "20", "80", 4, 0, 0);
  check_axis(-2300, 99999, 0, 5, "0", "80000", 5, 0, 0);
}

static void large_and_small_numbers_share_a_power_of_a_thousand(void **state)
{
  (void)state;
  check_axis(0, 3.2e17, 0, 6, "0", "300", 7, 0, 15);
  check_axis(0, 2.4e-7, 0, 5, "0", "200", 5, 0, -9);
  check_axis(-1e100, 1e100, 0, 4, MINUS "10", "10", 5, 0, 99);
  check_axis(0, 4e-310, 0, 4, MINUS "1.0", "1.0", 5, 0, 0); /* nothing but zero */
}

static void a_range_that_is_a_small_part_has_an_offset(void **state)
{
  (void)state;
  check_axis(5 - 1e-12, 5 + 1e-12, 0.05, 4, MINUS "1.0", "1.0", 5, 5, -12);
  check_axis(101324.98, 101325.02, 0, 4, MINUS "0.02", "0.02", 5, 101325, 0);
  check_axis(1e7, 1e7 + 10, 0, 5, "0", "10", 6, 1e7, 0);
  check_axis(-3.14153, -3.14133, 0, 4, "0", "150", 4, -3.1415, -6);
}

static void a_constant_is_shown_within_its_size(void **state)
{
  (void)state;
  check_axis(5, 5, 0.05, 4, "3", "7", 5, 0, 0);
  check_axis(0, 0, 0, 4, MINUS "1.0", "1.0", 5, 0, 0);
  check_axis(-2.5, -2.5 * (1 + 4e-16), 0, 5, MINUS "3.5", MINUS "1.5", 5, 0, 0);
}

/* --------------------------------------------------------------- --plot ---- */

static const brink_variable columns[] = {
    {.name = "height", .unit = "m", .text = ""},
    {.name = "v", .unit = "m/s", .text = ""},
    {.name = "x[1,2]", .unit = "", .text = ""},
    {.name = "x[2,1]", .unit = "", .text = ""},
    {.name = "car.speed", .unit = "", .text = ""},
    {.name = "a:b;c", .unit = "", .text = ""},
};

static brink_status parse(const char *plot, int n_modes, brink__plot_spec *spec,
                          brink_err *err)
{
  brink__picture_opts opt = {
      .plot = plot, .variables = columns, .n_variables = 6, .n_modes = n_modes};
  return brink__plot_parse(&opt, spec, err);
}

static void panels_and_names_are_read_as_written(void **state)
{
  brink__plot_spec s;
  brink_err err;

  (void)state;
  check_status(parse("v , x[2,1];mode; 'a:b;c',mode;height:v;v:time", 2, &s, &err),
               BRINK_OK);
  assert_int_equal(s.n_panels, 5);
  assert_int_equal(s.n_picks, 5);
  assert_int_equal(s.pick[0].column, 1);
  assert_int_equal(s.pick[1].column, 3);
  assert_int_equal(s.panel[0].n, 2);
  assert_false(s.panel[0].strip);
  assert_int_equal(s.panel[1].n, 0);
  assert_true(s.panel[1].strip);
  assert_int_equal(s.pick[2].column, 5);
  assert_true(s.panel[2].strip);
  assert_int_equal(s.pick[3].column, 0); /* height over v */
  assert_true(s.pick[3].phase);
  assert_int_equal(s.pick[3].over, 1);
  assert_false(s.pick[4].phase);
}

static void stars_stand_for_any_characters(void **state)
{
  brink__plot_spec s;
  brink_err err;

  (void)state;
  check_status(parse("x[*];*;*e*e*", 1, &s, &err), BRINK_OK);
  assert_int_equal(s.panel[0].n, 2);
  assert_int_equal(s.panel[1].n, 6);
  assert_int_equal(s.panel[2].n, 1); /* car.speed: two e, height has one */
  assert_int_equal(s.pick[8].column, 4);
}

static void without_a_text_everything_is_picked(void **state)
{
  brink__plot_spec s;
  brink_err err;

  (void)state;
  check_status(parse(NULL, 1, &s, &err), BRINK_OK);
  assert_int_equal(s.n_picks, 6);
  assert_int_equal(s.n_panels, 0);
}

static void faults_are_said_in_a_sentence(void **state)
{
  static const struct {
    const char *plot;
    brink_status status;
    const char *text;
  } faults[] = {
      {"heigth", BRINK_ENAME,
       "plot: there is no variable 'heigth'; did you mean 'height'?"},
      {"v;car.sped", BRINK_ENAME, "'car.sped'; did you mean 'car.speed'?"},
      {"v:tim", BRINK_ENAME, "'tim'; did you mean 'time'?"},
      {"q", BRINK_ENAME,
       "plot: there is no variable 'q'; there are height, v, x[1,2], x[2,1], "
       "car.speed, "
       "a:b;c"},
      {"y[*]", BRINK_ENAME, "plot: no variable fits 'y[*]'"},
      {"", BRINK_EARG, "plot: a name is missing before 'the end'"},
      {"v,,height", BRINK_EARG, "plot: a name is missing before ',height'"},
      {"v;", BRINK_EARG, "plot: a name is missing before 'the end' in 'v;'"},
      {"v:height:v", BRINK_EARG, "';' or the end expected after 'height', before ':v'"},
      {"x[1", BRINK_EARG, "plot: 'x[1' is not closed"},
      {"'v", BRINK_EARG, "plot: 'v' is not closed"},
      {"mode", BRINK_ENAME, "plot: the model has one mode only"},
  };
  brink__plot_spec s;
  brink_err err;

  (void)state;
  for (size_t i = 0; i < BRINK__COUNT(faults); i++) {
    check_status(parse(faults[i].plot, 1, &s, &err), faults[i].status);
    check_text(err.text, faults[i].text);
  }
  check_status(parse("mode:v", 2, &s, &err), BRINK_EARG);
  check_text(err.text, "plot: the mode is drawn over time only");
  char many[1000] = "*";
  for (int i = 0; i < 30; i++)
    strcat(many, ",*");
  check_status(parse(many, 1, &s, &err), BRINK_EARG);
  check_text(err.text, "plot: more than 128 curves in one picture");
}

static void names_longer_than_any_are_refused(void **state)
{
  brink__plot_spec s;
  brink_err err;
  char name[400];

  (void)state;
  memset(name, 'n', sizeof name - 1);
  name[sizeof name - 1] = '\0';
  check_status(parse(name, 1, &s, &err), BRINK_EARG);
  check_text(err.text, "a name of more than 191 characters");
}

/* ---------------------------------------------------------------- modes ---- */

static void a_curve_sleeps_while_its_mode_does(void **state)
{
  static const struct {
    const char *mode, *over, *combination;
    int asleep;
  } cases[] = {
      {NULL, NULL, "fly", 0},         {"fly", NULL, "fly", 0},
      {"fly", NULL, "swing", 1},      {"fly", NULL, "flying", 1},
      {"flying", NULL, "fly", 1},     {"q", NULL, "a+q", 0},
      {"a", NULL, "a+q", 0},          {"b", NULL, "a+q", 1},
      {"wash", NULL, "wash.spin", 0}, {"wash.spin", NULL, "wash.spin+lamp[2].on", 0},
      {"wash.spin", NULL, "wash", 1}, {"lamp[2].on", NULL, "wash.spin+lamp[1].on", 1},
      {"a", "q", "a+q", 0},           {"a", "p", "a+q", 1},
  };

  (void)state;
  for (size_t i = 0; i < BRINK__COUNT(cases); i++) {
    brink__curve c = {.mode = cases[i].mode, .over_mode = cases[i].over, .asleep = -1};
    brink__curve_wake(&c, cases[i].combination);
    assert_int_equal(c.asleep, cases[i].asleep);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ticks_are_ones_twos_and_fives_without_roundings),
      cmocka_unit_test(large_and_small_numbers_share_a_power_of_a_thousand),
      cmocka_unit_test(a_range_that_is_a_small_part_has_an_offset),
      cmocka_unit_test(a_constant_is_shown_within_its_size),
      cmocka_unit_test(panels_and_names_are_read_as_written),
      cmocka_unit_test(stars_stand_for_any_characters),
      cmocka_unit_test(without_a_text_everything_is_picked),
      cmocka_unit_test(faults_are_said_in_a_sentence),
      cmocka_unit_test(names_longer_than_any_are_refused),
      cmocka_unit_test(a_curve_sleeps_while_its_mode_does),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
