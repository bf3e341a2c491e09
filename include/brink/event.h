/* brink/event.h -- what is known about an event that happened.
 *
 *   for (size_t k = 0; k < brink_trace_events(trace); k++) {
 *     brink_event e = brink_trace_event(trace, k);
 *     printf("%g %s (%s)\n", e.t, e.name, brink_kind_text(e.kind));
 *   }
 */
#ifndef BRINK_EVENT_H
#define BRINK_EVENT_H

#include "brink/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* name in the enum, text in files: a guard crossed zero, or touched it; a known time;
 * due at once after a start or a jump; events accumulate; the solution begins to slide
 * along a guard, leaves it; comes to rest on one, leaves that; f itself jumps or bends
 * where no guard says so; the branch of solutions of implicit equations ends, or a law
 * touches a guard that switches it, where the run begins or has slid; a constraint that
 * an event brings has made a variable jump; the solution touches a guard behind which
 * another law leads away; events at one time, or the values of a relation, contradict
 * each other in turn, and the run cannot go on. */
#define BRINK_KIND_MAP(X)                                                              \
  X(CROSSING, "crossing")                                                              \
  X(TOUCH, "touch")                                                                    \
  X(TIME, "time")                                                                      \
  X(START, "start")                                                                    \
  X(ZENO, "zeno")                                                                      \
  X(SLIDE_IN, "slide-in")                                                              \
  X(SLIDE_OUT, "slide-out")                                                            \
  X(REST, "rest")                                                                      \
  X(LIFT, "lift")                                                                      \
  X(UNGUARDED, "unguarded")                                                            \
  X(FOLD, "fold")                                                                      \
  X(IMPULSE, "impulse")                                                                \
  X(GRAZING, "grazing")                                                                \
  X(LOOP, "loop")

typedef enum brink_kind {
#define X(name, text) BRINK_KIND_##name,
  BRINK_KIND_MAP(X)
#undef X
} brink_kind;

/* What is known about zeros that were *not* found between this event and the one
 * before: a statement about the step polynomial, never about the exact solution.
 *
 * proved: there are none, and those that were found are in order, as far as t can tell
 * them apart.
 * converged: there are none but where rounding of a guard hides whether it has one zero
 * or several.
 * sampled: nothing bounds a guard between its samples, where a crossing and its return
 * may lie.  So it is for callbacks without a degree, however well their samples fit a
 * polynomial: nobody knows what a callback does between them.
 *
 * An unguarded event is `sampled`: f is looked at in places. */
#define BRINK_CERTIFICATE_MAP(X)                                                       \
  X(PROVED, "proved")                                                                  \
  X(CONVERGED, "converged")                                                            \
  X(SAMPLED, "sampled")

typedef enum brink_certificate {
#define X(name, text) BRINK_##name,
  BRINK_CERTIFICATE_MAP(X)
#undef X
} brink_certificate;

/* What the event changed, as bits: output, parameter, input, state, derivative
 * (another law with the same states), model (another set of states). */
enum {
  BRINK_SE_O = 1,
  BRINK_SE_P = 2,
  BRINK_SE_I = 4,
  BRINK_SE_S = 8,
  BRINK_SE_D = 16,
  BRINK_SE_M = 32
};

typedef struct brink_event {
  double t;
  double t_after; /* t, or later if the jump let time pass              */
  int instant;    /* counts the instants at one t, from 0               */
  const char *name;
  int index; /* of the event in mode_before, of the timer, or -1     */
  brink_kind kind;
  brink_direction dir; /* observed: of the guard, or of the condition        */
  unsigned classes;    /* BRINK_SE_* bits; 0: nothing changed                */
  int silent;          /* 1: a guard changed its sign without effect (listed
                          only if the option all_relations asks for it)      */
  brink_side side;
  int mode_before, mode_after;
  const char *located_by; /* locator's name, "" for time events, "defect" for
                             unguarded ones                                  */
  brink_certificate certificate;
  double g;             /* the guard (that made it happen) at the state before; of
                           an impulse: its size, the jump of the variable          */
  const char *variable; /* impulse: which one, or "integral of F" of a force
                           F; its name is the constraint; else NULL          */
  double width;         /* in t: the zero lies within [t - width, t + width]    */
  double rate_before, rate_after; /* dg/dt of the guard, NaN: not known.  Where a run
                                     cannot go on: along the law before and after; of
                                     switches (slide-in, slide-out, fold, grazing,
                                     start): by the laws where g < 0 and g > 0 */
  size_t n_before, n_after;
  const double *y_before, *y_after; /* NULL if the trace does not keep them;
                                       events of one instant share them        */
} brink_event;

BRINK_API const char *brink_kind_text(brink_kind kind);
BRINK_API const char *brink_certificate_text(brink_certificate certificate);

/* The highest class as text ("SE-M"), "" if nothing changed. */
BRINK_API const char *brink_class_text(unsigned classes);

#ifdef __cplusplus
}
#endif
#endif /* BRINK_EVENT_H */
