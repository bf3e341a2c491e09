/* An iteration inside a function: its derivatives and its series are those of what it
 * converges to.
 *
 * The function solves y + b y^3 = a by Newton's method; the model's right-hand side is
 * compared with differences, with the implicit function theorem, and with the series
 * of y found coefficient by coefficient from the equation itself.
 */
#include "check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "front/modelica/lower.h"
#include "front/modelica/parse.h"

static const char text[] =
    "model M\n"
    "  function root\n"
    "    input Real a, b;\n"
    "    output Real y;\n"
    "  protected\n"
    "    Real f, slope;\n"
    "    Integer n;\n"
    "  algorithm\n"
    "    y := a/2;\n"
    "    n := 0;\n"
    "    while n < 12 loop\n"
    "      f := y + b*y^3 - a;\n"
    "      slope := 1 + 3*b*y^2;\n"
    "      y := y - f/slope;\n"
    "      n := n + 1;\n"
    "    end while;\n"
    "  end root;\n"
    "  Real x(start = 1, fixed = true), b(start = 1, fixed = true);\n"
    "equation\n"
    "  der(x) = -root(x, b);\n"
    "  der(b) = -0.1*b;\n"
    "end M;\n";

enum { ORDER = 9 };

typedef struct law {
  brink_ctx *ctx;
  brink__diag diag;
  brink__flat *flat;
  brink__node rhs; /* of der(x) */
  int32_t x, b;
} law;

static law read_law(void)
{
  law l = {0};
  mo_file *file = NULL;
  int32_t der = -1;

  check_status(brink_ctx_new(NULL, &l.ctx), BRINK_OK);
  brink__diag_init(&l.diag, l.ctx, "test.mo");
  check_status(brink__mo_parse(l.ctx, text, strlen(text), &l.diag, &file), BRINK_OK);
  check_status(brink__mo_lower(l.ctx, file, NULL, &l.diag, &l.flat), BRINK_OK);
  brink__mo_file_free(file);
  for (size_t i = 0; i < l.flat->n_vars; i++) {
    if (strcmp(l.flat->vars[i].name, "x") == 0)
      l.x = l.flat->vars[i].value, der = l.flat->vars[i].der;
    if (strcmp(l.flat->vars[i].name, "b") == 0)
      l.b = l.flat->vars[i].value;
  }
  for (size_t i = 0; i < l.flat->n_eqns; i++) {
    const brink__flat_eqn *e = &l.flat->eqns[i];
    if (brink__node_op(l.flat->graph, e->lhs) == BRINK_OP_SYMBOL &&
        brink__node_symbol(l.flat->graph, e->lhs) == der)
      l.rhs = e->rhs;
  }
  assert_true(l.rhs != BRINK__NONE);
  return l;
}

static void free_law(law *l)
{
  brink__flat_free(l->flat);
  brink__diag_drop(&l->diag);
  brink_ctx_free(l->ctx);
}

static brink__tape *tape_of(law *l, const brink__node *roots, size_t n)
{
  brink__tape *tape = NULL;
  brink__tape_spec spec = {
      .n_roots = n, .roots = roots, .n_symbols = (size_t)l->flat->n_symbols};

  check_status(brink__tape_new(l->flat->graph, &spec, &tape), BRINK_OK);
  return tape;
}

/* y + b y^3 = a by bisection */
static double root(double a, double b)
{
  double lo = 0, hi = 1 + fabs(a);

  for (int i = 0; i < 200; i++) {
    double y = (lo + hi) / 2;
    *(y + b * y * y * y > a ? &hi : &lo) = y;
  }
  return (lo + hi) / 2;
}

