/* papers.c -- brink papers: tables and figures of the papers behind brink, made anew.
 */
#include "papers.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const cli_paper *const papers[] = {
    &cli_paper_esposito,
    &cli_paper_delbuono,
    &cli_paper_breitenecker,
    &cli_paper_donolo,
    &cli_paper_nedialkov,
    /* experiments of brink itself, which are not among `all` */
    &cli_paper_guards,
    &cli_paper_locators,
    &cli_paper_methods,
};
enum { N_PAPERS = sizeof papers / sizeof papers[0], N_OURS = 3 };

static const char ALL[] = "all"; /* in place of a name */

enum { OPT_OUT, OPT_RUNS, OPT_SIZE, OPT_MARKDOWN };

/* clang-format off */
static const cli_option options[] = {
  {"out",  'o', "DIR", "where figures go; made if it is not there [.]", OPT_OUT},
  {"runs", 0,   "N",   "repetitions of what is timed; 0: no timings", OPT_RUNS},
  {"size", 0,   "WxH", "of figures, in pixels; 0: what they need", OPT_SIZE},
  {"markdown", 0, NULL, "tables as Markdown, with the figures in them", OPT_MARKDOWN},
};
/* clang-format on */

/* -------------------------------------------------------------- figures --- */

int cli_paper_figure(const cli_paper_ask *ask, const char *name, brink_figure fig)
{
  char path[CLI_PATH];
  cli_file file;
  brink_err err;

  fig.width = ask->width ? ask->width : fig.width;
  fig.height = ask->height ? ask->height : fig.height;
  int n = strcmp(ask->dir, ".") == 0
              ? snprintf(path, sizeof path, "%s", name)
              : snprintf(path, sizeof path, "%s/%s", ask->dir, name);
  if (n < 0 || n >= CLI_PATH) {
    cli_say("the name of the directory is too long");
    return -1;
  }
  if (cli_file_open(&file, path) != 0)
    return -1;
  brink_sink sink = cli_file_sink(&file);
  brink_status rc = brink_figure_write(&sink, &fig, &err);
  if (cli_file_close(&file) != 0)
    return -1;
  if (rc < 0) {
    cli_say_error(&err);
    return -1;
  }
  if (ask->markdown)
    printf("![%s](%s)\n\n", fig.title, path);
  else
    printf("written: %s\n", path);
  return 0;
}

int cli_paper_fail(const cli_paper_ask *ask)
{
  cli_say_error(brink_ctx_error(ask->ctx));
  return CLI_FAILED;
}

/* --------------------------------------------------------------- tables --- */

void cli_paper_cell(cli_paper_row *row, const char *form, ...)
{
  va_list args;

  va_start(args, form);
  vsnprintf(row->cell[row->n++], CLI_PAPER_CELL, form, args);
  va_end(args);
}

/* A cell as Markdown, where a bar would end it. */
static void markdown_cell(const char *cell)
{
  fputs("| ", stdout);
  for (; *cell; cell++)
    printf(*cell == '|' ? "\\%c" : "%c", *cell);
  putchar(' ');
}

/* One line: cells i of which the first `have` are there. */
static void line(const cli_paper_table *table, const char *const *cells, int have)
{
  char text[CLI_PAPER_COLUMNS * (CLI_PAPER_CELL + 2)] = "";
  int at = 0;

  for (int i = 0; i < table->n; i++) {
    const char *cell = i < have ? cells[i] : "";
    if (table->ask->markdown)
      markdown_cell(cell);
    else
      at += snprintf(text + at, sizeof text - (size_t)at, "%s%*s", i ? "  " : "",
                     table->widths[i], cell);
  }
  while (at > 0 && text[at - 1] == ' ')
    text[--at] = 0;
  puts(table->ask->markdown ? "|" : text);
}

void cli_paper_table_row(const cli_paper_table *table, const cli_paper_row *row)
{
  const char *cells[CLI_PAPER_COLUMNS];

  for (int i = 0; i < row->n; i++)
    cells[i] = row->cell[i];
  line(table, cells, row->n);
}

cli_paper_table cli_paper_table_begin(const cli_paper_ask *ask, const char *title,
                                      int n, const int *widths,
                                      const char *const *names)
{
  cli_paper_table table = {ask, n, widths};

  printf(ask->markdown ? "\n### %s\n\n" : "\n%s\n", title);
  line(&table, names, n);
  for (int i = 0; ask->markdown && i < n; i++)
    printf(widths[i] < 0 ? "|---" : "|---:");
  if (ask->markdown)
    puts("|");
  return table;
}

void cli_paper_remark(const cli_paper_ask *ask, const char *text)
{
  if (ask->markdown)
    puts("");
  cli_note(stdout, 0, "%s", text);
}

