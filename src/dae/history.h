/* dae/history.h -- delay(): what is remembered of the run, and how it is read. */
#ifndef BRINK_DAE_HISTORY_H
#define BRINK_DAE_HISTORY_H

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>

enum {
  DAE_NODES = 10,    /* samples of a delayed expression in each step             */
  DAE_PIECES = 4096, /* steps that are remembered                                */
  DAE_BREAKS = 4096, /* events that are remembered: one at each step             */
  DAE_ECHOES = 6,    /* times that an event comes back: each echo is smoother    */
  DAE_ENDLESS = 250  /* ... where it is not                                      */
};

typedef struct dae_delay {
  int32_t slot;
  int constant; /* else it moves, a root of by_tape    */
  int timed;    /* it moves, but not with the states   */
} dae_delay;

/* What delays remember of the run; see history.c. */
typedef struct dae_memory {
  double *before;          /* [delays] value before the start                     */
  double *piece_t;         /* [pieces][2] begin and end                           */
  double *piece_v;         /* [pieces][delays][DAE_NODES]                         */
  size_t n_pieces;         /* so far; the last DAE_PIECES are there               */
  double *broke_t;         /* [DAE_BREAKS] events, oldest first                   */
  unsigned char *broke_by; /* [DAE_BREAKS] echo of an echo of ...                 */
  size_t n_broken;
  double segment; /* when the flow last started                                    */
  double *after;  /* [delays] values there, if after_t is that time                */
  double after_t;
  double *far; /* [2][delays] scratch */
  int recording;
  double begin; /* of the run                                                    */
} dae_memory;

/* Its arrays, for the lists that measure and carve. */
#define DAE_MEMORY_ARRAYS(X, memory, n_delays)                                         \
  X(memory.before, n_delays)                                                           \
  X(memory.after, n_delays)                                                            \
  X(memory.far, 2 * (n_delays))                                                        \
  X(memory.piece_t, (n_delays) ? 2 * DAE_PIECES : 0)                                   \
  X(memory.piece_v, (n_delays) * (size_t)(DAE_PIECES * DAE_NODES))                     \
  X(memory.broke_t, (n_delays) ? DAE_BREAKS : 0)                                       \
  X(memory.broke_by, (n_delays) ? DAE_BREAKS : 0)

/* Before a run: nothing is remembered. */
static inline void brink__dae_history_forget(dae_memory *mem, size_t n_delays)
{
  for (size_t i = 0; i < n_delays; i++)
    mem->before[i] = mem->after[i] = 0;
  mem->n_pieces = mem->n_broken = 0;
  mem->segment = mem->after_t = mem->begin = 0;
  mem->recording = 0;
}

/* The numbers beside its arrays. */
static inline void brink__dae_history_copy(dae_memory *to, const dae_memory *from)
{
  to->n_pieces = from->n_pieces;
  to->n_broken = from->n_broken;
  to->segment = from->segment;
  to->after_t = from->after_t;
  to->recording = from->recording;
  to->begin = from->begin;
}

/* Times that are closer than this are one time. */
static inline double dae_history_slack(double t) { return 16 * DBL_EPSILON * fabs(t); }

/* Below this part of the longest delay a moving one may look into the step. */
#define DAE_AT_ONCE 1e-3

#endif /* BRINK_DAE_HISTORY_H */
