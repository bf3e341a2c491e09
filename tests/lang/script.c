/* script.c -- expectations inside model files; see script.h. */
#define _DEFAULT_SOURCE
#include "script.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *read_all(const char *path, size_t *n)
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

/* ------------------------------------------------------------- reading ---- */

/* where and of which kind; returns where the sentence begins */
static int heading(expected *e, const char *text)
{
  static const struct {
    const char *word;
    expected_kind kind;
  } kinds[] = {{"error", EXPECT_ERROR}, {"warning", EXPECT_WARNING}};
  int used = 0;

  if (strncmp(text, "expect flat:", 12) == 0) {
    e->kind = EXPECT_FLAT;
    return 12;
  }
  for (size_t i = 0; i < 2; i++) {
    char form[80];
    e->kind = kinds[i].kind;
    snprintf(form, sizeof form, "expect %s line %%d:%%n", kinds[i].word);
    if (sscanf(text, form, &e->line, &used) == 1 && used)
      return used;
    snprintf(form, sizeof form, "expect %s at %%d:%%d:%%n", kinds[i].word);
    if (sscanf(text, form, &e->line, &e->col, &used) == 2 && used)
      return used;
    snprintf(form, sizeof form, "expect %s:%%n", kinds[i].word);
    used = 0;
    sscanf(text, form, &used);
    if (used)
      return used;
  }
  e->kind = EXPECT_RUN;
  return 7;
}

static void expectation(script *s, const char *from, size_t n, int line)
{
  char line_text[1024];

  snprintf(line_text, sizeof line_text, "%.*s", (int)n, from);
  if (strncmp(line_text, "expect: ok", 10) == 0) {
    s->ok = 1;
    return;
  }
  assert_true(s->n < MAX_EXPECTED);
  expected *e = &s->v[s->n++];
  e->line = line;
  int used = heading(e, line_text);
  while (line_text[used] == ' ')
    used++;
  snprintf(e->text, sizeof e->text, "%.*s", SENTENCE - 1, line_text + used);
  for (size_t k = strlen(e->text); k > 0 && strchr(" \r", e->text[k - 1]); k--)
    e->text[k - 1] = 0;
}

static void option(script *s, const char *line)
{
  int i = s->n_set;

  if (strncmp(line, "// model ", 9) == 0)
    assert_int_equal(sscanf(line, "// model %79s", s->model), 1);
  if (strncmp(line, "// stop ", 8) == 0)
    s->stop = strtod(line + 8, NULL);
  if (strncmp(line, "// set ", 7) != 0)
    return;
  assert_true(i < MAX_SET);
  assert_int_equal(sscanf(line, "// set %79[^=]=%79[^\n]", s->names[i], s->values[i]),
                   2);
  s->set[i] = (brink_setting){s->names[i], s->values[i]};
  s->n_set++;
}

void read_script(script *s, const char *text)
{
  static const char mark[] = "// expect";
  int line = 1;

  memset(s, 0, sizeof *s);
  while (*text) {
    size_t n = strcspn(text, "\n");
    const char *at = strstr(text, mark);
    if (at && at < text + n)
      expectation(s, at + 3, (size_t)(text + n - at - 3), line);
    option(s, text);
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

static int meets(expected *e, const brink__note *n)
{
  expected_kind kind = n->kind == BRINK__NOTE_ERROR ? EXPECT_ERROR : EXPECT_WARNING;

  if (e->met || e->kind != kind || e->line != n->line || (e->col && e->col != n->col) ||
      !same_sentence(n->text, e->text))
    return 0;
  e->met = 1;
  return 1;
}

int compare(script *s, const brink__diag *diag)
{
  char buf[1200];
  int bad = 0, errors = 0;

  for (const brink__note *n = diag->first; n; n = n->next) {
    int found = 0;
    for (int i = 0; i < s->n && !found; i++)
      found = meets(&s->v[i], n);
    if (!found) {
      print_error("unexpected: %s\n", brink__note_text(n, buf, sizeof buf));
      bad++;
    }
  }
  for (int i = 0; i < s->n; i++) {
    errors += s->v[i].kind == EXPECT_ERROR;
    if (!s->v[i].met &&
        (s->v[i].kind == EXPECT_ERROR || s->v[i].kind == EXPECT_WARNING)) {
      print_error("%s: not met: line %d: %s\n", diag->file, s->v[i].line, s->v[i].text);
      bad++;
    }
  }
  if (s->ok != (errors == 0)) {
    print_error("%s: says neither ok nor error, or both\n", diag->file);
    bad++;
  }
  return bad;
}

/* ---------------------------------------------------------------- runs ---- */

void run_all(const char *folder, int least,
             int (*run)(brink_ctx *, const char *, const char *))
{
  struct dirent **list;
  int n = scandir(folder, &list, NULL, alphasort), bad = 0, ran = 0;
  brink_ctx *ctx;

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
