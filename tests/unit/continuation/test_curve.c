/* Curves of solutions over a parameter: folds, branch points, switches and ends whose
 * places are known in closed form. */
#include "check.h"

#include "brink/brink.h"

#include <math.h>
#include <string.h>

enum { SPECIAL = 16, VARS = 8 };

/* What a curve has shown. */
typedef struct shown {
  brink_status ends;
  brink_curve_stats stats;
  int n; /* special points */
  brink_curve_kind kind[SPECIAL];
  double p[SPECIAL], value[SPECIAL][VARS];
  char name[SPECIAL][80];
  double last_p, last[VARS];
  double longest; /* step in s */
  char text[BRINK_ERR_TEXT];
  int line;
} shown;

static void note(shown *out, const brink_curve_point *at, size_t n)
{
  out->last_p = at->p;
  memcpy(out->last, at->values, n * sizeof *out->last);
  if (at->kind == BRINK_CURVE_POINT)
    return;
  assert_true(out->n < SPECIAL);
  out->kind[out->n] = at->kind;
  out->p[out->n] = at->p;
  memcpy(out->value[out->n], at->values, n * sizeof *out->last);
  strncpy(out->name[out->n], at->name, sizeof out->name[0] - 1);
  out->n++;
}

static void walk(brink_curve *curve, size_t n, shown *out)
{
  brink_curve_point at;
  double s = 0;

  while ((out->ends = brink_curve_next(curve, &at)) == BRINK_OK) {
    assert_true(at.s >= s);
    out->longest = fmax(out->longest, at.s - s);
    s = at.s;
    note(out, &at, n < VARS ? n : VARS);
  }
  assert_int_equal(brink_curve_next(curve, &at), out->ends); /* and stays so */
  out->stats = brink_curve_statistics(curve);
  strcpy(out->text, brink_curve_error(curve)->text);
  out->line = brink_curve_error(curve)->line;
}

static shown follow(const char *text, double t, const brink_curve_opts *opt)
{
  shown out = {.n = 0};
  brink_ctx *ctx;
  brink_model *model;
  brink_sim *sim;
  brink_curve *curve;

  check_status(brink_ctx_new(NULL, &ctx), BRINK_OK);
  if (brink_model_read(ctx, "m.mo", text, strlen(text), NULL, &model) < 0)
    fail_msg("%s", brink_ctx_error(ctx)->text);
  check_status(brink_sim_new(ctx, model, NULL, &sim), BRINK_OK);
  out.ends = brink_curve_new(sim, t, opt, &curve);
  if (out.ends < 0) {
    assert_null(curve);
    strcpy(out.text, brink_sim_error(sim)->text);
    out.line = brink_sim_error(sim)->line;
  } else {
    walk(curve, brink_model_variables(model), &out);
  }
  brink_curve_free(curve);
  brink_sim_free(sim);
  brink_model_free(model);
  brink_ctx_free(ctx);
  return out;
}

static brink_curve_opts over(const char *name, double from, double to)
{
  brink_curve_opts opt = brink_curve_defaults();

  opt.over = name;
  opt.from = from;
  opt.to = to;
  return opt;
}

static shown along(const char *text, const char *name, double from, double to)
{
  brink_curve_opts opt = over(name, from, to);
  return follow(text, 0, &opt);
}

/* ------------------------------------------------------------------ folds --- */

static const char s_curve[] = "model M\n"
                              "  parameter Real p = -1;\n"
                              "  Real x(start = -1.5);\n"
                              "equation\n"
                              "  x^3 - x = p;\n"
                              "end M;\n";

static void an_s_has_two_folds(void **state)
{
  (void)state;
  double x = 1 / sqrt(3);
  shown r = along(s_curve, "p", -1.1, 0.9);

  check_status(r.ends, BRINK_END);
  assert_int_equal(r.n, 2);
  assert_int_equal(r.kind[0], BRINK_CURVE_FOLD);
  assert_int_equal(r.kind[1], BRINK_CURVE_FOLD);
  check_near(r.p[0], x - x * x * x, 1e-14);
  check_near(r.value[0][0], -x, 1e-10);
  check_near(r.p[1], x * x * x - x, 1e-14);
  check_near(r.value[1][0], x, 1e-10);
  check_near(r.last_p, 0.9, 0);
  check_near(r.last[0] * r.last[0] * r.last[0] - r.last[0], 0.9, 1e-14);
  assert_int_equal(r.stats.folds, 2);
  check_in(r.longest, 0.005, 0.0201);
}

