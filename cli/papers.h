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

/* Writes the figure as dir/name and says so.  0, or -1: told. */
int cli_paper_figure(const cli_paper_ask *ask, const char *name, brink_figure fig);

/* What the context has to say.  CLI_FAILED. */
int cli_paper_fail(const cli_paper_ask *ask);

#endif /* BRINK_CLI_PAPERS_H */
