/* gate.c -- see gate.h */
#include "ode/gate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char brink__singular_matrix[] =
    "the matrix of Newton's iteration for a step is singular";

static brink_status refuse(brink__gate *gate, brink_status why, double t,
                           const double *y, int blocked)
{
  gate->why = why;
  gate->claims = gate->in_jacobian = 0;
  gate->t = t;
  gate->blocked = blocked;
  gate->refusals++;
  if (gate->y)
    memcpy(gate->y, y, gate->flow->n * sizeof *y);
  return why == BRINK_EUSER ? BRINK_EUSER : BRINK_EDOMAIN;
}

static brink_status not_finite(brink__gate *gate, double t, const double *y,
                               const double *f)
{
  gate->bad = brink__first_bad(f, gate->flow->n);
  gate->value = f[gate->bad];
  return refuse(gate, BRINK_ENAN, t, y, 0);
}

int brink__inside(brink__gate *gate, double t, const double *y)
{
  if (!gate->flow->guarded || gate->flow->inside(gate->flow, t, y))
    return 1;
  if (gate->open) {
    gate->outside_evals++;
    return 1;
  }
  refuse(gate, BRINK_EDOMAIN, t, y, 1);
  return 0;
}

brink_status brink__refused(brink__gate *gate, int rc, double t, const double *y,
                            const double *f)
{
  if (rc == 0)
    return not_finite(gate, t, y, f);
  return refuse(gate, rc > 0 ? BRINK_EDOMAIN : BRINK_EUSER, t, y, 0);
}

brink_status brink__residual(brink__gate *gate, double t, const double *u, double *F)
{
  const brink_flow *flow = gate->flow;

  if (flow->n_z == 0)
    return brink__f(gate, t, u, F);
  if (flow->guarded && !brink__inside(gate, t, u))
    return BRINK_EDOMAIN;
  gate->f_evals++;
  int rc = flow->residual(flow, t, u, F);
  size_t bad = rc == 0 ? brink__first_bad(F, flow->n + flow->n_z) : 0;
  if (rc != 0)
    return refuse(gate, rc > 0 ? BRINK_EDOMAIN : BRINK_EUSER, t, u, 0);
  if (bad == flow->n + flow->n_z)
    return BRINK_OK;
  gate->bad = bad;
  gate->value = F[bad];
  return refuse(gate, BRINK_ENAN, t, u, 0);
}

brink_status brink__attempt_failed(brink__gate *gate, double t, const double *y,
                                   const char *why)
{
  gate->failure = why;
  return refuse(gate, BRINK_ESTEP, t, y, 0);
}

brink_status brink__series(brink__gate *gate, double t, double h, const double *y,
                           int order, void *work, double *c)
{
  const brink_flow *flow = gate->flow;

  if (flow->guarded && !brink__inside(gate, t, y))
    return BRINK_EDOMAIN;
  gate->jets++;
  int rc = flow->jet(flow, t, h, y, order, work, c);
  if (rc != 0)
    return refuse(gate, rc > 0 ? BRINK_EDOMAIN : BRINK_EUSER, t, y, 0);
  size_t w = (size_t)order + 1, bad = brink__first_bad(c, flow->n * w);
  if (bad == flow->n * w)
    return BRINK_OK;
  gate->bad = bad / w;
  gate->value = c[bad];
  return refuse(gate, BRINK_ENAN, t, y, 0);
}

brink_status brink__wrong_jacobian(brink__gate *gate, double t, brink__claim claim)
{
  gate->why = BRINK_EUSER;
  gate->t = t;
  gate->blocked = 0;
  gate->claims = 1;
  gate->claim = claim;
  gate->refusals++;
  return BRINK_EUSER;
}

/* "df[1]/dy[0] (v by x)" */
static void name_entry(const brink_flow *flow, size_t i, size_t j, char *buf,
                       size_t cap)
{
  if (flow->states)
    snprintf(buf, cap, "df[%zu]/dy[%zu] (%.40s by %.40s)", i, j, flow->states[i],
             flow->states[j]);
  else
    snprintf(buf, cap, "df[%zu]/dy[%zu]", i, j);
}

static brink_status explain_claim(const brink__gate *gate, double t, brink_err *err)
{
  const brink__claim *c = &gate->claim;
  char name[128];

  name_entry(gate->flow, c->row, c->col, name, sizeof name);
  if (!isfinite(c->claimed))
    return brink__fail_at(err, BRINK_ENAN, t, "the Jacobian has %s = %g at t = %.9g",
                          name, c->claimed, t);
  if (c->outside)
    return brink__fail_at(err, BRINK_EUSER, t,
                          "the pattern of the Jacobian has no place for %s, which "
                          "differences of f say is %.6g at t = %.9g",
                          name, c->found, t);
  return brink__fail_at(
      err, BRINK_EUSER, t,
      "the Jacobian has %s = %.6g at t = %.9g, where differences of f "
      "say %.6g: mend it, or leave it out",
      name, c->claimed + 0.0, t, c->found); /* no -0 */
}

brink_status brink__gate_explain(const brink__gate *gate, brink_err *err)
{
  const char *reason = gate->flow->reason(gate->flow);
  double t = brink__flow_time(gate->flow, gate->t);

  if (gate->claims)
    return explain_claim(gate, t, err);
  if (gate->why == BRINK_ENAN)
    return brink__fail_at(err, BRINK_ENAN, t,
                          "f[%zu] is %g at t = %.9g and no smaller step avoids it",
                          gate->bad, gate->value, t);
  if (gate->why == BRINK_EUSER)
    return brink__fail_at(err, BRINK_EUSER, t, "the %s asked to stop at t = %.9g%s%s",
                          gate->in_jacobian ? "Jacobian" : "right-hand side", t,
                          *reason ? ": " : "", reason);
  if (gate->why == BRINK_ESTEP)
    return brink__fail_at(err, BRINK_ESTEP, t, "%s from t = %.9g, however short",
                          gate->failure, t);
  if (*reason)
    return brink__fail_at(
        err, BRINK_EDOMAIN, t,
        "%s; no smaller step avoids it: end or change the law before, "
        "by a when or an if",
        reason);
  return brink__fail_at(
      err, BRINK_EDOMAIN, t,
      "the right-hand side does not exist near t = %.9g and no smaller "
      "step avoids it",
      t);
}