/* From the other side, and beginning at the middle of the S. */
static void a_curve_may_be_followed_either_way(void **state)
{
  (void)state;
  double x = 1 / sqrt(3);
  shown r = along(s_curve, "p", 1, -1);

  check_status(r.ends, BRINK_END);
  assert_int_equal(r.n, 2);
  check_near(r.value[0][0], x, 1e-10);
  check_near(r.value[1][0], -x, 1e-10);
  check_near(r.last[0], -1.3247179572447460, 1e-13);
}

static void by_the_parameter_a_fold_is_the_end(void **state)
{
  (void)state;
  brink_curve_opts opt = over("p", -1, 1);
  opt.natural = 1;
  shown r = follow(s_curve, 0, &opt);

  check_status(r.ends, BRINK_FOLD);
  check_text(r.text, "turns back near p = 0.3849");
  assert_int_equal(r.n, 0);
  check_near(r.last_p, 2 / (3 * sqrt(3)), 1e-8);
  opt = over("p", -1, 0.3);
  opt.natural = 1;
  r = follow(s_curve, 0, &opt);
  check_status(r.ends, BRINK_END);
  check_near(r.last[0] * r.last[0] * r.last[0] - r.last[0], 0.3, 1e-14);
}

/* A tank reactor: x2 (1 + beta) = B x1, and folds where x1 (1 - x1) = (1 + beta)/B. */
static void equilibria_of_a_reactor_fold_twice(void **state)
{
  (void)state;
  static const char text[] =
      "model Tank\n"
      "  parameter Real Da = 0.05, B = 14, beta = 1.3;\n"
      "  Real x1(start = 0.05, fixed = true), x2(start = 0.3, fixed = true);\n"
      "equation\n"
      "  der(x1) = -x1 + Da*(1 - x1)*exp(x2);\n"
      "  der(x2) = -x2 + B*Da*(1 - x1)*exp(x2) - beta*x2;\n"
      "end Tank;\n";
  shown r = along(text, "Da", 0.02, 0.2);

  check_status(r.ends, BRINK_END);
  assert_int_equal(r.n, 2);
  for (int k = 0; k < 2; k++) {
    double x = (1 + (2 * k - 1) * sqrt(1 - 4 * 2.3 / 14)) / 2;
    check_near(r.value[k][0], x, 1e-10);
    check_near(r.value[k][1], 14 * x / 2.3, 1e-9);
    check_near(r.p[k], x / ((1 - x) * exp(14 * x / 2.3)), 1e-13);
  }
}

/* Bratu's problem with two inner points: 9 u = lambda exp(u) on the symmetric curve,
 * which folds at u = 1 and is crossed where 27 = lambda exp(u), u = 3. */
static void bratu_folds_and_branches(void **state)
{
  (void)state;
  static const char text[] =
      "model Bratu\n"
      "  parameter Integer n = 2;\n"
      "  parameter Real lambda = 0, h = 1/(n + 1), q = lambda*h^2;\n"
      "  Real u[n];\n"
      "equation\n"
      "  for i in 1:n loop\n"
      "    2*u[i] - (if i > 1 then u[i - 1] else 0) - (if i < n then u[i + 1] else 0)\n"
      "      = q*exp(u[i]);\n"
      "  end for;\n"
      "end Bratu;\n";
  shown r = along(text, "lambda", 0.1, 5);

  check_status(r.ends, BRINK_FOLD);
  check_text(r.text, "turned back to lambda = 0.1");
  check_near(r.last_p, 0.1, 0);
  assert_int_equal(r.n, 2);
  assert_int_equal(r.kind[0], BRINK_CURVE_FOLD);
  check_near(r.p[0], 9 / exp(1), 1e-13);
  check_near(r.value[0][0], 1, 1e-10);
  assert_int_equal(r.kind[1], BRINK_CURVE_BRANCH);
  check_near(r.p[1], 27 / exp(3), 1e-8);
  check_near(r.value[1][1], 3, 1e-8);
}

