/* test_malloc.c -- what sparse matrices of stiff methods need comes from the hook of
 * the context, also what the libraries beneath work with: while a run goes on, nothing
 * of the process asks malloc but the hook. */
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "brink/load.h"
#include "brink/sim.h"
#include "linear/linear.h"

/* ------------------------------------------------ malloc of the process --- */

static int counts; /* between begin and end of what is looked at */
static long by_others, by_hook;

#ifdef __GLIBC__
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *p, size_t size);

void *malloc(size_t size)
{
  by_others += counts;
  return __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
  by_others += counts;
  return __libc_calloc(n, size);
}

void *realloc(void *p, size_t size)
{
  by_others += counts;
  return __libc_realloc(p, size);
}

static const int seen = 1;
#else
#define __libc_realloc realloc
static const int seen = 0;
#endif

static void *hook(void *user, void *p, size_t old_size, size_t new_size)
{
  (void)user, (void)old_size;
  if (new_size == 0) {
    free(p);
    return NULL;
  }
  by_hook += counts;
  return __libc_realloc(p, new_size);
}

/* ---------------------------------------------------------------- a grid --- */

/* u diffuses, v follows it fast; 2 n^2 states whose order matters. */
static const char grid[] =
    "model Grid\n"
    "  constant Integer n = 12;\n"
    "  Real u[n, n](start = {{sin(0.9*i + 0.4*j*j) for j in 1:n} for i in 1:n},\n"
    "    each fixed = true);\n"
    "  Real v[n, n](each start = 0.3, each fixed = true);\n"
    "equation\n"
    "  for i in 1:n loop for j in 1:n loop\n"
    "    der(u[i, j]) = 40*(u[if i > 1 then i - 1 else 1, j] +\n"
    "      u[if i < n then i + 1 else n, j] + u[i, if j > 1 then j - 1 else 1] +\n"
    "      u[i, if j < n then j + 1 else n] - 4*u[i, j]) - u[i, j]*v[i, j];\n"
    "    der(v[i, j]) = 1e5*(u[i, j]^2 - v[i, j]);\n"
    "  end for; end for;\n"
    "end Grid;\n";

/* While the run goes on; radau also while the simulation is made.  (The vectors of
 * CVODE are its own.) */
static void only_the_hook_allocates(const char *method)
{
  brink_alloc alloc = {hook, NULL};
  brink_sim_opts opt = brink_sim_defaults();
  brink_ctx *ctx = NULL;
  brink_model *model = NULL;
  brink_sim *sim = NULL;

  opt.method = method;
  check_status(brink_ctx_new(&alloc, &ctx), BRINK_OK);
  check_status(brink_model_read(ctx, "g.mo", grid, strlen(grid), NULL, &model),
               BRINK_OK);
  by_others = by_hook = 0;
  counts = strcmp(method, "radau") == 0;
  check_status(brink_sim_new(ctx, model, &opt, &sim), BRINK_OK);
  check_status(brink_sim_start(sim, 0, 0, NULL), BRINK_OK);
  counts = 1;
  brink_status rc = brink_sim_run(sim, 1);
  counts = 0;
  check_status(rc, BRINK_END);
  assert_true(brink_sim_statistics(sim).work.factorisations > 5);
  assert_int_equal(by_others, 0);
  assert_true(by_hook > 0); /* the order and the pivots of the first matrix */
  brink_sim_free(sim);
  brink_model_free(model);
  brink_ctx_free(ctx);
}

static void sparse_matrices_are_from_the_hook(void **state)
{
  (void)state;
  if (!seen || !brink__fill_order_here())
    skip();
  only_the_hook_allocates("radau");
  if (strstr(brink_version(), "CVODE"))
    only_the_hook_allocates("cvode");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sparse_matrices_are_from_the_hook),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
