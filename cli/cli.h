/* cli.h -- what the verbs of the command share.
 *
 * Results go to standard output, everything else to standard error.  A verb returns
 * the exit status of the process.
 */
#ifndef BRINK_CLI_H
#define BRINK_CLI_H

#include <stdio.h>

#include "brink/out.h"

enum {
  CLI_DONE = 0,   /* also: the model said terminate                           */
  CLI_FAILED = 1, /* the run did not reach its end, or a file was not written */
  CLI_USAGE = 2,  /* wrong use of the command                                 */
  CLI_MODEL = 3   /* the model is wrong                                       */
};

/* ------------------------------------------------------------ options ---- */

typedef struct cli_option {
  const char *name;  /* without dashes; '_' and '-' are the same             */
  char letter;       /* -o, or 0                                             */
  const char *value; /* what its value is called in the help; NULL: a switch */
  const char *text;
  int id;
} cli_option;

typedef struct cli_verb {
  const char *name;
  const char *usage; /* what follows the name                           */
  const char *text;  /* one line                                        */
  const char *more;  /* for its own help; "" if there is nothing to add */
  const cli_option *options;
  int n_options;
  int (*run)(const struct cli_verb *verb, int argc, char **argv); /* after the name */
} cli_verb;

extern const cli_verb cli_run, cli_check, cli_compare, cli_continue, cli_methods,
    cli_locators, cli_models, cli_papers;

/* Walks along the arguments of a verb and says what it met. */
typedef enum cli_met {
  CLI_BAD,
  CLI_NO_MORE,
  CLI_OPTION,
  CLI_OPERAND,
  CLI_HELP
} cli_met;

typedef struct cli_args {
  const cli_verb *verb;
  int argc, i, only_operands;
  char **argv;
  const char *name;  /* the option as written                             */
  const char *value; /* of the option, or the operand                     */
  int id;            /* of the option                                     */
} cli_args;

cli_args cli_args_of(const cli_verb *verb, int argc, char **argv);
cli_met cli_args_next(cli_args *args); /* CLI_BAD: the user has been told     */

/* For verbs that take nothing.  0: go on; 1: return *status. */
int cli_args_none(const cli_verb *verb, int argc, char **argv, int *status);

/* The value as a number; 0, or -1 and the user has been told. */
int cli_real(const cli_args *args, double *x);
int cli_count(const cli_args *args, long *n);

/* A number for people, 1e-6 and not 1e-06; returns out. */
enum { CLI_SHORT = 32 };
const char *cli_short(double x, char out[CLI_SHORT]);

/* WIDTHxHEIGHT in pixels, 0 for one that is left open. */
int cli_size(const cli_args *args, int *width, int *height);

void cli_help(const cli_verb *verb, FILE *out);

/* One sentence on standard error, behind "brink: ". */
void cli_say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* A text on `out` in lines of at most 100 columns, behind `indent` blanks. */
void cli_note(FILE *out, int indent, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Which methods `auto` took, and why; "" if there was one only, for problems that are
 * not stiff.  Returns out. */
enum { CLI_LINE = 512 };
const char *cli_switches(const brink_sim_stats *s, char out[CLI_LINE]);

/* An error of the library, with its place if it has one. */
void cli_say_error(const brink_err *err);

/* How far a name is from a word; CLI_FAR and more: not near. */
enum { CLI_FAR = 4 };
int cli_distance(const char *word, const char *name);

/* -------------------------------------------------------------- files ---- */

typedef struct cli_file {
  const char *name; /* as given; "-" is standard output                       */
  FILE *stream;
  int error;  /* errno of the first failure, 0: none                   */
  int closed; /* the reader at the other end of the pipe has gone      */
} cli_file;

/* ".csv" of "a/b.csv"; "" if there is none. */
const char *cli_extension(const char *name);

/* "-", a pipe or a device: something that is not a file of a kind. */
int cli_is_stream(const char *name);

int cli_file_open(cli_file *file, const char *name); /* 0, or -1: told  */
brink_sink cli_file_sink(cli_file *file);
int cli_file_close(cli_file *file); /* 0, or -1: told; twice is harmless */

/* ---------------------------------------------------------- words.c ---- */

enum { CLI_TEXT = 512 };

int cli_columns(const char *text); /* of a terminal, that a text takes */

/* The text, or its beginning and dots, in at most so many columns; returns out. */
const char *cli_cut(const char *text, int columns, char out[CLI_TEXT]);

/* Prints n names in lines of at most 100 columns.  Of many, those that differ in
 * subscripts only are put together: "x[*] x 20". */
typedef const char *cli_name_fn(const void *user, size_t i);
void cli_names(size_t n, cli_name_fn *name, const void *user);

/* ------------------------------------------------------------- models ---- */

enum { CLI_PATH = 4096, CLI_NAME = 128 };

/* Directory number i of those that hold models, best first; 0 past the last. */
int cli_model_dir(int i, char dir[CLI_PATH]);

/* Told about every model of a directory; nonzero ends the walk. */
typedef int cli_model_fn(void *user, const char *dir, const char *name);
void cli_each_model(const char *dir, cli_model_fn *fn, void *user);

/* The file meant by `name`: a path, or a model of the collection.  0, or -1 and the
 * user has been told. */
int cli_find_model(const char *name, char path[CLI_PATH]);

#endif /* BRINK_CLI_H */
