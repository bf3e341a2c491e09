/* What an integrator does not accept, each with its sentence: options, starts and
 * limits that are no numbers, methods that lack something. */
#include "check.h"

#include <math.h>

#include "brink/brink.h"

static int decay(double t, const double *y, double *f, void *user)
{
  (void)t;
  (void)user;
  f[0] = -0.73 * y[0];
  return 0;
}

/* An integrator with these options is refused, and says so. */
static void refused(const brink_integrator_opts *opt, size_t n, brink_ivp_fn *rhs,
                    const char *part)
{
  brink_ivp ivp = {n, rhs, NULL};
  brink_integrator *it = (void *)&ivp;
  brink_ctx *ctx;

  check_status(brink_ctx_new(NULL, &ctx), BRINK_OK);
  check_status(brink_integrator_new(ctx, &ivp, opt, &it), BRINK_EARG);
  check_text(brink_ctx_error(ctx)->text, part);
  assert_null(it);
  brink_ctx_free(ctx);
}

#define REFUSED(part, ...)                                                             \
  do {                                                                                 \
    brink_integrator_opts o_ = brink_integrator_defaults();                            \
    __VA_ARGS__;                                                                       \
    refused(&o_, 1, decay, part);                                                      \
  } while (0)

static void options_out_of_range_are_refused_by_name(void **state)
{
  brink_integrator_opts plain = brink_integrator_defaults();

  (void)state;
  refused(&plain, 0, decay, "at least one state");
  refused(&plain, 1, NULL, "needs a right-hand side");
  REFUSED("no method was named", o_.method = NULL);
  REFUSED("rtol = 1.37 must lie in [0, 1]", o_.rtol = 1.37);
  REFUSED("must lie in [0, 1]", o_.rtol = nan(""));
  REFUSED("rtol = 3e-17 lies below the rounding", o_.rtol = 3e-17);
  REFUSED("must be a number", o_.atol = HUGE_VAL);
  REFUSED("atol = -0.2 must not be negative", o_.atol = -0.2);
  REFUSED("must not both be zero", o_.rtol = 0; o_.atol = 0);
  REFUSED("h0 = -0.1", o_.h0 = -0.1);
  REFUSED("h_min = -0.2", o_.h_min = -0.2);
  REFUSED("h_max = nan", o_.h_max = nan(""));
  REFUSED("h_min = 0.3 exceeds h_max = 0.2", o_.h_min = 0.3; o_.h_max = 0.2);
  REFUSED("max_steps = -3", o_.max_steps = -3);
  REFUSED("order = -1", o_.order = -1);
  REFUSED("has the orders 5, 9 and 13", o_.method = "radau"; o_.order = 7);
  REFUSED("orders up to", o_.method = "adams"; o_.order = 99);
  REFUSED("has a fixed step: give it with h0", o_.method = "rk4");
  REFUSED("needs Taylor series", o_.method = "taylor");
}

static void a_start_and_a_limit_must_be_numbers(void **state)
{
  brink_ivp ivp = {1, decay, NULL};
  brink_integrator *it;
  brink_ctx *ctx;
  brink_step step;
  double bad = nan(""), y0 = 1.37;

  (void)state;
  check_status(brink_ctx_new(NULL, &ctx), BRINK_OK);
  check_status(brink_integrator_new(ctx, &ivp, NULL, &it), BRINK_OK);
  check_status(brink_integrator_advance(it, 2.3, &step), BRINK_EARG);
  check_text(brink_integrator_error(it)->text, "advance before start");
  check_status(brink_integrator_start(it, HUGE_VAL, &y0), BRINK_EARG);
  check_text(brink_integrator_error(it)->text, "the start time is inf");
  check_status(brink_integrator_start(it, 0.37, &bad), BRINK_ENAN);
  check_text(brink_integrator_error(it)->text, "state 0 is nan at t = 0.37");
  check_status(brink_integrator_start(it, 0.37, &y0), BRINK_OK);
  check_status(brink_integrator_advance(it, nan(""), &step), BRINK_EARG);
  check_text(brink_integrator_error(it)->text, "the limit of the step is not a number");

  /* it stands where it did */
  while (brink_integrator_advance(it, 1.91, &step) == BRINK_OK)
    ;
  check_near(brink_integrator_state(it)[0], y0 * exp(-0.73 * (1.91 - 0.37)), 1e-5);
  brink_integrator_free(it);
  brink_ctx_free(ctx);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(options_out_of_range_are_refused_by_name),
      cmocka_unit_test(a_start_and_a_limit_must_be_numbers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