void cli_paper_table_end(const cli_paper_table *table, const char *remark)
{
  if (remark)
    cli_paper_remark(table->ask, remark);
}

/* ----------------------------------------------------------------- list --- */

static void list(void)
{
  for (int i = 0; i < N_PAPERS; i++)
    printf("%-16s %s\n", papers[i]->name, papers[i]->text);
  printf("%-16s %s\n", ALL, "all papers, one after the other");
}

/* Which papers the word asks for: from *first on, so many.  0: told. */
static int find(const char *word, int *first)
{
  const char *best = NULL;
  int least = CLI_FAR;

  *first = 0;
  if (strcmp(word, ALL) == 0)
    return N_PAPERS - N_OURS;
  for (int i = 0; i < N_PAPERS; i++) {
    int d = cli_distance(word, papers[i]->name);
    if (strcmp(word, papers[i]->name) == 0) {
      *first = i;
      return 1;
    }
    if (d < least) {
      least = d;
      best = papers[i]->name;
    }
  }
  if (best)
    cli_say("there is no paper '%s'; did you mean '%s'?", word, best);
  else
    cli_say("there is no paper '%s'; 'brink papers' lists them", word);
  return 0;
}

/* ------------------------------------------------------------------ run --- */

static int make_dir(const char *dir)
{
  struct stat s;

  errno = 0;
  if (stat(dir, &s) == 0 ? S_ISDIR(s.st_mode) : mkdir(dir, 0777) == 0)
    return 0;
  cli_say("figures cannot be written to '%s': %s", dir,
          errno ? strerror(errno) : "it is no directory");
  return -1;
}

static int take(cli_paper_ask *ask, const cli_args *args)
{
  switch (args->id) {
  case OPT_OUT: ask->dir = args->value; return 0;
  case OPT_SIZE: return cli_size(args, &ask->width, &ask->height);
  case OPT_MARKDOWN: ask->markdown = 1; return 0;
  default: break;
  }
  if (cli_count(args, &ask->runs) != 0)
    return -1;
  if (ask->runs >= 0)
    return 0;
  cli_say("--runs must not be negative");
  return -1;
}

/* What the command line asks for. */
typedef struct wanted {
  const char *word; /* NULL: the list */
  int first, n;     /* papers         */
} wanted;

/* 0: go on; 1: return *status. */
static int parse(cli_paper_ask *ask, wanted *w, const cli_verb *verb, int argc,
                 char **argv, int *status)
{
  cli_args args = cli_args_of(verb, argc, argv);

  *ask = (cli_paper_ask){.dir = ".", .runs = -1};
  *status = CLI_USAGE;
  for (;;)
    switch (cli_args_next(&args)) {
    case CLI_BAD: return 1;
    case CLI_HELP:
      cli_help(verb, stdout);
      *status = CLI_DONE;
      return 1;
    case CLI_OPERAND:
      if (w->word) {
        cli_say("one paper at a time, or 'all': '%s' or '%s'", w->word, args.value);
        return 1;
      }
      w->word = args.value;
      w->n = find(args.value, &w->first);
      if (w->n == 0)
        return 1;
      break;
    case CLI_OPTION:
      if (take(ask, &args) != 0)
        return 1;
      break;
    case CLI_NO_MORE: return 0;
    }
}

/* One paper, behind those that came before it. */
static int make(cli_paper_ask ask, const cli_paper *paper, int before)
{
  if (ask.runs < 0)
    ask.runs = paper->runs;
  if (before)
    puts("");
  if (ask.markdown)
    printf("## %s\n", paper->title);
  else
    cli_note(stdout, 0, "%s", paper->title);
  return paper->run(&ask);
}

static int run(const cli_verb *verb, int argc, char **argv)
{
  wanted w = {0};
  cli_paper_ask ask;
  int status;

  if (parse(&ask, &w, verb, argc, argv, &status))
    return status;
  if (!w.word) {
    list();
    return CLI_DONE;
  }
  if (make_dir(ask.dir) != 0)
    return CLI_FAILED;
  if (brink_ctx_new(NULL, &ask.ctx) < 0) {
    cli_say("out of memory");
    return CLI_FAILED;
  }
  status = CLI_DONE;
  for (int i = 0; i < w.n && status == CLI_DONE; i++)
    status = make(ask, papers[w.first + i], i);
  brink_ctx_free(ask.ctx);
  return status;
}

const cli_verb cli_papers = {
    .name = "papers",
    .usage = "[NAME]",
    .text = "make the tables and figures of a paper anew, or of all",
    .more = "Prints the tables and writes the figures as SVG.  Without a name: which "
            "papers.\n",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .run = run,
};
