/* test_sim.c -- every allocation of a simulation fails once, with every locator and
 * every method: the answer is BRINK_ENOMEM, no object, and nothing is left behind. */
#include <string.h>

#include "models.h"
#include "plain_methods.h"
#include "check.h"
#include "ode/method.h"

static brink_sim_opts options(const char *method, const char *locator)
{
  brink_sim_opts opt = brink_sim_defaults();

  opt.method = method;
  opt.locator = locator;
  opt.keep = BRINK_KEEP_STEPS; /* the trace grows, too */
  if (brink__method_find(method)->flags & BRINK__FIXED_STEP)
    opt.h0 = 0.005;
  return opt;
}

/* The rotating pendulum meets its second mode, with more states, on the way. */
static brink_status attempt(brink_ctx *ctx, const brink_sim_opts *opt)
{
  static int not_null;
  brink_model *model = (brink_model *)(void *)&not_null; /* must not survive failure */
  brink_sim *sim = (brink_sim *)(void *)&not_null;
  brink_status rc = brink_model_new(ctx, breitenecker_polar.def, &model);

  if (rc < 0) {
    assert_null(model);
    assert_int_equal(brink_ctx_error(ctx)->status, rc);
    return rc;
  }
  rc = brink_sim_new(ctx, model, opt, &sim);
  if (rc < 0) {
    assert_null(sim);
    assert_int_equal(brink_ctx_error(ctx)->status, rc);
  } else {
    rc = brink_sim_start(sim, 0, breitenecker_polar.mode, breitenecker_polar.y0);
    if (rc >= 0)
      rc = brink_sim_run(sim, 2);
    if (rc < 0) {
      assert_int_equal(brink_sim_error(sim)->status, rc);
      assert_true(strlen(brink_sim_error(sim)->text) > 0);
    }
    brink_sim_free(sim);
  }
  brink_model_free(model);
  return rc;
}

/* Fail allocation number `at`; 1 if that many were made. */
static int visit(const brink_sim_opts *opt, long at)
{
  flaky f = {.fail_at = at};
  brink_alloc alloc = flaky_alloc(&f);
  brink_ctx *ctx = NULL;
  brink_status rc = brink_ctx_new(&alloc, &ctx);

  if (rc >= 0) {
    rc = attempt(ctx, opt);
    brink_ctx_free(ctx);
  } else {
    assert_null(ctx);
  }
  assert_int_equal(f.live, 0);
  check_status(rc, f.calls >= at ? BRINK_ENOMEM : BRINK_END);
  return f.calls >= at;
}

static void every_allocation_may_fail(const char *method, const char *locator)
{
  brink_sim_opts opt = options(method, locator);
  long at = 1;

  while (visit(&opt, at))
    at++;
  print_message("%-8s %-12s %ld allocations, each failed once\n", method, locator,
                at - 1);
  assert_in_range(at, 6, 1000);
}

static void with_every_locator(void **state)
{
  (void)state;
  for (int j = 0; brink_locator_name(j); j++)
    every_allocation_may_fail(brink_method_name(0), brink_locator_name(j));
}

static void with_every_method(void **state)
{
  (void)state;
  EACH_PLAIN_METHOD (i)
    every_allocation_may_fail(brink_method_name(i), brink_locator_name(0));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(with_every_locator),
      cmocka_unit_test(with_every_method),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
