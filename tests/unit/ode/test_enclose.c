/* test_enclose.c -- a discontinuity is enclosed where it is, and the first one first.
 *
 * The path is the line y = 0.3 + s in both states, which obeys f = 1 up to the place.
 */
#include "check.h"

#include <math.h>

#include "ode/discontinuity.h"

enum { N = 2 };

typedef struct law {
  double at[N];    /* where f[i] changes, by time       */
  double jump[N];  /* ... by this                       */
  double slope[N]; /* ... and by this much with time    */
  long calls;
} law;

static int rhs(const brink_flow *flow, double t, const double *y, double *f)
{
  law *l = flow->self;

  (void)y;
  l->calls++;
  for (int i = 0; i < N; i++)
    f[i] = 1 + (t > l->at[i] ? l->jump[i] + l->slope[i] * (t - l->at[i]) : 0);
  return 0;
}

typedef struct rig {
  brink_flow flow;
  brink__gate gate;
  brink__tol tol;
  brink__path path;
  double coeff[N][2], y[N], way[N], weight[N], beyond[N], at[N], f[N], keep[N], mid[N];
} rig;

/* From t = 0; what was seen from afar was a change of state `seen`. */
static void begin(rig *r, law *l, int seen)
{
  *r = (rig){.flow = {.n = N, .rhs = rhs, .self = l},
             .tol = {.rtol = 1e-8, .atol = 1e-8}};
  r->gate.flow = &r->flow;
  r->path = (brink__path){.gate = &r->gate,
                          .tol = &r->tol,
                          .y = r->y,
                          .u = 1,
                          .degree = 1,
                          .coeff = r->coeff[0],
                          .way = r->way,
                          .weight = r->weight,
                          .beyond = r->beyond,
                          .at = r->at,
                          .f = r->f,
                          .keep = r->keep,
                          .mid = r->mid};
  for (int i = 0; i < N; i++) {
    r->coeff[i][0] = r->y[i] = 0.3;
    r->coeff[i][1] = 1;
    r->weight[i] = 1 / brink__scale(&r->tol, (size_t)i, 0.3, 0.8);
    r->way[i] = i == seen;
  }
}

/* Enclosed to less than a tolerance. */
static void check_jump(const brink__seam *s, double at, double jump)
{
  assert_int_equal(s->kind, BRINK__SEAM_JUMP);
  check_in(s->lo, at - 1e-7, at);
  check_in(s->hi, at, at + 1e-7);
  check_in((s->hi - s->lo) * fabs(jump), 0, 1e-8);
}

static void of_two_close_together_the_first_is_found(void **state)
{
  law l = {.at = {0.401, 0.437}, .jump = {0.8, 1.3}};
  double top = 1.3 / (1e-8 * 1.8) / sqrt(2);
  rig r;

  (void)state;
  begin(&r, &l, 1);
  brink__seam seen = {.kind = BRINK__SEAM_JUMP, .top = top};
  brink__seam s = brink__seam_close(&r.path, 0.5, &seen, 1, HUGE_VAL);
  check_jump(&s, 0.401, 0.8);
}

static void a_hint_saves_the_bisection(void **state)
{
  law l = {.at = {0.401, 9}, .jump = {0.8, 0}};
  double top = 0.8 / (1e-8 * 1.8) / sqrt(2);
  rig r;

  (void)state;
  for (int hinted = 0; hinted < 2; hinted++) {
    begin(&r, &l, 0);
    l.calls = 0;
    brink__seam seen = {.kind = BRINK__SEAM_JUMP, .top = top};
    brink__seam s =
        brink__seam_close(&r.path, 0.5, &seen, 1, hinted ? 0.401 : HUGE_VAL);
    check_jump(&s, 0.401, 0.8);
    check_in((double)l.calls, hinted ? 2 : 20, hinted ? 4 : 40);
  }
}

