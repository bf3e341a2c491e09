/* test_tangency.c -- rows of the record about switches that a solution meets without
 * crossing them: folds, repelling points, grazing, the ends of sliding; with dg/dt on
 * both sides. */
#include "hybrid.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static rig of_text(const char *text, double t0)
{
  brink_sim_opts opt = brink_sim_defaults();

  opt.rtol = 1e-9;
  return rig_text(text, &opt, t0);
}

static int is_told(rig *r, const char *part)
{
  const char *text;

  for (int k = 0; (text = brink_sim_warning(r->sim, k)); k++)
    if (strstr(text, part))
      return 1;
  return 0;
}

/* Rows of a kind; of `start`: those that no event has. */
static int is_row(brink_event e, brink_kind kind)
{
  return e.kind == kind && (kind != BRINK_KIND_START || e.index < 0);
}

static long count(const rig *r, brink_kind kind)
{
  long n = 0;

  for (size_t i = 0; i < rig_events(r); i++)
    n += is_row(rig_event(r, i), kind);
  return n;
}

/* The only row of a kind. */
static brink_event the_row(const rig *r, brink_kind kind)
{
  assert_int_equal(count(r, kind), 1);
  for (size_t i = 0;; i++)
    if (is_row(rig_event(r, i), kind))
      return rig_event(r, i);
}

/* ---------------------------------------------------------------- starts ---- */

/* x begins on its zero, by laws for x < 0 and x >= 0. */
static void starts_on_switches_have_rows(void **state)
{
  static const struct {
    const char *below, *above;
    brink_kind kind; /* CROSSING: there is no row */
    double before, after;
    int told;
  } cases[] = {
      {"-2.3", "1.7", BRINK_KIND_START, -2.3, 1.7, 1},
      {"0.31 - time", "1", BRINK_KIND_FOLD, 0, 1, 1}, /* a visible fold, and away */
      {"1.9", "time - 0.31", BRINK_KIND_FOLD, 1.9, 0, 0},
      {"time - 0.31", "-0.7", BRINK_KIND_FOLD, 0, -0.7, 0}, /* slides */
      {"2.9", "-0.7", BRINK_KIND_CROSSING, 0, 0, 0},        /* slides */
      {"2.9", "0.7", BRINK_KIND_CROSSING, 0, 0, 0},
      {"-2.9", "-0.7", BRINK_KIND_CROSSING, 0, 0, 0},
  };

  (void)state;
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    char text[256];
    snprintf(text, sizeof text,
             "model s\n  Real x(start = 0, fixed = true);\nequation\n"
             "  der(x) = if x >= 0 then %s else %s;\nend s;\n",
             cases[k].above, cases[k].below);
    rig r = of_text(text, 0.31);
    brink_sim_run(r.sim, 0.4);
    if (cases[k].kind == BRINK_KIND_CROSSING) {
      assert_int_equal(count(&r, BRINK_KIND_FOLD), 0);
      assert_int_equal(count(&r, BRINK_KIND_START), 0);
    } else {
      brink_event e = the_row(&r, cases[k].kind);
      check_near(e.t, 0.31, 0);
      assert_string_equal(e.name, "x >= 0 (line 4)");
      check_near(e.rate_before, cases[k].before, 1e-14);
      check_near(e.rate_after, cases[k].after, 1e-14);
    }
    assert_int_equal(is_told(&r, "on the zero of"), cases[k].told);
    rig_free(&r);
  }
}

/* A residual of a loop is 0 but for rounding, whatever the law: none of its derivatives
 * differs from 0, though the state hardly moves and differences could span ages. */
static void a_guard_that_is_rounding_makes_no_row(void **state)
{
  rig r = of_text("model n\n  Real x(start = 1), err, total(start = 0, fixed = true);\n"
                  "equation\n  cos(x) = 0.47*time;\n"
                  "  err = abs(cos(x) - 0.47*time);\n  der(total) = err;\nend n;\n",
                  0);

  (void)state;
  check_status(brink_sim_run(r.sim, 1.1), BRINK_END);
  assert_int_equal(rig_events(&r), 0);
  assert_false(is_told(&r, "not unique"));
  rig_free(&r);
}

