/* Starts of systems of higher index: fixed values stay to the bit, start values that
 * are consistent stay, others move as little as possible, conflicts have a sentence;
 * and what a simulation carries is copied, set and reset as in any other model. */
#include "check.h"
#include "plain_methods.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "brink/brink.h"
#include "brink/load.h"

typedef struct rig {
  brink_ctx *ctx;
  brink_model *model;
  brink_sim *sim;
} rig;

static rig open_rig(const char *text, const char *method)
{
  rig r = {NULL, NULL, NULL};
  brink_sim_opts opt = brink_sim_defaults();

  check_status(brink_ctx_new(NULL, &r.ctx), BRINK_OK);
  opt.method = method;
  opt.rtol = 1e-8;
  opt.h_max = 0.1;
  if (strcmp(method, "rk4") == 0)
    opt.h0 = 1e-2; /* it keeps to it */
  if (brink_model_read(r.ctx, "m.mo", text, strlen(text), NULL, &r.model) < 0)
    fail_msg("%s", brink_ctx_error(r.ctx)->text);
  check_status(brink_sim_new(r.ctx, r.model, &opt, &r.sim), BRINK_OK);
  return r;
}

static void end(rig *r)
{
  brink_sim_free(r->sim);
  brink_model_free(r->model);
  brink_ctx_free(r->ctx);
}

static double value(brink_sim *sim, const char *name)
{
  double x = nan("");

  check_status(brink_sim_get(sim, name, &x), BRINK_OK);
  return x;
}

static rig started(const char *text, double t0)
{
  rig r = open_rig(text, "dopri5");

  if (brink_sim_start(r.sim, t0, 0, NULL) < 0)
    fail_msg("%s", brink_sim_error(r.sim)->text);
  return r;
}

/* A body on an ellipse, with what is said of its start in four places. */
static const char *on_ellipse(const char *x, const char *y, const char *vx,
                              const char *vy, const char *more)
{
  static char text[1000];

  snprintf(text, sizeof text,
           "model M\n"
           "  parameter Real a = 2, b = 1;\n"
           "  Real x%s;\n"
           "  Real y%s;\n"
           "  Real vx%s;\n"
           "  Real vy%s;\n"
           "  Real F;\n"
           "%s"
           "equation\n"
           "  der(x) = vx; der(y) = vy;\n"
           "  der(vx) = -F*x/a^2; der(vy) = -F*y/b^2 - 1;\n"
           "  x^2/a^2 + y^2/b^2 = 1;\n"
           "end M;\n",
           x, y, vx, vy, more);
  return text;
}

static void check_ellipse(brink_sim *sim)
{
  double x = value(sim, "x"), y = value(sim, "y");

  check_near(x * x / 4 + y * y, 1, 1e-13);
  check_near(x * value(sim, "vx") / 4 + y * value(sim, "vy"), 0, 1e-13);
}

/* ------------------------------------------------------------- kept values --- */

static void fixed_values_stay_to_the_bit(void **state)
{
  rig r = started(on_ellipse("(start = 0.7001, fixed = true)", "(start = 3)",
                             "(start = 0.31, fixed = true)", "(start = 5)", ""),
                  0.13);

  (void)state;
  check_near(value(r.sim, "x"), 0.7001, 0);
  check_near(value(r.sim, "vx"), 0.31, 0);
  check_near(value(r.sim, "y"), sqrt(1 - 0.7001 * 0.7001 / 4), 1e-15);
  check_ellipse(r.sim);
  end(&r);
}

static void consistent_start_values_stay(void **state)
{
  rig r = started(on_ellipse("(start = 1.2)", "(start = -0.8)", "(start = 0.64)",
                             "(start = 0.24)", ""),
                  -3.1);

  (void)state;
  check_near(value(r.sim, "x"), 1.2, 0);
  check_near(value(r.sim, "y"), -0.8, 0);
  check_near(value(r.sim, "vx"), 0.64, 0);
  check_near(value(r.sim, "vy"), 0.24, 0);
  end(&r);
}

