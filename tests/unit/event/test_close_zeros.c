/* Zeros of guards that lie close together, or that are much flatter than their
 * polynomials can tell: what is found in which order is decided by the guards' own
 * expressions. */
#include "hybrid.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "brink/load.h"
typedef struct outcome {
  brink_status rc;
  double v[16];
  long events;
  int touches;
  brink_certificate certificate;
  char why[512];
} outcome;

/* Run from t = 0; the state x is the time. */
static outcome run(const char *text, const char *method, double t_end, double *t)
{
  brink_sim_opts opt = brink_sim_defaults();
  outcome out = {0};
  rig r;

  opt.method = method;
  opt.h0 = 0.25; /* rk4 wants it */
  check_status(brink_ctx_new(NULL, &r.ctx), BRINK_OK);
  brink_status rc = brink_model_read(r.ctx, "t.mo", text, strlen(text), NULL, &r.model);
  if (rc < 0)
    print_error("%s\n%s\n", brink_ctx_error(r.ctx)->text, text);
  check_status(rc, BRINK_OK);
  assert_true(brink_model_variables(r.model) <= 16);
  check_status(brink_sim_new(r.ctx, r.model, &opt, &r.sim), BRINK_OK);
  check_status(brink_sim_start(r.sim, 0, 0, NULL), BRINK_OK);
  out.rc = brink_sim_run(r.sim, t_end);
  snprintf(out.why, sizeof out.why, "%s", brink_sim_error(r.sim)->text);
  check_status(brink_sim_values(r.sim, out.v), BRINK_OK);
  out.certificate = brink_sim_statistics(r.sim).certificate;
  for (size_t k = 0; k < rig_events(&r); k++) {
    brink_event e = rig_event(&r, k);
    if (e.kind == BRINK_KIND_TOUCH)
      out.touches++;
    else if (out.events < 8)
      t[out.events++] = e.t;
  }
  rig_free(&r);
  return out;
}

static int same_times(const outcome *o, const double *t, int n, const double *want)
{
  int same = o->rc == BRINK_END && o->events == n;

  for (int i = 0; same && i < n; i++)
    same = fabs(t[i] - want[i]) <= 1e-9 * (1 + fabs(want[i]));
  return same;
}

/* The run must reach the end, with these events and no touch; what it says of itself
 * must be `proved`. */
static void expect(const char *what, const char *text, double t_end, int n,
                   const double *want)
{
  for (int i = 0; brink_method_name(i); i++) {
    double t[8];
    outcome o = run(text, brink_method_name(i), t_end, t);
    if (!same_times(&o, t, n, want) || o.touches || o.certificate != BRINK_PROVED) {
      print_error("%s, %s: %s, %ld events, %d touches, %s\n%s\n", what,
                  brink_method_name(i), brink_status_name(o.rc), o.events, o.touches,
                  brink_certificate_text(o.certificate), o.why);
      for (int k = 0; k < o.events; k++)
        print_error("  %.17g, wanted %.17g\n", t[k], k < n ? want[k] : (double)NAN);
      fail();
    }
  }
}

/* A guard that counts its zeros in n; `act` is what else happens there. */
static const char *counting(char *text, size_t size, const char *g, const char *act)
{
  snprintf(text, size,
           "model M\n  Real x(start = 0, fixed = true), z(start = 1, fixed = true);\n"
           "  Integer n(start = 0, fixed = true);\nequation\n  der(x) = 1;\n"
           "  der(z) = -z;\n  when {%s > 0, %s < 0} then\n    n = pre(n) + 1;\n%s"
           "  end when;\nend M;\n",
           g, g, act);
  return text;
}

/* ------------------------------------------------------- several zeros --- */

static void zeros_far_below_the_rounding_of_the_polynomial_are_all_found(void **state)
{
  static const struct {
    const char *g;
    int n;
    double t[4];
  } cases[] = {
      {"(x - 3)*(x - 3.00001)*(x - 3.00003)*(x - 3.00006)",
       4,
       {3, 3.00001, 3.00003, 3.00006}},
      {"(x - 3)*(x - 3.0000001)*(x - 3.01)*(x - 3.0100001)",
       4,
       {3, 3.0000001, 3.01, 3.0100001}},
      {"(x - 2.37)*(x - 2.37000001)^3*(x - 2.3701)", 3, {2.37, 2.37000001, 2.3701}},
      {"(x - 2.37)*(x - 2.370000002)", 2, {2.37, 2.370000002}},
      {"1e-9*(2*x - 5)*(x - 2.50001)*(time - 2.50003)", 3, {2.5, 2.50001, 2.50003}},
      {"-(exp(x - 3) - 1)*(exp(x - 3.00002) - 1)*sin(x - 3.00005)",
       3,
       {3, 3.00002, 3.00005}},
      {"exp(x)*(x - 3)*(x - 3.00001)*(time - 3.00002)", 3, {3, 3.00001, 3.00002}},
  };
  static const char *const acts[] = {"", "    reinit(z, 1);\n"};

  (void)state;
  for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++)
    for (int a = 0; a < 2; a++) {
      char text[2000];
      expect(cases[c].g, counting(text, sizeof text, cases[c].g, acts[a]), 5,
             cases[c].n, cases[c].t);
    }
}

static void a_zero_that_is_none_is_not_listed_as_a_touch(void **state)
{
  char text[2000];

  (void)state;
  expect("near",
         counting(text, sizeof text, "(x - 3)^2*(x - 3.00001)^2 + 1e-30*(x + 1)", ""),
         5, 0, NULL);
}

/* ------------------------------------------------------------ ordering --- */

