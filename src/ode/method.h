/* ode/method.h -- what a method is: one file, one const object, one line in
 * methods.def.
 *
 * The driver decides, the method computes: `attempt` never accepts, `accept`
 * never evaluates f.  The driver allocates state_size bytes once; a method file
 * contains no allocation.  f is called through the gate only.
 */
#ifndef BRINK_METHOD_H
#define BRINK_METHOD_H

#include <float.h>
#include <math.h>

#include "brink/integrator.h"
#include "ode/gate.h"

enum {
  BRINK__MULTISTEP = 1 << 0,  /* keeps history; start() is costly              */
  BRINK__OWN_STEP = 1 << 1,   /* picks its own h; no controller                */
  BRINK__FREE_STEP = 1 << 2,  /* may shorten *h                                */
  BRINK__FIXED_STEP = 1 << 3, /* no error estimate: h is the user's h0        */
  BRINK__C1 = 1 << 4 /* slopes of adjacent step polynomials meet              */
};

/* Tolerances in the form the error norms need. */
typedef struct brink__tol {
  double rtol;
  double atol;          /* used where atol_i is NULL */
  const double *atol_i; /* [n] or NULL               */
  double part;          /* of them to be kept; 0: 1  */
} brink__tol;

/* What an attempt leaves besides the candidate. */
typedef struct brink__outcome {
  double err;      /* scaled error; accept when <= 1                          */
  double twist;    /* scaled change of the second derivative from the last step to
                      this one, h^5 where f is smooth; 0 if unknown           */
  double warp;     /* ... and of the last term of the polynomial, three times */
  double h_lambda; /* estimate of |h * dominant eigenvalue|, 0 if unknown     */
} brink__outcome;

typedef struct brink_method {
  const char *name;  /* as typed by the user                            */
  const char *about; /* one line for people                             */
  const char *cite;  /* key in docs/references.bib                      */
  int order;         /* of the propagated solution                      */
  int error_order;   /* of the error estimate                           */
  int dense_order;   /* of the step polynomial                          */
  int max_degree;    /* of the step polynomial                          */
  int stages;        /* of its Runge-Kutta tableau, with f at the end
                        point and those of the polynomial; 0: none      */
  double beta;       /* weight of the last error in the controller      */
  double safety;     /* part of the step that would just do; 0: 0.9     */
  double stability;  /* |h lambda| beyond this is a sign of stiffness   */
  double stride;     /* a first step over this method's ordinary one, 0: 1     */
  unsigned flags;

  /* Bytes of state for n equations; the driver allocates them once. */
  size_t (*state_size)(size_t n);

  /* Forget history.  Called after every jump. */
  void (*start)(void *state, size_t n);

  /* Try *h from (t, y); only OWN_STEP and FREE_STEP methods may change *h.
   * Leaves the candidate in the state and the verdict in *out.  Never changes y.
   * BRINK_OK, BRINK_EDOMAIN (retry smaller) or BRINK_EUSER. */
  brink_status (*attempt)(void *state, brink__gate *gate, const brink__tol *tol,
                          double t, double *h, const double *y, brink__outcome *out);

  /* What the method can say about the step *before* f is evaluated ahead of
   * (t, y).  Returns the degree, or 0 if it has nothing to say. */
  int (*predict)(void *state, size_t n, double t, double h, const double *y,
                 double *coeff);

  /* What the polynomial needs beyond the attempt (extra stages), called between a
   * passed attempt and accept, only if someone reads this step.  May answer
   * BRINK_EDOMAIN: the step is retried.  Others name brink__dense_nothing. */
  brink_status (*dense)(void *state, brink__gate *gate, double t, double h,
                        const double *y);

  /* The attempt was accepted: write its polynomial, rotate history.  Returns the
   * degree, which variable-order methods change from step to step.  If dense was
   * not called, any polynomial that has both ends right will do. */
  int (*accept)(void *state, size_t n, double h, const double *y, double *coeff);

  /* The candidate end point of the last attempt, [n]. */
  const double *(*candidate)(const void *state, size_t n);

  /* Not read when it was accepted, the last step (h from (t, y) to y1) is now: write
   * its polynomial from what is left of it.  An attempt since then must not matter.
   * Returns the degree, 0 if it cannot.  NULL: never. */
  int (*recall)(void *state, brink__gate *gate, double t, double h, const double *y,
                const double *y1, double *coeff);

  /* The defect h (f - P') of the passed attempt's polynomial at x, 0 < x < 1, over the
   * tolerance.  One evaluation; < 0: f refuses.  NULL: the error estimate does. */
  double (*glance)(void *state, brink__gate *gate, const brink__tol *tol, double t,
                   double h, const double *y, double x);

  /* Just after start: f [n] where the first attempt will begin.  NULL: not told. */
  void (*given)(void *state, size_t n, const double *f);

  /* A run begins or a jump was made at t; called before start.  NULL: not told. */
  void (*jumped)(void *state, double t);

  /* The method at work, whose orders, beta and stability count; it may change at a
   * jump and at the first attempt after an accepted step.  NULL: always this one. */
  const struct brink_method *(*acting)(const void *state);

  /* Settings that only this method has, once, before anything else.  NULL: none. */
  void (*configure)(void *state, const brink_integrator_opts *opt);

  /* The size of the next step, asked after an accepted and after a rejected one; 0: it
   * is left to the controller.  NULL: always. */
  double (*next_step)(const void *state);
} brink_method;

int brink__predict_nothing(void *state, size_t n, double t, double h, const double *y,
                           double *coeff);
brink_status brink__dense_nothing(void *state, brink__gate *gate, double t, double h,
                                  const double *y);

/* atol_i + rtol * max(|a|, |b|), or the part of it that is asked for; never zero: what
 * is zero and has no error is as accurate as anybody may ask */
static inline double brink__scale(const brink__tol *tol, size_t i, double a, double b)
{
  double m = fabs(a), mb = fabs(b);

  if (mb > m)
    m = mb;
  double scale = (tol->atol_i ? tol->atol_i[i] : tol->atol) + tol->rtol * m;
  if (tol->part > 0)
    scale *= tol->part;
  return scale > DBL_MIN ? scale : DBL_MIN;
}

/* By name; NULL if unknown. */
const brink_method *brink__method_find(const char *name);

#define BRINK_METHOD(name) extern const brink_method brink__##name;
#include "ode/methods.def"
#undef BRINK_METHOD

#endif /* BRINK_METHOD_H */