/* v and z have no start values: a nonlinear constraint finds v, and x stays. */
static void values_without_start_move_before_others(void **state)
{
  rig r = started("model B\n"
                  "  Real x(start = -0.23), v, a(start = 0.1), z;\n"
                  "equation\n"
                  "  der(x) = v;\n"
                  "  v + 0.4*sin(v) = 2 + x*cos(time);\n"
                  "  z = der(der(v));\n"
                  "  der(a) = z - a;\n"
                  "end B;\n",
                  0.4);
  double v = value(r.sim, "v");

  (void)state;
  check_near(value(r.sim, "x"), -0.23, 0);
  check_near(value(r.sim, "a"), 0.1, 0);
  check_near(v + 0.4 * sin(v), 2 - 0.23 * cos(0.4), 1e-15);
  end(&r);
}

/* A start value of v = der(x) counts where the equations write der(der(x)). */
static void start_values_of_derivatives_count(void **state)
{
  rig r = started("model A\n"
                  "  Real x(start = 0.8), v(start = 0.5);\n"
                  "equation\n"
                  "  der(x) = v;\n"
                  "  der(der(x)) = -x - v;\n"
                  "end A;\n",
                  0);

  (void)state;
  check_near(value(r.sim, "x"), 0.8, 0);
  check_near(value(r.sim, "v"), 0.5, 0);
  end(&r);
}

/* ---------------------------------------------------------------- nearest --- */

/* The least distance from (x, y) to the ellipse, in the units u and 1, by search. */
static double least_distance(double x, double y, double u)
{
  double best = HUGE_VAL;

  for (int i = 0; i < 20000; i++) {
    double s = 6.283185307179586 * i / 20000;
    best = fmin(best, hypot((2 * cos(s) - x) / u, sin(s) - y));
  }
  return best;
}

static void inconsistent_guesses_move_no_more_than_they_must(void **state)
{
  uint64_t seed = 20;

  (void)state;
  for (int i = 0; i < 60; i++) {
    double x = rand_in(&seed, -3, 3), y = rand_in(&seed, -2, 2);
    double u = i % 2 ? 1 : 5;
    char of_x[80], of_y[80];
    if (hypot(x / 2, y) < 0.4) /* about the centre all points are as near */
      continue;
    snprintf(of_x, sizeof of_x, "(start = %.17g, nominal = %g)", x, u);
    snprintf(of_y, sizeof of_y, "(start = %.17g)", y);
    rig r = started(on_ellipse(of_x, of_y, "", "", ""), 1.7);
    check_ellipse(r.sim);
    double moved = hypot((value(r.sim, "x") - x) / u, value(r.sim, "y") - y);
    double least = least_distance(x, y, u);
    check_in(moved, least - 1e-5, least + 1e-5);
    end(&r);
  }
}

/* Linear constraints: the velocities nearest to (0.4, 0.9) across a fixed slope. */
static void velocities_are_the_nearest_ones(void **state)
{
  rig r = started("model M\n"
                  "  Real x(start = 1.2, fixed = true), y(start = -0.8), F;\n"
                  "  Real vx(start = 0.4), vy(start = 0.9, nominal = 3);\n"
                  "equation\n"
                  "  vx = der(x); vy = der(y);\n"
                  "  der(der(x)) = -F*x/4; der(der(y)) = -F*y - 1;\n"
                  "  x^2/4 + y^2 = 1;\n"
                  "end M;\n",
                  0);
  /* p vx + q vy = 0, p = 0.3, q = -0.8: (0.4, 0.9) - s (p, 9 q) */
  double p = 0.3, q = -0.8, s = (p * 0.4 + q * 0.9) / (p * p + 9 * q * q);

  (void)state;
  check_near(value(r.sim, "vx"), 0.4 - s * p, 1e-14);
  check_near(value(r.sim, "vy"), 0.9 - s * 9 * q, 1e-14);
  end(&r);
}

