/* Starts of models with independent parts: each part is solved as if it were alone,
 * what is said about a part that has no start is about that part, and many parts need
 * room and time that are linear in their number. */
#include "check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "brink/brink.h"
#include "brink/load.h"
#include "linear/linear.h"

typedef struct rig {
  brink_ctx *ctx;
  brink_model *model;
  brink_sim *sim;
} rig;

static rig open_rig(const char *text, const char *size, const brink_alloc *alloc)
{
  rig r = {NULL, NULL, NULL};
  brink_load_opts load = brink_load_defaults();
  brink_setting set = {"N", size};

  load.set = &set;
  load.n_set = size ? 1 : 0;
  check_status(brink_ctx_new(alloc, &r.ctx), BRINK_OK);
  if (brink_model_read(r.ctx, "m.mo", text, strlen(text), &load, &r.model) < 0)
    fail_msg("%s", brink_ctx_error(r.ctx)->text);
  check_status(brink_sim_new(r.ctx, r.model, NULL, &r.sim), BRINK_OK);
  return r;
}

static void end(rig *r)
{
  brink_sim_free(r->sim);
  brink_model_free(r->model);
  brink_ctx_free(r->ctx);
}

static void start(rig *r)
{
  if (brink_sim_start(r->sim, 0, 0, NULL) < 0)
    fail_msg("%s", brink_sim_error(r->sim)->text);
}

static double value(const rig *r, const char *name)
{
  double x = nan("");

  check_status(brink_sim_get(r->sim, name, &x), BRINK_OK);
  return x;
}

/* ------------------------------------------------------------ as if alone --- */

/* Parts of different kinds: steps of different number, steps that must be halved, a
 * part with a loop, one with fewer conditions than unknowns, one of higher index. */
typedef struct part {
  const char *declared, *initial, *equations, *found;
} part;

static const part parts[] = {
    {"Real a%d(start = 0.31);", "a%d^3 + 0.2*a%d = 2.7;", "der(a%d) = -a%d;", "a%d"},
    {"Real a%d(start = 11.3);", "atan(a%d) = 0.13*a%d - 0.4;", "der(a%d) = 1;", "a%d"},
    {"Real a%d(start = 0.7); Real b%d(start = 0.2);", "a%d*b%d^2 = 0.9;",
     "der(a%d) = b%d; der(b%d) = -a%d;", "a%d"},
    {"Real a%d(start = 1.3); Real z%d(start = 1);", "z%d = 0.45 + 0.1*a%d;",
     "z%d + 0.3*sin(z%d) = a%d; der(a%d) = -z%d;", "a%d"},
    {"Real a%d(start = 0.7); Real b%d(start = -0.9); Real u%d(start = 0.5); Real w%d; "
     "Real F%d;",
     "",
     "der(a%d) = u%d; der(b%d) = w%d; der(u%d) = -F%d*a%d; der(w%d) = -F%d*b%d - 1; "
     "a%d^2 + 2*b%d^2 = 1;",
     "a%d"},
};
enum { PARTS = sizeof parts / sizeof parts[0] };

/* A pattern with the number of the part in place of each %d. */
static void put(char *text, size_t size, const char *pattern, int number)
{
  for (const char *p = pattern; *p; p++) {
    size_t n = strlen(text);
    int is_number = strncmp(p, "%d", 2) == 0;
    if (is_number)
      snprintf(text + n, size - n, "%d", number);
    else
      snprintf(text + n, size - n, "%c", *p);
    p += is_number;
  }
}

static void build(char *text, size_t size, int n, const int *kind, int first)
{
  snprintf(text, size, "model M\n");
  for (int i = 0; i < n; i++)
    put(text, size, parts[kind[i]].declared, first + i);
  put(text, size, "\ninitial equation\n", 0);
  for (int i = 0; i < n; i++)
    put(text, size, parts[kind[i]].initial, first + i);
  put(text, size, "\nequation\n", 0);
  for (int i = 0; i < n; i++)
    put(text, size, parts[kind[i]].equations, first + i);
  put(text, size, "\nend M;\n", 0);
}

static double found_alone(int kind, int number)
{
  char text[1000], name[10] = "";

  build(text, sizeof text, 1, &kind, number);
  rig r = open_rig(text, NULL, NULL);
  start(&r);
  put(name, sizeof name, parts[kind].found, number);
  double x = value(&r, name);
  end(&r);
  return x;
}

static void a_part_is_solved_as_if_it_were_alone(void **state)
{
  uint64_t seed = 8;

  (void)state;
  for (int round = 0; round < 40; round++) {
    int kind[6], n = 2 + (int)(rand_u64(&seed) % 5);
    char text[6000];
    for (int i = 0; i < n; i++)
      kind[i] = (int)(rand_u64(&seed) % PARTS);
    build(text, sizeof text, n, kind, 0);
    rig r = open_rig(text, NULL, NULL);
    start(&r);
    for (int i = 0; i < n; i++) {
      char name[10] = "";
      put(name, sizeof name, parts[kind[i]].found, i);
      check_rel(value(&r, name), found_alone(kind[i], i), 1e-15);
    }
    end(&r);
  }
}

/* Parts that are connected by an initial equation are not independent. */
static void parts_that_a_condition_connects_are_solved_together(void **state)
{
  rig r = open_rig("model M\n"
                   "  Real a(start = 1.1), b(start = 2.3), c(start = 0.4);\n"
                   "  Real p = b*c, q = a + sin(c);\n"
                   "initial equation\n"
                   "  a*b = 3.1; p = 1.7; q = 2.2;\n"
                   "equation\n"
                   "  der(a) = 0; der(b) = 0; der(c) = 0;\n"
                   "end M;\n",
                   NULL, NULL);

  (void)state;
  start(&r);
  double a = value(&r, "a"), b = value(&r, "b"), c = value(&r, "c");
  check_near(a * b, 3.1, 1e-13);
  check_near(b * c, 1.7, 1e-13);
  check_near(a + sin(c), 2.2, 1e-13);
  end(&r);
}

