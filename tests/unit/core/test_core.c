/* The core room: statuses, sentences, blocks, pools, helpers. */
#include "check.h"

#include <math.h>
#include <string.h>

#include "core/core.h"

static void every_status_has_a_name_and_a_phrase(void **state)
{
  (void)state;
#define X(name, value, text)                                                           \
  assert_string_equal(brink_status_name(BRINK_##name), "BRINK_" #name);                \
  assert_string_equal(brink_status_text(BRINK_##name), text);
  BRINK_STATUS_MAP(X)
#undef X
}

static void a_long_sentence_is_cut_not_overrun(void **state)
{
  brink_err err;
  char big[2000];

  (void)state;
  memset(big, 'x', sizeof big);
  big[sizeof big - 1] = 0;
  check_status(brink__fail_at(&err, BRINK_ESTEP, 2.385, "%s", big), BRINK_ESTEP);
  assert_int_equal(strlen(err.text), BRINK_ERR_TEXT - 1);
  check_near(err.t, 2.385, 0);
  check_status(brink__fail(NULL, BRINK_EARG, "x"), BRINK_EARG);
}

static void a_block_is_aligned_zeroed_and_counted(void **state)
{
  flaky f = {0};
  brink_alloc hook = flaky_alloc(&f);
  brink_ctx *ctx;
  brink__block b;

  (void)state;
  check_status(brink_ctx_new(&hook, &ctx), BRINK_OK);
  size_t need = brink__need(brink__need(0, 3, sizeof(double)), 7, 1);
  check_status(brink__block_new(ctx, need, &b), BRINK_OK);
  double *x = brink__carve(&b, 3, sizeof *x);
  char *y = brink__carve(&b, 7, 1);
  assert_int_equal((uintptr_t)x % BRINK__ALIGN, 0);
  assert_int_equal((uintptr_t)y % BRINK__ALIGN, 0);
  assert_true(x[2] == 0 && y[6] == 0);
  assert_null(brink__carve(&b, 1, 1)); /* nothing is left */
  assert_int_equal(brink_ctx_alloc_stats(ctx).live_bytes, need + BRINK__ALIGN);
  brink__block_drop(&b);
  assert_int_equal(brink_ctx_alloc_stats(ctx).live_bytes, 0);
  brink_ctx_free(ctx);
  assert_int_equal(f.live, 0);
}

static void sizes_that_overflow_are_refused(void **state)
{
  brink_ctx *ctx;
  brink__block b;

  (void)state;
  check_status(brink_ctx_new(NULL, &ctx), BRINK_OK);
  size_t need = brink__need(0, SIZE_MAX / 8, 16);
  check_status(brink__block_new(ctx, need, &b), BRINK_ENOMEM);
  check_text(brink_ctx_error(ctx)->text, "out of memory");
  brink__block_drop(&b);
  brink_ctx_free(ctx);
}

static void a_pool_hands_out_aligned_zeros(void **state)
{
  brink_ctx *ctx;

  (void)state;
  check_status(brink_ctx_new(NULL, &ctx), BRINK_OK);
  brink__pool pool = {.ctx = ctx};
  for (size_t i = 1; i < 3000; i += 7) {
    unsigned char *p = brink__pool_take(&pool, i);
    assert_int_equal((uintptr_t)p % _Alignof(max_align_t), 0);
    assert_true(p[0] == 0 && p[i - 1] == 0);
    memset(p, 0xff, i);
  }
  assert_string_equal(brink__pool_str(&pool, "height", 6), "height");
  brink__pool_drop(&pool);
  assert_int_equal(brink_ctx_alloc_stats(ctx).live_bytes, 0);
  brink_ctx_free(ctx);
}

static void helpers_tell_what_is_wrong_and_what_is_near(void **state)
{
  double v[4] = {1, -2.5, 1e308, 3};

  (void)state;
  assert_int_equal(brink__first_bad(v, 4), 4);
  v[2] = HUGE_VAL;
  assert_int_equal(brink__first_bad(v, 4), 2);
  v[1] = nan("");
  assert_int_equal(brink__first_bad(v, 4), 1);
  assert_int_equal(brink__distance("dopri5", "dopri5"), 0);
  assert_int_equal(brink__distance("dopri", "dopri5"), 1);
  assert_int_equal(brink__distance("hieght", "height"), 2);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_status_has_a_name_and_a_phrase),
      cmocka_unit_test(a_long_sentence_is_cut_not_overrun),
      cmocka_unit_test(a_block_is_aligned_zeroed_and_counted),
      cmocka_unit_test(sizes_that_overflow_are_refused),
      cmocka_unit_test(a_pool_hands_out_aligned_zeros),
      cmocka_unit_test(helpers_tell_what_is_wrong_and_what_is_near),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
