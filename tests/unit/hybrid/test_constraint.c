/* test_constraint.c -- IVP(f, H, K): the boundary map, staying on the boundary.
 *
 * Skorokhod's problem in one dimension: x' = cos t - 0.4 reflected at 0 from x = 0.5.
 * With psi = 0.5 + sin t - 0.4 t the solution is psi + L, L = max(0, -min psi): hits
 * where psi = -L, leaves where cos t = 0.4 upward; computed at 24 digits.
 */
#include "hybrid.h"

#include <math.h>
#include <string.h>

static brink_sim_opts tight(void)
{
  brink_sim_opts o = brink_sim_defaults();

  o.rtol = 1e-11;
  o.atol = 1e-14;
  return o;
}

/* ---------------------------------------------------------------- ball ---- */

static int fall(double t, const double *y, double *f, const brink_env *e)
{
  (void)t, (void)e;
  f[0] = y[1];
  f[1] = -9.8;
  return 0;
}

static int bounce(brink_boundary *b)
{
  assert_int_equal(b->at[0], -1);
  assert_int_equal(b->at[1], 0);
  check_near(b->x[0], 0, 0); /* on the boundary, to the last bit */
  check_near(b->lower[0], 0, 0);
  b->x[1] = -0.9 * b->x_before[1];
  return 0;
}

static const double floor_only[] = {0, -HUGE_VAL};
static const double drop[] = {0.2, 0};

static void the_ball_bounces_on_time(void **state)
{
  const brink_constrained_def def = {
      .name = "ball", .n = 2, .rhs = fall, .lower = floor_only, .boundary = bounce};
  brink_sim_opts opt = brink_sim_defaults();
  double t1 = sqrt(2 * 0.2 / 9.8);

  (void)state;
  opt.max_events = 100;
  opt.zeno = BRINK_ZENO_STEP;
  opt.zeno_gap = 1e-300; /* down to rounding */
  rig r = rig_constrained(&def, &opt, 0, drop);
  check_status(brink_sim_run(r.sim, 10), BRINK_LIMIT);
  assert_int_equal(rig_events(&r), 100);
  for (size_t k = 0; k < 100; k++) {
    double n = (double)k;
    check_near(rig_event(&r, k).t, t1 * (1 + 18 * (1 - pow(0.9, n))), 1e-13);
  }
  assert_string_equal(rig_event(&r, 3).name, "x1 at its lower bound");
  assert_string_equal(brink_model_state_name(r.model, 0, 0), "x1");
  assert_int_equal(rig_event(&r, 3).certificate, BRINK_PROVED);
  rig_free(&r);
}

/* ------------------------------------------------------- two at one time ---- */

static int diagonal(double t, const double *y, double *f, const brink_env *e)
{
  (void)t, (void)y;
  f[0] = e->p[0];
  f[1] = 2 * e->p[0];
  return 0;
}

static int corner(brink_boundary *b)
{
  int *calls = b->user;

  ++*calls;
  assert_int_equal(b->at[0], 1);
  assert_int_equal(b->at[1], 1);
  check_near(b->x[0], 1, 0);
  check_near(b->x[1], 2, 0);
  b->p[0] = -0.7;
  return 0;
}

static void a_corner_is_one_call_of_H(void **state)
{
  static const double upper[] = {1, 2}, p[] = {0.7};
  int calls = 0;
  const brink_constrained_def def = {.n = 2,
                                     .rhs = diagonal,
                                     .upper = upper,
                                     .boundary = corner,
                                     .p = p,
                                     .n_p = 1,
                                     .user = &calls};

  (void)state;
  rig r = rig_constrained(&def, NULL, 0, (double[]){0, 0});
  check_status(brink_sim_run(r.sim, 2), BRINK_END);
  assert_int_equal(calls, 1);
  assert_int_equal(rig_events(&r), 2); /* both bounds are in the record */
  for (size_t k = 0; k < 2; k++) {
    check_near(rig_event(&r, k).t, 1 / 0.7, 1e-14);
    assert_int_equal(rig_event(&r, k).instant, 0);
  }
  rig_free(&r);
}