static void a_start_far_away_is_found(void **state)
{
  rig r = started(
      on_ellipse("(start = 3e6)", "(start = -4e6)", "(start = 0.1)", "", ""), 0);

  (void)state;
  check_ellipse(r.sim);
  check_status(brink_sim_run(r.sim, 1), BRINK_END);
  check_ellipse(r.sim);
  end(&r);
}

/* -------------------------------------------- parameters, initial equations --- */

static void constraints_find_parameters(void **state)
{
  rig r =
      started("model P\n"
              "  parameter Real L(fixed = false, start = 2);\n"
              "  Real x(start = 0.6, fixed = true), y(start = -0.8, fixed = true);\n"
              "  Real vx, vy(start = 0.3, fixed = true), F;\n"
              "equation\n"
              "  der(x) = vx; der(y) = vy;\n"
              "  der(vx) = -F*x; der(vy) = -F*y - 9.81;\n"
              "  x^2 + y^2 = L^2;\n"
              "end P;\n",
              0);

  (void)state;
  check_near(value(r.sim, "L"), 1, 1e-14);
  check_near(value(r.sim, "vx"), 0.4, 1e-14);
  check_status(brink_sim_run(r.sim, 1), BRINK_END);
  check_near(hypot(value(r.sim, "x"), value(r.sim, "y")), value(r.sim, "L"), 1e-15);
  end(&r);
}

/* An initial equation about the multiplier finds the velocity. */
static void initial_equations_about_multipliers_are_met(void **state)
{
  rig r = started(on_ellipse("(start = 1.2, fixed = true)", "(start = -0.8)",
                             "(start = 1)", "", "initial equation\n  F = 7;\n"),
                  0);

  (void)state;
  check_ellipse(r.sim);
  check_near(value(r.sim, "F"), 7, 1e-12);
  check_near(value(r.sim, "x"), 1.2, 0);
  end(&r);
}

static void without_any_start_value_a_start_is_found(void **state)
{
  rig r = started(on_ellipse("", "", "", "", ""), 0);

  (void)state;
  check_ellipse(r.sim);
  check_status(brink_sim_run(r.sim, 1), BRINK_END);
  check_ellipse(r.sim);
  end(&r);
}

/* ---------------------------------------------------------------- conflict --- */

static void refused(const char *text, const char *first, const char *second)
{
  rig r = open_rig(text, "dopri5");

  assert_true(brink_sim_start(r.sim, 0, 0, NULL) < 0);
  check_text(brink_sim_error(r.sim)->text, first);
  check_text(brink_sim_error(r.sim)->text, second);
  end(&r);
}

static void fixed_values_that_contradict_a_constraint_are_refused(void **state)
{
  (void)state;
  refused(
      on_ellipse("(start = 1.2, fixed = true)", "(start = 0.7, fixed = true)", "", "",
                 ""),
      "over-determined: x^2/a^2 + y^2/b^2 = 1 (line 11)",
      "fixed start value of 'x' (line 3) and the fixed start value of 'y' (line 4)");
  refused(on_ellipse("(start = 1.2, fixed = true)", "(start = 0.7)",
                     "(start = 1, fixed = true)", "(start = 1, fixed = true)", ""),
          "over-determined: x^2/a^2 + y^2/b^2 = 1 (line 11), differentiated once",
          "'x' (line 3) and the fixed start value of 'vx' (line 5) and the fixed start "
          "value of 'vy' (line 6)");
  refused(on_ellipse("(start = 1.2, fixed = true)", "", "", "",
                     "initial equation\n  x = 1.1;\n"),
          "over-determined: x = 1.1 (line 9) is missed by 0.1",
          "contradicts the fixed start value of 'x' (line 3)");
}

