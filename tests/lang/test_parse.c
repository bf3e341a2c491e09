/* Model files with their expectations inside.
 *
 * What they say is told in script.h.  A text that parses is printed, and the printed
 * text must parse to the same text again.  Files in print/ must be printed as they
 * stand, comments aside.
 */
#define _DEFAULT_SOURCE
#include "script.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "front/modelica/parse.h"

static void refuse_all(const mo_file *file, const mo_class *c, brink__diag *diag)
{
  brink__mo_refuse(file, c, diag);
  for (int i = 0; i < c->n_elements; i++)
    if (c->elements[i]->kind == MO_E_CLASS)
      refuse_all(file, c->elements[i]->cls, diag);
}

/* the printed text of a text; NULL if it does not parse */
static char *printed(brink_ctx *ctx, const char *name, const char *text, size_t n)
{
  brink__diag diag;
  mo_file *file;
  char *copy = NULL;
  mo_text out = {.ctx = ctx};

  brink__diag_init(&diag, ctx, name);
  if (brink__mo_parse(ctx, text, n, &diag, &file) == BRINK_OK) {
    brink__mo_print_file(&out, file);
    check_status(out.status, BRINK_OK);
    copy = malloc(out.n + 1);
    memcpy(copy, out.s, out.n + 1);
    brink__mo_text_drop(&out);
    brink__mo_file_free(file);
  } else
    for (const brink__note *note = diag.first; note; note = note->next)
      print_error("%s:%d:%d: %s\n", name, note->line, note->col, note->text);
  brink__diag_drop(&diag);
  return copy;
}

static int round_trip(brink_ctx *ctx, const char *name, const char *text, size_t n)
{
  char *once = printed(ctx, name, text, n);
  char *twice = once ? printed(ctx, "printed", once, strlen(once)) : NULL;
  int bad = !twice || strcmp(once, twice) != 0;

  if (bad)
    print_error("%s: printed, then parsed and printed again:\n%s\n---\n%s\n", name,
                once ? once : "?", twice ? twice : "?");
  free(once);
  free(twice);
  return bad;
}

/* ---------------------------------------------------------------- runs ---- */

static int run_parse(brink_ctx *ctx, const char *path, const char *name)
{
  size_t n;
  char *text = read_all(path, &n);
  script s;
  brink__diag diag;
  mo_file *file;

  read_script(&s, text);
  brink__diag_init(&diag, ctx, name);
  if (brink__mo_parse(ctx, text, n, &diag, &file) == BRINK_OK)
    for (int i = 0; i < file->n_classes; i++)
      refuse_all(file, file->classes[i], &diag);
  int bad = compare(&s, &diag);
  if (file)
    bad += round_trip(ctx, name, text, n);
  brink__mo_file_free(file);
  brink__diag_drop(&diag);
  free(text);
  return bad;
}

static int run_print(brink_ctx *ctx, const char *path, const char *name)
{
  size_t n;
  char *text = read_all(path, &n);
  char *out = printed(ctx, name, text, n);
  int bad = !out || strcmp(out, text) != 0;

  if (bad && out) {
    size_t k = 0;
    while (out[k] && out[k] == text[k])
      k++;
    while (k > 0 && out[k - 1] != '\n')
      k--;
    print_error("%s is printed as\n%.200s\nnot as\n%.200s\n", name, out + k, text + k);
  }
  free(out);
  free(text);
  return bad;
}

static void every_file_says_what_it_expects(void **state)
{
  (void)state;
  run_all(LANG_DIR "/parse", 30, run_parse);
}

static void what_is_in_canonical_form_is_printed_as_it_stands(void **state)
{
  (void)state;
  run_all(LANG_DIR "/print", 3, run_print);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_file_says_what_it_expects),
      cmocka_unit_test(what_is_in_canonical_form_is_printed_as_it_stands),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
