/* ode/jacobian.h -- the matrix dF/du of a flow M u' = F(t, u) at a point.
 *
 * Taken from the flow where it knows it, otherwise by differences of F: columns that
 * share no row of the pattern are moved together [CPR74], so that a band of width b
 * takes b evaluations and not n.  Without a pattern each column takes one.
 *
 *   brink__jacobian *j = memory of brink__jacobian_size(flow) bytes, zeroed;
 *   brink__jacobian_open(j, flow);
 *   brink__residual(gate, t, u, F);
 *   brink__jacobian_at(j, gate, tol, t, u, F, entry);  // [brink__jacobian_nnz(flow)]
 *
 * Entries are in the order of flow->pattern, or all of them by columns: entry[j * N +
 * i] = dF_i/du_j, N = n + n_z.  The object holds no pointers: a copy of its bytes is a
 * copy of it.  brink__jacobian_at does not allocate.
 */
#ifndef BRINK_JACOBIAN_H
#define BRINK_JACOBIAN_H

#include "ode/gate.h"
#include "ode/tolerance.h"

typedef struct brink__jacobian brink__jacobian;

/* Number of entries. */
size_t brink__jacobian_nnz(const brink_flow *flow);

size_t brink__jacobian_size(const brink_flow *flow);
void brink__jacobian_open(brink__jacobian *j, const brink_flow *flow);

/* How many evaluations of F the differences of one matrix take. */
size_t brink__jacobian_groups(brink__jacobian *j, const brink_flow *flow);

/* Are differences of the coming matrices taken on both sides?  At twice the cost the
 * entries are right also next to a jump of F. */
void brink__jacobian_both_sides(brink__jacobian *j, int yes);

/* The entries at (t, u), where F(t, u) is F.  BRINK_OK, or as brink__f answers: F does
 * not exist on either side of u. */
brink_status brink__jacobian_at(brink__jacobian *j, brink__gate *gate,
                                const brink__tol *tol, double t, const double *u,
                                const double *F, double *entry);

#endif /* BRINK_JACOBIAN_H */
