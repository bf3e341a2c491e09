/* trace/trace.h -- writing a trace; brink/trace.h reads it.
 *
 * Numbers live in one array, records point into it by offset.  Unbounded, both
 * grow; bounded, everything is taken at once and used as a ring, so a run
 * allocates nothing and the newest records win.
 */
#ifndef BRINK_TRACE_INTERNAL_H
#define BRINK_TRACE_INTERNAL_H

#include "brink/sim.h"
#include "core/core.h"

typedef struct trace_event {
  brink_event event; /* y_before, y_after are filled on reading          */
  size_t at;         /* offset of y_before; y_after follows              */
} trace_event;

typedef struct trace_step {
  double t0, h, t1;
  double theta_end, t_end; /* where the stretch that was kept ends            */
  size_t n, at;
  int degree, mode;
} trace_step;

/* An array of records over an array of numbers. */
typedef struct trace_ring {
  size_t count; /* records ever written                                    */
  size_t limit; /* 0: grow                                                 */
  size_t next;  /* where the next record goes: count, modulo limit if any  */
  size_t slot;  /* numbers per record, if bounded                          */
  double *numbers;
  size_t n_numbers, cap_numbers;
  size_t cap; /* of the record array                                         */
} trace_ring;

struct brink_trace {
  brink_ctx *ctx;
  brink_keep keep;
  trace_event *events;
  trace_step *steps;
  trace_ring er, sr;
};

brink_status brink__trace_init(brink_trace *tr, brink_ctx *ctx,
                               const brink_sim_opts *opt, size_t max_n, int max_degree);
void brink__trace_fini(brink_trace *tr);
void brink__trace_clear(brink_trace *tr);

/* A step, or the stretch of it up to theta_end, at t_end. */
brink_status brink__trace_add_step(brink_trace *tr, const brink_step *step,
                                   double theta_end, double t_end, int mode);

/* States of an instant: y_before and y_after are copied once; *at is handed to the
 * events of the instant. */
brink_status brink__trace_add_states(brink_trace *tr, const brink_event *e, size_t *at);
brink_status brink__trace_add_event(brink_trace *tr, const brink_event *e, size_t at);

#endif /* BRINK_TRACE_INTERNAL_H */
