/* modes.h -- what `check` says about the modes of the equations. */
#ifndef BRINK_CLI_MODES_H
#define BRINK_CLI_MODES_H

#include "ask.h"

/* Run the model as it is asked for, and show the structure of each mode that it meets;
 * the exit status. */
int cli_modes_met(brink_ctx *ctx, const brink_model *model, cli_ask *ask);

/* The structure with the branches that "NAME=VALUE,..." chooses; the exit status. */
int cli_one_mode(brink_ctx *ctx, const brink_model *model, const char *choices);

#endif /* BRINK_CLI_MODES_H */
