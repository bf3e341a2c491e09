/* Starts that Gauss-Newton steps do not find, since the residuals have a local minimum
 * that is not 0 on the way: the function of Freudenstein and Roth from (15, -2), whose
 * only zero is (5, 4) and whose sum of squares has another minimum near (11.41,
 * -0.897). Nominal values are so small that none of the points beside the start values
 * is nearer to the zero. */
#include "check.h"

#include <math.h>
#include <stdio.h>
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

static rig started(const char *text)
{
  rig r = open_rig(text);

  if (brink_sim_start(r.sim, 0.3, 0, NULL) < 0)
    fail_msg("%s\n%s", brink_sim_error(r.sim)->text, text);
  return r;
}

static void end(rig *r)
{
  brink_sim_free(r->sim);
  brink_model_free(r->model);
  brink_ctx_free(r->ctx);
}

static double value(const rig *r, const char *name)
{
  double x = nan("");

  check_status(brink_sim_get(r->sim, name, &x), BRINK_OK);
  return x;
}

/* The function in x = a u + b w, y = -b u/s + a w/s, with where the search begins. */
static void turned(double angle, double s, const char *more, char *text, size_t size)
{
  double a = cos(angle), b = sin(angle);
  double u = a * 15 + b * 2 * s, w = b * 15 - a * 2 * s;

  snprintf(
      text, size,
      "model M\n"
      "  Real u(start = %.17g, nominal = 1e-4), w(start = %.17g, nominal = 1e-4);\n"
      "  Real x = (%.17g)*u + (%.17g)*w, y = (%.17g)*u + (%.17g)*w;\n"
      "%s"
      "initial equation\n"
      "  -13 + x + ((5 - y)*y - 2)*y = 0;\n"
      "  -29 + x + ((y + 1)*y - 14)*y = 0;\n"
      "equation\n"
      "  der(u) = 0; der(w) = 0;\n"
      "end M;\n",
      u, w, a, b, -b / s, a / s, more);
}

static void curves_lead_past_local_minima(void **state)
{
  uint64_t seed = 31;
  char text[1500];

  (void)state;
  for (int k = 0; k < 25; k++) {
    turned(rand_in(&seed, 0, 6.28), rand_in(&seed, 0.5, 2), "", text, sizeof text);
    rig r = started(text);
    check_near(value(&r, "x"), 5, 1e-10);
    check_near(value(&r, "y"), 4, 1e-10);
    assert_true(brink_sim_statistics(r.sim).homotopy_steps > 0);
    end(&r);
  }
}

/* Another part of the model, which steps do solve, is solved as without. */
static void only_the_part_that_is_missed_is_followed(void **state)
{
  rig r =
      started("model M\n"
              "  Real x(start = 15, nominal = 1e-4), y(start = -2, nominal = 1e-4);\n"
              "  Real p(start = 0.3), q(start = 2, fixed = true);\n"
              "initial equation\n"
              "  -13 + x + ((5 - y)*y - 2)*y = 0;\n"
              "  -29 + x + ((y + 1)*y - 14)*y = 0;\n"
              "  p^3 = q;\n"
              "equation\n"
              "  der(x) = 0; der(y) = 0; der(p) = -p; der(q) = 1;\n"
              "end M;\n");

  (void)state;
  check_near(value(&r, "x"), 5, 1e-12);
  check_near(value(&r, "y"), 4, 1e-12);
  check_near(value(&r, "p"), cbrt(2), 1e-14);
  end(&r);
}

/* Three unknowns of two conditions: a start, and the one nearest to the start values as
 * far as the curve of solutions through it goes. */