/* A law leads to the zero on which the run begins, and that behind stands there and
 * comes back, by its second or third derivative: the solution slides at once, and
 * leaves where d has grown to 0.25. */
static void sliding_begins_with_a_fold(void **state)
{
  static const struct {
    const char *d;
    double leaves;
  } cases[] = {
      {"0.6*sin(time)", 0.42977543} /* asin(0.25/0.6) */,
      {"0.31*time", 0.25 / 0.31},
      {"0.31*time^2", 0.89802651} /* sqrt(0.25/0.31) */,
      {"0.7*max(0, time - 0.2)", 0.2 + 0.25 / 0.7},
  };
  static const char *const law[] = {"if x > 0 then -0.25 else 0",
                                    "if x >= 0 then -0.25 else 0",
                                    "-0.125 - 0.125*sign(x)", "-0.25*floor(x + 1)"};

  (void)state;
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
    for (size_t m = 0; m < sizeof law / sizeof *law; m++) {
      char text[256];
      snprintf(text, sizeof text,
               "model s\n  Real x(start = 0, fixed = true);\nequation\n"
               "  der(x) = (%s) + %s;\nend s;\n",
               law[m], cases[k].d);
      rig r = of_text(text, 0);
      check_status(brink_sim_run(r.sim, 0.41), BRINK_END);
      check_near(rig_value(&r, "x"), 0, 1e-14);
      check_status(brink_sim_run(r.sim, 0.95), BRINK_END);
      check_near(the_row(&r, BRINK_KIND_SLIDE_OUT).t, cases[k].leaves, 1e-8);
      assert_false(is_told(&r, "on the zero of"));
      rig_free(&r);
    }
}

/* The same of two switches at once, whose laws vanish at the start: nothing but their
 * gradients tells them apart. */
static void two_folds_begin_to_slide(void **state)
{
  rig r = of_text("model s\n  Real x(start = 0, fixed = true);\n"
                  "  Real y(start = 0, fixed = true);\nequation\n"
                  "  der(x) = (if x > 0 then -0.25 else 0) + time;\n"
                  "  der(y) = (if y > 0 then -0.6 else 0) + 2*time;\nend s;\n",
                  0);

  (void)state;
  check_status(brink_sim_run(r.sim, 1), BRINK_END);
  assert_int_equal(count(&r, BRINK_KIND_FOLD), 2);
  assert_int_equal(count(&r, BRINK_KIND_SLIDE_IN), 2);
  assert_int_equal(count(&r, BRINK_KIND_SLIDE_OUT), 2);
  check_near(rig_value(&r, "x"), 0.5 * 0.75 * 0.75, 1e-9);
  check_near(rig_value(&r, "y"), 0.7 * 0.7, 1e-9);
  rig_free(&r);
}

/* ---------------------------------------------------------------- grazing ---- */

/* y = (t - 1)^2 touches 0, beyond which the law is another one, or the same. */
static void touches_of_switches_that_leave_a_choice_are_grazing(void **state)
{
  static const struct {
    double beyond;
    int told;
  } cases[] = {{-1.25, 1}, {0.75, 0}};

  (void)state;
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    char text[256];
    snprintf(text, sizeof text,
             "model g\n  Real y(start = 1, fixed = true);\nequation\n"
             "  der(y) = if y < 0 then %g else 2*(time - 1);\nend g;\n",
             cases[k].beyond);
    rig r = of_text(text, 0);
    check_status(brink_sim_run(r.sim, 3), BRINK_END);
    brink_event e = the_row(&r, cases[k].told ? BRINK_KIND_GRAZING : BRINK_KIND_TOUCH);
    check_near(e.t, 1, 1e-7);
    check_near(e.rate_before, cases[k].beyond, 1e-14);
    check_near(e.rate_after, 0, 0);
    assert_int_equal(brink_sim_statistics(r.sim).touches, 1);
    assert_int_equal(is_told(&r, "not unique"), cases[k].told);
    rig_free(&r);
  }
}

