/* test_hard_guards.c -- twenty guards that are hard to locate, with every locator and
 * every method; and that the comparison with the answers tells what is wrong. */
#include "check.h"
#include "plain_methods.h"

#include "papers/hard_guards.h"

#include <math.h>
#include <string.h>

/* The longest step of the command, as a part of the run. */
static const double COMMANDS_STEP = 1.0 / 50;

static brink_ctx *ctx;

static hard_guard_result result(const hard_guard *g, const hard_guard_way *way)
{
  hard_guard_result r;

  if (hard_guard_run(ctx, g, way, &r) != 0)
    fail_msg("%s: %s", g->name, brink_ctx_error(ctx)->text);
  return r;
}

static const hard_guard *named(const char *name)
{
  for (int g = 0; g < HARD_GUARDS; g++)
    if (strcmp(hard_guards[g].name, name) == 0)
      return &hard_guards[g];
  fail_msg("there is no guard '%s'", name);
  return NULL;
}

/* rk4 does not look at its error, which is large where f has a root that ends. */
static int beyond_the_method(const hard_guard *g, const hard_guard_way *way)
{
  return strcmp(way->method, "rk4") == 0 && strcmp(g->name, "singular") == 0;
}

/* ---------------------------------------------------------- all of them --- */

static void find_all(const hard_guard_way *way)
{
  for (int g = 0; g < HARD_GUARDS; g++) {
    const hard_guard *guard = &hard_guards[g];
    hard_guard_result r = result(guard, way);
    if (beyond_the_method(guard, way))
      continue;
    if (r.verdict != HARD_GUARD_FOUND)
      fail_msg("%s, %s, %s, steps up to %g of the run: verdict %d, %d missed, %d more; "
               "%s",
               guard->name, way->locator, way->method, way->longest, (int)r.verdict,
               r.missed, r.excess, r.why.text);
    /* where its own rounding hides how many zeros a guard has, nobody can prove it */
    brink_certificate best =
        strcmp(guard->name, "rounding") == 0 ? BRINK_CONVERGED : BRINK_PROVED;
    if (r.certificate != best)
      fail_msg("%s, %s, %s: certificate %s", guard->name, way->locator, way->method,
               brink_certificate_text(r.certificate));
  }
}

static void locators_that_prove_absence_find_all_with_every_method(void **state)
{
  (void)state;
  for (int l = 0; brink_locator_name(l); l++)
    for (int m = 0; brink_locator_proves(l) && brink_method_name(m); m++) {
      if (owns_its_steps(m))
        continue; /* what is shallower than its errors */
      hard_guard_way way = {brink_method_name(m), brink_locator_name(l), COMMANDS_STEP};
      find_all(&way);
      way.longest = 0;
      if (m % 3 == 0) /* a third of the methods: a matter of time */
        find_all(&way);
    }
}

static void nothing_that_is_wrong_is_called_proved(void **state)
{
  int wrong = 0;

  (void)state;
  for (int l = 0; brink_locator_name(l); l++)
    for (int m = 0; !brink_locator_proves(l) && brink_method_name(m); m++)
      for (int g = 0; g < HARD_GUARDS; g++) {
        hard_guard_way way = {brink_method_name(m), brink_locator_name(l),
                              COMMANDS_STEP};
        hard_guard_result r = result(&hard_guards[g], &way);
        wrong += r.verdict != HARD_GUARD_FOUND;
        assert_int_equal(r.certificate, BRINK_SAMPLED);
      }
  assert_true(wrong > 100);
}

/* Samples see no touch, and an even number of zeros between two of them not at all. */
static void locators_that_iterate_find_all_that_samples_show(void **state)
{
  static const char *const locators[] = {"bisection", "secant",   "tangent",
                                         "falsi",     "illinois", "itp"};
  static const char *const unseen[] = {"touch", "pair", "cluster"};

  (void)state;
  for (size_t l = 0; l < sizeof locators / sizeof *locators; l++)
    for (int m = 0; brink_method_name(m); m++) {
      if (owns_its_steps(m))
        continue;
      hard_guard_way way = {brink_method_name(m), locators[l], COMMANDS_STEP};
      for (size_t i = 0; i < sizeof unseen / sizeof *unseen; i++)
        assert_int_equal(result(named(unseen[i]), &way).verdict, HARD_GUARD_MISSED);
      for (int g = 0; g < HARD_GUARDS; g++) {
        const hard_guard *guard = &hard_guards[g];
        int hidden = strcmp(guard->name, "peak") == 0; /* depends on the samples */
        for (size_t i = 0; i < sizeof unseen / sizeof *unseen; i++)
          hidden |= strcmp(guard->name, unseen[i]) == 0;
        if (!hidden && !beyond_the_method(guard, &way) &&
            result(guard, &way).verdict != HARD_GUARD_FOUND)
          fail_msg("%s with %s and %s", guard->name, way.locator, way.method);
      }
    }
}

/* ------------------------------------------------------- the comparison --- */

static const hard_guard_way plain = {"dopri5", "isolate", 0.02};

static void an_answer_that_is_another_is_told(void **state)
{
  hard_guard g = *named("triple");

  (void)state;
  g.times[1] += 1.001 * hard_guard_allowed(&g);
  assert_int_equal(result(&g, &plain).verdict, HARD_GUARD_MOVED);
  g = *named("triple");
  g.n = 3;
  g.times[2] = 2.385;
  assert_int_equal(result(&g, &plain).verdict, HARD_GUARD_MISSED);
  g.n = 1;
  assert_int_equal(result(&g, &plain).verdict, HARD_GUARD_FALSE);
  g = *named("triple");
  g.counts[0] = 2;
  assert_int_equal(result(&g, &plain).verdict, HARD_GUARD_MOVED);
  g = *named("graze");
  g.period += 1e-3;
  assert_int_equal(result(&g, &plain).verdict, HARD_GUARD_MOVED);
}

static void a_touch_is_no_crossing(void **state)
{
  hard_guard g = *named("touch");

  (void)state;
  g.touch = 0;
  assert_int_equal(result(&g, &plain).verdict, HARD_GUARD_MISSED);
  g = *named("steep");
  g.touch = 1;
  assert_int_equal(result(&g, &plain).verdict, HARD_GUARD_MOVED);
}

static void a_run_that_ends_early_has_a_sentence(void **state)
{
  hard_guard g = *named("stop");

  (void)state;
  g.text = "model Ends\n  Real x(start = 0.213, fixed = true);\nequation\n"
           "  der(x) = 1.9;\n  assert(x < 1.1, \"x is too large\");\nend Ends;\n";
  hard_guard_result r = result(&g, &plain);
  assert_int_equal(r.verdict, HARD_GUARD_ENDED);
  if (!strstr(r.why.text, "x is too large"))
    fail_msg("%s", r.why.text);
  g.text = "model Faulty\n";
  assert_int_equal(hard_guard_run(ctx, &g, &plain, &r), -1);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(locators_that_prove_absence_find_all_with_every_method),
      cmocka_unit_test(nothing_that_is_wrong_is_called_proved),
      cmocka_unit_test(locators_that_iterate_find_all_that_samples_show),
      cmocka_unit_test(an_answer_that_is_another_is_told),
      cmocka_unit_test(a_touch_is_no_crossing),
      cmocka_unit_test(a_run_that_ends_early_has_a_sentence),
  };

  if (brink_ctx_new(NULL, &ctx) < 0)
    return 1;
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  brink_ctx_free(ctx);
  return failed;
}
