/* Events of equation models against closed forms. */
#include "flat.h"

#include <math.h>
#include <string.h>

static const double G = 9.81;

/* ---------------------------------------------------------------- ball --- */

/* h' = v, v' = -g, bounce with restitution e */
static void ball(fb *b, double h0, double e)
{
  int h = fb_real(b, "h", h0, 1), v = fb_real(b, "v", 0, 1);
  int g = fb_param(b, "g", fb_num(b, G));

  fb_eq(b, fb_val(b, v), fb_der(b, h), 5);
  fb_eq(b, fb_op(b, BRINK_OP_ADD, fb_der(b, v), fb_val(b, g)), fb_num(b, 0), 6);
  fb_when(b, fb_rel(b, BRINK_OP_LE, fb_val(b, h), fb_num(b, 0), "h <= 0", 7), "h <= 0",
          7);
  fb_reinit(b, v, fb_op(b, BRINK_OP_MUL, fb_num(b, -e), fb_val(b, v)), 8);
}

static void a_ball_bounces_when_it_should(void **state)
{
  (void)state;
  double h0 = 1.37, e = 0.87;
  fb b = fb_new(NULL, 64);
  ball(&b, h0, e);
  rig r = fb_start(&b, NULL, 0);
  check_status(brink_sim_run(r.sim, 4), BRINK_END);

  double t = sqrt(2 * h0 / G), v = G * t;
  size_t n = 0;
  for (; t < 4; n++) {
    brink_event ev = rig_event(&r, n);
    check_rel(ev.t, t, 1e-13);
    assert_string_equal(ev.name, "h <= 0 (line 7)");
    assert_int_equal(ev.classes, BRINK_SE_S);
    assert_int_equal(ev.kind, BRINK_KIND_CROSSING);
    assert_int_equal(ev.certificate, BRINK_PROVED);
    check_rel(ev.y_after[1], e * v, 1e-12);
    v *= e;
    t += 2 * v / G;
  }
  assert_int_equal(rig_events(&r), n);
  assert_true(n > 4);
  rig_free(&r);
}

/* the guard is an algebraic variable that is a polynomial of the states */
static void a_guard_through_an_algebraic_variable_is_proved(void **state)
{
  (void)state;
  fb b = fb_new(NULL, 64);
  int x = fb_real(&b, "x", 1, 1), y = fb_real(&b, "y", 0, 1);
  int q = fb_real(&b, "q", 0, -1), n = fb_int(&b, "n", 0);
  /* q = x^2 - 2 x y, on the circle x = cos t, y = sin t: zero where tan t = 1/2 */
  fb_eq(&b, fb_der(&b, x), fb_fn(&b, BRINK_OP_NEG, fb_val(&b, y)), 3);
  fb_eq(&b, fb_der(&b, y), fb_val(&b, x), 4);
  fb_eq(&b, fb_val(&b, q),
        fb_op(&b, BRINK_OP_SUB, fb_op(&b, BRINK_OP_POW, fb_val(&b, x), fb_num(&b, 2)),
              fb_op(&b, BRINK_OP_MUL, fb_num(&b, 2),
                    fb_op(&b, BRINK_OP_MUL, fb_val(&b, x), fb_val(&b, y)))),
        5);
  fb_when(&b, fb_rel(&b, BRINK_OP_LT, fb_val(&b, q), fb_num(&b, 0), "q < 0", 6),
          "q < 0", 6);
  fb_assign(&b, n, fb_op(&b, BRINK_OP_ADD, fb_pre(&b, n), fb_whole(&b, 1)), 7);
  brink_sim_opts opt = brink_sim_defaults();
  opt.rtol = 1e-11;
  rig r = fb_start(&b, &opt, 0);
  check_status(brink_sim_run(r.sim, 4), BRINK_END);
  assert_int_equal(rig_events(&r), 2);
  check_near(rig_event(&r, 0).t, atan(0.5), 1e-10);
  check_near(rig_event(&r, 1).t, atan(0.5) + acos(-1), 1e-10);
  assert_int_equal(rig_event(&r, 0).certificate, BRINK_PROVED);
  assert_int_equal(rig_event(&r, 0).classes, BRINK_SE_O);
  check_near(fb_value(&r, "n"), 2, 0);
  check_near(fb_value(&r, "q"), cos(4) * cos(4) - 2 * cos(4) * sin(4), 1e-9);
  rig_free(&r);
}

/* ---------------------------------------------------------- thermostat --- */

/* heat = if T < 19 then true elseif T > 21 then false else pre(heat) */
static void a_thermostat_with_memory_switches_at_both_bounds(void **state)
{
  (void)state;
  fb b = fb_new(NULL, 64);
  int T = fb_real(&b, "T", 20, 1), heat = fb_bool(&b, "heat", 1);
  brink__node low = fb_rel(&b, BRINK_OP_LT, fb_val(&b, T), fb_num(&b, 19), "T < 19", 4);
  brink__node high =
      fb_rel(&b, BRINK_OP_GT, fb_val(&b, T), fb_num(&b, 21), "T > 21", 5);
  fb_eq(&b, fb_val(&b, heat),
        fb_if(&b, low, brink__boolean(b.f->graph, 1),
              fb_if(&b, high, brink__boolean(b.f->graph, 0), fb_pre(&b, heat))),
        4);
  /* T' = -(T - 10)/5 + (if heat then 4 else 0) */
  fb_eq(&b, fb_der(&b, T),
        fb_op(&b, BRINK_OP_ADD,
              fb_op(&b, BRINK_OP_DIV,
                    fb_op(&b, BRINK_OP_SUB, fb_num(&b, 10), fb_val(&b, T)),
                    fb_num(&b, 5)),
              fb_if(&b, fb_val(&b, heat), fb_num(&b, 4), fb_num(&b, 0))),
        7);
  brink_sim_opts opt = brink_sim_defaults();
  opt.rtol = 1e-11;
  opt.atol = 1e-13;
  rig r = fb_start(&b, &opt, 0);
  check_status(brink_sim_run(r.sim, 12), BRINK_END);
  /* towards 30 from 20 to 21, towards 10 from 21 to 19, towards 30 from 19 to 21 */
  double t = 5 * log(10.0 / 9), down = 5 * log(11.0 / 9), up = 5 * log(11.0 / 9);
  size_t n = 0;
  for (int on = 1; t < 12; on = !on, n++) {
    brink_event ev = rig_event(&r, n);
    check_near(ev.t, t, 1e-9);
    assert_string_equal(ev.name, on ? "T > 21 (line 5)" : "T < 19 (line 4)");
    assert_int_equal(ev.classes, BRINK_SE_P);
    t += on ? down : up;
  }
  assert_int_equal(rig_events(&r), n);
  /* T < 19 and T > 21 becoming false changes nothing and costs no restart */
  assert_int_equal(brink_sim_statistics(r.sim).instants, n);
  rig_free(&r);
}

