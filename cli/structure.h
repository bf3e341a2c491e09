/* structure.h -- what `check` says about the structure of the equations. */
#ifndef BRINK_CLI_STRUCTURE_H
#define BRINK_CLI_STRUCTURE_H

#include "cli.h"

#include "brink/structure.h"

void cli_structure(const brink_structure *s);

/* Has row i of the signature matrix the same entries in both? */
int cli_same_row(const brink_structure *a, const brink_structure *b, size_t i);

/* The same as cli_structure; rows of the matrix that have other entries than in
 * `other`, a structure of the same equations, are marked.  NULL: none. */
void cli_structure_beside(const brink_structure *s, const brink_structure *other);

#endif /* BRINK_CLI_STRUCTURE_H */
