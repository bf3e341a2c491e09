/* Large algebraic loops: a ladder of resistors, as components and as equations, with
 * diodes too. */
#include "check.h"
#include "ladder.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "brink/load.h"

/* Without a sparse solver large loops are possible, but slow. */
static int sparse(void) { return strstr(brink_version(), "AMD") != NULL; }

typedef struct ladder {
  ladder_kind kind;
  int n;
  brink_ctx *ctx;
  brink_model *model;
  brink_sim *sim;
  double *v; /* [n] voltages of the nodes */
} ladder;

static void build(ladder *l, ladder_kind kind, int n)
{
  size_t length = 0;
  char *text = ladder_text(kind, n, &length);
  brink_sim_opts opt = brink_sim_defaults();

  *l = (ladder){.kind = kind, .n = n, .v = malloc((size_t)n * sizeof(double))};
  assert_non_null(text);
  assert_non_null(l->v);
  opt.rtol = 1e-8;
  opt.method = "dopri5"; /* loops are meant; sparse steps of radau take memory */
  check_status(brink_ctx_new(NULL, &l->ctx), BRINK_OK);
  check_status(brink_model_read(l->ctx, "ladder.mo", text, length, NULL, &l->model),
               BRINK_OK);
  check_status(brink_sim_new(l->ctx, l->model, &opt, &l->sim), BRINK_OK);
  free(text);
}

static void end(ladder *l)
{
  brink_sim_free(l->sim);
  brink_model_free(l->model);
  assert_int_equal(brink_ctx_alloc_stats(l->ctx).live_bytes, 0);
  brink_ctx_free(l->ctx);
  free(l->v);
}

static void read_nodes(ladder *l)
{
  size_t n = brink_model_variables(l->model);
  double *all = malloc(n * sizeof *all);

  assert_non_null(all);
  check_status(brink_sim_values(l->sim, all), BRINK_OK);
  for (int k = 1; k <= l->n; k++) {
    char name[32];
    ladder_name(l->kind, k, name, sizeof name);
    int i = brink_model_find(l->model, name);
    assert_true(i >= 0);
    l->v[k - 1] = all[i];
  }
  free(all);
}

static void run(ladder *l, double t)
{
  check_status(brink_sim_start(l->sim, 0, 0, NULL), BRINK_OK);
  check_status(brink_sim_run(l->sim, t), BRINK_END);
  read_nodes(l);
}

static void voltages_are_those_of_the_closed_form(void **state)
{
  (void)state;
  static const int sizes[] = {3, 200, 1000};
  for (int kind = LADDER_COMPONENTS; kind <= LADDER_EQUATIONS; kind++)
    for (size_t c = 0; c < (sparse() ? sizeof sizes / sizeof *sizes : 2); c++) {
      ladder l;
      double want[1000];
      build(&l, (ladder_kind)kind, sizes[c]);
      run(&l, 0.1);
      ladder_nodes(l.n, 0.1, want);
      for (int k = 0; k < l.n; k++)
        check_near(l.v[k], want[k], 1e-7);
      end(&l);
    }
}

static void currents_of_a_ladder_with_diodes_add_up(void **state)
{
  (void)state;
  static const int sizes[] = {3, 500};
  for (size_t c = 0; c < sizeof sizes / sizeof *sizes; c++) {
    ladder l;
    build(&l, LADDER_DIODES, sparse() ? sizes[c] : 30);
    run(&l, 0.1);
    for (int k = 1; k < l.n; k++)
      check_near(ladder_current(l.kind, 0.1, l.v, k), 0, 1e-9);
    end(&l);
  }
}

/* Dense matrices of the 12 n unknowns would need 144 n^2 numbers: 1.1 GB for 1,000. */
static void memory_grows_with_the_number_of_cells(void **state)
{
  (void)state;
  double bytes[2];
  if (!sparse())
    skip();
  for (int i = 0; i < 2; i++) {
    ladder l;
    build(&l, LADDER_COMPONENTS, i ? 1000 : 500);
    run(&l, 0.01);
    bytes[i] = (double)brink_ctx_alloc_stats(l.ctx).live_bytes;
    end(&l);
  }
  check_in(bytes[1] / bytes[0], 1.5, 2.3);
  check_in(bytes[1], 1e6, 4e7);
}

static void a_run_allocates_nothing(void **state)
{
  (void)state;
  for (int kind = 0; kind < LADDER_KINDS; kind++)
    for (int n = 3; n <= 200; n += 197) {
      ladder l;
      build(&l, (ladder_kind)kind, n);
      check_status(brink_sim_start(l.sim, 0, 0, NULL), BRINK_OK);
      check_status(brink_sim_run(l.sim, 0.01), BRINK_END);
      size_t calls = brink_ctx_alloc_stats(l.ctx).calls;
      check_status(brink_sim_run(l.sim, 0.25), BRINK_END);
      assert_int_equal(brink_ctx_alloc_stats(l.ctx).calls, calls);
      end(&l);
    }
}