/* Two folds 2e-3 apart in one long step. */
static void two_folds_in_one_step_are_both_found(void **state)
{
  (void)state;
  static const char text[] = "model M\n"
                             "  parameter Real p = -1;\n"
                             "  Real x(start = -1);\n"
                             "equation\n"
                             "  x^3 - 3e-6*x = p;\n"
                             "end M;\n";
  brink_curve_opts opt = over("p", -1, 1.3);
  opt.h0 = opt.h_max = 0.2;
  shown r = follow(text, 0, &opt);

  check_status(r.ends, BRINK_END);
  assert_int_equal(r.n, 2);
  check_near(r.value[0][0], -1e-3, 1e-10);
  check_near(r.p[0], 2e-9, 1e-15);
  check_near(r.value[1][0], 1e-3, 1e-10);
}

static void a_circle_returns(void **state)
{
  (void)state;
  static const char text[] = "model Circle\n"
                             "  parameter Real p = 0;\n"
                             "  Real x(start = 0.5);\n"
                             "equation\n"
                             "  x^2 + (p - 0.3)^2 = 1;\n"
                             "end Circle;\n";
  shown r = along(text, "p", 0.1, 2);

  check_status(r.ends, BRINK_FOLD);
  assert_int_equal(r.n, 1);
  check_near(r.p[0], 1.3, 1e-14);
  check_near(r.value[0][0], 0, 1e-10);
  check_near(r.last_p, 0.1, 0);
  check_near(r.last[0], -sqrt(0.96), 1e-14);
  r = along(text, "p", 0.1, -2); /* and on the other half */
  check_status(r.ends, BRINK_FOLD);
  check_near(r.p[0], -0.7, 1e-14);
}

/* --------------------------------------------------------- branch points --- */

static void a_pitchfork_is_passed_straight_on(void **state)
{
  (void)state;
  static const char text[] = "model M\n"
                             "  parameter Real p = -1;\n"
                             "  Real x(start = 0);\n"
                             "equation\n"
                             "  der(x) = (p - 0.17)*x - x^3;\n"
                             "end M;\n";
  shown r = along(text, "p", -1.1, 2);

  check_status(r.ends, BRINK_END);
  assert_int_equal(r.n, 1);
  assert_int_equal(r.kind[0], BRINK_CURVE_BRANCH);
  check_near(r.p[0], 0.17, 1e-8);
  check_near(r.last[0], 0, 0);
}

/* x = 0 crosses p = x - x^2, which folds at 1/4. */
static void a_crossing_and_a_fold_on_one_curve(void **state)
{
  (void)state;
  static const char text[] = "model M\n"
                             "  parameter Real p = -1;\n"
                             "  Real x(start = -0.6);\n"
                             "equation\n"
                             "  x*(p - x + x^2) = 0;\n"
                             "end M;\n";
  shown r = along(text, "p", -1, 1);

  check_status(r.ends, BRINK_FOLD);
  assert_int_equal(r.n, 2);
  assert_int_equal(r.kind[0], BRINK_CURVE_BRANCH);
  check_near(r.p[0], 0, 1e-7);
  assert_int_equal(r.kind[1], BRINK_CURVE_FOLD);
  check_near(r.p[1], 0.25, 1e-14);
  check_near(r.last[0], (1 + sqrt(5)) / 2, 1e-13);
}

/* --------------------------------------------------------------- switches --- */

/* abs: the curve p = x - |x + 1| + |x - 1| has corners at -1 and 1. */
static void corners_are_folds(void **state)
{
  (void)state;
  static const char text[] = "model Zig\n"
                             "  parameter Real p = -2;\n"
                             "  Real x(start = -3);\n"
                             "equation\n"
                             "  p = x - abs(x + 1) + abs(x - 1);\n"
                             "end Zig;\n";
  shown r = along(text, "p", -2.2, 2.3);

  check_status(r.ends, BRINK_END);
  assert_int_equal(r.n, 2);
  for (int k = 0; k < 2; k++) {
    assert_int_equal(r.kind[k], BRINK_CURVE_FOLD);
    check_near(r.value[k][0], 2 * k - 1, 1e-13);
    check_near(r.p[k], 1 - 2 * k, 1e-13);
  }
  check_text(r.name[0], "abs(x + 1) (line 5)");
  check_near(r.last[0], 4.3, 1e-13);
}

