/* What a run of a model must give.
 *
 *   // expect x(1.5) = 0.123 +- 1e-6      a variable at a time
 *   // expect n(2) = 3                    ... exactly
 *   // expect event 3 at 0.5 +- 1e-9      the third event that did something
 *   // expect events 7                    so many up to the last time asked for
 *   // expect end BRINK_TERMINATED at 2.5 how and when the run ends
 *   // expect fails: SENTENCE             what is said when it cannot go on, and that
 *                                         saying it takes no memory
 *   // expect says: SENTENCE              what is said about how it ended
 *   // expect warns 0: SENTENCE           of the run; numbers count from 0
 *   // stop 3                             run at least so far
 *
 * In a sentence "..." stands for anything.  The tolerance of the integration is 1e-10.
 */
#ifndef LANG_RUNS_H
#define LANG_RUNS_H

#include "script.h"

/* number of expectations that are not met */
int check_run(script *s, brink_ctx *ctx, const char *name, const char *text, size_t n);

#endif
