/* Modes that a run meets: what chooses branches of the equations of a text, when and
 * how often; their structure; copies; how many are told apart; what a mode met again
 * costs.
 */
#include "check.h"

#include "brink/brink.h"

#include <math.h>
#include <string.h>

typedef struct rig {
  brink_ctx *ctx;
  brink_model *model;
  brink_sim *sim;
} rig;

static rig read(const char *text)
{
  rig r = {.ctx = NULL};
  brink_sim_opts opt = brink_sim_defaults();

  opt.rtol = 1e-10;
  check_status(brink_ctx_new(NULL, &r.ctx), BRINK_OK);
  check_status(brink_model_read(r.ctx, "m.mo", text, strlen(text), NULL, &r.model),
               BRINK_OK);
  check_status(brink_sim_new(r.ctx, r.model, &opt, &r.sim), BRINK_OK);
  return r;
}

static rig run(const char *text, double stop)
{
  rig r = read(text);

  check_status(brink_sim_start(r.sim, 0, 0, NULL), BRINK_OK);
  check_status(brink_sim_run(r.sim, stop), BRINK_END);
  return r;
}

static void end(rig *r)
{
  brink_sim_free(r->sim);
  brink_model_free(r->model);
  brink_ctx_free(r->ctx);
}

static long met(const rig *r) { return brink_sim_statistics(r->sim).modes_met; }

/* ---------------------------------------------------------------- branches --- */

static void conditions_name_relations_and_discrete_variables(void **state)
{
  rig r = read("model M\n"
               "  parameter Boolean p = true;\n"
               "  Real x(start = 0.3, fixed = true), y;\n"
               "  Boolean b = x > 7;\n"
               "  Integer n(start = 2, fixed = true);\n"
               "equation\n"
               "  der(x) = if p then 1 else x;\n" /* parameters decide: no branch */
               "  y = if b and pre(n) < 3 then abs(x - 1.5) else noEvent(if x > 5 then "
               "1 else x);\n"
               "  when x > 9 then n = pre(n) + 1; end when;\n"
               "end M;\n");
  brink_anatomy a = brink_model_anatomy(r.model);

  (void)state;
  assert_int_equal(a.n_branches, 3);
  assert_string_equal(a.branches[0].name, "b");
  assert_int_equal(a.branches[0].line, 4);
  assert_string_equal(a.branches[1].name, "n");
  assert_int_equal(a.branches[1].line, 5);
  assert_int_equal(a.branches[2].line, 8); /* of abs */
  end(&r);
}

/* ------------------------------------------------------------------ record --- */

static const char saw[] = "model M\n"
                          "  Real x(start = 0.25, fixed = true), y;\n"
                          "equation\n"
                          "  der(x) = 1;\n"
                          "  y = if sin(3*x) > 0.1 then x else -x;\n"
                          "end M;\n";

static void times_and_entries_are_counted(void **state)
{
  rig r = run(saw, 3);
  double first = (3.14159265358979323846 - asin(0.1)) / 3 - 0.25;

  (void)state;
  assert_int_equal(met(&r), 2);
  brink_mode_met a = brink_sim_mode_met(r.sim, 0), b = brink_sim_mode_met(r.sim, 1);
  check_near(a.t, 0, 0);
  check_near(a.branches[0], 1, 0);
  assert_int_equal(a.entries, 2);
  check_near(b.t, first, 1e-9);
  check_near(b.branches[0], 0, 0);
  assert_int_equal(b.entries, 2);
  assert_int_equal(brink_sim_mode_met(r.sim, 2).mode, -1);

  /* another run begins anew */
  check_status(brink_sim_start(r.sim, 0, 0, NULL), BRINK_OK);
  assert_int_equal(met(&r), 0);
  check_status(brink_sim_run(r.sim, 0.5), BRINK_END);
  assert_int_equal(met(&r), 1);
  assert_int_equal(brink_sim_mode_met(r.sim, 0).entries, 1);
  end(&r);
}