/* ------------------------------------------------------------- samples --- */

/* when sample(0.1, 0.3): n = pre(n) + 1; x' = n */
static void samples_tick_without_drift(void **state)
{
  (void)state;
  fb b = fb_new(NULL, 64);
  int x = fb_real(&b, "x", 0, 1), n = fb_int(&b, "n", 0);
  fb_eq(&b, fb_der(&b, x), fb_fn(&b, BRINK_OP_REAL, fb_val(&b, n)), 3);
  fb_when(&b, fb_sample(&b, 0.1, 0.3, 4), "sample(0.1, 0.3)", 4);
  fb_assign(&b, n, fb_op(&b, BRINK_OP_ADD, fb_pre(&b, n), fb_whole(&b, 1)), 5);
  rig r = fb_start(&b, NULL, 0);
  check_status(brink_sim_run(r.sim, 3.1), BRINK_END);
  assert_int_equal(rig_events(&r), 11); /* 0.1, 0.4, ..., 3.1 */
  double sum = 0;
  for (int k = 0; k < 11; k++) {
    brink_event ev = rig_event(&r, (size_t)k);
    check_near(ev.t, 0.1 + k * 0.3, 0);
    assert_int_equal(ev.kind, BRINK_KIND_TIME);
    assert_string_equal(ev.name, "sample(0.1, 0.3) (line 4)");
    sum += k < 10 ? (k + 1) * 0.3 : 0;
  }
  check_near(fb_value(&r, "n"), 11, 0);
  check_rel(fb_value(&r, "x"), sum, 1e-13);
  rig_free(&r);
}

/* a model without states: a counter and a toggle */
static void a_model_without_states_runs(void **state)
{
  (void)state;
  fb b = fb_new(NULL, 64);
  int n = fb_int(&b, "n", 3), on = fb_bool(&b, "on", 0);
  fb_when(&b, fb_sample(&b, 0, 0.5, 3), "sample(0, 0.5)", 3);
  fb_assign(&b, n, fb_op(&b, BRINK_OP_ADD, fb_pre(&b, n), fb_whole(&b, 2)), 4);
  fb_assign(&b, on, fb_fn(&b, BRINK_OP_NOT, fb_pre(&b, on)), 5);
  rig r = fb_start(&b, NULL, 0);
  check_near(fb_value(&r, "n"), 3, 0);
  check_status(brink_sim_run(r.sim, 1.7), BRINK_END);
  check_near(fb_value(&r, "n"), 11, 0); /* 0, 0.5, 1, 1.5 */
  check_near(fb_value(&r, "on"), 0, 0);
  check_near(rig_event(&r, 0).t, 0, 0);
  rig_free(&r);
}

/* when time >= pre(next): next = pre(next) + 0.7: the time moves with each event */
static void a_time_that_events_move_is_known(void **state)
{
  (void)state;
  fb b = fb_new(NULL, 64);
  int x = fb_real(&b, "x", 0, 1);
  int next = fb_var(&b, "next", BRINK_TYPE_REAL, BRINK__DISCRETE, 0.25, 1);
  fb_eq(&b, fb_der(&b, x), fb_num(&b, 1), 3);
  fb_when(
      &b,
      fb_rel(&b, BRINK_OP_GE, fb_time(&b), fb_pre(&b, next), "time >= pre(next)", 4),
      "time >= pre(next)", 4);
  fb_assign(&b, next, fb_op(&b, BRINK_OP_ADD, fb_pre(&b, next), fb_num(&b, 0.7)), 5);
  fb_reinit(&b, x, fb_num(&b, 0), 6);
  rig r = fb_start(&b, NULL, 0);
  check_status(brink_sim_run(r.sim, 2.5), BRINK_END);
  assert_int_equal(rig_events(&r), 4); /* 0.25, 0.95, 1.65, 2.35 */
  double t = 0.25;
  for (size_t k = 0; k < 4; k++, t += 0.7) {
    check_near(rig_event(&r, k).t, t, 0);
    assert_int_equal(rig_event(&r, k).kind, BRINK_KIND_TIME);
  }
  check_near(brink_sim_state(r.sim)[0], 2.5 - 2.35, 1e-14);
  rig_free(&r);
}

/* ----------------------------------------------------------- iteration --- */

