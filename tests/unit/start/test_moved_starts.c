/* Start values that were not kept: which, how far, and what forced them. */
#include "check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "brink/brink.h"
#include "brink/load.h"

typedef struct rig {
  brink_ctx *ctx;
  brink_model *model;
  brink_sim *sim;
} rig;

static rig open_rig(const char *text)
{
  rig r = {NULL, NULL, NULL};

  check_status(brink_ctx_new(NULL, &r.ctx), BRINK_OK);
  if (brink_model_read(r.ctx, "m.mo", text, strlen(text), NULL, &r.model) < 0)
    fail_msg("%s", brink_ctx_error(r.ctx)->text);
  check_status(brink_sim_new(r.ctx, r.model, NULL, &r.sim), BRINK_OK);
  return r;
}

static void start(const rig *r)
{
  if (brink_sim_start(r->sim, 0, 0, NULL) < 0)
    fail_msg("%s", brink_sim_error(r->sim)->text);
}

static rig started(const char *text)
{
  rig r = open_rig(text);

  start(&r);
  return r;
}

static void end(rig *r)
{
  brink_sim_free(r->sim);
  brink_model_free(r->model);
  brink_ctx_free(r->ctx);
}

/* The entry about a variable; NULL: there is none. */
static const brink_moved_start *about(const brink_sim *sim, const char *name)
{
  const brink_moved_start *m;

  for (size_t i = 0; (m = brink_sim_moved_start(sim, i)); i++)
    if (strcmp(m->name, name) == 0)
      return m;
  return NULL;
}

static void check_move(const rig *r, const char *name, double from, const char *by,
                       int line)
{
  const brink_moved_start *m = about(r->sim, name);
  double now = nan("");

  if (!m)
    fail_msg("nothing is said about %s", name);
  check_status(brink_sim_get(r->sim, name, &now), BRINK_OK);
  check_near(m->from, from, 0);
  check_near(m->to, now, 1e-12);
  assert_string_equal(m->forced_by, by);
  assert_int_equal(m->line, line);
}

/* A pendulum with what is said of the start of its four quantities. */
static const char *pendulum(const char *x, const char *y, const char *vx,
                            const char *vy, const char *more)
{
  static char text[1000];

  snprintf(text, sizeof text,
           "model M\n"
           "  parameter Real L = 1.3;\n"
           "  Real x%s;\n"
           "  Real y%s;\n"
           "  Real vx%s;\n"
           "  Real vy%s;\n"
           "  Real F;\n"
           "%s"
           "equation\n"
           "  der(x) = vx; der(y) = vy;\n"
           "  der(vx) = -F*x; der(vy) = -F*y - 9.81;\n"
           "  x^2 + y^2 = L^2;\n"
           "end M;\n",
           x, y, vx, vy, more);
  return text;
}

static const char circle[] = "x^2 + y^2 = L^2 (line 11)";
static const char tangent[] = "x^2 + y^2 = L^2 (line 11), differentiated once";

/* ------------------------------------------------------------------- higher index ---
 */

static void a_constraint_is_named_that_moves_a_position(void **state)
{
  rig r = started(pendulum("(start = 0.5, fixed = true)", "(start = -1)", "", "", ""));

  (void)state;
  assert_int_equal(brink_sim_moved_starts(r.sim), 1);
  check_move(&r, "y", -1, circle, 11);
  check_near(brink_sim_moved_start(r.sim, 0)->to, -1.2, 1e-13);
  end(&r);
}

/* vx is a state beside der(x), on which the constraint acts. */
static void its_derivative_is_named_that_moves_a_velocity(void **state)
{
  rig r = started(pendulum("(start = 0.5, fixed = true)", "(start = -1.2)",
                           "(start = 0.4)", "(start = 0.9)", ""));

  (void)state;
  assert_int_equal(brink_sim_moved_starts(r.sim), 2);
  check_move(&r, "vx", 0.4, tangent, 11);
  check_move(&r, "vy", 0.9, tangent, 11);
  end(&r);
}

