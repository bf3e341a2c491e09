/* brink/trace.h -- what a run leaves: events, and the steps between them.
 *
 * Owned by the simulation; valid until it is started again or freed.  Times have
 * two sides: at an event, BRINK_LEFT is the state before it and BRINK_RIGHT the
 * state after all instants of that time.
 */
#ifndef BRINK_TRACE_H
#define BRINK_TRACE_H

#include "brink/event.h"
#include "brink/step.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum brink_limit_side { BRINK_LEFT = -1, BRINK_RIGHT = 1 } brink_limit_side;

typedef struct brink_trace brink_trace; /* opaque */

/* Events kept, and how many older ones a bounded trace has let go. */
BRINK_API size_t brink_trace_events(const brink_trace *trace);
BRINK_API size_t brink_trace_events_lost(const brink_trace *trace);

/* Event k = 0, 1, ... of those kept, oldest first; pointers inside are borrowed.  Past
 * the last: one without a name and without states. */
BRINK_API brink_event brink_trace_event(const brink_trace *trace, size_t k);

/* Steps kept (0 unless the trace keeps steps).  Past the last: one without length and
 * states, of mode -1. */
BRINK_API size_t brink_trace_steps(const brink_trace *trace);
BRINK_API size_t brink_trace_steps_lost(const brink_trace *trace);
BRINK_API brink_step brink_trace_step(const brink_trace *trace, size_t k);
BRINK_API int brink_trace_step_mode(const brink_trace *trace, size_t k);

/* The state at t, on the given side of an event; y has room for the largest mode.
 * *n and *mode tell what was written (either may be NULL).  BRINK_EARG if t is
 * not covered by the steps that were kept. */
BRINK_API brink_status brink_trace_at(const brink_trace *trace, double t,
                                      brink_limit_side side, double *y, size_t *n,
                                      int *mode);

#ifdef __cplusplus
}
#endif
#endif /* BRINK_TRACE_H */
