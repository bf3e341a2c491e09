/* hybrid/accumulation.h -- what is remembered of events that follow each other after
 * ever shorter times.
 *
 * An occurrence is an instant that acts, with the instants that follow from it at the
 * same time, and those before it, back to the last one that acted.  Occurrences with
 * equal signatures (modes, events, in order) may form a pattern of `period` of them:
 * one guard, or several that take turns.
 */
#ifndef BRINK_ACCUMULATION_H
#define BRINK_ACCUMULATION_H

#include "model/model.h"

enum {
  BRINK__OCCURRENCES = 32, /* that are remembered                                    */
  BRINK__PERIOD = 6,       /* occurrences of a pattern, at most                      */
  BRINK__PARTS = 4,        /* instants of one occurrence, at most                    */
  BRINK__LIMIT_NODES = 6,  /* points of an extrapolation, at most                    */
  BRINK__ACC_WORK = 12     /* rows of scratch                                        */
};

/* What an instant was given, and what came of it. */
typedef struct brink__part {
  int mode, mode_after;
  int at_restart;
  int n_fired;
  int event;      /* the last that fired */
  unsigned fired; /* hash of the events                                  */
  signed char *before,
      *now;         /* [max_guards] signs of the guards, without and with ... */
  signed char *hit; /* ... those that were hit                             */
} brink__part;

/* A sequence that contracts, and its limit. */
typedef struct brink__limit {
  int period, stride; /* occurrences of the pattern; periods between two nodes      */
  int nodes, known; /* of the extrapolation of the time, of those that there are, ... */
  double x[BRINK__LIMIT_NODES]; /* ... at these lengths of a period, newest first */
  double gap;      /* the last length                                        */
  double t, error; /* the time at which the occurrences accumulate ...        */
  double allowed;  /* ... and what it may be uncertain by                     */
} brink__limit;

typedef struct brink__accumulation {
  /* -- always: a ring of the last occurrences -- */
  long n;                                 /* so many have been noted               */
  double t[BRINK__OCCURRENCES];           /* their times                           */
  unsigned signature[BRINK__OCCURRENCES]; /*                                       */
  unsigned signature_now;                 /* of the one under way ...              */
  int parts_now;                          /* ... and how many instants it has      */

  /* -- once gaps have contracted: with states, in memory of its own -- */
  brink__block block;
  long since; /* occurrences before this one have no states; -1: none has      */
  int parts[BRINK__OCCURRENCES];
  double part_t[BRINK__OCCURRENCES][BRINK__PARTS];
  double *y;       /* [OCCURRENCES][PARTS + 1][max_n] left limits of their instants, and
                      the right limit                                               */
  double *y_limit; /* [PERIOD][PARTS + 1][max_n] where these tend ...               */
  double *y_error; /* ... and what that is uncertain by                             */
  double *work;    /* [ACC_WORK][max_n] scratch                                     */
  brink__part part[BRINK__PERIOD][BRINK__PARTS]; /* of the last occurrences           */
  signed char *signs; /* [PERIOD][PARTS][3][max_guards]                             */
  brink__live *copy;  /* of the live object, on which events are tried                */

  /* -- the last estimate -- */
  double t_before[BRINK__PERIOD + 1];
  double retry_below; /* a limit was refuted: the next is looked at for shorter gaps  */

  /* -- accumulation_reached.c -- */
  int passing;      /* the events at a limit are being carried out                    */
  double t_reached; /* the last limit that was told by rounding                       */
} brink__accumulation;

/* Past an accumulation point by regularization or by averaging; zeno_policies.c. */
typedef struct brink__past_zeno_event {
  int mode, guard, dir;
} brink__past_zeno_event;

typedef struct brink__past_zeno {
  int policy;  /* a brink_zeno_policy; BRINK_ZENO_CONTINUE: none is in force */
  int n, turn; /* events of the pattern; the one that is next                         */
  brink__past_zeno_event event[BRINK__PERIOD];
  double delay, until; /* events happen no sooner than that                          */
} brink__past_zeno;

#endif /* BRINK_ACCUMULATION_H */