static void names_of_derivatives_are_listed_by_their_own_name(void **state)
{
  rig r = started("model M\n"
                  "  Real x(start = 0.6, fixed = true), y(start = -0.8), F;\n"
                  "  Real u(start = 0.7), w;\n"
                  "equation\n"
                  "  u = der(x); w = der(y);\n"
                  "  der(der(x)) = -F*x; der(der(y)) = -F*y - 9.81;\n"
                  "  x^2 + y^2 = 1;\n"
                  "initial equation\n"
                  "  w = 0.3;\n"
                  "end M;\n");

  (void)state;
  assert_int_equal(brink_sim_moved_starts(r.sim), 1);
  const brink_moved_start *m = about(r.sim, "u");
  assert_non_null(m);
  check_near(m->to, 0.4, 1e-13);
  check_text(m->forced_by, "x^2 + y^2 = 1 (line 7), differentiated once");
  end(&r);
}

/* -------------------------------------------------------------- initial equations ---
 */

static void initial_equations_are_named(void **state)
{
  rig r = started("model M\n"
                  "  parameter Real p(fixed = false, start = 3);\n"
                  "  Real x(start = 3), y(start = 0.4), z(start = 7);\n"
                  "  discrete Real d(start = 1);\n"
                  "initial equation\n"
                  "  x = 0.61;\n"
                  "  y^3 = 2;\n"
                  "  der(z) = 0;\n"
                  "  p*x = 1;\n"
                  "  d = 2.5;\n"
                  "equation\n"
                  "  der(x) = -x; der(y) = 1; der(z) = 5 - z;\n"
                  "  when x < 0.1 then\n"
                  "    d = 3;\n"
                  "  end when;\n"
                  "end M;\n");

  (void)state;
  assert_int_equal(brink_sim_moved_starts(r.sim), 5);
  check_move(&r, "x", 3, "x = 0.61 (line 6)", 6);
  check_move(&r, "y", 0.4, "y^3 = 2 (line 7)", 7);
  check_move(&r, "z", 7, "der(z) = 0 (line 8)", 8);
  check_move(&r, "p", 3, "p*x = 1 (line 9)", 9);
  check_move(&r, "d", 1, "d = 2.5 (line 10)", 10);
  end(&r);
}

/* Two conditions on the same unknowns, one of which pulls y down, the other z up. */
static void the_condition_with_the_largest_share_is_named(void **state)
{
  rig r = started("model M\n"
                  "  Real x(start = 1), y(start = 1), z(start = 1);\n"
                  "initial equation\n"
                  "  x + 9*y = 4;\n"
                  "  x - 8*z = -14;\n"
                  "equation\n"
                  "  der(x) = 0; der(y) = 0; der(z) = 0;\n"
                  "end M;\n");

  (void)state;
  check_text(about(r.sim, "y")->forced_by, "x + 9*y = 4");
  check_text(about(r.sim, "z")->forced_by, "x - 8*z = -14");
  end(&r);
}

/* ------------------------------------------------------------------ what is listed ---
 */

static void kept_fixed_and_missing_start_values_are_not_listed(void **state)
{
  rig r = started(pendulum("(start = 0.5)", "(start = -1.2)", "", "", ""));

  (void)state;
  assert_int_equal(brink_sim_moved_starts(r.sim), 0);
  assert_null(brink_sim_moved_start(r.sim, 0));
  end(&r);
  r = started(
      pendulum("(start = 0.5, fixed = true)", "", "(start = 1, fixed = true)", "", ""));
  assert_int_equal(brink_sim_moved_starts(r.sim), 0);
  end(&r);
}

static void start_values_that_are_set_count_as_written(void **state)
{
  rig r = open_rig(pendulum("(start = 0.5, fixed = true)", "", "", "", ""));

  (void)state;
  check_status(brink_sim_set_start(r.sim, "y", -0.9), BRINK_OK);
  start(&r);
  assert_int_equal(brink_sim_moved_starts(r.sim), 1);
  check_move(&r, "y", -0.9, circle, 11);
  brink_sim_reset(r.sim);
  start(&r);
  assert_int_equal(brink_sim_moved_starts(r.sim), 0);
  end(&r);
}