static void delays_in_differentiated_equations_are_refused_with_their_line(void **state)
{
  static const char text[] = "model D\n"
                             "  Real x, y, u;\n"
                             "equation\n"
                             "  der(y) = -y;\n"
                             "  x = delay(y, 0.5) + sin(time);\n"
                             "  der(x) = u;\n"
                             "end D;\n";
  brink_ctx *ctx;
  brink_model *model;

  (void)state;
  check_status(brink_ctx_new(NULL, &ctx), BRINK_OK);
  check_status(brink_model_read(ctx, "d.mo", text, strlen(text), NULL, &model),
               BRINK_EMODEL);
  assert_int_equal(brink_ctx_error(ctx)->line, 5);
  check_text(brink_ctx_error(ctx)->text, "delay()");
  assert_null(model);
  brink_ctx_free(ctx);
}

/* --------------------------------------------------------------- homotopy --- */

/* The way from x + y = 0 to the circle leads to the upper point. */
static void homotopy_leads_to_a_start_of_higher_index(void **state)
{
  rig r = started("model H\n"
                  "  Real x(start = 0.6), y(start = -0.5), vx, vy, F;\n"
                  "initial equation\n"
                  "  x = 0.6; vx = 0.4;\n"
                  "equation\n"
                  "  der(x) = vx; der(y) = vy;\n"
                  "  der(vx) = homotopy(-F*x, -x); der(vy) = -F*y - 9.81;\n"
                  "  homotopy(x^2 + y^2, x + y) = homotopy(1, 0);\n"
                  "end H;\n",
                  0);

  (void)state;
  check_near(value(r.sim, "y"), 0.8, 1e-14);
  check_near(value(r.sim, "vy"), -0.3, 1e-13);
  check_near(value(r.sim, "F"), 0.25 - 9.81 * 0.8, 1e-12);
  check_status(brink_sim_run(r.sim, 1), BRINK_END);
  end(&r);
}

/* --------------------------------------------------- what a simulation is --- */

static const char *pendulum(void)
{
  return on_ellipse("(start = 1.2, fixed = true)", "(start = -0.7)",
                    "(start = 0.3, fixed = true)", "", "");
}

static void same_state(brink_sim *a, brink_sim *b)
{
  assert_int_equal(brink_sim_n(a), brink_sim_n(b));
  assert_memory_equal(brink_sim_state(a), brink_sim_state(b),
                      brink_sim_n(a) * sizeof(double));
  assert_true(brink_sim_statistics(a).work.f_evals ==
              brink_sim_statistics(b).work.f_evals);
}

static void clones_and_snapshots_go_on_bit_for_bit(void **state)
{
  (void)state;
  for (int i = 0; brink_method_name(i); i++) {
    if (owns_its_steps(i))
      continue; /* what it remembers cannot be copied */
    rig r = open_rig(pendulum(), brink_method_name(i));
    brink_sim *clone;
    brink_snapshot *saved;
    check_status(brink_sim_start(r.sim, 0.3, 0, NULL), BRINK_OK);
    while (brink_sim_time(r.sim) < 1.5)
      check_status(brink_sim_advance(r.sim, 9), BRINK_OK);
    check_status(brink_sim_clone(r.ctx, r.sim, &clone), BRINK_OK);
    check_status(brink_sim_save(r.sim, &saved), BRINK_OK);
    check_status(brink_sim_run(r.sim, 4), BRINK_END);
    check_status(brink_sim_run(clone, 4), BRINK_END);
    same_state(r.sim, clone);
    check_status(brink_sim_restore(r.sim, saved), BRINK_OK);
    check_status(brink_sim_run(r.sim, 4), BRINK_END);
    same_state(r.sim, clone);
    check_ellipse(r.sim);
    brink_snapshot_free(saved);
    brink_sim_free(clone);
    end(&r);
  }
}