static void touches_without_another_law_are_touches(void **state)
{
  rig r = of_text("model g\n  Real y(start = 1, fixed = true);\n"
                  "  Integer n(start = 0, fixed = true);\nequation\n"
                  "  der(y) = 2*(time - 1);\n"
                  "  when y < 0 then\n    n = pre(n) + 1;\n  end when;\nend g;\n",
                  0);

  (void)state;
  check_status(brink_sim_run(r.sim, 3), BRINK_END);
  check_near(the_row(&r, BRINK_KIND_TOUCH).t, 1, 1e-7);
  assert_true(isnan(the_row(&r, BRINK_KIND_TOUCH).rate_before));
  assert_int_equal(count(&r, BRINK_KIND_GRAZING), 0);
  rig_free(&r);
}

/* --------------------------------------------------------- ends of sliding ---- */

/* x' = -1.1 + 0.4 t above, 0.9 below: leaves upward at 1.1/0.4. */
static void rows_of_sliding_have_the_rates_of_both_sides(void **state)
{
  rig r = of_text("model s\n  Real x(start = 0.2, fixed = true);\nequation\n"
                  "  der(x) = if x > 0 then 0.4*time - 1.1 else 0.9;\nend s;\n",
                  -0.3);

  (void)state;
  check_status(brink_sim_run(r.sim, 4), BRINK_END);
  brink_event in = the_row(&r, BRINK_KIND_SLIDE_IN),
              out = the_row(&r, BRINK_KIND_SLIDE_OUT);
  check_near(in.rate_before, 0.9, 1e-14);
  check_near(in.rate_after, 0.4 * in.t - 1.1, 1e-14);
  check_near(out.t, 2.75, 1e-14);
  check_near(out.rate_before, 0.9, 1e-14);
  check_near(out.rate_after, 0, 1e-14);
  assert_int_equal(count(&r, BRINK_KIND_FOLD), 0);
  assert_false(is_told(&r, "not unique"));
  rig_free(&r);
}

/* Both rates become 0 at 0.73, and lead away from there on: along x = 0 the weight
 * would stay inside [0, 1]. */
static void sliding_ends_at_a_two_fold(void **state)
{
  static const char *const methods[] = {"dopri5", "dop853", "radau", "taylor"};
  rig r = of_text("model s\n  Real x(start = 0.01, fixed = true);\nequation\n"
                  "  der(x) = if x > 0 then 1.3*(time - 0.73) else 0.9*(0.73 - time);\n"
                  "end s;\n",
                  0.1);

  (void)state;
  for (int m = 0; m < 4; m++) {
    brink_sim_opts opt = brink_sim_defaults();
    brink_sim *sim = NULL;
    opt.method = methods[m];
    check_status(brink_sim_new(r.ctx, r.model, &opt, &sim), BRINK_OK);
    brink_sim_free(r.sim);
    r.sim = sim;
    check_status(brink_sim_start(sim, 0.1, 0, NULL), BRINK_OK);
    check_status(brink_sim_run(sim, 2), BRINK_END);
    brink_event fold = the_row(&r, BRINK_KIND_FOLD);
    check_near(fold.t, 0.73, 1e-9);
    check_near(fold.rate_before, 0, 0);
    check_near(fold.rate_after, 0, 0);
    check_near(the_row(&r, BRINK_KIND_SLIDE_OUT).t, 0.73, 1e-9);
    assert_true(is_told(&r, "not unique"));
    double x = brink_sim_state(sim)[0], s = 1.27 * 1.27 / 2;
    check_near(x, x > 0 ? 1.3 * s : -0.9 * s, 1e-5);
  }
  rig_free(&r);
}

