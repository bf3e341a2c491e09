/* expr/schedule.h -- see schedule.c.  Private to the room. */
#ifndef BRINK_EXPR_SCHEDULE_H
#define BRINK_EXPR_SCHEDULE_H

#include "expr/inner.h"

/* Reorder the code of a tape whose instructions are in a valid order, and set the
 * lengths of runs. */
brink_status brink__schedule(brink_ctx *ctx, brink__tape *t);

#endif /* BRINK_EXPR_SCHEDULE_H */