/* b1 = x > 1; b2 = pre(b1); b3 = pre(b2); when b3 then n = pre(n) + 1 */
static void a_chain_of_pre_settles_in_one_instant(void **state)
{
  (void)state;
  fb b = fb_new(NULL, 64);
  int x = fb_real(&b, "x", 0, 1), b1 = fb_bool(&b, "b1", 0), b2 = fb_bool(&b, "b2", 0);
  int b3 = fb_bool(&b, "b3", 0), n = fb_int(&b, "n", 5);
  fb_eq(&b, fb_der(&b, x), fb_num(&b, 1.6), 3);
  fb_eq(&b, fb_val(&b, b3), fb_pre(&b, b2), 4);
  fb_eq(&b, fb_val(&b, b2), fb_pre(&b, b1), 5);
  fb_eq(&b, fb_val(&b, b1),
        fb_rel(&b, BRINK_OP_GT, fb_val(&b, x), fb_num(&b, 1), "x > 1", 6), 6);
  fb_when(&b, fb_val(&b, b3), "b3", 7);
  fb_assign(&b, n, fb_op(&b, BRINK_OP_ADD, fb_pre(&b, n), fb_whole(&b, 1)), 7);
  rig r = fb_start(&b, NULL, 0);
  check_status(brink_sim_run(r.sim, 1), BRINK_END);
  check_near(fb_value(&r, "n"), 6, 0);
  check_near(fb_value(&r, "b3"), 1, 0);
  assert_int_equal(brink_sim_statistics(r.sim).instants, 1);
  check_near(rig_event(&r, 0).t, 1 / 1.6, 1e-14);
  rig_free(&r);
}

/* two whens with one zero; the second reads what the first assigns in the same
 * instant, and both reinits take effect together with left limits */
static void whens_at_one_instant_are_synchronous(void **state)
{
  (void)state;
  fb b = fb_new(NULL, 64);
  int x = fb_real(&b, "x", 0, 1), y = fb_real(&b, "y", 7, 1);
  int n = fb_int(&b, "n", 0), m = fb_int(&b, "m", 0);
  fb_eq(&b, fb_der(&b, x), fb_num(&b, 2.5), 3);
  fb_eq(&b, fb_der(&b, y), fb_num(&b, 0), 4);
  /* listed so that sorting is needed */
  fb_when(&b, fb_rel(&b, BRINK_OP_GE, fb_val(&b, x), fb_num(&b, 1), "x >= 1", 5),
          "x >= 1", 5);
  fb_assign(&b, m, fb_op(&b, BRINK_OP_MUL, fb_whole(&b, 10), fb_val(&b, n)), 6);
  fb_reinit(&b, x, fb_op(&b, BRINK_OP_SUB, fb_val(&b, y), fb_num(&b, 7)), 6);
  fb_when(&b,
          fb_rel(&b, BRINK_OP_GE, fb_op(&b, BRINK_OP_MUL, fb_num(&b, 2), fb_val(&b, x)),
                 fb_num(&b, 2), "2*x >= 2", 7),
          "2*x >= 2", 7);
  fb_assign(&b, n, fb_op(&b, BRINK_OP_ADD, fb_pre(&b, n), fb_whole(&b, 1)), 8);
  fb_reinit(&b, y, fb_op(&b, BRINK_OP_ADD, fb_val(&b, y), fb_val(&b, x)), 8);
  rig r = fb_start(&b, NULL, 0);
  check_status(brink_sim_run(r.sim, 0.5), BRINK_END);
  assert_int_equal(rig_events(&r), 2);
  assert_int_equal(rig_event(&r, 0).instant, 0);
  assert_int_equal(rig_event(&r, 1).instant, 0);
  check_near(fb_value(&r, "n"), 1, 0);
  check_near(fb_value(&r, "m"), 10, 0);
  check_near(rig_event(&r, 0).y_after[0], 0, 0);     /* y - 7 with y = 7 */
  check_near(rig_event(&r, 0).y_after[1], 8, 1e-14); /* y + x with x = 1 */
  rig_free(&r);
}

static void elsewhen_gives_way_to_the_first_branch(void **state)
{
  (void)state;
  fb b = fb_new(NULL, 64);
  int x = fb_real(&b, "x", 0, 1), n = fb_int(&b, "n", 0);
  fb_eq(&b, fb_der(&b, x), fb_num(&b, 1), 3);
  brink__node one =
      fb_rel(&b, BRINK_OP_GT, fb_val(&b, x), fb_num(&b, 0.3), "x > 0.3", 4);
  brink__node two =
      fb_rel(&b, BRINK_OP_GT, fb_op(&b, BRINK_OP_MUL, fb_val(&b, x), fb_val(&b, x)),
             fb_num(&b, 0.3 * 0.3), "x*x > 0.09", 6);
  brink__node three =
      fb_rel(&b, BRINK_OP_GT, fb_val(&b, x), fb_num(&b, 0.8), "x > 0.8", 6);
  fb_when(&b, one, "x > 0.3", 4);
  fb_assign(&b, n, fb_whole(&b, 1), 5);
  fb_elsewhen(&b, two, "{x*x > 0.09, x > 0.8}", 6);
  fb_cond(&b, three);
  fb_assign(&b, n, fb_op(&b, BRINK_OP_ADD, fb_pre(&b, n), fb_whole(&b, 10)), 7);
  rig r = fb_start(&b, NULL, 0);
  check_status(brink_sim_run(r.sim, 0.5), BRINK_END);
  check_near(fb_value(&r, "n"), 1, 0);
  check_status(brink_sim_run(r.sim, 1), BRINK_END);
  check_near(fb_value(&r, "n"), 11, 0);
  rig_free(&r);
}

