/* brink/integrator.h -- advance y' = f(t, y) one accepted step at a time.
 *
 * An integrator owns its work arrays and nothing else.  It knows no guards,
 * modes or files: it turns (t, y) into an accepted step, and a step is a
 * polynomial.  It runs forward or backward in time, whichever way t_limit lies.
 *
 *   brink_integrator *it = NULL;
 *   brink_integrator_opts opt = brink_integrator_defaults();   // dopri5, 1e-6
 *   if (brink_integrator_new(ctx, &ivp, &opt, &it) != BRINK_OK) ...
 *   brink_integrator_start(it, 0.0, y0);
 *   while ((s = brink_integrator_advance(it, 10.0, &step)) == BRINK_OK)
 *     use(&step);
 *   brink_integrator_free(it);
 *
 * Threads: one integrator per thread; a brink_ivp may be shared if its callback
 * is reentrant.
 */
#ifndef BRINK_INTEGRATOR_H
#define BRINK_INTEGRATOR_H

#include "brink/step.h"

/* The smallest relative tolerance but 0: half the distance of neighbouring numbers. */
#define BRINK_LEAST_RTOL 1e-16

#ifdef __cplusplus
extern "C" {
#endif

/* Right-hand side: writes f[0..n-1].
 * Returns 0 on success, > 0 for "not here" (the step is retried, smaller) and
 * < 0 for "stop" (BRINK_EUSER).  Must not keep y or f after returning. */
typedef int brink_ivp_fn(double t, const double *y, double *f, void *user);

/* An initial-value problem.  Copied by brink_integrator_new; `user` is not. */
typedef struct brink_ivp {
  size_t n; /* number of states, > 0 */
  brink_ivp_fn *rhs;
  void *user; /* passed to rhs untouched, may be NULL */
} brink_ivp;

/* The error of each state that counts as one where the state is y: writes w[0..n-1],
 * all > 0.  Returns 0, or anything else to stop (BRINK_EUSER).  Called before every
 * step. */
typedef int brink_weight_fn(const double *y, double *w, void *user);

/* Every field has a default; take them all from brink_integrator_defaults().
 *
 * A step is accepted if the estimate e of its error satisfies
 *
 *   sqrt(mean of (e_i / (atol_i + rtol max(|y_i| before, |y_i| after)))^2) <= 1:
 *
 * the error of one step, not that of the whole run, which is larger or smaller as the
 * problem lets errors grow or die.  With `weight` the divisor is w_i, where the step
 * begins. */
typedef struct brink_integrator_opts {
  size_t size;          /* written by brink_integrator_defaults(): a library with more
                           options than the program was compiled for uses its
                           defaults for the others                            */
  const char *method;   /* a name from brink_method_name()           [dopri5] */
  double rtol;          /* relative tolerance, >= 0                    [1e-6] */
  double atol;          /* absolute tolerance, >= 0; -1: rtol/1000       [-1] */
  const double *atol_i; /* per component, or NULL; copied              [NULL] */
  double h0;            /* first step to try (its size); 0: estimate; a method
                           with a fixed step takes this one and no other  [0] */
  double h_min;         /* smallest |h|: where the error asks for less the run
                           ends with BRINK_ESTEP; 0: 4 roundings of t     [0] */
  double h_max;         /* largest |h|; 0: no limit                       [0] */
  long max_steps;       /* accepted + rejected, until the next start;
                           0: no limit                                    [0] */
  int order;            /* of a method that has several; 0: it chooses    [0] */
  int search;           /* 0: f is not searched for discontinuities       [1] */
  brink_weight_fn *weight; /* in place of rtol, atol, atol_i; or NULL  [NULL] */
  void *weight_user;       /* passed to weight                            [NULL] */
} brink_integrator_opts;

/* Work done since brink_integrator_new. */
typedef struct brink_work {
  long steps;    /* accepted                                                     */
  long rejected; /* by the error control                                         */
  long retried;  /* because f said "not here"                                    */
  long f_evals;
  long outside_evals; /* calls of f beyond a unilateral event: 0, but with gate = 0 */
  long restarts;
  long unguarded;      /* places crossed where f itself jumps or bends              */
  long look_evals;     /* of f_evals: spent on looking for such places              */
  long jets;           /* Taylor series of the solution                             */
  long jacobians;      /* of f, by implicit methods                                 */
  long factorisations; /* with them: one for all matrices of a step length      */
  long iterations;     /* of Newton's method in their steps                     */
} brink_work;

typedef struct brink_integrator brink_integrator; /* opaque */

/* Defaults for a brink_integrator_opts of `size` bytes; brink_integrator_defaults()
 * passes the size that the calling program knows. */
BRINK_API void brink_integrator_opts_init(brink_integrator_opts *opt, size_t size);

static inline brink_integrator_opts brink_integrator_defaults(void)
{
  brink_integrator_opts opt;

  brink_integrator_opts_init(&opt, sizeof opt);
  return opt;
}

/* Create.  On failure *out is NULL, nothing leaks, and the reason is in
 * brink_ctx_error(ctx). */
BRINK_API brink_status brink_integrator_new(brink_ctx *ctx, const brink_ivp *ivp,
                                            const brink_integrator_opts *opt,
                                            brink_integrator **out);

/* Destroy.  NULL is allowed. */
BRINK_API void brink_integrator_free(brink_integrator *it);

/* (Re)start at (t, y), forgetting all history.  Call it after every jump.
 * Does not allocate. */
BRINK_API brink_status brink_integrator_start(brink_integrator *it, double t,
                                              const double *y);

/* Take one accepted step, never past t_limit.  BRINK_OK: *step is filled.
 * BRINK_STIFF: the same, and the problem looks stiff for this method (said once
 * after each start).  BRINK_END: already at t_limit, *step untouched.
 * BRINK_LIMIT: max_steps were taken.  (BRINK_EVENT: it stands at a unilateral event;
 * only models have those.)  Negative: see brink_integrator_error; the
 * integrator still stands at its last good point.  step may be NULL: the polynomial
 * is not wanted, and a method whose polynomial costs evaluations of f saves them.
 * Does not allocate, but for what implicit methods need when they are first wanted
 * (`auto`), and for their sparse factors. */
BRINK_API brink_status brink_integrator_advance(brink_integrator *it, double t_limit,
                                                brink_step *step);

/* Where it stands.  Borrowed, valid until the next call. */
BRINK_API double brink_integrator_time(const brink_integrator *it);
BRINK_API const double *brink_integrator_state(const brink_integrator *it);

/* The state (k = 0) or its k-th derivative at t, a time of the last step: writes
 * out[0..n-1].  Evaluates the step polynomial, and f never.  BRINK_EARG if t lies
 * outside that step, or if nobody wanted its polynomial (step == NULL) and the method
 * saved it.  Does not allocate. */
BRINK_API brink_status brink_integrator_at(brink_integrator *it, double t, int k,
                                           double *out);

BRINK_API brink_work brink_integrator_work(const brink_integrator *it);

/* Details of the last negative status; owned by `it`. */
BRINK_API const brink_err *brink_integrator_error(const brink_integrator *it);

/* The methods: name, order of the propagated solution, one line about each.
 * NULL past the last. */
BRINK_API const char *brink_method_name(int index);
BRINK_API const char *brink_method_about(int index);
BRINK_API int brink_method_order(int index);

/* What a method of this name needs that brink was built without ("SUNDIALS"); NULL: it
 * is here, or there is none of this name.  Methods that are missing are not listed. */
BRINK_API const char *brink_method_missing(const char *name);

/* 1: takes steps of the length h0, which must be given. */
BRINK_API int brink_method_fixed_step(int index);

/* 1: needs Taylor series: of a text model, or of a mode with brink_mode_def.jet. */
BRINK_API int brink_method_needs_jet(int index);

#ifdef __cplusplus
}
#endif
#endif /* BRINK_INTEGRATOR_H */
