/* Lowering under stress: memory refused at every call, large models, hostile texts. */
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "brink/load.h"
#include "front/modelica/lower.h"
#include "front/modelica/parse.h"

static const char rich[] =
    "package P constant Real g = 9.81; end P;\n"
    "model A\n"
    "  parameter Real k = 1;\n"
    "  Real x(start = k, fixed = true), y[2] = {x, k};\n"
    "equation\n"
    "  der(x) = -k*x;\n"
    "end A;\n"
    "record R Real a, b = 2; end R;\n"
    "function f\n"
    "  input Real x[:]; input R r;\n"
    "  output Real y; output R s;\n"
    "algorithm\n"
    "  y := 0; s := r;\n"
    "  for i in 1:size(x, 1) loop\n"
    "    if x[i] > 3 then break; end if;\n"
    "    y := y + x[i]*s.a;\n"
    "  end for;\n"
    "  while y > 10 loop y := y/2; end while;\n"
    "end f;\n"
    "model M\n"
    "  import P.g;\n"
    "  Integer count(start = 0); Real z, zz; R r = R(1.5);\n"
    "algorithm\n"
    "  z := f({h, v}, r);\n"
    "  if z > 1 then z := 1; end if;\n"
    "  when h > 4 then count := pre(count) + 1; end when;\n"
    "  when h > 5 then count := 0; end when;\n"
    "equation\n"
    "  (zz, ) = f({h}, R(a = 2));\n"
    "public\n"
    "  type E = enumeration(one, two);\n"
    "  parameter Integer n = 2;\n"
    "  A a[n](k = {1.5, 2.5});\n"
    "  E e(start = E.one);\n"
    "  Real h(start = 1, fixed = true, unit = \"m\") \"height\", v, w;\n"
    "  discrete Real d(start = 0);\n"
    "equation\n"
    "  der(h) = v;\n"
    "  der(v) = -g;\n"
    "  w = der(sin(h)*v) + abs(h) + floor(h);\n"
    "  if h > 2 then d = 1; else d = 2; end if;\n"
    "  assert(h > -5, \"h is \" + String(h) + \" below\");\n"
    "  when {h < 0, sample(0, 1)} then\n"
    "    reinit(v, -0.8*pre(v));\n"
    "    e = if e == E.one then E.two else E.one;\n"
    "  end when annotation(__brink(side = \"before\"));\n"
    "  annotation(experiment(StopTime = 3), __brink(method = \"dopri5\"));\n"
    "end M;\n";

static brink_status lowered(brink_ctx *ctx, const char *text, size_t n,
                            brink__diag *diag, brink__flat **flat)
{
  mo_file *file = NULL;

  *flat = NULL;
  brink__diag_init(diag, ctx, "test.mo");
  brink_status rc = brink__mo_parse(ctx, text, n, diag, &file);
  if (rc == BRINK_OK)
    rc = brink__mo_lower(ctx, file, NULL, diag, flat);
  brink__mo_file_free(file);
  return rc;
}

/* ------------------------------------------------------------------ memory ---- */

static void every_refused_allocation_is_told_and_leaks_nothing(void **state)
{
  long fail_at = 0;
  int done = 0;

  (void)state;
  while (!done && fail_at < 100000) {
    flaky f = {.fail_at = ++fail_at};
    brink_alloc alloc = flaky_alloc(&f);
    brink_ctx *ctx;
    if (brink_ctx_new(&alloc, &ctx) != BRINK_OK)
      continue;
    brink__diag diag;
    brink__flat *flat;
    brink_status rc = lowered(ctx, rich, strlen(rich), &diag, &flat);
    done = f.calls < fail_at;
    check_status(rc, done ? BRINK_OK : BRINK_ENOMEM);
    assert_true((flat != NULL) == done);
    brink__flat_free(flat);
    brink__diag_drop(&diag);
    brink_ctx_free(ctx);
    assert_int_equal(f.live, 0);
  }
  assert_true(done);
  assert_true(fail_at > 30);
}

/* -------------------------------------------------------------------- size ---- */

typedef struct text {
  char *s;
  size_t n, cap;
} text;

static void put(text *t, const char *fmt, long i, long k)
{
  if (t->cap - t->n < 200) {
    t->cap = 2 * t->cap + 1000;
    t->s = realloc(t->s, t->cap);
  }
  t->n += (size_t)sprintf(t->s + t->n, fmt, i, k);
}

