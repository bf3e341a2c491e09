/* brink/automaton.h -- hybrid automata: vertices, invariants, edges.
 *
 * A thin layer over brink/model.h, in the sense of [Donolo02, 2.2.3]:
 * HA = (Q, Sigma, D, I, E, (q0, x0)).  A vertex has a law and invariants; the automaton
 * stays in it while all its invariants hold (g <= 0).  When one ends an enabled edge is
 * taken; an urgent edge is taken as soon as its guard becomes true: on the way, by a
 * jump, or by entering the vertex, from another one or by a start, where it is true (g
 * > 0, or g = 0 and rising).  After an edge back to the same vertex its own guard must
 * first be false again.  An edge is enabled where its guard is true (g >= 0, or no
 * guard).  Timers are input events at known times.
 *
 *   brink_vertex_def q[] = {{.name = "heat", .n = 1, .rhs = heat,
 *                            .invariants = &warm, .n_invariants = 1}, ...};
 *   brink_edge_def   e[] = {{.name = "off", .from = 0, .to = 1}, ...};
 *   brink_automaton_def def = {.vertices = q, .n_vertices = 2, .edges = e, .n_edges =
 * 2}; brink_automaton_new(ctx, &def, &model);     // then brink_sim_new as always
 *   brink_sim_start(sim, t0, q0, x0);           // in vertex q0
 *
 * Two enabled edges are a choice: the first in order is taken, and the count of such
 * choices is kept as the last output (brink_sim_w).  None enabled where an invariant
 * ends: the run ends with BRINK_EDOMAIN and a sentence that names vertex and invariant.
 *
 * A vertex that is entered (also by a start, by a timer, or by an edge back to itself)
 * where an invariant does not hold is left at once, in the next instant.  Edges that
 * lead round without end at one time are an error, BRINK_EITERATION; where two vertices
 * have taken turns ever faster until time stands still, it is news, BRINK_ZENO.
 */
#ifndef BRINK_AUTOMATON_H
#define BRINK_AUTOMATON_H

#include "brink/model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct brink_vertex_def {
  const char *name;
  size_t n;
  const char *const *states; /* names, or NULL                       */
  brink_rhs_fn *rhs;
  const brink_guard_def *invariants; /* each holds while g <= 0          */
  int n_invariants;
} brink_vertex_def;

typedef struct brink_edge_def {
  const char *name;
  int from, to;                 /* vertices                           */
  const brink_guard_def *guard; /* enabled where g >= 0; NULL: always */
  brink_jump_fn *reset;         /* new state; NULL: it is kept, as far
                                   as it fits.  May let time pass; where
                                   it leads is for the edge to say    */
  int urgent;                   /* taken as soon as the guard is true */
} brink_edge_def;

typedef struct brink_automaton_def {
  const char *name;
  const brink_vertex_def *vertices;
  int n_vertices;
  const brink_edge_def *edges;
  int n_edges;
  const brink_timer_def *timers; /* their jumps may change the vertex; then no
                                    edge is taken in the same instant */
  int n_timers;
  const double *p, *u, *w;
  int n_p, n_u, n_w; /* outputs of the user; one more is added */
  void *user;
} brink_automaton_def;

/* Build; everything but `user` is copied.  Mode k of the model is vertex k. */
BRINK_API brink_status brink_automaton_new(brink_ctx *ctx,
                                           const brink_automaton_def *def,
                                           brink_model **out);

#ifdef __cplusplus
}
#endif
#endif /* BRINK_AUTOMATON_H */