static void settings_of_parameters_and_starts_count_until_reset(void **state)
{
  rig r = open_rig(pendulum(), "dop853");

  (void)state;
  check_status(brink_sim_set(r.sim, "a", 3), BRINK_OK);
  check_status(brink_sim_set_start(r.sim, "x", 1.5), BRINK_OK);
  check_status(brink_sim_start(r.sim, 0, 0, NULL), BRINK_OK);
  check_near(value(r.sim, "x"), 1.5, 0);
  check_near(value(r.sim, "y"), -sqrt(0.75), 1e-15);
  check_near(value(r.sim, "vx"), 0.3, 0);
  check_status(brink_sim_run(r.sim, 2), BRINK_END);
  check_near(pow(value(r.sim, "x") / 3, 2) + pow(value(r.sim, "y"), 2), 1, 1e-14);
  brink_sim_reset(r.sim);
  check_status(brink_sim_start(r.sim, 0, 0, NULL), BRINK_OK);
  check_near(value(r.sim, "x"), 1.2, 0);
  check_near(value(r.sim, "y"), -0.8, 1e-15);
  check_status(brink_sim_run(r.sim, 2), BRINK_END);
  check_ellipse(r.sim);
  end(&r);
}

typedef struct job {
  const brink_model *model;
  int first;
  double out[40];
} job;

static void *work(void *p)
{
  job *j = p;
  brink_ctx *ctx = NULL;
  brink_sim *sim = NULL;

  if (brink_ctx_new(NULL, &ctx) < 0 || brink_sim_new(ctx, j->model, NULL, &sim) < 0)
    return NULL;
  for (int k = 0; k < 40; k++) {
    j->out[k] = nan("");
    if (brink_sim_set_start(sim, "x", 0.1 + 0.04 * k) >= 0 &&
        brink_sim_start(sim, 0, 0, NULL) >= 0 && brink_sim_run(sim, 3) >= 0)
      brink_sim_get(sim, "x", &j->out[k]);
  }
  brink_sim_free(sim);
  brink_ctx_free(ctx);
  return NULL;
}

static void threads_share_a_model(void **state)
{
  rig r = open_rig(pendulum(), "dopri5");
  job jobs[3] = {{.model = r.model}, {.model = r.model}, {.model = r.model}};
  pthread_t thread[2];

  (void)state;
  for (int i = 0; i < 2; i++)
    assert_int_equal(pthread_create(&thread[i], NULL, work, &jobs[i]), 0);
  for (int i = 0; i < 2; i++)
    pthread_join(thread[i], NULL);
  work(&jobs[2]);
  for (int k = 0; k < 40; k++) {
    assert_true(isfinite(jobs[2].out[k]));
    check_near(jobs[0].out[k], jobs[2].out[k], 0);
    check_near(jobs[1].out[k], jobs[2].out[k], 0);
  }
  end(&r);
}

/* ------------------------------------------------------------------ memory --- */

static void a_run_allocates_nothing(void **state)
{
  (void)state;
  for (int i = 0; brink_method_name(i); i++) {
    flaky f = {0};
    brink_alloc alloc = flaky_alloc(&f);
    brink_sim_opts opt = brink_sim_defaults();
    const char *text = pendulum();
    if (owns_its_steps(i))
      continue; /* a start opens it anew */
    rig r;
    check_status(brink_ctx_new(&alloc, &r.ctx), BRINK_OK);
    opt.method = brink_method_name(i);
    opt.keep = BRINK_KEEP_NOTHING;
    opt.h0 = 1e-2;
    check_status(brink_model_read(r.ctx, "m.mo", text, strlen(text), NULL, &r.model),
                 BRINK_OK);
    check_status(brink_sim_new(r.ctx, r.model, &opt, &r.sim), BRINK_OK);
    long before = f.calls;
    check_status(brink_sim_start(r.sim, 0, 0, NULL), BRINK_OK);
    check_status(brink_sim_run(r.sim, 5), BRINK_END);
    assert_int_equal(f.calls, before);
    end(&r);
    assert_int_equal(f.live, 0);
  }
}