/* y = if on then 3 else 1 and when y > 2: the guard jumps without a zero */
static void a_guard_moved_by_a_discrete_change_fires_in_the_same_instant(void **state)
{
  (void)state;
  fb b = fb_new(NULL, 64);
  int x = fb_real(&b, "x", 0, 1), y = fb_real(&b, "y", 0, -1),
      on = fb_bool(&b, "on", 0);
  int n = fb_int(&b, "n", 0);
  fb_eq(&b, fb_der(&b, x), fb_num(&b, 1), 3);
  fb_eq(&b, fb_val(&b, y),
        fb_op(&b, BRINK_OP_ADD, fb_val(&b, x),
              fb_if(&b, fb_val(&b, on), fb_num(&b, 3), fb_num(&b, 1))),
        4);
  fb_when(&b, fb_rel(&b, BRINK_OP_GT, fb_val(&b, y), fb_num(&b, 2.5), "y > 2.5", 5),
          "y > 2.5", 5);
  fb_assign(&b, n, fb_op(&b, BRINK_OP_ADD, fb_pre(&b, n), fb_whole(&b, 1)), 5);
  fb_when(&b, fb_rel(&b, BRINK_OP_GE, fb_time(&b), fb_num(&b, 0.6), "time >= 0.6", 6),
          "time >= 0.6", 6);
  fb_assign(&b, on, brink__boolean(b.f->graph, 1), 6);
  rig r = fb_start(&b, NULL, 0);
  check_status(brink_sim_run(r.sim, 1), BRINK_END);
  check_near(fb_value(&r, "n"), 1, 0);
  check_near(rig_event(&r, 0).t, 0.6, 0);
  check_near(rig_event(&r, 1).t, 0.6, 0);
  assert_int_equal(rig_events(&r), 2);
  check_near(fb_value(&r, "y"), 4, 1e-14);
  rig_free(&r);
}

/* b = not pre(b) never rests */
static void an_iteration_that_never_settles_is_named(void **state)
{
  (void)state;
  fb b = fb_new(NULL, 64);
  int x = fb_real(&b, "x", 0, 1), osc = fb_bool(&b, "osc", 0),
      go = fb_bool(&b, "go", 0);
  fb_eq(&b, fb_der(&b, x), fb_num(&b, 1), 3);
  fb_eq(&b, fb_val(&b, go),
        fb_rel(&b, BRINK_OP_GT, fb_val(&b, x), fb_num(&b, 0.5), "x > 0.5", 4), 4);
  fb_eq(&b, fb_val(&b, osc),
        fb_if(&b, fb_val(&b, go), fb_fn(&b, BRINK_OP_NOT, fb_pre(&b, osc)),
              fb_pre(&b, osc)),
        5);
  rig r = fb_start(&b, NULL, 0);
  check_status(brink_sim_run(r.sim, 1), BRINK_EITERATION);
  check_text(brink_sim_error(r.sim)->text, "osc keeps changing in osc = if go");
  check_near(brink_sim_error(r.sim)->t, 0.5, 1e-14);
  rig_free(&r);
}

static void two_reinits_that_differ_name_both_lines(void **state)
{
  (void)state;
  fb b = fb_new(NULL, 64);
  int x = fb_real(&b, "x", 0, 1);
  fb_eq(&b, fb_der(&b, x), fb_num(&b, 1), 3);
  fb_when(&b, fb_rel(&b, BRINK_OP_GE, fb_val(&b, x), fb_num(&b, 0.25), "x >= 1/4", 4),
          "x >= 1/4", 4);
  fb_reinit(&b, x, fb_num(&b, 0.0), 14);
  fb_when(&b, fb_rel(&b, BRINK_OP_GE, fb_time(&b), fb_num(&b, 0.25), "time >= 1/4", 5),
          "time >= 1/4", 5);
  fb_reinit(&b, x, fb_num(&b, -1), 15);
  rig r = fb_start(&b, NULL, 0);
  check_status(brink_sim_run(r.sim, 1), BRINK_EITERATION);
  check_text(brink_sim_error(r.sim)->text,
             "reinit(x, 0) (line 14) and reinit(x, -1) (line 15) disagree: 0 and -1");
  check_text(brink_sim_error(r.sim)->text, "line 14");
  check_text(brink_sim_error(r.sim)->text, "line 15");
  rig_free(&r);
}

/* -------------------------------------------------------------- stairs --- */

/* y = floor(x), x = 2.5 sin(t): up and down the stairs */
static void stairs_are_climbed_in_both_directions(void **state)
{
  (void)state;
  fb b = fb_new(NULL, 64);
  int x = fb_real(&b, "x", 0, 1), v = fb_real(&b, "v", 2.5, 1), k = fb_int(&b, "k", 9);
  fb_eq(&b, fb_der(&b, x), fb_val(&b, v), 3);
  fb_eq(&b, fb_der(&b, v), fb_fn(&b, BRINK_OP_NEG, fb_val(&b, x)), 4);
  fb_eq(&b, fb_val(&b, k), fb_stair(&b, 0, fb_val(&b, x), 5), 5);
  brink_sim_opts opt = brink_sim_defaults();
  opt.rtol = 1e-11;
  rig r = fb_start(&b, &opt, 0);
  check_near(fb_value(&r, "k"), 0, 0);
  double pi = acos(-1), a = asin(0.4), c = asin(0.8);
  /* 1, 2, 1, 0, -1, -2, -3 */
  double at[] = {a, c, pi - c, pi - a, pi, pi + a, pi + c};
  double to[] = {1, 2, 1, 0, -1, -2, -3};
  for (int i = 0; i < 7; i++) {
    check_status(brink_sim_run(r.sim, at[i] + 0.01), BRINK_END);
    check_near(fb_value(&r, "k"), to[i], 0);
    assert_int_equal(rig_events(&r), (size_t)i + 1);
    check_near(rig_event(&r, (size_t)i).t, at[i], 1e-9);
  }
  rig_free(&r);
}

