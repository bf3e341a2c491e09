/* test_classification.c -- what a run says about solutions that are not the only ones,
 * or that do not exist. */
#include "hybrid.h"

#include <stdio.h>
#include <string.h>

static rig of_text(const char *text)
{
  brink_sim_opts opt = brink_sim_defaults();

  return rig_text(text, &opt, 0);
}

/* The warning that contains `part`; NULL: none does. */
static const char *warning_with(rig *r, const char *part)
{
  const char *text;

  for (int k = 0; (text = brink_sim_warning(r->sim, k)); k++)
    if (strstr(text, part))
      return text;
  return NULL;
}

/* Exactly one warning contains the first of these words, and it has all of them. */
static void check_warning(rig *r, const char *const *words)
{
  const char *text = warning_with(r, words[0]);
  int n = 0;

  if (!text)
    fail_msg("no warning about '%s'", words[0]);
  for (int k = 0; words[k]; k++)
    if (!strstr(text, words[k]))
      fail_msg("'%s' is not in: %s", words[k], text);
  for (int k = 0; (text = brink_sim_warning(r->sim, k)); k++)
    n += strstr(text, words[0]) != NULL;
  assert_int_equal(n, 1);
}

#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* ------------------------------------------------------------- contacts ---- */

/* Two bounds with the reflection matrix R, and the law f. */
static rig corner(const char *matrix, const char *start, const char *f)
{
  char text[512];

  snprintf(text, sizeof text,
           "model corner\n  parameter Real R[2, 2] = %s;\n"
           "  Real x[2](start = %s, each fixed = true, each min = 0)\n"
           "    annotation(__brink(reflect = R));\nequation\n  der(x) = %s;\n"
           "end corner;\n",
           matrix, start, f);
  rig r = of_text(text);
  brink_sim_run(r.sim, 1);
  return r;
}

static void pushes_that_are_not_unique_are_told(void **state)
{
  rig r = corner("[1, 2; 2, 1]", "{0.3, 0.3}", "{-1, -1}");

  (void)state;
  check_warning(&r, WORDS("not unique", "t = 0.3", "'x[1] < 0.0 (line 4)'",
                          "'x[2] < 0.0 (line 4)'", "no P-matrix"));
  assert_null(warning_with(&r, "completely-S"));
  check_status(brink_sim_start(r.sim, 0, 0, NULL), BRINK_OK);
  assert_null(warning_with(&r, "not unique")); /* a new run */
  rig_free(&r);
}

static void pushes_that_do_not_exist_are_told(void **state)
{
  rig r = corner("[1, -2; -2, 1]", "{0.3, 0.3}", "{-1, -1}");

  (void)state;
  check_warning(&r, WORDS("no reactions", "t = 0.3", "x[1] < 0.0", "x[2] < 0.0",
                          "inside: nothing is held"));
  rig_free(&r);
}

static void a_matrix_that_is_not_completely_s_is_told(void **state)
{
  rig r = corner("[1, -2; -2, 1]", "{0, 0}", "{-1, 3}");

  (void)state;
  check_warning(&r, WORDS("not completely-S", "t = 0", "x[1] < 0.0", "x[2] < 0.0"));
  check_near(brink_sim_state(r.sim)[0], 0, 0);
  check_near(brink_sim_state(r.sim)[1], 1, 1e-9);
  rig_free(&r);
}

static void nothing_is_said_of_what_is_determined(void **state)
{
  rig r = corner("[1, -0.5; 0.25, 1]", "{0.3, 0.3}", "{-1, -1}");

  (void)state;
  assert_null(brink_sim_warning(r.sim, 0));
  rig_free(&r);
}