/* Sliding leads into the two-fold y = z = 0 by itself, with y + z = 1.7 - 0.9 t; steps
 * become short in front of it, and one rate is some 1e-11 where the other is 0. */
static void sliding_leads_into_a_two_fold(void **state)
{
  static const char text[] =
      "model s\n  Real x(start = 0.01, fixed = true);\n"
      "  Real y(start = 1, fixed = true), z(start = 0.7, fixed = true);\nequation\n"
      "  der(x) = if x > 0 then -y else z;\n  der(y) = if x > 0 then 0.1 else -1;\n"
      "  der(z) = if x > 0 then -1 else 0.1;\nend s;\n";
  static const double tolerances[] = {1e-4, 1e-6, 1e-8, 1e-10};

  (void)state;
  for (int i = 0; i < 4; i++) {
    brink_sim_opts opt = brink_sim_defaults();
    opt.rtol = tolerances[i];
    rig r = rig_text(text, &opt, 0);
    check_status(brink_sim_run(r.sim, 1.89), BRINK_END);
    brink_event fold = the_row(&r, BRINK_KIND_FOLD);
    check_near(fold.t, 1.7 / 0.9, 1e-8);
    check_near(fold.rate_before, 0, 0);
    check_near(fold.rate_after, 0, 0);
    assert_true(is_told(&r, "not unique"));
    rig_free(&r);
  }
}

/* Friction without a mass: from F = -0.7 on neither value of v > 0 agrees with what
 * follows from it; the record says of which relation, and when. */
static void an_end_without_a_branch_is_in_the_record(void **state)
{
  rig r = of_text("model s\n  Real s(start = 0, fixed = true), v(start = -1), F, R;\n"
                  "equation\n  der(s) = v;\n  F = 2*sin(time) - 1.5;\n"
                  "  F = 0.5*v + R;\n  R = if v > 0 then 0.7 else -0.7;\nend s;\n",
                  0);

  (void)state;
  check_status(brink_sim_run(r.sim, 1), BRINK_EDOMAIN);
  check_text(brink_sim_error(r.sim)->text, "neither value of v > 0");
  brink_event loop = the_row(&r, BRINK_KIND_LOOP);
  check_near(loop.t, asin(0.4), 1e-8);
  check_text(loop.name, "v > 0");
  rig_free(&r);
}

/* Behind z = 0.5 both laws lead away. */
static void sliding_ends_where_a_surface_repels(void **state)
{
  rig r =
      of_text("model s\n  Real x(start = 0.2, fixed = true);\n"
              "  Real z(start = -0.37, fixed = true);\nequation\n"
              "  der(x) = (if z < 0.5 then -1 else 1)*(if x > 0 then 1.2 else -0.8);"
              "\n  der(z) = 0.9;\nend s;\n",
              0.1);

  (void)state;
  check_status(brink_sim_run(r.sim, 2), BRINK_END);
  brink_event out = the_row(&r, BRINK_KIND_SLIDE_OUT);
  check_near(out.t, 0.1 + 0.87 / 0.9, 1e-9);
  check_near(out.rate_before, -0.8, 1e-14);
  check_near(out.rate_after, 1.2, 1e-14);
  assert_true(is_told(&r, "not unique"));
  rig_free(&r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(starts_on_switches_have_rows),
      cmocka_unit_test(a_guard_that_is_rounding_makes_no_row),
      cmocka_unit_test(sliding_begins_with_a_fold),
      cmocka_unit_test(two_folds_begin_to_slide),
      cmocka_unit_test(touches_of_switches_that_leave_a_choice_are_grazing),
      cmocka_unit_test(touches_without_another_law_are_touches),
      cmocka_unit_test(rows_of_sliding_have_the_rates_of_both_sides),
      cmocka_unit_test(sliding_ends_at_a_two_fold),
      cmocka_unit_test(sliding_leads_into_a_two_fold),
      cmocka_unit_test(an_end_without_a_branch_is_in_the_record),
      cmocka_unit_test(sliding_ends_where_a_surface_repels),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