static void ceil_of_time_steps_at_the_start_and_at_whole_times(void **state)
{
  (void)state;
  fb b = fb_new(NULL, 64);
  int x = fb_real(&b, "x", 0, 1), k = fb_int(&b, "k", 9);
  fb_eq(&b, fb_der(&b, x), fb_num(&b, 1), 3);
  fb_eq(&b, fb_val(&b, k), fb_stair(&b, 1, fb_time(&b), 5), 5);
  rig r = fb_start(&b, NULL, 0);
  check_near(fb_value(&r, "k"), 0, 0);
  check_status(brink_sim_run(r.sim, 2.5), BRINK_END);
  check_near(fb_value(&r, "k"), 3, 0);
  assert_int_equal(rig_events(&r), 3);
  check_near(rig_event(&r, 0).t, 0, 0);
  assert_int_equal(rig_event(&r, 0).kind, BRINK_KIND_START);
  assert_int_equal(rig_event(&r, 0).instant, 1);
  assert_int_equal(rig_event(&r, 1).instant, 0);
  check_near(rig_event(&r, 1).t, 1, 1e-15);
  rig_free(&r);
}

/* --------------------------------------------------------------- start --- */

static void a_condition_true_at_the_start_does_not_fire(void **state)
{
  (void)state;
  fb b = fb_new(NULL, 64);
  int x = fb_real(&b, "x", 1, 1), n = fb_int(&b, "n", 0), m = fb_int(&b, "m", 0);
  fb_eq(&b, fb_der(&b, x), fb_num(&b, -1), 3);
  fb_when(&b, fb_rel(&b, BRINK_OP_GT, fb_val(&b, x), fb_num(&b, 0), "x > 0", 4),
          "x > 0", 4);
  fb_assign(&b, n, fb_op(&b, BRINK_OP_ADD, fb_pre(&b, n), fb_whole(&b, 1)), 4);
  fb_when(&b, fb_initial(&b), "initial()", 5);
  fb_assign(&b, m, fb_op(&b, BRINK_OP_ADD, fb_pre(&b, m), fb_whole(&b, 4)), 5);
  rig r = fb_start(&b, NULL, 0);
  check_near(fb_value(&r, "m"), 4, 0);
  check_status(brink_sim_run(r.sim, 2), BRINK_END);
  check_near(fb_value(&r, "n"), 0, 0);
  check_near(fb_value(&r, "m"), 4, 0);
  assert_int_equal(rig_events(&r), 0);
  rig_free(&r);
}

static void a_relation_that_changes_at_once_is_an_event_at_the_start(void **state)
{
  (void)state;
  fb b = fb_new(NULL, 64);
  int x = fb_real(&b, "x", 0, 1), n = fb_int(&b, "n", 0);
  fb_eq(&b, fb_der(&b, x), fb_num(&b, 1), 3);
  fb_when(&b, fb_rel(&b, BRINK_OP_GT, fb_val(&b, x), fb_num(&b, 0), "x > 0", 4),
          "x > 0", 4);
  fb_assign(&b, n, fb_op(&b, BRINK_OP_ADD, fb_pre(&b, n), fb_whole(&b, 1)), 4);
  rig r = fb_start(&b, NULL, 0);
  check_status(brink_sim_run(r.sim, 2), BRINK_END);
  check_near(fb_value(&r, "n"), 1, 0);
  assert_int_equal(rig_events(&r), 1);
  check_near(rig_event(&r, 0).t, 0, 0);
  assert_int_equal(rig_event(&r, 0).kind, BRINK_KIND_START);
  assert_int_equal(rig_event(&r, 0).instant, 1);
  rig_free(&r);
}

static void samples_come_before_what_changes_at_once(void **state)
{
  (void)state;
  fb b = fb_new(NULL, 64);
  int n = fb_int(&b, "n", 0), late = fb_bool(&b, "late", 0);
  fb_when(&b, fb_sample(&b, 0, 0.7, 4), "sample(0, 0.7)", 4);
  fb_assign(&b, n, fb_op(&b, BRINK_OP_ADD, fb_pre(&b, n), fb_whole(&b, 1)), 4);
  fb_eq(&b, fb_val(&b, late),
        fb_rel(&b, BRINK_OP_GT, fb_time(&b), fb_num(&b, 0), "time > 0", 5), 5);
  rig r = fb_start(&b, NULL, 0);
  check_near(fb_value(&r, "late"), 0, 0);
  check_status(brink_sim_run(r.sim, 1), BRINK_END);
  assert_int_equal(rig_events(&r), 3);
  assert_int_equal(rig_event(&r, 0).instant, 0);
  assert_int_equal(rig_event(&r, 0).kind, BRINK_KIND_TIME);
  check_near(rig_event(&r, 1).t, 0, 0);
  assert_int_equal(rig_event(&r, 1).instant, 1);
  check_near(rig_event(&r, 2).t, 0.7, 1e-15);
  rig_free(&r);
}

/* a reset to exactly 0 makes x > 0 false, whatever rounding says */
static void exactly_zero_means_what_the_relation_says(void **state)
{
  (void)state;
  fb b = fb_new(NULL, 64);
  int x = fb_real(&b, "x", 1, 1), pos = fb_bool(&b, "pos", 0);
  fb_eq(&b, fb_der(&b, x), fb_num(&b, 0), 3);
  fb_eq(&b, fb_val(&b, pos),
        fb_rel(&b, BRINK_OP_GT, fb_val(&b, x), fb_num(&b, 0), "x > 0", 4), 4);
  fb_when(&b, fb_rel(&b, BRINK_OP_GE, fb_time(&b), fb_num(&b, 0.5), "time >= 0.5", 5),
          "time >= 0.5", 5);
  fb_reinit(&b, x, fb_num(&b, 0), 5);
  rig r = fb_start(&b, NULL, 0);
  check_near(fb_value(&r, "pos"), 1, 0);
  check_status(brink_sim_run(r.sim, 1), BRINK_END);
  check_near(fb_value(&r, "pos"), 0, 0);
  rig_free(&r);
}

