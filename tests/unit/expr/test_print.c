/* Printing: the text is Modelica, has no needless parentheses, and reads back as the
 * same node. */
#include "check.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random_expr.h"

/* -------------------------------------------------------------- reader ---- */
/* Recursive descent over the expression grammar of Modelica. */

typedef struct reader {
  brink__graph *g;
  const char *p;
} reader;

static brink__node expression(reader *r);

static void blanks(reader *r)
{
  while (*r->p == ' ')
    r->p++;
}

static int is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* Take text if it stands here (a word: as a whole). */
static int take(reader *r, const char *text)
{
  size_t n = strlen(text);

  blanks(r);
  if (strncmp(r->p, text, n) != 0)
    return 0;
  if (is_word(text[0]) && is_word(r->p[n]))
    return 0;
  r->p += n;
  return 1;
}

static void expect(reader *r, const char *text)
{
  if (!take(r, text))
    fail_msg("'%s' expected at '%s'", text, r->p);
}

static brink__node number(reader *r)
{
  char *end;
  double x = strtod(r->p, &end);
  int whole = strspn(r->p, "0123456789") == (size_t)(end - r->p);

  r->p = end;
  return whole ? brink__integer(r->g, (int64_t)x) : brink__real(r->g, x);
}

static brink__node call(reader *r)
{
  size_t n = 0;

  while (is_word(r->p[n]))
    n++;
  for (int op = 0; op < BRINK__N_OPS; op++) {
    const char *text = brink__op_text((brink__op)op);
    if (strlen(text) != n || strncmp(text, r->p, n) != 0)
      continue;
    brink__node a[3] = {0, 0, 0};
    r->p += n;
    expect(r, "(");
    for (int i = 0; i < brink__op_arity((brink__op)op); i++) {
      if (i)
        expect(r, ",");
      a[i] = expression(r);
    }
    expect(r, ")");
    return brink__apply(r->g, (brink__op)op, a[0], a[1], a[2]);
  }
  fail_msg("no function at '%s'", r->p);
  return BRINK__NONE;
}

static brink__node primary(reader *r)
{
  blanks(r);
  if (isdigit((unsigned char)*r->p))
    return number(r);
  if (take(r, "(")) {
    brink__node n = expression(r);
    expect(r, ")");
    return n;
  }
  if (take(r, "true"))
    return brink__boolean(r->g, 1);
  if (take(r, "false"))
    return brink__boolean(r->g, 0);
  if ((*r->p == 'x' || *r->p == 'b') && isdigit((unsigned char)r->p[1])) {
    int real = *r->p == 'x', id = atoi(r->p + 1);
    for (r->p++; isdigit((unsigned char)*r->p);)
      r->p++;
    return brink__symbol(r->g, id, real ? BRINK_TYPE_REAL : BRINK_TYPE_BOOLEAN);
  }
  return call(r);
}

static brink__node factor(reader *r)
{
  brink__node n = primary(r);
  return take(r, "^") ? brink__op2(r->g, BRINK_OP_POW, n, primary(r)) : n;
}

static brink__node term(reader *r)
{
  brink__node n = factor(r);

  for (;;)
    if (take(r, "*"))
      n = brink__mul(r->g, n, factor(r));
    else if (take(r, "/"))
      n = brink__div(r->g, n, factor(r));
    else
      return n;
}

static brink__node arithmetic(reader *r)
{
  brink__node n = take(r, "-") ? brink__op1(r->g, BRINK_OP_NEG, term(r)) : term(r);

  for (;;)
    if (take(r, "+"))
      n = brink__add(r->g, n, term(r));
    else if (take(r, "-"))
      n = brink__sub(r->g, n, term(r));
    else
      return n;
}

static brink__node relation(reader *r)
{
  static const brink__op ops[] = {BRINK_OP_LE, BRINK_OP_GE, BRINK_OP_EQ,
                                  BRINK_OP_NE, BRINK_OP_LT, BRINK_OP_GT};
  brink__node n = arithmetic(r);

  for (size_t i = 0; i < BRINK__COUNT(ops); i++)
    if (take(r, brink__op_text(ops[i])))
      return brink__op2(r->g, ops[i], n, arithmetic(r));
  return n;
}

static brink__node logical_factor(reader *r)
{
  return take(r, "not") ? brink__op1(r->g, BRINK_OP_NOT, relation(r)) : relation(r);
}

