/* atan2 jumps from pi to -pi where it passes the negative axis.  Its derivative was
 * enclosed across that cut as if there were none, so that the guard of a turning arm
 * was proved to have no zero there, and the event was put at the end of the step. */
#include "check.h"

#include "brink/brink.h"

#include <math.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

/* An arm that turns at 1.9, from the angle 0.4 on. */
static const char arm[] =
    "model Arm\n"
    "  Real x(start = 1.3*cos(0.4), fixed = true), y(start = 1.3*sin(0.4), fixed = "
    "true);\n"
    "  Real s(start = 0, fixed = true);\n"
    "  Integer n(start = 0, fixed = true), k(start = 0, fixed = true);\n"
    "equation\n"
    "  der(x) = -1.9*y;\n"
    "  der(y) = 1.9*x;\n"
    "  der(s) = n + k;\n"
    "  when atan2(y, x) > 2.9 then\n"
    "    n = pre(n) + 1;\n"
    "  end when;\n"
    "  when atan2(y, x) < -2.5 then\n"
    "    k = pre(k) + 1;\n"
    "  end when;\n"
    "end Arm;\n";

/* At the angle 2.9, and where the angle jumps. */
static void check_turns(const brink_model *model, brink_ctx *ctx,
                        const brink_sim_opts *opt)
{
  enum { TURNS = 3 };
  const double t0 = 0.37, at[] = {2.9, PI};
  brink_sim *sim;

  check_status(brink_sim_new(ctx, model, opt, &sim), BRINK_OK);
  check_status(brink_sim_start(sim, t0, 0, NULL), BRINK_OK);
  check_status(brink_sim_run(sim, t0 + (2 * PI * TURNS - 0.5) / 1.9), BRINK_END);
  const brink_trace *trace = brink_sim_trace(sim);
  assert_int_equal(brink_trace_events(trace), 2 * TURNS);
  for (size_t k = 0; k < 2 * TURNS; k++) {
    double angle = at[k % 2] + 2 * PI * (double)(k / 2) - 0.4;
    check_near(brink_trace_event(trace, k).t, t0 + angle / 1.9, 1e-6);
  }
  brink_sim_free(sim);
}

static void the_event_is_where_the_angle_jumps(void **state)
{
  brink_ctx *ctx;
  brink_model *model;

  (void)state;
  check_status(brink_ctx_new(NULL, &ctx), BRINK_OK);
  if (brink_model_read(ctx, "arm.mo", arm, strlen(arm), NULL, &model) < 0)
    fail_msg("%s", brink_ctx_error(ctx)->text);
  for (int m = 0; brink_method_name(m); m++)
    for (int l = 0; brink_locator_name(l); l++) {
      brink_sim_opts opt = brink_sim_defaults();
      opt.method = brink_method_name(m);
      opt.locator = brink_locator_name(l);
      opt.rtol = 1e-9;
      opt.h0 = 0.005;
      opt.h_max = 0.2;
      if (brink_locator_proves(l))
        check_turns(model, ctx, &opt);
    }
  brink_model_free(model);
  brink_ctx_free(ctx);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_event_is_where_the_angle_jumps),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