/* -------------------------------------------------------------- listed --- */

/* x falls from 1 at 0.8 a second; at 0.25 it is thrown back to 1, across 0.6 */
static rig falling(long all)
{
  brink_sim_opts opt = brink_sim_defaults();
  fb b = fb_new(NULL, 64);
  int x = fb_real(&b, "x", 1, 1), low = fb_bool(&b, "low", 0), n = fb_int(&b, "n", 0);

  opt.all_relations = all;
  fb_eq(&b, fb_der(&b, x), fb_num(&b, -0.8), 3);
  fb_eq(&b, fb_val(&b, low),
        fb_op(&b, BRINK_OP_AND,
              fb_rel(&b, BRINK_OP_LT, fb_val(&b, x), fb_num(&b, 0.6), "x < 0.6", 4),
              fb_rel(&b, BRINK_OP_LT, fb_val(&b, x), fb_num(&b, 0.25), "x < 0.25", 4)),
        4);
  fb_when(&b, fb_val(&b, low), "low", 5);
  fb_assign(&b, n, fb_op(&b, BRINK_OP_ADD, fb_pre(&b, n), fb_whole(&b, 1)), 6);
  fb_reinit(&b, x, fb_num(&b, 1), 6);
  return fb_start(&b, &opt, 0);
}

static void what_follows_from_one_zero_is_one_event(void **state)
{
  (void)state;
  rig r = falling(0);
  check_status(brink_sim_run(r.sim, 1.5), BRINK_END);
  check_near(fb_value(&r, "n"), 1, 0);
  for (size_t k = 0; k < rig_events(&r); k++)
    assert_int_equal(rig_event(&r, k).silent, 0);
  check_near(rig_event(&r, 0).t, 0.9375, 1e-14);
  assert_string_equal(rig_event(&r, 0).name, "low (line 5)");
  assert_int_equal(brink_sim_statistics(r.sim).events, rig_events(&r));
  rig_free(&r);
}

static void relations_without_effect_are_listed_on_request(void **state)
{
  (void)state;
  rig plain = falling(0), r = falling(1);
  size_t n = 0, silent = 0;

  check_status(brink_sim_run(plain.sim, 1.5), BRINK_END);
  check_status(brink_sim_run(r.sim, 1.5), BRINK_END);
  assert_string_equal(rig_event(&r, 0).name, "x < 0.6 (line 4)");
  check_near(rig_event(&r, 0).t, 0.5, 1e-14);
  assert_int_equal(rig_event(&r, 0).silent, 1);
  assert_int_equal(rig_event(&r, 0).classes, 0);
  for (size_t k = 0; k < rig_events(&r); k++) {
    brink_event e = rig_event(&r, k);
    silent += (size_t)e.silent;
    if (e.silent)
      continue;
    check_near(e.t, rig_event(&plain, n).t, 0);
    assert_string_equal(e.name, rig_event(&plain, n).name);
    n++;
  }
  assert_int_equal(n, rig_events(&plain));
  assert_in_range(silent, 2, 5);
  assert_int_equal(brink_sim_statistics(r.sim).events,
                   brink_sim_statistics(plain.sim).events);
  rig_free(&plain);
  rig_free(&r);
}

/* -------------------------------------------------- asserts, terminate --- */

static void an_assertion_on_a_relation_ends_the_run_at_its_zero(void **state)
{
  (void)state;
  fb b = fb_new(NULL, 64);
  int x = fb_real(&b, "x", 1, 1);
  fb_eq(&b, fb_der(&b, x), fb_num(&b, -0.75), 3);
  fb_assert(&b, fb_rel(&b, BRINK_OP_GT, fb_val(&b, x), fb_num(&b, 0.25), "x > 0.25", 4),
            "x too small", 4, 0);
  rig r = fb_start(&b, NULL, 0);
  check_status(brink_sim_run(r.sim, 5), BRINK_EDOMAIN);
  check_text(brink_sim_error(r.sim)->text, "line 4");
  check_text(brink_sim_error(r.sim)->text, "x too small");
  check_near(brink_sim_error(r.sim)->t, 1, 1e-14);
  rig_free(&r);
}

static void an_assertion_without_events_ends_the_run_before_it_fails(void **state)
{
  (void)state;
  fb b = fb_new(NULL, 64);
  int x = fb_real(&b, "x", 1, 1);
  fb_eq(&b, fb_der(&b, x), fb_num(&b, -0.75), 3);
  fb_assert(&b, fb_op(&b, BRINK_OP_GT, fb_val(&b, x), fb_num(&b, 0.25)), "x too small",
            4, 0);
  rig r = fb_start(&b, NULL, 0);
  check_status(brink_sim_run(r.sim, 5), BRINK_EDOMAIN);
  check_text(brink_sim_error(r.sim)->text,
             "assertion x > 0.25 (line 4) fails: x = 0.25");
  check_near(brink_sim_time(r.sim), 1, 1e-6);
  assert_true(brink_sim_state(r.sim)[0] > 0.25);
  rig_free(&r);
}

