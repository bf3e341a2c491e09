/* The tree's shape, and what no text may do to the parser. */
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "front/modelica/parse.h"

/* a model with one of everything, for prefixes and failing memory */
static const char everything[] =
    "within A.B;\n"
    "package P \"d\" + \"e\"\n"
    "  import SI = Modelica.Units.SI; import A.{b, c}; import D.*;\n"
    "  type E = enumeration(a \"x\", b); type T = Real[3](each unit = \"m\");\n"
    "  function f input Real x[:]; output Real y, z = 1; protected Integer i;\n"
    "  algorithm\n"
    "    (y, z) := g(x, k = 2); while i < 3 loop i := i + 1; break; end while;\n"
    "    for j in 1:2:9, k loop if x[end] > 0 then return; elseif true then y := 1;\n"
    "    else z := {{1, 2}, {3, 4}}*[1, 2; 3, 4]; end if; end for;\n"
    "  end f;\n"
    "  function h external \"C\" y = h(x) annotation(L = \"m\"); end h;\n"
    "  connector C flow Real i; Real v; end C;\n"
    "  partial model B Real q; end B;\n"
    "  model M extends B(q(start = 1, fixed = true), redeclare model R = S(k = 1));\n"
    "    inner replaceable Real w if c constrainedby V(x = 1);\n"
    "    parameter Real k = 2.385 \"gain\" annotation(Dialog(x = {{-1, 2}})), l = "
    "-k^2;\n"
    "    C c1, c2; Real 'odd name'[3] = {i^2 for i in 1:3}; Boolean p = not k > 1 or "
    "true;\n"
    "  initial equation q = 1;\n"
    "  equation\n"
    "    connect(c1, c2); der(q) = if p then 1 elseif k < 2 then 2 else 3;\n"
    "    when {p, sample(0, 1)} then reinit(q, -pre(q)); elsewhen edge(p) then\n"
    "      (a, b) = f(x); end when annotation(__brink(side = \"before\"));\n"
    "    annotation(experiment(StopTime = 3));\n"
    "  initial algorithm k := 1;\n"
    "  end M;\n"
    "end P;\n";

typedef struct bench {
  brink_ctx *ctx;
  brink__diag diag;
  mo_file *file;
} bench;

static brink_status read_n(bench *b, const char *text, size_t n)
{
  check_status(brink_ctx_new(NULL, &b->ctx), BRINK_OK);
  brink__diag_init(&b->diag, b->ctx, "t.mo");
  return brink__mo_parse(b->ctx, text, n, &b->diag, &b->file);
}

static brink_status read_text(bench *b, const char *text)
{
  return read_n(b, text, strlen(text));
}

static void end(bench *b)
{
  brink__mo_file_free(b->file);
  brink__diag_drop(&b->diag);
  assert_int_equal(brink_ctx_alloc_stats(b->ctx).live_bytes, 0);
  brink_ctx_free(b->ctx);
}

static void the_list_of_faults_is_bounded_and_says_a_place_once(void **state)
{
  brink_ctx *ctx;
  brink__diag d;

  (void)state;
  check_status(brink_ctx_new(NULL, &ctx), BRINK_OK);
  brink__diag_init(&d, ctx, "t.mo");
  check_status(brink__diag_status(&d, NULL), BRINK_OK);
  check_status(brink__diag_error(&d, 7, 3, "first"), BRINK_EMODEL);
  check_status(brink__diag_error(&d, 7, 3, "second"), BRINK_EMODEL);
  assert_int_equal(d.n_errors, 1);
  assert_null(d.first->next);
  for (int i = 0; i < 20; i++)
    brink__diag_error(&d, 8 + i, 3, "number %d", i);
  assert_int_equal(d.n_errors, BRINK__DIAG_MAX);
  assert_string_equal(d.last->text, "number 8");
  assert_true(brink__diag_full(&d));
  brink__diag_drop(&d);
  brink_ctx_free(ctx);
}

/* --------------------------------------------------------------- shape ---- */

static const mo_stmt *equation_of(const bench *b, int i)
{
  return b->file->classes[0]->sections[0].body.v[i];
}

static void a_sum_is_one_flat_node_with_its_operators(void **state)
{
  bench b;

  (void)state;
  check_status(read_text(&b, "model m equation\n  x = a - b + 2*c/d;\nend m;"),
               BRINK_OK);
  const mo_expr *e = equation_of(&b, 0)->right;
  assert_int_equal(e->kind, MO_SUM);
  assert_int_equal(e->chain.n, 3);
  assert_int_equal(e->chain.v[0].op, MO_OP_NONE);
  assert_int_equal(e->chain.v[1].op, MO_OP_SUB);
  assert_int_equal(e->chain.v[2].op, MO_OP_ADD);
  const mo_expr *product = e->chain.v[2].e;
  assert_int_equal(product->kind, MO_PRODUCT);
  assert_int_equal(product->chain.v[2].op, MO_OP_DIV);
  assert_int_equal(product->at.line, 2);
  assert_int_equal(product->at.col, 15);
  end(&b);
}