static void fewer_conditions_than_unknowns_are_followed_too(void **state)
{
  rig r =
      started("model M\n"
              "  Real x(start = 15, nominal = 1e-4), y(start = -2, nominal = 1e-4);\n"
              "  Real z(start = 0.1, nominal = 1e-9);\n"
              "initial equation\n"
              "  -13 + x + ((5 - y)*y - 2)*y + 1e-3*z = 0;\n"
              "  -29 + x + ((y + 1)*y - 14)*y - 1e-3*z = 0;\n"
              "equation\n"
              "  der(x) = 0; der(y) = 0; der(z) = 0;\n"
              "end M;\n");
  double x = value(&r, "x"), y = value(&r, "y"), z = value(&r, "z");

  (void)state;
  check_near(-13 + x + ((5 - y) * y - 2) * y + 1e-3 * z, 0, 1e-12);
  check_near(-29 + x + ((y + 1) * y - 14) * y - 1e-3 * z, 0, 1e-12);
  check_near(y, 4, 0.1);
  end(&r);
}

/* A body on a curve, at a height that the curve has only beyond its hump. */
static void constraints_of_higher_index_are_followed(void **state)
{
  rig r =
      started("model M\n"
              "  Real x(start = 15, nominal = 1e-4), y(start = -2, nominal = 1e-4);\n"
              "  Real vx(start = 0, fixed = true), vy, F;\n"
              "  Real h = -29 + x + ((y + 1)*y - 14)*y;\n"
              "initial equation\n"
              "  h = 0;\n"
              "equation\n"
              "  der(x) = vx; der(y) = vy;\n"
              "  der(vx) = F; der(vy) = F*(-2 + 10*y - 3*y^2) - 9.81;\n"
              "  -13 + x + ((5 - y)*y - 2)*y = 0;\n"
              "end M;\n");

  (void)state;
  check_near(value(&r, "x"), 5, 1e-11);
  check_near(value(&r, "y"), 4, 1e-11);
  check_near(value(&r, "vy"), 0, 1e-14);
  check_status(brink_sim_run(r.sim, 0.35), BRINK_END);
  end(&r);
}

static void a_failure_says_what_was_tried(void **state)
{
  rig r = open_rig("model M\n"
                   "  Real x(start = 2), y(start = 1);\n"
                   "initial equation\n"
                   "  x^2 + y^2 + 1 + 0.1*sin(x*y) = 0;\n"
                   "  x - y^3 = 0.3;\n"
                   "equation\n"
                   "  der(x) = 0; der(y) = 0;\n"
                   "end M;\n");
  const char *text;

  (void)state;
  check_status(brink_sim_start(r.sim, 0, 0, NULL), BRINK_ESOLVE);
  text = brink_sim_error(r.sim)->text;
  check_text(text, "no start was found: ");
  check_text(text,
             "tried were Gauss-Newton steps from 10 points, and continuation, which "
             "leads to lambda = 0.");
  end(&r);
}

static void starting_allocates_nothing(void **state)
{
  flaky f = {0};
  brink_alloc alloc = flaky_alloc(&f);
  char text[1500];
  rig r = {NULL, NULL, NULL};

  (void)state;
  turned(0.4, 1.2, "", text, sizeof text);
  check_status(brink_ctx_new(&alloc, &r.ctx), BRINK_OK);
  check_status(brink_model_read(r.ctx, "m.mo", text, strlen(text), NULL, &r.model),
               BRINK_OK);
  check_status(brink_sim_new(r.ctx, r.model, NULL, &r.sim), BRINK_OK);
  long before = f.calls;
  check_status(brink_sim_start(r.sim, 0, 0, NULL), BRINK_OK);
  assert_int_equal(f.calls, before);
  end(&r);
  assert_int_equal(f.live, 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(curves_lead_past_local_minima),
      cmocka_unit_test(only_the_part_that_is_missed_is_followed),
      cmocka_unit_test(fewer_conditions_than_unknowns_are_followed_too),
      cmocka_unit_test(constraints_of_higher_index_are_followed),
      cmocka_unit_test(a_failure_says_what_was_tried),
      cmocka_unit_test(starting_allocates_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
