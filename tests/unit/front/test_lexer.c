/* Modelica tokens: kinds, values, places, and what is reported as unreadable. */
#include "check.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "front/modelica/lexer.h"

typedef struct bench {
  brink_ctx *ctx;
  brink__pool pool;
  mo_names names;
  brink__diag diag;
  mo_lexer lx;
} bench;

static void begin_n(bench *b, const char *text, size_t n)
{
  check_status(brink_ctx_new(NULL, &b->ctx), BRINK_OK);
  b->pool = (brink__pool){.ctx = b->ctx};
  check_status(brink__mo_names_init(&b->names, &b->pool), BRINK_OK);
  brink__diag_init(&b->diag, b->ctx, "t.mo");
  brink__mo_lexer_init(&b->lx, text, n, &b->names, &b->pool, &b->diag);
}

static void begin(bench *b, const char *text) { begin_n(b, text, strlen(text)); }

static void end(bench *b)
{
  brink__mo_lexer_drop(&b->lx);
  brink__diag_drop(&b->diag);
  brink__pool_drop(&b->pool);
  assert_int_equal(brink_ctx_alloc_stats(b->ctx).live_bytes, 0);
  brink_ctx_free(b->ctx);
}

static void every_keyword_and_symbol_is_its_own_token(void **state)
{
  static const struct {
    mo_token_kind kind;
    const char *text;
  } all[] = {
#define KEYWORD(name, text) {MO_T_##name, text},
#define SYMBOL(name, text)  {MO_T_##name, text},
#include "front/modelica/tokens.def"
  };
  (void)state;
  for (size_t i = 0; i < BRINK__COUNT(all); i++) {
    bench b;
    char text[64];
    snprintf(text, sizeof text, " %s x", all[i].text);
    begin(&b, text);
    mo_token t = brink__mo_next(&b.lx);
    assert_int_equal(t.kind, all[i].kind);
    assert_int_equal(t.at.col, 2);
    assert_int_equal(t.past.col, 2 + (int)strlen(all[i].text));
    assert_string_equal(brink__mo_token_text(t.kind), all[i].text);
    assert_int_equal(brink__mo_next(&b.lx).kind, MO_T_NAME);
    assert_int_equal(brink__mo_next(&b.lx).kind, MO_T_EOF);
    assert_int_equal(brink__mo_next(&b.lx).kind, MO_T_EOF);
    assert_int_equal(b.diag.n_errors, 0);
    end(&b);
  }
}

static void equal_names_are_one_pointer_and_quotes_belong_to_the_name(void **state)
{
  bench b;

  (void)state;
  begin(&b, "height 'height' height 'a\\'b\\?' 'a\\'b?' '\\\\' 'a\\nb'");
  mo_name *plain = brink__mo_next(&b.lx).name, *quoted = brink__mo_next(&b.lx).name;
  assert_ptr_equal(plain, brink__mo_next(&b.lx).name);
  assert_ptr_not_equal(plain, quoted);
  assert_string_equal(quoted->text, "'height'");
  assert_string_equal(quoted->bare, "height");
  mo_name *odd = brink__mo_next(&b.lx).name;
  assert_string_equal(odd->bare, "a'b?");
  assert_string_equal(odd->text, "'a\\'b?'");
  assert_ptr_equal(odd,
                   brink__mo_next(&b.lx).name); /* a redundant escape is the same */
  assert_string_equal(brink__mo_next(&b.lx).name->bare, "\\");
  mo_name *control = brink__mo_next(&b.lx).name;
  assert_string_equal(control->text, "'a\\nb'"); /* still one line */
  assert_string_equal(control->bare, "a\nb");
  assert_int_equal(b.diag.n_errors, 0);
  end(&b);
}

static void ten_thousand_names_stay_apart(void **state)
{
  bench b;
  char text[32];

  (void)state;
  begin(&b, "");
  size_t before = b.names.n;
  for (int i = 0; i < 10000; i++) {
    int n = snprintf(text, sizeof text, "x%d", i);
    assert_int_equal(brink__mo_intern(&b.names, text, (size_t)n)->id, (int)before + i);
  }
  for (int i = 0; i < 10000; i += 37) {
    int n = snprintf(text, sizeof text, "x%d", i);
    assert_int_equal(brink__mo_intern(&b.names, text, (size_t)n)->id, (int)before + i);
  }
  end(&b);
}

static void numbers_are_rounded_correctly(void **state)
{
  static const char *const texts[] = {"2.385",
                                      "1e22",
                                      "1e23",
                                      "8.5e-300",
                                      "123456789012345678.0",
                                      "0.1",
                                      "1e-5",
                                      ".5",
                                      "7.",
                                      "1.7976931348623157e308",
                                      "4.9e-324",
                                      "2.2250738585072011e-308",
                                      "9007199254740993.0",
                                      "0.000001234e2",
                                      "00012.50",
                                      "6.02214076E+23",
                                      "0e99999999999",
                                      "1e-99999999999"};
  uint64_t seed = 7;

  (void)state;
  for (size_t i = 0; i < BRINK__COUNT(texts); i++) {
    bench b;
    begin(&b, texts[i]);
    mo_token t = brink__mo_next(&b.lx);
    assert_int_equal(t.kind, MO_T_REAL);
    check_near(t.real, strtod(texts[i], NULL), 0);
    end(&b);
  }
  for (int i = 0; i < 20000; i++) { /* printed and read back exactly */
    union {
      uint64_t u;
      double d;
    } x = {rand_u64(&seed) & 0x7FEFFFFFFFFFFFFFu};
    char text[MO_NUMBER_TEXT];
    brink__mo_number_text(x.d, text);
    check_near(brink__mo_number(text, strlen(text)), x.d, 0);
    assert_non_null(strpbrk(text, ".e"));
  }
}