static brink__node logical(reader *r, int level)
{
  brink__node n = level ? logical(r, 0) : logical_factor(r);

  while (take(r, level ? "or" : "and"))
    n = brink__op2(r->g, level ? BRINK_OP_OR : BRINK_OP_AND, n,
                   level ? logical(r, 0) : logical_factor(r));
  return n;
}

static brink__node conditional(reader *r)
{
  brink__node c = expression(r), yes, no;

  expect(r, "then");
  yes = expression(r);
  if (take(r, "elseif"))
    no = conditional(r);
  else {
    expect(r, "else");
    no = expression(r);
  }
  return brink__select(r->g, c, yes, no);
}

static brink__node expression(reader *r)
{
  return take(r, "if") ? conditional(r) : logical(r, 1);
}

/* --------------------------------------------------------------- tests ---- */

static int name(void *user, int32_t id, char *buf, size_t cap)
{
  (void)user;
  return snprintf(buf, cap, "%c%d", id < N_REAL ? 'x' : 'b', (int)id);
}

static void setup(brink_ctx **ctx, brink__graph **g)
{
  check_status(brink_ctx_new(NULL, ctx), BRINK_OK);
  check_status(brink__graph_new(*ctx, g), BRINK_OK);
}

/* Both not here, or the same bits, at a few random points. */
static int same_values(brink__graph *g, const brink__node *pair, uint64_t *seed)
{
  brink__tape_spec spec = {.n_roots = 1, .roots = pair, .n_symbols = N_RANDOM_SYMBOLS};
  brink__tape *tape[2];
  int same = 1;

  for (int i = 0; i < 2; i++, spec.roots++)
    check_status(brink__tape_new(g, &spec, &tape[i]), BRINK_OK);
  for (int p = 0; p < 8; p++) {
    double v[2][512], r[2];
    for (int i = 0; i < N_RANDOM_SYMBOLS; i++)
      v[0][i] = v[1][i] = i < N_REAL ? rand_in(seed, -2, 3) : rand_01(seed) < 0.5;
    for (int i = 0; i < 2; i++) {
      brink_status rc = brink__tape_values(tape[i], v[i], NULL);
      r[i] = rc == BRINK_OK ? v[i][brink__tape_slot(tape[i], 0)] : HUGE_VAL;
    }
    same &= r[0] == r[1];
  }
  brink__tape_free(tape[0]);
  brink__tape_free(tape[1]);
  return same;
}

static int has_silent_conversion(const brink__graph *g)
{
  for (brink__node n = 1; n <= brink__graph_size(g); n++)
    if (brink__node_op(g, n) == BRINK_OP_REAL)
      return 1;
  return 0;
}

static void random_expressions_read_back_as_the_same_node(void **state)
{
  static char text[1 << 20];

  (void)state;
  for (int trial = 0; trial < 3000; trial++) {
    brink_ctx *ctx;
    brink__graph *g;
    uint64_t seed = 4242u + (uint64_t)trial;
    setup(&ctx, &g);
    brink__node n = random_expr(g, &seed, 2 + trial % 14, RANDOM_ANY);
    check_status(brink__print(g, n, name, NULL, text, sizeof text), BRINK_OK);
    reader r = {g, text};
    brink__node pair[] = {n, expression(&r)};
    int same =
        pair[1] == n || (has_silent_conversion(g) && same_values(g, pair, &seed));
    if (!same || *r.p)
      fail_msg("'%s' reads back as another node; left over '%s'", text, r.p);
    brink__graph_free(g);
    brink_ctx_free(ctx);
  }
}

/* text -> node -> the same text: no parenthesis is needless */
static void parentheses_are_minimal(void **state)
{
  static const char *const text[] = {
      "x0 + x1 + x2",
      "x0 + (x1 + x2)",
      "x0 - (x1 - x2)",
      "x0 - x1*x2",
      "(x0 - x1)*x2",
      "x0*x1/x2",
      "x0/(x1*x2)",
      "x0*(x1/x2)",
      "-x0*x1",
      "x0*(-2)",
      "-2.5 + x0",
      "(-x0)^x1",
      "-x0^2",
      "(x0^2)^x1",
      "x0^(-2)",
      "2^(x0 + 1)",
      "x0 < -x1",
      "not x0 < x1",
      "not (b4 and b5)",
      "b4 or b5 and x0 >= x1",
      "(b4 or b5) and not b4",
      "(x0 < x1) == b4",
      "if b4 then x0 else x1",
      "(if b4 then x0 else x1) + 1",
      "if b4 then x0 elseif b5 then x1 else x2",
      "if x0 < x1 then if b4 then x0 else x1 else x2",
      "sin(x0 + 1.5)*atan2(x1, -x2)",
      "min(x0, if b4 then 1 else 2)",
      "1e-300*x0 + 123456.75",
      "div(x0, 3) + mod(x1, x2)",
  };
  char out[200];
  brink_ctx *ctx;
  brink__graph *g;

  (void)state;
  setup(&ctx, &g);
  for (size_t i = 0; i < BRINK__COUNT(text); i++) {
    reader r = {g, text[i]};
    brink__node n = expression(&r);
    assert_int_not_equal(n, BRINK__NONE);
    check_status(brink__print(g, n, name, NULL, out, sizeof out), BRINK_OK);
    assert_string_equal(out, text[i]);
  }
  brink__graph_free(g);
  brink_ctx_free(ctx);
}