/* --------------------------------------------------------- time may pass ---- */

static int rest(brink_boundary *b)
{
  b->x[1] = -0.9 * b->x_before[1];
  b->t_after = b->t + 0.25;
  return 0;
}

static int tick(brink_jump *j)
{
  j->w[j->index] += 1;
  return 0;
}

static void H_may_let_time_pass_and_timers_fire_when_it_ends(void **state)
{
  static const double w[] = {0, 0};
  static const brink_timer_def timers[] = {
      {.name = "fast", .at = 0.1, .every = 0.1, .jump = tick},
      {.name = "slow", .at = 0.37, .jump = tick}};
  const brink_constrained_def def = {.n = 2,
                                     .rhs = fall,
                                     .lower = floor_only,
                                     .boundary = rest,
                                     .timers = timers,
                                     .n_timers = 2,
                                     .w = w,
                                     .n_w = 2};
  double t1 = sqrt(2 * 0.2 / 9.8), v = 9.8 * t1;

  (void)state;
  rig r = rig_constrained(&def, NULL, 0, drop);
  check_status(brink_sim_run(r.sim, 0.8), BRINK_END);
  /* 0.1, 0.2; bounce at 0.202, on at 0.452: 0.3, 0.4 and 0.37 were skipped, each timer
   * fires once; then 0.5, 0.6, 0.7, 0.8 and a bounce at 0.816 */
  assert_int_equal(rig_events(&r), 9);
  brink_event hit = rig_event(&r, 2);
  check_near(hit.t, t1, 1e-14);
  check_near(hit.t_after, t1 + 0.25, 1e-14);
  for (size_t k = 3; k < 5; k++) {
    check_near(rig_event(&r, k).t, t1 + 0.25, 1e-14);
    assert_int_equal(rig_event(&r, k).kind, BRINK_KIND_TIME);
  }
  check_near(rig_event(&r, 5).t, 0.5, 1e-15);
  check_near(brink_sim_w(r.sim)[0], 7, 0);
  check_near(brink_sim_w(r.sim)[1], 1, 0);
  /* the flight began at t+ */
  check_near(brink_sim_state(r.sim)[1], 0.9 * v - 9.8 * (0.8 - t1 - 0.25), 1e-12);
  rig_free(&r);
}

/* Whoever asks for the next moment, and the next, comes to times that there are not. */
static void ends_that_were_skipped_are_reached(void **state)
{
  const brink_constrained_def def = {
      .n = 2, .rhs = fall, .lower = floor_only, .boundary = rest};
  double t1 = sqrt(2 * 0.2 / 9.8);

  (void)state;
  rig r = rig_constrained(&def, NULL, 0, drop),
      s = rig_constrained(&def, NULL, 0, drop);
  for (int k = 1; k <= 20; k++) {
    double t = 0.04 * k;
    check_status(brink_sim_run(r.sim, t), BRINK_END);
    check_near(brink_sim_time(r.sim), t > t1 && t < t1 + 0.25 ? t1 + 0.25 : t, 1e-14);
    brink_status rc;
    do
      rc = brink_sim_advance(s.sim, t);
    while (rc == BRINK_OK || rc == BRINK_EVENT);
    check_status(rc, BRINK_END);
  }
  check_status(brink_sim_run(r.sim, 0.3), BRINK_EARG); /* there is no way back */
  rig_free(&r);
  rig_free(&s);
}

static int backward(brink_boundary *b)
{
  b->t_after = b->t - 0.1;
  return 0;
}

static int outside(brink_boundary *b)
{
  b->x[0] = -0.125;
  return 0;
}

static int nothing(brink_boundary *b)
{
  (void)b;
  return 0;
}

/* no speed is left, but gravity is */
static int catch (brink_boundary *b)
{
  b->x[1] = 0;
  return 0;
}

