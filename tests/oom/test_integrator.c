/* Memory of the integrator, for every method that is listed: each allocation fails
 * once, and a run makes none. */
#include "check.h"
#include "plain_methods.h"

#include <string.h>

#include "brink/integrator.h"
#include "problems.h"

static brink_integrator_opts options(int method)
{
  brink_integrator_opts o = brink_integrator_defaults();

  o.method = brink_method_name(method);
  o.h0 = 1e-3; /* some have no other */
  o.rtol = 1e-9;
  return o;
}

static void each_allocation_fails_once(void **state)
{
  brink_ivp ivp = {4, arenstorf, NULL};

  (void)state;
  EACH_PLAIN_METHOD (m) {
    brink_integrator_opts o = options(m);
    int made = 0;
    for (long fail_at = 1; !made; fail_at++) {
      flaky f = {.fail_at = 0};
      brink_alloc hook = flaky_alloc(&f);
      brink_ctx *ctx;
      brink_integrator *it = (brink_integrator *)&f; /* to see it cleared */
      check_status(brink_ctx_new(&hook, &ctx), BRINK_OK);
      size_t before = f.live;
      f.fail_at = f.calls + fail_at;
      brink_status rc = brink_integrator_new(ctx, &ivp, &o, &it);
      if (rc == BRINK_OK) {
        made = 1;
        assert_true(fail_at > 1); /* something was allocated */
        brink_integrator_free(it);
      } else {
        check_status(rc, BRINK_ENOMEM);
        assert_null(it);
        check_text(brink_ctx_error(ctx)->text, "out of memory");
      }
      assert_int_equal(f.live, before);
      brink_ctx_free(ctx);
      assert_int_equal(f.live, 0);
    }
  }
}

static void a_thousand_steps_allocate_nothing(void **state)
{
  brink_ivp ivp = {4, arenstorf, NULL};

  (void)state;
  EACH_PLAIN_METHOD (m) {
    brink_integrator_opts o = options(m);
    flaky f = {0};
    brink_alloc hook = flaky_alloc(&f);
    brink_ctx *ctx;
    brink_integrator *it;
    check_status(brink_ctx_new(&hook, &ctx), BRINK_OK);
    check_status(brink_integrator_new(ctx, &ivp, &o, &it), BRINK_OK);
    long calls = f.calls;
    brink_step step;
    check_status(brink_integrator_start(it, 0, arenstorf_start), BRINK_OK);
    for (int i = 0; i < 1000; i++) {
      check_status(brink_integrator_advance(it, 1e3, i % 5 ? &step : NULL), BRINK_OK);
      if (i % 17 == 0) { /* a jump now and then */
        double y[4];
        memcpy(y, brink_integrator_state(it), sizeof y);
        check_status(brink_integrator_start(it, brink_integrator_time(it), y),
                     BRINK_OK);
      }
    }
    assert_int_equal(brink_integrator_work(it).steps, 1000);
    assert_int_equal(f.calls, calls);
    brink_integrator_free(it);
    brink_ctx_free(ctx);
    assert_int_equal(f.live, 0);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_allocation_fails_once),
      cmocka_unit_test(a_thousand_steps_allocate_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