static void terminate_ends_the_run_with_its_text(void **state)
{
  (void)state;
  fb b = fb_new(NULL, 64);
  int x = fb_real(&b, "x", 1, 1);
  fb_eq(&b, fb_der(&b, x), fb_num(&b, -2), 3);
  fb_when(&b, fb_rel(&b, BRINK_OP_LT, fb_val(&b, x), fb_num(&b, 0), "x < 0", 4),
          "x < 0", 4);
  fb_terminate(&b, "100%% empty", 5);
  rig r = fb_start(&b, NULL, 0);
  check_status(brink_sim_run(r.sim, 5), BRINK_TERMINATED);
  check_text(brink_sim_error(r.sim)->text, "100% empty");
  check_near(brink_sim_time(r.sim), 0.5, 1e-14);
  rig_free(&r);
}

static void a_warning_is_given_once_and_the_run_goes_on(void **state)
{
  (void)state;
  fb b = fb_new(NULL, 64);
  int x = fb_real(&b, "x", 1, 1);
  fb_eq(&b, fb_der(&b, x), fb_num(&b, -0.75), 3);
  fb_assert(&b, fb_rel(&b, BRINK_OP_GT, fb_val(&b, x), fb_num(&b, 0.25), "x > 0.25", 4),
            "x is small", 4, 1);
  rig r = fb_start(&b, NULL, 0);
  assert_null(brink_sim_warning(r.sim, 0));
  check_status(brink_sim_run(r.sim, 5), BRINK_END);
  check_text(brink_sim_warning(r.sim, 0), "line 4, t = 1: x is small");
  assert_null(brink_sim_warning(r.sim, 1));
  rig_free(&r);
}

/* when terminal() then n = pre(n) + 5 */
static void terminal_acts_when_the_run_is_finished(void **state)
{
  (void)state;
  fb b = fb_new(NULL, 64);
  int x = fb_real(&b, "x", 1, 1), n = fb_int(&b, "n", 2);
  fb_eq(&b, fb_der(&b, x), fb_num(&b, 1), 3);
  fb_when(&b, fb_terminal(&b), "terminal()", 4);
  fb_assign(&b, n, fb_op(&b, BRINK_OP_ADD, fb_pre(&b, n), fb_whole(&b, 5)), 4);
  rig r = fb_start(&b, NULL, 0);
  check_status(brink_sim_run(r.sim, 1), BRINK_END);
  check_near(fb_value(&r, "n"), 2, 0);
  check_status(brink_sim_finish(r.sim), BRINK_OK);
  check_near(fb_value(&r, "n"), 7, 0);
  rig_free(&r);
}

/* --------------------------------------------------------------- domain -- */

/* x' = if x > 0 then -1 - sqrt(x) else 0: the law ends where the branch does */
static void a_branch_protects_its_square_root(void **state)
{
  (void)state;
  fb b = fb_new(NULL, 64);
  int x = fb_real(&b, "x", 1, 1);
  fb_eq(&b, fb_der(&b, x),
        fb_if(&b, fb_rel(&b, BRINK_OP_GT, fb_val(&b, x), fb_num(&b, 0), "x > 0", 3),
              fb_op(&b, BRINK_OP_SUB, fb_num(&b, -1),
                    fb_fn(&b, BRINK_OP_SQRT, fb_val(&b, x))),
              fb_num(&b, 0)),
        3);
  brink_sim_opts opt = brink_sim_defaults();
  opt.rtol = 1e-10;
  rig r = fb_start(&b, &opt, 0);
  check_status(brink_sim_run(r.sim, 2), BRINK_END);
  /* with u = sqrt(x): t = int 2u/(1 + u) du = 2 - 2 ln 2 */
  assert_int_equal(rig_events(&r), 1);
  check_near(rig_event(&r, 0).t, 2 - 2 * log(2), 1e-6);
  assert_int_equal(rig_event(&r, 0).classes, BRINK_SE_D);
  check_near(brink_sim_state(r.sim)[0], 0, 1e-10);
  rig_free(&r);
}

/* x' = -sqrt(x) ends at t = 2; when x <= 0 (side before) stops the run there */
static void a_unilateral_when_is_never_passed(void **state)
{
  (void)state;
  fb b = fb_new(NULL, 64);
  int x = fb_real(&b, "x", 1, 1), n = fb_int(&b, "n", 0);
  fb_eq(&b, fb_der(&b, x),
        fb_fn(&b, BRINK_OP_NEG, fb_fn(&b, BRINK_OP_SQRT, fb_val(&b, x))), 3);
  brink__node empty =
      fb_rel(&b, BRINK_OP_LE, fb_val(&b, x), fb_num(&b, 0), "x <= 0", 4);
  b.f->relations[0].side = BRINK_BEFORE;
  fb_when(&b, empty, "x <= 0", 4);
  b.f->whens[0].side = BRINK_BEFORE;
  fb_assign(&b, n, fb_op(&b, BRINK_OP_ADD, fb_pre(&b, n), fb_whole(&b, 1)), 5);
  fb_terminate(&b, "empty", 6);
  brink_sim_opts opt = brink_sim_defaults();
  opt.rtol = 1e-8;
  rig r = fb_start(&b, &opt, 0);
  check_status(brink_sim_run(r.sim, 5), BRINK_TERMINATED);
  check_near(brink_sim_time(r.sim), 2, 1e-6);
  assert_true(brink_sim_state(r.sim)[0] >= 0);
  check_near(fb_value(&r, "n"), 1, 0);
  assert_int_equal(brink_sim_statistics(r.sim).work.outside_evals, 0);
  assert_int_equal(rig_event(&r, 0).side, BRINK_BEFORE);
  rig_free(&r);
}

