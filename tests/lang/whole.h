/* A model text, read, lowered, run, and held against what it expects (script.h). */
#ifndef LANG_WHOLE_H
#define LANG_WHOLE_H

#include "script.h"

/* number of expectations that are not met, plus faults nobody expected */
int check_whole(script *s, brink_ctx *ctx, const char *name, const char *text,
                size_t n);

#endif