static void a_flat_guard_does_not_draw_its_neighbour_to_its_own_zero(void **state)
{
  static const struct {
    const char *flat;
    double first;
  } cases[] = {{"(x - 3.03)^7 > 0", 3},
               {"(x - 3.0000001)^3 > 0", 3},
               {"(x - 3.03)^8 > 0", 3},
               {"-(2*x - 6.06)^5 < 0", 3},
               {"(x - 2.97)^7 > 0", 2.97}};

  (void)state;
  for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
    char text[2000];
    double want[] = {cases[c].first, 3};
    snprintf(text, sizeof text,
             "model F\n  Real x(start = 0, fixed = true);\n"
             "  Integer n(start = 0, fixed = true), k(start = 0, fixed = true);\n"
             "equation\n  der(x) = 1;\n  when x > 3 then\n    n = pre(n) + 1;\n"
             "    reinit(x, 0);\n  end when;\n  when %s then\n    k = pre(k) + 1;\n"
             "  end when;\nend F;\n",
             cases[c].flat);
    expect(cases[c].flat, text, 5, cases[c].first < 3 ? 2 : 1, want);
  }
}

/* Both are zero at the same place, whatever their shapes: one instant. */
static void guards_that_are_zero_together_share_an_instant(void **state)
{
  static const char text[] =
      "model T\n  Real x(start = 0, fixed = true);\n"
      "  Integer n(start = 0, fixed = true), k(start = 0, fixed = true);\n"
      "equation\n  der(x) = 1;\n  when x > 3.1 then\n    n = pre(n) + 1;\n"
      "    reinit(x, 0);\n  end when;\n  when (x - 3.1)^3 > 0 then\n"
      "    k = pre(k) + 1;\n  end when;\nend T;\n";
  static const double want[] = {3.1, 3.1};

  (void)state;
  expect("together", text, 5, 2, want);
}

/* --------------------------------------------------------------- peaks --- */

static void a_peak_between_samples_is_found(void **state)
{
  static const struct {
    double width, at;
  } cases[] = {{1e-3, 1.23456}, {1e-5, 2.71828}, {3e-8, 0.57721}};

  (void)state;
  for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
    char text[2000], g[200];
    double half = cases[c].width * sqrt(log(2));
    double want[] = {cases[c].at - half, cases[c].at + half};
    snprintf(g, sizeof g, "(exp(-((x - %.17g)/%.17g)^2) - 0.5)", cases[c].at,
             cases[c].width);
    expect(g, counting(text, sizeof text, g, ""), 5, 2, want);
  }
}

/* ------------------------------------------------------- what is not told --- */

/* Two zeros 2e-4 apart in terms that cancel to 1e-6: no expression of doubles shows
 * them, and nothing is proved. */
static void what_rounding_hides_is_not_called_proved(void **state)
{
  static const char *const guards[] = {"(1e10 + (x - 3)^2) - 1e10 - 1e-8",
                                       "x^4 - 12*x^3 + 54*x^2 - 108*x + 81"};

  (void)state;
  for (size_t c = 0; c < 2; c++)
    for (int i = 0; brink_method_name(i); i++) {
      char text[2000];
      double t[8];
      outcome o =
          run(counting(text, sizeof text, guards[c], ""), brink_method_name(i), 5, t);
      check_status(o.rc, BRINK_END);
      if (o.certificate == BRINK_PROVED)
        print_error("%s, %s\n", guards[c], brink_method_name(i));
      assert_true(o.certificate != BRINK_PROVED);
    }
}

/* A guard that reads the unknown of a loop is enclosed with the loop. */
static void zeros_behind_a_loop_are_told_apart_and_proved(void **state)
{
#define LOOP                                                                           \
  "  Real x(start = 0, fixed = true), w(start = 0);\n"                                 \
  "  Integer n(start = 0, fixed = true), k(start = 0, fixed = true);\nequation\n"      \
  "  der(x) = 1;\n  w + 0.1*sin(w) = x + 0.1*sin(x);\n"
#define PRODUCT "(w - 3)*(w - 3.001)*(w - 3.003)*(w - 3.006)"
  static const struct {
    const char *text;
    int n;
    double t[4];
  } cases[] = {{"model L\n" LOOP "  when {" PRODUCT " > 0, " PRODUCT " < 0} then\n"
                "    n = pre(n) + 1;\n  end when;\n  k = 0;\nend L;\n",
                4,
                {3, 3.001, 3.003, 3.006}},
               {"model L\n" LOOP "  when w > 3 then\n    n = pre(n) + 1;\n"
                "    reinit(x, 0);\n  end when;\n  when (w - 3.03)^7 > 0 then\n"
                "    k = pre(k) + 1;\n  end when;\nend L;\n",
                1,
                {3}}};

  (void)state;
  for (size_t c = 0; c < 2; c++)
    for (int i = 0; brink_method_name(i); i++) {
      double t[8];
      outcome o = run(cases[c].text, brink_method_name(i), 5, t);
      if (!same_times(&o, t, cases[c].n, cases[c].t))
        print_error("%s: %s, %ld events\n%s", brink_method_name(i), o.why, o.events,
                    cases[c].text);
      assert_true(same_times(&o, t, cases[c].n, cases[c].t));
      assert_int_equal(o.certificate, BRINK_PROVED);
    }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(zeros_far_below_the_rounding_of_the_polynomial_are_all_found),
      cmocka_unit_test(a_zero_that_is_none_is_not_listed_as_a_touch),
      cmocka_unit_test(a_flat_guard_does_not_draw_its_neighbour_to_its_own_zero),
      cmocka_unit_test(guards_that_are_zero_together_share_an_instant),
      cmocka_unit_test(a_peak_between_samples_is_found),
      cmocka_unit_test(what_rounding_hides_is_not_called_proved),
      cmocka_unit_test(zeros_behind_a_loop_are_told_apart_and_proved),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