static void a_component_keeps_all_it_was_given(void **state)
{
  bench b;

  (void)state;
  check_status(
      read_text(&b, "model m\nprotected\n  final parameter A.B[2] x[3](start = 1) = 2 "
                    "if c \"d\" annotation(e), y;\nend m;"),
      BRINK_OK);
  const mo_class *c = b.file->classes[0];
  assert_int_equal(c->n_elements, 2);
  const mo_element *e = c->elements[0];
  const mo_component *x = e->component, *y = c->elements[1]->component;
  assert_int_equal(e->flags, MO_FINAL | MO_PROTECTED);
  assert_int_equal(x->prefix.variability, MO_PARAMETER);
  assert_ptr_equal(x->type, y->type);
  assert_int_equal(x->type->name.n, 2);
  assert_int_equal(x->type->subs.v[0]->integer, 2);
  assert_int_equal(x->subs.v[0]->integer, 3);
  assert_string_equal(x->mods->v[0].name.parts[0].name->text, "start");
  assert_int_equal(x->value->integer, 2);
  assert_string_equal(x->condition->ref.parts[0].name->text, "c");
  assert_string_equal(x->comment.text, "d");
  assert_int_equal(x->comment.annotation->n, 1);
  assert_int_equal(x->at.col, 26);
  assert_null(y->value);
  assert_string_equal(y->name->text, "y");
  end(&b);
}

static void the_annotation_behind_end_when_belongs_to_the_when(void **state)
{
  bench b;

  (void)state;
  check_status(
      read_text(&b, "model m equation when x <= 0 then y = 1; elsewhen z then y = "
                    "2; end when \"d\" annotation(__brink(side = \"before\")); end m;"),
      BRINK_OK);
  const mo_stmt *w = equation_of(&b, 0);
  assert_int_equal(w->kind, MO_WHEN);
  assert_int_equal(w->n_branches, 2);
  const mo_mod *side = &w->comment.annotation->v[0].mods->v[0];
  assert_string_equal(side->value->string, "before");
  brink__pool pool = {.ctx = b.ctx};
  assert_string_equal(brink__mo_expr_text(&pool, w->branches[0].cond), "x <= 0");
  brink__pool_drop(&pool);
  end(&b);
}

static void else_if_in_an_expression_is_elseif(void **state)
{
  bench b;

  (void)state;
  check_status(
      read_text(&b, "model m equation x = if a then 1 else if b then 2 else 3; end m;"),
      BRINK_OK);
  assert_int_equal(equation_of(&b, 0)->right->args.n, 5);
  end(&b);
}

/* ------------------------------------------------------------ bad input ---- */

static void every_prefix_of_a_model_is_an_answer(void **state)
{
  int good = 0;

  (void)state;
  for (size_t n = 0; n < sizeof everything; n++) {
    bench b;
    brink_status rc = read_n(&b, everything, n);
    assert_true(rc == BRINK_OK || rc == BRINK_EMODEL);
    assert_true((rc == BRINK_OK) == (b.file != NULL));
    assert_true((rc == BRINK_OK) == (b.diag.n_errors == 0));
    good += rc == BRINK_OK;
    end(&b);
  }
  assert_int_equal(good, 2); /* the whole, with and without the last line end */
}

static void every_model_with_one_byte_less_is_an_answer(void **state)
{
  (void)state;
  for (size_t k = 0; k + 1 < sizeof everything; k++) {
    char text[sizeof everything];
    bench b;
    memcpy(text, everything, k);
    memcpy(text + k, everything + k + 1, sizeof everything - k - 1);
    read_n(&b, text, sizeof everything - 2);
    assert_true(b.diag.n_errors <= BRINK__DIAG_MAX);
    end(&b);
  }
}

static void noise_is_refused(void **state)
{
  uint64_t seed = 2385;

  (void)state;
  for (int round = 0; round < 200; round++) {
    unsigned char text[4096];
    bench b;
    for (size_t i = 0; i < sizeof text; i++)
      text[i] = (unsigned char)rand_u64(&seed);
    check_status(read_n(&b, (const char *)text, sizeof text), BRINK_EMODEL);
    end(&b);
  }
}

/* head, n times middle, tail */
static char *repeat(const char *head, const char *middle, size_t n, const char *tail,
                    size_t *size)
{
  size_t h = strlen(head), m = strlen(middle), t = strlen(tail);
  char *text = malloc(h + n * m + t + 1);

  memcpy(text, head, h);
  for (size_t i = 0; i < n; i++)
    memcpy(text + h + i * m, middle, m);
  memcpy(text + h + n * m, tail, t + 1);
  *size = h + n * m + t;
  return text;
}

