/* papers_guards.c -- who finds which of twenty hard guards: every locator with every
 * method, with steps as the command limits them and with steps as long as the method
 * likes.
 */
#include "papers.h"

#include "papers/hard_guards.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum {
  MOST_LOCATORS = 32,
  MOST_METHODS = CLI_PAPER_COLUMNS - 1,
  LIMITS = 2,
  MOST_SENTENCES = 8
};

/* The longest step as a part of the run: that of the command, and none. */
static const double limits[LIMITS] = {1.0 / 50, 0};

/* A run that ended early. */
typedef struct sentence {
  int guard, locator, method;
  char text[BRINK_ERR_TEXT];
} sentence;

/* What became of all runs, a character for each. */
typedef struct page {
  int locators, methods;
  char cell[LIMITS][MOST_LOCATORS][MOST_METHODS][HARD_GUARDS + 1];
  sentence sentences[MOST_SENTENCES]; /* one for each guard and locator */
  int n_sentences;
} page;

/* ----------------------------------------------------------------- runs --- */

static const char FOUND[] = "#+o", WRONG[] = "?pmfe";

static char letter(const hard_guard_result *r)
{
  if (r->verdict == HARD_GUARD_FOUND)
    return FOUND[r->certificate];
  char wrong = WRONG[r->verdict];
  return (char)(r->certificate == BRINK_PROVED ? toupper(wrong) : wrong);
}

static int is_found(char c) { return strchr(FOUND, c) != NULL; }

static void keep(page *p, int g, int l, int m, const brink_err *why)
{
  for (int i = 0; i < p->n_sentences; i++)
    if (p->sentences[i].guard == g && p->sentences[i].locator == l)
      return;
  if (p->n_sentences == MOST_SENTENCES)
    return;
  sentence *s = &p->sentences[p->n_sentences++];
  *s = (sentence){.guard = g, .locator = l, .method = m};
  memcpy(s->text, why->text, sizeof s->text);
}

static int run_all(const cli_paper_ask *ask, page *p)
{
  while (p->locators < MOST_LOCATORS && brink_locator_name(p->locators))
    p->locators++;
  while (p->methods < MOST_METHODS && brink_method_name(p->methods))
    p->methods++;
  for (int i = 0; i < LIMITS; i++)
    for (int l = 0; l < p->locators; l++)
      for (int m = 0; m < p->methods; m++)
        for (int g = 0; g < HARD_GUARDS; g++) {
          hard_guard_way way = {brink_method_name(m), brink_locator_name(l), limits[i]};
          hard_guard_result r;
          if (hard_guard_run(ask->ctx, &hard_guards[g], &way, &r) != 0)
            return -1;
          p->cell[i][l][m][g] = letter(&r);
          if (r.verdict == HARD_GUARD_ENDED && i == 0)
            keep(p, g, l, m, &r.why);
        }
  return 0;
}

/* --------------------------------------------------------------- tables --- */

/* How many pairs of a locator and a method have found the guard. */
static int pairs(const page *p, int limit, int g)
{
  int n = 0;

  for (int l = 0; l < p->locators; l++)
    for (int m = 0; m < p->methods; m++)
      n += is_found(p->cell[limit][l][m][g]);
  return n;
}

static void table_of_guards(const cli_paper_ask *ask, const page *p)
{
  static const int widths[] = {2, -8, 7, -1};
  static const char *const names[] = {"", "name", "found", "guard"};
  cli_paper_table t = cli_paper_table_begin(ask, "The guards", 4, widths, names);

  for (int g = 0; g < HARD_GUARDS; g++) {
    cli_paper_row row = {.n = 0};
    cli_paper_cell(&row, "%d", g + 1);
    cli_paper_cell(&row, "%s", hard_guards[g].name);
    cli_paper_cell(&row, "%d %3d", pairs(p, 0, g), pairs(p, 1, g));
    cli_paper_cell(&row, "%s", hard_guards[g].what);
    cli_paper_table_row(&t, &row);
  }
  char remark[256];
  snprintf(remark, sizeof remark,
           "found: by so many of %d pairs of a locator and a method, with steps of at "
           "most a 50th of the run, and with steps of any length.",
           p->locators * p->methods);
  cli_paper_table_end(&t, remark);
}

