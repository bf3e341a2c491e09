/* Loops that are made smaller before they are solved: the values satisfy all equations
 * to rounding, whatever was eliminated, and no number that may be zero is divided by.
 */
#include "check.h"

#include "dae/model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "brink/load.h"
#include "brink/sim.h"

typedef struct loop_model {
  char text[20000];
  size_t used;
  brink_ctx *ctx;
  brink_model *model;
  brink_sim *sim;
  double v[400];
} loop_model;

static void add(loop_model *s, const char *fmt, ...) BRINK__PRINTF(2, 3);

static void add(loop_model *s, const char *fmt, ...)
{
  va_list args;

  va_start(args, fmt);
  s->used += (size_t)vsnprintf(s->text + s->used, sizeof s->text - s->used, fmt, args);
  va_end(args);
  assert_true(s->used < sizeof s->text);
}

static brink_status start(loop_model *s)
{
  check_status(brink_ctx_new(NULL, &s->ctx), BRINK_OK);
  if (brink_model_read(s->ctx, "loop.mo", s->text, s->used, NULL, &s->model) < 0)
    fail_msg("%s\n%s", brink_ctx_error(s->ctx)->text, s->text);
  check_status(brink_sim_new(s->ctx, s->model, NULL, &s->sim), BRINK_OK);
  brink_status rc = brink_sim_start(s->sim, 0, 0, NULL);
  if (rc >= 0) {
    assert_true(brink_model_variables(s->model) < BRINK__COUNT(s->v));
    check_status(brink_sim_values(s->sim, s->v), BRINK_OK);
  }
  return rc;
}

static double value(const loop_model *s, const char *name)
{
  int i = brink_model_find(s->model, name);
  assert_true(i >= 0);
  return s->v[i];
}

/* The largest loop: how many equations, and how many of them are iterated. */
static void size_of(const loop_model *s, size_t *rows, size_t *iterated)
{
  const dae_model *m = dae_of(s->model);

  *rows = *iterated = 0;
  for (size_t i = 0; i < m->n_loops; i++)
    if (m->loops[i]->n_rows > *rows) {
      *rows = m->loops[i]->n_rows;
      *iterated = m->loops[i]->n;
    }
}

static void end(loop_model *s)
{
  brink_sim_free(s->sim);
  brink_model_free(s->model);
  brink_ctx_free(s->ctx);
  memset(s, 0, sizeof *s);
}

/* ------------------------------------------------------------- random ---- */

enum { MOST = 60, TERMS = 4 };

typedef struct equation {
  int n, of[TERMS];
  double c[TERMS], rhs;
  int curve; /* unknown that occurs as exp(x/4) too, or -1 */
} equation;

/* Equation i holds unknown i, its neighbour and others; the coefficients are small
 * whole numbers, or parameters p = 3 and q = 0. */
static void random_equation(equation *e, int i, int n, int curved, uint64_t *seed)
{
  static const double numbers[] = {1, -1, 1, -1, 2, -2, 0.5, 3, 0, 1e-3, 1e3, -7};

  *e = (equation){.curve = curved && i % 5 == 2 ? (i + 2) % n : -1};
  e->n = 2 + (int)(rand_u64(seed) % (TERMS - 1));
  for (int k = 0; k < e->n; k++) {
    e->of[k] = k < 2 ? (i + k) % n : (int)(rand_u64(seed) % (uint64_t)n);
    e->c[k] = numbers[rand_u64(seed) % BRINK__COUNT(numbers)];
  }
  e->c[0] = e->c[0] == 0 ? 4 : e->c[0];
}

static double left_side(const equation *e, const double *x, double *size)
{
  double sum = 0, terms = 0;

  for (int k = 0; k < e->n; k++) {
    sum += e->c[k] * x[e->of[k]];
    terms += fabs(e->c[k] * x[e->of[k]]);
  }
  if (e->curve >= 0) {
    sum += exp(x[e->curve] / 4);
    terms += exp(x[e->curve] / 4);
  }
  *size = terms;
  return sum;
}

static void write_equation(loop_model *s, const equation *e)
{
  for (int k = 0; k < e->n; k++) {
    const char *sign = k ? " + " : "  ";
    if (e->c[k] == 3 || e->c[k] == 0)
      add(s, "%s%s*x[%d]", sign, e->c[k] == 0 ? "q" : "p", e->of[k] + 1);
    else
      add(s, "%s(%.17g)*x[%d]", sign, e->c[k], e->of[k] + 1);
  }
  if (e->curve >= 0)
    add(s, " + exp(x[%d]/4)", e->curve + 1);
  add(s, " = %.17g;\n", e->rhs);
}

/* A system with a solution near 1 .. 2; how far the equations are from it then, over
 * the size of their terms.  -1: there is no unique solution. */
static double worst_residual(int n, int curved, uint64_t *seed, size_t *saved)
{
  static loop_model s;
  equation e[MOST];
  double x[MOST], worst = 0, size;
  size_t rows, iterated;

  for (int i = 0; i < n; i++)
    x[i] = rand_in(seed, 1, 2);
  add(&s, "model Loop parameter Real p = 3, q = 0; Real x[%d](each start = 1.5);\n", n);
  add(&s, "  Real y(start = 0, fixed = true);\nequation der(y) = x[1];\n");
  for (int i = 0; i < n; i++) {
    random_equation(&e[i], i, n, curved, seed);
    e[i].rhs = left_side(&e[i], x, &size);
    write_equation(&s, &e[i]);
  }
  add(&s, "end Loop;\n");
  int solved = start(&s) >= 0;
  size_of(&s, &rows, &iterated);
  *saved += rows - iterated;
  for (int i = 0; i < n && solved; i++) {
    char name[16];
    snprintf(name, sizeof name, "x[%d]", i + 1);
    x[i] = value(&s, name);
  }
  for (int i = 0; i < n && solved; i++) {
    double r = left_side(&e[i], x, &size) - e[i].rhs;
    worst = fmax(worst, fabs(r) / (size + fabs(e[i].rhs)));
  }
  end(&s);
  return solved ? worst : -1;
}