static void a_hint_that_is_wrong_costs_three(void **state)
{
  static const double hints[] = {HUGE_VAL, 0.157, 0.463};
  law l = {.at = {0.401, 9}, .jump = {0.8, 0}};
  double top = 0.8 / (1e-8 * 1.8) / sqrt(2);
  long calls = 0;
  rig r;

  (void)state;
  for (int k = 0; k < 3; k++) {
    begin(&r, &l, 0);
    l.calls = 0;
    brink__seam seen = {.kind = BRINK__SEAM_JUMP, .top = top};
    brink__seam s = brink__seam_close(&r.path, 0.5, &seen, 1, hints[k]);
    check_jump(&s, 0.401, 0.8);
    check_in((double)l.calls, 20, k == 0 ? 40 : (double)calls + 3);
    calls = k == 0 ? l.calls : calls;
  }
}

/* The path obeys the law to rounding: it is followed for more than three of its
 * lengths.
 */
static void a_path_that_is_exact_is_good_for_long(void **state)
{
  law l = {.at = {7.3, 99}, .jump = {0.8, 0}};
  rig r;

  (void)state;
  begin(&r, &l, 0);
  brink__seam s = brink__seam_find(&r.path, 9, 1, 0x1p-7);
  assert_int_equal(s.kind, BRINK__SEAM_JUMP);
  check_in(s.lo, 7.3 - 0.1, 7.3);
  check_in(s.hi, 7.3, 7.3 + 0.1);

  /* ... and one that is off by a sixth of a tolerance is not */
  begin(&r, &l, 0);
  r.coeff[0][1] += 1e-8;
  s = brink__seam_find(&r.path, 9, 1, 0x1p-7);
  assert_int_equal(s.kind, BRINK__SEAM_NONE);
  check_near(s.lo, 3, 1e-12);
}

static void what_is_expected_may_be_a_little_off(void **state)
{
  law l = {.at = {0.401, 9}, .jump = {0.8, 0}};
  double top = 0.8 / (1e-8 * 1.8) / sqrt(2);
  rig r;

  (void)state;
  for (int k = -2; k <= 2; k++) {
    begin(&r, &l, 0);
    l.calls = 0;
    double place = 0.401 + k * 1e-6;
    brink__seam seen = {.kind = BRINK__SEAM_JUMP, .lo = place, .hi = place, .top = top};
    brink__seam s = brink__seam_expect(&r.path, &seen, 0.5, 1);
    check_jump(&s, 0.401, 0.8);
    check_in((double)l.calls, 2, k == 0 ? 3 : 20);
  }
}

/* One evaluation for each bit of what it may be off, and a few. */
static void the_less_it_is_off_the_less_it_costs(void **state)
{
  law l = {.at = {0.401, 9}, .jump = {0.8, 0}};
  double top = 0.8 / (1e-8 * 1.8) / sqrt(2);
  rig r;

  (void)state;
  for (double off = 0.05; off > 1e-8; off /= 10)
    for (int side = -1; side <= 1; side += 2) {
      begin(&r, &l, 0);
      l.calls = 0;
      double place = 0.401 + side * 0.9 * off;
      brink__seam seen = {
          .kind = BRINK__SEAM_JUMP, .lo = place, .hi = place + off, .top = top};
      brink__seam s = brink__seam_expect(&r.path, &seen, 0.5, 1);
      check_jump(&s, 0.401, 0.8);
      check_in((double)l.calls, 2, fmax(3, 5 + log2(off / 5e-10)));
    }
}

/* Seen from its end, the way to it is nothing. */
static void a_kink_just_ahead_is_found(void **state)
{
  rig r;

  (void)state;
  for (double at = 0.1; at > 5e-5; at /= 7) {
    law l = {.at = {at, 9}, .slope = {2.7, 0}};
    begin(&r, &l, 0);
    brink__seam s = brink__seam_find(&r.path, 0.9, 1, 0x1p-7);
    assert_int_equal(s.kind, BRINK__SEAM_KINK);
    check_in(at, s.lo, s.hi);
    check_in(s.hi - s.lo, 0, 0.01 + 0.1 * at);
  }
}

static void a_kink_is_found_by_its_slope_whatever_that_was(void **state)
{
  law l = {.at = {0.401, 9}, .slope = {2.7, 0}};
  rig r;

  (void)state;
  for (int k = -1; k <= 1; k++) {
    double slope = 2.7 / (1e-8 * 1.8) / sqrt(2) * pow(6, k);
    begin(&r, &l, 0);
    brink__seam seen = {
        .kind = BRINK__SEAM_KINK, .lo = 0.401, .hi = 0.401, .slope = slope};
    brink__seam s = brink__seam_expect(&r.path, &seen, 0.5, 1);
    assert_int_equal(s.kind, BRINK__SEAM_KINK);
    check_near(s.lo, 0.401, 1e-6);
    check_rel(s.slope, 2.7 / (1e-8 * 1.8) / sqrt(2), 0.3);
  }
}

