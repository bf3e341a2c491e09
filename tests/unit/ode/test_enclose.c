/* test_enclose.c -- a discontinuity is enclosed where it is, and the first one first.
 *
 * The path is the line y = 0.3 + s in both states, which obeys f = 1 up to the place.
 */
#include "check.h"

#include <math.h>

#include "ode/search.h"

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
  brink__continuation path;
  double coeff[N][2], y[N], way[N], weight[N], f_behind[N], at[N], f[N], d[N];
} rig;

/* From t = 0; what was seen from afar was a change of state `seen`. */
static void begin(rig *r, law *l, int seen)
{
  *r = (rig){.flow = {.n = N, .rhs = rhs, .self = l},
             .tol = {.rtol = 1e-8, .atol = 1e-8}};
  r->gate.flow = &r->flow;
  r->path = (brink__continuation){.gate = &r->gate,
                                  .tol = &r->tol,
                                  .y = r->y,
                                  .u = 1,
                                  .degree = 1,
                                  .coeff = r->coeff[0],
                                  .direction = r->way,
                                  .weight = r->weight,
                                  .f_behind = r->f_behind,
                                  .at = r->at,
                                  .f = r->f,
                                  .d = r->d};
  for (int i = 0; i < N; i++) {
    r->coeff[i][0] = r->y[i] = 0.3;
    r->coeff[i][1] = 1;
    r->weight[i] = 1 / brink__scale(&r->tol, (size_t)i, 0.3, 0.8);
    r->way[i] = i == seen;
  }
}

/* Enclosed to less than a tolerance. */
static void check_jump(const brink__discontinuity *s, double at, double jump)
{
  assert_int_equal(s->kind, BRINK__JUMP);
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
  brink__discontinuity seen = {.kind = BRINK__JUMP, .height = top};
  brink__discontinuity s = brink__enclose(&r.path, 0.5, &seen, 1);
  check_jump(&s, 0.401, 0.8);
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
  brink__discontinuity s = brink__locate(&r.path, 9, 1);
  assert_int_equal(s.kind, BRINK__JUMP);
  check_in(s.lo, 7.3 - 0.1, 7.3);
  check_in(s.hi, 7.3, 7.3 + 0.1);

  /* ... and one that is off by a sixth of a tolerance is not */
  begin(&r, &l, 0);
  r.coeff[0][1] += 1e-8;
  s = brink__locate(&r.path, 9, 1);
  assert_int_equal(s.kind, BRINK__SMOOTH);
  check_near(s.lo, 3, 1e-12);
}

/* Seen from its end, the way to it is nothing. */
static void a_kink_just_ahead_is_found(void **state)
{
  rig r;

  (void)state;
  for (double at = 0.1; at > 0.01; at /= 3) {
    law l = {.at = {at, 9}, .slope = {2.7, 0}};
    begin(&r, &l, 0);
    brink__discontinuity s = brink__locate(&r.path, 0.9, 1);
    assert_int_equal(s.kind, BRINK__KINK);
    check_in(at, s.lo, s.hi);
    check_in(s.hi - s.lo, 0, 0.01 + 0.1 * at);
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
    brink__discontinuity seen = {
        .kind = BRINK__KINK, .slope = 2.7 * unit, .height = 0.3 * unit};
    brink__discontinuity s = brink__enclose(&r.path, 0.5, &seen, 1);
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
  brink__discontinuity s = brink__locate(&r.path, 0.9, 1);
  assert_int_equal(s.kind, BRINK__JUMP);
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
  brink__discontinuity seen = {
      .kind = BRINK__KINK, .slope = 20 * unit, .height = 3 * unit};
  brink__discontinuity s = brink__enclose(&r.path, 0.5, &seen, 1);
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
    brink__discontinuity seen = {
        .kind = BRINK__KINK, .slope = 2.7 * unit, .height = 0.3 * unit};
    brink__discontinuity s = brink__enclose(&r.path, 0.5, &seen, 1);
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
  brink__discontinuity seen = {
      .kind = BRINK__KINK, .slope = 2.7 * unit, .height = 0.3 * unit};
  brink__discontinuity s = brink__enclose(&r.path, 0.5, &seen, 1);
  check_jump(&s, 0.401, 0.05);
}

/* From afar the next jump may have undone most of it. */
static void a_jump_that_was_taken_for_small_is_enclosed_closely(void **state)
{
  law l = {.at = {0.401, 9}, .jump = {0.8, 0}};
  rig r;

  (void)state;
  begin(&r, &l, 0);
  brink__discontinuity seen = {.kind = BRINK__JUMP,
                               .height = 8e-4 / (1e-8 * 1.8) / sqrt(2)};
  brink__discontinuity s = brink__enclose(&r.path, 0.5, &seen, 1);
  check_jump(&s, 0.401, 0.8);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(of_two_close_together_the_first_is_found),
      cmocka_unit_test(a_path_that_is_exact_is_good_for_long),
      cmocka_unit_test(a_kink_just_ahead_is_found),
      cmocka_unit_test(a_jump_on_top_of_a_kink_is_a_jump),
      cmocka_unit_test(a_jump_on_top_of_a_kink_is_found_from_afar),
      cmocka_unit_test(a_jump_much_higher_than_its_slope_is_enclosed),
      cmocka_unit_test(a_jump_is_enclosed_by_all_of_its_height),
      cmocka_unit_test(a_jump_beside_a_kink_is_a_jump),
      cmocka_unit_test(a_jump_that_was_taken_for_small_is_enclosed_closely),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