static const char LEGEND[] =
    "A character for each guard, in the order of the list; steps of at most a 50th of "
    "the run.  '#' found, and the certificate is 'proved'; '+' found, 'converged'; 'o' "
    "found, 'sampled'; 'm' missed; 'p' in the wrong place; 'f' false events; 'e' ended "
    "early with a sentence.  A capital letter: wrong, and the certificate is 'proved'.";

enum { BAND = 4 }; /* methods beside each other: lines of 100 characters */

static void cells_of(const cli_paper_ask *ask, const page *p, int first)
{
  static const int widths[1 + BAND] = {-12, -20, -20, -20, -20};
  const char *names[1 + BAND] = {""}, *tick = ask->markdown ? "`" : "";
  int n = p->methods - first < BAND ? p->methods - first : BAND;
  cli_paper_row head = {.n = 0};

  cli_paper_cell(&head, "%s", "");
  for (int m = 0; m < n; m++) {
    names[1 + m] = brink_method_name(first + m);
    cli_paper_cell(&head, "%s12345678901234567890%s", tick, tick);
  }
  cli_paper_table t = cli_paper_table_begin(
      ask, first ? "With the other methods" : "Guard by guard", 1 + n, widths, names);
  cli_paper_table_row(&t, &head);
  for (int l = 0; l < p->locators; l++) {
    cli_paper_row row = {.n = 0};
    cli_paper_cell(&row, "%s", brink_locator_name(l));
    for (int m = 0; m < n; m++)
      cli_paper_cell(&row, "%s%s%s", tick, p->cell[0][l][first + m], tick);
    cli_paper_table_row(&t, &row);
  }
  cli_paper_table_end(&t, first + n < p->methods ? NULL : LEGEND);
}

static int found(const page *p, int limit, int l, int m)
{
  int n = 0;

  for (int g = 0; g < HARD_GUARDS; g++)
    n += is_found(p->cell[limit][l][m][g]);
  return n;
}

static void table_of_counts(const cli_paper_ask *ask, const page *p)
{
  const char *names[1 + MOST_METHODS] = {""};
  int widths[1 + MOST_METHODS] = {-12};

  for (int m = 0; m < p->methods; m++) {
    names[1 + m] = brink_method_name(m);
    widths[1 + m] = 7;
  }
  cli_paper_table t = cli_paper_table_begin(ask, "How many of the twenty",
                                            1 + p->methods, widths, names);
  for (int l = 0; l < p->locators; l++) {
    cli_paper_row row = {.n = 0};
    cli_paper_cell(&row, "%s", brink_locator_name(l));
    for (int m = 0; m < p->methods; m++)
      cli_paper_cell(&row, "%d %2d", found(p, 0, l, m), found(p, 1, l, m));
    cli_paper_table_row(&t, &row);
  }
  cli_paper_table_end(&t, "With steps of at most a 50th of the run, and with steps of "
                          "any length.");
}

static void endings(const page *p)
{
  if (p->n_sentences)
    printf("\nEnded early\n");
  for (int i = 0; i < p->n_sentences; i++) {
    const sentence *s = &p->sentences[i];
    cli_note(stdout, 2, "- %s with %s and %s: %s", hard_guards[s->guard].name,
             brink_locator_name(s->locator), brink_method_name(s->method), s->text);
  }
}

/* ------------------------------------------------------------------ all --- */

static int run(const cli_paper_ask *ask)
{
  page *p = calloc(1, sizeof *p);

  if (!p) {
    cli_say("out of memory");
    return CLI_FAILED;
  }
  int bad = run_all(ask, p) != 0;
  if (!bad) {
    table_of_guards(ask, p);
    for (int m = 0; m < p->methods; m += BAND)
      cells_of(ask, p, m);
    table_of_counts(ask, p);
    endings(p);
  }
  free(p);
  return bad ? cli_paper_fail(ask) : CLI_DONE;
}

const cli_paper cli_paper_guards = {
    .name = "guards",
    .text = "no paper: which of twenty hard guards each locator and method finds",
    .title = "Twenty hard guards: all locators, all methods, rtol 1e-8",
    .run = run,
};