/* x > 0 changes at 0+: no time passes in the mode of the start. */
static void a_mode_without_time_is_not_met(void **state)
{
  rig r = run("model M\n"
              "  Real x(start = 0, fixed = true), y;\n"
              "equation\n"
              "  der(x) = 0.7;\n"
              "  y = if x > 0 then x else 5;\n"
              "end M;\n",
              1.3);

  (void)state;
  assert_int_equal(met(&r), 1);
  check_near(brink_sim_mode_met(r.sim, 0).branches[0], 1, 0);
  check_near(brink_sim_mode_met(r.sim, 0).t, 0, 0);
  assert_int_equal(brink_sim_mode_met(r.sim, 0).entries, 1);
  end(&r);
}

static void copies_go_on_counting_for_themselves(void **state)
{
  rig r = run(saw, 1.5);
  brink_snapshot *kept = NULL;
  brink_sim *clone = NULL;
  long before = brink_sim_mode_met(r.sim, 0).entries;

  (void)state;
  check_status(brink_sim_save(r.sim, &kept), BRINK_OK);
  check_status(brink_sim_clone(r.ctx, r.sim, &clone), BRINK_OK);
  check_status(brink_sim_run(clone, 6), BRINK_END);
  assert_int_equal(brink_sim_mode_met(r.sim, 0).entries, before);
  assert_true(brink_sim_mode_met(clone, 0).entries > before);
  check_status(brink_sim_run(r.sim, 6), BRINK_END);
  for (size_t i = 0; i < 2; i++) {
    brink_mode_met a = brink_sim_mode_met(r.sim, i), b = brink_sim_mode_met(clone, i);
    assert_int_equal(a.entries, b.entries);
    check_near(a.t, b.t, 0);
    check_near(a.branches[0], b.branches[0], 0);
  }
  check_status(brink_sim_restore(r.sim, kept), BRINK_OK);
  assert_int_equal(brink_sim_mode_met(r.sim, 0).entries, before);
  brink_snapshot_free(kept);
  brink_sim_free(clone);
  end(&r);
}

/* Every value of an Integer in a condition is a mode; 256 are told apart. */
static void further_modes_are_counted_together(void **state)
{
  rig r = run("model M\n"
              "  Integer n(start = 0, fixed = true);\n"
              "  Real x(start = 0, fixed = true);\n"
              "equation\n"
              "  der(x) = if n > 3 then 1 else 0.5;\n"
              "  when sample(0.001, 0.001) then n = pre(n) + 1; end when;\n"
              "end M;\n",
              0.3005);

  (void)state;
  assert_int_equal(met(&r), 256);
  assert_int_equal(brink_sim_modes_unlisted(r.sim), 301 - 256);
  check_near(brink_sim_mode_met(r.sim, 255).branches[0], 255, 0);
  end(&r);
}

/* ---------------------------------------------------------------- structure --- */

static const char clutch[] =
    "model Clutch\n"
    "  Real w1(start = 2.3, fixed = true), w2(start = -0.4, fixed = true), tau;\n"
    "  Boolean locked(start = false, fixed = true);\n"
    "equation\n"
    "  der(w1) = sin(time) - tau;\n"
    "  3*der(w2) = tau;\n"
    "  if locked then w1 = w2; else tau = 0.7*(w1 - w2); end if;\n"
    "  when sample(0.3, 0.3) then locked = not pre(locked); end when;\n"
    "end Clutch;\n";

static int index_with(const rig *r, const double *branches)
{
  brink_structures *one = NULL;

  check_status(brink_model_structure(r->ctx, r->model, 0, branches, &one), BRINK_OK);
  assert_int_equal(one->n, 1);
  int index = one->v[0].index;
  brink_structures_free(one);
  return index;
}

