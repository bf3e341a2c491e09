/* test_past.c -- the next discontinuity, foreseen from those that were met.
 *
 * States and their speeds are drawn at random on a known surface; the path ahead is a
 * line, whose distance from the surface is known.
 */
#include "check.h"

#include <math.h>
#include <string.h>

#include "ode/past.h"

enum { N = 4, SEAMS = 5 };

typedef struct rig {
  brink_flow flow;
  brink__gate gate;
  brink__tol tol;
  brink__path path;
  brink__past past;
  double memory[(3 * BRINK__PAST + 1) * N + 4];
  double coeff[N][2], y[N], way[N];
  uint64_t seed;
} rig;

/* n states on y + v x, one unit of x in 1.7 of time. */
static void begin(rig *r, size_t n)
{
  *r = (rig){.flow.n = n, .tol = {.rtol = 1e-7, .atol = 1e-7}, .seed = 20261};
  r->gate.flow = &r->flow;
  r->path = (brink__path){.gate = &r->gate,
                          .tol = &r->tol,
                          .u = 1.7,
                          .degree = 1,
                          .coeff = r->coeff[0],
                          .y = r->y,
                          .way = r->way};
  assert_true(brink__past_size(n, 2) <= sizeof r->memory / sizeof r->memory[0]);
  brink__past_init(&r->past, n, r->memory);
}

/* One at time t with w y = c; the component `free` makes it so. */
static void meet(rig *r, double t, const double *w, double c, size_t free, double jump)
{
  double y[N], f[N], sum = 0;
  brink__seam seam = {.kind = BRINK__SEAM_JUMP, .top = 310 * fabs(jump)};

  for (size_t i = 0; i < r->flow.n; i++) {
    y[i] = rand_in(&r->seed, -2, 2);
    f[i] = rand_in(&r->seed, 0.4, 2);
    r->way[i] = 0;
    sum += i == free ? 0 : w[i] * y[i];
  }
  y[free] = (c - sum) / w[free];
  r->way[1] = jump > 0 ? 1 : -1;
  brink__past_add(&r->past, &r->path, &seam, 0.5, t, y, f);
}

/* The distance in time along a random path to w y = c. */
static double look(rig *r, const double *w, double c)
{
  double at = 0, speed = 0;

  for (size_t i = 0; i < r->flow.n; i++) {
    r->coeff[i][0] = rand_in(&r->seed, -1, 1);
    r->coeff[i][1] = rand_in(&r->seed, -3, 3);
    at += w[i] * r->coeff[i][0];
    speed += w[i] * r->coeff[i][1];
  }
  return (c - at) / speed * r->path.u;
}

/* Foreseen on each of a hundred paths that cross within reach, and on no other. */
static void check_foreseen(rig *r, const double *w, double c)
{
  const double reach = 3;
  int crossed = 0;

  for (int k = 0; k < 100; k++) {
    double want = look(r, w, c);
    brink__foresight by;
    brink__seam s = brink__past_next(&r->past, &r->path, reach, 0, 0.8, &by);
    if (want > 0 && want < reach) {
      assert_int_equal(s.kind, BRINK__SEAM_JUMP);
      assert_int_equal(by, BRINK__ONE_SURFACE);
      check_near(s.lo, want, 1e-7 * reach);
      crossed++;
    } else {
      assert_int_equal(s.kind, BRINK__SEAM_NONE);
    }
  }
  assert_true(crossed > 15);
}

static void a_level_is_known_from_two(void **state)
{
  static const double w[N] = {0, 0, 1, 0};
  rig r;

  (void)state;
  begin(&r, N);
  meet(&r, 0.31, w, 0.37, 2, 1);
  meet(&r, 1.94, w, 0.37, 2, -1);
  check_foreseen(&r, w, 0.37);
}

