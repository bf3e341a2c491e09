/* clause/build.h -- compiling what generates events and what they do. */
#ifndef BRINK_CLAUSE_BUILD_H
#define BRINK_CLAUSE_BUILD_H

#include "clause/clause.h"
#include "dae/build.h"

brink_status brink__clause_compile(dae_build *b); /* switches.c */

/* switches.c: "text (line 7)", kept with the model; NULL: no memory.  A timer of that
 * name. */
const char *brink__clause_name(dae_build *b, const char *text, int line);
brink_status brink__clause_add_timer(dae_build *b, clause_timer timer, const char *text,
                                     int line);

/* relations.c: the guards, and timers of relations of time; uses: [n_symbols] DAE_IN_*
 * bits. */
brink_status brink__clause_guards(dae_build *b, const unsigned *uses);

/* time_lines.c: the variables that are linear in time and otherwise fixed between
 * events: [n_symbols] what they are in time, or BRINK__NONE.  Is *n such a thing, and
 * does it move?  Then it is written out.  The roots of its line (known_times.c). */
brink_status brink__clause_variables_in_time(dae_build *b, brink__node **out);
brink_status brink__clause_is_timed(dae_build *b, const brink__node *in_time,
                                    brink__node *n, int *timed, int *moved_by_events);
brink_status brink__clause_line_roots(dae_build *b, brink__node n,
                                      brink__node roots[CLAUSE_LINE]);

/* literals.c: a relation or stair that makes no events, of this left - right or
 * argument; which of them are the opposite of one that does, when all are there. */
brink_status brink__clause_literal(dae_build *b, clause_literal what, brink__node value,
                                   int timed);
void brink__clause_opposites(dae_build *b);

/* coupled.c: relations and stairs that depend on what they decide. */
brink_status brink__clause_couple(dae_build *b);

/* output_only.c: which relations and timers can change outputs only. */
brink_status brink__clause_output_only(dae_build *b, const unsigned *uses);

/* actions.c: the actions of whens, and asserts.  The list is scratch; after actions it
 * holds their roots. */
brink_status brink__clause_actions(dae_build *b, dae_list *roots);
brink_status brink__clause_asserts(dae_build *b, dae_list *roots);

/* transition_relations.c: how relations take part in transitions, and the program of
 * entries; the roots of the actions are given. */
brink_status brink__clause_transitions(dae_build *b, size_t n_roots,
                                       const brink__node *roots);

/* guard_domains.c: notes about unilateral guards that may have no value beyond. */
brink_status brink__clause_guard_domains(dae_build *b, brink_anatomy *a);

#endif /* BRINK_CLAUSE_BUILD_H */