static void many_faces_are_not_checked_and_it_is_said(void **state)
{
  static const char form[] =
      "model many\n  parameter Real R[%d, %d] = identity(%d);\n"
      "  Real x[%d](each start = 0.5, each fixed = true, each min = 0)\n"
      "    annotation(__brink(reflect = R));\nequation\n"
      "  for i in 1:%d loop\n    der(x[i]) = -1;\n  end for;\nend many;\n";

  (void)state;
  for (int n = 12; n <= 13; n++) {
    char text[512];
    snprintf(text, sizeof text, form, n, n, n, n, n);
    rig r = of_text(text);
    check_status(brink_sim_run(r.sim, 0.501), BRINK_END);
    if (n == 13)
      check_warning(&r, WORDS("not checked", "t = 0.5", "'x[1] < 0.0 (line 4)'",
                              "and 11 more", "beyond 12"));
    else
      assert_null(warning_with(&r, "not checked"));
    rig_free(&r);
  }
}

/* Two supports share the weight in many ways, and the plate stands still in all. */
static void reactions_that_do_the_same_are_not_told_apart(void **state)
{
  rig r = of_text("model plate\n  Real x(start = 1, fixed = true);\n"
                  "  Real v(start = 0, fixed = true);\nequation\n  der(x) = v;\n"
                  "  der(v) = -9.81;\n  when x <= 0 then\n    reinit(v, 0);\n"
                  "  elsewhen 2*x <= 0 then\n    reinit(v, 0);\n  end when;\n"
                  "end plate;\n");

  (void)state;
  check_status(brink_sim_run(r.sim, 3), BRINK_END);
  check_near(brink_sim_state(r.sim)[0], 0, 0);
  assert_null(brink_sim_warning(r.sim, 0));
  rig_free(&r);
}

/* ---------------------------------------------------- resets without reading ---- */

#define BODY(condition, resets)                                                        \
  "model body\n  Real x(start = 1, fixed = true), v(start = 0, fixed = true);\n"       \
  "  Real u(start = 0, fixed = true);\nequation\n  der(x) = v;\n  der(v) = -9.81;\n"   \
  "  der(u) = 0;\n  when " condition " then\n" resets "  end when;\nend body;\n"

static void resets_without_a_reading_are_told(void **state)
{
  static const struct {
    const char *text, *words[5];
    brink_status end;
  } cases[] = {
      {BODY("x <= 0 or 2*x <= 0", "    reinit(v, 0);\n"),
       {"read as a contact", "x <= 0 (line 8)", "t = 0.4515", "stays true", NULL},
       BRINK_END},
      {BODY("x <= 0 or 2*x <= 0", "    reinit(v, -0.5*v);\n"),
       {"read as a contact", "x <= 0 (line 8)", "t = 1.3545", "stays true", NULL},
       BRINK_ZENO},
      {BODY("x <= 0", "    reinit(v, 0);\n    reinit(u, u + sqrt(abs(v)));\n"),
       {"read as a contact", "x <= 0 (line 8)", "t = 0.4515", "not proportional", NULL},
       BRINK_END},
      {BODY("x <= 0", "    reinit(v, -0.5*v);\n    reinit(u, u + sqrt(abs(v)));\n"),
       {"read as a contact", "x <= 0 (line 8)", "t = 1.3545", "not proportional", NULL},
       BRINK_ZENO},
  };

  (void)state;
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    rig r = of_text(cases[k].text);
    check_status(brink_sim_run(r.sim, 2), cases[k].end);
    check_warning(&r, cases[k].words);
    rig_free(&r);
  }
}

static int fall(double t, const double *y, double *f, const brink_env *e)
{
  (void)t, (void)e;
  f[0] = y[1];
  f[1] = -9.81;
  return 0;
}

static int to_another_mode(brink_jump *j)
{
  j->y[1] *= -0.5;
  j->mode = 1 - j->mode;
  return 0;
}