static void booleans_follow_the_curve(void **state)
{
  (void)state;
  static const char text[] = "model Diode\n"
                             "  parameter Real v = -3, R = 5;\n"
                             "  Real u, i, s(start = 0.1);\n"
                             "  Boolean off = s < 0.2;\n"
                             "equation\n"
                             "  u = if off then s else 0.2 + 0.01*(s - 0.2);\n"
                             "  i = if off then 0 else s - 0.2;\n"
                             "  v = u + R*i;\n"
                             "end Diode;\n";
  shown r = along(text, "v", -3, 3);

  check_status(r.ends, BRINK_END);
  assert_int_equal(r.n, 1);
  assert_int_equal(r.kind[0], BRINK_CURVE_SWITCH);
  check_text(r.name[0], "s < 0.2 (line 4)");
  check_near(r.p[0], 0.2, 1e-13);
  check_near(r.value[0][3], 0, 0);
  check_near(r.last[1], 2.8 / 5.01, 1e-13);
}

/* floor makes y jump, x goes on: two points, one for each value. */
static void jumps_are_passed_where_there_is_a_solution_behind(void **state)
{
  (void)state;
  static const char text[] = "model Stair\n"
                             "  parameter Real p = 0.3;\n"
                             "  Real x(start = 0.2), y;\n"
                             "equation\n"
                             "  x^3 + x = p;\n"
                             "  y = floor(3*x) + x;\n"
                             "end Stair;\n";
  shown r = along(text, "p", 0.1, 2.5);

  check_status(r.ends, BRINK_END);
  assert_int_equal(r.n, 3);
  for (int k = 0; k < 3; k++) {
    double x = (k + 1) / 3.;
    assert_int_equal(r.kind[k], BRINK_CURVE_SWITCH);
    check_near(r.p[k], x * x * x + x, 1e-12);
    check_near(r.value[k][1], k + x, 1e-12);
  }
  check_near(r.last[1], 3 + r.last[0], 1e-13);
  r = along(text, "p", 2.5, 0.1);
  check_status(r.ends, BRINK_END);
  assert_int_equal(r.n, 3);
  check_near(r.value[0][1], 4, 1e-12);
}

static void a_relay_without_solution_ends_the_curve(void **state)
{
  (void)state;
  static const char text[] = "model Relay\n"
                             "  parameter Real p = -2;\n"
                             "  Real x(start = -3);\n"
                             "equation\n"
                             "  x = p - (if x > 0 then 1 else -1);\n"
                             "end Relay;\n";
  shown r = along(text, "p", -3, 3);

  check_status(r.ends, BRINK_EDOMAIN);
  check_near(r.last_p, -1, 1e-13);
  check_text(r.text, "where x > 0 (line 5) changes");
  assert_int_equal(r.line, 5);
}

/* ------------------------------------------------------------------ ends --- */

static void an_expression_without_value_ends_the_curve(void **state)
{
  (void)state;
  static const char text[] = "model Edge\n"
                             "  parameter Real p = 1;\n"
                             "  Real x(start = 1);\n"
                             "equation\n"
                             "  x + sqrt(x) = 2 - p;\n"
                             "end Edge;\n";
  shown r = along(text, "p", 1, 4);

  check_status(r.ends, BRINK_EDOMAIN);
  check_near(r.last_p, 2, 1e-6);
  check_text(r.text, "the curve ends at p = 2: sqrt(x) has no value");
  assert_int_equal(r.line, 5);
}

