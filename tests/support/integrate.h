/* integrate.h -- integrators of every method that is listed, takes plain right-hand
 * sides and the steps that it is told, for tests of all of them. */
#ifndef BRINK_TEST_INTEGRATE_H
#define BRINK_TEST_INTEGRATE_H

#include "check.h"

#include <math.h>

#include "core/core.h"
#include "ode/driver.h"
#include "problems.h"

#define BRINK_METHOD(name) &brink__##name,
static const brink_method *const all[] = {
#include "ode/methods.def"
};
#undef BRINK_METHOD

#define EACH(m)                                                                        \
  for (size_t i_ = 0; i_ < BRINK__COUNT(all); i_++)                                    \
    for (const brink_method *m = plain(all[i_]); m; m = NULL)

static inline const brink_method *plain(const brink_method *m)
{
  return m->needs || m->flags & (BRINK__NEEDS_JET | BRINK__OWN_STEP) ? NULL : m;
}

static inline int is_fixed(const brink_method *m)
{
  return (m->flags & BRINK__FIXED_STEP) != 0;
}

typedef struct rig {
  brink_ctx *ctx;
  brink_integrator *it;
} rig;

/* h0 is for methods with a fixed step; the others estimate theirs. */
static inline brink_integrator_opts options(const brink_method *m, double tol,
                                            double h0)
{
  brink_integrator_opts o = brink_integrator_defaults();

  o.method = m->name;
  o.rtol = o.atol = tol;
  o.h0 = is_fixed(m) ? h0 : 0;
  return o;
}

static inline void rig_new(rig *r, const brink_integrator_opts *o, size_t n,
                           brink_ivp_fn *rhs, void *user, double t, const double *y)
{
  brink_ivp ivp = {n, rhs, user};

  check_status(brink_ctx_new(NULL, &r->ctx), BRINK_OK);
  check_status(brink_integrator_new(r->ctx, &ivp, o, &r->it), BRINK_OK);
  check_status(brink_integrator_start(r->it, t, y), BRINK_OK);
}

static inline void rig_free(rig *r)
{
  brink_integrator_free(r->it);
  brink_ctx_free(r->ctx);
}

/* To t, and how many times the problem was called stiff. */
static inline int run(rig *r, double t)
{
  brink_step step;
  brink_status rc;
  int stiff = 0;

  while ((rc = brink_integrator_advance(r->it, t, &step)) >= 0 && rc != BRINK_END)
    stiff += rc == BRINK_STIFF;
  check_status(rc, BRINK_END);
  check_near(brink_integrator_time(r->it), t, 0);
  return stiff;
}

/* How far it is from the solution. */
static inline double off(const rig *r, const problem *p, double t)
{
  double want[PROBLEM_N], worst = 0;

  p->exact(t, want);
  for (size_t i = 0; i < p->n; i++)
    worst = fmax(worst, fabs(brink_integrator_state(r->it)[i] - want[i]));
  return worst;
}

#endif