/* The law turns away slowly from the path, where a kink was expected. */
static void what_is_hardly_a_kink_is_not_the_one_expected(void **state)
{
  law l = {.at = {0.35, 9}, .slope = {1e-5, 0}};
  double unit = 1 / (1e-8 * 1.8) / sqrt(2);
  rig r;

  (void)state;
  for (int k = 0; k < 2; k++) {
    double slope = (k ? 1e-4 : 2.7) * unit;
    begin(&r, &l, 0);
    brink__seam seen = {.kind = BRINK__SEAM_KINK, .lo = 0.4, .hi = 0.4, .slope = slope};
    brink__seam s = brink__seam_expect(&r.path, &seen, 0.5, 1);
    assert_int_equal(s.kind, k ? BRINK__SEAM_KINK : BRINK__SEAM_NONE);
  }
}

/* Aimed at was the steep one. */
static void of_two_kinks_the_first_is_found(void **state)
{
  law l = {.at = {0.313, 0.437}, .slope = {0.21, 2.7}};
  double unit = 1 / (1e-8 * 1.8) / sqrt(2);
  rig r;

  (void)state;
  for (int expected = 0; expected < 2; expected++) {
    begin(&r, &l, 1);
    brink__seam seen = {.kind = BRINK__SEAM_KINK,
                        .lo = 0.437,
                        .hi = 0.437,
                        .top = 2.7 * 0.063 * unit,
                        .slope = 2.7 * unit};
    brink__seam s = expected ? brink__seam_expect(&r.path, &seen, 0.5, 1)
                             : brink__seam_close(&r.path, 0.5, &seen, 1, HUGE_VAL);
    assert_int_equal(s.kind, BRINK__SEAM_KINK);
    check_near(s.lo, 0.313, 1e-4);
    check_rel(s.slope, 0.21 * unit, 0.2);
  }
}

static void a_jump_on_top_of_a_kink_is_a_jump(void **state)
{
  static const double jumps[] = {0.05, 0.02, 0.008};
  double unit = 1 / (1e-8 * 1.8) / sqrt(2);
  rig r;

  (void)state;
  for (int k = 0; k < 3; k++) {
    law l = {.at = {0.401, 9}, .jump = {jumps[k], 0}, .slope = {2.7, 0}};
    begin(&r, &l, 0);
    brink__seam seen = {
        .kind = BRINK__SEAM_KINK, .slope = 2.7 * unit, .top = 0.3 * unit};
    brink__seam s = brink__seam_close(&r.path, 0.5, &seen, 1, HUGE_VAL);
    check_jump(&s, 0.401, jumps[k]);
  }
}

/* From afar F is mostly the slope, whose line meets zero long before the jump. */
static void a_jump_on_top_of_a_kink_is_found_from_afar(void **state)
{
  law l = {.at = {0.401, 9}, .jump = {0.3, 0}, .slope = {2.7, 0}};
  rig r;

  (void)state;
  begin(&r, &l, 0);
  brink__seam s = brink__seam_find(&r.path, 0.9, 1, 0x1p-7);
  assert_int_equal(s.kind, BRINK__SEAM_JUMP);
  check_in(0.401, s.lo, s.hi);
  check_in(s.hi - s.lo, 0, 0.9 * 0x1p-7);
}

/* The line that is followed to the kink leads to before the path. */
static void a_jump_much_higher_than_its_slope_is_enclosed(void **state)
{
  law l = {.at = {0.401, 9}, .jump = {2.1, 0}, .slope = {2.7, 0}};
  double unit = 1 / (1e-8 * 1.8) / sqrt(2);
  rig r;

  (void)state;
  begin(&r, &l, 0);
  brink__seam seen = {.kind = BRINK__SEAM_KINK, .slope = 20 * unit, .top = 3 * unit};
  brink__seam s = brink__seam_close(&r.path, 0.5, &seen, 1, HUGE_VAL);
  check_jump(&s, 0.401, 2.1);
}