static int never(brink_boundary *b)
{
  b->t_after = HUGE_VAL;
  return 0;
}

static void what_H_must_not_do_is_said(void **state)
{
  static const struct {
    brink_boundary_fn *H;
    brink_status status;
    const char *text;
  } cases[] = {
      {backward, BRINK_EUSER, "time does not run backward"},
      {outside, BRINK_EDOMAIN, "H leaves component 1 at -0.125"},
      {nothing, BRINK_EDOMAIN, "leads out of K"},
      {catch, BRINK_EDOMAIN, "with f = 0, which leads out of K"},
      {never, BRINK_EUSER, "nothing would follow"},
  };

  (void)state;
  for (size_t i = 0; i < 5; i++) {
    const brink_constrained_def def = {
        .n = 2, .rhs = fall, .lower = floor_only, .boundary = cases[i].H};
    rig r = rig_constrained(&def, NULL, 0, drop);
    check_status(brink_sim_run(r.sim, 1), cases[i].status);
    check_text(brink_sim_error(r.sim)->text, cases[i].text);
    check_near(brink_sim_error(r.sim)->t, 0.2020305089104421498, 1e-12);
    rig_free(&r);
  }
}

static void a_start_outside_K_is_refused(void **state)
{
  const brink_constrained_def def = {
      .n = 2, .rhs = fall, .lower = floor_only, .boundary = bounce};

  (void)state;
  rig r = rig_constrained(&def, NULL, 0, (double[]){-0.5, 0});
  check_status(brink_sim_run(r.sim, 1), BRINK_EDOMAIN);
  check_text(brink_sim_error(r.sim)->text, "-0.5 at t = 0 lies outside [0, inf]");
  rig_free(&r);
}

/* ------------------------------------------------------ nothing leaves K ---- */

static int drag(double t, const double *y, double *f, const brink_env *e)
{
  (void)t, (void)e;
  f[0] = y[1];
  f[1] = -9.8 - 0.13 * y[1];
  return 0;
}

static int lose(brink_boundary *b)
{
  b->x[1] *= -b->p[0];
  return 0;
}

static void plate(double t, const double *x, size_t i, double *lower, double *upper,
                  const brink_env *e)
{
  (void)x, (void)e, (void)upper;
  if (i == 0)
    *lower = 0.05 * sin(7 * t);
}

static int lose_to_plate(brink_boundary *b)
{
  double speed = 0.35 * cos(7 * b->t);

  b->x[1] = speed - b->p[0] * (b->x[1] - speed);
  return 0;
}

/* However much is lost, and whatever the locator: the bounces accumulate, and that is
 * where the run ends; or it goes on, above the floor. */
static void a_ball_that_loses_much_does_not_fall_through(void **state)
{
  static const double losses[] = {0.9, 0.5, 0.1, 0.01, 1e-7};

  (void)state;
  for (int k = 0; brink_locator_name(k); k++)
    for (int i = 0; i < 9; i++) { /* 1e-7 of a speed is no bounce from a plate */
      int moves = i >= 5;
      const brink_constrained_def def = {.n = 2,
                                         .rhs = drag,
                                         .lower = moves ? NULL : floor_only,
                                         .bounds = moves ? plate : NULL,
                                         .boundary = moves ? lose_to_plate : lose,
                                         .p = &losses[i % 5],
                                         .n_p = 1};
      brink_sim_opts opt = brink_sim_defaults();
      opt.locator = brink_locator_name(k);
      opt.max_events = 1000;
      rig r = rig_constrained(&def, &opt, 0, drop);
      brink_status rc = brink_sim_run(r.sim, moves ? 1 : 5);
      double t = brink_sim_time(r.sim), floor = moves ? 0.05 * sin(7 * t) : 0;
      int ends = strcmp(opt.locator, "endpoint") == 0; /* sees it a step later */
      assert_true(rc == BRINK_ZENO || rc == BRINK_LIMIT || rc == BRINK_END);
      if (!ends)
        assert_true(brink_sim_state(r.sim)[0] >= floor - 1e-12);
      if (brink_locator_proves(k)) { /* at rest on the floor, or on the plate */
        assert_true(rc != BRINK_LIMIT);
        if (!moves)
          check_near(brink_sim_state(r.sim)[0], 0, 1e-12);
      }
      rig_free(&r);
    }
}