static void limits_are_kept(void **state)
{
  (void)state;
  brink_curve_opts opt = over("p", -1, 1);
  opt.max_points = 7;
  shown r = follow(s_curve, 0, &opt);

  check_status(r.ends, BRINK_LIMIT);
  assert_int_equal(r.stats.points, 7);
  check_text(r.text, "7 points");
  opt.max_points = 0;
  opt.max_seconds = 1e-9;
  r = follow(s_curve, 0, &opt);
  check_status(r.ends, BRINK_LIMIT);
  check_text(r.text, "max_seconds");
}

/* ----------------------------------------------------- equations at rest --- */

/* Parameters that depend on p, one that initial equations find, a state that rests, a
 * delay, a variable that stands for a derivative. */
static void what_does_not_move_is_held(void **state)
{
  (void)state;
  static const char text[] =
      "model M\n"
      "  parameter Real p = 1, q = 2*p, r = q + 1;\n"
      "  parameter Real c(fixed = false, start = 1);\n"
      "  Real x(start = 0.3, fixed = true), k(start = 0.7, fixed = true), y, v;\n"
      "initial equation\n"
      "  c = 2;\n"
      "  v = 0.1;\n"
      "equation\n"
      "  v = der(x);\n"
      "  der(v) = r + c - delay(x, 0.5) - x^3 - v;\n"
      "  der(k) = 0;\n"
      "  y = k*x;\n"
      "end M;\n";
  shown r = along(text, "p", 0.4, 3);
  double x = r.last[1];

  check_status(r.ends, BRINK_END);
  assert_int_equal(r.n, 0);
  check_near(r.last[0], 2, 0);
  check_near(x * x * x + x, 9, 1e-13);
  check_near(r.last[2], 0.7, 0);
  check_near(r.last[3], 0.7 * x, 1e-14);
  check_near(r.last[4], 0, 1e-15);
}

/* Index 3: the pendulum hangs, lambda = G/L. */
static void equations_of_any_index_are_followed(void **state)
{
  (void)state;
  static const char text[] =
      "model Pendulum\n"
      "  parameter Real G = 9.8, L = 10;\n"
      "  Real x(start = 6, fixed = true), y(start = 8), lambda;\n"
      "equation\n"
      "  der(der(x)) + lambda*x = 0;\n"
      "  der(der(y)) + lambda*y = G;\n"
      "  x^2 + y^2 = L^2;\n"
      "end Pendulum;\n";
  shown r = along(text, "L", 10, 3);

  check_status(r.ends, BRINK_END);
  check_near(r.last[0], 0, 1e-12);
  check_near(r.last[1], 3, 1e-12);
  check_near(r.last[2], 9.8 / 3, 1e-12);
}

static void a_mode_at_rest_is_followed(void **state)
{
  (void)state;
  static const char text[] = "model Modes\n"
                             "  parameter Real p = 1;\n"
                             "  model A\n"
                             "    parameter Real p;\n"
                             "    Real y(start = 0.4, fixed = true);\n"
                             "  equation\n"
                             "    der(y) = p - y - y^3;\n"
                             "  end A;\n"
                             "  model B\n"
                             "    Real z(start = 1);\n"
                             "  equation\n"
                             "    der(z) = -z;\n"
                             "  end B;\n"
                             "  A a(p = p);\n"
                             "  B b;\n"
                             "equation\n"
                             "  initialState(a);\n"
                             "  transition(a, b, a.y > 100);\n"
                             "end Modes;\n";
  shown r = along(text, "p", 1, 10);

  check_status(r.ends, BRINK_END);
  check_near(r.last[0], 2, 1e-14);
  check_near(r.last[1], 1, 0);
}

/* Time itself: a run of this model ends where the loop folds. */
static void over_time_a_loop_is_followed_past_its_folds(void **state)
{
  (void)state;
  static const char text[] = "model M\n"
                             "  Real y(start = 1.5);\n"
                             "equation\n"
                             "  y - y^3 = 0.2*time;\n"
                             "end M;\n";
  shown r = along(text, "time", -3, 3);

  check_status(r.ends, BRINK_END);
  assert_int_equal(r.n, 2);
  check_near(r.p[0], 10 / (3 * sqrt(3)), 1e-13);
  check_near(r.value[0][0], 1 / sqrt(3), 1e-10);
}

