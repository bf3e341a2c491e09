/* Every allocation fails once; a run makes none. */
#include "flat.h"

#include <string.h>

#define ADD(x, y) fb_op(b, BRINK_OP_ADD, x, y)
#define SUB(x, y) fb_op(b, BRINK_OP_SUB, x, y)
#define MUL(x, y) fb_op(b, BRINK_OP_MUL, x, y)
#define NUM(x)    fb_num(b, x)
#define VAL(x)    fb_val(b, x)

/* something of everything */
static void fill(fb *b)
{
  int x = fb_real(b, "x", 1.1, 0), v = fb_real(b, "v", 0, 1),
      p = fb_real(b, "p", 1, -1);
  int q = fb_real(b, "q", 2, -1), n = fb_int(b, "n", 0), on = fb_bool(b, "on", 0);
  int k = fb_param(b, "k", NUM(1.3)), l = fb_real(b, "l", 0, -1);
  int m = fb_real(b, "m", 0, -1);
  fb_eq(b, fb_der(b, x), VAL(v), 1);
  fb_eq(b, fb_der(b, v), SUB(MUL(fb_fn(b, BRINK_OP_NEG, VAL(k)), VAL(x)), VAL(q)), 2);
  fb_eq(b, ADD(VAL(p), VAL(q)), ADD(VAL(x), NUM(6)), 3);
  fb_eq(b, fb_homotopy(b, MUL(VAL(p), VAL(q)), VAL(p), 4), NUM(2), 4);
  fb_eq(b, ADD(VAL(l), VAL(m)), VAL(x), 5);
  fb_eq(b, SUB(VAL(l), MUL(VAL(k), VAL(m))), NUM(1), 6);
  fb_eq(b, VAL(on),
        fb_op(b, BRINK_OP_OR,
              fb_rel(b, BRINK_OP_GT, MUL(VAL(x), VAL(v)), NUM(0.5), "x*v > 0.5", 7),
              fb_op(b, BRINK_OP_AND, fb_pre(b, on),
                    fb_rel(b, BRINK_OP_GT, VAL(p), NUM(1), "p > 1", 7))),
        7);
  fb_when(b, fb_rel(b, BRINK_OP_LT, VAL(x), NUM(-2), "x < -2", 8), "x < -2", 8);
  fb_assign(b, n, ADD(fb_pre(b, n), fb_stair(b, 0, VAL(l), 9)), 9);
  fb_reinit(b, v, MUL(NUM(-0.9), VAL(v)), 9);
  fb_elsewhen(b, fb_sample(b, 0.25, 0.5, 10), "sample", 10);
  fb_assign(b, n, fb_whole(b, 3), 10);
  fb_initial_eq(b, MUL(VAL(x), VAL(x)), NUM(1.5), 11);
  fb_assert(b, fb_op(b, BRINK_OP_LT, VAL(x), NUM(1e6)), "far", 12, 0);
}

static void every_allocation_of_compiling_and_starting_may_fail(void **state)
{
  (void)state;
  long at = 0;

  for (int done = 0; !done; at++) {
    flaky f = {0};
    brink_alloc alloc = flaky_alloc(&f);
    brink_ctx *ctx;
    check_status(brink_ctx_new(&alloc, &ctx), BRINK_OK);
    size_t base = f.live;
    fb b = fb_new(ctx, 32);
    fill(&b);
    f.fail_at = f.calls + 1 + at;
    brink_model *model = fb_compile(&b);
    brink_sim *sim = NULL;
    if (!model) {
      check_status(brink_ctx_error(ctx)->status, BRINK_ENOMEM);
      assert_true(strlen(brink_ctx_error(ctx)->text) > 10);
    } else if (brink_sim_new(ctx, model, NULL, &sim) < 0) {
      assert_null(sim);
      check_status(brink_ctx_error(ctx)->status, BRINK_ENOMEM);
    } else {
      check_status(brink_sim_start(sim, 0, 0, NULL), BRINK_OK);
      done = 1;
    }
    brink_sim_free(sim);
    brink_model_free(model);
    assert_int_equal(f.live, base);
    brink_ctx_free(ctx);
    assert_int_equal(f.live, 0);
  }
  assert_true(at > 100);
}

static void a_run_allocates_nothing(void **state)
{
  (void)state;
  fb b = fb_new(NULL, 32);
  brink_sim_opts opt = brink_sim_defaults();
  opt.keep = BRINK_KEEP_NOTHING;
  fill(&b);
  rig r = fb_start(&b, &opt, 0);
  size_t calls = brink_ctx_alloc_stats(r.ctx).calls;
  brink_status rc = brink_sim_run(r.sim, 20);
  if (rc < 0)
    print_error("%s\n", brink_sim_error(r.sim)->text);
  check_status(rc, BRINK_END);
  brink_sim_stats s = brink_sim_statistics(r.sim);
  assert_true(s.events > 40);
  assert_int_equal(s.certificate, BRINK_PROVED); /* its loops are enclosed */
  check_status(brink_sim_start(r.sim, 0, 0, NULL), BRINK_OK);
  assert_int_equal(brink_ctx_alloc_stats(r.ctx).calls, calls);
  rig_free(&r);
}

/* the same start, the same bytes */
static void two_runs_are_equal_to_the_bit(void **state)
{
  (void)state;
  double y[2][2];
  for (int i = 0; i < 2; i++) {
    fb b = fb_new(NULL, 32);
    fill(&b);
    rig r = fb_start(&b, NULL, 0);
    check_status(brink_sim_run(r.sim, 7.7), BRINK_END);
    memcpy(y[i], brink_sim_state(r.sim), sizeof y[i]);
    rig_free(&r);
  }
  assert_memory_equal(y[0], y[1], sizeof y[0]);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_allocation_of_compiling_and_starting_may_fail),
      cmocka_unit_test(a_run_allocates_nothing),
      cmocka_unit_test(two_runs_are_equal_to_the_bit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