static void rises(double t, const double *x, size_t i, double *lower, double *upper,
                  const brink_env *e)
{
  (void)x, (void)i, (void)e;
  *lower = 0.5 * t;
  *upper = 9;
}

static int creeps(double t, const double *y, double *f, const brink_env *e)
{
  (void)t, (void)y, (void)e;
  f[0] = 0.2;
  return 0;
}

static void a_bound_that_overtakes_what_H_put_on_it_is_an_error(void **state)
{
  const brink_constrained_def def = {
      .n = 1, .rhs = creeps, .bounds = rises, .boundary = nothing};

  (void)state;
  for (int k = 0; brink_locator_name(k); k++) {
    brink_sim_opts opt = brink_sim_defaults();
    opt.locator = brink_locator_name(k);
    opt.h0 = opt.h_max = 0.083;
    rig r = rig_constrained(&def, &opt, 0, &(double){0.3});
    if (strcmp(opt.locator, "endpoint") !=
        0) { /* sees it a step later, again and again */
      check_status(brink_sim_run(r.sim, 5), BRINK_EDOMAIN);
      check_text(brink_sim_error(r.sim)->text,
                 "H leaves component 1 on its bound at t = 1");
      check_text(brink_sim_error(r.sim)->text, "it goes out of K");
    }
    rig_free(&r);
  }
}

/* Two components are let go one after the other; a change of what is held is a change
 * of the law, also where the mode has one name. */
static int waves(double t, const double *y, double *f, const brink_env *e)
{
  (void)y, (void)e;
  f[0] = cos(t);
  f[1] = sin(1.7 * t);
  return 0;
}

static int lie_both(brink_boundary *b)
{
  for (int i = 0; i < 2; i++)
    b->stay[i] = b->at[i] != 0;
  return 0;
}

static void components_are_held_and_let_go_each_by_itself(void **state)
{
  static const double lower[] = {0, 0}, upper[] = {HUGE_VAL, 0.8};
  static const double released[] = {1.847995678582231, 3.695991357164463,
                                    4.712388980384690}; /* pi/1.7, 2 pi/1.7, 3 pi/2 */
  const brink_constrained_def def = {.n = 2,
                                     .rhs = waves,
                                     .lower = lower,
                                     .upper = upper,
                                     .boundary = lie_both,
                                     .stays = 1};
  brink_sim_opts opt = tight();
  int n = 0;

  (void)state;
  rig r = rig_constrained(&def, &opt, 0, (double[]){0.3, 0.2});
  check_status(brink_sim_run(r.sim, 4.75), BRINK_END);
  for (size_t k = 0; k < rig_events(&r); k++) {
    brink_event e = rig_event(&r, k);
    assert_true(e.classes & BRINK_SE_D);
    if (strstr(e.name, "leaves"))
      check_near(e.t, released[n++], 1e-9);
  }
  assert_int_equal(n, 3);
  rig_free(&r);
}

/* ----------------------------------------------------------- Skorokhod ---- */

static int pushed(double t, const double *y, double *f, const brink_env *e)
{
  (void)y;
  f[0] = cos(t) - 0.4;
  f[1] = brink_constrained_held(e)[0] ? -f[0] : 0; /* the regulator */
  return 0;
}

static int lie(brink_boundary *b)
{
  b->stay[0] = 1;
  return 0;
}

