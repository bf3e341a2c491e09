/* Hybrid automata: invariants, edges, choices, and being stuck. */
#include "hybrid.h"

#include <math.h>

enum { HEAT, COOL };

static int room(double t, const double *y, double *f, const brink_env *e)
{
  (void)t;
  f[0] = (e->mode == HEAT ? *(const double *)e->user : 0) - 0.83 * (y[0] - 7.5);
  return 0;
}

static double too_cold(double t, const double *y, int k, const brink_env *e)
{
  (void)t, (void)k, (void)e;
  return 19 - y[0];
}

static const brink_guard_def warm = {.name = "T <= 21", .state = 0, .level = 21};
static const brink_guard_def cold = {.name = "T >= 19", .fn = too_cold, .degree = 1};

static brink_vertex_def vertices[] = {
    {.name = "heat", .n = 1, .rhs = room, .invariants = &warm, .n_invariants = 1},
    {.name = "cool", .n = 1, .rhs = room, .invariants = &cold, .n_invariants = 1}};

static rig start(const brink_edge_def *edges, int n, double *power, double T0)
{
  brink_automaton_def def = {.name = "thermostat",
                             .vertices = vertices,
                             .n_vertices = 2,
                             .edges = edges,
                             .n_edges = n,
                             .user = power};
  rig r = {0};
  brink_sim_opts opt = brink_sim_defaults();

  opt.rtol = 1e-10;
  check_status(brink_ctx_new(NULL, &r.ctx), BRINK_OK);
  check_status(brink_automaton_new(r.ctx, &def, &r.model), BRINK_OK);
  check_status(brink_sim_new(r.ctx, r.model, &opt, &r.sim), BRINK_OK);
  check_status(brink_sim_start(r.sim, 0.37, HEAT, &T0), BRINK_OK);
  return r;
}

/* time to go from a to b where T' = p - 0.83 (T - 7.5) */
static double time_between(double p, double a, double b)
{
  double limit = 7.5 + p / 0.83;
  return log((limit - a) / (limit - b)) / 0.83;
}

static void a_thermostat_switches_where_its_invariants_end(void **state)
{
  const brink_edge_def edges[] = {
      {.name = "off", .from = HEAT, .to = COOL},
      {.name = "on", .from = COOL, .to = HEAT, .guard = &cold}};
  double power = 26;

  (void)state;
  rig r = start(edges, 2, &power, 17.2);
  check_status(brink_sim_run(r.sim, 3), BRINK_END);
  double t = 0.37 + time_between(26, 17.2, 21);
  for (size_t k = 0; k < rig_events(&r); k++) {
    check_near(rig_event(&r, k).t, t, 1e-8);
    assert_int_equal(rig_event(&r, k).mode_after, k % 2 ? HEAT : COOL);
    assert_string_equal(rig_event(&r, k).name, k % 2 ? "on" : "off"); /* the edge's */
    t += k % 2 ? time_between(26, 19, 21) : time_between(0, 21, 19);
  }
  assert_true(rig_events(&r) > 10);
  check_near(brink_sim_w(r.sim)[0], 0, 0); /* never a choice */
  rig_free(&r);
}

static void no_enabled_edge_is_an_error_that_names_the_vertex(void **state)
{
  const brink_edge_def edges[] = {
      {.name = "off", .from = HEAT, .to = COOL, .guard = &cold}};
  double power = 26;

  (void)state;
  rig r = start(edges, 1, &power, 17.2);
  check_status(brink_sim_run(r.sim, 3), BRINK_EDOMAIN);
  check_text(brink_sim_error(r.sim)->text, "vertex 'heat' at t = ");
  check_text(brink_sim_error(r.sim)->text, "'T <= 21' ends and no edge is enabled");
  check_near(brink_sim_time(r.sim), 0.37 + time_between(26, 17.2, 21), 1e-8);
  rig_free(&r);
}

static int halve(brink_jump *j)
{
  j->y[0] = 8 + 0.5 * (j->y_before[0] - 8);
  return 0;
}