/* a chain of n states, as a tool would flatten it */
static text chain(long n)
{
  text t = {0};

  put(&t, "model Chain\n  parameter Real k = 1;\n", 0, 0);
  for (long i = 0; i < n; i++)
    put(&t, "  Real x%ld(start = %ld, fixed = true);\n", i, i % 7);
  put(&t, "equation\n  der(x0) = -k*x0;\n", 0, 0);
  for (long i = 1; i < n; i++)
    put(&t, "  der(x%ld) = k*(x%ld - 1.5);\n", i, i - 1);
  put(&t, "end Chain;\n", 0, 0);
  return t;
}

static double seconds(long n, size_t *bytes)
{
  brink_ctx *ctx;
  text t = chain(n);
  brink__diag diag;
  brink__flat *flat;

  check_status(brink_ctx_new(NULL, &ctx), BRINK_OK);
  clock_t before = clock(); /* of this process: the machine may be busy */
  check_status(lowered(ctx, t.s, t.n, &diag, &flat), BRINK_OK);
  clock_t after = clock();
  assert_int_equal(flat->n_eqns, n);
  assert_int_equal(flat->n_vars, n + 1);
  *bytes = brink_ctx_alloc_stats(ctx).live_bytes;
  brink__flat_free(flat);
  brink__diag_drop(&diag);
  brink_ctx_free(ctx);
  free(t.s);
  return (double)(after - before) / CLOCKS_PER_SEC;
}

static void a_hundred_thousand_equations_take_linear_time_and_memory(void **state)
{
  size_t small, large;

  (void)state;
  double first = seconds(10000, &small), second = seconds(100000, &large);
  print_message("1e4: %.3f s, %zu bytes; 1e5: %.3f s, %zu bytes\n", first, small,
                second, large);
  check_in((double)large / (double)small, 7, 14);
  check_in(second, 0, 10); /* sanitizers included; without them it is 1 s */
}

/* ------------------------------------------------------------------ hostile ---- */

static void refused(const char *what, const char *sentence)
{
  brink_ctx *ctx;
  brink__diag diag;
  brink__flat *flat;

  check_status(brink_ctx_new(NULL, &ctx), BRINK_OK);
  check_status(lowered(ctx, what, strlen(what), &diag, &flat), BRINK_EMODEL);
  assert_null(flat);
  check_text(ctx->err.text, sentence);
  brink__diag_drop(&diag);
  brink_ctx_free(ctx);
}

static void classes_that_contain_or_extend_themselves_are_refused(void **state)
{
  (void)state;
  refused("model A B b; end A; model B A a; end B;", "contains itself");
  refused("model A extends B; end A; model B extends A; end B;", "extends itself");
  refused("model A extends A; end A;", "extends itself");
  refused("model M type T = U; type U = T; T x; end M;", "defined by itself");
  refused("model M Real x[size(x, 1)]; end M;", "depends on itself");
  refused("model M Real x[n]; parameter Integer n = size(x, 1); end M;",
          "depends on itself");
  refused("package P = Q; package Q = P; model M Real x = P.y; end M;",
          "the class 'P' is defined by itself");
  refused("model M model E = E.E; E e; end M;", "the class 'E' is defined by itself");
  refused("model M model A = B.C; model B = A.D; B b; end M;", "defined by itself");
  refused(
      "model M package P = Q.R; package Q = S; package S = P.T; Real x = P.c; end M;",
      "defined by itself");
  refused("model M function f = g.h; function g = f.k; Real x = f(1); end M;",
          "defined by itself");
  refused("model M type E = E.E; Real x[E]; end M;", "defined by itself");
  refused("model M connector C = C.D; C a, b; equation connect(a, b); end M;",
          "defined by itself");
  refused("model M model E extends E.F; extends E.G; end E; E e; end M;",
          "the class 'E' has no element 'F'");
}

static void long_chains_of_parameters_are_followed_or_refused(void **state)
{
  text t = {0};

  (void)state;
  put(&t, "model M\n  parameter Integer p0 = 1;\n", 0, 0);
  for (long i = 1; i < 5000; i++)
    put(&t, "  parameter Integer p%ld = p%ld;\n", i, i - 1);
  put(&t, "  Real x[p4999];\nend M;\n", 0, 0);
  refused(t.s, "needs a chain of more than");
  free(t.s);
}

static void returns_without_end_are_refused(void **state)
{
  text t = {0};

  (void)state;
  put(&t, "function f\n  input Real u;\n  output Real y;\nalgorithm\n  y := 0;\n", 0,
      0);
  for (long i = 0; i < 60000; i++)
    put(&t, "  if u > %ld then return; end if;\n", i, 0);
  put(&t, "end f;\nmodel M\n  Real x = f(time);\nend M;\n", 0, 0);
  refused(t.s, "stands behind more than 1000 others that may end the algorithm");
  free(t.s);
}

