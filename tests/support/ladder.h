/* ladder.h -- a ladder of n resistors in series (R = 1) with a resistor to ground
 * (S = 1e6) behind each, fed by A sin(2 pi t), with a capacitor at its end: one
 * algebraic loop whose matrix has a few entries in a row. */
#ifndef BRINK_TEST_LADDER_H
#define BRINK_TEST_LADDER_H

#include <stddef.h>

typedef enum ladder_kind {
  LADDER_COMPONENTS, /* components and connect, 12 unknowns to a cell; node k is
                        r[k].n.v                                                     */
  LADDER_EQUATIONS,  /* two equations to a cell; node k is v[k]                      */
  LADDER_DIODES,     /* components, and a diode beside each resistor to ground       */
  LADDER_KINDS
} ladder_kind;

/* The text of the model, to be freed; NULL: no memory. */
char *ladder_text(ladder_kind kind, int n, size_t *length);

/* Name of the voltage of node k = 1 .. n. */
void ladder_name(ladder_kind kind, int k, char *name, size_t cap);

/* The voltages of all nodes at t in closed form, without diodes. */
void ladder_nodes(int n, double t, double *v);

/* What the currents of node k < n sum up to, over the largest of them, given the
 * voltages of all nodes. */
double ladder_current(ladder_kind kind, double t, const double *v, int k);

#endif /* BRINK_TEST_LADDER_H */
