/* structure.h -- what `check` says about the structure of the equations. */
#ifndef BRINK_CLI_STRUCTURE_H
#define BRINK_CLI_STRUCTURE_H

#include "cli.h"

#include "brink/structure.h"

void cli_structure(const brink_structure *s);

#endif /* BRINK_CLI_STRUCTURE_H */