static void a_bounce_into_another_mode_is_told(void **state)
{
  static const double y0[] = {1, 0};
  brink_guard_def guard = {.name = "height", .state = 0};
  brink_event_def event = {.name = "floor", .dir = BRINK_DOWN, .jump = to_another_mode};
  brink_mode_def mode = {.name = "even",
                         .n = 2,
                         .rhs = fall,
                         .guards = &guard,
                         .n_guards = 1,
                         .events = &event,
                         .n_events = 1};
  brink_mode_def modes[] = {mode, mode};
  brink_model_def def = {.name = "ball", .modes = modes, .n_modes = 2};
  brink_sim_opts opt = brink_sim_defaults();

  (void)state;
  modes[1].name = "odd";
  rig r = rig_new(&def, &opt, 0, 0, y0);
  check_status(brink_sim_run(r.sim, 2), BRINK_ZENO);
  check_warning(&r, WORDS("read as a contact", "'height'", "changes the mode"));
  rig_free(&r);
}

/* The wheel goes over from one spoke to the next, an angle whatever its speed: that is
 * no push at the end of the first. */
static void a_jump_to_another_place_is_told(void **state)
{
  rig r =
      of_text("model wheel\n  parameter Real c = 0.08, a = acos(-1)/8;\n"
              "  Real q(start = -0.1, fixed = true), w(start = 0.9, fixed = true);\n"
              "equation\n  der(q) = w;\n  der(w) = 9.81*sin(q);\n"
              "  when q >= c + a then\n    reinit(q, c - a);\n"
              "    reinit(w, w*cos(2*a));\n  end when;\n"
              "  when q <= c - a then\n    reinit(q, c + a);\n"
              "    reinit(w, w*cos(2*a));\n  end when;\nend wheel;\n");
  const brink_trace *trace;

  (void)state;
  check_status(brink_sim_run(r.sim, 0.7), BRINK_END);
  trace = brink_sim_trace(r.sim);
  for (size_t k = 0; k < brink_trace_events(trace); k++)
    assert_int_not_equal(brink_trace_event(trace, k).kind, BRINK_KIND_REST);
  check_warning(&r, WORDS("read as a contact", "q >= c + a (line 7)", "t = 0.54",
                          "a slow approach goes on", NULL));
  rig_free(&r);
}

/* Guards that accumulate by switching laws reset nothing, a ball at rest has a reading,
 * one that is kicked away needs none, and an event that resets another state than its
 * guard follows is no impact. */
static void nothing_is_said_of_other_events(void **state)
{
  static const char *const texts[] = {
      BODY("x <= 0", "    reinit(v, -0.5*v);\n"), BODY("x <= 0", "    reinit(v, 1);\n"),
      "model tanks\n  Real x(start = 1, fixed = true), y(start = 1, fixed = true);\n"
      "  Boolean left(start = true, fixed = true);\nequation\n"
      "  der(x) = (if left then 1.5 else 0) - 1;\n"
      "  der(y) = (if left then 0 else 1.5) - 1;\n"
      "  when y <= 0 then\n    left = false;\n  elsewhen x <= 0 then\n"
      "    left = true;\n  end when;\nend tanks;\n",
      "model cell\n  Real c(start = 1, fixed = true), m(start = 0.7, fixed = true);\n"
      "equation\n  der(c) = -c;\n  der(m) = 0.1*m;\n"
      "  when c < 0.43 then\n    reinit(m, m/2);\n  end when;\nend cell;\n"};

  (void)state;
  for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
    rig r = of_text(texts[k]);
    check_status(brink_sim_run(r.sim, 6), k == 2 ? BRINK_ZENO : BRINK_END);
    assert_null(warning_with(&r, "read as a contact"));
    rig_free(&r);
  }
}

/* ------------------------------------------------------------- switches ---- */