static void numbers_are_short_and_read_back(void **state)
{
  static const struct {
    double x;
    const char *text;
  } t[] = {{0.1, "0.1"},
           {1e22, "1e+22"},
           {-3, "-3"},
           {5e-324, "5e-324"},
           {1.0 / 3, "0.3333333333333333"},
           {100000, "100000"},
           {1e-7, "1e-07"},
           {0.30000000000000004, "0.30000000000000004"}};
  uint64_t seed = 99;
  char buf[40];

  (void)state;
  for (size_t i = 0; i < BRINK__COUNT(t); i++) {
    brink__print_double(t[i].x, buf, sizeof buf);
    assert_string_equal(buf, t[i].text);
  }
  for (int i = 0; i < 20000; i++) {
    uint64_t bits = rand_u64(&seed);
    double x;
    memcpy(&x, &bits, sizeof x);
    if (!isfinite(x))
      continue;
    int n = brink__print_double(x, buf, sizeof buf);
    assert_int_equal(n, strlen(buf));
    check_near(strtod(buf, NULL), x, 0);
  }
}

static void what_does_not_fit_is_cut(void **state)
{
  char buf[12];
  brink_ctx *ctx;
  brink__graph *g;

  (void)state;
  setup(&ctx, &g);
  brink__node n = brink__symbol(g, 0, BRINK_TYPE_REAL);
  for (int i = 0; i < 60; i++) /* 2^60 letters on paper */
    n = brink__mul(g, n, n);
  check_status(brink__print(g, n, name, NULL, buf, sizeof buf), BRINK_LIMIT);
  assert_int_equal(strlen(buf), 11);
  assert_string_equal(buf + 8, "...");
  check_status(brink__print(g, n, name, NULL, buf, 1), BRINK_LIMIT);
  assert_string_equal(buf, "");
  check_status(brink__print(g, brink__real(g, 2), NULL, NULL, buf, 4), BRINK_OK);
  assert_string_equal(buf, "2.0");
  brink__graph_free(g);
  brink_ctx_free(ctx);
}

/* a sum 5000 deep: its first terms are written last of all, and from a ring */
static void short_texts_need_no_memory_and_begin_like_long_ones(void **state)
{
  char buf[64], whole[64];
  brink_ctx *ctx;
  brink__graph *g;

  (void)state;
  setup(&ctx, &g);
  brink__node n = brink__symbol(g, 1, BRINK_TYPE_REAL);
  for (int i = 2; i < 5000; i++)
    n = brink__add(g, n, brink__symbol(g, i, BRINK_TYPE_REAL));
  size_t calls = brink_ctx_alloc_stats(ctx).calls;
  check_status(brink__print_short(g, n, NULL, NULL, buf, sizeof buf), BRINK_LIMIT);
  assert_int_equal(brink_ctx_alloc_stats(ctx).calls, calls);
  check_status(brink__print(g, n, NULL, NULL, whole, sizeof whole), BRINK_LIMIT);
  assert_string_equal(buf, whole);
  n = brink__mul(g, brink__real(g, 2), brink__symbol(g, 7, BRINK_TYPE_REAL));
  check_status(brink__print_short(g, n, NULL, NULL, buf, sizeof buf), BRINK_OK);
  assert_string_equal(buf, "2*s7");
  brink__graph_free(g);
  brink_ctx_free(ctx);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_expressions_read_back_as_the_same_node),
      cmocka_unit_test(parentheses_are_minimal),
      cmocka_unit_test(numbers_are_short_and_read_back),
      cmocka_unit_test(what_does_not_fit_is_cut),
      cmocka_unit_test(short_texts_need_no_memory_and_begin_like_long_ones),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