static void two_enabled_edges_are_a_choice_that_is_counted(void **state)
{
  const brink_edge_def edges[] = {
      {.name = "vent", .from = HEAT, .to = HEAT, .reset = halve},
      {.name = "off", .from = HEAT, .to = COOL}};
  double power = 26;

  (void)state;
  rig r = start(edges, 2, &power, 17.2);
  check_status(brink_sim_run(r.sim, 2), BRINK_END);
  assert_true(rig_events(&r) >= 2);
  for (size_t k = 0; k < rig_events(&r); k++)
    check_near(rig_event(&r, k).y_after[0], 14.5, 1e-9);
  check_near(brink_sim_w(r.sim)[0], (double)rig_events(&r), 0);
  rig_free(&r);
}

static void an_urgent_edge_is_taken_as_soon_as_it_may(void **state)
{
  static const brink_guard_def early = {.name = "T >= 18", .state = 0, .level = 18};
  const brink_edge_def edges[] = {
      {.name = "early", .from = HEAT, .to = COOL, .guard = &early, .urgent = 1},
      {.name = "on", .from = COOL, .to = HEAT}};
  double power = 26;

  (void)state;
  vertices[COOL].n_invariants = 0;
  rig r = start(edges, 2, &power, 17.2);
  check_status(brink_sim_run(r.sim, 2), BRINK_END);
  vertices[COOL].n_invariants = 1;
  assert_int_equal(rig_events(&r), 1);
  check_near(rig_event(&r, 0).t, 0.37 + time_between(26, 17.2, 18), 1e-8);
  rig_free(&r);
}

static int see(brink_jump *j)
{
  assert_ptr_equal(j->user, j->env->user);
  check_near(*(const double *)j->user, 26, 0);
  check_near(j->y_before[0], 21, 1e-12);
  j->y[0] = 7.5; /* too cold for the vertex it leads to */
  return 0;
}

static void a_vertex_whose_invariant_does_not_hold_is_left_at_once(void **state)
{
  const brink_edge_def edges[] = {
      {.name = "off", .from = HEAT, .to = COOL, .reset = see},
      {.name = "on", .from = COOL, .to = HEAT}};
  double power = 26, t = 0.37 + time_between(26, 17.2, 21);

  (void)state;
  rig r = start(edges, 2, &power, 17.2);
  check_status(brink_sim_run(r.sim, 1), BRINK_END);
  for (size_t k = 0; k < 2; k++) {
    check_near(rig_event(&r, k).t, t, 1e-8);
    assert_int_equal(rig_event(&r, k).instant, (int)k);
    assert_string_equal(rig_event(&r, k).name, k ? "on" : "off");
  }
  rig_free(&r);

  /* so it is at the start: 7.5 is no place to cool, nor is there another */
  r = start(edges, 1, &power, 17.2);
  check_status(brink_sim_start(r.sim, 0.37, COOL, &(double){7.5}), BRINK_OK);
  check_status(brink_sim_run(r.sim, 1), BRINK_EDOMAIN);
  check_text(brink_sim_error(r.sim)->text, "vertex 'cool' at t = 0.37");
  check_text(brink_sim_error(r.sim)->text, "'T >= 19' does not hold");
  rig_free(&r);
}

/* An edge back to the vertex that changes nothing does not suspend its invariant. */
static void an_edge_that_leads_nowhere_is_an_error(void **state)
{
  const brink_edge_def edge = {.name = "ignore", .from = HEAT, .to = HEAT};
  double power = 26;

  (void)state;
  rig r = start(&edge, 1, &power, 17.2);
  check_status(brink_sim_run(r.sim, 3), BRINK_EITERATION);
  check_text(brink_sim_error(r.sim)->text, "'T <= 21'");
  check_near(brink_sim_time(r.sim), 0.37 + time_between(26, 17.2, 21), 1e-8);
  check_near(brink_sim_state(r.sim)[0], 21, 1e-9);
  rig_free(&r);
}

static int open_window(brink_jump *j)
{
  check_near(*(const double *)j->env->user, 26, 0);
  j->y[0] -= 1.3;
  j->w[0] += 1;
  return 0;
}