/* 200,000 terms, which lean to the left, one above the other */
static void a_long_condition_costs_no_stack(void **state)
{
  text t = {0};
  brink_ctx *ctx;
  brink__diag diag;
  brink__flat *flat;

  (void)state;
  put(&t, "model M\n  Real x(start = 0);\n  Integer n(start = 0);\nequation\n", 0, 0);
  put(&t, "  der(x) = 1;\n  when x > 0.5", 0, 0);
  for (long i = 1; i < 200000; i++)
    put(&t, " or x > %ld", i, 0);
  put(&t, " then\n    n = 1;\n  end when;\nend M;\n", 0, 0);
  check_status(brink_ctx_new(NULL, &ctx), BRINK_OK);
  check_status(lowered(ctx, t.s, t.n, &diag, &flat), BRINK_OK);
  assert_int_equal(flat->n_relations, 200000);
  brink__flat_free(flat);
  brink__diag_drop(&diag);
  brink_ctx_free(ctx);
  free(t.s);
}

static void a_long_elseif_chain_is_one_expression(void **state)
{
  text t = {0};
  brink_ctx *ctx;
  brink__diag diag;
  brink__flat *flat;

  (void)state;
  put(&t, "model M\n  Real x;\nequation\n  x = if time < 0 then 0 ", 0, 0);
  for (long i = 1; i < 20000; i++)
    put(&t, "elseif time < %ld then %ld ", i, i + 1);
  put(&t, "else 7;\nend M;\n", 0, 0);
  check_status(brink_ctx_new(NULL, &ctx), BRINK_OK);
  check_status(lowered(ctx, t.s, t.n, &diag, &flat), BRINK_OK);
  assert_int_equal(flat->n_relations, 20000);
  brink__flat_free(flat);
  brink__diag_drop(&diag);
  brink_ctx_free(ctx);
  free(t.s);
}

static void faults_are_told_one_by_one_with_their_place(void *user, const char *said,
                                                        int is_warning)
{
  static const char *const want[] = {
      "two.mo:2:12: variable 'y' is not declared",
      "two.mo:3:3: type 'Rael' is not declared; did you mean 'Real'?"};
  int *n = user;

  assert_false(is_warning);
  assert_true(*n < 2);
  /* instantiation comes before equations */
  assert_string_equal(said, want[1 - *n]);
  ++*n;
}

static void every_fault_reaches_the_caller(void **state)
{
  static const char two[] = "model Two\n  Real x = y;\n  Rael z;\nend Two;\n";
  brink_ctx *ctx;
  brink_model *model;
  int n = 0;
  brink_load_opts opt = {.size = sizeof opt,
                         .fault = faults_are_told_one_by_one_with_their_place,
                         .user = &n};

  (void)state;
  check_status(brink_ctx_new(NULL, &ctx), BRINK_OK);
  check_status(brink_model_read(ctx, "two.mo", two, strlen(two), &opt, &model),
               BRINK_EMODEL);
  assert_null(model);
  assert_int_equal(n, 2);
  assert_int_equal(brink_ctx_error(ctx)->line, 3);
  check_status(brink_model_load(ctx, "no/such/file.mo", NULL, &model), BRINK_EIO);
  check_text(brink_ctx_error(ctx)->text, "no/such/file.mo");
  brink_setting set = {"zz", "1"};
  brink_load_opts unknown = {.size = sizeof unknown, .set = &set, .n_set = 1};
  static const char one[] = "model One parameter Real z = 1; Real x = z; end One;";
  check_status(brink_model_read(ctx, "one.mo", one, strlen(one), &unknown, &model),
               BRINK_ENAME);
  check_text(brink_ctx_error(ctx)->text, "did you mean 'z'?");
  assert_int_equal(brink_ctx_alloc_stats(ctx).live_bytes, 0);
  brink_ctx_free(ctx);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_refused_allocation_is_told_and_leaks_nothing),
      cmocka_unit_test(a_hundred_thousand_equations_take_linear_time_and_memory),
      cmocka_unit_test(classes_that_contain_or_extend_themselves_are_refused),
      cmocka_unit_test(long_chains_of_parameters_are_followed_or_refused),
      cmocka_unit_test(returns_without_end_are_refused),
      cmocka_unit_test(a_long_condition_costs_no_stack),
      cmocka_unit_test(a_long_elseif_chain_is_one_expression),
      cmocka_unit_test(every_fault_reaches_the_caller),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