static void skorokhod_in_one_dimension(void **state)
{
  static const double events[] = {
      2.58042911993308026936782,  5.123905826452177877078703,
      8.82543789078036792218615,  11.40709113363176435400399,
      15.10862319795995439911144, 17.69027644081135083092928};
  static const double regulator[] = {0,
                                     2.466077469572039152149091,
                                     2.466077469572039152149091,
                                     4.979351592443873742919205,
                                     4.979351592443873742919205,
                                     7.49262571531570833368932};
  static const double values[][3] = {
      {3, 0, 0.5588799919401327778992552},
      {6, 0.2866619713731132793375352, 2.466077469572039152149091},
      {10, 0, 4.044021110889369813404748},
      {12, 0.1427786744434387712538311, 4.979351592443873742919205},
      {18, 0.04163846854403222993916396, 7.49262571531570833368932}};
  const brink_constrained_def def = {
      .n = 2, .rhs = pushed, .lower = floor_only, .boundary = lie, .stays = 1};

  (void)state;
  for (int i = 0; brink_method_name(i) && i < 5; i++) {
    brink_sim_opts opt = tight();
    opt.method = brink_method_name(i);
    opt.h0 = 0.004; /* for rk4 */
    opt.keep = BRINK_KEEP_STEPS;
    double tol = i == 0 ? 1e-10 : 1e-8;
    rig r = rig_constrained(&def, &opt, 0, (double[]){0.5, 0});
    check_status(brink_sim_run(r.sim, 18), BRINK_END);
    assert_int_equal(rig_events(&r), 6);
    for (size_t k = 0; k < 6; k++) {
      brink_event e = rig_event(&r, k);
      check_near(e.t, events[k], tol);
      check_near(e.y_after[0], 0, 1e-15);
      check_near(e.y_after[1], regulator[k], 1e-8);
      assert_int_equal(e.mode_after, k % 2 == 0);
      assert_string_equal(e.name,
                          k % 2 ? "x1 leaves its bound" : "x1 at its lower bound");
    }
    for (size_t k = 0; k < 5; k++) {
      double x[2];
      check_status(brink_trace_at(brink_sim_trace(r.sim), values[k][0], BRINK_RIGHT, x,
                                  NULL, NULL),
                   BRINK_OK);
      check_near(x[0], values[k][1], 1e-8);
      check_near(x[1], values[k][2], 1e-8);
    }
    rig_free(&r);
  }
}

static void every_failed_allocation_is_reported(void **state)
{
  const brink_constrained_def def = {
      .n = 2, .rhs = pushed, .lower = floor_only, .boundary = lie, .stays = 1};
  long at = 1;

  (void)state;
  for (int more = 1; more; at++) {
    flaky f = {.fail_at = at};
    brink_alloc alloc = flaky_alloc(&f);
    brink_ctx *ctx = NULL;
    brink_model *model = NULL;
    brink_status rc = brink_ctx_new(&alloc, &ctx);
    if (rc >= 0) {
      rc = brink_constrained_new(ctx, &def, &model);
      assert_true((rc < 0) == (model == NULL));
      brink_model_free(model);
      brink_ctx_free(ctx);
    }
    assert_int_equal(f.live, 0);
    more = f.calls >= at;
    check_status(rc, more ? BRINK_ENOMEM : BRINK_OK);
  }
  assert_in_range(at, 3, 100);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_ball_bounces_on_time),
      cmocka_unit_test(a_corner_is_one_call_of_H),
      cmocka_unit_test(H_may_let_time_pass_and_timers_fire_when_it_ends),
      cmocka_unit_test(ends_that_were_skipped_are_reached),
      cmocka_unit_test(what_H_must_not_do_is_said),
      cmocka_unit_test(a_start_outside_K_is_refused),
      cmocka_unit_test(a_ball_that_loses_much_does_not_fall_through),
      cmocka_unit_test(a_bound_that_overtakes_what_H_put_on_it_is_an_error),
      cmocka_unit_test(components_are_held_and_let_go_each_by_itself),
      cmocka_unit_test(skorokhod_in_one_dimension),
      cmocka_unit_test(every_failed_allocation_is_reported),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