/* the same by domain = true: news that names the variable and its line */
static void the_end_of_a_domain_ends_the_run_with_news(void **state)
{
  (void)state;
  fb b = fb_new(NULL, 64);
  int x = fb_real(&b, "level", 1, 1);
  b.f->vars[x].min = fb_num(&b, 0);
  b.f->vars[x].domain = 1;
  fb_eq(
      &b, fb_der(&b, x),
      fb_op(&b, BRINK_OP_SUB, fb_num(&b, -1), fb_fn(&b, BRINK_OP_SQRT, fb_val(&b, x))),
      3);
  brink_sim_opts opt = brink_sim_defaults();
  opt.rtol = 1e-10;
  rig r = fb_start(&b, &opt, 0);
  check_status(brink_sim_run(r.sim, 5), BRINK_TERMINATED);
  check_near(brink_sim_time(r.sim), 2 - 2 * log(2), 1e-7);
  check_text(brink_sim_error(r.sim)->text, "'level' (line 1)");
  assert_true(brink_sim_state(r.sim)[0] >= 0);
  assert_int_equal(brink_sim_statistics(r.sim).work.outside_evals, 0);
  rig_free(&r);
}

/* domain = true, and a when on the same bound that knows how to go on */
static void a_when_on_the_bound_decides_what_happens_there(void **state)
{
  (void)state;
  fb b = fb_new(NULL, 64);
  int x = fb_real(&b, "x", 1, 1), n = fb_int(&b, "n", 0);
  b.f->vars[x].min = fb_num(&b, 0);
  b.f->vars[x].domain = 1;
  fb_eq(
      &b, fb_der(&b, x),
      fb_op(&b, BRINK_OP_SUB, fb_num(&b, -1), fb_fn(&b, BRINK_OP_SQRT, fb_val(&b, x))),
      3);
  brink__node empty =
      fb_rel(&b, BRINK_OP_LE, fb_val(&b, x), fb_num(&b, 0), "x <= 0", 4);
  b.f->relations[0].side = BRINK_BEFORE;
  fb_when(&b, empty, "x <= 0", 4);
  b.f->whens[0].side = BRINK_BEFORE;
  fb_assign(&b, n, fb_op(&b, BRINK_OP_ADD, fb_pre(&b, n), fb_whole(&b, 1)), 5);
  fb_reinit(&b, x, fb_num(&b, 1), 6);
  brink_sim_opts opt = brink_sim_defaults();
  opt.rtol = 1e-10;
  rig r = fb_start(&b, &opt, 0);
  double period = 2 - 2 * log(2);
  check_status(brink_sim_run(r.sim, 3.5 * period), BRINK_END);
  check_near(fb_value(&r, "n"), 3, 0);
  assert_int_equal(brink_sim_statistics(r.sim).work.outside_evals, 0);
  check_near(rig_event(&r, 2).t, 3 * period, 1e-6);
  rig_free(&r);
}

static void a_domain_error_names_line_and_operation(void **state)
{
  (void)state;
  fb b = fb_new(NULL, 64);
  int x = fb_real(&b, "x", 1, 1), y = fb_real(&b, "y", 0, -1);
  fb_eq(&b, fb_der(&b, x), fb_op(&b, BRINK_OP_SUB, fb_num(&b, -1), fb_val(&b, y)), 3);
  fb_eq(&b, fb_val(&b, y), fb_fn(&b, BRINK_OP_SQRT, fb_val(&b, x)), 12);
  rig r = fb_start(&b, NULL, 0);
  check_status(brink_sim_run(r.sim, 2), BRINK_EDOMAIN);
  check_text(brink_sim_error(r.sim)->text, "sqrt");
  check_text(brink_sim_error(r.sim)->text, "line 12");
  rig_free(&r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_ball_bounces_when_it_should),
      cmocka_unit_test(a_guard_through_an_algebraic_variable_is_proved),
      cmocka_unit_test(a_thermostat_with_memory_switches_at_both_bounds),
      cmocka_unit_test(samples_tick_without_drift),
      cmocka_unit_test(a_model_without_states_runs),
      cmocka_unit_test(a_time_that_events_move_is_known),
      cmocka_unit_test(a_chain_of_pre_settles_in_one_instant),
      cmocka_unit_test(whens_at_one_instant_are_synchronous),
      cmocka_unit_test(elsewhen_gives_way_to_the_first_branch),
      cmocka_unit_test(a_guard_moved_by_a_discrete_change_fires_in_the_same_instant),
      cmocka_unit_test(an_iteration_that_never_settles_is_named),
      cmocka_unit_test(two_reinits_that_differ_name_both_lines),
      cmocka_unit_test(stairs_are_climbed_in_both_directions),
      cmocka_unit_test(ceil_of_time_steps_at_the_start_and_at_whole_times),
      cmocka_unit_test(a_condition_true_at_the_start_does_not_fire),
      cmocka_unit_test(a_relation_that_changes_at_once_is_an_event_at_the_start),
      cmocka_unit_test(samples_come_before_what_changes_at_once),
      cmocka_unit_test(exactly_zero_means_what_the_relation_says),
      cmocka_unit_test(what_follows_from_one_zero_is_one_event),
      cmocka_unit_test(relations_without_effect_are_listed_on_request),
      cmocka_unit_test(an_assertion_on_a_relation_ends_the_run_at_its_zero),
      cmocka_unit_test(an_assertion_without_events_ends_the_run_before_it_fails),
      cmocka_unit_test(terminate_ends_the_run_with_its_text),
      cmocka_unit_test(a_warning_is_given_once_and_the_run_goes_on),
      cmocka_unit_test(terminal_acts_when_the_run_is_finished),
      cmocka_unit_test(a_branch_protects_its_square_root),
      cmocka_unit_test(a_unilateral_when_is_never_passed),
      cmocka_unit_test(the_end_of_a_domain_ends_the_run_with_news),
      cmocka_unit_test(a_when_on_the_bound_decides_what_happens_there),
      cmocka_unit_test(a_domain_error_names_line_and_operation),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