/* Bit for bit: a second start, a clone, and a simulation taken back. */
static void what_follows_is_the_same_for_copies(void **state)
{
  (void)state;
  for (int kind = 0; kind < LADDER_KINDS; kind++) {
    ladder l;
    double want[200];
    brink_snapshot *snapshot = NULL;
    brink_sim *clone = NULL;
    build(&l, (ladder_kind)kind, 200);
    run(&l, 0.25);
    memcpy(want, l.v, sizeof want);
    run(&l, 0.1);
    check_status(brink_sim_save(l.sim, &snapshot), BRINK_OK);
    check_status(brink_sim_clone(l.ctx, l.sim, &clone), BRINK_OK);
    check_status(brink_sim_run(l.sim, 0.25), BRINK_END);
    read_nodes(&l);
    memcpy(want, l.v, sizeof want);
    brink_sim *own = l.sim;
    l.sim = clone;
    check_status(brink_sim_run(l.sim, 0.25), BRINK_END);
    read_nodes(&l);
    assert_memory_equal(l.v, want, sizeof want);
    brink_sim_free(clone);
    l.sim = own;
    check_status(brink_sim_restore(l.sim, snapshot), BRINK_OK);
    check_status(brink_sim_run(l.sim, 0.25), BRINK_END);
    read_nodes(&l);
    assert_memory_equal(l.v, want, sizeof want);
    brink_snapshot_free(snapshot);
    end(&l);
  }
}

/* -------------------------------------------------------------- faults --- */

/* Read and start a ring of n equations; the sentence that says what is wrong. */
static void refuse(const char *text, const char *part)
{
  brink_ctx *ctx = NULL;
  brink_model *model = NULL;
  brink_sim *sim = NULL;
  char said[BRINK_ERR_TEXT] = "";

  check_status(brink_ctx_new(NULL, &ctx), BRINK_OK);
  if (brink_model_read(ctx, "ring.mo", text, strlen(text), NULL, &model) < 0)
    snprintf(said, sizeof said, "%s", brink_ctx_error(ctx)->text);
  else if (brink_sim_new(ctx, model, NULL, &sim) == BRINK_OK &&
           brink_sim_start(sim, 0, 0, NULL) < 0)
    snprintf(said, sizeof said, "%s", brink_sim_error(sim)->text);
  check_text(said, part);
  brink_sim_free(sim);
  brink_model_free(model);
  brink_ctx_free(ctx);
}

#define RING(size, first, last)                                                        \
  "model Ring parameter Integer N = " size "; parameter Real p = 1;\n"                 \
  "  Real x[N](each start = 1), y(start = 0, fixed = true);\n"                         \
  "equation der(y) = x[1];\n" first last "end Ring;\n"
#define CHAIN  "  for k in 1:N-1 loop x[k] - p*x[k+1] = 0; end for;\n"
#define CURVED "  for k in 1:N-1 loop x[k]^2 - p*x[k+1]*x[k] = 0; end for;\n"
#define CLOSED "  x[N] - p*x[1] = sin(time);\n"

static void singular_loops_name_equations_and_variables(void **state)
{
  (void)state;
  refuse(RING("4", CHAIN, CLOSED), "no unique solution of x[4] - p*x[1] = sin(time)");
  refuse(RING("300", CHAIN, CLOSED),
         "no unique solution of x[300] - p*x[1] = sin(time) (line 5)");
  refuse(RING("300", CHAIN, CLOSED), "for x[300], x[299], ");
  refuse(RING("60", CURVED, CLOSED), "x[60] - p*x[1] = sin(time) (line 5)");
}

static void too_few_and_too_many_equations_are_named(void **state)
{
  (void)state;
  refuse(RING("300", CHAIN, ""), "300 equations for 301 unknowns; no equation "
                                 "determines 'x[300]' (line 2)");
  refuse(RING("300", CHAIN, CLOSED "  x[7] = 2;\n"),
         "302 equations for 301 unknowns; the equations at lines 4, 4, ");
}

/* Each allocation fails once: the sentence comes, and nothing is lost. */
static void every_allocation_may_fail(void **state)
{
  (void)state;
  size_t length = 0;
  char *text = ladder_text(LADDER_EQUATIONS, 30, &length);
  flaky f = {0};
  for (long k = 1;; k++) {
    brink_ctx *ctx = NULL;
    brink_model *model = NULL;
    brink_sim *sim = NULL, *clone = NULL;
    f = (flaky){.fail_at = k};
    brink_alloc hook = flaky_alloc(&f);
    if (brink_ctx_new(&hook, &ctx) < 0)
      continue;
    brink_status rc = brink_model_read(ctx, "ladder.mo", text, length, NULL, &model);
    if (rc == BRINK_OK)
      rc = brink_sim_new(ctx, model, NULL, &sim);
    if (rc == BRINK_OK && brink_sim_start(sim, 0, 0, NULL) < 0) {
      check_text(brink_sim_error(sim)->text, "out of memory");
      rc = BRINK_ENOMEM;
    }
    if (rc == BRINK_OK)
      rc = brink_sim_clone(ctx, sim, &clone);
    brink_sim_free(clone);
    brink_sim_free(sim);
    brink_model_free(model);
    brink_ctx_free(ctx);
    assert_int_equal(f.live, 0);
    if (rc == BRINK_OK)
      break;
    assert_int_equal(rc, BRINK_ENOMEM);
  }
  assert_true(f.calls > 50);
  free(text);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(voltages_are_those_of_the_closed_form),
      cmocka_unit_test(currents_of_a_ladder_with_diodes_add_up),
      cmocka_unit_test(memory_grows_with_the_number_of_cells),
      cmocka_unit_test(a_run_allocates_nothing),
      cmocka_unit_test(what_follows_is_the_same_for_copies),
      cmocka_unit_test(singular_loops_name_equations_and_variables),
      cmocka_unit_test(too_few_and_too_many_equations_are_named),
      cmocka_unit_test(every_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
