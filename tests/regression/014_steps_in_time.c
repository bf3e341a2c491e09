/* What jumps while time passes, as noEvent(floor(2*time)), has the derivative zero.  So
 * a relation of it was taken for one that is linear in time, whose only change is at a
 * known time, and its events were lost without a word. */
#include "check.h"

#include "brink/brink.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Events of `when CONDITION` from 0.37 to 3.9. */
static size_t events_of(const char *condition, const char *method, double *times)
{
  enum { MOST = 16 };
  brink_sim_opts opt = brink_sim_defaults();
  char text[512];
  brink_ctx *ctx;
  brink_model *model;
  brink_sim *sim;

  snprintf(text, sizeof text,
           "model Steps\n"
           "  Real x(start = 0.213, fixed = true);\n"
           "  Integer n(start = 0, fixed = true);\n"
           "equation\n"
           "  der(x) = 1 + 0.51*cos(1.7*time) + n;\n"
           "  when %s then\n"
           "    n = pre(n) + 1;\n"
           "  end when;\n"
           "end Steps;\n",
           condition);
  check_status(brink_ctx_new(NULL, &ctx), BRINK_OK);
  if (brink_model_read(ctx, "steps.mo", text, strlen(text), NULL, &model) < 0)
    fail_msg("%s", brink_ctx_error(ctx)->text);
  opt.method = method;
  opt.h0 = 0.01;
  check_status(brink_sim_new(ctx, model, &opt, &sim), BRINK_OK);
  check_status(brink_sim_start(sim, 0.37, 0, NULL), BRINK_OK);
  check_status(brink_sim_run(sim, 3.9), BRINK_END);
  const brink_trace *trace = brink_sim_trace(sim);
  size_t n = brink_trace_events(trace);
  assert_true(n <= MOST);
  for (size_t k = 0; k < n; k++)
    times[k] = brink_trace_event(trace, k).t;
  brink_sim_free(sim);
  brink_model_free(model);
  brink_ctx_free(ctx);
  return n;
}

static void steps_of_time_without_events_are_found_all_the_same(void **state)
{
  static const struct {
    const char *condition;
    size_t n;
    double first, period;
  } rows[] = {
      {"noEvent(floor(2*time)) > 0.5", 1, 0.5, 0},
      {"(noEvent(floor(2*time)) + 0.1)^1.7 > 0.307", 1, 0.5, 0},
      {"noEvent(ceil(2*time)) + 0.1*time > 4.1", 1, 1.5, 0},
      {"noEvent(mod(time, 0.7)) > 0.5", 5, 0.5, 0.7},
      {"noEvent(rem(time, 0.7)) > 0.5", 5, 0.5, 0.7},
      {"noEvent(div(time, 0.7)) - 2*time > -1.5", 2, 1.4, 0.7},
      {"noEvent(if time > 1.234 then 2 else -1) + 0.1*time > 0.5", 1, 1.234, 0},
      {"2*time - 3 > 0.5*time", 1, 2, 0},
  };
  double times[16];

  (void)state;
  for (int m = 0; brink_method_name(m); m++)
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
      if (events_of(rows[i].condition, brink_method_name(m), times) != rows[i].n)
        fail_msg("%s with %s", rows[i].condition, brink_method_name(m));
      for (size_t k = 0; k < rows[i].n; k++)
        check_near(times[k], rows[i].first + (double)k * rows[i].period, 1e-9);
    }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(steps_of_time_without_events_are_found_all_the_same),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
