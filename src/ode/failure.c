/* failure.c -- sentences about steps that are not accepted and solutions that end. */
#include "ode/integrator.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

enum { OWN = 64 }; /* bytes of what is said about f[i] */

/* What can be said about the component that moves most, against its tolerance. */
static const char *steepest(brink_integrator *it, char own[OWN])
{
  const brink_flow *flow = it->gate.flow;
  double top = 0;
  size_t worst = flow->n;

  if (brink__f(&it->gate, it->t, it->y, it->f1) < 0)
    return "";
  for (size_t i = 0; i < flow->n; i++) {
    double slope = fabs(it->f1[i]) / brink__scale(&it->tol, i, it->y[i], it->y[i]);
    if (slope > top) {
      top = slope;
      worst = i;
    }
  }
  if (worst == flow->n)
    return "";
  if (flow->about)
    return flow->about(flow, worst);
  snprintf(own, OWN, "f[%zu] is %.3g", worst, it->f1[worst]);
  return own;
}

/* Is less asked for than the rounding of a state? */
static int too_strict(const brink_integrator *it)
{
  for (size_t i = 0; i < it->gate.flow->n; i++)
    if (brink__scale(&it->tol, i, it->y[i], it->y[i]) <
        4 * DBL_EPSILON * fabs(it->y[i]))
      return 1;
  return 0;
}

/* Does a step of size h along f lead beyond a unilateral event?  What was last refused
 * stays remembered. */
static int leads_beyond(brink_integrator *it, double h)
{
  brink__gate was = it->gate;
  size_t n = was.flow->n;
  int beyond = 0;

  if (!was.flow->guarded || brink__f(&it->gate, it->t, it->y, it->f1) != BRINK_OK)
    return 0;
  for (size_t i = 0; i < n; i++)
    it->f2[i] = it->y[i] + h * it->f1[i];
  beyond = !brink__inside(&it->gate, it->t + h, it->f2);
  was.f_evals = it->gate.f_evals;
  it->gate = was;
  return beyond;
}

/* As near to a unilateral event as steps can come is there: no attempt that is longer
 * passes it, and shorter ones, which an implicit method may have refused for reasons of
 * its own, make no difference. */
BRINK__APART brink_status brink__step_too_small(brink_integrator *it, double h,
                                                brink__refusal refused)
{
  if (refused == BRINK__BY_F && it->gate.blocked)
    return BRINK_EVENT;
  if (leads_beyond(it, h)) {
    it->gate.blocked = 1;
    return BRINK_EVENT;
  }
  if (refused == BRINK__BY_F && it->gate.why != BRINK_ESTEP)
    return brink__gate_explain(&it->gate, &it->err);
  const char *failure = refused == BRINK__BY_F ? it->gate.failure : NULL;
  char own[OWN];
  const char *where = steepest(it, own), *colon = *where ? ": " : "";
  double t = brink__flow_time(it->gate.flow, it->t);
  if (failure)
    return brink__fail_at(&it->err, BRINK_ESTEP, t,
                          "%s from t = %.9g, however short%s%s; %s", failure, t, colon,
                          where,
                          failure == brink__singular_matrix
                              ? "is the Jacobian right? explicit methods need none"
                              : "does the solution end here?");
  if (too_strict(it))
    return brink__fail_at(
        &it->err, BRINK_ESTEP, t,
        "no step from t = %.9g is accurate enough%s%s; the tolerance is "
        "finer than rounding",
        t, colon, where);
  if (refused == BRINK__OVERFLOW)
    return brink__fail_at(
        &it->err, BRINK_ESTEP, t,
        "the error of a step from t = %.9g is not finite, however small "
        "the step%s%s; does the solution end here?",
        t, colon, where);
  /* what is stiff does not stop an implicit method */
  const char *why = (it->acting->flags | it->method->flags) & BRINK__IMPLICIT
                        ? "does f jump here without a guard that tells, or show the "
                          "rounding of large terms, or does the solution end?"
                        : "is the problem stiff, or does the solution end here?";
  return brink__fail_at(&it->err, BRINK_ESTEP, t,
                        "step size %.3g at t = %.9g is below %.3g%s%s; %s", fabs(h), t,
                        brink__least_step(it), colon, where, why);
}

BRINK__APART brink_status brink__solution_ended(brink_integrator *it, brink__end end)
{
  char own[OWN];
  const char *where = steepest(it, own);
  double t = brink__flow_time(it->gate.flow, it->t);

  return brink__fail_at(
      &it->err, BRINK_ESTEP, t, "the solution ends at t = %.9g, %s%s%s", t,
      end == BRINK__END_POLE ? "where its slope becomes infinite"
                             : "from where f leads back, whichever way it goes",
      *where ? ": " : "", where);
}