static void every_allocation_may_fail(void **state)
{
  const char *text = pendulum();
  long at = 1;

  (void)state;
  for (brink_status rc = BRINK_ENOMEM; rc != BRINK_OK; at++) {
    flaky f = {.fail_at = at};
    brink_alloc alloc = flaky_alloc(&f);
    rig r = {NULL, NULL, NULL};
    rc = brink_ctx_new(&alloc, &r.ctx);
    if (rc == BRINK_OK)
      rc = brink_model_read(r.ctx, "m.mo", text, strlen(text), NULL, &r.model);
    if (rc == BRINK_OK)
      rc = brink_sim_new(r.ctx, r.model, NULL, &r.sim);
    if (rc == BRINK_OK)
      rc = brink_sim_start(r.sim, 0, 0, NULL);
    if (rc != BRINK_OK)
      check_status(rc, BRINK_ENOMEM);
    end(&r);
    assert_int_equal(f.live, 0);
  }
  check_in((double)at, 100, 5000);
}

/* Steps of a pendulum whose error is measured by the absolute tolerance. */
static long steps_with(const char *initial)
{
  char text[500];
  brink_sim_opts opt = brink_sim_defaults();
  rig r = {NULL, NULL, NULL};

  snprintf(text, sizeof text,
           "model M Real x(start = 0.6, fixed = true), y(start = -0.8), F;\n"
           "initial equation %s\n"
           "equation der(der(x)) = -F*x; der(der(y)) = -F*y - 9.81; x^2 + y^2 = 1;\n"
           "end M;\n",
           initial);
  check_status(brink_ctx_new(NULL, &r.ctx), BRINK_OK);
  check_status(brink_model_read(r.ctx, "m.mo", text, strlen(text), NULL, &r.model),
               BRINK_OK);
  opt.rtol = 1e-13;
  opt.atol = 1e-5;
  check_status(brink_sim_new(r.ctx, r.model, &opt, &r.sim), BRINK_OK);
  check_status(brink_sim_start(r.sim, 0, 0, NULL), BRINK_OK);
  check_near(brink_sim_state(r.sim)[2], 1.1, 1e-14);
  check_status(brink_sim_run(r.sim, 20), BRINK_END);
  long steps = brink_sim_statistics(r.sim).work.steps;
  end(&r);
  return steps;
}

/* A derivative that an initial equation determines is a state like any other
 * afterwards: its error counts as if its start value had been given. */
static void initial_equations_do_not_change_tolerances(void **state)
{
  (void)state;
  assert_int_equal(steps_with("2*der(x) = 2.2;"), steps_with("der(x) = 1.1;"));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(fixed_values_stay_to_the_bit),
      cmocka_unit_test(consistent_start_values_stay),
      cmocka_unit_test(values_without_start_move_before_others),
      cmocka_unit_test(start_values_of_derivatives_count),
      cmocka_unit_test(inconsistent_guesses_move_no_more_than_they_must),
      cmocka_unit_test(velocities_are_the_nearest_ones),
      cmocka_unit_test(a_start_far_away_is_found),
      cmocka_unit_test(constraints_find_parameters),
      cmocka_unit_test(initial_equations_about_multipliers_are_met),
      cmocka_unit_test(without_any_start_value_a_start_is_found),
      cmocka_unit_test(fixed_values_that_contradict_a_constraint_are_refused),
      cmocka_unit_test(delays_in_differentiated_equations_are_refused_with_their_line),
      cmocka_unit_test(homotopy_leads_to_a_start_of_higher_index),
      cmocka_unit_test(clones_and_snapshots_go_on_bit_for_bit),
      cmocka_unit_test(settings_of_parameters_and_starts_count_until_reset),
      cmocka_unit_test(threads_share_a_model),
      cmocka_unit_test(a_run_allocates_nothing),
      cmocka_unit_test(every_allocation_may_fail),
      cmocka_unit_test(initial_equations_do_not_change_tolerances),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