/* Backward errors: those of elimination with pivots are a few roundings per equation.
 */
static void random_loops_are_solved_to_rounding(void **state)
{
  (void)state;
  uint64_t seed = 17;
  size_t saved = 0;
  int solved = 0;
  int all = (int)random_cases("BRINK_CASES", 300);
  double top = 0;
  for (int trial = 0; trial < all; trial++) {
    int n = 4 + (int)(rand_u64(&seed) % (MOST - 4));
    double worst = worst_residual(n, trial % 3 == 2, &seed, &saved);
    solved += worst >= 0;
    top = fmax(top, worst);
    if (worst > 1e-11)
      fail_msg("system %d of %d equations: %.1e of the terms", trial, n, worst);
  }
  printf("%d of %d solved, worst %.1e, %zu unknowns eliminated\n", solved, all, top,
         saved);
  assert_true(solved > all / 2);
  assert_true(saved > 500);
}

/* ------------------------------------------------------------- safety ---- */

/* x[k-1] - 2.5 x[k] + x[k+1] = 0 between given ends: from one end on, rounding doubles
 * with each equation, so a chain of them must not be followed. */
static void rounding_does_not_grow_along_chains(void **state)
{
  (void)state;
  static loop_model s;
  add(&s, "model Ends parameter Integer N = 120; Real x[N];\n"
          "  Real y(start = 0, fixed = true);\n"
          "equation der(y) = x[2]; x[1] = 1; x[N] = 0;\n"
          "  for k in 2:N-1 loop x[k-1] - 2.5*x[k] + x[k+1] = 0; end for;\n"
          "end Ends;\n");
  check_status(start(&s), BRINK_OK);
  for (int k = 1; k <= 100; k++) {
    char name[16];
    snprintf(name, sizeof name, "x[%d]", k);
    check_rel(value(&s, name), ldexp(1, 1 - k), 1e-11);
  }
  end(&s);
}

static const char series[] =
    "model Series parameter Real R = 2, Z = 0;\n"
    "  Real v1, v2, v3, v4, i1, i2, i3, i4, y(start = 0, fixed = true);\n"
    "equation der(y) = i4;\n"
    "  v1 = R*i1; v2 = Z*i2; v3 = R*i3; v4 = R*i4;\n"
    "  i1 = i2; i2 = i3; i3 = i4; v1 + v2 + v3 + v4 = 12 + y;\n"
    "end Series;\n";

static void parameters_are_not_divided_by(void **state)
{
  (void)state;
  static loop_model s;
  size_t rows, iterated;
  add(&s, "%s", series);
  check_status(start(&s), BRINK_OK);
  check_near(value(&s, "i4"), 2, 1e-15);
  check_near(value(&s, "v2"), 0, 0);
  size_of(&s, &rows, &iterated);
  assert_int_equal(rows, 8);
  assert_int_equal(iterated, 1);
  end(&s);
}

/* All equations of the loop are named, and the values of all unknowns are those at
 * which the iteration has ended. */
static void sentences_show_the_whole_loop(void **state)
{
  (void)state;
  static loop_model s;
  add(&s, "model None Real a, b, c, d, y(start = 0, fixed = true);\n"
          "equation der(y) = a;\n"
          "  a = b + 1; b = c + 1; c = d + 1;\n"
          "  a^2 + d^2 = y - 1;\n"
          "end None;\n");
  check_status(start(&s), BRINK_EDOMAIN);
  const char *said = brink_sim_error(s.sim)->text;
  size_t rows, iterated;
  size_of(&s, &rows, &iterated);
  assert_int_equal(rows, 4);
  assert_int_equal(iterated, 1);
  check_text(said, "no solution of");
  check_text(said, "and 2 more near");
  static const char *const names[] = {"a = ", "b = ", "c = ", "d = "};
  double v[4] = {0, 0, 0, 0};
  for (int i = 0; i < 4; i++) {
    const char *at = strstr(strstr(said, "near"), names[i]);
    assert_non_null(at);
    assert_int_equal(sscanf(at + 4, "%lf", &v[i]), 1);
  }
  for (int i = 0; i < 3; i++)
    check_near(v[i], v[i + 1] + 1, 1e-6);
  end(&s);
}

/* An unknown with a start value is iterated from there: it says which solution is
 * meant.
 */
static void start_values_are_where_iteration_begins(void **state)
{
  (void)state;
  for (int sign = -1; sign <= 1; sign += 2) {
    static loop_model s;
    add(&s,
        "model Two Real a, b, c, d(start = %d), e, y(start = 0, fixed = true);\n"
        "equation der(y) = a;\n"
        "  a = b + 1; b = c; c = d; e = 2*a; d^2 + 1e-3*e = 4;\n"
        "end Two;\n",
        3 * sign);
    check_status(start(&s), BRINK_OK);
    check_near(value(&s, "d"), -1e-3 + sign * sqrt(1e-6 + 4 - 2e-3), 1e-12);
    end(&s);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_loops_are_solved_to_rounding),
      cmocka_unit_test(rounding_does_not_grow_along_chains),
      cmocka_unit_test(parameters_are_not_divided_by),
      cmocka_unit_test(sentences_show_the_whole_loop),
      cmocka_unit_test(start_values_are_where_iteration_begins),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
