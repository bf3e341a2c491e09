/* hard_guards.h -- twenty guards that are hard to locate, with known events, and what
 * becomes of them with a method and a locator.
 *
 * Each is a text model that runs from a start time on; its events follow from closed
 * forms.  Several locators cannot find some of them by nature: those that sample see
 * no touch, and no pair of zeros between two samples.
 */
#ifndef BRINK_PAPERS_HARD_GUARDS_H
#define BRINK_PAPERS_HARD_GUARDS_H

#include "brink/brink.h"

enum { HARD_GUARDS = 20, HARD_GUARD_TIMES = 4, HARD_GUARD_MOST_EVENTS = 64 };

typedef struct hard_guard {
  const char *name; /* one word                                                     */
  const char *what; /* the guard, and what is hard about it                         */
  const char *text; /* the model; n counts events of the first when, k those of the
                       second, if there is one                                      */
  double t0, t1;
  double times[HARD_GUARD_TIMES]; /* [n] of the first events, or of the touch       */
  int n;
  double period; /* these events repeat so often, after so long; 0: they do not ... */
  int repeats;   /* ... and then this is 1                                          */
  int touch;     /* 1: the guard touches zero there, which is listed and does nothing */
  double rate;   /* least |dg/dt| at an event over the size of what g is made of    */
  double band;   /* the guard's own rounding hides its zero over this time          */
  double counts[2]; /* n and k at t1; NaN: there is no such variable                */
} hard_guard;

extern const hard_guard hard_guards[HARD_GUARDS];

/* What became of a run. */
typedef enum hard_guard_verdict {
  HARD_GUARD_FOUND,  /* all events and no others, each in its place               */
  HARD_GUARD_MOVED,  /* as many as there are, but in a wrong place                */
  HARD_GUARD_MISSED, /* fewer than there are                                      */
  HARD_GUARD_FALSE,  /* more than there are                                       */
  HARD_GUARD_ENDED   /* the run ended early, with a sentence                      */
} hard_guard_verdict;

typedef struct hard_guard_result {
  hard_guard_verdict verdict;
  brink_certificate certificate; /* the weakest of the run                         */
  int missed, excess; /* events of the answer without one in the run; and the other
                         way round                                                 */
  brink_err why;      /* ENDED: the sentence                                       */
} hard_guard_result;

/* The relative tolerance of these runs. */
extern const double hard_guard_rtol;

/* How far from its place an event may lie. */
double hard_guard_allowed(const hard_guard *g);

/* What a run is made with. */
typedef struct hard_guard_way {
  const char *method, *locator;
  double longest; /* a step takes at most this part of the run; 0: no limit          */
} hard_guard_way;

/* Run it.  0, or -1 with a sentence in the context: the model cannot be read, or there
 * is no memory. */
int hard_guard_run(brink_ctx *ctx, const hard_guard *g, const hard_guard_way *way,
                   hard_guard_result *out);

#endif /* BRINK_PAPERS_HARD_GUARDS_H */