static void a_thousand_digits_are_read_like_strtod_does(void **state)
{
  char text[3001];

  (void)state;
  memset(text, '3', 3000);
  text[1] = '.';
  text[3000] = 0;
  check_near(brink__mo_number(text, 3000), 10.0 / 3, 0);

  /* half way between two doubles, decided by the last digit */
  char half[] = "9007199254740993.0000000000000000000000000000000000000000001";
  check_near(brink__mo_number(half, strlen(half)), 9007199254740994.0, 0);
  memset(text, '0', 3000);
  memcpy(text, "9007199254740993.", 17);
  check_near(brink__mo_number(text, 3000), 9007199254740992.0, 0);
  text[2999] = '1';
  check_near(brink__mo_number(text, 3000), 9007199254740994.0, 0);
  half[strlen(half) - 1] = '0';
  check_near(brink__mo_number(half, strlen(half)), 9007199254740992.0, 0);
}

static void integers_are_whole_numbers_up_to_63_bits(void **state)
{
  bench b;

  (void)state;
  begin(&b, "0 9223372036854775807 9223372036854775808 17");
  assert_int_equal(brink__mo_next(&b.lx).integer, 0);
  mo_token t = brink__mo_next(&b.lx);
  assert_true(t.kind == MO_T_INTEGER && t.integer == INT64_MAX);
  assert_int_equal(brink__mo_next(&b.lx).kind, MO_T_BAD);
  assert_int_equal(brink__mo_next(&b.lx).integer, 17);
  assert_int_equal(b.diag.n_errors, 1);
  end(&b);
}

static void columns_count_characters_and_lines_any_line_end(void **state)
{
  bench b;

  (void)state;
  begin(&b, "\xEF\xBB\xBF"
            "a\tb /* \xC3\xA4\xC3\xB6 */ c\n  \"\xE2\x82\xAC\" d\re\r\nf");
  static const int want[][2] = {{1, 1}, {1, 3}, {1, 14}, {2, 3},
                                {2, 7}, {3, 1}, {4, 1}};
  for (size_t i = 0; i < BRINK__COUNT(want); i++) {
    mo_token t = brink__mo_next(&b.lx);
    assert_int_equal(t.at.line, want[i][0]);
    assert_int_equal(t.at.col, want[i][1]);
  }
  end(&b);
}

static void strings_resolve_escapes_and_may_span_lines(void **state)
{
  bench b;

  (void)state;
  begin(&b, "\"a\\tb\\\"\\\\ \\n\nc\" \"\" x");
  assert_string_equal(brink__mo_next(&b.lx).string, "a\tb\"\\ \n\nc");
  assert_string_equal(brink__mo_next(&b.lx).string, "");
  mo_token t = brink__mo_next(&b.lx);
  assert_int_equal(t.at.line, 2);
  assert_int_equal(t.at.col, 7);
  end(&b);
}

static void a_nul_byte_is_reported_where_it_stands(void **state)
{
  static const char text[] = "a\n b \0 c \"x\0y\" // \0\n d";
  bench b;

  (void)state;
  begin_n(&b, text, sizeof text - 1);
  int kinds[6];
  for (int i = 0; i < 6; i++)
    kinds[i] = (int)brink__mo_next(&b.lx).kind;
  assert_int_equal(kinds[2], MO_T_BAD);
  assert_int_equal(kinds[3], MO_T_NAME);
  assert_int_equal(kinds[4], MO_T_STRING);
  assert_int_equal(kinds[5], MO_T_NAME);
  assert_int_equal(b.diag.n_errors, 3);
  assert_int_equal(b.diag.first->line, 2);
  assert_int_equal(b.diag.first->col, 4);
  check_text(b.diag.first->text, "NUL byte");
  end(&b);
}

static void the_base_header_gives_its_version(void **state)
{
  const char *from = NULL;

  (void)state;
  static const char text[] = "//! base 0.1.0\npackage";
  assert_int_equal(brink__mo_base_header(text, sizeof text - 1, &from), 5);
  assert_memory_equal(from, "0.1.0", 5);
  assert_int_equal(brink__mo_base_header("//! flat 3.5.0", 14, &from), 0);
  assert_int_equal(brink__mo_base_header("//! base ", 9, &from), 0);
  assert_int_equal(brink__mo_base_header("", 0, &from), 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_keyword_and_symbol_is_its_own_token),
      cmocka_unit_test(equal_names_are_one_pointer_and_quotes_belong_to_the_name),
      cmocka_unit_test(ten_thousand_names_stay_apart),
      cmocka_unit_test(numbers_are_rounded_correctly),
      cmocka_unit_test(a_thousand_digits_are_read_like_strtod_does),
      cmocka_unit_test(integers_are_whole_numbers_up_to_63_bits),
      cmocka_unit_test(columns_count_characters_and_lines_any_line_end),
      cmocka_unit_test(strings_resolve_escapes_and_may_span_lines),
      cmocka_unit_test(a_nul_byte_is_reported_where_it_stands),
      cmocka_unit_test(the_base_header_gives_its_version),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