static void deep_nesting_is_a_message(void **state)
{
  static const char *const deep[][3] = {{"model m Real x = ", "(", "1"},
                                        {"model m Real x = ", "{", "1"},
                                        {"model m Real x = ", "[", "1"},
                                        {"model m Real x = ", "f(", "1"},
                                        {"model m Real x = ", "x[", "1"},
                                        {"model m Real x = ", "if a then ", "1"},
                                        {"model m Real x", "(a", ""},
                                        {"", "model m ", ""},
                                        {"model m equation ", "if a then ", ""},
                                        {"model m algorithm ", "for i loop ", ""},
                                        {"model m equation ", "when a then ", ""},
                                        {"model m Real x = ", "(-", "1"},
                                        {"model m T x", "(redeclare T y", ""},
                                        {"model m Real x = ", "1 + (not ", "1"}};

  (void)state;
  for (size_t i = 0; i < BRINK__COUNT(deep); i++) {
    bench b;
    size_t n;
    char *text = repeat(deep[i][0], deep[i][1], 10000, deep[i][2], &n);
    check_status(read_n(&b, text, n), BRINK_EMODEL);
    assert_int_equal(b.diag.n_errors, 1);
    check_text(b.diag.first->text, "nested more than 400 levels deep");
    end(&b);
    free(text);
  }
}

static void the_deepest_tree_allowed_can_be_walked(void **state)
{
  bench b;
  size_t n, levels = 197;
  char *middle =
      repeat("", "if a then 1 else 1:b or c and not d < -f*g^(", levels, "1", &n);

  (void)state;
  char *open = repeat("model m Real x = ", middle, 1, "", &n);
  char *text = repeat(open, ")", levels, "; end m;", &n);
  check_status(read_n(&b, text, n), BRINK_OK);
  mo_text out = {.ctx = b.ctx};
  brink__mo_print_file(&out, b.file);
  check_status(out.status, BRINK_OK);
  assert_true(out.n > n / 2);
  assert_int_equal(brink__mo_refuse(b.file, b.file->classes[0], &b.diag), 0);
  brink__mo_text_drop(&out);
  end(&b);
  free(middle);
  free(open);
  free(text);
}

static void long_chains_are_not_deep(void **state)
{
  static const char *const chains[][3] = {
      {"model m Real x = 1", " + 1", "; end m;"},
      {"model m Real x = 2", "*y/3", "; end m;"},
      {"model m Boolean x = a", " and b > 1 or c", "; end m;"},
      {"model m Real x = if a then 1", " elseif b then 2", " else 3; end m;"},
      {"model m Real x = ", "if b then 2 else ", "3; end m;"},
      {"model m Real x = a", ".b[1]", "; end m;"},
      {"model m Real x = {1", ", 1", "}; end m;"},
      {"model m Real x \"a\"", " + \"b\"", "; end m;"},
      {"model m equation if a then x = 1;", " elseif b then x = 2;",
       " end if; end m;"}};

  (void)state;
  for (size_t i = 0; i < BRINK__COUNT(chains); i++) {
    bench b;
    size_t n;
    char *text = repeat(chains[i][0], chains[i][1], 100000, chains[i][2], &n);
    check_status(read_n(&b, text, n), BRINK_OK);
    mo_text out = {.ctx = b.ctx};
    brink__mo_print_file(&out, b.file);
    check_status(out.status, BRINK_OK);
    brink__mo_text_drop(&out);
    end(&b);
    free(text);
  }
}

static void a_line_of_a_megabyte_is_read(void **state)
{
  bench b;
  size_t n;
  char *text = repeat("model m Real ", "x", 1 << 20, "; end m;", &n);

  (void)state;
  check_status(read_n(&b, text, n), BRINK_OK);
  end(&b);
  free(text);
  text = repeat("model m Real x \"", "long ", 1 << 18, "\"; y end m;", &n);
  check_status(read_n(&b, text, n), BRINK_EMODEL);
  assert_int_equal(b.diag.first->line, 1);
  assert_int_equal(b.diag.first->col, 16 + 5 * (1 << 18) + 6);
  end(&b);
  free(text);
}

static void more_than_ten_errors_are_ten(void **state)
{
  bench b;
  size_t n;
  char *text = repeat("model m equation\n", "x = ;\n", 50, "end m;", &n);

  (void)state;
  check_status(read_n(&b, text, n), BRINK_EMODEL);
  assert_int_equal(b.diag.n_errors, 10);
  assert_int_equal(b.diag.last->line, 11);
  assert_int_equal(brink_ctx_error(b.ctx)->line, 2);
  assert_int_equal(brink_ctx_error(b.ctx)->col, 5);
  assert_string_equal(brink_ctx_error(b.ctx)->file, "t.mo");
  end(&b);
  free(text);
}