static void the_farthest_come_first_and_the_others_are_counted(void **state)
{
  rig r = started("model M\n"
                  "  parameter Integer N = 45;\n"
                  "  Real x[N](start = {0.01*mod(7*i, N) for i in 1:N}, "
                  "nominal = {if i > 40 then 1e-3 else 1 for i in 1:N});\n"
                  "initial equation\n"
                  "  for i in 1:N loop\n"
                  "    sinh(x[i]) = 2;\n"
                  "  end for;\n"
                  "equation\n"
                  "  for i in 1:N loop\n"
                  "    der(x[i]) = 0;\n"
                  "  end for;\n"
                  "end M;\n");
  const brink_moved_start *m;
  double before = HUGE_VAL;
  size_t n = 0;

  (void)state;
  assert_int_equal(brink_sim_moved_starts(r.sim), 45);
  for (; (m = brink_sim_moved_start(r.sim, n)); n++) {
    int number = atoi(m->name + 2);
    double far = fabs(m->to - m->from) / (number > 40 ? 1e-3 : 1);
    assert_true(far <= before);
    assert_int_equal(n<5, number> 40);
    before = far;
  }
  assert_int_equal(n, BRINK_MOVED_STARTS);
  end(&r);
}

/* ----------------------------------------------------------------- how long it is ---
 */

static void the_list_is_kept_until_the_next_start(void **state)
{
  rig r = started("model M\n"
                  "  model A Real x(start = 1.4); initial equation x^2 = 3; equation "
                  "der(x) = -x; end A;\n"
                  "  model B Real x; equation der(x) = 1; end B;\n"
                  "  A a; B b;\n"
                  "equation\n"
                  "  initialState(a);\n"
                  "  transition(a, b, a.x < 1.1);\n"
                  "  annotation(__brink(modes = true));\n"
                  "end M;\n");
  brink_sim *clone = NULL;

  (void)state;
  check_status(brink_sim_run(r.sim, 2), BRINK_END);
  assert_int_equal(brink_sim_mode(r.sim), 1);
  assert_int_equal(brink_sim_moved_starts(r.sim), 1);
  assert_string_equal(brink_sim_moved_start(r.sim, 0)->name, "a.x");
  check_near(brink_sim_moved_start(r.sim, 0)->to, sqrt(3), 1e-14);
  check_status(brink_sim_clone(r.ctx, r.sim, &clone), BRINK_OK);
  check_text(brink_sim_moved_start(clone, 0)->forced_by, "= 3 (line 2)");
  brink_sim_free(clone);
  check_status(brink_sim_start(r.sim, 0, 0, (double[]){2.5}), BRINK_OK);
  assert_int_equal(brink_sim_moved_starts(r.sim), 0);
  end(&r);
}

static void a_run_that_goes_back_in_time_keeps_the_list(void **state)
{
  rig r = started(pendulum("(start = 0.5, fixed = true)", "(start = -1)", "", "", ""));

  (void)state;
  check_status(brink_sim_run(r.sim, -1), BRINK_END);
  assert_int_equal(brink_sim_moved_starts(r.sim), 1);
  end(&r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_constraint_is_named_that_moves_a_position),
      cmocka_unit_test(its_derivative_is_named_that_moves_a_velocity),
      cmocka_unit_test(names_of_derivatives_are_listed_by_their_own_name),
      cmocka_unit_test(initial_equations_are_named),
      cmocka_unit_test(the_condition_with_the_largest_share_is_named),
      cmocka_unit_test(kept_fixed_and_missing_start_values_are_not_listed),
      cmocka_unit_test(start_values_that_are_set_count_as_written),
      cmocka_unit_test(the_farthest_come_first_and_the_others_are_counted),
      cmocka_unit_test(the_list_is_kept_until_the_next_start),
      cmocka_unit_test(a_run_that_goes_back_in_time_keeps_the_list),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
