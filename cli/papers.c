/* papers.c -- brink papers: tables and figures of the papers behind brink, made anew.
 */
#include "papers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const cli_paper *const papers[] = {
    &cli_paper_esposito,
    &cli_paper_delbuono,
    &cli_paper_breitenecker,
};
enum { N_PAPERS = sizeof papers / sizeof papers[0] };

enum { OPT_OUT, OPT_RUNS, OPT_SIZE, OPT_MARKDOWN };

/* clang-format off */
static const cli_option options[] = {
  {"out",  'o', "DIR", "where figures go; made if it is not there [.]", OPT_OUT},
  {"runs", 0,   "N",   "repetitions of what is timed; 0: no timings", OPT_RUNS},
  {"size", 0,   "WxH", "of figures, in pixels; 0: what they need", OPT_SIZE},
  {"markdown", 0, NULL, "tables as Markdown, where the paper has them so", OPT_MARKDOWN},
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
  printf("written: %s\n", path);
  return 0;
}

int cli_paper_fail(const cli_paper_ask *ask)
{
  cli_say_error(brink_ctx_error(ask->ctx));
  return CLI_FAILED;
}

/* --------------------------------------------------------------- tables --- */

void cli_paper_table_row(const cli_paper_table *table, const char *const *cells)
{
  for (int i = 0; i < table->n; i++)
    if (table->ask->markdown)
      printf("| %s ", cells[i]);
    else
      printf("%s%*s", i ? "  " : "", table->widths[i], cells[i]);
  puts(table->ask->markdown ? "|" : "");
}

cli_paper_table cli_paper_table_begin(const cli_paper_ask *ask, const char *title,
                                      int n, const int *widths,
                                      const char *const *names)
{
  cli_paper_table table = {ask, n, widths};

  printf(ask->markdown ? "\n### %s\n\n" : "\n%s\n", title);
  cli_paper_table_row(&table, names);
  for (int i = 0; ask->markdown && i < n; i++)
    printf(widths[i] < 0 ? "|---" : "|---:");
  if (ask->markdown)
    puts("|");
  return table;
}

void cli_paper_table_end(const cli_paper_table *table, const char *remark)
{
  if (!remark)
    return;
  if (table->ask->markdown)
    puts("");
  cli_note(stdout, 0, "%s", remark);
}

/* ----------------------------------------------------------------- list --- */

static void list(void)
{
  for (int i = 0; i < N_PAPERS; i++)
    printf("%-16s %s\n", papers[i]->name, papers[i]->text);
}

static const cli_paper *find(const char *word)
{
  const char *best = NULL;
  int least = CLI_FAR;

  for (int i = 0; i < N_PAPERS; i++) {
    int d = cli_distance(word, papers[i]->name);
    if (strcmp(word, papers[i]->name) == 0)
      return papers[i];
    if (d < least) {
      least = d;
      best = papers[i]->name;
    }
  }
  if (best)
    cli_say("there is no paper '%s'; did you mean '%s'?", word, best);
  else
    cli_say("there is no paper '%s'; 'brink papers' lists them", word);
  return NULL;
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

/* 0: go on; 1: return *status. */
static int parse(cli_paper_ask *ask, const cli_paper **paper, const cli_verb *verb,
                 int argc, char **argv, int *status)
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
      if (*paper) {
        cli_say("one paper at a time: '%s' or '%s'", (*paper)->name, args.value);
        return 1;
      }
      if (!(*paper = find(args.value)))
        return 1;
      break;
    case CLI_OPTION:
      if (take(ask, &args) != 0)
        return 1;
      break;
    case CLI_NO_MORE: return 0;
    }
}

static int run(const cli_verb *verb, int argc, char **argv)
{
  const cli_paper *paper = NULL;
  cli_paper_ask ask;
  int status;

  if (parse(&ask, &paper, verb, argc, argv, &status))
    return status;
  if (!paper) {
    list();
    return CLI_DONE;
  }
  if (ask.runs < 0)
    ask.runs = paper->runs;
  if (make_dir(ask.dir) != 0)
    return CLI_FAILED;
  if (brink_ctx_new(NULL, &ask.ctx) < 0) {
    cli_say("out of memory");
    return CLI_FAILED;
  }
  cli_note(stdout, 0, "%s", paper->title);
  status = paper->run(&ask);
  brink_ctx_free(ask.ctx);
  return status;
}

const cli_verb cli_papers = {
    .name = "papers",
    .usage = "[NAME]",
    .text = "make the tables and figures of a paper anew",
    .more = "Prints the tables and writes the figures as SVG.  Without a name: which "
            "papers.\n",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .run = run,
};
