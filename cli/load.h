/* load.h -- reading a model: what `run` and `check` share. */
#ifndef BRINK_CLI_LOAD_H
#define BRINK_CLI_LOAD_H

#include "cli.h"

#include "brink/load.h"

enum { CLI_MAX_SET = 256 };

enum { CLI_OPT_MODEL, CLI_OPT_SET, CLI_LOAD_OPTIONS };

/* clang-format off */
#define CLI_LOAD_TABLE                                                                      \
  {"model", 0, "NAME",       "another model of the file than its last", CLI_OPT_MODEL},     \
  {"set",   0, "NAME=VALUE", "a parameter, or the start value of a variable; again for more", \
   CLI_OPT_SET},
/* clang-format on */

typedef struct cli_load {
  const char *name;    /* the operand, NULL: none yet      */
  const char *model;   /* in the file, NULL: the last      */
  char path[CLI_PATH]; /* of the file, once it is found  */
  brink_setting set[CLI_MAX_SET];
  char *names[CLI_MAX_SET]; /* owned               */
  int n_set;
  int analyse;                  /* 1: the structure of its equations is wanted ...  */
  brink_structures *structures; /* ... and here, also if the model is refused       */

  /* -- settings that the simulation makes; the reader has made them otherwise -- */
  int by_sim;
  const brink_model *of;
  int index[CLI_MAX_SET];
  double values[CLI_MAX_SET];
} cli_load;

/* An option or operand met on the way; 0, or -1 and the user has been told. */
int cli_load_option(cli_load *load, const cli_args *args);
int cli_load_operand(cli_load *load, const cli_args *args);
int cli_load_ready(const cli_load *load, const cli_verb *verb);

/* Find and read it, with its settings or (to_run) so that cli_load_set makes them.
 * CLI_DONE, or the exit status; the user has been told. */
int cli_load_model(cli_load *load, brink_ctx *ctx, int to_run, brink_model **out);

/* Before a start: the settings that the simulation makes. */
brink_status cli_load_set(const cli_load *load, brink_sim *sim);

/* A warning of a run of the model, with its place if it names one. */
void cli_load_warn(const cli_load *load, const char *text);
void cli_load_drop(cli_load *load);

#endif /* BRINK_CLI_LOAD_H */