static void a_mode_that_is_met_again_is_not_analysed_again(void **state)
{
  rig r = run(clutch, 0.5);
  long analysed = brink_sim_statistics(r.sim).modes_analysed;

  (void)state;
  assert_int_equal(met(&r), 2);
  assert_int_equal(analysed, 1); /* the first one comes with the model */
  check_status(brink_sim_run(r.sim, 7), BRINK_END);
  assert_int_equal(met(&r), 2);
  assert_true(brink_sim_mode_met(r.sim, 1).entries > 10);
  assert_int_equal(brink_sim_statistics(r.sim).modes_analysed, analysed);
  for (size_t i = 0; i < 2; i++) {
    brink_mode_met m = brink_sim_mode_met(r.sim, i);
    assert_int_equal(index_with(&r, m.branches), m.branches[0] != 0 ? 2 : 1);
  }

  /* the next run knows them all */
  check_status(brink_sim_start(r.sim, 0, 0, NULL), BRINK_OK);
  check_status(brink_sim_run(r.sim, 3), BRINK_END);
  assert_int_equal(brink_sim_statistics(r.sim).modes_analysed, 0);
  end(&r);
}

static void only_texts_have_a_structure(void **state)
{
  rig r = read(saw);
  brink_structures *one = NULL;
  double both = (double)NAN;

  (void)state;
  assert_int_equal(index_with(&r, &both), 1);
  assert_int_equal(index_with(&r, NULL), 1);
  check_status(brink_model_structure(r.ctx, r.model, 1, NULL, &one), BRINK_EARG);
  assert_null(one);
  check_status(brink_model_structure(r.ctx, r.model, -1, NULL, &one), BRINK_EARG);
  end(&r);
}

static int still(double t, const double *y, double *f, const brink_env *e)
{
  (void)t, (void)y, (void)e;
  f[0] = 1;
  return 0;
}

static void a_model_of_callbacks_has_modes_without_branches(void **state)
{
  const brink_mode_def mode = {.name = "only", .n = 1, .rhs = still};
  const brink_model_def def = {.name = "still", .modes = &mode, .n_modes = 1};
  rig r = {.ctx = NULL};
  brink_structures *one = NULL;
  double y = 0.4;

  (void)state;
  check_status(brink_ctx_new(NULL, &r.ctx), BRINK_OK);
  check_status(brink_model_new(r.ctx, &def, &r.model), BRINK_OK);
  check_status(brink_sim_new(r.ctx, r.model, NULL, &r.sim), BRINK_OK);
  check_status(brink_sim_start(r.sim, 0.2, 0, &y), BRINK_OK);
  check_status(brink_sim_run(r.sim, 1), BRINK_END);
  assert_int_equal(met(&r), 1);
  assert_int_equal(brink_sim_mode_met(r.sim, 0).mode, 0);
  check_near(brink_sim_mode_met(r.sim, 0).t, 0.2, 0);
  check_status(brink_model_structure(r.ctx, r.model, 0, NULL, &one), BRINK_EARG);
  end(&r);
}

/* Fail allocation number `at`; 1 if that many were made. */
static int visit(long at)
{
  flaky f = {.fail_at = at};
  brink_alloc alloc = flaky_alloc(&f);
  brink_ctx *ctx = NULL;
  brink_model *model = NULL;
  brink_structures *one = NULL;
  brink_status rc = brink_ctx_new(&alloc, &ctx);

  if (rc >= 0)
    rc = brink_model_read(ctx, "m.mo", clutch, strlen(clutch), NULL, &model);
  if (rc >= 0)
    rc = brink_model_structure(ctx, model, 0, &(double){1}, &one);
  if (rc < 0) {
    assert_int_equal(rc, BRINK_ENOMEM);
    assert_null(one);
  }
  brink_structures_free(one);
  brink_model_free(model);
  brink_ctx_free(ctx);
  assert_int_equal(f.live, 0);
  return rc < 0;
}

static void every_allocation_may_fail(void **state)
{
  long at = 1;

  (void)state;
  while (visit(at))
    at++;
  assert_true(at > 20);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(conditions_name_relations_and_discrete_variables),
      cmocka_unit_test(times_and_entries_are_counted),
      cmocka_unit_test(a_mode_without_time_is_not_met),
      cmocka_unit_test(copies_go_on_counting_for_themselves),
      cmocka_unit_test(further_modes_are_counted_together),
      cmocka_unit_test(a_mode_that_is_met_again_is_not_analysed_again),
      cmocka_unit_test(only_texts_have_a_structure),
      cmocka_unit_test(a_model_of_callbacks_has_modes_without_branches),
      cmocka_unit_test(every_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