/* --------------------------------------------------------------- sentences --- */

static const char with_wrong_one[] =
    "model W\n"
    "  Real x[5](each start = 0.6, each fixed = true);\n"
    "  Real y[5](each start = -0.7);\n"
    "  Real F[5], s(start = 1.1, fixed = true);\n"
    "initial equation\n"
    "  y[4] + s = 0.5;\n"
    "equation\n"
    "  der(s) = -s;\n"
    "  for i in 1:5 loop\n"
    "    der(der(x[i])) = -F[i]*x[i];\n"
    "    der(der(y[i])) = -F[i]*y[i] - 9.81;\n"
    "    x[i]^2 + y[i]^2 = 1;\n"
    "  end for;\n"
    "end W;\n";

static void a_contradiction_is_told_of_its_part_alone(void **state)
{
  rig r = open_rig(with_wrong_one, NULL, NULL);
  const char *text;

  (void)state;
  check_status(brink_sim_start(r.sim, 0, 0, NULL), BRINK_ESOLVE);
  text = brink_sim_error(r.sim)->text;
  check_text(text, "contradictory");
  check_text(text, "'x[4]' (line 2)");
  check_text(text, "'s' (line 4)");
  check_text(text, "3 conditions (lines 6, 12, 12) for 3 free values (y[4]");
  assert_null(strstr(text, "x[3]"));
  end(&r);
}

/* -------------------------------------------------------------------- many --- */

static const char many[] = "model Many\n"
                           "  parameter Integer N = 3;\n"
                           "  Real x[N](each start = 6.1), y[N](each start = 7.7);\n"
                           "  Real vx[N](each start = 0.3), vy[N](each start = 1);\n"
                           "  Real lambda[N];\n"
                           "equation\n"
                           "  for i in 1:N loop\n"
                           "    der(x[i]) = vx[i]; der(y[i]) = vy[i];\n"
                           "    der(vx[i]) = -lambda[i]*x[i];\n"
                           "    der(vy[i]) = -lambda[i]*y[i] + 9.8;\n"
                           "    x[i]^2 + y[i]^2 = 100;\n"
                           "  end for;\n"
                           "end Many;\n";

static void three_thousand_pendula_start_as_three_do(void **state)
{
  rig few = open_rig(many, "3", NULL), r = open_rig(many, "3000", NULL);

  (void)state;
  start(&few);
  start(&r);
  check_near(value(&r, "x[2917]"), value(&few, "x[2]"), 1e-15);
  check_near(value(&r, "vy[2917]"), value(&few, "vy[2]"), 1e-15);
  check_near(hypot(value(&r, "x[7]"), value(&r, "y[7]")), 10, 1e-14);
  end(&few);
  end(&r);
}

static const char chain[] =
    "model Chain\n"
    "  parameter Integer N = 30;\n"
    "  Real x[N](start = {0.9*i for i in 1:N}), y[N](start = {-0.1*i for i in 1:N});\n"
    "  Real F[N + 1];\n"
    "  Real dx[N] = {x[i] - (if i == 1 then 0 else x[max(i - 1, 1)]) for i in 1:N};\n"
    "  Real dy[N] = {y[i] - (if i == 1 then 0 else y[max(i - 1, 1)]) for i in 1:N};\n"
    "equation\n"
    "  F[N + 1] = 0;\n"
    "  for i in 1:N loop\n"
    "    der(der(x[i])) = -F[i]*dx[i] + F[i + 1]*dx[min(i + 1, N)];\n"
    "    der(der(y[i])) = -F[i]*dy[i] + F[i + 1]*dy[min(i + 1, N)] - 9.81;\n"
    "    dx[i]^2 + dy[i]^2 = 1;\n"
    "  end for;\n"
    "end Chain;\n";

/* One block, with a matrix that is factored often, or (130) not any more. */
static void long_chains_start(void **state)
{
  static const char *const sizes[] = {"7", "60", "130"};

  (void)state;
  for (int k = 0; k < 3; k++) {
    rig r = open_rig(chain, sizes[k], NULL);
    int n = atoi(sizes[k]);
    start(&r);
    for (int i = 1; i <= n; i++) {
      char dx[16], dy[16];
      snprintf(dx, sizeof dx, "dx[%d]", i);
      snprintf(dy, sizeof dy, "dy[%d]", i);
      check_near(hypot(value(&r, dx), value(&r, dy)), 1, 1e-12);
    }
    end(&r);
  }
}

/* Bytes that a simulation of n pendula takes. */
static double room_of(const char *n)
{
  flaky f = {0};
  brink_alloc alloc = flaky_alloc(&f);
  rig r = open_rig(many, n, &alloc);
  long before = f.calls;

  start(&r);
  assert_int_equal(f.calls, before);
  double bytes = (double)f.live;
  end(&r);
  return bytes;
}

static void room_is_linear_in_the_number_of_parts(void **state)
{
  (void)state;
  if (!brink__fill_order_here())
    skip(); /* full matrices are used for all parts together */
  double some = room_of("40"), more = room_of("400");
  check_in(more / some, 5, 11);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_part_is_solved_as_if_it_were_alone),
      cmocka_unit_test(parts_that_a_condition_connects_are_solved_together),
      cmocka_unit_test(a_contradiction_is_told_of_its_part_alone),
      cmocka_unit_test(three_thousand_pendula_start_as_three_do),
      cmocka_unit_test(long_chains_start),
      cmocka_unit_test(room_is_linear_in_the_number_of_parts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
