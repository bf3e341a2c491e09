/* Model files with their expectations inside.
 *
 *   // expect: ok                         no fault; and the printed text parses to
 *                                         the same text again
 *   // expect error: SENTENCE             a fault in this line
 *   // expect error line 7: SENTENCE      a fault in line 7
 *   // expect error at 7:13: SENTENCE     ... at this character
 *
 * A SENTENCE is compared whole, unless it ends with "...".  Every fault must be
 * expected and every expectation met.  Files in print/ must be printed as they
 * stand, comments aside.
 */
#define _DEFAULT_SOURCE
#include "check.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "front/modelica/parse.h"

enum { MAX_EXPECTED = 32, SENTENCE = 512 };

typedef struct expected {
  int  line, col; /* col 0: any */
  char text[SENTENCE];
  int  met;
} expected;

typedef struct script {
  int      ok; /* `expect: ok` was there */
  int      n;
  expected v[MAX_EXPECTED];
} script;

/* ------------------------------------------------------------- reading ---- */

static char *read_all(const char *path, size_t *n)
{
  FILE *f = fopen(path, "rb");
  char *text = NULL;

  assert_non_null(f);
  fseek(f, 0, SEEK_END);
  *n = (size_t)ftell(f);
  rewind(f);
  text = malloc(*n + 1);
  assert_int_equal(fread(text, 1, *n, f), *n);
  text[*n] = 0;
  fclose(f);
  return text;
}

static void expectation(script *s, const char *from, size_t n, int line)
{
  char line_text[1024];
  int  used = 0;

  snprintf(line_text, sizeof line_text, "%.*s", (int)n, from);
  if (strncmp(line_text, "expect: ok", 10) == 0) {
    s->ok = 1;
    return;
  }
  assert_true(s->n < MAX_EXPECTED);
  expected *e = &s->v[s->n++];
  e->line = line;
  if (sscanf(line_text, "expect error line %d:%n", &e->line, &used) < 1 || !used) {
    used = 0;
    if (sscanf(line_text, "expect error at %d:%d:%n", &e->line, &e->col, &used) < 2)
      used = strncmp(line_text, "expect error:", 13) == 0 ? 13 : 0;
  }
  assert_true(used > 0);
  while (line_text[used] == ' ')
    used++;
  snprintf(e->text, sizeof e->text, "%.*s", SENTENCE - 1, line_text + used);
  for (size_t k = strlen(e->text); k > 0 && strchr(" \r", e->text[k - 1]); k--)
    e->text[k - 1] = 0;
}

static void read_script(script *s, const char *text)
{
  static const char mark[] = "// expect";
  int               line = 1;

  memset(s, 0, sizeof *s);
  while (*text) {
    size_t      n = strcspn(text, "\n");
    const char *at = strstr(text, mark);
    if (at && at < text + n)
      expectation(s, at + 3, (size_t)(text + n - at - 3), line);
    text += n + (text[n] == '\n');
    line++;
  }
}

/* ----------------------------------------------------------- comparing ---- */

static int same_sentence(const char *got, const char *want)
{
  size_t n = strlen(want);

  if (n > 3 && strcmp(want + n - 3, "...") == 0)
    return strncmp(got, want, n - 3) == 0;
  return strcmp(got, want) == 0;
}

static int compare(script *s, const brink__diag *diag)
{
  char buf[1200];
  int  bad = 0;

  for (const brink__note *n = diag->first; n; n = n->next) {
    int found = 0;
    for (int i = 0; i < s->n && !found; i++) {
      expected *e = &s->v[i];
      found = !e->met && e->line == n->line && (!e->col || e->col == n->col) &&
              same_sentence(n->text, e->text);
      e->met |= found;
    }
    if (!found) {
      print_error("unexpected: %s\n", brink__note_text(n, buf, sizeof buf));
      bad++;
    }
  }
  for (int i = 0; i < s->n; i++)
    if (!s->v[i].met) {
      print_error("%s: not met: line %d: %s\n", diag->file, s->v[i].line, s->v[i].text);
      bad++;
    }
  if (s->ok != (s->n == 0)) {
    print_error("%s: says neither ok nor error, or both\n", diag->file);
    bad++;
  }
  return bad;
}

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
  mo_file    *file;
  char       *copy = NULL;
  mo_text     out = {.ctx = ctx};

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
  int   bad = !twice || strcmp(once, twice) != 0;

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
  size_t      n;
  char       *text = read_all(path, &n);
  script      s;
  brink__diag diag;
  mo_file    *file;

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
  char  *text = read_all(path, &n);
  char  *out = printed(ctx, name, text, n);
  int    bad = !out || strcmp(out, text) != 0;

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

static void run_all(const char *folder, int least,
                    int (*run)(brink_ctx *, const char *, const char *))
{
  struct dirent **list;
  int             n = scandir(folder, &list, NULL, alphasort), bad = 0, ran = 0;
  brink_ctx      *ctx;

  assert_true(n > 0);
  check_status(brink_ctx_new(NULL, &ctx), BRINK_OK);
  for (int i = 0; i < n; i++) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, list[i]->d_name);
    if (strstr(list[i]->d_name, ".mo") || strstr(list[i]->d_name, ".bmo")) {
      bad += run(ctx, path, list[i]->d_name);
      ran++;
    }
    free(list[i]);
  }
  free(list);
  assert_int_equal(brink_ctx_alloc_stats(ctx).live_bytes, 0);
  brink_ctx_free(ctx);
  assert_true(ran >= least);
  assert_int_equal(bad, 0);
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