/* The path comes to 0.1 of a level that it was 0.6 away from. */
static void what_comes_near_enough_counts_as_reached(void **state)
{
  static const double w[N] = {0, 0, 1, 0};
  rig r;
  brink__foresight by;

  (void)state;
  begin(&r, N);
  meet(&r, 0.31, w, 0.37, 2, 1);
  meet(&r, 1.94, w, 0.37, 2, -1);
  memset(r.coeff, 0, sizeof r.coeff);
  r.coeff[2][0] = 0.37 - 0.6;
  r.coeff[2][1] = 0.5 * r.path.u / 3;
  assert_int_equal(brink__past_next(&r.past, &r.path, 3, 0.15, 0.8, &by).kind,
                   BRINK__SEAM_NONE);
  brink__seam s = brink__past_next(&r.past, &r.path, 3, 0.25, 0.8, &by);
  assert_int_equal(s.kind, BRINK__SEAM_JUMP);
  check_in(s.lo, 0.45 / 0.5 * 3, 3);
}

static void a_line_of_two_states_is_known_from_three(void **state)
{
  static const double w[N] = {0, 1, 0, -0.45};
  rig r;

  (void)state;
  begin(&r, N);
  meet(&r, 0.31, w, -0.23, 1, 1);
  meet(&r, 1.94, w, -0.23, 1, -1);
  meet(&r, 2.76, w, -0.23, 1, 1);
  check_foreseen(&r, w, -0.23);
}

static void a_plane_is_known_from_as_many_as_states(void **state)
{
  static const double w[N] = {0.7, 1, 1.3};
  rig r;

  (void)state;
  begin(&r, 3);
  meet(&r, 0.31, w, 0.29, 1, 1);
  meet(&r, 1.94, w, 0.29, 1, -1);
  meet(&r, 2.76, w, 0.29, 1, 1);
  check_foreseen(&r, w, 0.29);
}

static void two_levels_are_told_apart_by_the_way_f_changes(void **state)
{
  static const double w[N] = {1, 0};
  static const double sides[] = {1, -1, -1, 1}, t[] = {0.31, 1.94, 2.76, 5.43};
  rig r;

  (void)state;
  begin(&r, 2);
  for (int k = 0; k < 4; k++)
    meet(&r, t[k], w, 0.8 * sides[k], 0, sides[k]);

  /* from below both, rising by 0.7 a unit of time */
  memcpy(r.coeff, (double[2][2]){{-1.1, 0.7 * 1.7}, {0.3, 0}}, 4 * sizeof(double));
  brink__foresight by;
  brink__seam s = brink__past_next(&r.past, &r.path, 4, 0, 0.8, &by);
  assert_int_equal(by, BRINK__TWO_SURFACES);
  check_near(s.lo, 0.3 / 0.7, 1e-9);

  /* ... and between them */
  r.coeff[0][0] = -0.5;
  s = brink__past_next(&r.past, &r.path, 4, 0, 0.8, &by);
  check_near(s.lo, 1.3 / 0.7, 1e-9);
}

/* Up at 0.8 and back, down at -0.8 and back: f changes alike where the band is left
 * above and entered below. */
static void the_ends_of_a_dead_band_are_told_apart_by_turns(void **state)
{
  static const double w[N] = {1, 0};
  static const double level[] = {0.8, 0.8, -0.8, -0.8}, way[] = {-1, 1, 1, -1};
  rig r;

  (void)state;
  begin(&r, 2);
  for (int k = 0; k < 12; k++)
    meet(&r, 0.31 + k * k, w, level[k % 4], 0, way[k % 4]);

  memcpy(r.coeff, (double[2][2]){{-0.5, 0.7 * 1.7}, {0.3, 0}}, 4 * sizeof(double));
  brink__foresight by;
  brink__seam s = brink__past_next(&r.past, &r.path, 4, 0, 0.8, &by);
  assert_int_equal(by, BRINK__FOUR_SURFACES);
  check_near(s.lo, 1.3 / 0.7, 1e-9);
  r.coeff[0][0] = -1.1;
  s = brink__past_next(&r.past, &r.path, 4, 0, 0.8, &by);
  check_near(s.lo, 0.3 / 0.7, 1e-9);
}