static double at_noon(double t, const double *y, const brink_env *e)
{
  (void)y;
  check_near(*(const double *)e->user, 26, 0);
  return t < 0.41 ? 0.41 : HUGE_VAL;
}

static void inputs_come_at_known_times(void **state)
{
  const brink_timer_def timers[] = {
      {.name = "window", .at = 0.4, .jump = open_window},
      {.name = "noon", .next = at_noon, .jump = open_window}};
  const brink_edge_def edge = {.name = "off", .from = HEAT, .to = COOL};
  double power = 26, w = 0;
  brink_automaton_def def = {.vertices = vertices,
                             .n_vertices = 2,
                             .edges = &edge,
                             .n_edges = 1,
                             .timers = timers,
                             .n_timers = 2,
                             .w = &w,
                             .n_w = 1,
                             .user = &power};
  rig r = {0};

  (void)state;
  check_status(brink_ctx_new(NULL, &r.ctx), BRINK_OK);
  check_status(brink_automaton_new(r.ctx, &def, &r.model), BRINK_OK);
  check_status(brink_sim_new(r.ctx, r.model, NULL, &r.sim), BRINK_OK);
  check_status(brink_sim_start(r.sim, 0.37, HEAT, &(double){17.2}), BRINK_OK);
  check_status(brink_sim_run(r.sim, 0.9), BRINK_END);
  assert_int_equal(rig_events(&r), 3);
  double limit = 7.5 + 26 / 0.83, T = limit - (limit - 17.2) * exp(-0.83 * 0.03) - 1.3;
  T = limit - (limit - T) * exp(-0.83 * 0.01) - 1.3;
  check_near(rig_event(&r, 1).y_after[0], T, 1e-6);
  check_near(rig_event(&r, 2).t, 0.41 + time_between(26, T, 21), 1e-6);
  check_near(brink_sim_w(r.sim)[0], 2, 0);
  rig_free(&r);
}

/* The end of the invariant and the urgent edge share a surface: one bounce, not two. */
static int fall(double t, const double *y, double *f, const brink_env *e)
{
  (void)t, (void)e;
  f[0] = y[1];
  f[1] = -9.81;
  return 0;
}

static double below(double t, const double *y, int k, const brink_env *e)
{
  (void)t, (void)k, (void)e;
  return -y[0];
}

static int bounce(brink_jump *j)
{
  j->y[1] *= -0.83;
  return 0;
}

static void events_of_one_instant_take_one_edge(void **state)
{
  const brink_guard_def floors[] = {{.name = "x >= 0", .fn = below, .degree = 1},
                                    {.name = "x > 0", .fn = below, .degree = 1}};
  const brink_vertex_def fly = {
      .name = "fly", .n = 2, .rhs = fall, .invariants = floors, .n_invariants = 2};
  const brink_edge_def edge = {
      .name = "bounce", .guard = &floors[0], .reset = bounce, .urgent = 1};
  const brink_automaton_def def = {
      .vertices = &fly, .n_vertices = 1, .edges = &edge, .n_edges = 1};
  const double y0[] = {1.37, 0};
  rig r = {0};

  (void)state;
  check_status(brink_ctx_new(NULL, &r.ctx), BRINK_OK);
  check_status(brink_automaton_new(r.ctx, &def, &r.model), BRINK_OK);
  check_status(brink_sim_new(r.ctx, r.model, NULL, &r.sim), BRINK_OK);
  check_status(brink_sim_start(r.sim, 0, 0, y0), BRINK_OK);
  check_status(brink_sim_run(r.sim, 1), BRINK_END);
  assert_int_equal(rig_events(&r), 1);
  assert_string_equal(rig_event(&r, 0).name, "bounce");
  check_rel(rig_event(&r, 0).y_after[1], 0.83 * sqrt(2 * 9.81 * 1.37), 1e-6);
  rig_free(&r);
}

static int rise(double t, const double *y, double *f, const brink_env *e)
{
  (void)t, (void)y;
  f[0] = e->mode == 0 ? 1 : 0;
  return 0;
}

static int to_the_third(brink_jump *j)
{
  j->mode = 2;
  j->y[0] = 0.31;
  return 0;
}