static void time_stands_still_where_it_starts(void **state)
{
  (void)state;
  static const char text[] = "model M\n"
                             "  parameter Real p = 1;\n"
                             "  Real y(start = 1);\n"
                             "equation\n"
                             "  y^3 + y = p + sin(time);\n"
                             "end M;\n";
  brink_curve_opts opt = over("p", 1, 2);
  shown r = follow(text, 0.73, &opt);

  check_status(r.ends, BRINK_END);
  check_near(pow(r.last[0], 3) + r.last[0], 2 + sin(0.73), 1e-14);
}

/* Newton's method alone does not come from 0 to the only equilibrium. */
static void the_first_point_is_found_from_far_away(void **state)
{
  (void)state;
  static const char text[] = "model M\n"
                             "  parameter Real p = 1;\n"
                             "  Real x(start = 3, fixed = true);\n"
                             "equation\n"
                             "  der(x) = p - x*exp(-x) - 0.02*x;\n"
                             "end M;\n";
  shown r = along(text, "p", 0.9, 1.5);
  double x = r.last[0];

  check_status(r.ends, BRINK_END);
  check_near(x * exp(-x) + 0.02 * x, 1.5, 1e-13);
}

static void a_large_sparse_system_is_followed(void **state)
{
  (void)state;
  static const char text[] =
      "model Ring\n"
      "  parameter Integer n = 400;\n"
      "  parameter Real p = 0;\n"
      "  Real x[n](each start = -1.2);\n"
      "equation\n"
      "  for i in 1:n loop\n"
      "    x[i]^3 - x[i] - p + 2*cos(0)*(2*x[i] - (if i < n then x[i + 1] else x[1])\n"
      "      - (if i > 1 then x[i - 1] else x[n])) = 0;\n"
      "  end for;\n"
      "end Ring;\n";
  shown r = along(text, "p", -0.8, 0.8);

  check_status(r.ends, BRINK_END);
  assert_int_equal(r.n, 2);
  check_near(r.p[0], 2 / (3 * sqrt(3)), 1e-12);
  check_near(r.value[1][7], 1 / sqrt(3), 1e-9);
}

/* ------------------------------------------------------------- bad input --- */

static void refuses(const char *text, const char *name, double from, double to,
                    brink_status status, const char *sentence)
{
  shown r = along(text, name, from, to);

  check_status(r.ends, status);
  check_text(r.text, sentence);
}

static void bad_input_is_refused_with_a_sentence(void **state)
{
  (void)state;
  static const char many[] = "model M\n"
                             "  parameter Real p = 1, unused = 1;\n"
                             "  parameter Integer n = 2;\n"
                             "  final parameter Real f = 2;\n"
                             "  Real x[n](each start = 1);\n"
                             "equation\n"
                             "  for i in 1:n loop\n"
                             "    x[i]^2 = p*i*f;\n"
                             "  end for;\n"
                             "end M;\n";
  refuses(many, NULL, 1, 2, BRINK_EARG, "over which parameter");
  refuses(many, "p", 1, 1, BRINK_EARG, "not from 1 to 1");
  refuses(many, "p", 1, HUGE_VAL, BRINK_EARG, "from 1 to inf");
  refuses(many, "q", 1, 2, BRINK_ENAME, "no parameter or variable 'q'");
  refuses(many, "n", 1, 2, BRINK_EARG, "'n' is not a Real parameter");
  refuses(many, "x[1]", 1, 2, BRINK_EARG, "'x[1]' is not a Real parameter");
  refuses(many, "f", 1, 2, BRINK_EARG, "'f' is final");
  refuses(many, "unused", 1, 2, BRINK_EARG, "no equation at rest depends on");
  refuses("model M\n  parameter Real p = 1;\nend M;\n", "p", 1, 2, BRINK_EMODEL,
          "no equations");
  refuses("model M\n  parameter Real p = 1;\n  Real x(start = 1, fixed = true);\n"
          "equation\n  der(x) = p;\nend M;\n",
          "p", 1, 2, BRINK_EMODEL, "cannot rest: with all derivatives 0, der(x) = p");
  refuses("model M\n  parameter Real p = 1;\n  Real x(start = 1), y(start = 0);\n"
          "equation\n  der(x) = p*y;\n  der(y) = -y*p;\nend M;\n",
          "p", 1, 2, BRINK_EMODEL, "2 equations for 1 unknown");
  refuses("model M\n  parameter Real p = 1;\n  Real x(start = 1, fixed = true);\n"
          "equation\n  der(x) = x^2 + p;\nend M;\n",
          "p", 1, 2, BRINK_ESOLVE, "no solution at rest was found with p = 1");
  brink_curve_opts opt = over("p", 1, 2);
  opt.h_max = 0;
  shown r = follow(many, 0, &opt);
  check_status(r.ends, BRINK_EARG);
}