static void a_clock_with_two_strokes_is_known_from_five(void **state)
{
  static const double t[SEAMS] = {0.4, 1.85, 3.7, 5.15, 7.0};
  static const double w[N] = {0, 1, 0, 0};
  rig r;

  (void)state;
  begin(&r, N);
  for (int k = 0; k < SEAMS; k++)
    meet(&r, t[k], w, rand_in(&r.seed, -2, 2), 1, k % 2 ? 0.6 : -1.2);

  /* the next stroke is 1.45 after the last, like the one before it */
  brink__seam s = brink__past_strike(&r.past, 7.0, 0.8);
  assert_int_equal(s.kind, BRINK__SEAM_JUMP);
  check_near(s.lo, 1.45, 1e-12);
  check_rel(s.top, 310 * 0.6 / 0.5 * 0.8, 1e-12);

  /* one stroke off, and it is not trusted any more */
  meet(&r, 8.7, w, 0.3, 1, 0.6);
  assert_int_equal(brink__past_strike(&r.past, 8.7, 0.8).kind, BRINK__SEAM_NONE);
}

/* Two strokes in turn, each ever later; no state tells anything. */
static void a_clock_that_slows_down_is_known_by_differences(void **state)
{
  static const double w[N] = {0, 1, 0, 0};
  rig r;

  (void)state;
  for (int degree = 1; degree <= 3; degree++) {
    begin(&r, N);
    for (int k = 0; k <= 12; k++) {
      double turn = k / 2, late = k % 2 ? 0.71 : 0.13; /* whole turns */
      double t = 2.3 * turn + late;
      if (degree > 1)
        t += (k % 2 ? 0.031 : 0.027) * turn * turn;
      if (degree > 2)
        t += 0.0011 * turn * turn * turn;
      if (k == 12) {
        brink__seam s = brink__past_strike(&r.past, r.past.t[0], 0.8);
        assert_int_equal(s.kind, BRINK__SEAM_JUMP);
        check_near(r.past.t[0] + s.lo, t, 1e-12);
        check_in(s.hi - s.lo, 0, 1e-12);
      } else {
        meet(&r, t, w, rand_in(&r.seed, -2, 2), 1, k % 2 ? 0.6 : -1.2);
      }
    }
  }
}

/* Second differences that swing: the strokes of a carrier that is modulated. */
static void a_clock_that_swings_is_known_by_its_sine(void **state)
{
  static const double w[N] = {0, 1, 0, 0};
  rig r;
  double t = 0;

  (void)state;
  begin(&r, N);
  for (int k = 0; k <= 12; k++) {
    double turn = k / 2; /* whole turns */
    t = 1.1 * turn + (k % 2 ? 0.61 : 0.13) + 0.05 * sin(0.83 * turn + (k % 2));
    if (k < 12)
      meet(&r, t, w, rand_in(&r.seed, -2, 2), 1, k % 2 ? 0.6 : -1.2);
  }
  brink__seam s = brink__past_strike(&r.past, r.past.t[0], 0.8);
  assert_int_equal(s.kind, BRINK__SEAM_JUMP);
  check_near(r.past.t[0] + s.lo, t, 1e-11);
}

/* ... and how much it was off last time comes with it. */
static void a_rough_clock_says_how_rough_it_is(void **state)
{
  static const double t[] = {0.4, 1.4, 2.4, 3.4, 4.41};
  static const double w[N] = {0, 1, 0, 0};
  rig r;

  (void)state;
  begin(&r, N);
  for (int k = 0; k < 5; k++)
    meet(&r, t[k], w, rand_in(&r.seed, -2, 2), 1, 0.6);
  brink__seam s = brink__past_strike(&r.past, 4.41, 0.8);
  assert_int_equal(s.kind, BRINK__SEAM_JUMP);
  check_in(s.lo, 0.98, 1.03);
  check_near(s.hi - s.lo, 0.01, 1e-12);
}

/* A modulator: 0.7 x - 0.4 y is compared with a ramp of 0.9 that begins anew every 1.1,
 * from above and from below in turn; where the states were is random. */
