/* test_scan.c -- sign-only locators on steps made by hand: what the memory of a
 * guard's sign means at the ends of a step. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "event/locator.h"

#include "brink/brink.h"

static double first(double t, const double *y, int k, const brink_env *e)
{
  (void)t, (void)k, (void)e;
  return y[0];
}

static int nothing(double t, const double *y, double *f, const brink_env *e)
{
  (void)t, (void)y, (void)e;
  f[0] = 0;
  return 0;
}

static const brink_guard_def callback = {.name = "y", .fn = first};
static const brink_guard_def plain = {.name = "y", .state = 0};
static const brink_event_def event = {.name = "zero"};

/* One guard, one step y = c0 + c1 theta + c2 theta^2. */
typedef struct bench {
  brink_ctx *ctx;
  brink_model *model;
  void *live, *memory;
  brink__guards g;
  double c[3];
  brink_step step;
  brink__hit v[8];
  signed char start_sign;
  brink__band band;
  brink__hits hits;
  brink__locate how;
  brink_err err;
} bench;

static void bench_init(bench *b, const brink_guard_def *guard, double c0, double c1,
                       double c2)
{
  brink_mode_def mode = {.name = "m",
                         .n = 1,
                         .rhs = nothing,
                         .guards = guard,
                         .n_guards = 1,
                         .events = &event,
                         .n_events = 1};
  brink_model_def def = {.name = "m", .modes = &mode, .n_modes = 1};

  *b = (bench){.c = {c0, c1, c2}, .how = {.scan = 0.125}};
  check_status(brink_ctx_new(NULL, &b->ctx), BRINK_OK);
  check_status(brink_model_new(b->ctx, &def, &b->model), BRINK_OK);
  b->live = calloc(1, b->model->ops->live_size(b->model));
  b->memory = calloc(1, brink__guards_size(&b->model->modes[0], 2));
  b->model->ops->live_init(b->model, b->live, NULL);
  brink__guards_init(&b->g, b->memory, b->model, b->live, 0, 2);
  b->step =
      (brink_step){.t0 = 2, .h = 0.5, .t1 = 2.5, .n = 1, .degree = 2, .coeff = b->c};
  b->hits = (brink__hits){.v = b->v,
                          .cap = 8,
                          .complete = 1,
                          .start_sign = &b->start_sign,
                          .band = &b->band};
}

static void bench_fini(bench *b)
{
  free(b->live);
  free(b->memory);
  brink_model_free(b->model);
  brink_ctx_free(b->ctx);
}

static brink_status look(bench *b, const char *locator, int sign, int fresh,
                         double delta)
{
  b->hits.n = 0;
  b->g.watch[0] = (brink__watch){
      .sign = (signed char)sign, .fresh = (unsigned char)fresh, .band = delta};
  return brink__locator_find(locator)->behind(&b->g, &b->step, &b->how, &b->hits,
                                              &b->err);
}

/* the locators over samples: all but those with their own eyes */
static const char *sampled(int j)
{
  for (int i = 0; brink_locator_name(i); i++)
    if (!brink_locator_proves(i) && strcmp(brink_locator_name(i), "endpoint") != 0 &&
        j-- == 0)
      return brink_locator_name(i);
  return NULL;
}

typedef struct at_start {
  double c0, c1, c2;
  int sign, fresh; /* the guard's memory       */
  double delta;    /* the band it started in   */
  int hits;
  double theta;
  int start_sign;
  const char *why;
} at_start;

static const at_start starts[] = {
    {-1e-17, 1, 0, 1, 0, 0, 0, 0, 1, "rounding between steps is no zero"},
    {1e-17, 1, 0, -1, 0, 0, 1, 0, -1, "a zero at the joint, seen after it"},
    {0, 1, 0, -1, 0, 0, 1, 0, -1, "a zero exactly at the joint"},
    {0, -1, 0, -1, 0, 0, 0, 0, -1, "a touch at the joint goes unseen"},
    {-5e-4, 1, 0, 0, 1, 1e-3, 0, 0, 1, "without a sign: the first clear of the band"},
    {-5e-4, 1, 0, 0, 0, 1e-3, 0, 0, 1, "also if it takes more than a step"},
    {-5e-4, 1, 0, -1, 1, 1e-3, 1, 0, -1, "a held sign: the event is at the restart"},
    {0.5, 1, 0, -1, 1, 0, 1, 0, -1, "beyond already"},
    {0, 1, -2, 0, 1, 1e-3, 1, 0.5, 1, "the band ends where it was left"},
};