/* ----------------------------------------------------------------- memory --- */

static brink_status with_memory(flaky *f, const char *text)
{
  brink_alloc alloc = flaky_alloc(f);
  brink_ctx *ctx;
  brink_model *model = NULL;
  brink_sim *sim = NULL;
  brink_curve *curve = NULL;
  brink_curve_opts opt = over("p", -1, 1);
  brink_curve_point at;
  long fail_at = f->fail_at;

  f->fail_at = 0;
  check_status(brink_ctx_new(&alloc, &ctx), BRINK_OK);
  check_status(brink_model_read(ctx, "m", text, strlen(text), NULL, &model), BRINK_OK);
  check_status(brink_sim_new(ctx, model, NULL, &sim), BRINK_OK);
  f->fail_at = fail_at ? f->calls + fail_at : 0;
  brink_status rc = brink_curve_new(sim, 0, &opt, &curve);
  assert_true((curve == NULL) == (rc < 0));
  long calls = f->calls;
  while (rc == BRINK_OK)
    rc = brink_curve_next(curve, &at);
  assert_int_equal(f->calls, calls);
  f->fail_at = 0;
  brink_curve_free(curve);
  brink_sim_free(sim);
  brink_model_free(model);
  brink_ctx_free(ctx);
  assert_int_equal(f->live, 0);
  return rc;
}

static void every_allocation_may_fail_and_points_make_none(void **state)
{
  (void)state;
  flaky f = {0};
  brink_status rc = BRINK_ENOMEM;

  for (long k = 1; rc != BRINK_END; k++) {
    assert_true(k < 10000);
    f.fail_at = k;
    rc = with_memory(&f, s_curve);
    if (rc != BRINK_END)
      check_status(rc, BRINK_ENOMEM);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_s_has_two_folds),
      cmocka_unit_test(a_curve_may_be_followed_either_way),
      cmocka_unit_test(by_the_parameter_a_fold_is_the_end),
      cmocka_unit_test(equilibria_of_a_reactor_fold_twice),
      cmocka_unit_test(bratu_folds_and_branches),
      cmocka_unit_test(two_folds_in_one_step_are_both_found),
      cmocka_unit_test(a_circle_returns),
      cmocka_unit_test(a_pitchfork_is_passed_straight_on),
      cmocka_unit_test(a_crossing_and_a_fold_on_one_curve),
      cmocka_unit_test(corners_are_folds),
      cmocka_unit_test(booleans_follow_the_curve),
      cmocka_unit_test(jumps_are_passed_where_there_is_a_solution_behind),
      cmocka_unit_test(a_relay_without_solution_ends_the_curve),
      cmocka_unit_test(an_expression_without_value_ends_the_curve),
      cmocka_unit_test(limits_are_kept),
      cmocka_unit_test(what_does_not_move_is_held),
      cmocka_unit_test(equations_of_any_index_are_followed),
      cmocka_unit_test(a_mode_at_rest_is_followed),
      cmocka_unit_test(over_time_a_loop_is_followed_past_its_folds),
      cmocka_unit_test(time_stands_still_where_it_starts),
      cmocka_unit_test(the_first_point_is_found_from_far_away),
      cmocka_unit_test(a_large_sparse_system_is_followed),
      cmocka_unit_test(bad_input_is_refused_with_a_sentence),
      cmocka_unit_test(every_allocation_may_fail_and_points_make_none),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
