/* gate.c -- see gate.h */
#include "ode/gate.h"

#include <math.h>

static brink_status refuse(brink__gate *gate, brink_status why, double t)
{
  gate->why = why;
  gate->t = t;
  return why == BRINK_EUSER ? BRINK_EUSER : BRINK_EDOMAIN;
}

static brink_status not_finite(brink__gate *gate, double t, const double *f)
{
  gate->bad = brink__first_bad(f, gate->flow->n);
  gate->value = f[gate->bad];
  return refuse(gate, BRINK_ENAN, t);
}

brink_status brink__f(brink__gate *gate, double t, const double *y, double *f)
{
  const brink_flow *flow = gate->flow;

  gate->f_evals++;
  int rc = flow->rhs(flow, t, y, f);
  if (rc != 0)
    return refuse(gate, rc > 0 ? BRINK_EDOMAIN : BRINK_EUSER, t);
  return brink__all_finite(f, flow->n) ? BRINK_OK : not_finite(gate, t, f);
}

brink_status brink__gate_explain(const brink__gate *gate, brink_err *err)
{
  const char *reason = gate->flow->reason(gate->flow);

  if (gate->why == BRINK_ENAN)
    return brink__fail_at(err, BRINK_ENAN, gate->t,
                          "f[%zu] is %g at t = %.9g and no smaller step avoids it",
                          gate->bad, gate->value, gate->t);
  if (gate->why == BRINK_EUSER)
    return brink__fail_at(err, BRINK_EUSER, gate->t,
                          "the right-hand side asked to stop at t = %.9g%s%s", gate->t,
                          *reason ? ": " : "", reason);
  return brink__fail_at(err, BRINK_EDOMAIN, gate->t,
                        "the right-hand side does not exist near t = %.9g and no smaller "
                        "step avoids it%s%s",
                        gate->t, *reason ? ": " : "", reason);
}