/* the tenth error ends the reading, whichever rule meets it */
static void reading_ends_wherever_the_tenth_error_stands(void **state)
{
  static const char *const last[] = {
      "package p model m equation\n", "package p model m algorithm\nif x then\n",
      "package p model m equation\nwhen x then\n", "model m equation\n"};
  static const char *const tails[] = {"end p;",
                                      "end m end p;",
                                      "end m; end q; end p;",
                                      "end when; end m; end p",
                                      "modle x end x;",
                                      ""};

  (void)state;
  for (size_t i = 0; i < BRINK__COUNT(last); i++)
    for (size_t k = 0; k < BRINK__COUNT(tails); k++)
      for (size_t errors = 1; errors < 12; errors++) {
        bench b;
        size_t n;
        char *text = repeat(last[i], "x = ;\n", errors, tails[k], &n);
        check_status(read_n(&b, text, n), BRINK_EMODEL);
        assert_in_range(b.diag.n_errors, errors < 10 ? errors : 10, 10);
        end(&b);
        free(text);
      }
}

static void a_note_is_file_line_column_and_sentence(void **state)
{
  bench b;
  char buf[200];

  (void)state;
  check_status(read_text(&b, "model ball\n  Real h\nend bal;"), BRINK_EMODEL);
  assert_string_equal(brink__note_text(b.diag.first, buf, sizeof buf),
                      "t.mo:2:9: ';' expected before 'end'");
  assert_string_equal(
      brink__note_text(b.diag.last, buf, sizeof buf),
      "t.mo:3:1: 'end ball' expected (to close 'model ball' at line 1)");
  brink__diag_warn(&b.diag, 7, 3, "x is never used");
  assert_string_equal(brink__note_text(b.diag.last, buf, sizeof buf),
                      "t.mo:7:3: warning: x is never used");
  assert_int_equal(b.diag.n_errors, 2);
  end(&b);
}

/* --------------------------------------------------------------- memory ---- */

static void every_failing_allocation_is_an_answer(void **state)
{
  long fail_at = 1;
  brink_status rc = BRINK_ENOMEM;
  size_t n;
  char *text = repeat("", strchr(everything, '\n'), 40, "", &n); /* no within */

  (void)state;
  for (; rc != BRINK_OK; fail_at++) {
    flaky f = {.fail_at = fail_at};
    brink_alloc hook = flaky_alloc(&f);
    brink_ctx *ctx;
    if (brink_ctx_new(&hook, &ctx) < 0)
      continue;
    brink__diag diag;
    mo_file *file = NULL;
    brink__diag_init(&diag, ctx, "t.mo");
    rc = brink__mo_parse(ctx, text, n, &diag, &file);
    if (rc == BRINK_OK) {
      mo_text out = {.ctx = ctx};
      brink__mo_print_file(&out, file);
      rc = out.status;
      brink__mo_text_drop(&out);
    } else {
      assert_null(file);
      check_text(brink_ctx_error(ctx)->text, "out of memory");
    }
    brink__mo_file_free(file);
    brink__diag_drop(&diag);
    assert_int_equal(brink_ctx_alloc_stats(ctx).live_bytes, 0);
    brink_ctx_free(ctx);
    assert_int_equal(f.live, 0);
    assert_true(rc == BRINK_OK || rc == BRINK_ENOMEM);
    assert_true((rc == BRINK_OK) == (f.calls < fail_at)); /* none is swallowed */
  }
  assert_true(fail_at > 50);
  free(text);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_sum_is_one_flat_node_with_its_operators),
      cmocka_unit_test(a_component_keeps_all_it_was_given),
      cmocka_unit_test(the_annotation_behind_end_when_belongs_to_the_when),
      cmocka_unit_test(else_if_in_an_expression_is_elseif),
      cmocka_unit_test(every_prefix_of_a_model_is_an_answer),
      cmocka_unit_test(every_model_with_one_byte_less_is_an_answer),
      cmocka_unit_test(noise_is_refused),
      cmocka_unit_test(deep_nesting_is_a_message),
      cmocka_unit_test(the_deepest_tree_allowed_can_be_walked),
      cmocka_unit_test(long_chains_are_not_deep),
      cmocka_unit_test(a_line_of_a_megabyte_is_read),
      cmocka_unit_test(more_than_ten_errors_are_ten),
      cmocka_unit_test(reading_ends_wherever_the_tenth_error_stands),
      cmocka_unit_test(a_note_is_file_line_column_and_sentence),
      cmocka_unit_test(the_list_of_faults_is_bounded_and_says_a_place_once),
      cmocka_unit_test(every_failing_allocation_is_an_answer),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