static void repelling_switches_are_told(void **state)
{
  static const struct {
    const char *text, *words[6];
  } cases[] = {
      {"model a\n  Real x(start = 0, fixed = true);\nequation\n"
       "  der(x) = if x >= 0 then 2 else -3;\nend a;\n",
       {"not unique", "x >= 0 (line 4)", "t = 0 ", "(dg/dt = -3)", "(dg/dt = 2)"}},
      {"model b\n  Real x(start = 0, fixed = true);\nequation\n"
       "  der(x) = sign(x);\nend b;\n",
       {"not unique", "sign(x) (line 4)", "t = 0 ", "no derivative of g"}},
      {"model c\n  Real x(start = 0, fixed = true), v(start = 0, fixed = true);\n"
       "equation\n  der(x) = v;\n  der(v) = if x >= 0 then 2 else -3;\nend c;\n",
       {"not unique", "x >= 0 (line 5)", "t = 0 ", "(d2g/dt2 = -3, a visible fold)",
        "(d2g/dt2 = 2, a visible fold)"}},
      {"model d\n  Real x(start = 1, fixed = true);\nequation\n"
       "  der(x) = if x >= 0 then 2 else -3;\n  when time >= 0.5 then\n"
       "    reinit(x, 0);\n  end when;\nend d;\n",
       {"not unique", "x >= 0 (line 4)", "t = 0.5 ", "(dg/dt = -3)", "(dg/dt = 2)"}},
  };

  (void)state;
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    rig r = of_text(cases[k].text);
    check_status(brink_sim_run(r.sim, 1), BRINK_END);
    check_warning(&r, cases[k].words);
    rig_free(&r);
  }
}

static void touching_laws_that_come_back_are_told(void **state)
{
  rig r = of_text("model e\n  Real x(start = 0, fixed = true);\n"
                  "  Real v(start = 0, fixed = true);\nequation\n  der(x) = v;\n"
                  "  der(v) = if x >= 0 then -2 else 3;\nend e;\n");

  (void)state;
  brink_sim_run(r.sim, 1e-3);
  check_warning(&r, WORDS("touch and come back", "x >= 0 (line 6)", "t = 0 ",
                          "d2g/dt2 = -2, an invisible fold",
                          "d2g/dt2 = 3, an invisible fold"));
  rig_free(&r);
}

static void determined_switches_are_not_told(void **state)
{
  static const char *const laws[] = {
      "if x >= 0 then 2 else 3",   /* away, and to it           */
      "if x >= 0 then -2 else -3", /* a crossing                */
      "if x >= 0 then -2 else 3",  /* sliding                   */
      "-sign(x)",
      "time + (if x >= 0 then 1e-3 else 2)",
      "if x >= 0 then time else 1", /* a fold, to it behind      */
  };

  (void)state;
  for (size_t k = 0; k < sizeof laws / sizeof *laws; k++) {
    char text[256];
    snprintf(text, sizeof text,
             "model f\n  Real x(start = 0, fixed = true);\nequation\n"
             "  der(x) = %s;\nend f;\n",
             laws[k]);
    rig r = of_text(text);
    check_status(brink_sim_run(r.sim, 1), BRINK_END);
    assert_null(warning_with(&r, "on the zero of"));
    rig_free(&r);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pushes_that_are_not_unique_are_told),
      cmocka_unit_test(pushes_that_do_not_exist_are_told),
      cmocka_unit_test(a_matrix_that_is_not_completely_s_is_told),
      cmocka_unit_test(nothing_is_said_of_what_is_determined),
      cmocka_unit_test(many_faces_are_not_checked_and_it_is_said),
      cmocka_unit_test(reactions_that_do_the_same_are_not_told_apart),
      cmocka_unit_test(resets_without_a_reading_are_told),
      cmocka_unit_test(a_bounce_into_another_mode_is_told),
      cmocka_unit_test(a_jump_to_another_place_is_told),
      cmocka_unit_test(nothing_is_said_of_other_events),
      cmocka_unit_test(repelling_switches_are_told),
      cmocka_unit_test(touching_laws_that_come_back_are_told),
      cmocka_unit_test(determined_switches_are_not_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
