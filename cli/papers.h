/* papers.h -- a paper whose tables and figures the command can make.
 *
 * Another paper is one file with a cli_paper, and its line in papers.c.
 */
#ifndef BRINK_CLI_PAPERS_H
#define BRINK_CLI_PAPERS_H

#include "cli.h"

#include "brink/figure.h"

/* What the user asked for, and where to. */
typedef struct cli_paper_ask {
  brink_ctx *ctx;
  const char *dir;   /* for figures; it is there                    */
  long runs;         /* repetitions of what is timed; 0: no timings */
  int width, height; /* of figures; 0: their own                    */
  int markdown;      /* tables as Markdown                          */
} cli_paper_ask;

typedef struct cli_paper {
  const char *name;
  const char *text;                     /* for the list: who, and what is made; short */
  const char *title;                    /* authors, title, year                       */
  long runs;                            /* repetitions by default                     */
  int (*run)(const cli_paper_ask *ask); /* the exit status; the user has been told */
} cli_paper;

extern const cli_paper cli_paper_esposito;
extern const cli_paper cli_paper_breitenecker;
extern const cli_paper cli_paper_delbuono;
extern const cli_paper cli_paper_donolo;
extern const cli_paper cli_paper_nedialkov;
extern const cli_paper cli_paper_guards;
extern const cli_paper cli_paper_locators;
extern const cli_paper cli_paper_methods;

/* A table, line by line, for people or as Markdown: columns of these widths, aligned to
 * the right, or (negative) to the left. */
typedef struct cli_paper_table {
  const cli_paper_ask *ask;
  int n;
  const int *widths; /* [n] */
} cli_paper_table;

/* The title and the names of the columns; then rows; then a remark (NULL: none). */
cli_paper_table cli_paper_table_begin(const cli_paper_ask *ask, const char *title,
                                      int n, const int *widths,
                                      const char *const *names);
void cli_paper_table_end(const cli_paper_table *table, const char *remark);

/* A remark behind several tables. */
void cli_paper_remark(const cli_paper_ask *ask, const char *text);

/* The cells of one row, from left to right; what is missing on the right is empty. */
enum { CLI_PAPER_CELL = 96, CLI_PAPER_COLUMNS = 12 };
typedef struct cli_paper_row {
  char cell[CLI_PAPER_COLUMNS][CLI_PAPER_CELL];
  int n;
} cli_paper_row;

void cli_paper_cell(cli_paper_row *row, const char *form, ...)
    __attribute__((format(printf, 2, 3)));
void cli_paper_table_row(const cli_paper_table *table, const cli_paper_row *row);

/* Writes the figure as dir/name and says so (as Markdown: shows it).  0, or -1: told.
 */
int cli_paper_figure(const cli_paper_ask *ask, const char *name, brink_figure fig);

/* What the context has to say.  CLI_FAILED. */
int cli_paper_fail(const cli_paper_ask *ask);

#endif /* BRINK_CLI_PAPERS_H */