static void a_surface_that_moves_in_turns_is_known_by_a_plane(void **state)
{
  static const double w[] = {0.7, -0.4}, speed = 0.9, period = 1.1;
  static const double level[] = {0.21, 0.53};
  rig r;
  double y[2], f[2], t = 0, ahead[2] = {0.31, -0.17}, slope[2] = {0.23, 0.41};
  brink__seam seam = {.kind = BRINK__SEAM_JUMP, .top = 310};
  brink__foresight by;

  (void)state;
  begin(&r, 2);
  for (int k = 0; k < 12; k++) {
    for (int i = 0; i < 2; i++) {
      y[i] = rand_in(&r.seed, -0.2, 0.2);
      f[i] = rand_in(&r.seed, 0.4, 2);
    }
    t = (level[k % 2] + w[0] * y[0] + w[1] * y[1]) / speed + k / 2 * period;
    r.way[0] = 0;
    r.way[1] = k % 2 ? -1 : 1;
    brink__past_add(&r.past, &r.path, &seam, 0.5, t, y, f);
  }

  /* level + w (a + b s) = speed (t + s - 6 period) */
  for (int i = 0; i < 2; i++) {
    r.coeff[i][0] = ahead[i];
    r.coeff[i][1] = slope[i] * r.path.u;
  }
  r.path.t = t + 0.07;
  double rest = level[0] + w[0] * ahead[0] + w[1] * ahead[1] -
                speed * (r.path.t - 6 * period),
         rate = speed - w[0] * slope[0] - w[1] * slope[1];
  brink__seam s = brink__past_next(&r.past, &r.path, 2, 0, 0.8, &by);
  assert_int_equal(by, BRINK__CARRIERS);
  assert_int_equal(s.kind, BRINK__SEAM_JUMP);
  check_near(s.lo, rest / rate, 1e-6);
}

static void a_hint_is_where_a_state_is_as_it_was(void **state)
{
  static const double w[N] = {0, 0, 1, 0};
  rig r;

  (void)state;
  begin(&r, N);
  assert_true(brink__past_hint(&r.past, &r.path, 1) == HUGE_VAL);
  meet(&r, 0.31, w, 0.37, 2, 1);
  memset(r.coeff, 0, sizeof r.coeff);
  r.coeff[2][0] = 0.2;
  r.coeff[2][1] = 0.5 * 1.7;
  check_near(brink__past_hint(&r.past, &r.path, 1), 0.34, 1e-12);
  assert_true(brink__past_hint(&r.past, &r.path, 0.3) == HUGE_VAL);
}

static void a_hint_is_where_a_state_changes_its_sign(void **state)
{
  rig r;

  (void)state;
  begin(&r, N);
  memset(r.coeff, 0, sizeof r.coeff);
  r.coeff[3][0] = 0.17;
  r.coeff[3][1] = -0.5 * 1.7;
  check_near(brink__past_hint(&r.past, &r.path, 1), 0.34, 1e-12);
  assert_true(brink__past_hint(&r.past, &r.path, 0.3) == HUGE_VAL);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_level_is_known_from_two),
      cmocka_unit_test(what_comes_near_enough_counts_as_reached),
      cmocka_unit_test(a_line_of_two_states_is_known_from_three),
      cmocka_unit_test(a_plane_is_known_from_as_many_as_states),
      cmocka_unit_test(two_levels_are_told_apart_by_the_way_f_changes),
      cmocka_unit_test(the_ends_of_a_dead_band_are_told_apart_by_turns),
      cmocka_unit_test(a_clock_with_two_strokes_is_known_from_five),
      cmocka_unit_test(a_clock_that_slows_down_is_known_by_differences),
      cmocka_unit_test(a_clock_that_swings_is_known_by_its_sine),
      cmocka_unit_test(a_rough_clock_says_how_rough_it_is),
      cmocka_unit_test(a_surface_that_moves_in_turns_is_known_by_a_plane),
      cmocka_unit_test(a_hint_is_where_a_state_is_as_it_was),
      cmocka_unit_test(a_hint_is_where_a_state_changes_its_sign),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
