/* Structs of options carry their size: a program compiled for a library with fewer
 * options gets the defaults of the others; one without a size, or compiled for a
 * library with more, is refused in words. */
#include "check.h"

#include <stddef.h>
#include <string.h>

#include "brink/brink.h"

static int decay(double t, const double *y, double *f, const brink_env *e)
{
  (void)t, (void)e;
  f[0] = -1.37 * y[0];
  return 0;
}

static const brink_mode_def mode = {.name = "m", .n = 1, .rhs = decay};
static const brink_model_def def = {.name = "decay", .modes = &mode, .n_modes = 1};

/* The work of a run with options of which the library is told the first `size` bytes.
 */
static brink_status run(brink_sim_opts opt, size_t size, long *f_evals, char *why)
{
  brink_ctx *ctx;
  brink_model *model;
  brink_sim *sim;

  opt.size = size;
  check_status(brink_ctx_new(NULL, &ctx), BRINK_OK);
  check_status(brink_model_new(ctx, &def, &model), BRINK_OK);
  brink_status rc = brink_sim_new(ctx, model, &opt, &sim);
  if (rc == BRINK_OK) {
    check_status(brink_sim_start(sim, 0.3, 0, (double[]){0.9}), BRINK_OK);
    check_status(brink_sim_run(sim, 2.7), BRINK_END);
    *f_evals = brink_sim_statistics(sim).work.f_evals;
  } else {
    assert_null(sim);
  }
  strcpy(why, brink_ctx_error(ctx)->text);
  brink_sim_free(sim);
  brink_model_free(model);
  brink_ctx_free(ctx);
  return rc;
}

static void options_beyond_the_given_size_have_their_defaults(void **state)
{
  brink_sim_opts opt = brink_sim_defaults();
  long plain, fine, old;
  char why[BRINK_ERR_TEXT];

  (void)state;
  assert_int_equal(opt.size, sizeof opt);
  check_status(run(opt, sizeof opt, &plain, why), BRINK_OK);
  opt.h_max = 0.01;
  check_status(run(opt, sizeof opt, &fine, why), BRINK_OK);
  assert_true(fine > 2 * plain);

  /* a program that knew nothing of h_max and what follows it: it is not read */
  check_status(run(opt, offsetof(brink_sim_opts, h_max), &old, why), BRINK_OK);
  assert_int_equal(old, plain);
}

static void a_size_that_cannot_be_is_refused(void **state)
{
  brink_sim_opts opt = brink_sim_defaults();
  long evals;
  char why[BRINK_ERR_TEXT];

  (void)state;
  check_status(run(opt, 0, &evals, why), BRINK_EARG);
  check_text(why, "brink_sim_opts has no size");
  check_status(run(opt, sizeof opt + 8, &evals, why), BRINK_EARG);
  check_text(why, "compiled for a newer one");
}

static void defaults_fill_the_size_that_the_program_knows(void **state)
{
  struct {
    brink_sim_opts opt;
    unsigned char behind[32];
  } room;
  size_t small = offsetof(brink_sim_opts, h_min);

  (void)state;
  memset(&room, 0x5a, sizeof room);
  brink_sim_opts_init(&room.opt, small);
  assert_int_equal(room.opt.size, small);
  check_near(room.opt.rtol, 1e-6, 0);
  for (const unsigned char *p = (unsigned char *)&room + small;
       p < (unsigned char *)(&room + 1); p++)
    assert_int_equal(*p, 0x5a);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(options_beyond_the_given_size_have_their_defaults),
      cmocka_unit_test(a_size_that_cannot_be_is_refused),
      cmocka_unit_test(defaults_fill_the_size_that_the_program_knows),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