static void memory_of_signs_decides_at_the_start(void **state)
{
  (void)state;
  for (int j = 0; sampled(j); j++)
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
      const at_start *s = &starts[i];
      bench b;
      bench_init(&b, &callback, s->c0, s->c1, s->c2);
      check_status(look(&b, sampled(j), s->sign, s->fresh, s->delta), BRINK_OK);
      if (b.hits.n != s->hits)
        print_error("%s: %s\n", sampled(j), s->why);
      assert_int_equal(b.hits.n, s->hits);
      assert_int_equal(b.start_sign, s->start_sign);
      if (s->hits)
        check_near(b.v[0].theta, s->theta, s->theta == 0 && s->fresh ? 0 : 0.125);
      bench_fini(&b);
    }
}

static void a_zero_at_the_end_waits_unless_it_must_be_decided(void **state)
{
  (void)state;
  for (int j = 0; sampled(j); j++) {
    bench b;
    bench_init(&b, j % 2 ? &callback : &plain, -1, 1, 0);
    check_status(look(&b, sampled(j), -1, 0, 0), BRINK_OK);
    assert_int_equal(b.hits.n, 0);
    assert_int_equal(b.band, BRINK__ENDS_IN_BAND);
    b.how.decide = 1;
    check_status(look(&b, sampled(j), -1, 0, 0), BRINK_OK);
    assert_int_equal(b.hits.n, 1);
    assert_int_equal(b.v[0].dir, 1);
    assert_int_equal(b.band, BRINK__OUTSIDE_BAND);
    check_near(b.v[0].theta, 1, 0);

    /* a parabola that only touches there */
    b.c[1] = 2;
    b.c[2] = -1;
    check_status(look(&b, sampled(j), -1, 0, 0), BRINK_OK);
    assert_int_equal(b.hits.n, 0);
    bench_fini(&b);
  }
}

static void two_zeros_of_one_guard_are_two_instants(void **state)
{
  (void)state;
  for (int j = 0; sampled(j); j++)
    for (int k = 1; k < 60; k++) {
      bench b;
      double p = 0.5 - 0.007 * k, q = 0.5 + 0.006 * k; /* (theta - p)(theta - q) */
      double slack = 4e-16 / (q - p); /* rounding of its coefficients */
      bench_init(&b, j % 2 ? &callback : &plain, p * q, -p - q, 1);
      check_status(look(&b, sampled(j), 1, 0, 0), BRINK_OK);
      assert_int_equal(b.hits.n, 2);
      assert_int_equal(b.v[0].dir, -1);
      assert_int_equal(b.v[1].dir, 1);
      assert_true(b.v[0].band_hi < b.v[1].band_lo);
      assert_true(b.v[0].band_lo <= b.v[0].theta && b.v[0].theta <= b.v[0].band_hi);
      check_in(p, b.v[0].theta - b.v[0].width - slack,
               b.v[0].theta + b.v[0].width + slack);
      check_in(q, b.v[1].theta - b.v[1].width - slack,
               b.v[1].theta + b.v[1].width + slack);
      bench_fini(&b);
    }
}

static void what_is_not_a_number_ends_the_search(void **state)
{
  (void)state;
  for (int j = 0; sampled(j); j++) {
    bench b;
    bench_init(&b, &callback, -1, (double)NAN, 0);
    check_status(look(&b, sampled(j), -1, 0, 0), BRINK_ENAN);
    check_text(b.err.text, "guard 'y' is");
    bench_fini(&b);
    bench_init(&b, &plain, -1, (double)NAN, 0);
    check_status(look(&b, sampled(j), -1, 0, 0), BRINK_OK);
    bench_fini(&b);
  }
}

/* g = theta^2 - q is nasty for chords; flat cubic-like ends are covered by the ball */
static void evaluations_are_bounded(void **state)
{
  static const double q[] = {0x1p-1074, 1e-300, 1e-20, 1e-3, 0.4, 0.9999999};

  (void)state;
  for (int j = 0; sampled(j); j++)
    for (int i = 0; i < 6; i++) {
      bench b;
      bench_init(&b, &callback, -q[i], 0, 1);
      b.how.scan = 1;
      check_status(look(&b, sampled(j), -1, 0, 0), BRINK_OK);
      assert_int_equal(b.hits.n, 1);
      check_near(b.v[0].theta, sqrt(q[i]), b.v[0].width + 1e-15);
      assert_in_range(b.g.evals, 3, 500);
      bench_fini(&b);
    }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(memory_of_signs_decides_at_the_start),
      cmocka_unit_test(a_zero_at_the_end_waits_unless_it_must_be_decided),
      cmocka_unit_test(two_zeros_of_one_guard_are_two_instants),
      cmocka_unit_test(what_is_not_a_number_ends_the_search),
      cmocka_unit_test(evaluations_are_bounded),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