/* The invariant ends at the very time of the timer. */
static void an_input_goes_before_the_edges_of_its_instant(void **state)
{
  static const brink_guard_def full = {.name = "y <= 1", .state = 0, .level = 1};
  const brink_vertex_def three[] = {
      {.name = "up", .n = 1, .rhs = rise, .invariants = &full, .n_invariants = 1},
      {.name = "second", .n = 1, .rhs = rise},
      {.name = "third", .n = 1, .rhs = rise}};
  const brink_edge_def edge = {.name = "on", .from = 0, .to = 1};
  const brink_timer_def timer = {.name = "now", .at = 1, .jump = to_the_third};
  brink_automaton_def def = {.vertices = three,
                             .n_vertices = 3,
                             .edges = &edge,
                             .n_edges = 1,
                             .timers = &timer,
                             .n_timers = 1};
  rig r = {0};

  (void)state;
  check_status(brink_ctx_new(NULL, &r.ctx), BRINK_OK);
  check_status(brink_automaton_new(r.ctx, &def, &r.model), BRINK_OK);
  check_status(brink_sim_new(r.ctx, r.model, NULL, &r.sim), BRINK_OK);
  check_status(brink_sim_start(r.sim, 0, 0, &(double){0}), BRINK_OK);
  check_status(brink_sim_run(r.sim, 2), BRINK_END);
  assert_int_equal(rig_events(&r), 1);
  assert_string_equal(rig_event(&r, 0).name, "now");
  assert_int_equal(brink_sim_mode(r.sim), 2);
  check_near(brink_sim_state(r.sim)[0], 0.31, 0);
  rig_free(&r);
}

static void wrong_automata_are_refused(void **state)
{
  const brink_edge_def far = {.name = "far", .from = 0, .to = 7};
  brink_automaton_def def = {
      .vertices = vertices, .n_vertices = 2, .edges = &far, .n_edges = 1};
  brink_ctx *ctx;
  brink_model *m = (brink_model *)1;

  (void)state;
  check_status(brink_ctx_new(NULL, &ctx), BRINK_OK);
  check_status(brink_automaton_new(ctx, &def, &m), BRINK_EARG);
  assert_null(m);
  check_text(brink_ctx_error(ctx)->text, "edge 'far' goes from 0 to 7");
  brink_ctx_free(ctx);
}

static void every_allocation_may_fail(void **state)
{
  const brink_edge_def edge = {.name = "off", .from = HEAT, .to = COOL, .guard = &cold};
  brink_automaton_def def = {
      .vertices = vertices, .n_vertices = 2, .edges = &edge, .n_edges = 1};

  (void)state;
  for (long at = 1;; at++) {
    flaky f = {.fail_at = at};
    brink_alloc hook = flaky_alloc(&f);
    brink_ctx *ctx = NULL;
    brink_model *m = NULL;
    if (brink_ctx_new(&hook, &ctx) == BRINK_OK) {
      brink_status rc = brink_automaton_new(ctx, &def, &m);
      assert_true(rc == BRINK_OK || rc == BRINK_ENOMEM);
      assert_true((rc == BRINK_OK) == (m != NULL));
      brink_model_free(m);
      brink_ctx_free(ctx);
      if (rc == BRINK_OK && f.calls < at)
        return;
    }
    assert_int_equal(f.live, 0);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_thermostat_switches_where_its_invariants_end),
      cmocka_unit_test(no_enabled_edge_is_an_error_that_names_the_vertex),
      cmocka_unit_test(two_enabled_edges_are_a_choice_that_is_counted),
      cmocka_unit_test(an_urgent_edge_is_taken_as_soon_as_it_may),
      cmocka_unit_test(a_vertex_whose_invariant_does_not_hold_is_left_at_once),
      cmocka_unit_test(an_edge_that_leads_nowhere_is_an_error),
      cmocka_unit_test(inputs_come_at_known_times),
      cmocka_unit_test(an_input_goes_before_the_edges_of_its_instant),
      cmocka_unit_test(events_of_one_instant_take_one_edge),
      cmocka_unit_test(wrong_automata_are_refused),
      cmocka_unit_test(every_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
