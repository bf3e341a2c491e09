/* ode/gate.h -- the one place where f is called.
 *
 * Every evaluation by any method passes brink__f.  If the flow has unilateral events
 * it asks first whether the argument lies beyond one, and answers "not here" instead
 * of calling f there.  It counts, and turns results that are not finite into "not
 * here" too, so that a step is retried smaller; what was wrong is kept, and becomes the
 * error if the step cannot be made small enough.
 */
#ifndef BRINK_GATE_H
#define BRINK_GATE_H

#include "model/flow.h"

/* An entry of a user's Jacobian that is not finite, or that differences contradict. */
typedef struct brink__claim {
  size_t row, col;
  int outside;           /* 1: its place is not in the pattern                      */
  double claimed, found; /* NaN: not known                                          */
} brink__claim;

typedef struct brink__gate {
  const brink_flow *flow;
  long f_evals;
  long jets;      /* Taylor series of the solution                                   */
  long jacobians; /* of F, whether from the flow or by differences         */
  long factorisations; /* by implicit methods: one for all matrices of a step length */
  long iterations;     /* of Newton's method in their steps                   */
  long outside_evals;  /* f called beyond a unilateral event: only if
                          the gate is held open                         */
  int open;            /* 1: do not refuse, only count (to show what would happen) */

  /* -- the last refusal -- */
  brink_status why;   /* BRINK_EDOMAIN, BRINK_EUSER, BRINK_ENAN, BRINK_ESTEP */
  double t;           /* where                                                        */
  size_t bad;         /* ENAN: component of f ...                                     */
  double value;       /* ... and what it was                                        */
  int in_jacobian;    /* EUSER: it was the Jacobian that asked to stop              */
  int claims;         /* EUSER, ENAN: because of ...                                  */
  brink__claim claim; /* ... this entry of the Jacobian                             */
  const char *failure; /* ESTEP: what of the method has failed                */
  long refusals;       /* so far                                                  */
  int blocked;         /* the last one was by a unilateral event, not by f        */
  double *y;           /* [n] the argument that was refused; NULL: not kept       */
} brink__gate;

/* A reason for the next: the matrix of an implicit step has no factors. */
extern const char brink__singular_matrix[];

/* A step from (t, y) cannot be computed, though f exists: remember why, as one does a
 * refusal of f. */
BRINK__COLD brink_status brink__attempt_failed(brink__gate *gate, double t,
                                               const double *y, const char *why);

/* Is (t, y) on this side of every unilateral event?  Remembers a refusal. */
int brink__inside(brink__gate *gate, double t, const double *y);

/* f answered rc != 0, or wrote something that is not finite: remember it; the status
 * for the caller. */
BRINK__COLD brink_status brink__refused(brink__gate *gate, int rc, double t,
                                        const double *y, const double *f);

/* f(t, y): BRINK_OK, or BRINK_EDOMAIN ("not here": retry smaller), or BRINK_EUSER
 * ("stop").  In the header, so that methods can have it inline; n is the flow's. */
BRINK__INLINE brink_status brink__f_of(brink__gate *gate, size_t n, double t,
                                       const double *y, double *f)
{
  const brink_flow *flow = gate->flow;

  if (flow->guarded && !brink__inside(gate, t, y)) /* asked here: most have none */
    return BRINK_EDOMAIN;
  gate->f_evals++;
  int rc = flow->rhs(flow, t, y, f);
  if (rc == 0 && brink__all_finite(f, n))
    return BRINK_OK;
  return brink__refused(gate, rc, t, y, f);
}

static inline brink_status brink__f(brink__gate *gate, double t, const double *y,
                                    double *f)
{
  return brink__f_of(gate, gate->flow->n, t, y, f);
}

/* F(t, u) of M u' = F (flow.h), [n + n_z]; answers as brink__f does. */
brink_status brink__residual(brink__gate *gate, double t, const double *u, double *F);

/* The Taylor series of the solution through (t, y), as flow->jet has it; answers as
 * brink__f does. */
brink_status brink__series(brink__gate *gate, double t, double h, const double *y,
                           int order, void *work, double *c);

/* The Jacobian that the user gives is wrong at time t; the status for the caller. */
BRINK__COLD brink_status brink__wrong_jacobian(brink__gate *gate, double t,
                                               brink__claim claim);

/* One sentence about the last refusal; returns its status. */
brink_status brink__gate_explain(const brink__gate *gate, brink_err *err);

#endif /* BRINK_GATE_H */
