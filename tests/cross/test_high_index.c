/* Systems of higher index, implicit ones and guards with derivatives of any order, with
 * every method: what the models of the tests of the language expect
 * (tests/lang/runs.h), values at times and times of events, is met to the accuracy that
 * the method can keep. */
#include "check.h"

#include "brink/brink.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const models[] = {
    "index_2_capacitor_loop", "index_2_inductor_cut_set",
    "index_3_two_inertias",   "index_3_gear",
    "index_3_driven_slider",  "index_3_motor",
    "implicit_in_derivative", "order_4",
    "guards_of_any_order",    "branches_two_stops",
};

/* Errors grow along a run of a few seconds; a method of order 3 cannot go as far. */
typedef struct accuracy {
  double rtol, error;
} accuracy;

static accuracy accuracy_of(const char *method)
{
  return strcmp(method, "bs23") == 0 ? (accuracy){1e-8, 1e-5} : (accuracy){1e-10, 1e-7};
}

static brink_model *load(brink_ctx *ctx, const char *name)
{
  char path[500];
  brink_model *model = NULL;

  snprintf(path, sizeof path, LANG_DIR "/model/%s.mo", name);
  check_status(brink_model_load(ctx, path, NULL, &model), BRINK_OK);
  return model;
}

/* the k-th event from 1, touches not counted */
static double time_of_event(const brink_sim *sim, int k)
{
  const brink_trace *trace = brink_sim_trace(sim);

  for (size_t i = 0; i < brink_trace_events(trace); i++) {
    brink_event e = brink_trace_event(trace, i);
    if (e.kind != BRINK_KIND_TOUCH && --k == 0)
      return e.t;
  }
  return (double)NAN;
}

/* A line of the model; 1: it is an expectation, and was checked.  Times come in order.
 */
static int check_line(brink_sim *sim, const char *line, const char *model,
                      const char *method)
{
  char name[80];
  double t, want, got = (double)NAN, error = accuracy_of(method).error;
  int k;

  if (sscanf(line, "// expect event %d at %lf", &k, &want) == 2) {
    got = time_of_event(sim, k);
  } else if (sscanf(line, "// expect %79[^( ](%lf) = %lf", name, &t, &want) == 3) {
    if (t > brink_sim_time(sim))
      check_status(brink_sim_run(sim, t), BRINK_END);
    check_status(brink_sim_get(sim, name, &got), BRINK_OK);
  } else {
    return 0;
  }
  if (!(fabs(got - want) <= error))
    fail_msg("%s, %s: %.17g, not %.17g to %g, expected by '%.60s'", model, method, got,
             want, error, line);
  return 1;
}

/* All lines about values, then those about events. */
static int check_lines(brink_sim *sim, const char *name, const char *method, int events)
{
  char path[500], line[300];
  int n = 0;

  snprintf(path, sizeof path, LANG_DIR "/model/%s.mo", name);
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  while (fgets(line, sizeof line, file))
    if ((strstr(line, "expect event") != NULL) == events)
      n += check_line(sim, line, name, method);
  fclose(file);
  return n;
}

static void run(brink_ctx *ctx, const char *name, const char *method)
{
  brink_model *model = load(ctx, name);
  brink_sim_opts opt = brink_sim_defaults();
  brink_sim *sim = NULL;

  opt.method = method;
  opt.rtol = accuracy_of(method).rtol;
  opt.atol = opt.rtol / 100;
  opt.h0 = 1e-3; /* rk4 keeps to it */
  check_status(brink_sim_new(ctx, model, &opt, &sim), BRINK_OK);
  check_status(brink_sim_start(sim, 0, 0, NULL), BRINK_OK);
  assert_true(check_lines(sim, name, method, 0) > 0);
  check_lines(sim, name, method, 1);
  brink_sim_free(sim);
  brink_model_free(model);
}

static void every_method_gives_what_the_models_expect(void **state)
{
  brink_ctx *ctx = NULL;

  (void)state;
  check_status(brink_ctx_new(NULL, &ctx), BRINK_OK);
  for (size_t i = 0; i < sizeof models / sizeof *models; i++)
    for (int m = 0; brink_method_name(m); m++)
      run(ctx, models[i], brink_method_name(m));
  brink_ctx_free(ctx);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_method_gives_what_the_models_expect),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
