/* The examples of the pages are true.
 *
 * Every block ```modelica of docs/language.md and docs/tutorial.md is read and run,
 * and must give what its lines `// expect` say (tests/lang/script.h, runs.h; a block
 * need not say `expect: ok`).  A block that claims nothing is a fault of the page,
 * unless it is a file (`// NAME.mo`) for the console blocks, which are the business of
 * console.sh.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../lang/whole.h"

typedef struct block {
  const char *text; /* into the page */
  size_t n;
  int line; /* of the page */
} block;

/* the next block at or after *at; 0: there is none */
static int next_block(const char **at, int *line, block *b)
{
  static const char fence[] = "```modelica\n";
  int inside = 0;

  while (**at) {
    const char *s = *at;
    size_t n = strcspn(s, "\n");
    *at = s + n + (s[n] == '\n');
    ++*line;
    if (inside && strncmp(s, "```", 3) == 0) {
      b->n = (size_t)(s - b->text);
      return 1;
    }
    if (!inside && strncmp(s, fence, sizeof fence - 1) == 0) {
      inside = 1;
      b->text = *at;
      b->line = *line + 1;
    }
  }
  assert_false(inside); /* a fence that nobody closes */
  return 0;
}

static int claims(const script *s, int *errors)
{
  int n = 0;

  *errors = 0;
  for (int i = 0; i < s->n; i++) {
    *errors += s->v[i].kind == EXPECT_ERROR;
    n += s->v[i].kind != EXPECT_WARNING;
  }
  return n;
}

static int is_file(const char *text)
{
  size_t n = strcspn(text, "\n");

  return strncmp(text, "// ", 3) == 0 && n > 6 && strncmp(text + n - 3, ".mo", 3) == 0;
}

static int check_block(brink_ctx *ctx, const char *page, const block *b)
{
  char *text = malloc(b->n + 1), name[200];
  script s;
  int errors;

  snprintf(name, sizeof name, "%s, block at line %d", page, b->line);
  memcpy(text, b->text, b->n);
  text[b->n] = 0;
  read_script(&s, text);
  int bad = claims(&s, &errors) == 0 && !is_file(text);
  if (bad)
    print_error("%s: claims nothing\n", name);
  s.ok = errors == 0;
  int missed = check_whole(&s, ctx, name, text, b->n);
  if (missed)
    print_error("%s: %d of its claims do not hold\n", name, missed);
  free(text);
  return bad + missed;
}

static void check_page(const char *page, int least)
{
  char path[1024];
  size_t n;
  int line = 0, count = 0, bad = 0;
  brink_ctx *ctx;
  block b;

  snprintf(path, sizeof path, "%s/%s", DOCS_DIR, page);
  char *all = read_all(path, &n);
  check_status(brink_ctx_new(NULL, &ctx), BRINK_OK);
  for (const char *at = all; next_block(&at, &line, &b); count++)
    bad += check_block(ctx, page, &b) != 0;
  assert_int_equal(brink_ctx_alloc_stats(ctx).live_bytes, 0);
  brink_ctx_free(ctx);
  free(all);
  if (bad)
    print_error("%s: %d of %d examples are wrong\n", page, bad, count);
  assert_true(count >= least);
  assert_int_equal(bad, 0);
}

static void the_language_does_what_its_page_says(void **state)
{
  (void)state;
  check_page("language.md", 48);
}

static void the_models_of_the_tutorial_do_what_it_says(void **state)
{
  (void)state;
  check_page("tutorial.md", 12);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_language_does_what_its_page_says),
      cmocka_unit_test(the_models_of_the_tutorial_do_what_it_says),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