static void its_jacobian_is_that_of_the_root(void **state)
{
  static const double at[][2] = {{2.0371, 0.8143}, {0.3172, 1.731}, {7.913, 0.0937}};
  law l = read_law();
  brink__node roots[] = {l.rhs, brink__diff(l.flat->graph, l.rhs, l.x),
                         brink__diff(l.flat->graph, l.rhs, l.b)};
  brink__tape *tape = tape_of(&l, roots, 3);
  double *v = calloc(brink__tape_slots(tape), sizeof *v);

  (void)state;
  for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
    double a = at[i][0], b = at[i][1], y = root(a, b), d = 1e-4;
    double slope = 1 + 3 * b * y * y;
    v[l.x] = a, v[l.b] = b;
    check_status(brink__tape_values(tape, v, NULL), BRINK_OK);
    double f = v[brink__tape_slot(tape, 0)], fa = v[brink__tape_slot(tape, 1)],
           fb = v[brink__tape_slot(tape, 2)];
    check_near(f, -y, 1e-14 * fabs(y));
    check_near(fa, -1 / slope, 1e-13);
    check_near(fb, y * y * y / slope, 1e-13 * (1 + y * y * y));
    /* differences of what the tape itself computes */
    double plus, minus;
    v[l.x] = a + d;
    check_status(brink__tape_values(tape, v, NULL), BRINK_OK);
    plus = v[brink__tape_slot(tape, 0)];
    v[l.x] = a - d;
    check_status(brink__tape_values(tape, v, NULL), BRINK_OK);
    minus = v[brink__tape_slot(tape, 0)];
    check_near(fa, (plus - minus) / (2 * d), 1e-7);
    v[l.x] = a, v[l.b] = b + d;
    check_status(brink__tape_values(tape, v, NULL), BRINK_OK);
    plus = v[brink__tape_slot(tape, 0)];
    v[l.b] = b - d;
    check_status(brink__tape_values(tape, v, NULL), BRINK_OK);
    minus = v[brink__tape_slot(tape, 0)];
    check_near(fb, (plus - minus) / (2 * d), 1e-6 * (1 + fabs(fb)));
  }
  free(v);
  brink__tape_free(tape);
  free_law(&l);
}

/* coefficient k of the product of two series */
static double product(const double *p, const double *q, int k)
{
  double sum = 0;

  for (int i = 0; i <= k; i++)
    sum += p[i] * q[k - i];
  return sum;
}

/* y from y + b y^3 = a, one order after the other: y_k stands in y_k (1 + 3 b0 y0^2)
 * and nowhere else */
static void implicit_series(const double *a, const double *b, double *y)
{
  double y2[ORDER + 1], y3[ORDER + 1];

  y[0] = root(a[0], b[0]);
  for (int k = 0; k <= ORDER; k++) {
    if (k > 0)
      y[k] = 0;
    for (int pass = 0; pass < 2; pass++) {
      for (int i = 0; i <= k; i++)
        y2[i] = product(y, y, i);
      for (int i = 0; i <= k; i++)
        y3[i] = product(y2, y, i);
      if (k > 0 && pass == 0)
        y[k] = (a[k] - product(b, y3, k)) / (1 + 3 * b[0] * y[0] * y[0]);
    }
  }
}

static void its_jets_are_the_series_of_the_root(void **state)
{
  static const double a[ORDER + 1] = {2.0371, 0.713, -0.31, 0.117,  0.0713,
                                      -0.19,  0.053, 0.021, -0.017, 0.011},
                                b[ORDER + 1] = {0.8143, -0.37, 0.23,   0.061,  -0.043,
                                                0.029,  0.013, -0.007, 0.0031, -0.0017};
  double y[ORDER + 1];
  law l = read_law();
  brink__tape *tape = tape_of(&l, &l.rhs, 1);
  size_t stride = ORDER + 1;
  double *c = calloc(brink__tape_slots(tape) * stride, sizeof *c);

  (void)state;
  implicit_series(a, b, y);
  memcpy(c + (size_t)l.x * stride, a, sizeof a);
  memcpy(c + (size_t)l.b * stride, b, sizeof b);
  for (int k = 0; k <= ORDER; k++) {
    check_status(brink__tape_jet(tape, k, stride, c, NULL), BRINK_OK);
    check_near(c[brink__tape_slot(tape, 0) * stride + (size_t)k], -y[k], 1e-12);
  }
  assert_true(fabs(y[ORDER]) > 1e-6);
  free(c);
  brink__tape_free(tape);
  free_law(&l);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(its_jacobian_is_that_of_the_root),
      cmocka_unit_test(its_jets_are_the_series_of_the_root),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