/* What is followed is the kink of one state; that of the other jumps more. */
static void a_jump_is_enclosed_by_all_of_its_height(void **state)
{
  static const double jumps[][N] = {{0.02, 1.7}, {1e-6, 0.05}};
  double unit = 1 / (1e-8 * 1.8) / sqrt(2);
  rig r;

  (void)state;
  for (int k = 0; k < 2; k++) {
    law l = {
        .at = {0.401, 0.401}, .jump = {jumps[k][0], jumps[k][1]}, .slope = {2.7, 0}};
    begin(&r, &l, 0);
    brink__seam seen = {
        .kind = BRINK__SEAM_KINK, .slope = 2.7 * unit, .top = 0.3 * unit};
    brink__seam s = brink__seam_close(&r.path, 0.5, &seen, 1, HUGE_VAL);
    check_jump(&s, 0.401, jumps[k][1]);
  }
}

static void a_jump_beside_a_kink_is_a_jump(void **state)
{
  law l = {.at = {0.401, 0.401}, .jump = {0, 0.05}, .slope = {2.7, 0}};
  double unit = 1 / (1e-8 * 1.8) / sqrt(2);
  rig r;

  (void)state;
  begin(&r, &l, 0);
  brink__seam seen = {.kind = BRINK__SEAM_KINK, .slope = 2.7 * unit, .top = 0.3 * unit};
  brink__seam s = brink__seam_close(&r.path, 0.5, &seen, 1, HUGE_VAL);
  check_jump(&s, 0.401, 0.05);
}

/* From afar the next jump may have undone most of it. */
static void a_jump_that_was_taken_for_small_is_enclosed_closely(void **state)
{
  law l = {.at = {0.401, 9}, .jump = {0.8, 0}};
  rig r;

  (void)state;
  begin(&r, &l, 0);
  brink__seam seen = {.kind = BRINK__SEAM_JUMP, .top = 8e-4 / (1e-8 * 1.8) / sqrt(2)};
  brink__seam s = brink__seam_close(&r.path, 0.5, &seen, 1, HUGE_VAL);
  check_jump(&s, 0.401, 0.8);
}

/* The defect reaches the height that is expected only behind the place. */
static void a_jump_that_is_smaller_than_the_last_is_found_where_it_is(void **state)
{
  law l = {.at = {0.401, 9}, .jump = {0.1, 0}, .slope = {2.7, 0}};
  double place = 0.401, top = 0.8 / (1e-8 * 1.8) / sqrt(2);
  rig r;

  (void)state;
  begin(&r, &l, 0);
  brink__seam seen = {.kind = BRINK__SEAM_JUMP, .lo = place, .hi = place, .top = top};
  brink__seam s = brink__seam_expect(&r.path, &seen, 0.5, 1);
  check_jump(&s, 0.401, 0.1);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(of_two_close_together_the_first_is_found),
      cmocka_unit_test(a_hint_saves_the_bisection),
      cmocka_unit_test(a_hint_that_is_wrong_costs_three),
      cmocka_unit_test(a_path_that_is_exact_is_good_for_long),
      cmocka_unit_test(what_is_expected_may_be_a_little_off),
      cmocka_unit_test(the_less_it_is_off_the_less_it_costs),
      cmocka_unit_test(a_kink_just_ahead_is_found),
      cmocka_unit_test(a_kink_is_found_by_its_slope_whatever_that_was),
      cmocka_unit_test(what_is_hardly_a_kink_is_not_the_one_expected),
      cmocka_unit_test(of_two_kinks_the_first_is_found),
      cmocka_unit_test(a_jump_on_top_of_a_kink_is_a_jump),
      cmocka_unit_test(a_jump_on_top_of_a_kink_is_found_from_afar),
      cmocka_unit_test(a_jump_much_higher_than_its_slope_is_enclosed),
      cmocka_unit_test(a_jump_is_enclosed_by_all_of_its_height),
      cmocka_unit_test(a_jump_beside_a_kink_is_a_jump),
      cmocka_unit_test(a_jump_that_was_taken_for_small_is_enclosed_closely),
      cmocka_unit_test(a_jump_that_is_smaller_than_the_last_is_found_where_it_is),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
