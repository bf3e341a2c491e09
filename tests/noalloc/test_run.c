/* test_run.c -- a run allocates nothing between start and end, with every method and
 * every locator, unless its trace is unbounded; a mode met for the first time
 * allocates once. */
#include "check.h"
#include "plain_methods.h"
#include "models.h"
#include "ode/method.h"

static brink_sim_opts options(const char *method, const char *locator)
{
  brink_sim_opts opt = brink_sim_defaults();

  opt.method = method;
  opt.locator = locator;
  opt.rtol = 1e-8;
  opt.h_max = 1e-3; /* 1000 steps and more */
  if (brink__method_find(method)->flags & BRINK__FIXED_STEP)
    opt.h0 = 1e-3;
  return opt;
}

/* Allocator calls of a run from the model's start. */
static long calls(flaky *f, brink_sim *sim, const known_model *m)
{
  check_status(brink_sim_start(sim, 0, m->mode, m->y0), BRINK_OK);
  long before = f->calls;
  check_status(brink_sim_run(sim, m->t_end < 1.5 ? m->t_end : 1.5), BRINK_END);
  brink_sim_stats s = brink_sim_statistics(sim);
  assert_true(s.work.steps >= 1000);
  assert_true(s.events >= 2);
  return f->calls - before;
}

static void quiet(const known_model *m, const brink_sim_opts *opt)
{
  flaky f = {0};
  brink_alloc alloc = flaky_alloc(&f);
  brink_ctx *ctx = NULL;
  brink_model *model = NULL;
  brink_sim *sim = NULL;

  check_status(brink_ctx_new(&alloc, &ctx), BRINK_OK);
  check_status(brink_model_new(ctx, m->def, &model), BRINK_OK);
  check_status(brink_sim_new(ctx, model, opt, &sim), BRINK_OK);
  /* what modes other than the first need, once where gaps of events contract, and
   * nothing more */
  long first = calls(&f, sim, m);
  int each = strcmp(opt->method, "radau") == 0 ? 3 : 2; /* matrices, too */
  assert_in_range(first, 0, each * (m->def->n_modes - 1) + 1);
  assert_int_equal(calls(&f, sim, m), 0);
  brink_sim_free(sim);
  brink_model_free(model);
  brink_ctx_free(ctx);
  assert_int_equal(f.live, 0);
}

static void runs_do_not_allocate(brink_keep keep, long limit)
{
  EACH_PLAIN_METHOD (i)
    for (int j = 0; brink_locator_name(j); j++)
      for (int m = 0; known_models[m]; m++) {
        brink_sim_opts opt = options(brink_method_name(i), brink_locator_name(j));
        opt.keep = keep;
        opt.keep_limit = limit;
        quiet(known_models[m], &opt);
      }
}

static void keeping_nothing(void **state)
{
  (void)state;
  runs_do_not_allocate(BRINK_KEEP_NOTHING, 0);
}

static void keeping_a_bounded_trace(void **state)
{
  (void)state;
  runs_do_not_allocate(BRINK_KEEP_STEPS, 5);
}

/* that the counter counts: an unbounded trace moves it */
static void an_unbounded_trace_does_allocate(void **state)
{
  brink_sim_opts opt = options("dopri5", "isolate");
  flaky f = {0};
  brink_alloc alloc = flaky_alloc(&f);
  brink_ctx *ctx = NULL;
  brink_model *model = NULL;
  brink_sim *sim = NULL;

  (void)state;
  opt.keep = BRINK_KEEP_STEPS;
  check_status(brink_ctx_new(&alloc, &ctx), BRINK_OK);
  check_status(brink_model_new(ctx, known_ball.def, &model), BRINK_OK);
  check_status(brink_sim_new(ctx, model, &opt, &sim), BRINK_OK);
  assert_true(calls(&f, sim, &known_ball) > 0);
  brink_sim_free(sim);
  brink_model_free(model);
  brink_ctx_free(ctx);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(keeping_nothing),
      cmocka_unit_test(keeping_a_bounded_trace),
      cmocka_unit_test(an_unbounded_trace_does_allocate),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
